//! The headers, put together: one of what all stand on, one of each unit of types, one that includes all; and beside each
//! those of JSON, views and writers.

use crate::code::{doc, line, rule, Stmt, WIDTH};
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::fold::fold;
use crate::gen::{Gen, Wire};
use crate::header;
use crate::message;
use crate::names::Site;
use crate::segments::{self, Segments};
use crate::units::{Unit, FORMS, KINDS, MESSAGES};
use crate::view::Viewer;
use crate::writer::Writers;
use aldis_emit::needs::Needs;
use aldis_emit::{OutputFile, Request};
use aldis_schema::Type;
use std::collections::BTreeSet;

/// The headers of a schema.
pub(crate) struct Headers<'g, 'a> {
    gen: &'g Gen<'a>,
    request: &'g Request<'g>,
    viewers: Vec<Viewer<'g, 'a>>,
    writers: Vec<Writers<'g, 'a>>,
    segments: Option<(&'g Wire<'a>, Segments<'g, 'a>)>,
}

impl<'g, 'a> Headers<'g, 'a> {
    pub fn new(gen: &'g Gen<'a>, request: &'g Request<'g>) -> Self {
        let viewers = gen.plain().map(|wire| Viewer::new(gen, wire)).collect();
        let writers = gen.plain().map(|wire| Writers::new(gen, wire)).collect();
        let segments = gen.segments().map(|wire| (wire, Segments { gen, plan: wire.plan }));
        Self { gen, request, viewers, writers, segments }
    }

    pub fn all(&self) -> Vec<OutputFile> {
        let mut files: Vec<OutputFile> = KINDS.iter().map(|kind| self.including_all(kind)).collect();
        for kind in KINDS {
            files.push(self.within(&format!("{FORMS}{kind}"), self.forms_includes(kind), self.common(kind)));
        }
        if !self.gen.schema.messages.is_empty() {
            files.push(self.within(MESSAGES, vec![own(FORMS)], message::dispatch(self.gen)));
        }
        for unit in &self.gen.units.all {
            for kind in KINDS.iter().filter(|kind| self.is_in(unit, kind)) {
                let (includes, content) = (self.unit_includes(unit, kind), self.content(unit, kind));
                files.push(self.within(&format!("{}{kind}", unit.stem), includes, content));
            }
        }
        files
    }

    /// `market.hpp`, `market_json.hpp` …: all headers of one kind.
    fn including_all(&self, kind: &str) -> OutputFile {
        let module = &self.gen.names.module;
        let mut parts = first_lines(self.gen, self.request);
        if !kind.is_empty() {
            parts.push(line(format!("#include \"{module}.hpp\"")));
        }
        let messages = (kind.is_empty() && !self.gen.schema.messages.is_empty()).then_some(MESSAGES.to_owned());
        let units = self.gen.units.all.iter().filter(|unit| self.is_in(unit, kind));
        let units = units.map(|unit| format!("{}{kind}", unit.stem));
        let names = std::iter::once(format!("{FORMS}{kind}")).chain(messages).chain(units);
        parts.extend(names.map(|name| line(format!("#include \"{module}/{name}.hpp\""))));
        OutputFile { path: format!("{module}{kind}.hpp"), text: print(&parts), executable: false }
    }

    /// Whether a unit has a header of that kind: enumerations have no views and no writers.
    fn is_in(&self, unit: &Unit, kind: &str) -> bool {
        matches!(kind, "" | "_json") || !unit.ordered.is_empty()
    }

    /// A header in the folder of the schema.
    fn within(&self, name: &str, includes: Vec<Stmt>, content: Vec<Stmt>) -> OutputFile {
        let mut parts = first_lines(self.gen, self.request);
        parts.extend(includes);
        parts.push(Stmt::Blank);
        if !content.is_empty() {
            parts.extend([open(self.gen), Stmt::Blank]);
            parts.extend(content);
            parts.push(close(self.gen));
        }
        OutputFile { path: format!("{}/{name}.hpp", self.gen.names.module), text: print(&parts), executable: false }
    }

    /// The headers of the standard library and of the runtime that those of one kind stand on.
    fn forms_includes(&self, kind: &str) -> Vec<Stmt> {
        let gen = self.gen;
        let mut runtime = Vec::new();
        match kind {
            "" => {
                let mut parts = contract();
                let of_memory = gen.pmr().then_some("memory_resource");
                parts.extend(
                    STANDARD.iter().copied().chain(of_memory).map(|header| line(format!("#include <{header}>"))),
                );
                parts.push(Stmt::Blank);
                runtime.extend(if gen.segments().is_some() { SEGMENTS } else { RUNTIME });
                runtime.extend(gen.pmr().then_some("pmr"));
                runtime.extend((gen.strict_text && gen.segments().is_none()).then_some("strict_text"));
                parts.extend(runtime.into_iter().map(of_runtime));
                return parts;
            }
            "_json" => {
                runtime.push("json");
                runtime.extend(gen.has_shapes().then_some("json/shaped"));
            }
            "_view" => runtime.push(if self.segments.is_some() { "segments/view" } else { "view" }),
            _ => runtime.push(if self.segments.is_some() { "segments/drafts" } else { "draft" }),
        }
        let mut parts = vec![own(FORMS), Stmt::Blank];
        parts.extend(runtime.into_iter().map(of_runtime));
        parts
    }

    /// What a header of a unit includes.
    fn unit_includes(&self, unit: &Unit, kind: &str) -> Vec<Stmt> {
        let mut own_headers = BTreeSet::from([format!("{FORMS}{kind}")]);
        if !kind.is_empty() {
            own_headers.insert(unit.stem.clone());
        }
        let used = unit.uses.iter().map(|used| &self.gen.units.all[*used]).filter(|unit| self.is_in(unit, kind));
        own_headers.extend(used.map(|unit| format!("{}{kind}", unit.stem)));
        let mut parts: Vec<Stmt> = own_headers.iter().map(|name| own(name)).collect();
        if kind.is_empty() {
            let standard = self.gen.standard_headers(unit);
            parts.extend((!standard.is_empty()).then_some(Stmt::Blank));
            parts.extend(standard.iter().map(|header| match *header {
                "order" => of_runtime(header),
                _ => line(format!("#include <{header}>")),
            }));
        }
        parts
    }

    /// What the headers of all units stand on, and the functions that users call.
    fn common(&self, kind: &str) -> Vec<Stmt> {
        let gen = self.gen;
        match (kind, &self.segments) {
            ("", _) => gen.forms(),
            ("_json", _) => gen.json_common(),
            ("_view", Some((wire, segments))) => {
                let functions = gen.wires.iter().flat_map(|wire| segments::verify_function(gen, wire));
                segments.views_common(wire).into_iter().chain(functions).collect()
            }
            (_, Some((wire, segments))) => {
                segments.writers_common(wire).into_iter().chain(segments::write_function(gen)).collect()
            }
            ("_view", None) => {
                let common = self.viewers.iter().flat_map(Viewer::common);
                common.chain(self.viewers.iter().flat_map(Viewer::function)).collect()
            }
            (_, None) => {
                let common = self.writers.iter().flat_map(Writers::common);
                common.chain(self.writers.iter().flat_map(Writers::function)).collect()
            }
        }
    }

    /// What a header of a unit holds.
    fn content(&self, unit: &Unit, kind: &str) -> Vec<Stmt> {
        match (kind, &self.segments) {
            ("", _) => self.gen.codecs(unit),
            ("_json", _) => self.gen.json(unit),
            ("_view", Some((wire, segments))) => segments.views(wire, unit),
            (_, Some((wire, segments))) => segments.writers(wire, unit),
            ("_view", None) => self.viewers.iter().flat_map(|viewer| viewer.parts(unit)).collect(),
            (_, None) => self.writers.iter().flat_map(|writers| writers.parts(unit)).collect(),
        }
    }
}

impl Gen<'_> {
    /// What each form's readers and writers stand on, and the functions that users call.
    fn forms(&self) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for wire in self.plain() {
            parts.extend(form(wire));
        }
        if let Some(wire) = self.segments() {
            parts.extend(segments::common(wire));
        }
        for wire in &self.wires {
            parts.extend(match wire.segments() {
                Some(_) => segments::functions(self, wire),
                None => message::functions(wire),
            });
        }
        parts
    }

    /// The types of a unit with their readers and writers.
    fn codecs(&self, unit: &Unit) -> Vec<Stmt> {
        let mut parts = self.types(unit);
        for wire in self.plain() {
            parts.extend(self.wire(wire, unit));
        }
        if let Some(wire) = self.segments() {
            parts.extend(Segments { gen: self, plan: wire.plan }.codecs(wire, unit));
        }
        for wire in &self.wires {
            let header = wire.plan.header.as_ref().filter(|header| unit.has(header.record));
            parts.extend(header.into_iter().flat_map(|header| header::functions(self, wire, header)));
        }
        parts
    }

    fn types(&self, unit: &Unit) -> Vec<Stmt> {
        let mut parts: Vec<Stmt> = unit.types.iter().flat_map(|id| self.enumeration(*id)).collect();
        let records: Vec<Stmt> = unit
            .types
            .iter()
            .filter(|id| self.is_record(**id))
            .map(|id| line(format!("struct {};", self.names.of(*id))))
            .collect();
        if !records.is_empty() {
            parts.extend(records);
            parts.push(Stmt::Blank);
        }
        // Orders are declared before the types whose sets and maps use them.
        let [declared, compared] = self.comparisons(unit);
        parts.extend(declared);
        for id in &unit.ordered {
            match self.is_union(*id) {
                true => parts.extend(self.union_definition(*id)),
                false => parts.extend(self.record_definition(*id)),
            }
        }
        parts.extend(self.constructions(unit));
        parts.extend(compared);
        parts
    }

    /// The readers and writers of a unit in one form, type by type.
    fn wire(&self, wire: &Wire<'_>, unit: &Unit) -> Vec<Stmt> {
        if wire.layouts(unit).next().is_none() {
            return Vec::new();
        }
        let (decoder, encoder) = (Decoder { gen: self, wire }, Encoder { gen: self, wire, site: Site::Namespace });
        let mut parts = vec![rule(&format!("Form {}", wire.plan.form.name))];
        parts.push(line(format!("namespace {} {{", wire.namespace)));
        parts.push(Stmt::Blank);
        parts.extend(decoder.declarations(unit));
        parts.extend(encoder.declarations(unit));
        parts.push(Stmt::Blank);
        for layout in wire.layouts(unit) {
            parts.push(Stmt::Comment(format!("---- {}", self.schema.type_def(layout.record).name.full())));
            parts.push(Stmt::Blank);
            parts.extend(decoder.record(layout.record));
            parts.extend(encoder.record(layout.record));
        }
        for message in wire.messages(unit) {
            parts.extend(message::description(self, wire, message));
        }
        parts.push(line(format!("}}  // namespace {}", wire.namespace)));
        parts.push(Stmt::Blank);
        parts
    }

    /// Headers that a unit's types need beside those that all have.
    fn standard_headers(&self, unit: &Unit) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        for id in &unit.types {
            self.fields(*id).into_iter().for_each(|field| headers_of(&field.ty, &mut found));
            found.extend(self.is_union(*id).then_some("variant"));
            found.extend(self.is_key(*id).then_some("order"));
        }
        found
    }

    /// A header of its own that stands on the types and codecs and on one header of the runtime. Theirs goes first: it says which
    /// version of the runtime is needed.
    pub fn header_beside(&self, request: &Request<'_>, runtime: &str, content: impl Iterator<Item = Stmt>) -> String {
        let mut parts = first_lines(self, request);
        parts.extend([line(format!("#include \"{}.hpp\"", self.names.module)), Stmt::Blank]);
        parts.extend([of_runtime(runtime), Stmt::Blank]);
        parts.extend([open(self), Stmt::Blank]);
        parts.extend(content);
        parts.push(close(self));
        print(&parts)
    }
}

/// What the readers and writers of all units stand on.
fn form(wire: &Wire<'_>) -> Vec<Stmt> {
    let Needs { budget, depth, .. } = wire.needs;
    let watched = format!("aldis::watched{{.budget = {budget}, .depth = {depth}}}");
    vec![
        line(format!("namespace {} {{", wire.namespace)),
        Stmt::Blank,
        line(format!("inline constexpr std::endian byte_order = {};", wire.order())),
        line(format!("using reader = aldis::reader<byte_order, {watched}>;")),
        Stmt::Blank,
        line("/// How a message of type T travels."),
        line("template <class T>"),
        line("struct message_of;"),
        Stmt::Blank,
        line("/// The types that are messages of this form."),
        line("template <class T>"),
        line("concept message = requires { typename message_of<T>::reader_type; };"),
        Stmt::Blank,
        line(format!("}}  // namespace {}", wire.namespace)),
        Stmt::Blank,
    ]
}

fn first_lines(gen: &Gen<'_>, request: &Request<'_>) -> Vec<Stmt> {
    let hash = &gen.schema.hash;
    let mut parts = vec![line(format!("// Generated by aldis {} from schema {hash}. Do not edit.", request.version))];
    parts.extend(gen.schema.doc.lines().map(|text| crate::types::comment_line("//", text)));
    parts.extend([line("#pragma once"), Stmt::Blank]);
    parts
}

fn open(gen: &Gen<'_>) -> Stmt {
    line(format!("namespace {} {{", gen.names.namespace))
}

fn close(gen: &Gen<'_>) -> Stmt {
    line(format!("}}  // namespace {}", gen.names.namespace))
}

/// The inclusion of a header in the same folder.
fn own(name: &str) -> Stmt {
    line(format!("#include \"{name}.hpp\""))
}

fn of_runtime(name: &str) -> Stmt {
    line(format!("#include <aldis/{name}.hpp>"))
}

/// Headers that values of a type need.
fn headers_of(ty: &Type, found: &mut BTreeSet<&'static str>) {
    match ty {
        Type::Text(_) | Type::Chars { .. } => {
            found.insert("string");
        }
        Type::Bytes => {
            found.insert("vector");
        }
        Type::Void => {
            found.insert("variant");
        }
        Type::List(inner) => {
            found.insert("vector");
            headers_of(inner, found);
        }
        Type::Optional(inner) | Type::Array { element: inner, .. } => headers_of(inner, found),
        Type::Set(element) => {
            found.extend(["order", "set"]);
            headers_of(element, found);
        }
        Type::Map { key, value, .. } => {
            found.extend(["map", "order"]);
            headers_of(key, found);
            headers_of(value, found);
        }
        _ => {}
    }
}

/// What fails with words where the headers of the runtime are of another version.
fn contract() -> Vec<Stmt> {
    let version = aldis_emit::RUNTIME;
    let (major, minor) = version.split_once('.').expect("a version has two numbers");
    vec![
        line("#include <aldis/version.hpp>"),
        line(format!("#if ALDIS_VERSION_MAJOR != {major} || ALDIS_VERSION_MINOR != {minor}")),
        line(format!("#error \"This needs headers <aldis/...> of version {version}: take those, or generate it again with their aldis\"")),
        line("#endif"),
        Stmt::Blank,
    ]
}

/// Headers of the standard library that all code needs.
const STANDARD: [&str; 11] =
    ["array", "bit", "cstddef", "cstdint", "cstring", "limits", "memory", "optional", "span", "string_view", "utility"];

/// Headers of the runtime that all code needs, of plain messages and of those that are segments.
const RUNTIME: &[&str] = &["codec", "reader", "values", "writer"];
const SEGMENTS: &[&str] = &["choice", "segments/codec", "values"];

pub(crate) fn print(parts: &[Stmt]) -> String {
    let mut text = fold(&doc(parts).print(WIDTH));
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text
}
