//! Regular white space, as the smallest change of whole lines.

use crate::places::range;
use aldis_diagnostics::Source;
use aldis_plan::Format;
use lsp_types::TextEdit;

/// The changes that make the document's white space regular; `None` where the language has no formatter or the text has
/// mistakes.
pub(crate) fn edits(format: &dyn Format, source: &Source) -> Option<Vec<TextEdit>> {
    let regular = format.tidy(&source.path, &source.text)?.text?;
    if regular == source.text {
        return Some(Vec::new());
    }
    let (old, new) = (source.text.as_str(), regular.as_str());
    let head = common(old.split_inclusive('\n'), new.split_inclusive('\n'));
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = common(old_rest.split_inclusive('\n').rev(), new_rest.split_inclusive('\n').rev());
    let text = new_rest[..new_rest.len() - tail].to_owned();
    Some(vec![TextEdit::new(range(source, head, old.len() - tail), text)])
}

/// The bytes of the lines with which both begin.
fn common<'a>(old: impl Iterator<Item = &'a str>, new: impl Iterator<Item = &'a str>) -> usize {
    old.zip(new).take_while(|(a, b)| a == b).map(|(line, _)| line.len()).sum()
}
