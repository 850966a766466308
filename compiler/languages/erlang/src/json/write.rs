//! Values to JSON text.

use super::sparse::or_null;
use super::{encoding_word, for_each, path_of};
use crate::code::{put, quote, Expr};
use crate::erl::{atom, call, function, list, record, trees, utf8_binary, writer, Callee, Clause, Functions};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::variables::inner_variable;
use aldis_emit::json_string;
use aldis_schema::{Encoding, IntType, Type, TypeId, TypeKind};

impl Gen<'_> {
    /// The function that writes a record: `f(Record, Depth, Path) -> iodata()`, without `Depth` where types do not recur.
    pub(crate) fn json_record(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            if gen.sparse_json() {
                return gen.sparse_record(id, own);
            }
            let fields = &schema.record(id).fields;
            let variables = gen.names.variables(id);
            let (mut pattern, mut parts) = (Vec::new(), Vec::new());
            for (index, field) in fields.iter().enumerate() {
                let open = if index == 0 { "{" } else { "," };
                parts.push(quote(utf8_binary(&format!("{open}{}:", json_string(field.json_name())))));
                let path = format!("[{} | Path]", gen.names.field_atom(id, index));
                if let Some(constant) = &field.constant {
                    let literal = gen.literal(constant, &field.ty, Fresh::Zero);
                    parts.push(put(gen.json_value(&field.ty, "Constant", &path), "Constant", &literal));
                    continue;
                }
                let var = variables[index].clone();
                let ty =
                    if gen.may_be_null(id, index) { field.ty.required().clone().optional() } else { field.ty.clone() };
                parts.push(gen.json_value(&ty, &var, &path));
                pattern.push((gen.names.field_atom(id, index), quote(var)));
            }
            parts.push(quote(if fields.is_empty() { "<<\"{}\">>" } else { "<<\"}\">>" }));
            let (mut args, mut body) = (trees(gen.json_args("", "Depth", "Path")), vec![list(parts)]);
            args[0] = record(&gen.names.atom(id), pattern);
            if gen.json_depth() {
                body.insert(0, super::sparse::depth());
            }
            let wrong = Clause::new(trees(gen.json_args("_", "_", "Path")), ["aldis_check:wrong(Path)"]);
            let clauses = [Clause::new(args, body), wrong];
            writer(&atom(own), &clauses)
        })
    }

    /// An expression for the JSON of `var`.
    pub(super) fn json_value(&mut self, ty: &Type, var: &str, path: &str) -> Expr {
        let main = self.wires[0].plan.json;
        let plain = |name: &str| quote(format!("aldis_json:{name}({var}, {path})"));
        match ty {
            Type::Void => quote(format!("aldis_json_sparse:void({var}, {path})")),
            Type::Opaque(_) => quote(format!("aldis_check:wrong({path})")),
            Type::Bool => plain("boolean"),
            Type::Int(IntType { bits: 64, signed }) if main.wide_text => {
                let int = IntType { bits: 64, signed: *signed };
                quote(format!("aldis_json_sparse:wide({var}, {}, {}, {path})", int.min(), int.max()))
            }
            Type::Int(_) | Type::Timestamp => {
                let (min, max) = ty.as_int().map_or((0, 0), |int| (int.min(), int.max()));
                call("aldis_json:integer", [var.into(), min.to_string(), max.to_string(), path.into()])
            }
            Type::Char => plain("char"),
            Type::Float32 if main.non_finite => plain("any_float32"),
            Type::Float64 if main.non_finite => plain("any_float64"),
            Type::Float32 => plain("float32"),
            Type::Float64 => plain("float64"),
            Type::Decimal => call("aldis_json:decimal", [self.values.decimal_to(var), quote(path)]),
            Type::Uuid => call("aldis_json:uuid", [self.values.uuid_to(var), quote(path)]),
            Type::Bytes if main.byte_arrays => quote(format!("aldis_json_sparse:byte_array({var}, {path})")),
            Type::Bytes => plain("base64"),
            Type::Text(encoding) | Type::Chars { encoding, .. } => {
                quote(format!("aldis_json:text({var}, {}, {path})", encoding_word(*encoding)))
            }
            Type::Optional(inner) => {
                let empty = self.sparse_json().then(|| main.empty(inner, None)).flatten();
                let inner = self.json_value(inner, var, path);
                or_null(self.values, var, empty.unwrap_or("null"), inner)
            }
            Type::List(element) => {
                self.json_elements(element, quote(format!("aldis_check:list({var}, {path})")), var, path)
            }
            Type::Set(element) => {
                let elements = self.sorted_set(element, var, path);
                self.json_elements(element, elements, var, path)
            }
            Type::Array { element, len } => {
                self.json_elements(element, quote(format!("aldis_check:array({var}, {len}, {path})")), var, path)
            }
            Type::Map { key, value, .. } => self.json_map(key, value, var, path),
            Type::Named(id) => self.json_named(*id, var, path),
        }
    }

    /// The array of what the expression `elements` lists.
    fn json_elements(&mut self, element: &Type, elements: Expr, var: &str, path: &str) -> Expr {
        let item = inner_variable(var);
        let inner = self.json_value(element, &item, &path_of(&item));
        call("aldis_json:array", [elements, quote(path), for_each(&item, &item, inner)])
    }

    fn json_named(&mut self, id: TypeId, var: &str, path: &str) -> Expr {
        let names = self.wires[0].plan.json.names;
        match &self.schema.type_def(id).kind {
            TypeKind::Record(_) => call(self.json_record(id), self.json_args(var, self.json_level(id), path)),
            TypeKind::Union(_) => self.sparse_union(id, var, path),
            _ if !names => call("aldis_json:integer", [self.signed_number(id, var, path)]),
            TypeKind::Enum(_) => call(self.json_enum(id), [var, path]),
            TypeKind::Flags(_) => {
                let (to, from) = (self.number_writer(id), self.name_reader(id));
                quote(format!("aldis_json:flags({from}({to}({var}, {path})))"))
            }
        }
    }

    fn json_enum(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            let TypeKind::Enum(definition) = &schema.type_def(id).kind else { return Functions::default() };
            let mut clauses = Vec::new();
            for value in &definition.values {
                let shown = definition.values.iter().find(|v| v.value == value.value).unwrap_or(value).json_name();
                let term = gen.values.enumerant(&value.name);
                clauses.push(Clause::new([format!("{term}, _")], [utf8_binary(&json_string(shown))]));
            }
            let number = gen.number_writer(id);
            let other = format!("aldis_json:integer({number}(Unknown, Path))");
            clauses.push(Clause::new(["Unknown", "Path"], [other]));
            function(atom(own), &clauses)
        })
    }

    fn json_map(&mut self, key: &Type, value: &Type, var: &str, path: &str) -> Expr {
        let pairs = self.sorted_map(key, var, path);
        let item = inner_variable(var);
        let (key_var, value_var, at) = (format!("{item}Key"), format!("{item}Of"), path_of(&item));
        let (key_var, at) = (key_var.as_str(), at.as_str());
        let inner = self.json_value(value, &value_var, at);
        let pattern = format!("{{{key_var}, {value_var}}}");
        if !self.has_text(key) {
            let key = self.json_value(key, key_var, at);
            let pair = list([quote("$["), key, quote("$,"), inner, quote("$]")]);
            return call("aldis_json:array", [pairs, quote(path), for_each(&pattern, &item, pair)]);
        }
        let key = match key {
            Type::Text(_) => quote(format!("aldis_json:text({key_var}, {}, {at})", encoding_word(Encoding::Utf8))),
            Type::Uuid | Type::Decimal => self.json_value(key, key_var, at),
            Type::Named(id) => {
                let number = call("integer_to_binary", [self.signed_number(*id, key_var, at)]);
                list([quote("$\""), number, quote("$\"")])
            }
            other => list([quote("$\""), self.json_value(other, key_var, at), quote("$\"")]),
        };
        let pair = list([key, quote("$:"), inner]);
        call("aldis_json:object", [pairs, quote(path), for_each(&pattern, &item, pair)])
    }
}
