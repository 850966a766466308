//! Long methods in parts: virtual machines interpret what is too long for their compilers, or do not take it at all.

use crate::kinds::dialect::Dialect;
use crate::tree::{name, run, Expr, Line, Member, Word};
use std::collections::{HashMap, HashSet};

/// The bytes of bytecode, as [`size`] guesses them, from which on a method is made of parts, and of a part.
const MOST: usize = 5_000;
const PART: usize = 2_500;

/// A method of a class of codecs: its name, what it gives, its state, and parameters by type and name.
pub struct Method<'m> {
    pub name: String,
    pub gives: &'m str,
    pub state: (&'m str, &'m str),
    pub params: Vec<(String, String)>,
}

/// Whether a method with these lines is too long.
pub fn is_long(lines: &[Line]) -> bool {
    size(lines) > MOST
}

impl Method<'_> {
    /// The method with these lines, and before it the parts that it is made of where it is too long.
    pub fn members(&self, dialect: &dyn Dialect, lines: Vec<Line>) -> Vec<Member> {
        if !is_long(&lines) {
            return vec![self.member(dialect, (&self.name, self.gives), &self.params, lines)];
        }
        let mut parts = Vec::new();
        let mut own = Vec::new();
        let mut known = self.params.clone();
        let mut last = HashMap::new();
        for (index, line) in lines.iter().enumerate() {
            last.extend(used(std::slice::from_ref(line)).into_iter().map(|var| (var, index)));
        }
        let mut rest = lines.as_slice();
        while let Some((line, behind)) = rest.split_first() {
            let is_later =
                |var: &str, count| last.get(var).is_some_and(|last| *last >= lines.len() - rest.len() + count);
            let Some((count, given)) = part(rest, &known, is_later) else {
                if let Line::Declare(ty, var, _) = line {
                    known.push((ty.clone(), var.clone()));
                }
                own.push(line.clone());
                rest = behind;
                continue;
            };
            let (taken, behind) = rest.split_at(count);
            let used = used(taken);
            let params: Vec<_> = known.iter().filter(|(_, var)| used.contains(var.as_str())).cloned().collect();
            let called = format!("{}Part{}", self.name, parts.len());
            let args = params.iter().map(|(_, var)| name(var.as_str()));
            let args = [dialect.state(self.state.1)].into_iter().chain(args).collect();
            let call = run(Word::Own(called.clone()), args);
            let mut body = taken.to_vec();
            let gives = match given {
                None => {
                    own.push(Line::Do(call));
                    "void".to_owned()
                }
                Some((ty, var)) => {
                    body.push(Line::Return(name(var.as_str())));
                    own.push(Line::Declare(ty.clone(), var.clone(), Some(call)));
                    known.push((ty.clone(), var));
                    ty
                }
            };
            parts.push(self.member(dialect, (&called, &gives), &params, body));
            rest = behind;
        }
        parts.push(self.member(dialect, (&self.name, self.gives), &self.params, own));
        parts
    }

    fn member(
        &self,
        dialect: &dyn Dialect,
        (own, gives): (&str, &str),
        params: &[(String, String)],
        body: Vec<Line>,
    ) -> Member {
        let params: Vec<String> = params.iter().map(|(ty, var)| format!("{ty} {var}")).collect();
        Member::Method { doc: String::new(), head: dialect.head(gives, own, self.state, &params), body }
    }
}

/// The number of the first lines that can be a method of their own, and the one variable of theirs that is used behind them: they
/// set no variable from before them.
fn part(
    lines: &[Line],
    known: &[(String, String)],
    is_later: impl Fn(&str, usize) -> bool,
) -> Option<(usize, Option<(String, String)>)> {
    let mut declared: Vec<(String, String)> = Vec::new();
    let mut set = HashSet::new();
    let mut bytes = 0;
    for (index, line) in lines.iter().enumerate() {
        if matches!(line, Line::Return(_)) || bytes > MOST {
            return None;
        }
        bytes += size(std::slice::from_ref(line));
        sets(line, &mut set);
        if let Line::Declare(ty, var, value) = line {
            declared.push((ty.clone(), var.clone()));
            set.extend(value.is_some().then_some(var.as_str()));
        }
        if known.iter().any(|(_, var)| set.contains(var.as_str())) {
            return None;
        }
        if bytes < PART {
            continue;
        }
        let mut given = declared.iter().filter(|(_, var)| is_later(var, index + 1));
        match (given.next(), given.next()) {
            (None, _) => return Some((index + 1, None)),
            (Some(one), None) if set.contains(one.1.as_str()) => return Some((index + 1, Some(one.clone()))),
            _ => {}
        }
    }
    None
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
        Line::For(_, _, body) | Line::Framed(body, _) => vec![body],
        Line::Switch(_, arms, other) => {
            arms.iter().map(|(_, lines)| lines.as_slice()).chain([other.as_slice()]).collect()
        }
        _ => Vec::new(),
    }
}

/// All expressions of lines.
pub(crate) fn walk<'l>(lines: &'l [Line], see: &mut dyn FnMut(&'l Expr)) {
    for line in lines {
        match line {
            Line::Declare(_, _, None) => {}
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
        Expr::Call(of, _, args) => {
            parts_of(of, see);
            args.iter().for_each(|arg| parts_of(arg, see));
        }
        Expr::Run(_, args) | Expr::New(_, args) | Expr::Array(_, args) => {
            args.iter().for_each(|arg| parts_of(arg, see));
        }
        Expr::Binary(_, left, right) | Expr::Index(left, right) => {
            [left, right].into_iter().for_each(|side| parts_of(side, see));
        }
        Expr::Choose(test, then, other) => [test, then, other].into_iter().for_each(|part| parts_of(part, see)),
        Expr::Member(of, _) | Expr::Not(of) | Expr::Flip(of) | Expr::Cast(_, of) | Expr::Lambda(_, of) => {
            parts_of(of, see);
        }
        Expr::Name(_)
        | Expr::Int(_)
        | Expr::Long(_)
        | Expr::Float(_)
        | Expr::Double(_)
        | Expr::Text(_)
        | Expr::Endless => {}
    }
}

/// A guess of the bytes that lines take, rather too many: it is the same for all languages.
fn size(lines: &[Line]) -> usize {
    let mut bytes = 0;
    walk(lines, &mut |expr| {
        bytes += match expr {
            Expr::Binary(..) | Expr::Choose(..) => 5,
            Expr::New(..) | Expr::Array(..) => 7,
            _ => 3,
        };
    });
    bytes + lines.iter().map(around).sum::<usize>()
}

/// The bytes around a line's expressions: jumps, stores, and what puts a step before the path of a fault.
fn around(line: &Line) -> usize {
    let own = match line {
        Line::Framed(..) => 15,
        Line::Switch(_, arms, _) => 12 + 8 * arms.len(),
        Line::For(..) => 12,
        _ => 3,
    };
    own + inner(line).into_iter().flatten().map(around).sum::<usize>()
}
