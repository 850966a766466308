//! Objects that hold more than the members of one record: flattened records and unions, and members that tell which arm
//! is active. They may come in any order, so the members are found first and read then.

use super::parse::bad;
use super::read::Reader;
use crate::fault::Fault;
use crate::Value;
use aldis_schema::{Field, Type, TypeId, TypeKind, Union};
use std::collections::HashMap;

/// The places of an object's members' values in the text, by name.
pub(super) struct Members {
    at: HashMap<String, usize>,
    /// The end of the object.
    end: usize,
}

impl<'c> Reader<'c, '_> {
    /// Finds the members of the object that comes, and goes to its end.
    fn members(&mut self) -> Result<Members, Fault> {
        self.parser.expect(b'{', "an object")?;
        let mut at = HashMap::new();
        let mut first = true;
        while !self.closes(b'}', &mut first)? {
            let start = self.parser.at;
            let name = self.parser.string()?.into_owned();
            self.parser.expect(b':', "`:`")?;
            self.parser.peek();
            if at.insert(name.clone(), self.parser.at).is_some() {
                return Err(bad(start, format!("`{name}` is given twice")).in_field(&name));
            }
            self.parser.skip(self.depth).map_err(|f| f.in_field(&name))?;
        }
        Ok(Members { at, end: self.parser.at })
    }

    /// Reads a record whose members are not just its fields.
    pub(super) fn shaped_record(&mut self, id: TypeId) -> Result<Value, Fault> {
        let members = self.members()?;
        let value = self.record_of(id, &members, "")?;
        self.parser.at = members.end;
        Ok(value)
    }

    /// Reads a named union whose members are not just its arms.
    pub(super) fn shaped_union(&mut self, id: TypeId) -> Result<Value, Fault> {
        let members = self.members()?;
        let value = self.union_of(id, &members, "")?;
        self.parser.at = members.end;
        Ok(value)
    }

    fn record_of(&mut self, id: TypeId, members: &Members, prefix: &str) -> Result<Value, Fault> {
        self.enter()?;
        let fields = &self.context.tables.schema.record(id).fields;
        self.take_memory(fields.len())?;
        let mut values = Vec::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate() {
            let value = match (&field.ty, field.name.is_empty()) {
                (Type::Named(union), true) => Some(self.union_of(*union, members, prefix)?),
                _ => self.member_of(field, members, prefix)?,
            };
            values.push(match value {
                Some(value) => value,
                None => self.paid(self.context.tables.record(id).missing[index].clone())?,
            });
        }
        self.leave();
        Ok(Value::Record(values.into()))
    }

    /// The value of a field or arm, where one of its members is given.
    fn member_of(&mut self, field: &'c Field, members: &Members, prefix: &str) -> Result<Option<Value>, Fault> {
        if let (Some(inner), Type::Named(id)) = (&field.json.flatten, field.ty.required()) {
            let prefix = format!("{prefix}{inner}");
            if !self.any_of(*id, members, &prefix, self.depth) {
                return Ok(None);
            }
            let value = match &self.context.tables.schema.type_def(*id).kind {
                TypeKind::Union(_) => self.union_of(*id, members, &prefix)?,
                _ => self.record_of(*id, members, &prefix)?,
            };
            return Ok(Some(value));
        }
        self.at_key(&format!("{prefix}{}", field.json_name()), field, members)
    }

    fn at_key(&mut self, key: &str, field: &'c Field, members: &Members) -> Result<Option<Value>, Fault> {
        let Some(at) = members.at.get(key) else { return Ok(None) };
        self.parser.at = *at;
        self.field(field).map(Some).map_err(|f| f.in_field(key))
    }

    /// Whether any member of a flattened record or union is given.
    fn any_of(&self, id: TypeId, members: &Members, prefix: &str, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let given = |field: &Field| match (&field.json.flatten, field.ty.required()) {
            (Some(inner), Type::Named(id)) => self.any_of(*id, members, &format!("{prefix}{inner}"), depth),
            (_, Type::Named(id)) if field.name.is_empty() => self.any_of(*id, members, prefix, depth),
            _ => members.at.contains_key(&format!("{prefix}{}", field.json_name())),
        };
        match &self.context.tables.schema.type_def(id).kind {
            TypeKind::Record(record) => record.fields.iter().any(given),
            TypeKind::Union(union) => {
                let tells = union.discriminator.as_ref();
                tells.is_some_and(|d| members.at.contains_key(&format!("{prefix}{}", d.name)))
                    || union.arms.iter().any(|arm| given(&arm.field))
            }
            TypeKind::Enum(_) | TypeKind::Flags(_) => false,
        }
    }

    fn union_of(&mut self, id: TypeId, members: &Members, prefix: &str) -> Result<Value, Fault> {
        let union: &'c Union = self.context.tables.schema.union(id);
        if let Some(arm) = self.told_arm(union, members, prefix)? {
            let field = &union.arms[arm].field;
            let value_name = union.discriminator.as_ref().and_then(|d| d.value_name.as_ref());
            let value = match value_name {
                Some(name) => self.at_key(&format!("{prefix}{name}"), field, members)?,
                None => self.member_of(field, members, prefix)?,
            };
            let value = match value {
                Some(value) => value,
                None => self.paid(self.context.tables.union(id).missing[arm].clone())?,
            };
            return Ok(Value::Choice(union.arms[arm].tag, Box::new(value)));
        }
        let mut found = None;
        for arm in &union.arms {
            if let Some(value) = self.member_of(&arm.field, members, prefix)? {
                if found.is_some() {
                    return Err(bad(members.end, "two members of one union are given").in_field(&arm.field.name));
                }
                found = Some(Value::Choice(arm.tag, Box::new(value)));
            }
        }
        match found {
            Some(value) => Ok(value),
            None => {
                let first = self.first_arm(id, union);
                self.paid(first.ok_or_else(|| bad(members.end, "one member of the union must be given"))?)
            }
        }
    }

    /// The arm that the union's own member names, where it has one and it is given.
    fn told_arm(&mut self, union: &Union, members: &Members, prefix: &str) -> Result<Option<usize>, Fault> {
        let Some(discriminator) = &union.discriminator else { return Ok(None) };
        let key = format!("{prefix}{}", discriminator.name);
        let Some(at) = members.at.get(&key) else { return Ok(None) };
        self.parser.at = *at;
        let name = self.parser.string().map_err(|f| f.in_field(&key))?;
        let arm = union.arms.iter().position(|arm| arm.field.json_name() == name);
        arm.map(Some).ok_or_else(|| bad(*at, format!("no member of the union is called `{name}`")).in_field(&key))
    }
}
