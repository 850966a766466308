//! What a language back end is.

use aldis_diagnostics::Diagnostic;
use aldis_plan::Plan;

/// A target language: plans in, files out. One value a language, listed once by the command line.
pub trait Language: Sync {
    /// `erlang`: the language's folder, and what `--lang` takes.
    fn name(&self) -> &'static str;

    /// The wire forms that its codecs speak, as in `Form::name`.
    fn forms(&self) -> &'static [&'static str];

    /// Whether a module, and with it a file, can have this name.
    ///
    /// # Errors
    /// What such names are made of, when it cannot.
    fn check_module_name(&self, name: &str) -> Result<(), &'static str> {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if plain && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Ok(());
        }
        Err("a lower-case letter, then letters, digits and _")
    }

    /// Whether `--option NAME=VALUE` is one that the language has.
    ///
    /// # Errors
    /// What there is, when it is not.
    fn check_option(&self, _name: &str, _value: &str) -> Result<(), &'static str> {
        Err("the language has none")
    }

    /// The codecs of one schema and, where the request asks for it, a testee around them.
    fn generate(&self, request: &Request<'_>) -> Generated;
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// All wire forms of one schema, the main form first.
    pub plans: &'a [Plan],
    /// The module's name; the schema's package when `None`.
    pub name: Option<String>,
    /// Goes before every type name, followed by `_`.
    pub prefix: Option<String>,
    /// Names to use in the place of others: (the type's or field's full name, its name in the code).
    pub renames: Vec<(String, String)>,
    /// What the language is asked for besides, each one that [`Language::check_option`] takes.
    pub options: Vec<(String, String)>,
    /// Also write a testee with its `build` and `run` scripts.
    pub testee: bool,
    /// The file stem of the root schema, for formats whose schemas have no package.
    pub stem: String,
    /// Directory that holds the runtime packages, one folder a language; testees are built against it.
    pub runtime: Option<String>,
    /// The compiler's own version, for the first line of generated files.
    pub version: &'static str,
}

/// Files, and what could not be generated or named.
#[derive(Debug, Default)]
pub struct Generated {
    pub files: Vec<OutputFile>,
    pub diagnostics: Vec<Diagnostic>,
}

/// One file to write, below the output directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Relative, with `/` between folders.
    pub path: String,
    pub text: String,
    pub executable: bool,
}
