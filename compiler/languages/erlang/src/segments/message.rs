//! The functions that users call, for messages that are segments.

use super::decode::Sizes;
use super::{sections, Gen};
use crate::decode::message::{guarded, reading};
use crate::erl::{atom, bind, concat_docs, function, spec, Clause};
use crate::literal::Fresh;
use crate::wire::Wire;
use aldis_emit::doc::{text, Doc};
use aldis_plan::{Message, Plan, Segments, Slot, SlotKind};
use aldis_schema::TypeId;

const ERROR: &str = "{error, aldis:reason()}";

/// The runtime's function that finds the segments.
fn opener(form: Segments) -> &'static str {
    match (form.table, form.packed) {
        (false, _) => "aldis_segments:open_flat",
        (true, true) => "aldis_segments:open_packed",
        (true, false) => "aldis_segments:open",
    }
}

/// The runtime's function that puts together a message of one segment.
fn framer(form: Segments) -> &'static str {
    match form {
        Segments { canonical: true, .. } => "aldis_segments:canonical",
        Segments { table: false, .. } => "aldis_segments:flat",
        Segments { packed: true, .. } => "aldis_segments:packed",
        Segments { .. } => "aldis_segments:framed",
    }
}

impl<'a> Gen<'a> {
    /// `encode_M`, `encode_M_iolist`, `decode_M` of one form.
    pub(crate) fn segment_functions(&mut self, wire: Wire<'a>, form: Segments, message: &'a Message) {
        let plan = self.wires[0].plan;
        let id = message.record;
        let (name, suffix, value) = (self.names.of(id).to_owned(), wire.suffix(), self.value_type(id));
        let (encode, io) = (atom(&format!("encode_{name}{suffix}")), format!("encode_{name}{suffix}_iolist"));
        let segment = self.segment_writer(plan, id);
        let body = vec![
            bind(text("{Segment, Words}"), text(format!("{segment}(Value)"))),
            text(format!("{{ok, {}(Segment, Words)}}", framer(form))),
        ];
        let plain = Clause::plain(&["Value"], text(format!("aldis:binary({}(Value))", atom(&io))));
        let answer = format!("{{ok, binary()}} | {ERROR}");
        self.export(
            &format!("encode_{name}{suffix}"),
            1,
            concat_docs([spec(&encode, &[&value], &answer), function(&encode, &[plain])]),
        );
        let doc = concat_docs([
            spec(&atom(&io), &[&value], &format!("{{ok, iodata()}} | {ERROR}")),
            function(&atom(&io), &[Clause::new(vec![text("Value")], vec![guarded(body, "none")])]),
        ]);
        self.export(&io, 1, doc);
        let reader = self.read_sections(plan, id);
        let body = vec![
            bind(text("{Segment, Message, Rest}"), text(format!("{}(Bin)", opener(form)))),
            bind(text("Value"), text(root(&reader, "Bin"))),
            text("{ok, Value, Rest}"),
        ];
        self.decoders(&format!("decode_{name}{suffix}"), &value, body);
    }

    fn decoders(&mut self, decode: &str, value: &str, body: Vec<Doc>) {
        let result = format!("{{ok, {value}, Rest :: binary()}} | {ERROR}");
        let own = atom(decode);
        let one = concat_docs([
            spec(&own, &["binary()"], &result),
            function(&own, &[Clause::new(vec![text("Bin")], reading("Bin", body, "none"))]),
        ]);
        let copied = Clause::plain(&["Bin", "Options"], text(format!("aldis:copied({own}(Bin), Options)")));
        let two =
            concat_docs([spec(&own, &["binary()", "aldis:decode_options()"], &result), function(&own, &[copied])]);
        self.export(decode, 1, one);
        self.export(decode, 2, two);
    }

    /// `f(Value) -> {Segment, Words}`
    fn segment_writer(&mut self, plan: &'a Plan, id: TypeId) -> String {
        let name = format!("segment_{}", self.names.of(id));
        self.define(&format!("sections:{name}"), &name, |gen, own| {
            let put = gen.put_record(plan, id);
            let null = Clause::plain(&["undefined"], text("aldis_check:wrong([])"));
            let body = vec![
                bind(text("{Low, High, Objects, Words}"), text(format!("{put}(Value, 0, 1, 0, [])"))),
                text("{[<<Low:32/little, High:32/little>> | Objects], Words}"),
            ];
            crate::erl::writer(&atom(own), &[null, Clause::new(vec![text("Value")], body)])
        })
    }

    /// `decode_as_M/1` and `encode_as_M/1`: values of a type that the schema leaves open.
    pub(crate) fn open_functions(&mut self, message: &'a Message) {
        let plan = self.wires[0].plan;
        let id = message.record;
        let (name, value) = (self.names.of(id).to_owned(), self.value_type(id));
        let (decode, encode) = (format!("decode_as_{name}"), format!("encode_as_{name}"));
        let reader = self.read_sections(plan, id);
        let body = vec![
            text("Flat = aldis_segments:opaque(Value)"),
            bind(text("{Segment, Message, _}"), text("aldis_segments:open_flat(Flat)")),
            text(format!("{{ok, {}}}", root(&reader, "Flat"))),
        ];
        let doc = concat_docs([
            spec(&atom(&decode), &["aldis:any_pointer()"], &format!("{{ok, {value}}} | {ERROR}")),
            function(&atom(&decode), &[Clause::new(vec![text("Value")], vec![guarded(body, "none")])]),
        ]);
        self.export(&decode, 1, doc);
        let segment = self.segment_writer(plan, id);
        let body = vec![
            bind(text("{Segment, Words}"), text(format!("{segment}(Value)"))),
            text("{ok, {any_pointer, iolist_to_binary(aldis_segments:flat(Segment, Words))}}"),
        ];
        let doc = concat_docs([
            spec(&atom(&encode), &[&value], &format!("{{ok, aldis:any_pointer()}} | {ERROR}")),
            function(&atom(&encode), &[Clause::new(vec![text("Value")], vec![guarded(body, "none")])]),
        ]);
        self.export(&encode, 1, doc);
    }

    /// The body of the function that reads one field of a message, null as the schema's default.
    pub(crate) fn view_of_segments(&mut self, form: Segments, message: &'a Message, field: u32) -> Vec<Doc> {
        let plan = self.wires[0].plan;
        let id = message.record;
        let slots = sections(plan, id).map_or(&[][..], |(run, _)| &run.slots);
        let Some(slot) = slots.iter().find(|slot| slot.field == Some(field)) else { return Vec::new() };
        let name = format!("view_{}_{}", self.names.of(id), self.names.field(id, field as usize));
        let reader = self.read_slot(plan, id, slot, Sizes::of(plan, id), &name);
        let open = bind(text("{Segment, Message, _}"), text(format!("{}(Bin)", opener(form))));
        let mut body = vec![open, bind(text("Value"), text(root(&reader, "Bin")))];
        body.push(text(self.or_default(id, slot, field)));
        reading("Bin", body, "none")
    }

    /// `{ok, Value}`, null replaced by what the schema says a null pointer is.
    fn or_default(&mut self, id: TypeId, slot: &Slot, field: u32) -> String {
        let definition = self.member(id, field);
        match (&slot.kind, &definition.default) {
            (SlotKind::Pointer { .. }, Some(default)) => {
                let default = self.literal(default, &definition.ty, Fresh::Made);
                format!("{{ok, case Value of undefined -> {default}; _ -> Value end}}")
            }
            _ => "{ok, Value}".to_owned(),
        }
    }
}

/// A call that reads the root record, which is one of defaults where its pointer is null.
fn root(reader: &str, input: &str) -> String {
    format!("aldis_pointer:root(fun {reader}/8, Segment, Message, aldis_wire:budget({input}, 0))")
}
