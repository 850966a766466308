//! C#'s compiler takes what is generated for each schema of `conformance`, whatever it says.

mod common;

use aldis_csharp::CSHARP;
use aldis_testkit::{conformance, fresh, has_dotnet, with_imports};
use common::compiles;
use std::fs;

#[test]
fn every_schema_of_conformance_compiles() {
    if !has_dotnet() {
        return;
    }
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "csharp_conformance");
    let (mut files, mut schemas) = (Vec::new(), 0);
    for (index, schema) in conformance().iter().enumerate() {
        let made = with_imports(&CSHARP, schema, ("namespace", &format!("S{index}.Own")));
        schemas += usize::from(!made.is_empty());
        for (path, text) in made {
            let path = folder.join(path);
            assert!(!path.exists(), "{schema}: {} is written twice", path.display());
            fs::write(&path, text).expect("it can be written");
            files.push(path);
        }
    }
    assert!(schemas > 100, "{schemas} schemas");
    compiles("9", &folder, "library", &files);
}
