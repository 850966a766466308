//! `random`, `encode` and `decode`.

use super::{aldis, aldis_with, good, root, Folder, FBE, SBE};
use serde_json::Value;
use std::fs;

#[test]
fn streams_go_to_json_and_back_in_every_framing() {
    for (schema, framings) in [
        (SBE, &["u16le", "u16be", "u32le", "u32be", "sofh"][..]),
        (FBE, &["u16le", "u32be", "fbe", "fbe-buffer", "sofh"]),
    ] {
        let lines = good(&["random", schema, "--count", "300", "--seed", "5"], b"");
        assert_eq!(lines.iter().filter(|&&byte| byte == b'\n').count(), 300);
        for framing in framings {
            let bytes = good(&["encode", schema, "--framing", framing], &lines);
            let made =
                good(&["random", schema, "--count", "300", "--seed", "5", "--to", "bytes", "--framing", framing], b"");
            assert!(bytes == made, "{schema} {framing}");
            assert!(good(&["decode", schema, "--framing", framing], &bytes) == lines, "{schema} {framing}");
        }
    }
}

#[test]
fn an_imported_message_is_found_before_a_plain_struct_of_its_number() {
    let schema = "conformance/schemas/fbe/desk.fbe";
    let lines = concat!(
        r#"{"message":"orders.OrderMessage","value":{"body":{"id":7,"sym":"EURUSD"}}}"#,
        "\n",
        r#"{"message":"orders.Halt","value":{"why":"news"}}"#,
        "\n",
        r#"{"message":"trades.Bust","value":{"id":9}}"#,
        "\n",
    );
    for form in ["fbe", "fbe-final"] {
        let arguments = ["--form", form, "--framing", "fbe"];
        let bytes = good(&[&["encode", schema][..], &arguments].concat(), lines.as_bytes());
        let found = good(&[&["decode", schema, "-"][..], &arguments].concat(), &bytes);
        assert_eq!(std::str::from_utf8(&found).unwrap(), lines, "{form}");
    }
}

/// As the reference leaves values that it serializes into one buffer: each root counts from the buffer's begin.
#[test]
fn buffers_of_several_values_are_read_and_written() {
    let schema = "conformance/vectors/fbe/proto.fbe";
    let vector = |name: &str| fs::read(root().join("conformance/vectors/fbe").join(name)).unwrap();
    let (first, second) = (vector("proto_accountmessage.std.bin"), vector("proto_ordermessage.std.bin"));
    let mut buffer = [&first[..], &second].concat();
    buffer[first.len() + 4..first.len() + 8].copy_from_slice(&(first.len() as u32 + 8).to_le_bytes());
    let arguments = ["--framing", "fbe-buffer"];
    let lines = good(&[&["decode", schema, "-"][..], &arguments].concat(), &buffer);
    let stream = [&first[..], &second].concat();
    assert!(lines == good(&["decode", schema, "-", "--framing", "fbe"], &stream));
    let again = good(&[&["encode", schema][..], &arguments].concat(), &lines);
    assert!(lines == good(&[&["decode", schema, "-"][..], &arguments].concat(), &again));
    // The second message of the buffer, and what there is of it where the buffer is cut.
    let explain = [&["explain", schema, "-", "--index", "1"][..], &arguments].concat();
    assert!(good(&explain, &buffer) == good(&["explain", schema, "-"], &second));
    let cut = aldis_with(&explain, &buffer[..buffer.len() - 1]);
    assert!(cut.code == 1 && cut.text().contains("price     1.23456"), "{}", cut.text());
    // A stream of the reference's sender is none.
    let run = aldis_with(&[&["decode", schema, "-"][..], &arguments].concat(), &stream);
    assert!(run.code == 1 && run.err.contains("the framing is fbe"), "{}", run.err);
    let run = aldis(&[&["decode", schema, "-", "--form", "fbe-final"][..], &arguments].concat());
    assert!(run.code == 2 && run.err.contains("say --framing fbe"), "{}", run.err);
}

#[test]
fn all_forms_stream() {
    let arguments = ["--form", "fbe-final", "--framing", "fbe"];
    let lines = good(&["random", FBE, "--count", "50"], b"");
    let bytes = good(&[&["encode", FBE][..], &arguments].concat(), &lines);
    assert!(good(&[&["decode", FBE, "-"][..], &arguments].concat(), &bytes) == lines);
}

#[test]
fn random_is_the_same_for_the_same_seed() {
    let make = |seed| good(&["random", SBE, "Trade", "Quote", "--count", "20", "--seed", seed], b"");
    assert_eq!(make("1"), make("1"));
    assert_ne!(make("1"), make("2"));
    let hex = good(&["random", SBE, "Trade", "--to", "hex"], b"");
    assert_eq!(hex.len(), 2 * (8 + 53) + 1);
    let framed = good(&["random", SBE, "Trade", "--to", "hex", "--framing", "u32le"], b"");
    assert_eq!(framed, [b"3d000000", &hex[..]].concat());
    assert_eq!(aldis(&["random", SBE, "--framing", "u32le"]).code, 2);
}

#[test]
fn a_single_message_needs_no_frame() {
    let value = good(&["random", SBE, "Quote", "--seed", "3"], b"");
    let value: Value = serde_json::from_slice(&value).unwrap();
    // Values alone may take many lines.
    let pretty = serde_json::to_vec_pretty(&value["value"]).unwrap();
    let bytes = good(&["encode", SBE, "--message", "Quote"], &pretty);
    assert_eq!(bytes.len(), 8 + 44);
    let alone: Value = serde_json::from_slice(&good(&["decode", SBE, "--message", "market.Quote"], &bytes)).unwrap();
    assert_eq!(alone, value["value"]);
    let line: Value = serde_json::from_slice(&good(&["decode", SBE], &bytes)).unwrap();
    assert_eq!(line, value);
    let run = aldis_with(&["decode", SBE], &[&bytes[..], b"more"].concat());
    assert_eq!(run.code, 0);
    assert!(run.err.contains("4 bytes after the message's end"), "{}", run.err);
}

/// A stream of five messages whose third is cut by 5 bytes; gives where that one begins.
fn damaged() -> (Vec<u8>, usize) {
    let bytes = good(&["random", SBE, "Trade", "--count", "5", "--to", "bytes", "--framing", "u16le"], b"");
    let frame = 2 + 8 + 53;
    let mut cut = bytes[..2 * frame].to_vec();
    cut.extend_from_slice(&[frame as u8 - 7, 0]);
    cut.extend_from_slice(&bytes[2 * frame + 2..3 * frame - 5]);
    cut.extend_from_slice(&bytes[3 * frame..]);
    (cut, 2 * frame + 2)
}

#[test]
fn a_broken_message_is_reported_with_its_place() {
    let (stream, place) = damaged();
    let run = aldis_with(&["decode", SBE, "--framing", "u16le"], &stream);
    assert_eq!((run.code, run.text().lines().count()), (1, 2));
    assert!(run.err.contains(&format!("message 2, stream byte {place}: truncated")), "{}", run.err);

    let run = aldis_with(&["decode", SBE, "--framing", "u16le", "--keep-going"], &stream);
    assert_eq!((run.code, run.text().lines().count(), run.err.lines().count()), (1, 4, 1));

    let run = aldis_with(&["decode", SBE, "--framing", "u16le", "--message-format", "json"], &stream);
    let problem: Value = serde_json::from_str(&run.err).unwrap();
    assert_eq!((&problem["index"], &problem["streamOffset"]), (&2.into(), &place.into()));
    assert_eq!(problem["code"], "truncated");
}

#[test]
fn a_cut_stream_gives_what_is_whole() {
    let bytes = good(&["random", SBE, "Trade", "--count", "3", "--to", "bytes", "--framing", "u16le"], b"");
    let run = aldis_with(&["decode", SBE, "--framing", "u16le"], &bytes[..bytes.len() - 1]);
    assert_eq!((run.code, run.text().lines().count()), (1, 2));
    assert!(run.err.contains("message 2, stream byte 126: the stream ends within a frame"), "{}", run.err);
    let run = aldis_with(&["decode", SBE, "--framing", "u32le", "--max-frame", "1000"], &bytes);
    assert!(run.err.contains("--max-frame (1000)"), "{}", run.err);
}

#[test]
fn broken_lines_are_reported_with_their_number() {
    let line = String::from_utf8(good(&["random", SBE, "Quote"], b"")).unwrap();
    let lines = format!("{line}\n{{\"message\":\"market.Nothing\",\"value\":{{}}}}\nnonsense\n{line}");
    let run = aldis_with(&["encode", SBE, "--framing", "u16le", "--keep-going"], lines.as_bytes());
    assert_eq!((run.code, run.out.len()), (1, 2 * (2 + 8 + 44)));
    assert!(run.err.contains("line 3: the schema has no message `market.Nothing`"), "{}", run.err);
    assert!(run.err.contains("line 4: bad-json"), "{}", run.err);
    let wrong = line.replace("\"time\":", "\"tiem\":");
    let run = aldis_with(&["encode", SBE, "--framing", "u16le"], wrong.as_bytes());
    assert_eq!(run.code, 1);
    assert!(run.err.contains("line 1: bad-json") && run.err.contains("tiem"), "{}", run.err);
}

#[test]
fn files_are_read_as_standard_input_is() {
    let folder = Folder::new("decode");
    let bytes = good(&["random", SBE, "--count", "10", "--to", "bytes", "--framing", "u32le"], b"");
    let path = folder.write("feed.bin", &bytes);
    let run = aldis(&["decode", SBE, &path, "--framing", "u32le"]);
    assert_eq!(run.text().lines().count(), 10);
}

#[test]
fn an_unknown_message_is_answered_with_what_there_is() {
    let trade = good(&["random", SBE, "Trade", "--to", "bytes"], b"");
    let run = aldis_with(&["decode", SBE, "--message", "Quote"], &trade);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("these bytes say that they are market.Trade"), "{}", run.err);
    let mut other = trade.clone();
    other[4] = 99;
    let mut unknown = trade;
    unknown[2] = 77;
    for (bytes, found) in [(&other, "99"), (&unknown, "77")] {
        for arguments in [&["decode", SBE][..], &["decode", SBE, "--message", "Quote"]] {
            let run = aldis_with(arguments, bytes);
            assert!(run.err.contains(found) && run.err.contains("market.Trade 1, market.Quote 2"), "{}", run.err);
            assert!(!run.err.contains("--message"), "{}", run.err);
        }
        let run = aldis_with(&["explain", SBE], bytes);
        assert_eq!(run.code, 1);
        assert!(run.text().contains(found) && run.text().contains("market.Quote 2"), "{}", run.text());
    }
}

#[test]
fn lines_may_name_messages_without_their_package() {
    let line = String::from_utf8(good(&["random", SBE, "Quote"], b"")).unwrap();
    let short = line.replace("market.Quote", "Quote");
    assert_ne!(short, line);
    assert!(good(&["encode", SBE], short.as_bytes()) == good(&["encode", SBE], line.as_bytes()));
    let run = aldis_with(&["encode", SBE], short.replace("Quote", "Quoth").as_bytes());
    assert!(run.err.contains("it has market.Trade, market.Quote"), "{}", run.err);
}

#[test]
fn lines_may_be_written_in_other_ways() {
    let value = r#"{"id":1,"owner":"}","signature":""}"#;
    let plain = format!(r#"{{"message":"market.Account","value":{value}}}"#);
    let bytes = good(&["encode", SBE], plain.as_bytes());
    for line in [
        format!(r#"{{"value":{value},"message":"market.Account"}}"#),
        format!(" {{ \"message\" : \"Account\", \"value\" : {value} }} "),
        format!(r#"{{"message":"\u0041ccount","value":{value}}}"#),
        format!("{plain} \r"),
    ] {
        assert!(good(&["encode", SBE], line.as_bytes()) == bytes, "{line}");
    }
    for (line, said) in [
        (format!(r#"{{"message":"Account","value":{value},"more":1}}"#), "unknown field `more`"),
        (format!(r#"{{"message":"Account","value":{value}}}}}"#), "trailing characters"),
        (format!(r#"{{"message":"Account","value":{value}"#), "EOF"),
        (r#"{"message":"Account","value":{"id":"x"}}"#.to_owned(), "bad-json at byte 6 in id"),
    ] {
        let run = aldis_with(&["encode", SBE], line.as_bytes());
        assert!(run.code == 1 && run.err.contains(said), "{line}: {}", run.err);
    }
}

/// The most memory that a command held by the time it had read `input` to the end, in KiB.
#[cfg(target_os = "linux")]
fn most_memory(arguments: &[&str], input: &[u8], times: usize) -> u64 {
    use std::io::Write;
    let mut child = super::command(arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..times {
        stdin.write_all(input).unwrap();
    }
    // It still waits for more: but for what a pipe holds it has read everything.
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(stdin);
    assert!(child.wait_with_output().unwrap().status.success());
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_stream() {
    let framing = ["--framing", "u32le"];
    let lines = good(&["random", SBE, "--count", "2000"], b"");
    let bytes = good(&[&["encode", SBE][..], &framing].concat(), &lines);
    for (command, input) in [("decode", &bytes), ("encode", &lines)] {
        let arguments = [&[command, SBE][..], &framing].concat();
        let (few, many) = (3, 100);
        let short = most_memory(&arguments, input, few);
        let long = most_memory(&arguments, input, many);
        // The allocator's caches and the pages of the program differ by some hundred KiB from run to run.
        let more = u64::try_from((many - few) * input.len() / 1024).unwrap();
        assert!(long < short + more / 8, "{command}: {short} KiB, {long} KiB for {more} KiB more");
    }
}

#[test]
fn nulls_are_shown_where_they_are_asked_for() {
    let schema = "conformance/schemas/capnp/nulls.capnp";
    let given = br#"{"texts":[null,"a"],"lists":[null,[null]]}"#;
    let bytes = good(&["encode", schema, "--message", "Elements"], given);
    let decode = |more: &[&str]| good(&[&["decode", schema, "--message", "Elements"][..], more].concat(), &bytes);
    assert_eq!(decode(&[]), b"{\"texts\":[\"\",\"a\"],\"lists\":[[],[\"\"]]}\n");
    let shown = decode(&["--nulls"]);
    let nulls =
        r#"{"texts":[null,"a"],"data":null,"lists":[null,[null]],"voids":null,"capabilities":null,"next":null}"#;
    assert_eq!(String::from_utf8_lossy(&shown).trim_end(), nulls);
    assert_eq!(good(&["encode", schema, "--message", "Elements"], &shown), bytes);
}

const VENUE: &str = "conformance/schemas/sbe/header-venue.xml";

#[test]
fn headers_with_further_members_are_a_value_beside_the_message() {
    let lines = good(&["random", VENUE, "--count", "40"], b"");
    for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let line: Value = serde_json::from_slice(line).unwrap();
        assert!(line["header"]["session"].is_string() && line["value"].is_object(), "{line}");
        assert!(line["header"].get("messageLength").is_none(), "a length is computed");
    }
    // The header's own length is a framing.
    for counted in [&["--frame-length", "messageLength"][..], &["--frame-length", "messageLength-2"], &[]] {
        let arguments = [&["--framing", "header"][..], counted].concat();
        let bytes = good(&[&["encode", VENUE][..], &arguments].concat(), &lines);
        assert!(good(&[&["decode", VENUE][..], &arguments].concat(), &bytes) == lines, "{counted:?}");
    }
    let first = lines.split(|&byte| byte == b'\n').next().unwrap();
    let bytes = good(&["encode", VENUE], first);
    let length = u16::from_be_bytes([bytes[0], bytes[1]]);
    assert_eq!(usize::from(length), bytes.len());
    let header = good(&["decode", VENUE, "--message", "FrameHeaderValue"], &bytes);
    let line: Value = serde_json::from_slice(first).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&header).unwrap(), line["header"]);
    // Without a given value it is zero.
    let bare = good(&["encode", VENUE], br#"{"message":"Heartbeat","value":{}}"#);
    assert_eq!(bare.iter().filter(|&&byte| byte != 0).count(), 4, "the length, two ids and the version");
}

#[test]
fn wrong_headers_and_lengths_are_told() {
    let told = |arguments: &[&str], input: &[u8], wanted: &str| {
        let run = aldis_with(arguments, input);
        let problem = format!("{}{}", run.text(), run.err);
        assert!(run.code != 0 && problem.contains(wanted), "{arguments:?}: {problem}");
    };
    let line = br#"{"message":"Trade","header":{},"value":{}}"#;
    told(&["encode", SBE], line, "leave \"header\" out");
    told(&["encode", VENUE], br#"{"message":"Heartbeat","header":{},"value":{}}"#, "header: ");
    told(&["check", SBE, "--frame-length", "nobody"], b"", "nobody");
    told(&["check", FBE, "--frame-length", "size"], b"", "--frame-length");
    told(&["decode", SBE, "--framing", "header"], b"", "--frame-length");
}
