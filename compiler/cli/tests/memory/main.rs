//! The memory of generated decoders and readers of JSON: at most 64 bytes for each byte of the input (160 where a byte is eight
//! booleans) and 16 MiB. Java, JavaScript and C# read each message in a heap of that size, Python tells its peak. Erlang and C++
//! have tests of their own.

mod shapes;

use aldis_testkit::{fresh, has_dotnet, root};
use shapes::{shapes, Shape, SCHEMAS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn bound(shape: &Shape) -> usize {
    let factor = if shape.name == "bits" { 160 } else { 64 };
    factor * shape.bytes.len() + (16 << 20)
}

/// The code of all schemas in a folder, and the program that reads.
fn made(lang: &str, program: &str) -> PathBuf {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), &format!("memory_{lang}"));
    for schema in SCHEMAS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aldis"));
        let path = root().join("compiler/languages/erlang/tests/schemas").join(schema);
        succeeds(command.arg("gen").arg(path).args(["--lang", lang, "--out"]).arg(&folder));
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory").join(program);
    fs::copy(source, folder.join(program)).expect("the program can be copied");
    folder
}

fn output(command: &mut Command) -> (Output, String) {
    let output = command.output().expect("it starts (make setup)");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output, said)
}

fn succeeds(command: &mut Command) {
    let (output, said) = output(command);
    assert!(output.status.success(), "{command:?}: {said}");
}

/// Every shape is read with its verdict, by a command that is made for a bound in bytes. Its further arguments are the package, the
/// message, the call, the file and the bound.
fn stays_within(folder: &Path, command: impl Fn(usize) -> Command) {
    let mut beyond = Vec::new();
    for shape in shapes() {
        let (file, bound) = (folder.join("input"), bound(shape));
        fs::write(&file, &shape.bytes).expect("the input can be written");
        let mut command = command(bound);
        let arguments = [shape.package, shape.message, shape.call];
        let (output, said) = output(command.args(arguments).arg(file).arg(bound.to_string()));
        if !output.status.success() || output.stdout != shape.verdict.as_bytes() {
            let (size, said) = (shape.bytes.len(), said.lines().take(5).collect::<Vec<_>>().join("\n"));
            beyond.push(format!("{} ({}), {size} bytes, {}: {said}", shape.name, shape.call, shape.verdict));
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}

#[test]
fn shapes_are_taken_and_refused() {
    let shapes = shapes();
    let with = |verdict: &str| shapes.iter().filter(|shape| shape.verdict == verdict).count();
    assert!(with("ok") >= 18 && with("too-large") >= 5 && with("too-deep") >= 1, "{}", with("too-large"));
}

#[test]
fn python() {
    let folder = made("python", "read.py");
    let paths = format!("{}:{}", folder.display(), root().join("runtime/python").display());
    stays_within(&folder, |_| {
        let mut command = Command::new("python3");
        command.args(["-B", "-W", "error"]).arg(folder.join("read.py")).env("PYTHONPATH", &paths);
        command
    });
}

#[test]
fn javascript() {
    let folder = made("javascript", "read.mjs");
    let packages = folder.join("node_modules/@aldis");
    fs::create_dir_all(&packages).expect("folders can be made");
    std::os::unix::fs::symlink(
        root().join("runtime/javascript/codec").canonicalize().expect("it is there"),
        packages.join("codec"),
    )
    .expect("the package can be linked");
    fs::write(folder.join("package.json"), r#"{"type": "module"}"#).expect("it can be written");
    stays_within(&folder, |bound| {
        let mut command = Command::new("node");
        command
            .args([&format!("--max-old-space-size={}", bound >> 20), "--max-semi-space-size=1"])
            .arg(folder.join("read.mjs"));
        command
    });
}

#[test]
fn java() {
    let folder = made("java", "Read.java");
    let classes = folder.join("classes");
    let sources =
        "find \"$0\" \"$1\" -name '*.java' | xargs javac --release 17 -encoding UTF-8 -nowarn -proc:none -d \"$2\"";
    let runtime = root().join("runtime/java/src/main/java/aldis");
    succeeds(Command::new("sh").args(["-c", sources]).arg(&folder).arg(runtime).arg(&classes));
    stays_within(&folder, |bound| {
        let mut command = Command::new("java");
        command.args([&format!("-Xmx{}k", bound >> 10), "-XX:+UseSerialGC", "-cp"]).arg(&classes).arg("Read");
        command
    });
}

#[test]
fn csharp() {
    if !has_dotnet() {
        return;
    }
    let folder = made("csharp", "Read.cs");
    let script = r#"set -e
        library=$("$0" library 9 "$1"); cp "$library" "$2/Aldis.dll"
        "$0" compile 9 "$2/read.dll" -langversion:9 -nullable -r:"$2/Aldis.dll" "$2"/*.cs"#;
    let (dotnet, runtime) = (root().join("scripts/dotnet.sh"), root().join("runtime/csharp"));
    succeeds(Command::new("bash").args(["-c", script]).arg(&dotnet).arg(runtime).arg(&folder));
    stays_within(&folder, |bound| {
        let mut command = Command::new(&dotnet);
        command.args(["run", "9"]).arg(folder.join("read.dll")).env("DOTNET_GCHeapHardLimit", format!("{bound:x}"));
        command
    });
}
