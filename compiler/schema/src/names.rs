//! The places where names are declared and used in the texts of a schema.

use aldis_diagnostics::Span;

/// All names of a schema's texts, those of imported files included, whether the schema is right or not.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub declarations: Vec<Declaration>,
    pub uses: Vec<Use>,
}

/// Index into [`Names::declarations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclarationId(pub usize);

/// A place where a name gets its meaning.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: String,
    pub kind: NameKind,
    /// The name itself; the start of the text for a file.
    pub span: Span,
    /// The declaration within which it stands.
    pub parent: Option<DeclarationId>,
    pub doc: String,
}

/// A place where a declared name stands again.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub span: Span,
    pub of: DeclarationId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// The file that an import names.
    File,
    Record,
    Message,
    Group,
    Union,
    Enum,
    Flags,
    /// A type that is another with a name, a range or a length of its own.
    Alias,
    Interface,
    Method,
    Field,
    /// A value of an enum or a bit of flags.
    Value,
    Constant,
    Annotation,
    /// A generic parameter.
    Parameter,
}

impl NameKind {
    /// Whether fields can have what is so called as their type.
    pub fn is_type(self) -> bool {
        use NameKind::{Alias, Enum, Flags, Interface, Message, Parameter, Record};
        matches!(self, Record | Message | Enum | Flags | Alias | Interface | Parameter)
    }

    /// Its name in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            NameKind::File => "file",
            NameKind::Record => "record",
            NameKind::Message => "message",
            NameKind::Group => "group",
            NameKind::Union => "union",
            NameKind::Enum => "enum",
            NameKind::Flags => "flags",
            NameKind::Alias => "type",
            NameKind::Interface => "interface",
            NameKind::Method => "method",
            NameKind::Field => "field",
            NameKind::Value => "value",
            NameKind::Constant => "constant",
            NameKind::Annotation => "annotation",
            NameKind::Parameter => "parameter",
        }
    }
}

impl Names {
    pub fn declare(
        &mut self,
        kind: NameKind,
        name: impl Into<String>,
        span: Span,
        parent: Option<DeclarationId>,
        doc: impl Into<String>,
    ) -> DeclarationId {
        self.declarations.push(Declaration { name: name.into(), kind, span, parent, doc: doc.into() });
        DeclarationId(self.declarations.len() - 1)
    }

    pub fn used(&mut self, span: Span, of: DeclarationId) {
        self.uses.push(Use { span, of });
    }

    pub fn get(&self, id: DeclarationId) -> &Declaration {
        &self.declarations[id.0]
    }

    /// The declaration whose name stands at the place, there or in a use; `at` may be right behind it. The second part
    /// of the result is where the name stands.
    pub fn at(&self, at: Span) -> Option<(DeclarationId, Span)> {
        let here = |span: Span| span.source == at.source && span.start <= at.start && at.start <= span.end;
        let used = self.uses.iter().find(|name| here(name.span) && name.span.end > name.span.start);
        used.map(|name| (name.of, name.span)).or_else(|| {
            let declared = |entry: &Declaration| here(entry.span) && entry.kind != NameKind::File;
            let index = self.declarations.iter().position(declared)?;
            Some((DeclarationId(index), self.declarations[index].span))
        })
    }

    /// The declarations within the one, in source order.
    pub fn children(&self, parent: DeclarationId) -> impl Iterator<Item = DeclarationId> + '_ {
        let within = move |(_, entry): &(usize, &Declaration)| entry.parent == Some(parent);
        self.declarations.iter().enumerate().filter(within).map(|(index, _)| DeclarationId(index))
    }

    /// The names from the outermost declaration in the file to this one: `Order.price`.
    pub fn path(&self, id: DeclarationId) -> Vec<&str> {
        let mut path = Vec::new();
        let mut next = Some(id);
        while let Some(entry) = next.map(|id| self.get(id)).filter(|entry| entry.kind != NameKind::File) {
            path.push(entry.name.as_str());
            next = entry.parent;
        }
        path.reverse();
        path
    }
}
