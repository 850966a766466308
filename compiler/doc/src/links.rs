//! Anchors of types, and types as text with links.

use crate::html::{text, with_text, Html};
use aldis_schema::{type_text, Literal, Schema, Type, TypeDef, TypeId};
use std::collections::BTreeSet;

/// The anchor of each type.
pub(crate) struct Links<'a> {
    schema: &'a Schema,
    anchors: Vec<String>,
}

impl<'a> Links<'a> {
    pub(crate) fn new(schema: &'a Schema) -> Self {
        let mut taken = BTreeSet::new();
        let mut anchor = |name: String| {
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '.' };
            let base: String = name.chars().map(plain).collect();
            let numbered = |n: usize| if n == 1 { base.clone() } else { format!("{base}-{n}") };
            let free = (1..).map(numbered).find(|anchor| !taken.contains(anchor)).unwrap_or_default();
            taken.insert(free.clone());
            free
        };
        Self {
            schema,
            anchors: schema.types.iter().map(|definition| anchor(format!("type.{}", definition.name.full()))).collect(),
        }
    }

    pub(crate) fn anchor(&self, id: TypeId) -> &str {
        &self.anchors[id.index()]
    }

    /// The type's name, which leads to it.
    pub(crate) fn link(&self, id: TypeId) -> Html {
        with_text("a", name(self.schema.type_def(id))).with("href", format!("#{}", self.anchor(id)))
    }

    /// `optional Side`, where what is declared leads to its place.
    pub(crate) fn ty(&self, ty: &Type) -> Vec<Html> {
        let around = |before: &str, inner: &Type, after: String| {
            let mut parts = vec![text(before)];
            parts.extend(self.ty(inner));
            parts.push(text(after));
            parts
        };
        match ty {
            Type::Named(id) => vec![self.link(*id)],
            Type::Optional(inner) => around("optional ", inner, String::new()),
            Type::List(inner) => around("list of ", inner, String::new()),
            Type::Set(inner) => around("set of ", inner, String::new()),
            Type::Array { element, len } => around("", element, format!("[{len}]")),
            Type::Map { key, value, .. } => {
                let mut parts = around("map of ", key, " to ".into());
                parts.extend(self.ty(value));
                parts
            }
            plain => vec![text(type_text(self.schema, plain))],
        }
    }
}

/// A default or constant, where a few words can say it.
pub(crate) fn literal_text(literal: &Literal) -> Option<String> {
    Some(match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) => value.to_string(),
        Literal::Decimal(value) => value.to_string(),
        Literal::Text(value) => format!("\"{value}\""),
        Literal::Null => "null".into(),
        Literal::Uuid(_) | Literal::Bytes(_) | Literal::List(_) | Literal::Choice { .. } | Literal::Generated(_) => {
            return None
        }
    })
}

/// The name of a type within its package. A union without one is called by what it is in.
pub(crate) fn name(definition: &TypeDef) -> String {
    let local = definition.name.local();
    local.strip_suffix('.').map_or(local.clone(), |owner| format!("{owner} (unnamed)"))
}
