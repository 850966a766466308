//! Values of fixed size: `struct` codes, and what is made of what they give.

use super::body::{Body, Pos};
use crate::py::{apply, binary, call, either, index, int, method, name, slice, target, Expr};
use aldis_emit::integer_of;
use aldis_plan::{NullValue, Repr, Scalar};
use aldis_routine::{Cell, Holds, ListId, Row};
use aldis_schema::{Encoding, Type, TypeKind};

/// Arrays of more cells are left to the careful reader.
const MOST_CELLS: u32 = 32;

/// The `struct` code of what is stored.
pub(super) fn code(repr: Repr) -> &'static str {
    match repr {
        Repr::Bool | Repr::Bit(_) | Repr::U8 => "B",
        Repr::I8 => "b",
        Repr::I16 => "h",
        Repr::U16 => "H",
        Repr::I32 => "i",
        Repr::U32 => "I",
        Repr::I64 => "q",
        Repr::U64 => "Q",
        Repr::F32 => "f",
        Repr::F64 => "d",
        Repr::Decimal | Repr::Uuid => "16s",
    }
}

impl Body<'_, '_> {
    /// A scalar at a place.
    pub fn scalar(&mut self, scalar: &Scalar, at: &Pos, wanted: &str) -> Expr {
        let repr = scalar.repr;
        let is_plain_bool = repr == Repr::Bool && scalar.xor == 0 && scalar.null.is_none();
        if scalar.xor != 0 && matches!(repr, Repr::F32 | Repr::F64) {
            let bits = if repr == Repr::F32 { "I" } else { "Q" };
            let stored = self.slot(at, bits, repr.width(), wanted);
            let of = if repr == Repr::F32 { "float_of" } else { "double_of" };
            return self.fast.helped(of, vec![binary(name(stored), "^", int(scalar.xor))]);
        }
        let stored = self.slot(at, if is_plain_bool { "?" } else { code(repr) }, repr.width(), wanted);
        if is_plain_bool {
            return name(stored);
        }
        self.made(scalar, &stored)
    }

    /// The value of a variable with what is stored.
    pub fn made(&mut self, scalar: &Scalar, stored: &str) -> Expr {
        let repr = scalar.repr;
        let raw = match scalar.xor {
            0 => name(stored),
            xor if matches!(repr, Repr::Bit(_)) => return self.bit(repr, xor, stored),
            xor => binary(name(stored), "^", int(integer_of(repr, xor))),
        };
        let value = match repr {
            Repr::Bit(_) => return self.bit(repr, 0, stored),
            Repr::Bool => binary(raw, "!=", int(0)),
            Repr::Uuid => self.fast.helped("uuid_of", vec![raw]),
            Repr::Decimal => self.fast.helped("decimal_of", vec![raw]),
            _ => self.number_of(&scalar.ty, raw, stored),
        };
        match scalar.null {
            None => value,
            Some(NullValue::Nan(_)) => either(binary(name(stored), "==", name(stored)), value, name("None")),
            Some(NullValue::Bits(bits)) => {
                // The number that stands for null is found before the default is taken off.
                let null = integer_of(repr, bits ^ scalar.xor);
                either(binary(name(stored), "!=", int(null)), value, name("None"))
            }
        }
    }

    fn bit(&mut self, repr: Repr, xor: u64, stored: &str) -> Expr {
        let Repr::Bit(bit) = repr else { return name(stored) };
        let masked = binary(name(stored), "&", int(1_u32 << bit));
        binary(masked, if xor >> bit & 1 == 1 { "==" } else { "!=" }, int(0))
    }

    /// The value of a type with that number.
    fn number_of(&mut self, ty: &Type, raw: Expr, stored: &str) -> Expr {
        match ty.required() {
            Type::Char => call("chr", vec![raw]),
            Type::Named(id) => {
                let of = self.fast.number(*id);
                match self.fast.values.schema.type_def(*id).kind {
                    TypeKind::Flags(_) => index(of, raw),
                    _ if raw == name(stored) => apply(of, vec![raw.clone(), raw]),
                    _ => {
                        let own = self.keep("number", raw);
                        apply(of, vec![name(own.as_str()), name(own)])
                    }
                }
            }
            _ => raw,
        }
    }

    /// Text in so many bytes, up to the first that is zero.
    pub fn chars(&mut self, at: &Pos, width: u32, encoding: Encoding, wanted: &str) -> Expr {
        let stored = self.slot(at, &format!("{width}s"), width, wanted);
        let octets = index(method(name(stored), "partition", vec![Expr::Bytes(vec![0])]), int(0));
        decoded(octets, Some(encoding))
    }

    /// A plain value of a run that begins at `base`.
    pub fn cell(&mut self, cell: &Cell, base: &Pos, (at, width): (u32, u32), wanted: &str) -> Expr {
        let place = base.behind(at.into());
        match cell {
            Cell::Scalar(scalar) => self.scalar(scalar, &place, wanted),
            Cell::Chars(encoding) => self.chars(&place, width, *encoding, wanted),
            Cell::Literal(literal) => {
                let module = self.fast.module;
                let literal = &module[*literal];
                self.fast.values.literal(&literal.value, &literal.ty)
            }
            Cell::Nest { record, rows } => {
                // Members count from where the run does.
                let members = self.members(rows, base);
                call(self.fast.values.names.of(*record), members)
            }
            Cell::Row { count, scalar, of } => {
                let items = self.row(&place, int(*count), scalar);
                self.collected(*of, items)
            }
            Cell::Array { count, stride, element, of } => {
                self.is_odd |= *count > MOST_CELLS;
                let items = (0..(*count).min(MOST_CELLS)).map(|index| {
                    let start = base.behind(u64::from(at + index * stride));
                    self.cell(element, &start, (0, *stride), wanted)
                });
                let items = Expr::List(items.collect());
                self.collected(*of, items)
            }
        }
    }

    fn members(&mut self, rows: &[Row], base: &Pos) -> Vec<Expr> {
        let module = self.fast.module;
        let plain = rows.iter().filter_map(|row| match &row.holds {
            Holds::Cell(cell) if row.field.is_some() => Some((row, cell)),
            _ => None,
        });
        let cell = |(row, cell): (&Row, &Cell)| {
            self.cell(cell, base, (row.at, row.width), row.name.map_or("item", |own| &module[own]))
        };
        plain.map(cell).collect()
    }

    /// A list of scalars side by side.
    pub fn row(&mut self, at: &Pos, count: Expr, scalar: &Scalar) -> Expr {
        let width = scalar.repr.width();
        let is_plain_bool = scalar.repr == Repr::Bool && scalar.xor == 0;
        let place = self.place(at);
        let own = if is_plain_bool { "?" } else { code(scalar.repr) };
        let stored = match &count {
            Expr::Int(0) => return Expr::List(Vec::new()),
            _ if own == "B" => slice(name("d"), place.clone(), binary(place, "+", count.clone())),
            Expr::Int(number) => {
                self.is_odd |= own == "16s";
                let read = self.fast.format(&format!("{number}{own}"), "unpack_from");
                apply(read, vec![name("d"), place])
            }
            _ => {
                self.is_odd |= own == "16s";
                let end = binary(place.clone(), "+", binary(count.clone(), "*", int(width)));
                self.odd_if(binary(end, ">", call("len", vec![name("d")])));
                let order = self.fast.order();
                let read = self.fast.helped("many", vec![Expr::Text(format!("{order}%d{own}")), count.clone()]);
                apply(read, vec![name("d"), place])
            }
        };
        let item = self.fresh("x");
        match self.made(scalar, &item) {
            Expr::Name(plain) if plain == item => call("list", vec![stored]),
            _ if is_plain_bool => call("list", vec![stored]),
            made => Expr::Collect(Box::new(made), target(item), Box::new(stored)),
        }
    }

    /// The collection of its elements.
    pub fn collected(&mut self, of: ListId, items: Expr) -> Expr {
        let module = self.fast.module;
        match module[of].ty {
            Type::List(_) | Type::Array { .. } => items,
            _ => self.fast.of_form("_form.collection", vec![int(of.0), items]),
        }
    }
}

/// Text, or bytes, of bytes. Those that are no text are an error of Python's.
pub(super) fn decoded(octets: Expr, encoding: Option<Encoding>) -> Expr {
    match encoding {
        None => octets,
        Some(Encoding::Utf8) => method(octets, "decode", Vec::new()),
        Some(Encoding::Latin1) => method(octets, "decode", vec![Expr::Text("latin-1".to_owned())]),
    }
}
