//! The interface of language back ends.

use crate::names::{underscored, with_package};
use aldis_diagnostics::Diagnostic;
use aldis_plan::Plan;
use aldis_schema::{Schema, TypeDef};

/// A target language: plans in, files out. One value a language, listed once by the command line.
pub trait Language: Sync {
    /// `erlang`: the language's folder, and what `--lang` takes.
    fn name(&self) -> &'static str;

    /// The wire forms that its codecs speak, as in `Form::name`.
    fn forms(&self) -> &'static [&'static str];

    /// The things that its codecs do with these forms.
    fn operations(&self) -> Operations {
        Operations::All
    }

    /// The wire forms in which its codecs do one thing more than decoding, encoding and JSON.
    fn extras(&self, _extra: Extra) -> &'static [&'static str] {
        &[]
    }

    /// Words that its code must quote, or gives another name, where fields and values of a schema are called so.
    fn keywords(&self) -> &'static [&'static str] {
        &[]
    }

    /// The same for types.
    fn type_keywords(&self) -> &'static [&'static str] {
        self.keywords()
    }

    /// Whether a module, and with it a file, can have this name.
    ///
    /// # Errors
    /// A description of such names, when this is none.
    fn check_module_name(&self, name: &str) -> Result<(), &'static str> {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if plain && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Ok(());
        }
        Err("a lower-case letter, then letters, digits and _")
    }

    /// Whether `--option NAME=VALUE` is one that the language has; of `--option NAME` the value is empty.
    ///
    /// # Errors
    /// A description of the options that there are, when this is none.
    fn check_option(&self, name: &str, value: &str) -> Result<(), &'static str> {
        match (name, value) {
            (STRICT_TEXT, "") => Ok(()),
            _ => Err("there is strict_text, for decoders that refuse text which is not UTF-8"),
        }
    }

    /// Whether the code of a schema refers to that of schemas which it imports (see [`crate::Modules`]), rather than having all
    /// that they declare once more.
    fn refers_to_imports(&self) -> bool {
        false
    }

    /// The options for the code of an imported module, by those for the code that refers to it.
    fn options_of_import(&self, options: &[(String, String)], _module: &str) -> Vec<(String, String)> {
        options.to_vec()
    }

    /// The codecs of one schema and, where the request asks for it, a testee around them.
    fn generate(&self, request: &Request<'_>) -> Generated;
}

/// The things that a language's codecs do with messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operations {
    /// Decoding, encoding, JSON both ways.
    All,
    /// Decoding, and JSON of what was decoded. Testees answer `unsupported` to all else.
    Decoding,
    /// None: messages are shown to people. There is no testee.
    Showing,
}

/// A thing that some languages' codecs do with messages besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// A message is checked, and no value is made.
    Verify,
    /// Single fields are read where they lie in the bytes.
    Views,
    /// Fields are written where they will lie, from no value.
    Drafts,
}

impl Extra {
    pub const ALL: [Extra; 3] = [Extra::Verify, Extra::Views, Extra::Drafts];
}

/// An order for generated code.
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
    /// Further options of the language, each one that [`Language::check_option`] takes.
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

impl Request<'_> {
    /// The name that was asked for in the place of a type's or field's full name.
    pub fn renamed(&self, full: &str) -> Option<&str> {
        self.renames.iter().find(|(from, _)| from == full).map(|(_, to)| to.as_str())
    }

    /// The name of a type: the one that was asked for; otherwise `own` with its package, where two types have one path,
    /// and the prefix in front.
    pub fn type_name(&self, schema: &Schema, def: &TypeDef, own: String) -> String {
        self.own_type_name(def, with_package(schema, def, own))
    }

    /// The same, where the code's module tells packages apart.
    pub fn own_type_name(&self, def: &TypeDef, own: String) -> String {
        let prefix = self.prefix.as_ref().map(|prefix| format!("{prefix}_")).unwrap_or_default();
        self.renamed(&def.name.full()).map_or_else(|| format!("{prefix}{own}"), str::to_owned)
    }

    /// The name of a type's field, arm or enumerant: the one that was asked for, or its own.
    pub fn member_name(&self, def: &TypeDef, own: &str) -> String {
        self.renamed(&format!("{}.{own}", def.name.full())).unwrap_or(own).to_owned()
    }

    /// The name of the module: the one that was asked for, or the schema's package or else its file, in letters, digits
    /// and underscores.
    pub fn module_name(&self, schema: &Schema) -> String {
        let source = if schema.package.is_empty() { &self.stem } else { &schema.package };
        underscored(&self.name.clone().unwrap_or_else(|| source.to_lowercase()))
    }

    /// The value of an option, the last one where it is given again.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Whether decoders are to refuse text that is not UTF-8.
    pub fn strict_text(&self) -> bool {
        self.option(STRICT_TEXT).is_some()
    }
}

/// The option of every language: decoding refuses text that is not UTF-8.
pub const STRICT_TEXT: &str = "strict_text";

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
