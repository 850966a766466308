//! Wishes that the annotations of `/capnp/compat/json.capnp` cannot have. The reference compiles such schemas and fails when a
//! program first wants JSON of them.

use crate::codes;
use aldis_diagnostics::{sort, Diagnostic, Span};
use aldis_schema::{BytesText, Field, Schema, Type, TypeDef, TypeId, TypeKind, Union};
use std::collections::{BTreeSet, HashMap};

/// The problems of a schema's JSON, in source order, each once however many types its struct makes.
pub(super) fn problems(schema: &Schema) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for definition in &schema.types {
        fields(&definition.kind).for_each(|field| misplaced(schema, field, &mut found));
        clashes(schema, definition, &mut found);
    }
    circles(schema, &mut found);
    sort(&mut found);
    // In a request all places are the same.
    found.dedup_by(|a, b| (a.place(), &a.message) == (b.place(), &b.message));
    found
}

fn fields(kind: &TypeKind) -> Box<dyn Iterator<Item = &Field> + '_> {
    match kind {
        TypeKind::Record(record) => Box::new(record.fields.iter()),
        TypeKind::Union(union) => Box::new(union.arms.iter().map(|arm| &arm.field)),
        TypeKind::Enum(_) | TypeKind::Flags(_) => Box::new(std::iter::empty()),
    }
}

/// The record or union of a named type.
fn composite(schema: &Schema, ty: &Type) -> Option<TypeId> {
    let Type::Named(id) = ty.required() else { return None };
    matches!(schema.type_def(*id).kind, TypeKind::Record(_) | TypeKind::Union(_)).then_some(*id)
}

/// Annotations that mean nothing to the type of their field. A type that is left open may be bound to one to which they do.
fn misplaced(schema: &Schema, field: &Field, found: &mut Vec<Diagnostic>) {
    if matches!(field.ty.required(), Type::Opaque(_)) {
        return;
    }
    let mut report = |annotation: &str, wanted: &str, targets: &str| {
        let message = format!("`{annotation}` of `{}`, which is no {wanted}", field.name);
        let here = format!("this is no {wanted}");
        let help = format!("remove `{annotation}`: it is for {targets}");
        found.push(Diagnostic::error(codes::JSON_TYPE, message, field.span, here).help(help));
    };
    if field.json.flatten.is_some() && composite(schema, &field.ty).is_none() {
        report("flatten", "struct or group", "structs and groups");
    }
    if *field.ty.required() != Type::Bytes {
        match field.json.bytes {
            Some(BytesText::Base64) => report("base64", "Data", "bytes"),
            Some(BytesText::Hex) => report("hex", "Data", "bytes"),
            None => {}
        }
    }
}

/// Names that stand for two things in one object; what is flattened into it is not looked at.
fn clashes(schema: &Schema, definition: &TypeDef, found: &mut Vec<Diagnostic>) {
    let mut names = Names { first: HashMap::new(), found };
    match &definition.kind {
        TypeKind::Record(record) => {
            for field in &record.fields {
                match &field.ty {
                    Type::Named(id) if field.name.is_empty() => names.union(schema.union(*id), definition.span),
                    _ => names.member(field),
                }
            }
        }
        TypeKind::Union(union) if !union.unnamed => names.union(union, definition.span),
        TypeKind::Union(_) | TypeKind::Flags(_) => {}
        TypeKind::Enum(definition) => {
            definition.values.iter().for_each(|value| names.claim(value.json_name(), value.span));
        }
    }
}

/// The names that are taken by now, and where.
struct Names<'s, 'f> {
    first: HashMap<&'s str, Span>,
    found: &'f mut Vec<Diagnostic>,
}

impl<'s> Names<'s, '_> {
    fn claim(&mut self, name: &'s str, span: Span) {
        let Some(first) = self.first.insert(name, span) else { return };
        let message = format!("`{name}` is the name of two members of one JSON object, or of two enumerants");
        let problem = Diagnostic::error(codes::JSON_NAME, message, span, "called so in JSON");
        let problem = if first == span { problem } else { problem.label(first, "and so is this") };
        self.found.push(problem.help("give one of them another name, with `$Json.name` for instance"));
    }

    fn member(&mut self, field: &'s Field) {
        if field.json.flatten.is_none() {
            self.claim(field.json_name(), field.span);
        }
    }

    /// The members of a union that is at `span`.
    fn union(&mut self, union: &'s Union, span: Span) {
        let Some(discriminator) = &union.discriminator else {
            return union.arms.iter().for_each(|arm| self.member(&arm.field));
        };
        self.claim(&discriminator.name, span);
        let mut told = Names { first: HashMap::new(), found: &mut *self.found };
        union.arms.iter().for_each(|arm| told.claim(arm.field.json_name(), arm.field.span));
        match &discriminator.value_name {
            Some(name) => self.claim(name, span),
            None => union.arms.iter().for_each(|arm| self.member(&arm.field)),
        }
    }
}

/// Whether all that is within a type has been looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    NotYet,
    OnTheWay,
    Done,
}

/// A type whose members hold, in the same object, those of another.
struct Step<'s> {
    id: TypeId,
    /// The structs flattened into it, and the unnamed union, which always is.
    inner: Vec<(TypeId, &'s Field)>,
    next: usize,
}

/// Structs whose members hold all their own members again.
fn circles(schema: &Schema, found: &mut Vec<Diagnostic>) {
    let mut search = vec![Search::NotYet; schema.types.len()];
    let mut reported = BTreeSet::new();
    for root in (0..schema.types.len()).map(|index| TypeId(index as u32)) {
        if search[root.index()] != Search::NotYet {
            continue;
        }
        search[root.index()] = Search::OnTheWay;
        let mut way = vec![step(schema, root)];
        while let Some(last) = way.last_mut() {
            let Some(&(inner, field)) = last.inner.get(last.next) else {
                search[last.id.index()] = Search::Done;
                way.pop();
                continue;
            };
            last.next += 1;
            match search[inner.index()] {
                Search::Done => {}
                Search::NotYet => {
                    search[inner.index()] = Search::OnTheWay;
                    way.push(step(schema, inner));
                }
                Search::OnTheWay if reported.insert(place(field.span)) => {
                    found.push(circle(schema, &way, inner, field));
                }
                Search::OnTheWay => {}
            }
        }
    }
}

fn place(span: Span) -> (u32, u32, u32) {
    (span.source.0, span.start, span.end)
}

fn step(schema: &Schema, id: TypeId) -> Step<'_> {
    let flattened = |field: &&Field| field.json.flatten.is_some() || field.name.is_empty();
    let inner = fields(&schema.type_def(id).kind).filter(flattened);
    let inner = inner.filter_map(|field| Some((composite(schema, &field.ty)?, field))).collect();
    Step { id, inner, next: 0 }
}

/// The circle from `start`, which is on the way, through the last of the way and its `field` to `start` again.
fn circle(schema: &Schema, way: &[Step<'_>], start: TypeId, field: &Field) -> Diagnostic {
    let message = format!("the members of `{}` are flattened into themselves", schema.type_def(start).name.local());
    let steps = way.iter().skip_while(|step| step.id != start).filter_map(|step| step.inner.get(step.next - 1));
    // An unnamed union has no place of its own.
    let others = steps.map(|(_, field)| *field).filter(|other| !other.name.is_empty() && other.span != field.span);
    let mut problem = Diagnostic::error(codes::FLATTEN_CIRCLE, message, field.span, "this closes a circle");
    for other in others {
        problem = problem.label(other.span, "this is on the way");
    }
    problem.help("remove `flatten` from one field of the circle: its JSON is an object of its own then")
}
