//! The Erlang names of a schema: module, records, fields, functions, variables.

use crate::erl::{atom, is_reserved, Atom};
use crate::reserved::is_taken_module;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_emit::names::{capital, underscored, Scope};
use aldis_emit::Request;
use aldis_schema::{Field, Schema, TypeId, TypeKind};

/// Longest name that a schema may give: generated atoms add to it, and Erlang's end at 255 characters.
const LONGEST: usize = 120;

/// All names of one module, unquoted.
#[derive(Debug)]
pub(crate) struct Names {
    pub module: String,
    /// A remark on the module's name where a given one, or the schema's, is taken.
    taken: Option<Diagnostic>,
    types: Vec<String>,
    fields: Vec<Vec<String>>,
    /// The variables of each type's members, made once: large records are asked for theirs in many functions.
    variables: Vec<Vec<String>>,
}

impl Names {
    /// Gives every type and field its name and finds those that fall together.
    pub fn new(request: &Request<'_>, schema: &Schema) -> (Self, Vec<Diagnostic>) {
        let mut types = Vec::new();
        let mut fields = Vec::new();
        for def in &schema.types {
            let field = |name: &String| request.member_name(def, name);
            types.push(request.type_name(schema, def, def.name.path.join("_")));
            fields.push(match &def.kind {
                TypeKind::Record(record) => record.fields.iter().map(|f| field(&f.name)).collect(),
                TypeKind::Union(union) => union.arms.iter().map(|arm| field(&arm.field.name)).collect(),
                TypeKind::Enum(_) | TypeKind::Flags(_) => Vec::new(),
            });
        }
        let (module, taken) = free_module(request, module_name(request, schema));
        let variables = fields.iter().map(|members: &Vec<String>| variables(members)).collect();
        let names = Self { module, taken, types, fields, variables };
        let diagnostics = names.check(schema);
        (names, diagnostics)
    }

    /// A type's name as it stands in other names.
    pub fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    /// A type's name as an atom.
    pub fn atom(&self, id: TypeId) -> Atom {
        atom(self.of(id))
    }

    pub fn field(&self, id: TypeId, index: usize) -> &str {
        &self.fields[id.index()][index]
    }

    /// A field's name as an atom.
    pub fn field_atom(&self, id: TypeId, index: usize) -> Atom {
        atom(self.field(id, index))
    }

    /// The first element in the tuple of a union's arm. One that is called like the atom for an unknown tag is told
    /// apart from it.
    pub fn arm(&self, id: TypeId, index: usize) -> String {
        match self.field(id, index) {
            "unknown" => "{arm, unknown}".to_owned(),
            name => atom(name).to_string(),
        }
    }

    /// The variables of a record's fields, all different. Every function of the record uses these.
    pub fn variables(&self, id: TypeId) -> Vec<String> {
        self.variables[id.index()].clone()
    }

    /// The variable of one of a record's fields.
    pub fn variable(&self, id: TypeId, field: u32) -> &str {
        &self.variables[id.index()][field as usize]
    }

    /// A remark on the module's name: the one that was asked for is taken.
    pub fn check_module(&self) -> Option<Diagnostic> {
        self.taken.clone()
    }

    /// The fields of a record or the arms of a union.
    pub fn members(&self, id: TypeId) -> &[String] {
        &self.fields[id.index()]
    }

    fn check(&self, schema: &Schema) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut scope: Scope<(String, Span)> = Scope::default();
        for (index, def) in schema.types.iter().enumerate() {
            claim(&mut scope, &self.types[index], (def.name.full(), def.span), &mut found);
            let mut members = Scope::default();
            let fields: Vec<&Field> = match &def.kind {
                TypeKind::Record(record) => record.fields.iter().collect(),
                TypeKind::Union(union) => union.arms.iter().map(|arm| &arm.field).collect(),
                TypeKind::Enum(_) | TypeKind::Flags(_) => Vec::new(),
            };
            for (field, name) in fields.into_iter().zip(&self.fields[index]) {
                let full = format!("{}.{}", def.name.full(), field.name);
                claim(&mut members, name, (full, field.span), &mut found);
            }
        }
        found
    }

    /// The function that reads one field of a message.
    pub fn view(&self, id: TypeId, field: usize) -> String {
        format!("{}_{}", self.of(id), self.field(id, field))
    }
}

fn claim(scope: &mut Scope<(String, Span)>, name: &str, owner: (String, Span), found: &mut Vec<Diagnostic>) {
    let (full, span) = owner.clone();
    if name.chars().count() > LONGEST {
        let problem = format!("`{full}` is too long a name for Erlang");
        let here = format!("{} characters, and {LONGEST} are possible", name.chars().count());
        found.push(
            Diagnostic::error(crate::codes::LONG_NAME, problem, span, here)
                .help(format!("use --rename {full}=SHORTER")),
        );
    }
    if let Err((other, place)) = scope.claim(name, owner) {
        let problem = format!("`{other}` and `{full}` are both called `{name}` in Erlang");
        let diagnostic = Diagnostic::error(crate::codes::NAME, problem, span, "this name is taken")
            .label(place, "by this one")
            .help(format!("give one of them another name: --rename {full}=OTHER"));
        found.push(diagnostic);
    }
}

/// The module's name where no other module has it. A name that `--name` gives is taken as it is, or refused; one that comes
/// from the schema gets more letters.
fn free_module(request: &Request<'_>, name: String) -> (String, Option<Diagnostic>) {
    let why = match (is_reserved(&name), is_taken_module(&name)) {
        (true, _) => "a word of Erlang",
        (_, true) => "like one of OTP's or of the runtime",
        (false, false) => return (name, None),
    };
    let problem = format!("the module would be called `{name}`, {why}");
    if request.name.is_some() {
        let refused = Diagnostic::placeless(crate::codes::MODULE, problem).help("give it another name: --name OTHER");
        return (name, Some(refused));
    }
    let chosen = match format!("{name}_codec") {
        codec if !is_taken_module(&codec) => codec,
        // A name that begins as the runtime's modules do.
        _ => format!("schema_{name}"),
    };
    let problem = format!("{problem}: it is `{chosen}`");
    let said =
        Diagnostic::placeless_warning(crate::codes::MODULE, problem).help("another name is given by --name OTHER");
    (chosen, Some(said))
}

/// The module's name, which no atom in quotes is.
fn module_name(request: &Request<'_>, schema: &Schema) -> String {
    let clean = request.module_name(schema);
    if clean.starts_with(|c: char| c.is_ascii_lowercase()) {
        clean
    } else {
        format!("m{clean}")
    }
}

/// Variables that generated functions use for themselves, also with a number behind. A test takes every variable of
/// generated code as a field's name, so one that is missing here is found.
const LOCALS: [&str; 81] = [
    "Acc",
    "Area",
    "Arm",
    "At",
    "Base",
    "Bin",
    "Block",
    "Bodies",
    "Body",
    "Budget",
    "Bytes",
    "Cell",
    "Cells",
    "Charged",
    "Count",
    "Data",
    "Depth",
    "Element",
    "End",
    "Error",
    "Extent",
    "Fault",
    "First",
    "Flat",
    "Found",
    "Frame",
    "FrameLength",
    "FrameSize",
    "High",
    "Id",
    "Index",
    "Io",
    "Item",
    "Items",
    "Json",
    "Key",
    "Later",
    "Left",
    "Length",
    "List",
    "Low",
    "Member",
    "Members",
    "Message",
    "Name",
    "Names",
    "Next",
    "Null",
    "Number",
    "Objects",
    "Of",
    "Options",
    "Other",
    "Path",
    "Place",
    "Pointer",
    "Prefix",
    "Raw",
    "Read",
    "Rest",
    "Root",
    "RootAt",
    "Run",
    "Sections",
    "Segment",
    "Size",
    "Start",
    "Stride",
    "Table",
    "Tag",
    "Target",
    "Text",
    "Told",
    "TypeId",
    "Unknown",
    "Upper",
    "Value",
    "Values",
    "Version",
    "Words",
    "Write",
];

/// The suffixes of a field's variable for things that belong to it: `PriceAt` is where the price lies.
const SUFFIXES: [&str; 17] = [
    "Area", "At", "Bytes", "Cell", "Cells", "End", "Followed", "Has", "High", "Io", "Item", "Key", "Low", "Of",
    "Pointer", "Raw", "Tag",
];

/// A variable for a field: its name with a capital first letter, apart from the functions' own variables.
fn variable(name: &str) -> String {
    let clean = underscored(name);
    let capital = capital(&clean);
    let capital = if capital.starts_with(|c: char| c.is_ascii_uppercase()) { capital } else { format!("V{capital}") };
    let stem = capital.trim_end_matches(|c: char| c.is_ascii_digit());
    if LOCALS.contains(&stem) || SUFFIXES.iter().any(|suffix| stem.ends_with(suffix)) {
        format!("{capital}_")
    } else {
        capital
    }
}

/// Variables for the members of a type, all different.
fn variables(members: &[String]) -> Vec<String> {
    let mut scope = Scope::default();
    members.iter().map(|name| scope.fresh(&variable(name), ())).collect()
}

#[cfg(test)]
mod tests {
    use super::variable;

    #[test]
    fn variables_keep_apart_from_locals() {
        assert_eq!(variable("price"), "Price");
        assert_eq!(variable("bin"), "Bin_");
        assert_eq!(variable("bin2"), "Bin2_");
        assert_eq!(variable("_x"), "V_x");
        assert_eq!(variable("2nd"), "V2nd");
        assert_eq!(variable("priceAt"), "PriceAt_");
        assert_eq!(variable("itemKey2"), "ItemKey2_");
        assert_eq!(variable("typeId"), "TypeId_");
    }
}
