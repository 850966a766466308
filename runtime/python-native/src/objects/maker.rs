//! The target of programs that makes Python's objects.

use super::classes::Class;
use super::numbers::number;
use super::refs::{counted, none, raw};
use super::types::{gathered, listed, load, Literal, Types};
use super::whole::Whole;
use aldis_plan::{ByteOrder, Repr, Scalar};
use aldis_routine::eval::{Target, Text};
use aldis_routine::{ListType, TableId, Value};
use aldis_schema::{Encoding, Type, TypeId};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// All that values are made of.
pub struct Kit {
    pub types: Types,
    /// By list: whether it is a set or a map.
    pub is_sorted: Vec<bool>,
    /// By table, where it is one whose rows are made at once.
    pub wholes: Vec<Option<Whole>>,
    /// By type: the classes of a union's arms, by tag.
    pub arms: Vec<Vec<(u64, Class)>>,
    /// Functions of Python: they make a UUID or a decimal of its bytes, a set or map of a list's number and its elements, a literal of its
    /// number, an arm of its tag, and an open value of its message.
    pub uuid_of: Py<PyAny>,
    pub decimal_of: Py<PyAny>,
    pub collection: Py<PyAny>,
    pub literal_of: Py<PyAny>,
    pub unknown_arm: Py<PyAny>,
    pub opaque: Py<PyAny>,
}

/// A value in the making; `None` where something went wrong, as the maker knows.
pub type Made = Option<Py<PyAny>>;

/// Makes the values of one message.
pub struct Maker<'k, 'py> {
    pub py: Python<'py>,
    pub kit: &'k Kit,
    /// The first error.
    pub error: Option<PyErr>,
}

impl<'k, 'py> Maker<'k, 'py> {
    pub fn new(py: Python<'py>, kit: &'k Kit) -> Self {
        Self { py, kit, error: None }
    }

    #[inline]
    pub fn checked(&mut self, made: PyResult<Py<PyAny>>) -> Made {
        match made {
            Ok(object) => Some(object),
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    /// The object of a new reference; of null Python's error is kept.
    #[inline]
    pub fn taken(&mut self, made: *mut ffi::PyObject) -> Made {
        // SAFETY: it is a new reference, or null and an error.
        let made = unsafe { Bound::from_owned_ptr_or_err(self.py, made) };
        self.checked(made.map(Bound::unbind))
    }

    /// A record of the fields that are given. Those that are missing are None in it: the maker's error refuses the message as a whole.
    #[inline]
    fn record_of(&mut self, record: TypeId, fields: impl ExactSizeIterator<Item = Made>) -> Made {
        let (py, class) = (self.py, self.kit.types.classes[record.index()].as_ref());
        let Some(class) = class.filter(|class| class.fields() == fields.len()) else {
            return self.checked(Err(PyValueError::new_err("a record of other fields")));
        };
        let made = class.make(py, fields.map(|field| field.unwrap_or_else(|| py.None())));
        self.checked(made)
    }

    /// A run and the class of its record, where the record can be made of it alone.
    fn run_of(&self, table: TableId, record: TypeId) -> Option<(&'k Whole, &'k Class)> {
        let whole = self.kit.wholes[table.0 as usize].as_ref()?;
        let class = self.kit.types.classes[record.index()].as_ref()?;
        (class.has_places() && whole.count() == class.fields()).then_some((whole, class))
    }

    /// A value of the schema's: a new reference, or null and Python's error.
    fn literal_of(&self, value: &Value) -> *mut ffi::PyObject {
        let index = if let Value::UInt(index) = value { *index as usize } else { usize::MAX };
        match self.kit.types.literals.get(index) {
            Some(Literal::Shared(object)) => counted(self.py, object.as_ptr()),
            Some(Literal::EmptyList) => listed(0, |_| std::ptr::null_mut()),
            Some(Literal::Anew) => raw(self.py, self.kit.literal_of.call1(self.py, (index,))),
            None => raw(self.py, Err(PyValueError::new_err("a value that there is not"))),
        }
    }

    fn list_of(&self, list: &ListType, elements: impl ExactSizeIterator<Item = Made>) -> PyResult<Py<PyAny>> {
        let Type::Named(TypeId(index)) = list.ty else { return Err(PyValueError::new_err("a list of no number")) };
        let objects = gathered(self.py, elements.map(|made| Ok(made.unwrap_or_else(|| self.py.None()))))?;
        match self.kit.is_sorted[index as usize] {
            true => self.kit.collection.call1(self.py, (index, objects)),
            false => Ok(objects),
        }
    }

    fn wide_of(&self, repr: Repr, bytes: [u8; 16]) -> PyResult<Py<PyAny>> {
        let make = if repr == Repr::Uuid { &self.kit.uuid_of } else { &self.kit.decimal_of };
        make.call1(self.py, (PyBytes::new(self.py, &bytes),))
    }

    fn row_of(&self, scalar: &Scalar, bytes: &[u8], order: ByteOrder) -> PyResult<Py<PyAny>> {
        gathered(
            self.py,
            bytes.chunks_exact(scalar.repr.width() as usize).map(|bytes| match scalar.repr {
                Repr::Uuid => self.wide_of(Repr::Uuid, bytes.try_into().unwrap_or_default()),
                _ => number(self.py, &self.kit.types.numbers, scalar, load(bytes, order) ^ scalar.xor),
            }),
        )
    }
}

impl Target for Maker<'_, '_> {
    type Value = Made;

    #[inline]
    fn null(&mut self) -> Made {
        self.taken(none(self.py))
    }

    fn scalar(&mut self, scalar: &Scalar, bits: u64) -> Made {
        let made = number(self.py, &self.kit.types.numbers, scalar, bits);
        self.checked(made)
    }

    fn wide(&mut self, scalar: &Scalar, bytes: [u8; 16]) -> Made {
        let made = self.wide_of(scalar.repr, bytes);
        self.checked(made)
    }

    fn bytes(&mut self, bytes: &[u8], text: Option<Encoding>) -> Made {
        let made = self.kit.types.octets(self.py, bytes, text);
        self.taken(made)
    }

    fn literal(&mut self, value: &Value) -> Made {
        let made = self.literal_of(value);
        self.taken(made)
    }

    fn row(&mut self, scalar: &Scalar, bytes: &[u8], order: ByteOrder) -> Made {
        let made = self.row_of(scalar, bytes, order);
        self.checked(made)
    }

    fn record(&mut self, record: TypeId, fields: Vec<Made>) -> Made {
        self.record_of(record, fields.into_iter())
    }

    #[inline]
    fn whole(&mut self, table: TableId, bytes: &[u8], stack: &mut Vec<Made>) -> bool {
        let Some(whole) = &self.kit.wholes[table.0 as usize] else { return false };
        let (py, types) = (self.py, &self.kit.types);
        stack.extend(whole.values(py, bytes, types).map(|made| self.taken(made)));
        true
    }

    fn run(&mut self, (table, record): (TableId, TypeId), bytes: &[u8]) -> Option<Made> {
        let (whole, class) = self.run_of(table, record)?;
        let made = whole.record(self.py, class, bytes, &self.kit.types);
        Some(self.taken(made))
    }

    fn run_with(
        &mut self,
        (table, record): (TableId, TypeId),
        bytes: &[u8],
        texts: &[Text<'_>],
        order: &[u16],
    ) -> Option<Made> {
        let whole = self.kit.wholes[table.0 as usize].as_ref()?;
        let class = self.kit.types.classes[record.index()].as_ref()?;
        if !class.has_places() || class.fields() != order.len() || order.len() != whole.count() + texts.len() {
            return None;
        }
        let kit = self.kit;
        let made = class.filled(|index| {
            let place = usize::from(order[index]);
            match place.checked_sub(whole.count()).map(|text| texts[text]) {
                None => whole.field(self.py, place, bytes, &kit.types),
                Some(Text::Bytes(bytes, text)) => kit.types.octets(self.py, bytes, text),
                Some(Text::Literal(value)) => self.literal_of(value),
            }
        });
        Some(self.taken(made))
    }

    fn runs(
        &mut self,
        (table, record): (TableId, TypeId),
        bytes: &[u8],
        count: usize,
        list: &ListType,
    ) -> Option<Made> {
        let (whole, class) = self.run_of(table, record)?;
        let Type::Named(TypeId(index)) = list.ty else { return None };
        if self.kit.is_sorted[index as usize] {
            return None;
        }
        let each = bytes.len().checked_div(count).unwrap_or(0);
        let made = listed(count, |index| whole.record(self.py, class, &bytes[index * each..][..each], &self.kit.types));
        Some(self.taken(made))
    }

    #[inline]
    fn record_of_last(&mut self, record: TypeId, stack: &mut Vec<Made>, (count, order): (usize, &[u16])) -> Made {
        let first = stack.len() - count;
        match order {
            [] => self.record_of(record, stack.drain(first..)),
            order => {
                let fields = &mut stack[first..];
                let taken = order.iter().map(|place| fields[usize::from(*place)].take());
                let made = self.record_of(record, taken);
                stack.truncate(first);
                made
            }
        }
    }

    fn choice(&mut self, union: TypeId, tag: u64, arm: Made) -> Made {
        let (py, arms) = (self.py, &self.kit.arms[union.index()]);
        let made = match arms.iter().find(|(own, _)| *own == tag) {
            Some((_, class)) => class.make(py, [arm.unwrap_or_else(|| py.None())].into_iter()),
            None => self.kit.unknown_arm.call1(py, (tag,)),
        };
        self.checked(made)
    }

    fn opaque(&mut self, message: &[u8]) -> Made {
        let made = self.kit.opaque.call1(self.py, (PyBytes::new(self.py, message),));
        self.checked(made)
    }

    fn list(&mut self, list: &ListType, elements: Vec<Made>) -> Made {
        let made = self.list_of(list, elements.into_iter());
        self.checked(made)
    }

    fn list_of_last(&mut self, list: &ListType, stack: &mut Vec<Made>, first: usize) -> Made {
        let made = self.list_of(list, stack.drain(first..));
        self.checked(made)
    }
}
