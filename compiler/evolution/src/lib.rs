//! The effects of a change of a schema: whom it breaks, and bytes that prove it.
//!
//! Two plans of one wire form are walked at once, in both directions: what a writer of one version puts in a place, and
//! what a reader of the other takes it for. The walk knows no format; whatever formats differ in stands in the plans. What
//! it finds is told as differences, each once however many messages hold it, and proven by a message that the
//! interpreters of both versions read otherwise.

mod agree;
mod assemble;
pub mod codes;
mod difference;
mod lock;
mod names;
mod pair;
mod renames;
mod walk;
mod witness;

pub use difference::{Difference, End, Letters, Witness};
pub use lock::{Accepted, Lock};

use aldis_plan::Plan;
use pair::Versions;
use witness::Prover;

/// All that changed between two versions of a schema in one wire form.
#[derive(Clone, Debug)]
pub struct Report {
    /// The form's name.
    pub form: String,
    /// In the order of the newer version's text; what is gone comes first.
    pub differences: Vec<Difference>,
    /// Each message that both versions have, by its newer name, with what is broken of it.
    pub verdicts: Vec<(String, Letters)>,
}

impl Report {
    /// The questions to which any difference answers no.
    pub fn broken(&self) -> Letters {
        self.differences.iter().fold(Letters::default(), |all, one| all.or(one.broken))
    }
}

/// Compares two plans of one form. With `witnesses`, verdicts on bytes are proven where that is possible.
pub fn compare(old: &Plan, new: &Plan, witnesses: bool) -> Report {
    let (mut differences, verdicts) = assemble::assemble(&mut Versions::new(old, new));
    if witnesses && differences.iter().any(|difference| difference.broken.b || difference.broken.f) {
        let mut prover = Prover::new(old, new);
        differences.iter_mut().for_each(|difference| prover.prove(difference));
    }
    let name = |index: usize| new.schema.type_def(new.messages[index].record).name.full();
    let verdicts = verdicts.into_iter().map(|(_, index, letters)| (name(index), letters)).collect();
    Report { form: new.form.name.clone(), differences, verdicts }
}
