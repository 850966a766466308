//! Messages: what the runtime is told of each, and the functions that users call.

use super::{sections, Segments};
use crate::code::{code, definition, function, namespace, stmt, Stmt};
use crate::gen::{Gen, Wire};
use crate::message::checked;
use crate::parameter::{input, limits, parameter};
use aldis_plan::Message;

impl Segments<'_, '_> {
    /// The specialisation that describes a message.
    pub(super) fn description(&self, message: &Message) -> [Stmt; 2] {
        let name = self.gen.names.of(message.record);
        let run = sections(self.plan, message.record);
        let (data, pointers) = (run.data / super::WORD, (run.size - run.data) / super::WORD);
        let body = vec![
            stmt!("static constexpr std::uint64_t data = {data};"),
            stmt!("static constexpr std::uint64_t pointers = {pointers};"),
            checked(self.plan, message.record),
            stmt!("static constexpr auto read = read_{name};"),
            stmt!("static constexpr auto size = size_{name};"),
            stmt!("static constexpr auto write = write_{name};"),
        ];
        let head = code!("template <>\nstruct message_of<{name}>");
        [definition(head, body), Stmt::Blank]
    }
}

/// The code that the messages of all units stand on.
pub(crate) fn common(wire: &Wire<'_>) -> Vec<Stmt> {
    vec![namespace(
        &wire.namespace,
        vec![
            Stmt::Blank,
            stmt!("/// The words of a message's root, and what reads and writes it."),
            stmt!("template <class T>\nstruct message_of;"),
            Stmt::Blank,
            stmt!("/// The types that are messages."),
            stmt!("template <class T>\nconcept message = requires {{ message_of<T>::data; }};"),
            Stmt::Blank,
        ],
    )]
}

/// The runtime's name for a form.
pub(super) fn form_name(form: aldis_plan::Segments) -> &'static str {
    match form {
        _ if form.packed => "packed",
        _ if form.canonical => "canonical",
        _ => "framed",
    }
}

/// The functions of one form that users call.
pub(crate) fn functions(gen: &Gen<'_>, wire: &Wire<'_>) -> Vec<Stmt> {
    let Some(shared) = gen.segments() else { return Vec::new() };
    let form = wire.segments().map_or("framed", form_name);
    let calls = crate::message::Calls {
        concept: code!("{}::message", shared.namespace),
        namespace: "aldis::segments",
        of: code!("{}::message_of<T>, aldis::segments::{form}", shared.namespace),
    };
    let mut parts = crate::message::functions_of(wire, &calls);
    if wire.segments().is_some_and(|segments| segments.packed) {
        let parameters = [input(), parameter("T&", "value"), parameter("aldis::buffer&", "room"), limits()];
        let body = code!(
            "return aldis::segments::unpack_as<{}::message_of<T>>(in, value, room, {{}}, most);",
            shared.namespace
        );
        parts.extend([
            stmt!("/// Reads a packed message, which is unpacked to `room`, memory that is used again, and does not lie there."),
            function(
                code!("template <{}::message T>\ninline aldis::result<std::size_t> {}", shared.namespace, wire.function("decode")),
                &parameters,
                vec![Stmt::Line(body)],
            ),
            Stmt::Blank,
        ]);
    }
    parts
}
