//! Structs by value: no circles, no endless nesting, and a fixed part that can be allocated without a thought.

use super::scope::Item;
use crate::codes;
use aldis_diagnostics::Diagnostic;
use aldis_schema::{longest_chain, named_types, Schema, Type, TypeId, TypeKind, LONGEST_CHAIN};

/// The most bytes that the fixed part of a struct may take, in either wire form, with structs by value counted in.
/// A default-constructed value is about as large, so readers can make one for a handful of bytes.
pub(super) const MAX_FIXED: u64 = 262_144;

/// Structs by value within structs; readers refuse what is nested deeper (`aldis_plan::Limits::depth`).
const MAX_DEPTH: usize = 64;

/// Reports structs that lead to too many others in a row, whether by value or not.
pub(super) fn check_chains(items: &[Item<'_>], schema: &Schema, diagnostics: &mut Vec<Diagnostic>) {
    if let Some((index, length)) = longest_chain(&named_types(schema)).filter(|(_, length)| *length > LONGEST_CHAIN) {
        let name = items[index].name();
        let message = format!("`{}` leads to a chain of {length} structs, one in a field of the other", name.text);
        let problem = Diagnostic::error(codes::LONG_CHAIN, message, name.span, format!("more than {LONGEST_CHAIN}"));
        diagnostics.push(problem.help("end it earlier: readers refuse values nested deeper than 64"));
    }
}

/// Reports structs that hold themselves by value, are nested too deep, or too large.
pub(super) fn check(items: &[Item<'_>], schema: &Schema, diagnostics: &mut Vec<Diagnostic>) {
    let mut check = Check { items, schema, diagnostics, states: vec![State::New; items.len()] };
    for (index, item) in items.iter().enumerate() {
        if item.structure().is_some() {
            check.visit(index, &mut Vec::new());
        }
    }
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done(Extent),
}

/// How much a type by value takes.
#[derive(Clone, Copy)]
struct Extent {
    /// Bytes in the Final form at the least, a struct counted as one byte when it has none.
    bytes: u64,
    /// Structs from here to the innermost.
    depth: usize,
}

const NONE: Extent = Extent { bytes: 1, depth: 0 };

struct Check<'a, 'b> {
    items: &'a [Item<'a>],
    schema: &'a Schema,
    diagnostics: &'b mut Vec<Diagnostic>,
    states: Vec<State>,
}

impl Check<'_, '_> {
    /// `path` leads here: the struct and the index of the field that holds the next.
    fn visit(&mut self, index: usize, path: &mut Vec<(usize, usize)>) -> Extent {
        match self.states[index] {
            State::Done(extent) => return extent,
            State::Open => {
                self.report_circle(index, path);
                return NONE;
            }
            // Counted as one level more, which the root of `path` reports.
            State::New if path.len() > MAX_DEPTH => return Extent { bytes: 1, depth: 1 },
            State::New => self.states[index] = State::Open,
        }
        let mut extent = Extent { bytes: 0, depth: 1 };
        let mut standard = 8;
        for (field_index, field) in self.schema.record(TypeId(index as u32)).fields.iter().enumerate() {
            path.push((index, field_index));
            let part = self.extent(&field.ty, path);
            path.pop();
            extent.bytes = extent.bytes.saturating_add(part.bytes);
            extent.depth = extent.depth.max(1 + part.depth);
            standard += standard_width(self.schema, &field.ty);
        }
        extent.bytes = extent.bytes.max(1);
        self.report_extent(index, extent.bytes.max(standard), extent.depth);
        self.states[index] = State::Done(extent);
        extent
    }

    fn extent(&mut self, ty: &Type, path: &mut Vec<(usize, usize)>) -> Extent {
        match ty {
            Type::Named(id) if matches!(self.schema.type_def(*id).kind, TypeKind::Record(_)) => {
                self.visit(id.index(), path)
            }
            Type::Array { element, len } => {
                let one = self.extent(element, path);
                Extent { bytes: one.bytes.saturating_mul(u64::from(*len)), ..one }
            }
            Type::Optional(_) => Extent { bytes: 1, depth: 0 },
            _ => Extent { bytes: standard_width(self.schema, ty), depth: 0 },
        }
    }

    fn report_circle(&mut self, index: usize, path: &[(usize, usize)]) {
        let start = path.iter().position(|(record, _)| *record == index).unwrap_or(0);
        let circle = &path[start..];
        let Some((closing, rest)) = circle.split_last() else { return };
        let name = |record: usize| self.items[record].name().text.as_str();
        let span = |(record, field): &(usize, usize)| self.schema.record(TypeId(*record as u32)).fields[*field].span;
        let message = format!("`{}` holds itself", name(index));
        let here = format!("this field of {} holds {}", name(closing.0), name(index));
        let mut problem = Diagnostic::error(codes::ENDLESS_STRUCT, message, span(closing), here);
        for (step, next) in rest.iter().zip(&circle[1..]) {
            problem = problem.label(span(step), format!("this field of {} holds {}", name(step.0), name(next.0)));
        }
        self.diagnostics.push(
            problem.help("such a value would never end: make one of the fields optional (`?`) or a vector (`[]`)"),
        );
    }

    fn report_extent(&mut self, index: usize, bytes: u64, depth: usize) {
        let name = self.items[index].name();
        if depth > MAX_DEPTH {
            let message = format!("`{}` nests structs more than {MAX_DEPTH} deep", name.text);
            let problem = Diagnostic::error(codes::TOO_DEEP, message, name.span, "");
            self.diagnostics.push(problem.help("readers refuse messages nested deeper: flatten it"));
        }
        if bytes > MAX_FIXED {
            let message = format!("the fixed part of `{}` takes {bytes} bytes", name.text);
            let here = format!("more than {MAX_FIXED}");
            let problem = Diagnostic::error(codes::TOO_LARGE, message, name.span, here);
            self.diagnostics.push(problem.help("use vectors (`type[]`) in the place of large arrays"));
        }
    }
}

/// Bytes of a field's fixed part in the standard form.
fn standard_width(schema: &Schema, ty: &Type) -> u64 {
    match ty {
        Type::Array { element, len } => u64::from(*len).saturating_mul(standard_width(schema, element)),
        Type::Optional(_) => 5,
        Type::Bool => 1,
        Type::Int(int) => u64::from(int.bytes()),
        Type::Float64 | Type::Timestamp => 8,
        Type::Decimal | Type::Uuid => 16,
        Type::Named(id) => match &schema.type_def(*id).kind {
            TypeKind::Enum(e) => standard_width(schema, &e.repr),
            TypeKind::Flags(f) => u64::from(f.repr.bytes()),
            TypeKind::Record(_) | TypeKind::Union(_) => 4,
        },
        _ => 4,
    }
}
