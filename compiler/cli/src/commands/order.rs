//! Code to be generated from one schema in one language.

use crate::args::SchemaArgs;
use crate::compile::{compile, Compiled};
use crate::failure::{Failure, Outcome};
use crate::options::strict_text;
use crate::output::{Output, Stream};
use crate::{interpreter_testee, near, registry, write_files};
use aldis_diagnostics::{any_error, SourceId, Sources};
use aldis_emit::names::underscored;
use aldis_emit::{Language, OutputFile, Request};
use aldis_schema::{Schema, SchemaModule, TypeDef, TypeKind};
use std::path::PathBuf;

/// Code to be generated from one schema.
pub struct Order {
    pub lang: String,
    pub out: PathBuf,
    pub testee: bool,
    /// Also the code of the schemas that are imported, where the language refers to it; a testee needs it.
    pub with_imports: bool,
    pub name: Option<String>,
    pub prefix: Option<String>,
    pub renames: Vec<(String, String)>,
    pub options: Vec<(String, String)>,
}

impl Order {
    /// Refuses a --name that cannot be a module.
    pub fn check_name(&self) -> Outcome {
        let Some(name) = &self.name else { return Ok(()) };
        let checked = registry::language(&self.lang).map_or(Ok(()), |language| language.check_module_name(name));
        checked.map_err(|rule| Failure::Usage(format!("--name: `{name}` is no module name: {rule}")))
    }

    /// Refuses a --rename of what the schema has not.
    pub fn check_renames(&self, schema: &Schema) -> Result<(), String> {
        for (from, _) in &self.renames {
            unknown_name(from, &[schema]).map_or(Ok(()), |text| Err(format!("--rename: {text}")))?;
        }
        Ok(())
    }

    /// The files, and nothing is written.
    pub fn files(self: &Order, schema: &SchemaArgs, compiled: &Compiled, output: &Output) -> Outcome<Vec<OutputFile>> {
        if self.lang == interpreter_testee::NAME {
            if !self.testee {
                let text = "the interpreter has no code to generate, only a testee: add --testee";
                return Err(Failure::Usage(text.into()));
            }
            return interpreter_testee::files(schema, strict_text(&self.options));
        }
        let language = registry::language_or_usage(&self.lang)?;
        let request = Request {
            plans: &compiled.plans,
            name: self.name.clone(),
            prefix: self.prefix.clone(),
            renames: self.renames.clone(),
            options: self.options.clone(),
            testee: self.testee,
            stem: compiled.stem.clone(),
            runtime: write_files::runtime_dir(),
            version: env!("CARGO_PKG_VERSION"),
        };
        let mut files = generated(language, &request, &compiled.sources, output)?;
        if self.with_imports || self.testee {
            files.extend(of_imports(language, &request, (schema, compiled), output)?);
        }
        Ok(files)
    }
}

/// The code of the schemas that a schema imports, directly or not, where the language refers to it.
pub fn of_imports(
    language: &dyn Language,
    request: &Request,
    (schema, compiled): (&SchemaArgs, &Compiled),
    output: &Output,
) -> Outcome<Vec<OutputFile>> {
    let mut files = Vec::new();
    if !language.refers_to_imports() {
        return Ok(files);
    }
    // Modules are told by their digests, since one file may be found by several paths.
    let mut known: Vec<SchemaModule> = compiled.plans[0].schema.modules.first().cloned().into_iter().collect();
    let mut open = imports(compiled, &known);
    while let Some((module, path)) = open.pop() {
        if known.contains(&module) {
            continue;
        }
        if known.iter().any(|other| called(other) == called(&module)) {
            let (path, name) = (path.display(), called(&module));
            return Err(Failure::Input(format!(
                "{path}: the modules of two schemas would be called {name}; give one of the files another name"
            )));
        }
        let options = language.options_of_import(&request.options, &called(&module));
        known.push(module);
        let imported = SchemaArgs { schema: path, reading: schema.reading.clone() };
        let compiled = compile(&imported, output)?;
        let (stem, plans) = (compiled.stem.clone(), compiled.plans.as_slice());
        let request = Request { plans, name: None, testee: false, stem, options, ..request.clone() };
        files.extend(generated(language, &request, &compiled.sources, output)?);
        open.extend(imports(&compiled, &known));
    }
    Ok(files)
}

/// The name of a module's files.
fn called(module: &SchemaModule) -> String {
    underscored(&module.name.to_lowercase())
}

/// The modules that own a schema's types, but the root and those that are known, with the paths of their files.
fn imports(compiled: &Compiled, known: &[SchemaModule]) -> Vec<(SchemaModule, PathBuf)> {
    let schema = &compiled.plans[0].schema;
    let modules = schema.modules.iter().zip(0u32..).skip(1);
    // The first of several of one name is the module, see [`aldis_emit::Modules`].
    let is_first =
        |module: &SchemaModule| schema.modules.iter().find(|other| called(other) == called(module)) == Some(module);
    let wanted =
        modules.filter(|(module, index)| schema.owners.contains(index) && is_first(module) && !known.contains(module));
    let path = |index| PathBuf::from(&compiled.sources.get(SourceId(index)).path);
    wanted.map(|(module, index)| (module.clone(), path(index))).collect()
}

/// A sentence on a full name that no type and no field of the schemas has. Types and fields of records have names that can
/// be changed.
pub fn unknown_name(name: &str, schemas: &[&Schema]) -> Option<String> {
    let types = schemas.iter().flat_map(|schema| &schema.types);
    let known: Vec<String> = types.flat_map(names_of).collect();
    if known.iter().any(|known| known == name) {
        return None;
    }
    let meant = near::meant(name, known.iter().map(String::as_str));
    let text = format!("the schema has no type and no field of the full name `{name}`; {meant}");
    Some(text.trim_end_matches([' ', ';']).to_owned())
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
