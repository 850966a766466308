//! The testee: the generated codecs behind the testee protocol.

use crate::files::Files;
use aldis_classes::messages::testee;
use aldis_classes::tree::{Class, Member};
use aldis_emit::OutputFile;
use aldis_plan::Plan;

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
# Compiles the generated code and what it uses of the runtime.
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
    -sourcepath \"$sources:.\" {folder}/*.java
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
    let plans: Vec<&Plan> = files.plans.iter().map(|(plan, _)| *plan).collect();
    let body = testee(&files.kinds(plans[0].json), &plans, "aldis.codec.TesteeProgram");
    let head = "public static void main(String[] args) throws java.io.IOException".to_owned();
    let hidden = Member::Method { doc: String::new(), head: "private Testee()".to_owned(), body: Vec::new() };
    vec![Member::Method { doc: String::new(), head, body }, hidden]
}
