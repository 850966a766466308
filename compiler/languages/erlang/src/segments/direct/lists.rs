//! Long lists of records at the root: the sections of the records, as pieces, and what they lead to, in one binary that
//! grows, are made side by side, so that nothing has to be reckoned before it is written.

use super::target::{blob_pieces, end_of, place, times, times_of, Object, Words};
use super::usual::{Pointer, Taken};
use super::words;
use super::write::{first_of, list_tag, Growing, Part};
use crate::code::{quote, Expr};
use crate::erl::{atom, binary, bind, call, function, list_before, tuple, Atom, Callee, Clause};
use crate::gen::Gen;
use crate::segments::decode::Sizes;
use crate::segments::encode::Pieces;
use crate::segments::leaves::{Bits, Slots};
use crate::segments::WORD;
use crate::variables::Numbered;
use aldis_plan::Plan;
use aldis_schema::TypeId;

/// Words of the largest binary that the VM puts on the heap of a process.
const MOST_ON_HEAP: u32 = 8;

impl<'a> Gen<'a> {
    /// The records of a list whose records lead to more.
    pub(super) fn deep_list(&mut self, plan: &'a Plan, object: &Object<'a>) -> Option<TypeId> {
        match object {
            Object::Records(id) if self.leads_on(plan, *id) => Some(*id),
            _ => None,
        }
    }

    /// As [`Gen::ends`], where what pointers lead to is written before the root's sections; with the parts of all that.
    pub(super) fn parts(
        &mut self,
        plan: &'a Plan,
        pointers: &[Pointer<'a>],
        own: u32,
        pieces: &mut Pieces,
    ) -> (Words, Vec<Part>) {
        let (mut at, mut parts) = (Words::known(own), Vec::new());
        for (index, (offset, var, object)) in pointers.iter().enumerate() {
            let pointer = self.object_pointer(plan, object, var, place(&at, *offset));
            pieces.pointer(*offset, pointer);
            if matches!(object, Object::Null) {
                continue;
            }
            let words = self.part(plan, object, var, pieces, &mut parts);
            let end = format!("Next{}", index + 1);
            pieces.before.push(bind(end.as_str(), at.plus(words).expr()));
            at = Words::of(end);
        }
        (at, parts)
    }

    /// Adds what a pointer of the root leads to, and statements that make it; gives how many words that is.
    fn part(
        &mut self,
        plan: &'a Plan,
        object: &Object<'a>,
        var: &str,
        pieces: &mut Pieces,
        parts: &mut Vec<Part>,
    ) -> Words {
        let bytes = format!("{var}Bytes");
        let behind_other = parts.iter().any(|part| !matches!(part, Part::Segments(_)));
        if let (true, Object::Text { .. } | Object::Bytes { .. }) = (behind_other, object) {
            // A construction that begins with a binary is one that grows, which costs more than two pieces.
            let [own, padding] = blob_pieces(object, var);
            if own != quote(var) {
                pieces.before.push(bind("true", call("is_binary", [own.clone()])));
            }
            parts.extend([Part::Iodata(own), Part::Segments(vec![padding])]);
        } else if let Some(segments) = self.object_segments(plan, object, var) {
            parts.push(Part::Segments(segments));
        } else if let Object::Laid(id) = object {
            let (each, sizes) = (self.side_by_side_each(plan, *id), Sizes::of(plan, *id));
            let cells = format!("{var}Cells");
            let found = tuple([&cells, &bytes].map(|name| quote(name.as_str())));
            let own = end_of(var);
            pieces.before.push(bind(own.as_str(), times(words(sizes), var)));
            pieces.before.push(bind(found, format!("{each}({var}, {own}, {own}, {})", start(sizes))));
            let tag = format!("((length({var}) bsl 2) + {}):64/little", list_tag(sizes));
            parts.push(Part::Segments(vec![quote(tag)]));
            match on_heap(sizes) {
                true => parts.push(Part::Laid { cells, bytes }),
                false => parts.extend([cells, bytes].map(|own| Part::Iodata(quote(own)))),
            }
        } else if let Some(id) = self.deep_list(plan, object) {
            let function = self.side_by_side(plan, id);
            let (end, io) = (format!("{var}End"), format!("{var}Io"));
            let both = tuple([&end, &io].map(|name| quote(name.as_str())));
            pieces.before.push(bind(both, format!("{function}({var})")));
            parts.push(Part::Iodata(quote(io)));
            return Words::of(end);
        } else {
            let added = self.object_added(plan, object, var, quote("<<>>")).unwrap_or(Expr::Null);
            pieces.before.push(bind(bytes.as_str(), added));
            parts.push(Part::Iodata(quote(&bytes)));
            return Words::of(format!("byte_size({bytes}) bsr 3"));
        }
        self.object_words(plan, object, var)
    }

    /// The function that lays a list of records out, or null: it gives its words with all behind it, and its iodata.
    fn side_by_side(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("lay_{}_list", self.names.of(id));
        self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let each = gen.side_by_side_each(plan, id);
            let sizes = Sizes::of(plan, id);
            let in_order = if on_heap(sizes) { "lists:reverse(Sections)" } else { "Sections" };
            let tag = format!("<<((Count bsl 2) + {}):64/little>>", list_tag(sizes));
            let body = vec![
                quote("Count = length(Values)"),
                bind("Left", times_of(words(sizes), "Count")),
                quote(format!("{{Sections, Acc}} = {each}(Values, Left, Left, {})", start(sizes))),
                quote(format!("{{Left + 1 + (byte_size(Acc) bsr 3), [{tag}, {in_order}, Acc]}}")),
            ];
            let null = Clause::new(["undefined"], ["{0, []}"]);
            function(atom(own), &[null, Clause::new(["Values"], body)])
        })
    }

    /// The function that lays records out, `f(Records, Left, Next, Sections, Objects)`: it gives their sections, as a list with
    /// the last record's first where they are short, and what is behind them. `Left` is how many words the sections of these
    /// records have, `Next` how many lie between the first of them and the first object.
    fn side_by_side_each(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("lay_{}_each", self.names.of(id));
        self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let own = atom(own);
            let sizes = Sizes::of(plan, id);
            let slots = gen.sections_slots(plan, id);
            let usual = gen.usual_values(plan, &slots, sizes, true);
            let any = gen.any_values(plan, &slots, sizes);
            let taken = usual.into_iter().chain([any]);
            let mut clauses: Vec<Clause> = taken.map(|taken| gen.laid_record(plan, &slots, taken, &own)).collect();
            clauses.push(Clause::new(["[], _, _, Sections, Acc"], ["{Sections, Acc}"]));
            function(&own, &clauses)
        })
    }

    /// A clause for one record: its sections, what it leads to, and on with the next.
    fn laid_record(&mut self, plan: &'a Plan, slots: &Slots<'a>, taken: Taken<'a>, each: &Atom) -> Clause {
        let sizes = Sizes::of(plan, slots.owner);
        let leaves = self.leaves(slots);
        let mut pieces = self.record_pieces(plan, &leaves, sizes);
        let mut growing = Growing::onto(Numbered::first("Acc"), taken.before);
        let mut at = Numbered::first("Next");
        for (offset, var, object) in &taken.pointers {
            let pointer = self.object_pointer(plan, object, var, place(&Words::of(at.to_string()), *offset));
            pieces.pointer(*offset, pointer);
            if matches!(object, Object::Null) {
                continue;
            }
            let reached = if let Some(segments) = self.object_segments(plan, object, var) {
                growing.waiting.extend(segments);
                Words::of(at.to_string()).plus(self.object_words(plan, object, var)).expr()
            } else {
                growing.flush();
                let added = self.object_added(plan, object, var, growing.there()).unwrap_or(Expr::Null);
                let acc = growing.bind(added);
                quote(format!("Left + (byte_size({acc}) bsr 3)"))
            };
            at = at.next();
            growing.body.push(bind(at, reached));
        }
        growing.flush();
        let acc = growing.there();
        let mut body = growing.body;
        let own = pieces.over(Bits { from: 0, to: words(sizes) * WORD * 8 });
        let sections = match on_heap(sizes) {
            true => list_before([binary(own)], "Sections"),
            false => binary(std::iter::once(quote("Sections/binary")).chain(own)),
        };
        let own_words = words(sizes);
        let places = [quote(format!("Left - {own_words}")), quote(format!("{at} - {own_words}"))];
        let args = [quote("Rest")].into_iter().chain(places).chain([sections, acc]);
        body.push(call(each, args));
        let more = ["Left", "Next", "Sections", "Acc"].map(quote);
        Clause::new([first_of(taken.pattern)].into_iter().chain(more), body)
            .when_all([pieces.guards, taken.guards].concat())
    }
}

/// The accumulators with which writers of records' sections and all behind them begin.
fn start(sizes: Sizes) -> &'static str {
    if on_heap(sizes) {
        "[], <<>>"
    } else {
        "<<>>, <<>>"
    }
}

/// Whether a record's sections are a binary on the heap of a process, which costs less than to add to one that grows.
fn on_heap(sizes: Sizes) -> bool {
    words(sizes) <= MOST_ON_HEAP
}
