//! Writers: records to bytes.
//!
//! In forms without links a writer returns iodata. In forms with links everything that belongs to a record is contiguous
//! and links count from its first byte, so a writer is told where its bytes will begin, and returns them with where
//! they end.

mod node;
mod run;
mod scalar;
mod table;
mod target;

pub(crate) use node::{head_binary, head_parts};
