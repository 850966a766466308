//! Times of seconds as milliseconds: Parquet has no seconds, and readers would find plain integers.

use arrow_array::{make_array, Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;

/// The schema that Parquet has for batches of this one.
pub(crate) fn schema(schema: &SchemaRef) -> SchemaRef {
    let fields: Fields = schema.fields().iter().map(field).collect();
    if fields == *schema.fields() {
        return schema.clone();
    }
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn field(own: &FieldRef) -> FieldRef {
    let data = data_type(own.data_type());
    if data == *own.data_type() {
        own.clone()
    } else {
        Arc::new(Field::clone(own).with_data_type(data))
    }
}

fn data_type(data: &DataType) -> DataType {
    match data {
        DataType::Timestamp(TimeUnit::Second, zone) => DataType::Timestamp(TimeUnit::Millisecond, zone.clone()),
        DataType::List(item) => DataType::List(field(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::Map(entries, sorted) => DataType::Map(field(entries), *sorted),
        _ => data.clone(),
    }
}

/// The batch with the columns of that schema, which is its own schema with milliseconds for seconds.
///
/// # Errors
/// Where a time in milliseconds is beyond 64 bits with a sign.
pub(crate) fn batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().zip(schema.fields());
    let columns = columns.map(|(column, field)| array(column, field.data_type())).collect::<Result<Vec<_>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
}

fn array(array: &ArrayRef, wanted: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == wanted {
        return Ok(array.clone());
    }
    Ok(make_array(values(&array.to_data(), wanted)?))
}

fn values(data: &ArrayData, wanted: &DataType) -> Result<ArrayData, ArrowError> {
    let children: Vec<&DataType> = match wanted {
        own if own == data.data_type() => return Ok(data.clone()),
        DataType::List(child) | DataType::Map(child, _) => vec![child.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        _ => return milliseconds(data, wanted),
    };
    let children = data.child_data().iter().zip(children).map(|(child, wanted)| values(child, wanted));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    data.clone().into_builder().data_type(wanted.clone()).child_data(children).build()
}

fn milliseconds(data: &ArrayData, wanted: &DataType) -> Result<ArrayData, ArrowError> {
    let seconds = &data.buffer::<i64>(0)[..data.len()];
    let beyond = |seconds: &i64| {
        ArrowError::CastError(format!(
            "{seconds} seconds are more milliseconds than 64 bits can be, and Parquet has no seconds: say --times integers"
        ))
    };
    let thousandfold = |(row, seconds): (usize, &i64)| match seconds.checked_mul(1000) {
        None if data.is_null(row) => Ok(0),
        milliseconds => milliseconds.ok_or_else(|| beyond(seconds)),
    };
    let values: Vec<i64> = seconds.iter().enumerate().map(thousandfold).collect::<Result<_, _>>()?;
    let builder = ArrayData::builder(wanted.clone()).len(data.len()).nulls(data.nulls().cloned());
    builder.add_buffer(Buffer::from_vec(values)).build()
}
