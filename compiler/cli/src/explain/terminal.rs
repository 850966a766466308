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

/// So much text is gathered before it is handed on.
const FLUSH: usize = 1 << 16;

/// The text of a page, piece by piece; `coloured` with terminal colours.
pub fn render(page: &Page<'_>, coloured: bool, write: &mut dyn FnMut(&str)) {
    let paint = Paint { coloured };
    let mut widths = Widths { name: 0, value: 0 };
    page.each(&mut |row| {
        widths.name = widths.name.max(name(row).chars().count());
        widths.value = widths.value.max(row.value.chars().take(VALUE + 1).count());
    });
    let mut text = format!("{}\n\n", paint.style("1", &page.title));
    let left_out = page.each(&mut |row| {
        push_row(&mut text, page, row, &paint, &widths);
        if text.len() > FLUSH {
            write(&text);
            text.clear();
        }
    });
    text.push('\n');
    match &page.fault {
        Some(fault) => text.push_str(&format!("{} {fault}\n", paint.style("1;31", "broken:"))),
        None => text.push_str(&format!("{}\n", page.summary)),
    }
    if left_out > 0 {
        text.push_str(&format!("{left_out} more rows are left out: --all shows them, --path those of one value.\n"));
    }
    write(&text);
}

/// The widths of columns, in characters.
struct Widths {
    name: usize,
    value: usize,
}

fn name(row: &Row) -> String {
    format!("{}{}", "  ".repeat(row.depth), row.label)
}

fn push_row(text: &mut String, page: &Page<'_>, row: &Row, paint: &Paint, widths: &Widths) {
    let schema = match row.place.is_empty() {
        true => String::new(),
        false => format!("{}  {}", row.place, cut(&row.line, SCHEMA)),
    };
    let style = style(row);
    let mut lines = hex_lines(page, row).into_iter();
    let first = lines.next().unwrap_or_default();
    let start = if row.end > row.start { row.start.to_string() } else { String::new() };
    let line = [
        paint.style("2", &format!("{start:>6}")),
        paint.style(style, &format!("{first:<width$}", width = WIDTH * 3 - 1)),
        paint.style(style, &pad(&name(row), widths.name)),
        pad(&cut(&row.value, VALUE), widths.value),
        paint.style("2", &schema),
    ];
    push_line(text, &line.join("  "));
    for (index, more) in lines.enumerate() {
        let at = row.start + (index + 1) * WIDTH;
        let at = if more.starts_with('…') { String::new() } else { at.to_string() };
        push_line(text, &format!("{}  {}", paint.style("2", &format!("{at:>6}")), paint.style(style, &more)));
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// The bytes of a row in lines. What has members has no bytes of its own.
fn hex_lines(page: &Page<'_>, row: &Row) -> Vec<String> {
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
        Kind::Field | Kind::Header => PALETTE[row.depth % PALETTE.len()],
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
