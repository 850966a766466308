//! Members of a struct's body besides declarations: fields, unions and groups.

use super::recovery::Parser;
use crate::codes;
use crate::text::ast::{Member, MemberKind, Number, Word};
use aldis_diagnostics::Diagnostic;
use aldis_text::{Lost, Parsed, TokenKind};

const HELP: &str = "a field is written `name @0 :Type;`, a union `name :union { … }`, a group `name :group { … }`";

impl Parser<'_> {
    pub(super) fn member(&mut self) -> Parsed<Member> {
        if self.peek_text() == "union" && self.at_name() && matches!(self.ahead(1).1, "{" | "$") {
            return self.unnamed_union();
        }
        if !self.at_name() || self.ahead(1).0 == TokenKind::Name {
            return Err(self.no_member());
        }
        let name = self.take_word();
        let ordinal = match self.at_operator(":") && self.at_body(1) {
            true => None,
            false => Some(self.ordinal(&name, "field")?),
        };
        let meant = self.at_operator("!") && self.at_body(2) && self.take("!");
        self.expect(":", HELP)?;
        if !self.at_body(0) {
            return self.field(name, ordinal);
        }
        let is_union = self.peek_text() == "union";
        if let (Some(number), false) = (ordinal, meant && is_union) {
            self.report_ordinal(number, is_union);
        }
        self.advance();
        let annotations = self.annotations()?;
        let (members, doc) = self.members()?;
        let kind = if is_union { MemberKind::Union(members) } else { MemberKind::Group(members) };
        let span = name.span;
        Ok(Member { name: Some(name), ordinal, annotations, doc, span, kind })
    }

    fn field(&mut self, name: Word, ordinal: Option<Number>) -> Parsed<Member> {
        let mut member = self.field_type(name, ordinal)?;
        self.expect_semicolon("the field", HELP)?;
        member.doc = self.doc_after();
        Ok(member)
    }

    /// Behind the colon: `Type`, `Type = value`, with annotations. A method's parameters go on like this too.
    pub(super) fn field_type(&mut self, name: Word, ordinal: Option<Number>) -> Parsed<Member> {
        let ty = self.expression()?;
        let default = if self.take("=") { Some(self.expression()?) } else { None };
        let annotations = self.annotations()?;
        let span = name.span;
        let kind = MemberKind::Field { ty, default };
        Ok(Member { name: Some(name), ordinal, annotations, doc: String::new(), span, kind })
    }

    fn unnamed_union(&mut self) -> Parsed<Member> {
        let word = self.take_word();
        if self.at_operator("$") {
            let help = "put it on the struct or on the members, or name the union";
            return Err(self.unexpected("`{`: a union without a name takes no annotation", help));
        }
        let (members, doc) = self.members()?;
        let kind = MemberKind::Union(members);
        Ok(Member { name: None, ordinal: None, annotations: Vec::new(), doc, span: word.span, kind })
    }

    /// The body of a union or group.
    fn members(&mut self) -> Parsed<(Vec<Member>, String)> {
        let mut members = Vec::new();
        let doc = self.block(HELP, |cursor| {
            if cursor.at_keyword() {
                return Err(cursor.misplaced("a union or group"));
            }
            members.push(cursor.member()?);
            Ok(())
        })?;
        Ok((members, doc))
    }

    /// Whether `distance` ahead begins `union {` or `group {`.
    fn at_body(&self, distance: usize) -> bool {
        matches!(self.ahead(distance), (TokenKind::Name, "union" | "group"))
            && matches!(self.ahead(distance + 1).1, "{" | "$")
    }

    fn report_ordinal(&mut self, ordinal: Number, is_union: bool) {
        let (what, help) = match is_union {
            true => ("a union needs no ordinal", "remove it; in a schema from before v0.3 write `@N! :union`"),
            false => ("a group has no ordinal", "remove it: only the group's fields are numbered"),
        };
        self.report(Diagnostic::error(codes::UNION_ORDINAL, what, ordinal.span, "").help(help));
    }

    fn no_member(&mut self) -> Lost {
        let help = match self.declaration_meant() {
            Some(keyword) if self.ahead(1).0 == TokenKind::Name => format!("is `{keyword}` meant?"),
            _ => HELP.to_owned(),
        };
        if self.ahead(1).0 == TokenKind::Name && self.at_name() {
            // The word itself could be a field's name; what follows it could not follow one.
            self.advance();
            return self.unexpected("`@` and a number, or `:`", &help);
        }
        self.unexpected("a field, union, group or declaration", &help)
    }
}
