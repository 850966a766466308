//! Values of the schema (defaults, constants) as C++ expressions.

use crate::code::{code, listed, quoted, Code, ToCode};
use crate::gen::{Gen, Hold};
use crate::names::Site;
use aldis_schema::{default_of_field, Encoding, Field, Generated, Literal, Type, TypeId, TypeKind};

impl Gen<'_> {
    /// The expression of a literal of type `ty`; `None` where it is what an empty pair of braces makes.
    pub fn literal(&self, literal: &Literal, ty: &Type, site: Site) -> Option<Code> {
        match (literal, ty.required()) {
            (Literal::Choice { tag, value }, Type::Named(id)) => self.active(*id, *tag, value, site),
            (Literal::Null | Literal::List(_) | Literal::Choice { .. } | Literal::Generated(_), _) => None,
            (Literal::Bool(v), _) => Some(v.to_code()),
            (Literal::Int(v), Type::Float32) => Some(float(f64::from(*v as f32), true).to_code()),
            (Literal::Int(v), Type::Float64) => Some(float(*v as f64, false).to_code()),
            (Literal::Int(v), Type::Named(id)) => self.enumerated(*id, *v, site),
            (Literal::Int(v), Type::Char) => Some(code!("static_cast<char>({})", integer(*v))),
            (Literal::Int(v), _) => Some(integer(*v).to_code()),
            (Literal::Float(v), Type::Float32) => Some(float(f64::from(*v as f32), true).to_code()),
            (Literal::Float(v), _) => Some(float(*v, false).to_code()),
            (Literal::Decimal(v), _) if v.coefficient == 0 && v.scale == 0 && !v.negative => None,
            (Literal::Decimal(v), _) => {
                let word = |index: u32| (v.coefficient >> (32 * index)) as u32;
                let words = code!("{}U, {}U, {}U", word(0), word(1), word(2));
                Some(code!("aldis::decimal{{{{{words}}}, {}, {}}}", v.scale, v.negative))
            }
            (Literal::Uuid(octets), _) if octets.iter().all(|octet| *octet == 0) => None,
            (Literal::Uuid(octets), _) => {
                let octets: Vec<Code> = octets.iter().map(|octet| format!("0x{octet:02x}").to_code()).collect();
                Some(code!("aldis::uuid{{{{{}}}}}", listed(octets)))
            }
            (Literal::Text(v), Type::Text(encoding) | Type::Chars { encoding, .. }) => {
                self.text(&encoded(v, *encoding))
            }
            (Literal::Text(v), _) => self.text(v.as_bytes()),
            (Literal::Bytes(v), _) if v.is_empty() => None,
            (Literal::Bytes(v), _) => {
                let bytes: Vec<Code> = v.iter().map(|byte| code!("std::byte{{{byte}}}")).collect();
                Some(code!("{{{}}}", listed(bytes)))
            }
        }
    }

    fn text(&self, bytes: &[u8]) -> Option<Code> {
        if bytes.is_empty() {
            return None;
        }
        let shown = quoted_bytes(bytes);
        let ty = if self.pmr() { "std::string_view" } else { "std::string" };
        Some(if bytes.contains(&0) { code!("{ty}({shown}, {})", bytes.len()) } else { shown.to_code() })
    }

    /// A union with the arm of that tag active; `None` where that is how it begins.
    fn active(&self, union: TypeId, tag: u64, value: &Literal, site: Site) -> Option<Code> {
        let index = self.schema.union(union).arm_of(tag)?;
        let field = self.field(union, index);
        let held = match self.hold(union, index) {
            Hold::Plain => self.literal(value, &field.ty, site),
            _ => None,
        };
        if tag == 0 && (held.is_none() || is_zero(value)) {
            return None;
        }
        let name = self.type_name(union, site);
        Some(code!("{name}::of<{name}::tag::{}>({})", self.names.member(union, index), held.unwrap_or_default()))
    }

    /// `Side::buy`, `State::good`, or a cast where no name fits.
    fn enumerated(&self, id: TypeId, value: i128, site: Site) -> Option<Code> {
        let name = self.type_name(id, site);
        let member = match &self.schema.type_def(id).kind {
            TypeKind::Enum(definition) => definition.values.iter().position(|v| v.value == value),
            TypeKind::Flags(definition) => {
                let named = definition.values.iter().position(|v| v.mask == value as u64);
                if named.is_none() {
                    return self.combined(id, value as u64, site);
                }
                named
            }
            _ => None,
        };
        match member {
            Some(index) => Some(code!("{name}::{}", self.names.member(id, index))),
            None if value == 0 => None,
            None => Some(code!("static_cast<{name}>({})", integer(value))),
        }
    }

    /// `State::a | State::b`
    fn combined(&self, id: TypeId, value: u64, site: Site) -> Option<Code> {
        let TypeKind::Flags(definition) = &self.schema.type_def(id).kind else { return None };
        let name = self.type_name(id, site);
        let mut rest = value;
        let mut parts = Vec::new();
        for (index, flag) in definition.values.iter().enumerate().filter(|(_, flag)| flag.mask.is_power_of_two()) {
            if rest & flag.mask != 0 {
                rest &= !flag.mask;
                parts.push(code!("{name}::{}", self.names.member(id, index)));
            }
        }
        if rest != 0 {
            parts.push(code!("static_cast<{name}>({})", integer(i128::from(rest))));
        }
        (!parts.is_empty()).then(|| code!(" | ").between(parts))
    }

    /// The default of a field where it is not what braces make.
    pub fn field_default(&self, record: TypeId, index: usize, site: Site) -> Option<Code> {
        let field = self.field(record, index);
        if self.is_pointed(field) {
            return None;
        }
        match (&field.constant, &field.default, field.ty.required()) {
            // A record's members have their own defaults.
            (None, None, Type::Named(id)) if self.is_record(*id) => None,
            _ => self.literal(&default_of_field(self.schema, field), &field.ty, site),
        }
    }

    /// Whether a field lies behind a pointer of a section: its default is null, which stands for the schema's.
    pub fn is_pointed(&self, field: &Field) -> bool {
        self.segments().is_some() && matches!(field.ty, Type::Optional(_))
    }

    /// A statement that gives a field its default.
    pub fn assign_default(&self, record: TypeId, index: usize, target: &Code) -> Code {
        let ty = &self.field(record, index).ty;
        if let Some(value) = self.field_default(record, index, Site::Namespace) {
            return code!("{target} = {value};");
        }
        match (self.hold(record, index), ty) {
            (Hold::Maybe | Hold::Boxed, _) => code!("{target}.reset();"),
            (_, Type::Text(_) | Type::Chars { .. } | Type::Bytes | Type::List(_) | Type::Set(_) | Type::Map { .. }) => {
                code!("{target}.clear();")
            }
            _ => code!("{target} = {{}};"),
        }
    }
}

/// A value of a type that C++ calls `name`, as an operand beside others of that type; without one that of no bytes.
pub(crate) fn typed(ty: &Type, name: &Code, value: Option<Code>) -> Code {
    match (value, ty.required()) {
        (None, _) => code!("{name}{{}}"),
        (Some(value), Type::Int(_) | Type::Timestamp | Type::Float32 | Type::Float64) => code!("{name}{{{value}}}"),
        (Some(value), _) => value,
    }
}

/// Whether a number is none, or a truth is none.
pub(crate) fn is_zero(literal: &Literal) -> bool {
    match literal {
        Literal::Bool(value) => !value,
        Literal::Int(value) => *value == 0,
        Literal::Float(value) => *value == 0.0 && value.is_sign_positive(),
        _ => false,
    }
}

/// A generated default reads as zero, so that the same bytes always mean the same.
pub(crate) fn is_generated(literal: &Literal) -> Option<&'static str> {
    match literal {
        Literal::Generated(Generated::UtcNow) => Some("the time of creation"),
        Literal::Generated(Generated::Uuid1) => Some("a UUID of the time"),
        Literal::Generated(Generated::Uuid4) => Some("a random UUID"),
        _ => None,
    }
}

/// An integer literal that has its value in any type that it is meant for.
pub(crate) fn integer(value: i128) -> String {
    if value == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_owned()
    } else if value > i128::from(i64::MAX) {
        format!("{value}ULL")
    } else if i32::try_from(value).is_ok_and(|v| v > i32::MIN) {
        value.to_string()
    } else {
        format!("{value}LL")
    }
}

/// `'P'`, or the number of a character that cannot be shown.
pub(crate) fn character(value: i128) -> String {
    match u8::try_from(value) {
        Ok(byte @ (b'\'' | b'\\')) => format!("'\\{}'", char::from(byte)),
        Ok(byte @ 0x20..=0x7E) => format!("'{}'", char::from(byte)),
        _ => integer(value),
    }
}

fn float(value: f64, narrow: bool) -> String {
    let ty = if narrow { "float" } else { "double" };
    if value.is_nan() {
        return format!("std::numeric_limits<{ty}>::quiet_NaN()");
    }
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}std::numeric_limits<{ty}>::infinity()");
    }
    let text = if narrow { format!("{:?}", value as f32) } else { format!("{value:?}") };
    if narrow {
        text + "F"
    } else {
        text
    }
}

/// A string literal of any bytes.
pub(crate) fn quoted_bytes(bytes: &[u8]) -> Code {
    match std::str::from_utf8(bytes) {
        Ok(text) => quoted(text),
        Err(_) => format!("\"{}\"", bytes.iter().map(|byte| format!("\\{byte:03o}")).collect::<String>()).to_code(),
    }
}

/// Text as the bytes of its encoding; characters that it lacks were refused by the front end.
pub(crate) fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::character;

    #[test]
    fn characters_are_shown_as_such_where_they_can_be() {
        let cases = [(80, "'P'"), (39, r"'\''"), (92, r"'\\'"), (32, "' '"), (0, "0"), (10, "10"), (255, "255")];
        for (value, wanted) in cases {
            assert_eq!(character(value), wanted);
        }
    }
}
