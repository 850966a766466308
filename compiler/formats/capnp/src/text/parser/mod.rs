//! Tokens to syntax tree. Every statement recovers by itself, so one file can show many mistakes.

mod declaration;
mod docs;
mod expression;
mod interface;
mod literal;
mod member;
mod recovery;

use crate::codes;
use crate::text::ast::{File, Number};
use aldis_diagnostics::{Diagnostic, SourceId};
use aldis_text::{Lost, Parsed};
use recovery::Parser;

/// The file of that text, as far as it can be made out, and what is wrong with it.
pub(crate) fn parse(source: SourceId, text: &str) -> (File, Vec<Diagnostic>) {
    let mut parser = Parser::new(source, text);
    let mut file = File::default();
    while !parser.at_end() {
        if parser.file_statement(&mut file).is_err() {
            parser.skip_statement();
            parser.stray_braces();
        }
    }
    file.imports = std::mem::take(&mut parser.imports);
    (file, std::mem::take(&mut parser.diagnostics))
}

impl Parser<'_> {
    fn file_statement(&mut self, file: &mut File) -> Parsed<()> {
        if self.at_operator("@") {
            let id = self.number("the file's id", "a file's id is written `@0x8123…;`")?;
            return self.file_id(file, id);
        }
        if self.at_operator("$") {
            file.annotations.append(&mut self.annotations()?);
            return self.expect_semicolon("an annotation of the file", "it ends with `;`");
        }
        if !self.at_keyword() {
            return Err(self.no_statement());
        }
        let declaration = self.declaration()?;
        file.declarations.push(declaration);
        Ok(())
    }

    fn file_id(&mut self, file: &mut File, id: Number) -> Parsed<()> {
        self.expect_semicolon("the file's id", "it ends with `;`")?;
        if let Some(first) = file.id {
            let problem = Diagnostic::error(codes::FILE_ID_TWICE, "a file has one id", id.span, "a second one")
                .label(first.span, "the first one");
            self.report(problem.help("keep one"));
            return Ok(());
        }
        file.doc = self.doc_after();
        file.id = Some(id);
        Ok(())
    }

    /// Neither a keyword nor anything else that begins a statement.
    fn no_statement(&mut self) -> Lost {
        let help = match (self.peek_text(), self.declaration_meant()) {
            ("}", _) => "there is no open body here; remove this brace".to_owned(),
            (";", _) => "there is no statement before it; remove it".to_owned(),
            (_, Some(keyword)) => format!("is `{keyword}` meant?"),
            _ => "a file holds using, const, annotation, enum, struct and interface declarations".to_owned(),
        };
        self.unexpected("a declaration", &help)
    }

    /// At the top of a file a `}` closes nothing; it was reported, or its opening brace was lost.
    fn stray_braces(&mut self) {
        while self.take("}") {}
    }
}
