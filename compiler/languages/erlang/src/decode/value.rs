//! Matched bits to values.

use crate::code::{quote, Expr};
use crate::erl::{atom, binary, call, case_of, comprehension, function, record, Atom, Callee, Clause, Functions};
use crate::gen::Gen;
use crate::modules::Facet;
use crate::slots::{alone, is_number, is_vm_float, match_segments, null_number, Floats, Named};
use crate::wire::{slot_any, Wire};
use aldis_plan::{NullValue, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Type, TypeId, TypeKind};

/// Enums of so many values are told in place.
const FEW: usize = 8;

/// Whether reading a slot's value needs more than its bytes: links are followed, and in forms with links decimals are
/// checked in the order of fields.
pub(crate) fn is_deferred(wire: &Wire<'_>, slot: &Slot) -> bool {
    wire.links
        && !matches!(slot.kind, SlotKind::Nest { .. })
        && slot_any(slot, &|slot| match &slot.kind {
            SlotKind::Link(_) | SlotKind::Presence(_) => true,
            SlotKind::Scalar(scalar) => scalar.repr == Repr::Decimal,
            _ => false,
        })
}

/// Whether a slot holds links.
pub(crate) fn is_linked(slot: &Slot) -> bool {
    slot_any(slot, &|slot| matches!(slot.kind, SlotKind::Link(_) | SlotKind::Presence(_)))
}

impl Gen<'_> {
    /// The value of a slot without links from the variables that [`match_segments`] bound.
    pub fn value(&mut self, wire: &Wire<'_>, named: &Named<'_>, floats: Floats, path: &str) -> Expr {
        let (slot, var) = (named.slot, named.var.as_str());
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.scalar(scalar, var, floats, path),
            SlotKind::Chars { .. } if slot.width == 0 => quote("<<>>"),
            SlotKind::Chars { ty } if self.strict_text.chars(ty) => {
                let field = if is_number(slot) { format!("<<{var}:{}>>", slot.width * 8) } else { var.to_owned() };
                quote(format!("aldis_text:cut_utf8({field}, Bin, {}, {path})", slot.at))
            }
            SlotKind::Chars { .. } if is_number(slot) => {
                let lowest_bits = (0..slot.width).fold(0u64, |bits, _| bits << 8 | 1);
                quote(format!("fixed_text({var}, {}, 16#{lowest_bits:X})", slot.width * 8))
            }
            SlotKind::Chars { .. } => quote(format!("aldis_text:cut({var})")),
            SlotKind::Array { count: 0, .. } => quote("[]"),
            SlotKind::Array { count, element } if slot.width == 0 => {
                let item = self.zero_width(wire, element);
                call("lists:duplicate", [quote(count.to_string()), item])
            }
            SlotKind::Array { element, .. } => self.table(wire, element, var, path),
            SlotKind::Nest { record: id, .. } => self.record_of(wire, *id, &named.members, floats, path),
            // Constants are the record's own defaults; links are followed by their own functions.
            SlotKind::Constant { .. }
            | SlotKind::Register(_)
            | SlotKind::Ignored { .. }
            | SlotKind::Link(_)
            | SlotKind::Presence(_)
            | SlotKind::Pointer { .. }
            | SlotKind::Choice { .. } => quote("undefined"),
        }
    }

    /// A record of slots without links, each in its variable.
    pub fn record_of(&mut self, wire: &Wire<'_>, id: TypeId, slots: &[Named<'_>], floats: Floats, path: &str) -> Expr {
        let fields = slots.iter().filter_map(|named| Some((named.slot.field?, named)));
        let values: Vec<(Atom, Expr)> = fields
            .filter(|(_, named)| !matches!(named.slot.kind, SlotKind::Constant { .. }))
            .map(|(field, named)| (self.names.field_atom(id, field as usize), self.value(wire, named, floats, path)))
            .collect();
        record(&self.names.atom(id), values)
    }

    /// The value of an element that takes no bytes.
    pub fn zero_width(&mut self, wire: &Wire<'_>, element: &Slot) -> Expr {
        let named = alone(self.names, element, "Value");
        self.value(wire, &named, Floats::Bits, "Path")
    }

    /// A list of the elements that lie side by side in `var`.
    pub fn table(&mut self, wire: &Wire<'_>, element: &Slot, var: &str, path: &str) -> Expr {
        if let SlotKind::Scalar(Scalar { repr: repr @ (Repr::F32 | Repr::F64), null: None, .. }) = &element.kind {
            let little = wire.plan.byte_order == aldis_plan::ByteOrder::Little;
            let order = if little { "little" } else { "big" };
            return quote(format!("aldis_float:list{}_{order}({var})", repr.width() * 8));
        }
        let named = alone(self.names, element, &crate::variables::inner_variable(var));
        let segments = match_segments(
            std::slice::from_ref(&named),
            (0, element.width),
            wire.plan.byte_order,
            Floats::Bits,
            &|_| None,
        );
        let value = self.value(wire, &named, Floats::Bits, path);
        comprehension(value, binary(segments), var)
    }

    fn scalar(&mut self, scalar: &Scalar, var: &str, floats: Floats, path: &str) -> Expr {
        let vm_float = is_vm_float(scalar, floats);
        let plain = self.scalar_value(scalar, var, vm_float, path);
        match scalar.null {
            None => plain,
            // A float of the VM is never NaN.
            Some(NullValue::Nan(_)) if vm_float => plain,
            Some(NullValue::Nan(_)) => call("aldis_float:optional", [plain]),
            Some(null @ NullValue::Bits(_)) => {
                let null = null_number(scalar.repr, null);
                if plain == quote(var) {
                    quote(format!("nullable({var}, {null})"))
                } else {
                    self.nullable_case(var, &null, plain)
                }
            }
        }
    }

    fn nullable_case(&self, var: &str, null: &str, plain: Expr) -> Expr {
        let clauses = [(quote(null), quote("undefined")), (quote("_"), plain)];
        case_of(var, clauses)
    }

    fn scalar_value(&mut self, scalar: &Scalar, var: &str, vm_float: bool, path: &str) -> Expr {
        match (&scalar.repr, &scalar.ty) {
            (Repr::Bool, _) => quote(format!("{var} =/= 0")),
            (Repr::F32 | Repr::F64, _) if vm_float => quote(var),
            (Repr::F32, _) => quote(format!("aldis_float:decode32({var})")),
            (Repr::F64, _) => quote(format!("aldis_float:decode64({var})")),
            (Repr::Decimal, _) => self.values.decimal_from(format!("aldis_decimal:decode({var}, {path})")),
            (Repr::Uuid, _) => self.values.uuid_from(var),
            (_, Type::Named(id)) => self.told(*id, var).unwrap_or_else(|| call(self.name_reader(*id), [var])),
            _ => quote(var),
        }
    }

    /// The value of an enum's number in the variable `var`, told by a function that stands in place of its calls where the one
    /// that all modules call is in another module and there are few values. Readers of single fields call that one: they are short.
    fn told(&mut self, id: TypeId, var: &str) -> Option<Expr> {
        let TypeKind::Enum(definition) = &self.schema.type_def(id).kind else { return None };
        let is_variable = matches!(quote(var), Expr::Var(_));
        let near = self.modules.of(id, Facet::Main) == self.module_here();
        if !self.tells_in_place || self.facet == Facet::Views || definition.values.len() > FEW || !is_variable || near {
            return None;
        }
        let mut clauses = Vec::new();
        for (index, value) in definition.values.iter().enumerate() {
            if definition.values[..index].iter().all(|earlier| earlier.value != value.value) {
                clauses.push(Clause::new([value.value.to_string()], [self.values.enumerant(&value.name)]));
            }
        }
        clauses.push(Clause::new(["Number"], ["Number"]));
        let function = self.define_here(&format!("fast_{}_from_number", self.names.of(id)), |gen, own| {
            let own = atom(own);
            gen.inlined.insert((own.clone(), 1));
            function(&own, &clauses)
        });
        Some(call(function, [var]))
    }

    /// The function from an enum's or flags type's number to its value.
    pub fn name_reader(&mut self, id: aldis_schema::TypeId) -> Callee {
        let name = self.names.of(id).to_owned();
        let schema = self.schema;
        self.define_at((id, Facet::Main), &format!("from:{name}"), &format!("{name}_from_number"), |_, own| {
            let own = atom(own);
            match &schema.type_def(id).kind {
                TypeKind::Flags(definition) => {
                    let zero = Clause::new(["0"], ["[]"]);
                    function(&own, &[zero, Clause::new(["Number"], flag_names(definition))])
                }
                TypeKind::Enum(definition) => {
                    let mut seen = Vec::new();
                    let mut clauses = Vec::new();
                    for value in &definition.values {
                        if !seen.contains(&value.value) {
                            seen.push(value.value);
                            let name = self.values.enumerant(&value.name);
                            clauses.push(Clause::new([&value.value.to_string()], [name]));
                        }
                    }
                    clauses.push(Clause::new(["Unknown"], ["Unknown"]));
                    function(&own, &clauses)
                }
                TypeKind::Record(_) | TypeKind::Union(_) => Functions::default(),
            }
        })
    }
}

/// Statements that make the list of a number's flags, from its end: what has no name is last. Whatever the sign of the
/// representation, flags are bits.
fn flag_names(definition: &aldis_schema::Flags) -> Vec<Expr> {
    let flags = definition.single_bits();
    let known = flags.iter().fold(0u64, |known, (bit, _)| known | bit);
    let unknown = ((1u128 << definition.repr.bits) - 1) & !u128::from(known);
    let choose = |mask: String, none: String, some: (&str, String)| {
        crate::erl::choice(
            quote(format!("Number band {mask}")),
            [(quote("0"), quote(none)), (quote(some.0), quote(some.1))],
        )
    };
    let mut names = "[]".to_owned();
    let mut statements = Vec::new();
    let mut add = |value: Expr, last: bool, index: usize| {
        let name = format!("Names{index}");
        statements.push(if last { value } else { crate::erl::bind(quote(name.as_str()), value) });
        name
    };
    if unknown > 0 {
        let some = ("Unknown", "[{unknown, Unknown}]".to_owned());
        names = add(choose(unknown.to_string(), names, some), flags.is_empty(), flags.len());
    }
    for (index, (bit, name)) in flags.iter().enumerate().rev() {
        let some = ("_", format!("[{} | {names}]", atom(name)));
        names = add(choose(bit.to_string(), names, some), index == 0, index);
    }
    if statements.is_empty() {
        statements.push(quote(names));
    }
    statements
}
