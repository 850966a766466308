//! The requests that testees get.

use super::answer::{same, Closeness};
use super::limits::{self, AtLimit};
use super::random_bytes::{damage, Dice};
use super::vectors::Vector;
use super::{Answer, Wanted};
use crate::messages::Messages;
use aldis_interpreter::{to_hex, Testee, Value};
use aldis_plan::Plan;
use aldis_schema::{Field, Schema, Type, TypeKind};

/// The subject of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    List,
    Vectors,
    OtherSchemas,
    Random,
    Dispatch,
    View,
    Limits,
    DamagedBytes,
    DamagedJson,
}

impl Check {
    /// As the table calls it.
    pub fn title(self) -> &'static str {
        match self {
            Check::List => "list of messages",
            Check::Vectors => "vectors, all ways",
            Check::OtherSchemas => "vectors of other schemas",
            Check::Random => "random values, all ways",
            Check::Dispatch => "message found from bytes",
            Check::View => "views",
            Check::Limits => "lists at the limit",
            Check::DamagedBytes => "damaged bytes",
            Check::DamagedJson => "damaged JSON",
        }
    }
}

/// One request and what is known of its answer beforehand.
#[derive(Debug)]
pub struct Case {
    pub check: Check,
    /// Without its id.
    pub request: String,
    pub wanted: Option<Wanted>,
    pub origin: String,
}

/// All that is asked about one schema.
pub struct Suite<'a> {
    /// One for each wire form, the main form first.
    pub forms: &'a [Messages],
    pub vectors: &'a [Vector],
    /// Random values for each message and form.
    pub count: u64,
    pub seed: u64,
    /// Damaged messages for each random value.
    pub damages: usize,
    /// Lists at the limit are asked for.
    pub limits: bool,
}

impl Case {
    /// The case as it is asked of a language that only decodes; nothing where there is none.
    pub fn of_decoding(mut self) -> Option<Self> {
        let fields: Vec<&str> = self.request.split('\t').collect();
        match fields[..] {
            [_, _, "json", ..] => None,
            [_, _, _, "json", _] | ["list"] => Some(self),
            [verb, message, from, _, hex] if matches!(self.check, Check::DamagedBytes | Check::Limits) => {
                self.request = [verb, message, from, "json", hex].join("\t");
                Some(self)
            }
            _ => None,
        }
    }
}

impl Suite<'_> {
    /// Messages that are damaged in so many ways each, unless another number is asked for; their JSON in half as many.
    pub const DAMAGES: usize = 8;

    /// The requests, a handful at a time. `reference` converts where a request needs the answer of another.
    pub fn batches<'s>(&'s self, reference: &'s Testee) -> impl Iterator<Item = Vec<Case>> + 's {
        let list = Case { check: Check::List, request: "list".into(), wanted: None, origin: "list".into() };
        let vectors = self.vectors.iter().map(move |vector| self.vector(vector, reference));
        let random = (0..self.count).flat_map(move |index| {
            let seed = self.seed.wrapping_add(index);
            let each = move |form: &'s Messages| {
                let header = form.codec.header_message();
                let asked = move |&i: &usize| form.codec.plan().schema.messages[i].listed || Some(i) == header;
                (0..form.names.len()).filter(asked).map(move |message| self.random(form, message, seed, reference))
            };
            self.forms.iter().flat_map(each)
        });
        let limits = self.forms.iter().filter(|_| self.limits).flat_map(move |form| {
            let messages = (0..form.names.len()).filter(|&i| form.codec.plan().schema.messages[i].listed);
            messages.map(move |message| at_limits(form, message))
        });
        std::iter::once(vec![list]).chain(vectors).chain(limits).chain(random)
    }

    fn form_name(&self, form: Option<&'static str>) -> &str {
        form.unwrap_or(&self.forms[0].codec.plan().form.name)
    }

    fn vector(&self, vector: &Vector, reference: &Testee) -> Vec<Case> {
        let form = self.form_name(vector.form);
        if !vector.own {
            return vec![
                case(Check::OtherSchemas, "-", form, "json", &vector.bytes, &vector.file),
                case(Check::OtherSchemas, "-", form, form, &vector.bytes, &vector.file),
            ];
        }
        let message = match &vector.message {
            Some(message) => self.forms[0].named(message).map_or("-", |index| &self.forms[0].names[index]),
            None => "-",
        };
        let mut cases = self.all_ways(Check::Vectors, message, form, &vector.bytes, &vector.file, reference);
        // Text that JSON cannot have is in a message, unless decoding refuses it, too.
        let takes = |case: &Case| {
            matches!(Answer::parse(&reference.answer(format!("0\t{}", case.request).as_bytes())), Answer::Ok(_))
        };
        let is_message = vector.code.as_deref().is_none_or(|code| is_fault_of_json(code) && takes(&cases[0]));
        if !vector.exact || !is_message {
            cases.iter_mut().for_each(|case| case.wanted = None);
        }
        if let Some(code) = &vector.code {
            cases.extend(faults(message, form, vector, code, is_message));
        }
        let Some(json) = &vector.json else { return cases };
        let to_json = format!("\t{message}\t{form}\tjson\t");
        let mut given = case(Check::Vectors, message, "json", form, json.to_string().as_bytes(), &vector.file);
        for case in cases.iter_mut().filter(|case| case.request.contains(&to_json)) {
            // A golden JSON that says less than the bytes cannot bring them back.
            let answer = Answer::parse(&reference.answer(format!("0\t{}", case.request).as_bytes()));
            let says =
                |found: &[u8]| serde_json::from_slice(found).is_ok_and(|found| same(json, &found, Closeness::Exact));
            if vector.exact
                && !self.loses_nulls(message, form, &vector.bytes)
                && matches!(answer, Answer::Ok(found) if says(&found))
            {
                given.wanted = Some(Wanted::Bytes(self.without_header(message, &vector.bytes)));
            }
            case.wanted = Some(Wanted::Json(json.clone()));
        }
        if message != "-" {
            cases.push(given);
        }
        cases
    }

    /// There, back, and round: bytes to JSON, that JSON to bytes, bytes to bytes, bytes to the other forms.
    fn all_ways(
        &self,
        check: Check,
        message: &str,
        form: &str,
        bytes: &[u8],
        origin: &str,
        reference: &Testee,
    ) -> Vec<Case> {
        let to_json = case(check, message, form, "json", bytes, origin);
        let mut round = case(check, message, form, form, bytes, origin);
        round.wanted = Some(Wanted::Bytes(bytes.to_vec()));
        let mut cases = vec![round];
        let json = Answer::parse(&reference.answer(format!("0\t{}", to_json.request).as_bytes()));
        cases.push(to_json);
        if let (Answer::Ok(json), true) = (json, message != "-") {
            let mut from_json = case(check, message, "json", form, &json, origin);
            let schema = &self.forms[0].codec.plan().schema;
            // Members of several records in one object may have one name, and JSON then says less than bytes.
            let tells_all = !shapes_json(schema) && !self.loses_nulls(message, form, bytes);
            from_json.wanted = tells_all.then(|| Wanted::Bytes(self.without_header(message, bytes)));
            cases.push(from_json);
        }
        for other in self.forms.iter().map(|form| form.codec.plan().form.name.as_str()).filter(|name| *name != form) {
            cases.push(case(check, message, form, other, bytes, origin));
        }
        cases
    }

    /// Whether the JSON of a message has empty values where it is null, so that it does not bring the message back.
    fn loses_nulls(&self, message: &str, form: &str, bytes: &[u8]) -> bool {
        let form = self.forms.iter().find(|messages| messages.codec.plan().form.name == form);
        let named = form.and_then(|form| Some((&form.codec, form.codec.message_named(message)?)));
        named.is_some_and(|(codec, index)| {
            let plan = codec.plan();
            let ty = Type::Named(plan.messages[index].record);
            codec.decode(index, bytes).is_ok_and(|(value, _)| plan.json.omit_null && holds_empty(plan, &ty, &value))
        })
    }

    /// The bytes of a message as they are when its header value is not given, which JSON of messages does not have.
    fn without_header(&self, message: &str, bytes: &[u8]) -> Vec<u8> {
        let form = &self.forms[0];
        let mut bare = bytes.to_vec();
        let place = form.codec.plan().header.as_ref();
        let place = place.filter(|_| form.find_named(message).is_none_or(|index| form.header_of(index).is_some()));
        for given in place.iter().flat_map(|header| &header.given) {
            let range = given.at as usize..(given.at + given.size) as usize;
            if let Some(bytes) = bare.get_mut(range) {
                bytes.fill(0);
            }
        }
        bare
    }

    fn random(&self, form: &Messages, message: usize, seed: u64, reference: &Testee) -> Vec<Case> {
        let form_name = form.codec.plan().form.name.as_str();
        let name = form.names[message].as_str();
        let origin = format!("random value of {name}, seed {seed}");
        let value = form.codec.random(message, seed);
        let header = form.header_of(message);
        let beside = header.and_then(|_| form.codec.random_header(seed));
        let Ok(bytes) = form.codec.encode_with(message, &value, beside.as_ref()) else {
            // The request fails in the reference too, which the table then shows as a difference.
            let mut broken = case(Check::Random, name, "json", form_name, b"", &origin);
            broken.wanted = Some(Wanted::Bytes(Vec::new()));
            return vec![broken];
        };
        let mut cases = self.all_ways(Check::Random, name, form_name, &bytes, &origin, reference);
        cases.push(case(Check::Dispatch, "-", form_name, "json", &bytes, &origin));
        if let Some(header) = header {
            cases.push(case(Check::Random, &form.names[header], form_name, "json", &bytes, &origin));
        }
        let mut view = case(Check::View, name, form_name, "json", &bytes, &origin);
        view.request = view.request.replacen("convert", "view", 1);
        cases.push(view);
        let mut dice = Dice::new(seed ^ (message as u64) << 32);
        for way in 0..self.damages {
            let damaged = damage(&bytes, &mut dice);
            let origin = format!("{origin}, damage {way}");
            let target = if way % 2 == 0 { "json" } else { form_name };
            let mut one = case(Check::DamagedBytes, name, form_name, target, &damaged, &origin);
            if way % 4 == 2 {
                one.request = one.request.replacen("convert", "view", 1);
            }
            cases.push(one);
        }
        let mut json = Vec::new();
        if form.codec.value_to_json(message, &value, &mut json).is_ok() {
            for (text, half) in with_half_pairs(&json) {
                let mut one = case(Check::DamagedJson, name, "json", form_name, &text, &format!("{origin}, {half}"));
                one.wanted = Some(Wanted::Code("bad-json".to_owned()));
                cases.push(one);
            }
            for way in 0..Self::DAMAGES / 2 {
                let damaged = damage(&json, &mut dice);
                let origin = format!("{origin}, JSON damage {way}");
                cases.push(case(Check::DamagedJson, name, "json", form_name, &damaged, &origin));
            }
        }
        cases
    }
}

/// Lists with as many elements as are read, and one more.
fn at_limits(form: &Messages, message: usize) -> Vec<Case> {
    let (name, form_name) = (form.names[message].as_str(), form.codec.plan().form.name.as_str());
    let mut cases = Vec::new();
    for AtLimit { what, bytes, is_json } in limits::at_limit(&form.codec, message) {
        let origin = format!("{name}: {what}");
        if is_json {
            cases.push(case(Check::Limits, name, "json", form_name, &bytes, &origin));
            continue;
        }
        for verb in ["convert", "view"] {
            let mut one = case(Check::Limits, name, form_name, form_name, &bytes, &origin);
            one.request = one.request.replacen("convert", verb, 1);
            cases.push(one);
        }
    }
    cases
}

/// The text with half of a surrogate pair, which is no character, in its first key and in its first value in quotes.
fn with_half_pairs(json: &[u8]) -> Vec<(Vec<u8>, &'static str)> {
    let places = [&b"{\""[..], b":\""].map(|before| json.windows(2).position(|found| found == before));
    let halves = ["\\udc80", "\\ud800x", "\\udbff\\u0041"];
    let at = |place: usize, half: &'static str| ([&json[..place], half.as_bytes(), &json[place..]].concat(), half);
    places.iter().flatten().flat_map(|place| halves.map(|half| at(place + 2, half))).collect()
}

/// Whether anything null in a value has an empty value for its JSON.
fn holds_empty(plan: &Plan, ty: &Type, value: &Value) -> bool {
    let schema = &plan.schema;
    let is_empty = |ty: &Type, value: &Value| *value == Value::Null && plan.json.empty(ty, None).is_some();
    match (ty.required(), value) {
        (Type::List(element), Value::List(values)) => {
            values.iter().any(|value| is_empty(element, value) || holds_empty(plan, element, value))
        }
        (Type::Named(id), Value::Record(values)) => {
            let fields = schema.record(*id).fields.iter();
            fields.zip(values).any(|(field, value)| holds_empty(plan, &field.ty, value))
        }
        (Type::Named(id), Value::Choice(tag, value)) => {
            let union = schema.union(*id);
            let arm = union.arm_of(*tag).map(|index| &union.arms[index].field.ty);
            arm.is_some_and(|ty| union.empty_arms && is_empty(ty, value) || holds_empty(plan, ty, value))
        }
        _ => false,
    }
}

/// Whether a schema gives names of its own to members of JSON objects, or puts those of one object into another.
fn shapes_json(schema: &Schema) -> bool {
    let shaped = |field: &Field| field.json.name.is_some() || field.json.flatten.is_some();
    schema.types.iter().any(|ty| match &ty.kind {
        TypeKind::Record(record) => record.fields.iter().any(shaped),
        TypeKind::Union(union) => union.discriminator.is_some() || union.arms.iter().any(|arm| shaped(&arm.field)),
        _ => false,
    })
}

fn case(check: Check, message: &str, from: &str, to: &str, bytes: &[u8], origin: &str) -> Case {
    let request = format!("convert\t{message}\t{from}\t{to}\t{}", to_hex(bytes));
    Case { check, request, wanted: None, origin: origin.to_owned() }
}

/// Text that is not UTF-8 is a fault of JSON alone: bytes of it are a message, and come back as they are.
fn is_fault_of_json(code: &str) -> bool {
    code == "bad-text"
}

/// The requests for bytes at fault; those of a message are at fault in JSON alone.
fn faults(message: &str, form: &str, vector: &Vector, code: &str, is_message: bool) -> Vec<Case> {
    let fault = Wanted::Code(code.to_owned());
    let again = if is_message { Wanted::Bytes(vector.bytes.clone()) } else { fault.clone() };
    let mut cases = Vec::new();
    for verb in ["convert", "view"] {
        for (to, wanted) in [("json", &fault), (form, &again)] {
            let mut one = case(Check::Vectors, message, form, to, &vector.bytes, &vector.file);
            one.request = one.request.replacen("convert", verb, 1);
            one.wanted = Some(wanted.clone());
            cases.push(one);
        }
    }
    cases
}
