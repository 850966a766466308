//! The parts that values are made of: the classes and numbers of types, the schema's own values; and objects of bytes.

use super::classes::Class;
use super::lately::Lately;
use super::numbers::{object_of, Numbers};
use super::refs::{octets, raw};
use super::texts::Texts;
use aldis_plan::{ByteOrder, Repr};
use aldis_schema::Encoding;
use pyo3::ffi;
use pyo3::prelude::*;

/// All that the types of a schema are in Python.
pub struct Types {
    /// By type.
    pub classes: Vec<Option<Class>>,
    pub numbers: Vec<Option<Numbers>>,
    pub literals: Vec<Literal>,
    pub lately: Lately,
    pub texts: Texts,
}

impl Types {
    /// Those of no type yet.
    pub fn new(py: Python<'_>, literals: Vec<Literal>) -> PyResult<Self> {
        let (lately, texts) = (Lately::new(py)?, Texts::new());
        Ok(Self { classes: Vec::new(), numbers: Vec::new(), literals, lately, texts })
    }

    /// The object of an unsigned number of a type: a new reference, or null and Python's error.
    pub fn numbered(&self, py: Python<'_>, ty: u32, bits: u64) -> *mut ffi::PyObject {
        match &self.numbers[ty as usize] {
            Some(numbers) => raw(py, numbers.of(py, Repr::U64, bits)),
            None => object_of(Repr::U64, bits),
        }
    }

    /// Text of an encoding, or bytes: a new reference, or null and Python's error.
    #[inline]
    pub fn octets(&self, py: Python<'_>, bytes: &[u8], text: Option<Encoding>) -> *mut ffi::PyObject {
        match text {
            Some(encoding) => self.texts.object(py, bytes, encoding),
            None => raw(py, octets(py, bytes, None)),
        }
    }
}

/// A value of the schema.
pub enum Literal {
    /// An object that does not change.
    Shared(Py<PyAny>),
    EmptyList,
    /// An object that may change: it is made anew for each message.
    Anew,
}

/// A list of objects, whose number is known.
pub fn gathered(
    py: Python<'_>,
    mut objects: impl ExactSizeIterator<Item = PyResult<Py<PyAny>>>,
) -> PyResult<Py<PyAny>> {
    let list = listed(objects.len(), |_| raw(py, objects.next().unwrap_or_else(|| Ok(py.None()))));
    // SAFETY: it is a new reference, or null and an error.
    unsafe { Bound::from_owned_ptr_or_err(py, list) }.map(Bound::unbind)
}

/// A list of so many objects: a new reference, or null and Python's error. The caller is attached to the interpreter.
#[inline]
pub fn listed(count: usize, mut object: impl FnMut(usize) -> *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the list has room for so many objects, and takes each one's reference. The collector knows it from the beginning, with empty
    // places, as it does lists that Python itself makes; `gc.get_objects` alone shows it.
    unsafe {
        let list = ffi::PyList_New(count.cast_signed());
        for index in 0..if list.is_null() { 0 } else { count } {
            let object = object(index);
            if object.is_null() {
                ffi::Py_DecRef(list);
                return object;
            }
            ffi::PyList_SetItem(list, index.cast_signed(), object);
        }
        list
    }
}

/// A number of 1 to 8 bytes, zero-extended.
#[inline]
pub fn load(bytes: &[u8], order: ByteOrder) -> u64 {
    match (bytes, order) {
        ([one], _) => u64::from(*one),
        ([a, b], ByteOrder::Little) => u64::from(u16::from_le_bytes([*a, *b])),
        ([a, b, c, d], ByteOrder::Little) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        ([a, b, c, d, e, f, g, h], ByteOrder::Little) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        (bytes, ByteOrder::Little) => bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        (bytes, ByteOrder::Big) => bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    }
}
