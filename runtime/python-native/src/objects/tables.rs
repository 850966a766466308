//! Tables out of the data that generated packages have of them.

use super::operands::{items, repr_of, Operands};
use aldis_plan::{Extent, NullValue, Repr, Scalar};
use aldis_routine::data::Datum;
use aldis_routine::{Cell, Holds, ListId, LiteralId, Register, Row, Table};
use aldis_schema::{Type, TypeId};

pub fn tables(runs: &Datum) -> Option<Vec<Table>> {
    items(runs)?.iter().map(table).collect()
}

fn table(datum: &Datum) -> Option<Table> {
    let mut of = Operands::of(datum)?;
    let size = of.number()?;
    let extent = match of.int()? {
        0 => Extent::Exact,
        -1 => Extent::Acting,
        head => Extent::Stated { head: u32::try_from(head).ok()? },
    };
    let extra = |datum: &Datum| {
        let mut of = Operands::of(datum)?;
        Some((of.number()?, of.number()?))
    };
    let extras = items(of.next()?)?.iter().map(extra).collect::<Option<_>>()?;
    let rows = rows(of.next()?)?;
    Some(Table { size, extent, newest: newest(&rows), rows, extras })
}

/// The newest version that a row, or a member of one, was added by.
fn newest(rows: &[Row]) -> u32 {
    rows.iter().map(|row| row.since.max(newest(row.members()))).max().unwrap_or(0)
}

fn rows(datum: &Datum) -> Option<Vec<Row>> {
    items(datum)?.iter().map(row).collect()
}

fn row(datum: &Datum) -> Option<Row> {
    let mut of = Operands::of(datum)?;
    let (at, end): (u32, u32) = (of.number()?, of.number()?);
    let (since, reach, _, is_field) = (of.number()?, of.number()?, of.next()?, of.next()?);
    let missing = match of.next()? {
        Datum::Int(literal) => Some(LiteralId(u32::try_from(*literal).ok()?)),
        _ => None,
    };
    let holds = match of.next()? {
        Datum::None => Holds::Ignored,
        holds => held(holds)?,
    };
    let field = (*is_field == Datum::Bool(true)).then_some(0);
    Some(Row { at, width: end.checked_sub(at)?, since, reach, name: None, field, missing, holds })
}

fn held(datum: &Datum) -> Option<Holds> {
    let mut of = Operands::of(datum)?;
    let Datum::Text(name) = of.next()? else { return None };
    Some(match name.as_str() {
        "rows" => Holds::Nest(rows(of.next()?)?),
        "wanted" => Holds::Register(Register::Wanted(repr_of(of.number()?)?)),
        "expected" => Holds::Register(Register::Expected(repr_of(of.number()?)?, of.number()?)),
        "extent" => Holds::Register(Register::Extent(repr_of(of.number()?)?)),
        _ => Holds::Cell(cell(datum)?),
    })
}

fn cell(datum: &Datum) -> Option<Cell> {
    let mut of = Operands::of(datum)?;
    let Datum::Text(name) = of.next()? else { return None };
    Some(match name.as_str() {
        "scalar" => Cell::Scalar(scalar(of.next()?)?),
        "chars" => {
            of.next()?;
            Cell::Chars(of.text()??)
        }
        "row" => Cell::Row { count: of.number()?, scalar: scalar(of.next()?)?, of: ListId(of.number()?) },
        "array" => Cell::Array {
            count: of.number()?,
            stride: of.number()?,
            element: Box::new(cell(of.next()?)?),
            of: ListId(of.number()?),
        },
        "nest" => Cell::Nest { record: TypeId(of.number()?), rows: rows(of.next()?)? },
        "literal" => Cell::Literal(LiteralId(of.number()?)),
        _ => return None,
    })
}

/// A scalar, of whose type all is kept that its values depend on: a char, or a type by name.
pub fn scalar(datum: &Datum) -> Option<Scalar> {
    let mut of = Operands::of(datum)?;
    let Datum::Text(repr) = of.next()? else { return None };
    let ty = match of.next()? {
        Datum::Text(ty) if ty == "char" => Type::Char,
        Datum::List(parts) => match parts.as_slice() {
            [name, Datum::Int(id)] if *name == Datum::from("named") => Type::Named(TypeId(u32::try_from(*id).ok()?)),
            _ => Type::Void,
        },
        _ => Type::Void,
    };
    let null = null_of(of.next()?)?;
    of.next()?;
    Some(Scalar { repr: named(repr)?, ty, null, absent: None, xor: of.number()? })
}

fn null_of(datum: &Datum) -> Option<Option<NullValue>> {
    Some(match datum {
        Datum::None => None,
        Datum::Int(bits) => Some(NullValue::Bits(u64::try_from(*bits).ok()?)),
        nan => Some(NullValue::Nan(Operands::of(nan)?.number()?)),
    })
}

/// The bits that a scalar without a value is written as.
pub fn null_bits(datum: &Datum) -> Option<Option<u64>> {
    let [_, _, null, absent, _] = items(datum)? else { return None };
    let found = null_of(null)?.or(null_of(absent)?);
    Some(found.map(|(NullValue::Bits(bits) | NullValue::Nan(bits))| bits))
}

fn named(repr: &str) -> Option<Repr> {
    let all = [
        Repr::Bool,
        Repr::I8,
        Repr::I16,
        Repr::I32,
        Repr::I64,
        Repr::U8,
        Repr::U16,
        Repr::U32,
        Repr::U64,
        Repr::F32,
        Repr::F64,
        Repr::Decimal,
        Repr::Uuid,
    ];
    let bit = repr.strip_prefix("bit").and_then(|bit| bit.parse().ok()).map(Repr::Bit);
    bit.or_else(|| all.into_iter().find(|known| known.name() == repr))
}
