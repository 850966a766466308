//! `NAME_stream.hpp`: how each form's messages travel in streams, which of them bytes are, and what answers requests.

use crate::code::{block, code, definition, function, listed, stmt, when, Code, Stmt, ToCode};
use crate::gen::{Gen, Hold, Wire};
use crate::message::meanings;
use crate::names::Site;
use crate::parameter::{input, limits, parameter};
use aldis_diagnostics::Diagnostic;
use aldis_emit::Request;
use aldis_schema::{Type, TypeId, TypeKind};

/// Names that the header has for every form, to which a form adds its suffix.
pub(crate) const NAMES: [&str; 3] = ["registry", "sender", "receiver"];

impl Gen<'_> {
    /// `proto_stream.hpp`; none where there are no messages. With it come warnings of requests that cannot be answered.
    pub fn stream_header(&self, request: &Request<'_>) -> Option<(String, Vec<Diagnostic>)> {
        if self.schema.messages.is_empty() {
            return None;
        }
        let mut parts: Vec<Stmt> = self.wires.iter().flat_map(|wire| registry(self, wire)).collect();
        let (requests, diagnostics) = Correlation::of(self);
        parts.extend(requests.statements(self));
        Some((self.header_beside(request, ("stream", "stream"), parts.into_iter()), diagnostics))
    }
}

/// The parts of a sender and a receiver of one form, and those two.
fn registry(gen: &Gen<'_>, wire: &Wire<'_>) -> Vec<Stmt> {
    let form = &wire.plan.form.name;
    let [registry, sender, receiver] = NAMES.map(|name| wire.function(name));
    let mut body = Vec::new();
    if let Some((how, value)) = framing(wire) {
        body.push(stmt!("/// {how}"));
        body.push(stmt!("static constexpr aldis::framing framing = {value};"));
        body.push(Stmt::Blank);
    }
    body.push(forwarded(gen, wire, "encode", "value, out", "const T& value, std::span<std::byte> out"));
    body.push(Stmt::Blank);
    let dispatched = wire.plan.dispatch.is_some();
    if dispatched {
        body.extend(dispatch(gen, wire));
    } else {
        body.push(forwarded(gen, wire, "decode", "in, value", "std::span<const std::byte> in, T& value"));
    }
    let and_which = if dispatched { ", and which one bytes are" } else { "" };
    let mut parts = vec![
        stmt!("/// The messages of form {form}: how they lie in a stream{and_which}."),
        definition(code!("struct {registry}"), body),
        Stmt::Blank,
        stmt!("/// Puts messages of form {form} into a stream."),
        stmt!("using {sender} = aldis::sender<{registry}>;"),
        Stmt::Blank,
    ];
    if dispatched {
        parts.push(stmt!("/// Gives the messages of form {form} out of a stream to a visitor."));
        parts.push(stmt!("using {receiver} = aldis::receiver<{registry}>;"));
    } else {
        parts.push(stmt!("/// Gives the messages of form {form} out of a stream of messages of type T to a visitor."));
        parts.push(stmt!("template <class T>"));
        parts.push(stmt!("using {receiver} = aldis::receiver<aldis::only<{registry}, T>>;"));
    }
    parts.push(Stmt::Blank);
    parts
}

/// How messages lie in a stream where they say themselves how long they are.
fn framing(wire: &Wire<'_>) -> Option<(&'static str, Code)> {
    if let Some(own) = &wire.plan.form.framing {
        let (at, bits, order) = (own.length.at, own.length.bits, wire.order());
        let value = code!("aldis::framing::length<std::uint{bits}_t>({at}, {order}, {})", own.min);
        return Some(("Each message holds its own length.", value));
    }
    let segments = wire.segments().filter(|segments| segments.table)?;
    Some(match segments.packed {
        true => ("Each message begins with the table of its segments, packed.", code!("aldis::framing::capnp_packed")),
        false => ("Each message begins with the table of its segments.", code!("aldis::framing::capnp")),
    })
}

/// A function that calls one of the schema's, for the types that this takes.
fn forwarded(gen: &Gen<'_>, wire: &Wire<'_>, verb: &str, names: &str, parameters: &str) -> Stmt {
    let call = code!("::{}::{}({names}, most)", gen.names.namespace, wire.function(verb));
    let head = code!(
        "template <class T>\nstatic auto {verb}({parameters}, const aldis::limits& most)\n    -> decltype({call})"
    );
    block(head, vec![stmt!("return {call};")])
}

/// The values that messages are decoded into, and the function that finds out which one bytes are.
fn dispatch(gen: &Gen<'_>, wire: &Wire<'_>) -> Vec<Stmt> {
    let first = gen.wires.iter().find(|wire| wire.plan.dispatch.is_some()).unwrap_or(wire);
    let is_first = first.namespace == wire.namespace;
    let before = (!is_first).then(|| code!("{}::", first.function(NAMES[0])));
    let decode = code!("[&](auto& value) {{ return {}(in, value, most); }}", wire.function("decode"));
    let body = vec![
        stmt!("const auto which = {}(in);", wire.function("identify")),
        when(code!("!which"), vec![stmt!("return which;")]),
        stmt!("const auto visited = {before}visit(*which, into, visitor, {decode});"),
        when(code!("!visited"), vec![stmt!("return visited.error();")]),
        stmt!("return which;"),
    ];
    let parameters = [input(), parameter("messages&", "into"), parameter("Visitor&&", "visitor"), limits()];
    let mut parts = if is_first { values(gen) } else { vec![stmt!("using messages = {before}messages;")] };
    parts.extend([
        Stmt::Blank,
        stmt!("/// Decodes the message that the bytes are into its value of `into` and calls `visitor` with it. Gives which"),
        stmt!("/// message it is; one that `visitor` has no overload for is not decoded."),
        function(
            code!("template <class Visitor>\n    requires(messages::visited_by<Visitor>)\nstatic aldis::result<message_id> dispatch"),
            &parameters,
            body,
        ),
    ]);
    parts
}

/// The values of all messages, and the function that calls a visitor with one of them.
fn values(gen: &Gen<'_>) -> Vec<Stmt> {
    let meanings = meanings(gen).into_iter();
    let known: Vec<(&str, Code)> =
        meanings.map(|(_, record)| (gen.names.label(record), gen.reference(record).to_code())).collect();
    let mut cases: Vec<Stmt> = known
        .iter()
        .map(|(label, name)| stmt!("case message_id::{label}: return into.visit<{name}>(visitor, read);"))
        .collect();
    let known: Vec<&Code> = known.iter().map(|(_, name)| name).collect();
    cases.push(stmt!("default: return {{}};"));
    vec![
        stmt!("/// A value of each message, made when the first of its kind comes and used again."),
        stmt!("using messages = aldis::message_values<{}>;", listed(known)),
        Stmt::Blank,
        stmt!("/// Has `read` fill the value of `into` that is of that message, and calls `visitor` with it."),
        block(
            code!("template <class Visitor, class Read>\nstatic aldis::result<void> visit(message_id which, messages& into, \
             Visitor& visitor, const Read& read)"),
            vec![block(code!("switch (which)"), cases)],
        ),
    ]
}

/// The requests of a schema whose answers can be told from one another: they and their answers have ids of one type.
#[derive(Default)]
struct Correlation {
    /// The type of ids.
    id: Option<Type>,
    /// Each request with what answers it.
    requests: Vec<(TypeId, Vec<TypeId>)>,
    /// Each message that has an id, and its field.
    fields: Vec<(TypeId, usize)>,
}

impl Correlation {
    fn of(gen: &Gen<'_>) -> (Self, Vec<Diagnostic>) {
        let mut found = Self::default();
        let mut diagnostics = Vec::new();
        for id in gen.records() {
            let Some(request) = &gen.schema.record(id).request else { continue };
            let answers: Vec<TypeId> = request.response.iter().chain(&request.rejects).copied().collect();
            if answers.is_empty() {
                continue;
            }
            if let Err(problem) = found.add(gen, id, answers) {
                let def = gen.schema.type_def(id);
                let message = format!("answers to `{}` cannot be told from one another", def.name.full());
                let warning = Diagnostic::warning(crate::codes::ANSWERS, message, def.span, problem);
                diagnostics
                    .push(warning.help("mark one field of the request and of each answer as `[id]`, all of one type"));
            }
        }
        (found, diagnostics)
    }

    fn add(&mut self, gen: &Gen<'_>, request: TypeId, answers: Vec<TypeId>) -> Result<(), String> {
        let mut fields = Vec::new();
        let mut id = self.id.clone();
        for &message in [request].iter().chain(&answers) {
            let name = gen.schema.type_def(message).name.full();
            let field = id_field(gen, message).ok_or_else(|| format!("`{name}` has no id of its own type"))?;
            let ty = gen.field(message, field).ty.required();
            if *id.get_or_insert_with(|| ty.clone()) != *ty {
                return Err(format!("the id of `{name}` is of another type than those before it"));
            }
            fields.push((message, field));
        }
        fields.retain(|field| !self.fields.contains(field));
        self.id = id;
        self.fields.extend(fields);
        self.requests.push((request, answers));
        Ok(())
    }

    fn statements(&self, gen: &Gen<'_>) -> Vec<Stmt> {
        let mut parts = Vec::new();
        let Some(id) = &self.id else { return parts };
        let id = gen.cpp_type(id, Site::Namespace);
        for (message, field) in &self.fields {
            let (name, member) = (gen.reference(*message), gen.names.member(*message, *field));
            let head = code!("inline const {id}& correlation_id(const {name}& message) noexcept");
            parts.push(stmt!("/// The key by which its answers, or the request that it answers, are found."));
            parts.push(block(head, vec![stmt!("return message.{member};")]));
            parts.push(Stmt::Blank);
        }
        let mut all: Vec<String> = Vec::new();
        for (request, answers) in &self.requests {
            let names: Vec<String> = answers.iter().map(|answer| gen.reference(*answer)).collect();
            parts.push(stmt!("/// The messages that answer `{}`.", gen.schema.type_def(*request).name.full()));
            parts.push(stmt!("aldis::answers<{}> answers_of(const {}&);", listed(&names), gen.reference(*request)));
            parts.push(Stmt::Blank);
            names.into_iter().for_each(|name| {
                if !all.contains(&name) {
                    all.push(name);
                }
            });
        }
        parts.push(stmt!("/// Requests that wait for their answers."));
        parts.push(stmt!("using requests = aldis::requests<{id}, {}>;", listed(&all)));
        parts.push(Stmt::Blank);
        parts
    }
}

/// The field that correlates a message, where its values can be compared as they are.
fn id_field(gen: &Gen<'_>, message: TypeId) -> Option<usize> {
    let field = gen.schema.record(message).fields.iter().position(|field| field.correlation)?;
    let comparable = match &gen.field(message, field).ty {
        Type::Int(_) | Type::Timestamp | Type::Uuid | Type::Text(_) | Type::Chars { .. } | Type::Char => true,
        Type::Named(id) => matches!(gen.schema.type_def(*id).kind, TypeKind::Enum(_)),
        _ => false,
    };
    (comparable && gen.hold(message, field) == Hold::Plain).then_some(field)
}
