//! Tokens to syntax tree. Every declaration, field and value recovers by itself, so one file can show many mistakes.

mod comments;
mod declaration;
mod field;
mod header;
mod literal;
mod recovery;

use crate::ast::File;
use aldis_diagnostics::{similar, Diagnostic, SourceId};
use aldis_text::Parsed;
use recovery::Parser;

/// Words that begin a header statement.
pub(crate) const HEADER: [&str; 4] = ["domain", "package", "version", "import"];

/// Words that begin a declaration.
pub(crate) const DECLARATION: [&str; 4] = ["enum", "flags", "struct", "message"];

/// The file of that text, as far as it can be made out.
pub(crate) fn parse(source: SourceId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> File {
    let mut parser = Parser::new(source, text);
    let mut file = File::default();
    while !parser.at_end() {
        if parser.statement(&mut file).is_err() {
            parser.skip_to_statement();
        }
    }
    if !parser.saw_package && !parser.gave_up() {
        parser.report_no_package();
    }
    diagnostics.append(&mut parser.diagnostics);
    file
}

impl Parser<'_> {
    fn statement(&mut self, file: &mut File) -> Parsed<()> {
        let word = self.peek_text();
        if self.at_name() && HEADER.contains(&word) {
            return self.header(file);
        }
        if self.at_name() && DECLARATION.contains(&word) || self.at_mark("[") {
            let declaration = self.declaration()?;
            file.declarations.push(declaration);
            return Ok(());
        }
        if self.at_mark(";") {
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
