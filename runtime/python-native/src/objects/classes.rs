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

    /// Whether objects are made of the fields' slots.
    #[inline]
    pub fn has_places(&self) -> bool {
        !self.places.is_empty()
    }

    /// How many fields there are.
    #[inline]
    pub fn fields(&self) -> usize {
        self.names.len()
    }

    /// Whether an object that is alive is of this very class.
    #[inline]
    pub fn is_of(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: every object has a type.
        std::ptr::eq(unsafe { ffi::Py_TYPE(object) }, self.ty.as_ptr().cast())
    }

    /// A field of an object that is alive: a reference that is the object's own; nothing where the object is of another class, or has no
    /// value there.
    #[inline]
    pub fn field(&self, object: *mut ffi::PyObject, index: usize) -> Option<*mut ffi::PyObject> {
        let place = self.places.get(index).filter(|_| self.is_of(object))?;
        // SAFETY: objects of the class have a slot at each place.
        let field = unsafe { object.byte_add(*place).cast::<*mut ffi::PyObject>().read() };
        Some(field).filter(|field| !field.is_null())
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
        // A class with the same slot twice has another meaning of its fields; one with others besides has memory that they do not fill.
        let is_all = size == size_of::<ffi::PyObject>() + self.names.len() * WORD;
        let is_own =
            |places: &Vec<usize>| places.iter().all(|one| places.iter().filter(|other| *other == one).count() == 1);
        Ok(places.filter(|places| is_all && is_own(places)))
    }

    /// An object whose slots are all empty.
    fn blank<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: generated classes have the size that their type says, and no other memory of their own.
        unsafe {
            let object = ffi::PyType_GenericAlloc(self.ty.as_ptr().cast(), 0);
            Bound::from_owned_ptr_or_err(py, object)
        }
    }

    /// A record whose slots are filled by `fill`, in the order of the fields: with a reference to an object, or with null and Python's error.
    /// It is no object of Python's before all are.
    #[inline]
    pub fn filled(&self, mut fill: impl FnMut(usize) -> *mut ffi::PyObject) -> *mut ffi::PyObject {
        // SAFETY: the class has a slot at each place, which is filled, and no other memory, before the collector sees the object; slots may
        // be null. Whoever calls this is attached to the interpreter.
        unsafe {
            let object = ffi::PyObject_GC_New::<ffi::PyObject>(self.ty.as_ptr().cast());
            if object.is_null() {
                return object;
            }
            let mut is_whole = true;
            for (index, place) in self.places.iter().enumerate() {
                // Nothing of Python's is called while its error is set.
                let field = if is_whole { fill(index) } else { std::ptr::null_mut() };
                is_whole &= !field.is_null();
                object.byte_add(*place).cast::<*mut ffi::PyObject>().write(field);
            }
            ffi::PyObject_GC_Track(object.cast());
            if is_whole {
                return object;
            }
            ffi::Py_DecRef(object);
            std::ptr::null_mut()
        }
    }

    /// A record of as many values as it has fields.
    #[inline]
    pub fn make(&self, py: Python<'_>, mut fields: impl Iterator<Item = Py<PyAny>>) -> PyResult<Py<PyAny>> {
        if self.has_places() {
            let object = self.filled(|_| fields.next().map_or(std::ptr::null_mut(), Py::into_ptr));
            // SAFETY: it is a new reference, or null and an error.
            return unsafe { Bound::from_owned_ptr_or_err(py, object) }.map(Bound::unbind);
        }
        let object = self.blank(py)?;
        for (name, field) in self.names.iter().zip(fields) {
            object.setattr(name, field)?;
        }
        Ok(object.unbind())
    }
}
