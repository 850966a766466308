//! Values without parts.

use super::parse::{bad, integer, Parser};
use super::read::Reader;
use crate::fault::{Code, Fault};
use crate::{from_hex, Value};
use aldis_plan::Repr;
use aldis_schema::{BytesText, IntType, Type};
use base64::Engine as _;

impl Reader<'_, '_> {
    pub(super) fn bytes_text(&mut self, form: BytesText) -> Result<Value, Fault> {
        self.parser.peek();
        let at = self.parser.at;
        let text = self.parser.string()?;
        let bytes = match form {
            BytesText::Base64 => base64::engine::general_purpose::STANDARD.decode(text.as_bytes()).ok(),
            BytesText::Hex => from_hex(&text),
        };
        let wanted = if form == BytesText::Hex { "hexadecimal digits, two a byte" } else { "base64 with padding" };
        bytes.map(|bytes| Value::Bytes(bytes.into())).ok_or_else(|| bad(at, format!("not {wanted}")))
    }

    /// The integer type in which an enum's values travel.
    pub(super) fn int_type(&self, ty: &Type) -> IntType {
        match self.context.tables.repr_of(ty) {
            Repr::I8 => IntType::signed(8),
            Repr::I16 => IntType::signed(16),
            Repr::I32 => IntType::signed(32),
            Repr::I64 => IntType::signed(64),
            repr => IntType::unsigned(repr.width() as u8 * 8),
        }
    }

    pub(super) fn int(&mut self, int: IntType) -> Result<Value, Fault> {
        if self.context.policy.wide_text && self.parser.peek() == Some(b'"') {
            return self.quoted_int(int);
        }
        let (at, text) = self.number()?;
        match integer(text).filter(|&v| int.holds(v)) {
            Some(value) => Ok(Value::from_number(int.signed, value)),
            None => {
                let said = |text: &str| format!("{text} is not an integer from {} to {}", int.min(), int.max());
                Err(Fault::showing(Code::OutOfRange, text, said).or_at(at))
            }
        }
    }

    /// An integer as a string of digits.
    fn quoted_int(&mut self, int: IntType) -> Result<Value, Fault> {
        let at = self.parser.at;
        let text = self.parser.string()?;
        let mut grammar = Parser::new(text.as_bytes());
        if text.starts_with([' ', '\t', '\n', '\r']) || grammar.number().map(str::len) != Ok(text.len()) {
            return Err(
                Fault::showing(Code::BadJson, &text, |text| format!("expected an integer, found `{text}`")).or_at(at)
            );
        }
        let mut reader = Reader { context: self.context, parser: Parser::new(text.as_bytes()), depth: 0, memory: 0 };
        reader.int(int).map_err(|fault| fault.seen_at(at))
    }

    pub(super) fn number(&mut self) -> Result<(usize, &str), Fault> {
        match self.parser.peek() {
            Some(b'-' | b'0'..=b'9') => Ok((self.parser.at, self.parser.number()?)),
            _ => Err(bad(self.parser.at, format!("expected a number, found {}", self.parser.found()))),
        }
    }

    /// Reads a double and narrows it where the type is narrower, as every language can.
    pub(super) fn float(&mut self, ty: &Type) -> Result<Value, Fault> {
        if self.context.policy.non_finite && self.parser.peek() == Some(b'"') {
            return self.non_finite(ty);
        }
        if self.context.policy.omit_null && self.parser.word("null") {
            return Ok(if *ty == Type::Float32 { Value::F32(f32::NAN) } else { Value::F64(f64::NAN) });
        }
        let (at, text) = self.number()?;
        let value: f64 = text.parse().map_err(|_| bad(at, "not a number"))?;
        let narrow = value as f32;
        match ty {
            Type::Float32 if narrow.is_finite() => Ok(Value::F32(narrow)),
            Type::Float64 if value.is_finite() => Ok(Value::F64(value)),
            _ => {
                let said = |text: &str| format!("{text} is beyond the largest float of its type");
                Err(Fault::showing(Code::OutOfRange, text, said).or_at(at))
            }
        }
    }

    fn non_finite(&mut self, ty: &Type) -> Result<Value, Fault> {
        let at = self.parser.at;
        let value = match &*self.parser.string()? {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            other => {
                let said = |other: &str| format!("expected a number, NaN, Infinity or -Infinity, found `{other}`");
                return Err(Fault::showing(Code::BadJson, other, said).or_at(at));
            }
        };
        Ok(if *ty == Type::Float32 { Value::F32(value as f32) } else { Value::F64(value) })
    }

    pub(super) fn char(&mut self) -> Result<Value, Fault> {
        let at = self.parser.at;
        let text = self.parser.string()?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if u32::from(c) < 256 => Ok(Value::UInt(u64::from(u32::from(c)))),
            (Some(c), None) => {
                let character = format!("U+{:04X}", u32::from(c));
                Err(Fault::showing(Code::OutOfRange, &character, |c| format!("{c} is beyond one byte")).or_at(at))
            }
            _ => Err(bad(at, "expected a string of one character")),
        }
    }

    pub(super) fn byte_array(&mut self) -> Result<Value, Fault> {
        let elements = self.elements(&Type::Int(IntType::unsigned(8)))?;
        Ok(Value::Bytes(elements.iter().map(|byte| byte.as_number().unwrap_or_default() as u8).collect()))
    }
}
