//! The module of the schema as a whole: its messages, and dispatch.

use crate::docs::{attribute, words};
use crate::message::{definition, spec, Gives, ABOUT_OPTIONS, OPTIONS};
use crate::modules::Modules;
use crate::print::{line, string, WIDTH};
use aldis_emit::RUNTIME;
use aldis_erlang::Codec;

/// `Market`
pub(crate) fn module(codec: &Codec<'_>, modules: &Modules) -> String {
    let schema = codec.schema;
    let about = words(&schema.doc, false);
    let title = if about.is_empty() { format!("The messages of the schema `{}`.", modules.root) } else { about };
    let mut out = format!("defmodule {} do\n{}", modules.root, attribute("moduledoc", &[title]));
    out.push_str(&format!("\n  Aldis.Runtime.needs!(\"{RUNTIME}\", __ENV__)\n"));
    let entries: Vec<String> = schema
        .messages
        .iter()
        .map(|message| {
            let name = string(&schema.type_def(message.record).name.full());
            let id = message.id.map_or_else(|| "nil".to_owned(), |id| crate::print::number(&id.to_string()));
            format!("{{{name}, {}, {id}}}", modules.of(message.record))
        })
        .collect();
    out.push_str("\n  @doc \"Each message: its name in the schema, its module, and its id if it has one.\"\n");
    out.push_str("  @spec messages() :: [{String.t(), module(), non_neg_integer() | nil}]\n");
    let list = format!("[{}]", entries.join(", "));
    if format!("  def messages, do: {list}").chars().count() <= WIDTH {
        out.push_str(&definition("messages", &list));
    } else {
        let rows = entries.join(&format!(",{}", line(6)));
        out.push_str(&format!("  def messages do\n    [{}{rows}{}]\n  end\n", line(6), line(4)));
    }
    // A value that is nothing but a union does not say which message it is.
    let said = schema.messages.iter().any(|message| codec.types[message.record.index()].only_union.is_none());
    for (plan, suffix) in codec.plans.iter().zip(&codec.suffixes) {
        let succeed = [said.then_some("encode"), plan.dispatch.is_some().then_some("decode")];
        out.push_str(&of_form(modules, &plan.form.name, suffix, &succeed));
    }
    let header = codec.plans.iter().find_map(|plan| plan.header.as_ref());
    out.extend(header.map(|header| of_header(modules, modules.of(header.record))));
    out + "end\n"
}

/// The functions for the value beside a message.
fn of_header(modules: &Modules, header: &str) -> String {
    let value = format!("{header}.t()");
    let rows = [
        (
            "header",
            "binary",
            "binary()".to_owned(),
            value.clone(),
            "What the header of a message holds beside what all have; no more of it is read.",
        ),
        (
            "put_header",
            "binary, header",
            format!("binary(), {value}"),
            "binary()".to_owned(),
            "The bytes of a message with that header value, whatever they had there.",
        ),
        (
            "encode",
            "value, header",
            format!("struct(), {value}"),
            "binary()".to_owned(),
            "As `encode/1`, with a header value; without one it is zero.",
        ),
    ];
    let one = |(name, args, takes, gives, doc): &(&str, &str, String, String, &str)| {
        let spec = spec(name, takes, &Gives::one(gives));
        let body = definition(&format!("{name}({args})"), &format!("{}.{name}({args})", modules.codec));
        format!("\n  @doc \"{doc}\"\n{spec}{body}")
    };
    rows.iter().map(one).collect()
}

/// The functions of a form that find out which message it is. Those that `succeed` for any have a sibling that raises; the others
/// only ever give an error.
fn of_form(modules: &Modules, form: &str, suffix: &str, succeed: &[Option<&str>]) -> String {
    let named = if suffix.is_empty() { String::new() } else { format!(" in the form `{form}`") };
    let rows = [
        ("encode", "value", "struct()", "binary()", format!("The bytes of any message{named}.")),
        ("identify", "binary", "binary()", "module()", format!("Which message the bytes are{named}.")),
        (
            "decode",
            "binary",
            "binary()",
            "struct() | tuple()",
            format!("The message that the bytes are{named}, and what follows it."),
        ),
    ];
    let mut out = String::new();
    for (verb, arg, takes, value, doc) in rows {
        let name = format!("{verb}{suffix}");
        let gives = Gives { rest: verb == "decode", ..Gives::one(value) };
        out.push_str(&format!("\n  @doc \"{doc}\"\n{}", spec(&name, takes, &gives)));
        out.push_str(&definition(&format!("{name}({arg})"), &format!("{}.{name}({arg})", modules.codec)));
        if succeed.contains(&Some(verb)) {
            out.push_str(&format!(
                "\n  @doc \"As `{name}/1`, but gives the value alone and raises `Aldis.Error`.\"\n  @spec {name}!({takes}) :: {value}\n"
            ));
            out.push_str(&definition(
                &format!("{name}!({arg})"),
                &format!("Aldis.Error.value!({name}({arg}), nil, {arg})"),
            ));
        }
        if verb == "decode" {
            let optional = spec(&name, &format!("{takes}, {OPTIONS}"), &gives);
            let body = format!("{}.{name}({arg}, Map.new(options))", modules.codec);
            let body = definition(&format!("{name}({arg}, options)"), &body);
            out.push_str(&format!("\n  @doc \"As `{name}/1`: {ABOUT_OPTIONS}\"\n{optional}{body}"));
        }
    }
    out
}
