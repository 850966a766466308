//! The work on bytes, written once: routines between plan and languages.
//!
//! A [`Module`] holds, for each record and message of a plan, a [`Routine`] for each [`Purpose`]: a small tree of typed
//! operations ([`What`]) that reads it, writes it, or tells its size. Values are assigned once and named by symbols;
//! loops and branches name what they carry; what faults,
//! says where, and frames of the path are operations of their own. The order of faults is the order of operations.
//!
//! [`lower`] makes a module that reads of a plan, [`lower_for`] one for more purposes, [`check`] proves that it is well
//! formed, [`expand`] puts smaller operations in the
//! place of large ones, [`divide`] tells fast from careful, and [`eval`] executes it on bytes. Tests demand that the
//! evaluator gives what the interpreter gives.

mod cells;
mod charge;
mod check;
mod code;
pub mod data;
mod divide;
pub mod eval;
mod expand;
pub mod json;
mod levels;
mod lower;
mod module;
mod op;
mod operand;
mod order;
mod outline;
mod segments;
mod value;
pub mod visit;
mod write;

pub use check::{check, Mistake};
pub use divide::divide;
pub use expand::{expand, expand_routine, Large, WRITTEN};
pub use levels::{levels, levels_of};
pub use lower::{add_views, lower, lower_for};
pub use module::{
    Blank, Cell, Entry, Fixed, Hint, Holds, ListType, Literal, Module, Purpose, Put, Register, Routine, Row, Subject,
    Symbol, Table,
};
pub use op::{Block, Cut, Frame, Have, Op, Ty, What};
pub use operand::{Amount, Arg, BlankId, LackId, ListId, LiteralId, NameId, Place, RoutineId, Sym, TableId};
pub use outline::outline;
pub use segments::{Listed, Segments};
pub use value::Value;
pub use write::{Object, Write};
