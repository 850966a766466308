//! Typespecs.

use crate::modules::Modules;
use crate::print::atom;
use aldis_erlang::{Codec, Values};
use aldis_schema::{Encoding, Type, TypeId, TypeKind};

/// The typespec of a schema type.
pub(crate) fn spec_of(modules: &Modules, ty: &Type) -> String {
    match ty {
        Type::Void => "nil".to_owned(),
        Type::Opaque(_) => ":aldis.any_pointer()".to_owned(),
        Type::Bool => "boolean()".to_owned(),
        Type::Char => "byte()".to_owned(),
        Type::Int(int) => format!(":aldis.{}int{}()", if int.signed { "" } else { "u" }, int.bits),
        Type::Float32 | Type::Float64 => ":aldis.real()".to_owned(),
        Type::Decimal => "Aldis.Values.decimal()".to_owned(),
        Type::Timestamp => ":aldis.timestamp()".to_owned(),
        Type::Uuid => "String.t()".to_owned(),
        Type::Text(encoding) | Type::Chars { encoding, .. } => match encoding {
            Encoding::Utf8 => "String.t()".to_owned(),
            // Bytes of the encoding, which are no UTF-8.
            Encoding::Latin1 => "binary()".to_owned(),
        },
        Type::Bytes => "binary()".to_owned(),
        Type::Named(id) => format!("{}.t()", modules.of(*id)),
        Type::Optional(inner) => format!("{} | nil", spec_of(modules, inner)),
        Type::List(element) | Type::Array { element, .. } => format!("[{}]", spec_of(modules, element)),
        Type::Set(element) => format!("MapSet.t({})", spec_of(modules, element)),
        Type::Map { key, value, .. } => {
            format!("%{{optional({}) => {}}}", spec_of(modules, key), spec_of(modules, value))
        }
    }
}

/// The typespec of a record's field.
pub(crate) fn field_spec(modules: &Modules, codec: &Codec<'_>, id: TypeId, index: usize) -> String {
    field_specs(modules, codec, id, index).join(" | ")
}

/// The types of which a record's field has one.
pub(crate) fn field_specs(modules: &Modules, codec: &Codec<'_>, id: TypeId, index: usize) -> Vec<String> {
    let ty = &codec.schema.record(id).fields[index].ty;
    let nullable = codec.types[id.index()].nullable[index] || matches!(ty, Type::Optional(_));
    [spec_of(modules, ty.required())].into_iter().chain(nullable.then(|| "nil".to_owned())).collect()
}

/// The values of a type that has no struct, one after the other; of flags, the elements of the list.
pub(crate) fn alternatives(modules: &Modules, codec: &Codec<'_>, values: &Values, id: TypeId) -> Vec<String> {
    match &codec.schema.type_def(id).kind {
        TypeKind::Record(_) => {
            let union = codec.types[id.index()].only_union;
            union.map(|union| format!("{}.t()", modules.of(union))).into_iter().collect()
        }
        TypeKind::Enum(definition) => {
            let names = definition.values.iter().map(|value| enumerant(values, &value.name));
            names.chain(["integer()".to_owned()]).collect()
        }
        TypeKind::Flags(definition) => {
            let names = definition.values.iter().map(|value| atom(&value.name));
            names.chain(["{:unknown, pos_integer()}".to_owned()]).collect()
        }
        TypeKind::Union(definition) => {
            let arms = definition.arms.iter().zip(&codec.types[id.index()].members).map(|(arm, name)| {
                // An arm that is called like what stands for unknown tags is told apart from it.
                let name = if name == "unknown" { "{:arm, :unknown}".to_owned() } else { atom(name) };
                format!("{{{name}, {}}}", spec_of(modules, &arm.field.ty))
            });
            arms.chain(["{:unknown, :aldis.uint16()}".to_owned()]).collect()
        }
    }
}

/// An enumerant; one that is called like null is told apart from it.
pub(crate) fn enumerant(values: &Values, name: &str) -> String {
    if name == values.null {
        format!("{{:enum, {}}}", atom(name))
    } else {
        atom(name)
    }
}
