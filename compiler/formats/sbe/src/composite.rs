//! `<composite>`: members one after another.

use crate::catalog::Catalog;
use crate::codes;
use crate::grammar::{count, since_of};
use crate::report::{Added, Report};
use crate::resolved::{presence_of, Composite, Handle, Kind, Member, Presence, MAX_SIZE};
use crate::unique::Unique;
use crate::xml::Element;

/// Composites within composites, in place or by `ref`. With [`crate::message::MAX_DEPTH`] groups around them they stay
/// within what decoders allow.
const MAX_DEPTH: usize = 31;
/// Values in one composite, those of composites within it included.
const MAX_LEAVES: u64 = 4096;

impl<'a> Composite<'a> {
    pub fn resolve(element: &'a Element, catalog: &mut Catalog<'a>, depth: usize, report: &mut Report) -> Option<Self> {
        // Members further down are resolved within this call: the stack is bounded here, before the height is known.
        if depth > MAX_DEPTH {
            too_deep(element, report);
            return None;
        }
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut complete = true;
        let mut packer = Packer::default();
        let mut names = Unique::default();
        for child in &element.children {
            if !matches!(child.name.as_str(), "type" | "enum" | "set" | "composite" | "ref") {
                continue;
            }
            names.take_name(codes::DUPLICATE_MEMBER, "member", child, report);
            let Some(target) = target(child, catalog, depth + 1, report) else {
                complete = false;
                continue;
            };
            let at = packer.place(child, catalog.width(target), report);
            let since = since_of(child).max(catalog.entry(target).since);
            members.push(Member { element: child, target, inline: child.name != "ref", at, since });
        }
        let leaves = members.iter().map(|m| catalog.leaves(m.target)).sum();
        if packer.end > MAX_SIZE || leaves > MAX_LEAVES {
            let message =
                format!("the composite `{}` is too large: {} bytes, {leaves} values", element.given_name(), packer.end);
            report
                .error(codes::TOO_LARGE, message, element.name_place(), "too large")
                .help(format!("a composite has at most {MAX_SIZE} bytes and {MAX_LEAVES} values"));
            return None;
        }
        let height = height(element, &members, catalog, report)?;
        complete.then_some(Self { size: packer.end as u32, members, leaves, height })
    }
}

/// The height of a composite of these members. What they refer to may have been resolved long before, so the depth at
/// which this composite is resolved says nothing of it.
fn height(element: &Element, members: &[Member<'_>], catalog: &Catalog<'_>, report: &mut Report) -> Option<usize> {
    let below = |member: &Member<'_>| match catalog.kind(member.target) {
        Kind::Composite(composite) => 1 + composite.height,
        _ => 0,
    };
    let Some(deepest) = members.iter().max_by_key(|m| below(m)) else { return Some(0) };
    let height = below(deepest);
    if height > MAX_DEPTH {
        too_deep(element, report).label(deepest.element.name_place(), format!("{MAX_DEPTH} more within this one"));
        return None;
    }
    Some(height)
}

fn too_deep<'r>(element: &Element, report: &'r mut Report) -> Added<'r> {
    let message = format!("composites are nested more than {MAX_DEPTH} deep");
    report.error(codes::TOO_DEEP, message, element.name_place(), "one too deep").help("flatten some of them")
}

fn target<'a>(member: &'a Element, catalog: &mut Catalog<'a>, depth: usize, report: &mut Report) -> Option<Handle> {
    if member.name != "ref" {
        return catalog.declare(member, depth, report);
    }
    let target = catalog.named(member, "type", depth, report)?;
    let constant = matches!(catalog.kind(target), Kind::Simple(simple) if simple.presence == Presence::Constant);
    if presence_of(member) == Some(Presence::Constant) && !constant {
        report
            .error(
                codes::NO_CONSTANT,
                format!("the constant `{}` has no value", member.given_name()),
                member.place("presence"),
                "what is its value?",
            )
            .help("refer to a type that is constant");
        return None;
    }
    Some(target)
}

/// Lays members or fields out: one after the other, or further on where an `offset` says so.
#[derive(Debug, Default)]
pub(crate) struct Packer<'a> {
    /// Bytes used so far.
    pub end: u64,
    last: Option<&'a Element>,
}

impl<'a> Packer<'a> {
    /// The offset of an element of that many bytes. An `offset` of 0 counts as none, as it does for the reference.
    pub fn place(&mut self, element: &'a Element, width: u64, report: &mut Report) -> u32 {
        let mut at = self.end;
        if let Some(offset) = count(element, "offset").filter(|&offset| offset != 0).map(u64::from) {
            if offset < self.end {
                self.overlap(element, report);
            }
            at = at.max(offset);
        }
        if width > 0 {
            self.last = Some(element);
            self.end = at + width;
        }
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    fn overlap(&self, element: &'a Element, report: &mut Report) {
        let end = self.end;
        let message = format!("`{}` overlaps what stands before it", element.given_name());
        let added = report
            .error(codes::OVERLAP, message, element.place("offset"), format!("byte {end} is the first free one"))
            .help(format!("set offset=\"{end}\" or more, or leave it out"));
        if let Some(last) = self.last {
            added.label(last.name_place(), format!("takes the bytes up to {end}"));
        }
    }
}
