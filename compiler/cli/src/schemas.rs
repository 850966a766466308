//! Several schemas at once: the one that a message was written with is found by the message's head.

use crate::args::SchemaArgs;
use crate::compile::{compile, Compiled};
use crate::failure::{Failure, Outcome};
use crate::framing::{Framing, FramingName};
use crate::messages::Messages;
use crate::near;
use crate::output::{count, Output};
use aldis_interpreter::Fault;
use aldis_plan::{ByteOrder, FixedInt, Limits, Meaning, Plan};
use std::collections::HashMap;

/// Schemas whose messages can be told apart.
pub struct Schemas {
    /// Their codecs; never empty.
    pub list: Vec<Messages>,
    /// Parallel to `list`.
    pub compiled: Vec<Compiled>,
    /// Parallel to `list`: the paths, for people.
    pub paths: Vec<String>,
    /// The places of the numbers in a message's head that tell its schema; `None` where the form has none.
    pub heads: Option<Heads>,
    /// By schema id: versions in ascending order, with their schemas.
    by_schema: HashMap<u64, Vec<(u64, usize)>>,
    /// By message id, where heads have no schema id.
    by_id: HashMap<u64, usize>,
}

/// The places of the numbers in a message's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heads {
    order: ByteOrder,
    via: Option<FixedInt>,
    id: FixedInt,
    schema: Option<FixedInt>,
    version: Option<FixedInt>,
}

/// The numbers of a message's head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Head {
    /// The schema's id, where heads have one.
    pub schema: u64,
    /// The version of the schema that the writer had, where heads have one.
    pub version: u64,
    /// The message's id.
    pub id: u64,
}

/// The schema of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its index in [`Schemas::list`].
    pub schema: usize,
    /// The message was written with a version that is newer than all that there are.
    pub is_newer: bool,
}

/// That so many messages were written with newer versions.
pub fn newer(messages: usize) -> String {
    let messages = count(messages, "message");
    format!("{messages} of versions newer than all schemas: the newest read what it knows of them")
}

impl Schemas {
    /// Compiles the schemas, each in the form of that name or in its main form.
    pub fn compile(args: &[SchemaArgs], form: Option<&str>, output: &Output) -> Outcome<Self> {
        let compiled = args.iter().map(|schema| compile(schema, output)).collect::<Outcome<Vec<_>>>()?;
        let list = compiled.iter().map(|compiled| Messages::new(compiled, form)).collect::<Outcome<Vec<_>>>()?;
        let paths = args.iter().map(|schema| schema.schema.display().to_string()).collect();
        let heads = Heads::of(list[0].codec.plan());
        let mut all = Self { list, compiled, paths, heads, by_schema: HashMap::new(), by_id: HashMap::new() };
        for (index, plan) in all.list.iter().map(|messages| messages.codec.plan()).enumerate() {
            if index > 0 && (all.heads.is_none() || Heads::of(plan) != all.heads) {
                return Err(all.different_heads(index));
            }
            let version = version_of(plan);
            let versions = schema_id(plan).and_then(|id| all.by_schema.get(&id));
            if let Some((_, other)) = versions.and_then(|known| known.iter().find(|(known, _)| *known == version)) {
                return Err(all.same(*other, index, version));
            }
            if let Some(id) = schema_id(plan) {
                all.by_schema.entry(id).or_default().push((version, index));
            }
        }
        all.by_schema.values_mut().for_each(|versions| versions.sort_unstable());
        if all.heads.as_ref().is_some_and(|heads| heads.schema.is_none()) {
            all.by_id = all.ids()?;
        }
        Ok(all)
    }

    /// The schemas by the ids of their messages, which no two of them may share.
    fn ids(&self) -> Outcome<HashMap<u64, usize>> {
        let mut by_id = HashMap::new();
        for (index, messages) in self.list.iter().enumerate() {
            for (id, message) in messages.codec.plan().schema.meanings() {
                let Some(other) = by_id.insert(id, index) else { continue };
                let name = message.map_or("?", |message| messages.names[message].as_str());
                let (first, second) = (&self.paths[other], &self.paths[index]);
                return Err(Failure::Usage(format!(
                    "{first} and {second} both have messages with the id {id} ({name}), and a message says no more of its \
                     schema than this id: of versions of one schema give the newest alone, which reads what older ones wrote"
                )));
            }
        }
        Ok(by_id)
    }

    fn different_heads(&self, index: usize) -> Failure {
        let (first, other) = (&self.paths[0], &self.paths[index]);
        let form = &self.list[0].codec.plan().form.name;
        Failure::Usage(match self.heads {
            None => format!(
                "messages of the form {form} do not say what they are, so none of {first} and {other} can be chosen: give one \
                 --schema"
            ),
            Some(_) => format!(
                "{first} and {other} cannot be told apart: their messages do not have the same numbers at the same places of \
                 their heads; read each one's messages by themselves"
            ),
        })
    }

    fn same(&self, first: usize, second: usize, version: u64) -> Failure {
        let (first, second) = (&self.paths[first], &self.paths[second]);
        Failure::Usage(format!(
            "{first} and {second} have the same id and the version {version}, so that a message's header does not tell which it \
             was written with: give one of them"
        ))
    }

    /// The version of a schema, where messages say one, and the newest schema of the same id, which may be itself.
    pub fn newest(&self, schema: usize) -> (u64, usize) {
        let known = self.by_schema.values().find_map(|versions| {
            let own = versions.iter().find(|(_, index)| *index == schema)?;
            Some((own.0, versions.last()?.1))
        });
        known.unwrap_or((0, schema))
    }

    /// The plans of all schemas.
    pub fn plans(&self) -> Vec<&Plan> {
        self.list.iter().map(|messages| messages.codec.plan()).collect()
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.list.iter_mut().for_each(|messages| messages.codec.limits = limits);
    }

    /// The framing of that name, which must be the same for messages of all schemas.
    pub fn framing(&self, name: FramingName) -> Outcome<Option<Framing>> {
        let framings = self.plans().into_iter().map(|plan| Framing::of(name, plan));
        let framings = framings.collect::<Result<Vec<_>, String>>().map_err(Failure::Usage)?;
        match framings.iter().position(|framing| *framing != framings[0]) {
            Some(other) => Err(Failure::Usage(format!(
                "--framing: the messages of {} and {} lie differently in a stream: read them by themselves",
                self.paths[0], self.paths[other]
            ))),
            None => Ok(framings[0]),
        }
    }

    /// The schema that a message is read by: the oldest of the message's schema id that has its version, or else the newest.
    pub fn choose(&self, head: Head) -> Option<Choice> {
        if self.heads.as_ref().is_some_and(|heads| heads.schema.is_none()) {
            return self.by_id.get(&head.id).map(|&schema| Choice { schema, is_newer: false });
        }
        let versions = self.by_schema.get(&head.schema)?;
        let reads = versions.iter().find(|(version, _)| *version >= head.version);
        let newest = || versions.last().map(|&(_, schema)| Choice { schema, is_newer: true });
        reads.map(|&(_, schema)| Choice { schema, is_newer: false }).or_else(newest)
    }

    /// The schema that bytes are read by: the first where they do not say one that is known.
    pub fn of(&self, bytes: &[u8]) -> Choice {
        let heads = self.heads.as_ref().filter(|_| self.list.len() > 1);
        let head = heads.and_then(|heads| heads.read(bytes));
        head.and_then(|head| self.choose(head)).unwrap_or(Choice { schema: 0, is_newer: false })
    }

    /// The message of that name, which all bytes are.
    pub fn fixed(&self, name: Option<&str>) -> Outcome<Option<usize>> {
        match (name, &self.list[..]) {
            (None, _) => Ok(None),
            (Some(name), [messages]) => messages.named(name).map(Some),
            (Some(_), _) => {
                Err(Failure::Usage("--message takes all bytes for one message: give its --schema alone".into()))
            }
        }
    }

    /// As [`Messages::advice`], by the schema that the bytes are read by.
    pub fn advice(&self, fault: &Fault, fixed: Option<usize>, bytes: &[u8]) -> String {
        let mut ids: Vec<u64> = self.by_schema.keys().copied().collect();
        ids.sort_unstable();
        let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
        match self.heads.as_ref().and_then(|heads| heads.read(bytes)) {
            Some(head) if self.list.len() > 1 && self.choose(head).is_none() && !ids.is_empty() => {
                format!("; the schemas have the ids {}", near::list(&ids))
            }
            _ => self.list[self.of(bytes).schema].advice(fault, fixed, bytes),
        }
    }

    /// The schema and the message that bytes are.
    pub fn find(&self, bytes: &[u8]) -> Result<(Choice, usize), Fault> {
        let choice = self.of(bytes);
        self.list[choice.schema].codec.find(bytes).map(|message| (choice, message))
    }
}

impl Heads {
    fn of(plan: &Plan) -> Option<Self> {
        let dispatch = plan.dispatch.as_ref()?;
        let head = &plan.messages.first()?.envelope.head;
        let version = head
            .register(|register| matches!(register.meaning, Meaning::Version { .. }) && register.constant.is_none());
        let version = version.map(|(slot, _)| FixedInt { at: slot.at, bits: (8 * slot.width) as u8 });
        let schema = dispatch.expect.first().map(|(place, _)| *place);
        Some(Self { order: plan.byte_order, via: dispatch.via, id: dispatch.id, schema, version })
    }

    /// The numbers of the message's head; `None` where the bytes end before them.
    pub fn read(&self, bytes: &[u8]) -> Option<Head> {
        let start = match self.via {
            None => 0,
            Some(via) => usize::try_from(self.number(bytes, via)?).ok()?,
        };
        let id = self.number(bytes.get(start..)?, self.id)?;
        let or_none = |place: Option<FixedInt>| place.map_or(Some(0), |place| self.number(bytes, place));
        Some(Head { schema: or_none(self.schema)?, version: or_none(self.version)?, id })
    }

    /// Whether heads say the version of the writer's schema.
    pub fn has_versions(&self) -> bool {
        self.version.is_some()
    }

    /// Whether heads say the schema's id.
    pub fn has_schemas(&self) -> bool {
        self.schema.is_some()
    }

    #[inline]
    fn number(&self, bytes: &[u8], place: FixedInt) -> Option<u64> {
        let at = place.at as usize;
        Some(self.order.number(bytes.get(at..at + usize::from(place.bits / 8))?))
    }
}

/// The schema's id, where its messages have it.
fn schema_id(plan: &Plan) -> Option<u64> {
    plan.dispatch.as_ref()?.expect.first().map(|(_, id)| *id)
}

/// The version that the schema's writers put into heads.
fn version_of(plan: &Plan) -> u64 {
    let head = plan.messages.first().map(|message| &message.envelope.head);
    let version = head.and_then(|head| head.register(|register| matches!(register.meaning, Meaning::Version { .. })));
    version.map_or(0, |(_, register)| match register.meaning {
        Meaning::Version { writes } => writes,
        _ => 0,
    })
}
