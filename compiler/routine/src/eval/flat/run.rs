//! The machine that runs programs.

use super::cells::{Kind, Run, Slot};
use super::{Ins, Program, Reg, CONSTANT};
use crate::eval::arena::Aim;
use crate::eval::load::{is_decimal, is_null, sixteen};
use crate::eval::{Evaluator, Target};
use crate::operand::{ListId, RoutineId, TableId};
use aldis_plan::{ByteOrder, Extent, Limits, Repr, Scalar};
use aldis_schema::{Type, TypeId};

/// Room on the stack for the fields of the element that is being made.
const FIELDS: usize = 1024;

pub(super) struct Machine<'r, T: Target> {
    pub(super) flat: &'r Program,
    pub(super) evaluator: Evaluator<'r, T>,
    registers: &'r mut Vec<u64>,
    /// The aims that registers stand for.
    pub(super) aims: &'r mut Vec<Aim>,
    callers: &'r mut Vec<Caller>,
    /// The running routine's first register.
    pub(super) base: usize,
    pub(super) values: &'r mut Vec<T::Value>,
    pub(super) budget: u64,
    pub(super) depth: u32,
    is_little: bool,
}

/// What a message needs, whose memory the next one takes.
#[derive(Debug, Default)]
pub(super) struct Room {
    registers: Vec<u64>,
    aims: Vec<Aim>,
    callers: Vec<Caller>,
}

/// The place at which a call goes on when it has returned.
#[derive(Debug)]
pub(super) struct Caller {
    code: usize,
    base: usize,
    to: Reg,
}

/// The instruction that runs after this one.
enum Next {
    One,
    At(u32),
}

impl<'r, T: Target> Machine<'r, T> {
    #[inline(always)]
    pub fn new(
        flat: &'r Program,
        (bytes, limits): (&'r [u8], &Limits),
        Room { registers, aims, callers }: &'r mut Room,
        values: &'r mut Vec<T::Value>,
        target: &'r mut T,
    ) -> Self {
        let evaluator = Evaluator::new(&flat.module, bytes, limits, target);
        let (budget, is_little) = (limits.budget(bytes.len()), flat.module.byte_order == ByteOrder::Little);
        callers.clear();
        Self { flat, evaluator, registers, aims, callers, base: 0, values, budget, depth: limits.depth, is_little }
    }

    pub fn budget(&self) -> u64 {
        self.budget
    }

    #[inline(always)]
    pub(super) fn get(&self, register: Reg) -> u64 {
        match register & CONSTANT {
            0 => self.registers[self.base + usize::from(register)],
            _ => self.flat.constants[usize::from(register ^ CONSTANT)],
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, register: Reg, number: u64) {
        self.registers[self.base + usize::from(register)] = number;
    }

    fn enter(&mut self, routine: RoutineId, base: usize) -> usize {
        let (code, registers) = self.flat.start(routine);
        let end = base + usize::from(registers);
        if self.registers.len() < end {
            self.registers.resize(end, 0);
        }
        code as usize
    }

    /// Runs a message's routine from the first byte on. Gives its value, and its size; `None` where something is wrong.
    pub fn run(&mut self, message: RoutineId) -> Option<(T::Value, u64)> {
        let size = self.routine(message)?;
        Some((self.values.pop()?, size))
    }

    /// Runs the routine that opens a message, and with what it gives the one that views a field of its record. Gives the field.
    pub fn view(&mut self, (open, view): (RoutineId, RoutineId)) -> Option<T::Value> {
        // The first register is the place of the message, which is 0, and that of a record in the program that ran before.
        self.registers.first_mut().into_iter().for_each(|place| *place = 0);
        let first = self.routine(open)? as usize;
        let count = self.flat.module[view].params.len();
        self.registers.copy_within(first..first + count, 0);
        self.routine(view)?;
        self.values.pop()
    }

    /// Runs a routine, whose parameters are in the first registers, and gives its number.
    fn routine(&mut self, routine: RoutineId) -> Option<u64> {
        let flat = self.flat;
        let mut at = self.enter(routine, 0);
        loop {
            let ins = &flat.code[at];
            match *ins {
                Ins::Call { to, routine, args, count, frame } => {
                    let routine = RoutineId(routine.into());
                    let base = self.base + usize::from(frame);
                    let code = self.enter(routine, base);
                    for index in 0..usize::from(count) {
                        self.registers[base + index] = self.get(flat.lists[args as usize + index]);
                    }
                    self.callers.push(Caller { code: at + 1, base: self.base, to });
                    (self.base, at) = (base, code);
                }
                Ins::Return { from } => {
                    let result = self.get(from);
                    let Some(caller) = self.callers.pop() else { return Some(result) };
                    (self.base, at) = (caller.base, caller.code);
                    self.set(caller.to, result);
                }
                _ => match self.step(ins)? {
                    Next::One => at += 1,
                    Next::At(to) => at = to as usize,
                },
            }
        }
    }

    /// What messages have most is found by one jump: each match within another one is a further one.
    #[inline(always)]
    fn step(&mut self, ins: &Ins) -> Option<Next> {
        match *ins {
            Ins::Move { to, from } => self.set(to, self.get(from)),
            Ins::Load { to, base, plus, width } => {
                let number = self.load(self.get(base) + u64::from(plus), width);
                self.set(to, number);
            }
            Ins::Add { to, base, plus, size } => self.set(to, self.get(base) + u64::from(plus) + self.get(size)),
            Ins::Equal { to, a, b } => self.set(to, u64::from(self.get(a) == self.get(b))),
            Ins::Jump { to } => return Some(Next::At(to)),
            Ins::Unless { test, to } if self.get(test) == 0 => return Some(Next::At(to)),
            Ins::Unless { .. } => {}
            Ins::Next { index, count, to } => {
                let next = self.get(index) + 1;
                self.set(index, next);
                if next < self.get(count) {
                    return Some(Next::At(to));
                }
            }
            Ins::Charge { times, each } => self.pay(self.get(times).saturating_mul(self.get(each)))?,
            Ins::Need { to, at, size } => self.set(to, self.needed(self.get(at), self.get(size))?),
            Ins::Least { to, size, least } => {
                self.set(to, Some(self.get(size)).filter(|size| *size >= u64::from(least))?);
            }
            Ins::Fit { to, count, least, at } => self.set(to, self.fitting(self.get(count), self.get(least), at)?),
            Ins::Follow { to, base, offset } => self.set(to, self.target(base, self.get(offset))?),
            Ins::Expect { have, want } => return (self.get(have) == self.get(want)).then_some(Next::One),
            Ins::Whole { to, table, at, acting, want } => {
                self.extent(to, table, (at, acting))?;
                return (self.get(to) == self.get(want)).then_some(Next::One);
            }
            Ins::Check { to, base, plus, want, width } => {
                let number = self.load(self.get(base) + u64::from(plus), width);
                self.set(to, number);
                return (number == self.get(want)).then_some(Next::One);
            }
            Ins::Goto { to, base, plus, width, from } => self.goto(to, (base, plus, width), from)?,
            Ins::Linked { of } => self.link(of)?,
            Ins::Piece { to, at, of } => self.piece(to, self.get(at), of)?,
            Ins::Head { to, table, at } => self.head(to, table, at)?,
            Ins::Fields { table, at, extent, version } => {
                self.fields(table, self.get(at), (self.get(extent), self.get(version)));
            }
            Ins::Run { table, record, at, extent, version } => {
                self.run_of((table, record), self.get(at), (self.get(extent), self.get(version)));
            }
            Ins::Elements { to, at, count, of } => self.elements(to, (at, count), of)?,
            Ins::Counted { to, table, at, text } => self.octets_behind(to, (table, at), text)?,
            Ins::Group { of } => self.group(of)?,
            Ins::Mark { to, count } => self.mark(to, self.get(count))?,
            Ins::Gather { mark, list } => self.gather(self.get(mark), list),
            Ins::Make { record, count, order } => self.make(record, usize::from(count), order),
            _ => self.rare(ins)?,
        }
        Some(Next::One)
    }

    #[inline(always)]
    fn rare(&mut self, ins: &Ins) -> Option<()> {
        match *ins {
            Ins::Behind { to, at, count, each } => self.set(to, self.get(at) + self.get(count) * u64::from(each)),
            Ins::Element { to, base, plus, index, stride } => {
                let at = self.get(base) + u64::from(plus) + self.get(index) * u64::from(stride);
                self.set(to, at);
            }
            Ins::AtLeast { to, a, b } => self.set(to, u64::from(self.get(a) >= self.get(b))),
            Ins::Present { to, extent, version, since, reach } => {
                let there = self.get(version) >= u64::from(since) && self.get(extent) >= u64::from(reach);
                self.set(to, u64::from(there));
            }
            Ins::Descend => self.depth = self.depth.checked_sub(1)?,
            Ins::Ascend => self.depth += 1,
            Ins::Extra { times, each } => self.extra(self.get(times).saturating_mul(self.get(each)))?,
            Ins::ExtraWithin { table, extent } => {
                self.extra(self.flat.module[table].extra_within(self.get(extent)))?;
            }
            Ins::Extent { to, table, at, acting } => self.extent(to, table, (at, acting))?,
            _ => self.value(ins)?,
        }
        Some(())
    }

    #[inline]
    fn mark(&mut self, to: Reg, count: u64) -> Option<()> {
        self.set(to, self.values.len() as u64);
        // Elements that the budget does not pay for are not made: each costs at least eight.
        let count = usize::try_from(count.min(self.budget / 8)).ok()?;
        self.values.try_reserve(count + FIELDS).ok()
    }

    #[inline]
    fn gather(&mut self, mark: u64, list: ListId) {
        let made = self.evaluator.target.list_of_last(&self.flat.module[list], self.values, mark as usize);
        self.values.push(made);
    }

    #[inline]
    fn make(&mut self, record: TypeId, count: usize, order: u32) {
        let order = match order {
            0 => &[],
            order => &self.flat.lists[order as usize - 1..][..count],
        };
        let made = self.evaluator.target.record_of_last(record, self.values, (count, order));
        self.values.push(made);
    }

    #[inline(always)]
    pub(super) fn fitting(&self, count: u64, least: u64, at: Reg) -> Option<u64> {
        let size = u128::from(count) * u128::from(least);
        (size <= u128::from(self.evaluator.left(self.get(at)))).then_some(count)
    }

    #[inline(always)]
    fn value(&mut self, ins: &Ins) -> Option<()> {
        let value = match *ins {
            Ins::Scalar { base, plus, scalar } => {
                let scalar = &self.flat.scalars[usize::from(scalar)];
                self.evaluator.scalar(self.get(base) + u64::from(plus), scalar)
            }
            Ins::Decimal { base, plus } => {
                let bytes = self.evaluator.slice(self.get(base) + u64::from(plus), 16);
                let scalar = Scalar::new(Repr::Decimal, Type::Decimal);
                is_decimal(bytes).then(|| self.evaluator.target.wide(&scalar, sixteen(bytes)))?
            }
            Ins::Chars { base, plus, width, encoding } => {
                self.evaluator.chars(self.get(base) + u64::from(plus), width, encoding)
            }
            Ins::Bytes { at, size, text } => {
                let bytes = self.evaluator.slice(self.get(at), self.get(size));
                self.evaluator.target.bytes(bytes, text)
            }
            Ins::Literal { value } => self.evaluator.target.literal(&self.flat.module[value].value),
            Ins::Row { base, plus, count, scalar } => {
                let scalar = &self.flat.scalars[usize::from(scalar)];
                let size = self.get(count) * u64::from(scalar.repr.width());
                let bytes = self.evaluator.slice(self.get(base) + u64::from(plus), size);
                self.evaluator.target.row(scalar, bytes, self.flat.module.byte_order)
            }
            Ins::Arm { union, tag } => {
                let arm = self.values.pop()?;
                self.evaluator.target.choice(union, self.get(tag), arm)
            }
            Ins::Octets { aim, text } => self.octets(aim, text)?,
            Ins::Bits { at, count, scalar, list } => self.bits(self.get(at), self.get(count), scalar, list),
            Ins::Strided { at, count, stride, scalar, list } => {
                self.strided(self.get(at), (self.get(count), self.get(stride)), scalar, list)
            }
            Ins::Keep { at, segment } => self.keep(self.get(at), self.get(segment))?,
            _ => return self.guard(ins),
        };
        self.values.push(value);
        Some(())
    }

    #[inline(always)]
    fn guard(&mut self, ins: &Ins) -> Option<()> {
        let end = self.evaluator.end;
        let (to, number) = match *ins {
            Ins::Root { to, offset, start } => {
                (to, self.get(start).checked_add(self.get(offset)).filter(|at| *at <= end)?)
            }
            Ins::End { to } => (to, end),
            Ins::Lack { to, of, block, pointers, version } => {
                let lacks = &self.flat.module.lacks[usize::from(of)];
                (to, lacks.within(self.get(block), self.get(pointers), self.get(version)))
            }
            Ins::Bound { size, head } => {
                let size = self.get(size);
                self.evaluator.end = Some(size).filter(|size| *size <= end && *size >= u64::from(head))?;
                return Some(());
            }
            Ins::Same { size, end } => return (self.get(size) == self.get(end)).then_some(()),
            Ins::Refuse => return None,
            _ => return self.pointed(ins),
        };
        self.set(to, number);
        Some(())
    }

    /// The place that a link leads to, which counts from another.
    #[inline(always)]
    pub(super) fn target(&self, base: Reg, link: u64) -> Option<u64> {
        Some(self.get(base) + link).filter(|target| link != 0 && *target <= self.evaluator.end)
    }

    pub(super) fn pay(&mut self, amount: u64) -> Option<()> {
        self.budget = self.budget.checked_sub(amount)?;
        Some(())
    }

    pub(super) fn extra(&mut self, amount: u64) -> Option<()> {
        self.pay(if self.evaluator.surcharge { amount } else { 0 })
    }

    pub(super) fn needed(&self, at: u64, size: u64) -> Option<u64> {
        (size <= self.evaluator.left(at)).then_some(size)
    }

    /// A number of 1, 2, 4 or 8 bytes: where there are eight of which it is the first, the others are shifted away, without a jump.
    #[inline(always)]
    pub(super) fn load(&self, at: u64, width: u8) -> u64 {
        if let (true, Some(eight)) =
            (self.is_little, self.evaluator.bytes.get(at as usize..).and_then(<[u8]>::first_chunk))
        {
            let shift = 64 - 8 * u32::from(width);
            return u64::from_le_bytes(*eight) << shift >> shift;
        }
        number(self.evaluator.slice(at, width.into()), self.flat.module.byte_order)
    }

    fn extent(&mut self, to: Reg, table: TableId, (at, acting): (Reg, Reg)) -> Option<()> {
        let run = &self.flat.runs[table.0 as usize];
        let size = self.sized((run, table), self.get(at), self.get(acting))?;
        self.set(to, size);
        Some(())
    }

    /// The size of a run at a place, whose bytes are there.
    #[inline]
    pub(super) fn sized(&mut self, (run, table): (&Run, TableId), at: u64, acting: u64) -> Option<u64> {
        let size = match (run.extent, run.stated) {
            (Extent::Acting, _) => acting,
            (Extent::Stated { head }, stated) => {
                self.needed(at, head.into())?;
                let stated = stated.map_or(run.size, |(plus, width)| self.load(at + u64::from(plus), width));
                Some(stated).filter(|size| *size >= u64::from(head) || run.stated.is_none())?
            }
            _ => run.size,
        };
        self.needed(at, size)?;
        self.pay(size)?;
        if size == run.size {
            self.extra(run.extra)?;
        } else if run.has_extras {
            self.extra(self.flat.module[table].extra_within(size))?;
        }
        Some(size)
    }

    pub(super) fn head(&mut self, to: Reg, table: TableId, at: Reg) -> Option<()> {
        let run = &self.flat.runs[table.0 as usize];
        let at = self.get(at);
        self.needed(at, run.size)?;
        self.pay(run.size)?;
        let mut next = to;
        for (plus, width, wanted) in &run.registers {
            let have = self.load(at + u64::from(*plus), *width);
            match wanted {
                Some(wanted) if have != *wanted => return None,
                Some(_) => {}
                None => {
                    self.set(next, have);
                    next += 1;
                }
            }
        }
        self.set(next, at + run.size);
        Some(())
    }

    pub(super) fn fields(&mut self, table: TableId, at: u64, have: (u64, u64)) {
        let run = &self.flat.runs[table.0 as usize];
        let whole = have.0 >= run.size && have.1 >= run.newest;
        let bytes = &self.evaluator.bytes[at as usize..];
        if whole && self.evaluator.target.whole(table, bytes, self.values) {
            return;
        }
        let mut index = 0;
        while let Some(slot) = run.slots.get(index) {
            index += 1;
            if whole || (u64::from(slot.reach) <= have.0 && u64::from(slot.since) <= have.1) {
                let value = self.slot(slot, (table, at), have);
                self.values.extend(value);
                continue;
            }
            let value = match slot.missing {
                Some(missing) => self.evaluator.target.literal(&self.flat.module[missing].value),
                None => self.evaluator.target.null(),
            };
            self.values.push(value);
            if let Kind::Nest { slots } = slot.what {
                index += usize::from(slots);
            }
        }
    }

    /// The record of a run.
    fn run_of(&mut self, (table, record): (TableId, TypeId), at: u64, have: (u64, u64)) {
        let run = &self.flat.runs[table.0 as usize];
        if have.0 >= run.size && have.1 >= run.newest {
            let bytes = &self.evaluator.bytes[at as usize..];
            if let Some(made) = self.evaluator.target.run((table, record), bytes) {
                self.values.push(made);
                return;
            }
        }
        let before = self.values.len();
        self.fields(table, at, have);
        let count = self.values.len() - before;
        let made = self.evaluator.target.record_of_last(record, self.values, (count, &[]));
        self.values.push(made);
    }

    /// A list of records that are runs.
    pub(super) fn elements(&mut self, to: Reg, (at, count): (Reg, Reg), of: u16) -> Option<()> {
        let (table, record, list) = self.flat.elements[usize::from(of)];
        let list = &self.flat.module[list];
        let (at, count, each) = (self.get(at), self.get(count), self.flat.runs[table.0 as usize].size);
        let size = self.needed(at, count.checked_mul(each)?)?;
        let bytes = self.evaluator.slice(at, size);
        let made = match self.evaluator.target.runs((table, record), bytes, count as usize, list) {
            Some(made) => made,
            None => {
                let first = self.values.len();
                self.values.try_reserve(count as usize).ok()?;
                let all = (u64::MAX, u64::MAX);
                (0..count).for_each(|index| self.run_of((table, record), at + index * each, all));
                self.evaluator.target.list_of_last(list, self.values, first)
            }
        };
        self.values.push(made);
        self.set(to, at + size);
        Some(())
    }

    /// The value of a slot that is there; none where a record begins.
    #[inline(always)]
    fn slot(&mut self, slot: &Slot, (table, base): (TableId, u64), have: (u64, u64)) -> Option<T::Value> {
        let at = base + u64::from(slot.at);
        let target = &mut *self.evaluator.target;
        Some(match slot.what {
            Kind::Sure { width, scalar } => {
                let scalar = &self.flat.scalars[usize::from(scalar)];
                let bits = number(&self.evaluator.bytes[at as usize..][..width.into()], self.flat.module.byte_order);
                target.scalar(scalar, bits ^ scalar.xor)
            }
            Kind::Scalar { width, scalar } => {
                let scalar = &self.flat.scalars[usize::from(scalar)];
                let bits = number(&self.evaluator.bytes[at as usize..][..width.into()], self.flat.module.byte_order);
                match is_null(scalar, bits ^ scalar.xor) {
                    true => target.null(),
                    false => target.scalar(scalar, bits ^ scalar.xor),
                }
            }
            Kind::Literal(value) => target.literal(&self.flat.module[value].value),
            Kind::Nest { .. } => return None,
            Kind::Make { record, count } => {
                self.evaluator.target.record_of_last(record, self.values, (usize::from(count), &[]))
            }
            Kind::Row { index } => {
                let row = &self.flat.module[table].rows[usize::from(index)];
                self.evaluator.row(base, row, row.plain()?, have)
            }
        })
    }
}

/// A number of 1, 2, 4 or 8 bytes, zero-extended.
#[inline(always)]
fn number(bytes: &[u8], order: ByteOrder) -> u64 {
    match (bytes, order) {
        ([one], _) => u64::from(*one),
        ([a, b], ByteOrder::Little) => u64::from(u16::from_le_bytes([*a, *b])),
        ([a, b, c, d], ByteOrder::Little) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        ([a, b, c, d, e, f, g, h], ByteOrder::Little) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        _ => super::super::load::load(bytes, order),
    }
}
