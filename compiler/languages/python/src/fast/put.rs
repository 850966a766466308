//! Values into runs that are written.

use super::body::{number, Body, Val};
use super::cells::code;
use super::out::{Region, Slot};
use super::read::Frame;
use super::write::{attribute, encoded, stored};
use crate::py::{binary, call, either, int, name, Expr};
use aldis_emit::integer_of;
use aldis_plan::{NullValue, Repr, Scalar};
use aldis_routine::{Arg, BlankId, Entry, Op, Put};
use aldis_schema::Type;

impl<'a> Body<'_, 'a> {
    /// A head: its registers, and the number that counts.
    pub(super) fn begun(&mut self, frame: &mut Frame<'a>, op: &'a Op, blank: BlankId, count: Arg) {
        let blank = &self.fast.module[blank];
        let region = self.reserve(blank.size);
        let count = number(&frame.arg(count));
        for entry in &blank.entries {
            match &entry.put {
                Put::Number { repr, number } => {
                    self.slot_at(region.behind(entry.at), code(*repr), repr.width(), stored(*repr, *number))
                }
                Put::Count { repr, min, max } => {
                    // A value that does not fit the number is an error of `struct`.
                    if *min > 0 || repr.width() >= 8 || *max < (1 << (8 * repr.width())) - 1 {
                        self.within(&count, *min, *max);
                    }
                    if entry.width > 0 {
                        self.slot_at(region.behind(entry.at), code(*repr), repr.width(), count.clone());
                    }
                }
                _ => {}
            }
        }
        frame.set(op.binds[0], Val::Region(region));
    }

    /// Entries of a blank, from the fields of a record.
    pub(super) fn fill(&mut self, blank: BlankId, (first, count): (u32, u32), region: Region, given: &Expr) {
        let of = &self.fast.module[blank];
        for index in first..first + count {
            let entry = &of.entries[index as usize];
            let value = match (of.record, entry.field) {
                (Some(record), Some(field)) => {
                    let own = &self.fast.values.names.members(record)[field as usize];
                    attribute(given, own)
                }
                _ => name("None"),
            };
            self.put(blank, index, region, value);
        }
    }

    /// A value into an entry of a blank, which lies behind a place.
    pub(super) fn put(&mut self, blank: BlankId, index: u32, region: Region, given: Expr) {
        let module = self.fast.module;
        let entry = &module[blank].entries[index as usize];
        let at = region.behind(entry.at);
        match &entry.put {
            Put::Number { repr, number } => self.slot_at(at, code(*repr), repr.width(), stored(*repr, *number)),
            Put::Scalar(scalar) => {
                let value = self.scalar_of(scalar, given, entry.nullable);
                if matches!(scalar.repr, Repr::Bit(_)) {
                    return self.settle(at, "B", 1, value);
                }
                let own = match scalar.repr {
                    Repr::Bool => "?",
                    Repr::F32 if scalar.xor != 0 => "I",
                    Repr::F64 if scalar.xor != 0 => "Q",
                    repr => code(repr),
                };
                self.slot_at(at, own, scalar.repr.width(), value);
            }
            Put::Chars(encoding) => {
                // Null is zeros.
                let octets = match entry.nullable {
                    true => {
                        let given = self.kept("x", given);
                        let there = binary(given.clone(), "is not", name("None"));
                        either(there, encoded(given, *encoding), Expr::Bytes(Vec::new()))
                    }
                    false => encoded(given, *encoding),
                };
                let octets = name(self.keep("octets", octets));
                self.odd_if(binary(call("len", vec![octets.clone()]), ">", int(entry.width)));
                self.slot_at(at, &format!("{}s", entry.width), entry.width, octets);
            }
            Put::Array { count, stride, element } => {
                let given = self.kept("items", given);
                self.of_class(&given, "list");
                self.odd_if(binary(call("len", vec![given.clone()]), "!=", int(*count)));
                self.array(at, (*count, *stride), *element, &given);
            }
            Put::Nest { record, members } => {
                let given = self.kept("nest", given);
                self.of_class(&given, self.fast.values.names.of(*record));
                let all = module[*members].entries.len() as u32;
                self.fill(*members, (0, all), region, &given);
            }
            Put::Literal(literal) => {
                let fixed = self.fast.values.literal(&module[*literal].value, &module[*literal].ty);
                let differs = if fixed == name("None") { "is not" } else { "!=" };
                self.odd_if(binary(given, differs, fixed));
            }
            Put::Nothing | Put::Other | Put::Count { .. } => {}
        }
    }

    fn array(&mut self, at: Region, (count, stride): (u32, u32), element: BlankId, given: &Expr) {
        let module = self.fast.module;
        match module[element].entries.as_slice() {
            [Entry { at: 0, put: Put::Scalar(scalar), .. }] if self.all_fit(scalar, given) => {
                let Expr::Name(items) = given else { return self.is_odd = true };
                let code = format!("{count}{}", code(scalar.repr));
                self.slot_at(at, &code, stride * count, name(format!("*{items}")));
            }
            _ => self.is_odd = true,
        }
    }

    /// Checks the items of a list whose numbers `struct` packs as they are. Whether it may.
    pub(super) fn all_fit(&mut self, scalar: &Scalar, given: &Expr) -> bool {
        let is_plain = scalar.xor == 0 && scalar.null.is_none() && scalar.absent.is_none();
        let helper = match scalar.repr {
            Repr::F32 | Repr::F64 => "floats",
            Repr::Bool => "bools",
            Repr::Bit(_) | Repr::Uuid | Repr::Decimal => return false,
            _ if scalar.ty.required() == &Type::Char => return false,
            _ => return is_plain,
        };
        let check = self.fast.helped(helper, vec![given.clone()]);
        self.odd_if(Expr::Not(Box::new(check)));
        is_plain
    }

    /// The elements of a list, each in a cell of a table.
    pub(super) fn cells(&mut self, blank: BlankId, table: usize, items: Expr) {
        let module = self.fast.module;
        let size = self.table_size(table);
        let alone = match module[blank].entries.as_slice() {
            [Entry { at: 0, put: Put::Scalar(scalar), .. }] if scalar.repr.width() == size => Some(scalar),
            _ => None,
        };
        if let (Some(scalar), Expr::Name(list)) = (alone, &items) {
            if self.all_fit(scalar, &items) {
                let slot = Slot { at: 0, code: code(scalar.repr).to_owned(), width: size, value: name("None") };
                return self.table_cells(table, list.clone(), vec![slot]);
            }
        }
        let item = self.fresh("item");
        self.begin();
        self.out.pieces.push(Vec::new());
        let region = self.reserve_apart(size);
        self.put(blank, 0, region, name(item.as_str()));
        let value = self.end_way();
        let (lines, _) = self.finish(None);
        let Some(Expr::Tuple(mut one)) = value else { return self.is_odd = true };
        let made = self.gathered([lines, Vec::new()], vec![one.remove(0)], crate::py::target(item), items);
        match made {
            Expr::Name(list) => self.table_cells(table, list, Vec::new()),
            _ => self.is_odd = true,
        }
    }

    /// Bytes that count elsewhere.
    fn reserve_apart(&mut self, size: u32) -> Region {
        let end = self.tail.take();
        let region = self.reserve(size);
        self.tail = end;
        region
    }

    /// The expression that `struct` packs for a scalar.
    fn scalar_of(&mut self, scalar: &Scalar, given: Expr, nullable: bool) -> Expr {
        let repr = scalar.repr;
        let is_number = scalar.xor == 0 && !matches!(repr, Repr::Uuid | Repr::Decimal | Repr::Bit(_));
        // Null that no number stands for is zeros.
        let zeros = (nullable && is_number).then_some(NullValue::Bits(0));
        let null = scalar.null.or(scalar.absent).or(zeros);
        let given = if null.is_some() || needs_name(scalar) { self.kept("x", given) } else { given };
        let value = self.fitting(scalar, &given, null.is_some());
        let value = match scalar.xor {
            0 => value,
            _ if matches!(repr, Repr::Bit(_)) => value,
            xor => {
                self.is_odd |= repr == Repr::Bool;
                let bits = match repr {
                    Repr::F32 => Some("float_bits"),
                    Repr::F64 => Some("double_bits"),
                    _ => None,
                };
                let value = match bits {
                    Some(bits) => self.fast.helped(bits, vec![value]),
                    None => value,
                };
                binary(value, "^", int(integer_of(repr, xor)))
            }
        };
        match null {
            None => value,
            Some(NullValue::Bits(bits)) => either(binary(given, "is not", name("None")), value, stored(repr, bits)),
            Some(NullValue::Nan(bits)) => {
                self.is_odd |= bits != if repr == Repr::F32 { 0x7FC0_0000 } else { 0x7FF8_0000_0000_0000 };
                let nan = self.fast.helper("NAN");
                either(binary(given, "is not", name("None")), value, nan)
            }
        }
    }

    /// A value that the careful writer takes.
    fn fitting(&mut self, scalar: &Scalar, given: &Expr, nullable: bool) -> Expr {
        let odd = |body: &mut Self, test: Expr| {
            let there = binary(given.clone(), "is not", name("None"));
            body.odd_if(if nullable { binary(there, "and", test) } else { test });
        };
        match scalar.repr {
            Repr::F32 | Repr::F64 => {
                // NaN alone is not equal to itself less zero.
                let same = binary(binary(given.clone(), "-", Expr::Float(0.0)), "!=", given.clone());
                odd(self, same);
                given.clone()
            }
            Repr::Bool | Repr::Bit(_) => {
                let no = |word: &str| binary(given.clone(), "is not", name(word));
                odd(self, binary(no("True"), "and", no("False")));
                let Repr::Bit(bit) = scalar.repr else { return given.clone() };
                let given = if scalar.xor == 0 { given.clone() } else { binary(given.clone(), "^", int(1)) };
                match bit {
                    0 => given,
                    bit => binary(given, "<<", int(bit)),
                }
            }
            Repr::Uuid => self.fast.helped("uuid_octets", vec![given.clone()]),
            Repr::Decimal => self.fast.helped("decimal_octets", vec![given.clone()]),
            _ if scalar.ty.required() == &Type::Char => self.fast.helped("char_code", vec![given.clone()]),
            _ => given.clone(),
        }
    }
}

fn needs_name(scalar: &Scalar) -> bool {
    matches!(scalar.repr, Repr::F32 | Repr::F64 | Repr::Bool | Repr::Bit(_))
}
