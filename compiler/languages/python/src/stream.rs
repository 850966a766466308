//! `stream.py`: how each form's messages lie in streams, what reads and writes them, and what answers requests. All that is done with that
//! is the runtime's.

use crate::codes;
use crate::names::{form_name, suffixed};
use crate::py::{assign, call, giving, import, int, name, string, Expr, Stmt};
use crate::values::Values;
use aldis_diagnostics::Diagnostic;
use aldis_emit::Requests;
use aldis_plan::{ByteOrder, Container, FixedInt, Plan};
use aldis_routine::Module;

/// The module, nothing where no form has messages for streams, and warnings of requests that cannot be answered.
pub(crate) fn module(
    values: &Values<'_>,
    plans: &[(&Plan, Module)],
    codecs: &[Vec<String>],
) -> (Vec<Stmt>, Vec<Diagnostic>) {
    let (requests, warnings) = Requests::of(values.schema, |_| true, codes::ANSWERS);
    let parts: Vec<Part<'_>> = plans
        .iter()
        .zip(codecs)
        .map(|((plan, _), codecs)| Part { values, plan, codecs })
        .filter(|part| !part.messages().is_empty())
        .collect();
    let Some(first) = parts.first() else { return (Vec::new(), warnings) };
    let asks = !requests.answers.is_empty() && first.is_told();
    let mut found = vec![
        import("from __future__ import annotations"),
        import("from collections.abc import AsyncIterator, Iterator"),
        import("from typing import Any"),
        import("from aldis import streams as _s"),
    ];
    found.extend(asks.then(|| import("from aldis import requests as _r")));
    found.push(import("from . import _codec"));
    let told = parts.iter().any(Part::is_told).then(|| "Message".to_owned());
    let types = parts.iter().flat_map(Part::messages).map(|index| first.class(index));
    let mut types: Vec<String> = types.chain(told).collect();
    types.sort();
    types.dedup();
    found.extend(values.names.imports("_", &types));
    for part in &parts {
        found.extend(part.statements());
    }
    if asks {
        found.push(asked(values, &requests));
    }
    (found, warnings)
}

/// One form in streams.
struct Part<'a> {
    values: &'a Values<'a>,
    plan: &'a Plan,
    codecs: &'a [String],
}

impl Part<'_> {
    /// Whether messages say which they are.
    fn is_told(&self) -> bool {
        self.plan.dispatch.is_some() && self.values.schema.meanings().iter().any(|(_, index)| index.is_some())
    }

    /// The messages that a stream can hold: those that say which they are, where the form can tell them apart.
    fn messages(&self) -> Vec<usize> {
        let schema = self.values.schema;
        match self.is_told() {
            true => schema.meanings().into_iter().filter_map(|(_, index)| index).collect(),
            false => (0..schema.messages.len()).filter(|index| schema.messages[*index].listed).collect(),
        }
    }

    fn class(&self, message: usize) -> String {
        self.values.names.of(self.values.schema.messages[message].record).to_owned()
    }

    /// The type of all messages.
    fn any(&self) -> String {
        match self.is_told() {
            true => "_Message".to_owned(),
            false => {
                let all = self.messages().into_iter().map(|index| format!("_{}", self.class(index)));
                all.collect::<Vec<_>>().join(" | ")
            }
        }
    }

    fn statements(&self) -> Vec<Stmt> {
        let own = format!("_{}", form_name(self.plan));
        let codecs = self
            .messages()
            .into_iter()
            .map(|index| (name(format!("_{}", self.class(index))), name(format!("_codec.{}", self.codecs[index]))));
        let (framing, lying) = self.lying();
        let args = vec![name(format!("_codec.{}", form_name(self.plan))), Expr::Dict(codecs.collect()), framing, lying];
        let any = self.any();
        let table = assign(own.as_str(), Some("_s.Messages[Any]"), call("_s.Messages", args));
        let (of, only) = match self.is_told() {
            true => (any.clone(), Vec::new()),
            false => ("_s.T".to_owned(), vec!["message: type[_s.T]".to_owned()]),
        };
        let framing = || "framing: _s.Framing | None = None".to_owned();
        let receives = |wanted: &str, first: Option<&str>, gives: String, doc: &str, value: Expr| {
            let first = first.into_iter().map(str::to_owned).chain(only.iter().cloned());
            self.function(wanted, first.chain([framing(), "**options: Any".to_owned()]).collect(), gives, doc, value)
        };
        let message = if only.is_empty() { "None" } else { "message" };
        let receiver = [own.as_str(), "framing", message, "**options"].map(name).to_vec();
        let made = call("_s.Receiver", receiver);
        let again = only.first().map(|_| "message").into_iter().chain(["framing", "**options"]);
        let again = call(suffixed("receiver", self.plan), again.map(name).collect());
        let doc = "of the form out of a stream: `framing`, and the options max_frame, limits and unknown.";
        let read = |method| crate::py::method(again.clone(), method, vec![name("source")]);
        vec![
            table,
            receives("receiver", None, format!("_s.Receiver[{of}]"), &format!("Decodes messages {doc}"), made),
            receives(
                "read",
                Some("source: Any"),
                format!("Iterator[{of}]"),
                "The messages of a file, a socket or an iterable of chunks, as `receiver` has them.",
                read("read"),
            ),
            receives(
                "aread",
                Some("source: Any"),
                format!("AsyncIterator[{of}]"),
                "The messages of an asyncio.StreamReader, or of chunks that come asynchronously.",
                read("aread"),
            ),
            self.function(
                "sender",
                vec![framing()],
                format!("_s.Sender[{any}]"),
                "Puts messages of the form into a stream.",
                call("_s.Sender", vec![name(own), name("framing")]),
            ),
        ]
    }

    fn function(&self, wanted: &str, params: Vec<String>, gives: String, doc: &str, value: Expr) -> Stmt {
        giving(Vec::new(), (suffixed(wanted, self.plan), params), (&gives, doc), Vec::new(), value)
    }

    /// The form's usual framing, and how its messages lie in streams.
    fn lying(&self) -> (Expr, Expr) {
        let plan = self.plan;
        let big = plan.byte_order == ByteOrder::Big;
        let none = || name("None");
        let (mut framing, mut own, mut root, mut packed) = (none(), none(), none(), false);
        if let Some(of) = &plan.form.framing {
            framing = string("fbe");
            own = length(of.length, big, of.min, 0);
            root = plan.dispatch.as_ref().and_then(|dispatch| dispatch.via).map_or(root, |via| int(via.at));
        }
        let header = plan.frame_length();
        let header = header.map(|(at, plus)| length(at, big, plan.messages[0].envelope.head.size, -plus));
        if let Container::Segments(segments) = plan.container {
            if segments.table {
                framing = string("capnp");
                packed = segments.packed;
            }
        }
        let truth = |is: bool| name(if is { "True" } else { "False" });
        (framing, call("_s.Lying", vec![own, root, header.unwrap_or_else(none), truth(big), truth(packed)]))
    }
}

/// The place of a length in messages.
fn length(at: FixedInt, big: bool, least: u32, added: i64) -> Expr {
    let order = string(if big { "big" } else { "little" });
    call("_s.Length", vec![int(at.bits), int(at.at), order, int(0), int(added), int(least)])
}

/// The class that waits for the answers to requests.
fn asked(values: &Values<'_>, requests: &Requests<'_>) -> Stmt {
    let class = |id| name(format!("_{}", values.names.of(id)));
    let ids = requests.fields.iter();
    let ids = ids.map(|(id, field)| (class(*id), string(values.names.members(*id)[*field].as_str())));
    let answers = requests.answers.iter();
    let answers = answers.map(|(id, all)| (class(*id), Expr::Tuple(all.iter().map(|id| class(*id)).collect())));
    let args = vec![Expr::Dict(ids.collect()), Expr::Dict(answers.collect()), name("sender")];
    let told = ("_r.Requests", "Requests that go out by a sender and wait for their answers.");
    let params = vec!["sender: _s.Sender[Any]".to_owned()];
    giving(Vec::new(), ("requests", params), told, Vec::new(), call("_r.Requests", args))
}
