//! The classes of drafts.

use crate::values::shown;
use aldis_classes::body::OUT;
use aldis_classes::drafts::{doc, Draft, Nest, Set, Setter, VALUE};
use aldis_classes::tree::{binary, call, cast, field, int, make, member, method, name, run, Class, Expr, Line, Member};
use aldis_classes::values::has_bit;
use aldis_classes::write::Writing;
use aldis_emit::names::{capital, Scope};
use aldis_plan::Plan;
use aldis_schema::Type;

/// The class of a record's drafts in a form.
pub(crate) fn class(writing: &Writing<'_>, plan: &Plan, draft: &Draft<'_>, properties: &[String]) -> Class {
    let kinds = writing.kinds;
    let class = draft.class.as_str();
    let fields = &writing.module.schema.record(draft.record).fields;
    let inner = |nest: &Nest| kinds.names.fields(draft.record)[nest.index].clone();
    let nests = draft.nests.iter();
    let mut members: Vec<Member> =
        nests.clone().map(|nest| field(format!("private readonly {} {}", nest.class, inner(nest)), None)).collect();
    let made = |nest: &Nest| {
        let made = make(nest.class.as_str(), vec![name("this"), int(nest.shift)]);
        Line::Assign(name(inner(nest)), "=", made)
    };
    let made: Vec<Line> = nests.map(made).collect();
    if let Some(start) = draft.start {
        let doc = "Messages that begin as this one, until fields of them are set; throws what encoding it throws.";
        let record = kinds.type_of(draft.record);
        let suffix = capital(&plan.form.suffix);
        let head = format!("public {class}({record} value) : base(value.Encode{suffix}(), {start})");
        members.push(method(doc, head, made.clone()));
    }
    let head = format!("internal {class}(global::Aldis.Codec.DraftPart of, int shift) : base(of, shift)");
    members.push(method("", head, made));
    // Members of all drafts; a class has no member of its own name.
    let taken = ["Encode", "Into", class];
    let mut scope = Scope::new(taken, ());
    let mut fresh = |own: &str| scope.fresh(&if taken.contains(&own) { format!("{own}_") } else { own.to_owned() }, ());
    let names: Vec<String> = properties.iter().map(|own| fresh(own)).collect();
    for (index, field) in fields.iter().enumerate() {
        let nest = draft.nests.iter().find(|nest| nest.index == index);
        if let Some(nest) = nest {
            let head = format!("public {} {}", nest.class, names[index]);
            let get = vec![Line::Return(name(inner(nest)))];
            members.push(Member::Property { doc: field.doc.clone(), head, front: "", get, set: Vec::new() });
        }
        let Some(setter) = draft.setters.iter().find(|setter| setter.index == index) else { continue };
        let own = if nest.is_some() { fresh(&format!("Set{}", names[index])) } else { names[index].clone() };
        let nullable = field.nullable() || matches!(field.ty, Type::Optional(_));
        let (ty, set) = match kinds.primitive(&field.ty) {
            Some(primitive) => number(writing, draft, (setter, nullable), primitive),
            None => object(writing, (setter, nullable), &names[index], &mut members),
        };
        let doc = field.doc.clone();
        members.push(match nest {
            Some(_) => method(doc, format!("public void {own}({ty} {VALUE})"), set),
            None => Member::Property { doc, head: format!("public {ty} {own}"), front: "", get: Vec::new(), set },
        });
    }
    let base = if draft.start.is_some() { "Draft" } else { "DraftPart" };
    let head = format!("public sealed class {class} : global::Aldis.Codec.{base}");
    Class { doc: doc(kinds, plan, draft), head, members }
}

/// The type of a number's property, and the lines that set it.
fn number(
    writing: &Writing<'_>,
    draft: &Draft<'_>,
    (setter, nullable): (&Setter<'_>, bool),
    primitive: &str,
) -> (String, Vec<Line>) {
    let kinds = writing.kinds;
    let plain = shown(kinds, setter.field.ty.required());
    let is_null = nullable && has_bit(kinds, writing.module, draft.record, setter.index);
    let given = if nullable { call(name(VALUE), "getValueOrDefault", Vec::new()) } else { name(VALUE) };
    let given = if plain == primitive { given } else { cast(primitive, given) };
    let absent = is_null.then(|| binary(name(VALUE), "==", name("null")));
    let Set { lines, at, .. } = writing.set(setter, &given, absent);
    let memory = if aldis_classes::drafts::calls_state(&lines) { "writer" } else { "spot" };
    let memory = Line::Declare("var".to_owned(), OUT.to_owned(), Some(call(name("memory"), memory, Vec::new())));
    let place = Line::Declare("int".to_owned(), at, Some(place()));
    let ty = if nullable { format!("{plain}?") } else { plain };
    (ty, [memory, place].into_iter().chain(lines).collect())
}

fn place() -> Expr {
    binary(member(name("memory"), "at"), "+", name("shift"))
}

/// The type of another property, and the lines that set it by a method of its own: where a value may be refused when parts of it are
/// stored, it is stored elsewhere before.
fn object(
    writing: &Writing<'_>,
    (setter, nullable): (&Setter<'_>, bool),
    property: &str,
    members: &mut Vec<Member>,
) -> (String, Vec<Line>) {
    let kinds = writing.kinds;
    let plain = shown(kinds, setter.field.ty.required());
    let stored = writing.set(setter, &name(VALUE), None);
    let is_composed = stored.is_composed;
    // No property begins with a small letter.
    let method_name = format!("set{property}");
    members.extend(stored.method(kinds, method_name.clone(), format!("{plain}?")));
    let memory = |memory: &'static str| Some(call(name("memory"), memory, Vec::new()));
    let put =
        |state: &str, at: Expr| Line::Do(run(method_name.clone(), vec![name(format!("ref {state}")), at, name(VALUE)]));
    let mut set = Vec::new();
    if is_composed {
        set.push(Line::Declare("var".to_owned(), "trial".to_owned(), memory("trial")));
        set.push(put("trial", member(name("memory"), "first")));
    }
    set.push(Line::Declare("var".to_owned(), OUT.to_owned(), memory("writer")));
    set.push(put(OUT, place()));
    (if nullable { format!("{plain}?") } else { plain }, set)
}
