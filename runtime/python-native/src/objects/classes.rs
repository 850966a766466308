//! Records of generated classes, made without their constructors: an object of the class's size, and each field's value in its slot.
//!
//! Python does not tell where slots are. They are found once, by giving each slot of an object a value of its own and looking where that lies;
//! where one is not found, fields are set by name.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};

pub struct Class {
    ty: Py<PyType>,
    names: Vec<Py<PyString>>,
    /// The place of each field's slot in an object; empty if it is not known.
    places: Vec<usize>,
}

impl Class {
    pub fn new(ty: &Bound<'_, PyType>) -> PyResult<Self> {
        let args = ty.getattr("__match_args__")?.cast_into::<PyTuple>()?;
        let names: Vec<Py<PyString>> =
            args.iter().map(|name| Ok(name.cast_into::<PyString>()?.unbind())).collect::<PyResult<_>>()?;
        let mut class = Self { ty: ty.clone().unbind(), names, places: Vec::new() };
        let places = class.probed(ty.py())?;
        class.places = places.unwrap_or_default();
        Ok(class)
    }

    /// How many fields there are.
    pub fn fields(&self) -> usize {
        self.names.len()
    }

    /// The places of the slots, where each is found.
    fn probed(&self, py: Python<'_>) -> PyResult<Option<Vec<usize>>> {
        const WORD: usize = size_of::<*mut ffi::PyObject>();
        let size: usize = self.ty.bind(py).getattr("__basicsize__")?.extract()?;
        let values: Vec<Bound<'_, PyList>> = self.names.iter().map(|_| PyList::empty(py)).collect();
        let object = self.blank(py)?;
        for (name, value) in self.names.iter().zip(&values) {
            object.setattr(name, value)?;
        }
        let place = |value: &Bound<'_, PyList>| {
            (size_of::<ffi::PyObject>()..size).step_by(WORD).find(|place| {
                // SAFETY: the word is within the object, which has `size` bytes.
                let word = unsafe { object.as_ptr().byte_add(*place).cast::<usize>().read() };
                word == value.as_ptr() as usize
            })
        };
        let places: Option<Vec<usize>> = values.iter().map(place).collect();
        // A class with the same slot twice has another meaning of its fields.
        Ok(places.filter(|places| places.iter().all(|one| places.iter().filter(|other| *other == one).count() == 1)))
    }

    /// An object whose slots are all empty.
    fn blank<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: generated classes have the size that their type says, and no other memory of their own.
        unsafe {
            let object = ffi::PyType_GenericAlloc(self.ty.as_ptr().cast(), 0);
            Bound::from_owned_ptr_or_err(py, object)
        }
    }

    /// A record of as many values as it has fields.
    pub fn make(&self, py: Python<'_>, fields: impl Iterator<Item = Py<PyAny>>) -> PyResult<Py<PyAny>> {
        let object = self.blank(py)?;
        if self.places.is_empty() {
            for (name, field) in self.names.iter().zip(fields) {
                object.setattr(name, field)?;
            }
            return Ok(object.unbind());
        }
        for (place, field) in self.places.iter().zip(fields) {
            // SAFETY: the place is that of an empty slot of the object, which takes the reference.
            unsafe { object.as_ptr().byte_add(*place).cast::<*mut ffi::PyObject>().write(field.into_ptr()) };
        }
        Ok(object.unbind())
    }
}
