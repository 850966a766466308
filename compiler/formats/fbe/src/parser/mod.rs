//! Tokens to syntax tree. Every declaration, field and value recovers by itself, so one file can show many mistakes.

mod comments;
mod cursor;
mod declaration;
mod field;
mod header;
mod literal;

use crate::ast::File;
use aldis_diagnostics::{similar, Diagnostic, SourceId};
use cursor::Cursor;

/// A problem was reported, and what was being parsed is lost; the caller goes on at the next sensible place.
pub(crate) struct Lost;

pub(crate) type Parsed<T> = Result<T, Lost>;

/// Words that begin a header statement.
pub(crate) const HEADER: [&str; 4] = ["domain", "package", "version", "import"];

/// Words that begin a declaration.
pub(crate) const DECLARATION: [&str; 4] = ["enum", "flags", "struct", "message"];

/// The file of that text, as far as it can be made out.
pub(crate) fn parse(source: SourceId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> File {
    let mut cursor = Cursor::new(source, text);
    let mut file = File::default();
    while !cursor.at_end() {
        if cursor.statement(&mut file).is_err() {
            cursor.skip_to_statement();
        }
    }
    if !cursor.saw_package && !cursor.gave_up() {
        cursor.report_no_package();
    }
    diagnostics.append(&mut cursor.diagnostics);
    file
}

impl Cursor<'_> {
    fn statement(&mut self, file: &mut File) -> Parsed<()> {
        let word = self.peek_text();
        if self.at_name() && HEADER.contains(&word) {
            return self.header(file);
        }
        if self.at_name() && DECLARATION.contains(&word) || self.at_mark('[') {
            let declaration = self.declaration()?;
            file.declarations.push(declaration);
            return Ok(());
        }
        if self.at_mark(';') {
            self.stray_semicolon();
            return Ok(());
        }
        let meant = similar(word, HEADER.into_iter().chain(DECLARATION));
        let help = match (word, meant) {
            ("}", _) => "there is no open body here; remove this brace".to_owned(),
            (_, Some(keyword)) => format!("did you mean `{keyword}`?"),
            _ => "a statement begins with domain, package, version, import, enum, flags, struct or message".to_owned(),
        };
        // A package that is only misspelt is not missing too.
        self.saw_package |= meant == Some("package");
        let lost = self.unexpected("a statement", &help);
        self.advance();
        Err(lost)
    }
}
