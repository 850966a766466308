//! Checks: what a record's reader looks at, in its order, without values.

use super::{sections, target, Segments, Signature, Target, WORD};
use crate::code::{block, case, code, mention, stmt, var, Code, Stmt};
use crate::parameter::parameter;
use crate::scope::Scope;
use aldis_plan::{ArmSlot, Node, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Segments<'_, '_> {
    pub(super) fn verify_signature(&self, id: TypeId) -> Signature {
        let body = parameter("const aldis::segments::body&", "at");
        Signature {
            head: code!("inline bool verify_{}", self.gen.names.of(id)),
            parameters: vec![parameter("aldis::segments::verifier&", "in"), body],
        }
    }

    pub(super) fn verifier(&self, id: TypeId) -> Stmt {
        let run = sections(self.plan, id);
        let mut body = Vec::new();
        let checks = self.verify_fields(run.slots, run.data, id, &Scope::new("in", "false"));
        if mention(&checks, &var("data")) {
            body.push(stmt!("const aldis::segments::data_of<{}> data(at);", run.data));
        }
        body.extend(checks);
        body.push(stmt!("return true;"));
        self.verify_signature(id).function(body)
    }

    fn verify_fields(&self, slots: &[Slot], data: u32, owner: TypeId, scope: &Scope) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for (slot, index) in self.stored(slots, owner) {
            let (ty, inner) = self.within_field(owner, index, scope);
            parts.extend(self.verify_slot(slot, data, ty, &inner));
        }
        parts
    }

    fn verify_slot(&self, slot: &Slot, data: u32, ty: &Type, scope: &Scope) -> Vec<Stmt> {
        match &slot.kind {
            SlotKind::Pointer { target } => {
                let place = code!("at.pointer({})", (slot.at - data) / WORD);
                vec![scope.fail_if(code!("!{}", self.verify_pointer(target, ty, &place)))]
            }
            SlotKind::Nest { record, slots } => self.verify_fields(slots, data, *record, scope),
            SlotKind::Choice { union, arms } => self.verify_choice(*union, arms, slot, data, scope),
            _ => Vec::new(),
        }
    }

    /// The arms that have something to check.
    fn verify_choice(&self, union: TypeId, arms: &[ArmSlot], slot: &Slot, data: u32, scope: &Scope) -> Vec<Stmt> {
        let mut cases = Vec::new();
        for arm in arms {
            let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
            let field = self.gen.field(union, index);
            let mut body = self.verify_slot(&arm.slot, data, &field.ty, &scope.field(&field.name));
            if !body.is_empty() {
                body.push(stmt!("break;"));
                cases.push(case(Some(code!("{}", self.tag(union, index))), body));
            }
        }
        if cases.is_empty() {
            return cases;
        }
        cases.push(case(None, vec![stmt!("break;")]));
        let tag = code!("data.get<{}>({})", self.gen.names.tags(union), slot.at);
        vec![block(code!("switch ({tag})"), cases)]
    }

    /// The call that checks what a pointer leads to, and tells whether it is right.
    fn verify_pointer(&self, node: &Node, ty: &Type, place: &Code) -> Code {
        let with = |verb: &str, id: TypeId| {
            code!("in.{verb}({place}, {}, {})", self.call("verify", id), self.call("lacks", id))
        };
        match target(node) {
            Target::Text if self.gen.strict_text => code!("in.utf8({place})"),
            Target::Text => code!("in.text({place})"),
            Target::Data => code!("in.data({place})"),
            Target::Any => code!("in.any({place})"),
            Target::Numbers(scalar) => code!("in.numbers({place}, {})", scalar.repr.width()),
            Target::Bits => code!("in.bits({place})"),
            Target::Voids => code!("in.voids({place})"),
            Target::Record(id) => with("record", id),
            Target::Records(id) => with("records", id),
            Target::Pointers(inner) => {
                let check = self.verify_pointer(inner, ty.element(), &var("from"));
                code!("in.pointers({place}, [&in](aldis::segments::place from) {{ return {check}; }})")
            }
        }
    }
}
