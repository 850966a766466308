//! An explanation as one HTML page that needs nothing else.

use super::rows::{owners, Kind, Page, Row};
use minijinja::syntax::SyntaxConfig;
use minijinja::{context, AutoEscape, Environment, Error, Value};
use std::io::Write;
use std::sync::Arc;

/// Colours that fields take in turn.
const SHADES: u32 = 6;

/// Bytes in a line.
const WIDTH: usize = 16;

/// Writes the page's text to `file`.
///
/// # Errors
/// When the file cannot be written, or the template cannot be filled, which its test would have shown.
pub fn render(page: &Page<'_>, file: impl Write) -> Result<(), Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    let mut rows = Vec::new();
    page.each(&mut |row| rows.push(row.clone()));
    let template = environment.template_from_str(include_str!("page.html"))?;
    let values = context! {
        title => page.title.as_str(),
        summary => page.summary.as_str(),
        fault => page.fault.as_deref(),
        lines => lines(page.bytes, &rows),
        rows => Value::make_object_iterable(rows, |rows| Box::new(rows.iter().map(row))),
    };
    template.render_captured_to(values, file).map(drop)
}

fn row(row: &Row) -> Value {
    context! {
        start => row.start, end => row.end, depth => row.depth,
        label => row.label.as_str(), path => row.path.as_str(), value => row.value.as_str(),
        place => row.place.as_str(), line => row.line.as_str(), kind => row.kind.name(), target => row.target,
    }
}

/// The bytes in lines, each made when its turn comes: all of them together would take hundreds of times their room.
fn lines(bytes: &[u8], rows: &[Row]) -> Value {
    let owners = owners(rows, bytes.len());
    let kinds = owners.iter().map(|owner| owner.map_or(Kind::Unread, |row| rows[row as usize].kind));
    let cells: Arc<[Cell]> =
        bytes.iter().zip(&owners).zip(kinds).map(|((byte, owner), kind)| (*byte, *owner, kind)).collect();
    Value::make_object_iterable(cells, |cells| {
        Box::new((0..cells.len()).step_by(WIDTH).map(|start| {
            let line = &cells[start..cells.len().min(start + WIDTH)];
            Value::from(line.iter().zip(start..).map(cell).collect::<Vec<_>>())
        }))
    })
}

/// A byte, the row that it belongs to, and what that is.
type Cell = (u8, Option<u32>, Kind);

fn cell(((byte, owner, kind), at): (&Cell, usize)) -> Value {
    let shade = owner.map_or(0, |row| row % SHADES);
    context! { at, hex => format!("{byte:02x}"), row => *owner, kind => kind.name(), shade }
}
