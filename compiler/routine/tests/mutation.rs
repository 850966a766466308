//! The proof, proven: a lowering that is wrong in one operation is noticed, by the checker or by a message on which the
//! routines and the interpreter differ.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::{Format, Limits, Meaning, Plan, Register};
use aldis_routine::eval::{read, verify, view, Counter, Values};
use aldis_routine::{
    check, divide, expand, lower_for, visit, Amount, Block, Cut, Frame, Large, Module, Op, Purpose, Subject, Value,
    What,
};
use aldis_schema::Type;
use aldis_testkit::compile;
use common::{known, Text};
use std::panic::{catch_unwind, AssertUnwindSafe};

const SBE: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="m" id="1" version="2" byteOrder="littleEndian">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint8"/><type name="numInGroup" primitiveType="uint8"/></composite>
<composite name="varText"><type name="length" primitiveType="uint8"/><type name="varData" length="0" primitiveType="uint8"/></composite></types>
<sbe:message name="M" id="7"><field name="a" id="1" type="uint32"/><field name="b" id="2" type="uint16" sinceVersion="1"/>
<group name="g" id="3" dimensionType="groupSizeEncoding"><field name="x" id="4" type="uint8"/>
<data name="t" id="5" type="varText"/></group><group name="h" id="8" dimensionType="groupSizeEncoding"><field name="y" id="9" type="uint8"/></group>
<data name="d" id="6" type="varText" sinceVersion="2"/></sbe:message></sbe:messageSchema>"#;

const FBE: &str =
    "package m\nstruct Inner { uint8 p; string s; }\nstruct M { int32 a; Inner i; Inner? o; string t; byte[3] r; \
                   Inner[] v; int32<int32> m; decimal d; decimal[2] z; }\n";

/// A message with limits, and what the interpreter makes of it.
struct Case {
    message: usize,
    bytes: Vec<u8>,
    limits: Limits,
    wanted: String,
}

fn answer(module: &Module, case: &Case) -> String {
    let found = read(module, case.message, &case.bytes, &case.limits, &mut Values::new(module));
    let checked = verify(module, case.message, &case.bytes, &case.limits).map(|found| (found.size, found.budget));
    if checked != found.as_ref().map(|found| (found.size, found.budget)).map_err(Clone::clone) {
        return format!("checked otherwise: {checked:?}");
    }
    match found {
        Ok(found) => format!("{:?} {}", found.value, found.size),
        Err(fault) => format!("{} {:?} {}", fault.code.as_str(), fault.offset, fault.path(module)),
    }
}

/// The budgets at which reading a message gets one charge further, and one less.
fn tight(module: &Module, message: usize, bytes: &[u8]) -> Vec<Limits> {
    let with = |base| Limits { budget_factor: 0, budget_base: base, ..Limits::default() };
    let read = |base| read(module, message, bytes, &with(base), &mut Counter::default());
    let Ok(whole) = read(u64::MAX / 2) else { return Vec::new() };
    let spent = u64::MAX / 2 - whole.budget;
    let further = (1..=spent).filter(|base| read(*base).map(|_| ()) != read(base - 1).map(|_| ()));
    further.flat_map(|base| [with(base - 1), with(base)]).collect()
}

/// A message that ends early, and says so.
fn cut(plan: &Plan, message: usize, bytes: &[u8], to: usize) -> Vec<u8> {
    let mut bytes = bytes[..to].to_vec();
    let frame = |register: &Register| matches!(register.meaning, Meaning::FrameSize { .. });
    if let Some((slot, _)) = plan.messages[message].envelope.head.register(frame) {
        let size = (to as u64).to_le_bytes();
        let place = bytes.iter_mut().skip(slot.at as usize).take(slot.width as usize);
        place.zip(size).for_each(|(byte, to)| *byte = to);
    }
    bytes
}

/// Messages whole, cut everywhere, and with one byte changed everywhere; with many budgets and depths.
fn cases(plan: &Plan, module: &Module) -> Vec<Case> {
    let mut codec = Codec::new(plan.clone());
    let default = Limits::default();
    let mut limits: Vec<Limits> = (0..4).map(|depth| Limits { depth, ..default }).collect();
    limits.extend([default, Limits::REFERENCE]);
    let mut found = Vec::new();
    for message in 0..plan.messages.len() {
        codec.limits = default;
        let whole: Vec<Vec<u8>> =
            (0..3).map(|seed| codec.encode(message, &codec.random(message, seed)).unwrap()).collect();
        for bytes in &whole {
            let small = bytes.len() < 60;
            let limits: Vec<Limits> = limits.iter().copied().chain(tight(module, message, bytes)).collect();
            let mut all: Vec<Vec<u8>> = (0..=bytes.len()).map(|to| cut(plan, message, bytes, to)).collect();
            for at in 0..bytes.len() {
                for change in [255, 254, 1] {
                    let mut changed = bytes.clone();
                    changed[at] = changed[at].wrapping_add(change);
                    all.push(changed);
                }
            }
            for (index, bytes) in all.into_iter().enumerate() {
                let many = if index <= bytes.len() { limits.len() } else { 2 };
                let less = if small { tight(module, message, &bytes) } else { Vec::new() };
                for limits in (0..many).map(|n| limits[(n + index) % limits.len()]).chain([default]).chain(less) {
                    codec.limits = limits;
                    let wanted = match codec.decode(message, &bytes) {
                        Ok((value, size)) => {
                            let ty = Type::Named(plan.messages[message].record);
                            format!("{:?} {size}", known(module, &ty, &value))
                        }
                        Err(fault) => format!("{} {:?} {}", fault.code, fault.offset, fault.path),
                    };
                    found.push(Case { message, bytes: bytes.clone(), limits, wanted });
                }
            }
        }
    }
    found
}

/// Applies `change` to each operation of the module by turns; it says whether it changed anything.
fn mutants(module: &Module, what: &str, change: impl Fn(&mut [Op], usize) -> bool, found: &mut Vec<(String, Module)>) {
    for routine in 0..module.routines.len() {
        for number in 0.. {
            let mut mutant = module.clone();
            let mut left = number;
            let Some(changed) = nth(&mut mutant.routines[routine].body, &mut left, &change) else { break };
            if changed {
                found.push((format!("{what}, routine {routine}, operation {number}"), mutant));
            }
        }
    }
}

/// Applies `change` to the operation that comes `left` operations later, if there is one.
fn nth(block: &mut Block, left: &mut usize, change: &impl Fn(&mut [Op], usize) -> bool) -> Option<bool> {
    for index in 0..block.ops.len() {
        if *left == 0 {
            return Some(change(&mut block.ops, index));
        }
        *left -= 1;
        for inner in visit::blocks_mut(&mut block.ops[index].what) {
            if let Some(changed) = nth(inner, left, change) {
                return Some(changed);
            }
        }
    }
    None
}

/// No charge at all.
fn free(ops: &mut [Op], index: usize) -> bool {
    match &mut ops[index].what {
        What::Charge { amount, .. } | What::Extra { amount, .. } => {
            let before = std::mem::replace(amount, Amount::exactly(0));
            before != Amount::exactly(0)
        }
        _ => false,
    }
}

/// Whether an operation can fault.
fn faults(what: &What) -> bool {
    matches!(
        what,
        What::Need { .. }
            | What::Least { .. }
            | What::Expect { .. }
            | What::Fit { .. }
            | What::Follow { .. }
            | What::Charge { .. }
            | What::Decimal { .. }
            | What::Bound { .. }
            | What::Within { .. }
            | What::Call { .. }
    )
}

/// The next operation that can fault before this one.
fn swapped(ops: &mut [Op], index: usize) -> bool {
    let next = (index + 1..ops.len()).find(|next| faults(&ops[*next].what));
    match next {
        Some(next) if faults(&ops[index].what) => {
            ops[index..=next].rotate_right(1);
            true
        }
        _ => false,
    }
}

/// Another place in the fault, or another path.
fn misplaced(ops: &mut [Op], index: usize) -> bool {
    match &mut ops[index].what {
        What::Need { cut, .. } if *cut != Cut::Start => {
            *cut = Cut::Start;
            true
        }
        What::Within { frame: Frame::Field(name), .. } => {
            name.0 = if name.0 == 0 { 1 } else { 0 };
            true
        }
        What::Follow { place, .. } | What::Expect { place, .. } | What::Decimal { place } => {
            place.plus += 1;
            true
        }
        What::Fit { least, .. } if *least != aldis_routine::Arg::Const(0) => {
            *least = aldis_routine::Arg::Const(0);
            true
        }
        _ => false,
    }
}

fn noticed(mutant: &Module, cases: &[Case]) -> bool {
    check(mutant).is_err()
        || cases.iter().any(|case| {
            catch_unwind(AssertUnwindSafe(|| answer(mutant, case))).map_or(true, |answer| answer != case.wanted)
        })
}

/// For each wire form: mutants that mean the same.
fn every_mutant_is_noticed(format: &dyn Format, text: &str, same: &[&[&str]]) {
    for (plan, same) in compile(format, "mutation", &Text(text.to_owned())).into_iter().zip(same) {
        let module = expand(lower_for(&plan, &[Purpose::Check]), &Large::ALL);
        let cases = cases(&plan, &module);
        for case in &cases {
            assert_eq!(answer(&module, case), case.wanted);
        }
        let mut all = Vec::new();
        mutants(&module, "no charge", free, &mut all);
        mutants(&module, "two operations swapped", swapped, &mut all);
        mutants(&module, "misplaced", misplaced, &mut all);
        assert!(all.len() > 30, "{} mutants", all.len());
        let hidden = all.iter().filter(|(_, mutant)| !noticed(mutant, &cases));
        let hidden: Vec<&str> = hidden.map(|(name, _)| name.as_str()).collect();
        assert_eq!(hidden, *same, "not noticed, of {}, in\n{}", all.len(), aldis_routine::outline(&module));
    }
}

#[test]
fn mutants_of_sbe_are_noticed() {
    // The count of `h` has shown that its blocks are there: none is cut.
    every_mutant_is_noticed(
        &aldis_sbe::SBE,
        SBE,
        &[&["misplaced, routine 2, operation 1", "misplaced, routine 6, operation 1"]],
    );
}

#[test]
fn mutants_of_fbe_are_noticed() {
    // The count of a list of cells has shown that they are there: none is cut. Nor is any where they are checked.
    let standard = [
        "two operations swapped, routine 1, operation 81",
        "two operations swapped, routine 1, operation 107",
        "two operations swapped, routine 1, operation 112",
        "two operations swapped, routine 5, operation 58",
        "two operations swapped, routine 5, operation 79",
        "two operations swapped, routine 5, operation 82",
    ];
    let in_place = [
        "two operations swapped, routine 1, operation 57",
        "two operations swapped, routine 1, operation 62",
        "two operations swapped, routine 5, operation 44",
        "two operations swapped, routine 5, operation 47",
    ];
    every_mutant_is_noticed(&aldis_fbe::FBE, FBE, &[&standard, &in_place]);
}

/// `Whole` asks for the bytes and for the version.
#[test]
fn a_fast_way_taken_too_often_is_noticed() {
    let plan = compile(&aldis_sbe::SBE, "mutation", &Text(SBE.to_owned())).remove(0);
    let module = divide(&lower_for(&plan, &[Purpose::Check]));
    let cases = cases(&plan, &module);
    assert!(!noticed(&module, &cases));
    let (mut newer, mut shorter) = (module.clone(), module.clone());
    newer.tables[0].newest = 0;
    shorter.tables[0].size -= 1;
    assert!(module.tables[0].newest == 1 && noticed(&newer, &cases) && noticed(&shorter, &cases));
}

/// The views of a message that can be read, field by field.
fn viewed(module: &Module, case: &Case) -> String {
    let fields = module.schema.record(module.schema.messages[case.message].record).fields.len();
    let view = |field| view(module, (case.message, field), &case.bytes, &mut Values::new(module));
    (0..fields).map(|field| format!("{:?}", view(field))).collect()
}

/// Another byte, a field that is there too late, nothing of a list.
fn displaced(ops: &mut [Op], index: usize) -> bool {
    match &mut ops[index].what {
        What::Scalar { place, .. } | What::Load { place, .. } | What::Chars { place, .. } | What::Decimal { place } => {
            place.plus += 1;
        }
        What::Present { reach, .. } => *reach += 1,
        What::Element { stride, .. } => *stride += 1,
        What::Loop { count, .. } => *count = aldis_routine::Arg::Const(0),
        _ => return false,
    }
    true
}

#[test]
fn mutants_of_views_are_noticed() {
    for plan in compile(&aldis_sbe::SBE, "mutation", &Text(SBE.to_owned())) {
        let module = expand(lower_for(&plan, &[Purpose::Open]), &Large::ALL);
        let mut cases = Vec::new();
        // Heads of every size, as older writers have them.
        let codec = Codec::new(plan);
        for (message, seed) in (0..codec.plan().messages.len()).flat_map(|of| (0..4).map(move |seed| (of, seed))) {
            let whole = codec.encode(message, &codec.random(message, seed)).unwrap();
            let sizes = if seed == 0 { 0..72 } else { 0..16 };
            for (at, to) in (0..whole.len()).flat_map(|at| sizes.clone().map(move |to| (at, to))) {
                let mut bytes = whole.clone();
                bytes[at] = to;
                cases.push(Case { message, bytes, limits: Limits::default(), wanted: String::new() });
            }
        }
        cases.retain(|case| {
            let found = read(&module, case.message, &case.bytes, &case.limits, &mut Values::new(&module));
            let Ok(Value::Record(fields)) = found.map(|found| found.value) else { return false };
            assert_eq!(viewed(&module, case), fields.iter().map(|field| format!("Ok({field:?})")).collect::<String>());
            true
        });
        let wanted: Vec<String> = cases.iter().map(|case| viewed(&module, case)).collect();
        let mut all = Vec::new();
        mutants(&module, "displaced", displaced, &mut all);
        let is_view = |name: &str| {
            let routine = name.split([' ', ',']).nth(3).and_then(|number| number.parse::<usize>().ok());
            let routine = &module.routines[routine.unwrap()];
            // Fields of records within others are not viewed here.
            let is_root = |record| module.schema.messages.iter().any(|message| message.record == record);
            let within =
                matches!((routine.purpose, routine.of), (Purpose::View(_), Subject::Record(of)) if !is_root(of));
            routine.purpose != Purpose::Read && !within
        };
        all.retain(|(name, _)| is_view(name));
        let same = |mutant: &Module, (case, wanted): (&Case, &String)| {
            catch_unwind(AssertUnwindSafe(|| viewed(mutant, case))).is_ok_and(|found| found == *wanted)
        };
        let hidden = all.iter().filter(|(_, mutant)| cases.iter().zip(&wanted).all(|case| same(mutant, case)));
        let hidden: Vec<&str> = hidden.map(|(name, _)| name.as_str()).collect();
        assert_eq!(hidden, [""; 0], "of {} in\n{}", all.len(), aldis_routine::outline(&module));
        assert!(all.len() > 10, "{} mutants", all.len());
    }
}
