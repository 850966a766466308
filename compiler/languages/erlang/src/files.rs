//! The generated files as a whole.

use crate::erl::{atom, function, Clause, INDENT, WIDTH};
use crate::exports::{exports, has_open_values};
use crate::gen::Gen;
use crate::reserved::BUILT_IN_FUNCTIONS;
use crate::tables::layout_tables;
use crate::types::title;
use crate::wire::Wire;
use aldis_emit::doc::{bracketed, concat, hard, text, Doc};
use aldis_emit::{Request, RUNTIME};
use aldis_plan::Container;
use aldis_schema::{TypeId, TypeKind};

/// The names of helpers that stand at the module's end where something calls them.
const HELPERS: [&str; 7] = ["nullable", "or_null", "bool", "has", "at", "text_size", "list_size"];

/// Macros that generated code may use, by how they are called: ranges, and the words of texts and bytes behind pointers.
const MACROS: [(&str, &str); 11] = [
    (
        "?WITHIN_WIDE",
        "%% Within the bounds of 64 bits. Small integers are compared with small ones first, which is cheap.
-define(WITHIN_WIDE(Value, Min, Max),
    (is_integer(Value) andalso
        ((Value >= 0 andalso Value =< 16#7FFFFFFFFFFFFFF) orelse (Value >= Min andalso Value =< Max)))).",
    ),
    (
        "?WITHIN_WIDE_OR_NULL(",
        "-define(WITHIN_WIDE_OR_NULL(Value, Min, Max), (Value =:= undefined orelse ?WITHIN_WIDE(Value, Min, Max))).",
    ),
    ("?WITHIN(", "-define(WITHIN(Value, Min, Max), (is_integer(Value) andalso Value >= Min andalso Value =< Max))."),
    (
        "?WITHIN_OR_NULL(",
        "-define(WITHIN_OR_NULL(Value, Min, Max),
    (Value =:= undefined orelse (is_integer(Value) andalso Value >= Min andalso Value =< Max))).",
    ),
    ("?GIVEN(", "-define(GIVEN(Blob), case Blob of undefined -> <<>>; _ -> Blob end)."),
    (
        "?TEXT_WORDS(",
        "%% Long texts are for the long way, which does not copy them.
-define(TEXT_WORDS(Text),
    case Text of undefined -> 0; _ when byte_size(Text) < 16#10000 -> byte_size(Text) bsr 3 + 1 end).",
    ),
    (
        "?TEXT_POINTER(",
        "-define(TEXT_POINTER(Text, Place),
    case Text of undefined -> 0; _ -> ((byte_size(Text) + 1) bsl 35) + ((Place) bsl 2) + 16#200000001 end).",
    ),
    (
        "?TEXT_PADDING(",
        "-define(TEXT_PADDING(Text), case Text of undefined -> 0; _ -> 8 - byte_size(Text) band 7 end).",
    ),
    (
        "?BYTES_WORDS(",
        "%% Long ones are for the long way, which does not copy them.
-define(BYTES_WORDS(Bytes),
    case Bytes of undefined -> 0; _ when byte_size(Bytes) < 16#10000 -> (byte_size(Bytes) + 7) bsr 3 end).",
    ),
    (
        "?BYTES_POINTER(",
        "-define(BYTES_POINTER(Bytes, Place),
    case Bytes of undefined -> 0; _ -> (byte_size(Bytes) bsl 35) + ((Place) bsl 2) + 16#200000001 end).",
    ),
    (
        "?BYTES_PADDING(",
        "-define(BYTES_PADDING(Bytes), case Bytes of undefined -> 0; _ -> -byte_size(Bytes) band 7 end).",
    ),
];

/// The function that is called when the module is loaded.
const NEEDS: &str = "needs_runtime";

/// The section of functions for the whole schema.
pub(crate) const WHOLE: usize = usize::MAX;

impl<'a> Gen<'a> {
    /// Asks for every exported function, and with them for all that they call.
    pub fn generate_all(&mut self) {
        self.reserve_names();
        let schema = self.schema;
        for (index, def) in schema.types.iter().enumerate() {
            if matches!(def.kind, TypeKind::Record(_)) {
                self.record_functions(TypeId(index as u32));
            }
        }
        self.enter(WHOLE);
        for wire in self.wires.clone() {
            self.dispatch(wire);
            self.header_functions(&wire);
        }
        self.messages();
        self.reason_functions();
    }

    fn reserve_names(&mut self) {
        let suffixes: Vec<String> = self.wires.iter().map(Wire::suffix).collect();
        HELPERS.iter().chain(&BUILT_IN_FUNCTIONS).chain(&[NEEDS]).for_each(|name| self.reserve(name));
        let header = self.wires.iter().any(|wire| wire.plan.header.is_some());
        exports(self.names, self.schema, &suffixes, header).iter().for_each(|export| self.reserve(&export.name));
    }

    /// The exported functions of a record.
    fn record_functions(&mut self, id: TypeId) {
        self.enter(id.index());
        self.new_function(id);
        for wire in self.wires.clone() {
            let Some(message) = crate::decode::message::message_of(&wire, id) else { continue };
            if let Container::Segments(form) = wire.plan.container {
                self.segment_functions(wire, form, message);
                continue;
            }
            self.encode_functions(wire, message);
            self.decode_functions(wire, message);
        }
        let main = self.wires[0];
        if let Some(message) = crate::decode::message::message_of(&main, id) {
            self.views(main, message);
            if has_open_values(self.schema) {
                self.open_functions(message);
            }
            self.json_functions(id);
        }
    }

    fn new_function(&mut self, id: TypeId) {
        let name = format!("new_{}", self.names.of(id));
        let body = self.record_of_defaults(id, crate::literal::Fresh::Made);
        let value = self.value_type(id);
        let doc = concat([
            crate::erl::edoc(&self.schema.type_def(id).doc),
            crate::erl::spec(&atom(&name), &[], &value),
            function(&atom(&name), &[Clause::new(vec![], vec![body])]),
        ]);
        self.export(&name, 0, doc);
    }

    /// `messages/0`: the registry.
    fn messages(&mut self) {
        let entries = self.schema.messages.iter().map(|message| {
            let full = self.schema.type_def(message.record).name.full();
            let id = message.id.map_or_else(|| "undefined".to_owned(), |id| id.to_string());
            text(format!("{{{}, {}, {id}}}", crate::erl::utf8_binary(&full), self.names.atom(message.record)))
        });
        let body = crate::erl::list(entries.collect::<Vec<_>>());
        let doc = concat([
            crate::erl::spec(
                "messages",
                &[],
                "[{FullName :: binary(), Record :: atom(), Id :: non_neg_integer() | undefined}]",
            ),
            function("messages", &[Clause::new(vec![], vec![body])]),
        ]);
        self.export("messages", 0, doc);
    }

    /// `NAME.hrl`
    pub fn header(&mut self, request: &Request<'_>) -> String {
        let guard = format!("{}_HRL", self.names.module.to_uppercase());
        let mut parts = vec![self.first_lines(request), text(format!("-ifndef({guard}).")), hard()];
        parts.extend([text(format!("-define({guard}, true).")), hard(), Doc::Blank]);
        for index in 0..self.schema.types.len() {
            parts.push(self.definition(TypeId(index as u32)));
        }
        parts.extend([text("-endif."), hard()]);
        concat(parts).print(WIDTH)
    }

    fn first_lines(&self, request: &Request<'_>) -> Doc {
        let schema = self.schema;
        let origin = if schema.package.is_empty() { &request.stem } else { &schema.package };
        let version = schema.version.as_ref().map(|v| format!(" version {v}")).unwrap_or_default();
        let mut parts = vec![
            text(format!(
                "%% Generated by aldis {} from {origin}{version}, schema {}. Do not edit.",
                request.version, schema.hash
            )),
            hard(),
        ];
        for line in schema.doc.lines() {
            parts.extend([text(format!("%% {line}").trim_end().to_owned()), hard()]);
        }
        concat(parts)
    }

    /// `NAME.erl`
    pub fn module(&self, request: &Request<'_>) -> String {
        let mut sections = Vec::new();
        for (index, def) in self.schema.types.iter().enumerate() {
            let functions: Vec<Doc> = self.functions_of(index).cloned().collect();
            if functions.is_empty() {
                continue;
            }
            let line = text(format!("%% {}", "-".repeat(77)));
            let tables = layout_tables(self, TypeId(index as u32));
            sections.push(concat([
                line.clone(),
                hard(),
                title(def),
                tables,
                line,
                hard(),
                Doc::Blank,
                concat(functions),
            ]));
        }
        let whole: Vec<Doc> = self.functions_of(WHOLE).cloned().collect();
        let line = format!("%% {}", "-".repeat(77));
        sections.push(concat([
            text(line.as_str()),
            hard(),
            text("%% The whole schema"),
            hard(),
            text(line.as_str()),
            hard(),
            Doc::Blank,
            concat(whole),
        ]));
        let body = concat(sections).print(WIDTH);
        let used = used_helpers(&body);
        let macros = used_macros(&body);
        let mut out = self.preamble(request, &used, &macros).print(WIDTH);
        out.push_str(&body);
        if !used.is_empty() {
            let heading = format!("\n{line}\n%% Helpers\n{line}\n\n");
            out.push_str(&heading);
            let helpers: Vec<Doc> = used.iter().map(|helper| helper_function(helper)).collect();
            out.push_str(&concat(helpers).print(WIDTH));
        }
        let end = out.trim_end().len();
        out.truncate(end);
        out.push('\n');
        out
    }

    fn preamble(&self, request: &Request<'_>, used: &[&str], macros: &[&str]) -> Doc {
        let module = &self.names.module;
        let mut parts = vec![self.first_lines(request), text(format!("-module({module}).")), hard(), Doc::Blank];
        parts.extend([text(format!("-include(\"{module}.hrl\").")), hard(), Doc::Blank]);
        for exports in self.exports().values() {
            parts.push(text("-export(["));
            parts.push(hard());
            let items: Vec<Doc> = exports.iter().map(|export| text(format!("    {export}"))).collect();
            parts.push(aldis_emit::doc::join(concat([text(","), hard()]), items));
            parts.extend([hard(), text("])."), hard()]);
        }
        parts.extend([Doc::Blank, text(format!("-on_load({NEEDS}/0).")), hard(), Doc::Blank]);
        for line in macros {
            parts.extend([text(*line), hard()]);
        }
        parts.push(Doc::Blank);
        let helpers = used.iter().map(|helper| format!("{helper}/{}", helper_arity(helper)));
        let inline: Vec<Doc> = helpers.chain(self.inlined.iter().cloned()).map(text).collect();
        if !inline.is_empty() {
            parts.extend([bracketed("-compile({inline, [", inline, "]}).", INDENT), hard(), Doc::Blank]);
        }
        let call = format!("aldis_runtime:needs(?MODULE, \"{RUNTIME}\")");
        parts.push(function(NEEDS, &[Clause::new(vec![], vec![text(call)])]));
        concat(parts)
    }
}

/// The helpers that `body` calls.
pub(crate) fn used_helpers(body: &str) -> Vec<&'static str> {
    HELPERS.into_iter().filter(|helper| calls(body, helper)).collect()
}

/// The definitions of the macros that `body` uses.
pub(crate) fn used_macros(body: &str) -> Vec<&'static str> {
    MACROS.into_iter().filter(|(name, _)| body.contains(name)).map(|(_, line)| line).collect()
}

/// Whether `body` calls a function of exactly that name.
fn calls(body: &str, name: &str) -> bool {
    let call = format!("{name}(");
    body.match_indices(&call).any(|(at, _)| {
        let before = body[..at].chars().next_back();
        !before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '\'' | '@'))
    })
}

pub(crate) fn helper_arity(name: &str) -> usize {
    match name {
        "bool" | "has" => 1,
        _ => 2,
    }
}

pub(crate) fn helper_function(name: &str) -> Doc {
    let clauses = match name {
        "nullable" => vec![Clause::plain(&["Null", "Null"], "undefined"), Clause::plain(&["Value", "_"], "Value")],
        "or_null" => vec![Clause::plain(&["undefined", "Null"], "Null"), Clause::plain(&["Value", "_"], "Value")],
        "bool" => vec![Clause::plain(&["true"], "1"), Clause::plain(&["false"], "0")],
        "text_size" => within("Text", "is_binary(Text), byte_size(Text) =< Most", "byte_size(Text)"),
        "list_size" => within("List", "length(List) =< Most", "length(List)"),
        "has" => vec![Clause::plain(&["undefined"], "0"), Clause::plain(&["_"], "1")],
        _ => vec![Clause::plain(&["undefined", "_"], "0"), Clause::plain(&["_", "At"], "At")],
    };
    function(name, &clauses)
}

/// The clauses of `f(Value, Most)`, which finds a size that is no more.
fn within(value: &str, guard: &str, size: &str) -> Vec<Clause> {
    let usual =
        Clause { args: vec![text(value), text("Most")], guards: vec![guard.to_owned()], body: vec![text(size)] };
    vec![usual, Clause::plain(&["_", "_"], text(crate::erl::UNUSUAL))]
}
