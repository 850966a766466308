//! Parts: values whose size is known only from the bytes.

use crate::{Run, Slot};
use aldis_schema::{Encoding, Opaque, TypeId};
use serde::{Deserialize, Serialize};

/// The place of one value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "node", rename_all = "snake_case")]
pub enum Node {
    /// A value of fixed size on its own; `slot.at` is 0. Its links count from the current base.
    Cell { slot: Box<Slot> },
    /// A record, by its layout.
    Call { record: TypeId },
    /// Text or bytes behind a length: `02 00 00 00 41 42` is "AB" in FBE.
    Blob(Blob),
    /// Elements behind a count: `03 00 02 00`, then 6 bytes, are two entries of 3 bytes in SBE.
    Repeat(Box<Repeat>),
    /// `count` elements one after another, without a count on the wire: an array of elements of variable size.
    Series { count: u32, element: Box<Node> },
    /// One byte that tells presence (0: null), then, if present, the value in place: `01 2a` is 42 in FBE Final, `00` is null.
    Maybe { value: Box<Node> },
    /// The value's first byte is the base of the links within it.
    Rebase { value: Box<Node> },
    /// An object of unknown type behind a pointer, with all objects that it leads to, or a capability's index: kept as it is.
    Opaque { kind: Opaque },
}

/// A length ([`crate::Meaning::Count`] register in `head`), then that many bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Blob {
    pub head: Run,
    pub content: Content,
}

/// The meaning of a blob's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    Bytes,
    Text(Encoding),
}

/// A head with a [`crate::Meaning::Count`] register (and for some forms an [`crate::Meaning::Extent`], which each
/// element's first run obeys), then that many elements.
///
/// The count is refused (`bad-count`) when `count × least size of an element` exceeds the bytes left, where the least
/// size is the acting extent if the head states one, else `element_min`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Repeat {
    pub head: Run,
    pub element: Element,
    pub shape: Shape,
    /// The fewest bytes that an element can take; 0 is possible, and such elements are charged to the budget.
    pub element_min: u32,
}

/// The elements of a repeat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    One(Node),
    /// A map's key and value. When both are cells their slots lie side by side in one run: the value's `at` is then
    /// the key's width.
    Pair {
        key: Node,
        value: Node,
    },
}

/// The value that the elements make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    List,
    /// Written in order without duplicates; of duplicates on the wire the first counts.
    Set,
    /// As a set, by key.
    Map,
}
