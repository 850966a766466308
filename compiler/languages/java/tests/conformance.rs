//! Java's compiler takes what is generated for each schema of `conformance`, whatever it says.

mod common;

use aldis_java::JAVA;
use aldis_testkit::{conformance, fresh, root, with_imports};
use common::{javac, sources};
use std::fs;

#[test]
fn every_schema_of_conformance_compiles() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "java_conformance");
    let mut files = sources(&root().join("runtime/java/src/main/java/aldis"));
    let mut schemas = 0;
    for (index, schema) in conformance().iter().enumerate() {
        let made = with_imports(&JAVA, schema, ("package", &format!("s{index}.own")));
        schemas += usize::from(!made.is_empty());
        for (path, text) in made {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
            assert!(!path.exists(), "{schema}: {} is written twice", path.display());
            fs::write(&path, text).expect("it can be written");
            files.push(path);
        }
    }
    assert!(schemas > 100, "{schemas} schemas");
    let classes = folder.join("classes");
    javac(&files, &classes, &classes);
}
