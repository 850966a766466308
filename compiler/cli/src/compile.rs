//! From a schema's path to its plans.

use crate::args::{ReadingArgs, SchemaArgs};
use crate::failure::{Failure, Outcome};
use crate::files::{DiskFiles, STANDARD_INPUT};
use crate::output::{Output, Stream};
use crate::registry;
use aldis_diagnostics::{any_error, Files, Sources};
use aldis_plan::{Compilation, Format, Hints, Plan};
use std::path::Path;

/// A schema without errors.
pub struct Compiled {
    pub sources: Sources,
    /// One for each wire form, the main form first; never empty.
    pub plans: Vec<Plan>,
    /// The file's name without folder and extension.
    pub stem: String,
}

impl Compiled {
    /// The plan of the wire form `name`, or of the main form.
    pub fn form(&self, name: Option<&str>) -> Outcome<&Plan> {
        let Some(name) = name else { return Ok(&self.plans[0]) };
        self.plans.iter().find(|plan| plan.form.name == name).ok_or_else(|| {
            let forms: Vec<&str> = self.plans.iter().map(|plan| plan.form.name.as_str()).collect();
            Failure::Usage(format!("this schema has no form `{name}`; it has {}", forms.join(", ")))
        })
    }
}

/// Compiles a schema; shows its errors as remarks.
pub fn compile(schema: &SchemaArgs, output: &Output) -> Outcome<Compiled> {
    compiled(&schema.schema, read(&schema.schema, &schema.reading)?, output)
}

/// The result of reading a schema; shows its errors as remarks.
pub fn compiled(schema: &Path, compilation: Compilation, output: &Output) -> Outcome<Compiled> {
    output.errors(&compilation.diagnostics, &compilation.sources, &schema.display().to_string())?;
    finish(schema, compilation, output)
}

/// Compiles a schema; shows its errors and warnings as remarks.
pub fn compile_with_warnings(schema: &SchemaArgs, output: &Output) -> Outcome<Compiled> {
    let compilation = read(&schema.schema, &schema.reading)?;
    output.diagnostics(&compilation.diagnostics, &compilation.sources, Stream::Err)?;
    finish(&schema.schema, compilation, output)
}

fn finish(schema: &Path, compilation: Compilation, output: &Output) -> Outcome<Compiled> {
    if any_error(&compilation.diagnostics) || compilation.plans.is_empty() {
        output.tally(&compilation.diagnostics);
        return Err(Failure::Shown);
    }
    let stem = match schema.to_str() {
        Some(STANDARD_INPUT) => "schema".to_owned(),
        _ => schema.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    };
    Ok(Compiled { sources: compilation.sources, plans: compilation.plans, stem })
}

/// Runs the front end that `reading` or the file's extension asks for.
pub fn read(schema: &Path, reading: &ReadingArgs) -> Outcome<Compilation> {
    let path = schema.display();
    if schema.to_str().is_some_and(|path| path != STANDARD_INPUT) {
        format_of(schema, reading.format.as_deref())?;
        if !schema.exists() {
            return Err(Failure::Input(format!("{path}: there is no such file")));
        }
        if schema.is_dir() {
            return Err(Failure::Usage(format!("{path}: this is a folder; name the schema files in it")));
        }
    }
    read_through(schema, reading, &DiskFiles { import_dirs: reading.import_dirs.clone(), seen: reading.seen.clone() })
}

/// The same, with files from elsewhere.
pub fn read_through(schema: &Path, reading: &ReadingArgs, files: &dyn Files) -> Outcome<Compilation> {
    let format = format_of(schema, reading.format.as_deref())?;
    let path = schema
        .to_str()
        .ok_or_else(|| Failure::Usage(format!("{}: the path of a schema must be UTF-8", schema.display())))?;
    if reading.frame_length.is_some() && !format.takes_frame_length() {
        let text = format!("--frame-length: messages of {} have no header with further members", format.name());
        return Err(Failure::Usage(text));
    }
    let hints = Hints { frame_length: reading.frame_length.clone().unwrap_or_default() };
    Ok(format.compile_with(path, files, &hints))
}

/// Schema languages that people ask for, by their extensions.
const FOREIGN: [(&str, &str); 7] = [
    ("proto", "Protocol Buffers"),
    ("fbs", "FlatBuffers"),
    ("thrift", "Thrift"),
    ("avsc", "Avro"),
    ("avdl", "Avro"),
    ("asn1", "ASN.1"),
    ("ksy", "Kaitai Struct"),
];

/// The format of that name, or the one of the file's extension.
pub fn format_of(schema: &Path, name: Option<&str>) -> Outcome<&'static dyn Format> {
    let known = || registry::FORMATS.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
    if let Some(name) = name {
        return registry::format(name)
            .ok_or_else(|| Failure::Usage(format!("there is no format `{name}`; there are {}", known())));
    }
    let extension = schema.extension().unwrap_or_default().to_string_lossy();
    let others = FOREIGN.iter().find(|(other, _)| *other == extension);
    registry::FORMATS.iter().copied().find(|format| format.extensions().contains(&&*extension)).ok_or_else(|| {
        if let Some((_, language)) = others {
            let known = registry::FORMATS
                .iter()
                .map(|format| format!("{} (.{})", format.name(), format.extensions().join(", .")));
            let known = known.collect::<Vec<_>>().join(", ");
            let schema = schema.display();
            return Failure::Usage(format!(
                "{schema}: this is a schema of {language}, which aldis does not read; it reads {known}"
            ));
        }
        Failure::Usage(format!(
            "{}: the extension tells no schema language; give one with --format ({})",
            schema.display(),
            known()
        ))
    })
}
