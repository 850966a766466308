//! Runs, scalars and literals as data.

use super::{row, Datum};
use crate::module::{Cell, Holds, Literal, Module, Register, Row, Table};
use crate::value::Value;
use aldis_plan::{Extent, Lacks, NullValue, Repr, Scalar};
use aldis_schema::{Encoding, Type};

/// `f64`, `u32`; of one bit `bit3`.
pub(super) fn repr(repr: Repr) -> String {
    match repr {
        Repr::Bit(bit) => format!("bit{bit}"),
        repr => repr.name().to_owned(),
    }
}

pub(super) fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "utf8",
        Encoding::Latin1 => "latin1",
    }
}

/// A type is the name of its kind, or a list of that and its parts.
pub(super) fn ty(of: &Type) -> Datum {
    match of {
        Type::Void => "void".into(),
        Type::Bool => "bool".into(),
        Type::Char => "char".into(),
        Type::Int(int) => row!["int", int.bits, int.signed],
        Type::Float32 => "f32".into(),
        Type::Float64 => "f64".into(),
        Type::Decimal => "decimal".into(),
        Type::Timestamp => row!["int", 64u8, false],
        Type::Uuid => "uuid".into(),
        Type::Text(encoding) | Type::Chars { encoding, .. } => row!["text", self::encoding(*encoding)],
        Type::Bytes => "bytes".into(),
        Type::Named(id) => row!["named", id.0],
        Type::Opaque(_) => "opaque".into(),
        Type::Optional(inner) => row!["optional", ty(inner)],
        Type::List(element) => row!["list", ty(element)],
        Type::Array { element, len } => row!["array", ty(element), *len],
        Type::Set(element) => row!["set", ty(element)],
        Type::Map { key, value, .. } => row!["map", ty(key), ty(value)],
    }
}

/// `[repr, type, null, absent, xor]`. Null is a pattern of bits, or `[bits]` of a NaN that stands for every one.
pub(super) fn scalar(scalar: &Scalar) -> Datum {
    let null = |null: NullValue| match null {
        NullValue::Bits(bits) => Datum::from(bits),
        NullValue::Nan(bits) => row![bits],
    };
    let repr = repr(scalar.repr);
    row![repr.as_str(), ty(&scalar.ty), scalar.null.map(null), scalar.absent.map(null), scalar.xor]
}

/// `[block, pointers, parts]`, of each its rows.
pub(super) fn lacks(lacks: &Lacks) -> Datum {
    let rows = |rows: &[(u32, u64)]| Datum::List(rows.iter().map(|(end, cost)| row![*end, *cost]).collect());
    Datum::List([&lacks.block, &lacks.pointers, &lacks.parts].map(|all| rows(all)).into())
}

impl Module {
    /// `[size, extent, extras, rows]`; the extent is 0 for its size, −1 for what a head said, else the bytes of its own head that say it.
    pub(super) fn run_data(&self, table: &Table) -> Datum {
        let extent = match table.extent {
            Extent::Exact | Extent::Sections { .. } => 0,
            Extent::Acting => -1,
            Extent::Stated { head } => i64::from(head),
        };
        let extras: Vec<Datum> = table.extras.iter().map(|(end, sum)| row![*end, *sum]).collect();
        row![table.size, extent, extras, self.row_data(&table.rows)]
    }

    /// Rows, each `[at, end, since, reach, name, whether it is a field, missing, what it holds]`.
    fn row_data(&self, rows: &[Row]) -> Datum {
        let row_data = |row: &Row| {
            let name = row.name.map(|name| self[name].as_str());
            let missing = row.missing.map(|missing| missing.0);
            let holds = self.holds(row);
            row![row.at, row.end(), row.since, row.reach, name, row.field.is_some(), missing, holds]
        };
        Datum::List(rows.iter().map(row_data).collect())
    }

    fn holds(&self, row: &Row) -> Datum {
        match &row.holds {
            Holds::Cell(cell) => self.cell_data(cell, row.width),
            Holds::Nest(rows) => row!["rows", self.row_data(rows)],
            Holds::Register(Register::Wanted(of)) => row!["wanted", of.width()],
            Holds::Register(Register::Expected(of, want)) => row!["expected", of.width(), *want],
            Holds::Register(Register::Extent(of)) => row!["extent", of.width()],
            Holds::Register(Register::Unread) | Holds::Other | Holds::Ignored => Datum::None,
        }
    }

    fn cell_data(&self, cell: &Cell, width: u32) -> Datum {
        match cell {
            Cell::Scalar(of) => row!["scalar", scalar(of)],
            Cell::Chars(of) => row!["chars", width, encoding(*of)],
            Cell::Row { count, scalar: of, of: list } => row!["row", *count, scalar(of), list.0],
            Cell::Array { count, stride, element, of } => {
                row!["array", *count, *stride, self.cell_data(element, *stride), of.0]
            }
            Cell::Nest { record, rows } => row!["nest", record.0, self.row_data(rows)],
            Cell::Literal(literal) => row!["literal", literal.0],
        }
    }

    /// A null is none; what is more than a plain number, text or bytes is a list of what it is and its parts.
    pub fn literal_data(&self, literal: &Literal) -> Datum {
        match literal.lacks {
            true => row!["missing"],
            false => self.value_data(&literal.value, &literal.ty),
        }
    }

    fn value_data(&self, value: &Value, ty: &Type) -> Datum {
        let ty = ty.required();
        let is_latin1 = matches!(ty, Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. });
        match (value, ty) {
            (Value::Null, _) => Datum::None,
            (Value::Bool(v), _) => Datum::Bool(*v),
            (Value::Int(v), ty) => number_data((*v).into(), ty),
            (Value::UInt(v), ty) => number_data((*v).into(), ty),
            (Value::F32(v), _) => Datum::Float(f64::from(*v)),
            (Value::F64(v), _) => Datum::Float(*v),
            (Value::Decimal(d), _) => {
                row!["decimal", d.negative, i128::try_from(d.coefficient).unwrap_or_default(), d.scale]
            }
            (Value::Uuid(octets), _) => row!["uuid", Datum::Bytes(octets.to_vec())],
            (Value::Bytes(bytes), Type::Bytes) => Datum::Bytes(bytes.clone()),
            (Value::Bytes(bytes), _) if is_latin1 => Datum::Text(bytes.iter().map(|byte| char::from(*byte)).collect()),
            (Value::Bytes(bytes), _) => Datum::Text(String::from_utf8_lossy(bytes).into_owned()),
            (Value::Record(values), Type::Named(id)) => {
                let fields = self.schema.record(*id).fields.iter().zip(values);
                let field = |(field, value): (&aldis_schema::Field, &Value)| match value {
                    Value::Null if !field.nullable() => row!["missing"],
                    value => self.value_data(value, &field.ty),
                };
                let fields: Vec<Datum> = fields.map(field).collect();
                row!["record", id.0, fields]
            }
            (Value::Opaque(bytes), _) => row!["opaque", Datum::Bytes(bytes.clone())],
            (Value::Choice(tag, arm), Type::Named(id)) => {
                let union = self.schema.union(*id);
                let ty = union.arm_of(*tag).map_or(&Type::Void, |index| &union.arms[index].field.ty);
                row!["arm", id.0, *tag, self.value_data(arm, ty)]
            }
            (Value::List(values), of) => {
                let items: Vec<Datum> = values.iter().map(|value| self.value_data(value, of.element())).collect();
                row!["list", self::ty(of), items]
            }
            (_, of) => row!["list", self::ty(of), Vec::new()],
        }
    }
}

/// A number of a named type says of which.
fn number_data(number: i128, ty: &Type) -> Datum {
    match ty {
        Type::Char => Datum::Text(char::from(number as u8).to_string()),
        Type::Named(id) => row!["named", id.0, number],
        _ => number.into(),
    }
}
