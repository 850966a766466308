//! Pointers within the one segment of a usual message, by functions of the runtime's `Near`. These give a number below zero where
//! anything is unusual: another segment, a capability, an object outside.

use super::{short, Glance};
use crate::tree::{binary, cast, int, name, plus, run, Expr, Line};
use aldis_routine::{Op, Segments, Sym};
use aldis_schema::Encoding;

impl<'m> Glance<'_, 'm> {
    pub(super) fn segments(&mut self, op: &'m Op, what: &'m Segments) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match what {
            Segments::Open => self.open(first),
            Segments::Aim { at, .. } => {
                let word = run("Wire.i64", vec![self.reading.bytes.clone(), self.sym(*at)]);
                self.body.keep(first, word);
                // Bits that far pointers and capabilities have.
                let kind = binary(self.sym(first), "&", Expr::Long(2));
                self.refuse(binary(kind, "!=", Expr::Long(0)));
            }
            Segments::Sections { aim, at, .. } => self.record(op, self.sym(*aim), self.sym(*at)),
            Segments::Octets { aim, at, text, .. } => self.octets(first, self.sym(*aim), self.sym(*at), *text),
            Segments::IsList { aim, .. } => {
                let kind = binary(self.sym(*aim), "&", Expr::Long(3));
                self.refuse(binary(kind, "!=", Expr::Long(1)));
            }
            Segments::List { aim, at, .. } => self.listed(op, self.sym(*aim), self.sym(*at)),
            what => {
                self.settle();
                self.reading.segments(&mut self.body, op, what);
            }
        }
    }

    /// The one segment behind its table: the message ends with it.
    fn open(&mut self, first: Sym) {
        let start = self.start();
        let behind = run("Near.end", vec![self.reading.bytes.clone(), start.clone(), self.end.clone()]);
        self.body.lines.push(Line::Assign(self.end.clone(), "=", behind));
        self.refuse(binary(self.end.clone(), "<", int(0)));
        let low = Some(plus(start, 8));
        self.body.lines.push(Line::Declare("int".to_owned(), self.low.clone(), low));
        self.body.is(first, name(self.low.as_str()));
    }

    /// Where a pointer leads to, by a function of the runtime.
    fn found(&self, function: &'static str, given: Vec<Expr>) -> Expr {
        let bounds = [name(self.low.as_str()), self.end.clone()];
        run(function, given.into_iter().chain(bounds).collect())
    }

    /// The same in a variable.
    fn aimed(&mut self, function: &'static str, bind: Sym, given: Vec<Expr>) {
        let found = self.found(function, given);
        self.body.keep(bind, found);
        self.refuse(binary(self.sym(bind), "<", int(0)));
    }

    fn record(&mut self, op: &Op, aim: Expr, at: Expr) {
        self.enter(1);
        self.aimed("Near.record", op.binds[1], vec![aim.clone(), at]);
        let [data, pointers] = ["Wire.dataSize", "Wire.pointersSize"].map(|size| run(size, vec![aim.clone()]));
        self.pay(binary(data.clone(), "+", pointers.clone()));
        self.body.set(op.binds[2], data);
        let behind = binary(self.sym(op.binds[1]), "+", cast("int", self.sym(op.binds[2])));
        self.body.set(op.binds[3], behind);
        self.body.set(op.binds[4], pointers);
    }

    fn octets(&mut self, bind: Sym, aim: Expr, at: Expr, is_text: bool) {
        let length = self.body.constant("long", "length", run("Near.length", vec![aim.clone()]));
        let function = if is_text { "Near.text" } else { "Near.octets" };
        let found = self.found(function, vec![self.reading.bytes.clone(), aim, at]);
        let from = self.body.constant("int", "from", found);
        self.refuse(binary(from.clone(), "<", int(0)));
        self.pay(run("Near.padded", vec![length.clone()]));
        if self.reads() {
            self.settle();
            let size = match is_text {
                true => binary(short(length), "-", int(1)),
                false => short(length),
            };
            let val = self.reading.octets(is_text.then_some(Encoding::Utf8), from, size);
            self.body.keep_val(bind, val);
        }
    }

    fn listed(&mut self, op: &Op, aim: Expr, at: Expr) {
        self.aimed("Near.list", op.binds[1], vec![self.reading.bytes.clone(), aim.clone(), at]);
        let tag = run("Near.tag", vec![self.reading.bytes.clone(), aim.clone(), self.sym(op.binds[1])]);
        let tag = self.body.constant("long", "tag", tag);
        let numbers = ["Near.count", "Near.stride", "Near.dataSize", "Near.pointersSize", "Near.bits"];
        for (bind, function) in op.binds[2..].iter().zip(numbers) {
            if self.body.uses[bind.0 as usize] > 0 {
                self.body.keep(*bind, run(function, vec![aim.clone(), tag.clone()]));
            }
        }
        self.small.push(self.sym(op.binds[2]));
        self.pay(run("Near.cost", vec![aim, tag]));
    }
}
