//! Large operations of writing by smaller ones.

use super::Expansion;
use crate::code::Emit;
use crate::module::{Entry, Purpose, Put};
use crate::op::{Frame, Ty, What};
use crate::operand::{Amount, Arg, BlankId, Place, Sym};
use crate::write::{Object, Write, MOST};
use aldis_plan::NullValue;

impl Expansion<'_> {
    /// Appends the expansion of an operation. Gives what stands for what it binds.
    pub(super) fn written(&mut self, write: Write) -> Vec<Sym> {
        let mut given = Vec::new();
        match write {
            Write::Begin { out, blank, count } => {
                self.code.budget = Some(out);
                given.push(self.begin(blank, count));
            }
            Write::Fill { out, blank, first, count, at, value } => {
                self.code.budget = Some(out);
                self.fill(blank, (first as usize, count as usize), at, value);
            }
            Write::Cell { out, blank, entry, at, value } => {
                self.code.budget = Some(out);
                self.cell(&self.module[blank].entries[entry as usize], at, value);
            }
            Write::Null { out, blank, entry, at } => {
                self.code.budget = Some(out);
                self.no_value(&self.module[blank].entries[entry as usize], at);
            }
            Write::Cells { out, blank, at, count, stride, value } => {
                self.code.budget = Some(out);
                self.elements(Place { base: at, plus: 0 }, (count, stride), value, |expansion, at, value| {
                    expansion.put(|out| Write::Cell { out, blank, entry: 0, at, value });
                });
            }
            Write::List { out, at, count, more, code, bits } => {
                self.code.budget = Some(out);
                given.push(self.list(at, (count, more), (code, bits)));
            }
            Write::Records { out, at, count, data, pointers } => {
                self.code.budget = Some(out);
                given.push(self.records(at, count, (data, pointers)));
            }
            Write::Blob { out, at, value, text } => {
                self.code.budget = Some(out);
                let size = self.role(What::Write(Write::Octets { value, text }), Ty::Size, "size").into();
                let more = u32::from(text.is_some());
                let body = self.placed(|out| Write::List { out, at, count: size, more, code: 2, bits: 8 });
                self.put(|out| Write::StoreBytes { out, at: body, value, size });
            }
            _ => return given,
        }
        given.push(self.budget());
        given
    }

    /// Nothing is stored where sizes are told.
    fn put(&mut self, write: impl FnOnce(Sym) -> Write) {
        let write = write(self.budget());
        if self.purpose != Purpose::Size || write.stored().is_none() {
            self.paid(What::Write(write), &[]);
        }
    }

    fn placed(&mut self, write: impl FnOnce(Sym) -> Write) -> Sym {
        let out = self.budget();
        self.paid(What::Write(write(out)), &[(Ty::Pos, crate::Hint::Role("at"))])[0]
    }

    fn list(&mut self, at: Place, (count, more): (Arg, u32), (code, bits): (u8, u32)) -> Sym {
        self.act(What::Write(Write::InRange { number: count, min: 0, max: MOST - u64::from(more) }));
        let (to, _) = self.elements_reserved(count, more, bits);
        self.put(|out| Write::Point { out, at, to, object: Object::List { code, count, more } });
        to
    }

    /// The words of elements, and how many they are, which a segment can have.
    fn elements_reserved(&mut self, count: Arg, more: u32, bits: u32) -> (Sym, Arg) {
        if bits == 0 {
            return (self.placed(|out| Write::Here { out }), Arg::Const(0));
        }
        let words = self.role(What::Write(Write::Words { count, more, bits }), Ty::Size, "words").into();
        if bits > 64 {
            self.act(What::Write(Write::InRange { number: words, min: 0, max: MOST }));
        }
        let size = Amount { times: words, each: Arg::Const(8) };
        (self.placed(|out| Write::Reserve { out, size }), words)
    }

    fn records(&mut self, at: Place, count: Arg, (data, pointers): (u16, u16)) -> Sym {
        let bits = 64 * (u32::from(data) + u32::from(pointers));
        self.act(What::Write(Write::InRange { number: count, min: 0, max: MOST }));
        let tag = self.placed(|out| Write::Reserve { out, size: Amount::exactly(8) });
        let (first, words) = self.elements_reserved(count, 0, bits);
        let object = Object::List { code: 7, count: words, more: 0 };
        self.put(|out| Write::Point { out, at, to: tag, object });
        self.put(|out| Write::Tag { out, at: tag, count, data, pointers });
        first
    }

    fn begin(&mut self, blank: BlankId, count: Arg) -> Sym {
        let module = self.module;
        let blank = &module[blank];
        let at = self.placed(|out| Write::Reserve { out, size: Amount::exactly(blank.size.into()) });
        for entry in &blank.entries {
            if let Put::Count { repr, min, max } = entry.put {
                self.act(What::Write(Write::InRange { number: count, min, max }));
                let place = Place { base: at, plus: entry.at };
                if entry.width > 0 {
                    self.put(|out| Write::Store { out, place, repr, number: count });
                }
            }
            self.number(entry, at);
        }
        at
    }

    fn number(&mut self, entry: &Entry, at: Sym) {
        if let Put::Number { repr, number } = entry.put {
            let place = Place { base: at, plus: entry.at };
            self.put(|out| Write::Store { out, place, repr, number: Arg::Const(number) });
        }
    }

    fn fill(&mut self, id: BlankId, (first, count): (usize, usize), at: Sym, value: Sym) {
        let module = self.module;
        let blank = &module[id];
        for (index, entry) in blank.entries.iter().enumerate().skip(first).take(count) {
            self.number(entry, at);
            let (Some(record), Some(field), Some(name)) = (blank.record, entry.field, entry.name) else { continue };
            let get = What::Write(Write::Get { value, record, field });
            let value = self.bind(get, Ty::Given, crate::Hint::Name(name));
            let (blank, index) = (id, index as u32);
            let write = |expansion: &mut Self| {
                expansion.put(|out| Write::Cell { out, blank, entry: index, at, value });
                Vec::new()
            };
            self.within(Frame::Field(name), |expansion| {
                if !entry.nullable {
                    return write(expansion);
                }
                let test = expansion.role(What::Write(Write::IsNull { value }), Ty::Bool, "null");
                let null = |expansion: &mut Self| {
                    expansion.put(|out| Write::Null { out, blank, entry: index, at });
                    Vec::new()
                };
                expansion.branch(test, null, write).into_iter().map(Arg::from).collect()
            });
        }
    }

    fn cell(&mut self, entry: &Entry, at: Sym, value: Sym) {
        let place = Place { base: at, plus: entry.at };
        match &entry.put {
            Put::Scalar(scalar) => {
                let scalar = scalar.clone();
                self.put(|out| Write::StoreScalar { out, place, scalar, value });
            }
            Put::Chars(encoding) => {
                let (width, encoding) = (entry.width, *encoding);
                self.put(|out| Write::StoreChars { out, place, width, encoding, value });
            }
            Put::Literal(literal) => self.act(What::Write(Write::SameAs { value, literal: *literal })),
            Put::Array { count, stride, element: blank } => {
                self.act(What::Write(Write::Exactly { value, count: *count, in_run: true }));
                let (count, blank) = (Arg::Const((*count).into()), *blank);
                self.elements(place, (count, *stride), value, |expansion, at, value| {
                    expansion.put(|out| Write::Cell { out, blank, entry: 0, at, value });
                });
            }
            Put::Nest { record, members: blank } => {
                self.act(What::Write(Write::OfRecord { value, record: *record }));
                let (blank, count) = (*blank, self.module[*blank].entries.len() as u32);
                self.put(|out| Write::Fill { out, blank, first: 0, count, at, value });
            }
            Put::Nothing | Put::Number { .. } | Put::Count { .. } | Put::Other => {}
        }
    }

    /// Each element of a list with its place, in its frame.
    fn elements(
        &mut self,
        place: Place,
        (count, stride): (Arg, u32),
        value: Sym,
        fill: impl FnOnce(&mut Self, Sym, Sym),
    ) {
        self.repeated(count, |expansion, index| {
            let item = expansion.role(What::Write(Write::Item { value, index }), Ty::Given, "item");
            let at = expansion.role(What::Element { place, index, stride, count }, Ty::Pos, "at");
            expansion.within(Frame::Element(index), |expansion| {
                fill(expansion, at, item);
                Vec::new()
            });
        });
    }

    fn no_value(&mut self, entry: &Entry, at: Sym) {
        let place = Place { base: at, plus: entry.at };
        match &entry.put {
            Put::Scalar(scalar) => {
                if let Some(NullValue::Bits(bits) | NullValue::Nan(bits)) = scalar.null.or(scalar.absent) {
                    let repr = scalar.repr;
                    self.put(|out| Write::Store { out, place, repr, number: Arg::Const(bits) });
                }
            }
            Put::Nest { members: blank, .. } => {
                let (blank, count) = (*blank, self.module[*blank].entries.len() as u32);
                (0..count).for_each(|entry| self.put(|out| Write::Null { out, blank, entry, at }));
            }
            Put::Array { count, stride, element: blank } => {
                let (count, stride, blank) = (Arg::Const((*count).into()), *stride, *blank);
                self.repeated(count, |expansion, index| {
                    let at = expansion.role(What::Element { place, index, stride, count }, Ty::Pos, "at");
                    expansion.put(|out| Write::Null { out, blank, entry: 0, at });
                });
            }
            _ => {}
        }
    }
}
