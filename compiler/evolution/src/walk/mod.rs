//! Readers of one version on the bytes of the other: both plans are walked at once, without bytes.
//!
//! The walk asks of each place that the reader looks at what the writer put there. Records are compared once for each way
//! in which their bytes are bounded; while they are, they count as equal, so that types may recurse.

mod content;
mod places;

use crate::pair::{Content, Member, Pairing, Versions};
use aldis_plan::{Extent, FrameCheck, Layout, Meaning, Message, Plan, Register, RootPlace, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A pair of records, writer's first, and what bounds their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub writer: TypeId,
    pub reader: TypeId,
    /// The number in the extent register that acts on it.
    extent: u64,
    /// Nothing is read behind it.
    last: bool,
    /// Its order matters: it is an element of a set, or a key.
    keyed: bool,
}

/// A place where a reader does not get what the writer put there.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub node: usize,
    pub writer: Option<usize>,
    pub reader: Option<usize>,
    /// The value lies elsewhere: what pushed it there is the cause.
    pub moved: bool,
    pub reason: String,
}

/// A message whose head readers do not understand.
#[derive(Clone, Debug)]
pub(crate) struct HeadProblem {
    /// The writer's and the reader's message.
    pub messages: (usize, usize),
    pub reason: String,
}

/// One direction.
pub(crate) struct Walk<'p, 'v> {
    pub writer: &'p Plan,
    pub reader: &'p Plan,
    /// The writer is the newer one.
    pub forward: bool,
    versions: &'v mut Versions<'p>,
    /// The writer's version, as the reader sees it.
    pub(crate) version: u64,
    ids: HashMap<Node, usize>,
    pub nodes: Vec<Node>,
    /// The nodes whose records hold each node's.
    pub users: Vec<BTreeSet<usize>>,
    pub problems: Vec<Problem>,
    pub heads: Vec<HeadProblem>,
    /// The roots of messages: node, writer's and reader's index.
    pub roots: Vec<(usize, usize, usize)>,
    /// Enumerations in the same place, the writer's first, each with a node where they are.
    pub enums: BTreeSet<(TypeId, TypeId, usize)>,
    pub(crate) current: usize,
}

impl<'p, 'v> Walk<'p, 'v> {
    /// Walks all messages that both versions have.
    pub fn new(versions: &'v mut Versions<'p>, forward: bool) -> Self {
        let (writer, reader) = if forward { (versions.new, versions.old) } else { (versions.old, versions.new) };
        let mut walk = Self {
            writer,
            reader,
            forward,
            version: u64::MAX,
            ids: HashMap::new(),
            nodes: Vec::new(),
            users: Vec::new(),
            problems: Vec::new(),
            heads: Vec::new(),
            roots: Vec::new(),
            enums: BTreeSet::new(),
            current: 0,
            versions,
        };
        walk.all();
        walk
    }

    fn all(&mut self) {
        for (old, new) in self.versions.messages.clone() {
            if let (Some(old), Some(new)) = (old, new) {
                let (writer, reader) = if self.forward { (new, old) } else { (old, new) };
                self.message(writer, reader);
            }
        }
        let mut next = 0;
        while next < self.nodes.len() {
            self.current = next;
            self.record(self.nodes[next]);
            next += 1;
        }
    }

    fn message(&mut self, writer: usize, reader: usize) {
        let (from, to): (&Message, &Message) = (&self.writer.messages[writer], &self.reader.messages[reader]);
        if let Err(reason) = self.head(from, to) {
            self.heads.push(HeadProblem { messages: (writer, reader), reason });
        }
        let extent = extent_of(&from.envelope.head).unwrap_or(0);
        let exact = to
            .envelope
            .head
            .register(|register| matches!(register.meaning, Meaning::FrameSize { check: FrameCheck::Exact }));
        let node = Node { writer: from.record, reader: to.record, extent, last: exact.is_none(), keyed: false };
        let node = self.node(node);
        self.roots.push((node, writer, reader));
    }

    fn head(&mut self, writer: &Message, reader: &Message) -> Result<(), String> {
        if self.writer.byte_order != self.reader.byte_order {
            return Err("numbers are in another byte order".into());
        }
        if self.writer.container != self.reader.container || writer.envelope.root != reader.envelope.root {
            return Err("the message lies in another container".into());
        }
        let (from, to) = (&writer.envelope.head, &reader.envelope.head);
        let version = to.register(|register| matches!(register.meaning, Meaning::Version { .. }));
        let written = from.register(|register| matches!(register.meaning, Meaning::Version { .. }));
        if let (Some(_), Some((_, Register { meaning: Meaning::Version { writes }, constant, .. }))) =
            (version, written)
        {
            self.version = constant.unwrap_or(*writes);
        }
        heads(from, to)?;
        if from.size != to.size && reader.envelope.root != RootPlace::Registered {
            return Err(format!("the head has {} bytes, not {}", from.size, to.size));
        }
        Ok(())
    }

    /// The node's index; it is walked later where it is new.
    fn node(&mut self, node: Node) -> usize {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let id = self.nodes.len();
        self.ids.insert(node, id);
        self.nodes.push(node);
        self.users.push(BTreeSet::new());
        id
    }

    /// Has the records of a value in the current record walked, too.
    pub(crate) fn call(&mut self, writer: TypeId, reader: TypeId, extent: u64, keyed: bool) {
        let id = self.node(Node { writer, reader, extent, last: false, keyed });
        self.users[id].insert(self.current);
    }

    pub(crate) fn pairing_of(&mut self, writer: TypeId, reader: TypeId) -> Rc<Pairing<'p>> {
        let (old, new) = if self.forward { (reader, writer) } else { (writer, reader) };
        self.versions.pairing(old, new)
    }

    fn record(&mut self, node: Node) {
        let pairing = self.pairing_of(node.writer, node.reader);
        let pair = Pair::new(&pairing, self.forward);
        if node.keyed {
            if let Err(reason) = self.keys(&node, &pair) {
                self.problem(None, None, false, reason);
            }
        }
        let (Some(from), Some(to)) =
            (&self.writer.layouts[node.writer.index()], &self.reader.layouts[node.reader.index()])
        else {
            return;
        };
        self.steps(&node, from, to, &pair);
    }

    pub(crate) fn problem(
        &mut self,
        writer: Option<usize>,
        reader: Option<usize>,
        moved: bool,
        reason: impl Into<String>,
    ) {
        let problem = Problem { node: self.current, writer, reader, moved, reason: reason.into() };
        self.problems.push(problem);
    }

    /// Walks the steps of two records side by side, until one is another.
    fn steps(&mut self, node: &Node, from: &'p Layout, to: &'p Layout, pair: &Pair<'_, 'p>) {
        let mut next = 0;
        for (index, step) in to.steps.iter().enumerate() {
            let part = pair.reader.iter().position(|member| member.step == index && is_part(member));
            if let Step::Part { since, .. } = step {
                if u64::from(*since) > self.version {
                    if let Some(mate) = part.and_then(|part| pair.mate(part)) {
                        self.problem(Some(mate), part, false, "messages of that version are taken not to have it");
                    }
                    continue;
                }
            }
            let Some(written) = from.steps.get(next) else {
                if takes_nothing(self.reader, step) {
                    continue;
                }
                let first = pair.reader.iter().position(|member| member.step == index);
                self.problem(
                    first.and_then(|part| pair.mate(part)),
                    first,
                    false,
                    "it is read where the message has ended",
                );
                return;
            };
            if !self.step((next, index), written, step, node.extent, pair) {
                return;
            }
            next += 1;
        }
        let left = from.steps[next..].iter().position(|step| !takes_nothing(self.writer, step));
        if let Some(step) = left.filter(|_| !node.last) {
            let member = pair.writer.iter().position(|member| member.step == next + step);
            self.problem(member, None, false, "it is not skipped: what follows is read from its bytes");
        }
    }

    /// Compares one step; false where what follows lies elsewhere.
    fn step(
        &mut self,
        (at, index): (usize, usize),
        from: &'p Step,
        to: &'p Step,
        extent: u64,
        pair: &Pair<'_, 'p>,
    ) -> bool {
        match (from, to) {
            (Step::Run(from), Step::Run(to)) => self.run((at, index), from, to, extent, pair),
            (Step::Part { node: from, .. }, Step::Part { node: to, .. }) => {
                let find = |members: &[Member], step| members.iter().position(|m| m.step == step && is_part(m));
                let (written, read) = (find(pair.writer, at), find(pair.reader, index));
                if read.and_then(|read| pair.mate(read)) != written {
                    self.out_of_step(read, written, pair);
                    return false;
                }
                let keyed = read.is_some_and(|read| self.is_key(&pair.reader[read]));
                match self.nodes_agree(from, to, keyed, false) {
                    Ok(()) => true,
                    Err(reason) => {
                        self.problem(written, read, false, reason);
                        false
                    }
                }
            }
            _ => {
                let find = |members: &[Member], step| members.iter().position(|member| member.step == step);
                self.out_of_step(find(pair.reader, index), find(pair.writer, at), pair);
                false
            }
        }
    }

    /// The reader looks for one member where the writer put another.
    fn out_of_step(&mut self, read: Option<usize>, written: Option<usize>, pair: &Pair<'_, 'p>) {
        let name = written.map_or("nothing", |written| pair.writer[written].name.as_str());
        let reason = format!("`{name}` lies where it is looked for");
        let mate = read.and_then(|read| pair.mate(read));
        match (mate, written.and_then(|written| pair.counterpart(written))) {
            // The reader does not know the value that was written there, which is the cause.
            (Some(_), None) if written.is_some() => {
                self.problem(written, None, false, "what follows is read from its bytes");
            }
            (mate, _) => self.problem(mate, read, mate.is_some(), reason),
        }
    }

    /// Whether the order of the current record goes by a member of the reader's.
    pub(crate) fn is_key(&self, member: &Member) -> bool {
        let node = self.nodes[self.current];
        let keys = || self.reader.schema.record(node.reader).key_fields();
        node.keyed && keys().contains(&(member.path[0] as usize))
    }

    /// The keys of a record in a set or map: those of the writer must decide the reader's order.
    fn keys(&mut self, node: &Node, pair: &Pair<'_, 'p>) -> Result<(), String> {
        let written = self.writer.schema.record(node.writer).key_fields();
        let read = self.reader.schema.record(node.reader).key_fields();
        let mate = |field: usize| {
            let member = pair.reader.iter().position(|member| member.path[0] as usize == field)?;
            pair.mate(member).map(|mate| pair.writer[mate].path[0] as usize)
        };
        let known: Vec<usize> = read.into_iter().filter_map(mate).collect();
        let mut unique: Vec<usize> = Vec::new();
        known.into_iter().for_each(|field| {
            if !unique.contains(&field) {
                unique.push(field);
            }
        });
        if unique.starts_with(&written) {
            return Ok(());
        }
        Err("elements that differ for the writer are equal, or in another order, for the reader".into())
    }

    /// The run's registers, then every place that the reader looks at.
    fn run(
        &mut self,
        (at, index): (usize, usize),
        from: &'p Run,
        to: &'p Run,
        extent: u64,
        pair: &Pair<'_, 'p>,
    ) -> bool {
        if let Err(reason) = heads(from, to) {
            self.problem(None, None, false, reason);
        }
        let room = match (from.extent, to.extent) {
            (Extent::Exact, Extent::Exact) => Room { bytes: u64::from(from.size), pointers: 0 },
            (Extent::Acting, Extent::Acting) => Room { bytes: extent, pointers: 0 },
            (Extent::Stated { .. }, Extent::Stated { .. }) => Room { bytes: u64::from(from.size), pointers: 0 },
            (Extent::Sections { data }, Extent::Sections { .. }) => {
                Room { bytes: u64::from(data), pointers: u64::from(from.size - data) }
            }
            _ => {
                self.problem(None, None, false, "its size is found in another way");
                return false;
            }
        };
        let mut places = places::Places::new(pair, at, room);
        for reader in 0..pair.reader.len() {
            if pair.reader[reader].step == index && !is_part(&pair.reader[reader]) {
                places.look(self, reader);
            }
        }
        let same = from.size == to.size || to.extent != Extent::Exact;
        if !same {
            self.problem(None, None, true, format!("the block has {} bytes, not {}", from.size, to.size));
        }
        same
    }
}

/// How many bytes of a run there are; of sections the second is that of pointers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub bytes: u64,
    pub pointers: u64,
}

/// A pairing as one direction sees it.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a, 'p> {
    pub writer: &'a [Member<'p>],
    pub reader: &'a [Member<'p>],
    to_writer: &'a [Option<usize>],
    to_reader: &'a [Option<usize>],
}

impl<'a, 'p> Pair<'a, 'p> {
    pub fn new(pairing: &'a Pairing<'p>, forward: bool) -> Self {
        let Pairing { old, new, to_new, to_old } = pairing;
        if forward {
            Self { writer: new, reader: old, to_writer: to_new, to_reader: to_old }
        } else {
            Self { writer: old, reader: new, to_writer: to_old, to_reader: to_new }
        }
    }

    /// The writer's member that is this one of the reader's.
    pub fn mate(&self, reader: usize) -> Option<usize> {
        self.to_writer[reader]
    }

    /// The reader's member that is this one of the writer's.
    pub fn counterpart(&self, writer: usize) -> Option<usize> {
        self.to_reader[writer]
    }
}

pub(crate) fn is_part(member: &Member) -> bool {
    matches!(member.content, Content::Part)
}

/// The extent that a head says acts on what follows.
fn extent_of(head: &Run) -> Option<u64> {
    let (_, register) = head.register(|register| matches!(register.meaning, Meaning::Extent { .. }))?;
    match register.meaning {
        Meaning::Extent { writes } => Some(register.constant.unwrap_or(writes)),
        _ => None,
    }
}

/// Compares the registers that a reader looks at with what was written there, and gives the extent that acts on what
/// follows.
pub(crate) fn heads(writer: &Run, reader: &Run) -> Result<Option<u64>, String> {
    for slot in &reader.slots {
        let SlotKind::Register(read) = &slot.kind else { continue };
        let place = |other: &&Slot| match &other.kind {
            SlotKind::Register(written) => {
                (other.at, other.width, written.constant) == (slot.at, slot.width, read.constant)
                    && std::mem::discriminant(&written.meaning) == std::mem::discriminant(&read.meaning)
            }
            _ => false,
        };
        let Some(SlotKind::Register(written)) = writer.slots.iter().find(place).map(|slot| &slot.kind) else {
            return Err(format!("`{}` is not where it is looked for, or has another width", read.name));
        };
        match (written.meaning, read.meaning) {
            (Meaning::TypeId { expect: a }, Meaning::TypeId { expect: b })
            | (Meaning::SchemaId { expect: a }, Meaning::SchemaId { expect: b })
                if a != b =>
            {
                return Err(format!("`{}` is {a}, not {b}", read.name));
            }
            (Meaning::FrameSize { check: a }, Meaning::FrameSize { check: b }) if a != b => {
                return Err("the message's size is checked in another way".into());
            }
            _ => {}
        }
    }
    Ok(extent_of(writer))
}

/// Whether a step has no bytes, whatever its value.
fn takes_nothing(plan: &Plan, step: &Step) -> bool {
    match step {
        Step::Run(run) => run.size == 0 && run.extent == Extent::Exact,
        Step::Part { node, .. } => node_takes_nothing(plan, node, 0),
    }
}

fn node_takes_nothing(plan: &Plan, node: &aldis_plan::Node, depth: u32) -> bool {
    match node {
        aldis_plan::Node::Call { record } => {
            depth < 32
                && plan.layout(*record).steps.iter().all(|step| match step {
                    Step::Part { node, .. } => node_takes_nothing(plan, node, depth + 1),
                    run => takes_nothing(plan, run),
                })
        }
        aldis_plan::Node::Series { count, element } => *count == 0 || node_takes_nothing(plan, element, depth + 1),
        aldis_plan::Node::Cell { slot } => slot.width == 0,
        _ => false,
    }
}
