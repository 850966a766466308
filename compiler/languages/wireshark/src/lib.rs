//! The Wireshark back end: a dissector in Lua, one file for all wire forms of a schema.
//!
//! The file is tables and an engine. The tables say what the schema's types are called and where the bytes of each wire form
//! are (`schema`, `layout`: a tree of literals, `lua`); the engine is the same for all schemas and stands in `runtime/wireshark`.
//!
//! # Why a plan that is walked, and not routines that are printed
//! Three things speak for tables.
//! - *Size.* Printed routines take a function for each record, for each way of reading it; a table takes a line for each
//!   field. A large schema is some thousand lines of literals, and the engine has 1,400 lines whatever the schema.
//! - *Safety.* Lua in Wireshark must not raise an error, whatever the bytes are. There is one walk to check and to torture
//!   with damaged packets, and no limit of Lua's on locals, upvalues or the length of functions is near, but for schemas whose
//!   groups lie five deep with dozens of fields at each level.
//! - *Purpose.* Routines make values, and leave out what a person wants to see: the bytes of each field, registers, where
//!   links lead, what was read before the fault. The plan says all of these, and so the walk here is the interpreter's
//!   walk for explanations, with tree items as its events.
//!
//! Speed, which routines are for, is lost to the tree items in any case.

pub mod codes;
mod layout;
mod lua;
mod names;
mod schema;

use crate::layout::Layouts;
use crate::lua::{Lua, Table};
use crate::names::Filters;
use aldis_diagnostics::Diagnostic;
use aldis_emit::doc::{concat, hard, text, Doc};
use aldis_emit::{Generated, Language, Operations, OutputFile, Refusals, Request};
use aldis_plan::Plan;

const REFUSALS: Refusals = Refusals { language: "Wireshark", name: "wireshark" };

/// The part of every file that depends on no schema.
const ENGINE: [&str; 5] = [
    include_str!("../../../../runtime/wireshark/src/values.lua"),
    include_str!("../../../../runtime/wireshark/src/walk.lua"),
    include_str!("../../../../runtime/wireshark/src/segments.lua"),
    include_str!("../../../../runtime/wireshark/src/frames.lua"),
    include_str!("../../../../runtime/wireshark/src/dissector.lua"),
];

/// The text of the part that depends on no schema.
pub fn engine() -> String {
    ENGINE.concat()
}

/// The framings that the engine knows.
const FRAMINGS: [&str; 11] =
    ["none", "u16le", "u16be", "u32le", "u32be", "u16le-whole", "u16be-whole", "sofh", "fbe", "header", "capnp"];

/// The Wireshark back end.
pub struct Wireshark;

/// The one value of [`Wireshark`].
pub static WIRESHARK: Wireshark = Wireshark;

impl Language for Wireshark {
    fn name(&self) -> &'static str {
        "wireshark"
    }

    fn operations(&self) -> Operations {
        Operations::Showing
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), &'static str> {
        let is_ports = || value.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '-') && !value.is_empty();
        match name {
            "framing" if FRAMINGS.contains(&value) => Ok(()),
            "udp" | "tcp" if is_ports() => Ok(()),
            "skip" if value.parse::<u16>().is_ok() => Ok(()),
            "message" if !value.is_empty() => Ok(()),
            _ => Err("there are udp=PORTS and tcp=PORTS (as 5000-5010,6000), framing=NAME (as for `aldis decode`), \
                      skip=BYTES of a packet's own header, and message=NAME for wire forms whose messages do not say what \
                      they are"),
        }
    }

    fn forms(&self) -> &'static [&'static str] {
        &["sbe", "fbe", "fbe-final", "capnp", "capnp-packed", "capnp-canonical"]
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        if request.testee {
            let none = Diagnostic::placeless(codes::TESTEE, "the Wireshark back end has no testee");
            return Generated { diagnostics: vec![none.help("leave --testee out")], ..Generated::default() };
        }
        let known = match REFUSALS.known(codes::FORM, request.plans, self.forms()) {
            Ok(known) => known,
            Err(none) => return Generated { diagnostics: vec![none], ..Generated::default() },
        };
        let Some(main) = known.first() else { return Generated::default() };
        let mut filters = Filters::new(request, &main.schema);
        let diagnostics = unknown_message(request, main).into_iter().collect();
        let path = format!("{}.lua", filters.protocol);
        let tables = tables(request, &known, &mut filters).print(120);
        let text = tables + &engine();
        Generated { files: vec![OutputFile { path, text, executable: false }], diagnostics }
    }
}

fn unknown_message(request: &Request<'_>, plan: &Plan) -> Option<Diagnostic> {
    let name = request.option("message").filter(|name| plan.message(name).is_none())?;
    let known: Vec<String> =
        plan.schema.messages.iter().map(|message| plan.schema.type_def(message.record).name.full()).collect();
    let help = format!("name one of {}", known.join(", "));
    Some(Diagnostic::placeless(codes::MESSAGE, format!("no message is called {name}")).help(help))
}

/// All that the engine is told about a schema.
fn tables(request: &Request<'_>, plans: &[&Plan], filters: &mut Filters<'_>) -> Doc {
    let schema = &plans[0].schema;
    let types = schema::types(schema, filters);
    let protocol = filters.protocol.clone();
    let mut layouts = Layouts::new(schema, filters);
    let forms: Vec<Lua> = plans.iter().map(|plan| layouts.form(plan)).collect();
    let heads = layouts.heads();
    let options = ["framing", "udp", "tcp", "skip", "message"].into_iter();
    let options = options.fold(Table::default(), |table, name| table.with_some(name, request.option(name)));
    let title = if schema.package.is_empty() { &request.stem } else { &schema.package };
    let table = Table::default()
        .with("name", protocol)
        .with_some("version", schema.version.as_deref())
        .with("options", options)
        .with("types", types)
        .with("heads", heads)
        .with("forms", Table::new(forms));
    concat([
        text(format!("-- A dissector of {title} for Wireshark, generated by aldis {}. Do not edit.", request.version)),
        hard(),
        text("-- It belongs into Wireshark's folder of Lua plugins: see Help, About, Folders."),
        hard(),
        text("local schema = "),
        Lua::from(table).doc(),
        hard(),
    ])
}
