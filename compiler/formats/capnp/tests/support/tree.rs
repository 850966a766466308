//! A model written as the text form of the request that says the same, so that both can be compared whole.

use super::text::Tree;
use aldis_capnp::model::*;
use std::collections::BTreeMap;

/// The nodes of a model by id.
pub fn of_model(model: &Model) -> BTreeMap<u64, Tree> {
    model.nodes.iter().map(|(&id, node)| (id, node_tree(model, node))).collect()
}

/// The nodes of a request's text by id, with what a model does not have taken out.
pub fn of_request(request: &Tree) -> BTreeMap<u64, Tree> {
    request.get("nodes").elements().iter().map(|node| (node.get("id").number(), plain(node))).collect()
}

/// Without empty lists, empty structs, and members that a model leaves out.
fn plain(tree: &Tree) -> Tree {
    match tree {
        Tree::List(elements) => Tree::List(elements.iter().map(plain).collect()),
        Tree::Struct(members) => {
            let kept = members
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "startByte" | "endByte" | "preferredListEncoding"));
            let kept = kept.map(|(name, value)| match (name.as_str(), value) {
                ("float32", Tree::Word(word)) if word != "void" => (name.clone(), float(word.parse::<f32>().unwrap())),
                ("float64", Tree::Word(word)) if word != "void" => (name.clone(), float(word.parse::<f64>().unwrap())),
                _ => (name.clone(), plain(value)),
            });
            Tree::Struct(kept.filter(|(_, value)| !empty(value)).collect())
        }
        other => other.clone(),
    }
}

fn empty(tree: &Tree) -> bool {
    match tree {
        Tree::List(elements) => elements.is_empty(),
        Tree::Struct(members) => members.is_empty(),
        _ => false,
    }
}

fn record<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    let members = members.into_iter().filter(|(_, value)| !empty(value));
    Tree::Struct(members.map(|(name, value)| (name.to_owned(), value)).collect())
}

fn join(mut first: Tree, second: Tree) -> Tree {
    if let (Tree::Struct(first), Tree::Struct(second)) = (&mut first, second) {
        first.extend(second);
    }
    first
}

fn list<T>(items: &[T], one: impl Fn(&T) -> Tree) -> Tree {
    Tree::List(items.iter().map(one).collect())
}

fn node_tree(model: &Model, node: &Node) -> Tree {
    let common = record([
        ("id", Tree::word(node.id)),
        ("displayName", Tree::text(&node.display_name)),
        ("displayNamePrefixLength", Tree::word(node.prefix_len)),
        ("scopeId", Tree::word(node.scope)),
        ("nestedNodes", list(&node.nested, |n| record([("name", Tree::text(&n.name)), ("id", Tree::word(n.id))]))),
        ("parameters", list(&node.parameters, |name| record([("name", Tree::text(name))]))),
        ("isGeneric", Tree::word(node.generic)),
        ("annotations", annotations(model, &node.annotations)),
    ]);
    join(common, kind_tree(model, &node.kind))
}

fn kind_tree(model: &Model, kind: &NodeKind) -> Tree {
    match kind {
        NodeKind::File => record([("file", Tree::word("void"))]),
        NodeKind::Struct(shape) => record([("struct", struct_tree(model, shape))]),
        NodeKind::Enum(all) => record([("enum", record([("enumerants", list(all, |one| enumerant(model, one)))]))]),
        NodeKind::Interface(interface) => {
            let superclass =
                |(id, brand): &(u64, Brand)| record([("id", Tree::word(id)), ("brand", brand_tree(brand))]);
            let methods = list(&interface.methods, |one| method(model, one));
            record([(
                "interface",
                record([("methods", methods), ("superclasses", list(&interface.superclasses, superclass))]),
            )])
        }
        NodeKind::Const { ty, value } => {
            record([("const", record([("type", type_tree(ty)), ("value", value_tree(value, ty))]))])
        }
        NodeKind::Annotation { ty, targets } => {
            record([("annotation", join(record([("type", type_tree(ty))]), targets_tree(targets)))])
        }
    }
}

fn targets_tree(targets: &Targets) -> Tree {
    record([
        ("targetsFile", Tree::word(targets.file)),
        ("targetsConst", Tree::word(targets.constant)),
        ("targetsEnum", Tree::word(targets.enumeration)),
        ("targetsEnumerant", Tree::word(targets.enumerant)),
        ("targetsStruct", Tree::word(targets.structure)),
        ("targetsField", Tree::word(targets.field)),
        ("targetsUnion", Tree::word(targets.union)),
        ("targetsGroup", Tree::word(targets.group)),
        ("targetsInterface", Tree::word(targets.interface)),
        ("targetsMethod", Tree::word(targets.method)),
        ("targetsParam", Tree::word(targets.param)),
        ("targetsAnnotation", Tree::word(targets.annotation)),
    ])
}

fn struct_tree(model: &Model, shape: &Struct) -> Tree {
    record([
        ("dataWordCount", Tree::word(shape.data_words)),
        ("pointerCount", Tree::word(shape.pointers)),
        ("isGroup", Tree::word(shape.is_group)),
        ("discriminantCount", Tree::word(shape.union.map_or(0, |union| union.members))),
        ("discriminantOffset", Tree::word(shape.union.map_or(0, |union| union.discriminant))),
        ("fields", list(&shape.fields, |one| field(model, one))),
    ])
}

fn field(model: &Model, field: &Field) -> Tree {
    let kind = match &field.kind {
        FieldKind::Group(id) => record([("group", record([("typeId", Tree::word(id))]))]),
        FieldKind::Slot { offset, ty, default, explicit_default } => {
            let slot = record([
                ("offset", Tree::word(offset)),
                ("type", type_tree(ty)),
                ("defaultValue", value_tree(default, ty)),
                ("hadExplicitDefault", Tree::word(explicit_default)),
            ]);
            record([("slot", slot)])
        }
    };
    let ordinal = match field.ordinal {
        Some(ordinal) => record([("explicit", Tree::word(ordinal))]),
        None => record([("implicit", Tree::word("void"))]),
    };
    let common = record([
        ("name", Tree::text(&field.name)),
        ("codeOrder", Tree::word(field.code_order)),
        ("discriminantValue", Tree::word(field.discriminant.unwrap_or(0xffff))),
        ("annotations", annotations(model, &field.annotations)),
        ("ordinal", ordinal),
    ]);
    join(common, kind)
}

fn enumerant(model: &Model, enumerant: &Enumerant) -> Tree {
    record([
        ("name", Tree::text(&enumerant.name)),
        ("codeOrder", Tree::word(enumerant.code_order)),
        ("annotations", annotations(model, &enumerant.annotations)),
    ])
}

fn method(model: &Model, method: &Method) -> Tree {
    record([
        ("name", Tree::text(&method.name)),
        ("codeOrder", Tree::word(method.code_order)),
        ("implicitParameters", list(&method.implicit_parameters, |name| record([("name", Tree::text(name))]))),
        ("paramStructType", Tree::word(method.params.0)),
        ("paramBrand", brand_tree(&method.params.1)),
        ("resultStructType", Tree::word(method.results.0)),
        ("resultBrand", brand_tree(&method.results.1)),
        ("annotations", annotations(model, &method.annotations)),
    ])
}

fn annotations(model: &Model, all: &[Annotation]) -> Tree {
    list(all, |annotation| {
        let NodeKind::Annotation { ty, .. } = &model.nodes[&annotation.id].kind else { panic!("no annotation") };
        record([
            ("id", Tree::word(annotation.id)),
            ("brand", brand_tree(&annotation.brand)),
            ("value", value_tree(&annotation.value, ty)),
        ])
    })
}

fn type_tree(ty: &Type) -> Tree {
    let named = |name: &str, id: &u64, brand: &Brand| {
        record([(name, record([("typeId", Tree::word(id)), ("brand", brand_tree(brand))]))])
    };
    match ty {
        Type::List(element) => record([("list", record([("elementType", type_tree(element))]))]),
        Type::Enum(id, brand) => named("enum", id, brand),
        Type::Struct(id, brand) => named("struct", id, brand),
        Type::Interface(id, brand) => named("interface", id, brand),
        Type::AnyPointer(any) => record([("anyPointer", any_pointer(*any))]),
        plain => record([(name_of(plain), Tree::word("void"))]),
    }
}

fn name_of(ty: &Type) -> &'static str {
    match ty {
        Type::Void => "void",
        Type::Bool => "bool",
        Type::Int8 => "int8",
        Type::Int16 => "int16",
        Type::Int32 => "int32",
        Type::Int64 => "int64",
        Type::Uint8 => "uint8",
        Type::Uint16 => "uint16",
        Type::Uint32 => "uint32",
        Type::Uint64 => "uint64",
        Type::Float32 => "float32",
        Type::Float64 => "float64",
        Type::Text => "text",
        Type::Data => "data",
        Type::List(_) => "list",
        Type::Enum(..) => "enum",
        Type::Struct(..) => "struct",
        Type::Interface(..) => "interface",
        Type::AnyPointer(_) => "anyPointer",
    }
}

fn any_pointer(any: AnyPointer) -> Tree {
    let unconstrained = |kind| record([("unconstrained", record([(kind, Tree::word("void"))]))]);
    match any {
        AnyPointer::AnyKind => unconstrained("anyKind"),
        AnyPointer::Struct => unconstrained("struct"),
        AnyPointer::List => unconstrained("list"),
        AnyPointer::Capability => unconstrained("capability"),
        AnyPointer::Parameter { scope, index } => {
            record([("parameter", record([("scopeId", Tree::word(scope)), ("parameterIndex", Tree::word(index))]))])
        }
        AnyPointer::ImplicitMethodParameter { index } => {
            record([("implicitMethodParameter", record([("parameterIndex", Tree::word(index))]))])
        }
    }
}

fn brand_tree(brand: &Brand) -> Tree {
    let binding = |ty: &Option<Type>| match ty {
        Some(ty) => record([("type", type_tree(ty))]),
        None => record([("unbound", Tree::word("void"))]),
    };
    let scope = |scope: &BrandScope| {
        let bound = match &scope.binding {
            Bindings::Inherit => record([("inherit", Tree::word("void"))]),
            Bindings::Bind(types) => record([("bind", list(types, binding))]),
        };
        join(record([("scopeId", Tree::word(scope.scope))]), bound)
    };
    record([("scopes", list(&brand.scopes, scope))])
}

/// The part of a value that the text shows: pointers to structs and lists are opaque in it, null pointers to text and data empty.
fn value_tree(value: &Value, ty: &Type) -> Tree {
    let shown = match (value, ty) {
        (Value::Void, _) | (Value::Null, Type::Interface(..)) => Tree::word("void"),
        (Value::Bool(value), _) => Tree::word(value),
        (Value::Int(value), _) => Tree::word(value),
        (Value::Float32(bits), _) => float(f32::from_bits(*bits)),
        (Value::Float64(bits), _) => float(f64::from_bits(*bits)),
        (Value::Enum(number), _) => Tree::word(number),
        (Value::Text(text), _) => Tree::text(text),
        (Value::Data(data), _) => Tree::Text(data.clone()),
        (Value::Null, Type::Text | Type::Data) => Tree::text(""),
        _ => Tree::word("<opaque pointer>"),
    };
    record([(name_of(ty), shown)])
}

/// A number as Rust writes it, which is not quite how the reference does.
fn float(value: impl std::fmt::Debug) -> Tree {
    Tree::Word(format!("{value:?}"))
}
