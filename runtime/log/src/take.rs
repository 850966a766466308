//! A folder that nobody else writes to while it is changed: the same locks as the server's, in the same order.

use crate::error::Error;
use crate::owner::{self, Mark, Owner};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an owner's file is watched where no lock of the kernel tells whether the owner lives, and how often.
const LEASE: Duration = Duration::from_secs(10);
const LOOKS: u32 = 20;

/// The folder, until it is dropped.
pub struct Taken {
    folder: PathBuf,
    owner: Owner,
    _locks: locks::Locks,
}

impl Taken {
    /// Takes the folder, or says who has it.
    pub fn take(folder: &Path) -> Result<Self, Error> {
        let in_use = || Error::InUse {
            folder: folder.to_owned(),
            who: owner::read(folder).map_or_else(|| "another process".to_owned(), |owner| owner.who),
        };
        let locks = locks::take(folder).map_err(Error::file(folder))?.ok_or_else(in_use)?;
        let before = owner::read(folder).unwrap_or_default();
        // A lease alone stands for the last owner where it had no lock of the kernel.
        if before.id != [0; 16] && before.kind == 0 && !is_silent(folder, &before) {
            return Err(in_use());
        }
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| Error::File(folder.to_owned(), std::io::Error::other(error)))?;
        let who = format!("aldis log, system process {}", std::process::id());
        let owner = Owner { id, beat: before.beat + 1, kind: 1, places: [[0; 16]; 2], mark: before.mark, who };
        owner::write(folder, &owner)?;
        Ok(Self { folder: folder.to_owned(), owner, _locks: locks })
    }

    /// Notes the part of the newest file that is known to be on the disk from now on.
    pub fn mark(&mut self, mark: Mark) {
        self.owner.mark = mark;
    }

    /// Gives the folder back.
    pub fn release(mut self) -> Result<(), Error> {
        self.owner.id = [0; 16];
        self.owner.beat += 1;
        owner::write(&self.folder, &self.owner)
    }
}

fn is_silent(folder: &Path, before: &Owner) -> bool {
    (0..LOOKS).all(|_| {
        std::thread::sleep(LEASE / LOOKS);
        owner::read(folder).is_none_or(|now| now.id == before.id && now.beat == before.beat)
    })
}

#[cfg(unix)]
mod locks {
    use crate::owner;
    use nix::fcntl::{Flock, FlockArg};
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::path::Path;

    /// The kernel's lock of the file `owner`, and the socket that a server without it goes by.
    pub type Locks = (Flock<File>, Option<std::os::unix::net::UnixListener>);

    pub fn take(folder: &Path) -> io::Result<Option<Locks>> {
        let socket = match socket(folder) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Ok(None),
            other => other?,
        };
        let path = owner::path(folder);
        let is_new = !path.exists();
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if is_new {
            give_to_owner_of(folder, &file)?;
        }
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => Ok(Some((lock, socket))),
            Err((_, nix::errno::Errno::EWOULDBLOCK)) => Ok(None),
            Err((_, error)) => Err(error.into()),
        }
    }

    /// The server may run as somebody else than who looks after its log.
    fn give_to_owner_of(folder: &Path, file: &File) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let (whose, now) = (std::fs::metadata(folder)?, file.metadata()?);
        if (whose.uid(), whose.gid()) == (now.uid(), now.gid()) {
            return Ok(());
        }
        std::os::unix::fs::fchown(file, Some(whose.uid()), Some(whose.gid()))
    }

    #[cfg(target_os = "linux")]
    fn socket(folder: &Path) -> io::Result<Option<std::os::unix::net::UnixListener>> {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::fs::MetadataExt;
        use std::os::unix::net::{SocketAddr, UnixListener};
        let folder = std::fs::metadata(folder)?;
        let name = format!("aldis_log:{}:{}", folder.dev(), folder.ino());
        UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?).map(Some)
    }

    #[cfg(not(target_os = "linux"))]
    fn socket(_: &Path) -> io::Result<Option<std::os::unix::net::UnixListener>> {
        Ok(None)
    }
}

#[cfg(not(unix))]
mod locks {
    /// The file `owner` alone stands for the owner here.
    pub type Locks = ();

    pub fn take(_: &std::path::Path) -> std::io::Result<Option<Locks>> {
        Ok(Some(()))
    }
}
