//! Readers: bytes to records.
//!
//! A reader throws faults (see the runtime's `aldis_wire`) and is otherwise a plain function of bytes, base and state.

mod cuts;
pub(crate) mod field;
mod link;
pub(crate) mod message;
pub(crate) mod node;
pub(crate) mod record;
mod repeat;
mod run_table;
mod table;
pub(crate) mod value;
pub(crate) mod weight;
