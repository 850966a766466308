//! Lua's literals as a tree.

use aldis_emit::doc::{bracketed, concat, text, Doc};

/// A value of Lua.
#[derive(Clone, Debug)]
pub enum Lua {
    True,
    False,
    /// A whole number below 2^53, which every version of Lua holds.
    Number(i64),
    Text(String),
    Table(Table),
}

/// A table: elements in order, and members by names that the engine knows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    elements: Vec<Lua>,
    members: Vec<(&'static str, Lua)>,
}

impl Table {
    pub fn new(elements: impl IntoIterator<Item = Lua>) -> Self {
        Self { elements: elements.into_iter().collect(), members: Vec::new() }
    }

    /// The table with these elements before all others.
    pub fn in_front(mut self, elements: impl IntoIterator<Item = Lua>) -> Self {
        self.elements.splice(0..0, elements);
        self
    }

    /// The table with one more member.
    pub fn with(mut self, name: &'static str, value: impl Into<Lua>) -> Self {
        self.members.push((name, value.into()));
        self
    }

    /// The same, where there is a value.
    pub fn with_some(self, name: &'static str, value: Option<impl Into<Lua>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same for a member that is true, or not there.
    pub fn with_if(self, name: &'static str, holds: bool) -> Self {
        self.with_some(name, holds.then_some(Lua::True))
    }
}

impl From<Table> for Lua {
    fn from(table: Table) -> Self {
        Lua::Table(table)
    }
}

impl From<u32> for Lua {
    fn from(number: u32) -> Self {
        Lua::Number(i64::from(number))
    }
}

impl From<&str> for Lua {
    fn from(text: &str) -> Self {
        Lua::Text(text.to_owned())
    }
}

impl From<String> for Lua {
    fn from(text: String) -> Self {
        Lua::Text(text)
    }
}

impl Lua {
    /// The two halves of 64 bits, the low one first.
    pub fn halves(bits: u64) -> Self {
        Table::new([Lua::from(bits as u32), Lua::from((bits >> 32) as u32)]).into()
    }

    /// A number, or its digits where not every version of Lua holds it.
    pub fn wide(number: i128) -> Self {
        match i64::try_from(number) {
            Ok(number) if number.unsigned_abs() < 1 << 53 => Lua::Number(number),
            _ => Lua::Text(number.to_string()),
        }
    }

    pub fn doc(&self) -> Doc {
        match self {
            Lua::True => text("true"),
            Lua::False => text("false"),
            Lua::Number(number) => text(number.to_string()),
            Lua::Text(value) => text(quoted(value)),
            Lua::Table(table) => {
                let elements = table.elements.iter().map(Lua::doc);
                let members =
                    table.members.iter().map(|(name, value)| concat([text(format!("{name} = ")), value.doc()]));
                bracketed("{", elements.chain(members).collect(), "}", 2)
            }
        }
    }
}

/// A text in quotation marks. Control characters, and marks that turn the direction of text, are written as their bytes.
fn quoted(value: &str) -> String {
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("\\{byte:03}"))),
        }
    }
    out.push('"');
    out
}
