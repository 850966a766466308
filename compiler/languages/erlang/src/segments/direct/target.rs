//! Objects behind pointers, for writers of the short way: three expressions for each kind, which say how many words the
//! object and all behind it take, what the pointer's word is, and how the object is added to the message.

use super::{size_code, upper_half, words};
use crate::code::{quote, Expr};
use crate::gen::Gen;
use crate::segments::decode::Sizes;
use crate::segments::leaves::{Bits, Slots};
use crate::segments::WORD;
use aldis_plan::{ArmSlot, Content, Element, Node, Plan, Repr, Slot, SlotKind};
use aldis_schema::TypeId;

/// Kind 1, and the code of the elements' size in the upper half.
const LIST_OF_POINTERS: &str = "16#600000001";
const LIST_OF_RECORDS: &str = "16#700000001";

#[derive(Clone)]
pub(super) enum Object<'a> {
    /// `given`: a guard says that it is a binary and no long one, and its size has a variable ([`size_of`]).
    Text {
        given: bool,
    },
    Bytes {
        given: bool,
    },
    /// Lists of texts or bytes: what the runtime's functions are called.
    Blobs(&'static str),
    /// Numbers, and how one is stored.
    Numbers {
        slot: &'a Slot,
    },
    Record(TypeId),
    /// A record whose members the clause has bound, and which leads to given texts and bytes alone.
    Opened {
        id: TypeId,
        slots: Slots<'a>,
    },
    Records(TypeId),
    /// A list of records that lead to more, laid out for the root: it is known to be a list.
    Laid(TypeId),
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
    /// The expressions with which the short way writes a pointer and its object.
    pub(super) fn object(&mut self, plan: &'a Plan, target: &'a Node) -> Object<'a> {
        match target {
            Node::Blob(blob) if blob.content == Content::Bytes => Object::Bytes { given: false },
            Node::Blob(_) => Object::Text { given: false },
            Node::Call { record } if self.written(plan, *record) => Object::Record(*record),
            Node::Repeat(repeat) => match &repeat.element {
                Element::One(Node::Call { record }) if self.written(plan, *record) => Object::Records(*record),
                Element::One(Node::Cell { slot }) => match &slot.kind {
                    SlotKind::Scalar(scalar) if !matches!(scalar.repr, Repr::Bit(_)) => Object::Numbers { slot },
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
    pub(super) fn object_words(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str) -> Words {
        Words::of(match object {
            Object::Opened { id, slots } => {
                let sizes = Sizes::of(plan, *id);
                let mut sum = Words::known(words(sizes));
                for (_, var, object) in self.opened_pointers(plan, slots, sizes) {
                    sum = sum.plus(self.object_words(plan, &object, &var));
                }
                return sum;
            }
            Object::Text { given: true } => format!("({} bsr 3) + 1", size_of(var)),
            Object::Bytes { given: true } => format!("(({} + 7) bsr 3)", size_of(var)),
            Object::Text { .. } => format!("?TEXT_WORDS({var})"),
            Object::Bytes { .. } => format!("?BYTES_WORDS({var})"),
            Object::Blobs(list) => format!("aldis_direct:{list}_words({var})"),
            Object::Numbers { slot } if slot.width == 8 => unless_null(var, &format!("length({var})")),
            Object::Numbers { slot } => unless_null(var, &format!("({} + 7) bsr 3", times(slot.width, var))),
            Object::Record(id) => {
                let own = words(Sizes::of(plan, *id));
                unless_null(var, &self.words_of(plan, *id, &format!("[{var}]"), &own.to_string()))
            }
            Object::Records(id) => {
                let own = format!("{} + 1", times(words(Sizes::of(plan, *id)), var));
                unless_null(var, &self.words_of(plan, *id, var, &own))
            }
            Object::Laid(_) => format!("{} + 1 + (byte_size({}) bsr 3)", end_of(var), size_of(var)),
            Object::Shared { union, arms, at, sizes } => {
                format!("{}({var})", self.shared_words(plan, *union, arms, *at, *sizes))
            }
            Object::Null => format!("case {var} of undefined -> 0 end"),
        })
    }

    /// The pointer's word; `place` is the object's offset in words from behind the pointer.
    pub(super) fn object_pointer(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str, place: &str) -> String {
        match object {
            // With the zero byte behind it a text has eight more in its upper half.
            Object::Text { given: true } => format!("({} bsl 35) + {}16#0A00000001", size_of(var), offset(place)),
            Object::Bytes { given: true } => format!("({} bsl 35) + {}16#200000001", size_of(var), offset(place)),
            Object::Text { .. } => format!("?TEXT_POINTER({var}, {place})"),
            Object::Bytes { .. } => format!("?BYTES_POINTER({var}, {place})"),
            Object::Opened { id, .. } => {
                let upper = u64::from(upper_half(Sizes::of(plan, *id))) << 32;
                format!("{}{upper}", offset(place))
            }
            Object::Blobs(_) => {
                unless_null(var, &format!("(length({var}) bsl 35) + {}{LIST_OF_POINTERS}", offset(place)))
            }
            Object::Numbers { slot } => {
                let code = size_code(slot);
                unless_null(var, &format!("(length({var}) bsl 35) + {}16#{code}00000001", offset(place)))
            }
            Object::Record(id) => {
                let upper = u64::from(upper_half(Sizes::of(plan, *id))) << 32;
                unless_null(var, &format!("{}{upper}", offset(place)))
            }
            Object::Records(id) => {
                let stride = words(Sizes::of(plan, *id));
                let own = if stride == 1 { format!("length({var})") } else { format!("({stride} * length({var}))") };
                unless_null(var, &list_pointer(&own, place))
            }
            Object::Laid(_) => list_pointer(&end_of(var), place),
            Object::Shared { union, arms, at, sizes } => {
                format!("{}({var}, {place})", self.shared_pointer(plan, *union, arms, *at, *sizes))
            }
            Object::Null => format!("case {var} of undefined -> 0 end"),
        }
    }

    /// The segments of objects that are part of a construction.
    pub(super) fn object_segments(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str) -> Option<Vec<Expr>> {
        match object {
            Object::Text { .. } | Object::Bytes { .. } => Some(blob_segments(object, var).map(quote).into()),
            Object::Opened { id, slots } => Some(self.opened_segments(plan, *id, slots)),
            _ => None,
        }
    }

    fn opened_segments(&mut self, plan: &'a Plan, id: TypeId, slots: &Slots<'a>) -> Vec<Expr> {
        let sizes = Sizes::of(plan, id);
        let leaves = self.leaves(slots);
        let mut pieces = self.record_pieces(plan, &leaves, sizes);
        let (mut at, mut behind) = (Words::known(words(sizes)), Vec::new());
        for (offset, var, object) in self.opened_pointers(plan, slots, sizes) {
            let pointer = self.object_pointer(plan, &object, &var, &place(&at, offset));
            pieces.pointer(offset, &pointer);
            at = at.plus(self.object_words(plan, &object, &var));
            behind.extend(blob_segments(&object, &var).map(quote));
        }
        let mut segments = pieces.over(Bits { from: 0, to: words(sizes) * WORD * 8 });
        segments.append(&mut behind);
        segments
    }

    /// The message with the object behind it; none for those that are segments of a construction.
    pub(super) fn object_added(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str, acc: &str) -> Option<String> {
        Some(match object {
            Object::Text { .. } | Object::Bytes { .. } | Object::Opened { .. } | Object::Laid(_) => return None,
            Object::Blobs(list) => format!("aldis_direct:put_{list}({var}, {acc})"),
            Object::Numbers { slot } => {
                let function = self.numbers_added(slot);
                either(var, acc, &format!("{function}({var}, {acc})"))
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

/// The variable of how many bytes a given text or bytes have.
pub(super) fn size_of(var: &str) -> String {
    format!("{var}Bytes")
}

/// The variable of how many words the sections of a list's records have.
pub(super) fn end_of(var: &str) -> String {
    format!("{var}End")
}

/// How many words lie between a pointer at `offset` of its sections and its object, which lies at the word `at`.
pub(super) fn place(at: &Words, offset: u32) -> String {
    let before = offset / WORD + 1;
    match at.number() {
        Some(at) => at.saturating_sub(before).to_string(),
        None => format!("{at} - {before}"),
    }
}

/// So many for each element of a list.
pub(super) fn times(each: u32, list: &str) -> String {
    match each {
        1 => format!("length({list})"),
        each => format!("{each} * length({list})"),
    }
}

/// As [`times`], of a list whose length has the variable `Count`.
pub(super) fn times_count(each: u32) -> String {
    match each {
        1 => "Count".to_owned(),
        each => format!("{each} * Count"),
    }
}

/// A sum of words: a number that is known, and what is found out when a message is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    known: Option<u32>,
    terms: Vec<String>,
}

impl Words {
    pub fn known(words: u32) -> Self {
        Self { known: Some(words), terms: Vec::new() }
    }

    pub fn of(term: impl Into<String>) -> Self {
        Self { known: None, terms: vec![term.into()] }
    }

    /// The number, where nothing has to be found out.
    pub fn number(&self) -> Option<u32> {
        self.known.filter(|_| self.terms.is_empty())
    }

    /// So many and others.
    pub fn plus(mut self, mut others: Words) -> Self {
        let number = others.known.take();
        match (self.number(), number) {
            (Some(own), Some(number)) => self.known = Some(own + number),
            (_, number) => self.terms.extend(number.map(|number| number.to_string())),
        }
        self.terms.extend(others.terms);
        self
    }
}

impl std::fmt::Display for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = self.known.map(|known| known.to_string());
        let terms: Vec<&str> = known.iter().chain(&self.terms).map(String::as_str).collect();
        f.write_str(&terms.join(" + "))
    }
}

/// The pointer to a list of records that take so many words.
fn list_pointer(words: &str, place: &str) -> String {
    format!("({words} bsl 35) + {}{LIST_OF_RECORDS}", offset(place))
}

/// A pointer's offset, to which more is added.
fn offset(place: &str) -> String {
    match place.parse::<u32>() {
        Ok(0) => String::new(),
        Ok(place) => format!("({place} bsl 2) + "),
        Err(_) => format!("(({place}) bsl 2) + "),
    }
}

/// Text or bytes, and the segment of zeros to the next word.
pub(super) fn blob_pieces(object: &Object<'_>, var: &str) -> [String; 2] {
    let padding = match object {
        Object::Text { given: true } => format!("8 - {} band 7", size_of(var)),
        Object::Bytes { given: true } => format!("-{} band 7", size_of(var)),
        Object::Text { .. } => format!("?TEXT_PADDING({var})"),
        _ => format!("?BYTES_PADDING({var})"),
    };
    let own = match object {
        Object::Text { given: true } | Object::Bytes { given: true } => var.to_owned(),
        _ => format!("?GIVEN({var})"),
    };
    [own, format!("0:({padding})/unit:8")]
}

/// The segments of text or bytes with zeros to the next word.
pub(super) fn blob_segments(object: &Object<'_>, var: &str) -> [String; 2] {
    let [own, padding] = blob_pieces(object, var);
    match object {
        Object::Text { given: true } | Object::Bytes { given: true } => [format!("{own}/binary"), padding],
        _ => [format!("({own})/binary"), padding],
    }
}
