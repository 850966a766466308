//! The language model: enums, flags, records.

use crate::code::{block, code, definition, function, listed, quoted, rows, stmt, when, Code, Stmt, ToCode};
use crate::gen::{Gen, Hold};
use crate::literal::{character, encoded, integer, is_generated, quoted_bytes};
use crate::names::Site;
use crate::parameter::parameter;
use crate::tables::layout_tables;
use aldis_schema::{Enum, Flags, IntType, Literal, Type, TypeDef, TypeId, TypeKind};

impl Gen<'_> {
    /// A type's name, qualified where something nearer has the same.
    pub fn type_name(&self, id: TypeId, site: Site) -> Code {
        let name = self.names.of(id);
        let is_hidden = match site {
            Site::Namespace => false,
            Site::Record(record) => self.names.hides(record, name),
            Site::Writer(record) => self.is_record(id) || self.names.hides(record, name),
        };
        if is_hidden {
            self.names.qualified(id).to_code()
        } else {
            self.reference(id).to_code()
        }
    }

    /// The C++ type of values of a schema type.
    pub fn cpp_type(&self, ty: &Type, site: Site) -> Code {
        let inner = |ty: &Type| self.cpp_type(ty, site);
        let from = if self.pmr() { "std::pmr" } else { "std" };
        match ty {
            Type::Bool => code!("bool"),
            Type::Char => code!("char"),
            Type::Int(int) => int_type(*int),
            Type::Timestamp => code!("std::uint64_t"),
            Type::Float32 => code!("float"),
            Type::Float64 => code!("double"),
            Type::Decimal => code!("aldis::decimal"),
            Type::Uuid => code!("aldis::uuid"),
            Type::Text(_) | Type::Chars { .. } => code!("{from}::string"),
            Type::Bytes => code!("{from}::vector<std::byte>"),
            Type::Named(id) => self.type_name(*id, site),
            Type::Optional(held) if self.is_large(held) => self.boxed(inner(held)),
            Type::Optional(held) => self.optional(held, inner(held)),
            Type::List(element) => code!("{from}::vector<{}>", inner(element)),
            Type::Set(element) => code!("{from}::set<{}, aldis::less>", inner(element)),
            Type::Array { element, len } => code!("{}<{}, {len}>", self.of_memory(element, "array"), inner(element)),
            Type::Map { key, value, .. } => code!("{from}::map<{}, {}, aldis::less>", inner(key), inner(value)),
            Type::Void => code!("std::monostate"),
            Type::Opaque(_) if self.pmr() => code!("aldis::pmr::any_pointer"),
            Type::Opaque(_) => code!("aldis::any_pointer"),
        }
    }

    /// `std::array`, or the one whose elements get an allocator.
    fn of_memory(&self, held: &Type, template: &str) -> Code {
        code!("{}::{template}", if self.allocates(held) { "aldis::pmr" } else { "std" })
    }

    fn optional(&self, held: &Type, name: Code) -> Code {
        code!("{}<{name}>", self.of_memory(held, "optional"))
    }

    fn boxed(&self, name: Code) -> Code {
        code!("aldis::{}box<{name}>", if self.pmr() { "pmr::" } else { "" })
    }

    /// The type of a record's member or a union's arm.
    pub fn member_type(&self, owner: TypeId, index: usize, site: Site) -> Code {
        let ty = &self.field(owner, index).ty;
        let plain = self.cpp_type(ty.required(), site);
        match self.hold(owner, index) {
            Hold::Maybe => self.optional(ty.required(), plain),
            Hold::Boxed => self.boxed(plain),
            Hold::Plain | Hold::Noted => self.cpp_type(ty, site),
            Hold::Constant => match ty.required() {
                Type::Text(_) | Type::Chars { .. } => code!("std::string_view"),
                _ => plain,
            },
        }
    }

    /// The definition of an enum or flags type.
    pub fn enumeration(&self, id: TypeId) -> Vec<Stmt> {
        let def = self.schema.type_def(id);
        let mut parts = title(def);
        match &def.kind {
            TypeKind::Enum(definition) => parts.extend(self.enum_definition(id, definition)),
            TypeKind::Flags(definition) => parts.extend(self.flags_definition(id, definition)),
            TypeKind::Record(_) | TypeKind::Union(_) => return Vec::new(),
        }
        parts.push(Stmt::Blank);
        parts
    }

    fn enum_definition(&self, id: TypeId, definition: &Enum) -> Vec<Stmt> {
        let name = self.names.of(id);
        let repr = definition.repr.as_int().unwrap_or(IntType::unsigned(8));
        let mut values = Vec::new();
        for (index, value) in definition.values.iter().enumerate() {
            values.extend(docs(&value.doc));
            let number = match definition.repr {
                Type::Char => character(value.value),
                _ => integer(value.value),
            };
            values.push(stmt!("{} = {number},", self.names.member(id, index)));
        }
        // The first of several names of a number counts.
        let mut cases = Vec::new();
        for (index, value) in definition.values.iter().enumerate() {
            if definition.values.iter().position(|other| other.value == value.value) == Some(index) {
                let member = self.names.member(id, index);
                cases.push(stmt!("case {name}::{member}: return {};", quoted(&value.name)));
            }
        }
        cases.push(stmt!("default: return {{}};"));
        vec![
            crate::code::definition(code!("enum class {name} : {}", int_type(repr)), values),
            Stmt::Blank,
            stmt!("/// The name of an enumerant; empty for a number that the schema has no name for."),
            block(
                code!("constexpr std::string_view name_of({name} value) noexcept"),
                vec![block(code!("switch (value)"), cases)],
            ),
        ]
    }

    fn flags_definition(&self, id: TypeId, definition: &Flags) -> Vec<Stmt> {
        let name = self.names.of(id);
        let under = int_type(definition.repr);
        let mut values = Vec::new();
        for (index, flag) in definition.values.iter().enumerate() {
            values.extend(docs(&flag.doc));
            let member = self.names.member(id, index);
            let mask = code!("{}{}", format!("0x{:02x}", flag.mask), if flag.mask > 0x7FFF_FFFF { "ULL" } else { "" });
            values.push(stmt!("{member} = {mask},"));
        }
        let named = ["|", "&", "^", "~", "|=", "&=", "^="].map(|sign| code!("aldis::flags::operator{sign}"));
        vec![
            crate::code::definition(code!("enum class {name} : {under}"), values),
            Stmt::Blank,
            stmt!("aldis::flags::yes is_flags({name});"),
            stmt!("using {}, aldis::flags::has;", listed(named)),
        ]
    }

    /// The tags of a union, and the union: one of its arms.
    pub fn union_definition(&self, id: TypeId) -> Vec<Stmt> {
        let (name, tags) = (self.names.of(id), self.names.tags(id));
        let union = self.schema.union(id);
        let mut values = Vec::new();
        for (index, arm) in union.arms.iter().enumerate() {
            values.extend(docs(&arm.field.doc));
            values.push(stmt!("{} = {},", self.names.member(id, index), arm.tag));
        }
        // The arm of tag 0 is the one that a union begins with, and that zeros mean.
        let mut order: Vec<usize> = (0..union.arms.len()).collect();
        order.sort_by_key(|index| union.arms[*index].tag != 0);
        let arms: Vec<Code> = order
            .into_iter()
            .map(|index| {
                let tag = code!("{tags}::{}", self.names.member(id, index));
                code!("aldis::arm<{tag}, {}>", self.member_type(id, index, Site::Namespace))
            })
            .collect();
        let mut parts = title(self.schema.type_def(id));
        let choice = if self.allocates(&Type::Named(id)) { "aldis::pmr::choice" } else { "aldis::choice" };
        parts.push(rows(code!("using {name} = {choice}<{tags},"), arms, ">;"));
        let mut found = vec![
            tags_title(self.schema.type_def(id)),
            definition(code!("enum class {tags} : std::uint16_t"), values),
            Stmt::Blank,
        ];
        found.extend(parts);
        found.push(Stmt::Blank);
        found
    }

    /// The struct of a record.
    pub fn record_definition(&self, id: TypeId) -> Vec<Stmt> {
        let name = self.names.of(id);
        let mut parts = title(self.schema.type_def(id));
        parts.extend(layout_tables(self, id));
        let mut members = Vec::new();
        for index in 0..self.schema.record(id).fields.len() {
            members.extend(self.member(id, index));
        }
        if self.notes_missing(id) {
            members.extend(self.missing_fields(id));
        }
        members.push(Stmt::Blank);
        if self.allocates(&Type::Named(id)) {
            members.insert(0, stmt!("using allocator_type = std::pmr::polymorphic_allocator<>;"));
            members.insert(1, Stmt::Blank);
            members.extend(self.constructors(id));
        }
        members.push(stmt!("bool operator==(const {name}&) const = default;"));
        parts.push(definition(code!("struct {name}"), members));
        parts.push(Stmt::Blank);
        parts
    }

    /// The set of fields whose bytes are not there, and the numbers that it knows them by.
    fn missing_fields(&self, id: TypeId) -> Vec<Stmt> {
        let count = self.schema.record(id).fields.len();
        let noted = (0..count).filter(|index| self.hold(id, *index) == Hold::Noted);
        let places =
            noted.map(|index| stmt!("static constexpr std::size_t {} = {index};", self.names.member(id, index)));
        vec![
            stmt!("/// Fields by their place in this record, as `missing_fields` has them."),
            crate::code::definition(code!("struct field_places"), places.collect()),
            stmt!("/// Required fields that a message's bytes ended before."),
            stmt!("aldis::missing_set<{count}> missing_fields{{}};"),
        ]
    }

    fn member(&self, id: TypeId, index: usize) -> Vec<Stmt> {
        let field = self.field(id, index);
        let mut parts = docs(&field.doc);
        if field.deprecated {
            parts.push(stmt!("/// Deprecated."));
        }
        if let Some(meant) = field.default.as_ref().and_then(is_generated) {
            parts.push(stmt!("/// The schema's default is {meant}; here it is zero."));
        }
        if self.is_pointed(field) && field.default.is_some() {
            parts.push(stmt!("/// Null stands for the schema's default."));
        }
        let (ty, name) = (self.member_type(id, index, Site::Record(id)), self.names.member(id, index));
        let hold = self.hold(id, index);
        if hold == Hold::Constant {
            let value = self.constant(id, index).unwrap_or_else(|| code!("{{}}"));
            parts.push(stmt!("static constexpr {ty} {name} = {value};"));
            return parts;
        }
        // Compilers warn of members without one where an object is made as `{.price = 1}`.
        let natural = match field.ty {
            _ if hold == Hold::Boxed || self.has_open_elements(&field.ty) => "",
            _ if hold == Hold::Maybe => "{}",
            Type::Bool => " = false",
            Type::Float32 => " = 0.0F",
            Type::Float64 => " = 0.0",
            Type::Int(_) | Type::Timestamp => " = 0",
            _ => "{}",
        };
        if hold != Hold::Constant && self.holds_memory(id, index) {
            // The constructors say what it begins with.
            parts.push(stmt!("{ty} {name};"));
            return parts;
        }
        let default = self.field_default(id, index, Site::Record(id));
        let value = match default {
            Some(value) => code!(" = {value}"),
            None => natural.to_code(),
        };
        parts.push(stmt!("{ty} {name}{value};"));
        parts
    }

    /// Whether there are elements of a type that may be declared further down; clang wants it whole for an initializer.
    fn has_open_elements(&self, ty: &Type) -> bool {
        let open = |ty: &Type| match ty.required() {
            Type::Named(id) => !matches!(self.schema.type_def(*id).kind, TypeKind::Enum(_) | TypeKind::Flags(_)),
            other => self.has_open_elements(other),
        };
        match ty.required() {
            Type::List(element) | Type::Set(element) => open(element),
            Type::Map { key, value, .. } => open(key) || open(value),
            _ => false,
        }
    }

    /// The value that the schema fixes.
    fn constant(&self, id: TypeId, index: usize) -> Option<Code> {
        let field = self.field(id, index);
        match (field.constant.as_ref()?, field.ty.required()) {
            (Literal::Text(text), Type::Text(encoding) | Type::Chars { encoding, .. }) => {
                let bytes = encoded(text, *encoding);
                Some(code!("{{{}, {}}}", quoted_bytes(&bytes), bytes.len()))
            }
            (literal, ty) => self.literal(literal, ty, Site::Record(id)),
        }
    }

    /// The declaration of a function that orders records which are keys of sets or maps.
    pub fn comparison_declaration(&self, id: TypeId) -> Stmt {
        let name = self.names.of(id);
        stmt!("inline int compare(const {name}& a, const {name}& b);")
    }

    pub fn comparison(&self, id: TypeId) -> Stmt {
        let name = self.names.of(id);
        let record = self.schema.record(id);
        let mut body = vec![stmt!("using aldis::compare;")];
        for index in record.key_fields() {
            if self.hold(id, index) == Hold::Constant {
                continue;
            }
            let member = self.names.member(id, index);
            let condition = code!("const int order = compare(a.{member}, b.{member}); order != 0");
            body.push(when(condition, vec![stmt!("return order;")]));
        }
        body.push(stmt!("return 0;"));
        let parameters = ["a", "b"].map(|side| parameter(code!("const {name}&"), side));
        function(code!("inline int compare"), &parameters, body)
    }
}

pub(crate) fn int_type(int: IntType) -> Code {
    code!("std::{}int{}_t", if int.signed { "" } else { "u" }, int.bits)
}

/// The documentation of the enum of a union's tags.
fn tags_title(def: &TypeDef) -> Stmt {
    let name = def.name.full();
    stmt!("/// The arms of `{}`. Any other number is an arm of a newer schema.", name.trim_end_matches('.'))
}

/// The schema's own words as documentation.
pub(crate) fn docs(doc: &str) -> Vec<Stmt> {
    doc.lines().map(|text| comment_line("///", text)).collect()
}

/// A line of a comment. A backslash at its end would make the next line a part of it, and so would have the trigraph of one, of which
/// compilers warn.
pub(crate) fn comment_line(mark: &str, text: &str) -> Stmt {
    let mut words = text;
    while let Some(shorter) = ["\\", "??/", " "].iter().find_map(|end| words.strip_suffix(end)) {
        words = shorter;
    }
    match words {
        "" => stmt!("{mark}"),
        words => stmt!("{mark} {words}"),
    }
}

/// The name of a type in the schema, and the schema's own words on it.
pub(crate) fn title(def: &TypeDef) -> Vec<Stmt> {
    let mut parts = docs(&def.doc);
    if parts.is_empty() {
        parts.push(stmt!("/// `{}`", def.name.full().trim_end_matches('.')));
    }
    if def.deprecated {
        parts.push(stmt!("/// Deprecated."));
    }
    parts
}
