//! `check`, `plan` and `layout`.

use super::{aldis, command, good, Folder, CAPNP, FBE, SBE};
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
fn layouts_of_forms_that_differ_only_in_their_wrapping_are_shown_once() {
    let text = String::from_utf8(good(&["layout", CAPNP, "--type", "Person.PhoneNumber"], b"")).unwrap();
    let wanted = "\
Person.PhoneNumber: record, capnp, capnp-packed, capnp-canonical
  offset  size  field   type
       0     2  type    Person.PhoneNumber.Type (u16)
       2     6  (hole)
       8     8  number  pointer to text
  16 bytes, 6 bytes wasted, 1 word of data and 1 pointer, or as many as the message says
";
    assert_eq!(text, wanted);
    let text = String::from_utf8(good(&["layout", FBE, "--type", "market.Balance"], b"")).unwrap();
    assert!(text.contains("record, fbe\n") && text.contains("record, fbe-final\n"), "{text}");
}

#[test]
fn plans_are_json_that_reads_back() {
    for schema in [FBE, SBE, "conformance/vectors/fbe/extra.fbe", "conformance/vectors/sbe/be-all.xml", CAPNP] {
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

#[test]
fn routines_are_an_outline_of_operations() {
    let outline = String::from_utf8(good(&["plan", "--routines", SBE], b"")).unwrap();
    assert!(outline.starts_with("routines sbe\n"), "{outline}");
    assert!(outline.contains("price") && outline.contains(" = fields of table "), "{outline}");
    assert!(outline.contains(" = fill blank "), "{outline}");
    let outline = String::from_utf8(good(&["plan", "--routines", CAPNP, "--form", "capnp"], b"")).unwrap();
    assert!(outline.starts_with("routines capnp\n") && outline.contains(" = sections of "), "{outline}");
}

#[test]
fn a_schema_may_come_from_standard_input() {
    let fbe = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/schemas/market.fbe")).unwrap();
    good(&["check", "-", "--format", "fbe"], &fbe);
    assert_eq!(good(&["plan", "-", "--format", "fbe"], &fbe), good(&["plan", FBE], b""));
    let run = aldis(&["check", "-"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--format"), "{}", run.err);
}

#[test]
fn a_missing_file_does_not_stop_the_others() {
    let folder = Folder::new("check-missing");
    let path = folder.write("broken.fbe", BROKEN);
    let run = aldis(&["check", SBE, "no-such.fbe", &path]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("no-such.fbe: there is no such file"), "{}", run.err);
    assert!(run.text().contains("broken.fbe:5:11"), "{}", run.text());
    // A mistake in the command line still counts, and is still said behind what the schemas have.
    let run = aldis(&["check", "README.md", &path]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("README.md") && run.text().contains("broken.fbe:5:11"));
}

#[test]
fn a_closed_pipe_hides_no_error() {
    let folder = Folder::new("check-pipe");
    let broken = folder.write("broken.fbe", BROKEN);
    for (schemas, code) in [(&[broken.as_str()][..], 1), (&[SBE, &broken], 1), (&[SBE], 0)] {
        let mut child = command(&[&["check"], schemas].concat()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(code), "{schemas:?}");
    }
}

#[test]
fn warnings_are_shown_only_where_they_are_asked_for() {
    let schema = "conformance/vectors/sbe/dims.xml";
    assert!(aldis(&["check", schema]).text().contains("warning["));
    let folder = Folder::new("warnings");
    let generate = ["gen", schema, "--lang", "interpreter", "--testee", "--out", &folder.path("t")];
    assert!(aldis(&generate).err.contains("warning["));
    for arguments in [&["layout", schema][..], &["plan", schema], &["random", schema], &["testee", schema]] {
        let run = aldis(arguments);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn nothing_of_a_schema_reaches_the_terminal_raw() {
    let folder = Folder::new("escapes");
    let hostile = "package p\nstruct S // \u{202e}\u{9b}31m\u{61c}\n{\n    No\x1b]0;pwned\x07pe a; // \x1b[8m\u{9b}8m\u{202e}\n    \u{202e}\n}\n";
    let path = folder.write("hostile\x1b[31m.fbe", hostile);
    for colour in ["never", "always"] {
        let run = aldis(&["check", "--color", colour, &path]);
        assert_eq!(run.code, 1);
        for bad in ["\x1b]", "\x1b[8m", "\u{9b}", "\u{202e}", "\u{61c}", "\x07", "hostile\x1b"] {
            assert!(!run.text().contains(bad), "{bad:?} in {:?}", run.text());
        }
        assert_eq!(run.text().contains('\x1b'), colour == "always");
        let run = aldis(&["layout", "--color", colour, SBE, "--type", "\x1b[8mX\u{202e}"]);
        assert!(run.err.contains("\\u{1b}[8mX\\u{202e}"), "{}", run.err);
    }
}

#[test]
fn records_are_found_without_their_package() {
    let short = good(&["layout", SBE, "--type", "OrderBook"], b"");
    assert!(short == good(&["layout", SBE, "--type", "market.OrderBook"], b""));
    let run = aldis(&["layout", SBE, "--type", "OrderBok"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("it has ") && run.err.contains("market.Trade"), "{}", run.err);
}

#[test]
fn schemas_of_other_tools_are_told_by_name() {
    let run = aldis(&["check", "wire.proto"]);
    assert_eq!(run.code, 2);
    let said = "wire.proto: this is a schema of Protocol Buffers, which aldis does not read; it reads fbe (.fbe), sbe (.xml), ";
    assert!(run.err.contains(said), "{}", run.err);
}

/// An input without an end is read to the limit, and refused with the format's own code.
#[cfg(unix)]
#[test]
fn schemas_without_an_end_are_refused() {
    for format in ["fbe", "sbe", "capnp"] {
        let run = aldis(&["check", "/dev/zero", "--format", format, "--message-format", "json"]);
        assert_eq!(run.code, 1);
        let problem: Value = serde_json::from_str(run.text()).unwrap();
        assert_eq!(problem["code"], format!("{format}/E0001"));
        assert!(problem["message"].as_str().unwrap().contains("64 MiB"), "{problem}");
    }
}

#[cfg(unix)]
#[test]
fn messages_without_an_end_are_refused() {
    for command in ["decode", "explain"] {
        let run = aldis(&[command, FBE, "/dev/zero"]);
        assert_eq!(run.code, 1, "{command}");
        assert!(run.err.contains("/dev/zero: longer than the 64 MiB"), "{command}: {}", run.err);
    }
}

#[test]
fn usage_errors_are_json_where_asked() {
    for (arguments, wanted) in [
        (
            &["chek", "--message-format", "json"][..],
            "unrecognized subcommand 'chek'; tip: a similar subcommand exists: 'check'",
        ),
        (&["layout", "--message-format=json"], "the following required arguments were not provided: <SCHEMA>"),
        (&["check", "--message-format=json"], "no schema is named"),
        (&["check", "a.fbe", "--message-format", "json", "--nope"], "unexpected argument '--nope' found"),
    ] {
        let run = aldis(arguments);
        assert_eq!((run.code, run.text()), (2, ""));
        let problem: Value = serde_json::from_str(&run.err).unwrap_or_else(|_| panic!("{}", run.err));
        assert_eq!(problem["severity"], "error");
        assert!(problem["message"].as_str().unwrap().starts_with(wanted), "{problem}");
    }
    let run = aldis(&["chek"]);
    assert!(run.code == 2 && run.err.starts_with("error: unrecognized subcommand"), "{}", run.err);
}
