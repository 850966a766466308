//! JSON as tables: a module of what each type's JSON is, which the runtime walks to write and to read it.

use crate::js::{call, import_types, int, later, name, string, truth, Code, Expr, Stmt};
use crate::names::Known;
use crate::values::{Helper, Values};
use aldis_plan::JsonPolicy;
use aldis_routine::json::{Form, Member, Table};
use aldis_routine::Module;
use aldis_schema::{Type, TypeId};
use std::collections::BTreeSet;

/// The tables of all types, and by message the function that writes its JSON, and the one that reads it.
pub(crate) fn module(values: &mut Values<'_>, module: &Module, policy: JsonPolicy) -> (Code, Vec<[Known; 2]>) {
    (values.runtime, values.elsewhere) = ("t", true);
    let schema = values.schema;
    let ids = || (0..schema.types.len()).map(|index| TypeId(index as u32));
    let mut exports = Vec::new();
    let table = |id: TypeId| {
        if !values.names.is_own(id) {
            return None;
        }
        let wanted = format!("{}_json", values.names.of(id));
        let own = values.names.fresh(&wanted);
        exports.push((own.clone(), values.names.link(id, "json", "")));
        Some(own)
    };
    let tables: Vec<Option<String>> = ids().map(table).collect();
    let ways = ["ToJson", "FromJson"];
    let functions: Vec<[Known; 2]> =
        schema.messages.iter().map(|message| ways.map(|way| values.names.json(message.record, way))).collect();
    let mut writer = Writer { values, module, policy, tables: &tables };
    let mut code: Code = ids().filter_map(|id| Some(writer.table(id, tables[id.index()].clone()?))).collect();
    let own = schema.messages.iter().filter(|message| writer.values.names.is_own(message.record));
    let types: BTreeSet<String> = own.map(|message| writer.values.names.of(message.record).to_owned()).collect();
    code.declare(import_types(types, writer.values.names.beside("")));
    for (message, known) in schema.messages.iter().zip(&functions) {
        let [Known::Own(to), Known::Own(from)] = known else { continue };
        let table = writer.named(message.record);
        let (ty, full) = (writer.values.names.of(message.record), schema.type_def(message.record).name.full());
        for (own, way) in [to, from].into_iter().zip(ways) {
            exports.push((own.clone(), writer.values.names.link(message.record, way, "")));
        }
        let run = |run: &str, given: &str| call(run, vec![table.clone(), name(given)]);
        let doc = format!("The JSON text of a `{full}`.");
        code.export(to, (&["value"], run("t.toJson", "value")), &doc, format!("(value: {ty}): string"));
        let doc = format!("The `{full}` that a JSON text says. Throws CodecError, with the offset in what was given.");
        code.export(from, (&["text"], run("t.fromJson", "text")), &doc, format!("(text: string | Uint8Array): {ty}"));
    }
    if values.names.modules.root().is_some() {
        code.push(Stmt::Exports(exports));
    }
    (values.runtime, values.elsewhere) = ("r", false);
    (code, functions)
}

struct Writer<'w, 'a> {
    values: &'w mut Values<'a>,
    module: &'w Module,
    policy: JsonPolicy,
    /// By type.
    tables: &'w [Option<String>],
}

impl Writer<'_, '_> {
    /// The table of a type.
    fn named(&self, id: TypeId) -> Expr {
        let own = self.tables[id.index()].clone();
        name(own.or_else(|| self.values.names.imported_json(id, "json")).unwrap_or_default())
    }

    fn table(&mut self, id: TypeId, own: String) -> Stmt {
        let named = truth(self.policy.names);
        let module = self.module;
        let value = match module.json(self.policy, id) {
            Table::Record(fields) => {
                let own = self.values.names.fields(id).to_vec();
                let fields = fields.into_iter().zip(own).map(|(field, own)| Expr::List(self.member(field, &own)));
                let fields = later(Expr::List(fields.collect()));
                let run = if self.policy.omit_null { "t.shape" } else { "t.record" };
                call(run, vec![self.values.helper(id, Helper::Make), fields])
            }
            Table::Enum { repr, names } => {
                let names = names.into_iter().map(|(known, value, text)| {
                    let mut entry = vec![string(known), self.values.plain_number(id, value)];
                    entry.extend((text != known).then(|| string(text)));
                    Expr::List(entry)
                });
                let names = later(Expr::List(names.collect()));
                let numbers = self.values.enum_numbers.then(|| truth(true));
                call("t.enumeration", [named, self.of(repr, &Type::Void), names].into_iter().chain(numbers).collect())
            }
            Table::Flags { repr, bits, masks } => {
                let entry =
                    |(known, value): (&str, i128)| Expr::List(vec![string(known), self.values.plain_number(id, value)]);
                let [bits, masks] = [bits, masks].map(|all| later(Expr::List(all.into_iter().map(entry).collect())));
                call("t.flags", vec![named, self.of(repr, &Type::Void), bits, masks])
            }
            Table::Union { arms, told, empty_arms } => {
                let arms = arms.into_iter().map(|(tag, arm)| {
                    let own = arm.field.name.clone();
                    Expr::List([int(tag)].into_iter().chain(self.member(arm, &own)).collect())
                });
                let arms = later(Expr::List(arms.collect()));
                let told = told.map(|told| {
                    let names = [Some(&told.name), told.value_name.as_ref()].into_iter().flatten();
                    ("discriminator", Expr::List(names.map(string).collect()))
                });
                let rules = told.into_iter().chain(empty_arms.then(|| ("emptyArms", truth(true)))).collect();
                let args = [self.values.helper(id, Helper::Make), arms].into_iter().chain(ruled(rules));
                call("t.choice", args.collect())
            }
        };
        Stmt::Const { export: false, name: own, value: Expr::Pure(Box::new(value)) }
    }

    /// A field or arm: its name, its type, and what differs from most.
    fn member(&mut self, member: Member<'_>, own: &str) -> Vec<Expr> {
        let field = member.field;
        let mut rules = Vec::new();
        if field.name.is_empty() {
            rules.push(("unnamed", truth(true)));
        } else if own != field.json_name() {
            rules.push(("key", string(field.json_name())));
        }
        rules.extend(field.hidden.then(|| ("hidden", truth(true))));
        rules.extend(field.json.flatten.as_ref().map(|prefix| ("flatten", string(prefix))));
        for (rule, value) in [("none", &member.none), ("absent", &member.absent), ("fixed", &member.fixed)] {
            rules.extend(value.as_ref().map(|value| (rule, later(self.values.of(value)))));
        }
        [string(own), self.of(member.of, &field.ty)].into_iter().chain(ruled(rules)).collect()
    }

    /// The description of a type's JSON; that of an enum's numbers has no type.
    fn of(&mut self, form: Form, ty: &Type) -> Expr {
        match form {
            Form::Kind(kind) => name(format!("t.{kind}{}", self.values.narrow(ty.required()))),
            Form::Named(id) => self.named(id),
            Form::Rule(rule, inner) => call(format!("t.{rule}"), vec![self.of(*inner, ty)]),
            Form::Collection { kind, parts, made, length } => {
                let types = match &made.ty {
                    Type::Map { key, value, .. } => vec![key.as_ref(), value.as_ref()],
                    ty => vec![ty.element()],
                };
                let mut args: Vec<Expr> = parts.into_iter().zip(types).map(|(part, ty)| self.of(part, ty)).collect();
                args.push(self.values.list(&made));
                args.extend(length.map(int));
                call(format!("t.{kind}"), args)
            }
        }
    }
}

/// The rules, where there are any.
fn ruled(rules: Vec<(&str, Expr)>) -> Option<Expr> {
    let rules: Vec<_> = rules.into_iter().map(|(rule, value)| (rule.to_owned(), value)).collect();
    (!rules.is_empty()).then_some(Expr::Object(rules))
}
