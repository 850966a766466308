//! The names that display filters go by.

use aldis_emit::names::{package_to_tell, words, Scope};
use aldis_emit::Request;
use aldis_schema::{Schema, TypeDef};

/// The names of all fields of a dissector, each given once.
pub struct Filters<'a> {
    request: &'a Request<'a>,
    /// The protocol's own name, with which every name begins.
    pub protocol: String,
    taken: Scope<()>,
}

impl<'a> Filters<'a> {
    pub fn new(request: &'a Request<'a>, schema: &Schema) -> Self {
        let mut protocol = request.module_name(schema).to_lowercase();
        // Wireshark ends at once where a name has one letter.
        while protocol.len() < 2 {
            protocol.push('_');
        }
        // The names that the engine has for itself.
        let own = ["fault", "head", "frame"].map(|own| format!("{protocol}.{own}"));
        Self { request, taken: Scope::new(own.iter().map(String::as_str), ()), protocol }
    }

    /// The name of a type.
    pub fn of_type(&mut self, schema: &Schema, def: &TypeDef) -> String {
        let path = match self.request.renamed(&def.name.full()) {
            Some(name) => part(name),
            None => {
                let package = package_to_tell(schema, def).into_iter().map(part);
                package.chain(def.name.path.iter().map(|name| part(name))).collect::<Vec<_>>().join(".")
            }
        };
        let prefix = self.request.prefix.as_deref().map(|prefix| format!("{}_", part(prefix))).unwrap_or_default();
        let wanted = format!("{}.{prefix}{path}", self.protocol);
        self.taken.fresh(&wanted, ())
    }

    /// The name of a type's field, arm or bit.
    pub fn of_member(&mut self, def: &TypeDef, within: &str, name: &str) -> String {
        let own = part(&self.request.member_name(def, name));
        self.inner(within, &own)
    }

    /// The name of something in a field.
    pub fn inner(&mut self, within: &str, own: &str) -> String {
        self.taken.fresh(&format!("{within}.{own}"), ())
    }

    /// The name of a number in the messages' heads.
    pub fn of_head(&mut self, name: &str) -> String {
        let within = format!("{}.head", self.protocol);
        self.inner(&within, &part(name))
    }
}

/// A name in small letters, digits and underscores, which is all that display filters take: `maxOrderId` is `max_order_id`, and
/// a letter beyond ASCII is its number.
pub fn part(name: &str) -> String {
    let words: Vec<String> = words(name).iter().map(|word| word.chars().map(letter).collect()).collect();
    if words.is_empty() {
        "unnamed".to_owned()
    } else {
        words.join("_")
    }
}

fn letter(c: char) -> String {
    if c.is_ascii() {
        c.to_string()
    } else {
        format!("u{:x}", u32::from(c))
    }
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn filters_take_small_letters_digits_and_underscores() {
        assert_eq!(part("maxOrderId"), "max_order_id");
        assert_eq!(part("größe"), "gruf6udfe");
        assert_eq!(part("_"), "unnamed");
    }
}
