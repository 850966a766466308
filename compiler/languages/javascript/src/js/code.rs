//! The statements of a module, printed as soon as they can be.

use super::{printed, Stmt, WIDTH};
use std::collections::HashMap;

/// Statements of a module in order. Those that are the module's alone are printed when they are pushed: the trees of a large
/// schema take many times the memory of their text.
#[derive(Default)]
pub(crate) struct Code(Vec<Piece>);

enum Piece {
    /// A statement that may get a type beside its name.
    Tree(Stmt),
    /// Statements that were printed, and of which kind the first and the last one are.
    Text(Kind, String, Kind),
}

/// Bytes of text that more is put behind: one text that grew to the size of a large file would take twice as much.
const PIECE: usize = 1 << 16;

/// Statements of one kind stand beside each other without an empty line between them, but for the last one.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Import,
    Const,
    Type,
    Long,
}

impl Code {
    pub(crate) fn push(&mut self, statement: Stmt) {
        let is_own = matches!(statement, Stmt::Code { .. } | Stmt::Class { .. } | Stmt::Const { export: false, .. });
        if is_own {
            let kind = statement.kind();
            self.put(kind, &printed(&statement), kind);
        } else {
            self.0.push(Piece::Tree(statement));
        }
    }

    pub(crate) fn extend(&mut self, statements: impl IntoIterator<Item = Stmt>) {
        statements.into_iter().for_each(|statement| self.push(statement));
    }

    pub(crate) fn append(&mut self, code: Code) {
        for piece in code.0 {
            match piece {
                Piece::Tree(statement) => self.0.push(Piece::Tree(statement)),
                Piece::Text(first, text, last) if text.len() < PIECE => self.put(first, &text, last),
                text => self.0.push(text),
            }
        }
    }

    fn put(&mut self, first: Kind, more: &str, last: Kind) {
        match self.0.last_mut() {
            Some(Piece::Text(_, text, before)) if text.len() < PIECE => {
                text.push_str(between(*before, first));
                text.push_str(more);
                *before = last;
            }
            _ => self.0.push(Piece::Text(first, more.to_owned(), last)),
        }
    }

    /// The code of a module in TypeScript, with its declarations, each put where what it declares is.
    pub(crate) fn typed(self, declared: Vec<Stmt>) -> Self {
        let is_import = |piece: &Piece| matches!(piece, Piece::Tree(statement) if statement.kind() == Kind::Import);
        let (mut head, code): (Vec<Piece>, Vec<Piece>) = self.0.into_iter().partition(is_import);
        let (mut types, mut declarations) = (Vec::new(), HashMap::new());
        for statement in declared {
            match statement {
                Stmt::Declare(declared) => {
                    declarations.insert(declared.name.clone(), declared);
                }
                import if import.kind() == Kind::Import => {
                    let is_there = head.iter().any(|piece| matches!(piece, Piece::Tree(known) if *known == import));
                    head.extend((!is_there).then_some(Piece::Tree(import)));
                }
                ty => types.push(Piece::Tree(ty)),
            }
        }
        let code = code.into_iter().map(|piece| match piece {
            Piece::Tree(statement) => match statement.own_name().and_then(|name| declarations.remove(name)) {
                Some(declared) => Piece::Tree(Stmt::Typed(declared, Box::new(statement))),
                None => Piece::Tree(statement),
            },
            text => text,
        });
        let code: Vec<Piece> = code.collect();
        debug_assert!(declarations.is_empty(), "all that is declared is there: {declarations:?}");
        Self(head.into_iter().chain(types).chain(code).collect())
    }
}

impl FromIterator<Stmt> for Code {
    fn from_iter<I: IntoIterator<Item = Stmt>>(statements: I) -> Self {
        let mut code = Self::default();
        code.extend(statements);
        code
    }
}

impl Stmt {
    fn kind(&self) -> Kind {
        match self {
            Self::Type { doc, .. } if doc.is_empty() => Kind::Type,
            Self::Const { .. } => Kind::Const,
            Self::Import { .. } | Self::ImportAll { .. } => Kind::Import,
            _ => Kind::Long,
        }
    }

    /// The name of a constant or a function.
    fn own_name(&self) -> Option<&String> {
        match self {
            Self::Const { name, .. } | Self::Function { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// A module's text: the first lines are comments.
pub(crate) fn module(comment: &str, code: Code) -> String {
    let mut text = aldis_emit::doc::comment("//", comment).print(WIDTH);
    let printed_size = |piece: &Piece| match piece {
        Piece::Tree(_) => 0,
        Piece::Text(_, text, _) => text.len(),
    };
    // A large file that grows by itself takes twice its size.
    text.reserve(code.0.iter().map(printed_size).sum());
    let mut before = Kind::Long;
    for piece in code.0 {
        let (first, more, last) = match piece {
            Piece::Tree(statement) => (statement.kind(), printed(&statement), statement.kind()),
            Piece::Text(first, text, last) => (first, text, last),
        };
        text.push_str(between(before, first));
        text.push_str(&more);
        before = last;
    }
    text
}

/// The text between two statements.
fn between(before: Kind, after: Kind) -> &'static str {
    if before == after && after != Kind::Long {
        ""
    } else {
        "\n"
    }
}
