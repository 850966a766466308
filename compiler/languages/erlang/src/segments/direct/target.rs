//! Objects behind pointers, for writers of the short way: three expressions for each kind, which say how many words the
//! object and all behind it take, what the pointer's word is, and how the object is added to the message.

use super::{size_code, upper_half, words};
use crate::code::{quote, quote_with, Expr};
use crate::erl::{binop, call, choice, Callee};
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
            Object::Text { given: true } => quote(format!("({} bsr 3) + 1", size_of(var))),
            Object::Bytes { given: true } => quote(format!("({} + 7) bsr 3", size_of(var))),
            Object::Text { .. } => call("?TEXT_WORDS", [var]),
            Object::Bytes { .. } => call("?BYTES_WORDS", [var]),
            Object::Blobs(list) => call(Callee::of("aldis_direct", &format!("{list}_words")), [var]),
            Object::Numbers { slot } if slot.width == 8 => unless_null(var, call("length", [var])),
            Object::Numbers { slot } => unless_null(var, quote_with("(?1 + 7) bsr 3", [times(slot.width, var)])),
            Object::Record(id) => {
                let own = words(Sizes::of(plan, *id));
                unless_null(var, self.words_of(plan, *id, &format!("[{var}]"), quote(own.to_string())))
            }
            Object::Records(id) => {
                let own = quote_with("?1 + 1", [times(words(Sizes::of(plan, *id)), var)]);
                unless_null(var, self.words_of(plan, *id, var, own))
            }
            Object::Laid(_) => quote(format!("{} + 1 + (byte_size({}) bsr 3)", end_of(var), size_of(var))),
            Object::Shared { union, arms, at, sizes } => {
                call(self.shared_words(plan, *union, arms, *at, *sizes), [var])
            }
            Object::Null => quote(format!("case {var} of undefined -> 0 end")),
        })
    }

    /// The pointer's word; `place` is the object's offset in words from behind the pointer.
    pub(super) fn object_pointer(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str, place: Expr) -> Expr {
        let (bytes, length) = (|| Some(quote(size_of(var))), || Some(call("length", [var])));
        match object {
            // With the zero byte behind it a text has eight more in its upper half.
            Object::Text { given: true } => pointer(bytes(), place, "16#0A00000001"),
            Object::Bytes { given: true } => pointer(bytes(), place, "16#200000001"),
            Object::Text { .. } => call("?TEXT_POINTER", [quote(var), place]),
            Object::Bytes { .. } => call("?BYTES_POINTER", [quote(var), place]),
            Object::Opened { id, .. } => {
                let upper = u64::from(upper_half(Sizes::of(plan, *id))) << 32;
                pointer(None, place, upper.to_string())
            }
            Object::Blobs(_) => unless_null(var, pointer(length(), place, LIST_OF_POINTERS)),
            Object::Numbers { slot } => {
                unless_null(var, pointer(length(), place, format!("16#{}00000001", size_code(slot))))
            }
            Object::Record(id) => {
                let upper = u64::from(upper_half(Sizes::of(plan, *id))) << 32;
                unless_null(var, pointer(None, place, upper.to_string()))
            }
            Object::Records(id) => {
                let own = times(words(Sizes::of(plan, *id)), var);
                unless_null(var, pointer(Some(own), place, LIST_OF_RECORDS))
            }
            Object::Laid(_) => pointer(Some(quote(end_of(var))), place, LIST_OF_RECORDS),
            Object::Shared { union, arms, at, sizes } => {
                call(self.shared_pointer(plan, *union, arms, *at, *sizes), [quote(var), place])
            }
            Object::Null => quote(format!("case {var} of undefined -> 0 end")),
        }
    }

    /// The segments of objects that are part of a construction.
    pub(super) fn object_segments(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str) -> Option<Vec<Expr>> {
        match object {
            Object::Text { .. } | Object::Bytes { .. } => Some(blob_segments(object, var).into()),
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
            let pointer = self.object_pointer(plan, &object, &var, place(&at, offset));
            pieces.pointer(offset, pointer);
            at = at.plus(self.object_words(plan, &object, &var));
            behind.extend(blob_segments(&object, &var));
        }
        let mut segments = pieces.over(Bits { from: 0, to: words(sizes) * WORD * 8 });
        segments.append(&mut behind);
        segments
    }

    /// The message with the object behind it; none for those that are segments of a construction.
    pub(super) fn object_added(&mut self, plan: &'a Plan, object: &Object<'a>, var: &str, acc: Expr) -> Option<Expr> {
        Some(match object {
            Object::Text { .. } | Object::Bytes { .. } | Object::Opened { .. } | Object::Laid(_) => return None,
            Object::Blobs(list) => call(Callee::of("aldis_direct", &format!("put_{list}")), [quote(var), acc]),
            Object::Numbers { slot } => {
                choice(var, [("undefined", acc.clone()), ("_", call(self.numbers_added(slot), [quote(var), acc]))])
            }
            Object::Record(id) => call(self.added(plan, *id, false), [quote(var), acc]),
            Object::Records(id) => call(self.added(plan, *id, true), [quote(var), acc]),
            Object::Shared { union, arms, at, sizes } => {
                call(self.shared_added(plan, *union, arms, *at, *sizes), [quote(var), acc])
            }
            Object::Null => acc,
        })
    }

    /// Words of the records in a list with all behind them; `own` are those of the records themselves.
    fn words_of(&mut self, plan: &'a Plan, id: TypeId, list: &str, own: Expr) -> Expr {
        match self.words_behind(plan, id) {
            Some(function) => call(&function, [quote(list), own]),
            None => own,
        }
    }
}

/// `case V of undefined -> 0; _ -> Value end`
fn unless_null(var: &str, value: Expr) -> Expr {
    choice(var, [("undefined", quote("0")), ("_", value)])
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
pub(super) fn place(at: &Words, offset: u32) -> Expr {
    at.less(offset / WORD + 1)
}

/// So many for each element of a list.
pub(super) fn times(each: u32, list: &str) -> Expr {
    times_of(each, &format!("length({list})"))
}

/// As [`times`], of a list of that length.
pub(super) fn times_of(each: u32, length: &str) -> Expr {
    match each {
        1 => quote(length),
        each => quote(format!("{each} * {length}")),
    }
}

/// A sum of words: a number that is known, and what is found out when a message is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    known: Option<u32>,
    terms: Vec<Expr>,
}

impl Words {
    pub fn known(words: u32) -> Self {
        Self { known: Some(words), terms: Vec::new() }
    }

    pub fn of(sum: impl Into<Expr>) -> Self {
        let (mut terms, mut rest) = (Vec::new(), sum.into());
        while let Expr::Binop("+", left, right) = rest {
            terms.insert(0, *right);
            rest = *left;
        }
        terms.insert(0, rest);
        Self { known: None, terms }
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
            (_, number) => self.terms.extend(number.map(|number| quote(number.to_string()))),
        }
        self.terms.extend(others.terms);
        self
    }

    /// The expression for the sum.
    pub fn expr(&self) -> Expr {
        sum(self.known.map(|known| quote(known.to_string())).into_iter().chain(self.terms.iter().cloned()))
    }

    /// The expression for the sum without so many of it.
    pub fn less(&self, words: u32) -> Expr {
        match self.number() {
            Some(number) => quote(number.saturating_sub(words).to_string()),
            None => binop(self.expr(), "-", quote(words.to_string())),
        }
    }
}

fn sum(parts: impl IntoIterator<Item = Expr>) -> Expr {
    parts.into_iter().reduce(|sum, part| binop(sum, "+", part)).unwrap_or_else(|| quote("0"))
}

/// The word of a pointer: how many elements or words there are, where it says that, how far the object is, and the rest of it.
fn pointer(count: Option<Expr>, place: Expr, rest: impl Into<Expr>) -> Expr {
    let count = count.map(|count| binop(count, "bsl", quote("35")));
    let offset = (place != quote("0")).then(|| binop(place, "bsl", quote("2")));
    sum(count.into_iter().chain(offset).chain([rest.into()]))
}

/// Text or bytes, and the segment of zeros to the next word.
pub(super) fn blob_pieces(object: &Object<'_>, var: &str) -> [Expr; 2] {
    let padding = match object {
        Object::Text { given: true } => format!("8 - {} band 7", size_of(var)),
        Object::Bytes { given: true } => format!("-{} band 7", size_of(var)),
        Object::Text { .. } => format!("?TEXT_PADDING({var})"),
        _ => format!("?BYTES_PADDING({var})"),
    };
    let own = match object {
        Object::Text { given: true } | Object::Bytes { given: true } => quote(var),
        _ => call("?GIVEN", [var]),
    };
    [own, quote(format!("0:({padding})/unit:8"))]
}

/// The segments of text or bytes with zeros to the next word.
pub(super) fn blob_segments(object: &Object<'_>, var: &str) -> [Expr; 2] {
    let [own, padding] = blob_pieces(object, var);
    [quote_with("?1/binary", [own]), padding]
}
