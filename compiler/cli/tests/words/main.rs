//! Words of the generators in the place of a schema's names. A generator that searches or replaces text which it made
//! itself, or whose variables meet a name of the schema, makes code here that does not compile, or means something else.
//!
//! The words are taken from the generators' sources, so that one that is added later is tried, too.

mod schemas;
mod sources;

use aldis_diagnostics::Files;
use aldis_emit::{Language, Request};
use aldis_plan::Format;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// One schema's text in place of the disk.
struct Text(String);

impl Files for Text {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn resolve(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

const LANGUAGES: [&dyn Language; 3] = [&aldis_erlang::ERLANG, &aldis_elixir::ELIXIR, &aldis_cpp::CPP];

/// Whether the format takes a schema, and the languages refuse it for none but a name that they say cannot be.
fn is_possible(format: &dyn Format, schema: String) -> bool {
    let compilation = format.compile("words", &Text(schema.clone()));
    if compilation.diagnostics.iter().any(aldis_diagnostics::Diagnostic::is_error) {
        return false;
    }
    LANGUAGES.iter().all(|language| {
        let request = Request {
            plans: &compilation.plans,
            name: None,
            prefix: None,
            renames: Vec::new(),
            options: Vec::new(),
            testee: false,
            stem: "words".to_owned(),
            runtime: None,
            version: "0.0.0",
        };
        let errors =
            language.generate(&request).diagnostics.into_iter().filter(aldis_diagnostics::Diagnostic::is_error);
        let codes: Vec<&str> = errors.map(|error| error.code).collect();
        let names = ["erlang/E0001", "erlang/E0004", "elixir/E0001", "elixir/E0002"];
        assert!(codes.iter().all(|code| names.contains(code)), "{codes:?} of {}\n{schema}", language.name());
        codes.is_empty()
    })
}

/// All languages do with the schema what the interpreter does. Warnings of the compilers are errors.
fn conform(file: &str, schema: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("words");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(file);
    fs::write(&path, schema).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_aldis"))
        .args(["conform", "--lang", "erlang,elixir,cpp", "--count", "2", "--no-limits"])
        .arg(&path)
        .env("ALDIS_STRICT", "1")
        // Sanitizers have the same code elsewhere, and take their time.
        .env("CXXFLAGS", "-O0")
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}\n{}", path.display(), String::from_utf8_lossy(&said));
}

#[test]
fn fbe_names_that_are_words_of_the_generators() {
    let words = sources::words().part(0);
    conform("words.fbe", &schemas::fbe(&words));
}

#[test]
fn sbe_names_that_are_words_of_the_generators() {
    let words = sources::words().part(1);
    conform("words.xml", &schemas::sbe(&words));
}

#[test]
fn capnp_names_that_are_words_of_the_generators() {
    let words = sources::words().part(2);
    conform("words.capnp", &schemas::capnp(&words));
}

/// A package names the module or the namespace: what is said of it is generated, and what is generated holds together.
#[test]
fn packages_that_are_words_of_the_generators() {
    for word in &sources::words().telling {
        is_possible(&aldis_fbe::FBE, format!("package {word} struct Depth {{ int32 {word}; }}"));
    }
}
