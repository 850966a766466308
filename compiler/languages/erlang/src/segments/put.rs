//! Writers of what pointers lead to.

use super::decode::Sizes;
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, bind, function, Callee, Clause};
use crate::gen::Gen;
use aldis_plan::{Content, Element, Node, Plan, Repeat, Repr, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

/// The arguments of an object's writer: the value, the word of the pointer, the word where the object would lie.
const PUT_ARGS: &str = "Value, Place, Next, Depth, Path";

impl<'a> Gen<'a> {
    /// A call that writes what the pointer in word `place` leads to.
    #[allow(clippy::too_many_arguments)] // they are those of the call
    pub(super) fn place(
        &mut self,
        plan: &'a Plan,
        target: &'a Node,
        ty: &'a Type,
        hint: &str,
        var: &str,
        place: &str,
        next: &str,
        depth: &str,
        path: &str,
    ) -> String {
        let deep = |name: Callee| format!("{name}({var}, {place}, {next}, {depth}, {path})");
        match target {
            Node::Blob(blob) => format!("{}({var}, {place}, {next}, {path})", put_blob(blob.content)),
            Node::Call { record } => deep(self.put_record(plan, *record)),
            Node::Repeat(repeat) => deep(self.put_list(plan, repeat, ty.required().element(), hint)),
            _ => deep("aldis_object:put".into()),
        }
    }

    pub(super) fn put_record(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("put_{}", self.names.of(id));
        self.define_in(id, &format!("sections:{name}"), &name, |gen, own| {
            let writer = gen.write_sections(plan, id);
            let (words, pointers) = words(Sizes::of(plan, id));
            let low = match words + pointers {
                // A record of no words, which must not look like null.
                0 => "-4".to_owned(),
                _ => "(Next - Place - 1) bsl 2".to_owned(),
            };
            let body = vec![
                quote("aldis_check:depth(Depth + 1, Path)"),
                bind(
                    "{Body, Objects, End}",
                    format!("{writer}(Value, Next, Next + {}, Depth + 1, Path)", words + pointers),
                ),
                quote(format!("{{{low}, {}, [Body | Objects], End}}", words | pointers << 16)),
            ];
            function(atom(own), &[null(), Clause::new([PUT_ARGS], body)])
        })
    }

    fn put_list(&mut self, plan: &'a Plan, repeat: &'a Repeat, element: &'a Type, hint: &str) -> Callee {
        let deeper = "aldis_check:depth(Depth + 1, Path)";
        let (wanted, body) = match &repeat.element {
            Element::One(Node::Call { record }) => return self.put_records(plan, *record),
            Element::One(Node::Cell { slot }) => match &slot.kind {
                SlotKind::Scalar(scalar) if matches!(scalar.repr, Repr::Bit(_)) => {
                    ("put_bits".to_owned(), quote("aldis_words:bits(Value, Place, Next, Path)"))
                }
                SlotKind::Scalar(scalar) => (format!("put_{hint}"), self.put_numbers(slot, scalar.repr)),
                SlotKind::Pointer { target } => {
                    let inner = format!("{hint}_item");
                    let write = match target.as_ref() {
                        Node::Blob(blob) => format!("fun {}/4", put_blob(blob.content)),
                        target => {
                            let (var, place, next, depth, path) = ("Item", "Place1", "Next1", "Depth + 1", "Path1");
                            let call = self.place(plan, target, element, &inner, var, place, next, depth, path);
                            format!("fun(Item, Place1, Next1, Path1) -> {call} end")
                        }
                    };
                    let wanted = match target.as_ref() {
                        Node::Call { record } => format!("put_{}_pointers", self.names.of(*record)),
                        Node::Blob(blob) if blob.content == Content::Bytes => "put_list_of_bytes".to_owned(),
                        Node::Blob(_) => "put_list_of_text".to_owned(),
                        _ => format!("put_{hint}"),
                    };
                    (wanted, quote(format!("aldis_words:pointers({write}, Value, Place, Next, Path)")))
                }
                _ => ("put_voids".to_owned(), quote("aldis_words:voids(Value, Place, Next, Path)")),
            },
            _ => return "aldis_object:put".into(),
        };
        let clauses = [null(), Clause::new([PUT_ARGS], [quote(deeper), body])];
        self.share(&wanted, |own| function(atom(own), &clauses))
    }

    /// A call that writes numbers side by side.
    fn put_numbers(&mut self, slot: &'a Slot, repr: Repr) -> Expr {
        let wire = self.wires[0];
        let cell = self.cell_bytes(&wire, slot, "Item", "Path");
        let code = match repr.width() {
            1 => 2,
            2 => 3,
            4 => 4,
            _ => 5,
        };
        let table = "<< ?1 || Item <- aldis_check:list(Value, Path) >>";
        quote_with(format!("aldis_words:numbers({table}, {}, {code}, Place, Next, Path)", slot.width), [cell])
    }

    fn put_records(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("put_{}_list", self.names.of(id));
        self.define_in(id, &format!("sections:{name}"), &name, |gen, own| {
            let writer = gen.write_sections(plan, id);
            let (words, pointers) = words(Sizes::of(plan, id));
            let body = vec![
                quote("aldis_check:depth(Depth + 2, Path)"),
                bind(
                    "Write",
                    format!("fun(Item, At, Next1, Path1) -> {writer}(Item, At, Next1, Depth + 2, Path1) end"),
                ),
                quote(format!("aldis_words:records(Write, Value, {words}, {pointers}, Place, Next, Path)")),
            ];
            function(atom(own), &[null(), Clause::new([PUT_ARGS], body)])
        })
    }
}

/// Words of data, and pointers.
fn words(sizes: Sizes) -> (u32, u32) {
    (sizes.data / super::WORD, sizes.pointers)
}

/// The clause for null.
fn null() -> Clause {
    Clause::new(["undefined, _, Next, _, _"], ["{0, 0, [], Next}"])
}

/// The runtime's function that places text or bytes.
fn put_blob(content: Content) -> &'static str {
    match content {
        Content::Bytes => "aldis_words:bytes",
        Content::Text(_) => "aldis_words:text",
    }
}
