//! Bad input of every kind: there is always an answer, soon, and never a panic.

mod support;

use aldis_capnp::text::{self, lexer::lex, Reading};
use aldis_capnp::{codes, text::read as read_file, CAPNP};
use aldis_diagnostics::Files;
use aldis_plan::Format;
use std::io;
use std::time::{Duration, Instant};
use support::{codes_of, conformance, read, rendered, Memory, ID};

/// A model exactly when there is no problem, and every problem can be shown.
fn check(reading: &Reading) {
    assert_eq!(reading.model.is_some(), reading.diagnostics.is_empty());
    rendered(reading);
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
    ["vectors/capnp/schema/layout.capnp", "schemas/capnp/values.capnp", "schemas/capnp/generics.capnp"]
        .iter()
        .map(|name| std::fs::read_to_string(conformance(name)).unwrap())
        .collect()
}

#[test]
fn every_prefix_of_the_samples_is_answered() {
    for sample in samples() {
        for end in (0..sample.len()).step_by(11).filter(|end| sample.is_char_boundary(*end)) {
            check(&read(&sample[..end]));
        }
    }
}

#[test]
fn samples_with_tokens_taken_doubled_or_swapped_are_answered() {
    let mut random = Random(7);
    for sample in samples() {
        let tokens: Vec<&str> = lex(&sample).iter().map(|t| &sample[t.start..t.end]).collect();
        for _ in 0..300 {
            let mut changed = tokens.clone();
            for _ in 0..=random.below(3) {
                let (at, other) = (random.below(changed.len()), random.below(changed.len()));
                match random.below(3) {
                    0 => drop(changed.remove(at)),
                    1 => changed.insert(at, tokens[other % tokens.len()]),
                    _ => changed.swap(at, other),
                }
            }
            check(&text::read("test.capnp", &Memory::of(&[("test.capnp", &changed.concat())])));
        }
    }
}

#[test]
fn random_bytes_are_answered() {
    const BYTES: &[u8] =
        b"{}()[],;@:=$.-*!>\"`\\#0x1'8 \n\taZ_\xff\xc3\xa9struct union group enum List(T) using import";
    let mut random = Random(3);
    for _ in 0..2_000 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| BYTES[random.below(BYTES.len())]).collect();
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(lex(&text).iter().map(|t| &text[t.start..t.end]).collect::<String>(), text);
        let mut files = Memory::default();
        files.0.insert("test.capnp".to_owned(), bytes);
        check(&read_file("test.capnp", &files));
    }
}

/// Texts that are long in one way each; what takes time out of proportion to their length takes minutes here.
#[test]
fn large_and_deep_schemas_are_answered_soon() {
    let n = 4_000;
    let all = |make: &dyn Fn(usize) -> String| (0..n).map(make).collect::<String>();
    let bodies = [
        all(&|i| format!("struct S{i} {{ x @0 :S{}; }}\n", (i + 1) % n)),
        all(&|i| format!("using A{i} = A{};\n", (i + 1) % n)),
        all(&|i| format!("using A{i} = A{};\n", i + 1)),
        all(&|i| format!("const c{i} :Int32 = .c{};\n", (i + 1) % n)),
        all(&|i| format!("interface I{i} extends(I{}) {{}}\n", (i + 1) % n)),
        all(&|i| format!("const c{i} :List(Int32) = [{i}];\n")),
        format!("enum E {{ {} }}", all(&|i| format!("e{i} @{i}; "))),
        format!("struct S {{ {} }}", all(&|i| format!("f{i} @{i} :S; "))),
        format!("struct S {{ union {{ {} }} }}", all(&|i| format!("f{i} @{i} :UInt64; "))),
        format!("struct S {{ union {{ a :group {{ {} }} b @{n} :Bool; }} }}", all(&|i| format!("f{i} @{i} :Bool; "))),
        format!("struct S({}) {{ {} }}", all(&|i| format!("T{i}, ")), all(&|i| format!("f{i} @{i} :T{i}; "))),
        format!("interface I {{ m @0 [{}] ({}); }}", all(&|i| format!("T{i}, ")), all(&|i| format!("f{i} :T{i}, "))),
        format!("struct S {{ {} }} const s :S = ({});", fields(n), all(&|i| format!("f{i} = {i}, "))),
        format!("const l :List(Int32) = [{}];", all(&|i| format!("{i}, "))),
        format!("const t :Text = {};", "\"x\" ".repeat(n)),
        format!("annotation a (*) :Void; struct S {} {{}}", "$a ".repeat(n)),
        "#\n".repeat(n),
        "struct S { # a\n".repeat(n),
    ];
    for body in &bodies {
        let start = Instant::now();
        check(&read(body));
        assert!(start.elapsed() < Duration::from_secs(60), "{}…", &body[..60]);
    }
    for mark in ["{", "}", "[", "(", "struct S {", "u :union {", "List(", "A.", "-", "$a", ";", "@", "import ", "\""] {
        let marks = mark.repeat(n);
        for text in [marks.clone(), format!("struct S {{ a @0 :{marks}; }}"), format!("const a :Int32 = {marks};")] {
            check(&read(&text));
        }
    }
}

fn fields(n: usize) -> String {
    (0..n).map(|i| format!("f{i} @{i} :Int32; ")).collect()
}

#[test]
fn types_and_values_that_double_are_stopped() {
    let generics: String = (1..64).map(|i| format!("using P{i} = Two(P{}, P{});\n", i - 1, i - 1)).collect();
    let text =
        format!("struct Two(A, B) {{ a @0 :A; b @1 :B; }} using P0 = Text; {generics} struct S {{ p @0 :P63; }}");
    assert!(codes_of(&read(&text)).contains(&codes::TYPE_TOO_LARGE));

    let lists: String = (1..30)
        .map(|i| {
            let ty = format!("{}Int32{}", "List(".repeat(i + 1), ")".repeat(i + 1));
            format!("const c{i} :{ty} = [.c{}, .c{}];\n", i - 1, i - 1)
        })
        .collect();
    let text = format!("const c0 :List(Int32) = [1];\n{lists}");
    assert!(codes_of(&read(&text)).contains(&codes::VALUES_TOO_LARGE));

    // A value as deep as the text allows, of a type that doubles with each level.
    let value = format!("{}{}", "(g = ".repeat(60), "()".to_owned() + &")".repeat(60));
    let text = format!("struct S(A) {{ g @0 :S(Two(A, A)); }} struct Two(A, B) {{}} const c :S(Text) = {value};");
    check(&read(&text));
}

/// Constants in constants make values deeper than any text; in both orders they are stopped before they are a danger.
#[test]
fn values_are_no_deeper_than_messages_may_be() {
    let constant =
        |i: usize, inner: String| format!("const c{i} :S = {}{inner}{};\n", "(s = ".repeat(50), ")".repeat(50));
    let chain = |next: &dyn Fn(usize) -> usize| {
        let links: String = (1..60).map(|i| constant(next(i), format!(".c{}", next(i - 1)))).collect();
        format!("struct S {{ s @0 :S; }} {}{links}", constant(next(0), "()".to_owned()))
    };
    for text in [chain(&|i| i), chain(&|i| 59 - i)] {
        let codes = codes_of(&read(&text));
        assert!(codes.contains(&codes::TOO_DEEP) && codes.iter().all(|code| *code == codes::TOO_DEEP), "{codes:?}");
    }
    assert_eq!(rendered(&read(&format!("struct S {{ s @0 :S; }} {}", constant(0, "()".to_owned())))), "");
}

/// The first alias is looked at first, so all of the chain is open at once.
#[test]
fn deep_types_in_chains_of_aliases_are_stopped() {
    let alias = |i: usize| format!("using A{i} = {}A{}{};\n", "Box(".repeat(60), i + 1, ")".repeat(60));
    let chain: String = (0..63).map(alias).collect();
    let text = format!("struct S {{ a @0 :A0; }} struct Box(T) {{ t @0 :T; }} {chain} using A63 = Text;");
    assert!(codes_of(&read(&text)).contains(&codes::LONG_CHAIN));
    let members: String = (0..63).map(|i| format!("using A{i} = A{}{};\n", i + 1, ".Me".repeat(60))).collect();
    let text = format!("struct S {{ using Me = S; a @0 :A0; }} {members} using A63 = S;");
    assert!(codes_of(&read(&text)).contains(&codes::LONG_CHAIN));
}

#[test]
fn a_value_never_wraps_itself_without_end() {
    assert_eq!(codes_of(&read("struct A { a @0 :A; } const c :A = 5;")), [codes::VALUE_TYPE]);
}

#[test]
fn structs_of_more_than_65535_words_are_refused() {
    let fields: String = (0..65_535).map(|i| format!("f{i} @{i} :UInt64; ")).collect();
    let large = format!("struct A {{ {fields} }}");
    assert_eq!(codes_of(&read(&large)), Vec::<&str>::new());
    let too_large = format!("struct A {{ {fields} b @65535 :UInt64; }}");
    assert_eq!(codes_of(&read(&too_large)), [codes::STRUCT_TOO_LARGE]);
}

#[test]
fn chains_of_structs_end() {
    let chain = |length: usize, field: &str| {
        let next = |i: usize| field.replace('*', &format!("S{i}"));
        let structs: String = (1..length).map(|i| format!("struct S{i} {{ next @0 :{}; }} ", next(i + 1))).collect();
        let text = format!("{ID} struct Box(T) {{ value @0 :T; }} {structs} struct S{length} {{}}");
        let compilation = CAPNP.compile("test.capnp", &Memory::of(&[("test.capnp", &text)]));
        let codes: Vec<&str> = compilation.diagnostics.iter().map(|problem| problem.code).collect();
        (codes, compilation.plans.len())
    };
    let all = move || {
        for field in ["*", "List(*)", "List(List(*))"] {
            assert_eq!(chain(1_024, field), (vec![], 3));
            assert_eq!(chain(1_025, field), (vec![codes::STRUCT_CHAIN], 0));
        }
        assert_eq!(chain(2_000, "Box(*)"), (vec![codes::STRUCT_CHAIN], 0));
    };
    // As much room as the command has.
    std::thread::Builder::new().stack_size(64 << 20).spawn(all).unwrap().join().unwrap();
}

#[test]
fn problems_are_counted_rather_than_listed_without_end() {
    let fields: String = (0..1_000).map(|i| format!("f{i} @{i} :Nope{i}; ")).collect();
    let reading = read(&format!("struct A {{ {fields} }}"));
    assert!(reading.diagnostics.len() < 300);
    assert_eq!(codes_of(&reading).last(), Some(&codes::TOO_MANY));
}

#[test]
fn a_missing_root_is_an_error_without_a_place() {
    let reading = read_file("gone.capnp", &Memory::default());
    assert_eq!(codes_of(&reading), [codes::UNREADABLE]);
    assert!(reading.diagnostics[0].labels.is_empty() && rendered(&reading).contains("gone.capnp: no such file"));
}

/// A file that is there and cannot be read.
struct Locked;

impl Files for Locked {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path {
            "test.capnp" => Ok(format!("{ID} struct A {{ a @0 :import \"locked.capnp\".B; }}").into_bytes()),
            _ => Err(io::Error::new(io::ErrorKind::PermissionDenied, "permission denied")),
        }
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        Some(name.to_owned())
    }
}

#[test]
fn an_unreadable_import_is_shown_where_it_is_imported() {
    let reading = read_file("test.capnp", &Locked);
    assert_eq!(codes_of(&reading), [codes::UNREADABLE]);
    assert!(rendered(&reading).contains("test.capnp:1:46"), "{}", rendered(&reading));
}

/// Files may import each other, and what is not needed may be missing or wrong.
#[test]
fn imports_may_be_circles_and_what_is_not_needed_is_not_looked_at() {
    let files = Memory::of(&[
        ("a.capnp", "@0xa1c0ffee00000001; using B = import \"b.capnp\"; struct A { b @0 :B.Good; }"),
        (
            "b.capnp",
            "@0xa1c0ffee00000002; using A = import \"a.capnp\"; using C = import \"gone.capnp\";
             struct Good { a @0 :A.A; } struct Bad { a @5 :C.Nope; }",
        ),
    ]);
    let reading = read_file("a.capnp", &files);
    assert_eq!(rendered(&reading), "");
    let names: Vec<String> = reading.model.unwrap().nodes.into_values().map(|node| node.display_name).collect();
    assert!(names.contains(&"b.capnp:Good".to_owned()) && !names.contains(&"b.capnp:Bad".to_owned()), "{names:?}");
}
