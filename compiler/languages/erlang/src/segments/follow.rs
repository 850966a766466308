//! Readers of what pointers lead to. Each takes the pointer's halves, its segment, where it lies there, the message, its
//! depth, the budget and the path, and gives the value and the budget that is left.

use crate::code::quote;
use crate::decode::record::rows;
use crate::decode::weight::element_words;
use crate::erl::{atom, bind, function, tuple, Callee, Clause, Functions};
use crate::gen::Gen;
use aldis_plan::{Content, Element, Node, Plan, Repeat, Repr, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

const POINTER_ARGS: &str = "Low, High, Bin, At, Message, Depth, Budget, Path";

impl<'a> Gen<'a> {
    /// The function that follows a pointer to `target`, a value of type `ty`.
    pub(super) fn follow(&mut self, plan: &'a Plan, target: &'a Node, ty: &'a Type, hint: &str) -> Callee {
        match target {
            Node::Blob(blob) => match blob.content {
                Content::Bytes => "aldis_pointer:bytes".into(),
                Content::Text(_) if self.strict_text.behind_pointers() => "aldis_pointer:utf8".into(),
                Content::Text(_) => "aldis_pointer:text".into(),
            },
            Node::Call { record } => self.follow_record(plan, *record),
            Node::Repeat(repeat) => self.follow_list(plan, repeat, ty.required().element(), hint),
            _ => "aldis_pointer:opaque".into(),
        }
    }

    fn follow_record(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("follow_{}", self.names.of(id));
        self.define_in(id, &format!("sections:{name}"), &name, |gen, own| {
            let reader = gen.read_sections(plan, id);
            let body = vec![
                bind(
                    "{Segment, Start, Size, Count, Budget1}",
                    format!("aldis_pointer:record({POINTER_ARGS}, {})", lacks(plan, id)),
                ),
                quote(format!("{reader}(Segment, Start, Size, Count, Message, Depth + 1, Budget1, Path)")),
            ];
            function(atom(own), &[null(), Clause::new([POINTER_ARGS], body)])
        })
    }

    fn follow_list(&mut self, plan: &'a Plan, repeat: &'a Repeat, element: &'a Type, hint: &str) -> Callee {
        match &repeat.element {
            Element::One(Node::Call { record }) => self.follow_records(plan, repeat, *record),
            Element::One(Node::Cell { slot }) => match &slot.kind {
                SlotKind::Scalar(scalar) if matches!(scalar.repr, Repr::Bit(_)) => self.follow_plain("bits"),
                SlotKind::Scalar(_) => self.follow_numbers(slot, hint),
                SlotKind::Pointer { target } => self.follow_pointers(plan, target, element, hint),
                _ => self.follow_plain("voids"),
            },
            _ => "aldis_pointer:opaque".into(),
        }
    }

    /// A list whose values the runtime makes.
    fn follow_plain(&mut self, kind: &str) -> Callee {
        let clauses = [null(), Clause::new([POINTER_ARGS], [format!("aldis_pointer:{kind}({POINTER_ARGS})")])];
        self.share(&format!("follow_{kind}"), |own| function(atom(own), &clauses))
    }

    fn follow_numbers(&mut self, slot: &'a Slot, hint: &str) -> Callee {
        let wire = self.wires[0];
        let values = self.table(&wire, slot, "Table", "Path");
        let body = vec![
            bind("{Table, Budget1}", format!("aldis_pointer:numbers({}, {POINTER_ARGS})", slot.width)),
            tuple([values, quote("Budget1")]),
        ];
        let clauses = [null(), Clause::new([POINTER_ARGS], body)];
        self.share(&format!("follow_{hint}"), |own| function(atom(own), &clauses))
    }

    fn follow_records(&mut self, plan: &'a Plan, repeat: &'a Repeat, id: TypeId) -> Callee {
        let name = format!("follow_{}_list", self.names.of(id));
        self.define_in(id, &format!("sections:{name}"), &name, |gen, own| {
            let reader = gen.read_sections(plan, id);
            let words = element_words(plan, repeat);
            let call = format!("aldis_pointer:records(fun {reader}/8, {words}, {}, {POINTER_ARGS})", lacks(plan, id));
            function(atom(own), &[null(), Clause::new([POINTER_ARGS], [call])])
        })
    }

    fn follow_pointers(&mut self, plan: &'a Plan, target: &'a Node, ty: &'a Type, hint: &str) -> Callee {
        let inner = self.follow(plan, target, ty, &format!("{hint}_item"));
        let wanted = match target {
            Node::Call { record } => format!("follow_{}_pointers", self.names.of(*record)),
            Node::Blob(blob) => match blob.content {
                Content::Bytes => "follow_list_of_bytes".to_owned(),
                Content::Text(_) => "follow_list_of_text".to_owned(),
            },
            _ => format!("follow_{hint}"),
        };
        self.share(&wanted, |own| pointers_loop(own, &inner))
    }
}

fn pointers_loop(own: &str, inner: &Callee) -> Functions {
    let each = atom(&format!("{own}_each"));
    let body = vec![
        bind("{Segment, Start, Length, Stride, Budget1}", format!("aldis_pointer:pointers({POINTER_ARGS})")),
        quote(format!("{each}(0, Length, Segment, Start, Stride, Message, Depth + 1, Budget1, Path, [])")),
    ];
    let step = vec![
        quote("<<_:At/binary, Low:32/signed-little, High:32/little, _/binary>> = Bin"),
        bind("{Value, Budget1}", format!("{inner}(Low, High, Bin, At, Message, Depth, Budget, [Index | Path])")),
        quote(format!(
            "{each}(Index + 1, Length, Bin, At + Stride, Stride, Message, Depth, Budget1, Path, [Value | Acc])"
        )),
    ];
    let loops = [
        Clause::new(["Length, Length, _, _, _, _, _, Budget, _, Acc"], ["{lists:reverse(Acc), Budget}"]),
        Clause::new(["Index, Length, Bin, At, Stride, Message, Depth, Budget, Path, Acc"], step),
    ];
    function(atom(own), &[null(), Clause::new([POINTER_ARGS], body)]).and(function(&each, &loops))
}

/// The charge for a record's sections where they are short.
fn lacks(plan: &Plan, id: TypeId) -> String {
    let lacks = plan.lacks(id);
    format!("{{{}, {}}}", rows(&lacks.block), rows(&lacks.pointers))
}

/// The clause for a pointer that is null.
fn null() -> Clause {
    Clause::new(["0, 0, _, _, _, _, Budget, _"], ["{undefined, Budget}"])
}
