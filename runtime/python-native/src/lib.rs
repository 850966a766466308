//! `aldis._native`: schemas at run time for Python, and the command. The front ends make plans of a schema, the interpreter reads and writes
//! its messages, and `compiler/columns` makes tables of them. What users call is `aldis.engine`, in Python.

#![cfg(feature = "engine")]

mod objects;
mod rows;
mod tables;

use aldis_command::{explained, read_schema, with_room};
use aldis_diagnostics::{any_error, render, Diagnostic, Sources, Style};
use aldis_interpreter::{Codec, Fault};
use pyo3::exceptions::{PyKeyError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};

/// A schema in one wire form.
#[pyclass(frozen)]
pub struct Schema {
    pub codec: Codec,
    sources: Sources,
    /// The names of all wire forms of the schema.
    forms: Vec<String>,
}

#[pymethods]
impl Schema {
    /// Reads the schema at `path` and what it imports; `form` is one of its wire forms, or its main form.
    #[new]
    fn new(py: Python<'_>, path: &str, form: Option<&str>, imports: Vec<PathBuf>, strict_text: bool) -> PyResult<Self> {
        std::fs::metadata(path).map_err(|error| PyOSError::new_err(format!("{path}: {error}")))?;
        let found = py.detach(|| with_room(|| read_schema(Path::new(path), imports.clone()))).ok_or_else(panicked)?;
        let found = found.map_err(PyValueError::new_err)?;
        if any_error(&found.diagnostics) || found.plans.is_empty() {
            let errors = found.diagnostics.iter().filter(|one| one.is_error());
            let shown = |one: &Diagnostic| render(one, &found.sources, Style::Plain);
            return Err(PyValueError::new_err(errors.map(shown).collect::<Vec<_>>().join("\n")));
        }
        let forms: Vec<String> = found.plans.iter().map(|plan| plan.form.name.clone()).collect();
        let plan = found.plans.into_iter().find(|plan| form.is_none_or(|form| plan.form.name == form));
        let plan = plan.ok_or_else(|| {
            let (has, asked) = (forms.join(", "), form.unwrap_or_default());
            PyValueError::new_err(format!("{path}: the schema has no form {asked}; it has {has}"))
        })?;
        let mut codec = Codec::new(plan);
        codec.strict_text = strict_text;
        Ok(Self { codec, sources: found.sources, forms })
    }

    fn forms(&self) -> Vec<String> {
        self.forms.clone()
    }

    fn form(&self) -> String {
        self.codec.plan().form.name.clone()
    }

    /// The full names of all messages.
    fn messages(&self) -> Vec<String> {
        (0..self.codec.plan().messages.len()).map(|message| self.codec.message_name(message)).collect()
    }

    /// The message that the bytes are, its JSON text, and the bytes that it takes.
    fn to_json(&self, py: Python<'_>, bytes: &[u8], message: Option<&str>) -> PyResult<(String, Vec<u8>, usize)> {
        let found = guarded::<_, Refused>(py, || {
            let message = self.message(bytes, message)?;
            let mut text = Vec::new();
            let size = self.codec.to_json(message, bytes, &mut text)?;
            Ok((self.codec.message_name(message), text, size))
        })?;
        found.map_err(|refused| raised(py, refused))
    }

    /// The bytes of the message that a JSON text says.
    fn encode(&self, py: Python<'_>, message: &str, text: &[u8]) -> PyResult<Vec<u8>> {
        let made = guarded::<_, Refused>(py, || {
            let message = self.message(&[], Some(message))?;
            let value = self.codec.from_json(message, text)?;
            Ok(self.codec.encode(message, &value)?)
        })?;
        made.map_err(|refused| raised(py, refused))
    }

    /// The message's bytes field by field, and the fault that ends them.
    fn explain(&self, py: Python<'_>, bytes: &[u8], message: Option<&str>) -> PyResult<String> {
        let shown = guarded::<_, Refused>(py, || {
            let message = message.map(|name| self.message(bytes, Some(name))).transpose()?;
            Ok(explained(&self.codec, message, bytes, &self.sources))
        })?;
        shown.map_err(|refused| raised(py, refused))
    }
}

impl Schema {
    /// The message of a name, with or without its package, or the one that the bytes are.
    pub fn message(&self, bytes: &[u8], named: Option<&str>) -> Result<usize, Refused> {
        let Some(named) = named else { return Ok(self.codec.find(bytes)?) };
        let all = 0..self.codec.plan().messages.len();
        let is_named = |message: &usize| {
            let full = self.codec.message_name(*message);
            full == named || full.strip_suffix(named).is_some_and(|package| package.ends_with('.'))
        };
        let found = self.codec.message_named(named).or_else(|| all.clone().find(is_named));
        found.ok_or_else(|| Refused::Name(named.to_owned()))
    }
}

/// The reason why there is no value: a fault, or a message or column that the schema has not.
pub enum Refused {
    Fault(Fault),
    Name(String),
    Column(String),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// The reason as an exception: `aldis.CodecError`, whose path `aldis.engine` takes apart.
pub fn raised(py: Python<'_>, refused: Refused) -> PyErr {
    match refused {
        Refused::Fault(fault) => match error(py, &fault, 0) {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        },
        Refused::Name(name) => PyKeyError::new_err(format!("the schema has no message {name}")),
        Refused::Column(name) => PyKeyError::new_err(format!("no message that is wanted has a column {name}")),
    }
}

/// The `CodecError` of a fault in bytes that begin at `start`.
pub fn error<'py>(py: Python<'py>, fault: &Fault, start: usize) -> PyResult<Bound<'py, PyAny>> {
    let offset = fault.offset.map(|offset| offset + start);
    py.import("aldis.engine")?.getattr("codec_error")?.call1((fault.code.as_str(), offset, &fault.path, &fault.text))
}

/// Does `work` while other threads of Python may go on. A panic does not reach them as one, which ends programs: `except Exception` has it.
pub fn guarded<T: Send, E: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, E> + Send) -> PyResult<Result<T, E>> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|_| panicked())
}

pub fn panicked() -> PyErr {
    PyRuntimeError::new_err("aldis itself has a fault, which standard error tells; please report it")
}

/// Runs the command `aldis` with these arguments, the first of which is its own name, and gives its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| aldis_command::main(&arguments))
}

#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Schema>()?;
    module.add_class::<tables::Table>()?;
    module.add_class::<rows::Rows>()?;
    module.add_class::<objects::Reader>()?;
    module.add_class::<objects::Decoder>()?;
    module.add_class::<objects::Place>()?;
    module.add_class::<objects::Frames>()?;
    module.add_class::<objects::Messages>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(tables::cuts, module)?)?;
    module.add_function(wrap_pyfunction!(tables::empty, module)?)?;
    module.add_function(wrap_pyfunction!(rows::rows, module)?)?;
    module.add_function(wrap_pyfunction!(objects::readers, module)?)?;
    module.add_function(wrap_pyfunction!(tables::tables, module)?)
}
