//! The ways in which languages of classes differ: words, types, conversions of numbers, collections.

use crate::kinds::Kinds;
use crate::names::Words;
use crate::tree::{member, name, Expr, Line};
use aldis_plan::{Container, Repr};
use aldis_routine::Value;
use aldis_schema::{IntType, Type, TypeId};

/// A function that languages have under names of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    FloatOfBits,
    DoubleOfBits,
    BitsOfFloat,
    BitsOfDouble,
    /// The same, whatever kind of NaN it is.
    RawBitsOfFloat,
    RawBitsOfDouble,
    CompareUnsigned,
}

/// The class of a collection.
#[derive(Clone, Debug)]
pub enum Collection {
    List(String),
    Set(String),
    Map(String, String),
}

/// A language of classes.
pub trait Dialect: Sync {
    fn words(&self) -> &'static Words;

    /// A method that generated code calls so: the language's spelling of `readFinal`.
    fn method(&self, name: String) -> String;

    /// A constant of a codec's class: `CUT`, a form's suffix, and a number.
    fn constant(&self, kind: &str, suffix: &str, number: usize) -> String;

    /// All in front of a constant's name.
    fn constant_head(&self, class: &str) -> String;

    /// The head of a class that holds constants, where the code that makes them is bounded.
    fn holder(&self) -> Option<&'static str> {
        None
    }

    /// A method's head: what it gives, its name, the class and name of its state, its other parameters.
    fn head(&self, access: &str, gives: &str, name: &str, state: (&str, &str), params: &[String]) -> String;

    /// The head of a method that gives what a glance at bytes leaves: its name, the bytes' name, its other parameters.
    fn glance_head(&self, gives: &str, name: &str, bytes: &str, params: &[String]) -> String;

    /// The head of a method that writes into bytes and gives where these end: its name, and whether it is worth a call of its own; the bytes' name,
    /// its other parameters.
    fn quick_head(&self, name: (&str, bool), bytes: &str, params: &[String]) -> String;

    /// The class of a part of the bytes that are read or written, by which its length is known to the compiler, where there is such a class.
    fn part(&self, _is_written: bool) -> Option<&'static str> {
        None
    }

    /// The state of reading `bytes` under the default limits.
    fn input(&self, container: Container) -> Expr;

    /// The argument for `bytes` of what checks a message, and of what decodes it into an object that was used.
    fn given(&self, container: Container) -> Expr;

    /// The value of all fields of a view of the message that `bytes` are.
    fn viewed(&self, view: &str, container: Container) -> Expr;

    /// Whether views of plain bytes have them from their record on.
    fn cuts_views(&self) -> bool {
        false
    }

    /// The test that two texts are the same.
    fn same_text(&self, a: Expr, b: Expr) -> Expr;

    /// The state, as an argument.
    fn state(&self, name: &str) -> Expr;

    /// A function of a state called `f`.
    fn with_state(&self, body: Expr) -> Expr;

    fn known(&self, function: Known) -> &'static str;

    /// The type of truth values.
    fn flag(&self) -> &'static str;

    fn integer(&self, int: IntType) -> &'static str;

    /// The integer type of enums of characters.
    fn letter(&self) -> &'static str;

    fn text(&self) -> &'static str;

    /// Decimals, of which some may be null where `nullable` says so.
    fn decimal(&self, nullable: bool) -> &'static str;

    fn uuid(&self, nullable: bool) -> &'static str;

    /// A union, by the name of its type.
    fn union(&self, name: String, _nullable: bool) -> String {
        name
    }

    /// Any value, or null.
    fn object(&self) -> &'static str;

    /// Bytes that are kept as they are.
    fn opaque(&self) -> &'static str;

    /// A value as an element of that type of a collection.
    fn element(&self, ty: &Type, value: Expr) -> Expr;

    /// The function that makes a union's arms of a tag and what they hold.
    fn arms(&self, kinds: &Kinds<'_>, union: TypeId) -> Expr;

    /// A number as the element of a collection, or as an object.
    fn boxed(&self, primitive: &'static str, optional: bool) -> String;

    /// A collection's class: that of values, or the one that is made.
    fn collection(&self, of: &Collection, made: bool) -> String;

    /// A new collection, by the class that is made and what it takes.
    fn make(&self, of: &Collection, args: Vec<Expr>) -> Expr;

    /// The array that an open list of numbers becomes.
    fn array(&self, primitive: &str, list: Expr) -> Expr;

    /// A list's element.
    fn item(&self, list: Expr, index: Expr) -> Expr;

    /// A number, or nothing, where an object is wanted.
    fn boxed_value(&self, primitive: &'static str, absent: Expr, number: Expr) -> Expr;

    /// An element of a collection, of which it is known that it is there.
    fn unboxed(&self, ty: &Type, kinds: &Kinds<'_>, element: Expr) -> Expr;

    /// Whether an element of this type may be null in a collection.
    fn may_be_null(&self, ty: &Type, kinds: &Kinds<'_>) -> bool;

    /// The entries of a set or map in order: their class, and the expression.
    fn sorted(&self, kinds: &Kinds<'_>, ty: &Type, value: Expr) -> (String, Expr);

    /// The key and the value of an entry.
    fn entry(&self, entry: Expr) -> [Expr; 2];

    /// The comparator of keys of a type.
    fn order(&self, kinds: &Kinds<'_>, ty: &Type) -> Expr;

    /// The byte that was read, as a number without sign, or with one.
    fn byte(&self, byte: Expr, signed: bool) -> Expr;

    /// The name of the load of a register, which is a number without sign.
    fn register(&self, repr: Repr) -> &'static str;

    /// A number with other bits.
    fn flipped(&self, repr: Repr, number: Expr, bits: u64) -> Expr;

    /// The same where it is to be written.
    fn flipped_out(&self, repr: Repr, number: Expr, bits: u64) -> Expr;

    /// The number that is stored as these bits.
    fn stored(&self, repr: Repr, bits: u64) -> Expr;

    /// The test that a number is none.
    fn is_nan(&self, repr: Repr, number: Expr) -> Expr;

    /// Whether each number of its type fits its bytes, so that nothing is to be found.
    fn always_fits(&self, repr: Repr, ty: &Type) -> bool;

    /// A number that is known, or now found, to fit its bytes.
    fn fitting(&self, repr: Repr, ty: &Type, number: Expr) -> Expr;

    /// A register's number, as what is stored.
    fn register_out(&self, repr: Repr, number: Expr, known: Option<u64>) -> Expr;

    /// A number without sign that an `int` holds, as what is stored.
    fn int_out(&self, repr: Repr, number: Expr) -> Expr;

    /// The statement that puts a number into bytes, at a place.
    fn store(&self, repr: Repr, big: bool, spot: (Expr, Expr), number: Expr) -> Line;

    /// Zero, as the value of a primitive type that nobody looks at.
    fn zero(&self, primitive: &str) -> Expr;

    /// The number of a literal.
    fn number(&self, primitive: &'static str, number: i128) -> Expr;

    /// The same as an object.
    fn boxed_number(&self, primitive: &'static str, number: Expr) -> Expr;

    fn decimal_literal(&self, text: String) -> Expr;

    fn uuid_literal(&self, halves: [u64; 2]) -> Expr;

    fn bytes_literal(&self, bytes: &[u8]) -> Expr;

    /// A list's literal, by the class of its elements.
    fn list_literal(&self, kinds: &Kinds<'_>, element: &Type, values: &[Value], items: Vec<Expr>) -> Expr;

    /// A union of an arm, which no schema of ours knows where there is no index, with a tag and the value that it holds.
    fn arm(&self, kinds: &Kinds<'_>, union: TypeId, index: Option<usize>, tag: Expr, held: Expr) -> Expr;

    /// The text that an arm of a union held before, null if it held another one.
    fn held_before(&self, kinds: &Kinds<'_>, arm: (TypeId, usize), old: Expr) -> Expr;

    /// The union that was before, where it holds the same, or a new one.
    fn kept(&self, _: &Kinds<'_>, _arm: (TypeId, usize), _old: Expr, (_held, made): (Expr, Expr)) -> Expr {
        made
    }

    /// The value that a union holds, of which it is known which arm it is.
    fn held(&self, kinds: &Kinds<'_>, union: TypeId, index: usize, of: Expr) -> Expr;

    /// A field, which is never null, of a record of another package.
    fn shared(&self, kinds: &Kinds<'_>, record: TypeId, field: usize, of: Expr) -> Expr {
        member(of, kinds.names.fields(record)[field].clone())
    }

    /// The statement that gives such a field a value.
    fn share(&self, kinds: &Kinds<'_>, record: TypeId, field: usize, of: Expr, value: Expr) -> Line {
        Line::Assign(self.shared(kinds, record, field, of), "=", value)
    }

    /// The statement that puts an object into a field that may hold it already.
    fn put_again(&self, of: &str, field: &str, value: Expr) -> Line {
        Line::Assign(member(name(of), field.to_owned()), "=", value)
    }

    /// The shape of a type of the schema.
    fn shape_of(&self, kinds: &Kinds<'_>, id: TypeId) -> Expr;

    /// The shape of a collection, around those of its elements.
    fn shape_of_collection(&self, kinds: &Kinds<'_>, ty: &Type, shapes: Vec<Expr>, is_object: bool) -> Expr;
}
