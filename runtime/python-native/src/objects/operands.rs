//! Operands out of the data that generated packages have of routines.

use aldis_plan::Repr;
use aldis_routine::data::Datum;
use aldis_routine::{Arg, Place, Sym, TableId};
use aldis_schema::Encoding;

/// Operands, one after another.
pub struct Operands<'d>(std::slice::Iter<'d, Datum>);

impl<'d> Operands<'d> {
    pub fn of(datum: &'d Datum) -> Option<Self> {
        items(datum).map(|items| Self(items.iter()))
    }

    pub fn next(&mut self) -> Option<&'d Datum> {
        self.0.next()
    }

    pub fn int(&mut self) -> Option<i128> {
        match self.next()? {
            Datum::Int(number) => Some(*number),
            _ => None,
        }
    }

    pub fn number<T: TryFrom<i128>>(&mut self) -> Option<T> {
        T::try_from(self.int()?).ok()
    }

    pub fn sym(&mut self) -> Option<Sym> {
        self.number().map(Sym)
    }

    pub fn arg(&mut self) -> Option<Arg> {
        arg(self.next()?)
    }

    pub fn place(&mut self) -> Option<Place> {
        Some(Place { base: self.sym()?, plus: self.number()? })
    }

    pub fn syms(&mut self) -> Option<Vec<Sym>> {
        syms(self.next()?)
    }

    pub fn args(&mut self) -> Option<Vec<Arg>> {
        items(self.next()?)?.iter().map(arg).collect()
    }

    pub fn table(&mut self) -> Option<TableId> {
        self.number().map(TableId)
    }

    pub fn text(&mut self) -> Option<Option<Encoding>> {
        match self.next()? {
            Datum::None => Some(None),
            Datum::Text(text) => Some(Some(if text == "utf8" { Encoding::Utf8 } else { Encoding::Latin1 })),
            _ => None,
        }
    }
}

pub fn items(datum: &Datum) -> Option<&[Datum]> {
    match datum {
        Datum::List(items) => Some(items),
        _ => None,
    }
}

fn syms(datum: &Datum) -> Option<Vec<Sym>> {
    let sym = |datum: &Datum| match datum {
        Datum::Int(number) => u32::try_from(*number).ok().map(Sym),
        _ => None,
    };
    items(datum)?.iter().map(sym).collect()
}

fn arg(datum: &Datum) -> Option<Arg> {
    match datum {
        Datum::Int(number @ 0..) => u32::try_from(*number).ok().map(|number| Arg::Sym(Sym(number))),
        Datum::Int(number) => u64::try_from(-1 - number).ok().map(Arg::Const),
        _ => None,
    }
}

pub fn repr_of(width: u32) -> Option<Repr> {
    Some(match width {
        1 => Repr::U8,
        2 => Repr::U16,
        4 => Repr::U32,
        8 => Repr::U64,
        _ => return None,
    })
}
