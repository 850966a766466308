//! Schema to plans: where the bytes are in the standard and in the Final form.

mod final_form;
mod shared;
mod standard;

use crate::resolve::Resolved;
use aldis_plan::{
    ByteOrder, Container, Dispatch, Envelope, FixedInt, Form, Framing, JsonPolicy, Layout, Message, Plan,
};
use aldis_schema::Schema;

/// The standard form's plan, then the Final form's.
pub(crate) fn lower(resolved: Resolved) -> Vec<Plan> {
    let Resolved { schema, numbers } = resolved;
    let standard = plan(
        &schema,
        form("fbe", "", standard::MIN_FRAME),
        standard::layouts(&schema, &numbers),
        |_| standard::envelope(),
        Dispatch { via: Some(SECOND_WORD), id: SECOND_WORD, expect: Vec::new() },
    );
    let compact = plan(
        &schema,
        form("fbe-final", "final", final_form::MIN_FRAME),
        final_form::layouts(&schema),
        final_form::envelope,
        Dispatch { via: None, id: SECOND_WORD, expect: Vec::new() },
    );
    vec![standard, compact]
}

/// The u32 at byte 4: of a standard message the root's offset, of a struct block or a Final message the type.
const SECOND_WORD: FixedInt = FixedInt { at: 4, bits: 32 };

fn form(name: &str, suffix: &str, min: u32) -> Form {
    let framing = Framing { length: FixedInt { at: 0, bits: 32 }, min };
    Form { name: name.to_owned(), suffix: suffix.to_owned(), framing: Some(framing) }
}

fn plan(
    schema: &Schema,
    form: Form,
    layouts: Vec<Option<Layout>>,
    envelope: impl Fn(u64) -> Envelope,
    dispatch: Dispatch,
) -> Plan {
    let message = |m: &aldis_schema::MessageDef| Message { record: m.record, envelope: envelope(m.id.unwrap_or(0)) };
    Plan {
        form,
        messages: schema.messages.iter().map(message).collect(),
        schema: schema.clone(),
        container: Container::Plain,
        byte_order: ByteOrder::Little,
        layouts,
        header: None,
        dispatch: Some(dispatch),
        json: JsonPolicy { defaults: true, ..JsonPolicy::default() },
    }
}
