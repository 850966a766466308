//! `aldis fmt`: schemas with regular white space.

use crate::args::{ReadingArgs, SchemaArgs};
use crate::compile::format_of;
use crate::failure::{Failure, Outcome};
use crate::files::{read_within, DiskFiles, LONGEST};
use crate::output::{count, Output, Stream};
use crate::{project, write_files};
use aldis_diagnostics::{Diagnostic, Files, Sources, Span};
use aldis_fmt::codes::IRREGULAR;
use aldis_plan::{Format, Tidied};
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};

/// Give schemas regular white space; every word and comment stays, in its order.
///
/// FBE is written as in its documentation: a brace to a line, four blanks a level. Cap'n Proto is written as in the files
/// of its own library: two blanks a level, a type's colon right before it. Blank lines stay, at most one at a time, and
/// so do blanks before a comment that ends its line. A body that was written on one line stays there if it fits. A line
/// of more than 100 columns is broken before `->`, `$` or `|`,
/// then inside of brackets, an element to a line; plain values in square brackets fill lines. Comments are never broken.
/// SBE's XML is left as it is: editors of XML do that.
///
/// A file with mistakes in its grammar is left as it is, and they are shown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis fmt                                              all schemas of aldis.toml
  aldis fmt schemas/*.fbe
  aldis fmt --check schemas/*.capnp
  aldis fmt - --format fbe < market.fbe")]
pub struct FmtArgs {
    /// The schema files, each written anew in one step; `-` is standard input, which goes to standard output. Those of
    /// aldis.toml when none is given.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write nothing; show the first line that would change in each file. Exit code 1 if there is one.
    #[arg(long)]
    check: bool,

    /// The schemas' language (fbe, capnp); found from a file's extension when not given.
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

pub fn run(args: &FmtArgs, output: &Output) -> Outcome {
    let (mut bad, mut changed) = (false, 0);
    let selection = project::select(&args.files, &ReadingArgs::default(), output)?;
    let is_project = selection.loaded.is_some();
    for SchemaArgs { schema, reading } in &selection.schemas {
        let format = args.format.as_deref().or(reading.format.as_deref());
        // A project may have schemas whose white space is nobody's business here.
        if is_project && format_of(schema, format)?.tidy("", "").is_none() {
            continue;
        }
        match file(schema, format, args.check, output) {
            Ok(change) => changed += usize::from(change),
            Err(Failure::Input(text)) => {
                bad = true;
                output.problem(&text);
            }
            Err(Failure::Shown) => bad = true,
            Err(other) => return Err(other),
        }
    }
    if output.watched() && !output.json() && changed > 0 {
        output.remark(&format!("{} {}", count(changed, "file"), if args.check { "would change" } else { "changed" }));
    }
    if bad || args.check && changed > 0 {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// Whether the file was, or would be, changed.
fn file(path: &Path, format: Option<&str>, check: bool, output: &Output) -> Outcome<bool> {
    let is_input = path == Path::new("-");
    if is_input && format.is_none() {
        return Err(Failure::Usage("standard input has no extension; give its language with --format".into()));
    }
    let name = if is_input { "standard input".into() } else { path.display().to_string() };
    let format = format_of(path, format)?;
    let text = read(path, is_input, &name)?;
    let Some(tidied) = format.tidy(&name, &text) else {
        return untouched(format, is_input, &name, output);
    };
    let regular = regular(tidied, &name, output)?;
    let change = regular != text;
    if check {
        if change {
            show(&name, &text, &regular, output)?;
        }
    } else if is_input {
        output.write(regular.as_bytes())?;
    } else if change {
        write_files::replace(path, regular.as_bytes()).map_err(|error| Failure::file(&name, &error))?;
    }
    Ok(change)
}

fn untouched(format: &dyn Format, is_input: bool, name: &str, output: &Output) -> Outcome<bool> {
    let text = format!("{name}: left as it is: aldis fmt does not change white space of {}", format.name());
    if is_input {
        return Err(Failure::Usage(text));
    }
    output.remark(&text);
    Ok(false)
}

fn read(path: &Path, is_input: bool, name: &str) -> Outcome<String> {
    let bytes = if is_input {
        read_within(io::stdin().lock(), LONGEST, "a schema")
    } else {
        let path = path.to_str().ok_or_else(|| Failure::Usage(format!("{name}: the path must be UTF-8")))?;
        DiskFiles::default().read(path)
    };
    let bytes = bytes.map_err(|error| Failure::file(name, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::Input(format!("{name}: byte {at} is not UTF-8; save the file as UTF-8"))
    })
}

/// The text with regular white space; the errors are shown where there are any.
fn regular(tidied: Tidied, name: &str, output: &Output) -> Outcome<String> {
    let errors: Vec<Diagnostic> = tidied.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    output.diagnostics(&errors, &tidied.sources, Stream::Err)?;
    match tidied.text {
        Some(text) => Ok(text),
        None if errors.is_empty() => Err(Failure::Input(format!(
            "{name}: left as it is: its white space could not be changed alone, which is a mistake of aldis; please report it"
        ))),
        None => Err(Failure::Shown),
    }
}

/// The first line that would change, as a problem.
fn show(name: &str, text: &str, regular: &str, output: &Output) -> Outcome {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (text.split_inclusive('\n').collect(), regular.split_inclusive('\n').collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let start: usize = old[..same].iter().map(|line| line.len()).sum();
    let line = old.get(same).map_or("", |line| line.trim_end());
    let here = match new.get(same).map(|line| line.trim_end()) {
        None => "goes away".to_owned(),
        Some("") => "a blank line comes here".to_owned(),
        Some(new) if new == line => "its end changes".to_owned(),
        Some(new) => format!("becomes `{new}`"),
    };
    let mut sources = Sources::default();
    let span = Span::new(sources.add(name, text), start, start + line.len());
    let problem = Diagnostic::error(IRREGULAR, "the file's white space is not regular", span, here);
    let help = format!("run `aldis fmt {name}`");
    output.diagnostics(&[problem.help(help)], &sources, Stream::Out)
}
