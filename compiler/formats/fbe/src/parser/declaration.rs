//! `enum`, `flags`, `struct` and `message`.

use super::recovery::Parser;
use crate::ast::{Attribute, Body, Declaration, Number, Path, Struct, ValueDecl, Values};
use crate::codes;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_text::{Lost, Parsed};

const BODY: &str = "a body in braces follows the name";

impl Parser<'_> {
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let doc = self.doc_before();
        let line = self.peek_span();
        let attributes = self.attributes()?;
        let keyword = self.expect_name("enum, flags, struct or message", "attributes stand before a declaration")?;
        let name = self.expect_name(&format!("the {}'s name", keyword.text), "a name is letters, digits and `_`")?;
        let (body, doc) = match keyword.text.as_str() {
            "enum" | "flags" => self.values(doc, keyword.text == "flags")?,
            "struct" | "message" => self.structure(doc, keyword.text == "message")?,
            _ => {
                let message = format!("expected enum, flags, struct or message, found `{}`", keyword.text);
                let problem = Diagnostic::error(codes::SYNTAX, message, keyword.span, "");
                self.report(problem.help("attributes stand before a declaration"));
                return Err(Lost);
            }
        };
        let doc = if self.on_one_line(line) { self.with_doc_after(doc) } else { doc };
        Ok(Declaration { name, doc, attributes, body })
    }

    fn values(&mut self, doc: String, flags: bool) -> Parsed<(Body, String)> {
        let base = self.base()?;
        let (values, doc) = self.body(doc, |parser| parser.value_declaration())?;
        let values = Values { base, values };
        Ok((if flags { Body::Flags(values) } else { Body::Enum(values) }, doc))
    }

    fn structure(&mut self, doc: String, message: bool) -> Parsed<(Body, String)> {
        let number = self.number()?;
        let base = self.base()?;
        let (fields, doc) = self.body(doc, |parser| parser.field())?;
        Ok((Body::Struct(Struct { message, number, base, fields }), doc))
    }

    /// `[: path]`
    fn base(&mut self) -> Parsed<Option<Path>> {
        if !self.take(":") {
            return Ok(None);
        }
        self.expect_path("the base", "as in `struct Child : Parent` or `enum Side : byte`").map(Some)
    }

    /// `[(+X) | (X) | (base)]`
    fn number(&mut self) -> Parsed<Number> {
        const HELP: &str = "write (7) to choose a number, (+7) to go on from one, (base) to take the base's";
        if !self.take("(") {
            return Ok(Number::Implicit);
        }
        let opening = self.last_span();
        let number = if self.at_name() && self.peek_text() == "base" {
            Number::Base(self.take_word().span)
        } else if self.at_mark("+") {
            Number::Plus(self.expect_number("the number", HELP)?)
        } else {
            Number::Fixed(self.expect_number("the number", HELP)?)
        };
        self.expect_closing(")", opening, HELP)?;
        Ok(number)
    }

    /// `{ member… }`, and the declaration's documentation with what its head's line says.
    fn body<T>(&mut self, doc: String, member: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<(Vec<T>, String)> {
        let doc = self.with_doc_after(doc);
        self.expect("{", BODY)?;
        let opening = self.last_span();
        let doc = self.with_doc_after(doc);
        let mut members = Vec::new();
        while !self.take("}") {
            if self.at_end() || self.at_declaration() {
                self.report_open_body(opening);
                break;
            }
            if self.at_mark(";") {
                self.stray_semicolon();
                continue;
            }
            match member(self) {
                Ok(found) => members.push(found),
                Err(_) => self.skip_to_member(),
            }
        }
        Ok((members, doc))
    }

    fn report_open_body(&mut self, opening: Span) {
        let place = self.last_span();
        let place = Span { start: place.end, ..place };
        let problem = Diagnostic::error(codes::OPEN_BRACE, "a `}` is missing", place, "expected here");
        self.report(problem.label(opening, "this body is not closed").help("close the body with `}`"));
    }

    fn value_declaration(&mut self) -> Parsed<ValueDecl> {
        let doc = self.doc_before();
        let attributes = self.attributes()?;
        let name = self.expect_name("a value's name", "values are written `name;` or `name = 1;`")?;
        let value = if self.take("=") { Some(self.value()?) } else { None };
        self.expect_semicolon("the value");
        let doc = self.with_doc_after(doc);
        Ok(ValueDecl { name, doc, attributes, value })
    }

    /// `{ [name] | [name(T, *U)] }`
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at_mark("[") {
            attributes.push(self.attribute()?);
        }
        Ok(attributes)
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let start = self.peek_span();
        self.advance();
        let name = self.expect_name("an attribute's name", "as in `[key]` or `[response(Answer)]`")?;
        let mut arguments = Vec::new();
        if self.take("(") {
            let opening = self.last_span();
            loop {
                self.take("*");
                arguments.push(self.expect_path("a message's name", "as in `[reject(Failure)]`")?);
                if !self.take(",") {
                    break;
                }
            }
            self.expect_closing(")", opening, "close the attribute's arguments with `)`")?;
        }
        self.expect_closing("]", start, "close the attribute with `]`")?;
        Ok(Attribute { name, arguments, span: start.to(self.last_span()) })
    }
}
