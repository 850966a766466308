//! The Erlang back end: plans to a module with its records.
//!
//! `names` and `types` make the language model, `decode`, `encode`, `json` and `view` turn plan nodes into functions,
//! `files` puts the module together. The [`gen::Gen`] in the middle knows which functions there are.

mod caps;
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
mod names;
mod nesting;
mod order;
mod reasons;
mod reserved;
mod segments;
mod slots;
mod strict_text;
mod tables;
mod testee;
mod tidy;
mod types;
mod unused;
mod values;
mod variables;
mod view;
mod wire;

use aldis_diagnostics::any_error;
use aldis_emit::{Generated, Language, OutputFile, Request};
use exports::named;
use gen::Gen;
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

    fn generate(&self, request: &Request<'_>) -> Generated {
        let mut generated = Generated::default();
        let plans: Vec<_> = request.plans.iter().filter(|p| self.forms().contains(&p.form.name.as_str())).collect();
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
        let mut gen = Gen::new(schema, &names, wires, &values::ERLANG, request.strict_text());
        gen.generate_all();
        let module = &names.module;
        generated.files.push(file(format!("{module}.hrl"), gen.header(request)));
        generated.files.push(file(format!("{module}.erl"), gen.module(request)));
        if request.testee {
            generated.files.extend(testee::files(&gen, request));
        }
        generated
    }
}

fn file(path: String, text: String) -> OutputFile {
    OutputFile { path, text, executable: false }
}
