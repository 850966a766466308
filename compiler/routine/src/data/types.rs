//! Types as data: what their values and their JSON are.

use super::{parts, row, Datum};
use crate::module::{Literal, Module};
use crate::value::Value;
use aldis_schema::{BytesText, Field, TypeId, TypeKind};

/// All types of the schema, by number:
/// - `["record", fields, indices of the fields that order looks at, indices of the fields whose values texts for people hide]`
/// - `["enum", type, [name, number, name in JSON] …]`
/// - `["flags", bits, [name, mask] …]`
/// - `["union", [tag, field] …, its member that tells the arm, whether null arms are empty values]`
///
/// A field is `[name, name in JSON, type, whether null may be given, whether it is optional by name, what it is where its bytes are
/// missing, what the schema fixes, the prefix of its members where they are the outer record's, the form of its bytes]`.
pub fn types(module: &Module) -> Datum {
    let defs = module.schema.types.iter().enumerate();
    Datum::List(defs.map(|(index, def)| kind(module, TypeId(index as u32), &def.kind)).collect())
}

fn kind(module: &Module, id: TypeId, kind: &TypeKind) -> Datum {
    match kind {
        TypeKind::Record(record) => {
            let fields = record.fields.iter().enumerate();
            let fields: Vec<Datum> = fields.map(|(index, of)| field(module, id, index, of)).collect();
            let keys: Vec<Datum> = record.key_fields().into_iter().map(|index| Datum::from(index as u32)).collect();
            let hidden = record.fields.iter().enumerate().filter(|(_, field)| field.hidden);
            let hidden: Vec<Datum> = hidden.map(|(index, _)| Datum::from(index as u32)).collect();
            row!["record", fields, keys, hidden]
        }
        TypeKind::Enum(definition) => {
            let names = definition.values.iter();
            let names: Vec<Datum> =
                names.map(|value| row![value.name.as_str(), value.value, value.json_name()]).collect();
            row!["enum", parts::ty(&definition.repr), names]
        }
        TypeKind::Flags(flags) => {
            let names: Vec<Datum> = flags.values.iter().map(|flag| row![flag.name.as_str(), flag.mask]).collect();
            row!["flags", flags.repr.bits, names]
        }
        TypeKind::Union(union) => {
            let arms = union.arms.iter().enumerate();
            let arms: Vec<Datum> =
                arms.map(|(index, arm)| row![arm.tag, field(module, id, index, &arm.field)]).collect();
            let told = union.discriminator.as_ref();
            let told = told.map(|told| row![told.name.as_str(), told.value_name.as_deref()]);
            row!["union", arms, told, union.empty_arms]
        }
    }
}

fn field(module: &Module, id: TypeId, index: usize, field: &Field) -> Datum {
    let missing = module.missing[id.index()].get(index).map(|missing| module.literal_data(&module[*missing]));
    let nothing = Literal { value: Value::Null, ty: field.ty.clone(), lacks: false };
    let fixed = field.constant.as_ref().map(|_| module.literal_data(&module.new_field(id, index)));
    let form = field.json.bytes.map(|form| if form == BytesText::Hex { "hex" } else { "base64" });
    row![
        field.name.as_str(),
        field.json_name(),
        parts::ty(&field.ty),
        field.nullable(),
        field.optional,
        missing.unwrap_or_else(|| module.literal_data(&nothing)),
        fixed,
        field.json.flatten.as_deref(),
        form,
    ]
}
