//! What pointers lead to, for writers of the short way: three expressions for each kind, which say how many words the
//! object and all behind it take, what the pointer's word is, and how the object is added to the message.

use super::{upper_half, words};
use crate::gen::Gen;
use crate::segments::decode::Sizes;
use aldis_plan::{ArmSlot, Content, Element, Node, Plan, Repr, SlotKind};
use aldis_schema::TypeId;

/// Kind 1, and the code of the elements' size in the upper half.
const LIST_OF_POINTERS: &str = "16#600000001";
const LIST_OF_RECORDS: &str = "16#700000001";

#[derive(Clone)]
pub(super) enum Object<'a> {
    Text,
    Bytes,
    /// Lists of texts or bytes: what the runtime's functions are called.
    Blobs(&'static str),
    /// Numbers of so many bytes: the code of their size, and what writes one.
    Numbers {
        width: u32,
        code: u32,
        cell: String,
    },
    Record(TypeId),
    Records(TypeId),
    /// One of the pointers that the arms of a union share.
    Shared {
        union: TypeId,
        arms: &'a [ArmSlot],
        at: u32,
        sizes: Sizes,
    },
    /// The short way writes nothing but null.
    Null,
}

impl<'a> Gen<'a> {
    /// What the short way writes for a pointer.
    pub(super) fn object(&mut self, plan: &'a Plan, target: &'a Node) -> Object<'a> {
        match target {
            Node::Blob(blob) if blob.content == Content::Bytes => Object::Bytes,
            Node::Blob(_) => Object::Text,
            Node::Call { record } if self.written(plan, *record) => Object::Record(*record),
            Node::Repeat(repeat) => match &repeat.element {
                Element::One(Node::Call { record }) if self.written(plan, *record) => Object::Records(*record),
                Element::One(Node::Cell { slot }) => match &slot.kind {
                    SlotKind::Scalar(scalar) if !matches!(scalar.repr, Repr::Bit(_)) => {
                        let wire = self.wires[0];
                        let cell = self.cell_bytes(&wire, slot, "Item", "[]");
                        // Elements of 1, 2, 4, 8 bytes have the codes 2 to 5.
                        Object::Numbers { width: slot.width, code: 2 + slot.width.trailing_zeros(), cell }
                    }
                    SlotKind::Pointer { target } => match target.as_ref() {
                        Node::Blob(blob) if blob.content == Content::Bytes => Object::Blobs("byte_lists"),
                        Node::Blob(_) => Object::Blobs("texts"),
                        _ => Object::Null,
                    },
                    _ => Object::Null,
                },
                _ => Object::Null,
            },
            _ => Object::Null,
        }
    }

    /// Whether records of this type are written behind pointers: a record of no words has a pointer of its own kind.
    fn written(&self, plan: &Plan, id: TypeId) -> bool {
        self.direct.takes(id) && words(Sizes::of(plan, id)) > 0
    }

    /// How many words the object takes with all behind it.
    pub(super) fn object_words(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str) -> String {
        match object {
            Object::Text => format!("?TEXT_WORDS({var})"),
            Object::Bytes => format!("?BYTES_WORDS({var})"),
            Object::Blobs(list) => format!("aldis_direct:{list}_words({var})"),
            Object::Numbers { width, .. } => unless_null(var, &format!("({width} * length({var}) + 7) bsr 3")),
            Object::Record(id) => {
                let own = words(Sizes::of(plan, *id));
                unless_null(var, &self.words_of(plan, *id, &format!("[{var}]"), &own.to_string()))
            }
            Object::Records(id) => {
                let own = format!("{} * length({var}) + 1", words(Sizes::of(plan, *id)));
                unless_null(var, &self.words_of(plan, *id, var, &own))
            }
            Object::Shared { union, arms, at, sizes } => {
                format!("{}({var})", self.shared_words(plan, *union, arms, *at, *sizes))
            }
            Object::Null => format!("case {var} of undefined -> 0 end"),
        }
    }

    /// The pointer's word; `place` is the object's offset in words from behind the pointer.
    pub(super) fn object_pointer(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str, place: &str) -> String {
        match object {
            Object::Text => format!("?TEXT_POINTER({var}, {place})"),
            Object::Bytes => format!("?BYTES_POINTER({var}, {place})"),
            Object::Blobs(_) => {
                unless_null(var, &format!("(length({var}) bsl 35) + (({place}) bsl 2) + {LIST_OF_POINTERS}"))
            }
            Object::Numbers { code, .. } => {
                unless_null(var, &format!("(length({var}) bsl 35) + (({place}) bsl 2) + 16#{code}00000001"))
            }
            Object::Record(id) => {
                let upper = u64::from(upper_half(Sizes::of(plan, *id))) << 32;
                unless_null(var, &format!("(({place}) bsl 2) + {upper}"))
            }
            Object::Records(id) => {
                let stride = words(Sizes::of(plan, *id));
                let own = if stride == 1 { format!("length({var})") } else { format!("({stride} * length({var}))") };
                unless_null(var, &format!("({own} bsl 35) + (({place}) bsl 2) + {LIST_OF_RECORDS}"))
            }
            Object::Shared { union, arms, at, sizes } => {
                format!("{}({var}, {place})", self.shared_pointer(plan, *union, arms, *at, *sizes))
            }
            Object::Null => format!("case {var} of undefined -> 0 end"),
        }
    }

    /// The message with the object behind it; texts and bytes are segments of a construction instead.
    pub(super) fn object_added(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str, acc: &str) -> Option<String> {
        Some(match object {
            Object::Text | Object::Bytes => return None,
            Object::Blobs(list) => format!("aldis_direct:put_{list}({var}, {acc})"),
            Object::Numbers { cell, .. } => {
                let table = format!("<< {cell} || Item <- {var} >>");
                format!("aldis_direct:put_numbers({}, {acc})", either(var, "<<>>", &table))
            }
            Object::Record(id) => format!("{}({var}, {acc})", self.added(plan, *id, false)),
            Object::Records(id) => format!("{}({var}, {acc})", self.added(plan, *id, true)),
            Object::Shared { union, arms, at, sizes } => {
                format!("{}({var}, {acc})", self.shared_added(plan, *union, arms, *at, *sizes))
            }
            Object::Null => acc.to_owned(),
        })
    }

    /// Words of the records in a list with all behind them; `own` are those of the records themselves.
    fn words_of(&mut self, plan: &'a Plan, id: TypeId, list: &str, own: &str) -> String {
        match self.words_behind(plan, id) {
            Some(function) => format!("{function}({list}, {own})"),
            None => own.to_owned(),
        }
    }
}

/// `case V of undefined -> 0; _ -> Value end`
fn unless_null(var: &str, value: &str) -> String {
    either(var, "0", value)
}

fn either(var: &str, null: &str, value: &str) -> String {
    format!("case {var} of undefined -> {null}; _ -> {value} end")
}

/// The segments of text or bytes with zeros to the next word.
pub(super) fn blob_segments(object: &Object<'_>, var: &str) -> [String; 2] {
    let padding = match object {
        Object::Text => "TEXT_PADDING",
        _ => "BYTES_PADDING",
    };
    [format!("(?GIVEN({var}))/binary"), format!("0:(?{padding}({var}))/unit:8")]
}
