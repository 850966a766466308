//! Writing, proven: the routines' bytes are the interpreter's, their faults are too, and sizes are the lengths of what is written.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::{Container, Format, Limits, Plan, Segments};
use aldis_routine::eval::{size, write};
use aldis_routine::{check, expand, lower_for, Large, Module, Purpose, Routine, Value};
use aldis_schema::Type;
use aldis_testkit::{compile, plans};
use common::spoil::{spoil, Spoil};
use common::{fill_open, flat, known, wanted, Text};
use proptest::prelude::*;

/// The interpreter of a plan, and its routines: as they are, and with large operations expanded.
struct Pair {
    codec: Codec,
    modules: Vec<Module>,
}

fn writers(module: &Module) -> Vec<&Routine> {
    module.routines.iter().filter(|routine| routine.purpose != Purpose::Read).collect()
}

impl Pair {
    fn new(plan: Plan) -> Self {
        let module = lower_for(&plan, &[Purpose::Read, Purpose::Write, Purpose::Size]);
        let mut modules = vec![expand(module.clone(), &Large::ALL)];
        modules.extend(Large::ALL.iter().map(|kind| expand(module.clone(), &[*kind])));
        // Most modules lack most large operations.
        modules.retain(|other| writers(other) != writers(&module));
        modules.insert(0, module);
        for module in &modules {
            check(module).unwrap_or_else(|mistakes| panic!("{mistakes:#?}\n{}", aldis_routine::outline(module)));
        }
        Self { codec: Codec::new(plan), modules }
    }

    /// That routines and interpreter write the same, or find the same fault. Says whether there was one.
    fn agrees(&mut self, message: usize, value: &Value, limits: Limits) -> bool {
        self.codec.limits = limits;
        let wanted = self.codec.encode(message, &wanted(value));
        for module in &self.modules {
            let found = write(module, message, value, &limits);
            match (&wanted, found) {
                (Ok(wanted), Ok(found)) => {
                    assert_eq!(&found, wanted);
                    let told = size(module, message, value, &limits).expect("what is written has a size");
                    let length = self.codec.unpacked(&found).map_or(0, |(words, _)| words.len() as u64);
                    match self.codec.plan().container {
                        Container::Segments(Segments { canonical: true, .. }) => assert!(told >= length, "{value:?}"),
                        _ => assert_eq!(told, length, "{value:?}"),
                    }
                }
                (Err(wanted), Err(found)) => {
                    assert_eq!(found.code.as_str(), wanted.code.as_str(), "{wanted}; {value:?}");
                    assert_eq!(found.path(module), wanted.path, "{wanted}; {value:?}");
                    assert_eq!(found.offset, None);
                }
                (wanted, found) => panic!("{wanted:?}, but {found:?} for {value:#?}"),
            }
        }
        wanted.is_err()
    }

    /// A random value as one of ours.
    fn random(&mut self, message: usize, seed: u64) -> Value {
        self.codec.limits = Limits::default();
        let ty = Type::Named(self.codec.plan().messages[message].record);
        let mut value = known(&self.modules[0], &ty, &self.codec.random(message, seed));
        fill_open(&self.modules[0], &ty, &mut value, &flat(&self.codec), &mut (seed as usize % 7));
        value
    }
}

/// Random values of all messages, as they are and spoilt, with different limits.
fn check_all(plans: Vec<Plan>, seed: u64, spoils: &[Vec<Spoil>]) -> (usize, usize) {
    let (mut good, mut bad) = (0, 0);
    for plan in plans {
        let mut pair = Pair::new(plan);
        for message in 0..pair.codec.plan().messages.len() {
            let value = pair.random(message, seed);
            let default = Limits::default();
            for limits in
                [default, Limits { depth: 2, ..default }, Limits { budget_factor: 0, budget_base: 7, ..default }]
            {
                pair.agrees(message, &value, limits);
            }
            for changes in spoils {
                let mut value = value.clone();
                changes.iter().for_each(|change| spoil(&mut value, change));
                match pair.agrees(message, &value, default) {
                    true => bad += 1,
                    false => good += 1,
                }
            }
        }
    }
    (good, bad)
}

fn random(format: &dyn Format, schema: &str) -> Vec<Plan> {
    compile(format, "random", &Text(schema.to_owned()))
}

proptest! {
    #![proptest_config(common::cases(60))]

    #[test]
    fn sbe_is_written_as_the_interpreter_writes_it(
        schema in aldis_schemagen::sbe::schema(),
        seed: u64,
        spoils in prop::collection::vec(common::spoil::spoils(), 8),
    ) {
        check_all(random(&aldis_sbe::SBE, &schema), seed, &spoils);
    }

    #[test]
    fn fbe_is_written_as_the_interpreter_writes_it(
        schema in aldis_schemagen::fbe::schema(),
        seed: u64,
        spoils in prop::collection::vec(common::spoil::spoils(), 8),
    ) {
        check_all(random(&aldis_fbe::FBE, &schema), seed, &spoils);
    }
}

proptest! {
    // Messages of segments hold more, and take longer.
    #![proptest_config(ProptestConfig { cases: common::cases(60).cases / 3, ..common::cases(60) })]

    #[test]
    fn capnp_is_written_as_the_interpreter_writes_it(
        schema in aldis_schemagen::capnp::schema(),
        seed: u64,
        spoils in prop::collection::vec(common::spoil::spoils(), 5),
    ) {
        check_all(random(&aldis_capnp::CAPNP, &schema), seed, &spoils);
    }
}

#[test]
fn messages_of_the_repository_are_written_as_the_interpreter_writes_them() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let spoils = prop::collection::vec(common::spoil::spoils(), 12);
    let (mut good, mut bad) = (0, 0);
    for schema in common::SCHEMAS.iter().chain(&common::SEGMENTS) {
        for seed in 0..2 {
            let spoils = spoils.new_tree(&mut runner).unwrap().current();
            let found = check_all(plans(&format!("conformance/schemas/{schema}")), seed, &spoils);
            good += found.0;
            bad += found.1;
        }
    }
    // Values are spoilt in ways that matter, and in ways that do not.
    assert!(good > 100 && bad > 100, "{good} written, {bad} refused");
}

/// The bytes that a canonical form leaves out may be more than reading can afford.
#[test]
fn canonical_forms_leave_out_no_more_than_can_be_read() {
    let schema = "@0xbf5147cbbecf40c1;\nstruct M { v @0 :List(B); }\nstruct B { a @0 :UInt64; b @1 :UInt64; c @2 :UInt64; d @3 :Text; e @4 :Text; }\n";
    let (mut written, mut refused) = (0, 0);
    for plan in random(&aldis_capnp::CAPNP, schema) {
        let mut pair = Pair::new(plan);
        let message = pair.codec.message_named("M").unwrap();
        let zero = Value::Record([vec![Value::UInt(0); 3], vec![Value::Null; 2]].concat());
        for count in [1_000, 9_000] {
            let value = Value::Record(vec![Value::List(vec![zero.clone(); count])]);
            match pair.agrees(message, &value, Limits::default()) {
                true => refused += 1,
                false => written += 1,
            }
        }
    }
    assert!(written > refused && refused > 0, "{written} written, {refused} refused");
}

/// Elements without bytes are refused where reading them would cost more than the budget.
#[test]
fn what_reading_could_not_afford_is_not_written() {
    let schema = "package m\nstruct Nothing { }\nmessage M { Nothing[] v; }\n";
    let mut refused = 0;
    for plan in random(&aldis_fbe::FBE, schema) {
        let mut pair = Pair::new(plan);
        for message in 0..pair.codec.plan().messages.len() {
            let mut value = pair.random(message, 0);
            if let Value::Record(fields) = &mut value {
                for field in fields.iter_mut() {
                    if let Value::List(items) = field {
                        *items = vec![Value::Record(Vec::new()); 40_000];
                        refused += usize::from(pair.agrees(message, &value, Limits::default()));
                        break;
                    }
                }
            }
        }
    }
    assert_eq!(refused, 1, "FBE Final writes nothing for an empty struct");
}
