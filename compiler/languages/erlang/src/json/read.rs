//! JSON text to values.

use super::{element_path, encoding_word};
use crate::encode::inner_variable;
use crate::erl::{atom, bind, call_text, function, list, record, texts, utf8_binary, Clause};
use crate::gen::Gen;
use crate::literal::Fresh;
use aldis_emit::doc::{text, Doc};
use aldis_schema::{Field, Type, TypeId, TypeKind};

impl Gen<'_> {
    /// The function that reads a record: `f(Json, Path) -> Record`.
    pub(crate) fn json_reader_record(&mut self, id: TypeId) -> String {
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
                names.push(text(utf8_binary(&field.name)));
                let path = format!("[{} | Path]", gen.names.field_atom(id, index));
                let value = gen.json_field(field, &var, &path);
                values.push((gen.names.field_atom(id, index), text(value)));
                vars.push(var);
            }
            let call = crate::erl::call("aldis_json:fields", [text("Json"), list(names), text("Path")]);
            let mut body = Vec::new();
            let mut args = vec!["Json".to_owned()];
            if gen.json_depth() {
                args.push("Depth".to_owned());
                body.push(text("aldis_check:depth(Depth, Path)"));
            }
            args.push("Path".to_owned());
            body.push(bind(list(texts(&vars)), call));
            body.push(record(&gen.names.atom(id), values));
            function(&atom(own), &[Clause::new(texts(&args), body)])
        })
    }

    pub(super) fn json_field(&mut self, field: &Field, var: &str, path: &str) -> String {
        if let Some(constant) = &field.constant {
            let literal = self.literal(constant, &field.ty, Fresh::Zero);
            let given = self.json_reader(&field.ty, var, path);
            let null = if field.nullable() { format!(" null -> {literal};") } else { String::new() };
            return format!(
                "case {var} of missing -> {literal};{null} _ -> aldis_json:same({given}, {literal}, {path}) end"
            );
        }
        let mut clauses = Vec::new();
        let missing = self.json_missing(field, path);
        clauses.push(format!("missing -> {missing}"));
        if field.nullable() {
            let null = match &field.ty {
                Type::List(_) => "[]",
                Type::Text(_) | Type::Bytes => "<<>>",
                _ => "undefined",
            };
            clauses.push(format!("null -> {null}"));
        }
        let given = self.json_reader(field.ty.required(), var, path);
        clauses.push(format!("_ -> {given}"));
        format!("case {var} of {} end", clauses.join("; "))
    }

    fn json_missing(&mut self, field: &Field, path: &str) -> String {
        if self.wires[0].plan.json.defaults {
            return self.field_default(field, Fresh::Zero);
        }
        match &field.ty {
            Type::Optional(_) => "undefined".to_owned(),
            _ if field.optional => "undefined".to_owned(),
            Type::List(_) => "[]".to_owned(),
            Type::Text(_) | Type::Bytes => "<<>>".to_owned(),
            _ => format!("aldis_json:required({path})"),
        }
    }

    /// An expression for the value of type `ty` in the JSON term `var`.
    pub(super) fn json_reader(&mut self, ty: &Type, var: &str, path: &str) -> String {
        let policy = self.wires[0].plan.json;
        let call = |name: &str| format!("aldis_json:{name}({var}, {path})");
        match ty {
            Type::Void => format!("aldis_json_sparse:to_void({var}, {path})"),
            Type::Opaque(_) => format!("aldis_json:bad_json({path})"),
            Type::Bool => call("to_boolean"),
            Type::Int(int) if policy.wide_text => {
                format!("aldis_json_sparse:to_integer({var}, {}, {}, {path})", int.min(), int.max())
            }
            Type::Int(_) | Type::Timestamp => {
                let (min, max) = ty.as_int().map_or((0, 0), |int| (int.min(), int.max()));
                format!("aldis_json:to_integer({var}, {min}, {max}, {path})")
            }
            Type::Char => call("to_char"),
            Type::Float32 if policy.omit_null => format!("aldis_json_sparse:to_float32({var}, {path})"),
            Type::Float64 if policy.omit_null => format!("aldis_json_sparse:to_float64({var}, {path})"),
            Type::Float32 if policy.non_finite => call("to_any_float32"),
            Type::Float64 if policy.non_finite => call("to_any_float64"),
            Type::Float32 => call("to_float32"),
            Type::Float64 => call("to_float64"),
            Type::Decimal => call("to_decimal"),
            Type::Uuid => call("to_uuid"),
            Type::Bytes if policy.byte_arrays => format!("aldis_json_sparse:to_byte_array({var}, {path})"),
            Type::Bytes => call("to_bytes"),
            Type::Text(encoding) | Type::Chars { encoding, .. } => {
                format!("aldis_json:to_text({var}, {}, {path})", encoding_word(*encoding))
            }
            Type::Optional(inner) => {
                let inner = self.json_reader(inner, var, path);
                format!("case {var} of null -> undefined; _ -> {inner} end")
            }
            Type::List(element) => self.json_reader_elements(element, var, path),
            Type::Set(element) => {
                let read = self.json_reader_elements(element, var, path);
                let order = self.order_key(element, "Of").unwrap_or_else(|| "Of".to_owned());
                format!("aldis_json:to_set([{{{order}, Of}} || Of <- {read}], {path})")
            }
            Type::Array { element, len } => {
                format!("aldis_json:to_array({}, {len}, {path})", self.json_reader_elements(element, var, path))
            }
            Type::Map { key, value, .. } => self.json_reader_map(key, value, var, path),
            Type::Named(id) => self.json_reader_named(*id, var, path),
        }
    }

    fn json_reader_elements(&mut self, element: &Type, var: &str, path: &str) -> String {
        let item = inner_variable(var);
        let (index, inner_path) = element_path(&item, path);
        let inner = self.json_reader(element, &item, &inner_path);
        format!("[{inner} || {{{index}, {item}}} <- lists:enumerate(0, aldis_json:to_list({var}, {path}))]")
    }

    fn json_reader_named(&mut self, id: TypeId, var: &str, path: &str) -> String {
        if let TypeKind::Union(_) = &self.schema.type_def(id).kind {
            return format!("{}({var}, Depth, {path})", self.sparse_union_reader(id));
        }
        if !self.is_record(id) {
            return call_text(&self.json_reader_names(id), &[var.to_owned(), path.to_owned()]);
        }
        let mut args = vec![var.to_owned()];
        args.extend(self.json_depth().then(|| "Depth + 1".to_owned()));
        args.push(path.to_owned());
        call_text(&self.json_reader_record(id), &args)
    }

    /// The function that reads an enum or flags: `f(Json, Path)`.
    fn json_reader_names(&mut self, id: TypeId) -> String {
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
                        let number = value.value.to_string();
                        clauses
                            .push(Clause::plain(&[&utf8_binary(&value.name), "_"], text(call_text(&from, &[number]))));
                    }
                    let bad = text("aldis_json:bad_json(Path)");
                    clauses.push(Clause::plain(&["Name", "Path"], bad).when("is_binary(Name)"));
                    let number = format!("{from}(aldis_json:to_integer(Json, {min}, {max}, Path))");
                    clauses.push(Clause::plain(&["Json", "Path"], text(number)));
                }
                TypeKind::Flags(definition) => {
                    let masks: Vec<String> = definition
                        .values
                        .iter()
                        .map(|flag| format!("{} => {}", utf8_binary(&flag.name), flag.mask))
                        .collect();
                    let max = definition.repr.max();
                    let high = if definition.repr.signed { max * 2 + 1 } else { max };
                    let call = format!("{from}(aldis_json:to_flags(Json, #{{{}}}, {high}, Path))", masks.join(", "));
                    clauses.push(Clause::plain(&["Json", "Path"], text(call)).when("is_list(Json)"));
                    let other = if names {
                        "aldis_json:bad_json(Path)".to_owned()
                    } else {
                        format!("{from}(aldis_json:to_integer(Json, {}, {max}, Path))", definition.repr.min())
                    };
                    clauses.push(Clause::plain(&["Json", "Path"], text(other)));
                }
                TypeKind::Record(_) | TypeKind::Union(_) => return Doc::Nil,
            }
            function(&atom(own), &clauses)
        })
    }

    fn json_reader_map(&mut self, key: &Type, value: &Type, var: &str, path: &str) -> String {
        let item = inner_variable(var);
        let (key_var, value_var) = (format!("{item}Key"), format!("{item}Of"));
        let (index, inner_path) = &element_path(&item, path);
        let inner = self.json_reader(value, &value_var, inner_path);
        let (source, key_value) = if self.has_text(key) {
            ("members", self.json_reader_key(key, &key_var, inner_path))
        } else {
            ("pairs", self.json_reader(key, &key_var, inner_path))
        };
        let pairs = format!("lists:enumerate(0, aldis_json:{source}({var}, {path}))");
        let read = format!("[{{{key_value}, {inner}}} || {{{index}, {{{key_var}, {value_var}}}}} <- {pairs}]");
        let order = self.order_key(key, "Key").unwrap_or_else(|| "Key".to_owned());
        format!("aldis_json:to_map([{{{order}, {{Key, Of}}}} || {{Key, Of}} <- {read}], {path})")
    }

    fn json_reader_key(&mut self, key: &Type, var: &str, path: &str) -> String {
        match key {
            Type::Bool => format!("aldis_json:key_boolean({var}, {path})"),
            Type::Int(_) | Type::Timestamp => {
                let (min, max) = key.as_int().map_or((0, 0), |int| (int.min(), int.max()));
                format!("aldis_json:key_integer({var}, {min}, {max}, {path})")
            }
            Type::Named(id) => {
                let (min, max) = match &self.schema.type_def(*id).kind {
                    TypeKind::Enum(definition) => self.enum_range(&definition.repr),
                    TypeKind::Flags(definition) => (definition.repr.min(), definition.repr.max()),
                    TypeKind::Record(_) | TypeKind::Union(_) => (0, 0),
                };
                format!("{}(aldis_json:key_integer({var}, {min}, {max}, {path}))", self.name_reader(*id))
            }
            other => self.json_reader(other, var, path),
        }
    }
}
