//! Types, values and names: one grammar for all three.

use super::recovery::{Parser, MAX_DEPTH};
use crate::text::ast::{Argument, Expression, ExpressionKind, Word};
use aldis_diagnostics::Span;
use aldis_text::{Lost, Parsed, TokenKind};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.deeper(|cursor| {
            let base = cursor.base()?;
            cursor.suffixes(base)
        })
    }

    /// `.name` and `(arguments)` behind `expression`, as many as there are.
    fn suffixes(&mut self, mut expression: Expression) -> Parsed<Expression> {
        for _ in 0..=MAX_DEPTH {
            let start = expression.span;
            if self.take(".") {
                let name = self.expect_name("a name", "a dot joins a scope and a name in it: `Scope.Name`")?;
                let span = start.to(name.span);
                expression = Expression { span, kind: ExpressionKind::Member(Box::new(expression), name) };
            } else if self.at_mark("(") {
                let arguments = self.arguments()?;
                let span = start.to(self.last_span());
                expression = Expression { span, kind: ExpressionKind::Apply(Box::new(expression), arguments) };
            } else {
                return Ok(expression);
            }
        }
        Err(self.too_deep())
    }

    fn base(&mut self) -> Parsed<Expression> {
        match self.kind() {
            TokenKind::Name => self.name(),
            TokenKind::Number => {
                let word = self.take_word();
                let kind = self.unsigned(&word)?;
                Ok(Expression { span: word.span, kind })
            }
            TokenKind::Text | TokenKind::LineText => self.joined_text(),
            TokenKind::Data => {
                let word = self.take_word();
                let kind = ExpressionKind::Data(self.data_bytes(&word)?);
                Ok(Expression { span: word.span, kind })
            }
            TokenKind::Operator if self.at_operator("-") => self.negative(),
            TokenKind::Operator if self.at_operator(".") => self.absolute(),
            TokenKind::Mark if self.at_mark("(") => self.tuple(),
            TokenKind::Mark if self.at_mark("[") => self.list(),
            _ => Err(self.no_expression()),
        }
    }

    fn no_expression(&mut self) -> Lost {
        self.unexpected("a type, a name or a value", "for instance `Text`, `Scope.Name`, `12`, `\"text\"` or `[1, 2]`")
    }

    /// A name, or `import "file"` or `embed "file"`.
    fn name(&mut self) -> Parsed<Expression> {
        let word = self.take_word();
        let is_file = matches!(word.text.as_str(), "import" | "embed");
        if !is_file || !matches!(self.kind(), TokenKind::Text | TokenKind::OpenText) {
            return Ok(Expression { span: word.span, kind: ExpressionKind::Name(word.text) });
        }
        let path = self.file_name()?;
        let span = word.span.to(path.span);
        if word.text == "embed" {
            return Ok(Expression { span, kind: ExpressionKind::Embed(path) });
        }
        self.imports.push(path.clone());
        Ok(Expression { span, kind: ExpressionKind::Import(path) })
    }

    /// The text behind `import` or `embed`.
    fn file_name(&mut self) -> Parsed<Word> {
        if self.kind() != TokenKind::Text {
            return Err(self.unexpected("the file's name", "as in `import \"other.capnp\"`"));
        }
        let word = self.take_word();
        let text = String::from_utf8_lossy(&self.text_bytes(&word)?).into_owned();
        Ok(Word { text, span: word.span })
    }

    fn absolute(&mut self) -> Parsed<Expression> {
        self.advance();
        let start = self.last_span();
        let name = self.expect_name("a name", "`.Name` is looked up in the file itself")?;
        Ok(Expression { span: start.to(name.span), kind: ExpressionKind::Absolute(name) })
    }

    fn negative(&mut self) -> Parsed<Expression> {
        self.advance();
        let start = self.last_span();
        if self.at_name() && self.peek_text() == "inf" {
            self.advance();
            let kind = ExpressionKind::Float(f64::NEG_INFINITY);
            return Ok(Expression { span: start.to(self.last_span()), kind });
        }
        if self.kind() != TokenKind::Number {
            return Err(self.unexpected("a number or `inf` behind the minus", "as in `-12`, `-1.5` or `-inf`"));
        }
        let word = self.take_word();
        let kind = match self.unsigned(&word)? {
            ExpressionKind::Integer(magnitude) => ExpressionKind::Negative(magnitude),
            ExpressionKind::Float(magnitude) => ExpressionKind::Float(-magnitude),
            other => other,
        };
        Ok(Expression { span: start.to(word.span), kind })
    }

    /// Texts that stand one behind the other are one.
    fn joined_text(&mut self) -> Parsed<Expression> {
        let start = self.peek_span();
        let mut bytes = Vec::new();
        while matches!(self.kind(), TokenKind::Text | TokenKind::LineText) {
            let is_line = self.kind() == TokenKind::LineText;
            let word = self.take_word();
            if is_line {
                bytes.extend_from_slice(&word.text.as_bytes()[1..]);
                bytes.push(b'\n');
            } else {
                bytes.append(&mut self.text_bytes(&word)?);
            }
        }
        Ok(Expression { span: start.to(self.last_span()), kind: ExpressionKind::Text(bytes) })
    }

    fn list(&mut self) -> Parsed<Expression> {
        const HELP: &str = "a list is written `[first, second]`";
        self.advance();
        let opening = self.last_span();
        let mut elements = Vec::new();
        while !self.at_mark("]") {
            elements.push(self.expression()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect_closing("]", opening, HELP)?;
        Ok(Expression { span: opening.to(self.last_span()), kind: ExpressionKind::List(elements) })
    }

    /// A struct's value; one expression alone is in parentheses for clarity.
    fn tuple(&mut self) -> Parsed<Expression> {
        let opening = self.peek_span();
        let mut arguments = self.arguments()?;
        let span = opening.to(self.last_span());
        if let [Argument { name: None, .. }] = arguments.as_slice() {
            return Ok(arguments.remove(0).value);
        }
        Ok(Expression { span, kind: ExpressionKind::Tuple(arguments) })
    }

    /// `(value, name = value, …)`
    fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        const HELP: &str = "items are separated by `,` and closed with `)`";
        self.advance();
        let opening: Span = self.last_span();
        let mut arguments = Vec::new();
        while !self.at_mark(")") {
            let named = self.at_name() && self.ahead(1) == (TokenKind::Operator, "=");
            let name = named.then(|| self.take_word());
            if named {
                self.advance();
            }
            arguments.push(Argument { name, value: self.expression()? });
            if !self.take(",") {
                break;
            }
        }
        self.expect_closing(")", opening, HELP)?;
        Ok(arguments)
    }
}
