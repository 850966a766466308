//! The fields of values, where codecs get and put them.

use crate::kinds::{Kinds, Val};
use crate::tree::{binary, is_false, is_true, make, member, name, Expr, Line};
use aldis_routine::{Literal, Module, Value};
use aldis_schema::{Type, TypeId, TypeKind};

/// The variable and the bit that say that a number is absent.
pub fn bit(kinds: &Kinds<'_>, field: usize) -> (String, Expr) {
    let word = kinds.dialect.words().absent;
    let own = if field < 64 { word.to_owned() } else { format!("{word}{}", field / 64) };
    (own, Expr::Long(i128::from((1u64 << (field % 64)) as i64)))
}

/// Whether a field may be without a value: null, or bytes that ended before it.
pub fn may_be_absent(module: &Module, record: TypeId, field: usize) -> bool {
    let missing = &module[module.missing[record.index()][field]];
    let definition = &module.schema.record(record).fields[field];
    missing.lacks || missing.value == Value::Null || definition.nullable()
}

/// Whether a number's place may be empty, which a bit says.
pub fn has_bit(kinds: &Kinds<'_>, module: &Module, record: TypeId, field: usize) -> bool {
    let ty = &module.schema.record(record).fields[field].ty;
    kinds.primitive(ty).is_some() && may_be_absent(module, record, field)
}

/// How many fields the words of bits count that a record has.
pub fn bits(kinds: &Kinds<'_>, module: &Module, record: TypeId) -> usize {
    let fields = 0..module.schema.record(record).fields.len();
    fields.rev().find(|index| has_bit(kinds, module, record, *index)).map_or(0, |last| last + 1)
}

/// The statements that say of a used record that nothing is absent.
pub fn all_there(kinds: &Kinds<'_>, module: &Module, record: TypeId, own: &str) -> Vec<Line> {
    let words = (0..bits(kinds, module, record)).step_by(64);
    words.map(|first| Line::Assign(member(name(own), bit(kinds, first).0), "=", Expr::Long(0))).collect()
}

/// The statements that put a value into a field of a record.
pub fn put(
    kinds: &Kinds<'_>,
    module: &Module,
    (record, field): (TypeId, usize),
    own: &str,
    (val, is_fresh): (Val, bool),
) -> Vec<Line> {
    if !kinds.names.is_own(record) {
        return vec![kinds.dialect.share(kinds, record, field, name(own), val.expr)];
    }
    let mut lines = Vec::new();
    let absent = val.absent.filter(|_| has_bit(kinds, module, record, field));
    let (field_name, ty) = (&kinds.names.fields(record)[field], &module.schema.record(record).fields[field].ty);
    let is_null = val.expr == name("null");
    match val.expr {
        value @ Expr::Name(_) if !is_fresh && !is_null && kinds.is_object(ty) => {
            lines.push(kinds.dialect.put_again(own, field_name, value));
        }
        value if !is_fresh || !absent.as_ref().is_some_and(is_true) && !is_null => {
            lines.push(Line::Assign(member(name(own), field_name.clone()), "=", value));
        }
        _ => {}
    }
    if let Some(absent) = absent.filter(|absent| !is_false(absent)) {
        let (word, bit) = bit(kinds, field);
        let note = Line::Assign(member(name(own), word), "|=", bit);
        lines.push(if is_true(&absent) { note } else { Line::If(absent, vec![note], Vec::new()) });
    }
    lines
}

/// A field of a record that is to be written.
pub fn take(kinds: &Kinds<'_>, module: &Module, record: TypeId, field: usize, of: Expr) -> Val {
    let ty = module.schema.record(record).fields[field].ty.clone();
    if !kinds.names.is_own(record) {
        return Val { expr: kinds.dialect.shared(kinds, record, field, of), ty, absent: None };
    }
    let absent = has_bit(kinds, module, record, field).then(|| is_absent(kinds, of.clone(), field));
    Val { expr: member(of, kinds.names.fields(record)[field].clone()), ty, absent }
}

pub fn is_absent(kinds: &Kinds<'_>, of: Expr, field: usize) -> Expr {
    let (word, bit) = bit(kinds, field);
    binary(binary(member(of, word), "&", bit), "!=", Expr::Long(0))
}

/// Whether a record is nothing but numbers that are always there, so that records of other packages may have it where they lie.
pub fn is_flat(kinds: &Kinds<'_>, record: TypeId) -> bool {
    kinds.schema.record(record).fields.iter().all(|field| match &field.ty {
        Type::Optional(_) => false,
        Type::Decimal | Type::Uuid => true,
        Type::Named(id) if matches!(kinds.schema.type_def(*id).kind, TypeKind::Record(_)) => is_flat(kinds, *id),
        ty => kinds.primitive(ty).is_some(),
    })
}

pub fn default_of(kinds: &Kinds<'_>, module: &Module, id: TypeId, field: usize) -> Val {
    let literal = module.new_field(id, field);
    match (&literal.value, literal.ty.required()) {
        (Value::Record(values), Type::Named(inner)) if is_default(module, *inner, values) => {
            Val { expr: make(kinds.names.of(*inner), Vec::new()), ty: literal.ty.clone(), absent: None }
        }
        _ => kinds.of(&literal, module),
    }
}

/// Whether these are the values that a new record has of itself.
fn is_default(module: &Module, record: TypeId, values: &[Value]) -> bool {
    values.iter().enumerate().all(|(index, value)| match (module.new_field(record, index), value) {
        (Literal { value: Value::Record(_), ty, .. }, Value::Record(inner)) => match ty.required() {
            Type::Named(id) => is_default(module, *id, inner),
            _ => false,
        },
        (own, value) => own.value == *value,
    })
}
