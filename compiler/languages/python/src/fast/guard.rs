//! Heads, and the operations that check a value and bind it.

use super::body::{number, Body, Pos, Val};
use super::cells::code;
use super::read::Frame;
use crate::py::{binary, int, name, Expr};
use aldis_emit::integer_of;
use aldis_plan::Extent;
use aldis_routine::{Holds, Op, Register, RoutineId, Sym, TableId, Ty, What};

impl<'a> Body<'_, 'a> {
    /// A head: registers are as writers write them, or wanted.
    pub(super) fn head(&mut self, frame: &mut Frame<'a>, op: &'a Op, id: TableId, at: Sym) {
        let module = self.fast.module;
        let table = &module[id];
        let base = frame.pos(at);
        let mut binds = op.binds.iter();
        let mut handed = (Vec::new(), Vec::new());
        self.fast.handed(&frame.routine.body, "extent", &mut handed.0);
        self.fast.handed(&frame.routine.body, "version", &mut handed.1);
        let mut last = Val::Known(0);
        let newest = |id: &RoutineId| self.fast.facts[id.0 as usize].newest;
        let versions: Vec<(Sym, u32)> = handed.1.iter().map(|(sym, id)| (*sym, newest(id))).collect();
        let is_head = matches!(op.what, What::Head { .. });
        let is_idle = |bind: &Sym| {
            is_head && versions.contains(&(*bind, 0)) && !versions.iter().any(|of| of.0 == *bind && of.1 > 0)
        };
        for row in &table.rows {
            let place = base.behind(row.at.into());
            let wanted = row.name.map_or("register", |own| &module[own]);
            match row.holds {
                // Nothing is newer than the first version.
                Holds::Register(Register::Wanted(_)) if binds.as_slice().first().is_some_and(&is_idle) => {
                    binds.next().into_iter().for_each(|bind| frame.set(*bind, Val::Known(u64::MAX)));
                }
                Holds::Register(Register::Wanted(repr)) => {
                    let stored = self.slot(&place, code(repr), repr.width(), wanted);
                    let mut val = Val::Is(name(stored.as_str()));
                    if matches!(op.what, What::Head { .. }) {
                        if let Some(bind) = binds.next() {
                            let taken =
                                |of: &[(Sym, RoutineId)]| of.iter().find(|(sym, _)| sym == bind).map(|(_, id)| *id);
                            if let Some(size) = taken(&handed.0).and_then(|id| self.fast.facts[id.0 as usize].acting) {
                                self.odd_if(binary(name(stored.as_str()), "!=", int(size)));
                                val = Val::Known(size);
                            }
                            let newest = taken(&handed.1).map_or(0, |id| self.fast.facts[id.0 as usize].newest);
                            if newest > 0 {
                                self.odd_if(binary(name(stored), "<", int(newest)));
                            }
                            frame.set(*bind, val.clone());
                        }
                    }
                    last = val;
                }
                Holds::Register(Register::Expected(repr, want)) => {
                    let stored = self.slot(&place, code(repr), repr.width(), wanted);
                    self.odd_if(binary(name(stored), "!=", int(integer_of(repr, want))));
                }
                _ => {}
            }
        }
        let behind = base.behind(table.size.into());
        self.tail = self.tail.as_ref().map(|_| behind.clone());
        match op.what {
            What::Head { .. } => {
                if let Some(bind) = binds.find(|bind| frame.ty(**bind) == Ty::Pos) {
                    frame.set(*bind, Val::Pos(behind));
                }
            }
            _ => frame.set(op.binds[0], last),
        }
    }

    pub(super) fn guard(&mut self, frame: &mut Frame<'a>, op: &'a Op) {
        let module = self.fast.module;
        match &op.what {
            What::Extent { table, at, acting, .. } => {
                let of = &module[*table];
                let base = frame.pos(*at);
                match of.extent {
                    Extent::Acting => match frame.arg(*acting) {
                        Val::Known(size) if size == u64::from(of.size) => {}
                        Val::Is(size) => self.odd_if(binary(size, "!=", int(of.size))),
                        _ => self.is_odd = true,
                    },
                    Extent::Stated { .. } => match of.stated() {
                        Some((at, repr)) => {
                            let stored = self.slot(&base.behind(at.into()), code(repr), repr.width(), "size");
                            self.odd_if(binary(name(stored), "!=", int(of.size)));
                        }
                        None => self.is_odd = true,
                    },
                    Extent::Exact | Extent::Sections { .. } => {}
                }
                self.tail = self.tail.as_ref().map(|_| base.behind(of.size.into()));
                frame.set(op.binds[0], Val::Known(of.size.into()));
            }
            What::Need { at, size, .. } => {
                let size = frame.arg(*size);
                match (&size, self.tail.is_some()) {
                    (Val::Known(bytes), true) => {
                        // Cells of a table lie before what their links lead to.
                        let end = frame.pos(*at).behind(*bytes);
                        let is_tail = self.tail.as_ref().is_some_and(|tail| *tail == frame.pos(*at));
                        self.tail = if is_tail { Some(end) } else { self.tail.take() };
                    }
                    (Val::Known(_), false) => {}
                    _ => self.is_odd = true,
                }
                frame.set(op.binds[0], size);
            }
            What::Fit { count, least, .. } => {
                let least = match frame.arg(*least) {
                    Val::Known(least) => least,
                    _ => 0,
                };
                let count = frame.arg(*count);
                if least == 0 {
                    // Elements without bytes are charged for what they have not.
                    self.odd_if(number(&count));
                }
                frame.least.insert(op.binds[0], least);
                frame.set(op.binds[0], count);
            }
            _ => self.link_guard(frame, op),
        }
    }

    pub(super) fn link_guard(&mut self, frame: &mut Frame<'a>, op: &'a Op) {
        match &op.what {
            What::Follow { base: from, offset, .. } | What::Root { offset, start: from } => {
                let Some(tail) = self.tail.clone() else { return self.is_odd = true };
                let distance = self.distance(&tail, &frame.pos(*from));
                self.odd_if(binary(number(&frame.arg(*offset)), "!=", distance));
                frame.set(op.binds[0], Val::Pos(tail));
            }
            // Reading ends behind the head, so a smaller size is odd in any case.
            What::Bound { size, place, .. } => {
                let size = number(&frame.arg(*size));
                let end = self.moved(&frame.pos(place.base), size);
                self.bound = Some(self.place(&end));
            }
            What::Same { size, end, .. } => {
                let start = frame.pos(frame.routine.params[0]);
                let taken = self.distance(&frame.pos(*end), &start);
                self.odd_if(binary(number(&frame.arg(*size)), "!=", taken));
            }
            What::Expect { have, want, .. } => match frame.arg(*have) {
                Val::Known(have) => self.is_odd |= have != *want,
                have => self.odd_if(binary(number(&have), "!=", int(*want))),
            },
            What::Least { size, least, .. } => {
                let size = frame.arg(*size);
                self.odd_if(binary(number(&size), "<", int(*least)));
                frame.set(op.binds[0], size);
            }
            What::Unpaid { from, at, .. } => {
                let (from, at) = (frame.pos(*from), frame.pos(*at));
                match from.base == at.base {
                    true => self.is_odd |= from.plus == at.plus,
                    false => {
                        let (from, at) = (self.place(&from), self.place(&at));
                        self.odd_if(binary(from, "==", at));
                    }
                }
            }
            _ => self.odd_if(name("True")),
        }
    }

    /// How far a place lies behind another.
    pub(super) fn distance(&mut self, to: &Pos, from: &Pos) -> Expr {
        if to.base == from.base {
            return int(to.plus - from.plus);
        }
        if from.base.is_empty() {
            return self.place(&Pos { base: to.base.clone(), plus: to.plus - from.plus });
        }
        let start = self.place(&Pos { base: from.base.clone(), plus: 0 });
        let end = self.place(&Pos { base: to.base.clone(), plus: to.plus - from.plus });
        binary(end, "-", start)
    }
}
