//! An interrupted comparison leaves nothing behind.
//!
//! Testees and what builds them run in process groups of their own, so that the terminal's interrupt reaches this command
//! alone, which then ends them and takes their folder away.

use crate::output;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, io, thread};

/// The things to take away. A thread that makes files or processes holds the lock, so that none appear after the last look.
struct Left {
    folder: Option<PathBuf>,
    running: Option<u32>,
}

static LEFT: Mutex<Left> = Mutex::new(Left { folder: None, running: None });

fn left() -> MutexGuard<'static, Left> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on an interrupt ends what runs, and takes `folder` away unless it is `kept`.
///
/// # Errors
/// When the system does not let interrupts be caught.
pub fn take_away(folder: &Path, kept: bool) -> io::Result<()> {
    left().folder = (!kept).then(|| folder.to_owned());
    ctrlc::set_handler(ended).map_err(io::Error::other)
}

/// On an interrupt, or when asked to terminate: ends what runs, removes the folder, and exits.
fn ended() {
    let left = left();
    if let Some(group) = left.running {
        end_group(group);
    }
    // A process that was just ended may still be writing for a moment.
    let removed = |folder: &PathBuf| fs::remove_dir_all(folder).is_ok() || !folder.exists();
    for _ in 0..50 {
        if left.folder.as_ref().is_none_or(removed) {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    output::interrupted()
}

/// Makes files without an interrupt in between.
pub fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _held = left();
    work()
}

/// Starts a command as the head of a group, which an interrupt ends.
///
/// # Errors
/// When it cannot be started.
pub fn start(command: &mut Command) -> io::Result<Child> {
    let mut left = left();
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = command.spawn()?;
    left.running = Some(child.id());
    Ok(child)
}

/// Ends what [`start`] began, with all that it started in turn.
pub fn end(child: &mut Child) {
    let mut left = left();
    // Once it has been waited for its number may be another's.
    if left.running.take_if(|group| *group == child.id()).is_some() {
        end_group(child.id());
    }
    // Both fail when it has ended already, which is all that is wanted.
    let _ = child.kill();
    let _ = child.wait();
}

/// It has been waited for: there is nothing to end.
pub fn forget(child: u32) {
    left().running.take_if(|group| *group == child);
}

#[cfg(unix)]
fn end_group(group: u32) {
    use nix::sys::signal::{killpg, Signal};
    if let Ok(group) = i32::try_from(group) {
        // A group that has ended is all that is wanted.
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}
