//! Groups of records that are one run each, behind a head that says their size and number: one instruction in the place of nine.

use super::assemble::Assembler;
use super::cells::Group;
use super::run::Machine;
use super::Ins;
use crate::eval::Target;

impl Assembler<'_> {
    /// Makes instructions one, where they read a group. Those of its elements begin at an index; before, the last one that others jump to was
    /// at another.
    pub(super) fn grouped(&mut self, begin: usize, joined: usize) {
        let Some((start, group)) = self.group(begin).filter(|(start, _)| joined <= *start) else { return };
        let Ok(of) = u16::try_from(self.groups.len()) else { return };
        self.groups.push(group);
        self.code.truncate(start);
        // What others jumped to is no more.
        self.joined = start;
        self.code.push(Ins::Group { of });
    }

    fn group(&self, begin: usize) -> Option<(usize, Group)> {
        let (before, elements) = self.code.split_at(begin);
        let [Ins::Unless { test, .. }, Ins::Expect { have, want }, Ins::Charge { times, each }, Ins::Elements { to: end, at: first, count, of }] =
            *elements
        else {
            return None;
        };
        let (rest, Ins::Least { to: size, size: sized, least }) =
            before.split_last().map(|(ins, rest)| (rest, *ins))?
        else {
            return None;
        };
        let (rest, not) = match *rest {
            [ref rest @ .., Ins::Equal { to, a, b }, Ins::Expect { have, want }] if have == to && a == sized => {
                (rest, Some((b, to, want)))
            }
            _ => (rest, None),
        };
        let [.., Ins::Head { to, table: head, at }, Ins::Fit { to: fit, count: counted, least: fitted, at: behind }] =
            *rest
        else {
            return None;
        };
        let is_two = self.runs[head.0 as usize].registers.iter().filter(|(_, _, wanted)| wanted.is_none()).count() == 2;
        let is_head = is_two && counted == to + 1 && behind == to + 2 && [sized, fitted, have] == [to; 3];
        let is_counted = [test, times, count] == [fit; 3] && first == behind;
        let group = Group { head, at, to, count: fit, not, least: (size, least), want, each, end, of };
        (is_head && is_counted).then_some((rest.len() - 2, group))
    }
}

impl<T: Target> Machine<'_, T> {
    #[inline(always)]
    pub(super) fn group(&mut self, of: u16) -> Option<()> {
        let Group { head, at, to, count: counted, not, least, want, each, end, of } = self.flat.groups[usize::from(of)];
        self.head(to, head, at)?;
        let (size, count) = (self.get(to), self.get(to + 1));
        self.set(counted, self.fitting(count, size, to + 2)?);
        if let Some((other, same, expected)) = not {
            self.set(same, u64::from(size == self.get(other)));
            (self.get(same) == self.get(expected)).then_some(())?;
        }
        self.set(least.0, Some(size).filter(|size| *size >= u64::from(least.1))?);
        if count > 0 {
            (size == self.get(want)).then_some(())?;
            self.pay(count.saturating_mul(self.get(each)))?;
        }
        self.elements(end, (to + 2, counted), of)
    }
}
