//! The Erlang back end: plans to a module with its records.
//!
//! `names` and `types` make the language model, `decode`, `encode`, `json` and `view` turn plan nodes into functions,
//! `files` puts the module together. The [`gen::Gen`] in the middle knows which functions there are.

mod caps;
pub mod code;
mod codec;
pub mod codes;
mod decode;
mod encode;
mod erl;
mod exports;
mod fast;
mod files;
mod gen;
mod goal;
mod header;
mod json;
mod literal;
mod modules;
mod names;
mod nesting;
mod order;
mod reasons;
mod reserved;
mod rows;
mod segments;
mod slots;
mod strict_text;
mod tables;
mod testee;
mod types;
mod values;
mod variables;
mod view;
mod wire;

use aldis_diagnostics::any_error;
use aldis_emit::{Extra, Generated, Language, OutputFile, Request};
use exports::named;
use gen::Gen;
use modules::{wanted, Modules};
use wire::Wire;

pub use codec::{Codec, Section, TypeNames};
pub use values::{Conversion, Values};

/// The Erlang back end.
pub struct Erlang;

/// The one value of [`Erlang`].
pub static ERLANG: Erlang = Erlang;

impl Language for Erlang {
    fn name(&self) -> &'static str {
        "erlang"
    }

    fn keywords(&self) -> &'static [&'static str] {
        erl::RESERVED
    }

    fn forms(&self) -> &'static [&'static str] {
        &["sbe", "fbe", "fbe-final", "capnp", "capnp-packed", "capnp-canonical"]
    }

    fn extras(&self, extra: Extra) -> &'static [&'static str] {
        // Of other forms single fields are read after decoding.
        match extra {
            Extra::Views => &["sbe", "fbe", "capnp"],
            Extra::Verify | Extra::Drafts => &[],
        }
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), &'static str> {
        check_option(name, value)
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        let mut generated = Generated::default();
        let plans = wanted(request, self.forms());
        let Some(main) = plans.first() else { return generated };
        let schema = &main.schema;
        let wires: Vec<Wire<'_>> = plans.iter().map(|plan| Wire::new(plan)).collect();
        let suffixes: Vec<String> = wires.iter().map(Wire::suffix).collect();
        let (names, diagnostics) = named(request, schema, &suffixes);
        generated.diagnostics = diagnostics;
        generated.diagnostics.extend(names.check_module());
        for wire in &wires {
            generated.diagnostics.extend(caps::unsupported(wire));
        }
        generated.diagnostics.extend(caps::too_many_fields(schema));
        generated.diagnostics.extend(aldis_emit::without_calls(codes::CALLS, schema));
        if any_error(&generated.diagnostics) {
            return generated;
        }
        let modules = Modules::new(schema, &names, &wires);
        let mut gen = Gen::new(request, schema, &names, wires, &values::ERLANG, modules);
        gen.generate_all();
        generated.files = gen.headers(request);
        generated.files.extend(gen.sources(request));
        if request.testee {
            let files = testee::files(&gen, request, &generated.files);
            generated.files.extend(files);
        }
        generated
    }
}

/// Whether `--option NAME=VALUE` is one of the languages of Erlang's machine.
///
/// # Errors
/// A description of the options that there are, when this is none.
pub fn check_option(name: &str, value: &str) -> Result<(), &'static str> {
    match (name, value) {
        (aldis_emit::STRICT_TEXT, "") => Ok(()),
        (modules::WITHOUT, parts) => modules::check_without(parts),
        _ => Err("there are strict_text, for decoders that refuse text which is not UTF-8, and without=json,view,final, for code without these"),
    }
}

fn file(path: String, text: String) -> OutputFile {
    OutputFile { path, text, executable: false }
}
