//! The places that plans give the bytes.

mod support;

use aldis_fbe::FBE;
use aldis_plan::{
    node_min_size, Element, Extent, FixedInt, Format, FrameCheck, Meaning, Missing, Node, NullLink, Plan, RootPlace,
    Run, Shape, Slot, SlotKind, Step,
};
use support::{compile, conformance, rendered, Folder};

fn plans(body: &str) -> [Plan; 2] {
    let compilation = compile(&format!("package t {body}"));
    assert!(compilation.diagnostics.is_empty(), "{}", rendered(&compilation));
    compilation.plans.try_into().unwrap()
}

fn steps<'a>(plan: &'a Plan, message: &str) -> &'a [Step] {
    &plan.layout(plan.message(message).unwrap().record).steps
}

fn only_run<'a>(plan: &'a Plan, message: &str) -> &'a Run {
    match steps(plan, message) {
        [Step::Run(run)] => run,
        other => panic!("{other:?}"),
    }
}

fn part(step: &Step) -> (u32, &Node) {
    match step {
        Step::Part { field, since: 0, node } => (*field, node),
        other => panic!("{other:?}"),
    }
}

/// `(at, width, field)` of each slot.
fn places(slots: &[Slot]) -> Vec<(u32, u32, Option<u32>)> {
    slots.iter().map(|s| (s.at, s.width, s.field)).collect()
}

#[test]
fn the_standard_form_is_a_block_behind_its_size_and_type() {
    let [plan, _] = plans(
        "struct P { double x; } struct A(9) { int8 a; string b; P c; decimal? d; int16[3] e; P[] f; uuid<string> g; }",
    );
    let run = only_run(&plan, "t.A");
    assert_eq!((run.size, run.extent), (8 + 1 + 4 + 4 + 5 + 6 + 4 + 4, Extent::Stated { head: 8 }));
    let expected = [
        (0, 4, None),
        (4, 4, None),
        (8, 1, Some(0)),
        (9, 4, Some(1)),
        (13, 4, Some(2)),
        (17, 5, Some(3)),
        (22, 6, Some(4)),
        (28, 4, Some(5)),
        (32, 4, Some(6)),
    ];
    assert_eq!(places(&run.slots), expected);
    assert!(run.register(|r| r.meaning == Meaning::Extent { writes: 36 }).is_some());
    assert!(run.register(|r| r.meaning == Meaning::TypeId { expect: 9 }).is_some());
    assert!(run.slots[2..].iter().all(|slot| slot.missing == Missing::Default));
    let layout = plan.layout(plan.message("t.A").unwrap().record);
    assert!(layout.rebase);
}

#[test]
fn links_of_the_standard_form_lead_where_they_should() {
    let [plan, _] = plans("struct P { double x; } struct A { string b; P c; P? d; int16<string> e; }");
    let kinds: Vec<&SlotKind> = only_run(&plan, "t.A").slots[2..].iter().map(|s| &s.kind).collect();
    let SlotKind::Link(text) = kinds[0] else { panic!("{:?}", kinds[0]) };
    assert!(text.null == NullLink::Empty && matches!(*text.target, Node::Blob(_)));
    let SlotKind::Link(record) = kinds[1] else { panic!("{:?}", kinds[1]) };
    assert!(record.null == NullLink::Refused && matches!(*record.target, Node::Call { .. }));
    let SlotKind::Presence(optional) = kinds[2] else { panic!("{:?}", kinds[2]) };
    let Node::Rebase { value } = &*optional.target else { panic!("{optional:?}") };
    assert!(matches!(&**value, Node::Cell { slot } if slot.width == 4 && slot.at == 0));
    let SlotKind::Link(map) = kinds[3] else { panic!("{:?}", kinds[3]) };
    let Node::Repeat(repeat) = &*map.target else { panic!("{map:?}") };
    let Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot: value } } = &repeat.element else {
        panic!("{repeat:?}")
    };
    assert_eq!((repeat.shape, repeat.element_min, key.at, value.at), (Shape::Map, 6, 0, 4));
}

#[test]
fn envelopes_frames_and_dispatch() {
    let [standard, compact] = plans("struct A(300) {}");
    let word = |at| FixedInt { at, bits: 32 };
    let framing = |plan: &Plan| plan.form.framing.clone().map(|f| (f.length, f.min));
    assert_eq!((standard.form.name.as_str(), standard.form.suffix.as_str()), ("fbe", ""));
    assert_eq!((compact.form.name.as_str(), compact.form.suffix.as_str()), ("fbe-final", "final"));
    assert_eq!((framing(&standard), framing(&compact)), (Some((word(0), 16)), Some((word(0), 8))));
    let dispatch = |plan: &Plan| plan.dispatch.clone().map(|d| (d.via, d.id));
    assert_eq!((dispatch(&standard), dispatch(&compact)), (Some((Some(word(4)), word(4))), Some((None, word(4)))));
    let (standard, compact) = (&standard.messages[0].envelope, &compact.messages[0].envelope);
    assert_eq!((standard.root, compact.root), (RootPlace::Registered, RootPlace::Follows));
    let check = |check| move |r: &aldis_plan::Register| r.meaning == Meaning::FrameSize { check };
    assert!(standard.head.register(check(FrameCheck::Bounds)).is_some());
    assert!(standard.head.register(|r| r.meaning == Meaning::Root).is_some());
    assert!(compact.head.register(check(FrameCheck::Exact)).is_some());
    assert!(compact.head.register(|r| r.meaning == Meaning::TypeId { expect: 300 }).is_some());
}

#[test]
fn neighbours_of_fixed_size_are_one_run_in_the_final_form() {
    let [_, plan] = plans("struct E {} struct P { int16 x; E e; bool[2] y; } struct A { int8 a; P p; P[2] q; string s; int32 b; uuid c; }");
    let steps = steps(&plan, "t.A");
    let (Step::Run(first), Step::Run(last)) = (&steps[0], &steps[2]) else { panic!("{steps:?}") };
    assert_eq!((steps.len(), first.size, first.extent, last.size), (3, 1 + 4 + 8, Extent::Exact, 20));
    assert_eq!(places(&first.slots), [(0, 1, Some(0)), (1, 4, Some(1)), (5, 8, Some(2))]);
    assert_eq!(places(&last.slots), [(0, 4, Some(4)), (4, 16, Some(5))]);
    assert!(matches!(part(&steps[1]), (3, Node::Blob(_))));
    let SlotKind::Nest { slots, .. } = &first.slots[1].kind else { panic!("{first:?}") };
    assert_eq!(places(slots), [(1, 2, Some(0)), (3, 0, Some(1)), (3, 2, Some(2))]);
    let SlotKind::Array { count: 2, element } = &first.slots[2].kind else { panic!("{first:?}") };
    let SlotKind::Nest { slots, .. } = &element.kind else { panic!("{element:?}") };
    assert_eq!(
        (element.at, element.width, places(slots)),
        (0, 4, vec![(0, 2, Some(0)), (2, 0, Some(1)), (2, 2, Some(2))])
    );
}

#[test]
fn what_varies_is_a_part_in_the_final_form() {
    let [_, plan] = plans(
        "struct V { string s; int32 n; } struct A { int32? a; V b; V[2] c; V[] d; int16! e; int8<int32> f; V<int32> g; int32?[3] h; }",
    );
    let nodes: Vec<&Node> = steps(&plan, "t.A").iter().map(|step| part(step).1).collect();
    assert!(matches!(nodes[0], Node::Maybe { value } if matches!(**value, Node::Cell { .. })));
    assert!(matches!(nodes[1], Node::Call { .. }));
    assert!(matches!(nodes[2], Node::Series { count: 2, element } if matches!(**element, Node::Call { .. })));
    let repeats = nodes[3..7].iter().map(|node| match node {
        Node::Repeat(repeat) => (repeat.shape, repeat.element_min),
        other => panic!("{other:?}"),
    });
    assert_eq!(repeats.collect::<Vec<_>>(), [(Shape::List, 8), (Shape::Set, 2), (Shape::Map, 5), (Shape::Map, 12)]);
    assert!(matches!(nodes[7], Node::Series { count: 3, element } if matches!(**element, Node::Maybe { .. })));
}

/// Key and value are one run, so what is nested in the value counts from the key's first byte too.
#[test]
fn fixed_struct_values_of_a_map_lie_behind_their_keys() {
    let [_, plan] = plans("struct I { int8 x; } struct P { int16 a; I i; I[2] v; } struct A { P<int32> m; }");
    let (_, Node::Repeat(repeat)) = part(&steps(&plan, "t.A")[0]) else { panic!("{:?}", steps(&plan, "t.A")) };
    let Element::Pair { value: Node::Cell { slot }, .. } = &repeat.element else { panic!("{repeat:?}") };
    let SlotKind::Nest { slots, .. } = &slot.kind else { panic!("{slot:?}") };
    assert_eq!((slot.at, places(slots)), (4, vec![(4, 2, Some(0)), (6, 1, Some(1)), (7, 2, Some(2))]));
    let SlotKind::Nest { slots: inner, .. } = &slots[1].kind else { panic!("{slots:?}") };
    let SlotKind::Array { element, .. } = &slots[2].kind else { panic!("{slots:?}") };
    let SlotKind::Nest { slots: of_element, .. } = &element.kind else { panic!("{element:?}") };
    assert_eq!((places(inner), places(of_element)), (vec![(6, 1, Some(0))], vec![(0, 1, Some(0))]));
}

#[test]
fn an_empty_struct_takes_no_step_in_the_final_form() {
    let [_, plan] = plans("struct E {} struct A { E e; E[] v; }");
    assert!(steps(&plan, "t.E").is_empty());
    let Step::Run(run) = &steps(&plan, "t.A")[0] else { panic!("{:?}", steps(&plan, "t.A")) };
    assert_eq!((run.size, places(&run.slots)), (0, vec![(0, 0, Some(0))]));
    assert!(matches!(part(&steps(&plan, "t.A")[1]), (1, Node::Repeat(repeat)) if repeat.element_min == 0));
}

/// Structs of structs would otherwise double the plan at every step.
#[test]
fn many_fixed_slots_are_called_rather_than_spelled_out() {
    let doubling: String = (1..16).map(|i| format!("struct S{i} {{ S{} a; S{} b; }} ", i - 1, i - 1)).collect();
    let [_, plan] = plans(&format!("struct S0 {{ bool x; }} {doubling}"));
    let text = format!("{plan:?}");
    assert!(text.len() < 2_000_000, "{}", text.len());
    let last = plan.message("t.S15").unwrap().record;
    assert_eq!(node_min_size(&plan, &Node::Call { record: last }), 1 << 15);
}

#[test]
fn element_min_is_the_least_size_of_the_element() {
    for name in ["proto.fbe", "extra.fbe"] {
        for plan in FBE.compile(name, &Folder(conformance("vectors/fbe"))).plans {
            let mut repeats = 0;
            for layout in plan.layouts.iter().flatten() {
                layout.steps.iter().for_each(|step| check_step(&plan, step, &mut repeats));
            }
            assert!(repeats > 0, "{name}");
        }
    }
}

fn check_step(plan: &Plan, step: &Step, repeats: &mut usize) {
    match step {
        Step::Run(run) => run.slots.iter().for_each(|slot| check_slot(plan, slot, repeats)),
        Step::Part { node, .. } => check_node(plan, node, repeats),
    }
}

fn check_slot(plan: &Plan, slot: &Slot, repeats: &mut usize) {
    match &slot.kind {
        SlotKind::Link(link) | SlotKind::Presence(link) => check_node(plan, &link.target, repeats),
        SlotKind::Array { element, count } => {
            assert_eq!(slot.width, element.width * count);
            check_slot(plan, element, repeats);
        }
        SlotKind::Nest { slots, .. } => {
            assert_eq!(slot.width, slots.iter().map(|s| s.width).sum::<u32>());
            slots.iter().for_each(|slot| check_slot(plan, slot, repeats));
        }
        _ => {}
    }
}

fn check_node(plan: &Plan, node: &Node, repeats: &mut usize) {
    match node {
        Node::Repeat(repeat) => {
            let least: u64 = repeat.element.nodes().iter().map(|node| node_min_size(plan, node)).sum();
            assert_eq!(u64::from(repeat.element_min), least);
            *repeats += 1;
            repeat.element.nodes().iter().for_each(|node| check_node(plan, node, repeats));
        }
        Node::Series { element, .. } => check_node(plan, element, repeats),
        Node::Maybe { value } | Node::Rebase { value } => check_node(plan, value, repeats),
        Node::Cell { slot } => check_slot(plan, slot, repeats),
        Node::Call { .. } | Node::Blob(_) | Node::Opaque { .. } => {}
    }
}

/// Each struct leads twice to the next: what missing fields cost is found without following all ways, and the same.
#[test]
fn costs_of_missing_fields_take_no_time_without_end() {
    let structs: String = (0..60).map(|i| format!("struct S{i} {{ S{0}? left; S{0}? right; }} ", i + 1)).collect();
    let [plan, _] = plans(&format!("{structs} struct S60 {{ int8 last; }}"));
    let cost = |name: &str| plan.lacks(plan.message(name).unwrap().record).block;
    assert_eq!(cost("t.S0"), [(13, 7), (18, 7)]);
    assert_eq!(cost("t.S59"), [(13, 5), (18, 5)]);
    assert_eq!(cost("t.S60"), [(9, 4)]);
}
