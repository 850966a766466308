//! Readers of lists, sets, maps and arrays of elements that have no fixed size.

use super::node::{head_segments, node_takes_extent, register_text};
use super::record::rows;
use super::table::{reserve, InTable, Reading};
use super::weight::charge;
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, binary, bind, call, comprehension, function, trees, tuple, Atom, Callee, Clause, Functions};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{alone, match_segments, Floats};
use crate::variables::Numbered;
use crate::wire::{Here, Wire};
use aldis_plan::{short_of_cell, Element, Emptiness, Limits, Node, Register, Repeat, Shape, Slot};

impl<'a> Gen<'a> {
    pub(crate) fn read_repeat(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>) -> Callee {
        let head = head_segments(&wire, &repeat.head, "Count");
        let args = wire.args(&Here::new(), true, false);
        let extent = register_text(&repeat.head, "Extent", Register::is_extent);
        let count = register_text(&repeat.head, "Count", Register::is_count).unwrap_or_else(|| "0".to_owned());
        let least = extent.clone().unwrap_or_else(|| repeat.element_min.to_string());
        let mut full = trees(&args);
        full[0] = quote_with("<<?1, Bin1/binary>> = Bin", [head.clone()]);
        let body = self.repeat_body(wire, repeat, goal, &least);
        // Numbers that the schema fixes are not in the head.
        let mut fixed = Vec::new();
        for (name, value) in [("Extent", extent.as_ref()), ("Count", Some(&count))] {
            if let Some(value) = value.filter(|value| *value != name) {
                fixed.insert(0, quote(format!("{name} = {value}")));
            }
        }
        let cut = Clause::new(trees(&args), [self.head_cut(&repeat.head, "Path")]);
        let mut first = Clause::new(full, [""]);
        let mut refuse = Vec::new();
        if least != "0" {
            first = first.when(format!("{count} * {least} =< byte_size(Bin1)"));
            let mut short = trees(&args);
            short[0] = quote_with("<<?1, _/binary>> = Bin", [head]);
            refuse.push(Clause::new(short, [format!("aldis_wire:bad_count({count}, Bin, Path)")]));
        }
        self.share(&format!("read_{}{}_list", goal.hint, wire.suffix()), |own| {
            let each = atom(&format!("{own}_each"));
            let mut clause = first.clone();
            clause.body = fixed.iter().cloned().chain(body.statements(&each)).collect();
            let clauses: Vec<Clause> = [clause].into_iter().chain(refuse.clone()).chain([cut.clone()]).collect();
            let mut parts = vec![function(atom(own), &clauses)];
            parts.extend(body.turns.as_ref().map(|turns| function(&each, &turns.clauses(&each))));
            Functions::all(parts)
        })
    }

    /// The statements behind a repeat's head. `least` is how many bytes an element takes at the least.
    fn repeat_body(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>, least: &str) -> Body {
        let mut body = Vec::new();
        let flat = match &repeat.element {
            Element::One(Node::Cell { slot }) => is_flat(slot).then_some(slot.width),
            Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot } } => {
                (is_flat(key) && is_flat(slot)).then_some(key.width + slot.width)
            }
            _ => None,
        };
        let list = self.collected(repeat, goal, quote(if flat.is_some() { "List" } else { "Items" }));
        let head = repeat.head.size;
        if let Some(width) = flat {
            let (bytes, beside) = charged_cells(repeat);
            let beside = if beside == 0 { "0".to_owned() } else { format!("Count * {beside}") };
            let charged = charge(format!("{head} + Count * {bytes}"), &beside, "Path");
            body.push(bind("Budget1", charged));
            body.push(quote(format!("Size = Count * {width}")));
            body.extend(reserve(&wire, repeat, least, Reading::Table));
            body.push(quote("<<Table:Size/binary, Rest/binary>> = Bin1"));
            let items = self.flat_items(wire, repeat);
            body.push(bind("List", items));
            body.push(wire.result(list.clone(), "Rest", "Budget1"));
            return Body { before: body, start: None, turns: None };
        }
        let elements = element_cost(&wire, repeat).map(|cost| format!(" + Count * {cost}")).unwrap_or_default();
        body.push(quote(format!("Budget1 = aldis_wire:charge(Budget, {head}{elements}, Bin, Path)")));
        let extent = match &repeat.element {
            Element::One(node) => node_takes_extent(&wire, node),
            Element::Pair { .. } => false,
        };
        let here = Here::new();
        let here = here.bin(here.bin.next()).budget(here.budget.next());
        let args = loop_args("0", Some("Count"), "[]", &wire, &here, extent);
        let how = if wire.rest && list == quote("Items") {
            How::Table(self.in_table(wire, repeat, least))
        } else {
            body.extend(reserve(&wire, repeat, least, Reading::Each));
            let pattern = format!("{{{}}}", in_loop("Items", "Rest", "Budget2").join(", "));
            How::Bound { pattern, result: wire.result(list.clone(), "Rest", "Budget2") }
        };
        let turns = self.turns(wire, repeat, goal, extent);
        Body { before: body, start: Some((args, how)), turns: Some(turns) }
    }

    /// The elements that lie in `Table`, all of fixed size and without links.
    fn flat_items(&mut self, wire: Wire<'a>, repeat: &'a Repeat) -> Expr {
        match &repeat.element {
            Element::One(Node::Cell { slot }) if slot.width == 0 => {
                let item = self.zero_width(&wire, slot);
                call("lists:duplicate", [quote("Count"), item])
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
                    return call("lists:duplicate", [quote("Count"), tuple([key, value])]);
                }
                comprehension(tuple([key, value]), binary(segments), "Table")
            }
            _ => quote("[]"),
        }
    }

    /// `each(Index, Count, Bin, …, Acc)`: a loop over elements.
    fn turns(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>, extent: bool) -> Turns {
        let here = Here::new();
        let done = {
            let mut args = vec!["Count".to_owned(), "Count".to_owned()];
            args.extend(wire.args(&here, true, extent));
            args.push("Acc".to_owned());
            let result = in_loop("lists:reverse(Acc)", "Bin", "Budget");
            Clause::new(trees(&args), [tuple(&result)])
        };
        let mut args = vec!["Index".to_owned(), "Count".to_owned()];
        args.extend(wire.args(&here, true, extent));
        args.push("Acc".to_owned());
        let mut head = trees(&args);
        let inner = here.path("[Index | Path]");
        let further = |item: &Expr, after: &Here| {
            let args = loop_args("Index + 1", Some("Count"), "[?1 | Acc]", &wire, &after.path("Path"), extent);
            quote_with(args, [item.clone()])
        };
        let (mut body, item, mut after) = match &repeat.element {
            Element::One(node) => self.one_element(wire, node, &inner, &goal.element(), "Item"),
            Element::Pair { key, value } => self.pair(wire, key, value, &inner, goal),
        };
        if let Some(pattern) = cell_pattern(self, &wire, repeat) {
            head[2] = bind(pattern, "Bin");
            after.bin = Numbered::first("Rest");
            let (before, value, budget) = self.cells_of(wire, repeat, &inner, goal);
            body = before;
            let (bytes, beside) = charged_cells(repeat);
            let charged = charge(bytes.to_string(), &beside.to_string(), "[Index | Path]");
            body.insert(0, bind("Charged", charged));
            after.budget = budget;
            return Turns { done, further: further(&value, &after), step: Clause::new(head, body) };
        }
        if wire.plan.emptiness(repeat) == Emptiness::Unknown {
            let charged = after.budget.next();
            body.push(quote(format!(
                "{charged} = aldis_wire:charge_empty(Bin, {}, {}, [Index | Path])",
                after.bin, after.budget
            )));
            after.budget = charged;
        }
        Turns { done, further: further(&item, &after), step: Clause::new(head, body) }
    }

    /// Reads one element by its node's reader.
    fn one_element(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        here: &Here,
        goal: &Goal<'a>,
        var: &str,
    ) -> (Vec<Expr>, Expr, Here) {
        if matches!(node, Node::Cell { .. }) && !wire.rest {
            return (Vec::new(), Expr::Null, here.clone());
        }
        let reader = self.read_node(wire, node, goal);
        let (bin, budget) = (here.bin.next(), here.budget.next());
        let pattern = wire.result(var, bin, budget);
        let statement = bind(pattern, reader.call(&wire, here));
        let after = here.bin(bin).budget(budget);
        (vec![statement], quote(var), after)
    }

    fn pair(
        &mut self,
        wire: Wire<'a>,
        key: &'a Node,
        value: &'a Node,
        here: &Here,
        goal: &Goal<'a>,
    ) -> (Vec<Expr>, Expr, Here) {
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
    ) -> (Vec<Expr>, Expr, Numbered) {
        let here = here.budget(Numbered::first("Charged"));
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
            _ => (Vec::new(), quote("undefined"), here.budget),
        }
    }

    /// The list `var` of a repeat's elements as the value that they make together.
    pub(crate) fn collected(&mut self, repeat: &Repeat, goal: &Goal<'a>, items: Expr) -> Expr {
        match repeat.shape {
            Shape::List => items,
            Shape::Set => match self.order_key(goal.element().ty, "Item") {
                None => self.values.set_from(call("lists:usort", [items])),
                Some(key) => {
                    self.values.set_from(quote_with("aldis_order:values([{?1, Item} || Item <- ?2])", [key, items]))
                }
            },
            Shape::Map => match self.order_key(goal.key().ty, "Item") {
                Some(key) if !self.is_plain_key(goal.key().ty) => {
                    let values = "aldis_order:values([{?1, {Item, Of}} || {Item, Of} <- ?2])";
                    call("maps:from_list", [quote_with(values, [key, items])])
                }
                // `maps:from_list` keeps the last of equal keys, and the first is what counts.
                _ => quote_with("maps:from_list(lists:reverse(?1))", [items]),
            },
        }
    }

    /// An array of `count` elements without fixed size, one after another.
    pub(crate) fn read_series(&mut self, wire: Wire<'a>, count: u32, element: &'a Node, goal: &Goal<'a>) -> Callee {
        let args = wire.args(&Here::new(), true, false);
        let here = Here::new();
        let inner = here.path("[Index | Path]");
        let (mut body, item, mut after) = self.one_element(wire, element, &inner, &goal.element(), "Item");
        let charged = after.budget.next();
        body.push(quote(format!(
            "{charged} = aldis_wire:charge_empty(Bin, {}, {}, [Index | Path])",
            after.bin, after.budget
        )));
        after.budget = charged;
        let further = loop_args("Index + 1", None, "[?1 | Acc]", &wire, &after.path("Path"), false);
        let further = quote_with(further, [item]);
        let head = |index: &str| {
            let mut list = vec![index.to_owned()];
            list.extend(args.iter().cloned());
            list.push("Acc".to_owned());
            trees(&list)
        };
        let done = Clause::new(head(&count.to_string()), [wire.result("lists:reverse(Acc)", "Bin", "Budget")]);
        let turns = Turns { done, step: Clause::new(head("Index"), body), further };
        let start = loop_args("0", None, "[]", &wire, &here, false);
        self.share(&format!("read_{}{}", goal.hint, wire.suffix()), |own| {
            let each = atom(&format!("{own}_each"));
            let start = quote(format!("{each}({start})"));
            function(atom(own), &[Clause::new(trees(&args), [start])]).and(function(&each, &turns.clauses(&each)))
        })
    }
}

/// The result of a loop: it always needs the bytes that are left, whatever the form's readers return.
fn in_loop(value: &str, rest: &str, budget: &str) -> Vec<String> {
    [value, rest, budget].map(str::to_owned).to_vec()
}

/// The arguments of a loop; a count is given where the bytes say it.
fn loop_args(index: &str, count: Option<&str>, acc: &str, wire: &Wire<'_>, here: &Here, extent: bool) -> String {
    let args = wire.args(here, true, extent).join(", ");
    let count = count.map(|count| format!("{count}, ")).unwrap_or_default();
    format!("{index}, {count}{args}, {acc}")
}

/// The statements behind a repeat's head, but for the name of the loop that they call.
struct Body {
    before: Vec<Expr>,
    /// The arguments of the loop's first call; none where no loop is needed.
    start: Option<(String, How)>,
    turns: Option<Turns>,
}

/// The statements that use the loop's result.
enum How {
    /// It is the answer, where the elements are not read as a table.
    Table(InTable),
    /// A pattern takes it apart, and the answer follows.
    Bound { pattern: String, result: Expr },
}

impl Body {
    fn statements(&self, each: &Atom) -> Vec<Expr> {
        let mut statements = self.before.clone();
        if let Some((args, how)) = &self.start {
            let call = format!("{each}({args})");
            match how {
                How::Table(table) => statements.extend(table.statements(quote(call))),
                How::Bound { pattern, result } => {
                    statements.extend([quote(format!("{pattern} = {call}")), result.clone()]);
                }
            }
        }
        statements
    }
}

/// A loop over elements, but for its own name.
struct Turns {
    done: Clause,
    /// The clause that reads an element, without its last statement: the call of the next turn.
    step: Clause,
    /// The arguments of that call.
    further: Expr,
}

impl Turns {
    fn clauses(&self, each: &Atom) -> [Clause; 2] {
        let mut step = self.step.clone();
        step.body.push(call(each, [self.further.clone()]));
        [self.done.clone(), step]
    }
}

/// The charge for an element that is nothing but cells: for its bytes, or that it has none, and beside them.
fn charged_cells(repeat: &Repeat) -> (u64, u64) {
    let charged = repeat.element.charged().unwrap_or(0);
    match u64::from(cells_width(repeat)) {
        0 => (Limits::EMPTY_ELEMENT, 0),
        width => (width, charged.saturating_add(short_of_cell(charged)) - width),
    }
}

/// The charge for each element with the count, where that may be anything: see `aldis_wire:element/4`.
fn element_cost(wire: &Wire<'_>, repeat: &Repeat) -> Option<String> {
    let emptiness = wire.plan.emptiness(repeat);
    if let (Element::One(Node::Call { record }), true) = (&repeat.element, repeat.states_extent()) {
        let lacks = wire.plan.lacks(*record);
        let before = match emptiness {
            Emptiness::Extent { before: Some(before) } => before.to_string(),
            Emptiness::Extent { before: None } => "always".to_owned(),
            _ => "0".to_owned(),
        };
        let version = if wire.versions { "Version" } else { "0" };
        let costs = format!("{{{}, {}}}", rows(&lacks.block), rows(&lacks.parts));
        return Some(format!("aldis_wire:element(Extent, {version}, {costs}, {before})"));
    }
    (emptiness == Emptiness::Always).then(|| Limits::EMPTY_ELEMENT.to_string())
}

fn is_flat(slot: &Slot) -> bool {
    !super::value::is_linked(slot)
}

/// The pattern of an element that is nothing but cells.
fn cell_pattern(gen: &Gen<'_>, wire: &Wire<'_>, repeat: &Repeat) -> Option<Expr> {
    let named = match &repeat.element {
        Element::One(Node::Cell { slot }) => vec![alone(gen.names, slot, "Value")],
        Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => {
            vec![alone(gen.names, key, "Key"), alone(gen.names, value, "Value")]
        }
        _ => return None,
    };
    let width = cells_width(repeat);
    let segments = match_segments(&named, (0, width), wire.plan.byte_order, Floats::Bits, &|_| None);
    Some(binary(segments.into_iter().chain([quote("Rest/binary")])))
}

fn cells_width(repeat: &Repeat) -> u32 {
    match &repeat.element {
        Element::One(Node::Cell { slot }) => slot.width,
        Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => key.width + value.width,
        _ => 0,
    }
}
