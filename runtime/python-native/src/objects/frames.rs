//! Many messages out of a stream at once, where each frame says its length.

use super::types::{gathered, load};
use super::{Found, Objects, Reader};
use aldis_plan::ByteOrder;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// The budget after which no more messages are read at once, that of one without bytes: small messages may stand for much memory.
const MOST_PAID: u64 = 1 << 18;
/// Records and lists after which no more messages are read at once. The collector of garbage goes through the youngest objects as soon as
/// 700 are there; if those of a call, and of the one before, are fewer, it has nothing to do while a program lets each message go.
const MOST_MADE: usize = 256;

/// The reader of frames.
#[pyclass(frozen)]
pub struct Frames {
    objects: Arc<Objects>,
    length: Length,
    told: Told,
}

/// The place of a frame's length, in bytes, and what it counts.
struct Length {
    at: usize,
    end: usize,
    order: ByteOrder,
    /// The first bytes that are not the message's.
    skip: usize,
    added: u64,
    least: u64,
    most: u64,
}

/// The way to tell which message a frame has.
enum Told {
    Only(usize),
    /// By numbers that must be there, a link, where there is one, and the number that says it.
    By {
        order: ByteOrder,
        expect: Vec<(Part, u64)>,
        via: Option<Part>,
        place: Part,
        meanings: Vec<(u64, usize)>,
    },
}

/// A number's first byte and its bytes.
type Part = (usize, usize);

/// Messages, and the first byte of each frame, and of what is behind them, as numbers of 8 bytes, little endian.
type Many = (Py<PyAny>, Py<PyBytes>);

#[pymethods]
impl Frames {
    /// Of one message, or of those that a form's dispatch tells apart.
    #[new]
    fn new(reader: &Reader, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let part =
            |name: &str| given.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("there is no {name}")));
        let order = |name: &str| {
            let order: String = part(name)?.extract()?;
            PyResult::Ok(if order == "big" { ByteOrder::Big } else { ByteOrder::Little })
        };
        let length = Length {
            at: part("at")?.extract()?,
            end: part("end")?.extract()?,
            order: order("order")?,
            skip: part("skip")?.extract()?,
            added: part("added")?.extract()?,
            least: part("least")?.extract()?,
            most: part("most")?.extract()?,
        };
        let dispatch = part("dispatch")?;
        let told = if dispatch.is_none() {
            Told::Only(reader.message)
        } else {
            let (expect, via, place, mut meanings): (_, _, _, Vec<(u64, usize)>) = dispatch.extract()?;
            // Of equal numbers the first is meant.
            meanings.sort_by_key(|(number, _)| *number);
            meanings.dedup_by_key(|(number, _)| *number);
            Told::By { order: order("form")?, expect, via, place, meanings }
        };
        Ok(Self { objects: reader.objects.clone(), length, told })
    }

    /// The messages from an offset on, at most so many. They end before one that is not whole, or not as usual.
    fn read(&self, py: Python<'_>, data: &Bound<'_, PyBytes>, at: usize, most: usize) -> PyResult<Many> {
        let (mut found, mut places) = (Vec::with_capacity(MOST_MADE), Vec::with_capacity(8 * MOST_MADE));
        self.each(py, data.as_bytes(), (at, most), &mut found, &mut places);
        let messages = gathered(py, found.into_iter().map(Ok))?;
        Ok((messages, PyBytes::new(py, &places).unbind()))
    }
}

impl Frames {
    fn each(
        &self,
        py: Python<'_>,
        bytes: &[u8],
        (mut at, most): (usize, usize),
        found: &mut Vec<Py<PyAny>>,
        places: &mut Vec<u8>,
    ) {
        places.extend((at as u64).to_le_bytes());
        let Some(mut programs) = self.objects.programs() else { return };
        let _collects = Uncollected::new();
        let (mut spent, mut objects) = (0, 0);
        while found.len() < most && spent < MOST_PAID && objects < MOST_MADE {
            let Some(frame) = bytes.get(at..).and_then(|bytes| self.length.frame(bytes)) else { return };
            let octets = frame.get(self.length.skip..).unwrap_or_default();
            let message = self.told.message(octets);
            let read = message.and_then(|one| self.objects.read_by(py, &mut programs, one, octets));
            let Some(Found { object, paid, made, .. }) = read else { return };
            spent += paid;
            objects += made;
            found.push(object);
            at += frame.len();
            places.extend((at as u64).to_le_bytes());
        }
    }
}

impl Length {
    /// The frame that bytes begin with, where it is whole.
    fn frame<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let size = load(bytes.get(self.at..self.end)?, self.order).checked_add(self.added)?;
        if size < self.least || size > self.most {
            return None;
        }
        bytes.get(..usize::try_from(size).ok()?)
    }
}

impl Told {
    /// The message that bytes are; `None` where they are none that is known.
    fn message(&self, bytes: &[u8]) -> Option<usize> {
        let (order, expect, via, place, meanings) = match self {
            Self::Only(message) => return Some(*message),
            Self::By { order, expect, via, place, meanings } => (*order, expect, via, place, meanings),
        };
        let number = |start: usize, (at, size): Part| {
            let bytes = bytes.get(start.checked_add(at)?..)?.get(..size)?;
            Some(load(bytes, order))
        };
        for (part, want) in expect {
            number(0, *part).filter(|have| have == want)?;
        }
        let start = match via {
            Some(via) => usize::try_from(number(0, *via)?).ok()?,
            None => 0,
        };
        let means = number(start, *place)?;
        let found = meanings.binary_search_by_key(&means, |(number, _)| *number).ok()?;
        Some(meanings[found].1)
    }
}

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
