//! A function in the making: its variables, and the checks that it makes before it reads.

use crate::js::{binary, call, constant, either, int, name, not, Expr, Line, FRAME};
use crate::read::Scope;
use crate::uses::count_uses;
use aldis_emit::names::{identifier, Scope as Names};
use aldis_routine::{Amount, Arg, Block, Module, Op, Place, Sym, What};
use std::collections::HashMap;

/// A function in the making.
pub(crate) struct Body<'m> {
    module: &'m Module,
    pub scope: Scope<'m>,
    /// Names of its variables. They begin with `$`, which no name of a module's top does.
    names: Names<()>,
    /// By symbol: what stands for it.
    pub exprs: Vec<Option<Expr>>,
    uses: Vec<u32>,
    /// The charge that was not paid yet.
    owed: Option<Expr>,
    pub lines: Vec<Line>,
    /// It counts the levels of records.
    pub counts_levels: bool,
    /// By what a pointer leads to: its place, and its two halves.
    pub aims: HashMap<Sym, Vec<Expr>>,
    /// By test: what it asks about, a number for zero, or a value for null.
    pub tests: HashMap<Sym, Sym>,
    /// The symbols for which such a test fails here.
    pub ruled_out: Vec<Sym>,
}

impl<'m> Body<'m> {
    /// A function without lines; of each symbol it is known how often it is used.
    pub fn new(module: &'m Module, scope: Scope<'m>, uses: Vec<u32>) -> Self {
        let exprs = vec![None; uses.len()];
        Self {
            module,
            scope,
            names: Names::new([], ()),
            exprs,
            uses,
            owed: None,
            lines: Vec::new(),
            counts_levels: true,
            aims: HashMap::new(),
            tests: HashMap::new(),
            ruled_out: Vec::new(),
        }
    }

    pub fn name(&mut self, wanted: &str) -> String {
        self.names.fresh(&format!("${wanted}"), ())
    }

    /// A variable for a symbol.
    pub fn fresh(&mut self, sym: Sym) -> String {
        let own = self.name(&identifier(self.module.hint(self.scope.routine, sym)));
        self.exprs[sym.0 as usize] = Some(name(own.as_str()));
        own
    }

    pub fn sym(&self, sym: Sym) -> Expr {
        self.exprs[sym.0 as usize].clone().unwrap_or_else(|| name("undefined"))
    }

    pub fn arg(&self, arg: Arg) -> Expr {
        match arg {
            Arg::Sym(sym) => self.sym(sym),
            Arg::Const(u64::MAX) => name("Infinity"),
            Arg::Const(number) => int(number),
        }
    }

    pub fn is_token(&self, arg: &Arg) -> bool {
        matches!(arg, Arg::Sym(sym) if self.scope.routine.is_token(*sym))
    }

    /// A symbol stands for an expression without effects: in its one place, or as a variable.
    pub fn set(&mut self, sym: Sym, value: Expr) {
        match (self.uses[sym.0 as usize], &value) {
            (0 | 1, _) | (_, Expr::Name(_) | Expr::Int(_)) => self.exprs[sym.0 as usize] = Some(value),
            _ => self.keep(sym, value),
        }
    }

    /// A variable that is what the expression is now.
    pub fn keep(&mut self, sym: Sym, value: Expr) {
        let own = self.fresh(sym);
        self.lines.push(constant(own, value));
    }

    /// The values that a loop's block uses are found out before the loop.
    pub fn keep_outside(&mut self, inner: &Block) {
        let mut within = vec![0; self.uses.len()];
        count_uses(inner, &mut within);
        for sym in (0..).map(Sym).take(within.len()).filter(|sym| within[sym.0 as usize] > 0) {
            match self.exprs[sym.0 as usize].clone() {
                None | Some(Expr::Name(_) | Expr::Int(_)) => {}
                Some(value) => self.keep(sym, value),
            }
        }
    }

    /// Behind a test that failed, some symbol is known not to be zero or null. Gives how many were known before.
    pub fn rule_out(&mut self, test: Sym) -> usize {
        let before = self.ruled_out.len();
        self.ruled_out.extend(self.tests.get(&test));
        before
    }

    /// The one way where a test holds, the other where it does not.
    pub fn branch(&mut self, test: Sym, then: Vec<Line>, other: Vec<Line>) {
        let test = self.sym(test);
        match (then.is_empty(), other.is_empty()) {
            (true, true) => {}
            (true, false) => self.lines.push(Line::If(not(test), other, then)),
            _ => self.lines.push(Line::If(test, then, other)),
        }
    }

    pub fn is_used(&self, sym: Sym) -> bool {
        self.uses[sym.0 as usize] > 0
    }

    pub fn place(&self, place: Place) -> Expr {
        plus(&self.sym(place.base), place.plus)
    }

    pub fn keep_used(&mut self, sym: Sym, value: Expr) {
        if self.is_used(sym) {
            self.keep(sym, value);
        }
    }

    pub fn constant(&mut self, wanted: &str, value: Expr) -> Expr {
        if let Expr::Name(_) | Expr::Int(_) = value {
            return value;
        }
        let own = self.name(wanted);
        self.lines.push(constant(own.clone(), value));
        name(own)
    }

    /// The values that a statement binds are those that its block gives.
    pub fn alias(&mut self, op: &Op, inner: &Block) {
        for (bind, given) in op.binds.iter().zip(&inner.gives) {
            self.exprs[bind.0 as usize] = Some(self.arg(*given));
        }
    }

    pub fn frame_call(&self, function: &str, args: Vec<Expr>) -> Expr {
        call(function, [name(FRAME)].into_iter().chain(args).collect())
    }

    pub fn run(&mut self, function: &str, args: Vec<Expr>) {
        let run = self.frame_call(function, args);
        self.lines.push(Line::Do(run));
    }

    /// So many bytes are there.
    pub fn need(&mut self, at: Expr, size: Expr) {
        let end = name(format!("{FRAME}.end"));
        self.refuse_if(match size {
            Expr::Int(0) => binary(at, ">", end),
            size => binary(binary(end, "-", at), "<", size),
        });
    }

    /// Charges are paid together: whichever is too much, the message is refused.
    pub fn charge(&mut self, amount: Expr) {
        self.owed = Some(match (self.owed.take(), amount) {
            (None, amount) => amount,
            (Some(Expr::Int(a)), Expr::Int(b)) => int(a + b),
            (Some(before), amount) => binary(before, "+", amount),
        });
    }

    /// Pays what was charged: where ways part, and before what may take long.
    pub fn pay(&mut self) {
        if let Some(owed) = self.owed.take() {
            let left = binary(name(format!("{FRAME}.left")), "-=", owed);
            self.refuse_if(binary(left, "<", int(0)));
        }
    }

    pub fn extra(&mut self, amount: Expr) {
        self.charge(either(name(format!("{FRAME}.surcharge")), amount, int(0)));
    }

    pub fn refuse_if(&mut self, test: Expr) {
        self.lines.push(Line::If(test, vec![Line::Do(call("r.refuse", Vec::new()))], Vec::new()));
    }

    /// The operations that check a value and bind it.
    pub fn guard(&mut self, op: &Op) {
        match &op.what {
            What::Need { at, size, .. } => {
                self.need(self.sym(*at), self.arg(*size));
                self.exprs[op.binds[0].0 as usize] = Some(self.arg(*size));
            }
            What::Least { size, least, .. } => {
                let size = self.arg(*size);
                self.refuse_if(binary(size.clone(), "<", int(*least)));
                self.exprs[op.binds[0].0 as usize] = Some(size);
            }
            What::Expect { have, want, .. } => self.refuse_if(binary(self.arg(*have), "!==", int(*want))),
            What::Fit { count, least, at, .. } => {
                let count = self.constant("count", self.arg(*count));
                let size = match self.arg(*least) {
                    Expr::Int(1) => count.clone(),
                    least => binary(count.clone(), "*", least),
                };
                self.need(self.sym(*at), size);
                self.exprs[op.binds[0].0 as usize] = Some(count);
            }
            What::Follow { .. } => {
                self.follow(op);
                self.need(self.sym(op.binds[0]), int(0));
            }
            What::Root { offset, start } => {
                let target = binary(self.sym(*start), "+", self.arg(*offset));
                self.keep(op.binds[0], target);
                self.need(self.sym(op.binds[0]), int(0));
            }
            What::Bound { size, head, .. } => self.run("r.bound", vec![self.arg(*size), int(*head)]),
            What::Same { size, end, .. } => {
                let taken = binary(self.sym(*end), "-", name(format!("{FRAME}.start")));
                self.refuse_if(binary(self.arg(*size), "!==", taken));
            }
            What::Refuse { .. } => self.lines.push(Line::Do(call("r.refuse", Vec::new()))),
            What::Charge { amount, .. } => {
                let amount = self.amount(amount);
                self.charge(amount);
            }
            What::Extra { amount, .. } => {
                let amount = self.amount(amount);
                self.extra(amount);
            }
            What::Unpaid { from, at, amount, .. } => {
                let pay = Line::Do(self.frame_call("r.charge", vec![int(*amount)]));
                let empty = binary(self.sym(*from), "===", self.sym(*at));
                self.lines.push(Line::If(empty, vec![pay], Vec::new()));
            }
            what => unreachable!("only expansions have {what:?}"),
        }
    }

    /// The target of a link, which may be behind the end.
    pub fn follow(&mut self, op: &Op) {
        let What::Follow { base, offset, .. } = op.what else { return };
        let known = matches!(offset, Arg::Sym(sym) if self.ruled_out.contains(&sym));
        let offset = self.constant("offset", self.arg(offset));
        if !known {
            self.refuse_if(binary(offset.clone(), "===", int(0)));
        }
        let target = binary(self.sym(base), "+", offset);
        self.keep(op.binds[0], target);
    }

    pub fn amount(&self, amount: &Amount) -> Expr {
        match (amount.times, amount.each) {
            (Arg::Const(1), each) => self.arg(each),
            (times, Arg::Const(1)) => self.arg(times),
            (times, each) => binary(self.arg(times), "*", self.arg(each)),
        }
    }
}

pub(crate) fn plus(base: &Expr, bytes: u32) -> Expr {
    match bytes {
        0 => base.clone(),
        _ => binary(base.clone(), "+", int(bytes)),
    }
}
