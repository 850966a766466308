//! `NAME_stream.js`: how each form's messages lie in streams, what reads and writes them, and what answers requests. All that is
//! done with that is the runtime's.

use crate::codes;
use crate::form::Form;
use crate::js::{call, import_all, int, make, name, pure, string, Code, Expr, Stmt};
use crate::values::Values;
use aldis_diagnostics::Diagnostic;
use aldis_emit::names::capital;
use aldis_emit::quoted;
use aldis_emit::Requests;
use aldis_plan::{ByteOrder, Container, FixedInt, Plan};
use aldis_schema::{Type, TypeId};

/// The module, and warnings of requests that cannot be answered.
pub(crate) fn module(values: &Values<'_>, plans: &[&Plan], forms: &[Form]) -> (Code, Vec<Diagnostic>) {
    let imports = [import_all("s", "@aldis/codec/stream"), import_all("c", values.names.beside(""))].into_iter();
    let mut code = Code::default();
    for import in imports.chain(values.names.imports_of(values.schema, &[false])) {
        code.push(import.clone());
        code.declare(import);
    }
    for (plan, form) in plans.iter().zip(forms) {
        let part = Part { values, plan, form };
        if part.messages().is_empty() {
            continue;
        }
        part.code(&mut code);
    }
    let own = |id| values.names.is_own(id);
    let (requests, diagnostics) = Requests::of(values.schema, own, codes::ANSWERS);
    if let Some(any) = forms.first().and_then(|form| form.any.as_ref()).filter(|_| !requests.answers.is_empty()) {
        asked(&requests, values, any, &mut code);
    }
    (code, diagnostics)
}

/// One form in streams.
struct Part<'a> {
    values: &'a Values<'a>,
    plan: &'a Plan,
    form: &'a Form,
}

impl Part<'_> {
    /// The messages that a stream can hold: those that say which they are, where the form can tell them apart.
    fn messages(&self) -> Vec<usize> {
        let schema = self.values.schema;
        match self.form.identify {
            Some(_) => schema.meanings().into_iter().filter_map(|(_, index)| index).collect(),
            None => (0..schema.messages.len()).filter(|index| schema.messages[*index].listed).collect(),
        }
    }

    fn named(&self, wanted: &str) -> String {
        format!("{wanted}{}", capital(&self.plan.form.suffix))
    }

    fn code(&self, code: &mut Code) {
        let form = &self.plan.form.name;
        let any = self.any(code);
        let table = self.named("form");
        let value = pure(call("s.messagesOf", vec![self.table()]));
        code.push(Stmt::Const { export: false, name: table.clone(), value });
        let known = name(table);
        let (params, messages): (&[&str], _) = match self.form.identify {
            Some(_) => (&["framing", "options"], known.clone()),
            None => (&["message", "framing", "options"], call("s.onlyOf", vec![known.clone(), name("message")])),
        };
        let own_framing = self.plan.form.framing.is_some()
            || matches!(self.plan.container, Container::Segments(segments) if segments.table);
        let framing = if own_framing { "framing?: s.Framing" } else { "framing: s.Framing" };
        let (generic, first, gives) = match self.form.identify {
            Some(_) => ("", String::new(), any.clone()),
            None => (
                &*format!("N extends {any}[\"message\"], "),
                "message: N, ".to_owned(),
                format!("Extract<{any}, {{ message: N }}>"),
            ),
        };
        let receiver = make("s.Receiver", vec![messages, name("framing"), name("options")]);
        let doc = format!("Decodes messages of form {form} out of a stream.");
        let ty =
            format!("<{generic}O extends s.ReceiverOptions>({first}{framing}, options?: O): s.Receiver<{gives}, O>");
        code.export(&self.named("receiver"), (params, receiver), &doc, ty);
        let sender = make("s.Sender", vec![known, name("framing")]);
        let doc = format!("Puts messages of form {form} into a stream.");
        code.export(&self.named("sender"), (&["framing"], sender), &doc, format!("({framing}): s.Sender<{any}>"));
    }

    /// The type of any message, which is declared if the form has none.
    fn any(&self, code: &mut Code) -> String {
        if let Some(any) = &self.form.any {
            return format!("c.{any}");
        }
        let arms = self.messages().into_iter().map(|index| arm(self.values, self.values.schema.messages[index].record));
        let (name, ty) = (self.named("Message"), arms.collect::<Vec<_>>().join(" | "));
        code.declare(Stmt::Type { doc: "A message with its name.".to_owned(), name: name.clone(), ty });
        name
    }

    /// The facts about the form that the runtime must know.
    fn table(&self) -> Expr {
        let mut members = self.framing();
        if let Some(identify) = &self.form.identify {
            members.push(("identify".to_owned(), name(format!("c.{identify}"))));
        }
        let schema = self.values.schema;
        let message = |index: usize| {
            let both = [&self.form.decoders[index], &self.form.encoders[index]];
            let both = both.map(|function| function.within("c"));
            (schema.type_def(schema.messages[index].record).name.full(), Expr::List(both.to_vec()))
        };
        members.push(("messages".to_owned(), Expr::Object(self.messages().into_iter().map(message).collect())));
        Expr::Object(members)
    }

    fn framing(&self) -> Vec<(String, Expr)> {
        let plan = self.plan;
        let mut members = Vec::new();
        let mut put = |key: &str, value: Expr| members.push((key.to_owned(), value));
        let big = plan.byte_order == ByteOrder::Big;
        if let Some(own) = &plan.form.framing {
            put("framing", string("fbe"));
            put("own", length(own.length, big, own.min, 0));
            if let Some(via) = plan.dispatch.as_ref().and_then(|dispatch| dispatch.via) {
                put("root", int(via.at));
            }
        }
        if let Some((at, plus)) = plan.frame_length() {
            put("header", length(at, big, plan.messages[0].envelope.head.size, -plus));
        }
        if let Container::Segments(segments) = plan.container {
            if segments.table {
                put("framing", string("capnp"));
                put("packed", name(segments.packed.to_string()));
            }
        }
        if big {
            put("big", name("true"));
        }
        members
    }
}

/// The place of a length in messages.
fn length(at: FixedInt, big: bool, least: u32, added: i64) -> Expr {
    let mut members = vec![("at".to_owned(), int(at.at)), ("bits".to_owned(), int(at.bits))];
    if big {
        members.push(("order".to_owned(), string("big")));
    }
    members.push(("least".to_owned(), int(least)));
    if added != 0 {
        members.push(("added".to_owned(), int(added)));
    }
    Expr::Object(members)
}

/// The type of a record, as this module sees it.
fn ty(values: &Values<'_>, record: TypeId) -> String {
    let own = if values.names.is_own(record) { "c." } else { "" };
    format!("{own}{}", values.names.of(record))
}

/// The type of a message with its name.
fn arm(values: &Values<'_>, record: TypeId) -> String {
    let full = values.schema.type_def(record).name.full();
    format!("{{ message: {}; value: {} }}", quoted(&full), ty(values, record))
}

/// The function that keeps requests which have answers; `any` is the type of any message.
fn asked(requests: &Requests<'_>, values: &Values<'_>, any: &str, code: &mut Code) {
    let full = |record: TypeId| values.schema.type_def(record).name.full();
    let fields = requests.fields.iter();
    let ids = fields.map(|(record, field)| (full(*record), string(values.names.fields(*record)[*field].as_str())));
    let answers = requests.answers.iter().map(|(request, answers)| {
        (full(*request), Expr::List(answers.iter().map(|answer| string(full(*answer))).collect()))
    });
    let key = if requests.id == Some(&Type::Uuid) { "s.uuidKey" } else { "String" };
    let members = vec![
        ("ids".to_owned(), Expr::Object(ids.collect())),
        ("answers".to_owned(), Expr::Object(answers.collect())),
        ("key".to_owned(), name(key)),
    ];
    let table = "correlation".to_owned();
    let kept = make("s.Requests", vec![name(table.as_str()), name("sender")]);
    code.push(Stmt::Const { export: false, name: table, value: Expr::Object(members) });
    let types = requests.answers.iter().map(|(request, answers)| {
        let arms: Vec<String> = answers.iter().map(|answer| arm(values, *answer)).collect();
        let (request, full) = (ty(values, *request), quoted(&full(*request)));
        format!("{full}: {{ request: {request}; answer: {} }}", arms.join(" | "))
    });
    let types = types.collect::<Vec<_>>().join("; ");
    let ty = format!("(sender: s.Sender<c.{any}>): s.Requests<{{ {types} }}>");
    code.export("requests", (&["sender"], kept), "Requests that wait for their answers.", ty);
}
