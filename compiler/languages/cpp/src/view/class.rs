//! A class for each record, with a function for each field.

use super::kind::Kind;
use super::Viewer;
use crate::code::{block, code, definition, short_function, stmt, var, when, Code, Stmt, ToCode, WIDTH};
use crate::decode::{presence, Presence};
use crate::gen::Hold;
use crate::literal::{encoded, quoted_bytes, typed};
use crate::names::Site;
use crate::scope::offset;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_plan::{node_min_size, Extent, Missing, Node, Plan, Register, Repr, Run, Slot, SlotKind, Step};
use aldis_schema::{default_of_field, Literal, Type, TypeId};
use std::collections::BTreeSet;

impl Viewer<'_, '_> {
    /// Those of the types that are records of this form, each after those that its functions give.
    pub(super) fn by_use(&self, types: &[TypeId]) -> Vec<TypeId> {
        let mut ordered = Vec::new();
        let mut open: BTreeSet<TypeId> = types.iter().copied().collect();
        types.iter().for_each(|id| self.place(*id, &mut open, &mut ordered));
        ordered
    }

    /// Places a type behind those of `open` that it uses.
    fn place(&self, id: TypeId, open: &mut BTreeSet<TypeId>, ordered: &mut Vec<TypeId>) {
        let Some(steps) = self.steps(id).filter(|_| open.remove(&id)) else { return };
        let kinds = steps.iter().flat_map(|step| match step {
            Step::Run(run) => run.slots.iter().map(|slot| self.slot_kind(slot, id)).collect(),
            Step::Part { node, .. } => vec![self.node_kind(node, id)],
        });
        let used: Vec<TypeId> = kinds.filter_map(|kind| kind.record).collect();
        used.into_iter().for_each(|used| self.place(used, open, ordered));
        ordered.push(id);
    }

    /// The classes of a unit's records, and behind them the functions of those that give one another.
    pub(super) fn classes(&self, unit: &Unit, order: &[TypeId], sheet: &mut Sheet) {
        let (space, mut behind) = (self.namespace(), Vec::new());
        let mut undefined: BTreeSet<TypeId> = unit.types.iter().copied().collect();
        for id in order {
            undefined.remove(id);
            if let Some(steps) = self.steps(*id) {
                let mut later = Vec::new();
                sheet.add(*id, &space, [self.class(*id, steps, &undefined, &mut later), Stmt::Blank]);
                behind.push((*id, later));
            }
        }
        behind.into_iter().for_each(|(id, later)| sheet.add(id, &space, later));
    }

    fn class(&self, id: TypeId, steps: &[Step], undefined: &BTreeSet<TypeId>, later: &mut Vec<Stmt>) -> Stmt {
        let name = self.gen.names.of(id);
        let place = self.place_member(id);
        let mut body = self.aliases(id, steps);
        body.extend([Stmt::Label("public:"), self.of_nothing(id, steps), self.constructor(id, steps)]);
        body.extend(self.walked_constructor(id));
        body.push(Stmt::Blank);
        let mut getters = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let start = self.start(id, steps, index, &code!(""));
            match step {
                Step::Run(run) => {
                    for slot in &run.slots {
                        getters.extend(self.slot_getter(id, run, slot, index, &start));
                    }
                }
                Step::Part { field, since, node } => {
                    let kind = self.part_kind(id, *field, node);
                    let condition = (*since > 0).then(|| Presence::of(code!("{place}.version"), *since));
                    getters.push(self.getter(id, *field as usize, &kind, &start.place(0), condition, Missing::Null));
                }
            }
        }
        for getter in getters {
            let outside = getter.record.is_some_and(|record| undefined.contains(&record));
            body.extend(getter.print(name, outside, later));
        }
        body.extend(self.missing_fields(id, steps));
        if !self.wire.needs.links && self.wire.plan.layouts[id.index()].is_some() {
            body.push(self.end_of(id, steps));
        }
        body.extend([Stmt::Label("private:"), stmt!("aldis::verified {place};")]);
        let stored = stored_starts(steps);
        if stored > 0 {
            body.push(stmt!("/// The beginnings of what follows a part of variable size."));
            body.push(stmt!("std::array<const std::byte*, {stored}> {}{{}};", self.starts_member(id)));
        }
        definition(code!("/// `{}`\nclass {name}", self.gen.schema.type_def(id).name.full()), body)
    }

    /// The kind of a part, by a name of its own where it is long.
    fn part_kind(&self, id: TypeId, field: u32, node: &Node) -> Kind {
        let kind = self.node_kind(node, id);
        if kind.name.flat(LONG_KIND).is_some() {
            return kind;
        }
        Kind { name: self.gen.names.kind(id, field as usize).to_code(), has_name: true, ..kind }
    }

    /// Names for long kinds of parts.
    fn aliases(&self, id: TypeId, steps: &[Step]) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for step in steps {
            let Step::Part { field, node, .. } = step else { continue };
            let kind = self.part_kind(id, *field, node);
            if kind.has_name {
                parts.push(alias(&kind.name, &self.node_kind(node, id).name));
            }
        }
        if !parts.is_empty() {
            parts.push(Stmt::Blank);
        }
        parts
    }

    fn place_member(&self, id: TypeId) -> Code {
        var(&self.gen.names.private(id, "place_"))
    }

    fn starts_member(&self, id: TypeId) -> Code {
        var(&self.gen.names.private(id, "starts_"))
    }

    /// The place at which a step begins, of the view that `of` names.
    fn start(&self, id: TypeId, steps: &[Step], index: usize, of: &Code) -> Start {
        let place = code!("{of}{}", self.place_member(id));
        match (Self::stored_start(steps, index), steps) {
            (Some(stored), _) => Start::Kept { of: place, pointer: code!("{of}{}[{stored}]", self.starts_member(id)) },
            (None, [Step::Run(run), ..]) if index > 0 => behind(run, place),
            _ => Start::Behind { of: place, bytes: Vec::new() },
        }
    }

    /// The constructor of a view of no message. Where fields are there in every message it looks at zeros, which say that
    /// parts are empty.
    fn of_nothing(&self, id: TypeId, steps: &[Step]) -> Stmt {
        let name = self.gen.names.of(id);
        let always_there = |step: &Step| match step {
            Step::Run(run) => run.extent == Extent::Exact && run.slots.iter().any(|slot| slot.field.is_some()),
            Step::Part { since, .. } => *since == 0,
        };
        let (what, made) = match steps.iter().any(always_there) {
            true => {
                let zeros: u64 = steps.iter().map(|step| looked_at(self.wire.plan, step)).sum();
                ("empty, zero or missing", code!("{name}() noexcept : {name}(aldis::nowhere<{zeros}>()) {{}}"))
            }
            false => ("missing", code!("{name}() = default;")),
        };
        Stmt::Group(vec![stmt!("/// All of its fields are {what}."), Stmt::Line(made)])
    }

    fn constructor(&self, id: TypeId, steps: &[Step]) -> Stmt {
        let place = self.place_member(id);
        let name = self.gen.names.of(id);
        let mut body = Vec::new();
        if self.wire.plan.layouts[id.index()].as_ref().is_some_and(|layout| layout.rebase) {
            body.push(stmt!("{place}.base = {place}.at;"));
        }
        if let Some(Step::Run(run)) =
            steps.first().filter(|step| matches!(step, Step::Run(run) if matches!(run.extent, Extent::Stated { .. })))
        {
            if let Some((slot, register)) = run.register(Register::is_extent) {
                let at = offset(&code!("{place}.at"), slot.at);
                let value = match register.constant {
                    Some(value) => value.to_code(),
                    None => code!("in_place::load<{}>({at})", crate::decode::unsigned(slot.width)),
                };
                body.push(stmt!("{place}.extent = {value};"));
            }
        }
        if stored_starts(steps) > 0 {
            body.extend(self.walk(id, steps));
        }
        let head = code!("explicit {name}(const aldis::verified& place) noexcept : {place}(place)");
        if body.is_empty() {
            return stmt!("{head} {{}}");
        }
        block(head, body)
    }

    /// How a message's view is made from what its check found, so that nothing is walked over twice.
    fn walked_constructor(&self, id: TypeId) -> Option<Stmt> {
        let place = self.walked_place(id)?;
        let name = self.gen.names.of(id);
        let (at, starts) = (self.place_member(id), self.starts_member(id));
        Some(stmt!("explicit {name}(const {place}& place) noexcept : {at}(place), {starts}(place.starts) {{}}"))
    }

    /// The type of a message's place, where its check finds what the message's view would walk for.
    pub(super) fn walked_place(&self, id: TypeId) -> Option<Code> {
        let is_root = self.wire.message(id).is_some();
        let stored = self.steps(id).filter(|_| is_root).map_or(0, stored_starts);
        (stored > 0).then(|| code!("aldis::walked<{stored}>"))
    }

    /// The kept place of a view at which the step begins; none where that is known without a walk.
    pub(super) fn stored_start(steps: &[Step], index: usize) -> Option<usize> {
        (index + usize::from(is_part(&steps[0]))).checked_sub(2)
    }

    /// Finds out where each step begins that follows a part of variable size.
    fn walk(&self, id: TypeId, steps: &[Step]) -> Vec<Stmt> {
        let place = self.place_member(id);
        let first = usize::from(!is_part(&steps[0]));
        let mut body = vec![stmt!("const std::byte* next = {};", self.start(id, steps, first, &code!("")))];
        for (index, step) in steps.iter().enumerate().take(steps.len() - 1).skip(first) {
            let moved = self.pass(id, step, &code!("{place}.moved(next)"), &var("next"));
            let target = self.start(id, steps, index + 1, &code!(""));
            match step {
                Step::Part { since, .. } if *since > 0 => {
                    body.push(when(code!("{place}.version >= {since}"), vec![stmt!("next = {moved};")]));
                    body.push(stmt!("{target} = next;"));
                }
                Step::Run(run) if run.size == 0 => body.push(stmt!("{target} = next;")),
                _ => body.push(stmt!("{target} = next = {moved};")),
            }
        }
        body
    }

    /// The place behind a step.
    fn pass(&self, id: TypeId, step: &Step, place: &Code, at: &Code) -> Code {
        match step {
            Step::Run(run) => offset(at, run.size),
            Step::Part { field, node, .. } => code!("{}::skip({place})", self.part_kind(id, *field, node).name),
        }
    }

    /// The end of the record, which who walks over it finds.
    fn end_of(&self, id: TypeId, steps: &[Step]) -> Stmt {
        let place = self.place_member(id);
        let name = self.gen.names.of(id);
        let mut body = Vec::new();
        match steps.split_last() {
            None => body.push(stmt!("return record.{place}.at;")),
            Some((Step::Run(run), [])) => body.push(stmt!("return {};", behind(run, code!("record.{place}")))),
            Some((last, _)) => {
                let start = self.start(id, steps, steps.len() - 1, &code!("record."));
                if let Step::Part { since, .. } = last {
                    if *since > 0 {
                        body.push(when(code!("record.{place}.version < {since}"), vec![stmt!("return {start};")]));
                    }
                }
                let moved = self.pass(id, last, &start.place(0), &start.to_code());
                body.push(stmt!("return {moved};"));
            }
        }
        let head = code!("friend const std::byte* end_of(const {name}& record) noexcept");
        Stmt::Group(vec![Stmt::Blank, stmt!("/// The byte behind the record."), block(head, body)])
    }

    fn slot_getter(&self, id: TypeId, run: &Run, slot: &Slot, step: usize, start: &Start) -> Option<Getter> {
        let index = slot.field? as usize;
        let place = self.place_member(id);
        if let SlotKind::Constant { .. } = slot.kind {
            return Some(self.constant_getter(id, index));
        }
        let guarded = run.extent != Extent::Exact;
        let condition = presence(slot, &code!("{place}.extent"), &code!("{place}.version")).filter(|_| guarded);
        let kind = self.slot_kind(slot, id);
        let at = match (&slot.kind, step) {
            (SlotKind::Nest { .. }, 0) if guarded => code!("{place}.within({})", slot.at),
            // Views of records that mostly lie in blocks ask how much of them there is.
            (SlotKind::Nest { record, .. }, 0) if self.nested.contains_key(record) => {
                code!("{place}.whole({}, {})", slot.at, slot.width)
            }
            (_, 0) => offset(&place, slot.at),
            _ => start.place(slot.at),
        };
        let mut getter = self.getter(id, index, &kind, &at, condition, slot.missing);
        if let SlotKind::Scalar(scalar) = &slot.kind {
            if scalar.null.is_none() && !matches!(scalar.repr, Repr::Decimal | Repr::Uuid) && getter.plain {
                let ty = getter.ty.clone().unwrap_or_default();
                getter.found = Found::Value(code!("in_place::load<{ty}>({})", start.plus(slot.at)));
            }
        }
        Some(getter)
    }

    fn constant_getter(&self, id: TypeId, index: usize) -> Getter {
        let names = &self.gen.names;
        let value = code!("{}::{}", names.qualified(id), names.member(id, index));
        Getter {
            docs: crate::types::docs(&self.gen.field(id, index).doc),
            ty: Some(self.gen.member_type(id, index, Site::Record(id))),
            name: names.member(id, index).to_code(),
            found: Found::Value(value),
            otherwise: None,
            plain: true,
            is_static: true,
            record: None,
        }
    }

    fn getter(
        &self,
        id: TypeId,
        index: usize,
        kind: &Kind,
        place: &Code,
        condition: Option<Presence>,
        missing: Missing,
    ) -> Getter {
        let maybe = matches!(self.gen.hold(id, index), Hold::Maybe | Hold::Boxed);
        let ty = kind.value.clone().map(|ty| match maybe && !kind.optional {
            true => code!("std::optional<{ty}>"),
            false => ty,
        });
        let field = self.gen.field(id, index);
        let plain = !maybe;
        // A range that is newer than the first version.
        let newer = maybe && kind.value.is_none() && !kind.optional;
        let is_local = kind.value.is_none() && !kind.has_name;
        let called = if is_local { &var("kind") } else { &kind.name };
        let otherwise = condition.map(|condition| {
            let value = match &ty {
                Some(ty) => self.missing_value(id, index, ty, missing),
                None if newer => code!("std::optional<{called}::value_type>()"),
                None => match &field.ty {
                    Type::Array { len, .. } => code!("{called}::value_type({{}}, {len})"),
                    _ => code!("{called}::value_type{{}}"),
                },
            };
            (condition, value)
        });
        let mut docs = crate::types::docs(&field.doc);
        if docs.is_empty() && kind.value.is_none() {
            docs.push(stmt!("/// A range of `{}`.", kind.elements));
        }
        if field.deprecated {
            docs.push(stmt!("/// Deprecated."));
        }
        Getter {
            docs,
            ty,
            name: self.gen.names.member(id, index).to_code(),
            found: Found::Read { kind: kind.name.clone(), is_local, newer, place: place.to_owned() },
            otherwise,
            plain,
            is_static: false,
            record: kind.record,
        }
    }

    /// The value of a field of type `ty` whose bytes are not there.
    fn missing_value(&self, id: TypeId, index: usize, ty: &Code, missing: Missing) -> Code {
        let maybe = matches!(self.gen.hold(id, index), Hold::Maybe | Hold::Boxed);
        let default = if maybe && missing == Missing::Null { None } else { self.default_of(id, index) };
        match default {
            None if maybe => code!("std::nullopt"),
            Some(value) if maybe => value,
            value => typed(&self.gen.field(id, index).ty, ty, value),
        }
    }

    /// The schema's default of a field as a view gives it, where it is not what braces make.
    fn default_of(&self, id: TypeId, index: usize) -> Option<Code> {
        let field = self.gen.field(id, index);
        match (default_of_field(self.gen.schema, field), field.ty.required()) {
            (Literal::Text(text), Type::Text(encoding) | Type::Chars { encoding, .. }) => {
                let bytes = encoded(&text, *encoding);
                let value = code!("std::string_view({}, {})", quoted_bytes(&bytes), bytes.len());
                (!bytes.is_empty()).then_some(value)
            }
            (_, Type::Named(_) | Type::Bool | Type::Char | Type::Int(_) | Type::Timestamp)
            | (_, Type::Float32 | Type::Float64 | Type::Decimal | Type::Uuid) => {
                self.gen.field_default(id, index, Site::Record(id))
            }
            _ => None,
        }
    }

    /// The set of fields that the schema requires and the bytes ended before.
    fn missing_fields(&self, id: TypeId, steps: &[Step]) -> Vec<Stmt> {
        if !self.gen.notes_missing(id) {
            return Vec::new();
        }
        let place = self.place_member(id);
        let ty = code!("aldis::missing_set<{}>", self.gen.schema.record(id).fields.len());
        let mut body = vec![stmt!("{ty} missing;")];
        for slot in steps.iter().flat_map(|step| match step {
            Step::Run(run) => run.slots.as_slice(),
            Step::Part { .. } => &[],
        }) {
            let noted = slot.field.filter(|index| self.gen.hold(id, *index as usize) == Hold::Noted);
            let condition = presence(slot, &code!("{place}.extent"), &code!("{place}.version"));
            if let (Some(index), Some(condition)) = (noted, condition) {
                body.push(when(condition.negated(), vec![stmt!("missing.add({index});")]));
            }
        }
        body.push(stmt!("return missing;"));
        vec![
            Stmt::Blank,
            stmt!("/// Required fields that the message's bytes ended before, by their place in the record."),
            block(code!("[[nodiscard]] {ty} missing_fields() const noexcept"), body),
        ]
    }
}

/// The longest name of a kind that is not given a shorter one.
const LONG_KIND: usize = 64;

fn alias(name: &Code, kind: &Code) -> Stmt {
    stmt!("using {name} = {kind};")
}

/// A function that gives a field.
struct Getter {
    docs: Vec<Stmt>,
    /// `None` for ranges, whose type is `auto`.
    ty: Option<Code>,
    name: Code,
    found: Found,
    /// Under which condition the field's bytes are there, and what it is where they are not.
    otherwise: Option<(Presence, Code)>,
    /// It gives the value itself, not an optional.
    plain: bool,
    is_static: bool,
    record: Option<TypeId>,
}

/// The value of a field whose bytes are there.
enum Found {
    Value(Code),
    Read {
        kind: Code,
        /// The function has a name for the kind.
        is_local: bool,
        /// It is a range that older messages do not have.
        newer: bool,
        place: Code,
    },
}

impl Found {
    /// The kind that the function calls `kind`, where it does, and the expression. It does so too where a line has no room
    /// for the kind.
    fn expression(&self) -> (Option<Code>, Code) {
        let (kind, is_local, newer, place) = match self {
            Self::Value(value) => return (None, value.clone()),
            Self::Read { kind, is_local, newer, place } => (kind, is_local, newer, place),
        };
        let read = |kind: &Code| match newer {
            true => code!("std::optional({kind}::get({place}))"),
            false => code!("{kind}::get({place})"),
        };
        let flat = read(kind);
        if *is_local || flat.flat(WIDTH - "        return ;".len()).is_none() {
            return (Some(kind.clone()), read(&var("kind")));
        }
        (None, flat)
    }
}

/// The place at which a step of a record begins.
enum Start {
    /// The expression of a pointer.
    Kept { of: Code, pointer: Code },
    /// So many bytes behind the first byte of a view's place.
    Behind { of: Code, bytes: Vec<Code> },
}

impl Start {
    fn plus(&self, at: u32) -> Code {
        offset(&self.to_code(), at)
    }

    /// The place of the view, moved to `at` bytes behind this.
    fn place(&self, at: u32) -> Code {
        match self {
            Self::Kept { of, .. } => code!("{of}.moved({})", self.plus(at)),
            Self::Behind { of, bytes } => offset(&sum(of, bytes), at),
        }
    }
}

impl ToCode for Start {
    fn to_code(&self) -> Code {
        match self {
            Self::Kept { pointer, .. } => pointer.clone(),
            Self::Behind { of, bytes } => sum(&code!("{of}.at"), bytes),
        }
    }
}

fn sum(first: &Code, further: &[Code]) -> Code {
    further.iter().fold(first.to_code(), |sum, term| code!("{sum} + {term}"))
}

impl Getter {
    /// In the class, or where a view that it gives is not known there, behind all classes.
    fn print(self, class: &str, outside: bool, later: &mut Vec<Stmt>) -> Vec<Stmt> {
        let getter = self;
        let (kind, found) = getter.found.expression();
        let mut body: Vec<Stmt> = kind.iter().map(|kind| alias(&var("kind"), kind)).collect();
        match &getter.otherwise {
            Some((condition, value)) if getter.plain || getter.ty.is_none() => {
                body.push(stmt!("return {condition} ? {found} : {value};"));
            }
            Some((condition, value)) => {
                body.push(when(condition.negated(), vec![stmt!("return {value};")]));
                body.push(stmt!("return {found};"));
            }
            None => body.push(stmt!("return {found};")),
        }
        let ty = getter.ty.clone().unwrap_or_else(|| code!("auto"));
        let before = if getter.is_static { "static constexpr " } else { "" };
        let after = if getter.is_static { "" } else { " const" };
        let head = code!("[[nodiscard]] {before}{ty} {}(){after} noexcept", getter.name);
        let mut parts = getter.docs;
        if outside {
            parts.push(stmt!("{head};"));
            later.push(block(code!("inline {ty} {class}::{}() const noexcept", getter.name), body));
            later.push(Stmt::Blank);
            return parts;
        }
        parts.push(short_function(head, body));
        parts
    }
}

fn is_part(step: &Step) -> bool {
    matches!(step, Step::Part { .. })
}

/// How many steps begin where only a walk finds out.
fn stored_starts(steps: &[Step]) -> usize {
    match steps {
        [] => 0,
        [Step::Run(_), rest @ ..] => rest.len().saturating_sub(1),
        [_, rest @ ..] => rest.len(),
    }
}

/// How many bytes a view may look at from where a step begins, if all of them are zero.
fn looked_at(plan: &Plan, step: &Step) -> u64 {
    match step {
        Step::Run(run) => u64::from(run.size),
        Step::Part { node, .. } => node_looked_at(plan, node),
    }
}

fn node_looked_at(plan: &Plan, node: &Node) -> u64 {
    match node {
        Node::Call { record } => plan.layout(*record).steps.iter().map(|step| looked_at(plan, step)).sum(),
        Node::Series { count, element } => u64::from(*count).saturating_mul(node_looked_at(plan, element)),
        Node::Rebase { value } => node_looked_at(plan, value),
        Node::Repeat(repeat) => {
            let count = repeat.head.register(Register::is_count);
            // There are none where bytes say how many; a schema may fix that too.
            let count = count.and_then(|(_, register)| register.constant).unwrap_or(0);
            let each = || repeat.element.nodes().into_iter().map(|node| node_looked_at(plan, node)).sum();
            let elements = if count == 0 { 0 } else { count.saturating_mul(each()) };
            u64::from(repeat.head.size).saturating_add(elements)
        }
        _ => node_min_size(plan, node),
    }
}

/// The byte behind a run that begins at a place.
fn behind(run: &Run, of: Code) -> Start {
    let bytes = match run.extent {
        Extent::Exact if run.size == 0 => Vec::new(),
        Extent::Exact => vec![run.size.to_code()],
        _ => vec![code!("{of}.extent")],
    };
    Start::Behind { of, bytes }
}
