//! Words of the generators in the place of a schema's names. A generator that searches or replaces text which it made
//! itself, or whose variables meet a name of the schema, makes code here that does not compile, or means something else. So do texts
//! that look like code where a generator does not tell them from its own.
//!
//! The words are taken from the generators' sources, so that one that is added later is tried, too.

mod schemas;
mod sources;
mod texts;

use aldis_diagnostics::{Diagnostic, Files};
use aldis_emit::{Language, OutputFile, Request};
use aldis_plan::Format;
use sources::Words;
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

const COMPILED: [&dyn Language; 3] = [&aldis_erlang::ERLANG, &aldis_elixir::ELIXIR, &aldis_cpp::CPP];
const JAVA: [&dyn Language; 1] = [&aldis_java::JAVA];
const CSHARP: [&dyn Language; 1] = [&aldis_csharp::CSHARP];
const PYTHON: [&dyn Language; 1] = [&aldis_python::PYTHON];
const JAVASCRIPT: [&dyn Language; 1] = [&aldis_javascript::JAVASCRIPT];

/// The files of each language for a schema, whose own file is called `stem`; `None` where the format does not take the schema,
/// or a language says of a name that it cannot be.
fn made(
    format: &dyn Format,
    languages: &[&dyn Language],
    schema: &str,
    stem: &str,
) -> Option<Vec<(&'static str, Vec<OutputFile>)>> {
    let compilation = format.compile("words", &Text(schema.to_owned()));
    if compilation.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let of_language = |language: &&dyn Language| {
        let generated = language.generate(&Request {
            plans: &compilation.plans,
            name: None,
            prefix: None,
            renames: Vec::new(),
            options: Vec::new(),
            testee: false,
            stem: stem.to_owned(),
            runtime: None,
            version: "0.0.0",
        });
        let codes: Vec<&str> =
            generated.diagnostics.iter().filter(|one| one.is_error()).map(|error| error.code).collect();
        let names = ["erlang/E0001", "erlang/E0004", "elixir/E0001", "elixir/E0002"];
        assert!(codes.iter().all(|code| names.contains(code)), "{codes:?} of {}\n{schema}", language.name());
        codes.is_empty().then_some((language.name(), generated.files))
    };
    languages.iter().map(of_language).collect()
}

/// Whether the format takes a schema, and the languages have no name in it that they cannot have.
fn is_possible(format: &dyn Format, languages: &[&dyn Language], schema: &str) -> bool {
    made(format, languages, schema, "words").is_some()
}

/// All languages do with the schema what the interpreter does. Warnings of the compilers are errors.
fn conform(file: &str, words: &Words, schema: &str) {
    agree(file, words.languages, schema);
}

fn agree(file: &str, languages: &[&dyn Language], schema: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("words");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(file);
    fs::write(&path, schema).unwrap();
    let languages: Vec<&str> = languages.iter().map(|language| language.name()).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_aldis"))
        .args(["conform", "--lang", &languages.join(","), "--count", "2", "--no-limits"])
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
    conform("words.fbe", &words, &schemas::fbe(&words));
}

#[test]
fn sbe_names_that_are_words_of_the_generators() {
    let words = sources::words().part(1);
    conform("words.xml", &words, &schemas::sbe(&words));
}

#[test]
fn capnp_names_that_are_words_of_the_generators() {
    let words = sources::words().part(2);
    conform("words.capnp", &words, &schemas::capnp(&words));
}

#[test]
fn names_that_are_words_of_javascript() {
    let words = sources::words_of_javascript();
    conform("words_js.fbe", &words, &schemas::fbe(&words));
    conform("words_js.xml", &words, &schemas::sbe(&words));
    conform("words_js.capnp", &words, &schemas::capnp(&words));
}

#[test]
fn names_that_are_words_of_java() {
    let [fbe, sbe, capnp] = [0, 1, 2].map(|part| sources::words_of_java().part(part));
    conform("words_java.fbe", &fbe, &schemas::fbe(&fbe));
    conform("words_java.xml", &sbe, &schemas::sbe(&sbe));
    conform("words_java.capnp", &capnp, &schemas::capnp(&capnp));
}

#[test]
fn names_that_are_words_of_csharp() {
    if !aldis_testkit::has_dotnet() {
        return;
    }
    let [fbe, sbe, capnp] = [0, 1, 2].map(|part| sources::words_of_csharp().part(part));
    conform("words_csharp.fbe", &fbe, &schemas::fbe(&fbe));
    conform("words_csharp.xml", &sbe, &schemas::sbe(&sbe));
    conform("words_csharp.capnp", &capnp, &schemas::capnp(&capnp));
}

#[test]
fn names_that_are_words_of_python() {
    let [fbe, sbe, capnp] = [0, 1, 2].map(|part| sources::words_of_python().part(part));
    conform("words_python.fbe", &fbe, &schemas::fbe(&fbe));
    conform("words_python.xml", &sbe, &schemas::sbe(&sbe));
    conform("words_python.capnp", &capnp, &schemas::capnp(&capnp));
}

#[test]
fn texts_that_look_like_code() {
    let mut languages = [&COMPILED[..], &JAVASCRIPT, &JAVA, &PYTHON].concat();
    if aldis_testkit::has_dotnet() {
        languages.extend(CSHARP);
    }
    agree("texts.fbe", &languages, &texts::fbe());
    agree("texts.xml", &languages, &texts::sbe(schemas::HEAD));
    agree("texts.capnp", &languages, &texts::capnp());
}

/// Packages and files name modules, namespaces and files of code. Those that are words compile, all of them beside each other.
#[test]
fn packages_that_are_words_of_the_generators() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let _ = fs::remove_dir_all(&folder);
    let words = sources::words();
    let languages = [&COMPILED[..], &JAVASCRIPT, &JAVA, &PYTHON].concat();
    let mut count = 0;
    for (index, word) in schemas::types(&words.telling, |_| true).into_iter().enumerate() {
        let (format, schema): (&dyn Format, String) = match index % 3 {
            0 => (&aldis_fbe::FBE, format!("package {word} struct Depth {{ int32 {word}; }}")),
            1 => (&aldis_sbe::SBE, schemas::package(word)),
            _ => (&aldis_capnp::CAPNP, "@0xd4f12b9e6a7c3584; struct Depth { at @0 :UInt32; }".to_owned()),
        };
        let Some(made) = made(format, &languages, &schema, word) else { continue };
        count += 1;
        for (language, files) in made {
            let folder = folder.join(language);
            fs::create_dir_all(folder.join("ebin")).unwrap();
            for file in files {
                let path = folder.join(&file.path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, &file.text).unwrap();
            }
        }
    }
    assert!(count > 100, "{count} packages");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let runtime = root.join("runtime").to_string_lossy().into_owned();
    let compile = |language: &str, script: &str| {
        let script = script.replace("RUNTIME", &runtime);
        let output = Command::new("sh").args(["-ec", &script]).current_dir(folder.join(language)).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{language}: {}", String::from_utf8_lossy(&said));
    };
    compile("erlang", "erlc -Wall -Werror -o ebin *.erl");
    // Elixir 1.14 waits at most five seconds for the modules of one call to be ready, so that a busy machine needs small calls.
    compile(
        "elixir",
        r#"(cd "RUNTIME/elixir/lib/aldis" && elixirc -o "$OLDPWD/ebin" error.ex runtime.ex sizes.ex values.ex)
        ls *.ex | xargs -n 24 elixirc -pa ebin -o ebin"#,
    );
    compile(
        "cpp",
        r##"printf '#include "%s"\n' *.hpp >all.cc
        c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I RUNTIME/cpp/include all.cc"##,
    );
    compile(
        "javascript",
        r#"mkdir -p node_modules/@aldis && ln -s RUNTIME/javascript/codec node_modules/@aldis/codec
        echo '{"type": "module"}' >package.json
        printf 'import "./%s";\n' *.js >all.mjs
        node all.mjs"#,
    );
    compile(
        "java",
        r#"find "RUNTIME/java/src/main/java" -name '*.java' ! -name module-info.java >runtime
        find . -name '*.java' >all
        javac -d ebin @runtime && javac -Xlint:all -Werror -cp ebin -d ebin @all"#,
    );
    compile(
        "python",
        r#"for package in */__init__.py; do echo "import ${package%%/*}"; done >all.py
        PYTHONPATH=.:RUNTIME/python python3 -W error all.py"#,
    );
}
