//! Ways and loops in functions that read.

use super::body::{number, Body, Pos, Val};
use super::out::anything;
use super::read::Frame;
use crate::py::{binary, call, int, method, name, target, Expr, Stmt, Target};
use aldis_routine::{Arg, Block, Op, Sym, Ty, What};

/// A loop over elements that lie side by side.
struct Walk {
    /// The variable that says where the element is.
    at: String,
    start: Pos,
    times: Expr,
    /// The end of the table of cells, and the variable that says where their targets end: in forms with links.
    behind: Option<Pos>,
    tail: Option<String>,
}

impl Walk {
    fn end(&self) -> Option<Pos> {
        self.tail.clone().map(|base| Pos { base, plus: 0 })
    }
}

impl<'a> Body<'_, 'a> {
    /// A statement with two ways.
    pub(super) fn branch(&mut self, frame: &mut Frame<'a>, op: &'a Op, test: Sym, ways: [&'a Block; 2]) {
        let test = match frame.val(test) {
            Val::Known(known) => {
                let given = self.block(frame, ways[usize::from(known == 0)]);
                return self.bind(frame, op, given);
            }
            test => number(&test),
        };
        // Writers of links write those of empty values too.
        if ways[1].ops.iter().any(|op| matches!(op.what, What::Follow { .. }))
            && is_plain(ways[0])
            && self.is_link(frame, ways[1], &test)
        {
            let given = self.block(frame, ways[1]);
            return self.bind(frame, op, given);
        }
        match test {
            Expr::Not(some) => self.ways(frame, op, vec![(Some(*some), ways[1]), (None, ways[0])]),
            test => self.ways(frame, op, vec![(Some(test), ways[0]), (None, ways[1])]),
        }
    }

    /// Whether a test asks whether that very link is zero which a block follows.
    fn is_link(&self, frame: &Frame<'a>, block: &Block, test: &Expr) -> bool {
        let asked = |offset: &Arg| *test == binary(number(&frame.arg(*offset)), "==", int(0));
        block.ops.iter().any(|op| matches!(&op.what, What::Follow { offset, .. } if asked(offset)))
    }

    pub(super) fn choose(
        &mut self,
        frame: &mut Frame<'a>,
        op: &'a Op,
        on: Arg,
        arms: &'a [(u64, Block)],
        other: &'a Block,
    ) {
        let on = number(&frame.arg(on));
        let arms = arms.iter().map(|(tag, arm)| (Some(binary(on.clone(), "==", int(*tag))), arm));
        self.ways(frame, op, arms.chain([(None, other)]).collect());
    }

    /// Blocks of which one is run, each but the last with a test: what they give becomes variables.
    pub(super) fn ways(&mut self, frame: &mut Frame<'a>, op: &'a Op, ways: Vec<(Option<Expr>, &'a Block)>) {
        let before = self.tail.clone();
        let mut done = Vec::new();
        let mut written = Vec::new();
        for (test, block) in ways {
            self.begin();
            self.tail.clone_from(&before);
            let is_writing = self.is_writing();
            if is_writing {
                self.out.pieces.push(Vec::new());
                self.out.filled.push(Vec::new());
            }
            let mut given = self.block(frame, block);
            if is_writing {
                let added = self.end_way();
                written.push((added, self.out.filled.pop().unwrap_or_default()));
                given.clear();
            }
            done.push((test, given, self.tail.clone(), self.open_lines()));
        }
        let (more, mut written) = self.agreed(written);
        let binds: Vec<Sym> = op.binds.iter().copied().filter(|bind| !frame.ty(*bind).is_state()).collect();
        let names: Vec<String> = binds.iter().map(|bind| self.named(frame.id, *bind)).collect();
        let tail = done.iter().any(|(_, _, tail, _)| *tail != before).then(|| self.fresh("at"));
        let mut blocks = Vec::new();
        for (test, given, own_tail, lines) in done.into_iter().rev() {
            self.reopen(lines);
            for (own, val) in names.iter().zip(&given) {
                let value = self.value(val);
                self.set(own, value);
            }
            if let (Some(tail), Some(own)) = (&tail, own_tail) {
                let value = self.place(&own);
                self.set(tail, value);
            }
            if let Some(lines) = written.pop() {
                lines.into_iter().for_each(|line| self.push(line));
            }
            blocks.push((test, self.finish(None).0));
        }
        if blocks.len() > 2 {
            // Arms of a union have types of their own, of which a checker takes the first one's.
            let values = binds.iter().zip(&names).filter(|(bind, _)| frame.ty(**bind) == Ty::Val);
            values.for_each(|(_, own)| self.push(anything(own, None)));
        }
        tested(blocks).into_iter().for_each(|line| self.push(line));
        self.tail = tail.map(|base| Pos { base, plus: 0 }).or(before);
        if let Some(more) = more {
            self.add_many(more);
        }
        for (bind, own) in binds.into_iter().zip(names) {
            let val = match frame.ty(bind) {
                Ty::Pos => Val::Pos(Pos { base: own, plus: 0 }),
                _ => Val::Is(name(own)),
            };
            frame.set(bind, val);
        }
    }

    /// A loop; gives the list of what its block gives beside what is carried.
    pub(super) fn each(
        &mut self,
        frame: &mut Frame<'a>,
        op: &'a Op,
        (count, carry, block): (Arg, &'a [Arg], &'a Block),
    ) -> Expr {
        let mut carried = carry.iter().filter(|arg| !matches!(arg, Arg::Sym(sym) if frame.ty(*sym).is_state()));
        let mut takes = block.takes[1..].iter().filter(|take| !frame.ty(**take).is_state());
        let (Some(Arg::Sym(from)), Some(take), None) = (carried.next(), takes.next(), takes.next()) else {
            return self.counted_loop(frame, count, block);
        };
        let start = frame.pos(*from);
        let times = number(&frame.arg(count));
        let least = match count {
            Arg::Sym(count) => frame.least.get(&count).copied().unwrap_or(0),
            Arg::Const(_) => 0,
        };
        let at = self.named(frame.id, *take);
        let tail = self.tail.is_some().then(|| self.fresh("end"));
        if tail.is_some() {
            // A table of cells; what they lead to lies behind it.
            let end = self.moved(&start, binary(times.clone(), "*", int(least)));
            self.tail = Some(end);
        }
        let walk = Walk { at, start, times, behind: self.tail.clone(), tail };
        self.begin();
        frame.set(*take, Val::Pos(Pos { base: walk.at.clone(), plus: 0 }));
        self.tail = walk.end();
        let mut given = self.block(frame, block);
        let after = given.pop();
        let items: Vec<Expr> = given.iter().map(|val| self.value(val)).collect();
        self.is_odd |= !self.has_stretch() || items.is_empty();
        let mut last = Vec::new();
        if let (Some(end), Some(own)) = (walk.end(), self.tail.clone()) {
            if own != end {
                last.push(Stmt::Bind(target(end.base), self.place(&own)));
            }
        }
        let after = match after {
            Some(Val::Pos(after)) => after,
            _ => Pos { base: String::new(), plus: 0 },
        };
        let step = if after.base == walk.at { after.plus } else { 0 };
        self.is_odd |= walk.tail.is_some() && step != least as i64;
        let outer = walk.end();
        let (list, behind) = match items.len() {
            1 if step > 0 => self.steps(walk, step, items, last),
            _ => self.moves(walk, &after, items, last),
        };
        self.tail = outer;
        if let Some(bind) = op.binds.iter().filter(|bind| !frame.ty(**bind).is_state()).nth(1) {
            frame.set(*bind, Val::Pos(behind));
        }
        list
    }

    /// Closes a loop whose elements are all of one size; gives the list, and the place behind it.
    fn steps(&mut self, walk: Walk, step: i64, items: Vec<Expr>, last: Vec<Stmt>) -> (Expr, Pos) {
        let once = self.reads_once(&walk.at, step) && !self.is_mentioned(&walk.at);
        let (lines, stretch) = self.finish(once.then_some(&walk.at));
        let end = match &walk.behind {
            Some(end) => end.clone(),
            None => self.moved(&walk.start, binary(walk.times.clone(), "*", int(step))),
        };
        self.before_loop(&walk);
        let (from, to) = (self.place(&walk.start), self.place(&end));
        let (names, all) = match stretch {
            Some(stretch) => self.repeated(&stretch, step, from, to),
            None => (target(walk.at), call("range", vec![from, to, int(step)])),
        };
        (self.gathered([lines, last], items, names, all), end)
    }

    /// Closes a loop whose elements say where the next one begins.
    fn moves(&mut self, walk: Walk, after: &Pos, items: Vec<Expr>, last: Vec<Stmt>) -> (Expr, Pos) {
        let value = self.place(after);
        let list = self.fresh("list");
        self.push(Stmt::Run(added(&list, items)));
        self.set(&walk.at, value);
        last.into_iter().for_each(|line| self.push(line));
        let (lines, _) = self.finish(None);
        self.before_loop(&walk);
        let start = self.place(&walk.start);
        self.set(&walk.at, start);
        self.push(anything(&list, Some(Expr::List(Vec::new()))));
        self.push(Stmt::For { target: target("_"), all: call("range", vec![walk.times]), body: lines });
        (name(list), Pos { base: walk.at, plus: 0 })
    }

    fn before_loop(&mut self, walk: &Walk) {
        if let (Some(tail), Some(behind)) = (&walk.tail, &walk.behind) {
            let value = self.place(behind);
            self.set(tail, value);
        }
    }

    /// The loop over all that gathers the items, in one expression where there is nothing else to do.
    pub(super) fn gathered(
        &mut self,
        [lines, last]: [Vec<Stmt>; 2],
        items: Vec<Expr>,
        names: Target,
        all: Expr,
    ) -> Expr {
        if let (true, 1, Some(item)) = (lines.is_empty() && last.is_empty(), items.len(), items.first()) {
            return name(self.keep("list", Expr::Collect(Box::new(item.clone()), names, Box::new(all))));
        }
        let list = self.fresh("list");
        self.push(anything(&list, Some(Expr::List(Vec::new()))));
        let body = lines.into_iter().chain([Stmt::Run(added(&list, items))]).chain(last).collect();
        self.push(Stmt::For { target: names, all, body });
        name(list)
    }

    /// A loop over an array in a run, or over a list behind a pointer.
    fn counted_loop(&mut self, frame: &mut Frame<'a>, count: Arg, block: &'a Block) -> Expr {
        let is_seated = self.fast.has_segments() && !matches!(count, Arg::Const(_));
        match frame.arg(count) {
            Val::Known(_) => {}
            _ if is_seated => return self.seated_loop(frame, block),
            _ => return self.odd(),
        }
        let times = number(&frame.arg(count));
        let before = self.tail.clone();
        let index = self.fresh("index");
        frame.set(block.takes[0], Val::Is(name(index.as_str())));
        self.begin();
        let given = self.block(frame, block);
        self.is_odd |= self.tail != before;
        let items = given.iter().map(|val| self.value(val)).collect();
        let (lines, _) = self.finish(None);
        self.gathered([lines, Vec::new()], items, target(index), call("range", vec![times]))
    }
}

/// The statements that run one of the blocks, the last of which comes first and has no test.
fn tested(blocks: Vec<(Option<Expr>, Vec<Stmt>)>) -> Vec<Stmt> {
    blocks.into_iter().fold(Vec::new(), |rest, (test, lines)| match test {
        None => lines,
        Some(test) => vec![Stmt::If(test, lines, rest)],
    })
}

/// Whether a block gives constants.
fn is_plain(block: &Block) -> bool {
    block.ops.iter().all(|op| matches!(op.what, What::Literal { .. }))
}

/// The call that adds the items to a list.
fn added(list: &str, mut items: Vec<Expr>) -> Expr {
    match (items.len(), items.pop()) {
        (1, Some(one)) => method(name(list), "append", vec![one]),
        (_, last) => method(name(list), "extend", vec![Expr::Tuple(items.into_iter().chain(last).collect())]),
    }
}
