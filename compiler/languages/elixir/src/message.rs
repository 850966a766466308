//! The functions of a message: they call those of the codec.

use crate::docs::{doc, words};
use crate::functions::Functions;
use crate::modules::Modules;
use crate::print::{atom, line, WIDTH};
use crate::types::field_specs;
use aldis_erlang::Codec;
use aldis_schema::TypeId;

/// The result of every function when something is wrong.
pub(crate) const FAULT: &str = "{:error, :aldis.reason()}";

/// The further argument of functions that read.
pub(crate) const OPTIONS: &str = "copy: boolean(), limits: :aldis.limits()";

/// The documentation of options, behind that of the function which has none.
pub(crate) const ABOUT_OPTIONS: &str = "`copy: true` copies parts of `binary`, `limits` says how much may be visited.";

/// Everything that can be done with a message.
pub(crate) fn functions(codec: &Codec<'_>, modules: &Modules, functions: &Functions, id: TypeId) -> String {
    let record = codec.types[id.index()].record.as_str();
    let call = |name: String, args: &str| format!("{}.{}({args})", modules.codec, functions.public(&name));
    let mut out = String::new();
    for (plan, suffix) in codec.plans.iter().zip(&codec.suffixes) {
        if plan.messages.iter().any(|message| message.record == id) {
            out.push_str(&of_form(record, &plan.form.name, suffix, &call));
        }
    }
    let json = [
        Public::new("to_json", "value", "t()", "String.t()", "The message as JSON."),
        Public::new("from_json", "json", "iodata()", "t()", "The message of a JSON text."),
    ];
    let has_json = codec.exports.contains(&format!("to_json_{record}"));
    for public in json.iter().filter(|_| has_json) {
        out.push_str(&public.text(&call(format!("{}_{record}", public.name), public.arg)));
        out.push_str(&public.raising());
    }
    let open = [
        Public::new("decode_as", "value", ":aldis.any_pointer()", "t()", "The value of a field of open type."),
        Public::new("encode_as", "value", "t()", ":aldis.any_pointer()", "The value for a field of open type."),
    ];
    for public in &open {
        let name = format!("{}_{record}", public.name);
        if codec.exports.contains(&name) {
            out.push_str(&public.text(&call(name, public.arg)));
        }
    }
    let name = format!("decode_as_{record}");
    if codec.exports.contains(&name) {
        out.push_str(&open[0].under_options(&call(name, "value, Map.new(options)")));
    }
    out.push_str(&format_error(&call(String::from("format_error"), &format!("reason, {}, given", atom(record)))));
    if codec.exports.contains(&format!("{record}_get")) {
        out.push_str(&views(codec, modules, functions, id));
    }
    out
}

/// `format_error/1` and `format_error/2`.
fn format_error(body: &str) -> String {
    let about = [
        "A reason in words, with the value that is at fault and what its field takes.",
        "",
        "`given` is what the function was given that gave the reason: a struct, JSON or bytes.",
    ];
    let doc = doc(&about.join("\n"));
    let spec = "  @spec format_error(:aldis.reason(), t() | iodata() | :none) :: String.t()\n";
    format!("\n{doc}{spec}{}", definition("format_error(reason, given \\\\ :none)", body))
}

/// The functions for one wire form.
fn of_form(record: &str, form: &str, suffix: &str, call: &impl Fn(String, &str) -> String) -> String {
    let named = if suffix.is_empty() { String::new() } else { format!(" in the form `{form}`") };
    let encode = format!("encode{suffix}");
    let decode = format!("decode{suffix}");
    let encoded = format!("The bytes of a message{named}.");
    let decoded = format!("The message that `binary` begins with{named}, and what follows it.");
    let iodata = Public::new(
        &format!("{encode}_to_iodata"),
        "value",
        "t()",
        "iodata()",
        &format!("As `{encode}/1`, with fewer copies of large messages."),
    );
    let encode = Public::new(&encode, "value", "t()", "binary()", &encoded);
    let mut decode = Public::new(&decode, "binary", "binary()", "t()", &decoded);
    decode.gives.rest = true;
    let mut out = encode.text(&call(format!("encode_{record}{suffix}"), "value"));
    out.push_str(&encode.raising());
    out.push_str(&iodata.text(&call(format!("encode_{record}{suffix}_iolist"), "value")));
    out.push_str(&decode.text(&call(format!("decode_{record}{suffix}"), "binary")));
    out.push_str(&decode.under_options(&call(format!("decode_{record}{suffix}"), "binary, Map.new(options)")));
    out.push_str(&decode.raising());
    out
}

/// The result of a function when all is well: `{:ok, a | b}`, or `{:ok, a | b, rest :: binary()}`.
pub(crate) struct Gives {
    /// Types, of which the value has one.
    pub value: Vec<String>,
    /// Whether what follows the message's bytes is given, too.
    pub rest: bool,
}

impl Gives {
    pub fn one(ty: &str) -> Self {
        Self { value: vec![ty.to_owned()], rest: false }
    }

    fn text(&self, between: &str) -> String {
        format!("{}{}}}", self.value.join(between), if self.rest { ", rest :: binary()" } else { "" })
    }
}

/// A function of one argument that calls one of the codec.
struct Public {
    name: String,
    arg: &'static str,
    takes: &'static str,
    gives: Gives,
    doc: String,
}

impl Public {
    fn new(name: &str, arg: &'static str, takes: &'static str, gives: &str, doc: &str) -> Self {
        Self { name: name.to_owned(), arg, takes, gives: Gives::one(gives), doc: doc.to_owned() }
    }

    fn text(&self, body: &str) -> String {
        let head = format!("{}({})", self.name, self.arg);
        let doc = format!("\n  @doc \"{}\"\n", self.doc);
        doc + &spec(&self.name, self.takes, &self.gives) + &definition(&head, body)
    }

    /// The same function with options.
    fn under_options(&self, body: &str) -> String {
        let about = ABOUT_OPTIONS.replace("`binary`", &format!("`{}`", self.arg));
        let spec = spec(&self.name, &format!("{}, {OPTIONS}", self.takes), &self.gives);
        let head = format!("{}({}, options)", self.name, self.arg);
        format!("\n  @doc \"As `{}/1`: {about}\"\n{spec}{}", self.name, definition(&head, body))
    }

    /// The same function with a `!`: it gives the value alone, or raises.
    fn raising(&self) -> String {
        format!(
            "\n  @doc \"As `{0}/1`, but gives the value alone and raises `Aldis.Error`.\"\n  @spec {0}!({1}) :: {2}\n{3}",
            self.name,
            self.takes,
            self.gives.value.join(" | "),
            definition(
                &format!("{}!({})", self.name, self.arg),
                &format!("Aldis.Error.value!({0}({1}), __MODULE__, {1})", self.name, self.arg)
            )
        )
    }
}

/// `@spec name(takes) :: {:ok, …} | {:error, …}`
pub(crate) fn spec(name: &str, takes: &str, gives: &Gives) -> String {
    let result = format!("{{:ok, {}", gives.text(" | "));
    let short = format!("  @spec {name}({takes}) :: {result} | {FAULT}");
    if short.chars().count() <= WIDTH {
        return short + "\n";
    }
    let both = format!("{}{result} | {FAULT}", line(10));
    let second = if both.chars().count() <= WIDTH + 1 {
        both
    } else if result.chars().count() + 10 <= WIDTH {
        format!("{0}{result}{0}| {FAULT}", line(10))
    } else {
        let alternatives = gives.text(&format!("{}| ", line(13)));
        format!("{0}{{:ok,{1}{alternatives}{0}| {FAULT}", line(10), line(11))
    };
    format!("  @spec {name}({takes}) ::{second}\n")
}

/// `def head, do: body`, or with the body on a line of its own.
pub(crate) fn definition(head: &str, body: &str) -> String {
    let short = format!("  def {head}, do: {body}");
    if short.chars().count() <= WIDTH {
        return short + "\n";
    }
    format!("  def {head} do\n    {body}\n  end\n")
}

/// `get/2`, `get/3`, and a function for each field.
fn views(codec: &Codec<'_>, modules: &Modules, functions: &Functions, id: TypeId) -> String {
    let record = codec.types[id.index()].record.as_str();
    let mut clauses = Vec::new();
    let mut readers = String::new();
    for (index, field) in codec.schema.record(id).fields.iter().enumerate() {
        let key = &modules.keys[id.index()][index];
        let name = functions.public(&format!("{record}_{}", codec.types[id.index()].members[index]));
        let body = format!("{}.{name}(binary)", modules.codec);
        clauses.push(definition(&format!("get({}, binary)", atom(key)), &body));
        if !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            continue;
        }
        let about = words(&field.doc, field.deprecated);
        let about = if about.is_empty() { format!("The field `{key}` of a message.") } else { about };
        let gives = Gives { value: field_specs(modules, codec, id, index), rest: false };
        readers.push('\n');
        readers.push_str(&doc(&about));
        readers.push_str(&spec(&format!("get_{key}"), "binary()", &gives));
        readers.push_str(&definition(&format!("get_{key}(binary)"), &body));
    }
    clauses.push(no_field(modules, id, "_"));
    let separated = separate(&clauses);
    format!(
        "\n  @doc \"One field of a message, read without the others.\"\n{}{separated}{}{readers}",
        spec("get", "atom(), binary()", &Gives::one("term()")),
        view_under_options(codec, modules, functions, id)
    )
}

/// The clause of `get` for a name that no field has; `others` are its arguments behind the name.
fn no_field(modules: &Modules, id: TypeId, others: &str) -> String {
    let keys: Vec<String> = modules.keys[id.index()].iter().map(|key| atom(key)).collect();
    if keys.is_empty() {
        return format!("  def get(_, {others}), do: {{:error, {{:bad_value, :-, \"\"}}}}\n");
    }
    let short = format!("  def get(field, {others}), do: :aldis.no_field(field, [{}])", keys.join(", "));
    if short.chars().count() <= WIDTH {
        return short + "\n";
    }
    let rows = keys.join(&format!(",{}", line(6)));
    format!("  def get(field, {others}) do\n    :aldis.no_field(field, [{}{rows}{}])\n  end\n", line(6), line(4))
}

/// `get/3`.
fn view_under_options(codec: &Codec<'_>, modules: &Modules, functions: &Functions, id: TypeId) -> String {
    let names = &codec.types[id.index()];
    let get = functions.public(&format!("{}_get", names.record));
    let clause = |key: &str, field: &str| {
        let body = format!("{}.{get}({field}, binary, Map.new(options))", modules.codec);
        definition(&format!("get({key}, binary, options)"), &body)
    };
    let pairs = modules.keys[id.index()].iter().zip(&names.members);
    let renamed = pairs.filter(|(key, member)| key != member).map(|(key, member)| clause(&atom(key), &atom(member)));
    let mut clauses: Vec<String> = renamed.collect();
    // The codec knows the fields by the names that they have in the schema.
    if clauses.is_empty() {
        clauses.push(clause("field", "field"));
    } else {
        let kept = modules.keys[id.index()].iter().zip(&names.members).filter(|(key, member)| key == member);
        clauses.extend(kept.map(|(key, _)| clause(&atom(key), &atom(key))));
        clauses.push(no_field(modules, id, "_, _"));
    }
    let clauses = separate(&clauses);
    let spec = spec("get", &format!("atom(), binary(), {OPTIONS}"), &Gives::one("term()"));
    format!("\n  @doc \"As `get/2`: {ABOUT_OPTIONS}\"\n{spec}{clauses}")
}

/// Clauses one after another, with empty lines between them where one has several lines.
fn separate(clauses: &[String]) -> String {
    let any_long = clauses.iter().any(|clause| clause.lines().count() > 1);
    clauses.join(if any_long { "\n" } else { "" })
}
