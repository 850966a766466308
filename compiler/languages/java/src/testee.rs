//! The testee: the generated codecs behind the testee protocol.

use crate::files::Files;
use aldis_classes::tree::{call, make, name, run, string, Class, Expr, Line, Member};
use aldis_emit::names::capital;
use aldis_emit::OutputFile;
use aldis_plan::{Container, Plan};
use aldis_schema::TypeId;
use std::fmt::Write as _;

/// The testee's program and its `build` and `run` scripts.
pub(crate) fn files(files: &Files<'_>) -> Vec<OutputFile> {
    let runtime = files.request.runtime.clone().unwrap_or_default();
    let package = &files.names.package;
    let script = |path: &str, text: String| OutputFile { path: path.to_owned(), text, executable: true };
    let class = Class { doc: String::new(), head: "final class Testee".to_owned(), members: program(files) };
    vec![
        files.file("Testee", &class),
        script("build", build(&runtime, &package.replace('.', "/"))),
        script("run", run_script(package)),
    ]
}

fn build(runtime: &str, folder: &str) -> String {
    format!(
        "#!/bin/sh
# Compiles the generated code and the runtime.
set -eu
cd \"$(dirname \"$0\")\"
runtime=\"${{ALDIS_RUNTIME:-{runtime}}}\"
sources=\"$runtime/java/src/main/java\"
if [ ! -d \"$sources/aldis\" ]; then
    echo \"no Aldis runtime for Java in '$runtime/java': set ALDIS_RUNTIME to the folder that holds it\" >&2
    exit 1
fi
strict=''
[ -z \"${{ALDIS_STRICT:-}}\" ] || strict='-Werror'
rm -rf classes
javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 --release 17 -encoding UTF-8 -proc:none -Xlint:all $strict -d classes \\
    \"$sources\"/aldis/*.java \"$sources\"/aldis/codec/*.java {folder}/*.java
"
    )
}

fn run_script(package: &str) -> String {
    format!(
        "#!/bin/sh
# Answers requests of the testee protocol until standard input ends.
set -eu
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Xss512k -Xmx256m -cp \"$(dirname \"$0\")/classes\" {package}.Testee
"
    )
}

fn program(files: &Files<'_>) -> Vec<Member> {
    let schema = files.schema;
    let full = |index: usize| schema.type_def(schema.messages[index].record).name.full();
    let mut list = String::new();
    for (index, message) in schema.messages.iter().enumerate().filter(|(_, message)| message.listed) {
        let id = message.id.map_or("-".to_owned(), |id| id.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(list, "{} {id}", full(index));
    }
    let own = || name("testee");
    let made = make("aldis.codec.TesteeProgram", vec![string(list)]);
    let mut body = vec![Line::Declare("aldis.codec.TesteeProgram".to_owned(), "testee".to_owned(), Some(made))];
    for (index, message) in schema.messages.iter().enumerate() {
        let shape = name(format!("{}.SHAPE", files.names.of(message.record)));
        body.push(Line::Do(call(own(), "message", vec![string(full(index)), shape])));
    }
    for (plan, _) in files.plans {
        let suffix = capital(&plan.form.suffix);
        let header = plan.header.as_ref();
        for (index, message) in schema.messages.iter().enumerate() {
            let names = [string(plan.form.name.as_str()), string(full(index))].into_iter();
            let args = names.chain(functions(files, plan, message.record)).collect();
            body.push(Line::Do(call(own(), "codec", args)));
        }
        let form = || string(plan.form.name.as_str());
        if plan.dispatch.is_some() && !plan.messages.is_empty() {
            let identify = run(format!("{}.identify{suffix}", files.names.schema), vec![name("bytes")]);
            body.push(Line::Do(call(own(), "identify", vec![form(), Expr::Lambda("bytes", Box::new(identify))])));
        }
        if let Some(header) = header {
            let full = schema.type_def(header.record).name.full();
            body.push(Line::Do(call(own(), "header", vec![form(), string(full)])));
        }
    }
    body.push(Line::Do(call(own(), "answer", Vec::new())));
    let head = "public static void main(String[] args) throws java.io.IOException".to_owned();
    let hidden = Member::Method { doc: String::new(), head: "private Testee()".to_owned(), body: Vec::new() };
    vec![Member::Method { doc: String::new(), head, body }, hidden]
}

/// What decodes a message of a form, encodes it and checks it.
fn functions(files: &Files<'_>, plan: &Plan, record: TypeId) -> [Expr; 3] {
    let suffix = capital(&plan.form.suffix);
    let header = plan.header.as_ref();
    let class = files.names.of(record);
    let length = aldis_classes::tree::member(name("bytes"), "length");
    let given = vec![name("bytes"), aldis_classes::tree::int(0), length, name("Limits.DEFAULT")];
    let input = match plan.container {
        Container::Segments(form) if form.packed => run("In.unpacked", given),
        _ => make("In", given),
    };
    let check = run(format!("{class}.verify{suffix}"), vec![input.clone()]);
    let verify = Expr::Lambda("bytes", Box::new(check));
    let into = aldis_classes::tree::cast(class, name("into"));
    let read = run(format!("{class}.decode{suffix}"), vec![input, into]);
    let decode = Expr::Lambda("(bytes, into)", Box::new(read));
    let value = aldis_classes::tree::cast(class, name("value"));
    let plain = call(value.clone(), format!("encode{suffix}"), Vec::new());
    let encode = match header.filter(|header| header.record != record) {
        Some(header) => {
            let head = aldis_classes::tree::cast(files.names.of(header.record), name("header"));
            let with = call(value, format!("encode{suffix}"), vec![head]);
            let none = aldis_classes::tree::binary(name("header"), "==", name("null"));
            Expr::Choose(Box::new(none), Box::new(plain), Box::new(with))
        }
        None => plain,
    };
    let encode = Expr::Lambda("(value, header)", Box::new(encode));
    [decode, encode, verify]
}
