//! Writers: a header beside the codecs of classes that write fields straight into a message, without a value object.
//!
//! A writer whose parts follow one another is a place in the draft's stack of what was begun, and the draft checks the
//! order. Where parts are found by links a writer is a block, and the draft counts the links that must still lead
//! somewhere. Fields are measured and stored by the statements of `encode`.

mod class;
mod setters;
mod within;

use crate::code::{code, definition, for_each, function, listed, stmt, var, when_else, Code, Stmt};
use crate::encode::Encoder;
use crate::gen::{Gen, Wire};
use crate::names::Site;
use crate::parameter::parameter;
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
    fn writer(&self, id: TypeId) -> Code {
        self.gen.class(id, &self.namespace())
    }

    /// The code that the writers of all units stand on.
    pub fn common(&self) -> Vec<Stmt> {
        let within = stmt!("using namespace {};", self.wire.namespace);
        self.wire.forward("writer", written_records(self.wire), within, None)
    }

    /// The writers of a unit's records in this form.
    pub fn parts(&self, unit: &Unit, sheet: &mut Sheet) {
        let (space, mut behind) = (self.namespace(), Vec::new());
        for layout in self.wire.layouts(unit) {
            sheet.add(layout.record, &space, [stmt!("class {};", self.gen.names.of(layout.record))]);
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
        let of = code!("{}::writer_of<T>", self.wire.namespace);
        let head = code!(
            "template <{}::message T>\ninline typename {of}::type {}",
            self.wire.namespace,
            self.wire.function("write")
        );
        let longest = self.wire.plan.frame_length().is_some().then(|| code!(", {of}::longest"));
        let refusal = code!("aldis::detail::refusal<{}::message_of<T>, T>", self.wire.namespace);
        let body = vec![
            stmt!("draft.begin({of}::head_size, {of}::seal, {refusal}{longest});"),
            stmt!("return typename {of}::type(draft);"),
        ];
        vec![
            stmt!("/// Begins a message of form {}; `draft.finish()` gives its bytes.", self.wire.plan.form.name),
            function(head, &[parameter("aldis::draft&", "draft").bound()], body),
            Stmt::Blank,
        ]
    }

    /// For the testee: functions that write a value field by field, records within it by their own writers.
    pub fn copies(&self) -> Vec<Stmt> {
        let (namespace, mut sheet) = (self.namespace(), Sheet::default());
        let layouts: Vec<_> = self.wire.plan.layouts.iter().flatten().collect();
        let parameters = |id: TypeId| {
            let name = self.gen.names.of(id);
            [parameter(name, "to"), parameter(code!("const {}&", self.gen.names.qualified(id)), "value")]
        };
        for layout in &layouts {
            let declared = stmt!("inline void copy({});", listed(parameters(layout.record)));
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
            let copy = function(code!("[[maybe_unused]] inline void copy"), &parameters(layout.record), body);
            sheet.add(layout.record, &namespace, [copy, Stmt::Blank]);
        }
        sheet.print(self.gen)
    }

    fn copy(&self, id: TypeId, field: u32, within: Option<Within<'_>>) -> Option<Stmt> {
        if self.encoder.is_constant(id, field) {
            return None;
        }
        let name = self.gen.names.member(id, field as usize);
        let value = code!("value.{name}");
        Some(match within {
            None => stmt!("to.{name}({value});"),
            Some(Within::One(_)) => stmt!("copy(to.{name}(), {value});"),
            Some(Within::Maybe(_)) => when_else(
                code!("{value}.has_value()"),
                vec![stmt!("copy(to.{name}(), *{value});")],
                vec![stmt!("to.{name}({value});")],
            ),
            Some(Within::List(..)) => for_each(
                code!("auto list = to.{name}({value}.size()); const auto& item : {value}"),
                vec![stmt!("copy(list.next(), item);")],
            ),
        })
    }

    fn description(&self, message: &Message) -> Vec<Stmt> {
        let head = &message.envelope.head;
        let mut seal = self.encoder.head(head, &var("at"), &Code::Number(0));
        if let Some((slot, _)) = head.register(|register| register.meaning == Meaning::Root) {
            let ty = crate::decode::unsigned(slot.width);
            let at = offset(&var("at"), slot.at);
            seal.push(stmt!("aldis::store<byte_order>({at}, {ty}{{{}}});", head.size));
        }
        let parameters = [parameter("std::byte*", "at"), parameter("std::uint64_t", "total")];
        let mut body = vec![
            stmt!("using type = {};", self.writer(message.record)),
            stmt!("static constexpr std::size_t head_size = {};", head.size),
        ];
        if let Some(longest) = crate::header::longest(self.wire, message) {
            let longest = crate::literal::integer(longest.into());
            body.push(stmt!("static constexpr std::uint64_t longest = {longest};"));
        }
        body.push(function(code!("static void seal"), &parameters, seal));
        let name = self.gen.names.of(message.record);
        vec![definition(code!("template <>\nstruct writer_of<{name}>"), body), Stmt::Blank]
    }

    fn private(&self, id: TypeId, name: &str) -> Code {
        var(&self.gen.names.private(id, name))
    }
}

/// The title of a form's writers.
pub(crate) fn written_records(wire: &Wire<'_>) -> Code {
    code!("/// Records of messages of form {} that are being written.", wire.plan.form.name)
}
