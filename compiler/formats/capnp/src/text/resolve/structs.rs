//! Structs: members to fields with their places, groups to nodes of their own.

use super::annotations::Place;
use super::catalog::EntryId;
use super::targets::Target;
use super::values::DefaultState;
use super::{Context, Resolver};
use crate::codes;
use crate::ids;
use crate::model::{AnyPointer, Field, FieldKind, Node, NodeId, NodeKind, Struct, Type, Union, Value};
use crate::slots::{Layout, Scope};
use crate::text::ast::{Member, MemberKind};
use aldis_diagnostics::{Diagnostic, Span};

/// The struct that is being made: a declared one, or that of a method's parameters or results.
pub(super) struct Head<'a> {
    pub(super) id: NodeId,
    pub(super) display_name: &'a str,
    pub(super) generic: bool,
    pub(super) is_params: bool,
    pub(super) context: Context,
    /// The name to point at.
    pub(super) span: Span,
}

/// All members of a struct, at whatever depth.
#[derive(Default)]
struct Members<'a> {
    layout: Layout,
    /// The struct itself first, then its groups, outer ones before inner ones.
    bodies: Vec<Body>,
    items: Vec<Item<'a>>,
}

/// The struct, or a group or named union in it.
#[derive(Default)]
struct Body {
    /// The member that it is; none for the struct itself.
    item: Option<usize>,
    /// Its union in the layout.
    union: Option<usize>,
    union_members: u16,
    members: u16,
    /// Items that are its fields, in the order in which they got there.
    fields: Vec<usize>,
}

struct Item<'a> {
    member: &'a Member,
    /// The body that it is a field of.
    body: usize,
    /// The body that it has, if it is a group or union.
    own: Option<usize>,
    code_order: u16,
    in_union: bool,
    scope: Scope,
    /// Its index in the body's fields, once it is there.
    field: Option<usize>,
    discriminant: Option<u16>,
    kind: FieldKind,
}

impl<'a> Members<'a> {
    fn of(members: &'a [Member]) -> Self {
        let mut all = Self { bodies: vec![Body::default()], ..Self::default() };
        all.collect(members, 0, Scope::Top, None);
        all
    }

    /// `union` is the layout's union that the members are in. The depth of this recursion is the parser's.
    fn collect(&mut self, members: &'a [Member], body: usize, scope: Scope, union: Option<usize>) {
        for member in members {
            // A member of a union has space of its own, be it a group or a single field.
            let scope = union.map_or(scope, |union| self.layout.add_arm(union));
            match (&member.kind, &member.name) {
                (MemberKind::Field { .. }, _) => {
                    self.add(member, body, scope, union.is_some());
                }
                (MemberKind::Group(inner), _) => {
                    let own = self.add_body(member, body, scope, union.is_some());
                    self.collect(inner, own, scope, None);
                }
                (MemberKind::Union(inner), name) => {
                    let own = match name {
                        Some(_) => self.add_body(member, body, scope, union.is_some()),
                        None => body,
                    };
                    let inner_union = self.layout.add_union(scope);
                    self.bodies[own].union = Some(inner_union);
                    self.collect(inner, own, scope, Some(inner_union));
                }
            }
        }
    }

    fn add(&mut self, member: &'a Member, body: usize, scope: Scope, in_union: bool) -> usize {
        let code_order = self.bodies[body].members;
        self.bodies[body].members = code_order.saturating_add(1);
        let kind = FieldKind::Group(0);
        let (own, field, discriminant) = (None, None, None);
        self.items.push(Item { member, body, own, code_order, in_union, scope, field, discriminant, kind });
        self.items.len() - 1
    }

    fn add_body(&mut self, member: &'a Member, body: usize, scope: Scope, in_union: bool) -> usize {
        let item = self.add(member, body, scope, in_union);
        let own = self.bodies.len();
        self.bodies.push(Body { item: Some(item), ..Body::default() });
        self.items[item].own = Some(own);
        own
    }

    /// Makes the item a field of its body, and the bodies around it fields of theirs before that.
    fn touch(&mut self, item: usize) {
        if self.items[item].field.is_some() {
            return;
        }
        let body = self.items[item].body;
        if let Some(around) = self.bodies[body].item {
            self.touch(around);
        }
        self.items[item].field = Some(self.bodies[body].fields.len());
        self.bodies[body].fields.push(item);
        if self.items[item].in_union {
            self.items[item].discriminant = Some(self.bodies[body].union_members);
            self.bodies[body].union_members = self.bodies[body].union_members.saturating_add(1);
        }
    }

    /// Items with an ordinal, in its order.
    fn by_ordinal(&self) -> Vec<usize> {
        let numbered = (0..self.items.len()).filter_map(|item| Some((self.items[item].member.ordinal?.value, item)));
        let mut order: Vec<(u64, usize)> = numbered.collect();
        order.sort_unstable();
        order.into_iter().map(|(_, item)| item).collect()
    }
}

impl<'a> Resolver<'a> {
    /// The struct of a declaration.
    pub(super) fn structure(&mut self, entry: EntryId, members: &'a [Member]) -> NodeKind {
        let source = &self.catalog.entries[entry];
        let display_name = source.display_name.clone();
        let head = Head {
            id: source.id,
            display_name: &display_name,
            generic: source.generic,
            is_params: false,
            context: Context::of(entry),
            span: source.span().unwrap_or_default(),
        };
        NodeKind::Struct(self.members(members, &head))
    }

    /// The struct's layout; its groups become nodes.
    pub(super) fn members(&mut self, members: &'a [Member], head: &Head<'_>) -> Struct {
        let mut all = Members::of(members);
        let order = all.by_ordinal();
        let named = order.iter().filter_map(|&item| {
            let member = all.items[item].member;
            Some((member.ordinal?, member.name.as_ref()?))
        });
        self.check_ordinals(named);
        for item in order {
            all.touch(item);
            let member = all.items[item].member;
            match &member.kind {
                MemberKind::Field { ty, default } => {
                    let ty = self.needed_type(ty, head.context);
                    let scope = all.items[item].scope;
                    let offset = place(&mut all.layout, scope, &ty);
                    let zero = Value::zero(&ty);
                    let explicit_default = default.is_some();
                    all.items[item].kind = FieldKind::Slot { offset, ty, default: zero, explicit_default };
                }
                MemberKind::Union(_) | MemberKind::Group(_) => {
                    let union = all.items[item].own.and_then(|own| all.bodies[own].union);
                    if union.is_some_and(|union| !all.layout.add_discriminant(union)) {
                        self.report_late_union(member);
                    }
                }
            }
        }
        for union in all.bodies.iter().filter_map(|body| body.union) {
            all.layout.add_discriminant(union);
        }
        self.check_size(&all.layout, head);
        self.finish(all, head)
    }

    fn report_late_union(&mut self, member: &Member) {
        let Some(ordinal) = member.ordinal else { return };
        let message = "two members of this union have lower ordinals than it";
        let problem = Diagnostic::error(codes::LATE_UNION_ORDINAL, message, ordinal.span, "");
        self.report(problem.help("only one field can have been there before it became a union"));
    }

    fn check_size(&mut self, layout: &Layout, head: &Head<'_>) {
        const MOST: u32 = u16::MAX as u32;
        if layout.data_words > MOST || layout.pointers > MOST {
            let message = "this struct takes more than 65535 words";
            let problem = Diagnostic::error(codes::STRUCT_TOO_LARGE, message, head.span, "");
            self.report(problem.help("put some of the fields into a struct of their own"));
        }
    }

    /// Bodies to nodes. An outer body has its id before the inner ones, which need it.
    fn finish(&mut self, all: Members<'a>, head: &Head<'_>) -> Struct {
        let mut ids = vec![head.id];
        let mut names = vec![head.display_name.to_owned()];
        for body in &all.bodies[1..] {
            let Some(item) = body.item.map(|item| &all.items[item]) else { continue };
            let index = item.field.unwrap_or(0) as u16;
            ids.push(ids::group(ids[item.body], index));
            let name = item.member.name.as_ref().map_or("", |name| name.text.as_str());
            names.push(format!("{}.{name}", names[item.body]));
        }
        let mut structs: Vec<Struct> = Vec::new();
        for (index, body) in all.bodies.iter().enumerate() {
            let fields = body.fields.iter().enumerate();
            let fields = fields.map(|(at, &item)| self.field((ids[index], at), &all.items[item], &ids, head)).collect();
            structs.push(self.sized(&all, body, fields));
        }
        let mut bodies = structs.into_iter().zip(&all.bodies).enumerate();
        let own = bodies.next().map_or_else(Struct::default, |(_, (own, _))| own);
        for (index, (group, body)) in bodies {
            let Some(item) = body.item.map(|item| &all.items[item]) else { continue };
            let node = group_node(ids[index], &names[index], ids[item.body], item.member, group, head.generic);
            self.parts.entry(head.id).or_default().push(node.id);
            self.nodes.insert(node.id, node);
        }
        own
    }

    fn sized(&self, all: &Members<'a>, body: &Body, fields: Vec<Field>) -> Struct {
        let discriminant = body.union.and_then(|union| all.layout.discriminant(union));
        Struct {
            data_words: all.layout.data_words as u16,
            pointers: all.layout.pointers as u16,
            is_group: body.item.is_some(),
            union: discriminant.map(|discriminant| Union { members: body.union_members, discriminant }),
            fields,
        }
    }

    fn field(&mut self, place: (NodeId, usize), item: &Item<'a>, ids: &[NodeId], head: &Head<'_>) -> Field {
        let member = item.member;
        let target = match &member.kind {
            MemberKind::Field { .. } if head.is_params => Target::Param,
            MemberKind::Field { .. } => Target::Field,
            MemberKind::Union(_) => Target::Union,
            MemberKind::Group(_) => Target::Group,
        };
        self.apply(Place::Field(place.0, place.1), target, &member.annotations, head.context);
        if let MemberKind::Field { default: Some(expression), .. } = &member.kind {
            let state = DefaultState::Unknown { expression, context: head.context, is_param: head.is_params };
            self.defaults.insert(place, state);
        }
        let kind = match item.own {
            Some(own) => FieldKind::Group(ids[own]),
            None => item.kind.clone(),
        };
        Field {
            name: member.name.as_ref().map_or_else(String::new, |name| name.text.clone()),
            code_order: item.code_order,
            discriminant: item.discriminant,
            ordinal: member.ordinal.map(|ordinal| ordinal.value as u16),
            annotations: Vec::new(),
            doc: member.doc.clone(),
            span: Some(member.span),
            kind,
        }
    }
}

/// The offset of a field of that type, in units of its size.
fn place(layout: &mut Layout, scope: Scope, ty: &Type) -> u32 {
    let size = match ty {
        Type::Void => {
            layout.add_void(scope);
            return 0;
        }
        Type::Bool => 0,
        Type::Int8 | Type::Uint8 => 3,
        Type::Int16 | Type::Uint16 | Type::Enum(..) => 4,
        Type::Int32 | Type::Uint32 | Type::Float32 => 5,
        Type::Int64 | Type::Uint64 | Type::Float64 => 6,
        Type::Text | Type::Data | Type::List(_) | Type::Struct(..) | Type::Interface(..) => {
            return layout.add_pointer(scope);
        }
        Type::AnyPointer(
            AnyPointer::AnyKind
            | AnyPointer::Struct
            | AnyPointer::List
            | AnyPointer::Capability
            | AnyPointer::Parameter { .. }
            | AnyPointer::ImplicitMethodParameter { .. },
        ) => return layout.add_pointer(scope),
    };
    layout.add_data(scope, size)
}

fn group_node(id: NodeId, name: &str, scope: NodeId, member: &Member, group: Struct, generic: bool) -> Node {
    let own = member.name.as_ref().map_or(0, |name| name.text.len());
    Node {
        id,
        display_name: name.to_owned(),
        prefix_len: name.len() - own,
        scope,
        nested: Vec::new(),
        parameters: Vec::new(),
        generic,
        annotations: Vec::new(),
        doc: member.doc.clone(),
        span: Some(member.span),
        kind: NodeKind::Struct(group),
    }
}
