//! Constants, each computed once, and values that refer to them.

use super::brand::Branded;
use super::catalog::EntryId;
use super::{Context, Resolver};
use crate::codes;
use crate::model::{NodeId, NodeKind, Type, Value};
use crate::text::ast::{DeclarationKind, Expression, ExpressionKind};
use aldis_diagnostics::{Diagnostic, Span};

/// Values that constants and embedded files give to others, all together; each element and each sixteen bytes count.
const MAX_VALUES: usize = 4_000_000;

/// Constants that refer to constants.
const MAX_CHAIN: usize = 64;

/// How far a constant is known.
#[derive(Clone, Copy)]
pub(super) enum ConstantState {
    InProgress,
    /// Whether its node holds the value, and how many constants led there.
    Done(bool, usize),
}

impl<'a> Resolver<'a> {
    /// The constant that the expression names, as a value of the type.
    pub(super) fn constant(&mut self, expression: &'a Expression, ty: &Type, context: Context) -> Option<Value> {
        let entry = self.constant_named(expression, context)?;
        if self.values > MAX_VALUES {
            // It was told where the limit was passed; more copies would only take time.
            return None;
        }
        let (from, value) = self.constant_of(entry, expression.span)?;
        // The constant's own level is counted already.
        if !self.is_shallow(depth(&value) - 1, expression.span) || !self.can_afford(&value, expression.span) {
            return None;
        }
        self.coerced(value, &from, ty, expression.span)
    }

    /// Whether there is room for a copy of the value in the model.
    pub(super) fn can_afford(&mut self, value: &Value, span: Span) -> bool {
        self.values = self.values.saturating_add(size(value));
        let affordable = self.values <= MAX_VALUES;
        if !affordable {
            let message = "with this copy, the values of the schema are too large";
            let problem = Diagnostic::error(codes::VALUES_TOO_LARGE, message, span, "");
            self.report(problem.help("write fewer copies of large constants, and embed smaller files"));
        }
        affordable
    }

    fn constant_named(&mut self, expression: &'a Expression, context: Context) -> Option<EntryId> {
        if matches!(&expression.kind, ExpressionKind::Name(name) if name == "null") {
            let problem = Diagnostic::error(codes::NULL_DEFAULT, "`null` cannot stand here", expression.span, "");
            self.report(problem.help("leave the field out: pointers are null by default"));
            return None;
        }
        let named = self.named(expression, context)?;
        let entry = match named {
            Branded::Entry(entry, _) => Some(entry),
            _ => None,
        };
        let declaration = entry.and_then(|entry| self.catalog.entries[entry].declaration);
        let (Some(entry), Some(DeclarationKind::Const { .. })) = (entry, declaration.map(|d| &d.kind)) else {
            let mut problem = Diagnostic::error(codes::NOT_CONSTANT, "this names no constant", expression.span, "");
            if let Some(declaration) = declaration {
                problem = problem.label(declaration.name.span, "declared here");
            }
            self.report(problem.help("values are literals, enumerants, or constants as `Scope.name`"));
            return None;
        };
        if let ExpressionKind::Name(name) = &expression.kind {
            self.report_bare(entry, name, expression.span);
            return None;
        }
        Some(entry)
    }

    fn report_bare(&mut self, entry: EntryId, name: &str, span: Span) {
        let scope = self.catalog.entries[entry].parent.map(|parent| &self.catalog.entries[parent]);
        let qualified = match scope {
            Some(scope) if scope.declaration.is_some() => format!("{}.{name}", scope.name()),
            _ => format!(".{name}"),
        };
        let problem = Diagnostic::error(codes::BARE_CONSTANT, "constants are named with their scope", span, "")
            .label(self.catalog.entries[entry].span().unwrap_or_default(), "the constant");
        self.report(problem.help(format!("write `{qualified}`")));
    }

    /// The type and value of the constant; `None` after a problem, and for what is no constant.
    pub(super) fn constant_of(&mut self, entry: EntryId, span: Span) -> Option<(Type, Value)> {
        let declaration = self.catalog.entries[entry].declaration?;
        let DeclarationKind::Const { value: expression, .. } = &declaration.kind else { return None };
        let id = self.catalog.entries[entry].id;
        match self.constants.get(&entry) {
            Some(ConstantState::Done(known, links)) => {
                self.followed.follow(*links);
                return known.then(|| self.constant_node(id)).flatten();
            }
            Some(ConstantState::InProgress) => {
                let message = format!("the constant `{}` needs its own value", declaration.name.text);
                let problem = Diagnostic::error(codes::CONSTANT_CYCLE, message, span, "this closes a circle");
                let problem = problem.label(declaration.name.span, "the constant");
                self.report(problem.help("write one value of the circle out"));
                return None;
            }
            None => {}
        }
        if self.followed.depth >= MAX_CHAIN {
            self.report_chain(declaration.name.span);
            return None;
        }
        self.constants.insert(entry, ConstantState::InProgress);
        let around = self.followed.enter();
        self.translate(entry);
        let value = self.constant_node(id).and_then(|(ty, _)| self.value(expression, &ty, Context::of(entry)));
        let links = self.followed.leave(around);
        if value.is_some() && links > MAX_CHAIN {
            self.report_chain(declaration.name.span);
        }
        let value = value.filter(|_| links <= MAX_CHAIN);
        self.constants.insert(entry, ConstantState::Done(value.is_some(), links));
        if let Some(NodeKind::Const { value: place, .. }) = self.nodes.get_mut(&id).map(|node| &mut node.kind) {
            *place = value?;
        }
        self.constant_node(id)
    }

    fn report_chain(&mut self, span: Span) {
        let message = format!("more than {MAX_CHAIN} constants refer to each other in a row");
        let problem = Diagnostic::error(codes::LONG_CHAIN, message, span, "one too many here");
        self.report(problem.help("refer to the last one directly"));
    }

    fn constant_node(&self, id: NodeId) -> Option<(Type, Value)> {
        match &self.nodes.get(&id)?.kind {
            NodeKind::Const { ty, value } => Some((ty.clone(), value.clone())),
            _ => None,
        }
    }
}

/// The cost of a copy of the value.
fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => 1 + text.len() / 16,
        Value::Data(bytes) | Value::Opaque(bytes) => 1 + bytes.len() / 16,
        Value::List(elements) => 1 + elements.iter().map(size).sum::<usize>(),
        Value::Struct(value) => 1 + value.fields.iter().map(|(_, value)| size(value)).sum::<usize>(),
        Value::Any(_, value) => 1 + size(value),
        _ => 1,
    }
}

/// How many values are within each other, the outermost one counted.
fn depth(value: &Value) -> usize {
    1 + match value {
        Value::List(elements) => elements.iter().map(depth).max().unwrap_or(0),
        Value::Struct(value) => value.fields.iter().map(|(_, value)| depth(value)).max().unwrap_or(0),
        Value::Any(_, value) => depth(value),
        _ => 0,
    }
}
