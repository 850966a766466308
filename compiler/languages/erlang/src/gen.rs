//! The module that is being generated: which functions it has by now, and under which names.

use crate::code::{Expr, Form};
use crate::erl::{atom, call, function_in_row, trees, Atom, Callee, Clause, Functions, WIDTH};
use crate::modules::{Facet, Module, Modules, Parts, ENTRY};
use crate::names::Names;
use crate::nesting::Direct;
use crate::strict_text::StrictText;
use crate::values::Values;
use crate::wire::Wire;
use aldis_emit::doc::{concat, Doc};
use aldis_emit::Request;
use aldis_schema::{Schema, TypeId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Functions are generated when something first calls for them, so no unused one is ever printed.
#[derive(Debug)]
pub(crate) struct Gen<'a> {
    pub schema: &'a Schema,
    pub names: &'a Names,
    pub values: &'static Values,
    /// The main form first.
    pub wires: Vec<Wire<'a>>,
    /// The records that the short way through segments takes.
    pub direct: Direct,
    /// The text that readers check.
    pub strict_text: StrictText,
    /// Functions that are to be inlined: their names and arities.
    pub inlined: BTreeSet<(Atom, usize)>,
    pub parts: Parts,
    /// How functions are spread over modules.
    pub modules: Modules,
    /// The purpose of the functions that are made.
    pub facet: Facet,
    /// Whether enums of few values are told where their numbers are, which is faster than a call.
    pub tells_in_place: bool,
    /// Every function name that is in use, whatever its arity, with its module; without one those that no module may use.
    taken: BTreeSet<(Option<Module>, String)>,
    /// The functions that were asked for, with the modules and names that they got.
    defined: BTreeMap<String, (Module, String)>,
    /// The name of each shared function, by its module and by its forms with `shared` for a name.
    shared: HashMap<(Module, Vec<Form>), String>,
    /// In the order in which they were asked for.
    functions: Vec<Made>,
    section: usize,
    /// Functions are kept as trees too.
    pub keeps_forms: bool,
    /// The types that others hold.
    held: BTreeSet<usize>,
    /// The records that fast functions are for, by form: see [`crate::fast`].
    pub fit: BTreeMap<(String, TypeId), Option<u32>>,
    /// By section: the functions of the module that users call.
    exports: BTreeMap<usize, Vec<String>>,
    /// Functions that are called from other modules.
    crossed: BTreeSet<(Module, Atom)>,
}

/// Functions with where they stand.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub module: Module,
    pub section: usize,
    /// Name and arity of each.
    pub heads: Vec<(Atom, usize)>,
    /// Those of which Dialyzer is told that a clause may match nothing.
    pub unmatched: Vec<(Atom, usize)>,
    pub text: String,
    /// The local functions and macros that they call.
    pub called: BTreeSet<String>,
    /// The functions as trees, for back ends that build on them.
    pub forms: Vec<Form>,
}

impl Made {
    fn of(module: Module, section: usize, functions: Functions, keeps_forms: bool) -> Self {
        let Functions { heads, unmatched, doc, called, forms } = functions;
        let forms = if keeps_forms { forms } else { Vec::new() };
        Self { module, section, heads, unmatched, text: doc.print(WIDTH), called, forms }
    }
}

impl<'a> Gen<'a> {
    pub fn new(
        request: &Request<'_>,
        schema: &'a Schema,
        names: &'a Names,
        wires: Vec<Wire<'a>>,
        values: &'static Values,
        modules: Modules,
    ) -> Self {
        let direct = wires.first().map_or_else(Direct::default, |wire| Direct::of(wire.plan));
        Self {
            schema,
            names,
            values,
            wires,
            direct,
            strict_text: StrictText::of(schema, request.strict_text()),
            inlined: BTreeSet::new(),
            parts: Parts::of(request),
            modules,
            facet: Facet::Main,
            tells_in_place: true,
            taken: BTreeSet::new(),
            defined: BTreeMap::new(),
            shared: HashMap::new(),
            functions: Vec::new(),
            section: usize::MAX,
            keeps_forms: false,
            held: crate::modules::held(schema),
            fit: BTreeMap::new(),
            exports: BTreeMap::new(),
            crossed: BTreeSet::new(),
        }
    }

    /// Whether other types hold a record.
    pub fn is_held(&self, id: TypeId) -> bool {
        self.held.contains(&id.index())
    }

    /// The section of the module that a type's functions stand in.
    pub fn enter(&mut self, section: usize) -> usize {
        std::mem::replace(&mut self.section, section)
    }

    /// The module of the functions that are made.
    pub fn module_here(&self) -> Module {
        self.module_of(self.section)
    }

    /// The facet of functions that readers of whole messages and of single fields share. It is never that of single fields: while
    /// modules are replaced one after another, readers of whole messages go on with their own.
    pub fn codec_facet(&self) -> Facet {
        match self.facet {
            Facet::Views => Facet::Main,
            facet => facet,
        }
    }

    fn module_of(&self, section: usize) -> Module {
        match section {
            usize::MAX => ENTRY,
            section => self.modules.of(TypeId(section as u32), self.facet),
        }
    }

    /// Reserves the name of an exported function, before any private one can take it.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert((None, name.to_owned()));
    }

    /// Adds a function that users call; `name` must be reserved. `head` is its documentation and its specification. In a module of
    /// its own it has neither: the module that users call has both, and calls it.
    pub fn export(&mut self, name: &str, args: &[&str], head: Doc, functions: Functions) {
        let (own, arity) = (atom(name), args.len());
        self.exports.entry(self.section).or_default().push(format!("{own}/{arity}"));
        let module = self.module_here();
        if module == ENTRY {
            return self.add(Functions { doc: concat([head, functions.doc]), ..functions });
        }
        self.crossed.insert((module, own.clone()));
        self.add(functions);
        self.push_front(&own, args, head, &own, trees(args.iter().copied()));
    }

    /// Adds a function of one argument to the module that users call, one of a row: the call that it is, and what stands in front of
    /// it. `name` must be reserved.
    pub fn front(&mut self, name: &str, arg: &str, head: Doc, call: Expr, last: bool) {
        let own = atom(name);
        self.exports.entry(self.section).or_default().push(format!("{own}/1"));
        let forward = function_in_row(&own, &[Clause::new([arg], [call])]);
        let behind = if last { Doc::Blank } else { Doc::Nil };
        self.push(ENTRY, Functions { doc: concat([head, forward.doc, behind]), ..forward });
    }

    fn push_front(&mut self, own: &Atom, args: &[&str], head: Doc, called: &Atom, given: Vec<Expr>) {
        let called = match self.module_here() {
            ENTRY => Callee::from(called),
            module => Callee::Of(atom(self.modules.name(module)), called.clone()),
        };
        let forward = function_in_row(own, &[Clause::new(args.iter().copied(), [call(called, given)])]);
        self.push(ENTRY, Functions { doc: concat([head, forward.doc]), ..forward });
    }

    /// Adds functions whose names are taken by now.
    pub fn add(&mut self, functions: Functions) {
        self.push(self.module_here(), functions);
    }

    fn push(&mut self, module: Module, functions: Functions) {
        self.functions.push(Made::of(module, self.section, functions, self.keeps_forms));
    }

    /// Exports by section, in order.
    pub fn exports(&self) -> &BTreeMap<usize, Vec<String>> {
        &self.exports
    }

    /// All functions, in the order in which they were asked for.
    pub fn functions(&self) -> &[Made] {
        &self.functions
    }

    /// Whether a function of that name is called from another module.
    pub fn is_crossed(&self, module: Module, name: &Atom) -> bool {
        self.crossed.contains(&(module, name.clone()))
    }

    /// The names of all functions that are called from other modules.
    pub fn crossed_names(&self) -> Vec<String> {
        self.crossed.iter().map(|(_, name)| name.name().to_owned()).collect()
    }

    /// The functions, which are no longer here.
    pub fn take_functions(&mut self) -> Vec<Made> {
        std::mem::take(&mut self.functions)
    }

    /// The function `name` of `module` as the functions that are made call it.
    fn reference(&mut self, module: Module, name: &str) -> Callee {
        let name = atom(name);
        if module == self.module_here() {
            return Callee::Own(name);
        }
        self.crossed.insert((module, name.clone()));
        Callee::Of(atom(self.modules.name(module)), name)
    }

    /// A function as the runtime is given it: by its module, so that it is a literal.
    pub fn external(&mut self, function: &Callee, arity: usize) -> Expr {
        let (module, name) = match function.clone() {
            Callee::Own(name) => {
                let module = self.module_here();
                self.crossed.insert((module, name.clone()));
                (self.modules.name(module).to_owned(), name)
            }
            Callee::Of(module, name) => (module.into_name(), name),
            Callee::Macro(name) => unreachable!("`?{name}` is no function"),
        };
        Expr::FunctionName(Some(module), name.into_name(), arity)
    }

    /// A function of a record that users call too, as the functions that are made call it.
    pub fn public(&mut self, id: TypeId, name: &str) -> Callee {
        self.reference(self.modules.of(id, Facet::Main), name)
    }

    /// The function for `key` as the functions that are made call it, made by `make` when it is first asked for. `make` gets the
    /// name unquoted and may ask for the same function again, as recursive types do.
    pub fn define(&mut self, key: &str, wanted: &str, make: impl FnOnce(&mut Self, &str) -> Functions) -> Callee {
        let (module, name) = self.made(key, wanted, make);
        self.reference(module, &name)
    }

    fn made(&mut self, key: &str, wanted: &str, make: impl FnOnce(&mut Self, &str) -> Functions) -> (Module, String) {
        if let Some(found) = self.defined.get(key) {
            return found.clone();
        }
        let name = self.private(wanted);
        let module = self.module_here();
        self.defined.insert(key.to_owned(), (module, name.clone()));
        let place = self.functions.len();
        self.functions.push(Made { module, section: self.section, ..Made::default() });
        let (section, functions) = (self.section, make(self, &name));
        self.functions[place] = Made::of(module, section, functions, self.keeps_forms);
        (module, name)
    }

    /// As [`Gen::define`], once in each module that calls the function, so that it may stand in place of its calls.
    pub fn define_here(&mut self, key: &str, make: impl FnOnce(&mut Self, &str) -> Functions) -> Callee {
        self.define(&format!("{}:{key}", self.modules.name(self.module_here())), key, make)
    }

    /// As [`Gen::define`], in the section of a type.
    pub fn define_in(
        &mut self,
        id: TypeId,
        key: &str,
        wanted: &str,
        make: impl FnOnce(&mut Self, &str) -> Functions,
    ) -> Callee {
        self.define_at((id, self.facet), key, wanted, make)
    }

    /// As [`Gen::define_in`], among the functions of a facet.
    pub fn define_at(
        &mut self,
        (id, facet): (TypeId, Facet),
        key: &str,
        wanted: &str,
        make: impl FnOnce(&mut Self, &str) -> Functions,
    ) -> Callee {
        let outer = (self.enter(id.index()), std::mem::replace(&mut self.facet, facet));
        let (module, name) = self.made(key, wanted, make);
        self.enter(outer.0);
        self.facet = outer.1;
        self.reference(module, &name)
    }

    /// A function that does what `make` makes; one of the module that does just the same under another name serves.
    pub fn share(&mut self, wanted: &str, make: impl Fn(&str) -> Functions) -> Callee {
        let module = self.module_here();
        let key = (module, make("shared").forms);
        if let Some(name) = self.shared.get(&key) {
            return Callee::Own(atom(name));
        }
        let name = self.private(wanted);
        self.shared.insert(key, name.clone());
        self.add(make(&name));
        Callee::Own(atom(&name))
    }

    /// A name for a function that is not exported, apart from all others of its module.
    pub fn private(&mut self, wanted: &str) -> String {
        let module = self.module_here();
        let free = |name: &String| {
            !self.taken.contains(&(None, name.clone())) && !self.taken.contains(&(Some(module), name.clone()))
        };
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let name = std::iter::once(wanted.to_owned()).chain(numbered).find(free);
        let name = name.unwrap_or_else(|| wanted.to_owned());
        self.taken.insert((Some(module), name.clone()));
        name
    }
}
