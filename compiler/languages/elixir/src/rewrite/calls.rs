//! Names of functions, structs and modules in the place of Erlang's.

use crate::print::BOUND;
use crate::reserved::KERNEL;
use aldis_emit::names::snake;
use aldis_erlang::code::Expr;
use std::collections::{BTreeMap, BTreeSet};

/// A record as it is in Elixir.
#[derive(Clone, Debug, Default)]
pub(crate) struct Struct {
    pub module: String,
    /// The key of each field, by the field's name in Erlang.
    pub keys: BTreeMap<String, String>,
}

/// The names of the functions, records and helpers of one codec.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub structs: BTreeMap<String, Struct>,
    /// The module of each record, also of those that are no structs.
    pub modules: BTreeMap<String, String>,
    /// Macros that are functions here: what the function is called among those of Erlang.
    pub macros: BTreeMap<String, String>,
    /// The codec's module as functions name it that are given to the runtime, in Erlang and here.
    pub codec: (String, String),
    /// The functions of the codec by their name in Erlang.
    functions: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

/// Functions of the runtime that give or take null, which is `nil` here, with what they are called in `aldis_nil`.
const OF_NULL: [(&str, &str, &str); 16] = [
    ("aldis_direct", "byte_lists", "direct_byte_lists"),
    ("aldis_direct", "byte_lists_words", "direct_byte_lists_words"),
    ("aldis_direct", "bytes", "direct_bytes"),
    ("aldis_direct", "put_byte_lists", "direct_put_byte_lists"),
    ("aldis_direct", "put_texts", "direct_put_texts"),
    ("aldis_direct", "text", "direct_text"),
    ("aldis_direct", "texts", "direct_texts"),
    ("aldis_direct", "texts_words", "direct_texts_words"),
    ("aldis_float", "optional", "optional"),
    ("aldis_object", "put", "put"),
    ("aldis_pointer", "bytes", "bytes"),
    ("aldis_pointer", "opaque", "opaque"),
    ("aldis_pointer", "text", "text"),
    ("aldis_pointer", "utf8", "utf8"),
    ("aldis_pointer", "voids", "voids"),
    ("aldis_words", "voids", "voids"),
];

/// As [`OF_NULL`], for the functions of these arities alone.
const OF_NULL_WITH_ARITY: [(&str, &str, usize); 5] = [
    ("aldis_message", "encode", 3),
    ("aldis_message", "encode_as", 2),
    ("aldis_message", "view", 3),
    ("aldis_words", "bytes", 4),
    ("aldis_words", "text", 4),
];

/// Functions that Erlang has without a module and Elixir by the same name.
const SHARED: [&str; 20] = [
    "abs",
    "bit_size",
    "byte_size",
    "elem",
    "hd",
    "is_atom",
    "is_binary",
    "is_boolean",
    "is_float",
    "is_integer",
    "is_list",
    "is_map",
    "is_map_key",
    "is_nil",
    "is_tuple",
    "length",
    "map_size",
    "max",
    "min",
    "tl",
];

/// Functions that Erlang has without a module, and which Elixir's compiler puts in the place of its own.
const RENAMED: [(&str, &str, &str); 4] = [
    ("integer_to_binary", "Elixir.Integer", "to_string"),
    ("iolist_size", "Elixir.IO", "iodata_length"),
    ("iolist_to_binary", "Elixir.IO", "iodata_to_binary"),
    ("list_to_tuple", "Elixir.List", "to_tuple"),
];

impl Calls {
    pub fn new(structs: BTreeMap<String, Struct>, modules: BTreeMap<String, String>) -> Self {
        Self { structs, modules, ..Self::default() }
    }

    /// Names a function of the codec.
    pub fn declare(&mut self, name: &str) {
        if self.functions.contains_key(name) {
            return;
        }
        let wanted = function_name(name);
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let mut names = std::iter::once(wanted.clone()).chain(numbered);
        let chosen = names.find(|name| !self.taken.contains(name)).unwrap_or(wanted);
        self.taken.insert(chosen.clone());
        self.functions.insert(name.to_owned(), chosen);
    }

    /// Declares a function by a name that none has yet, and gives that name.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let name = names.find(|name| !self.functions.contains_key(name)).unwrap_or_default();
        self.declare(&name);
        name
    }

    /// The name of a function of the codec.
    pub fn function(&self, name: &str) -> String {
        self.functions.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// Puts Elixir's names into an expression and all below it.
    pub fn translate(&self, expr: &mut Expr) {
        if let Expr::Macro(name, args) = expr {
            if let Some(function) = self.macros.get(name.as_str()) {
                *expr = Expr::Call(None, function.clone(), std::mem::take(args));
            }
        }
        match expr {
            Expr::Call(module, name, args) => {
                if module.is_none() {
                    rearrange(name, args);
                }
                self.called(module, name, args.len());
            }
            Expr::FunctionName(module, name, arity) => self.called(module, name, *arity),
            Expr::Record(name, fields) => {
                if let Some(found) = self.structs.get(name.as_str()) {
                    for (field, _) in fields {
                        if let Some(key) = found.keys.get(field.as_str()) {
                            key.clone_into(field);
                        }
                    }
                    found.module.clone_into(name);
                }
            }
            Expr::Key(name, field) => {
                let key = self.structs.get(name.as_str()).and_then(|found| found.keys.get(field.as_str()));
                *expr = Expr::Atom(key.unwrap_or(field).clone());
            }
            _ => {}
        }
        if let Some(other) = repeated(expr).or_else(|| nullable_guard(expr)) {
            *expr = other;
        }
        if let Some(other) = wide_guard(expr) {
            *expr = other;
        }
        expr.below_mut(&mut |inner| self.translate(inner));
    }

    fn called(&self, module: &mut Option<String>, name: &mut String, arity: usize) {
        match module {
            Some(owner) if *owner == self.codec.0 => {
                self.codec.1.clone_into(owner);
                *name = self.function(name);
            }
            Some(owner) => {
                if OF_NULL_WITH_ARITY.contains(&(owner.as_str(), name.as_str(), arity)) {
                    "aldis_nil".clone_into(owner);
                } else if let Some((.., other)) = OF_NULL.iter().find(|(of, own, _)| of == owner && own == name) {
                    "aldis_nil".clone_into(owner);
                    (*other).clone_into(name);
                }
            }
            None => match self.functions.get(name.as_str()) {
                Some(found) => found.clone_into(name),
                None if SHARED.contains(&name.as_str()) => {}
                None => match RENAMED.iter().find(|(erlang, ..)| erlang == name) {
                    Some((_, owner, other)) => {
                        *module = Some((*owner).to_owned());
                        (*other).clone_into(name);
                    }
                    None => *module = Some("erlang".to_owned()),
                },
            },
        }
    }
}

/// Elixir asks the container first, and counts elements from zero.
fn rearrange(name: &mut String, args: &mut [Expr]) {
    match (name.as_str(), &mut *args) {
        ("is_map_key", args) => args.reverse(),
        ("element", [Expr::Number(index), _]) => {
            let Some(before) = index.parse::<usize>().ok().and_then(|index| index.checked_sub(1)) else { return };
            *index = before.to_string();
            args.reverse();
            "elem".clone_into(name);
        }
        _ => {}
    }
}

/// `?WITHIN_OR_NULL(V, Min, Max)` as `is_nil(v) or v in min..max`.
fn nullable_guard(expr: &Expr) -> Option<Expr> {
    let Expr::Macro(name, args) = expr else { return None };
    let (plain, value) = (name.strip_suffix("_OR_NULL")?, args.first()?);
    let null = Expr::Call(None, "is_nil".to_owned(), vec![value.clone()]);
    let within = Expr::Macro(plain.to_owned(), args.clone());
    Some(Expr::Binop("orelse", Box::new(null), Box::new(within)))
}

/// The bounds that guards of 64 bits have names for.
pub(crate) const WIDE: [(&str, &str, &str); 2] =
    [("is_int64", "-9223372036854775808", "9223372036854775807"), ("is_uint64", "0", "18446744073709551615")];

/// `?WITHIN_WIDE(V, Min, Max)` as `is_int64(v)` where these are the bounds.
fn wide_guard(expr: &Expr) -> Option<Expr> {
    let Expr::Macro(name, args) = expr else { return None };
    let [value, Expr::Number(min), Expr::Number(max)] = args.as_slice() else { return None };
    let (named, ..) = WIDE.iter().find(|(_, low, high)| name == "WITHIN_WIDE" && low == min && high == max)?;
    Some(Expr::Macro((*named).to_owned(), vec![value.clone()]))
}

/// A long list of one number, as the defaults of arrays are.
fn repeated(list: &Expr) -> Option<Expr> {
    let Expr::List(items, None) = list else { return None };
    let first = items.first().filter(|first| matches!(first, Expr::Number(_)))?;
    let all = items.len() > 16 && items.iter().all(|item| item == first);
    let count = Expr::Number(items.len().to_string());
    all.then(|| Expr::Call(Some("Elixir.List".to_owned()), "duplicate".to_owned(), vec![first.clone(), count]))
}

/// `write_OrderBook_run` as `write_order_book_run`, apart from what Elixir has itself.
fn function_name(name: &str) -> String {
    let plain = snake(name);
    let plain = if plain.starts_with(|c: char| c.is_ascii_lowercase()) { plain } else { format!("f_{plain}") };
    if KERNEL.contains(&plain.as_str()) || plain == BOUND {
        format!("{plain}_")
    } else {
        plain
    }
}
