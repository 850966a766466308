//! Readers of parts: text and bytes, presence, records by their own readers.

use crate::code::{quote, quote_with, Expr};
use crate::decode::weight::charge;
use crate::erl::{atom, binary, bind, call, function, trees, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{alone, match_segments, unnamed, Floats, Named};
use crate::variables::Numbered;
use crate::wire::{Here, Wire};
use aldis_plan::{Blob, Content, Meaning, Node, Register, Run, Slot, SlotKind, TypeId};

/// A function that reads a node.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    name: Callee,
    /// The record that it is the reader of.
    record: Option<TypeId>,
}

impl Reader {
    /// A call.
    pub fn call(&self, wire: &Wire<'_>, here: &Here) -> Expr {
        let args = match self.record {
            None => wire.args(here, true, false),
            Some(id) => {
                let deeper = here.depth(format!("{} + 1", here.depth));
                wire.args(&deeper, wire.takes_base(id), wire.takes_extent(id))
            }
        };
        call(&self.name, args)
    }
}

/// Whether readers of this node are told how many bytes its first run takes.
pub(crate) fn node_takes_extent(wire: &Wire<'_>, node: &Node) -> bool {
    matches!(node, Node::Call { record } if wire.takes_extent(*record))
}

impl<'a> Gen<'a> {
    /// The function that reads a node: takes bytes, base and state, returns what [`Wire::result`] says.
    pub fn read_node(&mut self, wire: Wire<'a>, node: &'a Node, goal: &Goal<'a>) -> Reader {
        let name = match node {
            Node::Call { record } => {
                return Reader { name: self.read_record(wire, *record), record: Some(*record) };
            }
            Node::Blob(blob) => self.read_blob(wire, blob),
            Node::Cell { slot } => self.read_cell(wire, slot, goal),
            Node::Repeat(repeat) => self.read_repeat(wire, repeat, goal),
            // Only ever behind a pointer, which other readers follow.
            Node::Opaque { .. } => Callee::nobody(),
            Node::Series { count, element } => self.read_series(wire, *count, element, goal),
            Node::Maybe { value } => self.read_maybe(wire, value, goal),
            Node::Rebase { value } => {
                let inner = self.read_node(wire, value, goal);
                let call = inner.call(&wire, &Here::new().base("Bin"));
                let args = wire.args(&Here::new(), true, false);
                self.share(&format!("read_{}{}_here", goal.hint, wire.suffix()), |own| {
                    function(atom(own), &[Clause::new(trees(&args), [call.clone()])])
                })
            }
        };
        Reader { name, record: None }
    }

    fn read_blob(&mut self, wire: Wire<'a>, blob: &Blob) -> Callee {
        let kind = match blob.content {
            Content::Bytes => "bytes",
            Content::Text(_) => "text",
        };
        let head = head_segments(&wire, &blob.head, "Count");
        let args = wire.args(&Here::new(), true, false);
        let count = register_text(&blob.head, "Count", Register::is_count).unwrap_or_else(|| "0".to_owned());
        let mut full = trees(&args);
        full[0] = quote_with(format!("<<?1, Value:{count}/binary, Rest/binary>> = Bin"), [head.clone()]);
        let size = blob.head.size;
        let value = match self.strict_text.blob(blob) {
            true => format!("aldis_text:utf8(Value, Bin, {size}, Path)"),
            false => "Value".to_owned(),
        };
        let read = vec![
            quote(format!("Budget1 = aldis_wire:charge_blob(Budget, {size}, {count}, Bin, Path)")),
            wire.result(value, "Rest", "Budget1"),
        ];
        let empty = self.empty_blob(&wire, blob, &args);
        let cut = Clause::new(trees(&args), [self.head_cut(&blob.head, "Path")]);
        let mut short = trees(&args);
        short[0] = quote_with("<<?1, _/binary>> = Bin", [head]);
        let refuse = vec![quote(format!("aldis_wire:bad_count({count}, Bin, Path)"))];
        self.share(&format!("read_{kind}{}", wire.suffix()), |own| {
            let read = Clause::new(full.clone(), read.clone());
            let refused = Clause::new(short.clone(), refuse.clone());
            let clauses: Vec<Clause> = empty.clone().into_iter().chain([read, refused, cut.clone()]).collect();
            function(atom(own), &clauses)
        })
    }

    /// The clause for no bytes, which takes no room: a part of the input would be a term of its own.
    fn empty_blob(&self, wire: &Wire<'a>, blob: &Blob, args: &[String]) -> Option<Clause> {
        blob.head.register(Register::is_count).filter(|(_, register)| register.constant.is_none())?;
        let head = head_segments(wire, &blob.head, "0");
        let mut full = trees(args);
        full[0] = quote_with("<<?1, Rest/binary>>", [head]);
        let left = format!("Budget - {}", blob.head.size);
        let clause = Clause::new(full, [wire.result("<<>>", "Rest", &left)]);
        Some(clause.when(format!("Budget >= {}", blob.head.size)))
    }

    /// A value of fixed size on its own.
    fn read_cell(&mut self, wire: Wire<'a>, slot: &'a Slot, goal: &Goal<'a>) -> Callee {
        let args = wire.args(&Here::new(), true, false);
        let named = alone(self.names, slot, "Value");
        let order = wire.plan.byte_order;
        let range = (slot.at, slot.end());
        let segments = match_segments(std::slice::from_ref(&named), range, order, Floats::Bits, &|_| None);
        let mut head = trees(&args);
        head[0] = bind(binary(segments.into_iter().chain([quote("Rest/binary")])), "Bin");
        let paid = charge(slot.width.to_string(), &slot.surcharge().to_string(), "Path");
        let mut body = vec![bind("Budget1", paid)];
        let here = Here::new();
        let here = here.budget(here.budget.next());
        let (bindings, value, budget) = self.cell_value(wire, &named, &here, goal);
        body.extend(bindings);
        body.push(wire.result(value, "Rest", budget));
        self.share(&format!("read_{}{}_value", goal.hint, wire.suffix()), |own| {
            function(atom(own), &[Clause::new(head.clone(), body.clone()), truncated(&args)])
        })
    }

    /// The value of a matched cell: statements to run first, its expression, and the budget after it.
    pub fn cell_value(
        &mut self,
        wire: Wire<'a>,
        named: &Named<'a>,
        here: &Here,
        goal: &Goal<'a>,
    ) -> (Vec<Expr>, Expr, Numbered) {
        if !super::value::is_linked(named.slot) {
            return (Vec::new(), self.value(&wire, named, Floats::Bits, &here.path), here.budget);
        }
        let call = self.follow_call(wire, named, None, here, goal);
        let followed = format!("{}Followed", named.var);
        let after = here.budget.next();
        let statement = bind(tuple([quote(&followed), after.into()]), call);
        (vec![statement], quote(followed), after)
    }

    fn read_maybe(&mut self, wire: Wire<'a>, value: &'a Node, goal: &Goal<'a>) -> Callee {
        let inner = self.read_node(wire, value, &goal.required());
        let args = wire.args(&Here::new(), true, false);
        let charge = |bin: &str| quote(format!("Budget1 = aldis_wire:charge(Budget, 1, {bin}, Path)"));
        let mut absent = trees(&args);
        absent[0] = quote("<<0, Rest/binary>> = Bin");
        let mut present = trees(&args);
        present[0] = quote("<<_, Rest/binary>> = Bin");
        let here = Here::new();
        let budget = here.budget.next();
        let nothing = vec![charge("Bin"), wire.result("undefined", "Rest", budget)];
        let something = vec![charge("Bin"), inner.call(&wire, &here.bin(Numbered::first("Rest")).budget(budget))];
        self.share(&format!("read_{}{}_optional", goal.hint, wire.suffix()), |own| {
            let clauses = [
                Clause::new(absent.clone(), nothing.clone()),
                Clause::new(present.clone(), something.clone()),
                truncated(&args),
            ];
            function(atom(own), &clauses)
        })
    }

    /// A call that reads what a link, a presence byte or an array of such leads to, as `{Value, Budget}`. `missing` is
    /// the value where the bytes end before the slot.
    pub fn follow_call(
        &mut self,
        wire: Wire<'a>,
        named: &Named<'a>,
        missing: Option<Expr>,
        here: &Here,
        goal: &Goal<'a>,
    ) -> Expr {
        let mut args = match named.slot.kind {
            SlotKind::Link(_) => vec![named.at()],
            SlotKind::Presence(_) => vec![named.has(), named.at()],
            _ if missing.is_some() => vec![format!("{}Raw", named.var)],
            _ => vec![named.var.clone()],
        };
        args.push(here.base.clone());
        args.extend(wire.state_args(here));
        let function = match &named.slot.kind {
            SlotKind::Link(link) => self.follow_link(wire, link, missing, goal),
            SlotKind::Presence(link) => self.follow_presence(wire, link, missing, &goal.required()),
            SlotKind::Array { count, element } => self.follow_array(wire, *count, element, missing, &goal.element()),
            _ => Callee::nobody(),
        };
        call(&function, args)
    }
}

/// The clause for bytes that end too early.
fn truncated(args: &[String]) -> Clause {
    Clause::new(trees(args), ["aldis_wire:truncated(Bin, Path)"])
}

/// The text for what a head's register says: the variable `var`, or the number that the schema fixes.
pub(crate) fn register_text(head: &Run, var: &str, wanted: fn(&Register) -> bool) -> Option<String> {
    head.register(wanted).map(|(_, register)| register.constant.map_or_else(|| var.to_owned(), |v| v.to_string()))
}

/// The segments of a head: its count in `count`, a variable or a number, and its extent in `Extent`.
pub(crate) fn head_segments(wire: &Wire<'_>, head: &Run, count: &str) -> Expr {
    let named: Vec<Named<'_>> = unnamed(&head.slots);
    let register = |register: &Register| {
        Some(match register.meaning {
            Meaning::Count { .. } => count.to_owned(),
            Meaning::Extent { .. } => "Extent".to_owned(),
            _ => "_".to_owned(),
        })
    };
    Expr::Row(match_segments(&named, (0, head.size), wire.plan.byte_order, Floats::Bits, &register))
}
