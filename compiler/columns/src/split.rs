//! Lists of records as tables of their own.

use crate::table::unique;
use crate::ROW;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, StructArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use std::collections::HashMap;
use std::sync::Arc;

/// Takes lists of records out of tables. Each table has its rows' numbers as `_row`, and one of lists the number of the row
/// whose list it was in as `_parent`. A list that is null has no rows, as an empty one.
#[derive(Debug, Default)]
pub struct Splitter {
    /// How many rows of each table there were.
    rows: HashMap<String, u64>,
}

/// Rows of a table.
#[derive(Clone, Debug)]
pub struct Part {
    /// The names of the lists that lead to the table, with dots between; empty for the messages' own.
    pub path: String,
    pub batch: RecordBatch,
}

/// A table that is still to be split.
struct Table {
    path: String,
    parents: Option<Vec<u64>>,
    columns: Vec<(FieldRef, ArrayRef)>,
    rows: usize,
}

impl Splitter {
    /// Splits further rows of the same table. The parts have the same paths in the same order each time.
    ///
    /// # Errors
    /// Those of Arrow.
    pub fn split(&mut self, batch: &RecordBatch) -> Result<Vec<Part>, ArrowError> {
        let columns = batch.schema().fields().iter().cloned().zip(batch.columns().iter().cloned()).collect();
        let mut waiting = vec![Table { path: String::new(), parents: None, columns, rows: batch.num_rows() }];
        let mut parts = Vec::new();
        while let Some(table) = waiting.pop() {
            parts.push(self.part(table, &mut waiting)?);
        }
        Ok(parts)
    }

    fn part(&mut self, table: Table, waiting: &mut Vec<Table>) -> Result<Part, ArrowError> {
        let count = self.rows.entry(table.path.clone()).or_default();
        let first = *count;
        *count += table.rows as u64;
        let number = |name: &str| Arc::new(Field::new(name, DataType::UInt64, false));
        let rows: ArrayRef = Arc::new(UInt64Array::from_iter_values(first..*count));
        let mut kept: Vec<(FieldRef, ArrayRef)> = vec![(number(ROW), rows)];
        if let Some(parents) = table.parents {
            kept.push((number("_parent"), Arc::new(UInt64Array::from(parents))));
        }
        for (field, array) in table.columns {
            kept.extend(without_lists(&table.path, (field, array), first, waiting));
        }
        let (fields, arrays): (Vec<FieldRef>, Vec<ArrayRef>) = kept.into_iter().unzip();
        Ok(Part { path: table.path, batch: RecordBatch::try_new(Arc::new(Schema::new(unique(fields))), arrays)? })
    }
}

/// A column without the lists of records in it, which join the tables that wait; `first` is the number of its first row.
fn without_lists(
    path: &str,
    (field, array): (FieldRef, ArrayRef),
    first: u64,
    waiting: &mut Vec<Table>,
) -> Option<(FieldRef, ArrayRef)> {
    let path = if path.is_empty() { field.name().clone() } else { format!("{path}.{}", field.name()) };
    match field.data_type() {
        DataType::List(item) if matches!(item.data_type(), DataType::Struct(_)) => {
            let list = array.as_list::<i32>();
            let rows = list.offsets().windows(2).zip(first..);
            let parents = rows.flat_map(|(ends, row)| (ends[0]..ends[1]).map(move |_| row)).collect();
            let elements = list.values().as_struct();
            let columns = elements.fields().iter().cloned().zip(elements.columns().iter().cloned()).collect();
            waiting.push(Table { path, parents: Some(parents), columns, rows: elements.len() });
            None
        }
        DataType::Struct(_) => {
            let structs = array.as_struct();
            let members = structs.fields().iter().cloned().zip(structs.columns().iter().cloned());
            let kept = members.filter_map(|member| without_lists(&path, member, first, waiting));
            let (fields, arrays): (Vec<FieldRef>, Vec<ArrayRef>) = kept.unzip();
            if fields.is_empty() {
                let there = (0..structs.len()).map(|row| Some(structs.is_valid(row)));
                let field = Field::new(field.name(), DataType::Boolean, true);
                return Some((Arc::new(field), Arc::new(BooleanArray::from_iter(there))));
            }
            let data = DataType::Struct(fields.clone().into());
            let array = StructArray::new(fields.into(), arrays, structs.nulls().cloned());
            Some((Arc::new(field.as_ref().clone().with_data_type(data)), Arc::new(array)))
        }
        _ => Some((field, array)),
    }
}
