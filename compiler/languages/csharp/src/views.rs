//! The structs of views.

use crate::values::{is_reference, shown};
use aldis_classes::body::OTHER;
use aldis_classes::kinds::Kinds;
use aldis_classes::read::views::{Getter, View};
use aldis_classes::tree::{
    self, binary, call, cast, int, is_false, make, member, method, name, not, run, truth, Class, Expr, Line, Member,
};
use aldis_classes::values::may_be_absent;
use aldis_emit::names::{capital, Scope};
use aldis_plan::{Container, Plan};
use aldis_routine::Module;
use aldis_schema::Type;

/// The struct of a message's views in a form.
pub(crate) fn class(
    kinds: &Kinds<'_>,
    (plan, module): (&Plan, &Module),
    view: View<'_>,
    properties: &[String],
    strict_text: bool,
) -> Class {
    let class = view.class.as_str();
    let is_plain = matches!(plan.container, Container::Plain);
    // The state is large. Of plain bytes a view has no more than the bytes, and makes a state where one is asked.
    let state = if is_plain { "private readonly Seen f" } else { "private In f" };
    let mut members = vec![tree::field(state, None)];
    members.extend(view.place.iter().map(|(ty, own)| tree::field(format!("private readonly {ty} {own}"), None)));
    members.extend(verifiers(kinds, plan, &view, strict_text));
    let record = kinds.names.of(view.record);
    let mut values = Vec::new();
    let others = ["Verify", "TryVerify", "Clone", class].into_iter().chain(properties.iter().map(String::as_str));
    let mut scope = Scope::new(others, ());
    for getter in view.getters {
        if getter.field.ty == Type::Void {
            values.push(name("null"));
            continue;
        }
        let own = properties[getter.index].as_str();
        values.push(name(own));
        let number = kinds.primitive(&getter.field.ty).filter(|_| may_be_absent(module, getter.record, getter.index));
        let or = number.map(|primitive| {
            let or = scope.fresh(&format!("{own}Or"), ());
            number_or(kinds, &getter, (&or, own), primitive)
        });
        members.push(property(kinds, module, getter, (own, is_plain)));
        members.extend(or);
    }
    let copy = run("Wire.with", vec![kinds.blank(view.record), Expr::Array("object?".to_owned(), values)]);
    let head = format!("public {record} Clone()");
    members.push(method("A value of all fields.", head, vec![Line::Return(copy)]));
    Class { doc: view.doc, head: format!("public ref struct {class}"), members }
}

fn verifiers(kinds: &Kinds<'_>, plan: &Plan, view: &View<'_>, strict_text: bool) -> [Member; 3] {
    let class = view.class.as_str();
    let is_plain = matches!(plan.container, Container::Plain);
    let record = kinds.names.of(view.record);
    let input = crate::dialect::input(plan.container, "limits");
    // Routines that check look at no text.
    let (verb, into) = match strict_text {
        true => ("Message", Some(make(record, vec![truth(false)]))),
        false => ("CheckMessage", None),
    };
    let args = [name("ref f"), int(0)].into_iter().chain(into).collect();
    let check = run(format!("{}{record}Codec.{verb}{}", kinds.front, capital(&plan.form.suffix)), args);
    let (open, found) = &view.open;
    let state = vec![
        Line::Assign(name("limits"), "??=", name("Limits.Default")),
        Line::Declare("var".to_owned(), "f".to_owned(), Some(input)),
    ];
    let (own, state_of, opened) = match is_plain {
        true => ("Seen", cut(view, call(name("f"), "seen", Vec::new())), None),
        false => ("In", name("f"), Some(Line::Do(call(name("f"), "checked", Vec::new())))),
    };
    let opened = opened.into_iter().chain(open.iter().cloned());
    let glanced = (view.is_glanced && is_plain).then(|| glanced(kinds, plan, view));
    let made = make(class, [state_of].into_iter().chain(found.iter().cloned()).collect());
    let lines = match glanced {
        Some(lines) => lines,
        None => {
            let lines = state.iter().cloned().chain([Line::Do(check)]).chain(opened.clone());
            lines.chain([Line::Return(made.clone())]).collect()
        }
    };
    let verified = run(
        format!("{}{record}.TryVerify{}", kinds.front, capital(&plan.form.suffix)),
        ["bytes", "out fault", "limits"].map(name).into(),
    );
    let none = vec![Line::Assign(name("view"), "=", name("default")), Line::Return(truth(false))];
    let tried = [Line::If(not(verified), none, Vec::new())].into_iter().chain(state).chain(opened);
    let tried = tried.chain([Line::Assign(name("view"), "=", made), Line::Return(truth(true))]).collect();
    let params: String = view.place.iter().map(|(ty, own)| format!(", {ty} {own}")).collect();
    let held = ["f"].into_iter().chain(view.place.iter().map(|(_, own)| own.as_str()));
    let held = held.map(|own| Line::Assign(member(name("this"), own.to_owned()), "=", name(own)));
    [
        method("", format!("private {class}({own} f{params})"), held.collect()),
        method(
            "A view of the message that the bytes begin with; throws CodecException.",
            format!("public static {class} Verify(ReadOnlySpan<byte> bytes, Limits? limits = null)"),
            lines,
        ),
        method(
            "The same; false where the bytes are no such message, and then what is wrong.",
            format!(
                "public static bool TryVerify(ReadOnlySpan<byte> bytes, out {class} view, out CodecException? fault, Limits? limits = null)"
            ),
            tried,
        ),
    ]
}

/// The lines that make a view of bytes at which a glance is enough: no state is made, where none is asked for.
fn glanced(kinds: &Kinds<'_>, plan: &Plan, view: &View<'_>) -> Vec<Line> {
    let record = kinds.names.of(view.record);
    let verify = format!("{}{record}Codec.VerifyMessage{}", kinds.front, capital(&plan.form.suffix));
    let check = Line::Do(run(verify, vec![name("bytes"), name("limits")]));
    let seen = make("Seen", vec![name("bytes")]);
    let asks = view.opens_with_state(kinds);
    let (state, given) = match asks {
        true => (call(seen, "state", Vec::new()), call(name("f"), "seen", Vec::new())),
        false => (seen, name("f")),
    };
    let (open, found) = &view.open;
    let made = make(view.class.as_str(), [cut(view, given)].into_iter().chain(found.iter().cloned()).collect());
    let first = [
        Line::Assign(name("limits"), "??=", name("Limits.Default")),
        check,
        Line::Declare("var".to_owned(), "f".to_owned(), Some(state)),
    ];
    first.into_iter().chain(open.iter().cloned()).chain([Line::Return(made)]).collect()
}

/// What a view has of the bytes.
fn cut(view: &View<'_>, seen: Expr) -> Expr {
    match &view.from {
        Some(from) => call(seen, "from", vec![from.clone()]),
        None => seen,
    }
}

const INLINE: &str = "[global::System.Runtime.CompilerServices.MethodImpl(Wire.Inline)]";

/// The method that gives a number, or another one where it is null: without a nullable number, where the place tells which.
fn number_or(kinds: &Kinds<'_>, getter: &Getter<'_>, (own, property): (&str, &str), primitive: &str) -> Member {
    let ty = shown(kinds, getter.field.ty.required());
    let other = name(OTHER);
    let number = getter.val.expr.clone();
    let number = if primitive == ty { number } else { cast(ty.as_str(), number) };
    let value = match getter.val.absent.clone().filter(|_| getter.lines.is_empty()) {
        Some(Expr::Not(there)) => Expr::Choose(there, Box::new(number), Box::new(other)),
        Some(absent) => Expr::Choose(Box::new(absent), Box::new(other), Box::new(number)),
        None => binary(name(property), "??", other),
    };
    let head = format!("{INLINE} public {ty} {own}({ty} {OTHER})");
    method("The same, or another number where it is null.", head, vec![Line::Return(value)])
}

/// The property that reads a field.
fn property(kinds: &Kinds<'_>, module: &Module, getter: Getter<'_>, (own, is_plain): (&str, bool)) -> Member {
    let makes_state = is_plain && getter.asks_state(kinds);
    let Getter { record, index, field, mut lines, val } = getter;
    let plain = shown(kinds, field.ty.required());
    let nullable = may_be_absent(module, record, index);
    let ty = if nullable { format!("{plain}?") } else { plain.clone() };
    let value = match kinds.primitive(&field.ty) {
        Some(_) if nullable => {
            let typed = cast(ty.as_str(), val.expr);
            match val.absent.filter(|absent| !is_false(absent)) {
                Some(Expr::Not(there)) => Expr::Choose(there, Box::new(typed), Box::new(name("null"))),
                Some(absent) => Expr::Choose(Box::new(absent), Box::new(name("null")), Box::new(typed)),
                None => typed,
            }
        }
        Some(primitive) if primitive == plain => val.expr,
        None if nullable || is_reference(kinds, &field.ty) => val.expr,
        _ => cast(ty.as_str(), val.expr),
    };
    lines.push(Line::Return(value));
    // A nullable number takes a detour through memory where a call gives it.
    let front = if nullable && kinds.primitive(&field.ty).is_some() { INLINE } else { "" };
    if makes_state {
        let made = call(member(name("this"), "f".to_owned()), "state", Vec::new());
        lines.insert(0, Line::Declare("In".to_owned(), "f".to_owned(), Some(made)));
    }
    Member::Property { doc: field.doc.clone(), head: format!("public {ty} {own}"), front, get: lines, set: Vec::new() }
}
