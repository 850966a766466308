//! The output of a function that writes, put together.

use crate::py::{Expr, Stmt};

/// A place behind one that a variable holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pos {
    pub base: String,
    pub plus: i64,
}

impl Pos {
    pub fn behind(&self, bytes: u64) -> Pos {
        Pos { base: self.base.clone(), plus: self.plus + bytes as i64 }
    }
}

/// Bytes in the order in which they are written.
#[derive(Debug)]
pub(super) enum Piece {
    /// So many bytes, with what lies in them.
    Fixed(u32, Vec<Slot>),
    Bytes(Expr),
    /// The name of a list of bytes.
    Many(String),
    /// A table whose cells a loop fills in.
    Table(usize),
    /// Bytes that are there already.
    Spot(Spot),
}

/// Bytes that are filled in when the block ends in which they were reserved.
#[derive(Debug)]
pub(super) struct Spot {
    pub at: Pos,
    pub slots: Vec<Slot>,
    /// Those that something is stored in by then.
    pub stored: Vec<u32>,
}

/// The contents of a stretch at a place: a `struct` code and a value.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub at: u32,
    pub code: String,
    pub width: u32,
    pub value: Expr,
}

/// Cells of one size, side by side.
#[derive(Debug)]
pub(super) struct Table {
    pub size: u32,
    pub slots: Vec<Slot>,
    /// The list of cells, or of the only number in each.
    pub cells: Option<String>,
    /// How many ways were open where its bytes were reserved.
    pub ways: usize,
}

/// The place of bytes that are written later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Region {
    Piece { block: usize, piece: usize, at: u32 },
    Cell { table: usize, at: u32 },
}

impl Region {
    pub fn behind(self, bytes: u32) -> Region {
        match self {
            Region::Piece { block, piece, at } => Region::Piece { block, piece, at: at + bytes },
            Region::Cell { table, at } => Region::Cell { table, at: at + bytes },
        }
    }
}

/// A place outside of a way that it fills in, and the variable with what is put there.
pub(super) type Filled = (Region, String, Slot);

/// The output of a function.
#[derive(Debug, Default)]
pub(super) struct Out {
    /// By block that is open.
    pub pieces: Vec<Vec<Piece>>,
    pub tables: Vec<Table>,
    /// By block that is one way of several: the places outside of it that it fills in, and the variables with what it puts there.
    pub filled: Vec<Vec<Filled>>,
    /// The head says how many bytes there are.
    pub has_total: bool,
    /// The bytes that a message in segments has taken of those that it begins with.
    pub reserved: u32,
    /// The variable with the place of the element that a loop over a list in segments is at.
    pub seat: Option<String>,
}

impl Out {
    /// Whether a place lies outside of the way that is open.
    pub fn is_outside(&self, region: Region) -> bool {
        match region {
            Region::Piece { block, .. } => block + 1 < self.pieces.len(),
            Region::Cell { table, .. } => self.tables[table].ways < self.filled.len(),
        }
    }
}

/// A variable for pieces of any kind.
pub(super) fn anything(own: &str, value: Option<Expr>) -> Stmt {
    Stmt::Assign { name: own.to_owned(), ty: Some("Any".to_owned()), value, doc: String::new() }
}
