//! Generated code as plain files in `golden/`, reviewed like any other code. `UPDATE_GOLDEN=1` rewrites them.

mod common;

use aldis_diagnostics::any_error;
use aldis_emit::Request;
use common::{generate, plans, request, stem};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

/// What the names of a schema's modules end with.
const ENDINGS: [&str; 4] = [".js", ".d.ts", "_json.js", "_json.d.ts"];

/// Each schema, its module, and the first of its files that is kept.
const SCHEMAS: [(&str, &str, usize); 3] = [
    // Of what hostile names do tests in Node know more than readers; its types are there for the compiler of TypeScript.
    ("compiler/languages/javascript/tests/schemas/hostile.fbe", "hostile", 1),
    ("conformance/schemas/fbe/trades.fbe", "trades", 0),
    ("conformance/vectors/sbe/dims.xml", "h2dims", 0),
];

#[test]
fn generated_code_is_as_in_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut names = BTreeSet::new();
    for (schema, module, first) in SCHEMAS {
        let plans = plans(schema);
        let generated = generate(&Request { stem: stem(schema), ..request(&plans) });
        assert!(!any_error(&generated.diagnostics), "{schema}: {:?}", generated.diagnostics);
        let paths: Vec<String> = generated.files.iter().map(|file| file.path.clone()).collect();
        let expected: Vec<String> = ENDINGS.iter().map(|ending| format!("{module}{ending}")).collect();
        assert_eq!(paths, expected, "{schema}");
        for file in &generated.files[first..] {
            let path = folder.join(&file.path);
            if env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&path, &file.text).expect("the golden folder can be written");
            }
            let golden = fs::read_to_string(&path).unwrap_or_default();
            let differs = golden.lines().zip(file.text.lines()).position(|(a, b)| a != b);
            assert!(
                golden == file.text,
                "{} differs from line {:?} on: look at it, and set UPDATE_GOLDEN=1 if it is right",
                file.path,
                differs.map(|line| line + 1)
            );
        }
        names.extend(paths.into_iter().skip(first));
    }
    let found: BTreeSet<String> = fs::read_dir(&folder)
        .expect("there is a golden folder")
        .map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(found, names, "every golden file is of one of the schemas");
}

#[test]
fn lines_end_without_white_space_and_files_with_one_line_end() {
    for (schema, ..) in SCHEMAS {
        for file in generate(&request(&plans(schema))).files {
            assert!(file.text.ends_with('\n') && !file.text.ends_with("\n\n"), "{}", file.path);
            assert!(file.text.lines().all(|line| line.trim_end() == line), "{}", file.path);
        }
    }
}
