//! Erlang as the Erlang back end writes it: a tree of its functions, and the reader that makes it.
//!
//! This is not all of Erlang but the part that generated codecs are made of. What is none of it is an error: a new
//! construct there needs a new one here.

mod lexer;
mod parser;
mod tree;

pub(crate) use parser::parse;
pub(crate) use tree::{Clause, Expr, Form, Function, Generator, Segment, Try};
