//! Runs and their slots.

use super::Encoder;
use crate::fault::{Code, Fault};
use crate::scalar;
use crate::Value;
use aldis_plan::{Link, Run, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Encoder<'_> {
    /// Appends a run with the fields of a record; the targets of its links follow.
    pub(super) fn run(&mut self, run: &Run, record: TypeId, fields: &[Value]) -> Result<(), Fault> {
        let start = self.reserve(run.size as usize);
        for slot in &run.slots {
            match &slot.kind {
                SlotKind::Register(register) => self.register(slot, register, start, 0)?,
                _ => self.field_slot(slot, start, record, fields)?,
            }
        }
        Ok(())
    }

    fn field_slot(&mut self, slot: &Slot, start: usize, record: TypeId, fields: &[Value]) -> Result<(), Fault> {
        let Some(index) = slot.field else { return Ok(()) };
        let value = self.field(record, fields, index);
        let definition = &self.tables.schema.record(record).fields[index as usize];
        let result = match value {
            Value::Null if definition.nullable() => self.null(slot, start),
            value => self.slot(slot, start, value, &definition.ty),
        };
        result.map_err(|f| f.leaving(definition).in_field(&definition.name))
    }

    /// Writes null into a slot whose field may be null: what stands for it, or zero where nothing does.
    fn null(&mut self, slot: &Slot, start: usize) -> Result<(), Fault> {
        match &slot.kind {
            SlotKind::Scalar(scalar) if scalar.null.or(scalar.absent).is_some() => {
                let order = self.order;
                scalar::write(scalar, &Value::Null, self.bytes(slot, start), order)
            }
            SlotKind::Nest { slots, .. } => slots.iter().try_for_each(|member| self.null(member, start)),
            SlotKind::Array { count, element } => {
                let from = start + slot.at as usize;
                (0..*count as usize).try_for_each(|index| self.null(element, from + index * element.width as usize))
            }
            _ => Ok(()),
        }
    }

    fn bytes(&mut self, slot: &Slot, start: usize) -> &mut [u8] {
        &mut self.out[start + slot.at as usize..start + slot.end() as usize]
    }

    /// Writes a value of type `ty` into a slot of a run that was reserved from `start` on.
    pub(super) fn slot(&mut self, slot: &Slot, start: usize, value: &Value, ty: &Type) -> Result<(), Fault> {
        let order = self.order;
        match &slot.kind {
            SlotKind::Scalar(scalar) => scalar::write(scalar, value, self.bytes(slot, start), order),
            SlotKind::Chars { .. } => self.chars(slot, start, value),
            SlotKind::Array { count, element } => self.array(slot, start, *count as usize, element, value, ty),
            SlotKind::Nest { record, slots } => {
                let Value::Record(members) = value else { return Err(wrong(value, "a record")) };
                slots.iter().try_for_each(|member| self.field_slot(member, start, *record, members))
            }
            SlotKind::Constant { ty, value: fixed } => {
                if value.is_constant(&Value::from_literal(fixed, ty, self.tables)) {
                    Ok(())
                } else {
                    Err(Fault::new(Code::BadValue, "the schema fixes another value"))
                }
            }
            SlotKind::Register(_) | SlotKind::Ignored { .. } => Ok(()),
            SlotKind::Pointer { .. } | SlotKind::Choice { .. } => Err(wrong(value, "in a section")),
            SlotKind::Link(link) => self.link(link, start + slot.at as usize, value, ty),
            SlotKind::Presence(link) => {
                if *value == Value::Null {
                    return Ok(());
                }
                let at = start + slot.at as usize;
                self.out[at] = 1;
                self.link(link, at + 1, value, ty.required())
            }
        }
    }

    fn chars(&mut self, slot: &Slot, start: usize, value: &Value) -> Result<(), Fault> {
        let Value::Bytes(text) = value else { return Err(wrong(value, "text")) };
        let bytes = self.bytes(slot, start);
        if text.len() > bytes.len() {
            let message = format!("text of {} bytes in a field of {}", text.len(), bytes.len());
            return Err(Fault::new(Code::OutOfRange, message));
        }
        bytes[..text.len()].copy_from_slice(text);
        Ok(())
    }

    fn array(
        &mut self,
        slot: &Slot,
        start: usize,
        count: usize,
        element: &Slot,
        value: &Value,
        ty: &Type,
    ) -> Result<(), Fault> {
        let from = start + slot.at as usize;
        match value {
            Value::Packed(bytes) if bytes.len() == count * element.width as usize => {
                self.bytes(slot, start).copy_from_slice(bytes);
                self.normalise_packed(element, from, bytes.len());
                Ok(())
            }
            Value::List(elements) if elements.len() == count => {
                let inner = ty.element();
                elements.iter().enumerate().try_for_each(|(index, value)| {
                    let at = from + index * element.width as usize;
                    self.slot(element, at, value, inner).map_err(|f| f.in_element(index))
                })
            }
            Value::List(elements) => {
                let text = format!("{} elements in an array of {count}", elements.len());
                Err(Fault::new(Code::OutOfRange, text))
            }
            _ => Err(wrong(value, "a list")),
        }
    }

    /// Normalises the NaNs among `length` bytes of packed scalars that were copied to `from`.
    pub(super) fn normalise_packed(&mut self, element: &Slot, from: usize, length: usize) {
        if let SlotKind::Scalar(scalar) = &element.kind {
            scalar::normalise_nans(scalar.repr, &mut self.out[from..from + length], self.order);
        }
    }

    /// Appends the link's target and stores, at `from`, how far from the base it is.
    fn link(&mut self, link: &Link, from: usize, value: &Value, ty: &Type) -> Result<(), Fault> {
        let offset = (self.out.len() - self.base) as u64;
        scalar::store(&mut self.out[from..from + 4], self.order, offset);
        self.node(&link.target, value, ty)
    }
}

pub(super) fn wrong(value: &Value, expected: &str) -> Fault {
    match value {
        Value::Null => Fault::new(Code::BadValue, scalar::REQUIRED),
        _ => Fault::new(Code::BadValue, format!("the value is not {expected}")),
    }
}
