//! `aldis plan`: what back ends see.

use crate::args::SchemaArgs;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use aldis_plan::{
    node_text, slot_text, Container, Element, Extent, Layout, Node, Plan, RootPlace, Run, Slot, SlotKind, Step,
};
use aldis_schema::Schema;
use clap::Args;

/// Show the plans of a schema: the one description that the interpreter and all back ends work from.
///
/// `--json` prints an array with one plan for each wire form, for generators outside of this project.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis plan market.fbe
  aldis plan --routines market.fbe
  aldis plan --json market.xml | jq '.[0].messages | length'")]
pub struct PlanArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// As JSON, complete.
    #[arg(long)]
    json: bool,

    /// As routines: what is done with the bytes, one operation a line.
    #[arg(long, conflicts_with = "json")]
    routines: bool,

    /// Only this wire form (fbe, fbe-final, sbe, capnp, capnp-packed, capnp-canonical).
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
}

pub fn run(args: &PlanArgs, output: &Output) -> Outcome {
    let compiled = compile::compile(&args.schema, output)?;
    let plans: Vec<&Plan> = match &args.form {
        Some(form) => vec![compiled.form(Some(form))?],
        None => compiled.plans.iter().collect(),
    };
    if args.json {
        let json = serde_json::to_string_pretty(&plans).map_err(|error| Failure::Input(error.to_string()))?;
        return output.write((json + "\n").as_bytes());
    }
    if args.routines {
        return output.print(&plans.into_iter().map(routines).collect::<String>());
    }
    let mut outline = Outline { text: String::new() };
    for plan in plans {
        outline.plan(plan);
    }
    output.print(&outline.text)
}

fn routines(plan: &Plan) -> String {
    aldis_routine::outline(&aldis_routine::lower_for(plan, &aldis_routine::Purpose::ALL))
}

/// A plan as an indented outline.
struct Outline {
    text: String,
}

impl Outline {
    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn plan(&mut self, plan: &Plan) {
        self.line(0, &format!("plan {} ({:?} endian)", plan.form.name, plan.byte_order).to_lowercase());
        if let Container::Segments(segments) = plan.container {
            let place = if segments.table { "segments behind a table" } else { "one segment" };
            let packed = if segments.packed { ", packed" } else { "" };
            let canonical = if segments.canonical { ", without zeros at the ends of sections" } else { "" };
            self.line(1, &format!("{place}{packed}{canonical}"));
        }
        if let Some(framing) = &plan.form.framing {
            let (at, bits) = (framing.length.at, framing.length.bits);
            self.line(1, &format!("framing: u{bits} at {at} is the frame's length, at least {}", framing.min));
        }
        if let Some(dispatch) = &plan.dispatch {
            let via = dispatch.via.map(|via| format!(" from the offset at {}", via.at)).unwrap_or_default();
            self.line(1, &format!("dispatch: u{} at {}{via}", dispatch.id.bits, dispatch.id.at));
        }
        for message in &plan.messages {
            self.line(1, &format!("message {}", plan.schema.type_def(message.record).name.full()));
            if !message.envelope.head.slots.is_empty() {
                self.run(&plan.schema, "head", &message.envelope.head);
            }
            self.line(
                2,
                match message.envelope.root {
                    RootPlace::Follows => "root follows",
                    RootPlace::Registered => "root where the head says",
                    RootPlace::Pointed => "root behind the first word of the first segment",
                },
            );
        }
        for layout in plan.layouts.iter().flatten() {
            self.layout(&plan.schema, layout);
        }
    }

    fn layout(&mut self, schema: &Schema, layout: &Layout) {
        let base = if layout.rebase { ", base of its links" } else { "" };
        self.line(1, &format!("layout {}{base}", schema.type_def(layout.record).name.full()));
        let record = schema.record(layout.record);
        for step in &layout.steps {
            match step {
                Step::Run(run) => self.run(schema, "run", run),
                Step::Part { field, since, node } => {
                    let name = record.fields.get(*field as usize).map_or("", |field| field.name.as_str());
                    let since = if *since > 0 { format!(", since {since}") } else { String::new() };
                    self.line(2, &format!("part {name}: {}{since}", node_text(schema, node)));
                    self.node(schema, 3, node);
                }
            }
        }
    }

    fn run(&mut self, schema: &Schema, what: &str, run: &Run) {
        let extent = match run.extent {
            Extent::Exact => "exact".to_owned(),
            Extent::Acting => "as the register before says".to_owned(),
            Extent::Stated { head } => format!("as it says itself within {head} bytes"),
            Extent::Sections { data } => format!("of them {data} data, then pointers, as the pointer to it says"),
        };
        self.line(2, &format!("{what} {} bytes, {extent}", run.size));
        self.slots(schema, 3, &run.slots);
    }

    fn slots(&mut self, schema: &Schema, depth: usize, slots: &[Slot]) {
        for slot in slots {
            let field = slot.field.map(|field| format!(" field {field}")).unwrap_or_default();
            let name = match &slot.kind {
                SlotKind::Register(register) => format!(" {},", register.name),
                SlotKind::Ignored { name, .. } => format!(" {name},"),
                _ => String::new(),
            };
            let text = slot_text(schema, &slot.kind);
            self.line(depth, &format!("at {}, {} bytes:{field}{name} {text}", slot.at, slot.width));
            match &slot.kind {
                SlotKind::Nest { slots, .. } => self.slots(schema, depth + 1, slots),
                SlotKind::Link(link) | SlotKind::Presence(link) => self.node(schema, depth + 1, &link.target),
                SlotKind::Pointer { target } => self.node(schema, depth + 1, target),
                SlotKind::Choice { arms, .. } => {
                    for arm in arms {
                        self.line(depth + 1, &format!("arm {}", arm.tag));
                        self.slots(schema, depth + 2, std::slice::from_ref(&arm.slot));
                    }
                }
                _ => {}
            }
        }
    }

    /// The parts that a node's own line does not say: heads and elements.
    fn node(&mut self, schema: &Schema, depth: usize, node: &Node) {
        match node {
            Node::Cell { .. } | Node::Call { .. } | Node::Opaque { .. } => {}
            Node::Blob(blob) => self.slots(schema, depth, &blob.head.slots),
            Node::Repeat(repeat) => {
                self.slots(schema, depth, &repeat.head.slots);
                let nodes: Vec<&Node> = match &repeat.element {
                    Element::One(node) => vec![node],
                    Element::Pair { key, value } => vec![key, value],
                };
                for node in nodes {
                    self.line(depth, &format!("each: {}", node_text(schema, node)));
                    self.node(schema, depth + 1, node);
                }
            }
            Node::Series { element, .. } => self.node(schema, depth, element),
            Node::Maybe { value } | Node::Rebase { value } => self.node(schema, depth, value),
        }
    }
}
