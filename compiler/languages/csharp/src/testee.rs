//! The testee: the generated codecs behind the testee protocol.

use crate::files::Files;
use aldis_classes::tree::{call, make, name, run, string, Class, Expr, Line, Member};
use aldis_emit::names::capital;
use aldis_emit::OutputFile;
use std::fmt::Write as _;

/// The testee's program and its `build` and `run` scripts.
pub(crate) fn files(files: &Files<'_>) -> Vec<OutputFile> {
    let runtime = files.request.runtime.clone().unwrap_or_default();
    let script = |path: &str, text: String| OutputFile { path: path.to_owned(), text, executable: true };
    let class = Class { doc: String::new(), head: "internal static class Testee".to_owned(), members: program(files) };
    vec![files.file("Testee", &[class]), script("build", build(&runtime)), script("run", run_script(&runtime))]
}

/// The lines of both scripts that find the tools.
fn tools(runtime: &str) -> String {
    format!(
        "set -eu
cd \"$(dirname \"$0\")\"
runtime=\"${{ALDIS_RUNTIME:-{runtime}}}\"
dotnet=\"${{ALDIS_DOTNET:-$runtime/../scripts/dotnet.sh}}\"
framework=\"${{ALDIS_FRAMEWORK:-9}}\"
"
    )
}

fn build(runtime: &str) -> String {
    format!(
        "#!/bin/sh
# Compiles the generated code, and the runtime where that was not done before.
{}if [ ! -f \"$runtime/csharp/Aldis.csproj\" ]; then
    echo \"no Aldis runtime for C# in '$runtime/csharp': set ALDIS_RUNTIME to the folder that holds it\" >&2
    exit 1
fi
strict=''
[ -z \"${{ALDIS_STRICT:-}}\" ] || strict='-warnaserror'
library=$(\"$dotnet\" library \"$framework\" \"$runtime/csharp\")
cp \"$library\" Aldis.dll
\"$dotnet\" compile \"$framework\" testee.dll -langversion:9 $strict -r:Aldis.dll ./*.cs
",
        tools(runtime)
    )
}

fn run_script(runtime: &str) -> String {
    format!(
        "#!/bin/sh
# Answers requests of the testee protocol until standard input ends.
{}export DOTNET_GCHeapHardLimit=0x10000000
exec \"$dotnet\" run \"$framework\" testee.dll
",
        tools(runtime)
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
    let made = make("TesteeProgram", vec![string(list)]);
    let mut body = vec![Line::Declare("TesteeProgram".to_owned(), "testee".to_owned(), Some(made))];
    for (index, message) in schema.messages.iter().enumerate() {
        let shape = name(format!("{}.Definition", files.names.of(message.record)));
        body.push(Line::Do(call(own(), "message", vec![string(full(index)), shape])));
    }
    for (plan, _) in files.plans {
        let suffix = capital(&plan.form.suffix);
        let header = plan.header.as_ref();
        for (index, message) in schema.messages.iter().enumerate() {
            let class = files.names.of(message.record);
            let decode = Expr::Lambda("bytes", Box::new(run(format!("{class}.Decode{suffix}"), vec![name("bytes")])));
            let value = aldis_classes::tree::cast(class, name("value"));
            let plain = call(value.clone(), format!("Encode{suffix}"), Vec::new());
            let encode = match header.filter(|header| header.record != message.record) {
                Some(header) => {
                    let head = aldis_classes::tree::cast(files.names.of(header.record), name("header"));
                    let with = call(value, format!("Encode{suffix}"), vec![head]);
                    let none = aldis_classes::tree::binary(name("header"), "==", name("null"));
                    Expr::Choose(Box::new(none), Box::new(plain), Box::new(with))
                }
                None => plain,
            };
            let encode = Expr::Lambda("(value, header)", Box::new(encode));
            body.push(Line::Do(call(
                own(),
                "codec",
                vec![string(plan.form.name.as_str()), string(full(index)), decode, encode],
            )));
        }
        let form = || string(plan.form.name.as_str());
        if plan.dispatch.is_some() && !plan.messages.is_empty() {
            let identify = run(format!("{}.Identify{suffix}", files.names.schema), vec![name("bytes")]);
            body.push(Line::Do(call(own(), "identify", vec![form(), Expr::Lambda("bytes", Box::new(identify))])));
        }
        if let Some(header) = header {
            let full = schema.type_def(header.record).name.full();
            body.push(Line::Do(call(own(), "header", vec![form(), string(full)])));
        }
    }
    body.push(Line::Do(call(own(), "answer", Vec::new())));
    vec![Member::Method { doc: String::new(), head: "private static void Main()".to_owned(), body }]
}
