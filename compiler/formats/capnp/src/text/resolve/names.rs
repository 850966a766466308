//! The meaning of names: lookups, members, aliases, imports, and generic parameters given to declarations.

use super::brand::{instantiated, BrandScope, Branded, Parameter};
use super::builtins::{Builtin, BUILTINS};
use super::catalog::{Alias, AliasId, EntryId, Found, Symbol};
use super::{Context, Resolver};
use crate::codes;
use crate::text::ast::{Argument, DeclarationKind, Expression, ExpressionKind, Word};
use crate::text::load::Import;
use aldis_diagnostics::{similar, Diagnostic, Span};
use std::rc::Rc;

/// Names in names and behind aliases: each takes room on the stack.
const MAX_NAMES: usize = 256;

/// How far the meaning of an alias is known.
#[derive(Clone)]
pub(super) enum AliasState {
    Unknown,
    InProgress,
    /// Its meaning within the scope that declares it, `None` after a problem; and how many names led there.
    Done(Option<Branded>, usize),
}

impl<'a> Resolver<'a> {
    /// The declaration that the expression names; `None` after a problem.
    pub(super) fn named(&mut self, expression: &'a Expression, context: Context) -> Option<Branded> {
        if !self.can_name(1, expression.span) {
            return None;
        }
        let around = self.names.enter();
        let named = self.named_here(expression, context);
        self.names.leave(around);
        named
    }

    /// Whether so many more names may be followed from here.
    fn can_name(&mut self, links: usize, span: Span) -> bool {
        let allowed = self.names.depth + links <= MAX_NAMES;
        if !allowed {
            let message = format!("this name leads through more than {MAX_NAMES} others");
            let problem = Diagnostic::error(codes::LONG_CHAIN, message, span, "one too many here");
            self.report(problem.help("let aliases name what they mean directly"));
        }
        allowed
    }

    fn named_here(&mut self, expression: &'a Expression, context: Context) -> Option<Branded> {
        match &expression.kind {
            ExpressionKind::Name(name) => self.relative(name, expression.span, context),
            ExpressionKind::Absolute(word) => {
                let file = self.catalog.file_of(context.scope);
                let Some(symbol) = self.catalog.entries[file].names.get(word.text.as_str()).copied() else {
                    self.report_unknown(&word.text, word.span, &[file]);
                    return None;
                };
                let scope = BrandScope::within(&self.catalog, context.scope);
                self.symbol(symbol, &scope, word.span)
            }
            ExpressionKind::Import(word) => {
                let file = self.import(word, context)?;
                Some(Branded::Entry(file, BrandScope::within(&self.catalog, file)))
            }
            ExpressionKind::Member(parent, word) => {
                let parent = self.named(parent, context)?;
                self.member(&parent, word)
            }
            ExpressionKind::Apply(generic, arguments) => {
                let generic = self.named(generic, context)?;
                self.applied(generic, arguments, expression.span, context)
            }
            _ => {
                let problem = Diagnostic::error(codes::NOT_NAME, "a name was expected here", expression.span, "");
                self.report(problem.help("for instance `Text`, `Scope.Name` or `List(Int32)`"));
                None
            }
        }
    }

    fn relative(&mut self, name: &str, span: Span, context: Context) -> Option<Branded> {
        if let Some(implicit) = context.implicit.map(|index| &self.implicits[index]) {
            if let Some(&index) = implicit.names.get(name) {
                return Some(match implicit.owner {
                    Some(node) => Branded::Parameter(Parameter { entry: None, node, index }),
                    None => Branded::Implicit(index),
                });
            }
        }
        match self.catalog.look_up(context.scope, name) {
            Some(Found::Symbol(symbol)) => {
                let scope = BrandScope::within(&self.catalog, context.scope);
                self.symbol(symbol, &scope, span)
            }
            Some(Found::Parameter(entry, index)) => {
                let node = self.catalog.entries[entry].id;
                Some(Branded::Parameter(Parameter { entry: Some(entry), node, index }))
            }
            None => match BUILTINS.iter().find(|(builtin, _)| *builtin == name) {
                Some((_, builtin)) => Some(Branded::Builtin(builtin)),
                None => {
                    self.report_unknown(name, span, &self.scopes_around(context.scope));
                    None
                }
            },
        }
    }

    /// The scope itself first, the file last.
    fn scopes_around(&self, scope: EntryId) -> Vec<EntryId> {
        std::iter::successors(Some(scope), |scope| self.catalog.entries[*scope].parent).collect()
    }

    /// A name that was found in one of the scopes of `scope`.
    fn symbol(&mut self, symbol: Symbol, scope: &Rc<BrandScope>, span: Span) -> Option<Branded> {
        match symbol {
            Symbol::Entry(entry) => {
                self.reach(entry);
                let around = self.catalog.entries[entry].parent.map(|parent| scope.pop(parent));
                let brand = around.map_or_else(|| BrandScope::within(&self.catalog, entry), |scope| scope.push(entry));
                Some(Branded::Entry(entry, brand))
            }
            Symbol::Alias(alias) => {
                let target = self.alias(alias, span)?;
                let client = scope.pop(self.catalog.aliases[alias].scope);
                Some(instantiated(&self.catalog, &target, &client))
            }
        }
    }

    /// The meaning of the alias within its own scope.
    pub(super) fn alias(&mut self, alias: AliasId, span: Span) -> Option<Branded> {
        match self.aliases[alias].clone() {
            AliasState::Done(target, links) => {
                self.names.follow(links);
                return target.filter(|_| self.can_name(links, span));
            }
            AliasState::InProgress => {
                self.report_alias_cycle(alias, span);
                return None;
            }
            AliasState::Unknown => {}
        }
        let Alias { scope, declaration } = self.catalog.aliases[alias];
        let DeclarationKind::Using(expression) = &declaration.kind else { return None };
        self.aliases[alias] = AliasState::InProgress;
        let around = std::mem::take(&mut self.names.longest);
        let target = self.named(expression, Context::of(scope));
        let links = self.names.longest;
        self.names.follow(around);
        self.aliases[alias] = AliasState::Done(target.clone(), links);
        target
    }

    fn report_alias_cycle(&mut self, alias: AliasId, span: Span) {
        let declared = self.catalog.aliases[alias].declaration;
        let message = format!("the alias `{}` leads back to itself", declared.name.text);
        let problem = Diagnostic::error(codes::ALIAS_CYCLE, message, span, "this closes a circle");
        let problem = problem.label(declared.name.span, "the alias");
        self.report(problem.help("let one alias of the circle name a declaration"));
    }

    /// The entry of the file that an `import` names.
    pub(super) fn import(&mut self, word: &'a Word, context: Context) -> Option<EntryId> {
        let from = self.catalog.entries[context.scope].file;
        let (code, message, help) = match self.loaded.files[from].imports.get(&word.text) {
            Some(Import::File(file)) => {
                let entry = self.catalog.files[*file];
                self.reach(entry);
                return Some(entry);
            }
            Some(Import::Unreadable(error)) => {
                (codes::UNREADABLE, format!("{}: {error}", word.text), "check its permissions")
            }
            _ => {
                let help = match word.text.starts_with('/') {
                    true => "give its directory with `-I`, or mend the name",
                    false => "the path is relative to this file; one with a `/` in front is looked for with `-I`",
                };
                (codes::NO_IMPORT, format!("there is no `{}`", word.text), help)
            }
        };
        if self.told_imports.insert((from, &word.text)) {
            self.report(Diagnostic::error(code, message, word.span, "imported here").help(help));
        }
        None
    }

    fn member(&mut self, parent: &Branded, word: &Word) -> Option<Branded> {
        let Branded::Entry(entry, brand) = parent else {
            let problem = Diagnostic::error(
                codes::UNKNOWN_MEMBER,
                format!("there is no `{}` in a built-in type or parameter", word.text),
                word.span,
                "",
            );
            self.report(problem.help("only files, structs and interfaces hold declarations"));
            return None;
        };
        if let Some(symbol) = self.catalog.entries[*entry].names.get(word.text.as_str()).copied() {
            return self.symbol(symbol, brand, word.span);
        }
        self.report_unknown_member(*entry, word);
        None
    }

    fn report_unknown_member(&mut self, entry: EntryId, word: &Word) {
        let suggestion = self.suggestion(&word.text, &[entry]);
        let entry = &self.catalog.entries[entry];
        let message = format!("`{}` declares no `{}`", entry.name(), word.text);
        let mut problem = Diagnostic::error(codes::UNKNOWN_MEMBER, message, word.span, "");
        if let Some(span) = entry.span() {
            problem = problem.label(span, "declared here");
        }
        let is_enum = matches!(entry.declaration.map(|d| &d.kind), Some(DeclarationKind::Enum(_)));
        self.report(match suggestion {
            Some(name) => problem.mend(format!("is `{name}` meant?"), word.span, name),
            None if is_enum => problem.help("an enumerant is written without its enum's name"),
            None => problem.help("declare it there, or mend its spelling"),
        });
    }

    fn report_unknown(&mut self, name: &str, span: Span, scopes: &[EntryId]) {
        let suggestion = self.suggestion(name, scopes);
        let problem = Diagnostic::error(codes::UNKNOWN_NAME, format!("`{name}` is not declared"), span, "");
        let is_builtin = BUILTINS.iter().any(|(builtin, _)| *builtin == name);
        self.report(match suggestion {
            Some(known) => problem.mend(format!("is `{known}` meant?"), span, known),
            None if is_builtin => problem.help("a dot in front looks in the file alone: built-in types go without it"),
            None => problem.help("declare it, import the file that does, or mend its spelling"),
        });
    }

    /// A name in the scopes, or a built-in one, that is nearly `name`. Not looked for once there are so many problems
    /// that it would not be seen.
    fn suggestion(&self, name: &str, scopes: &[EntryId]) -> Option<String> {
        if self.diagnostics.len() >= crate::text::MAX_PROBLEMS {
            return None;
        }
        let declared = scopes.iter().flat_map(|scope| {
            let entry = &self.catalog.entries[*scope];
            let file = &self.loaded.files[entry.file].ast;
            let nested = entry.declaration.map_or(file.declarations.as_slice(), |declaration| declaration.nested());
            let names = nested.iter().map(|declaration| &declaration.name);
            names.chain(entry.parameters).map(|word| word.text.as_str())
        });
        similar(name, declared.chain(BUILTINS.iter().map(|(name, _)| *name))).map(str::to_owned)
    }

    /// `generic(arguments)`
    fn applied(
        &mut self,
        generic: Branded,
        arguments: &'a [Argument],
        span: Span,
        context: Context,
    ) -> Option<Branded> {
        let mut types = Vec::new();
        for argument in arguments {
            if let Some(name) = &argument.name {
                let problem =
                    Diagnostic::error(codes::NAMED_ARGUMENT, "type parameters have no names here", name.span, "");
                self.report(problem.help("give them by position: `Map(Text, Data)`"));
                return None;
            }
            types.push(self.named(&argument.value, context)?);
        }
        let wanted = match &generic {
            Branded::Entry(entry, brand) if brand.bound.is_empty() => self.catalog.entries[*entry].parameters.len(),
            Branded::Builtin(Builtin::List) => 1,
            _ => 0,
        };
        if types.len() != wanted {
            self.report_parameter_count(&generic, wanted, types.len(), span);
            return None;
        }
        match generic {
            Branded::Entry(entry, brand) => {
                let values = arguments.iter().zip(&types).find(|(_, ty)| !self.is_pointer(ty));
                if let Some((argument, _)) = values {
                    self.report_parameter_type(argument.value.span);
                    return None;
                }
                Some(Branded::Entry(entry, brand.bind(types)))
            }
            _ => types.pop().map(|element| Branded::List(Rc::new(element))),
        }
        .filter(|applied| self.is_light(applied, span))
    }

    /// Bindings that hold bindings can grow without measure; they are refused before they do.
    fn is_light(&mut self, branded: &Branded, span: Span) -> bool {
        const MOST: usize = 4096;
        let light = branded.weight() <= MOST;
        if !light {
            self.report_too_large(span);
        }
        light
    }

    fn is_pointer(&self, ty: &Branded) -> bool {
        match ty {
            Branded::Builtin(builtin) => builtin.is_pointer(),
            Branded::Entry(entry, _) => matches!(
                self.catalog.entries[*entry].declaration.map(|declaration| &declaration.kind),
                Some(DeclarationKind::Struct { .. } | DeclarationKind::Interface { .. })
            ),
            Branded::List(_) | Branded::Parameter(_) | Branded::Implicit(_) => true,
        }
    }

    fn report_parameter_type(&mut self, span: Span) {
        let message = "only pointer types can be generic parameters";
        let problem = Diagnostic::error(codes::PARAMETER_TYPE, message, span, "this is kept by value");
        self.report(problem.help("use a struct, list, Text, Data or interface; put the value into a struct"));
    }

    fn report_parameter_count(&mut self, generic: &Branded, wanted: usize, found: usize, span: Span) {
        let twice = matches!(generic, Branded::Entry(_, brand) if !brand.bound.is_empty())
            || matches!(generic, Branded::List(_));
        let message = match (twice, wanted) {
            (true, _) => "type parameters are given twice".to_owned(),
            (_, 0) => "this takes no type parameters".to_owned(),
            (_, 1) => format!("one type parameter is needed, not {found}"),
            _ => format!("{wanted} type parameters are needed, not {found}"),
        };
        let mut problem = Diagnostic::error(codes::PARAMETER_COUNT, message, span, "");
        if let Branded::Entry(entry, _) = generic {
            if let Some(declared) = self.catalog.entries[*entry].span() {
                problem = problem.label(declared, "declared here");
            }
        }
        self.report(match (twice, wanted) {
            (false, 1..) => problem.help("give each of them, or none at all"),
            _ => problem.help("remove the parentheses"),
        });
    }
}
