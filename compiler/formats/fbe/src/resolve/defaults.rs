//! Defaults: a value of the field's type, or an error that shows both.

use super::builtin::is_character;
use super::number_text::{read, NumberText};
use super::scope::Scope;
use crate::ast::{FieldDecl, Path, Term, TermKind, Value};
use crate::codes;
use aldis_diagnostics::{similar, Diagnostic};
use aldis_schema::{Decimal, Generated, IntType, Literal, Schema, Type, TypeId, TypeKind};

/// The default of one field of one file.
pub(super) struct Defaults<'a, 's> {
    pub(super) schema: &'s Schema,
    pub(super) file: usize,
    pub(super) field: &'a FieldDecl,
}

impl Defaults<'_, '_> {
    /// `value` as a value of `ty`; reported and `None` when it is none.
    pub(super) fn literal(&self, scope: &mut Scope<'_>, ty: &Type, value: &Value) -> Option<Literal> {
        if let Type::Named(id) = ty.required() {
            if let TypeKind::Flags(_) = self.schema.type_def(*id).kind {
                return self.flags(scope, ty, *id, value);
            }
        }
        let [term] = value.terms.as_slice() else {
            let message = format!("`{}` has one value, not several", self.type_text());
            let problem = Diagnostic::error(codes::DEFAULT_TYPE, message, value.span, "several here");
            scope.report(self.with_type(problem).help("only flags are combined with `|`"));
            return None;
        };
        if is_word(term, "null") {
            return self.null(scope, ty, term);
        }
        match ty.required() {
            Type::Bool => self.boolean(scope, term),
            Type::Int(int) => self.integer(scope, *int, term),
            Type::Timestamp => self.timestamp(scope, term),
            Type::Float32 | Type::Float64 => self.float(scope, *ty.required() == Type::Float32, term),
            Type::Decimal => self.decimal(scope, term),
            Type::Uuid => self.uuid(scope, term),
            Type::Text(_) => self.text(scope, term),
            Type::Named(id) if matches!(self.schema.type_def(*id).kind, TypeKind::Enum(_)) => {
                self.named_value(scope, *id, term).map(Literal::Int)
            }
            _ => self.impossible(scope, term),
        }
    }

    fn null(&self, scope: &mut Scope<'_>, ty: &Type, term: &Term) -> Option<Literal> {
        if matches!(ty, Type::Optional(_)) {
            return Some(Literal::Null);
        }
        let help = format!("only optional fields can be null: `{}?`", self.field.ty.base.text());
        self.mismatch(scope, term, &help)
    }

    fn boolean(&self, scope: &mut Scope<'_>, term: &Term) -> Option<Literal> {
        match word(term) {
            Some("true") => Some(Literal::Bool(true)),
            Some("false") => Some(Literal::Bool(false)),
            _ => self.mismatch(scope, term, "write true or false"),
        }
    }

    fn integer(&self, scope: &mut Scope<'_>, int: IntType, term: &Term) -> Option<Literal> {
        let is_character = is_character(&self.field.ty.base.text());
        let number = match (&term.kind, word(term)) {
            (TermKind::Number(text), _) => self.whole(scope, text, term)?,
            (TermKind::Char(c), _) if is_character => i128::from(u32::from(*c)),
            (TermKind::Char(c), _) => {
                return self.mismatch(scope, term, &format!("write the character's number, {}", u32::from(*c)))
            }
            (_, Some("min")) => int.min(),
            (_, Some("max")) => int.max(),
            _ => return self.mismatch(scope, term, "write a whole number, min or max"),
        };
        self.in_range(scope, int, number, term)
    }

    fn timestamp(&self, scope: &mut Scope<'_>, term: &Term) -> Option<Literal> {
        match (&term.kind, word(term)) {
            (_, Some("epoch" | "min")) => Some(Literal::Int(0)),
            (_, Some("max")) => Some(Literal::Int(IntType::unsigned(64).max())),
            (_, Some("utc")) => Some(Literal::Generated(Generated::UtcNow)),
            (_, Some("now")) => {
                let message = "fbec does not know `now`";
                let problem = Diagnostic::warning(codes::NOW, message, term.span, "taken as `utc`");
                scope.report(problem.help("write `utc`"));
                Some(Literal::Generated(Generated::UtcNow))
            }
            (TermKind::Number(text), _) => {
                let number = self.whole(scope, text, term)?;
                self.in_range(scope, IntType::unsigned(64), number, term)
            }
            _ => self.mismatch(scope, term, "write epoch, utc or nanoseconds since 1970"),
        }
    }

    /// A number without a fraction; one too large for anything is `i128::MAX` or `i128::MIN`.
    fn whole(&self, scope: &mut Scope<'_>, text: &str, term: &Term) -> Option<i128> {
        match read(text) {
            NumberText::Integer(number) => Some(number),
            NumberText::Huge if text.starts_with('-') => Some(i128::MIN),
            NumberText::Huge => Some(i128::MAX),
            NumberText::Fraction => self.mismatch(scope, term, "write a whole number"),
            NumberText::Malformed => scope.report_malformed(text, term.span),
        }
    }

    fn in_range(&self, scope: &mut Scope<'_>, int: IntType, number: i128, term: &Term) -> Option<Literal> {
        if int.holds(number) {
            return Some(Literal::Int(number));
        }
        self.out_of_range(scope, term, &format!("{} to {}", int.min(), int.max()))
    }

    fn float(&self, scope: &mut Scope<'_>, narrow: bool, term: &Term) -> Option<Literal> {
        let largest = if narrow { f64::from(f32::MAX) } else { f64::MAX };
        let text = match (&term.kind, word(term)) {
            (TermKind::Number(text), _) => text,
            (_, Some("min")) => return Some(Literal::Float(-largest)),
            (_, Some("max")) => return Some(Literal::Float(largest)),
            _ => return self.mismatch(scope, term, "write a number, min or max"),
        };
        let number = match (read(text), narrow) {
            (NumberText::Malformed, _) => return scope.report_malformed(text, term.span),
            // Only hexadecimal integers are not the text of a float.
            (NumberText::Integer(number), true) if text.contains(['x', 'X']) => f64::from(number as f32),
            (NumberText::Integer(number), false) if text.contains(['x', 'X']) => number as f64,
            (_, true) => f64::from(text.parse().unwrap_or(f32::INFINITY)),
            (_, false) => text.parse().unwrap_or(f64::INFINITY),
        };
        if number.is_finite() {
            return Some(Literal::Float(number));
        }
        let range = if narrow { format!("±{:e}", f32::MAX) } else { format!("±{:e}", f64::MAX) };
        self.out_of_range(scope, term, &range)
    }

    fn decimal(&self, scope: &mut Scope<'_>, term: &Term) -> Option<Literal> {
        let extreme = |negative| Decimal { negative, coefficient: Decimal::MAX_COEFFICIENT, scale: 0 };
        let text = match (&term.kind, word(term)) {
            (TermKind::Number(text), _) => text,
            (_, Some("min")) => return Some(Literal::Decimal(extreme(true))),
            (_, Some("max")) => return Some(Literal::Decimal(extreme(false))),
            _ => return self.mismatch(scope, term, "write a number, min or max"),
        };
        if read(text) == NumberText::Malformed {
            return scope.report_malformed(text, term.span);
        }
        let parsed = Decimal::parse(text.strip_prefix('+').unwrap_or(text));
        if parsed.is_none() {
            let message = format!("`{text}` cannot be kept exactly");
            let problem = Diagnostic::error(codes::DEFAULT_NOT_EXACT, message, term.span, "");
            let help = "a decimal has at most 28 digits behind the point and a whole of at most 96 bits";
            scope.report(self.with_type(problem).help(help));
        }
        parsed.map(Literal::Decimal)
    }

    fn uuid(&self, scope: &mut Scope<'_>, term: &Term) -> Option<Literal> {
        const HELP: &str = "write uuid0, uuid1, uuid4 or \"00112233-4455-6677-8899-aabbccddeeff\"";
        match (&term.kind, word(term)) {
            (_, Some("uuid0")) => Some(Literal::Uuid([0; 16])),
            (_, Some("uuid1")) => Some(Literal::Generated(Generated::Uuid1)),
            (_, Some("uuid4")) => Some(Literal::Generated(Generated::Uuid4)),
            (TermKind::Text(text), _) => match parse_uuid(text) {
                Some(uuid) => Some(Literal::Uuid(uuid)),
                None => self.mismatch(scope, term, HELP),
            },
            _ => self.mismatch(scope, term, HELP),
        }
    }

    fn text(&self, scope: &mut Scope<'_>, term: &Term) -> Option<Literal> {
        match &term.kind {
            TermKind::Text(text) => Some(Literal::Text(text.clone())),
            _ => self.mismatch(scope, term, "write it in double quotes"),
        }
    }

    fn flags(&self, scope: &mut Scope<'_>, ty: &Type, id: TypeId, value: &Value) -> Option<Literal> {
        if let [term] = value.terms.as_slice() {
            if is_word(term, "null") {
                return self.null(scope, ty, term);
            }
        }
        let masks: Vec<Option<i128>> = value.terms.iter().map(|term| self.named_value(scope, id, term)).collect();
        masks.into_iter().try_fold(0, |all, mask| Some(all | mask?)).map(Literal::Int)
    }

    /// `Type.name`, where the type is the enum or flags type `id`.
    fn named_value(&self, scope: &mut Scope<'_>, id: TypeId, term: &Term) -> Option<i128> {
        let type_text = self.field.ty.base.text();
        let TermKind::Name(path) = &term.kind else {
            return self.mismatch(scope, term, &format!("write one of its names: `{type_text}.…`"));
        };
        let (value, ty) = path.words.split_last()?;
        let known = match &self.schema.type_def(id).kind {
            TypeKind::Enum(e) => e.value_of(&value.text),
            TypeKind::Flags(f) => f.mask_of(&value.text).map(i128::from),
            TypeKind::Record(_) | TypeKind::Union(_) => None,
        };
        if ty.is_empty() && known.is_some() {
            return self.mismatch(scope, term, &format!("write `{type_text}.{}`", value.text));
        }
        if scope.find(self.file, ty) != Some(id) {
            return self.mismatch(scope, term, &format!("write one of its names: `{type_text}.…`"));
        }
        if known.is_none() {
            self.report_unknown(scope, id, path);
        }
        known
    }

    fn report_unknown(&self, scope: &mut Scope<'_>, id: TypeId, path: &Path) {
        let Some(value) = path.words.last() else { return };
        let definition = self.schema.type_def(id);
        let names: Vec<&str> = match &definition.kind {
            TypeKind::Enum(e) => e.values.iter().map(|v| v.name.as_str()).collect(),
            TypeKind::Flags(f) => f.values.iter().map(|v| v.name.as_str()).collect(),
            TypeKind::Record(_) | TypeKind::Union(_) => Vec::new(),
        };
        let message = format!("`{}` has no value `{}`", self.field.ty.base.text(), value.text);
        let problem = Diagnostic::error(codes::UNKNOWN_VALUE, message, value.span, "");
        let problem = problem.label(definition.span, "declared here");
        scope.report(match similar(&value.text, names.iter().copied()) {
            Some(close) => problem.mend(format!("did you mean `{close}`?"), value.span, close),
            None => problem.help(format!("its names are {}", some_of(&names))),
        });
    }

    fn impossible(&self, scope: &mut Scope<'_>, term: &Term) -> Option<Literal> {
        let message = format!("a field of type `{}` cannot have a default", self.type_text());
        let problem = Diagnostic::error(codes::NO_DEFAULT, message, term.span, "");
        scope.report(
            self.with_type(problem)
                .help("remove it: collections and bytes start empty, structs with their own defaults"),
        );
        None
    }

    fn mismatch<T>(&self, scope: &mut Scope<'_>, term: &Term, help: &str) -> Option<T> {
        let what = match &term.kind {
            TermKind::Number(text) => format!("the number {text}"),
            TermKind::Char(c) => format!("the character '{}'", c.escape_debug()),
            TermKind::Text(text) => format!("the text {}", shortened(text)),
            TermKind::Name(path) => format!("`{}`", path.text()),
        };
        let message = format!("{what} is no value of type `{}`", self.type_text());
        let problem = Diagnostic::error(codes::DEFAULT_TYPE, message, term.span, "");
        scope.report(self.with_type(problem).help(help));
        None
    }

    fn out_of_range(&self, scope: &mut Scope<'_>, term: &Term, range: &str) -> Option<Literal> {
        let message = format!("the default of `{}` is outside its type", self.field.name.text);
        let here = format!("`{}` holds {range}", self.field.ty.base.text());
        let problem = Diagnostic::error(codes::DEFAULT_RANGE, message, term.span, here);
        scope.report(self.with_type(problem).help("choose a value within the range, or a wider type"));
        None
    }

    fn with_type(&self, problem: Diagnostic) -> Diagnostic {
        problem.label(self.field.ty.span, "the field's type")
    }

    fn type_text(&self) -> String {
        self.field.ty.text()
    }
}

/// A term that is a single word, such as `true`.
fn word(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Name(path) if path.words.len() == 1 => Some(&path.words[0].text),
        _ => None,
    }
}

fn is_word(term: &Term, text: &str) -> bool {
    word(term) == Some(text)
}

/// A handful of names for a message.
fn some_of(names: &[&str]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        return shown + " …";
    }
    shown
}

/// Quoted, and no more than a message bears.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// 8-4-4-4-12 hex digits.
fn parse_uuid(text: &str) -> Option<[u8; 16]> {
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    if groups != [8, 4, 4, 4, 12] || !text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit()) {
        return None;
    }
    let number = u128::from_str_radix(&text.replace('-', ""), 16).ok()?;
    Some(number.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::parse_uuid;

    #[test]
    fn uuids() {
        let bytes = parse_uuid("123e4567-e89b-12d3-a456-426655440000").unwrap();
        assert_eq!(bytes[..4], [0x12, 0x3e, 0x45, 0x67]);
        for text in [
            "",
            "123e4567e89b12d3a456426655440000",
            "123e4567-e89b-12d3-a456-42665544000g",
            "+23e4567-e89b-12d3-a456-426655440000",
        ] {
            assert_eq!(parse_uuid(text), None, "{text}");
        }
    }
}
