//! Modules of a crate that need each other in a circle can only be understood, moved and tested together.
//!
//! The modules of each folder are looked at, each with all that lies below it. A module and the folder's own file may
//! use each other: they are one thing in several files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Graph = BTreeMap<String, BTreeSet<String>>;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
}

/// `decode::node` of `src/decode/node.rs`, as a list.
fn module_of(src: &Path, file: &Path) -> Vec<String> {
    let place = file.strip_prefix(src).unwrap().with_extension("");
    let parts: Vec<String> = place.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    match parts.last().map(String::as_str) {
        Some("mod" | "lib" | "main") => parts[..parts.len() - 1].to_vec(),
        _ => parts,
    }
}

/// All paths from `crate`, `super` and `self` in the text of a file, its tests and comments left out.
fn paths(text: &str) -> Vec<Vec<String>> {
    let text = text.split("#[cfg(test)]").next().unwrap();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    let code = code.join(" ");
    let mut found = Vec::new();
    for root in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            if before != ':' && !before.is_alphanumeric() && before != '_' {
                path(&code[at..], &[], &mut found);
            }
        }
    }
    found
}

/// Adds the paths that `text` begins with, several where there are braces, and gives what stands behind them.
fn path<'t>(text: &'t str, before: &[String], found: &mut Vec<Vec<String>>) -> &'t str {
    let mut parts = before.to_vec();
    let mut rest = text.trim_start();
    loop {
        if let Some(inner) = rest.strip_prefix('{') {
            rest = inner;
            while !rest.is_empty() && !rest.starts_with('}') {
                rest = path(rest, &parts, found).trim_start_matches([',', ' ']);
            }
            return rest.get(1..).unwrap_or_default().trim_start();
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        parts.push(rest[..end].to_owned());
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(further) if !further.starts_with('<') => rest = further,
            _ => break,
        }
    }
    found.push(parts);
    // Text that is not understood (`as name`, `*`) ends with the next item.
    rest.find([',', '}']).map_or("", |at| &rest[at..])
}

/// The module that a path leads to from `module`.
fn target(module: &[String], path: &[String], modules: &BTreeSet<Vec<String>>) -> Vec<String> {
    let mut place = match path[0].as_str() {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        _ => module[..module.len().saturating_sub(1)].to_vec(),
    };
    for part in &path[1..] {
        match part.as_str() {
            "super" => drop(place.pop()),
            part => place.push(part.to_owned()),
        }
    }
    while !modules.contains(&place) && !place.is_empty() {
        place.pop();
    }
    place
}

/// By folder of a crate: which of its modules use which.
fn graphs(src: &Path) -> BTreeMap<String, Graph> {
    let mut files = Vec::new();
    sources(src, &mut files);
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| module_of(src, file)).collect();
    let mut graphs: BTreeMap<String, Graph> = BTreeMap::new();
    for file in &files {
        let module = module_of(src, file);
        for path in paths(&fs::read_to_string(file).unwrap()) {
            let used = target(&module, &path, &modules);
            let shared = module.iter().zip(&used).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (module.get(shared), used.get(shared)) {
                let graph = graphs.entry(module[..shared].join("/")).or_default();
                graph.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    graphs
}

fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(module) = open.pop() {
        for next in graph.get(&module).into_iter().flatten() {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// The modules of each circle.
fn circles(graph: &Graph) -> BTreeSet<Vec<String>> {
    let all: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|module| (module, reached(graph, module))).collect();
    let circle = |module: &String| -> Vec<String> {
        let back = |other: &&String| all.get(*other).is_some_and(|reached| reached.contains(module));
        all[module].iter().filter(back).cloned().collect()
    };
    all.keys().map(|module| circle(module)).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn no_modules_need_each_other_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut found = BTreeSet::new();
    for folder in ["compiler", "compiler/formats", "compiler/languages", "runtime", "conformance"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let src = entry.unwrap().path().join("src");
            if !src.join("lib.rs").is_file() && !src.join("main.rs").is_file() {
                continue;
            }
            for (within, graph) in graphs(&src) {
                let place = src.join(within);
                let place = place.strip_prefix(root).unwrap().to_str().unwrap().trim_end_matches('/');
                found.extend(circles(&graph).into_iter().map(|circle| format!("{place}: {}", circle.join(" "))));
            }
        }
    }
    assert!(found.is_empty(), "circles of modules: move what both need into a module below them\n{found:#?}");
}

#[test]
fn paths_are_found_in_all_their_forms() {
    let found = |text: &str| paths(text).iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(
        found("use crate::a::{b, c::{D, e}, f as g};\ncrate::h::i()"),
        ["crate::a::b", "crate::a::c::D", "crate::a::c::e", "crate::a::f", "crate::h::i"]
    );
    assert_eq!(found("use super::super::x::Y; // crate::no"), ["super::super::x::Y"]);
    let circle: Graph = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]
        .into_iter()
        .map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])))
        .collect();
    assert_eq!(circles(&circle), BTreeSet::from([["a", "b", "c"].map(str::to_owned).to_vec()]));
}
