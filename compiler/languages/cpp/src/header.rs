//! The header value: what a message's header holds beside the numbers about the message.

use crate::code::{block, code, function, quoted, stmt, var, when, Code, Stmt};
use crate::gen::{Gen, Wire};
use crate::parameter::{input, limits, parameter};
use crate::scope::offset;
use aldis_plan::{HeaderValue, Message};

/// `header_of`, `put_header`, and `encode` with a header value.
pub(crate) fn functions(gen: &Gen<'_>, wire: &Wire<'_>, header: &HeaderValue) -> Vec<Stmt> {
    let name = gen.names.of(header.record);
    let value = parameter(code!("const {name}&"), "header");
    let mut parts = vec![
        stmt!("/// The header value of a message; no more of it is read. `verify` gives its view."),
        function(
            code!("inline aldis::result<{name}> header_of"),
            &[input(), limits()],
            vec![stmt!("return decode<{name}>(in, most);")],
        ),
        Stmt::Blank,
        stmt!("/// Puts a header value into the bytes of a message, whatever it has there; gives the header's size."),
        function(
            code!("inline aldis::result<std::size_t> put_header"),
            &[parameter("std::span<std::byte>", "in"), value.clone(), limits()],
            put(header),
        ),
        Stmt::Blank,
    ];
    let head = code!("template <{}::message T>\ninline aldis::result", wire.namespace);
    let message = parameter("const T&", "value");
    let ways = [
        (code!("std::span<std::byte>"), code!("std::size_t"), code!("out")),
        (code!("aldis::buffer&"), code!("std::span<const std::byte>"), code!("out.written()")),
    ];
    for (out, gives, bytes) in ways {
        parts.push(stmt!("/// Writes a message with its header value."));
        parts.push(function(
            code!("{head}<{gives}> encode"),
            &[message.clone(), value.clone(), parameter(out, "out"), limits()],
            vec![
                stmt!("auto made = encode(value, out, most);"),
                block(
                    code!("if (made)"),
                    vec![when(
                        code!("const auto put = put_header({bytes}, header, most); !put"),
                        vec![stmt!("return put.error();")],
                    )],
                ),
                stmt!("return made;"),
            ],
        ));
        parts.push(Stmt::Blank);
    }
    parts
}

/// The head with the value's bytes goes into a message but for the registers.
fn put(header: &HeaderValue) -> Vec<Stmt> {
    let mut body = vec![
        stmt!("std::array<std::byte, {}> given;", header.size),
        when(code!("const auto made = encode(header, given, most); !made"), vec![stmt!("return made.error();")]),
        when(code!("in.size() < given.size()"), vec![stmt!("return aldis::error{{aldis::code::truncated, 0, {{}}}};")]),
    ];
    body.extend(header.given.iter().map(|given| {
        let [to, from] = [code!("in.data()"), code!("given.data()")].map(|start| offset(&start, given.at));
        stmt!("std::memcpy({to}, {from}, {});", given.size)
    }));
    body.push(stmt!("return given.size();"));
    body
}

/// The most bytes that a message may have where its head says how long its frame is, and there is less than there is of
/// any message.
pub(crate) fn longest(wire: &Wire<'_>, message: &Message) -> Option<u64> {
    let (length, plus) = wire.plan.frame_length()?;
    let most = if message.envelope.head.size == 0 { u64::MAX } else { u64::MAX >> (64 - u32::from(length.bits)) };
    Some(most.saturating_add_signed(-plus))
}

/// For the testee: what keeps the header value of `in` in a message that was encoded from it.
pub(crate) fn kept(gen: &Gen<'_>, wire: &Wire<'_>) -> Option<Stmt> {
    let header = wire.plan.header.as_ref()?;
    let namespace = &gen.names.namespace;
    let ty = gen.names.qualified(header.record);
    let form = quoted(&wire.plan.form.name);
    let refused = |call: Code, name: Code| {
        vec![
            stmt!("const auto {name} = {namespace}::{call};"),
            when(code!("!{name}"), vec![stmt!("return {name}.error();")]),
        ]
    };
    let mut body = refused(code!("header_of(in)"), var("header"));
    body.extend(refused(code!("put_header(out.written(), *header)"), var("put")));
    let inner = when(code!("made && from == {form}"), body);
    Some(block(code!("if constexpr (!std::is_same_v<T, {ty}>)"), vec![inner]))
}
