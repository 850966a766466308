//! The classes of a schema's types.

use crate::py::{call, int, name, Expr, Stmt};
use crate::values::Values;
use aldis_schema::{Enum, Flags, Record, Type, TypeDef, TypeId, TypeKind, Union};

const DATACLASS: &str = "_dataclass(slots=True)";

/// The classes of all types: numbers first, as defaults have their names. `methods` are those of a record.
pub(crate) fn classes(values: &Values<'_>, methods: impl Fn(TypeId) -> Vec<Stmt>) -> Vec<Stmt> {
    let all = || values.schema.types.iter().enumerate().map(|(index, def)| (TypeId(index as u32), def));
    let numbers = all().filter_map(|(id, def)| match &def.kind {
        TypeKind::Enum(of) => Some(enumeration(values, id, def, of)),
        TypeKind::Flags(of) => Some(flags(values, id, def, of)),
        _ => None,
    });
    let others = all().flat_map(|(id, def)| match &def.kind {
        TypeKind::Record(record) => vec![class(values, (id, def), record, methods(id))],
        TypeKind::Union(of) => union(values, id, def, of),
        _ => Vec::new(),
    });
    numbers.chain(others).collect()
}

fn enumeration(values: &Values<'_>, id: TypeId, def: &TypeDef, of: &Enum) -> Stmt {
    let members = values.names.members(id).iter().zip(&of.values);
    let members = members.map(|(own, value)| constant(own, int(value.value), &marked(&value.doc, value.deprecated)));
    numbers(values, id, def, ("IntEnum", members.collect()))
}

fn flags(values: &Values<'_>, id: TypeId, def: &TypeDef, of: &Flags) -> Stmt {
    if of.values.is_empty() {
        // A class of flags must have some.
        return Stmt::Assign {
            name: values.names.of(id).to_owned(),
            ty: Some("TypeAlias".to_owned()),
            value: Some(name("int")),
            doc: marked(&def.doc, def.deprecated),
        };
    }
    let members = values.names.members(id).iter().zip(&of.values);
    let members = members.map(|(own, value)| constant(own, int(value.mask), &value.doc));
    numbers(values, id, def, ("IntFlag", members.collect()))
}

fn numbers(values: &Values<'_>, id: TypeId, def: &TypeDef, (base, body): (&'static str, Vec<Stmt>)) -> Stmt {
    let (name, doc) = (values.names.of(id).to_owned(), marked(&def.doc, def.deprecated));
    Stmt::Class { decorators: Vec::new(), name, base: Some(base), doc, body }
}

fn constant(own: &str, value: Expr, doc: &str) -> Stmt {
    Stmt::Assign { name: own.to_owned(), ty: None, value: Some(value), doc: doc.to_owned() }
}

fn class(values: &Values<'_>, (id, def): (TypeId, &TypeDef), record: &Record, methods: Vec<Stmt>) -> Stmt {
    let fields = record.fields.iter().enumerate().map(|(index, field)| {
        let (default, anew) = values.default(id, index);
        Stmt::Assign {
            name: values.names.members(id)[index].clone(),
            ty: Some(values.field(id, index, field)),
            value: Some(if anew { made(default) } else { default }),
            doc: marked(&field.doc, field.deprecated),
        }
    });
    let body = fields.chain(methods).collect();
    let (name, doc) = (values.names.of(id).to_owned(), marked(&def.doc, def.deprecated));
    Stmt::Class { decorators: vec![DATACLASS], name, base: None, doc, body }
}

/// A default that is made anew for each value.
fn made(default: Expr) -> Expr {
    let factory = match default {
        Expr::List(items) if items.is_empty() => name("list"),
        Expr::Set(items) if items.is_empty() => name("set"),
        Expr::Dict(members) if members.is_empty() => name("dict"),
        Expr::Call(class, args) if args.is_empty() => *class,
        default => Expr::Later(Box::new(default)),
    };
    // The class may come later in the module.
    let later = match factory {
        Expr::Name(class) if !matches!(class.as_str(), "list" | "set" | "dict") => {
            Expr::Later(Box::new(call(class, Vec::new())))
        }
        factory => factory,
    };
    call("_field", vec![Expr::Named("default_factory", Box::new(later))])
}

/// A class for each arm, and the type of all.
fn union(values: &Values<'_>, id: TypeId, def: &TypeDef, of: &Union) -> Vec<Stmt> {
    let arms = values.names.members(id);
    let class = |(own, arm): (&String, &aldis_schema::Arm)| {
        let ty = values.text(&arm.field.ty);
        let is_void = arm.field.ty == Type::Void;
        let value = Stmt::Assign {
            name: "value".to_owned(),
            ty: Some(ty),
            value: is_void.then(|| name("None")),
            doc: String::new(),
        };
        let doc = match arm.field.doc.trim() {
            "" => format!("The arm `{}`.", arm.field.name),
            doc => doc.to_owned(),
        };
        Stmt::Class { decorators: vec![DATACLASS], name: own.clone(), base: None, doc, body: vec![value] }
    };
    let all = arms.iter().map(String::as_str).chain(["UnknownArm"]).collect::<Vec<_>>().join(" | ");
    let alias = Stmt::Assign {
        name: values.names.of(id).to_owned(),
        ty: Some("TypeAlias".to_owned()),
        value: Some(Expr::Text(all)),
        doc: marked(&def.doc, def.deprecated),
    };
    arms.iter().zip(&of.arms).map(class).chain([alias]).collect()
}

fn marked(doc: &str, deprecated: bool) -> String {
    match (deprecated, doc.trim()) {
        (true, "") => "Deprecated.".to_owned(),
        (true, doc) => format!("{doc}\n\nDeprecated."),
        (false, doc) => doc.to_owned(),
    }
}
