//! Names: case styles, and who claimed which name in a scope.

use aldis_schema::{Schema, TypeDef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The words of a name: `maxOrderID`, `max_order_id` and `MAX-ORDER-ID` all have three.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    let chars: Vec<char> = name.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            fresh = true;
            continue;
        }
        let before = i.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(i + 1);
        let hump = c.is_uppercase()
            && before.is_some_and(|b| b.is_lowercase() || b.is_numeric() || after.is_some_and(|a| a.is_lowercase()));
        match words.last_mut() {
            Some(word) if !fresh && !hump => word.extend(c.to_lowercase()),
            _ => words.push(c.to_lowercase().collect()),
        }
        fresh = false;
    }
    words
}

/// `MaxOrderId`
pub fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capital(word)).collect()
}

/// `maxOrderId`
pub fn camel(name: &str) -> String {
    let mut words = words(name).into_iter();
    let first = words.next().unwrap_or_default();
    words.fold(first, |name, word| name + &capital(&word))
}

/// `max_order_id`
pub fn snake(name: &str) -> String {
    words(name).join("_")
}

/// `MAX_ORDER_ID`
pub fn upper_snake(name: &str) -> String {
    snake(name).to_uppercase()
}

/// The name with its first letter in upper case and the rest as it is.
pub fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The package of an imported type whose path another type of the schema has too: its name needs the package in front.
pub fn package_to_tell<'s>(schema: &'s Schema, def: &'s TypeDef) -> Option<&'s str> {
    // All types are asked for the imported ones alone.
    let is_shared = || schema.types.iter().any(|other| other.name.path == def.name.path && other.name != def.name);
    (def.name.package != schema.package && is_shared()).then_some(def.name.package.as_str())
}

/// A type's name `own`, with its package in front where [`package_to_tell`] says so: `common_Order`.
pub fn with_package(schema: &Schema, def: &TypeDef, own: String) -> String {
    match package_to_tell(schema, def) {
        Some(package) => format!("{}_{own}", package.replace('.', "_")),
        None => own,
    }
}

/// The text with an underscore for each character that is no ASCII letter, digit or underscore.
pub fn underscored(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The name with underscores in the place of what identifiers do not take.
pub fn identifier(name: &str) -> String {
    let clean = underscored(name);
    if clean.is_empty() || clean.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{clean}")
    } else {
        clean
    }
}

/// The names of one scope, each with whom it belongs to. Every decision depends on the order of the calls alone, so
/// the same schema always gets the same names.
#[derive(Clone, Debug, Default)]
pub struct Scope<Owner> {
    /// A scope whose names are taken here, too.
    outer: Option<Arc<Scope<Owner>>>,
    /// By name: whom it belongs to, and the last number behind it that [`Scope::fresh`] gave, below which none is free.
    taken: BTreeMap<String, (Owner, u32)>,
}

impl<Owner: Clone> Scope<Owner> {
    /// A scope in which `reserved` (keywords, and names that the generated code needs) belong to `owner`.
    pub fn new<'a>(reserved: impl IntoIterator<Item = &'a str>, owner: Owner) -> Self {
        // Without `collect`, which makes code of a sort for each kind of iterator.
        let mut taken = BTreeMap::new();
        for name in reserved {
            taken.insert(name.to_owned(), (owner.clone(), 1));
        }
        Self { outer: None, taken }
    }

    /// A scope in which all names of `outer` are taken, without a copy of them.
    pub fn within(outer: &Arc<Self>) -> Self {
        Self { outer: Some(Arc::clone(outer)), taken: BTreeMap::new() }
    }

    /// Takes exactly this name.
    ///
    /// # Errors
    /// The owner of the name, when somebody has it.
    pub fn claim(&mut self, name: &str, owner: Owner) -> Result<(), Owner> {
        match self.owner(name) {
            Some(owner) => Err(owner.clone()),
            None => {
                self.taken.insert(name.to_owned(), (owner, 1));
                Ok(())
            }
        }
    }

    /// Takes `wanted` or, when somebody has it, the first free of `wanted_2`, `wanted_3` and so on.
    pub fn fresh(&mut self, wanted: &str, owner: Owner) -> String {
        let mut name = wanted.to_owned();
        if let Some((known, mut number)) = self.known(wanted).cloned() {
            while self.known(&name).is_some() {
                number += 1;
                name = format!("{wanted}_{number}");
            }
            self.taken.insert(wanted.to_owned(), (known, number));
        }
        self.taken.insert(name.clone(), (owner, 1));
        name
    }

    /// The owner of a name.
    pub fn owner(&self, name: &str) -> Option<&Owner> {
        self.known(name).map(|(owner, _)| owner)
    }

    fn known(&self, name: &str) -> Option<&(Owner, u32)> {
        self.taken.get(name).or_else(|| self.outer.as_ref()?.known(name))
    }
}
