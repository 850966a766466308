//! Readers of lists, sets, maps and arrays of elements that have no fixed size.

use super::node::{head_segments, is_count, is_extent, node_takes_extent, register_text, truncated};
use super::record::next;
use super::table::{reserve, Reading};
use crate::decode::Goal;
use crate::erl::{atom, bind, function, text_list, texts, tuple, Clause};
use crate::gen::Gen;
use crate::slots::{alone, match_segments, Floats};
use crate::wire::{Here, Wire};
use aldis_emit::doc::{concat, text, Doc};
use aldis_plan::{short_of_cell, Element, Limits, Node, Repeat, Shape, Slot};

impl<'a> Gen<'a> {
    pub(crate) fn read_repeat(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>) -> String {
        let head = head_segments(&wire, &repeat.head);
        let args = wire.args(&Here::new(), true, false);
        let extent = register_text(&repeat.head, "Extent", is_extent);
        let count = register_text(&repeat.head, "Count", is_count).unwrap_or_else(|| "0".to_owned());
        let least = extent.clone().unwrap_or_else(|| repeat.element_min.to_string());
        let mut full = texts(&args);
        full[0] = text(format!("<<{head}, Bin1/binary>> = Bin"));
        let (mut body, loops) = self.repeat_body(wire, repeat, goal, &least);
        // Numbers that the schema fixes are not in the head.
        for (name, value) in [("Extent", extent.as_ref()), ("Count", Some(&count))] {
            if let Some(value) = value.filter(|value| *value != name) {
                body.insert(0, text(format!("{name} = {value}")));
            }
        }
        let mut first = Clause::new(full, Vec::new());
        let mut refuse = Vec::new();
        if least != "0" {
            first = first.when(format!("{count} * {least} =< byte_size(Bin1)"));
            let mut short = texts(&args);
            short[0] = text(format!("<<{head}, _/binary>> = Bin"));
            refuse.push(Clause::new(short, vec![text(format!("aldis_wire:bad_count({count}, Bin, Path)"))]));
        }
        self.share(&format!("read_{}{}_list", goal.hint, wire.suffix()), |own| {
            let each = atom(&format!("{own}_each"));
            let named = |doc: &Doc| text_with(doc, &each);
            let mut clause = first.clone();
            clause.body = body.iter().map(named).collect();
            let clauses: Vec<Clause> = [clause].into_iter().chain(refuse.clone()).chain([truncated(&args)]).collect();
            let mut parts = vec![function(&atom(own), &clauses)];
            if !loops.is_empty() {
                let loops: Vec<Clause> = loops
                    .iter()
                    .map(|clause| Clause { body: clause.body.iter().map(named).collect(), ..clause.clone() })
                    .collect();
                parts.push(function(&each, &loops));
            }
            concat(parts)
        })
    }

    /// What follows a repeat's head: statements, and the clauses of the loop that they may need.
    /// `least` is how many bytes an element takes at the least.
    fn repeat_body(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        goal: &Goal<'a>,
        least: &str,
    ) -> (Vec<Doc>, Vec<Clause>) {
        let mut body = Vec::new();
        let flat = match &repeat.element {
            Element::One(Node::Cell { slot }) => is_flat(slot).then_some(slot.width),
            Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot } } => {
                (is_flat(key) && is_flat(slot)).then_some(key.width + slot.width)
            }
            _ => None,
        };
        let list = self.collected(repeat, goal, if flat.is_some() { "List" } else { "Items" });
        let head = repeat.head.size;
        if let Some(width) = flat {
            if wire.budget {
                let charged = charged_cells(repeat);
                body.push(text(format!("Budget1 = aldis_wire:charge(Budget, {head} + Count * {charged}, Bin, Path)")));
            }
            body.push(text(format!("Size = Count * {width}")));
            body.extend(reserve(&wire, repeat, least, Reading::Table));
            body.push(text("<<Table:Size/binary, Rest/binary>> = Bin1"));
            let items = self.flat_items(wire, repeat);
            body.push(bind(text("List"), items));
            body.push(tuple(texts(&wire.result(&list, "Rest", "Budget1"))));
            return (body, Vec::new());
        }
        if wire.budget {
            body.push(text(format!("Budget1 = aldis_wire:charge(Budget, {head}, Bin, Path)")));
        }
        let extent = match &repeat.element {
            Element::One(node) => node_takes_extent(&wire, node),
            Element::Pair { .. } => false,
        };
        let here = Here::new().bin("Bin1").budget(if wire.budget { "Budget1" } else { "Budget" });
        let call = loop_call("0", "[]", &wire, &here, extent);
        let result = in_loop(&wire, "Items", "Rest", "Budget2");
        if wire.rest && list == "Items" {
            body.extend(self.in_table(wire, repeat, least, text(call)));
            return (body, self.loop_clauses(wire, repeat, goal, extent));
        }
        body.extend(reserve(&wire, repeat, least, Reading::Each));
        body.push(text(format!("{{{}}} = {call}", result.join(", "))));
        body.push(tuple(texts(&wire.result(&list, "Rest", "Budget2"))));
        let loops = self.loop_clauses(wire, repeat, goal, extent);
        (body, loops)
    }

    /// The elements that lie in `Table`, all of fixed size and without links.
    fn flat_items(&mut self, wire: Wire<'a>, repeat: &'a Repeat) -> Doc {
        match &repeat.element {
            Element::One(Node::Cell { slot }) if slot.width == 0 => {
                let item = self.zero_width(&wire, slot);
                concat([text("lists:duplicate(Count, "), item, text(")")])
            }
            Element::One(Node::Cell { slot }) => self.table(&wire, slot, "Table", "Path"),
            Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => {
                let order = wire.plan.byte_order;
                let (key_named, value_named) = (alone(self.names, key, "Key"), alone(self.names, value, "Value"));
                let width = key.width + value.width;
                let both = [key_named, value_named];
                let segments = match_segments(&both, (0, width), order, Floats::Bits, &|_| None);
                let (key, value) = (
                    self.value(&wire, &both[0], Floats::Bits, "Path"),
                    self.value(&wire, &both[1], Floats::Bits, "Path"),
                );
                if width == 0 {
                    return concat([text("lists:duplicate(Count, {"), key, text(", "), value, text("})")]);
                }
                let generator = format!("}} || <<{}>> <= Table]", text_list(&segments));
                concat([text("[{"), key, text(", "), value, text(generator)])
            }
            _ => text("[]"),
        }
    }

    /// `each(Index, Count, Bin, …, Acc)`: the clauses of a loop over elements.
    fn loop_clauses(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>, extent: bool) -> Vec<Clause> {
        let here = Here::new();
        let done = {
            let mut args = vec!["Count".to_owned(), "Count".to_owned()];
            args.extend(wire.args(&here, true, extent));
            args.push("Acc".to_owned());
            let result = in_loop(&wire, "lists:reverse(Acc)", "Bin", "Budget");
            Clause::new(texts(&args), vec![tuple(texts(&result))])
        };
        let mut args = vec!["Index".to_owned(), "Count".to_owned()];
        args.extend(wire.args(&here, true, extent));
        args.push("Acc".to_owned());
        let mut head = texts(&args);
        let inner = here.path("[Index | Path]");
        let (mut body, item, mut after) = match &repeat.element {
            Element::One(node) => self.one_element(wire, node, &inner, &goal.element(), "Item"),
            Element::Pair { key, value } => self.pair(wire, key, value, &inner, goal),
        };
        if let Some(pattern) = cell_pattern(self, &wire, repeat) {
            head[2] = text(format!("{pattern} = Bin"));
            after.bin = "Rest".to_owned();
            let (before, value, budget) = self.cells_of(wire, repeat, &inner, goal);
            body = before;
            if wire.budget {
                let charged = charged_cells(repeat);
                body.insert(0, text(format!("Charged = aldis_wire:charge(Budget, {charged}, Bin, [Index | Path])")));
            }
            after.budget = budget;
            return vec![done, self.next_element(&wire, head, body, value, &after, extent)];
        }
        if wire.budget && repeat.element_min == 0 {
            let charged = next(&after.budget);
            body.push(text(format!(
                "{charged} = aldis_wire:charge_empty(Bin, {}, {}, [Index | Path])",
                after.bin, after.budget
            )));
            after.budget = charged;
        }
        vec![done, self.next_element(&wire, head, body, item, &after, extent)]
    }

    fn next_element(
        &self,
        wire: &Wire<'_>,
        head: Vec<Doc>,
        mut body: Vec<Doc>,
        item: Doc,
        after: &Here,
        extent: bool,
    ) -> Clause {
        let onward = after.path("Path");
        let call = loop_call("Index + 1", "ACC", wire, &onward, extent);
        let acc = format!("[{} | Acc]", item.print(usize::MAX));
        body.push(text(call.replace("ACC", &acc)));
        Clause::new(head, body)
    }

    /// Reads one element by its node's reader.
    fn one_element(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        here: &Here,
        goal: &Goal<'a>,
        var: &str,
    ) -> (Vec<Doc>, Doc, Here) {
        if matches!(node, Node::Cell { .. }) && !wire.rest {
            return (Vec::new(), Doc::Nil, here.clone());
        }
        let reader = self.read_node(wire, node, goal);
        let (bin, budget) = (next(&here.bin), next(&here.budget));
        let pattern = tuple(texts(&wire.result(var, &bin, &budget)));
        let statement = bind(pattern, text(reader.call(&wire, here)));
        let after = here.bin(bin).budget(if wire.budget { budget } else { here.budget.clone() });
        (vec![statement], text(var), after)
    }

    fn pair(
        &mut self,
        wire: Wire<'a>,
        key: &'a Node,
        value: &'a Node,
        here: &Here,
        goal: &Goal<'a>,
    ) -> (Vec<Doc>, Doc, Here) {
        let (mut body, key, after) = self.one_element(wire, key, here, &goal.key(), "Key");
        let (more, value, after) = self.one_element(wire, value, &after, &goal.value(), "Value");
        body.extend(more);
        (body, tuple([key, value]), after)
    }

    /// The values of an element's cells that the loop's head has matched.
    fn cells_of(
        &mut self,
        wire: Wire<'a>,
        repeat: &'a Repeat,
        here: &Here,
        goal: &Goal<'a>,
    ) -> (Vec<Doc>, Doc, String) {
        let here = here.budget(if wire.budget { "Charged" } else { "Budget" });
        match &repeat.element {
            Element::One(Node::Cell { slot }) => {
                let named = alone(self.names, slot, "Value");
                self.cell_value(wire, &named, &here, &goal.element())
            }
            Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => {
                let (key, value) = (alone(self.names, key, "Key"), alone(self.names, value, "Value"));
                let (mut body, key, budget) = self.cell_value(wire, &key, &here, &goal.key());
                let (more, value, budget) = self.cell_value(wire, &value, &here.budget(budget), &goal.value());
                body.extend(more);
                (body, tuple([key, value]), budget)
            }
            _ => (Vec::new(), text("undefined"), here.budget),
        }
    }

    /// The list `var` of a repeat's elements as the value that they make together.
    pub(crate) fn collected(&mut self, repeat: &Repeat, goal: &Goal<'a>, var: &str) -> String {
        match repeat.shape {
            Shape::List => var.to_owned(),
            Shape::Set => match self.order_key(goal.element().ty, "Item") {
                None => self.values.set_from(format!("lists:usort({var})")),
                Some(key) => self.values.set_from(format!("aldis_order:values([{{{key}, Item}} || Item <- {var}])")),
            },
            Shape::Map => match self.order_key(goal.key().ty, "Item") {
                Some(key) if !self.is_plain_key(goal.key().ty) => {
                    format!("maps:from_list(aldis_order:values([{{{key}, {{Item, Of}}}} || {{Item, Of}} <- {var}]))")
                }
                // `maps:from_list` keeps the last of equal keys, and the first is what counts.
                _ => format!("maps:from_list(lists:reverse({var}))"),
            },
        }
    }

    /// An array of `count` elements without fixed size, one after another.
    pub(crate) fn read_series(&mut self, wire: Wire<'a>, count: u32, element: &'a Node, goal: &Goal<'a>) -> String {
        let args = wire.args(&Here::new(), true, false);
        let here = Here::new();
        let inner = here.path("[Index | Path]");
        let (mut body, item, mut after) = self.one_element(wire, element, &inner, &goal.element(), "Item");
        if wire.budget {
            let charged = next(&after.budget);
            body.push(text(format!(
                "{charged} = aldis_wire:charge_empty(Bin, {}, {}, [Index | Path])",
                after.bin, after.budget
            )));
            after.budget = charged;
        }
        let call = loop_call("Index + 1", "ACC", &wire, &after.path("Path"), false).replace(", Count,", ",");
        body.push(text(call.replace("ACC", &format!("[{} | Acc]", item.print(usize::MAX)))));
        let loop_args = |index: &str| {
            let mut list = vec![index.to_owned()];
            list.extend(args.iter().cloned());
            list.push("Acc".to_owned());
            texts(&list)
        };
        let done = Clause::new(
            loop_args(&count.to_string()),
            vec![tuple(texts(&wire.result("lists:reverse(Acc)", "Bin", "Budget")))],
        );
        let step = Clause::new(loop_args("Index"), body);
        let start = loop_call("0", "[]", &wire, &here, false).replace(", Count,", ",");
        self.share(&format!("read_{}{}", goal.hint, wire.suffix()), |own| {
            let each = atom(&format!("{own}_each"));
            let named = |doc: &Doc| text_with(doc, &each);
            let step = Clause { body: step.body.iter().map(named).collect(), ..step.clone() };
            concat([
                function(&atom(own), &[Clause::new(texts(&args), vec![named(&text(start.as_str()))])]),
                function(&each, &[done.clone(), step]),
            ])
        })
    }
}

/// What a loop returns: it always needs what is left, whatever the form's readers return.
fn in_loop(wire: &Wire<'_>, value: &str, rest: &str, budget: &str) -> Vec<String> {
    let mut items = vec![value.to_owned(), rest.to_owned()];
    items.extend(wire.budget.then(|| budget.to_owned()));
    items
}

fn loop_call(index: &str, acc: &str, wire: &Wire<'_>, here: &Here, extent: bool) -> String {
    let args = wire.args(here, true, extent).join(", ");
    format!("EACH({index}, Count, {args}, {acc})")
}

/// The tree with its placeholder replaced by the loop's name.
fn text_with(doc: &Doc, each: &str) -> Doc {
    match doc {
        Doc::Text(content) => Doc::Text(content.replace("EACH(", &format!("{each}("))),
        Doc::Concat(parts) => Doc::Concat(parts.iter().map(|part| text_with(part, each)).collect()),
        Doc::Indent(columns, inner) => Doc::Indent(*columns, Box::new(text_with(inner, each))),
        Doc::Group(inner) => Doc::Group(Box::new(text_with(inner, each))),
        other => other.clone(),
    }
}

/// What an element that is nothing but cells is charged.
fn charged_cells(repeat: &Repeat) -> u64 {
    match repeat.element.charged().unwrap_or(0) {
        0 => Limits::EMPTY_ELEMENT,
        charged => charged.saturating_add(short_of_cell(charged)),
    }
}

fn is_flat(slot: &Slot) -> bool {
    !super::value::is_linked(slot)
}

/// The pattern of an element that is nothing but cells.
fn cell_pattern(gen: &Gen<'_>, wire: &Wire<'_>, repeat: &Repeat) -> Option<String> {
    let named = match &repeat.element {
        Element::One(Node::Cell { slot }) => vec![alone(gen.names, slot, "Value")],
        Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => {
            vec![alone(gen.names, key, "Key"), alone(gen.names, value, "Value")]
        }
        _ => return None,
    };
    let width = cells_width(repeat);
    let segments = match_segments(&named, (0, width), wire.plan.byte_order, Floats::Bits, &|_| None);
    Some(format!("<<{}, Rest/binary>>", text_list(&segments)))
}

fn cells_width(repeat: &Repeat) -> u32 {
    match &repeat.element {
        Element::One(Node::Cell { slot }) => slot.width,
        Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => key.width + value.width,
        _ => 0,
    }
}
