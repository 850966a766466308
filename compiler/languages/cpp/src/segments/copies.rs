//! For the testee: functions that write a value field by field, pointers in the order in which `encode` follows them.

use super::pointers::Pointer;
use super::{sections, target, Segments, Target};
use crate::code::{block, case, code, counted, declare, function, listed, stmt, var, when, Code, Stmt};
use crate::gen::Hold;
use crate::parameter::parameter;
use crate::scope::Scope;
use crate::sheet::Sheet;
use crate::source::Source;
use aldis_plan::{ArmSlot, Node, Slot, SlotKind};
use aldis_schema::TypeId;

impl Segments<'_, '_> {
    /// `copy` of each record, in the writers' namespace.
    pub fn copies(&self) -> Vec<Stmt> {
        let space = self.gen.segments().map(|wire| wire.function("writer")).unwrap_or_default();
        let mut sheet = Sheet::default();
        let parameters = |id: TypeId| {
            let name = self.gen.names.of(id);
            [parameter(name, "to"), parameter(code!("const {}&", self.gen.names.qualified(id)), "value")]
        };
        let records: Vec<TypeId> = self.plan.layouts.iter().flatten().map(|layout| layout.record).collect();
        for id in &records {
            sheet.add(*id, &space, [stmt!("inline void copy({});", listed(parameters(*id)))]);
        }
        sheet.blank();
        for id in records {
            let slots = sections(self.plan, id).slots;
            let mut body = self.copy_fields(slots, id, &var("to"), &var("value").into());
            let items = self.items(slots, id, &var("value").into(), &var("to"), &Scope::new("out", "false"));
            body.extend(self.visit(&items, &|pointer| copy_pointer(pointer)));
            sheet.add(
                id,
                &space,
                [function(code!("[[maybe_unused]] inline void copy"), &parameters(id), body), Stmt::Blank],
            );
        }
        sheet.print(self.gen)
    }

    /// Sets what lies in the data section.
    fn copy_fields(&self, slots: &[Slot], owner: TypeId, to: &Code, value: &Source) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for slot in slots {
            let Some(index) = slot.field.map(|field| field as usize) else { continue };
            if self.gen.hold(owner, index) == Hold::Constant {
                continue;
            }
            let name = self.gen.names.member(owner, index);
            let (to, value) = (code!("{to}.{name}"), code!("{value}.{name}").into());
            match &slot.kind {
                SlotKind::Scalar(_) => parts.push(stmt!("{to}({value});")),
                SlotKind::Nest { record, slots } => {
                    parts.extend(self.copy_fields(slots, *record, &code!("{to}()"), &value));
                }
                SlotKind::Choice { union, arms } => {
                    parts.push(self.copy_choice(*union, arms, &code!("{to}()"), &value));
                }
                _ => {}
            }
        }
        parts
    }

    /// Makes the arm active; one behind a pointer is null at first.
    fn copy_choice(&self, union: TypeId, arms: &[ArmSlot], to: &Code, value: &Source) -> Stmt {
        let mut cases = Vec::new();
        for arm in arms {
            let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
            let tag = self.tag(union, index);
            let (set, held) = (code!("{to}.set<{tag}>"), self.held(union, index, value));
            let mut body = match &arm.slot.kind {
                SlotKind::Scalar(_) => vec![stmt!("{set}({});", held.argument())],
                SlotKind::Pointer { .. } => vec![stmt!("{set}(std::nullopt);")],
                SlotKind::Nest { record, slots } => {
                    let mut body = vec![stmt!("{set}();")];
                    body.extend(self.copy_fields(slots, *record, &code!("{set}()"), &held));
                    body
                }
                SlotKind::Choice { union, arms } => {
                    vec![self.copy_choice(*union, arms, &code!("{set}()"), &held)]
                }
                _ => vec![stmt!("{set}();")],
            };
            body.push(stmt!("break;"));
            cases.push(case(Some(code!("{tag}")), body));
        }
        let unknown = vec![stmt!("{to}.set_unknown({value}.which());"), stmt!("break;")];
        cases.push(case(None, unknown));
        block(code!("switch ({value}.which())"), cases)
    }
}

fn copy_pointer(pointer: &Pointer<'_>) -> Stmt {
    let to = &pointer.to;
    copy_target(pointer.node, &|value| code!("{to}({value})"), &pointer.source, 1)
}

/// `to`: a call, by its last argument.
fn copy_target(node: &Node, to: &dyn Fn(Code) -> Code, value: &Source, level: usize) -> Stmt {
    let there = code!("{value}.has_value()");
    let [list, index] = ["list", "index"].map(|own| match level {
        1 => var(own),
        level => var(&format!("{own}{level}")),
    });
    let size = || to(code!("{value}->size()"));
    let elements =
        |each: Stmt| vec![declare("auto", &list, size()), counted(&index, code!("{value}->size()"), vec![each])];
    match target(node) {
        Target::Text | Target::Data | Target::Any | Target::Numbers(_) | Target::Bits => {
            stmt!("{};", to(value.argument()))
        }
        Target::Voids => when(there, vec![stmt!("{};", size())]),
        Target::Record(_) => when(there, vec![stmt!("copy({}, *{value});", to(Code::nothing()))]),
        Target::Records(_) => {
            let each = stmt!("copy({list}[{index}], (*{value})[{index}]);");
            when(there, elements(each))
        }
        Target::Pointers(inner) => {
            let each = copy_target(
                inner,
                &|value| code!("{list}.set({index}, {value})"),
                &code!("(*{value})[{index}]").into(),
                level + 1,
            );
            when(there, elements(each))
        }
    }
}
