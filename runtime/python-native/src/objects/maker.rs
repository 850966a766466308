//! The target of programs that makes Python's objects.

use super::classes::Class;
use super::numbers::{number, Numbers};
use aldis_plan::{ByteOrder, Repr, Scalar};
use aldis_routine::eval::Target;
use aldis_routine::{ListType, Value};
use aldis_schema::{Type, TypeId};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// All that values are made of.
pub struct Kit {
    /// By type.
    pub classes: Vec<Option<Class>>,
    pub numbers: Vec<Option<Numbers>>,
    /// By record, by field; and by list, of its keys and of its values.
    pub fields: Vec<Vec<Octets>>,
    pub elements: Vec<[Octets; 2]>,
    /// By list: whether it is a set or a map.
    pub is_sorted: Vec<bool>,
    pub literals: Vec<Literal>,
    /// Functions of Python: they make a UUID or a decimal of its bytes, and a set or map of a list's number and its elements.
    pub uuid_of: Py<PyAny>,
    pub decimal_of: Py<PyAny>,
    pub collection: Py<PyAny>,
}

/// The kind of object that bytes of a field become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Octets {
    Utf8,
    Latin1,
    Bytes,
}

/// A value of the schema.
pub enum Literal {
    /// An object that does not change.
    Shared(Py<PyAny>),
    EmptyList,
    /// An object that is made anew for each message, by others.
    Other,
}

/// A value in the making.
pub enum Made {
    Object(Py<PyAny>),
    /// Bytes of the message, which is there as long: only what they are part of knows what they are.
    Octets(*const u8, usize),
    /// Something went wrong, as the maker knows.
    Nothing,
}

/// Makes the values of one message.
pub struct Maker<'k, 'py> {
    pub py: Python<'py>,
    pub kit: &'k Kit,
    /// The first error.
    pub error: Option<PyErr>,
}

impl Maker<'_, '_> {
    fn checked(&mut self, made: PyResult<Py<PyAny>>) -> Made {
        match made {
            Ok(object) => Made::Object(object),
            Err(error) => {
                self.error.get_or_insert(error);
                Made::Nothing
            }
        }
    }

    /// The object that a value is as a part of something.
    pub fn object(&self, made: Made, octets: Octets) -> PyResult<Py<PyAny>> {
        let (start, size) = match made {
            Made::Object(object) => return Ok(object),
            Made::Octets(start, size) => (start.cast(), size.cast_signed()),
            Made::Nothing => return Ok(self.py.None()),
        };
        // SAFETY: so many bytes are there, in the message. Each call gives a new reference, or nothing and an error.
        unsafe {
            let object = match octets {
                Octets::Utf8 => ffi::PyUnicode_FromStringAndSize(start, size),
                Octets::Latin1 => ffi::PyUnicode_DecodeLatin1(start, size, std::ptr::null()),
                Octets::Bytes => ffi::PyBytes_FromStringAndSize(start, size),
            };
            Bound::from_owned_ptr_or_err(self.py, object).map(Bound::unbind)
        }
    }

    fn record_of(&self, record: TypeId, fields: impl ExactSizeIterator<Item = Made>) -> PyResult<Py<PyAny>> {
        let (class, kinds) = (&self.kit.classes[record.index()], &self.kit.fields[record.index()]);
        let class = class.as_ref().filter(|class| class.fields() == fields.len() && kinds.len() == fields.len());
        let class = class.ok_or_else(|| PyValueError::new_err("a record of other fields"))?;
        let mut wrong = None;
        let objects = fields.zip(kinds).map(|(made, octets)| {
            self.object(made, *octets).unwrap_or_else(|error| {
                wrong = Some(error);
                self.py.None()
            })
        });
        let made = class.make(self.py, objects)?;
        wrong.map_or(Ok(made), Err)
    }

    fn list_of(&self, list: &ListType, elements: impl ExactSizeIterator<Item = Made>) -> PyResult<Py<PyAny>> {
        let Type::Named(TypeId(index)) = list.ty else { return Err(PyValueError::new_err("a list of no number")) };
        let kinds = self.kit.elements[index as usize];
        let objects =
            self.listed(elements.zip(kinds.into_iter().cycle()).map(|(made, octets)| self.object(made, octets)))?;
        match self.kit.is_sorted[index as usize] {
            true => self.kit.collection.call1(self.py, (index, objects)),
            false => Ok(objects),
        }
    }

    /// A list of objects, whose number is known.
    fn listed(&self, objects: impl Iterator<Item = PyResult<Py<PyAny>>>) -> PyResult<Py<PyAny>> {
        let size = objects.size_hint().0;
        // SAFETY: the list has room for `size` objects, none of which anybody sees before all are there: it takes each one's reference.
        unsafe {
            let list = Bound::from_owned_ptr_or_err(self.py, ffi::PyList_New(size.cast_signed()))?;
            for (place, object) in objects.enumerate() {
                ffi::PyList_SetItem(list.as_ptr(), place.cast_signed(), object?.into_ptr());
            }
            Ok(list.unbind())
        }
    }

    fn wide_of(&self, repr: Repr, bytes: [u8; 16]) -> PyResult<Py<PyAny>> {
        let make = if repr == Repr::Uuid { &self.kit.uuid_of } else { &self.kit.decimal_of };
        make.call1(self.py, (PyBytes::new(self.py, &bytes),))
    }

    fn row_of(&self, scalar: &Scalar, bytes: &[u8], order: ByteOrder) -> PyResult<Py<PyAny>> {
        self.listed(bytes.chunks_exact(scalar.repr.width() as usize).map(|bytes| match scalar.repr {
            Repr::Uuid => self.wide_of(Repr::Uuid, bytes.try_into().unwrap_or_default()),
            _ => number(self.py, &self.kit.numbers, scalar, load(bytes, order) ^ scalar.xor),
        }))
    }
}

fn load(bytes: &[u8], order: ByteOrder) -> u64 {
    let mut all = [0; 8];
    match order {
        ByteOrder::Little => {
            all[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(all)
        }
        ByteOrder::Big => {
            all[8 - bytes.len()..].copy_from_slice(bytes);
            u64::from_be_bytes(all)
        }
    }
}

impl Target for Maker<'_, '_> {
    type Value = Made;

    fn null(&mut self) -> Made {
        Made::Object(self.py.None())
    }

    fn scalar(&mut self, scalar: &Scalar, bits: u64) -> Made {
        let made = number(self.py, &self.kit.numbers, scalar, bits);
        self.checked(made)
    }

    fn wide(&mut self, scalar: &Scalar, bytes: [u8; 16]) -> Made {
        let made = self.wide_of(scalar.repr, bytes);
        self.checked(made)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Made {
        Made::Octets(bytes.as_ptr(), bytes.len())
    }

    fn literal(&mut self, value: &Value) -> Made {
        let index = if let Value::UInt(index) = value { *index as usize } else { usize::MAX };
        match self.kit.literals.get(index) {
            Some(Literal::Shared(object)) => Made::Object(object.clone_ref(self.py)),
            Some(Literal::EmptyList) => Made::Object(PyList::empty(self.py).into_any().unbind()),
            _ => self.checked(Err(PyValueError::new_err("a value that others make"))),
        }
    }

    fn row(&mut self, scalar: &Scalar, bytes: &[u8], order: ByteOrder) -> Made {
        let made = self.row_of(scalar, bytes, order);
        self.checked(made)
    }

    fn record(&mut self, record: TypeId, fields: Vec<Made>) -> Made {
        let made = self.record_of(record, fields.into_iter());
        self.checked(made)
    }

    fn record_of_last(&mut self, record: TypeId, stack: &mut Vec<Made>, (count, order): (usize, &[u16])) -> Made {
        let first = stack.len() - count;
        let made = match order {
            [] => self.record_of(record, stack.drain(first..)),
            order => {
                let fields = &mut stack[first..];
                let taken =
                    order.iter().map(|place| std::mem::replace(&mut fields[usize::from(*place)], Made::Nothing));
                let made = self.record_of(record, taken);
                stack.truncate(first);
                made
            }
        };
        self.checked(made)
    }

    fn choice(&mut self, _union: TypeId, _tag: u64, _arm: Made) -> Made {
        self.checked(Err(PyValueError::new_err("programs have no unions")))
    }

    fn opaque(&mut self, _message: &[u8]) -> Made {
        self.checked(Err(PyValueError::new_err("programs have no open values")))
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
