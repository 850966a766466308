//! Files as text.

use super::choices::Choices;
use super::shape::{EnumShape, FieldShape, FileShape, InterfaceShape, MethodShape, StructShape};
use super::types::{parameter_name, Kind, Member, Place, Ty, Types, Want};
use super::values::{Constant, Values};
use std::fmt::Write as _;

/// An annotation that may be put on anything.
#[derive(Clone, Debug)]
pub struct Annotation {
    pub name: String,
    pub file: usize,
    pub ty: Ty,
}

/// Prints one file. `next` is the number of its next declaration, in the order in which [`Types::declare`] met them.
pub struct Printer<'t> {
    pub out: String,
    pub types: &'t Types,
    pub constants: &'t [Constant],
    pub annotations: &'t [Annotation],
    pub file: usize,
    pub next: usize,
    pub indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", self.indent * 2);
    }

    fn block(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
    }

    fn values(&self) -> Values<'_> {
        Values { types: self.types, constants: self.constants, file: self.file }
    }

    fn declared(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    pub fn file(&mut self, shape: &FileShape) {
        self.line(&format!("@{:#x};", shape.id));
        let (types, constants, annotations, file) = (self.types, self.constants, self.annotations, self.file);
        for other in 0..file {
            self.line(&format!("using F{other} = import \"f{other}.capnp\";"));
        }
        for alias in types.aliases.iter().filter(|alias| alias.file == file) {
            self.line(&format!("using {} = {};", alias.name, types.spelled_out(&alias.ty, file)));
        }
        for annotation in annotations.iter().filter(|annotation| annotation.file == file) {
            self.line(&format!("annotation {} (*) :{};", annotation.name, types.text(&annotation.ty, file)));
        }
        let own = constants.iter().enumerate().filter(|(_, constant)| constant.file == file);
        for ((index, constant), choices) in own.zip(&shape.constants) {
            let ty = types.text(&constant.ty, file);
            // A constant may name those before it.
            let values = Values { types, constants: &constants[..index], file };
            let value = values.literal(&mut choices.clone(), &constant.ty).unwrap_or_default();
            self.line(&format!("const {} :{ty} = {value};", constant.name));
        }
        self.enums(&shape.enums);
        shape.structs.iter().for_each(|inner| self.structure(inner));
        shape.interfaces.iter().for_each(|interface| self.interface(interface));
    }

    fn enums(&mut self, shapes: &[EnumShape]) {
        for shape in shapes {
            let index = self.declared();
            let order = shape.order.order(shape.enumerants);
            // An enum cannot have an annotation whose value takes the enum to read.
            let plain = |annotation: &&Annotation| matches!(annotation.ty, Ty::Plain(_));
            let annotations: Vec<Annotation> = self.annotations.iter().filter(plain).cloned().collect();
            let remark = self.remark_of(&annotations, &mut shape.order.clone());
            self.block(&format!("enum {}{remark}", self.types.all[index].name), |printer| {
                for ordinal in order {
                    printer.line(&format!("e{ordinal} @{ordinal};"));
                }
            });
        }
    }

    /// The name of a declaration with its generic parameters.
    fn head(&self, index: usize) -> String {
        let declaration = &self.types.all[index];
        if declaration.parameters == 0 {
            return declaration.name.clone();
        }
        let names: Vec<String> = (0..declaration.parameters).map(|number| parameter_name(index, number)).collect();
        format!("{}({})", declaration.name, names.join(", "))
    }

    fn structure(&mut self, shape: &StructShape) {
        let index = self.declared();
        let head = self.head(index);
        let remark = self.remark(&mut shape.remark.clone());
        self.block(&format!("struct {head}{remark}"), |printer| {
            if shape.remark.clone().rarely(5) {
                printer.line(&format!("# What {head} is."));
                printer.out.push('\n');
            }
            printer.enums(&shape.enums);
            if let Kind::Struct(members) = &printer.types.all[index].kind {
                members.iter().for_each(|member| printer.member(member));
            }
            shape.structs.iter().for_each(|inner| printer.structure(inner));
        });
    }

    fn member(&mut self, member: &Member) {
        match member {
            Member::Field { name, ty, ordinal, extras } => {
                let mut extras = *extras;
                let text = self.field(&format!("{name} @{ordinal}"), ty, &mut extras);
                self.line(&format!("{text};"));
                if extras.rarely(5) {
                    self.line(&format!("# About {name}."));
                    self.line("#   More.");
                }
            }
            Member::Group { name, members } => {
                self.block(&format!("{name} :group"), |printer| members.iter().for_each(|one| printer.member(one)));
            }
            Member::Union { name, ordinal, members } => {
                let head = match (name, ordinal) {
                    (Some(name), Some(ordinal)) => format!("{name} @{ordinal}! :union"),
                    (Some(name), None) => format!("{name} :union"),
                    (None, _) => "union".to_owned(),
                };
                self.block(&head, |printer| members.iter().for_each(|one| printer.member(one)));
            }
        }
    }

    /// `name :Type = default $annotation`; extras decide on the last two.
    fn field(&self, name: &str, ty: &Ty, extras: &mut Choices) -> String {
        let mut text = format!("{name} :{}", self.types.text(ty, self.file));
        if extras.take(3) > 0 {
            if let Some(value) = self.values().literal(extras, ty) {
                text += &format!(" = {value}");
            }
        }
        text + &self.remark(extras)
    }

    /// ` $annotation(value)`, or nothing.
    fn remark(&self, choices: &mut Choices) -> String {
        self.remark_of(self.annotations, choices)
    }

    fn remark_of(&self, annotations: &[Annotation], choices: &mut Choices) -> String {
        if annotations.is_empty() || !choices.rarely(5) {
            return String::new();
        }
        let annotation = choices.pick(annotations);
        let Some(value) = self.values().literal(choices, &annotation.ty) else { return String::new() };
        let home = if annotation.file == self.file { String::new() } else { format!("F{}.", annotation.file) };
        let value = if value.starts_with('(') { value } else { format!("({value})") };
        format!(" ${home}{}{value}", annotation.name)
    }

    fn interface(&mut self, shape: &InterfaceShape) {
        let index = self.declared();
        let place = Place { file: self.file, scope: Some(index), implicit: 0 };
        let mut extends = shape.extends;
        let mut parents = Vec::new();
        for other in (0..index).filter(|&other| matches!(self.types.all[other].kind, Kind::Interface)) {
            if extends.rarely(2) {
                parents.push(self.types.text(&self.types.bound(&mut extends, other, place), self.file));
            }
        }
        let mut head = format!("interface {}", self.head(index));
        if !parents.is_empty() {
            head += &format!(" extends({})", parents.join(", "));
        }
        let order = shape.order.order(shape.methods.len());
        self.block(&head, |printer| {
            for (number, (method, ordinal)) in shape.methods.iter().zip(order).enumerate() {
                let text = printer.method(method, &format!("m{number} @{ordinal}"), index);
                printer.line(&text);
            }
        });
    }

    fn method(&self, shape: &MethodShape, head: &str, interface: usize) -> String {
        let place = Place { file: self.file, scope: Some(interface), implicit: shape.implicit };
        let mut manner = shape.manner;
        let mut text = head.to_owned();
        if shape.implicit > 0 {
            let names: Vec<String> = (0..shape.implicit).map(|number| format!("X{number}")).collect();
            text += &format!(" [{}]", names.join(", "));
        }
        text += &match manner.take(4) {
            3 => format!(" {}", self.any_struct(&mut manner, place)),
            _ => self.parameters(&shape.params, place),
        };
        text += &match manner.take(5) {
            0 => String::new(),
            3 => format!(" -> {}", self.any_struct(&mut manner, place)),
            4 => " -> stream".to_owned(),
            _ => format!(" ->{}", self.parameters(&shape.results, place)),
        };
        text + &self.remark(&mut manner) + ";"
    }

    fn any_struct(&self, choices: &mut Choices, place: Place) -> String {
        let is_struct = |&index: &usize| {
            self.types.all[index].file <= self.file && matches!(self.types.all[index].kind, Kind::Struct(_))
        };
        let structs: Vec<usize> = (0..self.types.all.len()).filter(is_struct).collect();
        let index = *choices.pick(&structs);
        self.types.text(&self.types.bound(choices, index, place), self.file)
    }

    fn parameters(&self, fields: &[FieldShape], place: Place) -> String {
        let one = |(number, field): (usize, &FieldShape)| {
            let ty = self.types.choose(&mut field.ty.clone(), Want::Any, place);
            self.field(&format!("p{number}"), &ty, &mut field.extras.clone())
        };
        let fields: Vec<String> = fields.iter().enumerate().map(one).collect();
        format!(" ({})", fields.join(", "))
    }
}
