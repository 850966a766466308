//! The headers, put together: one of what all stand on, one of each unit of types, one that includes all; and beside each
//! those of JSON, views and writers.

use crate::code::{code, doc, namespace, rule, stmt, Stmt, WIDTH};
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::gen::{Gen, Wire};
use crate::header;
use crate::keys::note_keys;
use crate::message;
use crate::names::Site;
use crate::segments::{self, Segments};
use crate::sheet::Sheet;
use crate::units::{Unit, FORMS, KINDS, MESSAGES};
use crate::view::Viewer;
use crate::writer::Writers;
use aldis_emit::doc::{concat, hard};
use aldis_emit::names::underscored;
use aldis_emit::needs::Needs;
use aldis_emit::{OutputFile, Request};
use aldis_schema::{Type, TypeId};
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
            files.push(self.forms(kind));
        }
        if !self.gen.schema.messages.is_empty() {
            files.push(self.within(MESSAGES, vec![own(FORMS)], in_namespace(self.gen, message::dispatch(self.gen))));
        }
        for unit in &self.gen.units.all {
            let Some((stem, has_content)) = unit.own() else { continue };
            for kind in KINDS.iter().filter(|kind| is_in(unit, kind)) {
                let mut includes =
                    if has_content { self.unit_includes(unit, kind) } else { vec![self.include(unit, kind)] };
                if kind.is_empty() && has_content {
                    includes.extend(self.gen.imported_orders(unit));
                }
                let mut sheet = Sheet::default();
                if has_content {
                    self.gen.qualifies.set(unit.is_mixed());
                    self.content(unit, kind, &mut sheet);
                }
                files.push(self.within(&format!("{stem}{kind}"), includes, sheet.print(self.gen)));
                self.gen.qualifies.set(false);
            }
            for name in &unit.inner {
                for kind in KINDS.iter().filter(|kind| is_in(unit, kind)) {
                    files.push(self.within(&format!("{name}{kind}"), vec![own(&format!("{stem}{kind}"))], Vec::new()));
                }
            }
        }
        files
    }

    /// `market.hpp`, `market_json.hpp` …: all headers of one kind.
    fn including_all(&self, kind: &str) -> OutputFile {
        let names = &self.gen.names;
        let module = &names.module;
        let mut parts = Vec::new();
        if !kind.is_empty() {
            parts.push(stmt!("#include \"{module}.hpp\""));
        }
        let messages = (kind.is_empty() && !self.gen.schema.messages.is_empty()).then_some(MESSAGES.to_owned());
        let headers = std::iter::once(format!("{FORMS}{kind}")).chain(messages);
        parts.extend(headers.map(|name| stmt!("#include \"{module}/{name}.hpp\"")));
        for unit in self.gen.units.all.iter().filter(|unit| is_in(unit, kind)) {
            let (origin, stem) = unit.own().map_or_else(|| unit.home(), |(stem, _)| (None, stem));
            parts.push(stmt!("#include \"{}/{stem}{kind}.hpp\"", names.folder(origin)));
        }
        if kind.is_empty() && !names.imported.is_empty() {
            parts.extend([Stmt::Blank, open(self.gen), Stmt::Blank]);
            parts.push(Stmt::Comment("Types of schemas that this one imports.".into()));
            let imported = self.gen.type_ids().filter(|id| names.origin_of(*id).is_some());
            parts.extend(imported.map(|id| stmt!("using {} = {};", names.label(id), names.qualified(id))));
            parts.extend([Stmt::Blank, close(self.gen)]);
        }
        let text = guarded(self.gen, self.request, &format!("{module}{kind}"), parts);
        OutputFile { path: format!("{module}{kind}.hpp"), text, executable: false }
    }

    /// The inclusion of a unit's header from the folder of the schema.
    fn include(&self, unit: &Unit, kind: &str) -> Stmt {
        match unit.home() {
            (None, stem) => own(&format!("{stem}{kind}")),
            (origin, stem) => own(&format!("../{}/{stem}{kind}", self.gen.names.folder(origin))),
        }
    }

    /// A header in the folder of the schema.
    fn within(&self, name: &str, includes: Vec<Stmt>, content: Vec<Stmt>) -> OutputFile {
        let parts = includes.into_iter().chain([Stmt::Blank]).chain(content).collect();
        let path = format!("{}/{name}", self.gen.names.module);
        let text = guarded(self.gen, self.request, &path, parts);
        OutputFile { path: path + ".hpp", text, executable: false }
    }

    /// The header that those of one kind stand on. The functions of schemas that this one imports are functions of this one too; theirs
    /// are included behind its own, as they may import this one.
    fn forms(&self, kind: &str) -> OutputFile {
        let (gen, names) = (self.gen, &self.gen.names);
        let mut includes = self.forms_includes(kind);
        let mut content = in_namespace(gen, self.common(kind));
        if kind.is_empty() {
            let digest = names.digest.iter().map(|digest| stmt!("#define {} 0x{digest}", digest_of(&names.namespace)));
            includes.splice(0..0, digest.chain([Stmt::Blank]));
        }
        for imported in &names.imported {
            content.extend([Stmt::Blank, own(&format!("../{}/{FORMS}{kind}", imported.module))]);
            if kind.is_empty() {
                let own = &imported.module;
                content.push(stmt!("#if {} != 0x{}", digest_of(&imported.namespace), imported.digest));
                content.extend([stmt!("#error \"{own} was generated from another {own} than this needs, or with other options: generate both again\""), stmt!("#endif")]);
            }
        }
        let verbs: &[&str] = match kind {
            "" => &["encode", "decode"],
            "_view" => &["verify"],
            "_writer" => &["write"],
            _ => &[],
        };
        let wires =
            gen.wires.iter().filter(|wire| kind != "_writer" || wire.segments().is_none() || self.is_first(wire));
        let functions: Vec<String> = wires.flat_map(|wire| verbs.iter().map(|verb| wire.function(verb))).collect();
        if !functions.is_empty() && !names.imported.is_empty() {
            let used = names
                .imported
                .iter()
                .flat_map(|imported| functions.iter().map(|name| stmt!("using ::{}::{name};", imported.namespace)));
            content.push(Stmt::Blank);
            content.extend(in_namespace(gen, used.chain([Stmt::Blank]).collect()));
        }
        self.within(&format!("{FORMS}{kind}"), includes, content)
    }

    /// Whether a form of segments is the one whose messages writers write.
    fn is_first(&self, wire: &Wire<'_>) -> bool {
        self.segments.as_ref().is_some_and(|(first, _)| first.namespace == wire.namespace)
    }

    /// The headers of the standard library and of the runtime that those of one kind stand on.
    fn forms_includes(&self, kind: &str) -> Vec<Stmt> {
        let gen = self.gen;
        let mut runtime = Vec::new();
        match kind {
            "" => {
                let mut parts = contract();
                let of_memory = gen.pmr().then_some("memory_resource");
                parts.extend(STANDARD.iter().copied().chain(of_memory).map(|header| stmt!("#include <{header}>")));
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

    /// The inclusions in a header of a unit.
    fn unit_includes(&self, unit: &Unit, kind: &str) -> Vec<Stmt> {
        let mut parts = vec![own(&format!("{FORMS}{kind}"))];
        // A header that types of several schemas share stands on what all of these have.
        let others = unit.types.iter().filter_map(|id| self.gen.names.origin_of(*id));
        let others: BTreeSet<usize> = others.collect();
        parts.extend(
            others.into_iter().map(|origin| own(&format!("../{}/{FORMS}{kind}", self.gen.names.folder(Some(origin))))),
        );
        if !kind.is_empty() {
            parts.push(self.include(unit, ""));
        }
        let used = unit.uses.iter().map(|used| &self.gen.units.all[*used]).filter(|unit| is_in(unit, kind));
        parts.extend(used.map(|unit| self.include(unit, kind)));
        if kind.is_empty() {
            let standard = self.gen.standard_headers(unit);
            parts.extend((!standard.is_empty()).then_some(Stmt::Blank));
            parts.extend(standard.iter().map(|header| match *header {
                "order" => of_runtime(header),
                _ => stmt!("#include <{header}>"),
            }));
        }
        parts
    }

    /// The code that the headers of all units stand on, and the functions that users call.
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

    /// The code in a header of a unit.
    fn content(&self, unit: &Unit, kind: &str, sheet: &mut Sheet) {
        match (kind, &self.segments) {
            ("", _) => self.gen.codecs(unit, sheet),
            ("_json", _) => self.gen.json(unit, sheet),
            ("_view", Some((wire, segments))) => segments.views(wire, unit, sheet),
            (_, Some((wire, segments))) => segments.writers(wire, unit, sheet),
            ("_view", None) => self.viewers.iter().for_each(|viewer| viewer.parts(unit, sheet)),
            (_, None) => self.writers.iter().for_each(|writers| writers.parts(unit, sheet)),
        }
    }
}

impl Gen<'_> {
    /// The code that each form's readers and writers stand on, and the functions that users call.
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
    fn codecs(&self, unit: &Unit, sheet: &mut Sheet) {
        self.types(unit, sheet);
        self.plain().for_each(|wire| self.wire(wire, unit, sheet));
        if let Some(wire) = self.segments() {
            Segments { gen: self, plan: wire.plan }.codecs(wire, unit, sheet);
        }
        for wire in &self.wires {
            if let Some(header) = wire.plan.header.as_ref().filter(|header| unit.has(header.record)) {
                sheet.add(header.record, "", header::functions(self, wire, header));
            }
        }
    }

    fn types(&self, unit: &Unit, sheet: &mut Sheet) {
        unit.types.iter().for_each(|id| sheet.add(*id, "", self.enumeration(*id)));
        let records: Vec<TypeId> = unit.types.iter().copied().filter(|id| self.is_record(*id)).collect();
        records.iter().for_each(|id| sheet.add(*id, "", [stmt!("struct {};", self.names.of(*id))]));
        if !records.is_empty() {
            sheet.blank();
        }
        // Orders are declared before the types whose sets and maps use them.
        let keys: Vec<TypeId> = unit.ordered.iter().copied().filter(|id| self.is_key(*id)).collect();
        keys.iter().for_each(|id| sheet.add(*id, "", [self.order_macro(*id)]));
        keys.iter().for_each(|id| sheet.add(*id, "", [self.comparison_declaration(*id)]));
        if !keys.is_empty() {
            sheet.blank();
        }
        for id in &unit.ordered {
            let is_union = self.is_union(*id);
            sheet.add(*id, "", if is_union { self.union_definition(*id) } else { self.record_definition(*id) });
        }
        self.constructions(unit, sheet);
        keys.iter().for_each(|id| sheet.add(*id, "", [self.comparison(*id), Stmt::Blank]));
    }

    /// Functions that order records of other schemas which are keys here: those need not have them.
    fn imported_orders(&self, unit: &Unit) -> Vec<Stmt> {
        let mut keys = vec![false; self.schema.types.len()];
        for id in &unit.types {
            self.fields(*id).into_iter().for_each(|field| note_keys(self.schema, &field.ty, false, &mut keys));
        }
        let mut imported: Vec<TypeId> = self.type_ids().collect();
        imported.retain(|id| keys[id.index()] && self.names.origin_of(*id).is_some());
        self.qualifies.set(true);
        let mut sheet = Sheet::default();
        imported.iter().for_each(|id| sheet.add(*id, "", [self.comparison_declaration(*id)]));
        let mut parts = sheet.print(self);
        for id in imported {
            let mut sheet = Sheet::default();
            sheet.add(id, "", [self.comparison(id)]);
            parts.extend([stmt!("#ifndef {}", self.order_name(id)), self.order_macro(id)]);
            parts.extend(sheet.print(self));
            parts.push(stmt!("#endif"));
        }
        self.qualifies.set(false);
        if !parts.is_empty() {
            parts.insert(0, Stmt::Blank);
        }
        parts
    }

    /// The macro that says that a record's order is defined, for schemas that import it.
    fn order_macro(&self, id: TypeId) -> Stmt {
        stmt!("#define {}", self.order_name(id))
    }

    fn order_name(&self, id: TypeId) -> String {
        format!("ALDIS_ORDERS_{}_{}", self.names.space(id).replace("::", "_"), self.names.of(id))
    }

    /// The readers and writers of a unit in one form, type by type.
    fn wire(&self, wire: &Wire<'_>, unit: &Unit, sheet: &mut Sheet) {
        let Some(first) = wire.layouts(unit).next() else { return };
        let (decoder, encoder) = (Decoder { gen: self, wire }, Encoder { gen: self, wire, site: Site::Namespace });
        let space = &wire.namespace;
        sheet.add(first.record, "", [rule(&format!("Form {}", wire.plan.form.name))]);
        decoder.declarations(unit, sheet);
        encoder.declarations(unit, sheet);
        sheet.blank();
        for layout in wire.layouts(unit) {
            let title = Stmt::Comment(format!("---- {}", self.schema.type_def(layout.record).name.full()));
            sheet.add(layout.record, space, [title, Stmt::Blank]);
            sheet.add(layout.record, space, decoder.record(layout.record));
            sheet.add(layout.record, space, encoder.record(layout.record));
        }
        wire.messages(unit)
            .for_each(|message| sheet.add(message.record, space, message::description(self, wire, message)));
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
    pub fn header_beside(
        &self,
        request: &Request<'_>,
        (name, runtime): (&str, &str),
        content: impl Iterator<Item = Stmt>,
    ) -> String {
        let module = &self.names.module;
        let mut parts = vec![stmt!("#include \"{module}.hpp\""), Stmt::Blank];
        parts.extend([of_runtime(runtime), Stmt::Blank]);
        parts.extend(in_namespace(self, content.collect()));
        guarded(self, request, &format!("{module}_{name}"), parts)
    }
}

/// The code that the readers and writers of all units stand on.
fn form(wire: &Wire<'_>) -> Vec<Stmt> {
    let Needs { budget, depth, .. } = wire.needs;
    let watched = code!("aldis::watched{{.budget = {budget}, .depth = {depth}}}");
    vec![namespace(
        &wire.namespace,
        vec![
            Stmt::Blank,
            stmt!("inline constexpr std::endian byte_order = {};", wire.order()),
            stmt!("using reader = aldis::reader<byte_order, {watched}>;"),
            Stmt::Blank,
            stmt!("/// How a message of type T travels."),
            stmt!("template <class T>\nstruct message_of;"),
            Stmt::Blank,
            stmt!("/// The types that are messages of this form."),
            stmt!("template <class T>\nconcept message = requires {{ typename message_of<T>::reader_type; }};"),
            Stmt::Blank,
        ],
    )]
}

/// The text of a header. It is taken once even where there are several copies of it, as each target of a build has its own of what
/// schemas import.
fn guarded(gen: &Gen<'_>, request: &Request<'_>, path: &str, content: Vec<Stmt>) -> String {
    let hash = &gen.schema.hash;
    let mut parts = vec![stmt!("// Generated by aldis {} from schema {hash}. Do not edit.", request.version)];
    parts.extend(gen.schema.doc.lines().map(|text| crate::types::comment_line("//", text)));
    let guard =
        code!("ALDIS_{}_{}", underscored(&path.replace('/', "_OF_")), gen.names.digest.as_ref().unwrap_or(hash));
    parts.extend([stmt!("#ifndef {guard}"), stmt!("#define {guard}"), Stmt::Blank]);
    parts.extend(content);
    parts.extend([Stmt::Blank, stmt!("#endif")]);
    print(&parts)
}

/// Statements in the schema's namespace.
fn in_namespace(gen: &Gen<'_>, content: Vec<Stmt>) -> Vec<Stmt> {
    [open(gen), Stmt::Blank].into_iter().chain(content).chain([close(gen)]).collect()
}

/// The macro that holds the digest of a schema and its options.
fn digest_of(namespace: &str) -> String {
    format!("ALDIS_DIGEST_OF_{}", namespace.replace("::", "_"))
}

fn open(gen: &Gen<'_>) -> Stmt {
    stmt!("namespace {} {{", gen.names.namespace)
}

fn close(gen: &Gen<'_>) -> Stmt {
    stmt!("}}  // namespace {}", gen.names.namespace)
}

/// The inclusion of a header in the same folder.
fn own(name: &str) -> Stmt {
    stmt!("#include \"{name}.hpp\"")
}

fn of_runtime(name: &str) -> Stmt {
    stmt!("#include <aldis/{name}.hpp>")
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

/// A check that fails with words where the headers of the runtime are of another version.
fn contract() -> Vec<Stmt> {
    let version = aldis_emit::RUNTIME;
    let (major, minor) = version.split_once('.').expect("a version has two numbers");
    vec![
        stmt!("#include <aldis/version.hpp>"),
        stmt!("#if ALDIS_VERSION_MAJOR != {major} || ALDIS_VERSION_MINOR != {minor}"),
        stmt!("#error \"This needs headers <aldis/...> of version {version}: take those, or generate it again with their aldis\""),
        stmt!("#endif"),
        Stmt::Blank,
    ]
}

/// Headers of the standard library that all code needs.
const STANDARD: [&str; 10] =
    ["array", "bit", "cstddef", "cstdint", "cstring", "limits", "optional", "span", "string_view", "utility"];

/// Headers of the runtime that all code needs, of plain messages and of those that are segments.
const RUNTIME: &[&str] = &["codec", "reader", "values", "writer"];
const SEGMENTS: &[&str] = &["choice", "segments/codec", "values"];

/// Whether a unit has a header of that kind: enumerations have no views and no writers.
fn is_in(unit: &Unit, kind: &str) -> bool {
    matches!(kind, "" | "_json") || !unit.ordered.is_empty()
}

pub(crate) fn print(parts: &[Stmt]) -> String {
    concat([doc(parts, WIDTH), hard()]).print(WIDTH)
}
