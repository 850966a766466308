//! The tests of a glance: that places are within bounds, numbers large enough, and that budget and levels are left.

use super::{cells, Glance};
use crate::tree::{binary, cast, int, run, Expr, Line};
use aldis_plan::Extent;
use aldis_routine::{Amount, Arg, Block, LackId, Module, Op, TableId, What};

impl<'m> Glance<'_, 'm> {
    /// Gives -1 where the test holds.
    pub(super) fn refuse(&mut self, test: Expr) {
        match test {
            test if self.is_sure || crate::tree::is_false(&test) => {}
            test => self.body.lines.push(Line::If(test, vec![Line::Return(int(-1))], Vec::new())),
        }
    }

    /// The bytes behind a place.
    pub(super) fn room(&self, at: Expr) -> Expr {
        binary(self.end.clone(), "-", at)
    }

    /// Tests that a number is as large, where that is not known.
    pub(super) fn reach(&mut self, number: Expr, least: i128) {
        let is_known = self.known.iter().any(|(known, most)| *known == number && *most >= least);
        let test = cells::reaches(&number, least);
        if !is_known && !crate::tree::is_true(&test) {
            self.refuse(binary(number.clone(), "<", int(least)));
            self.known.push((number, least));
        }
    }

    pub(super) fn pay(&mut self, amount: Expr) {
        match amount {
            _ if self.is_sure || self.is_paid => {}
            Expr::Int(amount) => self.debt += amount,
            amount => {
                let amount = match std::mem::take(&mut self.debt) {
                    0 => amount,
                    debt => binary(amount, "+", int(debt)),
                };
                self.body.lines.push(Line::Assign(self.left.clone(), "-=", amount));
                self.owes = true;
            }
        }
    }

    /// Gives -1 where the budget may be too little for so many times the message's bytes.
    pub(super) fn afford(&mut self, rate: u32) {
        let size = binary(self.end.clone(), "-", self.start());
        let most = if rate == 1 { size } else { binary(cast("long", size), "*", int(rate)) };
        self.refuse(binary(self.left.clone(), "<", most));
    }

    /// Pays what is known and was not paid yet.
    pub(super) fn pay_debt(&mut self) {
        let debt = std::mem::take(&mut self.debt);
        if debt != 0 {
            self.body.lines.push(Line::Assign(self.left.clone(), "-=", int(debt)));
            self.owes = true;
        }
    }

    /// No more was paid than there was. A check takes no memory: it waits until the next call or the next turn of a loop.
    pub(super) fn settle(&mut self) {
        self.pay_debt();
        let may_wait = !self.reads() && !self.reading.gives_place(self.body.routine);
        if !may_wait && std::mem::take(&mut self.owes) {
            self.refuse(binary(self.left.clone(), "<", int(0)));
        }
    }

    /// Pays so many times something that is known, or the other way round: numbers are no more than 2^31 here.
    pub(super) fn pay_all(&mut self, amount: &Amount) {
        let sides = [amount.times, amount.each].map(|side| self.arg(side));
        if sides.contains(&int(0)) {
            return;
        }
        for side in &sides {
            if !matches!(side, Expr::Int(_)) && !self.small.contains(side) {
                self.refuse(run("Wire.isHuge", vec![side.clone()]));
                self.small.push(side.clone());
            }
        }
        let [times, each] = sides;
        self.pay(match (times, each) {
            (Expr::Int(1), one) | (one, Expr::Int(1)) => one,
            (times, each) => binary(times, "*", each),
        });
    }

    /// So many bytes are there behind a place.
    pub(super) fn within(&mut self, size: Expr, at: Expr) {
        let room = self.room(at);
        self.beyond(size, room);
    }

    /// So many elements are there behind a place.
    pub(super) fn fit(&mut self, count: Expr, least: Expr, at: Expr) {
        let room = self.room(at.clone());
        let bits = self.bits_of(&count) + self.bits_of(&least);
        match &least {
            Expr::Int(1) => self.within(count.clone(), at),
            Expr::Int(known) if *known > 0 => self.beyond(count.clone(), binary(room, "/", least)),
            // Their product is a number with sign.
            _ if self.is_known(&least) && bits < 63 => {
                self.refuse(binary(binary(count.clone(), "*", least), ">", room));
            }
            _ => self.refuse(crate::tree::not(run("Wire.fits", vec![count.clone(), least, room]))),
        }
        self.small.push(count);
    }

    /// More than that is refused. Registers of 64 bits may look like numbers below zero.
    fn beyond(&mut self, number: Expr, room: Expr) {
        self.refuse(match number {
            number if self.bits_of(&number) < 64 => binary(number, ">", room),
            number => run("Wire.isBeyond", vec![number, room]),
        });
    }

    /// A distance that leads nowhere, or beyond the room, is refused.
    pub(super) fn away(&mut self, distance: Expr, room: Expr) {
        if self.is_known(&distance) {
            return self.beyond(distance, room);
        }
        self.refuse(match distance {
            distance if self.bits_of(&distance) < 64 => {
                let none = binary(distance.clone(), "==", int(0));
                binary(none, "||", binary(distance, ">", room))
            }
            distance => run("Wire.isAway", vec![distance, room]),
        });
    }

    /// A number in a variable.
    pub(super) fn number(&mut self, hint: &str, number: Expr) -> Expr {
        let bits = self.bits_of(&number);
        let own = self.body.constant("long", hint, number);
        self.bits.push((own.clone(), bits));
        own
    }

    /// The bits that a number may have: with fewer than 64 it is not below zero.
    pub(super) fn bits_of(&self, number: &Expr) -> u32 {
        match number {
            Expr::Int(known) => 128 - known.leading_zeros(),
            number => self.bits.iter().rev().find(|(known, _)| known == number).map_or(64, |(_, bits)| *bits),
        }
    }

    fn is_known(&self, number: &Expr) -> bool {
        self.known.iter().any(|(known, most)| known == number && *most > 0)
    }

    /// Whether it is known that a number is not 0.
    pub(super) fn is_some(&self, arg: Arg) -> bool {
        self.is_known(&self.arg(arg))
    }

    /// Records follow whose runs have so many bytes: no quick method reads them where these are too few.
    pub(super) fn expect_runs(&mut self, size: Arg, ops: &[Op]) {
        if let (Some(least), Arg::Sym(_)) = (runs_least(self.reading.module, size, ops), size) {
            self.reach(self.arg(size), least.into());
        }
    }

    /// Gives -1 where fewer levels than these may follow.
    pub(super) fn enter(&mut self, levels: i128) {
        if self.nesting.is_none() {
            self.refuse(binary(self.depth.clone(), "<", int(levels)));
        }
    }

    /// A run is whole, and all of it is there.
    pub(super) fn sized(&mut self, size: Expr, whole: i128, at: Expr) {
        let room = self.room(at);
        let above = binary(size.clone(), ">", room);
        self.refuse(binary(binary(size.clone(), "<", int(whole)), "||", above));
        self.known.push((size, whole));
    }

    /// Gives -1 where the writer is older than that version.
    pub(super) fn since(&mut self, since: u32, version: Arg) {
        let version = self.arg(version);
        if since > 0 && version != Expr::Endless {
            self.reach(version, i128::from(since));
        }
    }

    pub(super) fn lack_nothing(&mut self, id: LackId, sections: [Arg; 2], version: Arg) {
        let module = self.reading.module;
        let lacks = &module[id];
        let most = |rows: &[(u32, u64)]| rows.iter().map(|(end, _)| *end).max().unwrap_or(0);
        for (section, most) in sections.into_iter().zip([&lacks.block, &lacks.pointers].map(|rows| most(rows))) {
            if most > 0 {
                self.reach(self.arg(section), i128::from(most));
            }
        }
        self.since(most(&lacks.parts), version);
    }
}

/// The bytes that records need whose runs have so many, of those that a loop among the operations looks at.
pub(super) fn runs_least(module: &Module, size: Arg, ops: &[Op]) -> Option<u32> {
    ops.iter().find_map(|op| {
        let (What::Each { body, .. } | What::Loop { body, .. }) = &op.what else { return None };
        let ops = match body.ops.as_slice() {
            [Op { what: What::Within { body, .. }, .. }] => &body.ops,
            _ => &body.ops,
        };
        ops.iter().find_map(|op| {
            let What::Call { routine, args } = &op.what else { return None };
            let table = acting(module, &module[*routine].body)?;
            args.contains(&size).then(|| module[table].size)
        })
    })
}

/// The run of a routine's record whose size its caller knows.
fn acting(module: &Module, block: &Block) -> Option<TableId> {
    block.ops.iter().find_map(|op| match &op.what {
        What::Extent { table, .. } => (module[*table].extent == Extent::Acting).then_some(*table),
        What::Level { body, .. } => acting(module, body),
        _ => None,
    })
}
