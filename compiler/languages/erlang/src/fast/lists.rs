//! Fast writers of lists.
//!
//! Where values lie one after another, a list is iodata with its head: one construction where it is short, else pieces of a few
//! elements. The VM keeps binaries of up to 64 bytes on the heap, and takes memory for longer and for growing ones.

use super::build::{within_bounds, Build, Segment};
use super::repeat::cells;
use super::stage::{mentioned, Distance};
use super::UNUSUAL;
use crate::decode::value::is_linked;
use crate::decode::Goal;
use crate::encode::bounds;
use crate::erl::{atom, call_text, list, texts, tuple, writer, Clause};
use crate::gen::Gen;
use crate::unused::variables;
use crate::wire::Wire;
use aldis_emit::doc::{concat, text, Doc};
use aldis_plan::{ByteOrder, Element, Node, Repeat, Run, Shape, Slot, SlotKind, Step, TypeId};
use aldis_schema::Type;

/// Elements in one construction are no more, and take no more segments together.
pub(super) const TOGETHER: u32 = 4;
pub(super) const SEGMENTS: usize = 16;

/// The longest binary that lies on the VM's heap.
pub(super) const HEAP: u64 = 64;

impl<'a> Gen<'a> {
    /// Whether a record's fast writer gives iodata: it has lists of more than numbers.
    pub(super) fn is_iodata(&self, wire: &Wire<'a>, id: TypeId) -> bool {
        has_lists(wire, id, &is_of_more)
    }

    /// As [`Gen::is_iodata`], for a node.
    pub(super) fn is_iodata_node(&self, wire: &Wire<'a>, node: &Node) -> bool {
        node_has_lists(wire, node, &is_of_more)
    }

    pub(super) fn build_repeat(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) {
        let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
        let items = self.fast_items(repeat, goal, var);
        let Some(cells) = cells(repeat) else {
            let lead = build.take_lead();
            let (function, args) = self.fast_list_writer(wire, repeat, goal, &lead);
            build.list_of(&bytes, text(call_text(&function, &[vec![items], args].concat())));
            return;
        };
        if cells.iter().any(|slot| is_linked(slot)) {
            let end = build.scope.fresh(&format!("{var}End"), ());
            let function = self.fast_linked_list_writer(wire, repeat, &cells, goal);
            let call = call_text(&function, &[items, build.place.to_string()]);
            build.ending(&bytes, &end, text(call), Distance::default());
            return;
        }
        let mut listed = var.to_owned();
        if repeat.shape == Shape::List {
            build.guards.extend(within_bounds(&repeat.head, &format!("length({var})"), u64::MAX));
        } else {
            listed = build.scope.fresh(&format!("{var}Items"), ());
            let (least, most) = bounds(&repeat.head);
            build.let_be(&listed, text(items));
            build.statement(text(format!("aldis_check:count(length({listed}), {least}, {most}, [])")));
        }
        build.head(&repeat.head, &format!("(length({listed}))"));
        let value = match cells.as_slice() {
            [slot] => format!("<< {} || Item <- {listed} >>", self.cell_bytes(&wire, slot, "Item", "[]")),
            [key, value] => {
                let key = self.cell_bytes(&wire, key, "Key", "[]");
                let value = self.cell_bytes(&wire, value, "Of", "[]");
                format!("<< <<({key})/binary, ({value})/binary>> || {{Key, Of}} <- {listed} >>")
            }
            _ => return,
        };
        build.let_be(&bytes, text(value));
        build.list(&bytes);
    }

    /// The elements of `var` in the order in which they are written, as a list.
    fn fast_items(&mut self, repeat: &'a Repeat, goal: &Goal<'a>, var: &str) -> String {
        // Text and bytes are binaries in usual records, and those are in order as they are.
        let in_order = |ty: &Type| matches!(ty, Type::Text(_) | Type::Bytes);
        match repeat.shape {
            Shape::List => var.to_owned(),
            Shape::Set => match goal.element().ty {
                ty if in_order(ty) => format!("lists:usort(aldis_check:list({}, []))", self.values.set_to(var)),
                ty => self.sorted_set(ty, var, "[]"),
            },
            Shape::Map => {
                let pairs = format!("aldis_check:map({var}, [])");
                match goal.key().ty {
                    ty if in_order(ty) => format!("lists:keysort(1, {pairs})"),
                    ty => self.sorted_map(ty, &pairs),
                }
            }
        }
    }

    /// The function `f(List, Lead…) -> Iodata` of a head and the elements behind it; `lead` are numbers in front of the head. Also
    /// gives the arguments that it is called with.
    fn fast_list_writer(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        goal: &Goal<'a>,
        lead: &[Segment],
    ) -> (String, Vec<String>) {
        let element = &repeat.element;
        let start = Start::new(wire, repeat, lead);
        let together = self.together(wire, element, goal, &start);
        let mut clauses = Vec::new();
        for count in 0..=together {
            let mut build = start.build(&count.to_string());
            let row = self.row(wire, element, goal, count, &mut build);
            clauses.push(build.clause(start.args(list(row)), build.construction()));
        }
        let each = self.each_clauses(wire, element, goal, together);
        let mut longer = start.build("(length(List))");
        longer.guards.extend(within_bounds(&repeat.head, "length(List)", u64::MAX));
        let others = Clause::new(vec![text("_"); 1 + start.names.len()], vec![text(UNUSUAL)]);
        let function = self.share(&format!("fast_write_{}{}_list", goal.element().hint, wire.suffix()), |own| {
            let loops = format!("{own}_each");
            let rest = text(format!("{}(List)", atom(&loops)));
            let mut clauses = clauses.clone();
            clauses.push(longer.clause(start.args(text("List")), longer.followed_by(rest)));
            clauses.push(others.clone());
            concat([writer(&atom(own), &clauses), writer(&atom(&loops), &each(&atom(&loops)))])
        });
        (function, start.given)
    }

    /// How many elements go into one construction; none of those that have lists.
    fn together(&mut self, wire: Wire<'a>, element: &'a Element, goal: &Goal<'a>, start: &Start) -> u32 {
        if element.nodes().into_iter().any(|node| node_has_lists(&wire, node, &|_| true)) {
            return 0;
        }
        let fits = |gen: &mut Self, count: u32| {
            let mut build = start.build(&count.to_string());
            gen.row(wire, element, goal, count, &mut build);
            build.length() <= SEGMENTS && build.place.bytes() <= HEAP
        };
        (1..=TOGETHER).take_while(|count| fits(self, *count)).last().unwrap_or(0)
    }

    /// Adds elements `Item1`, `Item2`, … and gives their patterns.
    fn row(
        &mut self,
        wire: Wire<'a>,
        element: &'a Element,
        goal: &Goal<'a>,
        count: u32,
        build: &mut Build,
    ) -> Vec<Doc> {
        let mut row = Vec::new();
        for n in 1..=count {
            row.push(match element {
                Element::One(node) => self.build_item(wire, node, &format!("Item{n}"), &goal.element(), build),
                Element::Pair { key, value } => {
                    let key = self.build_item(wire, key, &format!("Key{n}"), &goal.key(), build);
                    let value = self.build_item(wire, value, &format!("Of{n}"), &goal.value(), build);
                    tuple([key, value])
                }
            });
        }
        row
    }

    /// The clauses of `f(List) -> [Piece…]`, of its name.
    fn each_clauses(
        &mut self,
        wire: Wire<'a>,
        element: &'a Element,
        goal: &Goal<'a>,
        together: u32,
    ) -> impl Fn(&str) -> Vec<Clause> {
        let mut made = Vec::new();
        for count in if together > 1 { vec![together, 1] } else { vec![1] } {
            let mut build = Build::new(wire.plan.byte_order);
            let row = self.row(wire, element, goal, count, &mut build);
            made.push((row, build));
        }
        move |own| {
            let mut clauses: Vec<Clause> = Vec::new();
            for (row, build) in &made {
                let mut row = row.clone();
                let last = row.pop().unwrap_or(Doc::Nil);
                row.push(concat([last, text(" | Rest")]));
                clauses.push(build.clause(vec![list(row)], build.followed_by(text(format!("{own}(Rest)")))));
            }
            clauses.push(Clause::plain(&["[]"], text("[]")));
            clauses.push(Clause::plain(&["_"], text(UNUSUAL)));
            clauses
        }
    }

    /// Adds a value within a list, a record with its parts, and gives its pattern.
    pub(super) fn build_item(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) -> Doc {
        match node {
            Node::Call { record } => self.build_record(wire, *record, Some(var), build),
            other => self.build_node(wire, other, var, goal, build),
        }
    }
}

/// What a list begins with: the numbers in front of it, and its head.
struct Start<'a> {
    order: ByteOrder,
    head: &'a Run,
    lead: Vec<Segment>,
    /// The variables of `lead` under the names that they have in the list's writer, and those of its caller.
    names: Vec<String>,
    given: Vec<String>,
}

impl<'a> Start<'a> {
    fn new(wire: Wire<'a>, repeat: &'a Repeat, lead: &[Segment]) -> Self {
        let order = wire.plan.byte_order;
        let mut given: Vec<String> = Vec::new();
        for segment in lead {
            let Segment::Number { value, .. } = segment else { continue };
            given.extend(mentioned(value).into_iter().filter(|variable| !given.contains(variable)).collect::<Vec<_>>());
        }
        let mut scope = Build::new(order).scope;
        let names: Vec<String> = given.iter().map(|variable| scope.fresh(without_element(variable), ())).collect();
        let lead = lead.iter().map(|segment| match segment {
            Segment::Number { value, bytes, signed } => {
                Segment::Number { value: renamed(value, &given, &names), bytes: *bytes, signed: *signed }
            }
            other => other.clone(),
        });
        Self { order, head: &repeat.head, lead: lead.collect(), names, given }
    }

    /// The construction so far.
    fn build(&self, count: &str) -> Build {
        let mut build = Build::new(self.order);
        for name in &self.names {
            build.scope.fresh(name, ());
        }
        for segment in &self.lead {
            if let Segment::Number { bytes, .. } = segment {
                build.place.add(&Distance::of((*bytes).into(), None));
            }
            build.segments.push(segment.clone());
        }
        build.head(self.head, count);
        build
    }

    fn args(&self, list: Doc) -> Vec<Doc> {
        std::iter::once(list).chain(texts(&self.names)).collect()
    }
}

/// Whether a repeat's elements are more than numbers side by side.
fn is_of_more(repeat: &Repeat) -> bool {
    cells(repeat).is_none_or(|cells| cells.iter().any(|slot| is_linked(slot)))
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

/// The variable of a field without that of the element it is in.
fn without_element(variable: &str) -> &str {
    let own =
        variable.strip_prefix("Item").and_then(|rest| rest.trim_start_matches(char::is_numeric).strip_prefix('_'));
    own.filter(|own| own.starts_with(|c: char| c.is_ascii_uppercase())).unwrap_or(variable)
}

/// The expression with other names of variables.
fn renamed(expression: &str, from: &[String], to: &[String]) -> String {
    let mut out = String::new();
    let mut done = 0;
    for (start, end) in variables(expression) {
        let own = &expression[start..end];
        let name = from.iter().position(|variable| variable == own).map_or(own, |index| to[index].as_str());
        out.push_str(&expression[done..start]);
        out.push_str(name);
        done = end;
    }
    out.push_str(&expression[done..]);
    out
}
