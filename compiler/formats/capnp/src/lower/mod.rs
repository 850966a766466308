//! Model to plans: what the values are and where their bytes lie, in the three forms of a message.
//!
//! `instances` makes the types, one for each generic struct and what it is bound to; `values` their defaults; `layout`
//! the places.

mod chain;
mod instances;
mod json;
mod json_check;
mod layout;
mod owners;
mod values;

use crate::model::{Model, Node, NodeKind};
use aldis_diagnostics::Diagnostic;
use aldis_plan::{ByteOrder, Container, Envelope, Form, JsonPolicy, Message, Plan, RootPlace, Run, Segments};
use aldis_schema::{Interface, Method, Schema, SchemaModule};
use instances::Instances;

/// Three plans of one schema: a segment table and segments, the same packed, and the canonical form. `hash` is the digest
/// of what the model was made from; `modules` are the files that it was read from, each with the beginning of display names in it.
///
/// # Errors
/// Structs that lead to too many others in a row, or what is wrong with the JSON that annotations ask for.
pub(crate) fn lower(
    model: &Model,
    hash: String,
    modules: Vec<(Option<String>, SchemaModule)>,
) -> Result<Vec<Plan>, Vec<Diagnostic>> {
    if let Some(problem) = chain::problem(model) {
        return Err(vec![problem]);
    }
    let mut instances = Instances::of(model);
    let messages = instances.messages();
    let interfaces = interfaces(model, &mut instances);
    instances.set_defaults();
    let layouts = layout::layouts(&instances);
    let root = model.requested.first().and_then(|id| model.nodes.get(id));
    let declared = owners::declared(&instances, &modules);
    let mut schema = Schema {
        package: String::new(),
        doc: root.map_or_else(String::new, |node| node.doc.clone()),
        version: None,
        hash,
        types: instances.types,
        messages,
        interfaces,
        modules: modules.into_iter().map(|(_, module)| module).collect(),
        owners: Vec::new(),
    };
    schema.owners = owners::of(&schema, declared);
    let problems = json_check::problems(&schema);
    if !problems.is_empty() {
        return Err(problems);
    }
    let forms = [
        ("capnp", "", Segments { table: true, packed: false, canonical: false }),
        ("capnp-packed", "packed", Segments { table: true, packed: true, canonical: false }),
        ("capnp-canonical", "canonical", Segments { table: false, packed: false, canonical: true }),
    ];
    let plan = |(name, suffix, segments): (&str, &str, Segments)| Plan {
        form: Form { name: name.to_owned(), suffix: suffix.to_owned(), framing: None },
        messages: schema.messages.iter().map(|m| Message { record: m.record, envelope: envelope() }).collect(),
        schema: schema.clone(),
        container: Container::Segments(segments),
        byte_order: ByteOrder::Little,
        layouts: layouts.clone(),
        // Nothing in the bytes says which struct the root is.
        header: None,
        dispatch: None,
        json: JSON,
    };
    Ok(forms.map(plan).into())
}

const JSON: JsonPolicy = JsonPolicy {
    names: true,
    non_finite: true,
    defaults: true,
    wide_text: true,
    byte_arrays: true,
    omit_null: true,
    skip_unknown: true,
};

/// Nothing stands in front of the segments' first word, the pointer to the root.
fn envelope() -> Envelope {
    Envelope { head: Run::default(), root: RootPlace::Pointed }
}

/// The interfaces of all files, in the order of their ids.
fn interfaces(model: &Model, instances: &mut Instances<'_>) -> Vec<Interface> {
    let mut found = Vec::new();
    for node in model.nodes.values() {
        let NodeKind::Interface(interface) = &node.kind else { continue };
        let methods = interface.methods.iter().map(|method| Method {
            name: method.name.clone(),
            doc: method.doc.clone(),
            params: instances.method_record(&method.params),
            results: instances.method_record(&method.results),
        });
        found.push(Interface {
            methods: methods.collect(),
            name: instances.name_of(node),
            id: node.id,
            doc: node.doc.clone(),
            span: node.span.unwrap_or_default(),
            superclasses: interface.superclasses.iter().map(|(id, _)| *id).collect(),
        });
    }
    found
}

/// The names in a node's display name, after its file's.
fn local_path(node: &Node) -> Vec<String> {
    let path = node.display_name.rsplit_once(':').map_or(node.display_name.as_str(), |(_, path)| path);
    path.split('.').map(str::to_owned).collect()
}
