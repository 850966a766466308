//! Messages out of a stream, where each frame says its length.

use super::types::load;
use super::{Objects, Reader};
use aldis_plan::ByteOrder;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

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
        meanings: Meanings,
    },
}

/// Messages by the numbers that say them.
struct Meanings {
    /// Of numbers that are less than [`NEAR`], each at its own place.
    near: Vec<Option<usize>>,
    far: Vec<(u64, usize)>,
}

/// Most numbers of messages are less.
const NEAR: u64 = 1 << 12;

/// A number's first byte and its bytes.
type Part = (usize, usize);

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
            let (expect, via, place, meanings): (_, _, _, Vec<(u64, usize)>) = dispatch.extract()?;
            Told::By { order: order("form")?, expect, via, place, meanings: Meanings::of(&meanings) }
        };
        Ok(Self { objects: reader.objects.clone(), length, told })
    }

    /// The messages from an offset on. They end before one that is not whole, or not as usual.
    fn read(own: Py<Self>, data: Py<PyBytes>, at: usize) -> Messages {
        let (at, last) = (AtomicUsize::new(at), AtomicUsize::new(usize::MAX));
        let [is_over, is_busy] = [false, false].map(AtomicBool::new);
        Messages { frames: own, data, at, last, is_over, is_busy }
    }
}

/// The messages of frames one after another, each of which is made when it is asked for: the memory of one that is done with is the next
/// one's, and the collector of garbage finds no more of them than the program keeps.
#[pyclass(frozen)]
pub struct Messages {
    frames: Py<Frames>,
    data: Py<PyBytes>,
    /// The first byte that was not given.
    at: AtomicUsize,
    /// The first byte of the frame that was given last, no byte of all where none was.
    last: AtomicUsize,
    is_over: AtomicBool,
    /// A message is being made, in the midst of which Python may run anything: the collector of garbage, another thread.
    is_busy: AtomicBool,
}

#[pymethods]
impl Messages {
    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    /// The reference is held until the message is made: who asks for one may let go of the iterator meanwhile.
    #[inline]
    fn __next__(own: PyRef<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        if own.is_over.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if own.is_busy.swap(true, Ordering::Relaxed) {
            return Err(PyValueError::new_err("iterator already executing"));
        }
        let at = own.at.load(Ordering::Relaxed);
        let made = own.frames.get().message(own.py(), own.data.as_bytes(own.py()), at);
        own.is_busy.store(false, Ordering::Relaxed);
        let Some((message, size)) = made else {
            own.end();
            return Ok(None);
        };
        own.last.store(at, Ordering::Relaxed);
        own.at.store(at + size, Ordering::Relaxed);
        Ok(Some(message))
    }

    #[getter]
    fn at(&self) -> usize {
        self.at.load(Ordering::Relaxed)
    }

    #[getter]
    fn last(&self) -> Option<usize> {
        Some(self.last.load(Ordering::Relaxed)).filter(|last| *last != usize::MAX)
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// No further messages are given.
    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl Frames {
    /// The message of the frame that begins at an offset, and how many bytes the frame has.
    #[inline]
    fn message(&self, py: Python<'_>, bytes: &[u8], at: usize) -> Option<(Py<PyAny>, usize)> {
        let frame = self.length.frame(bytes.get(at..)?)?;
        let octets = frame.get(self.length.skip..).unwrap_or_default();
        let message = self.told.message(octets)?;
        Some((self.objects.read(py, message, octets)?.object, frame.len()))
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
        meanings.message(number(start, *place)?)
    }
}

impl Meanings {
    /// Of equal numbers the first is meant.
    fn of(all: &[(u64, usize)]) -> Self {
        let (near, mut far): (Vec<_>, Vec<_>) = all.iter().rev().partition(|(number, _)| *number < NEAR);
        let size = near.iter().map(|(number, _)| *number as usize + 1).max().unwrap_or(0);
        let mut by_number = vec![None; size];
        near.into_iter().for_each(|(number, message)| by_number[number as usize] = Some(message));
        far.reverse();
        Self { near: by_number, far }
    }

    #[inline]
    fn message(&self, number: u64) -> Option<usize> {
        match self.near.get(usize::try_from(number).ok()?) {
            Some(message) => *message,
            None => self.far.iter().find(|(own, _)| *own == number).map(|(_, message)| *message),
        }
    }
}
