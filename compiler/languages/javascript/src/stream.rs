//! `NAME_stream.js`: how each form's messages lie in streams, what reads and writes them, and what answers requests. All that is
//! done with that is the runtime's.

use crate::codes;
use crate::form::Form;
use crate::js::{call, declare, function, import_all, int, make, name, pure, string, Expr, Stmt};
use crate::values::Values;
use aldis_diagnostics::Diagnostic;
use aldis_emit::names::capital;
use aldis_emit::quoted;
use aldis_emit::Requests;
use aldis_plan::{ByteOrder, Container, FixedInt, Plan};
use aldis_schema::{Type, TypeId};

/// The module, its declarations, and warnings of requests that cannot be answered.
pub(crate) fn module(values: &Values<'_>, plans: &[&Plan], forms: &[Form]) -> (Vec<Stmt>, Vec<Stmt>, Vec<Diagnostic>) {
    let imports = [import_all("s", "@aldis/codec/stream"), import_all("c", values.names.beside(""))].to_vec();
    let (mut code, mut declared) = (Vec::new(), Vec::new());
    let others = values.names.imports_of(values.schema, &[false]);
    for (plan, form) in plans.iter().zip(forms) {
        let part = Part { values, plan, form };
        if part.messages().is_empty() {
            continue;
        }
        part.code(&mut code);
        part.types(&mut declared);
    }
    let own = |id| values.names.is_own(id);
    let (requests, diagnostics) = Requests::of(values.schema, own, codes::ANSWERS);
    if let Some(any) = forms.first().and_then(|form| form.any.as_ref()).filter(|_| !requests.answers.is_empty()) {
        let requests = Asked(requests);
        code.extend(requests.code(values));
        declared.push(requests.types(values, any));
    }
    let whole = |own: Vec<Stmt>| imports.iter().cloned().chain(others.iter().cloned()).chain(own).collect();
    (whole(code), whole(declared), diagnostics)
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

    fn code(&self, code: &mut Vec<Stmt>) {
        let table = self.named("form");
        let value = pure(call("s.messagesOf", vec![self.table()]));
        code.push(Stmt::Const { export: false, name: table.clone(), value });
        let known = name(table);
        let (params, messages): (&[&str], _) = match self.form.identify {
            Some(_) => (&["framing", "options"], known.clone()),
            None => (&["message", "framing", "options"], call("s.onlyOf", vec![known.clone(), name("message")])),
        };
        let receiver = make("s.Receiver", vec![messages, name("framing"), name("options")]);
        code.push(function(self.named("receiver"), params, receiver));
        let sender = make("s.Sender", vec![known, name("framing")]);
        code.push(function(self.named("sender"), &["framing"], sender));
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

    fn types(&self, declared: &mut Vec<Stmt>) {
        let (values, form) = (self.values, &self.plan.form.name);
        let any = match &self.form.any {
            Some(any) => format!("c.{any}"),
            None => {
                let arms = self.messages().into_iter().map(|index| arm(values, values.schema.messages[index].record));
                let ty = arms.collect::<Vec<_>>().join(" | ");
                let own = self.named("Message");
                declared.push(Stmt::Type { doc: "A message with its name.".to_owned(), name: own.clone(), ty });
                own
            }
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
        let doc = format!("Decodes messages of form {form} out of a stream.");
        let ty =
            format!("<{generic}O extends s.ReceiverOptions>({first}{framing}, options?: O): s.Receiver<{gives}, O>");
        declared.push(declare(doc, "function", &self.named("receiver"), ty));
        let doc = format!("Puts messages of form {form} into a stream.");
        declared.push(declare(doc, "function", &self.named("sender"), format!("({framing}): s.Sender<{any}>")));
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

/// The requests that have answers, as code.
struct Asked<'a>(Requests<'a>);

impl Asked<'_> {
    fn code(&self, values: &Values<'_>) -> Vec<Stmt> {
        let full = |record: TypeId| values.schema.type_def(record).name.full();
        let fields = self.0.fields.iter();
        let ids = fields.map(|(record, field)| (full(*record), string(values.names.fields(*record)[*field].as_str())));
        let answers = self.0.answers.iter().map(|(request, answers)| {
            (full(*request), Expr::List(answers.iter().map(|answer| string(full(*answer))).collect()))
        });
        let key = if self.0.id == Some(&Type::Uuid) { "s.uuidKey" } else { "String" };
        let members = vec![
            ("ids".to_owned(), Expr::Object(ids.collect())),
            ("answers".to_owned(), Expr::Object(answers.collect())),
            ("key".to_owned(), name(key)),
        ];
        let table = "correlation";
        vec![
            Stmt::Const { export: false, name: table.to_owned(), value: Expr::Object(members) },
            function("requests", &["sender"], make("s.Requests", vec![name(table), name("sender")])),
        ]
    }

    fn types(&self, values: &Values<'_>, any: &str) -> Stmt {
        let requests = self.0.answers.iter().map(|(request, answers)| {
            let full = quoted(&values.schema.type_def(*request).name.full());
            let arms: Vec<String> = answers.iter().map(|answer| arm(values, *answer)).collect();
            format!("{full}: {{ request: {}; answer: {} }}", ty(values, *request), arms.join(" | "))
        });
        let requests = requests.collect::<Vec<_>>().join("; ");
        declare(
            "Requests that wait for their answers.",
            "function",
            "requests",
            format!("(sender: s.Sender<c.{any}>): s.Requests<{{ {requests} }}>"),
        )
    }
}
