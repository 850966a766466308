//! Documentation that is missing.

use crate::{codes, Advice};
use aldis_schema::{Role, Schema, TypeKind};

pub(crate) fn advise(schema: &Schema, advice: &mut Advice) {
    for definition in schema.types.iter().filter(|definition| definition.doc.trim().is_empty()) {
        let what = match &definition.kind {
            TypeKind::Record(record) => match record.role {
                Role::Struct => "the struct",
                Role::Message => "the message",
                Role::Composite => "the composite",
                // The field that holds it says what it is.
                Role::Group => continue,
            },
            TypeKind::Enum(_) => "the enum",
            TypeKind::Flags(_) => "the flags",
            TypeKind::Union(_) => continue,
        };
        let message = format!("{what} `{}` has no documentation", definition.name.local());
        advice.give(codes::MISSING_DOC, message, definition.span, "");
    }
}
