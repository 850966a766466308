//! The text of a literal, and the holes in it.

/// A part of a template.
pub(crate) enum Part {
    Char(char),
    /// The name in a hole; empty for the next argument.
    Hole(String),
}

/// The parts of a template that is written as this literal.
pub(crate) fn split(literal: &str) -> Result<Vec<Part>, String> {
    let content = content(literal)?;
    let mut parts = Vec::new();
    let mut chars = content.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if chars.peek() == Some(&c) => {
                chars.next();
                parts.push(Part::Char(c));
            }
            '{' => {
                let mut name = String::new();
                loop {
                    match chars.next() {
                        Some('}') => break,
                        Some(c) => name.push(c),
                        None => return Err(format!("the hole `{{{name}` is not closed")),
                    }
                }
                let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if !is_word || name.starts_with(|c: char| c.is_ascii_digit()) {
                    return Err(format!("`{{{name}}}` is no hole: it has a name or nothing"));
                }
                parts.push(Part::Hole(name));
            }
            '}' => return Err("a `}` alone; two of them are one".to_owned()),
            c => parts.push(Part::Char(c)),
        }
    }
    Ok(parts)
}

/// The text that a literal stands for.
fn content(literal: &str) -> Result<String, String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let inner = raw.trim_matches('#').strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
        return inner.map(str::to_owned).ok_or_else(|| "a template is a literal of text".to_owned());
    }
    let inner = literal.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
    let mut chars = inner.ok_or("a template is a literal of text")?.chars().peekable();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some(c @ ('"' | '\\' | '\'')) => text.push(c),
                // A line end, and what white space follows it.
                Some('\n') => while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {},
                _ => return Err("an escape that templates do not have".to_owned()),
            },
            c => text.push(c),
        }
    }
    Ok(text)
}
