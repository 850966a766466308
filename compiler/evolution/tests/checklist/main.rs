//! The things that changes break: the table of the page about it, and what is told of them.

mod renames;
mod table;

use aldis_diagnostics::{any_error, Files};
use aldis_evolution::{codes, compare, Letters, Lock, Report};
use aldis_plan::{Format, Plan};
use std::io;

struct Text(String);

impl Files for Text {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn resolve(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

fn plans(format: &dyn Format, text: &str) -> Vec<Plan> {
    let compilation = format.compile("schema", &Text(text.to_owned()));
    assert!(!any_error(&compilation.diagnostics), "{:?}\n{text}", compilation.diagnostics);
    compilation.plans
}

fn reports(format: &dyn Format, old: &str, new: &str) -> Vec<Report> {
    let (old, new) = (plans(format, old), plans(format, new));
    old.iter().zip(&new).map(|(old, new)| compare(old, new, true)).collect()
}

#[test]
fn defaults_and_numbers_are_told() {
    let told = |old: &str, new: &str| -> Vec<(String, String)> {
        let reports = reports(&aldis_fbe::FBE, &format!("package p\n{old}"), &format!("package p\n{new}"));
        let all = reports[0].differences.iter();
        all.map(|difference| (difference.sentence(), difference.broken.text())).collect()
    };
    let one = |sentence: &str, letters: &str| vec![(sentence.to_owned(), letters.to_owned())];
    let field = |rest: &str| format!("struct M(1) {{ int32 a{rest}; }}");
    let sentence = "the field `p.M.a` is i32, 4 bytes at 8, default 5 now, not i32, 4 bytes at 8, default 0";
    assert_eq!(told(&field(""), &field(" = 5")), one(sentence, ""));
    assert_eq!(told(&field(""), &field(" = 0")), []);
    assert_eq!(told(&field(" = 5"), &field(" = 5")), []);
    let records = |p: u32, q: u32| {
        format!("struct P({p}) {{ int32 x; }} struct Q({q}) {{ int32 y; }} struct M(3) {{ P p; Q q; }}")
    };
    let swapped = told(&records(1, 2), &records(2, 1));
    let sentences: Vec<&str> = swapped.iter().map(|(sentence, _)| sentence.as_str()).collect();
    assert!(sentences.contains(&"`p.P` has id 2 now, was 1"), "{sentences:?}");
    assert!(sentences.contains(&"`p.Q` has id 1 now, was 2"), "{sentences:?}");
}

fn venue(version: u32) -> Vec<Plan> {
    aldis_testkit::plans(&format!("conformance/evolution/venue-{version}.xml"))
}

/// The questions that each difference of the venue's two versions breaks, by its name there.
#[test]
fn an_exchange_a_year_later() {
    let report = compare(&venue(1)[0], &venue(2)[0], true);
    let name = |end: &Option<aldis_evolution::End>| end.as_ref().map(|end| end.name.clone());
    let mut found: Vec<(String, String)> = report
        .differences
        .iter()
        .map(|difference| {
            let bytes = Letters { j: false, s: false, ..difference.broken };
            (name(&difference.new).or_else(|| name(&difference.old)).unwrap(), bytes.text())
        })
        .collect();
    found.sort();
    let wanted = [
        ("venue.Cancel", ""),
        ("venue.Execution.account", "B"),
        ("venue.Execution.fills.price.mantissa", "BF"),
        ("venue.Execution.leaves", "BF"),
        ("venue.Heartbeat", "B"),
        ("venue.NewOrder.display", ""),
        ("venue.Reason.halted", ""),
        ("venue.Rejected.order", ""),
    ];
    assert_eq!(found, wanted.map(|(name, letters)| (name.to_owned(), letters.to_owned())));
    let leaves =
        report.differences.iter().find(|one| name(&one.new).is_some_and(|name| name.ends_with("leaves"))).unwrap();
    let witness = &leaves.witnesses[0];
    assert!(witness.written.contains("\"leaves\":4294967295"), "{witness:?}");
    assert!(witness.read.as_ref().unwrap().contains("\"leaves\":null"), "{witness:?}");
    assert_eq!(&witness.shown[witness.range.clone()], [0xff; 4]);
}

#[test]
fn a_schema_is_as_itself() {
    for path in ["conformance/schemas/market.xml", "conformance/schemas/market.fbe", "conformance/schemas/market.capnp"]
    {
        for plan in aldis_testkit::plans(path) {
            let report = compare(&plan, &plan, true);
            assert!(report.differences.is_empty(), "{path}: {:#?}", report.differences);
        }
    }
}

#[test]
fn a_lock_is_the_schema() {
    for path in ["conformance/schemas/market.xml", "conformance/schemas/market.fbe", "conformance/schemas/market.capnp"]
    {
        let plans = aldis_testkit::plans(path);
        let lock = Lock { tool: "0".into(), digest: plans[0].schema.hash.clone(), accepted: Vec::new(), plans };
        let text = lock.text().unwrap();
        assert!(!text.contains("\"span\"") && !text.contains("\"doc\""));
        let read = Lock::parse(&text).unwrap();
        assert_eq!(read.text().unwrap(), text);
        for (old, new) in read.plans.iter().zip(&lock.plans) {
            assert!(compare(old, new, false).differences.is_empty());
        }
    }
    for broken in ["", "{}", "[]", "{\"accepted\":[],\"plans\":[]}", "{\"accepted\":[],\"plans\":[{}]}"] {
        assert!(Lock::parse(broken).unwrap_err().contains("no lock"), "{broken}");
    }
}

#[test]
fn every_code_has_a_mend() {
    for (index, code) in codes::TABLE.iter().enumerate() {
        assert_eq!(code.code, format!("evolution/E{:04}", index + 1));
        assert!(!code.mend.is_empty() && !code.meaning.is_empty());
    }
}
