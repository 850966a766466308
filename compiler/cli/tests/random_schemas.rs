//! Random schemas through every language: generated, built and compared with the interpreter by `aldis conform`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Compares all languages on a few random schemas, or on as many as `ALDIS_RANDOM_SCHEMAS` says, from the seed
/// `ALDIS_RANDOM_SEED` on: `few` where it says nothing. With `ALDIS_RANDOM_EXACT` places of faults are compared too. `write` writes the schema of a seed into a folder and gives the file's name.
fn conform(format: &str, few: u64, write: impl Fn(u64, &Path) -> String) {
    let number = |name: &str, default: u64| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let first = number("ALDIS_RANDOM_SEED", 1);
    let languages = env::var("ALDIS_RANDOM_LANG").unwrap_or_else(|_| "all".to_owned());
    for seed in first..first + number("ALDIS_RANDOM_SCHEMAS", few) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{format}-{seed}"));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(write(seed, &folder));
        let output = Command::new(env!("CARGO_BIN_EXE_aldis"))
            .args(["conform", "--lang", &languages, "--count", "15", "--seed", &seed.to_string()])
            // Without sanitizers, which take longer than all else here: code of the same kinds runs under them in other tests.
            .env("CXXFLAGS", env::var_os("CXXFLAGS").unwrap_or_else(|| "-O0".into()))
            .args(env::var_os("ALDIS_RANDOM_EXACT").map(|_| "--exact"))
            .arg(&path)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}\n{}{}",
            path.display(),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// Writes a schema of one file.
fn one_file(folder: &Path, name: &str, text: String) -> String {
    fs::write(folder.join(name), text).unwrap();
    name.to_owned()
}

#[test]
fn fbe_schemas_are_the_same_in_all_languages() {
    let schema = |seed| aldis_schemagen::sample(aldis_schemagen::fbe::schema(), seed);
    conform("fbe", 2, |seed, folder| one_file(folder, "random.fbe", schema(seed)));
}

#[test]
fn sbe_schemas_are_the_same_in_all_languages() {
    let schema = |seed| aldis_schemagen::sample(aldis_schemagen::sbe::schema(), seed);
    conform("sbe", 2, |seed, folder| one_file(folder, "random.xml", schema(seed)));
}

#[test]
fn capnp_schemas_are_the_same_in_all_languages() {
    conform("capnp", 1, |seed, folder| {
        let sample = aldis_schemagen::sample(aldis_schemagen::capnp::sample(), seed);
        let files = sample.files.into_iter().enumerate();
        let names = files.map(|(number, text)| one_file(folder, &format!("f{number}.capnp"), text));
        names.collect::<Vec<_>>().pop().unwrap_or_default()
    });
}
