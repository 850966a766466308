//! Numbers in a data section, which are stored by how they differ from their default.

use crate::code::{quote, quote_with, Expr};
use crate::erl::call;
use crate::gen::Gen;
use crate::slots::{scalar_segment, unsigned, Floats};
use aldis_emit::integer_of;
use aldis_plan::{ByteOrder, Repr, Scalar};
use aldis_schema::Type;

/// Whether values are taken on trust of a guard or checked one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    Guarded,
    Checked,
}

/// How a number goes into a construction.
pub(super) struct Put {
    pub guard: Option<Expr>,
    pub segment: Expr,
}

/// Whether a number is matched and written as a float of the VM.
fn is_float(scalar: &Scalar) -> bool {
    matches!(scalar.repr, Repr::F32 | Repr::F64) && scalar.xor == 0
}

/// Whether a match of these numbers as floats fails on NaN.
pub(super) fn has_floats<'s>(mut scalars: impl Iterator<Item = &'s Scalar>) -> bool {
    scalars.any(is_float)
}

/// The segment that matches a number as it is stored.
pub(super) fn match_segment(scalar: &Scalar, var: &str, floats: Floats) -> Expr {
    match scalar.repr {
        Repr::Bit(_) => quote(format!("{var}:1")),
        repr => scalar_segment(repr, var, ByteOrder::Little, floats == Floats::Numbers && is_float(scalar)),
    }
}

/// The default's bits as the number that a match of them gives.
fn difference(scalar: &Scalar) -> i128 {
    match scalar.repr {
        Repr::Bit(bit) => i128::from(scalar.xor >> bit & 1),
        repr => integer_of(repr, scalar.xor),
    }
}

/// An expression with the default put in or taken out.
fn differing(scalar: &Scalar, value: &str) -> String {
    match difference(scalar) {
        0 => value.to_owned(),
        difference => format!("{value} bxor {difference}"),
    }
}

impl Gen<'_> {
    /// The value of a number that [`match_segment`] bound.
    pub(super) fn stored_value(&mut self, scalar: &Scalar, var: &str, floats: Floats) -> Expr {
        let value = differing(scalar, var);
        quote(match (scalar.repr, &scalar.ty) {
            (Repr::Bit(_), _) => format!("{var} =:= {}", 1 - difference(scalar)),
            (Repr::F32, _) if floats == Floats::Bits || !is_float(scalar) => format!("aldis_float:decode32({value})"),
            (Repr::F64, _) if floats == Floats::Bits || !is_float(scalar) => format!("aldis_float:decode64({value})"),
            (_, Type::Named(id)) => return call(self.name_reader(*id), [value]),
            _ => value,
        })
    }

    /// A number as the segment that stores it.
    pub(super) fn store(&mut self, scalar: &Scalar, var: &str, trust: Trust, path: &str) -> Put {
        let range = scalar.ty.as_int().map(|int| (int.min(), int.max()));
        let guarded = trust == Trust::Guarded;
        let (guard, value) = match (scalar.repr, range, &scalar.ty) {
            (Repr::Bit(_), ..) if guarded => (Some(format!("is_boolean({var})")), format!("bool({var})")),
            (Repr::Bit(_), ..) => (None, format!("aldis_check:bool({var}, {path})")),
            (Repr::F32, ..) if guarded && is_float(scalar) => {
                let guard = format!("is_float({var}), abs({var}) =< 3.4028234663852886e38");
                return Put { guard: Some(quote(guard)), segment: quote(format!("{var}:32/float-little")) };
            }
            (Repr::F64, ..) if guarded && is_float(scalar) => {
                return Put {
                    guard: Some(quote(format!("is_float({var})"))),
                    segment: quote(format!("{var}:64/float-little")),
                };
            }
            (Repr::F32, ..) => (None, format!("aldis_float:encode32({var}, {path})")),
            (Repr::F64, ..) => (None, format!("aldis_float:encode64({var}, {path})")),
            (_, Some((low, high)), _) if guarded => (Some(format!("?WITHIN({var}, {low}, {high})")), var.to_owned()),
            (_, Some((low, high)), _) => (None, format!("aldis_check:int({var}, {low}, {high}, {path})")),
            (_, _, Type::Named(id)) => (None, format!("{}({var}, {path})", self.number_writer(*id))),
            _ => (None, var.to_owned()),
        };
        let value = differing(scalar, &value);
        let segment = match scalar.repr {
            Repr::Bit(_) => quote_with("?1:1", [quote(value)]),
            repr => unsigned(value, repr.width(), ByteOrder::Little),
        };
        Put { guard: guard.map(quote), segment }
    }
}
