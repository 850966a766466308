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
fn every_command_says_what_the_pages_show() {
    let apart = ["erlang", "elixir", "cpp", "javascript", "python", "java", "csharp"];
    // Languages have tests of their own, and so has the page of terms.
    let apart = apart.map(|name| format!("docs/book/start/{name}.md"));
    let apart: Vec<String> = apart.into_iter().chain(["docs/book/terms.md".to_owned()]).collect();
    let pages = listed().into_iter().map(|page| format!("docs/{page}")).filter(|page| page.starts_with("docs/book/"));
    let pages: Vec<String> = pages.filter(|page| !apart.contains(page)).chain(["README.md".to_owned()]).collect();
    let shows: usize = pages.iter().map(|page| follow(page).1).sum();
    assert!(shows >= 25, "{shows}");
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
            let file = target.split('#').next().unwrap();
            let to = page.parent().unwrap().join(file);
            assert!(file.is_empty() || to.exists(), "{}: {target} leads nowhere", page.display());
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
