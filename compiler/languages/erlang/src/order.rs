//! Terms to sort by: Erlang's own order of these terms is the order of keys.

use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, call, function, record, tuple, Callee, Clause};
use crate::gen::Gen;
use aldis_schema::{Type, TypeId, TypeKind};

impl<'a> Gen<'a> {
    /// The term that `var` is sorted by; `None` where it is the value itself.
    pub fn order_key(&mut self, ty: &Type, var: &str) -> Option<Expr> {
        let by = |function: &str| Some(quote(format!("aldis_order:{function}({var})")));
        match ty {
            Type::Float32 => by("float32"),
            Type::Float64 => by("float"),
            Type::Decimal => Some(call("aldis_order:decimal", [self.values.decimal_to(var)])),
            Type::Uuid if self.values.uuid.is_some() => Some(self.values.uuid_to(var)),
            Type::Text(_) => by("text"),
            Type::Bytes => by("bytes"),
            Type::Optional(inner) => {
                let key = self.order_key(inner, var).unwrap_or_else(|| quote(var));
                Some(quote_with(format!("case {var} of undefined -> {{}}; _ -> {{?1}} end"), [key]))
            }
            Type::Named(id) => {
                if let TypeKind::Record(_) = &self.schema.type_def(*id).kind {
                    return Some(call(self.order_record(*id), [var]));
                }
                Some(self.order_number(*id, var))
            }
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                let key = self.order_key(element, "Element")?;
                let elements = if matches!(ty, Type::Set(_)) { self.values.set_to(var) } else { quote(var) };
                Some(quote_with("[?1 || Element <- aldis_order:elements(?2)]", [key, elements]))
            }
            Type::Map { key, value, .. } => {
                let pair = [(key, "Key"), (value, "Item")]
                    .map(|(ty, var)| self.order_key(ty, var).unwrap_or_else(|| quote(var)));
                let pairs = format!("lists:sort([{{?1, ?2}} || {{Key, Item}} <- aldis_order:entries({var})])");
                Some(quote_with(pairs, pair))
            }
            Type::Void
            | Type::Opaque(_)
            | Type::Bool
            | Type::Char
            | Type::Int(_)
            | Type::Timestamp
            | Type::Uuid
            | Type::Chars { .. } => None,
        }
    }

    /// Whether values are the same term exactly when they are the same key.
    pub fn is_plain_key(&self, ty: &Type) -> bool {
        match ty {
            Type::Float32 | Type::Float64 | Type::Decimal | Type::Optional(_) | Type::Map { .. } => false,
            Type::List(_) | Type::Set(_) | Type::Array { .. } => false,
            Type::Named(id) => !self.is_record(*id),
            _ => true,
        }
    }

    /// The number of an enum's or flags type's value. A value that is none is refused where it is written, with its path.
    fn order_number(&mut self, id: TypeId, var: &str) -> Expr {
        let writer = self.number_writer(id);
        quote(match &self.schema.type_def(id).kind {
            TypeKind::Flags(definition) if definition.repr.signed => {
                format!("aldis_order:signed(fun {writer}/2, {}, {var})", definition.repr.bits)
            }
            _ => format!("aldis_order:number(fun {writer}/2, {var})"),
        })
    }

    fn order_record(&mut self, id: TypeId) -> Callee {
        let name = format!("order_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            let definition = schema.record(id);
            let variables = gen.names.variables(id);
            let mut fields = Vec::new();
            let mut keys = Vec::new();
            for index in definition.key_fields() {
                let var = variables[index].clone();
                keys.push(gen.order_key(&definition.fields[index].ty, &var).unwrap_or_else(|| quote(&var)));
                fields.push((gen.names.field_atom(id, index), quote(var)));
            }
            let pattern = record(&gen.names.atom(id), fields);
            let other = Clause::new(["Other"], ["Other"]);
            function(atom(own), &[Clause::new([pattern], [tuple(keys)]), other])
        })
    }
}
