//! Parts of a large file by what spreads them: GNU parallel as the book shows it, and Spark by the example, where they are installed.

use super::convert::{convert, feed, python_with};
use super::pages::{follow_to, shell};
use super::{aldis, root, Folder};
use std::fs;
use std::process::Command;

/// The rows that lines as `tables/market.Trade.parquet  4 rows` tell of, by the names of tables, which end before `end`.
fn rows(text: &str, end: &str) -> Vec<(String, u64)> {
    let lines = text.lines().filter_map(|line| line.strip_suffix(" rows")?.split_once(char::is_whitespace));
    let name = |path: &str| path.rsplit('/').next().unwrap().split(end).next().unwrap().to_owned();
    let mut rows: Vec<(String, u64)> = lines.map(|(path, count)| (name(path), count.trim().parse().unwrap())).collect();
    rows.sort();
    rows
}

#[test]
fn gnu_parallel_converts_all_parts_as_the_book_shows() {
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|version| version.stdout.starts_with(b"GNU parallel")) {
        return;
    }
    let page = "docs/book/columns.md";
    let folder = follow_to(page, Some("parallel ")).0;
    let text = fs::read_to_string(root().join(page)).unwrap();
    let command = text.lines().find(|line| line.starts_with("parallel ")).unwrap();
    let (succeeded, said, errors) = shell(&folder.0.join("here"), command);
    assert!(succeeded, "{errors}");
    let rows = rows(&said, ".");
    assert_eq!(rows.iter().map(|(_, count)| count).sum::<u64>(), 4, "{said}");
}

#[test]
fn spark_reads_the_parts_that_its_workers_converted() {
    let Some(python) = python_with("pyspark") else { return };
    let folder = Folder::new("convert-spark");
    let feed = feed(&folder, "300");
    let whole = convert(&feed, &folder.path("whole"), &[]);
    assert_eq!(aldis(&["index", &feed, "--framing", "u32le", "--every", "500"]).code, 0);
    let run = Command::new(python)
        .arg(root().join("examples/captures/spark.py"))
        .args([&feed, "--schema", &root().join(super::SBE).to_string_lossy(), "--framing", "u32le"])
        .args(["--out", &folder.path("parts"), "--aldis", env!("CARGO_BIN_EXE_aldis"), "--parts", "3"])
        .args(["--times", "integers"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(rows(&said, "\t"), rows(whole.text(), ".parquet"));
}
