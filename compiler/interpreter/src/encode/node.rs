//! Parts of variable size.

use super::run::wrong;
use super::Encoder;
use crate::fault::{Code, Fault};
use crate::{order, scalar, Value};
use aldis_plan::{Element, Node, Repeat, Shape};
use aldis_schema::Type;

impl Encoder<'_> {
    /// Appends a value of type `ty`.
    pub(super) fn node(&mut self, node: &Node, value: &Value, ty: &Type) -> Result<(), Fault> {
        match node {
            Node::Cell { slot } => {
                let start = self.reserve(slot.width as usize);
                self.slot(slot, start, value, ty)
            }
            Node::Call { record } => self.record(*record, value),
            Node::Blob(blob) => {
                let Value::Bytes(bytes) = value else { return Err(wrong(value, "text or bytes")) };
                self.head(&blob.head, bytes.len() as u64)?;
                self.out.extend_from_slice(bytes);
                Ok(())
            }
            Node::Repeat(repeat) => self.repeat(repeat, value, ty),
            Node::Series { count, element } => {
                let Value::List(elements) = value else { return Err(wrong(value, "a list")) };
                if elements.len() != *count as usize {
                    return Err(wrong(value, &format!("a list of {count} elements")));
                }
                self.one_by_one(element, elements, ty.element())
            }
            Node::Opaque { .. } => Err(wrong(value, "behind a pointer")),
            Node::Maybe { value: inner } => {
                self.out.push(u8::from(*value != Value::Null));
                if *value == Value::Null {
                    return Ok(());
                }
                self.node(inner, value, ty.required())
            }
            Node::Rebase { value: inner } => {
                let base = std::mem::replace(&mut self.base, self.out.len());
                self.node(inner, value, ty)?;
                self.base = base;
                Ok(())
            }
        }
    }

    /// Appends a part that an older writer's message has none of.
    pub(super) fn empty(&mut self, node: &Node) -> Result<(), Fault> {
        match node {
            Node::Blob(blob) => self.head(&blob.head, 0).map(|_| ()),
            Node::Repeat(repeat) => self.head(&repeat.head, 0).map(|_| ()),
            _ => Err(wrong(&Value::Null, "there")),
        }
    }

    fn one_by_one(&mut self, element: &Node, values: &[Value], ty: &Type) -> Result<(), Fault> {
        values.iter().enumerate().try_for_each(|(index, value)| {
            let start = self.out.len();
            self.node(element, value, ty).map_err(|f| f.in_element(index))?;
            self.note_empty(1, start);
            Ok(())
        })
    }

    fn repeat(&mut self, repeat: &Repeat, value: &Value, ty: &Type) -> Result<(), Fault> {
        match (&repeat.element, value) {
            (Element::Pair { key, value: node }, Value::Map(entries)) => self.map(repeat, key, node, entries, ty),
            (Element::One(_), Value::Packed(bytes)) if repeat.shape == Shape::Set => {
                let elements = scalar::unpack(self.tables, ty.element(), bytes);
                self.repeat(repeat, &Value::List(elements.into()), ty)
            }
            (Element::One(Node::Cell { slot }), Value::Packed(bytes)) => {
                let count = bytes.len() / slot.width.max(1) as usize;
                self.head(&repeat.head, count as u64)?;
                let from = self.out.len();
                self.out.extend_from_slice(bytes);
                self.normalise_packed(slot, from, bytes.len());
                Ok(())
            }
            (Element::One(node), Value::List(elements)) if repeat.shape == Shape::Set => {
                let mut sorted = elements.to_vec();
                order::sort_set(self.tables, ty.element(), &mut sorted);
                self.elements(repeat, node, &sorted, ty)
            }
            (Element::One(node), Value::List(elements)) => self.elements(repeat, node, elements, ty),
            _ => Err(wrong(value, "a list, set or map")),
        }
    }

    fn elements(&mut self, repeat: &Repeat, node: &Node, elements: &[Value], ty: &Type) -> Result<(), Fault> {
        self.head(&repeat.head, elements.len() as u64)?;
        let Node::Cell { slot } = node else {
            return self.one_by_one(node, elements, ty.element());
        };
        // Cells make one table; what their links lead to comes after it.
        let stride = slot.width as usize;
        let table = self.reserve(elements.len() * stride);
        self.note_empty(elements.len(), table);
        elements.iter().enumerate().try_for_each(|(index, value)| {
            self.slot(slot, table + index * stride, value, ty.element()).map_err(|f| f.in_element(index))
        })
    }

    fn map(
        &mut self,
        repeat: &Repeat,
        key_node: &Node,
        value_node: &Node,
        entries: &[(Value, Value)],
        ty: &Type,
    ) -> Result<(), Fault> {
        let Type::Map { key: key_type, value: value_type, .. } = ty.required() else {
            return Err(Fault::new(Code::BadValue, "a map where none belongs"));
        };
        let mut sorted = entries.to_vec();
        order::sort_map(self.tables, key_type, &mut sorted);
        self.head(&repeat.head, sorted.len() as u64)?;
        if let (Node::Cell { slot: key_slot }, Node::Cell { slot: value_slot }) = (key_node, value_node) {
            let stride = (key_slot.width + value_slot.width) as usize;
            let table = self.reserve(sorted.len() * stride);
            self.note_empty(sorted.len(), table);
            return sorted.iter().enumerate().try_for_each(|(index, (key, value))| {
                let at = table + index * stride;
                self.slot(key_slot, at, key, key_type).map_err(|f| f.in_element(index))?;
                self.slot(value_slot, at, value, value_type).map_err(|f| f.in_element(index))
            });
        }
        sorted.iter().enumerate().try_for_each(|(index, (key, value))| {
            let start = self.out.len();
            self.node(key_node, key, key_type).map_err(|f| f.in_element(index))?;
            self.node(value_node, value, value_type).map_err(|f| f.in_element(index))?;
            self.note_empty(1, start);
            Ok(())
        })
    }
}
