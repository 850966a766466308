//! The types of a schema as tables: what a value is called in the tree and in display filters, and how it is shown.

use crate::lua::{Lua, Table};
use crate::names::Filters;
use aldis_schema::{Encoding, Enum, Field, Flags, Schema, Type, TypeDef, TypeId, TypeKind};
use std::collections::BTreeMap;

/// The name of a union that has none in its record.
const UNNAMED: &str = "choice";

/// A type's number in the tables, which count from 1.
pub fn number(id: TypeId) -> Lua {
    Lua::from(id.0 + 1)
}

/// All types, in the order of the schema.
pub fn types(schema: &Schema, filters: &mut Filters<'_>) -> Lua {
    let types = schema.types.iter().map(|def| Lua::from(type_table(schema, def, filters)));
    Table::new(types.collect::<Vec<_>>()).into()
}

fn type_table(schema: &Schema, def: &TypeDef, filters: &mut Filters<'_>) -> Table {
    let filter = filters.of_type(schema, def);
    let mut fields = |fields: Vec<&Field>| -> Lua {
        let tables = fields.into_iter().map(|field| {
            let name = if field.name.is_empty() { UNNAMED } else { &field.name };
            let own = filters.of_member(def, &filter, name);
            Lua::from(described(value(schema, &field.name, own, &field.ty, filters), &field.doc))
        });
        Table::new(tables.collect::<Vec<_>>()).into()
    };
    let table = match &def.kind {
        TypeKind::Record(record) => Table::default().with("fields", fields(record.fields.iter().collect())),
        TypeKind::Union(union) => {
            Table::default().with("fields", fields(union.arms.iter().map(|arm| &arm.field).collect()))
        }
        TypeKind::Enum(definition) => Table::default().with("names", names(definition)),
        TypeKind::Flags(flags) => Table::default().with("bits", bits(def, &filter, flags, filters)),
    };
    let own = Table::new([Lua::from(def.name.local()), filter.into(), "none".into()]);
    table.with("own", described(own, &def.doc))
}

/// The numbers of an enum with their names, the first of each number.
fn names(definition: &Enum) -> Table {
    let mut known = BTreeMap::new();
    for value in &definition.values {
        known.entry(value.value).or_insert(value.name.as_str());
    }
    Table::new(known.into_iter().map(|(value, name)| Table::new([Lua::wide(value), name.into()]).into()))
}

/// The single bits of flags, each with the field that tells whether it is set.
fn bits(def: &TypeDef, filter: &str, flags: &Flags, filters: &mut Filters<'_>) -> Table {
    let bits = flags.single_bits().into_iter().map(|(mask, name)| {
        let own = filters.of_member(def, filter, name);
        let field = Table::new([Lua::from(name), own.into(), "boolean".into()]);
        Table::new([Lua::from(mask.trailing_zeros()), field.into()]).into()
    });
    Table::new(bits.collect::<Vec<_>>())
}

/// A field's table: its name, its name in filters, its type there; and what it is made of.
fn value(schema: &Schema, name: &str, filter: String, ty: &Type, filters: &mut Filters<'_>) -> Table {
    let name = if name.is_empty() { UNNAMED } else { name };
    let inner = |own: &str, ty: &Type, filters: &mut Filters<'_>| {
        let inner = filters.inner(&filter, own);
        value(schema, name, inner, ty, filters)
    };
    let ty = ty.required();
    let table = match ty {
        Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
            Table::default().with("item", inner("item", element, filters))
        }
        Type::Map { key, value, .. } => {
            let key = inner("key", key, filters);
            Table::default().with("key", key).with("value", inner("value", value, filters))
        }
        Type::Named(id) => match schema.type_def(*id).kind {
            TypeKind::Record(_) | TypeKind::Union(_) => Table::default().with("type", number(*id)),
            TypeKind::Enum(_) => Table::default().with("names", number(*id)),
            TypeKind::Flags(_) => Table::default().with("bits", number(*id)),
        },
        Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => {
            Table::default().with_if("latin", true)
        }
        _ => Table::default(),
    };
    table.in_front([name.into(), filter.into(), kind(schema, ty).into()])
}

/// The type of a value in display filters.
fn kind(schema: &Schema, ty: &Type) -> String {
    let name = match ty {
        Type::Bool => "boolean",
        Type::Int(int) => return format!("{}int{}", if int.signed { "" } else { "u" }, int.bits),
        Type::Float32 => "float",
        Type::Float64 => "double",
        Type::Char => "char",
        Type::Decimal => "decimal",
        Type::Text(_) | Type::Chars { .. } => "string",
        Type::Timestamp => "time",
        Type::Uuid => "guid",
        Type::Bytes | Type::Opaque(_) => "bytes",
        Type::Named(id) => match &schema.type_def(*id).kind {
            TypeKind::Enum(definition) => {
                return match definition.repr {
                    Type::Int(_) => kind(schema, &definition.repr),
                    _ => "uint8".to_owned(),
                }
            }
            TypeKind::Flags(flags) => return format!("uint{}", flags.repr.bits),
            TypeKind::Record(_) | TypeKind::Union(_) => "none",
        },
        _ => "none",
    };
    name.to_owned()
}

/// The table with the first line of the documentation.
fn described(table: Table, doc: &str) -> Table {
    table.with_some("doc", doc.lines().map(str::trim).find(|line| !line.is_empty()))
}
