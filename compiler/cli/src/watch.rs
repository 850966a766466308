//! Work that is done again after each change of the files that it read.

use crate::args::Seen;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::registry::FORMATS;
use aldis_project::FILE;
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

/// The work begins when nothing has changed for so long: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(50);
/// The work begins after so long at the latest, though files go on changing.
const LATEST: Duration = Duration::from_secs(1);
/// Clocks of file systems stand still for so long.
const TICK: Duration = Duration::from_millis(20);

/// The things to wait for.
enum Signal {
    Changed(Event),
    Lost(notify::Error),
    Interrupt,
}

/// Does `work` now and after each change of a file that it has `seen`, until somebody interrupts it.
pub fn again(seen: &Seen, output: &Output, mut work: impl FnMut() -> Outcome) -> Outcome {
    let (sender, signals) = channel();
    let interrupt = sender.clone();
    // A receiver that is gone has ended already.
    ctrlc::set_handler(move || drop(interrupt.send(Signal::Interrupt)))
        .map_err(|error| Failure::Input(format!("interrupts cannot be caught: {error}")))?;
    let mut watched = Watched::new(sender)?;
    let mut known = BTreeSet::new();
    loop {
        let begin = SystemTime::now() - TICK;
        let before: BTreeMap<PathBuf, State> = known.iter().map(|path: &PathBuf| (path.clone(), state(path))).collect();
        match work() {
            Ok(()) => {}
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => drop(output.fail(&failure)),
        }
        // A run that stops early has not seen all that it waits for.
        known.extend(seen.take());
        watched.follow(&known)?;
        let differs = |path: &PathBuf| match before.get(path) {
            Some(before) => *before != state(path),
            None => is_newer(path, begin),
        };
        let first = known.iter().any(differs).then(Instant::now);
        if first.is_none() {
            output.remark("waiting for changes; Ctrl-C ends");
        }
        if !changed(&signals, &known, &mut watched, first)? {
            return Ok(());
        }
    }
}

/// A file's time of change and its length; nothing where there is no file.
type State = Option<(SystemTime, u64)>;

fn state(path: &Path) -> State {
    let file = path.metadata().ok().filter(Metadata::is_file)?;
    Some((file.modified().ok()?, file.len()))
}

/// Whether a file changed since then; a time that is yet to come says nothing.
fn is_newer(path: &Path, than: SystemTime) -> bool {
    state(path).is_some_and(|(time, _)| than < time && time <= SystemTime::now())
}

/// Waits for a change of a file that matters, and until it is over; `false` for an interrupt. `first` is the time of a
/// change that is known already.
fn changed(
    signals: &Receiver<Signal>,
    known: &BTreeSet<PathBuf>,
    watched: &mut Watched,
    mut first: Option<Instant>,
) -> Outcome<bool> {
    // A folder that is missing now may come again, with what was read from it.
    let parts = known.iter().flat_map(|path| path.components());
    let names: BTreeSet<OsString> = parts.map(|part| part.as_os_str().to_owned()).collect();
    loop {
        let patience = first.map_or(Duration::MAX, |first| QUIET.min(LATEST.saturating_sub(first.elapsed())));
        match signals.recv_timeout(patience) {
            Ok(Signal::Changed(event)) => {
                let is_folder = watched.forget(&event);
                if is_folder || matters(&event, &names) {
                    first.get_or_insert_with(Instant::now);
                }
            }
            Ok(Signal::Lost(error)) => return Err(lost(&error)),
            Ok(Signal::Interrupt) | Err(RecvTimeoutError::Disconnected) => return Ok(false),
            Err(RecvTimeoutError::Timeout) => return Ok(true),
        }
    }
}

/// Whether a file changed that was read, or that may be a further schema.
fn matters(event: &Event, names: &BTreeSet<OsString>) -> bool {
    let is_schema = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        FORMATS.iter().any(|format| format.extensions().contains(&extension))
    };
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| name == FILE || names.contains(name));
    let is_change = !matches!(event.kind, EventKind::Access(_));
    is_change && (event.need_rescan() || event.paths.iter().any(|path| named(path) || is_schema(path)))
}

fn lost(error: &notify::Error) -> Failure {
    Failure::Input(format!("changes of files cannot be watched: {error}"))
}

/// The folders whose changes are told, by their absolute paths.
struct Watched {
    watcher: RecommendedWatcher,
    folders: BTreeMap<PathBuf, RecursiveMode>,
}

impl Watched {
    fn new(sender: Sender<Signal>) -> Outcome<Self> {
        let tell = move |event: notify::Result<Event>| {
            // A receiver that is gone has ended already.
            drop(sender.send(event.map_or_else(Signal::Lost, Signal::Changed)));
        };
        let watcher = notify::recommended_watcher(tell).map_err(|error| lost(&error))?;
        Ok(Self { watcher, folders: BTreeMap::new() })
    }

    /// Watches the folders of these files too: editors put new files in the place of old ones. A folder is watched with all
    /// that is in it.
    fn follow(&mut self, known: &BTreeSet<PathBuf>) -> Outcome {
        let gone: Vec<PathBuf> = self.folders.keys().filter(|folder| !folder.is_dir()).cloned().collect();
        gone.iter().for_each(|folder| self.leave(folder));
        for path in known {
            // The nearest folder that there is may be made while another one is taken for it.
            while let Some((folder, mode)) = nearest(path) {
                let held = self.folders.get(&folder);
                if held.is_some_and(|held| *held == mode || *held == RecursiveMode::Recursive) {
                    break;
                }
                self.leave(&folder);
                match self.watcher.watch(&folder, mode) {
                    Ok(()) => drop(self.folders.insert(folder, mode)),
                    Err(error) if folder.is_dir() => return Err(lost(&error)),
                    Err(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Leaves the folders that the event removes or renames; says whether there are any. Another folder of the same name is not
    /// watched by that.
    fn forget(&mut self, event: &Event) -> bool {
        if !matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))) {
            return false;
        }
        let gone: Vec<&PathBuf> = event.paths.iter().filter(|path| self.folders.contains_key(*path)).collect();
        gone.iter().for_each(|folder| self.leave(folder));
        !gone.is_empty()
    }

    fn leave(&mut self, folder: &Path) {
        if self.folders.remove(folder).is_some() {
            // The watcher has left a folder itself that is gone.
            let _ = self.watcher.unwatch(folder);
        }
    }
}

/// The folder that tells of changes of a path, and whether all that is in it matters.
fn nearest(path: &Path) -> Option<(PathBuf, RecursiveMode)> {
    let path = std::path::absolute(path).ok()?;
    let is_folder = path.is_dir();
    let mode = if is_folder { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    let folder = path.ancestors().skip(usize::from(!is_folder)).find(|folder| folder.is_dir())?;
    Some((folder.to_owned(), mode))
}
