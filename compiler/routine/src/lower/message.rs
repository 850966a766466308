//! Whole messages: the envelope, the record, the size.

use super::{write, Env, Lower, Shared, CURRENT, YES};
use crate::code::Emit;
use crate::module::{Hint, Purpose, Routine, Subject};
use crate::op::{Ty, What};
use crate::operand::{Arg, Place, RoutineId, Sym};
use crate::write::Write;
use aldis_plan::{FrameCheck, Meaning, RootPlace, Run, SlotKind};

impl<'s, 'p> Lower<'s, 'p> {
    pub(super) fn message(shared: &'s mut Shared<'p>, index: usize) -> Routine {
        let mut lower = Self::new(shared);
        let at = lower.code.sym(Ty::Pos, Hint::Role("start"));
        let budget = lower.code.sym(Ty::Budget, Hint::Role("budget"));
        let depth = lower.code.sym(Ty::Depth, Hint::Role("depth"));
        lower.code.budget = Some(budget);
        let body = lower.block(Vec::new(), |lower| {
            let (value, size) = lower.envelope(index, at, depth);
            vec![value.into(), size.into(), lower.budget().into()]
        });
        Routine {
            of: Subject::Message(index),
            purpose: Purpose::Read,
            covered: Vec::new(),
            params: vec![at, budget, depth],
            results: vec![Ty::Val, Ty::Pos, Ty::Budget],
            body,
            symbols: lower.code.symbols.into(),
        }
    }

    /// Gives the value, and where the message ends.
    fn envelope(&mut self, index: usize, start: Sym, depth: Sym) -> (Sym, Sym) {
        let message = &self.shared.plan.messages[index];
        if message.envelope.root == RootPlace::Pointed {
            return self.pointed_root(message.record, start, depth);
        }
        let run = &message.envelope.head;
        let head = self.head(run, start, YES);
        let frame = head.registers.iter().rev().find_map(|(place, meaning, size)| match meaning {
            Meaning::FrameSize { check } => Some((*check, *place, *size)),
            _ => None,
        });
        if let Some((FrameCheck::Bounds, place, size)) = frame {
            self.act(What::Bound { size, head: run.size, place });
        }
        let at = match message.envelope.root {
            RootPlace::Follows => head.at,
            RootPlace::Registered | RootPlace::Pointed => {
                let offset = head.find(|meaning| meaning == Meaning::Root).map_or(Arg::Const(0), |(_, offset)| offset);
                self.role(What::Root { offset, start }, Ty::Pos, "at")
            }
        };
        let extent = head.find(|meaning| matches!(meaning, Meaning::Extent { .. })).map_or(Arg::Const(0), |(_, v)| v);
        let version = head.find(|meaning| matches!(meaning, Meaning::Version { .. })).map_or(CURRENT, |(_, v)| v);
        let env = Env { at, extent, version, base: start, root: YES, depth };
        let (value, end) = self.call(message.record, env);
        match frame {
            Some((FrameCheck::Bounds, ..)) => (value, self.role(What::End, Ty::Pos, "size")),
            Some((FrameCheck::Exact, place, size)) => {
                self.act(What::Same { size, end, place });
                (value, end)
            }
            None => (value, end),
        }
    }

    /// The routine that writes a message; `reader` reads it.
    pub(super) fn message_writer(shared: &'s mut Shared<'p>, index: usize, reader: RoutineId) -> Routine {
        let mut lower = Self::new(shared);
        let value = lower.code.sym(Ty::Given, Hint::Role("value"));
        let out = lower.code.sym(Ty::Out, Hint::Role("out"));
        let depth = lower.code.sym(Ty::Depth, Hint::Role("depth"));
        lower.code.budget = Some(out);
        let body = lower.block(Vec::new(), |lower| {
            let message = &lower.shared.plan.messages[index];
            let head = &message.envelope.head;
            let pointed = message.envelope.root == RootPlace::Pointed;
            if pointed {
                lower.write_root(message.record, value, depth);
            } else {
                let start = lower.begin(head, Arg::Const(0));
                lower.call_writer(message.record, value, write::Env { base: start, depth });
                lower.frame(head, start);
            }
            if pointed || lower.shared.may_be_unpaid {
                lower.put(|out| Write::Readable { out, routine: reader });
            }
            vec![lower.budget().into()]
        });
        Routine {
            of: Subject::Message(index),
            purpose: Purpose::Write,
            covered: Vec::new(),
            params: vec![value, out, depth],
            results: vec![Ty::Out],
            body,
            symbols: lower.code.symbols.into(),
        }
    }

    /// The message's size in a head; it is known by now.
    fn frame(&mut self, head: &'p Run, start: Sym) {
        let out = self.budget();
        let total = self.paid(What::Write(Write::Total { out }), &[(Ty::Size, Hint::Role("total"))])[0];
        for slot in &head.slots {
            let SlotKind::Register(register) = &slot.kind else { continue };
            let number = match register.meaning {
                Meaning::FrameSize { .. } => total,
                Meaning::FrameLength { plus } => {
                    let framed = Write::Framed { total: total.into(), plus, width: slot.width };
                    self.role(What::Write(framed), Ty::Raw(64), "length")
                }
                _ => continue,
            };
            if register.constant.is_none() {
                let place = Place { base: start, plus: slot.at };
                self.put(|out| Write::Store { out, place, repr: register.repr, number: number.into() });
            }
        }
    }
}
