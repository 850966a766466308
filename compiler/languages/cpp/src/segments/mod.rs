//! Forms whose messages are segments: records are a data section and a section of pointers. All such forms of a schema
//! share the readers and writers of its records; what is around a message is the runtime's part.

mod copies;
mod decode;
mod encode;
mod message;
mod pointers;
mod shapes;
mod verify;
mod view;
mod writer;

pub(crate) use message::{common, functions};
pub(crate) use view::verify_function;
pub(crate) use writer::write_function;

use crate::code::{code, function, hex, listed, rule, stmt, Code, Stmt};
use crate::gen::{Gen, Hold, Wire};
use crate::names::Site;
use crate::parameter::Parameter;
use crate::scope::Scope;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_plan::{Element, Extent, Node, Plan, Repr, Run, Scalar, Slot, SlotKind, Step};
use aldis_schema::{Literal, Type, TypeId};

/// The bytes of a pointer.
const WORD: u32 = 8;

/// Prints the readers and writers of a schema's records.
pub(crate) struct Segments<'g, 'a> {
    pub gen: &'g Gen<'a>,
    pub plan: &'a Plan,
}

/// A record's slots, and the bytes of its sections.
#[derive(Clone, Copy)]
struct Sections<'p> {
    slots: &'p [Slot],
    data: u32,
    size: u32,
}

impl Sections<'_> {
    /// Words of data, then pointers: `2, 3`.
    fn words(&self) -> Code {
        code!("{}, {}", self.data / WORD, (self.size - self.data) / WORD)
    }
}

/// The sections of a record; its layout is the one run of them.
fn sections(plan: &Plan, record: TypeId) -> Sections<'_> {
    match plan.layout(record).steps.as_slice() {
        [Step::Run(Run { extent: Extent::Sections { data }, slots, size })] => {
            Sections { slots, data: *data, size: *size }
        }
        _ => Sections { slots: &[], data: 0, size: 0 },
    }
}

/// How a function is declared and defined.
struct Signature {
    head: Code,
    parameters: Vec<Parameter>,
}

impl Signature {
    fn declaration(&self) -> Stmt {
        stmt!("{}({});", self.head, listed(&self.parameters))
    }

    fn function(self, body: Vec<Stmt>) -> Stmt {
        function(self.head, &self.parameters, body)
    }
}

/// The target of a pointer.
enum Target<'p> {
    Text,
    Data,
    Any,
    Record(TypeId),
    Records(TypeId),
    Numbers(&'p Scalar),
    Bits,
    Voids,
    Pointers(&'p Node),
}

fn target(node: &Node) -> Target<'_> {
    match node {
        Node::Blob(blob) if blob.content == aldis_plan::Content::Bytes => Target::Data,
        Node::Blob(_) => Target::Text,
        Node::Call { record } => Target::Record(*record),
        Node::Repeat(repeat) => match &repeat.element {
            Element::One(Node::Call { record }) => Target::Records(*record),
            Element::One(Node::Cell { slot }) => match &slot.kind {
                SlotKind::Scalar(Scalar { repr: Repr::Bit(_), .. }) => Target::Bits,
                SlotKind::Scalar(scalar) => Target::Numbers(scalar),
                SlotKind::Pointer { target } => Target::Pointers(target),
                _ => Target::Voids,
            },
            _ => Target::Voids,
        },
        _ => Target::Any,
    }
}

impl<'a> Segments<'_, 'a> {
    /// The readers and writers of a unit's records, type by type.
    pub fn codecs(&self, wire: &Wire<'_>, unit: &Unit, sheet: &mut Sheet) {
        let records: Vec<TypeId> = wire.layouts(unit).map(|layout| layout.record).collect();
        let Some(first) = records.first() else { return };
        let space = wire.namespace.as_str();
        sheet.add(*first, "", [rule(&format!("Forms {}", self.forms()))]);
        for id in &records {
            sheet.add(*id, space, [self.lacks(*id)]);
            let signatures = [self.read_signature(*id), self.size_signature(*id), self.write_signature(*id)];
            sheet.add(*id, space, signatures.map(|signature| signature.declaration()));
        }
        sheet.blank();
        for id in records {
            let title = Stmt::Comment(format!("---- {}", self.gen.schema.type_def(id).name.full()));
            sheet.add(id, space, [title, Stmt::Blank, self.reader(id), Stmt::Blank]);
            sheet.add(id, space, [self.sizer(id), Stmt::Blank, self.writer(id), Stmt::Blank]);
        }
        wire.messages(unit).for_each(|message| sheet.add(message.record, space, self.description(message)));
    }

    /// The charge for a record whose sections are short.
    fn lacks(&self, id: TypeId) -> Stmt {
        let lacks = self.plan.lacks(id);
        let ty = code!("aldis::lacks<{}, {}>", lacks.block.len(), lacks.pointers.len());
        let rows = listed([&lacks.block, &lacks.pointers].map(|rows| crate::decode::lack_array(rows)));
        stmt!("inline constexpr {ty} lacks_{}{{{rows}}};", self.gen.names.of(id))
    }

    /// A function or table of a record, as others call it.
    fn call(&self, what: &str, id: TypeId) -> Code {
        let space = self.gen.segments().map_or("", |wire| wire.namespace.as_str());
        self.gen.call(id, space, code!("{what}_{}", self.gen.names.of(id)))
    }

    /// The fields of a record that have bytes, with their places in the record.
    fn stored<'s>(&self, slots: &'s [Slot], owner: TypeId) -> Vec<(&'s Slot, usize)> {
        let fields = slots.iter().filter_map(|slot| Some((slot, slot.field? as usize)));
        fields.filter(|(_, index)| self.gen.hold(owner, *index) != Hold::Constant).collect()
    }

    /// A field's type, and where its faults are: fields without a name, as unions may be, add nothing to a path.
    fn within_field(&self, owner: TypeId, index: usize, scope: &Scope) -> (&'a Type, Scope) {
        let field = self.gen.field(owner, index);
        let inner = if field.name.is_empty() { scope.clone() } else { scope.field(&field.name) };
        (&field.ty, inner)
    }

    /// `capnp, capnp-packed, capnp-canonical`
    fn forms(&self) -> String {
        let wires = self.gen.wires.iter().filter(|wire| wire.segments().is_some());
        wires.map(|wire| wire.plan.form.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// `Person_employment::tag::school`
    fn tag(&self, union: TypeId, arm: usize) -> Code {
        code!("{}::tag::{}", self.gen.names.of(union), self.gen.names.member(union, arm))
    }

    /// The value that zeros stand for, where it is another than zero.
    fn meant(&self, scalar: &Scalar, site: Site) -> Option<Code> {
        if scalar.xor == 0 {
            return None;
        }
        let bits = scalar.repr.width() * 8;
        let signed = (scalar.xor << (64 - bits)) as i64 >> (64 - bits);
        match (&scalar.ty, scalar.repr) {
            (_, Repr::Bit(_)) => Some(code!("true")),
            (Type::Float32 | Type::Float64, _) => {
                let ty = self.gen.cpp_type(&scalar.ty, site);
                let suffix = if bits == 64 { "ULL" } else { "U" };
                Some(code!("aldis::from_bits<{ty}>({}{suffix})", hex(scalar.xor)))
            }
            (ty, Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64) => {
                self.gen.literal(&Literal::Int(signed.into()), ty, site)
            }
            (ty, _) => self.gen.literal(&Literal::Int(scalar.xor.into()), ty, site),
        }
    }
}
