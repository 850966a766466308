//! Checks of a file that need no lookups: ids, names, and the shape of unions and groups.

use super::Resolver;
use crate::codes;
use crate::ids::{self, TOP_BIT};
use crate::text::ast::{Declaration, DeclarationKind, ExpressionKind, Member, MemberKind, Number, Word};
use aldis_diagnostics::{Diagnostic, Span};
use std::collections::HashMap;

/// The owner of each name in a scope.
type Names<'a> = HashMap<&'a str, Span>;

impl<'a> Resolver<'a> {
    pub(super) fn check_file(&mut self, file: usize) {
        let loaded = &self.loaded.files[file];
        match loaded.ast.id {
            None => self.report_no_id(file),
            Some(id) => self.check_id(id),
        }
        let mut names = Names::new();
        self.check_nested(&loaded.ast.declarations, &mut names);
        self.check_chosen_ids(file);
    }

    fn report_no_id(&mut self, file: usize) {
        let loaded = &self.loaded.files[file];
        let id = ids::suggested(&loaded.name, &self.loaded.sources.get(loaded.source).text);
        let start = Span::new(loaded.source, 0, 0);
        let problem = Diagnostic::error(codes::NO_FILE_ID, "the file has no id", start, "it begins here");
        self.report(problem.help(format!("make this its first line, and never change it: `@{id:#018x};`")));
    }

    fn check_id(&mut self, id: Number) {
        if id.value & TOP_BIT == 0 {
            let message = "an id's top bit is set";
            let problem = Diagnostic::error(codes::BAD_ID, message, id.span, "this one's is not");
            let or_this = id.value | TOP_BIT;
            self.report(problem.help(format!("use one that `capnp id` makes up, or `@{or_this:#018x}`")));
        }
    }

    /// Ids that someone chose must not be another declaration's.
    fn check_chosen_ids(&mut self, file: usize) {
        let end = self.catalog.files.get(file + 1).copied().unwrap_or(self.catalog.entries.len());
        for index in self.catalog.files[file]..end {
            let entry = &self.catalog.entries[index];
            let Some(&first) = self.by_id.get(&entry.id).filter(|first| **first != index) else { continue };
            let chosen = |entry: usize| {
                let entry = &self.catalog.entries[entry];
                match entry.declaration {
                    Some(declaration) => declaration.id.map(|id| id.span),
                    None => self.loaded.files[entry.file].ast.id.map(|id| id.span),
                }
            };
            let spans = (chosen(index), chosen(first));
            let (Some(span), other) = (spans.0.or(spans.1), spans.1.or(self.catalog.entries[first].span())) else {
                continue;
            };
            let message = format!("the id {:#018x} is taken", entry.id);
            let mut problem = Diagnostic::error(codes::DUPLICATE_ID, message, span, "");
            if let Some(other) = other.filter(|other| *other != span) {
                problem = problem.label(other, "here");
            }
            self.report(problem.help("give one of the two an id of its own, from `capnp id`"));
        }
    }

    /// The depth of this recursion is the parser's.
    fn check_nested(&mut self, declarations: &'a [Declaration], names: &mut Names<'a>) {
        for declaration in declarations {
            self.check_name(&declaration.name, is_type(declaration), names);
            if let Some(id) = declaration.id {
                self.check_id(id);
            }
            let mut inner = Names::new();
            match &declaration.kind {
                DeclarationKind::Struct { members, .. } => self.check_members(members, &mut inner, false),
                DeclarationKind::Enum(enumerants) => {
                    for enumerant in enumerants {
                        self.check_name(&enumerant.name, false, &mut inner);
                    }
                }
                DeclarationKind::Interface { methods, .. } => {
                    for method in methods {
                        self.check_name(&method.name, false, &mut inner);
                        self.check_fields(&method.params);
                        self.check_fields(&method.results);
                    }
                }
                _ => {}
            }
            self.check_nested(declaration.nested(), &mut inner);
        }
    }

    /// Parameters only need to differ.
    fn check_fields(&mut self, signature: &'a crate::text::ast::Signature) {
        let crate::text::ast::Signature::Fields(fields) = signature else { return };
        let mut names = Names::new();
        for name in fields.iter().filter_map(|field| field.name.as_ref()) {
            self.check_unique(name, &mut names);
        }
    }

    fn check_members(&mut self, members: &'a [Member], names: &mut Names<'a>, in_union: bool) {
        let mut unnamed: Option<Span> = None;
        for member in members {
            if let Some(name) = &member.name {
                self.check_name(name, false, names);
            }
            match (&member.kind, &member.name) {
                (MemberKind::Field { .. }, _) => {}
                (MemberKind::Group(inner), _) => {
                    if inner.is_empty() {
                        let problem = Diagnostic::error(codes::EMPTY_GROUP, "this group is empty", member.span, "");
                        self.report(problem.help("add a field, or remove the group"));
                    }
                    self.check_members(inner, &mut Names::new(), false);
                }
                (MemberKind::Union(inner), Some(_)) => {
                    self.check_union(member, inner);
                    self.check_members(inner, &mut Names::new(), true);
                }
                (MemberKind::Union(inner), None) => {
                    self.check_unnamed(member, in_union, unnamed);
                    unnamed = unnamed.or(Some(member.span));
                    self.check_union(member, inner);
                    self.check_members(inner, names, true);
                }
            }
        }
    }

    fn check_union(&mut self, union: &Member, members: &[Member]) {
        if members.len() < 2 {
            let count = if members.is_empty() { "no members" } else { "one member only" };
            let problem = Diagnostic::error(codes::SMALL_UNION, format!("this union has {count}"), union.span, "");
            self.report(problem.help("a union chooses between two or more; a field can become a union later"));
        }
    }

    fn check_unnamed(&mut self, union: &Member, in_union: bool, first: Option<Span>) {
        if in_union {
            let message = "a union directly in a union needs a name";
            let problem = Diagnostic::error(codes::UNION_IN_UNION, message, union.span, "");
            self.report(problem.help("write `name :union { … }`"));
        } else if let Some(first) = first {
            let message = "a scope has one union without a name";
            let problem = Diagnostic::error(codes::SECOND_UNION, message, union.span, "the second one");
            self.report(problem.label(first, "the first one").help("name one of them: `name :union { … }`"));
        }
    }

    fn check_name(&mut self, word: &'a Word, is_type: bool, names: &mut Names<'a>) {
        let first = word.text.chars().next().unwrap_or('_');
        if word.text.contains('_') {
            let message = format!("`{}` has an underscore", word.text);
            let problem = Diagnostic::error(codes::NAME_UNDERSCORE, message, word.span, "");
            self.report(
                problem.help(format!("write `{}`; generated code has its language's style", camel(&word.text))),
            );
        } else if first.is_ascii_uppercase() != is_type {
            let (what, letter) = match is_type {
                true => ("types begin with a capital letter", first.to_ascii_uppercase()),
                false => ("only types begin with a capital letter", first.to_ascii_lowercase()),
            };
            let problem = Diagnostic::error(codes::NAME_CASE, what, word.span, "");
            self.report(problem.help(format!("write `{letter}{}`", &word.text[first.len_utf8()..])));
        }
        self.check_unique(word, names);
    }

    fn check_unique(&mut self, word: &'a Word, names: &mut Names<'a>) {
        if let Some(first) = names.insert(&word.text, word.span) {
            names.insert(&word.text, first);
            let message = format!("`{}` is declared twice", word.text);
            let problem = Diagnostic::error(codes::DUPLICATE_NAME, message, word.span, "the second one");
            self.report(
                problem.label(first, "the first one").help("rename one; members of a union without a name count"),
            );
        }
    }
}

/// Whether its name begins with a capital. An alias is what its target is.
fn is_type(declaration: &Declaration) -> bool {
    let DeclarationKind::Using(target) = &declaration.kind else {
        return !matches!(declaration.kind, DeclarationKind::Const { .. } | DeclarationKind::Annotation { .. });
    };
    let last = match &target.kind {
        ExpressionKind::Name(name) => name.as_str(),
        ExpressionKind::Absolute(word) | ExpressionKind::Member(_, word) => word.text.as_str(),
        _ => return true,
    };
    !last.starts_with(|c: char| c.is_ascii_lowercase())
}

/// `some_name` as `someName`.
fn camel(name: &str) -> String {
    let mut parts = name.split('_').filter(|part| !part.is_empty());
    let mut joined = parts.next().unwrap_or("name").to_owned();
    for part in parts {
        let (first, rest) = part.split_at(1);
        joined.push_str(&first.to_ascii_uppercase());
        joined.push_str(rest);
    }
    joined
}
