//! Large operations by smaller ones.

mod write;

use crate::cells::Rows;
use crate::charge;
use crate::code::{Code, Emit};
use crate::module::{Hint, Holds, Module, Purpose, Register, Routine, Table};
use crate::op::{Block, Cut, Frame, Have, Op, Ty, What};
use crate::operand::bits;
use crate::operand::{Amount, Arg, Place, Sym, TableId};
use crate::segments::{Listed, Segments};
use crate::visit;
use crate::write::Write;
use aldis_plan::Extent;
use aldis_schema::Encoding;
use std::collections::HashMap;

/// The kinds of large operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Large {
    Extent,
    Head,
    Counted,
    Fields,
    Row,
    Each,
    Scalars,
    Unpaid,
    Begin,
    Fill,
    Cell,
    Null,
    Cells,
    Strided,
    List,
    Records,
    Blob,
}

impl Large {
    pub const ALL: [Large; 17] = [
        Large::Extent,
        Large::Head,
        Large::Counted,
        Large::Fields,
        Large::Row,
        Large::Each,
        Large::Scalars,
        Large::Unpaid,
        Large::Begin,
        Large::Fill,
        Large::Cell,
        Large::Null,
        Large::Cells,
        Large::Strided,
        Large::List,
        Large::Records,
        Large::Blob,
    ];

    /// The kind of an operation, where it is large.
    pub fn of(what: &What) -> Option<Large> {
        Some(match what {
            What::Extent { .. } => Large::Extent,
            What::Head { .. } => Large::Head,
            What::Counted { .. } => Large::Counted,
            What::Fields { .. } => Large::Fields,
            What::Row { .. } => Large::Row,
            What::Each { .. } => Large::Each,
            What::Scalars { .. } => Large::Scalars,
            What::Unpaid { .. } => Large::Unpaid,
            What::Segments(Segments::Strided { .. }) => Large::Strided,
            What::Write(Write::Begin { .. }) => Large::Begin,
            What::Write(Write::Fill { .. }) => Large::Fill,
            What::Write(Write::Cell { .. }) => Large::Cell,
            What::Write(Write::Null { .. }) => Large::Null,
            What::Write(Write::Cells { .. }) => Large::Cells,
            What::Write(Write::List { .. }) => Large::List,
            What::Write(Write::Records { .. }) => Large::Records,
            What::Write(Write::Blob { .. }) => Large::Blob,
            _ => return None,
        })
    }
}

/// The operations of writing that have smaller ones in every language of statements.
pub const WRITTEN: [Large; 5] = [Large::Begin, Large::Fill, Large::Cell, Large::Null, Large::Cells];

/// The same module without operations of these kinds.
pub fn expand(mut module: Module, kinds: &[Large]) -> Module {
    let routines = std::mem::take(&mut module.routines);
    // One by one, so that a large module is not there twice.
    module.routines = routines.into_iter().map(|routine| expand_routine(&module, routine, kinds)).collect();
    module
}

/// One of a module's routines without operations of these kinds.
pub fn expand_routine(module: &Module, mut routine: Routine, kinds: &[Large]) -> Routine {
    let code = Code::with(std::mem::take(&mut routine.symbols).to_vec());
    let mut expansion = Expansion { module, kinds, purpose: routine.purpose, code, renamed: HashMap::new() };
    let body = expansion.rebuilt(std::mem::take(&mut routine.body));
    Routine { body, symbols: expansion.code.symbols.into(), ..routine }
}

struct Expansion<'m> {
    module: &'m Module,
    kinds: &'m [Large],
    purpose: Purpose,
    code: Code,
    /// The operands that stand for the symbols that an expanded operation bound.
    renamed: HashMap<Sym, Sym>,
}

impl Emit for Expansion<'_> {
    fn code(&mut self) -> &mut Code {
        &mut self.code
    }
}

impl Expansion<'_> {
    /// A block with what is large expanded, and what that makes large again.
    fn rebuilt(&mut self, block: Block) -> Block {
        let mut rebuilt = self.block(block.takes, |expansion| {
            block.ops.into_iter().for_each(|op| expansion.op(op));
            block.gives
        });
        rebuilt.gives.iter_mut().for_each(|arg| {
            if let Arg::Sym(sym) = arg {
                *sym = self.now(*sym);
            }
        });
        rebuilt
    }

    fn now(&self, sym: Sym) -> Sym {
        self.renamed.get(&sym).copied().unwrap_or(sym)
    }

    fn op(&mut self, mut op: Op) {
        visit::operands_mut(&mut op.what, &mut |sym| *sym = self.renamed.get(sym).copied().unwrap_or(*sym));
        match Large::of(&op.what).filter(|kind| self.kinds.contains(kind)) {
            None => {
                for block in visit::blocks_mut(&mut op.what) {
                    *block = self.rebuilt(std::mem::take(block));
                }
                self.code.push(op);
            }
            Some(_) => {
                let (given, block) = self.expansion(op.what);
                block.ops.into_iter().for_each(|op| self.op(op));
                for (was, is) in op.binds.iter().zip(given) {
                    let is = self.now(is);
                    self.renamed.insert(*was, is);
                }
            }
        }
    }

    /// The operations that an operation stands for, and what they give for its symbols.
    fn expansion(&mut self, what: What) -> (Vec<Sym>, Block) {
        let mut given = Vec::new();
        let block = self.block(Vec::new(), |expansion| {
            given = expansion.smaller(what);
            Vec::new()
        });
        (given, block)
    }

    fn smaller(&mut self, what: What) -> Vec<Sym> {
        match what {
            What::Extent { table, at, acting, version, budget } => {
                self.code.budget = Some(budget);
                let size = self.extent(table, at, acting, version);
                vec![size, self.budget()]
            }
            What::Head { table, at, root, budget } => {
                self.code.budget = Some(budget);
                let mut found = self.head(table, at, root);
                let behind = self.add(at, Arg::Const(self.module[table].size.into()));
                found.extend([behind, self.budget()]);
                found
            }
            What::Counted { table, at, root, text, budget } => self.counted(table, at, root, (text, budget)),
            What::Fields { table, at, have } => self.fields(table, at, have),
            What::Row { at, count, scalar, of } => {
                let stride = scalar.repr.width();
                // A row has no budget of its own: this one is given back as it was.
                let open = self.role(What::Open { count }, Ty::List, "list");
                let list = self.counting(count, &[open.into()], |expansion, index, carried| {
                    let what = What::Element { place: at, index, stride, count };
                    let base = expansion.role(what, Ty::Pos, "at");
                    let place = Place { base, plus: 0 };
                    let item = expansion.role(What::Scalar { place, scalar: scalar.clone() }, Ty::Val, "item");
                    let push = What::Push { list: carried[0], items: vec![item] };
                    vec![expansion.role(push, Ty::List, "list").into()]
                });
                vec![self.role(What::Close { list: list[0], of }, Ty::Val, "list")]
            }
            What::Scalars { at, count, scalar, of, budget } => {
                self.code.budget = Some(budget);
                let each = scalar.repr.width();
                charge::charge(self, Amount { times: count, each: Arg::Const(each.into()) }, at);
                let row = What::Row { at: Place { base: at, plus: 0 }, count, scalar, of };
                let list = self.role(row, Ty::Val, "list");
                let behind = self.role(What::Behind { at, count, each }, Ty::Pos, "at");
                vec![list, behind, self.budget()]
            }
            What::Each { count, carry, of, body } => self.each_smaller(count, carry, of, body),
            What::Unpaid { from, at, amount, budget } => {
                self.code.budget = Some(budget);
                let empty = self.role(What::Equal { a: from.into(), b: at.into() }, Ty::Bool, "empty");
                let pay = |expansion: &mut Self| {
                    charge::charge(expansion, Amount::exactly(amount), at);
                    Vec::new()
                };
                self.branch(empty, pay, |_| Vec::new());
                vec![self.budget()]
            }
            What::Segments(Segments::Strided { of, scalar, list }) => vec![self.strided(of, &scalar, list)],
            What::Write(write) => self.written(write),
            _ => Vec::new(),
        }
    }

    fn strided(&mut self, of: Listed, scalar: &aldis_plan::Scalar, list: crate::ListId) -> Sym {
        self.each_free(of.count.into(), list, |expansion, index| {
            let binds = ["data", "pointers"].map(|role| expansion.code.sym(Ty::Pos, Hint::Role(role)));
            expansion.code.push(Op { binds: binds.to_vec(), what: What::Segments(Segments::Seat { of, index }) });
            let place = Place { base: binds[0], plus: 0 };
            expansion.role(What::Scalar { place, scalar: scalar.clone() }, Ty::Val, "item")
        })
    }

    fn add(&mut self, at: Sym, size: Arg) -> Sym {
        self.role(What::Add { at: Place { base: at, plus: 0 }, size }, Ty::Pos, "at")
    }

    fn extent(&mut self, table: TableId, at: Sym, acting: Arg, version: Arg) -> Sym {
        let of: &Table = &self.module[table];
        let size = match of.extent {
            Extent::Exact | Extent::Sections { .. } => Arg::Const(of.size.into()),
            Extent::Acting => acting,
            Extent::Stated { head } => {
                self.role(What::Need { at, size: Arg::Const(head.into()), cut: Cut::Start }, Ty::Size, "head");
                match of.stated() {
                    None => Arg::Const(of.size.into()),
                    Some((plus, repr)) => {
                        let place = Place { base: at, plus };
                        let size = self.role(What::Load { place, repr }, Ty::Raw(bits(repr)), "size").into();
                        self.role(What::Least { size, least: head, place }, Ty::Raw(bits(repr)), "size").into()
                    }
                }
            }
        };
        let size = self.role(What::Need { at, size, cut: Cut::Run { table, version } }, Ty::Size, "size");
        charge::visited(self, size, at);
        let budget = self.budget();
        self.paid(What::ExtraWithin { budget, table, extent: size.into(), at }, &[]);
        size
    }

    fn head(&mut self, table: TableId, at: Sym, root: Arg) -> Vec<Sym> {
        let of: &Table = &self.module[table];
        let size = Arg::Const(of.size.into());
        self.role(What::Need { at, size, cut: Cut::Head(table) }, Ty::Size, "size");
        charge::visited(self, size, at);
        let mut found = Vec::new();
        for row in &of.rows {
            let Holds::Register(Register::Wanted(repr) | Register::Expected(repr, _)) = &row.holds else { continue };
            let place = Place { base: at, plus: row.at };
            let hint = row.name.map_or(Hint::Role("register"), Hint::Name);
            let have = self.bind(What::Load { place, repr: *repr }, Ty::Raw(bits(*repr)), hint);
            match &row.holds {
                Holds::Register(Register::Expected(_, want)) => {
                    self.act(What::Expect { have: have.into(), want: *want, place, root });
                }
                _ => found.push(have),
            }
        }
        found
    }

    fn counted(&mut self, table: TableId, at: Sym, root: Arg, (text, budget): (Option<Encoding>, Sym)) -> Vec<Sym> {
        self.code.budget = Some(budget);
        let wanted = self.module[table].rows.iter().filter_map(|row| match row.holds {
            Holds::Register(Register::Wanted(repr)) => Some((Ty::Raw(bits(repr)), Hint::Role("length"))),
            _ => None,
        });
        let others: Vec<(Ty, Hint)> = wanted.chain([(Ty::Pos, Hint::Role("at"))]).collect();
        let found = self.paid(What::Head { table, at, root, budget }, &others);
        let from = found[found.len() - 1];
        let count = match found.len() {
            1 => Arg::Const(0),
            many => found[many - 2].into(),
        };
        let fit = What::Fit { count, least: Arg::Const(1), at: from, blame: at };
        let size = self.role(fit, Ty::Size, "size");
        charge::visited(self, size, from);
        let bytes = self.role(What::Bytes { at: from, size: size.into(), text }, Ty::Val, "bytes");
        vec![bytes, self.add(from, size.into()), self.budget()]
    }

    fn fields(&mut self, table: TableId, at: Sym, have: Have) -> Vec<Sym> {
        let module = self.module;
        let of: &Table = &module[table];
        let sure = match of.extent {
            Extent::Exact => of.size,
            Extent::Stated { head } => head,
            Extent::Acting | Extent::Sections { .. } => 0,
        };
        let rows = Rows { base: at, have, sure, since: 0 };
        // Plain values charge nothing, so no budget goes through them.
        of.plain().map(|(row, cell)| rows.row(self, row, cell)).collect()
    }

    fn each_smaller(&mut self, count: Arg, carry: Vec<Arg>, of: crate::ListId, body: Block) -> Vec<Sym> {
        let list = self.role(What::Open { count }, Ty::List, "list");
        let carry: Vec<Arg> = [list.into()].into_iter().chain(carry).collect();
        let many = carry.len() - 1;
        let found = self.counting(count, &carry, |expansion, index, carried| {
            let mut body = body.clone();
            let takes = std::mem::take(&mut body.takes);
            let now: HashMap<Sym, Sym> = takes.into_iter().zip([index].iter().chain(&carried[1..]).copied()).collect();
            rename(&mut body, &now);
            let like: Vec<Arg> = body.gives.clone();
            let binds: Vec<Sym> = like
                .iter()
                .map(|arg| {
                    let (ty, hint) = expansion.code.kind(*arg);
                    expansion.code.sym(ty, hint)
                })
                .collect();
            let within = What::Within { frame: Frame::Element(index), body };
            expansion.code.push(Op { binds: binds.clone(), what: within });
            let (items, carried_on) = binds.split_at(binds.len() - many);
            let push = What::Push { list: carried[0], items: items.to_vec() };
            let list = expansion.role(push, Ty::List, "list");
            [list].iter().chain(carried_on).map(|sym| Arg::from(*sym)).collect()
        });
        let value = self.role(What::Close { list: found[0], of }, Ty::Val, "list");
        [value].iter().chain(&found[1..]).copied().collect()
    }

    /// A loop over what is carried, the budget no other than that.
    fn counting(
        &mut self,
        count: Arg,
        carry: &[Arg],
        fill: impl FnOnce(&mut Self, Sym, &[Sym]) -> Vec<Arg>,
    ) -> Vec<Sym> {
        let (index, carried) = self.loop_takes(carry);
        let takes = [index].into_iter().chain(carried.iter().copied()).collect();
        let body = self.block(takes, |expansion| fill(expansion, index, &carried));
        let binds: Vec<Sym> = carry
            .iter()
            .map(|arg| {
                let (ty, hint) = self.code.kind(*arg);
                self.code.sym(ty, hint)
            })
            .collect();
        self.code.push(Op { binds: binds.clone(), what: What::Loop { count, carry: carry.to_vec(), body } });
        binds
    }
}

/// Puts other symbols in the place of those that a block uses.
fn rename(block: &mut Block, now: &HashMap<Sym, Sym>) {
    let to = |sym: &mut Sym| *sym = now.get(sym).copied().unwrap_or(*sym);
    for op in &mut block.ops {
        visit::operands_mut(&mut op.what, &mut |sym| to(sym));
        visit::blocks_mut(&mut op.what).into_iter().for_each(|block| rename(block, now));
    }
    for arg in &mut block.gives {
        if let Arg::Sym(sym) = arg {
            to(sym);
        }
    }
}
