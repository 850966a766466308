//! The functions of a codec, for back ends of languages that run on Erlang's machine and build on these functions.

use crate::code::{self, Expr, Form, Macro};
use crate::exports::{exports, named};
use crate::files::{helper_arity, used_helpers, used_macros};
use crate::gen::{Gen, Made};
use crate::literal::Fresh;
use crate::modules::{wanted, Modules};
use crate::names::Names;
use crate::tables::layout_lines;
use crate::values::Values;
use crate::wire::Wire;
use crate::{caps, files};
use aldis_diagnostics::{any_error, Diagnostic};
use aldis_emit::Request;
use aldis_plan::Plan;
use aldis_schema::{Schema, TypeId, TypeKind};
use std::collections::BTreeSet;

/// The codec of a schema: Erlang functions, in sections.
#[derive(Debug)]
pub struct Codec<'a> {
    pub schema: &'a Schema,
    /// One for each wire form, the main form first.
    pub plans: Vec<&'a Plan>,
    /// By plan: what is put behind the names of its functions. The main form's is empty.
    pub suffixes: Vec<String>,
    pub sections: Vec<Section>,
    /// The macros that are used.
    pub macros: Vec<Macro>,
    /// Functions that are to stand where they are called, by name and arity.
    pub inline: Vec<(String, usize)>,
    /// By type id.
    pub types: Vec<TypeNames>,
    /// The functions that users call; all others are private. Those of single fields have the field's name behind that of
    /// the record.
    pub exports: Vec<String>,
    /// The functions that the runtime is given, by their module.
    pub given: Vec<String>,
    /// That module.
    pub module: String,
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
    pub constants: Vec<Option<Expr>>,
    /// The unnamed union that a record is nothing but, whose values stand in place of the record.
    pub only_union: Option<TypeId>,
}

/// The functions of a type or, without one, of the whole schema.
#[derive(Debug)]
pub struct Section {
    pub id: Option<TypeId>,
    /// Lines of the tables that say where fields lie.
    pub layout: Vec<String>,
    /// Functions, and what Dialyzer is told of them. Calls between sections are local.
    pub forms: Vec<Form>,
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
        gen.keeps_forms = true;
        gen.generate_all();
        let mut made = gen.take_functions();
        let called: BTreeSet<String> = made.iter_mut().flat_map(|made| std::mem::take(&mut made.called)).collect();
        let called = called.iter().collect();
        let sections = sections(&gen, made, &called);
        let types = (0..schema.types.len()).map(|index| type_names(&mut gen, &names, TypeId(index as u32))).collect();
        let header = plans.iter().any(|plan| plan.header.is_some());
        let exports =
            exports(&names, schema, &suffixes, header, gen.parts).into_iter().map(|export| export.name).collect();
        let inline = inlined(&gen, &called);
        let (given, module) = (gen.crossed_names(), names.module.clone());
        let macros = used_macros(&called).into_iter().map(code::macro_of).collect();
        let codec = Codec { schema, plans, suffixes, sections, macros, inline, types, exports, given, module };
        (Some(codec), diagnostics)
    }
}

/// The helpers that are called, and what the functions want inlined besides.
fn inlined(gen: &Gen<'_>, called: &BTreeSet<&String>) -> Vec<(String, usize)> {
    let helpers = used_helpers(called).into_iter().map(|helper| (helper.to_owned(), helper_arity(helper)));
    let others = gen.inlined.iter().map(|(name, arity)| (name.name().to_owned(), *arity));
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

fn sections(gen: &Gen<'_>, made: Vec<Made>, called: &BTreeSet<&String>) -> Vec<Section> {
    let section = |index: usize| {
        let id = TypeId(index as u32);
        Section { id: Some(id), layout: layout_lines(gen, id), forms: Vec::new() }
    };
    let mut sections: Vec<Section> = (0..gen.schema.types.len()).map(section).collect();
    let mut whole = Vec::new();
    for made in made {
        sections.get_mut(made.section).map_or(&mut whole, |section| &mut section.forms).extend(made.forms);
    }
    whole.extend(used_helpers(called).into_iter().flat_map(|helper| files::helper_function(helper).forms));
    sections.push(Section { id: None, layout: Vec::new(), forms: whole });
    sections
}
