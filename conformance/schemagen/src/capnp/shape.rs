//! The shapes that proptest makes up and shrinks; names, types and values come later.

use super::choices::Choices;
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub struct FileShape {
    pub id: u64,
    pub enums: Vec<EnumShape>,
    pub structs: Vec<StructShape>,
    pub interfaces: Vec<InterfaceShape>,
    pub annotations: Vec<Choices>,
    pub aliases: Vec<Choices>,
    pub constants: Vec<Choices>,
}

#[derive(Clone, Debug)]
pub struct EnumShape {
    pub enumerants: usize,
    pub order: Choices,
}

#[derive(Clone, Debug)]
pub struct StructShape {
    pub parameters: usize,
    pub scope: ScopeShape,
    /// The order of the ordinals.
    pub order: Choices,
    pub structs: Vec<StructShape>,
    pub enums: Vec<EnumShape>,
    pub remark: Choices,
}

/// The members of a struct or group.
#[derive(Clone, Debug)]
pub struct ScopeShape {
    pub members: Vec<MemberShape>,
    /// The members of its unnamed union.
    pub unnamed: Option<Vec<MemberShape>>,
}

#[derive(Clone, Debug)]
pub enum MemberShape {
    Field(FieldShape),
    Group(ScopeShape),
    Union { explicit: bool, members: Vec<MemberShape> },
}

#[derive(Clone, Copy, Debug)]
pub struct FieldShape {
    pub ty: Choices,
    /// The seed of its default, annotations and comment; none of these for 0.
    pub extras: Choices,
}

#[derive(Clone, Debug)]
pub struct InterfaceShape {
    pub parameters: usize,
    pub methods: Vec<MethodShape>,
    pub order: Choices,
    pub extends: Choices,
}

#[derive(Clone, Debug)]
pub struct MethodShape {
    pub implicit: usize,
    pub params: Vec<FieldShape>,
    pub results: Vec<FieldShape>,
    /// Whether parameters and results are lists, structs, nothing or `stream`.
    pub manner: Choices,
}

fn choices() -> impl Strategy<Value = Choices> {
    any::<u128>().prop_map(Choices)
}

/// Nothing half of the time.
fn extras() -> impl Strategy<Value = Choices> {
    prop_oneof![Just(Choices(0)), choices()]
}

fn field() -> impl Strategy<Value = FieldShape> {
    (choices(), extras()).prop_map(|(ty, extras)| FieldShape { ty, extras })
}

fn member() -> impl Strategy<Value = MemberShape> {
    field().prop_map(MemberShape::Field).prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            2 => field().prop_map(MemberShape::Field),
            2 => scope(inner.clone(), 1).prop_map(MemberShape::Group),
            3 => (prop::bool::weighted(0.3), vec(inner, 2..6))
                .prop_map(|(explicit, members)| MemberShape::Union { explicit, members }),
        ]
    })
}

fn scope(member: impl Strategy<Value = MemberShape> + Clone, least: usize) -> impl Strategy<Value = ScopeShape> {
    let unnamed = prop::option::weighted(0.3, vec(member.clone(), 2..5));
    (vec(member, least..7), unnamed).prop_map(|(members, unnamed)| ScopeShape { members, unnamed })
}

fn enumeration() -> impl Strategy<Value = EnumShape> {
    (0..6usize, extras()).prop_map(|(enumerants, order)| EnumShape { enumerants, order })
}

fn parameters() -> impl Strategy<Value = usize> {
    prop_oneof![4 => Just(0usize), 1 => 1..3usize]
}

fn structure() -> impl Strategy<Value = StructShape> {
    let own = || (parameters(), scope(member().boxed(), 0), extras(), vec(enumeration(), 0..2), extras());
    let make = |(parameters, scope, order, enums, remark), structs| StructShape {
        parameters,
        scope,
        order,
        structs,
        enums,
        remark,
    };
    let leaf = own().prop_map(move |own| make(own, Vec::new()));
    leaf.prop_recursive(2, 6, 3, move |inner| {
        (own(), vec(inner, 0..3)).prop_map(move |(own, structs)| make(own, structs))
    })
}

fn interface() -> impl Strategy<Value = InterfaceShape> {
    let fields = || vec(field(), 0..5);
    let method = (0..3usize, fields(), fields(), choices())
        .prop_map(|(implicit, params, results, manner)| MethodShape { implicit, params, results, manner });
    (parameters(), vec(method, 0..4), extras(), choices())
        .prop_map(|(parameters, methods, order, extends)| InterfaceShape { parameters, methods, order, extends })
}

pub fn file() -> impl Strategy<Value = FileShape> {
    let several = |most: usize| vec(choices(), 0..most);
    let types = (vec(enumeration(), 0..3), vec(structure(), 1..5), vec(interface(), 0..3));
    (any::<u64>(), types, several(3), several(3), several(5)).prop_map(
        |(id, (enums, structs, interfaces), annotations, aliases, constants)| FileShape {
            id: id | 1 << 63,
            enums,
            structs,
            interfaces,
            annotations,
            aliases,
            constants,
        },
    )
}
