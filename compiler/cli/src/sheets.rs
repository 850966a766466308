//! The tables of messages and the files that they are written to.

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::schemas::Schemas;
use crate::versions::{FileNames, Tables};
use aldis_columns::{File, FileKind, Groups, Options, Part, Place, Table};
use aldis_interpreter::Fault;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// A batch has no more rows, and no more bytes of messages, than this.
const ROWS: usize = 16 << 10;
const BYTES: usize = 4 << 20;

/// All tables together have no more bytes of messages than this.
const ALL_BYTES: usize = 16 << 20;

/// All files together keep no more bytes in memory than this; the largest are written until it is half.
const MEMORY: usize = 96 << 20;

/// The tables of messages. Files are begun when their first row comes.
pub struct Sheets<'m> {
    schemas: &'m Schemas,
    tables: &'m Tables,
    options: Options,
    groups: Groups,
    packets: bool,
    kind: FileKind,
    folder: PathBuf,
    /// In the files' names, where it is not empty.
    part: String,
    names: FileNames,
    /// By table.
    sheets: Vec<Option<Sheet>>,
    /// Bytes of messages in all tables.
    waiting: usize,
    remarks: Vec<String>,
}

struct Sheet {
    table: Table,
    waiting: usize,
    files: Vec<Target>,
}

/// A file of one of a table's parts.
struct Target {
    part: String,
    path: PathBuf,
    file: File<BufWriter<fs::File>>,
    rows: u64,
}

impl Target {
    /// The file with its columns, before any row.
    fn begin(kind: FileKind, path: PathBuf, part: &Part) -> Outcome<Self> {
        let out = fs::File::create(&path).map_err(|error| failed(&path, &error))?;
        let file = File::new(kind, BufWriter::new(out), &part.batch.schema()).map_err(|error| failed(&path, &error))?;
        Ok(Self { part: part.path.clone(), path, file, rows: 0 })
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::file(&path.display().to_string(), error)
}

/// The fate of a message.
pub enum Told {
    Row,
    Fault(Fault),
}

impl<'m> Sheets<'m> {
    /// Files of that kind in that folder, which name the part of the input that they are of. The shape of tables is their options, what groups are, and whether there are
    /// packets.
    pub fn new(
        (schemas, tables): (&'m Schemas, &'m Tables),
        (options, groups, packets): (Options, Groups, bool),
        (kind, folder, part): (FileKind, PathBuf, String),
    ) -> Outcome<Self> {
        fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder.display().to_string(), &error))?;
        let sheets = tables.owners.iter().map(|_| None).collect();
        Ok(Self {
            schemas,
            tables,
            options,
            groups,
            packets,
            kind,
            folder,
            part,
            names: tables.files.clone(),
            sheets,
            waiting: 0,
            remarks: Vec::new(),
        })
    }

    /// Makes a row of a message in a table.
    pub fn push(&mut self, table: usize, bytes: &[u8], place: &Place<'_>) -> Outcome<Told> {
        if self.sheets[table].is_none() {
            self.begin(table);
        }
        let Some(sheet) = &mut self.sheets[table] else { return Ok(Told::Row) };
        let codec = &self.schemas.list[self.tables.owners[table].schema].codec;
        if let Err(fault) = sheet.table.push(codec, bytes, place) {
            return Ok(Told::Fault(fault));
        }
        sheet.waiting += bytes.len();
        self.waiting += bytes.len();
        // Few bytes may make large columns: what these take counts too, as a quarter, since honest ones take no more than that.
        if sheet.table.rows() % 8 == 0 {
            let more = (sheet.table.size() / 4).saturating_sub(sheet.waiting);
            sheet.waiting += more;
            self.waiting += more;
        }
        if sheet.table.rows() >= ROWS || sheet.waiting >= BYTES {
            self.write(table)?;
            self.spare()?;
        } else if self.waiting >= ALL_BYTES {
            self.write_all()?;
            self.spare()?;
        }
        Ok(Told::Row)
    }

    fn begin(&mut self, index: usize) {
        let owner = &self.tables.owners[index];
        let codec = &self.schemas.list[owner.schema].codec;
        let table = Table::new(codec, owner.message, &self.options, (self.packets, self.groups));
        self.remarks.extend(table.remarks().iter().map(|remark| format!("{}.{remark}", owner.name)));
        if owner.is_apart {
            let (path, newest) =
                (&self.schemas.paths[owner.schema], &self.schemas.paths[self.schemas.newest(owner.schema).1]);
            self.remarks.push(format!(
                "{}: a table of its own, since {newest} does not have all values of {path}, or calls them otherwise; compare them with aldis breaking",
                owner.name
            ));
        }
        self.sheets[index] = Some(Sheet { table, waiting: 0, files: Vec::new() });
    }

    /// Writes the rows of a table to its files.
    fn write(&mut self, table: usize) -> Outcome {
        let Some(mut sheet) = self.sheets[table].take() else { return Ok(()) };
        let written = self.write_sheet(table, &mut sheet);
        self.sheets[table] = Some(sheet);
        written
    }

    fn write_sheet(&mut self, table: usize, sheet: &mut Sheet) -> Outcome {
        self.waiting -= std::mem::take(&mut sheet.waiting);
        let name = &self.tables.owners[table].name;
        let parts = sheet.table.take().map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        for part in parts {
            let index = match sheet.files.iter().position(|target| target.part == part.path) {
                Some(index) => index,
                None => {
                    let path = self.path(name, &part.path);
                    sheet.files.push(Target::begin(self.kind, path, &part)?);
                    sheet.files.len() - 1
                }
            };
            let target = &mut sheet.files[index];
            target.rows += part.batch.num_rows() as u64;
            target.file.write(&part.batch).map_err(|error| failed(&target.path, &error))?;
        }
        Ok(())
    }

    /// The file of a table's part, which no other table has.
    fn path(&mut self, table: &str, part: &str) -> PathBuf {
        let mut name = table.to_owned();
        if !part.is_empty() {
            let wanted = format!("{table}.{part}");
            name = self.names.take(std::slice::from_ref(&wanted));
            if name != wanted {
                self.remarks.push(format!("{wanted}: its file is called {name}, since another table has that name"));
            }
        }
        let words = [&name, &self.part, self.kind.extension()];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        self.folder.join(words.join("."))
    }

    fn write_all(&mut self) -> Outcome {
        (0..self.sheets.len()).try_for_each(|table| self.write(table))
    }

    fn files(&mut self) -> impl Iterator<Item = &mut Target> {
        self.sheets.iter_mut().flatten().flat_map(|sheet| &mut sheet.files)
    }

    /// Ends row groups early where they take too much memory together.
    fn spare(&mut self) -> Outcome {
        let mut total: usize = self.files().map(|target| target.file.memory()).sum();
        if total <= MEMORY {
            return Ok(());
        }
        while total > MEMORY / 2 {
            let Some(largest) = self.files().max_by_key(|target| target.file.memory()) else { break };
            let before = largest.file.memory();
            largest.file.flush().map_err(|error| failed(&largest.path, &error))?;
            match before - largest.file.memory().min(before) {
                0 => break,
                freed => total -= freed,
            }
        }
        Ok(())
    }

    /// Ends all files, and gives their paths and rows.
    pub fn finish(mut self, output: &Output) -> Outcome<Vec<(PathBuf, u64)>> {
        self.write_all()?;
        self.remarks.iter().for_each(|remark| output.remark(remark));
        let mut written = Vec::new();
        for target in self.sheets.into_iter().flatten().flat_map(|sheet| sheet.files) {
            target.file.finish().map_err(|error| failed(&target.path, &error))?;
            written.push((target.path, target.rows));
        }
        written.sort();
        Ok(written)
    }
}
