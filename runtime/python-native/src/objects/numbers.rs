//! Numbers as Python has them: plain, characters, and those of enums and flags, which are kept.

use super::lately::Lately;
use super::refs::again;
use aldis_plan::{Repr, Scalar};
use aldis_schema::{Type, TypeId};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The objects of numbers below this are at their own number's place.
const NEAR: usize = 256;

/// The numbers of a type.
pub struct Numbers {
    near: Vec<OnceLock<Py<PyAny>>>,
    far: HashMap<u64, Py<PyAny>>,
    /// A dict that makes flags of what it does not have.
    flags: Option<Py<PyAny>>,
}

impl Numbers {
    fn new(flags: Option<Py<PyAny>>) -> Self {
        Self { near: (0..NEAR).map(|_| OnceLock::new()).collect(), far: HashMap::new(), flags }
    }

    /// Those of an enum, whose members are there by number.
    pub fn of_enum(members: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut numbers = Self::new(None);
        for (number, member) in members {
            let number = number.extract::<i128>()? as u64;
            match numbers.at(number) {
                Some(place) => drop(place.set(member.unbind())),
                None => drop(numbers.far.insert(number, member.unbind())),
            }
        }
        Ok(numbers)
    }

    pub fn of_flags(flags: Bound<'_, PyAny>) -> Self {
        Self::new(Some(flags.unbind()))
    }

    /// The object of a number of the type, where it is there already.
    #[inline]
    pub fn known(&self, repr: Repr, bits: u64) -> Option<&Py<PyAny>> {
        self.near.get(spread(repr, bits) as usize).and_then(OnceLock::get)
    }

    /// The object of a number of the type.
    #[inline]
    pub fn of(&self, py: Python<'_>, repr: Repr, bits: u64) -> PyResult<Py<PyAny>> {
        self.object(py, spread(repr, bits), || plain(py, repr, bits))
    }

    /// The place of a number that is one of the first.
    #[inline]
    fn at(&self, number: u64) -> Option<&OnceLock<Py<PyAny>>> {
        usize::try_from(number).ok().and_then(|at| self.near.get(at))
    }

    #[inline]
    fn object(&self, py: Python<'_>, number: u64, plain: impl FnOnce() -> PyResult<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        let place = self.at(number);
        if let Some(known) = place.and_then(OnceLock::get).or_else(|| self.far.get(&number)) {
            return Ok(again(py, known));
        }
        let Some(flags) = &self.flags else { return plain() };
        let made = flags.bind(py).get_item(plain()?)?.unbind();
        if let Some(place) = place {
            drop(place.set(made.clone_ref(py)));
        }
        Ok(made)
    }
}

/// The number of so many bits, its sign spread over all 64.
#[inline]
fn spread(repr: Repr, bits: u64) -> u64 {
    match repr {
        Repr::I8 => i64::from(bits as i8).cast_unsigned(),
        Repr::I16 => i64::from(bits as i16).cast_unsigned(),
        Repr::I32 => i64::from(bits as i32).cast_unsigned(),
        _ => bits,
    }
}

/// As [`object_of`], with objects that were made lately.
#[inline]
pub fn known_of(py: Python<'_>, lately: &Lately, repr: Repr, bits: u64) -> *mut ffi::PyObject {
    match repr {
        Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => lately.object(py, spread(repr, bits).cast_signed()),
        Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64 => match i64::try_from(bits) {
            Ok(number) => lately.object(py, number),
            Err(_) => object_of(repr, bits),
        },
        _ => object_of(repr, bits),
    }
}

/// The object of a number that is none of a type's: a new reference, or null and Python's error. The caller is attached to the interpreter.
#[inline]
pub fn object_of(repr: Repr, bits: u64) -> *mut ffi::PyObject {
    let number = spread(repr, bits);
    // SAFETY: the caller is attached to the interpreter.
    unsafe {
        match repr {
            Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => ffi::PyLong_FromLongLong(number.cast_signed()),
            Repr::F32 => ffi::PyFloat_FromDouble(f64::from(f32::from_bits(bits as u32))),
            Repr::F64 => ffi::PyFloat_FromDouble(f64::from_bits(bits)),
            Repr::Bool => ffi::PyBool_FromLong((bits != 0).into()),
            Repr::Bit(bit) => ffi::PyBool_FromLong((bits >> bit & 1) as _),
            _ => ffi::PyLong_FromUnsignedLongLong(number),
        }
    }
}

fn plain(py: Python<'_>, repr: Repr, bits: u64) -> PyResult<Py<PyAny>> {
    // SAFETY: it is a new reference, or null and an error.
    unsafe { Bound::from_owned_ptr_or_err(py, object_of(repr, bits)) }.map(Bound::unbind)
}

/// The object of a scalar that is not null.
pub fn number(py: Python<'_>, named: &[Option<Numbers>], scalar: &Scalar, bits: u64) -> PyResult<Py<PyAny>> {
    let repr = scalar.repr;
    match scalar.ty {
        Type::Void => plain(py, repr, bits),
        Type::Named(TypeId(id)) => {
            let numbers = named.get(id as usize).and_then(Option::as_ref);
            let numbers = numbers.ok_or_else(|| PyValueError::new_err("a number of a type that has none"))?;
            numbers.of(py, repr, bits)
        }
        _ => Ok(char::from(bits as u8).into_pyobject(py)?.into_any().unbind()),
    }
}
