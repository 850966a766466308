//! Schemas with random white space and comments mean the same when they are tidied, keep every comment, and are tidied once.

use aldis_capnp::text::lexer as capnp;
use aldis_diagnostics::Files;
use aldis_fbe::lexer as fbe;
use aldis_plan::Format;
use aldis_text::TokenKind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io};

/// Files that only exist in the test, by path; imports of the standard library are on disk.
struct Memory(BTreeMap<String, String>);

impl Files for Memory {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).map_or_else(|| fs::read(path), |text| Ok(text.clone().into_bytes()))
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let beside = Path::new(from).parent()?.join(name).to_string_lossy().into_owned();
        (self.0.contains_key(&beside) || Path::new(&beside).is_file()).then_some(beside)
    }
}

/// A sequence of numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// A token: its text, whether it is space, and whether the line must end behind it.
type Token<'a> = (&'a str, bool, bool);
type Tokens = fn(&str) -> Vec<Token<'_>>;

fn fbe_tokens(text: &str) -> Vec<Token<'_>> {
    let token = |t: &aldis_text::Token| {
        let word = &text[t.start..t.end];
        (word, t.kind == TokenKind::Space, word.starts_with("//"))
    };
    fbe::lex(text).iter().map(token).collect()
}

fn capnp_tokens(text: &str) -> Vec<Token<'_>> {
    let ends = |kind| matches!(kind, TokenKind::LineComment | TokenKind::LineText);
    let token = |t: &aldis_text::Token| (&text[t.start..t.end], t.kind == TokenKind::Space, ends(t.kind));
    capnp::lex(text).iter().map(token).collect()
}

/// The same words with other white space, and with comments that were not there.
fn mangled(tokens: &[Token<'_>], comments: &[&str], seed: u64) -> String {
    let mut dice = Dice(seed);
    // From schemas with hardly a comment to such with one between any two words.
    let (rare, dense) = (2 + dice.below(30), dice.below(4) == 0);
    let mut text = String::new();
    let mut ended = false;
    for (number, (word, is_space, ends_line)) in tokens.iter().enumerate() {
        if *is_space {
            let space = if word.contains('\n') && dice.below(3) > 0 { word } else { dice.one_of(SPACES) };
            text.push_str(if dense { " " } else { space });
            ended &= !text.ends_with('\n') && !space.contains('\n') || dense;
            continue;
        }
        let comment = if dice.below(rare) == 0 { dice.one_of(comments) } else { "" };
        if ended && !text.trim_end_matches([' ', '\t']).ends_with('\n') {
            text.push('\n');
        }
        if !comment.is_empty() {
            text.push_str(dice.one_of(SPACES));
            text.push_str(&comment.replace('N', &number.to_string()));
            text.push_str(dice.one_of(if comment.ends_with("*/") { SPACES } else { ENDS }));
        }
        text.push_str(word);
        ended = *ends_line;
    }
    text
}

const SPACES: &[&str] = &[" ", " ", "\n", "\n\n", "\n\n\n", "\t", "  \n\t"];
const ENDS: &[&str] = &["\n", "\n\n", "\n   "];
const FBE_COMMENTS: &[&str] = &["// cN", "/* cN */", "/** cN\n  * more  \n\n   end */", "//", "/* cN */ // dN"];
const CAPNP_COMMENTS: &[&str] = &["# cN", "#", "#cN\n# dN ", "# cN\n\n# dN"];

/// The meaning of the files: the main plan without places, the text's digest, and white space at the ends of comments' lines.
fn meaning(format: &dyn Format, files: &Memory, path: &str) -> Value {
    let compilation = format.compile(path, files);
    let text = &files.0[path];
    assert!(!compilation.plans.is_empty(), "{:#?}\n{text}", compilation.diagnostics);
    without_places(serde_json::to_value(&compilation.plans[0]).unwrap())
}

fn without_places(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(name, _)| name != "span" && name != "hash");
            let kept = kept.map(|(name, value)| match (name.as_str(), value) {
                ("doc", Value::String(doc)) => {
                    let lines: Vec<&str> = doc.lines().map(str::trim_end).collect();
                    (name, lines.join("\n").trim_end().into())
                }
                (_, value) => (name, without_places(value)),
            });
            Value::Object(kept.collect())
        }
        Value::Array(elements) => elements.into_iter().map(without_places).collect(),
        other => other,
    }
}

/// The first difference between two meanings.
fn difference(before: &Value, after: &Value) -> String {
    let text = |meaning| serde_json::to_string_pretty(meaning).unwrap_or_default();
    first_difference(&text(before), &text(after))
}

fn first_difference(before: &str, after: &str) -> String {
    let same = before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count();
    let lines = |text: &str| text.lines().skip(same.saturating_sub(3)).take(6).collect::<Vec<_>>().join("\n");
    format!("{}\n--- became\n{}", lines(before), lines(after))
}

/// The words of the comments, in order.
fn comments(tokens: &[Token<'_>]) -> Vec<String> {
    let is_comment = |text: &str| text.starts_with("//") || text.starts_with("/*") || text.starts_with('#');
    let all = tokens.iter().filter(|(text, ..)| is_comment(text));
    all.flat_map(|(text, ..)| text.lines().map(|line| line.trim().to_owned())).collect()
}

fn tidied(format: &dyn Format, path: &str, text: &str) -> String {
    let tidied = format.tidy(path, text).unwrap();
    tidied.text.unwrap_or_else(|| panic!("{:#?}\n{text}", tidied.diagnostics))
}

/// Checks the file `path` of `files`, whose white space may be anything.
fn check(format: &dyn Format, files: &mut Memory, path: &str, tokens: Tokens) {
    let text = files.0[path].clone();
    let before = meaning(format, files, path);
    let regular = tidied(format, path, &text);
    assert_eq!(comments(&tokens(&regular)), comments(&tokens(&text)), "{text}");
    files.0.insert(path.to_owned(), regular.clone());
    let after = meaning(format, files, path);
    assert!(before == after, "{}\n{text}\n-----\n{regular}", difference(&before, &after));
    let again = tidied(format, path, &regular);
    assert!(again == regular, "{}\n-----\n{regular}", first_difference(&regular, &again));
    assert_eq!(regular.lines().find(|line| line.ends_with(' ')), None, "{regular}");
}

fn cases() -> u64 {
    env::var("ALDIS_TIDY_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(40)
}

#[test]
fn random_fbe_schemas() {
    for seed in 0..cases() {
        let schema = aldis_schemagen::sample(aldis_schemagen::fbe::schema(), seed / 3);
        let text = mangled(&fbe_tokens(&schema), FBE_COMMENTS, seed);
        let mut files = Memory(BTreeMap::from([("random.fbe".to_owned(), text)]));
        check(&aldis_fbe::FBE, &mut files, "random.fbe", fbe_tokens);
    }
}

#[test]
fn random_capnp_schemas() {
    for seed in 0..cases() {
        let sample = aldis_schemagen::sample(aldis_schemagen::capnp::sample(), seed / 3);
        let named = sample.files.iter().enumerate().map(|(number, text)| {
            let text = mangled(&capnp_tokens(text), CAPNP_COMMENTS, seed);
            (format!("f{number}.capnp"), text)
        });
        let mut files = Memory(named.collect());
        let last = format!("f{}.capnp", sample.files.len() - 1);
        check(&aldis_capnp::CAPNP, &mut files, &last, capnp_tokens);
    }
}

/// The schemas of a folder and those within it.
fn schemas(folder: &Path, extension: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            schemas(&path, extension, found);
        } else if path.extension().is_some_and(|is| is == extension) {
            found.push(path.to_string_lossy().into_owned());
        }
    }
}

#[test]
fn schemas_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let all: [(&dyn Format, Tokens, _); 2] =
        [(&aldis_fbe::FBE, fbe_tokens, FBE_COMMENTS), (&aldis_capnp::CAPNP, capnp_tokens, CAPNP_COMMENTS)];
    let mut checked = 0;
    for (format, tokens, comments) in all {
        let mut found = Vec::new();
        schemas(&root, format.name(), &mut found);
        for path in found {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let plain = Memory(BTreeMap::from([(path.clone(), text.clone())]));
            if format.compile(&path, &plain).plans.is_empty() {
                continue;
            }
            checked += 1;
            for seed in 0..2 {
                let text = if seed == 0 { text.clone() } else { mangled(&tokens(&text), comments, seed) };
                let mut files = Memory(BTreeMap::from([(path.clone(), text)]));
                check(format, &mut files, &path, tokens);
            }
        }
    }
    assert!(checked > 60, "{checked}");
}
