//! `aldis explain-code`: what does this code mean?

use crate::failure::{Failure, Outcome};
use crate::near;
use crate::output::Output;
use clap::Args;

/// Say what the code of a problem means, how to mend it, and show an example.
///
/// All codes are in docs/CODES.md.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis explain-code fbe/E0027
  aldis explain-code                                        all codes, a line each")]
pub struct ExplainCodeArgs {
    /// The code as it stands in brackets: fbe/E0027.
    code: Option<String>,
}

/// A section for each code, written by the tests from the tables of codes and the corpus of mistakes.
const PAGE: &str = include_str!("../../../../docs/CODES.md");

pub fn run(args: &ExplainCodeArgs, output: &Output) -> Outcome {
    let sections: Vec<(&str, &str)> =
        PAGE.split("\n## ").skip(1).filter_map(|section| section.split_once('\n')).collect();
    let Some(code) = &args.code else {
        let line = |(code, text): &(&str, &str)| format!("{code}  {}\n", text.lines().next().unwrap_or_default());
        return output.print(&sections.iter().map(line).collect::<String>());
    };
    let wanted = code.trim_start_matches("error").trim_start_matches("warning").trim_matches(['[', ']']);
    match sections.iter().find(|(code, _)| code.eq_ignore_ascii_case(wanted)) {
        Some((code, text)) => output.print(&format!("{code}: {}\n", text.replace("```\n", "").trim_end())),
        None => {
            let meant = near::meant(wanted, sections.iter().map(|(code, _)| *code));
            Err(Failure::Usage(format!("there is no code `{wanted}`; {meant}aldis explain-code lists all")))
        }
    }
}
