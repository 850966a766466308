//! Readers: the fields of a record from its sections.

use super::{sections, target, Segments, Signature, Target, WORD};
use crate::code::{alias, block, case, code, mention, stmt, var, Code, Stmt};
use crate::names::Site;
use crate::parameter::parameter;
use crate::scope::Scope;
use aldis_plan::{ArmSlot, Node, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Segments<'_, '_> {
    pub(super) fn read_signature(&self, id: TypeId) -> Signature {
        let name = self.gen.names.of(id);
        let body = parameter("const aldis::segments::body&", "at");
        let value = parameter(code!("{name}&"), "value");
        Signature {
            head: code!("inline bool read_{name}"),
            parameters: vec![parameter("aldis::segments::reader&", "in"), body, value],
        }
    }

    pub(super) fn reader(&self, id: TypeId) -> Stmt {
        let run = sections(self.plan, id);
        let mut body = Vec::new();
        let fields = self.read_fields(run.slots, run.data, id, &var("value"), &Scope::new("in", "false"));
        if mention(&fields, &var("data")) {
            body.push(stmt!("const aldis::segments::data_of<{}> data(at);", run.data));
        }
        body.extend(fields);
        body.push(stmt!("return true;"));
        self.read_signature(id).function(body)
    }

    fn read_fields(&self, slots: &[Slot], data: u32, owner: TypeId, source: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for (slot, index) in self.stored(slots, owner) {
            let member = code!("{source}.{}", self.gen.names.member(owner, index));
            let (ty, inner) = self.within_field(owner, index, scope);
            parts.extend(self.read_slot(slot, data, ty, &member, &inner));
        }
        parts
    }

    fn read_slot(&self, slot: &Slot, data: u32, ty: &Type, member: &Code, scope: &Scope) -> Vec<Stmt> {
        match &slot.kind {
            SlotKind::Scalar(scalar) => vec![stmt!("{member} = {};", self.number(scalar, slot.at))],
            SlotKind::Pointer { target } => {
                let place = code!("at.pointer({})", (slot.at - data) / WORD);
                vec![scope.fail_if(code!("!{}", self.read_pointer(target, ty, &place, member)))]
            }
            SlotKind::Nest { record, slots } => self.read_fields(slots, data, *record, member, scope),
            SlotKind::Choice { union, arms } => vec![self.read_choice(*union, arms, slot, data, member, scope)],
            _ => Vec::new(),
        }
    }

    fn number(&self, scalar: &Scalar, at: u32) -> Code {
        let meant = self.meant(scalar, Site::Namespace).map(|meant| code!(", {meant}")).unwrap_or_default();
        match scalar.repr {
            Repr::Bit(bit) => code!("data.bit({at}, {bit}{meant})"),
            _ => code!("data.get<{}>({at}{meant})", self.gen.cpp_type(&scalar.ty, Site::Namespace)),
        }
    }

    fn read_choice(
        &self,
        union: TypeId,
        arms: &[ArmSlot],
        slot: &Slot,
        data: u32,
        member: &Code,
        scope: &Scope,
    ) -> Stmt {
        let mut cases = Vec::new();
        for arm in arms {
            let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
            let field = self.gen.field(union, index);
            let tag = self.tag(union, index);
            let inner = scope.field(&field.name);
            let held = code!("{member}.present<{tag}>()");
            let mut body = match &arm.slot.kind {
                SlotKind::Nest { .. } | SlotKind::Choice { .. } => {
                    // Arms may hold unions in turn.
                    let inner = inner.deeper();
                    let name = inner.var("arm");
                    let mut read = vec![alias("auto&", &name, &held)];
                    read.extend(self.read_slot(&arm.slot, data, &field.ty, &name, &inner));
                    if read.len() == 1 || !mention(&read[1..], &name) {
                        vec![stmt!("{held};")]
                    } else {
                        vec![Stmt::Braces(read)]
                    }
                }
                SlotKind::Constant { .. } => vec![stmt!("{held};")],
                _ => self.read_slot(&arm.slot, data, &field.ty, &held, &inner),
            };
            body.push(stmt!("break;"));
            cases.push(case(Some(code!("{tag}")), body));
        }
        let unknown = code!("{member}.set_unknown(tag);");
        cases.push(case(None, vec![Stmt::Line(unknown), stmt!("break;")]));
        let tag = code!("data.get<{}>({})", self.gen.names.tags(union), slot.at);
        block(code!("switch (const auto tag = {tag}; tag)"), cases)
    }

    /// The call that reads what a pointer leads to into an optional, and tells whether it could.
    fn read_pointer(&self, node: &Node, ty: &Type, place: &Code, member: &Code) -> Code {
        let call = |verb: &str| code!("in.{verb}({place}, {member})");
        let with = |verb: &str, id: TypeId| {
            code!("in.{verb}({place}, {member}, {}, {})", self.call("read", id), self.call("lacks", id))
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
                let read = self.read_pointer(inner, ty.element(), &var("from"), &var("item"));
                let parameters = code!("aldis::segments::place from, auto& item");
                code!("in.pointers({place}, {member}, [&in]({parameters}) {{ return {read}; }})")
            }
        }
    }
}
