//! The proof of writing, proven: a writer that is wrong in one operation is noticed, by the checker or by a value of which
//! routines and interpreter make different bytes or faults.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::{Format, Limits};
use aldis_routine::eval::{size, write};
use aldis_routine::{check, expand, lower_for, visit, Amount, Arg, Block, Frame, Large, Module, Op, Purpose, Value};
use aldis_routine::{Object, What, Write};
use aldis_schema::Type;
use aldis_testkit::compile;
use common::spoil::{spoil, spoils};
use common::{fill_open, flat, known, wanted, Text};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use std::panic::{catch_unwind, AssertUnwindSafe};

const SBE: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="m" id="1" version="2" byteOrder="littleEndian">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint8"/><type name="numInGroup" primitiveType="uint8"/></composite>
<composite name="pair"><type name="p" primitiveType="uint16"/><type name="q" primitiveType="uint8" presence="optional"/></composite>
<type name="Name" primitiveType="char" length="4"/>
<composite name="varText"><type name="length" primitiveType="uint8"/><type name="varData" length="0" primitiveType="uint8"/></composite></types>
<sbe:message name="M" id="7"><field name="a" id="1" type="uint32"/><field name="n" id="9" type="Name"/>
<field name="o" id="10" type="pair"/><field name="b" id="2" type="uint16" sinceVersion="1"/>
<group name="g" id="3" dimensionType="groupSizeEncoding"><field name="x" id="4" type="uint8"/>
<data name="t" id="5" type="varText"/></group><data name="d" id="6" type="varText" sinceVersion="2"/></sbe:message></sbe:messageSchema>"#;

const FBE: &str =
    "package m\nstruct Inner { uint8 p; string s; }\nstruct M { int32 a; Inner i; Inner? o; string t; byte[3] r; \
                   Inner[] v; int32<int32> m; int32{int32} h; decimal d; string[2] y; double[] w; }\n";

const CAPNP: &str = "@0xbf5147cbbecf40c1;\nstruct M { n @0 :UInt16 = 7; t @1 :Text; l @2 :List(B); b @3 :List(Bool); e @4 :List(Void); p @5 :List(Text); \
                     d @6 :Data; w @7 :List(UInt16); o @8 :B; z @9 :N; union { x @10 :UInt32; y @11 :Text; g :group { q @12 :Bool; r @13 :Data; } } }\n\
                     struct B { v @0 :AnyPointer; k @1 :UInt8; u :union { i @2 :Float32; j @3 :List(N); } }\nstruct N { }\n";

struct Case {
    message: usize,
    value: Value,
    limits: Limits,
    wanted: String,
}

fn answer(module: &Module, case: &Case) -> String {
    match write(module, case.message, &case.value, &case.limits) {
        Ok(bytes) => format!("{bytes:?} {:?}", size(module, case.message, &case.value, &case.limits)),
        Err(fault) => format!("{} {}", fault.code.as_str(), fault.path(module)),
    }
}

/// Values as they are and spoilt in many ways, with different depths.
fn cases(codec: &mut Codec, module: &Module) -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let default = Limits::default();
    let mut found = Vec::new();
    for message in 0..codec.plan().messages.len() {
        for seed in 0..6 {
            codec.limits = default;
            let ty = Type::Named(codec.plan().messages[message].record);
            let mut value = known(module, &ty, &codec.random(message, seed));
            fill_open(module, &ty, &mut value, &flat(codec), &mut (seed as usize));
            let spoilt = (0..500).map(|round| {
                let mut value = value.clone();
                spoils().new_tree(&mut runner).unwrap().current().iter().for_each(|one| spoil(&mut value, one));
                (value, Limits { depth: [default.depth, 2, 3, 4][round % 4], ..default })
            });
            let whole = (0..4).map(|depth| (value.clone(), Limits { depth, ..default }));
            let all: Vec<(Value, Limits)> = whole.chain([(value.clone(), default)]).chain(spoilt).collect();
            for (value, limits) in all {
                codec.limits = limits;
                let wanted = match codec.encode(message, &wanted(&value)) {
                    Ok(bytes) => format!("{bytes:?} {:?}", Some(bytes.len() as u64)),
                    Err(fault) => format!("{} {}", fault.code, fault.path),
                };
                found.push(Case { message, value, limits, wanted });
            }
        }
    }
    found
}

/// Applies `change` to each operation that writes or tells a size by turns; it says whether it changed anything.
fn mutants(module: &Module, what: &str, change: impl Fn(&mut Op) -> bool, found: &mut Vec<(String, Module)>) {
    for (routine, of) in module.routines.iter().enumerate().filter(|(_, of)| of.purpose != Purpose::Read) {
        for number in 0.. {
            let mut mutant = module.clone();
            let mut left = number;
            let Some(changed) = nth(&mut mutant.routines[routine].body, &mut left, &change) else { break };
            if changed {
                found.push((format!("{what}, {:?} {:?}, operation {number}", of.purpose, of.of), mutant));
            }
        }
    }
}

fn nth(block: &mut Block, left: &mut usize, change: &impl Fn(&mut Op) -> bool) -> Option<bool> {
    for op in &mut block.ops {
        if *left == 0 {
            return Some(change(op));
        }
        *left -= 1;
        for inner in visit::blocks_mut(&mut op.what) {
            if let Some(changed) = nth(inner, left, change) {
                return Some(changed);
            }
        }
    }
    None
}

/// Another name, or another place.
fn misplaced(op: &mut Op) -> bool {
    match &mut op.what {
        What::Within { frame: Frame::Field(name), .. } => name.0 = if name.0 == 0 { 1 } else { 0 },
        What::Write(Write::Store { place, .. } | Write::StoreScalar { place, .. } | Write::Link { place, .. }) => {
            place.plus = place.plus.checked_sub(1).unwrap_or(1);
        }
        What::Write(Write::StoreChars { width, .. }) => *width -= 1,
        What::Write(Write::Point { at, .. }) => at.plus = at.plus.checked_sub(8).unwrap_or(8),
        What::Switch { arms, .. } => arms[0].0 = 77,
        _ => return false,
    }
    true
}

/// A check that never fails, a number that is another, an element or a field that is its neighbour.
fn careless(op: &mut Op) -> bool {
    match &mut op.what {
        What::Write(Write::InRange { number: Arg::Sym(_), max, .. }) if *max < 1 << 28 => *max = u64::MAX,
        What::Write(Write::OfRecord { .. }) => {
            op.what = What::Write(Write::InRange { number: Arg::Const(0), min: 0, max: 0 })
        }
        What::Write(Write::Exactly { in_run, .. }) => *in_run = !*in_run,
        What::Write(Write::Get { field, .. }) => *field = field.checked_sub(1).unwrap_or(1),
        What::Write(Write::Reserve { size: Amount { each: Arg::Const(each), .. }, .. }) => *each += 1,
        What::Write(Write::Store { number: Arg::Const(number), .. }) => *number += 1,
        What::Write(Write::Point { object: Object::Record { data, .. }, .. }) => *data += 1,
        What::Write(Write::Point { object: Object::List { code, .. }, .. }) => *code ^= 1,
        What::Write(Write::Tag { pointers, .. }) => *pointers += 1,
        What::Write(Write::Words { bits, .. }) => *bits += 64,
        What::Write(Write::StoreBytes { size, .. }) => *size = Arg::Const(0),
        What::Write(Write::StoreBits { count, .. }) => *count = Arg::Const(0),
        What::Write(Write::Sorted { of, .. }) => of.0 = if of.0 == 0 { 1 } else { 0 },
        What::Loop { count: Arg::Sym(_), carry, .. } if carry.len() == 1 => {
            let What::Loop { count, .. } = &mut op.what else { return false };
            *count = Arg::Const(0);
        }
        _ => return false,
    }
    true
}

/// Puts one symbol in the place of another, and says whether it had any.
fn replaced(block: &mut Block, was: aldis_routine::Sym, is: aldis_routine::Sym) -> bool {
    let mut found = false;
    for op in &mut block.ops {
        visit::operands_mut(&mut op.what, &mut |sym| {
            found |= *sym == was;
            *sym = if *sym == was { is } else { *sym };
        });
        visit::blocks_mut(&mut op.what).into_iter().for_each(|block| found |= replaced(block, was, is));
    }
    found
}

/// A level that is not counted.
fn shallow(op: &mut Op) -> bool {
    match &mut op.what {
        What::Level { body, depth, .. } => replaced(body, body.takes[0], *depth),
        _ => false,
    }
}

fn noticed(mutant: &Module, cases: &[Case]) -> bool {
    check(mutant).is_err()
        || cases.iter().any(|case| {
            catch_unwind(AssertUnwindSafe(|| answer(mutant, case))).map_or(true, |answer| answer != case.wanted)
        })
}

fn every_mutant_is_noticed(format: &dyn Format, text: &str, same: &[&[&str]]) {
    for (plan, same) in compile(format, "mutation", &Text(text.to_owned())).into_iter().zip(same) {
        let module = expand(lower_for(&plan, &[Purpose::Read, Purpose::Write, Purpose::Size]), &Large::ALL);
        let cases = cases(&mut Codec::new(plan), &module);
        for case in &cases {
            assert_eq!(answer(&module, case), case.wanted);
        }
        let mut all = Vec::new();
        mutants(&module, "misplaced", misplaced, &mut all);
        mutants(&module, "careless", careless, &mut all);
        mutants(&module, "shallow", shallow, &mut all);
        // Bytes whose size is told are known to be written, and telling stores nothing.
        all.retain(|(name, _)| !name.starts_with("shallow, Size"));
        assert!(all.len() > 30, "{} mutants", all.len());
        let hidden = all.iter().filter(|(_, mutant)| !noticed(mutant, &cases));
        let hidden: Vec<&str> = hidden.map(|(name, _)| name.as_str()).collect();
        assert_eq!(hidden, *same, "not noticed, of {}, in\n{}", all.len(), aldis_routine::outline(&module));
    }
}

#[test]
fn mutants_of_sbe_are_noticed() {
    every_mutant_is_noticed(&aldis_sbe::SBE, SBE, &[&[]]);
}

#[test]
fn mutants_of_fbe_are_noticed() {
    // Another fault makes no difference if only the size is asked for.
    let same = ["careless, Size Record(TypeId(1)), operation 34"];
    every_mutant_is_noticed(&aldis_fbe::FBE, FBE, &[&same, &same]);
}

#[test]
fn mutants_of_capnp_are_noticed() {
    // Another field makes no difference if neither takes bytes beyond its pointer.
    let same = [31, 76].map(|at| format!("careless, Size Record(TypeId(0)), operation {at}"));
    every_mutant_is_noticed(&aldis_capnp::CAPNP, CAPNP, &[&[&same[0], &same[1]]]);
}
