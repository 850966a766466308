//! Writers: how many words a record's pointers lead to, then its sections and those words.

use super::pointers::Pointer;
use super::{sections, target, Segments, Signature, Target};
use crate::code::{block, case, code, stmt, var, Code, Stmt};
use crate::names::Site;
use crate::parameter::parameter;
use crate::scope::{offset, Scope};
use crate::source::Source;
use aldis_plan::{Node, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Segments<'_, '_> {
    pub(super) fn size_signature(&self, id: TypeId) -> Signature {
        let name = self.gen.names.of(id);
        let value = parameter(code!("const {name}&"), "value");
        Signature {
            head: code!("inline bool size_{name}"),
            parameters: vec![parameter("aldis::segments::sizer&", "out"), value],
        }
    }

    pub(super) fn sizer(&self, id: TypeId) -> Stmt {
        let scope = Scope::new("out", "false");
        let items = self.items(sections(self.plan, id).slots, id, &var("value").into(), &var("to"), &scope);
        let mut body = self.visit(&items, &|pointer| {
            let call = self.size_pointer(pointer.node, pointer.ty, &pointer.source.argument());
            pointer.scope.fail_if(code!("!{call}"))
        });
        body.push(stmt!("return true;"));
        self.size_signature(id).function(body)
    }

    fn size_pointer(&self, node: &Node, ty: &Type, source: &Code) -> Code {
        let with = |verb: &str, id: TypeId| {
            let words = sections(self.plan, id).size / super::WORD;
            code!("out.{verb}({source}, {words}, {})", self.call("size", id))
        };
        match target(node) {
            Target::Text => code!("out.text({source})"),
            Target::Data => code!("out.data({source})"),
            Target::Any => code!("out.any({source})"),
            Target::Numbers(scalar) => code!("out.numbers({source}, {})", scalar.repr.width() * 8),
            Target::Bits => code!("out.numbers({source}, 1)"),
            Target::Voids => code!("out.numbers({source}, 0)"),
            Target::Record(id) => with("record", id),
            Target::Records(id) => with("records", id),
            Target::Pointers(inner) => {
                let size = self.size_pointer(inner, ty.element(), &var("item"));
                code!("out.pointers({source}, [&out](const auto& item) {{ return {size}; }})")
            }
        }
    }

    pub(super) fn write_signature(&self, id: TypeId) -> Signature {
        let name = self.gen.names.of(id);
        let value = parameter(code!("const {name}&"), "value");
        Signature {
            head: code!("inline void write_{name}"),
            parameters: vec![parameter("aldis::segments::writer&", "out"), parameter("std::byte*", "at"), value],
        }
    }

    pub(super) fn writer(&self, id: TypeId) -> Stmt {
        let run = sections(self.plan, id);
        let mut body = Vec::new();
        if run.size > 0 {
            body.push(stmt!("std::memset(at, 0, {});", run.size));
        }
        body.extend(self.write_fields(run.slots, id, &var("value").into()));
        let items = self.items(run.slots, id, &var("value").into(), &var("to"), &Scope::new("out", "false"));
        body.extend(self.visit(&items, &|pointer| self.write_pointer(pointer)));
        self.write_signature(id).function(body)
    }

    /// Stores what lies in the data section.
    fn write_fields(&self, slots: &[Slot], owner: TypeId, source: &Source) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for (slot, index) in self.stored(slots, owner) {
            let member = code!("{source}.{}", self.gen.names.member(owner, index)).into();
            parts.extend(self.write_slot(slot, &member));
        }
        parts
    }

    fn write_slot(&self, slot: &Slot, member: &Source) -> Vec<Stmt> {
        match &slot.kind {
            SlotKind::Scalar(scalar) => vec![Stmt::Line(self.store(scalar, slot.at, &member.argument()))],
            SlotKind::Nest { record, slots } => self.write_fields(slots, *record, member),
            SlotKind::Choice { union, arms } => {
                let place = offset(&var("at"), slot.at);
                let mut parts = vec![stmt!("aldis::store<aldis::little>({place}, {member}.which());")];
                let mut cases = Vec::new();
                for arm in arms {
                    let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
                    let mut body = self.write_slot(&arm.slot, &self.held(*union, index, member));
                    if !body.is_empty() {
                        body.push(stmt!("break;"));
                        cases.push(case(Some(code!("{}", self.tag(*union, index))), body));
                    }
                }
                if !cases.is_empty() {
                    cases.push(case(None, vec![stmt!("break;")]));
                    parts.push(block(code!("switch ({member}.which())"), cases));
                }
                parts
            }
            _ => Vec::new(),
        }
    }

    fn store(&self, scalar: &Scalar, at: u32, member: &Code) -> Code {
        let place = offset(&var("at"), at);
        match (scalar.repr, self.meant(scalar, Site::Namespace)) {
            (Repr::Bit(bit), None) => code!("aldis::segments::store_bit({place}, {bit}, {member});"),
            (Repr::Bit(bit), Some(_)) => code!("aldis::segments::store_bit({place}, {bit}, !{member});"),
            (_, None) => code!("aldis::store<aldis::little>({place}, {member});"),
            (_, Some(meant)) => {
                let ty = self.gen.cpp_type(&scalar.ty, Site::Namespace);
                code!("aldis::segments::store_apart<{ty}>({place}, {member}, {meant});")
            }
        }
    }

    fn write_pointer(&self, pointer: &Pointer<'_>) -> Stmt {
        let place = offset(&var("at"), pointer.at);
        stmt!("{};", self.write_target(pointer.node, pointer.ty, &place, &pointer.source.argument()))
    }

    fn write_target(&self, node: &Node, ty: &Type, place: &Code, source: &Code) -> Code {
        let call = |verb: &str| code!("out.{verb}({place}, {source})");
        let with = |verb: &str, id: TypeId| {
            let words = sections(self.plan, id).words();
            code!("out.{verb}({place}, {source}, {words}, {})", self.call("write", id))
        };
        match target(node) {
            Target::Text => call("text"),
            Target::Data => call("data"),
            Target::Any => call("any"),
            Target::Numbers(_) => call("numbers"),
            Target::Bits => call("bits"),
            Target::Voids => call("voids"),
            Target::Record(id) => with("record", id),
            Target::Records(id) => with("records", id),
            Target::Pointers(inner) => {
                let write = self.write_target(inner, ty.element(), &var("to"), &var("item"));
                let parameters = code!("std::byte* to, const auto& item");
                code!("out.pointers({place}, {source}, [&out]({parameters}) {{ {write}; }})")
            }
        }
    }
}
