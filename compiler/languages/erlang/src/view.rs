//! Single fields read in place, and the functions for a whole schema: dispatch by record and by id.

use crate::code::{quote, Expr};
use crate::decode::message::{guarded, reading, root_budget, root_state, Envelope};
use crate::decode::value::is_deferred;
use crate::erl::{atom, binary, bind, call, function, spec, trees, tuple, Atom, Clause};
use crate::gen::Gen;
use crate::slots::{match_segments, name_field, unnamed, Floats};
use crate::wire::{Here, Wire};
use aldis_emit::doc::concat;
use aldis_plan::{Container, Extent, FixedInt, Meaning, Message, Register, Run, Slot, SlotKind, Step, TypeId};

/// The clauses of the functions that read single fields of a message.
#[derive(Debug, Default)]
struct Getters {
    /// The clauses of `M_get/2`.
    usual: Vec<Clause>,
    /// The clauses of `M_get/3`.
    optional: Vec<Clause>,
    /// The clauses of the function that reads any bytes.
    careful: Vec<Clause>,
    /// The clauses of the function that reads a field of the record.
    readers: Vec<Clause>,
    /// The clause that looks fields of the first run up in usual messages.
    looked_up: Option<Clause>,
}

/// A clause of a function of bytes as one for the field alone.
fn of_field(field: &Atom, mut clause: Clause) -> Clause {
    clause.patterns.insert(0, field.into());
    clause
}

impl<'a> Gen<'a> {
    /// `M_field/1` for each field, `M_get/2` and `M_get/3`.
    pub fn views(&mut self, wire: Wire<'a>, message: &'a Message) {
        let id = message.record;
        let get = atom(&format!("{}_get", self.names.of(id)));
        let mut getters = Getters::default();
        let segments = matches!(wire.plan.container, Container::Segments(_));
        let careful =
            if segments { String::new() } else { self.private(&format!("{}_get_carefully", self.names.of(id))) };
        let careful = atom(&careful);
        getters.looked_up = if segments { None } else { self.fast_fields(wire, message, &careful) };
        let fields = &self.schema.record(id).fields;
        for (index, field) in fields.iter().enumerate() {
            let name = self.names.view(id, index);
            let result = format!("aldis:read({})", self.read_type(id, index));
            let head = concat([crate::erl::edoc(&field.doc), spec(atom(&name), &["binary()"], &result)]);
            let own = self.names.field_atom(id, index);
            self.front(&name, "Bin", head, call(&get, [own.into(), quote("Bin")]), index + 1 == fields.len());
            self.getter(wire, message, index as u32, &careful, &mut getters);
        }
        let no_field = |gen: &mut Self| call("aldis:no_field", [quote("Field"), gen.field_names(id)]);
        if self.schema.record(id).fields.is_empty() {
            // Dialyzer takes a function that can only raise for a mistake: a message without fields answers with an error.
            let nothing = || quote("{error, {bad_value, '-', <<>>}}");
            getters.usual.push(Clause::new(["_", "_"], [nothing()]));
            getters.optional.push(Clause::new(["_", "_", "_"], [nothing()]));
        } else if segments {
            getters.usual.push(Clause::new(["Field", "_"], [no_field(self)]));
            getters.optional.push(Clause::new(["Field", "_", "_"], [no_field(self)]));
        } else {
            self.careful_getter(wire, message, &careful, &mut getters);
        }
        let takes = ["atom()", "binary()", "aldis:decode_options()"];
        for (takes, clauses) in [(&takes[..2], getters.usual), (&takes, getters.optional)] {
            let spec = spec(&get, takes, "{ok, term()} | {error, aldis:reason()}");
            let args = &["Field", "Bin", "Options"][..takes.len()];
            self.export(&format!("{}_get", self.names.of(id)), args, spec, function(&get, &clauses));
        }
    }

    /// Adds the clauses for one field.
    fn getter(&mut self, wire: Wire<'a>, message: &'a Message, field: u32, careful: &Atom, getters: &mut Getters) {
        let id = message.record;
        let own = self.names.field_atom(id, field as usize);
        let definition = &self.schema.record(id).fields[field as usize];
        let get = atom(&format!("{}_get", self.names.of(id)));
        if let Container::Segments(_) = wire.plan.container {
            let given = format!("fun(Given) -> {get}({own}, Given) end");
            let (clauses, optional) = match &definition.constant {
                Some(constant) => {
                    let value = self.literal(constant, &definition.ty, crate::literal::Fresh::Zero);
                    let clause = Clause::new(["Bin"], [call("aldis_wire:constant", [quote("Bin"), value])]);
                    (vec![clause], call("aldis:decoded", [given, "Bin".into(), "Options".into()].map(quote)))
                }
                None => self.view_of_segments(message, field, &given),
            };
            getters.usual.extend(clauses.into_iter().map(|clause| of_field(&own, clause)));
            getters.optional.push(Clause::new([format!("{own}, Bin, Options")], [optional]));
            return;
        }
        let usual = format!("{careful}({own}, Bin, default)");
        if let Some(constant) = &definition.constant {
            let value = self.literal(constant, &definition.ty, crate::literal::Fresh::Zero);
            let checked = call("aldis_wire:constant", [quote("Bin"), value]);
            getters.careful.push(Clause::new([format!("{own}, Bin, _")], [checked]));
            return;
        }
        let in_run = self.run_with(&wire, id, field);
        getters.readers.extend(self.view_reader(wire, id, field, in_run));
        let looked_up = getters.looked_up.is_some() && in_run.is_some_and(|(_, slot)| crate::fast::plain(slot));
        if !looked_up && !self.strict_text.reaches(&definition.ty) {
            let clauses = self.fast_view(wire, message, field, &usual);
            getters.usual.extend(clauses.into_iter().map(|clause| of_field(&own, clause)));
        }
    }

    /// The first run with the slot of a field, where the function of the run's fields has it.
    fn run_with(&self, wire: &Wire<'a>, id: TypeId, field: u32) -> Option<(&'a Run, &'a Slot)> {
        let Some(Step::Run(run)) = wire.layout(id).steps.first() else { return None };
        let slot = run.slots.iter().find(|slot| slot.field == Some(field))?;
        self.is_in_block(wire, slot).then_some((run, slot))
    }

    /// Adds the function that reads any field of whatever bytes there can be.
    fn careful_getter(&mut self, wire: Wire<'a>, message: &'a Message, careful: &Atom, getters: &mut Getters) {
        let id = message.record;
        let mut clauses = std::mem::take(&mut getters.careful);
        let mut readers = std::mem::take(&mut getters.readers);
        let args = wire.args(&Here::new(), wire.takes_base(id), wire.takes_extent(id));
        let head = || std::iter::once("Field".to_owned()).chain(args.clone()).collect::<Vec<_>>();
        if let Some(Step::Run(run)) = wire.layout(id).steps.first() {
            if run.slots.iter().any(|slot| self.is_in_block(&wire, slot)) {
                let found = match self.has_read_table(&wire, run) {
                    true => self.field_by_table(&wire, id, run),
                    false => self.in_block(wire, id, run, quote("Field")),
                };
                let body = vec![self.view_block(&wire, run), found];
                readers.push(Clause::new(trees(head()), body));
            }
        }
        let args = ["Field", "Bin", "Limits"];
        if readers.is_empty() {
            let none = call("aldis:no_field", [quote("Field"), self.field_names(id)]);
            clauses.push(Clause::new(["Field", "_", "_"], [none]));
        } else {
            let view = atom(&self.private(&format!("view_{}{}", self.names.of(id), wire.suffix())));
            self.add(function(&view, &readers));
            let mut body = vec![call("aldis:check_field", [quote("Field"), self.field_names(id)])];
            match self.view_of_table(wire, message, &view, clauses.len()) {
                Some(viewed) => {
                    clauses.clear();
                    body.push(viewed);
                }
                None => body.extend(self.view_body(wire, message, &view)),
            }
            clauses.push(Clause::new(args.map(quote).to_vec(), body));
        }
        self.add(function(careful, &clauses));
        getters.usual.extend(getters.looked_up.take());
        let usual = quote(format!("{careful}(Field, Bin, default)"));
        getters.usual.push(Clause::new(["Field", "Bin"], [usual]));
        let get = atom(&format!("{}_get", self.names.of(id)));
        let optional = format!("aldis:viewed(Field, fun {get}/2, fun {careful}/3, Bin, Options)");
        getters.optional.push(Clause::new(["Field", "Bin", "Options"], [optional]));
    }

    /// The call that reads any field, where the run's table has the values of the message's `constants`.
    fn view_of_table(&mut self, wire: Wire<'a>, message: &'a Message, view: &Atom, constants: usize) -> Option<Expr> {
        let id = message.record;
        let Some(Step::Run(run)) = wire.layout(id).steps.first() else { return None };
        let fixed = run.slots.iter().filter(|slot| matches!(slot.kind, SlotKind::Constant { .. })).count();
        if constants == 0 || fixed != constants || !self.has_read_table(&wire, run) {
            return None;
        }
        let table = format!("{}()", self.run_table(&wire, id, &run.slots, (0, run.size)));
        let open = self.open(wire, message);
        self.opened(wire, message, "aldis_run:viewed", &["Field", &table], &open, &view.into())
    }

    fn view_body(&mut self, wire: Wire<'a>, message: &'a Message, view: &Atom) -> Vec<Expr> {
        let open = self.open(wire, message);
        let viewed = self.opened(wire, message, "aldis_wire:viewed", &["Field"], &open, &view.into());
        if let Some(viewed) = viewed {
            return vec![viewed];
        }
        let pattern = Envelope::of(&wire, message).pattern();
        let opened = bind(pattern, format!("{open}(Bin)"));
        let mut body = vec![root_budget(&message.envelope.head), opened];
        let args = wire.args(&root_state(), false, wire.takes_extent(message.record));
        let args: Vec<String> = std::iter::once("Field".to_owned()).chain(args).collect();
        body.push(tuple([quote("ok"), call(view, args)]));
        let size = self.frame_size(wire, message);
        reading(body, size)
    }

    /// The clause that reads a field of a record, and nothing behind it; none for one that the function of the run's fields has.
    fn view_reader(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        field: u32,
        in_run: Option<(&'a Run, &'a Slot)>,
    ) -> Option<Clause> {
        if in_run.is_some() {
            return None;
        }
        let body = match wire.layout(id).steps.first() {
            Some(Step::Run(run)) if run.slots.iter().any(|slot| slot.field == Some(field)) => {
                self.view_in_run(wire, id, run, field)
            }
            _ => {
                let bound = self.bind_steps(wire, id, Some(field));
                let value = bound.values.get(&field).cloned().unwrap_or_else(|| "undefined".to_owned());
                let mut body = bound.statements;
                body.push(quote(value));
                body
            }
        };
        let args = wire.args(&Here::new(), wire.takes_base(id), wire.takes_extent(id));
        Some(of_field(&self.names.field_atom(id, field as usize), Clause::new(trees(&args), body)))
    }

    fn view_in_run(&mut self, wire: Wire<'a>, id: TypeId, run: &'a Run, field: u32) -> Vec<Expr> {
        let named = name_field(self.names, id, &run.slots, field);
        let Some(slot) = named.iter().find(|n| n.slot.field == Some(field)) else { return Vec::new() };
        let mut body = vec![self.view_block(&wire, run)];
        if !is_deferred(&wire, slot.slot) {
            body.push(self.value_in_block(&wire, id, run, slot, "Path"));
            return body;
        }
        let mut raw = slot.clone();
        raw.var = "Found".to_owned();
        let of = |gen: &Self, found: String| gen.guarded(&wire, run, &raw, quote(found), quote("missing"));
        match slot.slot.kind {
            SlotKind::Link(_) => body.push(bind(slot.at(), of(self, raw.at()))),
            SlotKind::Presence(_) => {
                let both = tuple([quote(raw.has()), quote(raw.at())]);
                let found = self.guarded(&wire, run, &raw, both, quote("{missing, missing}"));
                body.push(bind(tuple([quote(slot.has()), quote(slot.at())]), found));
            }
            _ => body.push(bind(format!("{}Raw", slot.var), of(self, raw.var.clone()))),
        }
        let mut bound = crate::decode::record::Bound {
            statements: body,
            values: std::collections::BTreeMap::new(),
            run: None,
            here: Here::new().base("Bin"),
        };
        self.resolve(wire, id, slot, &mut bound);
        bound.statements.push(quote(slot.var.as_str()));
        bound.statements
    }

    /// The statement that binds `Block`, the bytes that the run really has.
    fn view_block(&self, wire: &Wire<'a>, run: &'a Run) -> Expr {
        match run.extent {
            Extent::Exact | Extent::Sections { .. } => {
                quote(format!("{{Block, _}} = aldis_wire:block(Bin, {}, Path)", run.size))
            }
            Extent::Acting => quote("{Block, _} = aldis_wire:block(Bin, Extent, Path)"),
            Extent::Stated { head } => {
                let mut registers = unnamed(&run.slots);
                registers.retain(|named| matches!(named.slot.kind, SlotKind::Register(_)));
                let register = |register: &Register| {
                    Some(match register.meaning {
                        Meaning::Extent { .. } => "Extent".to_owned(),
                        Meaning::TypeId { .. } => "TypeId".to_owned(),
                        _ => "_".to_owned(),
                    })
                };
                let order = wire.plan.byte_order;
                let pattern = match_segments(&registers, (0, head), order, Floats::Bits, &register);
                let expect = run.register(|r| matches!(r.meaning, Meaning::TypeId { .. })).map(|(_, r)| r.meaning);
                let typed = match expect {
                    Some(Meaning::TypeId { expect }) => format!("TypeId, {expect}"),
                    _ => "0, 0".to_owned(),
                };
                let found = quote(format!("aldis_wire:typed_block(Bin, Extent, {head}, {typed}, Path)"));
                let clauses = [
                    (binary(pattern.into_iter().chain([quote("_/binary")])), found),
                    (quote("_"), quote("aldis_wire:truncated(Bin, Path)")),
                ];
                bind("Block", crate::erl::case_of(quote("Bin"), clauses))
            }
        }
    }

    /// `encode/1`, `identify/1`, `decode/1`, `decode/2` of a form.
    pub fn dispatch(&mut self, wire: Wire<'a>) {
        let suffix = wire.suffix();
        let encode = format!("encode{suffix}");
        let mut clauses: Vec<Clause> = Vec::new();
        // The value of a record with a union and no other field is the union's tuple, which does not say whose it is.
        for message in wire.plan.messages.iter().filter(|message| self.only_union(message.record).is_none()) {
            let pattern = format!("#{}{{}} = Value", self.names.atom(message.record));
            let call = format!("{}(Value)", atom(&format!("encode_{}{suffix}", self.names.of(message.record))));
            clauses.push(Clause::new([&pattern], [call]));
        }
        clauses.push(Clause::new(["_"], ["{error, {unknown_message, '-', <<>>}}"]));
        let head = spec(atom(&encode), &["tuple()"], "{ok, binary()} | {error, aldis:reason()}");
        self.export(&encode, &["Value"], head, function(atom(&encode), &clauses));
        self.identify(&wire);
        let decode = format!("decode{suffix}");
        let meant = if wire.plan.dispatch.is_some() { self.identified() } else { Vec::new() };
        let identify = atom(&format!("identify{suffix}"));
        let body = |args: &[&str]| {
            let decoders = meant.iter().map(|&(_, record)| {
                let name = self.names.of(record);
                let call = call(atom(&format!("decode_{name}{suffix}")), args.iter().copied().map(quote));
                (quote(format!("{{ok, {}}}", atom(name))), call)
            });
            let decoders = decoders.chain([(quote("{error, _} = Error"), quote("Error"))]);
            crate::erl::case_of(quote(format!("{identify}(Bin)")), decoders.collect::<Vec<_>>())
        };
        let of = |args: &[&str]| Clause::new(args.iter().copied(), [body(args)]);
        let mut clauses = self.fast_dispatch(&wire, &meant);
        clauses.push(of(&["Bin"]));
        let optional = of(&["Bin", "Options"]);
        let result = "{ok, tuple(), Rest :: binary()} | {error, aldis:reason()}";
        let takes = ["binary()", "aldis:decode_options()"];
        for (takes, clauses) in [(&takes[..1], clauses), (&takes, vec![optional])] {
            let head = spec(atom(&decode), takes, result);
            self.export(&decode, &["Bin", "Options"][..takes.len()], head, function(atom(&decode), &clauses));
        }
    }

    /// `identify/1`: which message the bytes are.
    fn identify(&mut self, wire: &Wire<'a>) {
        let name = atom(&format!("identify{}", wire.suffix()));
        let little = wire.plan.byte_order == aldis_plan::ByteOrder::Little;
        let order = if little { "little" } else { "big" };
        let place = |fixed: &FixedInt| format!("{}, {}, {order}", fixed.at, fixed.bits);
        let body = match &wire.plan.dispatch {
            None => quote("aldis_wire:no_ids(Bin)"),
            Some(dispatch) => {
                let mut body = Vec::new();
                for (fixed, value) in &dispatch.expect {
                    body.push(quote(format!("aldis_wire:expect(Bin, {}, {value})", place(fixed))));
                }
                let start = match &dispatch.via {
                    Some(via) => {
                        body.push(quote(format!("Start = aldis_wire:start(Bin, {})", place(via))));
                        "Start"
                    }
                    None => "0",
                };
                body.push(quote(format!("Id = aldis_wire:id(Bin, {start}, {})", place(&dispatch.id))));
                body.push(crate::erl::case_of(quote("Id"), self.message_ids()));
                guarded(body, "aldis_wire:size(Bin)")
            }
        };
        let head = spec(&name, &["binary()"], "{ok, atom()} | {error, aldis:reason()}");
        let functions = function(&name, &[Clause::new(["Bin"], [body])]);
        self.export(&format!("identify{}", wire.suffix()), &["Bin"], head, functions);
    }

    /// Each id with the message that it means, where it is just one.
    fn identified(&self) -> Vec<(u64, TypeId)> {
        let meant = |(id, index): (u64, Option<usize>)| Some((id, self.schema.messages[index?].record));
        self.schema.meanings().into_iter().filter_map(meant).collect()
    }

    /// The answer of `identify/1` to each id.
    fn message_ids(&self) -> Vec<(Expr, Expr)> {
        let answer = |(id, record): (u64, TypeId)| {
            (quote(id.to_string()), quote(format!("{{ok, {}}}", self.names.atom(record))))
        };
        let mut clauses: Vec<(Expr, Expr)> = self.identified().into_iter().map(answer).collect();
        clauses.push((quote("_"), quote("aldis_wire:unknown_message(Bin)")));
        clauses
    }
}
