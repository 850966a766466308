//! Writers of records and parts in forms where values lie one after another.

use super::run::{written, Beside};
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, binary, bind, call, case_of, function, list, record, trees, writer, Callee, Clause};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::unsigned;
use crate::wire::Wire;
use aldis_plan::{Blob, Content, Element, Node, Repeat, Run, Shape, SlotKind, Step, TypeId};
use aldis_schema::{Encoding, Type};

impl<'a> Gen<'a> {
    /// The function that writes a record.
    pub fn write_record(&mut self, wire: Wire<'a>, id: TypeId) -> Callee {
        if wire.links {
            return self.write_linked_record(wire, id);
        }
        let name = format!("write_{}{}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let layout = wire.layout(id);
            let depth: Vec<String> = wire.deep.then(|| "Depth".to_owned()).into_iter().collect();
            if let [Step::Run(run)] = layout.steps.as_slice() {
                let beside = Beside { args: depth, ..Beside::default() };
                return gen.run_writer((wire, id, run), &beside, (own, false), &|binary| binary);
            }
            let variables = gen.names.variables(id);
            let (mut pieces, mut fields) = (Vec::new(), Vec::new());
            for (index, step) in layout.steps.iter().enumerate() {
                match step {
                    Step::Run(run) => pieces.push(gen.write_run(wire, id, index, run)),
                    Step::Part { field, since, node } => {
                        let var = variables[*field as usize].clone();
                        fields.push((gen.names.field_atom(id, *field as usize), quote(var.as_str())));
                        pieces.push(gen.write_part(wire, id, (*field, *since, node), &var));
                    }
                }
            }
            let pattern = bind(record(&gen.names.atom(id), fields), "Value");
            let mut args = vec![pattern];
            args.extend(trees(&depth));
            args.push(quote("Path"));
            let mut body = Vec::new();
            if wire.deep {
                body.push(quote("aldis_check:depth(Depth, Path)"));
            }
            body.push(list(pieces));
            let mut other = vec![quote("_"); args.len() - 1];
            other.push(quote("Path"));
            let wrong = Clause::new(other, ["aldis_check:wrong(Path)"]);
            writer(&atom(own), &[Clause::new(args, body), wrong])
        })
    }

    fn write_run(&mut self, wire: Wire<'a>, id: TypeId, index: usize, run: &'a Run) -> Expr {
        if self.is_written_by_table(wire, id) {
            return self.write_by_table(&wire, id, run, &Beside::default());
        }
        let number = if index == 0 { String::new() } else { (index + 1).to_string() };
        let name = format!("write_{}{}_run{number}", self.names.of(id), wire.suffix());
        let name = self.define_in(id, &name, &name, |gen, own| {
            gen.run_writer((wire, id, run), &Beside::default(), (own, true), &|binary| binary)
        });
        quote(format!("{name}(Value, Path)"))
    }

    fn write_part(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        (field, since, node): (u32, u32, &'a Node),
        var: &str,
    ) -> Expr {
        let goal = self.goal(id, field as usize);
        let path = format!("[{} | Path]", self.names.field_atom(id, field as usize));
        let call = self.write_call(wire, node, &goal, var, &path);
        let head = match node {
            Node::Blob(blob) => Some(&blob.head),
            Node::Repeat(repeat) => Some(&repeat.head),
            _ => None,
        };
        match head {
            Some(head) if since > 0 => case_of(var, [("undefined", head_binary(&wire, head, "0")), ("_", call)]),
            _ => call,
        }
    }

    /// A call that writes `var` by a node.
    fn write_call(&mut self, wire: Wire<'a>, node: &'a Node, goal: &Goal<'a>, var: &str, path: &str) -> Expr {
        let mut args = vec![var.to_owned()];
        let name = match node {
            Node::Call { record } => {
                args.extend(wire.deep.then(|| "Depth + 1".to_owned()));
                self.write_record(wire, *record)
            }
            Node::Cell { slot } => return self.put_bytes(&wire, slot, var, path),
            other => {
                args.extend(wire.deep.then(|| "Depth".to_owned()));
                self.write_node(wire, other, goal)
            }
        };
        args.push(path.to_owned());
        call(&name, trees(&args))
    }

    fn write_node(&mut self, wire: Wire<'a>, node: &'a Node, goal: &Goal<'a>) -> Callee {
        let mut args = vec!["Value".to_owned()];
        args.extend(wire.deep.then(|| "Depth".to_owned()));
        args.push("Path".to_owned());
        match node {
            Node::Blob(blob) => {
                let body = blob_body(blob);
                self.share(&format!("write_{}{}", kind(blob), wire.suffix()), |own| {
                    let mut statements = body.clone();
                    statements.push(quote_with("[?1, Bytes]", [head_binary(&wire, &blob.head, "Count")]));
                    function(atom(own), &[Clause::new(trees(&args), statements)])
                })
            }
            Node::Repeat(repeat) => self.write_repeat(wire, repeat, goal, &args),
            Node::Series { count, element } => {
                let call = self.write_call(wire, element, &goal.element(), "Item", "[Index | Path]");
                let list = List {
                    name: format!("write_{}{}", goal.hint, wire.suffix()),
                    args: &args,
                    items: quote(format!("aldis_check:series(Value, {count}, Path)")),
                    count: None,
                    head: None,
                };
                self.write_each(wire, &list, call)
            }
            Node::Maybe { value } => {
                let call = self.write_call(wire, value, &goal.required(), "Value", "Path");
                let mut absent = trees(&args);
                absent[0] = quote("undefined");
                self.share(&format!("write_{}{}_optional", goal.hint, wire.suffix()), |own| {
                    let clauses = [
                        Clause::new(absent.clone(), ["<<0>>"]),
                        Clause::new(trees(&args), [quote_with("[<<1>>, ?1]", [call.clone()])]),
                    ];
                    function(atom(own), &clauses)
                })
            }
            Node::Rebase { value } => self.write_node(wire, value, goal),
            // Only ever behind a pointer, which other writers write.
            Node::Opaque { .. } => Callee::nobody(),
            Node::Cell { .. } | Node::Call { .. } => {
                let call = self.write_call(wire, node, goal, "Value", "Path");
                self.share(&format!("write_{}{}", goal.hint, wire.suffix()), |own| {
                    function(atom(own), &[Clause::new(trees(&args), [call.clone()])])
                })
            }
        }
    }

    fn write_repeat(&mut self, wire: Wire<'a>, repeat: &'a Repeat, goal: &Goal<'a>, args: &[String]) -> Callee {
        let list = List {
            name: format!("write_{}{}_list", goal.hint, wire.suffix()),
            args,
            items: self.sorted(repeat, goal, "Value"),
            count: Some(counted(&repeat.head, "Items")),
            head: Some(head_binary(&wire, &repeat.head, "Count")),
        };
        let call = match &repeat.element {
            Element::One(Node::Cell { slot }) => {
                let cell = self.cell_bytes(&wire, slot, "Item", "Path");
                return self.write_table(&list, cell, "Item");
            }
            Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } => {
                let key = self.cell_bytes(&wire, key, "Key", "Path");
                let value = self.cell_bytes(&wire, value, "Of", "Path");
                let cell = quote_with("<<?1/binary, ?2/binary>>", [key, value]);
                return self.write_table(&list, cell, "{Key, Of}");
            }
            Element::One(node) => self.write_call(wire, node, &goal.element(), "Item", "[Index | Path]"),
            Element::Pair { key, value } => {
                let key = self.write_call(wire, key, &goal.key(), "element(1, Item)", "[Index | Path]");
                let value = self.write_call(wire, value, &goal.value(), "element(2, Item)", "[Index | Path]");
                quote_with("[?1, ?2]", [key, value])
            }
        };
        self.write_each(wire, &list, call)
    }

    /// Elements of fixed size as one binary: `cell` makes each of what `pattern` matches.
    fn write_table(&mut self, list: &List<'_>, cell: Expr, pattern: &str) -> Callee {
        let head = list.head.clone().unwrap_or_else(|| quote("<<>>"));
        let mut body = vec![bind("Items", list.items.clone())];
        body.extend(list.count.clone());
        body.push(quote_with(format!("[?1, << ?2 || {pattern} <- Items >>]"), [head, cell]));
        self.share(&list.name, |own| function(atom(own), &[Clause::new(trees(list.args), body.clone())]))
    }

    /// A loop over the elements with a call for each.
    fn write_each(&mut self, wire: Wire<'a>, list: &List<'_>, call: Expr) -> Callee {
        let state = if wire.deep { "Depth, " } else { "" };
        self.share(&list.name, |own| {
            let each = atom(&format!("{own}_each"));
            let elements = format!("{each}(Items, 0, {state}Path)");
            let mut body = vec![bind("Items", list.items.clone())];
            body.extend(list.count.clone());
            body.push(match &list.head {
                Some(head) => quote_with(format!("[?1 | {elements}]"), [head.clone()]),
                None => quote(elements),
            });
            let loop_args = |items: &str, index: &str| trees([format!("{items}, {index}, {state}Path")]);
            let more = format!("[?1 | {each}(Rest, Index + 1, {state}Path)]");
            let loops = [
                Clause::new(loop_args("[Item | Rest]", "Index"), [quote_with(more, [call.clone()])]),
                Clause::new(loop_args("[]", "_"), ["[]"]),
            ];
            function(atom(own), &[Clause::new(trees(list.args), body)]).and(function(&each, &loops))
        })
    }

    /// The elements of `var` in the order in which they are written.
    pub(crate) fn sorted(&mut self, repeat: &Repeat, goal: &Goal<'a>, var: &str) -> Expr {
        match repeat.shape {
            Shape::List => quote(format!("aldis_check:list({var}, Path)")),
            Shape::Set => self.sorted_set(goal.element().ty, var, "Path"),
            Shape::Map => self.sorted_map(goal.key().ty, var, "Path"),
        }
    }

    /// The elements of a set in order, as a list.
    pub(crate) fn sorted_set(&mut self, ty: &Type, var: &str, path: &str) -> Expr {
        let elements = call("aldis_check:list", [self.values.set_to(var), quote(path)]);
        match self.order_key(ty, "Item") {
            None => call("lists:usort", [elements]),
            Some(key) => quote_with("aldis_order:values([{?1, Item} || Item <- ?2])", [key, elements]),
        }
    }

    /// The pairs of a map in key order, as a list; keys that differ as terms and are equal as keys are a fault.
    pub(crate) fn sorted_map(&mut self, key: &Type, var: &str, path: &str) -> Expr {
        let pairs = format!("aldis_check:map({var}, {path})");
        match self.order_key(key, "Key") {
            None => quote(format!("lists:keysort(1, {pairs})")),
            Some(order) => quote_with(
                format!("aldis_order:pairs([{{?1, {{Key, Of}}}} || {{Key, Of}} <- {pairs}], {path})"),
                [order],
            ),
        }
    }
}

/// The part of a list's writer that is known before its elements' is.
struct List<'t> {
    name: String,
    args: &'t [String],
    /// The expression for the elements, in order.
    items: Expr,
    /// The statement that binds their count, where there is one on the wire.
    count: Option<Expr>,
    head: Option<Expr>,
}

pub(super) fn kind(blob: &Blob) -> &'static str {
    match blob.content {
        Content::Bytes => "bytes",
        Content::Text(_) => "text",
    }
}

/// Statements that bind `Bytes` and `Count`.
pub(super) fn blob_body(blob: &Blob) -> Vec<Expr> {
    let bytes = match blob.content {
        Content::Bytes => "aldis_text:bytes(Value, Path)",
        Content::Text(Encoding::Utf8) => "aldis_text:encode(Value, utf8, Path)",
        Content::Text(Encoding::Latin1) => "aldis_text:encode(Value, latin1, Path)",
    };
    let (min, max) = blob.head.count_bounds().unwrap_or((0, u32::MAX.into()));
    vec![
        quote(format!("Bytes = {bytes}")),
        quote(format!("Count = aldis_check:count(byte_size(Bytes), {min}, {max}, Path)")),
    ]
}

/// The statement that binds `Count` to the length of `items`, within its bounds.
pub(super) fn counted(head: &Run, items: &str) -> Expr {
    let (min, max) = head.count_bounds().unwrap_or((0, u32::MAX.into()));
    quote(format!("Count = aldis_check:count(length({items}), {min}, {max}, Path)"))
}

/// A head with `count` in its count register.
pub(crate) fn head_binary(wire: &Wire<'_>, head: &Run, count: &str) -> Expr {
    let order = wire.plan.byte_order;
    binary(head_parts(head, count).into_iter().map(|(value, bytes)| unsigned(value, bytes, order)))
}

/// The numbers of a head, each with how many bytes it takes; zeros between them.
pub(crate) fn head_parts(head: &Run, count: &str) -> Vec<(String, u32)> {
    let (mut parts, mut at) = (Vec::new(), 0);
    let written = head.slots.iter().filter_map(|slot| match &slot.kind {
        SlotKind::Register(register) if register.constant.is_none() && slot.width > 0 => {
            Some((slot.at, written(register, count, head.size), slot.width))
        }
        _ => None,
    });
    for (start, value, bytes) in written {
        if start > at {
            parts.push(("0".to_owned(), start - at));
        }
        parts.push((value, bytes));
        at = start + bytes;
    }
    if head.size > at {
        parts.push(("0".to_owned(), head.size - at));
    }
    parts
}
