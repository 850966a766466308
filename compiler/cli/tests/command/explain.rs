//! `explain`.

use super::{aldis, aldis_with, command, good, Folder, FBE, SBE};

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
