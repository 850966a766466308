//! Templates of Erlang to trees.

use super::atoms::is_reserved;
use super::lexer::{tokens, Token};
use super::operators::{is_from_right, of_strength, OPERAND};
use super::tree::{flat, Clause, Expr, Generator, Try};

/// The tree of a template: an expression, a pattern, perhaps with its guards, a segment of a binary; or several with commas between
/// them. Names of a schema stand in it as [`super::atom`] writes them, so that none can make it unreadable.
///
/// # Panics
/// The emitter is wrong if a template is none of the Erlang that generated codecs are made of.
pub(crate) fn quote(template: impl AsRef<str>) -> Expr {
    quote_with(template, [])
}

/// As [`quote`], with trees in the places `?1`, `?2` and so on, each of which is there once.
///
/// # Panics
/// As [`quote`].
pub(crate) fn quote_with(template: impl AsRef<str>, holes: impl IntoIterator<Item = Expr>) -> Expr {
    let template = template.as_ref();
    let holes = holes.into_iter().map(Some).collect();
    let mut items = read(template, holes, Parser::items).unwrap_or_else(|wrong| unreachable!("`{template}`: {wrong}"));
    match items.len() {
        1 => items.remove(0),
        _ => Expr::Row(items),
    }
}

/// The trees of a template of several, with commas between them.
///
/// # Panics
/// As [`quote`].
pub(crate) fn quotes(template: impl AsRef<str>) -> Vec<Expr> {
    let template = template.as_ref();
    read(template, Vec::new(), Parser::items).unwrap_or_else(|wrong| unreachable!("`{template}`: {wrong}"))
}

/// `-define(NAME(Value, Min), Body).`
#[derive(Clone, Debug, PartialEq)]
pub struct Macro {
    pub name: String,
    pub params: Vec<Expr>,
    pub body: Expr,
}

/// The macro that a line defines.
///
/// # Panics
/// As [`quote`].
pub(crate) fn macro_of(line: &str) -> Macro {
    read(line, Vec::new(), Parser::define).unwrap_or_else(|wrong| unreachable!("`{line}`: {wrong}"))
}

fn read<T>(text: &str, holes: Vec<Option<Expr>>, what: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, holes };
    let found = what(&mut parser)?;
    match parser.peek() {
        Token::End if parser.holes.iter().all(Option::is_none) => Ok(found),
        Token::End => Err("a tree has no hole".to_owned()),
        _ => Err(parser.surprise("its end")),
    }
}

type Parsed<T> = Result<T, String>;

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// The trees that have no place yet.
    holes: Vec<Option<Expr>>,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn is(&self, sign: &str) -> bool {
        match self.peek() {
            Token::Sign(found) => *found == sign,
            Token::Atom(word, false) => word == sign && (is_reserved(sign) || sign == "define"),
            _ => false,
        }
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) {
            Ok(())
        } else {
            Err(self.surprise(&format!("`{sign}`")))
        }
    }

    fn surprise(&self, wanted: &str) -> String {
        format!("expected {wanted} at token {}", self.at + 1)
    }

    fn atom(&mut self) -> Parsed<String> {
        match self.next() {
            Token::Atom(name, _) => Ok(name),
            _ => {
                self.at -= 1;
                Err(self.surprise("an atom"))
            }
        }
    }

    fn number(&mut self) -> Parsed<usize> {
        match self.next() {
            Token::Number(number) => number.parse().map_err(|_| format!("{number} is no arity")),
            _ => Err(self.surprise("a number")),
        }
    }

    fn define(&mut self) -> Parsed<Macro> {
        for sign in ["-", "define", "("] {
            self.expect(sign)?;
        }
        let Token::Var(name) = self.next() else { return Err(self.surprise("a macro's name")) };
        self.expect("(")?;
        let params = self.list_until(")")?;
        self.expect(",")?;
        let body = self.expr()?;
        for sign in [")", "."] {
            self.expect(sign)?;
        }
        Ok(Macro { name, params, body })
    }

    /// The parts of a template.
    fn items(&mut self) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        if *self.peek() == Token::End {
            return Ok(items);
        }
        loop {
            let item = self.segment()?;
            items.push(match self.accept("when") {
                true => Expr::When(Box::new(item), self.guards()?),
                false => item,
            });
            if !self.accept(",") {
                return Ok(items);
            }
        }
    }

    /// The guard, the arrow and the body of a clause.
    fn clause(&mut self, patterns: Vec<Expr>) -> Parsed<Clause> {
        let guards = if self.accept("when") { self.guards()? } else { Vec::new() };
        self.expect("->")?;
        let mut clause = Clause::new(patterns, self.body()?);
        clause.guards.extend(guards);
        Ok(clause)
    }

    fn guards(&mut self) -> Parsed<Vec<Vec<Expr>>> {
        let mut guards = vec![self.body()?];
        while self.accept(";") {
            guards.push(self.body()?);
        }
        Ok(guards)
    }

    fn body(&mut self) -> Parsed<Vec<Expr>> {
        let mut body = vec![self.expr()?];
        while self.accept(",") {
            body.push(self.expr()?);
        }
        Ok(flat(body))
    }

    /// Expressions with commas between them, up to and with the closing sign.
    fn list_until(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        if self.accept(close) {
            return Ok(Vec::new());
        }
        let items = self.body()?;
        self.expect(close)?;
        Ok(items)
    }

    fn expr(&mut self) -> Parsed<Expr> {
        let left = self.operation(1)?;
        if self.accept("=") {
            return Ok(Expr::Match(Box::new(left), Box::new(self.expr()?)));
        }
        Ok(left)
    }

    /// Operands of operators that bind at least so strongly.
    fn operation(&mut self, strength: u8) -> Parsed<Expr> {
        if strength == OPERAND {
            return self.prefixed();
        }
        let mut left = self.operation(strength + 1)?;
        while let Some(operator) = of_strength(strength).iter().copied().find(|operator| self.is(operator)) {
            self.at += 1;
            let right = self.operation(if is_from_right(strength) { strength } else { strength + 1 })?;
            left = Expr::Binop(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Parsed<Expr> {
        if self.accept("-") {
            return Ok(match self.prefixed()? {
                Expr::Number(number) if !number.starts_with('-') => Expr::Number(format!("-{number}")),
                other => Expr::Unop("-", Box::new(other)),
            });
        }
        for operator in ["not", "bnot"] {
            if self.accept(operator) {
                return Ok(Expr::Unop(operator, Box::new(self.prefixed()?)));
            }
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        if self.accept("case") {
            return self.case();
        }
        if self.accept("try") {
            return self.try_catch();
        }
        if self.accept("fun") {
            return self.fun();
        }
        match self.next() {
            Token::Number(number) => Ok(Expr::Number(number)),
            Token::Char(c) => Ok(Expr::Char(c)),
            Token::Text(text) => Ok(Expr::Text(text)),
            Token::Var(name) if self.accept("(") => Ok(Expr::Apply(name, self.list_until(")")?)),
            Token::Var(name) => Ok(Expr::Var(name)),
            Token::Atom(name, quoted) => self.after_atom(name, quoted),
            Token::Sign("(") => {
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Sign("{") => Ok(Expr::Tuple(self.list_until("}")?)),
            Token::Sign("[") => self.list(),
            Token::Sign("<<") => self.binary(),
            Token::Sign("#") if self.accept("{") => self.map(),
            Token::Sign("#") => self.record(),
            Token::Sign("?") => match self.next() {
                Token::Var(name) if self.accept("(") => Ok(Expr::Macro(name, self.list_until(")")?)),
                Token::Var(name) => Ok(Expr::Macro(name, Vec::new())),
                Token::Number(number) => self.hole(&number),
                _ => Err(self.surprise("a macro's name")),
            },
            _ => {
                self.at -= 1;
                Err(self.surprise("an expression"))
            }
        }
    }

    fn hole(&mut self, number: &str) -> Parsed<Expr> {
        let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let tree = index.and_then(|index| self.holes.get_mut(index)).and_then(Option::take);
        tree.ok_or_else(|| format!("there is no tree for ?{number}"))
    }

    /// The expression that an atom begins: a call, or the atom itself.
    fn after_atom(&mut self, name: String, quoted: bool) -> Parsed<Expr> {
        if !quoted && is_reserved(&name) {
            self.at -= 1;
            return Err(self.surprise("an expression"));
        }
        if self.accept("(") {
            return Ok(Expr::Call(None, name, self.list_until(")")?));
        }
        // A segment's size may follow an atom nowhere, so this is another module's function.
        if self.is(":") && matches!(self.tokens.get(self.at + 1), Some(Token::Atom(..))) {
            self.at += 1;
            let function = self.atom()?;
            self.expect("(")?;
            return Ok(Expr::Call(Some(name), function, self.list_until(")")?));
        }
        Ok(if name == "undefined" && !quoted { Expr::Null } else { Expr::Atom(name) })
    }

    fn case(&mut self) -> Parsed<Expr> {
        let value = self.expr()?;
        self.expect("of")?;
        let clauses = self.clauses()?;
        self.expect("end")?;
        Ok(Expr::Case { value: Box::new(value), clauses, apart: false })
    }

    fn clauses(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        loop {
            let pattern = self.expr()?;
            clauses.push(self.clause(vec![pattern])?);
            if !self.accept(";") {
                return Ok(clauses);
            }
        }
    }

    fn try_catch(&mut self) -> Parsed<Expr> {
        let body = self.body()?;
        let clauses = if self.accept("catch") { self.caught()? } else { Vec::new() };
        let after = if self.accept("after") { self.body()? } else { Vec::new() };
        self.expect("end")?;
        Ok(Expr::Try(Box::new(Try { body, clauses, after })))
    }

    /// `throw:Pattern -> …`, or `_:_ -> …`, which has two patterns.
    fn caught(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        loop {
            let class = self.next();
            self.expect(":")?;
            let patterns = match class {
                Token::Atom(class, _) if class == "throw" => vec![self.operation(1)?],
                Token::Var(class) if class == "_" => vec![Expr::Var(class), self.operation(1)?],
                _ => return Err(self.surprise("`throw` or `_`")),
            };
            let patterns = match patterns.as_slice() {
                [pattern] if self.accept("=") => vec![Expr::Match(Box::new(pattern.clone()), Box::new(self.expr()?))],
                _ => patterns,
            };
            clauses.push(self.clause(patterns)?);
            if !self.accept(";") {
                return Ok(clauses);
            }
        }
    }

    fn fun(&mut self) -> Parsed<Expr> {
        if self.is("(") {
            let mut clauses = Vec::new();
            loop {
                self.expect("(")?;
                let patterns = self.list_until(")")?;
                clauses.push(self.clause(patterns)?);
                if !self.accept(";") {
                    self.expect("end")?;
                    return Ok(Expr::Lambda(clauses));
                }
            }
        }
        let mut name = self.atom()?;
        let mut module = None;
        if self.accept(":") {
            module = Some(std::mem::replace(&mut name, self.atom()?));
        }
        self.expect("/")?;
        Ok(Expr::FunctionName(module, name, self.number()?))
    }

    fn list(&mut self) -> Parsed<Expr> {
        if self.accept("]") {
            return Ok(Expr::List(Vec::new(), None));
        }
        let first = self.expr()?;
        if self.accept("||") {
            return self.comprehension(false, first, "]");
        }
        let mut items = vec![first];
        while self.accept(",") {
            items.push(self.expr()?);
        }
        let tail = if self.accept("|") { Some(Box::new(self.expr()?)) } else { None };
        self.expect("]")?;
        Ok(Expr::List(flat(items), tail))
    }

    fn comprehension(&mut self, binary: bool, value: Expr, close: &str) -> Parsed<Expr> {
        let pattern = self.expr()?;
        let of_bytes = self.accept("<=");
        if !of_bytes {
            self.expect("<-")?;
        }
        let source = self.expr()?;
        self.expect(close)?;
        let generator = Box::new(Generator { binary: of_bytes, pattern, source });
        Ok(Expr::Comprehension { binary, value: Box::new(value), generator })
    }

    fn binary(&mut self) -> Parsed<Expr> {
        if self.accept(">>") {
            return Ok(Expr::Binary(Vec::new()));
        }
        let first = self.segment()?;
        if self.accept("||") {
            return self.comprehension(true, first, ">>");
        }
        let mut segments = vec![first];
        while self.accept(",") {
            segments.push(self.segment()?);
        }
        self.expect(">>")?;
        Ok(Expr::Binary(flat(segments)))
    }

    /// An expression, with what makes it a segment of a binary if there is any.
    fn segment(&mut self) -> Parsed<Expr> {
        let value = self.expr()?;
        let size = if self.accept(":") { Some(Box::new(self.prefixed()?)) } else { None };
        let mut specs = Vec::new();
        if self.accept("/") {
            loop {
                let mut spec = self.atom()?;
                if self.accept(":") {
                    spec = format!("{spec}:{}", self.number()?);
                }
                specs.push(spec);
                if !self.accept("-") {
                    break;
                }
            }
        }
        Ok(match (size, specs.is_empty()) {
            (None, true) => value,
            (size, _) => Expr::Segment { value: Box::new(value), size, specs },
        })
    }

    fn map(&mut self) -> Parsed<Expr> {
        let mut pairs = Vec::new();
        while !self.accept("}") {
            let key = self.expr()?;
            let sign = if self.accept(":=") { ":=" } else { "=>" };
            if sign == "=>" {
                self.expect(sign)?;
            }
            pairs.push((key, sign, self.expr()?));
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(Expr::Map(pairs))
    }

    fn record(&mut self) -> Parsed<Expr> {
        let name = self.atom()?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.accept("}") {
            let field = self.atom()?;
            self.expect("=")?;
            fields.push((field, self.expr()?));
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(Expr::Record(name, fields))
    }
}
