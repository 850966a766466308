//! The types of a routine's values: what a value becomes tells what it is.

use aldis_plan::Shape;
use aldis_routine::{Arg, Block, Module, Routine, Subject, Sym, What};
use aldis_schema::{Field, Type};

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub(crate) struct Kind<'m> {
    pub ty: Type,
    /// The field that it is the value of.
    pub field: Option<&'m Field>,
}

/// By symbol; nothing for those that are no values.
pub(crate) struct Kinds<'m> {
    module: &'m Module,
    of: Vec<Option<Kind<'m>>>,
}

impl<'m> Kinds<'m> {
    pub fn new(module: &'m Module, routine: &Routine) -> Self {
        let mut kinds = Self { module, of: vec![None; routine.symbols.len()] };
        let whole = match routine.of {
            Subject::Record(id) => Some(Kind { ty: Type::Named(id), field: None }),
            Subject::Message(_) => None,
        };
        kinds.block(&routine.body, &[whole]);
        kinds
    }

    pub fn module(&self) -> &'m Module {
        self.module
    }

    pub fn of(&self, sym: Sym) -> Option<&Kind<'m>> {
        self.of[sym.0 as usize].as_ref()
    }

    /// The type of a value. What nobody takes has none, and may be anything.
    pub fn ty(&self, sym: Sym) -> &Type {
        self.of(sym).map_or(&Type::Void, |kind| &kind.ty)
    }

    fn set(&mut self, sym: Sym, kind: Option<Kind<'m>>) {
        if kind.is_some() {
            self.of[sym.0 as usize] = kind;
        }
    }

    fn block(&mut self, block: &Block, gives: &[Option<Kind<'m>>]) {
        for (arg, kind) in block.gives.iter().zip(gives) {
            if let Arg::Sym(sym) = arg {
                self.set(*sym, kind.clone());
            }
        }
        // What takes a value comes behind what makes it.
        for op in block.ops.iter().rev() {
            let bound: Vec<Option<Kind<'m>>> = op.binds.iter().map(|sym| self.of(*sym).cloned()).collect();
            match &op.what {
                What::Make { record, fields } => {
                    let module = self.module;
                    for (sym, field) in fields.iter().zip(&module.schema.record(*record).fields) {
                        self.set(*sym, Some(Kind { ty: field.ty.clone(), field: Some(field) }));
                    }
                }
                What::If { then, other, .. } => {
                    self.block(then, &bound);
                    self.block(other, &bound);
                }
                What::Within { body, .. } | What::Level { body, .. } => self.block(body, &bound),
                What::Each { of, body, .. } => {
                    let list = &self.module[*of];
                    let kind = |ty: &Type| Some(Kind { ty: ty.clone(), field: None });
                    let items = match (list.shape, &list.ty) {
                        (Shape::Map, Type::Map { key, value, .. }) => vec![kind(key), kind(value)],
                        (_, ty) => vec![kind(ty.element())],
                    };
                    self.block(body, &items);
                }
                _ => {}
            }
        }
    }
}
