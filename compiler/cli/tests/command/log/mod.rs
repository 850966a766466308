//! `aldis log` on files that the log in Erlang wrote and somebody damaged: both must find, lose and keep the same.

use super::{aldis, good, root, Folder};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const HERE: &str = "compiler/cli/tests/command/log";

/// The compiled modules of the log and of the judge.
fn modules() -> &'static Path {
    static MODULES: OnceLock<PathBuf> = OnceLock::new();
    MODULES.get_or_init(|| {
        let out = std::env::temp_dir().join(format!("aldis-test-log-modules-{}", std::process::id()));
        fs::create_dir_all(&out).unwrap();
        let source = root().join("runtime/erlang/src");
        let of_the_log = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("aldis_log");
        let transport = fs::read_dir(source.join("transport")).unwrap().map(|entry| entry.unwrap().path());
        // The behaviour is compiled before the log, which has it.
        let needed = ["transport/aldis_sink", "transport/aldis_metrics", "transport/aldis_telemetry"]
            .into_iter()
            .chain([
                "transport/aldis_file_nif",
                "transport/aldis_lock_nif",
                "transport/aldis_names",
                "transport/aldis_scan_nif",
            ])
            .chain(["transport/aldis_scan", "aldis_nif"])
            .map(|name| source.join(format!("{name}.erl")));
        let files = needed.chain(transport.filter(of_the_log)).chain([root().join(HERE).join("log_judge.erl")]);
        let compiled = Command::new("erlc").arg("-pa").arg(&out).arg("-o").arg(&out).args(files).status();
        assert!(compiled.expect("erlc starts").success());
        out
    })
}

fn erlang(function: &str, arguments: &[&str]) -> Vec<String> {
    let run = Command::new("erl")
        .args(["-noshell", "-pa"])
        .arg(modules())
        .args(["-run", "log_judge", function])
        .args(arguments)
        .output()
        .expect("erl starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "log"));
    files.sort();
    files
}

/// The findings, and the summary behind them, of `aldis log verify`.
fn verified(folder: &Path) -> (i32, Vec<Value>) {
    let run = aldis(&["log", "verify", folder.to_str().unwrap(), "--message-format", "json"]);
    (run.code, run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The offsets that `verify` says are lost.
fn lost(findings: &[Value]) -> Vec<u64> {
    let ranges = findings.iter().filter(|finding| finding["kind"] == "damaged");
    ranges
        .flat_map(|finding| {
            let first = finding["first"].as_u64().unwrap();
            first..first + finding["count"].as_u64().unwrap()
        })
        .collect()
}

/// The offsets of messages in a line of the judge.
fn offsets(line: &str) -> Vec<u64> {
    let messages = line.strip_prefix("messages").unwrap_or_else(|| panic!("no messages: {line}"));
    messages.split_whitespace().map(|word| word.split(':').next().unwrap().parse().unwrap()).collect()
}

/// A way to damage a file: its number, and what becomes of its bytes.
type Damage = (usize, Box<dyn Fn(&mut Vec<u8>)>);

/// Flipped bits all over the files, ends that are cut off, and several at once.
fn damages(files: &[PathBuf]) -> Vec<Damage> {
    let mut all: Vec<Damage> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let size = usize::try_from(fs::metadata(file).unwrap().len()).unwrap();
        // Behind the header, whose damage is another test's.
        for at in (200..size).step_by(53) {
            all.push((number, Box::new(move |bytes| bytes[at] ^= 0x40)));
        }
        for less in [1, 79, 150] {
            all.push((number, Box::new(move |bytes| bytes.truncate(size - less))));
        }
        all.push((
            number,
            Box::new(move |bytes| {
                bytes[300] ^= 1;
                bytes[size - 20] ^= 1;
            }),
        ));
        all.push((number, Box::new(move |bytes| bytes[260..size - 130].fill(0))));
    }
    all
}

#[test]
fn damage_is_found_and_mended_as_the_log_in_erlang_does() {
    let folder = Folder::new("log-damage");
    let whole = folder.0.join("whole");
    erlang("make", &[whole.to_str().unwrap()]);
    let (code, said) = verified(&whole);
    assert_eq!((code, said.len()), (0, 1), "{said:?}");
    let last = said[0]["last"].as_u64().unwrap();
    let files = logs(&whole);
    assert!(files.len() >= 3, "{files:?}");
    let damages = damages(&files);
    let mut arguments = Vec::new();
    for (case, (number, damage)) in damages.iter().enumerate() {
        let here = folder.0.join(format!("{case}"));
        for copied in ["seen", "plain", "erlang", "rust"].map(|name| here.join(name)) {
            copy(&whole, &copied);
            let file = copied.join(files[*number].file_name().unwrap());
            let mut bytes = fs::read(&file).unwrap();
            damage(&mut bytes);
            fs::write(&file, bytes).unwrap();
        }
        let repaired = aldis(&["log", "repair", here.join("rust").to_str().unwrap()]);
        assert_eq!(repaired.code, 0, "case {case}: {} {}", repaired.text(), repaired.err);
        for (how, copied) in [("plain", "plain"), ("repair", "erlang"), ("plain", "rust")] {
            arguments.push(how.to_owned());
            arguments.push(here.join(copied).to_str().unwrap().to_owned());
        }
    }
    let judged = erlang("judge", &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(judged.len(), 3 * damages.len());
    for (case, said) in judged.chunks(3).enumerate() {
        agree(case, &folder.0.join(format!("{case}")), files.last().unwrap(), last, said);
    }
}

/// The verdicts of both on a folder: the log that starts as it is, the one that repairs, and the one that `aldis log repair` has mended.
fn agree(case: usize, here: &Path, newest: &Path, last: u64, judged: &[String]) {
    let (code, findings) = verified(&here.join("seen"));
    assert_eq!(code, 1, "case {case}: {findings:?}");
    let newest = newest.file_name().unwrap().to_str().unwrap();
    let in_newest = findings.iter().find(|f| f["kind"] == "damaged" && f["file"].as_str().unwrap().ends_with(newest));
    match in_newest {
        Some(finding) => assert_eq!(judged[0], format!("damaged {}", finding["from"]), "case {case}"),
        None => assert!(judged[0].starts_with("messages"), "case {case}: {}", judged[0]),
    }
    assert_eq!(judged[1], judged[2], "case {case}: {findings:?}");
    let mut all = offsets(&judged[1]);
    all.extend(lost(&findings));
    all.sort_unstable();
    assert_eq!(all, (1..=last).collect::<Vec<u64>>(), "case {case}: {findings:?}");
    let (code, mended) = verified(&here.join("rust"));
    assert_eq!(code, 0, "case {case}: {mended:?}");
    let aside = format!("{newest}.damaged");
    let [theirs, ours] = ["erlang", "rust"].map(|side| fs::read(here.join(side).join(&aside)).ok());
    assert_eq!(theirs, ours, "case {case}");
}

#[test]
fn unfinished_writes_are_no_damage() {
    let folder = Folder::new("log-unfinished");
    let whole = folder.0.join("whole");
    erlang("make", &[whole.to_str().unwrap()]);
    // Nothing says how much of the newest file was on the disk.
    fs::remove_file(whole.join("owner")).unwrap();
    let file = logs(&whole).pop().unwrap();
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let (code, said) = verified(&whole);
    assert_eq!(code, 0, "{said:?}");
    assert_eq!(said[0]["kind"], "unfinished");
    let run = aldis(&["log", "verify", whole.to_str().unwrap()]);
    assert!(run.text().contains("nothing of it was acknowledged as durable"), "{}", run.text());
    let judged = erlang("judge", &["plain", whole.to_str().unwrap()]);
    assert_eq!(offsets(&judged[0]).len() as u64, said[1]["messages"].as_u64().unwrap());
}

#[test]
fn headers_are_damage_or_read_by_the_index() {
    let folder = Folder::new("log-headers");
    let whole = folder.0.join("whole");
    erlang("make", &[whole.to_str().unwrap()]);
    for (number, kept) in [(0, true), (2, false)] {
        let here = folder.0.join(format!("{number}"));
        copy(&whole, &here);
        let file = logs(&here)[number].clone();
        let mut bytes = fs::read(&file).unwrap();
        bytes[20] ^= 1;
        fs::write(&file, bytes).unwrap();
        let (code, said) = verified(&here);
        assert_eq!((code, &said[0]["kind"], &said[0]["is_read"]), (1, &"header".into(), &kept.into()), "{said:?}");
        let judged = erlang("judge", &["repair", here.to_str().unwrap()]);
        assert_eq!(judged[0] == "damaged 0", !kept, "{judged:?}");
        assert_eq!(aldis(&["log", "repair", here.to_str().unwrap()]).code, 1);
    }
}

#[test]
fn a_log_that_is_in_use_is_read_but_not_changed() {
    let folder = Folder::new("log-in-use");
    let whole = folder.0.join("whole");
    erlang("make", &[whole.to_str().unwrap()]);
    let program = format!(
        "{{ok, _}} = aldis_log:start_link(#{{name => log, folder => {:?}}}), io:format(\"started~n\"), receive go -> ok end.",
        whole.to_str().unwrap()
    );
    let mut server = Command::new("erl")
        .args(["-noshell", "-pa"])
        .arg(modules())
        .args(["-eval", &program])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut line).unwrap();
    assert_eq!(line, "started\n");
    for action in ["repair", "migrate"] {
        let run = aldis(&["log", action, whole.to_str().unwrap(), "--message-format", "json"]);
        assert_eq!(run.code, 1);
        assert!(run.err.contains("the log is in use by system process"), "{}", run.err);
    }
    assert_eq!(verified(&whole).0, 0);
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_log_of_the_first_version_is_read_and_migrated() {
    let folder = Folder::new("log-first-version");
    let here = folder.0.join("log");
    copy(&root().join("conformance/vectors/log-1"), &here);
    fs::remove_file(here.join("README.md")).unwrap();
    let name = here.to_str().unwrap();
    let messages = good(&["log", "dump", name], b"");
    assert_eq!(verified(&here).1[0]["version"], 1);
    let run = good(&["log", "migrate", name], b"");
    assert_eq!(String::from_utf8(run).unwrap().lines().count(), 2);
    let said = verified(&here);
    assert_eq!((said.0, &said.1[0]["version"], &said.1[0]["last"]), (0, &2.into(), &23.into()));
    assert_eq!(good(&["log", "dump", name], b""), messages);
    let judged = erlang("judge", &["plain", name]);
    assert_eq!(offsets(&judged[0]), (1..=23).collect::<Vec<u64>>());
    let again = good(&["log", "migrate", name], b"");
    assert_eq!(String::from_utf8(again).unwrap(), "All files are of today's version.\n");
}

#[test]
fn dump_writes_messages_from_an_offset_on_as_json_or_as_bytes() {
    let log = "conformance/vectors/log-1";
    let lines = good(&["log", "dump", log, "--from", "20", "--count", "3"], b"");
    let lines: Vec<Value> =
        String::from_utf8(lines).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["offset"].as_u64().unwrap()).collect::<Vec<_>>(), [20, 21, 22]);
    assert_eq!((&lines[0]["message"], &lines[0]["sequence"]), (&"6d657373616765203130".into(), &20.into()));
    assert!(lines[2]["schema"].is_u64() && lines[0]["schema"].is_null());
    let bytes = good(&["log", "dump", log, "--from", "19", "--count", "2", "--to", "bytes"], b"");
    assert_eq!(bytes, b"\x02\0\0\x0010\x0a\0\0\0message 10");
}

#[test]
fn a_folder_without_a_log_is_told() {
    let run = aldis(&["log", "verify", "compiler"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("there are no files of a log"), "{}", run.err);
    assert_eq!(aldis(&["log", "mend", "compiler"]).code, 2);
}
