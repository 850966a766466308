//! Ordinals: each once, none missing, none above 65535.

use super::Resolver;
use crate::codes;
use crate::text::ast::{Number, Word};
use aldis_diagnostics::{Diagnostic, Span};

impl Resolver<'_> {
    /// `members` come in ascending order of their ordinals. Only the first gap is told: behind it all is shifted.
    pub(super) fn check_ordinals<'w>(&mut self, members: impl Iterator<Item = (Number, &'w Word)>) {
        let mut expected = 0u64;
        let mut last: Option<(Number, &Word)> = None;
        for (ordinal, name) in members {
            if ordinal.value > u64::from(u16::MAX) {
                let message = format!("{} is no ordinal", ordinal.value);
                let problem = Diagnostic::error(codes::ORDINAL_RANGE, message, ordinal.span, "");
                self.report(problem.help("ordinals go from 0 to 65535, without gaps"));
                return;
            }
            match last {
                Some((before, twin)) if before.value == ordinal.value => {
                    self.report_twin(ordinal, name, before.span, twin);
                }
                _ if ordinal.value > expected => {
                    self.report_gap(expected, ordinal, last);
                    return;
                }
                _ => expected += 1,
            }
            last = Some((ordinal, name));
        }
    }

    fn report_twin(&mut self, ordinal: Number, name: &Word, before: Span, twin: &Word) {
        let message = format!("`{}` and `{}` have one ordinal, @{}", twin.text, name.text, ordinal.value);
        let problem =
            Diagnostic::error(codes::DUPLICATE_ORDINAL, message, ordinal.span, "the second").label(before, "the first");
        self.report(problem.help("give the newer one the next free number"));
    }

    fn report_gap(&mut self, missing: u64, ordinal: Number, last: Option<(Number, &Word)>) {
        let end = ordinal.value - 1;
        let what = if missing == end { format!("@{missing} is") } else { format!("@{missing} to @{end} are") };
        let message = match last {
            Some((before, _)) => format!("{what} missing between @{} and @{}", before.value, ordinal.value),
            None => format!("{what} missing before @{}", ordinal.value),
        };
        let mut problem =
            Diagnostic::error(codes::ORDINAL_GAP, message, ordinal.span, format!("@{missing} was to be next"));
        if let Some((before, _)) = last {
            problem = problem.label(before.span, "the one before");
        }
        self.report(
            problem.help("number without gaps; a member that is gone keeps its number under a name like `unused3`"),
        );
    }
}
