//! Values in slots of a run whose bytes are known to be there.

use super::{head_name, Decoder, Guard};
use crate::code::{alias, block, declare, line, when, Stmt};
use crate::names::Site;
use crate::scope::{offset, Scope};
use aldis_plan::{Link, Meaning, Node, NullLink, NullValue, Register, Repr, Scalar, Slot, SlotKind};
use aldis_schema::Type;

impl Decoder<'_, '_> {
    /// Reads the value of type `ty` into `target`, which is an optional where `maybe`.
    #[allow(clippy::too_many_arguments)] // a slot's place, its target and its surroundings
    pub(super) fn slot(
        &self,
        slot: &Slot,
        ty: &Type,
        start: &str,
        target: &str,
        maybe: bool,
        scope: &Scope,
        guard: Guard,
    ) -> Vec<Stmt> {
        let at = offset(start, slot.at);
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.scalar(scalar, &at, target, maybe, scope),
            SlotKind::Chars { ty } => {
                let read = line(format!("aldis::load_chars<{}>({at}, {});", slot.width, held(target, maybe)));
                std::iter::once(read).chain(self.chars_check(slot, ty, &at, scope)).collect()
            }
            SlotKind::Array { count, element } => {
                let (item, mut parts) = self.reference(target, maybe, scope);
                parts.extend(self.array(*count, element, ty, &at, &item, scope));
                parts
            }
            SlotKind::Nest { record, slots } => {
                let (item, mut parts) = self.reference(target, maybe, scope);
                if self.gen.notes_missing(*record) {
                    parts.push(line(format!("{item}.missing_fields.clear();")));
                }
                parts.extend(self.fields(slots, start, *record, &item, scope, guard.within(slot)));
                parts
            }
            SlotKind::Link(link) => {
                let (item, mut parts) = self.reference(target, maybe, scope);
                parts.extend(self.link(link, ty, &at, &item, scope));
                parts
            }
            SlotKind::Presence(link) => {
                let (item, mut read) = self.reference(target, true, scope);
                read.extend(self.link(link, ty.required(), &offset(start, slot.at + 1), &item, scope));
                let absent = vec![line(format!("{target}.reset();"))];
                vec![Stmt::Choice(vec![(Some(format!("!reader::load<bool>({at})")), absent), (None, read)])]
            }
            SlotKind::Constant { .. }
            | SlotKind::Register(_)
            | SlotKind::Ignored { .. }
            | SlotKind::Pointer { .. }
            | SlotKind::Choice { .. } => Vec::new(),
        }
    }

    /// The check of a text of fixed size, where there is one.
    pub(crate) fn chars_check(&self, slot: &Slot, ty: &Type, at: &str, scope: &Scope) -> Option<Stmt> {
        let check = format!("!aldis::is_chars<{}>(in, {at})", slot.width);
        self.gen.checks_chars(ty).then(|| scope.fail_if(check))
    }

    fn scalar(&self, scalar: &Scalar, at: &str, target: &str, maybe: bool, scope: &Scope) -> Vec<Stmt> {
        let ty = self.gen.cpp_type(&scalar.ty, Site::Namespace);
        match (scalar.repr, scalar.null) {
            (Repr::Decimal, _) => {
                let read = format!("!aldis::load_decimal({at}, {})", held(target, maybe));
                let mut fail = vec![line(format!("in.fail(aldis::code::bad_value, {at});"))];
                fail.extend(scope.fail());
                vec![when(read, fail)]
            }
            (Repr::Uuid, _) => {
                vec![line(format!("std::memcpy({}.octets.data(), {at}, 16);", held(target, maybe)))]
            }
            (_, Some(NullValue::Bits(bits))) => {
                let null = format!("aldis::from_bits<{ty}>(0x{bits:x}U{})", if bits > 0xFFFF_FFFF { "LL" } else { "" });
                vec![line(format!("aldis::set_unless({target}, reader::load<{ty}>({at}), {null});"))]
            }
            (_, Some(NullValue::Nan(_))) => {
                vec![line(format!("aldis::set_unless_nan({target}, reader::load<{ty}>({at}));"))]
            }
            (_, None) => vec![Stmt::Load { to: target.to_owned(), ty, at: at.to_owned() }],
        }
    }

    fn array(&self, count: u32, element: &Slot, ty: &Type, at: &str, target: &str, scope: &Scope) -> Vec<Stmt> {
        if is_row(element) {
            return vec![line(format!("reader::load_row({at}, {count}, {target}.data());"))];
        }
        let inner = scope.deeper();
        let (index, place, item) = (inner.var("index"), inner.var("place"), inner.var("item"));
        let inner = inner.element(&index);
        let mut body = vec![
            alias("const std::byte* const", &place, format!("{at} + {index} * {}", element.width)),
            alias("auto&", &item, format!("{target}[{index}]")),
        ];
        let maybe = matches!(ty.element(), Type::Optional(_));
        body.extend(self.slot(element, ty.element(), &place, &item, maybe, &inner.deeper(), Guard::None));
        vec![block(format!("for (std::size_t {index} = 0; {index} < {count}; ++{index})"), body)]
    }

    /// Follows the u32 link at `from`.
    fn link(&self, link: &Link, ty: &Type, from: &str, target: &str, scope: &Scope) -> Vec<Stmt> {
        let (to, distance) = (scope.var("to"), scope.var("offset"));
        let base = &scope.base;
        if let (NullLink::Empty, Node::Blob(blob)) = (link.null, &*link.target) {
            if let Some(width) = blob.head.plain_count() {
                let take = if self.gen.checks_blob(blob) { "take_linked_text" } else { "take_linked" };
                let take = format!(
                    "aldis::{take}<{}>(in, {base}, {from}, {target}, {})",
                    unsigned(width),
                    head_name(&blob.head)
                );
                return vec![scope.fail_if(format!("!{take}"))];
            }
        }
        let inner = scope.deeper();
        let load = format!("reader::load<std::uint32_t>({from})");
        match link.null {
            NullLink::Refused => {
                let mut parts =
                    vec![declare("const std::byte*", &to, format!("in.follow_some({base}, {load}, {from})"))];
                parts.push(scope.fail_if(format!("{to} == nullptr")));
                parts.extend(self.node(&link.target, ty, &to, target, &inner));
                parts
            }
            NullLink::Empty => {
                let mut found =
                    vec![declare("const std::byte*", &to, format!("in.follow({base}, {distance}, {from})"))];
                found.push(scope.fail_if(format!("{to} == nullptr")));
                found.extend(self.node(&link.target, ty, &to, target, &inner));
                let condition = format!("const auto {distance} = {load}; {distance} == 0");
                vec![Stmt::Choice(vec![(Some(condition), vec![line(format!("{target}.clear();"))]), (None, found)])]
            }
        }
    }

    /// A name for what is in an optional, and the statements that make it; the target itself where it is none.
    pub(super) fn reference(&self, target: &str, maybe: bool, scope: &Scope) -> (String, Vec<Stmt>) {
        if !maybe {
            return (target.to_owned(), Vec::new());
        }
        let item = scope.var("held");
        let made = Stmt::made(&item, format!("aldis::present({target})"));
        (item, vec![made])
    }

    /// The value of a register at `start`.
    pub(crate) fn register_value(&self, slot: &Slot, register: &Register, start: &str) -> String {
        match register.constant {
            Some(value) => value.to_string(),
            None => format!("reader::load<{}>({})", unsigned(slot.width), offset(start, slot.at)),
        }
    }

    /// Checks a register that must have a certain value.
    pub(crate) fn checked_register(&self, slot: &Slot, start: &str) -> Option<Stmt> {
        let SlotKind::Register(register) = &slot.kind else { return None };
        let (Meaning::TypeId { expect } | Meaning::SchemaId { expect }) = register.meaning else { return None };
        if register.constant == Some(expect) {
            return None;
        }
        let condition = format!("{} != {expect}", self.register_value(slot, register, start));
        Some(when(condition, vec![line(format!("return in.fail_type({});", offset(start, slot.at)))]))
    }
}

/// Whether elements lie side by side as an array of C++ numbers does, but for the order of their bytes.
pub(crate) fn is_row(element: &Slot) -> bool {
    match &element.kind {
        SlotKind::Scalar(scalar) => scalar.null.is_none() && !matches!(scalar.repr, Repr::Decimal | Repr::Uuid),
        _ => false,
    }
}

/// The unsigned integer of so many bytes.
pub(crate) fn unsigned(width: u32) -> String {
    format!("std::uint{}_t", width * 8)
}

/// The value in an optional, made where there is none.
fn held(target: &str, maybe: bool) -> String {
    if maybe {
        format!("aldis::present({target})")
    } else {
        target.to_owned()
    }
}
