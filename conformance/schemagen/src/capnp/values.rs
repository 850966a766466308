//! Literals of a type.

use super::choices::Choices;
use super::types::{Kind, Member, Ty, Types};

const TEXTS: [&str; 6] =
    [r#""""#, r#""a""#, r#""q\"\\\n\x7f\007""#, "\"größe\"", "\"日本\" \" joined\"", "\"sixteen letters!\""];
const DATAS: [&str; 4] = [r#""""#, r#"0x"00 ff""#, r#""text""#, r#"0x"0102030405060708 09""#];
const FLOATS: [&str; 9] = ["0", "1.5", "-2.5e10", "inf", "-inf", "nan", "-7", "1e-3", "0.1"];

/// A constant that values may name.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub file: usize,
    pub ty: Ty,
}

/// The source that values are written from.
pub struct Values<'t> {
    pub types: &'t Types,
    pub constants: &'t [Constant],
    /// The file that they stand in.
    pub file: usize,
}

impl Values<'_> {
    /// A literal of the type, or a constant's name; `None` for types that have neither.
    pub fn literal(&self, choices: &mut Choices, ty: &Ty) -> Option<String> {
        if choices.rarely(4) {
            if let Some(name) = self.constant(choices, ty) {
                return Some(name);
            }
        }
        match ty {
            Ty::Plain("AnyPointer" | "AnyStruct" | "AnyList") => self.constant(choices, ty),
            Ty::Plain(name) => plain(choices, name),
            // The compiler takes lists of these, but no values of them.
            Ty::List(element) if matches!(**element, Ty::Plain("AnyList" | "Capability")) => None,
            Ty::List(element) => {
                let count = choices.take(4);
                let elements: Option<Vec<String>> = (0..count).map(|_| self.literal(choices, element)).collect();
                Some(format!("[{}]", elements?.join(", ")))
            }
            Ty::Named(index, arguments) => match &self.types.all[*index].kind {
                Kind::Enum(0) | Kind::Interface => None,
                Kind::Enum(count) => Some(format!("e{}", choices.take(*count))),
                Kind::Struct(members) => Some(self.structure(choices, members, *index, arguments)),
            },
            Ty::Parameter(..) | Ty::Implicit(_) => None,
        }
    }

    /// The name of a constant that has the type, or is a pointer that it takes.
    fn constant(&self, choices: &mut Choices, ty: &Ty) -> Option<String> {
        let structure =
            |ty: &Ty| matches!(ty, Ty::Named(index, _) if matches!(self.types.all[*index].kind, Kind::Struct(_)));
        let list = |ty: &Ty| matches!(ty, Ty::List(_));
        let fits = |constant: &&Constant| match ty {
            Ty::Plain("AnyPointer") => structure(&constant.ty) || list(&constant.ty),
            Ty::Plain("AnyStruct") => structure(&constant.ty),
            Ty::Plain("AnyList") => list(&constant.ty),
            // A name where an enum is wanted is an enumerant's.
            ty => constant.ty == *ty && !self.is_enum(ty),
        };
        let known: Vec<&Constant> = self.constants.iter().filter(fits).collect();
        if known.is_empty() {
            return None;
        }
        let constant = choices.pick(&known);
        let home = if constant.file == self.file { String::new() } else { format!("F{}", constant.file) };
        Some(format!("{home}.{}", constant.name))
    }

    fn is_enum(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Named(index, _) if matches!(self.types.all[*index].kind, Kind::Enum(_)))
    }

    /// A literal of those members of a struct that the choices fall on.
    fn structure(
        &self,
        choices: &mut Choices,
        members: &[Member],
        index: usize,
        arguments: &[Option<Vec<Ty>>],
    ) -> String {
        let mut entries = Vec::new();
        for member in members {
            if choices.take(3) > 0 {
                entries.extend(self.member(choices, member, index, arguments));
            }
        }
        format!("({})", entries.join(", "))
    }

    fn member(
        &self,
        choices: &mut Choices,
        member: &Member,
        index: usize,
        arguments: &[Option<Vec<Ty>>],
    ) -> Option<String> {
        match member {
            Member::Field { name, ty, .. } => {
                let ty = self.types.substitute(ty, index, arguments);
                Some(format!("{name} = {}", self.literal(choices, &ty)?))
            }
            Member::Group { name, members, .. } => {
                Some(format!("{name} = {}", self.structure(choices, members, index, arguments)))
            }
            Member::Union { name, members, .. } => {
                let active = choices.pick(members);
                let active = self.member(choices, active, index, arguments)?;
                Some(match name {
                    Some(name) => format!("{name} = ({active})"),
                    None => active,
                })
            }
        }
    }
}

fn plain(choices: &mut Choices, name: &str) -> Option<String> {
    let integer = |choices: &mut Choices, low: i128, high: i128| {
        let span = (high - low + 1) as usize;
        match choices.take(8) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            2 => low.to_string(),
            3 => format!("{high:#x}"),
            4 => format!("0{:o}", high / 2),
            // A span of 2^64 is 0 in 64 bits.
            _ => (low + choices.take(span.max(1 << 20)) as i128 % (high - low + 1)).to_string(),
        }
    };
    let signed = |bits: u32| (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    let unsigned = |bits: u32| (0i128, (1i128 << bits) - 1);
    let (low, high) = match name {
        "Void" => return Some("void".into()),
        "Bool" => return Some(["true", "false"][choices.take(2)].into()),
        "Text" => return Some((*choices.pick(&TEXTS)).into()),
        "Data" => return Some((*choices.pick(&DATAS)).into()),
        "Float32" | "Float64" => return Some((*choices.pick(&FLOATS)).into()),
        "Int8" => signed(8),
        "Int16" => signed(16),
        "Int32" => signed(32),
        "Int64" => signed(64),
        "UInt8" => unsigned(8),
        "UInt16" => unsigned(16),
        "UInt32" => unsigned(32),
        "UInt64" => unsigned(64),
        _ => return None,
    };
    Some(integer(choices, low, high))
}
