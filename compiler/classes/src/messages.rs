//! The messages of a schema as a whole: the one that bytes are, and the program of the tests.

use crate::kinds::Kinds;
use crate::tree::{self, binary, call, cast, int, make, name, run, string, truth, Class, Expr, Line, Member};
use aldis_emit::names::capital;
use aldis_plan::{ByteOrder, Dispatch, FixedInt, Plan};
use aldis_schema::TypeId;

/// The ids of messages, each with the place of its message in the schema.
fn meanings(kinds: &Kinds<'_>) -> Vec<(u64, usize)> {
    kinds.schema.meanings().into_iter().filter_map(|(id, index)| Some((id, index?))).collect()
}

fn full(kinds: &Kinds<'_>, record: TypeId) -> String {
    kinds.schema.type_def(record).name.full()
}

/// How a language writes what is done with messages of any kind.
pub struct Style {
    /// The parameter of bytes.
    pub bytes: &'static str,
    pub text: &'static str,
    /// The class of what is thrown where nothing leads.
    pub never: &'static str,
    /// The test of a message's class.
    pub is: &'static str,
    /// The type of those who take messages.
    pub visitor: &'static str,
    /// A method of theirs, up to its name.
    pub on: &'static str,
}

/// The members of the class of the whole schema.
pub fn members<'p>(kinds: &Kinds<'_>, plans: impl Iterator<Item = &'p Plan>, style: &Style) -> Vec<Member> {
    let mut members = Vec::new();
    for plan in plans.filter(|plan| !plan.messages.is_empty()) {
        let Some(dispatch) = &plan.dispatch else { continue };
        let suffix = capital(&plan.form.suffix);
        let method = |doc: String, gives: &str, verb: &str, behind: &str, body| {
            let own = kinds.dialect.method(format!("{verb}{suffix}"));
            tree::method(doc, format!("public static {gives} {own}({}{behind})", style.bytes), body)
        };
        let doc = format!("The full name of the message that the bytes are, in form {}.", plan.form.name);
        members.push(method(doc, style.text, "identify", "", identify(kinds, plan, dispatch)));
        let doc = "The message that the bytes are, going by the id in them; throws CodecException.".to_owned();
        members.push(method(doc, "Structure", "decode", "", decode_any(kinds, &suffix, style)));
        let doc = "Gives the message that the bytes are to a visitor; throws CodecException.".to_owned();
        members.push(method(doc, "void", "dispatch", ", Visitor visitor", visit(kinds, &suffix, style)));
    }
    if !members.is_empty() {
        members.push(Member::Nested(visitor(kinds, style)));
    }
    members.extend(digest(kinds, style));
    members
}

/// The method that says what code which refers to this schema's code was made for, where there can be such code.
fn digest(kinds: &Kinds<'_>, style: &Style) -> Option<Member> {
    let digest = Some(&kinds.names.digest).filter(|digest| !digest.is_empty())?;
    let doc = "The digest of the schema and of the options: code that refers to this code asks for the one that it was made for.";
    let head = format!("public static {} {}()", style.text, kinds.dialect.method("digest".to_owned()));
    Some(tree::method(doc, head, vec![Line::Return(string(digest.as_str()))]))
}

/// The lines that give the full name of the message that `bytes` are.
fn identify(kinds: &Kinds<'_>, plan: &Plan, dispatch: &Dispatch) -> Vec<Line> {
    let number = |place: FixedInt, from: Expr| {
        let big = truth(plan.byte_order == ByteOrder::Big);
        call(name("f"), "number", vec![from, int(place.at), int(place.bits / 8), big])
    };
    let mut body = vec![Line::Declare("In".to_owned(), "f".to_owned(), Some(kinds.dialect.input(plan.container)))];
    for (place, want) in &dispatch.expect {
        let have = number(*place, int(0));
        let args = vec![have, Expr::Long(i128::from(*want as i64)), truth(true), int(place.at)];
        body.push(Line::Do(call(name("f"), "expect", args)));
    }
    let from = match dispatch.via {
        Some(via) => {
            let root = call(name("f"), "root", vec![number(via, int(0)), int(0)]);
            body.push(Line::Declare("int".to_owned(), "from".to_owned(), Some(root)));
            name("from")
        }
        None => int(0),
    };
    let id = number(dispatch.id, from.clone());
    body.push(Line::Declare("long".to_owned(), "id".to_owned(), Some(id)));
    for (value, index) in meanings(kinds) {
        let test = binary(name("id"), "==", Expr::Long(i128::from(value as i64)));
        let found = Line::Return(string(full(kinds, kinds.schema.messages[index].record)));
        body.push(Line::If(test, vec![found], Vec::new()));
    }
    let place = binary(from, "+", int(dispatch.id.at));
    body.push(Line::Throw(call(name("f"), "unknown", vec![place])));
    body
}

/// The lines that decode the message that `bytes` are; with an object of the class of what is never thrown the compiler is told that there is no other.
fn decode_any(kinds: &Kinds<'_>, suffix: &str, style: &Style) -> Vec<Line> {
    let method = |verb: &str| kinds.dialect.method(format!("{verb}{suffix}"));
    let found = run(method("identify"), vec![name("bytes")]);
    let mut body = vec![Line::Declare(style.text.to_owned(), "message".to_owned(), Some(found))];
    for (_, index) in meanings(kinds) {
        let record = kinds.schema.messages[index].record;
        let test = kinds.dialect.same_text(name("message"), string(full(kinds, record)));
        let read = run(format!("{}.{}", kinds.names.of(record), method("decode")), vec![name("bytes")]);
        body.push(Line::If(test, vec![Line::Return(read)], Vec::new()));
    }
    body.push(Line::Throw(make(style.never, vec![name("message")])));
    body
}

/// The messages that bytes can be found to be.
fn found(kinds: &Kinds<'_>) -> Vec<TypeId> {
    let known: std::collections::BTreeSet<usize> = meanings(kinds).into_iter().map(|(_, index)| index).collect();
    known.into_iter().map(|index| kinds.schema.messages[index].record).collect()
}

/// The lines that give the message that `bytes` are to a visitor.
fn visit(kinds: &Kinds<'_>, suffix: &str, style: &Style) -> Vec<Line> {
    let method = |verb: String| kinds.dialect.method(verb);
    let decoded = Some(run(method(format!("decode{suffix}")), vec![name("bytes")]));
    let mut body = vec![Line::Declare("Structure".to_owned(), "message".to_owned(), decoded)];
    for (index, record) in found(kinds).into_iter().enumerate() {
        let own = format!("own{index}");
        let is_one = binary(name("message"), style.is, name(format!("{} {own}", kinds.names.of(record))));
        let given = call(name("visitor"), method("on".to_owned()), vec![name(own)]);
        body.push(Line::If(is_one, vec![Line::Do(given)], Vec::new()));
    }
    body
}

/// The type of those who take messages as they come, each with what it does for a kind.
fn visitor(kinds: &Kinds<'_>, style: &Style) -> Class {
    let on = |record: TypeId| {
        let head =
            format!("{} {}({} message)", style.on, kinds.dialect.method("on".to_owned()), kinds.names.of(record));
        tree::method("", head, Vec::new())
    };
    let doc = "Takes messages of each kind; a method that is not written does nothing.".to_owned();
    Class { doc, head: style.visitor.to_owned(), members: found(kinds).into_iter().map(on).collect() }
}

/// The lines of a program that answers requests of the testee protocol, by an object of that class.
pub fn testee(kinds: &Kinds<'_>, plans: &[&Plan], class: &str) -> Vec<Line> {
    let schema = kinds.schema;
    let own = || name("testee");
    let made = make(class, vec![string(aldis_emit::listing(schema))]);
    let mut body = vec![Line::Declare(class.to_owned(), "testee".to_owned(), Some(made))];
    for message in &schema.messages {
        let shape = kinds.dialect.shape_of(kinds, message.record);
        body.push(Line::Do(call(own(), "message", vec![string(full(kinds, message.record)), shape])));
    }
    for plan in plans {
        let form = || string(plan.form.name.as_str());
        for message in &schema.messages {
            let names = [form(), string(full(kinds, message.record))].into_iter();
            let args = names.chain(functions(kinds, plan, message.record)).collect();
            body.push(Line::Do(call(own(), "codec", args)));
        }
        if plan.dispatch.is_some() && !plan.messages.is_empty() {
            let method = kinds.dialect.method(format!("identify{}", capital(&plan.form.suffix)));
            let identify = run(format!("{}.{method}", kinds.names.schema), vec![name("bytes")]);
            body.push(Line::Do(call(
                own(),
                "identify",
                vec![form(), Expr::Lambda("bytes".into(), Box::new(identify))],
            )));
        }
        if let Some(header) = &plan.header {
            body.push(Line::Do(call(own(), "header", vec![form(), string(full(kinds, header.record))])));
        }
    }
    body.push(Line::Do(call(own(), "answer", Vec::new())));
    body
}

/// The functions that decode a message of a form, encode it, check it and view it.
fn functions(kinds: &Kinds<'_>, plan: &Plan, record: TypeId) -> [Expr; 4] {
    let class = kinds.names.of(record);
    let method = |verb: &str| kinds.dialect.method(format!("{verb}{}", capital(&plan.form.suffix)));
    let given = || kinds.dialect.given(plan.container);
    let verify = run(format!("{class}.{}", method("verify")), vec![given()]);
    let decode = run(format!("{class}.{}", method("decode")), vec![given(), cast(class, name("into"))]);
    let value = cast(class, name("value"));
    let plain = call(value.clone(), method("encode"), Vec::new());
    let encode = match plan.header.as_ref().filter(|header| header.record != record) {
        Some(header) => {
            let head = cast(kinds.names.of(header.record), name("header"));
            let with = call(value, method("encode"), vec![head]);
            Expr::Choose(Box::new(binary(name("header"), "==", name("null"))), Box::new(plain), Box::new(with))
        }
        None => plain,
    };
    let lambda = |params: &'static str, body| Expr::Lambda(params.into(), Box::new(body));
    let view = kinds.dialect.viewed(kinds.names.view(record, &plan.form.suffix), plan.container);
    let [verify, view] = [verify, view].map(|check| lambda("bytes", check));
    [lambda("(bytes, into)", decode), lambda("(value, header)", encode), verify, view]
}
