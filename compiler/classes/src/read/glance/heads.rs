//! Heads: numbers in front of something, of which some must be what they are.

use super::super::wide;
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
        let mut expected: Vec<Expected> = Vec::new();
        for row in &table.rows {
            match row.holds {
                Holds::Register(Register::Wanted(repr)) => {
                    found.push(self.reading.register(repr, plus(start.clone(), row.at)));
                }
                Holds::Register(Register::Expected(repr, want)) => {
                    let own = Expected { at: row.at, repr, want, of_two: false };
                    let both = expected.last().and_then(|last| last.and(&own, module.byte_order));
                    expected.truncate(expected.len() - usize::from(both.is_some()));
                    expected.push(both.unwrap_or(own));
                }
                _ => {}
            }
        }
        for number in expected {
            let have = self.reading.register(number.repr, plus(start.clone(), number.at));
            let want = match number.of_two {
                true => Expr::Bits(number.want, number.want > i32::MAX as u64),
                false => wide(number.want),
            };
            self.refuse(binary(have, "!=", want));
        }
        found
    }
}

/// A number of a head that must be what it is.
struct Expected {
    at: u32,
    repr: Repr,
    want: u64,
    of_two: bool,
}

impl Expected {
    /// This number and one behind it as one, where both have at most two bytes.
    fn and(&self, next: &Self, order: ByteOrder) -> Option<Self> {
        let width = self.repr.width();
        let is_next = next.at == self.at + width && next.repr.width() == width && width <= 2;
        let (low, high) = if order == ByteOrder::Big { (next.want, self.want) } else { (self.want, next.want) };
        let repr = Repr::int(16 * width as u8, false);
        is_next.then(|| Self { at: self.at, repr, want: high << (8 * width) | low, of_two: true })
    }
}

/// The bits of the registers of a head that are wanted.
pub(super) fn registers(table: &Table) -> impl DoubleEndedIterator<Item = u32> + '_ {
    table.rows.iter().filter_map(|row| match row.holds {
        Holds::Register(Register::Wanted(repr)) => Some(8 * repr.width()),
        _ => None,
    })
}
