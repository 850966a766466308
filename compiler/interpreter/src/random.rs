//! Values made up: every type, the corners more often than chance would have it, the same for the same seed.

use crate::tables::Tables;
use crate::Value;
use aldis_plan::{Node, Plan, Run, Step};
use aldis_schema::{Decimal, Encoding, Field, IntType, Type, TypeId, TypeKind};

/// A value of `record` that the plan's form can carry and its JSON can say.
pub(crate) fn random(plan: &Plan, tables: &Tables, record: TypeId, seed: u64) -> Value {
    let mut maker = Maker { plan, tables, state: seed ^ 0x9E37_79B9_7F4A_7C15, depth: 0 };
    maker.record(record)
}

struct Maker<'p> {
    plan: &'p Plan,
    tables: &'p Tables,
    state: u64,
    depth: u32,
}

/// Deeper than this, lists are empty and optionals null, so that recursive types end.
const DEEP: u32 = 5;

impl Maker<'_> {
    /// SplitMix64 (Steele, Lea, Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    fn record(&mut self, id: TypeId) -> Value {
        self.depth += 1;
        let fields = &self.tables.schema.record(id).fields;
        let values = fields.iter().enumerate().map(|(index, field)| self.field(id, index as u32, field)).collect();
        self.depth -= 1;
        Value::Record(values)
    }

    fn field(&mut self, record: TypeId, index: u32, field: &Field) -> Value {
        if let Some(constant) = &field.constant {
            return Value::from_literal(constant, &field.ty, self.tables);
        }
        let (min, max) = self.count_bounds(record, index);
        self.value(&field.ty, min, max)
    }

    /// How many elements or bytes the form allows a field to have.
    fn count_bounds(&self, record: TypeId, index: u32) -> (u64, u64) {
        let steps = self.plan.layouts[record.index()].iter().flat_map(|layout| &layout.steps);
        let head = steps.into_iter().find_map(|step| match step {
            Step::Part { field, node: Node::Repeat(repeat), .. } if *field == index => Some(&repeat.head),
            Step::Part { field, node: Node::Blob(blob), .. } if *field == index => Some(&blob.head),
            _ => None,
        });
        head.and_then(Run::count_bounds).unwrap_or((0, u64::MAX))
    }

    fn value(&mut self, ty: &Type, min: u64, max: u64) -> Value {
        match ty {
            Type::Optional(inner) => {
                if self.depth > DEEP || self.below(3) == 0 {
                    Value::Null
                } else {
                    self.value(inner, min, max)
                }
            }
            Type::Bool => Value::Bool(self.below(2) == 1),
            Type::Char => Value::UInt(if self.below(8) == 0 { self.below(256) } else { 0x20 + self.below(0x5F) }),
            Type::Int(int) => self.int(*int),
            Type::Timestamp => Value::UInt(self.next() >> self.below(64)),
            Type::Float32 => Value::F32(self.float() as f32),
            Type::Float64 => Value::F64(self.float()),
            Type::Decimal => {
                let coefficient = u128::from(self.next()) << self.below(33) >> self.below(64);
                let scale = self.below(u64::from(Decimal::MAX_SCALE) + 1) as u8;
                Value::Decimal(Box::new(Decimal { negative: self.below(2) == 1, coefficient, scale }))
            }
            Type::Uuid => {
                let (high, low) = (self.next().to_be_bytes(), self.next().to_be_bytes());
                Value::Uuid([high, low].concat().try_into().unwrap_or_default())
            }
            Type::Text(encoding) => Value::Bytes(self.text(*encoding, max).into()),
            Type::Chars { len, encoding } => {
                let text = self.text(*encoding, u64::from(*len));
                Value::Bytes(text.into_iter().filter(|&b| b != 0).collect())
            }
            Type::Bytes => {
                let length = self.length(min, max);
                Value::Bytes((0..length).map(|_| self.next() as u8).collect())
            }
            Type::List(element) | Type::Set(element) => self.list(ty, element, min, max),
            Type::Array { element, len } => Value::List((0..*len).map(|_| self.value(element, 0, u64::MAX)).collect()),
            Type::Map { key, value, .. } => self.map(key, value, min, max),
            Type::Named(id) => self.named(*id),
            // There is nothing to make up where the schema says nothing.
            Type::Void | Type::Opaque(_) => Value::Null,
        }
    }

    fn named(&mut self, id: TypeId) -> Value {
        match &self.tables.schema.type_def(id).kind {
            TypeKind::Record(_) => self.record(id),
            TypeKind::Union(definition) => {
                let arm = &definition.arms[self.below(definition.arms.len() as u64) as usize];
                Value::Choice(arm.tag, Box::new(self.value(&arm.field.ty, 0, u64::MAX)))
            }
            TypeKind::Enum(definition) => {
                let signed = self.tables.is_signed(&Type::Named(id));
                let index = self.below(definition.values.len() as u64 + 1) as usize;
                match definition.values.get(index) {
                    Some(value) => Value::from_number(signed, value.value),
                    None => Value::from_number(signed, 77),
                }
            }
            TypeKind::Flags(definition) => {
                let bits = self.next() & self.next() & definition.repr.max() as u64;
                let known = definition.values.iter().fold(0, |mask, flag| mask | flag.mask);
                Value::UInt(if self.below(4) == 0 { bits } else { bits & known })
            }
        }
    }

    fn list(&mut self, ty: &Type, element: &Type, min: u64, max: u64) -> Value {
        let length = self.length(min, max);
        let mut elements: Vec<Value> = (0..length).map(|_| self.value(element, 0, u64::MAX)).collect();
        if matches!(ty, Type::Set(_)) {
            crate::order::sort_set(self.tables, element, &mut elements);
        }
        Value::List(elements.into())
    }

    fn map(&mut self, key: &Type, value: &Type, min: u64, max: u64) -> Value {
        let length = self.length(min, max);
        let entries = (0..length).map(|_| (self.value(key, 0, u64::MAX), self.value(value, 0, u64::MAX)));
        let mut entries: Vec<_> = entries.collect();
        crate::order::sort_map(self.tables, key, &mut entries);
        Value::Map(entries.into())
    }

    fn length(&mut self, min: u64, max: u64) -> u64 {
        let wanted = if self.depth > DEEP { 0 } else { self.below(4) };
        wanted.clamp(min, max)
    }

    fn int(&mut self, int: IntType) -> Value {
        let number = match self.below(6) {
            0 => int.min(),
            1 => int.max(),
            2 => i128::from(self.below(100)),
            _ => int.min() + i128::from(self.next() >> (64 - u32::from(int.bits))),
        };
        Value::from_number(int.signed, number)
    }

    fn float(&mut self) -> f64 {
        match self.below(8) {
            0 => 0.0,
            1 => -0.0,
            2 => f64::from(self.next() as i32),
            3 if self.plan.json.non_finite => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][self.below(3) as usize],
            _ => (self.next() as i64 as f64) / f64::from(1u32 << self.below(31)),
        }
    }

    fn text(&mut self, encoding: Encoding, max: u64) -> Vec<u8> {
        const CHARS: [&str; 10] = ["a", "Z", "0", " ", "\"", "\\", "\n", "é", "名", "🚀"];
        let length = self.below(12);
        let mut text = Vec::new();
        for _ in 0..length {
            let next = match encoding {
                Encoding::Utf8 => CHARS[self.below(10) as usize].as_bytes().to_vec(),
                Encoding::Latin1 => vec![0x20 + self.below(0xE0) as u8],
            };
            if (text.len() + next.len()) as u64 <= max {
                text.extend(next);
            }
        }
        text
    }
}
