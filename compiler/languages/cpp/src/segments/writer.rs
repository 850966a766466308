//! Writers: a class of each record and group, with a function that sets each field or begins what it leads to; unions as
//! types that say how each arm is written.

use super::shapes::{used_bits, Method, Shape, Shaped};
use super::{sections, target, Segments, Target};
use crate::code::{code, definition, function, hex, listed, rows, stmt, var, Code, Stmt, ToCode};
use crate::gen::{Gen, Hold, Wire};
use crate::names::Site;
use crate::parameter::parameter;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_plan::{ArmSlot, Node, Repr, Slot, SlotKind};
use aldis_schema::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// The parameters and the argument of a writer's function, and its result.
struct Setter {
    parameters: Code,
    argument: &'static str,
    ty: Option<Code>,
    needs: Option<TypeId>,
    /// Whether it makes the field null.
    is_null: bool,
}

impl Setter {
    /// `ty`: nothing where there is no result.
    fn of(parameters: impl ToCode, argument: &'static str, ty: impl Into<Option<Code>>) -> Self {
        Self { parameters: parameters.to_code(), argument, ty: ty.into(), needs: None, is_null: false }
    }

    fn null() -> Self {
        Self { is_null: true, ..Self::of("std::nullopt_t", "", None) }
    }
}

impl Segments<'_, '_> {
    fn writer_space(&self) -> String {
        self.gen.segments().map(|wire| wire.function("writer")).unwrap_or_default()
    }

    fn draft(&self, id: TypeId) -> Code {
        self.gen.class(id, &self.writer_space())
    }

    /// The code that the writers of all units stand on.
    pub fn writers_common(&self, wire: &Wire<'_>) -> Vec<Stmt> {
        let within = stmt!("namespace drafts = aldis::segments::drafts;");
        wire.forward("writer", crate::writer::written_records(wire), within, None)
    }

    /// The writers of a unit's records.
    pub fn writers(&self, wire: &Wire<'_>, unit: &Unit, sheet: &mut Sheet) {
        let define = |shaped: &Shaped<'_>, undefined: &BTreeSet<TypeId>, later: &mut Vec<Stmt>| match shaped.shape {
            Shape::Record(slots) => self.writer_class(shaped.id, slots, undefined, later),
            Shape::Union { tag, arms } => self.writer_union(shaped, tag, arms),
        };
        self.classes(&self.writer_space(), unit, &define, sheet);
        for message in wire.messages(unit) {
            let head = code!("template <>\nstruct writer_of<{}>", self.gen.names.of(message.record));
            let body = vec![stmt!("using type = {};", self.draft(message.record))];
            sheet.add(message.record, &wire.namespace, [definition(head, body), Stmt::Blank]);
        }
    }

    fn writer_class(
        &self,
        id: TypeId,
        slots: &[Slot],
        undefined: &BTreeSet<TypeId>,
        later: &mut Vec<Stmt>,
    ) -> Vec<Stmt> {
        let name = self.gen.names.of(id);
        let place = self.gen.names.private(id, "place_");
        let mut body = vec![
            Stmt::Label("public:"),
            stmt!("/// Begun by `write`, or by the writer of the record that holds it."),
            stmt!("explicit {name}(const aldis::segments::draft_place& place) noexcept : {place}(place) {{}}"),
            Stmt::Blank,
        ];
        for slot in slots {
            let Some(index) = slot.field.map(|field| field as usize) else { continue };
            if self.gen.hold(id, index) != Hold::Constant {
                for setter in self.setters(id, index, slot, &place.to_code()) {
                    body.extend(setter.print(name, undefined, later));
                }
            }
        }
        body.extend([Stmt::Label("private:"), stmt!("aldis::segments::draft_place {place};")]);
        let title = code!("/// `{}`", self.gen.schema.type_def(id).name.full());
        vec![definition(code!("{title}\nclass {name}"), body)]
    }

    fn setters(&self, id: TypeId, index: usize, slot: &Slot, place: &Code) -> Vec<Method> {
        let method = |docs: Vec<Stmt>, setter: Setter, body: Code| Method {
            docs,
            before: "",
            ty: setter.ty.unwrap_or_else(|| code!("void")),
            name: code!("{}({}) const", self.gen.names.member(id, index), setter.parameters),
            body,
            needs: setter.needs,
        };
        let docs = crate::types::docs(&self.gen.field(id, index).doc);
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let (ty, meant) = (self.gen.cpp_type(&scalar.ty, Site::Record(id)), self.meant_within(scalar, id));
                let body = match scalar.repr {
                    Repr::Bit(bit) => code!("{place}.set_bit({}, {bit}, {}{meant});", slot.at, var("value")),
                    _ => code!("{place}.set<{ty}>({}, {}{meant});", slot.at, var("value")),
                };
                vec![method(docs, Setter::of(code!("{ty} value"), "value", None), body)]
            }
            SlotKind::Pointer { target: node } => {
                let kind = self.draft_kind(node, id);
                let setters = self.pointer_setters(node, id).into_iter().enumerate();
                let setters = setters.map(|(number, setter)| {
                    let argument = if setter.argument.is_empty() { "" } else { ", " };
                    let call = match setter.is_null {
                        true => code!("{place}.set_null({});", slot.at),
                        false => code!("{place}.put<{kind}>({}{argument}{});", slot.at, setter.argument),
                    };
                    let body = if setter.ty.is_none() { call } else { code!("return {call}") };
                    method(if number == 0 { docs.clone() } else { Vec::new() }, setter, body)
                });
                setters.collect()
            }
            SlotKind::Nest { record, .. } | SlotKind::Choice { union: record, .. } => {
                let setter = Setter { needs: Some(*record), ..Setter::of("", "", self.draft(*record)) };
                let body = code!("return {}({place});", self.draft(*record));
                vec![method(docs, setter, body)]
            }
            _ => Vec::new(),
        }
    }

    fn pointer_setters(&self, node: &Node, within: TypeId) -> Vec<Setter> {
        let counted = || Setter::of("std::size_t count", "count", code!("auto"));
        match target(node) {
            Target::Text => vec![Setter::of("std::optional<std::string_view> value", "value", None)],
            Target::Data => vec![Setter::of("std::optional<std::span<const std::byte>> value", "value", None)],
            Target::Any => vec![Setter::of("std::optional<aldis::any_view> value", "value", None)],
            Target::Numbers(scalar) => {
                let ty = self.gen.cpp_type(&scalar.ty, Site::Record(within));
                let all = code!("std::optional<std::span<const {ty}>> values");
                vec![Setter::of(all, "values", None), counted()]
            }
            Target::Bits => {
                vec![Setter::of("std::optional<aldis::bits_view> values", "values", None), counted()]
            }
            Target::Voids => vec![Setter::of("std::size_t count", "count", None), Setter::null()],
            Target::Record(id) => {
                vec![Setter { needs: Some(id), ..Setter::of("", "", self.draft(id)) }, Setter::null()]
            }
            Target::Records(_) | Target::Pointers(_) => vec![counted(), Setter::null()],
        }
    }

    fn draft_kind(&self, node: &Node, within: TypeId) -> Code {
        let record = |kind: &str, id| {
            let words = sections(self.plan, id).words();
            code!("drafts::{kind}<{}, {words}>", self.draft(id))
        };
        self.kind(node, &var("drafts"), within, &record)
    }

    fn writer_union(&self, shaped: &Shaped<'_>, tag: u32, arms: &[ArmSlot]) -> Vec<Stmt> {
        let id = shaped.id;
        let (name, tags) = (self.gen.names.of(id), self.gen.names.tags(id));
        let mut used = BTreeMap::new();
        let mut kinds = Vec::new();
        for arm in arms {
            used_bits(&arm.slot, &mut used);
            let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
            let kind = match &arm.slot.kind {
                SlotKind::Scalar(scalar) => self.number_arm(scalar, arm.slot.at, &var("drafts"), id),
                SlotKind::Pointer { target } => {
                    code!("drafts::pointer<{}, {}>", arm.slot.at, self.draft_kind(target, id))
                }
                SlotKind::Nest { record, .. } | SlotKind::Choice { union: record, .. } => {
                    code!("drafts::within<{}>", self.draft(*record))
                }
                _ => code!("drafts::none"),
            };
            kinds.push(code!("aldis::arm<{tags}::{}, {kind}>", self.gen.names.member(id, index)));
        }
        let used = used.iter().map(|(at, bits)| match *at < shaped.data {
            true => code!("drafts::used<{at}, {}>", hex(*bits)),
            false => code!("drafts::used_pointer<{at}>"),
        });
        let shared = code!("drafts::shared<{}>", listed(used));
        kinds.insert(0, shared);
        let mut parts = crate::types::title(self.gen.schema.type_def(id));
        parts.push(rows(code!("using {name} = drafts::choice<{tags}, {tag},"), kinds, ">;"));
        parts
    }
}

/// The function that users call, of the form that writers write.
pub(crate) fn write_function(gen: &Gen<'_>) -> Vec<Stmt> {
    let Some(wire) = gen.segments() else { return Vec::new() };
    let space = &wire.namespace;
    let head =
        code!("template <{space}::message T>\ninline typename {space}::writer_of<T>::type {}", wire.function("write"));
    let of = code!("{space}::message_of<T>");
    let body = vec![
        stmt!("using message = {of};"),
        stmt!("constexpr auto refusal = aldis::segments::detail::refusal<message, aldis::segments::framed, T>;"),
        stmt!("const aldis::segments::draft_place root = draft.begin(message::data, message::pointers, refusal);"),
        stmt!("return typename {space}::writer_of<T>::type(root);"),
    ];
    vec![
        stmt!("/// Begins a message of form {}; `draft.finish()` gives its bytes.", wire.plan.form.name),
        function(head, &[parameter("aldis::segments::draft&", "draft").bound()], body),
        Stmt::Blank,
    ]
}
