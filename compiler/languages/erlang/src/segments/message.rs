//! The functions that users call, for messages that are segments: what they do is the runtime's, with this schema's
//! readers and writers.

use super::decode::Sizes;
use super::Gen;
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, call, function, spec, Clause};
use crate::literal::Fresh;
use crate::wire::Wire;
use aldis_emit::writes_unpaid;
use aldis_plan::{Message, Segments, Slot, SlotKind};
use aldis_schema::TypeId;

const ERROR: &str = "{error, aldis:reason()}";

/// The runtime's name for a form.
fn form_atom(form: Segments) -> &'static str {
    match (form.table, form.packed) {
        (false, _) => "flat",
        (true, true) => "packed",
        (true, false) => "framed",
    }
}

impl<'a> Gen<'a> {
    /// `encode_M`, `encode_M_iolist`, `decode_M` of one form.
    pub(crate) fn segment_functions(&mut self, wire: Wire<'a>, form: Segments, message: &'a Message) {
        let plan = self.wires[0].plan;
        let id = message.record;
        let (name, suffix, value) = (self.names.of(id).to_owned(), wire.suffix(), self.value_type(id));
        let (encode, decode) = (format!("encode_{name}{suffix}"), format!("decode_{name}{suffix}"));
        let (io, form) = (format!("{encode}_iolist"), form_atom(form));
        let put = self.put_record(plan, id);
        let binary = format!("aldis:binary({}(Value))", atom(&io));
        self.exported(&encode, (&value, &format!("{{ok, binary()}} | {ERROR}")), "Value", &binary);
        let own = atom(&decode);
        let written = format!("aldis_message:encode({form}, fun {put}/5, Value)");
        let clauses = match (form, writes_unpaid(plan, id)) {
            ("framed", false) => self.encode_clauses(plan, id, &written),
            ("framed", true) => {
                let clauses = self.encode_clauses(plan, id, &written);
                let unread = atom(&self.private(&format!("{encode}_unread")));
                self.add(function(&unread, &clauses));
                vec![Clause::new(["Value"], [format!("aldis:readable({unread}(Value), fun {own}/1)")])]
            }
            (_, true) => vec![Clause::new(["Value"], [format!("aldis:readable({written}, fun {own}/1)")])],
            ("flat", false) => {
                let canonical = format!("aldis_message:encode_canonical(fun {put}/5, fun {own}/1, Value)");
                vec![Clause::new(["Value"], [canonical])]
            }
            (_, false) => vec![Clause::new(["Value"], [written])],
        };
        let result = format!("{{ok, iodata()}} | {ERROR}");
        self.export(&io, &["Value"], spec(atom(&io), &[&value], &result), function(atom(&io), &clauses));
        let read = self.read_sections(plan, id);
        let result = format!("{{ok, {value}, Rest :: binary()}} | {ERROR}");
        let clauses = match form {
            "framed" if !self.strict_text.reaches_from(id) => self.whole_message(plan, id, &read),
            _ => vec![Clause::new(["Bin"], [format!("aldis_message:decode({form}, fun {read}/8, Bin)")])],
        };
        self.export(&decode, &["Bin"], spec(&own, &["binary()"], &result), function(&own, &clauses));
        let under = format!("aldis_message:decoded({form}, fun {read}/8, fun {own}/1, Bin, Options)");
        let under = Clause::new(["Bin", "Options"], [under]);
        let head = spec(&own, &["binary()", "aldis:decode_options()"], &result);
        self.export(&decode, &["Bin", "Options"], head, function(&own, &[under]));
    }

    /// An exported function of one argument: its type and that of the result, its name and the body.
    fn exported(&mut self, name: &str, (ty, result): (&str, &str), arg: &str, body: &str) {
        let own = atom(name);
        let functions = function(&own, &[Clause::new([arg], [body])]);
        self.export(name, &[arg], spec(&own, &[ty], result), functions);
    }

    /// `decode_as_M/1`, `decode_as_M/2` and `encode_as_M/1`: values of a type that the schema leaves open.
    pub(crate) fn open_functions(&mut self, message: &'a Message) {
        let plan = self.wires[0].plan;
        let id = message.record;
        let (name, value) = (self.names.of(id).to_owned(), self.value_type(id));
        let (decode, encode) = (format!("decode_as_{name}"), format!("encode_as_{name}"));
        let (read, put) = (self.read_sections(plan, id), self.put_record(plan, id));
        let result = format!("{{ok, {value}}} | {ERROR}");
        let call = format!("aldis_message:decode_as(fun {read}/8, Value)");
        self.exported(&decode, ("aldis:any_pointer()", &result), "Value", &call);
        let own = atom(&decode);
        let call = quote(format!("aldis_message:decode_as(fun {read}/8, Value, Options)"));
        let under = function(&own, &[Clause::new(["Value", "Options"], [call])]);
        let spec = spec(&own, &["aldis:any_pointer()", "aldis:decode_options()"], &result);
        self.export(&decode, &["Value", "Options"], spec, under);
        let call = match writes_unpaid(plan, id) {
            true => format!("aldis_message:encode_as(fun {put}/5, fun {read}/8, Value)"),
            false => format!("aldis_message:encode_as(fun {put}/5, Value)"),
        };
        self.exported(&encode, (&value, &format!("{{ok, aldis:any_pointer()}} | {ERROR}")), "Value", &call);
    }

    /// The clauses of a function that reads one field of a message, null as the schema's default, and what reads it under
    /// `Options`; `own` is that function, as an expression.
    pub(crate) fn view_of_segments(&mut self, message: &'a Message, field: u32, own: &str) -> (Vec<Clause>, Expr) {
        let plan = self.wires[0].plan;
        let id = message.record;
        let slots = plan.sections(id).map_or(&[][..], |(run, _)| &run.slots);
        let Some(slot) = slots.iter().find(|slot| slot.field == Some(field)) else { return (Vec::new(), Expr::Null) };
        if let SlotKind::Constant { .. } = slot.kind {
            let clause = Clause::new(["Bin"], ["aldis_wire:constant(Bin, undefined)"]);
            let given = [own, "Bin", "Options"].map(quote);
            return (vec![clause], call("aldis:decoded", given));
        }
        let name = format!("view_{}_{}", self.names.of(id), self.names.field(id, field as usize));
        let read = self.read_slot(plan, id, slot, Sizes::of(plan, id), &name);
        let default = self.pointer_default(id, slot, field);
        let long = match &default {
            Some(default) => quote_with(format!("aldis_message:view(fun {read}/8, Bin, ?1)"), [default.clone()]),
            None => quote(format!("aldis_message:view(fun {read}/8, Bin)")),
        };
        let mut clauses = Vec::new();
        if !self.strict_text.reaches(&self.member(id, field).ty) {
            clauses.extend(self.view_clause(plan, id, field, (&long, default.as_ref())));
        }
        clauses.push(Clause::new(["Bin"], [long]));
        let given = [quote(format!("fun {read}/8")), quote(own)];
        let args = given.into_iter().chain(default).chain(["Bin", "Options"].map(quote));
        (clauses, call("aldis_message:viewed", args))
    }

    /// The value that the schema gives a null pointer.
    fn pointer_default(&mut self, id: TypeId, slot: &Slot, field: u32) -> Option<Expr> {
        let definition = self.member(id, field);
        let default = definition.default.as_ref().filter(|_| matches!(slot.kind, SlotKind::Pointer { .. }))?;
        Some(self.literal(default, &definition.ty, Fresh::Made))
    }
}
