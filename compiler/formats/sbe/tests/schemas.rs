//! Schemas of our own with what real ones do: they compile, warn of what they should, and lie where they should.

mod common;

use aldis_diagnostics::any_error;
use aldis_plan::{leaves, Format, FrameLength, Hints, Leaf, Meaning, Node, NullValue, Plan, Run, SlotKind, Step};
use aldis_sbe::SBE;
use aldis_schema::{Encoding, Literal, Name, Record, Type, TypeKind};
use common::{compile_file, compile_text, rendered};

/// The plan of a schema, and the codes of the warnings on the way to it.
fn compile(name: &str) -> (Plan, Vec<&'static str>) {
    let mut compilation = compile_file("schemas/sbe", name);
    let shown = rendered(&compilation.diagnostics, &compilation.sources);
    assert!(!any_error(&compilation.diagnostics), "{name}: {shown}");
    let codes = compilation.diagnostics.iter().map(|d| d.code).collect();
    (compilation.plans.pop().expect("a schema without errors has a plan"), codes)
}

/// `16: length@0+2 tag@12+4`: a run's size and what lies where; `=` for what takes no bytes, `v` for a later version.
fn run_text(record: Option<&Record>, run: &Run, plan: &Plan) -> String {
    let slots: Vec<String> = leaves(run).iter().map(|leaf| leaf_text(record, leaf, plan)).collect();
    format!("{}: {}", run.size, slots.join(" "))
}

fn leaf_text(record: Option<&Record>, leaf: &Leaf<'_>, plan: &Plan) -> String {
    let slot = leaf.slot;
    let place = if slot.width == 0 { format!("={}", slot.at) } else { format!("@{}+{}", slot.at, slot.width) };
    let since = if slot.since > 0 { format!("v{}", slot.since) } else { String::new() };
    let name = match (&slot.kind, record) {
        (SlotKind::Register(register), _) => register.name.clone(),
        (SlotKind::Ignored { name, .. }, _) => format!("({name})"),
        (_, Some(record)) => path_text(record, &leaf.path, plan),
        _ => panic!("a slot without a record"),
    };
    format!("{name}{place}{since}")
}

fn path_text(record: &Record, path: &[u32], plan: &Plan) -> String {
    let field = &record.fields[path[0] as usize];
    match (&path[1..], &field.ty) {
        ([], _) => field.name.clone(),
        (rest, Type::Named(id)) => format!("{}.{}", field.name, path_text(plan.schema.record(*id), rest, plan)),
        _ => panic!("a path through {}", field.name),
    }
}

fn block(plan: &Plan, path: &[&str]) -> (String, Vec<Step>) {
    let path: Vec<String> = path.iter().map(|p| (*p).to_string()).collect();
    let name = Name { package: plan.schema.package.clone(), path };
    let index = plan.schema.types.iter().rposition(|t| t.name == name).expect("the record is in the schema");
    let TypeKind::Record(record) = &plan.schema.types[index].kind else { panic!("{} is no record", name.full()) };
    let layout = plan.layouts[index].as_ref().expect("it has a layout");
    let Some((Step::Run(run), rest)) = layout.steps.split_first() else { panic!("{} has no block", name.full()) };
    (run_text(Some(record), run, plan), rest.to_vec())
}

fn head(plan: &Plan, message: &str) -> String {
    let full = format!("{}.{message}", plan.schema.package);
    run_text(None, &plan.message(&full).expect("the message is in the schema").envelope.head, plan)
}

fn part_head(step: &Step, plan: &Plan) -> (u32, String, u64, u64) {
    let Step::Part { since, node, .. } = step else { panic!("not a part") };
    let head = match node {
        Node::Repeat(repeat) => &repeat.head,
        Node::Blob(blob) => &blob.head,
        _ => panic!("neither group nor data"),
    };
    let (_, count) = head.register(|r| matches!(r.meaning, Meaning::Count { .. })).expect("a count");
    let Meaning::Count { min, max } = count.meaning else { panic!("no count") };
    (*since, run_text(None, head, plan), min, max)
}

#[test]
fn a_market_data_feed() {
    let (plan, warnings) = compile("market-data.xml");
    assert_eq!(warnings, [] as [&str; 0]);
    assert_eq!(head(&plan, "Reset"), "8: blockLength@0+2 templateId@2+2 schemaId@4+2 version@6+2");
    assert_eq!(block(&plan, &["Reset"]).0, "9: time@0+8 indicator@8+1");
    let (update, parts) = block(&plan, &["BookUpdate"]);
    assert_eq!(update, "11: time@0+8 indicator@8+1");
    assert_eq!(part_head(&parts[0], &plan), (0, "3: blockLength@0+2 numInGroup@2+1".into(), 0, 254));
    assert_eq!(part_head(&parts[1], &plan), (2, "8: blockLength@0+2 numInGroup@7+1".into(), 0, 254));
    assert_eq!(
        block(&plan, &["BookUpdate", "entries"]).0,
        "32: price.mantissa@0+8 price.exponent=8 size@8+4 security@12+4 sequence@16+4 orders@20+4 level@24+1 action@25+1 \
         entryType@26+1"
    );
    assert_eq!(
        block(&plan, &["Trades", "trades"]).0,
        "24: action=0 price.mantissa@0+8 price.exponent=8 quantity@8+4 source=12 aggressor@12+1 leg@13+1v2 day@14+2v3 \
         settled.mantissa@16+8v3 settled.exponent=24v3"
    );
    assert_eq!(
        block(&plan, &["Definition"]).0,
        "40: symbol@0+6 security@8+4 maturity.year@12+2 maturity.month@14+1 maturity.day@15+1 maturity.week@16+1 \
         tick.mantissa@20+8 tick.exponent=28 volume@28+8"
    );
}

#[test]
fn null_values_of_its_own() {
    let (plan, _) = compile("market-data.xml");
    let (_, parts) = block(&plan, &["BookUpdate"]);
    assert_eq!(parts.len(), 2);
    let nulls = |path: &[&str]| -> Vec<(Option<NullValue>, Option<NullValue>)> {
        let local = path.join(".");
        let index = plan.schema.types.iter().position(|t| t.name.local() == local).expect("the record");
        let Some(Step::Run(run)) = plan.layouts[index].as_ref().and_then(|l| l.steps.first()) else {
            panic!("no block")
        };
        let scalars = leaves(run).into_iter().filter_map(|leaf| match &leaf.slot.kind {
            SlotKind::Scalar(scalar) => Some((scalar.null, scalar.absent)),
            _ => None,
        });
        scalars.collect()
    };
    let bits = |value| Some(NullValue::Bits(value));
    let entries = nulls(&["BookUpdate", "entries"]);
    assert_eq!(entries[..2], [(bits(i64::MAX as u64), None), (bits(i32::MAX as u64), None)]);
    assert_eq!(entries[2..4], [(None, None), (None, None)], "what is required has no null");
    let trades = nulls(&["Trades", "trades"]);
    assert_eq!(trades[2], (bits(255), None), "an enum is optional by its encoding type");
    assert_eq!(trades[3], (bits(127), None));
    assert_eq!(trades[5], (None, bits(1 << 63)), "what is newer but required is written as its type's null");
}

#[test]
fn headers_of_every_kind() {
    let (plan, warnings) = compile("header-frame-length.xml");
    assert_eq!(warnings, ["sbe/W0022"]);
    assert_eq!(
        head(&plan, "Beat"),
        "24: messageLength@0+2 blockLength@2+2 templateId@4+2 schemaId@6+2 version@8+2 (sequence)@16+8"
    );

    let (plan, warnings) = compile("header-session.xml");
    assert_eq!(warnings, [""; 0]);
    assert_eq!(head(&plan, "Logon"), "32: (flags)@0+1 (session.id)@1+8 (session.token)@9+7 (sequence)@16+8 blockLength@24+2 templateId@26+2 schemaId@28+2 version@30+2");
    let dispatch = plan.dispatch.as_ref().expect("the id is stored");
    assert_eq!((dispatch.id.at, dispatch.id.bits), (26, 16));
    assert_eq!((dispatch.expect[0].0.at, dispatch.expect[0].1), (28, 513));
    assert_eq!(block(&plan, &["Logon"]).0, "5: user@0+4 flags@4+1");

    let (plan, warnings) = compile("header-wide.xml");
    assert_eq!(warnings, ["sbe/W0018"; 4]);
    assert_eq!(head(&plan, "Small"), "17: templateId@0+4 version@4+1 blockLength@5+4 schemaId@9+8");
    assert_eq!(block(&plan, &["Large"]).0, "70000: page@0+70000");

    let (plan, warnings) = compile("header-ignored.xml");
    assert_eq!(warnings, ["sbe/W0018", "sbe/W0018", "sbe/W0018"]);
    let whole = "24: blockLength@0+2 (gaps)@2+4 templateId@6+1 (kind)@7+1 (marks)@8+2 schemaId@10+1 version@11+1 \
                 (medium)=12 (side)@12+1 (at.seconds)@14+4 (at.part.unit)@18+1 (at.part.fraction)@20+4";
    assert_eq!(head(&plan, "Log"), whole);
    let (_, parts) = block(&plan, &["Log"]);
    let whole = "8: (numGroups)@0+1 blockLength@1+1 (label)@2+2 numInGroup@4+1 (numVarDataFields)@6+2";
    assert_eq!(part_head(&parts[0], &plan).1, whole);
    // Members of the header beside the four are a value, and make types; members that only a dimension declares make none.
    let names: Vec<String> = plan.schema.types.iter().map(|t| t.name.local()).collect();
    assert_eq!(names, ["Head.kind", "Head.marks", "Stamp", "Stamp.part", "Side", "Log", "Log.flashes", "Head"]);

    let (plan, warnings) = compile("header-constants.xml");
    assert_eq!(warnings, ["sbe/W0018"; 2]);
    assert_eq!(head(&plan, "Tick"), "2: blockLength@0+1 schemaId=0 templateId@1+1 version=1");
    let constants: Vec<Option<u64>> = plan.messages[0]
        .envelope
        .head
        .slots
        .iter()
        .map(|slot| match &slot.kind {
            SlotKind::Register(register) => register.constant,
            _ => panic!("only registers"),
        })
        .collect();
    assert_eq!(constants, [None, Some(5), None, Some(1)]);
    let (_, parts) = block(&plan, &["Tick"]);
    assert_eq!(part_head(&parts[0], &plan), (0, "1: blockLength=0 numInGroup@0+1".into(), 0, 254));
    assert_eq!(block(&plan, &["Tick", "levels"]).0, "12: price@0+8", "as long as the constant says");
    assert!(plan.dispatch.is_some_and(|d| d.expect.is_empty()), "a constant schema id cannot be looked at");
}

#[test]
fn a_header_value() {
    let (plan, warnings) = compile("header-venue.xml");
    assert_eq!(warnings, ["sbe/W0022", "sbe/W0018"]);
    let header = plan.header.as_ref().expect("the header holds more than the four");
    assert_eq!(plan.schema.type_def(header.record).name.local(), "FrameHeaderValue", "a field is of the composite");
    let given: Vec<(u32, u32)> = header.given.iter().map(|given| (given.at, given.size)).collect();
    assert_eq!((header.size, given), (70, vec![(2, 11), (17, 2), (22, 48)]));
    let whole = "70: protocol=2 origin@2+1 session@3+10 flags@17+2 side@22+1 sent.time@23+8 sent.clock@32+1 \
                 sent.faults@33+1v2 rates@34+4 price.mantissa@52+8 price.exponent=60 price.venue@60+2v3 number@62+4 weight@66+4";
    assert_eq!(block(&plan, &["FrameHeaderValue"]).0, whole);
    assert_eq!(plan.frame_length().map(|(length, plus)| (length.at, length.bits, plus)), Some((0, 16, 0)));
    let message = plan.messages.last().expect("the header value is a message");
    assert_eq!((message.record, message.envelope.head.size), (header.record, 0));
    assert!(!plan.schema.messages.last().expect("one for each").listed);
}

#[test]
fn lengths_of_frames_by_hint() {
    let with = |frame_length| {
        let files = common::Disk { root: common::conformance("schemas/sbe") };
        SBE.compile_with("header-venue.xml", &files, &Hints { frame_length })
    };
    let named = |name: &str, plus| with(FrameLength::Member { name: name.to_string(), plus });
    let length = |compilation: &aldis_plan::Compilation| compilation.plans[0].frame_length();
    let counted = named("messageLength", -70);
    assert_eq!(length(&counted).map(|(place, plus)| (place.at, plus)), Some((0, -70)));
    assert!(counted.diagnostics.iter().all(|d| d.code != "sbe/W0022"), "what is said is no guess");
    let none = with(FrameLength::None);
    assert_eq!(length(&none), None);
    let record = none.plans[0].schema.record(none.plans[0].header.as_ref().expect("there is one").record);
    assert_eq!(record.fields[0].name, "messageLength", "what is no length of the frame is a value");
    for (name, plus, code) in [
        ("blockLength", 0, "sbe/E0060"),
        ("nobody", 0, "sbe/E0060"),
        ("messageLength", -71, "sbe/E0060"),
        ("messageLength", 65_466, "sbe/E0060"),
        ("number", 0, "sbe/E0050"),
        ("sent", 0, "sbe/E0050"),
        ("protocol", 0, "sbe/E0050"),
    ] {
        let compilation = named(name, plus);
        let codes: Vec<&str> = compilation.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
        assert_eq!(codes, [code], "{name}{plus:+}");
        assert!(compilation.plans.is_empty());
    }
}

#[test]
fn files_in_parts() {
    let compilation = compile_file("schemas/sbe", "split/main.xml");
    assert_eq!(rendered(&compilation.diagnostics, &compilation.sources), "");
    let paths: Vec<&str> = compilation.sources.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(paths, ["split/main.xml", "split/heads.xml", "split/common/types.xml", "split/common/../exponent.xml"]);
    let plan = &compilation.plans[0];
    assert_eq!(
        block(plan, &["TwoWay"]).0,
        "25: quote.bid.mantissa@0+8 quote.bid.exponent@8+1 quote.offer.mantissa@12+8 quote.offer.exponent@20+1 lots@21+4"
    );
    let price = plan.schema.types.iter().find(|t| t.name.local() == "Price").expect("the included type");
    assert_eq!(compilation.sources.locate(price.span), "split/common/types.xml:3:22");
    let TypeKind::Record(price) = &price.kind else { panic!("a composite is a record") };
    assert_eq!(price.fields[1].notes["minValue"], "-18");
}

#[test]
fn a_document_type_that_declares_nothing() {
    let schema = std::fs::read_to_string(common::conformance("schemas/sbe/header-constants.xml")).expect("it is there");
    let (declaration, rest) = schema.split_once("?>").expect("it has an XML declaration");
    let types =
        ["<!DOCTYPE xml>", "<!DOCTYPE messageSchema SYSTEM 'a[b]>.dtd'>", "<!DOCTYPE a PUBLIC \"-//b\" \"c\" >"];
    for document_type in types {
        let text = format!("{declaration}?>\n<!-- <!DOCTYPE a [ --><?b [?>{document_type}{rest}");
        let compilation = compile_text(&text);
        let shown = rendered(&compilation.diagnostics, &compilation.sources);
        assert!(!any_error(&compilation.diagnostics), "{document_type}: {shown}");
        assert_eq!(compilation.plans.len(), 1, "{document_type}");
    }
}

#[test]
fn a_header_that_fixes_another_id() {
    let schema = std::fs::read_to_string(common::conformance("schemas/sbe/header-constants.xml")).expect("it is there");
    let compilation = compile_text(&schema.replace("\"constant\">5<", "\"constant\">2<"));
    let codes: Vec<&str> = compilation.diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"sbe/W0021") && !any_error(&compilation.diagnostics), "{codes:?}");
    let head = &compilation.plans[0].messages[0].envelope.head;
    let register = head.register(|register| register.name == "schemaId").expect("it is in the head").1;
    let what_the_header_says = Meaning::SchemaId { expect: 2 };
    assert_eq!((register.constant, register.meaning), (Some(2), what_the_header_says));
}

#[test]
fn latin1_and_namespaces() {
    let (plan, warnings) = compile("latin1.xml");
    assert_eq!(warnings, [] as [&str; 0]);
    assert_eq!(plan.schema.doc, "Börse: Aufträge für Händler");
    let fields = &plan.schema.record(plan.messages[0].record).fields;
    let chars = |len, encoding| Type::Chars { len, encoding };
    assert_eq!((&fields[0].ty, &fields[0].constant), (&Type::Char, &Some(Literal::Int(0xA3))));
    assert_eq!(
        (&fields[1].ty, &fields[1].constant),
        (&chars(8, Encoding::Latin1), &Some(Literal::Text("Prüfung".into())))
    );
    assert_eq!((&fields[2].ty, &fields[2].constant), (&chars(7, Encoding::Utf8), &Some(Literal::Text("Grüße".into()))));
    let TypeKind::Enum(mark) = &plan.schema.types[0].kind else { panic!("the enum comes first") };
    assert_eq!((mark.value_of("Section"), mark.value_of("Space")), (Some(0xA7), Some(0x20)));

    let (plan, warnings) = compile("no-namespace.xml");
    assert_eq!(warnings, [] as [&str; 0]);
    assert_eq!((block(&plan, &["Ping"]).0.as_str(), &plan.schema.version), ("8: nonce@0+8", &None));

    let (plan, warnings) = compile("default-namespace.xml");
    assert_eq!(warnings, [""; 0]);
    assert_eq!(
        head(&plan, "Tree"),
        "12: blockLength@0+2 templateId@2+2 schemaId@4+2 version@6+2 (numGroups)@8+2 (numVarDataFields)@10+2"
    );
    let (tree, parts) = block(&plan, &["Tree"]);
    assert_eq!(tree, "0: ");
    assert_eq!(
        part_head(&parts[0], &plan).1,
        "8: blockLength@0+2 numInGroup@2+2 (numGroups)@4+2 (numVarDataFields)@6+2"
    );
    assert_eq!(block(&plan, &["Tree", "branches"]).1.len(), 2);
    assert_eq!(block(&plan, &["Tree", "branches", "twigs"]).0, "1: leaves@0+1");
}

#[test]
fn corners() {
    let (plan, warnings) = compile("corners.xml");
    assert_eq!(warnings, ["sbe/W0018", "sbe/W0018", "sbe/W0018", "sbe/W0010"]);
    let (corners, parts) = block(&plan, &["Corners"]);
    assert_eq!(
        corners,
        "120: name@0+5 letter@5+1 nothing=6 level@6+8 mustLevel@14+8 ratio@22+8 share@40+4 side=44 buying=44 two=44 \
         stage@44+8 stageMust@52+8 leg.price.numerator@60+4v1 leg.price.denominator@68+4v1 leg.side@72+1v1 \
         leg.marks@73+2v1 leg.extra.codes@75+6v1 leg.extra.fixed=81v1 leg.late@90+1v2 added@91+4v2 bits@95+1v2 late@96+1v2"
    );
    assert_eq!(part_head(&parts[0], &plan), (0, "4: numInGroup@0+2 blockLength@3+1".into(), 0, 100));
    assert_eq!(part_head(&parts[1], &plan), (2, "8: blockLength@0+4 numInGroup@4+4".into(), 1, 1000));
    assert_eq!(part_head(&parts[2], &plan), (0, "6: length@2+4".into(), 0, 1_000_000));
    assert_eq!(part_head(&parts[3], &plan), (2, "8: length@0+8".into(), 0, 70_000));
    let (legs, parts) = block(&plan, &["Corners", "legs"]);
    assert_eq!(
        legs,
        "31: leg.price.numerator@0+4 leg.price.denominator@8+4 leg.side@12+1 leg.marks@13+2 leg.extra.codes@15+6 \
         leg.extra.fixed=21 leg.late@30+1v2"
    );
    assert_eq!(part_head(&parts[0], &plan), (0, "1: length@0+1".into(), 0, 254));
    assert_eq!(block(&plan, &["Corners", "wide"]).0, "4: ");
    assert_eq!(block(&plan, &["Nothing"]).0, "0: ");
}

#[test]
fn types_of_the_corners() {
    let (plan, _) = compile("corners.xml");
    let message = plan.schema.record(plan.messages[0].record);
    let field = |name: &str| &message.fields[message.field_index(name).expect("the field")];
    assert_eq!(field("name").ty, Type::Chars { len: 5, encoding: Encoding::Utf8 });
    assert_eq!(field("letter").ty, Type::Char);
    assert_eq!(field("nothing").ty, Type::Chars { len: 0, encoding: Encoding::Latin1 });
    assert!(matches!(field("level").ty, Type::Optional(_)));
    assert!(!matches!(field("mustLevel").ty, Type::Optional(_)), "the field's presence wins");
    assert_eq!(field("side").constant, Some(Literal::Int(i128::from(b'2'))));
    assert_eq!((&field("buying").ty, &field("buying").constant), (&Type::Char, &Some(Literal::Int(i128::from(b'1')))));
    assert_eq!(field("two").constant, Some(Literal::Int(2)));
    assert_eq!((field("late").since, field("leg").since, field("added").since), (2, 1, 2));
    assert!(field("added").deprecated);
    assert_eq!(field("text").ty, Type::Text(Encoding::Latin1));
    assert_eq!(field("bytes").ty, Type::Bytes);
    assert_eq!(field("leg").id, Some(13));
    let leg = plan.schema.types.iter().find(|t| t.name.local() == "Leg").expect("the composite");
    assert_eq!(leg.doc, "A leg, of types that come later.");
    let TypeKind::Record(leg) = &leg.kind else { panic!("a composite is a record") };
    let Type::Named(extra) = leg.fields[3].ty else { panic!("a nested composite") };
    assert_eq!(plan.schema.type_def(extra).name.local(), "Leg.extra");
    let codes = &plan.schema.record(extra).fields[0].ty;
    assert!(matches!(codes, Type::Array { element, len: 3 } if matches!(**element, Type::Optional(_))));
}

#[test]
fn nulls_of_the_corners() {
    let (plan, _) = compile("corners.xml");
    let Some(Step::Run(run)) = plan.layout(plan.messages[0].record).steps.first() else { panic!("no block") };
    let scalar = |at| match leaves(run).into_iter().find(|l| l.slot.at == at && l.slot.width > 0).map(|l| &l.slot.kind)
    {
        Some(SlotKind::Scalar(scalar)) => (scalar.null, scalar.absent),
        _ => panic!("no scalar at {at}"),
    };
    let bits = |value| Some(NullValue::Bits(value));
    assert_eq!(scalar(6), (bits(0), None));
    assert_eq!(scalar(14), (None, None));
    assert_eq!(scalar(22), (bits((-1.0f64).to_bits()), None));
    assert_eq!(scalar(40), (Some(NullValue::Nan(0x7FC0_0000)), None));
    assert_eq!(scalar(44), (bits(9), None), "an enum's own null value");
    assert_eq!(scalar(52), (None, None));
    assert_eq!(scalar(60), (None, bits(0x8000_0000)), "a member of a composite that older writers lack");
    assert_eq!(scalar(72), (bits(0), None));
    assert_eq!(scalar(73), (None, bits(0)), "a set's null is empty");
    assert_eq!(scalar(91), (None, bits(0x8000_0000)));
    assert_eq!(scalar(95), (bits(0), None));
}

#[test]
fn the_digest_follows_the_text() {
    let text = |package: &str| {
        let path = common::conformance("schemas/sbe").join("no-namespace.xml");
        std::fs::read_to_string(path).expect("the schema").replace("lamp.plain", package)
    };
    let hash = |package: &str| compile_text(&text(package)).plans[0].schema.hash.clone();
    assert_eq!(hash("lamp.plain"), hash("lamp.plain"));
    assert_ne!(hash("lamp.plain"), hash("lamp.other"));
}

#[test]
fn several_mistakes_are_shown_in_one_run() {
    let text = r#"<messageSchema package="several" id="1" version="1"><types>
        <composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/></composite>
        <type name="Price" primitiveType="int46"/>
        <enum name="Side" encodingType="uint8"><validValue name="Buy">one</validValue></enum>
        </types><message name="Order" id="1">
        <field name="price" id="1" type="Price"/>
        <field name="side" id="1" type="Sides"/>
        </message></messageSchema>"#;
    let compilation = compile_text(text);
    let shown: Vec<(&str, String)> =
        compilation.diagnostics.iter().map(|d| (d.code, compilation.sources.locate(d.labels[0].span))).collect();
    let shown: Vec<(&str, &str)> = shown.iter().map(|(code, at)| (*code, at.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("sbe/E0049", "schema.xml:1:2"),
            ("sbe/E0049", "schema.xml:1:2"),
            ("sbe/E0049", "schema.xml:1:2"),
            ("sbe/E0017", "schema.xml:3:43"),
            ("sbe/E0021", "schema.xml:4:71"),
            ("sbe/E0044", "schema.xml:7:32"),
            ("sbe/E0016", "schema.xml:7:41"),
        ]
    );
}

#[test]
fn optional_by_name_only_is_kept() {
    let (plan, warnings) = compile("optional-parts.xml");
    assert!(warnings.is_empty(), "{warnings:?}");
    let optional = |record: &str| -> Vec<&str> {
        let def = plan.schema.types.iter().find(|t| t.name.local() == record).expect("the record is in the schema");
        let TypeKind::Record(record) = &def.kind else { panic!("{record} is no record") };
        record.fields.iter().filter(|f| f.optional).map(|f| f.name.as_str()).collect()
    };
    assert_eq!(optional("Parts"), ["price", "code", "short", "levels", "marks"]);
    // `spread` is a number and has a null of its own.
    assert_eq!(optional("Price"), ["spare"]);
    assert!(optional("Inner").is_empty() && optional("Constants").is_empty());
    // Only where null may be written is there something to write for it.
    let layout = plan.layouts.iter().flatten().find(|l| plan.schema.type_def(l.record).name.local() == "Parts");
    let [Step::Run(run)] = layout.expect("a message has a layout").steps.as_slice() else { panic!("one block") };
    let counts: Vec<_> = leaves(run)
        .into_iter()
        .filter_map(|leaf| match (&leaf.slot.kind, leaf.path.last()) {
            (SlotKind::Scalar(scalar), Some(0)) => Some((leaf.path, scalar.null, scalar.absent)),
            _ => None,
        })
        .collect();
    let bits = |bits| Some(NullValue::Bits(bits));
    assert_eq!(
        counts,
        [
            (vec![0], None, None),
            (vec![1, 0], None, bits(0x8000_0000)),
            (vec![1, 5, 0], None, bits(200)),
            (vec![1, 6, 0], None, bits(200)),
            (vec![6, 0], None, None),
        ]
    );
}
