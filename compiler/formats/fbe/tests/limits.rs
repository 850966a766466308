//! Bad input of every kind: there is always an answer, soon, and never a panic.

mod support;

use aldis_diagnostics::{any_error, Files};
use aldis_fbe::lexer::lex;
use aldis_fbe::{codes, FBE};
use aldis_plan::{Compilation, Format, TypeId};
use std::io;
use support::{codes, compile, conformance, rendered, Memory};

/// Plans exactly when there is no error, and every diagnostic can be shown.
fn check(compilation: &Compilation) {
    assert_eq!(compilation.plans.is_empty(), any_error(&compilation.diagnostics));
    rendered(compilation);
}

/// xorshift64*: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

fn samples() -> Vec<String> {
    ["proto.fbe", "extra.fbe"]
        .iter()
        .map(|name| std::fs::read_to_string(conformance("vectors/fbe").join(name)).unwrap())
        .collect()
}

fn with_proto(text: &str) -> Compilation {
    let proto = &samples()[0];
    FBE.compile("test.fbe", &Memory::of(&[("test.fbe", text), ("proto.fbe", proto)]))
}

#[test]
fn every_prefix_of_the_samples_is_answered() {
    for sample in samples() {
        for end in (0..sample.len()).step_by(7).filter(|end| sample.is_char_boundary(*end)) {
            check(&compile(&sample[..end]));
        }
    }
}

#[test]
fn samples_with_tokens_taken_doubled_or_swapped_are_answered() {
    let mut random = Random(7);
    for sample in samples() {
        let tokens: Vec<&str> = lex(&sample).iter().map(|t| &sample[t.start..t.end]).collect();
        for _ in 0..400 {
            let mut changed = tokens.clone();
            for _ in 0..=random.below(3) {
                let (at, other) = (random.below(changed.len()), random.below(changed.len()));
                match random.below(3) {
                    0 => drop(changed.remove(at)),
                    1 => changed.insert(at, tokens[other % tokens.len()]),
                    _ => changed.swap(at, other),
                }
            }
            check(&with_proto(&changed.concat()));
        }
    }
}

#[test]
fn random_bytes_are_answered() {
    const BYTES: &[u8] = b"{}()[]<>;:,.=|?~!*+-/\\\"' \n\t09azAZ_#\xff\xc3\xa9struct enum flags package import";
    let mut random = Random(3);
    for _ in 0..2_000 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| BYTES[random.below(BYTES.len())]).collect();
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(lex(&text).iter().map(|t| &text[t.start..t.end]).collect::<String>(), text);
        let mut files = Memory::default();
        files.0.insert("test.fbe".to_owned(), bytes);
        check(&FBE.compile("test.fbe", &files));
    }
}

#[test]
fn large_and_deep_schemas_are_answered_soon() {
    let n = 2_000;
    let chain: String = (0..n).map(|i| format!("struct S{i} {{ S{} x; }}\n", i + 1)).collect();
    let heirs: String = (1..n).map(|i| format!("struct S{i} : S{} {{}}\n", i - 1)).collect();
    let circle: String = (0..n).map(|i| format!("struct S{i} : S{} {{}}\n", (i + 1) % n)).collect();
    let doubling: String = (1..64).map(|i| format!("struct S{i} {{ S{}[9] a; S{} b; }}\n", i - 1, i - 1)).collect();
    let marks = ["{", "}", "[", "(", "<", "|", "[key]", "struct", ";"].map(|mark| mark.repeat(n));
    let bodies = [chain, heirs, circle, doubling, "x.".repeat(n), format!("enum E {{ a = {}; }}", "9".repeat(n))];
    for body in bodies.iter().chain(&marks) {
        check(&compile(&format!("package t\n{body}")));
        check(&compile(&format!("package t struct A {{ int32 a = {body}; }}")));
        check(&compile(&format!("package t struct A {{ {body} }}")));
    }
}

#[test]
fn problems_are_counted_rather_than_listed_without_end() {
    let fields: String = (0..1_000).map(|i| format!("Nope{i} f{i}; ")).collect();
    let compilation = compile(&format!("package t struct A {{ {fields} }}"));
    assert!(compilation.diagnostics.len() < 300);
    assert_eq!(codes(&compilation).last(), Some(&codes::TOO_MANY));
}

/// Warnings stop nothing and hide nothing, however many there are.
#[test]
fn warnings_never_become_errors() {
    let values: String = (0..1_000).map(|i| format!("struct T{i} {{ bool struct; }};;\n")).collect();
    let compilation = compile(&format!("package t {values} struct Last {{}}"));
    assert!(!any_error(&compilation.diagnostics) && compilation.diagnostics.len() < 500);
    assert_eq!(codes(&compilation).last(), Some(&codes::TOO_MANY_WARNINGS));
    assert!(compilation.plans[0].message("t.Last").is_some());
}

#[test]
fn chains_of_structs_end() {
    let chain = |length: usize, field: &str| {
        let structs: String = (1..length).map(|i| format!("struct S{i} {{ S{}{field} next; }} ", i + 1)).collect();
        compile(&format!("package t {structs} struct S{length} {{}}"))
    };
    for field in ["?", "[]", "!"] {
        assert!(!chain(1_024, field).plans.is_empty());
        let compilation = chain(1_025, field);
        assert_eq!(codes(&compilation), [codes::LONG_CHAIN]);
        assert!(compilation.diagnostics[0].message.starts_with("`S1` leads to a chain of 1025 structs"));
    }
    assert_eq!(codes(&chain(20_000, "?")), [codes::LONG_CHAIN]);
}

#[test]
fn a_schema_does_not_outgrow_its_text() {
    let fields: String = (0..2_000).map(|i| format!("int8 f{i}; ")).collect();
    let heirs: String = (0..100).map(|i| format!("struct H{i} : Base {{}} ")).collect();
    let compilation = compile(&format!("package t struct Base {{ {fields} }} {heirs}"));
    assert_eq!(codes(&compilation), [codes::INHERITED_FIELDS]);

    let bits: String = (0..100).map(|i| format!("bool b{i}; ")).collect();
    let holders: String = (0..2_000).map(|i| format!("Bits f{i}; ")).collect();
    let compilation = compile(&format!("package t struct Bits {{ {bits} }} struct Holder {{ {holders} }}"));
    assert!(format!("{:?}", compilation.plans[1].layouts).len() < 40_000_000);
}

#[test]
fn comments_on_one_long_line_are_read_soon() {
    let fields: String = (0..20_000).map(|i| format!("/**/ /**/int8 a{i};")).collect();
    let compilation = compile(&format!("package t struct A {{ {fields} }}"));
    assert_eq!((compilation.plans.len(), compilation.plans[0].schema.record(TypeId(0)).fields.len()), (2, 20_000));
    check(&compile(&format!("package t ? {}", "import ".repeat(50_000))));
}

#[test]
fn a_missing_root_is_an_error_without_a_place() {
    let compilation = FBE.compile("gone.fbe", &Memory::default());
    assert_eq!(codes(&compilation), [codes::UNREADABLE]);
    assert!(compilation.diagnostics[0].labels.is_empty() && rendered(&compilation).contains("gone.fbe: no such file"));
}

/// A file that is there and cannot be read.
struct Locked;

impl Files for Locked {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path {
            "test.fbe" => Ok(b"package t\nimport locked\nstruct A { locked.B b; }".to_vec()),
            _ => Err(io::Error::new(io::ErrorKind::PermissionDenied, "permission denied")),
        }
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        Some(name.to_owned())
    }
}

#[test]
fn an_unreadable_import_is_shown_where_it_is_imported() {
    let compilation = FBE.compile("test.fbe", &Locked);
    assert_eq!(codes(&compilation), [codes::UNREADABLE]);
    assert!(rendered(&compilation).contains("test.fbe:2:8"), "{}", rendered(&compilation));
}

#[test]
fn endless_imports_end() {
    let mut files = Memory::default();
    for i in 0..200 {
        files.0.insert(format!("f{i}.fbe"), format!("package f{i}\nimport f{}\n", i + 1).into_bytes());
    }
    let compilation = FBE.compile("f0.fbe", &files);
    assert_eq!(codes(&compilation), [codes::TOO_DEEP]);
}
