//! Statements on which the headers of files that import each other must agree.

use crate::ast::{File, Word};
use crate::codes;
use crate::load::LoadedFile;
use aldis_diagnostics::Diagnostic;

pub(super) fn check(files: &[LoadedFile], diagnostics: &mut Vec<Diagnostic>) {
    for file in files {
        for (import, target) in &file.imports {
            let imported = &files[*target].ast;
            check_package(import, imported, diagnostics);
            check_domain(import, &file.ast, imported, diagnostics);
        }
    }
}

fn check_package(import: &Word, imported: &File, diagnostics: &mut Vec<Diagnostic>) {
    let Some(package) = imported.package.as_ref().filter(|package| package.text != import.text) else { return };
    let message = format!("{}.fbe holds the package `{}`", import.text, package.text);
    diagnostics.push(
        Diagnostic::warning(codes::IMPORT_NAME, message, import.span, "imported under its file's name")
            .label(package.span, "its package is called otherwise")
            .help(format!("its types are called `{}.…`; fbec wants file and package to be named alike", package.text)),
    );
}

fn check_domain(import: &Word, file: &File, imported: &File, diagnostics: &mut Vec<Diagnostic>) {
    let domain = |file: &File| file.domain.as_ref().map_or(String::new(), |d| d.text.clone());
    let (ours, theirs) = (domain(file), domain(imported));
    if ours == theirs {
        return;
    }
    let shown = |domain: &str| if domain.is_empty() { "no domain".to_owned() } else { format!("domain `{domain}`") };
    let message = format!("this file has {}, the imported one {}", shown(&ours), shown(&theirs));
    let mut problem = Diagnostic::warning(codes::OTHER_DOMAIN, message, import.span, "imported here");
    for (domain, text) in [(&file.domain, "this file's domain"), (&imported.domain, "the imported file's domain")] {
        if let Some(domain) = domain {
            problem = problem.label(domain.span, text);
        }
    }
    diagnostics.push(problem.help("fbec looks for imported types under the importing file's domain: use one for both"));
}
