//! Python's values as bytes of a message. Only objects are looked into whose class is the very one that belongs there; all others are odd. So
//! no code of Python's runs meanwhile, unless a conversion fails, which ends the message as odd.

use super::steps::Cell;
use crate::objects::collector::Uncollected;
use aldis_plan::Repr;
use pyo3::ffi;
use pyo3::prelude::*;

/// A reference to an object that whoever wrote it down keeps alive.
pub type Object = *mut ffi::PyObject;

/// Whether the object's class is that one.
///
/// # Safety
/// The object is alive, and the caller attached to the interpreter, as for all functions here.
#[inline]
pub unsafe fn is_of(object: Object, class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: as the caller says.
    unsafe { std::ptr::eq(ffi::Py_TYPE(object), class) }
}

/// The bytes of a byte string, or of a text in UTF-8, as they are in it, for as long as it lives.
///
/// # Safety
/// As for [`is_of`].
#[inline]
pub unsafe fn octets<'o>(object: Object) -> Option<&'o [u8]> {
    let mut size = 0;
    // SAFETY: the memory is the object's own, which does not change.
    unsafe {
        if is_of(object, &raw mut ffi::PyBytes_Type) {
            let start = ffi::PyBytes_AsString(object);
            return Some(std::slice::from_raw_parts(start.cast(), ffi::PyBytes_Size(object).cast_unsigned()));
        }
        if !is_of(object, &raw mut ffi::PyUnicode_Type) {
            return None;
        }
        let start = ffi::PyUnicode_AsUTF8AndSize(object, &raw mut size);
        if start.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(std::slice::from_raw_parts(start.cast(), size.cast_unsigned()))
    }
}

/// The characters of UTF-8 as a byte each, where they have one and there is memory for them.
pub fn latin1(utf8: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(utf8).ok()?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(text.len()).ok()?;
    for one in text.chars() {
        bytes.push(u8::try_from(one).ok()?);
    }
    Some(bytes)
}

/// A whole number, of 64 bits with a sign or without; the classes of numbers are made of `int`, and hide nothing of it.
///
/// # Safety
/// As for [`is_of`].
#[inline]
pub unsafe fn whole(object: Object) -> Option<i128> {
    let mut overflow = 0;
    // SAFETY: for a whole number neither function calls anything of Python's but to say that it is too large.
    unsafe {
        if !is_of(object, &raw mut ffi::PyLong_Type) && ffi::PyLong_Check(object) == 0 {
            return None;
        }
        let number = ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow);
        if overflow == 0 {
            return Some(number.into());
        }
        let number = ffi::PyLong_AsUnsignedLongLong(object);
        if number == u64::MAX && !ffi::PyErr_Occurred().is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(number.into())
    }
}

/// True or false.
///
/// # Safety
/// As for [`is_of`].
#[inline]
pub unsafe fn truth(object: Object) -> Option<bool> {
    // SAFETY: both are objects that always live.
    unsafe {
        let (yes, no) = (ffi::Py_True(), ffi::Py_False());
        (std::ptr::eq(object, yes) || std::ptr::eq(object, no)).then(|| std::ptr::eq(object, yes))
    }
}

/// The bits of a scalar of 8 bytes or less that is not null; not those of a single bit.
///
/// # Safety
/// As for [`is_of`].
#[inline]
pub unsafe fn bits(object: Object, cell: &Cell) -> Option<u64> {
    let repr = cell.scalar.repr;
    // SAFETY: as the caller says.
    let bits = unsafe {
        match repr {
            Repr::Bool => u64::from(truth(object)?),
            Repr::F32 | Repr::F64 => float(object, repr)?,
            _ if cell.is_char => char_code(object)?,
            _ => fitting(whole(object)?, repr)?,
        }
    };
    Some(bits ^ cell.scalar.xor)
}

/// # Safety
/// As for [`is_of`].
unsafe fn float(object: Object, repr: Repr) -> Option<u64> {
    // SAFETY: a float is not asked for its number, but has it.
    let number = unsafe {
        if !is_of(object, &raw mut ffi::PyFloat_Type) {
            return None;
        }
        ffi::PyFloat_AsDouble(object)
    };
    let short = number as f32;
    match repr {
        Repr::F32 if number.is_nan() => Some(0x7FC0_0000),
        Repr::F32 if short.is_infinite() && number.is_finite() => None,
        Repr::F32 => Some(short.to_bits().into()),
        _ if number.is_nan() => Some(0x7FF8_0000_0000_0000),
        _ => Some(number.to_bits()),
    }
}

/// # Safety
/// As for [`is_of`].
unsafe fn char_code(object: Object) -> Option<u64> {
    // SAFETY: the text has the one character that is read.
    let code = unsafe {
        if !is_of(object, &raw mut ffi::PyUnicode_Type) || ffi::PyUnicode_GetLength(object) != 1 {
            return None;
        }
        ffi::PyUnicode_ReadChar(object, 0)
    };
    (code < 256).then(|| code.into())
}

/// The bits of a number that fits.
fn fitting(number: i128, repr: Repr) -> Option<u64> {
    let (least, most) = match repr {
        Repr::I8 => (i8::MIN.into(), i8::MAX.into()),
        Repr::I16 => (i16::MIN.into(), i16::MAX.into()),
        Repr::I32 => (i32::MIN.into(), i32::MAX.into()),
        Repr::I64 => (i64::MIN.into(), i64::MAX.into()),
        Repr::U8 => (0, u8::MAX.into()),
        Repr::U16 => (0, u16::MAX.into()),
        Repr::U32 => (0, u32::MAX.into()),
        Repr::U64 => (0, i128::from(u64::MAX)),
        _ => return None,
    };
    (least <= number && number <= most).then_some(number as u64)
}

/// The most that the coefficient of a decimal is.
const MOST_COEFFICIENT: u128 = (1 << 96) - 1;

/// The classes whose values have 16 bytes.
pub struct Wide {
    uuid: Py<PyAny>,
    /// The class of the module in C: another one's texts are made by code of Python's, in which other threads may take objects away.
    decimal: Option<Py<PyAny>>,
}

impl Wide {
    pub fn new(py: Python<'_>) -> PyResult<Self> {
        let class = |module: &str, class: &str| py.import(module)?.getattr(class).map(Bound::unbind);
        Ok(Self { uuid: class("uuid", "UUID")?, decimal: class("_decimal", "Decimal").ok() })
    }

    /// Whether the object is a UUID.
    ///
    /// # Safety
    /// As for [`is_of`].
    pub unsafe fn is_uuid(&self, object: Object) -> bool {
        // SAFETY: as the caller says.
        unsafe { is_of(object, self.uuid.as_ptr().cast()) }
    }

    /// The bytes of a UUID, in the order in which they are written.
    ///
    /// # Safety
    /// As for [`is_of`].
    pub unsafe fn uuid(&self, object: Object) -> Option<[u8; 16]> {
        // SAFETY: as the caller says. The number is in a slot, and the collector counts no numbers.
        unsafe {
            if !self.is_uuid(object) {
                return None;
            }
            let number = ffi::PyObject_GetAttrString(object, c"int".as_ptr());
            let upper = upper(number);
            if number.is_null() || upper.is_none() {
                ffi::PyErr_Clear();
            }
            let lower = upper.map(|_| ffi::PyLong_AsUnsignedLongLongMask(number));
            ffi::Py_DecRef(number);
            Some((u128::from(upper?) << 64 | u128::from(lower?)).to_be_bytes())
        }
    }

    /// The bytes of a decimal that fits.
    ///
    /// # Safety
    /// As for [`is_of`].
    pub unsafe fn decimal(&self, object: Object) -> Option<[u8; 16]> {
        // The collector, which the context of decimals may wake, runs code of Python's.
        let _collects = Uncollected::new();
        // SAFETY: as the caller says. The text is written without code of Python's, and is here until it is read.
        unsafe {
            if !is_of(object, self.decimal.as_ref()?.as_ptr().cast()) {
                return None;
            }
            let text = ffi::PyObject_Str(object);
            if text.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            let found = octets(text).and_then(decimal);
            ffi::Py_DecRef(text);
            found
        }
    }
}

/// The upper half of a whole number of 128 bits; `None` with or without Python's error.
///
/// # Safety
/// As for [`is_of`]; the number may be null.
unsafe fn upper(number: Object) -> Option<u64> {
    // SAFETY: as the caller says.
    unsafe {
        if number.is_null() || !is_of(number, &raw mut ffi::PyLong_Type) {
            return None;
        }
        let bits = ffi::PyLong_FromLong(64);
        let upper = ffi::PyNumber_Rshift(number, bits);
        ffi::Py_DecRef(bits);
        if upper.is_null() {
            return None;
        }
        let found = whole(upper).and_then(|upper| u64::try_from(upper).ok());
        ffi::Py_DecRef(upper);
        found
    }
}

/// The bytes of the decimal that a text of Python's says: a coefficient of 12, two zeros, a scale, a sign.
fn decimal(text: &[u8]) -> Option<[u8; 16]> {
    let text = std::str::from_utf8(text).ok()?;
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (digits, exponent) = match text.split_once(['E', 'e']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (before, behind) = digits.split_once('.').unwrap_or((digits, ""));
    let mut coefficient = 0_u128;
    for digit in before.bytes().chain(behind.bytes()) {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        coefficient = coefficient.checked_mul(10)?.checked_add(digit.into())?;
    }
    let exponent = exponent.checked_sub(behind.len() as i64)?;
    if exponent > 0 && coefficient > 0 {
        coefficient = coefficient.checked_mul(10_u128.checked_pow(u32::try_from(exponent).ok()?)?)?;
    }
    let scale = u8::try_from((-exponent).max(0)).ok().filter(|scale| *scale <= 28)?;
    let mut bytes = Some(coefficient).filter(|coefficient| *coefficient <= MOST_COEFFICIENT)?.to_le_bytes();
    (bytes[14], bytes[15]) = (scale, if is_negative { 0x80 } else { 0 });
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn texts_of_decimals() {
        let found = |text: &str| {
            let bytes = decimal(text.as_bytes())?;
            Some((u128::from_le_bytes(bytes) & super::MOST_COEFFICIENT, bytes[14], bytes[15]))
        };
        assert_eq!(found("-1.50"), Some((150, 2, 0x80)));
        assert_eq!(found("1E+3"), Some((1000, 0, 0)));
        assert_eq!(found("0E+90"), Some((0, 0, 0)));
        assert_eq!(found("-0E-28"), Some((0, 28, 0x80)));
        assert_eq!(found("1.2E-27"), Some((12, 28, 0)));
        assert_eq!(found("79228162514264337593543950335"), Some(((1 << 96) - 1, 0, 0)));
        for text in ["79228162514264337593543950336", "1E+29", "1E-29", "NaN", "-Infinity", "sNaN123", ""] {
            assert!(found(text).is_none() || text.is_empty(), "{text}");
        }
    }
}
