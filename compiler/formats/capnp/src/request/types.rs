//! `schema.capnp`'s Type and Brand.

use super::fault::Read;
use super::view::StructView;
use crate::model::{AnyPointer, Bindings, Brand, BrandScope, Type};

/// `Type`: tag u16 0; ids u64 1; element type or brand pointer 0.
pub(super) fn read_type(view: StructView<'_>) -> Read<Type> {
    let named = |make: fn(u64, Brand) -> Type| Ok(make(view.u64(1), read_brand(view, 0)?));
    Ok(match view.u16(0) {
        0 => Type::Void,
        1 => Type::Bool,
        2 => Type::Int8,
        3 => Type::Int16,
        4 => Type::Int32,
        5 => Type::Int64,
        6 => Type::Uint8,
        7 => Type::Uint16,
        8 => Type::Uint32,
        9 => Type::Uint64,
        10 => Type::Float32,
        11 => Type::Float64,
        12 => Type::Text,
        13 => Type::Data,
        14 => Type::List(Box::new(type_at(view, 0, "elementType")?)),
        15 => return named(Type::Enum),
        16 => return named(Type::Struct),
        17 => return named(Type::Interface),
        18 => Type::AnyPointer(any_pointer(view)?),
        tag => return Err(view.fault(format!("a type of kind {tag}, which this version of Aldis does not know"))),
    })
}

/// The type of the pointer `index`.
pub(super) fn type_at(view: StructView<'_>, index: usize, name: &str) -> Read<Type> {
    view.structure(index).and_then(read_type).map_err(|fault| fault.within(name))
}

/// `Type.anyPointer`: tag u16 4, unconstrained's tag or parameterIndex u16 5, scopeId u64 2.
fn any_pointer(view: StructView<'_>) -> Read<AnyPointer> {
    Ok(match (view.u16(4), view.u16(5)) {
        (0, 0) => AnyPointer::AnyKind,
        (0, 1) => AnyPointer::Struct,
        (0, 2) => AnyPointer::List,
        (0, 3) => AnyPointer::Capability,
        (1, index) => AnyPointer::Parameter { scope: view.u64(2), index },
        (2, index) => AnyPointer::ImplicitMethodParameter { index },
        (tag, kind) => {
            let message = format!("an AnyPointer of kind {tag}.{kind}, which this version of Aldis does not know");
            return Err(view.fault(message));
        }
    })
}

/// The `Brand` of the pointer `index`: scopes pointer 0.
pub(super) fn read_brand(view: StructView<'_>, index: usize) -> Read<Brand> {
    let scopes = view.structure(index).and_then(|brand| brand.list(0));
    let scopes = scopes.and_then(|list| list.each("scopes", read_scope));
    Ok(Brand { scopes: scopes.map_err(|fault| fault.within("brand"))? })
}

/// `Brand.Scope`: scopeId u64 0, tag u16 4, bind pointer 0.
fn read_scope(view: StructView<'_>) -> Read<BrandScope> {
    let binding = match view.u16(4) {
        0 => Bindings::Bind(view.list(0)?.each("bind", read_binding)?),
        1 => Bindings::Inherit,
        tag => return Err(view.fault(format!("a brand of kind {tag}, which this version of Aldis does not know"))),
    };
    Ok(BrandScope { scope: view.u64(0), binding })
}

/// `Brand.Binding`: tag u16 0, type pointer 0.
fn read_binding(view: StructView<'_>) -> Read<Option<Type>> {
    match view.u16(0) {
        0 => Ok(None),
        1 => type_at(view, 0, "type").map(Some),
        tag => Err(view.fault(format!("a binding of kind {tag}, which this version of Aldis does not know"))),
    }
}
