//! Messages that ask for as much as the budget has, and for one element more: lists of blocks that are short or empty, or
//! that all lie in the same place. They are made from the plan, for each list that a message's root has. And the JSON of
//! a quarter more elements, of which encoders write no more than is read.

use aldis_interpreter::{Code, Codec, Value};
use aldis_plan::{
    ByteOrder, Container, Element, Extent, Meaning, Message, Node, Plan, Register, Repeat, RootPlace, Run, Slot,
    SlotKind, Step,
};
use aldis_schema::TypeId;

/// No list is tried with more elements.
const MOST: u64 = 70_000;
/// Values that are looked at for a list with an element in it.
const SEEDS: u64 = 20;
/// Longer JSON takes long to read, and says no more.
const MOST_JSON: usize = 2 << 20;
/// JSON of more fields is a message of any size, though it is short: `{}` stands for as many as its record has.
const MOST_FIELDS: usize = 1 << 20;
const WORD: usize = 8;

/// A message and what is in it.
pub struct AtLimit {
    pub what: String,
    pub bytes: Vec<u8>,
    /// The bytes are JSON.
    pub is_json: bool,
}

/// The messages of one kind: for each list the most elements that the interpreter reads, and one more.
pub fn at_limit(codec: &Codec, message: usize) -> Vec<AtLimit> {
    let plan = codec.plan();
    let definition = &plan.messages[message];
    let lists: Vec<List> = match (plan.container, definition.envelope.root) {
        (Container::Segments(form), _) if !form.packed => pointed(plan, definition.record, form.table),
        (Container::Segments(_), _) | (_, RootPlace::Pointed) => Vec::new(),
        (_, RootPlace::Follows) => sequenced(codec, message),
        (_, RootPlace::Registered) => linked(codec, message),
    };
    lists.iter().flat_map(|list| list.at_limit(codec, message)).collect()
}

/// A list whose count may be anything.
struct List {
    field: u32,
    what: String,
    most: u64,
    make: Box<dyn Fn(u64) -> Vec<u8>>,
}

/// A field, and what of it is tried.
struct Named {
    field: u32,
    what: String,
}

impl List {
    fn at_limit(&self, codec: &Codec, message: usize) -> Vec<AtLimit> {
        let too_large = |count: u64| {
            let read = codec.decode(message, &(self.make)(count));
            read.is_err_and(|fault| fault.code == Code::TooLarge)
        };
        let (mut some, mut many) = (0, self.most.min(MOST));
        let counts = if too_large(many) {
            while many - some > 1 {
                let middle = some.midpoint(many);
                *(if too_large(middle) { &mut many } else { &mut some }) = middle;
            }
            vec![some, many]
        } else {
            // No count is too large: an ordinary one shows that they are read alike.
            vec![many.min(1000)]
        };
        let what = |count: u64| format!("{count} elements of {}", self.what);
        let one = |&count: &u64| AtLimit { what: what(count), bytes: (self.make)(count), is_json: false };
        let mut made: Vec<AtLimit> = counts.iter().map(one).collect();
        let more = self.with_more(codec, message, counts[0]).filter(|json| json.len() < MOST_JSON);
        made.extend(more.map(|bytes| AtLimit { what: what(counts[0] + counts[0] / 4), bytes, is_json: true }));
        made
    }

    /// The JSON of the message of so many elements, and a quarter of them once more.
    fn with_more(&self, codec: &Codec, message: usize, count: u64) -> Option<Vec<u8>> {
        let (value, _) = codec.decode(message, &(self.make)(count)).ok()?;
        let Value::Record(mut fields) = value else { return None };
        let Value::List(elements) = fields.get_mut(self.field as usize)? else { return None };
        let each = elements.first().map_or(0, fields_of);
        if elements.len() * each > MOST_FIELDS {
            return None;
        }
        *elements = [&elements[..], &elements[..elements.len() / 4]].concat().into();
        let mut json = Vec::new();
        codec.value_to_json(message, &Value::Record(fields), &mut json).ok()?;
        Some(json)
    }
}

/// How many fields a value has, those of its records too.
fn fields_of(value: &Value) -> usize {
    match value {
        Value::Record(fields) => fields.iter().map(fields_of).sum::<usize>() + 1,
        _ => 1,
    }
}

// ---- parts that follow one another --------------------------------------------------------------------------------

/// The lists of a record whose parts are in sequence: all other parts are empty.
fn sequenced(codec: &Codec, message: usize) -> Vec<List> {
    let plan = codec.plan();
    let Message { record, envelope, .. } = &plan.messages[message];
    let mut lists = Vec::new();
    let Some(bytes) = with_empty_parts(codec, message) else { return lists };
    let mut at = envelope.head.size as usize;
    for step in &plan.layout(*record).steps {
        let (field, node) = match step {
            Step::Run(run) => {
                at += run.size as usize;
                continue;
            }
            Step::Part { field, node, .. } => (*field, node),
        };
        let Some(size) = empty_size(node) else { break };
        if let Node::Repeat(repeat) = node {
            for extent in extents(plan, repeat) {
                let Some(element) = element_bytes(plan, &repeat.element, extent) else { continue };
                let named = &plan.schema.record(*record).fields[field as usize].name;
                let what = format!("{named} in {} bytes each", element.len());
                let named = Named { field, what };
                lists.push(sequenced_list(plan, &envelope.head, repeat, (&bytes, at), (named, extent, element)));
            }
        }
        at += size;
    }
    lists
}

fn sequenced_list(
    plan: &Plan,
    envelope: &Run,
    repeat: &Repeat,
    (bytes, at): (&[u8], usize),
    (named, extent, element): (Named, u64, Vec<u8>),
) -> List {
    let (envelope, head, order) = (envelope.clone(), repeat.head.clone(), plan.byte_order);
    let bytes = bytes.to_vec();
    let most = most_of(&head);
    let make = move |count: u64| {
        let mut made = bytes[..at + head.size as usize].to_vec();
        put(&mut made, at, &head, order, |meaning| match meaning {
            Meaning::Count { .. } => Some(count),
            Meaning::Extent { .. } => Some(extent),
            _ => None,
        });
        made.extend(element.repeat(count as usize));
        made.extend(&bytes[at + head.size as usize..]);
        let size = made.len() as u64;
        put(&mut made, 0, &envelope, order, |meaning| is_frame(meaning).then_some(size));
        made
    };
    List { field: named.field, what: named.what, most, make: Box::new(make) }
}

/// The sizes of blocks that are tried: none, what the first field takes, and half of all.
fn extents(plan: &Plan, repeat: &Repeat) -> Vec<u64> {
    let Element::One(Node::Call { record }) = &repeat.element else { return vec![0] };
    let run = plan.layout(*record).steps.iter().find_map(|step| match step {
        Step::Run(run) if run.extent == Extent::Acting => Some(run),
        _ => None,
    });
    let Some(run) = run else { return vec![0] };
    let first = run.slots.iter().map(Slot::end).find(|end| *end > 0).unwrap_or(0);
    let mut tried = vec![0, u64::from(first), u64::from(run.size / 2)];
    tried.sort_unstable();
    tried.dedup();
    tried
}

/// The bytes of a message whose parts are all empty.
fn with_empty_parts(codec: &Codec, message: usize) -> Option<Vec<u8>> {
    let plan = codec.plan();
    let Value::Record(mut fields) = codec.random(message, 0) else { return None };
    for step in &plan.layout(plan.messages[message].record).steps {
        let Step::Part { field, node, .. } = step else { continue };
        let value = fields.get_mut(*field as usize)?;
        match (node, &*value) {
            (Node::Blob(_), _) => *value = Value::Bytes(Box::default()),
            (Node::Repeat(_), Value::Map(_)) => *value = Value::Map(Box::default()),
            (Node::Repeat(_), _) => *value = Value::List(Box::default()),
            (Node::Maybe { .. }, _) => *value = Value::Null,
            _ => {}
        }
    }
    codec.encode(message, &Value::Record(fields)).ok()
}

/// How many bytes an empty value takes in place; nothing where values are never empty.
fn empty_size(node: &Node) -> Option<usize> {
    match node {
        Node::Cell { slot } => Some(slot.width as usize),
        Node::Blob(blob) => Some(blob.head.size as usize),
        Node::Repeat(repeat) => Some(repeat.head.size as usize),
        Node::Maybe { .. } => Some(1),
        _ => None,
    }
}

/// An element of zeros, whose block has `extent` bytes where a head says how many.
fn element_bytes(plan: &Plan, element: &Element, extent: u64) -> Option<Vec<u8>> {
    let sizes = element.nodes().into_iter().map(|node| zeros(plan, node, extent, 0));
    sizes.sum::<Option<usize>>().map(|size| vec![0; size])
}

fn zeros(plan: &Plan, node: &Node, extent: u64, depth: usize) -> Option<usize> {
    match node {
        Node::Call { record } if depth < 8 => {
            let steps = plan.layout(*record).steps.iter().map(|step| match step {
                Step::Run(Run { extent: Extent::Acting, .. }) => Some(extent as usize),
                Step::Run(run) => Some(run.size as usize),
                Step::Part { node, .. } => zeros(plan, node, 0, depth + 1),
            });
            steps.sum()
        }
        node => empty_size(node),
    }
}

// ---- tables of links ----------------------------------------------------------------------------------------------

/// The lists behind links of a root record. All their elements lead to where the first one does.
fn linked(codec: &Codec, message: usize) -> Vec<List> {
    let plan = codec.plan();
    let Message { record, envelope, .. } = &plan.messages[message];
    let root = envelope.head.size as usize;
    let mut lists = Vec::new();
    for step in &plan.layout(*record).steps {
        let Step::Run(run) = step else { continue };
        for slot in &run.slots {
            let (SlotKind::Link(link), Some(field)) = (&slot.kind, slot.field) else { continue };
            let Node::Repeat(repeat) = &*link.target else { continue };
            let Some(bytes) = with_one_element(codec, message, field as usize) else { continue };
            let named = &plan.schema.record(*record).fields[field as usize].name;
            let base = if plan.layout(*record).rebase { root } else { 0 };
            let table = Table { field, link: root + slot.at as usize, base, repeat };
            lists.extend(table.lists(plan, &envelope.head, &bytes, named));
        }
    }
    lists
}

/// The place of a list: the link to it, and the byte that links count from.
struct Table<'p> {
    field: u32,
    link: usize,
    base: usize,
    repeat: &'p Repeat,
}

impl Table<'_> {
    fn lists(&self, plan: &Plan, envelope: &Run, bytes: &[u8], named: &str) -> Vec<List> {
        let nodes = self.repeat.element.nodes();
        let cells = nodes.into_iter().map(|node| match node {
            Node::Cell { slot } => Some(&**slot),
            _ => None,
        });
        let cells: Option<Vec<&Slot>> = cells.collect();
        let Some(cells) = cells else { return Vec::new() };
        let width: usize = cells.iter().map(|cell| cell.width as usize).sum();
        let table = self.base + number(bytes, self.link);
        let first = table + self.repeat.head.size as usize;
        let Some(cell) = bytes.get(first..first + width).filter(|_| width > 0) else { return Vec::new() };
        let mut lists = vec![self.list(plan, envelope, bytes.to_vec(), cell, named.to_owned())];
        // The same, the block that they share as short as it may be.
        let short = cells.iter().find_map(|cell| self.short_block(plan, bytes, first, cell));
        if let Some(bytes) = short {
            lists.push(self.list(plan, envelope, bytes, cell, format!("{named} in short blocks")));
        }
        lists
    }

    fn short_block(&self, plan: &Plan, bytes: &[u8], first: usize, cell: &Slot) -> Option<Vec<u8>> {
        let SlotKind::Link(link) = &cell.kind else { return None };
        let Node::Call { record } = &*link.target else { return None };
        let block = self.base + number(bytes, first + cell.at as usize);
        plan.layout(*record).steps.iter().find_map(|step| match step {
            Step::Run(run @ Run { extent: Extent::Stated { head }, .. }) => {
                let mut short = bytes.to_vec();
                let least = u64::from(*head);
                let is_extent = |meaning: &Meaning| matches!(meaning, Meaning::Extent { .. }).then_some(least);
                put(&mut short, block, run, plan.byte_order, is_extent);
                Some(short)
            }
            _ => None,
        })
    }

    /// The list as a new table behind everything else.
    fn list(&self, plan: &Plan, envelope: &Run, bytes: Vec<u8>, cell: &[u8], what: String) -> List {
        let (envelope, head, order) = (envelope.clone(), self.repeat.head.clone(), plan.byte_order);
        let (link, base, cell) = (self.link, self.base, cell.to_vec());
        let make = move |count: u64| {
            let mut made = bytes.clone();
            let table = made.len();
            made[link..link + 4].copy_from_slice(&((table - base) as u32).to_le_bytes());
            made.resize(table + head.size as usize, 0);
            put(&mut made, table, &head, order, |meaning| matches!(meaning, Meaning::Count { .. }).then_some(count));
            made.extend(cell.repeat(count as usize));
            let size = made.len() as u64;
            put(&mut made, 0, &envelope, order, |meaning| is_frame(meaning).then_some(size));
            made
        };
        List { field: self.field, what, most: MOST, make: Box::new(make) }
    }
}

/// The bytes of a message whose list `field` has one element.
fn with_one_element(codec: &Codec, message: usize, field: usize) -> Option<Vec<u8>> {
    (0..SEEDS).find_map(|seed| {
        let Value::Record(mut fields) = codec.random(message, seed) else { return None };
        match fields.get_mut(field)? {
            Value::List(elements) if !elements.is_empty() => *elements = elements[..1].into(),
            Value::Map(entries) if !entries.is_empty() => *entries = entries[..1].into(),
            _ => return None,
        }
        codec.encode(message, &Value::Record(fields)).ok()
    })
}

// ---- lists behind pointers ----------------------------------------------------------------------------------------

/// The lists of a root record of two sections, all else in it zero.
fn pointed(plan: &Plan, record: TypeId, table: bool) -> Vec<List> {
    let mut lists = Vec::new();
    for step in &plan.layout(record).steps {
        let Step::Run(Run { extent: Extent::Sections { data }, slots, size, .. }) = step else { continue };
        for slot in slots {
            let (SlotKind::Pointer { target }, Some(field)) = (&slot.kind, slot.field) else { continue };
            let Node::Repeat(repeat) = &**target else { continue };
            let named = &plan.schema.record(record).fields[field as usize].name;
            let root = Root { data: *data as usize, size: *size as usize, pointer: slot.at as usize, table };
            match &repeat.element {
                Element::One(Node::Call { .. }) => {
                    for words in [0, 1] {
                        let what = format!("{named} in {words} words each");
                        let make = move |count: u64| root.records(count, words);
                        lists.push(List { field, what, most: MOST, make: Box::new(make) });
                    }
                }
                Element::One(Node::Cell { slot }) if slot.width == 0 => {
                    let make = move |count: u64| root.message(1 | count << 35, &[]);
                    let what = format!("{named} without bytes");
                    lists.push(List { field, what, most: MOST, make: Box::new(make) });
                }
                _ => {}
            }
        }
    }
    lists
}

/// A root record's sections in bytes, and where in them the pointer is to a list.
#[derive(Clone, Copy)]
struct Root {
    data: usize,
    size: usize,
    pointer: usize,
    table: bool,
}

impl Root {
    /// A list of records of so many words of data.
    fn records(self, count: u64, words: u64) -> Vec<u8> {
        let mut list = (count << 2 | words << 32).to_le_bytes().to_vec();
        list.resize(WORD + (count * words) as usize * WORD, 0);
        self.message(1 | 7 << 32 | (count * words) << 35, &list)
    }

    /// The message with a pointer, but for its offset, to a list that lies behind the root.
    fn message(self, pointer: u64, list: &[u8]) -> Vec<u8> {
        let (data, pointers) = (self.data / WORD, (self.size - self.data) / WORD);
        let mut words = ((data as u64) << 32 | (pointers as u64) << 48).to_le_bytes().to_vec();
        words.resize(WORD + self.size, 0);
        let offset = ((self.size - self.pointer) / WORD - 1) as u64;
        let at = WORD + self.pointer;
        words[at..at + WORD].copy_from_slice(&(pointer | offset << 2).to_le_bytes());
        words.extend(list);
        let table = ((words.len() / WORD) as u64) << 32;
        if self.table {
            words.splice(..0, table.to_le_bytes());
        }
        words
    }
}

// ---- registers ----------------------------------------------------------------------------------------------------

/// Stores what `value` says of the registers of a run at `at`.
fn put(bytes: &mut [u8], at: usize, run: &Run, order: ByteOrder, value: impl Fn(&Meaning) -> Option<u64>) {
    for slot in &run.slots {
        let SlotKind::Register(Register { meaning, constant: None, .. }) = &slot.kind else { continue };
        let Some(value) = value(meaning) else { continue };
        let (from, width) = (at + slot.at as usize, slot.width as usize);
        let Some(place) = bytes.get_mut(from..from + width) else { continue };
        match order {
            ByteOrder::Little => place.copy_from_slice(&value.to_le_bytes()[..width]),
            ByteOrder::Big => place.copy_from_slice(&value.to_be_bytes()[8 - width..]),
        }
    }
}

fn is_frame(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::FrameSize { .. })
}

/// The most that a head's count may say.
fn most_of(head: &Run) -> u64 {
    let count = head.register(|register| matches!(register.meaning, Meaning::Count { .. }));
    count.map_or(0, |(slot, _)| if slot.width < 8 { (1 << (8 * slot.width)) - 1 } else { MOST })
}

/// The u32 at a place; links are little endian in every form that has them.
fn number(bytes: &[u8], at: usize) -> usize {
    let read = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    read.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
}

#[cfg(test)]
mod tests {
    use super::at_limit;
    use aldis_interpreter::{Code, Codec};
    use aldis_testkit::plans;

    /// Messages with as many elements as decoders read are read, those with more are refused, and so is JSON of as many by
    /// encoders.
    #[test]
    fn lists_of_every_format_are_taken_to_the_limit() {
        for schema in ["fbe/empties.fbe", "capnp/empties.capnp", "sbe/empties.xml"] {
            for plan in plans(&format!("conformance/schemas/{schema}")) {
                let codec = Codec::new(plan);
                let name = codec.plan().form.name.clone();
                if name == "capnp-packed" {
                    continue;
                }
                let many = (0..codec.plan().messages.len()).find(|&index| codec.message_name(index).ends_with("Many"));
                let many = many.expect("the message");
                let (mut read, mut refused, mut unwritten) = (0, 0, 0);
                for one in at_limit(&codec, many) {
                    let code = if one.is_json {
                        let value = codec.from_json(many, &one.bytes).expect("JSON of ours");
                        codec.encode(many, &value).map_err(|fault| fault.code).map(drop)
                    } else {
                        codec.decode(many, &one.bytes).map_err(|fault| fault.code).map(drop)
                    };
                    *(match (code, one.is_json) {
                        (Ok(()), false) => &mut read,
                        (Err(Code::TooLarge), false) => &mut refused,
                        (Err(Code::TooLarge), true) => &mut unwritten,
                        (Ok(()), true) => continue,
                        (Err(code), _) => panic!("{name}: {}: {code:?}", one.what),
                    }) += 1;
                }
                assert!(read > 1 && refused > 0, "{name}: {read} read, {refused} refused");
                assert!(name == "fbe" || unwritten > 0, "{name}");
            }
        }
    }
}
