//! Small schemas, one for each thing that routines do, and the outlines of their routines in each form, which are read in review.

use aldis_routine::{lower_for, outline, Purpose};
use aldis_testkit::{agree_with_golden, plans, root};
use std::collections::BTreeMap;
use std::fs;

/// Forms whose routines are those of another but for how a message begins and ends.
const ALIKE: [&str; 2] = ["capnp-packed", "capnp-canonical"];

/// The lines that a reviewer reads at one sitting.
const LONGEST: usize = 300;

#[test]
fn outlines_are_as_they_were() {
    let (mut outlines, schemas) = (BTreeMap::new(), "compiler/routine/tests/schemas");
    for entry in fs::read_dir(root().join(schemas)).expect("there are schemas") {
        let schema = entry.expect("it can be listed").file_name().to_string_lossy().into_owned();
        for plan in plans(&format!("{schemas}/{schema}")).iter().filter(|plan| !ALIKE.contains(&&*plan.form.name)) {
            let stem = schema.split('.').next().unwrap_or_default();
            let text = outline(&lower_for(plan, &Purpose::ALL));
            assert!(text.lines().count() <= LONGEST, "{schema}: {} lines", text.lines().count());
            outlines.insert(format!("{stem}.{}.routines", plan.form.name), text);
        }
    }
    agree_with_golden(&root().join("compiler/routine/tests/golden"), outlines);
}
