//! C#, as the languages of classes differ: its types and conversions.

use crate::names::WORDS;
use aldis_classes::kinds::dialect::{Collection, Dialect, Known};
use aldis_classes::kinds::{shape, Kinds};
use aldis_classes::names::Words;
use aldis_classes::read::method;
use aldis_classes::tree::{
    binary, call, cast, index, int, make, member, name, run, runtime, string, truth, Expr, Line,
};
use aldis_emit::integer_of;
use aldis_emit::names::capital;
use aldis_plan::{Container, Repr};
use aldis_routine::Value;
use aldis_schema::{IntType, Type, TypeId, TypeKind};

/// The state of reading `bytes` with limits.
pub(crate) fn input(container: Container, limits: &str) -> Expr {
    let given = ["bytes", limits].map(name).into();
    match container {
        Container::Segments(form) if form.packed => run("In.unpacked", given),
        _ => make("In", given),
    }
}

/// In front of a method that is called: with the parts of several records in one method, the compiler holds none of them in registers.
const STAYS: &str = "[global::System.Runtime.CompilerServices.MethodImpl(Wire.Stays)] ";

pub(crate) struct CSharp;

/// The type of a number that is stored so, without sign where `signed` does not say otherwise.
fn type_of(repr: Repr) -> &'static str {
    match repr {
        Repr::I8 => "sbyte",
        Repr::I16 => "short",
        Repr::I32 => "int",
        Repr::I64 => "long",
        Repr::U16 => "ushort",
        Repr::U32 => "uint",
        Repr::U64 => "ulong",
        Repr::F32 => "float",
        Repr::F64 => "double",
        _ => "byte",
    }
}

impl Dialect for CSharp {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn method(&self, name: String) -> String {
        capital(&name)
    }

    fn constant(&self, kind: &str, suffix: &str, number: usize) -> String {
        format!("{}{}{number}", capital(&kind.to_lowercase()), capital(suffix))
    }

    fn constant_head(&self, class: &str) -> String {
        format!("private static readonly {class}")
    }

    fn head(&self, access: &str, gives: &str, name: &str, (class, state): (&str, &str), params: &[String]) -> String {
        let others: String = params.iter().map(|param| format!(", {param}")).collect();
        format!("{access} static {gives} {name}(ref {class} {state}{others})")
    }

    fn glance_head(&self, gives: &str, name: &str, bytes: &str, params: &[String]) -> String {
        format!("public static {gives} {name}(ReadOnlySpan<byte> {bytes}, {})", params.join(", "))
    }

    fn quick_head(&self, (name, stays): (&str, bool), bytes: &str, params: &[String]) -> String {
        let stays = if stays { STAYS } else { "" };
        format!("{stays}public static int {name}(Span<byte> {bytes}, {})", params.join(", "))
    }

    fn cuts_views(&self) -> bool {
        true
    }

    fn part(&self, is_written: bool) -> Option<&'static str> {
        Some(if is_written { "Span<byte>" } else { "ReadOnlySpan<byte>" })
    }

    fn input(&self, container: Container) -> Expr {
        input(container, "Limits.Default")
    }

    fn given(&self, _: Container) -> Expr {
        name("bytes")
    }

    fn viewed(&self, view: &str, _: Container) -> Expr {
        call(run(format!("{view}.Verify"), vec![name("bytes")]), "clone", Vec::new())
    }

    fn same_text(&self, a: Expr, b: Expr) -> Expr {
        binary(a, "==", b)
    }

    fn state(&self, own: &str) -> Expr {
        name(format!("ref {own}"))
    }

    fn with_state(&self, body: Expr) -> Expr {
        Expr::Lambda("(ref In f)".into(), Box::new(body))
    }

    fn known(&self, function: Known) -> &'static str {
        match function {
            Known::FloatOfBits => "Wire.FloatOf",
            Known::DoubleOfBits => "Wire.DoubleOf",
            Known::BitsOfFloat | Known::BitsOfDouble => "Wire.BitsOf",
            Known::RawBitsOfFloat | Known::RawBitsOfDouble => "Wire.RawBitsOf",
            Known::CompareUnsigned => "Wire.CompareUnsigned",
        }
    }

    fn flag(&self) -> &'static str {
        "bool"
    }

    fn integer(&self, integer: IntType) -> &'static str {
        type_of(Repr::int(integer.bits, integer.signed))
    }

    fn letter(&self) -> &'static str {
        "byte"
    }

    fn text(&self) -> &'static str {
        "string"
    }

    fn decimal(&self, nullable: bool) -> &'static str {
        if nullable {
            "decimal?"
        } else {
            "decimal"
        }
    }

    fn uuid(&self, nullable: bool) -> &'static str {
        if nullable {
            "Guid?"
        } else {
            "Guid"
        }
    }

    fn union(&self, name: String, nullable: bool) -> String {
        format!("{name}{}", if nullable { "?" } else { "" })
    }

    fn object(&self) -> &'static str {
        "object?"
    }

    fn opaque(&self) -> &'static str {
        "AnyPointer"
    }

    fn element(&self, ty: &Type, value: Expr) -> Expr {
        match ty {
            Type::Decimal => cast("decimal", value),
            Type::Uuid => cast("Guid", value),
            _ => value,
        }
    }

    fn arms(&self, kinds: &Kinds<'_>, union: TypeId) -> Expr {
        name(format!("{}.Of", kinds.names.of(union)))
    }

    fn boxed(&self, primitive: &'static str, optional: bool) -> String {
        format!("{primitive}{}", if optional { "?" } else { "" })
    }

    fn collection(&self, of: &Collection, _: bool) -> String {
        match of {
            Collection::List(element) => format!("List<{element}>"),
            Collection::Set(element) => format!("SortedSet<{element}>"),
            Collection::Map(key, value) => format!("SortedDictionary<{key}, {value}>"),
        }
    }

    fn make(&self, of: &Collection, args: Vec<Expr>) -> Expr {
        make(self.collection(of, true), args)
    }

    fn array(&self, _: &str, list: Expr) -> Expr {
        call(list, "toArray", Vec::new())
    }

    fn item(&self, list: Expr, at: Expr) -> Expr {
        index(list, at)
    }

    fn boxed_value(&self, primitive: &'static str, absent: Expr, number: Expr) -> Expr {
        let of = cast(format!("{primitive}?"), number);
        Expr::Choose(Box::new(absent), Box::new(name("null")), Box::new(of))
    }

    fn unboxed(&self, ty: &Type, kinds: &Kinds<'_>, element: Expr) -> Expr {
        match (ty, kinds.primitive(ty)) {
            (Type::Optional(_), Some(_)) => call(element, "getValueOrDefault", Vec::new()),
            _ => element,
        }
    }

    fn may_be_null(&self, ty: &Type, kinds: &Kinds<'_>) -> bool {
        let is_value = kinds.primitive(ty).is_some() || matches!(ty, Type::Decimal | Type::Uuid);
        matches!(ty, Type::Optional(_)) || !is_value
    }

    fn sorted(&self, kinds: &Kinds<'_>, ty: &Type, value: Expr) -> (String, Expr) {
        match ty {
            Type::Map { key, value: held, .. } => {
                let class = format!("List<KeyValuePair<{}, {}>>", kinds.class(key), kinds.class(held));
                (class, run("Out.sortedMap", vec![value, self.order(kinds, key)]))
            }
            ty => {
                let element = ty.element();
                let sorted = run("Out.sortedSet", vec![value, self.order(kinds, element)]);
                (format!("List<{}>", kinds.class(element)), sorted)
            }
        }
    }

    fn entry(&self, entry: Expr) -> [Expr; 2] {
        [member(entry.clone(), "key"), member(entry, "value")]
    }

    fn order(&self, kinds: &Kinds<'_>, ty: &Type) -> Expr {
        call(shape(kinds, ty), format!("Order<{}>", kinds.class(ty)), Vec::new())
    }

    fn byte(&self, byte: Expr, signed: bool) -> Expr {
        match signed {
            true => run("Wire.i8", vec![byte]),
            false => byte,
        }
    }

    fn register(&self, repr: Repr) -> &'static str {
        match repr {
            Repr::U64 => "i64",
            repr => method(repr),
        }
    }

    fn flipped(&self, repr: Repr, number: Expr, bits: u64) -> Expr {
        let flipped = binary(number, "^", self.stored(repr, bits));
        match repr {
            Repr::I8 | Repr::U8 | Repr::I16 | Repr::U16 => cast(type_of(repr), flipped),
            _ => flipped,
        }
    }

    fn flipped_out(&self, repr: Repr, number: Expr, bits: u64) -> Expr {
        self.flipped(repr, number, bits)
    }

    fn stored(&self, repr: Repr, bits: u64) -> Expr {
        match repr {
            Repr::I64 => Expr::Long(integer_of(repr, bits)),
            Repr::Bool => truth(bits != 0),
            _ => int(integer_of(repr, bits)),
        }
    }

    fn is_nan(&self, repr: Repr, number: Expr) -> Expr {
        run(format!("{}.IsNaN", type_of(repr)), vec![number])
    }

    fn always_fits(&self, _: Repr, ty: &Type) -> bool {
        !matches!(ty.required(), Type::Char)
    }

    fn fitting(&self, repr: Repr, ty: &Type, number: Expr) -> Expr {
        match self.always_fits(repr, ty) {
            false => run("Out.letter", vec![number]),
            true => number,
        }
    }

    fn register_out(&self, repr: Repr, number: Expr, known: Option<u64>) -> Expr {
        let bits = 8 * repr.width();
        match known {
            Some(known) if bits < 64 => int(known & ((1 << bits) - 1)),
            Some(known) => int(known),
            None => cast(type_of(Repr::int(bits as u8, false)), number),
        }
    }

    fn int_out(&self, repr: Repr, number: Expr) -> Expr {
        cast(type_of(Repr::int(8 * repr.width() as u8, false)), number)
    }

    fn store(&self, repr: Repr, big: bool, (bytes, at): (Expr, Expr), number: Expr) -> Line {
        match repr {
            Repr::I8 | Repr::U8 | Repr::Bool => {
                let number = match (repr, number) {
                    (_, number @ Expr::Int(_)) => number,
                    (Repr::I8, number) => run("Wire.u8", vec![number]),
                    (_, number) => cast("byte", number),
                };
                Line::Assign(index(bytes, at), "=", number)
            }
            repr => {
                let order = if big { "be" } else { "" };
                Line::Do(run(runtime(format!("Wire.{}{order}", method(repr))), vec![bytes, at, number]))
            }
        }
    }

    fn zero(&self, primitive: &str) -> Expr {
        match primitive {
            "bool" => truth(false),
            "char" => cast("char", int(0)),
            "float" => Expr::Float(0.0),
            "double" => Expr::Double(0.0),
            _ => int(0),
        }
    }

    fn number(&self, primitive: &'static str, number: i128) -> Expr {
        match primitive {
            "long" => Expr::Long(number),
            "ulong" => int(i128::from(number as u64)),
            "char" => cast("char", int(number)),
            _ => int(number),
        }
    }

    fn boxed_number(&self, primitive: &'static str, number: Expr) -> Expr {
        match primitive {
            "bool" | "char" | "int" | "long" | "float" | "double" => number,
            _ => cast(primitive, number),
        }
    }

    fn decimal_literal(&self, text: String) -> Expr {
        run("Decimals.of", vec![string(text)])
    }

    fn uuid_literal(&self, halves: [u64; 2]) -> Expr {
        run("Wire.uuid", halves.map(int).into())
    }

    fn bytes_literal(&self, bytes: &[u8]) -> Expr {
        Expr::Array("byte".to_owned(), bytes.iter().map(|byte| int(*byte)).collect())
    }

    fn list_literal(&self, kinds: &Kinds<'_>, element: &Type, _: &[Value], items: Vec<Expr>) -> Expr {
        let class = kinds.class(element);
        let args = if items.is_empty() { Vec::new() } else { vec![Expr::Array(class.clone(), items)] };
        make(format!("List<{class}>"), args)
    }

    fn arm(&self, kinds: &Kinds<'_>, union: TypeId, _: Option<usize>, tag: Expr, held: Expr) -> Expr {
        run(format!("{}.Of", kinds.type_of(union)), vec![tag, held])
    }

    fn held_before(&self, kinds: &Kinds<'_>, (union, index): (TypeId, usize), old: Expr) -> Expr {
        let tag = int(kinds.union_of(union).arms[index].tag);
        call(member(call(old, "getValueOrDefault", Vec::new()), "value"), "before", vec![tag])
    }

    fn held(&self, kinds: &Kinds<'_>, union: TypeId, arm: usize, of: Expr) -> Expr {
        let ty = &kinds.union_of(union).arms[arm].field.ty;
        let arm = member(call(of, "getValueOrDefault", Vec::new()), "value");
        match kinds.primitive(ty) {
            Some(primitive) => call(arm, primitive, Vec::new()),
            None => cast(kinds.held(ty), call(arm, "object", Vec::new())),
        }
    }

    fn put_again(&self, of: &str, field: &str, value: Expr) -> Line {
        Line::Do(run("Wire.Keep", vec![Expr::Ref(Box::new(member(name(of), field.to_owned()))), value]))
    }

    fn shape_of(&self, kinds: &Kinds<'_>, id: TypeId) -> Expr {
        let beside = match kinds.schema.type_def(id).kind {
            TypeKind::Enum(_) | TypeKind::Flags(_) => "Extensions",
            _ => "",
        };
        name(format!("{}{beside}.Definition", kinds.type_of(id)))
    }

    fn shape_of_collection(&self, kinds: &Kinds<'_>, ty: &Type, shapes: Vec<Expr>, is_object: bool) -> Expr {
        let of = |own: &str, classes: &[&Type]| {
            let classes: Vec<String> = classes.iter().map(|class| kinds.class(class)).collect();
            format!("Json.{own}<{}>", classes.join(", "))
        };
        match ty {
            Type::Set(element) => run(of("Set", &[element]), shapes),
            Type::Map { key, value, .. } => run(of(if is_object { "Map" } else { "Pairs" }, &[key, value]), shapes),
            ty => {
                let element = ty.element();
                let own = if kinds.array(element).is_some() { "Array" } else { "List" };
                let length = match ty {
                    Type::Array { len, .. } => int(*len),
                    _ => int(-1),
                };
                run(of(own, &[element]), shapes.into_iter().chain([length]).collect())
            }
        }
    }
}
