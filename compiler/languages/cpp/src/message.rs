//! Messages: records in their envelopes, and the functions that users call.

use crate::code::{alias, block, declare, function, line, when, Stmt};
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::gen::{Gen, Wire};
use crate::names::Site;
use crate::parameter::{input, limits, parameter};
use crate::scope::{offset, Scope};
use aldis_emit::needs::takes_extent;
use aldis_emit::writes_unpaid;
use aldis_plan::{Dispatch, FixedInt, FrameCheck, Meaning, Message, Plan, RootPlace, Run, SlotKind};
use aldis_schema::TypeId;

impl Decoder<'_, '_> {
    /// `read` of a message: the envelope, then the record.
    fn message(&self, message: &Message) -> Stmt {
        let name = self.gen.names.of(message.record);
        let extent = if takes_extent(self.wire.plan, message.record) { ", extent" } else { "" };
        let read =
            |at: &str| vec![alias("const std::byte* const", "end", format!("read_{name}(in, {at}{extent}, value)"))];
        let parameters = [parameter("auto&", "in"), parameter(format!("{name}&"), "value")];
        function(
            "[[nodiscard, gnu::always_inline]] static const std::byte* read",
            &parameters,
            self.message_body(message, &read),
        )
    }

    /// Goes through a message's envelope; `read` makes the statements that go through the record at a place and declare
    /// its `end`.
    pub fn message_body(&self, message: &Message, read: &dyn Fn(&str) -> Vec<Stmt>) -> Vec<Stmt> {
        let head = &message.envelope.head;
        let scope = Scope::new("in", "nullptr");
        let mut body = vec![alias("const std::byte* const", "head", "in.begin()")];
        body.push(self.head_fits(head, "head", &scope));
        let mut frame = None;
        let mut root = None;
        for slot in &head.slots {
            body.extend(self.checked_register(slot, "head"));
            let SlotKind::Register(register) = &slot.kind else { continue };
            let value = self.register_value(slot, register, "head");
            match register.meaning {
                Meaning::FrameSize { check } => frame = Some((check, value, offset("head", slot.at))),
                Meaning::Root => root = Some(value),
                Meaning::Version { writes } if self.wire.needs.versions => {
                    body.push(line(format!("in.set_version({value}, {writes});")));
                }
                Meaning::Extent { .. } if takes_extent(self.wire.plan, message.record) => {
                    body.push(declare("const std::uint64_t", "extent", value));
                }
                _ => {}
            }
        }
        if let Some((FrameCheck::Bounds, value, at)) = &frame {
            body.push(scope.fail_if(format!("!in.bound({value}, {}, {at})", head.size)));
        }
        match (message.envelope.root, root) {
            (RootPlace::Registered, Some(value)) => {
                body.push(alias("const std::byte* const", "root", format!("in.follow(head, {value}, head)")));
                body.push(scope.fail_if("root == nullptr"));
                body.extend(read("root"));
            }
            _ => body.extend(read(&offset("head", head.size))),
        }
        match &frame {
            Some((FrameCheck::Bounds, ..)) => body.push(line("return end == nullptr ? end : in.end();")),
            Some((FrameCheck::Exact, value, at)) => {
                let wrong = format!("end != nullptr && {value} != static_cast<std::size_t>(end - head)");
                body.push(when(wrong, vec![line(format!("return in.fail(aldis::code::bad_value, {at});"))]));
                body.push(line("return end;"));
            }
            None => body.push(line("return end;")),
        }
        body
    }
}

impl Encoder<'_, '_> {
    fn message(&self, message: &Message) -> Vec<Stmt> {
        let head: &Run = &message.envelope.head;
        let name = self.gen.names.of(message.record);
        let fits = match crate::header::longest(self.wire, message) {
            Some(longest) if longest < u64::from(u32::MAX) => format!(" && out.within(out.size(), 0, {longest})"),
            _ => String::new(),
        };
        let size =
            vec![line(format!("out.add({});", head.size)), line(format!("return size_{name}(out, value){fits};"))];
        let mut write = self.head(head, "at", "0");
        if let Some((slot, _)) = head.register(|register| register.meaning == Meaning::Root) {
            let ty = crate::decode::unsigned(slot.width);
            let at = offset("at", slot.at);
            write.push(line(format!("aldis::store<byte_order>({at}, {ty}{{{}}});", head.size)));
        }
        write.push(line(format!("write_{name}({}, value, at + total);", offset("at", head.size))));
        let value = parameter(format!("const {name}&"), "value");
        let writes = [parameter("std::byte*", "at"), value.clone(), parameter("std::uint64_t", "total")];
        vec![
            function("static bool size", &[parameter("aldis::sizer&", "out"), value], size),
            function("static void write", &writes, write),
        ]
    }
}

/// The specialisation that describes a message of one form.
pub(crate) fn description(gen: &Gen<'_>, wire: &Wire<'_>, message: &Message) -> Vec<Stmt> {
    let name = gen.names.of(message.record);
    let mut body = vec![line("using reader_type = reader;"), checked(wire.plan, message.record), Stmt::Blank];
    body.extend(Encoder { gen, wire, site: Site::Namespace }.message(message));
    body.push(Decoder { gen, wire }.message(message));
    let head = format!("template <>\nstruct message_of<{name}>");
    vec![Stmt::Block { head, body, tail: ";" }, Stmt::Blank]
}

/// Whether what is written must be looked at, whether it is read.
pub(crate) fn checked(plan: &Plan, record: TypeId) -> Stmt {
    line(format!("static constexpr bool writes_unpaid = {};", writes_unpaid(plan, record)))
}

/// The parts of the functions that users call.
pub(crate) struct Calls {
    /// The concept of a type that is a message.
    pub concept: String,
    /// The namespace of the functions that do it.
    pub namespace: &'static str,
    /// Their template arguments.
    pub of: String,
}

/// The functions of one form that users call.
pub(crate) fn functions(wire: &Wire<'_>) -> Vec<Stmt> {
    let concept = format!("{}::message", wire.namespace);
    functions_of(wire, &Calls { concept, namespace: "aldis", of: format!("{}::message_of<T>", wire.namespace) })
}

/// The functions of one form that users call: templates, for every message of the form.
pub(crate) fn functions_of(wire: &Wire<'_>, calls: &Calls) -> Vec<Stmt> {
    let Calls { concept, namespace, of } = calls;
    let form = &wire.plan.form.name;
    let (encode, decode) = (wire.function("encode"), wire.function("decode"));
    let template = format!("template <{concept} T>\ninline ");
    let value = parameter("const T&", "value");
    let call = |call: &str| vec![line(format!("return {namespace}::{call}, most);"))];
    vec![
        line(format!("/// Writes a message of form {form} into `out`; gives its size.")),
        function(
            &format!("{template}aldis::result<std::size_t> {encode}"),
            &[value.clone(), parameter("std::span<std::byte>", "out"), limits()],
            call(&format!("encode_as<{of}>(value, out")),
        ),
        Stmt::Blank,
        line(format!("/// Writes a message of form {form} into memory that grows as needed; gives its bytes.")),
        function(
            &format!("{template}aldis::result<std::span<const std::byte>> {encode}"),
            &[value, parameter("aldis::buffer&", "out").bound(), limits()],
            call(&format!("encode_as<{of}>(value, out")),
        ),
        Stmt::Blank,
        line(format!("/// Reads a message of form {form} into `value`, whose memory is used again; gives its size.")),
        function(
            &format!("{template}aldis::result<std::size_t> {decode}"),
            &[input(), parameter("T&", "value"), limits()],
            call(&format!("decode_as<{of}>(in, value")),
        ),
        Stmt::Blank,
        line(format!("/// Reads a message of form {form} into a fresh value.")),
        function(
            &format!("{template}aldis::result<T> {decode}"),
            &[input(), limits()],
            call(&format!("fresh_as<{of}, T>(in")),
        ),
        Stmt::Blank,
    ]
}

/// The list of messages, and the functions that tell which one bytes are.
pub(crate) fn dispatch(gen: &Gen<'_>) -> Vec<Stmt> {
    let messages = &gen.schema.messages;
    let mut parts = vec![line("/// The messages of this schema.")];
    let values = messages.iter().map(|message| line(format!("{},", gen.names.label(message.record)))).collect();
    parts.push(Stmt::Block { head: "enum class message_id : std::uint32_t".into(), body: values, tail: ";" });
    parts.push(Stmt::Blank);
    let cases = messages.iter().map(|message| {
        let full = crate::code::quoted(&gen.schema.type_def(message.record).name.full());
        line(format!("case message_id::{}: return {full};", gen.names.label(message.record)))
    });
    let mut cases: Vec<Stmt> = cases.collect();
    cases.push(line("default: return {};"));
    parts.push(line("/// The full name of a message in the schema."));
    parts.push(block(
        "constexpr std::string_view name_of(message_id message) noexcept",
        vec![block("switch (message)", cases)],
    ));
    parts.push(Stmt::Blank);
    for wire in &gen.wires {
        if let Some(dispatch) = &wire.plan.dispatch {
            parts.extend(identify(gen, wire, dispatch));
        }
    }
    parts
}

fn identify(gen: &Gen<'_>, wire: &Wire<'_>, dispatch: &Dispatch) -> Vec<Stmt> {
    let fail = |code: &str, at: &str| line(format!("return aldis::error{{aldis::code::{code}, {at}, {{}}}};"));
    // The number `start` by which the message begins further on than the bytes do; "0" is not written.
    let moved = |from: &str, sign: char, start: &str| match start {
        "0" => from.to_owned(),
        _ => format!("{from} {sign} {start}"),
    };
    let short = |place: &FixedInt, start: &str| {
        let end = place.at + u32::from(place.bits) / 8;
        when(format!("{} < {end}", moved("in.size()", '-', start)), vec![fail("truncated", start)])
    };
    let load = |place: &FixedInt, start: &str| {
        let at = offset(&moved("in.data()", '+', start), place.at);
        format!("aldis::load<std::uint{}_t, {}>({at})", place.bits, wire.order())
    };
    let mut body = Vec::new();
    let mut known = 0;
    let mut enough = |place: &FixedInt| {
        let end = place.at + u32::from(place.bits) / 8;
        let is_news = end > known;
        known = known.max(end);
        is_news.then(|| short(place, "0"))
    };
    for (place, expected) in &dispatch.expect {
        body.extend(enough(place));
        let unknown = vec![fail("unknown_message", &place.at.to_string())];
        body.push(when(format!("{} != {expected}", load(place, "0")), unknown));
    }
    let start = match &dispatch.via {
        None => "0",
        Some(via) => {
            body.extend(enough(via));
            body.push(line(format!("const std::size_t root = {};", load(via, "0"))));
            body.push(when("root > in.size()", vec![fail("bad_pointer", "0")]));
            "root"
        }
    };
    body.extend(if start == "0" { enough(&dispatch.id) } else { Some(short(&dispatch.id, start)) });
    let mut cases: Vec<Stmt> = meanings(gen)
        .into_iter()
        .map(|(id, record)| {
            line(format!(
                "case {}: return message_id::{};",
                crate::literal::integer(id.into()),
                gen.names.label(record)
            ))
        })
        .collect();
    let at = if start == "0" { dispatch.id.at.to_string() } else { offset(start, dispatch.id.at) };
    cases.push(line(format!("default: return aldis::error{{aldis::code::unknown_message, {at}, {{}}}};")));
    body.push(block(format!("switch (std::uint64_t{{{}}})", load(&dispatch.id, start)), cases));
    vec![
        line(format!("/// The message that bytes of form {} are, by the id in them.", wire.plan.form.name)),
        function(&format!("inline aldis::result<message_id> {}", wire.function("identify")), &[input()], body),
        Stmt::Blank,
    ]
}

/// The message that each id means, where it is just one.
pub(crate) fn meanings(gen: &Gen<'_>) -> Vec<(u64, TypeId)> {
    let meant = |(id, index): (u64, Option<usize>)| Some((id, gen.schema.messages[index?].record));
    gen.schema.meanings().into_iter().filter_map(meant).collect()
}
