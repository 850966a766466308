//! Lists behind pointers, in every encoding that an older or newer writer may have chosen ("Lists").

use super::sections::{wrong, Body};
use super::{Sink, Walker};
use crate::fault::{Code, Fault};
use crate::scalar::{self, Datum};
use crate::segments::{field_size, Target, WORD};
use aldis_plan::{short_of_cell, ByteOrder, Element, Limits, Node, Repr, Scalar, SlotKind};
use aldis_schema::Type;

/// A list's elements as they lie in the bytes.
#[derive(Clone, Copy)]
struct Found {
    segment: usize,
    start: usize,
    count: usize,
    /// Bits from one element to the next.
    stride: usize,
    /// Bits of data in each, then pointers in each.
    data: usize,
    pointers: usize,
    /// Its elements are structs, each with a data section and pointers.
    records: bool,
}

impl Found {
    /// Offset of an element's first byte; elements of a bit are not asked for theirs.
    fn at(&self, index: usize) -> usize {
        self.start + index * self.stride / 8
    }

    fn end(&self) -> usize {
        self.start + (self.count * self.stride).div_ceil(8)
    }
}

impl<'p, S: Sink> Walker<'p, '_, S> {
    pub(super) fn pointed_list(
        &mut self,
        target: &Target,
        at: usize,
        element: &'p Element,
        (size, count): (u8, u32),
        ty: &'p Type,
    ) -> Result<(), Fault> {
        self.enter(at)?;
        let found = if size == 7 { self.records(target, at, count)? } else { self.plain(target, at, size, count)? };
        match element {
            Element::One(Node::Call { record }) => self.record_elements(&found, at, *record)?,
            Element::One(Node::Cell { slot }) => match &slot.kind {
                SlotKind::Scalar(scalar) => self.scalar_elements(&found, at, scalar)?,
                SlotKind::Pointer { target } => self.pointer_elements(&found, at, target, ty.element())?,
                _ => self.void_elements(&found, at)?,
            },
            _ => return Err(wrong(at, target.kind, "a list of other elements")),
        }
        self.state.depth += 1;
        Ok(())
    }

    fn records(&mut self, target: &Target, at: usize, words: u32) -> Result<Found, Fault> {
        let start = self.arena().body(target, at, (u64::from(words) + 1) * WORD as u64)?;
        self.charge_words(u64::from(words) + 1, at)?;
        let elements = self.arena().elements(start, words)?;
        self.sink.tag(start, &elements);
        if elements.stride() == 0 {
            self.charge_at(elements.count as u64 * Limits::EMPTY_ELEMENT, at)?;
        }
        self.links(elements.count, elements.pointers, at)?;
        Ok(Found {
            segment: target.segment,
            start: elements.body(0),
            count: elements.count,
            stride: elements.stride() * 64,
            data: elements.data * 64,
            pointers: elements.pointers,
            records: true,
        })
    }

    fn plain(&mut self, target: &Target, at: usize, size: u8, count: u32) -> Result<Found, Fault> {
        let bits = field_size(size);
        let words = (bits * u64::from(count)).div_ceil(64);
        let start = self.arena().body(target, at, words * WORD as u64)?;
        self.charge_words(words, at)?;
        if size == 0 {
            self.charge_at(u64::from(count) * Limits::EMPTY_ELEMENT, at)?;
        }
        let pointers = usize::from(size == 6);
        self.links(count as usize, pointers, at)?;
        Ok(Found {
            segment: target.segment,
            start,
            count: count as usize,
            stride: bits as usize,
            data: if size == 6 { 0 } else { bits as usize },
            pointers,
            records: false,
        })
    }

    /// Charges what the pointers in a list's elements are charged beside their words.
    fn links(&mut self, count: usize, pointers: usize, at: usize) -> Result<(), Fault> {
        self.surcharge((count as u64).saturating_mul(pointers as u64).saturating_mul(Limits::LINK), at)
    }

    fn record_elements(&mut self, found: &Found, at: usize, record: aldis_schema::TypeId) -> Result<(), Fault> {
        if found.stride == 1 {
            return Err(Fault::at(Code::BadValue, at, "a list of bits where one of structs belongs"));
        }
        let lack = self.lack(record, (found.data / 8) as u64, (found.pointers * WORD) as u64);
        self.charge_at((found.count as u64).saturating_mul(lack), at)?;
        self.sink.begin_list(found.count, found.start);
        for index in 0..found.count {
            self.sink.element(index);
            let start = found.at(index);
            let body = Body {
                segment: found.segment,
                data: start,
                data_size: found.data / 8,
                pointers: start + found.data / 8,
                pointer_count: found.pointers,
            };
            self.body(record, body).map_err(|f| f.in_element(index))?;
        }
        self.sink.end_list(found.end());
        Ok(())
    }

    fn scalar_elements(&mut self, found: &Found, at: usize, scalar: &'p Scalar) -> Result<(), Fault> {
        if let Repr::Bit(_) = scalar.repr {
            return self.bits(found, at, scalar);
        }
        let width = scalar.repr.width() as usize;
        if found.data < width * 8 {
            let text = format!("elements of {} bits where {} belong", found.data, width * 8);
            return Err(Fault::at(Code::BadValue, at, text));
        }
        self.surcharge((found.count as u64).saturating_mul(short_of_cell(width as u64)), at)?;
        if found.stride == width * 8 && S::packs(scalar) {
            self.sink.packed(scalar, &self.bytes[found.start..found.end()]);
            return Ok(());
        }
        self.sink.begin_list(found.count, found.start);
        for index in 0..found.count {
            let from = found.at(index);
            let datum = scalar::read(scalar, &self.bytes[from..from + width], ByteOrder::Little, from)?;
            self.sink.element(index);
            self.sink.value(self.tables, &scalar.ty, datum, from..from + width).map_err(|f| f.in_element(index))?;
        }
        self.sink.end_list(found.end());
        Ok(())
    }

    /// Bits lie side by side whatever the list says of its elements: of wider ones the reference reads the first bits of
    /// the list, one an element.
    fn bits(&mut self, found: &Found, at: usize, scalar: &'p Scalar) -> Result<(), Fault> {
        if found.data == 0 || found.records {
            return Err(Fault::at(Code::BadValue, at, "a list of other elements where one of bits belongs"));
        }
        self.surcharge((found.count as u64).div_ceil(8) * Limits::EIGHT_BITS, at)?;
        let bit = |index: usize| self.bytes[found.start + index / 8] >> (index % 8) & 1;
        if S::packs(scalar) {
            let bytes: Vec<u8> = (0..found.count).map(bit).collect();
            self.sink.packed(scalar, &bytes);
            return Ok(());
        }
        self.sink.begin_list(found.count, found.start);
        for index in 0..found.count {
            let from = found.start + index / 8;
            self.sink.element(index);
            let datum = Datum::Bool(self.bytes[from] >> (index % 8) & 1 == 1);
            self.sink.value(self.tables, &scalar.ty, datum, from..from + 1)?;
        }
        self.sink.end_list(found.end());
        Ok(())
    }

    fn pointer_elements(&mut self, found: &Found, at: usize, target: &'p Node, ty: &'p Type) -> Result<(), Fault> {
        if found.pointers == 0 {
            return Err(Fault::at(Code::BadValue, at, "a list of numbers where one of pointers belongs"));
        }
        self.sink.begin_list(found.count, found.start);
        for index in 0..found.count {
            self.sink.element(index);
            let pointer = found.at(index) + found.data / 8;
            self.pointer(pointer, found.segment, target, ty).map_err(|f| f.in_element(index))?;
        }
        self.sink.end_list(found.end());
        Ok(())
    }

    fn void_elements(&mut self, found: &Found, at: usize) -> Result<(), Fault> {
        // A value of no bytes is charged the same in whatever encoding it comes.
        if found.stride > 0 {
            let short = Limits::EMPTY_ELEMENT.saturating_sub(found.stride as u64 / 8);
            self.surcharge((found.count as u64).saturating_mul(short), at)?;
        }
        self.sink.begin_list(found.count, found.start);
        for index in 0..found.count {
            self.sink.element(index);
            self.sink.value(self.tables, &Type::Void, Datum::Null, found.start..found.start)?;
        }
        self.sink.end_list(found.end());
        Ok(())
    }
}
