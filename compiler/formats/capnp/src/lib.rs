//! Cap'n Proto schemas.

mod ast;
pub mod codes;
pub mod lexer;
pub mod model;
mod parser;
mod similar;
