//! The C++ back end: plans to headers of types and codecs, of their JSON, views and streams.
//!
//! `names` and `types` make the language model, `decode`, `encode`, `segments` and `json` turn plan nodes into statements (`code`),
//! `files` puts the headers together.

mod caps;
mod code;
pub mod codes;
mod decode;
mod encode;
mod files;
mod gen;
mod graph;
mod header;
mod inlining;
mod json;
mod keys;
mod literal;
mod message;
mod names;
mod parameter;
mod pmr;
mod reserved;
mod scope;
mod segments;
mod sheet;
mod sizes;
mod source;
mod stream;
mod tables;
mod testee;
mod types;
mod units;
mod view;
mod writer;

use aldis_diagnostics::any_error;
use aldis_emit::{Extra, Generated, Language, OutputFile, Request, STRICT_TEXT};
use aldis_plan::Plan;
use gen::Gen;
use names::Names;

/// The C++ back end.
pub struct Cpp;

/// The one value of [`Cpp`].
pub static CPP: Cpp = Cpp;

impl Language for Cpp {
    fn name(&self) -> &'static str {
        "cpp"
    }

    fn keywords(&self) -> &'static [&'static str] {
        reserved::KEYWORDS
    }

    fn forms(&self) -> &'static [&'static str] {
        &["sbe", "fbe", "fbe-final", "capnp", "capnp-packed", "capnp-canonical"]
    }

    fn extras(&self, extra: Extra) -> &'static [&'static str] {
        match extra {
            Extra::Verify | Extra::Views => self.forms(),
            Extra::Drafts => &["sbe", "fbe", "fbe-final", "capnp"],
        }
    }

    fn refers_to_imports(&self) -> bool {
        true
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), &'static str> {
        match (name, value) {
            ("allocator", "std" | "pmr") | (STRICT_TEXT, "") => Ok(()),
            _ => Err("there are allocator=std, which is the default, allocator=pmr and strict_text"),
        }
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        let diagnostics = caps::unsupported(request.plans, self.forms());
        let mut generated = Generated { files: Vec::new(), diagnostics };
        generated.diagnostics.extend(
            request.plans.first().into_iter().flat_map(|plan| aldis_emit::without_calls(codes::CALLS, &plan.schema)),
        );
        let plans: Vec<&Plan> = request.plans.iter().filter(|p| self.forms().contains(&p.form.name.as_str())).collect();
        let Some(main) = plans.first().filter(|_| !any_error(&generated.diagnostics)) else { return generated };
        let mut forms: Vec<String> = plans.iter().flat_map(|plan| gen::namespaces_of(plan)).collect();
        let calls = ["encode", "decode", "identify", "verify", "write"].iter().chain(&stream::NAMES);
        forms.extend(plans.iter().flat_map(|plan| calls.clone().map(|name| gen::function_name(plan, name))));
        let names = Names::new(request, &main.schema, &forms);
        let mut gen = Gen::new(&main.schema, &names, &plans, request.option("allocator") == Some("pmr"));
        gen.strict_text = request.strict_text();
        let module = &names.module;
        generated.files.extend(files::Headers::new(&gen, request).all());
        if let Some((header, remarks)) = gen.stream_header(request) {
            generated.files.push(file(format!("{module}_stream.hpp"), header));
            generated.diagnostics.extend(remarks);
        }
        if request.testee {
            generated.files.extend(testee::files(&gen, request));
        }
        generated
    }
}

fn file(path: String, text: String) -> OutputFile {
    OutputFile { path, text, executable: false }
}
