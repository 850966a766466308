//! Values in slots of a run whose bytes are known to be there.

use super::{head_name, Aim, Decoder, Guard};
use crate::code::{alias, code, counted, hex, place, stmt, when, Code, Stmt, ToCode};
use crate::names::Site;
use crate::scope::{offset, Scope};
use aldis_plan::{Link, Meaning, Node, NullLink, NullValue, Register, Repr, Scalar, Slot, SlotKind};
use aldis_schema::Type;

impl Decoder<'_, '_> {
    /// Reads or checks the value in a slot.
    pub(super) fn slot(&self, slot: &Slot, aim: &Aim<'_>, start: &Code, scope: &Scope, guard: Guard) -> Vec<Stmt> {
        let at = offset(start, slot.at);
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.scalar(scalar, &at, aim, scope),
            SlotKind::Chars { ty } => {
                let read = held(aim).map(|held| stmt!("aldis::load_chars<{}>({at}, {held});", slot.width));
                read.into_iter().chain(self.chars_check(slot, ty, &at, scope)).collect()
            }
            SlotKind::Array { count, element } => {
                let (item, mut parts) = aim.held(scope);
                parts.extend(self.array(*count, element, &item, &at, scope));
                parts
            }
            SlotKind::Nest { record, slots } => {
                let (item, mut parts) = aim.held(scope);
                if let (true, Some(item)) = (self.gen.notes_missing(*record), item.place()) {
                    parts.push(stmt!("{item}.missing_fields.clear();"));
                }
                parts.extend(self.fields(slots, start, *record, &item, scope, guard.within(slot)));
                parts
            }
            SlotKind::Link(link) => {
                let (item, mut parts) = aim.held(scope);
                parts.extend(self.link(link, &item, &at, scope));
                parts
            }
            SlotKind::Presence(link) => {
                let (item, mut read) = aim.present(scope);
                read.extend(self.link(link, &item, &offset(start, slot.at + 1), scope));
                match aim.place() {
                    Some(target) => {
                        let absent = vec![stmt!("{target}.reset();")];
                        vec![Stmt::Choice(vec![(Some(code!("!reader::load<bool>({at})")), absent), (None, read)])]
                    }
                    None => vec![when(code!("reader::load<bool>({at})"), read)],
                }
            }
            SlotKind::Constant { .. }
            | SlotKind::Register(_)
            | SlotKind::Ignored { .. }
            | SlotKind::Pointer { .. }
            | SlotKind::Choice { .. } => Vec::new(),
        }
    }

    /// The check of a text of fixed size, where there is one.
    pub(crate) fn chars_check(&self, slot: &Slot, ty: &Type, at: &Code, scope: &Scope) -> Option<Stmt> {
        let check = code!("!aldis::is_chars<{}>(in, {at})", slot.width);
        self.gen.checks_chars(ty).then(|| scope.fail_if(check))
    }

    fn scalar(&self, scalar: &Scalar, at: &Code, aim: &Aim<'_>, scope: &Scope) -> Vec<Stmt> {
        let held = held(aim);
        if scalar.repr == Repr::Decimal {
            let read =
                held.map_or(code!("!aldis::is_decimal({at})"), |held| code!("!aldis::load_decimal({at}, {held})"));
            let mut fail = vec![stmt!("in.fail(aldis::code::bad_value, {at});")];
            fail.extend(scope.fail());
            return vec![when(read, fail)];
        }
        let (Some(target), Some(held)) = (aim.place(), held) else { return Vec::new() };
        let ty = self.gen.cpp_type(&scalar.ty, Site::Namespace);
        match (scalar.repr, scalar.null) {
            (Repr::Uuid, _) => {
                vec![stmt!("std::memcpy({held}.octets.data(), {at}, 16);")]
            }
            (_, Some(NullValue::Bits(bits))) => {
                let null =
                    code!("aldis::from_bits<{ty}>({}U{})", hex(bits), if bits > 0xFFFF_FFFF { "LL" } else { "" });
                vec![stmt!("aldis::set_unless({target}, reader::load<{ty}>({at}), {null});")]
            }
            (_, Some(NullValue::Nan(_))) => {
                vec![stmt!("aldis::set_unless_nan({target}, reader::load<{ty}>({at}));")]
            }
            (_, None) => vec![Stmt::Load { to: target.to_owned(), ty, at: at.to_owned() }],
        }
    }

    fn array(&self, count: u32, element: &Slot, aim: &Aim<'_>, at: &Code, scope: &Scope) -> Vec<Stmt> {
        if let (Some(target), true) = (aim.place(), is_row(element)) {
            return vec![stmt!("reader::load_row({at}, {count}, {target}.data());")];
        }
        let inner = scope.deeper();
        let (index, place, item) = (inner.var("index"), inner.var("place"), inner.var("item"));
        let inner = inner.element(&index);
        let read = self.slot(element, &aim.element(&item), &place, &inner.deeper(), Guard::None);
        if aim.place().is_none() && read.is_empty() {
            return read;
        }
        let mut body = vec![alias("const std::byte* const", &place, code!("{at} + {index} * {}", element.width))];
        body.extend(aim.place().map(|target| alias("auto&", &item, code!("{target}[{index}]"))));
        // Links of all elements may lead to the same bytes, and so on from there.
        body.extend(self.affords(aim, &inner).filter(|_| leads_on(element)));
        body.extend(read);
        vec![counted(&index, count, body)]
    }

    /// Compares what a check spent with the budget, which most charges of it leave to those that come after them: where links can
    /// lead to the same bytes again and again.
    pub(crate) fn affords(&self, aim: &Aim<'_>, scope: &Scope) -> Option<Stmt> {
        let asks = self.wire.needs.links && aim.place().is_none();
        asks.then(|| scope.fail_if(code!("!in.affords()")))
    }

    /// Follows the u32 link at `from`.
    fn link(&self, link: &Link, aim: &Aim<'_>, from: &Code, scope: &Scope) -> Vec<Stmt> {
        let (to, distance) = (scope.var("to"), scope.var("offset"));
        let base = &scope.base;
        if let Some(all) = self.linked_blob(link, from, aim.place(), scope) {
            return vec![all];
        }
        let load = code!("reader::load<std::uint32_t>({from})");
        let follow = match link.null {
            NullLink::Refused => code!("in.follow_some({base}, {load}, {from})"),
            NullLink::Empty => code!("in.follow({base}, {distance}, {from})"),
        };
        let mut found = vec![place(&to, follow), scope.fail_if(code!("{to} == nullptr"))];
        found.extend(self.node(&link.target, aim, &to, &scope.deeper()));
        match (link.null, aim.place()) {
            (NullLink::Refused, _) => found,
            (NullLink::Empty, Some(target)) => {
                let condition = code!("const auto {distance} = {load}; {distance} == 0");
                vec![Stmt::Choice(vec![(Some(condition), vec![stmt!("{target}.clear();")]), (None, found)])]
            }
            (NullLink::Empty, None) => vec![when(code!("const auto {distance} = {load}; {distance} != 0"), found)],
        }
    }

    /// Reads or checks the bytes that a link leads to, where the runtime knows how.
    fn linked_blob(&self, link: &Link, from: &Code, target: Option<&Code>, scope: &Scope) -> Option<Stmt> {
        let (NullLink::Empty, Node::Blob(blob)) = (link.null, &*link.target) else { return None };
        let (width, name, base) = (unsigned(blob.head.plain_count()?), head_name(&blob.head), &scope.base);
        let (verb, target) = (verb(target), target.map(|target| code!(", {target}")));
        let take = if self.gen.checks_blob(blob) { code!("{verb}_linked_text") } else { code!("{verb}_linked") };
        Some(scope.fail_if(code!("!aldis::{take}<{width}>(in, {base}, {from}{target}, {name})")))
    }

    /// The value of a register at `start`.
    pub(crate) fn register_value(&self, slot: &Slot, register: &Register, start: &Code) -> Code {
        match register.constant {
            Some(value) => value.to_code(),
            None => code!("reader::load<{}>({})", unsigned(slot.width), offset(start, slot.at)),
        }
    }

    /// Checks a register that must have a certain value.
    pub(crate) fn checked_register(&self, slot: &Slot, start: &Code) -> Option<Stmt> {
        let SlotKind::Register(register) = &slot.kind else { return None };
        let (Meaning::TypeId { expect } | Meaning::SchemaId { expect }) = register.meaning else { return None };
        if register.constant == Some(expect) {
            return None;
        }
        let condition = code!("{} != {expect}", self.register_value(slot, register, start));
        Some(when(condition, vec![stmt!("return in.fail_type({});", offset(start, slot.at))]))
    }
}

/// Whether elements lie side by side as an array of C++ numbers does, but for the order of their bytes.
pub(crate) fn is_row(element: &Slot) -> bool {
    match &element.kind {
        SlotKind::Scalar(scalar) => scalar.null.is_none() && !matches!(scalar.repr, Repr::Decimal | Repr::Uuid),
        _ => false,
    }
}

/// What functions of the runtime that read something, or check it where it goes nowhere, begin with.
pub(super) fn verb(target: Option<&Code>) -> &'static str {
    if target.is_some() {
        "take"
    } else {
        "pass"
    }
}

/// The unsigned integer of so many bytes.
pub(crate) fn unsigned(width: u32) -> Code {
    code!("std::uint{}_t", width * 8)
}

/// The place of the value itself: in an optional, made where there is none.
fn held(aim: &Aim<'_>) -> Option<Code> {
    match aim {
        Aim::Value { place, maybe: true, .. } => Some(code!("aldis::present({place})")),
        other => other.place().cloned(),
    }
}

/// Whether a slot has links in it.
fn leads_on(slot: &Slot) -> bool {
    match &slot.kind {
        SlotKind::Link(_) | SlotKind::Presence(_) => true,
        SlotKind::Array { element, .. } => leads_on(element),
        SlotKind::Nest { slots, .. } => slots.iter().any(leads_on),
        _ => false,
    }
}
