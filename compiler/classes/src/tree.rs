//! Code as a tree: expressions, statements, members, classes. It is printed once, by a language's [`Syntax`].

use std::borrow::Cow;

/// The name of a method, or of what an object holds: one of the runtime's, which each language spells in its way, or one that was
/// made for a language.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    Runtime(Cow<'static, str>),
    Own(String),
}

impl From<&'static str> for Word {
    fn from(word: &'static str) -> Self {
        Word::Runtime(Cow::Borrowed(word))
    }
}

impl From<String> for Word {
    fn from(word: String) -> Self {
        Word::Own(word)
    }
}

/// A word of the runtime that is put together.
pub fn runtime(word: String) -> Word {
    Word::Runtime(Cow::Owned(word))
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A name, or a path of names.
    Name(String),
    Int(i128),
    Long(i128),
    /// A number in hexadecimal, which is a long one where the flag says so.
    Bits(u64, bool),
    Float(f32),
    Double(f64),
    Text(String),
    Call(Box<Expr>, Word, Vec<Expr>),
    Run(Word, Vec<Expr>),
    Member(Box<Expr>, Word),
    New(String, Vec<Expr>),
    /// `new int[] {…}`
    Array(String, Vec<Expr>),
    /// `[…]`, where arrays have no types.
    List(Vec<Expr>),
    /// `{ key: value }`, where objects need no class. Keys are in order.
    Object(Vec<(String, Expr)>),
    /// A call of the function that an expression is.
    Apply(Box<Expr>, Vec<Expr>),
    /// A call whose result may be left out with its name, as it does nothing else.
    Pure(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// A place that a method is given, which may store there: `ref place`.
    Ref(Box<Expr>),
    /// `~bits`
    Flip(Box<Expr>),
    Cast(String, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `() -> body`
    Lambda(Cow<'static, str>, Box<Expr>),
    /// The largest number that has a sign and 64 bits.
    Endless,
}

pub fn name(name: impl Into<String>) -> Expr {
    Expr::Name(name.into())
}

pub fn int(number: impl Into<i128>) -> Expr {
    Expr::Int(number.into())
}

pub fn string(content: impl Into<String>) -> Expr {
    Expr::Text(content.into())
}

pub fn run(function: impl Into<Word>, args: Vec<Expr>) -> Expr {
    Expr::Run(function.into(), args)
}

pub fn call(of: Expr, method: impl Into<Word>, args: Vec<Expr>) -> Expr {
    Expr::Call(Box::new(of), method.into(), args)
}

pub fn member(of: Expr, field: impl Into<Word>) -> Expr {
    Expr::Member(Box::new(of), field.into())
}

pub fn make(class: impl Into<String>, args: Vec<Expr>) -> Expr {
    Expr::New(class.into(), args)
}

/// Two numbers that are known are compared now: compilers warn of what is never reached.
pub fn binary(left: Expr, operator: &'static str, right: Expr) -> Expr {
    match (&left, operator, &right) {
        (Expr::Int(a), "==", Expr::Int(b)) => return truth(a == b),
        (Expr::Int(a), ">=", Expr::Int(b)) => return truth(a >= b),
        (Expr::Int(0), "+", _) => return right,
        _ => {}
    }
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

pub fn cast(ty: impl Into<String>, inner: Expr) -> Expr {
    Expr::Cast(ty.into(), Box::new(inner))
}

pub fn index(of: Expr, at: Expr) -> Expr {
    Expr::Index(Box::new(of), Box::new(at))
}

pub fn apply(function: Expr, args: Vec<Expr>) -> Expr {
    Expr::Apply(Box::new(function), args)
}

pub fn pure(inner: Expr) -> Expr {
    Expr::Pure(Box::new(inner))
}

pub fn later(inner: Expr) -> Expr {
    Expr::Lambda(Cow::Borrowed("()"), Box::new(inner))
}

pub fn truth(value: bool) -> Expr {
    name(if value { "true" } else { "false" })
}

pub fn is_true(tree: &Expr) -> bool {
    *tree == truth(true)
}

pub fn is_false(tree: &Expr) -> bool {
    *tree == truth(false)
}

/// The contrary of a test.
pub fn not(test: Expr) -> Expr {
    match test {
        Expr::Not(inner) => *inner,
        test if is_true(&test) => truth(false),
        test if is_false(&test) => truth(true),
        // No test compares a float with a whole number that is written so: one that is no number would be neither.
        Expr::Binary(order, left, right) if matches!(*right, Expr::Int(_)) && contrary(order).is_some() => {
            Expr::Binary(contrary(order).unwrap_or(order), left, right)
        }
        test => Expr::Not(Box::new(test)),
    }
}

fn contrary(order: &str) -> Option<&'static str> {
    Some(match order {
        "==" => "!=",
        "!=" => "==",
        ">=" => "<",
        "<" => ">=",
        _ => return None,
    })
}

/// `base + bytes`, where a number that the sum has already becomes larger.
pub fn plus(mut base: Expr, bytes: impl Into<i128>) -> Expr {
    let bytes = bytes.into();
    match number_of(&mut base) {
        _ if bytes == 0 => base,
        Some(number) => {
            *number += bytes;
            base
        }
        None => binary(base, "+", int(bytes)),
    }
}

/// How far a place lies behind another one that it counts from.
pub fn away(place: &Expr, from: &Expr) -> Option<i128> {
    let [(base, place), (other, from)] = [place, from].map(|sum| {
        let mut base = sum.clone();
        match number_of(&mut base).map(std::mem::take) {
            Some(number) => (base, number),
            None => (binary(base, "+", int(0)), 0),
        }
    });
    (base == other).then(|| place - from)
}

/// The number in a sum.
fn number_of(sum: &mut Expr) -> Option<&mut i128> {
    match sum {
        Expr::Int(number) => Some(number),
        Expr::Binary("+", left, right) => match &mut **right {
            Expr::Int(number) => Some(number),
            _ => number_of(left),
        },
        _ => None,
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Declare(String, String, Option<Expr>),
    Assign(Expr, &'static str, Expr),
    Do(Expr),
    /// One more.
    Step(Expr),
    If(Expr, Vec<Line>, Vec<Line>),
    /// From 0 up to a count.
    For(String, Expr, Vec<Line>),
    /// A fault that leaves the lines has the step put before its path; in JavaScript, this is thrown in its place.
    Framed(Vec<Line>, Expr),
    /// A fault that leaves the lines is dropped.
    Attempt(Vec<Line>),
    Switch(Expr, Vec<(Expr, Vec<Line>)>, Vec<Line>),
    Return(Expr),
    Throw(Expr),
}

/// A declaration in a class.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    Field {
        doc: String,
        head: String,
        value: Option<Expr>,
    },
    Method {
        doc: String,
        /// All up to the body: `public int id()`.
        head: String,
        body: Vec<Line>,
    },
    /// A place in a value, which lines get and set; without lines for one of them, it is only set or read.
    Property {
        doc: String,
        head: String,
        /// The attribute in front of `get`, if there is one.
        front: &'static str,
        get: Vec<Line>,
        set: Vec<Line>,
    },
    /// Constants of an enum, in order.
    Constants(Vec<(String, String, Vec<Expr>)>),
    Nested(Class),
}

pub fn method(doc: impl Into<String>, head: impl Into<String>, body: Vec<Line>) -> Member {
    Member::Method { doc: doc.into(), head: head.into(), body }
}

pub fn field(head: impl Into<String>, value: Option<Expr>) -> Member {
    Member::Field { doc: String::new(), head: head.into(), value }
}

/// A class, enum, interface or record.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    pub doc: String,
    pub head: String,
    pub members: Vec<Member>,
}

#[cfg(test)]
mod tests {
    use super::{binary, int, name, plus};

    #[test]
    fn a_sum_has_one_number() {
        let at = || binary(name("at"), "+", int(4));
        assert_eq!(plus(at(), 0), at());
        assert_eq!(plus(at(), 8), binary(name("at"), "+", int(12)));
        assert_eq!(
            plus(binary(at(), "+", name("length")), 1),
            binary(binary(name("at"), "+", int(5)), "+", name("length"))
        );
        assert_eq!(plus(int(3), 1), int(4));
        assert_eq!(plus(name("at"), 1), binary(name("at"), "+", int(1)));
    }
}
