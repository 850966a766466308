//! Whole numbers that were made lately: streams say the same prices, instruments and times again and again.

use super::refs::counted;
use pyo3::ffi;
use pyo3::prelude::*;
use std::cell::Cell;

/// How many numbers are kept; a power of 2.
const KEPT: usize = 512;

/// The numbers that Python has itself, and gives again each time.
const OWN: std::ops::RangeInclusive<i64> = -5..=256;

/// Objects of whole numbers, each at the one place that its number may have.
pub struct Lately {
    own: Vec<Py<PyAny>>,
    kept: Vec<Cell<Kept>>,
}

#[derive(Clone, Copy)]
struct Kept {
    number: i64,
    /// A reference of its own, or null.
    object: *mut ffi::PyObject,
}

// SAFETY: only a maker of objects asks for them, and it runs while its form's programs are locked: one thread at a time.
unsafe impl Send for Lately {}
// SAFETY: as above.
unsafe impl Sync for Lately {}

impl Lately {
    pub fn new(py: Python<'_>) -> PyResult<Self> {
        let own = OWN.map(|number| Ok(number.into_pyobject(py)?.into_any().unbind())).collect::<PyResult<_>>()?;
        Ok(Self { own, kept: vec![Cell::new(Kept { number: 0, object: std::ptr::null_mut() }); KEPT] })
    }

    /// The object of a number: a new reference, or null and Python's error.
    #[inline]
    pub fn object(&self, py: Python<'_>, number: i64) -> *mut ffi::PyObject {
        let own = usize::try_from(number.wrapping_sub(*OWN.start())).ok().and_then(|at| self.own.get(at));
        if let Some(own) = own {
            return counted(py, own.as_ptr());
        }
        let spread = number.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = &self.kept[(spread >> (u64::BITS - KEPT.trailing_zeros())) as usize];
        let kept = place.get();
        // SAFETY: the thread is attached to the interpreter; a kept object has a reference of its own, which it loses where another one
        // takes its place. No code runs when a number is no more.
        unsafe {
            if kept.number == number && !kept.object.is_null() {
                return counted(py, kept.object);
            }
            let object = ffi::PyLong_FromLongLong(number);
            if !object.is_null() {
                ffi::Py_INCREF(object);
                place.set(Kept { number, object });
                ffi::Py_XDECREF(kept.object);
            }
            object
        }
    }
}

impl Drop for Lately {
    fn drop(&mut self) {
        // Where there is no interpreter any more, there are no objects.
        Python::try_attach(|_| {
            for place in &self.kept {
                // SAFETY: as above.
                unsafe { ffi::Py_XDECREF(place.get().object) };
            }
        });
    }
}
