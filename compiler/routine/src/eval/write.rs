//! Routines that write, executed on values.

use super::fault::{Code, Fault};
use super::machine::{Given as Words, Machine, Scope, Word};
use super::{read, store, Counter};
use crate::module::{Entry, Module, Put};
use crate::op::What;
use crate::operand::{Amount, BlankId, ListId, RoutineId, Sym};
use crate::order;
use crate::value::Value;
use crate::write::Write;
use aldis_plan::{Limits, NullValue, Repr, Shape};
use aldis_schema::Type;

/// The bytes of a value of a message of the module's.
///
/// # Errors
/// As the routines say.
///
/// # Panics
/// If the module would not pass [`crate::check`], or has no routines that write.
pub fn write(module: &Module, message: usize, value: &Value, limits: &Limits) -> Result<Vec<u8>, Fault> {
    let mut writer = Writer::new(module, message, limits, Some(Vec::new()));
    writer.message(module.writers[message], value)?;
    Ok(writer.packed.or(writer.out).unwrap_or_default())
}

/// How many bytes [`write`] would write, if it neither packed them nor left any out for a canonical form; nothing where the value can't be
/// written.
///
/// # Panics
/// As [`write`], for routines that tell sizes.
pub fn size(module: &Module, message: usize, value: &Value, limits: &Limits) -> Option<u64> {
    let mut writer = Writer::new(module, message, limits, None);
    writer.message(module.sizers[message], value).ok()?;
    Some(writer.length)
}

/// Puts a field into the bytes of a message, the first run of whose record is at `at`, by a routine of [`crate::Purpose::Set`].
///
/// # Errors
/// As the routine says; the field may be stored in part.
///
/// # Panics
/// If the bytes end before the run does.
pub fn set(module: &Module, routine: RoutineId, bytes: &mut Vec<u8>, at: u64, value: &Value) -> Result<(), Fault> {
    let limits = Limits::default();
    let mut writer = Writer::new(module, 0, &limits, None);
    writer.length = bytes.len() as u64;
    writer.out = Some(std::mem::take(bytes));
    let value = writer.give(Given::One(value));
    let done = writer.call(routine, [value, at, OUT].into_iter().map(Word::Number).collect());
    *bytes = writer.out.take().unwrap_or_default();
    done.map(|_| ()).map_err(|fault| Fault { offset: None, ..fault })
}

/// The value that a symbol of type [`crate::Ty::Given`] stands for.
#[derive(Clone, Debug)]
enum Given<'v> {
    One(&'v Value),
    /// The elements of a set, in order.
    Items(Vec<&'v Value>),
    /// The entries of a map, in order.
    Entries(Vec<&'v (Value, Value)>),
}

pub(super) struct Writer<'r> {
    pub module: &'r Module,
    pub limits: &'r Limits,
    message: usize,
    /// The things that symbols stand for, by their numbers.
    given: Vec<Given<'r>>,
    /// The bytes by now; none where they are only counted.
    pub out: Option<Vec<u8>>,
    pub length: u64,
    /// The charge of readers for elements that have no bytes.
    pub unpaid: u64,
    /// The same bytes packed, where the container wants that.
    pub packed: Option<Vec<u8>>,
}

impl<'r> Machine<'r> for Writer<'r> {
    type Value = ();

    fn module(&self) -> &'r Module {
        self.module
    }

    fn simple(&mut self, scope: &mut Scope<()>, what: &'r What) -> Words<()> {
        let numbers = match what {
            What::Element { place, index, stride, .. } => {
                vec![scope.place(*place) + scope.number(*index) * u64::from(*stride)]
            }
            What::Write(write) => self.op_of_write(scope, write)?,
            _ => Vec::new(),
        };
        Ok(numbers.into_iter().map(Word::Number).collect())
    }
}

/// The number that stands for what is written: there is but one.
pub(super) const OUT: u64 = 0;

pub(super) fn wrong<T>() -> Result<T, Fault> {
    Err(Fault::of(Code::BadValue))
}

pub(super) fn out_of_range<T>() -> Result<T, Fault> {
    Err(Fault::of(Code::OutOfRange))
}

impl<'r> Writer<'r> {
    fn new(module: &'r Module, message: usize, limits: &'r Limits, out: Option<Vec<u8>>) -> Self {
        Self { module, limits, message, given: Vec::new(), out, length: 0, unpaid: 0, packed: None }
    }

    fn message(&mut self, routine: RoutineId, value: &'r Value) -> Result<(), Fault> {
        let value = self.give(Given::One(value));
        let args = [value, OUT, u64::from(self.limits.depth)].into_iter().map(Word::Number).collect();
        let done = self.call(routine, args);
        done.map(|_| ()).map_err(|fault| Fault { offset: None, ..fault })
    }

    fn give(&mut self, given: Given<'r>) -> u64 {
        self.given.push(given);
        self.given.len() as u64 - 1
    }

    fn given(&self, scope: &Scope<()>, sym: Sym) -> &Given<'r> {
        &self.given[scope.number(sym) as usize]
    }

    pub fn one(&self, scope: &Scope<()>, sym: Sym) -> Result<&'r Value, Fault> {
        match self.given(scope, sym) {
            Given::One(value) => Ok(value),
            _ => wrong(),
        }
    }

    /// The numbers that the operation binds.
    fn op_of_write(&mut self, scope: &Scope<()>, write: &'r Write) -> Result<Vec<u64>, Fault> {
        match write {
            Write::IsNull { value } => Ok(vec![u64::from(*self.one(scope, *value)? == Value::Null)]),
            Write::OfRecord { value, .. } => match self.one(scope, *value)? {
                Value::Record(_) => Ok(Vec::new()),
                _ => wrong(),
            },
            Write::Get { value, record, field } => {
                let Value::Record(fields) = self.one(scope, *value)? else { return wrong() };
                let missing = &self.module[self.module.missing[record.index()][*field as usize]].value;
                let field = fields.get(*field as usize).unwrap_or(missing);
                Ok(vec![self.give(Given::One(field))])
            }
            Write::Octets { value, .. } => match self.one(scope, *value)? {
                Value::Bytes(bytes) => Ok(vec![bytes.len() as u64]),
                _ => wrong(),
            },
            Write::SameAs { value, literal } => match is_same(self.one(scope, *value)?, &self.module[*literal].value) {
                true => Ok(Vec::new()),
                false => wrong(),
            },
            Write::InRange { number, min, max } if (*min..=*max).contains(&scope.number(*number)) => Ok(Vec::new()),
            Write::InRange { .. } => out_of_range(),
            Write::Wrong => wrong(),
            Write::Choice { value, .. } => match self.one(scope, *value)? {
                Value::Choice(tag, arm) => Ok(vec![*tag, self.give(Given::One(arm))]),
                _ => wrong(),
            },
            Write::Sorted { .. }
            | Write::Count { .. }
            | Write::Exactly { .. }
            | Write::Item { .. }
            | Write::Pair { .. } => self.collection(scope, write),
            _ => self.bytes(scope, write),
        }
    }

    fn collection(&mut self, scope: &Scope<()>, write: &Write) -> Result<Vec<u64>, Fault> {
        match write {
            Write::Sorted { value, of } => {
                let sorted = self.sorted(self.one(scope, *value)?, *of)?;
                Ok(vec![self.give(sorted)])
            }
            Write::Count { value, of } => {
                let list = self.module[*of].shape == Shape::List;
                match self.given(scope, *value) {
                    Given::One(Value::List(items)) if list => Ok(vec![items.len() as u64]),
                    Given::Items(items) => Ok(vec![items.len() as u64]),
                    Given::Entries(entries) => Ok(vec![entries.len() as u64]),
                    Given::One(_) => wrong(),
                }
            }
            Write::Exactly { value, count, in_run } => match self.one(scope, *value)? {
                Value::List(items) if items.len() == *count as usize => Ok(Vec::new()),
                Value::List(_) if *in_run => out_of_range(),
                _ => wrong(),
            },
            Write::Item { value, index } => {
                let index = scope.number(*index) as usize;
                let item = match self.given(scope, *value) {
                    Given::One(Value::List(items)) => &items[index],
                    Given::Items(items) => items[index],
                    _ => return wrong(),
                };
                Ok(vec![self.give(Given::One(item))])
            }
            Write::Pair { value, index } => {
                let Given::Entries(entries) = self.given(scope, *value) else { return wrong() };
                let (key, value) = entries[scope.number(*index) as usize];
                Ok(vec![self.give(Given::One(key)), self.give(Given::One(value))])
            }
            _ => Ok(Vec::new()),
        }
    }

    fn sorted(&self, value: &'r Value, of: ListId) -> Result<Given<'r>, Fault> {
        let module: &'r Module = self.module;
        let list = &module[of];
        match (list.shape, value, list.ty.required()) {
            (Shape::Map, Value::Map(entries), Type::Map { key, .. }) => {
                let entries: Vec<&(Value, Value)> = entries.iter().collect();
                Ok(Given::Entries(order::first_of_equals(entries, |a, b| order::compare(module, key, &a.0, &b.0))))
            }
            (Shape::Set, Value::List(items), ty) => {
                let items: Vec<&Value> = items.iter().collect();
                Ok(Given::Items(order::first_of_equals(items, |a, b| order::compare(module, ty.element(), a, b))))
            }
            _ => wrong(),
        }
    }

    fn bytes(&mut self, scope: &Scope<()>, write: &'r Write) -> Result<Vec<u64>, Fault> {
        match write {
            Write::Here { .. } => return Ok(vec![self.length, OUT]),
            Write::Reserve { size, .. } => {
                let Amount { times, each } = *size;
                let size = scope.number(times).saturating_mul(scope.number(each));
                return Ok(vec![self.reserve(size), OUT]);
            }
            Write::Append { value, size, .. } => {
                let Value::Bytes(bytes) = self.one(scope, *value)? else { return wrong() };
                let at = self.reserve(scope.number(*size));
                self.slice(at, bytes.len() as u64, |out| out.copy_from_slice(bytes));
            }
            Write::Store { place, repr, number, .. } => {
                self.number(scope.place(*place), *repr, scope.number(*number));
            }
            Write::StoreScalar { place, scalar, value, .. } => {
                self.scalar(scope.place(*place), scalar, self.one(scope, *value)?)?;
            }
            Write::StoreChars { place, width, value, .. } => {
                self.chars(scope.place(*place), *width, self.one(scope, *value)?)?;
            }
            Write::Erase { place, width, bit, .. } => {
                let kept = bit.map_or(0, |bit| !(1 << bit));
                self.slice(scope.place(*place), u64::from(*width), |out| out.iter_mut().for_each(|byte| *byte &= kept));
            }
            Write::Link { place, base, .. } => {
                self.number(scope.place(*place), Repr::U32, self.length - scope.number(*base));
            }
            Write::Empty { from, count, .. } => {
                if scope.number(*from) == self.length {
                    self.unpaid =
                        self.unpaid.saturating_add(Limits::EMPTY_ELEMENT.saturating_mul(scope.number(*count)));
                }
            }
            Write::Total { .. } if self.length > u64::from(u32::MAX) => return out_of_range(),
            Write::Total { .. } => return Ok(vec![self.length, OUT]),
            Write::Framed { total, plus, width } => {
                let length = scope.number(*total).wrapping_add_signed(*plus);
                if *width < 8 && length >> (8 * width) != 0 {
                    return out_of_range();
                }
                return Ok(vec![length]);
            }
            Write::Readable { .. } => self.readable()?,
            _ => return self.pointed(scope, write),
        }
        Ok(vec![OUT])
    }

    pub(super) fn large(&mut self, scope: &Scope<()>, write: &'r Write) -> Result<Vec<u64>, Fault> {
        match write {
            Write::Begin { blank, count, .. } => return Ok(vec![self.begin(*blank, scope.number(*count))?, OUT]),
            Write::Fill { blank, first, count, at, value, .. } => {
                let (at, value) = (scope.number(*at), self.one(scope, *value)?);
                self.fill(*blank, (*first as usize, *count as usize), at, value)?;
            }
            Write::Cell { blank, entry, at, value, .. } => {
                let (at, value) = (scope.number(*at), self.one(scope, *value)?);
                self.cell(&self.module[*blank].entries[*entry as usize], at, value)?;
            }
            Write::Null { blank, entry, at, .. } => {
                self.no_value(&self.module[*blank].entries[*entry as usize], scope.number(*at));
            }
            Write::Cells { blank, at, count, stride, value, .. } => {
                let items = match self.given(scope, *value) {
                    Given::One(Value::List(items)) => items.iter().collect(),
                    Given::Items(items) => items.clone(),
                    _ => return wrong(),
                };
                let (at, entry) = (scope.number(*at), &self.module[*blank].entries[0]);
                for (index, item) in items.into_iter().enumerate().take(scope.number(*count) as usize) {
                    let done = self.cell(entry, at + index as u64 * u64::from(*stride), item);
                    done.map_err(|fault| super::machine::within(fault, super::Step::Element(index as u64)))?;
                }
            }
            _ => {}
        }
        Ok(vec![OUT])
    }
}

/// Bytes.
impl<'r> Writer<'r> {
    pub fn reserve(&mut self, size: u64) -> u64 {
        let at = self.length;
        self.length += size;
        if let Some(out) = &mut self.out {
            out.resize(self.length as usize, 0);
        }
        at
    }

    pub fn slice(&mut self, at: u64, size: u64, fill: impl FnOnce(&mut [u8])) {
        if let Some(out) = &mut self.out {
            fill(&mut out[at as usize..(at + size) as usize]);
        }
    }

    pub fn number(&mut self, at: u64, repr: Repr, number: u64) {
        let order = self.module.byte_order;
        self.slice(at, repr.width().into(), |out| store::store(out, order, number));
    }

    fn scalar(&mut self, at: u64, scalar: &aldis_plan::Scalar, value: &Value) -> Result<(), Fault> {
        let (order, mut done) = (self.module.byte_order, Ok(()));
        self.slice(at, scalar.repr.width().into(), |out| done = store::scalar(out, order, scalar, value));
        done
    }

    fn chars(&mut self, at: u64, width: u32, value: &Value) -> Result<(), Fault> {
        let Value::Bytes(text) = value else { return wrong() };
        if text.len() > width as usize {
            return out_of_range();
        }
        self.slice(at, text.len() as u64, |out| out.copy_from_slice(text));
        Ok(())
    }

    /// Whether what is written can be read again.
    fn readable(&mut self) -> Result<(), Fault> {
        if self.unpaid <= self.limits.budget_base {
            return Ok(());
        }
        let bytes = self.out.as_deref().unwrap_or_default();
        if self.packed.as_ref().is_some_and(|packed| bytes.len() as u64 > self.limits.unpacked(packed.len())) {
            return Err(Fault::of(Code::TooLarge));
        }
        match read(self.module, self.message, bytes, self.limits, &mut Counter::default()) {
            Err(fault) if fault.code == Code::TooLarge => Err(Fault::of(fault.code)),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, blank: BlankId, count: u64) -> Result<u64, Fault> {
        let blank = &self.module[blank];
        let at = self.reserve(blank.size.into());
        for entry in &blank.entries {
            match &entry.put {
                Put::Count { min, max, .. } if !(*min..=*max).contains(&count) => return out_of_range(),
                Put::Count { repr, .. } if entry.width > 0 => self.number(at + u64::from(entry.at), *repr, count),
                _ => self.known(entry, at),
            }
        }
        Ok(at)
    }

    fn known(&mut self, entry: &Entry, at: u64) {
        if let Put::Number { repr, number } = entry.put {
            self.number(at + u64::from(entry.at), repr, number);
        }
    }

    fn fill(&mut self, id: BlankId, (first, count): (usize, usize), at: u64, value: &'r Value) -> Result<(), Fault> {
        let module: &'r Module = self.module;
        let blank = &module[id];
        for entry in blank.entries.iter().skip(first).take(count) {
            self.known(entry, at);
            let (Some(record), Some(field), Some(name)) = (blank.record, entry.field, entry.name) else { continue };
            let Value::Record(fields) = value else { return wrong() };
            let missing = &module[module.missing[record.index()][field as usize]].value;
            match fields.get(field as usize).unwrap_or(missing) {
                Value::Null if entry.nullable => self.no_value(entry, at),
                value => self
                    .cell(entry, at, value)
                    .map_err(|fault| super::machine::within(fault, super::Step::Field(name)))?,
            }
        }
        Ok(())
    }

    fn cell(&mut self, entry: &Entry, at: u64, value: &'r Value) -> Result<(), Fault> {
        let module: &'r Module = self.module;
        let from = at + u64::from(entry.at);
        match &entry.put {
            Put::Scalar(scalar) => self.scalar(from, scalar, value),
            Put::Chars(_) => self.chars(from, entry.width, value),
            Put::Literal(literal) if is_same(value, &module[*literal].value) => Ok(()),
            Put::Literal(_) => wrong(),
            Put::Array { count, stride, element } => match value {
                Value::List(items) if items.len() == *count as usize => {
                    let element = &module[*element].entries[0];
                    items.iter().enumerate().try_for_each(|(index, item)| {
                        let done = self.cell(element, from + index as u64 * u64::from(*stride), item);
                        done.map_err(|fault| super::machine::within(fault, super::Step::Element(index as u64)))
                    })
                }
                Value::List(_) => out_of_range(),
                _ => wrong(),
            },
            Put::Nest { members, .. } => match value {
                Value::Record(_) => self.fill(*members, (0, usize::MAX), at, value),
                _ => wrong(),
            },
            Put::Nothing | Put::Number { .. } | Put::Count { .. } | Put::Other => Ok(()),
        }
    }

    fn no_value(&mut self, entry: &Entry, at: u64) {
        let module: &'r Module = self.module;
        let from = at + u64::from(entry.at);
        match &entry.put {
            Put::Scalar(scalar) => {
                if let Some(NullValue::Bits(bits) | NullValue::Nan(bits)) = scalar.null.or(scalar.absent) {
                    self.number(from, scalar.repr, bits);
                }
            }
            Put::Nest { members, .. } => module[*members].entries.iter().for_each(|entry| self.no_value(entry, at)),
            Put::Array { count, stride, element } => {
                let element = &module[*element].entries[0];
                (0..u64::from(*count)).for_each(|index| self.no_value(element, from + index * u64::from(*stride)));
            }
            _ => {}
        }
    }
}

/// Whether a value is what a schema fixes; unlike `==`, NaN is NaN.
fn is_same(value: &Value, fixed: &Value) -> bool {
    match (value, fixed) {
        (Value::F32(a), Value::F32(b)) => a == b || (a.is_nan() && b.is_nan()),
        (Value::F64(a), Value::F64(b)) => a == b || (a.is_nan() && b.is_nan()),
        _ => value == fixed,
    }
}
