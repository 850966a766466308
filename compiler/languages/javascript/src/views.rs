//! `NAME_view.js`: messages that are checked as a whole, and whose fields are read where they lie, each when it is asked for. Views are
//! printed from routines of their own (`aldis_routine::Purpose::View`), as functions for messages as they usually are; of others the
//! view is their value. A record within a view is a view of the same memory.

use crate::form::Form;
use crate::js::{
    accessor, assign, call, constant, import_all, import_types, make, method, name, needs, Class, Code, Expr, Line,
    Stmt, FRAME,
};
use crate::names::Known;
use crate::read::{Reading, Scope};
use crate::usual::Body;
use crate::values::Values;
use aldis_plan::{Container, Plan};
use aldis_routine::{Arg, Hint, Module, Op, Purpose, Routine, RoutineId, Subject, Sym, Ty};
use aldis_schema::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// The module of views.
pub(crate) fn module(values: &mut Values<'_>, plans: &[(&Plan, Module)], forms: &mut [Form]) -> Code {
    let mut code = Code::default();
    values.elsewhere = true;
    // Words that were packed are those of the form with a table that is not: its functions open views of both.
    let mut tabled = BTreeMap::new();
    for ((plan, module), form) in plans.iter().zip(forms) {
        values.order = plan.byte_order;
        views(values, (plan, module), form, &mut tabled, &mut code);
    }
    values.elsewhere = false;
    let from = values.names.beside("");
    let head = [("r", "@aldis/codec/read"), ("v", "@aldis/codec/view"), ("c", &from)];
    let head =
        head.map(|(own, from)| import_all(own, from)).into_iter().chain(values.names.imports(&values.names.taken()));
    let head = head.chain(values.asked_import()).chain([needs("r.needs", values.names.file("_view"))]);
    let own = values.schema.messages.iter().filter(|message| values.names.is_own(message.record));
    let types: BTreeSet<String> = own.map(|message| values.names.of(message.record).to_owned()).collect();
    let mut whole: Code = head.collect();
    whole.declare(import_types(["Limits"], "@aldis/codec"));
    whole.declare(import_types(types, from));
    whole.append(code);
    whole
}

fn views(
    values: &mut Values<'_>,
    (plan, module): (&Plan, &Module),
    form: &mut Form,
    tabled: &mut BTreeMap<usize, String>,
    code: &mut Code,
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
                let open = module.opens[index];
                found.extend(reading.opened(index, suffix));
                reading.usual[open.0 as usize].clone()
            }
        };
        if has_table {
            tabled.insert(index, open.clone());
        }
        let args = [format!("c.{verify}"), format!("c.{decode}"), open];
        let args = args.into_iter().chain(["bytes", "limits"].map(str::to_owned)).map(name).collect();
        let opened = call("v.view", args);
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
        found.export(&view, (&["bytes", "limits"], opened), &doc, ty);
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

/// The properties of a view that hold what a routine takes.
fn held(routine: Option<&Routine>) -> Vec<String> {
    routine.map_or_else(Vec::new, |routine| held_params(routine).collect())
}

fn held_params(routine: &Routine) -> impl Iterator<Item = String> + Clone + '_ {
    routine.params.iter().map(|param| property(routine, *param))
}

impl<'m> Reading<'m, '_, '_> {
    /// The function that opens a message, behind the class of its views where no other view holds one.
    fn opened(&mut self, message: usize, suffix: &str) -> Vec<Stmt> {
        let module = self.module;
        let record = module.schema.messages[message].record;
        let taken = module.routines.iter().position(|routine| {
            routine.purpose == Purpose::Take && matches!(routine.of, Subject::Record(of) if of == record)
        });
        let frame = module.views[record.index()].first().map(|view| &module[*view]);
        if let Some(taken) = taken {
            self.asked.insert(taken as u32);
            let class = self.usual[taken].clone();
            return vec![self.opening(module.opens[message], &class, [frame, Some(&module.routines[taken])])];
        }
        let class = self.values.names.routine(record, suffix, "view");
        vec![self.class(record, &class, frame), self.opening(module.opens[message], &class, [frame, frame])]
    }

    /// The class of a record's views, with a property for each field. It holds what `frame` takes, as far as a property needs it.
    fn class(&mut self, record: TypeId, class: &str, frame: Option<&'m Routine>) -> Stmt {
        let module = self.module;
        let fields = self.values.names.fields(record).to_vec();
        let mut taken = BTreeSet::new();
        let mut getters = Vec::new();
        for (field, id) in fields.into_iter().zip(&module.views[record.index()]) {
            let routine = &module[*id];
            let (params, mut body) = self.usual_body(*id, Scope::called(routine, format!("{class}_{field}")));
            let held = self.params[id.0 as usize].iter().map(|param| property(routine, *param));
            let held: Vec<String> = held.collect();
            let mut lines = vec![constant(FRAME.to_owned(), call("v.look", vec![name("this.$")]))];
            lines.extend(params.into_iter().zip(&held).map(|(own, held)| constant(own, name(held.as_str()))));
            taken.extend(held);
            lines.append(&mut body.lines);
            lines.extend(routine.body.gives.first().map(|value| Line::Return(body.arg(*value))));
            getters.push(accessor("get", &field, "", lines));
        }
        let held = held(frame);
        let own = |held: &String| held["this.".len()..].to_owned();
        let mut body = vec![assign("this.$".to_owned(), name("$"))];
        let used = held.iter().filter(|held| taken.contains(*held));
        body.extend(used.map(|held| assign(held.clone(), name(own(held)))));
        let params: Vec<String> = ["$".to_owned()].into_iter().chain(held.iter().map(own)).collect();
        let made = method(String::new(), format!("constructor({})", params.join(", ")), body);
        let members = [made].into_iter().chain(getters).collect();
        Stmt::Class(Class { doc: String::new(), head: format!("class {class}"), members })
    }

    /// The function that makes a view of a message that was checked. It finds what the views of the record take, of which the class
    /// holds a part.
    fn opening(&mut self, id: RoutineId, class: &str, [found, kept]: [Option<&'m Routine>; 2]) -> Stmt {
        let routine = &self.module[id];
        let own = self.usual[id.0 as usize].clone();
        let (params, mut body) = self.usual_body(id, Scope::called(routine, own.clone()));
        let kept = held(kept);
        let gives = held(found).into_iter().zip(&routine.body.gives).filter(|(found, _)| kept.contains(found));
        let gives: Vec<Expr> = gives.map(|(_, arg)| body.arg(*arg)).collect();
        let args = [call("v.hold", vec![name(FRAME)])].into_iter().chain(gives).collect();
        body.lines.push(Line::Return(make(class, args)));
        let params = [FRAME.to_owned()].into_iter().chain(params).collect();
        Stmt::Function { export: false, name: own, params, body: body.lines }
    }

    /// A record within a view is a view. What lies behind it is found without it.
    pub(crate) fn inner_view(&mut self, body: &mut Body<'m>, op: &'m Op, id: RoutineId, args: &'m [Arg]) {
        let module = self.module;
        self.asked.insert(id.0);
        let given = args.iter().map(|arg| body.arg(*arg)).collect::<Vec<_>>();
        let held = [name("this.$")].into_iter().chain(given).collect();
        let ty = |bind: &&Sym| body.scope.routine.symbols[bind.0 as usize].ty;
        let [value, behind] = [Ty::Val, Ty::Pos].map(|wanted| op.binds.iter().find(|bind| ty(bind) == wanted).copied());
        if let Some(value) = value {
            body.keep(value, make(&self.usual[id.0 as usize], held));
        }
        let Some(behind) = behind.filter(|behind| body.is_used(*behind)) else { return };
        let skips = |routine: &Routine| routine.purpose == Purpose::Skip && routine.of == module[id].of;
        let Some(skip) = module.routines.iter().position(skips) else {
            unreachable!("what is taken can be skipped where something lies behind it")
        };
        self.asked.insert(skip as u32);
        let taken = &self.params[skip];
        let roles = held_params(&module[id]).zip(args);
        let given = taken.iter().filter_map(|param| {
            let wanted = property(&module.routines[skip], *param);
            roles.clone().find(|(role, _)| *role == wanted).map(|(_, arg)| body.arg(*arg))
        });
        let given = given.collect();
        body.run(&self.usual[skip].clone(), given);
        body.keep(behind, name(format!("{FRAME}.at")));
    }

    /// The tables of what views read, and the functions that they call, with all that these call.
    fn called(mut self) -> Code {
        let mut done = BTreeSet::new();
        while let Some(id) = self.asked.difference(&done).next().copied() {
            done.insert(id);
            let stem = self.usual[id as usize].clone();
            let routine = &self.module[RoutineId(id)];
            let printed = match (routine.purpose, routine.of) {
                (Purpose::Take, Subject::Record(record)) => self.class(record, &stem, Some(routine)),
                _ => self.usual_routine(RoutineId(id), Scope::called(routine, stem)),
            };
            self.found.push(printed);
        }
        self.found
    }
}
