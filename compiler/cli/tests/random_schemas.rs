//! Random schemas through every language: generated, built and compared with the interpreter by `aldis conform`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Compares all languages on a few random schemas, or on as many as `ALDIS_RANDOM_SCHEMAS` says, from the seed
/// `ALDIS_RANDOM_SEED` on.
fn conform(extension: &str, schema: impl Fn(u64) -> String) {
    let number = |name: &str, default: u64| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let first = number("ALDIS_RANDOM_SEED", 1);
    for seed in first..first + number("ALDIS_RANDOM_SCHEMAS", 4) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{seed}.{extension}"));
        fs::write(&path, schema(seed)).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_aldis"))
            .args(["conform", "--lang", "all", "--count", "15", "--seed", &seed.to_string()])
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
    }
}

#[test]
fn fbe_schemas_are_the_same_in_all_languages() {
    conform("fbe", |seed| aldis_schemagen::sample(aldis_schemagen::fbe::schema(), seed));
}

#[test]
fn sbe_schemas_are_the_same_in_all_languages() {
    conform("xml", |seed| aldis_schemagen::sample(aldis_schemagen::sbe::schema(), seed));
}
