//! A class for each record: how it begins, its functions, and what fields are that nobody sets.

use super::Writers;
use crate::code::{block, code, definition, function, listed, mention, stmt, var, Code, Stmt};
use crate::gen::Hold;
use crate::literal::is_zero;
use crate::names::Site;
use crate::parameter::parameter;
use crate::scope::{offset, Scope};
use aldis_plan::{Link, NullLink, Run, Slot, SlotKind, Step};
use aldis_schema::{default_of_field, TypeId};

/// A member of a writer.
struct Member {
    ty: &'static str,
    name: Code,
    begun: Code,
    /// Whether it is there also where no setter needs it.
    is_kept: bool,
}

impl Writers<'_, '_> {
    pub(super) fn class(&self, id: TypeId, steps: &[Step], later: &mut Vec<Stmt>) -> Stmt {
        let name = self.gen.names.of(id);
        let (mut setters, behind) = (Vec::new(), later.len());
        for (index, step) in steps.iter().enumerate() {
            match step {
                Step::Run(run) => {
                    run.slots.iter().for_each(|slot| setters.extend(self.slot_setters(id, index, slot, later)));
                }
                Step::Part { field, node, .. } => setters.extend(self.part_setters(id, index, *field, node, later)),
            }
        }
        // Compilers tell of members that no function looks at.
        let mut members = self.members(id, steps);
        members.retain(|member| {
            member.is_kept || mention(&setters, &member.name) || mention(&later[behind..], &member.name)
        });

        let mut body =
            vec![Stmt::Label("public:"), stmt!("/// Begun by `write`, or by the writer of the record that holds it.")];
        let begun: Vec<Code> = members.iter().map(|member| code!("{}({})", member.name, member.begun)).collect();
        body.push(Stmt::Line(match self.wire.needs.links {
            true => {
                code!("explicit {name}(aldis::draft& draft, std::uint32_t depth = 1)\n    : {} {{}}", listed(&begun))
            }
            false => code!("explicit {name}(aldis::draft& draft) : {} {{}}", listed(&begun)),
        }));
        body.push(Stmt::Blank);
        body.extend(setters);
        if self.wire.needs.links {
            let head = code!("friend const std::byte* start_of(const {name}& record) noexcept");
            body.extend([Stmt::Blank, stmt!("/// The record's first byte; null where it could not be begun.")]);
            body.push(block(head, vec![stmt!("return record.{};", self.private(id, "at_"))]));
        }
        body.push(Stmt::Label("private:"));
        body.extend(self.fills(id, steps));
        body.extend(members.iter().map(|member| stmt!("{} {};", member.ty, member.name)));
        let title = code!("/// `{}`", self.gen.schema.type_def(id).name.full());
        definition(code!("{title}\nclass {name}"), body)
    }

    /// The members of a writer, in order.
    fn members(&self, id: TypeId, steps: &[Step]) -> Vec<Member> {
        let member = |ty, name, begun: Code, is_kept| Member { ty, name: self.private(id, name), begun, is_kept };
        let draft = member("aldis::draft*", "draft_", code!("&draft"), false);
        if !self.wire.needs.links {
            let place = member(
                "aldis::draft_place",
                "place_",
                code!("draft.enter_record({})", self.private(id, "steps")),
                true,
            );
            return vec![draft, place];
        }
        let owed = steps.iter().map(|step| match step {
            Step::Run(run) => run.slots.iter().map(owed).sum::<u64>(),
            Step::Part { .. } => 0,
        });
        let fill = self.private(id, "fill");
        let block = code!("draft.block({{{}, {fill}}}, {}, depth)", run_size(steps), owed.sum::<u64>());
        let at = member("std::byte*", "at_", block, true);
        vec![draft, at, member("std::uint32_t", "depth_", code!("depth"), false)]
    }

    /// Functions that write what fields are that nobody sets, and where parts follow one another the table of steps.
    fn fills(&self, id: TypeId, steps: &[Step]) -> Vec<Stmt> {
        let mut parts = Vec::new();
        let mut rows = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let Step::Run(run) = step else {
                rows.push(code!("{{}}"));
                continue;
            };
            let name = if self.wire.needs.links { "fill".to_owned() } else { format!("fill_{index}") };
            let name = self.private(id, &name);
            let mut body = Vec::new();
            if run.size > 0 {
                body.push(crate::encode::zeros(&var("at"), 0, run.size));
            }
            body.extend(self.encoder.head(
                &Run { slots: registers(run), ..Run::default() },
                &var("at"),
                &Code::Number(0),
            ));
            body.extend(self.defaults(&run.slots, id, id));
            parts.push(function(code!("static void {name}"), &[parameter("std::byte*", "at")], body));
            rows.push(code!("{{{}, {name}}}", run.size));
        }
        if !self.wire.needs.links {
            let steps = self.private(id, "steps");
            let head = code!("static constexpr std::array<aldis::draft_step, {}> {steps}", rows.len());
            parts.push(if rows.is_empty() { stmt!("{head}{{}};") } else { stmt!("{head}{{{{{}}}}};", listed(rows)) });
        }
        parts
    }

    fn defaults(&self, slots: &[Slot], class: TypeId, record: TypeId) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for slot in slots {
            let Some(index) = slot.field.map(|index| index as usize) else { continue };
            let hold = self.gen.hold(record, index);
            match &slot.kind {
                _ if hold == Hold::Constant => {}
                SlotKind::Nest { .. } if matches!(hold, Hold::Maybe | Hold::Boxed) => {
                    parts.extend(self.encoder_in(class).null(slot, &var("at"), &Scope::new("out", "false")));
                }
                SlotKind::Nest { record: inner, slots } => parts.extend(self.defaults(slots, class, *inner)),
                SlotKind::Scalar(_) | SlotKind::Chars { .. } => {
                    let is_zero = is_zero(&default_of_field(self.gen.schema, self.gen.field(record, index)));
                    match self.gen.field_default(record, index, Site::Writer(class)) {
                        Some(_) if is_zero => {}
                        Some(value) => parts.extend(self.default(slot, class, &value)),
                        None => {
                            parts.extend(self.encoder_in(class).null(slot, &var("at"), &Scope::new("out", "false")))
                        }
                    }
                }
                SlotKind::Array { .. } => {
                    parts.extend(self.encoder_in(class).null(slot, &var("at"), &Scope::new("out", "false")));
                }
                _ => {}
            }
        }
        parts
    }

    /// Writes a default that is not zero.
    fn default(&self, slot: &Slot, class: TypeId, value: &Code) -> Vec<Stmt> {
        match &slot.kind {
            SlotKind::Chars { .. } => {
                vec![stmt!("aldis::store_chars({}, {}, {value});", offset(&var("at"), slot.at), slot.width)]
            }
            SlotKind::Scalar(scalar) => {
                let plain = self.gen.cpp_type(&scalar.ty, Site::Writer(class));
                self.encoder_in(class).slot(
                    slot,
                    &scalar.ty,
                    &var("at"),
                    &code!("{plain}({value})").into(),
                    false,
                    &Scope::new("out", "false"),
                )
            }
            _ => Vec::new(),
        }
    }
}

fn run_size(steps: &[Step]) -> u32 {
    steps.iter().map(|step| if let Step::Run(run) = step { run.size } else { 0 }).sum()
}

fn registers(run: &Run) -> Vec<Slot> {
    run.slots.iter().filter(|slot| matches!(slot.kind, SlotKind::Register(_))).cloned().collect()
}

/// How many links of a slot must lead somewhere.
pub(super) fn owed(slot: &Slot) -> u64 {
    match &slot.kind {
        SlotKind::Link(Link { null: NullLink::Refused, .. }) => 1,
        SlotKind::Array { count, element } => u64::from(*count) * owed(element),
        SlotKind::Nest { slots, .. } => slots.iter().map(owed).sum(),
        _ => 0,
    }
}
