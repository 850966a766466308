//! Cap'n Proto schemas: files of all that the language has, with ordinals in any order.

mod choices;
mod members;
mod print;
mod shape;
mod types;
mod values;

use choices::Choices;
use print::{Annotation, Printer};
use proptest::prelude::*;
use shape::{FileShape, StructShape};
use types::{Alias, Kind, Place, Ty, Types, Want};
use values::{Constant, Values};

/// A random schema with messages of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The texts of files `f0.capnp`, `f1.capnp`, …
    pub files: Vec<String>,
    /// Structs of the last file, each by its name with dots and with a literal of it.
    pub messages: Vec<(String, String)>,
}

/// The text of a random schema in one file. Nested unions often need `CAPNP_IGNORE_ISSUE_344=1` in the environment of
/// the reference's compiler.
pub fn schema() -> impl Strategy<Value = String> {
    shape::file().prop_map(|shape| {
        let shapes = [shape];
        Schema::new(&shapes).texts(&shapes).remove(0)
    })
}

/// The texts of one to three files `f0.capnp`, `f1.capnp`, …, each of which imports those before it.
pub fn files() -> impl Strategy<Value = Vec<String>> {
    shapes().prop_map(|shapes| Schema::new(&shapes).texts(&shapes))
}

/// As [`files`], with messages.
pub fn sample() -> impl Strategy<Value = Sample> {
    (shapes(), prop::collection::vec(any::<u128>(), 1..6)).prop_map(|(shapes, choices)| {
        let schema = Schema::new(&shapes);
        let messages = choices.iter().filter_map(|&choices| schema.message(Choices(choices))).collect();
        Sample { files: schema.texts(&shapes), messages }
    })
}

fn shapes() -> impl Strategy<Value = Vec<FileShape>> {
    prop::collection::vec(shape::file(), 1..4).prop_map(|mut shapes| {
        for (index, shape) in shapes.iter_mut().enumerate() {
            // Ids must differ.
            shape.id ^= index as u64;
        }
        shapes
    })
}

/// The declarations that all files have.
struct Schema {
    types: Types,
    /// The number of each file's first declaration.
    firsts: Vec<usize>,
    constants: Vec<Constant>,
    annotations: Vec<Annotation>,
}

impl Schema {
    fn new(shapes: &[FileShape]) -> Self {
        let mut types = Types::default();
        let mut firsts = Vec::new();
        for (file, shape) in shapes.iter().enumerate() {
            firsts.push(types.all.len());
            types.declare(file, shape);
        }
        for (file, shape) in shapes.iter().enumerate() {
            aliases(&mut types, file, shape);
        }
        for (file, (shape, &first)) in shapes.iter().zip(&firsts).enumerate() {
            let mut next = first + shape.enums.len();
            shape.structs.iter().for_each(|inner| fill(&mut types, file, inner, &mut next));
        }
        let (mut constants, mut annotations) = (Vec::new(), Vec::new());
        for (file, shape) in shapes.iter().enumerate() {
            let ty = |choices: &Choices| {
                types.choose(&mut choices.clone(), Want::Literal, Place { file, scope: None, implicit: 0 })
            };
            for (number, choices) in shape.constants.iter().enumerate() {
                constants.push(Constant { name: format!("c{number}"), file, ty: ty(choices) });
            }
            for (number, choices) in shape.annotations.iter().enumerate() {
                annotations.push(Annotation { name: format!("a{number}"), file, ty: ty(choices) });
            }
        }
        Self { types, firsts, constants, annotations }
    }

    /// The files as text; a file knows what those before it declare.
    fn texts(&self, shapes: &[FileShape]) -> Vec<String> {
        let print = |(file, shape): (usize, &FileShape)| {
            let constants = self.constants.iter().filter(|constant| constant.file <= file).count();
            let annotations = self.annotations.iter().filter(|annotation| annotation.file <= file).count();
            let mut printer = Printer {
                out: String::new(),
                types: &self.types,
                constants: &self.constants[..constants],
                annotations: &self.annotations[..annotations],
                file,
                next: self.firsts[file],
                indent: 0,
            };
            printer.file(shape);
            printer.out
        };
        shapes.iter().enumerate().map(print).collect()
    }

    /// A struct of the last file and a literal of it, which names no constants.
    fn message(&self, mut choices: Choices) -> Option<(String, String)> {
        let file = self.firsts.len() - 1;
        let is_message = |&index: &usize| {
            self.types.all[index].file == file && matches!(self.types.all[index].kind, Kind::Struct(_))
        };
        let structs: Vec<usize> = (0..self.types.all.len()).filter(is_message).collect();
        let index = *choices.pick(&structs);
        let ty = Ty::Named(index, vec![None; self.types.path(index).len()]);
        let values = Values { types: &self.types, constants: &[], file };
        Some((self.types.spelled_out(&ty, file), values.literal(&mut choices, &ty)?))
    }
}

fn aliases(types: &mut Types, file: usize, shape: &FileShape) {
    let place = Place { file, scope: None, implicit: 0 };
    for (number, choices) in shape.aliases.iter().enumerate() {
        let mut choices = *choices;
        let known: Vec<usize> = (0..types.all.len()).filter(|&index| types.all[index].file <= file).collect();
        let index = *choices.pick(&known);
        let ty = types.bound(&mut choices, index, place);
        if !matches!(types.all[index].kind, Kind::Enum(_)) {
            types.aliases.push(Alias { name: format!("A{number}"), file, ty });
        }
    }
}

/// Chooses the members of a struct and of those in it; `next` is its number and counts on.
fn fill(types: &mut Types, file: usize, shape: &StructShape, next: &mut usize) {
    let index = *next;
    let place = Place { file, scope: Some(index), implicit: 0 };
    types.all[index].kind = Kind::Struct(members::members(types, place, shape));
    *next += 1 + shape.enums.len();
    shape.structs.iter().for_each(|inner| fill(types, file, inner, next));
}
