//! Random schemas through the reference's compiler: its requests must be read as what they say, and texts as the same.

mod support;

use aldis_capnp::model::{Model, NodeKind};
use aldis_capnp::request::read;
use aldis_capnp_peer::{compile, convert, Form};
use aldis_diagnostics::{render, Style};
use aldis_schemagen::capnp;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::{env, fs};
use support::{same, text, tree, Disk};

/// The schema that describes requests, as the reference installs it.
const REQUESTS: &str = "/usr/include/capnp/schema.capnp";

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Checks random schemas until they have so many structs, 2,000 or as many as `ALDIS_RANDOM_STRUCTS` says, fifty schemas for
/// each seed from `ALDIS_RANDOM_SEED` on. A schema that fails is shrunk and left in the folder that the failure names.
fn check_random(name: &str, check: impl Fn(&Path, &[String]) -> Result<Model, String>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let structs = Cell::new(0);
    let wanted = number("ALDIS_RANDOM_STRUCTS", 2000);
    for batch in number("ALDIS_RANDOM_SEED", 1).. {
        if structs.get() >= wanted {
            break;
        }
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&batch.to_le_bytes());
        let config = Config { cases: 50, max_shrink_iters: 1000, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let outcome = runner.run(&capnp::files(), |files| {
            write(&folder, &files);
            let model = check(&folder, &files).map_err(TestCaseError::fail)?;
            structs.set(structs.get() + model.nodes.values().filter(|node| is_struct(&node.kind)).count() as u64);
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("seed {batch}, {}: {}", folder.display(), failure.to_string().replace("\\n", "\n"));
        }
    }
}

fn is_struct(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Struct(shape) if !shape.is_group)
}

fn write(folder: &Path, files: &[String]) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    for (number, text) in files.iter().enumerate() {
        fs::write(folder.join(file_name(number)), text).unwrap();
    }
}

fn file_name(number: usize) -> String {
    format!("f{number}.capnp")
}

/// The model of the last file, which imports the others.
fn model(folder: &Path, files: &[String]) -> Result<(Vec<u8>, Model), String> {
    let request = compile(folder, &[&file_name(files.len() - 1)])?;
    let model = read(&request).map_err(|fault| fault.to_string())?;
    Ok((request, model))
}

#[test]
fn requests_of_random_schemas_are_read_as_what_they_say() {
    check_random("requests", |folder, files| {
        let (request, model) = model(folder, files)?;
        let text = convert(&PathBuf::from(REQUESTS), "CodeGeneratorRequest", Form::Binary, Form::Text, &request)?;
        let expected = tree::of_request(&text::parse(&String::from_utf8(text).unwrap()));
        let found = tree::of_model(&model);
        if found == expected {
            return Ok(model);
        }
        let differs = |(id, node): &(&u64, &text::Tree)| found.get(id) != Some(node);
        let first = expected.iter().find(differs);
        Err(format!("expected {first:?}\nfound {:?}", first.map(|(id, _)| found.get(id))))
    });
}

#[test]
fn texts_of_random_schemas_make_the_models_of_their_requests() {
    check_random("texts", |folder, files| {
        let (_, expected) = model(folder, files)?;
        let reading = aldis_capnp::text::read(&file_name(files.len() - 1), &Disk(folder.to_owned()));
        let say = |diagnostic| render(diagnostic, &reading.sources, Style::Plain);
        let Some(found) = &reading.model else {
            return Err(reading.diagnostics.iter().map(say).collect::<Vec<_>>().join("\n"));
        };
        same::difference(found, &expected).map_or(Ok(expected), Err)
    });
}
