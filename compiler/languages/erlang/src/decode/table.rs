//! Records of fixed size that lie side by side, as SBE's groups and vectors in FBE's Final form have them: read as a
//! table where that is possible, without a call and a result for each.

use super::weight::element_words;
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, binary, call, case_of, comprehension, function, guarded_by, record, statements, Clause};
use crate::gen::Gen;
use crate::slots::{has_floats, match_segments, name_slots, Floats};
use crate::variables::Numbered;
use crate::wire::{slot_any, Here, Wire};
use aldis_plan::{surcharge_within, Element, Extent, Limits, Node, Repeat, Repr, Run, Scalar, Shape, SlotKind, Step};
use aldis_schema::TypeId;

/// Many blocks of so few bytes are equal, and equal ones are read once.
const FEW_BYTES: u32 = 1;
/// Lists of fewer elements have few equal ones.
const MANY: u32 = 1024;

/// The statement that asks for room, for elements that take bytes; `least` is how many. Elements that are read one after
/// the other leave garbage: a heap with room for all of them would be full of it more than once, and be copied at its
/// whole size.
pub(crate) fn reserve(wire: &Wire<'_>, repeat: &Repeat, least: &str, how: Reading) -> Option<Expr> {
    let words = match how {
        Reading::Table => element_words(wire.plan, repeat),
        Reading::Each => element_words(wire.plan, repeat).div_ceil(16),
    };
    (least != "0").then(|| quote(format!("aldis_heap:reserve(Count * {least}, Count * {words})")))
}

/// How elements are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    Table,
    Each,
}

/// How elements are read as a table, where they can be.
pub(crate) struct InTable {
    /// Asks for room, where they are read one after the other.
    asked: Option<Expr>,
    /// Binds `Size`, what they take.
    size: Expr,
    /// The clauses that read them as a table.
    clauses: Vec<(Expr, Expr)>,
}

impl InTable {
    /// The statements that read them, having asked for room: `each` reads one after the other.
    pub fn statements(&self, each: Expr) -> Vec<Expr> {
        if self.clauses.is_empty() {
            return self.asked.iter().cloned().chain([each]).collect();
        }
        let other = (quote("_"), after(self.asked.clone(), each));
        vec![self.size.clone(), case_of("Bin1", self.clauses.iter().cloned().chain([other]))]
    }
}

/// The record and its only run, where the elements are nothing but such and none can be at fault.
fn only_run<'a>(wire: &Wire<'a>, repeat: &Repeat) -> Option<(TypeId, &'a Run)> {
    let Element::One(Node::Call { record }) = &repeat.element else { return None };
    let [Step::Run(run)] = wire.layout(*record).steps.as_slice() else { return None };
    let faulty = |kind: &SlotKind| match kind {
        SlotKind::Link(_) | SlotKind::Presence(_) | SlotKind::Register(_) => true,
        SlotKind::Scalar(Scalar { repr, .. }) => *repr == Repr::Decimal,
        _ => false,
    };
    let fits = repeat.shape == Shape::List
        && run.size > 0
        && matches!(run.extent, Extent::Exact | Extent::Acting)
        && !run.slots.iter().any(|slot| slot_any(slot, &|slot| faulty(&slot.kind)));
    fits.then_some((*record, run))
}

impl<'a> Gen<'a> {
    /// How a repeat's elements are read as a table.
    pub(crate) fn in_table(&mut self, wire: Wire<'a>, repeat: &'a Repeat, least: &str) -> InTable {
        let asked = reserve(&wire, repeat, least, Reading::Each);
        let size = quote(format!("Size = Count * {least}"));
        let mut clauses = Vec::new();
        let run = only_run(&wire, repeat).filter(|(_, run)| !self.strict_text.run(run));
        let Some((id, run)) = run else { return InTable { asked, size, clauses } };
        let room = reserve(&wire, repeat, least, Reading::Table);
        clauses.extend(self.whole_blocks(wire, id, run).map(|(pattern, list)| (pattern, after(room, list))));
        clauses.extend(self.few_bytes(wire, id, run));
        InTable { asked, size, clauses }
    }

    /// Blocks as this schema's own writers write them.
    fn whole_blocks(&mut self, wire: Wire<'a>, id: TypeId, run: &'a Run) -> Option<(Expr, Expr)> {
        let named = name_slots(self.names, id, &run.slots);
        if has_floats(&named) {
            return None;
        }
        let mut guards = Vec::new();
        guards.extend((run.extent == Extent::Acting).then(|| quote(format!("Extent =:= {}", run.size))));
        let newest = super::record::newest(&run.slots);
        guards.extend((newest > 0).then(|| quote(format!("Version >= {newest}"))));
        guards.push(quote(format!("Depth < {}", Limits::default().depth)));
        let charged = u64::from(run.size).saturating_add(surcharge_within(&run.slots, u64::from(run.size)));
        guards.push(quote(format!("Budget1 >= Count * {charged}")));
        let values = named.iter().filter(|n| super::record::has_output(n));
        let values: Vec<_> = values
            .filter_map(|n| Some((n.slot.field?, n)))
            .map(|(field, n)| (self.names.field_atom(id, field as usize), self.value(&wire, n, Floats::Bits, "[]")))
            .collect();
        let segments = match_segments(&named, (0, run.size), wire.plan.byte_order, Floats::Bits, &|_| None);
        let item = record(&self.names.atom(id), values);
        let list = comprehension(item, binary(segments), "Bin");
        let name = format!("read_{}{}_table", self.names.of(id), wire.suffix());
        let name = self.define_in(id, &name, &name, |_, own| function(atom(own), &[Clause::new(["Bin"], [list])]));
        let result = wire.result(format!("{name}(Table)"), "Rest", format!("Budget1 - Count * {charged}"));
        Some((table_pattern(guards), result))
    }

    /// Blocks of older writers that have hardly a byte: records are larger in memory.
    fn few_bytes(&mut self, wire: Wire<'a>, id: TypeId, run: &'a Run) -> Option<(Expr, Expr)> {
        let alike = run.extent == Extent::Acting && surcharge_within(&run.slots, u64::from(FEW_BYTES)) == 0;
        if !alike {
            return None;
        }
        let mut guards = vec![quote(format!("Extent =< {FEW_BYTES}")), quote(format!("Count >= {MANY}"))];
        guards.push(quote(format!("Depth < {}", Limits::default().depth)));
        guards.push(quote("Budget1 >= Count * Extent"));
        let here = Here::new();
        let here = here.bin(Numbered::first("Block")).budget(here.budget.next()).depth("Depth + 1");
        let reader = self.read_record(wire, id);
        let call = call(&reader, wire.args(&here, wire.takes_base(id), true));
        let read = quote_with("Read = fun(Block) -> element(1, ?1) end", [call]);
        let left = "Budget1 - Count * Extent";
        let result = wire.result("aldis_wire:few_bytes(Table, Count, Extent, Read)", "Rest", left);
        Some((table_pattern(guards), statements(vec![read, result])))
    }
}

fn after(first: Option<Expr>, then: Expr) -> Expr {
    statements(first.into_iter().chain([then]).collect())
}

fn table_pattern(guards: Vec<Expr>) -> Expr {
    guarded_by(quote("<<Table:Size/binary, Rest/binary>>"), guards)
}
