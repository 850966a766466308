//! The only module that writes to standard output and standard error.

use crate::args::{Arguments, Colour, MessageFormat};
use crate::failure::{Failure, Outcome};
use aldis_diagnostics::{Diagnostic, Severity, Sources, Style};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Where a command's products and its remarks go, and how they are dressed.
pub struct Output {
    json: bool,
    coloured: Streams,
    terminal: Streams,
}

#[derive(Clone, Copy)]
struct Streams {
    out: bool,
    err: bool,
}

/// Which stream diagnostics go to: `check` is asked for them, for all others they are remarks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

impl Output {
    pub fn new(arguments: &Arguments) -> Self {
        let terminal = Streams { out: io::stdout().is_terminal(), err: io::stderr().is_terminal() };
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let coloured = match arguments.color {
            Colour::Always => Streams { out: true, err: true },
            Colour::Never => Streams { out: false, err: false },
            Colour::Auto => Streams { out: terminal.out && !plain, err: terminal.err && !plain },
        };
        Self { json: arguments.message_format == MessageFormat::Json, coloured, terminal }
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

    /// Writes `text` to standard output as it is.
    pub fn print(&self, text: &str) -> Outcome {
        self.write(text.as_bytes())
    }

    /// Writes bytes to standard output and hands them on at once.
    pub fn write(&self, bytes: &[u8]) -> Outcome {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| Failure::writing(&error))
    }

    /// A remark on standard error.
    pub fn remark(&self, text: &str) {
        // Nobody can be told that standard error is gone.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Something went wrong with the input; for scripts as a JSON object of the same form as diagnostics.
    pub fn problem(&self, text: &str) {
        if self.json {
            let object = serde_json::json!({"severity": "error", "message": text});
            self.remark(&object.to_string());
        } else if self.coloured.err {
            self.remark(&format!("\x1b[1;31merror\x1b[0m: {text}"));
        } else {
            self.remark(&format!("error: {text}"));
        }
    }

    /// Shows what a front end or a back end had to say.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic], sources: &Sources, stream: Stream) -> Outcome {
        let coloured = if stream == Stream::Out { self.coloured.out } else { self.coloured.err };
        let style = if coloured { Style::Coloured } else { Style::Plain };
        for diagnostic in diagnostics {
            let text = if self.json {
                aldis_diagnostics::to_json(diagnostic, sources) + "\n"
            } else {
                aldis_diagnostics::render(diagnostic, sources, style) + "\n\n"
            };
            match stream {
                Stream::Out => self.print(&text)?,
                Stream::Err => self.remark(text.trim_end_matches('\n')),
            }
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
    pub fn fail(&self, failure: &Failure) -> ExitCode {
        match failure {
            Failure::Usage(text) => {
                self.problem(text);
                ExitCode::from(2)
            }
            Failure::Input(text) => {
                self.problem(text);
                ExitCode::from(1)
            }
            Failure::Shown => ExitCode::from(1),
            Failure::Closed => ExitCode::SUCCESS,
        }
    }
}

/// `1 error`, `2 errors`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// How far a stream has been read, on a terminal's standard error; nothing otherwise.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// For a stream of `length` bytes, where that is known.
    pub fn new(output: &Output, length: Option<u64>) -> Self {
        if !output.terminal.err {
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
