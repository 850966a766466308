//! The parts that language back ends share: the [`Language`] trait, a printer for trees of text, and names.

mod apart;
mod cuts;
pub mod doc;
mod interfaces;
mod language;
mod literals;
mod modules;
pub mod names;
pub mod needs;
mod refusals;
mod requests;
mod runtime;
pub mod tables;
mod testee;
mod unpaid;

pub use apart::made_apart;
pub use cuts::{cuts, head_cuts, Cut, Name};
pub use interfaces::without_calls;
pub use language::{Extra, Generated, Language, Operations, OutputFile, Request, STRICT_TEXT};
pub use literals::{integer_of, json_string, quoted, text_of};
pub use modules::{Module, Modules};
pub use refusals::Refusals;
pub use requests::Requests;
pub use runtime::RUNTIME;
pub use testee::listing;
pub use unpaid::{takes_nothing, writes_unpaid};
