//! How much memory values take: an optional that is null must not take much more than its byte on the wire.

use aldis_schema::{Schema, Type, TypeKind};

/// Larger values are on the heap where they are optional: a null takes one byte in some forms, and readers promise to
/// take no more than 64 bytes for each.
const MOST_IN_PLACE: u64 = 56;

/// The bytes that a record of each type takes, roughly, with what it contains but not what it points to.
#[derive(Debug)]
pub(crate) struct Sizes(Vec<Option<u64>>);

impl Sizes {
    /// `components` tells which types contain themselves.
    pub fn of(schema: &Schema, components: &[usize]) -> Self {
        let mut sizes = Self(vec![None; schema.types.len()]);
        for index in 0..schema.types.len() {
            sizes.measure(schema, components, index);
        }
        sizes
    }

    pub fn is_large(&self, ty: &Type) -> bool {
        self.size(ty) > MOST_IN_PLACE
    }

    fn measure(&mut self, schema: &Schema, components: &[usize], index: usize) {
        if self.0[index].is_some() {
            return;
        }
        // Whoever contains itself does so on the heap.
        self.0[index] = Some(8);
        let types: Vec<&Type> = match &schema.types[index].kind {
            TypeKind::Record(record) => record.fields.iter().map(|field| &field.ty).collect(),
            TypeKind::Union(union) => union.arms.iter().map(|arm| &arm.field.ty).collect(),
            TypeKind::Enum(_) | TypeKind::Flags(_) => return,
        };
        let (mut total, mut most) = (8, 0);
        for ty in types {
            each_contained(ty, &mut |inner| {
                if components[inner] != components[index] {
                    self.measure(schema, components, inner);
                }
            });
            total += self.size(ty);
            most = most.max(self.size(ty));
        }
        // Of a union's arms one is there, with two numbers that say which.
        let is_union = matches!(schema.types[index].kind, TypeKind::Union(_));
        self.0[index] = Some(if is_union { most + 16 } else { total });
    }

    fn size(&self, ty: &Type) -> u64 {
        match ty {
            Type::Bool | Type::Char => 1,
            Type::Int(int) => u64::from(int.bytes()),
            Type::Float32 => 4,
            Type::Float64 | Type::Timestamp | Type::Void => 8,
            Type::Decimal | Type::Uuid => 16,
            Type::Text(_) | Type::Chars { .. } | Type::Opaque(_) => 32,
            Type::Bytes | Type::List(_) => 24,
            Type::Set(_) | Type::Map { .. } => 48,
            Type::Optional(inner) if self.is_large(inner) => 8,
            Type::Optional(inner) => self.size(inner) + 8,
            Type::Array { element, len } => self.size(element).saturating_mul(u64::from(*len)),
            Type::Named(id) => self.0[id.index()].unwrap_or(8),
        }
    }
}

fn each_contained(ty: &Type, each: &mut dyn FnMut(usize)) {
    match ty {
        Type::Named(id) => each(id.index()),
        Type::Optional(inner) | Type::Array { element: inner, .. } => each_contained(inner, each),
        _ => {}
    }
}
