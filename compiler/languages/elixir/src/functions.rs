//! The codec's functions, taken from the Erlang back end and rewritten.

use crate::erlang;
use crate::modules::{has_struct, Modules};
use crate::print::flat;
use crate::rewrite::{rename, rewrite, Calls, Struct, WIDE};
use aldis_erlang::code::{Clause, Expr, Form, Function, Macro};
use aldis_erlang::Codec;
use aldis_schema::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// The functions of a codec.
#[derive(Debug)]
pub(crate) struct Functions {
    pub calls: Calls,
    /// One for each section of the codec.
    pub sections: Vec<Section>,
    /// By type id: the default of each field as an expression, where there is one that is not made anew each time.
    pub defaults: BTreeMap<TypeId, BTreeMap<String, Expr>>,
    /// The types in the order of their modules.
    pub order: Vec<TypeId>,
    /// Guards that several functions use, each a head and what it stands for.
    pub guards: Vec<(String, Expr)>,
    /// The private functions that are to stand where they are called, with their arities.
    pub inline: Vec<(String, usize)>,
}

#[derive(Debug, Default)]
pub(crate) struct Section {
    pub functions: Vec<Defined>,
}

/// A function, with whether users call it and whether Dialyzer is to know that its last clause is for others.
#[derive(Debug)]
pub(crate) struct Defined {
    pub function: Function,
    pub public: bool,
    pub no_match: bool,
}

/// The module for the registry and for dispatch has its own.
const OWN: &str = "messages";

impl Functions {
    pub fn new(codec: &Codec<'_>, modules: &Modules) -> Self {
        let made: Vec<_> = codec.sections.iter().map(|section| (section, erlang::forms(&section.forms))).collect();
        let macros: Vec<Macro> = codec.macros.iter().map(erlang::of_macro).collect();
        let calls = declared(codec, modules, made.iter().flat_map(|(_, forms)| forms), &macros);
        let mut found = Self {
            calls,
            sections: Vec::new(),
            defaults: BTreeMap::new(),
            order: Vec::new(),
            guards: Vec::new(),
            inline: Vec::new(),
        };
        let exports: BTreeSet<&str> = codec.exports.iter().chain(&codec.given).map(String::as_str).collect();
        for (section, forms) in made {
            let whole = section.id.is_none();
            found.sections.push(found_section(&mut found.calls, forms, &exports, whole));
        }
        found.inline = codec.inline.iter().map(|(name, arity)| (found.calls.function(name), *arity)).collect();
        found.add_macros(macros);
        found.find_defaults(codec, modules);
        found.sort(codec, modules);
        found
    }

    /// Guards for the macros that are guards, and functions for the others.
    fn add_macros(&mut self, macros: Vec<Macro>) {
        let mut functions = Vec::new();
        for of in macros {
            let Some(own) = self.calls.macros.get(&of.name).cloned() else {
                self.guards.extend(guards(of, &self.calls, &self.sections));
                continue;
            };
            self.inline.push((self.calls.function(&own), of.params.len()));
            let clauses = vec![Clause::new(of.params, [of.body])];
            functions.extend(rewrite(Function { name: own, clauses }, &mut self.calls));
        }
        if let Some(last) = self.sections.last_mut() {
            let defined = functions.into_iter().map(|function| Defined { function, public: false, no_match: false });
            last.functions.extend(defined);
        }
    }

    /// Whether any function has such an expression.
    pub fn any(&self, wanted: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        for defined in self.sections.iter().flat_map(|section| &section.functions) {
            for clause in &defined.function.clauses {
                clause.each(&mut |expr| found |= wanted(expr));
            }
        }
        found
    }

    /// The public function of the codec that Erlang calls `name`.
    pub fn public(&self, name: &str) -> String {
        self.calls.function(name)
    }

    /// Reads the defaults from the functions that make new records, and those of constants.
    fn find_defaults(&mut self, codec: &Codec<'_>, modules: &Modules) {
        for index in 0..codec.types.len() {
            let id = TypeId(index as u32);
            if !has_struct(codec, id) {
                continue;
            }
            let names = &codec.types[index];
            let mut defaults = BTreeMap::new();
            let new = self.calls.function(&format!("new_{}", names.record));
            let made = self.sections.iter().flat_map(|section| &section.functions);
            let body = made.filter(|defined| defined.function.name == new).find_map(|d| d.function.clauses.first());
            if let Some(Expr::Record(_, fields)) = body.and_then(|clause| clause.body.last()) {
                defaults.extend(fields.iter().cloned());
            }
            for (field, constant) in names.constants.iter().enumerate() {
                if let Some(constant) = constant {
                    let mut value = constant.clone();
                    erlang::adapt(&mut value);
                    self.calls.translate(&mut value);
                    defaults.insert(modules.keys[index][field].clone(), value);
                }
            }
            self.defaults.insert(id, defaults);
        }
        for id in self.defaults.keys().copied().collect::<Vec<_>>() {
            let resolved = self.resolved(codec, modules, id);
            self.defaults.insert(id, resolved);
        }
    }

    /// Calls that make another record are its struct; fields whose default is made anew have none.
    fn resolved(&self, codec: &Codec<'_>, modules: &Modules, id: TypeId) -> BTreeMap<String, Expr> {
        let made: BTreeMap<String, &str> = (0..codec.types.len())
            .map(|index| (index, TypeId(index as u32)))
            .filter(|(_, id)| has_struct(codec, *id))
            .map(|(index, id)| (self.calls.function(&format!("new_{}", codec.types[index].record)), modules.of(id)))
            .collect();
        let mut defaults = self.defaults[&id].clone();
        defaults.retain(|_, value| {
            if let Expr::Call(None, name, _) = value {
                if let Some(module) = made.get(name) {
                    *value = Expr::Record((*module).to_owned(), Vec::new());
                }
            }
            is_constant(value) && *value != Expr::Null
        });
        defaults
    }

    /// Types in schema order, but those whose structs others hold as defaults before these.
    fn sort(&mut self, codec: &Codec<'_>, modules: &Modules) {
        let mut begun = BTreeSet::new();
        for index in 0..codec.types.len() {
            self.visit(modules, TypeId(index as u32), &mut begun);
        }
    }

    /// A default that holds its own struct, or one that holds it, is left out: only `new/0` makes it.
    fn visit(&mut self, modules: &Modules, id: TypeId, begun: &mut BTreeSet<TypeId>) {
        if !begun.insert(id) {
            return;
        }
        for (key, value) in self.defaults.get(&id).cloned().unwrap_or_default() {
            let mut held = Vec::new();
            value.each(&mut |expr| {
                if let Expr::Record(module, _) = expr {
                    held.extend(modules.types.iter().position(|other| other == module));
                }
            });
            for inner in held.into_iter().map(|index| TypeId(index as u32)) {
                self.visit(modules, inner, begun);
                if !self.order.contains(&inner) {
                    self.defaults.entry(id).or_default().remove(&key);
                }
            }
        }
        self.order.push(id);
    }
}

/// The names of all functions, those that users call first, and of the macros that are functions here.
fn declared<'f>(
    codec: &Codec<'_>,
    modules: &Modules,
    forms: impl Iterator<Item = &'f Form>,
    macros: &[Macro],
) -> Calls {
    let mut calls = Calls::new(structs(codec, modules), by_record(codec, modules));
    calls.codec = (codec.module.clone(), format!("Elixir.{}", modules.codec));
    codec.exports.iter().for_each(|name| calls.declare(name));
    for form in forms {
        if let Form::Function(function) = form {
            calls.declare(&function.name);
        }
    }
    for of in macros.iter().filter(|of| matches!(of.body, Expr::Case { .. })) {
        // Nothing like it can be called in guards.
        let function = calls.fresh(&of.name.to_lowercase());
        calls.macros.insert(of.name.clone(), function);
    }
    calls
}

fn found_section(calls: &mut Calls, forms: Vec<Form>, exports: &BTreeSet<&str>, whole: bool) -> Section {
    let no_match: Vec<(String, usize)> = forms
        .iter()
        .filter_map(|form| match form {
            Form::NoMatch(name, arity) => Some((name.clone(), *arity)),
            Form::Function(_) => None,
        })
        .collect();
    let mut section = Section::default();
    for form in forms {
        let Form::Function(mut function) = form else { continue };
        if whole && function.name == OWN {
            continue;
        }
        if whole && (function.name.starts_with("identify") || function.name.starts_with("decode")) {
            name_modules(&mut function, calls);
        }
        let public = exports.contains(function.name.as_str());
        let told = no_match.contains(&(function.name.clone(), function.arity()));
        for (index, function) in rewrite(function, calls).into_iter().enumerate() {
            let own = index == 0;
            section.functions.push(Defined { function, public: public && own, no_match: told && own });
        }
    }
    section
}

/// Messages are known by their modules: `{ok, Order}` of dispatch becomes `{:ok, Market.Order}`.
fn name_modules(function: &mut Function, calls: &Calls) {
    fn visit(expr: &mut Expr, calls: &Calls) {
        if let Expr::Tuple(items) = expr {
            if let [Expr::Atom(ok), Expr::Atom(name)] = items.as_mut_slice() {
                if let Some(module) = calls.modules.get(name.as_str()).filter(|_| ok == "ok") {
                    *name = format!("Elixir.{module}");
                }
            }
        }
        expr.below_mut(&mut |inner| visit(inner, calls));
    }
    for clause in &mut function.clauses {
        clause.below_mut(&mut |expr| visit(expr, calls));
    }
}

/// Whether an expression can be a struct's default: it is the same whenever it is evaluated.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Call(Some(module), _, args) => {
            ["Elixir.Aldis.Values", "Elixir.List"].contains(&module.as_str()) && args.iter().all(is_constant)
        }
        Expr::Call(..) | Expr::Apply(..) => false,
        Expr::Tuple(items) | Expr::List(items, None) => items.iter().all(is_constant),
        Expr::Record(_, fields) => fields.iter().all(|(_, value)| is_constant(value)),
        Expr::Binop(_, left, right) => is_constant(left) && is_constant(right),
        other => flat(other).is_some(),
    }
}

fn structs(codec: &Codec<'_>, modules: &Modules) -> BTreeMap<String, Struct> {
    let ids = (0..codec.types.len()).map(|index| TypeId(index as u32));
    ids.filter(|id| has_struct(codec, *id))
        .map(|id| {
            let names = &codec.types[id.index()];
            let keys = names.members.iter().cloned().zip(modules.keys[id.index()].iter().cloned()).collect();
            (names.record.clone(), Struct { module: modules.of(id).to_owned(), keys })
        })
        .collect()
}

/// The module of each record.
fn by_record(codec: &Codec<'_>, modules: &Modules) -> BTreeMap<String, String> {
    codec.types.iter().map(|names| names.record.clone()).zip(modules.types.iter().cloned()).collect()
}

/// The guards for a macro, as it is called: one for each pair of bounds that has a name, and one for others. Those that
/// Elixir has another word for need none.
fn guards(of: Macro, calls: &Calls, sections: &[Section]) -> Vec<(String, Expr)> {
    let Macro { name, params, body: guard } = of;
    if name == "WITHIN" || name.ends_with("_OR_NULL") {
        return Vec::new();
    }
    let used = used_macros(sections);
    let mut found = Vec::new();
    let bounds = WIDE.iter().map(|(named, min, max)| (*named, vec![(1, *min), (2, *max)]));
    for (named, fixed) in bounds.chain([(name.as_str(), Vec::new())]).filter(|(named, _)| used.contains(*named)) {
        let mut clause = Clause::new(params.clone(), [guard.clone()]);
        for (index, number) in &fixed {
            let Some(param) = params.get(*index) else { continue };
            clause.each_mut(&mut |expr| {
                if expr == param {
                    *expr = Expr::Number((*number).to_owned());
                }
            });
        }
        rename(&mut clause);
        clause.patterns.retain(|param| matches!(param, Expr::Var(_)));
        let Some(mut body) = clause.body.pop() else { continue };
        calls.translate(&mut body);
        found.extend(flat(&Expr::Macro(named.to_owned(), clause.patterns)).map(|head| (head, body)));
    }
    found
}

/// The macros that functions call.
fn used_macros(sections: &[Section]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let clauses = sections.iter().flat_map(|section| &section.functions).flat_map(|defined| &defined.function.clauses);
    for clause in clauses {
        clause.each(&mut |expr| {
            if let Expr::Macro(name, _) = expr {
                found.insert(name.clone());
            }
        });
    }
    found
}
