//! Pointers and what they lead to, as calls of the state of reading, which notes beside a place what else it found.

use super::Reading;
use crate::body::{state, Body, Joined, IN};
use crate::kinds::Val;
use crate::tree::{binary, cast, int, member, name, plus, run, truth, Expr};
use aldis_plan::Container;
use aldis_routine::{Arg, Block, Op, Segments, Sym, What};
use aldis_schema::{Encoding, Opaque, Type, TypeId};

impl<'m> Reading<'m> {
    pub fn segments(&mut self, body: &mut Body<'m>, op: &'m Op, what: &'m Segments) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match what {
            Segments::Open => {
                let has_table = matches!(self.module.container, Container::Segments(form) if form.table);
                body.keep(first, state("open", vec![truth(has_table)]));
            }
            Segments::Aim { at, segment, .. } => {
                let args = vec![body.sym(*at), body.short(*segment)];
                body.keep(first, state("aim", args));
            }
            Segments::IsNull { aim } => body.set(first, binary(body.sym(*aim), "==", int(0))),
            Segments::Sections { aim, at, .. } => {
                let aim = body.sym(*aim);
                body.keep(op.binds[1], state("record", vec![aim.clone(), body.sym(*at)]));
                note(body, op.binds[0], "segment");
                body.set(op.binds[2], run("Wire.dataSize", vec![aim.clone()]));
                let behind = binary(body.sym(op.binds[1]), "+", cast("int", body.sym(op.binds[2])));
                body.set(op.binds[3], behind);
                body.set(op.binds[4], run("Wire.pointersSize", vec![aim]));
            }
            Segments::Octets { aim, at, text, .. } if body.checks() => {
                body.act(if *text { "isText" } else { "isData" }, vec![body.sym(*aim), body.sym(*at)]);
            }
            Segments::Octets { aim, at, text, .. } => {
                let (method, ty) = match (*text, self.kinds.strict_text) {
                    (false, _) => ("data", Type::Bytes),
                    (true, false) => ("text", Type::Text(Encoding::Utf8)),
                    (true, true) => ("strictText", Type::Text(Encoding::Utf8)),
                };
                let args = self.with_old(vec![body.sym(*aim), body.sym(*at)], method != "strictText");
                body.keep_val(first, Val { expr: state(method, args), ty, absent: None });
            }
            Segments::Keep { at, segment, .. } => {
                let expr = state("keep", vec![body.sym(*at), body.short(*segment)]);
                body.keep_val(first, Val { expr, ty: Type::Opaque(Opaque::Any), absent: None });
            }
            _ => self.list(body, op, what),
        }
    }

    /// The union that an operation makes, and which arm of it a tag names.
    fn arm_of(&self, arm: &Arm, tag: u64) -> Option<(TypeId, usize)> {
        let union = arm.union?;
        Some((union, self.kinds.union_of(union).arm_of(tag)?))
    }

    fn holds(&self, (union, index): (TypeId, usize), is_one: fn(&Type) -> bool) -> bool {
        is_one(self.kinds.union_of(union).arms[index].field.ty.required())
    }

    fn list(&mut self, body: &mut Body<'m>, op: &'m Op, what: &'m Segments) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match what {
            Segments::IsList { aim, at } => body.act("isList", vec![body.sym(*aim), body.sym(*at)]),
            Segments::List { aim, at, .. } => {
                body.keep(op.binds[1], state("list", vec![body.sym(*aim), body.sym(*at)]));
                let notes = ["count", "stride", "dataSize", "pointersSize", "bits"];
                note(body, first, "segment");
                op.binds[2..].iter().zip(notes).for_each(|(bind, field)| note(body, *bind, field));
            }
            Segments::Seat { of, index } => {
                let bits = binary(body.sym(*index), "*", body.sym(of.stride));
                let behind = cast("int", binary(bits, ">>>", int(3)));
                body.set(first, binary(body.sym(of.at), "+", behind));
                let pointers = binary(body.sym(first), "+", cast("int", body.sym(of.data)));
                body.set(op.binds[1], pointers);
            }
            Segments::Eighths { count } => {
                let whole = plus(body.arg(*count), 7);
                body.set(first, binary(whole, ">>>", int(3)));
            }
            Segments::Short { bits } => body.set(first, run("Wire.shortOf", vec![body.arg(*bits)])),
            Segments::Bits { at, count, of, .. } => {
                let args = self.with_old(vec![self.bytes.clone(), body.sym(*at), body.short(*count)], true);
                let expr = run("In.bitRow", args);
                body.keep_val(first, Val { expr, ty: self.module[*of].ty.clone(), absent: None });
            }
            Segments::Strided { of, scalar, list } => {
                let step = cast("int", binary(body.sym(of.stride), ">>>", int(3)));
                let count = cast("int", body.sym(of.count));
                let val = self.row((body.sym(of.at), count, step), scalar, *list);
                body.keep_val(first, val);
            }
            _ => {}
        }
    }

    /// A text that a union holds may be the one that it held before.
    pub(super) fn expect_held(&self, body: &mut Body<'m>, arm: &Arm, known: Option<u64>, block: &Block) {
        let of = known.and_then(|tag| self.arm_of(arm, tag));
        if let (Some(old), Some(of), Some(Arg::Sym(given))) = (&arm.old, of, block.gives.first()) {
            if self.holds(of, |ty| matches!(ty, Type::Text(_))) {
                body.olds.insert(*given, self.kinds.dialect.held_before(self.kinds, of, old.clone()));
            }
        }
    }

    /// Makes an arm of what its block gives; there is no union if nothing but checks is done.
    pub(super) fn close_arm(&self, arm: &Arm, (known, tag): (Option<u64>, &Expr), gives: &mut [Joined]) {
        let Some(union) = arm.union else { return };
        let held = gives.first().map_or(name("null"), |held| held.val().expr);
        let expr = match known {
            Some(known) => {
                let made = self.kinds.arm(union, known, held.clone());
                match (&arm.old, self.arm_of(arm, known)) {
                    (Some(old), Some(of)) if self.holds(of, |ty| matches!(ty, Type::Text(_) | Type::Void)) => {
                        self.kinds.dialect.kept(self.kinds, of, old.clone(), (held, made))
                    }
                    _ => made,
                }
            }
            None => self.kinds.dialect.arm(self.kinds, union, None, tag.clone(), held),
        };
        gives[0] = Joined::Val(Val { expr, ty: Type::Named(union), absent: None });
    }

    /// A union: each way makes its arm of what the way's block gives.
    pub fn switch(&mut self, body: &mut Body<'m>, op: &'m Op, next: Option<&'m Op>) {
        let What::Switch { on, arms, other } = &op.what else { return };
        let tag = body.short(*on);
        let blocks = arms.iter().map(|(tag, arm)| (Some(*tag), arm)).chain([(None, other)]);
        let arm = Arm::of(body, next);
        let made = blocks.map(|(known, block)| {
            self.expect_held(body, &arm, known, block);
            let (lines, ()) = body.apart(|body| self.block(body, block));
            let mut gives = body.joined(&block.gives);
            self.close_arm(&arm, (known, &tag), &mut gives);
            (lines, gives)
        });
        let mut ways: Vec<_> = made.collect();
        body.join(&op.binds, &mut ways);
        body.switched(tag, arms, ways);
    }
}

/// The union that the operation behind a switch makes.
pub(super) struct Arm {
    union: Option<TypeId>,
    /// The value that was there before.
    old: Option<Expr>,
}

impl Arm {
    pub fn of(body: &Body<'_>, next: Option<&Op>) -> Self {
        let union = next.and_then(|op| match op.what {
            What::Arm { union, .. } => Some(union),
            _ => None,
        });
        let bind = next.and_then(|op| op.binds.first()).filter(|_| union.is_some());
        Self { union, old: bind.and_then(|bind| body.olds.get(bind)).cloned() }
    }
}

/// A variable for what the state notes, if it is wanted.
fn note(body: &mut Body<'_>, sym: Sym, field: &'static str) {
    if body.uses[sym.0 as usize] > 0 {
        body.keep(sym, member(name(IN), field));
    }
}
