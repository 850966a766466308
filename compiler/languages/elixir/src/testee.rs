//! The testee: the generated modules behind the testee protocol.

use crate::modules::Modules;
use crate::print::{line, number, string};
use aldis_emit::{OutputFile, Request};
use aldis_erlang::Codec;

/// The testee's module and its `build` and `run` scripts.
pub(crate) fn files(request: &Request<'_>, codec: &Codec<'_>, modules: &Modules) -> Vec<OutputFile> {
    let runtime = request.runtime.clone().unwrap_or_default();
    let file = modules.file();
    vec![
        OutputFile { path: format!("{file}_testee.ex"), text: source(codec, modules), executable: false },
        OutputFile { path: "build".to_owned(), text: build(&file, &runtime), executable: true },
        OutputFile { path: "run".to_owned(), text: run(modules), executable: true },
    ]
}

/// Only what codecs and testees call is compiled.
fn build(file: &str, runtime: &str) -> String {
    format!(
        "#!/bin/sh
# Compiles the generated modules and what they call of the runtime into ./ebin. Warnings are errors where ALDIS_STRICT is set.
# Modules of the runtime that are compiled already may lie in ALDIS_EBIN, for those who build many testees.
set -eu
cd \"$(dirname \"$0\")\"
runtime=\"${{ALDIS_RUNTIME:-{runtime}}}\"
if [ ! -d \"$runtime/elixir/lib\" ]; then
    echo \"no Aldis runtime for Elixir in '$runtime/elixir': set ALDIS_RUNTIME to the folder that holds it\" >&2
    exit 1
fi
mkdir -p ebin
if [ -n \"${{ALDIS_EBIN:-}}\" ]; then
    cp \"$ALDIS_EBIN\"/*.beam ebin
else
    erlc +debug_info -o ebin $(ls \"$runtime\"/erlang/src/*.erl | grep -v '/aldis_etf')
fi
elixirc ${{ALDIS_STRICT:+--warnings-as-errors}} -pa ebin -o ebin \\
    \"$runtime/elixir/lib/aldis/error.ex\" \"$runtime/elixir/lib/aldis/runtime.ex\" \"$runtime/elixir/lib/aldis/sizes.ex\" \
    \"$runtime/elixir/lib/aldis/values.ex\" {file}.ex {file}_testee.ex
"
    )
}

fn run(modules: &Modules) -> String {
    format!(
        "#!/bin/sh
# Answers requests of the testee protocol until standard input ends.
set -eu
here=\"$(cd \"$(dirname \"$0\")\" && pwd)\"
exec elixir --erl '-noinput -boot no_dot_erlang' -pa \"$here/ebin\" -e ':aldis_testee.main({}.Testee)'
",
        modules.root
    )
}

fn source(codec: &Codec<'_>, modules: &Modules) -> String {
    let schema = codec.schema;
    let entries: Vec<String> = schema
        .messages
        .iter()
        .map(|message| {
            let name = string(&schema.type_def(message.record).name.full());
            let id = message.id.map_or_else(|| ":undefined".to_owned(), |id| number(&id.to_string()));
            format!("{{{name}, {}, {id}, {}}}", modules.of(message.record), message.listed)
        })
        .collect();
    let forms: Vec<String> = codec.plans.iter().map(|plan| string(&plan.form.name)).collect();
    let mut out = format!(
        "defmodule {root}.Testee do
  @moduledoc false
  @behaviour :aldis_testee

  @impl true
  def messages do
    [{open}{entries}{close}]
  end

  @impl true
  def forms, do: [{forms}]

  @impl true
",
        root = modules.root,
        open = line(6),
        entries = entries.join(&format!(",{}", line(6))),
        close = line(4),
        forms = forms.join(", "),
    );
    for (form, suffix) in forms.iter().zip(&codec.suffixes) {
        out.push_str(&format!("  def identify({form}, binary), do: {}.identify{suffix}(binary)\n", modules.root));
    }
    for (verb, arg) in [("decode", "binary"), ("encode", "value")] {
        out.push_str("\n  @impl true\n");
        for (form, suffix) in forms.iter().zip(&codec.suffixes) {
            out.push_str(&format!("  def {verb}({form}, module, {arg}), do: module.{verb}{suffix}({arg})\n"));
        }
    }
    if let Some(header) = codec.plans.iter().find_map(|plan| plan.header.as_ref()) {
        let (root, header) = (&modules.root, modules.of(header.record));
        out.push_str(&format!(
            "
  @impl true
  def keep_header({header}, _given, binary), do: {{:ok, binary}}

  def keep_header(_module, given, binary) do
    case {root}.header(given) do
      {{:ok, header}} -> {root}.put_header(binary, header)
      error -> error
    end
  end
"
        ));
    }
    for (verb, arg) in [("to_json", "value"), ("from_json", "json")] {
        out.push_str(&format!("\n  @impl true\n  def {verb}(module, {arg}), do: module.{verb}({arg})\n"));
    }
    out + "end\n"
}
