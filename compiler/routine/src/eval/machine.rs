//! The machine that reading and writing have in common: symbols, blocks, statements, calls.

use super::fault::{Code, Fault, Step};
use crate::module::Module;
use crate::op::{Block, Frame, Op, What};
use crate::operand::{Arg, Place, RoutineId, Sym};

/// The thing that a symbol stands for.
#[derive(Debug)]
pub(super) enum Word<V> {
    Number(u64),
    Value(V),
    List(Vec<V>),
    /// Not bound yet, or used: values and lists are used once.
    Gone,
}

impl<V> Word<V> {
    pub fn number(&self) -> u64 {
        match self {
            Word::Number(number) => *number,
            _ => unreachable!("a checked module uses a number where one belongs"),
        }
    }

    pub fn value(self) -> V {
        match self {
            Word::Value(value) => value,
            _ => unreachable!("a checked module uses each value once"),
        }
    }

    pub fn list(self) -> Vec<V> {
        match self {
            Word::List(list) => list,
            _ => unreachable!("a checked module uses each list once"),
        }
    }
}

/// The things that the symbols of one call stand for.
pub(super) struct Scope<V>(Vec<Word<V>>);

impl<V> Scope<V> {
    pub fn number(&self, arg: impl Into<Arg>) -> u64 {
        match arg.into() {
            Arg::Sym(sym) => self.0[sym.0 as usize].number(),
            Arg::Const(number) => number,
        }
    }

    pub fn place(&self, place: Place) -> u64 {
        self.number(place.base) + u64::from(place.plus)
    }

    /// The thing that an operand stands for; numbers stay, values and lists are taken away.
    pub fn take(&mut self, arg: Arg) -> Word<V> {
        match arg {
            Arg::Const(number) => Word::Number(number),
            Arg::Sym(sym) => match &self.0[sym.0 as usize] {
                Word::Number(number) => Word::Number(*number),
                _ => std::mem::replace(&mut self.0[sym.0 as usize], Word::Gone),
            },
        }
    }

    pub fn set(&mut self, sym: Sym, word: Word<V>) {
        self.0[sym.0 as usize] = word;
    }

    pub fn bind(&mut self, binds: &[Sym], words: Vec<Word<V>>) {
        binds.iter().zip(words).for_each(|(sym, word)| self.set(*sym, word));
    }

    fn gives(&mut self, block: &Block) -> Vec<Word<V>> {
        block.gives.iter().map(|arg| self.take(*arg)).collect()
    }
}

pub(super) type Given<V> = Result<Vec<Word<V>>, Fault>;

/// Runs routines. Each machine defines the operations without blocks.
pub(super) trait Machine<'r> {
    type Value;

    fn module(&self) -> &'r Module;

    /// The result of an operation that is no statement.
    fn simple(&mut self, scope: &mut Scope<Self::Value>, what: &'r What) -> Given<Self::Value>;

    fn call(&mut self, routine: RoutineId, args: Vec<Word<Self::Value>>) -> Given<Self::Value> {
        let routine = &self.module()[routine];
        let mut scope = Scope((0..routine.symbols.len()).map(|_| Word::Gone).collect());
        scope.bind(&routine.params, args);
        self.block(&mut scope, &routine.body)
    }

    /// Runs a block. Gives what it gives.
    fn block(&mut self, scope: &mut Scope<Self::Value>, block: &'r Block) -> Given<Self::Value> {
        for op in &block.ops {
            let words = self.op(scope, op)?;
            scope.bind(&op.binds, words);
        }
        Ok(scope.gives(block))
    }

    fn op(&mut self, scope: &mut Scope<Self::Value>, op: &'r Op) -> Given<Self::Value> {
        match &op.what {
            What::If { test, then, other } => {
                let chosen = if scope.number(*test) != 0 { then } else { other };
                self.block(scope, chosen)
            }
            What::Switch { on, arms, other } => {
                let on = scope.number(*on);
                let chosen = arms.iter().find(|(number, _)| *number == on).map_or(other, |(_, arm)| arm);
                self.block(scope, chosen)
            }
            What::Loop { count, carry, body } => {
                let mut carried: Vec<Word<Self::Value>> = carry.iter().map(|arg| scope.take(*arg)).collect();
                for index in 0..scope.number(*count) {
                    scope.set(body.takes[0], Word::Number(index));
                    scope.bind(&body.takes[1..], carried);
                    carried = self.block(scope, body)?;
                }
                Ok(carried)
            }
            What::Within { frame, body } => {
                let step = match frame {
                    Frame::Field(name) => Step::Field(*name),
                    Frame::Element(index) => Step::Element(scope.number(*index)),
                };
                self.block(scope, body).map_err(|fault| within(fault, step))
            }
            What::Level { depth, at, body } => {
                let left = scope.number(*depth).checked_sub(1);
                let left = left.ok_or_else(|| Fault::at(Code::TooDeep, scope.number(*at)))?;
                scope.set(body.takes[0], Word::Number(left));
                self.block(scope, body)
            }
            What::Call { routine, args } => {
                let args = args.iter().map(|arg| scope.take(*arg)).collect();
                self.call(*routine, args)
            }
            what => self.simple(scope, what),
        }
    }
}

/// A fault as it leaves a frame.
#[cold]
pub(super) fn within(mut fault: Fault, step: Step) -> Fault {
    fault.steps.push(step);
    fault
}
