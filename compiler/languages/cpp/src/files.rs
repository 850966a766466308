//! The headers, put together.

use crate::code::{doc, line, rule, Stmt, WIDTH};
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::fold::fold;
use crate::gen::{Gen, Wire};
use crate::header;
use crate::message;
use crate::names::Site;
use crate::segments::{self, Segments};
use crate::view::Viewer;
use crate::writer::Writers;
use aldis_emit::needs::Needs;
use aldis_emit::Request;
use aldis_schema::TypeId;

impl Gen<'_> {
    /// `proto.hpp`: types and codecs.
    pub fn header(&self, request: &Request<'_>) -> String {
        let content = print(&self.codecs());
        let mut parts = self.first_lines(request);
        parts.push(line("#pragma once"));
        parts.push(Stmt::Blank);
        parts.extend(contract());
        let used = |(_, names): &&(&str, &[&str])| names.is_empty() || names.iter().any(|name| content.contains(name));
        parts.extend(STANDARD.iter().filter(used).map(|(header, _)| line(format!("#include <{header}>"))));
        parts.push(Stmt::Blank);
        let runtime = if self.segments().is_some() { SEGMENTS } else { RUNTIME };
        parts.extend(runtime.iter().filter(used).map(|(header, _)| line(format!("#include <aldis/{header}.hpp>"))));
        parts.push(Stmt::Blank);
        print(&parts) + "\n" + &content
    }

    /// The declarations of `proto.hpp` in its namespace.
    fn codecs(&self) -> Vec<Stmt> {
        let mut parts = vec![self.open()];
        parts.push(Stmt::Blank);
        parts.extend(self.types());
        for wire in self.plain() {
            parts.extend(self.wire(wire));
        }
        if let Some(wire) = self.segments() {
            parts.extend(Segments { gen: self, plan: wire.plan }.codecs(wire));
        }
        parts.push(rule("Messages"));
        for wire in &self.wires {
            parts.extend(match wire.segments() {
                Some(_) => segments::functions(self, wire),
                None => message::functions(wire),
            });
            parts.extend(header::functions(self, wire));
        }
        parts.extend(message::dispatch(self));
        parts.push(self.close());
        parts
    }

    /// `proto_json.hpp`
    pub fn json_header(&self, request: &Request<'_>) -> String {
        let mut parts = self.first_lines(request);
        parts.extend([line("#pragma once"), Stmt::Blank]);
        parts.extend([line(format!("#include \"{}.hpp\"", self.names.module)), Stmt::Blank]);
        parts.push(line("#include <aldis/json.hpp>"));
        if self.has_shapes() {
            parts.push(line("#include <aldis/json/shaped.hpp>"));
        }
        parts.push(Stmt::Blank);
        parts.push(self.open());
        parts.push(Stmt::Blank);
        parts.extend(self.json());
        parts.push(self.close());
        print(&parts)
    }

    /// `proto_view.hpp`
    pub fn view_header(&self, request: &Request<'_>) -> String {
        if let Some(wire) = self.segments() {
            let views = Segments { gen: self, plan: wire.plan }.views(wire);
            let functions = self.wires.iter().flat_map(|wire| segments::verify_function(self, wire));
            return self.header_beside(request, "segments/view", views.into_iter().chain(functions));
        }
        let viewers: Vec<Viewer<'_, '_>> = self.plain().map(|wire| Viewer::new(self, wire)).collect();
        let parts = viewers.iter().flat_map(Viewer::parts);
        self.header_beside(request, "view", parts.chain(viewers.iter().flat_map(Viewer::function)))
    }

    /// `proto_writer.hpp`
    pub fn writer_header(&self, request: &Request<'_>) -> String {
        if let Some(wire) = self.segments() {
            let writers = Segments { gen: self, plan: wire.plan }.writers(wire);
            let content = writers.into_iter().chain(segments::write_function(self));
            return self.header_beside(request, "segments/drafts", content);
        }
        let writers: Vec<Writers<'_, '_>> = self.plain().map(|wire| Writers::new(self, wire)).collect();
        let parts = writers.iter().flat_map(Writers::parts);
        self.header_beside(request, "draft", parts.chain(writers.iter().flat_map(Writers::function)))
    }

    /// A header of its own that stands on the types and codecs and on one header of the runtime. Theirs goes first: it says which
    /// version of the runtime is needed.
    pub fn header_beside(&self, request: &Request<'_>, runtime: &str, content: impl Iterator<Item = Stmt>) -> String {
        let mut parts = self.first_lines(request);
        parts.extend([line("#pragma once"), Stmt::Blank]);
        parts.extend([line(format!("#include \"{}.hpp\"", self.names.module)), Stmt::Blank]);
        parts.extend([line(format!("#include <aldis/{runtime}.hpp>")), Stmt::Blank]);
        parts.extend([self.open(), Stmt::Blank]);
        parts.extend(content);
        parts.push(self.close());
        print(&parts)
    }

    fn first_lines(&self, request: &Request<'_>) -> Vec<Stmt> {
        let mut parts = vec![line(format!(
            "// Generated by aldis {} from schema {}. Do not edit.",
            request.version, self.schema.hash
        ))];
        parts.extend(self.schema.doc.lines().map(|text| crate::types::comment_line("//", text)));
        parts
    }

    fn open(&self) -> Stmt {
        line(format!("namespace {} {{", self.names.namespace))
    }

    fn close(&self) -> Stmt {
        line(format!("}}  // namespace {}", self.names.namespace))
    }

    fn types(&self) -> Vec<Stmt> {
        let mut parts = vec![rule("Types")];
        for index in 0..self.schema.types.len() {
            parts.extend(self.enumeration(TypeId(index as u32)));
        }
        for id in self.records() {
            parts.push(line(format!("struct {};", self.names.of(id))));
        }
        parts.push(Stmt::Blank);
        parts.extend(self.comparisons_first());
        for id in self.by_containment() {
            match self.is_union(id) {
                true => parts.extend(self.union_definition(id)),
                false => parts.extend(self.record_definition(id)),
            }
        }
        parts.extend(self.constructions());
        parts.extend(self.comparisons());
        parts
    }

    /// Orders are declared before the types whose sets and maps use them.
    fn comparisons_first(&self) -> Vec<Stmt> {
        let declared = self.comparisons().into_iter().take_while(|stmt| matches!(stmt, Stmt::Line(_)));
        let mut parts: Vec<Stmt> = declared.collect();
        parts.push(Stmt::Blank);
        parts
    }

    /// The readers and writers of one form, type by type.
    fn wire(&self, wire: &Wire<'_>) -> Vec<Stmt> {
        let (decoder, encoder) = (Decoder { gen: self, wire }, Encoder { gen: self, wire, site: Site::Namespace });
        let mut parts = vec![rule(&format!("Form {}", wire.plan.form.name))];
        parts.push(line(format!("namespace {} {{", wire.namespace)));
        parts.push(Stmt::Blank);
        parts.push(line(format!("inline constexpr std::endian byte_order = {};", wire.order())));
        let Needs { budget, depth, .. } = wire.needs;
        let watched = format!("aldis::watched{{.budget = {budget}, .depth = {depth}}}");
        parts.push(line(format!("using reader = aldis::reader<byte_order, {watched}>;")));
        parts.push(Stmt::Blank);
        parts.extend(decoder.declarations());
        parts.extend(encoder.declarations());
        parts.push(Stmt::Blank);
        for layout in wire.plan.layouts.iter().flatten() {
            parts.push(Stmt::Comment(format!("---- {}", self.schema.type_def(layout.record).name.full())));
            parts.push(Stmt::Blank);
            parts.extend(decoder.record(layout.record));
            parts.extend(encoder.record(layout.record));
        }
        parts.push(Stmt::Comment("---- messages".into()));
        parts.push(Stmt::Blank);
        parts.push(line("/// How a message of type T travels."));
        parts.push(line("template <class T>"));
        parts.push(line("struct message_of;"));
        parts.push(Stmt::Blank);
        for message in &wire.plan.messages {
            parts.extend(message::description(self, wire, message));
        }
        parts.push(line("/// The types that are messages of this form."));
        parts.push(line("template <class T>"));
        parts.push(line("concept message = requires { typename message_of<T>::reader_type; };"));
        parts.push(Stmt::Blank);
        parts.push(line(format!("}}  // namespace {}", wire.namespace)));
        parts.push(Stmt::Blank);
        parts
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

/// Headers of the standard library, and what code that needs them mentions; all code needs those without.
const STANDARD: &[(&str, &[&str])] = &[
    ("array", &["std::array<"]),
    ("bit", &["std::endian"]),
    ("cstddef", &[]),
    ("cstdint", &[]),
    ("cstring", &["std::memcpy", "std::memset"]),
    ("limits", &["std::numeric_limits<"]),
    ("map", &["std::map<", "std::pmr::map<"]),
    ("memory", &["std::make_obj_using_allocator<"]),
    ("memory_resource", &["std::pmr::"]),
    ("optional", &["std::optional<", "std::nullopt"]),
    ("set", &["std::set<", "std::pmr::set<"]),
    ("span", &[]),
    ("string", &["std::string ", "std::string&", "std::string>", "std::string,", "std::string(", "std::pmr::string"]),
    ("string_view", &[]),
    ("utility", &["std::move(", "std::pair<"]),
    ("variant", &["std::monostate"]),
    ("vector", &["std::vector<", "std::pmr::vector<"]),
];

/// Headers of the runtime, in the same way.
const RUNTIME: &[(&str, &[&str])] = &[
    ("codec", &[]),
    ("order", &["aldis::less", "aldis::compare"]),
    ("pmr", &["aldis::pmr::"]),
    ("reader", &[]),
    ("strict_text", &["aldis::take_counted_text<", "aldis::take_linked_text<", "aldis::is_text(", "aldis::is_chars<"]),
    ("values", &[]),
    ("writer", &[]),
];
const SEGMENTS: &[(&str, &[&str])] =
    &[("choice", &[]), ("pmr", &["aldis::pmr::"]), ("segments/codec", &[]), ("values", &[])];

pub(crate) fn print(parts: &[Stmt]) -> String {
    let mut text = fold(&doc(parts).print(WIDTH));
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text
}
