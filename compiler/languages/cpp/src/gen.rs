//! The subject of generation: the schema, its names, its wire forms, and how each field is held.

use crate::code::{code, namespace, stmt, Code, Stmt};
use crate::graph::{components, contained, fields_of, held_by_value};
use crate::inlining::inlined;
use crate::keys::keys;
use crate::names::Names;
use crate::sizes::Sizes;
use crate::units::{Unit, Units};
use aldis_emit::needs::{each_node, each_node_of, Needs};
use aldis_plan::{
    surcharge_within, Blob, ByteOrder, Container, Content, Extent, Layout, Message, Missing, Node, Plan, RootPlace,
    Run, Segments, Shape, Slot, SlotKind, Step,
};
use aldis_schema::{Encoding, Field, Schema, Type, TypeId, TypeKind};
use std::cell::Cell;

/// One wire form.
#[derive(Debug)]
pub(crate) struct Wire<'a> {
    pub plan: &'a Plan,
    pub needs: Needs,
    /// `wire_fbe_final`: where the form's readers and writers are.
    pub namespace: String,
    /// By type: whether its readers become part of what calls them.
    inlined: Vec<bool>,
    /// By type: the place of its message.
    messages: Vec<Option<usize>>,
}

impl<'a> Wire<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        let mut messages = vec![None; plan.layouts.len()];
        for (index, message) in plan.messages.iter().enumerate() {
            messages[message.record.index()] = Some(index);
        }
        let mut needs = Needs::of(plan);
        // Writers of messages whose root is linked are of one kind, whichever schema they are of.
        needs.links |= plan.messages.iter().any(|message| message.envelope.root == RootPlace::Registered);
        Self { plan, needs, namespace: namespace_of(plan), inlined: inlined(plan), messages }
    }

    /// The layouts of a unit's records.
    pub fn layouts<'u>(&'u self, unit: &'u Unit) -> impl Iterator<Item = &'a Layout> + 'u {
        unit.types.iter().filter_map(|id| self.plan.layouts[id.index()].as_ref())
    }

    /// The messages among a unit's records.
    pub fn messages<'u>(&'u self, unit: &'u Unit) -> impl Iterator<Item = &'a Message> + 'u {
        unit.types.iter().filter_map(|id| self.message(*id))
    }

    /// The message that a record is.
    pub fn message(&self, record: TypeId) -> Option<&'a Message> {
        self.messages[record.index()].map(|index| &self.plan.messages[index])
    }

    /// Whether the record's readers become part of what calls them.
    pub fn is_inlined(&self, record: TypeId) -> bool {
        self.inlined[record.index()]
    }

    /// The block that a record is, where it is nothing else and costs nothing but its bytes.
    pub fn lone_block(&self, record: TypeId) -> Option<&'a Run> {
        let [Step::Run(run)] = self.plan.layout(record).steps.as_slice() else { return None };
        let lone = run.extent == Extent::Acting && !self.needs.depth && surcharge_within(&run.slots, u64::MAX) == 0;
        lone.then_some(run)
    }

    /// Whether there may be lists in such values.
    pub fn leads_to_list(&self, node: &Node) -> bool {
        let mut seen = vec![false; self.plan.layouts.len()];
        let mut found = false;
        let mut called = Vec::new();
        let mut look = |node: &Node, called: &mut Vec<TypeId>| match node {
            Node::Call { record } => called.push(*record),
            Node::Repeat(repeat) => found |= repeat.shape == Shape::List,
            _ => {}
        };
        each_node_of(node, &mut |node| look(node, &mut called));
        while let Some(record) = called.pop() {
            if !std::mem::replace(&mut seen[record.index()], true) {
                let steps = &self.plan.layout(record).steps;
                steps.iter().for_each(|step| each_node(step, &mut |node| look(node, &mut called)));
            }
        }
        found
    }

    /// How a reader of the record is declared.
    pub fn reader(&self, record: TypeId) -> &'static str {
        if self.is_inlined(record) {
            "[[nodiscard, gnu::always_inline]] inline const std::byte*"
        } else {
            "[[nodiscard]] inline const std::byte*"
        }
    }

    /// `decode_final` for the form whose functions end so, `decode` for the main form.
    pub fn function(&self, verb: &str) -> String {
        function_name(self.plan, verb)
    }

    /// How the form's messages are segments, where they are.
    pub fn segments(&self) -> Option<Segments> {
        match self.plan.container {
            Container::Segments(segments) => Some(segments),
            Container::Plain => None,
        }
    }

    /// The beginning of the form's views or writers, whichever `kind` is: their namespace with what all of them stand on, and
    /// the template by which a message's is found.
    pub fn forward(&self, kind: &str, title: Code, within: Stmt, beside: Option<Stmt>) -> Vec<Stmt> {
        let mut found = vec![Stmt::Blank];
        found.extend(beside.into_iter().flat_map(|stmt| [stmt, Stmt::Blank]));
        found.extend([
            stmt!("/// The {kind} of messages of type T."),
            stmt!("template <class T>\nstruct {kind}_of;"),
            Stmt::Blank,
        ]);
        let space = namespace(self.function(kind), vec![within]);
        vec![Stmt::Line(title), space, namespace(&self.namespace, found)]
    }

    pub fn order(&self) -> &'static str {
        match self.plan.byte_order {
            ByteOrder::Little => "aldis::little",
            ByteOrder::Big => "aldis::big",
        }
    }
}

/// The form's name for a function that every form has.
pub(crate) fn function_name(plan: &Plan, verb: &str) -> String {
    match plan.form.suffix.as_str() {
        "" => verb.to_owned(),
        suffix => format!("{verb}_{suffix}"),
    }
}

/// The namespace of a form's readers and writers.
pub(crate) fn namespace_of(plan: &Plan) -> String {
    format!("wire_{}", plan.form.name.replace('-', "_"))
}

/// The namespaces that a form has of its own.
pub(crate) fn namespaces_of(plan: &Plan) -> [String; 3] {
    let wire = Wire::new(plan);
    [wire.namespace.clone(), wire.function("view"), wire.function("writer")]
}

/// How a record holds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    Plain,
    /// `std::optional`
    Maybe,
    /// `aldis::box`: optional, and the record is within itself or too large to take its room where it is null.
    Boxed,
    /// As it is; that it is missing is noted in the record's set of missing fields.
    Noted,
    /// A constant of the type, no member.
    Constant,
}

#[derive(Debug)]
pub(crate) struct Gen<'a> {
    pub schema: &'a Schema,
    pub names: &'a Names,
    /// The main form first.
    pub wires: Vec<Wire<'a>>,
    /// By type and field or arm; empty for what is no record or union.
    holds: Vec<Vec<Hold>>,
    sizes: Sizes,
    /// By type, where memory comes from an allocator: whether values of it take any. Empty where it does not.
    allocating: Vec<bool>,
    /// Readers and checks refuse text that is not UTF-8.
    pub strict_text: bool,
    /// Whether what is printed stands in the namespaces of several schemas.
    pub qualifies: Cell<bool>,
    /// The types that share a header.
    pub units: Units,
    /// By type: whether it is a record that is a key, or a part of one.
    keys: Vec<bool>,
    /// Whether any JSON is of more than the members of one record.
    shapes: bool,
}

impl<'a> Gen<'a> {
    /// `pmr`: the memory of values comes from an allocator.
    pub fn new(schema: &'a Schema, names: &'a Names, plans: &[&'a Plan], pmr: bool) -> Self {
        let components = components(schema.types.len(), &contained(schema));
        let missing = null_places(schema, plans);
        let sizes = Sizes::of(schema, &components);
        let hold = |owner: usize, index: usize, field: &Field| {
            if field.constant.is_some() {
                return Hold::Constant;
            }
            if let Type::Optional(inner) = &field.ty {
                let within = matches!(**inner, Type::Named(id) if components[id.index()] == components[owner]);
                return if within || sizes.is_large(inner) { Hold::Boxed } else { Hold::Maybe };
            }
            let never_null =
                matches!(field.ty, Type::List(_) | Type::Set(_) | Type::Map { .. } | Type::Text(_) | Type::Bytes);
            match (never_null, field.nullable(), missing[owner][index]) {
                (true, _, _) | (_, false, false) => Hold::Plain,
                (_, true, _) if sizes.is_large(&field.ty) => Hold::Boxed,
                (_, true, _) => Hold::Maybe,
                (_, false, true) => Hold::Noted,
            }
        };
        let holds = (0..schema.types.len()).map(|owner| {
            let fields = fields_of(schema, owner).into_iter().enumerate();
            fields.map(|(index, field)| hold(owner, index, field)).collect()
        });
        let holds: Vec<Vec<Hold>> = holds.collect();
        let wires = plans.iter().map(|plan| Wire::new(plan)).collect();
        let mut gen = Self {
            schema,
            names,
            wires,
            holds,
            sizes,
            allocating: Vec::new(),
            strict_text: false,
            qualifies: Cell::new(false),
            units: Units::default(),
            keys: keys(schema),
            shapes: false,
        };
        gen.allocating = if pmr { allocating(&gen) } else { Vec::new() };
        gen.shapes = gen.any_shape();
        gen.units = Units::new(schema, names, &gen.by_containment());
        gen
    }

    /// Whether a blob is text that must be UTF-8.
    pub fn checks_blob(&self, blob: &Blob) -> bool {
        self.strict_text && blob.content == Content::Text(Encoding::Utf8)
    }

    /// Whether a field of fixed size is text that must be UTF-8.
    pub fn checks_chars(&self, ty: &Type) -> bool {
        self.strict_text && matches!(ty, Type::Chars { encoding: Encoding::Utf8, .. })
    }

    /// Whether the memory of values comes from an allocator.
    pub fn pmr(&self) -> bool {
        !self.allocating.is_empty()
    }

    /// Whether values of that type, whose memory comes from an allocator, take any.
    pub fn allocates(&self, ty: &Type) -> bool {
        self.pmr() && takes_memory(self, ty, &self.allocating)
    }

    /// Whether an optional value of that type is held in an `aldis::box` wherever it is.
    pub fn is_large(&self, ty: &Type) -> bool {
        self.sizes.is_large(ty)
    }

    /// How a record holds a field, or a union an arm.
    pub fn hold(&self, owner: TypeId, field: usize) -> Hold {
        self.holds[owner.index()][field]
    }

    /// Whether a type's name is to be qualified: it is of another schema, or may stand among types of others.
    fn is_far(&self, id: TypeId) -> bool {
        self.names.origin_of(id).is_some() || self.qualifies.get()
    }

    /// A type's name, outside of what may hide it.
    pub fn reference(&self, id: TypeId) -> String {
        if self.is_far(id) {
            self.names.qualified(id)
        } else {
            self.names.of(id).to_owned()
        }
    }

    /// The name of a function or the like that belongs to a type, in a namespace within that of its schema: `read_Order`, or
    /// `::market::wire_fbe::read_Order`.
    pub fn call(&self, id: TypeId, space: &str, name: Code) -> Code {
        if self.is_far(id) {
            code!("::{}::{space}::{name}", self.names.space(id))
        } else {
            name
        }
    }

    /// A class that belongs to a record: `view::Order`.
    pub fn class(&self, id: TypeId, space: &str) -> Code {
        let name = code!("{space}::{}", self.names.of(id));
        if self.is_far(id) {
            code!("::{}::{name}", self.names.space(id))
        } else {
            name
        }
    }

    /// Whether the type is a record that is a key, or a part of one.
    pub fn is_key(&self, id: TypeId) -> bool {
        self.keys[id.index()]
    }

    /// Whether any type's JSON has members that are not those of its fields or arms.
    pub fn has_shapes(&self) -> bool {
        self.shapes
    }

    /// Whether the record has a set of missing fields.
    pub fn notes_missing(&self, record: TypeId) -> bool {
        self.holds[record.index()].contains(&Hold::Noted)
    }

    /// A record's field or a union's arm.
    pub fn field(&self, owner: TypeId, index: usize) -> &'a Field {
        match &self.schema.types[owner.index()].kind {
            TypeKind::Union(union) => &union.arms[index].field,
            _ => &self.schema.record(owner).fields[index],
        }
    }

    /// The fields of a record or the arms of a union.
    pub fn fields(&self, owner: TypeId) -> Vec<&'a Field> {
        fields_of(self.schema, owner.index())
    }

    pub fn is_union(&self, id: TypeId) -> bool {
        matches!(self.schema.type_def(id).kind, TypeKind::Union(_))
    }

    /// The form whose messages are segments; all that there are share its readers and writers.
    pub fn segments(&self) -> Option<&Wire<'a>> {
        self.wires.iter().find(|wire| wire.segments().is_some())
    }

    /// The forms whose messages are plain bytes.
    pub fn plain(&self) -> impl Iterator<Item = &Wire<'a>> {
        self.wires.iter().filter(|wire| wire.segments().is_none())
    }

    pub fn is_record(&self, id: TypeId) -> bool {
        matches!(self.schema.type_def(id).kind, TypeKind::Record(_))
    }

    pub fn records(&self) -> impl Iterator<Item = TypeId> + '_ {
        (0..self.schema.types.len()).map(|index| TypeId(index as u32)).filter(|id| self.is_record(*id))
    }

    /// The records and unions in an order in which each comes after those that it holds by value.
    fn by_containment(&self) -> Vec<TypeId> {
        let mut ordered = Vec::new();
        let mut done = vec![false; self.schema.types.len()];
        let types = (0..self.schema.types.len()).map(|index| TypeId(index as u32));
        for id in types.filter(|id| self.is_record(*id) || self.is_union(*id)) {
            self.place(id, &mut done, &mut ordered);
        }
        ordered
    }

    fn place(&self, id: TypeId, done: &mut [bool], ordered: &mut Vec<TypeId>) {
        if std::mem::replace(&mut done[id.index()], true) {
            return;
        }
        for (index, field) in self.fields(id).into_iter().enumerate() {
            let held = held_by_value(&field.ty).filter(|inner| self.is_record(*inner) || self.is_union(*inner));
            if let Some(inner) = held.filter(|_| self.hold(id, index) != Hold::Boxed) {
                self.place(inner, done, ordered);
            }
        }
        ordered.push(id);
    }
}

/// By type and field: whether bytes can end before it so that it is null.
fn null_places(schema: &Schema, plans: &[&Plan]) -> Vec<Vec<bool>> {
    let mut found: Vec<Vec<bool>> =
        (0..schema.types.len()).map(|index| vec![false; fields_of(schema, index).len()]).collect();
    for layout in plans.iter().flat_map(|plan| plan.layouts.iter().flatten()) {
        for step in &layout.steps {
            if let Step::Run(run) = step {
                note_nulls(layout.record, &run.slots, &mut found);
            }
        }
    }
    found
}

fn note_nulls(record: TypeId, slots: &[Slot], found: &mut [Vec<bool>]) {
    for slot in slots {
        if let (Some(field), Missing::Null) = (slot.field, slot.missing) {
            found[record.index()][field as usize] = true;
        }
        if let SlotKind::Nest { record: inner, slots } = &slot.kind {
            note_nulls(*inner, slots, found);
        }
    }
}

/// By type: whether its values take memory of their own.
fn allocating(gen: &Gen<'_>) -> Vec<bool> {
    let mut found = vec![false; gen.schema.types.len()];
    loop {
        let more: Vec<usize> =
            (0..found.len()).filter(|index| !found[*index] && has_memory(gen, *index, &found)).collect();
        if more.is_empty() {
            return found;
        }
        more.into_iter().for_each(|index| found[index] = true);
    }
}

fn has_memory(gen: &Gen<'_>, index: usize, known: &[bool]) -> bool {
    let id = TypeId(index as u32);
    gen.fields(id).into_iter().enumerate().any(|(field, definition)| match gen.hold(id, field) {
        Hold::Constant => false,
        Hold::Boxed => true,
        _ => takes_memory(gen, &definition.ty, known),
    })
}

/// Whether a value takes memory, going by what is known of types.
fn takes_memory(gen: &Gen<'_>, ty: &Type, known: &[bool]) -> bool {
    match ty {
        Type::Text(_) | Type::Chars { .. } | Type::Bytes | Type::Opaque(_) => true,
        Type::List(_) | Type::Set(_) | Type::Map { .. } => true,
        Type::Optional(inner) => gen.is_large(inner) || takes_memory(gen, inner, known),
        Type::Array { element, .. } => takes_memory(gen, element, known),
        Type::Named(id) => known[id.index()],
        _ => false,
    }
}
