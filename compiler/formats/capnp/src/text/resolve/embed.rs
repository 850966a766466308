//! `embed "file"`: a file's bytes as Text, as Data, or as the message that a struct's value is.

use super::{Context, Resolver};
use crate::codes;
use crate::model::{NodeId, Type, Value};
use crate::request::message_value;
use crate::text::ast::Word;
use aldis_diagnostics::{Diagnostic, Span};

impl Resolver<'_> {
    pub(super) fn embedded(&mut self, path: &Word, ty: &Type, span: Span, context: Context) -> Option<Value> {
        if !matches!(ty, Type::Text | Type::Data | Type::Struct(..)) {
            let help = "declare a constant of one of these types";
            self.report_embed(span, "only Text, Data and structs can be embedded", help);
            return None;
        }
        let bytes = self.embedded_bytes(path, context)?;
        let value = match ty {
            Type::Text => self.text(&bytes, ty, span),
            Type::Struct(id, brand) => {
                self.prepare(*id);
                match message_value(&bytes, *id, brand, &self.nodes) {
                    Ok(value) => Some(Value::Struct(value)),
                    Err(fault) => {
                        let message = format!("{}, byte {}: {}", path.text, fault.offset, fault.message);
                        let help = "a struct is embedded as a message with its stream framing, not packed";
                        self.report_embed(path.span, &message, help);
                        None
                    }
                }
            }
            _ => Some(Value::Data(bytes)),
        };
        value.filter(|value| self.can_afford(value, span))
    }

    fn embedded_bytes(&mut self, path: &Word, context: Context) -> Option<Vec<u8>> {
        let file = &self.loaded.files[self.catalog.entries[context.scope].file];
        let from = &self.loaded.sources.get(file.source).path;
        let found = match path.text.strip_prefix('/') {
            Some(rooted) => self.files.resolve_in_directories(from, rooted),
            None => self.files.resolve(from, &path.text),
        };
        let Some(found) = found else {
            self.report_embed(path.span, &format!("there is no `{}`", path.text), "the path is relative to this file");
            return None;
        };
        let bytes = self.files.read(&found);
        bytes
            .map_err(|error| {
                let message = format!("{}: {error}", path.text);
                self.report_embed(path.span, &message, "check the path and its permissions");
            })
            .ok()
    }

    /// The declarations needed to read messages of the struct: the nodes of all that it holds, and the defaults of their fields,
    /// to which data in messages is relative.
    fn prepare(&mut self, id: NodeId) {
        let Some(entry) = self.by_id.get(&id).copied().filter(|_| self.embedded.insert(id)) else { return };
        self.close(entry, false);
        let mut places: Vec<(NodeId, usize)> = self.defaults.keys().copied().collect();
        places.retain(|(node, field)| !self.is_pointer_field(*node, *field));
        places.sort_unstable();
        for (node, field) in places {
            self.compute_default(node, field);
        }
    }

    fn report_embed(&mut self, span: Span, message: &str, help: &str) {
        self.report(Diagnostic::error(codes::EMBED, message, span, "").help(help));
    }
}
