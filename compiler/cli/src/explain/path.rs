//! Values near a path that names none of a message.

use super::rows::is_within;
use aldis_interpreter::Explainer;

/// So many values near the path are named.
const MOST: usize = 20;

/// A sentence about a path that names nothing in the message; none where it names a value.
pub fn nothing_at(path: &str, explainer: &Explainer<'_>) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    let (mut found, mut known) = (false, String::new());
    explainer.each(usize::MAX, &mut |entry| {
        found |= is_within(path, &entry.path);
        if is_within(&entry.path, path) && entry.path.len() > known.len() {
            known = entry.path;
        }
    });
    if found {
        return None;
    }
    let (mut names, mut more) = (Vec::new(), false);
    explainer.each(usize::MAX, &mut |entry| {
        let Some(name) = child(&known, &entry.path) else { return };
        if names.iter().all(|other| other != name) {
            more |= names.len() == MOST;
            names.extend((names.len() < MOST).then(|| name.to_owned()));
        }
    });
    let place = if known.is_empty() { "the message".to_owned() } else { format!("`{known}`") };
    let there = match names.as_slice() {
        [] => "is nothing".to_owned(),
        names => format!(
            "{} {}{}",
            if names.len() == 1 { "is" } else { "are" },
            names.join(", "),
            if more { ", …" } else { "" }
        ),
    };
    Some(format!("--path: `{path}` names nothing here: in {place} there {there}"))
}

/// The name or index of what lies in the value at `known` on the way to `path`.
fn child<'p>(known: &str, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(known).filter(|rest| !rest.is_empty() && is_within(known, path))?;
    let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
    Some(rest[..end].trim_start_matches('.'))
}
