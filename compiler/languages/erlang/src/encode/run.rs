//! Writers of runs: one construction under one guard, and one that checks each value for what the guard refuses.

use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, binary, binop, bytes_binary, call, case_of, function, list, record, writer, Clause, Functions};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::slots::{alone, name_slots, scalar_segment, unsigned, Named, Segments};
use crate::wire::{slot_any, Wire};
use aldis_plan::{Meaning, Register, Repr, Run, Scalar, Slot, SlotKind, TypeId};
use std::fmt::Write as _;

/// Whether values are taken on trust of a guard or checked one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    Guarded,
    Checked,
}

/// A construction in the making.
pub(crate) struct Construction {
    segments: Segments<fn(u32) -> String>,
    pub guards: Vec<Expr>,
    /// Statements that go before it.
    pub before: Vec<Expr>,
}

impl Construction {
    fn new(from: u32) -> Self {
        let gap: fn(u32) -> String = |bytes| format!("0:{}", bytes * 8);
        Self { segments: Segments { parts: Vec::new(), at: from, gap }, guards: Vec::new(), before: Vec::new() }
    }

    /// The binary, up to `to`.
    pub fn finish(mut self, to: u32) -> (Expr, Vec<Expr>, Vec<Expr>) {
        self.segments.gap_to(to);
        (binary(self.segments.parts), self.guards, self.before)
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
            self.put_all(&wire, Some(id), &named, Trust::Guarded, "Path", &mut construction);
            let (binary, guards, mut body) = construction.finish(run.size);
            body.push(finish(binary));
            let whole = guards.is_empty() && !run.slots.iter().any(|slot| matches!(slot.kind, SlotKind::Nest { .. }));
            clauses.push(Clause::new(args(self.record_pattern(id, &named)), body).when_all(guards));
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

    fn put_all(
        &mut self,
        wire: &Wire<'a>,
        id: Option<TypeId>,
        slots: &[Named<'a>],
        trust: Trust,
        path: &str,
        out: &mut Construction,
    ) {
        for named in slots {
            let path = match (id, named.slot.field) {
                (Some(id), Some(field)) => format!("[{} | {path}]", self.names.field_atom(id, field as usize)),
                _ => path.to_owned(),
            };
            let nullable = match (id, named.slot.field) {
                (Some(id), Some(field)) => self.schema.record(id).fields[field as usize].nullable(),
                _ => false,
            };
            self.put(wire, named, nullable, trust, &path, out);
        }
    }

    fn put(
        &mut self,
        wire: &Wire<'a>,
        named: &Named<'a>,
        nullable: bool,
        trust: Trust,
        path: &str,
        out: &mut Construction,
    ) {
        let (slot, var) = (named.slot, named.var.as_str());
        let order = wire.plan.byte_order;
        if let SlotKind::Constant { ty, value } = &slot.kind {
            let literal = self.literal(value, ty, Fresh::Zero);
            match trust {
                Trust::Guarded => out.guards.push(binop(quote(var), "=:=", literal)),
                Trust::Checked => out.before.push(call("aldis_check:constant", [quote(var), literal, quote(path)])),
            }
            return;
        }
        if let (SlotKind::Nest { record, .. }, Trust::Guarded) = (&slot.kind, trust) {
            return self.put_all(wire, Some(*record), &named.members, trust, path, out);
        }
        if slot.width == 0
            && !matches!(slot.kind, SlotKind::Nest { .. } | SlotKind::Chars { .. } | SlotKind::Array { .. })
        {
            return;
        }
        out.segments.gap_to(slot.at);
        match &slot.kind {
            SlotKind::Scalar(scalar) => self.put_scalar(wire, named, scalar, (nullable, trust), path, out),
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
        (nullable, trust): (bool, Trust),
        path: &str,
        out: &mut Construction,
    ) {
        let (slot, var) = (named.slot, named.var.as_str());
        if nullable && scalar.null.or(scalar.absent).is_none() {
            let value = self.or_null_bytes(wire, slot, var, path);
            return out.segments.push(quote_with("?1/binary", [value]), slot.width);
        }
        let (value, vm_float) = match trust {
            Trust::Checked => (self.put_checked(scalar, var, path), false),
            Trust::Guarded => {
                let put = self.put_guarded(scalar, var, path);
                out.guards.extend(put.guard);
                (put.value, put.vm_float)
            }
        };
        // The bits that are written have no sign: they are the lowest ones.
        let segment = match scalar.repr {
            Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => unsigned(value, slot.width, wire.plan.byte_order),
            repr => scalar_segment(repr, value, wire.plan.byte_order, vm_float),
        };
        out.segments.push(segment, slot.width);
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
        let mut construction = Construction::new(slot.at);
        let named = alone(self.names, slot, var);
        self.put(wire, &named, false, Trust::Checked, path, &mut construction);
        construction.finish(slot.end()).0
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
