//! An explanation for terminals: bytes, field, value and schema line side by side.

use super::rows::{Kind, Page, Row};

/// Bytes in a line.
const WIDTH: usize = 8;
/// Lines of bytes that one field may take; more are left out.
const LINES: usize = 8;
/// Characters of a value and of a schema line that are shown.
const VALUE: usize = 48;
const SCHEMA: usize = 64;

/// Colours of fields, by depth.
const PALETTE: [&str; 5] = ["36", "32", "33", "35", "34"];

/// The text of a page; `coloured` with terminal colours.
pub fn render(page: &Page, coloured: bool) -> String {
    let paint = Paint { coloured };
    let names: Vec<String> = page.rows.iter().map(|row| format!("{}{}", "  ".repeat(row.depth), row.label)).collect();
    let values: Vec<String> = page.rows.iter().map(|row| cut(&row.value, VALUE)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let (name_width, value_width) = (widest(&names), widest(&values));
    let mut text = format!("{}\n\n", paint.style("1", &page.title));
    for ((row, name), value) in page.rows.iter().zip(&names).zip(&values) {
        let schema =
            if row.place.is_empty() { String::new() } else { format!("{}  {}", row.place, cut(&row.line, SCHEMA)) };
        let style = style(row);
        let mut lines = hex_lines(page, row).into_iter();
        let first = lines.next().unwrap_or_default();
        let start = if row.end > row.start { row.start.to_string() } else { String::new() };
        let line = [
            paint.style("2", &format!("{start:>6}")),
            paint.style(style, &format!("{first:<width$}", width = WIDTH * 3 - 1)),
            paint.style(style, &pad(name, name_width)),
            pad(value, value_width),
            paint.style("2", &schema),
        ];
        push_line(&mut text, &line.join("  "));
        for (index, more) in lines.enumerate() {
            let at = row.start + (index + 1) * WIDTH;
            let at = if more.starts_with('…') { String::new() } else { at.to_string() };
            push_line(&mut text, &format!("{}  {}", paint.style("2", &format!("{at:>6}")), paint.style(style, &more)));
        }
    }
    text.push('\n');
    match &page.fault {
        Some(fault) => text.push_str(&format!("{} {fault}\n", paint.style("1;31", "broken:"))),
        None => text.push_str(&format!("{}\n", page.summary)),
    }
    text
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// The bytes of a row in lines. What has members has no bytes of its own.
fn hex_lines(page: &Page, row: &Row) -> Vec<String> {
    if !row.kind.owns_bytes() {
        return Vec::new();
    }
    let bytes = &page.bytes[row.start..row.end];
    let mut lines: Vec<String> = bytes
        .chunks(WIDTH)
        .take(LINES)
        .map(|chunk| chunk.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "))
        .collect();
    if let Some(more) = bytes.len().checked_sub(WIDTH * LINES).filter(|&more| more > 0) {
        lines.push(format!("… {more} more bytes"));
    }
    lines
}

fn style(row: &Row) -> &'static str {
    match row.kind {
        Kind::Group => "1",
        Kind::Register | Kind::Pointer => "2;36",
        Kind::Ignored | Kind::Padding | Kind::Unread | Kind::Absent => "2",
        Kind::Broken => "1;31",
        Kind::Field => PALETTE[row.depth % PALETTE.len()],
    }
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.chars().count())))
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

struct Paint {
    coloured: bool,
}

impl Paint {
    fn style(&self, style: &str, text: &str) -> String {
        if self.coloured && !text.trim().is_empty() {
            format!("\x1b[{style}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}
