//! Types as they are once resolved: what the schema said, with sizes, offsets and null values.

use crate::number::Number;
use crate::primitive::Primitive;
use crate::xml::Element;
use aldis_plan::NullValue;
use aldis_schema::{Encoding, IntType, Literal, Type};

/// A resolved type's index in its catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handle(pub usize);

/// A resolved type.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// Its declaration; `None` for a primitive used by its own name.
    pub element: Option<&'a Element>,
    pub since: u32,
    pub kind: Kind<'a>,
}

#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Simple(Simple),
    Enum(Enumeration<'a>),
    Set(Flags<'a>),
    Composite(Composite<'a>),
}

impl Kind<'_> {
    /// Its name in a sentence.
    pub fn noun(&self) -> &'static str {
        match self {
            Kind::Simple(_) => "a plain type",
            Kind::Enum(_) => "an enum",
            Kind::Set(_) => "a set",
            Kind::Composite(_) => "a composite",
        }
    }
}

/// The longest array and the largest block, in bytes. Nothing on the wire comes near it, and readers of a schema may
/// make a value of every field.
pub(crate) const MAX_SIZE: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    Optional,
    Constant,
}

/// The `presence` attribute, where there is one.
pub(crate) fn presence_of(element: &Element) -> Option<Presence> {
    match element.value("presence")? {
        "optional" => Some(Presence::Optional),
        "constant" => Some(Presence::Constant),
        "required" => Some(Presence::Required),
        _ => None,
    }
}

/// Whether a field or member is optional, by what it says itself, else by what its type says.
pub(crate) fn says_optional(element: &Element, ty_element: Option<&Element>) -> bool {
    presence_of(element).or_else(|| presence_of(ty_element?)) == Some(Presence::Optional)
}

/// A resolved `<type>`.
#[derive(Clone, Debug)]
pub(crate) struct Simple {
    pub primitive: Primitive,
    /// The `length` attribute.
    pub length: Option<u32>,
    pub presence: Presence,
    pub null: NullValue,
    pub min: Option<Number>,
    pub max: Option<Number>,
    pub encoding: Encoding,
    /// `characterEncoding` is given.
    pub is_text: bool,
    /// `variableLength="true"`.
    pub variable: bool,
    pub constant: Option<(Type, Literal)>,
}

impl Simple {
    /// A primitive used by its own name.
    pub fn plain(primitive: Primitive) -> Self {
        Self {
            primitive,
            length: None,
            presence: Presence::Required,
            null: primitive.null(),
            min: None,
            max: None,
            encoding: Encoding::Latin1,
            is_text: false,
            variable: false,
            constant: None,
        }
    }

    /// Bytes in a block: none for a constant.
    pub fn width(&self) -> u64 {
        match self.presence {
            Presence::Constant => 0,
            _ => self.size(),
        }
    }

    /// Bytes that it takes where it is stored.
    pub fn size(&self) -> u64 {
        u64::from(self.length.unwrap_or(1)) * u64::from(self.primitive.width())
    }

    /// Whether it is one value and no array.
    pub fn is_scalar(&self) -> bool {
        self.length.unwrap_or(1) == 1 && !self.variable
    }
}

/// A resolved `<enum>`.
#[derive(Debug)]
pub(crate) struct Enumeration<'a> {
    pub element: &'a Element,
    pub primitive: Primitive,
    pub null: NullValue,
    /// Null is a value of it, by itself or by its encoding type, unless a field says otherwise.
    pub optional: bool,
    pub values: Vec<Value<'a>>,
}

/// One `<validValue>`.
#[derive(Debug)]
pub(crate) struct Value<'a> {
    pub element: &'a Element,
    pub value: i128,
}

/// A resolved `<set>`.
#[derive(Debug)]
pub(crate) struct Flags<'a> {
    pub repr: IntType,
    pub choices: Vec<Choice<'a>>,
}

/// One `<choice>`.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    pub element: &'a Element,
    /// Bit number, 0 for the least significant bit of the integer.
    pub bit: u32,
}

impl Enumeration<'_> {
    pub fn value_named(&self, name: &str) -> Option<i128> {
        self.values.iter().find(|v| v.element.given_name() == name).map(|v| v.value)
    }
}

/// A resolved `<composite>`.
#[derive(Debug)]
pub(crate) struct Composite<'a> {
    /// Bytes, from its first to the end of its last member.
    pub size: u32,
    pub members: Vec<Member<'a>>,
    pub leaves: u64,
    /// Composites within composites below this one; 0 where no member is a composite.
    pub height: usize,
}

/// One member: a type in place, or one that a `ref` names.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    /// The member as it is written: its name, description and version.
    pub element: &'a Element,
    pub target: Handle,
    /// Declared in place rather than by `ref`.
    pub inline: bool,
    /// Bytes from the composite's first.
    pub at: u32,
    /// The later of the member's own version and its type's.
    pub since: u32,
}

impl<'a> Composite<'a> {
    pub fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|m| m.element.given_name() == name)
    }
}
