//! Erlang as a tree: expressions, patterns, clauses and functions. It is printed once; Elixir's back end rewrites it before that.
//!
//! Generated codecs are made of a part of Erlang, and of that part are the trees: a new construct needs a new one here. Emitters
//! write templates as text ([`quote`]), which become trees where they stand, around other trees ([`quote_with`]).

mod atoms;
mod callee;
mod lexer;
mod operators;
mod print;
mod quote;
mod simple;
mod tree;
mod visit;

pub(crate) use atoms::{atom, is_reserved, Atom, NULL, RESERVED};
pub(crate) use callee::Callee;
pub(crate) use print::{clause_of, of};
pub use quote::Macro;
pub(crate) use quote::{macro_of, quote, quote_with, quotes};
pub(crate) use simple::simplify;
pub(crate) use tree::{flat, trees};
pub use tree::{Clause, Expr, Form, Function, Generator, Try};
pub(crate) use visit::{called, mark_unused, variables};

impl From<&str> for Expr {
    fn from(template: &str) -> Self {
        quote(template)
    }
}

impl From<&String> for Expr {
    fn from(template: &String) -> Self {
        quote(template)
    }
}

impl From<String> for Expr {
    fn from(template: String) -> Self {
        quote(template)
    }
}
