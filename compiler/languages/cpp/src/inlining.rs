//! The records whose readers become part of the functions that call them.
//!
//! A reader's state (where the message ends, what is left of the budget) is in registers only as long as no call stands
//! between, and a call costs about as much as reading a small record does. Compilers guess from a function's size before
//! they know what falls away; the plan says how much there is to do.

use aldis_emit::needs::{each_node, each_slot};
use aldis_plan::{Node, Plan};
use aldis_schema::TypeId;

/// The most that a reader of such a record does, in parts and links: those of the records that become part of it count.
const MOST: u32 = 24;
/// Slots of fixed size that take as many instructions as one part.
const SLOTS: u32 = 4;

/// By type: whether its readers are such.
pub(crate) fn inlined(plan: &Plan) -> Vec<bool> {
    let mut search = Search { plan, known: vec![State::Unseen; plan.layouts.len()] };
    for layout in plan.layouts.iter().flatten() {
        search.weight(layout.record);
    }
    search.known.iter().map(|state| matches!(state, State::Done(weight) if *weight <= MOST)).collect()
}

#[derive(Clone, Copy, Debug)]
enum State {
    Unseen,
    Open,
    /// Its reader comes to itself again.
    Recursive,
    Done(u32),
}

struct Search<'p> {
    plan: &'p Plan,
    known: Vec<State>,
}

impl Search<'_> {
    /// The size that a call of the record's reader adds to the function that has it.
    fn weight(&mut self, record: TypeId) -> u32 {
        match self.known[record.index()] {
            State::Done(weight) if weight <= MOST => return weight,
            State::Done(_) | State::Recursive => return 1,
            State::Open => {
                self.known[record.index()] = State::Recursive;
                return 1;
            }
            State::Unseen => self.known[record.index()] = State::Open,
        }
        let (mut parts, mut slots, mut called) = (1, 0, Vec::new());
        for step in &self.plan.layout(record).steps {
            each_slot(step, &mut |_| slots += 1);
            each_node(step, &mut |node| match node {
                Node::Call { record } => called.push(*record),
                _ => parts += 1,
            });
        }
        let weight = called.into_iter().fold(parts + slots / SLOTS, |sum, inner| sum + self.weight(inner));
        if let State::Recursive = self.known[record.index()] {
            return 1;
        }
        self.known[record.index()] = State::Done(weight);
        if weight <= MOST {
            weight
        } else {
            1
        }
    }
}
