//! The words of the generators' sources.

use super::{COMPILED, CSHARP, JAVA, JAVASCRIPT, PYTHON};
use aldis_emit::Language;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Words of the strings in the generators' sources.
pub struct Words {
    /// Those that must be able to have a name for it to be tried.
    pub languages: &'static [&'static dyn Language],
    /// Every word that generated code may be made of.
    pub all: Vec<String>,
    /// Those that are searched for in text, variables of Erlang (they begin with a capital) and those of C++.
    pub telling: Vec<String>,
}

/// Calls that search text, or cut or replace it.
const SEARCHES: [&str; 12] = [
    ".replace(",
    ".replacen(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".split_once(",
    ".rsplit_once(",
    ".split(",
    ".contains(",
    ".starts_with(",
    ".ends_with(",
    ".find(",
    "_matches(",
];

impl Words {
    /// One of three parts: each format compiles its own, so that every word is compiled once. `ALDIS_WORDS=all` gives each format
    /// all of them.
    pub fn part(self, part: usize) -> Self {
        if std::env::var("ALDIS_WORDS").is_ok_and(|wanted| wanted == "all") {
            return self;
        }
        let telling = self.telling.into_iter().skip(part).step_by(3).collect::<Vec<_>>();
        Self { all: telling.clone(), telling, ..self }
    }
}

/// Reads the sources of the languages whose code is made as text.
pub fn words() -> Words {
    let words = words_of(&COMPILED);
    let is_missing = |word: &&&str| words.telling.iter().all(|telling| telling != *word);
    let missing: Vec<&&str> = ["Depth", "Budget", "at", "std"].iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?} of {:?}", words.telling);
    assert!(words.all.len() > 1000);
    words
}

/// Reads the sources of JavaScript, all of whose words are tried: nothing has to be compiled for it.
pub fn words_of_javascript() -> Words {
    let words = words_of(&JAVASCRIPT);
    assert!(["bytes", "await", "CodecError"].iter().all(|word| words.all.iter().any(|one| one == word)));
    Words { telling: words.all.clone(), ..words }
}

/// Reads those of Python, and its keywords.
pub fn words_of_python() -> Words {
    with_keywords(&PYTHON, &["data", "lambda", "CodecError"])
}

/// Reads those of Java and of what it shares with other languages of classes.
pub fn words_of_java() -> Words {
    with_keywords(&JAVA, &["bytes", "yield", "CodecException"])
}

/// The words of a language's sources, among which `some` are for certain, and its keywords: all of them are tried.
fn with_keywords(language: &'static [&'static dyn Language; 1], some: &[&str]) -> Words {
    let mut words = words_of(language);
    let keywords = language[0].keywords().iter().filter(|word| word.starts_with(char::is_alphabetic));
    words.all.extend(keywords.map(|word| (*word).to_owned()));
    words.all.sort();
    words.all.dedup();
    assert!(some.iter().all(|word| words.all.iter().any(|one| one == word)));
    Words { telling: words.all.clone(), ..words }
}

/// Reads those of C# and of what it shares with Java.
pub fn words_of_csharp() -> Words {
    let words = words_of(&CSHARP);
    assert!(["bytes", "Choice", "CodecException", "fixed"].iter().all(|word| words.all.iter().any(|one| one == word)));
    Words { telling: words.all.clone(), ..words }
}

fn words_of(names: &'static [&'static dyn Language]) -> Words {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages");
    let (mut all, mut telling) = (BTreeSet::new(), BTreeSet::new());
    for language in names.iter().map(|language| language.name()) {
        let mut sources = Vec::new();
        collect(&languages.join(language).join("src"), &mut sources);
        if ["java", "csharp"].contains(&language) {
            collect(&languages.join("../classes/src"), &mut sources);
        }
        for source in sources {
            // Tests stand at the end.
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            let mut variables = false;
            // Words about a schema are no code.
            let says = ["//", ".help(", "Diagnostic::"];
            for line in code.lines().filter(|line| !says.iter().any(|start| line.trim_start().starts_with(start))) {
                variables = (variables || line.contains("const VARIABLES")) && !line.contains("];");
                let searched = variables || SEARCHES.iter().any(|search| line.contains(search));
                let found = strings(line).flat_map(|text| split(&text)).collect::<Vec<_>>();
                let is_telling =
                    |word: &String| searched || language == "erlang" && word.starts_with(char::is_uppercase);
                telling.extend(found.iter().filter(|word| is_telling(word)).cloned());
                all.extend(found);
            }
        }
    }
    Words { all: all.into_iter().collect(), telling: telling.into_iter().collect(), languages: names }
}

fn collect(folder: &Path, sources: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, sources);
        } else {
            sources.push(fs::read_to_string(&path).unwrap());
        }
    }
}

/// The strings of a line of Rust, without what is put into them.
fn strings(line: &str) -> impl Iterator<Item = String> + '_ {
    let (mut texts, mut inside, mut hidden, mut depth) = (vec![String::new()], false, false, 0);
    for c in line.chars() {
        match c {
            _ if hidden => hidden = false,
            '\\' => hidden = true,
            '"' => {
                inside = !inside;
                depth = 0;
                texts.push(String::new());
            }
            '{' if inside => depth += 1,
            '}' if inside => {
                depth -= 1;
                if let Some(text) = texts.last_mut() {
                    text.push(' ');
                }
            }
            c if inside && depth % 2 == 0 => texts.last_mut().into_iter().for_each(|text| text.push(c)),
            _ => {}
        }
    }
    texts.into_iter()
}

/// Names within a text.
fn split(text: &str) -> Vec<String> {
    let is_code = |word: &str| word.len() == 5 && word[1..].bytes().all(|b| b.is_ascii_digit());
    let is_name =
        |word: &&str| word.len() < 40 && word.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_code(word);
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(is_name);
    words.map(str::to_owned).collect()
}
