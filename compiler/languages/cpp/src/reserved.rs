//! Names that a schema may use and C++ code may not: keywords, macros and globals of headers (`scripts/cpp-names.sh` lists them in
//! `data`), and names that generated code has itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Macros by name, and whether they take arguments. Those of this machine's headers first, then of others.
static MACROS: LazyLock<BTreeMap<&str, bool>> = LazyLock::new(|| {
    let lists = [include_str!("../data/elsewhere.txt"), include_str!("../data/macros.txt")];
    let lines = lists.iter().flat_map(|list| list.lines()).filter(|line| !line.starts_with('#'));
    let mut found = BTreeMap::new();
    for line in lines {
        let name = line.trim_end_matches("()");
        // A macro that has arguments with one compiler and none with another is replaced wherever it stands.
        *found.entry(name).or_insert(true) &= name != line;
    }
    found
});

/// Names of the global namespace, which no namespace beside them may have.
static GLOBALS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| include_str!("../data/globals.txt").lines().collect());

/// Keywords and alternative tokens.
pub(crate) const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// Names that generated code has at the level of its types.
const TYPES: &[&str] = &[
    "Bytes",
    "P",
    "Read",
    "T",
    "Visitor",
    "Whole",
    "aldis",
    "answers_of",
    "at_",
    "byte_order",
    "compare",
    "copy",
    "correlation_id",
    "decode",
    "depth_",
    "dispatch",
    "draft_",
    "drafts",
    "encode",
    "end_of",
    "field_places",
    "fill",
    "forms",
    "framing",
    "from_json",
    "has",
    "head_size",
    "header_of",
    "identify",
    "in_place",
    "is_flags",
    "json_form",
    "kind",
    "limit",
    "message",
    "message_id",
    "message_of",
    "messages",
    "missing_fields",
    "name_of",
    "node",
    "operator",
    "place_",
    "put_header",
    "read_json",
    "reader",
    "reader_type",
    "record",
    "requests",
    "same",
    "seal",
    "start_of",
    "starts_",
    "std",
    "steps",
    "to_json",
    "to_string",
    "verify",
    "view_of",
    "visit",
    "which_",
    "write",
    "write_json",
    "write_members",
    "writer_of",
];

/// The variables of generated functions, which would hide types of these names; deeper ones have a number behind.
const VARIABLES: &[&str] = &[
    "a",
    "again",
    "allocator_type",
    "arm",
    "as",
    "at",
    "b",
    "base",
    "body",
    "cell",
    "count",
    "data",
    "depth",
    "draft",
    "end",
    "entry",
    "extent",
    "fault",
    "flags",
    "found",
    "from",
    "given",
    "head",
    "held",
    "in",
    "index",
    "into",
    "item",
    "key",
    "made",
    "members",
    "memory",
    "missing",
    "most",
    "names",
    "next",
    "object",
    "of",
    "offset",
    "other",
    "out",
    "place",
    "places",
    "pointers",
    "prefix",
    "read",
    "room",
    "root",
    "seen",
    "set",
    "size",
    "text",
    "to",
    "told",
    "total",
    "type",
    "value",
    "values",
    "version",
    "visited",
    "visitor",
    "which",
    "whole",
];

/// The variables of generated functions and a record's own members.
const MEMBERS: &[&str] = &["allocator_type", "byte_order", "field_places", "in_place", "missing_fields"];

/// Whether no name at all may be this one. Two underscores, and one before a capital, are the compiler's.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Whether it may be none of something that brackets may follow, as functions and constructors are.
fn is_replaced(name: &str) -> bool {
    is_keyword(name) || MACROS.contains_key(name)
}

/// An enumerant: nothing calls it, so that macros with arguments leave it alone.
pub(crate) fn is_taken_enumerant(name: &str) -> bool {
    is_keyword(name) || MACROS.get(name) == Some(&false)
}

pub(crate) fn is_taken_type(name: &str) -> bool {
    is_replaced(name)
        || TYPES.contains(&name)
        || VARIABLES.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit()))
}

pub(crate) fn is_taken_member(name: &str) -> bool {
    is_replaced(name) || MEMBERS.contains(&name)
}

/// A namespace: the first one of a package stands in the global namespace.
pub(crate) fn is_taken_namespace(name: &str, is_first: bool) -> bool {
    is_replaced(name) || ["std", "aldis", "posix"].contains(&name) || (is_first && GLOBALS.contains(name))
}
