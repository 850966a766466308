//! The statements of a module, printed as soon as they can be.

use super::{printed, Declared, Expr, Line, Stmt, WIDTH};
use std::collections::HashMap;

/// Statements of a module in order. Those that are the module's alone are printed when they are pushed: the trees of a large
/// schema take many times the memory of their text.
#[derive(Default)]
pub(crate) struct Code {
    pieces: Vec<Piece>,
    /// The types of what it exports, and what they refer to.
    declared: Vec<Stmt>,
}

enum Piece {
    /// A statement that may get a type beside its name.
    Tree(Stmt),
    /// A statement that was printed.
    Text(Kind, String),
}

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
        let is_own = matches!(
            statement,
            Stmt::Function { export: false, .. } | Stmt::Class(_) | Stmt::Const { export: false, .. }
        );
        self.pieces.push(match is_own {
            true => Piece::Text(statement.kind(), printed(&statement)),
            false => Piece::Tree(statement),
        });
    }

    /// A declaration, or an import that some need.
    pub(crate) fn declare(&mut self, statement: Stmt) {
        self.declared.push(statement);
    }

    /// A function that the module exports, `function name(params) { return gives; }`, and its declaration.
    pub(crate) fn export(&mut self, own: &str, (params, gives): (&[&str], Expr), doc: &str, ty: String) {
        let params = params.iter().map(|param| (*param).to_owned()).collect();
        let (name, body) = (own.to_owned(), vec![Line::Return(gives)]);
        self.push(Stmt::Function { export: true, name: name.clone(), params, body });
        self.declare(Stmt::Declare(Declared { doc: doc.to_owned(), what: "function", name, ty }));
    }

    pub(crate) fn extend(&mut self, statements: impl IntoIterator<Item = Stmt>) {
        statements.into_iter().for_each(|statement| self.push(statement));
    }

    pub(crate) fn append(&mut self, code: Code) {
        self.pieces.extend(code.pieces);
        self.declared.extend(code.declared);
    }

    /// The module without its declarations, and these as a module.
    pub(crate) fn apart(mut self) -> [Self; 2] {
        let declared = std::mem::take(&mut self.declared).into_iter().collect();
        [self, declared]
    }

    /// The module in TypeScript: each declaration is put where what it declares is.
    pub(crate) fn typed(self) -> Self {
        let is_import = |piece: &Piece| matches!(piece, Piece::Tree(statement) if statement.kind() == Kind::Import);
        let (mut head, code): (Vec<Piece>, Vec<Piece>) = self.pieces.into_iter().partition(is_import);
        let (mut types, mut declarations) = (Vec::new(), HashMap::new());
        for statement in self.declared {
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
        Self { pieces: head.into_iter().chain(types).chain(code).collect(), declared: Vec::new() }
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
        Piece::Text(_, text) => text.len(),
    };
    // A large file that grows by itself takes twice its size.
    text.reserve(code.pieces.iter().map(printed_size).sum());
    let mut before = Kind::Long;
    for piece in code.pieces {
        let (kind, more) = match piece {
            Piece::Tree(statement) => (statement.kind(), printed(&statement)),
            Piece::Text(kind, text) => (kind, text),
        };
        text.push_str(between(before, kind));
        text.push_str(&more);
        before = kind;
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
