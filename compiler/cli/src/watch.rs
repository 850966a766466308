//! Work that is done again after each change of the files that it read.

use crate::args::Seen;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::registry::FORMATS;
use aldis_project::FILE;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
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
        match work() {
            Ok(()) => {}
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => drop(output.fail(&failure)),
        }
        // A run that stops early has not seen all that it waits for.
        known.extend(seen.take());
        watched.follow(&known)?;
        if known.iter().any(|path| is_newer(path, begin)) {
            continue;
        }
        output.remark("waiting for changes; Ctrl-C ends");
        if !changed(&signals, &known)? {
            return Ok(());
        }
    }
}

fn is_newer(path: &Path, than: SystemTime) -> bool {
    path.is_file() && path.metadata().and_then(|file| file.modified()).is_ok_and(|time| time > than)
}

/// Waits for a change of a file that matters, and until it is over; `false` for an interrupt.
fn changed(signals: &Receiver<Signal>, known: &BTreeSet<PathBuf>) -> Outcome<bool> {
    let names: BTreeSet<OsString> = known.iter().filter_map(|path| path.file_name()).map(OsString::from).collect();
    let mut first: Option<Instant> = None;
    loop {
        let patience = first.map_or(Duration::MAX, |first| QUIET.min(LATEST.saturating_sub(first.elapsed())));
        match signals.recv_timeout(patience) {
            Ok(Signal::Changed(event)) if matters(&event, &names) => drop(first.get_or_insert_with(Instant::now)),
            Ok(Signal::Changed(_)) => {}
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

/// The folders whose changes are told.
struct Watched {
    watcher: RecommendedWatcher,
    folders: BTreeMap<PathBuf, RecursiveMode>,
}

impl Watched {
    fn new(sender: Sender<Signal>) -> Outcome<Self> {
        let tell = move |event: notify::Result<Event>| {
            // As above.
            drop(sender.send(event.map_or_else(Signal::Lost, Signal::Changed)));
        };
        let watcher = notify::recommended_watcher(tell).map_err(|error| lost(&error))?;
        Ok(Self { watcher, folders: BTreeMap::new() })
    }

    /// Watches the folders of these files too: editors put new files in the place of old ones. A folder is watched with all
    /// that is in it.
    fn follow(&mut self, known: &BTreeSet<PathBuf>) -> Outcome {
        for path in known {
            let is_folder = path.is_dir();
            let mode = if is_folder { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            let folder = path.ancestors().skip(usize::from(!is_folder)).find(|folder| folder.is_dir());
            let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let held = self.folders.get(folder);
            if held.is_some_and(|held| *held == mode || *held == RecursiveMode::Recursive) {
                continue;
            }
            if held.is_some() {
                self.watcher.unwatch(folder).map_err(|error| lost(&error))?;
            }
            self.watcher.watch(folder, mode).map_err(|error| lost(&error))?;
            self.folders.insert(folder.to_owned(), mode);
        }
        Ok(())
    }
}
