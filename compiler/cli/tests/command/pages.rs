//! The README and the book have the words that a newcomer types and sees: their programs are written, their commands run, and what
//! these say is compared.

use super::{root, Folder};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages of the book: their paths below `docs`, in the order of the table of contents.
fn listed() -> Vec<String> {
    let contents = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    contents.lines().flat_map(links).collect()
}

/// The targets of a line's links and pictures.
fn links(line: &str) -> Vec<String> {
    let ends = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    ends.map(|(target, _)| target.to_owned()).collect()
}

/// The fenced blocks of a page, and the lines outside of them.
fn split(page: &str) -> (Vec<Vec<&str>>, Vec<&str>) {
    let mut blocks = Vec::new();
    let mut plain = Vec::new();
    let mut open: Option<Vec<&str>> = None;
    for line in page.lines() {
        match (line.starts_with("```"), open.as_mut()) {
            (true, Some(_)) => blocks.extend(open.take()),
            (true, None) => open = Some(Vec::new()),
            (false, Some(block)) => block.push(line),
            (false, None) => plain.push(line),
        }
    }
    assert!(open.is_none(), "a block is not closed:\n{page}");
    (blocks, plain)
}

/// The name in the comment that a program begins with.
fn file_name<'a>(block: &[&'a str]) -> Option<&'a str> {
    let first = block.first()?;
    let name = ["%% ", "# ", "// "].iter().find_map(|comment| first.strip_prefix(comment))?;
    (name.contains('.') && !name.contains(' ')).then_some(name)
}

/// The commands of a block, each with the lines shown below it.
fn commands<'a>(block: &[&'a str]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, shown))) => shown.push(line),
            (None, None) => {}
        }
    }
    commands
}

/// Whether `said` is what is `shown`, where a line `…` stands for any lines, and `…` at the end of a line for the rest of it.
fn matches(shown: &[&str], said: &[&str]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((&"…", rest)) => (0..=said.len()).any(|skip| matches(rest, &said[skip..])),
        Some((line, rest)) => said.split_first().is_some_and(|(first, more)| {
            let same = line.strip_suffix('…').map_or(line == first, |start| first.starts_with(start));
            same && matches(rest, more)
        }),
    }
}

/// A shell's command in a folder, where `aldis` is in the path.
pub(super) fn shell(folder: &Path, command: &str) -> (bool, String, String) {
    let own = Path::new(env!("CARGO_BIN_EXE_aldis")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others))).unwrap();
    let run = Command::new("sh").args(["-ec", command]).current_dir(folder).env("PATH", path).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.success(), text(&run.stdout), text(&run.stderr))
}

/// Does what a page says, in the folder `here` beside the checkout; gives the folder around both, and how many of its commands show something.
pub(super) fn follow(page: &str) -> (Folder, usize) {
    follow_to(page, None)
}

/// The same, up to a block that begins with the words.
pub(super) fn follow_to(page: &str, end: Option<&str>) -> (Folder, usize) {
    let name = [page, end.unwrap_or("")].concat().replace(|letter: char| !letter.is_alphanumeric(), "-");
    let folder = Folder::new(&format!("page-{name}"));
    symlink(root().canonicalize().unwrap(), folder.0.join("aldis")).unwrap();
    let here = folder.0.join("here");
    fs::create_dir(&here).unwrap();
    let text = fs::read_to_string(root().join(page)).unwrap();
    let mut shows = 0;
    let blocks = split(&text).0.into_iter();
    for block in blocks.take_while(|block| end.is_none_or(|end| !block[0].starts_with(end))) {
        if let Some(name) = file_name(&block) {
            fs::write(here.join(name), block.join("\n") + "\n").unwrap();
        }
        for (command, shown) in commands(&block) {
            let (succeeded, said, errors) = shell(&here, command);
            // A command that finds problems fails, and its page shows them.
            assert!(succeeded || !shown.is_empty(), "{page}: {command}\n{said}{errors}");
            let lines: Vec<&str> = said.trim_end().lines().collect();
            assert!(matches(&shown, &lines), "{page}: {command} says\n{said}{errors}");
            shows += usize::from(!shown.is_empty());
        }
    }
    (folder, shows)
}

fn language(page: &str) {
    assert!(follow(&format!("docs/book/start/{page}.md")).1 >= 1, "{page} shows what comes out");
}

#[test]
fn erlang_as_its_page_shows_it() {
    language("erlang");
}

#[test]
fn elixir_as_its_page_shows_it() {
    language("elixir");
}

#[test]
fn cpp_as_its_page_shows_it() {
    language("cpp");
}

#[test]
fn javascript_as_its_page_shows_it() {
    language("javascript");
}

#[test]
fn python_as_its_page_shows_it() {
    language("python");
}

#[test]
fn java_as_its_page_shows_it() {
    language("java");
}

#[test]
fn csharp_as_its_page_shows_it() {
    if aldis_testkit::has_dotnet() {
        language("csharp");
    }
}

#[test]
fn the_clients_of_all_languages_as_their_page_shows_them() {
    // C# comes last, so that the others run where it cannot be compiled.
    let (page, csharp) = ("docs/book/clients.md", "// Trades.cs");
    if aldis_testkit::has_dotnet() {
        assert_eq!(follow(page).1, 5);
        return;
    }
    let (folder, shows) = follow_to(page, Some(csharp));
    assert_eq!(shows, 4);
    assert!(shell(&folder.0.join("here"), "kill $(cat pid)").0);
}

#[test]
fn every_command_says_what_the_pages_show() {
    let apart = ["erlang", "elixir", "cpp", "javascript", "python", "java", "csharp"];
    // Languages have tests of their own, and so have the pages of clients and of terms.
    let apart = apart.map(|name| format!("docs/book/start/{name}.md"));
    let others = ["docs/book/clients.md", "docs/book/terms.md"].map(str::to_owned);
    let apart: Vec<String> = apart.into_iter().chain(others).collect();
    let pages = listed().into_iter().map(|page| format!("docs/{page}"));
    let pages: Vec<String> = pages.filter(|page| !apart.contains(page)).chain(["README.md".to_owned()]).collect();
    let shows: usize = pages.iter().map(|page| follow(page).1).sum();
    assert!(shows >= 25, "{shows}");
}

/// Blocks that are no commands with a `$` and no programs with a name: the page, the block's first words, and what holds them.
const OTHERS: [(&str, &str, &str); 16] = [
    ("README.md", "make demo ", "the steps of scripts/test.sh, and make demo itself"),
    ("docs/book/start/command.md", "cargo install ", "it installs for as long as it compiles"),
    (
        "docs/book/start/python.md",
        "import aldis",
        "the_engine_of_python_does_what_its_page_shows, runtime/python-native/tests/check.py",
    ),
    (
        "docs/book/start/python.md",
        "rows = ",
        "the_engine_of_python_does_what_its_page_shows, runtime/python-native/tests/check.py",
    ),
    (
        "docs/book/start/python.md",
        "frame = ",
        "the_engine_of_python_does_what_its_page_shows, runtime/python-native/tests/spark.py",
    ),
    ("docs/book/columns.md", "duckdb ", "convert: queries_give_the_answers_that_the_book_shows"),
    ("docs/book/columns.md", "parallel ", "parts: gnu_parallel_converts_all_parts_as_the_book_shows"),
    ("docs/book/columns.md", "spark.py ", "parts: spark_reads_the_parts_that_its_workers_converted"),
    ("docs/book/how-it-works.md", " .fbe", "a picture"),
    ("docs/wireshark.md", "market (sbe)", "tshark_says_what_the_page_of_wireshark_shows"),
    ("docs/wireshark.md", "tshark ", "tshark_says_what_the_page_of_wireshark_shows"),
    ("docs/project.md", "schemas = ", "a_project_is_what_its_page_says"),
    ("docs/sinks.md", "{ok, _} = ", "the_sink_of_the_page_is_one_that_the_runtime_takes"),
    ("docs/protocol.md", "u32  length", "a layout of bytes; conformance/vectors/transport"),
    ("docs/log.md", "\"ALDIS", "a layout of bytes; runtime/log/tests"),
    ("docs/log.md", "salt u32", "a layout of bytes; runtime/log/tests"),
];

#[test]
fn every_block_is_run_or_another_test_holds_it() {
    let mut used = vec![false; OTHERS.len()];
    for page in listed().into_iter().map(|page| format!("docs/{page}")).chain(["README.md".to_owned()]) {
        // Diagnostics in the page of codes are written by the test that compares them.
        if page.ends_with("CODES.md") {
            continue;
        }
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for block in split(&text).0 {
            let run = file_name(&block).is_some() || !commands(&block).is_empty();
            let other = OTHERS.iter().position(|(of, begin, _)| *of == page && block[0].starts_with(begin));
            assert!(run || other.is_some(), "{page}: nothing runs the block that begins with {:?}", block[0]);
            other.iter().for_each(|other| used[*other] = true);
        }
    }
    assert!(used.iter().all(|used| *used), "{used:?}");
}

/// The block of a page that begins with the words.
fn block(page: &str, begin: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let found = split(&text).0.into_iter().find(|block| block[0].starts_with(begin));
    found.unwrap_or_else(|| panic!("{page} has no {begin}")).into_iter().map(str::to_owned).collect()
}

#[test]
fn every_package_that_a_release_tries_is_in_the_pages_table() {
    let tried = fs::read_to_string(root().join("scripts/release-try.sh")).unwrap();
    let page = fs::read_to_string(root().join("docs/packages.md")).unwrap();
    let lines = tried.lines().filter_map(|line| line.strip_prefix("try ")?.split_once(' '));
    let files: Vec<String> = lines
        .map(|(_, file)| file.trim_matches('"').replace("${version}", "$version").replace("$version", "VERSION"))
        .collect();
    assert!(files.len() > 12, "{files:?}");
    for file in files {
        assert!(page.contains(&format!("`{file}`")), "{file} is not in docs/packages.md");
    }
}

#[test]
fn the_service_and_the_container_start_the_same_server() {
    let page = "docs/book/operations.md";
    let value = |begin: &str, key: &str| {
        let lines = block(page, begin);
        let found = lines.iter().find_map(|line| line.strip_prefix(key).map(str::to_owned));
        found.unwrap_or_else(|| panic!("{begin} has no {key}"))
    };
    let started = value("# orders.service", "ExecStart=");
    let image: Vec<String> = serde_json::from_str(&value("# orders.Containerfile", "CMD ")).unwrap();
    assert_eq!(started.split(' ').collect::<Vec<_>>(), image);
    let installed = value("# orders.Containerfile", "RUN ");
    let application = fs::read_to_string(root().join("runtime/erlang/src/aldis.app.src")).unwrap();
    let optional = application.lines().find_map(|line| line.trim().strip_prefix("{optional_applications, ["));
    for name in optional.unwrap().trim_end_matches("]},").split(", ") {
        assert!(installed.contains(&format!(" erlang-{name}")), "the image has no {name}");
    }
}

/// The words of text between backquotes that are a command with one of the verbs, which the pages have in their sentences and tables.
fn spoken<'a>(line: &'a str, verbs: &[&str]) -> Vec<Vec<&'a str>> {
    let spans = line.split('`').skip(1).step_by(2).filter_map(|span| span.strip_prefix("aldis "));
    let words = spans.map(|span| span.split([' ', '=']).filter(|word| !word.is_empty()).collect::<Vec<_>>());
    words.filter(|words| words.first().is_some_and(|verb| verbs.contains(verb))).collect()
}

#[test]
fn commands_in_sentences_have_options_that_there_are() {
    let help = String::from_utf8(super::good(&["--help"], b"")).unwrap();
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> =
        lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|verb| !verb.is_empty()).collect();
    let mut seen = 0;
    let own = ["README.md", "SECURITY.md", "CONTRIBUTING.md"].map(str::to_owned);
    for page in listed().into_iter().map(|page| format!("docs/{page}")).chain(own) {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for words in split(&text).1.into_iter().flat_map(|line| spoken(line, &verbs)) {
            let options: Vec<&str> = words.iter().copied().filter(|word| word.starts_with("--")).collect();
            // `aldis log` has commands of its own.
            let of = &words[..words.len().min(if words[0] == "log" { 2 } else { 1 })];
            let told = String::from_utf8(super::good(&[of, &["--help"]].concat(), b"")).unwrap();
            for option in options.iter().filter(|option| **option != "--help") {
                assert!(told.contains(option), "{page}: `aldis {}`: there is no {option}", words.join(" "));
            }
            seen += options.len();
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_project_is_what_its_page_says() {
    let folder = Folder::new("page-of-projects");
    for (from, to) in [
        ("fbe/trades.fbe", "feeds/eu/trades.fbe"),
        ("fbe/desk.fbe", "feeds/drafts/desk.fbe"),
        ("market.xml", "sbe/market.xml"),
    ] {
        let to = folder.0.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join("conformance/schemas").join(from), to).unwrap();
    }
    fs::create_dir(folder.0.join("common")).unwrap();
    fs::write(folder.0.join("aldis.toml"), block("docs/project.md", "schemas = ").join("\n")).unwrap();
    let (succeeded, said, errors) = shell(&folder.0, "aldis check && aldis gen && aldis gen --check && ls src include");
    assert!(succeeded, "{said}{errors}");
    for (file, there) in
        [("trades.erl", true), ("market.erl", true), ("market.hpp", true), ("trades.hpp", false), ("desk.erl", false)]
    {
        assert_eq!(said.lines().any(|line| line == file), there, "{file}: {said}");
    }
}

#[test]
fn tshark_says_what_the_page_of_wireshark_shows() {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|run| run.status.success());
    if !there("tshark") || !there("text2pcap") {
        return;
    }
    let page = "docs/wireshark.md";
    let here = follow(page).0;
    let here = here.0.join("here");
    // The first message of the book, as a packet to a port that the dissector was told of.
    let quote = block("docs/book/start/command.md", "$ cp ../aldis/conformance")
        .into_iter()
        .find_map(|line| Some(line.strip_prefix("$ echo ")?.to_owned()))
        .unwrap();
    let packet = format!("echo {quote} && od -Ax -tx1 -v quote.bin | text2pcap -q -u 40000,30001 - capture.pcap");
    let show = "tshark -X lua_script:market.lua -r capture.pcap -V";
    assert!(fs::read_to_string(root().join(page)).unwrap().contains(&format!("`{show}`")));
    let (succeeded, said, errors) = shell(&here, &format!("({packet}) 2>/dev/null && {show}"));
    assert!(succeeded && said.contains(&block(page, "market (sbe)").join("\n")), "{said}{errors}");
    let filters = block(page, "tshark ");
    for (filter, shown) in filters.iter().zip(["1", ""]) {
        let (succeeded, said, errors) = shell(&here, filter);
        assert!(succeeded && said.trim() == shown, "{filter}\n{said}{errors}");
    }
    assert_eq!(filters.len(), 2);
}

#[test]
fn the_engine_of_python_does_what_its_page_shows() {
    // The engine takes minutes to build; `make wheel` tries it with this file, which must call all that the page calls.
    let tried = fs::read_to_string(root().join("runtime/python-native/tests/check.py")).unwrap();
    let page = "docs/book/start/python.md";
    for line in [block(page, "import aldis"), block(page, "rows = ")].concat() {
        let calls = line.split("schema.").skip(1).filter_map(|rest| Some(&rest[..=rest.find('(')?]));
        for call in calls {
            assert!(tried.contains(&format!("schema.{call}")), "schema.{call}");
        }
    }
    for used in [".array", ".column(\"askSize\")", ".parents"] {
        assert!(block(page, "rows = ").join("\n").contains(used) && tried.contains(used), "{used}");
    }
    let spark = fs::read_to_string(root().join("runtime/python-native/tests/spark.py")).unwrap();
    assert!(
        block(page, "frame = ")[0].contains("aldis.spark.read(spark, ") && spark.contains("aldis.spark.read(spark, ")
    );
    assert!(tried.contains("aldis.load(") && tried.contains("except aldis.CodecError as error"));
}

#[test]
fn the_sink_of_the_page_is_one_that_the_runtime_takes() {
    let folder = Folder::new("page-of-sinks");
    let call = block("docs/sinks.md", "{ok, _} = ").join("\n").replace("port => 7100", "port => 0");
    let program = format!(
        "-module(sinks).\n-export([main/0, init/2, handle_batch/2]).\ninit(_, State) -> {{ok, State}}.\nhandle_batch(_, State) -> {{ok, State}}.\nmain() ->\n    {{ok, _}} = application:ensure_all_started(aldis),\n    {}\n    io:format(\"taken~n\").\n",
        call.trim_end().trim_end_matches('.').to_owned() + ","
    );
    fs::write(folder.0.join("sinks.erl"), program.replace("{my_handler, []}", "{sinks, []}")).unwrap();
    let source = root().join("runtime/erlang").canonicalize().unwrap();
    let build = format!(
        "mkdir ebin && cp {0}/src/aldis.app.src ebin/aldis.app && erlc -o ebin {0}/src/transport/aldis_sink.erl && \
         erlc -pa ebin -I {0}/include -o ebin {0}/src/*.erl {0}/src/transport/*.erl && erlc -o ebin sinks.erl && \
         erl -noshell -pa ebin -run sinks main -run init stop",
        source.display()
    );
    let (succeeded, said, errors) = shell(&folder.0, &build);
    assert!(succeeded && said.contains("taken"), "{said}{errors}");
}

#[test]
fn the_pages_show_every_verb() {
    let pages: Vec<String> =
        listed().iter().map(|page| fs::read_to_string(root().join("docs").join(page)).unwrap()).collect();
    let blocks: Vec<Vec<&str>> = pages.iter().flat_map(|page| split(page).0).collect();
    let typed: Vec<&str> = blocks.iter().flat_map(|block| commands(block)).map(|(command, _)| command).collect();
    let help = String::from_utf8(super::good(&["--help"], b"")).unwrap();
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> = verbs.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(verbs.len() > 15, "{verbs:?}");
    // They serve other programs, build testees of all languages, or end when they are told to; other tests run them.
    let others = ["help", "", "lsp", "testee", "bench-tcp", "conform"];
    for verb in verbs.iter().filter(|verb| !others.contains(verb)) {
        assert!(typed.iter().any(|command| command.contains(&format!("aldis {verb}"))), "{verb} is not shown");
    }
}

/// The names by which links reach the headings of a page.
fn anchors(page: &str) -> Vec<String> {
    let name = |line: &str| {
        let kept = |letter: &char| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter);
        line.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
    };
    split(page).1.into_iter().filter(|line| line.starts_with('#')).map(name).collect()
}

#[test]
fn every_page_is_listed_and_every_link_leads_somewhere() {
    let docs = root().join("docs");
    let listed = listed();
    let mut pages: Vec<PathBuf> = listed.iter().map(|page| docs.join(page)).collect();
    for folder in ["book", "book/start", "book/from", "book/formats"] {
        for entry in fs::read_dir(docs.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_page = path.extension().is_some_and(|extension| extension == "md");
            assert!(!is_page || pages.contains(&path), "{} is not in docs/SUMMARY.md", path.display());
        }
    }
    pages.push(root().join("README.md"));
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for target in split(&text).1.into_iter().flat_map(links).filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(to.exists(), "{}: {target} leads nowhere", page.display());
            if !anchor.is_empty() {
                let found = anchors(&fs::read_to_string(&to).unwrap()).iter().any(|name| name == anchor);
                assert!(found, "{}: {target} leads to no heading", page.display());
            }
            // The book has the pages and pictures of `docs` alone.
            let own = to.canonicalize().unwrap_or_default().starts_with(docs.canonicalize().unwrap());
            assert!(
                file.is_empty() || own || page.ends_with("README.md"),
                "{}: {target} is not in the book",
                page.display()
            );
        }
    }
}
