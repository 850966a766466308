//! `embed "file"`: a file's bytes as Text or Data.

use super::{Context, Resolver};
use crate::codes;
use crate::model::{Type, Value};
use crate::text::ast::Word;
use aldis_diagnostics::{Diagnostic, Span};

impl Resolver<'_> {
    pub(super) fn embedded(&mut self, path: &Word, ty: &Type, span: Span, context: Context) -> Option<Value> {
        if !matches!(ty, Type::Text | Type::Data) {
            self.report_embed(span, "only Text and Data can be embedded", "declare a constant of one of these types");
            return None;
        }
        let file = &self.loaded.files[self.catalog.entries[context.scope].file];
        let found = match path.text.strip_prefix('/') {
            Some(rooted) => self.files.resolve_in_directories(rooted),
            None => self.files.resolve(&self.loaded.sources.get(file.source).path, &path.text),
        };
        let Some(found) = found else {
            self.report_embed(path.span, &format!("there is no `{}`", path.text), "the path is relative to this file");
            return None;
        };
        match self.files.read(&found) {
            Err(error) => {
                self.report_embed(path.span, &format!("{}: {error}", path.text), "check the path and its permissions");
                None
            }
            Ok(bytes) if *ty == Type::Text => self.text(&bytes, ty, span),
            Ok(bytes) => Some(Value::Data(bytes)),
        }
    }

    fn report_embed(&mut self, span: Span, message: &str, help: &str) {
        self.report(Diagnostic::error(codes::EMBED, message, span, "").help(help));
    }
}
