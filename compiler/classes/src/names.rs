//! Schema names in a language: classes, fields, constants of enums.

use aldis_emit::names::{capital, pascal, underscored, Scope};
use aldis_emit::Request;
use aldis_schema::{Arm, Schema, TypeId, TypeKind};

/// All names of one schema.
pub struct Names {
    /// The package or name space.
    pub package: String,
    /// The class of the schema as a whole.
    pub schema: String,
    /// The class of its requests.
    pub requests: String,
    words: &'static Words,
    types: Vec<String>,
    fields: Vec<Vec<String>>,
    /// By message and suffix of a form: the class of its views.
    views: Vec<(TypeId, String, String)>,
    /// In lower case, as files are not told apart by case everywhere.
    classes: Scope<()>,
}

/// The words of a language, and how it spells names.
pub struct Words {
    /// Words that types need another name for, besides those whose letters differ in case alone.
    pub types: &'static str,
    /// The same of fields and variables.
    pub fields: &'static str,
    /// The ends of names of classes that are made beside those of types, in small letters.
    pub ends: &'static [&'static str],
    /// The package or name space of a schema, by the name of its file.
    pub package: fn(&str) -> String,
    /// The option that names it.
    pub option: &'static str,
    /// A type's name, by the path that it has in the schema.
    pub class: fn(&[String]) -> String,
    /// The name of what holds a field's value.
    pub field: fn(&str) -> String,
    /// The beginning of such names that stand for bits which say what is absent.
    pub absent: &'static str,
}

impl Names {
    pub fn new(request: &Request<'_>, schema: &Schema, words: &'static Words) -> Self {
        let stem = request.module_name(schema);
        let package = request.option(words.option).map_or_else(|| (words.package)(&stem), str::to_owned);
        let taken: Vec<String> = words.types.split(' ').map(str::to_lowercase).collect();
        let mut names = Self {
            words,
            package,
            schema: String::new(),
            requests: String::new(),
            types: Vec::new(),
            fields: Vec::new(),
            views: Vec::new(),
            classes: Scope::new(taken.iter().map(String::as_str), ()),
        };
        for def in &schema.types {
            let own = (words.class)(&def.name.path);
            let name = names.class(&request.type_name(schema, def, own));
            names.types.push(name);
        }
        // Classes of the whole schema give way to types.
        let schema_name = format!("{}Schema", pascal(&stem));
        names.schema = names.class(&schema_name);
        names.requests = names.class(&format!("{}Requests", pascal(&stem)));
        for (message, plan) in
            schema.messages.iter().flat_map(|message| request.plans.iter().map(move |plan| (message, plan)))
        {
            let suffix = plan.form.suffix.clone();
            let class = names.class(&format!("{}View{}", names.of(message.record), capital(&suffix)));
            names.views.push((message.record, suffix, class));
        }
        for def in &schema.types {
            let mut members = Scope::new(words.fields.split(' '), ());
            let own = match &def.kind {
                TypeKind::Record(record) => record.fields.as_slice(),
                TypeKind::Union(union) => {
                    let own = names.of(TypeId(names.fields.len() as u32)).to_lowercase();
                    let taken = taken.iter().map(String::as_str).chain([own.as_str(), "unknown", "choice"]);
                    let mut arms = Scope::new(taken, ());
                    let name = |arm: &Arm| {
                        let own = request.member_name(def, &arm.field.name);
                        class_in(&mut arms, &(words.class)(&[own]), words)
                    };
                    names.fields.push(union.arms.iter().map(name).collect());
                    continue;
                }
                _ => &[],
            };
            let spelt = |own: String| if own.is_empty() { "union".to_owned() } else { own };
            let own = own.iter().map(|field| {
                let wanted = (words.field)(&spelt(request.member_name(def, &field.name)));
                fresh(&mut members, &wanted, words)
            });
            names.fields.push(own.collect());
        }
        names
    }

    /// A class of its own file, called so if nothing else is.
    pub fn class(&mut self, wanted: &str) -> String {
        class_in(&mut self.classes, wanted, self.words)
    }

    /// The class of views of a message in the form with that suffix.
    pub fn view(&self, message: TypeId, suffix: &str) -> &str {
        let known = self.views.iter().find(|(id, form, _)| (*id, form.as_str()) == (message, suffix));
        known.map_or("", |(_, _, class)| class)
    }

    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
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
    let is_word =
        words.fields.split(' ').any(|word| word == wanted) || wanted.strip_prefix(words.absent).is_some_and(is_bits);
    scope.fresh(&if is_word { format!("{wanted}_") } else { wanted }, ())
}

/// The name with its first letter in lower case.
pub fn small(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The name with what identifiers do not take as underscores.
pub fn identifier(name: &str) -> String {
    let clean = underscored(name);
    if clean.starts_with(|c: char| c.is_ascii_digit()) || clean.is_empty() {
        format!("_{clean}")
    } else {
        clean
    }
}
