//! `aldis breaking`: may this schema change?

use crate::args::{ReadingArgs, SchemaArgs};
use crate::commands::witnesses;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::git;
use crate::output::{count, Output, Stream};
use aldis_diagnostics::{Diagnostic, Sources, Span};
use aldis_evolution::{codes, compare, Difference, End, Letters, Lock, Report};
use aldis_plan::Plan;
use clap::Args;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Say what a change of a schema breaks, and prove it by bytes.
///
/// Four questions: B, do new readers read what old writers wrote? F, do old readers read what new writers write? J, is
/// the JSON the same? S, do programs that use generated code still compile? Each B and F that is broken is proven by a message:
/// what was written, its bytes, and what the other version makes of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis breaking market.fbe --against market-v1.fbe
  aldis breaking market.xml --against git:v1.4              the same file at that tag
  aldis breaking market.xml                                 against market.xml.lock, or else git:HEAD
  aldis breaking market.capnp --against git:main --must BFJ --witness proofs

Exit codes: 0 what --must names holds, 1 it does not, or a schema has problems, 2 the command line has.")]
pub struct BreakingArgs {
    /// The newer version of the schema.
    pub schema: PathBuf,

    /// The older version: a schema file, a lock, or git:REF. SCHEMA.lock when not given, and git:HEAD without that.
    #[arg(long, value_name = "OLD")]
    pub against: Option<String>,

    #[command(flatten)]
    pub question: QuestionArgs,

    /// Write each proof as .bin and .json into this folder.
    #[arg(long, value_name = "DIR")]
    pub witness: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// The questions about a change, and the form that they are asked of.
#[derive(Clone, Debug, Args)]
pub struct QuestionArgs {
    /// Which of the four questions must be answered with yes: any of B, F, J and S.
    #[arg(long, value_name = "LETTERS", default_value = "BF", value_parser = letters)]
    pub must: Letters,

    /// The wire form that messages are in; the schema's main form when not given.
    #[arg(long, value_name = "FORM")]
    pub form: Option<String>,
}

fn letters(text: &str) -> Result<Letters, String> {
    Letters::parse(text).filter(|letters| letters.any()).ok_or_else(|| "take of the letters B, F, J and S".into())
}

/// An older version of a schema.
pub struct Old {
    pub plans: Vec<Plan>,
    /// The schema's texts; there are none where the version is a lock.
    pub sources: Sources,
    /// The version's name in messages to people.
    pub name: String,
}

pub fn run(args: &BreakingArgs, output: &Output) -> Outcome {
    let schema = SchemaArgs { schema: args.schema.clone(), reading: args.reading.clone() };
    let new = compile::compile(&schema, output)?;
    let old = older(args, output)?;
    let plan = new.form(args.question.form.as_deref())?;
    let report = compare(same_form(&old, plan)?, plan, true);
    let (sources, shift) = merged(new.sources.clone(), &old.sources);
    show(&report, args.question.must, &sources, shift, output)?;
    others(&report, &old, &new.plans, args.question.must, output)?;
    if let Some(folder) = &args.witness {
        witnesses::write(&report, folder)?;
    }
    verdict(&report, &args.question, &old.name, output)
}

/// The last line, and the exit code.
fn verdict(report: &Report, question: &QuestionArgs, old: &str, output: &Output) -> Outcome {
    let broken = report.broken().and(question.must);
    let breaking = report.differences.iter().filter(|one| one.broken.and(question.must).any()).count();
    let must = question.must.text();
    let text = match (report.differences.len(), breaking) {
        (0, _) => format!("nothing changed since {old}"),
        (all, 0) => format!("{} since {old}, none breaks {must}", count(all, "difference")),
        (all, 1) => format!("{} since {old}, 1 breaks {}", count(all, "difference"), broken.text()),
        (all, some) => format!("{} since {old}, {some} break {}", count(all, "difference"), broken.text()),
    };
    if !output.json() {
        output.print(&format!("{text}\n"))?;
    }
    if broken.any() {
        output.found_problem();
        return Err(Failure::Shown);
    }
    Ok(())
}

/// The older version that the command line names, or that there is.
fn older(args: &BreakingArgs, output: &Output) -> Outcome<Old> {
    let lock = lock_of(&args.schema);
    match args.against.as_deref() {
        Some(text) if text.starts_with("git:") => from_git(&args.schema, &text[4..], &args.reading, output),
        Some(path) if path.ends_with(".lock") => from_lock(Path::new(path)),
        Some(path) => {
            let old = SchemaArgs { schema: path.into(), reading: args.reading.clone() };
            let compiled = compile::compile(&old, output)?;
            Ok(Old { plans: compiled.plans, sources: compiled.sources, name: path.to_owned() })
        }
        None if lock.is_file() => from_lock(&lock),
        None => from_git(&args.schema, "HEAD", &args.reading, output),
    }
}

/// The lock beside a schema: its name and `.lock`.
pub fn lock_of(schema: &Path) -> PathBuf {
    let mut name = schema.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    schema.with_file_name(name)
}

fn from_lock(path: &Path) -> Outcome<Old> {
    let lock = read_lock(path)?;
    Ok(Old { plans: lock.plans, sources: Sources::default(), name: path.display().to_string() })
}

/// The lock in a file.
pub fn read_lock(path: &Path) -> Outcome<Lock> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| Failure::file(&name, &error))?;
    Lock::parse(&text).map_err(|error| Failure::Input(format!("{name}: {error}")))
}

fn from_git(schema: &Path, reference: &str, reading: &ReadingArgs, output: &Output) -> Outcome<Old> {
    let files = git::Revision::new(reference, &reading.import_dirs, schema)?;
    let compilation = compile::read_through(schema, reading, &files)?;
    let compiled = compile::compiled(schema, compilation, output)?;
    Ok(Old { plans: compiled.plans, sources: compiled.sources, name: format!("git:{reference}") })
}

/// The old plan of the form that the new one has.
pub fn same_form<'o>(old: &'o Old, new: &Plan) -> Outcome<&'o Plan> {
    old.plans.iter().find(|plan| plan.form.name == new.form.name).ok_or_else(|| {
        let forms: Vec<&str> = old.plans.iter().map(|plan| plan.form.name.as_str()).collect();
        let text = format!("{} has no form `{}`; it has {}", old.name, new.form.name, forms.join(", "));
        Failure::Input(text)
    })
}

/// The texts of both versions, and by how much the old ones' numbers are raised.
fn merged(mut sources: Sources, old: &Sources) -> (Sources, Option<u32>) {
    let shift = sources.iter().count() as u32;
    for source in old.iter() {
        sources.add(source.path.clone(), source.text.clone());
    }
    let any = old.iter().next().is_some();
    (sources, any.then_some(shift))
}

/// Shows all differences: first those that break what must hold.
pub fn show(report: &Report, must: Letters, sources: &Sources, shift: Option<u32>, output: &Output) -> Outcome {
    let breaks = |difference: &&Difference| difference.broken.and(must).any();
    for difference in report.differences.iter().filter(breaks) {
        let diagnostic = diagnostic(difference, true, shift);
        if output.json() {
            output.write((witnesses::json(&diagnostic, sources, difference).to_string() + "\n").as_bytes())?;
            continue;
        }
        output.diagnostics(&[diagnostic], sources, Stream::Out)?;
        for witness in &difference.witnesses {
            let letters = Letters { b: !witness.forward, f: witness.forward, ..Letters::default() };
            if letters.and(must).any() {
                output.print(&(witnesses::text(witness) + "\n"))?;
            }
        }
    }
    for difference in report.differences.iter().filter(|difference| !breaks(difference)) {
        let diagnostic = diagnostic(difference, false, shift);
        if output.json() {
            output.write((witnesses::json(&diagnostic, sources, difference).to_string() + "\n").as_bytes())?;
            continue;
        }
        let place = diagnostic.labels.first().map(|label| format!("{}: ", sources.locate(label.span)));
        let broken =
            if difference.broken.any() { format!(" ({} broken)", difference.broken.text()) } else { String::new() };
        output.print(&format!("{}{}{broken}\n", place.unwrap_or_default(), diagnostic.message))?;
    }
    Ok(())
}

/// A line for each further form in which something breaks that holds in this one.
fn others(report: &Report, old: &Old, plans: &[Plan], must: Letters, output: &Output) -> Outcome {
    for (form, broken) in broken_forms(old, plans, must) {
        if form == report.form || broken == report.broken().and(must) {
            continue;
        }
        tell_form(&form, broken, output, Stream::Out)?;
    }
    Ok(())
}

/// Says what breaks in a form that was not asked for: to people on standard error, to scripts as an object on `stream`.
pub fn tell_form(form: &str, broken: Letters, output: &Output, stream: Stream) -> Outcome {
    let broken = broken.text();
    let message = format!("in the form {form}: {broken} broken; see aldis breaking --form {form}");
    if !output.json() {
        output.remark(&message);
        return Ok(());
    }
    let object = json!({"severity": "warning", "message": message, "form": form, "broken": broken}).to_string();
    match stream {
        Stream::Out => output.write((object + "\n").as_bytes()),
        Stream::Err => {
            output.raw_remark(&object);
            Ok(())
        }
    }
}

/// Each form that both versions have and in which something breaks that must hold, with what breaks.
pub fn broken_forms(old: &Old, plans: &[Plan], must: Letters) -> Vec<(String, Letters)> {
    let compared = plans.iter().filter_map(|plan| {
        let broken = compare(same_form(old, plan).ok()?, plan, false).broken().and(must);
        Some((plan.form.name.clone(), broken))
    });
    compared.filter(|(_, broken)| broken.any()).collect()
}

fn diagnostic(difference: &Difference, error: bool, shift: Option<u32>) -> Diagnostic {
    let old = difference.old.as_ref().and_then(|end| Some((end, shifted(end.span?, shift?))));
    let new = difference.new.as_ref().and_then(|end| Some((end, end.span?)));
    let what = |end: &End| end.what.clone();
    let broken = difference.broken.text();
    let message = if error { format!("{}: {broken} broken", difference.sentence()) } else { difference.sentence() };
    let make = if error { Diagnostic::error } else { Diagnostic::warning };
    let mut diagnostic = match (new, old) {
        (Some((new, span)), _) => make(difference.code, message, span, what(new)),
        (None, Some((old, span))) => make(difference.code, message, span, format!("was {}", what(old))),
        (None, None) if error => Diagnostic::placeless(difference.code, message),
        (None, None) => Diagnostic::placeless_warning(difference.code, message),
    };
    if let (Some(_), Some((old, span))) = (new, old) {
        diagnostic = diagnostic.label(span, format!("was {}", what(old)));
    }
    let readers = ["new readers of old bytes", "old readers of new bytes"];
    for (reason, who) in difference.reasons.iter().zip(readers) {
        if let Some(reason) = reason {
            diagnostic = diagnostic.help(format!("{who}: {reason}"));
        }
    }
    if !difference.messages.is_empty() {
        diagnostic = diagnostic.help(format!("messages: {}", crate::near::list(&difference.messages)));
    }
    let mend = codes::TABLE.iter().find(|code| code.code == difference.code).map(|code| code.mend);
    let broken_by_rule = (difference.broken.b || difference.broken.f) && difference.witnesses.is_empty();
    if broken_by_rule {
        diagnostic = diagnostic.help("by rule, no witness");
    }
    diagnostic.help(mend.unwrap_or_default())
}

fn shifted(span: Span, shift: u32) -> Span {
    Span { source: aldis_diagnostics::SourceId(span.source.0 + shift), ..span }
}
