//! Fast writers: one construction a record, lists of short elements several at a time.

use super::read::written;
use super::stage::Distance;
use super::{rename, within, UNUSUAL};
use crate::decode::Goal;
use crate::encode::head_text;
use crate::erl::{atom, binary, bind, call, call_text, case_of, function, list, record, texts, writer, Clause};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::slots::{name_slots, scalar_segment, unsigned, Named, Segments};
use crate::wire::Wire;
use aldis_emit::doc::{concat, text, Doc};
use aldis_emit::names::Scope;
use aldis_plan::{Element, Meaning, Message, Node, Repeat, Run, SlotKind, Step, TypeId};

/// Elements of up to so many segments are written several at a time.
const UNROLLED: usize = 12;

/// Elements of up to so many fields are opened in the construction of their list, whatever their fields are.
const OPENED_FIELDS: usize = 4;

/// Longer text is not copied into iodata.
const COPIED: u64 = 256;

/// A construction in the making, with what it takes: the pattern of the value, guards, statements.
pub(super) struct Build {
    segments: Vec<String>,
    guards: Vec<String>,
    statements: Vec<Doc>,
    scope: Scope<()>,
    /// Bytes of the record up to here.
    place: Distance,
    /// Variables of lists' bytes.
    lists: Vec<String>,
    /// The longest text and bytes that go into the construction.
    longest: u64,
}

impl Build {
    fn new() -> Self {
        let locals = ["Value", "Rest", "Acc", "At", "Table", "Blocks", "Block", "Item", "List", "FrameSize"];
        let scope = Scope::new(locals, ());
        Self {
            segments: Vec::new(),
            guards: Vec::new(),
            statements: Vec::new(),
            scope,
            place: Distance::default(),
            lists: Vec::new(),
            longest: u64::MAX,
        }
    }

    fn bytes(&mut self, variable: &str) {
        self.segments.push(format!("{variable}/binary"));
        self.place.add(&Distance::of(0, Some(&format!("byte_size({variable})"))));
    }

    fn let_be(&mut self, variable: &str, value: Doc) {
        self.statements.push(bind(text(variable), value));
    }

    fn construction(&self) -> Doc {
        binary(texts(&self.segments))
    }

    /// The construction as a list, lists' bytes apart.
    fn pieces(&self) -> Doc {
        let mut pieces: Vec<Doc> = Vec::new();
        let mut run: Vec<String> = Vec::new();
        for segment in &self.segments {
            match self.lists.iter().find(|list| segment == &format!("{list}/binary")) {
                None => run.push(segment.clone()),
                Some(list) => {
                    pieces.push(binary(texts(&std::mem::take(&mut run))));
                    pieces.push(text(list.as_str()));
                }
            }
        }
        if !run.is_empty() {
            pieces.push(binary(texts(&run)));
        }
        list(pieces)
    }

    /// The clause `f(Args…) -> Statements…, Result`.
    fn clause(&self, args: Vec<Doc>, result: Doc) -> Clause {
        let mut body = self.statements.clone();
        body.push(result);
        Clause { args, guards: self.guards.clone(), body }
    }
}

impl<'a> Gen<'a> {
    /// The function `f(Record) -> Bytes` for usual messages.
    pub fn fast_encode(&mut self, wire: Wire<'a>, message: &'a Message) -> Option<String> {
        self.fit_message(wire, message)?;
        let name = format!("fast_encode_{}{}", self.names.of(message.record), wire.suffix());
        Some(self.define_in(message.record, &name, &name, |gen, own| {
            let (build, pattern) = gen.build_message(wire, message, u64::MAX);
            let clause = build.clause(vec![pattern], build.construction());
            writer(&atom(own), &[clause, Clause::plain(&["_"], text(UNUSUAL))])
        }))
    }

    /// The function `f(Record) -> Iodata` for usual messages that have lists: these are not copied once more.
    pub fn fast_encode_iolist(&mut self, wire: Wire<'a>, message: &'a Message) -> Option<String> {
        self.fit_message(wire, message)?;
        let (build, pattern) = self.build_message(wire, message, COPIED);
        if build.lists.is_empty() {
            return None;
        }
        let name = format!("fast_encode_{}{}_iolist", self.names.of(message.record), wire.suffix());
        Some(self.define_in(message.record, &name, &name, |_, own| {
            let clause = build.clause(vec![pattern], build.pieces());
            writer(&atom(own), &[clause, Clause::plain(&["_"], text(UNUSUAL))])
        }))
    }

    fn build_message(&mut self, wire: Wire<'a>, message: &'a Message, longest: u64) -> (Build, Doc) {
        let mut build = Build { longest, ..Build::new() };
        let head = &message.envelope.head;
        build.segments.push(head_text(&wire, head, "0").replace("RootAt", &head.size.to_string()));
        let pattern = self.build_record(wire, message.record, None, &mut build);
        if super::message::frame_check(message).is_some() {
            let size = build.place.plus(head.size.into());
            build.let_be("FrameSize", text(format!("aldis_check:frame({size})")));
        }
        (build, pattern)
    }

    /// The function `f(Record) -> Bytes`.
    fn fast_writer(&mut self, wire: Wire<'a>, id: TypeId) -> String {
        let name = format!("fast_write_{}{}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let mut build = Build::new();
            let pattern = gen.build_record(wire, id, None, &mut build);
            let clause = build.clause(vec![pattern], build.construction());
            writer(&atom(own), &[clause, Clause::plain(&["_"], text(UNUSUAL))])
        })
    }

    /// Adds a record to a construction and gives the pattern that opens it.
    fn build_record(&mut self, wire: Wire<'a>, id: TypeId, outer: Option<&str>, build: &mut Build) -> Doc {
        let before = std::mem::take(&mut build.place);
        let own = self.names.variables(id);
        let mut fields: Vec<(u32, Doc)> = Vec::new();
        for step in &wire.layout(id).steps {
            match step {
                Step::Run(run) => self.build_run(wire, id, run, outer, build, &mut fields),
                Step::Part { field, node, .. } => {
                    let var = build.scope.fresh(&within(outer, &own[*field as usize]), ());
                    let goal = self.goal(id, *field as usize);
                    fields.push((*field, self.build_node(wire, node, &var, &goal, build)));
                }
            }
        }
        let mut place = before;
        place.add(&build.place);
        build.place = place;
        fields.sort_by_key(|(field, _)| *field);
        let fields = fields.into_iter().map(|(field, value)| (self.names.field_atom(id, field as usize), value));
        record(&self.names.atom(id), fields.collect::<Vec<_>>())
    }

    fn build_run(
        &mut self,
        wire: Wire<'a>,
        id: TypeId,
        run: &'a Run,
        outer: Option<&str>,
        build: &mut Build,
        fields: &mut Vec<(u32, Doc)>,
    ) {
        let mut named = name_slots(self.names, id, &run.slots);
        named.iter_mut().for_each(|named| rename(named, outer, &mut build.scope));
        let mut out = Segments { parts: Vec::new(), at: 0, gap: |bytes: u32| format!("0:{}", bytes * 8) };
        for slot in &named {
            let pattern = self.build_slot(&wire, slot, build, &mut out);
            fields.extend(slot.slot.field.zip(pattern));
        }
        out.gap_to(run.size);
        build.segments.extend(out.parts.iter().map(|part| part.print(usize::MAX)));
        build.place.add(&Distance::of(run.size.into(), None));
        for slot in &named {
            let Some(field) = slot.slot.field else { continue };
            let goal = self.goal(id, field as usize);
            match &slot.slot.kind {
                SlotKind::Link(link) => {
                    self.build_place(&slot.at(), build);
                    fields.push((field, self.build_node(wire, &link.target, &slot.var, &goal, build)));
                }
                SlotKind::Presence(link) => {
                    self.build_place(&slot.at(), build);
                    self.build_optional(wire, &link.target, &slot.var, &goal, build);
                    fields.push((field, text(slot.var.as_str())));
                }
                _ => {}
            }
        }
    }

    /// Binds `at` to where the construction is.
    fn build_place(&mut self, at: &str, build: &mut Build) {
        build.let_be(at, text(build.place.to_string()));
        build.place = Distance::of(0, Some(at));
    }

    /// Adds a slot's segments; gives the pattern of its value, unless that is found later.
    fn build_slot<G: Fn(u32) -> String>(
        &mut self,
        wire: &Wire<'a>,
        named: &Named<'a>,
        build: &mut Build,
        out: &mut Segments<G>,
    ) -> Option<Doc> {
        let (slot, var) = (named.slot, named.var.as_str());
        let order = wire.plan.byte_order;
        if slot.width > 0 {
            out.gap_to(slot.at);
        }
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let put = self.put_guarded(scalar, var, "[]");
                build.guards.extend(put.guard);
                let segment = scalar_segment(scalar.repr, &put.value, order, put.vm_float);
                out.push(segment.replace("/signed-little", "/little").replace("/signed", ""), slot.width);
            }
            SlotKind::Constant { ty, value } => {
                build.guards.push(format!("{var} =:= {}", self.literal(value, ty, Fresh::Zero)));
            }
            SlotKind::Register(register) if register.constant.is_none() => {
                let value = written(register).unwrap_or_else(|| "0".to_owned());
                out.push(unsigned(&value, slot.width, order), slot.width);
                return None;
            }
            SlotKind::Link(_) => {
                out.push(unsigned(&named.at(), 4, order), 4);
                return None;
            }
            SlotKind::Presence(_) => {
                out.push(format!("(has({var})):8"), 1);
                out.push(unsigned(&format!("(at({var}, {}))", named.at()), 4, order), 4);
                return None;
            }
            SlotKind::Nest { record: id, .. } => {
                let mut fields = Vec::new();
                for member in &named.members {
                    let pattern = self.build_slot(wire, member, build, out);
                    fields.extend(member.slot.field.zip(pattern));
                }
                let fields = fields.into_iter().map(|(at, value)| (self.names.field_atom(*id, at as usize), value));
                return Some(record(&self.names.atom(*id), fields.collect::<Vec<_>>()));
            }
            SlotKind::Chars { .. } => {
                build.guards.push(format!("is_binary({var}), byte_size({var}) =< {}", slot.width));
                out.push(format!("{var}/binary, 0:({} - byte_size({var}))/unit:8", slot.width), slot.width);
            }
            SlotKind::Array { .. } if !named.members.is_empty() => {
                let items: Vec<Doc> =
                    named.members.iter().filter_map(|member| self.build_element(wire, member, build, out)).collect();
                return Some(list(items));
            }
            SlotKind::Array { .. } => {
                let bytes = self.put_bytes(wire, slot, var, "[]");
                out.push(format!("({bytes})/binary"), slot.width);
            }
            _ => return None,
        }
        Some(text(var))
    }

    /// An element of an opened array, whose place is the next.
    fn build_element<G: Fn(u32) -> String>(
        &mut self,
        wire: &Wire<'a>,
        member: &Named<'a>,
        build: &mut Build,
        out: &mut Segments<G>,
    ) -> Option<Doc> {
        let at = out.at;
        out.at = member.slot.at;
        let pattern = self.build_slot(wire, member, build, out);
        out.at = at + member.slot.width;
        pattern
    }

    /// Adds what a node writes, and gives the pattern of its value.
    fn build_node(&mut self, wire: Wire<'a>, node: &'a Node, var: &str, goal: &Goal<'a>, build: &mut Build) -> Doc {
        match node {
            Node::Call { record } if self.one_match_node(wire, node).is_some() => {
                return self.build_record(wire, *record, Some(var), build);
            }
            Node::Call { record } => {
                let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
                let writer = self.fast_writer(wire, *record);
                build.let_be(&bytes, text(call_text(&writer, &[var.to_owned()])));
                build.bytes(&bytes);
            }
            Node::Blob(blob) => {
                build.guards.push(format!("is_binary({var})"));
                build.guards.extend(bounds(&blob.head, &format!("byte_size({var})"), build.longest));
                build.segments.push(head_text(&wire, &blob.head, &format!("(byte_size({var}))")));
                build.place.add(&Distance::of(blob.head.size.into(), None));
                build.bytes(var);
            }
            Node::Cell { slot } => {
                let bytes = self.cell_bytes(&wire, slot, var, "[]");
                build.segments.push(format!("({bytes})/binary"));
                build.place.add(&Distance::of(slot.width.into(), None));
            }
            Node::Maybe { value } => {
                let present = format!("<<1, ({})/binary>>", self.bytes_of(wire, value, var, &goal.required()));
                let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
                let clauses = [(text("undefined"), text("<<0>>")), (text("_"), text(present))];
                build.let_be(&bytes, case_of(text(var), clauses));
                build.bytes(&bytes);
            }
            Node::Repeat(repeat) => self.build_repeat(wire, repeat, var, goal, build),
            Node::Series { .. } | Node::Rebase { .. } | Node::Opaque { .. } => {}
        }
        text(var)
    }

    /// An expression for all that `var` is written as.
    fn bytes_of(&mut self, wire: Wire<'a>, node: &'a Node, var: &str, goal: &Goal<'a>) -> String {
        match node {
            Node::Call { record } => call_text(&self.fast_writer(wire, *record), &[var.to_owned()]),
            Node::Cell { slot } => self.cell_bytes(&wire, slot, var, "[]"),
            other => call_text(&self.fast_part(wire, other, goal), &[var.to_owned()]),
        }
    }

    /// The function `f(Value) -> Bytes` of a node.
    fn fast_part(&mut self, wire: Wire<'a>, node: &'a Node, goal: &Goal<'a>) -> String {
        let mut build = Build::new();
        let pattern = self.build_node(wire, node, "Value", goal, &mut build);
        let clause = build.clause(vec![pattern], build.construction());
        self.share(&format!("fast_write_{}{}", goal.hint, wire.suffix()), |own| {
            writer(&atom(own), &[clause.clone(), Clause::plain(&["_"], text(UNUSUAL))])
        })
    }

    /// What a presence byte's link leads to: a slot that counts links from itself.
    fn build_optional(&mut self, wire: Wire<'a>, target: &'a Node, var: &str, goal: &Goal<'a>, build: &mut Build) {
        let Node::Rebase { value } = target else { return };
        let Node::Cell { slot } = &**value else { return };
        let present = match &slot.kind {
            SlotKind::Link(link) => {
                let link_to = unsigned("4", 4, wire.plan.byte_order);
                format!("<<{link_to}, ({})/binary>>", self.bytes_of(wire, &link.target, var, &goal.required()))
            }
            _ => self.cell_bytes(&wire, slot, var, "[]"),
        };
        let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
        build.let_be(&bytes, case_of(text(var), [(text("undefined"), text("<<>>")), (text("_"), text(present))]));
        build.bytes(&bytes);
    }

    fn build_repeat(&mut self, wire: Wire<'a>, repeat: &'a Repeat, var: &str, goal: &Goal<'a>, build: &mut Build) {
        let Element::One(element) = &repeat.element else { return };
        build.guards.extend(bounds(&repeat.head, &format!("length({var})"), u64::MAX));
        build.segments.push(head_text(&wire, &repeat.head, &format!("(length({var}))")));
        build.place.add(&Distance::of(repeat.head.size.into(), None));
        let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
        let value = match element {
            Node::Cell { slot } => match &slot.kind {
                SlotKind::Link(link) => {
                    let writer = self.fast_linked_list_writer(wire, &link.target, &goal.element());
                    let start = format!("{} + {} * length({var})", build.place, slot.width);
                    call_text(&writer, &[var.to_owned(), start])
                }
                _ => format!("<< {} || Item <- {var} >>", self.cell_bytes(&wire, slot, "Item", "[]")),
            },
            other => call_text(&self.fast_list_writer(wire, other, &goal.element()), &[var.to_owned()]),
        };
        build.let_be(&bytes, text(value));
        build.bytes(&bytes);
        build.lists.push(bytes);
    }

    /// The function `f(List) -> Bytes` of elements one after another.
    fn fast_list_writer(&mut self, wire: Wire<'a>, element: &'a Node, goal: &Goal<'a>) -> String {
        let mut one = Build::new();
        let item = self.build_element_of(wire, element, "Next", goal, &mut one);
        let (mut row, mut several) = (Vec::new(), Build::new());
        let mut clauses = vec![Clause::plain(&["[]"], text("<<>>"))];
        for n in 1..=3 {
            row.push(self.build_element_of(wire, element, &format!("Item{n}"), goal, &mut several));
            clauses.push(several.clause(vec![list(row.clone())], several.construction()));
            if one.segments.len() * (n + 1) > UNROLLED {
                break;
            }
        }
        let longer = binary(texts(&[vec!["Acc/binary".to_owned()], one.segments.clone()].concat()));
        self.share(&format!("fast_write_{}{}_list", goal.hint, wire.suffix()), |own| {
            let each = format!("{own}_each");
            let mut clauses = clauses.clone();
            clauses.push(Clause::plain(&["List"], text(format!("{}(List, <<>>)", atom(&each)))));
            let next = concat([text("["), item.clone(), text(" | Rest]")]);
            let loops = [
                one.clause(vec![next, text("Acc")], call(&atom(&each), [text("Rest"), longer.clone()])),
                Clause::plain(&["[]", "Acc"], text("Acc")),
                Clause::plain(&["_", "_"], text(UNUSUAL)),
            ];
            concat([writer(&atom(own), &clauses), writer(&atom(&each), &loops)])
        })
    }

    /// An element of a list: opened where it is one construction, else written by its own function.
    fn build_element_of(
        &mut self,
        wire: Wire<'a>,
        element: &'a Node,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) -> Doc {
        match element {
            Node::Call { record }
                if self.one_match(wire, *record).is_some()
                    || self.schema.record(*record).fields.len() <= OPENED_FIELDS =>
            {
                self.build_record(wire, *record, Some(var), build)
            }
            Node::Call { record } => {
                let writer = self.fast_writer(wire, *record);
                build.segments.push(format!("({writer}({var}))/binary"));
                text(var)
            }
            other => self.build_node(wire, other, var, goal, build),
        }
    }

    /// The function `f(List, At) -> Bytes`: a table of links, and the elements that they lead to, from `At` on.
    fn fast_linked_list_writer(&mut self, wire: Wire<'a>, element: &'a Node, goal: &Goal<'a>) -> String {
        let bytes = self.bytes_of(wire, element, "Item", goal);
        let at = unsigned("At", 4, wire.plan.byte_order);
        self.share(&format!("fast_write_{}{}_list", goal.hint, wire.suffix()), |own| {
            let each = format!("{own}_each");
            let start = text(format!("{}(List, At, <<>>, <<>>)", atom(&each)));
            let clauses = [
                Clause::plain(&["[]", "_"], text("<<>>")),
                Clause::plain(&["[Item]", "At"], text(format!("<<{at}, ({bytes})/binary>>"))),
                Clause::plain(&["List", "At"], start),
            ];
            let grown = [format!("<<Table/binary, {at}>>"), "<<Blocks/binary, Block/binary>>".to_owned()];
            let onward = [text("Rest"), text("At + byte_size(Block)")].into_iter().chain(texts(&grown));
            let body = vec![text(format!("Block = {bytes}")), call(&atom(&each), onward)];
            let loops = [
                Clause::new(["[Item | Rest]", "At", "Table", "Blocks"].map(text).to_vec(), body),
                Clause::plain(&["[]", "_", "Table", "Blocks"], text("<<Table/binary, Blocks/binary>>")),
            ];
            concat([function(&atom(own), &clauses), function(&atom(&each), &loops)])
        })
    }
}

/// What must hold of a count for writers to put it into a head.
fn bounds(head: &Run, count: &str, most: u64) -> Vec<String> {
    let bounds = head.slots.iter().find_map(|slot| match &slot.kind {
        SlotKind::Register(register) => match register.meaning {
            Meaning::Count { min, max } => Some((min, max)),
            _ => None,
        },
        _ => None,
    });
    let (min, max) = bounds.unwrap_or_default();
    let mut out = vec![format!("{count} =< {}", max.min(most))];
    out.extend((min > 0).then(|| format!("{count} >= {min}")));
    out
}
