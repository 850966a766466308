//! The Plan: the one description of where the bytes are, which the interpreter walks and every language back end prints from.
//!
//! A [`Plan`] holds one schema in one wire form. Each record type has a [`Layout`]: steps in wire order, each either a
//! [`Run`] (bytes of known size with values in known [`Slot`]s, *one* node however many fields it holds) or a part of
//! variable size (a [`Node`]). A message is a record in an [`Envelope`]. Everything that a reader or writer
//! must know about a format is an attribute here, so that neither asks which format it serves.
//!
//! # Reading
//! A reader has a *cursor*, a *base* from which links count, and *registers* (acting extent, count, version) which
//! [`Register`] slots set. A run is read at the cursor and moves it by its extent. Links are followed to another place
//! and do not move it. Every field of a record gets exactly one value: from its slot, from its part, or, where the
//! bytes end before it or an older version wrote them, by [`Missing`].
//!
//! # Writing
//! A run is written whole, gaps zero. The targets of its links follow at the end of the message, in slot order, each
//! with its own links before the next. A [`Repeat`] whose elements are [`Node::Cell`]s counts as one run: first the
//! table, then what its links point to.

mod budget;
mod describe;
mod format;
mod lack;
mod layout;
mod measure;
mod node;
mod outline;
mod places;
mod register;
mod slot;

pub use budget::{short_of_cell, surcharge_within, Limits};
pub use describe::{node_text, slot_text};
pub use format::{Compilation, Format, FrameLength, Hints, Index, Suggestion, SuggestionKind, Tidied};
pub use lack::{Emptiness, Lacks};
pub use layout::{
    Container, Dispatch, Envelope, FixedInt, Form, Framing, HeaderValue, JsonPolicy, Layout, Message, Plan, RootPlace,
    Segments, Span, Step,
};
pub use measure::{leaves, node_min_size, Leaf};
pub use node::{Blob, Content, Element, Node, Repeat, Shape};
pub use outline::{Line, Outline};
pub use places::Places;
pub use register::{FrameCheck, Meaning, Register};
pub use slot::{ArmSlot, ByteOrder, Extent, Link, Missing, NullLink, NullValue, Repr, Run, Scalar, Slot, SlotKind};

pub use aldis_schema::TypeId;
