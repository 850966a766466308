//! Advice on declarations that will hinder a later version.

use crate::{codes, count, records, Advice};
use aldis_diagnostics::Span;
use aldis_plan::{Extent, Meaning, Node, Plan, Repr, Run, SlotKind, Step};
use aldis_schema::{Type, TypeDef, TypeId, TypeKind};

pub(crate) fn advise(plan: &Plan, advice: &mut Advice) {
    let mut small: Vec<(&str, Span)> = Vec::new();
    for (id, _, record) in records(&plan.schema) {
        let Some(layout) = &plan.layouts[id.index()] else { continue };
        for step in &layout.steps {
            match step {
                Step::Run(run) if run.extent == Extent::Acting => versions(plan, id, run, advice),
                Step::Run(_) => {}
                Step::Part { field, node, .. } => {
                    let field = &record.fields[*field as usize];
                    if has_small_count(node) {
                        small.push((&field.name, field.span));
                    }
                }
            }
        }
    }
    // One decision of the author, mostly, so it is told once.
    small.sort_by_key(|(_, span)| (span.source, span.start));
    if let Some((name, span)) = small.first() {
        let message = match small.len() - 1 {
            0 => format!("`{name}` holds at most 255 elements: its count has 8 bits"),
            others => format!("`{name}` and {others} more hold at most 255 elements each: their counts have 8 bits"),
        };
        advice.give(codes::SMALL_COUNT, message, *span, "");
    }
    plan.schema.types.iter().for_each(|definition| room(definition, advice));
}

fn has_small_count(node: &Node) -> bool {
    let Node::Repeat(repeat) = node else { return false };
    let count = repeat.head.register(|register| matches!(register.meaning, Meaning::Count { .. }));
    count.is_some_and(|(_, register)| matches!(register.repr, Repr::U8 | Repr::I8))
}

/// Fields at the end of a block that say no version, though the one before them was added; and added ones without a null.
fn versions(plan: &Plan, record: TypeId, run: &Run, advice: &mut Advice) {
    let field_of = |path: &[u32]| plan.schema.field_at(record, path);
    let slots: Vec<_> = run.slots.iter().filter(|slot| slot.width > 0 && slot.field.is_some()).collect();
    let newest = slots.iter().rposition(|slot| slot.since > 0);
    for (index, slot) in slots.iter().enumerate() {
        let Some(field) = slot.field.and_then(|field| field_of(&[field])) else { continue };
        let last = index + 1 == slots.len() && newest == index.checked_sub(1);
        if last && slot.since == 0 && index > 0 {
            let before = slots[index - 1];
            let message = format!("`{}` follows a field of version {} and says no version", field.name, before.since);
            advice.give(codes::NO_VERSION, message, field.span, "added later, too?");
        }
        let required = match &slot.kind {
            SlotKind::Scalar(scalar) => scalar.null.is_none() && !field.optional,
            _ => false,
        };
        if slot.since > 0 && required {
            let message = format!("`{}` was added in version {} and is required", field.name, field.since);
            advice.give(codes::REQUIRED_LATE, message, field.span, "older writers do not give it");
        }
    }
}

fn room(definition: &TypeDef, advice: &mut Advice) {
    let name = definition.name.local();
    match &definition.kind {
        TypeKind::Enum(kind) => {
            let Type::Int(int) = &kind.repr else { return };
            let mut values: Vec<i128> = kind.values.iter().map(|value| value.value).collect();
            values.sort_unstable();
            values.dedup();
            if int.max() - int.min() < values.len() as i128 {
                let message = format!("`{name}` has a name for each number of its type");
                advice.give(codes::NO_ROOM, message, definition.span, "");
            }
        }
        TypeKind::Flags(flags) => {
            let bits = flags.values.iter().fold(0, |bits, flag| bits | flag.mask).count_ones();
            if bits >= u32::from(flags.repr.bits) {
                let message = format!("`{name}` has a name for each of its {}", count(u64::from(bits), "bit"));
                advice.give(codes::NO_ROOM, message, definition.span, "");
            }
        }
        TypeKind::Record(_) | TypeKind::Union(_) => {}
    }
}
