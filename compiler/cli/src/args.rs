//! Arguments that several subcommands share.

use crate::failure::{Failure, Outcome};
use aldis_plan::{FrameLength, Limits};
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A schema and how to read it.
#[derive(Clone, Debug, Args)]
pub struct SchemaArgs {
    /// The schema file; standard input when it is `-`, with --format.
    pub schema: PathBuf,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// A schema, or several with --schema, in front of the file that they read.
#[derive(Clone, Debug, Args)]
pub struct SchemaAndFileArgs {
    /// The schema file; standard input when it is `-`, with --format. With --schema it is left out.
    #[arg(required_unless_present = "schemas")]
    schema: Option<PathBuf>,

    /// The bytes; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// A schema, instead of the first argument; may be given several times, so that each message is read by the one that its
    /// header says: by schema id and version (SBE), or by type id (FBE).
    #[arg(long = "schema", id = "schemas", value_name = "SCHEMA")]
    schemas: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

impl SchemaAndFileArgs {
    /// The schemas, and the file that was named.
    pub fn given(&self) -> Outcome<(Vec<SchemaArgs>, Option<&Path>)> {
        let (schemas, file) = match (&self.schemas[..], &self.schema, &self.file) {
            ([], Some(schema), file) => (std::slice::from_ref(schema), file),
            (schemas, file, None) => (schemas, file),
            (_, Some(schema), Some(file)) => {
                let (schema, file) = (schema.display(), file.display());
                let text = format!(
                    "with --schema there is one file to read, not {schema} and {file}: put --schema before each schema"
                );
                return Err(Failure::Usage(text));
            }
            (schemas, None, file) => (schemas, file),
        };
        Ok((self.reading.schemas(schemas), file.as_deref()))
    }
}

/// The schema of messages whose bytes can be handled without one.
#[derive(Clone, Debug, Args)]
pub struct OptionalSchemaArgs {
    /// The schema of the messages, for JSON and for framings that depend on it (sofh, fbe, capnp).
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    reading: ReadingArgs,

    /// The wire form of the schema; its main form when not given.
    #[arg(long, value_name = "FORM", requires = "schema")]
    pub form: Option<String>,
}

impl OptionalSchemaArgs {
    /// The schema, where one was given.
    pub fn given(&self) -> Option<SchemaArgs> {
        self.schema.clone().map(|schema| SchemaArgs { schema, reading: self.reading.clone() })
    }
}

/// The wire form of messages.
#[derive(Clone, Debug, Args)]
pub struct FormArg {
    /// The wire form (fbe, fbe-final, sbe, capnp, capnp-packed, capnp-canonical); the schema's main form when not given.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
}

impl FormArg {
    /// The form's name, where one is given.
    pub fn name(&self) -> Option<&str> {
        self.form.as_deref()
    }
}

/// The bound of frames in streams.
#[derive(Clone, Copy, Debug, Args)]
pub struct FrameArg {
    /// The longest frame that is believed, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub max_frame: usize,
}

/// How much work and memory the bytes of a message may ask for.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitArgs {
    /// How much the bytes of one message may ask for.
    #[arg(long, value_enum, default_value_t, value_name = "PRESET", help_heading = "Limits")]
    pub limits: Preset,

    /// Levels of records within records, instead of the preset's.
    #[arg(long, value_name = "LEVELS", help_heading = "Limits")]
    pub max_depth: Option<u32>,

    /// Bytes that may be visited in one message, whatever its size, instead of the preset's budget.
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    pub max_visited: Option<u64>,
}

/// The values of `--limits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// 64 levels; visited bytes up to 8 times the message and 256 KiB, lists of small elements counted higher.
    #[default]
    Default,
    /// Those of Cap'n Proto's own readers: 64 levels, 64 MiB visited.
    Reference,
}

impl LimitArgs {
    pub fn limits(self) -> Limits {
        let preset = match self.limits {
            Preset::Default => Limits::default(),
            Preset::Reference => Limits::REFERENCE,
        };
        let depth = self.max_depth.unwrap_or(preset.depth);
        match self.max_visited {
            None => Limits { depth, ..preset },
            Some(bytes) => Limits { depth, budget_factor: 0, budget_base: bytes, ..preset },
        }
    }
}

/// How to read schemas.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingArgs {
    /// Look for imported and included files here too, after the folder of the file that names them.
    #[arg(short = 'I', long = "import-dir", value_name = "DIR", help_heading = "Schema")]
    pub import_dirs: Vec<PathBuf>,

    /// The schema's language (fbe, sbe, capnp); found from the file's extension when not given.
    #[arg(long, value_name = "FORMAT", help_heading = "Schema")]
    pub format: Option<String>,

    /// The member of the message header that is the length of the frame, and what it says beyond the message's size
    /// (`messageLength-2`); `none` where no member is. A member called so is found when not given.
    #[arg(long, value_name = "MEMBER[±N]", value_parser = frame_length, help_heading = "Schema")]
    pub frame_length: Option<FrameLength>,

    /// The files that were read, for who waits for their change.
    #[arg(skip)]
    pub seen: Seen,
}

impl ReadingArgs {
    /// These schemas, all read in this way.
    pub fn schemas(&self, paths: &[PathBuf]) -> Vec<SchemaArgs> {
        paths.iter().map(|path| SchemaArgs { schema: path.clone(), reading: self.clone() }).collect()
    }
}

/// The paths of files that were read or looked for.
#[derive(Clone, Debug, Default)]
pub struct Seen(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Seen {
    pub fn add(&self, path: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
    }

    /// All paths since the last time.
    pub fn take(&self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Reads `MEMBER`, `MEMBER+N`, `MEMBER-N` or `none`.
pub fn frame_length(text: &str) -> Result<FrameLength, String> {
    let at = text.find(['+', '-']).unwrap_or(text.len());
    let (name, plus) = (&text[..at], &text[at..]);
    let plus = if plus.is_empty() { Ok(0) } else { plus.parse() };
    match (name, plus) {
        ("none", Ok(0)) => Ok(FrameLength::None),
        (name, Ok(plus)) if !name.is_empty() => Ok(FrameLength::Member { name: name.to_owned(), plus }),
        _ => Err("write it as messageLength, messageLength+6 or messageLength-2".into()),
    }
}
