//! Operations of writing: operands, results, and that what is stored into was reserved.

use super::{Checker, Verdict};
use crate::module::Put;
use crate::op::{Op, Ty};
use crate::operand::{Arg, Place, Sym};
use crate::write::{Object, Write};

impl Checker<'_> {
    pub(super) fn types_of_write(&self, op: &Op, write: &Write) -> Verdict {
        let given = |syms: &[Sym]| syms.iter().try_for_each(|sym| self.is((*sym).into(), Ty::Given));
        match write {
            Write::IsNull { value } => given(&[*value]).and_then(|()| self.binds(op, &[Ty::Bool])),
            Write::OfRecord { value, .. } | Write::Exactly { value, .. } | Write::SameAs { value, .. } => {
                given(&[*value]).and_then(|()| self.binds(op, &[]))
            }
            Write::Get { value, .. } | Write::Sorted { value, .. } => {
                given(&[*value]).and_then(|()| self.binds(op, &[Ty::Given]))
            }
            Write::Octets { value, .. } | Write::Count { value, .. } => {
                given(&[*value]).and_then(|()| self.binds(op, &[Ty::Size]))
            }
            Write::Item { value, index } => {
                self.syms(&[(*value, Ty::Given), (*index, Ty::Size)])?;
                self.binds(op, &[Ty::Given])
            }
            Write::Pair { value, index } => {
                self.syms(&[(*value, Ty::Given), (*index, Ty::Size)])?;
                self.binds(op, &[Ty::Given, Ty::Given])
            }
            Write::InRange { number, .. } => self.is(*number, Ty::Size).and_then(|()| self.binds(op, &[])),
            Write::Wrong => self.binds(op, &[]),
            Write::Choice { value, .. } => given(&[*value]).and_then(|()| self.binds(op, &[Ty::Size, Ty::Given])),
            Write::Words { count, .. } => self.is(*count, Ty::Size).and_then(|()| self.binds(op, &[Ty::Size])),
            Write::Framed { total, .. } => self.is(*total, Ty::Size).and_then(|()| self.binds(op, &[Ty::Size])),
            _ => self.types_of_bytes(op, write),
        }
    }

    fn types_of_bytes(&self, op: &Op, write: &Write) -> Verdict {
        match write {
            Write::Here { out } => {
                self.is((*out).into(), Ty::Out)?;
                self.binds(op, &[Ty::Pos, Ty::Out])
            }
            Write::Reserve { out, size } => {
                self.all(&[((*out).into(), Ty::Out), (size.times, Ty::Size), (size.each, Ty::Size)])?;
                self.binds(op, &[Ty::Pos, Ty::Out])
            }
            Write::Total { out } => {
                self.is((*out).into(), Ty::Out)?;
                self.binds(op, &[Ty::Size, Ty::Out])
            }
            Write::Begin { out, count, .. } => {
                self.all(&[((*out).into(), Ty::Out), (*count, Ty::Size)])?;
                self.binds(op, &[Ty::Pos, Ty::Out])
            }
            Write::List { out, at, count, .. } | Write::Records { out, at, count, .. } => {
                self.all(&[((*out).into(), Ty::Out), (at.base.into(), Ty::Pos), (*count, Ty::Size)])?;
                self.binds(op, &[Ty::Pos, Ty::Out])
            }
            _ => {
                self.types_of_stores(write)?;
                self.types_of_pointed(write)?;
                self.binds(op, &[Ty::Out])
            }
        }
    }

    fn types_of_pointed(&self, write: &Write) -> Verdict {
        match write {
            Write::Point { out, at, to, object } => {
                self.syms(&[(*out, Ty::Out), (at.base, Ty::Pos), (*to, Ty::Pos)])?;
                match object {
                    Object::List { count, .. } => self.is(*count, Ty::Size),
                    Object::Record { .. } => Ok(()),
                }
            }
            Write::Tag { out, at, count, .. } => {
                self.all(&[((*out).into(), Ty::Out), ((*at).into(), Ty::Pos), (*count, Ty::Size)])
            }
            Write::StoreBytes { out, at, value, size: number }
            | Write::StoreBits { out, at, value, count: number, .. } => {
                self.syms(&[(*out, Ty::Out), (*at, Ty::Pos), (*value, Ty::Given)])?;
                self.is(*number, Ty::Size)
            }
            Write::Plant { out, at, value, depth } => {
                self.syms(&[(*out, Ty::Out), (at.base, Ty::Pos), (*value, Ty::Given), (*depth, Ty::Depth)])
            }
            Write::Blob { out, at, value, .. } => {
                self.syms(&[(*out, Ty::Out), (at.base, Ty::Pos), (*value, Ty::Given)])
            }
            Write::Finish { out } => self.is((*out).into(), Ty::Out),
            _ => Ok(()),
        }
    }

    fn types_of_stores(&self, write: &Write) -> Verdict {
        match write {
            Write::Append { out, value, size } => {
                self.all(&[((*out).into(), Ty::Out), ((*value).into(), Ty::Given), (*size, Ty::Size)])
            }
            Write::Store { out, place, number, .. } => {
                self.all(&[((*out).into(), Ty::Out), (place.base.into(), Ty::Pos), (*number, Ty::Size)])
            }
            Write::StoreScalar { out, place, value, .. } | Write::StoreChars { out, place, value, .. } => {
                self.syms(&[(*out, Ty::Out), (place.base, Ty::Pos), (*value, Ty::Given)])
            }
            Write::Erase { out, place, .. } => self.syms(&[(*out, Ty::Out), (place.base, Ty::Pos)]),
            Write::Link { out, place, base } => self.syms(&[(*out, Ty::Out), (place.base, Ty::Pos), (*base, Ty::Pos)]),
            Write::Empty { out, from, count } => {
                self.all(&[((*out).into(), Ty::Out), ((*from).into(), Ty::Pos), (*count, Ty::Size)])
            }
            Write::Readable { out, .. } => self.is((*out).into(), Ty::Out),
            Write::Fill { out, at, value, .. } | Write::Cell { out, at, value, .. } => {
                self.syms(&[(*out, Ty::Out), (*at, Ty::Pos), (*value, Ty::Given)])
            }
            Write::Null { out, at, .. } => self.syms(&[(*out, Ty::Out), (*at, Ty::Pos)]),
            Write::Cells { out, at, count, value, .. } => {
                self.syms(&[(*out, Ty::Out), (*at, Ty::Pos), (*value, Ty::Given)])?;
                self.is(*count, Ty::Size)
            }
            _ => Ok(()),
        }
    }

    /// Whether the bytes are reserved that an operation stores into, and the value is a record whose fields it wants.
    pub(super) fn reserved(&self, write: &Write) -> bool {
        if let Write::Get { value, .. } | Write::Fill { value, .. } = write {
            if !self.cover.records.contains(value) {
                return false;
            }
        }
        let has = |place: &Place, width: u32| self.cover.has(place.base, place.plus.into(), width.into());
        match write {
            Write::Store { place, repr, .. } => has(place, repr.width()),
            Write::StoreScalar { place, scalar, .. } => has(place, scalar.repr.width()),
            Write::StoreChars { place, width, .. } | Write::Erase { place, width, .. } => has(place, *width),
            Write::Link { place, .. } => has(place, 4),
            Write::Fill { blank, first, count, at, .. } => {
                let entries = self.module[*blank].entries.iter().skip(*first as usize).take(*count as usize);
                let filled = entries.filter(|entry| entry.put != Put::Nothing);
                self.cover.has(*at, 0, filled.map(|entry| u64::from(entry.end())).max().unwrap_or(0))
            }
            Write::Cell { blank, entry, at, .. } | Write::Null { blank, entry, at, .. } => {
                let entry = &self.module[*blank].entries[*entry as usize];
                self.cover.has(*at, 0, entry.end().into())
            }
            Write::Cells { blank, at, count, stride, .. } => {
                let entry = &self.module[*blank].entries[0];
                entry.end() <= *stride && self.cover.fits(*at, 0, *count, (*stride).into())
            }
            Write::Point { at, .. }
            | Write::Plant { at, .. }
            | Write::List { at, .. }
            | Write::Records { at, .. }
            | Write::Blob { at, .. } => has(at, 8),
            Write::Tag { at, .. } => self.cover.has(*at, 0, 8),
            Write::StoreBytes { at, size, .. } => self.cover.fits(*at, 0, *size, 1),
            Write::StoreBits { at, count, .. } => self.cover.bits_fit.contains(&(*at, *count)),
            _ => true,
        }
    }

    /// The knowledge after an operation that binds `syms`.
    pub(super) fn reserves(&mut self, write: &Write, syms: &[Sym]) {
        let cover = &mut self.cover;
        match (write, syms) {
            (Write::OfRecord { value, .. }, _) => cover.records.push(*value),
            (Write::Reserve { size, .. }, [at, _]) => match (size.times, size.each) {
                (Arg::Const(times), Arg::Const(each)) => cover.there.push((*at, 0, Arg::Const(times * each))),
                (Arg::Sym(words), Arg::Const(8)) if cover.words.contains_key(&words) => {
                    let (count, bits) = cover.words[&words];
                    cover.holds_elements(*at, count, bits);
                }
                (times, Arg::Const(each)) => cover.fits.push((*at, times, each)),
                _ => {}
            },
            (Write::Words { count, bits, .. }, [words]) => _ = cover.words.insert(*words, (*count, *bits)),
            (Write::List { count, bits, .. }, [at, _]) => cover.holds_elements(*at, *count, *bits),
            (Write::Records { count, data, pointers, .. }, [at, _]) => {
                cover.holds_elements(*at, *count, 64 * (u32::from(*data) + u32::from(*pointers)));
            }
            (Write::Begin { blank, .. }, [at, _]) => {
                let size = self.module[*blank].size;
                cover.there.push((*at, 0, Arg::Const(size.into())));
            }
            _ => {}
        }
    }
}
