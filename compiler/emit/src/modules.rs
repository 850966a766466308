//! The modules that a schema's code refers to: a schema that imports another has code that names the other's types.

use crate::names::underscored;
use crate::Request;
use aldis_schema::{digest, Schema, TypeId};

/// A module that types belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name, where none is asked for.
    pub name: String,
    /// Digest of its schema and of the options: code goes together with code of a module of the same digest.
    pub digest: String,
}

/// The modules of a schema, as code that refers to them needs them.
#[derive(Clone, Debug)]
pub struct Modules {
    /// The root first. Those that cannot be told from another by their names are `None`, and their types the root's.
    modules: Vec<Option<Module>>,
    owners: Vec<u32>,
}

impl Modules {
    pub fn new(request: &Request<'_>, schema: &Schema) -> Self {
        let mut options: Vec<String> = request.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        options.sort();
        options.extend(request.prefix.clone());
        let options = options.join(" ");
        let mut modules: Vec<Option<Module>> = Vec::new();
        for module in &schema.modules {
            let name = underscored(&module.name.to_lowercase());
            let is_new = modules.iter().flatten().all(|known| known.name != name);
            modules.push(is_new.then(|| Module { name, digest: digest(&[&module.hash, &options]) }));
        }
        Self { modules, owners: schema.owners.clone() }
    }

    /// The root's own, where other schemas can refer to it.
    pub fn root(&self) -> Option<&Module> {
        self.modules.first()?.as_ref()
    }

    /// The module of that name.
    pub fn named(&self, name: &str) -> Option<&Module> {
        self.modules.iter().flatten().find(|module| module.name == name)
    }

    /// The module that a type is imported from; `None` where it is the root's own.
    pub fn of(&self, id: TypeId) -> Option<&Module> {
        match self.owners.get(id.index()) {
            None | Some(0) => None,
            Some(module) => self.modules[*module as usize].as_ref(),
        }
    }
}
