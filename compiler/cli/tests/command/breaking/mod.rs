//! `aldis breaking` and `aldis lock`.

mod generated;

use super::{aldis, command, Folder};
use serde_json::Value;
use std::fs;
use std::process::Command;

const OLD: &str = "conformance/evolution/venue-1.xml";
const NEW: &str = "conformance/evolution/venue-2.xml";

#[test]
fn differences_have_both_ends_and_a_proof() {
    let run = aldis(&["breaking", NEW, "--against", OLD]);
    assert_eq!(run.code, 1, "{}", run.err);
    let text = run.text();
    for part in [
        "the field `venue.Execution.account` was added: B broken",
        "--> conformance/evolution/venue-2.xml:",
        "::: conformance/evolution/venue-1.xml:",
        "B: old writers of venue.Execution write",
        "[ff ff ff ff]",
        "new readers refuse it",
        "venue.Reason.halted` was added\n",
        "8 differences since conformance/evolution/venue-1.xml, 4 break BF\n",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn the_user_says_what_must_hold() {
    let broken = |must: &str| aldis(&["breaking", NEW, "--against", OLD, "--must", must]).code;
    assert_eq!([broken("B"), broken("F"), broken("bfjs"), broken("")], [1, 1, 1, 2]);
    let same = aldis(&["breaking", OLD, "--against", OLD, "--must", "BFJS"]);
    assert_eq!((same.code, same.text()), (0, "nothing changed since conformance/evolution/venue-1.xml\n"));
    let other = aldis(&[
        "breaking",
        "conformance/schemas/market.fbe",
        "--against",
        "conformance/schemas/market.fbe",
        "--form",
        "sbe",
    ]);
    assert_eq!(other.code, 2, "{}", other.err);
}

#[test]
fn scripts_get_an_object_for_each_difference() {
    let run = aldis(&["breaking", NEW, "--against", OLD, "--message-format", "json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let objects: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 8);
    let broken: Vec<&Value> = objects.iter().filter(|object| object["severity"] == "error").collect();
    assert_eq!(broken.len(), 4);
    for object in broken {
        assert!(object["line"].as_u64().unwrap() > 0 && !object["messages"].as_array().unwrap().is_empty(), "{object}");
        for witness in object["witnesses"].as_array().unwrap() {
            assert!(!witness["bytes"].as_str().unwrap().is_empty() && witness["breaks"].is_string(), "{witness}");
            assert!(witness["read"].is_object() != witness["fault"].is_string(), "{witness}");
        }
    }
}

#[test]
fn proofs_are_files_that_the_versions_read_otherwise() {
    let folder = Folder::new("witness");
    let run = aldis(&["breaking", NEW, "--against", OLD, "--witness", &folder.path("proofs")]);
    assert_eq!(run.code, 1);
    let files: Vec<_> = fs::read_dir(folder.path("proofs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let bytes: Vec<_> = files.iter().filter(|path| path.extension().is_some_and(|e| e == "bin")).collect();
    assert!(bytes.len() >= 6 && files.len() == 2 * bytes.len(), "{files:?}");
    for path in bytes {
        let proof: Value = serde_json::from_str(&fs::read_to_string(path.with_extension("json")).unwrap()).unwrap();
        let (writer, reader) = if proof["breaks"] == "B" { (OLD, NEW) } else { (NEW, OLD) };
        let decode = |schema: &str| aldis(&["decode", schema, path.to_str().unwrap()]);
        let message = |run: &str| serde_json::from_str::<Value>(run.lines().next().unwrap_or_default()).ok();
        let meant = message(decode(writer).text()).unwrap();
        assert_eq!(meant["value"], proof["written"]);
        let read = message(decode(reader).text());
        assert_ne!(read.map(|read| read["value"].clone()), Some(meant["value"].clone()), "{path:?}");
    }
}

fn git(folder: &Folder, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
    // Tests may run in a hook, whose variables name a repository that is not the test's.
    let hooks = Command::new("git").args(["rev-parse", "--local-env-vars"]).output().expect("it starts (make setup)");
    let mut command = Command::new("git");
    for name in String::from_utf8(hooks.stdout).unwrap().lines() {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let run = command.args(identity).args(arguments).current_dir(&folder.0).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// A schema and what it imports, in a repository with one commit.
fn repository(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.path("money.fbe"), "package money\nstruct Money(1)\n{\n    int64 units;\n}\n").unwrap();
    fs::write(folder.path("shop.fbe"), "package shop\nimport money\nstruct Item(2)\n{\n    money.Money price;\n}\n")
        .unwrap();
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "first"]);
    folder
}

#[test]
fn the_old_version_comes_from_git_with_its_imports() {
    let folder = repository("git");
    let schema = folder.path("shop.fbe");
    let same = aldis(&["breaking", &schema]);
    assert_eq!((same.code, same.text()), (0, "nothing changed since git:HEAD\n"), "{}", same.err);
    fs::write(folder.path("money.fbe"), "package money\nstruct Money(1)\n{\n    int32 places;\n    int64 units;\n}\n")
        .unwrap();
    let run = aldis(&["breaking", &schema, "--against", "git:HEAD"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.text().contains("the field `money.Money.places` was added, which moves another: BF broken"),
        "{}",
        run.text()
    );
    let none = aldis(&["breaking", &schema, "--against", "git:v9"]);
    assert!(none.err.contains("there is no commit `v9`"), "{}", none.err);
}

#[test]
fn hooks_may_ask_for_a_version_of_git() {
    let folder = repository("hook");
    fs::create_dir(folder.path("inner")).unwrap();
    let schema = folder.write("inner/a.fbe", "package a\nstruct A(1)\n{\n    int32 x;\n}\n");
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "second"]);
    let run = command(&["breaking", &schema, "--against", "git:HEAD"])
        .env("GIT_DIR", folder.path(".git"))
        .env("GIT_INDEX_FILE", folder.path(".git/index"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn what_git_says_is_told() {
    let folder = Folder::new("nogit");
    let schema = folder.write("a.fbe", "package a\nstruct A(1)\n{\n    int32 x;\n}\n");
    let run = command(&["breaking", &schema]).env("GIT_CEILING_DIRECTORIES", "/").env("LC_ALL", "C").output().unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("(git says: fatal: not a git repository"), "{said}");
}

#[test]
fn locks_forget_no_form() {
    let folder = Folder::new("lock-forms");
    let schema = folder.write("a.fbe", "package a\nstruct P(1)\n{\n    int32 x;\n}\n");
    let lock = format!("{schema}.lock");
    assert_eq!(aldis(&["lock", &schema]).code, 0);
    folder.write("a.fbe", "package a\nstruct P(1)\n{\n    int32 x;\n    int32 y;\n}\n");
    let told = aldis(&["breaking", &schema, "--message-format", "json"]);
    let objects: Vec<Value> = told.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let other = objects.iter().find(|object| object["form"] == "fbe-final").expect("the other form is told of");
    assert_eq!((told.code, &other["broken"]), (0, &Value::from("BF")));
    // The form that is asked for takes a reason.
    let refused = aldis(&["lock", &schema, "--form", "fbe-final"]);
    assert!(refused.code == 1 && refused.err.contains("raising it breaks BF"), "{}", refused.err);
    // Another one is said, and kept.
    let raised = aldis(&["lock", &schema]);
    assert!(raised.code == 0 && raised.err.contains("in the form fbe-final: BF broken"), "{}", raised.err);
    let text: Value = serde_json::from_str(&fs::read_to_string(lock).unwrap()).unwrap();
    assert_eq!(text["accepted"].as_array().unwrap().len(), 1, "{}", text["accepted"]);
    assert_eq!((&text["accepted"][0]["form"], &text["accepted"][0]["broken"]), (&"fbe-final".into(), &"BF".into()));
    assert_eq!(text["accepted"][0]["reason"], "only the form fbe was asked for");
}

#[test]
fn locks_are_of_bytes_and_names_alone() {
    let folder = Folder::new("lock-texts");
    let schema = folder.write("a.fbe", "package a\nstruct P(1)\n{\n    int32 x;\n}\n");
    let lock = format!("{schema}.lock");
    assert_eq!(aldis(&["lock", &schema]).code, 0);
    let first = fs::read_to_string(&lock).unwrap();
    let check = || aldis(&["lock", &schema, "--check"]).code;
    let other = first.replace(env!("CARGO_PKG_VERSION"), "0.0.1");
    assert_ne!(first, other);
    fs::write(&lock, &other).unwrap();
    folder.write("a.fbe", "package a\n\n\n// A point.\nstruct P(1) {\n  int32 x; // across\n}\n");
    assert_eq!(check(), 0);
    // Nothing is written where there is nothing to lock.
    assert_eq!(aldis(&["lock", &schema]).code, 0);
    assert_eq!(fs::read_to_string(&lock).unwrap(), other);
    folder.write("a.fbe", "package a\nstruct P(1)\n{\n    int32 z;\n}\n");
    assert_eq!(check(), 1);
}

#[test]
fn locks_are_raised_for_a_reason() {
    let folder = repository("lock");
    let (schema, lock) = (folder.path("shop.fbe"), folder.path("shop.fbe.lock"));
    assert_eq!(aldis(&["lock", &schema]).code, 0);
    let first = fs::read_to_string(&lock).unwrap();
    assert_eq!(aldis(&["lock", &schema, "--check"]).code, 0);
    // A change that breaks nothing is locked as it is.
    let text = fs::read_to_string(&schema).unwrap();
    fs::write(&schema, text.replace("price;", "price;\n    string name;")).unwrap();
    let run = aldis(&["breaking", &schema]);
    assert!(run.code == 0 && run.text().contains("shop.fbe.lock"), "{}{}", run.text(), run.err);
    assert_eq!(aldis(&["lock", &schema, "--check"]).code, 1);
    assert_eq!(aldis(&["lock", &schema]).code, 0);
    let second = fs::read_to_string(&lock).unwrap();
    assert_ne!(first, second);
    // A change that breaks something takes a reason, which is kept.
    fs::write(&schema, text.replace("money.Money price;", "string name;\n    money.Money price;")).unwrap();
    let refused = aldis(&["lock", &schema]);
    assert!(refused.code == 1 && refused.err.contains("--accept 'REASON'"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&lock).unwrap(), second);
    assert_eq!(aldis(&["lock", &schema, "--accept", "nobody reads it yet"]).code, 0);
    let third: Value = serde_json::from_str(&fs::read_to_string(&lock).unwrap()).unwrap();
    let accepted = third["accepted"].as_array().unwrap().iter();
    let accepted: Vec<[&str; 3]> =
        accepted.map(|one| ["form", "broken", "reason"].map(|name| one[name].as_str().unwrap())).collect();
    let reason = "nobody reads it yet";
    let unasked = "only the form fbe was asked for";
    assert_eq!(accepted, [["fbe-final", "BF", unasked], ["fbe", "BF", reason], ["fbe-final", "BF", reason]]);
    assert_eq!(aldis(&["breaking", &schema]).text(), format!("nothing changed since {lock}\n"));
    fs::write(&lock, "{").unwrap();
    assert!(aldis(&["breaking", &schema]).err.contains("this is no lock"));
}

#[test]
fn defaults_that_are_no_numbers_are_locked() {
    let folder = Folder::new("lock-nan");
    let text = "@0xd4f12b9e6a7c3581;\nstruct S { a @0 :Float64 = nan; b @1 :Float32 = -inf; }\n";
    let path = folder.write("s.capnp", text);
    assert_eq!(aldis(&["lock", &path]).code, 0);
    assert_eq!(aldis(&["lock", &path, "--check"]).code, 0);
    let run = aldis(&["breaking", &path]);
    assert!(run.code == 0 && run.text().starts_with("nothing changed"), "{}{}", run.text(), run.err);
}

#[test]
fn a_form_that_is_gone_is_told() {
    let folder = Folder::new("breaking-form");
    let path = folder.write("s.fbe", "package p\nstruct S(1)\n{\n    int32 a;\n}\n");
    assert_eq!(aldis(&["lock", &path]).code, 0);
    let lock = folder.path("s.fbe.lock");
    let text = fs::read_to_string(&lock).unwrap();
    fs::write(&lock, text.replace("fbe-final", "fbe-lost")).unwrap();
    let run = aldis(&["breaking", &path]);
    assert!(run.code == 0 && run.err.contains("the form fbe-lost of") && run.err.contains("is gone"), "{}", run.err);
    let run = aldis(&["breaking", &path, "--message-format", "json"]);
    assert!(run.text().contains("\"form\":\"fbe-lost\""), "{}", run.text());
}
