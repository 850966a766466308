//! Expressions as values: defaults, constants, what annotations carry.

use super::catalog::EntryId;
use super::literals::{is_word, word};
use super::{Context, Resolver};
use crate::codes;
use crate::model::{AnyPointer, Brand, FieldKind, NodeId, NodeKind, StructValue, Type, Value};
use crate::text::ast::{Argument, Expression, ExpressionKind};
use aldis_diagnostics::{similar, Diagnostic, Span};
use std::collections::HashMap;

/// Values within values, those that constants hold counted in.
const MAX_NESTING: usize = 64;

/// How far a field's default is known. Fields without one in the text are not listed.
#[derive(Clone)]
pub(super) enum DefaultState<'a> {
    Unknown {
        expression: &'a Expression,
        context: Context,
        is_param: bool,
    },
    /// Or being computed: no default of plain data needs another one.
    Known,
}

/// The facts about a struct's field that a value for it needs.
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
            self.compute_default(node, field);
        }
        self.evaluate_annotations();
    }

    /// Computes the default of a field and puts it into the field. Nothing is to be done the second time, and where the
    /// text gives none: the type's zero value is there already.
    pub(super) fn compute_default(&mut self, node: NodeId, field: usize) {
        let Some(state) = self.defaults.get_mut(&(node, field)) else { return };
        let DefaultState::Unknown { expression, context, is_param } = std::mem::replace(state, DefaultState::Known)
        else {
            return;
        };
        let Some(ty) = self.slot(node, field).map(|(ty, _)| ty.clone()) else { return };
        let value = match &expression.kind {
            ExpressionKind::Name(name) if name == "null" => self.null(&ty, is_param, expression.span),
            _ => self.value(expression, &ty, context),
        };
        if let (Some(value), Some(NodeKind::Struct(node))) = (value, self.nodes.get_mut(&node).map(|n| &mut n.kind)) {
            if let Some(FieldKind::Slot { default, .. }) = node.fields.get_mut(field).map(|f| &mut f.kind) {
                *default = value;
            }
        }
    }

    /// The type and the default of a field that is no group.
    fn slot(&self, node: NodeId, field: usize) -> Option<(&Type, &Value)> {
        let NodeKind::Struct(node) = &self.nodes.get(&node)?.kind else { return None };
        match &node.fields.get(field)?.kind {
            FieldKind::Slot { ty, default, .. } => Some((ty, default)),
            FieldKind::Group(_) => None,
        }
    }

    pub(super) fn is_pointer_field(&self, node: NodeId, field: usize) -> bool {
        self.slot(node, field).is_none_or(|(ty, _)| Value::zero(ty) == Value::Null)
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
        if !self.is_shallow(1, expression.span) {
            return None;
        }
        self.nesting += 1;
        let value = self.value_of(expression, ty, context);
        self.nesting -= 1;
        value
    }

    /// Whether a value of so many levels has room where the current one is.
    pub(super) fn is_shallow(&mut self, levels: usize, span: Span) -> bool {
        let shallow = self.nesting + levels <= MAX_NESTING;
        if !shallow {
            let message = format!("a value is nested deeper than {MAX_NESTING}");
            let problem = Diagnostic::error(codes::TOO_DEEP, message, span, "one more here");
            self.report(problem.help("flatten it: readers refuse such depths anyway"));
        }
        shallow
    }

    fn value_of(&mut self, expression: &'a Expression, ty: &Type, context: Context) -> Option<Value> {
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
            (kind, _) if is_name(kind) => self.name_value(expression, ty, context),
            (_, Type::Struct(id, brand)) => self.first_field(expression, ty, *id, brand, context),
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
            _ => self.none_of(ty, span),
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
            if !self.names_struct(expression, *id, context)? {
                return self.first_field(expression, ty, *id, brand, context);
            }
        }
        self.constant(expression, ty, context)
    }

    fn enumerant(&mut self, id: NodeId, name: &str, span: Span) -> Option<Value> {
        if let Some(index) = self.member_index(id, name) {
            return Some(Value::Enum(index as u16));
        }
        let entry = self.by_id.get(&id).map(|entry| &self.catalog.entries[*entry])?;
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
            Some(meant) => problem.mend(format!("is `{meant}` meant?"), span, meant),
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
            let Some(facts) = self.facts(id, index, brand, name.span) else { continue };
            let in_union = facts.discriminant.is_some();
            if let Some(first) = given.get(&index).copied().or(active.filter(|_| in_union)) {
                self.report_twice(name.span, first, given.contains_key(&index));
                complete = false;
                continue;
            }
            given.insert(index, name.span);
            active = if in_union { Some(name.span) } else { active };
            match self.field_value(&facts, &argument.value, brand, context) {
                Some(value) => self.keep(&mut fields, index, &facts, value),
                None => complete = false,
            }
        }
        fields.sort_unstable_by_key(|(index, _)| *index);
        complete.then_some(StructValue { fields })
    }

    /// `None` after a problem, which is told at `span`.
    fn facts(&mut self, id: NodeId, index: usize, brand: &Brand, span: Span) -> Option<FieldFacts> {
        let NodeKind::Struct(node) = &self.nodes.get(&id)?.kind else { return None };
        let field = node.fields.get(index)?;
        let discriminant = field.discriminant;
        match &field.kind {
            FieldKind::Group(group) => Some(FieldFacts { slot: None, group: *group, discriminant }),
            FieldKind::Slot { ty, .. } => {
                let (ty, zero) = (ty.clone(), Value::zero(ty));
                let default = match zero {
                    Value::Null => zero,
                    _ => {
                        self.compute_default(id, index);
                        self.slot(id, index)?.1.clone()
                    }
                };
                let ty = self.substituted(&ty, brand, span)?;
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
                let group = Type::Struct(facts.group, Brand::default());
                self.first_field(expression, &group, facts.group, brand, context)
            }
        }
    }

    /// Adds the field's value unless a struct of nothing but zeros has it already.
    fn keep(&self, fields: &mut Vec<(usize, Value)>, index: usize, facts: &FieldFacts, value: Value) {
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

    /// A value that is no tuple stands for the struct (or group) `id` whose first field it is, if that is no group.
    fn first_field(
        &mut self,
        expression: &'a Expression,
        ty: &Type,
        id: NodeId,
        brand: &Brand,
        context: Context,
    ) -> Option<Value> {
        if let Some(entry) = self.by_id.get(&id) {
            self.translate(*entry);
        }
        let facts = match self.nodes.get(&id).map(|node| &node.kind) {
            Some(NodeKind::Struct(node)) if !node.fields.is_empty() => self.facts(id, 0, brand, expression.span)?,
            _ => return self.none_of(ty, expression.span),
        };
        let fits = match &facts.slot {
            None => false,
            // A struct in a struct must be a constant: one value does not stand for two structs.
            Some((Type::Struct(inner, _), _)) => {
                is_name(&expression.kind) && self.names_struct(expression, *inner, context)?
            }
            Some((first, _)) => may_be(&expression.kind, first),
        };
        if !fits {
            return self.none_of(ty, expression.span);
        }
        let value = self.field_value(&facts, expression, brand, context);
        let mut fields = Vec::new();
        self.keep(&mut fields, 0, &facts, value?);
        Some(Value::Struct(StructValue { fields }))
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
            Some(meant) => problem.mend(format!("is `{meant}` meant?"), span, meant),
            None => problem.help("fields of a group are written as `(group = (field = value))`"),
        };
        self.report(problem);
    }
}

/// Whether the expression may name a constant.
fn is_name(kind: &ExpressionKind) -> bool {
    use ExpressionKind::*;
    matches!(kind, Name(_) | Absolute(_) | Member(..) | Import(_) | Apply(..))
}

/// Whether the literal's form is one of the type's; of names nobody knows before they are looked up.
fn may_be(kind: &ExpressionKind, ty: &Type) -> bool {
    use ExpressionKind::*;
    let is_float = matches!(ty, Type::Float32 | Type::Float64);
    match (kind, ty) {
        (Integer(_) | Negative(_), ty) => super::literals::integer_range(ty).is_some() || is_float,
        (Float(_), _) => is_float,
        (Text(_), ty) => matches!(ty, Type::Text | Type::Data),
        (Data(_), ty) => *ty == Type::Data,
        (List(_), ty) => matches!(ty, Type::List(_)),
        _ => true,
    }
}
