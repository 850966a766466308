//! Fast readers of records and of what is in them.

use super::stage::{Chain, Distance, First, NullableFloat};
use super::{is_nullable_float, is_opened, rename, within};
use crate::code::{quote, Expr};
use crate::erl::{atom, call, list, record, tuple, Atom, Callee, Clause};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::slots::{alone, is_vm_float, match_segments, name_slots, scalar_segment, unnamed, Floats, Named};
use crate::wire::Wire;
use aldis_plan::{Blob, Meaning, Node, Register, Run, SlotKind, Step, TypeId};

/// Records of up to so many variables are read within the match of what they are in.
const INLINED: usize = 8;

impl<'a> Gen<'a> {
    /// The function `f(Bin) -> {Record, Rest}`, where links are followed `{Record, Size, Rest}`.
    fn fast_record(&mut self, wire: Wire<'a>, id: TypeId) -> Callee {
        let name = format!("fast_read_{}{}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let mut chain = Chain::new();
            let value = gen.chain_record(wire, id, None, &mut chain);
            let size = chain.place.to_string();
            let names = gen.chain_names(own, &chain);
            chain.functions(&names, &First::default(), &|rest| found(&wire, value.clone(), &size, rest))
        })
    }

    /// The names of a chain's functions.
    pub(super) fn chain_names(&mut self, own: &str, chain: &Chain) -> Vec<Atom> {
        let more = (2..=chain.length()).map(|n| self.private(&format!("{own}_{n}")));
        std::iter::once(own.to_owned()).chain(more).map(|name| atom(&name)).collect()
    }

    /// The first of the functions of a chain; another chain's serves that is just the same. `first` is of the first one's name, and
    /// `result` makes what the last one answers of that name and of what follows.
    pub(super) fn chain_function(
        &mut self,
        name: &str,
        chain: &Chain,
        first: &dyn Fn(&Atom) -> First,
        result: &dyn Fn(&Atom, &str) -> Expr,
    ) -> Callee {
        if chain.length() == 1 {
            return self.share(name, |own| {
                let own = atom(own);
                chain.functions(std::slice::from_ref(&own), &first(&own), &|rest| result(&own, rest))
            });
        }
        let own = self.private(name);
        let names = self.chain_names(&own, chain);
        let own = &names[0];
        self.add(chain.functions(&names, &first(own), &|rest| result(own, rest)));
        own.into()
    }

    /// Reads a record's steps; `outer` is the variable of the record itself where it is in another.
    pub(super) fn chain_record(&mut self, wire: Wire<'a>, id: TypeId, outer: Option<&str>, chain: &mut Chain) -> Expr {
        let before = std::mem::take(&mut chain.place);
        let own = self.names.variables(id);
        let mut values: Vec<(u32, Expr)> = Vec::new();
        for step in &wire.layout(id).steps {
            match step {
                Step::Run(run) => self.chain_run(wire, id, run, outer, chain, &mut values),
                Step::Part { field, node, .. } => {
                    let var = chain.fresh(&within(outer, &own[*field as usize]));
                    let goal = self.goal(id, *field as usize);
                    values.push((*field, self.chain_node(wire, node, &var, &goal, chain)));
                }
            }
        }
        values.sort_by_key(|(field, _)| *field);
        let mut place = before;
        place.add(&chain.place);
        chain.place = place;
        let fields = values.into_iter().map(|(field, value)| (self.names.field_atom(id, field as usize), value));
        record(&self.names.atom(id), fields.collect::<Vec<_>>())
    }

    fn chain_run(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        run: &'a Run,
        outer: Option<&str>,
        chain: &mut Chain,
        values: &mut Vec<(u32, Expr)>,
    ) {
        let mut named = name_slots(self.names, id, &run.slots);
        named.iter_mut().for_each(|named| rename(named, outer, &mut chain.scope));
        let order = wire.plan.byte_order;
        let mut at = 0;
        for slot in &named {
            if is_opened(slot.slot) {
                chain.segments(&match_segments(&[], (at, slot.slot.at), order, Floats::Numbers, &written));
                chain.segments(&opened_segments(&wire, slot));
            } else {
                let until = if slot.slot.width == 0 { at } else { slot.slot.end() };
                chain.segments(&match_segments(
                    std::slice::from_ref(slot),
                    (at, until),
                    order,
                    Floats::Numbers,
                    &written,
                ));
                let floats = self.nullable_floats(&wire, slot);
                chain.nullable(floats);
            }
            // A constant takes no bytes wherever it is said to be.
            if slot.slot.width > 0 {
                at = at.max(slot.slot.end());
            }
        }
        chain.segments(&match_segments(&[], (at, run.size), order, Floats::Numbers, &written));
        chain.place.add(&Distance::of(run.size.into(), None));
        for slot in &named {
            let Some(field) = slot.slot.field else { continue };
            match &slot.slot.kind {
                SlotKind::Constant { .. } | SlotKind::Ignored { .. } | SlotKind::Register(_) => {}
                SlotKind::Link(link) => {
                    chain.here(&slot.at(), None);
                    let goal = self.goal(id, field as usize);
                    values.push((field, self.chain_node(wire, &link.target, &slot.var, &goal, chain)));
                }
                SlotKind::Presence(link) => {
                    chain.here(&slot.at(), Some(&slot.has()));
                    let goal = self.goal(id, field as usize);
                    values.push((field, self.chain_optional(wire, &link.target, slot, &goal, chain)));
                }
                _ if is_opened(slot.slot) => values.push((field, self.opened_value(&wire, slot))),
                _ => values.push((field, self.value(&wire, slot, Floats::Numbers, "[]"))),
            }
        }
    }

    /// The floats in a slot that may be null.
    fn nullable_floats(&mut self, wire: &Wire<'a>, named: &Named<'a>) -> Vec<NullableFloat> {
        let SlotKind::Scalar(scalar) = &named.slot.kind else {
            return named.members.iter().flat_map(|member| self.nullable_floats(wire, member)).collect();
        };
        if !is_nullable_float(scalar) || !is_vm_float(scalar, Floats::Numbers) {
            return Vec::new();
        }
        let (order, raw) = (wire.plan.byte_order, NullableFloat::raw(&named.var));
        let of_bits = Named::cell(named.slot, raw.clone());
        vec![NullableFloat {
            var: named.var.clone(),
            segment: scalar_segment(scalar.repr, named.var.as_str(), order, true),
            bits: scalar_segment(scalar.repr, raw.as_str(), order, false),
            value: self.value(wire, &of_bits, Floats::Bits, "[]"),
        }]
    }

    /// A list of what [`opened_segments`] bound.
    fn opened_value(&mut self, wire: &Wire<'a>, named: &Named<'a>) -> Expr {
        list(named.members.iter().map(|member| self.value(wire, member, Floats::Bits, "[]")).collect::<Vec<_>>())
    }

    /// Reads a node that begins where the chain is.
    pub(super) fn chain_node(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        var: &str,
        goal: &Goal<'a>,
        chain: &mut Chain,
    ) -> Expr {
        match node {
            Node::Call { record } if self.one_match_node(wire, node).is_some() => {
                self.chain_record(wire, *record, Some(var), chain)
            }
            Node::Call { record } => {
                let function = self.fast_record(wire, *record);
                self.chain_call(&wire, var, call(&function, ["Rest"]), chain)
            }
            Node::Blob(blob) => chain_blob(&wire, blob, var, chain),
            Node::Cell { slot } => {
                let mut named = alone(self.names, slot, var);
                named.members.iter_mut().for_each(|member| rename(member, None, &mut chain.scope));
                let range = (slot.at, slot.end());
                let one = std::slice::from_ref(&named);
                chain.segments(&match_segments(one, range, wire.plan.byte_order, Floats::Numbers, &written));
                let floats = self.nullable_floats(&wire, &named);
                chain.nullable(floats);
                chain.place.add(&Distance::of(slot.width.into(), None));
                self.value(&wire, &named, Floats::Numbers, "[]")
            }
            Node::Maybe { value } => {
                let function = self.fast_maybe(wire, value, &goal.required());
                self.chain_call(&wire, var, call(&function, ["Rest"]), chain)
            }
            Node::Repeat(repeat) => self.chain_repeat(wire, repeat, var, goal, chain),
            Node::Series { .. } | Node::Rebase { .. } | Node::Opaque { .. } => quote("undefined"),
        }
    }

    /// Ends the stage with a call that gives `{Value, Rest}` or, where links are followed, `{Value, Size, Rest}`.
    pub(super) fn chain_call(&mut self, wire: &Wire<'a>, var: &str, call: Expr, chain: &mut Chain) -> Expr {
        if wire.links {
            let size = chain.fresh(&format!("{var}Size"));
            chain.call(format!("{{{var}, {size}, After}}"), call);
            chain.place.add(&Distance::of(0, Some(&size)));
        } else {
            chain.call(format!("{{{var}, After}}"), call);
        }
        quote(var)
    }

    /// `f(<<Has, …>>) -> {Value | undefined, Rest}`
    fn fast_maybe(&mut self, wire: Wire<'a>, value: &'a Node, goal: &Goal<'a>) -> Callee {
        let mut chain = Chain::new();
        chain.segments(&[quote("1")]);
        let var = chain.fresh("Found");
        let found = self.chain_node(wire, value, &var, goal, &mut chain);
        let absent = Clause::new(["<<0, Rest/binary>>"], ["{undefined, Rest}"]);
        let first = First { args: Vec::new(), clauses: vec![absent] };
        self.share(&format!("fast_read_{}{}_optional", goal.hint, wire.suffix()), |own| {
            chain.functions(&[atom(own)], &first, &|rest| tuple([found.clone(), quote(rest)]))
        })
    }

    /// `f(Bin, Has) -> {Value | undefined, Size, Rest}`: a slot that counts links from itself, and what it leads to.
    fn chain_optional(
        &mut self,
        wire: Wire<'a>,
        target: &'a Node,
        named: &Named<'a>,
        goal: &Goal<'a>,
        outer: &mut Chain,
    ) -> Expr {
        let (Node::Rebase { value }, goal) = (target, goal.required()) else { return quote("undefined") };
        let Node::Cell { slot } = &**value else { return quote("undefined") };
        let mut chain = Chain::new();
        let found = if let SlotKind::Link(link) = &slot.kind {
            let var = chain.fresh("Found");
            chain.segments(&[crate::slots::unsigned("FoundAt", 4, wire.plan.byte_order)]);
            chain.place.add(&Distance::of(4, None));
            chain.here("FoundAt", None);
            self.chain_node(wire, &link.target, &var, &goal, &mut chain)
        } else {
            self.chain_node(wire, value, "Found", &goal, &mut chain)
        };
        let size = chain.place.to_string();
        let absent = Clause::new(["Rest", "0"], ["{undefined, 0, Rest}"]);
        let first = First { args: vec![quote("1")], clauses: vec![absent] };
        let function = self.share(&format!("fast_read_{}{}_optional", goal.hint, wire.suffix()), |own| {
            let result = |rest: &str| tuple([found.clone(), quote(size.as_str()), quote(rest)]);
            chain.functions(&[atom(own)], &first, &result)
        });
        let call = call(&function, ["Rest", &named.has()]);
        self.chain_call(&wire, &named.var, call, outer)
    }

    /// How many fields a record has that one match reads, those of records within it too.
    pub(super) fn one_match(&self, wire: Wire<'a>, id: TypeId) -> Option<usize> {
        let mut fields = 0;
        for step in &wire.layout(id).steps {
            match step {
                Step::Part { node, .. } => fields += self.one_match_node(wire, node)?,
                Step::Run(run) => {
                    for slot in &run.slots {
                        fields += match &slot.kind {
                            SlotKind::Link(link) => self.one_match_node(wire, &link.target)?,
                            SlotKind::Presence(_) => return None,
                            _ => 1,
                        };
                    }
                }
            }
        }
        Some(fields)
    }

    pub(super) fn one_match_node(&self, wire: Wire<'a>, node: &'a Node) -> Option<usize> {
        match node {
            Node::Call { record } => self.one_match(wire, *record).filter(|&fields| fields <= INLINED),
            Node::Blob(_) | Node::Cell { .. } => Some(1),
            _ => None,
        }
    }
}

fn chain_blob(wire: &Wire<'_>, blob: &Blob, var: &str, chain: &mut Chain) -> Expr {
    let count = chain.fresh(&format!("{var}Size"));
    chain.segments(&usual_head(wire, &blob.head, &count));
    chain.segments(&[quote(format!("{var}:{count}/binary"))]);
    chain.place.add(&Distance::of(blob.head.size.into(), Some(&count)));
    quote(var)
}

/// The results of a fast reader.
fn found(wire: &Wire<'_>, value: Expr, size: &str, rest: &str) -> Expr {
    let size = wire.links.then(|| quote(size));
    tuple([value].into_iter().chain(size).chain([quote(rest)]))
}

/// The segments of a head: its count in `count`, the rest as writers write it.
pub(super) fn usual_head(wire: &Wire<'_>, head: &Run, count: &str) -> Vec<Expr> {
    let named: Vec<Named<'_>> = unnamed(&head.slots);
    let register = |register: &Register| match register.meaning {
        Meaning::Count { .. } => Some(count.to_owned()),
        _ => written(register).or_else(|| Some("_".to_owned())),
    };
    match_segments(&named, (0, head.size), wire.plan.byte_order, Floats::Bits, &register)
}

/// The number in a register of a usual message; nothing where that does not matter.
pub(super) fn written(register: &Register) -> Option<String> {
    match register.meaning {
        Meaning::Extent { writes } => Some(writes.to_string()),
        Meaning::TypeId { expect } | Meaning::SchemaId { expect } => Some(expect.to_string()),
        _ => None,
    }
}

fn opened_segments(wire: &Wire<'_>, named: &Named<'_>) -> Vec<Expr> {
    let order = wire.plan.byte_order;
    let segments = named.members.iter().filter_map(|member| match &member.slot.kind {
        SlotKind::Scalar(scalar) => Some(scalar_segment(scalar.repr, member.var.as_str(), order, false)),
        _ => None,
    });
    segments.collect()
}
