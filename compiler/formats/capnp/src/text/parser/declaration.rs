//! Declarations: using, const, annotation, enum, struct; interfaces are in `interface.rs`.

use super::recovery::Parser;
use crate::codes;
use crate::text::ast::{
    Applied, Argument, Declaration, DeclarationKind, Enumerant, Expression, ExpressionKind, Number, Word,
};
use aldis_diagnostics::{similar, Diagnostic, Span};
use aldis_text::{Lost, Parsed, TokenKind};

/// Words that begin a declaration where they are followed by a name.
const KEYWORDS: [&str; 6] = ["using", "const", "annotation", "enum", "struct", "interface"];

impl Parser<'_> {
    /// Whether a declaration begins here. The words are not reserved: `struct @0 :Text` is a field.
    pub(super) fn at_keyword(&self) -> bool {
        let (kind, next) = self.ahead(1);
        self.at_name()
            && KEYWORDS.contains(&self.peek_text())
            && (kind == TokenKind::Name || self.peek_text() == "using" && next == ".")
    }

    /// The keyword that the word ahead is nearly.
    pub(super) fn declaration_meant(&self) -> Option<&'static str> {
        similar(self.peek_text(), KEYWORDS.into_iter())
    }

    /// At a keyword.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let keyword = self.take_word();
        match keyword.text.as_str() {
            "using" => self.using(&keyword),
            "const" => self.constant(),
            "annotation" => self.annotation(),
            "enum" => self.enumeration(),
            "struct" => self.structure(),
            _ => self.interface(),
        }
    }

    /// `using Name = target;` or `using a.b.Name;`
    fn using(&mut self, keyword: &Word) -> Parsed<Declaration> {
        let named = self.at_name() && self.ahead(1).1 == "=";
        let alias = if named {
            let name = self.take_word();
            self.advance();
            Some(name)
        } else {
            None
        };
        let target = self.expression()?;
        let name = match (alias, &target.kind) {
            (Some(alias), _) => alias,
            (None, ExpressionKind::Member(_, last)) => last.clone(),
            (None, _) => return Err(self.nameless_using(keyword, target.span)),
        };
        self.expect_semicolon("`using`", "an alias is written `using Name = scope.Name;`")?;
        let doc = self.doc_after();
        Ok(plain(name, DeclarationKind::Using(target), doc))
    }

    fn nameless_using(&mut self, keyword: &Word, target: Span) -> Lost {
        let problem = Diagnostic::error(codes::USING_NAME, "this `using` gives no name", target, "")
            .label(keyword.span, "an alias begins here");
        self.report(problem.help("write `using Name = …;`, or name something in another scope: `using Scope.Name;`"));
        Lost
    }

    fn constant(&mut self) -> Parsed<Declaration> {
        const HELP: &str = "a constant is written `const name :Type = value;`";
        let name = self.expect_name("the constant's name", HELP)?;
        let id = self.optional_id()?;
        self.expect(":", HELP)?;
        let ty = self.expression()?;
        self.expect("=", HELP)?;
        let value = self.expression()?;
        let annotations = self.annotations()?;
        self.expect_semicolon("the constant", HELP)?;
        let doc = self.doc_after();
        Ok(Declaration { id, annotations, ..plain(name, DeclarationKind::Const { ty, value }, doc) })
    }

    fn annotation(&mut self) -> Parsed<Declaration> {
        const HELP: &str = "an annotation is written `annotation name (struct, field) :Type;`";
        let name = self.expect_name("the annotation's name", HELP)?;
        let id = self.optional_id()?;
        self.expect("(", HELP)?;
        let opening = self.last_span();
        let mut targets = Vec::new();
        while !self.at_mark(")") {
            if !self.at_name() && !self.at_operator("*") {
                return Err(self.unexpected("a target", "as in `(struct, field)`, or `(*)` for everything"));
            }
            targets.push(self.take_word());
            if !self.take(",") {
                break;
            }
        }
        self.expect_closing(")", opening, HELP)?;
        self.expect(":", HELP)?;
        let ty = self.expression()?;
        let annotations = self.annotations()?;
        self.expect_semicolon("the annotation", HELP)?;
        let doc = self.doc_after();
        Ok(Declaration { id, annotations, ..plain(name, DeclarationKind::Annotation { ty, targets }, doc) })
    }

    fn enumeration(&mut self) -> Parsed<Declaration> {
        const HELP: &str = "an enum is written `enum Name { first @0; second @1; }`";
        let name = self.expect_name("the enum's name", HELP)?;
        let id = self.optional_id()?;
        let annotations = self.annotations()?;
        let mut enumerants = Vec::new();
        let doc = self.block(HELP, |cursor| {
            enumerants.push(cursor.enumerant()?);
            Ok(())
        })?;
        Ok(Declaration { id, annotations, ..plain(name, DeclarationKind::Enum(enumerants), doc) })
    }

    fn enumerant(&mut self) -> Parsed<Enumerant> {
        const HELP: &str = "an enumerant is written `name @0;`";
        if self.at_keyword() {
            return Err(self.misplaced("an enum"));
        }
        let name = self.expect_name("an enumerant or `}`", HELP)?;
        let ordinal = self.ordinal(&name, "enumerant")?;
        let annotations = self.annotations()?;
        self.expect_semicolon("the enumerant", HELP)?;
        Ok(Enumerant { name, ordinal, annotations, doc: self.doc_after() })
    }

    fn structure(&mut self) -> Parsed<Declaration> {
        const HELP: &str = "a struct is written `struct Name { field @0 :Type; }`";
        let name = self.expect_name("the struct's name", HELP)?;
        let id = self.optional_id()?;
        let parameters = self.parameters("(", ")")?;
        let annotations = self.annotations()?;
        let (mut members, mut nested) = (Vec::new(), Vec::new());
        let doc = self.block(HELP, |cursor| {
            if cursor.at_keyword() {
                nested.push(cursor.declaration()?);
            } else {
                members.push(cursor.member()?);
            }
            Ok(())
        })?;
        let kind = DeclarationKind::Struct { members, nested };
        Ok(Declaration { id, parameters, annotations, ..plain(name, kind, doc) })
    }

    /// `{ statement… }`; a statement that is lost is skipped. What comes back is the documentation behind either brace.
    pub(super) fn block(&mut self, help: &str, mut statement: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<String> {
        self.expect("{", help)?;
        let opening = self.last_span();
        let mut doc = self.doc_after();
        self.deeper(|cursor| {
            while !cursor.at_mark("}") && !cursor.at_end() {
                if statement(cursor).is_err() {
                    cursor.skip_statement();
                }
            }
            Ok(())
        })?;
        if !self.take("}") {
            self.report_open_brace(opening);
        }
        if doc.is_empty() {
            doc = self.doc_after();
        }
        Ok(doc)
    }

    fn report_open_brace(&mut self, opening: Span) {
        // One brace that is missing leaves all around it open too.
        if self.diagnostics.last().is_some_and(|d| d.code == codes::OPEN_BRACE) {
            return;
        }
        let problem = Diagnostic::error(codes::OPEN_BRACE, "this body is never closed", opening, "opened here");
        self.report(problem.help("add the `}` that ends it"));
    }

    /// A declaration in `place`, which holds none.
    pub(super) fn misplaced(&mut self, place: &str) -> Lost {
        let message = format!("{place} holds no declarations");
        let problem = Diagnostic::error(codes::MISPLACED, message, self.peek_span(), "this is one");
        self.report(problem.help("move it to the struct, interface or file around"));
        Lost
    }

    /// Names in parentheses or brackets, if there are any.
    pub(super) fn parameters(&mut self, open: &str, close: &str) -> Parsed<Vec<Word>> {
        const HELP: &str = "generic parameters are names: `(Key, Value)`";
        let mut names = Vec::new();
        if !self.take(open) {
            return Ok(names);
        }
        let opening = self.last_span();
        while !self.at_mark(close) {
            names.push(self.expect_name("a parameter's name", HELP)?);
            if !self.take(",") {
                break;
            }
        }
        self.expect_closing(close, opening, HELP)?;
        Ok(names)
    }

    /// `@0x8123…`, if it is there.
    pub(super) fn optional_id(&mut self) -> Parsed<Option<Number>> {
        if !self.at_operator("@") {
            return Ok(None);
        }
        self.number("the id", "an id is written `@0x8123…`, with sixteen hexadecimal digits").map(Some)
    }

    /// `@N` of a member called `name`.
    pub(super) fn ordinal(&mut self, name: &Word, what: &str) -> Parsed<Number> {
        let help = format!("every {what} has a number: `{} @0`, the next one `@1` and so on", name.text);
        if self.at_operator("@") {
            return self.number("the ordinal", &help);
        }
        if self.kind() == TokenKind::Operator && self.peek_text().starts_with('@') {
            return Err(self.unexpected("the ordinal", &help));
        }
        let message = format!("`{}` has no ordinal", name.text);
        let problem = Diagnostic::error(codes::NO_ORDINAL, message, name.span, "").help(help);
        self.report(problem);
        Err(Lost)
    }

    /// At an `@`: it and the number behind it.
    pub(super) fn number(&mut self, what: &str, help: &str) -> Parsed<Number> {
        self.expect("@", help)?;
        if self.kind() != TokenKind::Number {
            return Err(self.unexpected(what, help));
        }
        let word = self.take_word();
        Ok(Number { value: self.integer(&word)?, span: word.span })
    }

    /// `$name`, `$name(value)`, as many as there are.
    pub(super) fn annotations(&mut self) -> Parsed<Vec<Applied>> {
        let mut annotations = Vec::new();
        while self.take("$") {
            let whole = self.expression()?;
            annotations.push(match whole.kind {
                ExpressionKind::Apply(name, arguments) => {
                    let value = Some(argument_value(arguments, whole.span));
                    Applied { name: *name, value }
                }
                _ => Applied { name: whole, value: None },
            });
        }
        Ok(annotations)
    }
}

/// `(value)` is the value itself, `(a = 1)` a struct's.
fn argument_value(mut arguments: Vec<Argument>, span: Span) -> Expression {
    match arguments.as_slice() {
        [Argument { name: None, .. }] => arguments.remove(0).value,
        _ => Expression { span, kind: ExpressionKind::Tuple(arguments) },
    }
}

/// A declaration of no more than a name.
pub(super) fn plain(name: Word, kind: DeclarationKind, doc: String) -> Declaration {
    Declaration { name, id: None, parameters: Vec::new(), annotations: Vec::new(), doc, kind }
}
