//! The place that each row's message came from.

use crate::shape::timestamp;
use crate::store::{Column, Kind, Store};
use aldis_schema::{Encoding, Type};
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, FieldRef, TimeUnit};
use std::sync::Arc;

/// The place of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place<'c> {
    /// The number of the message in the input, from 0.
    pub message: u64,
    /// The offset of its first byte in the input, the stream, or the datagram's payload.
    pub offset: u64,
    /// The packet that it was in; none where the input has no packets.
    pub packet: Option<Packet<'c>>,
}

/// The packet of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet<'c> {
    pub number: u64,
    /// In nanoseconds since 1970.
    pub time: Option<u64>,
    pub channel: &'c str,
    /// The number of the packet in its channel.
    pub sequence: Option<u64>,
}

/// The columns that say where rows came from: `_message` and `_offset`, and where there are packets `_packet`, `_time`,
/// `_channel` and `_sequence`.
#[derive(Debug)]
pub struct Source(Store);

const MESSAGE: usize = 0;
const OFFSET: usize = 1;
const PACKET: usize = 2;
const TIME: usize = 3;
const CHANNEL: usize = 4;
const SEQUENCE: usize = 5;

impl Source {
    pub fn new(packets: bool) -> Self {
        let number = |name: &str| Column::new(name, Type::Void, Kind::Plain, DataType::UInt64);
        let mut columns = vec![number("_message"), number("_offset")];
        if packets {
            columns.push(number("_packet"));
            columns.push(Column::new("_time", Type::Void, Kind::Time, timestamp(TimeUnit::Nanosecond)));
            columns.push(Column::new("_channel", Type::Void, Kind::Text(Encoding::Utf8), DataType::Utf8));
            columns.push(number("_sequence"));
        }
        Self(Store(columns))
    }

    /// Adds a row.
    pub fn push(&mut self, place: &Place<'_>) {
        self.0 .0[MESSAGE].push(place.message);
        self.0 .0[OFFSET].push(place.offset);
        if self.0 .0.len() > PACKET {
            let packet = place.packet;
            self.number(PACKET, packet.map(|packet| packet.number));
            let time = packet.and_then(|packet| packet.time);
            self.number(TIME, time.filter(|time| i64::try_from(*time).is_ok()));
            match packet.filter(|packet| self.0 .0[CHANNEL].push_bytes(packet.channel.as_bytes())) {
                Some(_) => {}
                None => self.0.null(CHANNEL),
            }
            self.number(SEQUENCE, packet.and_then(|packet| packet.sequence));
        }
    }

    fn number(&mut self, column: usize, number: Option<u64>) {
        match number {
            Some(number) => self.0 .0[column].push(number),
            None => self.0.null(column),
        }
    }

    pub fn fields(&self) -> Vec<FieldRef> {
        self.0 .0.iter().map(|column| Arc::new(column.field())).collect()
    }

    /// The columns; there are no rows then.
    ///
    /// # Errors
    /// Those of Arrow, whose checks the columns pass.
    pub fn take(&mut self) -> Result<Vec<ArrayRef>, ArrowError> {
        (0..self.0 .0.len()).map(|id| self.0.take(id)).collect()
    }

    /// About how many bytes the rows take.
    pub fn size(&self) -> usize {
        self.0.size()
    }
}
