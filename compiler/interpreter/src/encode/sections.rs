//! Records of two sections, and what their pointers lead to, in pre-order: an object's own words, then the targets of its
//! pointers, left to right, each with all of its own before the next ("Structs", "Lists").

use super::run::wrong;
use super::Encoder;
use crate::fault::{Code, Fault};
use crate::scalar;
use crate::segments::{distance, pack, pointer_word, tag_word, write_table, Arena, Copier, Mode, WORD};
use crate::Value;
use aldis_plan::{Blob, ByteOrder, Content, Element, Extent, Node, Repr, Run, Segments, Slot, SlotKind, Step};
use aldis_schema::{Type, TypeId};
use std::ops::Range;
use std::slice;

/// More words than this a segment, more elements a list cannot have: their counts have 29 bits.
const MAX_COUNT: usize = (1 << 29) - 1;

/// A pointer still to be written.
struct Pending<'v> {
    at: usize,
    target: &'v Node,
    value: &'v Value,
    ty: &'v Type,
    /// Element and fields that lead to it from the object that it is in.
    element: Option<usize>,
    path: Vec<&'v str>,
}

impl Pending<'_> {
    fn blame(&self, fault: Fault) -> Fault {
        let fault = self.path.iter().rev().fold(fault, |fault, name| fault.in_field(name));
        self.element.into_iter().fold(fault, Fault::in_element)
    }
}

/// The one run of a record's layout, and its data section's size.
fn sections(steps: &[Step]) -> Option<(&Run, u32)> {
    match steps {
        [Step::Run(run)] => match run.extent {
            Extent::Sections { data } => Some((run, data)),
            _ => None,
        },
        _ => None,
    }
}

impl<'p> Encoder<'p> {
    /// Writes a message whose root is behind the first word, and wraps it as its form wants it.
    pub(super) fn segments(mut self, record: TypeId, value: &Value, form: Segments) -> Result<(Vec<u8>, u64), Fault> {
        let depth = self.depth;
        self.out = vec![0; WORD];
        self.pointed_record(0, record, value)?;
        if self.out.len() / WORD > MAX_COUNT {
            return Err(Fault::new(Code::OutOfRange, "a message of more than 4 GiB"));
        }
        let mut unpaid = self.unpaid;
        let segment = if form.canonical {
            let whole = self.out.len();
            let segment = canonical(&self.out, depth)?;
            // Each bit that is left out may be a field.
            unpaid = unpaid.saturating_add(8 * (whole - segment.len()) as u64);
            segment
        } else {
            self.out
        };
        let table = write_table((segment.len() / WORD) as u32);
        let bytes = match (form.table, form.packed) {
            (false, _) => segment,
            (true, false) => [table.as_slice(), &segment].concat(),
            (true, true) => {
                let mut packed = Vec::with_capacity(segment.len());
                pack(&table, &mut packed);
                pack(&segment, &mut packed);
                packed
            }
        };
        Ok((bytes, unpaid))
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.depth = self
            .depth
            .checked_sub(1)
            .ok_or_else(|| Fault::new(Code::TooDeep, "pointers and records nest deeper than the limit"))?;
        Ok(())
    }

    fn put(&mut self, at: usize, word: u64) {
        self.out[at..at + WORD].copy_from_slice(&word.to_le_bytes());
    }

    /// Appends a value and writes the pointer to it at `at`.
    fn pointed(&mut self, at: usize, target: &Node, value: &Value, ty: &Type) -> Result<(), Fault> {
        match (target, value) {
            (_, Value::Null) => Ok(()),
            (Node::Call { record }, value) => self.pointed_record(at, *record, value),
            (Node::Blob(Blob { content, .. }), Value::Bytes(bytes)) => self.pointed_blob(at, *content, bytes),
            (Node::Repeat(repeat), value) => {
                self.enter()?;
                match &repeat.element {
                    Element::One(Node::Call { record }) => self.records(at, *record, value)?,
                    Element::One(Node::Cell { slot }) => self.cells(at, slot, value, ty.required().element())?,
                    _ => return Err(wrong(value, "a list of records or cells")),
                }
                self.depth += 1;
                Ok(())
            }
            (Node::Opaque { .. }, Value::Opaque(message)) => self.opaque(at, message),
            _ => Err(wrong(value, "of the field's type")),
        }
    }

    fn pointed_record(&mut self, at: usize, record: TypeId, value: &Value) -> Result<(), Fault> {
        let plan = self.plan;
        let Some((run, data)) = sections(&plan.layout(record).steps) else { return Err(wrong(value, "in sections")) };
        self.enter()?;
        let start = self.reserve(run.size as usize);
        let offset = if run.size == 0 { -1 } else { distance(at, start) };
        self.put(at, pointer_word(offset, 0, section_words(run, data)));
        let mut pending = Vec::new();
        self.slots(&run.slots, start, record, value, &mut pending)?;
        self.pointers(pending)?;
        self.depth += 1;
        Ok(())
    }

    /// Writes a record's data section at `start` and notes the pointers that it has.
    fn slots<'v>(
        &mut self,
        slots: &'v [Slot],
        start: usize,
        record: TypeId,
        value: &'v Value,
        pending: &mut Vec<Pending<'v>>,
    ) -> Result<(), Fault>
    where
        'p: 'v,
    {
        let Value::Record(fields) = value else { return Err(wrong(value, "a record")) };
        for slot in slots {
            let Some(index) = slot.field else { continue };
            let value = self.field(record, fields, index);
            let field = &self.tables.schema.record(record).fields[index as usize];
            let noted = pending.len();
            self.section_slot(slot, start, value, &field.ty, pending).map_err(|f| f.in_field(&field.name))?;
            pending[noted..].iter_mut().for_each(|pointer| pointer.path.insert(0, &field.name));
        }
        Ok(())
    }

    fn section_slot<'v>(
        &mut self,
        slot: &'v Slot,
        start: usize,
        value: &'v Value,
        ty: &'v Type,
        pending: &mut Vec<Pending<'v>>,
    ) -> Result<(), Fault>
    where
        'p: 'v,
    {
        let at = start + slot.at as usize;
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                scalar::write(scalar, value, &mut self.out[at..at + slot.width as usize], ByteOrder::Little)
            }
            SlotKind::Pointer { target } => {
                pending.push(Pending { at, target, value, ty, element: None, path: Vec::new() });
                Ok(())
            }
            SlotKind::Nest { record, slots } => self.slots(slots, start, *record, value, pending),
            SlotKind::Choice { union, arms } => {
                let Value::Choice(tag, value) = value else { return Err(wrong(value, "a union's arm")) };
                let Ok(discriminant) = u16::try_from(*tag) else {
                    return Err(Fault::new(Code::OutOfRange, format!("a union's tag of {tag}")));
                };
                scalar::store(&mut self.out[at..at + 2], ByteOrder::Little, discriminant.into());
                // An arm that the schema does not know has a tag and nothing else.
                let Some(arm) = arms.iter().find(|arm| arm.tag == *tag) else { return Ok(()) };
                let index = arm.slot.field.unwrap_or_default() as usize;
                let field = &self.tables.schema.union(*union).arms[index].field;
                let noted = pending.len();
                let written = self.section_slot(&arm.slot, start, value, &field.ty, pending);
                pending[noted..].iter_mut().for_each(|pointer| pointer.path.insert(0, &field.name));
                written.map_err(|f| f.in_field(&field.name))
            }
            SlotKind::Constant { .. } if *value == Value::Null => Ok(()),
            _ => Err(wrong(value, "of the field's type")),
        }
    }

    /// Writes what pointers lead to, in the order of the pointers.
    fn pointers(&mut self, mut pending: Vec<Pending<'_>>) -> Result<(), Fault> {
        pending.sort_by_key(|pointer| pointer.at);
        pending.iter().try_for_each(|pointer| {
            self.pointed(pointer.at, pointer.target, pointer.value, pointer.ty).map_err(|fault| pointer.blame(fault))
        })
    }

    fn pointed_blob(&mut self, at: usize, content: Content, bytes: &[u8]) -> Result<(), Fault> {
        let count = bytes.len() + usize::from(matches!(content, Content::Text(_)));
        let body = self.list(at, 2, count, count)?;
        self.out[body.start..body.start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// Appends the body of a list, `size` bytes of zeros, and writes the pointer to it.
    fn list(&mut self, at: usize, code: u64, count: usize, size: usize) -> Result<Range<usize>, Fault> {
        if count > MAX_COUNT {
            return Err(Fault::new(Code::OutOfRange, format!("{count} elements or bytes, of at most {MAX_COUNT}")));
        }
        let start = self.reserve(size.next_multiple_of(WORD));
        self.put(at, pointer_word(distance(at, start), 1, code | (count as u64) << 3));
        Ok(start..start + size)
    }

    fn records(&mut self, at: usize, record: TypeId, value: &Value) -> Result<(), Fault> {
        let Value::List(elements) = value else { return Err(wrong(value, "a list")) };
        let plan = self.plan;
        let Some((run, data)) = sections(&plan.layout(record).steps) else { return Err(wrong(value, "in sections")) };
        let stride = run.size as usize;
        let words = elements.len() * stride / WORD;
        if elements.len() > MAX_COUNT {
            return Err(Fault::new(Code::OutOfRange, format!("{} elements, of at most {MAX_COUNT}", elements.len())));
        }
        let body = self.list(at, 7, words, WORD + words * WORD)?;
        if stride == 0 {
            self.note_empty(elements.len(), self.out.len());
        }
        let sizes = section_words(run, data);
        self.put(body.start, tag_word(elements.len() as u64, sizes & 0xFFFF, sizes >> 16));
        self.enter()?;
        let mut pending = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            let noted = pending.len();
            let start = body.start + WORD + index * stride;
            self.slots(&run.slots, start, record, element, &mut pending).map_err(|f| f.in_element(index))?;
            pending[noted..].iter_mut().for_each(|pointer| pointer.element = Some(index));
        }
        self.pointers(pending)?;
        self.depth += 1;
        Ok(())
    }

    /// Writes a list of scalars, of nothing, or of pointers.
    fn cells(&mut self, at: usize, slot: &Slot, value: &Value, ty: &Type) -> Result<(), Fault> {
        let unpacked;
        let elements: &[Value] = match (value, &slot.kind) {
            (Value::Packed(bytes), SlotKind::Scalar(scalar)) if !matches!(scalar.repr, Repr::Bit(_)) => {
                let code = size_code(scalar.repr);
                let body = self.list(at, code, bytes.len() / scalar.repr.width() as usize, bytes.len())?;
                self.out[body.clone()].copy_from_slice(bytes);
                self.normalise_packed(slot, body.start, bytes.len());
                return Ok(());
            }
            (Value::Packed(bytes), _) => {
                unpacked = scalar::unpack(self.tables, ty, bytes);
                &unpacked
            }
            (Value::List(elements), _) => elements,
            _ => return Err(wrong(value, "a list")),
        };
        let count = elements.len();
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let bit = matches!(scalar.repr, Repr::Bit(_));
                let size = if bit { count.div_ceil(8) } else { count * scalar.repr.width() as usize };
                let body = self.list(at, size_code(scalar.repr), count, size)?;
                self.scalars(scalar.repr, body.start, elements, scalar)
            }
            SlotKind::Pointer { target } => {
                let body = self.list(at, 6, count, count * WORD)?;
                elements.iter().enumerate().try_for_each(|(index, element)| {
                    self.pointed(body.start + index * WORD, target, element, ty).map_err(|f| f.in_element(index))
                })
            }
            _ => {
                self.list(at, 0, count, 0)?;
                self.note_empty(count, self.out.len());
                Ok(())
            }
        }
    }

    fn scalars(
        &mut self,
        repr: Repr,
        start: usize,
        elements: &[Value],
        scalar: &aldis_plan::Scalar,
    ) -> Result<(), Fault> {
        let width = repr.width() as usize;
        elements.iter().enumerate().try_for_each(|(index, element)| {
            let written = if let Repr::Bit(_) = repr {
                let bit = aldis_plan::Scalar { repr: Repr::Bit((index % 8) as u8), ..scalar.clone() };
                scalar::write(&bit, element, &mut self.out[start + index / 8..=start + index / 8], ByteOrder::Little)
            } else {
                let at = start + index * width;
                scalar::write(scalar, element, &mut self.out[at..at + width], ByteOrder::Little)
            };
            written.map_err(|f| f.in_element(index))
        })
    }

    /// Copies the root of a flat message.
    fn opaque(&mut self, at: usize, message: &[u8]) -> Result<(), Fault> {
        let segment = 0..message.len();
        let arena = Arena { bytes: message, segments: slice::from_ref(&segment) };
        let (budget, before) = (u64::MAX, self.out.len());
        let mut copier = Copier { arena, mode: Mode::Whole, out: &mut self.out, budget, depth: self.depth };
        copier.pointer(0, 0, at)?;
        let visited = budget - copier.budget;
        let written = (self.out.len() - before) as u64;
        self.unpaid = self.unpaid.saturating_add(visited.saturating_sub(written));
        Ok(())
    }
}

/// The code of a list's element size.
fn size_code(repr: Repr) -> u64 {
    match (repr, repr.width()) {
        (Repr::Bit(_), _) => 1,
        (_, 1) => 2,
        (_, 2) => 3,
        (_, 4) => 4,
        _ => 5,
    }
}

/// The upper half of a pointer to a record: words of data, then pointers.
fn section_words(run: &Run, data: u32) -> u64 {
    let (data, pointers) = (u64::from(data) / WORD as u64, u64::from(run.size - data) / WORD as u64);
    data | pointers << 16
}

/// The canonical form of a flat message that nests no deeper than `depth`.
fn canonical(message: &[u8], depth: u32) -> Result<Vec<u8>, Fault> {
    let segment = 0..message.len();
    let arena = Arena { bytes: message, segments: slice::from_ref(&segment) };
    let mut out = vec![0; WORD];
    Copier { arena, mode: Mode::Canonical, out: &mut out, budget: u64::MAX, depth }.pointer(0, 0, 0)?;
    Ok(out)
}
