//! The plain evaluator: routines, executed on bytes and values. It is there to prove that they say what the interpreter does, so it is
//! written for being read, not for speed.

mod arena;
mod build;
mod count;
mod fault;
mod flat;
mod guard;
mod keep;
mod large;
mod load;
mod machine;
mod segments;
mod store;
mod target;
mod values;
mod write;

pub use count::Counter;
pub use fault::{Code, Fault, Step};
pub use flat::Flat;
pub use target::{Target, Text};
pub use values::Values;
pub use write::{set, size, write};

use crate::module::Module;
use crate::op::What;
use aldis_plan::Limits;
use arena::{Aim, Arena};
use machine::{Machine, Scope, Word};

/// A message that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<V> {
    pub value: V,
    /// Bytes that the message takes.
    pub size: u64,
    /// The rest of the budget.
    pub budget: u64,
}

/// Reads a message of the module's from the first of `bytes` on.
///
/// # Errors
/// As the routines say.
///
/// # Panics
/// If the module would not pass [`crate::check`].
pub fn read<T: Target>(
    module: &Module,
    message: usize,
    bytes: &[u8],
    limits: &Limits,
    target: &mut T,
) -> Result<Found<T::Value>, Fault> {
    let mut evaluator = Evaluator::new(module, bytes, limits, target);
    let args = whole(bytes, limits);
    let mut results = evaluator.call(module.messages[message], args)?.into_iter();
    let mut next = || results.next().unwrap_or(Word::Gone);
    let value = next().value();
    Ok(Found { value, size: next().number(), budget: next().number() })
}

/// Checks a message as [`read`] would, without values.
///
/// # Errors
/// As [`read`].
///
/// # Panics
/// As [`read`], for routines that check.
pub fn verify(module: &Module, message: usize, bytes: &[u8], limits: &Limits) -> Result<Found<()>, Fault> {
    let mut target = Counter::default();
    let mut evaluator = Evaluator::new(module, bytes, limits, &mut target);
    let results = evaluator.call(module.checkers[message], whole(bytes, limits))?;
    Ok(Found { value: (), size: results[0].number(), budget: results[1].number() })
}

/// A field of the record of a message that was checked.
///
/// # Errors
/// If it was not.
///
/// # Panics
/// As [`verify`], for routines that view.
pub fn view<T: Target>(
    module: &Module,
    (message, field): (usize, usize),
    bytes: &[u8],
    target: &mut T,
) -> Result<T::Value, Fault> {
    let mut evaluator = Evaluator::new(module, bytes, &Limits::default(), target);
    let frame = evaluator.call(module.opens[message], vec![Word::Number(0)])?;
    let record = module.schema.messages[message].record;
    let mut results = evaluator.call(module.views[record.index()][field], frame)?;
    Ok(results.pop().unwrap_or(Word::Gone).value())
}

/// The operands that the routine of a message takes.
fn whole<V>(bytes: &[u8], limits: &Limits) -> Vec<Word<V>> {
    let args = [0, limits.budget(bytes.len()), u64::from(limits.depth)];
    args.into_iter().map(Word::Number).collect()
}

struct Evaluator<'r, T> {
    module: &'r Module,
    target: &'r mut T,
    bytes: &'r [u8],
    /// The message's end.
    end: u64,
    surcharge: bool,
    arena: Arena<'r>,
    /// The aims that symbols of type [`crate::Ty::Aim`] stand for, by their numbers.
    aims: Vec<Aim>,
}

type Words<T> = machine::Given<<T as Target>::Value>;

impl<'r, T: Target> Machine<'r> for Evaluator<'r, T> {
    type Value = T::Value;

    fn module(&self) -> &'r Module {
        self.module
    }

    fn simple(&mut self, scope: &mut Scope<T::Value>, what: &'r What) -> Words<T> {
        if let What::Segments(segments) = what {
            return self.segments(scope, segments);
        }
        if let Some(number) = self.number(scope, what)? {
            return Ok(vec![Word::Number(number)]);
        }
        match self.value(scope, what)? {
            Some(value) => Ok(vec![value]),
            None => self.large(scope, what),
        }
    }
}

impl<'r, T: Target> Evaluator<'r, T> {
    #[inline(always)]
    fn new(module: &'r Module, bytes: &'r [u8], limits: &Limits, target: &'r mut T) -> Self {
        let arena = Arena { bytes, segments: Vec::new() };
        let end = bytes.len() as u64;
        Self { module, target, bytes, end, surcharge: limits.surcharge, arena, aims: Vec::new() }
    }

    fn slice(&self, at: u64, size: u64) -> &'r [u8] {
        let bytes: &'r [u8] = self.bytes;
        &bytes[at as usize..(at + size) as usize]
    }

    fn left(&self, at: u64) -> u64 {
        self.end.saturating_sub(at)
    }
}
