//! Types whose memory comes from an allocator: which those are, and how records hand theirs on.

use crate::code::{code, listed, rows, stmt, Code, Stmt};
use crate::gen::{Gen, Hold};
use crate::names::Site;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_schema::{Type, TypeId};

impl Gen<'_> {
    /// Whether a member gets its record's allocator.
    pub fn holds_memory(&self, record: TypeId, index: usize) -> bool {
        self.pmr() && (self.hold(record, index) == Hold::Boxed || self.allocates(&self.field(record, index).ty))
    }

    /// The constructors of a record that hands its allocator on.
    pub fn constructors(&self, id: TypeId) -> Vec<Stmt> {
        let name = self.names.of(id);
        vec![
            stmt!("/// Takes memory from the default resource, as copies do that are not told another."),
            stmt!("{name}();\n{name}(const {name}&);\n{name}({name}&&) noexcept;"),
            stmt!("/// All memory that it will take, also deeper within, is the allocator's: `&resource` will do."),
            stmt!("explicit {name}(const allocator_type& memory);"),
            stmt!("{name}(const {name}& other, const allocator_type& memory);"),
            stmt!("{name}({name}&& other, const allocator_type& memory);"),
            stmt!("{name}& operator=(const {name}&);\n{name}& operator=({name}&&);\n~{name}();"),
            Stmt::Blank,
        ]
    }

    /// The constructors, behind all types of a unit: what members are that lists and optionals hold must be known there.
    pub fn constructions(&self, unit: &Unit, sheet: &mut Sheet) {
        let records = unit.types.iter().copied().filter(|id| self.is_record(*id));
        for id in records.filter(|id| self.allocates(&Type::Named(*id))) {
            let (name, mut parts) = (self.names.of(id), Vec::new());
            let head = |other: Code| code!("{name}::{name}({other}const allocator_type& memory)");
            parts.push(construction(&head(Code::nothing()), &self.begun(id)));
            parts.push(construction(&head(code!("const {name}& other, ")), &self.copied(id, false)));
            parts.push(construction(&head(code!("{name}&& other, ")), &self.copied(id, true)));
            parts.push(stmt!("inline {name}::{name}() : {name}(allocator_type()) {{}}"));
            parts.push(stmt!("inline {name}::{name}(const {name}&) = default;"));
            parts.push(stmt!("inline {name}::{name}({name}&&) noexcept = default;"));
            parts.push(stmt!("inline {name}& {name}::operator=(const {name}&) = default;"));
            parts.push(stmt!("inline {name}& {name}::operator=({name}&&) = default;"));
            parts.push(stmt!("inline {name}::~{name}() = default;"));
            parts.push(Stmt::Blank);
            sheet.add(id, "", parts);
        }
    }

    /// The members of a record, by their place.
    fn held(&self, id: TypeId) -> impl Iterator<Item = usize> + '_ {
        (0..self.fields(id).len()).filter(move |index| self.hold(id, *index) != Hold::Constant)
    }

    /// The initializers of members that take memory.
    fn begun(&self, id: TypeId) -> Vec<Code> {
        let members = self.held(id).filter(|index| self.holds_memory(id, *index)).map(|index| {
            let default = self.field_default(id, index, Site::Record(id));
            let value = default.map(|value| code!("{value}, "));
            code!("{}({}memory)", self.names.member(id, index), value.unwrap_or_default())
        });
        members.collect()
    }

    /// All members as those of `other`, which they are moved from where `moves`.
    fn copied(&self, id: TypeId, moves: bool) -> Vec<Code> {
        let members = self.held(id).map(|index| {
            let member = self.names.member(id, index);
            match self.holds_memory(id, index) {
                true if moves => code!("{member}(std::move(other.{member}), memory)"),
                true => code!("{member}(other.{member}, memory)"),
                false => code!("{member}(other.{member})"),
            }
        });
        let missing = self.notes_missing(id).then(|| code!("missing_fields(other.missing_fields)"));
        members.chain(missing).collect()
    }
}

/// A constructor that does nothing but to give members what they begin with.
fn construction(head: &Code, members: &[Code]) -> Stmt {
    rows(code!("inline {head}"), vec![code!(": {} {{}}", listed(members))], "")
}
