//! `aldis gen`: write codecs.

use crate::args::SchemaArgs;
use crate::compile::{compile_with_warnings, Compiled};
use crate::failure::{Failure, Outcome};
use crate::options::{strict_text, OptionArgs};
use crate::output::{count, Output, Stream};
use crate::{interpreter_testee, near, registry, write_files};
use aldis_diagnostics::{any_error, Sources};
use aldis_emit::{Language, OutputFile, Request};
use aldis_schema::{Schema, TypeDef, TypeKind};
use clap::Args;
use std::path::PathBuf;

/// Write the codecs of a schema in a language.
///
/// A file is only touched when its content changes, so build tools see what is new. Output is the same on every machine.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis gen market.xml --lang erlang --out src
  aldis gen market.fbe --lang erlang --out src --name market_codec --rename market.Order=trade_order
  aldis gen market.xml --lang elixir --out lib --name MyApp.Market
  aldis gen market.fbe --lang erlang --out src --check   fails when src is stale
  aldis gen market.xml --lang interpreter --testee --out /tmp/t && /tmp/t/build && /tmp/t/run")]
pub struct GenArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// The target language (erlang, cpp, elixir, javascript), or `interpreter` for a testee over the interpreter.
    #[arg(long, value_name = "LANG")]
    lang: String,

    /// The folder to write to; made when it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Also write a testee: a program that answers conversion requests on standard input, with `build` and `run`.
    #[arg(long)]
    testee: bool,

    /// Write nothing; exit with 1 when a file is missing or differs.
    #[arg(long)]
    check: bool,

    /// Write the paths of all schema files that were read to this file, one a line, for build tools.
    #[arg(long, value_name = "FILE")]
    sources: Option<PathBuf>,

    /// Name of the module; the schema's package when not given.
    #[arg(long)]
    name: Option<String>,

    /// Goes before every type's name, followed by `_`.
    #[arg(long)]
    prefix: Option<String>,

    /// Call the type or field of this full name otherwise.
    #[arg(long, value_name = "NAME=OTHER", value_parser = rename)]
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
    module_name(args)?;
    let options = args.options.of(&args.lang)?;
    let compiled = compile_with_warnings(&args.schema, output)?;
    renames(args, &compiled.plans[0].schema)?;
    let files = if args.lang == interpreter_testee::NAME {
        if !args.testee {
            return Err(Failure::Usage("the interpreter has no code to generate, only a testee: add --testee".into()));
        }
        interpreter_testee::files(&args.schema, strict_text(&options))?
    } else {
        generate(args, options, &compiled, output)?
    };
    if args.check {
        return check(args, &files, output);
    }
    let written = write_files::write(&args.out, &files)?;
    if let Some(list) = &args.sources {
        let paths: String = compiled.sources.iter().map(|source| format!("{}\n", source.path)).collect();
        std::fs::write(list, paths).map_err(|error| Failure::file(&list.display().to_string(), &error))?;
    }
    if output.watched() {
        let what = format!("{} in {}", count(files.len(), "file"), args.out.display());
        output.print(&format!("{what}, {} new or changed\n", written.len()))?;
    }
    Ok(())
}

/// Refuses a --name that cannot be a module.
fn module_name(args: &GenArgs) -> Outcome {
    let Some(name) = &args.name else { return Ok(()) };
    let checked = registry::language(&args.lang).map_or(Ok(()), |language| language.check_module_name(name));
    checked.map_err(|rule| Failure::Usage(format!("--name: `{name}` is no module name: {rule}")))
}

/// Refuses a --rename of what the schema has not. Types and fields of records have names that can be changed.
fn renames(args: &GenArgs, schema: &Schema) -> Outcome {
    let known: Vec<String> = schema.types.iter().flat_map(names_of).collect();
    for (from, _) in &args.rename {
        if known.contains(from) {
            continue;
        }
        let meant = near::meant(from, known.iter().map(String::as_str));
        let text = format!("--rename: the schema has no type and no field of the full name `{from}`; {meant}");
        return Err(Failure::Usage(text.trim_end_matches([' ', ';']).to_owned()));
    }
    Ok(())
}

/// The full names of a type and its fields.
fn names_of(definition: &TypeDef) -> Vec<String> {
    let full = definition.name.full();
    let mut names = Vec::new();
    if let TypeKind::Record(record) = &definition.kind {
        names.extend(record.fields.iter().map(|field| format!("{full}.{}", field.name)));
    }
    names.push(full);
    names
}

fn generate(
    args: &GenArgs,
    options: Vec<(String, String)>,
    compiled: &Compiled,
    output: &Output,
) -> Outcome<Vec<OutputFile>> {
    let language = registry::language_or_usage(&args.lang)?;
    let request = Request {
        plans: &compiled.plans,
        name: args.name.clone(),
        prefix: args.prefix.clone(),
        renames: args.rename.clone(),
        options,
        testee: args.testee,
        stem: compiled.stem.clone(),
        runtime: write_files::runtime_dir(),
        version: env!("CARGO_PKG_VERSION"),
    };
    generated(language, &request, &compiled.sources, output)
}

/// The files that the language makes of a request; shows what it has to say.
pub fn generated(
    language: &dyn Language,
    request: &Request,
    sources: &Sources,
    output: &Output,
) -> Outcome<Vec<OutputFile>> {
    let generated = language.generate(request);
    output.diagnostics(&generated.diagnostics, sources, Stream::Err)?;
    if any_error(&generated.diagnostics) {
        output.tally(&generated.diagnostics);
        return Err(Failure::Shown);
    }
    Ok(generated.files)
}

fn check(args: &GenArgs, files: &[OutputFile], output: &Output) -> Outcome {
    let stale = write_files::stale(&args.out, files);
    for path in &stale {
        output.problem(&format!("{} is not up to date", path.display()));
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(Failure::Shown)
    }
}
