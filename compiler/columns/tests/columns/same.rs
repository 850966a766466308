//! Compares values of the interpreter with those of arrays, by the schema alone.

use aldis_columns::Options;
use aldis_interpreter::{Codec, Value};
use aldis_schema::{Encoding, Field, Type, TypeKind};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

pub struct Sameness<'c> {
    pub codec: &'c Codec,
    pub options: Options,
}

fn text(bytes: &[u8], encoding: Encoding) -> String {
    match encoding {
        Encoding::Utf8 => String::from_utf8(bytes.to_vec()).expect("strict text"),
        Encoding::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

fn word(array: &ArrayRef, row: usize) -> String {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<Int32Type>();
            dictionary.values().as_string::<i32>().value(dictionary.keys().value(row) as usize).to_owned()
        }
        _ => array.as_string::<i32>().value(row).to_owned(),
    }
}

/// The number in an array, whatever its type.
fn number(array: &ArrayRef, row: usize) -> i128 {
    match array.data_type() {
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).into(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).into(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into(),
        DataType::Date32 => array.as_primitive::<Date32Type>().value(row).into(),
        DataType::Timestamp(arrow_schema::TimeUnit::Nanosecond, Some(zone)) if &**zone == "UTC" => {
            array.as_primitive::<TimestampNanosecondType>().value(row).into()
        }
        DataType::Decimal128(..) => array.as_primitive::<Decimal128Type>().value(row),
        other => panic!("{other} for a number"),
    }
}

impl Sameness<'_> {
    pub fn fields(
        &self,
        fields: &[Field],
        owner: aldis_schema::TypeId,
        given: &[Value],
        arrays: &[ArrayRef],
        row: usize,
    ) {
        assert_eq!(fields.len(), arrays.len());
        for (index, (field, array)) in fields.iter().zip(arrays).enumerate() {
            let value = given.get(index).unwrap_or_else(|| self.codec.missing(owner, index));
            self.value(&field.ty, value, array, row);
        }
    }

    fn value(&self, ty: &Type, value: &Value, array: &ArrayRef, row: usize) {
        let ty = ty.required();
        if *value == Value::Null {
            let there = *ty == Type::Void && array.as_boolean().value(row);
            return assert!(there || array.is_null(row), "{ty:?}: null is {array:?} at {row}");
        }
        if let (Type::Named(id), DataType::Decimal128(..), Value::Record(given)) = (ty, array.data_type(), value) {
            let record = self.codec.plan().schema.record(*id);
            let mantissa = record.field_index("mantissa").unwrap();
            return self.value(&record.fields[mantissa].ty, &given[mantissa], array, row);
        }
        assert!(array.is_valid(row), "{ty:?}: {value:?} is null");
        match (ty, value) {
            (Type::Named(_), _) => self.named(ty, value, array, row),
            (_, Value::Bool(wanted)) => assert_eq!(array.as_boolean().value(row), *wanted),
            (Type::Char, Value::UInt(byte)) => assert_eq!(word(array, row), char::from(*byte as u8).to_string()),
            (_, Value::Int(wanted)) => assert_eq!(number(array, row), i128::from(*wanted)),
            (_, Value::UInt(wanted)) => assert_eq!(number(array, row), i128::from(*wanted)),
            (_, Value::F32(wanted)) => {
                assert_eq!(array.as_primitive::<Float32Type>().value(row).to_bits(), wanted.to_bits());
            }
            (_, Value::F64(wanted)) => {
                assert_eq!(array.as_primitive::<Float64Type>().value(row).to_bits(), wanted.to_bits());
            }
            (_, Value::Decimal(wanted)) => match self.options.decimals {
                None => assert_eq!(word(array, row), wanted.to_string()),
                Some(scale) => {
                    let found = array.as_primitive::<Decimal128Type>().value(row);
                    let sign = if wanted.negative { -1 } else { 1 };
                    let (up, down) = (10i128.pow(scale.into()), 10i128.pow(wanted.scale.into()));
                    assert_eq!(found.checked_mul(down), (sign * wanted.coefficient as i128).checked_mul(up));
                }
            },
            (_, Value::Uuid(wanted)) => assert_eq!(array.as_fixed_size_binary().value(row), wanted),
            (Type::Text(encoding) | Type::Chars { encoding, .. }, Value::Bytes(bytes)) => {
                assert_eq!(word(array, row), text(bytes, *encoding));
            }
            (_, Value::Bytes(bytes) | Value::Opaque(bytes)) => {
                assert_eq!(array.as_binary::<i32>().value(row), &**bytes);
            }
            (Type::Map { key, value: inner, .. }, Value::Map(pairs)) => {
                let entries = match array.data_type() {
                    DataType::Map(..) => array.as_map().value(row),
                    _ => array.as_list::<i32>().value(row).as_struct().clone(),
                };
                assert_eq!(entries.len(), pairs.len());
                for (index, (left, right)) in pairs.iter().enumerate() {
                    self.value(key, left, entries.column(0), index);
                    self.value(inner, right, entries.column(1), index);
                }
            }
            _ => {
                let elements = self.codec.elements(ty.element(), value);
                let list = array.as_list::<i32>().value(row);
                assert_eq!(list.len(), elements.len());
                elements.iter().enumerate().for_each(|(index, one)| self.value(ty.element(), one, &list, index));
            }
        }
    }

    fn named(&self, ty: &Type, value: &Value, array: &ArrayRef, row: usize) {
        let Type::Named(id) = ty else { unreachable!() };
        let wanted = match value {
            Value::Int(number) => i128::from(*number),
            Value::UInt(number) => i128::from(*number),
            _ => 0,
        };
        match (&self.codec.plan().schema.type_def(*id).kind, value) {
            (TypeKind::Enum(definition), _) => match array.data_type() {
                DataType::Dictionary(..) => {
                    let known = definition.values.iter().find(|known| known.value == wanted);
                    let digits = wanted.to_string();
                    assert_eq!(word(array, row), known.map_or(digits.as_str(), |known| known.json_name()));
                }
                _ => assert_eq!(number(array, row), wanted),
            },
            (TypeKind::Flags(definition), _) => match array.data_type() {
                DataType::List(_) => {
                    let bits = definition.single_bits();
                    let mask = wanted as u64;
                    let mut names: Vec<String> =
                        bits.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, name)| (*name).to_owned()).collect();
                    let rest = bits.iter().fold(mask, |rest, (bit, _)| rest & !bit);
                    names.extend((rest != 0).then(|| rest.to_string()));
                    let list = array.as_list::<i32>().value(row);
                    assert_eq!((0..list.len()).map(|index| word(&list, index)).collect::<Vec<_>>(), names);
                }
                _ => assert_eq!(number(array, row), wanted),
            },
            (_, _) if *array.data_type() == DataType::Utf8 => {
                let mut json = Vec::new();
                self.codec.json_of(ty, value, &mut json).unwrap();
                assert_eq!(word(array, row).as_bytes(), json);
            }
            (TypeKind::Record(record), Value::Record(given)) => match array.data_type() {
                DataType::Boolean => assert!(record.fields.is_empty() && array.as_boolean().value(row)),
                _ => self.fields(&record.fields, *id, given, array.as_struct().columns(), row),
            },
            (TypeKind::Union(union), Value::Choice(tag, arm)) => {
                let found = array.as_struct();
                let chosen = union.arm_of(*tag);
                let name = chosen.map_or_else(|| tag.to_string(), |index| union.arms[index].field.name.clone());
                assert_eq!(word(found.column(0), row), name);
                for (index, column) in found.columns().iter().skip(1).enumerate() {
                    match chosen == Some(index) {
                        true => self.value(&union.arms[index].field.ty, arm, column, row),
                        false => assert!(column.is_null(row)),
                    }
                }
            }
            (kind, value) => panic!("{kind:?}: {value:?}"),
        }
    }
}
