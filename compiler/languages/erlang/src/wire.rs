//! One wire form as the generated functions see it: which arguments they pass along.

use crate::code::Expr;
use crate::erl::tuple;
use crate::variables::Numbered;
use aldis_emit::needs::Needs;
use aldis_plan::{Extent, Layout, Node, Plan, RootPlace, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;

/// A plan with what its readers must carry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire<'a> {
    pub plan: &'a Plan,
    /// Values lie behind links: readers take the base that links count from.
    pub links: bool,
    /// Some values are newer than the first version: readers take the message's version.
    pub versions: bool,
    /// Records may nest deeper than the usual limit: writers take their depth.
    pub deep: bool,
    /// Values lie one after another: readers return what follows.
    pub rest: bool,
}

impl<'a> Wire<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        let Needs { links, versions, depth: deep, .. } = Needs::of(plan);
        Self { plan, links, versions, deep, rest: values_in_sequence(plan) }
    }

    /// `_final` for the form whose functions end so, nothing for the main form.
    pub fn suffix(&self) -> String {
        if self.plan.form.suffix.is_empty() {
            String::new()
        } else {
            format!("_{}", self.plan.form.suffix)
        }
    }

    pub fn layout(&self, record: TypeId) -> &'a Layout {
        self.plan.layout(record)
    }

    /// Whether readers of this record are told how many bytes its block takes.
    pub fn takes_extent(&self, record: TypeId) -> bool {
        runs(self.layout(record)).any(|run| run.extent == Extent::Acting)
    }

    /// Whether readers of this record are told the base of its links.
    pub fn takes_base(&self, record: TypeId) -> bool {
        self.links && !self.layout(record).rebase
    }
}

fn steps(plan: &Plan) -> impl Iterator<Item = &Step> {
    plan.layouts.iter().flatten().flat_map(|layout| &layout.steps)
}

/// The runs of a layout.
pub(crate) fn runs(layout: &Layout) -> impl Iterator<Item = &Run> {
    layout.steps.iter().filter_map(|step| match step {
        Step::Run(run) => Some(run),
        Step::Part { .. } => None,
    })
}

/// Whether a slot or one inside it passes the test; targets of links are not looked at.
pub(crate) fn slot_any(slot: &Slot, test: &dyn Fn(&Slot) -> bool) -> bool {
    test(slot)
        || match &slot.kind {
            SlotKind::Nest { slots, .. } => slots.iter().any(|slot| slot_any(slot, test)),
            SlotKind::Array { element, .. } => slot_any(element, test),
            _ => false,
        }
}

/// Calls `each` with every node of a step, those behind links too, and whether a link leads right to it.
fn step_nodes<'p>(step: &'p Step, each: &mut dyn FnMut(&'p Node, bool)) {
    match step {
        Step::Run(run) => run.slots.iter().for_each(|slot| slot_nodes(slot, each)),
        Step::Part { node, .. } => node_nodes(node, false, each),
    }
}

fn slot_nodes<'p>(slot: &'p Slot, each: &mut dyn FnMut(&'p Node, bool)) {
    match &slot.kind {
        SlotKind::Nest { slots, .. } => slots.iter().for_each(|slot| slot_nodes(slot, each)),
        SlotKind::Array { element, .. } => slot_nodes(element, each),
        SlotKind::Link(link) | SlotKind::Presence(link) => node_nodes(&link.target, true, each),
        _ => {}
    }
}

fn node_nodes<'p>(node: &'p Node, linked: bool, each: &mut dyn FnMut(&'p Node, bool)) {
    each(node, linked);
    match node {
        Node::Cell { slot } => slot_nodes(slot, each),
        Node::Call { .. } | Node::Blob(_) | Node::Opaque { .. } => {}
        Node::Repeat(repeat) => repeat.element.nodes().into_iter().for_each(|node| node_nodes(node, false, each)),
        Node::Series { element, .. } => node_nodes(element, false, each),
        Node::Maybe { value } | Node::Rebase { value } => node_nodes(value, linked, each),
    }
}

fn values_in_sequence(plan: &Plan) -> bool {
    let mut found = plan.messages.iter().any(|message| message.envelope.root == RootPlace::Follows);
    for step in steps(plan) {
        step_nodes(step, &mut |node, linked| found |= !matches!(node, Node::Cell { .. }) && !linked);
    }
    found
}

/// The texts that a call of a reader passes along.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    pub bin: Numbered,
    pub base: String,
    pub extent: String,
    pub depth: String,
    pub budget: Numbered,
    pub path: String,
}

impl Here {
    /// The arguments under their plain names, as in a reader's head.
    pub fn new() -> Self {
        let name = |text: &str| text.to_owned();
        Self {
            bin: Numbered::first("Bin"),
            base: name("Base"),
            extent: name("Extent"),
            depth: name("Depth"),
            budget: Numbered::first("Budget"),
            path: name("Path"),
        }
    }

    pub fn bin(&self, bin: Numbered) -> Self {
        Self { bin, ..self.clone() }
    }

    pub fn base(&self, base: impl Into<String>) -> Self {
        Self { base: base.into(), ..self.clone() }
    }

    pub fn budget(&self, budget: Numbered) -> Self {
        Self { budget, ..self.clone() }
    }

    pub fn path(&self, path: impl Into<String>) -> Self {
        Self { path: path.into(), ..self.clone() }
    }

    pub fn depth(&self, depth: impl Into<String>) -> Self {
        Self { depth: depth.into(), ..self.clone() }
    }
}

impl Wire<'_> {
    /// The arguments of a reader, in their order: bytes, base, extent, version, depth, budget, path.
    pub fn args(&self, here: &Here, base: bool, extent: bool) -> Vec<String> {
        let mut args = vec![here.bin.to_string()];
        args.extend((self.links && base).then(|| here.base.clone()));
        args.extend(extent.then(|| here.extent.clone()));
        args.extend(self.state_args(here));
        args
    }

    /// The arguments after the bytes and what they count from.
    pub fn state_args(&self, here: &Here) -> Vec<String> {
        let mut args = Vec::new();
        args.extend(self.versions.then(|| "Version".to_owned()));
        // Depth and budget go along even where the usual limits always suffice: users may set others.
        args.push(here.depth.clone());
        args.push(here.budget.to_string());
        args.push(here.path.clone());
        args
    }

    /// `{Value, Rest, Budget}` with what readers of this form return.
    pub fn result(&self, value: impl Into<Expr>, rest: impl Into<Expr>, budget: impl Into<Expr>) -> Expr {
        tuple([value.into()].into_iter().chain(self.beside(rest, budget)))
    }

    /// The state that readers of this form return beside a value.
    pub fn beside(&self, rest: impl Into<Expr>, budget: impl Into<Expr>) -> impl Iterator<Item = Expr> {
        self.rest.then(|| rest.into()).into_iter().chain([budget.into()])
    }
}
