//! A testee over the interpreter: two scripts that call this very command.

use crate::args::SchemaArgs;
use crate::failure::{Failure, Outcome};
use aldis_emit::OutputFile;
use aldis_plan::FrameLength;
use std::path::Path;

/// Its name for `--lang`.
pub const NAME: &str = "interpreter";

/// `build`, which has nothing to do, and `run`. The variable `ALDIS` overrides where the command is.
pub fn files(schema: &SchemaArgs, strict_text: bool) -> Outcome<Vec<OutputFile>> {
    let command = std::env::current_exe().map_err(|error| Failure::file("the command's own path", &error))?;
    let mut arguments = vec!["testee".to_owned(), absolute(&schema.schema)?];
    for folder in &schema.reading.import_dirs {
        arguments.extend(["-I".to_owned(), absolute(folder)?]);
    }
    if let Some(format) = &schema.reading.format {
        arguments.extend(["--format".to_owned(), format.clone()]);
    }
    if let Some(length) = &schema.reading.frame_length {
        arguments.extend(["--frame-length".to_owned(), frame_length(length)]);
    }
    if strict_text {
        arguments.push("--strict-text".to_owned());
    }
    let quoted: Vec<String> = arguments.iter().map(|argument| quote(argument)).collect();
    let run = format!("#!/bin/sh\nexec \"${{ALDIS:-{}}}\" {}\n", command.display(), quoted.join(" "));
    Ok(vec![script("build", "#!/bin/sh\nexit 0\n".into()), script("run", run)])
}

/// As the command line takes it.
fn frame_length(length: &FrameLength) -> String {
    match length {
        FrameLength::Member { name, plus: 0 } => name.clone(),
        FrameLength::Member { name, plus } => format!("{name}{plus:+}"),
        FrameLength::None | FrameLength::Guessed => "none".to_owned(),
    }
}

fn script(path: &str, text: String) -> OutputFile {
    OutputFile { path: path.into(), text, executable: true }
}

fn absolute(path: &Path) -> Outcome<String> {
    let path = std::path::absolute(path).map_err(|error| Failure::file(&path.display().to_string(), &error))?;
    Ok(path.to_string_lossy().into_owned())
}

/// `text` as one word of a shell command.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_quote_survives_the_shell() {
        assert_eq!(super::quote("it's"), r"'it'\''s'");
    }
}
