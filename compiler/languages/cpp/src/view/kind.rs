//! Slots and nodes as kinds of `aldis::in_place`: types that say how a value is read where it lies.

use super::Viewer;
use crate::code::{code, hex, listed, Code, ToCode};
use crate::decode::unsigned;
use crate::names::Site;
use aldis_plan::{
    Content, Element, Extent, Link, Node, NullLink, NullValue, Register, Repeat, Repr, Run, Scalar, Slot, SlotKind,
    Step,
};
use aldis_schema::TypeId;

/// How a value is read, and what it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Kind {
    /// `in_place::text<std::uint32_t>`
    pub name: Code,
    /// The C++ type of the value, where it can be spelled shortly.
    pub value: Option<Code>,
    /// The elements of a range, for people.
    pub elements: Code,
    /// It may be null.
    pub optional: bool,
    /// The view whose definition must be known to those who read it.
    pub record: Option<TypeId>,
    /// The class gives it a name of its own.
    pub has_name: bool,
}

impl Kind {
    fn new(name: impl ToCode, value: impl ToCode) -> Self {
        Self { name: name.to_code(), value: Some(value.to_code()), ..Self::default() }
    }

    fn nullable(name: Code, ty: &Code) -> Self {
        Self { optional: true, ..Self::new(name, code!("std::optional<{ty}>")) }
    }

    fn range(name: Code, of: Code) -> Self {
        Self { name, elements: of, ..Self::default() }
    }

    /// The name of the value in comments.
    fn title(&self) -> Code {
        self.value.clone().unwrap_or_else(|| code!("range"))
    }

    /// The same value, read otherwise.
    fn by(self, kind: &str) -> Self {
        Self { name: code!("in_place::{kind}<{}>", self.name), ..self }
    }

    fn optional(self, kind: &str) -> Self {
        let value = self.value.as_ref().map(|value| code!("std::optional<{value}>"));
        Self { value, optional: true, ..self.by(kind) }
    }
}

impl Viewer<'_, '_> {
    /// The kind of a slot in a record called `within`, whose members may hide names.
    pub(super) fn slot_kind(&self, slot: &Slot, within: TypeId) -> Kind {
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.scalar_kind(scalar, within),
            SlotKind::Chars { .. } => Kind::new(code!("in_place::chars<{}>", slot.width), "std::string_view"),
            SlotKind::Array { count, element } => {
                let inner = self.slot_kind(element, within);
                Kind::range(code!("in_place::array<{count}, {}, {}>", element.width, inner.name), inner.title())
            }
            SlotKind::Nest { record, .. } => {
                let view = self.view(*record);
                Kind {
                    record: Some(*record),
                    ..Kind::new(code!("in_place::nest<{view}, {}>", slot.width), view.clone())
                }
            }
            SlotKind::Link(link) => self.link_kind(link, within),
            SlotKind::Presence(link) => self.node_kind(&link.target, within).optional("presence"),
            SlotKind::Constant { .. }
            | SlotKind::Register(_)
            | SlotKind::Ignored { .. }
            | SlotKind::Pointer { .. }
            | SlotKind::Choice { .. } => Kind::new("void", "void"),
        }
    }

    fn link_kind(&self, link: &Link, within: TypeId) -> Kind {
        let target = self.node_kind(&link.target, within);
        target.by(match link.null {
            NullLink::Refused => "link",
            NullLink::Empty => "link_or_empty",
        })
    }

    fn scalar_kind(&self, scalar: &Scalar, within: TypeId) -> Kind {
        let ty = self.gen.cpp_type(&scalar.ty, Site::Record(within));
        match (scalar.repr, scalar.null) {
            (Repr::Decimal, _) => Kind::new("in_place::decimal", ty),
            (Repr::Uuid, _) => Kind::new("in_place::uuid", ty),
            (_, Some(NullValue::Bits(bits))) => {
                let suffix = if bits > 0xFFFF_FFFF { "LL" } else { "" };
                Kind::nullable(code!("in_place::nullable<{ty}, {}U{suffix}>", hex(bits)), &ty)
            }
            (_, Some(NullValue::Nan(_))) => Kind::nullable(code!("in_place::nullable_float<{ty}>"), &ty),
            (_, None) => Kind::new(code!("in_place::number<{ty}>"), ty),
        }
    }

    /// The kind of a node.
    pub(super) fn node_kind(&self, node: &Node, within: TypeId) -> Kind {
        match node {
            Node::Cell { slot } => self.slot_kind(slot, within),
            Node::Call { record } => {
                let view = self.view(*record);
                let kind = if self.is_block(*record) { "block" } else { "record" };
                Kind { record: Some(*record), ..Kind::new(view.clone(), view).by(kind) }
            }
            Node::Blob(blob) => {
                let (kind, value) = match blob.content {
                    Content::Text(_) => ("text", "std::string_view"),
                    Content::Bytes => ("bytes", "std::span<const std::byte>"),
                };
                Kind::new(code!("in_place::{kind}<{}>", head_kind(&blob.head)), value)
            }
            Node::Repeat(repeat) => {
                let element = self.element_kind(repeat, within);
                Kind::range(code!("in_place::list<{}, {}>", head_kind(&repeat.head), element.name), element.title())
            }
            Node::Series { count, element } => {
                let inner = self.node_kind(element, within);
                Kind::range(code!("in_place::series<{count}, {}>", inner.name), inner.title())
            }
            Node::Maybe { value } => self.node_kind(value, within).optional("maybe"),
            Node::Rebase { value } => self.node_kind(value, within).by("rebased"),
            // Refused before: see `caps`.
            Node::Opaque { .. } => Kind::new("void", "void"),
        }
    }

    fn element_kind(&self, repeat: &Repeat, within: TypeId) -> Kind {
        match &repeat.element {
            Element::One(node) => self.node_kind(node, within),
            Element::Pair { key, value } => {
                let (key, value) = (self.node_kind(key, within), self.node_kind(value, within));
                let title = code!("std::pair<{}, {}>", key.title(), value.title());
                Kind::new(code!("in_place::pair<{}, {}>", key.name, value.name), title)
            }
        }
    }

    /// Whether a record is a block whose size its head says, and nothing else.
    fn is_block(&self, id: TypeId) -> bool {
        matches!(self.wire.plan.layout(id).steps.as_slice(), [Step::Run(run)] if run.extent == Extent::Acting)
    }
}

/// The type of a count, or where each number of a head lies.
fn head_kind(head: &Run) -> Code {
    if let Some(width) = head.plain_count() {
        return unsigned(width);
    }
    let number = |wanted: &dyn Fn(&Register) -> bool| {
        let (slot, register) = head.register(wanted)?;
        Some(match register.constant {
            Some(value) => code!("in_place::constant<{value}>"),
            None => code!("in_place::stored<{}, {}>", unsigned(slot.width), slot.at),
        })
    };
    let count = number(&Register::is_count);
    let extent = number(&Register::is_extent);
    let numbers: Vec<Code> = count.into_iter().chain(extent).collect();
    code!("in_place::head<{}, {}>", head.size, listed(&numbers))
}
