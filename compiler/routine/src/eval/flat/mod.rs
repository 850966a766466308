//! The flat program: routines that read as one row of small instructions, for speed.
//!
//! Numbers are in registers, of which each call has its own; values are on a stack, on which each is pushed as it is made and from which
//! records and lists take their parts. Budget and depth, which are never in two states at once, are the machine's. What
//! goes wrong is only noticed here: the plain evaluator tells where and why, on a second pass.

mod assemble;
mod cells;
mod elements;
mod fuse;
mod groups;
mod pieces;
mod points;
mod pool;
mod run;
mod segments;
mod ways;

use super::{Counter, Fault, Found, Target};
use crate::expand::{expand, Large};
use crate::module::{Module, Purpose};
use crate::operand::{ListId, LiteralId, RoutineId, TableId};
use aldis_plan::{Limits, Scalar};
use aldis_schema::{Encoding, TypeId};
use assemble::Assembler;
use cells::{Group, Linked, Run};
use pieces::Piece;
use run::{Machine, Room};

/// The operations that are made of smaller ones. The others are one instruction each, or some that are written for them.
const SMALLER: [Large; 3] = [Large::Counted, Large::Scalars, Large::Unpaid];

/// The routines of a module that read, ready to run.
#[derive(Debug)]
pub struct Flat {
    program: Program,
    /// That of the last message.
    room: Room,
}

/// What does not change while messages are read.
#[derive(Debug)]
struct Program {
    module: Module,
    code: Vec<Ins>,
    /// By routine: its first instruction, and how many registers it has. Only those that are called have any.
    starts: Vec<(u32, u16)>,
    constants: Vec<u64>,
    /// The arguments of calls, and the order in which records take fields.
    lists: Vec<Reg>,
    scalars: Vec<Scalar>,
    /// Elements that are runs: the table, the record, and the list.
    elements: Vec<(TableId, TypeId, ListId)>,
    /// Texts and bytes that links lead to.
    linked: Vec<Linked>,
    /// Records that one instruction reads.
    pieces: Vec<Piece>,
    groups: Vec<Group>,
    /// By table.
    runs: Vec<Run>,
}

/// A register of the routine, or with the uppermost bit a constant.
type Reg = u16;

/// The bit that tells constants from registers.
const CONSTANT: Reg = 0x8000;

/// One instruction. Its meaning is that of the operation of the same name; `to` is the register that it sets.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ins {
    Move {
        to: Reg,
        from: Reg,
    },
    Load {
        to: Reg,
        base: Reg,
        plus: u32,
        width: u8,
    },
    Add {
        to: Reg,
        base: Reg,
        plus: u32,
        size: Reg,
    },
    Behind {
        to: Reg,
        at: Reg,
        count: Reg,
        each: u32,
    },
    Element {
        to: Reg,
        base: Reg,
        plus: u32,
        index: Reg,
        stride: u32,
    },
    Equal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    AtLeast {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Present {
        to: Reg,
        extent: Reg,
        version: Reg,
        since: u32,
        reach: u32,
    },
    Need {
        to: Reg,
        at: Reg,
        size: Reg,
    },
    Least {
        to: Reg,
        size: Reg,
        least: u32,
    },
    Expect {
        have: Reg,
        want: Reg,
    },
    /// A load, and that it is so.
    Check {
        to: Reg,
        base: Reg,
        plus: u32,
        want: Reg,
        width: u8,
    },
    /// A load of a link, and in the register behind it the place where the link leads to.
    Goto {
        to: Reg,
        base: Reg,
        plus: u32,
        width: u8,
        from: Reg,
    },
    /// An extent, and that it is so.
    Whole {
        to: Reg,
        table: TableId,
        at: Reg,
        acting: Reg,
        want: Reg,
    },
    /// The value that a link leads to, or a literal.
    Linked {
        of: u16,
    },
    /// The record at a place, and the place behind it.
    Piece {
        to: Reg,
        at: Reg,
        of: u16,
    },
    Fit {
        to: Reg,
        count: Reg,
        least: Reg,
        at: Reg,
    },
    Follow {
        to: Reg,
        base: Reg,
        offset: Reg,
    },
    Root {
        to: Reg,
        offset: Reg,
        start: Reg,
    },
    Bound {
        size: Reg,
        head: u32,
    },
    Same {
        size: Reg,
        end: Reg,
    },
    End {
        to: Reg,
    },
    Refuse,
    Charge {
        times: Reg,
        each: Reg,
    },
    Extra {
        times: Reg,
        each: Reg,
    },
    ExtraWithin {
        table: TableId,
        extent: Reg,
    },
    Lack {
        to: Reg,
        of: u16,
        block: Reg,
        pointers: Reg,
        version: Reg,
    },
    /// One level down, and up again.
    Descend,
    Ascend,
    Jump {
        to: u32,
    },
    /// Jumps where the number is zero.
    Unless {
        test: Reg,
        to: u32,
    },
    /// The next element begins, at the instruction `to`, if there is one.
    Next {
        index: Reg,
        count: Reg,
        to: u32,
    },
    /// The arguments, which become the first registers of the routine called, are in the lists, `count` from `args` on; its registers come
    /// behind `frame` of the caller's.
    Call {
        to: Reg,
        routine: u16,
        args: u32,
        count: u16,
        frame: Reg,
    },
    Return {
        from: Reg,
    },
    /// How many values there are by now. So many more come, for which there must be memory.
    Mark {
        to: Reg,
        count: Reg,
    },
    /// The values from the mark on are a list.
    Gather {
        mark: Reg,
        list: ListId,
    },
    Scalar {
        base: Reg,
        plus: u32,
        scalar: u16,
    },
    Decimal {
        base: Reg,
        plus: u32,
    },
    Chars {
        base: Reg,
        plus: u32,
        width: u32,
        encoding: Encoding,
    },
    Bytes {
        at: Reg,
        size: Reg,
        text: Option<Encoding>,
    },
    /// A head, whose number fits, and so many bytes behind it.
    Counted {
        to: Reg,
        table: TableId,
        at: Reg,
        text: Option<Encoding>,
    },
    Literal {
        value: LiteralId,
    },
    Row {
        base: Reg,
        plus: u32,
        count: Reg,
        scalar: u16,
    },
    /// The last `count` values are the record's fields, as they come, or in the order in the lists that begins at `order` − 1.
    Make {
        record: TypeId,
        count: u16,
        order: u32,
    },
    Extent {
        to: Reg,
        table: TableId,
        at: Reg,
        acting: Reg,
    },
    /// Sets the registers from `to` on to those that are wanted of the head, and the position behind it.
    Head {
        to: Reg,
        table: TableId,
        at: Reg,
    },
    Fields {
        table: TableId,
        at: Reg,
        extent: Reg,
        version: Reg,
    },
    /// Fields, all of which are a record.
    Run {
        table: TableId,
        record: TypeId,
        at: Reg,
        extent: Reg,
        version: Reg,
    },
    /// Elements that are runs, of whose number the size is known, side by side; `to` is the place behind them.
    Elements {
        to: Reg,
        at: Reg,
        count: Reg,
        of: u16,
    },
    /// A head, and the elements behind it.
    Group {
        of: u16,
    },
    Arm {
        union: TypeId,
        tag: Reg,
    },
    Open {
        to: Reg,
    },
    Aim {
        to: Reg,
        at: Reg,
        segment: Reg,
    },
    IsNull {
        to: Reg,
        aim: Reg,
    },
    IsList {
        aim: Reg,
    },
    /// Sets as many registers from `to` on as the operation binds numbers; so do a list and a seat.
    Sections {
        to: Reg,
        aim: Reg,
    },
    List {
        to: Reg,
        aim: Reg,
    },
    Seat {
        to: Reg,
        first: Reg,
        stride: Reg,
        data: Reg,
        index: Reg,
    },
    Eighths {
        to: Reg,
        count: Reg,
    },
    Short {
        to: Reg,
        bits: Reg,
    },
    Octets {
        aim: Reg,
        text: bool,
    },
    Bits {
        at: Reg,
        count: Reg,
        scalar: u16,
        list: ListId,
    },
    Strided {
        at: Reg,
        count: Reg,
        stride: Reg,
        scalar: u16,
        list: ListId,
    },
    Keep {
        at: Reg,
        segment: Reg,
    },
}

/// A small program stays in the processor's nearest memory.
const _: () = assert!(size_of::<Ins>() == 16);

impl Flat {
    /// The program of a module; `None` where it has more of something than instructions can number.
    pub fn new(module: &Module) -> Option<Self> {
        Self::of(module, |purpose| purpose == Purpose::Read)
    }

    /// The program of a module's routines that view; `None` where it has none, and as [`Flat::new`].
    pub fn of_views(module: &Module) -> Option<Self> {
        Self::of(module, Purpose::is_of_views).filter(|flat| !flat.program.module.opens.is_empty())
    }

    fn of(module: &Module, is_wanted: fn(Purpose) -> bool) -> Option<Self> {
        let module = expand(module.clone(), &SMALLER);
        let mut program = Assembler::new(&module)?.program(is_wanted)?;
        program.module = module;
        Some(Self { program: program.with_pieces(), room: Room::default() })
    }

    /// Reads a message as [`super::read`] does.
    ///
    /// # Errors
    /// As [`super::read`].
    ///
    /// # Panics
    /// As [`super::read`].
    pub fn read<T: Target>(
        &mut self,
        message: usize,
        bytes: &[u8],
        limits: &Limits,
        target: &mut T,
    ) -> Result<Found<T::Value>, Fault> {
        self.try_read(message, (bytes, limits), (target, &mut Vec::new()))
            .ok_or_else(|| self.program.fault(message, bytes, limits))
    }

    /// The same for those who ask elsewhere what is wrong; `None` where something is. The stack has the memory for values, and is empty
    /// before and after.
    #[inline]
    pub fn try_read<T: Target>(
        &mut self,
        message: usize,
        (bytes, limits): (&[u8], &Limits),
        (target, stack): (&mut T, &mut Vec<T::Value>),
    ) -> Option<Found<T::Value>> {
        let Self { program, room } = self;
        let mut machine = Machine::new(program, (bytes, limits), room, stack, target);
        let found = machine.run(program.module.messages[message]);
        let budget = machine.budget();
        stack.clear();
        found.map(|(value, size)| Found { value, size, budget })
    }

    /// A field of a message that was checked, whose record is `record`, by a program of routines that view; `None` where it was not.
    pub fn view<T: Target>(
        &mut self,
        (message, record, field): (usize, TypeId, usize),
        (bytes, limits): (&[u8], &Limits),
        (target, stack): (&mut T, &mut Vec<T::Value>),
    ) -> Option<T::Value> {
        let Self { program, room } = self;
        let views = program.module.views.get(record.index())?;
        let routines = (program.module.opens[message], views.get(field).copied()?);
        let mut machine = Machine::new(program, (bytes, limits), room, stack, target);
        let found = machine.view(routines);
        stack.clear();
        found
    }
}

impl Program {
    /// The fault of bytes that it gave up.
    #[cold]
    fn fault(&self, message: usize, bytes: &[u8], limits: &Limits) -> Fault {
        match super::read(&self.module, message, bytes, limits, &mut Counter::default()) {
            Err(fault) => fault,
            Ok(_) => unreachable!("a program fails where its routines fail"),
        }
    }

    fn start(&self, routine: RoutineId) -> (u32, u16) {
        self.starts[routine.0 as usize]
    }
}
