//! JSON text to values.

use super::{encoding_word, for_each, path_of};
use crate::code::{quote, Expr};
use crate::erl::{
    atom, bind, call, choice, function, lambda, list, record, trees, tuple, utf8_binary, Callee, Clause, Functions,
};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::variables::inner_variable;
use aldis_schema::{BytesText, Field, Type, TypeId, TypeKind};

impl Gen<'_> {
    /// The function that reads a record: `f(Json, Path) -> Record`.
    pub(crate) fn json_reader_record(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            if gen.sparse_json() {
                return gen.sparse_reader(id, own);
            }
            let fields = &schema.record(id).fields;
            let variables = gen.names.variables(id);
            let (mut names, mut vars, mut values) = (Vec::new(), Vec::new(), Vec::new());
            for (index, field) in fields.iter().enumerate() {
                let var = variables[index].clone();
                names.push(quote(utf8_binary(field.json_name())));
                let path = format!("[{} | Path]", gen.names.field_atom(id, index));
                let value = gen.json_field(field, &var, &path);
                values.push((gen.names.field_atom(id, index), value));
                vars.push(var);
            }
            let call = call("aldis_json:fields", [quote("Json"), list(names), quote("Path")]);
            let mut body = Vec::new();
            let mut args = vec!["Json".to_owned()];
            if gen.json_depth() {
                args.push("Depth".to_owned());
                body.push(quote("aldis_check:depth(Depth, Path)"));
            }
            args.push("Path".to_owned());
            body.push(bind(list(&vars), call));
            body.push(record(&gen.names.atom(id), values));
            function(atom(own), &[Clause::new(trees(&args), body)])
        })
    }

    pub(super) fn json_field(&mut self, field: &Field, var: &str, path: &str) -> Expr {
        if let Some(constant) = &field.constant {
            let literal = self.literal(constant, &field.ty, Fresh::Zero);
            let given = self.json_reader(&field.ty, var, path);
            let same = call("aldis_json:same", [given, literal.clone(), quote(path)]);
            let null = field.nullable().then(|| (quote("null"), literal.clone()));
            let clauses = [(quote("missing"), literal.clone())].into_iter().chain(null).chain([(quote("_"), same)]);
            return choice(var, clauses);
        }
        let null = field.nullable().then_some(match &field.ty {
            Type::List(_) => "[]",
            Type::Text(_) | Type::Bytes => "<<>>",
            _ => "undefined",
        });
        let given = self.member_reader(field, field.ty.required(), var, path);
        match (self.json_missing(field), null) {
            // Every reader refuses `missing`.
            (None, None) => given,
            (Some(Expr::Null), Some("undefined")) if self.values.macros => call("?OPTIONAL", [quote(var), given]),
            (missing, null) => {
                let missing = missing.unwrap_or_else(|| quote(format!("aldis_json:required({path})")));
                let null = null.map(|null| (quote("null"), quote(null)));
                choice(var, [(quote("missing"), missing)].into_iter().chain(null).chain([(quote("_"), given)]))
            }
        }
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

    /// As [`Gen::json_reader`], for what is called as the field is, and written as that says.
    pub(super) fn member_reader(&mut self, field: &Field, ty: &Type, var: &str, path: &str) -> Expr {
        match (ty, field.json.bytes) {
            (Type::Bytes, Some(BytesText::Hex)) => quote(format!("aldis_json_sparse:to_hex({var}, {path})")),
            (Type::Bytes, Some(BytesText::Base64)) => quote(format!("aldis_json:to_bytes({var}, {path})")),
            (Type::Optional(inner), Some(_)) => {
                let inner = self.member_reader(field, inner, var, path);
                choice(var, [("null", quote("undefined")), ("_", inner)])
            }
            _ => self.json_reader(ty, var, path),
        }
    }

    /// An expression for the value of type `ty` in the JSON term `var`.
    pub(super) fn json_reader(&mut self, ty: &Type, var: &str, path: &str) -> Expr {
        let policy = self.wires[0].plan.json;
        let plain = |name: &str| quote(format!("aldis_json:{name}({var}, {path})"));
        match ty {
            Type::Void => quote(format!("aldis_json_sparse:to_void({var}, {path})")),
            Type::Opaque(_) => quote(format!("aldis_json:bad_json({path})")),
            Type::Bool => plain("to_boolean"),
            Type::Int(int) if policy.wide_text => {
                quote(format!("aldis_json_sparse:to_integer({var}, {}, {}, {path})", int.min(), int.max()))
            }
            Type::Int(_) | Type::Timestamp => {
                let (min, max) = ty.as_int().map_or((0, 0), |int| (int.min(), int.max()));
                call("aldis_json:to_integer", [var.into(), min.to_string(), max.to_string(), path.into()])
            }
            Type::Char => plain("to_char"),
            Type::Float32 if policy.omit_null => quote(format!("aldis_json_sparse:to_float32({var}, {path})")),
            Type::Float64 if policy.omit_null => quote(format!("aldis_json_sparse:to_float64({var}, {path})")),
            Type::Float32 if policy.non_finite => plain("to_any_float32"),
            Type::Float64 if policy.non_finite => plain("to_any_float64"),
            Type::Float32 => plain("to_float32"),
            Type::Float64 => plain("to_float64"),
            Type::Decimal => self.values.decimal_from(quote(format!("aldis_json:to_decimal({var}, {path})"))),
            Type::Uuid => self.values.uuid_from(quote(format!("aldis_json:to_uuid({var}, {path})"))),
            Type::Bytes if policy.byte_arrays => quote(format!("aldis_json_sparse:to_byte_array({var}, {path})")),
            Type::Bytes => plain("to_bytes"),
            Type::Text(encoding) | Type::Chars { encoding, .. } => {
                quote(format!("aldis_json:to_text({var}, {}, {path})", encoding_word(*encoding)))
            }
            Type::Optional(inner) => {
                let inner = self.json_reader(inner, var, path);
                choice(var, [("null", quote("undefined")), ("_", inner)])
            }
            Type::List(element) => self.json_reader_elements(element, var, path),
            Type::Set(element) => {
                let mut args = vec![self.json_reader_elements(element, var, path)];
                args.extend(self.order_key(element, "Of").map(|order| lambda(&["Of"], order)));
                args.push(quote(path));
                let list = call("aldis_json:to_set", args);
                match &self.values.set {
                    Some(conversion) => call(conversion.from, [list]),
                    None => list,
                }
            }
            Type::Array { element, len } => {
                let elements = self.json_reader_elements(element, var, path);
                call("aldis_json:to_array", [elements, quote(len.to_string()), quote(path)])
            }
            Type::Map { key, value, .. } => self.json_reader_map(key, value, var, path),
            Type::Named(id) => self.json_reader_named(*id, var, path),
        }
    }

    fn json_reader_elements(&mut self, element: &Type, var: &str, path: &str) -> Expr {
        let item = inner_variable(var);
        let inner = self.json_reader(element, &item, &path_of(&item));
        call("aldis_json:to_list", [quote(var), quote(path), for_each(&item, &item, inner)])
    }

    fn json_reader_named(&mut self, id: TypeId, var: &str, path: &str) -> Expr {
        if let TypeKind::Union(_) = &self.schema.type_def(id).kind {
            return call(self.sparse_union_reader(id), [var, "Depth", path]);
        }
        if !self.is_record(id) {
            return call(self.json_reader_names(id), [var, path]);
        }
        call(self.json_reader_record(id), self.json_args(var, "Depth + 1", path))
    }

    /// The function that reads an enum or flags: `f(Json, Path)`.
    fn json_reader_names(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}", self.names.of(id));
        let names = self.wires[0].plan.json.names;
        let schema = self.schema;
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let from = gen.name_reader(id);
            let mut clauses = Vec::new();
            match &schema.type_def(id).kind {
                TypeKind::Enum(definition) => {
                    let (min, max) = gen.enum_range(&definition.repr);
                    for value in &definition.values {
                        let name = utf8_binary(value.json_name());
                        let number = value.value.to_string();
                        clauses.push(Clause::new([format!("{name}, _")], [call(&from, [number])]));
                    }
                    let bad = quote("aldis_json:bad_json(Path)");
                    clauses.push(Clause::new(["Name", "Path"], [bad]).when("is_binary(Name)"));
                    let number = format!("{from}(aldis_json:to_integer(Json, {min}, {max}, Path))");
                    clauses.push(Clause::new(["Json", "Path"], [number]));
                }
                TypeKind::Flags(definition) => {
                    let masks: Vec<String> = definition
                        .values
                        .iter()
                        .map(|flag| format!("{} => {}", utf8_binary(&flag.name), flag.mask))
                        .collect();
                    let max = definition.repr.max();
                    let high = if definition.repr.signed { max * 2 + 1 } else { max };
                    let masks = quote(format!("#{{{}}}", masks.join(", ")));
                    let number =
                        call("aldis_json:to_flags", [quote("Json"), masks, quote(high.to_string()), quote("Path")]);
                    clauses.push(Clause::new(["Json", "Path"], [call(&from, [number])]).when("is_list(Json)"));
                    let other = if names {
                        "aldis_json:bad_json(Path)".to_owned()
                    } else {
                        format!("{from}(aldis_json:to_integer(Json, {}, {max}, Path))", definition.repr.min())
                    };
                    clauses.push(Clause::new(["Json", "Path"], [other]));
                }
                TypeKind::Record(_) | TypeKind::Union(_) => return Functions::default(),
            }
            function(atom(own), &clauses)
        })
    }

    fn json_reader_map(&mut self, key: &Type, value: &Type, var: &str, path: &str) -> Expr {
        let item = inner_variable(var);
        let (key_var, value_var, at) = (format!("{item}Key"), format!("{item}Of"), path_of(&item));
        let inner = self.json_reader(value, &value_var, &at);
        let (source, key_value) = if self.has_text(key) {
            ("members", self.json_reader_key(key, &key_var, &at))
        } else {
            ("pairs", self.json_reader(key, &key_var, &at))
        };
        let pairs = quote(format!("aldis_json:{source}({var}, {path})"));
        let read = for_each(&format!("{{{key_var}, {value_var}}}"), &item, tuple([key_value, inner]));
        let read = call("aldis_json:to_list", [pairs, quote(path), read]);
        let mut args = vec![read];
        args.extend(self.order_key(key, "Key").map(|order| lambda(&["Key"], order)));
        args.push(quote(path));
        call("aldis_json:to_map", args)
    }

    fn json_reader_key(&mut self, key: &Type, var: &str, path: &str) -> Expr {
        match key {
            Type::Bool => quote(format!("aldis_json:key_boolean({var}, {path})")),
            Type::Int(_) | Type::Timestamp => {
                let (min, max) = key.as_int().map_or((0, 0), |int| (int.min(), int.max()));
                quote(format!("aldis_json:key_integer({var}, {min}, {max}, {path})"))
            }
            Type::Named(id) => {
                let (min, max) = match &self.schema.type_def(*id).kind {
                    TypeKind::Enum(definition) => self.enum_range(&definition.repr),
                    TypeKind::Flags(definition) => (definition.repr.min(), definition.repr.max()),
                    TypeKind::Record(_) | TypeKind::Union(_) => (0, 0),
                };
                quote(format!("{}(aldis_json:key_integer({var}, {min}, {max}, {path}))", self.name_reader(*id)))
            }
            other => self.json_reader(other, var, path),
        }
    }
}
