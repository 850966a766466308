//! Messages as objects of generated classes: programs made of the routines that generated packages have as data, run on a target that makes
//! Python's objects. What is odd they refuse, as functions of generated Python do: the careful reader says what it is.

mod back;
mod check;
mod classes;
mod collector;
mod frames;
mod lately;
mod maker;
mod numbers;
mod operands;
mod places;
mod refs;
mod tables;
mod texts;
mod types;
mod usual;
mod whole;
mod write;

use aldis_plan::Limits;
use aldis_routine::data::Datum;
use aldis_routine::eval::Flat;
use back::Form;
use check::Checker;
use classes::Class;
pub use frames::{Frames, Messages};
use maker::{Kit, Made, Maker};
use numbers::Numbers;
use operands::{items, Operands};
pub use places::Place;
use places::Views;
use pyo3::exceptions::{PyException, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use types::{Literal, Types};
use whole::Whole;
use write::{Wide, Writers};

/// The readers and writers of a form.
struct Objects {
    programs: Mutex<Programs>,
    writers: Option<Writers>,
    /// The function that makes a message of what writers give, where that is not one yet.
    finish: Option<Py<PyAny>>,
    kit: Kit,
    odd: Py<PyType>,
}

/// A message as an object.
struct Found {
    object: Py<PyAny>,
    /// The bytes that it has.
    size: usize,
}

/// The programs of a form: for usual messages, and for all.
struct Programs {
    usual: Option<Flat>,
    any: Flat,
    views: Views,
    stack: Vec<Made>,
}

/// The reader of a message, and its writer.
#[pyclass(frozen)]
pub struct Reader {
    objects: Arc<Objects>,
    message: usize,
    /// The function of Python that writes what the writer finds odd.
    printed: Py<PyAny>,
}

#[pymethods]
impl Reader {
    /// The message that begins at an offset, and where it ends.
    fn read<'py>(&self, py: Python<'py>, data: &Bound<'py, PyBytes>, at: usize) -> PyResult<(Py<PyAny>, usize)> {
        let found = data.as_bytes().get(at..).and_then(|bytes| self.objects.read(py, self.message, bytes));
        let found = found.ok_or_else(|| PyErr::from_type(self.objects.odd.bind(py).clone(), ()))?;
        Ok((found.object, at + found.size))
    }

    /// Where the message ends that begins at an offset.
    fn check(&self, py: Python<'_>, data: &Bound<'_, PyBytes>, at: usize) -> PyResult<usize> {
        let size = data.as_bytes().get(at..).and_then(|bytes| self.objects.check(self.message, bytes));
        size.map(|size| at + size).ok_or_else(|| PyErr::from_type(self.objects.odd.bind(py).clone(), ()))
    }

    /// The message that begins at an offset, whose fields are read when they are asked for: by a function of Python where that is odd.
    fn view(&self, data: &Bound<'_, PyBytes>, at: usize, otherwise: Py<PyAny>) -> PyResult<Place> {
        self.check(data.py(), data, at)?;
        Ok(Place::new(self, data, at, otherwise))
    }

    /// The reader of whole messages, which leaves those that it refuses to `careful`, a function of Python, and what it does not try to
    /// `otherwise`. `again` is what pickles of it hold: a function and its arguments, as `__reduce__` gives them.
    fn decoder(&self, otherwise: Py<PyAny>, careful: Py<PyAny>, again: Py<PyAny>) -> Decoder {
        Decoder { objects: self.objects.clone(), message: self.message, otherwise, careful, again }
    }

    /// The bytes of a message.
    fn write(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let objects = &self.objects;
        let written = objects.writers.as_ref().map(|own| own.write(&objects.kit, self.message, value));
        let written = written.transpose().map_err(|lack| PyMemoryError::new_err(lack.to_string()))?.flatten();
        let Some(written) = written else { return self.printed.call1(py, (value,)) };
        let written = PyBytes::new_with(py, written.len(), |bytes| {
            bytes.copy_from_slice(&written);
            Ok(())
        })?;
        match &objects.finish {
            Some(finish) => match finish.call1(py, (written,)) {
                Err(error) if error.is_instance_of::<PyException>(py) => self.printed.call1(py, (value,)),
                finished => finished,
            },
            None => Ok(written.into_any().unbind()),
        }
    }
}

/// The reader of whole messages.
#[pyclass(frozen)]
pub struct Decoder {
    objects: Arc<Objects>,
    message: usize,
    /// The function of Python that has the same meaning.
    otherwise: Py<PyAny>,
    /// The function that judges bytes which the engine refused: the other one would ask the engine again.
    careful: Py<PyAny>,
    again: Py<PyAny>,
}

#[pymethods]
impl Decoder {
    /// For pickles of its methods: other processes find their own reader.
    fn __reduce__(&self, py: Python<'_>) -> Py<PyAny> {
        self.again.clone_ref(py)
    }

    /// The message that the bytes begin with. Raises CodecError.
    #[pyo3(signature = (data, limits=None))]
    fn decode(&self, data: &Bound<'_, PyAny>, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let py = data.py();
        match (data.cast_exact::<PyBytes>(), limits) {
            (Ok(octets), None) => match self.objects.read(py, self.message, octets.as_bytes()) {
                Some(found) => Ok(found.object),
                None => self.careful.call1(py, (data,)),
            },
            (_, None) => self.otherwise.call1(py, (data,)),
            (_, Some(limits)) => self.otherwise.call1(py, (data, limits)),
        }
    }
}

impl Objects {
    /// The message that the bytes begin with; `None` where it is not as usual.
    fn read(&self, py: Python<'_>, message: usize, bytes: &[u8]) -> Option<Found> {
        let Programs { usual, any, stack, .. } = &mut *self.programs()?;
        let usual = usual.as_mut().and_then(|usual| self.run(py, (usual, stack), message, bytes));
        usual.or_else(|| self.run(py, (any, stack), message, bytes))
    }

    /// The programs, but where the collector of garbage runs code that reads a message in the midst of another, or another thread does.
    fn programs(&self) -> Option<MutexGuard<'_, Programs>> {
        match self.programs.try_lock() {
            Ok(programs) => Some(programs),
            Err(TryLockError::Poisoned(poisoned)) => Some(PoisonError::into_inner(poisoned)),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// How many bytes a message has; `None` where it is not as usual.
    fn check(&self, message: usize, bytes: &[u8]) -> Option<usize> {
        let Programs { usual, any, .. } = &mut *self.programs()?;
        let (limits, kit) = (Limits::default(), &self.kit);
        let check = |flat: &mut Flat| {
            let run = || flat.try_read(message, (bytes, &limits), (&mut Checker(kit), &mut Vec::new()));
            Some(catch_unwind(AssertUnwindSafe(run)).ok()??.size as usize)
        };
        usual.as_mut().and_then(check).or_else(|| check(any))
    }

    fn run(
        &self,
        py: Python<'_>,
        (flat, stack): (&mut Flat, &mut Vec<Made>),
        message: usize,
        bytes: &[u8],
    ) -> Option<Found> {
        let limits = Limits::default();
        let mut maker = Maker::new(py, &self.kit);
        let run = || flat.try_read(message, (bytes, &limits), (&mut maker, stack));
        let found = catch_unwind(AssertUnwindSafe(run)).ok()??;
        let object = found.value.filter(|_| maker.error.is_none())?;
        Some(Found { object, size: found.size as usize })
    }
}

/// The readers of a form's messages; none where it is one that programs cannot read. `given` has, by name, the form's data, the types of the
/// schema with their classes, its literals as objects, and functions of the package's.
#[pyfunction]
pub fn readers(given: &Bound<'_, PyDict>) -> PyResult<Option<Vec<Reader>>> {
    let part = |name: &str| given.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("there is no {name}")));
    let form = part("form")?;
    let data = |name: &str| datum(&form.get_item(name)?);
    if !has_room(operations(&form.get_item("routines")?)) {
        return Err(PyMemoryError::new_err("no memory is left for the readers of a schema"));
    }
    let (routines, writers) = (data("routines")?, data("writers")?);
    let form = Form {
        order: data("order")?,
        container: data("container")?,
        runs: data("runs")?,
        literals: data("literals")?,
        lists: data("lists")?,
        lacks: data("lacks")?,
        routines,
        readers: data("readers")?,
    };
    let Some(module) = back::module(&form) else { return Ok(None) };
    let Some(any) = Flat::new(&module) else { return Ok(None) };
    let usual = Flat::new(&usual::usual(&module));
    let types = datum(&part("types")?)?;
    let literals = part("literals")?.try_iter()?.map(|one| Ok(literal(&one?))).collect::<PyResult<_>>()?;
    let mut kit = Kit {
        is_sorted: items(&form.lists).unwrap_or_default().iter().map(is_sorted).collect(),
        types: Types::new(given.py(), literals)?,
        wholes: Vec::new(),
        uuid_of: part("uuid_of")?.unbind(),
        decimal_of: part("decimal_of")?.unbind(),
        collection: part("collection")?.unbind(),
        literal_of: part("literal_of")?.unbind(),
        unknown_arm: part("unknown_arm")?.unbind(),
        opaque: part("opaque_of")?.unbind(),
        arms: Vec::new(),
    };
    let flags = part("flags")?;
    for (ty, class) in items(&types).unwrap_or_default().iter().zip(part("classes")?.try_iter()?) {
        kit.add(ty, &class?, &flags)?;
    }
    kit.wholes =
        module.tables.iter().map(|table| Whole::of(given.py(), table, module.byte_order, &kit.types)).collect();
    let odd = part("odd")?.cast_into::<PyType>()?.unbind();
    let finish = part("finish")?;
    let has_table = finish.is_none() && matches!(items(&form.container), Some([Datum::Bool(true), ..]));
    let literals = part("literals")?.try_iter()?.map(|one| Ok(one?.unbind())).collect::<PyResult<_>>()?;
    let objects = (part("missing")?.unbind(), PyList::empty(given.py()).into_any().unbind());
    let (data, wide) = ((&form.routines, &writers, &form.lists), Wide::new(given.py())?);
    let writers = Writers::new(data, (module.byte_order, has_table), literals, objects, wide);
    let finish = Some(finish.unbind()).filter(|finish| !finish.is_none(given.py()));
    let views = Views::Unasked(Box::new(module));
    let programs = Mutex::new(Programs { usual, any, views, stack: Vec::new() });
    let objects = Arc::new(Objects { programs, writers, finish, kit, odd });
    let printed = part("printed")?.try_iter()?.enumerate();
    let codecs =
        printed.map(|(message, printed)| Ok(Reader { objects: objects.clone(), message, printed: printed?.unbind() }));
    codecs.collect::<PyResult<_>>().map(Some)
}

/// How many operations routines have, as generated packages have them: each begins with its name.
fn operations(routines: &Bound<'_, PyAny>) -> usize {
    let Ok(items) = routines.cast::<PyTuple>() else { return 0 };
    let is_one = items.iter().next().is_some_and(|first| first.is_instance_of::<PyString>());
    usize::from(is_one) + items.iter().map(|item| operations(&item)).sum::<usize>()
}

/// Whether there is memory for the programs of so many operations: Rust ends the process where it finds none. While programs are made, an
/// operation takes about 2 kB: 1,950 bytes in a message of 4,000 integers or of 2,000 texts, 2,050 in the schema of a market-data feed, 2,200 in
/// one of 1,500 small messages, and in small schemas up to 4,000, of which there are few. Only limits of a process's addresses are seen, and
/// another thread may take that memory in between.
fn has_room(operations: usize) -> bool {
    const LEAST: usize = 1 << 20;
    const AN_OPERATION: usize = 2560;
    let mut room = Vec::<u8>::new();
    let is_there = room.try_reserve_exact(LEAST + operations * AN_OPERATION).is_ok();
    // A compiler may leave out memory that nothing uses.
    std::hint::black_box(room);
    is_there
}

impl Kit {
    /// Adds the class of a type.
    fn add(&mut self, ty: &Datum, class: &Bound<'_, PyAny>, flags: &Bound<'_, PyAny>) -> PyResult<()> {
        let (mut made, mut numbers, mut arms) = (None, None, Vec::new());
        match items(ty) {
            Some([Datum::Text(kind), ..]) if kind == "record" => made = Some(Class::new(class.cast::<PyType>()?)?),
            Some([Datum::Text(kind), Datum::List(all), ..]) if kind == "union" => {
                for (arm, class) in all.iter().zip(class.try_iter()?) {
                    let tag = Operands::of(arm).and_then(|mut arm| arm.number::<u64>());
                    let tag = tag.ok_or_else(|| PyValueError::new_err("an arm without a tag"))?;
                    arms.push((tag, Class::new(class?.cast::<PyType>()?)?));
                }
            }
            Some([Datum::Text(kind), ..]) if kind == "enum" => {
                numbers = Some(Numbers::of_enum(class.getattr("_value2member_map_")?.cast::<PyDict>()?)?);
            }
            Some([Datum::Text(kind), ..]) if kind == "flags" => {
                numbers = Some(Numbers::of_flags(flags.call1((class,))?))
            }
            _ => {}
        }
        self.types.classes.push(made);
        self.types.numbers.push(numbers);
        self.arms.push(arms);
        Ok(())
    }
}

/// Whether lists of a type are sets or maps.
fn is_sorted(ty: &Datum) -> bool {
    match items(ty) {
        Some([Datum::Text(kind), inner]) if kind == "optional" => is_sorted(inner),
        Some([Datum::Text(kind), ..]) => kind == "set" || kind == "map",
        _ => false,
    }
}

/// The value of a schema: what may change is nobody's own.
fn literal(object: &Bound<'_, PyAny>) -> Literal {
    if let Ok(list) = object.cast::<PyList>() {
        return if list.is_empty() { Literal::EmptyList } else { Literal::Anew };
    }
    // Records that are keys have a hash, and may change all the same.
    match object.hash() {
        Ok(_) if !object.hasattr("__match_args__").unwrap_or(true) => Literal::Shared(object.clone().unbind()),
        _ => Literal::Anew,
    }
}

/// Data of a generated package.
fn datum(object: &Bound<'_, PyAny>) -> PyResult<Datum> {
    Ok(if object.is_none() {
        Datum::None
    } else if let Ok(items) = object.cast::<PyTuple>() {
        Datum::List(items.iter().map(|item| datum(&item)).collect::<PyResult<_>>()?)
    } else if let Ok(value) = object.cast::<PyBool>() {
        Datum::Bool(value.is_true())
    } else if let Ok(text) = object.cast::<PyString>() {
        Datum::Text(text.to_string_lossy().into_owned())
    } else if object.is_instance_of::<PyInt>() {
        Datum::Int(object.extract()?)
    } else if let Ok(number) = object.cast::<PyFloat>() {
        Datum::Float(number.value())
    } else {
        Datum::Bytes(object.extract()?)
    })
}
