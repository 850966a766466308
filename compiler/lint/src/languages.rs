//! Keywords of languages that programs around a schema are written in, whoever makes their codecs.

use crate::Keywords;

/// Languages without a back end that says its keywords.
pub const OTHERS: [Keywords<'static>; 2] = [of("csharp", &CSHARP), of("python", &PYTHON)];

const fn of(language: &'static str, words: &'static [&'static str]) -> Keywords<'static> {
    Keywords { language, words, of_types: words }
}

#[rustfmt::skip]
const CSHARP: [&str; 77] = [
    "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue",
    "decimal", "default", "delegate", "do", "double", "else", "enum", "event", "explicit", "extern", "false", "finally",
    "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock", "long",
    "namespace", "new", "null", "object", "operator", "out", "override", "params", "private", "protected", "public",
    "readonly", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static", "string", "struct", "switch",
    "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "virtual", "void",
    "volatile", "while",
];

#[rustfmt::skip]
const PYTHON: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with", "yield",
];
