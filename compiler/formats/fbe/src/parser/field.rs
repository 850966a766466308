//! Fields and their types.

use super::recovery::Parser;
use crate::ast::{Attribute, FieldDecl, Path, Shape, TypeRef, Word};
use crate::codes;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_text::{Lost, Parsed, TokenKind};

const TYPE: &str = "a field is written `type name;` or `type name = default;`";

impl Parser<'_> {
    /// `[attributes] type name [= default];` or `[attributes] type [id] [= default];`
    pub(super) fn field(&mut self) -> Parsed<FieldDecl> {
        let doc = self.doc_before();
        let attributes = self.attributes()?;
        let ty = self.type_ref()?;
        let (name, is_id) = self.field_name(&ty)?;
        self.mark_behind_name(&ty, &name);
        self.brackets_behind_name(&ty, &name)?;
        let default = if self.take("=") { Some(self.value()?) } else { None };
        self.expect_semicolon(&format!("field `{}`", name.text));
        let doc = self.with_doc_after(doc);
        let key = is_id || attributes.iter().any(|a| a.name.text == "key");
        let id = is_id.then_some(name.span).or_else(|| attribute_span(&attributes, "id"));
        Ok(FieldDecl { name, doc, attributes, key, id, ty, default })
    }

    /// The name, and whether it is written `[id]`.
    fn field_name(&mut self, ty: &TypeRef) -> Parsed<(Word, bool)> {
        if self.at_mark("[") && self.ahead(1).1 == "id" && self.ahead(2).1 == "]" {
            let start = self.peek_span();
            self.advance();
            let mut name = self.take_word();
            self.advance();
            name.span = start.to(self.last_span());
            return Ok((name, true));
        }
        if self.kind() == TokenKind::Mark && "[(<{!?~".contains(self.peek_text()) {
            return Err(self.nested(ty));
        }
        Ok((self.expect_name("the field's name", TYPE)?, false))
    }

    /// In other languages the mark of an optional field stands behind its name.
    fn mark_behind_name(&mut self, ty: &TypeRef, name: &Word) {
        if self.kind() != TokenKind::Mark || !matches!(self.peek_text(), "?" | "~") {
            return;
        }
        let mark = self.take_word();
        let problem = Diagnostic::error(codes::BAD_OPTIONAL, "this mark stands in the wrong place", mark.span, "")
            .label(ty.span, "it belongs behind the type");
        self.report(match ty.shape {
            Shape::One if !ty.optional => {
                let field = format!("{}{} {}", ty.base.text(), mark.text, name.text);
                problem.mend(format!("did you mean `{field}`?"), ty.span.to(mark.span), field)
            }
            _ => problem.help("`?` or `~` stands once, right behind the type's name"),
        });
    }

    /// In other languages an array's length stands behind the name, and so do a field's options.
    fn brackets_behind_name(&mut self, ty: &TypeRef, name: &Word) -> Parsed<()> {
        if !self.at_mark("[") {
            return Ok(());
        }
        let start = self.peek_span();
        let (is_shape, place) = match self.ahead(1) {
            (TokenKind::Number, _) | (_, "]") => (true, "behind the type"),
            _ => (false, "before the type"),
        };
        if is_shape {
            self.bracketed()?;
        } else {
            self.attributes()?;
        }
        let brackets = start.to(self.last_span());
        let written = self.text_of(brackets);
        let field = match (is_shape, self.text_of(ty.span)) {
            (true, ty) => format!("{ty}{written} {}", name.text),
            (false, ty) => format!("{written} {ty} {}", name.text),
        };
        let problem = Diagnostic::error(codes::SYNTAX, format!("`{written}` stands in the wrong place"), brackets, "")
            .label(ty.span, format!("it belongs {place}"));
        self.report(match ty.shape {
            Shape::One => problem.mend(format!("did you mean `{field}`?"), ty.span.to(brackets), field),
            _ => problem.help(TYPE),
        });
        Ok(())
    }

    fn nested(&mut self, ty: &TypeRef) -> Lost {
        let span = ty.span.to(self.peek_span());
        let mark = self.peek_text();
        let (code, message, help) = match ty.shape {
            _ if matches!(mark, "?" | "~") => (
                codes::BAD_OPTIONAL,
                "this mark stands in the wrong place",
                "`?` or `~` stands once, right behind the type's name",
            ),
            Shape::One => {
                let help = "a type has one of `?`, `~`, `!`, `[]`, `[N]`, `()`, `<key>`, `{key}`";
                (codes::SYNTAX, "this type is written wrongly", help)
            }
            _ => {
                let help = "put the inner collection into a struct of its own";
                (codes::NESTED_COLLECTION, "collections cannot be nested", help)
            }
        };
        self.report(Diagnostic::error(code, message, span, "").help(help));
        Lost
    }

    fn type_ref(&mut self) -> Parsed<TypeRef> {
        let base = self.expect_path("a type", TYPE)?;
        let start = base.span;
        let optional = self.take("?");
        let shape = self.shape()?;
        let ty = TypeRef { base, optional, shape, span: start.to(self.last_span()) };
        let refused = match ty.shape {
            Shape::Set => Some(("a set", "a set holds values, never null")),
            Shape::Resettable => Some(("a resettable field", "`~` makes the field optional by itself")),
            _ => None,
        };
        if let (true, Some((what, help))) = (ty.optional, refused) {
            let message = format!("`?` is not possible on {what}");
            self.report(
                Diagnostic::error(codes::BAD_OPTIONAL, message, ty.span, "").help(format!("remove the `?`: {help}")),
            );
        }
        Ok(ty)
    }

    fn shape(&mut self) -> Parsed<Shape> {
        match self.peek_text() {
            "~" => self.advance_with(Shape::Resettable),
            "!" => self.advance_with(Shape::Set),
            "(" => {
                self.advance();
                let opening = self.last_span();
                self.expect_closing(")", opening, "a list is written `type()`")?;
                Ok(Shape::List)
            }
            "[" if self.ahead(1).1 != "id" => self.bracketed(),
            "<" => {
                self.advance();
                let opening = self.last_span();
                let key = self.key_path()?;
                self.expect_closing(">", opening, "a map is written `value<key>`")?;
                Ok(Shape::Map(key))
            }
            "{" => {
                self.advance();
                let opening = self.last_span();
                let key = self.key_path()?;
                self.expect_closing("}", opening, "a hash is written `value{key}`")?;
                Ok(Shape::Hash(key))
            }
            _ => Ok(Shape::One),
        }
    }

    fn advance_with(&mut self, shape: Shape) -> Parsed<Shape> {
        self.advance();
        Ok(shape)
    }

    /// `[]` or `[N]`
    fn bracketed(&mut self) -> Parsed<Shape> {
        const HELP: &str = "a vector is written `type[]`, an array `type[10]`";
        self.advance();
        let opening = self.last_span();
        if self.take("]") {
            return Ok(Shape::Vector);
        }
        if self.kind() != TokenKind::Number && !self.at_mark("-") {
            return Err(self.unexpected("`]` or the array's length", HELP));
        }
        let length = self.expect_number("the array's length", HELP)?;
        self.expect_closing("]", opening, HELP)?;
        Ok(Shape::Array(length))
    }

    /// Behind the opening mark: the key's type, which is never optional.
    fn key_path(&mut self) -> Parsed<Path> {
        let key = self.expect_path("the key's type", "as in `string<int32>`: texts by number")?;
        if self.at_mark("?") {
            let problem = Diagnostic::error(codes::BAD_OPTIONAL, "a key cannot be optional", self.peek_span(), "");
            self.report(problem.help("remove the `?`: a key is never null"));
            self.advance();
        }
        Ok(key)
    }
}

fn attribute_span(attributes: &[Attribute], name: &str) -> Option<Span> {
    attributes.iter().find(|a| a.name.text == name).map(|a| a.span)
}
