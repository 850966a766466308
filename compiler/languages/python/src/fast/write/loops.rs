//! Loops and calls of routines that write.

use super::super::body::{number, Body, Pos, Val};
use super::super::out::{anything, Piece, Slot, Table};
use super::super::read::Frame;
use super::{is_alone, items};
use crate::py::{apply, method, name, row, target, Expr, Stmt, Target};
use aldis_routine::{Arg, Block, RoutineId};

impl<'a> Body<'_, 'a> {
    /// A loop that writes: over elements, or the entries of a map.
    pub(in crate::fast) fn writing_loop(&mut self, frame: &mut Frame<'a>, block: &'a Block) {
        let index = block.takes[0];
        let Some((value, binds)) = items(block, index) else { return self.is_odd = true };
        let all = number(&frame.val(value));
        let end = self.tail.is_some().then(|| self.fresh("end"));
        if let (Some(end), Some(tail)) = (&end, self.tail.clone()) {
            let tail = self.place(&tail);
            self.set(end, tail);
            self.tail = Some(Pos { base: end.clone(), plus: 0 });
        }
        let names: Vec<String> = binds.iter().map(|bind| self.named(frame.id, *bind)).collect();
        for (bind, own) in binds.iter().zip(&names) {
            frame.set(*bind, Val::Is(name(own.as_str())));
        }
        let is_row = names.len() > 1;
        let tables = self.out.tables.len();
        self.begin();
        self.out.pieces.push(Vec::new());
        self.block(frame, block);
        let pieces = self.out.pieces.pop().unwrap_or_default();
        let cells = self.cells_of(tables);
        let is_single = matches!(pieces.as_slice(), [Piece::Fixed(..)]);
        let added = (!pieces.is_empty()).then(|| self.row_of(pieces));
        let last = self.tail.clone().filter(|own| Some(&own.base) != end.as_ref() || own.plus != 0);
        let last = last.map(|own| self.place(&own));
        let (mut lines, _) = self.finish(None);
        let target = Target { names, is_row };
        if let (true, true, true, Some(Expr::Tuple(one))) =
            (lines.is_empty(), is_single, last.is_none() && cells.is_none(), &added)
        {
            let list = self.keep("parts", Expr::Collect(Box::new(one[0].clone()), target, Box::new(all)));
            return self.piece_of(Piece::Many(list));
        }
        if let Some((list, value)) = cells {
            self.push(anything(&list, Some(Expr::List(Vec::new()))));
            lines.push(Stmt::Run(method(name(list), "append", vec![value])));
        }
        if let Some(added) = added {
            let list = self.fresh("parts");
            self.push(anything(&list, Some(Expr::List(Vec::new()))));
            lines.push(match added {
                Expr::Tuple(mut one) if one.len() == 1 => {
                    Stmt::Run(method(name(list.as_str()), "append", vec![one.remove(0)]))
                }
                added => Stmt::Change(list.clone(), "+=", added),
            });
            self.piece_of(Piece::Many(list));
        }
        if let (Some(end), Some(last)) = (&end, last) {
            lines.push(Stmt::Bind(crate::py::target(end.as_str()), last));
        }
        self.tail = end.map(|base| Pos { base, plus: 0 });
        self.push(Stmt::For { target, all, body: lines });
    }

    /// The list of the cells of the table that a loop fills in, and what each iteration adds to it.
    fn cells_of(&mut self, tables: usize) -> Option<(String, Expr)> {
        let table = (0..tables)
            .find(|table| self.out.tables[*table].cells.is_none() && !self.out.tables[*table].slots.is_empty())?;
        let list = self.fresh("cells");
        let Table { slots, size, .. } = &self.out.tables[table];
        let (slots, size) = (slots.clone(), *size);
        let value = match is_alone(&slots, size) {
            Some(_) => slots[0].value.clone(),
            None => self.pack(size, slots),
        };
        self.out.tables[table].cells = Some(list.clone());
        Some((list, value))
    }

    pub(in crate::fast) fn table_cells(&mut self, table: usize, list: String, slots: Vec<Slot>) {
        self.out.tables[table].cells = Some(list);
        self.out.tables[table].slots = slots;
    }

    pub(in crate::fast) fn table_size(&self, table: usize) -> u32 {
        self.out.tables[table].size
    }

    /// A call of another record's function.
    pub(in crate::fast) fn writing_call(&mut self, frame: &mut Frame<'a>, id: RoutineId, args: &'a [Arg]) {
        let module = self.fast.module;
        let routine = &module[id];
        let mut inner = Frame::new(id, routine);
        let mut given = Vec::new();
        for (param, arg) in routine.params.iter().zip(args) {
            if !inner.ty(*param).is_state() {
                let val = frame.arg(*arg);
                inner.set(*param, val.clone());
                given.push(self.value(&val));
            }
        }
        if self.fast.is_inlined(id) {
            self.routine(&mut inner);
            return;
        }
        self.is_odd |= !self.fast.write(id);
        if let Some(end) = self.tail.clone() {
            given.push(self.place(&end));
        }
        given.extend(self.depth_given(id));
        let called = apply(self.fast.function(id), given);
        let part = self.fresh("part");
        if self.tail.is_some() {
            let end = self.fresh("end");
            self.push(Stmt::Bind(row(vec![part.clone(), end.clone()]), called));
            self.tail = Some(Pos { base: end, plus: 0 });
        } else {
            self.push(Stmt::Bind(target(part.as_str()), called));
        }
        self.piece_of(Piece::Bytes(name(part)));
    }
}
