//! Parts of variable size.

use super::{Sink, Walker};
use crate::fault::{Code, Fault};
use crate::scalar::Datum;
use aldis_plan::{short_of_cell, Blob, Element, Emptiness, Limits, Node, Repeat, Shape, SlotKind, Step};
use aldis_schema::{Type, TypeId};
use std::ops::Range;

impl<'p, 'b, S: Sink> Walker<'p, 'b, S> {
    /// Walks the value of type `ty` at the cursor, and moves past what of it lies in place.
    pub(super) fn node(&mut self, node: &'p Node, ty: &'p Type) -> Result<(), Fault> {
        match node {
            Node::Cell { slot } => {
                let start = self.state.cursor;
                self.cell_fits(u64::from(slot.width), slot.surcharge())?;
                self.state.cursor = start + slot.width as usize;
                self.slot(slot, start, ty)
            }
            Node::Call { record } => self.record(*record),
            Node::Blob(blob) => self.blob(blob, ty),
            Node::Repeat(repeat) => self.repeat(repeat, ty),
            Node::Series { count, element } => {
                let start = self.state.cursor;
                self.sink.begin_list(*count as usize, start);
                for index in 0..*count as usize {
                    self.element(element, index, ty.element(), false)?;
                }
                self.sink.end_list(self.state.cursor);
                Ok(())
            }
            Node::Maybe { value } => self.maybe(value, ty),
            Node::Opaque { .. } => {
                Err(Fault::at(Code::BadValue, self.state.cursor, "an open value lies behind a pointer"))
            }
            Node::Rebase { value } => {
                let base = std::mem::replace(&mut self.state.base, self.state.cursor);
                self.node(value, ty)?;
                self.state.base = base;
                Ok(())
            }
        }
    }

    /// Checks that a value of `width` bytes lies at the cursor, and charges it and its surcharge.
    fn cell_fits(&mut self, width: u64, surcharge: u64) -> Result<(), Fault> {
        let left = self.bytes.len() - self.state.cursor;
        if width > left as u64 {
            let text = format!("a value of {width} bytes would lie here, but {left} are left");
            return Err(Fault::at(Code::Truncated, self.state.cursor, text));
        }
        self.charge(width)?;
        self.surcharge(surcharge, self.state.cursor)
    }

    fn maybe(&mut self, value: &'p Node, ty: &'p Type) -> Result<(), Fault> {
        let at = self.state.cursor;
        self.cell_fits(1, 0)?;
        let flag = self.bytes[at];
        self.state.cursor += 1;
        self.sink.register("present", u64::from(flag), at..at + 1);
        if flag == 0 {
            self.sink.value(self.tables, ty.required(), Datum::Null, at..at + 1)
        } else {
            self.node(value, ty.required())
        }
    }

    /// Reads a head at the cursor and moves past it.
    fn head(&mut self, head: &'p aldis_plan::Run) -> Result<usize, Fault> {
        let start = self.registers(head)?;
        self.state.cursor = start + head.size as usize;
        Ok(start)
    }

    fn blob(&mut self, blob: &'p Blob, ty: &Type) -> Result<(), Fault> {
        let start = self.head(&blob.head)?;
        let from = self.state.cursor;
        let (length, left) = (self.state.count, self.bytes.len() - from);
        if length > left as u64 {
            return Err(Fault::at(Code::BadCount, start, format!("a length of {length} bytes, but {left} are left")));
        }
        self.charge(length)?;
        let to = from + length as usize;
        self.state.cursor = to;
        self.octets(ty.required(), from..to, from..to)
    }

    fn repeat(&mut self, repeat: &'p Repeat, ty: &'p Type) -> Result<(), Fault> {
        let start = self.head(&repeat.head)?;
        let (count, extent) = (self.state.count, self.state.extent);
        let least = if repeat.states_extent() { extent } else { u64::from(repeat.element_min) };
        let left = self.bytes.len() - self.state.cursor;
        if u128::from(count) * u128::from(least) > left as u128 {
            let text = format!("{count} elements of at least {least} bytes, but {left} bytes are left");
            if S::EXPLAINS {
                // As far as they are there; what ends them is said by the count.
                let _ = self.elements(repeat, count, ty, start, false);
            }
            return Err(Fault::at(Code::BadCount, start, text));
        }
        let emptiness = self.tables.emptiness(repeat);
        let each = emptiness.cost(extent, self.state.version).saturating_add(self.lacking(repeat));
        self.charge(count.saturating_mul(each))?;
        let short = repeat.element.charged().map_or(0, short_of_cell);
        self.surcharge(count.saturating_mul(short), self.state.cursor)?;
        let paid = emptiness != Emptiness::Unknown;
        match (&repeat.element, repeat.shape) {
            (_, Shape::Set | Shape::Map) if S::SORTED => self.collection(repeat, count, ty, start, paid),
            (Element::One(Node::Call { .. }), _) if self.at_once(repeat, count) => Ok(()),
            (Element::One(Node::Cell { slot }), _) if self.packed(slot, count)? => Ok(()),
            _ => self.elements(repeat, count, ty, start, paid),
        }
    }

    /// Walks the elements of a repeat, whose head was read, at once, where nothing in them can be wrong and the sink takes them so.
    /// Otherwise false, and nothing was done.
    fn at_once(&mut self, repeat: &'p Repeat, count: u64) -> bool {
        let Element::One(Node::Call { record }) = &repeat.element else { return false };
        let Some(passed) = self.tables.record(*record).passed else { return false };
        let size = if passed.acting { self.state.extent } else { passed.size };
        let surcharge = if self.state.surcharge { passed.surcharge } else { 0 };
        let is_whole = size >= passed.size && self.state.current;
        if size == 0 || self.state.depth == 0 || !(is_whole || S::FAULTS_ALONE && surcharge == 0) {
            return false;
        }
        let bytes = count.saturating_mul(size);
        let cost = bytes.saturating_add(count.saturating_mul(surcharge));
        let from = self.state.cursor;
        if bytes > (self.bytes.len() - from) as u64 || cost > self.state.budget {
            return false;
        }
        let end = from + bytes as usize;
        if !S::FAULTS_ALONE && !self.give_records(*record, from..end, size as usize) {
            return false;
        }
        self.state.budget -= cost;
        self.state.cursor = end;
        self.state.at_root = false;
        true
    }

    fn give_records(&mut self, record: TypeId, place: Range<usize>, stride: usize) -> bool {
        let [Step::Run(run)] = &*self.plan.layout(record).steps else { return false };
        self.sink.records(record, run, &self.bytes[place], stride)
    }

    /// The charge for each element that is taken with the count because its bytes end before some of its fields.
    fn lacking(&self, repeat: &Repeat) -> u64 {
        match &repeat.element {
            Element::One(Node::Call { record }) if repeat.states_extent() => self.lack(*record, self.state.extent, 0),
            _ => 0,
        }
    }

    /// The elements of a repeat whose head began at `start`, one after the other.
    /// Whether the charge for elements without bytes has been `paid` with the count; if not, it is taken at each element.
    fn elements(
        &mut self,
        repeat: &'p Repeat,
        count: u64,
        ty: &'p Type,
        start: usize,
        paid: bool,
    ) -> Result<(), Fault> {
        let extent = self.state.extent;
        match &repeat.element {
            Element::One(node) => {
                self.sink.begin_list(count as usize, start);
                for index in 0..count as usize {
                    self.state.extent = extent;
                    self.element(node, index, ty.element(), paid)?;
                }
                self.sink.end_list(self.state.cursor);
                Ok(())
            }
            Element::Pair { key, value } => self.wire_pairs(key, value, count as usize, ty, (start, paid)),
        }
    }

    /// A table of scalars as a whole, where the sink takes it so.
    fn packed(&mut self, slot: &'p aldis_plan::Slot, count: u64) -> Result<bool, Fault> {
        let SlotKind::Scalar(scalar) = &slot.kind else { return Ok(false) };
        let from = self.state.cursor;
        // The count was checked against the bytes left.
        let to = from + count as usize * slot.width as usize;
        if scalar.null.is_some() || !S::packs(scalar) {
            return Ok(false);
        }
        self.charge((to - from) as u64)?;
        self.sink.packed(scalar, &self.bytes[from..to]);
        self.state.cursor = to;
        Ok(true)
    }

    /// A map as it is on the wire: keys and values by turns.
    fn wire_pairs(
        &mut self,
        key: &'p Node,
        value: &'p Node,
        count: usize,
        ty: &'p Type,
        (start, paid): (usize, bool),
    ) -> Result<(), Fault> {
        let Type::Map { key: key_type, value: value_type, .. } = ty.required() else { return Ok(()) };
        self.sink.begin_list(count, start);
        for index in 0..count {
            let from = self.state.cursor;
            self.sink.element(index);
            self.pair(key, value, key_type, value_type).map_err(|f| f.in_element(index))?;
            self.charge_if_empty(from, paid).map_err(|f| f.in_element(index))?;
        }
        self.sink.end_list(self.state.cursor);
        Ok(())
    }

    /// Walks an entry's key and value. Cells lie side by side, the value's slot counting from the key's first byte.
    pub(super) fn pair(
        &mut self,
        key: &'p Node,
        value: &'p Node,
        key_type: &'p Type,
        value_type: &'p Type,
    ) -> Result<(), Fault> {
        self.node(key, key_type)?;
        match (key, value) {
            (Node::Cell { slot: key }, Node::Cell { slot }) => {
                let start = self.state.cursor - key.width as usize;
                self.cell_fits(u64::from(slot.width), slot.surcharge())?;
                self.state.cursor += slot.width as usize;
                self.slot(slot, start, value_type)
            }
            _ => self.node(value, value_type),
        }
    }

    fn element(&mut self, node: &'p Node, index: usize, ty: &'p Type, paid: bool) -> Result<(), Fault> {
        let from = self.state.cursor;
        self.sink.element(index);
        self.node(node, ty).map_err(|f| f.in_element(index))?;
        self.charge_if_empty(from, paid).map_err(|f| f.in_element(index))
    }

    /// Charges an element that began at `from` and took no bytes, unless that is `paid` for.
    pub(super) fn charge_if_empty(&mut self, from: usize, paid: bool) -> Result<(), Fault> {
        if self.state.cursor == from && !paid {
            self.charge(Limits::EMPTY_ELEMENT)?;
        }
        Ok(())
    }
}
