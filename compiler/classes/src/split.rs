//! Long methods in parts: virtual machines interpret what is too long for their compilers, or do not take it at all.

use crate::kinds::dialect::Dialect;
use crate::tree::{name, run, Expr, Line, Member, Word};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The bytes of bytecode, as [`weight`] guesses them, from which on a method is made of parts, and of a part.
const MOST: usize = 5_000;
const PART: usize = 2_500;

/// A method of a class of codecs: who may call it, its name, what it gives, its state, and parameters by type and name.
pub struct Method<'m> {
    pub access: &'m str,
    pub name: String,
    pub gives: &'m str,
    pub state: (&'m str, &'m str),
    pub params: Vec<(String, String)>,
}

/// Whether a method with these lines is too long.
pub fn is_long(lines: &[Line]) -> bool {
    weight(lines) > MOST
}

impl Method<'_> {
    /// The method with these lines, and before it the parts that it is made of where it is too long.
    pub fn members(&self, dialect: &dyn Dialect, lines: Vec<Line>) -> Vec<Member> {
        if !is_long(&lines) {
            return vec![self.member(dialect, (&self.name, self.gives), &self.params, lines)];
        }
        let mut parts = Vec::new();
        let mut own = lines;
        // Lines out of which parts were taken are short enough for parts themselves.
        loop {
            let before = parts.len();
            let mut known = Known::default();
            self.params.iter().for_each(|(ty, var)| known.add(ty, var));
            own = self.shortened((dialect, &mut parts), &own, known);
            if !is_long(&own) || parts.len() == before {
                break;
            }
        }
        parts.push(self.member(dialect, (&self.name, self.gives), &self.params, own));
        parts
    }

    /// The same lines with calls in the place of what became parts; `known` are the variables from before them.
    fn shortened<'l>(
        &self,
        (dialect, parts): (&dyn Dialect, &mut Vec<Member>),
        lines: &'l [Line],
        mut known: Known<'l>,
    ) -> Vec<Line> {
        let mut own = Vec::new();
        let uses = Uses::of(lines);
        let mut first = 0;
        while let Some(line) = lines.get(first) {
            let part = uses.part(first, &known);
            let is_one = part.is_none_or(|(count, _)| count == 1);
            let opened = (is_one && uses.lines[first].weight > MOST)
                .then(|| self.opened((dialect, parts), line, &known))
                .flatten();
            let Some((count, given)) = part else {
                if let Line::Declare(ty, var, _) = line {
                    known.add(ty, var);
                }
                own.push(opened.unwrap_or_else(|| line.clone()));
                first += 1;
                continue;
            };
            let params = known.among(&uses.lines[first..first + count]);
            let called = format!("{}Part{}", self.name, parts.len());
            let args = params.iter().map(|(_, var)| name(var.as_str()));
            let args = [dialect.state(self.state.1)].into_iter().chain(args).collect();
            let call = run(Word::Own(called.clone()), args);
            let mut body = opened.map_or_else(|| lines[first..first + count].to_vec(), |line| vec![line]);
            let gives = match given {
                None => {
                    own.push(Line::Do(call));
                    "void"
                }
                Some((ty, var)) => {
                    body.push(Line::Return(name(var)));
                    own.push(Line::Declare(ty.to_owned(), var.to_owned(), Some(call)));
                    known.add(ty, var);
                    ty
                }
            };
            parts.push(self.member(dialect, (&called, gives), &params, body));
            first += count;
        }
        own
    }

    /// A branch or a frame around shorter lines; loops and switches stay whole.
    fn opened(
        &self,
        (dialect, parts): (&dyn Dialect, &mut Vec<Member>),
        line: &Line,
        known: &Known<'_>,
    ) -> Option<Line> {
        let mut within = |lines: &[Line]| self.shortened((dialect, parts), lines, known.clone());
        match line {
            Line::Framed(lines, step) => Some(Line::Framed(within(lines), step.clone())),
            Line::If(test, then, other) => Some(Line::If(test.clone(), within(then), within(other))),
            _ => None,
        }
    }

    pub(crate) fn member(
        &self,
        dialect: &dyn Dialect,
        (own, gives): (&str, &str),
        params: &[(String, String)],
        body: Vec<Line>,
    ) -> Member {
        let params: Vec<String> = params.iter().map(|(ty, var)| format!("{ty} {var}")).collect();
        Member::Method { doc: String::new(), head: dialect.head(self.access, gives, own, self.state, &params), body }
    }
}

/// The variables that a method knows by now, with their types.
#[derive(Clone, Default)]
struct Known<'l> {
    all: Vec<(&'l str, &'l str)>,
    by_name: HashMap<&'l str, usize>,
}

impl<'l> Known<'l> {
    fn add(&mut self, ty: &'l str, var: &'l str) {
        self.by_name.insert(var, self.all.len());
        self.all.push((ty, var));
    }

    /// The known variables that lines use, by type and name.
    fn among(&self, lines: &[LineUses<'_>]) -> Vec<(String, String)> {
        let used: BTreeSet<usize> =
            lines.iter().flat_map(|line| &line.used).filter_map(|var| self.index(var)).collect();
        used.into_iter().map(|index| (self.all[index].0.to_owned(), self.all[index].1.to_owned())).collect()
    }

    fn index(&self, var: &str) -> Option<usize> {
        self.by_name.get(var).copied()
    }
}

/// The variables that lines declare, set and use; each line is looked at once.
struct Uses<'l> {
    lines: Vec<LineUses<'l>>,
    /// By variable: the line where it is declared, and the last one that names it.
    declared: HashMap<&'l str, usize>,
    last: HashMap<&'l str, usize>,
}

struct LineUses<'l> {
    weight: usize,
    gives: bool,
    /// The variable that it declares, by type and name.
    declares: Option<(&'l str, &'l str)>,
    sets: Vec<&'l str>,
    used: HashSet<&'l str>,
}

impl<'l> Uses<'l> {
    fn of(lines: &'l [Line]) -> Self {
        let mut uses = Self { lines: Vec::new(), declared: HashMap::new(), last: HashMap::new() };
        for (index, line) in lines.iter().enumerate() {
            let mut set = HashSet::new();
            sets(line, &mut set);
            let mut declares = None;
            if let Line::Declare(ty, var, value) = line {
                declares = Some((ty.as_str(), var.as_str()));
                uses.declared.insert(var, index);
                set.extend(value.is_some().then_some(var.as_str()));
            }
            let line = std::slice::from_ref(line);
            let used = used(line);
            uses.last.extend(used.iter().map(|var| (*var, index)));
            let gives = matches!(line, [Line::Return(_)]);
            uses.lines.push(LineUses { weight: weight(line), gives, declares, sets: set.into_iter().collect(), used });
        }
        uses
    }

    /// The number of the lines from `first` on that can be a method of their own, and the one variable of theirs that is used behind
    /// them, by type and name: they set no variable from before them.
    fn part(&self, first: usize, known: &Known<'_>) -> Option<(usize, Option<(&'l str, &'l str)>)> {
        let mut bytes = 0;
        // Those declared from `first` on that are used later.
        let mut later = 0;
        let mut set: HashSet<&str> = HashSet::new();
        for (index, line) in self.lines.iter().enumerate().skip(first) {
            let is_alone = index > first && line.weight > MOST;
            if line.gives || is_alone || bytes > MOST || line.sets.iter().any(|var| known.by_name.contains_key(var)) {
                return None;
            }
            bytes += line.weight;
            set.extend(&line.sets);
            later += usize::from(line.declares.is_some_and(|(_, var)| self.is_later(var, index)));
            let is_over = |var: &&&str| {
                self.last[**var] == index && self.declared.get(**var).is_some_and(|at| (first..index).contains(at))
            };
            later -= line.used.iter().filter(is_over).count();
            if bytes < PART || later > 1 {
                continue;
            }
            let declared = self.lines[first..=index].iter().filter_map(|line| line.declares);
            match declared.into_iter().find(|(_, var)| self.is_later(var, index)) {
                None => return Some((index + 1 - first, None)),
                Some(one) if set.contains(one.1) => return Some((index + 1 - first, Some(one))),
                _ => {}
            }
        }
        None
    }

    fn is_later(&self, var: &str, index: usize) -> bool {
        self.last.get(var).is_some_and(|last| *last > index)
    }
}

/// The variables that are set in a line, but where they are declared.
fn sets<'l>(line: &'l Line, found: &mut HashSet<&'l str>) {
    if let Line::Assign(Expr::Name(var), ..) | Line::Step(Expr::Name(var)) = line {
        found.insert(var);
    }
    inner(line).into_iter().flatten().for_each(|line| sets(line, found));
}

/// All names in lines.
fn used(lines: &[Line]) -> HashSet<&str> {
    let mut found = HashSet::new();
    walk(lines, &mut |expr| {
        if let Expr::Name(var) = expr {
            found.insert(var.as_str());
        }
    });
    found
}

/// The lines within a line.
fn inner(line: &Line) -> Vec<&[Line]> {
    match line {
        Line::If(_, then, other) => vec![then, other],
        Line::For(_, _, body) | Line::Framed(body, _) | Line::Attempt(body) => vec![body],
        Line::Switch(_, arms, other) => {
            arms.iter().map(|(_, lines)| lines.as_slice()).chain([other.as_slice()]).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether lines put steps before the paths of faults.
pub(crate) fn is_framed(lines: &[Line]) -> bool {
    lines.iter().any(|line| matches!(line, Line::Framed(..)) || inner(line).into_iter().any(is_framed))
}

/// All expressions of lines.
pub(crate) fn walk<'l>(lines: &'l [Line], see: &mut dyn FnMut(&'l Expr)) {
    for line in lines {
        match line {
            Line::Declare(_, _, None) | Line::Attempt(_) => {}
            Line::Declare(_, _, Some(expr))
            | Line::Do(expr)
            | Line::Step(expr)
            | Line::Return(expr)
            | Line::Throw(expr) => {
                parts_of(expr, see);
            }
            Line::Assign(to, _, value) => [to, value].into_iter().for_each(|expr| parts_of(expr, see)),
            Line::If(expr, ..) | Line::For(_, expr, _) | Line::Framed(_, expr) => parts_of(expr, see),
            Line::Switch(on, arms, _) => {
                arms.iter().map(|(tag, _)| tag).chain([on]).for_each(|expr| parts_of(expr, see));
            }
        }
        inner(line).into_iter().for_each(|lines| walk(lines, see));
    }
}

/// An expression and all within it.
pub(crate) fn parts_of<'l>(expr: &'l Expr, see: &mut dyn FnMut(&'l Expr)) {
    see(expr);
    match expr {
        Expr::Call(of, _, args) | Expr::Apply(of, args) => {
            parts_of(of, see);
            args.iter().for_each(|arg| parts_of(arg, see));
        }
        Expr::Run(_, args) | Expr::New(_, args) | Expr::Array(_, args) | Expr::List(args) => {
            args.iter().for_each(|arg| parts_of(arg, see));
        }
        Expr::Object(members) => members.iter().for_each(|(_, value)| parts_of(value, see)),
        Expr::Binary(_, left, right) | Expr::Index(left, right) => {
            [left, right].into_iter().for_each(|side| parts_of(side, see));
        }
        Expr::Choose(test, then, other) => [test, then, other].into_iter().for_each(|part| parts_of(part, see)),
        Expr::Member(of, _)
        | Expr::Not(of)
        | Expr::Flip(of)
        | Expr::Ref(of)
        | Expr::Cast(_, of)
        | Expr::Lambda(_, of)
        | Expr::Pure(of) => parts_of(of, see),
        Expr::Name(_)
        | Expr::Int(_)
        | Expr::Long(_)
        | Expr::Bits(..)
        | Expr::Float(_)
        | Expr::Double(_)
        | Expr::Text(_)
        | Expr::Endless => {}
    }
}

/// A guess of the bytes that lines take, rather too many: it is the same for all languages.
fn weight(lines: &[Line]) -> usize {
    let mut bytes = 0;
    walk(lines, &mut |expr| bytes += alone(expr));
    bytes + lines.iter().map(around).sum::<usize>()
}

/// The same of an expression and all within it.
pub(crate) fn weight_of(expr: &Expr) -> usize {
    let mut bytes = 0;
    parts_of(expr, &mut |expr| bytes += alone(expr));
    bytes
}

/// The bytes of an expression without those within it.
fn alone(expr: &Expr) -> usize {
    match expr {
        Expr::Binary(..) | Expr::Choose(..) => 5,
        Expr::New(..) | Expr::Array(..) => 7,
        _ => 3,
    }
}

/// The bytes around a line's expressions: jumps, stores, and what puts a step before the path of a fault.
fn around(line: &Line) -> usize {
    let own = match line {
        Line::Framed(..) | Line::Attempt(..) => 15,
        Line::Switch(_, arms, _) => 12 + 8 * arms.len(),
        Line::For(..) => 12,
        _ => 3,
    };
    own + inner(line).into_iter().flatten().map(around).sum::<usize>()
}
