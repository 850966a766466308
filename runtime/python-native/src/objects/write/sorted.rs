//! The elements of sets and the entries of maps in the order in which they are written. Only those whose keys are whole numbers, text, bytes
//! or UUIDs are looked at, in the very collections that reading makes; all others are odd.

use super::values::{is_of, octets, whole, Object, Wide};
use crate::objects::collector::Uncollected;
use pyo3::ffi;

/// A thing that keys are ordered by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'o> {
    Number(i128),
    Octets(&'o [u8]),
    Wide([u8; 16]),
}

/// The elements of a set, or the keys of a map with their values, in order; `None` where there is something odd, the other
/// of both, or no memory.
///
/// # Safety
/// The object is alive and keeps what it holds for as long as that is used, and the caller is attached to the interpreter.
pub unsafe fn sorted(object: Object, is_map: bool, wide: &Wide) -> Option<Vec<(Object, Object)>> {
    // SAFETY: as the caller says; each function looks at an object of its own kind.
    let mut found = unsafe {
        let is = |class| is_of(object, class);
        match is_map {
            true if is(&raw mut ffi::PyDict_Type) => entries(object)?,
            false if is(&raw mut ffi::PySet_Type) || is(&raw mut ffi::PyFrozenSet_Type) => elements(object)?,
            _ => return None,
        }
    };
    if found.len() < 2 {
        return Some(found);
    }
    let mut keyed = Vec::new();
    keyed.try_reserve_exact(found.len()).ok()?;
    for entry in &found {
        // SAFETY: as the caller says.
        keyed.push((unsafe { key(entry.0, wide)? }, *entry));
    }
    keyed.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    let is_fine = |two: &[(Key<'_>, _)]| {
        two[0].0 != two[1].0 && std::mem::discriminant(&two[0].0) == std::mem::discriminant(&two[1].0)
    };
    if !keyed.windows(2).all(is_fine) {
        return None;
    }
    found.iter_mut().zip(keyed).for_each(|(place, (_, entry))| *place = entry);
    Some(found)
}

/// # Safety
/// As for [`sorted`]; the object is a dict.
unsafe fn entries(map: Object) -> Option<Vec<(Object, Object)>> {
    let (mut at, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
    let mut found = Vec::new();
    // SAFETY: as the caller says.
    found.try_reserve_exact(unsafe { ffi::PyDict_Size(map) }.cast_unsigned()).ok()?;
    // SAFETY: as the caller says. References are the dict's own.
    while unsafe { ffi::PyDict_Next(map, &raw mut at, &raw mut key, &raw mut value) } != 0 {
        found.push((key, value));
    }
    Some(found)
}

/// # Safety
/// As for [`sorted`]; the object is a set.
unsafe fn elements(set: Object) -> Option<Vec<(Object, Object)>> {
    // The collector, which an iterator may wake, runs code of Python's.
    let _collects = Uncollected::new();
    let mut found = Vec::new();
    // SAFETY: as the caller says. The set has a reference to each element of its own.
    unsafe {
        found.try_reserve_exact(ffi::PySet_Size(set).cast_unsigned()).ok()?;
        let each = ffi::PyObject_GetIter(set);
        if each.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        loop {
            let element = ffi::PyIter_Next(each);
            if element.is_null() {
                break;
            }
            ffi::Py_DecRef(element);
            found.push((element, std::ptr::null_mut()));
        }
        ffi::Py_DecRef(each);
        let is_broken = !ffi::PyErr_Occurred().is_null();
        ffi::PyErr_Clear();
        (!is_broken).then_some(found)
    }
}

/// # Safety
/// As for [`sorted`].
unsafe fn key<'o>(object: Object, wide: &Wide) -> Option<Key<'o>> {
    // SAFETY: as the caller says. UTF-8 has the order of its characters. There is one conversion, as none may follow one that fails.
    unsafe {
        match () {
            () if ffi::PyLong_Check(object) != 0 => whole(object).map(Key::Number),
            () if wide.is_uuid(object) => wide.uuid(object).map(Key::Wide),
            () => octets(object).map(Key::Octets),
        }
    }
}
