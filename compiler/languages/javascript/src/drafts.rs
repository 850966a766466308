//! `NAME_draft.js`: messages whose fields are set where they lie, without a value in between. A draft begins as the bytes of a message;
//! it has a setter for each field whose place does not depend on other values, printed from a routine (`aldis_routine::Purpose::Set`),
//! and gives a draft of each record in place.

use crate::form::Form;
use crate::js::{
    accessor, binary, call, constant, import_all, import_types, int, make, name, needs, Access, Code, Line, Member,
    Stmt, FRAME,
};
use crate::names::Known;
use crate::values::Values;
use crate::write::Writing;
use aldis_plan::Plan;
use aldis_routine::{Fixed, Module, RoutineId};
use aldis_schema::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// Fields, each with what stands for it.
type Fields<T> = [(u32, T)];

/// The classes of one form by their records, and what is printed of them.
#[derive(Default)]
struct Drafts {
    classes: BTreeMap<TypeId, [String; 2]>,
    code: Code,
    /// The types that declarations refer to.
    types: BTreeSet<String>,
}

/// The module of drafts.
pub(crate) fn module(
    values: &mut Values<'_>,
    plans: &[(&Plan, Module)],
    forms: &[Form],
    news: &BTreeMap<TypeId, String>,
) -> Code {
    let (mut code, mut types) = (Code::default(), BTreeSet::new());
    values.elsewhere = true;
    for ((plan, module), form) in plans.iter().zip(forms) {
        values.order = plan.byte_order;
        let mut drafts = Drafts::default();
        drafts.messages(values, (plan, module), form, news);
        code.append(drafts.code);
        types.extend(drafts.types);
    }
    values.elsewhere = false;
    let from = values.names.beside("");
    let head = [("d", "@aldis/codec/draft"), ("w", "@aldis/codec/write"), ("c", &from)];
    let imports = values.names.imports(&values.names.taken());
    let head = head.map(|(own, from)| import_all(own, from)).into_iter();
    let head = head.chain(imports.iter().cloned()).chain(values.asked_import());
    let mut whole: Code = head.chain([needs("d.needs", values.names.file("_draft"))]).collect();
    whole.declare(import_types(["Draft"], "@aldis/codec"));
    whole.declare(import_types(types, from));
    imports.into_iter().for_each(|import| whole.declare(import));
    whole.append(code);
    whole
}

impl Drafts {
    fn messages(
        &mut self,
        values: &mut Values<'_>,
        (plan, module): (&Plan, &Module),
        form: &Form,
        news: &BTreeMap<TypeId, String>,
    ) {
        let suffix = plan.form.suffix.as_str();
        for (index, message) in plan.schema.messages.iter().enumerate() {
            let (Known::Own(encode), Some(start)) = (&form.encoders[index], module.starts[index]) else { continue };
            let (Some(fixed), Some(new)) = (&module.fixed[message.record.index()], news.get(&message.record)) else {
                continue;
            };
            if fixed.is_empty() {
                continue;
            }
            let [class, ty] = self.class(values, module, message.record, suffix);
            let draft = values.names.verb("draft", message.record, &[suffix]);
            let fresh = call(format!("c.{new}"), vec![name("init")]);
            let begun = call(format!("c.{encode}"), vec![fresh]);
            let begun = call("d.begin", vec![name(class), begun, int(start)]);
            let doc = format!(
                "A draft of a `{}` in form {}: it begins with these fields, and the defaults of others. Throws what `{encode}` would.",
                plan.schema.type_def(message.record).name.full(),
                plan.form.name
            );
            let of = values.names.of(message.record);
            self.code.export(&draft, (&["init"], begun), &doc, format!("(init?: Partial<{of}>): {ty} & Draft"));
        }
    }

    /// The class of a record's drafts and its type; they are made if they are not there.
    fn class(&mut self, values: &mut Values<'_>, module: &Module, record: TypeId, suffix: &str) -> [String; 2] {
        if let Some(known) = self.classes.get(&record) {
            return known.clone();
        }
        let own = [values.names.routine(record, suffix, "draft"), values.names.interface(record, suffix, "Draft")];
        self.classes.insert(record, own.clone());
        let Some(Fixed { setters, nests, .. }) = &module.fixed[record.index()] else { return own };
        let fields = values.names.fields(record).to_vec();
        let place = || name("this.$at");
        let (mut members, mut inner) = (Vec::new(), Vec::new());
        // A fault within a draft of its own would show what is hidden.
        let schema = values.schema;
        let is_shown = |field: u32| !schema.record(record).fields[field as usize].hidden;
        for (field, of, shift) in nests.iter().filter(|(field, ..)| is_shown(*field)) {
            let [class, ty] = self.class(values, module, *of, suffix);
            let at = if *shift == 0 { place() } else { binary(place(), "+", int(*shift)) };
            let lines = vec![Line::Return(make(class, vec![name("this.$"), at]))];
            members.push(accessor("get", &fields[*field as usize], "", lines));
            inner.push((*field, ty));
        }
        let mut writing = Writing::setting(module, values);
        let setter = |(field, routine): &(u32, RoutineId)| {
            let (params, body) = writing.body(&module[*routine]);
            let [value, at] = params.as_slice() else { unreachable!("what sets takes a value and a place") };
            let is_nest = nests.iter().any(|(nest, ..)| nest == field);
            let no_draft = is_nest.then(|| Line::Do(call("d.noDraft", vec![name(value.as_str())])));
            let found = [constant(FRAME.to_owned(), name("this.$")), constant(at.clone(), place())];
            let found = no_draft.into_iter().chain(found);
            accessor("set", &fields[*field as usize], value, found.chain(body).collect())
        };
        members.extend(setters.iter().map(setter));
        self.declare(values, record, &own[1], (setters, &inner));
        self.code.push(Stmt::Accessors { name: own[0].clone(), base: "d.Part", members });
        own
    }

    /// The interface of a record's drafts. It says of each setter what type it takes.
    fn declare(
        &mut self,
        values: &mut Values<'_>,
        record: TypeId,
        own: &str,
        (setters, nests): (&Fields<RoutineId>, &Fields<String>),
    ) {
        let ty = values.names.of(record).to_owned();
        let fields = values.names.fields(record);
        let member = |field: u32, access: Access, ty: String| Member {
            doc: String::new(),
            name: fields[field as usize].clone(),
            access,
            ty,
        };
        // Without a getter of its own, a property would have the type that it is set to.
        let unread = setters.iter().filter(|(field, _)| nests.iter().all(|(nest, _)| nest != field));
        let unread: Vec<(u32, String)> = unread.map(|(field, _)| (*field, "undefined".to_owned())).collect();
        let getters = nests.iter().cloned().chain(unread);
        let mut members: Vec<(u32, Member)> =
            getters.map(|(field, ty)| (field, member(field, Access::Get, ty))).collect();
        for (field, _) in setters {
            let name = aldis_emit::quoted(&fields[*field as usize]);
            members.push((*field, member(*field, Access::Set, format!("{ty}[{name}]"))));
        }
        members.sort_by_key(|(field, _)| *field);
        let members = members.into_iter().map(|(_, member)| member).collect();
        let doc = format!("The setters of a `{}`'s fields.", values.schema.type_def(record).name.full());
        if values.names.is_own(record) {
            self.types.insert(ty);
        }
        self.code.declare(Stmt::Interface { doc, name: own.to_owned(), members });
    }
}
