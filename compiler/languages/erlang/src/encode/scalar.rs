//! Values to bits.

use crate::code::{quote, Expr};
use crate::erl::UNUSUAL;
use crate::erl::{atom, call, case_of, function, writer, Atom, Callee, Clause, Functions};
use crate::gen::Gen;
use crate::slots::null_number;
use aldis_plan::{NullValue, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Type, TypeId, TypeKind};

/// The largest integer that the VM holds in a word.
const SMALL: i128 = (1 << 59) - 1;

/// Enums of so many values are looked up by code in the place of a call.
const FEW: usize = 8;

/// How one scalar goes into a construction.
pub(crate) struct Put {
    /// The condition for `value` to be right; nothing where it checks for itself.
    pub guard: Option<Expr>,
    pub value: Expr,
    /// The value is a float of the VM rather than bits.
    pub vm_float: bool,
}

impl Gen<'_> {
    /// A scalar under a guard: no calls, so that a run is one construction.
    pub fn put_guarded(&mut self, scalar: &Scalar, var: &str, path: &str) -> Put {
        let null = scalar.null.or(scalar.absent);
        match (scalar.repr, int_range(scalar)) {
            (Repr::Bool, _) if null.is_none() => Put {
                guard: Some(quote(format!("is_boolean({var})"))),
                value: quote(format!("bool({var})")),
                vm_float: false,
            },
            (Repr::F32, _) => Put {
                guard: Some(quote(format!("is_float({var}), abs({var}) =< 3.4028234663852886e38"))),
                value: quote(var),
                vm_float: true,
            },
            (Repr::F64, _) => Put { guard: Some(quote(format!("is_float({var})"))), value: quote(var), vm_float: true },
            (Repr::Uuid, _) if self.values.uuid.is_none() => Put {
                guard: Some(quote(format!("is_binary({var}), byte_size({var}) =:= 16"))),
                value: quote(var),
                vm_float: false,
            },
            (repr, Some((low, high))) => {
                let range = format!("{var}, {low}, {high}");
                let wide = if high > SMALL { "_WIDE" } else { "" };
                match null {
                    None => Put {
                        guard: Some(quote(format!("?WITHIN{wide}({range})"))),
                        value: quote(var),
                        vm_float: false,
                    },
                    Some(null) => Put {
                        guard: Some(quote(format!("?WITHIN{wide}_OR_NULL({range})"))),
                        value: quote(format!("or_null({var}, {})", null_number(repr, null))),
                        vm_float: false,
                    },
                }
            }
            _ => Put { guard: None, value: self.put_checked(scalar, var, path), vm_float: false },
        }
    }

    /// A scalar by calls that throw a fault for a wrong value.
    pub fn put_checked(&mut self, scalar: &Scalar, var: &str, path: &str) -> Expr {
        let plain = self.checked(scalar, var, path);
        or_null(scalar, var, plain)
    }

    /// As [`Gen::put_checked`], where that is the number of an enum of few values: by a function that is inlined and throws
    /// at any other value.
    pub fn put_usual(&mut self, scalar: &Scalar, var: &str) -> Option<Expr> {
        let Type::Named(id) = scalar.ty else { return None };
        let TypeKind::Enum(definition) = &self.schema.type_def(id).kind else { return None };
        if definition.values.len() > FEW {
            return None;
        }
        let name = format!("fast_{}_to_number", self.names.of(id));
        let function = self.define_here(&name, |gen, own| {
            let named = definition.values.iter();
            let clause = |value: &aldis_schema::EnumValue| {
                Clause::new([&gen.values.enumerant(&value.name)], [value.value.to_string()])
            };
            let clauses: Vec<Clause> = named.map(clause).chain([Clause::new(["_"], [UNUSUAL])]).collect();
            let own = atom(own);
            gen.inlined.insert((own.clone(), 1));
            writer(&own, &clauses)
        });
        Some(or_null(scalar, var, call(&function, [var])))
    }

    fn checked(&mut self, scalar: &Scalar, var: &str, path: &str) -> Expr {
        let by = |function: Callee| call(function, [var, path]);
        match (scalar.repr, &scalar.ty, int_range(scalar)) {
            (_, _, Some((low, high))) => quote(format!("aldis_check:int({var}, {low}, {high}, {path})")),
            (Repr::Bool, _, _) => by("aldis_check:bool".into()),
            (Repr::F32, _, _) => by("aldis_float:encode32".into()),
            (Repr::F64, _, _) => by("aldis_float:encode64".into()),
            (Repr::Decimal, _, _) => call("aldis_decimal:encode", [self.values.decimal_to(var), quote(path)]),
            (Repr::Uuid, _, _) => call("aldis_check:uuid", [self.values.uuid_to(var), quote(path)]),
            (_, Type::Named(id), _) => by(self.number_writer(*id)),
            _ => quote(var),
        }
    }

    /// The function from an enum's or flags type's value to its number: `f(Value, Path)`.
    pub fn number_writer(&mut self, id: TypeId) -> Callee {
        let name = self.names.of(id).to_owned();
        let schema = self.schema;
        self.define_in(id, &format!("to:{name}"), &format!("{name}_to_number"), |gen, own| {
            let own = atom(own);
            match &schema.type_def(id).kind {
                TypeKind::Flags(definition) => function(&own, &flag_clauses(&own, definition)),
                TypeKind::Enum(definition) => {
                    let clauses = definition
                        .values
                        .iter()
                        .map(|value| (gen.values.enumerant(&value.name), value.value.to_string()))
                        .map(|(name, number)| Clause::new([format!("{name}, _")], [number]));
                    let (low, high) = gen.enum_range(&definition.repr);
                    let call = format!("aldis_check:int(Unknown, {low}, {high}, Path)");
                    let other = Clause::new(["Unknown", "Path"], [call]);
                    function(&own, &clauses.chain([other]).collect::<Vec<_>>())
                }
                TypeKind::Record(_) | TypeKind::Union(_) => Functions::default(),
            }
        })
    }

    /// The least and the largest number of an enum's representation.
    pub fn enum_range(&self, repr: &Type) -> (i128, i128) {
        repr.as_int().map_or((0, 255), |int| (int.min(), int.max()))
    }

    /// The bytes that stand for null in a slot, as the interpreter writes them.
    pub fn null_bytes(&self, slot: &Slot, little: bool) -> Vec<u8> {
        let mut bytes = vec![0; slot.width as usize];
        fill_null(slot, slot.at, little, &mut bytes);
        bytes
    }
}

/// An expression for a value, or for what stands for null.
fn or_null(scalar: &Scalar, var: &str, plain: Expr) -> Expr {
    match scalar.null.or(scalar.absent) {
        Some(null) => {
            let null = match (scalar.repr, null) {
                (Repr::Decimal | Repr::Uuid, NullValue::Bits(bits) | NullValue::Nan(bits)) => {
                    format!("<<{bits}:128/little>>")
                }
                (repr, null) => null_number(repr, null),
            };
            let clauses = [(quote("undefined"), quote(null)), (quote("_"), plain)];
            case_of(var, clauses)
        }
        None => plain,
    }
}

/// `f([Name | Rest], Path) -> Mask bor f(Rest, Path)`
fn flag_clauses(own: &Atom, definition: &aldis_schema::Flags) -> Vec<Clause> {
    let high = (1u128 << definition.repr.bits) - 1;
    let clause = |name: String, mask: String| {
        Clause::new([format!("[{name} | Rest], Path")], [format!("{mask} bor {own}(Rest, Path)")])
    };
    let mut clauses = vec![Clause::new(["[]", "_"], ["0"])];
    let named = definition.values.iter();
    clauses
        .extend(named.map(|value| clause(atom(&value.name).to_string(), (u128::from(value.mask) & high).to_string())));
    clauses.push(clause("{unknown, Bits}".to_owned(), format!("aldis_check:int(Bits, 0, {high}, Path)")));
    clauses.push(Clause::new(["_", "Path"], ["aldis_check:wrong(Path)"]));
    clauses
}

fn fill_null(slot: &Slot, from: u32, little: bool, bytes: &mut [u8]) {
    let at = (slot.at - from) as usize;
    match &slot.kind {
        SlotKind::Scalar(scalar) => {
            if let Some(NullValue::Bits(bits) | NullValue::Nan(bits)) = scalar.null.or(scalar.absent) {
                let width = (slot.width as usize).min(8);
                let place = &mut bytes[at..at + width];
                if little {
                    place.copy_from_slice(&bits.to_le_bytes()[..width]);
                } else {
                    place.copy_from_slice(&bits.to_be_bytes()[8 - width..]);
                }
            }
        }
        SlotKind::Nest { slots, .. } => slots.iter().for_each(|member| fill_null(member, from, little, bytes)),
        SlotKind::Array { count, element } => {
            let stride = element.width as usize;
            for index in 0..*count as usize {
                let start = at + index * stride;
                fill_null(element, 0, little, &mut bytes[start..start + stride]);
            }
        }
        _ => {}
    }
}

/// The range of plain integers.
fn int_range(scalar: &Scalar) -> Option<(i128, i128)> {
    match &scalar.ty {
        Type::Char => Some((0, 255)),
        ty => ty.as_int().map(|int| (int.min(), int.max())),
    }
}
