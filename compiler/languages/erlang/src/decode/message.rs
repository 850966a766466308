//! Whole messages: the envelope, and the functions that users call.

use super::node::register_text;
use crate::code::{flat, quote, quote_with, quotes, Expr, Try};
use crate::erl::{atom, binary, bind, call, function, spec, statements, trees, tuple, Atom, Callee, Clause};
use crate::gen::Gen;
use crate::slots::{match_segments, unnamed, Floats, Named};
use crate::variables::Numbered;
use crate::wire::{Here, Wire};
use aldis_emit::writes_unpaid;
use aldis_plan::{FrameCheck, Meaning, Message, Register, RootPlace, Run, SlotKind, TypeId};

/// The variables that opening an envelope binds beside the root's bytes.
pub(crate) struct Envelope {
    check: Option<FrameCheck>,
    extent: Option<String>,
    version: Option<String>,
}

impl Envelope {
    pub fn of(wire: &Wire<'_>, message: &Message) -> Self {
        let head = &message.envelope.head;
        let extent = wire.takes_extent(message.record).then(|| register_text(head, "Extent", Register::is_extent));
        // A form that says no version is always the current one: an atom is greater than any number.
        let version = wire.versions.then(|| register_text(head, "Version", is_version));
        Self {
            check: head.frame_check(),
            extent: extent.map(|e| e.unwrap_or_else(|| "0".to_owned())),
            version: version.map(|v| v.unwrap_or_else(|| "current".to_owned())),
        }
    }

    /// The pattern that `open_…` is matched with.
    pub fn pattern(&self) -> Expr {
        let mut items = vec!["Root".to_owned()];
        items.extend(match self.check {
            Some(FrameCheck::Bounds) => Some("Rest".to_owned()),
            Some(FrameCheck::Exact) => Some("FrameSize".to_owned()),
            None => None,
        });
        items.extend(self.extent.as_ref().map(|_| "Extent".to_owned()));
        items.extend(self.version.as_ref().map(|_| "Version".to_owned()));
        tuple(&items)
    }

    fn items(&self) -> Vec<String> {
        let mut items = vec!["Root".to_owned()];
        items.extend(match self.check {
            Some(FrameCheck::Bounds) => Some("Rest".to_owned()),
            Some(FrameCheck::Exact) => Some("FrameSize".to_owned()),
            None => None,
        });
        items.extend(self.extent.clone());
        items.extend(self.version.clone());
        items
    }
}

impl<'a> Gen<'a> {
    /// The function that checks a message's envelope and gives the root's bytes and what reading them needs.
    pub fn open(&mut self, wire: Wire<'a>, message: &'a Message) -> Callee {
        let head = &message.envelope.head;
        let envelope = Envelope::of(&wire, message);
        let order = wire.plan.byte_order;
        let named: Vec<Named<'_>> = unnamed(&head.slots);
        let segments = match_segments(&named, (0, head.size), order, Floats::Bits, &opened);
        let mut clauses = match (envelope.check, message.envelope.root) {
            (Some(FrameCheck::Bounds), root) => bounded(head, &segments, root, &envelope),
            (_, RootPlace::Follows) => {
                let pattern = binary(segments.iter().cloned().chain([quote("Root/binary")]));
                vec![Clause::new([pattern], [tuple(trees(envelope.items()))])]
            }
            (_, RootPlace::Registered | RootPlace::Pointed) => {
                let pattern = in_front(&segments);
                let found = tuple(trees(envelope.items()));
                vec![Clause::new([pattern], [root_at("Bin", found)])]
            }
        };
        if head.register(is_identity).is_some() {
            let pattern = format!("<<_:{}/binary, _/binary>> = Bin", head.size);
            clauses.push(Clause::new([&pattern], ["aldis_wire:unknown_message(Bin)"]));
        }
        let rows = self.head_rows(head);
        let name = format!("open_{}{}", self.names.of(message.record), wire.suffix());
        self.define_at((message.record, self.codec_facet()), &name, &name, |gen, own| {
            let table = Clause::new([""], [rows]);
            let table = gen.share(&format!("head_members{}", wire.suffix()), |own| {
                function(atom(own), std::slice::from_ref(&table))
            });
            let cut = quote(format!("aldis_wire:cut(Bin, {}, {table}(), [])", head.size));
            clauses.push(Clause::new(["Bin"], [cut]));
            function(atom(own), &clauses)
        })
    }

    /// Statements that open a message and read it, up to `{Value, Rest}` bound.
    fn read_message(&mut self, wire: Wire<'a>, message: &'a Message) -> Vec<Expr> {
        let envelope = Envelope::of(&wire, message);
        let open = self.open(wire, message);
        let opened = bind(envelope.pattern(), format!("{open}(Bin)"));
        let mut body = vec![root_budget(&message.envelope.head), opened];
        let reader = self.read_record(wire, message.record);
        let here = root_state();
        let args = wire.args(&here, false, wire.takes_extent(message.record));
        let bounds = envelope.check == Some(FrameCheck::Bounds);
        let rest = if bounds { "_" } else { "Rest" };
        let result = wire.result("Value", rest, "_");
        body.push(bind(result, call(&reader, args)));
        if envelope.check == Some(FrameCheck::Exact) {
            body.push(quote("aldis_wire:check_frame(FrameSize, Bin, Rest)"));
        }
        body
    }

    /// The call that opens a message and reads it by a function, where that takes what opening gives and nothing else: the
    /// runtime's `function`, of the arguments `first` and what all messages have.
    pub fn opened(
        &self,
        wire: Wire<'a>,
        message: &'a Message,
        function: &'static str,
        first: &[&str],
        open: &Callee,
        reader: &Callee,
    ) -> Option<Expr> {
        if wire.links || !wire.rest || Envelope::of(&wire, message).check.is_some() {
            return None;
        }
        let arity = 1.min(first.len()) + wire.args(&root_state(), false, wire.takes_extent(message.record)).len();
        let args = [format!("fun {open}/1"), format!("fun {reader}/{arity}"), message.envelope.head.size.to_string()];
        let args = first.iter().map(|arg| (*arg).to_owned()).chain(args);
        Some(call(function, args.chain(["Bin", "Limits"].map(str::to_owned)).map(quote)))
    }

    /// `decode_M/1` and `/2`.
    pub fn decode_functions(&mut self, wire: Wire<'a>, message: &'a Message) {
        let name = self.names.of(message.record).to_owned();
        let suffix = wire.suffix();
        let decode = format!("decode_{name}{suffix}");
        let record = self.names.atom(message.record);
        let result = format!("{{ok, #{record}{{}}, Rest :: binary()}} | {{error, aldis:reason()}}");
        let open = self.open(wire, message);
        let reader = self.read_record(wire, message.record);
        let fast = match self.strict_text.reaches_from(message.record) {
            true => None,
            false => self.fast_decode(wire, message),
        };
        let careful =
            match self.opened(wire, message, "aldis_wire:decoded", &[], &open, &reader).filter(|_| fast.is_some()) {
                Some(opened) => vec![opened],
                None => {
                    let mut body = self.read_message(wire, message);
                    body.push(quote("{ok, Value, Rest}"));
                    reading(body, self.frame_size(wire, message))
                }
            };
        let own = atom(&decode);
        let slow = atom(&self.private(&format!("{decode}_carefully")));
        let outer = self.enter(message.record.index());
        self.add(function(&slow, &[Clause::new(careful_args(), careful)]));
        self.enter(outer);
        let usual = careful_call(&slow);
        let body = vec![fast.map_or_else(|| quote(usual.as_str()), |fast| either(&format!("{fast}(Bin)"), &usual))];
        let one = function(&own, &[Clause::new(["Bin"], body)]);
        self.export(&decode, &["Bin"], spec(&own, &["binary()"], &result), one);
        let two = function(&own, &[Clause::new(["Bin", "Options"], [optioned(&own, Some(&slow))])]);
        let head = spec(&own, &["binary()", "aldis:decode_options()"], &result);
        self.export(&decode, &["Bin", "Options"], head, two);
    }

    /// The expression for how many bytes a fault's place counts back from, where it is not all of them.
    pub fn frame_size(&mut self, wire: Wire<'a>, message: &'a Message) -> Option<Expr> {
        let head = &message.envelope.head;
        if head.frame_check() != Some(FrameCheck::Bounds) {
            return None;
        }
        let named: Vec<Named<'_>> = unnamed(&head.slots);
        let order = wire.plan.byte_order;
        let only = |register: &Register| {
            let frame = matches!(register.meaning, Meaning::FrameSize { .. });
            Some(if frame { "FrameSize" } else { "_" }.to_owned())
        };
        let segments = match_segments(&named, (0, head.size), order, Floats::Bits, &only);
        let clauses = [
            Clause::new([in_front(&segments)], ["min(FrameSize, byte_size(Bin))"]),
            Clause::new(["Bin"], ["aldis_wire:size(Bin)"]),
        ];
        let name = self.share(&format!("frame_size{}", wire.suffix()), |own| function(atom(own), &clauses));
        Some(call(name, ["Bin"]))
    }

    /// `encode_M/1` and `encode_M_iolist/1`.
    pub fn encode_functions(&mut self, wire: Wire<'a>, message: &'a Message) {
        let name = self.names.of(message.record).to_owned();
        let suffix = wire.suffix();
        let (encode, io) = (format!("encode_{name}{suffix}"), format!("encode_{name}{suffix}_iolist"));
        let record = format!("#{}{{}}", self.names.atom(message.record));
        let mut body = self.careful_encode(wire, message);
        let checked = writes_unpaid(wire.plan, message.record);
        if checked {
            let slow = atom(&self.private(&format!("{encode}_unread")));
            self.add(function(&slow, &[Clause::new(["Value"], [body])]));
            body = quote(format!("aldis:readable({slow}(Value), fun {}/1)", atom(&format!("decode_{name}{suffix}"))));
        }
        let fast = if checked { None } else { self.fast_encode(wire, message) };
        let mut careful = format!("{}(Value)", atom(&io));
        let small = self.is_small(wire, message.record);
        let pieces = fast.as_ref().and_then(|fast| fast.iodata.clone().or_else(|| small.then(|| fast.binary.clone())));
        let io_body = match pieces {
            None => body,
            Some(fast) => {
                let slow = self.private(&format!("{encode}_carefully"));
                self.add(function(atom(&slow), &[Clause::new(["Value"], [body])]));
                careful = format!("{}(Value)", atom(&slow));
                either(&format!("{{ok, {fast}}}"), &careful)
            }
        };
        let careful = format!("aldis:binary({careful})");
        let whole = match fast {
            None => quote(careful),
            Some(fast) => either(&format!("{{ok, {}}}", fast.binary), &careful),
        };
        let error = "{error, aldis:reason()}";
        let mut export = |name: &str, kind: &str, body: Expr| {
            let result = format!("{{ok, {kind}}} | {error}");
            let body = function(atom(name), &[Clause::new(["Value"], [body])]);
            self.export(name, &["Value"], spec(atom(name), &[&record], &result), body);
        };
        export(&encode, "binary()", whole);
        export(&io, "iodata()", io_body);
    }

    fn careful_encode(&mut self, wire: Wire<'a>, message: &'a Message) -> Expr {
        let head = &message.envelope.head;
        if wire.links || wire.deep || states_size(head) {
            return guarded(self.message_body(wire, message), "none");
        }
        let writer = self.write_record(wire, message.record);
        let head = crate::encode::head_binary(&wire, head, "0");
        call("aldis_fault:written", [head, quote(format!("fun {writer}/2")), quote("Value")])
    }

    fn message_body(&mut self, wire: Wire<'a>, message: &'a Message) -> Vec<Expr> {
        let head = &message.envelope.head;
        let writer = self.write_record(wire, message.record);
        let mut args = vec!["Value".to_owned()];
        args.extend(wire.deep.then(|| "1".to_owned()));
        args.push("[]".to_owned());
        let written = call(&writer, args);
        let mut body = Vec::new();
        let framed = states_size(head);
        if wire.links {
            body.push(bind("{Body, Size}", written));
            body.extend(framed.then(|| quote(format!("FrameSize = aldis_check:frame(Size + {})", head.size))));
        } else {
            body.push(bind("Body", written));
            body.extend(
                framed.then(|| quote(format!("FrameSize = aldis_check:frame(iolist_size(Body) + {})", head.size))),
            );
        }
        body.extend(frame_length(head, "FrameSize").map(|length| bind("FrameLength", length)));
        body.push(quote_with("{ok, [?1, Body]}", [crate::encode::head_binary(&wire, head, "0")]));
        body
    }
}

/// The rest of a budget behind an envelope, which is paid for before it is looked at.
pub(crate) fn root_budget(head: &Run) -> Expr {
    quote(format!("Budget = aldis_wire:budget(Limits, Bin, {})", head.size))
}

/// The state with which a root record is read.
pub(crate) fn root_state() -> Here {
    Here {
        bin: Numbered::first("Root"),
        base: "Root".to_owned(),
        extent: "Extent".to_owned(),
        depth: "aldis_wire:depth(Limits)".to_owned(),
        budget: Numbered::first("Budget"),
        path: "[]".to_owned(),
    }
}

/// The arguments of a function that reads whatever there can be, under any limits.
pub(crate) fn careful_args() -> Vec<Expr> {
    vec![quote("Bin"), quote("Limits")]
}

/// A call of such a function under the limits that hold when none are given.
pub(crate) fn careful_call(name: &Atom) -> String {
    format!("{name}(Bin, default)")
}

/// The result of the function `own` for `Bin` under `Options`; `careful` is the one that takes other limits.
pub(crate) fn optioned(own: &Atom, careful: Option<&Atom>) -> Expr {
    let careful = careful.map(|careful| quote(format!("fun {careful}/2")));
    let args = std::iter::once(quote(format!("fun {own}/1"))).chain(careful);
    call("aldis:decoded", args.chain([quote("Bin"), quote("Options")]))
}

/// A function for usual messages, or one for all others.
pub(crate) fn either(fast: &str, careful: &str) -> Expr {
    quote(format!("try {fast} catch throw:_ -> {careful} end"))
}

/// As [`guarded`], for readers of what is in `Bin`: their heap may grow for it, and is as it was afterwards. `size` is that of the
/// message, where it is not that of its bytes.
pub(crate) fn reading(body: Vec<Expr>, size: Option<Expr>) -> Vec<Expr> {
    let size = size.unwrap_or_else(|| quote("aldis_wire:size(Bin)"));
    vec![quote("Heap = aldis_heap:enter(Bin)"), caught(body, size, Some("aldis_heap:leave(Heap)"))]
}

/// `try … catch` that turns a thrown fault into an error.
pub(crate) fn guarded(body: Vec<Expr>, size: impl Into<Expr>) -> Expr {
    caught(body, size, None)
}

fn caught(body: Vec<Expr>, size: impl Into<Expr>, after: Option<&str>) -> Expr {
    let fault = quote("{aldis_fault, _, _, _} = Fault");
    let error = call("aldis_fault:error", [quote("Fault"), size.into()]);
    let clauses = vec![Clause::new([fault], [error])];
    Expr::Try(Box::new(Try { body: flat(body), clauses, after: after.map(quotes).unwrap_or_default() }))
}

/// The pattern of bytes that begin with these segments.
fn in_front(segments: &[Expr]) -> Expr {
    bind(binary(segments.iter().cloned().chain([quote("_/binary")])), "Bin")
}

/// The clauses for a head whose frame size bounds every read.
fn bounded(head: &Run, segments: &[Expr], root: RootPlace, envelope: &Envelope) -> Vec<Clause> {
    let pattern = in_front(segments);
    let found = tuple(trees(envelope.items()));
    let frame = quote("<<Frame:FrameSize/binary, Rest/binary>> = Bin");
    let root = match root {
        RootPlace::Registered | RootPlace::Pointed => root_at("Frame", found),
        RootPlace::Follows => {
            statements(vec![quote(format!("<<_:{}/binary, Root/binary>> = Frame", head.size)), found])
        }
    };
    vec![
        Clause::new([pattern.clone()], [frame, root])
            .when(format!("FrameSize >= {}", head.size))
            .when("FrameSize =< byte_size(Bin)"),
        Clause::new([pattern], [format!("aldis_wire:bad_frame(FrameSize, {}, Bin)", head.size)]),
    ]
}

fn root_at(frame: &str, found: Expr) -> Expr {
    crate::erl::case_of(
        quote(frame),
        [
            (quote("<<_:RootAt/binary, Root/binary>>"), found),
            (quote("_"), quote(format!("aldis_wire:bad_pointer(RootAt, {frame}, [])"))),
        ],
    )
}

fn opened(register: &Register) -> Option<String> {
    Some(match register.meaning {
        Meaning::FrameSize { .. } => "FrameSize".to_owned(),
        Meaning::Root => "RootAt".to_owned(),
        Meaning::Extent { .. } => "Extent".to_owned(),
        Meaning::Version { .. } => "Version".to_owned(),
        Meaning::TypeId { expect } | Meaning::SchemaId { expect } => expect.to_string(),
        Meaning::FrameLength { .. } | Meaning::Count { .. } => "_".to_owned(),
    })
}

/// Whether a head says how long its message is.
pub(crate) fn states_size(head: &Run) -> bool {
    head.register(|r| matches!(r.meaning, Meaning::FrameSize { .. } | Meaning::FrameLength { .. })).is_some()
}

/// The length of the frame of a message of `size` bytes, where its head says that.
pub(crate) fn frame_length(head: &Run, size: &str) -> Option<Expr> {
    head.slots.iter().find_map(|slot| match &slot.kind {
        SlotKind::Register(Register { meaning: Meaning::FrameLength { plus }, .. }) => {
            let most = u64::MAX >> (64 - 8 * slot.width.min(8));
            Some(quote(format!("aldis_check:frame_length({size}, {plus}, {most})")))
        }
        _ => None,
    })
}

fn is_version(register: &Register) -> bool {
    matches!(register.meaning, Meaning::Version { .. })
}

fn is_identity(register: &Register) -> bool {
    matches!(register.meaning, Meaning::TypeId { .. } | Meaning::SchemaId { .. }) && register.constant.is_none()
}

/// The messages' records that a wire form has, for [`Gen`]'s callers.
pub(crate) fn message_of<'a>(wire: &Wire<'a>, id: TypeId) -> Option<&'a Message> {
    wire.plan.messages.iter().find(|message| message.record == id)
}
