//! Keys that are maps are sorted entry by entry, as the interpreter does it.

mod common;

use common::{agree, build, plans_in, Text};
use std::fmt::Write as _;

const SCHEMA: &str = "package keyed
struct Key { [key] double<int32> weights; [key] int32 number; }
struct Keys(1) { Key! keys; }
";

#[test]
fn maps_in_keys_are_compared_entry_by_entry() {
    let plans = plans_in("keyed.fbe", &Text(SCHEMA));
    let testee = build("keyed.fbe", &plans);
    let sets = [
        r#"[{"weights":{"1":2.5},"number":1},{"weights":{"1":-1.5},"number":1},{"weights":{"0":9},"number":1}]"#,
        r#"[{"weights":{"1":1,"2":1},"number":1},{"weights":{"2":1},"number":1},{"weights":{},"number":9}]"#,
        r#"[{"weights":{"1":0.0},"number":2},{"weights":{"1":-0.0},"number":1}]"#,
        r#"[{"weights":{"1":1},"number":1},{"weights":{"1":1},"number":1}]"#,
    ];
    let mut asked = String::new();
    for (number, set) in sets.iter().enumerate() {
        let hex: String = format!("{{\"keys\":{set}}}").bytes().map(|byte| format!("{byte:02x}")).collect();
        for form in ["fbe", "fbe-final", "json"] {
            let _ = writeln!(asked, "{number}\tconvert\tkeyed.Keys\tjson\t{form}\t{hex}");
        }
    }
    agree("keyed.fbe", &plans, &testee, &asked);
}
