//! The members of header composites: numbers about the message rather than of it.

use crate::catalog::{Catalog, Lookup};
use crate::codes;
use crate::number::Number;
use crate::primitive::Primitive;
use crate::report::Report;
use crate::resolved::{Composite, Kind, Member, Presence, Simple};
use crate::xml::Element;
use aldis_diagnostics::Span;
use aldis_plan::{FixedInt, Meaning, Missing, Register, Repr, Slot, SlotKind};
use aldis_schema::{IntType, Literal};

/// The place of one of the numbers.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub name: String,
    pub at: u32,
    pub int: IntType,
    /// The schema fixes the value, and it takes no bytes.
    pub constant: Option<u64>,
    /// Its type, where it is declared.
    pub span: Span,
    /// `minValue` and `maxValue`, where they are given.
    pub min: Option<i128>,
    pub max: Option<i128>,
}

impl Place {
    /// Bytes on the wire.
    pub fn width(&self) -> u32 {
        match self.constant {
            Some(_) => 0,
            None => self.int.bytes(),
        }
    }

    /// Whether the number can be `value`.
    pub fn holds(&self, value: u64) -> bool {
        self.int.holds(value.into())
    }

    pub fn fixed(&self) -> FixedInt {
        FixedInt { at: self.at, bits: self.int.bits }
    }

    pub fn slot(&self, meaning: Meaning) -> Slot {
        let repr = Repr::int(self.int.bits, self.int.signed);
        let register = Register { name: self.name.clone(), repr, meaning, constant: self.constant };
        let kind = SlotKind::Register(register);
        Slot { at: self.at, width: self.width(), field: None, since: 0, missing: Missing::Never, kind }
    }

    /// The bounds that the schema gives a count, else those of its type without the null value.
    pub fn bounds(&self) -> (u64, u64) {
        let narrow = |value: i128| u64::try_from(value).unwrap_or(0);
        let primitive = if self.int.signed { self.int.max() } else { self.int.max() - 1 };
        (narrow(self.min.unwrap_or(0)), narrow(self.max.unwrap_or(primitive)))
    }

    /// Remarks on a type that other implementations may not expect.
    pub fn remark_unusual(&self, usual: &str, report: &mut Report) {
        report
            .warning(
                codes::UNUSUAL_WIDTH,
                format!("`{}` is {}", self.name, Primitive::Int(self.int).with_article()),
                self.span,
                format!("{usual} is usual"),
            )
            .help("other implementations may refuse it");
    }
}

/// A composite in one of its three special uses.
#[derive(Clone, Copy)]
pub(crate) struct Members<'c, 'a> {
    /// `message header`, `group dimension` or `data type`.
    pub what: &'static str,
    /// The place of the use that asks for it.
    pub used: Span,
    pub composite: &'c Composite<'a>,
    element: Option<&'a Element>,
    catalog: &'c Catalog<'a>,
}

impl<'c, 'a> Members<'c, 'a> {
    /// The composite of that name.
    pub fn of(
        name: &str,
        what: &'static str,
        used: Span,
        catalog: &'c Catalog<'a>,
        report: &mut Report,
    ) -> Option<Self> {
        match catalog.find(name) {
            Lookup::Found(handle) => match catalog.kind(handle) {
                Kind::Composite(composite) => {
                    Some(Self { what, used, composite, element: catalog.entry(handle).element, catalog })
                }
                other => {
                    let message = format!("the {what} `{name}` is {}", other.noun());
                    report.error(codes::NOT_COMPOSITE, message, used, "a composite is needed").help(example(what));
                    None
                }
            },
            Lookup::Broken => None,
            Lookup::Unknown => {
                let message = format!("there is no composite `{name}` for the {what}");
                report.error(codes::NO_HEAD, message, used, "not declared").help(example(what));
                None
            }
        }
    }

    /// The member of that name.
    pub fn member(&self, name: &str, report: &mut Report) -> Option<&'c Member<'a>> {
        let found = self.composite.member(name);
        if found.is_none() {
            let message = format!("the {} has no member `{name}`", self.what);
            let added = report
                .error(codes::MISSING_MEMBER, message, self.used, format!("its composite needs `{name}`"))
                .help(format!("add the member: <type name=\"{name}\" …/>"));
            if let Some(element) = self.element.filter(|e| e.name_place() != self.used) {
                added.label(element.name_place(), "this composite");
            }
        }
        found
    }

    /// A member that must be one unsigned integer.
    pub fn unsigned(&self, name: &str, report: &mut Report) -> Option<Place> {
        let (member, simple) = self.simple(name, report)?;
        match simple.primitive.unsigned() {
            Some(int) => Some(self.place(member, simple, int)),
            None => {
                self.refuse(member, &simple.primitive.with_article(), report);
                None
            }
        }
    }

    /// A member that is unsigned, or signed where the schema says that it is never negative.
    pub fn count(&self, name: &str, report: &mut Report) -> Option<Place> {
        let (member, simple) = self.simple(name, report)?;
        match simple.primitive {
            Primitive::Int(int) if !int.signed || simple.min.and_then(Number::int).is_some_and(|min| min >= 0) => {
                Some(self.place(member, simple, int))
            }
            Primitive::Int(_) => {
                self.refuse(member, "signed without a `minValue` of 0", report);
                None
            }
            other => {
                self.refuse(member, &other.with_article(), report);
                None
            }
        }
    }

    /// A count or length must be on the wire.
    pub fn stored(&self, place: &Place, report: &mut Report) -> Option<()> {
        if place.constant.is_none() {
            return Some(());
        }
        report
            .error(
                codes::CONSTANT_COUNT,
                format!("`{}` is constant", place.name),
                place.span,
                "it says how much follows",
            )
            .label(self.used, "used here")
            .help("make it required");
        None
    }

    /// The type of a member, where it is declared.
    pub fn simple_of(&self, member: &Member<'a>) -> Option<&'c Simple> {
        match self.catalog.kind(member.target) {
            Kind::Simple(simple) => Some(simple),
            _ => None,
        }
    }

    /// The declaration of a member's type: the member itself, or the type that its `ref` names.
    pub fn declaration(&self, member: &Member<'a>) -> &'a Element {
        self.catalog.entry(member.target).element.unwrap_or(member.element)
    }

    fn simple(&self, name: &str, report: &mut Report) -> Option<(&'c Member<'a>, &'c Simple)> {
        let member = self.member(name, report)?;
        let simple = self.simple_of(member).filter(|simple| simple.is_scalar());
        if simple.is_none() {
            self.refuse(member, "no single number", report);
        }
        Some((member, simple?))
    }

    fn refuse(&self, member: &Member<'_>, is: &str, report: &mut Report) {
        let message = format!("`{}` of the {} is {is}", member.element.given_name(), self.what);
        report
            .error(codes::NOT_UNSIGNED, message, member.element.name_place(), "an unsigned integer is needed")
            .label(self.used, "used here")
            .help("make it uint16, or uint8 or uint32");
    }

    fn place(&self, member: &Member<'a>, simple: &Simple, int: IntType) -> Place {
        let constant = match &simple.constant {
            Some((_, Literal::Int(value))) if simple.presence == Presence::Constant => u64::try_from(*value).ok(),
            _ => None,
        };
        Place {
            name: member.element.given_name().to_string(),
            at: member.at,
            int,
            constant,
            span: self.declaration(member).place("primitiveType"),
            min: simple.min.and_then(Number::int),
            max: simple.max.and_then(Number::int),
        }
    }
}

fn example(what: &str) -> &'static str {
    match what {
        "message header" => {
            "declare a composite `messageHeader` of blockLength, templateId, schemaId and version, \
             or name another: headerType=\"…\""
        }
        "group dimension" => {
            "declare a composite `groupSizeEncoding` of blockLength and numInGroup, \
             or name another: dimensionType=\"…\""
        }
        _ => "declare a composite of `length` and `varData`",
    }
}
