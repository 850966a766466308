//! The fixed parts of messages side by side, which NumPy reads where they lie.

use crate::tables::{each, told, Chosen, Stopped, Wishes};
use crate::{error, guarded, Schema};
use aldis_columns::{RowField, RowKind, RowTable};
use aldis_plan::{ByteOrder, NullValue};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// The rows of one message, or of one list of records in a message.
#[pyclass(frozen)]
pub struct Rows {
    table: RowTable,
    order: ByteOrder,
}

/// A field: its name, NumPy's format, its offset, how many elements an array has, and the bits that mean null; the last says that any NaN does.
type Field = (String, String, u32, Option<u32>, Option<u64>, bool);

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.table.rows
    }

    /// The bytes of a row.
    #[getter]
    fn width(&self) -> usize {
        self.table.width
    }

    fn fields(&self) -> Vec<Field> {
        self.table.fields.iter().map(|field| shown(field, self.order)).collect()
    }

    /// NumPy's way to see the memory of others: one element a row, which lives as long as this.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kind = format!("|V{}", self.table.width);
        seen(py, self.table.bytes.as_ptr() as usize, self.table.rows, &kind)
    }

    /// The rows that these are parts of, as bytes of numbers of 32 bits in the machine's order.
    fn parents(&self) -> Vec<u8> {
        self.table.parents.iter().flat_map(|parent| parent.to_ne_bytes()).collect()
    }
}

fn seen<'py>(py: Python<'py>, address: usize, rows: usize, kind: &str) -> PyResult<Bound<'py, PyDict>> {
    let seen = PyDict::new(py);
    seen.set_item("version", 3)?;
    seen.set_item("shape", (rows,))?;
    seen.set_item("typestr", kind)?;
    // Nobody may write there.
    seen.set_item("data", (address, true))?;
    Ok(seen)
}

fn shown(field: &RowField, order: ByteOrder) -> Field {
    let order = if order == ByteOrder::Big { '>' } else { '<' };
    let width = field.width;
    let format = match field.kind {
        RowKind::Signed => format!("{order}i{width}"),
        RowKind::Unsigned => format!("{order}u{width}"),
        RowKind::Float => format!("{order}f{width}"),
        RowKind::Chars => format!("|S{width}"),
        RowKind::Octets => format!("|V{width}"),
    };
    let (null, is_nan) = match field.null {
        Some(NullValue::Bits(bits)) => (Some(bits), false),
        Some(NullValue::Nan(_)) => (None, true),
        None => (None, false),
    };
    (field.name.clone(), format, field.at, field.count, null, is_nan)
}

/// Rows by name, how many messages were skipped, and the fault that ended them.
type Found<'py> = (BTreeMap<String, Rows>, u64, Option<Bound<'py, PyAny>>);

/// The rows of the messages in `bytes`, by name: those before a fault, or with `skip` those around faults.
#[pyfunction]
pub fn rows<'py>(py: Python<'py>, schema: &Schema, bytes: &[u8], wishes: Wishes) -> PyResult<Found<'py>> {
    let codec = &schema.codec;
    if !aldis_columns::Rows::are_in(codec.plan()) {
        return Err(PyValueError::new_err(format!(
            "form {} has no rows: its records are behind pointers",
            codec.plan().form.name
        )));
    }
    let made = guarded::<_, Stopped>(py, || {
        let chosen = Chosen::new(schema, &wishes)?;
        let mut all: Vec<Option<aldis_columns::Rows>> = chosen.wanted.iter().map(|_| None).collect();
        let ended = each(schema, &chosen, &wishes, bytes, |message, bytes, _| {
            let rows = all[message].get_or_insert_with(|| aldis_columns::Rows::new(codec, message));
            Ok(rows.push(codec, bytes).map_err(crate::Refused::from)?)
        })?;
        Ok((all, ended))
    })?;
    let (all, ended) = made.map_err(|stopped| told(py, stopped))?;
    let fault = ended.fault.map(|(fault, start)| error(py, &fault, start)).transpose()?;
    let mut named = BTreeMap::new();
    for (message, rows) in all.into_iter().enumerate() {
        for table in rows.into_iter().flat_map(|rows| rows.tables) {
            let own = codec.message_name(message);
            let name = if table.path.is_empty() { own } else { format!("{own}.{}", table.path) };
            named.insert(name, Rows { table, order: codec.plan().byte_order });
        }
    }
    Ok((named, ended.skipped, fault))
}
