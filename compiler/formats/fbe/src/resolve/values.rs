//! Enums and flags: what each name stands for.

use super::attributes::has;
use super::builtin::{integer, is_character};
use super::number_text::{read, NumberText};
use super::scope::Scope;
use crate::ast::{Body, Path, Term, TermKind, ValueDecl, Values};
use crate::codes;
use aldis_diagnostics::{similar, Diagnostic, Span};
use aldis_schema::{Enum, EnumValue, FlagValue, Flags, IntType, Type, TypeKind};
use std::collections::BTreeMap;

/// The enum or flags type of an item; `None` when it is a struct.
pub(super) fn kind(scope: &mut Scope<'_>, index: usize) -> Option<TypeKind> {
    let declaration = scope.items[index].declaration;
    let (values, is_flags) = match &declaration.body {
        Body::Enum(values) => (values, false),
        Body::Flags(values) => (values, true),
        Body::Struct(_) => return None,
    };
    let repr = base(scope, values, is_flags);
    let mut table = Table { known: BTreeMap::new(), repr, base: values.base.as_ref(), is_flags, scope };
    let numbers = table.numbers(values);
    Some(if is_flags { flags(values, repr, &numbers) } else { enumeration(values, repr, &numbers) })
}

fn enumeration(values: &Values, repr: IntType, numbers: &[i128]) -> TypeKind {
    let value = |(value, number): (&ValueDecl, &i128)| EnumValue {
        json_name: None,
        name: value.name.text.clone(),
        value: *number,
        doc: value.doc.clone(),
        span: value.name.span,
        since: 0,
        deprecated: has(&value.attributes, "deprecated"),
    };
    TypeKind::Enum(Enum { repr: Type::Int(repr), values: values.values.iter().zip(numbers).map(value).collect() })
}

fn flags(values: &Values, repr: IntType, numbers: &[i128]) -> TypeKind {
    let value = |(value, number): (&ValueDecl, &i128)| FlagValue {
        name: value.name.text.clone(),
        mask: u64::try_from(*number).unwrap_or(0),
        doc: value.doc.clone(),
        span: value.name.span,
        since: 0,
        deprecated: has(&value.attributes, "deprecated"),
    };
    TypeKind::Flags(Flags { repr, values: values.values.iter().zip(numbers).map(value).collect() })
}

/// The integer type below; `int32` where none is named or a wrong one.
fn base(scope: &mut Scope<'_>, values: &Values, is_flags: bool) -> IntType {
    let Some(path) = &values.base else { return IntType::signed(32) };
    let name = path.text();
    if let Some(int) = integer(&name).filter(|_| !(is_flags && is_character(&name))) {
        return int;
    }
    let (code, what, help) = match is_flags {
        true => (codes::FLAGS_BASE, "flags", "byte, int8, uint8, int16, uint16, int32, uint32, int64 or uint64"),
        false => (
            codes::ENUM_BASE,
            "an enum",
            "byte, char, wchar, int8, uint8, int16, uint16, int32, uint32, int64 or uint64",
        ),
    };
    let problem = Diagnostic::error(code, format!("`{name}` cannot be the base of {what}"), path.span, "");
    scope.report(problem.help(format!("a base is {help}")));
    IntType::signed(32)
}

/// The values of one type that are known so far.
struct Table<'a, 'b> {
    known: BTreeMap<&'a str, (i128, Span)>,
    repr: IntType,
    base: Option<&'a Path>,
    is_flags: bool,
    scope: &'b mut Scope<'a>,
}

impl<'a> Table<'a, '_> {
    /// The number of each value; 0 stands for what was reported.
    fn numbers(&mut self, values: &'a Values) -> Vec<i128> {
        let mut numbers = Vec::with_capacity(values.values.len());
        let mut previous: Option<(i128, Span)> = None;
        for value in &values.values {
            self.scope.warn_keyword(&value.name, "a value");
            let number = self.number(value, previous);
            self.declare(value, number.unwrap_or(0));
            previous = Some((number.unwrap_or(0), value.name.span));
            numbers.push(number.unwrap_or(0));
        }
        numbers
    }

    fn declare(&mut self, value: &'a ValueDecl, number: i128) {
        let name = &value.name;
        if let Some((_, first)) = self.known.get(name.text.as_str()) {
            let message = format!("`{}` is declared twice", name.text);
            let problem = Diagnostic::error(codes::DUPLICATE_VALUE, message, name.span, "again here");
            self.scope.report(problem.label(*first, "first declared here").help("rename one of them"));
            return;
        }
        self.known.insert(&name.text, (number, name.span));
    }

    fn number(&mut self, value: &ValueDecl, previous: Option<(i128, Span)>) -> Option<i128> {
        let Some(written) = &value.value else {
            return if self.is_flags { self.report_no_value(value) } else { self.next(value, previous) };
        };
        if written.terms.len() > 1 && !self.is_flags {
            let message = "an enum value is one number";
            let problem = Diagnostic::error(codes::WRONG_VALUE, message, written.span, "several here");
            self.scope.report(problem.help("only flags are combined; declare the type with `flags`"));
            return None;
        }
        let mut sum = 0;
        for term in &written.terms {
            sum |= self.term(term)?;
        }
        Some(sum)
    }

    fn report_no_value(&mut self, value: &ValueDecl) -> Option<i128> {
        let message = format!("flag `{}` has no value", value.name.text);
        let problem = Diagnostic::error(codes::FLAG_WITHOUT_VALUE, message, value.name.span, "");
        self.scope.report(problem.help("flags do not count up: give each its bit, as in `= 0x04`"));
        None
    }

    /// One more than the value before.
    fn next(&mut self, value: &ValueDecl, previous: Option<(i128, Span)>) -> Option<i128> {
        let Some((before, place)) = previous else { return Some(0) };
        if self.repr.holds(before + 1) {
            return Some(before + 1);
        }
        let problem = self.range_problem(before + 1, value.name.span, "one more than the value before");
        self.scope
            .report(problem.label(place, format!("this is {before}")).help("give it a value, or choose a wider base"));
        None
    }

    fn term(&mut self, term: &Term) -> Option<i128> {
        let number = match &term.kind {
            TermKind::Number(text) => match read(text) {
                NumberText::Integer(number) => number,
                NumberText::Huge => i128::MAX,
                NumberText::Fraction => return self.report_wrong(term, "a number with a fraction"),
                NumberText::Malformed => return self.scope.report_malformed(text, term.span),
            },
            TermKind::Char(c) if !self.is_flags => i128::from(u32::from(*c)),
            TermKind::Char(_) => return self.report_wrong(term, "a character"),
            TermKind::Text(_) => return self.report_wrong(term, "a text"),
            TermKind::Name(path) => return self.named(path),
        };
        if self.repr.holds(number) && !(self.is_flags && number < 0) {
            return Some(number);
        }
        let problem = self.range_problem(number, term.span, "does not fit");
        self.scope.report(problem.help("choose a smaller value or a wider base"));
        None
    }

    fn named(&mut self, path: &Path) -> Option<i128> {
        let name = path.text();
        if let Some((number, _)) = self.known.get(name.as_str()) {
            return Some(*number);
        }
        let message = format!("there is no value `{name}` above");
        let problem = Diagnostic::error(codes::UNKNOWN_VALUE, message, path.span, "");
        self.scope.report(match similar(&name, self.known.keys().copied()) {
            Some(close) => problem.mend(format!("did you mean `{close}`?"), path.span, close),
            None => problem.help("a value can name those that stand above it in the same type"),
        });
        None
    }

    fn report_wrong(&mut self, term: &Term, what: &str) -> Option<i128> {
        let help = match self.is_flags {
            true => "a flag is an integer, or names above joined by `|`",
            false => "an enum value is an integer, a 'c' or a name above",
        };
        let problem = Diagnostic::error(codes::WRONG_VALUE, format!("{what} is no value here"), term.span, "");
        self.scope.report(problem.help(help));
        None
    }

    fn range_problem(&self, number: i128, place: Span, here: &str) -> Diagnostic {
        let base = self.base.map_or("int32".to_owned(), Path::text);
        let least = if self.is_flags { 0 } else { self.repr.min() };
        let number = if number == i128::MAX { "this number".to_owned() } else { number.to_string() };
        let message = format!("{number} is outside `{base}`, which holds {least} to {}", self.repr.max());
        let problem = Diagnostic::error(codes::VALUE_RANGE, message, place, here);
        match self.base {
            Some(path) => problem.label(path.span, "the base"),
            None => problem,
        }
    }
}

impl Scope<'_> {
    pub(super) fn report_malformed<T>(&mut self, text: &str, place: Span) -> Option<T> {
        let problem = Diagnostic::error(codes::BAD_NUMBER, format!("`{text}` is no number"), place, "");
        self.report(problem.help("numbers are written `12`, `-12`, `0x1F` or `1.5e-3`"));
        None
    }
}
