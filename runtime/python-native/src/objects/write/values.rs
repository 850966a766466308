//! Python's values as bytes of a message. Only objects are looked into whose class is the very one that belongs there; all others are odd. So
//! no code of Python's runs meanwhile, unless a conversion fails, which ends the message as odd.

use super::steps::Cell;
use aldis_plan::Repr;
use aldis_schema::Type;
use pyo3::ffi;

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

/// The characters of UTF-8 as a byte each, where they have one.
pub fn latin1(utf8: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(utf8).ok()?;
    text.chars().map(|one| u8::try_from(one).ok()).collect()
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
        if ffi::PyLong_Check(object) == 0 {
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
            _ if cell.scalar.ty == Type::Char => char_code(object)?,
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
