//! `lint`.

use super::{aldis, Folder};
use serde_json::Value;

const HOLE: &str = "conformance/lint/layout-hole.xml";
const UNDOCUMENTED: &str = "conformance/lint/docs-missing.fbe";

#[test]
fn advice_is_no_problem_unless_it_is_denied() {
    let run = aldis(&["lint", HOLE]);
    assert_eq!(run.code, 0);
    assert!(
        run.text().contains("warning[layout/hole]") && run.text().contains("layout-hole.xml:17:22"),
        "{}",
        run.text()
    );
    assert_eq!(aldis(&["lint", "--deny", "all", HOLE]).code, 1);
    assert_eq!(
        aldis(&["lint", "--deny", "layout,names/style", "conformance/lint/good/layout-hole.xml", UNDOCUMENTED]).code,
        0
    );
    let run = aldis(&["lint", "--deny", HOLE]);
    assert!(run.code == 2 && run.err.contains("there is no such set or rule"), "{}", run.err);
}

#[test]
fn sets_and_rules_are_chosen() {
    for (arguments, rules) in [
        (vec!["lint", HOLE, UNDOCUMENTED, "--only", "layout,docs/missing"], vec!["layout/hole", "docs/missing"]),
        (vec!["lint", HOLE, UNDOCUMENTED, "--skip", "layout/hole"], vec![]),
        (vec!["lint", HOLE, UNDOCUMENTED, "--only", "docs", "--skip", "docs"], vec![]),
    ] {
        let run = aldis(&[arguments, vec!["--message-format", "json"]].concat());
        let given: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(given.iter().map(|given| given["code"].as_str().unwrap()).collect::<Vec<_>>(), rules);
    }
    let run = aldis(&["lint", HOLE, "--only", "layuot"]);
    assert!(run.code == 2 && run.err.contains("did you mean layout?"), "{}", run.err);
}

#[test]
fn a_schema_with_errors_gets_no_advice() {
    let folder = Folder::new("lint");
    let run = aldis(&["lint", &folder.write("broken.fbe", "package p\nstruct S { Nope a; }\n")]);
    assert!(run.code == 1 && run.text().is_empty() && run.err.contains("fbe/E0027"), "{}{}", run.text(), run.err);
}

#[test]
fn each_language_tells_its_own_keywords() {
    let folder = Folder::new("lint-keywords");
    let text = "package p\nstruct Object\n{\n    int32 end;\n    int32 class;\n    int32 symbol;\n}\n";
    let run = aldis(&["lint", "--only", "portability", &folder.write("words.fbe", text)]);
    let said: Vec<&str> = run.text().lines().filter(|line| line.starts_with("warning")).collect();
    let keyword =
        |name: &str, language: &str| format!("warning[portability/keyword]: `{name}` is a keyword of {language}");
    let of_class = keyword("class", "cpp, java, python, csharp");
    assert_eq!(said, [keyword("Object", "javascript"), keyword("end", "erlang, elixir"), of_class]);
}
