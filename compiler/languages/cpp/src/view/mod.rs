//! Views: a header beside the codecs of classes that read fields where they lie in a message, and of the functions that
//! check a message once so that they can.
//!
//! `kind` says how each value is read, `class` makes a class of each record, `verify` the checks, `same` compares views
//! with values in the testee.

mod class;
mod kind;
mod same;
mod verify;

pub(crate) use same::comparisons;

use crate::code::{code, definition, function, stmt, Code, Stmt};
use crate::gen::{Gen, Wire};
use crate::parameter::{input, limits, parameter};
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_emit::needs::{each_slot, takes_extent};
use aldis_plan::{Extent, Message, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;
use std::collections::BTreeMap;

/// Prints the views of one form.
pub(crate) struct Viewer<'g, 'a> {
    gen: &'g Gen<'a>,
    wire: &'g Wire<'a>,
    /// Records that only ever lie within another's block, with their places counted from their own first byte.
    nested: BTreeMap<TypeId, Vec<Step>>,
}

impl<'g, 'a> Viewer<'g, 'a> {
    pub fn new(gen: &'g Gen<'a>, wire: &'g Wire<'a>) -> Self {
        let mut nested = BTreeMap::new();
        for step in wire.plan.layouts.iter().flatten().flat_map(|layout| &layout.steps) {
            each_slot(step, &mut |slot| note_nest(wire, slot, &mut nested));
        }
        let step = |(id, slots): (TypeId, Vec<Slot>)| {
            let size = slots.iter().map(Slot::end).max().unwrap_or(0);
            (id, vec![Step::Run(Run { size, extent: Extent::Acting, slots })])
        };
        Self { gen, wire, nested: nested.into_iter().map(step).collect() }
    }

    /// How a record lies in bytes; nothing for one that this form has no place for.
    fn steps(&self, id: TypeId) -> Option<&[Step]> {
        match &self.wire.plan.layouts[id.index()] {
            Some(layout) => Some(&layout.steps),
            None => self.nested.get(&id).map(Vec::as_slice),
        }
    }

    fn namespace(&self) -> String {
        self.wire.function("view")
    }

    /// `view::Order`
    fn view(&self, id: TypeId) -> Code {
        self.gen.class(id, &self.namespace())
    }

    /// The code that the views and checks of all units stand on.
    pub fn common(&self) -> Vec<Stmt> {
        let title =
            code!("/// Records of verified messages of form {}, read where they lie.", self.wire.plan.form.name);
        let within = stmt!("using in_place = aldis::in_place<{}>;", self.wire.order());
        let beside = stmt!("using {}::in_place;", self.namespace());
        self.wire.forward("view", title, within, Some(beside))
    }

    /// The views and checks of a unit's records in this form.
    pub fn parts(&self, unit: &Unit, sheet: &mut Sheet) {
        let (space, order) = (self.namespace(), self.by_use(&unit.types));
        order.iter().for_each(|id| sheet.add(*id, &space, [stmt!("class {};", self.gen.names.of(*id))]));
        sheet.blank();
        self.classes(unit, &order, sheet);
        let space = &self.wire.namespace;
        self.declarations(unit, sheet);
        sheet.blank();
        for layout in self.wire.layouts(unit) {
            sheet.add(layout.record, space, [self.verifier(layout.record), Stmt::Blank]);
        }
        self.wire.messages(unit).for_each(|message| sheet.add(message.record, space, self.description(message)));
    }

    /// The specialisation that describes the view of a message.
    fn description(&self, message: &Message) -> Vec<Stmt> {
        let takes = takes_extent(self.wire.plan, message.record);
        let extent = takes.then(|| code!(", extent"));
        let version = if self.wire.needs.versions { code!("in.version()") } else { code!("0") };
        let name = self.gen.names.of(message.record);
        let walked = self.walked_place(message.record);
        let is_walked = walked.is_some();
        let starts = is_walked.then(|| code!(", record.starts"));
        let read = |at: &Code| {
            let place = code!("{{{at}, {at}, {}, {version}}}", if takes { code!("extent") } else { code!("0") });
            let place = if is_walked { code!("{{{place}, {{}}}}") } else { place };
            vec![
                stmt!("record = {place};"),
                stmt!("const std::byte* const end = verify_{name}(in, {at}{extent}{starts});"),
            ]
        };
        let parameters = [parameter("auto&", "in"), parameter("place&", "record")];
        let body = self.decoder().message_body(message, &read);
        let body = vec![
            stmt!("using reader_type = reader;"),
            stmt!("using type = {};", self.view(message.record)),
            stmt!("using place = {};", walked.unwrap_or_else(|| code!("aldis::verified"))),
            Stmt::Blank,
            stmt!("/// Checks a message and notes where its record is; gives where it ends."),
            function(code!("[[nodiscard, gnu::always_inline]] static const std::byte* verify"), &parameters, body),
        ];
        vec![definition(code!("template <>\nstruct view_of<{name}>"), body), Stmt::Blank]
    }

    /// The function of this form that users call.
    pub fn function(&self) -> Vec<Stmt> {
        let namespace = &self.wire.namespace;
        let head = code!(
            "template <{namespace}::message T>\n[[gnu::always_inline]] inline \
             aldis::result<typename {namespace}::view_of<T>::type> {}",
            self.wire.function("verify")
        );
        let parameters = [input().bound(), limits()];
        let verify = self.wire.function("verify");
        vec![
            stmt!(
                "/// Checks all of a message of form {} as `{}` does, and gives a view of it, which is",
                self.wire.plan.form.name,
                self.wire.function("decode")
            ),
            stmt!("/// good as long as its bytes are. Takes no memory."),
            function(head, &parameters, vec![stmt!("return aldis::verify_as<{namespace}::view_of<T>>(in, most);")]),
            without_temporaries(namespace, &verify),
            Stmt::Blank,
        ]
    }
}

/// The overload that keeps views from outliving their bytes.
pub(crate) fn without_temporaries(namespace: &str, verify: &str) -> Stmt {
    stmt!(
        "/// Bytes of a temporary would be gone before their view.\n\
         template <{namespace}::message T, aldis::owning_temporary Bytes>\n\
         void {verify}(Bytes&&, const aldis::limits& = {{}}) = delete;"
    )
}

/// Notes where the members of a nest lie, counted from its first byte. A record that is used in several places has each
/// member from the earliest version that any has it from: where the record itself is newer than that, so is who looks.
fn note_nest(wire: &Wire<'_>, slot: &Slot, found: &mut BTreeMap<TypeId, Vec<Slot>>) {
    let SlotKind::Nest { record, slots } = &slot.kind else { return };
    if wire.plan.layouts[record.index()].is_some() {
        return;
    }
    let members: Vec<Slot> = slots.iter().map(|member| moved_back(member, slot.at)).collect();
    let known = found.entry(*record).or_insert_with(|| members.clone());
    for (known, other) in known.iter_mut().zip(members) {
        known.since = known.since.min(other.since);
    }
}

fn moved_back(slot: &Slot, by: u32) -> Slot {
    let mut slot = Slot { at: slot.at - by, ..slot.clone() };
    if let SlotKind::Nest { slots, .. } = &mut slot.kind {
        slots.iter_mut().for_each(|member| *member = moved_back(member, by));
    }
    slot
}
