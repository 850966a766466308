//! Operands and results by type.

use super::{Checker, Verdict};
use crate::module::{Holds, Register};
use crate::op::{Block, Cut, Frame, Have, Op, Ty, What};
use crate::operand::{Arg, Sym};
use crate::visit;
use aldis_plan::Shape;

impl Checker<'_> {
    /// Whether an operand is of a type. Numbers of any kind are one type here, constants also Bool.
    pub(super) fn is(&self, arg: Arg, ty: Ty) -> Verdict {
        let Arg::Sym(sym) = arg else {
            return match ty {
                Ty::Size | Ty::Raw(_) | Ty::Bool => Ok(()),
                _ => Err(format!("a constant where a {ty:?} belongs")),
            };
        };
        let found = self.ty(sym);
        let number = |ty| matches!(ty, Ty::Size | Ty::Raw(_));
        if found == ty || (number(found) && number(ty)) {
            return Ok(());
        }
        Err(format!("{sym:?}, a {found:?}, where a {ty:?} belongs"))
    }

    pub(super) fn all(&self, wanted: &[(Arg, Ty)]) -> Verdict {
        wanted.iter().try_for_each(|(arg, ty)| self.is(*arg, *ty))
    }

    pub(super) fn syms(&self, wanted: &[(Sym, Ty)]) -> Verdict {
        wanted.iter().try_for_each(|(sym, ty)| self.is((*sym).into(), *ty))
    }

    /// The types of the symbols that an operation binds.
    pub(super) fn binds(&self, op: &Op, wanted: &[Ty]) -> Verdict {
        if op.binds.len() != wanted.len() {
            return Err(format!("{} results where there are {}: {:?}", op.binds.len(), wanted.len(), op.what));
        }
        op.binds.iter().zip(wanted).try_for_each(|(sym, ty)| self.is((*sym).into(), *ty))
    }

    /// That blocks give what the operation binds.
    fn gives(&self, block: &Block, binds: &[Sym]) -> Verdict {
        if block.gives.len() != binds.len() {
            return Err(format!("a block gives {} results, not {}", block.gives.len(), binds.len()));
        }
        block.gives.iter().zip(binds).try_for_each(|(arg, sym)| self.is(*arg, self.ty(*sym)))
    }

    pub(super) fn types(&self, op: &Op) -> Verdict {
        if !visit::blocks(&op.what).is_empty() {
            return self.statement(op);
        }
        match &op.what {
            What::Charge { budget, amount, at } | What::Extra { budget, amount, at } => {
                self.syms(&[(*budget, Ty::Budget), (*at, Ty::Pos)])?;
                self.all(&[(amount.times, Ty::Size), (amount.each, Ty::Size)])?;
                self.binds(op, &[Ty::Budget])
            }
            What::ExtraWithin { budget, extent, at, .. } => {
                self.syms(&[(*budget, Ty::Budget), (*at, Ty::Pos)])?;
                self.is(*extent, Ty::Size)?;
                self.binds(op, &[Ty::Budget])
            }
            What::Unpaid { from, at, budget, .. } => {
                self.syms(&[(*from, Ty::Pos), (*at, Ty::Pos), (*budget, Ty::Budget)])?;
                self.binds(op, &[Ty::Budget])
            }
            What::Call { routine, args } => self.call(op, *routine, args),
            What::Extent { .. } | What::Head { .. } | What::Counted { .. } | What::Fields { .. } => self.run(op),
            What::Write(write) => self.types_of_write(op, write),
            What::Segments(segments) => self.types_of_segments(op, segments),
            _ => self.guard(op),
        }
    }

    fn guard(&self, op: &Op) -> Verdict {
        match &op.what {
            What::Need { at, size, cut } => {
                self.is((*at).into(), Ty::Pos)?;
                self.is(*size, Ty::Size)?;
                if let Cut::Run { version, .. } = cut {
                    self.is(*version, Ty::Size)?;
                }
                self.binds(op, &[Ty::Size])
            }
            What::Least { size, place, .. } => {
                self.all(&[(*size, Ty::Size), (place.base.into(), Ty::Pos)])?;
                self.binds(op, &[Ty::Size])
            }
            What::Expect { have, place, root, .. } => {
                self.all(&[(*have, Ty::Size), (place.base.into(), Ty::Pos), (*root, Ty::Bool)])?;
                self.binds(op, &[])
            }
            What::Fit { count, least, at, blame } => {
                self.all(&[(*count, Ty::Size), (*least, Ty::Size)])?;
                self.syms(&[(*at, Ty::Pos), (*blame, Ty::Pos)])?;
                self.binds(op, &[Ty::Size])
            }
            What::Follow { base, offset, place } => {
                self.all(&[((*base).into(), Ty::Pos), (*offset, Ty::Size), (place.base.into(), Ty::Pos)])?;
                self.binds(op, &[Ty::Pos])
            }
            What::Root { offset, start } => {
                self.all(&[(*offset, Ty::Size), ((*start).into(), Ty::Pos)])?;
                self.binds(op, &[Ty::Pos])
            }
            What::Bound { size, place, .. } => {
                self.all(&[(*size, Ty::Size), (place.base.into(), Ty::Pos)])?;
                self.binds(op, &[])
            }
            What::Same { size, end, place } => {
                self.all(&[(*size, Ty::Size), ((*end).into(), Ty::Pos), (place.base.into(), Ty::Pos)])?;
                self.binds(op, &[])
            }
            What::Lack { block, pointers, version, .. } => {
                self.all(&[(*block, Ty::Size), (*pointers, Ty::Size), (*version, Ty::Size)])?;
                self.binds(op, &[Ty::Size])
            }
            What::End => self.binds(op, &[Ty::Pos]),
            What::Refuse { place } => {
                self.is(place.base.into(), Ty::Pos)?;
                self.binds(op, &[])
            }
            _ => self.value(op),
        }
    }

    fn value(&self, op: &Op) -> Verdict {
        match &op.what {
            What::Load { place, .. } => {
                self.is(place.base.into(), Ty::Pos)?;
                self.binds(op, &[Ty::Size])
            }
            What::Add { at, size } => {
                self.all(&[(at.base.into(), Ty::Pos), (*size, Ty::Size)])?;
                self.binds(op, &[Ty::Pos])
            }
            What::Behind { at, count, .. } => {
                self.all(&[((*at).into(), Ty::Pos), (*count, Ty::Size)])?;
                self.binds(op, &[Ty::Pos])
            }
            What::Element { place, index, count, .. } => {
                self.all(&[(place.base.into(), Ty::Pos), ((*index).into(), Ty::Size), (*count, Ty::Size)])?;
                self.binds(op, &[Ty::Pos])
            }
            What::Equal { a, b } => {
                if let (Arg::Sym(a), Ty::Pos) = (a, self.arg_ty(*b)) {
                    self.is((*a).into(), Ty::Pos)?;
                } else {
                    self.all(&[(*a, Ty::Size), (*b, Ty::Size)])?;
                }
                self.binds(op, &[Ty::Bool])
            }
            What::AtLeast { a, b }
            | What::Present { extent: a, version: b, .. }
            | What::Whole { extent: a, version: b, .. } => {
                self.all(&[(*a, Ty::Size), (*b, Ty::Size)])?;
                self.binds(op, &[Ty::Bool])
            }
            _ => self.made(op),
        }
    }

    fn made(&self, op: &Op) -> Verdict {
        match &op.what {
            What::Scalar { place, .. } | What::Decimal { place } | What::Chars { place, .. } => {
                self.is(place.base.into(), Ty::Pos)?;
                self.binds(op, &[Ty::Val])
            }
            What::Row { at, count, .. } => {
                self.all(&[(at.base.into(), Ty::Pos), (*count, Ty::Size)])?;
                self.binds(op, &[Ty::Val])
            }
            What::Bytes { at, size, .. } => {
                self.all(&[((*at).into(), Ty::Pos), (*size, Ty::Size)])?;
                self.binds(op, &[Ty::Val])
            }
            What::Literal { .. } => self.binds(op, &[Ty::Val]),
            What::Arm { tag, arm, .. } => {
                self.all(&[(*tag, Ty::Size), ((*arm).into(), Ty::Val)])?;
                self.binds(op, &[Ty::Val])
            }
            What::Make { record, fields } => {
                let wanted = self.module.schema.record(*record).fields.len();
                if fields.len() != wanted {
                    return Err(format!("a record of {} fields, not {wanted}", fields.len()));
                }
                fields.iter().try_for_each(|field| self.is((*field).into(), Ty::Val))?;
                self.binds(op, &[Ty::Val])
            }
            What::Open { count } => {
                self.is(*count, Ty::Size)?;
                self.binds(op, &[Ty::List])
            }
            What::Push { list, items } => {
                self.is((*list).into(), Ty::List)?;
                items.iter().try_for_each(|item| self.is((*item).into(), Ty::Val))?;
                self.binds(op, &[Ty::List])
            }
            What::Close { list, .. } => {
                self.is((*list).into(), Ty::List)?;
                self.binds(op, &[Ty::Val])
            }
            What::Scalars { at, count, budget, .. } => {
                self.all(&[((*at).into(), Ty::Pos), (*count, Ty::Size), ((*budget).into(), Ty::Budget)])?;
                self.binds(op, &[Ty::Val, Ty::Pos, Ty::Budget])
            }
            _ => Ok(()),
        }
    }

    fn arg_ty(&self, arg: Arg) -> Ty {
        match arg {
            Arg::Sym(sym) => self.ty(sym),
            Arg::Const(_) => Ty::Size,
        }
    }

    fn run(&self, op: &Op) -> Verdict {
        match &op.what {
            What::Extent { at, acting, version, budget, .. } => {
                self.syms(&[(*at, Ty::Pos), (*budget, Ty::Budget)])?;
                self.all(&[(*acting, Ty::Size), (*version, Ty::Size)])?;
                self.binds(op, &[Ty::Size, Ty::Budget])
            }
            What::Head { table, at, root, budget } => {
                self.all(&[((*at).into(), Ty::Pos), (*root, Ty::Bool), ((*budget).into(), Ty::Budget)])?;
                let rows = self.module[*table].rows.iter();
                let wanted = rows.filter(|row| matches!(row.holds, Holds::Register(Register::Wanted(_)))).count();
                let mut binds = vec![Ty::Size; wanted];
                binds.extend([Ty::Pos, Ty::Budget]);
                self.binds(op, &binds)
            }
            What::Counted { at, root, budget, .. } => {
                self.all(&[((*at).into(), Ty::Pos), (*root, Ty::Bool), ((*budget).into(), Ty::Budget)])?;
                self.binds(op, &[Ty::Val, Ty::Pos, Ty::Budget])
            }
            What::Fields { table, at, have } => {
                self.is((*at).into(), Ty::Pos)?;
                if let Have::Within { extent, version } = have {
                    self.all(&[(*extent, Ty::Size), (*version, Ty::Size)])?;
                }
                self.binds(op, &vec![Ty::Val; self.module[*table].plain().count()])
            }
            _ => Ok(()),
        }
    }

    fn call(&self, op: &Op, routine: crate::RoutineId, args: &[Arg]) -> Verdict {
        let called = &self.module[routine];
        if called.params.len() != args.len() {
            return Err(format!("{} arguments for {} parameters", args.len(), called.params.len()));
        }
        let types = called.params.iter().map(|param| called.symbols[param.0 as usize].ty);
        args.iter().zip(types).try_for_each(|(arg, ty)| self.is(*arg, ty))?;
        self.binds(op, &called.results)
    }

    fn statement(&self, op: &Op) -> Verdict {
        match &op.what {
            What::If { test, then, other } => {
                self.is((*test).into(), Ty::Bool)?;
                self.gives(then, &op.binds)?;
                self.gives(other, &op.binds)
            }
            What::Switch { on, arms, other } => {
                self.is(*on, Ty::Size)?;
                arms.iter().try_for_each(|(_, arm)| self.gives(arm, &op.binds))?;
                self.gives(other, &op.binds)
            }
            What::Within { frame, body } => {
                if let Frame::Element(index) = frame {
                    self.is((*index).into(), Ty::Size)?;
                }
                self.gives(body, &op.binds)
            }
            What::Level { depth, at, body } => {
                self.syms(&[(*depth, Ty::Depth), (*at, Ty::Pos)])?;
                self.takes(body, &[(*depth).into()])?;
                self.gives(body, &op.binds)
            }
            What::Loop { count, carry, body } => {
                self.is(*count, Ty::Size)?;
                let takes: Vec<Arg> = [Arg::Const(0)].into_iter().chain(carry.iter().copied()).collect();
                self.takes(body, &takes)?;
                self.takes_as(&op.binds, carry)?;
                self.gives(body, &op.binds)
            }
            What::Each { count, carry, of, body } => {
                self.is(*count, Ty::Size)?;
                let takes: Vec<Arg> = [Arg::Const(0)].into_iter().chain(carry.iter().copied()).collect();
                self.takes(body, &takes)?;
                let items = if self.module[*of].shape == Shape::Map { 2 } else { 1 };
                if body.gives.len() != items + carry.len() || op.binds.len() != 1 + carry.len() {
                    return Err(format!("an element gives {} results", body.gives.len()));
                }
                body.gives[..items].iter().try_for_each(|item| self.is(*item, Ty::Val))?;
                self.takes_as(&op.binds[1..], carry)?;
                self.is(op.binds[0].into(), Ty::Val)?;
                let carried = body.gives[items..].iter().zip(carry);
                carried.into_iter().try_for_each(|(arg, like)| self.is(*arg, self.arg_ty(*like)))
            }
            _ => Ok(()),
        }
    }

    fn takes(&self, body: &Block, given: &[Arg]) -> Verdict {
        self.takes_as(&body.takes, given)
    }

    fn takes_as(&self, syms: &[Sym], given: &[Arg]) -> Verdict {
        if syms.len() != given.len() {
            return Err(format!("{} symbols for {} values", syms.len(), given.len()));
        }
        syms.iter().zip(given).try_for_each(|(sym, arg)| self.is((*sym).into(), self.arg_ty(*arg)))
    }
}
