//! JSON, both ways: a second header beside the codecs.

mod kind;
mod record;
mod shaped;
mod sparse;

use crate::code::{code, function, quoted, stmt, Code, Stmt};
use crate::gen::Gen;
use crate::parameter::{limits, parameter};
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_plan::JsonPolicy;
use aldis_schema::{EnumValue, Flags, TypeId, TypeKind};

impl Gen<'_> {
    /// How the schema's JSON is, and the functions that users call.
    pub fn json_common(&self) -> Vec<Stmt> {
        let policy = self.wires.first().map(|wire| wire.plan.json).unwrap_or_default();
        let mut parts = vec![
            stmt!("/// The rules of JSON in the format of this schema."),
            Stmt::Line(policy_of(&policy)),
            Stmt::Blank,
        ];
        parts.extend(functions());
        parts
    }

    /// Tables of names, and the readers and writers of a unit's records.
    pub fn json(&self, unit: &Unit, sheet: &mut Sheet) {
        unit.types.iter().for_each(|id| sheet.add(*id, "", self.name_table(*id)));
        if self.is_sparse() {
            return self.sparse_json(unit, sheet);
        }
        let records: Vec<TypeId> = unit.types.iter().copied().filter(|id| self.is_record(*id)).collect();
        for id in records.clone() {
            let name = self.names.of(id);
            let declared = [
                stmt!("template <aldis::json::policy P>\nbool write_json(aldis::json::writer<P>& out, const {name}& value);"),
                stmt!("template <aldis::json::policy P>\nbool read_json(aldis::json::reader<P>& in, {name}& value);"),
            ];
            sheet.add(id, "", declared);
        }
        sheet.blank();
        for id in records {
            sheet.add(id, "", [self.json_writer(id), Stmt::Blank, self.json_reader(id), Stmt::Blank]);
        }
    }

    /// The names of an enum's or flags type's values, as JSON is read by.
    fn name_table(&self, id: TypeId) -> Vec<Stmt> {
        let name = self.names.of(id);
        let names: Vec<&str> = match &self.schema.type_def(id).kind {
            TypeKind::Enum(definition) => definition.values.iter().map(EnumValue::json_name).collect(),
            TypeKind::Flags(definition) => definition.values.iter().map(|value| value.name.as_str()).collect(),
            _ => return Vec::new(),
        };
        let rows = names
            .iter()
            .enumerate()
            .map(|(index, own)| code!("{{{}, {name}::{}}}", quoted(own), self.names.member(id, index)));
        let mut parts = vec![table(&format!("{name}_names"), name, rows.collect())];
        if let TypeKind::Flags(definition) = &self.schema.type_def(id).kind {
            parts.push(table(&format!("{name}_bits"), name, self.single_bits(id, definition)));
        }
        parts
    }

    /// The first name of each single bit, in bit order.
    fn single_bits(&self, id: TypeId, definition: &Flags) -> Vec<Code> {
        let rows = definition.single_bits().into_iter().map(|(bit, own)| {
            let index = definition.values.iter().position(|value| value.mask == bit && value.name == own);
            let member = self.names.member(id, index.unwrap_or_default());
            code!("{{{}, {}::{member}}}", quoted(own), self.names.of(id))
        });
        rows.collect()
    }
}

/// The policy as a constant; what is not said is false.
fn policy_of(policy: &JsonPolicy) -> Code {
    let more = [
        ("wide_text", policy.wide_text),
        ("byte_arrays", policy.byte_arrays),
        ("omit_null", policy.omit_null),
        ("skip_unknown", policy.skip_unknown),
    ];
    let more = more.iter().filter(|(_, said)| *said).map(|(name, _)| code!(", .{name} = true"));
    code!(
        "inline constexpr aldis::json::policy json_form{{.names = {}, .non_finite = {}, .defaults = {}{}}};",
        policy.names,
        policy.non_finite,
        policy.defaults,
        Code::nothing().between(more)
    )
}

/// The functions that users call: templates, for every record.
fn functions() -> Vec<Stmt> {
    let value = parameter("const T&", "value");
    let template = code!("template <record T>\ninline ");
    vec![
        stmt!("/// The types that have JSON."),
        stmt!("template <class T>\nconcept record = requires(aldis::json::writer<json_form>& out, const T& value) {{ write_json(out, value); }};"),
        Stmt::Blank,
        stmt!("/// The value as JSON."),
        function(
            code!("{template}aldis::result<std::string> to_json"),
            std::slice::from_ref(&value),
            vec![stmt!("return aldis::json::text<json_form>(value);")],
        ),
        stmt!("/// The same in a string whose memory is used again."),
        function(
            code!("{template}aldis::result<std::string_view> to_json"),
            &[value.clone(), parameter("std::string&", "made").bound()],
            vec![stmt!("return aldis::json::text<json_form>(value, made);")],
        ),
        Stmt::Blank,
        stmt!("/// Reads JSON into `value`; gives how many bytes it takes, which is all of them."),
        function(
            code!("{template}aldis::result<std::size_t> from_json"),
            &[parameter("std::string_view", "text"), parameter("T&", "value"), limits()],
            vec![stmt!("return aldis::json::parse<json_form>(text, value, most);")],
        ),
        Stmt::Blank,
        stmt!("/// The value for people: like JSON, with hidden fields as `***`."),
        function(
            code!("{template}std::string to_string"),
            std::slice::from_ref(&value),
            vec![stmt!("return aldis::json::shown<json_form>(value);")],
        ),
        function(
            code!("{template}std::ostream& operator<<"),
            &[parameter("std::ostream&", "out"), value],
            vec![stmt!("return out << to_string(value);")],
        ),
        Stmt::Blank,
    ]
}

fn table(name: &str, ty: &str, rows: Vec<Code>) -> Stmt {
    let head = code!("inline constexpr std::array<aldis::json::named<{ty}>, {}> {name}", rows.len());
    if rows.is_empty() {
        return stmt!("{head}{{}};");
    }
    crate::code::rows(code!("{head}{{{{"), rows, "}};")
}
