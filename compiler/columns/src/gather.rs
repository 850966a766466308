//! Messages that are blocks and lists of blocks, put into columns by the column instead of by the message: their bytes are gathered
//! first, then each column takes its values out of all of them in one loop.

use crate::program::{is_taken, Op, Program, Programs, What};
use crate::store::{Id, Kind, Store, HOLE};
use aldis_interpreter::{Block, Blocks, Codec, Taken};
use aldis_plan::{ByteOrder, NullValue, Step};

/// So many bytes of messages are gathered: what the processor keeps near, beside the columns.
const MOST: usize = 16 << 10;

/// Columns that are larger take each message by itself, as what it adds is judged then.
const LARGE: usize = 1 << 29;

/// Gathers the messages of a table.
#[derive(Debug)]
pub(crate) struct Gather {
    order: ByteOrder,
    lanes: Vec<Lane>,
    bytes: Vec<u8>,
    rows: usize,
    /// About how many bytes of columns the rows will be.
    size: usize,
    /// So many bytes of messages are sure to have room in dictionaries, once that was asked.
    room: Option<usize>,
    found: Vec<Block>,
    numbers: Vec<u64>,
}

/// The blocks of one kind: those of the messages, or those of one of their lists.
#[derive(Debug)]
struct Lane {
    /// The column of the list that they are elements of.
    list: Option<Id>,
    /// The column of the record; a hole where nothing is wanted of it.
    record: Id,
    operations: Vec<Op>,
    /// The offsets of times that may be beyond what Arrow's can be, and their nulls.
    times: Vec<(usize, Option<u64>)>,
    /// About how many bytes of columns a block is.
    size: usize,
    /// Where the blocks begin in the bytes.
    starts: Vec<u32>,
    /// For each message how many blocks there are up to its end.
    ends: Vec<u32>,
}

impl Gather {
    /// For the messages of a table, where their columns cannot refuse what is in them but for what is asked before.
    pub fn of(codec: &Codec, message: usize, (store, programs): (&Store, &Programs), root: Id) -> Option<Self> {
        let plan = codec.plan();
        let blocks = codec.blocks(message)?;
        let Kind::Record { fields } = &store.0[root].kind else { return None };
        let program = |record, id| match &plan.layout(record).steps[0] {
            Step::Run(run) => programs.of(id, run),
            Step::Part { .. } => None,
        };
        let mut lanes = vec![Lane::of(store, program(plan.messages[message].record, root)?, (None, root))?];
        for list in blocks.lists() {
            let column = *fields.get(list.field)?;
            if column == HOLE {
                let is_taken = matches!(&plan.layout(list.record).steps[0], Step::Run(run) if is_taken(run));
                lanes.push(is_taken.then(Lane::unwanted)?);
                continue;
            }
            let Kind::List(child) = store.0[column].kind else { return None };
            let is_record = matches!(store.0[child].kind, Kind::Record { .. });
            let program = program(list.record, child).filter(|_| is_record)?;
            lanes.push(Lane::of(store, program, (Some(column), child))?);
        }
        let (bytes, found, numbers) = (Vec::new(), Vec::new(), Vec::new());
        Some(Self { order: plan.byte_order, lanes, bytes, rows: 0, size: 0, room: None, found, numbers })
    }

    /// About how many bytes of columns the rows will be.
    pub fn size(&self) -> usize {
        self.size + self.bytes.len()
    }

    /// Takes a message, and gives how many bytes it has. Nothing where it is not as its blocks say, or columns might refuse it:
    /// then it is to be put there by itself, behind what was gathered.
    #[inline]
    pub fn push(&mut self, codec: &Codec, blocks: &Blocks, store: &Store, bytes: &[u8]) -> Option<usize> {
        self.found.clear();
        let found = &mut self.found;
        let size = blocks.find(&codec.limits, bytes, |block| found.push(block))?;
        let room = *self.room.get_or_insert_with(|| room(store));
        if self.bytes.len() + size > room || self.lanes.len() != self.found.len() {
            return None;
        }
        if !self.lanes.iter().zip(&self.found).all(|(lane, block)| lane.fits(block, bytes, self.order)) {
            return None;
        }
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..size]);
        let lanes = self.lanes.iter_mut().zip(&self.found).filter(|(lane, _)| lane.record != HOLE);
        for (lane, block) in lanes {
            // There are no more bytes than `MOST` and a message, whose length was bounded by the room.
            let starts = (0..block.count).map(|index| (begin + block.at + index * block.stride) as u32);
            lane.starts.extend(starts);
            self.size += block.count * lane.size;
            if lane.list.is_some() {
                lane.ends.push(lane.starts.len() as u32);
            }
        }
        self.rows += 1;
        Some(size)
    }

    pub fn is_full(&self) -> bool {
        self.bytes.len() >= MOST
    }

    /// Puts all that was gathered into the columns.
    pub fn flush(&mut self, store: &mut Store) {
        if self.rows == 0 {
            return;
        }
        for lane in self.lanes.iter_mut().filter(|lane| lane.record != HOLE) {
            let first = store.len(lane.record);
            let mut blocks =
                Taking { order: self.order, bytes: &self.bytes, starts: &lane.starts, numbers: &mut self.numbers };
            lane.operations.iter().for_each(|op| blocks.operate(store, op));
            store.0[lane.record].push_structs(lane.starts.len());
            if let Some(list) = lane.list {
                store.0[list].push_ends(lane.ends.iter().map(|end| first + *end as usize));
                store.0[list].mark(std::iter::repeat_n(true, lane.ends.len()));
            }
            lane.starts.clear();
            lane.ends.clear();
        }
        self.bytes.clear();
        (self.rows, self.size, self.room) = (0, 0, None);
    }
}

impl Lane {
    /// The lane of a list that has no column.
    fn unwanted() -> Self {
        let (operations, times) = (Vec::new(), Vec::new());
        Self { list: None, record: HOLE, operations, times, size: 0, starts: Vec::new(), ends: Vec::new() }
    }

    fn of(store: &Store, program: &Program, (list, record): (Option<Id>, Id)) -> Option<Self> {
        if program.taken != Taken::All {
            return None;
        }
        let operations = program.operations.clone();
        let mut times = Vec::new();
        let mut size = 8;
        for op in &operations {
            let kind = &store.0[op.column as usize].kind;
            if let (Kind::Time, What::Number { null, xor: 0, .. }) = (kind, op.what) {
                let null = match null {
                    Some(NullValue::Bits(null)) => Some(null),
                    _ => None,
                };
                times.push((op.at as usize, null));
            } else if !is_safe(kind, op.what) {
                return None;
            }
            size += match (kind, op.what) {
                (Kind::Flags { bits, .. }, _) => 5 + 5 * (bits.len() + 1),
                (_, What::Chars(width)) => 5 + 2 * width as usize,
                _ => 17,
            };
        }
        Some(Self { list, record, operations, times, size, starts: Vec::new(), ends: Vec::new() })
    }

    /// Whether the times of some blocks are such that columns can have them.
    fn fits(&self, block: &Block, bytes: &[u8], order: ByteOrder) -> bool {
        self.times.iter().all(|(at, null)| {
            let mut starts = (0..block.count).map(|index| block.at + index * block.stride + at);
            starts.all(|at| {
                let time = number::<8>(bytes, at, order);
                time <= i64::MAX as u64 || *null == Some(time)
            })
        })
    }
}

/// Whether a column takes all that the operation may put there, as long as its dictionaries have room.
fn is_safe(kind: &Kind, what: What) -> bool {
    use Kind::{Bool, Char, Enum, Flags, Plain, Record, Scaled, Text, Unit, Uuid};
    match what {
        What::Struct => matches!(kind, Record { .. }),
        What::Chars(_) => matches!(kind, Text(_)),
        What::Uuid => matches!(kind, Uuid),
        What::Plain | What::Nullable { .. } => matches!(kind, Plain),
        What::Number { .. } | What::Bit(..) | What::Constant(_) => {
            matches!(kind, Plain | Bool | Unit | Char | Enum(_) | Scaled { .. } | Flags { .. })
        }
    }
}

/// So many bytes of messages are sure to fit the columns: a byte makes at most one number without a name.
fn room(store: &Store) -> usize {
    let room = store.0.iter().map(|column| match &column.kind {
        _ if column.values.size() > LARGE => 0,
        Kind::Enum(names) => names.room(),
        _ => 2 * MOST,
    });
    room.min().unwrap_or(0)
}

#[inline(always)]
fn number<const WIDTH: usize>(bytes: &[u8], at: usize, order: ByteOrder) -> u64 {
    let mut number = [0; 8];
    match order {
        ByteOrder::Little => {
            number[..WIDTH].copy_from_slice(&bytes[at..at + WIDTH]);
            u64::from_le_bytes(number)
        }
        ByteOrder::Big => {
            number[8 - WIDTH..].copy_from_slice(&bytes[at..at + WIDTH]);
            u64::from_be_bytes(number)
        }
    }
}

/// Blocks of which columns take their values.
struct Taking<'g> {
    order: ByteOrder,
    bytes: &'g [u8],
    starts: &'g [u32],
    numbers: &'g mut Vec<u64>,
}

impl Taking<'_> {
    /// Each block's number at that offset.
    fn load(&mut self, at: u32, width: u8) {
        match width {
            1 => self.numbers_of::<1>(at),
            2 => self.numbers_of::<2>(at),
            4 => self.numbers_of::<4>(at),
            _ => self.numbers_of::<8>(at),
        }
    }

    fn numbers_of<const WIDTH: usize>(&mut self, at: u32) {
        let (bytes, order) = (self.bytes, self.order);
        self.numbers.clear();
        let numbers = self.starts.iter().map(|start| number::<WIDTH>(bytes, (*start + at) as usize, order));
        self.numbers.extend(numbers);
    }

    fn operate(&mut self, store: &mut Store, op: &Op) {
        let (id, count) = (op.column as usize, self.starts.len());
        match op.what {
            What::Plain => {
                self.load(op.at, store.0[id].values.width().unwrap_or(8));
                store.push_numbers(id, self.numbers, (8, 0, None));
            }
            What::Nullable { width, null } => {
                self.load(op.at, width);
                store.push_numbers(id, self.numbers, (8, 0, Some(NullValue::Bits(null))));
            }
            What::Number { width, sign, xor, null } => {
                self.load(op.at, width);
                if xor != 0 {
                    self.numbers.iter_mut().for_each(|number| *number ^= xor);
                }
                store.push_numbers(id, self.numbers, (width, sign, null));
            }
            What::Bit(bit, xor) => {
                self.load(op.at, 1);
                self.numbers.iter_mut().for_each(|number| *number = (*number ^ xor) >> bit & 1);
                store.push_numbers(id, self.numbers, (8, 0, None));
            }
            What::Constant(number) => {
                self.numbers.clear();
                self.numbers.resize(count, number);
                store.push_numbers(id, self.numbers, (8, 0, None));
            }
            What::Struct => store.0[id].push_structs(count),
            What::Uuid => self.each(op.at, 16, |bytes| {
                store.0[id].push_wide(i128::from_ne_bytes(bytes.try_into().unwrap_or_default()));
            }),
            What::Chars(width) => self.each(op.at, width as usize, |place| {
                let length = place.iter().position(|byte| *byte == 0).unwrap_or(place.len());
                store.0[id].push_latin1(&place[..length]);
            }),
        }
    }

    fn each(&self, at: u32, width: usize, mut take: impl FnMut(&[u8])) {
        for start in self.starts {
            let from = (*start + at) as usize;
            take(&self.bytes[from..from + width]);
        }
    }
}
