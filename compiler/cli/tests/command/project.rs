//! `aldis.toml`: the verbs with and without it, `init`, and what is said of its mistakes.

use super::{aldis, command, root, Folder, Run, FBE, SBE};
use std::fs;
use std::process::Command;

const HOLE: &str = "conformance/lint/layout-hole.xml";

/// Runs the command in a folder.
fn aldis_in(folder: &Folder, below: &str, arguments: &[&str]) -> Run {
    let output = command(arguments).current_dir(folder.0.join(below)).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    Run { code: output.status.code().unwrap(), out: output.stdout, err }
}

fn copy(folder: &Folder, from: &str, to: &str) {
    let to = folder.0.join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(root().join(from), to).unwrap();
}

fn git(folder: &Folder, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(arguments).current_dir(&folder.0);
    assert!(git.output().unwrap().status.success(), "{arguments:?}");
}

/// A project of two schemas in folders of their own.
fn project(name: &str, file: &str) -> Folder {
    let folder = Folder::new(&format!("project-{name}"));
    copy(&folder, FBE, "feeds/market.fbe");
    copy(&folder, SBE, "sbe/market.xml");
    folder.write("aldis.toml", file);
    folder
}

#[test]
fn mistakes_are_told_with_their_places() {
    let corpus = root().join("conformance/errors/project");
    let mut count = 0;
    for entry in fs::read_dir(&corpus).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        count += 1;
        let folder = Folder::new("project-corpus");
        copy(&folder, FBE, "market.fbe");
        copy(&folder, SBE, "market.xml");
        fs::copy(&path, folder.0.join("aldis.toml")).unwrap();
        let run = aldis_in(&folder, "", &["gen", "--check"]);
        assert_eq!((run.code, run.text()), (1, ""), "{path:?}");
        let golden = path.with_extension("stderr");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&golden, &run.err).unwrap();
        }
        assert_eq!(run.err, fs::read_to_string(&golden).unwrap_or_default(), "{path:?}");
        assert_eq!(run.err.matches("error[").count(), 1, "one mistake a file: {path:?}");
    }
    assert!(count > 25, "{count}");
}

#[test]
fn without_schemas_and_without_a_project_nothing_is_done() {
    let folder = Folder::new("project-none");
    for verb in ["gen", "check", "breaking", "lint", "fmt"] {
        let run = aldis_in(&folder, "", &[verb]);
        assert!(run.code == 2 && run.err.contains("aldis init"), "{verb}: {}", run.err);
    }
    let run = aldis_in(&folder, "", &["gen", "--lang", "erlang"]);
    assert!(run.code == 2 && run.err.contains("required"), "{}", run.err);
}

const TWO: &str = r#"schemas = ["feeds/*.fbe", "sbe/*.xml"]

[[outputs]]
language = "erlang"
folder = "src"
schemas = "feeds/**"
name = "feed"
rename = { "market.Trade" = "deal" }
options = { strict_text = true }

[[outputs]]
language = "cpp"
folder = "include"
schemas = "sbe/market.xml"
"#;

#[test]
fn gen_writes_all_outputs_from_anywhere_below() {
    let folder = project("gen", TWO);
    let run = aldis_in(&folder, "feeds", &["gen", "--check"]);
    assert!(run.code == 1 && run.err.contains("../src/feed.erl is not up to date"), "{}", run.err);
    assert!(fs::metadata(folder.path("src")).is_err(), "nothing is written");
    let run = aldis_in(&folder, "feeds", &["gen", "--sources", "list"]);
    assert_eq!((run.code, run.text(), run.err.as_str()), (0, "", ""));
    let list = fs::read_to_string(folder.path("feeds/list")).unwrap();
    assert_eq!(list, "../feeds/market.fbe\n../sbe/market.xml\n");
    let out = folder.path("same");
    let options = ["--name", "feed", "--rename", "market.Trade=deal", "--option", "strict_text"];
    let single = [&["gen", FBE, "--lang", "erlang", "--out", &out][..], &options].concat();
    assert_eq!(aldis(&single).code, 0);
    let text = |path: &str| fs::read_to_string(folder.path(path)).unwrap();
    assert_eq!(text("same/feed.erl"), text("src/feed.erl"));
    assert!(text("include/market/trade.hpp").contains("namespace market"));
    assert!(fs::metadata(folder.path("include/feed.hpp")).is_err(), "the output chooses its schemas");
    assert_eq!(aldis_in(&folder, "", &["gen", "--check"]).code, 0);
    folder.write("src/feed.erl", "other");
    let run = aldis_in(&folder, "", &["gen", "--check"]);
    assert_eq!((run.code, run.err.as_str()), (1, "error: src/feed.erl is not up to date\n"));
    folder.write("feeds/broken.fbe", "package p\nstruct S { Nope a; }\n");
    let run = aldis_in(&folder, "", &["gen"]);
    assert!(run.code == 1 && run.err.contains("fbe/E0027"), "{}", run.err);
    assert_eq!(text("src/feed.erl"), "other", "nothing is written while a schema is broken");
}

#[test]
fn check_lint_and_fmt_take_all_schemas() {
    let folder = project("verbs", "schemas = [\"**/*.fbe\", \"**/*.xml\", \"!old/**\"]\n[lint]\nlayout = \"deny\"\n");
    copy(&folder, HOLE, "sbe/hole.xml");
    folder.write("bad.fbe", "package p\nstruct S { Nope a; }\n");
    fs::create_dir(folder.path("old")).unwrap();
    folder.write("old/bad.fbe", "package p\nstruct S { Never a; }\n");
    let run = aldis_in(&folder, "sbe", &["check"]);
    assert!(run.code == 1 && run.text().contains("../bad.fbe:2:12") && !run.text().contains("Never"), "{}", run.text());
    assert_eq!(aldis_in(&folder, "sbe", &["check", "market.xml"]).code, 0, "named schemas are checked alone");
    folder.write("bad.fbe", "package p\nstruct S {\n  int32   a;\n}\n");
    assert_eq!(aldis_in(&folder, "sbe", &["check"]).code, 0);
    let run = aldis_in(&folder, "", &["lint"]);
    assert!(run.code == 1 && run.text().contains("error[layout/hole]"), "{}", run.text());
    assert_eq!(aldis_in(&folder, "", &["lint", "--only", "names"]).code, 0);
    folder.write(
        "aldis.toml",
        "schemas = [\"**/*.{fbe,xml}\", \"!old/*\"]\n[lint]\nall = \"off\"\n\"layout/hole\" = \"advise\"\n",
    );
    let run = aldis_in(&folder, "", &["lint"]);
    assert!(run.code == 0 && run.text().matches("warning[").count() == 1, "{}", run.text());
    let run = aldis_in(&folder, "", &["fmt", "--check"]);
    assert!(run.code == 1 && run.text().contains("bad.fbe:2:1") && run.err.is_empty(), "{}{}", run.text(), run.err);
    assert_eq!(aldis_in(&folder, "sbe", &["fmt"]).code, 0);
    assert_eq!(aldis_in(&folder, "", &["fmt", "--check"]).code, 0);
}

#[test]
fn imports_and_hints_are_the_projects() {
    let folder = Folder::new("project-imports");
    fs::create_dir_all(folder.path("common")).unwrap();
    folder.write("common/types.fbe", "package types\nstruct Price { int64 units; }\n");
    folder.write("orders.fbe", "package orders\nimport types\nstruct Order(1) { types.Price price; }\n");
    folder.write("aldis.toml", "schemas = \"orders.fbe\"\n");
    assert_eq!(aldis_in(&folder, "", &["check"]).code, 1);
    folder.write("aldis.toml", "schemas = [{ files = \"*.fbe\", format = \"fbe\" }]\nimports = [\"common\"]\n");
    let run = aldis_in(&folder, "common", &["check"]);
    assert_eq!((run.code, run.text()), (0, ""), "{}", run.err);
}

const BREAKING: &str = r#"schemas = ["feeds/*.fbe", "sbe/*.xml"]

[breaking]
against = "git:HEAD"
must = "BF"

[[breaking.exceptions]]
what = "market.Level.orders"
code = "evolution/E0004"
reason = "nobody reads orders yet"

[[breaking.exceptions]]
what = "market.Nothing"
reason = "left behind"
"#;

#[test]
fn breaking_asks_of_each_schema_what_the_project_says() {
    let folder = project("breaking", BREAKING);
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "one"]);
    let run = aldis_in(&folder, "sbe", &["breaking"]);
    let same = "../feeds/market.fbe: nothing changed since git:HEAD\nmarket.xml: nothing changed since git:HEAD\n";
    assert_eq!((run.code, run.text().replace("../sbe/", "").as_str()), (0, same), "{}", run.err);
    assert_eq!(run.err.matches("project/W0001").count(), 2, "{}", run.err);
    let text = fs::read_to_string(folder.path("feeds/market.fbe")).unwrap();
    folder.write("feeds/market.fbe", text.replace("uint32 orders", "int32 orders"));
    folder.write("feeds/new.fbe", "package new\nstruct S(1) { int32 a; }\n");
    let run = aldis_in(&folder, "", &["breaking"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.err);
    assert!(run.text().contains("(BFS broken), by exception: nobody reads orders yet"), "{}", run.text());
    assert!(run.text().contains("1 difference since git:HEAD, 1 by exception, none breaks BF"), "{}", run.text());
    assert!(run.text().contains("feeds/new.fbe: there is no older version"), "{}", run.text());
    assert!(run.err.contains("warning[project/W0001]") && run.err.contains("aldis.toml:12:1"), "{}", run.err);
    let run = aldis_in(&folder, "", &["breaking", "--must", "J"]);
    assert_eq!(run.code, 0, "{}", run.text());
    folder.write("aldis.toml", BREAKING.replace("E0004", "E0002"));
    let run = aldis_in(&folder, "", &["breaking"]);
    assert!(run.code == 1 && run.text().contains("error[evolution/E0004]"), "{}", run.text());
}

#[test]
fn older_versions_are_locks_or_in_a_folder_too() {
    let folder = project("older", "schemas = \"feeds/*.fbe\"\n[breaking]\nagainst = \"released\"\nmust = \"S\"\n");
    let run = aldis_in(&folder, "feeds", &["breaking"]);
    assert!(run.code == 1 && run.err.contains("aldis.toml:3:11"), "{}", run.err);
    assert!(run.err.contains("no folder released") && run.err.contains("`git:released`?"), "{}", run.err);
    fs::create_dir(folder.path("released")).unwrap();
    assert!(aldis_in(&folder, "", &["breaking"]).text().contains("there is no older version"));
    let run = aldis_in(&folder, "", &["breaking", "--message-format", "json"]);
    assert!(run.code == 0 && run.text().contains(r#""schema":"feeds/market.fbe""#), "{}", run.text());
    copy(&folder, FBE, "released/feeds/market.fbe");
    let text = fs::read_to_string(folder.path("feeds/market.fbe")).unwrap();
    assert_eq!(aldis_in(&folder, "", &["lock", "feeds/market.fbe"]).code, 0);
    folder.write("feeds/market.fbe", text.replace("uint32 orders", "uint32 count"));
    let run = aldis_in(&folder, "", &["breaking"]);
    assert!(run.code == 1 && run.text().contains("since released/feeds/market.fbe, 1 breaks S"), "{}", run.text());
    folder.write("aldis.toml", "schemas = \"feeds/*.fbe\"\n[breaking]\nagainst = \"lock\"\n");
    let run = aldis_in(&folder, "", &["breaking"]);
    assert!(run.code == 0 && run.text().contains("since feeds/market.fbe.lock, none breaks BF"), "{}", run.text());
}

#[test]
fn the_project_is_no_older_version_of_itself_and_a_missing_lock_is_told() {
    let folder = project("against", "");
    for against in ["", ".", "feeds/.."] {
        folder.write("aldis.toml", format!("schemas = \"feeds/*.fbe\"\n[breaking]\nagainst = \"{against}\"\n"));
        let run = aldis_in(&folder, "", &["breaking"]);
        assert!(run.code == 1 && run.err.contains("error[project/E0006]"), "{against}: {}{}", run.text(), run.err);
    }
    folder.write("aldis.toml", "schemas = \"feeds/*.fbe\"\n[breaking]\nagainst = \"lock\"\n");
    let run = aldis_in(&folder, "", &["breaking"]);
    assert!(run.code == 0 && run.err.contains("aldis lock feeds/market.fbe writes it"), "{}", run.err);
}

#[test]
fn proofs_stay_in_their_folder() {
    let folder = Folder::new("project-witness");
    let old = "package p\nstruct S(1) { int32 a; }\n";
    for below in ["p", "old/p", "old"] {
        fs::create_dir_all(folder.path(below)).unwrap();
    }
    let outside = folder.path("out.fbe");
    folder.write("p/aldis.toml", format!("schemas = [\"../x.fbe\", {outside:?}]\n"));
    folder.write("old.fbe", old);
    for name in ["x.fbe", "out.fbe"] {
        folder.write(name, old.replace("int32", "int64"));
    }
    let run = aldis_in(&folder, "p", &["breaking", "--against", "../old.fbe", "--witness", "proofs"]);
    assert!(run.code == 1 && fs::metadata(&outside).unwrap().is_file(), "{}{}", run.text(), run.err);
    let has_proof = |path: &str| fs::read_dir(folder.path(path)).unwrap().count() > 0;
    assert!(has_proof("p/proofs/above/x.fbe") && has_proof("p/proofs/root"));
    assert!(fs::metadata(folder.path("p/x.fbe")).is_err(), "nothing is written beside the folder");
}

#[test]
fn folders_of_tools_hold_no_schemas_unless_they_are_named() {
    let folder = project("tools", "schemas = \"**/*.fbe\"\n");
    for tool in ["node_modules", "target", "_build", "_checkouts", "deps"] {
        fs::create_dir_all(folder.path(&format!("{tool}/a"))).unwrap();
        folder.write(&format!("{tool}/a/bad.fbe"), "package p\nstruct S { Nope a; }\n");
    }
    assert_eq!(aldis_in(&folder, "", &["check"]).code, 0);
    folder.write("aldis.toml", "schemas = \"deps/**/*.fbe\"\n");
    let run = aldis_in(&folder, "", &["check"]);
    assert!(run.code == 1 && run.text().contains("deps/a/bad.fbe"), "{}", run.text());
}

#[test]
fn init_writes_names_with_letters_of_patterns_as_they_are() {
    let folder = Folder::new("project-init-letters");
    for (number, name) in ["!a.fbe", "b[1].fbe", "c{d}e.fbe", "f*.fbe", "g?.fbe"].iter().enumerate() {
        fs::create_dir(folder.path(&format!("d{number}"))).unwrap();
        folder.write(&format!("d{number}/{name}"), "package p\nstruct S(1) { int32 a; }\n");
    }
    fs::create_dir(folder.path("!h[")).unwrap();
    for name in ["i", "j"] {
        folder.write(&format!("!h[/{name}.fbe"), "package p\nstruct S(1) { int32 a; }\n");
    }
    folder.write("!k.fbe", "package p\nstruct S(1) { Nope a; }\n");
    assert_eq!(aldis_in(&folder, "", &["init"]).code, 0);
    let run = aldis_in(&folder, "", &["check"]);
    assert!(run.code == 1 && run.text().contains("!k.fbe:2:15"), "{}{}", run.text(), run.err);
    folder.write("!k.fbe", "package p\nstruct S(1) { int32 a; }\n");
    let run = aldis_in(&folder, "", &["check"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.text());
}

#[test]
fn init_writes_a_project_that_works() {
    let folder = Folder::new("project-init");
    let run = aldis_in(&folder, "", &["init"]);
    assert!(run.code == 1 && run.err.contains("no schema"), "{}", run.err);
    copy(&folder, FBE, "feeds/market.fbe");
    copy(&folder, "conformance/schemas/addressbook.capnp", "book.capnp");
    fs::create_dir_all(folder.path("common")).unwrap();
    folder.write("common/types.fbe", "package types\nstruct Price { int64 units; }\n");
    folder.write("feeds/orders.fbe", "package orders\nimport types\nstruct Order(1) { types.Price price; }\n");
    folder.write("other.xml", "<project/>");
    folder.write("package.json", "{}");
    let run = aldis_in(&folder, "", &["init"]);
    let said = "aldis.toml: 4 schemas, code in javascript to src as there is package.json\nnext: aldis check\n";
    assert_eq!((run.code, run.text(), run.err.as_str()), (0, said, ""));
    let text = fs::read_to_string(folder.path("aldis.toml")).unwrap();
    let schemas = "\nschemas = [\"book.capnp\", \"common/types.fbe\", \"feeds/*.fbe\"]\nimports = [\"common\"]\n";
    assert!(text.contains(schemas), "{text}");
    for verb in ["check", "gen", "lint"] {
        let run = aldis_in(&folder, "", &[verb]);
        assert_eq!(run.code, 0, "{verb}: {}", run.err);
    }
    assert!(fs::metadata(folder.path("src/market.js")).is_ok());
    let run = aldis_in(&folder, "", &["init"]);
    assert!(run.code == 1 && run.err.contains("it is there already"), "{}", run.err);
}

#[test]
fn locks_of_all_schemas_are_raised_at_once() {
    let folder = project("locks", "schemas = [\"feeds/*.fbe\", \"sbe/*.xml\"]\n");
    assert_eq!(aldis_in(&folder, "", &["lock", "--check"]).code, 1);
    assert_eq!(aldis_in(&folder, "feeds", &["lock"]).code, 0);
    assert_eq!(aldis_in(&folder, "", &["lock", "--check"]).code, 0);
    // One schema breaks: the other's lock is raised all the same.
    let change = |path: &str, from: &str, to: &str| {
        let text = fs::read_to_string(folder.path(path)).unwrap();
        assert!(text.contains(from), "{path}");
        fs::write(folder.path(path), text.replacen(from, to, 1)).unwrap();
    };
    change("feeds/market.fbe", "uint32 orders", "int32 orders");
    change("sbe/market.xml", "name=\"sequence\"", "name=\"number\"");
    let run = aldis_in(&folder, "", &["lock"]);
    assert!(run.code == 1 && run.err.contains("feeds/market.fbe.lock: raising it breaks BF"), "{}", run.err);
    assert_eq!(aldis_in(&folder, "", &["lock", "sbe/market.xml", "--check"]).code, 0);
    // A change that the project excepts needs no further reason.
    let exception = "[[breaking.exceptions]]\nwhat = \"market.Level.orders\"\nreason = \"nobody reads it\"\n";
    folder.write("aldis.toml", format!("schemas = [\"feeds/*.fbe\", \"sbe/*.xml\"]\n{exception}"));
    let run = aldis_in(&folder, "", &["lock"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(aldis_in(&folder, "", &["lock", "--check"]).code, 0);
}
