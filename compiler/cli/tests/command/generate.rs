//! `gen`, `testee` and `conform`.

use super::{aldis, aldis_with, command, good, Folder, FBE, SBE};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn the_interpreter_answers_as_a_testee() {
    let folder = Folder::new("testee");
    good(&["gen", FBE, "--lang", "interpreter", "--testee", "--out", &folder.path("t")], b"");
    assert!(Command::new(folder.path("t/build")).status().unwrap().success());
    let mut child = Command::new(folder.path("t/run")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"7\tlist\nnonsense\n8\tconvert\t-\tfbe\tjson\t00\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines: Vec<&str> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("7\tok\t"));
    assert!(lines[1].starts_with("-\terror\tbad-request\t-\t"));
    assert!(lines[2].starts_with("8\terror\ttruncated\t"));
}

#[test]
fn a_testee_outlives_every_line() {
    let run = aldis_with(&["testee", SBE], b"\xff\xfe\n\n\t\t\t\n1\tconvert\tmarket.Trade\tsbe\tjson\tzz\n2\tlist");
    assert_eq!((run.code, run.text().lines().count()), (0, 5));
    assert!(run.text().lines().last().unwrap().starts_with("2\tok\t"));
}

#[test]
fn check_mode_writes_nothing_and_tells_what_is_stale() {
    let folder = Folder::new("gen");
    let out = folder.path("t");
    let generate =
        |more: &[&str]| aldis(&[&["gen", SBE, "--lang", "interpreter", "--testee", "--out", &out][..], more].concat());
    let run = generate(&["--check"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("run is not up to date"), "{}", run.err);
    assert!(fs::metadata(&out).is_err());
    assert_eq!(generate(&[]).code, 0);
    assert_eq!(generate(&["--check"]).code, 0);
    let before = fs::metadata(folder.path("t/run")).unwrap().modified().unwrap();
    assert_eq!(generate(&[]).code, 0);
    assert_eq!(fs::metadata(folder.path("t/run")).unwrap().modified().unwrap(), before);
    fs::write(folder.path("t/run"), "something else").unwrap();
    assert_eq!(generate(&["--check"]).code, 1);
}

#[test]
fn renames_are_checked() {
    let run = aldis(&["gen", SBE, "--lang", "erlang", "--out", "x", "--rename", "nonsense"]);
    assert_eq!(run.code, 2);
    let folder = Folder::new("rename");
    let out = folder.path("t");
    let generate = |more: &[&str]| aldis(&[&["gen", SBE, "--lang", "erlang", "--out", &out][..], more].concat());
    for (rename, near) in [
        ("market.Trad=x", "did you mean market.Trade?"),
        ("Trade=x", "market.Trade"),
        ("market.Trade.siz=x", "market.Trade.size"),
        ("market.Nope=x", "`market.Nope`"),
    ] {
        let run = generate(&["--rename", rename]);
        assert_eq!(run.code, 2, "{rename}");
        assert!(run.err.contains(near), "{}", run.err);
    }
    for name in ["a b/../..", "Market", "1a", "", "é"] {
        let run = generate(&["--name", name]);
        assert_eq!(run.code, 2, "{name}");
        assert!(run.err.contains("no module name"), "{}", run.err);
    }
    assert!(fs::metadata(&out).is_err(), "nothing is written");
    let good = ["--name", "feed_2", "--rename", "market.Trade=deal", "--rename", "market.Trade.size=amount"];
    assert_eq!(generate(&[&good[..], &["--rename", "market.Side=way"]].concat()).code, 0);
    assert!(fs::metadata(folder.path("t/feed_2.erl")).is_ok());
}

#[test]
fn options_are_those_of_the_language() {
    let folder = Folder::new("option");
    let out = folder.path("t");
    let generate = |lang: &str, option: &str| aldis(&["gen", SBE, "--lang", lang, "--out", &out, "--option", option]);
    for (lang, option, why) in [
        ("interpreter", "allocator=pmr", "there is strict_text"),
        ("javascript", "allocator=pmr", "slab=off and strict_text"),
        ("javascript", "slab=no", "slab=on"),
        ("javascript", "imports=ts", "imports=none"),
        ("javascript", "int64=string", "int64=safe, int64=number"),
        ("javascript", "output=tsx", "output=js"),
        ("javascript", "enums=no", "enums=names"),
        ("csharp", "namespace=market", "namespace=Example.Market"),
        ("erlang", "allocator=pmr", "there are strict_text"),
        ("java", "package=com.Example", "package=com.example.market"),
        ("elixir", "strict_text=no", "there are strict_text"),
        ("cpp", "strict_text=no", "strict_text"),
        ("cpp", "allocator=none", "allocator=std"),
        ("cpp", "allocators=pmr", "allocator=std"),
        ("cpp", "allocator", "allocator=std"),
        ("cpp", "allocator=", "write it as allocator=pmr"),
    ] {
        let run = generate(lang, option);
        assert_eq!(run.code, 2, "{option}");
        assert!(run.err.contains(why), "{}", run.err);
    }
    assert!(fs::metadata(&out).is_err(), "nothing is written");
    assert_eq!(generate("cpp", "allocator=pmr").code, 0);
    assert!(fs::read_to_string(folder.path("t/market/account.hpp")).unwrap().contains("std::pmr::vector<"));
}

#[test]
fn conform_agrees_with_itself_and_cleans_up() {
    let run = aldis(&["conform", SBE, "--lang", "interpreter", "--count", "3"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for check in ["list of messages", "random values, all ways", "damaged bytes", "damaged JSON", "views"] {
        let line = run.text().lines().find(|line| line.contains(check)).unwrap_or_else(|| panic!("no {check}"));
        assert!(line.ends_with(" 0"), "{line}");
    }
    let run = aldis(&["conform", SBE, "--lang", "interpreter", "--count", "3", "--damages", "20", "--no-limits"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let damaged = run.text().lines().find(|line| line.contains("damaged bytes")).expect("there are damaged bytes");
    let messages = 4;
    assert_eq!(damaged.split_whitespace().nth(2), Some(&*(3 * messages * 20).to_string()), "{damaged}");
}

#[test]
fn conform_gives_each_language_its_options() {
    let folder = Folder::new("conform-options");
    let kept = folder.path("kept");
    // Messages whose text is not UTF-8: without the option they are read and written.
    let (schema, vectors) = ("conformance/vectors/text/fbe/text.fbe", "conformance/vectors/text/fbe");
    let conform = |langs: &str, option: &[&str]| {
        let base =
            ["conform", schema, "--vectors", vectors, "--count", "2", "--no-limits", "--keep", &kept, "--lang", langs];
        aldis(&[&base[..], option].concat())
    };
    let run = conform("interpreter,erlang", &["--option", "allocator=pmr"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("`allocator=pmr` is no option of these languages; interpreter: there is"), "{}", run.err);
    assert!(fs::metadata(&kept).is_err(), "nothing is built");
    let run = conform("interpreter,erlang,cpp", &["--option", "strict_text", "--option", "allocator=pmr"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.err);
    assert!(fs::read_to_string(format!("{kept}/cpp/text/texts.hpp")).unwrap().contains("std::pmr::vector<"));
    assert!(fs::read_to_string(format!("{kept}/interpreter/run")).unwrap().contains("'--strict-text'"));
}

/// Its JSON is lossy, since it gives one name to several members: that is no difference.
#[test]
fn conform_knows_json_that_a_schema_shapes() {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../languages/erlang/tests/schemas/annotations.capnp");
    let run = aldis(&["conform", schema, "--lang", "interpreter", "--count", "5"]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.err);
}

#[test]
fn conform_leaves_nothing_behind() {
    let folder = Folder::new("conform-nothing-left");
    fs::create_dir_all(folder.0.join("vectors")).unwrap();
    folder.write("vectors/wrong.bin", good(&["random", SBE, "Quote", "--to", "bytes"], b""));
    folder.write("vectors/wrong.json", "{}");
    let vectors = folder.path("vectors");
    let arguments = ["conform", SBE, "--lang", "interpreter", "--count", "0", "--vectors", &vectors];
    fs::create_dir_all(folder.0.join("tmp")).unwrap();
    let run = command(&arguments).env("TMPDIR", folder.path("tmp")).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("--keep DIR"), "{said}");
    assert_eq!(fs::read_dir(folder.0.join("tmp")).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_testees_and_takes_their_folder_away() {
    let folder = Folder::new("conform-interrupted");
    let left = || fs::read_dir(&folder.0).unwrap().count();
    let mut run = command(&["conform", SBE, "--lang", "interpreter", "--count", "100000000"]);
    let mut run = run.env("TMPDIR", &folder.0).spawn().unwrap();
    let testees = || -> Vec<String> {
        let threads = fs::read_dir(format!("/proc/{}/task", run.id())).unwrap();
        let children = threads.filter_map(|thread| fs::read_to_string(thread.unwrap().path().join("children")).ok());
        children.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    // The build is over once the testee is called `aldis`, as the script becomes the command.
    let name = |process: &String| fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    let started = || testees().iter().any(|process| name(process).starts_with("aldis"));
    for _ in 0..600 {
        if started() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let running = testees();
    assert!(started() && left() == 1, "{running:?}");
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert_eq!(left(), 0);
    let ended = |process: &String| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ") || stat.contains(") X ")
    };
    // Each was told to end before the command ended; on a busy machine the system takes a moment to do it.
    for _ in 0..600 {
        if running.iter().all(ended) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{running:?} run on");
}

#[test]
fn testees_name_the_variable_that_says_where_the_runtimes_are() {
    for language in ["erlang", "elixir", "cpp", "java", "javascript", "python"] {
        let mut run = command(&["conform", SBE, "--lang", language, "--count", "1"]);
        let run = run.env("ALDIS_RUNTIME", "/nowhere").output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        let wanted = format!("in '/nowhere/{language}': set ALDIS_RUNTIME to the folder that holds it");
        assert!(said.contains(&wanted), "{said}");
    }
}

#[test]
fn conform_finds_a_difference_and_shows_how_to_see_it_again() {
    let folder = Folder::new("conform");
    fs::create_dir_all(folder.0.join("vectors")).unwrap();
    let mut bytes = good(&["random", SBE, "Quote", "--to", "bytes"], b"");
    folder.write("vectors/right.bin", &bytes);
    let json = String::from_utf8(good(&["decode", SBE, "--message", "Quote"], &bytes)).unwrap();
    folder.write("vectors/right.json", json.replace("\"bidSize\":", "\"bidSize\": "));
    bytes[8..16].fill(0);
    folder.write("vectors/wrong.bin", &bytes);
    folder.write("vectors/wrong.json", json);
    let keep = folder.path("testees");
    let run = aldis(&[
        "conform",
        SBE,
        "--lang",
        "interpreter",
        "--count",
        "0",
        "--vectors",
        &folder.path("vectors"),
        "--keep",
        &keep,
    ]);
    assert_eq!(run.code, 1, "{}", run.text());
    assert!(run.err.contains("wrong.bin") && !run.err.contains("right.bin"), "{}", run.err);
    assert!(run.err.contains("printf '1\\tconvert\\t-\\tsbe\\tjson\\t"), "{}", run.err);
    assert!(fs::read_to_string(folder.path("testees/interpreter/differences.txt")).unwrap().contains("wrong.bin"));
}

/// As long as front ends let chains be; one more is refused.
#[test]
fn chains_of_structs_are_followed_to_their_end() {
    let folder = Folder::new("chain");
    let chain = |length: usize| {
        let structs: String = (1..length).map(|i| format!("struct S{i} {{ S{}? next; }}\n", i + 1)).collect();
        folder.write("chain.fbe", format!("package chain\n{structs}struct S{length} {{ int32 x; }}\n"))
    };
    let path = chain(1024);
    for arguments in [&["gen", &path, "--lang", "cpp", "--out", &folder.path("out")][..], &["layout", &path]] {
        let run = aldis(arguments);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let run = aldis(&["check", &chain(1025)]);
    assert!(run.code == 1 && run.text().contains("fbe/E0051"), "{}", run.text());
}

/// The largest struct, and a chain that front ends refuse, within 2 GB and a time that takes the square of neither.
#[test]
fn large_schemas_are_generated_or_refused_in_bounds() {
    let folder = Folder::new("large");
    let fields: String = (0..65_535).map(|i| format!("bool f{i}; ")).collect();
    let wide = folder.write("wide.fbe", format!("package wide\nstruct Wide {{ {fields} }}\n"));
    let structs: String = (1..200_000).map(|i| format!("struct S{i} {{ S{}? next; }}\n", i + 1)).collect();
    let chain = folder.write("chain.fbe", format!("package chain\n{structs}struct S200000 {{ int32 x; }}\n"));
    let out = folder.path("out");
    let gen = |schema: &str, language: &str| {
        let line = format!(
            "ulimit -v 2000000; exec timeout 200 '{}' gen {schema} --lang {language} --out {out}",
            env!("CARGO_BIN_EXE_aldis")
        );
        Command::new("sh").args(["-c", &line]).output().unwrap()
    };
    let run = gen(&wide, "cpp");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(fs::read_to_string(folder.path("out/wide/wide.hpp")).unwrap().contains("bool f65534"));
    for (schema, language, code) in [
        (&wide, "erlang", "erlang/E0006"),
        (&wide, "elixir", "erlang/E0006"),
        (&wide, "javascript", "javascript/E0002"),
        (&wide, "java", "java/E0002"),
        (&wide, "csharp", "csharp/E0002"),
        (&wide, "python", "python/E0002"),
        (&chain, "cpp", "fbe/E0051"),
    ] {
        let run = gen(schema, language);
        assert_eq!(run.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&run.stderr).contains(code), "{}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn generating_javascript_for_many_messages_takes_little_memory() {
    let folder = Folder::new("many");
    let head =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/schemas/market.xml")).unwrap();
    let (head, _) = head.split_once("<sbe:message ").unwrap();
    let message = |index: u32| {
        format!(
            "<sbe:message name=\"M{index}\" id=\"{index}\"><field name=\"at\" id=\"1\" type=\"uint64\"/>\
             <group name=\"legs\" id=\"2\"><field name=\"leg{index}\" id=\"3\" type=\"uint32\"/></group></sbe:message>"
        )
    };
    let messages: String = (1..=250).map(message).collect();
    let file = folder.path("many.xml");
    fs::write(&file, format!("{head}{messages}</sbe:messageSchema>")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_aldis"))
        .args(["gen", &file, "--lang", "javascript", "--out", &folder.path("out")])
        .spawn()
        .unwrap();
    // The peak so far, as long as the process is there.
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0);
        peak = peak.max(now);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    assert!((20_000..100_000).contains(&peak), "{peak} KiB");
}
