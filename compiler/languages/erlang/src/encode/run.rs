//! Writers of runs: one construction under one guard, and one that checks each value for what the guard refuses.

use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, binary, binop, bytes_binary, call, case_of, function, list, record, writer, Clause, Functions};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::slots::{name_slots, scalar_segment, unsigned, Named, Segments};
use crate::wire::{slot_any, Wire};
use aldis_plan::{Meaning, Register, Repr, Run, Scalar, Slot, SlotKind, TypeId};
use std::fmt::Write as _;

/// A construction in the making.
struct Construction {
    segments: Segments<fn(u32) -> String>,
    guards: Vec<Expr>,
}

impl Construction {
    fn new(from: u32) -> Self {
        let gap: fn(u32) -> String = |bytes| format!("0:{}", bytes * 8);
        Self { segments: Segments { parts: Vec::new(), at: from, gap }, guards: Vec::new() }
    }

    /// The binary, up to `to`.
    fn finish(mut self, to: u32) -> (Expr, Vec<Expr>) {
        self.segments.gap_to(to);
        (binary(self.segments.parts), self.guards)
    }
}

/// The parameters of a run's writer beside the record: its arguments, and the places of the record's links and cells.
#[derive(Default)]
pub(super) struct Beside {
    pub args: Vec<String>,
    pub given: Vec<String>,
}

impl<'a> Gen<'a> {
    /// The function that writes a record's run: `f(Record, Beside…, Path)`. `finish` makes the result of the binary. Where it is
    /// `called` by what knows the record's type, no other value comes.
    pub(super) fn run_writer(
        &mut self,
        (wire, id, run): (Wire<'a>, TypeId, &'a Run),
        beside: &Beside,
        (name, called): (&str, bool),
        finish: &dyn Fn(Expr) -> Expr,
    ) -> Functions {
        let args = |value: Expr| {
            let args = [value].into_iter().chain(beside.args.iter().map(|arg| quote(arg.as_str())));
            args.chain([quote("Path")]).collect::<Vec<_>>()
        };
        let mut clauses = Vec::new();
        if !self.is_written_by_table(wire, id) {
            let named = name_slots(self.names, id, &run.slots);
            let mut construction = Construction::new(0);
            self.put_all(&wire, id, &named, "Path", &mut construction);
            let (binary, guards) = construction.finish(run.size);
            let whole = guards.is_empty() && !run.slots.iter().any(|slot| matches!(slot.kind, SlotKind::Nest { .. }));
            clauses.push(Clause::new(args(self.record_pattern(id, &named)), [finish(binary)]).when_all(guards));
            if whole && called {
                return function(atom(name), &clauses);
            }
            if whole {
                clauses.push(Clause::new(args(quote("_")), ["aldis_check:wrong(Path)"]));
                return writer(&atom(name), &clauses);
            }
        }
        let any = self.write_by_table(&wire, id, run, beside);
        clauses.push(Clause::new(args(quote("Value")), [finish(any)]));
        match clauses.len() {
            1 => function(atom(name), &clauses),
            _ => writer(&atom(name), &clauses),
        }
    }

    /// Whether a record's runs are written by their tables alone: faster functions take all that is usual.
    pub(super) fn is_written_by_table(&mut self, wire: Wire<'a>, id: TypeId) -> bool {
        self.only_unusual(wire, id) && self.is_small(wire, id)
    }

    /// The call that writes any run of `Value`.
    pub(super) fn write_by_table(&mut self, wire: &Wire<'a>, id: TypeId, run: &'a Run, beside: &Beside) -> Expr {
        let table = self.run_table(wire, id, &run.slots, (0, run.size));
        // Dialyzer may know that guards hold for all values, so that nobody asks for a table which is not exported.
        self.external(&table, 0);
        let table = call(&table, [""; 0]);
        call("aldis_run:write", [table, quote("Value"), list(&beside.given), quote("Path")])
    }

    /// `#'Record'{field = Var}` for the slots' fields; nests are opened.
    fn record_pattern(&self, id: TypeId, named: &[Named<'_>]) -> Expr {
        let fields = named.iter().filter_map(|n| {
            let field = n.slot.field?;
            let value = match &n.slot.kind {
                SlotKind::Nest { record: inner, .. } => self.record_pattern(*inner, &n.members),
                // Links were written before; only whether there is a value matters.
                SlotKind::Link(_) => return None,
                _ if is_cells(n.slot) => return None,
                _ => quote(n.var.as_str()),
            };
            Some((self.names.field_atom(id, field as usize), value))
        });
        record(&self.names.atom(id), fields.collect::<Vec<_>>())
    }

    fn put_all(&mut self, wire: &Wire<'a>, id: TypeId, slots: &[Named<'a>], path: &str, out: &mut Construction) {
        for named in slots {
            let Some(field) = named.slot.field else {
                self.put(wire, named, false, path, out);
                continue;
            };
            let path = format!("[{} | {path}]", self.names.field_atom(id, field as usize));
            let nullable = self.schema.record(id).fields[field as usize].nullable();
            self.put(wire, named, nullable, &path, out);
        }
    }

    fn put(&mut self, wire: &Wire<'a>, named: &Named<'a>, nullable: bool, path: &str, out: &mut Construction) {
        let (slot, var) = (named.slot, named.var.as_str());
        let order = wire.plan.byte_order;
        match &slot.kind {
            SlotKind::Constant { ty, value } => {
                let literal = self.literal(value, ty, Fresh::Zero);
                return out.guards.push(binop(quote(var), "=:=", literal));
            }
            SlotKind::Nest { record, .. } => return self.put_all(wire, *record, &named.members, path, out),
            _ => {}
        }
        if slot.width == 0 && !matches!(slot.kind, SlotKind::Chars { .. } | SlotKind::Array { .. }) {
            return;
        }
        out.segments.gap_to(slot.at);
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.put_scalar(wire, named, scalar, nullable, path, out),
            SlotKind::Register(register) => {
                if register.constant.is_none() {
                    let value = written(register, "Count", 0);
                    out.segments.push(unsigned(value, slot.width, order), slot.width);
                }
            }
            SlotKind::Link(_) => out.segments.push(unsigned(named.at(), 4, order), 4),
            SlotKind::Presence(_) => {
                out.segments.push(format!("(has({var})):8"), 1);
                out.segments.push(unsigned(format!("at({var}, {})", named.at()), 4, order), 4);
            }
            _ if is_cells(slot) => out.segments.push(format!("{var}Cells/binary"), slot.width),
            _ if nullable => {
                let value = self.or_null_bytes(wire, slot, var, path);
                out.segments.push(quote_with("?1/binary", [value]), slot.width);
            }
            _ => {
                let value = self.put_bytes(wire, slot, var, path);
                out.segments.push(quote_with("?1/binary", [value]), slot.width);
            }
        }
    }

    fn put_scalar(
        &mut self,
        wire: &Wire<'a>,
        named: &Named<'a>,
        scalar: &'a Scalar,
        nullable: bool,
        path: &str,
        out: &mut Construction,
    ) {
        let (slot, var) = (named.slot, named.var.as_str());
        if nullable && scalar.null.or(scalar.absent).is_none() {
            let value = self.or_null_bytes(wire, slot, var, path);
            return out.segments.push(quote_with("?1/binary", [value]), slot.width);
        }
        let put = self.put_guarded(scalar, var, path);
        out.guards.extend(put.guard);
        out.segments.push(put_segment(wire, slot, scalar, (put.value, put.vm_float)), slot.width);
    }

    /// `(case V of undefined -> <<…>>; _ -> … end)`: bytes, of null where there is no value.
    fn or_null_bytes(&mut self, wire: &Wire<'a>, slot: &'a Slot, var: &str, path: &str) -> Expr {
        let little = wire.plan.byte_order == aldis_plan::ByteOrder::Little;
        let bytes = self.null_bytes(slot, little);
        let null =
            if bytes.iter().all(|&b| b == 0) { format!("<<0:{}>>", bytes.len() * 8) } else { bytes_binary(&bytes) };
        let value = self.put_bytes(wire, slot, var, path);
        case_of(var, [("undefined", quote(null)), ("_", value)])
    }

    /// An expression for the bytes of a slot, checked.
    pub fn put_bytes(&mut self, wire: &Wire<'a>, slot: &'a Slot, var: &str, path: &str) -> Expr {
        match &slot.kind {
            SlotKind::Chars { ty } => {
                let encoding = match ty {
                    aldis_schema::Type::Chars { encoding: aldis_schema::Encoding::Utf8, .. } => "utf8",
                    _ => "latin1",
                };
                quote(format!("aldis_text:chars({var}, {}, {encoding}, {path})", slot.width))
            }
            SlotKind::Array { count, element } => {
                let item = crate::variables::inner_variable(var);
                let cell = self.cell_bytes(wire, element, &item, path);
                quote_with(format!("<< ?1 || {item} <- aldis_check:array({var}, {count}, {path}) >>"), [cell])
            }
            SlotKind::Nest { record, slots } => {
                let table = self.run_table(wire, *record, slots, (slot.at, slot.end()));
                let table = call(&table, [""; 0]);
                call("aldis_run:write", [table, quote(var), quote("[]"), quote(path)])
            }
            _ => self.cell_bytes(wire, slot, var, path),
        }
    }

    /// `<<…>>`: an element without links, checked.
    pub fn cell_bytes(&mut self, wire: &Wire<'a>, slot: &'a Slot, var: &str, path: &str) -> Expr {
        binary(match &slot.kind {
            SlotKind::Scalar(scalar) if slot.width > 0 => {
                let value = self.put_checked(scalar, var, path);
                Some(put_segment(wire, slot, scalar, (value, false)))
            }
            SlotKind::Nest { .. } | SlotKind::Chars { .. } | SlotKind::Array { .. } => {
                Some(quote_with("?1/binary", [self.put_bytes(wire, slot, var, path)]))
            }
            _ => None,
        })
    }
}

/// A scalar's segment: its value, and whether that is a float of the VM. The bits of what has a sign are the lowest ones.
fn put_segment(wire: &Wire<'_>, slot: &Slot, scalar: &Scalar, (value, vm_float): (Expr, bool)) -> Expr {
    match scalar.repr {
        Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => unsigned(value, slot.width, wire.plan.byte_order),
        repr => scalar_segment(repr, value, wire.plan.byte_order, vm_float),
    }
}

/// Whether a slot is an array of links or presence bytes, which are written with what they lead to.
pub(crate) fn is_cells(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Array { .. })
        && slot_any(slot, &|slot| matches!(slot.kind, SlotKind::Link(_) | SlotKind::Presence(_)))
}

/// The number that a writer puts into a register; a count is `count`, and a root lies at `root`.
pub(crate) fn written(register: &Register, count: &str, root: u32) -> String {
    let mut value = String::new();
    // Writing to a string cannot fail.
    let _ = match register.meaning {
        Meaning::Extent { writes } | Meaning::Version { writes } => write!(value, "{writes}"),
        Meaning::TypeId { expect } | Meaning::SchemaId { expect } => write!(value, "{expect}"),
        Meaning::Count { .. } => write!(value, "{count}"),
        Meaning::FrameSize { .. } => write!(value, "FrameSize"),
        Meaning::FrameLength { .. } => write!(value, "FrameLength"),
        Meaning::Root => write!(value, "{root}"),
    };
    value
}
