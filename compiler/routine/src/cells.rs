//! Plain values of a run, by smaller operations.

use crate::code::Emit;
use crate::module::{Cell, Hint, Row};
use crate::op::{Have, Ty, What};
use crate::operand::{Arg, Place, Sym};

/// The rows of a run that begins at `base`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub base: Sym,
    pub have: Have,
    /// The bytes that are there in any case.
    pub sure: u32,
    /// Rows of this version and of older ones are there in any case.
    pub since: u32,
}

impl Rows {
    pub fn place(&self, at: u32) -> Place {
        Place { base: self.base, plus: at }
    }

    /// Whether what ends after `reach` bytes and came with version `since` is there; nothing where it always is.
    pub fn there(&self, emit: &mut impl Emit, since: u32, reach: u32) -> Option<Sym> {
        let Have::Within { extent, version } = self.have else { return None };
        let always = since <= self.since || version == Arg::Const(u64::MAX);
        if always && reach <= self.sure {
            return None;
        }
        Some(emit.role(What::Present { since, reach, extent, version }, Ty::Bool, "there"))
    }

    /// A row with what lies in it, or what stands for it.
    pub fn row(&self, emit: &mut impl Emit, row: &Row, cell: &Cell) -> Sym {
        match self.there(emit, row.since, row.reach) {
            None => self.cell(emit, row, cell),
            Some(there) => {
                // Nothing that lies in a row is asked for again.
                let (sure, since) = (self.sure.max(row.reach), self.since.max(row.since));
                let inner = Rows { sure, since, ..*self };
                let read = |emit: &mut _| vec![inner.cell(emit, row, cell).into()];
                emit.branch(there, read, |emit| vec![missing(emit, row).into()])[0]
            }
        }
    }

    fn cell(&self, emit: &mut impl Emit, row: &Row, cell: &Cell) -> Sym {
        let hint = row.name.map_or(Hint::Role("item"), Hint::Name);
        self.value(emit, (row.at, row.width), cell, hint)
    }

    /// The plain value at `at` from the base on, `width` bytes wide.
    pub fn value(&self, emit: &mut impl Emit, (at, width): (u32, u32), cell: &Cell, hint: Hint) -> Sym {
        let place = self.place(at);
        match cell {
            Cell::Scalar(scalar) => emit.bind(What::Scalar { place, scalar: scalar.clone() }, Ty::Val, hint),
            Cell::Chars(encoding) => emit.bind(What::Chars { place, width, encoding: *encoding }, Ty::Val, hint),
            Cell::Row { count, scalar, of } => {
                let what =
                    What::Row { at: place, count: Arg::Const(u64::from(*count)), scalar: scalar.clone(), of: *of };
                emit.bind(what, Ty::Val, hint)
            }
            Cell::Array { count, stride, element, of } => {
                emit.each_free(Arg::Const(u64::from(*count)), *of, |emit, index| {
                    let count = Arg::Const(u64::from(*count));
                    let what = What::Element { place, index, stride: *stride, count };
                    let base = emit.role(what, Ty::Pos, "at");
                    let rows = Rows { base, have: Have::All, sure: *stride, since: 0 };
                    rows.value(emit, (0, *stride), element, Hint::Role("item"))
                })
            }
            Cell::Nest { record, rows } => {
                let fields = rows.iter().filter_map(|row| match &row.holds {
                    crate::module::Holds::Cell(cell) if row.field.is_some() => Some(self.row(emit, row, cell)),
                    _ => None,
                });
                let fields = fields.collect();
                emit.bind(What::Make { record: *record, fields }, Ty::Val, hint)
            }
            Cell::Literal(value) => emit.bind(What::Literal { value: *value }, Ty::Val, hint),
        }
    }
}

/// The value that stands for a row that is not there.
fn missing(emit: &mut impl Emit, row: &Row) -> Sym {
    let hint = row.name.map_or(Hint::Role("item"), Hint::Name);
    // Rows of fields have one.
    let value = row.missing.unwrap_or(crate::operand::LiteralId(0));
    emit.bind(What::Literal { value }, Ty::Val, hint)
}
