//! From the shape of a struct to its members: names, types, and ordinals that the compiler takes.

use super::shape::{MemberShape, ScopeShape, StructShape};
use super::types::{Member, Place, Types, Want};

/// The members of a struct; types are chosen as seen from `place`.
pub fn members(types: &Types, place: Place, shape: &StructShape) -> Vec<Member> {
    let mut maker = Maker { types, place, names: 0, ordinals: 0 };
    let mut members = maker.scope(&shape.scope);
    let order = shape.order.order(maker.ordinals);
    members.iter_mut().for_each(|member| renumber(member, &order));
    members.iter_mut().for_each(put_in_front);
    members
}

struct Maker<'t> {
    types: &'t Types,
    place: Place,
    names: usize,
    ordinals: usize,
}

impl Maker<'_> {
    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn ordinal(&mut self) -> usize {
        self.ordinals += 1;
        self.ordinals - 1
    }

    fn scope(&mut self, shape: &ScopeShape) -> Vec<Member> {
        let (before, after) = shape.members.split_at(shape.members.len() / 2);
        let mut members = self.all(before);
        if let Some(inner) = &shape.unnamed {
            members.push(Member::Union { name: None, ordinal: None, members: self.all(inner) });
        }
        members.extend(self.all(after));
        members
    }

    fn all(&mut self, shapes: &[MemberShape]) -> Vec<Member> {
        shapes.iter().map(|shape| self.member(shape)).collect()
    }

    fn member(&mut self, shape: &MemberShape) -> Member {
        match shape {
            MemberShape::Field(field) => Member::Field {
                name: self.name('f'),
                ty: self.types.choose(&mut field.ty.clone(), Want::Any, self.place),
                ordinal: self.ordinal(),
                extras: field.extras,
            },
            MemberShape::Group(scope) => Member::Group { name: self.name('g'), members: self.scope(scope) },
            MemberShape::Union { explicit, members } => Member::Union {
                name: Some(self.name('u')),
                ordinal: explicit.then(|| self.ordinal()),
                members: self.all(members),
            },
        }
    }
}

fn renumber(member: &mut Member, order: &[usize]) {
    match member {
        Member::Field { ordinal, .. } => *ordinal = order[*ordinal],
        Member::Group { members, .. } => members.iter_mut().for_each(|member| renumber(member, order)),
        Member::Union { ordinal, members, .. } => {
            if let Some(ordinal) = ordinal {
                *ordinal = order[*ordinal];
            }
            members.iter_mut().for_each(|member| renumber(member, order));
        }
    }
}

/// The ordinal of a union is below all of its members', or directly behind the lowest of them: the compiler wants it
/// before a second member, and fields beside the union in the order of their ordinals. Otherwise it changes places with
/// the lowest. Outer unions go first; what inner ones exchange then stays within them.
fn put_in_front(member: &mut Member) {
    if let Member::Union { ordinal: Some(own), members, .. } = member {
        let mut inner: Vec<&mut usize> = members.iter_mut().flat_map(ordinals).collect();
        inner.sort();
        let lower = inner.iter().filter(|other| ***other < *own).count();
        if lower > 1 || lower == 1 && *inner[0] + 1 != *own {
            std::mem::swap(own, inner[0]);
        }
    }
    if let Member::Group { members, .. } | Member::Union { members, .. } = member {
        members.iter_mut().for_each(put_in_front);
    }
}

fn ordinals(member: &mut Member) -> Vec<&mut usize> {
    match member {
        Member::Field { ordinal, .. } => vec![ordinal],
        Member::Group { members, .. } => members.iter_mut().flat_map(ordinals).collect(),
        Member::Union { ordinal, members, .. } => {
            ordinal.iter_mut().chain(members.iter_mut().flat_map(ordinals)).collect()
        }
    }
}
