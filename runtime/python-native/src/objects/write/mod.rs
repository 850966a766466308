//! Objects of generated classes as bytes: the steps of routines that write, walked. They refuse odd values, which functions of Python write.
//!
//! Objects are borrowed: those within the value that is written live as long as it does, and as no code of Python's runs, nobody takes one away.
//! Only a conversion that fails makes an exception, for which the collector may run some: it ends the message before another object is looked at.

mod sorted;
mod steps;
mod values;

use super::maker::Kit;
use super::operands::items;
use aldis_plan::{ByteOrder, Limits, Repr};
use aldis_routine::data::Datum;
use aldis_routine::{Arg, Place};
use pyo3::ffi;
use pyo3::prelude::*;
use sorted::sorted;
use std::collections::TryReserveError;
use std::panic::{catch_unwind, AssertUnwindSafe};
use steps::{routine, Cell, Moves, Routine, Step};
pub use values::Wide;
use values::{bits, is_of, latin1, octets, truth, whole, Object};

/// The most words of a segment.
const MOST: usize = (1 << 29) - 1;
/// The most elements that a pointer to a list counts, which are words where it leads to records.
const MOST_ELEMENTS: u64 = (1 << 29) - 1;

/// The routines of a form that write.
pub struct Writers {
    order: ByteOrder,
    /// Whether a table of the one segment is put in front.
    has_table: bool,
    /// By number; none where one does something else.
    routines: Vec<Option<Routine>>,
    /// By message.
    messages: Vec<usize>,
    missing: Py<PyAny>,
    /// Literals as objects.
    literals: Vec<Py<PyAny>>,
    /// An object of nobody's: a symbol that stands for it is the collection in order of that number.
    ordered: Py<PyAny>,
    /// By type of collection: whether it is a map.
    is_map: Vec<bool>,
    wide: Wide,
}

impl Writers {
    /// The routines that data say. `literals` are objects by number, and `missing` is what stands for a value that is not there.
    pub fn new(
        (routines, writers, lists): (&Datum, &Datum, &Datum),
        (order, has_table): (ByteOrder, bool),
        literals: Vec<Py<PyAny>>,
        (missing, ordered): (Py<PyAny>, Py<PyAny>),
        wide: Wide,
    ) -> Option<Self> {
        let is_writing = |datum: &Datum| items(datum).and_then(<[Datum]>::first) != Some(&Datum::from("read"));
        let routines = items(routines)?.iter().map(|datum| is_writing(datum).then(|| routine(datum))?).collect();
        let is_map = items(lists)?.iter().map(is_map).collect();
        let message = |id: &Datum| match id {
            Datum::Int(id) => usize::try_from(*id).ok(),
            _ => None,
        };
        let messages = items(writers)?.iter().map(message).collect::<Option<_>>()?;
        Some(Self { order, has_table, routines, messages, missing, literals, ordered, is_map, wide })
    }

    /// The bytes of a message; `None` where its value is odd, and an error where there is no memory for them.
    pub fn write(
        &self,
        kit: &Kit,
        message: usize,
        value: &Bound<'_, PyAny>,
    ) -> Result<Option<Vec<u8>>, TryReserveError> {
        let out = Vec::with_capacity(256);
        let mut run = Run {
            writers: self,
            kit,
            words: Vec::with_capacity(64),
            base: 0,
            out,
            depth: Limits::default().depth,
            charged: 0,
            lack: None,
            sorted: Vec::new(),
        };
        let args = [Word { number: 0, object: value.as_ptr() }];
        let routine = self.messages.get(message).and_then(|id| self.routines.get(*id)?.as_ref());
        let Some(routine) = routine else { return Ok(None) };
        let is_written = catch_unwind(AssertUnwindSafe(|| run.call(routine, &args, &[])));
        match (is_written, run.lack) {
            (Ok(Some(())), _) => Ok(Some(run.out)),
            (_, Some(lack)) => Err(lack),
            _ => Ok(None),
        }
    }
}

/// Whether a type is one of maps.
fn is_map(ty: &Datum) -> bool {
    match items(ty) {
        Some([Datum::Text(kind), inner]) if kind == "optional" => is_map(inner),
        Some([Datum::Text(kind), ..]) => kind == "map",
        _ => false,
    }
}

/// The number or object that a symbol stands for.
#[derive(Clone, Copy)]
struct Word {
    number: u64,
    object: Object,
}

const BLANK: Word = Word { number: 0, object: std::ptr::null_mut() };

/// A message on its way.
struct Run<'w> {
    writers: &'w Writers,
    kit: &'w Kit,
    /// The symbols of all routines that are under way; those of the innermost from `base` on.
    words: Vec<Word>,
    base: usize,
    out: Vec<u8>,
    depth: u32,
    /// The charge of readers for elements that have no bytes.
    charged: u64,
    /// The memory that there was not, which ended the message.
    lack: Option<TryReserveError>,
    /// Sets and maps in order: elements, or keys with their values.
    sorted: Vec<Vec<(Object, Object)>>,
}

impl Run<'_> {
    fn call(&mut self, routine: &Routine, args: &[Word], binds: &[usize]) -> Option<()> {
        let (outer, base) = (self.base, self.words.len());
        self.words.resize(base + routine.symbols, BLANK);
        self.base = base;
        for (param, arg) in routine.params.iter().zip(args) {
            self.words[base + param] = *arg;
        }
        self.steps(&routine.body)?;
        for (bind, given) in binds.iter().zip(&routine.gives) {
            self.words[outer + bind] = self.word(*given);
        }
        self.words.truncate(base);
        self.base = outer;
        Some(())
    }

    #[inline]
    fn word(&self, arg: Arg) -> Word {
        match arg {
            Arg::Sym(sym) => self.words[self.base + sym.0 as usize],
            Arg::Const(number) => Word { number, ..BLANK },
        }
    }

    #[inline]
    fn number(&self, arg: Arg) -> u64 {
        self.word(arg).number
    }

    #[inline]
    fn at(&self, place: Place) -> usize {
        (self.words[self.base + place.base.0 as usize].number + u64::from(place.plus)) as usize
    }

    #[inline]
    fn set(&mut self, sym: usize, number: u64) {
        self.words[self.base + sym] = Word { number, ..BLANK };
    }

    /// An object that is there.
    #[inline]
    fn object(&self, sym: usize) -> Option<Object> {
        Some(self.words[self.base + sym].object).filter(|object| !object.is_null())
    }

    #[inline]
    fn give(&mut self, sym: usize, object: Object) {
        self.words[self.base + sym] = Word { number: 0, object };
    }

    fn is_null(&self, object: Object) -> bool {
        // SAFETY: None always lives.
        std::ptr::eq(object, unsafe { ffi::Py_None() }) || std::ptr::eq(object, self.writers.missing.as_ptr())
    }

    /// Sets symbols all at once: some may be among what others are set to.
    fn moves(&mut self, moves: &Moves) {
        if let [(to, from)] = moves.as_slice() {
            self.words[self.base + to] = self.word(*from);
            return;
        }
        let found: Vec<Word> = moves.iter().map(|(_, from)| self.word(*from)).collect();
        for ((to, _), word) in moves.iter().zip(found) {
            self.words[self.base + to] = word;
        }
    }

    fn steps(&mut self, steps: &[Step]) -> Option<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    /// What messages have most is found by one jump: each match within another one is a further one.
    #[inline(always)]
    fn step(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Get { to, value, record, field } => self.get(*to, (*value, *record, *field))?,
            Step::Put { place, cell, value } => self.put(self.at(*place), cell, self.object(*value)?)?,
            Step::PutField { to, of, place, cell } => {
                self.get(*to, *of)?;
                self.put(self.at(*place), cell, self.words[self.base + to].object)?;
            }
            Step::IsNull(to, value) => self.set(*to, self.is_null(self.object(*value)?).into()),
            Step::Octets { to, value, is_text, is_latin1 } => self.sized(*to, *value, (*is_text, *is_latin1))?,
            Step::Store { place, width, number } => self.bits(self.at(*place), *width, self.number(*number))?,
            Step::Reserve { to, times, each } => self.reserve(*to, self.number(*times), self.number(*each))?,
            Step::Counted { value, is_text, size, at, width, max } => {
                self.counted((*value, *is_text), (*size, *at), (*width, *max))?;
            }
            Step::OfRecord { value, record } => {
                let class = self.kit.types.classes.get(*record)?.as_ref()?;
                return class.is_of(self.object(*value)?).then_some(());
            }
            Step::Here(to) => self.set(*to, self.out.len() as u64),
            Step::Link { place, base } => {
                let distance = self.out.len() as u64 - self.words[self.base + base].number;
                self.bits(self.at(*place), 4, distance)?;
            }
            Step::Item { to, value, index } => {
                let item = self.item(*value, self.words[self.base + index].number)?;
                self.give(*to, item);
            }
            Step::Add { to, place, size } => {
                self.set(*to, (self.at(*place) as u64).checked_add(self.number(*size))?);
            }
            Step::If { test, then, other } => {
                let is_so = self.words[self.base + test].number != 0;
                self.steps(if is_so { then } else { other })?;
            }
            Step::Move(moves) => self.moves(moves),
            Step::Down => self.depth = self.depth.checked_sub(1)?,
            Step::Up => self.depth += 1,
            Step::Switch { on, arms, other } => {
                let on = self.number(*on);
                let arm = arms.iter().find(|(tag, _)| *tag == on).map_or(other, |(_, arm)| arm);
                self.steps(arm)?;
            }
            Step::Loop { count, index, body, next } => {
                for number in 0..self.number(*count) {
                    self.set(*index, number);
                    self.steps(body)?;
                    self.moves(next);
                }
            }
            Step::Call { routine, args, binds } => {
                let writers = self.writers;
                let mut given = [BLANK; 8];
                let given = given.get_mut(..args.len())?;
                given.iter_mut().zip(args).for_each(|(word, arg)| *word = self.word(*arg));
                self.call(writers.routines.get(*routine)?.as_ref()?, given, binds)?;
            }
            step => return self.ask(step),
        }
        Some(())
    }

    #[inline]
    fn get(&mut self, to: usize, (value, record, field): (usize, usize, usize)) -> Option<()> {
        let class = self.kit.types.classes.get(record)?.as_ref()?;
        let field = class.field(self.object(value)?, field)?;
        self.give(to, field);
        Some(())
    }

    /// The size of a text, or of bytes, in the message.
    fn sized(&mut self, to: usize, value: usize, (is_text, is_latin1): (bool, bool)) -> Option<()> {
        let object = self.object(value)?;
        let own = if is_text { &raw mut ffi::PyUnicode_Type } else { &raw mut ffi::PyBytes_Type };
        // SAFETY: objects are alive while they are written.
        let bytes = unsafe { is_of(object, own).then(|| octets(object))?? };
        let size = if is_latin1 && !bytes.is_ascii() {
            // The number beside an object is 1 where its text is no UTF-8 in the message.
            self.words[self.base + value].number = 1;
            latin1(bytes)?.len()
        } else {
            bytes.len()
        };
        self.set(to, size as u64);
        Some(())
    }

    /// Appends a text, or bytes, behind their number.
    fn counted(
        &mut self,
        (value, is_text): (usize, bool),
        (size, at): (usize, usize),
        (width, max): (usize, u64),
    ) -> Option<()> {
        self.sized(size, value, (is_text, false))?;
        let number = self.words[self.base + size].number;
        let start = self.out.len();
        self.set(at, start as u64);
        // SAFETY: objects are alive while they are written.
        let bytes = unsafe { octets(self.object(value)?)? };
        (number <= max).then_some(())?;
        self.room(width + bytes.len())?;
        self.out.resize(start + width, 0);
        self.bits(start, width, number)?;
        self.out.extend_from_slice(bytes);
        Some(())
    }

    fn reserve(&mut self, to: usize, times: u64, each: u64) -> Option<()> {
        let size = times.checked_mul(each).filter(|size| *size <= 1 << 32)?;
        self.set(to, self.out.len() as u64);
        let size = usize::try_from(size).ok()?;
        self.room(size)?;
        self.out.resize(self.out.len() + size, 0);
        Some(())
    }

    fn append(&mut self, value: usize) -> Option<()> {
        // SAFETY: objects are alive while they are written.
        let bytes = unsafe { octets(self.object(value)?)? };
        self.room(bytes.len())?;
        match self.words[self.base + value].number {
            0 => self.out.extend_from_slice(bytes),
            _ => self.out.extend_from_slice(&latin1(bytes)?),
        }
        Some(())
    }

    /// Steps that ask a value.
    fn ask(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Sorted { to, value, of } => {
                // SAFETY: objects are alive while they are written, and nobody changes them.
                let found =
                    unsafe { sorted(self.object(*value)?, *self.writers.is_map.get(*of)?, &self.writers.wide)? };
                let (number, object) = (self.sorted.len() as u64, self.writers.ordered.as_ptr());
                self.sorted.try_reserve(1).map_err(|lack| self.lack = Some(lack)).ok()?;
                self.sorted.push(found);
                self.words[self.base + to] = Word { number, object };
            }
            Step::Count(to, value) => self.set(*to, self.elements(*value)?),
            Step::Exactly { value, count } => return (self.elements(*value)? == *count).then_some(()),
            Step::Pair { key, to, value, index } => {
                let (own, inner) = self.entry(*value, self.words[self.base + index].number)?;
                self.give(*key, own);
                self.give(*to, inner);
            }
            Step::SameAs { value, literal } => {
                let (object, fixed) = (self.object(*value)?, self.writers.literals.get(*literal)?.as_ptr());
                // SAFETY: as above.
                let is_whole = || unsafe { whole(object).is_some_and(|number| whole(fixed) == Some(number)) };
                let is_missing = std::ptr::eq(object, self.writers.missing.as_ptr());
                return (is_missing || std::ptr::eq(object, fixed) || is_whole()).then_some(());
            }
            Step::Choice { tag, arm, value, union } => {
                let (object, arms) = (self.object(*value)?, self.kit.arms.get(*union)?);
                let (number, class) = arms.iter().find(|(_, class)| class.is_of(object))?;
                let inner = class.field(object, 0)?;
                self.set(*tag, *number);
                self.give(*arm, inner);
            }
            step => return self.count(step),
        }
        Some(())
    }

    /// Steps that count.
    fn count(&mut self, step: &Step) -> Option<()> {
        let length = self.out.len() as u64;
        let (to, number) = match step {
            Step::InRange { number, min, max } => {
                return (*min..=*max).contains(&self.number(*number)).then_some(());
            }
            Step::Element { to, place, index, stride } => {
                (to, self.at(*place) as u64 + self.words[self.base + index].number.checked_mul(*stride)?)
            }
            Step::Behind { to, at, count, each } => {
                let size = self.number(*count).checked_mul(*each)?;
                (to, self.words[self.base + at].number.checked_add(size)?)
            }
            Step::Equal(to, a, b) => (to, u64::from(self.number(*a) == self.number(*b))),
            Step::AtLeast(to, a, b) => (to, u64::from(self.number(*a) >= self.number(*b))),
            Step::Total(to) if length <= u64::from(u32::MAX) => (to, length),
            Step::Framed { to, total, plus, width } => {
                let framed = self.number(*total).checked_add_signed(*plus)?;
                let fits = *width >= 8 || framed >> (8 * width) == 0;
                (to, fits.then_some(framed)?)
            }
            Step::Words { to, count, more, bits } => {
                let bits = self.number(*count).checked_add(*more)?.checked_mul(*bits)?;
                (to, bits.div_ceil(64))
            }
            step => return self.store(step),
        };
        self.set(*to, number);
        Some(())
    }

    /// Steps that write.
    fn store(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Append { value } => self.append(*value)?,
            Step::PutChars { place, width, is_latin1, value } => {
                let object = self.object(*value)?;
                // SAFETY: as above.
                let bytes = unsafe { is_of(object, &raw mut ffi::PyUnicode_Type).then(|| octets(object))?? };
                let converted = if *is_latin1 && !bytes.is_ascii() { Some(latin1(bytes)?) } else { None };
                let bytes = converted.as_deref().unwrap_or(bytes);
                (bytes.len() as u64 <= *width).then_some(())?;
                self.bytes(self.at(*place), bytes)?;
            }
            Step::Empty { from, count } => {
                if self.words[self.base + from].number == self.out.len() as u64 {
                    let charge = Limits::EMPTY_ELEMENT.checked_mul(self.number(*count))?;
                    self.charged = self.charged.checked_add(charge)?;
                }
            }
            Step::Readable => return (self.charged <= Limits::default().budget_base).then_some(()),
            step => return self.point(step),
        }
        Some(())
    }

    /// Steps in words of segments.
    fn point(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::PointRecord { place, target, upper } => self.pointer(*place, *target, 0, *upper)?,
            Step::PointList { place, target, code, count, more } => {
                let count = self.number(*count).checked_add(*more).filter(|count| *count <= MOST_ELEMENTS)?;
                self.pointer(*place, *target, 1, code | count << 3)?;
            }
            Step::Tag { at, count, upper } => {
                let at = self.words[self.base + at].number as usize;
                self.bits(at, 8, upper << 32 | self.number(*count) << 2)?;
            }
            Step::PutBytes { at, value } => {
                // SAFETY: objects are alive while they are written.
                let bytes = unsafe { octets(self.object(*value)?)? };
                self.bytes(self.words[self.base + at].number as usize, bytes)?;
            }
            Step::PutBits { at, count, value } => {
                for index in 0..self.number(*count) {
                    // SAFETY: as above.
                    let bit = u8::from(unsafe { truth(self.item(*value, index)?)? });
                    let at = self.words[self.base + at].number + index / 8;
                    *self.out.get_mut(at as usize)? |= bit << (index % 8);
                }
            }
            Step::Finish => {
                let words = self.out.len() / 8;
                (words <= MOST).then_some(())?;
                if self.writers.has_table {
                    self.room(8)?;
                    self.out.splice(0..0, ((words as u64) << 32).to_le_bytes());
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// Objects and bytes.
impl Run<'_> {
    /// Memory for so many more bytes.
    #[inline]
    fn room(&mut self, more: usize) -> Option<()> {
        self.out.try_reserve(more).map_err(|lack| self.lack = Some(lack)).ok()
    }

    /// How many elements a list has.
    fn elements(&self, value: usize) -> Option<u64> {
        let object = self.object(value)?;
        if let Some(sorted) = self.in_order(value) {
            return Some(sorted.len() as u64);
        }
        // SAFETY: objects are alive while they are written, and this one is a list.
        unsafe { is_of(object, &raw mut ffi::PyList_Type).then(|| ffi::PyList_Size(object).cast_unsigned() as u64) }
    }

    /// The set or map in order that a symbol stands for.
    fn in_order(&self, value: usize) -> Option<&[(Object, Object)]> {
        let word = self.words[self.base + value];
        let is_ordered = std::ptr::eq(word.object, self.writers.ordered.as_ptr());
        is_ordered.then(|| self.sorted.get(word.number as usize).map_or(&[][..], Vec::as_slice))
    }

    /// A key of a map and its value.
    fn entry(&self, value: usize, index: u64) -> Option<(Object, Object)> {
        self.in_order(value)?.get(index as usize).copied().filter(|(_, inner)| !inner.is_null())
    }

    fn item(&self, value: usize, index: u64) -> Option<Object> {
        if let Some(sorted) = self.in_order(value) {
            return sorted.get(index as usize).map(|(element, _)| *element);
        }
        let within = index < self.elements(value)?;
        // SAFETY: the list has the element.
        within.then(|| unsafe {
            ffi::PyList_GetItem(self.object(value).unwrap_or_default(), index.cast_signed() as isize)
        })
    }

    fn bytes(&mut self, at: usize, bytes: &[u8]) -> Option<()> {
        self.out.get_mut(at..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(())
    }

    /// The low bytes of a number.
    #[inline]
    fn bits(&mut self, at: usize, width: usize, bits: u64) -> Option<()> {
        let place = self.out.get_mut(at..)?.get_mut(..width)?;
        match (self.writers.order, place) {
            (_, [one]) => *one = bits as u8,
            (ByteOrder::Little, [a, b]) => [*a, *b] = (bits as u16).to_le_bytes(),
            (ByteOrder::Little, [a, b, c, d]) => [*a, *b, *c, *d] = (bits as u32).to_le_bytes(),
            (ByteOrder::Little, [a, b, c, d, e, f, g, h]) => {
                [*a, *b, *c, *d, *e, *f, *g, *h] = bits.to_le_bytes();
            }
            (ByteOrder::Little, place) => place.copy_from_slice(bits.to_le_bytes().get(..width)?),
            (ByteOrder::Big, place) => place.copy_from_slice(bits.to_be_bytes().get(8_usize.checked_sub(width)?..)?),
        }
        Some(())
    }

    fn put(&mut self, at: usize, cell: &Cell, object: Object) -> Option<()> {
        let (repr, width) = (cell.scalar.repr, cell.width);
        if self.is_null(object) {
            return self.bits(at, width, cell.null?);
        }
        if let Repr::Uuid | Repr::Decimal = repr {
            let wide = &self.writers.wide;
            // SAFETY: objects are alive while they are written.
            let found = unsafe {
                if repr == Repr::Uuid {
                    wide.uuid(object)
                } else {
                    wide.decimal(object)
                }
            };
            return self.bytes(at, &found?);
        }
        if let Repr::Bit(bit) = repr {
            // SAFETY: objects are alive while they are written.
            let is_set = unsafe { truth(object)? };
            *self.out.get_mut(at)? |= (u8::from(is_set) << bit) ^ cell.scalar.xor as u8;
            return Some(());
        }
        // SAFETY: as above.
        self.bits(at, width, unsafe { bits(object, cell)? })
    }

    /// The pointer at a place to what begins at a target.
    fn pointer(&mut self, place: Place, target: usize, kind: u64, upper: u64) -> Option<()> {
        let (at, to) = (self.at(place), self.words[self.base + target].number as usize);
        let distance = (to.cast_signed() - at.cast_signed()) / 8 - 1;
        let lower = ((distance as i64).cast_unsigned() << 2 | kind) & 0xFFFF_FFFF;
        self.bits(at, 8, upper << 32 | lower)
    }
}
