//! Operations on segments, as lines.

use super::{repr_text, Names};
use crate::segments::{Listed, Segments};

/// An operation in words.
pub(super) fn line(names: &Names<'_>, segments: &Segments) -> String {
    let listed = |of: &Listed| format!("list {}", names.syms(&[of.at, of.count, of.stride, of.data, of.pointers]));
    match segments {
        Segments::Open => "open segments".to_owned(),
        Segments::Aim { at, segment, budget } => {
            format!("aim at {} in {}", names.some(&[Some(*at), *budget]), names.arg(*segment))
        }
        Segments::IsNull { aim } => format!("null {}", names.sym(*aim)),
        Segments::Sections { aim, at, depth, budget } => {
            format!("sections of {}", names.some(&[Some(*aim), Some(*at), *depth, *budget]))
        }
        Segments::Octets { aim, at, text, budget } => {
            let what = if *text { "text" } else { "bytes" };
            format!("{what} of {}", names.some(&[Some(*aim), Some(*at), *budget]))
        }
        Segments::IsList { aim, at } => format!("is list {}", names.syms(&[*aim, *at])),
        Segments::List { aim, at, budget } => format!("list of {}", names.some(&[Some(*aim), Some(*at), *budget])),
        Segments::Seat { of, index } => format!("seat {} in {}", names.sym(*index), listed(of)),
        Segments::Eighths { count } => format!("eighths of {}", names.arg(*count)),
        Segments::Short { bits } => format!("short of {} bits", names.arg(*bits)),
        Segments::Bits { at, count, .. } => format!("{} bits at {}", names.arg(*count), names.sym(*at)),
        Segments::Strided { of, scalar, .. } => format!("strided {} in {}", repr_text(scalar.repr), listed(of)),
        Segments::Keep { at, segment, depth, budget } => {
            format!("keep {} in {}", names.some(&[Some(*at), *depth, *budget]), names.arg(*segment))
        }
    }
}
