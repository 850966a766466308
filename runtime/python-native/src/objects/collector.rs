//! The collector of garbage, which waits while parts of an object are made.

use pyo3::ffi;

/// While it lives, no garbage is collected: messages that are made meanwhile are none, and there are many. Other threads, which run where
/// Python's functions are called, collect none either.
pub struct Uncollected {
    was_on: bool,
}

impl Uncollected {
    pub fn new() -> Self {
        // SAFETY: the interpreter is attached to this thread, as it is for whoever makes objects.
        Self { was_on: unsafe { ffi::PyGC_Disable() } != 0 }
    }
}

impl Drop for Uncollected {
    fn drop(&mut self) {
        if self.was_on {
            // SAFETY: as above.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}
