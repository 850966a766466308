//! Heads: numbers in front of something, of which some must be what they are.

use super::Glance;
use crate::tree::{binary, int, plus, Expr};
use aldis_plan::{ByteOrder, Repr};
use aldis_routine::{Holds, Register, Sym, Table, TableId};

impl Glance<'_, '_> {
    /// Checks a head; gives what reads its registers that are wanted.
    pub(super) fn head(&mut self, id: TableId, at: Sym) -> Vec<Expr> {
        let module = self.reading.module;
        let table = &module[id];
        let start = self.start_of(at);
        self.within(int(table.size), start.clone());
        self.pay(int(table.size));
        let mut found = Vec::new();
        let mut expected: Vec<(u32, Repr, u64)> = Vec::new();
        for row in &table.rows {
            match row.holds {
                Holds::Register(Register::Wanted(repr)) => {
                    found.push(self.reading.register(repr, plus(start.clone(), row.at)));
                }
                Holds::Register(Register::Expected(repr, want)) => {
                    let own = (row.at, repr, want);
                    let both = expected.pop_if(|last| beside(*last, own, module.byte_order).is_some());
                    expected.push(both.and_then(|last| beside(last, own, module.byte_order)).unwrap_or(own));
                }
                _ => {}
            }
        }
        for (at, repr, want) in expected {
            let have = self.reading.register(repr, plus(start.clone(), at));
            self.refuse(binary(have, "!=", super::super::wide(want)));
        }
        found
    }
}

/// Two known numbers of which one lies behind the other, as one.
fn beside(first: (u32, Repr, u64), second: (u32, Repr, u64), order: ByteOrder) -> Option<(u32, Repr, u64)> {
    let (width, bits) = (first.1.width(), 8 * first.1.width());
    let is_beside = second.0 == first.0 + width && second.1.width() == width && width <= 2;
    let (low, high) = if order == ByteOrder::Big { (second.2, first.2) } else { (first.2, second.2) };
    is_beside.then(|| (first.0, Repr::int(2 * bits as u8, false), high << bits | low))
}

/// The bits of the registers of a head that are wanted.
pub(super) fn registers(table: &Table) -> impl DoubleEndedIterator<Item = u32> + '_ {
    table.rows.iter().filter_map(|row| match row.holds {
        Holds::Register(Register::Wanted(repr)) => Some(8 * repr.width()),
        _ => None,
    })
}
