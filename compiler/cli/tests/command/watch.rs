//! `--watch`: real processes, files that change, an interrupt.

use super::{aldis, Folder};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::time::{Duration, Instant};

/// Nothing here takes so long on a machine that works.
const DEADLINE: Duration = Duration::from_secs(60);

const GOOD: &str = "package p\nstruct S(1) { int32 a; }\n";
const BAD: &str = "package p\nstruct S(1) { Nope a; }\n";

/// A command that watches, and the lines that it writes on either stream.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        // Both streams are one, so that lines come in their order.
        let line = format!("exec {} {} 2>&1", env!("CARGO_BIN_EXE_aldis"), arguments.join(" "));
        let mut shell = Command::new("sh");
        let mut child = shell.args(["-c", &line]).current_dir(&folder.0).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let out = child.stdout.take().unwrap();
        std::thread::spawn(move || BufReader::new(out).lines().for_each(|line| drop(sender.send(line.unwrap()))));
        Self { child, lines }
    }

    /// All lines up to the one that says that it waits.
    fn run(&self) -> String {
        let mut said = String::new();
        let end = Instant::now() + DEADLINE;
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if line.starts_with("waiting for changes") {
                return said;
            }
            said += &(line + "\n");
        }
        panic!("it does not wait: {said}");
    }

    /// Runs until what it says is as `wanted`: a change may be seen in several steps.
    fn runs_until(&self, wanted: impl Fn(&str) -> bool) {
        let end = Instant::now() + DEADLINE;
        let mut said = self.run();
        while !wanted(&said) {
            assert!(Instant::now() < end, "{said}");
            said = self.run();
        }
    }

    /// Ends it as Ctrl-C does; gives its exit code.
    fn interrupt(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let end = Instant::now() + DEADLINE;
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return status.code(),
                None if Instant::now() > end => panic!("it does not end"),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn gen_follows_schemas_imports_and_the_project_itself() {
    let folder = Folder::new("watch-gen");
    fs::create_dir_all(folder.path("common")).unwrap();
    folder.write("common/types.fbe", "package types\nstruct Price { int64 units; }\n");
    folder.write("one.fbe", "package one\nimport types\nstruct Order(1) { types.Price price; }\n");
    let file = "schemas = \"*.fbe\"\nimports = \"common\"\n[[outputs]]\nlanguage = \"erlang\"\nfolder = \"src\"\n";
    folder.write("aldis.toml", file);
    let watching = Watching::start(&folder, &["gen", "--watch"]);
    let holds = |path: &str, word: &str| fs::read_to_string(folder.path(path)).is_ok_and(|text| text.contains(word));
    watching.runs_until(|_| holds("src/one.erl", "price"));
    folder.write("common/types.fbe", "package types\nstruct Price { int64 pennies; }\n");
    watching.runs_until(|_| holds("src/one.hrl", "pennies"));
    folder.write("two.fbe", "package two\nstruct Two(2) { int32 a; }\n");
    watching.runs_until(|_| holds("src/two.erl", "two"));
    folder.write("aldis.toml", file.replace("\"src\"", "3"));
    watching.runs_until(|said| said.contains("project/E0004"));
    folder.write("aldis.toml", file.replace("src", "lib"));
    watching.runs_until(|_| holds("lib/two.erl", "two"));
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn check_says_what_is_wrong_after_each_change_and_nothing_between() {
    let folder = Folder::new("watch-check");
    let path = folder.write("s.fbe", GOOD);
    let watching = Watching::start(&folder, &["check", "--watch", &path]);
    assert_eq!(watching.run(), "");
    folder.write("s.fbe", BAD);
    watching.runs_until(|said| said.contains("fbe/E0027"));
    // As editors save: another file takes the place of the first.
    folder.write("s.new", GOOD);
    fs::rename(folder.path("s.new"), &path).unwrap();
    watching.runs_until(str::is_empty);
    folder.write("notes.txt", "no schema");
    assert!(watching.lines.recv_timeout(Duration::from_millis(300)).is_err(), "other files do not matter");
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn a_time_that_is_yet_to_come_is_no_change() {
    let folder = Folder::new("watch-future");
    let path = folder.write("s.fbe", BAD);
    let later = std::time::SystemTime::now() + Duration::from_secs(24 * 60 * 60);
    fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    let watching = Watching::start(&folder, &["check", "--watch", &path]);
    assert!(watching.run().contains("fbe/E0027"));
    assert!(watching.lines.recv_timeout(Duration::from_millis(300)).is_err(), "nothing changed");
    folder.write("s.fbe", GOOD);
    watching.runs_until(str::is_empty);
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn folders_that_are_made_anew_are_watched_again() {
    let folder = Folder::new("watch-anew");
    let write = |text: &str| {
        fs::create_dir_all(folder.path("a/b")).unwrap();
        folder.write("a/b/s.fbe", text);
    };
    write(GOOD);
    let watching = Watching::start(&folder, &["check", "--watch", "a/b/s.fbe"]);
    assert_eq!(watching.run(), "");
    for _ in 0..2 {
        fs::remove_dir_all(folder.path("a")).unwrap();
        watching.runs_until(|said| said.contains("a/b/s.fbe"));
        write(BAD);
        watching.runs_until(|said| said.contains("fbe/E0027"));
        // At once, as `git checkout` does.
        fs::remove_dir_all(folder.path("a/b")).unwrap();
        write(GOOD);
        watching.runs_until(str::is_empty);
        folder.write("a/b/s.fbe", BAD);
        watching.runs_until(|said| said.contains("fbe/E0027"));
        folder.write("a/b/s.fbe", GOOD);
        watching.runs_until(str::is_empty);
    }
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn breaking_follows_locks() {
    let folder = Folder::new("watch-lock");
    let path = folder.write("s.fbe", GOOD);
    folder.write("aldis.toml", "schemas = \"s.fbe\"\n[breaking]\nagainst = \"lock\"\n");
    let watching = Watching::start(&folder, &["breaking", "--watch"]);
    assert!(watching.run().contains("there is no lock"));
    assert_eq!(aldis(&["lock", &path]).code, 0);
    watching.runs_until(|said| said.contains("nothing changed since"));
    assert_eq!(watching.interrupt(), Some(0));
}
