//! Messages that were checked, whose fields are read where they lie, each when it is asked for.

use super::maker::Maker;
use super::{Objects, Reader};
use aldis_plan::Limits;
use aldis_routine::eval::Flat;
use aldis_routine::{add_views, Module, Purpose, Routine, RoutineId, Subject, What};
use aldis_schema::TypeId;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// The program of views, which is made for the first one: many programs ask for none.
pub enum Views {
    Unasked(Box<Module>),
    Asked(Option<Box<Viewer>>),
}

impl Views {
    fn viewer(&mut self) -> Option<&mut Viewer> {
        if let Self::Unasked(module) = self {
            let mut operations = 0;
            module.routines.iter().for_each(|routine| each(&routine.body, &mut |_| operations += 1));
            if !super::has_room(operations) {
                return None;
            }
            if let Self::Unasked(module) = std::mem::replace(self, Self::Asked(None)) {
                *self = Self::Asked(Viewer::new(*module).map(Box::new));
            }
        }
        match self {
            Self::Asked(viewer) => viewer.as_deref_mut(),
            Self::Unasked(_) => None,
        }
    }
}

/// The program that views fields, and by message the record that it is.
pub struct Viewer {
    flat: Flat,
    records: Vec<TypeId>,
}

impl Viewer {
    /// The program for a module whose routines read; `None` where it has none.
    fn new(mut module: Module) -> Option<Self> {
        for index in 0..module.routines.len() {
            let id = RoutineId(index as u32);
            let of = match module.messages.iter().position(|message| *message == id) {
                Some(message) => Subject::Message(message),
                None => Subject::Record(made(&module.routines[index])?),
            };
            let routine = &mut module.routines[index];
            (routine.of, routine.purpose) = (of, Purpose::Read);
        }
        let record = |message: &RoutineId| {
            let mut found = None;
            each(&module[*message].body, &mut |what| match what {
                What::Call { routine, .. } if found.is_none() => found = Some(*routine),
                _ => {}
            });
            made(&module[found?])
        };
        let records = module.messages.iter().map(record).collect::<Option<_>>()?;
        add_views(&mut module, false);
        Some(Self { flat: Flat::of_views(&module)?, records })
    }
}

/// The record that a routine makes.
fn made(routine: &Routine) -> Option<TypeId> {
    let mut found = None;
    each(&routine.body, &mut |what| {
        if let What::Make { record, .. } = what {
            found = Some(*record);
        }
    });
    found
}

/// All operations of a block, and those in it, in order.
fn each(block: &aldis_routine::Block, see: &mut impl FnMut(&What)) {
    for op in &block.ops {
        see(&op.what);
        aldis_routine::visit::blocks(&op.what).into_iter().for_each(|block| each(block, see));
    }
}

/// A message that was checked.
#[pyclass(frozen)]
pub struct Place {
    objects: Arc<Objects>,
    message: usize,
    data: Py<PyBytes>,
    at: usize,
    /// The function of Python that gives a field of what the program finds odd.
    otherwise: Py<PyAny>,
}

#[pymethods]
impl Place {
    /// A field by its number.
    fn field(&self, py: Python<'_>, field: usize) -> PyResult<Py<PyAny>> {
        match self.objects.field(py, self.message, &self.data.as_bytes(py)[self.at..], field) {
            Some(found) => Ok(found),
            None => self.otherwise.call1(py, (field,)),
        }
    }
}

impl Place {
    /// The message at an offset of bytes, which was checked.
    pub fn new(reader: &Reader, data: &Bound<'_, PyBytes>, at: usize, otherwise: Py<PyAny>) -> Self {
        let (objects, message) = (reader.objects.clone(), reader.message);
        Self { objects, message, data: data.clone().unbind(), at, otherwise }
    }
}

impl Objects {
    fn field(&self, py: Python<'_>, message: usize, bytes: &[u8], field: usize) -> Option<Py<PyAny>> {
        let mut programs = self.programs()?;
        let super::Programs { views, stack, .. } = &mut *programs;
        let Viewer { flat, records } = views.viewer()?;
        let (limits, of) = (Limits::default(), (message, records[message], field));
        let mut maker = Maker::new(py, &self.kit);
        let run = || flat.view(of, (bytes, &limits), (&mut maker, stack));
        let found = catch_unwind(AssertUnwindSafe(run)).ok()??;
        found.filter(|_| maker.error.is_none())
    }
}
