//! Following links.

use super::node::head_segments;
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, binary, bind, call, case_of, function, list_before, trees, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{alone, match_segments, Floats};
use crate::variables::Numbered;
use crate::wire::{Here, Wire};
use aldis_plan::{Link, Node, NullLink, Register, Shape, Slot};

impl<'a> Gen<'a> {
    /// `follow(At, Base, State…) -> {Value, Budget}`
    pub(crate) fn follow_link(
        &mut self,
        wire: Wire<'a>,
        link: &'a Link,
        missing: Option<Expr>,
        goal: &Goal<'a>,
    ) -> Callee {
        let reader = self.read_node(wire, &link.target, goal);
        let call = reader.call(&wire, &Here::new().bin(Numbered::first("Target")));
        let args = |at: &str| {
            let mut args = vec![at.to_owned(), "Base".to_owned()];
            args.extend(wire.state_args(&Here::new()));
            trees(&args)
        };
        let mut clauses = Vec::new();
        clauses.extend(missing.map(|value| Clause::new(args("missing"), [answer(value)])));
        clauses.push(match link.null {
            NullLink::Empty => Clause::new(args("0"), [answer(empty(&link.target))]),
            NullLink::Refused => Clause::new(args("0"), ["aldis_wire:bad_pointer(0, Base, Path)"]),
        });
        let places = [
            (quote("<<_:At/binary, Target/binary>>"), self.without_rest(&wire, call)),
            (quote("_"), quote("aldis_wire:bad_pointer(At, Base, Path)")),
        ];
        let checked = matches!(&*link.target, Node::Blob(blob) if self.strict_text.blob(blob));
        let whole = if checked { None } else { whole_blob(&wire, &link.target) };
        let follow = case_of("Base", whole.into_iter().chain(places));
        clauses.push(Clause::new(args("At"), [follow]));
        let kind = match &*link.target {
            Node::Blob(_) => "text".to_owned(),
            Node::Call { record } => self.names.of(*record).to_owned(),
            _ => goal.hint.clone(),
        };
        self.share(&format!("{kind}_at{}", wire.suffix()), |own| function(atom(own), &clauses))
    }

    /// A reader's result without what follows the value.
    fn without_rest(&self, wire: &Wire<'a>, call: Expr) -> Expr {
        if !wire.rest {
            return call;
        }
        case_of(call, [("{Value, _, Budget1}", "{Value, Budget1}")])
    }

    /// `follow(Has, At, Base, State…) -> {Value, Budget}`
    pub(crate) fn follow_presence(
        &mut self,
        wire: Wire<'a>,
        link: &'a Link,
        missing: Option<Expr>,
        goal: &Goal<'a>,
    ) -> Callee {
        let inner = self.follow_link(wire, link, None, goal);
        let args = |has: &str| {
            let mut args = vec![has.to_owned(), "At".to_owned(), "Base".to_owned()];
            args.extend(wire.state_args(&Here::new()));
            args
        };
        let mut clauses = Vec::new();
        clauses.extend(missing.map(|value| Clause::new(trees(args("missing")), [answer(value)])));
        clauses.push(Clause::new(trees(args("0")), [answer(Expr::Null)]));
        let call = call(&inner, &args("_")[1..]);
        clauses.push(Clause::new(trees(args("_")), [call]));
        self.share(&format!("{}_if{}", goal.hint, wire.suffix()), |own| function(atom(own), &clauses))
    }

    /// `follow(Table, Base, State…) -> {Values, Budget}`: elements with links, side by side in `Table`.
    pub(crate) fn follow_array(
        &mut self,
        wire: Wire<'a>,
        count: u32,
        element: &'a Slot,
        missing: Option<Expr>,
        goal: &Goal<'a>,
    ) -> Callee {
        let named = alone(self.names, element, "Value");
        let order = wire.plan.byte_order;
        let one = std::slice::from_ref(&named);
        let segments = match_segments(one, (0, element.width), order, Floats::Bits, &|_| None);
        let here = Here::new().path("[Index | Path]");
        let (body, value, budget) = self.cell_value(wire, &named, &here, goal);
        let after = budget.next();
        let state = |budget| {
            let mut state = vec!["Base".to_owned()];
            state.extend(wire.state_args(&Here::new().budget(budget)));
            state.join(", ")
        };
        let (more, state) = (state(budget), state(here.budget));
        let answered = tuple([list_before([value], "Values"), after.into()]);
        let found = tuple([quote("Values"), after.into()]);
        let pattern = binary(segments.into_iter().chain([quote("Rest/binary")]));
        let first = missing.map(|value| Clause::new(trees([format!("missing, {state}")]), [answer(value)]));
        self.share(&format!("{}_{count}_at{}", goal.hint, wire.suffix()), |own| {
            let each = atom(&format!("{own}_each"));
            let further = bind(found.clone(), format!("{each}(Index + 1, Rest, {more})"));
            let body = body.iter().cloned().chain([further, answered.clone()]);
            let start = Clause::new(trees([format!("Table, {state}")]), [format!("{each}(0, Table, {state})")]);
            let clauses: Vec<Clause> = first.iter().cloned().chain([start]).collect();
            let loops = [
                Clause::new(trees([format!("_, <<>>, {state}")]), [answer("[]")]),
                Clause::new([quote("Index"), pattern.clone(), quote(&state)], body),
            ];
            function(atom(own), &clauses).and(function(&each, &loops))
        })
    }
}

/// The pattern of a text or bytes that a link leads to, all of it there and paid for, and the answer: read in one match.
fn whole_blob(wire: &Wire<'_>, target: &Node) -> Option<(Expr, Expr)> {
    let Node::Blob(blob) = target else { return None };
    let (head, size) = (head_segments(wire, &blob.head, "Count"), blob.head.size);
    let pattern = format!("<<_:At/binary, ?1, Value:Count/binary, _/binary>> when Budget >= Count + {size}");
    let counted = blob.head.register(Register::is_count).is_some_and(|(_, register)| register.constant.is_none());
    counted.then(|| (quote_with(pattern, [head]), quote(format!("{{Value, Budget - Count - {size}}}"))))
}

fn answer(value: impl Into<Expr>) -> Expr {
    tuple([value.into(), quote("Budget")])
}

/// The value of a link of zero.
pub(crate) fn empty(target: &Node) -> String {
    match target {
        Node::Repeat(repeat) if repeat.shape == Shape::Map => "#{}",
        Node::Repeat(_) => "[]",
        _ => "<<>>",
    }
    .to_owned()
}
