//! Counts by what messages say that they are.

use crate::schemas::{Choice, Head, Schemas};
use std::collections::HashMap;

/// So many kinds of messages are counted by themselves: damaged input may have one in each message.
const MOST: usize = 1 << 14;

/// So many of them may be those that no schema knows.
const MOST_UNKNOWN: usize = 64;

/// The slots of a table that is asked before the map: a power of two.
const SLOTS: usize = 1 << 12;

/// Messages with the same head.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// `None` for messages whose head cannot be read, and for those beyond the number of kinds that is kept.
    pub head: Option<Head>,
    /// The schema and the message, where there is one.
    pub meaning: Option<(Choice, usize)>,
    pub messages: u64,
    pub bytes: u64,
    pub smallest: u64,
    pub largest: u64,
    pub damaged: u64,
}

impl Kind {
    const NONE: Self =
        Self { head: None, meaning: None, messages: 0, bytes: 0, smallest: u64::MAX, largest: 0, damaged: 0 };
}

/// All kinds. The first is that of heads that cannot be read, the second the rest.
pub struct Kinds {
    kinds: Vec<Kind>,
    by_head: HashMap<Head, usize>,
    slots: Vec<(Head, usize)>,
    /// How many of them no schema knows.
    unknown: usize,
}

impl Kinds {
    pub const UNREADABLE: usize = 0;
    pub const REST: usize = 1;

    pub fn new() -> Self {
        let slots = vec![(Head::default(), usize::MAX); SLOTS];
        Self { kinds: vec![Kind::NONE; 2], by_head: HashMap::new(), slots, unknown: 0 }
    }

    /// The kind of messages with that head.
    #[inline]
    pub fn find(&mut self, head: Head, bytes: &[u8], schemas: &Schemas) -> usize {
        let slot = (head.id ^ head.version << 6 ^ head.schema << 3) as usize % SLOTS;
        match self.slots[slot] {
            (known, kind) if known == head && kind != usize::MAX => kind,
            _ => {
                let kind = self.look_up(head, bytes, schemas);
                self.slots[slot] = (head, kind);
                kind
            }
        }
    }

    fn look_up(&mut self, head: Head, bytes: &[u8], schemas: &Schemas) -> usize {
        if let Some(kind) = self.by_head.get(&head) {
            return *kind;
        }
        let meaning = schemas.choose(head).and_then(|choice| {
            let message = schemas.list[choice.schema].codec.find(bytes).ok()?;
            Some((choice, message))
        });
        if self.kinds.len() == MOST || (meaning.is_none() && self.unknown == MOST_UNKNOWN) {
            return Self::REST;
        }
        self.unknown += usize::from(meaning.is_none());
        let kind = self.kinds.len();
        self.kinds.push(Kind { head: Some(head), meaning, ..Kind::NONE });
        self.by_head.insert(head, kind);
        kind
    }

    /// The kind of all messages of a form whose heads say nothing.
    pub fn only(&mut self, meaning: (Choice, usize)) -> usize {
        self.kinds[Self::REST].meaning = Some(meaning);
        Self::REST
    }

    #[inline]
    pub fn add(&mut self, kind: usize, length: u64) -> &mut Kind {
        let kind = &mut self.kinds[kind];
        kind.messages += 1;
        kind.bytes += length;
        kind.smallest = kind.smallest.min(length);
        kind.largest = kind.largest.max(length);
        kind
    }

    /// All kinds that there were.
    pub fn all(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().filter(|kind| kind.messages > 0)
    }
}
