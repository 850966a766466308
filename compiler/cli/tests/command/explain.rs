//! `explain`.

use super::{aldis, aldis_with, command, good, Folder, FBE, SBE};
use std::process::Command;

#[test]
fn every_byte_is_beside_its_field_and_schema_line() {
    let bytes = good(&["random", SBE, "Trade", "--to", "bytes"], b"");
    let text = String::from_utf8(good(&["explain", SBE, "-"], &bytes)).unwrap();
    for (word, place) in [("blockLength", "53"), ("mantissa", "market.xml:25"), ("venue", "market.xml:62")] {
        let line = text.lines().find(|line| line.contains(word)).unwrap_or_else(|| panic!("no {word} in\n{text}"));
        assert!(line.contains(place), "{line}");
    }
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let shown: String = text
        .lines()
        .filter(|line| line.len() > 8 && line.as_bytes()[5].is_ascii_digit())
        .map(|line| line[8..].chars().take(23).filter(|c| !c.is_whitespace()).collect::<String>())
        .collect();
    assert_eq!(shown, hex, "\n{text}");
    assert!(!text.contains('\x1b'));
}

#[test]
fn broken_bytes_show_where_and_why() {
    let bytes = good(&["random", FBE, "OrderBook", "--seed", "4", "--to", "bytes"], b"");
    let run = aldis_with(&["explain", FBE, "--message", "OrderBook"], &bytes[..40]);
    assert_eq!(run.code, 1);
    assert!(run.text().contains("broken: truncated at byte"), "{}", run.text());
    let rows = |text: &str| text.lines().filter(|line| line.contains("market.fbe:")).count();
    assert!(rows(run.text()) > 1 && run.text().contains("broken in"), "{}", run.text());
    let run = aldis_with(&["explain", SBE], b"\x01\x02");
    assert_eq!(run.code, 1);
    assert!(run.text().contains("unread"), "{}", run.text());
    let run = aldis_with(&["explain", SBE], b"");
    assert_eq!(run.code, 1);
}

#[test]
fn one_message_of_a_stream_can_be_chosen() {
    let folder = Folder::new("explain");
    let bytes = good(&["random", SBE, "--count", "8", "--to", "bytes", "--framing", "u32be"], b"");
    let path = folder.write("feed.bin", bytes);
    let explain = |index| aldis(&["explain", SBE, &path, "--framing", "u32be", "--index", index]);
    assert!(explain("0").text().starts_with("market.Trade (sbe)"));
    assert!(explain("5").text().starts_with("market.Quote (sbe)"));
    let run = explain("8");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("has no message 8"), "{}", run.err);
}

#[test]
fn the_page_needs_nothing_else_and_cannot_be_injected_into() {
    let folder = Folder::new("explain-html");
    let page = folder.path("page.html");
    let value = r#"{"message":"market.Account","value":{"id":1,"owner":"<script>alert(1)</script>","signature":""}}"#;
    let bytes = good(&["encode", SBE], value.as_bytes());
    assert_eq!(aldis_with(&["explain", SBE, "--html", &page], &bytes).code, 0);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("&lt;script&gt;alert(1)"));
    assert!(!text.contains("<script>alert"));
    for outside in ["http://", "https://", "src=", "href=", "@import", "url("] {
        assert!(!text.replace("http:&#x2f;&#x2f;", "").contains(outside), "{outside}");
    }
    assert_eq!(text.matches("data-at=").count(), bytes.len());
    assert!(text.contains("tabindex") && text.contains("prefers-color-scheme: dark"));
}

#[test]
fn the_last_message_of_a_cut_stream_is_explained_as_far_as_it_goes() {
    let bytes = good(&["random", SBE, "Trade", "--count", "2", "--to", "bytes", "--framing", "u16le"], b"");
    let arguments = ["explain", SBE, "--framing", "u16le", "--index", "1"];
    let run = aldis_with(&arguments, &bytes[..bytes.len() - 20]);
    assert_eq!(run.code, 1);
    let text = run.text();
    assert!(text.starts_with("market.Trade (sbe)") && text.contains("templateId"), "{text}");
    assert!(text.contains("stream byte 63: the stream ends within a frame") && text.contains("truncated"), "{text}");
    let run = aldis_with(&arguments, &bytes[..64]);
    assert!(run.code == 1 && run.err.contains("message 1, stream byte 63"), "{}", run.err);
}

#[test]
fn a_closed_pipe_hides_no_fault() {
    let folder = Folder::new("explain-pipe");
    let path = folder.write("broken.bin", b"\x01\x02");
    let mut child = command(&["explain", SBE, &path]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
}

/// Bytes without values: the schema's fields, times as many entries as the group says.
#[test]
fn millions_of_rows_are_cut_and_take_no_memory() {
    let folder = Folder::new("explain-many");
    let field =
        |index: u32| format!(r#"<field name="f{index}" id="{}" type="int64" presence="optional"/>"#, index + 10);
    let number = |name: &str| format!(r#"<type name="{name}" primitiveType="uint16"/>"#);
    let composite = |name: &str, members: &[&str]| {
        let members: String = members.iter().map(|member| number(member)).collect();
        format!(r#"<composite name="{name}">{members}</composite>"#)
    };
    let header = composite("messageHeader", &["blockLength", "templateId", "schemaId", "version"]);
    let dimension = composite("groupSizeEncoding", &["blockLength", "numInGroup"]);
    let fields: String = (0..500).map(field).collect();
    let schema = format!(
        r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="p" id="1" byteOrder="littleEndian">
        <types>{header}{dimension}</types>
        <sbe:message name="M" id="1"><group name="g" id="2">{fields}</group></sbe:message></sbe:messageSchema>"#
    );
    let schema = folder.write("many.xml", schema);
    let bytes: Vec<u8> = [0u16, 1, 1, 0, 0, 60].iter().flat_map(|number| number.to_le_bytes()).collect();
    let bytes = folder.write("many.bin", bytes);
    let run = aldis(&["explain", &schema, &bytes]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.text().lines().count(), 4006);
    let rows = 1 + 4 + 2 + 1 + 60 * 501;
    assert!(run.text().ends_with(&format!(
        "\n{} more rows are left out: --all shows them, --path those of one value.\n",
        rows - 4000
    )));
    assert_eq!(aldis(&["explain", &schema, &bytes, "--all"]).text().lines().count(), rows + 4);
    let one = aldis(&["explain", &schema, &bytes, "--path", "g[59].f499"]);
    assert_eq!(one.text().lines().count(), 5, "{}", one.text());
    assert!(one.text().contains("f499  null") && one.text().contains("many.xml:3  <field name=\"f499\" id=\"509\""));
    let nothing = |path: &str, wanted: &str| {
        let run = aldis(&["explain", &schema, &bytes, "--path", path]);
        assert!(run.code == 2 && run.text().is_empty() && run.err.contains(wanted), "{path}: {}", run.err);
    };
    nothing("h", "in the message there");
    nothing("g[60].f1", "in `g` there are [0], [1], [2]");
    nothing("g[59].e", "in `g[59]` there are f0, f1, f2");
    nothing("g[59].f499.x", "in `g[59].f499` there is nothing");
    let page = folder.path("many.html");
    assert_eq!(aldis(&["explain", &schema, &bytes, "--html", &page]).code, 0);
    assert_eq!(std::fs::read_to_string(&page).unwrap().matches("data-start=").count(), 4001);
    assert_eq!(aldis(&["explain", &schema, &bytes, "--html", &page, "--all"]).code, 2);
    // As many entries as there may be where they are not charged; all memory that the command may name is little more than what it starts with.
    let bytes: Vec<u8> = [0u16, 1, 1, 0, 0, 8400].iter().flat_map(|number| number.to_le_bytes()).collect();
    let bytes = folder.write("largest.bin", bytes);
    let limited = |more: &str| {
        let line = format!(
            "ulimit -v 300000; exec '{}' explain --max-visited 99999999 {schema} {bytes} {more}",
            env!("CARGO_BIN_EXE_aldis")
        );
        // An arena for each thread takes up to 128 MiB of addresses before any memory is used; the command's own
        // allocator asks for large pieces of them, too.
        let mut command = std::process::Command::new("sh");
        let command = command.args(["-c", &line]).env("MALLOC_ARENA_MAX", "1");
        command.current_dir(super::root()).output().unwrap()
    };
    assert_eq!(limited("").status.code(), Some(0));
    assert_eq!(limited(&format!("--html {page}")).status.code(), Some(0));
}

#[test]
fn names_of_enums_stand_beside_the_numbers_that_json_has() {
    let value = r#"{"message":"proto.Account","value":{"id":1,"name":"","state":6,"wallet":{"currency":"","amount":1},"asset":null,"orders":[{"id":1,"symbol":"","side":1,"type":9,"price":1,"volume":1}]}}"#;
    let schema = "conformance/vectors/fbe/proto.fbe";
    let bytes = good(&["encode", schema], value.as_bytes());
    let text = String::from_utf8(good(&["explain", schema, "--message", "Account"], &bytes)).unwrap();
    assert!(text.contains("1 (sell)") && text.contains("6 (initialized, calculated)"), "{text}");
    assert!(text.lines().any(|line| line.contains("type") && line.contains(" 9 ")), "{text}");
}

#[test]
fn an_index_needs_a_framing() {
    let run = aldis(&["explain", SBE, "--index", "3"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--framing"), "{}", run.err);
}

#[test]
fn nothing_of_a_message_reaches_the_terminal_raw() {
    let value =
        "{\"message\":\"Account\",\"value\":{\"id\":1,\"owner\":\"\\u001b[8m\u{9b}8m\u{202e}x\",\"signature\":\"\"}}";
    let bytes = good(&["encode", SBE], value.as_bytes());
    let text = String::from_utf8(good(&["explain", SBE], &bytes)).unwrap();
    assert!(!text.contains(['\x1b', '\u{9b}', '\u{202e}']) && text.contains("\\u{9b}8m\\u{202e}x"), "{text}");
    // JSON lines are data.
    assert!(String::from_utf8(good(&["decode", SBE], &bytes)).unwrap().contains('\u{202e}'));
}

/// Asks a browser for the page on a telephone of 420 px: nothing is wider, and no field's name takes more than two lines.
#[test]
fn the_page_can_be_read_on_a_telephone() {
    let folder = Folder::new("explain-narrow");
    let bytes = folder.write("message.bin", good(&["random", SBE, "Account", "--seed", "4", "--to", "bytes"], b""));
    good(&["explain", SBE, &bytes, "--html", &folder.path("page.html")], b"");
    let frame = folder.write(
        "frame.html",
        r##"<iframe src="page.html" style="width: 420px; height: 900px; border: 0"></iframe><p id="seen"></p><script>
        document.querySelector("iframe").onload = event => {
            const page = event.target.contentDocument;
            const lines = cell => cell.getClientRects()[0].height / parseFloat(getComputedStyle(cell).lineHeight);
            const names = [...page.querySelectorAll("td.name")].map(lines);
            const width = Math.max(page.documentElement.scrollWidth, page.querySelector("#fields").scrollWidth);
            document.getElementById("seen").textContent =
                `${names.length > 20} ${width <= 420} ${Math.max(...names) < 3}`;
        };</script>"##,
    );
    let arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--dump-dom"];
    let mut browser = Command::new("chromium");
    browser.args(arguments).args(["--virtual-time-budget=5000", "--window-size=900,1000"]);
    browser.arg(format!("--user-data-dir={}", folder.path("profile"))).arg(format!("file://{frame}"));
    let seen = browser.output().expect("chromium is installed (make setup)");
    let seen = String::from_utf8_lossy(&seen.stdout).into_owned();
    assert!(seen.contains(r#"<p id="seen">true true true</p>"#), "{seen}");
}
