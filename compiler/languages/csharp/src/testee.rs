//! The testee: the generated codecs behind the testee protocol.

use crate::files::Files;
use aldis_classes::messages::testee;
use aldis_classes::tree::{Class, Member};
use aldis_emit::OutputFile;
use aldis_plan::Plan;

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
    let plans: Vec<&Plan> = files.plans.iter().map(|(plan, _)| *plan).collect();
    let body = testee(&files.kinds(), &plans, "TesteeProgram");
    vec![Member::Method { doc: String::new(), head: "private static void Main()".to_owned(), body }]
}
