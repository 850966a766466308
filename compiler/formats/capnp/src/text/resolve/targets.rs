//! The targets of annotations.

use super::Resolver;
use crate::codes;
use crate::model::Targets;
use crate::text::ast::Word;
use aldis_diagnostics::{similar, Diagnostic, Span};

#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    File,
    Const,
    Enum,
    Enumerant,
    Struct,
    Field,
    Union,
    Group,
    Interface,
    Method,
    Param,
    Annotation,
}

/// Each target with its word in a list of targets, and with what several of it are called.
const ALL: [(Target, &str, &str); 12] = [
    (Target::File, "file", "files"),
    (Target::Struct, "struct", "structs"),
    (Target::Field, "field", "fields"),
    (Target::Union, "union", "unions"),
    (Target::Group, "group", "groups"),
    (Target::Enum, "enum", "enums"),
    (Target::Enumerant, "enumerant", "enumerants"),
    (Target::Interface, "interface", "interfaces"),
    (Target::Method, "method", "methods"),
    (Target::Param, "param", "parameters"),
    (Target::Annotation, "annotation", "annotations"),
    (Target::Const, "const", "constants"),
];

impl Target {
    /// Its word in a list of targets, and what several of it are called.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        let row = ALL.iter().find(|(target, ..)| *target as usize == self as usize);
        row.map_or(("*", "this"), |(_, word, several)| (word, several))
    }

    pub(super) fn is_among(self, mut targets: Targets) -> bool {
        *self.of(&mut targets)
    }

    fn of(self, targets: &mut Targets) -> &mut bool {
        match self {
            Target::File => &mut targets.file,
            Target::Const => &mut targets.constant,
            Target::Enum => &mut targets.enumeration,
            Target::Enumerant => &mut targets.enumerant,
            Target::Struct => &mut targets.structure,
            Target::Field => &mut targets.field,
            Target::Union => &mut targets.union,
            Target::Group => &mut targets.group,
            Target::Interface => &mut targets.interface,
            Target::Method => &mut targets.method,
            Target::Param => &mut targets.param,
            Target::Annotation => &mut targets.annotation,
        }
    }
}

impl Resolver<'_> {
    /// The list of targets in an annotation's declaration.
    pub(super) fn targets(&mut self, words: &[Word]) -> Targets {
        let mut targets = Targets::default();
        for (index, word) in words.iter().enumerate() {
            if word.text == "*" {
                if words.len() > 1 {
                    let message = "`*` is every target already";
                    let problem = Diagnostic::error(codes::BAD_TARGET, message, word.span, "");
                    self.report(problem.help("write `(*)`, or name the targets without it"));
                }
                ALL.iter().for_each(|(target, ..)| *target.of(&mut targets) = true);
                return targets;
            }
            match ALL.iter().find(|(_, name, _)| *name == word.text) {
                None => self.report_no_target(word),
                Some((target, ..)) if target.is_among(targets) => {
                    let first = words[..index].iter().find(|first| first.text == word.text);
                    self.report_target_twice(word, first.map(|first| first.span));
                }
                Some((target, ..)) => *target.of(&mut targets) = true,
            }
        }
        targets
    }

    fn report_no_target(&mut self, word: &Word) {
        let message = format!("`{}` is nothing that annotations are for", word.text);
        let problem = Diagnostic::error(codes::BAD_TARGET, message, word.span, "");
        let help = match similar(&word.text, ALL.iter().map(|(_, name, _)| *name)) {
            Some(meant) => format!("is `{meant}` meant?"),
            None => {
                let names: Vec<&str> = ALL.iter().map(|(_, name, _)| *name).collect();
                format!("there are {}, and `*` for all", names.join(", "))
            }
        };
        self.report(problem.help(help));
    }

    fn report_target_twice(&mut self, word: &Word, first: Option<Span>) {
        let message = format!("`{}` stands there twice", word.text);
        let mut problem = Diagnostic::error(codes::BAD_TARGET, message, word.span, "the second one");
        if let Some(first) = first {
            problem = problem.label(first, "the first one");
        }
        self.report(problem.help("keep one"));
    }
}
