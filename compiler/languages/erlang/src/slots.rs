//! Slots of a run as segments of a binary, each value with its variable.

use crate::code::{quote, Expr};
use crate::names::Names;
use aldis_emit::integer_of;
use aldis_emit::names::Scope;
use aldis_plan::{ByteOrder, NullValue, Register, Repr, Scalar, Slot, SlotKind};
use aldis_schema::TypeId;

/// Integers of so many bytes are small ones for the VM, whatever their sign: sums of them take no memory.
pub(crate) const SMALL: u32 = 7;

/// A slot with the variable that holds its value, and a nest's members.
#[derive(Clone, Debug)]
pub(crate) struct Named<'a> {
    pub slot: &'a Slot,
    pub var: String,
    pub members: Vec<Named<'a>>,
    /// The presence byte that is matched; `None` for any.
    pub flag: Option<bool>,
}

impl<'a> Named<'a> {
    /// A slot without members.
    pub fn cell(slot: &'a Slot, var: String) -> Self {
        Self { slot, var, members: Vec::new(), flag: None }
    }

    /// The variable of a link's offset.
    pub fn at(&self) -> String {
        format!("{}At", self.var)
    }

    /// The variable of a presence byte, or its number.
    pub fn has(&self) -> String {
        self.flag.map_or_else(|| format!("{}Has", self.var), |flag| u8::from(flag).to_string())
    }
}

/// Gives the slots of a record's run their variables: the record's own for its fields, others for members of nests.
pub(crate) fn name_slots<'a>(names: &Names, record: TypeId, slots: &'a [Slot]) -> Vec<Named<'a>> {
    let own = names.variables(record);
    let mut scope = Scope::new(own.iter().map(String::as_str), ());
    let of = |slot: &'a Slot| {
        let var = slot.field.map_or_else(|| REGISTER.to_owned(), |field| own[field as usize].clone());
        let members = members(names, slot, &var, &mut scope);
        Named { members, ..Named::cell(slot, var) }
    };
    slots.iter().map(of).collect()
}

/// As `name_slots`, of the slots alone that hold `field` or no field: a function of one field binds no other, and naming all
/// of them for each field takes the square of their number.
pub(crate) fn name_field<'a>(names: &Names, record: TypeId, slots: &'a [Slot], field: u32) -> Vec<Named<'a>> {
    let var = names.variable(record, field);
    let mut scope = Scope::new([var], ());
    let of = |slot: &'a Slot| {
        let var = if slot.field.is_some() { var } else { REGISTER };
        Named { members: members(names, slot, var, &mut scope), ..Named::cell(slot, var.to_owned()) }
    };
    slots.iter().filter(|slot| slot.field.is_none_or(|held| held == field)).map(of).collect()
}

/// Registers are matched by what they mean, never by this name.
const REGISTER: &str = "Value";

fn members<'a>(names: &Names, slot: &'a Slot, var: &str, scope: &mut Scope<()>) -> Vec<Named<'a>> {
    let SlotKind::Nest { record, slots } = &slot.kind else { return Vec::new() };
    let own = names.variables(*record);
    let of = |slot: &'a Slot| {
        let name = slot.field.map_or(REGISTER, |field| own[field as usize].as_str());
        let var = scope.fresh(&format!("{var}_{name}"), ());
        let members = members(names, slot, &var, scope);
        Named { members, ..Named::cell(slot, var) }
    };
    slots.iter().map(of).collect()
}

/// A slot that stands alone, in the variable `var`.
pub(crate) fn alone<'a>(names: &Names, slot: &'a Slot, var: &str) -> Named<'a> {
    let members = members(names, slot, var, &mut Scope::new([var], ()));
    Named { members, ..Named::cell(slot, var.to_owned()) }
}

/// The slots of a head, none of which needs a variable but for what it means.
pub(crate) fn unnamed(slots: &[Slot]) -> Vec<Named<'_>> {
    slots.iter().map(|slot| Named::cell(slot, "_".to_owned())).collect()
}

/// How floats are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    /// As floats, which NaN and infinities are not: the match fails on them.
    Numbers,
    /// As their bits, which always match.
    Bits,
}

/// Whether a scalar is matched as a float of the VM.
pub(crate) fn is_vm_float(scalar: &Scalar, floats: Floats) -> bool {
    floats == Floats::Numbers
        && matches!(scalar.repr, Repr::F32 | Repr::F64)
        && !matches!(scalar.null, Some(NullValue::Bits(_)))
}

/// Whether matching these slots as numbers fails on NaN and infinities.
pub(crate) fn has_floats(slots: &[Named<'_>]) -> bool {
    slots.iter().any(|named| match &named.slot.kind {
        SlotKind::Scalar(scalar) => is_vm_float(scalar, Floats::Numbers),
        SlotKind::Nest { .. } => has_floats(&named.members),
        _ => false,
    })
}

/// Whether text of a fixed size is matched as one number, whose first byte is the highest one: a binary of its own takes more memory
/// and time than a small integer, and a test of the whole tells whether a NUL is in it.
pub(crate) fn is_number(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Chars { .. }) && (1..=SMALL).contains(&slot.width)
}

/// The segments of a match over `from..to`, gaps skipped.
pub(crate) fn match_segments(
    slots: &[Named<'_>],
    (from, to): (u32, u32),
    order: ByteOrder,
    floats: Floats,
    register: &dyn Fn(&Register) -> Option<String>,
) -> Vec<Expr> {
    let mut out = Segments { parts: Vec::new(), at: from, gap: |bytes| format!("_:{bytes}/binary") };
    matched(slots, order, floats, register, &mut out);
    out.gap_to(to);
    out.parts
}

fn matched<G: Fn(u32) -> String>(
    slots: &[Named<'_>],
    order: ByteOrder,
    floats: Floats,
    register: &dyn Fn(&Register) -> Option<String>,
    out: &mut Segments<G>,
) {
    for named in slots {
        let Named { slot, var, .. } = named;
        if matches!(slot.kind, SlotKind::Nest { .. }) {
            matched(&named.members, order, floats, register, out);
            continue;
        }
        // An ignored slot is skipped like a gap.
        if slot.width == 0 || matches!(slot.kind, SlotKind::Ignored { .. }) {
            continue;
        }
        out.gap_to(slot.at);
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let vm_float = is_vm_float(scalar, floats);
                out.push(scalar_segment(scalar.repr, var.as_str(), order, vm_float), slot.width);
            }
            SlotKind::Register(r) => {
                let value = register(r).unwrap_or_else(|| var.clone());
                // Registers count bytes and elements; their bits are read without a sign.
                out.push(unsigned(value, slot.width, order), slot.width);
            }
            SlotKind::Chars { .. } if is_number(slot) => out.push(format!("{var}:{}", slot.width * 8), slot.width),
            SlotKind::Chars { .. } | SlotKind::Array { .. } => {
                out.push(format!("{var}:{}/binary", slot.width), slot.width);
            }
            SlotKind::Link(_) => out.push(unsigned(named.at(), 4, order), 4),
            SlotKind::Presence(_) => {
                out.push(unsigned(named.has(), 1, order), 1);
                out.push(unsigned(named.at(), 4, order), 4);
            }
            SlotKind::Nest { .. }
            | SlotKind::Constant { .. }
            | SlotKind::Ignored { .. }
            | SlotKind::Pointer { .. }
            | SlotKind::Choice { .. } => {}
        }
    }
}

/// Segments one after another, with what fills the gaps.
pub(crate) struct Segments<G: Fn(u32) -> String> {
    pub parts: Vec<Expr>,
    pub at: u32,
    pub gap: G,
}

impl<G: Fn(u32) -> String> Segments<G> {
    pub fn push(&mut self, segment: impl Into<Expr>, width: u32) {
        self.parts.push(segment.into());
        self.at += width;
    }

    pub fn gap_to(&mut self, at: u32) {
        if at > self.at {
            self.parts.push(quote((self.gap)(at - self.at)));
            self.at = at;
        }
    }
}

/// One value in a match.
pub(crate) fn scalar_segment(repr: Repr, value: impl Into<Expr>, order: ByteOrder, vm_float: bool) -> Expr {
    let little = order == ByteOrder::Little && repr.width() > 1;
    let specs = match (repr, vm_float) {
        (Repr::Decimal | Repr::Uuid, _) => return segment(value, 16, &["binary"]),
        (_, true) => &["float", "little"][..1 + usize::from(little)],
        (Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64, _) => &["signed", "little"][..1 + usize::from(little)],
        _ => return unsigned(value, repr.width(), order),
    };
    segment(value, repr.width() * 8, specs)
}

/// An unsigned integer of `width` bytes.
pub(crate) fn unsigned(value: impl Into<Expr>, width: u32, order: ByteOrder) -> Expr {
    let little = order == ByteOrder::Little && width > 1;
    segment(value, width * 8, &["little"][..usize::from(little)])
}

fn segment(value: impl Into<Expr>, size: u32, specs: &[&str]) -> Expr {
    let size = Some(Box::new(Expr::Number(size.to_string())));
    Expr::Segment { value: Box::new(value.into()), size, specs: specs.iter().map(|spec| (*spec).to_owned()).collect() }
}

/// The stored value that stands for null, as matching the scalar's bits gives it.
pub(crate) fn null_number(repr: Repr, null: NullValue) -> String {
    let (NullValue::Bits(bits) | NullValue::Nan(bits)) = null;
    integer_of(repr, bits).to_string()
}
