//! Schemas whose texts look like code: documentation, names in JSON, defaults and constants.

use std::fmt::Write as _;

/// Calls of functions and macros that generators make themselves, marks that end strings and comments, and what begins code in them.
const TEXTS: [&str; 44] = [
    "has(x",
    "bool(x) and at(y, 1)",
    "list_size(x, 2)",
    "?WITHIN(V, 1, 2)",
    "is_int64(x)",
    "A + 0 * B",
    "At + 0",
    "f((A), (B))",
    "<<(A):8>>",
    "case A of null -> 0; _ -> 1 end",
    " end",
    " of ",
    "'",
    "'''",
    "\"",
    "\"\"\"",
    "\\",
    "\\\\",
    "\\n",
    "\\u0041",
    "\t tab",
    " leading",
    "trailing ",
    "%% @doc x",
    "// x",
    "*/ x /*",
    "-- x",
    "</summary>",
    "&amp; <b> @link {@code x",
    "??/",
    "\\??/ ",
    ")\"",
    "R\"(x)\"",
    "{",
    "}",
    "#{x}",
    "${x}",
    "${{",
    "`x`",
    "%s %d ~p",
    "if (x) { return 1; }",
    "(a, (b, {c, [d, <e, f>]}, \"g\")",
    "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen",
    "é 漢 \u{2028} x",
];

/// The text without characters that a format has no place for.
fn without(text: &str, others: &[char]) -> String {
    text.replace(others, "")
}

fn in_comment(text: &str) -> String {
    without(text, &['\u{2028}'])
}

pub fn fbe() -> String {
    let mut out = String::from("package texts\nenum Side\n{\n");
    for (index, text) in TEXTS.iter().enumerate() {
        let _ = writeln!(out, "  // {}\n  v{index};", in_comment(text));
    }
    out.push_str("}\n// has(x\nstruct Texts\n{\n  Side side;\n");
    for (index, text) in TEXTS.iter().enumerate() {
        let default = without(text, &['"', '\\', '\u{2028}']);
        let _ = writeln!(out, "  // {}\n  string f{index} = \"{default}\";", in_comment(text));
    }
    out + "}\n"
}

pub fn sbe(head: &str) -> String {
    let escaped =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\t', "&#9;");
    let mut out = format!("{head}<enum name=\"Side\" encodingType=\"uint8\">");
    for (index, text) in TEXTS.iter().enumerate() {
        let _ = writeln!(out, r#"<validValue name="v{index}" description="{}">{index}</validValue>"#, escaped(text));
    }
    out.push_str("</enum>\n");
    // Constants of characters are ASCII, without white space around them.
    let constants: Vec<&str> = TEXTS.iter().map(|text| text.trim()).filter(|text| text.is_ascii()).collect();
    for (index, text) in constants.iter().enumerate() {
        let (length, text) = (text.len(), escaped(text));
        let _ = writeln!(
            out,
            r#"<type name="C{index}" primitiveType="char" length="{length}" presence="constant" semanticType="{text}">{text}</type>"#
        );
    }
    let _ = writeln!(out, r#"</types><sbe:message name="Texts" id="1" description="has(x">"#);
    for (index, text) in constants.iter().enumerate() {
        let _ =
            writeln!(out, r#"<field name="f{index}" id="{index}" type="C{index}" description="{}"/>"#, escaped(text));
    }
    out + "<field name=\"side\" id=\"90\" type=\"Side\"/></sbe:message></sbe:messageSchema>\n"
}

pub fn capnp() -> String {
    let quoted = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
        format!("\"{text}\"")
    };
    let mut out =
        String::from("@0xd4f12b9e6a7c3585;\nusing Json = import \"/capnp/compat/json.capnp\";\nenum Side {\n");
    for (index, text) in TEXTS.iter().enumerate() {
        let _ = writeln!(out, "  v{index} @{index} $Json.name({});\n  # {}", quoted(text), in_comment(text));
    }
    for (name, plain) in [("Texts", true), ("Arms", false)] {
        let _ = writeln!(out, "}}\nstruct {name} {{{}", if plain { "" } else { " union {" });
        for (index, text) in TEXTS.iter().enumerate() {
            let (text, doc) = (quoted(text), in_comment(text));
            let ty = match index % 3 {
                _ if plain => format!("Text = {text}"),
                0 => "Void".to_owned(),
                1 => "List(Text)".to_owned(),
                _ => "Side".to_owned(),
            };
            let _ = writeln!(out, "  f{index} @{index} :{ty} $Json.name({text});\n  # {doc}");
        }
        out.push_str(if plain { "" } else { "}" });
    }
    out + "}\n"
}
