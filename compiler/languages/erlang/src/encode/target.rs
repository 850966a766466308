//! Writers in forms with links: what a link leads to is appended behind what was written before it.
//!
//! `At` is where a value's bytes begin, counted from the first byte of the record or slot that links count from.

use super::node::{blob_body, counted, head_binary, kind};
use super::run::{is_cells, Beside};
use crate::code::{quote, quote_with, Expr};
use crate::erl::{
    atom, binary, bind, call, case_of, function, list, record, trees, tuple, writer, Callee, Clause, Functions,
};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{name_slots, unsigned, Named};
use crate::wire::Wire;
use aldis_plan::{Element, Node, Repeat, Run, Slot, SlotKind, Step, TypeId};

/// More places of targets than this go to the run's writer in one tuple: Erlang's functions take 255 arguments at most.
const MOST_ARGUMENTS: usize = 30;

impl<'a> Gen<'a> {
    /// `write(Record, Path) -> {Io, Size}`
    pub(super) fn write_linked_record(&mut self, wire: Wire<'a>, id: TypeId) -> Callee {
        let name = format!("write_{}{}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let Some(Step::Run(run)) = wire.layout(id).steps.first() else { return Functions::default() };
            let depth: Vec<String> = wire.deep.then(|| "Depth".to_owned()).into_iter().collect();
            let named = name_slots(gen.names, id, &run.slots);
            let linked: Vec<&Named<'a>> = named.iter().filter(|n| is_target(n.slot)).collect();
            if linked.is_empty() {
                let size = run.size;
                let finish = move |binary: Expr| tuple([binary, quote(size.to_string())]);
                let beside = Beside { args: depth, ..Beside::default() };
                return gen.run_writer((wire, id, run), &beside, (own, false), &finish);
            }
            let body = gen.linked_body(wire, id, run, &linked);
            let fields = linked
                .iter()
                .filter_map(|n| Some((gen.names.field_atom(id, n.slot.field? as usize), quote(n.var.as_str()))));
            let pattern = bind(record(&gen.names.atom(id), fields.collect::<Vec<_>>()), "Value");
            let mut args = vec![pattern];
            args.extend(trees(&depth));
            args.push(quote("Path"));
            let mut other = vec![quote("_"); args.len() - 1];
            other.push(quote("Path"));
            let wrong = Clause::new(other, ["aldis_check:wrong(Path)"]);
            writer(&atom(own), &[Clause::new(args, body), wrong])
        })
    }

    fn linked_body(&mut self, wire: Wire<'a>, id: TypeId, run: &'a Run, linked: &[&Named<'a>]) -> Vec<Expr> {
        let mut body = Vec::new();
        if wire.deep {
            body.push(quote("aldis_check:depth(Depth, Path)"));
        }
        let mut at = run.size.to_string();
        let (mut beside, mut places, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for (index, named) in linked.iter().enumerate() {
            let field = named.slot.field.unwrap_or_default() as usize;
            let goal = self.goal(id, field);
            let function = self.put_linked(wire, named.slot, &goal);
            let end = format!("At{}", index + 1);
            let mut args = vec![named.var.clone(), at.clone()];
            args.extend(wire.deep.then(|| "Depth".to_owned()));
            args.push(format!("[{} | Path]", self.names.field_atom(id, field)));
            let bytes = format!("{}Bytes", named.var);
            let mut results = Vec::new();
            if is_cells(named.slot) {
                let cells = format!("{}Cells", named.var);
                results.push(cells.clone());
                places.push(cells.clone());
                beside.push(cells);
            } else {
                beside.push(named.at());
                places.push(at);
            }
            results.extend([bytes.clone(), end.clone()]);
            body.push(bind(tuple(&results), call(&function, args)));
            written.push(quote(bytes));
            at = end;
        }
        let name = format!("write_{}{}_run", self.names.of(id), wire.suffix());
        let together = beside.len() > MOST_ARGUMENTS;
        let taken = |names: Vec<String>| if together { vec![format!("{{{}}}", names.join(", "))] } else { names };
        let beside = Beside { args: taken(beside.clone()), given: beside };
        let make = |gen: &mut Self, own: &str| gen.run_writer((wire, id, run), &beside, (own, true), &|binary| binary);
        let runs = self.define_in(id, &name, &name, make);
        let mut args = vec!["Value".to_owned()];
        args.extend(taken(places));
        args.push("Path".to_owned());
        written.insert(0, call(&runs, args));
        body.push(tuple([list(written), quote(at)]));
        body
    }

    /// The function that writes what a link, a presence byte or an array of them leads to: `f(Value, At, Path)` gives
    /// `{Io, End}`, and the cells first for an array.
    fn put_linked(&mut self, wire: Wire<'a>, slot: &'a Slot, goal: &Goal<'a>) -> Callee {
        match &slot.kind {
            SlotKind::Link(link) => self.put_target(wire, &link.target, goal),
            SlotKind::Presence(link) => {
                let inner = self.put_target(wire, &link.target, &goal.required());
                let args = target_args(&wire, "At");
                let mut absent = args.clone();
                absent[0] = "undefined".to_owned();
                let clauses =
                    [Clause::new(trees(&absent), ["{[], At}"]), Clause::new(trees(&args), [call(&inner, &args)])];
                self.share(&format!("put_{}_if{}", goal.hint, wire.suffix()), |own| function(atom(own), &clauses))
            }
            SlotKind::Array { count, element } => {
                let items = format!("aldis_check:array(Value, {count}, Path)");
                self.put_cells(wire, &[element], goal, &items)
            }
            _ => Callee::nobody(),
        }
    }

    /// `f(Value, At, Path) -> {Io, End}`
    fn put_target(&mut self, wire: Wire<'a>, node: &'a Node, goal: &Goal<'a>) -> Callee {
        let args = target_args(&wire, "At");
        let (name, body) = match node {
            Node::Blob(blob) => {
                let mut body = blob_body(blob);
                let head = head_binary(&wire, &blob.head, "Count");
                body.push(quote_with(format!("{{[?1, Bytes], At + {} + Count}}", blob.head.size), [head]));
                (format!("put_{}", kind(blob)), body)
            }
            Node::Call { record } => {
                let function = self.write_record(wire, *record);
                let mut inner = vec!["Value".to_owned()];
                inner.extend(wire.deep.then(|| "Depth + 1".to_owned()));
                inner.push("Path".to_owned());
                let body = vec![bind("{Bytes, Size}", call(&function, inner)), quote("{Bytes, At + Size}")];
                (format!("put_{}", self.names.of(*record)), body)
            }
            Node::Rebase { value } => {
                let function = self.put_target(wire, value, goal);
                let call = call(&function, target_args(&wire, "0"));
                (format!("put_{}_here", goal.hint), vec![bind("{Bytes, Size}", call), quote("{Bytes, At + Size}")])
            }
            Node::Cell { slot } => {
                let cell = self.cell(wire, slot, goal, "Value", &format!("At + {}", slot.width), "Path");
                let mut body = cell.before;
                body.push(quote_with(format!("{{[?1, {}], {}}}", cell.more, cell.end), [cell.bytes]));
                (format!("put_{}_value", goal.hint), body)
            }
            Node::Repeat(repeat) => (format!("put_{}", goal.hint), self.put_repeat(wire, repeat, goal)),
            Node::Series { .. } | Node::Maybe { .. } | Node::Opaque { .. } => return Callee::nobody(),
        };
        self.share(&format!("{name}{}", wire.suffix()), |own| {
            function(atom(own), &[Clause::new(trees(&args), body.clone())])
        })
    }

    fn put_repeat(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>) -> Vec<Expr> {
        let slots: Vec<&'a Slot> = match &repeat.element {
            Element::One(Node::Cell { slot }) => vec![slot],
            Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => vec![key, value],
            _ => Vec::new(),
        };
        let width: u32 = slots.iter().map(|slot| slot.width).sum();
        let head = head_binary(&wire, &repeat.head, "Count");
        let size = repeat.head.size;
        let items = self.sorted(repeat, goal, "Value");
        let mut body = vec![bind("Items", items), counted(&repeat.head, "Items")];
        if !slots.iter().any(|slot| is_target(slot)) {
            let mut cells = Vec::new();
            let pattern = if slots.len() == 2 { "{Key, Of}" } else { "Item" };
            for (slot, var) in slots.iter().zip(if slots.len() == 2 { ["Key", "Of"] } else { ["Item", ""] }) {
                cells.push(self.cell_bytes(&wire, slot, var, "Path"));
            }
            let cell = match cells.as_slice() {
                [one] => one.clone(),
                [key, value] => quote_with("<<?1/binary, ?2/binary>>", [key.clone(), value.clone()]),
                _ => quote("<<>>"),
            };
            let written = format!("{{[?1, << ?2 || {pattern} <- Items >>], At + {size} + Count * {width}}}");
            body.push(quote_with(written, [head, cell]));
            return body;
        }
        let cells = self.put_cells(wire, &slots, goal, "Value");
        let mut args = target_args(&wire, &format!("At + {size} + Count * {width}"));
        args[0] = "Items".to_owned();
        body.push(bind("{Cells, Bytes, End}", call(&cells, args)));
        body.push(quote_with("{[?1, Cells, Bytes], End}", [head]));
        body
    }

    /// `f(Values, At, Path) -> {Cells, Io, End}`: cells side by side, and what they lead to.
    fn put_cells(&mut self, wire: Wire<'a>, slots: &[&'a Slot], goal: &Goal<'a>, items: &str) -> Callee {
        let (body, pattern, cells, more, end) = if let [key, value] = slots {
            let first = self.cell(wire, key, &goal.key(), "Key", "At", "[Index | Path]");
            let second = self.cell(wire, value, &goal.value(), "Of", &first.end, "[Index | Path]");
            let cells = quote_with("<<?1/binary, ?2/binary>>", [first.bytes, second.bytes]);
            let more = format!("[{}, {}]", first.more, second.more);
            let mut body = first.before;
            body.extend(second.before);
            (body, "{Key, Of}", cells, more, second.end)
        } else {
            let Some(slot) = slots.first() else { return Callee::nobody() };
            let one = self.cell(wire, slot, &goal.element(), "Item", "At", "[Index | Path]");
            (one.before, "Item", one.bytes, one.more, one.end)
        };
        let state = if wire.deep { "Depth, " } else { "" };
        let further = format!("Rest, {end}, {state}Index + 1, [?1 | Cells], [{more} | Bytes], Path");
        let further = quote_with(further, [cells]);
        let start_args = target_args(&wire, "At");
        self.share(&format!("put_{}_cells{}", goal.hint, wire.suffix()), |own| {
            let each = atom(&format!("{own}_each"));
            let start = format!("{each}({items}, At, {state}0, [], [], Path)");
            let body = body.iter().cloned().chain([call(&each, [further.clone()])]);
            let loop_args = |items: &str| trees([format!("{items}, At, {state}Index, Cells, Bytes, Path")]);
            let loops = [
                Clause::new(loop_args(&format!("[{pattern} | Rest]")), body),
                Clause::new(loop_args("[]"), ["{iolist_to_binary(lists:reverse(Cells)), lists:reverse(Bytes), At}"]),
            ];
            function(atom(own), &[Clause::new(trees(&start_args), [start])]).and(function(&each, &loops))
        })
    }

    /// One cell, with what it leads to beginning `at`.
    fn cell(&mut self, wire: Wire<'a>, slot: &'a Slot, goal: &Goal<'a>, var: &str, at: &str, path: &str) -> Cell {
        if !is_target(slot) {
            let bytes = self.cell_bytes(&wire, slot, var, path);
            return Cell { before: Vec::new(), bytes, more: "[]".to_owned(), end: at.to_owned() };
        }
        let function = self.put_linked(wire, slot, goal);
        let mut args = vec![var.to_owned(), at.to_owned()];
        args.extend(wire.deep.then(|| "Depth".to_owned()));
        args.push(path.to_owned());
        let call = call(&function, args);
        let (more, end) = (format!("{var}Bytes"), format!("{var}End"));
        let order = wire.plan.byte_order;
        let link = unsigned(at, 4, order);
        let mut before = Vec::new();
        let bytes = match &slot.kind {
            SlotKind::Presence(_) => {
                let cell = format!("{var}Cell");
                let clauses = [(quote("undefined"), quote("<<0:40>>")), (quote("_"), binary([quote("1"), link]))];
                before.push(bind(cell.as_str(), case_of(var, clauses)));
                quote(cell)
            }
            SlotKind::Array { .. } => {
                let cells = format!("{var}Cells");
                before.push(bind(tuple([cells.clone(), more.clone(), end.clone()]), call));
                return Cell { before, bytes: quote(cells), more, end };
            }
            _ => binary([link]),
        };
        before.push(bind(tuple([more.clone(), end.clone()]), call));
        Cell { before, bytes, more, end }
    }
}

/// One cell's statements, its bytes, what it leads to, and where that ends.
struct Cell {
    before: Vec<Expr>,
    bytes: Expr,
    more: String,
    end: String,
}

/// Whether something beyond its own bytes is written for a slot.
fn is_target(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Link(_) | SlotKind::Presence(_)) || is_cells(slot)
}

fn target_args(wire: &Wire<'_>, at: &str) -> Vec<String> {
    let mut args = vec!["Value".to_owned(), at.to_owned()];
    args.extend(wire.deep.then(|| "Depth".to_owned()));
    args.push("Path".to_owned());
    args
}
