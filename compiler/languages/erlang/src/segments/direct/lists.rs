//! Long lists of records at the root: the sections of the records and what they lead to grow side by side, so that nothing
//! has to be reckoned before it is written.

use super::target::{blob_segments, Object};
use super::words;
use super::write::{list_tag, Growing, Pointer};
use crate::decode::record::next;
use crate::erl::{atom, binary, bind, call, concat_docs, function, tuple, Clause};
use crate::gen::Gen;
use crate::segments::decode::Sizes;
use crate::segments::encode::Pieces;
use crate::segments::leaves::Bits;
use crate::segments::WORD;
use aldis_emit::doc::{text, Doc};
use aldis_plan::Plan;
use aldis_schema::TypeId;

impl<'a> Gen<'a> {
    /// Whether a pointer leads to a list of records that lead to more.
    pub(super) fn is_deep_list(&mut self, plan: &'a Plan, object: &Object<'a>) -> bool {
        matches!(object, Object::Records(id) if self.leads_on(plan, *id))
    }

    /// As [`Gen::ends`], where what pointers lead to is written before the root's sections; with the segments of all that.
    pub(super) fn parts(
        &mut self,
        plan: &'a Plan,
        pointers: &[Pointer<'a>],
        own: u32,
        pieces: &mut Pieces,
    ) -> (String, Vec<Doc>) {
        let (mut at, mut segments) = (own.to_string(), Vec::new());
        for (index, (offset, var, object)) in pointers.iter().enumerate() {
            let place = format!("{at} - {}", offset / WORD + 1);
            let pointer = self.object_pointer(plan, object, var, &place);
            pieces
                .segments
                .push((Bits { from: offset * 8, to: (offset + WORD) * 8 }, format!("({pointer}):64/little")));
            let (cells, bytes) = (format!("{var}Cells"), format!("{var}Bytes"));
            let words = match object {
                Object::Null => continue,
                Object::Text | Object::Bytes => {
                    segments.extend(blob_segments(object, var).map(text));
                    self.object_words(plan, object, var)
                }
                Object::Records(id) if self.is_deep_list(plan, object) => {
                    let function = self.side_by_side(plan, *id);
                    let both = tuple([text(cells.as_str()), text(bytes.as_str())]);
                    pieces.before.push(bind(both, text(format!("{function}({var})"))));
                    segments.push(text(format!("{cells}/binary, {bytes}/binary")));
                    format!("((byte_size({cells}) + byte_size({bytes})) bsr 3)")
                }
                _ => {
                    let added = self.object_added(plan, object, var, "<<>>").unwrap_or_default();
                    pieces.before.push(bind(text(bytes.as_str()), text(added)));
                    segments.push(text(format!("{bytes}/binary")));
                    format!("(byte_size({bytes}) bsr 3)")
                }
            };
            let end = format!("Next{}", index + 1);
            pieces.before.push(bind(text(end.as_str()), text(format!("{at} + {words}"))));
            at = end;
        }
        (at, segments)
    }

    /// The function that gives the tag and sections of a list's records, and what they lead to.
    fn side_by_side(&mut self, plan: &'a Plan, id: TypeId) -> String {
        let name = format!("lay_{}_list", self.names.of(id));
        self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let each = atom(&gen.private(&format!("{own}_each")));
            let sizes = Sizes::of(plan, id);
            let tag = format!("<<((Count bsl 2) + {}):64/little>>", list_tag(sizes));
            let body = vec![
                text("Count = length(Values)"),
                text(format!("{each}(Values, {} * Count, {tag}, <<>>)", words(sizes))),
            ];
            let null = Clause::plain(&["undefined"], text("{<<>>, <<>>}"));
            let done = Clause::row("[], _, Sections, Acc", vec![text("{Sections, Acc}")]);
            let clauses = [gen.side_by_side_each(plan, id, &each), done];
            concat_docs([
                function(&atom(own), &[null, Clause::new(vec![text("Values")], body)]),
                function(&each, &clauses),
            ])
        })
    }

    /// The clause for one record: its section, what it leads to, and on with the next.
    fn side_by_side_each(&mut self, plan: &'a Plan, id: TypeId, each: &str) -> Clause {
        let sizes = Sizes::of(plan, id);
        let slots = self.sections_slots(plan, id);
        let leaves = self.leaves(&slots);
        let pointers = self.object_pointers(plan, &leaves, sizes);
        let mut pieces = self.record_pieces(plan, &leaves, sizes);
        let mut growing = Growing { acc: "Acc".to_owned(), waiting: Vec::new(), body: Vec::new() };
        let mut at = "Next".to_owned();
        for (offset, var, object) in &pointers {
            let place = format!("{at} - {}", offset / WORD + 1);
            let pointer = self.object_pointer(plan, object, var, &place);
            pieces
                .segments
                .push((Bits { from: offset * 8, to: (offset + WORD) * 8 }, format!("({pointer}):64/little")));
            let words = match object {
                Object::Null => continue,
                Object::Text | Object::Bytes => {
                    growing.waiting.extend(blob_segments(object, var).map(text));
                    self.object_words(plan, object, var)
                }
                _ => {
                    growing.flush();
                    let before = growing.acc.clone();
                    let added = self.object_added(plan, object, var, &before).unwrap_or_default();
                    growing.bind(text(added));
                    format!("((byte_size({}) - byte_size({before})) bsr 3)", growing.acc)
                }
            };
            let end = next(&at);
            growing.body.push(bind(text(end.as_str()), text(format!("{at} + {words}"))));
            at = end;
        }
        growing.flush();
        let Growing { acc, mut body, .. } = growing;
        let mut segments = vec![text("Sections/binary")];
        segments.extend(pieces.over(Bits { from: 0, to: words(sizes) * WORD * 8 }));
        let left = text(format!("{at} - {}", words(sizes)));
        body.push(call(each, [text("Rest"), left, binary(segments), text(acc)]));
        let one = concat_docs([text("["), self.value_pattern(&slots), text(" | Rest]")]);
        let mut clause = Clause::new(vec![one, text("Next, Sections, Acc")], body);
        clause.guards = pieces.guards;
        clause
    }
}
