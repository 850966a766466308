//! Bytes that hold nothing.

use crate::{codes, count, records, Advice};
use aldis_plan::{leaves, Extent, Plan, Run, Step};
use aldis_schema::TypeId;

pub(crate) fn advise(plan: &Plan, advice: &mut Advice) {
    for (id, definition, _) in records(&plan.schema) {
        let Some(layout) = &plan.layouts[id.index()] else { continue };
        for step in &layout.steps {
            let Step::Run(run) = step else { continue };
            // There the format itself chooses places, and leaves less than a word free.
            if !matches!(run.extent, Extent::Sections { .. }) {
                holes(plan, id, &definition.name.local(), run, advice);
            }
        }
    }
}

/// Holes of fewer bytes than this in a record are not worth another order.
const WORTH: u32 = 8;

/// A hole that brings the next field to an even address was meant; many of them ask for another order.
fn holes(plan: &Plan, record: TypeId, name: &str, run: &Run, advice: &mut Advice) {
    let (mut end, mut padding) = (0, 0);
    for leaf in leaves(run).iter().filter(|leaf| leaf.slot.width > 0) {
        let slot = leaf.slot;
        let size = slot.at.saturating_sub(end);
        let before = end;
        end = end.max(slot.end());
        let step = (size + 1).next_power_of_two();
        if size == 0 || step <= 8 && slot.at % step == 0 {
            padding += size;
            continue;
        }
        let Some(field) = plan.schema.field_at(record, &leaf.path) else { continue };
        let hole = count(u64::from(size), "byte");
        let message = format!("a hole of {hole} is before `{}` of `{name}`", field.name);
        let here = format!("at {}, but the field before ends at {before}", slot.at);
        advice.give(codes::HOLE, message, field.span, &here);
    }
    if padding >= WORTH {
        let message = format!("{padding} bytes of `{name}` only bring fields to even addresses");
        let here = format!("{} bytes, and {} would do", run.size, run.size - padding);
        if let Some(given) = advice.give(codes::ORDER, message, plan.schema.type_def(record).span, &here) {
            given.help.push(format!("this order needs none: {}", even_order(plan, record, run)));
        }
    }
}

/// The fields so that each lies at a multiple of the largest power of two, up to 8, that divides its size.
fn even_order(plan: &Plan, record: TypeId, run: &Run) -> String {
    let mut slots: Vec<_> = run.slots.iter().filter(|slot| slot.width > 0 && slot.field.is_some()).collect();
    slots.sort_by_key(|slot| std::cmp::Reverse((1 << slot.width.trailing_zeros()).min(8)));
    let names = slots.iter().filter_map(|slot| plan.schema.field_at(record, &[slot.field?]));
    names.map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ")
}
