//! `aldis conform`: do all languages do the same with this schema?

use crate::args::SchemaArgs;
use crate::commands::order::of_imports;
use crate::compile::{compile, Compiled};
use crate::conform::{self, engine, Check, Difference, Manner, Process, Suite, Verdict};
use crate::failure::{Failure, Outcome};
use crate::messages::Messages;
use crate::options::{strict_text, OptionArgs};
use crate::output::{count, Output, Stream};
use crate::table::Table;
use crate::{interpreter_testee, registry, write_files};
use aldis_diagnostics::Diagnostic;
use aldis_emit::{Language, Operations, OutputFile, Request};
use aldis_interpreter::{Codec, Testee};
use aldis_plan::Plan;
use clap::Args;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Compare the generated codecs of all languages with the interpreter, on your schema.
///
/// Generates a testee for each language, builds it, and asks it and the interpreter the same: random values, vectors,
/// damaged bytes, in all ways from form to form and to JSON and back.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis conform market.xml
  aldis conform market.fbe --lang erlang --count 1000 --seed 42
  aldis conform proto.fbe --vectors vectors/
  aldis conform market.xml --option allocator=pmr   as values of C++ are with it

Each language gets those options that it has; with `strict_text` it must answer as the strict interpreter does.

Vectors are files NAME.bin (FBE: NAME.std.bin, NAME.final.bin), with NAME.json beside them where there is \
a golden JSON. The first difference is shown with its request; --keep keeps all of them, with the testees.")]
pub struct ConformArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// `all` that speak a form of the schema, or one or several languages: interpreter, erlang, cpp, elixir,
    /// javascript, csharp, java, python; python-native is the same with the engine of the wheel, where that is.
    #[arg(long, value_name = "LANG", default_value = "all", value_delimiter = ',')]
    lang: Vec<String>,

    /// A folder with golden messages.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,

    /// Random values for each message and wire form.
    #[arg(long, default_value_t = 50)]
    count: u64,

    /// The first random value's seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Damaged messages for each random value.
    #[arg(long, value_name = "COUNT", default_value_t = Suite::DAMAGES)]
    damages: usize,

    /// Faults of bytes must have the interpreter's offset and path too, in all languages or in those named; else these
    /// only advise.
    #[arg(long, value_name = "LANG", num_args = 0..=1, require_equals = true, default_missing_value = "all", value_delimiter = ',')]
    exact: Vec<String>,

    /// Leave out the lists at the limit: they take long where a schema has hundreds of messages.
    #[arg(long)]
    no_limits: bool,

    #[command(flatten)]
    options: OptionArgs,

    /// The folder that keeps the testees and their differences; without it they go to a folder that is taken away.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// The folder in which the testees are built.
struct Home {
    path: PathBuf,
    kept: bool,
}

impl Home {
    fn new(keep: Option<&Path>, stem: &str) -> Self {
        let temporary = || std::env::temp_dir().join(format!("aldis-conform-{stem}-{}", std::process::id()));
        Self { path: keep.map_or_else(temporary, Path::to_owned), kept: keep.is_some() }
    }
}

impl Drop for Home {
    /// However the comparison ends, nothing is left behind that nobody asked for.
    fn drop(&mut self) {
        if !self.kept {
            // A folder that cannot be removed was never made, or is the system's to remove.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

pub fn run(args: &ConformArgs, output: &Output) -> Outcome {
    let compiled = compile(&args.schema, output)?;
    let languages = languages(args, &compiled.plans)?;
    let known: Vec<String> = languages.iter().map(|name| engine::language_of(name).to_owned()).collect();
    args.options.check_any(&known)?;
    for name in args.exact.iter().filter(|name| !["all", interpreter_testee::NAME].contains(&name.as_str())) {
        registry::language_or_usage(engine::language_of(name))?;
    }
    let forms: Vec<Messages> = compiled
        .plans
        .iter()
        .map(|plan| Messages::new(&compiled, Some(&plan.form.name)))
        .collect::<Outcome<Vec<Messages>>>()?;
    let file_name = args.schema.schema.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let vectors = match &args.vectors {
        Some(folder) => conform::find_vectors(folder, &file_name)
            .map_err(|error| Failure::file(&folder.display().to_string(), &error))?,
        None => Vec::new(),
    };
    let (count, seed, damages, limits) = (args.count, args.seed, args.damages, !args.no_limits);
    let suite = Suite { forms: &forms, vectors: &vectors, count, seed, damages, limits };
    let home = Home::new(args.keep.as_deref(), &compiled.stem);
    conform::take_away(&home.path, home.kept).map_err(|error| Failure::file("interrupts", &error))?;

    let mut verdicts = Vec::new();
    let mut failures = Vec::new();
    for language in &languages {
        let folder = home.path.join(language);
        match one_language(args, &compiled, language, &folder, &suite, output) {
            Ok(verdict) => {
                if let Some(first) = verdict.differences.first() {
                    let kept = if home.kept { Some(keep(&folder, &verdict.differences)?) } else { None };
                    failures.push(show(language, first, &folder, kept.as_deref()));
                }
                verdicts.push((language.as_str(), Some(verdict)));
            }
            Err(Failure::Input(text)) => {
                failures.push(format!("{language} did not run: {text}"));
                verdicts.push((language, None));
            }
            Err(other) => return Err(other),
        }
    }
    // The differences are told even where nobody reads the table any more.
    let shown = output.print(&format!("{}, seed {}\n{}", args.schema.schema.display(), args.seed, table(&verdicts)));
    if failures.is_empty() {
        return shown;
    }
    failures.iter().for_each(|failure| output.problem(failure));
    Err(Failure::Shown)
}

/// A row a check, a column a language: how many of the requests it answered otherwise than it should. A language that only
/// decodes is asked less.
fn table(verdicts: &[(&str, Option<Verdict>)]) -> String {
    let columns: Vec<String> = verdicts.iter().map(|(language, _)| format!(">{language} differs")).collect();
    let mut titles = vec!["check", ">requests"];
    titles.extend(columns.iter().map(String::as_str));
    let mut table = Table::new(&titles);
    let mut asked: BTreeMap<Check, usize> = BTreeMap::new();
    for (check, tally) in verdicts.iter().filter_map(|(_, verdict)| verdict.as_ref()).flat_map(|found| &found.tallies) {
        let most = asked.entry(*check).or_default();
        *most = tally.asked.max(*most);
    }
    for (check, asked) in asked {
        let mut row = vec![check.title().to_owned(), asked.to_string()];
        row.extend(verdicts.iter().map(|(_, verdict)| {
            let Some(verdict) = verdict else { return "did not run".to_owned() };
            // Operations that a language does not have are not asked for.
            verdict.tallies.get(&check).map_or("-".to_owned(), |tally| tally.differ.to_string())
        }));
        table.row(row);
    }
    table.render("  ")
}

fn languages(args: &ConformArgs, plans: &[Plan]) -> Outcome<Vec<String>> {
    let speaks = |language: &&&dyn Language| {
        let has_codecs = language.operations() != Operations::Showing;
        has_codecs && plans.iter().any(|p| language.forms().contains(&p.form.name.as_str()))
    };
    let mut chosen = Vec::new();
    for name in &args.lang {
        match name.as_str() {
            "all" => {
                chosen.push(interpreter_testee::NAME.to_owned());
                chosen.extend(registry::LANGUAGES.iter().filter(speaks).map(|language| language.name().to_owned()));
                chosen.extend(engine::is_there().then(|| engine::NATIVE.to_owned()));
            }
            engine::NATIVE => chosen.push(name.clone()),
            interpreter_testee::NAME => chosen.push(name.clone()),
            name => chosen.push(registry::language_or_usage(name)?.name().to_owned()),
        }
    }
    chosen.dedup();
    Ok(chosen)
}

fn one_language(
    args: &ConformArgs,
    compiled: &Compiled,
    testee: &str,
    folder: &Path,
    suite: &Suite<'_>,
    output: &Output,
) -> Outcome<Verdict> {
    let language = engine::language_of(testee);
    let options = args.options.known_to(language);
    let reference = reference(&compiled.plans, strict_text(&options));
    let files = files_of(args, options, compiled, language, output)?;
    conform::undisturbed(|| write_files::write(folder, &files))?;
    let failed = |error: std::io::Error| Failure::Input(error.to_string());
    Process::build(folder).map_err(failed)?;
    let mut process = Process::start(folder, engine::variable(testee)).map_err(failed)?;
    let operations = registry::language(language).map_or(Operations::All, |language| language.operations());
    let manner = Manner { operations, exact: args.exact.iter().any(|name| name == "all" || name == testee) };
    let verdict = conform::run(suite, &reference, &mut process, manner).map_err(failed)?;
    process.finish().map_err(failed)?;
    Ok(verdict)
}

/// The interpreter that a testee is compared with.
fn reference(plans: &[Plan], strict_text: bool) -> Testee {
    let codecs = plans.iter().cloned().map(|plan| {
        let mut codec = Codec::new(plan);
        codec.strict_text = strict_text;
        codec
    });
    Testee::new(codecs.collect())
}

fn files_of(
    args: &ConformArgs,
    options: Vec<(String, String)>,
    compiled: &Compiled,
    language: &str,
    output: &Output,
) -> Outcome<Vec<OutputFile>> {
    if language == interpreter_testee::NAME {
        return interpreter_testee::files(&args.schema, strict_text(&options));
    }
    let language = registry::language_or_usage(language)?;
    let request = Request {
        plans: &compiled.plans,
        name: None,
        prefix: None,
        renames: Vec::new(),
        options,
        testee: true,
        stem: compiled.stem.clone(),
        runtime: write_files::runtime_dir(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let generated = language.generate(&request);
    let errors: Vec<Diagnostic> = generated.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    output.diagnostics(&errors, &compiled.sources, Stream::Err)?;
    if !errors.is_empty() {
        return Err(Failure::Input("no code was generated".into()));
    }
    let mut files = generated.files;
    files.extend(of_imports(language, &request, (&args.schema, compiled), output)?);
    Ok(files)
}

/// Writes the differences beside the testee, each as four lines; gives the file's path.
fn keep(folder: &Path, differences: &[Difference]) -> Outcome<PathBuf> {
    let path = folder.join("differences.txt");
    let text: String = differences
        .iter()
        .map(|d| {
            format!("{}: {}\n1\t{}\n  wanted {}\n  got    {}\n", d.check.title(), d.origin, d.request, d.wanted, d.got)
        })
        .collect();
    fs::write(&path, text).map_err(|error| Failure::file(&path.display().to_string(), &error))?;
    Ok(path)
}

/// A difference, and where to find it again: `kept` is the file with all of them.
fn show(language: &str, first: &Difference, folder: &Path, kept: Option<&Path>) -> String {
    let request = match (first.request.len(), kept) {
        (0..=2000, Some(_)) => {
            format!("printf '1\\t{}\\n' | {}/run", first.request.replace('\t', "\\t"), folder.display())
        }
        (0..=2000, None) => first.request.replace('\t', " "),
        (length, _) => format!("(a request of {})", count(length, "byte")),
    };
    let all = match kept {
        Some(file) => format!("all of them are in {}", file.display()),
        None => "to ask the testee again and see all of them, say --keep DIR".to_owned(),
    };
    format!(
        "{language}: {}: {}\n  request  {request}\n  wanted   {}\n  got      {}\n  {all}",
        first.check.title(),
        first.origin,
        cut(&first.wanted),
        cut(&first.got),
    )
}

/// So much of a text as is good to look at.
fn cut(text: &str) -> String {
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
