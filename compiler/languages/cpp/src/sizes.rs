//! How much memory values take: an optional that is null must not take much more than its byte on the wire.

use aldis_schema::{Schema, Type, TypeKind};

/// Optionals of more bytes are on the heap: a null takes one byte in some forms, and readers pay no more than 56 bytes for
/// each in all (the plan's `Lacks` count on it too).
const MOST_IN_PLACE: u64 = 56;

/// The bytes of a value with those that it contains, but not those that it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extent {
    size: u64,
    align: u64,
}

impl Extent {
    /// Numbers, which lie at multiples of their size.
    const fn scalar(size: u64) -> Self {
        Self { size, align: size }
    }

    /// The alignment of values with a pointer or a number of 8 bytes in them.
    const fn words(size: u64) -> Self {
        Self { size, align: 8 }
    }

    /// The same with one more member behind it, not yet filled up to its alignment.
    fn then(self, member: Self) -> Self {
        let at = self.size.next_multiple_of(member.align);
        Self { size: at.saturating_add(member.size), align: self.align.max(member.align) }
    }

    fn filled(self) -> Self {
        Self { size: self.size.next_multiple_of(self.align).max(1), ..self }
    }

    /// With the byte that says whether it is there.
    fn optional(self) -> Self {
        Self { size: self.size.saturating_add(self.align), ..self }
    }
}

/// By type: what a record or union takes.
#[derive(Debug)]
pub(crate) struct Sizes(Vec<Option<Extent>>);

impl Sizes {
    /// `components` tells which types contain themselves.
    pub fn of(schema: &Schema, components: &[usize]) -> Self {
        let mut sizes = Self(vec![None; schema.types.len()]);
        for index in 0..schema.types.len() {
            sizes.measure(schema, components, index);
        }
        sizes
    }

    /// Whether an optional value of that type takes too much where it is null.
    pub fn is_large(&self, ty: &Type) -> bool {
        self.extent(ty).optional().size > MOST_IN_PLACE
    }

    fn measure(&mut self, schema: &Schema, components: &[usize], index: usize) {
        if self.0[index].is_some() {
            return;
        }
        // A record that contains itself does so on the heap.
        self.0[index] = Some(Extent::words(8));
        let types: Vec<&Type> = match &schema.types[index].kind {
            TypeKind::Record(record) => record.fields.iter().map(|field| &field.ty).collect(),
            TypeKind::Union(union) => union.arms.iter().map(|arm| &arm.field.ty).collect(),
            TypeKind::Enum(_) | TypeKind::Flags(_) => return,
        };
        let mut record = Extent::scalar(1);
        record.size = 0;
        let mut arm = record;
        for ty in types {
            each_contained(ty, &mut |inner| {
                if components[inner] != components[index] {
                    self.measure(schema, components, inner);
                }
            });
            let member = self.extent(ty);
            record = record.then(member);
            arm = Extent { size: arm.size.max(member.size), align: arm.align.max(member.align) };
        }
        // One of a union's arms is there, with two numbers that say which.
        let is_union = matches!(schema.types[index].kind, TypeKind::Union(_));
        self.0[index] = Some(if is_union { arm.then(Extent::words(16)) } else { record }.filled());
    }

    fn extent(&self, ty: &Type) -> Extent {
        match ty {
            Type::Bool | Type::Char | Type::Void => Extent::scalar(1),
            Type::Int(int) => Extent::scalar(u64::from(int.bytes())),
            Type::Float32 => Extent::scalar(4),
            Type::Float64 | Type::Timestamp => Extent::scalar(8),
            Type::Uuid => Extent { size: 16, align: 1 },
            Type::Decimal => Extent { size: 16, align: 4 },
            Type::Text(_) | Type::Chars { .. } | Type::Opaque(_) => Extent::words(32),
            Type::Bytes | Type::List(_) => Extent::words(24),
            Type::Set(_) | Type::Map { .. } => Extent::words(48),
            Type::Optional(inner) if self.is_large(inner) => Extent::words(8),
            Type::Optional(inner) => self.extent(inner).optional(),
            Type::Array { element, len } => {
                let one = self.extent(element);
                Extent { size: one.size.saturating_mul(u64::from(*len)), ..one }
            }
            Type::Named(id) => self.0[id.index()].unwrap_or(Extent::words(8)),
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
