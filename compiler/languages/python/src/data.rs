//! Data of the compiler's as Python: constants that the runtime walks.

use crate::py::{name, Expr};
use aldis_routine::data::Datum;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    One(Datum),
    /// A dict of more than one line.
    Named(Vec<(&'static str, Datum)>),
}

/// The data as a constant, whose lists are tuples.
pub(crate) fn constant(datum: &Datum) -> Expr {
    match datum {
        Datum::None => name("None"),
        Datum::Bool(value) => name(if *value { "True" } else { "False" }),
        Datum::Int(number) => Expr::Int(*number),
        Datum::Float(number) => Expr::Float(*number),
        Datum::Text(text) => Expr::Text(text.clone()),
        Datum::Bytes(bytes) => Expr::Bytes(bytes.clone()),
        Datum::List(items) => Expr::Tuple(items.iter().map(constant).collect()),
    }
}
