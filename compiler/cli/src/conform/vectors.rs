//! Golden messages on disk.
//!
//! `NAME.bin` is a message of the schema's main form, `NAME.std.bin` and `NAME.final.bin` one of FBE's two forms,
//! `NAME.packed` and `NAME.canon` one of Cap'n Proto's others, with the golden `NAME.json` beside them, compared by value;
//! they may lie in folders within the folder. `NAME.code` in place of it is the code of the fault that there is instead: of the
//! bytes, or, where it is `bad-text`, of their JSON alone. A table in `INDEX.md` may tell each vector's message and
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
    /// Encoding what was decoded gives these bytes again.
    pub exact: bool,
    pub bytes: Vec<u8>,
    pub json: Option<Value>,
    /// The code of the fault in place of JSON.
    pub code: Option<String>,
}

/// All vectors of `folder`, by file name; `schema` is the schema's file name.
///
/// # Errors
/// When a file cannot be read or a golden JSON is none.
pub fn find(folder: &Path, schema: &str) -> io::Result<Vec<Vector>> {
    let index = fs::read_to_string(folder.join("INDEX.md")).map(|text| read_index(&text)).unwrap_or_default();
    let mut found = Vec::new();
    for file in files(folder, "")? {
        let (name, form) = name_and_form(&file);
        let row = index.get(name);
        // Written as one message and read as another: each must be read alike by all.
        let messages: Vec<Option<String>> = match row {
            Some(row) => row.message.split(" -> ").map(|message| Some(message.to_owned())).collect(),
            None => vec![None],
        };
        for message in messages {
            found.push(read(folder, &file, (name, form), message, (schema, row))?);
        }
    }
    Ok(found)
}

/// The messages in a folder and the folders in it, by name.
fn files(folder: &Path, before: &str) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            names.extend(files(&entry.path(), &format!("{name}/"))?);
        } else if [".bin", ".packed", ".canon"].iter().any(|ending| name.ends_with(ending))
            && !name.ends_with(".stream.bin")
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn name_and_form(file: &str) -> (&str, Option<&'static str>) {
    let endings = [
        (".std.bin", Some("fbe")),
        (".final.bin", Some("fbe-final")),
        (".packed", Some("capnp-packed")),
        (".canon", Some("capnp-canonical")),
        (".bin", None),
    ];
    let found = endings.iter().find_map(|(ending, form)| Some((file.strip_suffix(ending)?, *form)));
    found.unwrap_or((file, None))
}

fn read(
    folder: &Path,
    file: &str,
    (name, form): (&str, Option<&'static str>),
    message: Option<String>,
    (schema, row): (&str, Option<&Row>),
) -> io::Result<Vector> {
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
    let code = folder.join(format!("{name}.code"));
    let code = if own && code.exists() { Some(fs::read_to_string(&code)?.trim().to_owned()) } else { None };
    let bytes = fs::read(folder.join(file))?;
    // Beside bytes that no writer wrote stands what the reference made of them.
    let hostile = folder.join(format!("{name}.expect")).exists();
    let exact = !hostile && row.is_none_or(Row::is_exact);
    Ok(Vector { form, message, own, exact, bytes, json, code, file: file.to_owned() })
}

/// A column of the index for a vector; empty where it has no such column.
struct Row {
    message: String,
    schema: String,
    segments: String,
    note: String,
}

impl Row {
    /// By a writer, as one segment, and read as what it was written as. Messages of several segments are written as one.
    fn is_exact(&self) -> bool {
        let one = ["", "1"].contains(&self.segments.as_str());
        one && !self.message.contains(" -> ") && !self.note.starts_with("hand-made")
    }
}

/// Reads the Markdown tables that have a column `name` or `vector` and a column `struct`, `message` or `root type`.
fn read_index(text: &str) -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::new();
    let mut columns: Option<(usize, usize, [Option<usize>; 3])> = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some((name, message, [schema, segments, note])) = columns else {
            let find = |titles: &[&str]| cells.iter().position(|cell| titles.contains(cell));
            if let (Some(name), Some(message)) = (find(&["name", "vector"]), find(&["struct", "message", "root type"]))
            {
                columns = Some((name, message, [find(&["schema"]), find(&["segs"]), find(&["note"])]));
            }
            continue;
        };
        let cell = |index: usize| cells.get(index).copied().unwrap_or_default().to_owned();
        let optional = |column: Option<usize>| column.map(cell).unwrap_or_default();
        let row = Row {
            message: cell(message),
            schema: optional(schema),
            segments: optional(segments),
            note: optional(note),
        };
        rows.insert(cell(name), row);
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
