//! The module of the functions that read and write bytes.

use crate::functions::{Defined, Functions};
use crate::modules::Modules;
use crate::print::{function, line, BOUND, WIDTH};
use aldis_erlang::code::Expr;
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
    let bound = functions.any(|expr| matches!(expr, Expr::Unop(BOUND, _)));
    let imports = [("Aldis.Sizes", bound), ("Bitwise", functions.any(of_bits))];
    let imports: String =
        imports.iter().filter(|(_, used)| *used).map(|(module, _)| format!("  import {module}\n")).collect();
    if !imports.is_empty() {
        head.push_str(&format!("\n{imports}"));
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

/// Whether an expression is a call of Elixir's module for bits.
fn of_bits(expr: &Expr) -> bool {
    match expr {
        Expr::Binop(operator, ..) => ["band", "bor", "bsl", "bsr", "bxor"].contains(operator),
        Expr::Unop(operator, _) => *operator == "bnot",
        _ => false,
    }
}

fn one(defined: &Defined) -> String {
    let mut out = String::new();
    if defined.no_match {
        let (name, arity) = (&defined.function.name, defined.function.arity());
        out.push_str(&format!("  @dialyzer {{:no_match, {name}: {arity}}}\n"));
    }
    out + &function(&defined.function, defined.public)
}
