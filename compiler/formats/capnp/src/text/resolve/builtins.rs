//! The types that every file knows.

use crate::model::{AnyPointer, Type};

/// A name that stands for a type by itself, or `List`, which is no type without its element.
#[derive(Debug)]
pub(in crate::text) enum Builtin {
    Type(Type),
    List,
}

/// The types that every file knows; a declaration of the same name hides one.
pub(in crate::text) static BUILTINS: [(&str, Builtin); 19] = [
    ("Void", Builtin::Type(Type::Void)),
    ("Bool", Builtin::Type(Type::Bool)),
    ("Int8", Builtin::Type(Type::Int8)),
    ("Int16", Builtin::Type(Type::Int16)),
    ("Int32", Builtin::Type(Type::Int32)),
    ("Int64", Builtin::Type(Type::Int64)),
    ("UInt8", Builtin::Type(Type::Uint8)),
    ("UInt16", Builtin::Type(Type::Uint16)),
    ("UInt32", Builtin::Type(Type::Uint32)),
    ("UInt64", Builtin::Type(Type::Uint64)),
    ("Float32", Builtin::Type(Type::Float32)),
    ("Float64", Builtin::Type(Type::Float64)),
    ("Text", Builtin::Type(Type::Text)),
    ("Data", Builtin::Type(Type::Data)),
    ("List", Builtin::List),
    ("AnyPointer", ANY_POINTER),
    ("AnyStruct", Builtin::Type(Type::AnyPointer(AnyPointer::Struct))),
    ("AnyList", Builtin::Type(Type::AnyPointer(AnyPointer::List))),
    ("Capability", Builtin::Type(Type::AnyPointer(AnyPointer::Capability))),
];

const ANY_POINTER: Builtin = Builtin::Type(Type::AnyPointer(AnyPointer::AnyKind));

/// `AnyPointer`, for which a generic parameter stands that nothing binds.
pub(super) static UNBOUND: Builtin = ANY_POINTER;

impl Builtin {
    pub(super) fn is_pointer(&self) -> bool {
        matches!(self, Builtin::List | Builtin::Type(Type::Text | Type::Data | Type::AnyPointer(_)))
    }
}
