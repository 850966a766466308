//! Drafts: messages whose fields are set where they lie, without a value in between. There is a class for each record that a message
//! is, or has in place; its setters are routines that set.

use crate::body::{Body, OUT};
use crate::kinds::{Kinds, Val};
use crate::split;
use crate::tree::{name, Expr, Line, Member, Word};
use crate::write::{can_fault, Writing};
use aldis_plan::Plan;
use aldis_routine::{expand_routine, Fixed, Put, RoutineId, Ty, WRITTEN};
use aldis_schema::{Field, TypeId};
use std::collections::BTreeSet;

/// The variable that holds the value which is set.
pub const VALUE: &str = "value";

/// The code that sets a field.
pub struct Set {
    pub lines: Vec<Line>,
    /// The variable that says where the record is.
    pub at: String,
    /// A value that is refused may have been stored in part: it is to be tried elsewhere first.
    pub is_composed: bool,
}

impl Set {
    /// Whether the lines are a method of their own, which may be made of parts.
    pub fn is_long(&self) -> bool {
        split::is_long(&self.lines)
    }

    /// The method that sets the field of the message in a state to a value of that type, and the parts that it is made of where it is
    /// too long.
    pub fn method(self, kinds: &Kinds<'_>, name: String, ty: String) -> Vec<Member> {
        let params = vec![("int".to_owned(), self.at), (ty, VALUE.to_owned())];
        let method = split::Method { access: "private", name, gives: "void", state: ("Out", OUT), params };
        method.members(kinds.dialect, self.lines)
    }
}

/// A draft of a record in a form.
pub struct Draft<'m> {
    pub record: TypeId,
    pub class: String,
    /// Where the record's first run is in messages of it, if it is one that drafts can begin as.
    pub start: Option<u32>,
    /// By the index of the field.
    pub setters: Vec<Setter<'m>>,
    pub nests: Vec<Nest>,
}

/// A field that is set.
pub struct Setter<'m> {
    pub index: usize,
    pub field: &'m Field,
    routine: RoutineId,
    is_scalar: bool,
}

/// A record in place, whose fields can be set.
pub struct Nest {
    pub index: usize,
    pub class: String,
    record: TypeId,
    /// How much farther its fields lie than those of a draft of its own.
    pub shift: u32,
}

impl<'m> Writing<'m> {
    /// The drafts of all messages of the form, and of the records in them.
    pub fn drafts(&self) -> Vec<Draft<'m>> {
        let module = self.module;
        let schema = &module.schema;
        let mut next: Vec<(TypeId, Option<u32>)> = Vec::new();
        for (message, start) in schema.messages.iter().zip(&module.starts) {
            if start.is_some() && self.kinds.names.is_own(message.record) {
                next.push((message.record, *start));
            }
        }
        let (mut drafts, mut known) = (Vec::new(), BTreeSet::new());
        // Messages come first, so that a record which is one and lies in others is known as one.
        let mut index = 0;
        while let Some((record, start)) = next.get(index).copied() {
            index += 1;
            let fixed = module.fixed[record.index()].as_ref().filter(|fixed| !fixed.is_empty());
            if let Some(fixed) = fixed.filter(|_| known.insert(record)) {
                let draft = self.draft((record, start), fixed);
                next.extend(draft.nests.iter().map(|nest| (nest.record, None)));
                drafts.push(draft);
            }
        }
        drafts
    }

    fn draft(&self, (record, start): (TypeId, Option<u32>), fixed: &Fixed) -> Draft<'m> {
        let module = self.module;
        let fields = &module.schema.record(record).fields;
        let entries = &module.blanks[fixed.blank.0 as usize].entries;
        let setter = |(field, routine): &(u32, RoutineId)| {
            let entry = entries.iter().find(|entry| entry.field == Some(*field));
            let index = *field as usize;
            let is_scalar = entry.is_some_and(|entry| matches!(entry.put, Put::Scalar(_)));
            Setter { index, field: &fields[index], routine: *routine, is_scalar }
        };
        // A fault within a draft of its own would show what is hidden.
        let shown = fixed.nests.iter().filter(|(field, ..)| !fields[*field as usize].hidden);
        let nests = shown.map(|(field, of, shift)| {
            let class = self.kinds.names.draft(*of, self.suffix).to_owned();
            Nest { index: *field as usize, class, record: *of, shift: *shift }
        });
        let nests = nests.collect();
        let class = self.kinds.names.draft(record, self.suffix).to_owned();
        Draft { record, class, start, setters: fixed.setters.iter().map(setter).collect(), nests }
    }

    /// The lines that set a field to a value, with the test that it is null: of numbers nothing where it is none.
    pub fn set(&self, setter: &Setter<'_>, value: &Expr, absent: Option<Expr>) -> Set {
        let routine = expand_routine(self.module, self.module[setter.routine].clone(), &WRITTEN);
        let mut body = Body::new(self.module, self.kinds, &routine);
        body.name(VALUE);
        let at = body.name("at");
        for param in routine.params.iter() {
            match body.ty(*param) {
                Ty::Given => {
                    let val = Val { expr: value.clone(), ty: setter.field.ty.clone(), absent: absent.clone() };
                    body.bind(*param, val);
                }
                Ty::Pos => body.is(*param, name(at.as_str())),
                _ => {}
            }
        }
        Writing::new(self.module, self.kinds, self.suffix).block(&mut body, &routine.body);
        let is_composed = !setter.is_scalar && can_fault(&body.lines);
        Set { lines: body.lines, at, is_composed }
    }
}

/// Whether lines ask the state of writing for more than its bytes.
pub fn calls_state(lines: &[Line]) -> bool {
    let state = name(OUT);
    let mut found = false;
    split::walk(lines, &mut |expr| found |= matches!(expr, Expr::Call(of, ..) if **of == state));
    found
}

/// Whether lines call functions of a class of the runtime.
fn call_class(lines: &[Line], class: &str) -> bool {
    let mut found = false;
    split::walk(lines, &mut |expr| {
        let function = match expr {
            Expr::Run(Word::Runtime(function), _) => function,
            Expr::Run(Word::Own(function), _) => function.as_str(),
            _ => return,
        };
        found |= function.split_once('.').is_some_and(|(of, _)| of == class);
    });
    found
}

/// The classes of the runtime that the methods of a draft name, out of these: of faults, of messages that are written, of stores.
pub fn named<'c>(members: &[Member], [fault, out, wire]: [&'c str; 3], is_composed: bool) -> Vec<&'c str> {
    let bodies = || {
        members.iter().filter_map(|member| match member {
            Member::Method { body, .. } => Some(body.as_slice()),
            _ => None,
        })
    };
    let named = [
        (fault, bodies().any(split::is_framed)),
        (out, is_composed || bodies().any(|body| call_class(body, "Out"))),
        (wire, bodies().any(|body| call_class(body, "Wire"))),
    ];
    named.into_iter().filter_map(|(class, is_named)| is_named.then_some(class)).collect()
}

/// A sentence that says what the draft of a message is.
pub fn doc(kinds: &Kinds<'_>, plan: &Plan, draft: &Draft<'_>) -> String {
    let full = kinds.schema.type_def(draft.record).name.full();
    match draft.start {
        Some(_) => format!(
            "A {full} in form {}, whose fields at fixed places are set where they lie. A value that is refused changes nothing.",
            plan.form.name
        ),
        None => format!("A {full} in a message in form {}, whose fields are set where they lie.", plan.form.name),
    }
}
