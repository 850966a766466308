//! Fast writers of lists whose elements lie behind links: a table of places, and what lies there.

use super::build::{Build, Segment, Way};
use super::lists::{HEAP, SEGMENTS, TOGETHER};
use super::stage::Distance;
use crate::code::{quote, Expr};
use crate::erl::{atom, call, list, tuple, writer, Atom, Callee, Clause};
use crate::erl::{list_before, UNUSUAL};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::alone;
use crate::wire::Wire;
use aldis_plan::{Repeat, Slot, SlotKind};

/// Some elements in the making: their patterns, their cells of the table, and what these lead to.
struct Row {
    patterns: Vec<Expr>,
    table: Vec<Segment>,
    build: Build,
}

impl<'a> Gen<'a> {
    /// The function `f(List, At) -> {Iodata, End}` of a list that lies at `At`, counted from what its links count from: its
    /// head, its table, and the elements.
    pub(super) fn fast_linked_list_writer(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        cells: &[&'a Slot],
        goal: &Goal<'a>,
    ) -> Callee {
        let (head, width) = (&repeat.head, cells.iter().map(|slot| slot.width).sum::<u32>());
        let before = |count: u32| Distance::of(u64::from(head.size) + u64::from(width * count), Some("At"));
        let mut clauses = Vec::new();
        let mut together = 0;
        for count in 0..=TOGETHER {
            let Row { patterns, mut table, mut build } = self.linked_row(wire, cells, goal, count, before(count));
            let mut start = Build::new(Way::Whole, wire.plan.byte_order);
            start.counted_head(head, count);
            start.segments.append(&mut table);
            start.segments.append(&mut build.segments);
            build.segments = start.segments;
            if count > 0 && (build.has_lists() || build.length() > SEGMENTS || build.place.bytes() > HEAP) {
                break;
            }
            if start.possible {
                let result = tuple([build.result(), quote(build.place.to_string())]);
                clauses.push(build.clause(vec![list(patterns), quote("At")], result));
            }
            together = count;
        }
        let each = self.linked_clauses(wire, cells, goal, together);
        let mut longer = Build::new(Way::Whole, wire.plan.byte_order);
        let size = longer.list_head(head, "List");
        let first = [quote("List"), quote(format!("{} + {width} * {size}", before(0)))];
        self.share(&format!("fast_write_{}{}_list", goal.element().hint, wire.suffix()), |own| {
            let loops = atom(&format!("{own}_each"));
            let begin = call(&loops, first.iter().cloned().chain([list([longer.result()]), quote("[]")]));
            let mut clauses = clauses.clone();
            clauses.push(longer.clause(vec![quote("List"), quote("At")], begin));
            writer(&atom(own), &clauses).and(writer(&loops, &each(&loops)))
        })
    }

    /// Elements `Item1`, `Item2`, …, or pairs, the first of which lies at `start`.
    fn linked_row(&mut self, wire: Wire<'a>, cells: &[&'a Slot], goal: &Goal<'a>, count: u32, start: Distance) -> Row {
        let mut row =
            Row { patterns: Vec::new(), table: Vec::new(), build: Build::new(Way::Pieces, wire.plan.byte_order) };
        row.build.place = start;
        for n in 1..=count {
            let of = |word: &str| format!("{word}{n}");
            let pattern = match cells {
                [key, value] => {
                    let key = self.linked_cell(wire, key, &of("Key"), &goal.key(), &mut row);
                    tuple([key, self.linked_cell(wire, value, &of("Of"), &goal.value(), &mut row)])
                }
                [slot] => self.linked_cell(wire, slot, &of("Item"), &goal.element(), &mut row),
                _ => quote("_"),
            };
            row.patterns.push(pattern);
        }
        row
    }

    /// Adds a cell, and what it leads to; gives the pattern of its value.
    fn linked_cell(&mut self, wire: Wire<'a>, slot: &'a Slot, var: &str, goal: &Goal<'a>, row: &mut Row) -> Expr {
        let Row { table, build, .. } = row;
        if let SlotKind::Link(link) = &slot.kind {
            let at = build.here(&format!("{var}At"));
            table.push(Segment::Number { value: quote(at), bytes: slot.width, signed: false });
            return self.build_item(wire, &link.target, var, goal, build);
        }
        let named = alone(self.names, slot, var);
        std::mem::swap(table, &mut build.segments);
        build.at = slot.at;
        let pattern = self.build_slot(&wire, &named, build);
        std::mem::swap(table, &mut build.segments);
        pattern.unwrap_or_else(|| quote("_"))
    }

    /// The clauses of `f(List, At, Table, Blocks) -> {Iodata, End}`, of its name; `Table` and `Blocks` are pieces from the last
    /// one to the first.
    fn linked_clauses(
        &mut self,
        wire: Wire<'a>,
        cells: &[&'a Slot],
        goal: &Goal<'a>,
        together: u32,
    ) -> impl Fn(&Atom) -> Vec<Clause> {
        let counts = if together > 1 { vec![together, 1] } else { vec![1] };
        let rows: Vec<Row> = counts
            .into_iter()
            .map(|count| self.linked_row(wire, cells, goal, count, Distance::of(0, Some("At"))))
            .collect();
        let order = wire.plan.byte_order;
        move |own: &Atom| {
            let mut clauses: Vec<Clause> = Vec::new();
            for Row { patterns, table, build } in &rows {
                let mut places = Build::new(Way::Pieces, order);
                places.segments.clone_from(table);
                let blocks: Vec<Expr> = build.pieces().into_iter().rev().collect();
                let onward = [
                    quote("Rest"),
                    quote(build.place.to_string()),
                    list_before([places.result()], "Table"),
                    list_before(blocks, "Blocks"),
                ];
                let args = vec![list_before(patterns.clone(), "Rest"), quote("At"), quote("Table"), quote("Blocks")];
                clauses.push(build.clause(args, call(own, onward)));
            }
            let all = "{lists:reverse(Table, lists:reverse(Blocks)), At}";
            clauses.push(Clause::new(["[]", "At", "Table", "Blocks"], [all]));
            clauses.push(Clause::new(["_", "_", "_", "_"], [UNUSUAL]));
            clauses
        }
    }
}
