//! Erlang's functions as they are here: a tree like that of the Erlang back end, with what Elixir's rules ask besides.

mod convert;
mod tree;

pub(crate) use convert::{expr, forms};
pub(crate) use tree::{Clause, Expr, Form, Function, Generator, Segment, Try};
