//! Routines that set: one field of a message that is written, where it lies. They exist for what has the same place in every message
//! of its kind: the plain entries of a root record's first run, and those of the records in place within them.

use super::{Lower, Shared};
use crate::code::Emit;
use crate::module::{Entry, Fixed, Hint, Purpose, Put, Routine, Subject};
use crate::op::{Frame, Ty};
use crate::operand::{Arg, BlankId, Place, RoutineId, Sym};
use crate::write::Write;
use aldis_plan::{Container, Plan, Repr, RootPlace, Step};
use aldis_schema::TypeId;
use std::collections::BTreeMap;

/// By message: where the first run of its record is written. The places in packed and canonical messages depend on their values.
pub(super) fn starts(plan: &Plan) -> Vec<Option<u32>> {
    let start = |message: &aldis_plan::Message| match (plan.container, message.envelope.root) {
        (Container::Segments(form), _) if form.packed || form.canonical => None,
        // Behind the table of one segment, and the pointer to the root.
        (Container::Segments(form), _) => Some(if form.table { 16 } else { 8 }),
        (Container::Plain, RootPlace::Pointed) => None,
        (Container::Plain, _) => Some(message.envelope.head.size),
    };
    plan.messages.iter().map(start).collect()
}

/// Adds the routines that set fields of the messages whose `starts` are known, and gives by type what they set. Where a record lies
/// within several others, the routines are those of its place nearest to the first byte, so that all others lie farther on.
pub(super) fn add_setters(
    shared: &mut Shared<'_>,
    routines: &mut Vec<Routine>,
    starts: &[Option<u32>],
) -> Vec<Option<Fixed>> {
    let plan = shared.plan;
    let mut fixed = vec![None; plan.schema.types.len()];
    let mut next = Places::default();
    for (message, _) in plan.messages.iter().zip(starts).filter(|(_, start)| start.is_some()) {
        if let Some(blank) = first_run(shared, message.record) {
            next.add(shared, message.record, blank, shared.blanks[blank.0 as usize].size);
        }
    }
    while let Some((_, (record, blank, size))) = next.0.pop_first() {
        if fixed[record.index()].is_some() {
            continue;
        }
        let mut found = Fixed { blank, setters: Vec::new(), nests: Vec::new() };
        for (index, entry) in entries(shared, blank).to_vec().iter().enumerate() {
            let Some(field) = entry.field else { continue };
            if is_settable(shared, entry) {
                found.setters.push((field, RoutineId(routines.len() as u32)));
                routines.push(Lower::setter(shared, record, (blank, index as u32, size), entry));
            }
            if let Put::Nest { record: inner, members } = entry.put {
                found.nests.push((field, inner, 0));
                next.add(shared, inner, members, size);
            }
        }
        fixed[record.index()] = Some(found);
    }
    place_nests(shared, &mut fixed);
    fixed
}

/// Records still to do, by the place of their first entry: each with its entries, and the size of the run.
#[derive(Default)]
struct Places(BTreeMap<(u32, usize), (TypeId, BlankId, u32)>);

impl Places {
    fn add(&mut self, shared: &Shared<'_>, record: TypeId, blank: BlankId, size: u32) {
        if let Some(first) = entries(shared, blank).first() {
            self.0.insert((first.at, blank.0 as usize), (record, blank, size));
        }
    }
}

/// Fills in how much farther each record in place lies than the one its routines are for. Those whose entries differ are dropped, and
/// those in which nothing can be set.
fn place_nests(shared: &Shared<'_>, fixed: &mut [Option<Fixed>]) {
    let blank = |found: &Option<Fixed>| found.as_ref().filter(|found| !found.is_empty()).map(|found| found.blank);
    let known: Vec<Option<BlankId>> = fixed.iter().map(blank).collect();
    for found in fixed.iter_mut().flatten() {
        let entries = entries(shared, found.blank);
        found.nests.retain_mut(|(field, record, shift)| {
            let here = entries.iter().find_map(|entry| match entry.put {
                Put::Nest { members, .. } if entry.field == Some(*field) => Some(self::entries(shared, members)),
                _ => None,
            });
            let own = known[record.index()].map(|own| self::entries(shared, own));
            let (Some(here), Some(own)) = (here, own) else { return false };
            let [Some(first), Some(of_own)] = [here, own].map(<[Entry]>::first) else { return false };
            *shift = first.at.saturating_sub(of_own.at);
            alike(shared, here, own, *shift)
        });
    }
}

fn entries<'s>(shared: &'s Shared<'_>, blank: BlankId) -> &'s [Entry] {
    &shared.blanks[blank.0 as usize].entries
}

/// Whether entries are the same, so many bytes farther on.
fn alike(shared: &Shared<'_>, here: &[Entry], own: &[Entry], shift: u32) -> bool {
    let same = |(here, own): (&Entry, &Entry)| {
        let holds = match (&here.put, &own.put) {
            (Put::Nest { record: a, members: here }, Put::Nest { record: b, members: own }) => {
                a == b && alike(shared, entries(shared, *here), entries(shared, *own), shift)
            }
            // Literals are known by their fields.
            (Put::Literal(_), Put::Literal(_)) => true,
            (here, own) => here == own,
        };
        holds && here.at == own.at + shift && (here.width, here.field) == (own.width, own.field)
    };
    here.len() == own.len() && here.iter().zip(own).all(same)
}

/// The first run of a record, which begins where the record does.
fn first_run(shared: &mut Shared<'_>, record: TypeId) -> Option<BlankId> {
    match shared.plan.layout(record).steps.first() {
        Some(Step::Run(run)) => Some(shared.blank(run, Some(record))),
        _ => None,
    }
}

fn is_settable(shared: &Shared<'_>, entry: &Entry) -> bool {
    let holds_bytes = matches!(entry.put, Put::Scalar(_) | Put::Chars(_) | Put::Array { .. } | Put::Nest { .. });
    holds_bytes && crate::module::is_plain(&shared.blanks, entry)
}

impl<'s, 'p> Lower<'s, 'p> {
    /// The routine that sets an entry of a blank in a run of `size` bytes.
    fn setter(
        shared: &'s mut Shared<'p>,
        record: TypeId,
        (blank, index, size): (BlankId, u32, u32),
        entry: &Entry,
    ) -> Routine {
        let mut lower = Self::new(shared);
        let [value, at, out] = [(Ty::Given, "value"), (Ty::Pos, "at"), (Ty::Out, "out")]
            .map(|(ty, role)| lower.code.sym(ty, Hint::Role(role)));
        lower.code.budget = Some(out);
        let body = lower.block(Vec::new(), |lower| {
            if let Some(name) = entry.name {
                lower.within(Frame::Field(name), |lower| {
                    lower.set(value, (blank, index, at), entry);
                    Vec::new()
                });
            }
            vec![lower.budget().into()]
        });
        Routine {
            of: Subject::Record(record),
            purpose: Purpose::Set(entry.field.unwrap_or_default()),
            covered: vec![(at, Arg::Const(size.into()))],
            params: vec![value, at, out],
            results: vec![Ty::Out],
            body,
            symbols: lower.code.symbols.into(),
        }
    }

    fn set(&mut self, value: Sym, (blank, index, at): (BlankId, u32, Sym), entry: &Entry) {
        let cell = |lower: &mut Self| {
            lower.erase(entry, at, false);
            lower.put(|out| Write::Cell { out, blank, entry: index, at, value });
        };
        if !entry.nullable {
            return cell(self);
        }
        let null = |lower: &mut Self| {
            lower.erase(entry, at, true);
            lower.put(|out| Write::Null { out, blank, entry: index, at });
        };
        self.unless_null(value, null, cell);
    }

    /// Erases the bits that storing a value, or null, would leave.
    fn erase(&mut self, entry: &Entry, at: Sym, null: bool) {
        let place = Place { base: at, plus: entry.at };
        let width = entry.width;
        match &entry.put {
            Put::Scalar(scalar) => match scalar.repr {
                Repr::Bit(bit) => self.put(|out| Write::Erase { out, place, width: 1, bit: Some(bit) }),
                _ if null && scalar.null.or(scalar.absent).is_none() => {
                    self.put(|out| Write::Erase { out, place, width, bit: None });
                }
                _ => {}
            },
            Put::Chars(_) => self.put(|out| Write::Erase { out, place, width, bit: None }),
            Put::Array { element, .. } => {
                let element = &entries(self.shared, *element)[0].put;
                // The elements of an array in a run are side by side.
                if null || !matches!(element, Put::Scalar(scalar) if !matches!(scalar.repr, Repr::Bit(_))) {
                    self.put(|out| Write::Erase { out, place, width, bit: None });
                }
            }
            Put::Nest { members, .. } => {
                for entry in &entries(self.shared, *members).to_vec() {
                    self.erase(entry, at, null);
                }
            }
            _ => {}
        }
    }
}
