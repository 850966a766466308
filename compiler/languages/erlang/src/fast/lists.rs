//! Fast writers of lists.
//!
//! Elements whose values lie one after another are written a few in one construction: each of a list adds to a growing binary,
//! or is a piece of iodata. The VM keeps binaries of up to 64 bytes on the heap, and takes memory for longer ones. A list within
//! each element that is short is in its element's construction, in a clause for every count.

use super::build::{Build, Way};
use super::repeat::cells;
use super::stage::Distance;
use crate::code::{quote, quote_with, Expr};
use crate::decode::message::states_size;
use crate::decode::value::is_linked;
use crate::erl::{atom, call, list, tuple, writer, Atom, Callee, Clause};
use crate::erl::{list_before, UNUSUAL};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::wire::Wire;
use aldis_plan::{Element, Message, Node, Repeat, Shape, Slot, SlotKind, Step, TypeId};
use aldis_schema::Type;

/// Elements in one construction are no more, and take no more segments together.
pub(super) const TOGETHER: u32 = 2;
pub(super) const SEGMENTS: usize = 16;

/// The most elements of a list that is opened within an element of another.
const INNER: u32 = 4;

/// The longest binary that lies on the VM's heap.
pub(super) const HEAP: u64 = 64;

/// Bytes that a text of a list's element mostly has at most.
const SHORT: u64 = 16;

/// The elements of one clause, and how many there are in the list that each of them has.
type Row = (u32, Option<u32>);

impl<'a> Gen<'a> {
    /// Whether a message is written as one growing binary: it has lists of more than numbers, and nothing says in front how
    /// long it is.
    pub(super) fn grows(&self, wire: &Wire<'a>, message: &Message) -> bool {
        !wire.links && !states_size(&message.envelope.head) && lists(wire, message.record, &in_elements) > 0
    }

    /// Whether a record's lists are all of a kind that patterns open, and their elements have none.
    pub(super) fn opens_lists(&self, wire: &Wire<'a>, id: TypeId) -> bool {
        let closed = |repeat: &Repeat| !opens(repeat) || inner_lists(wire, &repeat.element, &|_| true) > 0;
        lists(wire, id, &closed) == 0
    }

    /// Whether a record's fast writer gives iodata, and its size with it: it has lists whose elements lie behind links.
    pub(super) fn is_iodata(&self, wire: &Wire<'a>, id: TypeId) -> bool {
        has_lists(wire, id, &of_links)
    }

    /// As [`Gen::is_iodata`], for a node.
    pub(super) fn is_iodata_node(&self, wire: &Wire<'a>, node: &Node) -> bool {
        node_has_lists(wire, node, &of_links)
    }

    /// Adds a list, set or map, and gives the pattern of its value.
    pub(super) fn build_repeat(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) -> Expr {
        if let Some(cells) = cells(repeat) {
            self.build_cells(wire, repeat, &cells, (var, goal), build);
        } else if let Some(count) = build.opened {
            build.counted_head(&repeat.head, count);
            let row = self.row(wire, &repeat.element, goal, (var, count), build);
            build.opened = Some(0);
            return list(row);
        } else if build.way == Way::Whole {
            let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
            let function = self.fast_list_writer(wire, repeat, goal);
            build.let_be(&bytes, call(&function, [self.fast_items(repeat, goal, var)]));
            build.list(&bytes);
        } else {
            let listed = self.listed(repeat, goal, var, build);
            build.list_head(&repeat.head, &listed);
            let function = self.fast_elements_writer(wire, &repeat.element, goal, build.way);
            build.list_by(function, &listed);
        }
        quote(var)
    }

    /// Adds what is in `var`: its elements lie in a table, or this has links to them.
    fn build_cells(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        cells: &[&'a Slot],
        (var, goal): (&str, &Goal<'a>),
        build: &mut Build,
    ) {
        if cells.iter().any(|slot| is_linked(slot)) {
            let items = self.fast_items(repeat, goal, var);
            let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
            let end = build.scope.fresh(&format!("{var}End"), ());
            let function = self.fast_linked_list_writer(wire, repeat, cells, goal);
            let call = call(&function, [items, quote(build.place.to_string())]);
            build.ending(&bytes, &end, call, Distance::default());
            return;
        }
        let listed = self.listed(repeat, goal, var, build);
        build.list_head(&repeat.head, &listed);
        let value = match cells {
            [slot] => {
                let cell = self.cell_bytes(&wire, slot, "Item", "[]");
                quote_with(format!("<< ?1 || Item <- {listed} >>"), [cell])
            }
            [key, value] => {
                let key = self.cell_bytes(&wire, key, "Key", "[]");
                let value = self.cell_bytes(&wire, value, "Of", "[]");
                quote_with(format!("<< <<?1/binary, ?2/binary>> || {{Key, Of}} <- {listed} >>"), [key, value])
            }
            _ => return,
        };
        let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
        build.let_be(&bytes, value);
        build.list(&bytes);
    }

    /// The variable of the list of what is in `var`.
    fn listed(&mut self, repeat: &'a Repeat, goal: &Goal<'a>, var: &str, build: &mut Build) -> String {
        if repeat.shape == Shape::List {
            return var.to_owned();
        }
        let listed = build.scope.fresh(&format!("{var}Items"), ());
        build.items(&listed, self.fast_items(repeat, goal, var));
        listed
    }

    /// The elements of `var` in the order in which they are written, as a list.
    fn fast_items(&mut self, repeat: &'a Repeat, goal: &Goal<'a>, var: &str) -> Expr {
        // Text and bytes are binaries in usual records, and those are in order as they are.
        let in_order = |ty: &Type| matches!(ty, Type::Text(_) | Type::Bytes);
        match repeat.shape {
            Shape::List => quote(var),
            Shape::Set => match goal.element().ty {
                ty if in_order(ty) => quote_with("lists:usort(aldis_check:list(?1, []))", [self.values.set_to(var)]),
                ty => self.sorted_set(ty, var, "[]"),
            },
            Shape::Map => match goal.key().ty {
                ty if in_order(ty) => quote(format!("lists:keysort(1, aldis_check:map({var}, []))")),
                ty => self.sorted_map(ty, var, "[]"),
            },
        }
    }

    /// The function `f(List) -> Bytes` of a head and the elements behind it: one construction of a few, else a growing binary.
    fn fast_list_writer(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>) -> Callee {
        let element = &repeat.element;
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
        clauses.push(longer.clause(vec![quote("List")], call(&elements, [quote("List"), longer.result()])));
        self.share(&format!("fast_write_{}{}_list", goal.element().hint, wire.suffix()), |own| {
            writer(&atom(own), &clauses)
        })
    }

    /// The function `f(List) -> [Piece…]` or `f(List, Acc) -> Grown` of elements, one after another.
    fn fast_elements_writer(&mut self, wire: Wire<'a>, element: &'a Element, goal: &Goal<'a>, way: Way) -> Callee {
        let kinds = self.rows(wire, element, goal, way);
        let mut rows: Vec<(Vec<Expr>, Build)> = Vec::new();
        for (count, opened) in &kinds {
            let mut build = Build::new(way, wire.plan.byte_order);
            build.opened = *opened;
            let row = self.row(wire, element, goal, ("Item", *count), &mut build);
            rows.push((row, build));
        }
        let nullable = rows.iter().any(|(_, build)| build.nullable);
        let nulls = nullable.then(|| {
            let mut build = Build::new(way, wire.plan.byte_order).with_nulls();
            let row = self.row(wire, element, goal, ("Item", 1), &mut build);
            (row, build)
        });
        let grown = (way == Way::Growing).then_some("Acc");
        let args = |list: Expr| std::iter::once(list).chain(grown.map(quote)).collect::<Vec<_>>();
        let verb = if grown.is_some() { "append" } else { "list" };
        self.share(&format!("fast_{verb}_{}{}", goal.element().hint, wire.suffix()), |own| {
            let own = atom(own);
            let mut clauses: Vec<Clause> = Vec::new();
            for (kind, (row, build)) in kinds.iter().zip(&rows) {
                // The longest row of elements without lists has the others as its ends.
                let last = kinds[0].1.is_none() && kind != &kinds[0];
                let result = match (way, last) {
                    (_, false) => on(&own, build),
                    (Way::Growing, true) => build.result(),
                    (_, true) => list(build.pieces()),
                };
                let row = if last { list(row.clone()) } else { list_before(row.clone(), "Rest") };
                clauses.push(build.clause(args(row), result));
            }
            clauses.extend(
                nulls.iter().map(|(row, build)| build.clause(args(list_before(row.clone(), "Rest")), on(&own, build))),
            );
            clauses.push(Clause::new(args(quote("[]")), [grown.unwrap_or("[]")]));
            clauses.push(Clause::new(vec![quote("_"); args(quote("_")).len()], [UNUSUAL]));
            writer(&own, &clauses)
        })
    }

    /// The counts that there are clauses for, the longest first.
    fn rows(&mut self, wire: Wire<'a>, element: &'a Element, goal: &Goal<'a>, way: Way) -> Vec<Row> {
        let candidates: Vec<Row> = match inner_lists(&wire, element, &|_| true) {
            0 => (2..=TOGETHER).map(|count| (count, None)).collect(),
            1 if inner_lists(&wire, element, &opens) == 1 => (0..=INNER).map(|count| (1, Some(count))).collect(),
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

    /// Adds elements in variables of a name and a number, pairs under names of their own, and gives their patterns.
    fn row(
        &mut self,
        wire: Wire<'a>,
        element: &'a Element,
        goal: &Goal<'a>,
        (name, count): (&str, u32),
        build: &mut Build,
    ) -> Vec<Expr> {
        let mut row = Vec::new();
        for n in 1..=count {
            row.push(match element {
                Element::One(node) => self.build_item(wire, node, &format!("{name}{n}"), &goal.element(), build),
                Element::Pair { key, value } => {
                    let key = self.build_item(wire, key, &format!("Key{n}"), &goal.key(), build);
                    let value = self.build_item(wire, value, &format!("Of{n}"), &goal.value(), build);
                    tuple([key, value])
                }
            });
        }
        row
    }

    /// Adds a value within a list, a record with its parts, and gives its pattern.
    pub(super) fn build_item(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) -> Expr {
        match node {
            Node::Call { record } => self.build_record(wire, *record, Some(var), build),
            other => self.build_node(wire, other, var, goal, build),
        }
    }
}

/// A construction of elements, and `own` for the rest of them.
fn on(own: &Atom, build: &Build) -> Expr {
    match build.way {
        Way::Growing => call(own, [quote("Rest"), build.result()]),
        _ => build.followed_by(call(own, ["Rest"])),
    }
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
fn inner_lists(wire: &Wire<'_>, element: &Element, wanted: &dyn Fn(&Repeat) -> bool) -> usize {
    let deep = |repeat: &Repeat| inner_lists(wire, &repeat.element, &|_| true) > 0;
    let of = |node: &Node| match node {
        Node::Call { record } => lists(wire, *record, wanted) + lists(wire, *record, &deep),
        _ => 0,
    };
    element.nodes().into_iter().map(of).sum()
}

/// Whether a list is written element by element, as lists of numbers are not.
fn in_elements(repeat: &Repeat) -> bool {
    cells(repeat).is_none()
}

/// Whether a pattern can open what is written element by element.
fn opens(repeat: &Repeat) -> bool {
    in_elements(repeat) && repeat.shape == Shape::List
}

/// Whether the elements of a list lie behind links.
fn of_links(repeat: &Repeat) -> bool {
    cells(repeat).is_some_and(|cells| cells.iter().any(|slot| is_linked(slot)))
}

/// Whether a record, or one in it, has lists of the kind asked for.
fn has_lists(wire: &Wire<'_>, id: TypeId, wanted: &dyn Fn(&Repeat) -> bool) -> bool {
    wire.layout(id).steps.iter().any(|step| match step {
        Step::Part { node, .. } => node_has_lists(wire, node, wanted),
        Step::Run(run) => run.slots.iter().any(|slot| slot_has_lists(wire, slot, wanted)),
    })
}

fn slot_has_lists(wire: &Wire<'_>, slot: &Slot, wanted: &dyn Fn(&Repeat) -> bool) -> bool {
    match &slot.kind {
        SlotKind::Link(link) | SlotKind::Presence(link) => node_has_lists(wire, &link.target, wanted),
        _ => false,
    }
}

fn node_has_lists(wire: &Wire<'_>, node: &Node, wanted: &dyn Fn(&Repeat) -> bool) -> bool {
    match node {
        Node::Repeat(repeat) => wanted(repeat),
        Node::Call { record } => has_lists(wire, *record, wanted),
        Node::Maybe { value } | Node::Rebase { value } => node_has_lists(wire, value, wanted),
        Node::Cell { slot } => slot_has_lists(wire, slot, wanted),
        Node::Blob(_) | Node::Series { .. } | Node::Opaque { .. } => false,
    }
}
