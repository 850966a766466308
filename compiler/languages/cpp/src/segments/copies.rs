//! For the testee: functions that write a value field by field, pointers in the order in which `encode` follows them.

use super::pointers::Pointer;
use super::{sections, target, Segments, Target};
use crate::code::{block, declare, function, line, when, Stmt};
use crate::gen::Hold;
use crate::parameter::{listed, parameter};
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
            [parameter(name, "to"), parameter(format!("const {}&", self.gen.names.qualified(id)), "value")]
        };
        let records: Vec<TypeId> = self.plan.layouts.iter().flatten().map(|layout| layout.record).collect();
        for id in &records {
            sheet.add(*id, &space, [line(format!("inline void copy({});", listed(&parameters(*id), ", ")))]);
        }
        sheet.blank();
        for id in records {
            let slots = sections(self.plan, id).slots;
            let mut body = self.copy_fields(slots, id, "to", &"value".into());
            let items = self.items(slots, id, &"value".into(), "to", &Scope::new("out", "false"));
            body.extend(self.visit(&items, &|pointer| copy_pointer(pointer)));
            sheet.add(id, &space, [function("[[maybe_unused]] inline void copy", &parameters(id), body), Stmt::Blank]);
        }
        sheet.print(self.gen)
    }

    /// Sets what lies in the data section.
    fn copy_fields(&self, slots: &[Slot], owner: TypeId, to: &str, value: &Source) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for slot in slots {
            let Some(index) = slot.field.map(|field| field as usize) else { continue };
            if self.gen.hold(owner, index) == Hold::Constant {
                continue;
            }
            let name = self.gen.names.member(owner, index);
            let (to, value) = (format!("{to}.{name}"), format!("{value}.{name}").into());
            match &slot.kind {
                SlotKind::Scalar(_) => parts.push(line(format!("{to}({value});"))),
                SlotKind::Nest { record, slots } => {
                    parts.extend(self.copy_fields(slots, *record, &format!("{to}()"), &value));
                }
                SlotKind::Choice { union, arms } => {
                    parts.push(self.copy_choice(*union, arms, &format!("{to}()"), &value));
                }
                _ => {}
            }
        }
        parts
    }

    /// Makes the arm active; one behind a pointer is null at first.
    fn copy_choice(&self, union: TypeId, arms: &[ArmSlot], to: &str, value: &Source) -> Stmt {
        let mut cases = Vec::new();
        for arm in arms {
            let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
            let tag = self.tag(union, index);
            let (set, held) = (format!("{to}.set<{tag}>"), self.held(union, index, value));
            let mut body = match &arm.slot.kind {
                SlotKind::Scalar(_) => vec![line(format!("{set}({});", held.argument()))],
                SlotKind::Pointer { .. } => vec![line(format!("{set}(std::nullopt);"))],
                SlotKind::Nest { record, slots } => {
                    let mut body = vec![line(format!("{set}();"))];
                    body.extend(self.copy_fields(slots, *record, &format!("{set}()"), &held));
                    body
                }
                SlotKind::Choice { union, arms } => {
                    vec![self.copy_choice(*union, arms, &format!("{set}()"), &held)]
                }
                _ => vec![line(format!("{set}();"))],
            };
            body.push(line("break;"));
            cases.push(Stmt::Case { label: format!("case {tag}:"), body });
        }
        let unknown = vec![line(format!("{to}.set_unknown({value}.which());")), line("break;")];
        cases.push(Stmt::Case { label: "default:".to_owned(), body: unknown });
        block(format!("switch ({value}.which())"), cases)
    }
}

fn copy_pointer(pointer: &Pointer<'_>) -> Stmt {
    copy_target(pointer.node, &format!("{}(", pointer.to), &pointer.source, 1)
}

/// `to`: a call that lacks its last argument and bracket.
fn copy_target(node: &Node, to: &str, value: &Source, level: usize) -> Stmt {
    let there = format!("{value}.has_value()");
    let number = if level == 1 { String::new() } else { level.to_string() };
    let (list, index) = (format!("list{number}"), format!("index{number}"));
    let elements = |each: Stmt| {
        let head = format!("for (std::size_t {index} = 0; {index} < {value}->size(); ++{index})");
        vec![declare("auto", &list, format!("{to}{value}->size())")), block(head, vec![each])]
    };
    match target(node) {
        Target::Text | Target::Data | Target::Any | Target::Numbers(_) | Target::Bits => {
            line(format!("{to}{});", value.argument()))
        }
        Target::Voids => when(there, vec![line(format!("{to}{value}->size());"))]),
        Target::Record(_) => when(there, vec![line(format!("copy({to}), *{value});"))]),
        Target::Records(_) => {
            let each = line(format!("copy({list}[{index}], (*{value})[{index}]);"));
            when(there, elements(each))
        }
        Target::Pointers(inner) => {
            let each =
                copy_target(inner, &format!("{list}.set({index}, "), &format!("(*{value})[{index}]").into(), level + 1);
            when(there, elements(each))
        }
    }
}
