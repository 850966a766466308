//! `schema.capnp`'s Node and what it holds. Values that are pointers wait until all nodes are there.

use super::fault::Read;
use super::types::{read_brand, type_at};
use super::values::read_plain;
use super::view::StructView;
use crate::model::{
    Annotation, Brand, Enumerant, Field, FieldKind, Interface, Method, Nested, Node, NodeId, NodeKind, Struct, Targets,
    Type, Union, Value,
};

/// A Value that is to be read when all nodes are known, and where it belongs.
pub(super) struct Pending<'m> {
    pub value: StructView<'m>,
    pub ty: PendingType,
    pub place: ValuePlace,
}

pub(super) enum PendingType {
    Known(Type),
    /// The type that the annotation of that id is declared with, in scopes of that brand.
    OfAnnotation(NodeId, Brand),
}

/// The place of a value in its node.
#[derive(Clone, Copy)]
pub(super) enum ValuePlace {
    Constant,
    /// The default of a field.
    Default(usize),
    /// An annotation of the node.
    Annotation(usize),
    /// An annotation of a field, enumerant or method.
    MemberAnnotation(usize, usize),
}

/// Reads nodes; what is to be read later goes to `pending`.
#[derive(Default)]
pub(super) struct NodeReader<'m> {
    pub pending: Vec<Pending<'m>>,
}

impl<'m> NodeReader<'m> {
    /// `Node`: id u64 0, displayNamePrefixLength u32 2, tag u16 6, scopeId u64 2, isGeneric bit 288; pointers: 0
    /// displayName, 1 nestedNodes, 2 annotations, 5 parameters; 3 and 4 are the kind's.
    pub fn node(&mut self, view: StructView<'m>) -> Read<Node> {
        let display_name = view.text(0)?.to_owned();
        let prefix_len = view.u32(2) as usize;
        if display_name.get(prefix_len..).is_none_or(str::is_empty) {
            return Err(
                view.fault(format!("the name `{display_name}` has no part behind its first {prefix_len} bytes"))
            );
        }
        let parameters = view.list(5)?.each("parameters", |parameter| Ok(parameter.text(0)?.to_owned()))?;
        let annotations = self.annotations(view, 2, ValuePlace::Annotation)?;
        let nested = view.list(1)?.each("nestedNodes", |entry| {
            Ok(Nested { name: name(entry)?, id: entry.u64(0) }) // name pointer 0, id u64 0
        })?;
        Ok(Node {
            id: view.u64(0),
            display_name,
            prefix_len,
            scope: view.u64(2),
            nested,
            parameters,
            generic: view.bool(288),
            annotations,
            doc: String::new(),
            span: None,
            kind: self.kind(view)?,
        })
    }

    fn kind(&mut self, view: StructView<'m>) -> Read<NodeKind> {
        match view.u16(6) {
            0 => Ok(NodeKind::File),
            1 => self.structure(view).map(NodeKind::Struct).map_err(|fault| fault.within("struct")),
            2 => {
                let enumerants = self.members(view, "enumerants", |reader, index, view| reader.enumerant(index, view));
                Ok(NodeKind::Enum(enumerants.map_err(|fault| fault.within("enum"))?))
            }
            3 => self.interface(view).map(NodeKind::Interface).map_err(|fault| fault.within("interface")),
            4 => {
                let ty = type_at(view, 3, "const.type")?;
                let value = self.value(view.structure(4)?, &ty, ValuePlace::Constant);
                Ok(NodeKind::Const { value: value.map_err(|fault| fault.within("const.value"))?, ty })
            }
            5 => Ok(NodeKind::Annotation { ty: type_at(view, 3, "annotation.type")?, targets: targets(view) }),
            kind => Err(view.fault(format!("a node of kind {kind}, which this version of Aldis does not know"))),
        }
    }

    /// `Node.struct`: dataWordCount u16 7, pointerCount u16 12, isGroup bit 224, discriminantCount u16 15,
    /// discriminantOffset u32 8, fields pointer 3.
    fn structure(&mut self, view: StructView<'m>) -> Read<Struct> {
        let members = view.u16(15);
        Ok(Struct {
            data_words: view.u16(7),
            pointers: view.u16(12),
            is_group: view.bool(224),
            union: (members > 0).then(|| Union { members, discriminant: view.u32(8) }),
            fields: self.members(view, "fields", |reader, index, view| reader.field(index, view))?,
        })
    }

    /// `Field`: codeOrder u16 0, discriminantValue u16 1 (0xffff, stored inverted, for none), tag u16 4, ordinal's tag
    /// u16 5, ordinal u16 6; pointers: 0 name, 1 annotations.
    fn field(&mut self, index: usize, view: StructView<'m>) -> Read<Field> {
        let discriminant = view.u16(1) ^ 0xffff;
        let ordinal = match view.u16(5) {
            0 => None,
            1 => Some(view.u16(6)),
            kind => {
                let message = format!("an ordinal of kind {kind}, which this version of Aldis does not know");
                return Err(view.fault(message));
            }
        };
        let kind = match view.u16(4) {
            0 => self.slot(index, view).map_err(|fault| fault.within("slot"))?,
            1 => FieldKind::Group(view.u64(2)),
            kind => {
                return Err(view.fault(format!("a field of kind {kind}, which this version of Aldis does not know")))
            }
        };
        Ok(Field {
            name: name(view)?,
            code_order: view.u16(0),
            discriminant: (discriminant != 0xffff).then_some(discriminant),
            ordinal,
            annotations: self.annotations(view, 1, |number| ValuePlace::MemberAnnotation(index, number))?,
            doc: String::new(),
            span: None,
            kind,
        })
    }

    /// `Field.slot`: offset u32 1, hadExplicitDefault bit 128; pointers: 2 type, 3 defaultValue.
    fn slot(&mut self, index: usize, view: StructView<'m>) -> Read<FieldKind> {
        let ty = type_at(view, 2, "type")?;
        let default = self.value(view.structure(3)?, &ty, ValuePlace::Default(index));
        Ok(FieldKind::Slot {
            offset: view.u32(1),
            default: default.map_err(|fault| fault.within("defaultValue"))?,
            ty,
            explicit_default: view.bool(128),
        })
    }

    /// `Enumerant`: codeOrder u16 0; pointers: 0 name, 1 annotations.
    fn enumerant(&mut self, index: usize, view: StructView<'m>) -> Read<Enumerant> {
        Ok(Enumerant {
            name: name(view)?,
            code_order: view.u16(0),
            annotations: self.annotations(view, 1, |number| ValuePlace::MemberAnnotation(index, number))?,
            doc: String::new(),
            span: None,
        })
    }

    /// `Node.interface`: pointers 3 methods, 4 superclasses. `Superclass`: id u64 0, brand pointer 0.
    fn interface(&mut self, view: StructView<'m>) -> Read<Interface> {
        Ok(Interface {
            methods: self.members(view, "methods", |reader, index, view| reader.method(index, view))?,
            superclasses: view.list(4)?.each("superclasses", |entry| Ok((entry.u64(0), read_brand(entry, 0)?)))?,
        })
    }

    /// `Method`: codeOrder u16 0, paramStructType u64 1, resultStructType u64 2; pointers: 0 name, 1 annotations, 2
    /// paramBrand, 3 resultBrand, 4 implicitParameters.
    fn method(&mut self, index: usize, view: StructView<'m>) -> Read<Method> {
        Ok(Method {
            name: name(view)?,
            code_order: view.u16(0),
            implicit_parameters: view.list(4)?.each("implicitParameters", name)?,
            params: (view.u64(1), read_brand(view, 2)?),
            results: (view.u64(2), read_brand(view, 3)?),
            annotations: self.annotations(view, 1, |number| ValuePlace::MemberAnnotation(index, number))?,
            doc: String::new(),
            span: None,
        })
    }

    /// The list of pointer 3, where each kind of node has its members.
    fn members<T>(
        &mut self,
        view: StructView<'m>,
        list: &str,
        mut read: impl FnMut(&mut Self, usize, StructView<'m>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut index = 0;
        view.list(3)?.each(list, |member| {
            index += 1;
            read(self, index - 1, member)
        })
    }

    /// `Annotation`: id u64 0; pointers: 0 value, 1 brand. Their types are not known yet, so all values wait.
    fn annotations(
        &mut self,
        view: StructView<'m>,
        pointer: usize,
        place: impl Fn(usize) -> ValuePlace,
    ) -> Read<Vec<Annotation>> {
        let mut number = 0;
        view.list(pointer)?.each("annotations", |entry| {
            let id = entry.u64(0);
            let brand = read_brand(entry, 1)?;
            let ty = PendingType::OfAnnotation(id, brand.clone());
            self.pending.push(Pending { value: entry.structure(0)?, ty, place: place(number) });
            number += 1;
            Ok(Annotation { id, brand, value: Value::Null })
        })
    }

    /// A value of a known type; pointers and enumerants take other nodes to read and check.
    fn value(&mut self, value: StructView<'m>, ty: &Type, place: ValuePlace) -> Read<Value> {
        let plain = read_plain(value, ty)?;
        if plain.is_none() || matches!(ty, Type::Enum(..)) {
            self.pending.push(Pending { value, ty: PendingType::Known(ty.clone()), place });
        }
        Ok(plain.unwrap_or(Value::Null))
    }
}

/// The name of pointer 0, which must be there.
fn name(view: StructView<'_>) -> Read<String> {
    match view.text(0)? {
        "" => Err(view.fault("something has no name")),
        name => Ok(name.to_owned()),
    }
}

/// `Node.annotation`'s targets: bits 112 to 123.
fn targets(view: StructView<'_>) -> Targets {
    Targets {
        file: view.bool(112),
        constant: view.bool(113),
        enumeration: view.bool(114),
        enumerant: view.bool(115),
        structure: view.bool(116),
        field: view.bool(117),
        union: view.bool(118),
        group: view.bool(119),
        interface: view.bool(120),
        method: view.bool(121),
        param: view.bool(122),
        annotation: view.bool(123),
    }
}

/// The value at `place` of a node.
pub(super) fn value_at(node: &mut Node, place: ValuePlace) -> Option<&mut Value> {
    match (&mut node.kind, place) {
        (NodeKind::Const { value, .. }, ValuePlace::Constant) => Some(value),
        (NodeKind::Struct(shape), ValuePlace::Default(field)) => match &mut shape.fields.get_mut(field)?.kind {
            FieldKind::Slot { default, .. } => Some(default),
            FieldKind::Group(_) => None,
        },
        (_, ValuePlace::Annotation(number)) => Some(&mut node.annotations.get_mut(number)?.value),
        (kind, ValuePlace::MemberAnnotation(member, number)) => {
            let annotations = match kind {
                NodeKind::Struct(shape) => &mut shape.fields.get_mut(member)?.annotations,
                NodeKind::Enum(enumerants) => &mut enumerants.get_mut(member)?.annotations,
                NodeKind::Interface(interface) => &mut interface.methods.get_mut(member)?.annotations,
                _ => return None,
            };
            Some(&mut annotations.get_mut(number)?.value)
        }
        _ => None,
    }
}
