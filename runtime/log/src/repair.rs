//! Damaged bytes give way to records that say what is lost, so that the log starts and readers go on behind them.

use crate::error::Error;
use crate::file::Windowed;
use crate::finding::{Finding, Read};
use crate::folder::Folder;
use crate::owner::Mark;
use crate::record::{lost, HEADER};
use crate::take::Taken;
use crate::walk::{walk, Walk};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// One record fills so much at most.
const FILL: u64 = 16 << 20;

/// Mends all files of a folder, and tells each finding and whether it is mended. The damaged bytes are kept in a file of the
/// name with `.damaged` behind it.
pub fn repair(path: &Path, tell: &mut dyn FnMut(Finding, bool)) -> Result<(), Error> {
    // Whoever has no log there gets no lock's file there either; the list of files is true while the folder is taken.
    Folder::open(path)?;
    let mut taken = Taken::take(path)?;
    let found = Folder::open(path)?;
    for (at, &base) in found.bases.iter().enumerate() {
        let later = found.bases.get(at + 1).copied();
        if let Some(mark) = repair_file(&found, base, later, tell)? {
            taken.mark(mark);
        }
    }
    taken.release()
}

/// The mark of the newest file, where that was mended.
fn repair_file(
    folder: &Folder,
    base: u64,
    later: Option<u64>,
    tell: &mut dyn FnMut(Finding, bool),
) -> Result<Option<Mark>, Error> {
    let path = folder.file(base);
    let mut file = File::open(&path).and_then(Windowed::new).map_err(Error::file(&path))?;
    let (whole, finding) = folder.begin(&path, base, later, &mut file)?;
    if let Some(finding) = finding {
        tell(finding, false);
    }
    let Some(mut whole) = whole else {
        return Ok(None);
    };
    let mut found = Vec::new();
    let walked = walk(&mut file, &mut whole, &mut |piece| {
        if let Read::Finding(finding) = piece.read(&path) {
            found.push(finding);
        }
        ControlFlow::Continue(())
    });
    walked.map(|_| ()).map_err(Error::file(&path))?;
    let mut end = whole.position;
    let mut is_mended = false;
    for finding in found {
        match &finding {
            Finding::Damaged { from, to, first, count, .. } => {
                let fits = to - from >= HEADER || *to == file.size();
                if fits {
                    let filled = fill(&path, &whole, (*from, *to), (*first, *count)).map_err(Error::file(&path))?;
                    end = end.max(filled);
                    is_mended = true;
                }
                tell(finding, fits);
            }
            Finding::Unfinished { from, .. } => {
                end = *from;
                tell(finding, false);
            }
            _ => {}
        }
    }
    match (is_mended, later) {
        (false, _) => Ok(None),
        (true, None) => {
            let offset = whole.next.saturating_sub(1).max(whole.last);
            Ok(Some(Mark { salt: u64::from(whole.salt), position: end, offset }))
        }
        (true, Some(_)) => {
            // Its places may lie within what is filled now; without one the file is read from its begin.
            let _ = fs::remove_file(path.with_extension("index"));
            Ok(None)
        }
    }
}

/// Keeps the damaged bytes elsewhere, writes over them, and says where the last new record ends.
fn fill(path: &Path, file: &Walk, (from, to): (u64, u64), (first, count): (u64, u64)) -> io::Result<u64> {
    let mut target = OpenOptions::new().read(true).write(true).open(path)?;
    let mut aside = OpenOptions::new().create(true).append(true).open(damaged(path))?;
    target.seek(SeekFrom::Start(from))?;
    io::copy(&mut (&target).take(to - from), &mut aside)?;
    aside.sync_all()?;
    target.seek(SeekFrom::Start(from))?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = u64::try_from(now.as_millis()).unwrap_or_default();
    let (mut at, mut left, mut count) = (from, (to - from).max(HEADER), count);
    let mut first = first;
    while left > 0 {
        let part = if left > FILL { FILL.min(left - HEADER) } else { left };
        target.write_all(&lost(first, count, at, part, time, file.salt))?;
        first = first.saturating_add(count);
        (at, left, count) = (at + part, left - part, 0);
    }
    target.sync_data()?;
    Ok(at)
}

fn damaged(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".damaged");
    name.into()
}
