//! Times of tables are times for those that read them: of their unit, in UTC, and the numbers that `decode` says.

use super::captures::{pcap, udp};
use super::convert::python_with;
use super::{aldis, good, root, Folder};
use std::process::Command;

const CLOCK: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="clock" id="6" version="0" byteOrder="littleEndian">
<types>
<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/><type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite>
<type name="date" primitiveType="uint16" presence="optional" nullValue="65535" semanticType="LocalMktDate"/>
<type name="maybe" primitiveType="uint64" presence="optional"/>
</types>
<sbe:message name="Tick" id="1">
<field name="nanos" id="1" type="uint64" timeUnit="nanosecond"/>
<field name="micros" id="2" type="int64" epoch="unix" timeUnit="microsecond"/>
<field name="millis" id="3" type="int64" timeUnit="millisecond"/>
<field name="seconds" id="4" type="int64" timeUnit="second"/>
<field name="maybe" id="5" type="maybe" semanticType="UTCTimestamp"/>
<field name="date" id="6" type="date" semanticType="LocalMktDate"/>
<group name="legs" id="7" dimensionType="groupSizeEncoding"><field name="micros" id="8" type="uint64" timeUnit="microsecond"/><field name="seconds" id="9" type="uint64" timeUnit="second"/></group>
</sbe:message>
</sbe:messageSchema>
"#;

const TICKS: &str = r#"{"nanos":1795444200123456789,"micros":1795444200123456,"millis":1795444200123,"seconds":1795444200,"maybe":1795444200999999999,"date":20780,"legs":[{"micros":0,"seconds":0},{"micros":1795444200123457,"seconds":1795444201}]}
{"nanos":0,"micros":-1,"millis":-1,"seconds":-1,"maybe":null,"date":null,"legs":[]}
{"nanos":4102444799999999999,"micros":253402300799999999,"millis":253402300799999,"seconds":253402300799,"maybe":1,"date":0,"legs":[{"micros":1,"seconds":4102444799}]}
"#;

fn ticks(schema: &str, lines: &str) -> Vec<u8> {
    good(&["encode", schema, "--message", "Tick", "--framing", "u32le"], lines.as_bytes())
}

#[test]
fn pyarrow_and_duckdb_read_times_as_times() {
    let Some(python) = python_with("pyarrow, duckdb") else { return };
    let folder = Folder::new("convert-times");
    let schema = folder.write("clock.xml", CLOCK);
    let messages: Vec<Vec<u8>> = TICKS.lines().map(|line| ticks(&schema, line)).collect();
    let packets: Vec<Vec<u8>> = messages.iter().map(|message| udp(5000, message)).collect();
    let capture = folder.write("ticks.pcap", pcap(&packets));
    let input = ["--input", "pcap", "--framing", "u32le"];
    let lines = good(&[&["decode", &schema, &capture, "--with-packets"][..], &input].concat(), b"");
    folder.write("ticks.jsonl", lines);
    for to in ["parquet", "arrow"] {
        let out = ["--to", to, "--out", &folder.path("tables")];
        good(&[&["convert", &capture, "--schema", &schema][..], &input, &out].concat(), b"");
    }
    let script = root().join("compiler/cli/tests/command/read_times.py");
    let run = Command::new(python).arg(script).arg(&folder.0).env("TZ", "America/New_York").output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.trim() == "3 rows agree", "{said}{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn seconds_beyond_milliseconds_are_told_where_parquet_is_to_have_them() {
    let folder = Folder::new("convert-seconds");
    let schema = folder.write("clock.xml", CLOCK);
    let line = TICKS.lines().next().unwrap().replace("\"seconds\":1795444200,", "\"seconds\":9223372036854775807,");
    let feed = folder.write("feed.bin", ticks(&schema, &line));
    let convert = |more: &[&str]| {
        let how = ["convert", &feed, "--schema", &schema, "--framing", "u32le", "--out", &folder.path("out")];
        aldis(&[&how[..], more].concat())
    };
    let refused = convert(&[]);
    assert!(refused.code == 1 && refused.err.contains("say --times integers"), "{} {}", refused.code, refused.err);
    assert_eq!(convert(&["--times", "integers"]).code, 0);
    assert_eq!(convert(&["--to", "arrow"]).code, 0);
}
