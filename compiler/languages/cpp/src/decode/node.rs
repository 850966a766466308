//! Parts of variable size.

use super::slot::{is_row, unsigned, verb};
use super::{head_name, Aim, Decoder, Guard};
use crate::code::{alias, code, counted, declare, for_each, scoped, step, stmt, var, when, Code, Stmt, ToCode};
use crate::scope::{offset, rebased, Scope};
use aldis_emit::needs::takes_extent;
use aldis_plan::{short_of_cell, Blob, Element, Emptiness, Limits, Meaning, Node, Repeat, Run, Shape, Slot, SlotKind};
use aldis_schema::Type;

impl Decoder<'_, '_> {
    /// Reads or checks the value at the pointer `at`, which it moves past what of the value lies there.
    pub(crate) fn node(&self, node: &Node, aim: &Aim<'_>, at: &Code, scope: &Scope) -> Vec<Stmt> {
        match node {
            Node::Cell { slot } => {
                let mut parts = vec![self.cell_fits(slot, at, scope)];
                parts.extend(self.cell(slot, aim, at, scope));
                parts
            }
            Node::Call { record } => {
                let extent = takes_extent(self.wire.plan, *record).then(|| code!(", {}", scope.extent));
                let (verb, last) = match aim {
                    Aim::Value { place, .. } => ("read", code!(", {place}")),
                    Aim::Check(last) => ("verify", last(*record)),
                };
                let read = self.call(*record, code!("{verb}_{}", self.gen.names.of(*record)));
                vec![stmt!("{at} = {read}(in, {at}{extent}{last});"), scope.fail_if(code!("{at} == nullptr"))]
            }
            Node::Blob(blob) => self.blob(blob, at, aim.place(), scope),
            Node::Repeat(repeat) => self.repeat(repeat, aim, at, scope),
            Node::Series { count, element } => {
                let inner = scope.deeper();
                let (index, item) = (inner.var("index"), inner.var("item"));
                let named = aim.place().map(|target| alias("auto&", &item, code!("{target}[{index}]")));
                let read = self.element(element, &aim.element(&item), at, &inner.element(&index));
                vec![counted(&index, count, named.into_iter().chain(read).collect())]
            }
            Node::Maybe { value } => {
                let (item, mut read) = aim.present(scope);
                read.extend(self.node(value, &item, at, &scope.deeper()));
                let there = match aim.place() {
                    Some(target) => Stmt::Choice(vec![
                        (Some(code!("*{at}++ == std::byte{{0}}")), vec![stmt!("{target}.reset();")]),
                        (None, read),
                    ]),
                    None => when(code!("*{at}++ != std::byte{{0}}"), read),
                };
                vec![scope.fail_if(code!("!{}", self.need(at, 1, 0))), there]
            }
            Node::Rebase { value } => {
                let base = scope.var("base");
                let inner = scope.deeper().counting_from(&base);
                rebased(self.node(value, aim, at, &inner), "const std::byte*", &base, at)
            }
            // Refused before: see `caps`.
            Node::Opaque { .. } => Vec::new(),
        }
    }

    /// Reads or checks a cell whose bytes are there.
    fn cell(&self, slot: &Slot, aim: &Aim<'_>, at: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = self.slot(slot, &aim.by_type(), at, scope, Guard::None);
        parts.push(step(at, slot.width));
        parts
    }

    /// Pays for a cell whose bytes are known to be there.
    fn cell_paid(&self, slot: &Slot, at: &Code, scope: &Scope) -> Stmt {
        let cost = match slot.surcharge() {
            0 => slot.width.to_code(),
            beside => code!("{} + in.extra({beside})", slot.width),
        };
        scope.fail_if(code!("!in.charge({cost}, {at})"))
    }

    fn cell_fits(&self, slot: &Slot, at: &Code, scope: &Scope) -> Stmt {
        let width = u64::from(slot.width);
        scope.fail_if(code!("!{}", self.need(at, width, slot.surcharge())))
    }

    /// Reads a head: what it says of count and extent, where it says so.
    pub(crate) fn head(&self, head: &Run, at: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = vec![alias("const std::byte* const", &scope.var("head"), at), self.head_fits(head, at, scope)];
        for slot in &head.slots {
            let SlotKind::Register(register) = &slot.kind else { continue };
            let name = match register.meaning {
                Meaning::Count { .. } => "count",
                Meaning::Extent { .. } => "size",
                _ => continue,
            };
            let value = self.register_value(slot, register, at);
            parts.push(declare("const std::uint64_t", &scope.var(name), value));
        }
        parts
    }

    /// Reads a blob, or checks it where it goes nowhere.
    fn blob(&self, blob: &Blob, at: &Code, target: Option<&Code>, scope: &Scope) -> Vec<Stmt> {
        let (verb, target) = (verb(target), target.map(|target| code!(", {target}")));
        let checked = self.gen.checks_blob(blob);
        if let Some(width) = blob.head.plain_count() {
            let take = if checked { code!("{verb}_counted_text") } else { code!("{verb}_counted") };
            let (width, name) = (unsigned(width), head_name(&blob.head));
            return vec![
                stmt!("{at} = aldis::{take}<{width}>(in, {at}{target}, {name});"),
                scope.fail_if(code!("{at} == nullptr")),
            ];
        }
        let mut parts = self.head(&blob.head, at, scope);
        let (head, count) = (scope.var("head"), scope.var("count"));
        parts.push(stmt!("{at} = in.{verb}({}, {count}, {head}{target});", offset(at, blob.head.size)));
        let content = offset(&head, blob.head.size);
        let check = checked.then(|| code!(" || !aldis::is_text(in, {content}, {at})"));
        parts.push(scope.fail_if(code!("{at} == nullptr || !in.pay({count}, {content}){check}")));
        parts
    }

    fn repeat(&self, repeat: &Repeat, aim: &Aim<'_>, at: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = self.head(&repeat.head, at, scope);
        let (head, count) = (scope.var("head"), scope.var("count"));
        let states_extent = repeat.states_extent();
        let least = if states_extent { scope.var("size") } else { repeat.element_min.to_code() };
        parts.push(step(at, repeat.head.size));
        parts.push(scope.fail_if(code!("!in.fits({count}, {least}, {at}, {head})")));
        let short = self.short(repeat, &count, &least, at, scope);
        let mut inner = scope.deeper();
        if states_extent {
            inner.extent = least.clone();
        }
        if let (Element::One(Node::Cell { slot }), Shape::List) = (&repeat.element, repeat.shape) {
            if is_row(slot) {
                parts.extend(short);
                parts.extend(self.row(slot, aim, at, &count, scope));
                return parts;
            }
        }
        let Aim::Value { ty, place: target, .. } = aim else {
            parts.extend(short);
            parts.push(self.checked(repeat, aim, at, &count, &least, &inner));
            return parts;
        };
        if let (Element::One(node @ Node::Call { .. }), Shape::List) = (&repeat.element, repeat.shape) {
            parts.extend(self.list(node, repeat, ty, at, target, &count, &inner, short));
            return parts;
        }
        parts.extend(short);
        match (&repeat.element, repeat.shape) {
            (Element::Pair { key, value }, _) => {
                parts.extend(self.pairs(key, value, repeat, ty, at, target, &count, &inner));
            }
            (Element::One(node), Shape::Set | Shape::Map) => {
                parts.extend(self.set(node, repeat, ty, at, target, &count, &inner));
            }
            (Element::One(node), Shape::List) => {
                parts.extend(self.list(node, repeat, ty, at, target, &count, &inner, None));
            }
        }
        parts
    }

    /// Reads or checks cells side by side that hold numbers, which are paid for as a whole.
    fn row(&self, slot: &Slot, aim: &Aim<'_>, at: &Code, count: &Code, scope: &Scope) -> [Stmt; 2] {
        let taken = match aim.place() {
            Some(target) => stmt!("{at} = reader::take_row({at}, {count}, {target});"),
            None => step(at, code!("{count} * {}", slot.width)),
        };
        [scope.fail_if(code!("!in.charge({count} * {}, {at})", slot.width)), taken]
    }

    /// Checks elements, one by one or, where nothing of them needs a check but that they are there, which is known, all at once
    /// if they are paid for.
    fn checked(&self, repeat: &Repeat, aim: &Aim<'_>, at: &Code, count: &Code, least: &Code, scope: &Scope) -> Stmt {
        let index = scope.var("index");
        let inner = scope.element(&index);
        let body = match &repeat.element {
            Element::One(node) => self.counted(node, repeat, aim, at, &inner),
            Element::Pair { key, value } => self.pair(key, value, repeat, [aim, aim], at, &inner),
        };
        let one_by_one = counted(&index, count, body);
        match self.unchecked(repeat, aim, least) {
            Some(cost) => Stmt::Choice(vec![
                (Some(code!("in.pays_for({count}, {cost})")), vec![step(at, code!("{count} * {least}"))]),
                (None, vec![one_by_one]),
            ]),
            None => one_by_one,
        }
    }

    /// The charge for each element where nothing of them needs a check.
    fn unchecked(&self, repeat: &Repeat, aim: &Aim<'_>, size: &Code) -> Option<Code> {
        let (at, scope) = (var("at"), Scope::new("in", "nullptr"));
        if let Element::One(Node::Call { record }) = &repeat.element {
            let checks = |run: &Run| self.fields(&run.slots, &at, *record, aim, &scope, Guard::All);
            let is_plain = self.wire.lone_block(*record).is_some_and(|run| checks(run).is_empty());
            return is_plain.then(|| size.clone());
        }
        let plain = |node: &Node| match node {
            Node::Cell { slot } => self.slot(slot, aim, &at, &scope, Guard::None).is_empty(),
            _ => false,
        };
        let plain = repeat.element_min > 0 && repeat.element.nodes().into_iter().all(plain);
        // Without checks there are no links, which alone have surcharges of elements.
        repeat.element.charged().filter(|_| plain).map(|cost| cost.to_code())
    }

    /// Pays with the count for what elements lack: bytes, or enough of them.
    fn short(&self, repeat: &Repeat, count: &Code, extent: &Code, at: &Code, scope: &Scope) -> Option<Stmt> {
        if let (Element::One(Node::Call { record }), true) = (&repeat.element, repeat.states_extent()) {
            let known = self.told_name(*record);
            return Some(scope.fail_if(code!("!in.template pay_short<{known}>({count}, {extent}, {at})")));
        }
        if self.wire.plan.emptiness(repeat) == Emptiness::Always {
            return Some(scope.fail_if(code!("!in.charge_each({count}, {}, {at})", Limits::EMPTY_ELEMENT)));
        }
        let short = repeat.element.charged().map_or(0, short_of_cell);
        (short > 0).then(|| scope.fail_if(code!("!in.charge_each({count}, in.extra({short}), {at})")))
    }

    /// Whether elements of a repeat may turn out to have taken no bytes, which their count has not paid for.
    fn may_be_unpaid(&self, repeat: &Repeat) -> bool {
        self.wire.plan.emptiness(repeat) == Emptiness::Unknown
    }

    /// Reads a list. What its elements lack (`short`) is paid, and room made for them, where they are not whole: whole ones lack nothing,
    /// and all their bytes are paid for before any memory is taken.
    #[allow(clippy::too_many_arguments)] // a node's place, its target and its surroundings
    fn list(
        &self,
        node: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &Code,
        target: &Code,
        count: &Code,
        scope: &Scope,
        short: Option<Stmt>,
    ) -> Vec<Stmt> {
        let (index, item) = (scope.var("index"), scope.var("item"));
        let mut body = vec![alias("auto&", &item, code!("aldis::element({target}, {index})"))];
        body.extend(self.counted(node, repeat, &Aim::typed(ty.element(), item), at, &scope.element(&index)));
        let mut parts: Vec<Stmt> = short.into_iter().collect();
        if self.wire.leads_to_list(node) {
            let room = scope.var("room");
            body.insert(0, stmt!("{room}.redeem();"));
            parts.push(stmt!("aldis::pledge {room} = in.pledge_room({target}, {count}, {at});"));
        } else {
            parts.push(stmt!("in.make_room({target}, {count}, {at});"));
        }
        parts.extend([counted(&index, count, body), stmt!("aldis::fit({target}, {count});")]);
        match self.at_once(node, at, target, count, scope) {
            Some((condition, all)) => vec![Stmt::Choice(vec![(Some(condition), all), (None, parts)])],
            None => parts,
        }
    }

    /// How elements that are plain blocks are read where all of them are there, whole and paid for; and the condition that
    /// they are.
    fn at_once(&self, node: &Node, at: &Code, target: &Code, count: &Code, scope: &Scope) -> Option<(Code, Vec<Stmt>)> {
        let Node::Call { record } = node else { return None };
        let run = self.plain_block(*record)?;
        let (size, item) = (&scope.extent, scope.var("item"));
        let whole = self.is_whole(run, size)?;
        let whole = code!("{whole} && in.pays_for({count}, {size})");
        let mut body = Vec::new();
        if self.gen.notes_missing(*record) {
            body.push(stmt!("{item}.missing_fields.clear();"));
        }
        body.push(stmt!("{at} = {}<true>(in, {at}, {size}, {item});", self.call(*record, self.block_name(*record))));
        let all = for_each(code!("auto& {item} : aldis::resized({target}, {count})"), body);
        Some((whole, vec![all]))
    }

    #[allow(clippy::too_many_arguments)] // as above
    fn set(
        &self,
        node: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &Code,
        target: &Code,
        count: &Code,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let (index, item) = (scope.var("index"), scope.var("item"));
        let mut body = vec![alias("auto&", &item, code!("{}.value()", scope.var("node")))];
        body.extend(self.counted(node, repeat, &Aim::typed(ty.element(), item), at, &scope.element(&index)));
        Self::nodes(target, count, scope, body)
    }

    /// Reads the elements of a set or map, each by `body` into a node that was there before or a new one.
    fn nodes(target: &Code, count: &Code, scope: &Scope, mut body: Vec<Stmt>) -> Vec<Stmt> {
        let (index, node, spare) = (scope.var("index"), scope.var("node"), scope.var("spare"));
        body.insert(0, declare("auto", &node, code!("aldis::take_node({spare})")));
        // The first of equal elements stays.
        body.push(stmt!("{target}.insert(std::move({node}));"));
        vec![declare("auto", &spare, code!("aldis::emptied({target})")), counted(&index, count, body)]
    }

    #[allow(clippy::too_many_arguments)] // as above
    fn pairs(
        &self,
        key: &Node,
        value: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &Code,
        target: &Code,
        count: &Code,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let Type::Map { key: key_type, value: value_type, .. } = ty.required() else { return Vec::new() };
        let (index, key_item, item, node) =
            (scope.var("index"), scope.var("key"), scope.var("item"), scope.var("node"));
        let mut body =
            vec![alias("auto&", &key_item, code!("{node}.key()")), alias("auto&", &item, code!("{node}.mapped()"))];
        let key_aim = Aim::Value { ty: key_type, place: key_item, maybe: false };
        let aims = [&key_aim, &Aim::typed(value_type, item)];
        body.extend(self.pair(key, value, repeat, aims, at, &scope.element(&index)));
        Self::nodes(target, count, scope, body)
    }

    /// Reads or checks the key and the value of an entry.
    fn pair(
        &self,
        key: &Node,
        value: &Node,
        repeat: &Repeat,
        [key_aim, aim]: [&Aim<'_>; 2],
        at: &Code,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let (from, inner) = (scope.var("from"), scope.deeper());
        let named = alias("const std::byte* const", &from, at);
        if let (Node::Cell { slot: key_slot }, Node::Cell { slot }) = (key, value) {
            let mut body = vec![named, self.cell_paid(key_slot, &from, &inner)];
            body.extend(self.slot(key_slot, key_aim, &from, &inner, Guard::None));
            body.push(self.cell_paid(slot, &offset(&from, key_slot.width), &inner));
            body.push(scoped(self.slot(slot, aim, &from, &inner, Guard::None)));
            body.push(step(at, key_slot.width + slot.width));
            return body;
        }
        let unpaid = self.may_be_unpaid(repeat);
        let mut body: Vec<Stmt> = unpaid.then_some(named).into_iter().chain(self.affords(aim, &inner)).collect();
        body.push(scoped(self.node(key, key_aim, at, &inner)));
        body.push(scoped(self.node(value, aim, at, &inner)));
        body.extend(unpaid.then(|| inner.fail_if(self.is_empty_unpaid(at, &from))));
        body
    }

    /// An element of a repeat; one that takes no bytes is charged.
    fn counted(&self, node: &Node, repeat: &Repeat, aim: &Aim<'_>, at: &Code, scope: &Scope) -> Vec<Stmt> {
        if let Some(slot) = counted_cell(node, repeat) {
            let inner = scope.deeper();
            let mut parts = vec![self.cell_paid(slot, at, &inner)];
            parts.extend(self.cell(slot, aim, at, &inner));
            return parts;
        }
        let read = match self.may_be_unpaid(repeat) {
            true => self.element(node, aim, at, scope),
            false => self.node(node, aim, at, &scope.deeper()),
        };
        self.affords(aim, scope).into_iter().chain(read).collect()
    }

    fn element(&self, node: &Node, aim: &Aim<'_>, at: &Code, scope: &Scope) -> Vec<Stmt> {
        if aldis_plan::node_min_size(self.wire.plan, node) > 0 {
            return self.node(node, aim, at, &scope.deeper());
        }
        let from = scope.var("from");
        let mut parts = vec![alias("const std::byte* const", &from, at)];
        parts.extend(self.node(node, aim, at, &scope.deeper()));
        parts.push(scope.fail_if(self.is_empty_unpaid(at, &from)));
        parts
    }

    fn is_empty_unpaid(&self, at: &Code, from: &Code) -> Code {
        code!("{at} == {from} && !in.charge({}, {at})", Limits::EMPTY_ELEMENT)
    }
}

/// The cell that each element is, where the count was checked against the bytes of all of them: not one without bytes, which
/// costs more than its width.
fn counted_cell<'n>(node: &'n Node, repeat: &Repeat) -> Option<&'n Slot> {
    match node {
        Node::Cell { slot } => (slot.width > 0 && repeat.element_min == slot.width).then_some(slot),
        _ => None,
    }
}
