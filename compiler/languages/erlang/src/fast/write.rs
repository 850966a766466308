//! Fast writers: one construction a record; see [`super::lists`] for lists.

use super::build::{Build, Longest, COPIED};
use super::read::written;
use super::stage::Distance;
use super::{rename, within, UNUSUAL};
use crate::decode::Goal;
use crate::encode::head_parts;
use crate::erl::{atom, call_text, case_of, list, record, tuple, writer, Clause};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::slots::{alone, name_slots, scalar_segment, unsigned, Named};
use crate::wire::Wire;
use aldis_emit::doc::{text, Doc};
use aldis_plan::{Message, Node, Repr, Run, SlotKind, Step, TypeId};

/// The calls of a message's fast writer.
pub(crate) struct FastEncode {
    pub binary: String,
    /// Where a message has lists: lists' bytes and long text are not copied once more.
    pub iodata: Option<String>,
}

impl<'a> Gen<'a> {
    /// The functions that write usual messages.
    pub fn fast_encode(&mut self, wire: Wire<'a>, message: &'a Message) -> Option<FastEncode> {
        self.fit_message(wire, message)?;
        let name = format!("fast_encode_{}{}", self.names.of(message.record), wire.suffix());
        if self.is_iodata(&wire, message.record) {
            return Some(self.fast_encode_pieces(wire, message, &name));
        }
        let binary = self.define_in(message.record, &name, &name, |gen, own| {
            let (build, pattern) = gen.build_message(wire, message, Build::new(wire.plan.byte_order));
            let clause = build.clause(vec![pattern], build.construction());
            writer(&atom(own), &[clause, Clause::plain(&["_"], text(UNUSUAL))])
        });
        let mut few = Build::new(wire.plan.byte_order);
        few.longest = Longest::Bytes(COPIED);
        let (build, pattern) = self.build_message(wire, message, few);
        let iodata = build.has_lists().then(|| {
            let name = format!("{name}_iolist");
            self.define_in(message.record, &name, &name, |_, own| {
                let clause = build.clause(vec![pattern], list(build.pieces()));
                writer(&atom(own), &[clause, Clause::plain(&["_"], text(UNUSUAL))])
            })
        });
        Some(FastEncode {
            binary: format!("{binary}(Value)"),
            iodata: iodata.map(|function| format!("{function}(Value)")),
        })
    }

    /// As [`Gen::fast_encode`], for messages with lists of more than numbers: one function for both, which gives pieces. It
    /// is told how long text may be that is copied, if there may be any that is longer.
    fn fast_encode_pieces(&mut self, wire: Wire<'a>, message: &'a Message, name: &str) -> FastEncode {
        let mut pieces = Build::new(wire.plan.byte_order);
        pieces.longest = Longest::Told("Copied");
        let (build, pattern) = self.build_message(wire, message, pieces);
        let told = build.most > COPIED;
        let function = self.define_in(message.record, name, name, |_, own| {
            let (mut args, mut others) = (vec![pattern], vec!["_"]);
            if told {
                args.push(text("Copied"));
                others.push("_");
            }
            let clause = build.clause(args, list(build.pieces()));
            writer(&atom(own), &[clause, Clause::plain(&others, text(UNUSUAL))])
        });
        let call = |copied: u64| match told {
            true => format!("{function}(Value, {copied})"),
            false => format!("{function}(Value)"),
        };
        FastEncode { binary: format!("iolist_to_binary({})", call(build.most)), iodata: Some(call(COPIED)) }
    }

    fn build_message(&mut self, wire: Wire<'a>, message: &'a Message, mut build: Build) -> (Build, Doc) {
        let head = &message.envelope.head;
        build.sized = super::message::frame_check(message).is_some();
        for (value, bytes) in head_parts(head, "0") {
            build.number(value.replace("RootAt", &head.size.to_string()), bytes);
        }
        let pattern = self.build_record(wire, message.record, None, &mut build);
        if super::message::frame_check(message).is_some() {
            let size = build.place.plus(head.size.into());
            build.let_be("FrameSize", text(format!("aldis_check:frame({size})")));
        }
        (build, pattern)
    }

    /// The function `f(Record) -> Bytes`; for records that [`Gen::is_iodata`] names it gives iodata, and their size with it
    /// where links are followed.
    fn fast_writer(&mut self, wire: Wire<'a>, id: TypeId) -> String {
        let name = format!("fast_write_{}{}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let mut build = Build::new(wire.plan.byte_order);
            let pattern = gen.build_record(wire, id, None, &mut build);
            let result = if gen.is_iodata(&wire, id) { written_pieces(&wire, &build) } else { build.construction() };
            let clause = build.clause(vec![pattern], result);
            writer(&atom(own), &[clause, Clause::plain(&["_"], text(UNUSUAL))])
        })
    }

    /// Adds a record to a construction and gives the pattern that opens it.
    pub(super) fn build_record(&mut self, wire: Wire<'a>, id: TypeId, outer: Option<&str>, build: &mut Build) -> Doc {
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
        build.at = 0;
        for slot in &named {
            let pattern = self.build_slot(&wire, slot, build);
            fields.extend(slot.slot.field.zip(pattern));
        }
        build.gap_to(run.size);
        build.place.add(&Distance::of(run.size.into(), None));
        for slot in &named {
            let Some(field) = slot.slot.field else { continue };
            let goal = self.goal(id, field as usize);
            match &slot.slot.kind {
                SlotKind::Link(link) => {
                    build.place_at(&slot.at());
                    fields.push((field, self.build_node(wire, &link.target, &slot.var, &goal, build)));
                }
                SlotKind::Presence(link) => {
                    build.place_at(&slot.at());
                    self.build_optional(wire, &link.target, &slot.var, &goal, build);
                    fields.push((field, text(slot.var.as_str())));
                }
                _ => {}
            }
        }
    }

    /// Adds a slot's segments; gives the pattern of its value, unless that is found later.
    pub(super) fn build_slot(&mut self, wire: &Wire<'a>, named: &Named<'a>, build: &mut Build) -> Option<Doc> {
        let (slot, var) = (named.slot, named.var.as_str());
        if slot.width > 0 {
            build.gap_to(slot.at);
        }
        match &slot.kind {
            SlotKind::Scalar(_) => self.build_scalar(wire, named, build),
            SlotKind::Constant { ty, value } => {
                build.guards.push(format!("{var} =:= {}", self.literal(value, ty, Fresh::Zero)));
            }
            SlotKind::Register(register) if register.constant.is_none() => {
                build.number(written(register).unwrap_or_else(|| "0".to_owned()), slot.width);
                return None;
            }
            SlotKind::Link(_) => {
                build.number(named.at(), 4);
                return None;
            }
            SlotKind::Presence(_) => {
                build.number(format!("(has({var}))"), 1);
                build.number(format!("(at({var}, {}))", named.at()), 4);
                return None;
            }
            SlotKind::Nest { record: id, .. } => return Some(self.build_nest(wire, *id, &named.members, build)),
            SlotKind::Chars { .. } => {
                build.guards.push(format!("is_binary({var}), byte_size({var}) =< {}", slot.width));
                build.other(format!("{var}/binary, 0:({} - byte_size({var}))/unit:8", slot.width), slot.width);
            }
            SlotKind::Array { .. } if !named.members.is_empty() => {
                let items: Vec<Doc> =
                    named.members.iter().filter_map(|member| self.build_element(wire, member, build)).collect();
                return Some(list(items));
            }
            SlotKind::Array { .. } => {
                let bytes = self.put_bytes(wire, slot, var, "[]");
                build.other(format!("({bytes})/binary"), slot.width);
            }
            _ => return None,
        }
        Some(text(var))
    }

    fn build_scalar(&mut self, wire: &Wire<'a>, named: &Named<'a>, build: &mut Build) {
        let SlotKind::Scalar(scalar) = &named.slot.kind else { return };
        let put = self.put_guarded(scalar, &named.var, "[]");
        build.guards.extend(put.guard);
        let width = named.slot.width;
        match scalar.repr {
            Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => build.signed(put.value, width),
            Repr::Decimal | Repr::Uuid => {
                build.other(scalar_segment(scalar.repr, &put.value, wire.plan.byte_order, put.vm_float), width);
            }
            _ if put.vm_float => {
                build.other(scalar_segment(scalar.repr, &put.value, wire.plan.byte_order, true), width);
            }
            _ => build.number(put.value, width),
        }
    }

    /// Adds the members of a record within a record's block, and gives its pattern.
    fn build_nest(&mut self, wire: &Wire<'a>, id: TypeId, members: &[Named<'a>], build: &mut Build) -> Doc {
        let mut fields = Vec::new();
        for member in members {
            let pattern = self.build_slot(wire, member, build);
            fields.extend(member.slot.field.zip(pattern));
        }
        let fields = fields.into_iter().map(|(at, value)| (self.names.field_atom(id, at as usize), value));
        record(&self.names.atom(id), fields.collect::<Vec<_>>())
    }

    /// An element of an opened array, whose place is the next.
    fn build_element(&mut self, wire: &Wire<'a>, member: &Named<'a>, build: &mut Build) -> Option<Doc> {
        let at = build.at;
        build.at = member.slot.at;
        let pattern = self.build_slot(wire, member, build);
        build.at = at + member.slot.width;
        pattern
    }

    /// Adds what a node writes, and gives the pattern of its value.
    pub(super) fn build_node(
        &mut self,
        wire: Wire<'a>,
        node: &'a Node,
        var: &str,
        goal: &Goal<'a>,
        build: &mut Build,
    ) -> Doc {
        match node {
            Node::Call { record } if self.one_match_node(wire, node).is_some() => {
                return self.build_record(wire, *record, Some(var), build);
            }
            Node::Call { record } => {
                let writer = self.fast_writer(wire, *record);
                let value = text(call_text(&writer, &[var.to_owned()]));
                self.build_value(&wire, node, var, value, build);
            }
            Node::Blob(blob) => {
                build.guards.push(format!("is_binary({var})"));
                build.text_bounds(&blob.head, var);
                build.head(&blob.head, &format!("(byte_size({var}))"));
                build.bytes(var);
            }
            Node::Cell { slot } => {
                let named = alone(self.names, slot, var);
                build.at = slot.at;
                let pattern = self.build_slot(&wire, &named, build);
                build.place.add(&Distance::of(slot.width.into(), None));
                return pattern.unwrap_or_else(|| text("_"));
            }
            Node::Maybe { value } => {
                let present = if self.is_iodata_node(&wire, value) {
                    format!("[<<1>>, {}]", self.written_by(wire, value, var, &goal.required()))
                } else {
                    format!("<<1, ({})/binary>>", self.written_by(wire, value, var, &goal.required()))
                };
                let clauses = [(text("undefined"), text("<<0>>")), (text("_"), text(present))];
                self.build_value(&wire, value, var, case_of(text(var), clauses), build);
            }
            Node::Repeat(repeat) => self.build_repeat(wire, repeat, var, goal, build),
            Node::Series { .. } | Node::Rebase { .. } | Node::Opaque { .. } => {}
        }
        text(var)
    }

    /// Adds what the expression `value` gives for a node in `var`: bytes, or iodata as [`Gen::fast_writer`] does.
    fn build_value(&mut self, wire: &Wire<'a>, node: &Node, var: &str, value: Doc, build: &mut Build) {
        let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
        if !self.is_iodata_node(wire, node) {
            build.let_be(&bytes, value);
            build.bytes(&bytes);
        } else if wire.links {
            let (size, before) = (build.scope.fresh(&format!("{var}Size"), ()), build.place.clone());
            build.ending(&bytes, &size, value, before);
        } else {
            build.list_of(&bytes, value);
        }
    }

    /// An expression for all that `var` is written as: bytes, or iodata as [`Gen::fast_writer`] does.
    fn written_by(&mut self, wire: Wire<'a>, node: &'a Node, var: &str, goal: &Goal<'a>) -> String {
        match node {
            Node::Call { record } => call_text(&self.fast_writer(wire, *record), &[var.to_owned()]),
            Node::Cell { slot } => self.cell_bytes(&wire, slot, var, "[]"),
            other => call_text(&self.fast_part(wire, other, goal), &[var.to_owned()]),
        }
    }

    /// The function `f(Value)` that writes a node.
    fn fast_part(&mut self, wire: Wire<'a>, node: &'a Node, goal: &Goal<'a>) -> String {
        let mut build = Build::new(wire.plan.byte_order);
        let pattern = self.build_node(wire, node, "Value", goal, &mut build);
        self.fast_part_of(&wire, &format!("fast_write_{}{}", goal.hint, wire.suffix()), node, pattern, &build)
    }

    fn fast_part_of(&mut self, wire: &Wire<'a>, name: &str, node: &'a Node, pattern: Doc, build: &Build) -> String {
        let result = if self.is_iodata_node(wire, node) { written_pieces(wire, build) } else { build.construction() };
        // What takes every value leaves refusing to what it calls.
        let refuses = !build.guards.is_empty() || pattern.print(usize::MAX) != "Value";
        let mut clauses = vec![build.clause(vec![pattern], result)];
        clauses.extend(refuses.then(|| Clause::plain(&["_"], text(UNUSUAL))));
        self.share(name, |own| writer(&atom(own), &clauses))
    }

    /// What a presence byte's link leads to: a slot that counts links from itself.
    fn build_optional(&mut self, wire: Wire<'a>, target: &'a Node, var: &str, goal: &Goal<'a>, build: &mut Build) {
        let Node::Rebase { value } = target else { return };
        let Node::Cell { slot } = &**value else { return };
        let (absent, present) = match &slot.kind {
            SlotKind::Link(link) if self.is_iodata_node(&wire, &link.target) => {
                ("{[], 0}", self.optional_pieces(wire, &link.target, var, &goal.required()))
            }
            SlotKind::Link(link) => {
                let link_to = unsigned("4", 4, wire.plan.byte_order);
                let bytes = self.written_by(wire, &link.target, var, &goal.required());
                ("<<>>", format!("<<{link_to}, ({bytes})/binary>>"))
            }
            _ => ("<<>>", self.cell_bytes(&wire, slot, var, "[]")),
        };
        let value = case_of(text(var), [(text("undefined"), text(absent)), (text("_"), text(present))]);
        self.build_value(&wire, target, var, value, build);
    }

    /// The call that writes a slot with a link and what it leads to.
    fn optional_pieces(&mut self, wire: Wire<'a>, target: &'a Node, var: &str, goal: &Goal<'a>) -> String {
        let mut build = Build::new(wire.plan.byte_order);
        build.number("4", 4);
        build.place = Distance::of(4, None);
        let pattern = self.build_node(wire, target, "Value", goal, &mut build);
        let name = format!("fast_write_{}{}_optional", goal.hint, wire.suffix());
        call_text(&self.fast_part_of(&wire, &name, target, pattern, &build), &[var.to_owned()])
    }
}

/// What the writer of iodata gives.
fn written_pieces(wire: &Wire<'_>, build: &Build) -> Doc {
    let pieces = list(build.pieces());
    if wire.links {
        tuple([pieces, text(build.place.to_string())])
    } else {
        pieces
    }
}
