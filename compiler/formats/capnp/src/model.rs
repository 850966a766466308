//! A checked Cap'n Proto schema: every name resolved, every id and slot given.
//!
//! It says what `schema.capnp` says in a `CodeGeneratorRequest`, and both ways in make it: the text front end and the
//! reader of requests. For one schema both make equal models, but for spans (a request has none) and for documentation
//! (a request has it from capnp 0.8 on).

use aldis_diagnostics::Span;
use std::collections::BTreeMap;

/// A node's 64-bit id, top bit set.
pub type NodeId = u64;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// All nodes that the requested files need, imported ones included.
    pub nodes: BTreeMap<NodeId, Node>,
    /// The files that were asked for, in that order.
    pub requested: Vec<NodeId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub id: NodeId,
    /// The file's name as given, then `:`, then the path of names in it: `edge.capnp:Outer.Inner`; a file's is its name alone.
    pub display_name: String,
    /// Length in bytes of what stands before the node's own name in `display_name`.
    pub prefix_len: usize,
    /// The node it is declared in; 0 for files and for the structs of method parameters and results.
    pub scope: NodeId,
    /// Types, constants and annotations declared in it, in source order; groups are not among them.
    pub nested: Vec<Nested>,
    /// Names of its own generic parameters.
    pub parameters: Vec<String>,
    /// It or a scope around it has generic parameters.
    pub generic: bool,
    pub annotations: Vec<Annotation>,
    pub doc: String,
    /// The name where it is declared.
    pub span: Option<Span>,
    pub kind: NodeKind,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Nested {
    pub name: String,
    pub id: NodeId,
}

#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    File,
    Struct(Struct),
    Enum(Vec<Enumerant>),
    Interface(Interface),
    Const { ty: Type, value: Value },
    Annotation { ty: Type, targets: Targets },
}

/// A struct or a group; a named union is a group whose members are all in its union.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    /// Size of the data section in words of 8 bytes; a group's is its struct's.
    pub data_words: u16,
    /// Size of the pointer section; a group's is its struct's.
    pub pointers: u16,
    pub is_group: bool,
    /// The union among the fields, if there is one.
    pub union: Option<Union>,
    /// In order of the first ordinal in each; `code_order` gives the order of the source.
    pub fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Union {
    /// How many fields are in it.
    pub members: u16,
    /// Place of the discriminant in the data section, in units of 16 bits.
    pub discriminant: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    /// Position in the source among its struct's (or group's) members.
    pub code_order: u16,
    /// The union's discriminant when this member is the active one; `None` outside of a union.
    pub discriminant: Option<u16>,
    /// The number written after `@`; `None` for groups and unions without one.
    pub ordinal: Option<u16>,
    pub annotations: Vec<Annotation>,
    pub doc: String,
    pub span: Option<Span>,
    pub kind: FieldKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    Slot {
        /// In units of the type's own size from the start of the data section (bits for Bool), or an index into the
        /// pointer section; 0 for Void.
        offset: u32,
        ty: Type,
        /// The type's zero value ([`Value::zero`]) where the schema gives none.
        default: Value,
        explicit_default: bool,
    },
    Group(NodeId),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Enumerant {
    /// Its value is its ordinal, which is its index in the node.
    pub name: String,
    pub code_order: u16,
    pub annotations: Vec<Annotation>,
    pub doc: String,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// By ordinal.
    pub methods: Vec<Method>,
    pub superclasses: Vec<(NodeId, Brand)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    pub name: String,
    pub code_order: u16,
    /// Names of its own generic parameters.
    pub implicit_parameters: Vec<String>,
    pub params: (NodeId, Brand),
    pub results: (NodeId, Brand),
    pub annotations: Vec<Annotation>,
    pub doc: String,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    pub id: NodeId,
    pub brand: Brand,
    pub value: Value,
}

/// The targets that an annotation may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    pub file: bool,
    pub constant: bool,
    pub enumeration: bool,
    pub enumerant: bool,
    pub structure: bool,
    pub field: bool,
    pub union: bool,
    pub group: bool,
    pub interface: bool,
    pub method: bool,
    pub param: bool,
    pub annotation: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Void,
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float32,
    Float64,
    Text,
    Data,
    List(Box<Type>),
    Enum(NodeId, Brand),
    Struct(NodeId, Brand),
    Interface(NodeId, Brand),
    AnyPointer(AnyPointer),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyPointer {
    AnyKind,
    Struct,
    List,
    Capability,
    /// A generic parameter of the node `scope`.
    Parameter {
        scope: NodeId,
        index: u16,
    },
    /// A generic parameter of the method that uses it.
    ImplicitMethodParameter {
        index: u16,
    },
}

/// The bindings of the generic parameters of a type's scopes. Empty where nothing is bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brand {
    /// In the order of `schema.capnp` as the reference's compiler writes it: innermost scope first.
    pub scopes: Vec<BrandScope>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BrandScope {
    pub scope: NodeId,
    pub binding: Bindings,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Bindings {
    /// As in the scope where the type is used.
    Inherit,
    /// One for each parameter; `None` is unbound (`AnyPointer`).
    Bind(Vec<Option<Type>>),
}

/// A value that the schema spells out.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Void,
    Bool(bool),
    /// Any integer type.
    Int(i128),
    /// IEEE 754 bits, so that NaNs compare.
    Float32(u32),
    Float64(u64),
    /// The number of the enumerant.
    Enum(u16),
    /// A null pointer of any type.
    Null,
    Text(String),
    Data(Vec<u8>),
    List(Vec<Value>),
    Struct(StructValue),
    /// A struct, list, text or data where the type is AnyPointer: its type, then the value. Not made where a request's
    /// bytes do not tell the type: then it is `Opaque`.
    Any(Box<Type>, Box<Value>),
    /// The flat message (one segment, no table) whose root is the value.
    Opaque(Vec<u8>),
}

/// A struct's or group's value in normal form: entries in the order of [`Struct::fields`], and only those that differ from what an
/// all-zero struct holds: data fields equal to their default, null pointers, and groups without entries are left out.
/// The active member of a union is left out only if it is the one with discriminant 0 and equal to its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructValue {
    /// Index into [`Struct::fields`], value; a group's value is a `Value::Struct`.
    pub fields: Vec<(usize, Value)>,
}

impl Value {
    /// The value of a slot of the type whose bits are all zero.
    pub fn zero(ty: &Type) -> Self {
        match ty {
            Type::Void => Value::Void,
            Type::Bool => Value::Bool(false),
            Type::Int8
            | Type::Int16
            | Type::Int32
            | Type::Int64
            | Type::Uint8
            | Type::Uint16
            | Type::Uint32
            | Type::Uint64 => Value::Int(0),
            Type::Float32 => Value::Float32(0),
            Type::Float64 => Value::Float64(0),
            Type::Enum(..) => Value::Enum(0),
            Type::Text | Type::Data | Type::List(_) | Type::Struct(..) | Type::Interface(..) | Type::AnyPointer(_) => {
                Value::Null
            }
        }
    }
}
