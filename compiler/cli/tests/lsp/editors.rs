//! The extension of Visual Studio Code: it packs, with all that it names.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_extension_packs_with_every_file_that_it_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let folder = root.join("editors/vscode");
    let packed = Command::new("npm").args(["pack", "--dry-run", "--json"]).current_dir(&folder).output().unwrap();
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let packed: Value = serde_json::from_slice(&packed.stdout).unwrap();
    let files = packed[0]["files"].as_array().unwrap();
    let files: BTreeSet<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    let manifest: Value = serde_json::from_str(&fs::read_to_string(folder.join("package.json")).unwrap()).unwrap();
    let parts = &manifest["contributes"];
    let grammars = parts["grammars"].as_array().unwrap().iter().map(|grammar| &grammar["path"]);
    let named =
        grammars.chain(parts["languages"].as_array().unwrap().iter().map(|language| &language["configuration"]));
    for path in named.chain([&manifest["main"]]) {
        let path = path.as_str().unwrap().trim_start_matches("./");
        assert!(files.contains(path), "{path} is not packed: {files:?}");
        if path.ends_with(".json") {
            let text = fs::read_to_string(folder.join(path)).unwrap();
            let _: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
    }
    for (grammar, scope) in [("fbe", "source.fbe"), ("capnp", "source.capnp")] {
        let text = fs::read_to_string(folder.join(format!("syntaxes/{grammar}.tmLanguage.json"))).unwrap();
        let grammar: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(grammar["scopeName"], scope);
        assert!(parts["grammars"].as_array().unwrap().iter().any(|entry| entry["scopeName"] == scope));
    }
}
