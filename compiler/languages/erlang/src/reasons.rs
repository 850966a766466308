//! Words on reasons: `format_error/2` and `format_error/3`, and the table of types that they look into.
//!
//! Reasons stay small, since readers and writers make them; what a field takes is in a table that is read only when
//! somebody asks for words.

use crate::code::{quote, Expr};
use crate::erl::{atom, edoc, function, list, spec, tuple, Clause};
use crate::gen::Gen;
use crate::json::{number_word, word};
use aldis_schema::{Field, Type, TypeId, TypeKind};

/// The exported functions, with their arities.
pub(crate) const FUNCTIONS: [(&str, usize); 2] = [("format_error", 2), ("format_error", 3)];

impl Gen<'_> {
    /// `format_error/2` and `format_error/3`.
    pub fn reason_functions(&mut self) {
        let about = atom(&self.private("about"));
        let in_words = |given: &str| quote(format!("aldis_reason:format(Reason, Name, {given}, fun {about}/1)"));
        let reason = ["aldis:reason()", "Name :: atom()", "Given :: term()"];
        let without = aldis_emit::doc::concat([
            edoc("A reason in words. Name is the record of the message that was read or written."),
            spec("format_error", &reason[..2], "binary()"),
        ]);
        let args = ["Reason", "Name", "Given"];
        let clause = Clause::new(["Reason, Name"], [in_words("none")]);
        self.export("format_error", &args[..2], without, function("format_error", &[clause]));
        let given = aldis_emit::doc::concat([
            edoc("A reason in words, with the value that is at fault. Given is the record, JSON or bytes that the reason is for."),
            spec("format_error", &reason, "binary()"),
        ]);
        let clause = Clause::new(args, [in_words("Given")]);
        self.export("format_error", &args, given, function("format_error", &[clause]));
        let types = (0..self.schema.types.len()).map(|index| TypeId(index as u32));
        let clauses: Vec<Clause> = types.map(|id| Clause::new([&self.names.atom(id)], [self.about(id)])).collect();
        self.add(function(&about, &clauses));
    }

    /// A type as the runtime's `aldis_reason:about()`.
    fn about(&self, id: TypeId) -> Expr {
        let member = |(index, field): (usize, &Field)| {
            tuple([self.names.field_atom(id, index).into(), quote(self.field_about(field))])
        };
        let names = |names: &mut dyn Iterator<Item = &str>| list(names.map(atom).collect::<Vec<_>>());
        match &self.schema.type_def(id).kind {
            TypeKind::Record(record) => {
                tuple([quote("record"), list(record.fields.iter().enumerate().map(member).collect::<Vec<_>>())])
            }
            TypeKind::Union(union) => {
                let arms = union.arms.iter().map(|arm| &arm.field).enumerate().map(member);
                tuple([quote("union"), list(arms.collect::<Vec<_>>())])
            }
            TypeKind::Enum(definition) => {
                let values = names(&mut definition.values.iter().map(|value| value.name.as_str()));
                tuple([quote("enum"), values, quote(number_word(definition))])
            }
            TypeKind::Flags(flags) => {
                tuple([quote("flags"), names(&mut flags.values.iter().map(|flag| flag.name.as_str()))])
            }
        }
    }

    fn field_about(&self, field: &Field) -> String {
        let ty = self.type_about(&field.ty);
        let ty = if field.optional { format!("{{optional, {ty}}}") } else { ty };
        let ty = if field.constant.is_some() { format!("{{constant, {ty}}}") } else { ty };
        if field.hidden {
            format!("{{secret, {ty}}}")
        } else {
            ty
        }
    }

    /// A field's type as the runtime's `aldis_reason:type()`.
    fn type_about(&self, ty: &Type) -> String {
        let of = |kind: &str, inner: &Type| format!("{{{kind}, {}}}", self.type_about(inner));
        match ty {
            Type::Void => "void".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Char => "char".to_owned(),
            Type::Int(int) => word(*int),
            Type::Float32 | Type::Float64 => "float".to_owned(),
            Type::Decimal => "decimal".to_owned(),
            Type::Timestamp => "timestamp".to_owned(),
            Type::Uuid => "uuid".to_owned(),
            Type::Text(_) => "text".to_owned(),
            Type::Bytes => "bytes".to_owned(),
            Type::Chars { len, .. } => format!("{{chars, {len}}}"),
            Type::Named(id) => format!("{{named, {}}}", self.names.atom(*id)),
            Type::Opaque(_) => "open".to_owned(),
            Type::Optional(inner) => of("optional", inner),
            Type::List(element) => of("list", element),
            Type::Set(element) => of("set", element),
            Type::Array { element, len } => format!("{{array, {}, {len}}}", self.type_about(element)),
            Type::Map { key, value, .. } => {
                format!("{{map, {}, {}}}", self.type_about(key), self.type_about(value))
            }
        }
    }
}
