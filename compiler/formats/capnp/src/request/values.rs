//! Values of a schema: what `schema.capnp`'s Value holds, pointers decoded by their type.

use super::fault::{Fault, Read};
use super::flat::flat;
use super::message::WORD;
use super::view::{ListView, Pointer, StructView};
use crate::model::{
    AnyPointer, Bindings, Brand, Field, FieldKind, Node, NodeId, NodeKind, Struct, StructValue, Type, Value,
};
use std::collections::BTreeMap;

/// The tag that a Value of this type has.
fn tag_of(ty: &Type) -> u16 {
    match ty {
        Type::Void => 0,
        Type::Bool => 1,
        Type::Int8 => 2,
        Type::Int16 => 3,
        Type::Int32 => 4,
        Type::Int64 => 5,
        Type::Uint8 => 6,
        Type::Uint16 => 7,
        Type::Uint32 => 8,
        Type::Uint64 => 9,
        Type::Float32 => 10,
        Type::Float64 => 11,
        Type::Text => 12,
        Type::Data => 13,
        Type::List(_) => 14,
        Type::Enum(..) => 15,
        Type::Struct(..) => 16,
        Type::Interface(..) => 17,
        Type::AnyPointer(_) => 18,
    }
}

/// Whether a value of the type stands in a data section, and how wide it is there: in bits, 0 for Void.
pub(super) fn data_bits(ty: &Type) -> Option<usize> {
    Some(match ty {
        Type::Void => 0,
        Type::Bool => 1,
        Type::Int8 | Type::Uint8 => 8,
        Type::Int16 | Type::Uint16 | Type::Enum(..) => 16,
        Type::Int32 | Type::Uint32 | Type::Float32 => 32,
        Type::Int64 | Type::Uint64 | Type::Float64 => 64,
        Type::Text | Type::Data | Type::List(_) | Type::Struct(..) | Type::Interface(..) | Type::AnyPointer(_) => {
            return None
        }
    })
}

/// The value that the bits of a data section mean; `None` for types of pointers.
fn from_bits(ty: &Type, bits: u64) -> Option<Value> {
    Some(match ty {
        Type::Void => Value::Void,
        Type::Bool => Value::Bool(bits & 1 == 1),
        Type::Int8 => Value::Int((bits as i8).into()),
        Type::Int16 => Value::Int((bits as i16).into()),
        Type::Int32 => Value::Int((bits as i32).into()),
        Type::Int64 => Value::Int((bits as i64).into()),
        Type::Uint8 | Type::Uint16 | Type::Uint32 | Type::Uint64 => Value::Int(bits.into()),
        Type::Float32 => Value::Float32(bits as u32),
        Type::Float64 => Value::Float64(bits),
        Type::Enum(..) => Value::Enum(bits as u16),
        Type::Text | Type::Data | Type::List(_) | Type::Struct(..) | Type::Interface(..) | Type::AnyPointer(_) => {
            return None
        }
    })
}

/// The bits of a value in a data section.
fn to_bits(value: &Value) -> u64 {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => *value as u64,
        Value::Float32(bits) => (*bits).into(),
        Value::Float64(bits) => *bits,
        Value::Enum(number) => (*number).into(),
        _ => 0,
    }
}

/// The value of a Value whose type is plain data: tag u16 0, then the value at its size's first place behind that.
/// `None` where it is a pointer, which takes all nodes to read.
pub(super) fn read_plain(view: StructView<'_>, ty: &Type) -> Read<Option<Value>> {
    let (tag, wanted) = (view.u16(0), tag_of(ty));
    if tag != wanted {
        return Err(view.fault(format!("a value of kind {tag} for a type whose values are of kind {wanted}")));
    }
    let Some(size) = data_bits(ty) else { return Ok(None) };
    let index = match size {
        1 => 16,
        8 => 2,
        _ => 1,
    };
    let bits = if size == 0 { 0 } else { view.number(index, size) };
    Ok(from_bits(ty, bits))
}

/// The declarations by which values are decoded.
#[derive(Clone, Copy)]
pub(super) struct Decoder<'n> {
    pub nodes: &'n BTreeMap<NodeId, Node>,
}

/// The bindings of generic parameters where a type is used; bindings speak in terms of the scope around.
#[derive(Clone, Copy)]
struct Scope<'t> {
    brand: &'t Brand,
    outer: Option<&'t Scope<'t>>,
}

impl Decoder<'_> {
    /// The value of any Value: pointer 0 where the type is one of pointers.
    pub fn read(self, view: StructView<'_>, ty: &Type) -> Read<Value> {
        self.read_within(view, ty, None)
    }

    /// The same for an annotation whose name has that brand: its type may be a parameter of a scope around it.
    pub fn read_branded(self, view: StructView<'_>, ty: &Type, brand: &Brand) -> Read<Value> {
        let scope = Scope { brand, outer: None };
        match ty {
            Type::AnyPointer(any) => match bound(*any, Some(&scope)) {
                Some((ty, outer)) => self.read_within(view, ty, outer),
                None => self.read(view, ty),
            },
            _ => self.read_within(view, ty, Some(&scope)),
        }
    }

    fn read_within(self, view: StructView<'_>, ty: &Type, scope: Option<&Scope<'_>>) -> Read<Value> {
        match read_plain(view, ty)? {
            Some(value) => self.known_enumerant(value, ty).map_err(|message| view.fault(message)),
            None => self.pointer(&view.pointer(0)?, ty, scope, view.offset()),
        }
    }

    /// The value of a whole message's root, for a struct type.
    pub fn root(self, view: StructView<'_>, id: NodeId, brand: &Brand) -> Read<StructValue> {
        self.structure(view, id, Some(&Scope { brand, outer: None }))
    }

    /// `offset` is where the pointer was met, for faults.
    fn pointer(self, pointer: &Pointer<'_>, ty: &Type, scope: Option<&Scope<'_>>, offset: usize) -> Read<Value> {
        match (ty, pointer) {
            (_, Pointer::Null) => Ok(Value::Null),
            (Type::Text, Pointer::List(list)) => Ok(Value::Text(list.text()?.to_owned())),
            (Type::Data, Pointer::List(list)) => Ok(Value::Data(list.bytes()?.to_owned())),
            (Type::List(element), Pointer::List(list)) => self.list(*list, element, scope, offset),
            (Type::Struct(id, brand), Pointer::Struct(view)) => {
                let inner = Scope { brand, outer: scope };
                Ok(Value::Struct(self.structure(*view, *id, Some(&inner))?))
            }
            (Type::AnyPointer(any), pointer) => self.any(pointer, *any, scope, offset),
            _ => Err(Fault::new(offset, "a value's pointer leads to something else than its type says")),
        }
    }

    /// Decodes by the type that a generic parameter is bound to; what no type tells is copied as it is.
    fn any(self, pointer: &Pointer<'_>, any: AnyPointer, scope: Option<&Scope<'_>>, offset: usize) -> Read<Value> {
        match bound(any, scope) {
            Some((ty, outer)) if !matches!(ty, Type::AnyPointer(_)) => self.pointer(pointer, ty, outer, offset),
            Some((Type::AnyPointer(other), Some(outer))) => self.any(pointer, *other, Some(outer), offset),
            _ => flat(pointer, offset).map(Value::Opaque),
        }
    }

    fn list(self, list: ListView<'_>, element: &Type, scope: Option<&Scope<'_>>, offset: usize) -> Read<Value> {
        let one = |index| match (element, data_bits(element)) {
            (Type::Struct(id, brand), _) => {
                let inner = Scope { brand, outer: scope };
                Ok(Value::Struct(self.structure(list.structure(index)?, *id, Some(&inner))?))
            }
            (_, Some(size)) => {
                let bits = if size == 0 { 0 } else { list.number(index, size)? };
                let value = from_bits(element, bits).unwrap_or(Value::Void);
                self.known_enumerant(value, element).map_err(|message| Fault::new(offset, message))
            }
            (_, None) => self.pointer(&list.pointer(index)?, element, scope, offset),
        };
        Ok(Value::List((0..list.count).map(one).collect::<Read<_>>()?))
    }

    /// The normal form of a struct's value: see [`StructValue`].
    fn structure(self, view: StructView<'_>, id: NodeId, scope: Option<&Scope<'_>>) -> Read<StructValue> {
        let unknown = || view.fault(format!("a value of struct {id:#x}, which is not in the request"));
        let shape = struct_of(self.nodes, id).ok_or_else(unknown)?;
        // Elements without bytes are cheap in the message, but not to spell out.
        view.message.charge(view.start, shape.fields.len() * WORD)?;
        let tag = shape.union.map(|union| view.u16(union.discriminant as usize));
        let mut fields = Vec::new();
        for (index, field) in shape.fields.iter().enumerate() {
            if field.discriminant.is_some() && field.discriminant != tag {
                continue;
            }
            let (value, plain) = self.field(view, field, scope)?;
            if !plain || field.discriminant.is_some_and(|discriminant| discriminant != 0) {
                fields.push((index, value));
            }
        }
        Ok(StructValue { fields })
    }

    /// A field's value, and whether it is what an all-zero struct holds.
    fn field(self, view: StructView<'_>, field: &Field, scope: Option<&Scope<'_>>) -> Read<(Value, bool)> {
        match &field.kind {
            FieldKind::Group(id) => {
                let value = self.structure(view, *id, scope)?;
                let plain = value.fields.is_empty();
                Ok((Value::Struct(value), plain))
            }
            FieldKind::Slot { offset, ty, default, .. } => {
                let index = *offset as usize;
                let Some(size) = data_bits(ty) else {
                    let value = self.pointer(&view.pointer(index)?, ty, scope, view.offset())?;
                    let plain = value == Value::Null;
                    return Ok((value, plain));
                };
                let stored = if size == 0 { 0 } else { view.number(index, size) };
                let value = from_bits(ty, stored ^ to_bits(default) & mask(size)).unwrap_or(Value::Void);
                let value = self.known_enumerant(value, ty).map_err(|message| view.fault(message))?;
                Ok((value, stored == 0))
            }
        }
    }

    /// The value, unless it is the number of an enumerant that there is not.
    fn known_enumerant(self, value: Value, ty: &Type) -> Result<Value, String> {
        let (Value::Enum(number), Type::Enum(id, _)) = (&value, ty) else { return Ok(value) };
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(NodeKind::Enum(enumerants)) if usize::from(*number) < enumerants.len() => Ok(value),
            // An enum need not have enumerants to be the type of a field.
            Some(NodeKind::Enum(_)) if *number == 0 => Ok(value),
            Some(NodeKind::Enum(enumerants)) => {
                Err(format!("enumerant {number} of enum {id:#x}, which has {}", enumerants.len()))
            }
            _ => Err(format!("a value of enum {id:#x}, which is not in the request")),
        }
    }
}

/// The bits of an unsigned number of that size.
fn mask(size: usize) -> u64 {
    1u64.checked_shl(size as u32).map_or(u64::MAX, |limit| limit - 1)
}

/// The struct or group of that id.
pub(super) fn struct_of(nodes: &BTreeMap<NodeId, Node>, id: NodeId) -> Option<&Struct> {
    match &nodes.get(&id)?.kind {
        NodeKind::Struct(shape) => Some(shape),
        _ => None,
    }
}

/// The type that a generic parameter is bound to, and the scope that says so.
fn bound<'t>(any: AnyPointer, scope: Option<&'t Scope<'t>>) -> Option<(&'t Type, Option<&'t Scope<'t>>)> {
    let AnyPointer::Parameter { scope: declared, index } = any else { return None };
    let mut scope = scope;
    while let Some(here) = scope {
        match &here.brand.scopes.iter().find(|entry| entry.scope == declared)?.binding {
            Bindings::Bind(types) => return types.get(usize::from(index))?.as_ref().map(|ty| (ty, here.outer)),
            Bindings::Inherit => scope = here.outer,
        }
    }
    None
}
