//! The number of each struct, by which receivers know it (the format's documents, "Struct numbers").

use super::number_text::{read, NumberText};
use super::scope::{Item, Scope};
use crate::ast::{Number, Word};
use crate::codes;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_schema::TypeId;
use std::collections::HashMap;

/// Parallel to the items: each struct's number, 0 where there is none or a wrong one.
pub(super) fn assign(scope: &mut Scope<'_>, bases: &[Option<TypeId>]) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(scope.items.len());
    let mut counter = Counter::default();
    let mut taken = Taken::default();
    for index in 0..scope.items.len() {
        let item = scope.items[index];
        if counter.file != Some(item.file) {
            counter = Counter { file: Some(item.file), offset: offset(scope, item.file), ..Counter::default() };
        }
        let written = item.structure().map(|structure| &structure.number);
        numbers.push(written.and_then(|written| counter.number(scope, &mut taken, item, written)).unwrap_or(0));
    }
    for index in 0..numbers.len() {
        if let Some(Number::Base(place)) = scope.items[index].structure().map(|s| &s.number) {
            numbers[index] = base_number(scope, bases, &numbers, index, *place).unwrap_or(0);
        }
    }
    numbers
}

fn offset(scope: &mut Scope<'_>, file: usize) -> u32 {
    let Some(word) = scope.offset(file) else { return 0 };
    scope.struct_number(word).unwrap_or(0)
}

/// The number of the nearest base that has one of its own.
fn base_number(
    scope: &mut Scope<'_>,
    bases: &[Option<TypeId>],
    numbers: &[u32],
    index: usize,
    place: Span,
) -> Option<u32> {
    let item = scope.items[index];
    if item.structure()?.base.is_none() {
        let message = format!("`{}` has no base whose number it could take", item.name().text);
        let problem = Diagnostic::error(codes::BASE_NUMBER, message, place, "");
        scope.report(problem.help("name the base, as in `struct Child(base) : Parent`, or remove `(base)`"));
        return None;
    }
    let mut at = bases[index]?.index();
    // Bases form no circle, so this ends.
    while matches!(scope.items[at].structure()?.number, Number::Base(_)) {
        at = bases[at]?.index();
    }
    Some(numbers[at])
}

/// Numbering within one file.
#[derive(Default)]
struct Counter {
    file: Option<usize>,
    offset: u32,
    last: u32,
    /// Numbers chosen with `(X)`, and where.
    fixed: HashMap<u32, (String, Span)>,
}

impl Counter {
    fn number<'a>(
        &mut self,
        scope: &mut Scope<'a>,
        taken: &mut Taken<'a>,
        item: Item<'a>,
        written: &Number,
    ) -> Option<u32> {
        let name = item.name();
        let number = match written {
            Number::Base(_) => return None,
            Number::Fixed(word) => {
                let number = scope.struct_number(word)?;
                self.check_fixed(scope, item, number, word)?;
                number
            }
            Number::Plus(word) => {
                self.last = scope.struct_number(word)?;
                self.with_offset(scope, item.file, word)?
            }
            Number::Implicit => {
                self.last += 1;
                self.with_offset(scope, item.file, name)?
            }
        };
        taken.add(scope, item, number);
        Some(number)
    }

    /// The last implicit number with the offset added; `place` is where it comes from.
    fn with_offset(&self, scope: &mut Scope<'_>, file: usize, place: &Word) -> Option<u32> {
        let sum = i128::from(self.last) + i128::from(self.offset);
        in_range(sum).or_else(|| {
            let problem = range_problem(&sum.to_string(), place.span);
            let problem = with_offset(scope, file, problem);
            scope.report(problem.help("choose a smaller number or offset"));
            None
        })
    }

    fn check_fixed(&mut self, scope: &mut Scope<'_>, item: Item<'_>, number: u32, word: &Word) -> Option<()> {
        let owner = (item.name().text.clone(), word.span);
        let Some((other, place)) = self.fixed.insert(number, owner) else { return Some(()) };
        let message = format!("`{other}` and `{}` have the same number, {number}", item.name().text);
        let problem = Diagnostic::error(codes::DUPLICATE_NUMBER, message, word.span, "chosen again here");
        scope.report(problem.label(place, "first chosen here").help("choose another number for one of them"));
        None
    }
}

/// The numbers of all files.
#[derive(Default)]
struct Taken<'a> {
    /// By file, number, and whether it is a message's: who had it last.
    within: HashMap<(usize, u32, bool), Item<'a>>,
    /// By number: who has it first of the messages and the structs whose number was chosen.
    across: HashMap<u32, Item<'a>>,
}

impl<'a> Taken<'a> {
    /// Warns where another has the number. A struct and a message of a file may share one, since receivers look for
    /// messages alone; and so may structs of several files whose numbers nobody chose.
    fn add(&mut self, scope: &mut Scope<'a>, item: Item<'a>, number: u32) {
        let is_message = is_message(item);
        let is_chosen = item.structure().is_some_and(|s| matches!(s.number, Number::Fixed(_)));
        if let Some(first) = self.within.insert((item.file, number, is_message), item) {
            let help = "receivers cannot tell them apart: give one a number of its own, as in `struct Name(42)`";
            let names = [first, item].map(|item| item.name().text.clone());
            warn_collision(scope, (first, item), names, number, help.to_owned());
            return;
        }
        if !is_message && !is_chosen {
            return;
        }
        let Some(&first) = self.across.get(&number) else {
            self.across.insert(number, item);
            return;
        };
        if is_message && !self::is_message(first) {
            self.across.insert(number, item);
        }
        if first.file != item.file {
            let names = [first, item].map(|item| scope.full_name(item));
            let meaning = match (self::is_message(first), is_message) {
                (true, _) => format!("bytes of this number are taken for `{}`", names[0]),
                (false, true) => format!("bytes of this number are taken for `{}`", names[1]),
                (false, false) => "bytes do not tell them apart".to_owned(),
            };
            let help = format!("{meaning}: give one a number of its own, as in `struct Name(42)`");
            warn_collision(scope, (first, item), names, number, help);
        }
    }
}

fn is_message(item: Item<'_>) -> bool {
    item.structure().is_some_and(|s| s.message)
}

fn warn_collision(
    scope: &mut Scope<'_>,
    (first, again): (Item<'_>, Item<'_>),
    names: [String; 2],
    number: u32,
    help: String,
) {
    let message = format!("`{}` and `{}` have the same number, {number}", names[0], names[1]);
    let place = again.name().span;
    let problem = Diagnostic::warning(codes::NUMBER_COLLISION, message, place, format!("number {number}"));
    scope.report(problem.label(first.name().span, format!("number {number} too")).help(help));
}

/// Puts the package's offset beside a number that it was added to.
fn with_offset(scope: &Scope<'_>, file: usize, problem: Diagnostic) -> Diagnostic {
    match scope.offset(file) {
        Some(word) => problem.label(word.span, "added to this"),
        None => problem,
    }
}

impl Scope<'_> {
    /// A number as written, if it is a struct number.
    fn struct_number(&mut self, word: &Word) -> Option<u32> {
        match read(&word.text) {
            NumberText::Integer(number) => in_range(number).or_else(|| {
                let problem = range_problem(word.text.trim_start_matches('+'), word.span);
                self.report(problem.help("choose another number"));
                None
            }),
            NumberText::Malformed => self.report_malformed(&word.text, word.span),
            NumberText::Huge | NumberText::Fraction => {
                self.report(range_problem(&word.text, word.span).help("choose another number"));
                None
            }
        }
    }
}

fn in_range(number: i128) -> Option<u32> {
    u32::try_from(number).ok().filter(|number| i32::try_from(*number).is_ok())
}

fn range_problem(number: &str, place: Span) -> Diagnostic {
    let message = format!("{number} is no struct number");
    Diagnostic::error(codes::NUMBER_RANGE, message, place, format!("they are 0 to {}", i32::MAX))
}
