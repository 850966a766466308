//! Small schemas and the outlines of their routines, which are read in review.

use aldis_routine::{lower_for, outline, Purpose};
use aldis_testkit::{plans, root};
use std::fs;

#[test]
fn outlines_are_as_they_were() {
    let folder = root().join("compiler/routine/tests/golden");
    let mut seen = 0;
    for schema in ["group.xml", "links.fbe", "pointers.capnp"] {
        let modules = plans(&format!("compiler/routine/tests/golden/{schema}"));
        let text: String = modules.iter().map(|plan| outline(&lower_for(plan, &Purpose::ALL))).collect();
        let file = folder.join(format!("{schema}.routines"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&file, &text).unwrap();
        }
        assert_eq!(text, fs::read_to_string(&file).unwrap_or_default(), "{schema}");
        seen += 1;
    }
    assert_eq!(seen, 3);
}
