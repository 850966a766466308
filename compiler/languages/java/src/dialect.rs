//! Java, as the languages of classes differ: its words, types and conversions.

use crate::names::{getter, WORDS};
use aldis_classes::kinds::dialect::{Collection, Dialect, Known};
use aldis_classes::kinds::Kinds;
use aldis_classes::names::Words;
use aldis_classes::read::method;
use aldis_classes::tree::{binary, call, cast, int, make, name, run, runtime, string, truth, Expr, Line};
use aldis_emit::integer_of;
use aldis_plan::{Container, Repr};
use aldis_routine::Value;
use aldis_schema::{IntType, Type, TypeId};

/// The box of a primitive type.
pub(crate) fn boxed(primitive: &str) -> &'static str {
    match primitive {
        "boolean" => "Boolean",
        "byte" => "Byte",
        "char" => "Character",
        "short" => "Short",
        "int" => "Integer",
        "float" => "Float",
        "double" => "Double",
        _ => "Long",
    }
}

/// The state of reading bytes from a place on, so many, with limits.
pub(crate) fn input(container: Container, given: [&str; 4]) -> Expr {
    let given = given.map(name).into();
    match container {
        Container::Segments(form) if form.packed => run("In.unpacked", given),
        _ => make("In", given),
    }
}

pub(crate) struct Java;

impl Dialect for Java {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn method(&self, name: String) -> String {
        name
    }

    fn constant(&self, kind: &str, suffix: &str, number: usize) -> String {
        format!("{kind}{}{number}", suffix.to_uppercase())
    }

    fn constant_head(&self, class: &str) -> String {
        format!("private static final {class}")
    }

    fn holder(&self) -> Option<&'static str> {
        Some("private static final class")
    }

    fn head(&self, access: &str, gives: &str, name: &str, (class, state): (&str, &str), params: &[String]) -> String {
        let others: String = params.iter().map(|param| format!(", {param}")).collect();
        format!("{access} static {gives} {name}({class} {state}{others})")
    }

    fn glance_head(&self, gives: &str, name: &str, bytes: &str, params: &[String]) -> String {
        format!("public static {gives} {name}(byte[] {bytes}, {})", params.join(", "))
    }

    fn quick_head(&self, (name, _): (&str, bool), bytes: &str, params: &[String]) -> String {
        format!("public static int {name}(byte[] {bytes}, {})", params.join(", "))
    }

    fn input(&self, container: Container) -> Expr {
        input(container, ["bytes", "0", "bytes.length", "Limits.DEFAULT"])
    }

    fn given(&self, container: Container) -> Expr {
        self.input(container)
    }

    fn viewed(&self, view: &str, container: Container) -> Expr {
        let verified = run(format!("{view}.verify"), vec![self.input(container), make(view, Vec::new())]);
        call(verified, "copy", Vec::new())
    }

    fn same_text(&self, a: Expr, b: Expr) -> Expr {
        call(a, "equals", vec![b])
    }

    fn state(&self, own: &str) -> Expr {
        name(own)
    }

    fn with_state(&self, body: Expr) -> Expr {
        Expr::Lambda("f".into(), Box::new(body))
    }

    fn known(&self, function: Known) -> &'static str {
        match function {
            Known::FloatOfBits => "Float.intBitsToFloat",
            Known::DoubleOfBits => "Double.longBitsToDouble",
            Known::BitsOfFloat => "Float.floatToIntBits",
            Known::BitsOfDouble => "Double.doubleToLongBits",
            Known::RawBitsOfFloat => "Float.floatToRawIntBits",
            Known::RawBitsOfDouble => "Double.doubleToRawLongBits",
            Known::CompareUnsigned => "Long.compareUnsigned",
        }
    }

    fn flag(&self) -> &'static str {
        "boolean"
    }

    fn integer(&self, integer: IntType) -> &'static str {
        match integer {
            IntType { bits: 8, signed: true } => "byte",
            IntType { bits: 16, signed: true } => "short",
            IntType { bits: 8 | 16, signed: false } | IntType { bits: 32, signed: true } => "int",
            _ => "long",
        }
    }

    fn letter(&self) -> &'static str {
        "int"
    }

    fn text(&self) -> &'static str {
        "String"
    }

    fn decimal(&self, _: bool) -> &'static str {
        "aldis.Decimal"
    }

    fn uuid(&self, _: bool) -> &'static str {
        "java.util.UUID"
    }

    fn object(&self) -> &'static str {
        "Object"
    }

    fn opaque(&self) -> &'static str {
        "aldis.AnyPointer"
    }

    fn element(&self, _: &Type, value: Expr) -> Expr {
        value
    }

    fn arms(&self, kinds: &Kinds<'_>, union: TypeId) -> Expr {
        name(format!("{}::of", kinds.names.of(union)))
    }

    fn boxed(&self, primitive: &'static str, _: bool) -> String {
        boxed(primitive).to_owned()
    }

    fn collection(&self, of: &Collection, made: bool) -> String {
        match (of, made) {
            (Collection::List(element), false) => format!("java.util.List<{element}>"),
            (Collection::List(element), true) => format!("java.util.ArrayList<{element}>"),
            (Collection::Set(element), false) => format!("java.util.SortedSet<{element}>"),
            (Collection::Set(element), true) => format!("java.util.TreeSet<{element}>"),
            (Collection::Map(key, value), false) => format!("java.util.SortedMap<{key}, {value}>"),
            (Collection::Map(key, value), true) => format!("java.util.TreeMap<{key}, {value}>"),
        }
    }

    fn make(&self, of: &Collection, args: Vec<Expr>) -> Expr {
        let class = match of {
            Collection::List(_) => "java.util.ArrayList<>",
            Collection::Set(_) => "java.util.TreeSet<>",
            Collection::Map(..) => "java.util.TreeMap<>",
        };
        make(class, args)
    }

    fn array(&self, primitive: &str, list: Expr) -> Expr {
        run(runtime(format!("Wire.{primitive}s")), vec![list])
    }

    fn item(&self, list: Expr, index: Expr) -> Expr {
        call(list, "get", vec![index])
    }

    fn boxed_value(&self, primitive: &'static str, absent: Expr, number: Expr) -> Expr {
        let of = run(format!("{}.valueOf", boxed(primitive)), vec![number]);
        Expr::Choose(Box::new(absent), Box::new(name("null")), Box::new(of))
    }

    fn unboxed(&self, _: &Type, _: &Kinds<'_>, element: Expr) -> Expr {
        element
    }

    fn may_be_null(&self, _: &Type, _: &Kinds<'_>) -> bool {
        true
    }

    fn sorted(&self, kinds: &Kinds<'_>, ty: &Type, value: Expr) -> (String, Expr) {
        let (method, order, class) = match ty {
            Type::Map { key, value, .. } => {
                let class =
                    format!("java.util.List<java.util.Map.Entry<{}, {}>>", kinds.class(key), kinds.class(value));
                ("sortedMap", self.order(kinds, key), class)
            }
            ty => {
                let element = ty.element();
                ("sortedSet", self.order(kinds, element), format!("java.util.List<{}>", kinds.class(element)))
            }
        };
        (class, run(format!("Out.{method}"), vec![value, order]))
    }

    fn entry(&self, entry: Expr) -> [Expr; 2] {
        ["getKey", "getValue"].map(|side| call(entry.clone(), side, Vec::new()))
    }

    fn order(&self, kinds: &Kinds<'_>, ty: &Type) -> Expr {
        call(aldis_classes::kinds::shape(kinds, ty), "order", Vec::new())
    }

    fn byte(&self, byte: Expr, signed: bool) -> Expr {
        match signed {
            true => byte,
            false => binary(byte, "&", int(255)),
        }
    }

    fn register(&self, repr: Repr) -> &'static str {
        method(repr)
    }

    fn flipped(&self, repr: Repr, number: Expr, bits: u64) -> Expr {
        match repr {
            Repr::I8 => cast("byte", binary(number, "^", self.stored(Repr::I8, bits))),
            Repr::I16 => cast("short", binary(number, "^", self.stored(Repr::I16, bits))),
            repr => binary(number, "^", self.stored(repr, bits)),
        }
    }

    fn flipped_out(&self, repr: Repr, number: Expr, bits: u64) -> Expr {
        match repr {
            Repr::I64 | Repr::U64 => binary(number, "^", Expr::Long(i128::from(bits as i64))),
            Repr::I8 | Repr::I16 => self.flipped(repr, number, bits),
            _ => binary(number, "^", int(bits as u32 as i32)),
        }
    }

    fn stored(&self, repr: Repr, bits: u64) -> Expr {
        match repr {
            Repr::U32 => Expr::Long(i128::from(bits as u32)),
            Repr::I64 | Repr::U64 => Expr::Long(i128::from(bits as i64)),
            Repr::Bool => truth(bits != 0),
            _ => int(integer_of(repr, bits)),
        }
    }

    fn is_nan(&self, _: Repr, number: Expr) -> Expr {
        binary(number.clone(), "!=", number)
    }

    fn always_fits(&self, repr: Repr, _: &Type) -> bool {
        !matches!(repr, Repr::U8 | Repr::U16 | Repr::U32)
    }

    fn fitting(&self, repr: Repr, ty: &Type, number: Expr) -> Expr {
        match self.always_fits(repr, ty) {
            false => run(format!("Out.{}", method(repr)), vec![number]),
            true => number,
        }
    }

    fn register_out(&self, repr: Repr, number: Expr, known: Option<u64>) -> Expr {
        match (known, repr) {
            (Some(known), repr) => self.stored(Repr::int(repr.width() as u8 * 8, true), known),
            (None, Repr::U64) => number,
            (None, _) => cast("int", number),
        }
    }

    fn int_out(&self, _: Repr, number: Expr) -> Expr {
        number
    }

    fn store(&self, repr: Repr, big: bool, (bytes, at): (Expr, Expr), number: Expr) -> Line {
        let kind = match repr {
            Repr::I8 => return Line::Assign(aldis_classes::tree::index(bytes, at), "=", number),
            Repr::U8 | Repr::Bool => {
                return Line::Assign(aldis_classes::tree::index(bytes, at), "=", cast("byte", number));
            }
            Repr::U16 => "i16",
            Repr::U32 => "i32",
            Repr::U64 => "i64",
            repr => method(repr),
        };
        let order = if big { "be" } else { "" };
        let number = if repr == Repr::U16 { cast("short", number) } else { number };
        Line::Do(run(runtime(format!("Wire.{kind}{order}")), vec![bytes, at, number]))
    }

    fn zero(&self, primitive: &str) -> Expr {
        match primitive {
            "boolean" => truth(false),
            "long" => Expr::Long(0),
            "float" => Expr::Float(0.0),
            "double" => Expr::Double(0.0),
            _ => int(0),
        }
    }

    fn number(&self, primitive: &'static str, number: i128) -> Expr {
        match primitive {
            "long" => Expr::Long(i128::from(number as u64 as i64)),
            "char" => cast("char", int(number)),
            _ => int(number),
        }
    }

    fn boxed_number(&self, primitive: &'static str, number: Expr) -> Expr {
        match primitive {
            "byte" | "short" => cast(primitive, number),
            _ => number,
        }
    }

    fn decimal_literal(&self, text: String) -> Expr {
        call(name("aldis.Decimal"), "parse", vec![string(text)])
    }

    fn uuid_literal(&self, halves: [u64; 2]) -> Expr {
        make("java.util.UUID", halves.map(|half| Expr::Long(i128::from(half as i64))).into())
    }

    fn bytes_literal(&self, bytes: &[u8]) -> Expr {
        Expr::Array("byte".to_owned(), bytes.iter().map(|byte| int(*byte as i8)).collect())
    }

    fn list_literal(&self, _: &Kinds<'_>, _: &Type, values: &[Value], items: Vec<Expr>) -> Expr {
        // One null as variable arguments would be no list of them.
        if !values.is_empty() && values.iter().all(|value| matches!(value, Value::Null)) {
            return run("Wire.nulls", vec![int(values.len() as i128)]);
        }
        run("Wire.list", items)
    }

    fn arm(&self, kinds: &Kinds<'_>, union: TypeId, index: Option<usize>, tag: Expr, held: Expr) -> Expr {
        let class = kinds.type_of(union);
        let Some(index) = index else { return make(format!("{class}.Unknown"), vec![tag]) };
        let is_void = kinds.union_of(union).arms[index].field.ty == Type::Void;
        let arm = format!("{class}.{}", kinds.names.fields(union)[index]);
        make(arm, if is_void { Vec::new() } else { vec![held] })
    }

    fn held_before(&self, kinds: &Kinds<'_>, (union, index): (TypeId, usize), old: Expr) -> Expr {
        let held = self.held(kinds, union, index, old.clone());
        Expr::Choose(Box::new(is_arm(kinds, (union, index), old)), Box::new(held), Box::new(name("null")))
    }

    fn kept(&self, kinds: &Kinds<'_>, arm: (TypeId, usize), old: Expr, (held, made): (Expr, Expr)) -> Expr {
        let mut same = is_arm(kinds, arm, old.clone());
        if kinds.union_of(arm.0).arms[arm.1].field.ty != Type::Void {
            same = binary(same, "&&", binary(self.held(kinds, arm.0, arm.1, old.clone()), "==", held));
        }
        Expr::Choose(Box::new(same), Box::new(old), Box::new(made))
    }

    fn held(&self, kinds: &Kinds<'_>, union: TypeId, index: usize, of: Expr) -> Expr {
        let class = format!("{}.{}", kinds.type_of(union), kinds.names.fields(union)[index]);
        call(cast(class, of), "value", Vec::new())
    }

    fn shared(&self, kinds: &Kinds<'_>, record: TypeId, field: usize, of: Expr) -> Expr {
        call(of, getter(kinds, record, field), Vec::new())
    }

    fn share(&self, kinds: &Kinds<'_>, record: TypeId, field: usize, of: Expr, value: Expr) -> Line {
        Line::Do(call(of, getter(kinds, record, field), vec![value]))
    }

    fn shape_of(&self, kinds: &Kinds<'_>, id: TypeId) -> Expr {
        name(format!("{}.SHAPE", kinds.type_of(id)))
    }

    fn shape_of_collection(&self, kinds: &Kinds<'_>, ty: &Type, shapes: Vec<Expr>, is_object: bool) -> Expr {
        match ty {
            Type::Set(_) => run("Json.set", shapes),
            Type::Map { .. } => run(if is_object { "Json.map" } else { "Json.pairs" }, shapes),
            ty => {
                let primitive = kinds.array(ty.element());
                let primitive = primitive.map_or(name("null"), |primitive| name(format!("{primitive}.class")));
                let length = match ty {
                    Type::Array { len, .. } => int(*len),
                    _ => int(-1),
                };
                run("Json.list", shapes.into_iter().chain([primitive, length]).collect())
            }
        }
    }
}

/// Whether a union holds an arm.
fn is_arm(kinds: &Kinds<'_>, (union, index): (TypeId, usize), of: Expr) -> Expr {
    binary(of, "instanceof", name(format!("{}.{}", kinds.type_of(union), kinds.names.fields(union)[index])))
}
