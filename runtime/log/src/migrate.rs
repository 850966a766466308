//! Files of the first version get the header of today's: records are the same in both.

use crate::error::Error;
use crate::file::Windowed;
use crate::finding::Read;
use crate::folder::Folder;
use crate::segment::{head, upgraded, VERSION};
use crate::take::Taken;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Writes all files of earlier versions anew, and gives their paths. A folder with damage is left as it is.
pub fn migrate(path: &Path) -> Result<Vec<PathBuf>, Error> {
    // Whoever has no log there gets no lock's file there either; the list of files is true while the folder is taken.
    Folder::open(path)?;
    let taken = Taken::take(path)?;
    let folder = Folder::open(path)?;
    let mut damaged = None;
    folder.read(0, &mut |read| match read {
        Read::Finding(finding) if finding.is_damage() => {
            damaged = Some(finding.file().to_owned());
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })?;
    if let Some(file) = damaged {
        taken.release()?;
        return Err(Error::Damaged(file));
    }
    let mut written = Vec::new();
    for &base in &folder.bases {
        let path = folder.file(base);
        if migrate_file(&path).map_err(Error::file(&path))? {
            written.push(path);
        }
    }
    taken.release()?;
    Ok(written)
}

/// The server may run as somebody else than who migrates its log.
fn keep_owner(target: &File, before: &fs::Metadata) -> io::Result<()> {
    target.set_permissions(before.permissions())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let now = target.metadata()?;
        if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
            std::os::unix::fs::fchown(target, Some(before.uid()), Some(before.gid()))?;
        }
    }
    Ok(())
}

/// Whether the file was of an earlier version. The new one takes its place when it is on the disk.
fn migrate_file(path: &Path) -> io::Result<bool> {
    let mut file = Windowed::new(File::open(path)?)?;
    let head = match head(&mut file)? {
        Ok(head) if head.version < VERSION => head,
        _ => return Ok(false),
    };
    let header = upgraded(&mut file, &head)?;
    let new = path.with_extension("new");
    let mut target = File::create(&new)?;
    keep_owner(&target, &fs::metadata(path)?)?;
    target.write_all(&header)?;
    let mut source = File::open(path)?;
    source.seek(SeekFrom::Start(head.start))?;
    io::copy(&mut source.take(file.size() - head.start), &mut target)?;
    target.sync_all()?;
    // The places of an index are those of the file before.
    match fs::remove_file(path.with_extension("index")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::rename(&new, path)?;
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(true)
}
