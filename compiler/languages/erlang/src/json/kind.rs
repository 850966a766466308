//! What JSON's values are, as terms that the runtime's tables are made of.

use super::encoding_word;
use crate::code::{quote, Expr};
use crate::erl::{atom, function, list, tuple, utf8_binary, Callee, Clause};
use crate::gen::Gen;
use crate::values::Conversion;
use aldis_emit::json_string;
use aldis_schema::{BytesText, Enum, Field, Flags, IntType, Type, TypeId, TypeKind};

/// A key, the sign behind it, and its value.
type Pair = (Expr, &'static str, Expr);

impl Gen<'_> {
    /// The kind of what is called as the field is, and written as that says.
    pub(super) fn member_kind(&mut self, field: &Field, ty: &Type) -> Expr {
        match (ty, field.json.bytes) {
            (Type::Bytes, Some(BytesText::Hex)) => quote("hex"),
            (Type::Bytes, Some(BytesText::Base64)) => quote("base64"),
            (Type::Optional(inner), Some(_)) => optional("null", self.member_kind(field, inner)),
            _ => self.json_kind(ty),
        }
    }

    /// The kind of the values of a type.
    pub(super) fn json_kind(&mut self, ty: &Type) -> Expr {
        let policy = self.wires[0].plan.json;
        let float = |bits: u32| match (policy.omit_null, policy.non_finite) {
            (true, _) => quote(format!("nullable_float{bits}")),
            (false, true) => quote(format!("any_float{bits}")),
            (false, false) => quote(format!("float{bits}")),
        };
        match ty {
            Type::Void => quote("{void, undefined}"),
            Type::Opaque(_) => quote("opaque"),
            Type::Bool => quote("boolean"),
            Type::Int(int @ IntType { bits: 64, .. }) if policy.wide_text => quote(format!("{{wide, {}}}", word(*int))),
            Type::Int(int) if policy.wide_text => quote(format!("{{digits, {}}}", word(*int))),
            Type::Int(int) => quote(word(*int)),
            Type::Timestamp => quote("uint64"),
            Type::Char => quote("char"),
            Type::Float32 => float(32),
            Type::Float64 => float(64),
            Type::Decimal => converted(&self.values.decimal, quote("decimal")),
            Type::Uuid => converted(&self.values.uuid, quote("uuid")),
            Type::Bytes if policy.byte_arrays => quote("byte_array"),
            Type::Bytes => quote("base64"),
            Type::Text(encoding) | Type::Chars { encoding, .. } => quote(encoding_word(*encoding)),
            Type::Optional(inner) => {
                let empty = policy.omit_null.then(|| policy.empty(inner, None)).flatten().unwrap_or("null");
                optional(empty, self.json_kind(inner))
            }
            Type::List(element) => tuple([quote("list"), self.json_kind(element)]),
            Type::Set(element) => {
                let set = tuple([quote("set"), self.json_kind(element), self.order_function(element)]);
                converted(&self.values.set, set)
            }
            Type::Array { element, len } => tuple([quote("array"), self.json_kind(element), quote(len.to_string())]),
            Type::Map { key, value, .. } => {
                let word = if self.has_text(key) { "map" } else { "pairs" };
                tuple([quote(word), self.json_kind(key), self.json_kind(value), self.order_function(key)])
            }
            Type::Named(id) => self.named_kind(*id),
        }
    }

    fn named_kind(&mut self, id: TypeId) -> Expr {
        match &self.schema.type_def(id).kind {
            TypeKind::Record(_) | TypeKind::Union(_) => self.table_of(id),
            TypeKind::Enum(definition) => {
                let table = self.enum_table(id, definition);
                self.external(&table, 0)
            }
            TypeKind::Flags(definition) => {
                let table = self.flags_table(id, definition);
                self.external(&table, 0)
            }
        }
    }

    /// The function that gives the table of a record or union.
    pub(super) fn table_of(&mut self, id: TypeId) -> Expr {
        let table = match &self.schema.type_def(id).kind {
            TypeKind::Union(_) => self.choice_table(id),
            _ if self.sparse_json() => self.object_table(id),
            _ => self.json_table(id),
        };
        self.external(&table, 0)
    }

    /// The function that gives the term by which a value is sorted; `none` where it is the value itself.
    fn order_function(&mut self, ty: &Type) -> Expr {
        let Some(order) = self.order_key(ty, "Value") else { return quote("none") };
        let value = [quote("Value")];
        match order {
            Expr::Call(Some(module), name, args) if args == value => Expr::FunctionName(Some(module), name, 1),
            Expr::Call(None, name, args) if args == value => self.external(&Callee::Own(atom(&name)), 1),
            order => {
                let own =
                    self.share("order_key", |own| function(atom(own), &[Clause::new(["Value"], [order.clone()])]));
                self.external(&own, 1)
            }
        }
    }

    /// The function that gives an enum's table.
    fn enum_table(&mut self, id: TypeId, definition: &Enum) -> Callee {
        let policy = self.wires[0].plan.json;
        let values = self.values;
        self.names_table(id, |to, from| {
            let (mut texts, mut numbers): (Vec<Pair>, Vec<Pair>) = (Vec::new(), Vec::new());
            let add = |pairs: &mut Vec<Pair>, key: Expr, value: String| {
                if !pairs.iter().any(|(other, ..)| *other == key) {
                    pairs.push((key, "=>", quote(value)));
                }
            };
            for value in &definition.values {
                // An alias is written as the first name of its number.
                let shown = definition.values.iter().find(|other| other.value == value.value).unwrap_or(value);
                if policy.names {
                    let text = utf8_binary(&json_string(shown.json_name()));
                    add(&mut texts, quote(values.enumerant(&value.name)), text);
                }
                add(&mut numbers, quote(utf8_binary(value.json_name())), value.value.to_string());
            }
            tuple([quote("enum"), to, from, quote(number_word(definition)), Expr::Map(texts), Expr::Map(numbers)])
        })
    }

    /// The function that gives a flags type's table.
    fn flags_table(&mut self, id: TypeId, definition: &Flags) -> Callee {
        let names = self.wires[0].plan.json.names;
        self.names_table(id, |to, from| {
            let masks = definition.values.iter();
            let masks = masks.map(|flag| (quote(utf8_binary(&flag.name)), "=>", quote(flag.mask.to_string())));
            let masks = Expr::Map(masks.collect());
            tuple([quote("flags"), to, from, quote(word(definition.repr)), masks, Expr::Atom(names.to_string())])
        })
    }

    fn names_table(&mut self, id: TypeId, table: impl FnOnce(Expr, Expr) -> Expr) -> Callee {
        let name = format!("json_{}", self.names.of(id));
        self.define_in(id, &name, &name, |gen, own| {
            let (to, from) = (gen.number_writer(id), gen.name_reader(id));
            let (to, from) = (gen.external(&to, 2), gen.external(&from, 1));
            function(atom(own), &[Clause::new([""], [table(to, from)])])
        })
    }

    /// The function that gives a record's table.
    pub(super) fn json_table(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            let level = quote(gen.json_level(id));
            let mut rows = Vec::new();
            for (index, field) in schema.record(id).fields.iter().enumerate() {
                let nullable = gen.may_be_null(id, index) || matches!(field.ty, Type::Optional(_));
                let open = if index == 0 { "{" } else { "," };
                let text = format!("{open}{}:", json_string(field.json_name()));
                rows.push(gen.json_field(field, gen.names.field_atom(id, index), &text, nullable));
            }
            let mut table = gen.made_of(id, rows.len());
            table.extend([level, list(rows)]);
            function(atom(own), &[Clause::new([""], [tuple(table)])])
        })
    }

    /// The last parts of a record's table: the tuple or struct that its values become, and the fields of that.
    pub(super) fn made_of(&self, id: TypeId, fields: usize) -> Vec<Expr> {
        let record = self.names.atom(id);
        match self.values.structs {
            false => vec![quote("record"), record.into()],
            true => {
                let keys = (0..fields).map(|index| self.names.field_atom(id, index).name().to_owned());
                let keys: Vec<Expr> = keys.map(|key| Expr::Key(record.name().to_owned(), key)).collect();
                vec![quote("struct"), Expr::Record(record.name().to_owned(), Vec::new()), list(keys)]
            }
        }
    }
}

/// The word for the numbers of an enum.
pub(crate) fn number_word(definition: &Enum) -> String {
    definition.repr.as_int().map_or("uint8".to_owned(), word)
}

/// The word for a type of integers.
pub(crate) fn word(int: IntType) -> String {
    format!("{}int{}", if int.signed { "" } else { "u" }, int.bits)
}

/// The kind of values that may be null, with null's text.
fn optional(text: &str, kind: Expr) -> Expr {
    tuple([quote("optional"), Expr::Null, quote(utf8_binary(text)), kind])
}

fn converted(conversion: &Option<Conversion>, kind: Expr) -> Expr {
    match conversion {
        Some(Conversion { from, to }) => {
            tuple([quote("converted"), quote(format!("fun {from}/1")), quote(format!("fun {to}/1")), kind])
        }
        None => kind,
    }
}
