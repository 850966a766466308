//! The header file: records and types.

use crate::erl::atom;
use crate::gen::Gen;
use aldis_emit::doc::{concat, hard, text, Doc};
use aldis_schema::{Encoding, Type, TypeDef, TypeId, TypeKind};

/// Types that Erlang has itself and that no schema may redefine.
const BUILT_IN: [&str; 48] = [
    "any",
    "arity",
    "atom",
    "binary",
    "bitstring",
    "bool",
    "boolean",
    "byte",
    "char",
    "dynamic",
    "float",
    "fun",
    "function",
    "identifier",
    "integer",
    "iodata",
    "iolist",
    "list",
    "map",
    "maybe_improper_list",
    "mfa",
    "module",
    "neg_integer",
    "nil",
    "no_return",
    "node",
    "non_neg_integer",
    "none",
    "nonempty_binary",
    "nonempty_bitstring",
    "nonempty_improper_list",
    "nonempty_list",
    "nonempty_maybe_improper_list",
    "nonempty_string",
    "number",
    "pid",
    "port",
    "pos_integer",
    "product",
    "range",
    "record",
    "reference",
    "string",
    "term",
    "timeout",
    "tuple",
    "union",
    "var",
];

/// The side of a codec that a type is for.
#[derive(Clone, Copy, PartialEq)]
enum Face {
    /// Writers: they take text and bytes in any shape.
    Given,
    /// Readers: they give text and bytes as binaries.
    Read,
}

impl Gen<'_> {
    /// The name of a schema type as an Erlang type.
    pub fn type_name(&self, id: TypeId) -> String {
        let name = self.names.of(id);
        if BUILT_IN.contains(&name) {
            atom(&format!("{name}_")).to_string()
        } else {
            atom(name).to_string()
        }
    }

    /// The Erlang type of values of a schema type.
    pub fn erl_type(&self, ty: &Type) -> String {
        self.type_as(ty, Face::Given)
    }

    fn type_as(&self, ty: &Type, face: Face) -> String {
        match ty {
            Type::Void => "undefined".to_owned(),
            Type::Opaque(_) => "aldis:any_pointer()".to_owned(),
            Type::Bool => "boolean()".to_owned(),
            Type::Char => "byte()".to_owned(),
            Type::Int(int) => format!("aldis:{}int{}()", if int.signed { "" } else { "u" }, int.bits),
            Type::Float32 | Type::Float64 => "aldis:real()".to_owned(),
            Type::Decimal => "aldis:decimal()".to_owned(),
            Type::Timestamp => "aldis:timestamp()".to_owned(),
            Type::Uuid => "aldis:uuid()".to_owned(),
            Type::Text(_) | Type::Chars { .. } | Type::Bytes if face == Face::Read => "binary()".to_owned(),
            Type::Text(encoding) | Type::Chars { encoding, .. } => match encoding {
                Encoding::Utf8 => "unicode:chardata()".to_owned(),
                // Bytes of the encoding, which are no `unicode:unicode_binary()`, or characters.
                Encoding::Latin1 => "binary() | string()".to_owned(),
            },
            Type::Bytes => "iodata()".to_owned(),
            Type::Named(id) => format!("{}()", self.type_name(*id)),
            Type::Optional(inner) => {
                format!("{} | undefined", self.type_as(inner, face))
            }
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                format!("[{}]", self.type_as(element, face))
            }
            Type::Map { key, value, .. } => {
                format!("#{{{} => {}}}", self.type_as(key, face), self.type_as(value, face))
            }
        }
    }

    /// The Erlang type of a record's field.
    pub fn field_type(&self, id: TypeId, index: usize) -> String {
        self.field_type_as(id, index, Face::Given)
    }

    fn field_type_as(&self, id: TypeId, index: usize, face: Face) -> String {
        let field = &self.schema.record(id).fields[index];
        let ty = self.type_as(&field.ty, face);
        if self.may_be_null(id, index) && !matches!(field.ty, Type::Optional(_)) {
            format!("{ty} | undefined")
        } else {
            ty
        }
    }

    /// The Erlang type of a record's field as readers give it: text and bytes are always binaries.
    pub fn read_type(&self, id: TypeId, index: usize) -> String {
        self.field_type_as(id, index, Face::Read)
    }

    /// The definition of a type in the header file.
    pub fn definition(&mut self, id: TypeId) -> Doc {
        let schema = self.schema;
        let def = schema.type_def(id);
        let name = self.type_name(id);
        let body = match &def.kind {
            TypeKind::Record(_) if self.only_union(id).is_some() => {
                let union = self.only_union(id).map(|union| self.type_name(union)).unwrap_or_default();
                concat([text(format!("-type {name}() :: {union}().")), hard()])
            }
            TypeKind::Record(_) => {
                let record = self.names.atom(id);
                concat([self.record_definition(id), text(format!("-type {name}() :: #{record}{{}}.")), hard()])
            }
            TypeKind::Enum(definition) => {
                let names = definition.values.iter().map(|value| self.values.enumerant(&value.name));
                let values = names.chain(["integer()".to_owned()]);
                union(&name, &values.collect::<Vec<_>>(), "", "")
            }
            TypeKind::Union(definition) => {
                let arms =
                    definition.arms.iter().enumerate().map(|(index, arm)| {
                        format!("{{{}, {}}}", self.names.arm(id, index), self.erl_type(&arm.field.ty))
                    });
                let arms: Vec<String> = arms.chain(["{unknown, aldis:uint16()}".to_owned()]).collect();
                union(&name, &arms, "", "")
            }
            TypeKind::Flags(definition) => {
                let names = definition.values.iter().map(|v| atom(&v.name).to_string());
                let values: Vec<String> = names.chain(["{unknown, pos_integer()}".to_owned()]).collect();
                union(&name, &values, "[", "]")
            }
        };
        concat([title(def), body, Doc::Blank])
    }

    fn record_definition(&mut self, id: TypeId) -> Doc {
        let schema = self.schema;
        let fields = &schema.record(id).fields;
        let mut parts = vec![text(format!("-record({}, {{", self.names.atom(id))), hard()];
        for (index, field) in fields.iter().enumerate() {
            for line in field.doc.lines() {
                parts.push(text(format!("    %% {line}").trim_end().to_owned()));
                parts.push(hard());
            }
            let constant = field.constant.as_ref().map(|value| {
                let value = self.literal(value, &field.ty, crate::literal::Fresh::Zero);
                concat([text(" = "), crate::code::of(&value)])
            });
            let comma = if index + 1 < fields.len() { "," } else { "" };
            let ty = self.field_type(id, index);
            let name = self.names.field_atom(id, index);
            parts.push(text(format!("    {name}")));
            parts.extend(constant);
            parts.push(text(format!(" :: {ty}{comma}")));
            parts.push(hard());
        }
        parts.extend([text("})."), hard()]);
        concat(parts)
    }
}

/// `-type name() :: a | b.`
fn union(name: &str, values: &[String], open: &str, close: &str) -> Doc {
    let line = format!("-type {name}() :: {open}{}{close}.", values.join(" | "));
    if line.len() <= crate::erl::WIDTH {
        return concat([text(line), hard()]);
    }
    let mut parts = vec![text(format!("-type {name}() :: {open}")), hard()];
    for (index, value) in values.iter().enumerate() {
        let bar = if index == 0 { "      " } else { "    | " };
        parts.extend([text(format!("{bar}{value}")), hard()]);
    }
    parts.extend([text(format!("    {close}.")), hard()]);
    concat(parts)
}

/// The schema's own words on a type, as comment lines.
pub(crate) fn title(def: &TypeDef) -> Doc {
    let mut lines = vec![text(format!("%% {}", def.name.full())), hard()];
    if def.deprecated {
        lines.extend([text("%% Deprecated."), hard()]);
    }
    for line in def.doc.lines() {
        lines.extend([text(format!("%% {line}").trim_end().to_owned()), hard()]);
    }
    concat(lines)
}
