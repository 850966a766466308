//! The counts as data.

use super::kinds::Kind;
use super::Stats;
use crate::schemas::Head;
use crate::traffic::{shown, Channel};
use aldis_captures::{Flow, Transport};
use serde::Serialize;

/// All that was counted.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub input: String,
    pub schemas: Vec<Schema>,
    pub messages: u64,
    pub bytes: u64,
    /// The times of the first and the last packet, and the seconds between them.
    pub from: Option<String>,
    pub until: Option<String>,
    pub seconds: Option<f64>,
    /// Messages were walked for faults, and not only their heads were read.
    pub verified: bool,
    pub kinds: Vec<KindRow>,
    pub newer: u64,
    pub unknown: u64,
    pub damaged: u64,
    pub first_damaged: Vec<DamagedRow>,
    /// How often messages were lost, since nothing says where they are: see [`crate::traffic::Lost`]; and where the input ends early.
    pub lost: u64,
    pub first_lost: Vec<String>,
    pub channels: Vec<ChannelRow>,
    pub timeline: Line,
}

#[derive(Clone, Debug, Serialize)]
pub struct Schema {
    pub path: String,
    pub package: String,
}

/// Messages with the same head.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KindRow {
    /// The message's name; `None` where no schema has it.
    pub message: Option<String>,
    /// The numbers of the head, where it has them.
    pub schema: Option<u64>,
    pub version: Option<u64>,
    pub id: Option<u64>,
    /// Written with a version that is newer than all schemas.
    pub newer: bool,
    pub messages: u64,
    pub bytes: u64,
    pub smallest: u64,
    pub largest: u64,
    pub damaged: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct DamagedRow {
    pub index: u64,
    pub offset: u64,
    pub packet: Option<u64>,
    pub channel: Option<String>,
    pub fault: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct ChannelRow {
    pub channel: String,
    pub messages: u64,
    pub gaps: u64,
    pub missing: u64,
    /// The unit of `missing`: datagrams or bytes.
    pub unit: &'static str,
    pub late: u64,
    pub restarts: u64,
}

/// Counts of equal steps, along nanoseconds since 1970 or along the bytes of the file.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub along: &'static str,
    pub begin: u64,
    pub step: u64,
    pub messages: Vec<u64>,
    pub bytes: Vec<u64>,
}

impl Stats<'_> {
    pub fn report(&self, input: String, channels: Vec<(Flow, Channel)>) -> Report {
        let schemas = self.schemas.paths.iter().zip(self.schemas.plans());
        let schemas = schemas.map(|(path, plan)| Schema { path: path.clone(), package: plan.schema.package.clone() });
        let mut kinds: Vec<KindRow> = self.kinds.all().map(|kind| self.kind(kind)).collect();
        kinds.sort_by_key(|kind| (std::cmp::Reverse(kind.messages), kind.id, kind.version));
        let sum = |of: &dyn Fn(&KindRow) -> u64| kinds.iter().map(of).sum::<u64>();
        let first = self.damaged.iter().map(|damaged| DamagedRow {
            index: damaged.index,
            offset: damaged.offset,
            packet: damaged.packet.as_ref().map(|(packet, _)| *packet),
            channel: damaged.packet.as_ref().map(|(_, channel)| channel.clone()),
            fault: damaged.text.clone(),
        });
        Report {
            input,
            schemas: schemas.collect(),
            messages: sum(&|kind| kind.messages),
            bytes: sum(&|kind| kind.bytes),
            from: self.times.map(|(first, _)| shown(first)),
            until: self.times.map(|(_, last)| shown(last)),
            seconds: self.times.map(|(first, last)| (last - first) as f64 / 1e9),
            verified: self.verify,
            newer: sum(&|kind| if kind.newer { kind.messages } else { 0 }),
            unknown: sum(&|kind| if kind.is_unknown() { kind.messages } else { 0 }),
            damaged: sum(&|kind| kind.damaged),
            kinds,
            first_damaged: first.collect(),
            lost: 0,
            first_lost: Vec::new(),
            channels: channels.into_iter().map(channel).collect(),
            timeline: self.timeline(),
        }
    }

    fn kind(&self, kind: &Kind) -> KindRow {
        let Head { schema, version, id } = kind.head.unwrap_or_default();
        let heads = self.schemas.heads.as_ref().filter(|_| kind.head.is_some());
        let name = |(choice, message): (crate::schemas::Choice, usize)| {
            self.schemas.list[choice.schema].names[message].clone()
        };
        KindRow {
            message: kind.meaning.map(name),
            schema: heads.filter(|heads| heads.has_schemas()).map(|_| schema),
            version: heads.filter(|heads| heads.has_versions()).map(|_| version),
            id: heads.map(|_| id),
            newer: kind.meaning.is_some_and(|(choice, _)| choice.is_newer),
            messages: kind.messages,
            bytes: kind.bytes,
            smallest: kind.smallest,
            largest: kind.largest,
            damaged: kind.damaged,
        }
    }

    fn timeline(&self) -> Line {
        let (begin, step) = self.line.scale();
        Line {
            along: if self.times.is_some() { "nanoseconds" } else { "bytes" },
            begin,
            step,
            messages: self.line.steps().iter().map(|step| step.messages).collect(),
            bytes: self.line.steps().iter().map(|step| step.bytes).collect(),
        }
    }
}

fn channel((flow, channel): (Flow, Channel)) -> ChannelRow {
    ChannelRow {
        channel: flow.to_string(),
        messages: channel.messages,
        gaps: channel.gaps,
        missing: channel.missing,
        unit: match flow.transport {
            Transport::Udp => "datagrams",
            Transport::Tcp => "bytes",
        },
        late: channel.earlier,
        restarts: channel.restarts,
    }
}

impl KindRow {
    /// Whether no schema has a message of that head. What cannot be read is damaged.
    fn is_unknown(&self) -> bool {
        self.message.is_none() && (self.id.is_some() || self.damaged == 0)
    }

    /// The message's name, or what its head says.
    pub fn name(&self) -> String {
        match (&self.message, self.id) {
            (Some(name), _) => name.clone(),
            (None, Some(id)) => format!("unknown id {id}"),
            (None, None) if self.is_unknown() => "other unknown ids".to_owned(),
            (None, None) => "unreadable".to_owned(),
        }
    }

    /// The version, and whether it is newer than all schemas.
    pub fn version_text(&self) -> String {
        let newer = if self.newer { " (newer)" } else { "" };
        self.version.map_or(String::new(), |version| format!("{version}{newer}"))
    }
}
