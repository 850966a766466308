//! Shapes: what each type's JSON is, and the order of its keys, as objects of the runtime.

use crate::kinds::{shape, Kinds};
use crate::tree::{call, int, later, make, name, run, string, truth, Expr};
use aldis_routine::json::{Member, Table};
use aldis_routine::{Literal, Module};
use aldis_schema::{BytesText, IntType, Type, TypeId, TypeKind};

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
    match (module.json(kinds.json, id), &kinds.schema.type_def(id).kind) {
        (Table::Record(fields), TypeKind::Record(record)) => {
            let fields = fields.iter().map(|field| member(kinds, module, field)).collect();
            let fresh = later(make(kinds.names.of(id), vec![truth(false)]));
            let keys = record.key_fields().into_iter().map(|key| int(key as i128)).collect();
            let keys = Expr::Array("int".to_owned(), keys);
            let fields = later(Expr::Array("Json.Field".to_owned(), fields));
            if kinds.json.omit_null {
                return run("Json.shape", vec![string(aldis_emit::RUNTIME), fresh, fields]);
            }
            run("Json.record", vec![string(aldis_emit::RUNTIME), fresh, keys, fields])
        }
        (_, TypeKind::Enum(definition)) => {
            let repr =
                if definition.repr == Type::Char { Type::Int(IntType::unsigned(8)) } else { definition.repr.clone() };
            let names = texts(definition.values.iter().map(aldis_schema::EnumValue::json_name).collect());
            let numbers = longs(definition.values.iter().map(|value| value.value).collect());
            run("Json.enumeration", vec![named, shape(kinds, &repr), names, numbers])
        }
        (Table::Flags { bits, masks, .. }, TypeKind::Flags(flags)) => {
            let repr = shape(kinds, &Type::Int(flags.repr));
            let parts = [bits, masks].into_iter().flat_map(|all| {
                let (names, numbers) = all.into_iter().unzip();
                [texts(names), longs(numbers)]
            });
            run("Json.flags", [named, repr].into_iter().chain(parts).collect())
        }
        (Table::Union { arms, told, empty_arms }, _) => {
            let arms = arms.iter().map(|(tag, arm)| {
                let made = member(kinds, module, arm);
                if *tag == 0 {
                    made
                } else {
                    call(made, "tag", vec![int(*tag)])
                }
            });
            let arms = later(Expr::Array("Json.Field".to_owned(), arms.collect()));
            let of = kinds.dialect.arms(kinds, id);
            let or_null = |known: Option<&String>| known.map_or(name("null"), string);
            let names = [told.map(|told| &told.name), told.and_then(|told| told.value_name.as_ref())];
            let [told, called] = names.map(or_null);
            run("Json.choice", vec![of, told, called, truth(empty_arms), arms])
        }
        _ => unreachable!("a table is of the kind that its type is"),
    }
}

/// A field or arm: its name, its type, and what differs from most.
fn member(kinds: &Kinds<'_>, module: &Module, member: &Member<'_>) -> Expr {
    let field = member.field;
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
    let value = |literal: &Literal| later(kinds.boxed_literal(&literal.value, &literal.ty, module));
    let rules = [("none", &member.none), ("absent", &member.absent), ("fixed", &member.fixed)];
    let rules = rules.into_iter().filter_map(|(rule, literal)| Some((rule, value(literal.as_ref()?))));
    rules.fold(made, |made, (rule, value)| call(made, rule, vec![value]))
}
