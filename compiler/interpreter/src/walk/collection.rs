//! Sets and maps: collected, sorted, and given to the sink as a whole.

use super::{Sink, ValueSink, Walker};
use crate::fault::Fault;
use crate::{order, Value};
use aldis_plan::{Element, Repeat};
use aldis_schema::Type;

impl<'p, 'b, S: Sink> Walker<'p, 'b, S> {
    /// Walks `count` elements with a walker of its own, whose state goes on from this one's.
    pub(super) fn collection(
        &mut self,
        repeat: &'p Repeat,
        count: u64,
        ty: &'p Type,
        start: usize,
        paid: bool,
    ) -> Result<(), Fault> {
        let mut inner = Walker {
            plan: self.plan,
            tables: self.tables,
            order: self.order,
            bytes: self.bytes,
            segments: self.segments,
            sink: ValueSink::default(),
            state: self.state,
        };
        let value = match &repeat.element {
            Element::One(node) => inner.set(node, count as usize, ty.element(), paid)?,
            Element::Pair { key, value } => inner.map(key, value, (count as usize, paid), ty)?,
        };
        self.state = inner.state;
        self.sink.tree(self.tables, ty.required(), &value, start)
    }
}

impl<'p> Walker<'p, '_, ValueSink> {
    fn set(&mut self, node: &'p aldis_plan::Node, count: usize, ty: &'p Type, paid: bool) -> Result<Value, Fault> {
        let mut elements = Vec::new();
        for index in 0..count {
            let from = self.state.cursor;
            self.node(node, ty).map_err(|f| f.in_element(index))?;
            self.charge_if_empty(from, paid).map_err(|f| f.in_element(index))?;
            elements.push(self.sink.finish());
        }
        order::sort_set(self.tables, ty, &mut elements);
        Ok(Value::List(elements.into()))
    }

    fn map(
        &mut self,
        key: &'p aldis_plan::Node,
        value: &'p aldis_plan::Node,
        (count, paid): (usize, bool),
        ty: &'p Type,
    ) -> Result<Value, Fault> {
        let Type::Map { key: key_type, value: value_type, .. } = ty.required() else {
            return Ok(Value::Map(Box::default()));
        };
        let mut entries = Vec::new();
        for index in 0..count {
            let from = self.state.cursor;
            self.pair(key, value, key_type, value_type).map_err(|f| f.in_element(index))?;
            self.charge_if_empty(from, paid).map_err(|f| f.in_element(index))?;
            entries.push(self.sink.finish_pair());
        }
        order::sort_map(self.tables, key_type, &mut entries);
        Ok(Value::Map(entries.into()))
    }
}
