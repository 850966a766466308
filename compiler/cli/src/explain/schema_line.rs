//! The text of the schema beside a row: the line of a declaration, or, where a line holds several, the declaration.

use aldis_diagnostics::{Source, Span};

/// So many characters of a line are shown at the most.
const LONGEST: usize = 160;

/// The schema's text at `span`, in one line.
pub fn schema_line(source: &Source, span: Span) -> String {
    let text = source.text.as_str();
    let begin = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[begin..].find('\n').map_or(text.len(), |at| begin + at);
    let line = &text[begin..end];
    let at = (span.start as usize - begin).min(line.len());
    cut(declaration(line, at).trim()).to_owned()
}

/// The part of a line that declares what is at byte `at`.
fn declaration(line: &str, at: usize) -> &str {
    let is_markup = line.trim_start().starts_with('<');
    let opens = |c: char| if is_markup { c == '<' } else { matches!(c, ';' | '{' | '}') };
    let start = match line[..at].rfind(opens) {
        _ if is_markup && line[at..].starts_with('<') => at,
        Some(before) if is_markup => before,
        Some(before) => before + 1,
        None => 0,
    };
    // A name in markup is in quotes: what is quoted is known from the begin of its element on.
    let from = if is_markup { start } else { at };
    let mut quoted = false;
    let closing = line[from..].char_indices().find(|(_, c)| {
        quoted ^= *c == '"';
        !quoted && if is_markup { *c == '>' } else { matches!(c, ';' | '{' | '}') }
    });
    let end = closing.map_or(line.len(), |(length, c)| from + length + c.len_utf8());
    let (before, after) = (line[..start].trim(), line[end..].trim_start());
    let is_remark = after.is_empty() || ["//", "/*", "#", "<!--"].iter().any(|sign| after.starts_with(sign));
    // A line of its own is shown with the remark behind it.
    match before.is_empty() && is_remark {
        true => line,
        false => &line[start..end],
    }
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::schema_line;
    use aldis_diagnostics::{Sources, Span};

    fn shown(text: &str, word: &str) -> String {
        let mut sources = Sources::default();
        let id = sources.add("schema", text);
        let at = text.find(word).unwrap();
        schema_line(sources.get(id), Span::new(id, at, at + word.len()))
    }

    #[test]
    fn a_line_of_its_own_is_shown_whole() {
        assert_eq!(shown("package p\n  int32 id; // the key\n", "id"), "int32 id; // the key");
        assert_eq!(shown("a\n<field name=\"id\" type=\"x\"/> \nb", "id"), "<field name=\"id\" type=\"x\"/>");
        assert_eq!(shown("package p\nstruct Order {\n", "Order"), "struct Order {");
    }

    #[test]
    fn of_several_declarations_in_a_line_one_is_shown() {
        let line = "struct Order { int32 id; string s = \"a;b\"; double price; }";
        assert_eq!(shown(line, "Order"), "struct Order {");
        assert_eq!(shown(line, "id"), "int32 id;");
        assert_eq!(shown(line, "s ="), "string s = \"a;b\";");
        assert_eq!(shown(line, "price"), "double price;");
        assert_eq!(shown("<m name=\"a\"><f name=\"b\"/><f name=\"c\"/></m>", "b"), "<f name=\"b\"/>");
        assert_eq!(shown("<m name=\"a\"><f name=\"b\"/><f name=\"c\"/></m>", "<f name=\"b"), "<f name=\"b\"/>");
        assert_eq!(shown(&format!("x {}", "é".repeat(400)), "x").chars().count(), 160);
    }
}
