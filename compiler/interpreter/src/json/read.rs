//! JSON text to values, by type.

use super::keys::has_text;
use super::parse::{bad, Parser};
use super::texts::{decimal, encoded, uuid};
use super::write::Context;
use crate::fault::{Code, Fault};
use crate::{order, Value};
use aldis_schema::{Arm, BytesText, Field, IntType, Type, TypeId, TypeKind, Union};
use std::collections::HashSet;

/// Reads the JSON of one message, with nothing after it.
///
/// # Errors
/// `bad-json` for what is not JSON or not this record's JSON, `out-of-range` for numbers and characters that their type
/// cannot hold, `too-deep`, `too-large` for records that take far more memory than the text; with the offset in the text and the path.
pub(crate) fn read_message(context: Context<'_>, record: TypeId, text: &[u8], depth: u32) -> Result<Value, Fault> {
    let mut reader = Reader { context, parser: Parser::new(text), depth, memory: Reader::memory_for(text.len()) };
    let value = reader.record(record)?;
    reader.parser.end()?;
    Ok(value)
}

pub(super) struct Reader<'c, 't> {
    pub(super) context: Context<'c>,
    pub(super) parser: Parser<'t>,
    pub(super) depth: u32,
    /// Bytes that records may still take.
    pub(super) memory: u64,
}

impl<'c> Reader<'c, '_> {
    fn record(&mut self, id: TypeId) -> Result<Value, Fault> {
        if self.context.tables.record(id).shaped {
            return self.shaped_record(id);
        }
        self.enter()?;
        let fields: &'c [Field] = &self.context.tables.schema.record(id).fields;
        self.take_memory(fields.len())?;
        let mut values: Vec<Option<Value>> = vec![None; fields.len()];
        self.parser.expect(b'{', "an object")?;
        let mut likely = 0;
        let mut first = true;
        let mut skipped = HashSet::new();
        while !self.closes(b'}', &mut first)? {
            let at = self.parser.at;
            let Some(place) = self.record_member(fields, likely, &mut skipped)? else { continue };
            if values[place.field].is_some() {
                let name = place.name(fields);
                return Err(bad(at, place.twice(name)).in_field(name));
            }
            likely = place.field + 1;
            self.parser.expect(b':', "`:`")?;
            let value = match place.arm {
                None => self.field(&fields[place.field]),
                Some(arm) => self.field(&arm.field).map(|value| Value::Choice(arm.tag, Box::new(value))),
            };
            let value = value.map_err(|f| f.leaving(&fields[place.field]).in_field(place.name(fields)));
            values[place.field] = Some(value?);
        }
        let end = self.parser.at;
        for (index, value) in values.iter_mut().enumerate().filter(|(_, value)| value.is_none()) {
            let field = &fields[index];
            let absent = self.absent(id, index, field, end).and_then(|value| self.paid(value));
            *value = Some(absent.map_err(|f| f.in_field(&field.name))?);
        }
        self.leave();
        Ok(Value::Record(values.into_iter().flatten().collect()))
    }

    /// Reads a member's name and gives its place; `likely` is the field that comes if names are in schema order. `None`
    /// where the name means nothing and its value was skipped.
    fn record_member(
        &mut self,
        fields: &'c [Field],
        likely: usize,
        skipped: &mut HashSet<String>,
    ) -> Result<Option<Place<'c>>, Fault> {
        let named = fields.get(likely).filter(|field| !field.name.is_empty());
        if named.is_some_and(|field| self.parser.take_string(field.json_name())) {
            return Ok(Some(Place { field: likely, arm: None }));
        }
        let at = self.parser.at;
        let name = self.parser.string()?;
        let place = self.place(fields, &name);
        if place.is_none() {
            self.unknown(&name, at, skipped)?;
        }
        Ok(place)
    }

    pub(super) fn enter(&mut self) -> Result<(), Fault> {
        if self.depth == 0 {
            return Err(Fault::at(Code::TooDeep, self.parser.at, "records nest deeper than the limit"));
        }
        self.depth -= 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth += 1;
    }

    /// The place to which a key's value belongs.
    fn place(&self, fields: &'c [Field], name: &str) -> Option<Place<'c>> {
        let is_named = |field: &Field| !field.name.is_empty() && field.json_name() == name;
        if let Some(field) = fields.iter().position(is_named) {
            return Some(Place { field, arm: None });
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_empty()).find_map(|(field, definition)| {
            let Type::Named(id) = &definition.ty else { return None };
            let union = self.context.tables.schema.union(*id);
            union.arms.iter().find(|arm| arm.field.json_name() == name).map(|arm| Place { field, arm: Some(arm) })
        })
    }

    /// Skips the value of a key that means nothing, where the form's JSON allows such; `skipped` are those before it.
    fn unknown(&mut self, name: &str, at: usize, skipped: &mut HashSet<String>) -> Result<(), Fault> {
        if !self.context.policy.skip_unknown {
            return Err(bad(at, format!("no field is called `{name}`")).in_field(name));
        }
        if !skipped.insert(name.to_owned()) {
            return Err(bad(at, format!("`{name}` is given twice")).in_field(name));
        }
        self.parser.expect(b':', "`:`")?;
        self.parser.skip(self.depth).map_err(|f| f.in_field(name))
    }

    /// The object of a named union: the member that is active, or none for its default.
    fn union(&mut self, id: TypeId, union: &'c Union) -> Result<Value, Fault> {
        if self.context.tables.union(id).shaped() {
            return self.shaped_union(id);
        }
        let start = self.parser.at;
        self.parser.expect(b'{', "an object")?;
        let mut found = None;
        let mut skipped = HashSet::new();
        let mut first = true;
        while !self.closes(b'}', &mut first)? {
            let at = self.parser.at;
            let name = self.parser.string()?;
            let Some(arm) = union.arms.iter().find(|arm| arm.field.json_name() == name) else {
                self.unknown(&name, at, &mut skipped)?;
                continue;
            };
            if found.is_some() {
                return Err(bad(at, "one member of a union was given already").in_field(&name));
            }
            self.parser.expect(b':', "`:`")?;
            let value = self.field(&arm.field).map_err(|f| f.in_field(&name))?;
            found = Some(Value::Choice(arm.tag, Box::new(value)));
        }
        match found {
            Some(value) => Ok(value),
            None => {
                let first = self.first_arm(id, union);
                self.paid(first.ok_or_else(|| bad(start, "one member of the union must be given"))?)
            }
        }
    }

    pub(super) fn first_arm(&self, id: TypeId, union: &Union) -> Option<Value> {
        let index = union.arm_of(0)?;
        Some(Value::Choice(0, Box::new(self.context.tables.union(id).missing[index].clone())))
    }

    /// Whether the closing bracket comes next; takes it, or the comma before the next member.
    pub(super) fn closes(&mut self, bracket: u8, first: &mut bool) -> Result<bool, Fault> {
        if self.parser.take(bracket) {
            return Ok(true);
        }
        if !std::mem::take(first) {
            self.parser.expect(b',', "`,` or the end of the list")?;
            self.parser.peek();
        }
        Ok(false)
    }

    pub(super) fn field(&mut self, field: &Field) -> Result<Value, Fault> {
        let at = self.parser.at;
        if let Some(constant) = &field.constant {
            let wanted = Value::from_literal(constant, &field.ty, self.context.tables);
            if field.nullable() && self.parser.word("null") {
                return Ok(wanted);
            }
            let given = self.value(&field.ty)?;
            if !given.is_constant(&wanted) {
                return Err(bad(at, "the schema fixes another value"));
            }
            return Ok(given);
        }
        if field.nullable() && self.parser.word("null") {
            return Ok(match &field.ty {
                Type::List(_) => Value::List(Box::default()),
                Type::Text(_) | Type::Bytes => Value::Bytes(Box::default()),
                _ => Value::Null,
            });
        }
        match field.json.bytes {
            Some(form) if *field.ty.required() == Type::Bytes => self.bytes_text(form),
            _ => self.value(&field.ty),
        }
    }

    /// The value of a field whose key is not there.
    fn absent(&self, record: TypeId, index: usize, field: &Field, end: usize) -> Result<Value, Fault> {
        let tables = self.context.tables;
        if let Some(constant) = &field.constant {
            return Ok(Value::from_literal(constant, &field.ty, tables));
        }
        if self.context.policy.defaults {
            return Ok(tables.record(record).missing[index].clone());
        }
        match &field.ty {
            Type::Optional(_) => Ok(Value::Null),
            _ if field.optional => Ok(Value::Null),
            Type::List(_) => Ok(Value::List(Box::default())),
            Type::Text(_) | Type::Bytes => Ok(Value::Bytes(Box::default())),
            _ => Err(bad(end, "the field is required")),
        }
    }

    fn value(&mut self, ty: &Type) -> Result<Value, Fault> {
        self.parser.peek();
        let at = self.parser.at;
        match ty {
            Type::Optional(inner) => {
                if self.parser.word("null") {
                    Ok(Value::Null)
                } else {
                    self.value(inner)
                }
            }
            Type::Bool => match (self.parser.word("true"), self.parser.word("false")) {
                (true, _) => Ok(Value::Bool(true)),
                (_, true) => Ok(Value::Bool(false)),
                _ => Err(bad(at, format!("expected true or false, found {}", self.parser.found()))),
            },
            Type::Int(int) => self.int(*int),
            Type::Timestamp => self.int(IntType::unsigned(64)),
            Type::Float32 | Type::Float64 => self.float(ty),
            Type::Char => self.char(),
            Type::Decimal => {
                let text = self.parser.string()?;
                decimal(&text, at)
            }
            Type::Uuid => {
                let text = self.parser.string()?;
                uuid(&text, at)
            }
            Type::Text(encoding) | Type::Chars { encoding, .. } => {
                let text = self.parser.string()?;
                encoded(&text, *encoding, at)
            }
            Type::Bytes if self.context.policy.byte_arrays => self.byte_array(),
            Type::Bytes => self.bytes_text(BytesText::Base64),
            Type::List(element) => Ok(Value::List(self.elements(element)?.into())),
            Type::Set(element) => self.set(element),
            Type::Array { element, len } => {
                let elements = self.elements(element)?;
                if elements.len() != *len as usize {
                    return Err(bad(at, format!("expected {len} elements, found {}", elements.len())));
                }
                Ok(Value::List(elements.into()))
            }
            Type::Map { key, value, .. } => self.map(key, value),
            Type::Named(id) => self.named(*id, ty),
            Type::Void if self.parser.word("null") => Ok(Value::Null),
            Type::Void => Err(bad(at, format!("expected null, found {}", self.parser.found()))),
            Type::Opaque(_) => Err(bad(at, "JSON cannot say a value whose type the schema leaves open")),
        }
    }

    fn named(&mut self, id: TypeId, ty: &Type) -> Result<Value, Fault> {
        match &self.context.tables.schema.type_def(id).kind {
            TypeKind::Record(_) => self.record(id),
            TypeKind::Union(union) => self.union(id, union),
            TypeKind::Enum(definition) => {
                let at = self.parser.at;
                match self.parser.peek() {
                    Some(b'"') => {}
                    Some(b'-' | b'0'..=b'9') => return self.int(self.int_type(ty)),
                    _ => return Err(bad(at, format!("expected a name or a number, found {}", self.parser.found()))),
                }
                let name = self.parser.string()?;
                let named = definition.values.iter().find(|v| v.json_name() == name);
                let value = named.map(|v| v.value).ok_or_else(|| unknown(at, &name, "enumerant"))?;
                Ok(Value::from_number(self.context.tables.is_signed(ty), value))
            }
            TypeKind::Flags(definition) => {
                if !self.context.policy.names && self.parser.peek() != Some(b'[') {
                    return self.int(definition.repr);
                }
                self.flags(definition)
            }
        }
    }

    fn flags(&mut self, definition: &aldis_schema::Flags) -> Result<Value, Fault> {
        let mut mask = 0;
        self.parser.expect(b'[', "an array of names")?;
        let mut first = true;
        while !self.closes(b']', &mut first)? {
            let at = self.parser.at;
            if self.parser.peek() == Some(b'"') {
                let name = self.parser.string()?;
                let bits = definition.mask_of(&name);
                mask |= bits.ok_or_else(|| unknown(at, &name, "flag"))?;
            } else if let Value::UInt(bits) = self.int(IntType::unsigned(definition.repr.bits))? {
                mask |= bits;
            }
        }
        Ok(Value::UInt(mask))
    }

    pub(super) fn elements(&mut self, element: &Type) -> Result<Vec<Value>, Fault> {
        self.parser.expect(b'[', "an array")?;
        let mut elements = Vec::new();
        let mut first = true;
        while !self.closes(b']', &mut first)? {
            let index = elements.len();
            elements.push(self.value(element).map_err(|f| f.in_element(index))?);
        }
        Ok(elements)
    }

    fn set(&mut self, element: &Type) -> Result<Value, Fault> {
        let start = self.parser.at;
        let mut elements = self.elements(element)?;
        let given = elements.len();
        order::sort_set(self.context.tables, element, &mut elements);
        if elements.len() < given {
            return Err(bad(start, "an element of the set is given twice"));
        }
        Ok(Value::List(elements.into()))
    }

    fn map(&mut self, key: &Type, value: &Type) -> Result<Value, Fault> {
        let object = has_text(self.context, key);
        let start = self.parser.at;
        self.parser.expect(
            if object { b'{' } else { b'[' },
            if object { "an object" } else { "an array of [key,value] pairs" },
        )?;
        let mut entries = Vec::new();
        let mut first = true;
        while !self.closes(if object { b'}' } else { b']' }, &mut first)? {
            let index = entries.len();
            let entry = if object { self.member(key, value) } else { self.pair(key, value) };
            entries.push(entry.map_err(|f| f.in_element(index))?);
        }
        let given = entries.len();
        order::sort_map(self.context.tables, key, &mut entries);
        if entries.len() < given {
            return Err(bad(start, "a key is given twice"));
        }
        Ok(Value::Map(entries.into()))
    }

    fn member(&mut self, key: &Type, value: &Type) -> Result<(Value, Value), Fault> {
        let at = self.parser.at;
        let text = self.parser.string()?;
        let key = self.key(key, &text, at)?;
        self.parser.expect(b':', "`:`")?;
        Ok((key, self.value(value)?))
    }

    fn pair(&mut self, key: &Type, value: &Type) -> Result<(Value, Value), Fault> {
        self.parser.expect(b'[', "a pair [key,value]")?;
        let key = self.value(key)?;
        self.parser.expect(b',', "`,` and the value")?;
        let value = self.value(value)?;
        self.parser.expect(b']', "`]`")?;
        Ok((key, value))
    }

    /// A key from an object's member name.
    fn key(&self, ty: &Type, text: &str, at: usize) -> Result<Value, Fault> {
        match ty {
            Type::Text(encoding) => encoded(text, *encoding, at),
            Type::Uuid => uuid(text, at),
            Type::Decimal => decimal(text, at),
            Type::Bool => match text {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Err(bad(at, "expected true or false as the key")),
            },
            _ => {
                if !is_canonical(text) {
                    return Err(bad(at, "expected an integer as the key, in plain decimal digits"));
                }
                let mut number =
                    Reader { context: self.context, parser: Parser::new(text.as_bytes()), depth: 0, memory: 0 };
                number.int(self.int_type(ty)).map_err(|f| Fault::at(f.code, at, f.text.clone()))
            }
        }
    }
}

fn unknown(at: usize, name: &str, kind: &str) -> Fault {
    Fault::showing(Code::BadJson, name, |name| format!("no {kind} is called `{name}`")).or_at(at)
}

/// The field or arm that a key of a record's object stands for.
struct Place<'c> {
    field: usize,
    /// An arm of the field's unnamed union.
    arm: Option<&'c Arm>,
}

impl<'c> Place<'c> {
    fn name(&self, fields: &'c [Field]) -> &'c str {
        self.arm.map_or(&fields[self.field], |arm| &arm.field).json_name()
    }

    fn twice(&self, name: &str) -> String {
        match self.arm {
            None => format!("`{name}` is given twice"),
            Some(_) => format!("`{name}` is a member of a union, of which one was given already"),
        }
    }
}

/// Whether a text is an integer as keys are written: no sign but minus, no leading zeros, no fraction or exponent.
fn is_canonical(text: &str) -> bool {
    match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        [b'0'] => text == "0",
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
