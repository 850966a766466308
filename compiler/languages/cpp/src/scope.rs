//! The place of a statement in a generated function: the names of its variables, and how a fault leaves it.

use crate::code::{alias, line, mention, quoted, when, Stmt};

#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The object that notes faults.
    of: &'static str,
    /// The result of a function on a fault.
    fault: &'static str,
    /// Calls that put names in front of a fault's path, the innermost first.
    names: Vec<String>,
    /// How deep the statement is nested: the number in its variables' names.
    level: usize,
    /// The place from which links count.
    pub base: String,
    /// The extent that the last head stated.
    pub extent: String,
}

impl Scope {
    pub fn new(of: &'static str, fault: &'static str) -> Self {
        Self { of, fault, names: Vec::new(), level: 0, base: "at".to_owned(), extent: "extent".to_owned() }
    }

    pub fn field(&self, name: &str) -> Self {
        self.named(format!("in_field({})", quoted(name)))
    }

    pub fn element(&self, index: &str) -> Self {
        self.named(format!("in_element({index})"))
    }

    fn named(&self, call: String) -> Self {
        let mut inner = self.clone();
        inner.names.insert(0, format!("{}.{call}", self.of));
        inner
    }

    /// The scope of statements nested in this one, whose variables have names of their own.
    pub fn deeper(&self) -> Self {
        Self { level: self.level + 1, ..self.clone() }
    }

    /// The scope of statements whose links count from elsewhere.
    pub fn counting_from(self, base: &str) -> Self {
        Self { base: base.to_owned(), ..self }
    }

    /// A variable of this level: `item`, `item2`.
    pub fn var(&self, name: &str) -> String {
        if self.level <= 1 {
            name.to_owned()
        } else {
            format!("{name}{}", self.level)
        }
    }

    /// The statements by which a fault that was noted leaves the function.
    pub fn fail(&self) -> Vec<Stmt> {
        match self.names.split_last() {
            None => vec![line(format!("return {};", self.fault))],
            Some((last, inner)) => {
                let mut parts: Vec<Stmt> = inner.iter().map(|call| line(format!("{call};"))).collect();
                parts.push(line(format!("return {last};")));
                parts
            }
        }
    }

    /// The statements by which the call notes a fault, and by which it leaves the function.
    pub fn fail_by(&self, call: String) -> Vec<Stmt> {
        let mut inner = self.clone();
        inner.names.insert(0, call);
        inner.fail()
    }

    /// Leaves the function where a condition holds.
    pub fn fail_if(&self, condition: impl Into<String>) -> Stmt {
        when(condition, self.fail())
    }
}

/// Statements whose links count from `base`, a pointer of type `ty` to the place `at`: many have no links, and need none.
pub(crate) fn rebased(body: Vec<Stmt>, ty: &str, base: &str, at: &str) -> Vec<Stmt> {
    let needed = mention(&body, base).then(|| alias(&format!("{ty} const"), base, at));
    needed.into_iter().chain(body).collect()
}

/// `at + 4`
pub(crate) fn offset(start: &str, at: u32) -> String {
    if at == 0 {
        start.to_owned()
    } else {
        format!("{start} + {at}")
    }
}
