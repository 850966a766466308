//! Functions that give the writers of records within the message.

use super::Writers;
use crate::code::{code, definition, mention, quoted, short_function, stmt, var, Code, Stmt};
use aldis_plan::{Element, Node, Run, Slot, SlotKind};
use aldis_schema::TypeId;

/// The other ways to write a field than as a value: records within the message.
pub(super) enum Within<'p> {
    One(TypeId),
    /// Behind a byte that tells that it is there.
    Maybe(TypeId),
    List(TypeId, &'p Run),
}

impl Writers<'_, '_> {
    /// A function that gives the writer of a record, or of a list of them, which are the part `step`.
    pub(super) fn sequential(
        &self,
        id: TypeId,
        step: usize,
        index: usize,
        within: &Within<'_>,
        later: &mut Vec<Stmt>,
    ) -> Stmt {
        let (place, name) = (self.private(id, "place_"), quoted(&self.gen.field(id, index).name));
        let (ty, call) = match within {
            Within::One(record) => {
                let writer = self.writer(*record);
                (writer.clone(), code!("put_writer<{writer}>({place}, {step}, {name})"))
            }
            Within::Maybe(record) => {
                let writer = self.writer(*record);
                (writer.clone(), code!("put_optional<{writer}>({place}, {step}, {name})"))
            }
            Within::List(record, head) => {
                let writer = self.writer(*record);
                let call = code!("put_list<{writer}>({place}, {step}, count, {name}, {}, head)", head_of(head));
                (code!("aldis::list_draft<{writer}>"), call)
            }
        };
        self.outlined(id, index, &ty, call, within, later)
    }

    /// The same where links lead to them from a field.
    pub(super) fn linked(
        &self,
        id: TypeId,
        index: usize,
        within: &Within<'_>,
        field: &Code,
        later: &mut Vec<Stmt>,
    ) -> Stmt {
        let name = quoted(&self.gen.field(id, index).name);
        let (ty, call) = match within {
            Within::One(record) => {
                let writer = self.writer(*record);
                (writer.clone(), code!("link_writer<{writer}, byte_order>({field})"))
            }
            Within::Maybe(record) => {
                let writer = self.writer(*record);
                (writer.clone(), code!("link_optional<{writer}, byte_order>({field})"))
            }
            Within::List(record, head) => {
                let writer = self.writer(*record);
                let call = code!("link_list<{writer}, byte_order>({field}, count, {name}, {}, head)", head_of(head));
                (code!("aldis::linked_draft<{writer}, byte_order>"), call)
            }
        };
        self.outlined(id, index, &ty, call, within, later)
    }

    /// Declares a function that is defined behind all classes, by a call of the draft. Of a list it has what writes its head.
    fn outlined(
        &self,
        id: TypeId,
        index: usize,
        ty: &Code,
        call: Code,
        within: &Within<'_>,
        later: &mut Vec<Stmt>,
    ) -> Stmt {
        let (class, member) = (self.gen.names.of(id), self.gen.names.member(id, index));
        let draft = self.private(id, "draft_");
        let (parameters, body) = match within {
            Within::List(_, head) => {
                let stores = self.encoder.head(head, &var("at"), &var("count"));
                let take = if mention(&stores, &var("count")) { var("count") } else { Code::nothing() };
                let start = code!("const auto head = [{take}](std::byte* at)");
                let head = match stores.as_slice() {
                    [Stmt::Line(only)] => stmt!("{start} {{ {only} }};"),
                    _ => definition(start, stores),
                };
                ("std::size_t count", vec![head, stmt!("return {draft}->{call};")])
            }
            _ => ("", vec![stmt!("return {draft}->{call};")]),
        };
        later.push(short_function(code!("inline {ty} {class}::{member}({parameters})"), body));
        later.push(Stmt::Blank);
        stmt!("[[nodiscard]] {ty} {member}({parameters});")
    }
}

/// `{.size = 3, .most = 254}`: a head's bytes, and the counts that it may say where those are not all of 32 bits.
fn head_of(head: &Run) -> Code {
    let (least, most) = bounds(head);
    let least = (least > 0).then(|| code!(", .least = {least}"));
    let most = (most < u64::from(u32::MAX)).then(|| code!(", .most = {most}"));
    code!("{{.size = {}{least}{most}}}", head.size)
}

/// The least and the largest count that a head may say.
pub(super) fn bounds(head: &Run) -> (u64, u64) {
    let most = u64::from(u32::MAX);
    head.count_bounds().map_or((0, most), |(least, found)| (least, found.min(most)))
}

pub(super) fn within_part(node: &Node) -> Option<Within<'_>> {
    match node {
        Node::Call { record } => Some(Within::One(*record)),
        Node::Maybe { value } => match &**value {
            Node::Call { record } => Some(Within::Maybe(*record)),
            _ => None,
        },
        Node::Repeat(repeat) => match &repeat.element {
            Element::One(Node::Call { record }) => Some(Within::List(*record, &repeat.head)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn within_slot(slot: &Slot) -> Option<Within<'_>> {
    match &slot.kind {
        SlotKind::Link(link) => match &*link.target {
            Node::Call { record } => Some(Within::One(*record)),
            Node::Repeat(repeat) => match &repeat.element {
                Element::One(Node::Cell { slot }) => called(slot).map(|record| Within::List(record, &repeat.head)),
                _ => None,
            },
            _ => None,
        },
        SlotKind::Presence(link) => match &*link.target {
            Node::Rebase { value } => match &**value {
                Node::Cell { slot } => called(slot).map(Within::Maybe),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The record that a link leads to.
fn called(slot: &Slot) -> Option<TypeId> {
    match &slot.kind {
        SlotKind::Link(link) => match &*link.target {
            Node::Call { record } => Some(*record),
            _ => None,
        },
        _ => None,
    }
}
