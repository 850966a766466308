//! The types that FBE brings along.

use aldis_schema::{Encoding, IntType, Type};

/// The built-in type of that name. `byte`, `char` and `wchar` are integers.
pub(super) fn builtin(name: &str) -> Option<Type> {
    if let Some(int) = integer(name) {
        return Some(Type::Int(int));
    }
    Some(match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "float" => Type::Float32,
        "double" => Type::Float64,
        "decimal" => Type::Decimal,
        "string" => Type::Text(Encoding::Utf8),
        "timestamp" => Type::Timestamp,
        "uuid" => Type::Uuid,
        _ => return None,
    })
}

/// The integer type of that name, characters included.
pub(super) fn integer(name: &str) -> Option<IntType> {
    Some(match name {
        "byte" | "char" | "uint8" => IntType::unsigned(8),
        "wchar" | "uint32" => IntType::unsigned(32),
        "uint16" => IntType::unsigned(16),
        "uint64" => IntType::unsigned(64),
        "int8" => IntType::signed(8),
        "int16" => IntType::signed(16),
        "int32" => IntType::signed(32),
        "int64" => IntType::signed(64),
        _ => return None,
    })
}

pub(super) fn is_character(name: &str) -> bool {
    matches!(name, "char" | "wchar")
}

/// Whether fbec's lexer takes the word for itself, so that it cannot be a name there.
pub(super) fn is_reserved_by_fbec(word: &str) -> bool {
    const WORDS: [&str; 15] = [
        "enum", "flags", "struct", "message", "base", "true", "false", "null", "epoch", "utc", "uuid0", "uuid1",
        "uuid4", "min", "max",
    ];
    builtin(word).is_some() || WORDS.contains(&word)
}
