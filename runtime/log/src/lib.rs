//! The files of the durable log, as `docs/log.md` describes them: checked, mended, read and brought to the newest version
//! without the server that writes them.
//!
//! Nothing here trusts a byte: what a file says of lengths is compared with the file's size before anything is read by it.

mod bytes;
mod error;
mod file;
mod finding;
mod folder;
mod index;
mod migrate;
mod owner;
mod record;
mod repair;
mod segment;
mod take;
mod walk;

pub use error::Error;
pub use finding::{Finding, Read, Summary};
pub use folder::Folder;
pub use migrate::migrate;
pub use record::Record;
pub use repair::repair;
