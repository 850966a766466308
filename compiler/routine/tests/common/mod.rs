//! Helpers that the proofs share: schemas, damage, and the comparison with the interpreter.
#![allow(dead_code)] // each test binary uses a part of it

pub mod damage;
pub mod spoil;

use aldis_interpreter::{Codec, Value as Wanted};
use aldis_plan::{ByteOrder, Container, Format, Limits, Plan, Repr};
use aldis_routine::eval::{self, Counter, Fault, Flat, Values};
use aldis_routine::{check, divide, expand, lower_for, Large, Module, Purpose, Value};
use aldis_schema::{Schema, Type, TypeKind};
use aldis_testkit::compile;
use proptest::test_runner::Config as ProptestConfig;

/// Schemas of the repository.
pub const SCHEMAS: [&str; 17] = [
    "market.xml",
    "market.fbe",
    "sbe/empties.xml",
    "sbe/corners.xml",
    "sbe/counts.xml",
    "sbe/header-constants.xml",
    "sbe/header-frame-length.xml",
    "sbe/header-ignored.xml",
    "sbe/header-session.xml",
    "sbe/header-venue.xml",
    "sbe/header-version.xml",
    "sbe/header-wide.xml",
    "sbe/latin1.xml",
    "sbe/market-data.xml",
    "sbe/nothing.xml",
    "sbe/optional-parts.xml",
    "sbe/split/main.xml",
];

/// Those of Cap'n Proto.
pub const SEGMENTS: [&str; 4] =
    ["addressbook.capnp", "capnp/oddities.capnp", "capnp/values.capnp", "capnp/generics.capnp"];

/// So many schemas, or as many as `PROPTEST_CASES` says.
pub fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    ProptestConfig { cases, max_shrink_iters: 500, failure_persistence: None, ..ProptestConfig::default() }
}

/// One schema text under any name.
pub struct Text(pub String);

impl aldis_diagnostics::Files for Text {
    fn read(&self, _path: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn resolve(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }
}

/// A plan's interpreter and its routines: as they are, with large operations expanded, and with fast ways told from careful ones.
pub struct Pair {
    pub codec: Codec,
    pub modules: Vec<Module>,
    /// The program of the first of them.
    pub flat: Option<Flat>,
    /// The program of its routines that view.
    pub views: Option<Flat>,
}

impl Pair {
    pub fn new(plan: Plan) -> Self {
        let module = lower_for(&plan, &[Purpose::Check, Purpose::Open]);
        let mut modules = vec![expand(module.clone(), &Large::ALL)];
        modules.extend(Large::ALL.iter().map(|kind| expand(module.clone(), &[*kind])));
        modules.push(divide(&module));
        modules.push(expand(divide(&module), &Large::ALL));
        // Most modules lack most large operations.
        modules.retain(|other| other.routines != module.routines);
        modules.insert(0, module);
        for module in &modules {
            check(module).unwrap_or_else(|mistakes| panic!("{mistakes:#?}\n{}", aldis_routine::outline(module)));
        }
        let flat = Flat::new(&modules[0]);
        assert!(flat.is_some(), "all that reads has a program");
        let views = Flat::of_views(&modules[0]);
        let has_messages = !modules[0].messages.is_empty();
        assert!(views.is_some() || !has_messages, "all that views has a program");
        Self { codec: Codec::new(plan), modules, flat, views }
    }

    /// The pairs of all wire forms of a schema.
    pub fn of(format: &dyn Format, text: &str) -> Vec<Self> {
        compile(format, "random", &Text(text.to_owned())).into_iter().map(Self::new).collect()
    }

    /// That routines and interpreter agree on these bytes, whatever the limits.
    pub fn agrees(&mut self, message: usize, bytes: &[u8], limits: &[Limits]) {
        self.agrees_within_each(message, bytes, limits);
        // The message that is encoded next is not encoded within the last of them.
        self.codec.limits = Limits::default();
    }

    fn agrees_within_each(&mut self, message: usize, bytes: &[u8], limits: &[Limits]) {
        for limits in limits {
            let spent = self.agrees_within(message, bytes, *limits);
            let Some(spent) = spent.filter(|spent| *spent > 0) else { continue };
            // The charge is known to the byte: as much suffices, and one less does not, at the same place.
            for budget in [spent, spent - 1, spent / 2, spent / 3, spent * 9 / 10] {
                let tight = Limits { budget_factor: 0, budget_base: budget, ..*limits };
                let again = self.agrees_within(message, bytes, tight);
                assert_eq!(again.is_some(), budget == spent, "{spent} spent, {budget} given");
            }
        }
    }

    /// The same for some limits. Gives what was spent of the budget, where the bytes are a message.
    fn agrees_within(&mut self, message: usize, bytes: &[u8], limits: Limits) -> Option<u64> {
        self.codec.limits = limits;
        let wanted = self.codec.decode(message, bytes);
        // Routines read what was unpacked.
        let Ok((given, packed)) = self.codec.unpacked(bytes) else { return None };
        let (bytes, packed) = (given.as_ref(), packed.is_some());
        let mut spent = None;
        self.runs_flat(message, bytes, limits);
        for (index, module) in self.modules.iter().enumerate() {
            let found = eval::read(module, message, bytes, &limits, &mut Values::new(module));
            let counted = eval::read(module, message, bytes, &limits, &mut Counter::default());
            let checked = eval::verify(module, message, bytes, &limits).map(|found| (found.size, found.budget));
            assert_eq!(checked, found.as_ref().map(|found| (found.size, found.budget)).map_err(Fault::clone));
            match (&wanted, found) {
                (Ok((value, size)), Ok(found)) => {
                    let ty = Type::Named(module.schema.messages[message].record);
                    let value = known(module, &ty, value);
                    assert_same(&found.value, &value);
                    viewed(module, message, bytes, &value);
                    if let (0, Some(views)) = (index, &mut self.views) {
                        views_flat(module, views, message, (bytes, &limits), &value);
                    }
                    assert!(packed || found.size == *size as u64, "{} {size}", found.size);
                    let budget = limits.budget(bytes.len()) - found.budget;
                    assert_eq!(*spent.get_or_insert(budget), budget, "large operations charge as small ones do");
                    assert_eq!(counted.map(|counted| counted.budget), Ok(found.budget));
                }
                (Err(wanted), Err(found)) => {
                    let text = format!("{wanted}, {limits:?}");
                    assert_eq!(found.code.as_str(), wanted.code.as_str(), "{text}; {found:?}");
                    assert_eq!(found.path(module), wanted.path, "{text}");
                    let offset = wanted.offset.map(|offset| offset as u64);
                    assert!(packed || found.offset == offset, "{text}; {found:?}");
                    assert_eq!(counted.err(), Some(found));
                }
                (Ok(_), Err(found)) => panic!("no fault for the interpreter, but {found:?}, {limits:?}"),
                (Err(wanted), Ok(_)) => panic!("{wanted}, but a value for the routines, {limits:?}"),
            }
        }
        spent
    }
}

impl Pair {
    /// That the program gives what its routines give, and asks the same of the target.
    fn runs_flat(&mut self, message: usize, bytes: &[u8], limits: Limits) {
        let (module, Some(flat)) = (&self.modules[0], &mut self.flat) else { return };
        let (mut wanted, mut counted) = (Counter::default(), Counter::default());
        let counts = eval::read(module, message, bytes, &limits, &mut wanted);
        assert_eq!(flat.read(message, bytes, &limits, &mut counted), counts);
        assert!(counts.is_err() || wanted == counted, "{wanted:?}, {counted:?}");
        let found = flat.read(message, bytes, &limits, &mut Values::new(module));
        match (eval::read(module, message, bytes, &limits, &mut Values::new(module)), found) {
            (Ok(wanted), Ok(found)) => {
                assert_same(&found.value, &wanted.value);
                assert_eq!((found.size, found.budget), (wanted.size, wanted.budget));
            }
            (wanted, found) => assert_eq!(found.err(), wanted.err()),
        }
    }
}

/// Limits that differ in what they catch.
pub fn limits() -> [Limits; 3] {
    let default = Limits::default();
    [default, Limits::REFERENCE, Limits { depth: 3, ..default }]
}

/// That two values are the same to the bit. Their texts tell zeros and what is not a number apart, but take long to make.
fn assert_same(found: &Value, wanted: &Value) {
    if !is_same(found, wanted) {
        assert_eq!(format!("{found:#?}"), format!("{wanted:#?}"));
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    let all = |one: &[Value], other: &[Value]| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
    };
    match (one, other) {
        (Value::F32(one), Value::F32(other)) => one.to_bits() == other.to_bits(),
        (Value::F64(one), Value::F64(other)) => one.to_bits() == other.to_bits(),
        (Value::Record(one), Value::Record(other)) | (Value::List(one), Value::List(other)) => all(one, other),
        (Value::Choice(tag, one), Value::Choice(named, other)) => tag == named && is_same(one, other),
        (Value::Map(one), Value::Map(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|((key, value), (of, other))| is_same(key, of) && is_same(value, other))
        }
        (one, other) => one == other,
    }
}

/// That each field is viewed as it was read.
fn viewed(module: &Module, message: usize, bytes: &[u8], value: &Value) {
    let Value::Record(fields) = value else { panic!("a message that is no record") };
    for (field, value) in fields.iter().enumerate().filter(|_| !module.opens.is_empty()) {
        let found = eval::view(module, (message, field), bytes, &mut Values::new(module));
        assert_same(&found.unwrap(), value);
    }
}

/// Demands that the program views each field as it was read.
fn views_flat(module: &Module, views: &mut Flat, message: usize, given: (&[u8], &Limits), value: &Value) {
    let (Value::Record(fields), record) = (value, module.schema.messages[message].record) else { return };
    for (field, value) in fields.iter().enumerate() {
        let found = views.view((message, record, field), given, (&mut Values::new(module), &mut Vec::new()));
        assert_same(&found.expect("the message was checked"), value);
    }
}

/// The interpreter's value as one of ours, all of its fields written out.
pub fn known(module: &Module, ty: &Type, value: &Wanted) -> Value {
    match value {
        Wanted::Null => Value::Null,
        Wanted::Bool(v) => Value::Bool(*v),
        Wanted::Int(v) => Value::Int(*v),
        Wanted::UInt(v) => Value::UInt(*v),
        Wanted::F32(v) => Value::F32(*v),
        Wanted::F64(v) => Value::F64(*v),
        Wanted::Decimal(v) => Value::Decimal(**v),
        Wanted::Uuid(v) => Value::Uuid(*v),
        Wanted::Bytes(v) => Value::Bytes(v.to_vec()),
        Wanted::Opaque(v) => Value::Opaque(v.to_vec()),
        Wanted::Record(fields) => record(module, ty, fields),
        Wanted::List(items) => Value::List(items.iter().map(|item| known(module, ty.element(), item)).collect()),
        Wanted::Packed(bytes) => unpacked(module, ty.element(), bytes),
        Wanted::Map(entries) => {
            let Type::Map { key, value, .. } = ty.required() else { panic!("a map of type {ty:?}") };
            let entries = entries.iter().map(|(k, v)| (known(module, key, k), known(module, value, v)));
            Value::Map(entries.collect())
        }
        Wanted::Choice(tag, arm) => {
            let Type::Named(id) = ty.required() else { panic!("a union of type {ty:?}") };
            let union = module.schema.union(*id);
            let ty = union.arm_of(*tag).map_or(&Type::Void, |index| &union.arms[index].field.ty);
            Value::Choice(*tag, Box::new(known(module, ty, arm)))
        }
    }
}

/// A record, whose last fields may be left out where they are missing.
fn record(module: &Module, ty: &Type, fields: &[Wanted]) -> Value {
    let Type::Named(id) = ty.required() else { panic!("a record of type {ty:?}") };
    let all = module.schema.record(*id).fields.iter().enumerate();
    let all = all.map(|(index, field)| match fields.get(index) {
        Some(value) => known(module, &field.ty, value),
        None => module[module.missing[id.index()][index]].value.clone(),
    });
    Value::Record(all.collect())
}

fn unpacked(module: &Module, element: &Type, bytes: &[u8]) -> Value {
    let repr = repr_of(&module.schema, element);
    let one = |bytes: &[u8]| {
        let mut eight = [0; 8];
        let count = bytes.len().min(8);
        eight[..count].copy_from_slice(&bytes[..count]);
        if module.byte_order == ByteOrder::Big {
            eight[..count].reverse();
        }
        let bits = u64::from_le_bytes(eight);
        match repr {
            Repr::Bool => Value::Bool(bits != 0),
            Repr::I8 => Value::Int((bits as u8 as i8).into()),
            Repr::I16 => Value::Int((bits as u16 as i16).into()),
            Repr::I32 => Value::Int((bits as u32 as i32).into()),
            Repr::I64 => Value::Int(bits as i64),
            Repr::F32 => Value::F32(f32::from_bits(bits as u32)),
            Repr::F64 => Value::F64(f64::from_bits(bits)),
            Repr::Uuid => Value::Uuid(bytes.try_into().unwrap()),
            _ => Value::UInt(bits),
        }
    };
    Value::List(bytes.chunks_exact(repr.width() as usize).map(one).collect())
}

fn repr_of(schema: &Schema, ty: &Type) -> Repr {
    match ty {
        Type::Bool => Repr::Bool,
        Type::Int(int) => Repr::int(int.bits, int.signed),
        Type::Timestamp => Repr::U64,
        Type::Float32 => Repr::F32,
        Type::Float64 => Repr::F64,
        Type::Uuid => Repr::Uuid,
        Type::Named(id) => match &schema.type_def(*id).kind {
            TypeKind::Enum(e) => repr_of(schema, &e.repr),
            TypeKind::Flags(f) => Repr::int(f.repr.bits, f.repr.signed),
            _ => Repr::U8,
        },
        _ => Repr::U8,
    }
}

/// Puts messages where a value of a type that the schema leaves open is null, as no random value has them: by turns those of `flat`.
pub fn fill_open(module: &Module, ty: &Type, value: &mut Value, flat: &[Vec<u8>], next: &mut usize) {
    match (value, ty.required()) {
        (value @ Value::Null, Type::Opaque(_)) if !flat.is_empty() => {
            *value = Value::Opaque(flat[*next % flat.len()].clone());
            *next += 1;
        }
        (Value::Record(fields), Type::Named(id)) => {
            let all = &module.schema.record(*id).fields;
            fields.iter_mut().zip(all).for_each(|(value, field)| fill_open(module, &field.ty, value, flat, next));
        }
        (Value::Choice(tag, arm), Type::Named(id)) => {
            let union = module.schema.union(*id);
            if let Some(index) = union.arm_of(*tag) {
                fill_open(module, &union.arms[index].field.ty, arm, flat, next);
            }
        }
        (Value::List(items), ty) => {
            items.iter_mut().for_each(|item| fill_open(module, ty.element(), item, flat, next));
        }
        _ => {}
    }
}

/// Random messages of segments without a table: all of a few, and one with a capability.
pub fn flat(codec: &Codec) -> Vec<Vec<u8>> {
    let Container::Segments(form) = codec.plan().container else { return Vec::new() };
    let capability = [1u64 << 48, 7 << 32 | 3].iter().flat_map(|word| word.to_le_bytes()).collect();
    let encoded = (0..codec.plan().messages.len().min(3)).filter_map(|message| {
        let bytes = codec.encode(message, &codec.random(message, 3)).ok()?;
        let words = codec.unpacked(&bytes).ok()?.0.into_owned();
        Some(words[if form.table { 8 } else { 0 }..].to_vec())
    });
    encoded.chain([capability]).collect()
}

/// One of our values as the interpreter's.
pub fn wanted(value: &Value) -> Wanted {
    match value {
        Value::Null => Wanted::Null,
        Value::Bool(v) => Wanted::Bool(*v),
        Value::Int(v) => Wanted::Int(*v),
        Value::UInt(v) => Wanted::UInt(*v),
        Value::F32(v) => Wanted::F32(*v),
        Value::F64(v) => Wanted::F64(*v),
        Value::Decimal(v) => Wanted::Decimal(Box::new(*v)),
        Value::Uuid(v) => Wanted::Uuid(*v),
        Value::Bytes(v) => Wanted::Bytes(v.as_slice().into()),
        Value::Opaque(v) => Wanted::Opaque(v.as_slice().into()),
        Value::Record(fields) => Wanted::Record(fields.iter().map(wanted).collect()),
        Value::List(items) => Wanted::List(items.iter().map(wanted).collect()),
        Value::Map(entries) => Wanted::Map(entries.iter().map(|(k, v)| (wanted(k), wanted(v))).collect()),
        Value::Choice(tag, arm) => Wanted::Choice(*tag, Box::new(wanted(arm))),
    }
}
