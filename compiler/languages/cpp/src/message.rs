//! Messages: records in their envelopes, and the functions that users call.

use crate::code::{alias, block, code, declare, definition, function, quoted, stmt, var, when, Code, Stmt, ToCode};
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
        let extent = takes_extent(self.wire.plan, message.record).then(|| code!(", extent"));
        let read = |at: &Code| {
            vec![alias("const std::byte* const", &var("end"), code!("read_{name}(in, {at}{extent}, value)"))]
        };
        let parameters = [parameter("auto&", "in"), parameter(code!("{name}&"), "value")];
        function(
            code!("[[nodiscard, gnu::always_inline]] static const std::byte* read"),
            &parameters,
            self.message_body(message, &read),
        )
    }

    /// Goes through a message's envelope; `read` makes the statements that go through the record at a place and declare
    /// its `end`.
    pub fn message_body(&self, message: &Message, read: &dyn Fn(&Code) -> Vec<Stmt>) -> Vec<Stmt> {
        let head = &message.envelope.head;
        let scope = Scope::new("in", "nullptr");
        let mut body = vec![alias("const std::byte* const", &var("head"), code!("in.begin()"))];
        body.push(self.head_fits(head, &var("head"), &scope));
        let mut frame = None;
        let mut root = None;
        for slot in &head.slots {
            body.extend(self.checked_register(slot, &var("head")));
            let SlotKind::Register(register) = &slot.kind else { continue };
            let value = self.register_value(slot, register, &var("head"));
            match register.meaning {
                Meaning::FrameSize { check } => frame = Some((check, value, offset(&var("head"), slot.at))),
                Meaning::Root => root = Some(value),
                Meaning::Version { writes } if self.wire.needs.versions => {
                    body.push(stmt!("in.set_version({value}, {writes});"));
                }
                Meaning::Extent { .. } if takes_extent(self.wire.plan, message.record) => {
                    body.push(declare("const std::uint64_t", &var("extent"), value));
                }
                _ => {}
            }
        }
        if let Some((FrameCheck::Bounds, value, at)) = &frame {
            body.push(scope.fail_if(code!("!in.bound({value}, {}, {at})", head.size)));
        }
        match (message.envelope.root, root) {
            (RootPlace::Registered, Some(value)) => {
                body.push(alias("const std::byte* const", &var("root"), code!("in.follow(head, {value}, head)")));
                body.push(scope.fail_if(code!("root == nullptr")));
                body.extend(read(&var("root")));
            }
            _ => body.extend(read(&offset(&var("head"), head.size))),
        }
        match &frame {
            Some((FrameCheck::Bounds, ..)) => body.push(stmt!("return end == nullptr ? end : in.end();")),
            Some((FrameCheck::Exact, value, at)) => {
                let wrong = code!("end != nullptr && {value} != static_cast<std::size_t>(end - head)");
                body.push(when(wrong, vec![stmt!("return in.fail(aldis::code::bad_value, {at});")]));
                body.push(stmt!("return end;"));
            }
            None => body.push(stmt!("return end;")),
        }
        body
    }
}

impl Encoder<'_, '_> {
    fn message(&self, message: &Message) -> Vec<Stmt> {
        let head: &Run = &message.envelope.head;
        let name = self.gen.names.of(message.record);
        let fits = match crate::header::longest(self.wire, message) {
            Some(longest) if longest < u64::from(u32::MAX) => code!(" && out.within(out.size(), 0, {longest})"),
            _ => Code::nothing(),
        };
        let size = vec![stmt!("out.add({});", head.size), stmt!("return size_{name}(out, value){fits};")];
        let mut write = self.head(head, &var("at"), &Code::Number(0));
        if let Some((slot, _)) = head.register(|register| register.meaning == Meaning::Root) {
            let ty = crate::decode::unsigned(slot.width);
            let at = offset(&var("at"), slot.at);
            write.push(stmt!("aldis::store<byte_order>({at}, {ty}{{{}}});", head.size));
        }
        write.push(stmt!("write_{name}({}, value, at + total);", offset(&var("at"), head.size)));
        let value = parameter(code!("const {name}&"), "value");
        let writes = [parameter("std::byte*", "at"), value.clone(), parameter("std::uint64_t", "total")];
        vec![
            function(code!("static bool size"), &[parameter("aldis::sizer&", "out"), value], size),
            function(code!("static void write"), &writes, write),
        ]
    }
}

/// The specialisation that describes a message of one form.
pub(crate) fn description(gen: &Gen<'_>, wire: &Wire<'_>, message: &Message) -> Vec<Stmt> {
    let name = gen.names.of(message.record);
    let mut body = vec![stmt!("using reader_type = reader;"), checked(wire.plan, message.record), Stmt::Blank];
    body.extend(Encoder { gen, wire, site: Site::Namespace }.message(message));
    body.push(Decoder { gen, wire }.message(message));
    let head = code!("template <>\nstruct message_of<{name}>");
    vec![definition(head, body), Stmt::Blank]
}

/// Whether what is written must be looked at, whether it is read.
pub(crate) fn checked(plan: &Plan, record: TypeId) -> Stmt {
    stmt!("static constexpr bool writes_unpaid = {};", writes_unpaid(plan, record))
}

/// The parts of the functions that users call.
pub(crate) struct Calls {
    /// The concept of a type that is a message.
    pub concept: Code,
    /// The namespace of the functions that do it.
    pub namespace: &'static str,
    /// Their template arguments.
    pub of: Code,
}

/// The functions of one form that users call.
pub(crate) fn functions(wire: &Wire<'_>) -> Vec<Stmt> {
    let concept = code!("{}::message", wire.namespace);
    functions_of(wire, &Calls { concept, namespace: "aldis", of: code!("{}::message_of<T>", wire.namespace) })
}

/// The functions of one form that users call: templates, for every message of the form.
pub(crate) fn functions_of(wire: &Wire<'_>, calls: &Calls) -> Vec<Stmt> {
    let Calls { concept, namespace, of } = calls;
    let form = &wire.plan.form.name;
    let (encode, decode) = (wire.function("encode"), wire.function("decode"));
    let template = code!("template <{concept} T>\ninline ");
    let value = parameter("const T&", "value");
    let call = |call: Code, arguments: Code| vec![stmt!("return {namespace}::{call}({arguments}, most);")];
    vec![
        stmt!("/// Writes a message of form {form} into `out`; gives its size."),
        function(
            code!("{template}aldis::result<std::size_t> {encode}"),
            &[value.clone(), parameter("std::span<std::byte>", "out"), limits()],
            call(code!("encode_as<{of}>"), code!("value, out")),
        ),
        Stmt::Blank,
        stmt!("/// Writes a message of form {form} into memory that grows as needed; gives its bytes."),
        function(
            code!("{template}aldis::result<std::span<const std::byte>> {encode}"),
            &[value, parameter("aldis::buffer&", "out").bound(), limits()],
            call(code!("encode_as<{of}>"), code!("value, out")),
        ),
        Stmt::Blank,
        stmt!("/// Reads a message of form {form} into `value`, whose memory is used again; gives its size."),
        function(
            code!("{template}aldis::result<std::size_t> {decode}"),
            &[input(), parameter("T&", "value"), limits()],
            call(code!("decode_as<{of}>"), code!("in, value")),
        ),
        Stmt::Blank,
        stmt!("/// Reads a message of form {form} into a fresh value."),
        function(
            code!("{template}aldis::result<T> {decode}"),
            &[input(), limits()],
            call(code!("fresh_as<{of}, T>"), code!("in")),
        ),
        Stmt::Blank,
    ]
}

/// The list of messages, and the functions that tell which one bytes are.
pub(crate) fn dispatch(gen: &Gen<'_>) -> Vec<Stmt> {
    let messages = &gen.schema.messages;
    let mut parts = vec![stmt!("/// The messages of this schema.")];
    let values = messages.iter().map(|message| stmt!("{},", gen.names.label(message.record))).collect();
    parts.push(definition(code!("enum class message_id : std::uint32_t"), values));
    parts.push(Stmt::Blank);
    let cases = messages.iter().map(|message| {
        let full = quoted(&gen.schema.type_def(message.record).name.full());
        stmt!("case message_id::{}: return {full};", gen.names.label(message.record))
    });
    let mut cases: Vec<Stmt> = cases.collect();
    cases.push(stmt!("default: return {{}};"));
    parts.push(stmt!("/// The full name of a message in the schema."));
    parts.push(block(
        code!("constexpr std::string_view name_of(message_id message) noexcept"),
        vec![block(code!("switch (message)"), cases)],
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
    let fail = |code: &str, at: &Code| stmt!("return aldis::error{{aldis::code::{code}, {at}, {{}}}};");
    // The number `start` by which the message begins further on than the bytes do; zero is not written.
    let moved = |from: Code, sign: &str, start: &Code| match start {
        Code::Number(0) => from,
        _ => code!("{from} {sign} {start}"),
    };
    let nowhere = Code::Number(0);
    let short = |place: &FixedInt, start: &Code| {
        let end = place.at + u32::from(place.bits) / 8;
        when(code!("{} < {end}", moved(code!("in.size()"), "-", start)), vec![fail("truncated", start)])
    };
    let load = |place: &FixedInt, start: &Code| {
        let at = offset(&moved(code!("in.data()"), "+", start), place.at);
        code!("aldis::load<std::uint{}_t, {}>({at})", place.bits, wire.order())
    };
    let mut body = Vec::new();
    let mut known = 0;
    let mut enough = |place: &FixedInt| {
        let end = place.at + u32::from(place.bits) / 8;
        let is_news = end > known;
        known = known.max(end);
        is_news.then(|| short(place, &nowhere))
    };
    for (place, expected) in &dispatch.expect {
        body.extend(enough(place));
        let unknown = vec![fail("unknown_message", &place.at.to_code())];
        body.push(when(code!("{} != {expected}", load(place, &nowhere)), unknown));
    }
    let start = match &dispatch.via {
        None => nowhere.clone(),
        Some(via) => {
            body.extend(enough(via));
            body.push(stmt!("const std::size_t root = {};", load(via, &nowhere)));
            body.push(when(code!("root > in.size()"), vec![fail("bad_pointer", &nowhere)]));
            var("root")
        }
    };
    body.extend(match dispatch.via {
        None => enough(&dispatch.id),
        Some(_) => Some(short(&dispatch.id, &start)),
    });
    let mut cases: Vec<Stmt> = meanings(gen)
        .into_iter()
        .map(|(id, record)| {
            stmt!("case {}: return message_id::{};", crate::literal::integer(id.into()), gen.names.label(record))
        })
        .collect();
    let at = match dispatch.via {
        None => dispatch.id.at.to_code(),
        Some(_) => offset(&start, dispatch.id.at),
    };
    cases.push(stmt!("default: return aldis::error{{aldis::code::unknown_message, {at}, {{}}}};"));
    body.push(block(code!("switch (std::uint64_t{{{}}})", load(&dispatch.id, &start)), cases));
    vec![
        stmt!("/// The message that bytes of form {} are, by the id in them.", wire.plan.form.name),
        function(code!("inline aldis::result<message_id> {}", wire.function("identify")), &[input()], body),
        Stmt::Blank,
    ]
}

/// The message that each id means, where it is just one.
pub(crate) fn meanings(gen: &Gen<'_>) -> Vec<(u64, TypeId)> {
    let meant = |(id, index): (u64, Option<usize>)| Some((id, gen.schema.messages[index?].record));
    gen.schema.meanings().into_iter().filter_map(meant).collect()
}
