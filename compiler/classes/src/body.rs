//! A method in the making: its variables and lines.

use crate::kinds::{Kinds, Val};
use crate::names::{fresh, small};
use crate::tree::{binary, int, is_false, is_true, name, plus, Expr, Line, Word};
use aldis_emit::names::{identifier, Scope};
use aldis_routine::{visit, Amount, Arg, Block, Frame, Hint, Module, Op, Place, Purpose, Routine, Sym, Ty, What};
use aldis_schema::TypeId;
use std::collections::{HashMap, HashSet};

/// The state of reading, and of writing, in every method.
pub const IN: &str = "f";
pub const OUT: &str = "o";

/// The object that a record is read into, where such may be used again.
pub const INTO: &str = "into";

/// The value that a method gives where there is none.
pub const OTHER: &str = "other";

/// Symbols that say which segment something is in.
pub const SEGMENT: Hint = Hint::Role("segment");

pub struct Body<'m> {
    pub module: &'m Module,
    pub kinds: &'m Kinds<'m>,
    pub routine: &'m Routine,
    names: Scope<()>,
    /// By symbol: the expression of a number, the value of a value.
    numbers: Vec<Option<Expr>>,
    vals: Vec<Option<Val>>,
    /// By symbol: the value that was before where it goes, null if there was none.
    pub olds: HashMap<Sym, Expr>,
    pub uses: Vec<u32>,
    /// The message has one segment, of which nothing is asked.
    pub is_single: bool,
    /// Fields go into the object as soon as they are read, so that little is between two of them.
    pub is_long: bool,
    /// By symbol: the fields that go into the object, by record and index, and those that went.
    fields: HashMap<Sym, Vec<(TypeId, usize)>>,
    put: HashSet<Sym>,
    /// By the tag of a union that is written: the union, its type, and the symbol of the value that its arm holds.
    pub choices: HashMap<Sym, (Expr, TypeId, Sym)>,
    /// By the place where it begins: a part of the bytes that are written, in a variable of its own.
    pub parts: HashMap<Sym, Expr>,
    /// By the test that a value is null: the value.
    pub nulls: HashMap<Sym, Sym>,
    /// Bytes that are known to be there behind the end of what is written, in the block that is being made.
    pub ready: u64,
    /// How far the end of what is written lies behind the message's first byte, where that is known.
    pub behind_start: Option<u64>,
    /// By the place of a reserve: how far it lies behind the message's first byte.
    pub starts: HashMap<Sym, u64>,
    /// Sizes and counts that are held in an `int`: loops up to a wider number are slower.
    ints: HashSet<Sym>,
    pub lines: Vec<Line>,
}

impl<'m> Body<'m> {
    pub fn new(module: &'m Module, kinds: &'m Kinds<'m>, routine: &'m Routine) -> Self {
        let count = routine.symbols.len();
        let mut uses = vec![0; count];
        let is_read = matches!(routine.purpose, Purpose::Read | Purpose::Check);
        count_uses(&routine.body, is_read, &mut uses);
        Self {
            module,
            kinds,
            routine,
            names: Scope::new([IN, OUT, INTO, OTHER, "fault"].into_iter().chain(kinds.names.packages()), ()),
            numbers: vec![None; count],
            vals: vec![None; count],
            olds: HashMap::new(),
            uses,
            is_single: false,
            is_long: false,
            fields: HashMap::new(),
            put: HashSet::new(),
            choices: HashMap::new(),
            parts: HashMap::new(),
            nulls: HashMap::new(),
            ready: 0,
            behind_start: None,
            starts: HashMap::new(),
            ints: HashSet::new(),
            lines: Vec::new(),
        }
    }

    pub fn ty(&self, sym: Sym) -> Ty {
        self.routine.symbols[sym.0 as usize].ty
    }

    /// Whether a symbol is no value of a method: the state has it.
    pub fn is_token(&self, sym: Sym) -> bool {
        let symbol = &self.routine.symbols[sym.0 as usize];
        self.routine.is_token(sym) || self.is_single && symbol.hint == SEGMENT
    }

    /// The values that a statement's blocks give go where the statement's values go.
    pub fn pass(&mut self, binds: &[Sym], gives: &[Arg]) {
        for (bind, given) in binds.iter().zip(gives) {
            if let (Some(old), Arg::Sym(given)) = (self.olds.get(bind).cloned(), given) {
                self.olds.insert(*given, old);
            }
        }
    }

    /// A long method is to put these fields into its object at once, of which nothing is absent yet.
    pub fn expect_fields(&mut self, record: TypeId, fields: &[Sym]) {
        if self.is_long {
            self.lines.extend(crate::values::all_there(self.kinds, self.module, record, INTO));
            for (index, sym) in fields.iter().enumerate() {
                self.fields.entry(*sym).or_default().push((record, index));
            }
        }
    }

    /// Puts the fields among what an operation binds into their object, where they go there at once.
    pub fn put_fields(&mut self, binds: &[Sym]) {
        for bind in binds {
            if self.fields.contains_key(bind) {
                let val = self.val(*bind);
                self.put_val(*bind, &val);
                self.was_put(*bind);
            }
        }
    }

    /// Whether a value goes into the method's object as soon as it is read, and nowhere else.
    pub fn goes_at_once(&self, bind: Sym) -> bool {
        self.uses[bind.0 as usize] == 1 && self.fields.contains_key(&bind)
    }

    /// Puts a value into those fields of the method's object that it is for.
    pub fn put_val(&mut self, bind: Sym, val: &Val) {
        let fields = self.fields.get(&bind).into_iter().flatten();
        let put =
            fields.flat_map(|field| crate::values::put(self.kinds, self.module, *field, INTO, (val.clone(), false)));
        self.lines.extend(put);
    }

    /// A value is in the method's object, on all ways.
    pub fn was_put(&mut self, bind: Sym) {
        if self.fields.remove(&bind).is_some() {
            self.put.insert(bind);
        }
    }

    /// Whether the method's object has a field's value already.
    pub fn has_put(&self, field: Sym) -> bool {
        self.put.contains(&field)
    }

    /// Whether the method ends with an operation, and gives a place that it binds, which nothing else asks for.
    pub fn is_end(&self, op: &Op, bind: Sym) -> bool {
        let is_last = self.routine.body.ops.last().is_some_and(|last| std::ptr::eq(last, op));
        is_last && self.uses[bind.0 as usize] == 1 && self.routine.body.gives.contains(&Arg::Sym(bind))
    }

    /// Whether the method makes no values.
    pub fn checks(&self) -> bool {
        self.routine.purpose == Purpose::Check
    }

    pub fn is_val(&self, sym: Sym) -> bool {
        matches!(self.ty(sym), Ty::Val | Ty::Given)
    }

    /// The type of a number.
    pub fn number_type(&self, sym: Sym) -> &'static str {
        match self.ty(sym) {
            Ty::Pos => "int",
            _ if self.ints.contains(&sym) => "int",
            Ty::Bool => self.kinds.dialect.flag(),
            _ => "long",
        }
    }

    /// A name for a variable, which begins with a small letter: no class does.
    pub fn name(&mut self, wanted: &str) -> String {
        fresh(&mut self.names, &small(wanted), self.kinds.dialect.words())
    }

    /// A variable for a symbol.
    pub fn fresh(&mut self, sym: Sym) -> String {
        self.name(&identifier(self.module.hint(self.routine, sym)))
    }

    pub fn sym(&self, sym: Sym) -> Expr {
        self.numbers[sym.0 as usize].clone().unwrap_or_else(|| int(0))
    }

    pub fn arg(&self, arg: Arg) -> Expr {
        match arg {
            Arg::Sym(sym) => self.sym(sym),
            Arg::Const(number) => match i64::try_from(number) {
                Err(_) => Expr::Endless,
                Ok(number) if i32::try_from(number).is_ok() => int(number),
                Ok(number) => Expr::Long(number.into()),
            },
        }
    }

    /// An operand as a place or a distance.
    pub fn short(&self, arg: Arg) -> Expr {
        let is_wide = matches!(arg, Arg::Sym(sym) if self.number_type(sym) == "long");
        match self.arg(arg) {
            known @ Expr::Int(_) => known,
            wide if is_wide => narrow(wide),
            known => known,
        }
    }

    pub fn place(&self, place: Place) -> Expr {
        plus(self.sym(place.base), place.plus)
    }

    pub fn val(&self, sym: Sym) -> Val {
        self.vals[sym.0 as usize].clone().unwrap_or_else(|| unreachable!("a value that nothing binds"))
    }

    pub fn bind(&mut self, sym: Sym, val: Val) {
        self.vals[sym.0 as usize] = Some(val);
    }

    /// A symbol stands for a number without effects: in its one place, or as a variable.
    pub fn set(&mut self, sym: Sym, value: Expr) {
        match (self.uses[sym.0 as usize], &value) {
            (0, _) | (_, Expr::Name(_) | Expr::Int(_) | Expr::Endless) => self.numbers[sym.0 as usize] = Some(value),
            (1, Expr::Binary(..) | Expr::Run(..)) if is_pure(&value) => self.numbers[sym.0 as usize] = Some(value),
            _ => self.keep(sym, value),
        }
    }

    /// A symbol is this expression wherever it stands.
    pub fn is(&mut self, sym: Sym, value: Expr) {
        self.numbers[sym.0 as usize] = Some(value);
    }

    /// A variable that is what the expression is now.
    pub fn keep(&mut self, sym: Sym, value: Expr) {
        let own = self.fresh(sym);
        self.lines.push(Line::Declare(self.number_type(sym).to_owned(), own.clone(), Some(value)));
        self.is(sym, name(own));
    }

    /// The same of a size or count that an `int` holds.
    pub fn keep_int(&mut self, sym: Sym, value: Expr) {
        self.ints.insert(sym);
        self.keep(sym, value);
    }

    /// A variable for a number.
    pub fn constant(&mut self, ty: &str, wanted: &str, value: Expr) -> Expr {
        if let Expr::Name(_) | Expr::Int(_) | Expr::Endless = value {
            return value;
        }
        let own = self.name(wanted);
        self.lines.push(Line::Declare(ty.to_owned(), own.clone(), Some(value)));
        name(own)
    }

    /// A value in a variable, called after its symbol.
    pub fn keep_val(&mut self, sym: Sym, mut val: Val) {
        if let Expr::Name(_) | Expr::Int(_) | Expr::Long(_) | Expr::Endless = val.expr {
            return self.bind(sym, val);
        }
        let own = self.fresh(sym);
        self.lines.push(Line::Declare(self.kinds.local(&val.ty), own.clone(), Some(val.expr)));
        val.expr = name(own);
        self.bind(sym, val);
    }

    /// The lines that `make` appends.
    pub fn apart<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (Vec<Line>, T) {
        let outer = std::mem::take(&mut self.lines);
        let made = make(self);
        (std::mem::replace(&mut self.lines, outer), made)
    }

    /// Does what is done where a value is known to be no null, so that this is not tested again.
    pub fn where_given(&mut self, sym: Sym, make: impl FnOnce(&mut Self)) {
        let val = self.val(sym);
        let absent = self.kinds.primitive(&val.ty).is_none().then(|| crate::tree::truth(false));
        self.bind(sym, Val { absent, ..val.clone() });
        make(self);
        self.bind(sym, val);
    }

    /// A method of the state, for its effects.
    pub fn act(&mut self, method: impl Into<Word>, args: Vec<Expr>) {
        self.lines.push(Line::Do(state(method, args)));
    }

    pub fn amount(&self, amount: &Amount) -> Vec<Expr> {
        match (amount.times, amount.each) {
            (Arg::Const(1), each) => vec![self.arg(each)],
            (times, Arg::Const(1)) => vec![self.arg(times)],
            (times, each) => vec![self.arg(times), self.arg(each)],
        }
    }

    /// The values that a statement binds are those that its block gives.
    pub fn alias(&mut self, op: &Op, inner: &Block) {
        for (bind, given) in op.binds.iter().zip(&inner.gives) {
            match given {
                Arg::Sym(given) if self.is_val(*given) => self.bind(*bind, self.val(*given)),
                Arg::Sym(given) if self.is_token(*given) => {}
                given => self.is(*bind, self.arg(*given)),
            }
        }
    }

    /// Variables for what a statement binds, each set by the ways that lead behind it: `ways` are their lines with what their
    /// blocks give.
    pub fn join(&mut self, binds: &[Sym], ways: &mut [(Vec<Line>, Vec<Joined>)]) {
        for (index, bind) in binds.iter().enumerate().filter(|(_, bind)| !self.is_token(**bind)).collect::<Vec<_>>() {
            let own = self.fresh(*bind);
            if !self.is_val(*bind) {
                self.lines.push(Line::Declare(self.number_type(*bind).to_owned(), own.clone(), None));
                for (lines, gives) in ways.iter_mut() {
                    let Joined::Number(number) = &gives[index] else { continue };
                    lines.push(Line::Assign(name(own.as_str()), "=", number.clone()));
                }
                self.is(*bind, name(own));
                continue;
            }
            let vals: Vec<Val> = ways.iter().map(|(_, gives)| gives[index].val()).collect();
            let ty = vals.iter().find(|val| val.expr != name("null")).unwrap_or(&vals[0]).ty.clone();
            self.lines.push(Line::Declare(self.kinds.local(&ty), own.clone(), None));
            let is_number = self.kinds.primitive(&ty).is_some();
            let absent = (is_number && vals.iter().any(|val| val.absent.as_ref().is_some_and(|test| !is_false(test))))
                .then(|| self.name(&format!("{own}Absent")));
            if let Some(absent) = &absent {
                self.lines.push(Line::Declare(self.kinds.dialect.flag().to_owned(), absent.clone(), None));
            }
            for ((lines, _), mut val) in ways.iter_mut().zip(vals) {
                if let (Some(primitive), true) = (self.kinds.primitive(&ty), val.expr == name("null")) {
                    val.expr = self.kinds.dialect.zero(primitive);
                }
                lines.push(Line::Assign(name(own.as_str()), "=", val.expr));
                if let Some(absent) = &absent {
                    let test = val.absent.unwrap_or_else(|| crate::tree::truth(false));
                    lines.push(Line::Assign(name(absent.as_str()), "=", test));
                }
            }
            let absent = match absent {
                Some(absent) => Some(name(absent)),
                None if is_number => None,
                None => Some(binary(name(own.as_str()), "==", name("null"))),
            };
            self.bind(*bind, Val { expr: name(own), ty, absent });
        }
    }

    /// The statement that takes the way of a tag.
    pub fn switched(&mut self, tag: Expr, arms: &[(u64, Block)], ways: Vec<(Vec<Line>, Vec<Joined>)>) {
        let mut ways = ways.into_iter().map(|(lines, _)| lines);
        let arms: Vec<_> = arms.iter().zip(&mut ways).map(|((tag, _), lines)| (int(*tag), lines)).collect();
        let other = ways.next().unwrap_or_default();
        if arms.iter().any(|(_, lines)| !lines.is_empty()) || !other.is_empty() {
            self.lines.push(Line::Switch(tag, arms, other));
        }
    }

    pub fn joined(&self, gives: &[Arg]) -> Vec<Joined> {
        let joined = |arg: &Arg| match arg {
            Arg::Sym(sym) if self.is_val(*sym) => Joined::Val(self.val(*sym)),
            Arg::Sym(sym) if self.is_token(*sym) => Joined::Token,
            arg => Joined::Number(self.arg(*arg)),
        };
        gives.iter().map(joined).collect()
    }

    /// Variables for what a loop carries from turn to turn, by the order in which its block takes them, behind that of the turn.
    pub fn carried(&mut self, carry: &[Arg], inner: &Block) -> (String, Vec<String>) {
        let mut nexts = Vec::new();
        for (arg, take) in carry.iter().zip(&inner.takes[1..]) {
            if self.is_token(*take) {
                continue;
            }
            let next = self.name("next");
            let value = self.arg(*arg);
            self.lines.push(Line::Declare(self.number_type(*take).to_owned(), next.clone(), Some(value)));
            self.is(*take, name(next.as_str()));
            nexts.push(next);
        }
        let turn = self.fresh(inner.takes[0]);
        self.is(inner.takes[0], name(turn.as_str()));
        (turn, nexts)
    }

    /// The lines at the end of a turn: the variables become what its block gives.
    pub fn advanced(nexts: &[String], given: Vec<Joined>) -> Vec<Line> {
        let given = given.into_iter().filter_map(|given| match given {
            Joined::Number(number) => Some(number),
            _ => None,
        });
        let moved = nexts.iter().zip(given).filter(|(next, value)| *value != name(next.as_str()));
        moved.map(|(next, value)| Line::Assign(name(next.as_str()), "=", value)).collect()
    }

    /// Behind a loop, what it carried is in its variables.
    pub fn behind(&mut self, binds: &[Sym], nexts: Vec<String>) {
        let carried: Vec<Sym> = binds.iter().filter(|bind| !self.is_token(**bind)).copied().collect();
        for (bind, next) in carried.into_iter().zip(nexts) {
            self.is(bind, name(next));
        }
    }

    /// Lines whose faults have a frame put before their path.
    pub fn framed(&mut self, op: &Op, frame: Frame, gives: &[Arg], lines: Vec<Line>) {
        let step = match frame {
            Frame::Field(field) => crate::tree::string(self.module[field].as_str()),
            Frame::Element(index) => self.sym(index),
        };
        let mut ways = [(lines, self.joined(gives))];
        self.join(&op.binds, &mut ways);
        let [(lines, _)] = ways;
        self.lines.push(Line::Framed(lines, step));
    }

    /// A test, or the one way where the other is never taken.
    pub fn test(&mut self, test: Expr, then: Vec<Line>, other: Vec<Line>) {
        match (then.is_empty(), other.is_empty()) {
            (true, true) => {}
            _ if is_true(&test) => self.lines.extend(then),
            _ if is_false(&test) => self.lines.extend(other),
            (true, false) => self.lines.push(Line::If(crate::tree::not(test), other, then)),
            _ => self.lines.push(Line::If(test, then, other)),
        }
    }
}

/// The values that a way gives.
#[derive(Clone, Debug)]
pub enum Joined {
    Token,
    Number(Expr),
    Val(Val),
}

impl Joined {
    pub fn val(&self) -> Val {
        match self {
            Joined::Val(val) => val.clone(),
            _ => unreachable!("a value is given where one is bound"),
        }
    }
}

/// `f.method(…)`
pub fn state(method: impl Into<Word>, args: Vec<Expr>) -> Expr {
    crate::tree::call(name(IN), method, args)
}

/// A number that is known to fit an `int`, as one.
pub fn narrow(number: Expr) -> Expr {
    match is_int(&number) {
        true => number,
        false => crate::tree::cast("int", number),
    }
}

/// Whether an expression is an `int` of itself: loads of two bytes or one, and what is made of them.
fn is_int(tree: &Expr) -> bool {
    match tree {
        Expr::Int(_) => true,
        Expr::Run(Word::Runtime(function), _) => function.starts_with("Wire.u16"),
        Expr::Binary("&", _, mask) => is_int(mask),
        Expr::Binary("+" | "*", left, right) => is_int(left) && is_int(right),
        _ => false,
    }
}

/// Sums and comparisons of what never changes.
fn is_pure(tree: &Expr) -> bool {
    match tree {
        Expr::Name(_) | Expr::Int(_) | Expr::Long(_) | Expr::Endless => true,
        Expr::Binary(_, left, right) => is_pure(left) && is_pure(right),
        Expr::Cast(_, inner) | Expr::Not(inner) => is_pure(inner),
        // Loads, of bytes that never change.
        Expr::Run(Word::Runtime(function), _) => function.starts_with("Wire."),
        _ => false,
    }
}

fn count_uses(block: &Block, is_read: bool, uses: &mut [u32]) {
    visit::gives(block).for_each(|sym| uses[sym.0 as usize] += 1);
    for op in &block.ops {
        // A writer has no use for the place of a level: its faults have none.
        if is_read || !matches!(op.what, What::Level { .. }) {
            visit::operands(&op.what, &mut |sym| uses[sym.0 as usize] += 1);
        }
        // A fault's path names the index of every turn.
        if let What::Within { frame: Frame::Element(index), .. } = &op.what {
            uses[index.0 as usize] += 1;
        }
        visit::blocks(&op.what).into_iter().for_each(|block| count_uses(block, is_read, uses));
    }
}
