//! Fast writers of lists.
//!
//! Where values lie one after another, a list is iodata with its head: one construction where it is short, else pieces of a few
//! elements. The VM keeps binaries of up to 64 bytes on the heap, and takes memory for longer and for growing ones.

use super::build::{within_bounds, Build, Segment};
use super::stage::{mentioned, Distance};
use super::UNUSUAL;
use crate::decode::Goal;
use crate::erl::{atom, call_text, function, list, texts, writer, Clause};
use crate::gen::Gen;
use crate::slots::unsigned;
use crate::unused::variables;
use crate::wire::Wire;
use aldis_emit::doc::{concat, text, Doc};
use aldis_plan::{ByteOrder, Element, Node, Repeat, Run, SlotKind, Step, TypeId};

/// Elements in one construction are no more, and take no more segments together.
const TOGETHER: u32 = 4;
const SEGMENTS: usize = 16;

/// The longest binary that lies on the VM's heap.
const HEAP: u64 = 64;

impl<'a> Gen<'a> {
    /// Whether a record's fast writer gives iodata: it has lists of more than numbers, and nothing asks how long they are.
    pub(super) fn is_iodata(&self, wire: &Wire<'a>, id: TypeId) -> bool {
        !wire.links && has_lists(wire, id, &|repeat| !matches!(repeat.element, Element::One(Node::Cell { .. })))
    }

    pub(super) fn build_repeat(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) {
        let Element::One(element) = &repeat.element else { return };
        let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
        let Node::Cell { slot } = element else {
            let lead = if build.whole { Vec::new() } else { build.take_lead() };
            let (function, args) = self.fast_list_writer(wire, repeat, &goal.element(), &lead);
            build.list_of(&bytes, &call_text(&function, &[vec![var.to_owned()], args].concat()));
            return;
        };
        build.guards.extend(within_bounds(&repeat.head, &format!("length({var})"), u64::MAX));
        build.head(&repeat.head, &format!("(length({var}))"));
        let value = match &slot.kind {
            SlotKind::Link(link) => {
                let writer = self.fast_linked_list_writer(wire, &link.target, &goal.element());
                let start = format!("{} + {} * length({var})", build.place, slot.width);
                call_text(&writer, &[var.to_owned(), start])
            }
            _ => format!("<< {} || Item <- {var} >>", self.cell_bytes(&wire, slot, "Item", "[]")),
        };
        build.let_be(&bytes, text(value));
        build.list(&bytes);
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
        let Element::One(element) = &repeat.element else { return Default::default() };
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
        let function = self.share(&format!("fast_write_{}{}_list", goal.hint, wire.suffix()), |own| {
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
    fn together(&mut self, wire: Wire<'a>, element: &'a Node, goal: &Goal<'a>, start: &Start) -> u32 {
        if matches!(element, Node::Call { record } if has_lists(&wire, *record, &|_| true)) {
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
    fn row(&mut self, wire: Wire<'a>, element: &'a Node, goal: &Goal<'a>, count: u32, build: &mut Build) -> Vec<Doc> {
        (1..=count).map(|n| self.build_element_of(wire, element, &format!("Item{n}"), goal, build)).collect()
    }

    /// The clauses of `f(List) -> [Piece…]`, of its name.
    fn each_clauses(
        &mut self,
        wire: Wire<'a>,
        element: &'a Node,
        goal: &Goal<'a>,
        together: u32,
    ) -> impl Fn(&str) -> Vec<Clause> {
        let mut made = Vec::new();
        for count in if together > 1 { vec![together, 1] } else { vec![1] } {
            let mut build = Build::in_pieces(wire.plan.byte_order);
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

    fn build_element_of(
        &mut self,
        wire: Wire<'a>,
        element: &'a Node,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) -> Doc {
        match element {
            Node::Call { record } => self.build_record(wire, *record, Some(var), build),
            other => self.build_node(wire, other, var, goal, build),
        }
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
            let body = vec![text(format!("Block = {bytes}")), crate::erl::call(&atom(&each), onward)];
            let loops = [
                Clause::new(["[Item | Rest]", "At", "Table", "Blocks"].map(text).to_vec(), body),
                Clause::plain(&["[]", "_", "Table", "Blocks"], text("<<Table/binary, Blocks/binary>>")),
            ];
            concat([function(&atom(own), &clauses), function(&atom(&each), &loops)])
        })
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
        let mut build = Build::in_pieces(self.order);
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

/// Whether a record, or one in it, has lists of the kind asked for.
fn has_lists(wire: &Wire<'_>, id: TypeId, wanted: &dyn Fn(&Repeat) -> bool) -> bool {
    wire.layout(id).steps.iter().any(|step| match step {
        Step::Part { node: Node::Repeat(repeat), .. } => wanted(repeat),
        Step::Part { node: Node::Call { record }, .. } => has_lists(wire, *record, wanted),
        _ => false,
    })
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
