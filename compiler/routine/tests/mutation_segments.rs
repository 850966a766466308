//! The proof of segments, proven: a lowering that is wrong in one operation is noticed. And what no random value has: open
//! values, copied whole.

mod common;

use aldis_interpreter::{Codec, Value as Wanted};
use aldis_plan::{Limits, Plan};
use aldis_routine::eval::{read, verify, view, Values};
use aldis_routine::{
    check, expand, lower_for, visit, Amount, Arg, Block, Frame, Large, Module, Op, Purpose, Routine, Segments, Subject,
    What,
};
use aldis_schema::Type;
use aldis_testkit::compile;
use common::damage::{apply, damage};
use common::{fill_open, flat, known, limits, wanted, Pair, Text};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use std::panic::{catch_unwind, AssertUnwindSafe};

const SCHEMA: &str = "@0xbf5147cbbecf40c1;\nstruct O { n @0 :UInt16 = 7; t @1 :Text; l @2 :List(O); b @3 :List(Bool); e @4 :List(Void);\
                      p @5 :List(Text); d @6 :Data; w @7 :List(UInt16); union { x @8 :UInt32; y @9 :Text; z :group { q @10 :Bool; r @11 :Data; } } }\n\
                      struct M { any @0 :AnyPointer; all @1 :List(B); o @2 :O; }\nstruct B { v @0 :AnyPointer; }\n";

fn plan() -> Plan {
    compile(&aldis_capnp::CAPNP, "mutation.capnp", &Text(SCHEMA.to_owned())).remove(0)
}

/// Messages that keep others of each shape, whole and damaged.
fn messages(codec: &Codec, count: u64) -> Vec<(usize, Vec<u8>)> {
    let mut runner = TestRunner::deterministic();
    let (inner, outer) = (codec.message_named("O").unwrap(), codec.message_named("M").unwrap());
    let mut found = Vec::new();
    for seed in 0..count {
        let value = codec.random(inner, seed);
        let flat = || Wanted::Opaque(codec.encode(inner, &value).unwrap()[8..].into());
        let boxed = |value| Wanted::Record([value].into());
        let all = Wanted::List([boxed(flat()), boxed(Wanted::Null), boxed(flat())].into());
        let kept = codec.encode(outer, &Wanted::Record([flat(), all, value.clone()].into())).unwrap();
        for round in 0..12 {
            let mut bytes = kept.clone();
            let changes = damage().new_tree(&mut runner).unwrap().current();
            let changes = if round == 0 { &[][..] } else { &changes };
            changes.iter().for_each(|one| apply(&mut bytes, codec.plan(), outer, one));
            found.push((outer, bytes));
        }
        // Elements and lists of every other shape: no sections in a tag, or another size of element.
        for word in (8..kept.len() * usize::from(seed < 4)).step_by(8) {
            let mut other = kept.clone();
            other[word + 4..word + 8].fill(0);
            found.push((outer, other));
            let mut other = kept.clone();
            other[word + 4] ^= 1;
            found.push((outer, other));
        }
        // The same of the root record, whose pointer is the second word.
        (0..3).for_each(|pointers| found.push((outer, [&kept[..14], &[pointers], &kept[15..]].concat())));
        // Sections of every size, as older writers have them. The pointer to the last field is in the fifth word.
        for pointers in 0..kept[38] {
            found.push((outer, [&kept[..38], &[pointers], &kept[39..]].concat()));
        }
        for data in 0..kept[36] {
            found.push((outer, [&kept[..36], &[data, 0, 0], &kept[39..]].concat()));
        }
    }
    found
}

#[test]
fn open_values_are_kept_as_the_interpreter_keeps_them() {
    let mut pair = Pair::new(plan());
    for (message, bytes) in messages(&pair.codec, 1) {
        pair.agrees(message, &bytes, &limits());
    }
}

fn answer(module: &Module, (message, bytes, limits): &(usize, Vec<u8>, Limits)) -> String {
    let found = read(module, *message, bytes, limits, &mut Values::new(module));
    let checked = verify(module, *message, bytes, limits).map(|found| (found.size, found.budget));
    if checked != found.as_ref().map(|found| (found.size, found.budget)).map_err(Clone::clone) {
        return format!("checked otherwise: {checked:?}");
    }
    match found {
        Ok(found) => format!("{:?} {}", found.value, found.size),
        Err(fault) => format!("{} {:?} {}", fault.code.as_str(), fault.offset, fault.path(module)),
    }
}

/// One operation changed.
fn wrong(op: &mut Op) -> bool {
    match &mut op.what {
        What::Segments(Segments::Octets { text, .. }) => *text = !*text,
        What::Segments(Segments::Aim { segment, .. } | Segments::Keep { segment, .. }) => *segment = Arg::Const(1),
        What::Segments(Segments::Seat { of, .. }) => (of.data, of.stride) = (of.pointers, of.data),
        What::Segments(Segments::Strided { of, .. }) => of.stride = of.data,
        What::Present { reach, .. } => *reach += 8,
        What::Extra { amount, .. } => *amount = Amount::exactly(0),
        What::Within { frame: Frame::Field(name), .. } => name.0 = if name.0 == 0 { 1 } else { 0 },
        What::Switch { arms, .. } => arms[0].0 = 77,
        What::Least { least, .. } => *least = 0,
        What::Arm { tag, .. } => *tag = Arg::Const(9),
        _ => return false,
    }
    true
}

fn nth(block: &mut Block, left: &mut usize) -> Option<bool> {
    for op in &mut block.ops {
        if *left == 0 {
            return Some(wrong(op));
        }
        *left -= 1;
        for inner in visit::blocks_mut(&mut op.what) {
            if let Some(changed) = nth(inner, left) {
                return Some(changed);
            }
        }
    }
    None
}

/// The first line in which two modules differ.
fn difference(one: &Module, other: &Module) -> String {
    let (one, other) = (aldis_routine::outline(one), aldis_routine::outline(other));
    let line = one.lines().zip(other.lines()).find(|(a, b)| a != b);
    line.map_or(String::new(), |(_, line)| line.trim().to_owned())
}

#[test]
fn mutants_are_noticed() {
    let module = expand(lower_for(&plan(), &[Purpose::Check]), &Large::ALL);
    let mut codec = Codec::new(plan());
    let default = Limits::default();
    let mut cases = Vec::new();
    for (message, bytes) in messages(&codec, 10) {
        // One less than is charged is noticed where the last charge is, and where an earlier one is left out.
        let much = Limits { budget_factor: 0, budget_base: u64::MAX / 2, ..default };
        let left = read(&module, message, &bytes, &much, &mut Values::new(&module)).map_or(1, |found| found.budget);
        let tight = Limits { budget_base: (u64::MAX / 2 - left).saturating_sub(1), ..much };
        for limits in [default, tight] {
            codec.limits = limits;
            let wanted = match codec.decode(message, &bytes) {
                Ok((value, size)) => {
                    let ty = Type::Named(codec.plan().messages[message].record);
                    format!("{:?} {size}", known(&module, &ty, &value))
                }
                Err(fault) => format!("{} {:?} {}", fault.code, fault.offset, fault.path),
            };
            cases.push(((message, bytes.clone(), limits), wanted));
        }
    }
    let root = cases[0].0 .0;
    let is_asked = |of: &Routine| !matches!(of.of, Subject::Message(message) if message != root);
    let same = |mutant: &Module, (case, wanted): &(_, String)| answer(mutant, case) == *wanted;
    let (all, hidden) = hidden(&module, &cases, is_asked, same);
    assert!(all > 60, "{all} mutants");
    assert_eq!(hidden, [""; 0], "not noticed, of {all}, in\n{}", aldis_routine::outline(&module));
}

/// The values that views give of a message's fields; nothing where it can't be read.
fn views(module: &Module, (message, bytes): &(usize, Vec<u8>)) -> String {
    let fields = module.schema.record(module.schema.messages[*message].record).fields.len();
    let view = |field| format!("{:?}", view(module, (*message, field), bytes, &mut Values::new(module)));
    (0..fields).map(view).collect()
}

#[test]
fn mutants_of_views_are_noticed() {
    let module = expand(lower_for(&plan(), &[Purpose::Open]), &Large::ALL);
    let codec = Codec::new(plan());
    let mut cases = messages(&codec, 3);
    for (message, seed) in (0..codec.plan().messages.len()).flat_map(|of| (0..8).map(move |seed| (of, seed))) {
        let mut value = known(&module, &record_of(&module, message), &codec.random(message, seed));
        fill_open(&module, &record_of(&module, message), &mut value, &flat(&codec), &mut (seed as usize));
        let whole = codec.encode(message, &wanted(&value)).unwrap();
        // Sections of every size, no root, and lists of other elements.
        cases.push((message, [&whole[..8], &[0; 8]].concat()));
        let sizes = (0..10).flat_map(|to| [(12, to), (14, to)]);
        for (at, to) in (8..whole.len()).flat_map(|at| [(at, 0), (at, 1)]).chain(sizes) {
            let mut bytes = whole.clone();
            bytes[at] = to;
            cases.push((message, bytes));
        }
        // Records, where the schema has texts: what the second pointer leads to is what the fifth does, three words on.
        if let Some([offset @ .., _, _, _, _]) = whole.get(32..40) {
            let offset = offset.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte)).wrapping_sub(3 << 2);
            let rest = whole.get(64..).unwrap_or_default();
            let bytes = [&whole[..whole.len().min(56)], &offset.to_le_bytes(), &whole[36..40], rest].concat();
            cases.push((message, bytes));
        }
        cases.push((message, whole));
    }
    cases.retain(|(message, bytes)| {
        read(&module, *message, bytes, &Limits::default(), &mut Values::new(&module)).is_ok()
    });
    let cases: Vec<_> = cases.into_iter().map(|case| (views(&module, &case), case)).collect();
    let is_view = |of: &Routine| of.purpose.is_of_views();
    let same = |mutant: &Module, (wanted, case): &(String, _)| views(mutant, case) == *wanted;
    let (all, hidden) = hidden(&module, &cases, is_view, same);
    assert!(all > 60, "{all} mutants");
    assert_eq!(hidden, [""; 0], "not noticed, of {all}, in\n{}", aldis_routine::outline(&module));
}

fn record_of(module: &Module, message: usize) -> Type {
    Type::Named(module.schema.messages[message].record)
}

/// How many mutants there are of the routines asked for, and those that pass the checker and in all cases.
fn hidden<C>(
    module: &Module,
    cases: &[C],
    is_asked: impl Fn(&Routine) -> bool,
    same: impl Fn(&Module, &C) -> bool,
) -> (usize, Vec<String>) {
    let (mut all, mut hidden) = (0, Vec::new());
    for routine in (0..module.routines.len()).filter(|index| is_asked(&module.routines[*index])) {
        for number in 0.. {
            let (mut mutant, mut left) = (module.clone(), number);
            let Some(changed) = nth(&mut mutant.routines[routine].body, &mut left) else { break };
            let same = |case: &C| catch_unwind(AssertUnwindSafe(|| same(&mutant, case))).unwrap_or(false);
            if changed {
                all += 1;
                if check(&mutant).is_ok() && cases.iter().all(same) {
                    hidden.push(format!("routine {routine}, operation {number}: {}", difference(module, &mutant)));
                }
            }
        }
    }
    (all, hidden)
}
