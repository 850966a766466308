//! With the option `strict_text` a single field is read as strictly as the message: where its text is not UTF-8, or one that
//! must be read on the way to it, that is the fault that decoding finds, and all other fields are read.

mod common;

use aldis_emit::STRICT_TEXT;
use common::{answers, build_with, plans, root};

#[test]
fn fields_with_bad_text_are_refused_and_others_read() {
    for schema in ["fbe/text.fbe", "sbe/text.xml", "capnp/text.capnp"] {
        let path = root().join("conformance/vectors/text").join(schema);
        let folder = path.parent().expect("a folder of vectors");
        let path = path.to_string_lossy();
        let testee = build_with(&path, &plans(&path), vec![(STRICT_TEXT.to_owned(), String::new())]);
        for file in std::fs::read_dir(folder).expect("the vectors can be listed") {
            let file = file.expect("it can be listed");
            let name = file.file_name().to_string_lossy().into_owned();
            // The name of the main form's function.
            if name.ends_with(".bin") && !name.ends_with(".final.bin") {
                std::fs::copy(file.path(), testee.join(&name)).expect("a vector can be copied");
            }
        }
        answers(&testee, "strict_text_check", 20);
    }
}
