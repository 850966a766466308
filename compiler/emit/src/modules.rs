//! The modules that a schema's code refers to: a schema that imports another has code that names the other's types.

use crate::names::underscored;
use crate::Request;
use aldis_schema::{digest, Schema, TypeId};

/// A module that types belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name, where none is asked for.
    pub name: String,
    /// Digest of its schema, of the options and of its other names: code goes together with code of a module of the same digest.
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
        for (index, module) in schema.modules.iter().enumerate() {
            let name = underscored(&module.name.to_lowercase());
            let is_new = modules.iter().flatten().all(|known| known.name != name);
            let chosen = options.clone() + &renames(request, schema, index);
            modules.push(is_new.then(|| Module { name, digest: digest(&[&module.hash, &chosen]) }));
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

/// The names that were asked for in the place of a module's own, in an order that does not depend on the request's.
fn renames(request: &Request<'_>, schema: &Schema, module: usize) -> String {
    let is_own = |from: &str| {
        let holds = |full: &str| from.strip_prefix(full).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let owners = schema.types.iter().enumerate().filter(|(_, ty)| holds(&ty.name.full()));
        let innermost = owners.max_by_key(|(_, ty)| ty.name.full().len());
        innermost.is_some_and(|(index, _)| schema.module_of(TypeId(index as u32)) == module)
    };
    let own = request.renames.iter().filter(|(from, _)| is_own(from));
    let mut texts: Vec<String> = own.map(|(from, to)| format!(" {from}={to}")).collect();
    texts.sort();
    texts.concat()
}

#[cfg(test)]
mod tests {
    use super::Modules;
    use crate::Request;
    use aldis_diagnostics::Span;
    use aldis_schema::{Name, Record, Schema, SchemaModule, TypeDef, TypeKind};

    /// A schema with types of the named packages, each a module; the first is the root.
    fn schema(packages: &[&str]) -> Schema {
        let module = |package: &&str| SchemaModule { name: (*package).into(), hash: (*package).into() };
        let kind = || TypeKind::Record(Record::default());
        let ty = |package: &&str| TypeDef {
            name: Name::new(*package, "T"),
            doc: String::new(),
            span: Span::default(),
            deprecated: false,
            kind: kind(),
        };
        Schema {
            modules: packages.iter().map(module).collect(),
            types: packages.iter().map(ty).collect(),
            owners: (0..packages.len() as u32).collect(),
            ..Schema::default()
        }
    }

    fn digest(packages: &[&str], module: &str, renames: &[(&str, &str)]) -> String {
        let request = Request {
            plans: &[],
            name: None,
            prefix: None,
            renames: renames.iter().map(|(from, to)| ((*from).into(), (*to).into())).collect(),
            options: Vec::new(),
            testee: false,
            stem: String::new(),
            runtime: None,
            version: "0",
        };
        Modules::new(&request, &schema(packages)).named(module).unwrap().digest.clone()
    }

    #[test]
    fn a_module_with_other_names_has_another_digest() {
        let (shop, base) = (["shop", "base"], ["base"]);
        let plain = digest(&base, "base", &[]);
        assert_eq!(digest(&shop, "base", &[]), plain);
        // The importing schema's own names are none of its business.
        assert_eq!(digest(&shop, "base", &[("shop.T", "Order")]), plain);
        assert_ne!(digest(&shop, "shop", &[("shop.T", "Order")]), digest(&shop, "shop", &[]));
        let renamed = digest(&base, "base", &[("base.T", "Amount"), ("base.T.x", "units")]);
        assert_ne!(renamed, plain);
        assert_eq!(digest(&shop, "base", &[("base.T.x", "units"), ("base.T", "Amount")]), renamed);
        assert_ne!(digest(&shop, "base", &[("base.T", "Sum")]), digest(&base, "base", &[("base.T", "Amount")]));
    }
}
