//! Statements about types, each in the namespace of its type's schema.

use crate::code::{stmt, Stmt};
use crate::gen::Gen;
use aldis_schema::TypeId;

/// The content of a header, in order.
#[derive(Default)]
pub(crate) struct Sheet(Vec<Piece>);

struct Piece {
    of: TypeId,
    /// A namespace within that of the schema; empty for none.
    space: String,
    body: Vec<Stmt>,
}

impl Sheet {
    pub fn add(&mut self, of: TypeId, space: &str, body: impl IntoIterator<Item = Stmt>) {
        let body: Vec<Stmt> = body.into_iter().collect();
        if !body.is_empty() {
            self.0.push(Piece { of, space: space.to_owned(), body });
        }
    }

    /// Leaves a line free behind what was added last.
    pub fn blank(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.body.push(Stmt::Blank);
        }
    }

    /// The statements in their namespaces, which what follows one another shares.
    pub fn print(self, gen: &Gen<'_>) -> Vec<Stmt> {
        let mut parts = Vec::new();
        let (mut outer, mut inner) = (None, String::new());
        for Piece { of, space, body } in self.0 {
            let wanted = gen.names.space(of);
            let is_new = outer != Some(wanted);
            if (is_new || inner != space) && !inner.is_empty() {
                parts.extend([close(&inner), Stmt::Blank]);
            }
            if is_new {
                parts.extend(outer.map(close));
                parts.extend([stmt!("namespace {wanted} {{"), Stmt::Blank]);
                outer = Some(wanted);
            }
            if (is_new || inner != space) && !space.is_empty() {
                parts.extend([stmt!("namespace {space} {{"), Stmt::Blank]);
            }
            inner = space;
            parts.extend(body);
        }
        if !inner.is_empty() {
            parts.extend([close(&inner), Stmt::Blank]);
        }
        parts.extend(outer.map(close));
        parts
    }
}

fn close(namespace: &str) -> Stmt {
    stmt!("}}  // namespace {namespace}")
}
