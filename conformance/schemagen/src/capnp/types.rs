//! The declarations of a schema, and the types that can be made of them.

use super::choices::Choices;
use super::shape::{EnumShape, FileShape, InterfaceShape, StructShape};

/// A type that is declared, with the number that tells its name.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: String,
    pub parent: Option<usize>,
    pub file: usize,
    /// How many generic parameters it has; the first of declaration 3 is `P3a`.
    pub parameters: usize,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Enum(usize),
    /// Its members, once their types are chosen.
    Struct(Vec<Member>),
    Interface,
}

/// A member of a struct, group or union with its name, type and place among the ordinals.
#[derive(Clone, Debug)]
pub enum Member {
    Field { name: String, ty: Ty, ordinal: usize, extras: Choices },
    Group { name: String, members: Vec<Member> },
    Union { name: Option<String>, ordinal: Option<usize>, members: Vec<Member> },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Plain(&'static str),
    List(Box<Ty>),
    /// A declaration, and for each level of its path from the outermost what its parameters are bound to, if they are.
    Named(usize, Vec<Option<Vec<Ty>>>),
    /// A generic parameter of a declaration.
    Parameter(usize, usize),
    /// A generic parameter of the method.
    Implicit(usize),
}

/// In the order in which exhausted choices take them.
const DATA: [&str; 12] =
    ["Void", "Bool", "UInt8", "Int8", "UInt16", "Int16", "UInt32", "Int32", "UInt64", "Int64", "Float32", "Float64"];
const ANY: [&str; 4] = ["AnyPointer", "AnyStruct", "AnyList", "Capability"];

/// The types that may stand where a type is wanted.
#[derive(Clone, Copy, PartialEq)]
pub enum Want {
    Any,
    /// An element of a list: the compiler has no lists of AnyPointer, AnyStruct or parameters.
    Element,
    /// The types that generic parameters are bound to.
    Pointer,
    /// Something with literals.
    Literal,
}

#[derive(Debug, Default)]
pub struct Types {
    pub all: Vec<Declaration>,
    pub aliases: Vec<Alias>,
}

/// `using`: another name for a type, within its file.
#[derive(Debug)]
pub struct Alias {
    pub name: String,
    pub file: usize,
    pub ty: Ty,
}

/// Where a type is used.
#[derive(Clone, Copy)]
pub struct Place {
    pub file: usize,
    /// The declaration around.
    pub scope: Option<usize>,
    /// How many generic parameters the method has.
    pub implicit: usize,
}

impl Types {
    /// Declares all types of a file, in the order in which they are printed.
    pub fn declare(&mut self, file: usize, shape: &FileShape) {
        self.enums(file, None, &shape.enums);
        shape.structs.iter().for_each(|inner| self.structure(file, None, inner));
        for InterfaceShape { parameters, .. } in &shape.interfaces {
            self.add('I', None, file, *parameters, Kind::Interface);
        }
    }

    fn structure(&mut self, file: usize, parent: Option<usize>, shape: &StructShape) {
        let index = self.add('S', parent, file, shape.parameters, Kind::Struct(Vec::new()));
        self.enums(file, Some(index), &shape.enums);
        shape.structs.iter().for_each(|inner| self.structure(file, Some(index), inner));
    }

    fn enums(&mut self, file: usize, parent: Option<usize>, shapes: &[EnumShape]) {
        for shape in shapes {
            self.add('E', parent, file, 0, Kind::Enum(shape.enumerants));
        }
    }

    fn add(&mut self, letter: char, parent: Option<usize>, file: usize, parameters: usize, kind: Kind) -> usize {
        let index = self.all.len();
        self.all.push(Declaration { name: format!("{letter}{index}"), parent, file, parameters, kind });
        index
    }

    /// A declaration and those around it, the outermost first.
    pub fn path(&self, index: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(index), |&index| self.all[index].parent).collect();
        path.reverse();
        path
    }

    pub fn choose(&self, choices: &mut Choices, want: Want, place: Place) -> Ty {
        match choices.take(24) {
            kind @ 0..12 if want != Want::Pointer => Ty::Plain(DATA[kind]),
            12 | 13 => Ty::Plain("Data"),
            14..17 => Ty::List(Box::new(match want {
                // Nor does it take a list of Capability for a parameter.
                Want::Literal | Want::Pointer => self.choose(choices, Want::Literal, place),
                _ => self.choose(choices, Want::Element, place),
            })),
            17..21 => self.named(choices, want, place),
            // The only one that parameters can be bound to.
            21 if want == Want::Pointer => Ty::Plain("AnyPointer"),
            21 if want == Want::Element => Ty::Plain(["AnyList", "Capability"][choices.take(2)]),
            21 if want != Want::Literal => Ty::Plain(ANY[choices.take(ANY.len())]),
            22 | 23 if matches!(want, Want::Any | Want::Pointer) => self.parameter(choices, place),
            _ => Ty::Plain("Text"),
        }
    }

    fn named(&self, choices: &mut Choices, want: Want, place: Place) -> Ty {
        if choices.rarely(4) && want != Want::Literal {
            let aliases: Vec<&Alias> = self.aliases.iter().filter(|alias| alias.file == place.file).collect();
            if !aliases.is_empty() {
                return choices.pick(&aliases).ty.clone();
            }
        }
        let fits = |declaration: &Declaration| {
            declaration.file <= place.file
                && match declaration.kind {
                    Kind::Enum(count) => want != Want::Pointer && (want != Want::Literal || count > 0),
                    Kind::Struct(_) => true,
                    Kind::Interface => want != Want::Literal,
                }
        };
        let fitting: Vec<usize> = (0..self.all.len()).filter(|&index| fits(&self.all[index])).collect();
        match fitting.is_empty() {
            true => Ty::Plain("Text"),
            false => {
                let index = *choices.pick(&fitting);
                self.bound(choices, index, place)
            }
        }
    }

    /// Chooses what the parameters of a declaration and of those around it are bound to.
    pub fn bound(&self, choices: &mut Choices, index: usize, place: Place) -> Ty {
        let mut bind = |level: usize| {
            let count = self.all[level].parameters;
            let wanted = count > 0 && choices.take(3) > 0;
            wanted.then(|| (0..count).map(|_| self.choose(choices, Want::Pointer, place)).collect())
        };
        Ty::Named(index, self.path(index).into_iter().map(&mut bind).collect())
    }

    fn parameter(&self, choices: &mut Choices, place: Place) -> Ty {
        let mut known: Vec<Ty> = (0..place.implicit).map(Ty::Implicit).collect();
        for scope in place.scope.map(|scope| self.path(scope)).unwrap_or_default() {
            known.extend((0..self.all[scope].parameters).map(|number| Ty::Parameter(scope, number)));
        }
        if known.is_empty() {
            return Ty::Plain("Text");
        }
        choices.pick(&known).clone()
    }

    /// The type as it is written in `file`.
    pub fn text(&self, ty: &Ty, file: usize) -> String {
        if let Some(alias) = self.aliases.iter().find(|alias| alias.file == file && alias.ty == *ty) {
            return alias.name.clone();
        }
        self.spelled_out(ty, file)
    }

    /// The type without aliases for itself.
    pub fn spelled_out(&self, ty: &Ty, file: usize) -> String {
        match ty {
            Ty::Plain(name) => (*name).to_owned(),
            Ty::List(element) => format!("List({})", self.text(element, file)),
            Ty::Parameter(scope, number) => parameter_name(*scope, *number),
            Ty::Implicit(number) => format!("X{number}"),
            Ty::Named(index, arguments) => {
                let path = self.path(*index);
                let home = self.all[*index].file;
                let mut text = if home == file { String::new() } else { format!("F{home}.") };
                for (level, arguments) in path.iter().zip(arguments) {
                    text.push_str(&self.all[*level].name);
                    if let Some(arguments) = arguments {
                        let arguments: Vec<String> = arguments.iter().map(|ty| self.text(ty, file)).collect();
                        text.push_str(&format!("({})", arguments.join(", ")));
                    }
                    text.push('.');
                }
                text.pop();
                text
            }
        }
    }

    /// `ty` where it is used in a type with these arguments.
    pub fn substitute(&self, ty: &Ty, index: usize, arguments: &[Option<Vec<Ty>>]) -> Ty {
        match ty {
            Ty::List(element) => Ty::List(Box::new(self.substitute(element, index, arguments))),
            Ty::Parameter(scope, number) => {
                let level = self.path(index).iter().position(|level| level == scope);
                let bound = level.and_then(|level| arguments[level].as_ref());
                bound.map_or_else(|| ty.clone(), |bound| bound[*number].clone())
            }
            Ty::Named(other, inner) => {
                let one = |ty: &Ty| self.substitute(ty, index, arguments);
                let level = |level: &Option<Vec<Ty>>| level.as_ref().map(|types| types.iter().map(one).collect());
                Ty::Named(*other, inner.iter().map(level).collect())
            }
            other => other.clone(),
        }
    }
}

/// `P3a`, `P3b`: the name of a generic parameter.
pub fn parameter_name(declaration: usize, number: usize) -> String {
    format!("P{declaration}{}", ["a", "b"][number])
}
