//! The memory of generated decoders that read large and hostile messages: at most 64 bytes for each byte of the input
//! (160 where it is eight booleans), and 16 MiB. Each input is read in VMs of its own, whose peak is compared with the peak before it read.
//!
//! A heap that grows leaves memory, which the VM keeps for whoever wants as much next, and gives back after a time that a busy
//! machine lengthens. That memory is not what a message holds: the first VM keeps none, and its peaks are the same in every run. The
//! second one is as users start it, and may have half as much again.

mod common;

use common::{build, plans};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The shapes that are refused, and with what.
const REFUSED: [(&str, &str); 19] = [
    ("group-empty", "too_large"),
    ("flags-twice", "too_large"),
    ("flags-aliased", "too_large"),
    ("flags-small-aliased", "too_large"),
    ("texts-aliased", "too_large"),
    ("lines-aliased", "too_large"),
    ("blocks-aliased", "too_large"),
    ("points-aliased", "too_large"),
    ("tree-deep", "too_deep"),
    ("tree-aliased", "too_large"),
    ("pointers-null-aliased", "too_large"),
    ("pointers-aliased", "too_large"),
    ("pointers-records-aliased", "too_large"),
    ("json-wide", "too_large"),
    ("json-wide-last", "too_large"),
    ("json-wide-keys", "too_large"),
    ("json-nested", "bad_json"),
    ("json-brackets", "bad_json"),
    ("json-empty", "bad_json"),
];

/// The codecs of the schemas and `memory_check`, compiled into one folder.
fn compiled() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let schema = |name: &str| format!("compiler/languages/erlang/tests/schemas/{name}");
    let ebin = build(&schema("heavy.fbe"), &plans(&schema("heavy.fbe"))).join("ebin");
    for (file, codec) in [("heavy.xml", "heavygroups"), ("heavypointers.capnp", "heavypointers")] {
        let other = build(&schema(file), &plans(&schema(file))).join("ebin");
        for beam in fs::read_dir(other).expect("the codec was compiled").map(|entry| entry.expect("it can be listed")) {
            if beam.file_name().to_string_lossy().starts_with(codec) {
                fs::copy(beam.path(), ebin.join(beam.file_name())).expect("a module can be copied");
            }
        }
    }
    let check = own.join("erlang/memory_check.erl");
    let compiled = Command::new("erlc").args(["-Wall", "-Werror", "-o"]).arg(&ebin).arg(check).status();
    assert!(compiled.expect("erlc starts").success());
    ebin
}

/// The arguments of a VM, and how many halves of the bound its memory may take.
const MACHINES: [(&[&str], u64); 2] = [(&["+MMmcs", "0"], 2), (&[], 3)];

/// The output of `memory_check` in a VM with these arguments.
fn run(machine: &[&str], ebin: &Path, function: &str, argument: &Path) -> String {
    let output = Command::new("erl")
        .args(machine)
        .args(["-noinput", "-boot", "no_dot_erlang", "-pa"])
        .arg(ebin)
        .args(["-run", "memory_check", function])
        .arg(argument)
        .output()
        .expect("erl starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}: {said}{}", argument.display(), String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn large_and_hostile_messages_stay_within_memory() {
    if !Path::new("/proc/self/status").is_file() {
        // Peaks are known on Linux only.
        return;
    }
    let ebin = compiled();
    let inputs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heavy-inputs");
    let _ = fs::remove_dir_all(&inputs);
    fs::create_dir_all(&inputs).expect("a folder for the inputs");
    let shapes = run(&[], &ebin, "make", &inputs);
    let mut beyond = Vec::new();
    for shape in shapes.lines() {
        let expected = REFUSED.iter().find(|(name, _)| *name == shape).map_or("ok", |(_, code)| code);
        for (machine, halves) in MACHINES {
            let said = run(machine, &ebin, "measure", &inputs.join(shape));
            let words: Vec<&str> = said.split_whitespace().collect();
            let number = |at: usize| words[at].parse::<u64>().expect("memory_check prints numbers");
            assert_eq!(words[0], expected, "{shape}");
            if 2 * number(1) > halves * number(2) {
                beyond.push(format!(
                    "{shape} {machine:?}: {} bytes more in place of {halves} halves of {}",
                    words[1], words[2]
                ));
            }
        }
    }
    assert!(shapes.lines().count() > 30, "{shapes}");
    assert_eq!(beyond, Vec::<String>::new());
}
