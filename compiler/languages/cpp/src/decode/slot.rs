//! Values in slots of a run whose bytes are known to be there.

use super::{head_name, Decoder, Guard};
use crate::code::{alias, code, counted, hex, place, stmt, when, Code, Stmt, ToCode};
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
        start: &Code,
        target: &Code,
        maybe: bool,
        scope: &Scope,
        guard: Guard,
    ) -> Vec<Stmt> {
        let at = offset(start, slot.at);
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.scalar(scalar, &at, target, maybe, scope),
            SlotKind::Chars { ty } => {
                let read = stmt!("aldis::load_chars<{}>({at}, {});", slot.width, held(target, maybe));
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
                    parts.push(stmt!("{item}.missing_fields.clear();"));
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
                let absent = vec![stmt!("{target}.reset();")];
                vec![Stmt::Choice(vec![(Some(code!("!reader::load<bool>({at})")), absent), (None, read)])]
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

    fn scalar(&self, scalar: &Scalar, at: &Code, target: &Code, maybe: bool, scope: &Scope) -> Vec<Stmt> {
        let ty = self.gen.cpp_type(&scalar.ty, Site::Namespace);
        match (scalar.repr, scalar.null) {
            (Repr::Decimal, _) => {
                let read = code!("!aldis::load_decimal({at}, {})", held(target, maybe));
                let mut fail = vec![stmt!("in.fail(aldis::code::bad_value, {at});")];
                fail.extend(scope.fail());
                vec![when(read, fail)]
            }
            (Repr::Uuid, _) => {
                vec![stmt!("std::memcpy({}.octets.data(), {at}, 16);", held(target, maybe))]
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

    fn array(&self, count: u32, element: &Slot, ty: &Type, at: &Code, target: &Code, scope: &Scope) -> Vec<Stmt> {
        if is_row(element) {
            return vec![stmt!("reader::load_row({at}, {count}, {target}.data());")];
        }
        let inner = scope.deeper();
        let (index, place, item) = (inner.var("index"), inner.var("place"), inner.var("item"));
        let inner = inner.element(&index);
        let mut body = vec![
            alias("const std::byte* const", &place, code!("{at} + {index} * {}", element.width)),
            alias("auto&", &item, code!("{target}[{index}]")),
        ];
        let maybe = matches!(ty.element(), Type::Optional(_));
        body.extend(self.slot(element, ty.element(), &place, &item, maybe, &inner.deeper(), Guard::None));
        vec![counted(&index, count, body)]
    }

    /// Follows the u32 link at `from`.
    fn link(&self, link: &Link, ty: &Type, from: &Code, target: &Code, scope: &Scope) -> Vec<Stmt> {
        let (to, distance) = (scope.var("to"), scope.var("offset"));
        let base = &scope.base;
        if let Some(all) = self.linked_blob(link, from, Some(target), scope) {
            return vec![all];
        }
        let inner = scope.deeper();
        let load = code!("reader::load<std::uint32_t>({from})");
        match link.null {
            NullLink::Refused => {
                let mut parts = vec![place(&to, code!("in.follow_some({base}, {load}, {from})"))];
                parts.push(scope.fail_if(code!("{to} == nullptr")));
                parts.extend(self.node(&link.target, ty, &to, target, &inner));
                parts
            }
            NullLink::Empty => {
                let mut found = vec![place(&to, code!("in.follow({base}, {distance}, {from})"))];
                found.push(scope.fail_if(code!("{to} == nullptr")));
                found.extend(self.node(&link.target, ty, &to, target, &inner));
                let condition = code!("const auto {distance} = {load}; {distance} == 0");
                vec![Stmt::Choice(vec![(Some(condition), vec![stmt!("{target}.clear();")]), (None, found)])]
            }
        }
    }

    /// Reads or checks the bytes that a link leads to, where the runtime knows how.
    pub(crate) fn linked_blob(&self, link: &Link, from: &Code, target: Option<&Code>, scope: &Scope) -> Option<Stmt> {
        let (NullLink::Empty, Node::Blob(blob)) = (link.null, &*link.target) else { return None };
        let (width, name, base) = (unsigned(blob.head.plain_count()?), head_name(&blob.head), &scope.base);
        let (verb, target) = (verb(target), target.map(|target| code!(", {target}")));
        let take = if self.gen.checks_blob(blob) { code!("{verb}_linked_text") } else { code!("{verb}_linked") };
        Some(scope.fail_if(code!("!aldis::{take}<{width}>(in, {base}, {from}{target}, {name})")))
    }

    /// A name for what is in an optional, and the statements that make it; the target itself where it is none.
    pub(super) fn reference(&self, target: &Code, maybe: bool, scope: &Scope) -> (Code, Vec<Stmt>) {
        if !maybe {
            return (target.to_owned(), Vec::new());
        }
        let item = scope.var("held");
        let made = Stmt::made(&item, code!("aldis::present({target})"));
        (item, vec![made])
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

/// The value in an optional, made where there is none.
fn held(target: &Code, maybe: bool) -> Code {
    if maybe {
        code!("aldis::present({target})")
    } else {
        target.to_owned()
    }
}
