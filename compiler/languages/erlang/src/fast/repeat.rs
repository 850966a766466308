//! Fast readers of lists, sets and maps.

use super::stage::{Chain, Distance, First};
use super::LARGE;
use crate::code::{quote, quote_with, Expr};
use crate::decode::value::is_linked;
use crate::erl::{binary, call, comprehension, list, list_before, tuple, Atom, Callee, Clause};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{alone, match_segments, unsigned, Floats};
use crate::wire::Wire;
use aldis_plan::{Element, Node, Repeat, Shape, Slot, SlotKind};

/// Elements that one match reads are no more, and have no more segments together.
const TOGETHER: usize = 3;
const SEGMENTS: usize = 24;

/// The parts of a loop over elements, apart from the elements.
struct Loop<'t> {
    /// The clauses for none left, and for several at once, of the loop's name.
    first: &'t dyn Fn(&Atom) -> Vec<Clause>,
    /// The arguments behind the bytes where there is one more.
    state: Vec<Expr>,
    /// The call for the rest, of the loop's name, the element, its end, and what follows.
    again: &'t dyn Fn(&Atom, &str, &str) -> String,
}

/// Elements that one match reads at once.
struct Elements {
    pattern: Expr,
    values: Vec<Expr>,
    /// They are the whole list.
    all: bool,
}

impl Elements {
    /// The clause of the loop `own(Bin, Left, Acc)`.
    fn clause(&self, own: &Atom) -> Clause {
        let (pattern, count) = (self.pattern.clone(), self.values.len());
        if self.all {
            let found = tuple([list(self.values.clone()), quote("Rest")]);
            return Clause::new([pattern, quote(count.to_string()), quote("[]")], [found]);
        }
        let values = list_before(self.values.iter().rev().cloned(), "Acc");
        let again = call(own, [quote("Rest"), quote(format!("Left - {count}")), values]);
        Clause::new([pattern, quote("Left"), quote("Acc")], [again]).when(format!("Left >= {count}"))
    }
}

impl<'a> Gen<'a> {
    pub(super) fn chain_repeat(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        var: &str,
        goal: &Goal<'a>,
        chain: &mut Chain,
    ) -> Expr {
        let count = chain.fresh(&format!("{var}Count"));
        chain.segments(&super::read::usual_head(&wire, &repeat.head, &count));
        chain.place.add(&Distance::of(repeat.head.size.into(), None));
        let Some(cells) = cells(repeat) else {
            chain.guard(format!("{count} < {}", LARGE / 16));
            let function = self.fast_list(wire, repeat, goal);
            return self.chain_call(&wire, var, call(&function, ["Rest", &count, "[]"]), chain);
        };
        let width: u32 = cells.iter().map(|slot| slot.width).sum();
        let table = chain.fresh(&format!("{var}Table"));
        let room = chain.fresh(&format!("{var}Room"));
        chain.segments(&[quote(format!("{table}:{count}/binary-unit:{}", width * 8))]);
        if cells.iter().any(|slot| is_linked(slot)) {
            chain.guard(format!("{count} < {}", LARGE / 16));
            let start = format!("{} + {width} * {count}", chain.place);
            let function = self.fast_linked_list(wire, repeat, &cells, goal);
            chain.call(format!("{{{var}, {room}, After}}"), format!("{function}(Rest, {table}, {start}, [])"));
            chain.place = Distance::of(0, Some(&room));
            return quote(var);
        }
        chain.guard(format!("{count} =< {}", LARGE / width));
        chain.place.add(&Distance::of(0, Some(&format!("{width} * {count}"))));
        let items = match cells.as_slice() {
            [slot] => self.table(&wire, slot, &table, "[]"),
            cells => self.table_of_pairs(&wire, cells, &table),
        };
        self.collected(repeat, goal, items)
    }

    /// Pairs whose keys and values lie side by side in `table`.
    fn table_of_pairs(&mut self, wire: &Wire<'a>, cells: &[&'a Slot], table: &str) -> Expr {
        let both: Vec<_> = cells.iter().zip(["Key", "Of"]).map(|(slot, var)| alone(self.names, slot, var)).collect();
        let width = cells.iter().map(|slot| slot.width).sum();
        let segments = match_segments(&both, (0, width), wire.plan.byte_order, Floats::Bits, &|_| None);
        let values: Vec<Expr> = both.iter().map(|named| self.value(wire, named, Floats::Bits, "[]")).collect();
        comprehension(tuple(values), binary(segments), table)
    }

    /// `f(Bin, Left, Acc) -> {Values, Rest}`
    fn fast_list(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>) -> Callee {
        let all = self.collected_of_last(repeat, goal);
        let done = Clause::new(["Rest", "0", "Acc"], [tuple([all, quote("Rest")])]);
        let rows = self.rows_of_elements(wire, repeat, goal);
        let parts = Loop {
            first: &|own| rows.iter().map(|row| row.clause(own)).chain([done.clone()]).collect(),
            state: vec![quote("Left"), quote("Acc")],
            again: &|own, _, rest| format!("{own}({rest}, Left - 1, [?1 | Acc])"),
        };
        let mut chain = Chain::new();
        let value = match &repeat.element {
            Element::One(node) => self.chain_element(wire, node, "Item", &goal.element(), &mut chain),
            Element::Pair { key, value } => {
                let key = self.chain_element(wire, key, "Key", &goal.key(), &mut chain);
                let value = self.chain_element(wire, value, "Of", &goal.value(), &mut chain);
                tuple([key, value])
            }
        };
        self.fast_loop(&wire, goal, &parts, &chain, &value)
    }

    /// Elements of a list that one match reads: all of a short list, and the next ones of a longer one.
    fn rows_of_elements(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>) -> Vec<Elements> {
        let (Shape::List, Element::One(node)) = (repeat.shape, &repeat.element) else { return Vec::new() };
        let mut rows = Vec::new();
        for count in 1..=TOGETHER {
            let mut chain = Chain::new();
            let item = |n: usize| format!("Item{n}");
            let values: Vec<Expr> =
                (1..=count).map(|n| self.chain_element(wire, node, &item(n), &goal.element(), &mut chain)).collect();
            match chain.one_match() {
                Some((pattern, segments)) if segments <= SEGMENTS => rows.push((pattern, values)),
                _ => break,
            }
        }
        let next = rows.last().filter(|(_, values)| values.len() > 1).cloned();
        let whole = rows.into_iter().map(|(pattern, values)| Elements { pattern, values, all: true });
        whole.chain(next.map(|(pattern, values)| Elements { pattern, values, all: false })).collect()
    }

    /// `f(Bin, Table, At, Acc) -> {Values, End, Rest}`: each link of the table must lead to where the value before it ended.
    fn fast_linked_list(&mut self, wire: Wire<'a>, repeat: &'a Repeat, cells: &[&'a Slot], goal: &Goal<'a>) -> Callee {
        let goals = if cells.len() == 2 { vec![goal.key(), goal.value()] } else { vec![goal.element()] };
        let variables = if cells.len() == 2 { ["Key", "Of"] } else { ["Item", ""] };
        let mut chain = Chain::new();
        chain.place = Distance::of(0, Some("At"));
        let (mut segments, mut values, mut led) = (Vec::new(), Vec::new(), false);
        for ((slot, goal), var) in cells.iter().zip(&goals).zip(variables) {
            let var = chain.fresh(var);
            if let SlotKind::Link(link) = &slot.kind {
                // The first link of an element is matched with where the one before it ended.
                let at = if led { chain.fresh(&format!("{var}At")) } else { "At".to_owned() };
                segments.push(unsigned(at.as_str(), slot.width, wire.plan.byte_order));
                if led {
                    chain.here(&at, None);
                }
                led = true;
                values.push(self.chain_element(wire, &link.target, &var, goal, &mut chain));
            } else {
                let named = alone(self.names, slot, &var);
                let range = (slot.at, slot.end());
                let one = std::slice::from_ref(&named);
                let matched = match_segments(one, range, wire.plan.byte_order, Floats::Numbers, &|_| None);
                segments.extend(matched);
                values.push(self.value(&wire, &named, Floats::Numbers, "[]"));
            }
        }
        let value = match values.as_slice() {
            [one] => one.clone(),
            both => tuple(both.to_vec()),
        };
        let all = self.collected_of_last(repeat, goal);
        let done = Clause::new(["Rest", "<<>>", "At", "Acc"], [tuple([all, quote("At"), quote("Rest")])]);
        let parts = Loop {
            first: &|_| vec![done.clone()],
            state: vec![binary(segments.into_iter().chain([quote("Table/binary")])), quote("At"), quote("Acc")],
            again: &|own, end, rest| format!("{own}({rest}, Table, {end}, [?1 | Acc])"),
        };
        self.fast_loop(&wire, goal, &parts, &chain, &value)
    }

    /// An element's value; records are opened.
    fn chain_element(&mut self, wire: Wire<'a>, node: &'a Node, var: &str, goal: &Goal<'a>, chain: &mut Chain) -> Expr {
        match node {
            Node::Call { record } if self.one_match(wire, *record).is_some() => {
                self.chain_record(wire, *record, Some(var), chain)
            }
            other => self.chain_node(wire, other, var, goal, chain),
        }
    }

    /// The value of all elements together, made of their list `Acc` from the last one to the first.
    fn collected_of_last(&mut self, repeat: &'a Repeat, goal: &Goal<'a>) -> Expr {
        match repeat.shape {
            // The first one of equal keys counts, which `maps:from_list/1` meets last.
            Shape::Map if self.is_plain_key(goal.key().ty) => quote("maps:from_list(Acc)"),
            _ => self.collected(repeat, goal, quote("lists:reverse(Acc)")),
        }
    }

    /// The loop of `parts` over elements that `chain` reads.
    fn fast_loop(&mut self, wire: &Wire<'a>, goal: &Goal<'a>, parts: &Loop<'_>, chain: &Chain, value: &Expr) -> Callee {
        let end = chain.place.to_string();
        let first = |own: &Atom| First { args: parts.state.clone(), clauses: (parts.first)(own) };
        let name = format!("fast_read_{}{}_list", goal.element().hint, wire.suffix());
        self.chain_function(&name, chain, &first, &|own, rest| {
            quote_with((parts.again)(own, &end, rest), [value.clone()])
        })
    }
}

/// The slots of elements that lie side by side in a table.
pub(super) fn cells(repeat: &Repeat) -> Option<Vec<&Slot>> {
    match &repeat.element {
        Element::One(Node::Cell { slot }) => Some(vec![slot]),
        Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => Some(vec![key, value]),
        _ => None,
    }
}
