//! Where lines of code end.

use super::tree::{Code, Part, Token};
use aldis_emit::doc::{concat, group, hard, indent, soft, text, Doc};

/// Columns that a further line of a statement is further in.
pub(super) const FURTHER: usize = 4;

/// Code in lines; those that are not the first are `further` in, but for those of bodies of functions within it.
pub(super) fn broken(code: &Code, further: usize) -> Doc {
    let mut lines = Lines { further, open: vec![Brackets::default()] };
    code.each_part(&mut |part| lines.add(&part));
    lines.all()
}

struct Lines {
    further: usize,
    /// The brackets around the place, the outermost first; the whole is the first of them.
    open: Vec<Brackets>,
}

/// The items within brackets.
#[derive(Default)]
struct Brackets {
    /// Items that are complete, with the places in front of them at which lines may end.
    items: Vec<Doc>,
    item: Vec<Doc>,
    /// Whether a line may end in front of the item.
    follows: bool,
    has_body: bool,
}

impl Lines {
    fn add(&mut self, part: &Part<'_>) {
        match part {
            Part::Token(Token::Break) => self.end_item(true),
            Part::Token(Token::BreakAtValue) => {
                let line = indent(self.further, soft());
                self.top().item.push(group(line));
            }
            Part::Token(Token::Line) => {
                self.end_item(false);
                self.top().items.push(hard());
            }
            Part::Token(Token::Open(bracket)) => {
                self.top().item.push(text(*bracket));
                self.open.push(Brackets::default());
            }
            Part::Token(Token::OpenBody) => self.open.push(Brackets::default()),
            Part::Token(Token::Close(bracket)) => {
                let (inner, has_body) = self.close();
                let top = self.top();
                top.has_body |= has_body;
                top.item.extend([inner, text(*bracket)]);
            }
            Part::Token(Token::CloseBody) => {
                let (inner, _) = self.close();
                let body = group(concat([text("{"), indent(4, concat([soft(), inner])), soft(), text("}")]));
                let top = self.top();
                top.has_body = true;
                top.item.push(body);
            }
            part => {
                let own = text(part.flat());
                self.top().item.push(own);
            }
        }
    }

    fn top(&mut self) -> &mut Brackets {
        self.open.last_mut().expect("brackets stand in pairs")
    }

    /// The items of the innermost brackets, which are closed, and whether it has bodies of functions.
    fn close(&mut self) -> (Doc, bool) {
        self.end_item(false);
        let inner = self.open.pop().expect("brackets stand in pairs");
        (concat(inner.items), inner.has_body)
    }

    /// `follows`: a line may end between this item and the next one.
    fn end_item(&mut self, follows: bool) {
        let further = self.further;
        let top = self.top();
        let item = concat(std::mem::take(&mut top.item));
        let line = indent(further, soft());
        top.items.push(match (top.follows, top.has_body) {
            (false, _) => item,
            // A body is on lines of its own before the line in front of it ends.
            (true, true) => concat([group(line), item]),
            (true, false) => group(concat([line, item])),
        });
        top.follows = follows;
    }

    fn all(mut self) -> Doc {
        self.close().0
    }
}
