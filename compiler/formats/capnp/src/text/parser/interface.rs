//! Interfaces and their methods.

use super::declaration::plain;
use super::recovery::Parser;
use crate::codes;
use crate::text::ast::{Declaration, DeclarationKind, Expression, Member, Method, Number, Signature, Word};
use crate::text::builtin::STREAM_FILE;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_text::{Parsed, TokenKind};

const METHOD: &str = "a method is written `name @0 (param :Type) -> (result :Type);`";

impl Parser<'_> {
    /// Behind the word `interface`.
    pub(super) fn interface(&mut self) -> Parsed<Declaration> {
        const HELP: &str = "an interface is written `interface Name extends(Other) { method @0 () -> (); }`";
        let name = self.expect_name("the interface's name", HELP)?;
        let id = self.optional_id()?;
        let parameters = self.parameters("(", ")")?;
        let superclasses = if self.peek_text() == "extends" { self.superclasses()? } else { Vec::new() };
        let annotations = self.annotations()?;
        let (mut methods, mut nested) = (Vec::new(), Vec::new());
        let doc = self.block(HELP, |cursor| {
            if cursor.at_keyword() {
                nested.push(cursor.declaration()?);
            } else {
                methods.push(cursor.method()?);
            }
            Ok(())
        })?;
        let kind = DeclarationKind::Interface { superclasses, methods, nested };
        Ok(Declaration { id, parameters, annotations, ..plain(name, kind, doc) })
    }

    /// `extends(A, B)`
    fn superclasses(&mut self) -> Parsed<Vec<Expression>> {
        const HELP: &str = "superclasses are written `extends(First, Second)`";
        self.advance();
        self.expect("(", HELP)?;
        let opening = self.last_span();
        let mut superclasses = Vec::new();
        while !self.at_mark(")") {
            superclasses.push(self.expression()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect_closing(")", opening, HELP)?;
        Ok(superclasses)
    }

    fn method(&mut self) -> Parsed<Method> {
        if self.ahead(1).0 == TokenKind::Name {
            let help = self.declaration_meant().map_or(METHOD.to_owned(), |keyword| format!("is `{keyword}` meant?"));
            self.advance();
            return Err(self.unexpected("`@` and a number", &help));
        }
        let name = self.expect_name("a method or a declaration", METHOD)?;
        let ordinal = self.ordinal(&name, "method")?;
        let parameters = self.parameters("[", "]")?;
        let params = self.signature()?;
        if let Signature::Stream(span) = params {
            let problem = Diagnostic::error(codes::STREAM_PARAMS, "`stream` stands for results only", span, "");
            self.report(problem.help("write `(param :Type) -> stream`"));
        }
        let results = if self.take("->") { self.signature()? } else { Signature::Fields(Vec::new()) };
        let annotations = self.annotations()?;
        self.expect_semicolon("the method", METHOD)?;
        Ok(Method { name, ordinal, parameters, params, results, annotations, doc: self.doc_after() })
    }

    /// A list of fields, a struct's name, or the word `stream`.
    fn signature(&mut self) -> Parsed<Signature> {
        if self.take("(") {
            let opening = self.last_span();
            return Ok(Signature::Fields(self.fields(opening)?));
        }
        let (kind, next) = self.ahead(1);
        let alone = kind == TokenKind::End || matches!(next, ";" | "$" | "->");
        if self.peek_text() == "stream" && alone {
            let span = self.take_word().span;
            self.imports.push(Word { text: STREAM_FILE.to_owned(), span });
            return Ok(Signature::Stream(span));
        }
        if !self.at_name() && !self.at_operator(".") {
            return Err(self.unexpected("a list in parentheses or a struct's name", METHOD));
        }
        Ok(Signature::Type(self.expression()?))
    }

    /// Behind the parenthesis: `name :Type = value $annotation, …)`. Their ordinals are their positions.
    fn fields(&mut self, opening: Span) -> Parsed<Vec<Member>> {
        const HELP: &str = "a parameter is written `name :Type` or `name :Type = value`, without a number";
        let mut fields = Vec::new();
        while !self.at_mark(")") {
            let name = self.expect_name("a parameter's name", HELP)?;
            self.expect(":", HELP)?;
            let ordinal = Number { value: fields.len() as u64, span: name.span };
            fields.push(self.field_type(name, Some(ordinal))?);
            if !self.take(",") {
                break;
            }
        }
        self.expect_closing(")", opening, METHOD)?;
        Ok(fields)
    }
}
