//! The generated files as a whole.

use crate::code::Expr;
use crate::erl::{atom, fill, function, Atom, Clause, Functions, WIDTH};
use crate::exports::{exports, has_open_values};
use crate::gen::{Gen, Made};
use crate::modules::{facet_of, Facet, Module, ENTRY};
use crate::reserved::BUILT_IN_FUNCTIONS;
use crate::tables::layout_tables;
use crate::types::title;
use crate::wire::Wire;
use aldis_emit::doc::{concat, hard, text, Doc};
use aldis_emit::{OutputFile, Request, RUNTIME};
use aldis_plan::Container;
use aldis_schema::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// The names of helpers that stand at the module's end where something calls them.
const HELPERS: [&str; 8] = ["nullable", "or_null", "bool", "has", "at", "text_size", "list_size", "fixed_text"];

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
        "?WITHIN_WIDE_OR_NULL",
        "-define(WITHIN_WIDE_OR_NULL(Value, Min, Max), (Value =:= undefined orelse ?WITHIN_WIDE(Value, Min, Max))).",
    ),
    ("?WITHIN", "-define(WITHIN(Value, Min, Max), (is_integer(Value) andalso Value >= Min andalso Value =< Max))."),
    (
        "?WITHIN_OR_NULL",
        "-define(WITHIN_OR_NULL(Value, Min, Max),
    (Value =:= undefined orelse (is_integer(Value) andalso Value >= Min andalso Value =< Max))).",
    ),
    ("?GIVEN", "-define(GIVEN(Blob), case Blob of undefined -> <<>>; _ -> Blob end)."),
    (
        "?TEXT_WORDS",
        "%% Long texts are for the long way, which does not copy them.
-define(TEXT_WORDS(Text),
    case Text of undefined -> 0; _ when byte_size(Text) < 16#10000 -> byte_size(Text) bsr 3 + 1 end).",
    ),
    (
        "?TEXT_POINTER",
        "-define(TEXT_POINTER(Text, Place),
    case Text of undefined -> 0; _ -> ((byte_size(Text) + 1) bsl 35) + ((Place) bsl 2) + 16#200000001 end).",
    ),
    ("?TEXT_PADDING", "-define(TEXT_PADDING(Text), case Text of undefined -> 0; _ -> 8 - byte_size(Text) band 7 end)."),
    (
        "?BYTES_WORDS",
        "%% Long ones are for the long way, which does not copy them.
-define(BYTES_WORDS(Bytes),
    case Bytes of undefined -> 0; _ when byte_size(Bytes) < 16#10000 -> (byte_size(Bytes) + 7) bsr 3 end).",
    ),
    (
        "?BYTES_POINTER",
        "-define(BYTES_POINTER(Bytes, Place),
    case Bytes of undefined -> 0; _ -> (byte_size(Bytes) bsl 35) + ((Place) bsl 2) + 16#200000001 end).",
    ),
    (
        "?BYTES_PADDING",
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
        let records = (0..self.schema.types.len()).map(|index| TypeId(index as u32));
        let records: Vec<TypeId> = records.filter(|&id| self.is_record(id)).collect();
        // Later facets call the functions that the first ones define.
        for (form, wire) in self.wires.clone().into_iter().enumerate() {
            self.facet = facet_of(&wire, form);
            records.iter().for_each(|&id| self.form_functions(wire, form, id));
        }
        for facet in [Facet::Views, Facet::Json] {
            self.facet = facet;
            records.iter().for_each(|&id| self.facet_functions(id));
        }
        self.facet = Facet::Main;
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
        exports(self.names, self.schema, &suffixes, header, self.parts)
            .iter()
            .for_each(|export| self.reserve(&export.name));
    }

    /// The exported functions of a record in one wire form.
    fn form_functions(&mut self, wire: Wire<'a>, form: usize, id: TypeId) {
        self.enter(id.index());
        if form == 0 {
            self.new_function(id);
        }
        let Some(message) = crate::decode::message::message_of(&wire, id) else { return };
        match wire.plan.container {
            Container::Segments(form) => self.segment_functions(wire, form, message),
            Container::Plain => {
                self.encode_functions(wire, message);
                self.decode_functions(wire, message);
            }
        }
        if form == 0 && has_open_values(self.schema) {
            self.open_functions(message);
        }
    }

    /// The exported functions of a record that no form has for itself.
    fn facet_functions(&mut self, id: TypeId) {
        self.enter(id.index());
        let main = self.wires[0];
        let Some(message) = crate::decode::message::message_of(&main, id) else { return };
        match self.facet {
            Facet::Views if self.parts.views => self.views(main, message),
            Facet::Json if self.parts.json => self.json_functions(id),
            _ => {}
        }
    }

    fn new_function(&mut self, id: TypeId) {
        let name = format!("new_{}", self.names.of(id));
        let body = self.record_of_defaults(id, crate::literal::Fresh::Made);
        let value = self.value_type(id);
        let head =
            concat([crate::erl::edoc(&self.schema.type_def(id).doc), crate::erl::spec(atom(&name), &[], &value)]);
        self.export(&name, &[], head, function(atom(&name), &[Clause::new([""], [body])]));
    }

    /// `messages/0`: the registry.
    fn messages(&mut self) {
        let entries = self.schema.messages.iter().map(|message| {
            let full = self.schema.type_def(message.record).name.full();
            let id = message.id.map_or_else(|| "undefined".to_owned(), |id| id.to_string());
            Expr::from(format!("{{{}, {}, {id}}}", crate::erl::utf8_binary(&full), self.names.atom(message.record)))
        });
        let body = crate::erl::list(entries.collect::<Vec<_>>());
        let head = crate::erl::spec(
            "messages",
            &[],
            "[{FullName :: binary(), Record :: atom(), Id :: non_neg_integer() | undefined}]",
        );
        self.export("messages", &[], head, function("messages", &[Clause::new([""], [body])]));
    }

    /// The header file: `NAME.hrl` and, where there are several units, one of each that it includes.
    pub fn headers(&mut self, request: &Request<'_>) -> Vec<OutputFile> {
        let modules = self.modules.clone();
        let mut files = Vec::new();
        for (unit, types) in modules.units().into_iter().enumerate() {
            let others = modules.reached(self.schema, unit).into_iter().filter(|&other| other != unit);
            let others: Vec<&str> = others.map(|other| modules.unit_name(other)).collect();
            files.push(self.header(request, modules.unit_name(unit), &others, &types));
        }
        if modules.several() {
            let units: Vec<&str> = (0..files.len()).map(|unit| modules.unit_name(unit)).collect();
            files.insert(0, self.header(request, &self.names.module, &units, &[]));
        }
        files
    }

    fn header(&mut self, request: &Request<'_>, name: &str, others: &[&str], types: &[TypeId]) -> OutputFile {
        let guard = format!("{}_HRL", name.to_uppercase());
        let mut parts = vec![self.first_lines(request), text(format!("-ifndef({guard}).")), hard()];
        parts.extend([text(format!("-define({guard}, true).")), hard(), Doc::Blank]);
        for other in others {
            parts.extend([text(format!("-include(\"{other}.hrl\").")), hard()]);
        }
        parts.extend((!others.is_empty()).then_some(Doc::Blank));
        parts.extend(types.iter().map(|&id| self.definition(id)));
        parts.extend([text("-endif."), hard()]);
        crate::file(format!("{name}.hrl"), concat(parts).print(WIDTH))
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

    /// All modules: `NAME.erl`, which users call, and those behind it.
    pub fn sources(&self, request: &Request<'_>) -> Vec<OutputFile> {
        let mut modules: BTreeMap<Module, BTreeMap<usize, Vec<&Made>>> = BTreeMap::new();
        for made in self.functions() {
            modules.entry(made.module).or_default().entry(made.section).or_default().push(made);
        }
        let file = |(module, sections)| {
            let text = self.source(request, module, &sections);
            crate::file(format!("{}.erl", self.modules.name(module)), text)
        };
        modules.into_iter().map(file).collect()
    }

    fn source(&self, request: &Request<'_>, module: Module, sections: &BTreeMap<usize, Vec<&Made>>) -> String {
        let line = format!("%% {}\n", "-".repeat(77));
        let (mut body, mut called) = (String::new(), BTreeSet::new());
        for (&section, made) in sections {
            // Behind a row of functions there is no empty line yet.
            if !body.is_empty() && !body.ends_with("\n\n") {
                body.push('\n');
            }
            body.push_str(&self.section_title(module, section, &line));
            for made in made {
                body.push_str(&made.text);
                called.extend(&made.called);
            }
        }
        let used = used_helpers(&called);
        let macros = used_macros(&called);
        let mut out = self.preamble(request, module, sections, (&used, &macros)).print(WIDTH);
        out.push_str(&body);
        if !used.is_empty() {
            out.push_str(&format!("\n{line}%% Helpers\n{line}\n"));
            used.iter().for_each(|helper| out.push_str(&helper_function(helper).doc.print(WIDTH)));
        }
        let end = out.trim_end().len();
        out.truncate(end);
        out.push('\n');
        out
    }

    /// The words in front of a type's functions: its name alone where its layout is in another module.
    fn section_title(&self, module: Module, section: usize, line: &str) -> String {
        let Some(def) = self.schema.types.get(section) else { return format!("{line}%% The whole schema\n{line}\n") };
        let id = TypeId(section as u32);
        let title = title(def).print(WIDTH);
        match self.modules.of(id, Facet::Main) == module {
            true => format!("{line}{title}{}{line}\n", layout_tables(self, id).print(WIDTH)),
            false => format!("%% {}\n\n", def.name.full()),
        }
    }

    fn preamble(
        &self,
        request: &Request<'_>,
        module: Module,
        sections: &BTreeMap<usize, Vec<&Made>>,
        (used, macros): (&[&str], &[&str]),
    ) -> Doc {
        let name = self.modules.name(module);
        let mut parts = vec![self.first_lines(request)];
        parts.extend((module != ENTRY).then(|| concat([text(self.behind()), hard()])));
        parts.extend([text(format!("-module({name}).")), hard(), Doc::Blank]);
        let headers = match self.modules.unit(module) {
            Some(unit) if self.modules.several() => {
                let units = self.modules.reached(self.schema, unit);
                units.into_iter().map(|unit| self.modules.unit_name(unit)).collect()
            }
            _ => vec![self.names.module.as_str()],
        };
        for header in headers {
            parts.extend([text(format!("-include(\"{header}.hrl\").")), hard()]);
        }
        parts.push(Doc::Blank);
        parts.extend(self.export_lines(module, sections));
        parts.push(Doc::Blank);
        if module == ENTRY {
            parts.extend([text(format!("-on_load({NEEDS}/0).")), hard(), Doc::Blank]);
        }
        for line in macros {
            parts.extend([text(*line), hard()]);
        }
        parts.push(Doc::Blank);
        let helpers = used.iter().map(|helper| format!("{helper}/{}", helper_arity(helper)));
        let own = sections.values().flatten().flat_map(|made| &made.heads);
        let own: BTreeSet<(Atom, usize)> = own.cloned().collect();
        let inlined = self.inlined.intersection(&own).map(|(name, arity)| format!("{name}/{arity}"));
        let inline: Vec<Doc> = helpers.chain(inlined).map(text).collect();
        if !inline.is_empty() {
            parts.extend([fill("-compile({inline, [", inline, "]})."), hard(), Doc::Blank]);
        }
        let unmatched = sections.values().flatten().flat_map(|made| &made.unmatched);
        let unmatched: Vec<Doc> = unmatched.map(|(name, arity)| text(format!("{name}/{arity}"))).collect();
        if !unmatched.is_empty() {
            parts.extend([text("%% The last clauses are for values of other types."), hard()]);
            parts.extend([fill("-dialyzer({no_match, [", unmatched, "]})."), hard(), Doc::Blank]);
        }
        if module == ENTRY {
            let call = format!("aldis_runtime:needs(?MODULE, \"{RUNTIME}\")");
            parts.push(function(NEEDS, &[Clause::new([""], [call])]).doc);
        }
        concat(parts)
    }

    /// The `-export` lines of a module: of what users call, and of what other modules of the codec do.
    fn export_lines(&self, module: Module, sections: &BTreeMap<usize, Vec<&Made>>) -> Vec<Doc> {
        let mut parts = Vec::new();
        let public: BTreeSet<&String> = self.exports().values().flatten().collect();
        let heads: Vec<String> = sections
            .values()
            .flatten()
            .flat_map(|made| &made.heads)
            .filter(|(name, _)| self.is_crossed(module, name))
            .map(|(name, arity)| format!("{name}/{arity}"))
            .filter(|head| module != ENTRY || !public.contains(head))
            .collect();
        let used = self.exports().values().filter(|_| module == ENTRY).flatten().cloned().collect::<Vec<_>>();
        let told = (module == ENTRY).then_some("%% For the modules of this codec alone.");
        for (exports, told) in [(used, None), (heads, told)].iter().filter(|(exports, _)| !exports.is_empty()) {
            parts.extend(told.map(|told| concat([text(told), hard()])));
            parts.extend([fill("-export([", exports.iter().map(|export| text(export.as_str())), "])."), hard()]);
        }
        parts
    }

    /// The line of a module that users do not call.
    fn behind(&self) -> String {
        format!("%% @private A part of {}, which is what users call.", self.names.module)
    }
}

/// The helpers among what functions call.
pub(crate) fn used_helpers(called: &BTreeSet<&String>) -> Vec<&'static str> {
    HELPERS.into_iter().filter(|helper| called.contains(&(*helper).to_owned())).collect()
}

/// The definitions of the macros among what functions call. The wide one with null stands on the one without.
pub(crate) fn used_macros(called: &BTreeSet<&String>) -> Vec<&'static str> {
    let has = |name: &str| called.contains(&name.to_owned());
    let used = |name: &str| has(name) || name == "?WITHIN_WIDE" && has("?WITHIN_WIDE_OR_NULL");
    MACROS.into_iter().filter(|(name, _)| used(name)).map(|(_, line)| line).collect()
}

pub(crate) fn helper_arity(name: &str) -> usize {
    match name {
        "bool" | "has" => 1,
        "fixed_text" => 3,
        _ => 2,
    }
}

pub(crate) fn helper_function(name: &str) -> Functions {
    let clauses = match name {
        "nullable" => vec![Clause::new(["Null", "Null"], ["undefined"]), Clause::new(["Value", "_"], ["Value"])],
        "or_null" => vec![Clause::new(["undefined", "Null"], ["Null"]), Clause::new(["Value", "_"], ["Value"])],
        "bool" => vec![Clause::new(["true"], ["1"]), Clause::new(["false"], ["0"])],
        "text_size" => within("Text", "is_binary(Text), byte_size(Text) =< Most", "byte_size(Text)"),
        "list_size" => within("List", "length(List) =< Most", "length(List)"),
        "fixed_text" => fixed_text(),
        "has" => vec![Clause::new(["undefined"], ["0"]), Clause::new(["_"], ["1"])],
        _ => vec![Clause::new(["undefined", "_"], ["0"]), Clause::new(["_", "At"], ["At"])],
    };
    function(atom(name), &clauses)
}

/// The clauses of `f(Number, Bits, LowestBits)`, which makes text of the number that its bytes are, up to a NUL. `LowestBits` has the
/// lowest bit of each byte: a byte whose highest bit is set by a borrow
/// alone is a NUL, as in `HAS_NUL` of `aldis_text`, which cannot be inlined here.
fn fixed_text() -> Vec<Clause> {
    let without_nul = "(Number - LowestBits) band bnot Number band (LowestBits bsl 7) =:= 0";
    vec![
        Clause::new(["Number, Bits, LowestBits"], ["<<Number:Bits>>"]).when(without_nul),
        Clause::new(["Number, Bits, _"], ["aldis_text:cut(<<Number:Bits>>)"]),
    ]
}

/// The clauses of `f(Value, Most)`, which finds a size that is no more.
fn within(value: &str, guard: &str, size: &str) -> Vec<Clause> {
    let usual = Clause::new([value, "Most"], [size]).when(guard);
    vec![usual, Clause::new(["_", "_"], [crate::erl::UNUSUAL])]
}
