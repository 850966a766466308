//! `domain`, `package`, `version` and `import`, in any order.

use super::recovery::Parser;
use crate::ast::{File, Word};
use crate::codes;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_text::{Parsed, TokenKind};

impl Parser<'_> {
    /// One header statement. The first one's comment documents the file.
    pub(super) fn header(&mut self, file: &mut File) -> Parsed<()> {
        let doc = self.doc_before();
        let keyword = self.take_word();
        if file.doc.is_empty() {
            file.doc = doc;
        }
        match keyword.text.as_str() {
            "domain" => self.domain(file, keyword.span)?,
            "package" => self.package(file, keyword.span)?,
            "version" => self.version(file, keyword.span)?,
            _ => self.import(file)?,
        }
        if self.at_mark(";") {
            self.stray_semicolon();
        }
        Ok(())
    }

    fn domain(&mut self, file: &mut File, keyword: Span) -> Parsed<()> {
        let path = self.expect_path("the domain's name", "as in `domain com.example`")?;
        let word = Word { text: path.text(), span: path.span };
        if file.package.is_some() || file.version.is_some() || !file.imports.is_empty() || !file.declarations.is_empty()
        {
            self.report_order("domain", keyword, "first");
        }
        self.set_once(&mut file.domain, word, "domain");
        Ok(())
    }

    fn package(&mut self, file: &mut File, keyword: Span) -> Parsed<()> {
        self.saw_package = true;
        let name = self.expect_name("the package's name", "as in `package proto`")?;
        if self.at_mark(".") {
            return Err(self.unexpected(
                "the end of the package's name",
                "a package's name has no dots; put the rest into `domain`",
            ));
        }
        if file.version.is_some() || !file.imports.is_empty() || !file.declarations.is_empty() {
            self.report_order("package", keyword, "before the version, imports and types");
        }
        self.set_once(&mut file.package, name, "package");
        if self.at_name() && self.peek_text() == "offset" {
            self.advance();
            file.offset = Some(self.expect_number("the offset", "as in `package proto offset 100`")?);
        }
        Ok(())
    }

    fn version(&mut self, file: &mut File, keyword: Span) -> Parsed<()> {
        let mut word = self.expect_number("the version", "as in `version 1.0`")?;
        while self.take(".") {
            word.text.push('.');
            if self.kind() == TokenKind::Number {
                word.text += &self.take_word().text;
            }
            word.span = word.span.to(self.last_span());
        }
        if !is_version(&word.text) {
            let message = format!("`{}` is no version", word.text);
            let problem = Diagnostic::error(codes::BAD_VERSION, message, word.span, "");
            self.report(problem.help("write two whole numbers with a dot between, as in `version 1.0`"));
        }
        if !file.imports.is_empty() || !file.declarations.is_empty() {
            self.report_order("version", keyword, "before the imports and types");
        }
        self.set_once(&mut file.version, word, "version");
        Ok(())
    }

    fn import(&mut self, file: &mut File) -> Parsed<()> {
        let keyword = self.last_span();
        let name = self.expect_name("the imported package's name", "as in `import proto`, which reads proto.fbe")?;
        if self.at_mark(".") {
            return Err(
                self.unexpected("the end of the import", "an import names a package, without `.fbe` and folders")
            );
        }
        if !file.declarations.is_empty() {
            self.report_order("import", keyword, "before the types");
        } else if file.package.is_none() {
            self.report_order("import", keyword, "after the package");
        }
        if let Some(first) = file.imports.iter().find(|known| known.text == name.text) {
            let message = format!("`{}` is imported twice", name.text);
            let problem = Diagnostic::warning(codes::IMPORT_TWICE, message, name.span, "again here");
            self.report(problem.label(first.span, "first here").help("remove one of them"));
            return Ok(());
        }
        file.imports.push(name);
        Ok(())
    }

    fn set_once(&mut self, place: &mut Option<Word>, word: Word, keyword: &str) {
        let Some(first) = place else {
            *place = Some(word);
            return;
        };
        let message = format!("a second `{keyword}`");
        let problem = Diagnostic::error(codes::HEADER_TWICE, message, word.span, "again here");
        self.report(problem.label(first.span, "first here").help("keep one of them"));
    }

    fn report_order(&mut self, keyword: &str, span: Span, place: &str) {
        let message = format!("`{keyword}` stands where fbec does not take it");
        let problem = Diagnostic::warning(codes::HEADER_ORDER, message, span, format!("fbec wants it {place}"));
        self.report(problem.help("the order that every reader takes: domain, package, version, imports, types"));
    }

    pub(super) fn report_no_package(&mut self) {
        let start = Span { start: 0, end: 0, ..self.peek_span() };
        let problem =
            Diagnostic::error(codes::NO_PACKAGE, "the file has no package", start, "expected before the types");
        self.report(problem.help("begin the file with `package name`"));
    }
}

fn is_version(text: &str) -> bool {
    let is_int = |part: &str| !part.is_empty() && part.len() < 10 && part.bytes().all(|b| b.is_ascii_digit());
    text.split_once('.').is_some_and(|(major, minor)| is_int(major) && is_int(minor))
}
