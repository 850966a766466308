//! The module of a type: its struct and the functions of a message.

use crate::docs::{attribute, words};
use crate::functions::Functions;
use crate::modules::{has_struct, Modules};
use crate::print::{flat, line, value, WIDTH};
use crate::types::{alternatives, field_spec};
use crate::VALUES;
use aldis_erlang::code::Expr;
use aldis_erlang::Codec;
use aldis_schema::{TypeId, TypeKind};

/// `Market.Order`
pub(crate) fn module(codec: &Codec<'_>, modules: &Modules, functions: &Functions, id: TypeId) -> String {
    let def = codec.schema.type_def(id);
    let mut out = format!("defmodule {} do\n", modules.of(id));
    let about = words(&def.doc, def.deprecated);
    let kind = match def.kind {
        TypeKind::Record(_) => "record",
        TypeKind::Enum(_) => "enum",
        TypeKind::Flags(_) => "flags",
        TypeKind::Union(_) => "union",
    };
    let title = if about.is_empty() { format!("The {kind} `{}` of the schema.", def.name.full()) } else { about };
    out.push_str(&attribute("moduledoc", &[title, members(codec, modules, id), layout(codec, id)]));
    if has_struct(codec, id) {
        out.push_str(&structure(codec, modules, functions, id));
    }
    out.push_str(&type_t(codec, modules, id));
    if let TypeKind::Record(_) = def.kind {
        out.push_str(&crate::structs::new(codec, modules, functions, id));
        if codec.schema.messages.iter().any(|message| message.record == id) {
            out.push_str(&crate::message::functions(codec, modules, functions, id));
        }
    }
    out + "end\n"
}

/// The schema's words on fields, enumerants, flags and arms, as a list.
fn members(codec: &Codec<'_>, modules: &Modules, id: TypeId) -> String {
    let item = |name: &str, doc: &str| {
        let doc: Vec<&str> = doc.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if doc.is_empty() {
            String::new()
        } else {
            format!("  * `{name}`: {}\n", doc.join("\n    "))
        }
    };
    match &codec.schema.type_def(id).kind {
        TypeKind::Record(record) => {
            record.fields.iter().zip(&modules.keys[id.index()]).map(|(field, key)| item(key, &field.doc)).collect()
        }
        TypeKind::Union(union) => union.arms.iter().map(|arm| item(&arm.field.name, &arm.field.doc)).collect(),
        TypeKind::Enum(definition) => definition.values.iter().map(|value| item(&value.name, &value.doc)).collect(),
        TypeKind::Flags(flags) => flags.values.iter().map(|flag| item(&flag.name, &flag.doc)).collect(),
    }
}

/// The tables that say where fields lie, as a block of code.
fn layout(codec: &Codec<'_>, id: TypeId) -> String {
    let section = codec.sections.iter().find(|section| section.id == Some(id));
    let lines = section.map(|section| section.layout.as_slice()).unwrap_or_default();
    let rows = lines.iter().map(|row| if row.is_empty() { String::new() } else { format!("    {row}") });
    rows.collect::<Vec<String>>().join("\n").trim_start_matches('\n').to_owned()
}

fn structure(codec: &Codec<'_>, modules: &Modules, functions: &Functions, id: TypeId) -> String {
    let fields = &codec.schema.record(id).fields;
    let mut out = String::from("\n");
    let secret: Vec<String> = (0..fields.len())
        .filter(|&index| fields[index].hidden)
        .map(|index| crate::print::atom(&modules.keys[id.index()][index]))
        .collect();
    if !secret.is_empty() {
        out.push_str(&format!("  @derive {{Inspect, except: [{}]}}\n", secret.join(", ")));
    }
    let defaults = functions.defaults.get(&id);
    let default = |index: usize| {
        let found = defaults.and_then(|found| found.get(&modules.keys[id.index()][index]));
        found.cloned().unwrap_or(Expr::Null)
    };
    let keys: Vec<String> = (0..fields.len()).map(|index| modules.key(id, index)).collect();
    let pairs: Option<Vec<String>> =
        keys.iter().enumerate().map(|(index, key)| Some(format!("{key} {}", flat(&default(index))?))).collect();
    let short = pairs.map(|pairs| format!("  defstruct {}", pairs.join(", ")));
    match short.filter(|short| short.chars().count() <= WIDTH) {
        _ if keys.is_empty() => out.push_str("  defstruct []"),
        Some(short) => out.push_str(&short),
        None => {
            let rows = keys
                .iter()
                .enumerate()
                .map(|(index, key)| format!("{key} {}", value(&default(index), 13 + key.chars().count(), 12)));
            out.push_str(&format!("  defstruct {}", rows.collect::<Vec<String>>().join(&format!(",{}", line(12)))));
        }
    }
    out + "\n"
}

/// `@type t`
fn type_t(codec: &Codec<'_>, modules: &Modules, id: TypeId) -> String {
    let mut out = String::from("\n");
    if has_struct(codec, id) {
        let pairs: Vec<String> = (0..codec.schema.record(id).fields.len())
            .map(|index| format!("{} {}", modules.key(id, index), field_spec(modules, codec, id, index)))
            .collect();
        let short = format!("  @type t :: %__MODULE__{{{}}}", pairs.join(", "));
        if short.chars().count() <= WIDTH {
            return out + &short + "\n";
        }
        out.push_str("  @type t :: %__MODULE__{");
        out.push_str(&format!("{}{}{}}}\n", line(10), pairs.join(&format!(",{}", line(10))), line(8)));
        return out;
    }
    let spec = alternatives(modules, codec, &VALUES, id);
    if let TypeKind::Flags(_) = codec.schema.type_def(id).kind {
        let short = format!("  @type t :: [{}]", spec.join(" | "));
        if short.chars().count() <= WIDTH {
            return out + &short + "\n";
        }
        let rest = spec.join(&format!("{}| ", line(10)));
        return out + &format!("  @type t :: [{}{rest}{}]\n", line(10), line(8));
    }
    let short = format!("  @type t :: {}", spec.join(" | "));
    if short.chars().count() <= WIDTH {
        return out + &short + "\n";
    }
    out + &format!("  @type t ::{}{}\n", line(10), spec.join(&format!("{}| ", line(10))))
}

/// `new/0`
fn new(codec: &Codec<'_>, modules: &Modules, functions: &Functions, id: TypeId) -> String {
    let function = functions.public(&format!("new_{}", codec.types[id.index()].record));
    format!(
        "\n  @doc \"The schema's defaults.\"\n  @spec new() :: t()\n  def new, do: {}.{function}()\n",
        modules.codec
    )
}
