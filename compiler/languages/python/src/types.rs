//! The classes of a schema's types.

use crate::py::{def, either, int, line, name, string, Expr, Stmt};
use crate::values::Values;
use aldis_schema::{Enum, Flags, Record, Type, TypeDef, TypeId, TypeKind, Union};

/// The base of records.
const RECORD: &str = "_Record";

/// The classes of the package's own types: numbers first, as defaults have their names, those of packages that import one another too,
/// which `imports` have. `methods` are those of a record.
pub(crate) fn classes(values: &Values<'_>, imports: Vec<Stmt>, methods: impl Fn(TypeId) -> Vec<Stmt>) -> Vec<Stmt> {
    let all = || values.schema.types.iter().enumerate().map(|(index, def)| (TypeId(index as u32), def));
    let all = || all().filter(|(id, _)| values.names.is_own(*id));
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
    numbers.chain(imports).chain(others).collect()
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
    let base = if of.repr.signed { "SignedFlag" } else { "IntFlag" };
    numbers(values, id, def, (base, members.collect()))
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
        let own = values.names.members(id)[index].clone();
        let (default, anew) = values.default(id, index);
        let doc = marked(&field.doc, field.deprecated);
        Member { own, ty: values.field(id, index, field), default: Some(default), anew, doc }
    });
    let fields: Vec<Member> = fields.collect();
    let (name, doc) = (values.names.of(id).to_owned(), marked(&def.doc, def.deprecated));
    Stmt::Class { decorators: Vec::new(), name, base: Some(RECORD), doc, body: members(fields, methods) }
}

/// A field of a class. A default that is made anew is made for each value.
struct Member {
    own: String,
    ty: String,
    default: Option<Expr>,
    anew: bool,
    doc: String,
}

/// The body of a class: slots, types, and a constructor that takes fields by place or by name.
fn members(fields: Vec<Member>, methods: Vec<Stmt>) -> Vec<Stmt> {
    let names = || Expr::Tuple(fields.iter().map(|field| string(field.own.as_str())).collect());
    let mut body = vec![constant("__slots__", names(), ""), constant("__match_args__", names(), "")];
    let mut params = vec!["self".to_owned()];
    let mut lines = Vec::new();
    for Member { own, ty, default, anew, doc } in &fields {
        body.push(Stmt::Assign { name: own.clone(), ty: Some(ty.clone()), value: None, doc: doc.clone() });
        let default = default.as_ref();
        params.push(match default {
            None => format!("{own}: {ty}"),
            Some(_) if *anew => format!("{own}: {ty} = _NEW"),
            Some(default) => format!("{own}: {ty} = {}", line(default)),
        });
        let value = match default {
            Some(default) if *anew => either(name(format!("{own} is _NEW")), default.clone(), name(own.as_str())),
            _ => name(own.as_str()),
        };
        lines.push(constant(&format!("self.{own}"), value, ""));
    }
    if !fields.is_empty() {
        body.push(def("__init__", params, "None", lines));
    }
    body.into_iter().chain(methods).collect()
}

/// A class for each arm, and the type of all.
fn union(values: &Values<'_>, id: TypeId, def: &TypeDef, of: &Union) -> Vec<Stmt> {
    let arms = values.names.members(id);
    let class = |(own, arm): (&String, &aldis_schema::Arm)| {
        let ty = values.text(&arm.field.ty);
        let is_void = arm.field.ty == Type::Void;
        let default = is_void.then(|| name("None"));
        let value = Member { own: "value".to_owned(), ty, default, anew: false, doc: String::new() };
        let doc = match arm.field.doc.trim() {
            "" => format!("The arm `{}`.", arm.field.name),
            doc => doc.to_owned(),
        };
        let body = members(vec![value], Vec::new());
        Stmt::Class { decorators: Vec::new(), name: own.clone(), base: Some(RECORD), doc, body }
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
