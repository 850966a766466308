//! Writers: a header beside the codecs of classes that write fields straight into a message, without a value object.
//!
//! A writer whose parts follow one another is a place in the draft's stack of what was begun, and the draft checks the
//! order. Where parts are found by links a writer is a block, and the draft counts the links that must still lead
//! somewhere. Fields are measured and stored by the statements of `encode`.

mod class;
mod setters;
mod within;

use crate::code::{block, function, line, Stmt};
use crate::encode::Encoder;
use crate::gen::{Gen, Wire};
use crate::names::Site;
use crate::parameter::{listed, parameter};
use crate::scope::offset;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_plan::{Meaning, Message, Step};
use aldis_schema::TypeId;
use within::{within_part, within_slot, Within};

/// Prints the writers of one form.
pub(crate) struct Writers<'g, 'a> {
    gen: &'g Gen<'a>,
    wire: &'g Wire<'a>,
    encoder: Encoder<'g, 'a>,
}

impl<'g, 'a> Writers<'g, 'a> {
    pub fn new(gen: &'g Gen<'a>, wire: &'g Wire<'a>) -> Self {
        Self { gen, wire, encoder: Encoder { gen, wire, site: Site::Namespace } }
    }

    /// Prints statements in the writer of a record.
    fn encoder_in(&self, id: TypeId) -> Encoder<'g, 'a> {
        Encoder { site: Site::Writer(id), gen: self.gen, wire: self.wire }
    }

    fn namespace(&self) -> String {
        self.wire.function("writer")
    }

    /// `writer::Order`
    fn writer(&self, id: TypeId) -> String {
        self.gen.class(id, &self.namespace())
    }

    /// The code that the writers of all units stand on.
    pub fn common(&self) -> Vec<Stmt> {
        let (namespace, form, of) = (self.namespace(), &self.wire.plan.form.name, &self.wire.namespace);
        vec![
            line(format!("/// Records of messages of form {form} that are being written.")),
            line(format!("namespace {namespace} {{")),
            line(format!("using namespace {of};")),
            line(format!("}}  // namespace {namespace}")),
            Stmt::Blank,
            line(format!("namespace {of} {{")),
            Stmt::Blank,
            line("/// The writer of messages of type T."),
            line("template <class T>"),
            line("struct writer_of;"),
            Stmt::Blank,
            line(format!("}}  // namespace {of}")),
            Stmt::Blank,
        ]
    }

    /// The writers of a unit's records in this form.
    pub fn parts(&self, unit: &Unit, sheet: &mut Sheet) {
        let (space, mut behind) = (self.namespace(), Vec::new());
        for layout in self.wire.layouts(unit) {
            sheet.add(layout.record, &space, [line(format!("class {};", self.gen.names.of(layout.record)))]);
        }
        sheet.blank();
        for layout in self.wire.layouts(unit) {
            let mut later = Vec::new();
            sheet.add(layout.record, &space, [self.class(layout.record, &layout.steps, &mut later), Stmt::Blank]);
            behind.push((layout.record, later));
        }
        behind.into_iter().for_each(|(id, later)| sheet.add(id, &space, later));
        let space = &self.wire.namespace;
        self.wire.messages(unit).for_each(|message| sheet.add(message.record, space, self.description(message)));
    }

    /// The function of this form that users call.
    pub fn function(&self) -> Vec<Stmt> {
        let of = format!("{}::writer_of<T>", self.wire.namespace);
        let head = format!(
            "template <{}::message T>\ninline typename {of}::type {}",
            self.wire.namespace,
            self.wire.function("write")
        );
        let longest = if self.wire.plan.frame_length().is_some() { format!(", {of}::longest") } else { String::new() };
        let refusal = format!("aldis::detail::refusal<{}::message_of<T>, T>", self.wire.namespace);
        let body = vec![
            line(format!("draft.begin({of}::head_size, {of}::seal, {refusal}{longest});")),
            line(format!("return typename {of}::type(draft);")),
        ];
        vec![
            line(format!(
                "/// Begins a message of form {}; `draft.finish()` gives its bytes.",
                self.wire.plan.form.name
            )),
            function(&head, &[parameter("aldis::draft&", "draft").bound()], body),
            Stmt::Blank,
        ]
    }

    /// For the testee: functions that write a value field by field, records within it by their own writers.
    pub fn copies(&self) -> Vec<Stmt> {
        let (namespace, mut sheet) = (self.namespace(), Sheet::default());
        let layouts: Vec<_> = self.wire.plan.layouts.iter().flatten().collect();
        let parameters = |id: TypeId| {
            let name = self.gen.names.of(id);
            [parameter(name, "to"), parameter(format!("const {}&", self.gen.names.qualified(id)), "value")]
        };
        for layout in &layouts {
            let declared = line(format!("inline void copy({});", listed(&parameters(layout.record), ", ")));
            sheet.add(layout.record, &namespace, [declared]);
        }
        sheet.blank();
        for layout in &layouts {
            let mut body = Vec::new();
            for step in &layout.steps {
                match step {
                    Step::Run(run) => run.slots.iter().for_each(|slot| {
                        body.extend(slot.field.and_then(|field| self.copy(layout.record, field, within_slot(slot))));
                    }),
                    Step::Part { field, node, .. } => {
                        body.extend(self.copy(layout.record, *field, within_part(node)));
                    }
                }
            }
            let copy = function("[[maybe_unused]] inline void copy", &parameters(layout.record), body);
            sheet.add(layout.record, &namespace, [copy, Stmt::Blank]);
        }
        sheet.print(self.gen)
    }

    fn copy(&self, id: TypeId, field: u32, within: Option<Within<'_>>) -> Option<Stmt> {
        if self.encoder.is_constant(id, field) {
            return None;
        }
        let name = self.gen.names.member(id, field as usize);
        let value = format!("value.{name}");
        Some(match within {
            None => line(format!("to.{name}({value});")),
            Some(Within::One(_)) => line(format!("copy(to.{name}(), {value});")),
            Some(Within::Maybe(_)) => crate::code::when_else(
                format!("{value}.has_value()"),
                vec![line(format!("copy(to.{name}(), *{value});"))],
                vec![line(format!("to.{name}({value});"))],
            ),
            Some(Within::List(..)) => block(
                format!("for (auto list = to.{name}({value}.size()); const auto& item : {value})"),
                vec![line("copy(list.next(), item);")],
            ),
        })
    }

    fn description(&self, message: &Message) -> Vec<Stmt> {
        let head = &message.envelope.head;
        let mut seal = self.encoder.head(head, "at", "0");
        if let Some((slot, _)) = head.register(|register| register.meaning == Meaning::Root) {
            let ty = crate::decode::unsigned(slot.width);
            let at = offset("at", slot.at);
            seal.push(line(format!("aldis::store<byte_order>({at}, {ty}{{{}}});", head.size)));
        }
        let parameters = [parameter("std::byte*", "at"), parameter("std::uint64_t", "total")];
        let mut body = vec![
            line(format!("using type = {};", self.writer(message.record))),
            line(format!("static constexpr std::size_t head_size = {};", head.size)),
        ];
        if let Some(longest) = crate::header::longest(self.wire, message) {
            let longest = crate::literal::integer(longest.into());
            body.push(line(format!("static constexpr std::uint64_t longest = {longest};")));
        }
        body.push(function("static void seal", &parameters, seal));
        let name = self.gen.names.of(message.record);
        vec![Stmt::Block { head: format!("template <>\nstruct writer_of<{name}>"), body, tail: ";" }, Stmt::Blank]
    }

    fn private(&self, id: TypeId, name: &str) -> String {
        self.gen.names.private(id, name)
    }
}
