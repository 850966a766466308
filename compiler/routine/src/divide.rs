//! Fast and careful, told apart once a run.

use crate::code::{Code, Emit};
use crate::module::{Module, Routine};
use crate::op::{Block, Have, Op, Ty, What};
use crate::operand::{Arg, Sym};
use crate::visit;

/// The same module, in which fields that may not all be there are read without asking for each where [`What::Whole`] says that they
/// all are.
pub fn divide(module: &Module) -> Module {
    let mut divided = module.clone();
    for routine in &mut divided.routines {
        let mut code = Code::with(routine.symbols.to_vec());
        let body = rebuilt(&mut code, &routine.body);
        *routine = Routine { body, symbols: code.symbols.into(), ..routine.clone() };
    }
    divided
}

fn rebuilt(code: &mut Code, block: &Block) -> Block {
    let mut rebuilt = code.block(block.takes.clone(), |code| {
        for op in &block.ops {
            match op.what {
                What::Fields { table, at, have: Have::Within { extent, version } } => {
                    let test = code.role(What::Whole { table, extent, version }, Ty::Bool, "whole");
                    let then = fields(code, op, What::Fields { table, at, have: Have::All });
                    let other = fields(code, op, op.what.clone());
                    code.push(Op { binds: op.binds.clone(), what: What::If { test, then, other } });
                }
                _ => {
                    let mut op = op.clone();
                    for block in visit::blocks_mut(&mut op.what) {
                        *block = self::rebuilt(code, block);
                    }
                    code.push(op);
                }
            }
        }
        Vec::new()
    });
    rebuilt.gives.clone_from(&block.gives);
    rebuilt
}

/// A block of the one operation, which gives what it binds.
fn fields(code: &mut Code, like: &Op, what: What) -> Block {
    code.block(Vec::new(), |code| {
        let binds: Vec<Sym> = like.binds.iter().map(|bind| code.like((*bind).into())).collect();
        code.push(Op { binds: binds.clone(), what });
        binds.into_iter().map(Arg::from).collect()
    })
}
