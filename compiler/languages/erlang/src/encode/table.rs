//! Runs as tables, which the runtime walks (`aldis_run`): the writers of what guards refuse.

use super::run::{is_cells, written};
use crate::code::{quote, Expr};
use crate::erl::{atom, bytes_binary, function, list, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::slots::{null_number, unsigned};
use crate::values::Conversion;
use crate::wire::Wire;
use aldis_plan::{NullValue, Repr, Scalar, Slot, SlotKind, TypeId};
use aldis_schema::{Encoding, Type};

impl<'a> Gen<'a> {
    /// The function that gives the table of a record's slots between two places.
    pub fn run_table(&mut self, wire: &Wire<'a>, id: TypeId, slots: &'a [Slot], (from, to): (u32, u32)) -> Callee {
        let mut rows = Vec::new();
        for slot in slots {
            if let Some(kind) = self.row_kind(wire, id, slot) {
                rows.push(self.run_row(id, slot, slot.at - from, kind));
            }
        }
        let record = self.names.atom(id);
        let mut table = match self.values.structs {
            false => {
                let size = self.schema.record(id).fields.len() + 1;
                vec![quote("record"), record.into(), quote(size.to_string())]
            }
            true => vec![quote("struct"), Expr::Record(record.name().to_owned(), Vec::new())],
        };
        let order = if wire.plan.byte_order == aldis_plan::ByteOrder::Little { "little" } else { "big" };
        table.extend([quote((to - from).to_string()), quote(order), list(rows)]);
        let table = tuple(table);
        let name = format!("run_{}{}", self.names.of(id), wire.suffix());
        // A record may lie in others otherwise than alone.
        let key = format!("{name}:{table:?}");
        self.define_at((id, self.codec_facet()), &key, &name, |_, own| {
            function(atom(own), &[Clause::new([""], [table])])
        })
    }

    fn run_row(&self, id: TypeId, slot: &Slot, at: u32, kind: Expr) -> Expr {
        let mut row = vec![quote(at.to_string())];
        row.extend(slot.field.into_iter().flat_map(|field| {
            let key = self.names.field_atom(id, field as usize);
            [self.place_in_record(id, field), key.into()]
        }));
        row.push(kind);
        row.extend((slot.since > 0).then(|| quote(slot.since.to_string())));
        tuple(row)
    }

    /// Where a record has a field: the element of its tuple, or the key of its map.
    pub fn place_in_record(&self, id: TypeId, field: u32) -> Expr {
        let key = self.names.field_atom(id, field as usize);
        match self.values.structs {
            false => quote((field + 2).to_string()),
            true => Expr::Key(self.names.atom(id).name().to_owned(), key.name().to_owned()),
        }
    }

    /// The kind of a slot of a record; the bytes of what is no field. Nothing where nothing is written or checked.
    fn row_kind(&mut self, wire: &Wire<'a>, id: TypeId, slot: &'a Slot) -> Option<Expr> {
        let sized = matches!(slot.kind, SlotKind::Nest { .. } | SlotKind::Chars { .. } | SlotKind::Array { .. });
        match &slot.kind {
            SlotKind::Constant { ty, value } => {
                let value = self.literal(value, ty, Fresh::Zero);
                return Some(tuple([quote("constant"), value]));
            }
            _ if slot.width == 0 && !sized => return None,
            SlotKind::Register(register) if register.constant.is_some() => return None,
            SlotKind::Ignored { .. } => return None,
            SlotKind::Register(register) => {
                let value = unsigned(written(register, "Count", 0), slot.width, wire.plan.byte_order);
                return Some(crate::erl::binary([value]));
            }
            SlotKind::Link(_) => return Some(quote("link")),
            SlotKind::Presence(_) => return Some(quote("presence")),
            _ if is_cells(slot) => return Some(quote("cells")),
            _ => {}
        }
        let kind = self.value_kind(wire, slot);
        let nullable = slot.field.is_some_and(|field| self.schema.record(id).fields[field as usize].nullable());
        let marked = matches!(&slot.kind, SlotKind::Scalar(scalar) if scalar.null.or(scalar.absent).is_some());
        if !nullable || marked {
            return Some(kind);
        }
        let bytes = self.null_bytes(slot, wire.plan.byte_order == aldis_plan::ByteOrder::Little);
        let zeros = bytes.iter().all(|&byte| byte == 0);
        let null = if zeros { format!("<<0:{}>>", bytes.len() * 8) } else { bytes_binary(&bytes) };
        Some(or_null("or_null", null, kind))
    }

    fn value_kind(&mut self, wire: &Wire<'a>, slot: &'a Slot) -> Expr {
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.scalar_kind(scalar),
            SlotKind::Chars { ty } => {
                let utf8 = matches!(ty, Type::Chars { encoding: Encoding::Utf8, .. });
                quote(format!("{{chars, {}, {}}}", slot.width, if utf8 { "utf8" } else { "latin1" }))
            }
            SlotKind::Array { count, element } => {
                tuple([quote("array"), quote(count.to_string()), self.value_kind(wire, element)])
            }
            SlotKind::Nest { record, slots } => {
                let table = self.run_table(wire, *record, slots, (slot.at, slot.end()));
                self.external(&table, 0)
            }
            _ => Expr::Null,
        }
    }

    fn scalar_kind(&mut self, scalar: &Scalar) -> Expr {
        let plain = match (scalar.repr, &scalar.ty) {
            (Repr::Decimal, _) => converted(&self.values.decimal, "decimal"),
            (Repr::Uuid, _) => converted(&self.values.uuid, "uuid"),
            (repr, Type::Named(id)) => self.named_numbers(*id, repr),
            (repr, _) => quote(repr_word(repr)),
        };
        match (scalar.null, scalar.absent) {
            (Some(NullValue::Bits(bits) | NullValue::Nan(bits)), _)
                if matches!(scalar.repr, Repr::Decimal | Repr::Uuid) =>
            {
                or_null("or_null", format!("<<{bits}:128/little>>"), plain)
            }
            (Some(null @ NullValue::Nan(_)), _) => or_null("or_nan", null_number(scalar.repr, null), plain),
            (Some(null), _) => or_null("or_null", null_number(scalar.repr, null), plain),
            (None, Some(null)) => or_null("or_absent", null_number(scalar.repr, null), plain),
            (None, None) => plain,
        }
    }

    /// The function that gives what an enum's or flags type's values and numbers are to each other.
    fn named_numbers(&mut self, id: TypeId, repr: Repr) -> Expr {
        let name = format!("number_{}", self.names.of(id));
        let table = self.define_at((id, self.codec_facet()), &name, &name, |gen, own| {
            let (to, from) = (gen.number_writer(id), gen.name_reader(id));
            let functions = [gen.external(&to, 2), gen.external(&from, 1)];
            let table = tuple([quote("number")].into_iter().chain(functions).chain([quote(repr_word(repr))]));
            function(atom(own), &[Clause::new([""], [table])])
        });
        self.external(&table, 0)
    }
}

/// The word for what lies on the wire.
fn repr_word(repr: Repr) -> &'static str {
    match repr {
        Repr::Bool | Repr::Bit(_) => "boolean",
        Repr::I8 => "int8",
        Repr::U8 => "uint8",
        Repr::I16 => "int16",
        Repr::U16 => "uint16",
        Repr::I32 => "int32",
        Repr::U32 => "uint32",
        Repr::I64 => "int64",
        Repr::U64 => "uint64",
        Repr::F32 => "float32",
        Repr::F64 => "float64",
        Repr::Decimal => "decimal",
        Repr::Uuid => "uuid",
    }
}

fn or_null(word: &str, null: String, kind: Expr) -> Expr {
    tuple([quote(word), quote(null), kind])
}

fn converted(conversion: &Option<Conversion>, kind: &str) -> Expr {
    match conversion {
        Some(Conversion { to, .. }) => tuple([quote("converted"), quote(format!("fun {to}/1")), quote(kind)]),
        None => quote(kind),
    }
}
