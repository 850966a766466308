//! JSON that a schema shapes: generated code reads and writes it as the interpreter does, however members are mixed.

mod common;

use aldis_interpreter::{to_hex, Codec};
use common::{agree, build, plans};
use std::fmt::Write as _;

const SCHEMA: &str = "compiler/languages/erlang/tests/schemas/annotations.capnp";

/// Members of which each object of a test gets some; names are those of the schema's `Root`.
const MEMBERS: [&str; 24] = [
    r#""xt":"one""#,
    r#""xt":"two""#,
    r#""xt":"missing""#,
    r#""xt":"five""#,
    r#""xt":4"#,
    r#""xp":7"#,
    r#""xp":"seven""#,
    r#""xp":300"#,
    r#""xs":[1,"2"]"#,
    r#""x3Q":true"#,
    r#""x3p":null"#,
    r#""xunknown":"AP8=""#,
    r#""xfour":null"#,
    r#""sh \"ape\"\ntype":"tree""#,
    r#""sh \"ape\"\ntype":"SQUARE""#,
    r#""sh \"ape\"\nvalue":{"p_p":1}"#,
    r#""sh \"ape\"\nvalue":1.5"#,
    r#""sh \"ape\"\ntp_p":2"#,
    r#""plain":{"v1p":3}"#,
    r#""plain":{"v1p":3,"v0r":"","nul":null}"#,
    r#""ABCDbk":"it's \"so\"","ABCy":"z""#,
    r#""ACCx":1,"ACCy":"both""#,
    r#""od":1,"ob":null,"obp":5"#,
    r#""picks":[{}],"é€\t":[{"pick":"shape",".type":"void"},{".value":4},{"none":null,"num":5}]"#,
];

/// Every pair of members, in both orders.
fn mixed(asked: &mut String) {
    for first in MEMBERS {
        for second in MEMBERS {
            request(asked, "Root", &format!("{{{first},{second}}}"));
        }
        request(asked, "Root", &format!("{{{first}}}"));
        request(asked, "A", &format!("{{\"root\":{{{first}}}}}"));
    }
}

/// Members about as deep as records may nest: known, flattened, and such as mean nothing.
fn deep(asked: &mut String) {
    for levels in 58..68 {
        for inner in [
            r#"{}"#,
            r#"{"p_p":1}"#,
            r#"{"p_p":"x"}"#,
            r#"{"children":[]}"#,
            r#"{"children":[{}]}"#,
            r#"{"z":[[]]}"#,
            r#"{"z":[[[]]]}"#,
            r#"[]"#,
            r#"null"#,
        ] {
            let (open, close) = (r#"{"left":"#.repeat(levels), "}".repeat(levels));
            request(asked, "Tree", &format!("{open}{inner}{close}"));
        }
        for inner in [r#"{"pick":"shape",".ta":1}"#, r#"{".type":"tree",".value":{}}"#, r#"{".tp_p":1}"#, r#"{"p":{}}"#]
        {
            let (open, close) = (r#"{"pick":"other","other":"#.repeat(levels), "}".repeat(levels));
            request(asked, "Pick", &format!("{open}{inner}{close}"));
        }
    }
}

fn request(asked: &mut String, record: &str, json: &str) {
    for to in ["capnp", "json"] {
        let _ = writeln!(asked, "j\tconvert\t{record}\tjson\t{to}\t{}", to_hex(json.as_bytes()));
    }
}

#[test]
fn shaped_json_is_what_the_interpreter_says() {
    let plans = plans(SCHEMA);
    let testee = build(SCHEMA, &plans);
    let mut asked = String::new();
    mixed(&mut asked);
    deep(&mut asked);
    // A union without a name is no member, whatever a member is called.
    for nameless in ["null", "{}"] {
        for record in ["C", "Shape", "Tree"] {
            request(&mut asked, record, &format!("{{\"\":{nameless}}}"));
        }
        request(&mut asked, "P", &format!("{{\"p\":1,\"\":{nameless}}}"));
        request(&mut asked, "Bare", &format!("{{\"\":{nameless},\"z\":2}}"));
    }
    let codec = Codec::new(plans[0].clone());
    for message in 0..plans[0].messages.len() {
        for seed in 0..20 {
            let value = codec.random(message, seed);
            let mut json = Vec::new();
            codec.value_to_json(message, &value, &mut json).expect("random values have JSON");
            request(&mut asked, &codec.message_name(message), &String::from_utf8(json).expect("JSON is UTF-8"));
            let bytes = codec.encode(message, &value).expect("random values can be encoded");
            let _ = writeln!(asked, "v\tconvert\t{}\tcapnp\tjson\t{}", codec.message_name(message), to_hex(&bytes));
        }
    }
    agree(SCHEMA, &plans, &testee, &asked);
}
