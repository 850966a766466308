//! Fast writers of lists.
//!
//! Where values lie one after another, elements are written a few in one construction: each of a list adds to a growing binary,
//! or is a piece of iodata. The VM keeps binaries of up to 64 bytes on the heap, and takes memory for longer ones. A list within
//! each element that is short is in its element's construction, in a clause for every count.

use super::build::{Build, Way};
use super::message::frame_check;
use super::UNUSUAL;
use crate::decode::Goal;
use crate::erl::{atom, call, call_text, function, list, texts, writer, Clause};
use crate::gen::Gen;
use crate::slots::unsigned;
use crate::wire::Wire;
use aldis_emit::doc::{concat, text, Doc};
use aldis_plan::{Element, Message, Node, Repeat, SlotKind, Step, TypeId};

/// Elements in one construction are no more, and take no more segments together.
const TOGETHER: u32 = 4;
const SEGMENTS: usize = 16;

/// The longest binary that lies on the VM's heap.
const HEAP: u64 = 64;

/// Bytes that a text of a list's element mostly has at most.
const SHORT: u64 = 16;

/// The elements of one clause, and how many there are in the list that each of them has.
type Row = (u32, Option<u32>);

impl<'a> Gen<'a> {
    /// Whether a message is written as one growing binary: it has lists of more than numbers, and nothing says in front how
    /// long it is.
    pub(super) fn grows(&self, wire: &Wire<'a>, message: &Message) -> bool {
        !wire.links && frame_check(message).is_none() && lists(wire, message.record, &in_elements) > 0
    }

    /// Adds a list, and gives the pattern of its value.
    pub(super) fn build_repeat(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) -> Doc {
        let Element::One(element) = &repeat.element else { return text(var) };
        if let Node::Cell { slot } = element {
            let size = build.list_head(&repeat.head, var);
            let value = match &slot.kind {
                SlotKind::Link(link) => {
                    let writer = self.fast_linked_list_writer(wire, &link.target, &goal.element());
                    let start = format!("{} + {} * {size}", build.place, slot.width);
                    call_text(&writer, &[var.to_owned(), start])
                }
                _ => format!("<< {} || Item <- {var} >>", self.cell_bytes(&wire, slot, "Item", "[]")),
            };
            let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
            build.let_be(&bytes, text(value));
            build.list(&bytes);
        } else if let Some(count) = build.opened {
            build.counted_head(&repeat.head, count);
            return list(self.row(wire, element, &goal.element(), (var, count), build));
        } else if build.way == Way::Whole {
            let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
            let function = self.fast_list_writer(wire, repeat, &goal.element());
            build.let_be(&bytes, text(call_text(&function, &[var.to_owned()])));
            build.list(&bytes);
        } else {
            build.list_head(&repeat.head, var);
            let function = self.fast_elements_writer(wire, element, &goal.element(), build.way);
            build.list_by(&function, var);
        }
        text(var)
    }

    /// The function `f(List) -> Bytes` of a head and the elements behind it: one construction of a few, else a growing binary.
    fn fast_list_writer(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>) -> String {
        let Element::One(element) = &repeat.element else { return String::new() };
        let together = if inner_lists(&wire, element, &|_| true) == 0 { TOGETHER } else { 0 };
        let mut clauses = Vec::new();
        for count in 0..=together {
            let mut build = Build::new(Way::Whole, wire.plan.byte_order);
            build.counted_head(&repeat.head, count);
            let row = self.row(wire, element, goal, ("Item", count), &mut build);
            if fits(&build, Way::Pieces) {
                clauses.push(build.clause(vec![list(row)], build.result()));
            }
        }
        let mut longer = Build::new(Way::Whole, wire.plan.byte_order);
        longer.list_head(&repeat.head, "List");
        let elements = self.fast_elements_writer(wire, element, goal, Way::Growing);
        clauses.push(longer.clause(vec![text("List")], call(&elements, [text("List"), longer.result()])));
        self.share(&format!("fast_write_{}{}_list", goal.hint, wire.suffix()), |own| writer(&atom(own), &clauses))
    }

    /// The function `f(List) -> [Piece…]` or `f(List, Acc) -> Grown` of elements, one after another.
    fn fast_elements_writer(&mut self, wire: Wire<'a>, element: &'a Node, goal: &Goal<'a>, way: Way) -> String {
        let kinds = self.rows(wire, element, goal, way);
        let mut rows: Vec<(Vec<Doc>, Build)> = Vec::new();
        for (count, opened) in &kinds {
            let mut build = Build::new(way, wire.plan.byte_order);
            build.opened = *opened;
            let row = self.row(wire, element, goal, ("Item", *count), &mut build);
            rows.push((row, build));
        }
        let grown = (way == Way::Growing).then_some("Acc");
        let args = |list: Doc| std::iter::once(list).chain(grown.map(text)).collect::<Vec<_>>();
        let verb = if grown.is_some() { "append" } else { "list" };
        self.share(&format!("fast_{verb}_{}{}", goal.hint, wire.suffix()), |own| {
            let own = atom(own);
            let mut clauses: Vec<Clause> = Vec::new();
            for (kind, (row, build)) in kinds.iter().zip(&rows) {
                // Of elements without lists the longest row is what others are the end of.
                let last = kinds[0].1.is_none() && kind != &kinds[0];
                let result = match (way, last) {
                    (Way::Growing, true) => build.result(),
                    (Way::Growing, false) => call(&own, [text("Rest"), build.result()]),
                    (_, true) => list(build.pieces()),
                    (_, false) => build.followed_by(text(format!("{own}(Rest)"))),
                };
                let row = if last { row.clone() } else { with_rest(row) };
                clauses.push(build.clause(args(list(row)), result));
            }
            clauses.push(Clause::new(args(text("[]")), vec![text(grown.unwrap_or("[]"))]));
            clauses.push(Clause::new(vec![text("_"); args(Doc::Nil).len()], vec![text(UNUSUAL)]));
            writer(&own, &clauses)
        })
    }

    /// What there are clauses for, the longest first.
    fn rows(&mut self, wire: Wire<'a>, element: &'a Node, goal: &Goal<'a>, way: Way) -> Vec<Row> {
        let candidates: Vec<Row> = match inner_lists(&wire, element, &|_| true) {
            0 => (2..=TOGETHER).map(|count| (count, None)).collect(),
            1 if inner_lists(&wire, element, &in_elements) == 1 => {
                (0..=TOGETHER).map(|count| (1, Some(count))).collect()
            }
            _ => Vec::new(),
        };
        let fitting = candidates.into_iter().filter(|(count, opened)| {
            let mut build = Build::new(way, wire.plan.byte_order);
            build.opened = *opened;
            self.row(wire, element, goal, ("Item", *count), &mut build);
            fits(&build, way)
        });
        let mut rows: Vec<Row> = fitting.collect();
        rows.reverse();
        rows.push((1, None));
        rows
    }

    /// Adds elements in variables of a name and a number, and gives their patterns.
    fn row(
        &mut self,
        wire: Wire<'a>,
        element: &'a Node,
        goal: &Goal<'a>,
        (name, count): (&str, u32),
        build: &mut Build,
    ) -> Vec<Doc> {
        let of = |n: u32| match element {
            Node::Call { record } => self.build_record(wire, *record, Some(&format!("{name}{n}")), build),
            other => self.build_node(wire, other, &format!("{name}{n}"), goal, build),
        };
        (1..=count).map(of).collect()
    }

    /// The function `f(List, At) -> Bytes`: a table of links, and the elements that they lead to, from `At` on.
    fn fast_linked_list_writer(&mut self, wire: Wire<'a>, element: &'a Node, goal: &Goal<'a>) -> String {
        let bytes = self.bytes_of(wire, element, "Item", goal);
        let at = unsigned("At", 4, wire.plan.byte_order);
        self.share(&format!("fast_write_{}{}_list", goal.hint, wire.suffix()), |own| {
            let each = format!("{own}_each");
            let start = text(format!("{}(List, At, <<>>, <<>>)", atom(&each)));
            let clauses = [
                Clause::plain(&["[]", "_"], text("<<>>")),
                Clause::plain(&["[Item]", "At"], text(format!("<<{at}, ({bytes})/binary>>"))),
                Clause::plain(&["List", "At"], start),
            ];
            let grown = [format!("<<Table/binary, {at}>>"), "<<Blocks/binary, Block/binary>>".to_owned()];
            let onward = [text("Rest"), text("At + byte_size(Block)")].into_iter().chain(texts(&grown));
            let body = vec![text(format!("Block = {bytes}")), call(&atom(&each), onward)];
            let loops = [
                Clause::new(["[Item | Rest]", "At", "Table", "Blocks"].map(text).to_vec(), body),
                Clause::plain(&["[]", "_", "Table", "Blocks"], text("<<Table/binary, Blocks/binary>>")),
            ];
            concat([function(&atom(own), &clauses), function(&atom(&each), &loops)])
        })
    }
}

/// The elements of a list's pattern, and what follows them.
fn with_rest(row: &[Doc]) -> Vec<Doc> {
    let mut row = row.to_vec();
    let last = row.pop().unwrap_or(Doc::Nil);
    row.push(concat([last, text(" | Rest")]));
    row
}

/// Whether a construction can be, and is no longer than those of lists' elements are.
fn fits(build: &Build, way: Way) -> bool {
    let bytes = build.place.bytes() + SHORT * build.place.variables() as u64;
    build.possible && build.length() <= SEGMENTS && (way == Way::Growing || bytes <= HEAP)
}

/// How many lists of the kind asked for there are in a record, and in the records in it.
fn lists(wire: &Wire<'_>, id: TypeId, wanted: &dyn Fn(&Repeat) -> bool) -> usize {
    let of = |step: &Step| match step {
        Step::Part { node: Node::Repeat(repeat), .. } => usize::from(wanted(repeat)),
        Step::Part { node: Node::Call { record }, .. } => lists(wire, *record, wanted),
        _ => 0,
    };
    wire.layout(id).steps.iter().map(of).sum()
}

/// How many lists of the kind asked for each element of a list has; one of lists with lists counts for more.
fn inner_lists(wire: &Wire<'_>, element: &Node, wanted: &dyn Fn(&Repeat) -> bool) -> usize {
    let Node::Call { record } = element else { return 0 };
    let deep =
        |repeat: &Repeat| matches!(&repeat.element, Element::One(inner) if inner_lists(wire, inner, &|_| true) > 0);
    lists(wire, *record, wanted) + lists(wire, *record, &deep)
}

/// Whether a list is written element by element, as lists of numbers are not.
fn in_elements(repeat: &Repeat) -> bool {
    !matches!(repeat.element, Element::One(Node::Cell { .. }))
}
