//! Views: a class of each record and group, with a function for each field; unions as types that say how each arm is read.

use super::shapes::{Method, Shape, Shaped};
use super::{target, Segments, Target, WORD};
use crate::code::{code, definition, function, rows, stmt, var, Code, Stmt, ToCode};
use crate::gen::{Gen, Hold, Wire};
use crate::names::Site;
use crate::parameter::{input, limits, parameter};
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_plan::{ArmSlot, Node, Repr, Slot, SlotKind};
use aldis_schema::TypeId;
use std::collections::BTreeSet;

impl Segments<'_, '_> {
    /// The namespace of the views, which all forms share.
    fn view_space(&self) -> String {
        self.gen.segments().map(|wire| wire.function("view")).unwrap_or_default()
    }

    fn view(&self, id: TypeId) -> Code {
        self.gen.class(id, &self.view_space())
    }

    /// The code that the views of all units stand on.
    pub fn views_common(&self, wire: &Wire<'_>) -> Vec<Stmt> {
        let title = code!("/// Records of verified messages of forms {}, read where they lie.", self.forms());
        wire.forward("view", title, stmt!("namespace in_place = aldis::segments::in_place;"), None)
    }

    /// The views of a unit's records, and the checks that they stand on.
    pub fn views(&self, wire: &Wire<'_>, unit: &Unit, sheet: &mut Sheet) {
        let define = |shaped: &Shaped<'_>, undefined: &BTreeSet<TypeId>, later: &mut Vec<Stmt>| match shaped.shape {
            Shape::Record(slots) => self.view_class(shaped, slots, undefined, later),
            Shape::Union { tag, arms } => self.view_union(shaped, tag, arms),
        };
        self.classes(&self.view_space(), unit, &define, sheet);
        self.checks(wire, unit, sheet);
    }

    /// The checks of a unit's records, and which of them a message has.
    fn checks(&self, wire: &Wire<'_>, unit: &Unit, sheet: &mut Sheet) {
        let space = wire.namespace.as_str();
        let records: Vec<TypeId> = wire.layouts(unit).map(|layout| layout.record).collect();
        records.iter().for_each(|id| sheet.add(*id, space, [self.verify_signature(*id).declaration()]));
        sheet.blank();
        records.iter().for_each(|id| sheet.add(*id, space, [self.verifier(*id), Stmt::Blank]));
        for message in wire.messages(unit) {
            let name = self.gen.names.of(message.record);
            let body = vec![
                stmt!("using type = {};", self.view(message.record)),
                stmt!("static constexpr auto verify = verify_{name};"),
            ];
            let head = code!("template <>\nstruct view_of<{name}>");
            sheet.add(message.record, space, [definition(head, body), Stmt::Blank]);
        }
    }

    fn view_class(
        &self,
        shaped: &Shaped<'_>,
        slots: &[Slot],
        undefined: &BTreeSet<TypeId>,
        later: &mut Vec<Stmt>,
    ) -> Vec<Stmt> {
        let (id, name) = (shaped.id, self.gen.names.of(shaped.id));
        let place = var(&self.gen.names.private(id, "place_"));
        let mut body = vec![
            Stmt::Label("public:"),
            stmt!("/// All of its fields are missing."),
            stmt!("{name}() = default;"),
            stmt!("explicit {name}(const aldis::segments::verified& place) noexcept : {place}(place) {{}}"),
            Stmt::Blank,
        ];
        for slot in slots {
            if let Some(getter) = self.getter(id, slot, shaped.data, &place) {
                body.extend(getter.print(name, undefined, later));
            }
        }
        body.extend([Stmt::Label("private:"), stmt!("aldis::segments::verified {place};")]);
        let title = code!("/// `{}`", self.gen.schema.type_def(id).name.full());
        vec![definition(code!("{title}\nclass {name}"), body)]
    }

    fn getter(&self, id: TypeId, slot: &Slot, data: u32, place: &Code) -> Option<Method> {
        let index = slot.field? as usize;
        if self.gen.hold(id, index) == Hold::Constant {
            return None;
        }
        let mut needs = None;
        let (ty, found) = match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let (ty, meant) = (self.gen.cpp_type(&scalar.ty, Site::Record(id)), self.meant_within(scalar, id));
                let found = match scalar.repr {
                    Repr::Bit(bit) => code!("{place}.bit({}, {bit}{meant})", slot.at),
                    _ => code!("{place}.get<{ty}>({}{meant})", slot.at),
                };
                (ty, found)
            }
            SlotKind::Pointer { target: node } => {
                let value = match target(node) {
                    Target::Text => code!("std::optional<std::string_view>"),
                    Target::Data => code!("std::optional<std::span<const std::byte>>"),
                    Target::Any => code!("std::optional<aldis::segments::open_value>"),
                    Target::Record(record) => {
                        needs = Some(record);
                        code!("std::optional<{}>", self.view(record))
                    }
                    _ => code!("auto"),
                };
                (value, code!("{place}.follow<{}>({})", self.view_kind(node, id), (slot.at - data) / WORD))
            }
            SlotKind::Nest { record, .. } | SlotKind::Choice { union: record, .. } => {
                needs = Some(*record);
                (self.view(*record), code!("{}({place})", self.view(*record)))
            }
            _ => (code!("std::monostate"), code!("{{}}")),
        };
        let field = self.gen.field(id, index);
        let mut docs = crate::types::docs(&field.doc);
        if field.deprecated {
            docs.push(stmt!("/// Deprecated."));
        }
        if self.gen.is_pointed(field) && field.default.is_some() {
            docs.push(stmt!("/// Null stands for the schema's default."));
        }
        let name = code!("{}() const noexcept", self.gen.names.member(id, index));
        Some(Method { docs, before: "[[nodiscard]] ", ty, name, body: code!("return {found};"), needs })
    }

    fn view_kind(&self, node: &Node, within: TypeId) -> Code {
        let record = |kind: &str, id| code!("in_place::{kind}<{}>", self.view(id));
        self.kind(node, &var("in_place"), within, &record)
    }

    fn view_union(&self, shaped: &Shaped<'_>, tag: u32, arms: &[ArmSlot]) -> Vec<Stmt> {
        let (name, tags) = (self.gen.names.of(shaped.id), self.gen.names.tags(shaped.id));
        let mut kinds = Vec::new();
        for arm in arms {
            let Some(index) = arm.slot.field.map(|field| field as usize) else { continue };
            let kind = match &arm.slot.kind {
                SlotKind::Scalar(scalar) => self.number_arm(scalar, arm.slot.at, &var("in_place"), shaped.id),
                SlotKind::Pointer { target } => {
                    let pointer = (arm.slot.at - shaped.data) / WORD;
                    code!("in_place::pointer<{pointer}, {}>", self.view_kind(target, shaped.id))
                }
                SlotKind::Nest { record, .. } | SlotKind::Choice { union: record, .. } => {
                    code!("in_place::within<{}>", self.view(*record))
                }
                _ => code!("in_place::none"),
            };
            kinds.push(code!("aldis::arm<{tags}::{}, {kind}>", self.gen.names.member(shaped.id, index)));
        }
        let mut parts = crate::types::title(self.gen.schema.type_def(shaped.id));
        parts.push(rows(code!("using {name} = in_place::choice<{tags}, {tag},"), kinds, ">;"));
        parts
    }

    /// For the testee: whether each view gives what the value holds.
    pub fn comparisons(&self) -> Vec<Stmt> {
        let shapes = self.gen.units.all.iter().flat_map(|unit| self.shapes(unit));
        let records = shapes.filter(|shaped| matches!(shaped.shape, Shape::Record(_)));
        let order: Vec<TypeId> = records.map(|shaped| shaped.id).collect();
        crate::view::comparisons(self.gen, &self.view_space(), &order)
    }
}

/// The function of one form that users call.
pub(crate) fn verify_function(gen: &Gen<'_>, wire: &Wire<'_>) -> Vec<Stmt> {
    let (Some(shared), Some(form)) = (gen.segments(), wire.segments()) else { return Vec::new() };
    let of = code!("{}::view_of<T>", shared.namespace);
    let (verify, decode) = (wire.function("verify"), wire.function("decode"));
    let head = code!("template <{}::message T>\ninline aldis::result<typename {of}::type> {verify}", shared.namespace);
    let mut parameters = vec![if form.packed { input() } else { input().bound() }];
    let name = &wire.plan.form.name;
    let first = code!("/// Checks all of a message of form {name} as `{decode}` does, and gives a view of it,");
    let (second, call) = if form.packed {
        parameters.push(parameter("aldis::buffer&", "room").bound());
        (
            "/// which is good until `room`, to which the message is unpacked, is used again. The message lies elsewhere.",
            code!("verify_packed_as<{of}>(in, room, most)"),
        )
    } else {
        let call = code!("verify_as<{of}, aldis::segments::{}>(in, most)", super::message::form_name(form));
        ("/// which is good as long as its bytes are. Takes no memory where there are few segments.", call)
    };
    parameters.push(limits());
    let body = vec![stmt!("return aldis::segments::{call};")];
    let mut parts = vec![Stmt::Line(first), Stmt::Line(second.to_code()), function(head, &parameters, body)];
    if !form.packed {
        parts.push(crate::view::without_temporaries(&shared.namespace, &verify));
    }
    parts.push(Stmt::Blank);
    parts
}
