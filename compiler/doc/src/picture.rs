//! A layout as a picture: eight bytes a row.

use crate::html::{element, text, with_text, Html};
use aldis_plan::{Line, Outline};

const ROW: u32 = 8;

/// Rows of one field beyond which its middle is left out.
const MOST_ROWS: u32 = 3;

/// Bytes with one meaning.
struct Cell {
    at: u32,
    end: u32,
    label: String,
    is_hole: bool,
}

/// The picture of what has fixed places; `None` where nothing has.
pub(crate) fn picture(outline: &Outline) -> Option<Html> {
    let cells = cells(&outline.lines);
    if cells.is_empty() {
        return None;
    }
    let mut rows = vec![heading()];
    let mut row = Vec::new();
    let mut start = 0;
    for cell in &cells {
        let mut at = cell.at;
        while at < cell.end {
            let (line, column) = (at / ROW * ROW, at % ROW);
            if line != start || row.is_empty() {
                flush(&mut rows, &mut row, start);
                start = line;
            }
            let whole = (cell.end - at) / ROW;
            if column == 0 && whole > MOST_ROWS && at > cell.at {
                row.push(piece(cell, 1, ROW, &format!("… {} more bytes of {}", whole * ROW, cell.label)));
                at += whole * ROW;
                continue;
            }
            let length = (ROW - column).min(cell.end - at);
            row.push(piece(cell, column + 1, length, &cell.label));
            at += length;
        }
    }
    flush(&mut rows, &mut row, start);
    Some(
        element("div", rows)
            .with("class", "bytes")
            .with("role", "img")
            .with("aria-label", "the bytes of the fixed part"),
    )
}

fn heading() -> Html {
    let columns = (0..ROW).map(|column| with_text("span", column.to_string()).with("class", "column"));
    element("div", std::iter::once(with_text("span", "")).chain(columns)).with("class", "row")
}

fn flush(rows: &mut Vec<Html>, row: &mut Vec<Html>, start: u32) {
    if !row.is_empty() {
        let label = with_text("span", start.to_string()).with("class", "offset");
        rows.push(element("div", std::iter::once(label).chain(row.drain(..))).with("class", "row"));
    }
}

fn piece(cell: &Cell, column: u32, length: u32, label: &str) -> Html {
    let class = if cell.is_hole { "byte hole" } else { "byte" };
    let label = if cell.is_hole { "" } else { label };
    let title = format!("{}: bytes {} to {}", if cell.is_hole { "hole" } else { &cell.label }, cell.at, cell.end - 1);
    element("span", [text(label)])
        .with("class", class)
        .with("style", format!("grid-column:{}/span {length}", column + 1))
        .with("title", title)
}

/// Lines in the order of their bytes; what shares bytes (bits, and the arms of a union) shares a cell.
fn cells(lines: &[Line]) -> Vec<Cell> {
    let mut placed: Vec<(u32, u32, &Line)> = lines
        .iter()
        .filter_map(|line| Some((line.at?, line.size.unwrap_or(0).max(u32::from(line.bit.is_some())), line)))
        .filter(|(_, size, _)| *size > 0)
        .collect();
    placed.sort_by_key(|(at, ..)| *at);
    let mut cells: Vec<Cell> = Vec::new();
    for (at, size, line) in placed {
        match cells.last_mut().filter(|cell| at < cell.end) {
            Some(cell) => {
                cell.end = cell.end.max(at + size);
                cell.label = format!("{}, {}", cell.label, line.name);
                cell.is_hole &= line.is_hole;
            }
            None => cells.push(Cell { at, end: at + size, label: line.name.clone(), is_hole: line.is_hole }),
        }
    }
    cells
}
