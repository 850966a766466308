//! Files of Java: how its tree is printed.

use aldis_classes::print::{Syntax, INDENT, WIDTH};
use aldis_classes::tree::Class;
use aldis_emit::doc::{blank, block_comment, bracketed, comment, concat, hard, text, Doc};

static JAVA: Syntax = Syntax {
    breaks_at_operators: true,
    hangs_functions: false,
    brackets_choices: false,
    brackets_ways: true,
    opens_calls: false,
    has_keys: false,
    indent: INDENT,
    capitals: false,
    apart: false,
    long: "L",
    endless: "Long.MAX_VALUE",
    floats: [
        ["Float.NaN", "Float.POSITIVE_INFINITY", "Float.NEGATIVE_INFINITY"],
        ["Double.NaN", "Double.POSITIVE_INFINITY", "Double.NEGATIVE_INFINITY"],
    ],
    arrow: "->",
    counter: "int",
    shift: ">>>",
    handler: [("catch (CodecException fault)", ""), ("throw fault.within(", ");")],
    dropped: "catch (CodecException fault)",
    way: (" ->", None),
    documented,
    constant: |name, args| bracketed(&format!("{name}("), args, ")", INDENT),
    last_constant: ";",
};

/// A file's text: comment lines, package, imports, one class.
pub(crate) fn file(said: &str, package: &str, imports: &[&str], class: &Class) -> String {
    let mut parts = vec![comment("//", said), text(format!("package {package};")), hard()];
    if !imports.is_empty() {
        parts.push(blank());
    }
    parts.extend(imports.iter().flat_map(|import| [text(format!("import {import};")), hard()]));
    parts.extend([blank(), JAVA.class(class), hard()]);
    concat(parts).print(WIDTH)
}

/// A comment in front of a declaration. Nothing in it ends it.
fn documented(doc: &str) -> Doc {
    let doc = doc.trim();
    if doc.is_empty() {
        return Doc::Nil;
    }
    let mut html = String::with_capacity(doc.len());
    for c in doc.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '@' => html.push_str("&#64;"),
            '\\' => html.push_str("&#92;"),
            c if c.is_control() && c != '\n' => html.push(' '),
            c => html.push(c),
        }
    }
    let safe = html.replace("*/", "*&#47;").replace("{&#64;", "&#123;&#64;");
    block_comment(&safe)
}
