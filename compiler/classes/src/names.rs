//! Schema names in a language: classes, fields, constants of enums.

use aldis_emit::names::{capital, identifier, pascal, Scope};
use aldis_emit::{Modules, Request};
use aldis_schema::{named_types, Arm, Schema, TypeDef, TypeId, TypeKind};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// All names of one schema.
pub struct Names {
    /// The package or name space.
    pub package: String,
    /// The class of the schema as a whole.
    pub schema: String,
    /// The class of its requests.
    pub requests: String,
    /// The digest that code which refers to this code knows it by.
    pub digest: String,
    words: &'static Words,
    /// The packages of imported schemas.
    imported: Vec<Imported>,
    /// By type: the package that it is imported from, and the others whose types it names.
    owners: Vec<Option<usize>>,
    links: Vec<Vec<usize>>,
    types: Vec<String>,
    fields: Vec<Vec<String>>,
    /// By message and suffix of a form: the class of its views.
    views: HashMap<(TypeId, String), String>,
    /// By record and suffix of a form: the class of its drafts.
    drafts: HashMap<(TypeId, String), String>,
    /// In lower case, as files are not told apart by case everywhere.
    classes: Scope<()>,
}

/// The package of an imported schema.
pub struct Imported {
    pub package: String,
    /// The class of the schema as a whole.
    pub schema: String,
    pub digest: String,
    classes: Scope<()>,
}

/// The words of a language, and how it spells names.
pub struct Words {
    /// Words that types need another name for, besides those whose letters differ in case alone.
    pub types: &'static str,
    /// The same of fields and variables.
    pub fields: &'static str,
    /// Each word of `fields`.
    pub known: LazyLock<HashSet<&'static str>>,
    /// The ends of names of classes that are made beside those of types, in small letters.
    pub ends: &'static [&'static str],
    /// The package or name space of a schema, by the name of its file.
    pub package: fn(&str) -> String,
    /// In front of a package that nothing may hide.
    pub global: &'static str,
    /// The option that names it.
    pub option: &'static str,
    /// A type's name, by the path that it has in the schema.
    pub class: fn(&[String]) -> String,
    /// The name of what holds a field's value.
    pub field: fn(&str) -> String,
    /// The beginning of such names that stand for bits which say what is absent.
    pub absent: &'static str,
}

impl Words {
    /// The options for the code of another module: its package is in the same one as this; without a module the parent is named.
    pub fn beside(&self, options: &[(String, String)], module: Option<&str>) -> Vec<(String, String)> {
        let other = |(name, value): &(String, String)| match value.rsplit_once('.') {
            _ if name != self.option => Some((name.clone(), value.clone())),
            Some((parent, _)) => {
                let own = module.map(|module| format!(".{}", (self.package)(module)));
                Some((name.clone(), format!("{parent}{}", own.unwrap_or_default())))
            }
            None => None,
        };
        options.iter().filter_map(other).collect()
    }

    /// The package of a module, by options that are its own.
    fn package_of(&self, options: &[(String, String)], module: &str) -> String {
        let given = options.iter().rev().find(|(name, _)| name == self.option);
        given.map_or_else(|| (self.package)(module), |(_, value)| value.clone())
    }

    fn taken(&self) -> Scope<()> {
        let taken: Vec<String> = self.types.split(' ').map(str::to_lowercase).collect();
        Scope::new(taken.iter().map(String::as_str), ())
    }
}

impl Names {
    pub fn new(request: &Request<'_>, schema: &Schema, words: &'static Words) -> Self {
        let stem = request.module_name(schema);
        // Code goes together with that of the same parent.
        let beside = Request { options: words.beside(&request.options, None), ..request.clone() };
        let modules = Modules::new(&beside, schema);
        let mut names = Self {
            package: words.package_of(&request.options, &stem),
            schema: String::new(),
            requests: String::new(),
            digest: modules.root().map(|root| root.digest.clone()).unwrap_or_default(),
            words,
            imported: Vec::new(),
            owners: Vec::new(),
            links: Vec::new(),
            types: Vec::new(),
            fields: Vec::new(),
            views: HashMap::new(),
            drafts: HashMap::new(),
            classes: words.taken(),
        };
        names.types(request, schema, &modules);
        // Classes of the whole schema give way to types.
        names.schema = names.class(None, &format!("{}Schema", pascal(&stem)));
        names.requests = names.class(None, &format!("{}Requests", pascal(&stem)));
        names.views(request, schema);
        names.drafts(request, schema);
        let named = named_types(schema);
        for (index, def) in schema.types.iter().enumerate() {
            let owners = named[index].iter().map(|of| names.owners[*of]);
            let mut links: Vec<Option<usize>> = owners.filter(|owner| *owner != names.owners[index]).collect();
            links.sort_unstable();
            links.dedup();
            let fields = names.members(request, def, TypeId(index as u32), &links);
            names.fields.push(fields);
            names.links.push(links.into_iter().flatten().collect());
        }
        names
    }

    /// The classes of all types, each package's as it calls them itself.
    fn types(&mut self, request: &Request<'_>, schema: &Schema, modules: &Modules) {
        let mut known: Vec<&str> = Vec::new();
        for (index, def) in schema.types.iter().enumerate() {
            let owner = modules.of(TypeId(index as u32)).map(|module| {
                let owner = known.iter().position(|known| *known == module.name).unwrap_or(known.len());
                if owner == known.len() {
                    known.push(&module.name);
                    let options = self.words.beside(&request.options, Some(&module.name));
                    let package = self.words.package_of(&options, &module.name);
                    let (schema, digest, classes) = (String::new(), module.digest.clone(), self.words.taken());
                    self.imported.push(Imported { package, schema, digest, classes });
                }
                owner
            });
            let own = (self.words.class)(&def.name.path);
            let wanted = match owner {
                Some(_) => request.own_type_name(def, own),
                None => request.type_name(schema, def, own),
            };
            let name = self.class(owner, &wanted);
            self.types.push(name);
            self.owners.push(owner);
        }
        for (owner, module) in known.into_iter().enumerate() {
            self.imported[owner].schema = self.class(Some(owner), &format!("{}Schema", pascal(module)));
            self.class(Some(owner), &format!("{}Requests", pascal(module)));
        }
    }

    fn views(&mut self, request: &Request<'_>, schema: &Schema) {
        for message in &schema.messages {
            for plan in request.plans {
                let suffix = plan.form.suffix.clone();
                let wanted = format!("{}View{}", self.simple(message.record), capital(&suffix));
                let class = self.class(self.owners[message.record.index()], &wanted);
                self.views.insert((message.record, suffix), class);
            }
        }
    }

    /// Drafts of other packages' records are of this package too, as these may lie elsewhere in messages of it.
    fn drafts(&mut self, request: &Request<'_>, schema: &Schema) {
        let is_record = |id: &TypeId| matches!(schema.type_def(*id).kind, TypeKind::Record(_));
        for id in (0..schema.types.len()).map(|index| TypeId(index as u32)).filter(is_record) {
            for plan in request.plans {
                let suffix = plan.form.suffix.clone();
                let wanted = format!("{}Draft{}", self.simple(id), capital(&suffix));
                let class = self.class(None, &wanted);
                self.drafts.insert((id, suffix), class);
            }
        }
    }

    /// The fields of a record, the classes of a union's arms; a variable hides a package that its name begins.
    fn members(&self, request: &Request<'_>, def: &TypeDef, id: TypeId, links: &[Option<usize>]) -> Vec<String> {
        let words = self.words;
        match &def.kind {
            TypeKind::Record(record) => {
                let packages = links.iter().map(|owner| self.first_part(*owner));
                let mut members = Scope::new(words.fields.split(' ').chain(packages), ());
                let spelt = |own: String| if own.is_empty() { "union".to_owned() } else { own };
                let own = record.fields.iter().map(|field| {
                    let wanted = (words.field)(&spelt(request.member_name(def, &field.name)));
                    fresh(&mut members, &wanted, words)
                });
                own.collect()
            }
            TypeKind::Union(union) => {
                let own = self.simple(id).to_lowercase();
                let mut arms = words.taken();
                for taken in [own.as_str(), "unknown", "choice"] {
                    // It is taken, whoever has it.
                    let _ = arms.claim(taken, ());
                }
                let name = |arm: &Arm| {
                    let own = request.member_name(def, &arm.field.name);
                    class_in(&mut arms, &(words.class)(&[own]), words)
                };
                union.arms.iter().map(name).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A class of a package, called so if nothing else is; of an imported one with the package in front.
    fn class(&mut self, owner: Option<usize>, wanted: &str) -> String {
        match owner {
            None => class_in(&mut self.classes, wanted, self.words),
            Some(owner) => {
                let Imported { package, classes, .. } = &mut self.imported[owner];
                format!("{}{package}.{}", self.words.global, class_in(classes, wanted, self.words))
            }
        }
    }

    /// The first part of a package's name.
    fn first_part(&self, owner: Option<usize>) -> &str {
        let package = owner.map_or(&self.package, |owner| &self.imported[owner].package);
        package.split('.').next().unwrap_or_default()
    }

    /// The first parts of the names of imported packages.
    pub fn packages(&self) -> impl Iterator<Item = &str> {
        (0..self.imported.len()).map(|owner| self.first_part(Some(owner)))
    }

    /// Whether the code of a type is of this package.
    pub fn is_own(&self, id: TypeId) -> bool {
        self.owners[id.index()].is_none()
    }

    /// The imported packages whose types a type names.
    pub fn links(&self, id: TypeId) -> impl Iterator<Item = &Imported> {
        self.links[id.index()].iter().map(|owner| &self.imported[*owner])
    }

    /// The word for what code of other packages calls, where there can be such code, or else the word for what is this package's own.
    pub fn access(&self, shared: &'static str, own: &'static str) -> &'static str {
        if self.digest.is_empty() {
            own
        } else {
            shared
        }
    }

    /// The class of views of a message in the form with that suffix.
    pub fn view(&self, message: TypeId, suffix: &str) -> &str {
        self.views.get(&(message, suffix.to_owned())).map_or("", String::as_str)
    }

    /// The class of drafts of a record in the form with that suffix.
    pub fn draft(&self, record: TypeId, suffix: &str) -> &str {
        self.drafts.get(&(record, suffix.to_owned())).map_or("", String::as_str)
    }

    /// The class of a type, with the package in front where that is another one.
    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    /// The class without its package.
    pub fn simple(&self, id: TypeId) -> &str {
        self.of(id).rsplit('.').next().unwrap_or_default()
    }

    /// Its fields; of a union the classes of its arms.
    pub fn fields(&self, id: TypeId) -> &[String] {
        &self.fields[id.index()]
    }
}

/// The name of a class in a scope of names in lower case.
fn class_in(scope: &mut Scope<()>, wanted: &str, words: &Words) -> String {
    let mut wanted = identifier(wanted);
    // The codecs of each type are in a class beside it, which no type is called like.
    let small = wanted.to_lowercase();
    let is_codec = words.ends.iter().any(|end| small.ends_with(end));
    if is_codec || words.types.split(' ').any(|word| word.eq_ignore_ascii_case(&wanted)) {
        wanted.push('_');
    }
    let found = scope.fresh(&wanted.to_lowercase(), ());
    let suffix: String = found.chars().skip(wanted.chars().count()).collect();
    wanted + &suffix
}

/// A name in a scope; words get an underscore.
pub fn fresh(scope: &mut Scope<()>, wanted: &str, words: &Words) -> String {
    let wanted = identifier(wanted);
    let is_bits = |rest: &str| rest.chars().all(|c| c.is_ascii_digit());
    let is_word = words.known.contains(wanted.as_str()) || wanted.strip_prefix(words.absent).is_some_and(is_bits);
    scope.fresh(&if is_word { format!("{wanted}_") } else { wanted }, ())
}

/// The name with its first letter in lower case.
pub fn small(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
