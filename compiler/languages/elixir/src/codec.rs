//! The module of the functions that read and write bytes.

use crate::functions::{Defined, Functions};
use crate::modules::Modules;
use crate::print::{function, line, WIDTH};
use aldis_erlang::Codec;

/// `Market.Codec`
pub(crate) fn module(codec: &Codec<'_>, modules: &Modules, functions: &Functions) -> String {
    let mut body = String::new();
    for (section, made) in codec.sections.iter().zip(&functions.sections) {
        if made.functions.is_empty() {
            continue;
        }
        let title = match section.id {
            Some(id) => modules.of(id),
            None => "The whole schema",
        };
        body.push_str(&format!("\n  # {title}\n"));
        for defined in &made.functions {
            body.push('\n');
            body.push_str(&one(defined));
        }
    }
    let mut head = format!("defmodule {} do\n  @moduledoc false\n", modules.codec);
    if ["band(", "bor(", "bsl(", "bsr(", "bxor(", "bnot("].iter().any(|call| body.contains(call)) {
        head.push_str("\n  import Bitwise\n");
    }
    for (name, guard) in &functions.guards {
        head.push_str(&format!("\n{}", crate::print::guard(name, guard)));
    }
    if !functions.inline.is_empty() {
        let list: Vec<String> = functions.inline.iter().map(|(name, arity)| format!("{name}: {arity}")).collect();
        let row = format!("{}}}", list.join(", "));
        if "  @compile {:inline, ".len() + row.chars().count() <= WIDTH {
            head.push_str(&format!("\n  @compile {{:inline, {row}\n"));
        } else if 12 + row.chars().count() <= WIDTH {
            head.push_str(&format!("\n  @compile {{:inline,{}{row}\n", line(12)));
        } else {
            let row = list.join(", ");
            // The pairs are a group of their own for the formatter.
            let rows = if 12 + row.len() < WIDTH { row } else { list.join(&format!(",{}", line(12))) };
            head.push_str(&format!("\n  @compile {{:inline,{}{rows}}}\n", line(12)));
        }
    }
    head + &body + "end\n"
}

fn one(defined: &Defined) -> String {
    let mut out = String::new();
    if defined.no_match {
        let (name, arity) = (&defined.function.name, defined.function.arity());
        out.push_str(&format!("  @dialyzer {{:no_match, {name}: {arity}}}\n"));
    }
    out + &function(&defined.function, defined.public)
}
