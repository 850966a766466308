//! An explanation as one HTML page that needs nothing else.

use super::rows::{Kind, Page};
use minijinja::syntax::SyntaxConfig;
use minijinja::{context, AutoEscape, Environment, Error, Value};

/// Colours that fields take in turn.
const SHADES: usize = 6;

/// The page's text.
///
/// # Errors
/// When the template cannot be filled, which its test would have shown.
pub fn render(page: &Page) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.render_str(
        include_str!("page.html"),
        context! {
            title => page.title.as_str(),
            summary => page.summary.as_str(),
            fault => page.fault.as_deref(),
            rows => rows(page),
            bytes => bytes(page),
        },
    )
}

fn rows(page: &Page) -> Vec<Value> {
    let value = |row: &super::rows::Row| {
        context! {
            start => row.start, end => row.end, depth => row.depth,
            label => row.label.as_str(), path => row.path.as_str(), value => row.value.as_str(),
            place => row.place.as_str(), line => row.line.as_str(), kind => row.kind.name(), target => row.target,
        }
    };
    page.rows.iter().map(value).collect()
}

fn bytes(page: &Page) -> Vec<Value> {
    let value = |(at, (byte, owner)): (usize, (&u8, Option<usize>))| {
        let kind = owner.map_or(Kind::Unread, |row| page.rows[row].kind).name();
        context! { at, hex => format!("{byte:02x}"), row => owner, kind, shade => owner.map_or(0, |row| row % SHADES) }
    };
    page.bytes.iter().zip(page.owners()).enumerate().map(value).collect()
}
