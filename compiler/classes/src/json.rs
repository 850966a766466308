//! Shapes: what each type's JSON is, and the order of its keys, as objects of the runtime.

use crate::kinds::{shape, Kinds};
use crate::tree::{call, int, later, make, name, run, string, truth, Expr};
use aldis_routine::{Literal, Module, Value};
use aldis_schema::{BytesText, Field, IntType, Type, TypeId, TypeKind};

/// The shape that a type's class has, which is none where types of other packages are not those that it was made for.
pub fn definition(kinds: &Kinds<'_>, module: &Module, id: TypeId) -> Expr {
    kinds.names.links(id).fold(plain(kinds, module, id), |shape, other| {
        let digest = run(format!("{}.{}", other.schema, kinds.dialect.method("digest".to_owned())), Vec::new());
        let names = [&kinds.names.package, &other.package, &other.digest].map(string);
        call(shape, "linked", names.into_iter().chain([digest]).collect())
    })
}

fn plain(kinds: &Kinds<'_>, module: &Module, id: TypeId) -> Expr {
    let texts =
        |names: Vec<&str>| Expr::Array(kinds.dialect.text().to_owned(), names.into_iter().map(string).collect());
    let longs = |numbers: Vec<i128>| {
        let numbers = numbers.into_iter().map(|number| Expr::Long(i128::from(number as u64 as i64)));
        Expr::Array("long".to_owned(), numbers.collect())
    };
    let named = truth(kinds.json.names);
    match &kinds.schema.type_def(id).kind {
        TypeKind::Record(record) => {
            let fields = record.fields.iter().enumerate();
            let fields = fields.map(|(index, field)| member(kinds, module, (id, index, field))).collect();
            let fresh = later(make(kinds.names.of(id), vec![truth(false)]));
            let keys = record.key_fields().into_iter().map(|key| int(key as i128)).collect();
            let keys = Expr::Array("int".to_owned(), keys);
            let fields = later(Expr::Array("Json.Field".to_owned(), fields));
            if kinds.json.omit_null {
                return run("Json.shape", vec![string(aldis_emit::RUNTIME), fresh, fields]);
            }
            run("Json.record", vec![string(aldis_emit::RUNTIME), fresh, keys, fields])
        }
        TypeKind::Enum(definition) => {
            let repr =
                if definition.repr == Type::Char { Type::Int(IntType::unsigned(8)) } else { definition.repr.clone() };
            let names = texts(definition.values.iter().map(aldis_schema::EnumValue::json_name).collect());
            let numbers = longs(definition.values.iter().map(|value| value.value).collect());
            run("Json.enumeration", vec![named, shape(kinds, &repr), names, numbers])
        }
        TypeKind::Flags(flags) => {
            let single = flags.single_bits();
            let others = || flags.values.iter().filter(|flag| single.iter().all(|(_, known)| *known != flag.name));
            let repr = shape(kinds, &Type::Int(flags.repr));
            let bits = texts(single.iter().map(|(_, known)| *known).collect());
            let masks = texts(others().map(|flag| flag.name.as_str()).collect());
            let bit_numbers = longs(single.iter().map(|(bit, _)| i128::from(*bit)).collect());
            let mask_numbers = longs(others().map(|flag| i128::from(flag.mask)).collect());
            run("Json.flags", vec![named, repr, bits, bit_numbers, masks, mask_numbers])
        }
        TypeKind::Union(union) => {
            let arms = union.arms.iter().enumerate();
            let arms = arms.map(|(index, arm)| {
                let made = member(kinds, module, (id, index, &arm.field));
                if arm.tag == 0 {
                    made
                } else {
                    call(made, "tag", vec![int(arm.tag)])
                }
            });
            let arms = later(Expr::Array("Json.Field".to_owned(), arms.collect()));
            let of = kinds.dialect.arms(kinds, id);
            let or_null = |known: Option<&String>| known.map_or(name("null"), string);
            let told = or_null(union.discriminator.as_ref().map(|told| &told.name));
            let called = or_null(union.discriminator.as_ref().and_then(|told| told.value_name.as_ref()));
            run("Json.choice", vec![of, told, called, truth(union.empty_arms), arms])
        }
    }
}

/// A field or arm: its name, its type, and what differs from most.
fn member(kinds: &Kinds<'_>, module: &Module, (id, index, field): (TypeId, usize, &Field)) -> Expr {
    let optional = matches!(field.ty, Type::Optional(_));
    let of = match (field.json.bytes, field.ty.required()) {
        (Some(form), Type::Bytes) => {
            let of = name(if form == BytesText::Hex { "Json.HEX" } else { "Json.BYTES" });
            if optional {
                run("Json.orEmpty", vec![of])
            } else {
                of
            }
        }
        _ => shape(kinds, &field.ty),
    };
    let mut made = make("Json.Field", vec![string(field.name.as_str()), of]);
    if field.name.is_empty() {
        made = call(made, "unnamed", Vec::new());
    }
    if let Some(prefix) = &field.json.flatten {
        made = call(made, "flatten", vec![string(prefix)]);
    }
    if field.json_name() != field.name {
        made = call(made, "key", vec![string(field.json_name())]);
    }
    let literal = |value: Value| Literal { value, ty: field.ty.clone(), lacks: false };
    let value = |literal: &Literal| later(kinds.boxed_literal(&literal.value, &literal.ty, module));
    let fixed = field.constant.as_ref().map(|_| module.new_field(id, index));
    let empty = match &field.ty {
        Type::List(_) => Some(literal(Value::List(Vec::new()))),
        Type::Text(_) | Type::Bytes => Some(literal(Value::Bytes(Vec::new()))),
        _ => None,
    };
    if field.nullable() && (!optional || fixed.is_some()) {
        let none = fixed.clone().or_else(|| empty.clone()).unwrap_or_else(|| literal(Value::Null));
        made = call(made, "none", vec![value(&none)]);
    }
    let absent = match &fixed {
        Some(fixed) => Some(fixed.clone()),
        None if kinds.json.defaults => Some(module[module.missing[id.index()][index]].clone()),
        None if field.optional => Some(literal(Value::Null)),
        None => empty,
    };
    // The type of an optional value says already that it may be absent.
    if let Some(absent) = absent.filter(|absent| !(optional && absent.value == Value::Null)) {
        made = call(made, "absent", vec![value(&absent)]);
    }
    match fixed {
        Some(fixed) => call(made, "fixed", vec![value(&fixed)]),
        None => made,
    }
}
