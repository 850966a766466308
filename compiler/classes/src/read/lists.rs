//! Lists, sets and maps that loops fill.

use super::{boxed_val, Reading};
use crate::body::Body;
use crate::kinds::dialect::Collection;
use crate::kinds::Val;
use crate::tree::{call, name, run, Expr, Line};
use aldis_plan::Shape;
use aldis_routine::{Arg, ListId, ListType, Sym};
use aldis_schema::Type;

/// A list that is being filled.
pub(super) struct Open<'m> {
    own: String,
    of: &'m ListType,
    /// It was there before, and its elements may be used again.
    is_kept: bool,
}

impl<'m> Open<'m> {
    /// The element that a turn makes is filled into the one that was there before.
    pub fn expect_items(&self, body: &mut Body<'m>, item: Option<&Arg>, turn: &str) {
        if let (Some(Arg::Sym(item)), true) = (item, self.is_kept) {
            body.olds.insert(*item, run("Wire.at", vec![name(self.own.as_str()), name(turn)]));
        }
    }
}

impl<'m> Reading<'m> {
    /// Declares the list that a loop fills, which may be one that was there before.
    pub(super) fn open_list(&mut self, body: &mut Body<'m>, (of, old): (ListId, Option<Expr>), room: Expr) -> Open<'m> {
        let of = &self.module[of];
        let own = body.name("list");
        let old = old.filter(|_| of.shape == Shape::List && self.kinds.array(of.ty.element()).is_none());
        let is_kept = old.is_some();
        let made = self.list_of(of, room, old);
        body.lines.push(Line::Declare(self.open_type(of), own.clone(), Some(made)));
        Open { own, of, is_kept }
    }

    /// Puts what a turn made into its list.
    pub(super) fn put_item(&self, body: &mut Body<'m>, list: &Open<'m>, items: &[Arg], turn: &str) {
        let items = self.items(body, list.of, items);
        let place = list.is_kept.then(|| name(turn));
        body.lines.push(self.add(name(list.own.as_str()), list.of, items, place));
    }

    /// The list is complete, and what a symbol stands for.
    pub(super) fn close_list(
        &self,
        body: &mut Body<'m>,
        Open { own, of, is_kept }: Open<'m>,
        count: Expr,
        bind: Option<Sym>,
    ) {
        if is_kept {
            body.lines.push(Line::Do(run("Wire.cut", vec![name(own.as_str()), count])));
        }
        let Some(bind) = bind else { return };
        let expr = match (of.shape, self.kinds.array(of.ty.element())) {
            (Shape::List, Some(primitive)) => self.kinds.dialect.array(primitive, name(own)),
            _ => name(own),
        };
        body.keep_val(bind, Val { expr, ty: of.ty.clone(), absent: None });
    }

    /// A new list, or the one that was there before.
    fn list_of(&self, of: &ListType, room: Expr, old: Option<Expr>) -> Expr {
        match old {
            Some(old) => run("Wire.used", vec![old, room]),
            None => self.collection(of, room),
        }
    }

    /// The statement that puts elements behind the others, or to where one was before.
    fn add(&self, list: Expr, of: &ListType, items: Vec<Expr>, place: Option<Expr>) -> Line {
        Line::Do(match place {
            Some(place) => run("Wire.put", [list, place].into_iter().chain(items).collect()),
            None if of.shape == Shape::Map => run("Wire.putFirst", [list].into_iter().chain(items).collect()),
            None => call(list, "add", items),
        })
    }

    /// The values that a loop adds to a collection in one turn: an element, or the key and the value of a map.
    fn items(&self, body: &Body<'m>, of: &ListType, items: &[Arg]) -> Vec<Expr> {
        let types = match of.ty.required() {
            Type::Map { key, value, .. } => vec![key.as_ref(), value.as_ref()],
            ty => vec![ty.element()],
        };
        items.iter().zip(types).map(|(item, ty)| self.item(body, *item, ty)).collect()
    }

    /// An element of that type as an object.
    fn item(&self, body: &Body<'m>, item: Arg, ty: &Type) -> Expr {
        let Arg::Sym(sym) = item else { return name("null") };
        self.kinds.dialect.element(ty, boxed_val(self.kinds, &body.val(sym)))
    }

    /// The class of a collection that is being made.
    pub fn open_type(&self, of: &ListType) -> String {
        self.kinds.dialect.collection(&self.collection_of(of), true)
    }

    fn collection_of(&self, of: &ListType) -> Collection {
        let class = |ty: &Type| self.kinds.class(ty);
        match (of.shape, &of.ty) {
            (Shape::List, ty) => Collection::List(class(ty.element())),
            (Shape::Map, Type::Map { key, value, .. }) => Collection::Map(class(key), class(value)),
            (_, ty) => Collection::Set(class(ty.element())),
        }
    }

    pub fn collection(&self, of: &ListType, room: Expr) -> Expr {
        let dialect = self.kinds.dialect;
        let arg = match (of.shape, &of.ty) {
            (Shape::List, _) => room,
            (Shape::Map, Type::Map { key, .. }) => dialect.order(self.kinds, key),
            (_, ty) => dialect.order(self.kinds, ty.element()),
        };
        dialect.make(&self.collection_of(of), vec![arg])
    }
}
