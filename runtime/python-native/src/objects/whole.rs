//! Runs that are there as the schema has them: their values, one after another, without a question of each.

use super::classes::Class;
use super::numbers::{known_of, object_of};
use super::refs::{counted, none, raw};
use super::types::{load, Literal, Types};
use aldis_plan::{ByteOrder, NullValue, Repr, Scalar};
use aldis_routine::{Cell, Row, Table};
use aldis_schema::{Encoding, Type, TypeId};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The plain rows of a table.
pub struct Whole {
    order: ByteOrder,
    fields: Vec<Field>,
}

/// The value of a row.
enum Field {
    Quick { at: u32, quick: Quick },
    Number { at: u32, number: Number },
    Text { at: u32, width: u32, encoding: Encoding },
    Literal(Py<PyAny>),
    Record { record: TypeId, fields: Vec<Field> },
}

/// A number as it lies in a run.
struct Number {
    width: u8,
    repr: Repr,
    null: Null,
    xor: u64,
    /// The type whose values it is one of.
    named: Option<u32>,
}

/// A number that is plain and little endian, of eight bytes of which the first are its own: the others are shifted away.
#[derive(Clone, Copy)]
enum Quick {
    /// None of a type's.
    Signed { shift: u8, null: Option<i64> },
    /// The same, shorter than eight bytes.
    Unsigned { shift: u8, null: Option<i64> },
    /// Of eight bytes, which is never null.
    Float,
    /// A value of a type, unsigned.
    Named { shift: u8, ty: u32, null: Option<u64> },
}

#[derive(Clone, Copy)]
enum Null {
    Never,
    Bits(u64),
    Nan,
}

impl Whole {
    /// `None` where a row holds more than numbers, text, and records of them.
    pub fn of(py: Python<'_>, table: &Table, order: ByteOrder, types: &Types) -> Option<Self> {
        Some(Self { order, fields: fields(py, &table.rows, order, types)? })
    }

    /// How many values there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.fields.len()
    }

    /// The values of a run, whose bytes are all there: new references, or null and Python's error.
    #[inline]
    pub fn values<'w>(
        &'w self,
        py: Python<'w>,
        bytes: &'w [u8],
        types: &'w Types,
    ) -> impl Iterator<Item = *mut ffi::PyObject> + 'w {
        self.fields.iter().map(move |field| self.value(py, field, bytes, types))
    }

    /// The record of a run; null with Python's error where there is none.
    #[inline]
    pub fn record(&self, py: Python<'_>, class: &Class, bytes: &[u8], types: &Types) -> *mut ffi::PyObject {
        class.filled(|index| self.value(py, &self.fields[index], bytes, types))
    }

    /// A field by its place: a new reference, or null and Python's error.
    #[inline]
    pub fn field(&self, py: Python<'_>, place: usize, bytes: &[u8], types: &Types) -> *mut ffi::PyObject {
        self.value(py, &self.fields[place], bytes, types)
    }

    #[inline]
    fn value(&self, py: Python<'_>, field: &Field, bytes: &[u8], types: &Types) -> *mut ffi::PyObject {
        match field {
            Field::Quick { at, quick } => {
                let bytes = &bytes[*at as usize..];
                let eight = bytes.first_chunk().map_or_else(|| load_short(bytes), |eight| u64::from_le_bytes(*eight));
                quick.object(py, eight, types)
            }
            Field::Number { at, number } => number.object(py, number.load(&bytes[*at as usize..], self.order), types),
            Field::Text { at, width, encoding } => {
                let bytes = &bytes[*at as usize..][..*width as usize];
                let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                types.octets(py, &bytes[..length], Some(*encoding))
            }
            Field::Literal(object) => counted(py, object.as_ptr()),
            Field::Record { record, fields } => match &types.classes[record.index()] {
                Some(class) => class.filled(|index| self.value(py, &fields[index], bytes, types)),
                None => raw(py, Err(PyValueError::new_err("a record without a class"))),
            },
        }
    }
}

impl Quick {
    /// The object of the number's bytes and those behind it: a new reference, or null and Python's error.
    #[inline(always)]
    fn object(self, py: Python<'_>, eight: u64, types: &Types) -> *mut ffi::PyObject {
        let (number, null) = match self {
            Self::Signed { shift, null } => ((eight << shift).cast_signed() >> shift, null),
            Self::Unsigned { shift, null } => ((eight << shift >> shift).cast_signed(), null),
            Self::Float => return object_of(Repr::F64, eight),
            Self::Named { shift, ty, null } => {
                let bits = eight << shift >> shift;
                let numbers = types.numbers[ty as usize].as_ref();
                return match numbers.and_then(|numbers| numbers.known(Repr::U64, bits)) {
                    _ if null == Some(bits) => none(py),
                    Some(known) => counted(py, known.as_ptr()),
                    None => types.numbered(py, ty, bits),
                };
            }
        };
        if null == Some(number) {
            return none(py);
        }
        types.lately.object(py, number)
    }
}

/// The number of the bytes that are there, fewer than eight.
#[cold]
fn load_short(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

impl Number {
    #[inline]
    fn object(&self, py: Python<'_>, bits: u64, types: &Types) -> *mut ffi::PyObject {
        let is_null = match self.null {
            Null::Never => false,
            Null::Bits(null) => bits == null,
            Null::Nan if self.repr == Repr::F32 => f32::from_bits(bits as u32).is_nan(),
            Null::Nan => f64::from_bits(bits).is_nan(),
        };
        if is_null {
            return none(py);
        }
        let Some(id) = self.named else { return known_of(py, &types.lately, self.repr, bits) };
        match &types.numbers[id as usize] {
            Some(numbers) => raw(py, numbers.of(py, self.repr, bits)),
            None => object_of(self.repr, bits),
        }
    }

    /// The same number, if it is plain where it is little endian.
    fn quick(&self) -> Option<Quick> {
        let (width, null) = (
            self.repr.width(),
            match self.null {
                Null::Nan => return None,
                Null::Bits(bits) => Some(bits),
                Null::Never => None,
            },
        );
        let shift = (64 - 8 * width) as u8;
        let spread = |bits: u64| (bits << shift).cast_signed() >> shift;
        match (self.repr, self.named) {
            _ if self.xor != 0 => None,
            (Repr::U8 | Repr::U16 | Repr::U32, Some(ty)) => Some(Quick::Named { shift, ty, null }),
            (_, Some(_)) => None,
            (Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64, None) => {
                Some(Quick::Signed { shift, null: null.map(spread) })
            }
            (Repr::U8 | Repr::U16 | Repr::U32, None) => {
                Some(Quick::Unsigned { shift, null: null.map(u64::cast_signed) })
            }
            (Repr::F64, None) if null.is_none() => Some(Quick::Float),
            _ => None,
        }
    }

    #[inline]
    fn load(&self, bytes: &[u8], order: ByteOrder) -> u64 {
        let bits = match (self.width, order) {
            (1, _) => u64::from(bytes[0]),
            (2, ByteOrder::Little) => bytes.first_chunk().map_or(0, |two| u16::from_le_bytes(*two).into()),
            (4, ByteOrder::Little) => bytes.first_chunk().map_or(0, |four| u32::from_le_bytes(*four).into()),
            (8, ByteOrder::Little) => bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight)),
            (width, order) => load(&bytes[..width.into()], order),
        };
        bits ^ self.xor
    }
}

/// The values of plain rows.
fn fields(py: Python<'_>, rows: &[Row], order: ByteOrder, types: &Types) -> Option<Vec<Field>> {
    let plain = rows.iter().filter_map(|row| Some((row, row.plain()?)));
    let field = |(row, cell): (&Row, &Cell)| {
        Some(match cell {
            Cell::Scalar(scalar) => {
                let number = number(scalar, types)?;
                match number.quick().filter(|_| order == ByteOrder::Little) {
                    Some(quick) => Field::Quick { at: row.at, quick },
                    None => Field::Number { at: row.at, number },
                }
            }
            Cell::Chars(encoding) => Field::Text { at: row.at, width: row.width, encoding: *encoding },
            Cell::Literal(id) => match types.literals.get(id.0 as usize)? {
                Literal::Shared(object) => Field::Literal(object.clone_ref(py)),
                _ => return None,
            },
            Cell::Nest { record, rows } => {
                let (record, fields, class) =
                    (*record, fields(py, rows, order, types)?, types.classes.get(record.index())?);
                let is_made = |class: &Class| class.has_places() && class.fields() == fields.len();
                class.as_ref().filter(|class| is_made(class))?;
                Field::Record { record, fields }
            }
            _ => return None,
        })
    };
    plain.map(field).collect()
}

fn number(scalar: &Scalar, types: &Types) -> Option<Number> {
    let (repr, xor) = (scalar.repr, scalar.xor);
    if let Repr::Uuid | Repr::Decimal = repr {
        return None;
    }
    let null = match scalar.null {
        None => Null::Never,
        Some(NullValue::Bits(bits)) => Null::Bits(bits),
        Some(NullValue::Nan(_)) => Null::Nan,
    };
    let named = match scalar.ty {
        Type::Named(TypeId(id)) => Some(id).filter(|id| types.numbers.get(*id as usize).is_some_and(Option::is_some)),
        Type::Char => return None,
        _ => None,
    };
    let is_known = named.is_some() || !matches!(scalar.ty, Type::Named(_));
    is_known.then_some(Number { width: repr.width() as u8, repr, null, xor, named })
}
