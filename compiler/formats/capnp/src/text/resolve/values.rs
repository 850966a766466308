//! Expressions as values: defaults, constants, what annotations carry.

use super::catalog::EntryId;
use super::literals::{is_word, word};
use super::{Context, Resolver};
use crate::codes;
use crate::model::{AnyPointer, Brand, FieldKind, NodeId, NodeKind, StructValue, Type, Value};
use crate::text::ast::{Argument, Expression, ExpressionKind};
use crate::text::similar::similar;
use aldis_diagnostics::{Diagnostic, Span};
use std::collections::HashMap;

/// How far a field's default is known. Fields without one in the text are not listed.
#[derive(Clone)]
pub(super) enum DefaultState<'a> {
    Unknown { expression: &'a Expression, context: Context, is_param: bool },
    InProgress,
    Known,
}

/// What of a struct's field a value for it needs.
struct FieldFacts {
    /// `None` for groups.
    slot: Option<(Type, Value)>,
    group: NodeId,
    discriminant: Option<u16>,
}

impl<'a> Resolver<'a> {
    /// Computes what the translation of the entries left out, and puts it into their nodes.
    pub(super) fn evaluate_all(&mut self, entries: &[EntryId]) {
        for &entry in entries {
            let span = self.catalog.entries[entry].span().unwrap_or_default();
            self.constant_of(entry, span);
        }
        let mut places: Vec<(NodeId, usize)> = self.defaults.keys().copied().collect();
        places.sort_unstable();
        for (node, field) in places {
            self.default_of(node, field);
        }
        self.evaluate_annotations();
    }

    /// The default of a field, its type's zero value where the text gives none.
    fn default_of(&mut self, node: NodeId, field: usize) -> Option<Value> {
        if let Some(DefaultState::Unknown { expression, context, is_param }) =
            self.defaults.get(&(node, field)).cloned()
        {
            self.defaults.insert((node, field), DefaultState::InProgress);
            let ty = self.slot(node, field)?.0;
            let value = match &expression.kind {
                ExpressionKind::Name(name) if name == "null" => self.null(&ty, is_param, expression.span),
                _ => self.value(expression, &ty, context),
            };
            self.defaults.insert((node, field), DefaultState::Known);
            if let (Some(value), Some(NodeKind::Struct(node))) = (value, self.nodes.get_mut(&node).map(|n| &mut n.kind))
            {
                if let Some(FieldKind::Slot { default, .. }) = node.fields.get_mut(field).map(|f| &mut f.kind) {
                    *default = value;
                }
            }
        }
        self.slot(node, field).map(|(_, default)| default)
    }

    fn slot(&self, node: NodeId, field: usize) -> Option<(Type, Value)> {
        let NodeKind::Struct(node) = &self.nodes.get(&node)?.kind else { return None };
        match &node.fields.get(field)?.kind {
            FieldKind::Slot { ty, default, .. } => Some((ty.clone(), default.clone())),
            FieldKind::Group(_) => None,
        }
    }

    fn null(&mut self, ty: &Type, is_param: bool, span: Span) -> Option<Value> {
        if is_param && Value::zero(ty) == Value::Null {
            return Some(Value::Null);
        }
        let (message, help) = match is_param {
            true => ("only pointers can be null", "write a value of the type"),
            false => {
                ("only parameters of methods can say that they are null", "remove it: pointers are null by default")
            }
        };
        self.report(Diagnostic::error(codes::NULL_DEFAULT, message, span, "").help(help));
        None
    }

    /// The expression as a value of the type; `None` after a problem.
    pub(super) fn value(&mut self, expression: &'a Expression, ty: &Type, context: Context) -> Option<Value> {
        use ExpressionKind::*;
        let span = expression.span;
        match (&expression.kind, ty) {
            (_, Type::AnyPointer(AnyPointer::Parameter { .. } | AnyPointer::ImplicitMethodParameter { .. })) => {
                self.report_unbound(span);
                None
            }
            (Tuple(arguments), Type::Struct(id, brand)) => {
                Some(Value::Struct(self.struct_value(*id, brand, arguments, context)?))
            }
            (Embed(path), _) => self.embedded(path, ty, span, context),
            (Name(_) | Absolute(_) | Member(..) | Import(_) | Apply(..), _) => self.name_value(expression, ty, context),
            (_, Type::Struct(id, brand)) => {
                let value = self.first_field(expression, *id, brand, context);
                value.map(Value::Struct).or_else(|| self.none_of(ty, span))
            }
            (Integer(number), _) => self.integer(i128::from(*number), ty, span),
            (Negative(number), _) => self.integer(-i128::from(*number), ty, span),
            (Float(number), _) => self.float(*number, ty, span),
            (Text(bytes), _) => self.text(bytes, ty, span),
            (Data(bytes), Type::Data) => Some(Value::Data(bytes.clone())),
            (List(elements), Type::List(element)) => {
                let values = elements.iter().map(|expression| self.value(expression, element, context));
                // All elements are looked at, so that all mistakes are told.
                let values: Vec<Option<Value>> = values.collect();
                values.into_iter().collect::<Option<Vec<Value>>>().map(Value::List)
            }
            (Data(_) | List(_) | Tuple(_), _) => self.none_of(ty, span),
        }
    }

    fn none_of(&mut self, ty: &Type, span: Span) -> Option<Value> {
        self.report_type(ty, span);
        None
    }

    fn report_unbound(&mut self, span: Span) {
        let message = "the type is a generic parameter, so it has no values yet";
        let problem = Diagnostic::error(codes::UNBOUND_VALUE, message, span, "");
        self.report(problem.help("bind the parameter where the type is used, or remove the value"));
    }

    /// A word like `true`, an enumerant, or a constant.
    fn name_value(&mut self, expression: &'a Expression, ty: &Type, context: Context) -> Option<Value> {
        if let ExpressionKind::Name(name) = &expression.kind {
            if let Some(value) = word(name, ty) {
                return Some(value);
            }
            if let Type::Enum(id, _) = ty {
                return self.enumerant(*id, name, expression.span);
            }
            if is_word(expression) && !matches!(ty, Type::Struct(..)) {
                return self.none_of(ty, expression.span);
            }
        }
        if let Type::Struct(id, brand) = ty {
            if !self.names_struct(expression, *id, context) {
                if let Some(value) = self.first_field(expression, *id, brand, context) {
                    return Some(Value::Struct(value));
                }
                return self.none_of(ty, expression.span);
            }
        }
        self.constant(expression, ty, context)
    }

    fn enumerant(&mut self, id: NodeId, name: &str, span: Span) -> Option<Value> {
        if let Some(index) = self.member_index(id, name) {
            return Some(Value::Enum(index as u16));
        }
        let Some(entry) = self.by_id.get(&id).map(|entry| &self.catalog.entries[*entry]) else { return None };
        let names = match self.nodes.get(&id).map(|node| &node.kind) {
            Some(NodeKind::Enum(enumerants)) => enumerants.as_slice(),
            _ => &[],
        };
        let meant = similar(name, names.iter().map(|enumerant| enumerant.name.as_str()));
        let message = format!("`{}` has no enumerant `{name}`", entry.name());
        let mut problem = Diagnostic::error(codes::UNKNOWN_MEMBER, message, span, "");
        if let Some(declared) = entry.span() {
            problem = problem.label(declared, "declared here");
        }
        let problem = match meant {
            Some(meant) => problem.help(format!("is `{meant}` meant?")),
            None => problem.help("write one of its enumerants, without the enum's name"),
        };
        self.report(problem);
        None
    }

    /// The index of the field or enumerant of that name, its node translated first.
    fn member_index(&mut self, id: NodeId, name: &str) -> Option<usize> {
        if let Some(entry) = self.by_id.get(&id) {
            self.translate(*entry);
        }
        if !self.member_names.contains_key(&id) {
            let names: HashMap<String, usize> = match &self.nodes.get(&id)?.kind {
                NodeKind::Struct(node) => {
                    node.fields.iter().enumerate().rev().map(|(index, field)| (field.name.clone(), index)).collect()
                }
                NodeKind::Enum(list) => list.iter().enumerate().rev().map(|(i, e)| (e.name.clone(), i)).collect(),
                _ => HashMap::new(),
            };
            self.member_names.insert(id, names);
        }
        self.member_names.get(&id)?.get(name).copied()
    }

    /// `(name = value, …)` for the struct or group `id`.
    fn struct_value(
        &mut self,
        id: NodeId,
        brand: &Brand,
        arguments: &'a [Argument],
        context: Context,
    ) -> Option<StructValue> {
        let mut given: HashMap<usize, Span> = HashMap::new();
        let mut active: Option<Span> = None;
        let mut fields = Vec::new();
        let mut complete = true;
        for argument in arguments {
            let Some(name) = &argument.name else {
                self.report_unnamed(argument.value.span);
                return None;
            };
            let Some(index) = self.member_index(id, &name.text) else {
                self.report_unknown_field(id, &name.text, name.span);
                complete = false;
                continue;
            };
            let Some(facts) = self.facts(id, index, brand) else { continue };
            let in_union = facts.discriminant.is_some();
            if let Some(first) = given.get(&index).copied().or(active.filter(|_| in_union)) {
                self.report_twice(name.span, first, given.contains_key(&index));
                complete = false;
                continue;
            }
            given.insert(index, name.span);
            active = if in_union { Some(name.span) } else { active };
            match self.field_value(&facts, &argument.value, brand, context) {
                Some(value) => self.keep(&mut fields, id, index, &facts, value),
                None => complete = false,
            }
        }
        fields.sort_unstable_by_key(|(index, _)| *index);
        complete.then_some(StructValue { fields })
    }

    fn facts(&mut self, id: NodeId, index: usize, brand: &Brand) -> Option<FieldFacts> {
        let NodeKind::Struct(node) = &self.nodes.get(&id)?.kind else { return None };
        let field = node.fields.get(index)?;
        let discriminant = field.discriminant;
        match field.kind.clone() {
            FieldKind::Group(group) => Some(FieldFacts { slot: None, group, discriminant }),
            FieldKind::Slot { ty, .. } => {
                let zero = Value::zero(&ty);
                let default = if zero == Value::Null { zero } else { self.default_of(id, index)? };
                let ty = self.substituted(&ty, brand)?;
                Some(FieldFacts { slot: Some((ty, default)), group: 0, discriminant })
            }
        }
    }

    fn field_value(
        &mut self,
        facts: &FieldFacts,
        expression: &'a Expression,
        brand: &Brand,
        context: Context,
    ) -> Option<Value> {
        match (&facts.slot, &expression.kind) {
            (Some((ty, _)), _) => self.value(expression, ty, context),
            (None, ExpressionKind::Tuple(arguments)) => {
                self.struct_value(facts.group, brand, arguments, context).map(Value::Struct)
            }
            (None, _) => {
                let value = self.first_field(expression, facts.group, brand, context);
                if value.is_none() {
                    let group = Type::Struct(facts.group, Brand::default());
                    self.report_type(&group, expression.span);
                }
                value.map(Value::Struct)
            }
        }
    }

    /// Adds the field's value unless a struct of nothing but zeros has it already.
    fn keep(&mut self, fields: &mut Vec<(usize, Value)>, id: NodeId, index: usize, facts: &FieldFacts, value: Value) {
        let _ = id;
        let is_default = match (&facts.slot, &value) {
            (Some((_, Value::Null)), value) => *value == Value::Null,
            (Some((_, default)), value) => value == default,
            (None, Value::Struct(group)) => group.fields.is_empty(),
            (None, _) => false,
        };
        if !is_default || facts.discriminant.is_some_and(|discriminant| discriminant > 0) {
            fields.push((index, value));
        }
    }

    /// A value that is no tuple stands for the struct whose first field it is. `None` without a problem where it
    /// cannot be that field's value.
    fn first_field(
        &mut self,
        expression: &'a Expression,
        id: NodeId,
        brand: &Brand,
        context: Context,
    ) -> Option<StructValue> {
        const MOST: usize = 16;
        if let Some(entry) = self.by_id.get(&id) {
            self.translate(*entry);
        }
        let facts = self.facts(id, 0, brand)?;
        let fits = match &facts.slot {
            Some((ty, _)) => may_be(&expression.kind, ty),
            None => true,
        };
        if !fits || self.wrapped >= MOST {
            return None;
        }
        self.wrapped += 1;
        let value = self.field_value(&facts, expression, brand, context);
        self.wrapped -= 1;
        let mut fields = Vec::new();
        self.keep(&mut fields, id, 0, &facts, value?);
        Some(StructValue { fields })
    }

    fn report_unnamed(&mut self, span: Span) {
        let problem = Diagnostic::error(codes::UNNAMED_FIELD, "this value has no field", span, "");
        self.report(problem.help("write the field's name in front: `(name = value)`"));
    }

    fn report_twice(&mut self, span: Span, first: Span, same: bool) {
        let message =
            if same { "this field has a value already" } else { "another member of the union is set already" };
        let problem = Diagnostic::error(codes::FIELD_TWICE, message, span, "").label(first, "set here");
        self.report(problem.help(if same { "keep one" } else { "a union holds one of its members: keep one" }));
    }

    fn report_unknown_field(&mut self, id: NodeId, name: &str, span: Span) {
        let Some(node) = self.nodes.get(&id) else { return };
        let fields = match &node.kind {
            NodeKind::Struct(node) => node.fields.as_slice(),
            _ => &[],
        };
        let meant = similar(name, fields.iter().map(|field| field.name.as_str()));
        let message = format!("`{}` has no field `{name}`", &node.display_name[node.prefix_len..]);
        let mut problem = Diagnostic::error(codes::UNKNOWN_FIELD, message, span, "");
        if let Some(declared) = node.span {
            problem = problem.label(declared, "declared here");
        }
        let problem = match meant {
            Some(meant) => problem.help(format!("is `{meant}` meant?")),
            None => problem.help("fields of a group are written as `(group = (field = value))`"),
        };
        self.report(problem);
    }
}

/// Whether the literal's form is one of the type's; of names nobody knows before they are looked up.
fn may_be(kind: &ExpressionKind, ty: &Type) -> bool {
    use ExpressionKind::*;
    let is_float = matches!(ty, Type::Float32 | Type::Float64);
    match (kind, ty) {
        (_, Type::Struct(..)) => true,
        (Integer(_) | Negative(_), ty) => super::literals::integer_range(ty).is_some() || is_float,
        (Float(_), _) => is_float,
        (Text(_), ty) => matches!(ty, Type::Text | Type::Data),
        (Data(_), ty) => *ty == Type::Data,
        (List(_), ty) => matches!(ty, Type::List(_)),
        _ => true,
    }
}
