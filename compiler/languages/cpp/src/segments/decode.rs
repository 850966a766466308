//! Readers: the fields of a record from its sections.

use super::{sections, target, Segments, Signature, Target, WORD};
use crate::code::{alias, line, Stmt};
use crate::names::Site;
use crate::parameter::parameter;
use crate::scope::Scope;
use aldis_plan::{ArmSlot, Node, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Segments<'_, '_> {
    pub(super) fn read_signature(&self, id: TypeId) -> Signature {
        let name = self.gen.names.of(id);
        let body = parameter("const aldis::segments::body&", "at");
        let value = parameter(format!("{name}&"), "value");
        Signature {
            head: format!("inline bool read_{name}"),
            parameters: vec![parameter("aldis::segments::reader&", "in"), body, value],
        }
    }

    pub(super) fn reader(&self, id: TypeId) -> Stmt {
        let run = sections(self.plan, id);
        let mut body = Vec::new();
        let fields = self.read_fields(run.slots, run.data, id, "value", &Scope::new("in", "false"));
        if crate::code::mention(&fields, "data") {
            body.push(line(format!("const aldis::segments::data_of<{}> data(at);", run.data)));
        }
        body.extend(fields);
        body.push(line("return true;"));
        self.read_signature(id).function(body)
    }

    fn read_fields(&self, slots: &[Slot], data: u32, owner: TypeId, source: &str, scope: &Scope) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for (slot, index) in self.stored(slots, owner) {
            let member = format!("{source}.{}", self.gen.names.member(owner, index));
            let (ty, inner) = self.within_field(owner, index, scope);
            parts.extend(self.read_slot(slot, data, ty, &member, &inner));
        }
        parts
    }

    fn read_slot(&self, slot: &Slot, data: u32, ty: &Type, member: &str, scope: &Scope) -> Vec<Stmt> {
        match &slot.kind {
            SlotKind::Scalar(scalar) => vec![line(format!("{member} = {};", self.number(scalar, slot.at)))],
            SlotKind::Pointer { target } => {
                let place = format!("at.pointer({})", (slot.at - data) / WORD);
                vec![scope.fail_if(format!("!{}", self.read_pointer(target, ty, &place, member)))]
            }
            SlotKind::Nest { record, slots } => self.read_fields(slots, data, *record, member, scope),
            SlotKind::Choice { union, arms } => vec![self.read_choice(*union, arms, slot, data, member, scope)],
            _ => Vec::new(),
        }
    }

    fn number(&self, scalar: &Scalar, at: u32) -> String {
        let meant = self.meant(scalar, Site::Namespace).map(|meant| format!(", {meant}")).unwrap_or_default();
        match scalar.repr {
            Repr::Bit(bit) => format!("data.bit({at}, {bit}{meant})"),
            _ => format!("data.get<{}>({at}{meant})", self.gen.cpp_type(&scalar.ty, Site::Namespace)),
        }
    }

    fn read_choice(
        &self,
        union: TypeId,
        arms: &[ArmSlot],
        slot: &Slot,
        data: u32,
        member: &str,
        scope: &Scope,
    ) -> Stmt {
        let mut cases = Vec::new();
        for arm in arms {
            let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
            let field = self.gen.field(union, index);
            let tag = self.tag(union, index);
            let inner = scope.field(&field.name);
            let held = format!("{member}.present<{tag}>()");
            let mut body = match &arm.slot.kind {
                SlotKind::Nest { .. } | SlotKind::Choice { .. } => {
                    // Arms may hold unions in turn.
                    let inner = inner.deeper();
                    let name = inner.var("arm");
                    let mut read = vec![alias("auto&", &name, held.as_str())];
                    read.extend(self.read_slot(&arm.slot, data, &field.ty, &name, &inner));
                    if read.len() == 1 || !crate::code::mention(&read[1..], &name) {
                        vec![line(format!("{held};"))]
                    } else {
                        vec![Stmt::Block { head: String::new(), body: read, tail: "" }]
                    }
                }
                SlotKind::Constant { .. } => vec![line(format!("{held};"))],
                _ => self.read_slot(&arm.slot, data, &field.ty, &held, &inner),
            };
            body.push(line("break;"));
            cases.push(Stmt::Case { label: format!("case {tag}:"), body });
        }
        let unknown = format!("{member}.set_unknown(tag);");
        cases.push(Stmt::Case { label: "default:".to_owned(), body: vec![line(unknown), line("break;")] });
        let tag = format!("data.get<{}>({})", self.gen.names.tags(union), slot.at);
        crate::code::block(format!("switch (const auto tag = {tag}; tag)"), cases)
    }

    /// The call that reads what a pointer leads to into an optional, and tells whether it could.
    fn read_pointer(&self, node: &Node, ty: &Type, place: &str, member: &str) -> String {
        let call = |verb: &str| format!("in.{verb}({place}, {member})");
        let with = |verb: &str, id: TypeId| {
            format!("in.{verb}({place}, {member}, {}, {})", self.call("read", id), self.call("lacks", id))
        };
        match target(node) {
            Target::Text if self.gen.strict_text => call("utf8"),
            Target::Text => call("text"),
            Target::Data => call("data"),
            Target::Any => call("any"),
            Target::Numbers(_) => call("numbers"),
            Target::Bits => call("bits"),
            Target::Voids => call("voids"),
            Target::Record(id) => with("record", id),
            Target::Records(id) => with("records", id),
            Target::Pointers(inner) => {
                let read = self.read_pointer(inner, ty.element(), "from", "item");
                let head = "[&in](aldis::segments::place from, auto& item)";
                format!("in.pointers({place}, {member}, {head} {{ return {read}; }})")
            }
        }
    }
}
