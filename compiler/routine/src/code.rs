//! Routines in the making: symbols are numbered, operations appended, blocks closed, a token handed on: the budget, or where
//! routines write, what is written.

use crate::module::{Hint, Symbol};
use crate::op::{Block, Frame, Op, Ty, What};
use crate::operand::{Arg, ListId, Sym};

/// The body of a routine in the making.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub symbols: Vec<Symbol>,
    /// The operations of each block that is open, the innermost last.
    open: Vec<Vec<Op>>,
    /// The symbol of the token as it is by now: of the budget, or of what is written.
    pub budget: Option<Sym>,
}

impl Code {
    /// Goes on with symbols that exist.
    pub fn with(symbols: Vec<Symbol>) -> Self {
        Self { symbols, ..Self::default() }
    }

    pub fn sym(&mut self, ty: Ty, hint: Hint) -> Sym {
        self.symbols.push(Symbol { ty, hint });
        Sym(self.symbols.len() as u32 - 1)
    }

    /// Appends an operation that binds symbols that exist.
    pub fn push(&mut self, op: Op) {
        if let Some(ops) = self.open.last_mut() {
            ops.push(op);
        }
    }

    /// Type and hint of an operand.
    pub fn kind(&self, arg: Arg) -> (Ty, Hint) {
        match arg {
            Arg::Sym(sym) => (self.symbols[sym.0 as usize].ty, self.symbols[sym.0 as usize].hint),
            Arg::Const(_) => (Ty::Size, Hint::Role("number")),
        }
    }

    /// A new symbol of the same type and hint.
    pub fn like(&mut self, arg: Arg) -> Sym {
        let (ty, hint) = self.kind(arg);
        self.sym(ty, hint)
    }
}

/// A writer that appends operations. Statements with blocks take the functions that fill them; where one of their ways changes
/// the budget, all of them give it on.
pub(crate) trait Emit: Sized {
    fn code(&mut self) -> &mut Code;

    /// The token as it is by now. Routines begin with one.
    fn budget(&mut self) -> Sym {
        self.code().budget.unwrap_or(Sym(0))
    }

    /// An operation that binds nothing.
    fn act(&mut self, what: What) {
        self.code().push(Op { binds: Vec::new(), what });
    }

    /// An operation that binds one symbol.
    fn bind(&mut self, what: What, ty: Ty, hint: Hint) -> Sym {
        let sym = self.code().sym(ty, hint);
        self.code().push(Op { binds: vec![sym], what });
        sym
    }

    fn role(&mut self, what: What, ty: Ty, role: &'static str) -> Sym {
        self.bind(what, ty, Hint::Role(role))
    }

    /// An operation that takes the token and gives the next one after its other results, if any.
    fn paid(&mut self, what: What, others: &[(Ty, Hint)]) -> Vec<Sym> {
        let token = self.budget();
        let code = self.code();
        let mut binds: Vec<Sym> = others.iter().map(|(ty, hint)| code.sym(*ty, *hint)).collect();
        let budget = code.like(token.into());
        let others = binds.clone();
        binds.push(budget);
        code.push(Op { binds, what });
        code.budget = Some(budget);
        others
    }

    /// A block of what `fill` appends, and what that gives.
    fn block(&mut self, takes: Vec<Sym>, fill: impl FnOnce(&mut Self) -> Vec<Arg>) -> Block {
        self.code().open.push(Vec::new());
        let gives = fill(self);
        let mut ops = self.code().open.pop().unwrap_or_default();
        // Operations are large, and a large schema has millions of them.
        ops.shrink_to_fit();
        Block { takes, ops, gives }
    }

    /// A statement of some blocks, which begin with the same budget and give the same things. Gives what it binds.
    fn statement(
        &mut self,
        before: Sym,
        mut blocks: Vec<(Block, Sym)>,
        make: impl FnOnce(Vec<Block>) -> What,
    ) -> Vec<Sym> {
        let spends = blocks.iter().any(|(_, after)| *after != before);
        if spends {
            blocks.iter_mut().for_each(|(block, after)| block.gives.push((*after).into()));
        }
        let like = blocks[0].0.gives.clone();
        let like = (0..like.len()).map(|i| {
            let of = blocks.iter().map(|(block, _)| block.gives[i]);
            // A name says most, and the null of one way least.
            let says = |arg: &Arg| match self.code().kind(*arg).1 {
                Hint::Name(_) => 0,
                Hint::Role("null") => 2,
                Hint::Role(_) => 1,
            };
            of.filter(|arg| matches!(arg, Arg::Sym(_))).min_by_key(says).unwrap_or(like[i])
        });
        let like: Vec<Arg> = like.collect();
        let code = self.code();
        let mut binds: Vec<Sym> = like.into_iter().map(|arg| code.like(arg)).collect();
        let what = make(blocks.into_iter().map(|(block, _)| block).collect());
        code.push(Op { binds: binds.clone(), what });
        code.budget = Some(before);
        if spends {
            code.budget = binds.pop();
        }
        binds
    }

    /// A block that begins with the budget as it is, and its budget in the end.
    fn way(&mut self, takes: Vec<Sym>, fill: impl FnOnce(&mut Self) -> Vec<Arg>) -> (Block, Sym) {
        let before = self.budget();
        let block = self.block(takes, fill);
        let after = self.budget();
        self.code().budget = Some(before);
        (block, after)
    }

    fn branch(
        &mut self,
        test: Sym,
        then: impl FnOnce(&mut Self) -> Vec<Arg>,
        other: impl FnOnce(&mut Self) -> Vec<Arg>,
    ) -> Vec<Sym> {
        let before = self.budget();
        let ways = vec![self.way(Vec::new(), then), self.way(Vec::new(), other)];
        self.statement(before, ways, |mut blocks| {
            let other = blocks.pop().unwrap_or_default();
            What::If { test, then: blocks.pop().unwrap_or_default(), other }
        })
    }

    fn within(&mut self, frame: Frame, fill: impl FnOnce(&mut Self) -> Vec<Arg>) -> Vec<Sym> {
        let before = self.budget();
        let ways = vec![self.way(Vec::new(), fill)];
        self.statement(before, ways, |mut blocks| What::Within { frame, body: blocks.pop().unwrap_or_default() })
    }

    /// One level down; `fill` gets the depth that is left.
    fn level(&mut self, depth: Sym, at: Sym, fill: impl FnOnce(&mut Self, Sym) -> Vec<Arg>) -> Vec<Sym> {
        let before = self.budget();
        let inner = self.code().sym(Ty::Depth, Hint::Role("depth"));
        let ways = vec![self.way(vec![inner], |emit| fill(emit, inner))];
        self.statement(before, ways, |mut blocks| What::Level { depth, at, body: blocks.pop().unwrap_or_default() })
    }

    /// A value of `count` elements ([`What::Each`]): `fill` gets the index and what is carried beside the budget, and gives the
    /// element and what is carried on. Gives the value and what is carried last.
    fn each(
        &mut self,
        count: Arg,
        carry: &[Sym],
        of: ListId,
        fill: impl FnOnce(&mut Self, Sym, &[Sym]) -> (Vec<Arg>, Vec<Arg>),
    ) -> (Sym, Vec<Sym>) {
        let before = self.budget();
        let carry: Vec<Arg> = carry.iter().copied().chain([before]).map(Arg::from).collect();
        let (index, carried) = self.loop_takes(&carry);
        self.code().budget = carried.last().copied();
        let takes = [index].into_iter().chain(carried.iter().copied()).collect();
        let body = self.block(takes, |emit| {
            let (items, carried) = fill(emit, index, &carried[..carried.len() - 1]);
            let budget = emit.budget();
            items.into_iter().chain(carried).chain([budget.into()]).collect()
        });
        let others: Vec<(Ty, Hint)> = carry[..carry.len() - 1].iter().map(|arg| self.code().kind(*arg)).collect();
        let list = [(Ty::Val, Hint::Role("list"))];
        let others: Vec<(Ty, Hint)> = list.into_iter().chain(others).collect();
        let found = self.paid(What::Each { count, carry, of, body }, &others);
        (found[0], found[1..].to_vec())
    }

    /// As [`Emit::each`], of elements that charge nothing.
    fn each_free(&mut self, count: Arg, of: ListId, fill: impl FnOnce(&mut Self, Sym) -> Sym) -> Sym {
        let (index, _) = self.loop_takes(&[]);
        let body = self.block(vec![index], |emit| vec![fill(emit, index).into()]);
        self.role(What::Each { count, carry: Vec::new(), of, body }, Ty::Val, "list")
    }

    /// Runs what `fill` appends `count` times, with the index; only the token is carried.
    fn repeated(&mut self, count: Arg, fill: impl FnOnce(&mut Self, Sym)) {
        let before = self.budget();
        let (index, carried) = self.loop_takes(&[before.into()]);
        self.code().budget = Some(carried[0]);
        let body = self.block(vec![index, carried[0]], |emit| {
            fill(emit, index);
            vec![emit.budget().into()]
        });
        let after = self.code().like(before.into());
        self.code().push(Op { binds: vec![after], what: What::Loop { count, carry: vec![before.into()], body } });
        self.code().budget = Some(after);
    }

    /// Symbols for what a loop's block takes: the index, and what is carried, of the same types.
    fn loop_takes(&mut self, carry: &[Arg]) -> (Sym, Vec<Sym>) {
        let index = self.code().sym(Ty::Size, Hint::Role("index"));
        (index, carry.iter().map(|arg| self.code().like(*arg)).collect())
    }
}

impl Emit for Code {
    fn code(&mut self) -> &mut Code {
        self
    }
}
