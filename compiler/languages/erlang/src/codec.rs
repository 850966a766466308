//! The functions of a codec, for back ends of languages that run on Erlang's machine and build on these functions.

use crate::erl::WIDTH;
use crate::files::{used_helpers, used_macros};
use crate::gen::Gen;
use crate::names::Names;
use crate::tables::layout_tables;
use crate::values::Values;
use crate::wire::Wire;
use crate::{caps, files};
use aldis_diagnostics::{any_error, Diagnostic};
use aldis_emit::doc::concat;
use aldis_emit::Request;
use aldis_plan::Plan;
use aldis_schema::{Schema, TypeId};

/// The codec of a schema: Erlang functions, in sections.
#[derive(Debug)]
pub struct Codec<'a> {
    pub schema: &'a Schema,
    /// One for each wire form, the main form first: what is put behind function names. The main form's is empty.
    pub suffixes: Vec<String>,
    pub sections: Vec<Section>,
    /// `-define` lines of the guards that are used.
    pub macros: Vec<&'static str>,
    /// The record of each type, unquoted, by type id.
    pub records: Vec<String>,
    /// The fields of each record and the arms of each union, unquoted, by type id.
    pub members: Vec<Vec<String>>,
}

/// The functions of a type or, without one, of the whole schema.
#[derive(Debug)]
pub struct Section {
    pub id: Option<TypeId>,
    /// Lines of the tables that say where fields lie.
    pub layout: Vec<String>,
    /// Complete forms of Erlang: functions, specs and attributes. Calls between sections are local.
    pub text: String,
}

/// The names of functions that are small enough to stand where they are called, and their arities.
pub use crate::files::{helper_arity, HELPERS};

impl<'a> Codec<'a> {
    /// The codec for the plans of `request` that have one of `forms`; with its problems, and nothing but them when one is
    /// an error.
    pub fn new(request: &Request<'a>, forms: &[&str], values: &'static Values) -> (Option<Codec<'a>>, Vec<Diagnostic>) {
        let plans: Vec<&Plan> = request.plans.iter().filter(|p| forms.contains(&p.form.name.as_str())).collect();
        let Some(main) = plans.first() else { return (None, Vec::new()) };
        let schema = &main.schema;
        let wires: Vec<Wire<'a>> = plans.iter().map(|plan| Wire::new(plan)).collect();
        let suffixes: Vec<String> = wires.iter().map(Wire::suffix).collect();
        let (names, mut diagnostics) = Names::new(request, schema, &suffixes);
        for wire in &wires {
            diagnostics.extend(caps::unsupported(wire, schema));
        }
        diagnostics.extend(caps::without_calls(schema));
        if any_error(&diagnostics) {
            return (None, diagnostics);
        }
        let mut gen = Gen::new(schema, &names, wires, values);
        gen.generate_all();
        let sections = sections(&gen);
        let body: String = sections.iter().map(|section| section.text.as_str()).collect();
        let ids = || (0..schema.types.len()).map(|index| TypeId(index as u32));
        let codec = Codec {
            schema,
            suffixes,
            macros: used_macros(&body),
            records: ids().map(|id| names.of(id).to_owned()).collect(),
            members: ids().map(|id| names.members(id).to_vec()).collect(),
            sections,
        };
        (Some(codec), diagnostics)
    }
}

fn sections(gen: &Gen<'_>) -> Vec<Section> {
    let mut sections = Vec::new();
    for index in 0..gen.schema.types.len() {
        let id = TypeId(index as u32);
        let text = concat(gen.functions_of(index).cloned()).print(WIDTH);
        let tables = layout_tables(gen, id).print(WIDTH);
        let layout = tables.lines().map(|line| line.trim_start_matches("%%").trim_start_matches(' ').to_owned());
        let layout = layout.collect();
        sections.push(Section { id: Some(id), layout, text });
    }
    let whole = concat(gen.functions_of(files::WHOLE).cloned()).print(WIDTH);
    let body: String = sections.iter().map(|section| section.text.as_str()).chain([whole.as_str()]).collect();
    let helpers = used_helpers(&body).into_iter().map(files::helper_function);
    let text = whole + &concat(helpers).print(WIDTH);
    sections.push(Section { id: None, layout: Vec::new(), text });
    sections
}
