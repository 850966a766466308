//! One plan, ready for use.

use crate::blocks::Blocks;
use crate::fault::{Code, Fault};
use crate::ids::Ids;
use crate::json::{read_message, write_value, Context, JsonSink};
use crate::tables::Tables;
use crate::walk::{Nothing, Sink, ValueSink, Walker};
use crate::{encode, random, segments, Value};
use aldis_plan::{Container, FixedInt, Limits, Plan, Segments};
use aldis_schema::{default_of_type, Type, TypeId, TypeKind};
use std::borrow::Cow;

/// Decodes, encodes and converts the messages of one plan. Messages are named by their index in [`Plan::messages`].
#[derive(Debug)]
pub struct Codec {
    plan: Plan,
    pub(crate) tables: Tables,
    pub limits: Limits,
    /// JSON shows what is null as null, also where its form leaves it out or writes an empty value.
    pub nulls: bool,
    /// Decoding says `bad-text` where text is not in its encoding; it keeps such bytes when false.
    pub strict_text: bool,
    ids: Ids,
    /// By message, where it has that shape.
    blocks: Vec<Option<Blocks>>,
}

impl Codec {
    /// A codec with the default limits.
    pub fn new(plan: Plan) -> Self {
        let tables = Tables::new(&plan);
        let ids = Ids::new(plan.schema.meanings());
        let blocks = plan.messages.iter().map(|message| Blocks::of(&plan, &tables, message)).collect();
        Self { plan, tables, limits: Limits::default(), nulls: false, strict_text: false, ids, blocks }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The message of that full name (`proto.Account`).
    pub fn message_named(&self, full_name: &str) -> Option<usize> {
        self.plan.messages.iter().position(|m| self.plan.schema.type_def(m.record).name.full() == full_name)
    }

    /// The full name of a message.
    pub fn message_name(&self, message: usize) -> String {
        self.plan.schema.type_def(self.plan.messages[message].record).name.full()
    }

    /// The message that the bytes are, by the id in them. Of several messages with that id it is the one of the lowest rank
    /// ([`aldis_schema::MessageDef::rank`]).
    ///
    /// # Errors
    /// `truncated` and `bad-pointer` where the id cannot be read, `unknown-message` where it means none or several, or
    /// the form has no ids.
    pub fn find(&self, bytes: &[u8]) -> Result<usize, Fault> {
        let Some(dispatch) = &self.plan.dispatch else {
            return Err(Fault::new(Code::UnknownMessage, "messages of this form do not say what they are: name one"));
        };
        for (place, wanted) in &dispatch.expect {
            let found = self.fixed_int(bytes, *place, 0)?;
            if found != *wanted {
                let text = format!("the message is of schema {found}, not {wanted}");
                return Err(Fault::at(Code::UnknownMessage, place.at as usize, text));
            }
        }
        let start = match dispatch.via {
            None => 0,
            Some(via) => usize::try_from(self.fixed_int(bytes, via, 0)?).unwrap_or(usize::MAX),
        };
        if start > bytes.len() {
            let text = format!("the root record would start at byte {start}, beyond the message");
            return Err(Fault::at(Code::BadPointer, 0, text));
        }
        let id = self.fixed_int(bytes, dispatch.id, start)?;
        match self.ids.get(id) {
            Some(Some(message)) => Ok(message),
            Some(None) => {
                Err(self.unknown(start + dispatch.id.at as usize, format!("several messages have the id {id}")))
            }
            None => Err(self.unknown(start + dispatch.id.at as usize, format!("no message has the id {id}"))),
        }
    }

    fn unknown(&self, at: usize, text: String) -> Fault {
        Fault::at(Code::UnknownMessage, at, text)
    }

    fn fixed_int(&self, bytes: &[u8], place: FixedInt, start: usize) -> Result<u64, Fault> {
        let from = start + place.at as usize;
        let field = bytes.get(from..from + usize::from(place.bits / 8));
        let field = field.ok_or_else(|| {
            Fault::at(Code::Truncated, start, format!("{} bytes are too few to tell the message", bytes.len()))
        })?;
        Ok(self.plan.byte_order.number(field))
    }

    /// Walks a message and sends what it finds to `sink`. Gives the sink and how many bytes the message takes; bytes
    /// after it are not looked at. The sink got what comes before a fault.
    pub fn walk<S: Sink>(&self, message: usize, bytes: &[u8], sink: S) -> (S, Result<usize, Fault>) {
        if let Container::Segments(form) = self.plan.container {
            return self.walk_segments(form, message, bytes, sink);
        }
        let mut walker = Walker::new(&self.plan, &self.tables, &self.limits, bytes, sink).strict(self.strict_text);
        let result = walker.message(&self.plan.messages[message]);
        (walker.sink, result)
    }

    /// The same where messages are segments: offsets that the sink and faults are given are in the unpacked bytes.
    fn walk_segments<S: Sink>(
        &self,
        form: Segments,
        message: usize,
        bytes: &[u8],
        sink: S,
    ) -> (S, Result<usize, Fault>) {
        let unpacked = self.unpacked(bytes);
        let (words, taken) = match &unpacked {
            Ok((words, taken)) => (words, *taken),
            Err(fault) => return (sink, Err(fault.clone().in_packed())),
        };
        let segments = match segments::ranges(words, form) {
            Ok(segments) => segments,
            Err(fault) => return (sink, Err(fault)),
        };
        let end = segments.last().map_or(0, |segment| segment.end);
        let walker = Walker::new(&self.plan, &self.tables, &self.limits, &words[..end], sink).strict(self.strict_text);
        let mut walker = walker.over(&segments, &self.limits, words.len());
        let result = walker.message(&self.plan.messages[message]);
        (walker.sink, result.map(|size| taken.unwrap_or(size)))
    }

    /// A walk's fault with its offset in the bytes that were given, which packed ones do not have.
    pub fn in_input(&self, fault: Fault) -> Fault {
        match self.plan.container {
            Container::Segments(Segments { packed: true, .. }) => fault.in_unpacked(),
            _ => fault,
        }
    }

    /// Whether messages are words that were squeezed.
    pub(crate) fn is_packed(&self) -> bool {
        matches!(self.plan.container, Container::Segments(Segments { packed: true, .. }))
    }

    /// The words of the message that begins at `bytes`, and, where they were packed, how many bytes it takes.
    ///
    /// # Errors
    /// `truncated` and `too-large`, where they cannot be unpacked.
    pub fn unpacked<'b>(&self, bytes: &'b [u8]) -> Result<(Cow<'b, [u8]>, Option<usize>), Fault> {
        match self.plan.container {
            Container::Segments(Segments { packed: true, .. }) => {
                let (words, taken) = segments::unpack(bytes, self.limits.unpacked(bytes.len()))?;
                Ok((Cow::Owned(words), Some(taken)))
            }
            _ => Ok((Cow::Borrowed(bytes), None)),
        }
    }

    /// The shape of a message, where that is a block and lists of blocks in which nothing can be wrong.
    pub fn blocks(&self, message: usize) -> Option<&Blocks> {
        self.blocks[message].as_ref()
    }

    /// Walks a message for its faults alone, and gives how many bytes it takes. Keys of sets and maps are not compared.
    ///
    /// # Errors
    /// As [`Codec::decode`].
    pub fn verify(&self, message: usize, bytes: &[u8]) -> Result<usize, Fault> {
        if let Some(size) = self.blocks(message).and_then(|blocks| blocks.find(&self.limits, bytes, |_| {})) {
            return Ok(size);
        }
        let (_, result) = self.walk(message, bytes, Nothing);
        result.map_err(|fault| self.in_input(fault))
    }

    /// The value of a message, and how many bytes it takes.
    ///
    /// # Errors
    /// `truncated`, `bad-pointer`, `bad-count`, `bad-value`, `too-deep`, `too-large`, `unknown-message`; `offset` is in `bytes`, and
    /// there is none where they were packed.
    pub fn decode(&self, message: usize, bytes: &[u8]) -> Result<(Value, usize), Fault> {
        let (mut sink, result) = self.walk(message, bytes, ValueSink::default());
        result.map(|size| (sink.finish(), size)).map_err(|fault| self.in_input(fault))
    }

    /// Appends the JSON of a message to `out`, without building its value, and gives how many bytes the message takes.
    /// On an error `out` holds what had been written by then.
    ///
    /// # Errors
    /// As [`Codec::decode`], and `bad-text` or `bad-value` for what JSON cannot say.
    pub fn to_json(&self, message: usize, bytes: &[u8], out: &mut Vec<u8>) -> Result<usize, Fault> {
        let sink = JsonSink::new(out, self.context());
        let result = self.walk(message, bytes, sink).1;
        // Bytes that are no message are that first, whatever their text would be.
        let result = result.map_err(|fault| self.walk(message, bytes, ValueSink::default()).1.err().unwrap_or(fault));
        result.map_err(|fault| self.in_input(fault))
    }

    /// Appends the JSON of a value.
    ///
    /// # Errors
    /// `bad-text` or `bad-value` for what JSON cannot say.
    pub fn value_to_json(&self, message: usize, value: &Value, out: &mut Vec<u8>) -> Result<(), Fault> {
        self.json_of(&Type::Named(self.plan.messages[message].record), value, out)
    }

    /// Appends the JSON of a value of any of the schema's types.
    ///
    /// # Errors
    /// As [`Codec::value_to_json`].
    pub fn json_of(&self, ty: &Type, value: &Value, out: &mut Vec<u8>) -> Result<(), Fault> {
        write_value(out, self.context(), ty, value)
    }

    fn context(&self) -> Context<'_> {
        Context { nulls: self.nulls, ..Context::new(&self.plan, &self.tables) }
    }

    /// Reads the JSON of a message.
    ///
    /// # Errors
    /// `bad-json`, `out-of-range`, `too-deep`, `too-large` for records that take far more memory than the text; `offset` is in `text`.
    pub fn from_json(&self, message: usize, text: &[u8]) -> Result<Value, Fault> {
        let record = self.plan.messages[message].record;
        read_message(Context::new(&self.plan, &self.tables), record, text, self.limits.depth)
    }

    /// The bytes of a value.
    ///
    /// # Errors
    /// `out-of-range` for numbers, counts and lengths beyond their type, `bad-value` for a value of another type and
    /// for null where a value is required, `too-deep`, and `too-large` for what decoding refuses as such: elements without
    /// bytes, or fewer than their schema gives them, beyond the budget.
    pub fn encode(&self, message: usize, value: &Value) -> Result<Vec<u8>, Fault> {
        let (bytes, unpaid) =
            encode::encode(&self.plan, &self.tables, &self.limits, &self.plan.messages[message], value)?;
        if unpaid > self.limits.budget_base {
            match self.decode(message, &bytes) {
                Err(fault) if fault.code == Code::TooLarge => return Err(Fault::new(fault.code, fault.text.clone())),
                _ => {}
            }
        }
        Ok(bytes)
    }

    /// A field of a decoded record, or the arm of a union: what stands for it where bytes end before it.
    pub fn missing(&self, owner: TypeId, index: usize) -> &Value {
        match self.tables.schema.type_def(owner).kind {
            TypeKind::Union(_) => &self.tables.union(owner).missing[index],
            _ => &self.tables.record(owner).missing[index],
        }
    }

    /// The elements of a list, set or array whose elements are of the type, packed or not.
    pub fn elements<'v>(&self, element: &Type, value: &'v Value) -> Cow<'v, [Value]> {
        crate::order::elements(&self.tables, element, value)
    }

    /// The value of a type that nobody gave one.
    pub fn default_value(&self, ty: &Type) -> Value {
        Value::from_literal(&default_of_type(&self.tables.schema, ty), ty, &self.tables)
    }

    /// The message that is the header value, where the plan has one: it is read from the bytes of any other.
    pub fn header_message(&self) -> Option<usize> {
        let record = self.plan.header.as_ref()?.record;
        self.plan.messages.iter().position(|message| message.record == record)
    }

    /// The bytes of a value with a header value beside it; without one, header members are zero.
    ///
    /// # Errors
    /// As [`Codec::encode`], for either value.
    pub fn encode_with(&self, message: usize, value: &Value, header: Option<&Value>) -> Result<Vec<u8>, Fault> {
        let mut bytes = self.encode(message, value)?;
        if let Some(header) = header {
            self.put_header(&mut bytes, header)?;
        }
        Ok(bytes)
    }

    /// Puts a header value into the bytes of a message, whatever it has there; registers stay as they are.
    ///
    /// # Errors
    /// As [`Codec::encode`], and `truncated` where the bytes end within the head. Then the bytes are as they were.
    pub fn put_header(&self, bytes: &mut [u8], header: &Value) -> Result<(), Fault> {
        let (Some(place), Some(message)) = (&self.plan.header, self.header_message()) else {
            return Err(Fault::new(Code::BadValue, "messages of this schema have no header value"));
        };
        if bytes.len() < place.size as usize {
            let text = format!("{} bytes are too few for a head of {}", bytes.len(), place.size);
            return Err(Fault::at(Code::Truncated, 0, text));
        }
        let head = self.encode(message, header)?;
        for given in &place.given {
            let range = given.at as usize..(given.at + given.size) as usize;
            bytes[range.clone()].copy_from_slice(&head[range]);
        }
        Ok(())
    }

    /// A header value for messages of the plan, the same for the same seed; nothing where the plan has none.
    pub fn random_header(&self, seed: u64) -> Option<Value> {
        Some(self.random(self.header_message()?, seed ^ 0x4845_4144))
    }

    /// A value of the message that its form can carry and its JSON can say, the same for the same seed.
    pub fn random(&self, message: usize, seed: u64) -> Value {
        let value = random::random(&self.plan, &self.tables, self.plan.messages[message].record, seed);
        // An optional number that happens to be the one that means null is null: what the bytes say is the value.
        let carried = self.encode(message, &value).and_then(|bytes| self.decode(message, &bytes));
        carried.map_or(value, |(carried, _)| carried)
    }
}
