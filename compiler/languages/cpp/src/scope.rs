//! The place of a statement in a generated function: the names of its variables, and how a fault leaves it.

use crate::code::{alias, code, mention, quoted, stmt, var, when, Code, Stmt};

#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The object that notes faults.
    of: Code,
    /// The result of a function on a fault.
    fault: &'static str,
    /// Calls that put names in front of a fault's path, the innermost first.
    names: Vec<Code>,
    /// How deep the statement is nested: the number in its variables' names.
    level: usize,
    /// The place from which links count.
    pub base: Code,
    /// The extent that the last head stated.
    pub extent: Code,
}

impl Scope {
    pub fn new(of: &'static str, fault: &'static str) -> Self {
        Self { of: var(of), fault, names: Vec::new(), level: 0, base: var("at"), extent: var("extent") }
    }

    pub fn field(&self, name: &str) -> Self {
        self.named(code!("in_field({})", quoted(name)))
    }

    pub fn element(&self, index: &Code) -> Self {
        self.named(code!("in_element({index})"))
    }

    fn named(&self, call: Code) -> Self {
        let mut inner = self.clone();
        inner.names.insert(0, code!("{}.{call}", self.of));
        inner
    }

    /// The scope of statements nested in this one, whose variables have names of their own.
    pub fn deeper(&self) -> Self {
        Self { level: self.level + 1, ..self.clone() }
    }

    /// The scope of statements whose links count from elsewhere.
    pub fn counting_from(self, base: &Code) -> Self {
        Self { base: base.clone(), ..self }
    }

    /// A variable of this level: `item`, `item2`.
    pub fn var(&self, name: &str) -> Code {
        if self.level <= 1 {
            crate::code::var(name)
        } else {
            crate::code::var(&format!("{name}{}", self.level))
        }
    }

    /// The statements by which a fault that was noted leaves the function.
    pub fn fail(&self) -> Vec<Stmt> {
        match self.names.split_last() {
            None => vec![stmt!("return {};", self.fault)],
            Some((last, inner)) => {
                let mut parts: Vec<Stmt> = inner.iter().map(|call| stmt!("{call};")).collect();
                parts.push(stmt!("return {last};"));
                parts
            }
        }
    }

    /// The statements by which the call notes a fault, and by which it leaves the function.
    pub fn fail_by(&self, call: Code) -> Vec<Stmt> {
        let mut inner = self.clone();
        inner.names.insert(0, call);
        inner.fail()
    }

    /// Leaves the function where a condition holds.
    pub fn fail_if(&self, condition: Code) -> Stmt {
        when(condition, self.fail())
    }
}

/// Statements whose links count from `base`, a pointer of type `ty` to the place `at`: many have no links, and need none.
pub(crate) fn rebased(body: Vec<Stmt>, ty: &str, base: &Code, at: &Code) -> Vec<Stmt> {
    let needed = mention(&body, base).then(|| alias(&code!("{ty} const"), base, at));
    needed.into_iter().chain(body).collect()
}

/// `at + 4`
pub(crate) fn offset(start: &Code, at: u32) -> Code {
    if at == 0 {
        start.clone()
    } else {
        code!("{start} + {at}")
    }
}
