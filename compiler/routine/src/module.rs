//! A module: the routines of one schema in one wire form, and the tables that they refer to.

use crate::op::{Block, Ty};
use crate::operand::{Arg, BlankId, LackId, ListId, LiteralId, NameId, RoutineId, Sym, TableId};
use crate::value::Value;
use aldis_plan::{ByteOrder, Container, Extent, Lacks, Repr, Scalar, Shape};
use aldis_schema::{Encoding, Schema, Type, TypeId};
use std::sync::Arc;

macro_rules! index {
    ($($name:ident of $list:ident: $item:ty;)*) => {
        $(impl std::ops::Index<$name> for Module {
            type Output = $item;

            fn index(&self, id: $name) -> &Self::Output {
                &self.$list[id.0 as usize]
            }
        })*
    };
}

index! {
    RoutineId of routines: Routine;
    TableId of tables: Table;
    BlankId of blanks: Blank;
    NameId of names: String;
    LiteralId of literals: Literal;
    LackId of lacks: Lacks;
    ListId of lists: ListType;
}

/// All routines of a plan.
#[derive(Clone, Debug)]
pub struct Module {
    /// The wire form's name.
    pub form: String,
    pub byte_order: ByteOrder,
    pub container: Container,
    /// Purpose by purpose: those of records first, then those of messages.
    pub routines: Vec<Routine>,
    /// By message: the routine that reads it.
    pub messages: Vec<RoutineId>,
    /// By message: the routine that writes it, and the one that tells its size. Empty where the module has no such routines.
    pub writers: Vec<RoutineId>,
    pub sizers: Vec<RoutineId>,
    /// By message: the routine that checks it. Empty where the module has no such routines.
    pub checkers: Vec<RoutineId>,
    /// By record, by field: the routine that views it; and by message the one that opens it. Empty where the module has no such routines.
    pub views: Vec<Vec<RoutineId>>,
    pub opens: Vec<RoutineId>,
    /// By type: the fields of the records that have some at fixed places; nothing of all where the module has no routines that set.
    pub fixed: Vec<Option<Fixed>>,
    /// By message: how far from its first byte the first run of its record is written; nothing where no place is fixed.
    pub starts: Vec<Option<u32>>,
    pub tables: Vec<Table>,
    pub blanks: Vec<Blank>,
    /// Names of fields and registers, for paths and hints.
    pub names: Vec<String>,
    pub literals: Vec<Literal>,
    pub lists: Vec<ListType>,
    /// The charge of records for fields without bytes.
    pub lacks: Vec<Lacks>,
    /// By record, by field: what it is where the bytes end before it. Empty for types that are no record.
    pub missing: Vec<Vec<LiteralId>>,
    /// Types are as the schema has them.
    pub schema: Schema,
}

/// One routine: its purpose, its subject and its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Routine {
    pub of: Subject,
    pub purpose: Purpose,
    pub params: Vec<Sym>,
    /// Parameters behind which so many bytes are there, as a parameter or a number says: who calls sees to that.
    pub covered: Vec<(Sym, Arg)>,
    /// The types of the body's results.
    pub results: Vec<Ty>,
    pub body: Block,
    /// By [`Sym`]. Routines made of one another share them.
    pub symbols: Arc<[Symbol]>,
}

/// The purpose of a routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    Read,
    /// Writes; of a record in segments its own words alone.
    Write,
    /// Writes what the pointers of a record in segments lead to, whose own words are written: in the order of the pointers,
    /// each with all that it leads to before the next. It comes with [`Purpose::Write`].
    Targets,
    /// Tells how many bytes [`Purpose::Write`] writes: of a record in segments, how many its targets take.
    Size,
    /// Does what [`Purpose::Read`] does, in the same order and with the same faults and charges, and gives no values. Where an operation
    /// that may fault binds one, nothing uses it, and none need be made.
    Check,
    /// Gives where the record of a message is that was checked: what the record's routines take to view, in order.
    Open,
    /// Gives one field of a record in a message that was checked. Takes of where the record is `at`, `extent`, `version` and `base`; in segments
    /// of its two sections, and the segment. What it reads is known to be there, so that nothing guards it, and nothing in it faults.
    View(u32),
    /// Puts one field of a record where it lies, in a message that is written: takes `value`, `at` (where the record's first run is) and
    /// `out`, and gives `out`. A value that is refused may be stored in part.
    Set(u32),
    /// As [`Purpose::View`], of the whole record, and where it ends; in segments nothing lies behind it.
    Take,
    /// As [`Purpose::Take`], without the record.
    Skip,
}

impl Purpose {
    /// Whether such routines view or set fields where they lie.
    pub fn is_of_places(self) -> bool {
        self.is_of_views() || matches!(self, Purpose::Set(_))
    }

    /// Whether such routines only see messages that were checked.
    pub fn is_of_views(self) -> bool {
        matches!(self, Purpose::Open | Purpose::View(_) | Purpose::Take | Purpose::Skip)
    }
}

impl Purpose {
    /// Stands for all routines that set, where it is asked for.
    pub const SETS: Purpose = Purpose::Set(0);

    /// The purposes that can be asked for, beside [`Purpose::Skip`].
    pub const ALL: [Purpose; 6] =
        [Purpose::Read, Purpose::Write, Purpose::Size, Purpose::Check, Purpose::Open, Purpose::SETS];
}

/// The subject of a routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A record where it lies. Takes of `at` (its first byte), `extent` (what the last register said of its run's size),
    /// `version` (of the writer), `base` (what links count from), `root` (it is the message's own record), `budget` and
    /// `depth` what is used. Gives the value, the position behind what lies in place, and the budget.
    /// If records lie in segments it takes of `data`, `dataSize`, `pointers` and `pointersSize` (its two sections), `segment` (which they
    /// are in), `budget` and `depth` what is used, and gives the value and the budget.
    /// If it writes or tells a size it takes of `value`, `base` (what links count from), `out` and `depth` what is used, and gives `out`.
    /// If it writes into segments it takes of `value`, `at` (the record's own words, which are reserved), `out` and `depth` what is used.
    Record(TypeId),
    /// A whole message, from its first byte on (position 0, which it takes). Takes the budget of all bytes that were given, and the depth. Gives
    /// the value, its size, and the budget.
    /// If it writes or tells a size it takes the value, `out` and the depth, and gives `out`.
    Message(usize),
}

impl Subject {
    /// The record that it is about: a message's is its root.
    pub fn record(self, module: &Module) -> TypeId {
        match self {
            Subject::Record(record) => record,
            Subject::Message(index) => module.schema.messages[index].record,
        }
    }
}

/// The fields of a record whose places in its first run no value changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    /// The run, whose entries tell the places.
    pub blank: BlankId,
    /// Fields, each with the routine that sets it.
    pub setters: Vec<(u32, RoutineId)>,
    /// Fields that are records in place which have such fields themselves, and how much farther these lie behind the run's first
    /// byte than those of that record's own [`Fixed`].
    pub nests: Vec<(u32, TypeId, u32)>,
}

impl Fixed {
    /// Nothing of it can be set.
    pub fn is_empty(&self) -> bool {
        self.setters.is_empty() && self.nests.is_empty()
    }
}

/// A symbol's type, and words for its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub ty: Ty,
    pub hint: Hint,
}

/// A hint for the name of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// As a field or register of the schema.
    Name(NameId),
    /// As what it is for: `at`, `count`, `budget`.
    Role(&'static str),
}

/// A value of the module's.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    pub value: Value,
    pub ty: Type,
    /// It is null where none may be: the field has no value.
    pub lacks: bool,
}

/// A collection's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListType {
    pub shape: Shape,
    /// The type of the collection, never optional.
    pub ty: Type,
}

/// A run of bytes: what lies where. One for each run of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Bytes, as a writer of our version writes them.
    pub size: u32,
    pub extent: Extent,
    /// The newest version that a row, or a member of one, was added by.
    pub newest: u32,
    /// In the order of the plan's slots.
    pub rows: Vec<Row>,
    /// The charge for the rows within an extent beside their bytes: ends, ascending, each with the sum of all rows that end there
    /// or before.
    pub extras: Vec<(u64, u64)>,
}

impl Table {
    /// The surcharge of what lies within `extent` bytes.
    pub fn extra_within(&self, extent: u64) -> u64 {
        let within = self.extras.partition_point(|(end, _)| *end <= extent);
        within.checked_sub(1).map_or(0, |last| self.extras[last].1)
    }

    /// The place and the width of the number that says how many bytes a run has.
    pub fn stated(&self) -> Option<(u32, Repr)> {
        self.rows.iter().find_map(|row| match row.holds {
            Holds::Register(Register::Extent(repr)) => Some((row.at, repr)),
            _ => None,
        })
    }

    /// The rows that [`crate::What::Fields`] reads.
    pub fn plain(&self) -> impl Iterator<Item = (&Row, &Cell)> {
        self.rows.iter().filter_map(|row| Some((row, row.plain()?)))
    }
}

/// A run of bytes as a writer fills it in. Those for elements and cells have one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Blank {
    pub size: u32,
    /// The record whose fields they are; none in heads, and for elements and cells.
    pub record: Option<TypeId>,
    /// In the order in which they are written, which is that of faults.
    pub entries: Vec<Entry>,
}

/// A place in a blank.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Counts from the same place for the entries of a nest as for the nest.
    pub at: u32,
    pub width: u32,
    /// The type of the field.
    pub name: Option<NameId>,
    pub field: Option<u32>,
    /// Null may be given for the field.
    pub nullable: bool,
    pub put: Put,
}

impl Entry {
    pub fn end(&self) -> u32 {
        self.at + self.width
    }
}

/// The value that is put into an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Put {
    /// Nothing, or what operations of their own put there later: sizes of frames.
    Nothing,
    Number {
        repr: Repr,
        number: u64,
    },
    /// A number of elements or bytes; it is checked even where it takes no bytes.
    Count {
        repr: Repr,
        min: u64,
        max: u64,
    },
    Scalar(Scalar),
    Chars(Encoding),
    /// Elements at a stride.
    Array {
        count: u32,
        stride: u32,
        element: BlankId,
    },
    /// A record in place.
    Nest {
        record: TypeId,
        members: BlankId,
    },
    /// No bytes: the value is in the schema.
    Literal(LiteralId),
    /// Bytes that operations of their own write: links.
    Other,
}

impl Routine {
    /// Whether a symbol stands for state, and for no value.
    pub fn is_token(&self, sym: Sym) -> bool {
        self.symbols[sym.0 as usize].ty.is_state()
    }
}

impl Module {
    /// The name that a routine's symbol asks for.
    pub fn hint(&self, routine: &Routine, sym: Sym) -> &str {
        match routine.symbols[sym.0 as usize].hint {
            Hint::Name(name) => &self[name],
            Hint::Role(role) => role,
        }
    }

    /// A field of a record that nobody has given it: its default, or nothing where it may be nothing.
    pub fn new_field(&self, record: TypeId, field: usize) -> Literal {
        let missing = &self[self.missing[record.index()][field]];
        if !missing.lacks {
            return missing.clone();
        }
        let field = &self.schema.record(record).fields[field];
        Literal { value: Value::of_default(field, &self.schema), ty: field.ty.clone(), lacks: false }
    }

    /// Whether [`crate::Write::Cell`] can write an entry.
    pub fn is_plain(&self, entry: &Entry) -> bool {
        is_plain(&self.blanks, entry)
    }
}

pub(crate) fn is_plain(blanks: &[Blank], entry: &Entry) -> bool {
    match &entry.put {
        Put::Other => false,
        Put::Array { element: inner, .. } | Put::Nest { members: inner, .. } => {
            blanks[inner.0 as usize].entries.iter().all(|entry| is_plain(blanks, entry))
        }
        _ => true,
    }
}

/// A slot of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub at: u32,
    pub width: u32,
    pub since: u32,
    /// It is there where the extent is so many bytes or more: mostly its end; for a nested record that of the members of its
    /// first version.
    pub reach: u32,
    /// The name of the field or register.
    pub name: Option<NameId>,
    /// Index of the field that it is the value of.
    pub field: Option<u32>,
    /// The value of the field where the row is not there.
    pub missing: Option<LiteralId>,
    pub holds: Holds,
}

impl Row {
    pub fn end(&self) -> u32 {
        self.at + self.width
    }

    /// The plain value of a field.
    pub fn plain(&self) -> Option<&Cell> {
        match &self.holds {
            Holds::Cell(cell) if self.field.is_some() => Some(cell),
            _ => None,
        }
    }

    /// The members of a nested record.
    pub fn members(&self) -> &[Row] {
        match &self.holds {
            Holds::Cell(Cell::Nest { rows, .. }) | Holds::Nest(rows) => rows,
            _ => &[],
        }
    }
}

/// The content of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// A plain value: reading it never faults and charges nothing.
    Cell(Cell),
    /// A record, some member of which is not plain: operations of their own read it.
    Nest(Vec<Row>),
    /// Bytes that operations of their own read: decimals, links.
    Other,
    Register(Register),
    /// Nothing that is read.
    Ignored,
}

/// A number about the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// A head binds it.
    Wanted(Repr),
    /// It must be so much.
    Expected(Repr, u64),
    /// How many bytes this very run has.
    Extent(Repr),
    /// Nobody asks for it, or it takes no bytes.
    Unread,
}

/// A plain value in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No decimal.
    Scalar(Scalar),
    Chars(Encoding),
    /// Scalars side by side, without null.
    Row {
        count: u32,
        scalar: Scalar,
        of: ListId,
    },
    /// Elements at a stride, the first at the row's place.
    Array {
        count: u32,
        stride: u32,
        element: Box<Cell>,
        of: ListId,
    },
    /// A record, whose members count from where the row's `at` does.
    Nest {
        record: TypeId,
        rows: Vec<Row>,
    },
    Literal(LiteralId),
}
