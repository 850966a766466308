//! The command as users meet it: arguments, standard streams, exit codes.

mod breaking;
mod captures;
mod codes;
mod contract;
mod convert;
mod convert_versions;
mod explain;
mod fmt;
mod generate;
mod lint;
mod log;
mod pages;
mod parts;
mod phoenix_page;
mod plugin;
mod project;
mod schema;
mod schemas;
mod stats;
mod stream;
mod times;
mod transport;
mod watch;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

const SBE: &str = "conformance/schemas/market.xml";
const FBE: &str = "conformance/schemas/market.fbe";
const CAPNP: &str = "conformance/schemas/addressbook.capnp";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aldis"));
    command.args(arguments).current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The outcome of a run.
struct Run {
    code: i32,
    out: Vec<u8>,
    err: String,
}

impl Run {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
}

/// Runs the command with `input` on its standard input.
fn aldis_with(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = command(arguments).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that fails early does not read its input: that is no failure of the test.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run { code: status.code().unwrap(), out: stdout, err: String::from_utf8(stderr).unwrap() }
}

fn aldis(arguments: &[&str]) -> Run {
    aldis_with(arguments, b"")
}

/// Runs the command, which must do well.
fn good(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let run = aldis_with(arguments, input);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    run.out
}

/// A folder of its own for a test, taken away at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        // Two tests of this process may follow one page.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("aldis-test-{name}-{process}-{count}"));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), content).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind harms nothing.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The command's output on a terminal of that `TERM`, both streams together.
fn on_terminal(term: &str, arguments: &[&str]) -> String {
    let line = format!("'{}' {}", env!("CARGO_BIN_EXE_aldis"), arguments.join(" "));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("TERM", term).env_remove("NO_COLOR");
    let output = script.current_dir(root()).stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn terminals_get_colours_where_they_know_them() {
    let folder = Folder::new("terminal");
    let path = folder.write("broken.fbe", "package p\nstruct S\n{\n    Nope b;\n}\n");
    for (term, coloured) in [("xterm", true), ("dumb", false)] {
        let said = on_terminal(term, &["check", &path]);
        assert!(said.contains("fbe/E0027") && said.contains("1 error, 0 warnings"), "{said:?}");
        assert_eq!(said.contains('\x1b'), coloured, "{term}: {said:?}");
    }
}

#[test]
fn terminals_are_told_how_many_warnings_there_are() {
    let schema = "conformance/vectors/sbe/dims.xml";
    let said = on_terminal("dumb", &["random", schema]);
    assert_eq!(said.matches("warning").count(), 1, "{said}");
    assert!(said.contains(&format!("2 warnings: see aldis check {schema}")), "{said}");
}

#[test]
fn help_teaches_every_subcommand() {
    for name in [
        "init",
        "check",
        "breaking",
        "lock",
        "plan",
        "layout",
        "gen",
        "decode",
        "encode",
        "explain",
        "explain-code",
        "completions",
        "man",
        "random",
        "conform",
        "testee",
    ] {
        let help = good(&[name, "--help"], b"");
        let help = String::from_utf8(help).unwrap();
        assert!(help.contains("Example") && help.contains(&format!("aldis {name}")), "{name}: {help}");
    }
    assert!(String::from_utf8(good(&["--help"], b"")).unwrap().contains("Exit codes"));
}

#[test]
fn exit_codes_tell_usage_from_input() {
    for (arguments, code) in [
        (&["frobnicate"][..], 2),
        (&["check"], 2),
        (&["check", "no-such-file.fbe"], 1),
        (&["check", "README.md"], 2),
        (&["check", "conformance/schemas", "--format", "fbe"], 2),
        (&["check", SBE, "--format", "carrier-pigeon"], 2),
        (&["layout", SBE, "--form", "fbe"], 2),
        (&["layout", SBE, "--type", "market.Nothing"], 2),
        (&["decode", SBE, "--message", "Nothing"], 2),
        (&["decode", SBE, "--framing", "fbe"], 2),
        (&["random", SBE, "--count", "2", "--to", "bytes"], 2),
        (&["gen", SBE, "--lang", "cobol", "--out", "/nonexistent"], 2),
        (&["conform", SBE, "--lang", "cobol"], 2),
        (&["decode", SBE, "no-such-file.bin"], 1),
        (&["breaking", SBE, "--against", SBE, "--must", "X"], 2),
        (&["breaking", SBE, "--against", FBE], 1),
        (&["breaking", SBE, "--against", "no-such-file.xml"], 1),
        (&["breaking", SBE, "--against", "git:no-such-commit"], 1),
        (&["lock", SBE, "--check"], 1),
        (&["check", SBE], 0),
    ] {
        let run = aldis(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}", run.err);
        assert_eq!(run.err.is_empty(), code == 0, "{arguments:?}: {}", run.err);
    }
}

#[test]
fn usage_errors_say_what_there_is() {
    assert!(aldis(&["decode", SBE, "--message", "Nothing"]).err.contains("market.Trade, market.Quote"));
    assert!(aldis(&["layout", FBE, "--form", "sbe"]).err.contains("fbe, fbe-final"));
    assert!(aldis(&["gen", SBE, "--lang", "cobol", "--out", "x"]).err.contains("interpreter"));
    assert!(aldis(&["check", "Cargo.toml"]).err.contains("--format (fbe, sbe, capnp)"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["random", SBE, "--count", "200000"]).spawn().unwrap();
    drop(child.stdout.take());
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn the_support_matrix_is_up_to_date() {
    let path = root().join("docs/SUPPORT.md");
    let matrix = good(&["matrix"], b"");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &matrix).unwrap();
    }
    let page = fs::read(&path).unwrap();
    assert!(page == matrix, "docs/SUPPORT.md is not what `aldis matrix` prints; UPDATE_GOLDEN=1 writes it");
}
