//! `check`, `plan` and `layout`.

use super::{aldis, good, Folder, FBE, SBE};
use serde_json::Value;

const BROKEN: &str = "package p\nstruct S\n{\n    int32 a;\n    int32 a;\n    Nope b;\n}\n";

#[test]
fn all_errors_of_a_schema_are_shown_in_one_run() {
    let folder = Folder::new("check");
    let path = folder.write("broken.fbe", BROKEN);
    let run = aldis(&["check", &path]);
    assert_eq!(run.code, 1);
    assert!(run.text().contains("broken.fbe:5:11") && run.text().contains("broken.fbe:6:5"), "{}", run.text());
    assert_eq!(run.err, "", "remarks for people are left out where nobody watches");
}

#[test]
fn diagnostics_are_json_where_asked() {
    let folder = Folder::new("check-json");
    let path = folder.write("broken.fbe", BROKEN);
    let run = aldis(&["check", &path, "--message-format", "json"]);
    let lines: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["line"], &lines[0]["severity"]), (&5.into(), &"error".into()));
    let run = aldis(&["layout", &path, "--message-format", "json"]);
    assert_eq!((run.code, run.text()), (1, ""));
    assert_eq!(run.err.lines().count(), 2, "{}", run.err);
}

#[test]
fn colours_come_only_when_asked() {
    let folder = Folder::new("check-colour");
    let path = folder.write("broken.fbe", BROKEN);
    assert!(!aldis(&["check", &path]).text().contains('\x1b'));
    assert!(aldis(&["check", "--color", "always", &path]).text().contains('\x1b'));
}

#[test]
fn imports_are_found_in_import_folders() {
    let folder = Folder::new("imports");
    std::fs::create_dir_all(folder.0.join("common")).unwrap();
    folder.write("common/base.fbe", "package base\nstruct B\n{\n    int32 a;\n}\n");
    let path = folder.write("root.fbe", "package root\nimport base\nstruct R\n{\n    base.B b;\n}\n");
    assert_eq!(aldis(&["check", &path]).code, 1);
    assert_eq!(aldis(&["check", &path, "-I", &folder.path("common")]).code, 0);
}

#[test]
fn warnings_can_be_denied() {
    let schema = "conformance/vectors/sbe/dims.xml";
    assert_eq!(aldis(&["check", schema]).code, 0);
    assert_eq!(aldis(&["check", schema, "--deny-warnings"]).code, 1);
    assert_eq!(aldis(&["check", SBE, FBE, "--deny-warnings"]).code, 0);
}

#[test]
fn layout_shows_offsets_and_holes() {
    let text = String::from_utf8(good(&["layout", SBE, "--type", "market.OrderBook"], b"")).unwrap();
    let wanted = "\
market.OrderBook: record, sbe
  offset  size  field       type
       0     8  sequence    u64
       8     8  time        u64
      16     4  instrument  u32
      20     8  symbol      char[8]
      28     4  (hole)
      32     8  volatility  f64
                bids        list of OrderBook.bids
                asks        list of OrderBook.asks
  40 bytes, 4 bytes wasted, the message says how many there are
";
    assert!(text.ends_with(wanted), "{text}");
}

#[test]
fn plans_are_json_that_reads_back() {
    for schema in [FBE, SBE, "conformance/vectors/fbe/extra.fbe", "conformance/vectors/sbe/be-all.xml"] {
        let json = String::from_utf8(good(&["plan", "--json", schema], b"")).unwrap();
        let plans: Vec<aldis_plan::Plan> = serde_json::from_str(&json).unwrap();
        assert!(serde_json::to_string_pretty(&plans).unwrap() + "\n" == json, "{schema}");
        assert!(!plans.is_empty() && plans.iter().all(|plan| !plan.messages.is_empty()), "{schema}");
    }
}

#[test]
fn the_outline_names_every_part() {
    let outline = String::from_utf8(good(&["plan", FBE, "--form", "fbe-final"], b"")).unwrap();
    assert!(outline.starts_with("plan fbe-final (little endian)\n"), "{outline}");
    assert!(outline.contains("part positions: map of text to i64"), "{outline}");
}
