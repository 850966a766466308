//! TypeScript types of a schema.

use crate::js::{Access, Declared, Member, Stmt};
use crate::names::Names;
use crate::values::Values;
use aldis_emit::quoted;
use aldis_routine::{Module, Value};
use aldis_schema::{Arm, Enum, Field, IntType, Record, Schema, Type, TypeDef, TypeId, TypeKind, Union};

/// The declarations of all types.
pub(crate) fn declarations(values: &Values<'_>, module: &Module) -> Vec<Stmt> {
    let types = Types { schema: values.schema, names: &values.names, values, module };
    values.names.own_types(values.schema).into_iter().flat_map(|(id, def)| types.declaration(id, def)).collect()
}

struct Types<'a> {
    schema: &'a Schema,
    names: &'a Names,
    values: &'a Values<'a>,
    module: &'a Module,
}

impl Types<'_> {
    fn declaration(&self, id: TypeId, def: &TypeDef) -> Vec<Stmt> {
        let (name, doc) = (self.names.of(id).to_owned(), marked(&def.doc, def.deprecated));
        match &def.kind {
            TypeKind::Record(record) => vec![Stmt::Interface { doc, name, members: self.members(id, record) }],
            TypeKind::Enum(definition) => self.enumeration(id, name, doc, definition),
            TypeKind::Flags(definition) => {
                vec![self.numbers(id, &name, doc, definition.values.iter().map(|flag| &flag.name))]
            }
            TypeKind::Union(union) => vec![Stmt::Type { doc, name, ty: self.union(union) }],
        }
    }

    fn members(&self, id: TypeId, record: &Record) -> Vec<Member> {
        let fields = record.fields.iter().enumerate().map(|(index, field)| Member {
            access: Access::Any,
            doc: marked(&self.documented(field), field.deprecated),
            name: self.names.fields(id)[index].clone(),
            ty: self.field(id, index, field),
        });
        fields.collect()
    }

    /// A field's documentation, which says where its numbers may be others than those in the message.
    fn documented(&self, field: &Field) -> String {
        match self.values.narrow(field.ty.element().required()) {
            "number" => format!("{}\nBeyond 2^53 the nearest number.", field.doc.trim()),
            _ => field.doc.clone(),
        }
    }

    /// The arms by name, and those of newer schemas, which have none.
    fn union(&self, union: &Union) -> String {
        let arm = |arm: &Arm| {
            let (name, ty) = (quoted(&arm.field.name), self.text(&arm.field.ty));
            format!("{{ which: {name}; value: {ty} }}")
        };
        let arms = union.arms.iter().map(arm).chain(["{ which: null; tag: number; value: null }".to_owned()]);
        arms.collect::<Vec<_>>().join(" | ")
    }

    fn field(&self, id: TypeId, index: usize, field: &Field) -> String {
        let ty = self.text(&field.ty);
        let missing = self.module.missing[id.index()].get(index).map(|literal| &self.module[*literal].value);
        let may_lack = field.nullable() && !matches!(field.ty, Type::Optional(_)) && missing == Some(&Value::Null);
        if may_lack {
            format!("{ty} | null")
        } else {
            ty
        }
    }

    fn text(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "null".to_owned(),
            Type::Bool => "boolean".to_owned(),
            Type::Int(_) if !self.values.narrow(ty).is_empty() => "number".to_owned(),
            Type::Int(IntType { bits: 64, .. }) | Type::Timestamp => "bigint".to_owned(),
            Type::Int(_) | Type::Float32 | Type::Float64 => "number".to_owned(),
            Type::Decimal => "Decimal".to_owned(),
            Type::Char | Type::Uuid | Type::Text(_) | Type::Chars { .. } => "string".to_owned(),
            Type::Bytes => "Uint8Array".to_owned(),
            Type::Opaque(_) => "Opaque".to_owned(),
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Flags(_) => self.number(*id).to_owned(),
                _ => self.names.of(*id).to_owned(),
            },
            Type::Optional(inner) => format!("{} | null", self.text(inner)),
            Type::List(element) | Type::Array { element, .. } => match self.values.typed_array(element) {
                Some(class) => class.to_owned(),
                None => self.array(element),
            },
            Type::Set(element) if self.values.is_identity(element) => format!("Set<{}>", self.text(element)),
            Type::Set(element) => self.array(element),
            Type::Map { key, value, .. } => {
                let (key_text, value) = (self.text(key), self.text(value));
                if self.values.is_identity(key) {
                    format!("Map<{key_text}, {value}>")
                } else {
                    format!("[{key_text}, {value}][]")
                }
            }
        }
    }

    fn array(&self, element: &Type) -> String {
        match element {
            Type::Optional(_) => format!("({})[]", self.text(element)),
            _ => format!("{}[]", self.text(element)),
        }
    }

    fn number(&self, id: TypeId) -> &'static str {
        if self.values.is_wide(id) {
            "bigint"
        } else {
            "number"
        }
    }

    /// The names, and the numbers that have none.
    fn enumeration(&self, id: TypeId, name: String, doc: String, definition: &Enum) -> Vec<Stmt> {
        if self.values.enum_numbers {
            let known = self.numbers(id, &name, doc.clone(), definition.values.iter().map(|value| &value.name));
            return vec![known, Stmt::Type { doc, name, ty: self.number(id).to_owned() }];
        }
        let names = first_names(definition).into_iter().map(|(known, _)| quoted(known)).collect::<Vec<_>>();
        let ty = names.into_iter().chain([self.number(id).to_owned()]).collect::<Vec<_>>().join(" | ");
        vec![Stmt::Type { doc, name, ty }]
    }

    /// Bits, or an enum's numbers, by name.
    fn numbers<'s>(&self, id: TypeId, name: &str, doc: String, known: impl Iterator<Item = &'s String>) -> Stmt {
        let number = self.number(id);
        let bits = known.map(|known| format!("readonly {}: {number}", quoted(known)));
        let bits = bits.collect::<Vec<_>>().join("; ");
        let (name, ty) = (name.to_owned(), format!(": {{ {bits} }}"));
        Stmt::Declare(Declared { doc, what: "const", name, ty })
    }
}

/// An enum's values with their first names.
pub(crate) fn first_names(definition: &Enum) -> Vec<(&str, i128)> {
    let named = definition.values.iter().filter(|value| definition.name_of(value.value) == Some(value.name.as_str()));
    named.map(|value| (value.name.as_str(), value.value)).collect()
}

fn marked(doc: &str, deprecated: bool) -> String {
    match (deprecated, doc.trim()) {
        (true, "") => "@deprecated".to_owned(),
        (true, doc) => format!("{doc}\n@deprecated"),
        (false, doc) => doc.to_owned(),
    }
}
