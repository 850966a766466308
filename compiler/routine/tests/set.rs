//! Setting, proven: a field that is set where it lies gives the bytes, or the fault, of the whole value written with that field.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::{Format, Limits, Plan};
use aldis_routine::eval::{set, write};
use aldis_routine::{check, expand, lower_for, Large, Module, Purpose, Value};
use aldis_schema::{Type, TypeId};
use aldis_testkit::{compile, plans};
use common::spoil::{spoil, spoils, Spoil};
use common::{fill_open, flat, known, Text};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// How many fields were set, and how many values were refused.
#[derive(Default)]
struct Tally {
    set: usize,
    refused: usize,
    nested: usize,
}

struct Setting<'m> {
    modules: &'m [Module],
    message: usize,
    tally: &'m mut Tally,
}

impl Setting<'_> {
    /// Sets each field of a record within `value`, which lies on `path` in it, to that of `other`.
    fn fields(&mut self, value: &Value, path: &mut Vec<usize>, other: &Value, record: TypeId, at: u32) {
        let Some(fixed) = &self.modules[0].fixed[record.index()] else { return };
        let Value::Record(fields) = other else { return };
        for (field, _) in &fixed.setters {
            let Some(given) = fields.get(*field as usize) else { continue };
            path.push(*field as usize);
            let mut changed = value.clone();
            *within(&mut changed, path) = given.clone();
            path.pop();
            self.field(value, &changed, (record, *field, at), given);
            self.tally.nested += usize::from(!path.is_empty());
        }
        for (field, inner, shift) in &fixed.nests {
            let Some(other @ Value::Record(_)) = fields.get(*field as usize) else { continue };
            path.push(*field as usize);
            if matches!(within(&mut value.clone(), path), Value::Record(_)) {
                self.fields(value, path, other, *inner, at + shift);
            }
            path.pop();
        }
    }

    fn field(&mut self, value: &Value, changed: &Value, (record, field, at): (TypeId, u32, u32), given: &Value) {
        let limits = Limits::default();
        for module in self.modules {
            let Ok(mut bytes) = write(module, self.message, value, &limits) else { return };
            let wanted = write(module, self.message, changed, &limits);
            let fixed = module.fixed[record.index()].as_ref().expect("modules set the same");
            let routine = fixed.setters.iter().find(|(known, _)| *known == field).expect("it is settable").1;
            let found = set(module, routine, &mut bytes, at.into(), given);
            match (wanted, found) {
                (Ok(wanted), Ok(())) => {
                    assert_eq!(bytes, wanted, "{given:?} in field {field} of {record:?} of {value:?}");
                    self.tally.set += 1;
                }
                (Err(wanted), Err(found)) => {
                    let path = wanted.path(module);
                    assert_eq!(found.code.as_str(), wanted.code.as_str(), "{given:?}");
                    assert!(path.ends_with(&found.path(module)), "{path} of {given:?}");
                    self.tally.refused += 1;
                }
                (wanted, found) => panic!("{wanted:?}, but {found:?} for {given:?}"),
            }
        }
    }
}

fn within<'v>(value: &'v mut Value, path: &[usize]) -> &'v mut Value {
    path.iter().fold(value, |value, field| match value {
        Value::Record(fields) => &mut fields[*field],
        other => other,
    })
}

fn set_all(plan: Plan, seed: u64, changes: &[Vec<Spoil>], tally: &mut Tally) {
    let module = lower_for(&plan, &[Purpose::Write, Purpose::SETS]);
    let modules = [expand(module.clone(), &Large::ALL), module];
    for module in &modules {
        check(module).unwrap_or_else(|mistakes| panic!("{mistakes:#?}\n{}", aldis_routine::outline(module)));
    }
    let codec = Codec::new(plan);
    for message in 0..codec.plan().messages.len() {
        let Some(start) = modules[0].starts[message] else { continue };
        let record = codec.plan().messages[message].record;
        let ty = Type::Named(record);
        let random = |seed: u64| {
            let mut value = known(&modules[0], &ty, &codec.random(message, seed));
            fill_open(&modules[0], &ty, &mut value, &flat(&codec), &mut (seed as usize % 7));
            value
        };
        let (value, other) = (random(seed), random(seed.wrapping_add(1)));
        let mut setting = Setting { modules: &modules, message, tally };
        let mut others = vec![other; changes.len() + 1];
        for (other, changes) in others[1..].iter_mut().zip(changes) {
            changes.iter().for_each(|change| spoil(other, change));
        }
        for other in &others {
            setting.fields(&value, &mut Vec::new(), other, record, start);
        }
    }
}

fn random(format: &dyn Format, schema: &str, seed: u64, changes: &[Vec<Spoil>]) {
    for plan in compile(format, "random", &Text(schema.to_owned())) {
        set_all(plan, seed, changes, &mut Tally::default());
    }
}

proptest! {
    #![proptest_config(common::cases(40))]

    #[test]
    fn fields_of_sbe_are_set_as_they_are_written(
        schema in aldis_schemagen::sbe::schema(),
        seed: u64,
        changes in prop::collection::vec(spoils(), 6),
    ) {
        random(&aldis_sbe::SBE, &schema, seed, &changes);
    }

    #[test]
    fn fields_of_fbe_are_set_as_they_are_written(
        schema in aldis_schemagen::fbe::schema(),
        seed: u64,
        changes in prop::collection::vec(spoils(), 6),
    ) {
        random(&aldis_fbe::FBE, &schema, seed, &changes);
    }

    #[test]
    fn fields_of_capnp_are_set_as_they_are_written(
        schema in aldis_schemagen::capnp::schema(),
        seed: u64,
        changes in prop::collection::vec(spoils(), 6),
    ) {
        random(&aldis_capnp::CAPNP, &schema, seed, &changes);
    }
}

#[test]
fn fields_of_the_repositorys_messages_are_set_as_they_are_written() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for schema in common::SCHEMAS.iter().chain(&common::SEGMENTS) {
        for plan in plans(&format!("conformance/schemas/{schema}")) {
            let changes = prop::collection::vec(spoils(), 4).new_tree(&mut runner).unwrap().current();
            let form = plan.form.name.clone();
            set_all(plan, 3, &changes, tallies.entry(form).or_default());
        }
    }
    let forms = |of: fn(&Tally) -> usize| -> Vec<&str> {
        tallies.iter().filter(|(_, tally)| of(tally) > 0).map(|(form, _)| form.as_str()).collect()
    };
    assert_eq!(forms(|tally| tally.set), ["capnp", "fbe", "fbe-final", "sbe"]);
    assert_eq!(forms(|tally| tally.refused), ["capnp", "fbe", "fbe-final", "sbe"]);
    assert!(forms(|tally| tally.nested).contains(&"sbe"), "composites lie in place");
}
