//! The class of the requests of a schema, which the runtime's keeps until their answers come.

use crate::kinds::Kinds;
use crate::tree::{binary, call, method, name, run, truth, Class, Expr, Line, Word};
use aldis_emit::names::capital;
use aldis_emit::Requests;
use aldis_schema::TypeId;

/// How a language writes what the class has.
pub struct Style {
    /// The class, up to its name and behind it.
    pub head: [&'static str; 2],
    /// The constructor behind the class's name, and its lines.
    pub constructor: (&'static str, Vec<Line>),
    /// The type of an answer that is yet to come, up to the answer's.
    pub future: &'static str,
    /// The parameters behind the request, and what is given on of them.
    pub timeout: (&'static str, &'static [&'static str]),
    /// The runtime's method that sends, and what it is given first, by the class of the answer.
    pub send: fn(&str) -> (String, Option<Expr>),
    /// A class as a value, up to its name and behind it.
    pub class_of: [&'static str; 2],
    /// The head of the method that takes messages, and the test of a message's class.
    pub answer: (&'static str, &'static str),
}

/// The class; `id` is what a value holds in its field of that index.
pub fn class(
    kinds: &Kinds<'_>,
    style: Style,
    suffix: &str,
    requests: &Requests<'_>,
    id: impl Fn(Expr, TypeId, usize) -> Expr,
) -> Class {
    let own = kinds.names.requests.as_str();
    let dialect = kinds.dialect;
    let constructor = format!("public {own}{}", style.constructor.0);
    let doc = "Requests go out through `sender`, on the thread that sends them.";
    let mut members = vec![method(doc, constructor, style.constructor.1)];
    let field_of = |record: TypeId| requests.fields.iter().find(|(of, _)| *of == record).map_or(0, |(_, field)| *field);
    for (request, answers) in &requests.answers {
        let response = kinds.schema.record(*request).request.as_ref().and_then(|request| request.response);
        let gives = response.map_or("Structure", |response| kinds.names.of(response));
        let value = || name("request");
        let encoded = call(value(), Word::Own(dialect.method(format!("encode{}", capital(suffix)))), Vec::new());
        let class_of = |class: &str| name(format!("{}{class}{}", style.class_of[0], style.class_of[1]));
        let rejects = answers.iter().filter(|answer| Some(**answer) != response);
        let (sent, first) = (style.send)(gives);
        let args = first.into_iter().chain([encoded, id(value(), *request, field_of(*request))]);
        let args = args.chain(style.timeout.1.iter().map(|arg| name(*arg)));
        let args = args.chain(rejects.map(|reject| class_of(kinds.names.of(*reject)))).collect();
        let send = dialect.method("send".to_owned());
        let head =
            format!("public {}<{gives}> {send}({} request{})", style.future, kinds.names.of(*request), style.timeout.0);
        let doc = "Sends a request, and gives what answers it when it is there.";
        members.push(method(doc, head, vec![Line::Return(run(sent, args))]));
    }
    let message = || name("message");
    let mut lines = Vec::new();
    let all: std::collections::BTreeSet<TypeId> =
        requests.answers.iter().flat_map(|(_, answers)| answers.iter().copied()).collect();
    for (index, answer) in all.into_iter().enumerate() {
        let found = format!("own{index}");
        let test = binary(message(), style.answer.1, name(format!("{} {found}", kinds.names.of(answer))));
        let given = run("answer", vec![id(name(found), answer, field_of(answer)), message()]);
        lines.push(Line::If(test, vec![Line::Return(given)], Vec::new()));
    }
    lines.push(Line::Return(truth(false)));
    members.push(method("", style.answer.0, lines));
    let doc = "Requests that wait for their answers.".to_owned();
    Class { doc, head: format!("{}{own}{}", style.head[0], style.head[1]), members }
}
