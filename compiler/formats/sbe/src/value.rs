//! A type in use: the value that it makes and the slot that it takes.

use crate::catalog::Catalog;
use crate::primitive::Primitive;
use crate::resolved::{presence_of, says_optional, Composite, Enumeration, Handle, Kind, Member, Presence, Simple};
use aldis_plan::{Missing, NullValue, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Literal, Type, TypeId};
use std::collections::HashMap;

/// The type and slot that a field or member gets.
pub(crate) struct Value {
    pub ty: Type,
    pub constant: Option<Literal>,
    /// Bytes in the block; 0 for a constant.
    pub width: u32,
    pub kind: SlotKind,
}

/// The place and manner in which a type is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The presence that the field says; `None` leaves it to the type.
    pub presence: Option<Presence>,
    /// Bytes from the run's first.
    pub at: u32,
    /// The first version that has it.
    pub since: u32,
    /// It is called optional, or is part of something that is: null may be written whatever the type.
    pub optional: bool,
}

impl Site {
    /// Whether null may be written here though the type is not optional.
    fn takes_null(self) -> bool {
        self.since > 0 || self.optional
    }
}

/// The types' numbers in the schema, to make values of them.
pub(crate) struct Values<'c, 'a> {
    pub catalog: &'c Catalog<'a>,
    pub ids: &'c HashMap<Handle, TypeId>,
}

impl Values<'_, '_> {
    /// A value that is stored, or constant by its type.
    pub fn value(&self, target: Handle, site: Site) -> Value {
        match self.catalog.kind(target) {
            Kind::Simple(simple) => simple_value(simple, site),
            Kind::Enum(found) => self.enumeration(found, target, site),
            Kind::Set(set) => {
                let ty = self.named(target);
                let scalar = Scalar {
                    absent: site.takes_null().then_some(NullValue::Bits(0)),
                    ..Scalar::new(Repr::int(set.repr.bits, false), ty.clone())
                };
                Value { ty, constant: None, width: set.repr.bytes(), kind: SlotKind::Scalar(scalar) }
            }
            Kind::Composite(composite) => {
                let ty = self.named(target);
                let slots = self.members(composite, site);
                let record = self.id(target);
                Value { ty, constant: None, width: composite.size, kind: SlotKind::Nest { record, slots } }
            }
        }
    }

    /// The value alone, without its slot.
    pub fn meaning(&self, target: Handle, presence: Option<Presence>) -> (Type, Option<Literal>) {
        if let Kind::Composite(_) = self.catalog.kind(target) {
            return (self.named(target), None);
        }
        let value = self.value(target, Site { presence, at: 0, since: 0, optional: false });
        (value.ty, value.constant)
    }

    /// The members of a header composite but for `known`, composites opened: what the records around them do not hold.
    /// `header` tells whether they are the plan's header value.
    pub fn ignored(&self, composite: &Composite<'_>, known: &[&str], header: bool) -> Vec<Slot> {
        let mut slots = Vec::new();
        for member in composite.members.iter().filter(|m| !known.contains(&m.element.given_name())) {
            self.ignore(member, ("", 0, header), &mut slots);
        }
        slots
    }

    /// The members of a message header as fields of the header value's record, which is always whole.
    pub fn header_slots<'m>(&self, members: impl Iterator<Item = &'m Member<'m>>) -> Vec<Slot> {
        let site = Site { presence: None, at: 0, since: 0, optional: false };
        let mut slots = self.slots(members, site);
        for slot in &mut slots {
            slot.since = 0;
            never_missing(slot);
        }
        slots
    }

    fn ignore(&self, member: &Member<'_>, (within, from, header): (&str, u32, bool), slots: &mut Vec<Slot>) {
        let (at, name) = (from + member.at, format!("{within}{}", member.element.given_name()));
        if let Kind::Composite(composite) = self.catalog.kind(member.target) {
            let within = format!("{name}.");
            return composite.members.iter().for_each(|inner| self.ignore(inner, (&within, at, header), slots));
        }
        let presence = if member.inline { None } else { presence_of(member.element) };
        let site = Site { presence, at: 0, since: 0, optional: false };
        let value = match self.catalog.kind(member.target) {
            // Enums and sets that only a dimension declares are no types of the schema's: their numbers are shown.
            Kind::Enum(found) if !self.ids.contains_key(&member.target) => {
                simple_value(&Simple::plain(found.primitive), site)
            }
            Kind::Set(set) if !self.ids.contains_key(&member.target) => {
                simple_value(&Simple::plain(Primitive::Int(set.repr)), site)
            }
            _ => self.value(member.target, site),
        };
        let plain = |at, kind| Slot { at, width: value.width, field: None, since: 0, missing: Missing::Never, kind };
        let inner = Box::new(plain(0, value.kind));
        slots.push(plain(at, SlotKind::Ignored { name, header, ty: value.ty, value: inner }));
    }

    pub fn named(&self, target: Handle) -> Type {
        Type::Named(self.id(target))
    }

    fn id(&self, target: Handle) -> TypeId {
        self.ids.get(&target).copied().expect("every type in use has been numbered")
    }

    fn enumeration(&self, found: &Enumeration<'_>, target: Handle, site: Site) -> Value {
        let optional = site.presence.map_or(found.optional, |p| p == Presence::Optional);
        let ty = self.named(target);
        let kind = scalar(found.primitive, ty.clone(), found.null, optional, site.takes_null());
        let ty = if optional { ty.optional() } else { ty };
        Value { ty, constant: None, width: found.primitive.width(), kind }
    }

    fn members(&self, composite: &Composite<'_>, site: Site) -> Vec<Slot> {
        self.slots(composite.members.iter(), site)
    }

    fn slots<'m>(&self, members: impl Iterator<Item = &'m Member<'m>>, site: Site) -> Vec<Slot> {
        let slot = |(index, member): (usize, &Member<'_>)| {
            let presence = if member.inline { None } else { presence_of(member.element) };
            let (at, since) = (site.at + member.at, site.since.max(member.since));
            let optional = site.optional || says_optional(member.element, self.catalog.entry(member.target).element);
            let value = self.value(member.target, Site { presence, at, since, optional });
            Slot { at, width: value.width, field: Some(index as u32), since, missing: Missing::Null, kind: value.kind }
        };
        members.enumerate().map(slot).collect()
    }
}

/// Makes a slot one of a run that is always there as a whole. Members of composites keep their versions, which are those
/// of the composite wherever it is used: a header is read as the newest version has it.
fn never_missing(slot: &mut Slot) {
    slot.missing = Missing::Never;
    if let SlotKind::Nest { slots, .. } = &mut slot.kind {
        slots.iter_mut().for_each(never_missing);
    }
}

fn simple_value(simple: &Simple, site: Site) -> Value {
    if let Some((ty, value)) = &simple.constant {
        return constant(ty.clone(), value.clone());
    }
    let optional = site.presence.unwrap_or(simple.presence) == Presence::Optional;
    let element = || scalar(simple.primitive, simple.primitive.ty(), simple.null, optional, site.takes_null());
    let element_ty = if optional { simple.primitive.ty().optional() } else { simple.primitive.ty() };
    let width = simple.width() as u32;
    let (ty, kind) = match simple.length {
        None | Some(1) => (element_ty, element()),
        Some(len) if simple.primitive == Primitive::Char => {
            let ty = Type::Chars { len, encoding: simple.encoding };
            (ty.clone(), SlotKind::Chars { ty })
        }
        Some(len) => {
            let kind = element();
            let slot =
                Slot { at: 0, width: simple.primitive.width(), field: None, since: 0, missing: Missing::Never, kind };
            (
                Type::Array { element: Box::new(element_ty), len },
                SlotKind::Array { count: len, element: Box::new(slot) },
            )
        }
    };
    Value { ty, constant: None, width, kind }
}

/// A value that the schema fixes.
pub(crate) fn constant(ty: Type, value: Literal) -> Value {
    let kind = SlotKind::Constant { ty: ty.clone(), value: value.clone() };
    Value { ty, constant: Some(value), width: 0, kind }
}

fn scalar(primitive: Primitive, ty: Type, null: NullValue, optional: bool, takes_null: bool) -> SlotKind {
    let absent = (!optional && takes_null).then_some(null);
    SlotKind::Scalar(Scalar { null: optional.then_some(null), absent, ..Scalar::new(primitive.repr(), ty) })
}
