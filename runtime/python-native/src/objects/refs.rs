//! References: to objects that are kept, without a call of Python's for each; and to new texts and bytes.

use aldis_schema::Encoding;
use pyo3::ffi;
use pyo3::prelude::*;

// The count is an object's first word. It is not where Python has threads that run at once, or keeps a list of all objects.
const _: () = assert!(
    size_of::<ffi::PyObject>() == 2 * size_of::<usize>(),
    "this engine counts references itself, which it can't do in free-threaded Python"
);

/// A further reference to an object that is alive.
#[inline(always)]
pub fn counted(_py: Python<'_>, object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the object is alive, and this thread alone counts references.
    unsafe {
        let count = object.cast::<isize>();
        // From 3.12 on, objects that live for ever are not counted (PEP 683). In words of 64 bits they have a count whose lower half is a
        // number below zero, in each version of Python.
        if cfg!(target_pointer_width = "64") && (count.read() as i32) < 0 {
            return object;
        }
        if cfg!(not(target_pointer_width = "64")) {
            ffi::Py_IncRef(object);
            return object;
        }
        count.write(count.read() + 1);
    }
    object
}

/// The same of an object that is held.
#[inline(always)]
pub fn again(py: Python<'_>, object: &Py<PyAny>) -> Py<PyAny> {
    // SAFETY: it is a new reference, and not null.
    unsafe { Bound::from_owned_ptr(py, counted(py, object.as_ptr())) }.unbind()
}

/// A reference to None.
#[inline(always)]
pub fn none(py: Python<'_>) -> *mut ffi::PyObject {
    // SAFETY: it is an object that lives as long as the interpreter does.
    counted(py, unsafe { ffi::Py_None() })
}

/// The reference that an object is, or null, and Python's error is set.
#[inline]
pub fn raw(py: Python<'_>, made: PyResult<Py<PyAny>>) -> *mut ffi::PyObject {
    match made {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

/// Text of an encoding, or bytes.
#[inline]
pub fn octets(py: Python<'_>, bytes: &[u8], text: Option<Encoding>) -> PyResult<Py<PyAny>> {
    let (start, size) = (bytes.as_ptr().cast(), bytes.len().cast_signed());
    // SAFETY: so many bytes are there. Each call gives a new reference, or nothing and an error.
    unsafe {
        let object = match text {
            Some(Encoding::Utf8) => ffi::PyUnicode_FromStringAndSize(start, size),
            Some(Encoding::Latin1) => ffi::PyUnicode_DecodeLatin1(start, size, std::ptr::null()),
            None => ffi::PyBytes_FromStringAndSize(start, size),
        };
        Bound::from_owned_ptr_or_err(py, object).map(Bound::unbind)
    }
}
