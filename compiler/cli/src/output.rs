//! The only module that writes to standard output and standard error.

use crate::failure::{Failure, Outcome};
use aldis_diagnostics::{any_error, Diagnostic, Severity, Sources, Style};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, IsTerminal, Read, Write};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the schema's lines and what to do.
    Human,
    /// One JSON object a line.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal.
    Auto,
    Always,
    Never,
}

/// The destinations of a command's products and of its remarks, and how they are dressed.
pub struct Output {
    json: bool,
    coloured: Streams,
    terminal: Streams,
    /// The terminal knows no control sequences (`TERM=dumb`).
    dumb: bool,
    /// Problems have been found, so the exit code is not 0 even if nobody reads on.
    failed: Cell<bool>,
}

#[derive(Clone, Copy)]
struct Streams {
    out: bool,
    err: bool,
}

/// The stream that diagnostics go to: `check` is asked for them, for all others they are remarks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

impl Output {
    pub fn new(format: MessageFormat, colour: Colour) -> Self {
        let terminal = Streams { out: io::stdout().is_terminal(), err: io::stderr().is_terminal() };
        let set = |name: &str| std::env::var_os(name).unwrap_or_default();
        let dumb = set("TERM") == "dumb";
        let plain = dumb || !set("NO_COLOR").is_empty();
        let coloured = match colour {
            Colour::Always => Streams { out: true, err: true },
            Colour::Never => Streams { out: false, err: false },
            Colour::Auto => Streams { out: terminal.out && !plain, err: terminal.err && !plain },
        };
        let json = format == MessageFormat::Json;
        Self { json, coloured, terminal, dumb, failed: Cell::new(false) }
    }

    /// Whether what goes to standard output may be coloured.
    pub fn coloured(&self) -> bool {
        self.coloured.out
    }

    /// Whether somebody watches standard output; remarks that only help people are left out otherwise.
    pub fn watched(&self) -> bool {
        self.terminal.out
    }

    /// Whether problems are to be JSON objects.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Writes `text` for people to standard output; see [`escaped`].
    pub fn print(&self, text: &str) -> Outcome {
        self.write(escaped(text).as_bytes())
    }

    /// Writes bytes to standard output as they are and hands them on at once: data, or text that is escaped already.
    pub fn write(&self, bytes: &[u8]) -> Outcome {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| Failure::writing(&error))
    }

    /// A remark for people on standard error; see [`escaped`].
    pub fn remark(&self, text: &str) {
        self.raw_remark(&escaped(text));
    }

    /// A line on standard error as it is: JSON, or text that is escaped already.
    pub fn raw_remark(&self, text: &str) {
        // Nobody can be told that standard error is gone.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Remembers that the input has problems, whether or not they can still be shown.
    pub fn found_problem(&self) {
        self.failed.set(true);
    }

    /// Something went wrong with the input; for scripts as a JSON object of the same form as diagnostics.
    pub fn problem(&self, text: &str) {
        self.found_problem();
        if self.json {
            let object = serde_json::json!({"severity": "error", "message": text});
            self.raw_remark(&object.to_string());
        } else if self.coloured.err {
            self.raw_remark(&format!("\x1b[1;31merror\x1b[0m: {}", escaped(text)));
        } else {
            self.remark(&format!("error: {text}"));
        }
    }

    /// Shows what a front end or a back end had to say.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic], sources: &Sources, stream: Stream) -> Outcome {
        if any_error(diagnostics) {
            self.found_problem();
        }
        let coloured = if stream == Stream::Out { self.coloured.out } else { self.coloured.err };
        let style = if coloured { Style::Coloured } else { Style::Plain };
        let harmless = harmless_sources(sources);
        for diagnostic in diagnostics {
            let text = if self.json {
                aldis_diagnostics::to_json(diagnostic, sources) + "\n"
            } else {
                aldis_diagnostics::render(&harmless_diagnostic(diagnostic), &harmless, style) + "\n\n"
            };
            match stream {
                Stream::Out => self.write(text.as_bytes())?,
                Stream::Err => self.raw_remark(text.trim_end_matches('\n')),
            }
        }
        Ok(())
    }

    /// Shows the errors among `diagnostics`; of warnings only how many there are, to people, with the command that
    /// shows them.
    pub fn errors(&self, diagnostics: &[Diagnostic], sources: &Sources, schema: &str) -> Outcome {
        let (errors, warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
            diagnostics.iter().cloned().partition(Diagnostic::is_error);
        self.diagnostics(&errors, sources, Stream::Err)?;
        if errors.is_empty() && !warnings.is_empty() && self.terminal.err && !self.json {
            self.remark(&format!("{}: see aldis check {schema}", count(warnings.len(), "warning")));
        }
        Ok(())
    }

    /// The last line of a run with diagnostics, for people.
    pub fn tally(&self, diagnostics: &[Diagnostic]) {
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        let warnings = diagnostics.len() - errors;
        if !self.json && self.terminal.err && errors + warnings > 0 {
            self.remark(&format!("{}, {}", count(errors, "error"), count(warnings, "warning")));
        }
    }

    /// Says why the command stopped, and gives its exit code.
    pub fn fail(&self, failure: &Failure) -> u8 {
        match failure {
            Failure::Usage(text) => {
                self.problem(text);
                2
            }
            Failure::Input(text) => {
                self.problem(text);
                1
            }
            Failure::Shown => 1,
            Failure::Closed => u8::from(self.failed.get()),
        }
    }
}

/// Ends the command at once, as shells tell it of a command that an interrupt ended.
pub fn interrupted() -> ! {
    std::process::exit(130)
}

/// Whether a terminal would obey `c` or reorder text by it: C0 and C1 controls but tab and line end, and the controls of
/// bidirectional text.
fn is_control(c: char) -> bool {
    let bidirectional =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    bidirectional || (c.is_control() && !matches!(c, '\n' | '\t'))
}

/// `text` with what a terminal would obey written as `\u{1b}`. All text of the input, the schema and the command line
/// goes through here before colours are put around it.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_control(c) {
            safe.extend(c.escape_unicode());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// The diagnostic with its texts [`escaped`].
fn harmless_diagnostic(diagnostic: &Diagnostic) -> Diagnostic {
    let mut safe = diagnostic.clone();
    let labels = safe.labels.iter_mut().map(|label| &mut label.text);
    for text in labels.chain(&mut safe.help).chain([&mut safe.message]) {
        if let Cow::Owned(escaped) = escaped(text) {
            *text = escaped;
        }
    }
    safe
}

/// The sources without what a terminal would obey. Each such character gives way to one of as many bytes, so that spans
/// still point at the same places.
fn harmless_sources(sources: &Sources) -> Sources {
    let mut safe = Sources::default();
    for source in sources.iter() {
        let text: String = source.text.chars().map(harmless_char).collect();
        safe.add(escaped(&source.path), text);
    }
    safe
}

fn harmless_char(c: char) -> char {
    match c.len_utf8() {
        // The renderer knows line ends.
        _ if c == '\r' || !is_control(c) => c,
        1 => '?',
        2 => '\u{b7}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// `1 error`, `2 errors`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// How far a stream has been read, on a terminal's standard error; nothing otherwise.
#[derive(Clone)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// For a stream of `length` bytes, where that is known.
    pub fn new(output: &Output, length: Option<u64>) -> Self {
        if !output.terminal.err || output.dumb {
            return Self(None);
        }
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let shape = match length {
            Some(_) => "{bar:32} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {binary_bytes_per_sec}",
        };
        // The shapes are constant, so the fallback is never taken.
        Self(Some(bar.with_style(ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar()))))
    }

    /// The same source, whose bytes move the bar.
    pub fn reading<'r>(&self, source: Box<dyn Read + Send + 'r>) -> Box<dyn Read + Send + 'r> {
        match &self.0 {
            Some(bar) => Box::new(bar.wrap_read(source)),
            None => source,
        }
    }

    /// So many bytes have been read.
    pub fn at(&self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(bytes);
        }
    }

    /// Lets `remark` write to standard error without the bar in its way.
    pub fn aside(&self, remark: impl FnOnce()) {
        match &self.0 {
            Some(bar) => bar.suspend(remark),
            None => remark(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, harmless_char, is_control};

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(escaped("a\x1b[31m\u{9b}b\u{202e}c\x07"), "a\\u{1b}[31m\\u{9b}b\\u{202e}c\\u{7}");
        assert_eq!(escaped("größe\t1\n日本"), "größe\t1\n日本");
    }

    #[test]
    fn sources_keep_their_offsets() {
        for c in (0..=0x10ffff).filter_map(char::from_u32).filter(|c| *c != '\r') {
            assert_eq!(harmless_char(c).len_utf8(), c.len_utf8());
            assert!(!is_control(harmless_char(c)));
        }
    }
}
