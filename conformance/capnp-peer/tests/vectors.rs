//! The peer on golden messages: it must be the reference that wrote them, in what they have in common.

use aldis_capnp_peer::{compile, convert, Form};
use std::fs;
use std::path::{Path, PathBuf};

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/capnp")
}

/// The rows of the vectors' index that are messages of `folder`: name, schema, root type.
fn rows(folder: &str) -> Vec<[String; 3]> {
    let index = fs::read_to_string(vectors().join("INDEX.md")).unwrap();
    let cells = index.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let rows = cells.filter(|cells| cells.get(1).is_some_and(|name| name.starts_with(folder)));
    rows.map(|cells| [1, 2, 3].map(|cell| cells[cell].to_owned())).collect()
}

#[test]
fn golden_messages_convert_to_their_other_forms() {
    let rows = rows("msg/");
    assert_eq!(rows.len(), 18);
    for [name, schema, root] in rows {
        let schema = vectors().join("schema").join(schema);
        let golden = |extension: &str| fs::read(vectors().join(format!("{name}.{extension}"))).unwrap();
        let to = |form| convert(&schema, &root, Form::Binary, form, &golden("bin")).unwrap();
        assert_eq!(to(Form::Packed), golden("packed"), "{name}");
        assert_eq!(to(Form::Canonical), golden("canon"), "{name}");
        // Texts lose the sign of zero.
        if name != "msg/floats" {
            let text = to(Form::Text);
            assert_eq!(convert(&schema, &root, Form::Text, Form::Binary, &text).unwrap(), golden("bin"), "{name}");
        }
        let squeezed = |text: &[u8]| String::from_utf8_lossy(text).split_whitespace().collect::<String>();
        assert_eq!(squeezed(&to(Form::Json)), squeezed(&golden("json")), "{name}");
    }
}

#[test]
fn problems_are_told() {
    let schema = vectors().join("schema/edge.capnp");
    let oob = fs::read(vectors().join("malicious/struct-oob.bin")).unwrap();
    let problem = convert(&schema, "Rec", Form::Binary, Form::Text, &oob).unwrap_err();
    assert!(problem.contains("out-of-bounds"), "{problem}");
    let problem = compile(&vectors(), &["schema/none.capnp"]).unwrap_err();
    assert!(problem.contains("none.capnp"), "{problem}");
}
