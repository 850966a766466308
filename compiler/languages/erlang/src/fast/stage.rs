//! Readers as a chain of functions: each matches a stretch of bytes, calls for at most one value that needs a loop, and
//! goes on to the next with what it has bound. The match context is handed on, and no intermediate tuple is made.

use crate::code::{quote, variables, Expr};
use crate::erl::{binary, bind, call, function, trees, Atom, Clause, Functions, UNUSUAL};
use aldis_emit::names::Scope;
use std::collections::BTreeSet;

/// How many bytes lie between two places: a number and variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Distance {
    bytes: u64,
    variables: Vec<String>,
}

impl Distance {
    pub fn of(bytes: u64, variable: Option<&str>) -> Self {
        Self { bytes, variables: variable.map(str::to_owned).into_iter().collect() }
    }

    pub fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.variables.extend(other.variables.iter().cloned());
    }

    pub fn plus(&self, bytes: u64) -> Self {
        Self { bytes: self.bytes + bytes, ..self.clone() }
    }

    /// The segments that skip so many bytes.
    pub fn skipped(&self) -> String {
        let variables = self.variables.iter().map(|variable| format!("_:{variable}/binary"));
        std::iter::once(format!("_:{}/binary", self.bytes)).chain(variables).collect::<Vec<_>>().join(", ")
    }

    /// The variable, where there is nothing but one.
    pub fn variable(&self) -> Option<&str> {
        match self.variables.as_slice() {
            [one] if self.bytes == 0 => Some(one),
            _ => None,
        }
    }

    /// The number without the variables.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The sum, in parentheses where it has several terms.
    pub fn as_operand(&self) -> String {
        if self.variables.is_empty() {
            self.to_string()
        } else {
            format!("({self})")
        }
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// The number, where it is one.
    pub fn literal(&self) -> Option<String> {
        self.variables.is_empty().then(|| self.bytes.to_string())
    }
}

impl std::fmt::Display for Distance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut terms = self.variables.clone();
        if self.bytes > 0 || terms.is_empty() {
            terms.insert(0, self.bytes.to_string());
        }
        write!(f, "{}", terms.join(" + "))
    }
}

/// A float that may be null. A match of floats fails on null, which is NaN; a second one matches its bits.
#[derive(Clone, Debug)]
pub(super) struct NullableFloat {
    pub var: String,
    /// The segment of the float, and that of its bits in the variable [`NullableFloat::raw`].
    pub segment: Expr,
    pub bits: Expr,
    /// The value of the bits.
    pub value: Expr,
}

impl NullableFloat {
    pub fn raw(var: &str) -> String {
        format!("{var}Raw")
    }
}

#[derive(Clone, Debug, Default)]
struct Stage {
    segments: Vec<Expr>,
    guards: Vec<Expr>,
    nullable: Vec<NullableFloat>,
    /// The bytes as a whole are in `Bin`.
    whole: bool,
    /// Pattern and call of what ends the stage; the pattern binds `After`, what follows the value.
    call: Option<(Expr, Expr)>,
}

/// A reader in the making.
#[derive(Debug)]
pub(super) struct Chain {
    stages: Vec<Stage>,
    pub scope: Scope<()>,
    /// From the record's first byte to where the reader is.
    pub place: Distance,
}

impl Chain {
    pub fn new() -> Self {
        let locals = ["Bin", "Rest", "After", "Acc", "Table", "At", "Left", "Value", "FrameSize", "Version", "FoundAt"];
        Self { stages: vec![Stage::default()], scope: Scope::new(locals, ()), place: Distance::default() }
    }

    /// A variable of this reader.
    pub fn fresh(&mut self, wanted: &str) -> String {
        self.scope.fresh(wanted, ())
    }

    fn last(&mut self) -> &mut Stage {
        let last = self.stages.len() - 1;
        &mut self.stages[last]
    }

    pub fn segments(&mut self, segments: &[Expr]) {
        self.last().segments.extend_from_slice(segments);
    }

    /// Floats among the segments that may be null.
    pub fn nullable(&mut self, floats: Vec<NullableFloat>) {
        self.last().nullable.extend(floats);
    }

    pub fn guard(&mut self, guard: impl Into<Expr>) {
        self.last().guards.push(guard.into());
    }

    /// The variable `at`, matched before, must say where the reader is; unless another one is zero.
    pub fn here(&mut self, at: &str, unless_zero: Option<&str>) {
        let place = self.place.clone();
        let literal = place.literal().filter(|_| unless_zero.is_none());
        if let Some(literal) = literal {
            let mut values = self.last().segments.iter_mut().filter_map(|segment| match segment {
                Expr::Segment { value, .. } => Some(value),
                _ => None,
            });
            if let Some(value) = values.find(|value| ***value == Expr::Var(at.to_owned())) {
                **value = quote(literal);
                return;
            }
        }
        self.guard(match unless_zero {
            Some(has) => format!("{has} =:= 0 orelse {at} =:= {place}"),
            None => format!("{at} =:= {place}"),
        });
    }

    /// The matched bytes must be `FrameSize`.
    pub fn check_size(&mut self) {
        self.stages[0].whole = true;
        self.guard("FrameSize =:= byte_size(Bin) - byte_size(Rest)");
    }

    /// Ends the stage with a call on what follows, which is `Rest` in `call`.
    pub fn call(&mut self, pattern: impl Into<Expr>, call: impl Into<Expr>) {
        self.last().call = Some((pattern.into(), call.into()));
        self.stages.push(Stage::default());
    }

    /// The one match of the reader, and how many segments it has; nothing where it takes more than that.
    pub fn one_match(&self) -> Option<(Expr, usize)> {
        let [stage] = self.stages.as_slice() else { return None };
        (stage.guards.is_empty() && stage.call.is_none()).then(|| (pattern(stage), stage.segments.len()))
    }

    /// How many functions it takes.
    pub fn length(&self) -> usize {
        // A last stage that does nothing needs no function.
        self.stages.len() - usize::from(self.stages.len() > 1 && self.stages.last().is_some_and(Stage::is_idle))
    }

    /// The functions of these names, as many as [`Chain::length`] says. The first one takes more arguments than the bytes
    /// and may have clauses before its own. `result` makes what the last one answers of the name of what follows.
    pub fn functions(&self, names: &[Atom], first: &First, result: &dyn Fn(&str) -> Expr) -> Functions {
        let results = variables(&result("Rest"));
        let mut out = Vec::new();
        let mut args = first.args.clone();
        for (index, (stage, name)) in self.stages.iter().zip(names).enumerate() {
            let mut later: BTreeSet<String> = self.stages[index + 1..].iter().flat_map(Stage::mentioned).collect();
            later.extend(results.iter().cloned());
            let mut onward: Vec<String> = args.iter().flat_map(variables).collect();
            onward.extend(stage.bound());
            onward.retain(|variable| later.contains(variable));
            let rest = if stage.call.is_some() { "After" } else { "Rest" };
            let mut body: Vec<Expr> = stage.call.iter().map(|(to, call)| bind(to.clone(), call.clone())).collect();
            body.push(match names.get(index + 1) {
                Some(next) => call(next, trees([vec![rest.to_owned()], onward.clone()].concat())),
                None => result(rest),
            });
            let clause = |stage: &Stage, body: Vec<Expr>| {
                let patterns = std::iter::once(pattern(stage)).chain(args.iter().cloned());
                Clause::new(patterns, body).when_all(stage.guards.clone())
            };
            let other = Clause::new(vec![quote("_"); 1 + args.len()], [UNUSUAL]);
            let mut clauses = if index == 0 { first.clauses.clone() } else { Vec::new() };
            clauses.push(clause(stage, body.clone()));
            if !stage.nullable.is_empty() {
                let values = stage.nullable.iter().map(|float| bind(float.var.as_str(), float.value.clone()));
                clauses.push(clause(&stage.of_bits(), values.chain(body).collect()));
            }
            let refuses = !stage.segments.is_empty()
                || !stage.guards.is_empty()
                || args.iter().any(|arg| !matches!(arg, Expr::Var(_)));
            clauses.extend(refuses.then_some(other));
            out.push(function(name, &clauses));
            args = trees(&onward);
        }
        Functions::all(out)
    }
}

/// The arguments that the first function of a chain has besides, and the clauses before its own.
#[derive(Clone, Debug, Default)]
pub(super) struct First {
    pub args: Vec<Expr>,
    pub clauses: Vec<Clause>,
}

impl Stage {
    fn is_idle(&self) -> bool {
        self.segments.is_empty() && self.guards.is_empty() && self.call.is_none()
    }

    /// The variables that it binds, apart from what follows.
    fn bound(&self) -> Vec<String> {
        let segments = self.segments.iter().flat_map(variables);
        let called = self.call.iter().flat_map(|(pattern, _)| variables(pattern));
        let mut bound: Vec<String> = Vec::new();
        for variable in segments.chain(called) {
            if !bound.contains(&variable) && variable != "After" {
                bound.push(variable);
            }
        }
        bound.extend(self.whole.then(|| "Bin".to_owned()));
        bound
    }

    /// The stage with the bits of floats that may be null.
    fn of_bits(&self) -> Self {
        let mut stage = self.clone();
        for float in &self.nullable {
            stage.segments.iter_mut().filter(|segment| **segment == float.segment).for_each(|segment| {
                segment.clone_from(&float.bits);
            });
        }
        stage
    }

    fn mentioned(&self) -> Vec<String> {
        let parts = self.segments.iter().chain(&self.guards).chain(self.call.iter().map(|(_, call)| call));
        parts.flat_map(variables).collect()
    }
}

fn pattern(stage: &Stage) -> Expr {
    if stage.segments.is_empty() {
        return quote("Rest");
    }
    let bytes = binary(stage.segments.iter().cloned().chain([quote("Rest/binary")]));
    if stage.whole {
        bind(bytes, "Bin")
    } else {
        bytes
    }
}
