//! Messages that are a head, a block, and lists of blocks: most of SBE. Where such a message is as the schema's own version writes
//! it, its blocks are found in one flat loop, without a walk, and nothing else in it can be wrong.

use crate::tables::{Passed, Tables};
use aldis_plan::{
    ByteOrder, Container, Element, Extent, Limits, Meaning, Message, Node, Plan, Repeat, RootPlace, Run, Shape, Slot,
    SlotKind, Step,
};
use aldis_schema::TypeId;

/// The shape of such messages.
#[derive(Debug)]
pub struct Blocks {
    order: ByteOrder,
    head: Head,
    /// The numbers that the head must have, and the version that it must have at least.
    wanted: Vec<(Place, u64)>,
    least_version: Option<(Place, u64)>,
    block: Passed,
    lists: Vec<List>,
}

/// A list of blocks.
#[derive(Debug)]
pub struct List {
    /// The field of the message's record.
    pub field: usize,
    pub record: TypeId,
    head: Head,
    element: Passed,
}

/// A head of so many bytes, with numbers in it.
#[derive(Debug)]
struct Head {
    size: usize,
    count: Number,
    extent: Number,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    at: usize,
    width: usize,
}

/// A number in a head, or one that the schema says.
#[derive(Clone, Copy, Debug)]
enum Number {
    Stored(Place),
    Fixed(u64),
}

/// Blocks side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The offset of the first in the message.
    pub at: usize,
    pub count: usize,
    /// The bytes from one to the next; at least as many as the schema's own version has.
    pub stride: usize,
}

impl Blocks {
    pub(crate) fn of(plan: &Plan, tables: &Tables, message: &Message) -> Option<Self> {
        if plan.container != Container::Plain || !matches!(message.envelope.root, RootPlace::Follows) {
            return None;
        }
        let (first, parts) = plan.layout(message.record).steps.split_first()?;
        let Step::Run(run) = first else { return None };
        let head = &message.envelope.head;
        let table = &tables.record(message.record).runs[0];
        let acting = match run.extent {
            Extent::Acting => true,
            Extent::Exact => false,
            _ => return None,
        };
        let block = Passed { size: run.size.into(), acting, surcharge: table.surcharge };
        let (mut wanted, mut least_version) = (Vec::new(), None);
        for slot in &head.slots {
            match expected(slot)? {
                Expected::Nothing => {}
                Expected::Number(place, number) => wanted.push((place, number)),
                Expected::Version(place, least) => least_version = Some((place, least)),
            }
        }
        let lists = parts.iter().map(|step| list(tables, step)).collect::<Option<Vec<_>>>()?;
        let head = Head::of(head, block)?;
        table.risky.is_empty().then_some(Self { order: plan.byte_order, head, wanted, least_version, block, lists })
    }

    /// The lists of blocks, in the order in which they lie in a message.
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// Gives the message's block, then the blocks of each list; gives how many bytes the message takes. Nothing where the message is of
    /// another version, where something is wrong in it, or where the limits are narrow: a walk says what it is then.
    #[inline]
    pub fn find(&self, limits: &Limits, bytes: &[u8], mut give: impl FnMut(Block)) -> Option<usize> {
        let head = bytes.get(..self.head.size)?;
        let number = |place: Place| self.order.number(&head[place.at..place.at + place.width]);
        let is_current = self.least_version.is_none_or(|(place, least)| number(place) >= least);
        if !is_current || limits.depth < 2 || self.wanted.iter().any(|(place, wanted)| number(*place) != *wanted) {
            return None;
        }
        let mut at = self.head.size;
        let stride = self.head.extent.of(head, self.order);
        let block = fitting(self.block, bytes.len() - at, 1, stride)?;
        give(Block { at, ..block });
        at += block.stride;
        let mut surcharge = self.block.surcharge;
        for list in &self.lists {
            let head = bytes.get(at..)?.get(..list.head.size)?;
            at += list.head.size;
            let (count, stride) = (list.head.count.of(head, self.order), list.head.extent.of(head, self.order));
            let block = fitting(list.element, bytes.len() - at, count, stride)?;
            give(Block { at, ..block });
            at += block.count * block.stride;
            surcharge = surcharge.saturating_add(count.saturating_mul(list.element.surcharge));
        }
        (surcharge.saturating_add(at as u64) <= limits.budget(bytes.len())).then_some(at)
    }
}

/// So many blocks, where they are as large as they must be and fit the bytes that are left.
#[inline(always)]
fn fitting(block: Passed, left: usize, count: u64, stride: u64) -> Option<Block> {
    let is_whole = stride >= block.size.max(1) || count == 0;
    let fits = count.checked_mul(stride).is_some_and(|bytes| bytes <= left as u64);
    // Both fit the bytes, or there are none.
    (is_whole && fits).then_some(Block { at: 0, count: count as usize, stride: stride as usize })
}

impl Head {
    /// The head of blocks, where it says how large they are or they are always so.
    fn of(run: &Run, block: Passed) -> Option<Self> {
        let number = |is: &dyn Fn(&Meaning) -> bool| {
            let (slot, register) = run.register(|register| is(&register.meaning))?;
            Some(register.constant.map_or(Number::Stored(Place::of(slot)), Number::Fixed))
        };
        let extent = match block.acting {
            true => number(&|meaning| matches!(meaning, Meaning::Extent { .. }))?,
            false => Number::Fixed(block.size),
        };
        let count = number(&|meaning| matches!(meaning, Meaning::Count { .. })).unwrap_or(Number::Fixed(1));
        Some(Self { size: run.size as usize, count, extent })
    }
}

impl Place {
    fn of(slot: &Slot) -> Self {
        Self { at: slot.at as usize, width: slot.width as usize }
    }
}

impl Number {
    #[inline(always)]
    fn of(self, head: &[u8], order: ByteOrder) -> u64 {
        match self {
            Number::Stored(Place { at, width }) => order.number(&head[at..at + width]),
            Number::Fixed(number) => number,
        }
    }
}

/// The demands of a slot of a message's head.
enum Expected {
    Nothing,
    Number(Place, u64),
    Version(Place, u64),
}

fn expected(slot: &Slot) -> Option<Expected> {
    let SlotKind::Register(register) = &slot.kind else {
        return matches!(slot.kind, SlotKind::Ignored { .. }).then_some(Expected::Nothing);
    };
    let place = Place::of(slot);
    match (register.meaning, register.constant) {
        (Meaning::Extent { .. }, _) => Some(Expected::Nothing),
        (Meaning::TypeId { expect } | Meaning::SchemaId { expect }, None) => Some(Expected::Number(place, expect)),
        (Meaning::TypeId { expect } | Meaning::SchemaId { expect }, Some(fixed)) => {
            (fixed == expect).then_some(Expected::Nothing)
        }
        (Meaning::Version { writes }, None) => Some(Expected::Version(place, writes)),
        (Meaning::Version { writes }, Some(fixed)) => (fixed >= writes).then_some(Expected::Nothing),
        _ => None,
    }
}

fn list(tables: &Tables, step: &Step) -> Option<List> {
    let Step::Part { field, node: Node::Repeat(repeat), .. } = step else { return None };
    let Repeat { element: Element::One(Node::Call { record }), shape: Shape::List, head, .. } = &**repeat else {
        return None;
    };
    let is_known = |slot: &Slot| match &slot.kind {
        SlotKind::Register(register) => matches!(register.meaning, Meaning::Extent { .. } | Meaning::Count { .. }),
        kind => matches!(kind, SlotKind::Ignored { .. }),
    };
    let element = tables.record(*record).passed?;
    let counts = head.register(|register| register.is_count()).is_some();
    let head = (counts && head.slots.iter().all(is_known)).then(|| Head::of(head, element))??;
    Some(List { field: *field as usize, record: *record, head, element })
}
