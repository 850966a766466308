//! `NAME_view.js`: messages that are checked as a whole, and whose fields are read where they lie, each when it is asked for. Views are
//! printed from routines of their own (`aldis_routine::Purpose::View`), as functions for messages as they usually are; of others the
//! view is their value.

use crate::form::Form;
use crate::js::{call, declare, function, import_all, import_types, make, name, needs, Code, Line, Stmt, FRAME};
use crate::names::Known;
use crate::read::{Reading, Scope};
use crate::values::Values;
use aldis_plan::{Container, Plan};
use aldis_routine::{Hint, Module, Routine, RoutineId, Sym};
use std::collections::{BTreeMap, BTreeSet};

/// The module of views, and its declarations.
pub(crate) fn module(values: &mut Values<'_>, plans: &[(&Plan, Module)], forms: &mut [Form]) -> (Code, Vec<Stmt>) {
    let (mut code, mut declared) = (Code::default(), Vec::new());
    values.elsewhere = true;
    // Words that were packed are those of the form with a table that is not: its functions open views of both.
    let mut tabled = BTreeMap::new();
    for ((plan, module), form) in plans.iter().zip(forms) {
        values.order = plan.byte_order;
        views(values, (plan, module), form, &mut tabled, (&mut code, &mut declared));
    }
    values.elsewhere = false;
    let from = values.names.beside("");
    let head = [("r", "@aldis/codec/read"), ("v", "@aldis/codec/view"), ("c", &from)];
    let head =
        head.map(|(own, from)| import_all(own, from)).into_iter().chain(values.names.imports(&values.names.taken()));
    let head = head.chain(values.asked_import()).chain([needs("r.needs", values.names.file("_view"))]);
    let own = values.schema.messages.iter().filter(|message| values.names.is_own(message.record));
    let types: BTreeSet<String> = own.map(|message| values.names.of(message.record).to_owned()).collect();
    let types = [import_types(["Limits"], "@aldis/codec"), import_types(types, from)];
    let mut whole: Code = head.collect();
    whole.append(code);
    (whole, types.into_iter().chain(declared).collect())
}

fn views(
    values: &mut Values<'_>,
    (plan, module): (&Plan, &Module),
    form: &mut Form,
    tabled: &mut BTreeMap<usize, String>,
    (code, declared): (&mut Code, &mut Vec<Stmt>),
) {
    let (schema, suffix) = (values.schema, plan.form.suffix.as_str());
    let (is_packed, has_table) = match plan.container {
        Container::Segments(form) => (form.packed, form.table),
        _ => (false, false),
    };
    let mut found = Code::default();
    let mut reading = Reading::viewing(module, values, suffix);
    for (index, message) in schema.messages.iter().enumerate() {
        let (Known::Own(verify), Known::Own(decode)) = (&form.verifiers[index], &form.decoders[index]) else {
            continue;
        };
        let view = reading.values.names.verb("view", message.record, &[suffix]);
        let open = match tabled.get(&index).filter(|_| is_packed) {
            Some(open) => open.clone(),
            None => {
                let class = reading.values.names.routine(message.record, suffix, "view");
                let open = module.opens[index];
                found.push(reading.class(index, &class));
                found.push(reading.opening(open, &class));
                reading.usual[open.0 as usize].clone()
            }
        };
        if has_table {
            tabled.insert(index, open.clone());
        }
        let args = [format!("c.{verify}"), format!("c.{decode}"), open];
        let args = args.into_iter().chain(["bytes", "limits"].map(str::to_owned)).map(name).collect();
        found.push(function(&view, &["bytes", "limits"], call("v.view", args)));
        let (ty, full) = (reading.values.names.of(message.record), schema.type_def(message.record).name.full());
        let life = match is_packed {
            true => "The view has the unpacked words for itself.",
            false => "The bytes must stay as they are.",
        };
        let doc = format!(
            "The `{full}` that the bytes begin with, in form {}: checked as a whole, each field read where it lies when it is asked \
             for. {life} Throws what `{decode}` would.",
            plan.form.name
        );
        let ty = format!("(bytes: Uint8Array, limits?: Limits): Readonly<{ty}>");
        declared.push(declare(doc, "function", &view, ty));
        form.views.push((index, view));
    }
    code.append(reading.called());
    code.append(found);
}

/// A property of a view for what its routines take. No field is called so.
fn property(routine: &Routine, sym: Sym) -> String {
    match routine.symbols[sym.0 as usize].hint {
        Hint::Role(role) => format!("this.${role}"),
        Hint::Name(_) => unreachable!("what routines take plays a role"),
    }
}

impl<'m> Reading<'m, '_, '_> {
    /// The class of a message's views, with a property for each field.
    fn class(&mut self, message: usize, class: &str) -> Stmt {
        let module = self.module;
        let record = module.schema.messages[message].record;
        let views = &module.views[record.index()];
        let fields = self.values.names.fields(record).to_vec();
        let mut taken = BTreeSet::new();
        let mut getters = Vec::new();
        for (field, id) in fields.into_iter().zip(views) {
            let routine = &module[*id];
            let (params, mut body) = self.usual_body(*id, Scope::called(routine, format!("{class}_{field}")));
            let held = self.params[id.0 as usize].iter().map(|param| property(routine, *param));
            let held: Vec<String> = held.collect();
            let mut lines = vec![Line::Const(FRAME.to_owned(), call("v.look", vec![name("this.$")]))];
            lines.extend(params.into_iter().zip(&held).map(|(own, held)| Line::Const(own, name(held.as_str()))));
            taken.extend(held);
            lines.append(&mut body.lines);
            lines.extend(routine.body.gives.first().map(|value| Line::Return(body.arg(*value))));
            getters.push((field, lines));
        }
        let held = views.first().map_or_else(Vec::new, |view| {
            let view = &module[*view];
            view.params.iter().map(|param| property(view, *param)).collect()
        });
        let own = |held: &String| held["this.".len()..].to_owned();
        let mut body = vec![Line::Assign("this.$".to_owned(), call("v.hold", vec![name(FRAME)]))];
        let used = held.iter().filter(|held| taken.contains(*held));
        body.extend(used.map(|held| Line::Assign(held.clone(), name(own(held)))));
        let params = [FRAME.to_owned()].into_iter().chain(held.iter().map(own)).collect();
        Stmt::Class { name: class.to_owned(), params, body, getters }
    }

    /// The function that makes a view of a message that was checked.
    fn opening(&mut self, id: RoutineId, class: &str) -> Stmt {
        let routine = &self.module[id];
        let own = self.usual[id.0 as usize].clone();
        let (params, mut body) = self.usual_body(id, Scope::called(routine, own.clone()));
        let gives = routine.body.gives.iter().map(|arg| body.arg(*arg));
        let args = [name(FRAME)].into_iter().chain(gives).collect();
        body.lines.push(Line::Return(make(class, args)));
        let params = [FRAME.to_owned()].into_iter().chain(params).collect();
        Stmt::Code { name: own, params, body: body.lines }
    }

    /// The tables of what views read, and the functions that they call, with all that these call.
    fn called(mut self) -> Code {
        let mut done = BTreeSet::new();
        while let Some(id) = self.asked.difference(&done).next().copied() {
            done.insert(id);
            let stem = self.usual[id as usize].clone();
            let function = self.usual_routine(RoutineId(id), Scope::called(&self.module[RoutineId(id)], stem));
            self.found.push(function);
        }
        self.found
    }
}
