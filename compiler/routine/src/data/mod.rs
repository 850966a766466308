//! A module as data: routines and tables as nested lists, which a runtime walks where a language prints no function for them.
//!
//! An operation is a list of its name and its operands, in the order of its definition, with what it binds first: one symbol, or a list of
//! them. A symbol is its number; a constant operand is below zero, the number −1 − operand. A place is two numbers: its base
//! and how far behind that. Tokens (budget, depth, what is written) are the walker's own state, so they are left out. A block is
//! `[takes, operations, gives]`. Whatever has a number (a symbol, a routine, a table) or data of its own (the type of a scalar) is a
//! [`Part`], so that a language may put what it calls that in its place.

mod numbers;
mod parts;
mod types;

use crate::module::{Module, Purpose, Routine};
use crate::op::{Block, Cut, Frame, Have, Op, What};
use crate::operand::{Amount, Arg, LackId, ListId, LiteralId, Place, RoutineId, Sym, TableId};
use crate::segments::Segments;
use crate::write::{Object, Write};
use aldis_plan::{Repr, Scalar};
use aldis_schema::{Encoding, TypeId};
pub use numbers::Numbers;
pub use types::types;

/// Data that any language can write down.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    None,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Datum>),
    /// An operation and its operands: a list whose first item is the name.
    Op(&'static str, Vec<Datum>),
    Part(Part),
}

/// A thing that an operation refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Symbol(Sym),
    Routine(RoutineId),
    Run(TableId),
    Literal(LiteralId),
    List(ListId),
    Lack(LackId),
    /// The maker of a record's or union's values.
    Type(TypeId),
    Scalar(Scalar),
    /// A number about the message, which has no sign.
    Register(Repr),
    /// The values that bytes are: text of an encoding, or bytes.
    Octets(Option<Encoding>),
}

impl Part {
    /// Its number, or its own data.
    pub fn data(&self) -> Datum {
        match self {
            Part::Symbol(sym) => sym.0.into(),
            Part::Routine(id) => id.0.into(),
            Part::Run(id) => id.0.into(),
            Part::Literal(id) => id.0.into(),
            Part::List(id) => id.0.into(),
            Part::Lack(id) => id.0.into(),
            Part::Type(id) => id.0.into(),
            Part::Scalar(scalar) => parts::scalar(scalar),
            Part::Register(repr) => repr.width().into(),
            Part::Octets(text) => text.map(parts::encoding).into(),
        }
    }
}

impl From<Part> for Datum {
    fn from(part: Part) -> Self {
        Datum::Part(part)
    }
}

impl From<bool> for Datum {
    fn from(value: bool) -> Self {
        Datum::Bool(value)
    }
}

impl From<&str> for Datum {
    fn from(value: &str) -> Self {
        Datum::Text(value.to_owned())
    }
}

impl From<Vec<Datum>> for Datum {
    fn from(items: Vec<Datum>) -> Self {
        Datum::List(items)
    }
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Datum::None, Into::into)
    }
}

macro_rules! numbers {
    ($($ty:ty)*) => {
        $(impl From<$ty> for Datum {
            fn from(value: $ty) -> Self {
                Datum::Int(i128::from(value))
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 i64 i128);

/// A list of things that become data.
macro_rules! row {
    ($($item:expr),* $(,)?) => { crate::data::Datum::List(vec![$(crate::data::Datum::from($item)),*]) };
}
pub(crate) use row;

impl Module {
    /// The tables that routines refer to, by name: runs, literals, lists, lacks.
    pub fn data_of_tables(&self) -> Vec<(&'static str, Datum)> {
        let all = |items: Vec<Datum>| Datum::List(items);
        vec![
            ("runs", all(self.tables.iter().map(|table| self.run_data(table)).collect())),
            ("literals", all(self.literals.iter().map(|literal| self.literal_data(literal)).collect())),
            ("lists", all(self.lists.iter().map(|list| parts::ty(&list.ty)).collect())),
            ("lacks", all(self.lacks.iter().map(parts::lacks).collect())),
        ]
    }

    /// The parameters and the body of one routine.
    pub fn data_of_routine(&self, routine: &Routine) -> [Datum; 2] {
        let walk = Walk { module: self, routine };
        [walk.plain(&routine.params), walk.block(&routine.body)]
    }

    /// The routines of a module that [`crate::expand`] left no large operation that writes: of each its purpose, its parameters, how
    /// many symbols it has, and its body.
    pub fn data_of_routines(&self) -> Datum {
        Datum::List(self.routines.iter().map(|routine| Walk { module: self, routine }.routine()).collect())
    }
}

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Read => "read",
        Purpose::Write => "write",
        Purpose::Targets => "targets",
        Purpose::Size => "size",
        Purpose::Check => "check",
        Purpose::Open => "open",
        Purpose::View(_) => "view",
        Purpose::Set(_) => "set",
        Purpose::Take => "take",
        Purpose::Skip => "skip",
    }
}

/// One routine on its way to data.
struct Walk<'m> {
    module: &'m Module,
    routine: &'m Routine,
}

fn sym(sym: Sym) -> Datum {
    Part::Symbol(sym).into()
}

fn arg(arg: Arg) -> Datum {
    match arg {
        Arg::Sym(own) => sym(own),
        Arg::Const(number) => (-1 - i128::from(number)).into(),
    }
}

/// An operation: its name, and its operands. Each place becomes two.
fn op(name: &'static str, operands: Vec<Vec<Datum>>) -> Datum {
    Datum::Op(name, operands.into_iter().flatten().collect())
}

fn place(place: Place) -> Vec<Datum> {
    vec![sym(place.base), place.plus.into()]
}

fn one(datum: impl Into<Datum>) -> Vec<Datum> {
    vec![datum.into()]
}

fn args<const N: usize>(args: [Arg; N]) -> Vec<Datum> {
    args.map(arg).into()
}

fn syms<const N: usize>(syms: [Sym; N]) -> Vec<Datum> {
    syms.map(sym).into()
}

impl Walk<'_> {
    fn routine(&self) -> Datum {
        let [params, body] = self.module.data_of_routine(self.routine);
        row![purpose(self.routine.purpose), params, self.routine.symbols.len() as u32, body]
    }

    fn is_token(&self, sym: Sym) -> bool {
        self.routine.is_token(sym)
    }

    /// The symbols that are no tokens.
    fn plain(&self, all: &[Sym]) -> Datum {
        Datum::List(all.iter().copied().filter(|one| !self.is_token(*one)).map(sym).collect())
    }

    fn args(&self, all: &[Arg]) -> Datum {
        let shown = all.iter().filter(|one| !matches!(one, Arg::Sym(sym) if self.is_token(*sym)));
        Datum::List(shown.map(|one| arg(*one)).collect())
    }

    fn block(&self, block: &Block) -> Datum {
        let ops = block.ops.iter().map(|op| self.op(op)).collect::<Vec<_>>();
        row![self.plain(&block.takes), ops, self.args(&block.gives)]
    }

    fn op(&self, op: &Op) -> Datum {
        self.numbers(op).or_else(|| self.guards(op)).or_else(|| self.control(op)).unwrap_or_else(|| match &op.what {
            What::Segments(segments) => self.segments(op, segments),
            What::Write(write) => self.write(op, write),
            _ => self.values(op),
        })
    }

    fn numbers(&self, bound: &Op) -> Option<Datum> {
        let to = || bound.binds.first().map_or(vec![], |first| one(sym(*first)));
        Some(match bound.what {
            What::Load { place: at, repr } => op("load", vec![to(), place(at), one(Part::Register(repr))]),
            What::Add { at, size } => op("add", vec![to(), place(at), args([size])]),
            What::Behind { at, count, each } => op("behind", vec![to(), syms([at]), args([count]), one(each)]),
            What::Element { place: at, index, stride, .. } => {
                op("element", vec![to(), place(at), syms([index]), one(stride)])
            }
            What::Equal { a, b } => op("equal", vec![to(), args([a, b])]),
            What::AtLeast { a, b } => op("at_least", vec![to(), args([a, b])]),
            What::Present { since, reach, extent, version } => {
                op("present", vec![to(), one(since), one(reach), args([extent, version])])
            }
            What::Lack { of, block, pointers, version } => {
                op("lack", vec![to(), one(Part::Lack(of)), args([block, pointers, version])])
            }
            What::End => op("end", vec![to()]),
            _ => return None,
        })
    }

    fn guards(&self, bound: &Op) -> Option<Datum> {
        let to = || bound.binds.first().map_or(vec![], |first| one(sym(*first)));
        Some(match bound.what {
            What::Need { at, size, cut } => {
                let cut = match cut {
                    Cut::Start => Datum::None,
                    Cut::Head(table) => row![Part::Run(table)],
                    Cut::Run { table, version } => row![Part::Run(table), arg(version)],
                };
                op("need", vec![to(), syms([at]), args([size]), one(cut)])
            }
            What::Least { size, least, place: at } => op("least", vec![to(), args([size]), one(least), place(at)]),
            What::Expect { have, want, place: at, root } => {
                op("expect", vec![args([have]), one(want), place(at), args([root])])
            }
            What::Fit { count, least, at, blame } => op("fit", vec![to(), args([count, least]), syms([at, blame])]),
            What::Follow { base, offset, place: at } => {
                op("follow", vec![to(), syms([base]), args([offset]), place(at)])
            }
            What::Root { offset, start } => op("root", vec![to(), args([offset]), syms([start])]),
            What::Bound { size, head, place: at } => op("bound", vec![args([size]), one(head), place(at)]),
            What::Same { size, end, place: at } => op("same", vec![args([size]), syms([end]), place(at)]),
            What::Refuse { place: at } => op("refuse", vec![place(at)]),
            What::Charge { amount: Amount { times, each }, at, .. } => {
                op("charge", vec![args([times, each]), syms([at])])
            }
            What::Extra { amount: Amount { times, each }, at, .. } => {
                op("extra", vec![args([times, each]), syms([at])])
            }
            What::ExtraWithin { table, extent, at, .. } => {
                op("extra_within", vec![one(Part::Run(table)), args([extent]), syms([at])])
            }
            What::Unpaid { from, at, amount, .. } => op("unpaid", vec![syms([from, at]), one(amount)]),
            _ => return None,
        })
    }

    fn control(&self, bound: &Op) -> Option<Datum> {
        let binds = || one(self.plain(&bound.binds));
        Some(match &bound.what {
            What::If { test, then, other } => {
                op("if", vec![binds(), syms([*test]), one(self.block(then)), one(self.block(other))])
            }
            What::Loop { count, carry, body } => {
                op("loop", vec![binds(), args([*count]), one(self.args(carry)), one(self.block(body))])
            }
            What::Within { frame, body } => {
                let frame = match frame {
                    Frame::Field(name) => self.module[*name].as_str().into(),
                    Frame::Element(index) => sym(*index),
                };
                op("within", vec![binds(), one(frame), one(self.block(body))])
            }
            What::Level { at, body, .. } => op("level", vec![binds(), syms([*at]), one(self.block(body))]),
            What::Call { routine, args } => {
                op("call", vec![binds(), one(Part::Routine(*routine)), one(self.args(args))])
            }
            What::Switch { on, arms, other } => {
                let arms = arms.iter().map(|(tag, arm)| row![*tag, self.block(arm)]).collect::<Vec<_>>();
                op("switch", vec![binds(), args([*on]), one(arms), one(self.block(other))])
            }
            What::Each { count, carry, of, body } => op(
                "each",
                vec![binds(), args([*count]), one(self.args(carry)), one(Part::List(*of)), one(self.block(body))],
            ),
            _ => return None,
        })
    }

    /// The operations that read values.
    fn values(&self, bound: &Op) -> Datum {
        let to = || syms([bound.binds[0]]);
        let all = || one(self.plain(&bound.binds));
        match &bound.what {
            What::Scalar { place: at, scalar } => {
                op("scalar", vec![to(), place(*at), one(Part::Scalar(scalar.clone()))])
            }
            What::Decimal { place: at } => op("decimal", vec![to(), place(*at)]),
            What::Chars { place: at, width, encoding } => {
                op("chars", vec![to(), place(*at), one(*width), one(Part::Octets(Some(*encoding)))])
            }
            What::Bytes { at, size, text: of } => {
                op("bytes", vec![to(), syms([*at]), args([*size]), one(Part::Octets(*of))])
            }
            What::Literal { value } => op("literal", vec![to(), one(Part::Literal(*value))]),
            What::Make { record, fields } => op("make", vec![to(), one(Part::Type(*record)), one(self.plain(fields))]),
            What::Arm { union, tag, arm: value } => {
                op("arm", vec![to(), one(Part::Type(*union)), args([*tag]), syms([*value])])
            }
            What::Extent { table, at, acting, version, .. } => {
                op("extent", vec![to(), one(Part::Run(*table)), syms([*at]), args([*acting, *version])])
            }
            What::Head { table, at, root, .. } => {
                op("head", vec![all(), one(Part::Run(*table)), syms([*at]), args([*root])])
            }
            What::Counted { table, at, root, text: of, .. } => {
                op("counted", vec![all(), one(Part::Run(*table)), syms([*at]), args([*root]), one(Part::Octets(*of))])
            }
            What::Fields { table, at, have } => {
                let (extent, version) = match have {
                    Have::All => (Arg::Const(u64::MAX), Arg::Const(u64::MAX)),
                    Have::Within { extent, version } => (*extent, *version),
                };
                op("fields", vec![all(), one(Part::Run(*table)), syms([*at]), args([extent, version])])
            }
            What::Row { at, count, scalar, of } => op(
                "row",
                vec![to(), place(*at), args([*count]), one(Part::Scalar(scalar.clone())), one(Part::List(*of))],
            ),
            What::Scalars { at, count, scalar, of, .. } => op(
                "scalars",
                vec![all(), syms([*at]), args([*count]), one(Part::Scalar(scalar.clone())), one(Part::List(*of))],
            ),
            what => unreachable!("only expansions have {what:?}"),
        }
    }

    fn segments(&self, bound: &Op, segments: &Segments) -> Datum {
        let to = || bound.binds.first().map_or(vec![], |first| syms([*first]));
        let all = || one(self.plain(&bound.binds));
        match segments {
            Segments::Open => op("open", vec![to()]),
            Segments::Aim { at, segment, .. } => op("aim", vec![to(), syms([*at]), args([*segment])]),
            Segments::IsNull { aim } => op("is_nowhere", vec![to(), syms([*aim])]),
            Segments::Sections { aim, at, .. } => op("sections", vec![all(), syms([*aim, *at])]),
            Segments::Octets { aim, at, text, .. } => op("blob", vec![to(), syms([*aim, *at]), one(*text)]),
            Segments::IsList { aim, at } => op("is_list", vec![syms([*aim, *at])]),
            Segments::List { aim, at, .. } => op("list", vec![all(), syms([*aim, *at])]),
            Segments::Seat { of, index } => {
                op("seat", vec![syms([bound.binds[0], bound.binds[1], of.at, of.stride, of.data, *index])])
            }
            Segments::Eighths { count } => op("eighths", vec![to(), args([*count])]),
            Segments::Short { bits } => op("short", vec![to(), args([*bits])]),
            Segments::Bits { at, count, of, .. } => {
                op("bits", vec![to(), syms([*at]), args([*count]), one(Part::List(*of))])
            }
            Segments::Strided { of, scalar, list } => {
                let listed = syms([of.at, of.count, of.stride]);
                op("strided", vec![to(), listed, one(Part::Scalar(scalar.clone())), one(Part::List(*list))])
            }
            Segments::Keep { at, segment, .. } => op("keep", vec![to(), syms([*at]), args([*segment])]),
        }
    }

    fn write(&self, bound: &Op, write: &Write) -> Datum {
        let to = || bound.binds.first().map_or(vec![], |first| syms([*first]));
        match write {
            Write::IsNull { value } => op("is_null", vec![to(), syms([*value])]),
            Write::OfRecord { value, record } => op("of_record", vec![syms([*value]), one(Part::Type(*record))]),
            Write::Get { value, record, field } => {
                op("get", vec![to(), syms([*value]), one(Part::Type(*record)), one(*field)])
            }
            Write::Octets { value, text: of } => op("octets", vec![to(), syms([*value]), one(Part::Octets(*of))]),
            Write::Sorted { value, of } => op("sorted", vec![to(), syms([*value]), one(Part::List(*of))]),
            Write::Count { value, of } => op("count", vec![to(), syms([*value]), one(Part::List(*of))]),
            Write::Exactly { value, count, in_run } => op("exactly", vec![syms([*value]), one(*count), one(*in_run)]),
            Write::Item { value, index } => op("item", vec![to(), syms([*value, *index])]),
            Write::Pair { value, index } => op("pair", vec![one(self.plain(&bound.binds)), syms([*value, *index])]),
            Write::SameAs { value, literal } => op("same_as", vec![syms([*value]), one(Part::Literal(*literal))]),
            Write::InRange { number, min, max } => op("in_range", vec![args([*number]), one(*min), one(*max)]),
            Write::Wrong => op("wrong", vec![]),
            Write::Choice { value, union } => {
                op("choice", vec![one(self.plain(&bound.binds)), syms([*value]), one(Part::Type(*union))])
            }
            _ => self.stores(bound, write),
        }
    }

    /// The operations on what is written.
    fn stores(&self, bound: &Op, write: &Write) -> Datum {
        let to = || bound.binds.first().map_or(vec![], |first| syms([*first]));
        match write {
            Write::Here { .. } => op("here", vec![to()]),
            Write::Reserve { size: Amount { times, each }, .. } => op("reserve", vec![to(), args([*times, *each])]),
            Write::Append { value, size, .. } => op("append", vec![syms([*value]), args([*size])]),
            Write::Store { place: at, repr, number, .. } => {
                op("store", vec![place(*at), one(repr.width()), args([*number])])
            }
            Write::StoreScalar { place: at, scalar, value, .. } => {
                op("put", vec![place(*at), one(Part::Scalar(scalar.clone())), syms([*value])])
            }
            Write::StoreChars { place: at, width, encoding, value, .. } => {
                op("put_chars", vec![place(*at), one(*width), one(Part::Octets(Some(*encoding))), syms([*value])])
            }
            Write::Erase { place: at, width, bit, .. } => {
                op("erase", vec![place(*at), one(*width), one(bit.map_or(-1, i64::from))])
            }
            Write::Link { place: at, base, .. } => op("link", vec![place(*at), syms([*base])]),
            Write::Empty { from, count, .. } => op("empty", vec![syms([*from]), args([*count])]),
            Write::Total { .. } => op("total", vec![to()]),
            Write::Framed { total, plus, width } => op("framed", vec![to(), args([*total]), one(*plus), one(*width)]),
            Write::Readable { routine, .. } => op("readable", vec![one(Part::Routine(*routine))]),
            Write::Words { count, more, bits } => op("words", vec![to(), args([*count]), one(*more), one(*bits)]),
            Write::Point { at, to: target, object, .. } => {
                let object = match object {
                    Object::Record { data, pointers } => row![*data, *pointers],
                    Object::List { code, count, more } => row![*code, arg(*count), *more],
                };
                op("point", vec![place(*at), syms([*target]), one(object)])
            }
            Write::Tag { at, count, data, pointers, .. } => {
                op("tag", vec![syms([*at]), args([*count]), one(*data), one(*pointers)])
            }
            Write::StoreBytes { at, value, size, .. } => op("put_bytes", vec![syms([*at, *value]), args([*size])]),
            Write::StoreBits { at, count, value, .. } => {
                op("put_bits", vec![syms([*at]), args([*count]), syms([*value])])
            }
            Write::Plant { at, value, .. } => op("plant", vec![place(*at), syms([*value])]),
            Write::Finish { .. } => op("finish", vec![]),
            write => unreachable!("it is expanded: {write:?}"),
        }
    }
}
