//! What testees are asked.

use super::answer::{same, Closeness};
use super::random_bytes::{damage, Dice};
use super::vectors::Vector;
use super::{Answer, Wanted};
use crate::messages::Messages;
use aldis_interpreter::{to_hex, Testee};
use aldis_schema::{Field, Schema, TypeKind};

/// What a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    List,
    Vectors,
    OtherSchemas,
    Random,
    Dispatch,
    View,
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
}

/// Messages that are damaged in so many ways each.
const DAMAGES: usize = 8;

impl Suite<'_> {
    /// The requests, a handful at a time. `reference` converts where a request needs the answer of another.
    pub fn batches<'s>(&'s self, reference: &'s Testee) -> impl Iterator<Item = Vec<Case>> + 's {
        let list = Case { check: Check::List, request: "list".into(), wanted: None, origin: "list".into() };
        let vectors = self.vectors.iter().map(move |vector| self.vector(vector, reference));
        let random = (0..self.count).flat_map(move |index| {
            let seed = self.seed.wrapping_add(index);
            let each = move |form: &'s Messages| {
                let listed = (0..form.names.len()).filter(|&i| form.codec.plan().schema.messages[i].listed);
                listed.map(move |message| self.random(form, message, seed, reference))
            };
            self.forms.iter().flat_map(each)
        });
        std::iter::once(vec![list]).chain(vectors).chain(random)
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
        if !vector.exact {
            cases.iter_mut().for_each(|case| case.wanted = None);
        }
        let Some(json) = &vector.json else { return cases };
        let to_json = format!("\t{message}\t{form}\tjson\t");
        let mut given = case(Check::Vectors, message, "json", form, json.to_string().as_bytes(), &vector.file);
        for case in cases.iter_mut().filter(|case| case.request.contains(&to_json)) {
            // A golden JSON that says less than the bytes cannot bring them back.
            let answer = Answer::parse(&reference.answer(format!("0\t{}", case.request).as_bytes()));
            let says =
                |found: &[u8]| serde_json::from_slice(found).is_ok_and(|found| same(json, &found, Closeness::Exact));
            if vector.exact && matches!(answer, Answer::Ok(found) if says(&found)) {
                given.wanted = Some(Wanted::Bytes(vector.bytes.clone()));
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
            from_json.wanted = (!shapes_json(schema)).then(|| Wanted::Bytes(bytes.to_vec()));
            cases.push(from_json);
        }
        for other in self.forms.iter().map(|form| form.codec.plan().form.name.as_str()).filter(|name| *name != form) {
            cases.push(case(check, message, form, other, bytes, origin));
        }
        cases
    }

    fn random(&self, form: &Messages, message: usize, seed: u64, reference: &Testee) -> Vec<Case> {
        let form_name = form.codec.plan().form.name.as_str();
        let name = form.names[message].as_str();
        let origin = format!("random value of {name}, seed {seed}");
        let value = form.codec.random(message, seed);
        let Ok(bytes) = form.codec.encode(message, &value) else {
            // The request fails in the reference too, which the table then shows as a difference.
            let mut broken = case(Check::Random, name, "json", form_name, b"", &origin);
            broken.wanted = Some(Wanted::Bytes(Vec::new()));
            return vec![broken];
        };
        let mut cases = self.all_ways(Check::Random, name, form_name, &bytes, &origin, reference);
        cases.push(case(Check::Dispatch, "-", form_name, "json", &bytes, &origin));
        let mut view = case(Check::View, name, form_name, "json", &bytes, &origin);
        view.request = view.request.replacen("convert", "view", 1);
        cases.push(view);
        let mut dice = Dice::new(seed ^ (message as u64) << 32);
        for way in 0..DAMAGES {
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
            for way in 0..DAMAGES / 2 {
                let damaged = damage(&json, &mut dice);
                let origin = format!("{origin}, JSON damage {way}");
                cases.push(case(Check::DamagedJson, name, "json", form_name, &damaged, &origin));
            }
        }
        cases
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
