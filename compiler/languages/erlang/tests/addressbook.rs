//! The address book of 2 and of 50 people, written and read by the reference's own command.

mod common;

use common::{answers, build, plans, root};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const SCHEMA: &str = "conformance/schemas/addressbook.capnp";

/// The output of `capnp convert` for `input`.
fn convert(kinds: &str, input: &[u8]) -> Vec<u8> {
    let mut command = Command::new("capnp");
    // It would warn of another working directory than the shell had.
    command.env_remove("PWD").args(["convert", kinds]).arg(root().join(SCHEMA)).arg("AddressBook");
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("capnp starts: is it installed (make setup)?");
    let mut stdin = child.stdin.take().expect("it reads");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("it reads to the end");
    assert!(output.status.success(), "capnp convert {kinds}");
    output.stdout
}

/// An address book in the reference's text form.
fn book(people: usize) -> String {
    let person = |index: usize| {
        let kinds = ["mobile", "home", "work"];
        let phones =
            (0..index % 4).map(|n| format!("(number = \"555-{index:04}-{n}\", type = {})", kinds[(index + n) % 3]));
        let employment = match index % 4 {
            0 => "unemployed = void".to_owned(),
            1 => format!("employer = \"Würfel & Söhne {index}\""),
            2 => "school = \"MIT\"".to_owned(),
            _ => "selfEmployed = void".to_owned(),
        };
        format!(
            "(id = {}, name = \"Person {index}\", email = \"p{index}@example.com\", phones = [{}], employment = ({employment}))",
            123 + index * 7919,
            phones.collect::<Vec<_>>().join(", ")
        )
    };
    format!("(people = [{}])", (0..people).map(person).collect::<Vec<_>>().join(", "))
}

#[test]
fn two_and_fifty_people_go_there_and_back_byte_for_byte() {
    let testee = build(SCHEMA, &plans(SCHEMA));
    let folder = Path::new(&testee);
    for people in [2, 50] {
        let binary = convert("text:binary", book(people).as_bytes());
        fs::write(folder.join(format!("{people}.bin")), &binary).expect("the message can be kept");
        fs::write(folder.join(format!("{people}.packed")), convert("binary:packed", &binary))
            .expect("so can its forms");
        fs::write(folder.join(format!("{people}.canonical")), convert("binary:canonical", &binary)).expect("both");
    }
    answers(&testee, "addressbook_check", 5);
    for people in [2, 50] {
        // The reference reads the same from the bytes that Erlang wrote.
        let ours = fs::read(folder.join(format!("{people}.ours"))).expect("it was written");
        let theirs = fs::read(folder.join(format!("{people}.bin"))).expect("it was kept");
        assert_eq!(convert("binary:text", &ours), convert("binary:text", &theirs));
    }
}
