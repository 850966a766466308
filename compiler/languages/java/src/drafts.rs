//! The classes of drafts.

use crate::names::{scope_of, Accessors};
use aldis_classes::drafts::{doc, named, Draft, Set, Setter, VALUE};
use aldis_classes::tree::{
    binary, call, field, int, make, member, method, name, run, truth, Class, Expr, Line, Member,
};
use aldis_classes::values::has_bit;
use aldis_classes::write::Writing;
use aldis_emit::names::capital;
use aldis_plan::Plan;

/// The class of a record's drafts in a form, and the classes that it imports.
pub(crate) fn class(writing: &Writing<'_>, plan: &Plan, draft: &Draft<'_>) -> (Class, Vec<&'static str>) {
    let kinds = writing.kinds;
    let class = draft.class.as_str();
    let fields = &writing.module.schema.record(draft.record).fields;
    let names = kinds.names.fields(draft.record);
    let inner = |index: usize| format!("{}$", names[index]);
    let nests = draft.nests.iter();
    let mut members: Vec<Member> =
        nests.clone().map(|nest| field(format!("private final {} {}", nest.class, inner(nest.index)), None)).collect();
    let made = nests.map(|nest| {
        let made = make(nest.class.as_str(), vec![name("this"), int(nest.shift)]);
        Line::Assign(name(inner(nest.index)), "=", made)
    });
    let made: Vec<Line> = made.collect();
    let begun = |first: Vec<Expr>| [Line::Do(run("super", first))].into_iter().chain(made.clone()).collect();
    if let Some(start) = draft.start {
        let encoded = call(name("value"), format!("encode{}", capital(&plan.form.suffix)), Vec::new());
        let doc = "Messages that begin as this one, until fields of them are set; throws what encoding it throws.";
        let head = format!("public {class}({} value)", kinds.names.of(draft.record));
        members.push(method(doc, head, begun(vec![encoded, int(start)])));
    }
    let part = begun(vec![name("of"), name("shift")]);
    members.push(method("", format!("{class}(aldis.codec.DraftPart of, int shift)"), part));
    let mut scope = scope_of(names);
    let mut is_composed = false;
    for (index, field) in fields.iter().enumerate() {
        let nullable = field.nullable() && has_bit(kinds, writing.module, draft.record, index);
        let accessors = Accessors::of(kinds, (&names[index], field), nullable, &mut scope);
        if let Some(nest) = draft.nests.iter().find(|nest| nest.index == index) {
            let head = format!("public {} {}()", nest.class, names[index]);
            members.push(method(&field.doc, head, vec![Line::Return(name(inner(index)))]));
        }
        if let Some(setter) = draft.setters.iter().find(|setter| setter.index == index) {
            let own = (setter, names[index].as_str(), nullable);
            is_composed |= setters(writing, class, own, &accessors, &mut members);
        }
    }
    let base = if draft.start.is_some() { "Draft" } else { "DraftPart" };
    let head = format!("public final class {class} extends aldis.codec.{base}");
    let imports = named(&members, ["aldis.CodecException", "aldis.codec.Out", "aldis.codec.Wire"], is_composed);
    (Class { doc: doc(kinds, plan, draft), head, members }, imports)
}

/// Puts the methods that set a field to the members, and says whether there is one that takes the state.
fn setters(
    writing: &Writing<'_>,
    class: &str,
    (setter, own, nullable): (&Setter<'_>, &str, bool),
    accessors: &Accessors,
    members: &mut Vec<Member>,
) -> bool {
    let kinds = writing.kinds;
    let Setter { field, .. } = setter;
    let local = kinds.local(&field.ty);
    if kinds.is_enum(&field.ty) {
        let ty = kinds.class_of_enum(&field.ty);
        let value = call(name(VALUE), "value", Vec::new());
        let set = vec![Line::Return(run(accessors.number.clone(), vec![value]))];
        members.push(method(&field.doc, format!("public {class} {own}({ty} {VALUE})"), set));
    }
    let set = writing.set(setter, &name(VALUE), None);
    let is_composed = set.is_composed;
    let is_apart = is_composed || set.is_long();
    let head = format!("public {class} {}({local} {VALUE})", accessors.number);
    if is_apart {
        let tried = format!("{own}$set");
        let put = |state: &'static str, at| Line::Do(run(tried.clone(), vec![name(state), at, name(VALUE)]));
        let trial = is_composed.then(|| put("trial", member(name("trial"), "at")));
        let own = [put("o", binary(member(name("o"), "at"), "+", name("shift"))), Line::Return(name("this"))];
        members.push(method(&field.doc, head, trial.into_iter().chain(own).collect()));
        members.extend(set.method(kinds, tried.clone(), local));
    } else {
        members.push(method(&field.doc, head, placed(set)));
    }
    if nullable {
        let set = writing.set(setter, &name(VALUE), Some(truth(true)));
        members.push(method("", format!("public {class} {}()", accessors.clear), placed(set)));
    }
    is_apart
}

/// The lines of a setter, behind where the record lies.
fn placed(set: Set) -> Vec<Line> {
    let at = binary(member(name("o"), "at"), "+", name("shift"));
    let place = Line::Declare("int".to_owned(), set.at, Some(at));
    [place].into_iter().chain(set.lines).chain([Line::Return(name("this"))]).collect()
}
