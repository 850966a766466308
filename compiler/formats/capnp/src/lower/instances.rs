//! Types: one for each enum, group and union, and one for each struct and what its generic parameters are bound to.

use super::{json, local_path};
use crate::model::{self, AnyPointer, Bindings, Brand, Field, FieldKind, Model, Node, NodeId, NodeKind, Struct};
use aldis_schema::{
    Arm, Discriminator, Encoding, Enum, EnumValue, IntType, MessageDef, Name, Opaque, Record, Role, Type, TypeDef,
    TypeId, TypeKind, Union,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Generic types bound to generic types bound to … deeper than this are taken as unbound: a struct may ask for ever
/// deeper ones of itself.
const MAX_DEPTH: usize = 6;

/// The bindings of the parameters of the scopes around; a scope that is not there is unbound.
type Environment = BTreeMap<NodeId, Vec<Option<Type>>>;

/// All types of a schema, as they are asked for.
pub(super) struct Instances<'m> {
    pub model: &'m Model,
    pub types: Vec<TypeDef>,
    /// Parallel to `types`: where each came from.
    pub origins: Vec<Origin<'m>>,
    known: HashMap<(NodeId, Part, Environment), TypeId>,
    /// By node: the file it is in.
    files: BTreeMap<NodeId, NodeId>,
    /// The structs and groups that annotations give another JSON.
    annotated: HashSet<NodeId>,
}

/// The declaration that a type was made from.
pub(super) struct Origin<'m> {
    /// Generic types within generic types.
    depth: usize,
    /// The struct or group; `None` for enums.
    pub shape: Option<&'m Struct>,
    pub members: Vec<Member>,
}

/// A field of a record, or an arm of a union.
#[derive(Clone, Debug)]
pub(super) enum Member {
    /// The field of that index in its struct.
    Field(usize),
    /// The unnamed union.
    Union(TypeId),
}

/// A struct with fields beside its union has two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Record,
    Union,
}

impl<'m> Instances<'m> {
    /// The types of the requested files, then whatever they need.
    pub fn of(model: &'m Model) -> Self {
        let mut instances = Self {
            model,
            types: Vec::new(),
            origins: Vec::new(),
            known: HashMap::new(),
            files: BTreeMap::new(),
            annotated: json::annotated(model),
        };
        let files = model.nodes.values().filter(|node| matches!(node.kind, NodeKind::File));
        files.for_each(|file| instances.note_file(file.id, file.id));
        for file in &model.requested {
            instances.declared(*file);
        }
        instances
    }

    fn note_file(&mut self, file: NodeId, node: NodeId) {
        let mut open = vec![node];
        while let Some(id) = open.pop() {
            if self.files.insert(id, file).is_none() {
                open.extend(self.model.nodes.get(&id).into_iter().flat_map(|node| node.nested.iter().map(|n| n.id)));
            }
        }
    }

    /// Makes the types declared in a node, in source order.
    fn declared(&mut self, id: NodeId) {
        let Some(node) = self.model.nodes.get(&id) else { return };
        match &node.kind {
            NodeKind::Struct(_) => {
                self.record(id, Environment::new());
            }
            NodeKind::Enum(_) => {
                self.enumeration(id);
            }
            NodeKind::Interface(interface) => {
                for method in &interface.methods {
                    self.method_record(&method.params);
                    self.method_record(&method.results);
                }
            }
            NodeKind::File | NodeKind::Const { .. } | NodeKind::Annotation { .. } => {}
        }
        for nested in &node.nested {
            self.declared(nested.id);
        }
    }

    /// The record of a method's parameters or results, unbound.
    pub fn method_record(&mut self, (id, _): &(NodeId, Brand)) -> TypeId {
        self.record(*id, Environment::new())
    }

    /// The structs that can be messages: those of the requested files, unbound, then the imported ones in use.
    pub fn messages(&self) -> Vec<MessageDef> {
        let requested: BTreeSet<NodeId> = self.model.requested.iter().copied().collect();
        let mut found: Vec<(bool, TypeId)> = Vec::new();
        for ((node, part, environment), id) in &self.known {
            let definition = &self.types[id.index()];
            let is_struct = matches!(&definition.kind, TypeKind::Record(record) if record.role == Role::Struct);
            if is_struct && *part == Part::Record && environment.is_empty() {
                let listed = self.files.get(node).is_none_or(|file| requested.contains(file));
                found.push((listed, *id));
            }
        }
        found.sort_by_key(|(listed, id)| (!listed, *id));
        let message = |(listed, record)| MessageDef { record, id: None, rank: 0, listed };
        found.into_iter().map(message).collect()
    }

    /// By type: the file of its declaration, unless it binds parameters.
    pub fn declared_in(&self) -> HashMap<TypeId, Option<NodeId>> {
        let unbound = |((node, _, environment), id): (&(NodeId, Part, Environment), &TypeId)| {
            environment.is_empty().then(|| (*id, self.files.get(&self.declaration(*node)).copied()))
        };
        self.known.iter().filter_map(unbound).collect()
    }

    /// The declaration that a group is in; any other node itself.
    fn declaration(&self, id: NodeId) -> NodeId {
        match self.model.nodes.get(&id) {
            Some(Node { kind: NodeKind::Struct(shape), scope, .. }) if shape.is_group => self.declaration(*scope),
            _ => id,
        }
    }

    /// A node's name; that of an imported one is told apart by its file's.
    pub fn name_of(&self, node: &Node) -> Name {
        let file = self.files.get(&node.id).filter(|file| !self.model.requested.contains(file));
        let package = file.and_then(|file| self.model.nodes.get(file)).map_or_else(String::new, |file| {
            let name = file.display_name.rsplit('/').next().unwrap_or_default();
            name.strip_suffix(".capnp").unwrap_or(name).to_owned()
        });
        Name { package, path: local_path(node) }
    }

    /// The type of a field or element in the scope of `environment`.
    pub fn resolve(&mut self, ty: &model::Type, environment: &Environment) -> Type {
        let int = |bits, signed| Type::Int(IntType { bits, signed });
        match ty {
            model::Type::Void => Type::Void,
            model::Type::Bool => Type::Bool,
            model::Type::Int8 => int(8, true),
            model::Type::Int16 => int(16, true),
            model::Type::Int32 => int(32, true),
            model::Type::Int64 => int(64, true),
            model::Type::Uint8 => int(8, false),
            model::Type::Uint16 => int(16, false),
            model::Type::Uint32 => int(32, false),
            model::Type::Uint64 => int(64, false),
            model::Type::Float32 => Type::Float32,
            model::Type::Float64 => Type::Float64,
            model::Type::Text => Type::Text(Encoding::Utf8),
            model::Type::Data => Type::Bytes,
            model::Type::List(element) => {
                let element = self.resolve(element, environment);
                // A struct lies within its list, behind no pointer of its own.
                let pointer = is_pointer(&element) && !matches!(element, Type::Named(_));
                Type::List(Box::new(if pointer { element.optional() } else { element }))
            }
            model::Type::Enum(id, _) => Type::Named(self.enumeration(*id)),
            model::Type::Struct(id, brand) => {
                let inner = self.bind(brand, environment);
                Type::Named(self.record(*id, inner))
            }
            model::Type::Interface(..) => Type::Opaque(Opaque::Capability),
            model::Type::AnyPointer(any) => self.open(any, environment),
        }
    }

    fn open(&self, any: &AnyPointer, environment: &Environment) -> Type {
        match any {
            AnyPointer::AnyKind | AnyPointer::ImplicitMethodParameter { .. } => Type::Opaque(Opaque::Any),
            AnyPointer::Struct => Type::Opaque(Opaque::Record),
            AnyPointer::List => Type::Opaque(Opaque::List),
            AnyPointer::Capability => Type::Opaque(Opaque::Capability),
            AnyPointer::Parameter { scope, index } => {
                let bound = environment.get(scope).and_then(|types| types.get(usize::from(*index)).cloned());
                bound.flatten().unwrap_or(Type::Opaque(Opaque::Any))
            }
        }
    }

    /// The bindings that a brand gives the scopes of a type.
    fn bind(&mut self, brand: &Brand, environment: &Environment) -> Environment {
        let mut bound = Environment::new();
        for scope in &brand.scopes {
            let types: Vec<Option<Type>> = match &scope.binding {
                Bindings::Inherit => environment.get(&scope.scope).cloned().unwrap_or_default(),
                Bindings::Bind(types) => {
                    types.iter().map(|ty| ty.as_ref().map(|ty| self.resolve(ty, environment))).collect()
                }
            };
            if types.iter().any(|ty| ty.as_ref().is_some_and(|ty| *ty != Type::Opaque(Opaque::Any))) {
                bound.insert(scope.scope, types);
            }
        }
        bound
    }

    fn depth_of(&self, environment: &Environment) -> usize {
        let bound = environment.values().flatten().flatten().map(|ty| self.depth_of_type(ty));
        bound.max().map_or(0, |depth| depth + 1)
    }

    fn depth_of_type(&self, ty: &Type) -> usize {
        match ty {
            Type::Named(id) => self.origins[id.index()].depth,
            Type::List(element) => 1 + self.depth_of_type(element),
            Type::Optional(inner) => self.depth_of_type(inner),
            _ => 0,
        }
    }

    fn enumeration(&mut self, id: NodeId) -> TypeId {
        let key = (id, Part::Record, Environment::new());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let node = &self.model.nodes[&id];
        let NodeKind::Enum(enumerants) = &node.kind else { unreachable!("a checked model: an enum's id is an enum's") };
        let mut values: Vec<(u16, EnumValue)> = Vec::new();
        for (value, enumerant) in (0i128..).zip(enumerants) {
            let value = EnumValue {
                name: enumerant.name.clone(),
                json_name: json::name(&enumerant.annotations),
                value,
                doc: enumerant.doc.clone(),
                span: enumerant.span.unwrap_or_default(),
                since: 0,
                deprecated: false,
            };
            values.push((enumerant.code_order, value));
        }
        values.sort_by_key(|(order, _)| *order);
        let repr = Type::Int(IntType::unsigned(16));
        let kind = TypeKind::Enum(Enum { repr, values: values.into_iter().map(|(_, value)| value).collect() });
        self.add(key, node, self.name_of(node), kind, None)
    }

    fn add(
        &mut self,
        key: (NodeId, Part, Environment),
        node: &'m Node,
        name: Name,
        kind: TypeKind,
        shape: Option<&'m Struct>,
    ) -> TypeId {
        let id = TypeId(self.types.len() as u32);
        let (doc, span) = (node.doc.clone(), node.span.unwrap_or_default());
        self.types.push(TypeDef { name, doc, span, deprecated: false, kind });
        let depth = self.depth_of(&key.2);
        self.origins.push(Origin { depth, shape, members: Vec::new() });
        self.known.insert(key, id);
        id
    }

    /// The type of a struct.
    fn record(&mut self, id: NodeId, mut environment: Environment) -> TypeId {
        if self.depth_of(&environment) > MAX_DEPTH {
            environment = Environment::new();
        }
        let node = &self.model.nodes[&id];
        let mut name = self.name_of(node);
        let mut scope = Some(node);
        let mut own = Environment::new();
        // Each name in the path shows what its own parameters are bound to; other bindings, from the way that led here,
        // mean nothing to the struct.
        for part in name.path.iter_mut().rev() {
            let Some(node) = scope else { break };
            if let Some(types) = environment.remove(&node.id) {
                let bound: Vec<String> = types.iter().map(|ty| self.spell(ty.as_ref())).collect();
                *part = format!("{part}({})", bound.join(","));
                own.insert(node.id, types);
            }
            scope = self.model.nodes.get(&node.scope);
        }
        let environment = own;
        self.fields_of(id, environment, name)
    }

    /// A bound type as a person would write it.
    fn spell(&self, ty: Option<&Type>) -> String {
        match ty {
            None | Some(Type::Opaque(_)) => "AnyPointer".to_owned(),
            Some(Type::Optional(inner)) => self.spell(Some(inner)),
            Some(Type::List(element)) => format!("List({})", self.spell(Some(element))),
            Some(Type::Named(id)) => self.types[id.index()].name.local(),
            Some(Type::Text(_)) => "Text".to_owned(),
            Some(Type::Bytes) => "Data".to_owned(),
            Some(Type::Int(int)) => format!("{}nt{}", if int.signed { "I" } else { "UI" }, int.bits),
            Some(other) => format!("{other:?}"),
        }
    }

    /// The type that a struct's or group's fields make: a record, or for a group that is nothing but a union, that.
    fn fields_of(&mut self, id: NodeId, environment: Environment, name: Name) -> TypeId {
        let node = &self.model.nodes[&id];
        let NodeKind::Struct(shape) = &node.kind else { unreachable!("a checked model: a struct's id is a struct's") };
        let named_union = shape.is_group && shape.union.is_some() && shape.fields.iter().all(in_union);
        let part = if named_union { Part::Union } else { Part::Record };
        if let Some(known) = self.known.get(&(id, part, environment.clone())) {
            return *known;
        }
        if named_union {
            return self.union(node, shape, environment, name, false);
        }
        let role = if shape.is_group { Role::Group } else { Role::Struct };
        let record = Record { role, ..Record::default() };
        let key = (id, Part::Record, environment.clone());
        let made = self.add(key, node, name.clone(), TypeKind::Record(record), Some(shape));
        let mut fields = Vec::new();
        let mut members = Vec::new();
        let mut union_seen = false;
        for index in in_code_order(shape) {
            let field = &shape.fields[index];
            if !in_union(field) {
                fields.push(self.field(field, &environment, &name));
                members.push(Member::Field(index));
            } else if !std::mem::replace(&mut union_seen, true) {
                let union = self.union(node, shape, environment.clone(), name.child(""), true);
                self.set_discriminator(union, json::discriminator(&node.annotations, None));
                fields.push(aldis_schema::Field::new("", Type::Named(union), node.span.unwrap_or_default()));
                members.push(Member::Union(union));
            }
        }
        if let TypeKind::Record(record) = &mut self.types[made.index()].kind {
            record.fields = fields;
        }
        self.origins[made.index()].members = members;
        made
    }

    fn union(
        &mut self,
        node: &'m Node,
        shape: &'m Struct,
        environment: Environment,
        name: Name,
        unnamed: bool,
    ) -> TypeId {
        let key = (node.id, Part::Union, environment.clone());
        let empty_arms = self.annotated.contains(&node.id);
        let kind = TypeKind::Union(Union { arms: Vec::new(), unnamed, discriminator: None, empty_arms });
        // An unnamed union's arms have their names in the struct.
        let scope = if unnamed {
            Name { path: name.path[..name.path.len() - 1].to_vec(), ..name.clone() }
        } else {
            name.clone()
        };
        let made = self.add(key, node, name, kind, Some(shape));
        let mut arms = Vec::new();
        let mut members = Vec::new();
        for index in in_code_order(shape) {
            let field = &shape.fields[index];
            let Some(tag) = field.discriminant else { continue };
            arms.push(Arm { tag: tag.into(), field: self.field(field, &environment, &scope) });
            members.push(Member::Field(index));
        }
        if let TypeKind::Union(union) = &mut self.types[made.index()].kind {
            union.arms = arms;
        }
        self.origins[made.index()].members = members;
        made
    }

    fn field(&mut self, field: &'m Field, environment: &Environment, scope: &Name) -> aldis_schema::Field {
        let ty = match &field.kind {
            FieldKind::Slot { ty, .. } => {
                let ty = self.resolve(ty, environment);
                if is_pointer(&ty) && !self.is_enum(&ty) {
                    ty.optional()
                } else {
                    ty
                }
            }
            FieldKind::Group(id) => {
                let group = self.fields_of(*id, environment.clone(), scope.child(&field.name));
                let flattened = json::field(&field.annotations).flatten.is_some();
                let name = flattened.then_some(field.name.as_str());
                self.set_discriminator(group, json::discriminator(&field.annotations, name));
                Type::Named(group)
            }
        };
        aldis_schema::Field {
            doc: field.doc.clone(),
            json: json::field(&field.annotations),
            id: field.ordinal.map(u32::from),
            ..aldis_schema::Field::new(&field.name, ty, field.span.unwrap_or_default())
        }
    }

    /// Nothing where the type is no union.
    fn set_discriminator(&mut self, id: TypeId, discriminator: Option<Discriminator>) {
        if let TypeKind::Union(union) = &mut self.types[id.index()].kind {
            union.discriminator = discriminator;
        }
    }

    fn is_enum(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(id) if matches!(self.types[id.index()].kind, TypeKind::Enum(_)))
    }
}

/// Whether values of the type are behind pointers; a named type is taken for a struct.
fn is_pointer(ty: &Type) -> bool {
    matches!(ty, Type::Text(_) | Type::Bytes | Type::List(_) | Type::Named(_) | Type::Opaque(_))
}

pub(super) fn in_union(field: &Field) -> bool {
    field.discriminant.is_some()
}

/// Indices of a struct's fields as the source has them.
fn in_code_order(shape: &Struct) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shape.fields.len()).collect();
    order.sort_by_key(|&index| shape.fields[index].code_order);
    order
}
