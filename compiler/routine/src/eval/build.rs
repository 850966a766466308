//! Segments, as they are written.

use super::arena::{Arena, WORD};
use super::fault::{Fault, Step};
use super::keep::Keeper;
use super::machine::{within, Scope};
use super::store;
use super::write::{out_of_range, wrong, Writer, OUT};
use crate::operand::{Arg, Place, Sym};
use crate::value::Value;
use crate::write::{Object, Write, MOST};
use aldis_plan::{ByteOrder, Container, Repr, Scalar};

type Numbers = Result<Vec<u64>, Fault>;

impl<'r> Writer<'r> {
    pub(super) fn pointed(&mut self, scope: &Scope<()>, write: &'r Write) -> Numbers {
        match write {
            Write::Words { count, more, bits } => {
                return Ok(vec![words(scope.number(*count), *more, *bits)]);
            }
            Write::Point { at, to, object, .. } => {
                self.point(scope.place(*at), scope.number(*to), self.upper(scope, object));
            }
            Write::Tag { at, count, data, pointers, .. } => {
                self.tag(scope.number(*at), scope.number(*count), (*data, *pointers));
            }
            Write::StoreBytes { at, value, size, .. } => {
                let Value::Bytes(bytes) = self.one(scope, *value)? else { return wrong() };
                let size = scope.number(*size);
                self.slice(scope.number(*at), size, |out| out.copy_from_slice(&bytes[..size as usize]));
            }
            Write::StoreBits { at, count, scalar, value, .. } => {
                let Value::List(items) = self.one(scope, *value)? else { return wrong() };
                self.bits(scope.number(*at), scalar, &items[..scope.number(*count) as usize])?;
            }
            Write::Plant { at, value, depth, .. } => {
                let Value::Opaque(message) = self.one(scope, *value)? else { return wrong() };
                self.plant(scope.place(*at), message, scope.number(*depth))?;
            }
            Write::Finish { .. } => self.finish()?,
            Write::List { at, count, more, code, bits, .. } => {
                return self.list(scope, *at, (*count, *more), (*code, *bits));
            }
            Write::Records { at, count, data, pointers, .. } => {
                return self.records(scope, *at, scope.number(*count), (*data, *pointers));
            }
            Write::Blob { at, value, text, .. } => return self.blob(scope, *at, *value, text.is_some()),
            _ => return self.large(scope, write),
        }
        Ok(vec![OUT])
    }

    /// Kind and upper half of a pointer.
    fn upper(&self, scope: &Scope<()>, object: &Object) -> (u64, u64) {
        match object {
            Object::Record { data, pointers } => (0, u64::from(*data) | u64::from(*pointers) << 16),
            Object::List { code, count, more } => {
                (1, u64::from(*code) | (scope.number(*count) + u64::from(*more)) << 3)
            }
        }
    }

    fn point(&mut self, at: u64, to: u64, (kind, upper): (u64, u64)) {
        let words = (to as i64 - at as i64) / WORD as i64 - 1;
        self.number(at, Repr::U64, u64::from((words as u32) << 2) | kind | upper << 32);
    }

    fn tag(&mut self, at: u64, count: u64, (data, pointers): (u16, u16)) {
        self.number(at, Repr::U64, count << 2 | u64::from(data) << 32 | u64::from(pointers) << 48);
    }

    fn list(&mut self, scope: &Scope<()>, at: Place, (count, more): (Arg, u32), (code, bits): (u8, u32)) -> Numbers {
        let all = scope.number(count) + u64::from(more);
        if all > MOST {
            return out_of_range();
        }
        let to = self.reserve(words(all, 0, bits) * WORD);
        self.point(scope.place(at), to, (1, u64::from(code) | all << 3));
        Ok(vec![to, OUT])
    }

    fn records(&mut self, scope: &Scope<()>, at: Place, count: u64, (data, pointers): (u16, u16)) -> Numbers {
        let words = words(count, 0, 64 * (u32::from(data) + u32::from(pointers)));
        if count > MOST || words > MOST {
            return out_of_range();
        }
        let tag = self.reserve((1 + words) * WORD);
        self.point(scope.place(at), tag, (1, 7 | words << 3));
        self.tag(tag, count, (data, pointers));
        Ok(vec![tag + WORD, OUT])
    }

    fn blob(&mut self, scope: &Scope<()>, at: Place, value: Sym, text: bool) -> Numbers {
        let Value::Bytes(bytes) = self.one(scope, value)? else { return wrong() };
        let size = bytes.len() as u64;
        let to = self.list(scope, at, (Arg::Const(size), text.into()), (2, 8))?[0];
        self.slice(to, size, |out| out.copy_from_slice(bytes));
        Ok(vec![OUT])
    }

    fn bits(&mut self, at: u64, scalar: &Scalar, items: &[Value]) -> Result<(), Fault> {
        for (index, item) in items.iter().enumerate() {
            let bit = Scalar { repr: Repr::Bit((index % 8) as u8), ..scalar.clone() };
            let mut done = Ok(());
            self.slice(at + index as u64 / 8, 1, |out| done = store::scalar(out, ByteOrder::Little, &bit, item));
            done.map_err(|fault| within(fault, Step::Element(index as u64)))?;
        }
        Ok(())
    }

    fn plant(&mut self, at: u64, message: &[u8], depth: u64) -> Result<(), Fault> {
        let size = message.len() as u64;
        if size < WORD {
            return wrong();
        }
        let arena = Arena { bytes: message, segments: vec![(0, size)] };
        // A copy stands alone if only its size is asked for.
        let (out, slot) = self.out.take().map_or_else(|| (vec![0; WORD as usize], None), |out| (out, Some(at)));
        let before = out.len() as u64;
        let mut keeper = Keeper { arena: &arena, out, budget: u64::MAX, depth, canonical: false };
        keeper.pointer(0, 0, slot.unwrap_or(0))?;
        let written = keeper.out.len() as u64 - before;
        self.length += written;
        self.unpaid = self.unpaid.saturating_add((u64::MAX - keeper.budget).saturating_sub(written));
        self.out = slot.map(|_| keeper.out);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Fault> {
        let Container::Segments(form) = self.module.container else { return Ok(()) };
        if self.length / WORD > MOST {
            return out_of_range();
        }
        if let Some(mut words) = self.out.take() {
            if form.canonical {
                words = self.trimmed(&words)?;
            }
            let table = ((words.len() as u64 / WORD) << 32).to_le_bytes();
            self.packed = form.packed.then(|| [table.as_slice(), &words].into_iter().flat_map(packed).collect());
            self.out = Some(if form.table { [table.as_slice(), &words].concat() } else { words });
        }
        self.length += if form.table { WORD } else { 0 };
        Ok(())
    }

    /// The canonical form of words.
    fn trimmed(&mut self, words: &[u8]) -> Result<Vec<u8>, Fault> {
        let whole = words.len() as u64;
        let arena = Arena { bytes: words, segments: vec![(0, whole)] };
        let out = vec![0; WORD as usize];
        let depth = self.limits.depth.into();
        let mut keeper = Keeper { arena: &arena, out, budget: u64::MAX, depth, canonical: true };
        keeper.pointer(0, 0, 0)?;
        self.unpaid = self.unpaid.saturating_add(8 * (whole - keeper.out.len() as u64));
        Ok(keeper.out)
    }
}

fn words(count: u64, more: u32, bits: u32) -> u64 {
    ((count + u64::from(more)) * u64::from(bits)).div_ceil(64)
}

/// Words as tags that say which of their bytes are not zero, and those bytes. Behind a word of zeros the number of more such words
/// follows; behind one without zeros the number of words that follow as they are, each with at most one zero.
fn packed(words: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut words = words.chunks_exact(WORD as usize).peekable();
    while let Some(word) = words.next() {
        let zeros = word.iter().filter(|byte| **byte == 0).count();
        out.push(word.iter().rev().fold(0, |tag, byte| tag << 1 | u8::from(*byte != 0)));
        out.extend(word.iter().filter(|byte| **byte != 0));
        if zeros != 8 && zeros != 0 {
            continue;
        }
        let length = out.len();
        out.push(0);
        let more = |next: &&[u8]| match next.iter().filter(|byte| **byte == 0).count() {
            found if zeros == 8 => found == 8,
            found => found < 2,
        };
        while let Some(next) = words.next_if(|next| out[length] < 255 && more(next)) {
            out[length] += 1;
            if zeros == 0 {
                out.extend(next);
            }
        }
    }
    out
}
