//! Golden messages on disk.
//!
//! `NAME.bin` is a message of the schema's main form, `NAME.std.bin` and `NAME.final.bin` one of FBE's two forms, with
//! the golden `NAME.json` beside them, compared by value. A table in `INDEX.md` may tell each vector's message and
//! schema; otherwise the bytes tell the message. Where there is a `NAME.values.json`, the golden `NAME.json` was written
//! by a printer with a JSON of its own and is left alone.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// One golden message.
#[derive(Debug)]
pub struct Vector {
    /// The file's name.
    pub file: String,
    /// As the file's name spells it; the schema's main form when `None`.
    pub form: Option<&'static str>,
    /// As the index says; found from the bytes when `None`.
    pub message: Option<String>,
    /// Written with this very schema. Those of other schemas must be read alike by all, and that is all.
    pub own: bool,
    pub bytes: Vec<u8>,
    pub json: Option<Value>,
}

/// All vectors of `folder`, by file name; `schema` is the schema's file name.
///
/// # Errors
/// When a file cannot be read or a golden JSON is none.
pub fn find(folder: &Path, schema: &str) -> io::Result<Vec<Vector>> {
    let index = fs::read_to_string(folder.join("INDEX.md")).map(|text| read_index(&text)).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".bin") && !name.ends_with(".stream.bin") {
            names.push(name);
        }
    }
    names.sort();
    names.into_iter().map(|file| read(folder, file, schema, &index)).collect()
}

fn read(folder: &Path, file: String, schema: &str, index: &BTreeMap<String, Row>) -> io::Result<Vector> {
    let stem = file.trim_end_matches(".bin");
    let (name, form) = match (stem.strip_suffix(".std"), stem.strip_suffix(".final")) {
        (Some(name), _) => (name, Some("fbe")),
        (_, Some(name)) => (name, Some("fbe-final")),
        _ => (stem, None),
    };
    let row = index.get(name);
    let own = row.is_none_or(|row| row.schema.is_empty() || row.schema == schema);
    let golden = folder.join(format!("{name}.json"));
    let foreign_json = folder.join(format!("{name}.values.json")).exists();
    let json = if own && !foreign_json && golden.exists() {
        let text = fs::read(&golden)?;
        Some(
            serde_json::from_slice(&text)
                .map_err(|error| io::Error::other(format!("{}: {error}", golden.display())))?,
        )
    } else {
        None
    };
    let bytes = fs::read(folder.join(&file))?;
    Ok(Vector { form, message: row.map(|row| row.message.clone()), own, bytes, json, file })
}

/// What the index says of a vector; empty where it has no such column.
struct Row {
    message: String,
    schema: String,
}

/// Reads the Markdown tables that have a column `name` or `vector` and a column `struct` or `message`.
fn read_index(text: &str) -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::new();
    let mut columns: Option<(usize, usize, Option<usize>)> = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some((name, message, schema)) = columns else {
            let find = |titles: [&str; 2]| cells.iter().position(|cell| titles.contains(cell));
            if let (Some(name), Some(message)) = (find(["name", "vector"]), find(["struct", "message"])) {
                columns = Some((name, message, find(["schema", "schema"])));
            }
            continue;
        };
        let cell = |index: usize| cells.get(index).copied().unwrap_or_default().to_owned();
        rows.insert(cell(name), Row { message: cell(message), schema: schema.map(cell).unwrap_or_default() });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::read_index;

    #[test]
    fn the_index_tells_message_and_schema() {
        let rows = read_index(
            "text\n\n| vector | schema | message | n |\n|---|---|---|---|\n| a.b | s.xml | M | 1 |\n\n| x |\n| y |\n",
        );
        assert_eq!((rows["a.b"].message.as_str(), rows["a.b"].schema.as_str()), ("M", "s.xml"));
        assert!(!rows.contains_key("y"));
    }
}
