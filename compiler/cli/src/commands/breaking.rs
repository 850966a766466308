//! `aldis breaking`: may this schema change?

use crate::args::{ReadingArgs, SchemaArgs};
use crate::commands::rules::{QuestionArgs, Rules};
use crate::commands::versions::{self, from_file, from_git, from_lock, lock_of, Old};
use crate::commands::witnesses;
use crate::compile::{self, Compiled};
use crate::failure::{Failure, Outcome};
use crate::output::{count, Output, Stream};
use crate::project::{self, Loaded};
use crate::watch;
use aldis_diagnostics::{Diagnostic, Sources, Span};
use aldis_evolution::{codes, compare, Difference, End, Letters, Report};
use aldis_plan::Plan;
use aldis_project::Against;
use clap::Args;
use serde_json::{json, Value};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// Say what a change of a schema breaks, and prove it by bytes.
///
/// Four questions: B, do new readers read what old writers wrote? F, do old readers read what new writers write? J, is
/// the JSON the same? S, do programs that use generated code still compile? Each B and F that is broken is proven by a message:
/// what was written, its bytes, and what the other version makes of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis breaking                                            all schemas of aldis.toml
  aldis breaking market.fbe --against market-v1.fbe
  aldis breaking market.xml --against git:v1.4              the same file at that tag
  aldis breaking market.xml                                 against market.xml.lock, or else git:HEAD
  aldis breaking market.capnp --against git:main --must BFJ --witness proofs

Exit codes: 0 what --must names holds, 1 it does not, or a schema has problems, 2 the command line has.")]
pub struct BreakingArgs {
    /// The newer version of the schema; all schemas of aldis.toml when not given.
    pub schema: Option<PathBuf>,

    /// The older version: a schema file, a lock, or git:REF. SCHEMA.lock when not given, and git:HEAD without that.
    #[arg(long, value_name = "OLD")]
    pub against: Option<String>,

    #[command(flatten)]
    pub question: QuestionArgs,

    /// Write each proof as .bin and .json into this folder.
    #[arg(long, value_name = "DIR")]
    pub witness: Option<PathBuf>,

    /// Compare again after each change of a schema, until Ctrl-C.
    #[arg(long)]
    pub watch: bool,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

pub fn run(args: &BreakingArgs, output: &Output) -> Outcome {
    if args.watch {
        return watch::again(&args.reading.seen, output, || once(args, output));
    }
    once(args, output)
}

fn once(args: &BreakingArgs, output: &Output) -> Outcome {
    let Some(schema) = &args.schema else { return of_project(args, output) };
    let schema = SchemaArgs { schema: schema.clone(), reading: args.reading.clone() };
    let new = compile::compile(&schema, output)?;
    let old = older(&schema, args.against.as_deref(), output)?;
    let rules = Rules::new(&args.question);
    let (text, broken) = compared(&new, &old, &rules, args.witness.as_deref(), output)?;
    verdict(&text, broken, output)
}

/// Asks of each schema of the project what the project says must hold.
fn of_project(args: &BreakingArgs, output: &Output) -> Outcome {
    let loaded = project::load(&args.reading, output)?;
    if args.against.is_none() {
        loaded.tell(&Vec::from_iter(versions::problem(&loaded)), output)?;
    }
    let rules = Rules::of_project(&args.question, &loaded.project.breaking);
    let compared = project::each(&loaded.schemas, output, |(path, schema)| {
        let witness = args.witness.as_ref().map(|folder| folder.join(below(path)));
        member(args, &loaded, (path, schema), &rules, witness.as_deref(), output)
    });
    if matches!(compared, Ok(()) | Err(Failure::Shown)) {
        loaded.tell(&rules.unused(), output)?;
    }
    compared
}

/// A project's path as one that does not leave the folder that it is joined to.
fn below(path: &str) -> PathBuf {
    let parts = Path::new(path).components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        Component::ParentDir => Some(OsStr::new("above")),
        Component::RootDir => Some(OsStr::new("root")),
        Component::CurDir | Component::Prefix(_) => None,
    });
    parts.collect()
}

fn member(
    args: &BreakingArgs,
    loaded: &Loaded,
    (path, schema): (&str, &SchemaArgs),
    rules: &Rules<'_>,
    witness: Option<&Path>,
    output: &Output,
) -> Outcome {
    let new = compile::compile(schema, output)?;
    let name = schema.schema.display().to_string();
    let old = match &args.against {
        Some(against) => Some(older(schema, Some(against), output)?),
        None => versions::older(loaded, path, schema, output)?,
    };
    let Some(old) = old else {
        return tell_new(&name, loaded, output);
    };
    let (text, broken) = compared(&new, &old, rules, witness, output)?;
    verdict(&format!("{name}: {text}"), broken, output)
}

/// Says that a schema has no older version. One whose lock is missing was to have one.
fn tell_new(name: &str, loaded: &Loaded, output: &Output) -> Outcome {
    let against = loaded.project.breaking.against.as_ref().map(|against| &against.value);
    if against == Some(&Against::Lock) {
        let message = format!("{name}: there is no lock, so nothing was compared; aldis lock {name} writes it");
        return tell(json!({"severity": "warning", "message": message, "schema": name}), output, Stream::Out);
    }
    let message = format!("{name}: there is no older version");
    if output.json() {
        let object = json!({"severity": "note", "message": message, "schema": name});
        return output.write((object.to_string() + "\n").as_bytes());
    }
    output.print(&(message + "\n"))
}

/// Shows what changed between the versions; gives the last line, and the letters that are broken.
fn compared(
    new: &Compiled,
    old: &Old,
    rules: &Rules<'_>,
    witness: Option<&Path>,
    output: &Output,
) -> Outcome<(String, Letters)> {
    let plan = new.form(rules.form)?;
    let report = compare(same_form(old, plan)?, plan, true);
    let (sources, shift) = merged(new.sources.clone(), &old.sources);
    show(&report, rules, &sources, shift, output)?;
    others(&report, old, &new.plans, rules, output)?;
    if let Some(folder) = witness {
        witnesses::write(&report, folder)?;
    }
    let (broken, since) = (rules.broken(&report), &old.name);
    let must = rules.must.text();
    let excepted = report.differences.iter().filter(|one| rules.exception(one).is_some()).count();
    let excepted = if excepted > 0 { format!(", {excepted} by exception") } else { String::new() };
    let breaking = report.differences.iter().filter(|one| rules.breaks(one)).count();
    let text = match (report.differences.len(), breaking) {
        (0, _) => format!("nothing changed since {since}"),
        (all, 0) => format!("{} since {since}{excepted}, none breaks {must}", count(all, "difference")),
        (all, 1) => format!("{} since {since}{excepted}, 1 breaks {}", count(all, "difference"), broken.text()),
        (all, some) => format!("{} since {since}{excepted}, {some} break {}", count(all, "difference"), broken.text()),
    };
    Ok((text, broken))
}

/// The last line, and the exit code.
fn verdict(text: &str, broken: Letters, output: &Output) -> Outcome {
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
fn older(schema: &SchemaArgs, against: Option<&str>, output: &Output) -> Outcome<Old> {
    let lock = lock_of(&schema.schema);
    match against {
        Some(path) if path.ends_with(".lock") => schema.reading.seen.add(Path::new(path)),
        Some(_) => {}
        None => schema.reading.seen.add(&lock),
    }
    match against {
        Some(text) if text.starts_with("git:") => from_git(schema, &text[4..], output),
        Some(path) if path.ends_with(".lock") => from_lock(Path::new(path)),
        Some(path) => from_file(&SchemaArgs { schema: path.into(), reading: schema.reading.clone() }, output),
        None if lock.is_file() => from_lock(&lock),
        None => from_git(schema, "HEAD", output),
    }
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
pub fn show(report: &Report, rules: &Rules<'_>, sources: &Sources, shift: Option<u32>, output: &Output) -> Outcome {
    for difference in report.differences.iter().filter(|difference| rules.breaks(difference)) {
        let diagnostic = diagnostic(difference, true, shift);
        if output.json() {
            output.write((witnesses::json(&diagnostic, sources, difference).to_string() + "\n").as_bytes())?;
            continue;
        }
        output.diagnostics(&[diagnostic], sources, Stream::Out)?;
        for witness in &difference.witnesses {
            let letters = Letters { b: !witness.forward, f: witness.forward, ..Letters::default() };
            if letters.and(rules.must).any() {
                output.print(&(witnesses::text(witness) + "\n"))?;
            }
        }
    }
    for difference in report.differences.iter().filter(|difference| !rules.breaks(difference)) {
        let diagnostic = diagnostic(difference, false, shift);
        if output.json() {
            let mut object = witnesses::json(&diagnostic, sources, difference);
            if let Some(exception) = rules.exception(difference) {
                object["exception"] = json!(exception.reason);
            }
            output.write((object.to_string() + "\n").as_bytes())?;
            continue;
        }
        let place = diagnostic.labels.first().map(|label| format!("{}: ", sources.locate(label.span)));
        let broken =
            if difference.broken.any() { format!(" ({} broken)", difference.broken.text()) } else { String::new() };
        let excepted = rules.exception(difference).map(|one| format!(", by exception: {}", one.reason));
        output.print(&format!(
            "{}{}{broken}{}\n",
            place.unwrap_or_default(),
            diagnostic.message,
            excepted.unwrap_or_default()
        ))?;
    }
    Ok(())
}

/// A line for each further form in which something breaks that holds in this one.
fn others(report: &Report, old: &Old, plans: &[Plan], rules: &Rules<'_>, output: &Output) -> Outcome {
    for (form, broken) in broken_forms(old, plans, rules) {
        if form == report.form || broken == rules.broken(report) {
            continue;
        }
        tell_form(&form, broken, output, Stream::Out)?;
    }
    for form in vanished(old, plans) {
        tell_vanished(&form, &old.name, output, Stream::Out)?;
    }
    Ok(())
}

/// The forms that only the older version has.
pub fn vanished(old: &Old, plans: &[Plan]) -> Vec<String> {
    let forms = old.plans.iter().map(|plan| &plan.form.name);
    forms.filter(|form| plans.iter().all(|plan| plan.form.name != **form)).cloned().collect()
}

/// Says that nothing was asked of a form, as the newer version does not have it.
pub fn tell_vanished(form: &str, old: &str, output: &Output, stream: Stream) -> Outcome {
    let message = format!("the form {form} of {old} is gone: nobody can read or write its messages any more");
    tell(json!({"severity": "warning", "message": message, "form": form}), output, stream)
}

/// Says what breaks in a form that was not asked for: to people on standard error, to scripts as an object on `stream`.
pub fn tell_form(form: &str, broken: Letters, output: &Output, stream: Stream) -> Outcome {
    let broken = broken.text();
    let message = format!("in the form {form}: {broken} broken; see aldis breaking --form {form}");
    tell(json!({"severity": "warning", "message": message, "form": form, "broken": broken}), output, stream)
}

fn tell(warning: Value, output: &Output, stream: Stream) -> Outcome {
    if !output.json() {
        output.remark(warning["message"].as_str().unwrap_or_default());
        return Ok(());
    }
    let object = warning.to_string();
    match stream {
        Stream::Out => output.write((object + "\n").as_bytes()),
        Stream::Err => {
            output.raw_remark(&object);
            Ok(())
        }
    }
}

/// Each form that both versions have and in which something breaks that must hold, with what breaks.
pub fn broken_forms(old: &Old, plans: &[Plan], rules: &Rules<'_>) -> Vec<(String, Letters)> {
    let compared = plans.iter().filter_map(|plan| {
        let broken = rules.broken(&compare(same_form(old, plan).ok()?, plan, false));
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
