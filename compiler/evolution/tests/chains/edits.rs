//! Edits of a schema, with what is known of them.

use crate::model::{width, Field, Format, Model, Random, Ty};

/// The effect of an edit, and the answers to B and F that must hold in a format's main form, where they are known.
#[derive(Clone, Debug)]
pub struct Edit {
    pub what: String,
    pub known: Option<(bool, bool)>,
}

fn edit(what: impl Into<String>, known: Option<(bool, bool)>) -> Option<Edit> {
    Some(Edit { what: what.into(), known })
}

const HOLDS: Option<(bool, bool)> = Some((true, true));

/// Changes the model, or gives none where this edit cannot be made of it.
pub fn edit_once(model: &mut Model, random: &mut Random) -> Option<Edit> {
    let owner = random.below(model.structs.len());
    let count = model.structs[owner].fields.len();
    let at = random.below(count);
    match random.below(16) {
        0..=2 => append(model, owner, random),
        3 => {
            let field = model.field(owner, random);
            model.structs[owner].fields.insert(at, field);
            edit(format!("insert into S{owner} at {at}"), None)
        }
        4 if count > 1 && (model.format != Format::Capnp || in_no_home(model, owner)) => {
            remove(model, owner, at, random)
        }
        5 => {
            let name = model.name();
            model.structs[owner].fields[at].name = name;
            edit(format!("rename in S{owner} {at}"), HOLDS)
        }
        6 if count > 1 => {
            model.structs[owner].fields.swap(at, (at + 1) % count);
            edit(format!("swap in S{owner} {at}"), None)
        }
        7 => retype(model, owner, at, random),
        8 if model.format != Format::Capnp => optional(model, owner, at),
        9 if model.format != Format::Sbe => default(model, owner, at),
        10 => {
            let number = model.values.len() as u32;
            let next = model.values.iter().map(|value| value.1 + 1).max().unwrap_or(number);
            let name = model.name();
            model.values.push((name, next));
            edit("enum value", HOLDS)
        }
        11 if model.values.len() > 1 && model.format != Format::Capnp => enumeration(model, random),
        12 | 13 if model.format == Format::Capnp => home(model, owner, at, random),
        14 if model.format == Format::Fbe && owner > 0 => {
            let base = random.below(owner);
            model.structs[owner].base = if model.structs[owner].base.is_some() { None } else { Some(base) };
            edit(format!("base of S{owner}"), None)
        }
        15 if model.format == Format::Sbe => {
            model.version += 1;
            edit("version", HOLDS)
        }
        _ => None,
    }
}

fn retype(model: &mut Model, owner: usize, at: usize, random: &mut Random) -> Option<Edit> {
    let ty = model.ty(owner, random);
    let field = &mut model.structs[owner].fields[at];
    // Bytes and lists of bytes are one thing to some, and of records that are a byte each to Cap'n Proto.
    let text = |ty| matches!(ty, Ty::Text | Ty::Bytes | Ty::List(_) | Ty::ListOf(_));
    let same = matches!((ty, field.ty), (Ty::List(_), Ty::ListOf(_)) | (Ty::ListOf(_), Ty::List(_)));
    if text(ty) && text(field.ty) && !same {
        return None;
    }
    field.ty = ty;
    field.default = false;
    field.optional &= matches!(ty, Ty::Scalar(_) | Ty::Enum);
    edit(format!("retype S{owner} {at} to {ty:?}"), None)
}

fn optional(model: &mut Model, owner: usize, at: usize) -> Option<Edit> {
    let field = &mut model.structs[owner].fields[at];
    if !matches!(field.ty, Ty::Scalar(_) | Ty::Enum) {
        return None;
    }
    field.optional = !field.optional;
    field.default = false;
    edit(format!("optional S{owner} {at}"), None)
}

fn default(model: &mut Model, owner: usize, at: usize) -> Option<Edit> {
    let field = &mut model.structs[owner].fields[at];
    if !matches!(field.ty, Ty::Scalar(0..=9)) || field.optional {
        return None;
    }
    field.default = !field.default;
    edit(format!("default S{owner} {at}"), if model.format == Format::Fbe { HOLDS } else { None })
}

fn enumeration(model: &mut Model, random: &mut Random) -> Option<Edit> {
    let last = model.values.len() - 1;
    let value = random.below(last + 1);
    match random.below(3) {
        0 => {
            model.values.remove(value);
        }
        1 => {
            let one = model.values[value].1;
            model.values[value].1 = model.values[last].1;
            model.values[last].1 = one;
        }
        _ => model.enum_base = [0, 1, 3, 4][random.below(4)],
    }
    edit("enum", None)
}

fn in_no_home(model: &Model, owner: usize) -> bool {
    model.structs[owner].fields.iter().all(|field| field.home.is_none())
}

fn append(model: &mut Model, owner: usize, random: &mut Random) -> Option<Edit> {
    let mut field = model.field(owner, random);
    let used_in_place = model.structs.iter().any(|other| other.base == Some(owner));
    let mut known = match model.format {
        Format::Capnp => HOLDS,
        Format::Fbe if !used_in_place && field_is_free(model) => HOLDS,
        _ => None,
    };
    if model.format == Format::Sbe {
        let raised = random.one_in(2);
        if raised {
            model.version += 1;
            field.since = model.version;
        }
        let block = matches!(field.ty, Ty::Scalar(_) | Ty::Enum);
        if raised && block {
            known = HOLDS;
        }
    }
    let what = format!("append {field:?} to S{owner}");
    model.structs[owner].fields.push(field);
    edit(what, known)
}

/// Whether no set holds structs: its elements may become equal.
fn field_is_free(model: &Model) -> bool {
    let holds = |field: &Field| matches!(field.ty, Ty::SetOf(_));
    !model.structs.iter().flat_map(|other| &other.fields).any(holds)
}

fn remove(model: &mut Model, owner: usize, at: usize, random: &mut Random) -> Option<Edit> {
    let fields = &mut model.structs[owner].fields;
    let at = if model.format == Format::Capnp { fields.len() - 1 } else { at };
    let removed = fields.remove(at);
    let hole = model.format == Format::Sbe && random.one_in(2);
    if let (true, Some(next)) = (hole, fields.get_mut(at)) {
        if let (Ty::Scalar(scalar), Ty::Scalar(_) | Ty::Enum) = (removed.ty, next.ty) {
            next.gap += removed.gap + width(scalar);
        }
    }
    edit(format!("remove {} of S{owner}", removed.name), None)
}

/// Moves a field into a new group or union, with a new field beside it.
fn home(model: &mut Model, owner: usize, at: usize, random: &mut Random) -> Option<Edit> {
    if model.structs[owner].fields[at].home.is_some() {
        return None;
    }
    let union = random.one_in(2);
    let home = Some((model.name(), union));
    let mut beside = model.field(owner, random);
    beside.home.clone_from(&home);
    model.structs[owner].fields[at].home = home;
    model.structs[owner].fields.push(beside);
    edit(format!("{} of {at} in S{owner}", if union { "union" } else { "group" }), if union { None } else { HOLDS })
}
