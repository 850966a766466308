//! The functions that read records.

use super::{unsigned, Aim, Decoder};
use crate::code::{code, declare, function, listed, mention, scoped, step, stmt, var, when, Code, Stmt, ToCode, WIDTH};
use crate::gen::Hold;
use crate::literal::typed;
use crate::names::Site;
use crate::parameter::{parameter, Parameter};
use crate::scope::Scope;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_emit::needs::takes_extent;
use aldis_plan::{surcharge_within, Emptiness, Extent, Meaning, Register, Run, Slot, SlotKind, Step};
use aldis_schema::{Type, TypeId};

impl Decoder<'_, '_> {
    /// Declarations of a unit's readers, since records may be within each other.
    pub fn declarations(&self, unit: &Unit, sheet: &mut Sheet) {
        for layout in self.wire.layouts(unit) {
            let (id, mut parts) = (layout.record, Vec::new());
            parts.extend(self.told_block(id));
            parts.extend(self.cut_tables(id));
            parts.extend(self.stated_block(id).and_then(|run| self.block_shape(run, id)));
            parts.push(stmt!("inline const std::byte* read_{}({});", self.gen.names.of(id), self.types(id)));
            if self.plain_block(id).is_some() {
                parts.push(stmt!("template <bool Whole>"));
                parts.push(stmt!("inline const std::byte* {}({});", self.block_name(id), self.types(id)));
            }
            sheet.add(id, &self.wire.namespace, parts);
        }
    }

    /// The charge for elements that are such records, whose extent a head says, where they are short.
    fn told_block(&self, id: TypeId) -> Option<Stmt> {
        if !self.wire.needs.budget || !takes_extent(self.wire.plan, id) {
            return None;
        }
        let lacks = self.wire.plan.lacks(id);
        let before = match self.wire.plan.record_emptiness(id) {
            Emptiness::Extent { before: None } => code!("aldis::in_all_versions"),
            Emptiness::Extent { before: Some(before) } => before.to_code(),
            _ => code!("0"),
        };
        let ty = code!("aldis::told_block<{}, {}>", lacks.block.len(), lacks.parts.len());
        let rows = code!("{{{}, {}}}", lack_array(&lacks.block), lack_array(&lacks.parts));
        Some(stmt!("inline constexpr {ty} lacks_{}{{\n    {rows}, {before}}};", self.gen.names.of(id)))
    }

    pub(crate) fn told_name(&self, id: TypeId) -> Code {
        self.call(id, code!("lacks_{}", self.gen.names.of(id)))
    }

    /// The name of a function or constant of a record, as others call it.
    pub(crate) fn call(&self, id: TypeId, name: Code) -> Code {
        self.gen.call(id, &self.wire.namespace, name)
    }

    fn signature(&self, id: TypeId) -> Code {
        code!("{} read_{}", self.wire.reader(id), self.gen.names.of(id))
    }

    fn types(&self, id: TypeId) -> Code {
        listed(self.parameters(id))
    }

    fn parameters(&self, id: TypeId) -> Vec<Parameter> {
        self.parameters_with(id, takes_extent(self.wire.plan, id))
    }

    fn parameters_with(&self, id: TypeId, extent: bool) -> Vec<Parameter> {
        let mut parameters = vec![parameter("auto&", "in"), parameter("const std::byte*", "at")];
        parameters.extend(extent.then(|| parameter("std::uint64_t", "extent")));
        parameters.push(parameter(code!("{}&", self.gen.names.of(id)), "value"));
        parameters
    }

    /// The run that a record is, where that says itself how many bytes it has.
    pub(crate) fn stated_block(&self, id: TypeId) -> Option<&Run> {
        match self.wire.plan.layout(id).steps.as_slice() {
            [Step::Run(run)] if matches!(run.extent, Extent::Stated { .. }) => Some(run),
            _ => None,
        }
    }

    /// The reader of a record: from its first byte, to the place behind what of it lies there.
    pub fn record(&self, id: TypeId) -> Vec<Stmt> {
        if let Some(run) = self.stated_block(id) {
            return self.stated_record(id, run);
        }
        let layout = self.wire.plan.layout(id);
        let scope = Scope::new("in", "nullptr");
        let mut functions = Vec::new();
        let mut body = Vec::new();
        body.push(scope.fail_if(code!("!in.enter(at)")));
        if self.gen.notes_missing(id) {
            body.push(stmt!("value.missing_fields.clear();"));
        }
        for step in &layout.steps {
            match step {
                Step::Run(run) if run.extent == Extent::Exact => {
                    body.extend(self.exact_run(id, run, &Aim::typed(&Type::Named(id), var("value")), &scope));
                }
                Step::Run(run) => {
                    functions.push(self.block_reader(id, run));
                    functions.push(Stmt::Blank);
                    body.extend(self.sized_run(id, run, &scope));
                }
                Step::Part { field, since, node } => {
                    let definition = self.gen.field(id, *field as usize);
                    let target = code!("value.{}", self.gen.names.member(id, *field as usize));
                    let inner = scope.field(&definition.name).deeper();
                    let aim = Aim::typed(&definition.ty, target.clone());
                    let read = self.node(node, &aim, &var("at"), &inner);
                    if *since > 0 {
                        let missing = vec![Stmt::Line(self.gen.assign_default(id, *field as usize, &target))];
                        let newer = code!("in.version() >= {since}");
                        body.push(Stmt::Choice(vec![(Some(newer), read), (None, missing)]));
                    } else {
                        body.push(Stmt::Comment(definition.name.clone()));
                        body.push(scoped(read));
                    }
                }
            }
        }
        body.push(stmt!("in.leave();"));
        body.push(stmt!("return at;"));
        functions.push(function(self.signature(id), &self.parameters(id), body));
        functions.push(Stmt::Blank);
        functions
    }

    /// The readers of a record that is a block which says its own size: a quick one, part of its callers, of blocks in which all fields
    /// are, and a function for all else, explanations too, which are what is rare.
    fn stated_record(&self, id: TypeId, run: &Run) -> Vec<Stmt> {
        let (name, scope) = (self.gen.names.of(id), Scope::new("in", "nullptr"));
        let missing = self.gen.notes_missing(id).then(|| stmt!("value.missing_fields.clear();"));
        let entered = |opened: Vec<Stmt>, whole: Code| {
            let mut body = vec![scope.fail_if(code!("!in.enter(at)"))];
            body.extend(missing.clone());
            body.extend(opened);
            body.push(stmt!("at = {}<{whole}>(in, at, extent, value);", self.block_name(id)));
            body.push(scope.fail_if(code!("at == nullptr")));
            body.push(stmt!("in.leave();"));
            body.push(stmt!("return at;"));
            body
        };
        let any = entered(self.extent(run, id, &scope), code!("false"));
        let rest = code!("read_{name}_apart");
        let mut quick = vec![
            declare("const std::uint64_t", &var("extent"), code!("aldis::open_whole<block_{name}>(in, at)")),
            when(
                code!("extent == 0"),
                vec![stmt!(
                    "return aldis::apart(in, [=, &value](auto& again) {{ return {rest}(again, at, value); }});"
                )],
            ),
        ];
        // Explanations have no quick reader, which would only be more to compile.
        quick.extend(entered(Vec::new(), code!("!aldis::explains<decltype(in)>")));
        let head = code!("[[nodiscard, gnu::noinline]] inline const std::byte* {rest}");
        vec![
            self.block_reader(id, run),
            Stmt::Blank,
            function(head, &self.parameters(id), any),
            Stmt::Blank,
            function(self.signature(id), &self.parameters(id), quick),
            Stmt::Blank,
        ]
    }

    pub(crate) fn exact_run(&self, id: TypeId, run: &Run, aim: &Aim<'_>, scope: &Scope) -> Vec<Stmt> {
        let mut body = vec![self.run_fits(id, run, scope)];
        body.extend(self.fields(&run.slots, &var("at"), id, aim, scope, Guard::None));
        if run.size > 0 {
            body.push(step(&var("at"), run.size));
        }
        body
    }

    /// Sees to it that a run of its full size is there, and pays for it.
    fn run_fits(&self, id: TypeId, run: &Run, scope: &Scope) -> Stmt {
        let surcharge = surcharge_within(&run.slots, u64::from(run.size));
        scope.fail_if(code!("!in.need_run(at, {}, {surcharge}, {})", run.size, self.cut_table(id, run)))
    }

    /// `in.need(at, 8, 0)`, with what is charged on top.
    pub(crate) fn need(&self, at: &Code, size: u64, surcharge: u64) -> Code {
        code!("in.need({at}, {size}, {surcharge})")
    }

    /// The block that a record is, where it can be read whatever its bytes are, costs nothing but them, and has some.
    pub(super) fn plain_block(&self, id: TypeId) -> Option<&Run> {
        let read = |run: &Run| {
            self.fields(
                &run.slots,
                &var("at"),
                id,
                &Aim::typed(&Type::Named(id), var("value")),
                &Scope::new("in", "nullptr"),
                Guard::All,
            )
        };
        self.wire.lone_block(id).filter(|run| run.size > 0 && !mention(&read(run), &var("return")))
    }

    pub(super) fn block_name(&self, id: TypeId) -> Code {
        code!("read_{}_block", self.gen.names.of(id))
    }

    /// The condition under which every slot of a run is there; `None` where that is always so.
    pub(super) fn is_whole(&self, run: &Run, extent: &Code) -> Option<Code> {
        let long = (run.size > 0).then(|| code!("{extent} >= {}", run.size));
        let current = self.wire.needs.versions.then(|| code!("in.current()"));
        let both: Vec<Code> = long.into_iter().chain(current).collect();
        (!both.is_empty()).then(|| code!(" && ").between(both))
    }

    /// The properties of a run that says how many bytes it has.
    fn block_shape(&self, run: &Run, record: TypeId) -> Option<Stmt> {
        let Extent::Stated { head } = run.extent else { return None };
        let (register, _) = run.register(Register::is_extent)?;
        let links = surcharge_rows(run);
        let lacks = self.wire.plan.lacks(record).block;
        let typed = block_type(run);
        let id = typed.map_or(code!("void"), |(slot, _)| unsigned(slot.width));
        let ty = code!("aldis::sized_block<{}, {id}, {}, {}>", unsigned(register.width), links.len(), lacks.len());
        let mut rest = typed.map_or(Code::nothing(), |(slot, id)| code!(", .type = {id}, .type_at = {}", slot.at));
        if register.at > 0 {
            rest = code!("{rest}, .at = {}", register.at);
        }
        let surcharged = if links.is_empty() { code!("{{}}") } else { code!("{{{{{}}}}}", listed(&links)) };
        let lacks = lack_array(&lacks);
        let (size, cuts) = (run.size, self.cut_table(record, run));
        let name = self.gen.names.of(record);
        Some(stmt!("inline constexpr {ty} block_{name}{{.head = {head}, .size = {size}, .links = {surcharged}, .short_of = {lacks}{rest}, .cuts = {cuts}}};"))
    }

    /// Finds out how many bytes a run has, whether they are there, and pays for them.
    pub(crate) fn extent(&self, run: &Run, record: TypeId, scope: &Scope) -> Vec<Stmt> {
        if let Extent::Stated { .. } = run.extent {
            let opened = code!("aldis::open_block<block_{}>(in, at)", self.gen.names.of(record));
            return vec![declare("const std::uint64_t", &var("extent"), opened), scope.fail_if(code!("extent == 0"))];
        }
        let mut body = vec![scope.fail_if(code!("!in.need_run(at, extent, {})", self.cut_table(record, run)))];
        let links = surcharge_rows(run);
        if links.is_empty() {
            body.push(scope.fail_if(code!("!in.pay(extent, at)")));
        } else {
            let ty = code!("std::array<aldis::surcharge, {}>", links.len());
            body.push(stmt!("static constexpr {ty} links{{{{{}}}}};", listed(&links)));
            body.push(scope.fail_if(code!("!in.pay(extent + in.extra(aldis::surcharged(extent, links)), at)")));
        }
        body
    }

    /// Finds out how many bytes a run has, and reads it.
    fn sized_run(&self, id: TypeId, run: &Run, scope: &Scope) -> Vec<Stmt> {
        let whole = self.is_whole(run, &var("extent"));
        let mut body = self.extent(run, id, scope);
        body.extend(whole.as_ref().map(|whole| declare("const bool", &var("whole"), whole)));
        let block = self.block_name(id);
        if whole.is_none() {
            body.push(stmt!("at = {block}<true>(in, at, extent, value);"));
        } else {
            // One reader does for explanations, whose speed is no matter: it is less to compile.
            let all = code!("!aldis::explains<decltype(in)>");
            let short = code!("{block}<false>(in, at, extent, value)");
            body.push(stmt!("at = {all} && whole ? {block}<{all}>(in, at, extent, value) : {short};"));
        }
        body.push(scope.fail_if(code!("at == nullptr")));
        body
    }

    /// The reader of a run that has `extent` bytes, which are there.
    fn block_reader(&self, id: TypeId, run: &Run) -> Stmt {
        let scope = Scope::new("in", "nullptr");
        let mut body = self.fields(
            &unopened(run),
            &var("at"),
            id,
            &Aim::typed(&Type::Named(id), var("value")),
            &scope,
            Guard::All,
        );
        body.push(stmt!("return at + extent;"));
        let head = code!("template <bool Whole>\n{} {}", self.wire.reader(id), self.block_name(id));
        function(head, &self.parameters_with(id, true), body)
    }

    /// Reads or checks the fields of a record in slots of a run at `start`, of which only `extent` bytes may be there where
    /// `guard` says so.
    pub(crate) fn fields(
        &self,
        slots: &[Slot],
        start: &Code,
        record: TypeId,
        aim: &Aim<'_>,
        scope: &Scope,
        guard: Guard,
    ) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for slot in slots {
            let Some(index) = slot.field else {
                parts.extend(self.checked_register(slot, start));
                continue;
            };
            let hold = self.gen.hold(record, index as usize);
            if hold == Hold::Constant {
                continue;
            }
            let field = self.gen.field(record, index as usize);
            let member = aim.place().map_or(aim.clone(), |target| Aim::Value {
                ty: &field.ty,
                place: code!("{target}.{}", self.gen.names.member(record, index as usize)),
                maybe: matches!(hold, Hold::Maybe | Hold::Boxed),
            });
            let read = self.slot(slot, &member, start, &scope.field(&field.name).deeper(), guard);
            let condition = presence(slot, &var("extent"), &code!("in.version()")).filter(|_| guard.asks(slot));
            match (condition, aim.place()) {
                (_, None) if read.is_empty() => {}
                (Some(condition), None) => parts.push(when(condition.to_code(), read)),
                (Some(condition), Some(target)) => {
                    let condition = condition.or("Whole");
                    let loaded = self.loaded_or_missing(&condition, &read, slot, (record, index as usize));
                    parts.push(loaded.unwrap_or_else(|| {
                        let missing = self.missing(slot, record, index as usize, target);
                        Stmt::Choice(vec![(Some(condition), read), (None, missing)])
                    }));
                }
                (None, _) => parts.push(scoped(read)),
            }
        }
        parts
    }

    /// One assignment, of a number that is there or of its default, where that is all.
    fn loaded_or_missing(
        &self,
        condition: &Code,
        read: &[Stmt],
        slot: &Slot,
        (record, index): (TypeId, usize),
    ) -> Option<Stmt> {
        let [Stmt::Load { to, ty, at }] = read else { return None };
        let default = self.gen.field_default(record, index, Site::Namespace);
        let is_set = match self.gen.hold(record, index) {
            Hold::Noted => false,
            Hold::Maybe if slot.missing == aldis_plan::Missing::Null => false,
            Hold::Maybe | Hold::Boxed => default.is_some(),
            Hold::Plain | Hold::Constant => true,
        };
        let missing = typed(&self.gen.field(record, index).ty, ty, default);
        let choice = code!("{to} = {condition} ? reader::load<{ty}>({at}) : {missing};");
        (is_set && choice.flat(WIDTH - 4).is_some()).then_some(Stmt::Line(choice))
    }

    /// The statements for a field whose bytes are not there.
    fn missing(&self, slot: &Slot, record: TypeId, index: usize, target: &Code) -> Vec<Stmt> {
        let member = code!("{target}.{}", self.gen.names.member(record, index));
        match self.gen.hold(record, index) {
            Hold::Maybe if slot.missing == aldis_plan::Missing::Null => vec![stmt!("{member}.reset();")],
            Hold::Noted => vec![
                Stmt::Line(self.gen.assign_default(record, index, &member)),
                stmt!("{target}.missing_fields.add({index});"),
            ],
            _ => vec![Stmt::Line(self.gen.assign_default(record, index, &member))],
        }
    }
}

/// The slots of a run that may not be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    None,
    All,
    /// Those that are newer than this version: what a record has had from then on is known to be there.
    Newer(u32),
}

impl Guard {
    pub fn asks(self, slot: &Slot) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Newer(version) => slot.since > version,
        }
    }

    /// The guard of what lies within a nest that is there.
    pub fn within(self, nest: &Slot) -> Self {
        match self {
            Self::None => Self::None,
            Self::All => Self::Newer(nest.since),
            Self::Newer(version) => Self::Newer(version.max(nest.since)),
        }
    }
}

/// The condition under which a slot's bytes are there; a nest's are when its first version's members are.
pub(crate) fn presence(slot: &Slot, extent: &Code, version: &Code) -> Option<Presence> {
    let end = match &slot.kind {
        SlotKind::Nest { slots, .. } => {
            let first = slots.iter().filter(|member| member.since <= slot.since);
            first.map(Slot::end).max().unwrap_or(slot.at)
        }
        _ => slot.end(),
    };
    let new = (slot.since > 0).then(|| (version.clone(), slot.since));
    let long = (end > 0).then(|| (extent.clone(), end));
    let least: Vec<(Code, u32)> = new.into_iter().chain(long).collect();
    (!least.is_empty()).then_some(Presence(least))
}

/// The condition that numbers are so large at least.
#[derive(Clone, Debug)]
pub(crate) struct Presence(Vec<(Code, u32)>);

impl Presence {
    pub fn of(number: Code, least: u32) -> Self {
        Self(vec![(number, least)])
    }

    /// This, or that all is there.
    pub fn or(&self, whole: &str) -> Code {
        match self.0.len() {
            1 => code!("{whole} || {self}"),
            _ => code!("{whole} || ({self})"),
        }
    }

    pub fn negated(&self) -> Code {
        match self.0.as_slice() {
            [(number, least)] => code!("{number} < {least}"),
            _ => code!("!({self})"),
        }
    }
}

impl ToCode for Presence {
    fn to_code(&self) -> Code {
        code!(" && ").between(self.0.iter().map(|(number, least)| code!("{number} >= {least}")))
    }
}

/// The type that a block says it has, where opening it looks at that.
fn block_type(run: &Run) -> Option<(&Slot, u64)> {
    let Extent::Stated { head } = run.extent else { return None };
    run.slots.iter().filter(|slot| slot.end() <= head).find_map(|slot| match &slot.kind {
        SlotKind::Register(Register { meaning: Meaning::TypeId { expect }, constant: None, .. }) => {
            Some((slot, *expect))
        }
        _ => None,
    })
}

/// The slots of a run that opening it has not looked at.
pub(crate) fn unopened(run: &Run) -> Vec<Slot> {
    let opened = block_type(run).map(|(slot, _)| slot.at);
    let kept = |slot: &&Slot| opened.is_none_or(|at| slot.at != at || slot.field.is_some());
    run.slots.iter().filter(kept).cloned().collect()
}

/// Ends and costs as an array of `aldis::lack`.
pub(crate) fn lack_array(rows: &[(u32, u64)]) -> Code {
    let rows: Vec<Code> = rows.iter().map(|(end, cost)| code!("{{{end}, {cost}}}")).collect();
    if rows.is_empty() {
        code!("{{}}")
    } else {
        code!("{{{{{}}}}}", listed(&rows))
    }
}

/// The slots of a run that are charged beside its bytes: where each ends, and how much.
fn surcharge_rows(run: &Run) -> Vec<Code> {
    let mut rows = Vec::new();
    surcharges(&run.slots, &mut rows);
    rows.iter().map(|(end, bytes)| code!("{{{end}, {bytes}}}")).collect()
}

fn surcharges(slots: &[Slot], rows: &mut Vec<(u32, u64)>) {
    for slot in slots {
        match &slot.kind {
            SlotKind::Nest { slots, .. } => surcharges(slots, rows),
            _ if slot.surcharge() > 0 => rows.push((slot.end(), slot.surcharge())),
            _ => {}
        }
    }
}
