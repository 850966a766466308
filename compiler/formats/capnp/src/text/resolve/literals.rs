//! Numbers, texts and words as values of simple types.

use super::Resolver;
use crate::codes;
use crate::model::{Type, Value};
use crate::text::ast::Expression;
use aldis_diagnostics::{Diagnostic, Span};

impl Resolver<'_> {
    /// The integer as a value of an integer or float type.
    pub(super) fn integer(&mut self, number: i128, ty: &Type, span: Span) -> Option<Value> {
        if let Some((least, most)) = integer_range(ty) {
            if (least..=most).contains(&number) {
                return Some(Value::Int(number));
            }
            let message = format!("{number} is no {}", self.type_name(ty));
            let problem = Diagnostic::error(codes::VALUE_RANGE, message, span, "");
            self.report(problem.help(format!("choose one from {least} to {most}, or a wider type")));
            return None;
        }
        let float = match ty {
            // Rounded once, not to Float64 first.
            Type::Float32 => Some(Value::Float32((number as f32).to_bits())),
            _ => float(number as f64, ty),
        };
        if float.is_none() {
            self.report_type(ty, span);
        }
        float
    }

    pub(super) fn float(&mut self, number: f64, ty: &Type, span: Span) -> Option<Value> {
        let float = float(number, ty);
        if float.is_none() {
            self.report_type(ty, span);
        }
        float
    }

    /// A text literal, as Text or as the bytes of Data.
    pub(super) fn text(&mut self, bytes: &[u8], ty: &Type, span: Span) -> Option<Value> {
        match ty {
            Type::Data => Some(Value::Data(bytes.to_vec())),
            Type::Text => match String::from_utf8(bytes.to_vec()) {
                Ok(text) => Some(Value::Text(text)),
                Err(error) => {
                    let at = error.utf8_error().valid_up_to();
                    let message = format!("the text is not UTF-8 from its byte {at} on");
                    let problem = Diagnostic::error(codes::TEXT_NOT_UTF8, message, span, "");
                    self.report(problem.help("let the type be Data, or mend the bytes"));
                    None
                }
            },
            _ => {
                self.report_type(ty, span);
                None
            }
        }
    }

    /// The value does not fit the type at all.
    pub(super) fn report_type(&mut self, ty: &Type, span: Span) {
        let message = format!("a value of type {} was expected here", self.type_name(ty));
        let problem = Diagnostic::error(codes::VALUE_TYPE, message, span, "");
        let help = match ty {
            Type::Void => "its only value is `void`",
            Type::Bool => "write `true` or `false`",
            Type::Float32 | Type::Float64 => "for instance `1.5`, `-2e10`, `inf`, `-inf` or `nan`",
            Type::Text => "write it in quotes",
            Type::Data => "write `0x\"00 ff\"`, or a text in quotes",
            Type::List(_) => "write its elements in brackets: `[first, second]`",
            Type::Enum(..) => "write the enumerant's name alone",
            Type::Struct(..) => "write its fields in parentheses: `(name = value)`",
            Type::Interface(..) => "capabilities have no values in a schema",
            Type::AnyPointer(_) => "only a constant of a struct or list type can stand here: `.name`",
            _ => "write an integer: `12`, `-3` or `0x1F`",
        };
        self.report(problem.help(help));
    }

    /// The type in a schema's words.
    pub(super) fn type_name(&self, ty: &Type) -> String {
        // Types that lists hold are as deep as the parser allows, times what aliases add: shown to some depth only.
        let (mut ty, mut lists) = (ty, 0);
        while let Type::List(element) = ty {
            (ty, lists) = (element, lists + 1);
        }
        let name = match ty {
            Type::Void => "Void",
            Type::Bool => "Bool",
            Type::Int8 => "Int8",
            Type::Int16 => "Int16",
            Type::Int32 => "Int32",
            Type::Int64 => "Int64",
            Type::Uint8 => "UInt8",
            Type::Uint16 => "UInt16",
            Type::Uint32 => "UInt32",
            Type::Uint64 => "UInt64",
            Type::Float32 => "Float32",
            Type::Float64 => "Float64",
            Type::Text => "Text",
            Type::Data => "Data",
            Type::Enum(id, _) | Type::Struct(id, _) | Type::Interface(id, _) => {
                self.by_id.get(id).map_or("group", |entry| self.catalog.entries[*entry].name())
            }
            Type::AnyPointer(_) | Type::List(_) => "AnyPointer",
        };
        format!("{}{name}{}", "List(".repeat(lists), ")".repeat(lists))
    }
}

/// The words that stand for values whatever is declared.
pub(super) fn word(name: &str, ty: &Type) -> Option<Value> {
    match (name, ty) {
        ("void", Type::Void) => Some(Value::Void),
        ("true", Type::Bool) => Some(Value::Bool(true)),
        ("false", Type::Bool) => Some(Value::Bool(false)),
        ("inf", _) => float(f64::INFINITY, ty),
        ("nan", _) => float(f64::NAN, ty),
        _ => None,
    }
}

/// Whether the name is such a word for some type.
pub(super) fn is_word(expression: &Expression) -> bool {
    use crate::text::ast::ExpressionKind::Name;
    matches!(&expression.kind, Name(name) if matches!(name.as_str(), "void" | "true" | "false" | "inf" | "nan"))
}

/// The number in the float type, rounded to it.
pub(super) fn float(number: f64, ty: &Type) -> Option<Value> {
    match ty {
        // The one NaN that all compilers of schemas write.
        Type::Float32 if number.is_nan() => Some(Value::Float32(0x7fc0_0000)),
        Type::Float64 if number.is_nan() => Some(Value::Float64(0x7ff8_0000_0000_0000)),
        Type::Float32 => Some(Value::Float32((number as f32).to_bits())),
        Type::Float64 => Some(Value::Float64(number.to_bits())),
        _ => None,
    }
}

/// The least and the largest value of an integer type.
pub(super) fn integer_range(ty: &Type) -> Option<(i128, i128)> {
    let signed = |bits: u32| (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    let unsigned = |bits: u32| (0, (1i128 << bits) - 1);
    Some(match ty {
        Type::Int8 => signed(8),
        Type::Int16 => signed(16),
        Type::Int32 => signed(32),
        Type::Int64 => signed(64),
        Type::Uint8 => unsigned(8),
        Type::Uint16 => unsigned(16),
        Type::Uint32 => unsigned(32),
        Type::Uint64 => unsigned(64),
        _ => return None,
    })
}
