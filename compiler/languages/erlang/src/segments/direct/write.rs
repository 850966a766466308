//! Writers of the short way. A root that leads to trees, bytes and small records is one construction; one that leads to lists
//! of records is pieces (`lists`); any other says first how long the message will be, and is one binary that grows. In it
//! lists of records are written record by record, then what belongs to each; a single record is a list of one.

use super::target::{place, times_of, Object, Words};
use super::usual::{Pointer, Taken};
use super::{upper_half, words};
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, attempt, binary, bind, binop, call, function, list_before, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::segments::areas::Areas;
use crate::segments::decode::Sizes;
use crate::segments::encode::Pieces;
use crate::segments::leaves::{Bits, Leaf, Slots};
use crate::segments::WORD;
use crate::slots::Named;
use crate::variables::{renamed, variables, Numbered};
use aldis_emit::names::Scope;
use aldis_plan::{Plan, SlotKind};
use aldis_schema::TypeId;

/// Longer messages go the long way, where every count and offset is checked.
const MOST_WORDS: u32 = 1 << 26;

/// Lists of no more records are written in one construction.
const SHORT: u32 = 3;

impl<'a> Gen<'a> {
    /// The clauses of `encode_M_iolist`: the short way, and `long`, a call that takes the other.
    pub(in crate::segments) fn encode_clauses(&mut self, plan: &'a Plan, id: TypeId, long: &str) -> Vec<Clause> {
        let sizes = Sizes::of(plan, id);
        let otherwise = Clause::new(["Value"], [long]);
        if words(sizes) == 0 {
            // The pointer to a record of no words is one of its own kind.
            return vec![otherwise];
        }
        let slots = self.sections_slots(plan, id);
        let usual = self.usual_root(plan, &slots, sizes);
        let any = self.any_values(plan, &slots, sizes);
        let mut clauses: Vec<Clause> =
            usual.into_iter().chain([any]).map(|taken| self.encode_clause(plan, &slots, taken, long)).collect();
        // The value of a record with a union and no other field is the union's tuple: there is no record to match.
        if self.only_union(id).is_none() {
            clauses.push(otherwise);
        }
        clauses
    }

    fn encode_clause(&mut self, plan: &'a Plan, slots: &Slots<'a>, taken: Taken<'a>, long: &str) -> Clause {
        let sizes = Sizes::of(plan, slots.owner);
        let (own, upper) = (words(sizes), upper_half(sizes));
        let leaves = self.leaves(slots);
        let Taken { pattern, pointers, guards, before } = taken;
        let mut pieces = self.record_pieces(plan, &leaves, sizes);
        pieces.guards.extend(guards);
        pieces.before = before;
        let deep = pointers
            .iter()
            .any(|(.., object)| matches!(object, Object::Laid(_)) || self.deep_list(plan, object).is_some());
        let (end, parts) = match deep {
            true => self.parts(plan, &pointers, own, &mut pieces),
            false => (self.ends(plan, &pointers, (Words::known(own), 0), &mut pieces), Vec::new()),
        };
        let mut body = std::mem::take(&mut pieces.before);
        let table = match end.number() {
            Some(end) => quote(format!("0:32, {}:32/little", end + 1)),
            None => {
                body.push(quote_with(format!("true = ?1 < {MOST_WORDS}"), [end.expr()]));
                quote_with("((?1 + 1) bsl 32):64/little", [end.expr()])
            }
        };
        let mut segments = vec![quote(format!("0:32, {upper}:32/little"))];
        segments.extend(pieces.over(Bits { from: 0, to: own * WORD * 8 }));
        let result = if deep {
            iodata(quote_with("?1 + 1", [end.expr()]), segments, parts)
        } else {
            segments.insert(0, table);
            let mut growing = Growing { acc: None, waiting: segments, body };
            self.objects_behind(plan, &pointers, &mut growing);
            body = growing.body;
            growing.acc.map_or_else(|| binary(growing.waiting), Expr::from)
        };
        body.push(tuple([quote("ok"), result]));
        let fails = !pointers.is_empty() || leaves.iter().any(|leaf| self.may_fail(leaf));
        let clause = if fails {
            Clause::new([bind(pattern, "Value")], [attempt(body, long)])
        } else {
            Clause::new([pattern], body)
        };
        clause.when_all(pieces.guards)
    }

    /// A record whose members are bound to their variables.
    pub(super) fn value_pattern(&self, slots: &Slots<'a>) -> Expr {
        match self.only_union(slots.owner) {
            Some(_) => quote(slots.named.first().map_or("_", |named| named.var.as_str())),
            None => self.open_pattern(slots.owner, &slots.named),
        }
    }

    /// The pointers of leaves in their order, those of unions too.
    pub(super) fn object_pointers(&mut self, plan: &'a Plan, leaves: &[Leaf<'a>], sizes: Sizes) -> Vec<Pointer<'a>> {
        let mut found = Vec::new();
        for leaf in leaves {
            match &leaf.slot.kind {
                SlotKind::Pointer { target } => {
                    let object = self.object(plan, target);
                    found.push((leaf.slot.at, leaf.var.clone(), object));
                }
                SlotKind::Choice { union, arms } => {
                    let shared = |at| (at, leaf.var.clone(), Object::Shared { union: *union, arms, at, sizes });
                    found.extend(Areas::of(arms).pointers.into_iter().map(shared));
                }
                _ => {}
            }
        }
        found.sort_by_key(|(at, ..)| *at);
        found
    }

    /// Adds the pointers' words, and statements that say where objects end; gives the last end. Places count from the
    /// record's first word; `first` is that of the first object, and how many ends have names by then.
    fn ends(&mut self, plan: &'a Plan, pointers: &[Pointer<'a>], first: (Words, usize), pieces: &mut Pieces) -> Words {
        let (mut at, before) = first;
        for (index, (offset, var, object)) in pointers.iter().enumerate() {
            let pointer = self.object_pointer(plan, object, var, place(&at, *offset));
            pieces.pointer(*offset, pointer);
            if matches!(object, Object::Null) {
                continue;
            }
            let reached = at.plus(self.object_words(plan, object, var));
            at = if reached.number().is_some() {
                reached
            } else {
                let end = format!("Next{}", before + index + 1);
                pieces.before.push(bind(end.as_str(), reached.expr()));
                Words::of(end)
            };
        }
        at
    }

    /// Whether the short way writes anything behind records of this type.
    pub(super) fn leads_on(&mut self, plan: &'a Plan, id: TypeId) -> bool {
        let slots = self.sections_slots(plan, id);
        let leaves = self.leaves(&slots);
        let pointers = self.object_pointers(plan, &leaves, Sizes::of(plan, id));
        !pointers.iter().all(|(.., object)| matches!(object, Object::Null))
    }

    /// The function that reckons what is behind the records of a list, `f(Records, Words)`; none where that is nothing.
    pub(super) fn words_behind(&mut self, plan: &'a Plan, id: TypeId) -> Option<Callee> {
        if !self.leads_on(plan, id) {
            return None;
        }
        let name = format!("words_{}", self.names.of(id));
        Some(self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let own = atom(own);
            let slots = gen.sections_slots(plan, id);
            let leaves = gen.leaves(&slots);
            let pointers = gen.object_pointers(plan, &leaves, Sizes::of(plan, id));
            let mut sum = quote("Words");
            for (_, var, object) in pointers.iter().filter(|(_, _, object)| !matches!(object, Object::Null)) {
                sum = binop(sum, "+", gen.object_words(plan, object, var).expr());
            }
            let each = list_before([gen.value_pattern(&slots)], "Rest");
            let clauses = [
                Clause::new([each, quote("Words")], [call(&own, [quote("Rest"), sum])]),
                Clause::new(["[]", "Words"], ["Words"]),
            ];
            function(&own, &clauses)
        }))
    }

    /// The function that adds a record, or a list of them, and all behind it: `f(Value, Message)`.
    pub(super) fn added(&mut self, plan: &'a Plan, id: TypeId, list: bool) -> Callee {
        let name = format!("add_{}{}", self.names.of(id), if list { "_list" } else { "" });
        self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let null = Clause::new(["undefined", "Acc"], ["Acc"]);
            if !list && gen.only_union(id).is_some() {
                // The variable of a union, which stands for a record that has nothing else, is any record but null.
                let any = gen.few_records(plan, id, 1, list).filter(|clause| clause.guards.is_empty());
                if let Some(any) = any {
                    return function(atom(own), &[null, any]);
                }
            }
            let sizes = Sizes::of(plan, id);
            let (sections, objects) = (gen.sections_added(plan, id), gen.objects_added(plan, id));
            let own_words = words(sizes);
            let (values, first, start) = if list {
                let tag = format!("<<Acc/binary, ((Count bsl 2) + {}):64/little>>", list_tag(sizes));
                ("Value", times_of(own_words, "Count"), quote(tag))
            } else {
                ("[Value]", quote(own_words.to_string()), quote("Acc"))
            };
            let mut body = Vec::new();
            if list {
                body.push(quote("Count = length(Value)"));
            }
            let written = call(&sections, [quote(values), first, start]);
            body.push(match objects {
                Some(objects) => call(&objects, [quote(values), written]),
                None => written,
            });
            let mut clauses = Vec::new();
            if list {
                let tag = list_tag(sizes);
                clauses.push(Clause::new(["[]", "Acc"], [format!("<<Acc/binary, {tag}:64/little>>")]));
                clauses.extend((1..=SHORT).filter_map(|count| gen.few_records(plan, id, count, list)));
            } else {
                clauses.extend(gen.few_records(plan, id, 1, list));
            }
            clauses.push(null);
            clauses.push(Clause::new(["Value, Acc"], body));
            function(atom(own), &clauses)
        })
    }

    /// The clause that adds so few records in one construction; none where they lead to more than texts and bytes.
    fn few_records(&mut self, plan: &'a Plan, id: TypeId, count: u32, list: bool) -> Option<Clause> {
        let sizes = Sizes::of(plan, id);
        let own = words(sizes);
        let mut segments = vec![quote("Acc/binary")];
        if list {
            segments.push(quote(format!("{}:64/little", list_tag(sizes) + u64::from(count << 2))));
        }
        let (mut patterns, mut guards, mut body, mut behind) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut end, mut ends) = (Words::known(own * count), 0);
        let first = self.sections_slots(plan, id);
        let mut slots = first.clone();
        for index in 0..count {
            if index > 0 {
                slots.named = numbered(&first.named, index + 1);
                end = match end.number() {
                    Some(end) => Words::known(end - own),
                    None => Words::of(end.less(own)),
                };
            }
            let leaves = self.leaves(&slots);
            let taken = match self.usual_values(plan, &slots, sizes, false) {
                Some(taken) => taken,
                None => self.any_values(plan, &slots, sizes),
            };
            let mut pieces = self.record_pieces(plan, &leaves, sizes);
            pieces.before = taken.before;
            end = self.ends(plan, &taken.pointers, (end, ends), &mut pieces);
            ends += taken.pointers.len();
            segments.extend(pieces.over(Bits { from: 0, to: own * WORD * 8 }));
            for (_, var, object) in &taken.pointers {
                behind.append(&mut self.object_segments(plan, object, var)?);
            }
            patterns.push(taken.pattern);
            guards.append(&mut pieces.guards);
            guards.extend(taken.guards);
            body.append(&mut pieces.before);
        }
        if !behind.is_empty() && end.number().is_none() {
            // Nothing lies behind the last object, whose end has a name.
            body.pop();
        }
        segments.append(&mut behind);
        body.push(binary(segments));
        let value = if list { crate::erl::list(patterns) } else { Expr::Row(patterns) };
        Some(Clause::new([value, quote("Acc")], body).when_all(guards))
    }

    /// The function that adds the sections of records, one after another: `f(Records, Next, Message)`, where `Next` is how
    /// many words lie between the first word of the first of them and the first object.
    fn sections_added(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("add_{}_sections", self.names.of(id));
        self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let own = atom(own);
            let sizes = Sizes::of(plan, id);
            let slots = gen.sections_slots(plan, id);
            let leaves = gen.leaves(&slots);
            let usual = gen.usual_values(plan, &slots, sizes, false);
            let any = gen.any_values(plan, &slots, sizes);
            let mut clauses = Vec::new();
            for taken in usual.into_iter().chain([any]) {
                let mut pieces = gen.record_pieces(plan, &leaves, sizes);
                pieces.before = taken.before;
                let end = gen.ends(plan, &taken.pointers, (Words::of("Next"), 0), &mut pieces);
                let mut segments = vec![quote("Acc/binary")];
                segments.extend(pieces.over(Bits { from: 0, to: words(sizes) * WORD * 8 }));
                let mut body = std::mem::take(&mut pieces.before);
                let args = [quote("Rest"), end.less(words(sizes)), binary(segments)];
                body.push(call(&own, args));
                let clause = Clause::new([first_of(taken.pattern), quote("Next, Acc")], body);
                clauses.push(clause.when_all([pieces.guards, taken.guards].concat()));
            }
            clauses.push(Clause::new(["[]", "_", "Acc"], ["Acc"]));
            function(&own, &clauses)
        })
    }

    /// Adds what is behind pointers; texts and bytes in one construction.
    fn objects_behind(&mut self, plan: &'a Plan, pointers: &[Pointer<'a>], growing: &mut Growing) {
        for (_, var, object) in pointers.iter().filter(|(.., object)| !matches!(object, Object::Null)) {
            if let Some(segments) = self.object_segments(plan, object, var) {
                growing.waiting.extend(segments);
                continue;
            }
            growing.flush();
            let added = self.object_added(plan, object, var, growing.there()).unwrap_or(Expr::Null);
            growing.bind(added);
        }
        if growing.acc.is_some() {
            growing.flush();
        }
    }

    /// The function that adds what is behind the pointers of records, record by record: `f(Records, Message)`.
    fn objects_added(&mut self, plan: &'a Plan, id: TypeId) -> Option<Callee> {
        if !self.leads_on(plan, id) {
            return None;
        }
        let name = format!("add_{}_objects", self.names.of(id));
        Some(self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let own = atom(own);
            let sizes = Sizes::of(plan, id);
            let slots = gen.sections_slots(plan, id);
            let usual = gen.usual_values(plan, &slots, sizes, false);
            let any = gen.any_values(plan, &slots, sizes);
            let mut clauses = Vec::new();
            for taken in usual.into_iter().chain([any]) {
                let mut growing = Growing::onto(Numbered::first("Acc"), taken.before);
                gen.objects_behind(plan, &taken.pointers, &mut growing);
                growing.flush();
                let acc = growing.there();
                let mut body = growing.body;
                body.push(call(&own, [quote("Rest"), acc]));
                let clause = Clause::new([first_of(taken.pattern), quote("Acc")], body);
                clauses.push(clause.when_all(taken.guards));
            }
            clauses.push(Clause::new(["[]", "Acc"], ["Acc"]));
            function(&own, &clauses)
        }))
    }
}

/// The parts of a message: segments that are one construction, records laid out, an expression of other iodata.
pub(super) enum Part {
    Segments(Vec<Expr>),
    /// The variables of sections, the last record's first, and of what is behind them.
    Laid {
        cells: String,
        bytes: String,
    },
    Iodata(Expr),
}

/// The iodata of a message of so many words, whose root's pointer and sections are the first segments.
fn iodata(words: Expr, mut segments: Vec<Expr>, parts: Vec<Part>) -> Expr {
    let laid = parts.iter().position(|part| matches!(part, Part::Laid { .. })).unwrap_or(parts.len());
    let (before, rest) = parts.split_at(laid);
    if let (Some(head), Some(rest)) = (segments_alone(before), joined_rest(rest)) {
        segments.extend(head);
        let args = [words, binary(segments)].into_iter().chain(rest);
        return call("aldis_direct:joined", args);
    }
    segments.insert(0, quote_with("(?1 bsl 32):64/little", [words]));
    let mut out = Vec::new();
    for part in parts {
        let values = match part {
            Part::Segments(more) => {
                segments.extend(more);
                continue;
            }
            Part::Laid { cells, bytes } => vec![quote(format!("lists:reverse({cells})")), quote(bytes)],
            Part::Iodata(value) => vec![value],
        };
        if !segments.is_empty() {
            out.push(binary(std::mem::take(&mut segments)));
        }
        out.extend(values);
    }
    if !segments.is_empty() {
        out.push(binary(segments));
    }
    crate::erl::list(out)
}

/// All segments of these parts; none where there are other parts among them.
fn segments_alone(parts: &[Part]) -> Option<Vec<Expr>> {
    let segments = parts.iter().map(|part| match part {
        Part::Segments(segments) => Some(segments.clone()),
        _ => None,
    });
    segments.collect::<Option<Vec<_>>>().map(|all| all.concat())
}

/// The arguments for records laid out, and for one text that may be behind them with its padding; none for anything else.
fn joined_rest(parts: &[Part]) -> Option<Vec<Expr>> {
    let (Part::Laid { cells, bytes }, behind) = parts.split_first()? else { return None };
    let mut args = vec![quote(cells.as_str()), quote(bytes.as_str())];
    match behind {
        [] => {}
        [Part::Iodata(own), Part::Segments(padding)] => args.extend([own.clone(), binary(padding.clone())]),
        _ => return None,
    }
    Some(args)
}

/// `[Record | Rest]`
pub(super) fn first_of(pattern: Expr) -> Expr {
    list_before([pattern], "Rest")
}

/// The tag of an empty list of records.
pub(super) fn list_tag(sizes: Sizes) -> u64 {
    u64::from(upper_half(sizes)) << 32
}

/// The members of another record of the same type.
fn numbered<'a>(named: &[Named<'a>], number: u32) -> Vec<Named<'a>> {
    let taken: Vec<String> = variables(named);
    let mut scope = Scope::new(taken.iter().map(String::as_str), ());
    renamed(named, &|name| format!("{name}{number}"), &mut scope)
}

/// A message that grows: the variable of what is there, none before there is any, the segments that wait to be added
/// together, and the statements so far.
pub(super) struct Growing {
    pub acc: Option<Numbered>,
    pub waiting: Vec<Expr>,
    pub body: Vec<Expr>,
}

impl Growing {
    /// What grows from `acc`.
    pub fn onto(acc: Numbered, body: Vec<Expr>) -> Self {
        Self { acc: Some(acc), waiting: Vec::new(), body }
    }

    /// What is there.
    pub fn there(&self) -> Expr {
        self.acc.map_or_else(|| quote("<<>>"), Expr::from)
    }

    /// Adds the segments that wait.
    pub fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut segments: Vec<Expr> = self.acc.iter().map(|acc| quote(format!("{acc}/binary"))).collect();
        segments.append(&mut self.waiting);
        self.bind(binary(segments));
    }

    /// Binds what is there now, and gives its variable.
    pub fn bind(&mut self, value: Expr) -> Numbered {
        let acc = self.acc.map_or(Numbered::first("Acc"), Numbered::next);
        self.acc = Some(acc);
        self.body.push(bind(acc, value));
        acc
    }
}
