//! The modules of a codec: which types go together, what stands in modules of its own, and what all are called.

use crate::names::Names;
use crate::wire::Wire;
use aldis_emit::names::{underscored, Scope};
use aldis_emit::Request;
use aldis_plan::{Container, Plan};
use aldis_schema::{Schema, Type, TypeId, TypeKind};
use std::collections::BTreeSet;

/// Records of so many fields together, or one that is larger, are in one module.
const FIELDS: usize = 96;

/// The option that leaves parts of a codec out.
pub(crate) const WITHOUT: &str = "without";

/// The purpose of a function: each has modules of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Facet {
    /// Records, and the main wire form.
    Main,
    /// A further wire form, by its place among the forms.
    Form(usize),
    /// Single fields.
    Views,
    Json,
}

/// The number of a module; that of users is the first.
pub(crate) type Module = usize;

/// The module that users call.
pub(crate) const ENTRY: Module = 0;

/// How functions are spread over modules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modules {
    /// By type: the unit that it is in; units are of types that go together.
    units: Vec<usize>,
    /// By unit: its name, nothing for the unit of a small schema.
    names: Vec<String>,
    /// By form: what its modules' names end in.
    forms: Vec<String>,
    /// Names of modules by their numbers; those of units follow that of the entry.
    made: Vec<String>,
    facets: usize,
}

impl Modules {
    /// One module for all.
    pub fn one(schema: &Schema, module: &str) -> Self {
        Self { units: vec![0; schema.types.len()], made: vec![module.to_owned()], ..Self::default() }
    }

    /// Modules for what belongs together: a large message, or a group of small ones that follow one another.
    pub fn new(schema: &Schema, names: &Names, wires: &[Wire<'_>]) -> Self {
        let mut units = vec![0; schema.types.len()];
        let mut first: Vec<TypeId> = Vec::new();
        let owners = owners(schema);
        let mut held = usize::MAX;
        for index in 0..schema.types.len() {
            if owners[index] != index {
                continue;
            }
            let own = (0..schema.types.len()).filter(|&other| owners[other] == index);
            let fields: usize = own.clone().map(|other| 1 + size(schema, other)).sum();
            if held.saturating_add(fields) > FIELDS {
                first.push(TypeId(index as u32));
                held = 0;
            }
            held += fields;
            own.for_each(|other| units[other] = first.len() - 1);
        }
        let forms: Vec<String> = wires.iter().map(|wire| wire.plan.form.suffix.clone()).collect();
        let mut modules = Self { units, forms, facets: wires.len() + 2, ..Self::default() };
        modules.give_names(names, &first);
        modules
    }

    fn give_names(&mut self, names: &Names, first: &[TypeId]) {
        let entry = &names.module;
        let testee = format!("{entry}_testee");
        let own: [&str; 2] = [entry, &testee];
        let taken = crate::reserved::otp_modules().map(|module| -> &str { module }).chain(own);
        let mut scope: Scope<()> = Scope::new(taken, ());
        self.made.push(entry.clone());
        let name = |id: &TypeId| underscored(&names.of(*id).to_lowercase());
        let units: Vec<String> = match first.len() {
            0 | 1 => vec![entry.clone()],
            _ => first.iter().map(|id| scope.fresh(&format!("{entry}_{}", name(id)), ())).collect(),
        };
        for unit in &units {
            self.made.push(unit.clone());
            for facet in (1..self.forms.len()).map(Facet::Form).chain([Facet::Views, Facet::Json]) {
                let end = match facet {
                    Facet::Form(form) => self.forms[form].clone(),
                    Facet::Views => "view".to_owned(),
                    Facet::Json | Facet::Main => "json".to_owned(),
                };
                self.made.push(scope.fresh(&format!("{unit}_{end}"), ()));
            }
        }
        self.names = units;
    }

    /// Whether there is more than one unit.
    pub fn several(&self) -> bool {
        self.names.len() > 1
    }

    /// The module of a type's functions of a facet.
    pub fn of(&self, id: TypeId, facet: Facet) -> Module {
        let Some(&unit) = self.units.get(id.index()).filter(|_| !self.names.is_empty()) else { return ENTRY };
        if facet == Facet::Main && !self.several() {
            return ENTRY;
        }
        let offset = match facet {
            Facet::Main => 0,
            Facet::Form(form) => form,
            Facet::Views => self.forms.len(),
            Facet::Json => self.forms.len() + 1,
        };
        1 + unit * self.facets + offset
    }

    /// The name of a module.
    pub fn name(&self, module: Module) -> &str {
        &self.made[module]
    }

    /// The types of each unit.
    pub fn units(&self) -> Vec<Vec<TypeId>> {
        let mut found = vec![Vec::new(); self.names.len()];
        for (index, &unit) in self.units.iter().enumerate() {
            found[unit].push(TypeId(index as u32));
        }
        found
    }

    /// The unit of a module; nothing for that of users where there are several.
    pub fn unit(&self, module: Module) -> Option<usize> {
        match module {
            ENTRY => (!self.several()).then_some(0),
            _ => Some((module - 1) / self.facets),
        }
    }

    /// The units whose records functions of `unit` may name, itself among them.
    pub fn reached(&self, schema: &Schema, unit: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([unit]);
        let own = (0..self.units.len()).filter(|&index| self.units[index] == unit);
        let mut seen = BTreeSet::new();
        own.for_each(|index| reach(schema, index, &mut seen));
        found.extend(seen.into_iter().map(|index| self.units[index]));
        found
    }

    /// The name of a unit's header file, without its ending.
    pub fn unit_name(&self, unit: usize) -> &str {
        &self.names[unit]
    }
}

/// The parts of a codec that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub json: bool,
    pub views: bool,
}

impl Parts {
    pub fn of(request: &Request<'_>) -> Self {
        // The testee protocol speaks JSON.
        Self { json: request.testee || !leaves_out(request, "json"), views: !leaves_out(request, "view") }
    }
}

/// The wires of the plans that a language has and a request wants; never without the main one.
pub(crate) fn wanted<'a>(request: &Request<'a>, forms: &[&str]) -> Vec<&'a Plan> {
    let plans = request.plans.iter().filter(|plan| forms.contains(&plan.form.name.as_str()));
    plans
        .enumerate()
        .filter(|(index, plan)| *index == 0 || !leaves_out(request, &plan.form.suffix))
        .map(|(_, plan)| plan)
        .collect()
}

/// The facet of a wire form. Forms of segments have all but what is around a message in common.
pub(crate) fn facet_of(wire: &Wire<'_>, index: usize) -> Facet {
    match (wire.plan.container, index) {
        (Container::Segments(_), _) | (_, 0) => Facet::Main,
        (_, form) => Facet::Form(form),
    }
}

/// Whether `--option without=…` names a part that there is.
pub(crate) fn check_without(parts: &str) -> Result<(), &'static str> {
    match parts.split(',').all(|part| ["json", "view", "final", "packed", "canonical"].contains(&part)) {
        true => Ok(()),
        false => Err("without= takes json, view, final, packed and canonical, with commas between several of these"),
    }
}

/// Whether a request leaves this part out.
pub(crate) fn leaves_out(request: &Request<'_>, part: &str) -> bool {
    let given = request.options.iter().filter(|(name, _)| name == WITHOUT);
    given.flat_map(|(_, parts)| parts.split(',')).any(|left| left == part)
}

/// By type: the message that alone leads to it, or the type itself.
fn owners(schema: &Schema) -> Vec<usize> {
    let mut owners: Vec<Option<usize>> = vec![None; schema.types.len()];
    let messages: BTreeSet<usize> = schema.messages.iter().map(|message| message.record.index()).collect();
    for &message in &messages {
        let mut seen = &messages - &BTreeSet::from([message]);
        reach(schema, message, &mut seen);
        for &index in seen.difference(&messages) {
            // A type that two messages lead to is its own.
            owners[index] = match owners[index] {
                None => Some(message),
                Some(_) => Some(index),
            };
        }
    }
    messages.iter().for_each(|&message| owners[message] = Some(message));
    owners.iter().enumerate().map(|(index, owner)| owner.unwrap_or(index)).collect()
}

/// Adds the types that a type leads to, itself among them.
fn reach(schema: &Schema, index: usize, seen: &mut BTreeSet<usize>) {
    let mut waiting = vec![index];
    while let Some(index) = waiting.pop() {
        if !seen.insert(index) {
            continue;
        }
        leads_to(schema, index, &mut waiting);
    }
}

fn leads_to(schema: &Schema, index: usize, found: &mut Vec<usize>) {
    match &schema.types[index].kind {
        TypeKind::Record(record) => record.fields.iter().for_each(|field| named(&field.ty, found)),
        TypeKind::Union(union) => union.arms.iter().for_each(|arm| named(&arm.field.ty, found)),
        TypeKind::Enum(_) | TypeKind::Flags(_) => {}
    }
}

/// The types that records and unions hold, whether in lists or as they are.
pub(crate) fn held(schema: &Schema) -> BTreeSet<usize> {
    let mut found = Vec::new();
    for index in 0..schema.types.len() {
        leads_to(schema, index, &mut found);
    }
    found.into_iter().collect()
}

fn named(ty: &Type, found: &mut Vec<usize>) {
    match ty {
        Type::Named(id) => found.push(id.index()),
        Type::Optional(inner) | Type::List(inner) | Type::Set(inner) | Type::Array { element: inner, .. } => {
            named(inner, found);
        }
        Type::Map { key, value, .. } => {
            named(key, found);
            named(value, found);
        }
        _ => {}
    }
}

fn size(schema: &Schema, index: usize) -> usize {
    match &schema.types[index].kind {
        TypeKind::Record(record) => record.fields.len(),
        TypeKind::Union(union) => union.arms.len(),
        TypeKind::Enum(_) | TypeKind::Flags(_) => 0,
    }
}
