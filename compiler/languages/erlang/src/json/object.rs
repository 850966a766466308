//! Tables of records and unions whose objects leave out nulls, and in which a union is whichever of its members is there
//! (`aldis_json_object`). Objects that hold members of flattened values too, or one that tells which arm is active, are shaped.

use crate::code::{quote, Expr};
use crate::erl::{atom, function, list, tuple, utf8_binary, Callee, Clause};
use crate::gen::Gen;
use crate::literal::Fresh;
use aldis_emit::json_string;
use aldis_schema::{Arm, Field, Type, TypeId, TypeKind, Union};
use std::collections::BTreeSet;

/// When a null is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Null {
    /// If it is a value of its type, not the lack of one.
    OfVoid,
    /// Always, since the member tells which arm is active.
    Always,
    /// As an empty value of its type.
    Empty,
    /// As an empty value too, but for one of [`Type::Void`]: another member tells which arm is active.
    Told,
}

impl Null {
    /// Another arm than the first says by being there which one is active.
    fn of_arm(union: &Union, arm: &Arm) -> Self {
        match arm.tag {
            _ if union.discriminator.is_some() => Null::Told,
            _ if union.empty_arms => Null::Empty,
            0 => Null::OfVoid,
            _ => Null::Always,
        }
    }
}

impl Gen<'_> {
    /// Whether objects leave out nulls, which goes with unions.
    pub(crate) fn sparse_json(&self) -> bool {
        self.wires[0].plan.json.omit_null
    }

    fn unnamed_union(&self, ty: &Type) -> Option<TypeId> {
        let Type::Named(id) = ty else { return None };
        matches!(&self.schema.type_def(*id).kind, TypeKind::Union(union) if union.unnamed).then_some(*id)
    }

    /// Whether the object of a record has members that are not those of its fields.
    fn shaped_record(&self, id: TypeId) -> bool {
        self.schema.record(id).fields.iter().any(|field| {
            field.json.flatten.is_some() || self.unnamed_union(&field.ty).is_some_and(|union| self.shaped_union(union))
        })
    }

    fn shaped_union(&self, id: TypeId) -> bool {
        let union = self.schema.union(id);
        union.discriminator.is_some() || union.arms.iter().any(|arm| arm.field.json.flatten.is_some())
    }

    /// The function that gives a record's table.
    pub(super) fn object_table(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            let (mut rows, mut names) = (Vec::new(), Vec::new());
            for (index, field) in schema.record(id).fields.iter().enumerate() {
                rows.push(match gen.unnamed_union(&field.ty) {
                    Some(union) => {
                        let missing = gen.field_default(field, Fresh::Zero);
                        names.push(gen.arm_names(union));
                        tuple([quote("union"), gen.table_of(union), gen.when_asked(missing)])
                    }
                    None => {
                        names.push(quote(utf8_binary(field.json_name())));
                        gen.object_row(field, &gen.names.field_atom(id, index).into(), Null::OfVoid)
                    }
                });
            }
            let names = if gen.shaped_record(id) { quote("shaped") } else { list(names) };
            let made = match gen.only_union(id) {
                Some(_) => quote("union"),
                None => tuple(gen.made_of(id, rows.len())),
            };
            let table = tuple([quote("object"), names, made, quote(gen.json_level(id)), list(rows)]);
            function(atom(own), &[Clause::new([""], [table])])
        })
    }

    /// The function that gives a union's table.
    pub(super) fn choice_table(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            let union = schema.union(id);
            let shaped = gen.shaped_union(id);
            let names = if shaped { quote("shaped") } else { list([gen.arm_names(id)]) };
            let arms: Vec<Expr> = (0..union.arms.len()).map(|index| gen.arm_row(id, index, shaped)).collect();
            let told = match &union.discriminator {
                None => quote("none"),
                Some(told) => {
                    let common = told.value_name.as_ref().map_or_else(|| "none".to_owned(), |name| utf8_binary(name));
                    tuple([quote(utf8_binary(&told.name)), key_of(&told.name), quote(common)])
                }
            };
            let missing = match union.arm_of(0) {
                Some(_) => {
                    let first = gen.first_arm(id);
                    gen.when_asked(first)
                }
                None => quote("[]"),
            };
            let table = tuple([quote("choice"), names, told, list(arms), missing]);
            function(atom(own), &[Clause::new([""], [table])])
        })
    }

    fn arm_row(&mut self, id: TypeId, index: usize, shaped: bool) -> Expr {
        let schema = self.schema;
        let union = schema.union(id);
        let arm = &union.arms[index];
        let (field, null) = (&arm.field, Null::of_arm(union, arm));
        let key: Expr = self.names.field_atom(id, index).into();
        let mut items = vec![quote(self.names.arm(id, index)), quote(utf8_binary(field.json_name()))];
        if !shaped {
            let kind = self.member_kind(field, &field.ty);
            let names = [quote(utf8_binary(field.json_name())), key_of(field.json_name())];
            let row = tuple([key].into_iter().chain(names).chain([kind]));
            items.push(tuple([quote("field"), row, self.null_rule(field, null)]));
            return tuple(items);
        }
        items.push(self.object_row(field, &key, null));
        if let Some(told) = &union.discriminator {
            items.push(quote(utf8_binary(&json_string(field.json_name()))));
            items.push(match &told.value_name {
                Some(name) => self.field_row(field, &key, name, null),
                None => items[2].clone(),
            });
        }
        tuple(items)
    }

    /// The row of a field or arm, as its annotations say.
    fn object_row(&mut self, field: &Field, key: &Expr, null: Null) -> Expr {
        let Some((inner, id)) = flattened(field) else { return self.field_row(field, key, field.json_name(), null) };
        let quoted = json_string(inner);
        let escaped = &quoted[1..quoted.len() - 1];
        let missing = self.field_default(field, Fresh::Zero);
        let nulls = list(matches!(field.ty, Type::Optional(_)).then_some(Expr::Null));
        let has_members = self.has_members(id, &mut BTreeSet::new()).to_string();
        tuple([
            quote("flat"),
            key.clone(),
            quote(utf8_binary(inner)),
            quote(utf8_binary(escaped)),
            self.table_of(id),
            nulls,
            quote(has_members),
            self.when_asked(missing),
        ])
    }

    fn field_row(&mut self, field: &Field, key: &Expr, name: &str, null: Null) -> Expr {
        let row = self.json_field(field, key.clone(), &format!("{}:", json_string(name)), false);
        tuple([quote("field"), row, self.null_rule(field, null)])
    }

    /// The way in which a field's null is written.
    fn null_rule(&self, field: &Field, null: Null) -> Expr {
        let text = match (&field.ty, null) {
            (Type::Void, Null::Told) => return tuple([quote("absent"), Expr::Null]),
            (Type::Optional(_), Null::OfVoid) => quote("[]"),
            (Type::Optional(_), Null::Always) => quote(utf8_binary("null")),
            (Type::Optional(inner), Null::Empty | Null::Told) => {
                quote(utf8_binary(self.wires[0].plan.json.empty(inner, field.json.bytes).unwrap_or("null")))
            }
            _ => return quote("[]"),
        };
        list([Expr::Null, text])
    }

    /// The keys of which one may be there.
    fn arm_names(&self, union: TypeId) -> Expr {
        let arms = self.schema.union(union).arms.iter();
        list(arms.map(|arm| quote(utf8_binary(arm.field.json_name()))).collect::<Vec<_>>())
    }

    /// Whether a flattened record or union has any member. One within itself has no more by that.
    fn has_members(&self, id: TypeId, seen: &mut BTreeSet<TypeId>) -> bool {
        if !seen.insert(id) {
            return false;
        }
        let mut has = |field: &Field| match (flattened(field), &field.ty) {
            (Some((_, inner)), _) => self.has_members(inner, seen),
            (None, Type::Named(union)) if field.name.is_empty() => self.has_members(*union, seen),
            (None, _) => true,
        };
        match &self.schema.type_def(id).kind {
            TypeKind::Record(record) => record.fields.iter().any(has),
            TypeKind::Union(union) => union.discriminator.is_some() || union.arms.iter().any(|arm| has(&arm.field)),
            TypeKind::Enum(_) | TypeKind::Flags(_) => false,
        }
    }
}

/// The prefix of the names of a flattened field's members, and its record or union.
fn flattened(field: &Field) -> Option<(&str, TypeId)> {
    match (&field.json.flatten, field.ty.required()) {
        (Some(prefix), Type::Named(id)) => Some((prefix, *id)),
        _ => None,
    }
}

/// The text before a member's value in an object.
fn key_of(name: &str) -> Expr {
    quote(utf8_binary(&format!("{}:", json_string(name))))
}
