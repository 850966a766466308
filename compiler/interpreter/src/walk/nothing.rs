//! A walk for its faults alone.

use super::Sink;
use crate::fault::Fault;
use crate::scalar::Datum;
use crate::tables::Tables;
use crate::Value;
use aldis_plan::{Repr, Scalar};
use aldis_schema::{Type, TypeId};
use std::ops::Range;

/// Takes nothing of what it is told.
pub(crate) struct Nothing;

impl Sink for Nothing {
    const SORTED: bool = false;

    const FAULTS_ALONE: bool = true;

    fn begin_record(&mut self, _: TypeId, _: usize) {}

    fn end_record(&mut self, _: TypeId, _: usize) {}

    fn field(&mut self, _: &Tables, _: TypeId, _: usize) {}

    fn begin_list(&mut self, _: usize, _: usize) {}

    fn element(&mut self, _: usize) {}

    fn end_list(&mut self, _: usize) {}

    fn begin_choice(&mut self, _: &Tables, _: TypeId, _: u64, _: Option<usize>, _: Range<usize>) {}

    fn end_choice(&mut self, _: &Tables, _: TypeId) {}

    fn value(&mut self, _: &Tables, _: &Type, _: Datum<'_>, _: Range<usize>) -> Result<(), Fault> {
        Ok(())
    }

    fn tree(&mut self, _: &Tables, _: &Type, _: &Value, _: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn packs(scalar: &Scalar) -> bool {
        scalar.repr != Repr::Decimal
    }
}
