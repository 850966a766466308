//! Routines as an outline, for people: one line an operation, symbols with their hints, what is large as one line.

mod segments;
mod write;

use crate::module::{Cell, Hint, Holds, Module, Purpose, Register, Routine, Row, Subject, Table};
use crate::op::{Block, Cut, Frame, Have, Op, What};
use crate::operand::{Amount, Arg, Place, Sym};
use aldis_plan::{Extent, Lacks, Repr};
use std::fmt::Write as _;

/// A module's routines and the tables that they read, as text.
pub fn outline(module: &Module) -> String {
    let mut outline = Outline { module, text: String::new() };
    let _ = writeln!(outline.text, "routines {}", module.form);
    for (index, routine) in module.routines.iter().enumerate() {
        outline.routine(index, routine);
    }
    for (index, lacks) in module.lacks.iter().enumerate() {
        outline.lacks(index, lacks);
    }
    for (index, table) in module.tables.iter().enumerate() {
        outline.table(index, table);
    }
    for (index, blank) in module.blanks.iter().enumerate() {
        outline.blank(index, blank);
    }
    outline.text
}

struct Outline<'m> {
    module: &'m Module,
    text: String,
}

/// The names and notes of one routine's symbols.
struct Names<'m> {
    module: &'m Module,
    routine: &'m Routine,
}

impl Names<'_> {
    fn sym(&self, sym: Sym) -> String {
        let hint = match self.routine.symbols[sym.0 as usize].hint {
            Hint::Name(name) => self.module[name].as_str(),
            Hint::Role(role) => role,
        };
        format!("{hint}.{}", sym.0)
    }

    fn syms(&self, syms: &[Sym]) -> String {
        syms.iter().map(|sym| self.sym(*sym)).collect::<Vec<_>>().join(", ")
    }

    /// Those that are there.
    fn some(&self, syms: &[Option<Sym>]) -> String {
        self.syms(&syms.iter().copied().flatten().collect::<Vec<Sym>>())
    }

    fn arg(&self, arg: Arg) -> String {
        match arg {
            Arg::Sym(sym) => self.sym(sym),
            Arg::Const(u64::MAX) => "any".to_owned(),
            Arg::Const(number) => number.to_string(),
        }
    }

    fn args(&self, args: &[Arg]) -> String {
        args.iter().map(|arg| self.arg(*arg)).collect::<Vec<_>>().join(", ")
    }

    fn place(&self, place: Place) -> String {
        match place.plus {
            0 => self.sym(place.base),
            plus => format!("{} + {plus}", self.sym(place.base)),
        }
    }

    fn amount(&self, amount: Amount) -> String {
        match (amount.times, amount.each) {
            (Arg::Const(times), Arg::Const(each)) => times.saturating_mul(each).to_string(),
            (Arg::Const(1), some) | (some, Arg::Const(1)) => self.arg(some),
            (times, each) => format!("{} × {}", self.arg(times), self.arg(each)),
        }
    }

    fn have(&self, have: Have) -> String {
        match have {
            Have::All => "all".to_owned(),
            Have::Within { extent, version } if version == Arg::Const(u64::MAX) => {
                format!("within {}", self.arg(extent))
            }
            Have::Within { extent, version } => format!("within {}, version {}", self.arg(extent), self.arg(version)),
        }
    }
}

impl<'m> Outline<'m> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", depth * 2);
    }

    fn routine(&mut self, index: usize, routine: &'m Routine) {
        let names = Names { module: self.module, routine };
        let full = |record: aldis_schema::TypeId| self.module.schema.type_def(record).name.full();
        let of = match routine.of {
            Subject::Record(record) => full(record),
            Subject::Message(message) => format!("message {}", full(self.module.schema.messages[message].record)),
        };
        let purpose = match routine.purpose {
            Purpose::Read => "read",
            Purpose::Write => "write",
            Purpose::Size => "size",
            Purpose::Targets => "targets",
            Purpose::Check => "check",
            Purpose::Open => "open",
            Purpose::View(field) => &format!("view {field} of"),
            Purpose::Set(field) => &format!("set {field} of"),
            Purpose::Take => "take",
            Purpose::Skip => "skip",
        };
        let title = format!("{index}: {purpose} {of} ({})", names.syms(&routine.params));
        self.line(1, &title);
        self.block(2, &names, &routine.body);
    }

    fn block(&mut self, depth: usize, names: &Names<'_>, block: &Block) {
        for op in &block.ops {
            self.op(depth, names, op);
        }
        if !block.gives.is_empty() {
            self.line(depth, &format!("give {}", names.args(&block.gives)));
        }
    }

    fn op(&mut self, depth: usize, names: &Names<'_>, op: &Op) {
        let binds = match op.binds.as_slice() {
            [] => String::new(),
            binds => format!("{} = ", names.syms(binds)),
        };
        let text = self.statement(names, &op.what).or_else(|| guard(names, &op.what));
        let text = text.or_else(|| value(names, &op.what)).or_else(|| large(names, &op.what)).unwrap_or_default();
        self.line(depth, &format!("{binds}{text}"));
        match &op.what {
            What::If { then, other, .. } => {
                self.block(depth + 1, names, then);
                if !(other.ops.is_empty() && other.gives.is_empty()) {
                    self.line(depth, "else");
                    self.block(depth + 1, names, other);
                }
            }
            What::Switch { arms, other, .. } => {
                for (number, arm) in arms {
                    self.line(depth + 1, &format!("{number}:"));
                    self.block(depth + 2, names, arm);
                }
                self.line(depth + 1, "else");
                self.block(depth + 2, names, other);
            }
            what => crate::visit::blocks(what).into_iter().for_each(|block| self.block(depth + 1, names, block)),
        }
    }

    fn statement(&self, names: &Names<'_>, what: &What) -> Option<String> {
        Some(match what {
            What::If { test, .. } => format!("if {}", names.sym(*test)),
            What::Loop { count, carry, body } => {
                format!("loop {} times from {} as {}", names.arg(*count), names.args(carry), names.syms(&body.takes))
            }
            What::Each { count, carry, of, body } => format!(
                "each of {}, {:?}, from {} as {}",
                names.arg(*count),
                self.module[*of].shape,
                names.args(carry),
                names.syms(&body.takes)
            )
            .to_lowercase(),
            What::Within { frame: Frame::Field(name), .. } => format!("within {}", self.module[*name]),
            What::Within { frame: Frame::Element(index), .. } => format!("within element {}", names.sym(*index)),
            What::Level { depth, at, body } => {
                format!("level {} at {} as {}", names.sym(*depth), names.sym(*at), names.syms(&body.takes))
            }
            What::Call { routine, args } => format!("call {} ({})", routine.0, names.args(args)),
            What::Write(write) => self::write::line(names, write),
            What::Segments(segments) => self::segments::line(names, segments),
            What::Switch { on, .. } => format!("switch {}", names.arg(*on)),
            What::Arm { tag, arm, .. } => format!("arm {} of {}", names.arg(*tag), names.sym(*arm)),
            What::Literal { value } => format!("literal {:?}", self.module[*value].value),
            What::Make { record, fields } => {
                let name = self.module.schema.type_def(*record).name.local();
                format!("make {name} ({})", names.syms(fields))
            }
            _ => return None,
        })
    }

    fn lacks(&mut self, index: usize, lacks: &Lacks) {
        let rows = |rows: &[(u32, u64)]| {
            rows.iter().map(|(end, cost)| format!("{cost} below {end}")).collect::<Vec<_>>().join(", ")
        };
        let parts = [("block", &lacks.block), ("pointers", &lacks.pointers), ("version", &lacks.parts)];
        let parts = parts.iter().filter(|(_, of)| !of.is_empty()).map(|(what, of)| format!("{what}: {}", rows(of)));
        let text = parts.collect::<Vec<_>>().join("; ");
        self.line(1, &format!("lack {index}: {text}"));
    }

    fn table(&mut self, index: usize, table: &'m Table) {
        let extent = match table.extent {
            Extent::Exact => "exact".to_owned(),
            Extent::Acting => "acting".to_owned(),
            Extent::Stated { head } => format!("stated within {head}"),
            Extent::Sections { data } => format!("sections, {data} of data"),
        };
        self.line(1, &format!("table {index}: {} bytes, {extent}", table.size));
        for (end, extra) in &table.extras {
            self.line(2, &format!("extra {extra} within {end}"));
        }
        self.rows(2, &table.rows);
    }

    fn rows(&mut self, depth: usize, rows: &[Row]) {
        for row in rows {
            let name = row.name.map_or("-", |name| self.module[name].as_str());
            let since = if row.since > 0 { format!(", since {}", row.since) } else { String::new() };
            let reach = if row.reach != row.end() { format!(", there from {}", row.reach) } else { String::new() };
            let text = format!("at {}, {} bytes: {name}, {}{since}{reach}", row.at, row.width, self.holds(&row.holds));
            self.line(depth, &text);
            self.rows(depth + 1, row.members());
        }
    }

    fn holds(&self, holds: &Holds) -> String {
        match holds {
            Holds::Cell(cell) => self.cell(cell),
            Holds::Nest(_) => "members by operations".to_owned(),
            Holds::Other => "by operations".to_owned(),
            Holds::Register(Register::Wanted(repr)) => format!("register {}", repr_text(*repr)),
            Holds::Register(Register::Expected(repr, want)) => format!("register {} = {want}", repr_text(*repr)),
            Holds::Register(Register::Extent(repr)) => format!("extent {}", repr_text(*repr)),
            Holds::Register(Register::Unread) => "register, not read".to_owned(),
            Holds::Ignored => "not read".to_owned(),
        }
    }

    fn cell(&self, cell: &Cell) -> String {
        match cell {
            Cell::Scalar(scalar) => {
                let null = if scalar.null.is_some() { " or null" } else { "" };
                format!("{}{null}", repr_text(scalar.repr))
            }
            Cell::Chars(_) => "chars".to_owned(),
            Cell::Row { count, scalar, .. } => format!("{count} × {}", repr_text(scalar.repr)),
            Cell::Array { count, element, .. } => format!("{count} × ({})", self.cell(element)),
            Cell::Nest { record, .. } => self.module.schema.type_def(*record).name.local(),
            Cell::Literal(value) => format!("always {:?}", self.module[*value].value),
        }
    }
}

fn repr_text(repr: Repr) -> String {
    match repr {
        Repr::Bit(bit) => format!("bit {bit}"),
        repr => repr.name().to_owned(),
    }
}

fn guard(names: &Names<'_>, what: &What) -> Option<String> {
    Some(match what {
        What::Need { at, size, cut } => {
            let cut = match cut {
                Cut::Start => String::new(),
                Cut::Head(table) => format!(", cut as head {}", table.0),
                Cut::Run { table, version } => format!(", cut as table {}, version {}", table.0, names.arg(*version)),
            };
            format!("need {} at {}{cut}", names.arg(*size), names.sym(*at))
        }
        What::Least { size, least, place } => {
            format!("{} is {least} or more, from {}", names.arg(*size), names.place(*place))
        }
        What::Expect { have, want, place, root } => {
            format!("expect {} = {want}, from {}, root {}", names.arg(*have), names.place(*place), names.arg(*root))
        }
        What::Fit { count, least, at, blame } => {
            let product = format!("{} × {}", names.arg(*count), names.arg(*least));
            format!("fit {product} at {}, blame {}", names.sym(*at), names.sym(*blame))
        }
        What::Follow { base, offset, place } => {
            format!("follow {} + {}, from {}", names.sym(*base), names.arg(*offset), names.place(*place))
        }
        What::Root { offset, start } => format!("root {} + {}", names.sym(*start), names.arg(*offset)),
        What::Bound { size, head, place } => {
            format!("bound by {}, at least {head}, from {}", names.arg(*size), names.place(*place))
        }
        What::Same { size, end, place } => {
            format!("same {} and {}, from {}", names.arg(*size), names.sym(*end), names.place(*place))
        }
        What::End => "end".to_owned(),
        What::Refuse { place } => format!("refuse at {}", names.place(*place)),
        What::Charge { budget, amount, at } => {
            format!("charge {}, {} at {}", names.sym(*budget), names.amount(*amount), names.sym(*at))
        }
        What::Extra { budget, amount, at } => {
            format!("extra {}, {} at {}", names.sym(*budget), names.amount(*amount), names.sym(*at))
        }
        What::Lack { of, block, pointers, version } => {
            let given = names.args(&[*block, *pointers, *version]);
            format!("lack of {} within {given}", of.0)
        }
        What::ExtraWithin { budget, table, extent, at } => {
            let of = format!("table {} within {}", table.0, names.arg(*extent));
            format!("extra {}, {of} at {}", names.sym(*budget), names.sym(*at))
        }
        _ => return None,
    })
}

fn value(names: &Names<'_>, what: &What) -> Option<String> {
    Some(match what {
        What::Load { place, repr } => format!("load {} at {}", repr_text(*repr), names.place(*place)),
        What::Add { at, size } => format!("{} + {}", names.place(*at), names.arg(*size)),
        What::Behind { at, count, each } => format!("{} + {} × {each}", names.sym(*at), names.arg(*count)),
        What::Element { place, index, stride, .. } => {
            format!("{} + {} × {stride}", names.place(*place), names.sym(*index))
        }
        What::Equal { a, b } => format!("{} is {}", names.arg(*a), names.arg(*b)),
        What::AtLeast { a, b } => format!("{} is {} or more", names.arg(*a), names.arg(*b)),
        What::Present { since, reach, extent, version } => {
            format!("present: {reach} within {}, since {since} in {}", names.arg(*extent), names.arg(*version))
        }
        What::Whole { table, extent, version } => {
            format!("whole: table {} within {}, version {}", table.0, names.arg(*extent), names.arg(*version))
        }
        What::Scalar { place, scalar } => format!("scalar {} at {}", repr_text(scalar.repr), names.place(*place)),
        What::Decimal { place } => format!("decimal at {}", names.place(*place)),
        What::Chars { place, width, .. } => format!("chars at {}, {width} bytes", names.place(*place)),
        What::Bytes { at, size, .. } => format!("bytes at {}, {}", names.sym(*at), names.arg(*size)),
        What::Open { count } => format!("open {}", names.arg(*count)),
        What::Push { list, items } => format!("push {} to {}", names.syms(items), names.sym(*list)),
        What::Close { list, of } => format!("close {} as list {}", names.sym(*list), of.0),
        _ => return None,
    })
}

fn large(names: &Names<'_>, what: &What) -> Option<String> {
    Some(match what {
        What::Extent { table, at, acting, version, budget } => {
            let given = format!("acting {}, version {}", names.arg(*acting), names.arg(*version));
            format!("extent of table {} at {}, {given}, {}", table.0, names.sym(*at), names.sym(*budget))
        }
        What::Head { table, at, root, budget } => {
            format!("head {} at {}, root {}, {}", table.0, names.sym(*at), names.arg(*root), names.sym(*budget))
        }
        What::Counted { table, at, root, budget, .. } => {
            format!("counted {} at {}, root {}, {}", table.0, names.sym(*at), names.arg(*root), names.sym(*budget))
        }
        What::Fields { table, at, have } => {
            format!("fields of table {} at {}, {}", table.0, names.sym(*at), names.have(*have))
        }
        What::Row { at, count, scalar, .. } => {
            format!("row of {} × {} at {}", names.arg(*count), repr_text(scalar.repr), names.place(*at))
        }
        What::Scalars { at, count, scalar, budget, .. } => {
            let of = format!("{} × {}", names.arg(*count), repr_text(scalar.repr));
            format!("scalars {of} at {}, {}", names.sym(*at), names.sym(*budget))
        }
        What::Unpaid { from, at, amount, budget } => {
            format!("unpaid {} to {}: {amount}, {}", names.sym(*from), names.sym(*at), names.sym(*budget))
        }
        _ => return None,
    })
}
