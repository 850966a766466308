//! Code below statements, as trees of templates.

use std::rc::Rc;

/// What the author of this generator wrote, as it was read when that was built: see `aldis_template`.
#[derive(Debug)]
pub(crate) struct Template {
    /// The names that it mentions, with a space between any two, but for those of members and in literals.
    pub names: &'static str,
    /// Its tokens: text, with a character below U+0020 before each of the others. One string takes less than a table would.
    pub marks: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    Text(&'static str),
    /// A hole, by its place among them.
    Hole(usize),
    /// Brackets stand in pairs.
    Open(&'static str),
    Close(&'static str),
    /// The braces of a function within an expression.
    OpenBody,
    CloseBody,
    /// A space at which a line may end.
    Break,
    /// One behind `=`.
    BreakAtValue,
    Line,
}

#[derive(Clone, Debug)]
pub(crate) enum Code {
    /// A template with what its holes hold.
    Tree(&'static Template, Rc<[Code]>),
    /// Parts with a template between any two.
    Joined(&'static Template, Rc<[Code]>),
    /// The name of a variable.
    Name(Rc<str>),
    Number(u64),
    /// A type, a literal, the name of something that is no variable.
    Text(Rc<str>),
}

/// The name of a variable.
pub(crate) fn var(name: &str) -> Code {
    Code::Name(name.into())
}

/// `a, b, c`
pub(crate) fn listed<T: ToCode>(items: impl IntoIterator<Item = T>) -> Code {
    aldis_template::code!(", ").between(items)
}

impl Code {
    pub fn nothing() -> Self {
        aldis_template::code!("")
    }

    /// One function for all templates, so that each of them takes little code.
    #[inline(never)]
    pub fn tree(template: &'static Template, holes: &[&dyn ToCode]) -> Self {
        Self::Tree(template, holes.iter().map(|hole| hole.to_code()).collect())
    }

    /// Parts with this template, which has no holes, between any two.
    pub fn between<T: ToCode>(self, parts: impl IntoIterator<Item = T>) -> Self {
        let parts = parts.into_iter().map(|part| part.to_code()).collect();
        match self {
            Self::Tree(template, _) => Self::Joined(template, parts),
            _ => unreachable!("only templates stand between parts"),
        }
    }

    /// The tokens in order, those of holes where they stand.
    pub fn each_part(&self, visit: &mut dyn FnMut(Part<'_>)) {
        match self {
            Self::Tree(template, holes) => template.each_part(holes, visit),
            Self::Joined(template, parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        template.each_part(&[], visit);
                    }
                    part.each_part(visit);
                }
            }
            Self::Name(text) | Self::Text(text) => visit(Part::Text(text)),
            Self::Number(number) => visit(Part::Text(&number.to_string())),
        }
    }

    /// The names that it mentions.
    pub fn each_name(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Self::Tree(template, parts) | Self::Joined(template, parts) => {
                template.names.split_terminator(' ').for_each(&mut *visit);
                parts.iter().for_each(|part| part.each_name(visit));
            }
            Self::Name(name) => visit(name),
            Self::Number(_) | Self::Text(_) => {}
        }
    }

    /// The code on one line, where there is so much room and it is one line.
    pub fn flat(&self, room: usize) -> Option<String> {
        let (mut flat, mut fits) = (String::new(), true);
        self.each_part(&mut |part| match part {
            _ if !fits => {}
            Part::Token(Token::Line) => fits = false,
            part => {
                flat.push_str(part.flat());
                fits = flat.len() <= room || flat.chars().count() <= room;
            }
        });
        fits.then_some(flat)
    }
}

impl Template {
    fn each_part(&self, holes: &[Code], visit: &mut dyn FnMut(Part<'_>)) {
        let mut rest = self.marks;
        while let Some((token, behind)) = Token::first(rest) {
            rest = behind;
            match token {
                Token::Hole(index) => holes[index].each_part(visit),
                Token::Text(text) => visit(Part::Text(text)),
                other => visit(Part::Token(other)),
            }
        }
    }
}

impl Token {
    /// The first token of marks, and the marks behind it. The macro `code!` writes them.
    fn first(marks: &'static str) -> Option<(Self, &'static str)> {
        let end = marks.find(|c| c < ' ').unwrap_or(marks.len());
        if end > 0 {
            return Some((Self::Text(&marks[..end]), &marks[end..]));
        }
        let mark = marks.chars().next()?;
        let behind = &marks[1..];
        Some(match mark {
            '\u{1}' => (Self::Open(&behind[..1]), &behind[1..]),
            '\u{2}' => (Self::Close(&behind[..1]), &behind[1..]),
            '\u{3}' => (Self::OpenBody, behind),
            '\u{4}' => (Self::CloseBody, behind),
            '\u{5}' => (Self::Break, behind),
            '\u{6}' => (Self::BreakAtValue, behind),
            '\u{7}' => (Self::Hole(usize::from(behind.as_bytes()[0] - b' ')), &behind[1..]),
            _ => (Self::Line, behind),
        })
    }
}

/// A part of code that has no parts.
pub(crate) enum Part<'c> {
    Text(&'c str),
    Token(Token),
}

impl<'c> Part<'c> {
    /// How it is written where the line does not end at it.
    pub fn flat(&self) -> &'c str {
        match self {
            Part::Text(text) | Part::Token(Token::Text(text) | Token::Open(text) | Token::Close(text)) => text,
            Part::Token(Token::OpenBody) => "{ ",
            Part::Token(Token::CloseBody) => " }",
            Part::Token(Token::Break | Token::BreakAtValue) => " ",
            Part::Token(Token::Line) => "\n",
            Part::Token(Token::Hole(_)) => "",
        }
    }
}

impl From<&Code> for Code {
    fn from(code: &Code) -> Self {
        code.clone()
    }
}

impl Default for Code {
    fn default() -> Self {
        Self::nothing()
    }
}

/// What may stand in a hole.
pub(crate) trait ToCode {
    fn to_code(&self) -> Code;
}

impl ToCode for Code {
    fn to_code(&self) -> Code {
        self.clone()
    }
}

/// Text mentions no variable.
impl ToCode for str {
    fn to_code(&self) -> Code {
        Code::Text(self.into())
    }
}

impl ToCode for String {
    fn to_code(&self) -> Code {
        self.as_str().to_code()
    }
}

impl<T: ToCode> ToCode for Option<T> {
    fn to_code(&self) -> Code {
        self.as_ref().map_or_else(Code::nothing, T::to_code)
    }
}

impl<T: ToCode + ?Sized> ToCode for &T {
    fn to_code(&self) -> Code {
        (**self).to_code()
    }
}

macro_rules! numbers {
    ($($ty:ty),*) => {
        $(impl ToCode for $ty {
            fn to_code(&self) -> Code {
                Code::Number(*self as u64)
            }
        })*
    };
}

numbers!(u8, u32, u64, usize);

impl ToCode for bool {
    fn to_code(&self) -> Code {
        if *self { "true" } else { "false" }.to_code()
    }
}
