//! Short texts that were made lately: streams say the same symbols, currencies and venues again and again.

use super::refs::{counted, octets, raw};
use aldis_schema::Encoding;
use pyo3::ffi;
use pyo3::prelude::*;
use std::cell::Cell;

/// How many texts are kept; a power of 2.
const KEPT: usize = 256;
/// Longer texts are not kept.
const LONGEST: usize = 16;

/// Objects of texts, each at the one place that its text may have.
pub struct Texts(Vec<Cell<Kept>>);

/// A text's first and last bytes, which are all of it, how many it has, and their encoding.
#[derive(Clone, Copy, PartialEq)]
struct Key {
    first: u64,
    last: u64,
    size: usize,
    encoding: Encoding,
}

#[derive(Clone, Copy)]
struct Kept {
    key: Key,
    /// A reference of its own, or null.
    object: *mut ffi::PyObject,
}

// SAFETY: only a maker of objects asks for them, and it runs while its form's programs are locked: one thread at a time.
unsafe impl Send for Texts {}
// SAFETY: as above.
unsafe impl Sync for Texts {}

impl Texts {
    pub fn new() -> Self {
        let key = Key { first: 0, last: 0, size: 0, encoding: Encoding::Utf8 };
        Self(vec![Cell::new(Kept { key, object: std::ptr::null_mut() }); KEPT])
    }

    /// The object of a text: a new reference, or null and Python's error.
    #[inline]
    pub fn object(&self, py: Python<'_>, bytes: &[u8], encoding: Encoding) -> *mut ffi::PyObject {
        let Some(key) = Key::of(bytes, encoding) else { return raw(py, octets(py, bytes, Some(encoding))) };
        let place = &self.0[key.place()];
        let kept = place.get();
        if kept.key == key && !kept.object.is_null() {
            return counted(py, kept.object);
        }
        let object = raw(py, octets(py, bytes, Some(encoding)));
        if !object.is_null() {
            place.set(Kept { key, object: counted(py, object) });
            // SAFETY: the thread is attached to the interpreter, and a kept object has a reference of its own, which it loses here. No code
            // runs when a text is no more.
            unsafe { ffi::Py_XDECREF(kept.object) };
        }
        object
    }
}

impl Key {
    /// `None` for texts that are too long, and for those of one byte, which Python has itself.
    #[inline]
    fn of(bytes: &[u8], encoding: Encoding) -> Option<Self> {
        let (first, last) = match bytes.len() {
            8..=LONGEST => (u64::from_le_bytes(*bytes.first_chunk()?), u64::from_le_bytes(*bytes.last_chunk()?)),
            4..8 => (u32::from_le_bytes(*bytes.first_chunk()?).into(), u32::from_le_bytes(*bytes.last_chunk()?).into()),
            2..4 => (u16::from_le_bytes(*bytes.first_chunk()?).into(), u16::from_le_bytes(*bytes.last_chunk()?).into()),
            _ => return None,
        };
        Some(Self { first, last, size: bytes.len(), encoding })
    }

    #[inline]
    fn place(self) -> usize {
        let mixed = self.first.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.last;
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - KEPT.trailing_zeros())) as usize
    }
}

impl Drop for Texts {
    fn drop(&mut self) {
        // Where there is no interpreter any more, there are no objects.
        Python::try_attach(|_| {
            for place in &self.0 {
                // SAFETY: as above.
                unsafe { ffi::Py_XDECREF(place.get().object) };
            }
        });
    }
}
