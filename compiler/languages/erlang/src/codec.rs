//! The functions of a codec, for back ends of languages that run on Erlang's machine and build on these functions.

use crate::erl::WIDTH;
use crate::exports::{exports, named};
use crate::files::{helper_arity, used_helpers, used_macros};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::modules::{wanted, Modules};
use crate::names::Names;
use crate::tables::layout_tables;
use crate::values::Values;
use crate::wire::Wire;
use crate::{caps, files};
use aldis_diagnostics::{any_error, Diagnostic};
use aldis_emit::Request;
use aldis_plan::Plan;
use aldis_schema::{Schema, TypeId, TypeKind};

/// The codec of a schema: Erlang functions, in sections.
#[derive(Debug)]
pub struct Codec<'a> {
    pub schema: &'a Schema,
    /// One for each wire form, the main form first.
    pub plans: Vec<&'a Plan>,
    /// By plan: what is put behind the names of its functions. The main form's is empty.
    pub suffixes: Vec<String>,
    pub sections: Vec<Section>,
    /// `-define` lines of the macros that are used.
    pub macros: Vec<&'static str>,
    /// Functions that are to stand where they are called, by name and arity.
    pub inline: Vec<(String, usize)>,
    /// By type id.
    pub types: Vec<TypeNames>,
    /// The functions that users call; all others are private. Those of single fields have the field's name behind that of
    /// the record.
    pub exports: Vec<String>,
}

/// The names of a type and its members in the functions, unquoted.
#[derive(Debug)]
pub struct TypeNames {
    pub record: String,
    /// The fields of a record, the arms of a union.
    pub members: Vec<String>,
    /// The fields of a record that may be null.
    pub nullable: Vec<bool>,
    /// The terms of a record's fields that the schema fixes.
    pub constants: Vec<Option<String>>,
    /// The unnamed union that a record is nothing but, whose values stand in place of the record.
    pub only_union: Option<TypeId>,
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

impl<'a> Codec<'a> {
    /// The codec for the plans of `request` that have one of `forms`; with its problems, and nothing but them when one is
    /// an error.
    pub fn new(request: &Request<'a>, forms: &[&str], values: &'static Values) -> (Option<Codec<'a>>, Vec<Diagnostic>) {
        let plans = wanted(request, forms);
        let Some(main) = plans.first() else { return (None, Vec::new()) };
        let schema = &main.schema;
        let wires: Vec<Wire<'a>> = plans.iter().map(|plan| Wire::new(plan)).collect();
        let suffixes: Vec<String> = wires.iter().map(Wire::suffix).collect();
        let (names, mut diagnostics) = named(request, schema, &suffixes);
        for wire in &wires {
            diagnostics.extend(caps::unsupported(wire));
        }
        diagnostics.extend(caps::too_many_fields(schema));
        diagnostics.extend(aldis_emit::without_calls(crate::codes::CALLS, schema));
        if any_error(&diagnostics) {
            return (None, diagnostics);
        }
        let modules = Modules::one(schema, &names.module);
        let mut gen = Gen::new(request, schema, &names, wires, values, modules);
        gen.generate_all();
        let sections = sections(&gen);
        let body: String = sections.iter().map(|section| section.text.as_str()).collect();
        let types = (0..schema.types.len()).map(|index| type_names(&mut gen, &names, TypeId(index as u32))).collect();
        let header = plans.iter().any(|plan| plan.header.is_some());
        let exports =
            exports(&names, schema, &suffixes, header, gen.parts).into_iter().map(|export| export.name).collect();
        let inline = inlined(&gen, &body);
        let codec = Codec { schema, plans, suffixes, sections, macros: used_macros(&body), inline, types, exports };
        (Some(codec), diagnostics)
    }
}

/// The helpers that `body` calls, and what the functions want inlined besides.
fn inlined(gen: &Gen<'_>, body: &str) -> Vec<(String, usize)> {
    let helpers = used_helpers(body).into_iter().map(|helper| (helper.to_owned(), helper_arity(helper)));
    let others = gen.inlined.iter().filter_map(|function| {
        let (name, arity) = function.rsplit_once('/')?;
        Some((name.trim_matches('\'').to_owned(), arity.parse().ok()?))
    });
    helpers.chain(others).collect()
}

fn type_names(gen: &mut Gen<'_>, names: &Names, id: TypeId) -> TypeNames {
    let schema = gen.schema;
    let mut found = TypeNames {
        record: names.of(id).to_owned(),
        members: names.members(id).to_vec(),
        nullable: Vec::new(),
        constants: Vec::new(),
        only_union: gen.only_union(id),
    };
    if let TypeKind::Record(record) = &schema.type_def(id).kind {
        found.nullable = (0..record.fields.len()).map(|index| gen.may_be_null(id, index)).collect();
        found.constants = record
            .fields
            .iter()
            .map(|field| field.constant.as_ref().map(|value| gen.literal(value, &field.ty, Fresh::Zero)))
            .collect();
    }
    found
}

fn sections(gen: &Gen<'_>) -> Vec<Section> {
    let mut sections = Vec::new();
    for index in 0..gen.schema.types.len() {
        let id = TypeId(index as u32);
        let text = gen.functions_of(index).map(|made| made.text.as_str()).collect();
        let tables = layout_tables(gen, id).print(WIDTH);
        let layout = tables.lines().map(|line| line.trim_start_matches("%% ").trim_start_matches("%%").to_owned());
        let layout = layout.collect();
        sections.push(Section { id: Some(id), layout, text });
    }
    let whole: String = gen.functions_of(files::WHOLE).map(|made| made.text.as_str()).collect();
    let body: String = sections.iter().map(|section| section.text.as_str()).chain([whole.as_str()]).collect();
    let helpers = used_helpers(&body).into_iter().map(|helper| files::helper_function(helper).doc.print(WIDTH));
    let text = whole + &helpers.collect::<String>();
    sections.push(Section { id: None, layout: Vec::new(), text });
    sections
}
