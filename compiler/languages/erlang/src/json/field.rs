//! Fields of objects, as rows of the runtime's tables.

use crate::code::{quote, Expr};
use crate::erl::{atom, function, list, tuple, utf8_binary, Callee, Clause};
use crate::gen::Gen;
use crate::literal::Fresh;
use aldis_schema::{Field, Type};

impl Gen<'_> {
    /// The row of a field: its name in paths, its name in JSON, the text in front of its value, its kind, and what stands for null and
    /// for nothing. `nullable` fields may be null for the writer.
    pub(super) fn json_field(&mut self, field: &Field, key: impl Into<Expr>, text: &str, nullable: bool) -> Expr {
        let mut row = vec![key.into(), quote(utf8_binary(field.json_name())), quote(utf8_binary(text))];
        if let Some(constant) = &field.constant {
            let literal = self.literal(constant, &field.ty, Fresh::Zero);
            let null = field.nullable().then(|| literal.clone());
            row.push(self.json_kind(&field.ty));
            row.extend([tuple([quote("same"), literal.clone()]), list(null), list([literal])]);
            return tuple(row);
        }
        let null = field.nullable().then_some(match &field.ty {
            Type::List(_) => quote("[]"),
            Type::Text(_) | Type::Bytes => quote("<<>>"),
            _ => Expr::Null,
        });
        let missing = self.json_missing(field);
        row.push(self.member_kind(field, field.ty.required()));
        match (nullable, &null, &missing) {
            (false, None, None) => {}
            (true, Some(Expr::Null), Some(Expr::Null)) => row.push(Expr::Null),
            _ => {
                row.push(list(nullable.then_some(Expr::Null)));
                row.extend([list(null), missing.map_or_else(|| quote("[]"), |value| self.when_asked(value))]);
            }
        }
        tuple(row)
    }

    /// The value of a field that JSON does not give, where it may leave the field out.
    fn json_missing(&mut self, field: &Field) -> Option<Expr> {
        if self.wires[0].plan.json.defaults {
            return Some(self.field_default(field, Fresh::Zero));
        }
        match &field.ty {
            Type::Optional(_) => Some(Expr::Null),
            _ if field.optional => Some(Expr::Null),
            Type::List(_) => Some(quote("[]")),
            Type::Text(_) | Type::Bytes => Some(quote("<<>>")),
            _ => None,
        }
    }

    /// A value in a table: a call is a function and its arguments, so that the table is a literal.
    pub(super) fn when_asked(&mut self, value: Expr) -> Expr {
        let (function, args) = match value {
            Expr::Call(Some(module), name, args) => (Callee::Of(atom(&module), atom(&name)), args),
            Expr::Call(None, name, args) => (Callee::Own(atom(&name)), args),
            value => {
                let mut calls = false;
                value.each(&mut |expr| calls |= matches!(expr, Expr::Call(..)));
                if !calls {
                    return list([value]);
                }
                let body = |own: &str| function(atom(own), &[Clause::new([""], [value.clone()])]);
                (self.share("missing", body), Vec::new())
            }
        };
        let function = self.external(&function, args.len());
        tuple([function, list(args)])
    }
}
