//! The types that every file knows.

use crate::model::{AnyPointer, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
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
    List,
    AnyPointer,
    AnyStruct,
    AnyList,
    Capability,
}

/// The types that every file knows; a declaration of the same name hides one.
pub(super) const BUILTINS: [(&str, Builtin); 19] = [
    ("Void", Builtin::Void),
    ("Bool", Builtin::Bool),
    ("Int8", Builtin::Int8),
    ("Int16", Builtin::Int16),
    ("Int32", Builtin::Int32),
    ("Int64", Builtin::Int64),
    ("UInt8", Builtin::Uint8),
    ("UInt16", Builtin::Uint16),
    ("UInt32", Builtin::Uint32),
    ("UInt64", Builtin::Uint64),
    ("Float32", Builtin::Float32),
    ("Float64", Builtin::Float64),
    ("Text", Builtin::Text),
    ("Data", Builtin::Data),
    ("List", Builtin::List),
    ("AnyPointer", Builtin::AnyPointer),
    ("AnyStruct", Builtin::AnyStruct),
    ("AnyList", Builtin::AnyList),
    ("Capability", Builtin::Capability),
];

impl Builtin {
    pub(super) fn is_pointer(self) -> bool {
        use Builtin::*;
        matches!(self, Text | Data | List | AnyPointer | AnyStruct | AnyList | Capability)
    }

    /// `None` for `List`, which is no type without its element.
    pub(super) fn as_type(self) -> Option<Type> {
        Some(match self {
            Builtin::Void => Type::Void,
            Builtin::Bool => Type::Bool,
            Builtin::Int8 => Type::Int8,
            Builtin::Int16 => Type::Int16,
            Builtin::Int32 => Type::Int32,
            Builtin::Int64 => Type::Int64,
            Builtin::Uint8 => Type::Uint8,
            Builtin::Uint16 => Type::Uint16,
            Builtin::Uint32 => Type::Uint32,
            Builtin::Uint64 => Type::Uint64,
            Builtin::Float32 => Type::Float32,
            Builtin::Float64 => Type::Float64,
            Builtin::Text => Type::Text,
            Builtin::Data => Type::Data,
            Builtin::List => return None,
            Builtin::AnyPointer => Type::AnyPointer(AnyPointer::AnyKind),
            Builtin::AnyStruct => Type::AnyPointer(AnyPointer::Struct),
            Builtin::AnyList => Type::AnyPointer(AnyPointer::List),
            Builtin::Capability => Type::AnyPointer(AnyPointer::Capability),
        })
    }
}
