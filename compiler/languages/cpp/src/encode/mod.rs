//! Writers: `size` tells how many bytes a value takes and whether it can be written, `slot` and `node` store it.

mod node;
mod size;
mod slot;

use crate::code::{
    alias, code, declare, function, listed, mention, quoted, scoped, stmt, var, when, Code, Stmt, ToCode,
};
use crate::gen::{Gen, Hold, Wire};
use crate::names::Site;
use crate::parameter::parameter;
use crate::scope::Scope;
use crate::sheet::Sheet;
use crate::source::Source;
use crate::units::Unit;
use aldis_plan::{Meaning, Register, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;

/// Prints the writers of one form.
pub(crate) struct Encoder<'g, 'a> {
    pub gen: &'g Gen<'a>,
    pub wire: &'g Wire<'a>,
    /// The place of the statements.
    pub site: Site,
}

impl Encoder<'_, '_> {
    /// Declarations of a unit's writers, since records may be within each other.
    pub fn declarations(&self, unit: &Unit, sheet: &mut Sheet) {
        for layout in self.wire.layouts(unit) {
            let name = self.gen.names.of(layout.record);
            let both = [
                stmt!("inline bool size_{name}(aldis::sizer& out, const {name}& value);"),
                stmt!("inline std::byte* write_{name}(std::byte* at, const {name}& value, const std::byte* end);"),
            ];
            sheet.add(layout.record, &self.wire.namespace, both);
        }
    }

    /// A function of a record, as others call it.
    pub fn call(&self, what: &str, id: TypeId) -> Code {
        self.gen.call(id, &self.wire.namespace, code!("{what}_{}", self.gen.names.of(id)))
    }

    /// The functions that measure and write a record.
    pub fn record(&self, id: TypeId) -> Vec<Stmt> {
        vec![self.sizer(id), Stmt::Blank, self.writer(id), Stmt::Blank]
    }

    /// Refuses a record without a value for a field that must have one; the fault names the first of them.
    fn refuse_missing(&self, id: TypeId, source: &Source, scope: &Scope) -> Stmt {
        let names = self.gen.schema.record(id).fields.iter().map(|field| quoted(&field.name));
        let names: Vec<Code> = names.collect();
        let mut refused = vec![stmt!("static constexpr std::string_view names[] = {{{}}};", listed(&names))];
        refused.extend(scope.fail_by(code!("out.refuse(names[{source}.missing_fields.first()])")));
        when(code!("{source}.missing_fields.any()"), refused)
    }

    fn sizer(&self, id: TypeId) -> Stmt {
        let name = self.gen.names.of(id);
        let scope = Scope::new("out", "false");
        let mut fixed = 0;
        let mut body = Vec::new();
        if self.gen.notes_missing(id) {
            body.push(self.refuse_missing(id, &var("value").into(), &scope));
        }
        for step in &self.wire.plan.layout(id).steps {
            match step {
                Step::Run(run) => {
                    fixed += u64::from(run.size);
                    body.extend(self.size_fields(&run.slots, id, &var("value").into(), &scope));
                }
                Step::Part { field, node, .. } => {
                    let definition = self.gen.field(id, *field as usize);
                    let source = code!("value.{}", self.gen.names.member(id, *field as usize)).into();
                    let inner = scope.field(&definition.name).deeper();
                    let (bytes, parts) = self.size_node(node, &definition.ty, &source, &inner);
                    fixed += bytes;
                    body.extend(parts);
                }
            }
        }
        body.retain(|stmt| match stmt {
            Stmt::Size(bytes) => {
                fixed += *bytes;
                false
            }
            _ => true,
        });
        if fixed > 0 {
            body.insert(0, Stmt::Size(fixed));
        }
        if self.wire.needs.depth {
            body.insert(0, scope.fail_if(code!("!out.enter()")));
            body.push(stmt!("out.leave();"));
        }
        body.push(stmt!("return true;"));
        let parameters = [parameter("aldis::sizer&", "out"), parameter(code!("const {name}&"), "value")];
        function(code!("inline bool size_{name}"), &parameters, body)
    }

    fn writer(&self, id: TypeId) -> Stmt {
        let name = self.gen.names.of(id);
        let scope = Scope::new("out", "false");
        let mut body = Vec::new();
        let steps = &self.wire.plan.layout(id).steps;
        let first = match steps.first() {
            Some(Step::Run(run)) => run.size,
            _ => 0,
        };
        let behind = crate::scope::offset(&var("at"), first);
        for (index, step) in steps.iter().enumerate() {
            match step {
                Step::Run(run) => {
                    let start = if index == 0 { var("at") } else { var(&format!("at{}", index + 1)) };
                    if index > 0 {
                        body.push(alias("std::byte* const", &start, var("next")));
                        body.push(crate::code::step(&var("next"), run.size));
                    }
                    body.extend(self.run(run, &start, id, &scope));
                }
                Step::Part { field, node, .. } => {
                    let definition = self.gen.field(id, *field as usize);
                    let source = code!("value.{}", self.gen.names.member(id, *field as usize)).into();
                    body.push(Stmt::Comment(definition.name.clone()));
                    body.push(scoped(self.node(node, &definition.ty, &source, &scope.deeper())));
                }
            }
        }
        if mention(&body, &var("next")) {
            body.insert(0, declare("std::byte*", &var("next"), behind));
            body.push(stmt!("return next;"));
        } else {
            body.push(stmt!("return {behind};"));
        }
        let value = parameter(code!("const {name}&"), "value");
        let parameters = [parameter("std::byte*", "at"), value, parameter("const std::byte*", "end")];
        function(code!("inline std::byte* write_{name}"), &parameters, body)
    }

    /// Writes a run: its gaps, its registers, its fields.
    fn run(&self, run: &Run, start: &Code, id: TypeId, scope: &Scope) -> Vec<Stmt> {
        let mut parts: Vec<Stmt> =
            gaps(&run.slots, run.size).into_iter().map(|(at, size)| zeros(start, at, size)).collect();
        for slot in &run.slots {
            match &slot.kind {
                SlotKind::Register(register) => parts.extend(self.register(slot, register, start, &Code::Number(0))),
                _ => parts.extend(self.field_slot(slot, start, id, &var("value").into(), scope)),
            }
        }
        parts
    }

    /// Writes a head at `start` whose count is `count`; gaps are zero.
    pub(crate) fn head(&self, head: &Run, start: &Code, count: &Code) -> Vec<Stmt> {
        let mut parts: Vec<Stmt> =
            gaps(&head.slots, head.size).into_iter().map(|(at, size)| zeros(start, at, size)).collect();
        for slot in &head.slots {
            if let SlotKind::Register(register) = &slot.kind {
                parts.extend(self.register(slot, register, start, count));
            }
        }
        parts
    }

    fn register(&self, slot: &Slot, register: &Register, start: &Code, count: &Code) -> Option<Stmt> {
        if register.constant.is_some() {
            return None;
        }
        let value = match register.meaning {
            Meaning::FrameSize { .. } | Meaning::FrameLength { plus: 0 } => code!("total"),
            Meaning::FrameLength { plus } => {
                code!("total {} {}", if plus < 0 { "-" } else { "+" }, plus.unsigned_abs())
            }
            // Written right after the head.
            Meaning::Root => return None,
            Meaning::Extent { writes } | Meaning::Version { writes } => writes.to_code(),
            Meaning::TypeId { expect } | Meaning::SchemaId { expect } => expect.to_code(),
            Meaning::Count { .. } => count.to_owned(),
        };
        let ty = crate::decode::unsigned(slot.width);
        let value = match value {
            Code::Number(number) => code!("{ty}{{{number}{}}}", if number > 0x7FFF_FFFF { "U" } else { "" }),
            value => code!("static_cast<{ty}>({value})"),
        };
        Some(stmt!("aldis::store<byte_order>({}, {value});", crate::scope::offset(start, slot.at)))
    }

    pub(crate) fn is_constant(&self, record: TypeId, index: u32) -> bool {
        self.gen.hold(record, index as usize) == Hold::Constant
    }
}

/// `std::memset(at + 4, 0, 2);`
pub(crate) fn zeros(start: &Code, at: u32, size: u32) -> Stmt {
    stmt!("std::memset({}, 0, {size});", crate::scope::offset(start, at))
}

/// Bytes of a run that no slot writes: where each gap begins, and its size.
pub(crate) fn gaps(slots: &[Slot], size: u32) -> Vec<(u32, u32)> {
    let mut covered = Vec::new();
    cover(slots, &mut covered);
    covered.sort_unstable();
    let mut found = Vec::new();
    let mut at = 0;
    for (from, to) in covered {
        if from > at {
            found.push((at, from - at));
        }
        at = at.max(to);
    }
    if at < size {
        found.push((at, size - at));
    }
    found
}

fn cover(slots: &[Slot], covered: &mut Vec<(u32, u32)>) {
    for slot in slots {
        match &slot.kind {
            SlotKind::Nest { slots, .. } => cover(slots, covered),
            SlotKind::Constant { .. } | SlotKind::Ignored { .. } => {}
            SlotKind::Register(register) if register.constant.is_some() => {}
            SlotKind::Register(register) if register.meaning == Meaning::Root => covered.push((slot.at, slot.end())),
            SlotKind::Array { element, .. } if !gaps(std::slice::from_ref(&**element), element.width).is_empty() => {}
            _ if slot.width == 0 => {}
            _ => covered.push((slot.at, slot.end())),
        }
    }
}
