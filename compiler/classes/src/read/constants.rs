//! The constants of a class of codecs. Where a language bounds the length of the code that makes them, many are in classes of their own.

use super::Reading;
use crate::split::weight_of;
use crate::tree::{name, run, Class, Expr, Member};
use aldis_emit::names::capital;

/// The bytes of bytecode, as they are guessed, that make the constants of one class: those of several forms may be together in it.
const MOST: usize = 12_000;

/// The bytes of bytecode, guessed like that, that make the rows of a table in one constant.
const ROWS: usize = 6_000;

/// The constants of a class, and those of each class within it.
#[derive(Default)]
pub struct Constants {
    own: Vec<Member>,
    others: Vec<Vec<Member>>,
    /// The bytes that the last class's take.
    bytes: usize,
}

impl Reading<'_> {
    /// Adds a constant, and gives what it is called in the class's methods.
    pub(super) fn constant(&mut self, class: &str, own: &str, value: Expr) -> String {
        let holder = self.kinds.dialect.holder();
        let constants = &mut self.constants;
        let bytes = weight_of(&value);
        if holder.is_some() && constants.bytes > 0 && constants.bytes + bytes > MOST {
            constants.others.push(Vec::new());
            constants.bytes = 0;
        }
        constants.bytes += bytes;
        let head = format!("{} {own}", self.kinds.dialect.constant_head(class));
        let member = Member::Field { doc: String::new(), head, value: Some(value) };
        let number = constants.others.len();
        match constants.others.last_mut() {
            Some(others) => {
                others.push(member);
                format!("{}.{own}", self.holder(number))
            }
            None => {
                constants.own.push(member);
                own.to_owned()
            }
        }
    }

    fn holder(&self, number: usize) -> String {
        format!("Constants{}{number}", capital(self.suffix))
    }

    /// A table's rows as operands of its constant.
    pub(super) fn rows(&mut self, own: &str, rows: Vec<Expr>) -> Vec<Expr> {
        if self.kinds.dialect.holder().is_none() || rows.iter().map(weight_of).sum::<usize>() <= ROWS {
            return rows;
        }
        let mut parts: Vec<Vec<Expr>> = Vec::new();
        let mut bytes = 0;
        for row in rows {
            let own = weight_of(&row);
            bytes += own;
            match parts.last_mut() {
                Some(part) if bytes <= ROWS => part.push(row),
                _ => {
                    parts.push(vec![row]);
                    bytes = own;
                }
            }
        }
        let parts = parts.into_iter().enumerate().map(|(index, rows)| {
            let rows = Expr::Array("Cut.Row".to_owned(), rows);
            name(self.constant("Cut.Row[]", &format!("{own}ROWS{index}"), rows))
        });
        let parts = parts.collect();
        vec![run("Cut.rows", parts)]
    }

    /// The members that hold the constants.
    pub(super) fn holders(&mut self) -> Vec<Member> {
        let Constants { own, others, .. } = std::mem::take(&mut self.constants);
        let classes = others.into_iter().enumerate().map(|(index, members)| {
            let head = format!("{} {}", self.kinds.dialect.holder().unwrap_or_default(), self.holder(index + 1));
            Member::Nested(Class { doc: String::new(), head, members })
        });
        own.into_iter().chain(classes).collect()
    }
}
