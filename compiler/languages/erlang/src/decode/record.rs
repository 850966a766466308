//! Readers of records: one function a record, one a run of it where something follows the run.

use super::value::is_deferred;
use crate::code::{quote, Expr};
use crate::erl::{
    atom, binary, bind, binop, call, case_of, function, guarded_by, list, record, trees, tuple, Atom, Callee, Clause,
    Functions,
};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{match_segments, name_slots, Floats, Named};
use crate::wire::{Here, Wire};
use aldis_plan::{leaves, surcharge_within, Extent, Limits, Meaning, Register, Run, SlotKind, Step};
use aldis_schema::TypeId;
use std::collections::BTreeMap;

/// Ends and costs, as a list of tuples.
pub(crate) fn rows(rows: &[(u32, u64)]) -> String {
    let rows: Vec<String> = rows.iter().map(|(end, cost)| format!("{{{end}, {cost}}}")).collect();
    format!("[{}]", rows.join(", "))
}

/// End and surcharge, as a tuple, of each slot in a run that has one.
pub(super) fn surcharges(run: &Run) -> Vec<String> {
    let leaves = leaves(run);
    let charged = leaves.iter().map(|leaf| (leaf.slot.end(), leaf.slot.surcharge())).filter(|(_, charge)| *charge > 0);
    charged.map(|(end, charge)| format!("{{{end}, {charge}}}")).collect()
}

/// The variables that a record's reader has bound by some point.
#[derive(Debug)]
pub(crate) struct Bound {
    pub statements: Vec<Expr>,
    /// The variable or expression of each field.
    pub values: BTreeMap<u32, String>,
    /// The variable of the record with the values of its run, where the runtime read that.
    pub run: Option<&'static str>,
    pub here: Here,
}

/// The destination of a run's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    /// Into the record, which has nothing else.
    Record,
    /// Back to the record's reader.
    Values,
}

impl<'a> Gen<'a> {
    /// The function that reads a record: see [`Wire::args`] for what it takes, [`Wire::result`] for what it returns.
    pub fn read_record(&mut self, wire: Wire<'a>, id: TypeId) -> Callee {
        let name = format!("read_{}{}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let layout = wire.layout(id);
            if let [Step::Run(run)] = layout.steps.as_slice() {
                if !run.slots.iter().any(|slot| is_deferred(&wire, slot)) {
                    let args = wire.args(&Here::new(), wire.takes_base(id), wire.takes_extent(id));
                    return gen.run_function(wire, id, run, &atom(own), &args, Output::Record);
                }
            }
            let mut bound = gen.bind_steps(wire, id, None);
            bound.statements.insert(0, quote("aldis_wire:check_depth(Depth, Bin, Path)"));
            let values = bound.values.iter().map(|(&index, value)| (index, quote(value.as_str())));
            let value = match bound.run {
                Some(run) => {
                    let values = values.map(|(index, value)| tuple([gen.place_in_record(id, index), value]));
                    call("aldis_run:with", [quote(run), list(values)])
                }
                None => {
                    let fields = values.map(|(index, value)| (gen.names.field_atom(id, index as usize), value));
                    record(&gen.names.atom(id), fields.collect::<Vec<_>>())
                }
            };
            bound.statements.push(wire.result(value, bound.here.bin, bound.here.budget));
            let args = wire.args(&Here::new(), wire.takes_base(id), wire.takes_extent(id));
            function(atom(own), &[Clause::new(trees(&args), bound.statements)])
        })
    }

    /// Reads the steps of a record, up to the one that holds `last` where that is given.
    pub fn bind_steps(&mut self, wire: Wire<'a>, id: TypeId, last: Option<u32>) -> Bound {
        let layout = wire.layout(id);
        let mut here = Here::new();
        if layout.rebase {
            here.base = "Bin".to_owned();
        }
        let mut bound = Bound { statements: Vec::new(), values: BTreeMap::new(), run: None, here };
        for (index, step) in layout.steps.iter().enumerate() {
            match step {
                Step::Run(run) if index == 0 && self.is_read_by_table(wire, id, run) => {
                    self.bind_table(&wire, id, run, last.is_some(), &mut bound);
                }
                Step::Run(run) => self.bind_run(wire, id, index, run, &mut bound),
                Step::Part { field, since, node } => self.bind_part(wire, id, (*field, *since, node), &mut bound),
            }
            if last.is_some_and(|field| bound.values.contains_key(&field)) {
                break;
            }
        }
        bound
    }

    fn bind_run(&mut self, wire: Wire<'a>, id: TypeId, index: usize, run: &'a Run, bound: &mut Bound) {
        let named = name_slots(self.names, id, &run.slots);
        let function = self.run_reader(wire, id, index, run);
        let mut args = vec![bound.here.bin.to_string()];
        args.extend((run.extent == Extent::Acting).then(|| "Extent".to_owned()));
        args.extend(wire.versions.then(|| "Version".to_owned()));
        args.push(bound.here.budget.to_string());
        args.push("Path".to_owned());
        let (bin, budget) = (bound.here.bin.next(), bound.here.budget.next());
        let mut outputs: Vec<String> = named.iter().flat_map(|n| outputs(&wire, n)).collect();
        outputs.extend(wire.rest.then(|| bin.to_string()));
        outputs.push(budget.to_string());
        bound.statements.push(bind(tuple(&outputs), call(&function, args)));
        if wire.rest {
            bound.here.bin = bin;
        }
        bound.here.budget = budget;
        for named in &named {
            let Some(field) = named.slot.field else { continue };
            if matches!(named.slot.kind, SlotKind::Constant { .. }) {
                continue;
            }
            if is_deferred(&wire, named.slot) {
                self.resolve(wire, id, named, bound);
            }
            bound.values.insert(field, named.var.clone());
        }
    }

    /// Makes a value of what a run's reader left to be read.
    pub fn resolve(&mut self, wire: Wire<'a>, id: TypeId, named: &Named<'a>, bound: &mut Bound) {
        let field = named.slot.field.unwrap_or_default() as usize;
        let path = format!("[{} | Path]", self.names.field_atom(id, field));
        let missing = self.missing(id, named.slot);
        if !super::value::is_linked(named.slot) {
            let raw = raw(named);
            let mut alias = named.clone();
            alias.var.clone_from(&raw);
            let value = self.value(&wire, &alias, Floats::Bits, &path);
            let value = case_of(raw, [("missing", missing), ("_", value)]);
            bound.statements.push(bind(named.var.as_str(), value));
            return;
        }
        let budget = bound.here.budget.next();
        let here = bound.here.path(path);
        let goal = self.goal(id, field);
        let call = self.follow_call(wire, named, Some(missing), &here, &goal);
        bound.statements.push(bind(tuple([quote(&named.var), budget.into()]), call));
        bound.here.budget = budget;
    }

    /// The words that functions for a field's value are called after, and its type.
    pub fn goal(&self, id: TypeId, field: usize) -> Goal<'a> {
        let schema: &'a aldis_schema::Schema = self.schema;
        let hint = format!("{}_{}", self.names.of(id), self.names.field(id, field));
        Goal { hint, ty: &schema.record(id).fields[field].ty }
    }

    fn bind_part(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        (field, since, node): (u32, u32, &'a aldis_plan::Node),
        bound: &mut Bound,
    ) {
        let var = self.names.variable(id, field).to_owned();
        let path = format!("[{} | Path]", self.names.field_atom(id, field as usize));
        let goal = self.goal(id, field as usize);
        let reader = self.read_node(wire, node, &goal);
        let call = reader.call(&wire, &bound.here.path(path));
        let (bin, budget) = (bound.here.bin.next(), bound.here.budget.next());
        let pattern = wire.result(var.as_str(), bin, budget);
        let value = if since > 0 {
            let schema = self.schema;
            let missing = self.field_default(&schema.record(id).fields[field as usize], crate::literal::Fresh::Zero);
            let absent = wire.result(missing, bound.here.bin, bound.here.budget);
            case_of(format!("Version >= {since}"), [("true", call), ("false", absent)])
        } else {
            call
        };
        bound.statements.push(bind(pattern, value));
        bound.here.bin = bin;
        bound.here.budget = budget;
        bound.values.insert(field, var);
    }

    /// The function that reads one run of a record and returns its values.
    fn run_reader(&mut self, wire: Wire<'a>, id: TypeId, index: usize, run: &'a Run) -> Callee {
        let number = if index == 0 { String::new() } else { (index + 1).to_string() };
        let name = format!("read_{}{}_run{number}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let mut args = vec!["Bin".to_owned()];
            args.extend((run.extent == Extent::Acting).then(|| "Extent".to_owned()));
            args.extend(wire.versions.then(|| "Version".to_owned()));
            args.push("Budget".to_owned());
            args.push("Path".to_owned());
            gen.run_function(wire, id, run, &atom(own), &args, Output::Values)
        })
    }

    /// One match for the whole run; other clauses for blocks of other sizes and versions, for NaN, and for faults.
    fn run_function(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        run: &'a Run,
        name: &Atom,
        args: &[String],
        output: Output,
    ) -> Functions {
        let named = name_slots(self.names, id, &run.slots);
        // A text that is checked has its place in the block, which the clause for any block knows.
        let any = self.strict_text.run(run) || self.only_unusual(wire, id);
        let full = (!any).then(|| self.full_clause(wire, id, run, &named, args, output));
        let mut clauses: Vec<Clause> = full.into_iter().collect();
        clauses.push(self.any_clause(wire, id, run, &named, args, output));
        if matches!(run.extent, Extent::Stated { .. }) {
            clauses.push(Clause::new(trees(args), ["aldis_wire:truncated(Bin, Path)"]));
        }
        function(name, &clauses)
    }

    /// The run as this schema's own writers write it.
    fn full_clause(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        run: &'a Run,
        named: &[Named<'a>],
        args: &[String],
        output: Output,
    ) -> Clause {
        let order = wire.plan.byte_order;
        let mut segments = match_segments(named, (0, run.size), order, Floats::Numbers, &full_register);
        segments.push(quote(if wire.rest { "Rest/binary" } else { "_/binary" }));
        let mut head = trees(args);
        head[0] = crate::erl::binary(segments);
        if run.extent == Extent::Acting {
            let at = args.iter().position(|arg| arg == "Extent").unwrap_or(1);
            head[at] = quote(run.size.to_string());
        }
        let mut values = Vec::new();
        for named in named {
            values.extend(self.outputs_of(&wire, named, Floats::Numbers));
        }
        let charged = u64::from(run.size).saturating_add(surcharge_within(&run.slots, u64::from(run.size)));
        let spent = format!("Budget - {charged}");
        let body = self.run_result(&wire, id, named, values, output, &spent);
        let mut clause = Clause::new(head, [body]);
        if newest(&run.slots) > 0 {
            clause = clause.when(format!("Version >= {}", newest(&run.slots)));
        }
        if output == Output::Record {
            clause = clause.when(format!("Depth =< {}", Limits::default().depth));
        }
        if run.size > 0 {
            clause = clause.when(format!("Budget >= {charged}"));
        }
        clause
    }

    /// A run of any size: each field where it is there.
    fn any_clause(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        run: &'a Run,
        named: &[Named<'a>],
        args: &[String],
        output: Output,
    ) -> Clause {
        let mut head = trees(args);
        let mut body = Vec::new();
        if output == Output::Record && self.has_read_table(&wire, run) {
            let read = self.read_by_table(&wire, id, run);
            return Clause::new(head, [quote("aldis_wire:check_depth(Depth, Bin, Path)"), read]);
        }
        body.extend((output == Output::Record).then(|| quote("aldis_wire:check_depth(Depth, Bin, Path)")));
        let extent = match run.extent {
            // Records of sections have readers of their own.
            Extent::Exact | Extent::Sections { .. } => {
                body.push(self.block(&wire, id, run, "block", &run.size.to_string()));
                run.size.to_string()
            }
            Extent::Acting => {
                body.push(self.block(&wire, id, run, "block", "Extent"));
                "Extent".to_owned()
            }
            Extent::Stated { head: least } => {
                let registers: Vec<Named<'a>> =
                    named.iter().filter(|n| matches!(n.slot.kind, SlotKind::Register(_))).cloned().collect();
                let order = wire.plan.byte_order;
                let pattern = match_segments(&registers, (0, least), order, Floats::Bits, &any_register);
                head[0] = bind(binary(pattern.into_iter().chain([quote("_/binary")])), "Bin");
                body.push(self.block(&wire, id, run, "stated_block", &format!("Extent, {least}")));
                "Extent".to_owned()
            }
        };
        let slots = surcharges(run);
        // The lacks of a run whose extent a head told were charged with the head.
        let lacks = match run.extent {
            Extent::Stated { .. } => wire.plan.lacks(id).block,
            _ => Vec::new(),
        };
        body.push(if slots.is_empty() && lacks.is_empty() {
            quote(format!("Budget1 = aldis_wire:charge(Budget, {extent}, Bin, Path)"))
        } else {
            let given = [quote("Budget"), quote(extent.as_str()), list(&slots), quote(rows(&lacks))];
            bind("Budget1", call("aldis_wire:charge_block", given.into_iter().chain(["Bin", "Path"].map(quote))))
        });
        if matches!(run.extent, Extent::Stated { .. }) {
            body.extend(run.register(is_type).and_then(|(_, register)| {
                let Meaning::TypeId { expect } = register.meaning else { return None };
                Some(quote(format!("aldis_wire:check_type(TypeId, {expect}, Bin, Path)")))
            }));
        }
        let mut values = Vec::new();
        for named in named {
            values.extend(self.outputs_in_block(&wire, id, run, named));
        }
        body.push(self.run_result(&wire, id, named, values, output, "Budget1"));
        Clause::new(head, body)
    }

    /// The statement that takes a run's bytes.
    fn block(&self, wire: &Wire<'a>, id: TypeId, run: &'a Run, function: &str, size: &str) -> Expr {
        let args = [quote("Bin"), quote(size), self.run_cuts(wire, id, run), quote("Path")];
        bind(tuple(["Block", "Rest"]), call(Callee::of("aldis_wire", function), args))
    }

    fn run_result(
        &self,
        wire: &Wire<'a>,
        id: TypeId,
        named: &[Named<'a>],
        values: Vec<Expr>,
        output: Output,
        budget: &str,
    ) -> Expr {
        let mut items = match output {
            Output::Values => values,
            Output::Record => {
                let fields = named.iter().filter(|n| has_output(n)).filter_map(|n| n.slot.field);
                let fields = fields.map(|field| self.names.field_atom(id, field as usize)).zip(values);
                vec![record(&self.names.atom(id), fields.collect::<Vec<_>>())]
            }
        };
        items.extend(wire.beside("Rest", budget));
        tuple(items)
    }

    /// The values that a slot which was matched as a whole contributes to the run's.
    fn outputs_of(&mut self, wire: &Wire<'a>, named: &Named<'a>, floats: Floats) -> Vec<Expr> {
        if !has_output(named) {
            return Vec::new();
        }
        if !is_deferred(wire, named.slot) {
            return vec![self.value(wire, named, floats, "Path")];
        }
        match named.slot.kind {
            SlotKind::Link(_) => vec![quote(named.at())],
            SlotKind::Presence(_) => vec![quote(named.has()), quote(named.at())],
            _ => vec![quote(named.var.as_str())],
        }
    }

    /// As [`Gen::outputs_of`], where the block may end before the slot or its writer may not have known it.
    fn outputs_in_block(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run, named: &Named<'a>) -> Vec<Expr> {
        if !has_output(named) {
            return Vec::new();
        }
        if !is_deferred(wire, named.slot) {
            return vec![self.value_in_block(wire, id, run, named, "Path")];
        }
        let outputs = self.outputs_of(wire, named, Floats::Bits);
        outputs.into_iter().map(|value| self.guarded(wire, run, named, value, quote("missing"))).collect()
    }

    /// The value of a slot of a record's run, in `Block`, which is as long as the run really is and begins where `Bin` does.
    /// `path` is that of the record.
    pub fn value_in_block(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run, named: &Named<'a>, path: &str) -> Expr {
        match named.slot.field.filter(|_| self.is_in_block(wire, named.slot)) {
            Some(field) => {
                let own = self.names.field_atom(id, field as usize);
                self.in_block(*wire, id, run, own.into())
            }
            None => self.slot_in_block(wire, id, run, named, path),
        }
    }

    fn slot_in_block(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run, named: &Named<'a>, path: &str) -> Expr {
        let missing = self.missing(id, named.slot);
        let path = match named.slot.field.filter(|_| self.strict_text.slot(named.slot)) {
            Some(field) => format!("[{} | {path}]", self.names.field_atom(id, field as usize)),
            None => path.to_owned(),
        };
        let SlotKind::Nest { record: inner, .. } = &named.slot.kind else {
            let value = self.value(wire, named, Floats::Bits, &path);
            return self.guarded(wire, run, named, value, missing);
        };
        let whole = self.nest_in_block(wire, *inner, run, named, &path);
        let all = nest_conditions(run, named).into_iter().reduce(|one, other| binop(one, "andalso", other));
        match all {
            Some(all) => case_of(all, [("true", whole), ("false", missing)]),
            None => whole,
        }
    }

    /// The record of a nest of which the block has the first version's members.
    pub fn nest_in_block(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run, nest: &Named<'a>, path: &str) -> Expr {
        let mut fields = Vec::new();
        for member in nest.members.iter().filter(|member| has_output(member)) {
            if let Some(field) = member.slot.field {
                let value = self.slot_in_block(wire, id, run, member, path);
                fields.push((self.names.field_atom(id, field as usize), value));
            }
        }
        record(&self.names.atom(id), fields)
    }

    /// `case Block of <<…>> -> Value; _ -> Missing end`
    pub fn guarded(&self, wire: &Wire<'_>, run: &Run, named: &Named<'_>, value: Expr, missing: Expr) -> Expr {
        let slot = named.slot;
        let order = wire.plan.byte_order;
        let one = std::slice::from_ref(named);
        let mut segments = match_segments(one, (0, slot.end()), order, Floats::Bits, &|_| None);
        segments.push(quote("_/binary"));
        let guard = (slot.since > 0).then(|| quote(format!("Version >= {}", slot.since)));
        let pattern = guarded_by(binary(segments), guard.into_iter().collect());
        let mut clauses = vec![(pattern, value)];
        if run.extent != Extent::Exact || slot.since > 0 {
            clauses.push((quote("_"), missing));
        }
        case_of("Block", clauses)
    }
}

pub(crate) fn nest_conditions(run: &Run, named: &Named<'_>) -> Vec<Expr> {
    let slot = named.slot;
    let first = named.members.iter().filter(|member| member.slot.since <= slot.since);
    let end = first.map(|member| member.slot.end()).max().unwrap_or(slot.at);
    let mut conditions = Vec::new();
    if end > 0 && run.extent != Extent::Exact {
        conditions.push(quote(format!("byte_size(Block) >= {end}")));
    }
    if slot.since > 0 {
        conditions.push(quote(format!("Version >= {}", slot.since)));
    }
    conditions
}

pub(crate) fn has_output(named: &Named<'_>) -> bool {
    named.slot.field.is_some() && !matches!(named.slot.kind, SlotKind::Constant { .. })
}

/// The variables that a record's reader binds for a slot.
fn outputs(wire: &Wire<'_>, named: &Named<'_>) -> Vec<String> {
    if !has_output(named) {
        return Vec::new();
    }
    if !is_deferred(wire, named.slot) {
        return vec![named.var.clone()];
    }
    match named.slot.kind {
        SlotKind::Link(_) => vec![named.at()],
        SlotKind::Presence(_) => vec![named.has(), named.at()],
        _ => vec![raw(named)],
    }
}

/// The variable of bytes that are still to be read.
fn raw(named: &Named<'_>) -> String {
    format!("{}Raw", named.var)
}

/// The newest version that any of the slots came with.
pub(crate) fn newest(slots: &[aldis_plan::Slot]) -> u32 {
    fn of(slot: &aldis_plan::Slot) -> u32 {
        match &slot.kind {
            SlotKind::Nest { slots, .. } => slots.iter().map(of).max().unwrap_or(0).max(slot.since),
            _ => slot.since,
        }
    }
    slots.iter().map(of).max().unwrap_or(0)
}

fn is_type(register: &Register) -> bool {
    matches!(register.meaning, Meaning::TypeId { .. })
}

/// Registers of a run that is written by this very schema.
fn full_register(register: &Register) -> Option<String> {
    match register.meaning {
        Meaning::Extent { writes } => Some(writes.to_string()),
        Meaning::TypeId { expect } | Meaning::SchemaId { expect } => Some(expect.to_string()),
        _ => None,
    }
}

fn any_register(register: &Register) -> Option<String> {
    match register.meaning {
        Meaning::Extent { .. } => Some("Extent".to_owned()),
        Meaning::TypeId { .. } => Some("TypeId".to_owned()),
        _ => Some("_".to_owned()),
    }
}
