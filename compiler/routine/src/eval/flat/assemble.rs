//! From routines to a program.
//!
//! Each number has a register. Values are followed as the machine's stack will have them, so that records and blocks find theirs on top; what
//! does not fit that is no routine that the lowering makes, and there is no program then.

use super::cells::{run, Group, Linked, Run};
use super::pool::place_of;
use super::{Ins, Program, Reg, CONSTANT};
use crate::module::{Module, Purpose, Routine, Subject};
use crate::op::{Block, Have, Op, Ty, What};
use crate::operand::{Arg, ListId, Place, RoutineId, Sym, TableId};
use crate::visit;
use aldis_plan::Scalar;
use aldis_schema::TypeId;

/// Routines of up to so many operations that call no others are written where they are called.
const SHORT: usize = 12;

pub(super) struct Assembler<'m> {
    pub(super) module: &'m Module,
    pub(super) code: Vec<Ins>,
    starts: Vec<(u32, u16)>,
    pub(super) constants: Vec<u64>,
    lists: Vec<Reg>,
    pub(super) scalars: Vec<Scalar>,
    /// Elements that are runs: the table, the record, and the list.
    pub(super) elements: Vec<(TableId, TypeId, ListId)>,
    pub(super) linked: Vec<Linked>,
    pub(super) groups: Vec<Group>,
    /// The last instruction that others jump to.
    pub(super) joined: usize,
    pub(super) runs: Vec<Run>,
    /// The routine that is being written and those written in its place, the innermost last, with the meaning of their symbols.
    scopes: Vec<(&'m Routine, Vec<Held>)>,
    /// Registers that are in use.
    pub(super) registers: u16,
    /// The values on the stack, by the order of their making.
    pub(super) stack: Vec<u32>,
    made: u32,
    level: u32,
}

/// The meaning of a symbol in the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Held {
    Nothing,
    Number(Reg),
    Value(u32),
    /// So many levels down, which the machine knows.
    Level(u32),
}

impl<'m> Assembler<'m> {
    /// `None` where a table is too long for instructions.
    pub fn new(module: &'m Module) -> Option<Self> {
        let mut scalars = Vec::new();
        let runs = module.tables.iter().map(|table| run(table, &mut scalars)).collect::<Option<_>>()?;
        Some(Self {
            module,
            code: Vec::new(),
            starts: Vec::new(),
            constants: Vec::new(),
            lists: Vec::new(),
            scalars,
            elements: Vec::new(),
            linked: Vec::new(),
            groups: Vec::new(),
            joined: 0,
            runs,
            scopes: Vec::new(),
            registers: 0,
            stack: Vec::new(),
            made: 0,
            level: 0,
        })
    }

    /// The program of the routines with such purposes, without its module.
    pub fn program(mut self, is_wanted: fn(Purpose) -> bool) -> Option<Program> {
        for routine in &self.module.routines {
            if !is_wanted(routine.purpose) {
                self.starts.push((0, 0));
                continue;
            }
            (self.registers, self.level, self.made) = (0, 0, 0);
            self.stack.clear();
            let start = self.code.len() as u32;
            let params: Option<Vec<Held>> =
                routine.params.iter().map(|param| self.param(routine.symbols[param.0 as usize].ty)).collect();
            let from = match routine.purpose {
                Purpose::Open => self.opening(routine, params?)?,
                _ => self.routine(routine, params?)?,
            };
            self.code.push(Ins::Return { from });
            self.starts.push((start, self.registers));
        }
        let (code, starts, constants) = (self.code, self.starts, self.constants);
        let module = Module { routines: Vec::new(), ..self.module.clone() };
        let (lists, scalars, elements, runs) = (self.lists, self.scalars, self.elements, self.runs);
        let (linked, pieces, groups) = (self.linked, Vec::new(), self.groups);
        Some(Program { module, code, starts, constants, lists, scalars, elements, linked, pieces, groups, runs })
    }

    fn param(&mut self, ty: Ty) -> Option<Held> {
        Some(match ty {
            Ty::Budget => Held::Nothing,
            Ty::Depth => Held::Level(self.level),
            _ => Held::Number(self.register()?),
        })
    }

    /// Writes a routine's body, and gives what it gives.
    fn given(&mut self, routine: &'m Routine, params: Vec<Held>) -> Option<Vec<Held>> {
        let mut held = vec![Held::Nothing; routine.symbols.len()];
        routine.params.iter().zip(params).for_each(|(param, given)| held[param.0 as usize] = given);
        self.scopes.push((routine, held));
        let given = self.body(&routine.body)?;
        self.scopes.pop();
        Some(given)
    }

    /// Writes the body of a routine that gives several numbers, which are in registers side by side. Gives a constant: the first of them.
    fn opening(&mut self, routine: &'m Routine, params: Vec<Held>) -> Option<Reg> {
        let given = self.given(routine, params)?;
        let first = self.registers;
        for held in given {
            let (Held::Number(from), to) = (held, self.register()?) else { return None };
            self.code.push(Ins::Move { to, from });
        }
        self.at(Arg::Const(first.into()))
    }

    /// Writes a routine's body. Gives the register of the number that it gives; its value is on the stack.
    fn routine(&mut self, routine: &'m Routine, params: Vec<Held>) -> Option<Reg> {
        let given = self.given(routine, params)?;
        let number = given.into_iter().find_map(|given| match given {
            Held::Number(register) => Some(register),
            _ => None,
        });
        // One that gives a value alone has no number: nobody asks for it.
        number.or_else(|| self.at(Arg::Const(0)))
    }

    pub(super) fn register(&mut self) -> Option<Reg> {
        let next = self.registers;
        self.registers = next.checked_add(1).filter(|registers| *registers < CONSTANT)?;
        Some(next)
    }

    fn held(&self, sym: Sym) -> Held {
        self.scopes.last().map_or(Held::Nothing, |(_, held)| held[sym.0 as usize])
    }

    /// Whether a depth is that of the level at which the program is.
    pub(super) fn is_level(&self, depth: Sym) -> bool {
        self.held(depth) == Held::Level(self.level)
    }

    pub(super) fn set(&mut self, sym: Sym, what: Held) {
        if let Some((_, held)) = self.scopes.last_mut() {
            held[sym.0 as usize] = what;
        }
    }

    pub(super) fn ty(&self, sym: Sym) -> Ty {
        self.scopes.last().map_or(Ty::Bool, |(routine, _)| routine.symbols[sym.0 as usize].ty)
    }

    /// The register that a number is in.
    pub(super) fn at(&mut self, arg: impl Into<Arg>) -> Option<Reg> {
        match arg.into() {
            Arg::Const(number) => {
                let place = place_of(&mut self.constants, &number)?;
                (place < CONSTANT).then_some(CONSTANT | place)
            }
            Arg::Sym(sym) => match self.held(sym) {
                Held::Number(register) => Some(register),
                _ => None,
            },
        }
    }

    fn place(&mut self, place: Place) -> Option<(Reg, u32)> {
        Some((self.at(place.base)?, place.plus))
    }

    /// A register for what an operation binds.
    pub(super) fn to(&mut self, sym: Sym) -> Option<Reg> {
        let register = self.register()?;
        self.set(sym, Held::Number(register));
        Some(register)
    }

    /// A value is made.
    pub(super) fn push(&mut self, sym: Sym) {
        self.stack.push(self.made);
        self.set(sym, Held::Value(self.made));
        self.made += 1;
    }

    /// The operations of a block, and what it gives: numbers wherever they are, values on the top of the stack in their order.
    pub(super) fn body(&mut self, block: &'m Block) -> Option<Vec<Held>> {
        block.ops.iter().try_for_each(|op| self.op(op))?;
        let mut given = Vec::new();
        for arg in &block.gives {
            given.push(match arg {
                Arg::Sym(sym) if self.ty(*sym) == Ty::Budget => Held::Nothing,
                Arg::Sym(sym) if self.ty(*sym) == Ty::Val => self.held(*sym),
                arg => Held::Number(self.at(*arg)?),
            });
        }
        let values: Vec<u32> = values(&given).collect();
        self.stack.ends_with(&values).then_some(given)
    }

    /// A statement binds the values that its block gives.
    fn bind(&mut self, binds: &[Sym], given: Vec<Held>) {
        binds.iter().zip(given).for_each(|(sym, given)| self.set(*sym, given));
    }

    fn op(&mut self, op: &'m Op) -> Option<()> {
        match &op.what {
            What::Within { body, .. } => {
                let given = self.body(body)?;
                self.bind(&op.binds, given);
            }
            What::Level { depth, body, .. } => {
                if !self.is_level(*depth) {
                    return None;
                }
                self.code.push(Ins::Descend);
                self.level += 1;
                self.set(body.takes[0], Held::Level(self.level));
                let given = self.body(body)?;
                self.level -= 1;
                self.code.push(Ins::Ascend);
                self.bind(&op.binds, given);
            }
            What::If { test, then, other } => self.branch(*test, [then, other], &op.binds)?,
            What::Switch { on, arms, other } => self.switch(*on, arms, other, &op.binds)?,
            What::Each { .. } => match self.elements(op) {
                Some(()) => {}
                None => self.each(op)?,
            },
            What::Loop { .. } => self.each(op)?,
            What::Call { routine, args } => self.call(*routine, args, &op.binds)?,
            What::Fields { table, at, have } => {
                let any = Arg::Const(u64::MAX);
                let (extent, version) = match have {
                    Have::All => (any, any),
                    Have::Within { extent, version } => (*extent, *version),
                };
                let (at, extent, version) = (self.at(*at)?, self.at(extent)?, self.at(version)?);
                self.code.push(Ins::Fields { table: *table, at, extent, version });
                op.binds.iter().for_each(|sym| self.push(*sym));
            }
            What::Head { table, at, .. } => {
                let at = self.at(*at)?;
                let (_, numbers) = op.binds.split_last()?;
                let to = self.registers;
                numbers.iter().try_for_each(|sym| self.to(*sym).map(|_| ()))?;
                self.code.push(Ins::Head { to, table: *table, at });
            }
            What::Make { record, fields } => self.make(op.binds[0], *record, fields)?,
            what => match self.number(what, &op.binds)? {
                Some(ins) => self.put(ins),
                None => self.value(what, &op.binds)?,
            },
        }
        Some(())
    }

    /// Instructions that set a register, or none.
    fn number(&mut self, what: &What, binds: &[Sym]) -> Option<Option<Ins>> {
        let ins = match what {
            What::Charge { amount, .. } => Ins::Charge { times: self.at(amount.times)?, each: self.at(amount.each)? },
            What::Extra { amount, .. } => Ins::Extra { times: self.at(amount.times)?, each: self.at(amount.each)? },
            What::ExtraWithin { table, extent, .. } => Ins::ExtraWithin { table: *table, extent: self.at(*extent)? },
            What::Expect { have, want, .. } => Ins::Expect { have: self.at(*have)?, want: self.at(Arg::Const(*want))? },
            What::Bound { size, head, .. } => Ins::Bound { size: self.at(*size)?, head: *head },
            What::Same { size, end, .. } => Ins::Same { size: self.at(*size)?, end: self.at(*end)? },
            What::Refuse { .. } => Ins::Refuse,
            What::Load { place, repr } => {
                let ((base, plus), width) = (self.place(*place)?, repr.width() as u8);
                Ins::Load { to: self.to(binds[0])?, base, plus, width }
            }
            What::Add { at, size } => {
                let ((base, plus), size) = (self.place(*at)?, self.at(*size)?);
                Ins::Add { to: self.to(binds[0])?, base, plus, size }
            }
            What::Behind { at, count, each } => {
                let (at, count) = (self.at(*at)?, self.at(*count)?);
                Ins::Behind { to: self.to(binds[0])?, at, count, each: *each }
            }
            What::Element { place, index, stride, .. } => {
                let ((base, plus), index) = (self.place(*place)?, self.at(*index)?);
                Ins::Element { to: self.to(binds[0])?, base, plus, index, stride: *stride }
            }
            What::Equal { a, b } => {
                let (a, b) = (self.at(*a)?, self.at(*b)?);
                Ins::Equal { to: self.to(binds[0])?, a, b }
            }
            What::AtLeast { a, b } => {
                let (a, b) = (self.at(*a)?, self.at(*b)?);
                Ins::AtLeast { to: self.to(binds[0])?, a, b }
            }
            What::Present { since, reach, extent, version } => {
                let (extent, version) = (self.at(*extent)?, self.at(*version)?);
                Ins::Present { to: self.to(binds[0])?, extent, version, since: *since, reach: *reach }
            }
            what => return self.guard(what, binds),
        };
        Some(Some(ins))
    }

    fn guard(&mut self, what: &What, binds: &[Sym]) -> Option<Option<Ins>> {
        let ins = match what {
            What::Segments(what) => return self.segment(what, binds),
            What::Need { at, size, .. } => {
                let (at, size) = (self.at(*at)?, self.at(*size)?);
                Ins::Need { to: self.to(binds[0])?, at, size }
            }
            What::Least { size, least, .. } => {
                let size = self.at(*size)?;
                Ins::Least { to: self.to(binds[0])?, size, least: *least }
            }
            What::Fit { count, least, at, .. } => {
                let (count, least, at) = (self.at(*count)?, self.at(*least)?, self.at(*at)?);
                Ins::Fit { to: self.to(binds[0])?, count, least, at }
            }
            What::Follow { base, offset, .. } => {
                let (base, offset) = (self.at(*base)?, self.at(*offset)?);
                Ins::Follow { to: self.to(binds[0])?, base, offset }
            }
            What::Root { offset, start } => {
                let (offset, start) = (self.at(*offset)?, self.at(*start)?);
                Ins::Root { to: self.to(binds[0])?, offset, start }
            }
            What::End => Ins::End { to: self.to(binds[0])? },
            What::Lack { of, block, pointers, version } => {
                let (block, pointers, version) = (self.at(*block)?, self.at(*pointers)?, self.at(*version)?);
                Ins::Lack { to: self.to(binds[0])?, of: u16::try_from(of.0).ok()?, block, pointers, version }
            }
            What::Extent { table, at, acting, .. } => {
                let (at, acting) = (self.at(*at)?, self.at(*acting)?);
                Ins::Extent { to: self.to(binds[0])?, table: *table, at, acting }
            }
            _ => return Some(None),
        };
        Some(Some(ins))
    }

    /// Instructions that make a value.
    fn value(&mut self, what: &What, binds: &[Sym]) -> Option<()> {
        let ins = match what {
            What::Scalar { place, scalar } => {
                let ((base, plus), scalar) = (self.place(*place)?, place_of(&mut self.scalars, scalar)?);
                Ins::Scalar { base, plus, scalar }
            }
            What::Decimal { place } => {
                let (base, plus) = self.place(*place)?;
                Ins::Decimal { base, plus }
            }
            What::Chars { place, width, encoding } => {
                let (base, plus) = self.place(*place)?;
                Ins::Chars { base, plus, width: *width, encoding: *encoding }
            }
            What::Bytes { at, size, text } => {
                let ins = Ins::Bytes { at: self.at(*at)?, size: self.at(*size)?, text: *text };
                self.counted(ins)
            }
            What::Literal { value } => Ins::Literal { value: *value },
            What::Row { at, count, scalar, .. } => {
                let ((base, plus), count) = (self.place(*at)?, self.at(*count)?);
                Ins::Row { base, plus, count, scalar: place_of(&mut self.scalars, scalar)? }
            }
            What::Arm { union, tag, arm } => {
                let tag = self.at(*tag)?;
                if self.held(*arm) != Held::Value(*self.stack.last()?) {
                    return None;
                }
                self.stack.pop();
                Ins::Arm { union: *union, tag }
            }
            What::Segments(what) => self.segment_value(what)?,
            _ => return None,
        };
        self.code.push(ins);
        self.push(binds[0]);
        Some(())
    }

    fn make(&mut self, sym: Sym, record: TypeId, fields: &[Sym]) -> Option<()> {
        let first = self.stack.len().checked_sub(fields.len())?;
        let order = fields.iter().map(|field| {
            let Held::Value(value) = self.held(*field) else { return None };
            self.stack[first..].iter().position(|known| *known == value).and_then(|place| Reg::try_from(place).ok())
        });
        let order: Vec<Reg> = order.collect::<Option<_>>()?;
        let in_order = order.iter().zip(0..).all(|(place, index)| *place == index);
        if in_order && self.is_run(record, first) {
            self.stack.truncate(first);
            self.push(sym);
            return Some(());
        }
        self.stack.truncate(first);
        let mut at = 0;
        if !in_order {
            self.lists.extend(&order);
            at = (self.lists.len() - order.len() + 1) as u32;
        }
        self.code.push(Ins::Make { record, count: u16::try_from(order.len()).ok()?, order: at });
        self.push(sym);
        Some(())
    }

    /// Makes fields that were read last, those from `first` on of the stack, a record, if they are all its fields.
    fn is_run(&mut self, record: TypeId, first: usize) -> bool {
        let is_plain = |ins: &Ins| matches!(ins, Ins::Add { .. } | Ins::Need { .. } | Ins::Expect { .. } | Ins::Ascend);
        let Some(index) = self.code.iter().rposition(|ins| !is_plain(ins)) else { return false };
        let Ins::Fields { table, at, extent, version } = self.code[index] else { return false };
        // They are the last that were made, and their number is the table's.
        let count = self.module[table].plain().count();
        let is_all = self.stack.len() - first == count
            && self.stack[first..].iter().copied().eq(self.made - count as u32..self.made);
        if is_all && count > 0 {
            self.code[index] = Ins::Run { table, record, at, extent, version };
        }
        is_all && count > 0
    }

    /// Binds a list, and the place behind its elements.
    pub(super) fn listed(&mut self, binds: &[Sym], end: Reg) {
        self.push(binds[0]);
        for sym in &binds[1..] {
            let held = if self.ty(*sym) == Ty::Budget { Held::Nothing } else { Held::Number(end) };
            self.set(*sym, held);
        }
    }

    /// A loop, which may make a list.
    fn each(&mut self, op: &'m Op) -> Option<()> {
        let (count, carry, list, body) = match &op.what {
            What::Each { count, carry, of, body } => (count, carry, Some(*of), body),
            What::Loop { count, carry, body } => (count, carry, None, body),
            _ => return None,
        };
        let count = self.at(*count)?;
        let mark = self.register()?;
        self.code.extend(list.map(|_| Ins::Mark { to: mark, count }));
        let index = self.to(body.takes[0])?;
        let zero = self.at(Arg::Const(0))?;
        self.code.push(Ins::Move { to: index, from: zero });
        let mut carried = Vec::new();
        for (take, arg) in body.takes[1..].iter().zip(carry) {
            carried.push(self.result(*take)?);
            if let (Some(Held::Number(to)), false) = (carried.last().copied(), self.ty(*take) == Ty::Budget) {
                let from = self.at(*arg)?;
                self.code.push(Ins::Move { to, from });
                self.set(*take, Held::Number(to));
            }
        }
        let begin = self.code.len();
        self.code.push(Ins::Unless { test: count, to: 0 });
        let before = self.stack.clone();
        let given = self.body(body)?;
        let (items, next) = given.split_at(given.len() - carry.len());
        // With several numbers, one might be set before another one that needs it is moved.
        let numbers = carried.iter().filter(|held| matches!(held, Held::Number(_))).count();
        if numbers > 1 {
            return None;
        }
        self.moves(next, &carried);
        self.leaves(&before, items)?;
        self.code.push(Ins::Next { index, count, to: begin as u32 + 1 });
        self.code[begin] = Ins::Unless { test: count, to: self.here() };
        let mut binds = op.binds.as_slice();
        if let (Some(list), [made, rest @ ..]) = (list, binds) {
            self.code.push(Ins::Gather { mark, list });
            self.push(*made);
            binds = rest;
        }
        self.bind(binds, carried);
        Some(())
    }

    fn call(&mut self, id: RoutineId, args: &[Arg], binds: &[Sym]) -> Option<()> {
        let called = &self.module[id];
        let mut given = Vec::new();
        for (param, arg) in called.params.iter().zip(args) {
            given.push(match (called.symbols[param.0 as usize].ty, arg) {
                (Ty::Budget, _) => Held::Nothing,
                (Ty::Depth, Arg::Sym(depth)) => match self.held(*depth) {
                    Held::Level(level) if level == self.level => Held::Level(level),
                    _ => return None,
                },
                _ => Held::Number(self.at(*arg)?),
            });
        }
        let end = if let Subject::Record(_) = called.of {
            match size(&called.body) {
                Some(size) if size <= SHORT => {
                    let end = self.routine(called, given)?;
                    // The value that it made is the caller's.
                    if called.purpose != Purpose::Skip {
                        self.stack.pop();
                    }
                    end
                }
                _ => self.far_call(id, &given)?,
            }
        } else {
            self.far_call(id, &given)?
        };
        for sym in binds {
            match self.ty(*sym) {
                Ty::Val => self.push(*sym),
                Ty::Budget => {}
                _ => self.set(*sym, Held::Number(end)),
            }
        }
        Some(())
    }

    fn far_call(&mut self, id: RoutineId, given: &[Held]) -> Option<Reg> {
        let args = self.lists.len() as u32;
        self.lists.extend(given.iter().filter_map(|given| match given {
            Held::Number(register) => Some(*register),
            _ => None,
        }));
        let to = self.register()?;
        let count = u16::try_from(self.lists.len() as u32 - args).ok()?;
        // Registers that come into use later are set after the call.
        let routine = u16::try_from(id.0).ok()?;
        self.code.push(Ins::Call { to, routine, args, count, frame: self.registers });
        Some(to)
    }
}

pub(super) fn values(given: &[Held]) -> impl Iterator<Item = u32> + '_ {
    given.iter().filter_map(|given| match given {
        Held::Value(value) => Some(*value),
        _ => None,
    })
}

/// How many operations there are; nothing where one of them calls.
fn size(block: &Block) -> Option<usize> {
    block.ops.iter().try_fold(0, |all, op| {
        if let What::Call { .. } = op.what {
            return None;
        }
        visit::blocks(&op.what).into_iter().try_fold(all + 1, |all, block| Some(all + size(block)?))
    })
}
