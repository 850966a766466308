//! Segments in messages as they usually are: there is one, and pointers lead to what lies in it.

use super::body::{plus, Body};
use crate::js::{binary, call, int, name, truth, Expr, FRAME};
use crate::read::Reading;
use aldis_plan::Repr;
use aldis_routine::{Op, Segments, Sym};

impl<'m> Reading<'m, '_, '_> {
    pub(super) fn usual_segments(&mut self, body: &mut Body<'m>, op: &'m Op, what: &'m Segments) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match what {
            Segments::Open => {
                let opened = body.frame_call("r.openOne", vec![truth(self.has_table())]);
                body.keep(first, opened);
            }
            Segments::Aim { at, .. } => {
                let at = body.constant("at", body.sym(*at));
                let halves = [("lower", Repr::I32, 0), ("upper", Repr::U32, 4)];
                let halves = halves.map(|(half, repr, bytes)| {
                    let read = self.values.stored_at(repr, plus(&at, bytes));
                    body.constant(half, read)
                });
                body.aims.insert(first, [vec![at], halves.into()].concat());
            }
            Segments::IsNull { aim } => {
                let [lower, upper] = [1, 2].map(|half| body.aims[aim][half].clone());
                body.set(first, binary(binary(lower, "|", upper), "===", int(0)));
            }
            Segments::Sections { aim, .. } => self.usual_sections(body, op, *aim),
            Segments::Octets { aim, text, .. } => {
                let (check, read) = match (*text, self.values.strict_text) {
                    (false, _) if self.values.share => ("r.isBytesNear", "r.sharedNear"),
                    (false, _) => ("r.isBytesNear", "r.bytesNear"),
                    (true, false) => ("r.isTextNear", "r.textNear"),
                    (true, true) => ("r.isStrictTextNear", "r.strictTextNear"),
                };
                let aim = body.aims[aim].clone();
                match body.is_used(first) {
                    true => body.keep(first, call(read, [vec![name(FRAME)], aim].concat())),
                    false => body.run(check, aim),
                }
            }
            // `List` asks it too.
            Segments::IsList { .. } => {}
            _ => self.usual_list(body, op, what),
        }
    }

    fn usual_list(&mut self, body: &mut Body<'m>, op: &'m Op, what: &'m Segments) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match what {
            Segments::List { aim, .. } => {
                let first = body.frame_call("r.listNear", body.aims[aim].clone());
                body.exprs[op.binds[0].0 as usize] = Some(int(0));
                body.keep(op.binds[1], first);
                let notes = ["count", "stride", "dataSize", "pointersSize", "bits"];
                for (bind, note) in op.binds[2..].iter().zip(notes) {
                    body.keep_used(*bind, name(format!("{FRAME}.{note}")));
                }
            }
            Segments::Seat { of, index } => {
                let step = binary(body.sym(of.stride), ">>", int(3));
                let data = binary(body.sym(of.at), "+", binary(body.sym(*index), "*", step));
                body.set(op.binds[0], data);
                let pointers = binary(body.sym(op.binds[0]), "+", body.sym(of.data));
                body.set(op.binds[1], pointers);
            }
            Segments::Eighths { count } => {
                let eighths = binary(body.arg(*count), "/", int(8));
                body.set(first, call("Math.ceil", vec![eighths]));
            }
            Segments::Short { bits } => body.set(first, call("r.shortOf", vec![body.arg(*bits)])),
            Segments::Bits { at, count, of, .. } => {
                let bits = body.frame_call("r.bitsAt", vec![body.sym(*at), body.arg(*count), self.list(*of)]);
                body.keep(first, bits);
            }
            Segments::Strided { of, scalar, list } => {
                let step = binary(body.sym(of.stride), ">>", int(3));
                let read = [self.values.scalar(scalar), self.list(*list)];
                let places = [body.sym(of.at), body.sym(of.count), step];
                let values = body.frame_call("r.values", places.into_iter().chain(read).collect());
                body.keep(first, values);
            }
            Segments::Keep { at, .. } => {
                let kept = body.frame_call("r.keepNear", vec![body.sym(*at)]);
                body.keep(first, kept);
            }
            _ => {}
        }
    }

    /// A record's sections: its data, then its pointers, whose sizes the upper half of a pointer says in words.
    fn usual_sections(&mut self, body: &mut Body<'m>, op: &'m Op, aim: Sym) {
        let upper = body.aims[&aim][2].clone();
        let data = body.frame_call("r.recordNear", body.aims[&aim].clone());
        let bytes = |words: Expr| binary(words, "<<", int(3));
        body.exprs[op.binds[0].0 as usize] = Some(int(0));
        body.keep(op.binds[1], data);
        let [size, pointers] = [op.binds[2], op.binds[3]];
        body.exprs[size.0 as usize] = Some(bytes(binary(upper.clone(), "&", int(0xFFFF))));
        if body.is_used(size) || body.is_used(pointers) {
            let size_of = body.sym(size);
            body.keep(size, size_of);
        }
        let behind = binary(body.sym(op.binds[1]), "+", body.sym(size));
        body.set(pointers, behind);
        body.set(op.binds[4], bytes(binary(upper, ">>>", int(16))));
    }
}
