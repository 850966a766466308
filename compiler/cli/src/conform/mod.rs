//! Compares the testees of all languages with the interpreter, request by request.

mod answer;
mod cases;
pub mod engine;
mod interrupt;
mod limits;
mod process;
mod random_bytes;
mod vectors;

pub use answer::{Answer, Wanted};
pub use cases::{Case, Check, Suite};
pub use interrupt::{take_away, undisturbed};
pub use process::Process;
pub use vectors::find as find_vectors;

use aldis_emit::Operations;
use aldis_interpreter::Testee;
use std::collections::BTreeMap;
use std::io;

/// How many requests and how many of them were not answered as they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub asked: usize,
    pub differ: usize,
}

/// An answer that is not as it should be.
#[derive(Clone, Debug)]
pub struct Difference {
    pub check: Check,
    /// The request without its id.
    pub request: String,
    /// The vector or the seed that the case is made from.
    pub origin: String,
    /// The interpreter's answer, or the vector's.
    pub wanted: String,
    pub got: String,
}

/// The outcome of one language.
#[derive(Debug, Default)]
pub struct Verdict {
    pub tallies: BTreeMap<Check, Tally>,
    /// The first ones, at most [`Verdict::KEPT`].
    pub differences: Vec<Difference>,
}

impl Verdict {
    pub const KEPT: usize = 100;

    fn note(&mut self, case: &Case, reference: &Answer, got: &Answer) {
        let wanted = match &case.wanted {
            Some(wanted) if !wanted.is_met_by(got) => Some(wanted.to_string()),
            _ if reference.agrees_with(got) => None,
            None if case.check == Check::DamagedJson && reference.both_refuse_json(got) => None,
            _ => Some(reference.to_string()),
        };
        self.count(case, wanted, got);
    }

    /// Counts an answer, and keeps it where another one was `wanted`.
    fn count(&mut self, case: &Case, wanted: Option<String>, got: &Answer) {
        let tally = self.tallies.entry(case.check).or_default();
        tally.asked += 1;
        let Some(wanted) = wanted else { return };
        tally.differ += 1;
        if self.differences.len() < Self::KEPT {
            self.differences.push(Difference {
                check: case.check,
                request: case.request.clone(),
                origin: case.origin.clone(),
                wanted,
                got: got.to_string(),
            });
        }
    }
}

/// How a testee is asked.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The operations of its language.
    pub operations: Operations,
    /// Faults of bytes must have the interpreter's offset and path too.
    pub exact: bool,
}

/// Asks one testee everything; `reference` answers the same.
///
/// # Errors
/// When the testee dies or falls silent; its last request is in the message.
pub fn run(suite: &Suite<'_>, reference: &Testee, testee: &mut Process, manner: Manner) -> io::Result<Verdict> {
    let mut verdict = Verdict::default();
    for batch in suite.batches(reference) {
        let batch: Vec<Case> = match manner.operations {
            Operations::All => batch,
            Operations::Decoding | Operations::Showing => batch.into_iter().filter_map(Case::of_decoding).collect(),
        };
        let requests: Vec<&str> = batch.iter().map(|case| case.request.as_str()).collect();
        let answers = testee.ask(&requests)?;
        for (case, got) in batch.iter().zip(&answers) {
            let line = format!("0\t{}", case.request);
            let answer = Answer::parse(&reference.answer(line.as_bytes()));
            let fault = if manner.exact { reference.fault_of_bytes(&line) } else { None };
            match fault.filter(|fault| answer.agrees_with(got) && !got.tells_place(fault.offset, &fault.path)) {
                Some(fault) => verdict.count(case, Some(fault.to_string()), got),
                None => verdict.note(case, &answer, got),
            }
        }
    }
    Ok(verdict)
}
