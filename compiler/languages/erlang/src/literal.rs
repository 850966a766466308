//! Values of the schema (defaults, constants) as Erlang terms.

use crate::code::{quote, Expr};
use crate::erl::{bytes_binary, list, record, tuple, Atom, Clause};
use crate::gen::Gen;
use aldis_plan::{Missing, Slot, SlotKind, Step};
use aldis_schema::{default_of_field, default_of_type, Encoding, Field, Generated, Literal, Type, TypeId, TypeKind};

/// Whether defaults that are made anew for each value are, or read as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fresh {
    Made,
    Zero,
}

impl Gen<'_> {
    /// The term of a literal of type `ty`.
    pub fn literal(&mut self, literal: &Literal, ty: &Type, fresh: Fresh) -> Expr {
        match (literal, ty.required()) {
            (Literal::Null, _) => Expr::Null,
            (Literal::Bool(v), _) => Expr::Atom(v.to_string()),
            (Literal::Int(v), Type::Float32 | Type::Float64) => quote(float(*v as f64)),
            (Literal::Int(0), Type::Named(id)) if fresh == Fresh::Made => self.named(*id, self.first_value(*id)),
            (Literal::Int(v), Type::Named(id)) => self.named(*id, *v),
            (Literal::Int(v), _) => quote(v.to_string()),
            (Literal::Float(v), Type::Float32) => quote(float(f64::from(*v as f32))),
            (Literal::Float(v), _) => quote(float(*v)),
            (Literal::Decimal(d), _) => {
                let sign = if d.negative { -1 } else { 1 };
                self.values.decimal_from(quote(format!("{{decimal, {sign}, {}, {}}}", d.coefficient, d.scale)))
            }
            (Literal::Uuid(octets), _) => self.uuid(octets),
            (Literal::Text(v), Type::Text(encoding) | Type::Chars { encoding, .. }) => {
                quote(bytes_binary(&encoded(v, *encoding)))
            }
            (Literal::Text(v), _) => quote(bytes_binary(v.as_bytes())),
            (Literal::Bytes(v), _) => quote(bytes_binary(v)),
            (Literal::Choice { tag, value }, Type::Named(id)) => self.chosen(*id, *tag, value, fresh),
            (Literal::Choice { value, .. }, ty) => self.literal(value, ty, fresh),
            (Literal::List(items), ty) => self.items(items, ty, fresh),
            (Literal::Generated(Generated::UtcNow), _) if fresh == Fresh::Made => quote("aldis_time:now()"),
            (Literal::Generated(Generated::Uuid1), _) if fresh == Fresh::Made => {
                self.values.uuid_from(quote("aldis_uuid:v1()"))
            }
            (Literal::Generated(Generated::Uuid4), _) if fresh == Fresh::Made => {
                self.values.uuid_from(quote("aldis_uuid:v4()"))
            }
            (Literal::Generated(Generated::UtcNow), _) => quote("0"),
            (Literal::Generated(_), _) => self.uuid(&[0; 16]),
        }
    }

    fn items(&mut self, items: &[Literal], ty: &Type, fresh: Fresh) -> Expr {
        match ty {
            Type::Named(id) if *literal_of(items) == default_of_type(self.schema, ty) => {
                self.default_record(*id, fresh)
            }
            Type::Named(id) if self.only_union(*id).is_some() => {
                let schema = self.schema;
                let field = &schema.record(*id).fields[0];
                items.first().map_or(Expr::Null, |item| self.literal(item, &field.ty, fresh))
            }
            Type::Named(id) => {
                let fields = &self.schema.record(*id).fields;
                let values = items.iter().zip(fields).enumerate().map(|(index, (item, field))| {
                    (self.names.field_atom(*id, index), self.literal(item, &field.ty, fresh))
                });
                let values: Vec<(Atom, Expr)> = values.collect();
                record(&self.names.atom(*id), values)
            }
            Type::Map { .. } => quote("#{}"),
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                let items: Vec<Expr> = items.iter().map(|item| self.literal(item, element, fresh)).collect();
                match ty {
                    Type::Set(_) => self.values.set_from(list(items)),
                    _ => list(items),
                }
            }
            _ => quote("[]"),
        }
    }

    /// `{arm, Value}`
    fn chosen(&mut self, id: TypeId, tag: u64, value: &Literal, fresh: Fresh) -> Expr {
        let schema = self.schema;
        let union = schema.union(id);
        match union.arm_of(tag) {
            Some(index) => {
                let value = self.literal(value, &union.arms[index].field.ty, fresh);
                tuple([quote(self.names.arm(id, index)), value])
            }
            None => quote(format!("{{unknown, {tag}}}")),
        }
    }

    /// A call that makes a record of its fields' defaults.
    pub fn default_record(&mut self, id: TypeId, fresh: Fresh) -> Expr {
        let name = self.names.of(id).to_owned();
        if fresh == Fresh::Made {
            return quote(format!("{}()", self.public(id, &format!("new_{name}"))));
        }
        let function = self.define_in(id, &format!("default:{name}"), &format!("default_{name}"), |gen, function| {
            crate::erl::function(crate::erl::atom(function), &[Clause::new([""], [gen.record_of_defaults(id, fresh)])])
        });
        quote(format!("{function}()"))
    }

    /// A record whose fields hold their defaults.
    pub fn record_of_defaults(&mut self, id: TypeId, fresh: Fresh) -> Expr {
        let fields = &self.schema.record(id).fields;
        if self.only_union(id).is_some() {
            return self.field_default(&fields[0], fresh);
        }
        let values: Vec<(Atom, Expr)> = (0..fields.len())
            .filter(|&index| fields[index].constant.is_none())
            .map(|index| (self.names.field_atom(id, index), self.field_default(&fields[index], fresh)))
            .collect();
        record(&self.names.atom(id), values)
    }

    /// The default of a field.
    pub fn field_default(&mut self, field: &Field, fresh: Fresh) -> Expr {
        if fresh == Fresh::Zero && self.sparse_json() {
            return self.missing_member(field);
        }
        let literal = match (&field.constant, &field.default, field.ty.required()) {
            // Spares building the defaults of a whole tree only to see that they are the natural ones.
            (None, None, Type::Named(id)) if matches!(field.ty, Type::Named(_)) && self.is_record(*id) => {
                return self.default_record(*id, fresh)
            }
            _ => default_of_field(self.schema, field),
        };
        // A zero that the author wrote stays, whether an enumerant has it or not.
        let fresh = if field.default == Some(Literal::Int(0)) { Fresh::Zero } else { fresh };
        self.literal(&literal, &field.ty, fresh)
    }

    /// The value of a field in a section where its bytes are not there: pointers are null whatever their default.
    fn missing_member(&mut self, field: &Field) -> Expr {
        match &field.ty {
            Type::Optional(_) => Expr::Null,
            Type::Named(id) if self.is_record(*id) => self.default_record(*id, Fresh::Zero),
            Type::Named(id) if matches!(self.schema.type_def(*id).kind, TypeKind::Union(_)) => self.first_arm(*id),
            ty => self.literal(&default_of_field(self.schema, field), ty, Fresh::Zero),
        }
    }

    /// The arm that a union of zeros holds.
    pub fn first_arm(&mut self, id: TypeId) -> Expr {
        let schema = self.schema;
        match schema.union(id).arm_of(0) {
            Some(index) => {
                let value = self.missing_member(&schema.union(id).arms[index].field);
                tuple([quote(self.names.arm(id, index)), value])
            }
            None => quote("{unknown, 0}"),
        }
    }

    /// The value of a field where the bytes of a message end before it.
    pub fn missing(&mut self, record: TypeId, slot: &Slot) -> Expr {
        let Some(index) = slot.field else { return Expr::Null };
        match slot.missing {
            // A field that cannot be missing has no value for that case.
            Missing::Null | Missing::Never => Expr::Null,
            Missing::Default => {
                let schema = self.schema;
                self.field_default(&schema.record(record).fields[index as usize], Fresh::Zero)
            }
        }
    }

    /// The number of a new enum's or flags type's value: zero, or the first enumerant where no enumerant is zero.
    fn first_value(&self, id: TypeId) -> i128 {
        match &self.schema.type_def(id).kind {
            TypeKind::Enum(definition) if definition.name_of(0).is_none() => {
                definition.values.first().map_or(0, |first| first.value)
            }
            _ => 0,
        }
    }

    /// An enum's or flags type's value.
    fn named(&self, id: TypeId, value: i128) -> Expr {
        match &self.schema.type_def(id).kind {
            TypeKind::Enum(definition) => match definition.name_of(value) {
                Some(name) => quote(self.values.enumerant(name)),
                None => quote(value.to_string()),
            },
            TypeKind::Flags(definition) => {
                let mut left = value as u64;
                let mut items = Vec::new();
                for (bit, name) in definition.single_bits() {
                    if left & bit != 0 {
                        items.push(Expr::Atom(name.to_owned()));
                        left &= !bit;
                    }
                }
                if left != 0 {
                    items.push(quote(format!("{{unknown, {left}}}")));
                }
                list(items)
            }
            TypeKind::Record(_) | TypeKind::Union(_) => quote(value.to_string()),
        }
    }

    fn uuid(&self, octets: &[u8; 16]) -> Expr {
        let octets = if octets.iter().all(|&b| b == 0) { "<<0:128>>".to_owned() } else { bytes_binary(octets) };
        self.values.uuid_from(quote(octets))
    }

    pub fn is_record(&self, id: TypeId) -> bool {
        matches!(self.schema.type_def(id).kind, TypeKind::Record(_))
    }

    /// Whether a decoded field may be `undefined`: it is optional, or null where a message ends before it.
    pub fn may_be_null(&self, id: TypeId, index: usize) -> bool {
        let field = &self.schema.record(id).fields[index];
        if field.constant.is_some() {
            return false;
        }
        field.nullable()
            || self.wires.iter().any(|wire| {
                wire.plan.layouts.iter().flatten().any(|layout| {
                    layout.steps.iter().any(|step| match step {
                        Step::Run(run) => null_slot(layout.record, &run.slots, id, index),
                        Step::Part { .. } => false,
                    })
                })
            })
    }
}

fn literal_of(items: &[Literal]) -> Box<Literal> {
    Box::new(Literal::List(items.to_vec()))
}

fn null_slot(record: TypeId, slots: &[Slot], wanted: TypeId, index: usize) -> bool {
    slots.iter().any(|slot| {
        let here = record == wanted && slot.field == Some(index as u32) && slot.missing == Missing::Null;
        match &slot.kind {
            SlotKind::Constant { .. } => false,
            SlotKind::Nest { record: inner, slots } => here || null_slot(*inner, slots, wanted, index),
            _ => here,
        }
    })
}

/// A float as Erlang reads it.
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "infinity" } else { "'-infinity'" }.to_owned()
    } else {
        let text = format!("{value:?}");
        // Erlang wants digits on both sides of the point, also before an exponent.
        match text.split_once('e') {
            Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
            _ => text,
        }
    }
}

/// Text as the bytes of its encoding; characters that it lacks were refused by the front end.
pub(crate) fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
    }
}
