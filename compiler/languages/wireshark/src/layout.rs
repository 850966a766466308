//! Plans as tables: where the bytes of each wire form are. The engine walks them as `aldis_plan` describes it.

use crate::lua::{Lua, Table};
use crate::names::Filters;
use crate::schema::number;
use aldis_plan::{
    ByteOrder, Container, Content, Element, Extent, FixedInt, FrameCheck, Layout, Link, Meaning, Message, Missing,
    Node, NullLink, NullValue, Plan, Register, Repeat, RootPlace, Run, Scalar, Slot, SlotKind, Step,
};
use aldis_schema::{default_of_field, Field, Literal, Schema, Type, TypeId, TypeKind};

/// Makes tables of the plans of one schema.
pub struct Layouts<'a, 'r> {
    schema: &'a Schema,
    filters: &'a mut Filters<'r>,
    /// The names of numbers in heads, in the order in which they were met.
    heads: Vec<String>,
}

impl<'a, 'r> Layouts<'a, 'r> {
    pub fn new(schema: &'a Schema, filters: &'a mut Filters<'r>) -> Self {
        Self { schema, filters, heads: Vec::new() }
    }

    /// The fields for the numbers in heads that the tables name.
    pub fn heads(self) -> Lua {
        let filters = self.filters;
        let field = |name: String| {
            let filter = filters.of_head(&name);
            Table::new([Lua::from(name), filter.into(), "uint64".into()]).into()
        };
        Table::new(self.heads.into_iter().map(field).collect::<Vec<_>>()).into()
    }

    /// One wire form.
    pub fn form(&mut self, plan: &Plan) -> Lua {
        let layouts =
            plan.layouts.iter().map(|layout| layout.as_ref().map_or(Lua::False, |layout| self.layout(layout)));
        let layouts = Table::new(layouts.collect::<Vec<_>>());
        let messages = Table::new(plan.messages.iter().map(|message| self.message(message)).collect::<Vec<_>>());
        let ids = plan.schema.meanings().into_iter().filter(|_| plan.dispatch.is_some()).map(|(id, message)| {
            let message = message.map_or(Lua::False, |message| Lua::from(message as u32 + 1));
            Table::new([Lua::wide(id.into()), message]).into()
        });
        let segments = match plan.container {
            Container::Plain => None,
            Container::Segments(form) => {
                Some(Table::default().with_if("table", form.table).with_if("packed", form.packed))
            }
        };
        let dispatch = plan.dispatch.as_ref().map(|dispatch| {
            let expect = dispatch
                .expect
                .iter()
                .map(|(place, value)| Table::new([place_of(*place), Lua::wide((*value).into())]).into());
            Table::default()
                .with("id", place_of(dispatch.id))
                .with_some("via", dispatch.via.map(place_of))
                .with("expect", Table::new(expect))
        });
        let framing = plan
            .form
            .framing
            .as_ref()
            .map(|own| Table::default().with("length", place_of(own.length)).with("least", own.min));
        let own_length = plan.frame_length().map(|(place, plus)| {
            let head = plan.messages.first().map_or(0, |message| message.envelope.head.size);
            Table::default().with("length", place_of(place)).with("least", head).with("plus", Lua::Number(plus))
        });
        Table::new([Lua::from(plan.form.name.as_str())])
            .with("suffix", plan.form.suffix.as_str())
            .with_if("big", plan.byte_order == ByteOrder::Big)
            .with_some("segments", segments)
            .with_some("dispatch", dispatch)
            .with_some("framing", framing)
            .with_some("header_length", own_length)
            .with_some("header", plan.header.as_ref().map(|header| number(header.record)))
            .with("ids", Table::new(ids))
            .with("messages", messages)
            .with("layouts", layouts)
            .into()
    }

    fn message(&mut self, message: &Message) -> Lua {
        let root = match message.envelope.root {
            RootPlace::Follows => "follows",
            RootPlace::Registered => "registered",
            RootPlace::Pointed => "pointed",
        };
        let name = self.schema.type_def(message.record).name.full();
        Table::new([Lua::from(name), number(message.record), root.into()])
            .with("head", self.run(None, &message.envelope.head))
            .into()
    }

    fn layout(&mut self, layout: &Layout) -> Lua {
        let steps = layout.steps.iter().map(|step| match step {
            Step::Run(run) => Table::default().with("run", self.run(Some(layout.record), run)).into(),
            Step::Part { field, since, node } => Table::default()
                .with("field", field + 1)
                .with_some("since", (*since > 0).then_some(*since))
                .with("node", self.node(node))
                .into(),
        });
        Table::new(steps.collect::<Vec<_>>()).with_if("rebase", layout.rebase).into()
    }

    fn run(&mut self, record: Option<TypeId>, run: &Run) -> Lua {
        let table = self.slots(record, &run.slots).with("size", run.size);
        match run.extent {
            Extent::Exact => table.into(),
            Extent::Acting => table.with_if("acting", true).into(),
            Extent::Stated { head } => table.with("stated", head).into(),
            Extent::Sections { data } => table.with("data", data).into(),
        }
    }

    fn slots(&mut self, owner: Option<TypeId>, slots: &[Slot]) -> Table {
        Table::new(slots.iter().map(|slot| self.slot(owner, slot).into()).collect::<Vec<_>>())
    }

    /// A slot in a run of the owner, a record or union.
    fn slot(&mut self, owner: Option<TypeId>, slot: &Slot) -> Table {
        let field = slot.field.zip(owner).and_then(|(field, owner)| self.schema.field_at(owner, &[field]));
        let (kind, table) = self.kind(&slot.kind);
        let default = match (&slot.kind, slot.missing, field) {
            (SlotKind::Constant { ty, value }, ..) => literal(self.schema, ty, value),
            (_, Missing::Default, Some(field)) => default_of(self.schema, field),
            _ => None,
        };
        table
            .in_front([kind.into(), Lua::from(slot.at), Lua::from(slot.width)])
            .with_some("field", slot.field.map(|field| field + 1))
            .with_some("since", (slot.since > 0).then_some(slot.since))
            .with_some("needs", (slot.needed() != slot.end()).then(|| slot.needed()))
            .with_some("default", default)
    }

    fn kind(&mut self, kind: &SlotKind) -> (&'static str, Table) {
        let table = Table::default();
        match kind {
            SlotKind::Scalar(scalar) => ("scalar", scalar_table(scalar)),
            SlotKind::Chars { .. } => ("chars", table),
            SlotKind::Array { count, element } => {
                ("array", table.with("count", *count).with("item", self.slot(None, element)))
            }
            SlotKind::Nest { record, slots } => {
                ("nest", table.with("type", number(*record)).with("slots", self.slots(Some(*record), slots)))
            }
            SlotKind::Constant { .. } => ("constant", table),
            SlotKind::Register(register) => ("register", self.register(register)),
            SlotKind::Ignored { .. } => ("ignored", table),
            SlotKind::Link(link) => ("link", self.link(link)),
            SlotKind::Presence(link) => ("presence", self.link(link)),
            SlotKind::Pointer { target } => ("pointer", table.with("target", self.node(target))),
            SlotKind::Choice { union, arms } => {
                let arms = arms.iter().map(|arm| {
                    Table::new([Lua::wide(arm.tag.into())]).with("slot", self.slot(Some(*union), &arm.slot)).into()
                });
                (
                    "choice",
                    Table::default().with("arms", Table::new(arms.collect::<Vec<_>>())).with("type", number(*union)),
                )
            }
        }
    }

    fn link(&mut self, link: &Link) -> Table {
        let table = Table::default().with("target", self.node(&link.target));
        table.with_if("empty", link.null == NullLink::Empty)
    }

    fn register(&mut self, register: &Register) -> Table {
        let known = self.heads.iter().position(|name| *name == register.name);
        let head = known.unwrap_or_else(|| {
            self.heads.push(register.name.clone());
            self.heads.len() - 1
        });
        let table = Table::default()
            .with("head", head as u32 + 1)
            .with_some("constant", register.constant.map(|value| Lua::wide(value.into())));
        let (is, table) = match register.meaning {
            Meaning::FrameSize { check } => {
                ("size", table.with("check", if check == FrameCheck::Bounds { "bounds" } else { "exact" }))
            }
            Meaning::FrameLength { .. } => ("length", table),
            Meaning::Root => ("root", table),
            Meaning::Extent { .. } => ("extent", table),
            Meaning::TypeId { expect } | Meaning::SchemaId { expect } => {
                ("id", table.with("expect", Lua::wide(expect.into())))
            }
            Meaning::Version { writes } => ("version", table.with("writes", Lua::wide(writes.into()))),
            Meaning::Count { .. } => ("count", table),
        };
        table.with("is", is)
    }

    fn node(&mut self, node: &Node) -> Lua {
        let table = Table::default();
        let (name, table) = match node {
            Node::Cell { slot } => ("cell", table.with("slot", self.slot(None, slot))),
            Node::Call { record } => ("call", table.with("type", number(*record))),
            Node::Blob(blob) => (
                "blob",
                table
                    .with("head", self.run(None, &blob.head))
                    .with_if("text", matches!(blob.content, Content::Text(_))),
            ),
            Node::Repeat(repeat) => ("repeat", self.repeat(repeat)),
            Node::Series { count, element } => ("series", table.with("count", *count).with("item", self.node(element))),
            Node::Maybe { value } => ("maybe", table.with("item", self.node(value))),
            Node::Rebase { value } => ("rebase", table.with("item", self.node(value))),
            Node::Opaque { .. } => ("opaque", table),
        };
        table.in_front([name.into()]).into()
    }

    fn repeat(&mut self, repeat: &Repeat) -> Table {
        let table = Table::default()
            .with("head", self.run(None, &repeat.head))
            .with("least", repeat.element_min)
            .with_if("stated", repeat.states_extent());
        match &repeat.element {
            Element::One(node) => table.with("item", self.node(node)),
            Element::Pair { key, value } => {
                let both_cells = matches!((key, value), (Node::Cell { .. }, Node::Cell { .. }));
                table.with("key", self.node(key)).with("value", self.node(value)).with_if("side_by_side", both_cells)
            }
        }
    }
}

/// Offset and width of an integer.
fn place_of(place: FixedInt) -> Lua {
    Table::new([Lua::from(place.at), Lua::from(u32::from(place.bits) / 8)]).into()
}

fn scalar_table(scalar: &Scalar) -> Table {
    let null = scalar.null.map(|null| match null {
        NullValue::Bits(bits) => Lua::halves(bits),
        NullValue::Nan(_) => Lua::from("nan"),
    });
    let bit = match scalar.repr {
        aldis_plan::Repr::Bit(bit) => Some(u32::from(bit)),
        _ => None,
    };
    Table::default()
        .with_some("bit", bit)
        .with_some("null", null)
        .with_some("xor", (scalar.xor != 0).then(|| Lua::halves(scalar.xor)))
}

/// The value of a field that has none in the message, where one line can show it.
fn default_of(schema: &Schema, field: &Field) -> Option<Lua> {
    literal(schema, &field.ty, &default_of_field(schema, field))
}

/// A literal as the bits of a number, or as a text.
fn literal(schema: &Schema, ty: &Type, value: &Literal) -> Option<Lua> {
    let named = match ty.required() {
        Type::Named(id) => Some(&schema.type_def(*id).kind),
        _ => None,
    };
    match (value, ty.required()) {
        (_, Type::Named(_)) if matches!(named, Some(TypeKind::Record(_) | TypeKind::Union(_))) => None,
        (Literal::Bool(value), _) => Some(Lua::halves(u64::from(*value))),
        (Literal::Int(value), Type::Float32) => Some(Lua::halves(u64::from((*value as f32).to_bits()))),
        (Literal::Int(value), Type::Float64) => Some(Lua::halves((*value as f64).to_bits())),
        (Literal::Int(value), _) => Some(Lua::halves(*value as u64)),
        (Literal::Float(value), Type::Float32) => Some(Lua::halves(u64::from((*value as f32).to_bits()))),
        (Literal::Float(value), _) => Some(Lua::halves(value.to_bits())),
        (Literal::Text(value), _) => Some(value.as_str().into()),
        (Literal::Decimal(value), _) => Some(value.to_string().into()),
        _ => None,
    }
}
