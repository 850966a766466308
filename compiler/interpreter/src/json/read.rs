//! JSON text to values, by type.

use super::keys::{has_text, uuid_octets};
use super::parse::{bad, integer, Parser};
use super::write::Context;
use crate::fault::{Code, Fault};
use crate::scalar::encode_text;
use crate::{order, Value};
use aldis_plan::Repr;
use aldis_schema::{Decimal, Encoding, Field, IntType, Type, TypeId, TypeKind};
use base64::Engine as _;

/// Reads the JSON of one message, with nothing after it.
///
/// # Errors
/// `bad-json` for what is not JSON or not this record's JSON, `out-of-range` for numbers and characters that their type
/// cannot hold, `too-deep`; with the offset in the text and the path.
pub(crate) fn read_message(context: Context<'_>, record: TypeId, text: &[u8], depth: u32) -> Result<Value, Fault> {
    let mut reader = Reader { context, parser: Parser::new(text), depth };
    let value = reader.record(record)?;
    reader.parser.end()?;
    Ok(value)
}

struct Reader<'c, 't> {
    context: Context<'c>,
    parser: Parser<'t>,
    depth: u32,
}

impl<'c> Reader<'c, '_> {
    fn record(&mut self, id: TypeId) -> Result<Value, Fault> {
        if self.depth == 0 {
            return Err(Fault::at(Code::TooDeep, self.parser.at, "records nest deeper than the limit"));
        }
        self.depth -= 1;
        let fields: &'c [Field] = &self.context.tables.schema.record(id).fields;
        let mut values: Vec<Option<Value>> = vec![None; fields.len()];
        self.parser.expect(b'{', "an object")?;
        let mut likely = 0;
        let mut first = true;
        while !self.closes(b'}', &mut first)? {
            let at = self.parser.at;
            let index = self.member_name(fields, likely)?;
            if values[index].is_some() {
                let name = &fields[index].name;
                return Err(bad(at, format!("`{name}` is given twice")).in_field(name));
            }
            likely = index + 1;
            self.parser.expect(b':', "`:`")?;
            values[index] = Some(self.field(&fields[index]).map_err(|f| f.in_field(&fields[index].name))?);
        }
        let end = self.parser.at;
        for (index, value) in values.iter_mut().enumerate().filter(|(_, value)| value.is_none()) {
            let field = &fields[index];
            *value = Some(self.absent(id, index, field, end).map_err(|f| f.in_field(&field.name))?);
        }
        self.depth += 1;
        Ok(Value::Record(values.into_iter().flatten().collect()))
    }

    /// Reads a member's name and gives its field; `likely` is where that would be if names came in schema order.
    fn member_name(&mut self, fields: &[Field], likely: usize) -> Result<usize, Fault> {
        if fields.get(likely).is_some_and(|field| self.parser.take_string(&field.name)) {
            return Ok(likely);
        }
        let at = self.parser.at;
        let name = self.parser.string()?;
        let index = fields.iter().position(|field| field.name == name);
        index.ok_or_else(|| bad(at, format!("no field is called `{name}`")).in_field(&name))
    }

    /// Whether the closing bracket comes next; takes it, or the comma before the next member.
    fn closes(&mut self, bracket: u8, first: &mut bool) -> Result<bool, Fault> {
        if self.parser.take(bracket) {
            return Ok(true);
        }
        if !std::mem::take(first) {
            self.parser.expect(b',', "`,` or the end of the list")?;
            self.parser.peek();
        }
        Ok(false)
    }

    fn field(&mut self, field: &Field) -> Result<Value, Fault> {
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
        self.value(&field.ty)
    }

    /// What a field is whose key is not there.
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
            Type::Bytes => {
                let text = self.parser.string()?;
                let bytes = base64::engine::general_purpose::STANDARD.decode(text.as_bytes());
                bytes.map(|b| Value::Bytes(b.into())).map_err(|_| bad(at, "not base64 with padding"))
            }
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
        }
    }

    fn named(&mut self, id: TypeId, ty: &Type) -> Result<Value, Fault> {
        match &self.context.tables.schema.type_def(id).kind {
            TypeKind::Record(_) => self.record(id),
            TypeKind::Enum(definition) => {
                let at = self.parser.at;
                match self.parser.peek() {
                    Some(b'"') => {}
                    Some(b'-' | b'0'..=b'9') => return self.int(self.int_type(ty)),
                    _ => return Err(bad(at, format!("expected a name or a number, found {}", self.parser.found()))),
                }
                let name = self.parser.string()?;
                let value = definition.value_of(&name);
                let value = value.ok_or_else(|| bad(at, format!("no enumerant is called `{name}`")))?;
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
                mask |= bits.ok_or_else(|| bad(at, format!("no flag is called `{name}`")))?;
            } else if let Value::UInt(bits) = self.int(IntType::unsigned(definition.repr.bits))? {
                mask |= bits;
            }
        }
        Ok(Value::UInt(mask))
    }

    /// The integer type in which an enum's values travel.
    fn int_type(&self, ty: &Type) -> IntType {
        match self.context.tables.repr_of(ty) {
            Repr::I8 => IntType::signed(8),
            Repr::I16 => IntType::signed(16),
            Repr::I32 => IntType::signed(32),
            Repr::I64 => IntType::signed(64),
            repr => IntType::unsigned(repr.width() as u8 * 8),
        }
    }

    fn int(&mut self, int: IntType) -> Result<Value, Fault> {
        let (at, text) = self.number()?;
        match integer(text).filter(|&v| int.holds(v)) {
            Some(value) => Ok(Value::from_number(int.signed, value)),
            None => {
                let text = format!("{text} is not an integer from {} to {}", int.min(), int.max());
                Err(Fault::at(Code::OutOfRange, at, text))
            }
        }
    }

    fn number(&mut self) -> Result<(usize, &str), Fault> {
        match self.parser.peek() {
            Some(b'-' | b'0'..=b'9') => Ok((self.parser.at, self.parser.number()?)),
            _ => Err(bad(self.parser.at, format!("expected a number, found {}", self.parser.found()))),
        }
    }

    /// Reads a double and narrows it where the type is narrower, as every language can.
    fn float(&mut self, ty: &Type) -> Result<Value, Fault> {
        if self.context.policy.non_finite && self.parser.peek() == Some(b'"') {
            return self.non_finite(ty);
        }
        let (at, text) = self.number()?;
        let value: f64 = text.parse().map_err(|_| bad(at, "not a number"))?;
        let narrow = value as f32;
        match ty {
            Type::Float32 if narrow.is_finite() => Ok(Value::F32(narrow)),
            Type::Float64 if value.is_finite() => Ok(Value::F64(value)),
            _ => Err(Fault::at(Code::OutOfRange, at, format!("{text} is beyond the largest float of its type"))),
        }
    }

    fn non_finite(&mut self, ty: &Type) -> Result<Value, Fault> {
        let at = self.parser.at;
        let value = match &*self.parser.string()? {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            other => return Err(bad(at, format!("expected a number, NaN, Infinity or -Infinity, found `{other}`"))),
        };
        Ok(if *ty == Type::Float32 { Value::F32(value as f32) } else { Value::F64(value) })
    }

    fn char(&mut self) -> Result<Value, Fault> {
        let at = self.parser.at;
        let text = self.parser.string()?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if u32::from(c) < 256 => Ok(Value::UInt(u64::from(u32::from(c)))),
            (Some(c), None) => {
                Err(Fault::at(Code::OutOfRange, at, format!("U+{:04X} is beyond one byte", u32::from(c))))
            }
            _ => Err(bad(at, "expected a string of one character")),
        }
    }

    fn elements(&mut self, element: &Type) -> Result<Vec<Value>, Fault> {
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
                let mut number = Reader { context: self.context, parser: Parser::new(text.as_bytes()), depth: 0 };
                number.int(self.int_type(ty)).map_err(|f| Fault::at(f.code, at, f.text.clone()))
            }
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

fn encoded(text: &str, encoding: Encoding, at: usize) -> Result<Value, Fault> {
    match encode_text(text, encoding) {
        Some(bytes) => Ok(Value::Bytes(bytes.into())),
        None => Err(Fault::at(Code::OutOfRange, at, "a character beyond U+00FF in one-byte text")),
    }
}

fn uuid(text: &str, at: usize) -> Result<Value, Fault> {
    uuid_octets(text).map(Value::Uuid).ok_or_else(|| bad(at, "not a uuid of 32 hex digits with hyphens"))
}

fn decimal(text: &str, at: usize) -> Result<Value, Fault> {
    let mut grammar = Parser::new(text.as_bytes());
    if text.starts_with([' ', '\t', '\n', '\r']) || grammar.number().map(str::len) != Ok(text.len()) {
        return Err(bad(at, "not a decimal number"));
    }
    match Decimal::parse(text) {
        Some(decimal) => Ok(Value::Decimal(Box::new(decimal))),
        None => Err(Fault::at(Code::OutOfRange, at, format!("{text} has more digits than a decimal holds"))),
    }
}
