//! Segments: their table, pointers, and what those lead to.

use super::arena::{at, bits, Aim, Arena, Kind, WORD};
use super::fault::{Code, Fault};
use super::guard::pay;
use super::machine::{Scope, Word};
use super::{keep, Evaluator, Target, Words};
use crate::operand::Sym;
use crate::segments::{Listed, Segments};
use aldis_plan::{Container, Limits, Scalar};
use aldis_schema::Encoding;

impl<'r, T: Target> Evaluator<'r, T> {
    pub(super) fn segments(&mut self, scope: &Scope<T::Value>, what: &Segments) -> Words<T> {
        let numbers = match what {
            Segments::Open => vec![self.open()?],
            Segments::Aim { at, segment, budget } => {
                let place = scope.number(*at);
                let aim = self.arena.aim(place, scope.number(*segment) as usize)?;
                self.aims.push(aim);
                vec![self.aims.len() as u64 - 1, pay(token(scope, *budget), aim.pads * WORD, place)?]
            }
            Segments::IsNull { aim } => vec![u64::from(self.aim(scope, *aim).kind == Kind::Null)],
            Segments::Sections { aim, at, depth, budget } => {
                self.sections(self.aim(scope, *aim), scope.number(*at), (token(scope, *depth), token(scope, *budget)))?
            }
            Segments::IsList { aim, at } => match self.aim(scope, *aim).kind {
                Kind::List { .. } => Vec::new(),
                _ => return Err(Fault::at(Code::BadValue, scope.number(*at))),
            },
            Segments::List { aim, at, budget } => {
                self.list(self.aim(scope, *aim), scope.number(*at), token(scope, *budget))?
            }
            Segments::Seat { of, index } => {
                let data = seat(scope, of, scope.number(*index));
                vec![data, data + scope.number(of.data)]
            }
            Segments::Eighths { count } => vec![scope.number(*count).div_ceil(8)],
            Segments::Short { bits } => vec![match scope.number(*bits) {
                0 => 0,
                bits => Limits::EMPTY_ELEMENT.saturating_sub(bits / 8),
            }],
            _ => return self.segment_value(scope, what),
        };
        Ok(numbers.into_iter().map(Word::Number).collect())
    }

    fn segment_value(&mut self, scope: &Scope<T::Value>, what: &Segments) -> Words<T> {
        match what {
            Segments::Octets { aim, at, text, budget } => {
                let aim = self.aim(scope, *aim);
                let (bytes, budget) = self.octets(aim, scope.number(*at), (*text, token(scope, *budget)))?;
                Ok(vec![Word::Value(self.target.bytes(bytes, text.then_some(Encoding::Utf8))), Word::Number(budget)])
            }
            Segments::Bits { at, count, scalar, of } => {
                let (from, count) = (scope.number(*at), scope.number(*count));
                let scalar = Scalar { repr: aldis_plan::Repr::Bool, ..scalar.clone() };
                let bit = |index: u64| u64::from(self.bytes[(from + index / 8) as usize]) >> (index % 8) & 1;
                let elements = (0..count).map(|index| self.target.scalar(&scalar, bit(index))).collect();
                Ok(vec![Word::Value(self.target.list(&self.module[*of], elements))])
            }
            Segments::Strided { of, scalar, list } => {
                let places: Vec<u64> = (0..scope.number(of.count)).map(|index| seat(scope, of, index)).collect();
                let elements = places.into_iter().map(|place| self.scalar(place, scalar)).collect();
                Ok(vec![Word::Value(self.target.list(&self.module[*list], elements))])
            }
            Segments::Keep { at, segment, depth, budget } => {
                let mut keeper = keep::Keeper {
                    arena: &self.arena,
                    out: vec![0; WORD as usize],
                    budget: token(scope, *budget),
                    depth: token(scope, *depth),
                    canonical: false,
                };
                keeper.pointer(scope.number(*at), scope.number(*segment) as usize, 0)?;
                let budget = keeper.budget;
                let kept = keeper.out;
                Ok(vec![Word::Value(self.target.opaque(&kept)), Word::Number(budget)])
            }
            _ => Ok(Vec::new()),
        }
    }

    fn aim(&self, scope: &Scope<T::Value>, aim: Sym) -> Aim {
        self.aims[scope.number(aim) as usize]
    }

    fn open(&mut self) -> Result<u64, Fault> {
        if let Container::Segments(form) = self.module.container {
            self.arena = Arena::of(self.bytes, form)?;
        }
        self.end = self.arena.segments.last().map_or(0, |(_, to)| *to);
        Ok(self.arena.segments[0].0)
    }

    fn sections(&self, aim: Aim, place: u64, (depth, budget): (u64, u64)) -> Result<Vec<u64>, Fault> {
        let Kind::Record { data, pointers } = aim.kind else { return at(Code::BadValue, place) };
        if depth == 0 {
            return at(Code::TooDeep, place);
        }
        let size = (data + pointers) * WORD;
        let start = self.arena.body(&aim, place, size)?;
        let budget = pay(budget, size, place)?;
        Ok(vec![aim.segment as u64, start, data * WORD, start + data * WORD, pointers * WORD, budget])
    }

    fn octets(&self, aim: Aim, place: u64, (text, budget): (bool, u64)) -> Result<(&'r [u8], u64), Fault> {
        let Kind::List { code: 2, count } = aim.kind else { return at(Code::BadValue, place) };
        let size = count.next_multiple_of(WORD);
        let start = self.arena.body(&aim, place, size)?;
        let budget = pay(budget, size, place)?;
        let bytes = self.slice(start, count);
        match (text, bytes) {
            (false, bytes) | (true, [bytes @ .., 0]) => Ok((bytes, budget)),
            _ => at(Code::BadValue, place),
        }
    }

    /// The symbols that [`Segments::List`] binds.
    fn list(&self, aim: Aim, place: u64, budget: u64) -> Result<Vec<u64>, Fault> {
        let Kind::List { code, count } = aim.kind else { return at(Code::BadValue, place) };
        let tagged = code == 7;
        let size = if tagged { (count + 1) * WORD } else { (bits(code) * count).div_ceil(64) * WORD };
        let start = self.arena.body(&aim, place, size)?;
        let mut budget = pay(budget, size, place)?;
        let elements = self.arena.elements(&aim, start, (code, count))?;
        budget = pay(budget, elements.empty, place)?;
        if self.surcharge {
            budget = pay(budget, elements.links, place)?;
        }
        Ok(elements.numbers.into_iter().chain([budget]).collect())
    }
}

/// The rest of a budget or depth. Views have none: nothing in them ends for its sake.
fn token<V>(scope: &Scope<V>, token: Option<Sym>) -> u64 {
    token.map_or(u64::MAX, |token| scope.number(token))
}

fn seat<V>(scope: &Scope<V>, of: &Listed, index: u64) -> u64 {
    scope.number(of.at) + index * scope.number(of.stride) / 8
}
