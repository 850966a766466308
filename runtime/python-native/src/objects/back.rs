//! Routines that read, out of the data that generated packages have of them (`aldis_routine::data`): the same operations, whose tokens, which
//! data leave out, are put in again.

use super::operands::{items, repr_of, Operands};
use super::tables::{scalar, tables};
use aldis_plan::{ByteOrder, Container, Extent, Lacks, Repr, Scalar, Segments as SegmentsForm};
use aldis_routine::data::Datum;
use aldis_routine::{
    Amount, Arg, Block, Cut, Frame, Have, Hint, LackId, ListId, ListType, Listed, Literal, LiteralId, Module, NameId,
    Op, Place, Purpose, Routine, RoutineId, Segments, Subject, Sym, Symbol, Ty, Value, What,
};
use aldis_schema::{Schema, Type, TypeId};

/// The data of a form, by name.
pub struct Form {
    pub order: Datum,
    pub container: Datum,
    pub runs: Datum,
    pub literals: Datum,
    pub lists: Datum,
    pub lacks: Datum,
    pub routines: Datum,
    pub readers: Datum,
}

/// The module of a form; `None` where it has something that programs have not.
///
/// Literals are the numbers of themselves, since whoever reads has them as objects, and so are the types of lists.
pub fn module(form: &Form) -> Option<Module> {
    let numbered = |index: usize| Value::UInt(index as u64);
    let literals = (0..items(&form.literals)?.len())
        .map(|index| Literal { value: numbered(index), ty: Type::Void, lacks: false })
        .collect();
    let lists = (0..items(&form.lists)?.len() as u32)
        .map(|index| ListType { shape: aldis_plan::Shape::List, ty: Type::Named(TypeId(index)) })
        .collect();
    let routines = items(&form.routines)?.iter().map_while(|datum| is_reading(datum).then(|| routine(datum)));
    let messages = items(&form.readers)?.iter().map(|id| match id {
        Datum::Int(id) => u32::try_from(*id).ok().map(RoutineId),
        _ => None,
    });
    let container = container(&form.container)?;
    let mut tables = tables(&form.runs)?;
    if container != Container::Plain {
        // Pointers say how much of a run is there.
        tables.iter_mut().for_each(|table| table.extent = Extent::Sections { data: table.size });
    }
    Some(Module {
        form: String::new(),
        byte_order: if form.order == Datum::from("big") { ByteOrder::Big } else { ByteOrder::Little },
        container,
        routines: routines.collect::<Option<_>>()?,
        messages: messages.collect::<Option<_>>()?,
        writers: Vec::new(),
        sizers: Vec::new(),
        checkers: Vec::new(),
        views: Vec::new(),
        opens: Vec::new(),
        fixed: Vec::new(),
        starts: Vec::new(),
        tables,
        blanks: Vec::new(),
        names: vec![String::new()],
        literals,
        lists,
        lacks: items(&form.lacks)?.iter().map(lacks).collect::<Option<_>>()?,
        missing: Vec::new(),
        schema: Schema::default(),
    })
}

/// Messages that are packed are unpacked before.
fn container(datum: &Datum) -> Option<Container> {
    match items(datum) {
        None => Some(Container::Plain),
        Some([Datum::Bool(table), _, Datum::Bool(canonical)]) => {
            Some(Container::Segments(SegmentsForm { table: *table, packed: false, canonical: *canonical }))
        }
        _ => None,
    }
}

fn is_reading(datum: &Datum) -> bool {
    items(datum).and_then(<[Datum]>::first) == Some(&Datum::from("read"))
}

fn lacks(datum: &Datum) -> Option<Lacks> {
    let rows = |datum: &Datum| -> Option<Vec<(u32, u64)>> {
        let row = |datum: &Datum| {
            let mut of = Operands::of(datum)?;
            Some((of.number()?, of.number()?))
        };
        items(datum)?.iter().map(row).collect()
    };
    let mut of = Operands::of(datum)?;
    Some(Lacks { block: rows(of.next()?)?, pointers: rows(of.next()?)?, parts: rows(of.next()?)? })
}

/// A routine in the making: the types of its symbols, and the level that operations are at.
struct Making {
    symbols: Vec<Symbol>,
    depth: Sym,
    budget: Sym,
}

fn routine(datum: &Datum) -> Option<Routine> {
    let mut of = Operands::of(datum)?;
    let (_, mut params, count) = (of.next()?, of.syms()?, of.number::<u32>()?);
    let symbol = |ty| Symbol { ty, hint: Hint::Role("value") };
    let mut symbols = vec![symbol(Ty::Pos); count as usize];
    symbols.extend([symbol(Ty::Depth), symbol(Ty::Budget)]);
    let mut making = Making { symbols, depth: Sym(count), budget: Sym(count + 1) };
    params.push(making.depth);
    let body = making.block(of.next()?)?;
    let (of, purpose) = (Subject::Record(TypeId(0)), Purpose::Read);
    let (covered, results) = (Vec::new(), Vec::new());
    Some(Routine { of, purpose, params, covered, results, body, symbols: making.symbols.into() })
}

impl Making {
    fn fresh(&mut self, ty: Ty) -> Sym {
        self.symbols.push(Symbol { ty, hint: Hint::Role("value") });
        Sym(self.symbols.len() as u32 - 1)
    }

    fn set(&mut self, sym: Sym, ty: Ty) -> Option<Sym> {
        self.symbols.get_mut(sym.0 as usize)?.ty = ty;
        Some(sym)
    }

    fn block(&mut self, datum: &Datum) -> Option<Block> {
        let mut of = Operands::of(datum)?;
        let takes = of.syms()?;
        let mut ops = Vec::new();
        items(of.next()?)?.iter().try_for_each(|op| self.op(op, &mut ops))?;
        Some(Block { takes, ops, gives: of.args()? })
    }

    fn op(&mut self, datum: &Datum, ops: &mut Vec<Op>) -> Option<()> {
        let mut of = Operands::of(datum)?;
        let Datum::Text(name) = of.next()? else { return None };
        match name.as_str() {
            "if" | "within" | "level" | "call" | "each" | "switch" => ops.push(self.control(name, &mut of)?),
            "counted" => self.counted(&mut of, ops)?,
            "scalars" => self.scalars(&mut of, ops)?,
            "unpaid" => self.unpaid(&mut of, ops)?,
            "head" | "fields" => ops.push(self.gathered(name, &mut of)?),
            "expect" | "bound" | "same" | "refuse" | "charge" | "extra" | "extra_within" => {
                ops.push(Op { binds: Vec::new(), what: self.tested(name, &mut of)? });
            }
            "open" | "aim" | "is_nowhere" | "sections" | "is_list" | "list" | "seat" | "eighths" | "short" => {
                ops.push(pointed(name, &mut of, self.depth)?);
            }
            "scalar" | "decimal" | "chars" | "bytes" | "literal" | "make" | "row" | "arm" | "blob" | "bits"
            | "strided" | "keep" => {
                let to = of.sym()?;
                let to = self.set(to, Ty::Val)?;
                ops.push(Op { binds: vec![to], what: value(name, &mut of, self.depth)? });
            }
            name => ops.push(Op { binds: vec![of.sym()?], what: self.number(name, &mut of)? }),
        }
        Some(())
    }

    /// Operations that give a number, or a place.
    fn number(&self, name: &str, of: &mut Operands<'_>) -> Option<What> {
        Some(match name {
            "load" => What::Load { place: of.place()?, repr: repr_of(of.number()?)? },
            "add" => What::Add { at: of.place()?, size: of.arg()? },
            "behind" => What::Behind { at: of.sym()?, count: of.arg()?, each: of.number()? },
            "element" => {
                let (place, index, stride) = (of.place()?, of.sym()?, of.number()?);
                What::Element { place, index, stride, count: Arg::Const(0) }
            }
            "equal" => What::Equal { a: of.arg()?, b: of.arg()? },
            "at_least" => What::AtLeast { a: of.arg()?, b: of.arg()? },
            "present" => {
                let (since, reach) = (of.number()?, of.number()?);
                What::Present { since, reach, extent: of.arg()?, version: of.arg()? }
            }
            "lack" => {
                let lack = LackId(of.number()?);
                What::Lack { of: lack, block: of.arg()?, pointers: of.arg()?, version: of.arg()? }
            }
            "end" => What::End,
            "need" => What::Need { at: of.sym()?, size: of.arg()?, cut: Cut::Start },
            "least" => What::Least { size: of.arg()?, least: of.number()?, place: of.place()? },
            "fit" => What::Fit { count: of.arg()?, least: of.arg()?, at: of.sym()?, blame: of.sym()? },
            "follow" => What::Follow { base: of.sym()?, offset: of.arg()?, place: of.place()? },
            "root" => What::Root { offset: of.arg()?, start: of.sym()? },
            "extent" => {
                let (table, at) = (of.table()?, of.sym()?);
                What::Extent { table, at, acting: of.arg()?, version: of.arg()?, budget: self.budget }
            }
            _ => return None,
        })
    }

    /// Operations that give nothing.
    fn tested(&self, name: &str, of: &mut Operands<'_>) -> Option<What> {
        let budget = self.budget;
        Some(match name {
            "expect" => What::Expect { have: of.arg()?, want: of.number()?, place: of.place()?, root: Arg::Const(0) },
            "bound" => What::Bound { size: of.arg()?, head: of.number()?, place: of.place()? },
            "same" => What::Same { size: of.arg()?, end: of.sym()?, place: of.place()? },
            "refuse" => What::Refuse { place: of.place()? },
            "charge" => What::Charge { budget, amount: Amount { times: of.arg()?, each: of.arg()? }, at: of.sym()? },
            "extra" => What::Extra { budget, amount: Amount { times: of.arg()?, each: of.arg()? }, at: of.sym()? },
            "extra_within" => What::ExtraWithin { budget, table: of.table()?, extent: of.arg()?, at: of.sym()? },
            _ => return None,
        })
    }

    /// Operations that bind what a table has.
    fn gathered(&mut self, name: &str, of: &mut Operands<'_>) -> Option<Op> {
        let (mut binds, table, at) = (of.syms()?, of.table()?, of.sym()?);
        if name == "head" {
            binds.push(self.budget);
            return Some(Op { binds, what: What::Head { table, at, root: Arg::Const(0), budget: self.budget } });
        }
        binds.iter().try_for_each(|sym| self.set(*sym, Ty::Val).map(|_| ()))?;
        let (extent, version) = (of.arg()?, of.arg()?);
        Some(Op { binds, what: What::Fields { table, at, have: Have::Within { extent, version } } })
    }

    fn control(&mut self, name: &str, of: &mut Operands<'_>) -> Option<Op> {
        let binds = of.syms()?;
        let what = match name {
            "if" => {
                let (test, then, other) = (of.sym()?, self.block(of.next()?)?, self.block(of.next()?)?);
                self.alike(&binds, &other.gives)?;
                What::If { test, then, other }
            }
            "switch" => {
                let on = of.arg()?;
                let arms = items(of.next()?)?.iter().map(|arm| {
                    let mut of = Operands::of(arm)?;
                    Some((of.number()?, self.block(of.next()?)?))
                });
                let arms = arms.collect::<Option<_>>()?;
                let other = self.block(of.next()?)?;
                self.alike(&binds, &other.gives)?;
                What::Switch { on, arms, other }
            }
            "within" => {
                of.next()?;
                let body = self.block(of.next()?)?;
                self.alike(&binds, &body.gives)?;
                What::Within { frame: Frame::Field(NameId(0)), body }
            }
            "level" => {
                let (at, depth, inner) = (of.sym()?, self.depth, self.fresh(Ty::Depth));
                self.depth = inner;
                let mut body = self.block(of.next()?)?;
                self.depth = depth;
                body.takes.insert(0, inner);
                self.alike(&binds, &body.gives)?;
                What::Level { depth, at, body }
            }
            "call" => {
                let (routine, mut args) = (RoutineId(of.number()?), of.args()?);
                args.push(self.depth.into());
                binds.first().map(|value| self.set(*value, Ty::Val));
                What::Call { routine, args }
            }
            _ => {
                let (count, carry, list) = (of.arg()?, of.args()?, ListId(of.number()?));
                let body = self.block(of.next()?)?;
                binds.first().map(|value| self.set(*value, Ty::Val));
                What::Each { count, carry, of: list, body }
            }
        };
        Some(Op { binds, what })
    }

    /// Gives the bound symbols the types of the operands that a block gives.
    fn alike(&mut self, binds: &[Sym], given: &[Arg]) -> Option<()> {
        binds.iter().zip(given).try_for_each(|(bind, given)| match given {
            Arg::Sym(given) => {
                let ty = self.symbols.get(given.0 as usize)?.ty;
                self.set(*bind, ty).map(|_| ())
            }
            Arg::Const(_) => Some(()),
        })
    }

    fn charge(&self, amount: Amount, at: Sym) -> Op {
        Op { binds: Vec::new(), what: What::Charge { budget: self.budget, amount, at } }
    }

    fn counted(&mut self, of: &mut Operands<'_>, ops: &mut Vec<Op>) -> Option<()> {
        let (binds, table, at, _, text) = (of.syms()?, of.table()?, of.sym()?, of.arg()?, of.text()?);
        let (size, start, known) = (self.fresh(Ty::Size), self.fresh(Ty::Pos), self.fresh(Ty::Size));
        let what = What::Head { table, at, root: Arg::Const(0), budget: self.budget };
        ops.push(Op { binds: vec![size, start, self.budget], what });
        let what = What::Fit { count: size.into(), least: Arg::Const(1), at: start, blame: at };
        ops.push(Op { binds: vec![known], what });
        ops.push(self.charge(Amount::of(known), start));
        let [value, end] = *binds.as_slice() else { return None };
        ops.push(Op {
            binds: vec![self.set(value, Ty::Val)?],
            what: What::Bytes { at: start, size: known.into(), text },
        });
        ops.push(Op { binds: vec![end], what: What::Add { at: Place { base: start, plus: 0 }, size: known.into() } });
        Some(())
    }

    fn scalars(&mut self, of: &mut Operands<'_>, ops: &mut Vec<Op>) -> Option<()> {
        let (binds, at, count) = (of.syms()?, of.sym()?, of.arg()?);
        let (scalar, list) = (scalar(of.next()?)?, ListId(of.number()?));
        let each = scalar.repr.width();
        ops.push(self.charge(Amount { times: count, each: Arg::Const(each.into()) }, at));
        let [value, end] = *binds.as_slice() else { return None };
        let place = Place { base: at, plus: 0 };
        ops.push(Op { binds: vec![self.set(value, Ty::Val)?], what: What::Row { at: place, count, scalar, of: list } });
        ops.push(Op { binds: vec![end], what: What::Behind { at, count, each } });
        Some(())
    }

    fn unpaid(&mut self, of: &mut Operands<'_>, ops: &mut Vec<Op>) -> Option<()> {
        let (from, at, amount) = (of.sym()?, of.sym()?, of.number()?);
        let test = self.fresh(Ty::Bool);
        ops.push(Op { binds: vec![test], what: What::Equal { a: from.into(), b: at.into() } });
        let then = Block { ops: vec![self.charge(Amount::exactly(amount), at)], ..Block::default() };
        ops.push(Op { binds: Vec::new(), what: What::If { test, then, other: Block::default() } });
        Some(())
    }
}

/// Operations of segments that bind numbers. Programs have one budget, which none of them names.
fn pointed(name: &str, of: &mut Operands<'_>, depth: Sym) -> Option<Op> {
    let (budget, one) = (None, |of: &mut Operands<'_>| Some(vec![of.sym()?]));
    let (binds, what) = match name {
        "open" => (one(of)?, Segments::Open),
        "aim" => (one(of)?, Segments::Aim { at: of.sym()?, segment: of.arg()?, budget }),
        "is_nowhere" => (one(of)?, Segments::IsNull { aim: of.sym()? }),
        "sections" => (of.syms()?, Segments::Sections { aim: of.sym()?, at: of.sym()?, depth: Some(depth), budget }),
        "is_list" => (Vec::new(), Segments::IsList { aim: of.sym()?, at: of.sym()? }),
        "list" => (of.syms()?, Segments::List { aim: of.sym()?, at: of.sym()?, budget }),
        "seat" => {
            let binds = vec![of.sym()?, of.sym()?];
            let (at, stride, data) = (of.sym()?, of.sym()?, of.sym()?);
            (binds, Segments::Seat { of: Listed { at, count: at, stride, data, pointers: data }, index: of.sym()? })
        }
        "eighths" => (one(of)?, Segments::Eighths { count: of.arg()? }),
        _ => (one(of)?, Segments::Short { bits: of.arg()? }),
    };
    Some(Op { binds, what: What::Segments(what) })
}

/// Operations that make a value.
fn value(name: &str, of: &mut Operands<'_>, depth: Sym) -> Option<What> {
    let (budget, depth) = (None, Some(depth));
    Some(match name {
        "arm" => What::Arm { union: TypeId(of.number()?), tag: of.arg()?, arm: of.sym()? },
        "blob" => {
            let (aim, at) = (of.sym()?, of.sym()?);
            let text = *of.next()? == Datum::Bool(true);
            What::Segments(Segments::Octets { aim, at, text, budget })
        }
        "bits" => {
            let scalar = Scalar::new(Repr::Bool, Type::Void);
            What::Segments(Segments::Bits { at: of.sym()?, count: of.arg()?, scalar, of: ListId(of.number()?) })
        }
        "strided" => {
            let (at, count, stride, scalar) = (of.sym()?, of.sym()?, of.sym()?, scalar(of.next()?)?);
            let of_list = Listed { at, count, stride, data: at, pointers: at };
            What::Segments(Segments::Strided { of: of_list, scalar, list: ListId(of.number()?) })
        }
        "keep" => What::Segments(Segments::Keep { at: of.sym()?, segment: of.arg()?, depth, budget }),
        "scalar" => What::Scalar { place: of.place()?, scalar: scalar(of.next()?)? },
        "decimal" => What::Decimal { place: of.place()? },
        "chars" => What::Chars { place: of.place()?, width: of.number()?, encoding: of.text()?? },
        "bytes" => What::Bytes { at: of.sym()?, size: of.arg()?, text: of.text()? },
        "literal" => What::Literal { value: LiteralId(of.number()?) },
        "make" => What::Make { record: TypeId(of.number()?), fields: of.syms()? },
        "row" => {
            let (at, count, scalar) = (of.place()?, of.arg()?, scalar(of.next()?)?);
            What::Row { at, count, scalar, of: ListId(of.number()?) }
        }
        _ => return None,
    })
}
