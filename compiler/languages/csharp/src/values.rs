//! The classes of values: properties, fields by their index, enums and flags.

use crate::names::member as fresh;
use crate::syntax::SHARED;
use aldis_classes::kinds::Kinds;
use aldis_classes::tree::{
    binary, call, cast, field, int, make, member, method, name, run, string, Class, Expr, Line, Member,
};
use aldis_classes::values::{bit, bits, default_of, has_bit, is_absent, is_flat, put};
use aldis_emit::names::Scope;
use aldis_routine::Module;
use aldis_schema::{Arm, Field, Type, TypeId, TypeKind};

pub(crate) fn is_reference(kinds: &Kinds<'_>, ty: &Type) -> bool {
    match ty.required() {
        Type::Decimal | Type::Uuid => false,
        Type::Named(id) if kinds.is_union(*id) => false,
        ty => kinds.primitive(ty).is_none(),
    }
}

/// A type as users see it: what may be null says so, and enums are called by their names.
pub(crate) fn shown(kinds: &Kinds<'_>, ty: &Type) -> String {
    if let Type::Optional(inner) = ty {
        return format!("{}?", shown(kinds, inner));
    }
    match ty {
        Type::Void => "object".to_owned(),
        Type::Named(id) => kinds.type_of(*id),
        Type::List(element) | Type::Array { element, .. } => match kinds.array(element) {
            Some(primitive) => format!("{primitive}[]"),
            None => format!("List<{}>", inside(kinds, element)),
        },
        Type::Set(element) => format!("SortedSet<{}>", inside(kinds, element)),
        Type::Map { key, value, .. } => format!("SortedDictionary<{}, {}>", inside(kinds, key), inside(kinds, value)),
        ty => kinds.class(ty),
    }
}

/// The same of elements: numbers lie in collections as what they are stored as.
fn inside(kinds: &Kinds<'_>, ty: &Type) -> String {
    match (kinds.primitive(ty), ty) {
        (Some(_), ty) => kinds.class(ty),
        (None, ty) => shown(kinds, ty),
    }
}

/// The type of what holds a field's value.
fn stored(kinds: &Kinds<'_>, ty: &Type) -> String {
    match (kinds.primitive(ty), is_reference(kinds, ty)) {
        (Some(primitive), _) => primitive.to_owned(),
        (None, true) => format!("{}?", shown(kinds, ty.required())),
        (None, false) => kinds.local(ty),
    }
}

fn definition_of(kinds: &Kinds<'_>, shape: Expr) -> Member {
    field(format!("{} static readonly Shape Definition", kinds.names.access(SHARED, "internal")), Some(shape))
}

/// The shape of a type. That of one which names types of other packages is made, and so these are checked, before the type is used.
fn definition(kinds: &Kinds<'_>, id: TypeId, shape: Expr) -> Vec<Member> {
    let early =
        kinds.names.links(id).next().map(|_| method("", format!("static {}()", kinds.names.of(id)), Vec::new()));
    [definition_of(kinds, shape)].into_iter().chain(early).collect()
}

/// The members of a value's class but for its codecs.
pub(crate) fn members(
    kinds: &Kinds<'_>,
    module: &Module,
    id: TypeId,
    shape: Expr,
    properties: &[String],
) -> Vec<Member> {
    let class = kinds.names.of(id);
    let record = module.schema.record(id);
    let names = kinds.names.fields(id);
    let mut members = definition(kinds, id, shape);
    if !record.keys.is_empty() {
        let order = Some(call(name("Definition"), format!("Order<{class}>"), Vec::new()));
        let doc = "The order of keys.".to_owned();
        let head = format!("public static readonly IComparer<{class}> ByKey");
        members.push(Member::Field { doc, head, value: order });
    }
    let is_flat = is_flat(kinds, id);
    for (of, own) in record.fields.iter().zip(names) {
        let access = if is_flat { kinds.names.access(SHARED, "internal") } else { "internal" };
        members.push(field(format!("{access} {} {own}", stored(kinds, &of.ty)), None));
    }
    for first in (0..bits(kinds, module, id)).step_by(64) {
        members.push(field(format!("internal long {}", bit(kinds, first).0), None));
    }
    let defaults = (0..names.len()).flat_map(|index| {
        let val = default_of(kinds, module, id, index);
        put(kinds, module, (id, index), "this", (val, true))
    });
    members.push(method("A value with the defaults of the schema.", format!("public {class}()"), defaults.collect()));
    members.push(method("", format!("internal {class}(bool empty)"), Vec::new()));
    for (index, of) in record.fields.iter().enumerate().filter(|(_, of)| of.ty != Type::Void) {
        members.push(property(kinds, module, (id, index, of), &properties[index]));
    }
    members.extend(generic(kinds, module, id));
    members
}

/// A property, which gets and sets what holds its value.
fn property(kinds: &Kinds<'_>, module: &Module, (id, index, of): (TypeId, usize, &Field), property: &str) -> Member {
    let own = || name(kinds.names.fields(id)[index].as_str());
    let value = || name("value");
    let put = |value: Expr| Line::Assign(own(), "=", value);
    let has_bit = has_bit(kinds, module, id, index);
    let nullable = of.nullable() || matches!(of.ty, Type::Optional(_));
    let plain = shown(kinds, of.ty.required());
    let ty = if nullable { format!("{plain}?") } else { plain.clone() };
    let (word, mask) = bit(kinds, index);
    let absent = || is_absent(kinds, name("this"), index);
    let note = Line::Assign(name(word.as_str()), "|=", mask.clone());
    let clear = Line::Assign(name(word), "&=", Expr::Flip(Box::new(mask)));
    let (get, set) = match kinds.primitive(&of.ty) {
        Some(primitive) => {
            let is_named = plain != primitive;
            let typed = |expr: Expr, ty: &str| if is_named { cast(ty, expr) } else { expr };
            let get = match nullable && has_bit {
                true => Expr::Choose(Box::new(absent()), Box::new(name("null")), Box::new(cast(ty.as_str(), own()))),
                false => typed(own(), &ty),
            };
            let given = if nullable { call(value(), "getValueOrDefault", Vec::new()) } else { value() };
            let mut lines = vec![put(typed(given, primitive))];
            lines.extend(has_bit.then_some(clear));
            let test = binary(value(), "==", name("null"));
            (get, if nullable { vec![Line::If(test, vec![note], lines)] } else { lines })
        }
        None if nullable => (own(), vec![put(value())]),
        None if is_reference(kinds, &of.ty) => {
            let given = name("value ?? throw new ArgumentNullException(nameof(value))");
            (name(format!("{}!", kinds.names.fields(id)[index])), vec![put(given)])
        }
        None => (call(own(), "getValueOrDefault", Vec::new()), vec![put(value())]),
    };
    let head = format!("public {ty} {property}");
    Member::Property { doc: of.doc.clone(), head, front: "", get: vec![Line::Return(get)], set }
}

/// Fields by their index, for what is the same for all values: JSON, equality, copies.
fn generic(kinds: &Kinds<'_>, module: &Module, id: TypeId) -> Vec<Member> {
    let class = kinds.names.of(id);
    let record = module.schema.record(id);
    let mut gets = Vec::new();
    let mut sets = Vec::new();
    for (index, (of, own)) in record.fields.iter().zip(kinds.names.fields(id)).enumerate() {
        let own = || name(own.as_str());
        let put = |value: Expr| Line::Assign(own(), "=", value);
        let given = || cast(stored(kinds, &of.ty), name("value"));
        let (get, set) = match (kinds.primitive(&of.ty), has_bit(kinds, module, id, index)) {
            (Some(primitive), true) => {
                let absent = is_absent(kinds, name("this"), index);
                let get = Expr::Choose(Box::new(absent), Box::new(name("null")), Box::new(cast("object?", own())));
                let (word, mask) = bit(kinds, index);
                let note = Line::Assign(name(word.as_str()), "|=", mask.clone());
                let clear = Line::Assign(name(word), "&=", Expr::Flip(Box::new(mask)));
                let there = vec![put(cast(primitive, name("value"))), clear];
                (get, Line::If(binary(name("value"), "==", name("null")), vec![note], there))
            }
            (Some(primitive), false) => (own(), put(cast(primitive, name("value!")))),
            (None, _) => (own(), put(given())),
        };
        gets.push((int(index as i128), vec![Line::Return(get)]));
        sets.push((int(index as i128), vec![set]));
    }
    let none = vec![Line::Throw(make("IndexOutOfRangeException", Vec::new()))];
    let switch = |arms: Vec<(Expr, Vec<Line>)>| match arms.is_empty() {
        true => none.clone(),
        false => vec![Line::Switch(name("field"), arms, none.clone())],
    };
    vec![
        method("", "protected override object? Get(int field)", switch(gets)),
        method("", "protected override void Set(int field, object? value)", switch(sets)),
        method("", "protected override Shape Layout()", vec![Line::Return(name("Definition"))]),
        method(
            "A copy of all of it.",
            format!("public {class} Clone()"),
            vec![Line::Return(cast(class, run("copied", Vec::new())))],
        ),
        method(
            "Gives all fields the values that they have in a new object.",
            "public void Clear()",
            vec![Line::Do(run("take", vec![make(class, Vec::new())]))],
        ),
    ]
}

/// A union: a struct of an arm's number and the value that it holds, with what makes each arm and what gets it.
pub(crate) fn union(kinds: &Kinds<'_>, id: TypeId, doc: &str, shape: Expr) -> Class {
    let class = kinds.names.of(id);
    // A method called Main is taken for where a program starts.
    let words = ["Main", "Arm", "Which", "Tag", "Held", "Of", "Definition", "Value", "Choice", "Json", class];
    let taken: Vec<&str> = words.into_iter().chain(crate::names::MEMBERS.split(' ')).collect();
    let mut scope = Scope::new(taken.iter().copied(), ());
    let mut constants = Vec::new();
    let mut arms = Vec::new();
    for (arm, own) in kinds.union_of(id).arms.iter().zip(kinds.names.fields(id)) {
        let made = fresh(&mut scope, &taken, own);
        constants.push((arm.field.doc.clone(), made.clone(), vec![int(arm.tag)]));
        arms.extend(of_arm(kinds, id, (arm, &made), |wanted| fresh(&mut scope, &taken, wanted)));
    }
    let mut members = definition(kinds, id, shape);
    members.push(field("private readonly Held held", None));
    members.extend(of_all_arms(kinds, id));
    let members_of = vec![Member::Constants(constants)];
    let doc_of = "The arms of the union.".to_owned();
    members.push(Member::Nested(Class { doc: doc_of, head: "public enum Arm".to_owned(), members: members_of }));
    members.extend(arms);
    let head = format!("public readonly partial struct {class} : IChoice, IEquatable<{class}>");
    Class { doc: doc.to_owned(), head, members }
}

/// The methods of an arm: one makes a union of its value, one gets the value.
fn of_arm(
    kinds: &Kinds<'_>,
    id: TypeId,
    (arm, made): (&Arm, &str),
    mut fresh: impl FnMut(&str) -> String,
) -> Vec<Member> {
    let class = kinds.names.of(id);
    let ty = &arm.field.ty;
    let shown = shown(kinds, ty);
    let nullable = if matches!(ty, Type::Optional(_)) || is_reference(kinds, ty) { "?" } else { "" };
    let public = format!("{}{nullable}", shown.trim_end_matches('?'));
    let primitive = kinds.primitive(ty);
    let is_named = |primitive: &str| primitive != public;
    let given = match primitive {
        _ if *ty == Type::Void => cast("object?", name("null")),
        Some(primitive) if is_named(primitive) => cast(primitive, name("value")),
        Some(_) => name("value"),
        None => cast("object?", name("value")),
    };
    let params = if *ty == Type::Void { String::new() } else { format!("{public} value") };
    let doc = arm.field.doc.as_str();
    let make = method(
        doc,
        format!("public static {class} {made}({params})"),
        vec![Line::Return(run("of", vec![int(arm.tag), given]))],
    );
    if *ty == Type::Void {
        return vec![make];
    }
    let held = call(name("held"), "holding", vec![int(arm.tag)]);
    let value = match primitive {
        Some(primitive) if is_named(primitive) => cast(public.as_str(), call(held, primitive, Vec::new())),
        Some(primitive) => call(held, primitive, Vec::new()),
        None => cast(public.as_str(), call(held, "object", Vec::new())),
    };
    let got = fresh(&format!("As{made}"));
    let doc = format!("The value of {made}; throws InvalidOperationException where another arm is held.");
    vec![make, method(doc, format!("public {public} {got}()"), vec![Line::Return(value)])]
}

/// The members that every union has. Numbers have no box: for each kind of them there is a method that makes an arm of it.
fn of_all_arms(kinds: &Kinds<'_>, id: TypeId) -> Vec<Member> {
    let class = kinds.names.of(id);
    let shared = kinds.names.access(SHARED, "internal");
    let arms = &kinds.union_of(id).arms;
    let mut given: Vec<&str> = arms.iter().filter_map(|arm| kinds.primitive(&arm.field.ty)).collect();
    given.sort_unstable();
    given.dedup();
    let made = |ty: &str| {
        let held = run("Held.of", ["tag", "value"].map(name).into());
        let head = format!("{shared} static {class} Of(int tag, {ty} value)");
        method("", head, vec![Line::Return(make(class, vec![held]))])
    };
    let property = |doc: &str, head: String, value: Expr| Member::Property {
        doc: doc.to_owned(),
        head,
        front: "",
        get: vec![Line::Return(value)],
        set: Vec::new(),
    };
    let tag = || member(name("held"), "tag");
    let object = call(name("held"), "object", Vec::new());
    let first = arms.iter().find(|arm| arm.tag == 0).and_then(|arm| kinds.primitive(&arm.field.ty));
    // A union that nobody made, which is all zeros, has the first arm, whose number is zero.
    let object = match first {
        Some(first) => {
            let number = cast("object?", call(name("held"), first, Vec::new()));
            Expr::Choose(Box::new(binary(tag(), "==", int(0))), Box::new(number), Box::new(object))
        }
        None => object,
    };
    let same = run("Choice.same", vec![name("Definition"), name("held"), member(name("other"), "held".to_owned())]);
    let equal = |own: &str| binary(name("other"), "is", name(own.to_owned()));
    let of_object = binary(equal(&format!("{class} same")), "&&", run("equals", vec![name("same")]));
    let operator = |sign: &str, value: Expr| {
        method("", format!("public static bool operator {sign}({class} one, {class} other)"), vec![Line::Return(value)])
    };
    let equals = || call(name("one"), "equals", vec![name("other")]);
    let mut members = vec![field_constructor(class), made("object?")];
    members.extend(given.into_iter().map(made));
    members.extend([
        property("The number of the arm; a newer schema may have more.", "public int Tag".to_owned(), tag()),
        property("", format!("{shared} Held Value"), name("held")),
        method("", "object? IChoice.Object()", vec![Line::Return(object)]),
        method("The arm that it holds.", "public Arm Which()", vec![Line::Return(cast("Arm", name("Tag")))]),
        method("", format!("public bool Equals({class} other)"), vec![Line::Return(same)]),
        method("", "public override bool Equals(object? other)", vec![Line::Return(of_object)]),
        operator("==", equals()),
        operator("!=", aldis_classes::tree::not(equals())),
    ]);
    let of_definition = |head: &str, function: &'static str, own: &str| {
        method("", head, vec![Line::Return(run(function, ["Definition", own].map(name).into()))])
    };
    members.push(of_definition("public override int GetHashCode()", "Choice.hash", "held"));
    members.push(of_definition("public override string ToString()", "Choice.show", "this"));
    members
}

fn field_constructor(class: &str) -> Member {
    let put = Line::Assign(member(name("this"), "held".to_owned()), "=", name("held"));
    method("", format!("private {class}(Held held)"), vec![put])
}

/// An enum or flags, and beside it a class of what is known of its numbers.
pub(crate) fn numbers(kinds: &Kinds<'_>, id: TypeId, doc: &str, shape: Expr) -> [Class; 2] {
    let class = kinds.names.of(id);
    let own = kinds.primitive(&Type::Named(id)).unwrap_or("int");
    let underlying = if own == "bool" { "byte" } else { own };
    let (attribute, values): (&str, Vec<(&str, &str, i128)>) = match &kinds.schema.type_def(id).kind {
        TypeKind::Flags(flags) => {
            let values = flags.values.iter().map(|flag| (flag.name.as_str(), flag.doc.as_str(), i128::from(flag.mask)));
            ("[Flags] ", values.collect())
        }
        _ => {
            let values = kinds.enum_of(id).values.iter();
            ("", values.map(|value| (value.name.as_str(), value.doc.as_str(), value.value)).collect())
        }
    };
    let mut scope = Scope::new([], ());
    let mut constants = Vec::new();
    let mut arms: Vec<(Expr, Vec<Line>)> = Vec::new();
    let mut known: Vec<i128> = Vec::new();
    for (spelt, doc, value) in values {
        let constant = fresh(&mut scope, &[], spelt);
        if !known.contains(&value) {
            known.push(value);
            arms.push((name(format!("{class}.{constant}")), vec![Line::Return(string(spelt))]));
        }
        constants.push((doc.to_owned(), constant, vec![int(value)]));
    }
    let none = vec![Line::Return(name("null"))];
    let to_name = match arms.is_empty() {
        true => none,
        false => vec![Line::Switch(name("value"), arms, none)],
    };
    let members = if constants.is_empty() { Vec::new() } else { vec![Member::Constants(constants)] };
    let head = format!("{attribute}public enum {class} : {underlying}");
    let beside = vec![
        definition_of(kinds, shape),
        method(
            "The name of a number in the schema, or null where it has none.",
            format!("public static string? ToName(this {class} value)"),
            to_name,
        ),
    ];
    let doc_beside = format!("What the schema says of the numbers of {class}.");
    [
        Class { doc: doc.to_owned(), head, members },
        Class { doc: doc_beside, head: format!("public static class {class}Extensions"), members: beside },
    ]
}
