//! Fast writers: one construction a record; see [`super::lists`] for lists.

use super::build::{Build, Way, COPIED};
use super::lists::TOGETHER;
use super::read;
use super::stage::Distance;
use super::{is_nullable_float, rename, within};
use crate::code::{quote, quote_with, Expr};
use crate::decode::message::{frame_length, states_size};
use crate::encode::head_parts;
use crate::erl::UNUSUAL;
use crate::erl::{atom, binop, call, case_of, list, record, tuple, writer, Callee, Clause, Functions};
use crate::gen::Gen;
use crate::goal::Goal;
use crate::literal::Fresh;
use crate::slots::{alone, name_slots, scalar_segment, unsigned, Named};
use crate::wire::Wire;
use aldis_plan::{Message, Node, Repr, Run, SlotKind, Step, TypeId};

/// The calls of a message's fast writer.
pub(crate) struct FastEncode {
    pub binary: String,
    /// The function for messages that have lists, in which lists' bytes and long text are not copied once more.
    pub iodata: Option<String>,
}

impl<'a> Gen<'a> {
    /// The functions that write usual messages.
    pub fn fast_encode(&mut self, wire: Wire<'a>, message: &'a Message) -> Option<FastEncode> {
        self.fit_message(wire, message)?;
        let name = format!("fast_encode_{}{}", self.names.of(message.record), wire.suffix());
        let grows = self.grows(&wire, message);
        let given = if grows { vec!["Acc"] } else { vec![] };
        let order = wire.plan.byte_order;
        let way = if grows { Way::Growing } else { way(self.is_iodata(&wire, message.record)) };
        let binary = self.define_in(message.record, &name, &name, |gen, own| {
            let mut builds = if grows { gen.build_short(wire, message) } else { Vec::new() };
            builds.extend(gen.build_message(wire, message, &Build::new(way, order)));
            let result = |build: &Build| match way {
                Way::Pieces => call("iolist_to_binary", [list(build.pieces())]),
                _ => build.result(),
            };
            encoder(own, &builds, &given, &result)
        });
        let mut few = Build::new(if grows { Way::Pieces } else { way }, order);
        few.longest = COPIED;
        let builds = self.build_message(wire, message, &few);
        let iodata = builds.iter().any(|(build, _)| build.has_lists()).then(|| {
            let name = format!("{name}_iolist");
            self.define_in(message.record, &name, &name, |_, own| {
                encoder(own, &builds, &[], &|build| list(build.pieces()))
            })
        });
        Some(FastEncode {
            binary: format!("{binary}{}", if grows { "(Value, <<>>)" } else { "(Value)" }),
            iodata: iodata.map(|function| format!("{function}(Value)")),
        })
    }

    /// A message's construction and the pattern that opens it; a second one where it has floats that may be null.
    fn build_message(&mut self, wire: Wire<'a>, message: &'a Message, empty: &Build) -> Vec<(Build, Expr)> {
        let usual = self.build_whole(wire, message, empty.clone());
        let nulls = usual.0.nullable.then(|| self.build_whole(wire, message, empty.clone().with_nulls()));
        [usual].into_iter().chain(nulls).collect()
    }

    /// The constructions of a message whose first list is short and whose others are empty: nothing has to grow.
    fn build_short(&mut self, wire: Wire<'a>, message: &'a Message) -> Vec<(Build, Expr)> {
        if !self.opens_lists(&wire, message.record) {
            return Vec::new();
        }
        let short = (1..=TOGETHER).map(|count| {
            let mut build = Build::new(Way::Whole, wire.plan.byte_order);
            build.opened = Some(count);
            self.build_whole(wire, message, build)
        });
        short.filter(|(build, _)| build.is_short()).collect()
    }

    fn build_whole(&mut self, wire: Wire<'a>, message: &'a Message, mut build: Build) -> (Build, Expr) {
        let head = &message.envelope.head;
        for (value, bytes) in head_parts(head, "0") {
            build.number(value, bytes);
        }
        let pattern = self.build_record(wire, message.record, None, &mut build);
        if states_size(head) {
            let size = build.place.plus(head.size.into());
            build.let_be("FrameSize", quote(format!("aldis_check:frame({size})")));
        }
        if let Some(length) = frame_length(head, "FrameSize") {
            build.let_be("FrameLength", length);
        }
        (build, pattern)
    }

    /// The function `f(Record) -> Bytes`; it gives `{Iodata, Size}` for records that [`Gen::is_iodata`] names.
    fn fast_writer(&mut self, wire: Wire<'a>, id: TypeId) -> Callee {
        let name = format!("fast_write_{}{}", self.names.of(id), wire.suffix());
        self.define_in(id, &name, &name, |gen, own| {
            let mut build = Build::new(way(gen.is_iodata(&wire, id)), wire.plan.byte_order);
            let pattern = gen.build_record(wire, id, None, &mut build);
            encoder(own, &[(build, pattern)], &[], &written)
        })
    }

    /// Adds a record to a construction and gives the pattern that opens it.
    pub(super) fn build_record(&mut self, wire: Wire<'a>, id: TypeId, outer: Option<&str>, build: &mut Build) -> Expr {
        let before = std::mem::take(&mut build.place);
        let own = self.names.variables(id);
        let mut fields: Vec<(u32, Expr)> = Vec::new();
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
        fields: &mut Vec<(u32, Expr)>,
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
                    fields.push((field, quote(slot.var.as_str())));
                }
                _ => {}
            }
        }
    }

    /// Adds a slot's segments; gives the pattern of its value, unless that is found later.
    pub(super) fn build_slot(&mut self, wire: &Wire<'a>, named: &Named<'a>, build: &mut Build) -> Option<Expr> {
        let (slot, var) = (named.slot, named.var.as_str());
        if slot.width > 0 {
            build.gap_to(slot.at);
        }
        match &slot.kind {
            SlotKind::Scalar(_) => self.build_scalar(wire, named, build),
            SlotKind::Constant { ty, value } => {
                build.guards.push(binop(quote(var), "=:=", self.literal(value, ty, Fresh::Zero)));
            }
            SlotKind::Register(register) if register.constant.is_none() => {
                build.number(read::written(register).unwrap_or_else(|| "0".to_owned()), slot.width);
                return None;
            }
            SlotKind::Link(_) => {
                build.number(named.at(), 4);
                return None;
            }
            SlotKind::Presence(_) => {
                build.number(format!("has({var})"), 1);
                build.number(format!("at({var}, {})", named.at()), 4);
                return None;
            }
            SlotKind::Nest { record: id, .. } => return Some(self.build_nest(wire, *id, &named.members, build)),
            SlotKind::Chars { .. } => {
                let size = build.size_of(var, slot.width.into());
                build.other(format!("{var}:{size}/binary, 0:({} - {size})/unit:8", slot.width), slot.width);
            }
            SlotKind::Array { .. } if !named.members.is_empty() => {
                let items: Vec<Expr> =
                    named.members.iter().filter_map(|member| self.build_element(wire, member, build)).collect();
                return Some(list(items));
            }
            SlotKind::Array { .. } => {
                let bytes = self.put_bytes(wire, slot, var, "[]");
                build.other(quote_with("?1/binary", [bytes]), slot.width);
            }
            _ => return None,
        }
        Some(quote(var))
    }

    fn build_scalar(&mut self, wire: &Wire<'a>, named: &Named<'a>, build: &mut Build) {
        let SlotKind::Scalar(scalar) = &named.slot.kind else { return };
        let width = named.slot.width;
        if is_nullable_float(scalar) {
            build.nullable = true;
            if build.nulls {
                return build.number(self.put_checked(scalar, &named.var, "[]"), width);
            }
        }
        let put = self.put_guarded(scalar, &named.var, "[]");
        build.guards.extend(put.guard);
        let value = self.put_usual(scalar, &named.var).unwrap_or(put.value);
        match scalar.repr {
            Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => build.signed(value, width),
            Repr::Decimal | Repr::Uuid => {
                build.other(scalar_segment(scalar.repr, value, wire.plan.byte_order, put.vm_float), width);
            }
            _ if put.vm_float => {
                build.other(scalar_segment(scalar.repr, value, wire.plan.byte_order, true), width);
            }
            _ => build.number(value, width),
        }
    }

    /// Adds the members of a record within a record's block, and gives its pattern.
    fn build_nest(&mut self, wire: &Wire<'a>, id: TypeId, members: &[Named<'a>], build: &mut Build) -> Expr {
        let mut fields = Vec::new();
        for member in members {
            let pattern = self.build_slot(wire, member, build);
            fields.extend(member.slot.field.zip(pattern));
        }
        let fields = fields.into_iter().map(|(at, value)| (self.names.field_atom(id, at as usize), value));
        record(&self.names.atom(id), fields.collect::<Vec<_>>())
    }

    /// An element of an opened array, whose place is the next.
    fn build_element(&mut self, wire: &Wire<'a>, member: &Named<'a>, build: &mut Build) -> Option<Expr> {
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
    ) -> Expr {
        match node {
            Node::Call { record } if self.one_match_node(wire, node).is_some() => {
                return self.build_record(wire, *record, Some(var), build);
            }
            Node::Call { record } => {
                let writer = self.fast_writer(wire, *record);
                let value = call(&writer, [var]);
                self.build_value(&wire, node, var, value, build);
            }
            Node::Blob(blob) => {
                let size = build.text_size(&blob.head, var);
                build.head(&blob.head, &size);
                build.sized(var, &size);
            }
            Node::Cell { slot } => {
                let named = alone(self.names, slot, var);
                build.at = slot.at;
                let pattern = self.build_slot(&wire, &named, build);
                build.place.add(&Distance::of(slot.width.into(), None));
                return pattern.unwrap_or_else(|| quote("_"));
            }
            Node::Maybe { value } => {
                let present = quote_with("<<1, ?1/binary>>", [self.written_by(wire, value, var, &goal.required())]);
                let clauses = [(quote("undefined"), quote("<<0>>")), (quote("_"), present)];
                self.build_value(&wire, node, var, case_of(var, clauses), build);
            }
            Node::Repeat(repeat) => return self.build_repeat(wire, repeat, var, goal, build),
            Node::Series { .. } | Node::Rebase { .. } | Node::Opaque { .. } => {}
        }
        quote(var)
    }

    /// Adds what the expression `value` gives for a node in `var`: bytes, or what [`Gen::fast_writer`] gives for iodata.
    fn build_value(&mut self, wire: &Wire<'a>, node: &Node, var: &str, value: Expr, build: &mut Build) {
        let bytes = build.scope.fresh(&format!("{var}Bytes"), ());
        if self.is_iodata_node(wire, node) {
            let (size, before) = (build.scope.fresh(&format!("{var}Size"), ()), build.place.clone());
            build.ending(&bytes, &size, value, before);
        } else {
            build.let_be(&bytes, value);
            build.bytes(&bytes);
        }
    }

    /// An expression for all that `var` is written as: bytes, or what [`Gen::fast_writer`] gives for iodata.
    fn written_by(&mut self, wire: Wire<'a>, node: &'a Node, var: &str, goal: &Goal<'a>) -> Expr {
        match node {
            Node::Call { record } => call(self.fast_writer(wire, *record), [var]),
            Node::Cell { slot } => self.cell_bytes(&wire, slot, var, "[]"),
            other => call(self.fast_part(wire, other, goal), [var]),
        }
    }

    /// The function `f(Value)` that writes a node.
    fn fast_part(&mut self, wire: Wire<'a>, node: &'a Node, goal: &Goal<'a>) -> Callee {
        let mut build = Build::new(way(self.is_iodata_node(&wire, node)), wire.plan.byte_order);
        let pattern = self.build_node(wire, node, "Value", goal, &mut build);
        self.fast_part_of(&format!("fast_write_{}{}", goal.hint, wire.suffix()), pattern, &build)
    }

    fn fast_part_of(&mut self, name: &str, pattern: Expr, build: &Build) -> Callee {
        let builds = [(build.clone(), pattern)];
        self.share(name, |own| encoder(own, &builds, &[], &written))
    }

    /// The target of a presence byte's link: a slot that counts links from itself.
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
                ("<<>>", quote_with("<<?1, ?2/binary>>", [link_to, bytes]))
            }
            _ => ("<<>>", self.cell_bytes(&wire, slot, var, "[]")),
        };
        let value = case_of(var, [("undefined", quote(absent)), ("_", present)]);
        self.build_value(&wire, target, var, value, build);
    }

    /// The call that writes a slot with a link and what it leads to.
    fn optional_pieces(&mut self, wire: Wire<'a>, target: &'a Node, var: &str, goal: &Goal<'a>) -> Expr {
        let mut build = Build::new(Way::Pieces, wire.plan.byte_order);
        build.number("4", 4);
        build.place = Distance::of(4, None);
        let pattern = self.build_node(wire, target, "Value", goal, &mut build);
        let name = format!("fast_write_{}{}_optional", goal.hint, wire.suffix());
        call(self.fast_part_of(&name, pattern, &build), [var])
    }
}

/// How a value is written on its own.
fn way(iodata: bool) -> Way {
    if iodata {
        Way::Pieces
    } else {
        Way::Whole
    }
}

/// The result of a function that writes one value: all of its bytes, or `{Iodata, Size}`.
fn written(build: &Build) -> Expr {
    match build.way {
        Way::Pieces => tuple([list(build.pieces()), quote(build.place.to_string())]),
        Way::Whole | Way::Growing => build.result(),
    }
}

/// The function `f(Value, Given…) -> Result` of a construction, or of one after another.
fn encoder(own: &str, builds: &[(Build, Expr)], given: &[&str], result: &dyn Fn(&Build) -> Expr) -> Functions {
    let mut clauses = Vec::new();
    for (build, pattern) in builds {
        let args = std::iter::once(pattern.clone()).chain(given.iter().map(|name| quote(*name))).collect();
        clauses.push(build.clause(args, result(build)));
        // Text alone is a variable, which is matched by what is no text, too.
        if build.guards.is_empty() && matches!(pattern, Expr::Var(_)) {
            return writer(&atom(own), &clauses);
        }
    }
    clauses.push(Clause::new(vec![quote("_"); 1 + given.len()], [UNUSUAL]));
    writer(&atom(own), &clauses)
}
