//! Few bytes of JSON do not ask for much memory: an object becomes all fields of its record, whichever it gives.

use aldis_diagnostics::Files;
use aldis_interpreter::{Code, Codec};
use aldis_plan::Format;
use cap::Cap;
use std::alloc::System;
use std::fmt::Write as _;
use std::io;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

struct One(String);

impl Files for One {
    fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

/// A record of two thousand fields, in a list.
fn of_fbe() -> Codec {
    let mut schema = "package wide\nstruct Row {".to_owned();
    (0..2000).for_each(|field| write!(schema, " int64? f{field};").expect("there is memory"));
    schema += " }\nstruct Table { Row[] rows; }";
    Codec::new(aldis_fbe::FBE.compile("wide.fbe", &One(schema)).plans.remove(0))
}

/// The same of Cap'n Proto.
fn of_capnp() -> Codec {
    let mut schema = "@0xbf5147cbbecf40c1;\nstruct Row {".to_owned();
    (0..2000).for_each(|field| write!(schema, " f{field} @{field} :Int64;").expect("there is memory"));
    schema += " }\nstruct Table { rows @0 :List(Row); }";
    Codec::new(aldis_capnp::CAPNP.compile("wide.capnp", &One(schema)).plans.remove(0))
}

fn rows(count: usize) -> String {
    format!(r#"{{"rows":[{}]}}"#, vec!["{}"; count].join(","))
}

/// One test, since the memory that is limited is that of the whole process.
#[test]
fn empty_objects_of_wide_records_are_paid_for() {
    for codec in [of_fbe(), of_capnp()] {
        let names = 0..codec.plan().messages.len();
        let table =
            names.into_iter().find(|message| codec.message_name(*message).ends_with("Table")).expect("it is one");
        codec.from_json(table, rows(100).as_bytes()).expect("few of them are read");
        for count in [1000, 30_000] {
            let text = rows(count);
            MEMORY.set_limit(MEMORY.allocated() + 64 * text.len() + (16 << 20)).expect("more is allowed than there is");
            let read = codec.from_json(table, text.as_bytes());
            MEMORY.set_limit(usize::MAX).expect("so is this");
            let Err(fault) = read else { panic!("the fields of {count} records take far more") };
            assert_eq!(fault.code, Code::TooLarge);
            assert!(fault.path.starts_with("rows["), "{fault}");
        }
    }
}
