//! Writers: a header beside the codecs of classes that write fields straight into a message, without a value object.
//!
//! Where parts follow one another a writer is a place in the draft's stack of what was begun, and the draft checks the
//! order. Where parts are found by links a writer is a block, and the draft counts the links that must still lead
//! somewhere. Fields are measured and stored by the statements of `encode`.

use crate::code::{block, function, line, when, Stmt};
use crate::encode::Encoder;
use crate::gen::{Gen, Hold, Wire};
use crate::scope::{offset, Scope};
use aldis_plan::{Element, Link, Meaning, Message, Node, NullLink, Run, Slot, SlotKind, Step};
use aldis_schema::{Type, TypeId};

/// Prints the writers of one form.
pub(crate) struct Writers<'g, 'a> {
    gen: &'g Gen<'a>,
    wire: &'g Wire<'a>,
    encoder: Encoder<'g, 'a>,
}

/// What a field is written as besides a value: records within the message.
enum Within<'p> {
    One(TypeId),
    /// Behind a byte that tells that it is there.
    Maybe(TypeId),
    List(TypeId, &'p Run),
}

impl<'g, 'a> Writers<'g, 'a> {
    pub fn new(gen: &'g Gen<'a>, wire: &'g Wire<'a>) -> Self {
        Self { gen, wire, encoder: Encoder { gen, wire } }
    }

    fn namespace(&self) -> String {
        self.wire.function("writer")
    }

    /// `writer::Order`
    fn writer(&self, id: TypeId) -> String {
        format!("{}::{}", self.namespace(), self.gen.names.of(id))
    }

    /// The writers of this form.
    pub fn parts(&self) -> Vec<Stmt> {
        let (namespace, form) = (self.namespace(), &self.wire.plan.form.name);
        let mut parts = vec![
            line(format!("/// Records of messages of form {form} that are being written.")),
            line(format!("namespace {namespace} {{")),
            Stmt::Blank,
            line(format!("using namespace {};", self.wire.namespace)),
            Stmt::Blank,
        ];
        let layouts: Vec<_> = self.wire.plan.layouts.iter().flatten().collect();
        parts.extend(layouts.iter().map(|layout| line(format!("class {};", self.gen.names.of(layout.record)))));
        parts.push(Stmt::Blank);
        let mut later = Vec::new();
        for layout in &layouts {
            parts.push(self.class(layout.record, &layout.steps, &mut later));
            parts.push(Stmt::Blank);
        }
        parts.extend(later);
        parts.extend([line(format!("}}  // namespace {namespace}")), Stmt::Blank]);
        parts.extend([line(format!("namespace {} {{", self.wire.namespace)), Stmt::Blank]);
        parts.extend([line("/// The writer of messages of type T."), line("template <class T>")]);
        parts.extend([line("struct writer_of;"), Stmt::Blank]);
        self.wire.plan.messages.iter().for_each(|message| parts.extend(self.description(message)));
        parts.extend([line(format!("}}  // namespace {}", self.wire.namespace)), Stmt::Blank]);
        parts
    }

    /// The function of this form that users call.
    pub fn function(&self) -> Vec<Stmt> {
        let of = format!("{}::writer_of<T>", self.wire.namespace);
        let head = format!(
            "template <{}::message T>\ninline typename {of}::type {}",
            self.wire.namespace,
            self.wire.function("write")
        );
        let body = vec![
            line(format!("draft.begin({of}::head_size, {of}::seal);")),
            line(format!("return typename {of}::type(draft);")),
        ];
        vec![
            line(format!(
                "/// Begins a message of form {}; `draft.finish()` gives its bytes.",
                self.wire.plan.form.name
            )),
            function(&head, &["aldis::draft& draft".to_owned()], body),
            Stmt::Blank,
        ]
    }

    /// For the testee: functions that write a value field by field, records within it by their own writers.
    pub fn copies(&self) -> Vec<Stmt> {
        let namespace = format!("{}::{}", self.gen.names.namespace, self.namespace());
        let layouts: Vec<_> = self.wire.plan.layouts.iter().flatten().collect();
        let parameters = |id: TypeId| {
            let name = self.gen.names.of(id);
            [format!("{name} to"), format!("const {}::{name}& value", self.gen.names.namespace)]
        };
        let mut parts = vec![line(format!("namespace {namespace} {{")), Stmt::Blank];
        parts
            .extend(layouts.iter().map(|layout| line(format!("void copy({});", parameters(layout.record).join(", ")))));
        parts.push(Stmt::Blank);
        for layout in &layouts {
            let mut body = Vec::new();
            for step in &layout.steps {
                match step {
                    Step::Run(run) => run.slots.iter().for_each(|slot| {
                        body.extend(slot.field.and_then(|field| self.copy(layout.record, field, within_slot(slot))));
                    }),
                    Step::Part { field, node, .. } => {
                        body.extend(self.copy(layout.record, *field, within_part(node)));
                    }
                }
            }
            parts.push(function("[[maybe_unused]] void copy", &parameters(layout.record), body));
            parts.push(Stmt::Blank);
        }
        parts.extend([line(format!("}}  // namespace {namespace}")), Stmt::Blank]);
        parts
    }

    fn copy(&self, id: TypeId, field: u32, within: Option<Within<'_>>) -> Option<Stmt> {
        if self.encoder.is_constant(id, field) {
            return None;
        }
        let name = self.gen.names.member(id, field as usize);
        let value = format!("value.{name}");
        Some(match within {
            None => line(format!("to.{name}({value});")),
            Some(Within::One(_)) => line(format!("copy(to.{name}(), {value});")),
            Some(Within::Maybe(_)) => crate::code::when_else(
                format!("{value}.has_value()"),
                vec![line(format!("copy(to.{name}(), *{value});"))],
                vec![line(format!("to.{name}({value});"))],
            ),
            Some(Within::List(..)) => block(
                format!("for (auto list = to.{name}({value}.size()); const auto& item : {value})"),
                vec![line("copy(list.next(), item);")],
            ),
        })
    }

    fn description(&self, message: &Message) -> Vec<Stmt> {
        let head = &message.envelope.head;
        let mut seal = self.encoder.head(head, "at", "0");
        if let Some((slot, _)) = head.register(|register| register.meaning == Meaning::Root) {
            let ty = crate::decode::unsigned(slot.width);
            let at = offset("at", slot.at);
            seal.push(line(format!("aldis::store<byte_order>({at}, {ty}{{{}}});", head.size)));
        }
        let parameters = ["std::byte* at".to_owned(), "std::uint64_t total".to_owned()];
        let body = vec![
            line(format!("using type = {};", self.writer(message.record))),
            line(format!("static constexpr std::size_t head_size = {};", head.size)),
            function("static void seal", &parameters, seal),
        ];
        let name = self.gen.names.of(message.record);
        vec![Stmt::Block { head: format!("template <>\nstruct writer_of<{name}>"), body, tail: ";" }, Stmt::Blank]
    }

    fn private(&self, id: TypeId, name: &str) -> String {
        self.gen.names.private(id, name)
    }

    fn class(&self, id: TypeId, steps: &[Step], later: &mut Vec<Stmt>) -> Stmt {
        let name = self.gen.names.of(id);
        let (draft, place, at) = (self.private(id, "draft_"), self.private(id, "place_"), self.private(id, "at_"));
        let mut body =
            vec![Stmt::Label("public:"), line("/// Begun by `write`, or by the writer of the record that holds it.")];
        body.push(if self.wire.needs.links {
            let owed = steps.iter().map(|step| match step {
                Step::Run(run) => run.slots.iter().map(owed).sum::<u64>(),
                Step::Part { .. } => 0,
            });
            let (owed, depth) = (owed.sum::<u64>(), self.private(id, "depth_"));
            line(format!(
                "explicit {name}(aldis::draft& draft, std::uint32_t depth = 1)\n    : {draft}(&draft), \
                 {at}(draft.block({{{}, fill}}, {owed}, depth)), {depth}(depth) {{}}",
                run_size(steps)
            ))
        } else {
            line(format!(
                "explicit {name}(aldis::draft& draft) : {draft}(&draft), {place}(draft.enter_record(steps)) {{}}"
            ))
        });
        body.push(Stmt::Blank);
        for (index, step) in steps.iter().enumerate() {
            match step {
                Step::Run(run) => {
                    run.slots.iter().for_each(|slot| body.extend(self.slot_setters(id, index, slot, later)));
                }
                Step::Part { field, node, .. } => body.extend(self.part_setters(id, index, *field, node, later)),
            }
        }
        if self.wire.needs.links {
            let head = format!("friend const std::byte* start_of(const {name}& record) noexcept");
            body.extend([Stmt::Blank, line("/// The record's first byte; null where it could not be begun.")]);
            body.push(block(head, vec![line(format!("return record.{at};"))]));
        }
        body.push(Stmt::Label("private:"));
        body.extend(self.fills(id, steps));
        body.push(line(format!("aldis::draft* {draft};")));
        body.push(match self.wire.needs.links {
            true => line(format!("std::byte* {at};\nstd::uint32_t {};", self.private(id, "depth_"))),
            false => line(format!("aldis::draft_place {place};")),
        });
        let title = format!("/// `{}`", self.gen.schema.type_def(id).name.full());
        Stmt::Block { head: format!("{title}\nclass {name}"), body, tail: ";" }
    }

    // ---- defaults ---------------------------------------------------------------------------------------------------

    /// Functions that write what fields are that nobody sets, and where parts follow one another the table of steps.
    fn fills(&self, id: TypeId, steps: &[Step]) -> Vec<Stmt> {
        let mut parts = Vec::new();
        let mut rows = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let Step::Run(run) = step else {
                rows.push("aldis::draft_step{}".to_owned());
                continue;
            };
            let name = if self.wire.needs.links { "fill".to_owned() } else { format!("fill_{index}") };
            let mut body = Vec::new();
            if run.size > 0 {
                body.push(crate::encode::zeros("at", 0, run.size));
            }
            body.extend(self.encoder.head(&Run { slots: registers(run), ..Run::default() }, "at", "0"));
            body.extend(self.defaults(&run.slots, id));
            parts.push(function(&format!("static void {name}"), &["std::byte* at".to_owned()], body));
            rows.push(format!("aldis::draft_step{{{}, {name}}}", run.size));
        }
        if !self.wire.needs.links {
            let count = rows.len();
            parts.push(line(format!(
                "static constexpr std::array<aldis::draft_step, {count}> steps{{{}}};",
                rows.join(", ")
            )));
        }
        parts
    }

    fn defaults(&self, slots: &[Slot], record: TypeId) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for slot in slots {
            let Some(index) = slot.field.map(|index| index as usize) else { continue };
            let hold = self.gen.hold(record, index);
            match &slot.kind {
                _ if hold == Hold::Constant => {}
                SlotKind::Nest { .. } if matches!(hold, Hold::Maybe | Hold::Boxed) => {
                    parts.extend(self.encoder.null(slot, "at", &Scope::new("out", "false")));
                }
                SlotKind::Nest { record: inner, slots } => parts.extend(self.defaults(slots, *inner)),
                SlotKind::Scalar(_) | SlotKind::Chars { .. } => match self.gen.field_default(record, index) {
                    Some(value) => parts.extend(self.default(slot, record, index, &value)),
                    None => parts.extend(self.encoder.null(slot, "at", &Scope::new("out", "false"))),
                },
                SlotKind::Array { .. } => {
                    parts.extend(self.encoder.null(slot, "at", &Scope::new("out", "false")));
                }
                _ => {}
            }
        }
        parts
    }

    /// Writes a default that is not zero.
    fn default(&self, slot: &Slot, record: TypeId, index: usize, value: &str) -> Vec<Stmt> {
        let ty = &self.gen.field(record, index).ty;
        let zero = ["0", "0.0", "0.0F", "false"].contains(&value);
        match &slot.kind {
            _ if zero => Vec::new(),
            SlotKind::Chars { .. } => {
                vec![line(format!("aldis::store_chars({}, {}, {value});", offset("at", slot.at), slot.width))]
            }
            SlotKind::Scalar(scalar) => {
                let plain = self.gen.cpp_type(&scalar.ty, Some(record));
                let value = self.gen.within(record, ty, value.to_owned());
                self.encoder.slot(
                    slot,
                    &scalar.ty,
                    "at",
                    &format!("{plain}({value})"),
                    false,
                    &Scope::new("out", "false"),
                )
            }
            _ => Vec::new(),
        }
    }

    // ---- setters ----------------------------------------------------------------------------------------------------

    fn slot_setters(&self, id: TypeId, step: usize, slot: &Slot, later: &mut Vec<Stmt>) -> Vec<Stmt> {
        let Some(index) = slot.field.filter(|index| !self.encoder.is_constant(id, *index)) else { return Vec::new() };
        let field = self.gen.field(id, index as usize);
        let scope = Scope::new("out", "false");
        let named = scope.field(&field.name).deeper();
        let maybe = matches!(self.gen.hold(id, index as usize), Hold::Maybe | Hold::Boxed);
        let checks = self.encoder.size_slot(slot, &field.ty, "value", maybe, &named);
        let stores = self.encoder.slot(slot, &field.ty, "at", "value", maybe, &scope.deeper());
        let mut body = vec![line(format!("aldis::draft& out = *{};", self.private(id, "draft_")))];
        let refused = format!("return out.refuse_field({});", crate::code::quoted(&field.name));
        if self.wire.needs.links {
            body.push(when(format!("!out.measure({})", self.private(id, "depth_")), vec![line("return false;")]));
            body.extend(checks);
            if crate::code::mention(&stores, "next") {
                body.push(line("std::byte* next = out.append_measured();"));
                body.push(when("next == nullptr", vec![line(refused)]));
            }
            body.push(line(format!("std::byte* const at = {};", self.private(id, "at_"))));
            body.extend(settled(slot));
        } else {
            body.extend(checks);
            body.push(line(format!("std::byte* const at = out.run({}, {step});", self.private(id, "place_"))));
            body.push(when("at == nullptr", vec![line(refused)]));
        }
        body.push(crate::code::scoped(stores));
        body.push(line("return true;"));
        let mut parts = vec![self.setter(id, index as usize, body)];
        if let Some(within) = within_slot(slot) {
            let at = offset(&self.private(id, "at_"), slot.at);
            parts.push(self.linked(id, index as usize, &within, &at, later));
        }
        parts
    }

    fn part_setters(&self, id: TypeId, step: usize, index: u32, node: &Node, later: &mut Vec<Stmt>) -> Vec<Stmt> {
        let field = self.gen.field(id, index as usize);
        let scope = Scope::new("out", "false");
        let (fixed, checks) = self.encoder.size_node(node, &field.ty, "value", &scope.field(&field.name).deeper());
        let refused = format!("return out.refuse_field({});", crate::code::quoted(&field.name));
        let mut body = vec![
            line(format!("aldis::draft& out = *{};", self.private(id, "draft_"))),
            when(format!("!out.at_part({}, {step})", self.private(id, "place_")), vec![line(refused.clone())]),
        ];
        body.extend((fixed > 0).then(|| line(format!("out.add({fixed});"))));
        body.extend(checks);
        body.push(line("std::byte* next = out.append_measured();"));
        body.push(when("next == nullptr", vec![line(refused)]));
        body.push(crate::code::scoped(self.encoder.node(node, &field.ty, "value", &scope.deeper())));
        body.push(line("return out.next_step();"));
        let mut parts = vec![self.setter(id, index as usize, body)];
        if let Some(within) = within_part(node) {
            parts.push(self.sequential(id, step, index as usize, &within, later));
        }
        parts
    }

    /// A function that takes a field's value.
    fn setter(&self, id: TypeId, index: usize, body: Vec<Stmt>) -> Stmt {
        let field = self.gen.field(id, index);
        let name = self.gen.names.member(id, index);
        let maybe = matches!(self.gen.hold(id, index), Hold::Maybe | Hold::Boxed);
        let ty = match &field.ty {
            Type::Text(_) | Type::Chars { .. } if !maybe => "std::string_view".to_owned(),
            Type::Bytes if !maybe => "std::span<const std::byte>".to_owned(),
            Type::List(element) if !maybe && self.is_row(element) => {
                format!("std::span<const {}>", self.gen.cpp_type(element, Some(id)))
            }
            _ => {
                let ty = self.gen.member_type(id, index);
                let plain = !maybe
                    && !matches!(field.ty, Type::Array { .. } | Type::List(_) | Type::Set(_) | Type::Map { .. })
                    && !matches!(field.ty, Type::Named(inner) if self.gen.is_record(inner));
                if plain {
                    ty
                } else {
                    format!("const {}&", self.qualified(ty))
                }
            }
        };
        let mut parts = crate::types::docs(&field.doc);
        parts.push(function(&format!("bool {name}"), &[format!("{ty} value")], body));
        Stmt::Group(parts)
    }

    /// A value's type, where a writer of the same name is nearer.
    fn qualified(&self, ty: String) -> String {
        let mut names: Vec<&str> = self.gen.records().map(|id| self.gen.names.of(id)).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let mut out = String::new();
        let mut rest = ty.as_str();
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let (before, from) = rest.split_at(start);
            let end = from.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            out.push_str(before);
            if names.contains(&word) && !before.ends_with(':') {
                out.push_str(&format!("{}::", self.gen.names.namespace));
            }
            out.push_str(word);
            rest = after;
        }
        out + rest
    }

    fn is_row(&self, element: &Type) -> bool {
        match element {
            Type::Int(_) | Type::Float32 | Type::Float64 | Type::Timestamp | Type::Char => true,
            Type::Named(id) => !self.gen.is_record(*id),
            _ => false,
        }
    }

    // ---- records within the message ---------------------------------------------------------------------------------

    /// A function that gives the writer of a record, or of a list of them, which are the part `step`.
    fn sequential(&self, id: TypeId, step: usize, index: usize, within: &Within<'_>, later: &mut Vec<Stmt>) -> Stmt {
        let member = self.gen.names.member(id, index);
        let refuse = line(format!("out.refuse_field({});", crate::code::quoted(&self.gen.field(id, index).name)));
        let mut body = vec![line(format!("aldis::draft& out = *{};", self.private(id, "draft_")))];
        let at_part = format!("out.at_part({}, {step})", self.private(id, "place_"));
        let (ty, parameters) = match within {
            Within::One(record) => {
                body.push(when(format!("!{at_part}"), vec![refuse]));
                (self.writer(*record), "")
            }
            Within::Maybe(record) => {
                let found = "std::byte* const at = out.append(1); at != nullptr";
                let there = vec![when(found, vec![line("aldis::store<byte_order>(at, true);")])];
                body.push(Stmt::Choice(vec![(Some(format!("!{at_part}")), vec![refuse]), (None, there)]));
                (self.writer(*record), "")
            }
            Within::List(record, head) => {
                let (least, most) = bounds(head);
                body.push(when(format!("!{at_part} || !out.within(count, {least}, {most})"), vec![refuse]));
                let found = format!("std::byte* const at = out.append({}); at != nullptr", head.size);
                body.push(when(found, self.encoder.head(head, "at", "count")));
                (format!("aldis::list_draft<{}>", self.writer(*record)), "std::size_t count")
            }
        };
        body.push(line(match within {
            Within::List(..) => "return {out, out.enter_list(count)};".to_owned(),
            Within::One(record) | Within::Maybe(record) => format!("return {}(out);", self.writer(*record)),
        }));
        self.outlined(id, member, &ty, parameters, body, later)
    }

    /// The same where links lead to them, from the slot at `at`.
    fn linked(&self, id: TypeId, index: usize, within: &Within<'_>, at: &str, later: &mut Vec<Stmt>) -> Stmt {
        let member = self.gen.names.member(id, index);
        let (own, depth) = (self.private(id, "at_"), self.private(id, "depth_"));
        let mut body = vec![line(format!("aldis::draft& out = *{};", self.private(id, "draft_")))];
        let store = |at: &str, to: &str, base: &str| {
            line(format!("aldis::store<byte_order>({at}, static_cast<std::uint32_t>({to} - {base}));"))
        };
        let begun = |record: &TypeId| line(format!("{} made(out, {depth} + 1);", self.writer(*record)));
        let (ty, parameters) = match within {
            Within::One(record) => {
                body.push(begun(record));
                let link = vec![line(format!("out.settle({at});")), store(at, "to", &own)];
                body.push(when("const std::byte* const to = start_of(made); to != nullptr", link));
                body.push(line("return made;"));
                (self.writer(*record), "")
            }
            Within::Maybe(record) => {
                body.push(line("std::byte* const slot = out.append(4);"));
                body.push(begun(record));
                let link = vec![
                    line(format!("aldis::store<byte_order>({at}, true);")),
                    store(&format!("{at} + 1"), "slot", &own),
                    store("slot", "to", "slot"),
                ];
                body.push(when("const std::byte* const to = start_of(made); to != nullptr", link));
                body.push(line("return made;"));
                (self.writer(*record), "")
            }
            Within::List(record, head) => {
                let (least, most) = bounds(head);
                let name = crate::code::quoted(&self.gen.field(id, index).name);
                let refuse = vec![line(format!("out.refuse_field({name});"))];
                body.push(when(format!("!out.measure({depth}) || !out.within(count, {least}, {most})"), refuse));
                body.push(line(format!("std::byte* const to = out.append({} + 4 * count);", head.size)));
                let mut link = vec![store(at, "to", &own)];
                link.extend(self.encoder.head(head, "to", "count"));
                link.push(line(format!("std::memset({}, 0, 4 * count);", offset("to", head.size))));
                link.push(line("out.owe(count);"));
                body.push(when("to != nullptr", link));
                let table = format!("to == nullptr ? to : {}", offset("to", head.size));
                body.push(line(format!("return {{out, {own}, {table}, count, {depth} + 1}};")));
                (format!("aldis::linked_draft<{}, byte_order>", self.writer(*record)), "std::size_t count")
            }
        };
        self.outlined(id, member, &ty, parameters, body, later)
    }

    /// Declares a function that is defined behind all classes.
    fn outlined(
        &self,
        id: TypeId,
        member: &str,
        ty: &str,
        parameters: &str,
        body: Vec<Stmt>,
        later: &mut Vec<Stmt>,
    ) -> Stmt {
        let name = self.gen.names.of(id);
        later.push(block(format!("inline {ty} {name}::{member}({parameters})"), body));
        later.push(Stmt::Blank);
        line(format!("[[nodiscard]] {ty} {member}({parameters});"))
    }
}

fn run_size(steps: &[Step]) -> u32 {
    steps.iter().map(|step| if let Step::Run(run) = step { run.size } else { 0 }).sum()
}

fn registers(run: &Run) -> Vec<Slot> {
    run.slots.iter().filter(|slot| matches!(slot.kind, SlotKind::Register(_))).cloned().collect()
}

/// How many links of a slot must lead somewhere.
fn owed(slot: &Slot) -> u64 {
    match &slot.kind {
        SlotKind::Link(Link { null: NullLink::Refused, .. }) => 1,
        SlotKind::Array { count, element } => u64::from(*count) * owed(element),
        SlotKind::Nest { slots, .. } => slots.iter().map(owed).sum(),
        _ => 0,
    }
}

/// Notes that the links of a slot get their targets.
fn settled(slot: &Slot) -> Vec<Stmt> {
    match &slot.kind {
        _ if owed(slot) == 0 => Vec::new(),
        SlotKind::Array { count, element } => {
            let head = format!("for (std::size_t index = 0; index < {count}; ++index)");
            vec![block(head, vec![line(format!("out.settle({} + index * {});", offset("at", slot.at), element.width))])]
        }
        _ => vec![line(format!("out.settle({});", offset("at", slot.at)))],
    }
}

/// The least and the largest count that a head may say.
fn bounds(head: &Run) -> (u64, u64) {
    let most = u64::from(u32::MAX);
    let found = head.slots.iter().find_map(|slot| match &slot.kind {
        SlotKind::Register(register) => match register.meaning {
            Meaning::Count { min, max } => Some((min, max.min(most))),
            _ => None,
        },
        _ => None,
    });
    found.unwrap_or((0, most))
}

fn within_part(node: &Node) -> Option<Within<'_>> {
    match node {
        Node::Call { record } => Some(Within::One(*record)),
        Node::Maybe { value } => match &**value {
            Node::Call { record } => Some(Within::Maybe(*record)),
            _ => None,
        },
        Node::Repeat(repeat) => match &repeat.element {
            Element::One(Node::Call { record }) => Some(Within::List(*record, &repeat.head)),
            _ => None,
        },
        _ => None,
    }
}

fn within_slot(slot: &Slot) -> Option<Within<'_>> {
    match &slot.kind {
        SlotKind::Link(link) => match &*link.target {
            Node::Call { record } => Some(Within::One(*record)),
            Node::Repeat(repeat) => match &repeat.element {
                Element::One(Node::Cell { slot }) => called(slot).map(|record| Within::List(record, &repeat.head)),
                _ => None,
            },
            _ => None,
        },
        SlotKind::Presence(link) => match &*link.target {
            Node::Rebase { value } => match &**value {
                Node::Cell { slot } => called(slot).map(Within::Maybe),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The record that a link leads to.
fn called(slot: &Slot) -> Option<TypeId> {
    match &slot.kind {
        SlotKind::Link(link) => match &*link.target {
            Node::Call { record } => Some(*record),
            _ => None,
        },
        _ => None,
    }
}
