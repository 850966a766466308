//! The tour in the README shows what the command really says.

use super::{root, Folder};
use std::fs;
use std::process::Command;

/// The commands of the tour, each with the lines shown below it.
fn tour() -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut within = false;
    for line in text.lines() {
        if line.starts_with("```") {
            within = false;
        } else if let Some(command) = line.strip_prefix("$ aldis ") {
            within = true;
            commands.push((command.to_owned(), Vec::new()));
        } else if let (true, Some((_, shown))) = (within, commands.last_mut()) {
            shown.push(line.to_owned());
        }
    }
    commands
}

/// Whether `said` is what is `shown`, where a line `…` stands for any lines.
fn matches(shown: &[String], said: &[&str]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((line, rest)) if line == "…" => (0..=said.len()).any(|skip| matches(rest, &said[skip..])),
        Some((line, rest)) => said.split_first().is_some_and(|(first, more)| line == first && matches(rest, more)),
    }
}

#[test]
fn every_command_says_what_the_tour_shows() {
    let folder = Folder::new("readme");
    for path in ["examples/shop.fbe", "market.fbe", "market.xml", "market.capnp"] {
        let from = if path.contains('/') { path.to_owned() } else { format!("conformance/schemas/{path}") };
        fs::copy(root().join(from), folder.path(path.rsplit('/').next().unwrap())).unwrap();
    }
    let tour = tour();
    assert!(tour.len() >= 6, "{tour:?}");
    let mut shown_something = 0;
    for (command, shown) in &tour {
        let (arguments, file) = command.split_once(" > ").unwrap_or((command, ""));
        let run = Command::new(env!("CARGO_BIN_EXE_aldis"))
            .args(arguments.split(' '))
            .current_dir(&folder.0)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stdout);
        if !file.is_empty() {
            folder.write(file, &run.stdout);
            continue;
        }
        let lines: Vec<&str> = said.trim_end().lines().collect();
        assert!(matches(shown, &lines), "aldis {command} says\n{said}");
        shown_something += usize::from(!shown.is_empty());
    }
    assert!(shown_something >= 4);
}
