//! `aldis gen`: write codecs.

use crate::args::{ReadingArgs, SchemaArgs};
use crate::commands::{order::Order, orders};
use crate::compile::{compile_with_warnings, Compiled};
use crate::failure::{Failure, Outcome};
use crate::options::OptionArgs;
use crate::output::{count, Output};
use crate::{project, watch, write_files};
use aldis_emit::OutputFile;
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Write the codecs of a schema in a language.
///
/// A file is only touched when its content changes, so build tools see what is new. Output is the same on every machine.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis gen                                              all that aldis.toml says
  aldis gen --watch                                      again after each change
  aldis gen market.xml --lang erlang --out src
  aldis gen market.fbe --lang erlang --out src --name market_codec --rename market.Order=trade_order
  aldis gen market.xml --lang elixir --out lib --name MyApp.Market
  aldis gen market.fbe --lang erlang --out src --check   fails when src is stale
  aldis gen market.xml --lang interpreter --testee --out /tmp/t && /tmp/t/build && /tmp/t/run")]
pub struct GenArgs {
    /// The schema file; all that aldis.toml says is generated when not given.
    #[arg(requires_all = ["lang", "out"])]
    schema: Option<PathBuf>,

    #[command(flatten)]
    reading: ReadingArgs,

    /// The target language (erlang, cpp, elixir, javascript, csharp, java, python, wireshark), or `interpreter` for a testee over the interpreter.
    #[arg(long, value_name = "LANG", requires = "schema")]
    lang: Option<String>,

    /// The folder to write to; made when it is missing.
    #[arg(long, value_name = "DIR", requires = "schema")]
    out: Option<PathBuf>,

    /// Also write a testee: a program that answers conversion requests on standard input, with `build` and `run`.
    #[arg(long, requires = "schema")]
    testee: bool,

    /// Also write the code of the schemas that this one imports, in languages whose code refers to it (cpp, csharp, java, javascript, python).
    #[arg(long, requires = "schema")]
    with_imports: bool,

    /// Write nothing; exit with 1 when a file is missing or differs.
    #[arg(long)]
    check: bool,

    /// Generate again after each change of a schema, until Ctrl-C.
    #[arg(long, conflicts_with = "check")]
    watch: bool,

    /// Write the paths of all schema files that were read to this file, one a line, for build tools.
    #[arg(long, value_name = "FILE")]
    sources: Option<PathBuf>,

    /// Name of the module; the schema's package when not given.
    #[arg(long, requires = "schema")]
    name: Option<String>,

    /// Goes before every type's name, followed by `_`.
    #[arg(long, requires = "schema")]
    prefix: Option<String>,

    /// Call the type or field of this full name otherwise.
    #[arg(long, value_name = "NAME=OTHER", requires = "schema", value_parser = rename)]
    rename: Vec<(String, String)>,

    #[command(flatten)]
    options: OptionArgs,
}

fn rename(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, other)) if !name.is_empty() && !other.is_empty() => Ok((name.to_owned(), other.to_owned())),
        _ => Err("write it as market.Order=trade_order".into()),
    }
}

pub fn run(args: &GenArgs, output: &Output) -> Outcome {
    if args.watch {
        return watch::again(&args.reading.seen, output, || once(args, output));
    }
    once(args, output)
}

fn once(args: &GenArgs, output: &Output) -> Outcome {
    let (Some(schema), Some(lang), Some(out)) = (&args.schema, &args.lang, &args.out) else {
        return of_project(args, output);
    };
    let schema = SchemaArgs { schema: schema.clone(), reading: args.reading.clone() };
    let order = Order {
        lang: lang.clone(),
        out: out.clone(),
        testee: args.testee,
        with_imports: args.with_imports,
        name: args.name.clone(),
        prefix: args.prefix.clone(),
        renames: args.rename.clone(),
        options: args.options.of(lang)?,
    };
    order.check_name()?;
    let compiled = compile_with_warnings(&schema, output)?;
    order.check_renames(&compiled.plans[0].schema).map_err(Failure::Usage)?;
    let files = order.files(&schema, &compiled, output)?;
    finish(args, &[(order.out, files)], output)?;
    list_sources(args, [&compiled].into_iter())
}

/// Generates all that the project says.
fn of_project(args: &GenArgs, output: &Output) -> Outcome {
    if !args.options.is_empty() {
        return Err(Failure::Usage("--option is of a schema on the command line; aldis.toml has its own".into()));
    }
    let loaded = project::load(&args.reading, output)?;
    if loaded.project.outputs.is_empty() {
        let text =
            "aldis.toml has no [[outputs]]: add `language` and `folder` of one, or name a schema, --lang and --out";
        return Err(Failure::Usage(text.into()));
    }
    let mut compiled = Vec::new();
    let mut failed = false;
    for (path, schema) in &loaded.schemas {
        match compile_with_warnings(schema, output) {
            Ok(good) => compiled.push((path.as_str(), schema, good)),
            Err(Failure::Shown) => failed = true,
            Err(other) => return Err(other),
        }
    }
    // Nothing is written when a schema is broken: codecs of one project belong together.
    if failed {
        return Err(Failure::Shown);
    }
    let written = orders::files(&loaded, &compiled, output)?;
    finish(args, &written, output)?;
    list_sources(args, compiled.iter().map(|(_, _, compiled)| compiled))
}

/// Writes the files of each folder, or says which of them are stale.
fn finish(args: &GenArgs, folders: &[(PathBuf, Vec<OutputFile>)], output: &Output) -> Outcome {
    if args.check {
        let stale = folders.iter().flat_map(|(folder, files)| write_files::stale(folder, files));
        let stale: Vec<PathBuf> = stale.collect();
        for path in &stale {
            output.problem(&format!("{} is not up to date", path.display()));
        }
        return if stale.is_empty() { Ok(()) } else { Err(Failure::Shown) };
    }
    for (folder, files) in folders {
        let written = write_files::write(folder, files)?;
        if output.watched() {
            let what = format!("{} in {}", count(files.len(), "file"), folder.display());
            output.print(&format!("{what}, {} new or changed\n", written.len()))?;
        }
    }
    Ok(())
}

fn list_sources<'c>(args: &GenArgs, compiled: impl Iterator<Item = &'c Compiled>) -> Outcome {
    let Some(list) = args.sources.as_ref().filter(|_| !args.check) else { return Ok(()) };
    let sources = compiled.flat_map(|compiled| compiled.sources.iter());
    let mut known = BTreeSet::new();
    let paths = sources.filter(|source| known.insert(source.path.as_str()));
    let paths: String = paths.map(|source| format!("{}\n", source.path)).collect();
    std::fs::write(list, paths).map_err(|error| Failure::file(&list.display().to_string(), &error))
}
