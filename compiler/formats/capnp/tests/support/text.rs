//! Cap'n Proto's text form of a message, as `capnp convert binary:text` prints it, as a tree.

use std::collections::BTreeMap;

/// A value of the text form.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// Words in neither brackets nor quotes: numbers, enumerants, `void`, `<opaque pointer>`.
    Word(String),
    /// Bytes of text or data.
    Text(Vec<u8>),
    List(Vec<Tree>),
    Struct(BTreeMap<String, Tree>),
}

impl Tree {
    pub fn word(word: impl ToString) -> Self {
        Tree::Word(word.to_string())
    }

    pub fn text(text: &str) -> Self {
        Tree::Text(text.into())
    }

    /// A member of a struct.
    pub fn find(&self, name: &str) -> Option<&Tree> {
        match self {
            Tree::Struct(members) => members.get(name),
            other => panic!("{other:?} is no struct"),
        }
    }

    /// A member of a struct; must be there.
    pub fn get(&self, name: &str) -> &Tree {
        self.find(name).unwrap_or_else(|| panic!("no `{name}` in {self:?}"))
    }

    pub fn elements(&self) -> &[Tree] {
        match self {
            Tree::List(elements) => elements,
            other => panic!("{other:?} is no list"),
        }
    }

    pub fn number(&self) -> u64 {
        match self {
            Tree::Word(word) => word.parse().unwrap(),
            other => panic!("{other:?} is no number"),
        }
    }
}

/// Parses a whole text; it comes from the reference, so anything odd is a panic.
pub fn parse(text: &str) -> Tree {
    let mut parser = Parser { rest: text.trim() };
    let tree = parser.value();
    assert_eq!(parser.rest, "");
    tree
}

struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    fn eat(&mut self, token: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn value(&mut self) -> Tree {
        if self.eat('(') {
            let mut members = BTreeMap::new();
            while !self.eat(')') {
                let name = self.word();
                assert!(self.eat('='), "{name}");
                members.insert(name, self.value());
                self.eat(',');
            }
            Tree::Struct(members)
        } else if self.eat('[') {
            let mut elements = Vec::new();
            while !self.eat(']') {
                elements.push(self.value());
                self.eat(',');
            }
            Tree::List(elements)
        } else if self.rest.starts_with('"') {
            Tree::Text(self.quoted())
        } else {
            Tree::Word(self.word())
        }
    }

    fn word(&mut self) -> String {
        let end = self.rest.find([',', ')', ']', '=']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.trim().to_owned()
    }

    fn quoted(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut bytes = self.rest.bytes().enumerate().skip(1);
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.rest = self.rest[at + 1..].trim_start();
                    return out;
                }
                b'\\' => {
                    let escaped = &self.rest[at + 1..];
                    let (byte, length) = match escaped.as_bytes()[0] {
                        b'0'..=b'7' => (u8::from_str_radix(&escaped[..3], 8).unwrap(), 3),
                        letter => {
                            let letters =
                                [(b'a', 7), (b'b', 8), (b't', 9), (b'n', 10), (b'v', 11), (b'f', 12), (b'r', 13)];
                            let known = letters.iter().find(|(name, _)| *name == letter);
                            (known.map_or(letter, |(_, byte)| *byte), 1)
                        }
                    };
                    out.push(byte);
                    bytes.nth(length - 1);
                }
                other => out.push(other),
            }
        }
        panic!("a string does not end")
    }
}
