//! Routines as functions, for messages as this schema's own writers write them: a `struct` call for a stretch of bytes, records that are not
//! large in the place where they are read, no budget and no depth where none can run out. Whatever is odd is left to the careful
//! reader, which says what it is: so a function may refuse what it likes, and must not give anything but what the careful one gives.
//!
//! That nothing is visited twice bounds what reading is charged, which is at most 8 for each byte: in plain bytes values lie one behind the
//! other, in the order in which they are read, and a link must lead there. Pointers may lead anywhere, so what they lead to is counted.

mod body;
mod cells;
mod control;
mod guard;
mod out;
mod put;
mod read;
mod segments;
mod words;
mod write;

use crate::names::TAKEN;
use crate::py::{apply, assign, call, import, name, string, Expr, Stmt};
use crate::values::Values;
use aldis_emit::names::Scope;
use aldis_plan::{ByteOrder, Extent, Plan, Step};
use aldis_routine::{levels, visit, Arg, Block, Hint, Module, Purpose, RoutineId, Subject, Sym, What};
use aldis_schema::{TypeId, TypeKind};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Records with more operations have a function of their own.
const SMALL: usize = 120;
/// The levels that the default limits have.
pub(crate) const DEPTH: u32 = 64;

/// Names that functions use beside those of the schema.
const USED: &str = "Any DATA_ENDS Flags NAN Odd READERS Struct TEXT_ENDS WRITERS annotations any bit_octets bits bool bools bytearray bytes \
    canonical_words char_code chr d decimal_octets decimal_of dict end double_bits double_of flat float_bits float_of floats full \
    left len list many map one_message ord out packed packed_words range rest size uuid_octets uuid_of v zip";

/// All names that modules of functions use and no class of a schema can have there.
pub(crate) fn used() -> Vec<&'static str> {
    USED.split(' ').chain(TAKEN.iter().copied()).collect()
}

/// The functions of one form in the making.
pub(crate) struct Fast<'a> {
    pub plan: &'a Plan,
    pub module: &'a Module,
    pub values: &'a Values<'a>,
    /// Names that no local variable can have.
    taken: Arc<Scope<()>>,
    /// `struct` methods by format and method.
    structs: Vec<(String, &'static str)>,
    numbers: BTreeSet<TypeId>,
    unions: BTreeSet<TypeId>,
    tagged: BTreeSet<TypeId>,
    helpers: BTreeSet<&'static str>,
    /// Collections are the form's business.
    asks_form: bool,
    functions: Vec<Stmt>,
    /// By routine: its function's name.
    names: Vec<String>,
    printed: HashMap<RoutineId, bool>,
    facts: Vec<Facts>,
    /// By routine: levels of records, but for those of open values; none where they nest without end.
    levels: Vec<Option<u32>>,
    /// Whether values are found by links.
    is_linked: bool,
}

/// The facts about a routine before it is printed.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// The newest version that any field was added by.
    newest: u32,
    /// Operations, those of the records in it too.
    weight: usize,
    /// The size of its run, where a head says it.
    acting: Option<u64>,
}

impl<'a> Fast<'a> {
    fn new(plan: &'a Plan, module: &'a Module, values: &'a Values<'a>) -> Self {
        let own = used().into_iter().map(str::to_owned);
        let own: Vec<String> = own.chain(values.classes()).collect();
        let mut taken = Scope::new(own.iter().map(String::as_str), ());
        let names = module.routines.iter().map(|routine| {
            let verb = match (routine.purpose, routine.of) {
                (Purpose::Read, Subject::Record(_)) => "read",
                (Purpose::Read, Subject::Message(_)) => "read_message",
                (Purpose::Targets, _) => "targets",
                (_, Subject::Record(_)) => "write",
                (_, Subject::Message(_)) => "write_message",
            };
            taken.fresh(&format!("{verb}_{}", values.names.of(routine.of.record(module))), ())
        });
        let names: Vec<String> = names.collect();
        let mut fast = Self {
            plan,
            module,
            values,
            taken: Arc::new(taken),
            structs: Vec::new(),
            numbers: BTreeSet::new(),
            unions: BTreeSet::new(),
            tagged: BTreeSet::new(),
            helpers: BTreeSet::new(),
            asks_form: false,
            functions: Vec::new(),
            names,
            printed: HashMap::new(),
            facts: Vec::new(),
            levels: levels(module, 0),
            is_linked: module.routines.iter().any(|routine| read::links(&routine.body)),
        };
        fast.facts =
            (0..module.routines.len()).map(|index| fast.facts_of(RoutineId(index as u32), &mut Vec::new())).collect();
        fast
    }

    /// The module: a function for each message that reads it, gathered by message.
    pub fn module(plan: &'a Plan, module: &'a Module, values: &'a Values<'a>) -> Vec<Stmt> {
        let mut refused = HashMap::new();
        loop {
            let mut fast = Self::new(plan, module, values);
            // Records that hold one another call functions that are being printed, and may turn out not to be there: again without those.
            fast.printed.clone_from(&refused);
            let found = fast.statements();
            let odd: HashMap<RoutineId, bool> = fast.printed.into_iter().filter(|(_, is_there)| !is_there).collect();
            if odd.len() == refused.len() {
                return found;
            }
            refused = odd;
        }
    }

    fn statements(&mut self) -> Vec<Stmt> {
        let module = self.module;
        let has_segments = self.has_segments();
        let readers = module.messages.iter().map(|id| (*id, self.read(*id))).collect::<Vec<_>>();
        let mut write = |id| if has_segments { self.write_message(id) } else { self.write(id) };
        let writers = module.writers.iter().map(|id| (*id, write(*id))).collect::<Vec<_>>();
        let [readers, writers] = [readers, writers].map(|all| {
            let all = all.into_iter().map(|(id, is_there)| if is_there { self.function(id) } else { name("None") });
            Expr::Tuple(all.collect())
        });
        let mut found = vec![import("from __future__ import annotations"), import("from struct import Struct")];
        found.extend(crate::py::typing(Vec::new()));
        if !self.helpers.is_empty() {
            let helpers = self.helpers.iter().map(|helper| ((*helper).to_owned(), (*helper).to_owned())).collect();
            found.push(Stmt::From { module: "aldis.fast".to_owned(), names: helpers });
        }
        let own = crate::names::form_name(self.plan);
        found.extend(self.asks_form.then(|| import(format!("from ._codec import {own} as _form"))));
        found.extend(self.values.names.imports("", &self.values.classes()));
        found.extend(self.numbers.iter().map(|id| self.numbers_of(*id)));
        found.extend(self.unions.iter().map(|id| self.arms_of(*id, false)));
        found.extend(self.tagged.iter().map(|id| self.arms_of(*id, true)));
        for (index, (format, method)) in self.structs.iter().enumerate() {
            let made = call("Struct", vec![string(format.as_str())]);
            found.push(assign(format!("_s{index}"), None, Expr::Attribute(Box::new(made), method)));
        }
        found.append(&mut self.functions);
        found.push(assign("READERS", Some("Any"), readers));
        found.push(assign("WRITERS", Some("Any"), writers));
        found
    }

    pub fn function(&self, id: RoutineId) -> Expr {
        name(self.names[id.0 as usize].as_str())
    }

    pub fn helper(&mut self, helper: &'static str) -> Expr {
        self.helpers.insert(helper);
        name(helper)
    }

    /// A call of a helper, which the module then has.
    pub fn helped(&mut self, helper: &'static str, args: Vec<Expr>) -> Expr {
        apply(self.helper(helper), args)
    }

    fn of_form(&mut self, method: &str, args: Vec<Expr>) -> Expr {
        self.asks_form = true;
        call(method, args)
    }

    /// A method of the `struct` of a format, which begins with no order of bytes.
    pub fn format(&mut self, format: &str, method: &'static str) -> Expr {
        let wanted = (format!("{}{format}", self.order()), method);
        let known = self.structs.iter().position(|known| *known == wanted);
        let index = known.unwrap_or_else(|| {
            self.structs.push(wanted);
            self.structs.len() - 1
        });
        name(format!("_s{index}"))
    }

    pub fn order(&self) -> char {
        ['<', '>'][usize::from(self.module.byte_order == ByteOrder::Big)]
    }

    /// The function or table that makes enums or flags of numbers.
    fn number(&mut self, id: TypeId) -> Expr {
        self.numbers.insert(id);
        if matches!(self.values.schema.type_def(id).kind, TypeKind::Flags(_)) {
            self.helpers.insert("Flags");
        }
        name(format!("_of_{}", self.values.names.of(id)))
    }

    fn numbers_of(&self, id: TypeId) -> Stmt {
        let class = self.values.names.of(id);
        let made = match self.values.schema.type_def(id).kind {
            TypeKind::Flags(_) => call("Flags", vec![name(class)]),
            _ => name(format!("{class}._value2member_map_.get")),
        };
        assign(format!("_of_{class}"), Some("Any"), made)
    }

    /// The classes of a union's arms, by tag.
    fn arms(&mut self, id: TypeId) -> Expr {
        self.unions.insert(id);
        name(format!("_arms_{}", self.values.names.of(id)))
    }

    /// The tags of a union's arms, by class.
    fn tags(&mut self, id: TypeId) -> Expr {
        self.tagged.insert(id);
        name(format!("_tags_{}", self.values.names.of(id)))
    }

    fn arms_of(&self, id: TypeId, by_class: bool) -> Stmt {
        let classes = self.values.names.members(id).iter().map(|class| name(class.as_str()));
        let tags = self.values.schema.union(id).arms.iter().map(|arm| crate::py::int(arm.tag));
        let (own, all) = match by_class {
            true => ("tags", classes.zip(tags).collect()),
            false => ("arms", tags.zip(classes).collect()),
        };
        assign(format!("_{own}_{}", self.values.names.of(id)), Some("Any"), Expr::Dict(all))
    }

    /// Bytes of data and of pointers of a record in segments, as writers write it.
    pub fn sections(&self, record: TypeId) -> Option<(u32, u32)> {
        self.plan.layouts[record.index()].as_ref()?.steps.iter().find_map(|step| match step {
            Step::Run(run) => match run.extent {
                Extent::Sections { data } => Some((data, run.size - data)),
                _ => None,
            },
            Step::Part { .. } => None,
        })
    }

    /// Whether a routine's operations belong where it is called.
    fn is_inlined(&self, id: RoutineId) -> bool {
        self.levels[id.0 as usize].is_some() && self.facts[id.0 as usize].weight <= SMALL
    }

    fn facts_of(&self, id: RoutineId, above: &mut Vec<RoutineId>) -> Facts {
        let routine = &self.module[id];
        if !matches!(routine.purpose, Purpose::Read | Purpose::Write | Purpose::Targets) || above.contains(&id) {
            return Facts::default();
        }
        if let Some(known) = self.facts.get(id.0 as usize) {
            return known.clone();
        }
        above.push(id);
        let mut facts = Facts::default();
        self.gather(&routine.body, &mut facts, above);
        above.pop();
        let extent = routine.params.iter().find(|param| self.is_role(id, **param, "extent"));
        let taken = extent.and_then(|extent| acting(&routine.body, *extent));
        facts.acting = taken.map(|table| self.module[table].size.into());
        facts
    }

    fn gather(&self, block: &Block, facts: &mut Facts, above: &mut Vec<RoutineId>) {
        for op in &block.ops {
            facts.weight += 1;
            match &op.what {
                What::Fields { table, .. } => facts.newest = facts.newest.max(self.module[*table].newest),
                What::Present { since, .. } => facts.newest = facts.newest.max(*since),
                // Groups and data of variable length: only versions are asked so.
                What::AtLeast { b: Arg::Const(since), .. } => facts.newest = facts.newest.max(*since as u32),
                What::Call { routine, .. } => {
                    let called = self.facts_of(*routine, above);
                    facts.weight += called.weight;
                    facts.newest = facts.newest.max(called.newest);
                }
                _ => {}
            }
            visit::blocks(&op.what).into_iter().for_each(|block| self.gather(block, facts, above));
        }
    }

    /// Whether a symbol is for that.
    fn is_role(&self, id: RoutineId, sym: Sym, role: &str) -> bool {
        matches!(self.module[id].symbols[sym.0 as usize].hint, Hint::Role(own) if own == role)
    }

    /// Symbols that a block hands to parameters of that role, with the routines that take them.
    fn handed(&self, block: &Block, role: &str, found: &mut Vec<(Sym, RoutineId)>) {
        for op in &block.ops {
            if let What::Call { routine, args } = &op.what {
                let params = self.module[*routine].params.iter().zip(args);
                found.extend(params.filter_map(|(param, arg)| match arg {
                    Arg::Sym(sym) if self.is_role(*routine, *param, role) => Some((*sym, *routine)),
                    _ => None,
                }));
            }
            visit::blocks(&op.what).into_iter().for_each(|block| self.handed(block, role, found));
        }
    }
}

/// The table of the run whose size is that parameter.
fn acting(block: &Block, extent: Sym) -> Option<aldis_routine::TableId> {
    block.ops.iter().find_map(|op| match &op.what {
        What::Extent { table, acting: Arg::Sym(own), .. } if *own == extent => Some(*table),
        what => visit::blocks(what).into_iter().find_map(|block| acting(block, extent)),
    })
}
