//! The classes of views.

use crate::names::{scope_of, Accessors};
use crate::values::{in_parts, TOGETHER};
use aldis_classes::body::OTHER;
use aldis_classes::kinds::Kinds;
use aldis_classes::read::views::{Getter, View};
use aldis_classes::tree::{
    self, binary, call, field, int, is_false, make, member, method, name, not, run, string, truth, Class, Expr, Line,
    Member,
};
use aldis_classes::values::has_bit;
use aldis_emit::names::{capital, Scope};
use aldis_plan::Plan;
use aldis_routine::Module;
use aldis_schema::{Type, TypeId};

/// The class of a message's views in a form.
pub(crate) fn class(kinds: &Kinds<'_>, (plan, module): (&Plan, &Module), view: View<'_>) -> Class {
    let class = view.class.as_str();
    let mut members = vec![field("private In f", None)];
    members.extend(view.place.iter().map(|(ty, own)| field(format!("private {ty} {own}"), None)));
    members.push(method("A view of nothing yet, for `verify`.", format!("public {class}()"), Vec::new()));
    members.extend(verifiers(kinds, plan, &view));
    let names = kinds.names.fields(view.record);
    let mut scope = scope_of(names);
    let getters = view.getters.into_iter().map(|getter| accessors(kinds, module, getter, &mut scope, &mut members));
    let values: Vec<Expr> = getters.collect();
    members.extend(copy(kinds, view.record, values));
    Class { doc: view.doc, head: format!("public final class {class}"), members }
}

/// The method that makes a value of all fields, and its parts where there are many.
fn copy(kinds: &Kinds<'_>, record: TypeId, values: Vec<Expr>) -> Vec<Member> {
    let with = |values| Line::Return(run("Wire.with", vec![kinds.blank(record), values]));
    let head = format!("public {} copy()", kinds.names.of(record));
    let doc = "A value of all fields.";
    let count = values.len();
    if count <= TOGETHER {
        return vec![method(doc, head, vec![with(Expr::Array("Object".to_owned(), values))])];
    }
    let put = |(index, value)| vec![Line::Assign(tree::index(name("values"), int(index as i128)), "=", value)];
    let puts = values.into_iter().enumerate().map(put).collect();
    let (calls, mut members) = in_parts("copy", &[("Object[]", "values")], puts);
    let made = Line::Declare("Object[]".to_owned(), "values".to_owned(), Some(name(format!("new Object[{count}]"))));
    let lines = [made].into_iter().chain(calls).chain([with(name("values"))]).collect();
    members.push(method(doc, head, lines));
    members
}

fn verifiers(kinds: &Kinds<'_>, plan: &Plan, view: &View<'_>) -> [Member; 3] {
    let class = view.class.as_str();
    let fresh = || make(class, Vec::new());
    let input = crate::dialect::input(plan.container, ["bytes", "at", "length", "limits"]);
    let whole = vec![name("bytes"), int(0), member(name("bytes"), "length"), name("Limits.DEFAULT")];
    let check = run(format!("{}.verify{}", kinds.names.of(view.record), capital(&plan.form.suffix)), vec![name("f")]);
    let (open, found) = &view.open;
    let mut lines = vec![Line::Do(check), Line::Do(call(name("f"), "checked", Vec::new()))];
    lines.extend(open.iter().cloned());
    lines.push(Line::Assign(member(name("into"), "f".to_owned()), "=", name("f")));
    let places = view.place.iter().zip(found);
    lines.extend(places.map(|((_, own), found)| Line::Assign(member(name("into"), own.clone()), "=", found.clone())));
    lines.push(Line::Return(name("into")));
    [
        method(
            "A view of the message that the bytes begin with; throws CodecException.",
            format!("public static {class} verify(byte[] bytes)"),
            vec![Line::Return(run("verify", whole))],
        ),
        method(
            "The same of the bytes from `at` on.",
            format!("public static {class} verify(byte[] bytes, int at, int length, Limits limits)"),
            vec![Line::Return(run("verify", vec![input, fresh()]))],
        ),
        method(
            "The same with a state and a view that may have been used: the state is the view's until another message is its own.",
            format!("public static {class} verify(In f, {class} into)"),
            lines,
        ),
    ]
}

/// The methods that read a field; gives what its value is as an object.
fn accessors(
    kinds: &Kinds<'_>,
    module: &Module,
    getter: Getter<'_>,
    scope: &mut Scope<()>,
    members: &mut Vec<Member>,
) -> Expr {
    let Getter { record, index, field, lines, val } = getter;
    if field.ty == Type::Void {
        return name("null");
    }
    let own = kinds.names.fields(record)[index].as_str();
    let doc = field.doc.as_str();
    let nullable = has_bit(kinds, module, record, index);
    let Accessors { number, has, or, flags, .. } = Accessors::of(kinds, (own, field), nullable, scope);
    let get = || run(number.clone(), Vec::new());
    let local = kinds.local(&field.ty);
    if kinds.is_enum(&field.ty) {
        let ty = kinds.class_of_enum(&field.ty);
        members.push(method(
            doc,
            format!("public {ty} {own}()"),
            vec![Line::Return(run(format!("{ty}.of"), vec![get()]))],
        ));
    }
    let then = |last: Vec<Line>| lines.iter().cloned().chain(last).collect::<Vec<_>>();
    let absent = val.absent.filter(|absent| nullable && !is_false(absent));
    let none = make("java.util.NoSuchElementException", vec![string(format!("{} is null", field.name))]);
    let refuse = absent.clone().map(|absent| Line::If(absent, vec![Line::Throw(none)], Vec::new()));
    let read = then(refuse.into_iter().chain([Line::Return(val.expr)]).collect());
    members.push(method(doc, format!("public {local} {number}()"), read));
    let there = || run(has.clone(), Vec::new());
    if nullable {
        let test =
            absent.map_or_else(|| vec![Line::Return(truth(true))], |absent| then(vec![Line::Return(not(absent))]));
        members.push(method("", format!("public boolean {has}()"), test));
        let value = Expr::Choose(Box::new(there()), Box::new(get()), Box::new(name(OTHER)));
        members.push(method("", format!("public {local} {or}({local} {OTHER})"), vec![Line::Return(value)]));
    }
    if flags != own {
        let test = binary(binary(get(), "&", name("bits")), "==", name("bits"));
        members.push(method("", format!("public boolean {flags}({local} bits)"), vec![Line::Return(test)]));
    }
    match kinds.primitive(&field.ty) {
        Some(primitive) if nullable => kinds.dialect.boxed_value(primitive, not(there()), get()),
        _ => get(),
    }
}
