//! The classes of values: accessors, what is done with fields by their index, enums and flags.

use crate::dialect::boxed;
use crate::names::{scope_of, Accessors, WORDS};
use aldis_classes::body::OTHER;
use aldis_classes::kinds::Kinds;
use aldis_classes::names::fresh;
use aldis_classes::tree::{
    self, binary, call, cast, int, make, member, method, name, run, string, Class, Expr, Line, Member,
};
use aldis_classes::values::{bit, bits, default_of, has_bit, is_absent, put};
use aldis_emit::names::Scope;
use aldis_routine::Module;
use aldis_schema::{Field, Type, TypeId};

fn this(field: impl Into<String>) -> Expr {
    member(name("this"), field.into())
}

fn shape_of(kinds: &Kinds<'_>, shape: Expr) -> Member {
    let head = format!("{}static final Shape SHAPE", kinds.names.access("public ", ""));
    tree::field(head, Some(shape))
}

/// The members of a value's class but for its codecs.
pub(crate) fn members(kinds: &Kinds<'_>, module: &Module, id: TypeId, shape: Expr) -> Vec<Member> {
    let class = kinds.names.of(id);
    let record = module.schema.record(id);
    let names = kinds.names.fields(id);
    let mut members = vec![shape_of(kinds, shape)];
    if !record.keys.is_empty() {
        let doc = "The order of keys.".to_owned();
        let head = "public static final java.util.Comparator<Object> BY_KEY".to_owned();
        members.push(Member::Field { doc, head, value: Some(call(name("SHAPE"), "order", Vec::new())) });
    }
    for (field, own) in record.fields.iter().zip(names) {
        members.push(tree::field(format!("{} {own}", kinds.local(&field.ty)), None));
    }
    for first in (0..bits(kinds, module, id)).step_by(64) {
        members.push(tree::field(format!("long {}", bit(kinds, first).0), None));
    }
    let defaults = (0..names.len()).map(|index| {
        let val = default_of(kinds, module, id, index);
        put(kinds, module, (id, index), "this", (val, true))
    });
    let (defaults, parts) = in_parts("defaults", &[], defaults.collect());
    members.push(method("A value with the defaults of the schema.", format!("public {class}()"), defaults));
    members.extend(parts);
    members.push(method("", format!("{class}(boolean empty)"), Vec::new()));
    let mut scope = scope_of(names);
    for (index, field) in record.fields.iter().enumerate().filter(|(_, field)| field.ty != Type::Void) {
        accessors(kinds, module, (id, index, field), &mut scope, &mut members);
    }
    members.extend(generic(kinds, module, id));
    members
}

fn accessors(
    kinds: &Kinds<'_>,
    module: &Module,
    (id, index, field): (TypeId, usize, &Field),
    scope: &mut Scope<()>,
    members: &mut Vec<Member>,
) {
    let class = kinds.names.of(id).to_owned();
    let own = kinds.names.fields(id)[index].as_str();
    let has_bit = has_bit(kinds, module, id, index);
    let (word, mask) = bit(kinds, index);
    let local = kinds.local(&field.ty);
    let doc = field.doc.as_str();
    let back = || Line::Return(name("this"));
    let set = |value: Expr| {
        let mut lines = vec![Line::Assign(this(own), "=", value)];
        if has_bit {
            lines.push(Line::Assign(this(word.as_str()), "&=", Expr::Flip(Box::new(mask.clone()))));
        }
        lines.push(back());
        lines
    };
    let mut get = Vec::new();
    let nullable = field.nullable() && has_bit;
    let Accessors { number, has, or, clear, flags } = Accessors::of(kinds, (own, field), nullable, scope);
    if nullable {
        let none = make("java.util.NoSuchElementException", vec![string(format!("{} is null", field.name))]);
        get.push(Line::If(is_absent(kinds, name("this"), index), vec![Line::Throw(none)], Vec::new()));
    }
    get.push(Line::Return(this(own)));
    if kinds.is_enum(&field.ty) {
        let ty = kinds.class_of_enum(&field.ty);
        let read = run(format!("{ty}.of"), vec![run(number.clone(), Vec::new())]);
        members.push(method(doc, format!("public {ty} {own}()"), vec![Line::Return(read)]));
        let value = call(name("value"), "value", Vec::new());
        members.push(method(
            "",
            format!("public {class} {own}({ty} value)"),
            vec![Line::Return(run(number.clone(), vec![value]))],
        ));
    }
    members.push(method(doc, format!("public {local} {number}()"), get));
    members.push(method("", format!("public {class} {number}({local} value)"), set(name("value"))));
    if nullable {
        members.push(method(
            "",
            format!("public boolean {has}()"),
            vec![Line::Return(binary(binary(this(word.as_str()), "&", mask.clone()), "==", Expr::Long(0)))],
        ));
        let value = Expr::Choose(Box::new(run(has, Vec::new())), Box::new(this(own)), Box::new(name(OTHER)));
        members.push(method("", format!("public {local} {or}({local} {OTHER})"), vec![Line::Return(value)]));
        let note = Line::Assign(this(word.as_str()), "|=", mask.clone());
        members.push(method("", format!("public {class} {clear}()"), vec![note, back()]));
    }
    if flags != own {
        let test = binary(binary(this(own), "&", name("bits")), "==", name("bits"));
        members.push(method("", format!("public boolean {flags}({local} bits)"), vec![Line::Return(test)]));
    }
}

/// Fields by their index, for what is the same for all values: JSON, equality, copies.
fn generic(kinds: &Kinds<'_>, module: &Module, id: TypeId) -> Vec<Member> {
    let class = kinds.names.of(id);
    let record = module.schema.record(id);
    let names = kinds.names.fields(id);
    let mut gets = Vec::new();
    let mut sets = Vec::new();
    for (index, (field, own)) in record.fields.iter().zip(names).enumerate() {
        let (word, mask) = bit(kinds, index);
        let put = |value: Expr| Line::Assign(this(own.as_str()), "=", value);
        let value = match kinds.class(&field.ty) {
            class if class == "Object" => name("value"),
            class => cast(class, name("value")),
        };
        let (get, set) = match (kinds.primitive(&field.ty), has_bit(kinds, module, id, index)) {
            (Some(primitive), true) => {
                let of = run(format!("{}.valueOf", boxed(primitive)), vec![this(own.as_str())]);
                let get =
                    Expr::Choose(Box::new(is_absent(kinds, name("this"), index)), Box::new(name("null")), Box::new(of));
                let note = Line::Assign(this(word.as_str()), "|=", mask.clone());
                let clear = Line::Assign(this(word), "&=", Expr::Flip(Box::new(mask)));
                let given = vec![put(value), clear];
                (get, Line::If(binary(name("value"), "==", name("null")), vec![note], given))
            }
            _ => (this(own.as_str()), put(value)),
        };
        gets.push((int(index as i128), vec![Line::Return(get)]));
        sets.push((int(index as i128), vec![set]));
    }
    let unchecked = record.fields.iter().any(|field| kinds.class(&field.ty).contains('<'));
    let suppress = if unchecked { "@SuppressWarnings(\"unchecked\") " } else { "" };
    let mut members = by_index(("", "Object", "get"), &[], gets);
    members.extend(by_index((suppress, "void", "set"), &["Object value"], sets));
    members.extend([
        method("", "@Override protected Shape shape()", vec![Line::Return(name("SHAPE"))]),
        method(
            "A copy of all of it.",
            format!("@Override public {class} copy()"),
            vec![Line::Return(cast(class, call(name("super"), "copy", Vec::new())))],
        ),
        method(
            "Gives all fields the values that they have in a new object.",
            format!("public {class} clear()"),
            vec![Line::Do(run("take", vec![make(class, Vec::new())])), Line::Return(name("this"))],
        ),
    ]);
    members
}

/// The fields that one method gets or sets: those of more would be a method that no compiler of a virtual machine takes.
pub(crate) const TOGETHER: usize = 128;

/// Statements by field, and the methods that they are parts of where there are many, each with its parameters, by type and name.
pub(crate) fn in_parts(own: &str, params: &[(&str, &str)], of_fields: Vec<Vec<Line>>) -> (Vec<Line>, Vec<Member>) {
    if of_fields.len() <= TOGETHER {
        return (of_fields.concat(), Vec::new());
    }
    let typed: Vec<String> = params.iter().map(|(ty, own)| format!("{ty} {own}")).collect();
    let parts = of_fields.chunks(TOGETHER).enumerate().map(|(index, chunk)| {
        let part = format!("{own}${index}");
        let head = format!("private void {part}({})", typed.join(", "));
        (Line::Do(run(part, params.iter().map(|(_, own)| name(*own)).collect())), method("", head, chunk.concat()))
    });
    parts.unzip()
}

/// A method that does something with the field of an index, in parts where there are many fields. No name of a schema has a `$`.
fn by_index(
    (suppress, gives, own): (&'static str, &str, &str),
    params: &[&str],
    mut arms: Vec<(Expr, Vec<Line>)>,
) -> Vec<Member> {
    let none = vec![Line::Throw(make("IndexOutOfBoundsException", vec![name("field")]))];
    let params: String = params.iter().map(|param| format!(", {param}")).collect();
    let head = |front: &str, own: &str| format!("{suppress}{front} {gives} {own}(int field{params})");
    let mut parts = Vec::new();
    let mut on = name("field");
    if arms.len() > TOGETHER {
        let given = ["field", "value"].into_iter().take(if params.is_empty() { 1 } else { 2 }).map(name);
        let given: Vec<Expr> = given.collect();
        let chunks = arms.chunks(TOGETHER).enumerate().map(|(index, chunk)| {
            let part = format!("{own}${index}");
            let lines = vec![Line::Switch(name("field"), chunk.to_vec(), none.clone())];
            parts.push(method("", head("private", &part), lines));
            let call = run(part, given.clone());
            (int(index as i128), vec![if gives == "void" { Line::Do(call) } else { Line::Return(call) }])
        });
        arms = chunks.collect();
        on = binary(on, "/", int(TOGETHER as i128));
    }
    let lines = if arms.is_empty() { none } else { vec![Line::Switch(on, arms, none)] };
    let whole = method("", head("@Override protected", own), lines);
    [whole].into_iter().chain(parts).collect()
}

/// A file of an enum: its constants, `value`, and `of`.
pub(crate) fn enumeration(kinds: &Kinds<'_>, id: TypeId, doc: &str, shape: Expr) -> Class {
    let class = kinds.names.of(id);
    let definition = kinds.enum_of(id);
    let primitive = kinds.primitive(&Type::Named(id)).unwrap_or("int");
    let mut scope = Scope::new(["SHAPE", "Json", "UNRECOGNIZED", "value", "of"], ());
    let number = |value: i128| match primitive {
        "long" => Expr::Long(i128::from(value as u64 as i64)),
        "int" | "boolean" => int(value),
        primitive => cast(primitive, int(value)),
    };
    let mut constants = Vec::new();
    let mut aliases = Vec::new();
    let mut arms: Vec<(Expr, Vec<Line>)> = Vec::new();
    let mut tests = Vec::new();
    let mut firsts: Vec<(i128, String)> = Vec::new();
    for value in &definition.values {
        let own = fresh(&mut scope, &value.name, &WORDS);
        match firsts.iter().find(|(known, _)| *known == value.value) {
            Some((_, first)) => aliases.push(Member::Field {
                doc: value.doc.clone(),
                head: format!("public static final {class} {own}"),
                value: Some(name(first.as_str())),
            }),
            None => {
                firsts.push((value.value, own.clone()));
                constants.push((value.doc.clone(), own.clone(), vec![number(value.value)]));
                let found = Line::Return(name(own));
                match primitive {
                    "long" => {
                        tests.push(Line::If(binary(name("value"), "==", number(value.value)), vec![found], vec![]))
                    }
                    _ => arms.push((int(value.value), vec![found])),
                }
            }
        }
    }
    let last = "What this schema has no name for: the number is in the value, not here.".to_owned();
    constants.push((last, "UNRECOGNIZED".to_owned(), vec![number(0)]));
    let mut of = tests;
    let other = Line::Return(name("UNRECOGNIZED"));
    match arms.is_empty() {
        true => of.push(other),
        false => of.push(Line::Switch(name("value"), arms, vec![other])),
    }
    let mut members = vec![Member::Constants(constants)];
    members.extend(aliases);
    members.extend(enum_members(class, primitive, shape_of(kinds, shape), of));
    Class { doc: doc.to_owned(), head: format!("public enum {class}"), members }
}

fn enum_members(class: &str, primitive: &str, shape: Member, of: Vec<Line>) -> [Member; 5] {
    let unknown = make("IllegalStateException", vec![string("a number that the schema has no name for")]);
    [
        shape,
        tree::field(format!("private final {primitive} value"), None),
        method("", format!("{class}({primitive} value)"), vec![Line::Assign(this("value"), "=", name("value"))]),
        method(
            "The number that stands for it.",
            format!("public {primitive} value()"),
            vec![
                Line::If(binary(name("this"), "==", name("UNRECOGNIZED")), vec![Line::Throw(unknown)], Vec::new()),
                Line::Return(this("value")),
            ],
        ),
        method("The first name of a number.", format!("public static {class} of({primitive} value)"), of),
    ]
}

/// A file of flags: constants with their bits.
pub(crate) fn flags(kinds: &Kinds<'_>, id: TypeId, doc: &str, shape: Expr) -> Class {
    let class = kinds.names.of(id);
    let primitive = kinds.primitive(&Type::Named(id)).unwrap_or("long");
    let mut scope = Scope::new(["SHAPE", "Json"], ());
    let mut members = vec![shape_of(kinds, shape)];
    for flag in &kinds.flags_of(id).values {
        let bits = match primitive {
            "long" => Expr::Long(i128::from(flag.mask as i64)),
            _ => int(flag.mask),
        };
        let own = fresh(&mut scope, &flag.name, &WORDS);
        let head = format!("public static final {primitive} {own}");
        members.push(Member::Field { doc: flag.doc.clone(), head, value: Some(bits) });
    }
    members.push(method("", format!("private {class}()"), Vec::new()));
    Class { doc: doc.to_owned(), head: format!("public final class {class}"), members }
}

/// A file of a union: an interface, each of whose arms is a record.
pub(crate) fn union(kinds: &Kinds<'_>, id: TypeId, doc: &str, shape: Expr) -> Class {
    let own = kinds.names.of(id);
    let mut members = vec![tree::field("Shape SHAPE", Some(shape))];
    let shape = vec![Line::Return(name("SHAPE"))];
    members.push(method("", "@Override default Shape shape()", shape));
    let arms = || kinds.union_of(id).arms.iter().zip(kinds.names.fields(id));
    for (arm, class) in arms() {
        let (held, value) = match &arm.field.ty {
            Type::Void => (String::new(), name("null")),
            ty => (format!("{} value", kinds.local(ty)), name("value")),
        };
        let head = format!("record {class}({held}) implements {own}");
        members.push(arm_class(&arm.field.doc, head, int(arm.tag), value));
    }
    let newer = "An arm of a newer schema, whose value is not known.";
    members.push(arm_class(newer, format!("record Unknown(int tag) implements {own}"), name("tag"), name("null")));
    let arms = arms().map(|(arm, class)| {
        let held = match &arm.field.ty {
            Type::Void => Vec::new(),
            ty => vec![cast(kinds.class(ty), name("held"))],
        };
        (int(arm.tag), vec![Line::Return(make(class.as_str(), held))])
    });
    let other = vec![Line::Return(make("Unknown", vec![name("tag")]))];
    let of = vec![Line::Switch(name("tag"), arms.collect(), other)];
    let unchecked = kinds.union_of(id).arms.iter().any(|arm| kinds.class(&arm.field.ty).contains('<'));
    let suppress = if unchecked { "@SuppressWarnings(\"unchecked\") " } else { "" };
    members.push(method(
        "The arm with that tag, and what it holds.",
        format!("{suppress}static {own} of(int tag, Object held)"),
        of,
    ));
    Class { doc: doc.to_owned(), head: format!("public sealed interface {own} extends Choice"), members }
}

fn arm_class(doc: &str, head: String, tag: Expr, held: Expr) -> Member {
    let mut members = vec![method("", "@Override public Object held()", vec![Line::Return(held)])];
    if tag != name("tag") {
        members.push(method("", "@Override public int tag()", vec![Line::Return(tag)]));
    }
    Member::Nested(Class { doc: doc.to_owned(), head, members })
}
