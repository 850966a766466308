//! Segments as they usually are: there is one, pointers are near, and what they lead to has the schema's size. Places count from its
//! first byte, or from that of the table before it, where the bytes have one. `left` is the budget, of which what is charged is taken, or
//! more: 8 times what the words of a pointer's object have.

use super::body::{number, Body, Pos, Val};
use super::cells::{code, decoded};
use super::read::Frame;
use super::{Fast, DEPTH};
use crate::py::{apply, binary, call, index, int, name, plus, row, slice, target, Expr, Stmt};
use aldis_plan::Container;
use aldis_routine::{levels_of, visit, Arg, Block, Listed, Op, RoutineId, Segments, Subject, Sym, What};
use aldis_schema::Encoding;

/// The kind that a list's elements should have.
enum Wanted {
    Records(u32, u32),
    Pointers,
    /// Its code, and bytes.
    Scalars(u8, u32),
    Bits,
}

/// The bytes of a table of one segment.
const TABLE: u32 = 8;

impl Fast<'_> {
    /// The place of the segment's first byte.
    fn first(&self) -> u32 {
        match self.module.container {
            Container::Segments(form) if form.table && !form.packed => TABLE,
            _ => 0,
        }
    }

    /// Whether a block calls a function.
    fn calls(&self, block: &Block) -> bool {
        block.ops.iter().any(|op| match &op.what {
            What::Call { routine, .. } => !self.is_inlined(*routine),
            what => visit::blocks(what).into_iter().any(|block| self.calls(block)),
        })
    }

    /// The levels that a routine of records without end needs for what ends.
    pub(super) fn shallow(&self, id: RoutineId) -> u32 {
        let called = &mut |what: &What| match what {
            What::Call { routine, .. } => Some(self.levels[routine.0 as usize].unwrap_or(0)),
            _ => Some(0),
        };
        levels_of(&self.module[id].body, called).map_or(DEPTH, |levels| levels.min(DEPTH))
    }
}

impl<'a> Body<'_, 'a> {
    pub(super) fn segments(&mut self, frame: &mut Frame<'a>, op: &'a Op, what: &'a Segments) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match what {
            Segments::Open => self.opened(frame, first),
            Segments::Aim { at, .. } => {
                let at = frame.pos(*at);
                let lower = self.slot(&at, "i", 4, "lower");
                let upper = self.slot(&at.behind(4), "I", 4, "upper");
                frame.set(first, Val::Aim { at, lower, upper });
            }
            Segments::IsNull { aim } => {
                let Some((_, lower, upper)) = aimed(frame, *aim) else { return };
                let none = Expr::Not(Box::new(binary(name(lower), "or", name(upper))));
                let is_null = match frame.routine.of {
                    // A message without a root fails the other tests of its root.
                    Subject::Message(_) => Val::Known(0),
                    Subject::Record(_) => Val::Is(none),
                };
                frame.set(first, is_null);
            }
            Segments::Sections { aim, .. } => self.sections(frame, op, *aim),
            Segments::Octets { aim, text, .. } => {
                let value = self.octets(frame, *aim, *text);
                frame.set(first, Val::Is(value));
            }
            // `List` asks it too.
            Segments::IsList { .. } => {}
            Segments::List { aim, .. } => self.list(frame, op, *aim),
            Segments::Seat { .. } => {}
            Segments::Eighths { .. } | Segments::Short { .. } => frame.set(first, Val::Known(0)),
            Segments::Bits { at, count, .. } => {
                let at = self.place(&frame.pos(*at));
                let value = self.fast.helped("bits", vec![name("d"), at, number(&frame.arg(*count))]);
                let own = self.keep("list", value);
                frame.set(first, Val::Is(name(own)));
            }
            Segments::Strided { of, scalar, list } => {
                let count = number(&frame.val(of.count));
                let items = self.row(&frame.pos(of.at), count, scalar);
                let made = self.collected(*list, items);
                let own = self.keep("list", made);
                frame.set(first, Val::Is(name(own)));
            }
            Segments::Keep { .. } => {
                self.odd_if(name("True"));
                frame.set(first, Val::Is(name("None")));
            }
        }
    }

    /// The one segment of a message.
    fn opened(&mut self, frame: &mut Frame<'a>, first: Sym) {
        let at = self.place(&frame.pos(frame.routine.params[0]));
        let start = self.fast.first();
        if start > 0 {
            self.opened_behind_table(at);
        } else {
            let open = match self.fast.module.container {
                Container::Segments(form) if form.packed => "packed_segment",
                _ => "flat",
            };
            let value = self.fast.helped(open, vec![name("d"), at]);
            self.push(Stmt::Bind(row(vec!["d".to_owned(), "end".to_owned()]), value));
            self.set("full", call("len", vec![name("d")]));
            self.bound = Some(name("end"));
        }
        frame.set(first, Val::Pos(Pos { base: String::new(), plus: start.into() }));
    }

    /// The same where there is a table, which is read at once with what is behind it. Bytes that are one message, as they mostly are, stay
    /// where they lie.
    fn opened_behind_table(&mut self, at: Expr) {
        let alone = |body: &mut Self, at: Expr| {
            vec![Stmt::Bind(target("d"), body.fast.helped("one_message", vec![name("d"), at]))]
        };
        let then = alone(self, at.clone());
        self.push(Stmt::If(at.clone(), then, Vec::new()));
        let start = Pos { base: String::new(), plus: 0 };
        let more = self.slot(&start, "I", 4, "more");
        let words = self.slot(&start.behind(4), "I", 4, "words");
        self.set("full", plus(binary(int(8), "*", name(words)), TABLE.into()));
        let then = alone(self, int(0));
        self.push(Stmt::If(binary(name("full"), "!=", call("len", vec![name("d")])), then, Vec::new()));
        self.bound = Some(binary(at, "+", name("full")));
        self.odd_if(name(more));
    }

    fn sections(&mut self, frame: &mut Frame<'a>, op: &'a Op, aim: Sym) {
        let is_message = matches!(frame.routine.of, Subject::Message(_));
        let record = match is_message {
            true => Some(frame.routine.of.record(self.fast.module)),
            false => self.taker(&frame.routine.body, op.binds[1]),
        };
        let sizes = record.and_then(|record| self.fast.sections(record));
        let (Some((data, pointers)), Some((at, lower, upper))) = (sizes, aimed(frame, aim)) else {
            return self.is_odd = true;
        };
        let shape = u64::from(data / 8) | u64::from(pointers / 8) << 16;
        let is_other = binary(name(upper), "!=", int(shape));
        let from = match is_message {
            true => self.root(&frame.routine.body, &at, (is_other, lower), (data, pointers)),
            false => self.behind_pointer(&at, (is_other, lower), data + pointers),
        };
        frame.set(op.binds[0], Val::Known(0));
        frame.set(op.binds[1], Val::Pos(from.clone()));
        frame.set(op.binds[2], Val::Known(data.into()));
        frame.set(op.binds[3], Val::Pos(from.behind(data.into())));
        frame.set(op.binds[4], Val::Known(pointers.into()));
    }

    /// The record that a pointer leads to, and its price.
    fn behind_pointer(&mut self, at: &Pos, (is_other, lower): (Expr, String), size: u32) -> Pos {
        let test = match size {
            // An empty record is written only so: it lies where its pointer does.
            0 => binary(name(lower.as_str()), "!=", int(-4)),
            _ => binary(binary(name(lower.as_str()), "&", int(3)), "!=", int(0)),
        };
        self.odd_if(binary(is_other, "or", test));
        let start = binary(self.place(&at.behind(8)), "+", binary(int(2), "*", name(lower)));
        let start = self.keep("start", start);
        let all = plus(name(start.as_str()), size.into());
        let before = binary(name(start.as_str()), "<", int(self.fast.first()));
        self.odd_if(binary(before, "or", binary(all, ">", name("full"))));
        self.push(Stmt::Change("left".to_owned(), "-=", int(size)));
        Pos { base: start, plus: 0 }
    }

    /// The root of a message, which writers put right behind its pointer: so its place is known, and it is read with the pointer. One without
    /// pointers and calls takes less than the least budget.
    fn root(
        &mut self,
        block: &'a Block,
        at: &Pos,
        (is_other, lower): (Expr, String),
        (data, pointers): (u32, u32),
    ) -> Pos {
        let size = data + pointers;
        let (wanted, from) = if size == 0 { (-4, at.clone()) } else { (0, at.behind(8)) };
        let end = at.behind(u64::from(size) + 8);
        let short = binary(name("full"), "<", int(end.plus));
        self.odd_if(binary(binary(is_other, "or", binary(name(lower), "!=", int(wanted))), "or", short));
        self.is_priced = pointers > 0 || self.fast.calls(block);
        if self.is_priced {
            let budget = 262_144 - i64::from(size) - 8 * i64::from(self.fast.first());
            self.set("left", plus(binary(int(8), "*", name("full")), budget));
        }
        from
    }

    /// The record whose data a symbol is.
    fn taker(&self, block: &Block, data: Sym) -> Option<aldis_schema::TypeId> {
        block.ops.iter().find_map(|op| match &op.what {
            What::Call { routine, args } if args.contains(&Arg::Sym(data)) => {
                Some(self.fast.module[*routine].of.record(self.fast.module))
            }
            what => visit::blocks(what).into_iter().find_map(|block| self.taker(block, data)),
        })
    }

    fn octets(&mut self, frame: &Frame<'a>, aim: Sym, text: bool) -> Expr {
        let Some((at, lower, upper)) = aimed(frame, aim) else { return name("None") };
        let start = self.start_of_list(&at, &lower);
        let stop = binary(name(start.as_str()), "+", binary(name(upper.as_str()), ">>", int(3)));
        let stop = self.keep("stop", plus(stop, -i64::from(text)));
        let kind = binary(binary(name(upper.as_str()), "&", int(7)), "!=", int(2));
        let near = binary(binary(name(lower), "&", int(3)), "!=", int(1));
        let before = binary(name(start.as_str()), "<", int(self.fast.first()));
        let test = binary(binary(kind, "or", near), "or", before);
        let test = match text {
            true => {
                let last = index(name("d"), name(stop.as_str()));
                binary(binary(test, "or", binary(name(upper.as_str()), "<", int(8))), "or", last)
            }
            false => binary(test, "or", binary(name(stop.as_str()), ">", name("full"))),
        };
        self.odd_if(test);
        self.push(Stmt::Change("left".to_owned(), "-=", name(upper)));
        decoded(slice(name("d"), name(start), name(stop)), text.then_some(Encoding::Utf8))
    }

    /// The value of a union with that tag; a tag that no arm has is odd.
    pub(super) fn arm(&mut self, union: aldis_schema::TypeId, tag: Expr, value: Expr) -> Expr {
        let arms = self.fast.arms(union);
        apply(index(arms, tag), vec![value])
    }

    /// The begin of a list: the lowest bits of its pointer's lower half are 1.
    fn start_of_list(&mut self, at: &Pos, lower: &str) -> String {
        let start = binary(self.place(&at.behind(6)), "+", binary(int(2), "*", name(lower)));
        self.keep("start", start)
    }

    /// A list in the one shape that writers give it.
    fn list(&mut self, frame: &mut Frame<'a>, op: &'a Op, aim: Sym) {
        let wanted = self.wanted(&frame.routine.body, op.binds[1]);
        let (Some(wanted), Some((at, lower, upper))) = (wanted, aimed(frame, aim)) else { return self.is_odd = true };
        let start = self.start_of_list(&at, &lower);
        let own = match wanted {
            Wanted::Records(..) => 7,
            Wanted::Pointers => 6,
            Wanted::Bits => 1,
            Wanted::Scalars(code, _) => code,
        };
        let kind = binary(binary(name(upper.as_str()), "&", int(7)), "!=", int(own));
        let near = binary(binary(name(lower), "&", int(3)), "!=", int(1));
        let count = || binary(name(upper.as_str()), ">>", int(3));
        let size = match wanted {
            Wanted::Records(..) => plus(name(upper.as_str()), 1),
            Wanted::Pointers => binary(count(), "*", int(8)),
            Wanted::Scalars(_, width) => binary(count(), "*", int(width)),
            Wanted::Bits => binary(plus(count(), 7), ">>", int(3)),
        };
        let beyond = binary(binary(name(start.as_str()), "+", size), ">", name("full"));
        let before = binary(name(start.as_str()), "<", int(self.fast.first()));
        self.odd_if(binary(binary(binary(kind, "or", near), "or", before), "or", beyond));
        let mut from = Pos { base: start, plus: 0 };
        let (count, sizes) = match wanted {
            Wanted::Records(data, pointers) => {
                let tag = self.tag(&from, (data, pointers), &upper);
                from = from.behind(8);
                (binary(name(tag), ">>", int(2)), (data, pointers))
            }
            Wanted::Pointers => (count(), (0, 8)),
            Wanted::Bits | Wanted::Scalars(..) => (count(), (0, 0)),
        };
        let price = match wanted {
            Wanted::Records(..) | Wanted::Pointers => binary(int(4), "*", name(upper)),
            Wanted::Bits | Wanted::Scalars(..) => plus(name(upper), 8),
        };
        self.push(Stmt::Change("left".to_owned(), "-=", price));
        self.odd_if(binary(name("left"), "<", int(0)));
        let count = self.keep("count", count);
        let stride = match wanted {
            Wanted::Bits => 1,
            Wanted::Scalars(_, width) => width * 8,
            _ => (sizes.0 + sizes.1) * 8,
        };
        let known = [
            Val::Known(0),
            Val::Pos(from),
            Val::Is(name(count)),
            Val::Known(stride.into()),
            Val::Known(sizes.0.into()),
            Val::Known(sizes.1.into()),
            Val::Known(if sizes == (0, 0) { stride.into() } else { 0 }),
        ];
        for (bind, val) in op.binds.iter().zip(known) {
            frame.set(*bind, val);
        }
    }

    /// The variable with the lower half of a list's tag, which says that records have the schema's size.
    fn tag(&mut self, at: &Pos, (data, pointers): (u32, u32), upper: &str) -> String {
        let own = (data + pointers) / 8;
        self.is_odd |= own == 0;
        let tag = self.slot(at, "I", 4, "tag");
        let shape = self.slot(&at.behind(4), "I", 4, "shape");
        let expected = u64::from(data / 8) | u64::from(pointers / 8) << 16;
        let test = binary(name(shape), "!=", int(expected));
        let test = binary(test, "or", binary(binary(name(tag.as_str()), "&", int(3)), "!=", int(0)));
        let words = binary(name(tag.as_str()), "*", int(2 * own));
        self.odd_if(binary(test, "or", binary(words, "!=", plus(name(upper), -7))));
        tag
    }

    /// The use of the elements of the list whose first byte is `first`.
    fn wanted(&self, block: &'a Block, first: Sym) -> Option<Wanted> {
        block.ops.iter().find_map(|op| match &op.what {
            What::Segments(Segments::Strided { of, scalar, .. }) if of.at == first => {
                let size = match code(scalar.repr) {
                    "B" | "b" => (2, 1),
                    "H" | "h" => (3, 2),
                    "I" | "i" | "f" => (4, 4),
                    "Q" | "q" | "d" => (5, 8),
                    _ => return None,
                };
                Some(Wanted::Scalars(size.0, size.1))
            }
            What::Segments(Segments::Bits { at, .. }) if *at == first => Some(Wanted::Bits),
            What::Each { body, .. } => {
                let seat = seat(body).filter(|(of, _)| of.at == first);
                match seat {
                    Some((_, [data, pointers])) => match self.taker(body, data) {
                        Some(record) => {
                            self.fast.sections(record).map(|(data, pointers)| Wanted::Records(data, pointers))
                        }
                        None => aims(body, pointers).then_some(Wanted::Pointers),
                    },
                    None => self.wanted(body, first),
                }
            }
            what => visit::blocks(what).into_iter().find_map(|block| self.wanted(block, first)),
        })
    }

    /// A loop over the elements of a list.
    pub(super) fn seated_loop(&mut self, frame: &mut Frame<'a>, block: &'a Block) -> Expr {
        let Some((of, [data, pointers])) = seat(block) else { return self.odd() };
        let (start, sizes) = (frame.pos(of.at), [of.data, of.pointers].map(|size| frame.val(size)));
        let [Val::Known(own), Val::Known(more)] = sizes else { return self.odd() };
        let step = (own + more) as i64;
        let at = self.fresh("at");
        self.begin();
        self.odd_if(binary(name("left"), "<", int(0)));
        frame.set(data, Val::Pos(Pos { base: at.clone(), plus: 0 }));
        frame.set(pointers, Val::Pos(Pos { base: at.clone(), plus: own as i64 }));
        let given = self.block(frame, block);
        self.is_odd |= !self.has_stretch();
        let items = given.iter().map(|val| self.value(val)).collect();
        let (lines, _) = self.finish(None);
        let from = self.place(&start);
        let bytes = binary(number(&frame.val(of.count)), "*", int(step));
        let to = binary(from.clone(), "+", bytes);
        self.gathered([lines, Vec::new()], items, target(at), call("range", vec![from, to, int(step)]))
    }
}

fn aimed(frame: &Frame<'_>, aim: Sym) -> Option<(Pos, String, String)> {
    match frame.val(aim) {
        Val::Aim { at, lower, upper } => Some((at, lower, upper)),
        _ => None,
    }
}

/// The seat of a loop's element, with what it binds.
fn seat(block: &Block) -> Option<(Listed, [Sym; 2])> {
    block.ops.iter().find_map(|op| match &op.what {
        What::Segments(Segments::Seat { of, .. }) => Some((*of, [op.binds[0], op.binds[1]])),
        _ => None,
    })
}

/// Whether a block reads the pointer at a place, which an operation may have moved by nothing.
fn aims(block: &Block, place: Sym) -> bool {
    let mut own = vec![place];
    fn within(block: &Block, own: &mut Vec<Sym>) -> bool {
        block.ops.iter().any(|op| match &op.what {
            What::Add { at, .. } if own.contains(&at.base) => {
                own.extend(op.binds.first());
                false
            }
            What::Segments(Segments::Aim { at, .. }) => own.contains(at),
            what => visit::blocks(what).into_iter().any(|block| within(block, own)),
        })
    }
    within(block, &mut own)
}
