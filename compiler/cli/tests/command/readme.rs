//! The README has the words that a newcomer types and sees: its programs are written, its commands run, and what they say is
//! compared.

use super::{root, Folder};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sections whose programs have a test of their own, by how they begin.
const LANGUAGES: [&str; 4] = ["**Erlang.**", "**Elixir.**", "**C++.**", "**JavaScript and TypeScript.**"];

/// Parts of the tour: each begins with a heading, or with bold words.
fn sections() -> Vec<String> {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let mut sections = vec![String::new()];
    for line in text.lines() {
        if line.starts_with("**") || line.starts_with("## ") {
            sections.push(String::new());
        }
        let section = sections.last_mut().unwrap();
        section.push_str(line);
        section.push('\n');
    }
    sections
}

/// The fenced blocks of a section.
fn blocks(section: &str) -> Vec<Vec<&str>> {
    let mut blocks = Vec::new();
    let mut open: Option<Vec<&str>> = None;
    for line in section.lines() {
        match (line.starts_with("```"), open.as_mut()) {
            (true, Some(_)) => blocks.extend(open.take()),
            (true, None) => open = Some(Vec::new()),
            (false, Some(block)) => block.push(line),
            (false, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed:\n{section}");
    blocks
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

/// Whether `said` is what is `shown`, where a line `…` stands for any lines.
fn matches(shown: &[&str], said: &[&str]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((&"…", rest)) => (0..=said.len()).any(|skip| matches(rest, &said[skip..])),
        Some((line, rest)) => said.split_first().is_some_and(|(first, more)| line == first && matches(rest, more)),
    }
}

/// A shell's command in a folder, where `aldis` is in the path.
fn shell(folder: &Path, command: &str) -> (bool, String, String) {
    let own = Path::new(env!("CARGO_BIN_EXE_aldis")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others))).unwrap();
    let run = Command::new("sh").args(["-ec", command]).current_dir(folder).env("PATH", path).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.success(), text(&run.stdout), text(&run.stderr))
}

/// The folder of the tour beside the checkout, made as the README says.
fn tour(folder: &Folder) -> PathBuf {
    symlink(root().canonicalize().unwrap(), folder.0.join("aldis")).unwrap();
    let sections = sections();
    let begin = sections.iter().find(|section| section.starts_with("## A short tour")).unwrap();
    let (made, _, said) = shell(&folder.0, &blocks(begin)[0].join("\n"));
    assert!(made, "{said}");
    folder.0.join("tour")
}

/// Does what a section says; gives how many of its commands show something.
fn follow(section: &str, folder: &Path, all_succeed: bool) -> usize {
    let mut shows = 0;
    for block in blocks(section) {
        if let Some(name) = file_name(&block) {
            fs::write(folder.join(name), block.join("\n") + "\n").unwrap();
        }
        for (command, shown) in commands(&block) {
            let (succeeded, said, errors) = shell(folder, command);
            assert!(succeeded || !all_succeed, "{command}\n{said}{errors}");
            let lines: Vec<&str> = said.trim_end().lines().collect();
            assert!(matches(&shown, &lines), "{command} says\n{said}{errors}");
            shows += usize::from(!shown.is_empty());
        }
    }
    shows
}

fn language(begin: &str) {
    let folder = Folder::new(&format!("readme-{}", begin.trim_matches(['*', '.'])));
    let tour = tour(&folder);
    let sections = sections();
    let section = sections.iter().find(|section| section.starts_with(begin)).unwrap();
    assert!(follow(section, &tour, true) >= 1, "{begin} shows what comes out");
}

#[test]
fn erlang_as_the_tour_shows_it() {
    language(LANGUAGES[0]);
}

#[test]
fn elixir_as_the_tour_shows_it() {
    language(LANGUAGES[1]);
}

#[test]
fn cpp_as_the_tour_shows_it() {
    language(LANGUAGES[2]);
}

#[test]
fn javascript_as_the_tour_shows_it() {
    language(LANGUAGES[3]);
}

#[test]
fn every_command_says_what_the_tour_shows() {
    let folder = Folder::new("readme");
    let tour = tour(&folder);
    let sections = sections();
    let others = sections.iter().filter(|section| !LANGUAGES.iter().any(|begin| section.starts_with(begin)));
    let shows: usize = others.map(|section| follow(section, &tour, false)).sum();
    assert!(shows >= 6, "{shows}");
}

#[test]
fn the_tour_shows_every_verb() {
    let sections = sections();
    let blocks: Vec<Vec<&str>> = sections.iter().flat_map(|section| blocks(section)).collect();
    let typed: Vec<&str> = blocks.iter().flat_map(|block| commands(block)).map(|(command, _)| command).collect();
    let help = String::from_utf8(super::good(&["--help"], b"")).unwrap();
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> = verbs.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(verbs.len() > 15, "{verbs:?}");
    // They serve other programs, wait for a server, or end when they are told to; other tests run them.
    let others = ["help", "", "lsp", "testee", "send", "recv", "bench-tcp", "log"];
    for verb in verbs.iter().filter(|verb| !others.contains(verb)) {
        assert!(typed.iter().any(|command| command.contains(&format!("aldis {verb}"))), "{verb} is not shown");
    }
}
