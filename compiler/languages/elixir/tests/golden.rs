//! Generated code for review: in `golden/` what each feature of the Plan looks like, and digests of large schemas.
//! `UPDATE_GOLDEN=1` rewrites them.

mod common;

use aldis_diagnostics::any_error;
use aldis_elixir::ELIXIR;
use aldis_emit::Request;
use aldis_testkit::{features, generated, Golden};
use common::{folder, generate, request, root, run, stem};
use std::fs;
use std::path::{Path, PathBuf};

/// Schemas that have most in them, held by digests.
const LARGE: [&str; 4] = [
    "conformance/vectors/fbe/proto.fbe",
    "compiler/languages/erlang/tests/schemas/nulls.xml",
    "conformance/vectors/capnp/schema/small.capnp",
    "conformance/vectors/capnp/schema/shaped.capnp",
];

/// Features whose values, types or faults are Elixir's own. The functions of the others are those of Erlang, which shows them.
fn shown(feature: &str) -> bool {
    let own = ["null", "enum", "set", "composite", "decimal", "uuid", "record", "map", "union"];
    feature.split_once('_').is_some_and(|(_, name)| name == "base" || own.contains(&name))
}

#[test]
fn generated_code_is_as_in_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    Golden { language: &ELIXIR, folder, shown, large: &LARGE }.check();
}

/// Every schema that there is a codec for, by its path in the repository.
fn all_schemas() -> Vec<String> {
    fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder can be listed") {
            let path = entry.expect("it can be listed").path();
            let part = path.to_string_lossy().contains("/imports") || path.to_string_lossy().contains("include");
            if path.is_dir() && !part {
                visit(&path, found);
            } else if path.extension().is_some_and(|e| e == "fbe" || e == "capnp" || e == "xml") && !part {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    for part in [
        "conformance/features",
        "conformance/schemas",
        "conformance/vectors",
        "compiler/languages/erlang/tests/schemas",
    ] {
        visit(&root().join(part), &mut found);
    }
    found.sort();
    found.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

#[test]
fn every_schema_of_ours_is_understood_and_stays_as_the_formatter_wants_it() {
    let folder = folder("formatted");
    let mut count = 0;
    for schema in all_schemas() {
        let compilation = common::try_plans(&schema);
        let Some(plans) = compilation else { continue };
        let generated = generate(&Request { stem: stem(&schema), testee: true, ..request(&plans) });
        assert!(!any_error(&generated.diagnostics), "{schema}: {:?}", generated.diagnostics);
        for file in generated.files.iter().filter(|file| file.path.ends_with(".ex")) {
            fs::write(folder.join(format!("{count}_{}", file.path)), &file.text).expect("the folder can be written");
            count += 1;
        }
    }
    assert!(count > 60, "{count} files");
    run(&folder, "mix", &["format", "--check-formatted", "*.ex"]);
}

#[test]
fn features_and_large_schemas_compile_without_a_word_and_dialyzer_finds_nothing() {
    let folder = folder("golden");
    let runtime = root().join("runtime").canonicalize().expect("there is a runtime");
    let runtime = runtime.to_string_lossy();
    fs::create_dir(folder.join("ebin")).expect("a folder for the modules");
    let sources = fs::read_dir(root().join("runtime/erlang/src")).expect("there is a runtime for Erlang");
    let sources = sources.map(|entry| entry.expect("it can be listed").path());
    let sources: Vec<String> = sources
        .filter(|path| path.extension().is_some_and(|e| e == "erl") && !path.to_string_lossy().contains("aldis_etf"))
        .map(|path| path.canonicalize().expect("it is there").to_string_lossy().into_owned())
        .collect();
    let mut erlc = vec!["+debug_info", "-o", "ebin"];
    erlc.extend(sources.iter().map(String::as_str));
    run(&folder, "erlc", &erlc);
    let own: Vec<String> = ["error.ex", "runtime.ex", "sizes.ex", "values.ex"]
        .iter()
        .map(|file| format!("{runtime}/elixir/lib/aldis/{file}"))
        .collect();
    let mut modules = Vec::new();
    let features = features().into_iter().map(|schema| (stem(&schema), schema));
    let features = features.map(|(name, schema)| generated(&ELIXIR, &schema, Some(&name)));
    for (path, text) in features.chain(LARGE.map(|schema| generated(&ELIXIR, schema, None))).flatten() {
        fs::write(folder.join(&path), text).expect("the folder can be written");
        modules.push(path);
    }
    let mut elixirc = vec!["--warnings-as-errors", "-pa", "ebin", "-o", "ebin"];
    elixirc.extend(own.iter().chain(&modules).map(String::as_str));
    run(&folder, "elixirc", &elixirc);
    dialyzer(&folder);
}

/// Dialyzer over the modules in `ebin`. What it knows of OTP is kept for the next run; Elixir's own modules may come
/// without what it reads, so their functions are unknown.
fn dialyzer(folder: &Path) {
    let plt = Path::new(env!("CARGO_TARGET_TMPDIR")).join("otp.plt").to_string_lossy().into_owned();
    if !Path::new(&plt).is_file() {
        run(folder, "dialyzer", &["--build_plt", "--output_plt", &plt, "--apps", "erts", "kernel", "stdlib"]);
    }
    let elixir = run(folder, "elixir", &["-e", "IO.write(:code.lib_dir(:elixir, :ebin))"]);
    let warnings = ["-Wunmatched_returns", "-Werror_handling", "-Wno_behaviours"];
    let arguments = ["--plt", &plt, "-pa", &elixir, "-r", "ebin", "--output", "said"];
    // Its exit code tells of what is unknown too, which is listed without a file's name in front.
    let ran = std::process::Command::new("dialyzer").args(arguments).args(warnings).current_dir(folder).output();
    assert!(ran.is_ok(), "dialyzer starts");
    let said = fs::read_to_string(folder.join("said")).expect("Dialyzer writes what it has to say");
    let unknown = |row: &&str| {
        row.is_empty() || row.starts_with("Unknown") || row.starts_with("  ") || row.contains("Callback info about")
    };
    let found: Vec<&str> = said.lines().filter(|row| !unknown(row)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
