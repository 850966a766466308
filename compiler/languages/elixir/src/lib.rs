//! The Elixir back end: plans to a tree of modules with structs.
//!
//! The functions that read and write bytes are those of the Erlang back end: `erlang` reads them as a tree, `rewrite`
//! gives them Elixir's names and scopes, `print` lays them out. What Elixir's users see is made here from the schema:
//! `modules` and `types` are the language model, `structs`, `whole` and `codec` the modules.

mod codec;
pub mod codes;
mod docs;
mod erlang;
mod functions;
mod message;
mod modules;
mod print;
mod reserved;
mod rewrite;
mod structs;
mod testee;
mod types;
mod whole;

use aldis_diagnostics::any_error;
use aldis_emit::{Extra, Generated, Language, OutputFile, Request};
use aldis_erlang::{Codec, Conversion, Values};
use modules::Modules;

/// The Elixir back end.
pub struct Elixir;

/// The one value of [`Elixir`].
pub static ELIXIR: Elixir = Elixir;

/// Elixir's values, where they are not those of the runtime.
static VALUES: Values = Values {
    null: "nil",
    uuid: Some(Conversion { from: "'Elixir.Aldis.Values':uuid", to: "'Elixir.Aldis.Values':octets" }),
    set: Some(Conversion { from: "'Elixir.Aldis.Values':set", to: "'Elixir.Aldis.Values':elements" }),
    decimal: Some(Conversion { from: "'Elixir.Aldis.Values':decimal", to: "'Elixir.Aldis.Values':parts" }),
    macros: false,
    structs: true,
};

impl Language for Elixir {
    fn name(&self) -> &'static str {
        "elixir"
    }

    fn keywords(&self) -> &'static [&'static str] {
        &reserved::WORDS
    }

    fn forms(&self) -> &'static [&'static str] {
        &["sbe", "fbe", "fbe-final", "capnp", "capnp-packed", "capnp-canonical"]
    }

    fn extras(&self, extra: Extra) -> &'static [&'static str] {
        aldis_erlang::ERLANG.extras(extra)
    }

    fn check_module_name(&self, name: &str) -> Result<(), &'static str> {
        let is_alias = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_uppercase())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if name.split('.').all(is_alias) {
            return Ok(());
        }
        Err("a capital letter, then letters, digits and _; with dots between several of these")
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), &'static str> {
        aldis_erlang::check_option(name, value)
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        let (codec, mut diagnostics) = Codec::new(request, self.forms(), &VALUES);
        let Some(codec) = codec else { return Generated { files: Vec::new(), diagnostics } };
        let (modules, problems) = Modules::new(request, &codec);
        diagnostics.extend(problems);
        if any_error(&diagnostics) {
            return Generated { files: Vec::new(), diagnostics };
        }
        Generated { files: files(request, &codec, &modules), diagnostics }
    }
}

fn files(request: &Request<'_>, codec: &Codec<'_>, modules: &Modules) -> Vec<OutputFile> {
    let functions = functions::Functions::new(codec, modules);
    let mut parts = vec![docs::first_lines(request, codec), whole::module(codec, modules)];
    for id in &functions.order {
        parts.push(structs::module(codec, modules, &functions, *id));
    }
    parts.push(codec::module(codec, modules, &functions));
    let text = parts.join("\n");
    let mut files = vec![OutputFile { path: format!("{}.ex", modules.file()), text, executable: false }];
    if request.testee {
        files.extend(testee::files(request, codec, modules));
    }
    files
}
