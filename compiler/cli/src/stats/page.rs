//! Statistics as one HTML page that needs nothing else.

use super::plots::plots;
use super::report::Report;
use super::terminal::{headline, share};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{context, AutoEscape, Environment, Value};
use std::error::Error;

/// The page's text.
///
/// # Errors
/// When the plots cannot be drawn or the template cannot be filled, which their test would have shown.
pub fn page(report: &Report) -> Result<String, Box<dyn Error>> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    let most = report.kinds.iter().map(|kind| kind.messages).max().unwrap_or(1);
    let kinds = report.kinds.iter().map(|kind| {
        context! {
            name => kind.name(), schema => kind.schema, version => kind.version_text(), id => kind.id,
            messages => kind.messages, share => share(kind.messages, report.messages), bytes => kind.bytes,
            mean => kind.bytes / kind.messages.max(1), least => kind.smallest, largest => kind.largest,
            damaged => kind.damaged, bar => 100.0 * kind.messages as f64 / most as f64,
        }
    });
    let template = environment.template_from_str(include_str!("page.html"))?;
    Ok(template.render(context! {
        report => Value::from(Serde(report)), headline => headline(report), kinds => kinds.collect::<Vec<Value>>(),
        plots => Value::from(Serde(plots(report)?)),
    })?)
}
