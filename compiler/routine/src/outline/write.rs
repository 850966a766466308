//! Operations of writing, and the blanks that they fill in, as lines.

use super::{repr_text, Names, Outline};
use crate::module::{Blank, Entry, Put};
use crate::write::{Object, Write};

/// An operation in words.
pub(super) fn line(names: &Names<'_>, write: &Write) -> String {
    match write {
        Write::IsNull { value } => format!("null {}", names.sym(*value)),
        Write::OfRecord { value, record } => {
            format!("record {}, {}", names.sym(*value), names.module.schema.type_def(*record).name.local())
        }
        Write::Get { value, field, .. } => format!("get {} of {}", field, names.sym(*value)),
        Write::Octets { value, .. } => format!("octets of {}", names.sym(*value)),
        Write::Sorted { value, .. } => format!("sorted {}", names.sym(*value)),
        Write::Count { value, of } => format!("count of {:?} {}", names.module[*of].shape, names.sym(*value)),
        Write::Exactly { value, count, in_run } => {
            format!("exactly {count} in {}{}", names.sym(*value), if *in_run { ", in a run" } else { "" })
        }
        Write::Item { value, index } => format!("item {} of {}", names.sym(*index), names.sym(*value)),
        Write::Pair { value, index } => format!("entry {} of {}", names.sym(*index), names.sym(*value)),
        Write::SameAs { value, literal } => format!("{} is {:?}", names.sym(*value), names.module[*literal].value),
        Write::InRange { number, min, max } => format!("{} in {min} to {max}", names.arg(*number)),
        Write::Wrong => "wrong".to_owned(),
        Write::Choice { value, .. } => format!("choice of {}", names.sym(*value)),
        Write::Words { count, more, bits } => format!("words of {} + {more} × {bits} bits", names.arg(*count)),
        Write::Framed { total, plus, width } => format!("{} {plus:+} in {width} bytes", names.arg(*total)),
        _ => bytes(names, write),
    }
}

fn bytes(names: &Names<'_>, write: &Write) -> String {
    match write {
        Write::Here { out } => format!("end of {}", names.sym(*out)),
        Write::Reserve { out, size } => format!("reserve {} in {}", names.amount(*size), names.sym(*out)),
        Write::Append { out, value, size } => {
            format!("append {} of {} to {}", names.arg(*size), names.sym(*value), names.sym(*out))
        }
        Write::Store { out, place, repr, number } => {
            format!(
                "store {} {} at {} of {}",
                repr_text(*repr),
                names.arg(*number),
                names.place(*place),
                names.sym(*out)
            )
        }
        Write::StoreScalar { out, place, scalar, value } => {
            let value = format!("{} {}", repr_text(scalar.repr), names.sym(*value));
            format!("store {value} at {} of {}", names.place(*place), names.sym(*out))
        }
        Write::StoreChars { out, place, width, value, .. } => {
            let value = format!("chars {width} {}", names.sym(*value));
            format!("store {value} at {} of {}", names.place(*place), names.sym(*out))
        }
        Write::Erase { out, place, width, bit } => {
            let what = bit.map_or_else(|| format!("{width} bytes"), |bit| format!("bit {bit}"));
            format!("erase {what} at {} of {}", names.place(*place), names.sym(*out))
        }
        Write::Link { out, place, base } => {
            format!("link from {} at {} of {}", names.sym(*base), names.place(*place), names.sym(*out))
        }
        Write::Empty { out, from, count } => {
            format!("empty {} from {} in {}", names.arg(*count), names.sym(*from), names.sym(*out))
        }
        Write::Total { out } => format!("total of {}", names.sym(*out)),
        Write::Readable { out, routine } => format!("readable {} by {}", names.sym(*out), routine.0),
        _ => pointed(names, write),
    }
}

fn pointed(names: &Names<'_>, write: &Write) -> String {
    match write {
        Write::Point { out, at, to, object } => {
            let what = match object {
                Object::Record { data, pointers } => format!("record {data} + {pointers}"),
                Object::List { code, count, more } => format!("list {code} of {} + {more}", names.arg(*count)),
            };
            format!("point to {what} {} at {} of {}", names.sym(*to), names.place(*at), names.sym(*out))
        }
        Write::Tag { out, at, count, data, pointers } => {
            let count = names.arg(*count);
            format!("tag {count} × {data} + {pointers} at {} of {}", names.sym(*at), names.sym(*out))
        }
        Write::StoreBytes { out, at, value, size } => {
            format!("store bytes {} of {} at {}", names.arg(*size), names.sym(*value), names.syms(&[*at, *out]))
        }
        Write::StoreBits { out, at, count, value, .. } => {
            format!("store bits {} of {} at {}", names.arg(*count), names.sym(*value), names.syms(&[*at, *out]))
        }
        Write::Plant { out, at, value, depth } => {
            format!("plant {} at {}, {}", names.sym(*value), names.place(*at), names.syms(&[*depth, *out]))
        }
        Write::Finish { out } => format!("finish {}", names.sym(*out)),
        Write::List { out, at, count, more, code, bits } => {
            let count = format!("{} + {more} × {bits} bits, code {code}", names.arg(*count));
            format!("list {count}, pointer at {} of {}", names.place(*at), names.sym(*out))
        }
        Write::Records { out, at, count, data, pointers } => {
            let count = format!("{} × {data} + {pointers}", names.arg(*count));
            format!("records {count}, pointer at {} of {}", names.place(*at), names.sym(*out))
        }
        Write::Blob { out, at, value, text } => {
            let what = if text.is_some() { "text" } else { "bytes" };
            format!("{what} {}, pointer at {} of {}", names.sym(*value), names.place(*at), names.sym(*out))
        }
        _ => large(names, write),
    }
}

fn large(names: &Names<'_>, write: &Write) -> String {
    match write {
        Write::Begin { out, blank, count } => {
            format!("begin blank {} for {} in {}", blank.0, names.arg(*count), names.sym(*out))
        }
        Write::Fill { out, blank, first, count, at, value } => {
            let rows = format!("blank {} from {first}, {count} entries", blank.0);
            format!("fill {rows}, with {} at {} of {}", names.sym(*value), names.sym(*at), names.sym(*out))
        }
        Write::Cell { out, blank, entry, at, value } => {
            let entry = format!("blank {} entry {entry}", blank.0);
            format!("cell {entry}, with {} at {} of {}", names.sym(*value), names.sym(*at), names.sym(*out))
        }
        Write::Null { out, blank, entry, at } => {
            format!("null in blank {} entry {entry}, at {} of {}", blank.0, names.sym(*at), names.sym(*out))
        }
        Write::Cells { out, blank, at, count, stride, value } => {
            let cells = format!("{} × {stride} of blank {}", names.arg(*count), blank.0);
            format!("cells {cells}, with {} at {} of {}", names.sym(*value), names.sym(*at), names.sym(*out))
        }
        _ => String::new(),
    }
}

impl<'m> Outline<'m> {
    pub(super) fn blank(&mut self, index: usize, blank: &'m Blank) {
        self.line(1, &format!("blank {index}: {} bytes", blank.size));
        for entry in &blank.entries {
            let name = entry.name.map_or("-", |name| self.module[name].as_str());
            let null = if entry.nullable { ", may be null" } else { "" };
            let text = format!("at {}, {} bytes: {name}, {}{null}", entry.at, entry.width, self.put(entry));
            self.line(2, &text);
        }
    }

    fn put(&self, entry: &Entry) -> String {
        match &entry.put {
            Put::Nothing => "nothing".to_owned(),
            Put::Number { repr, number } => format!("{} {number}", repr_text(*repr)),
            Put::Count { repr, min, max } => format!("{} count, {min} to {max}", repr_text(*repr)),
            Put::Scalar(scalar) => repr_text(scalar.repr),
            Put::Chars(_) => "chars".to_owned(),
            Put::Array { count, element, .. } => format!("{count} × blank {}", element.0),
            Put::Nest { members, .. } => format!("blank {}", members.0),
            Put::Literal(literal) => format!("always {:?}", self.module[*literal].value),
            Put::Other => "by operations".to_owned(),
        }
    }
}
