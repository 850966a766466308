//! Cap'n Proto schemas: files of all that the language has, with ordinals in any order.

mod choices;
mod members;
mod print;
mod shape;
mod types;
mod values;

use print::{Annotation, Printer};
use proptest::prelude::*;
use shape::{FileShape, StructShape};
use types::{Alias, Kind, Place, Types, Want};
use values::Constant;

/// The text of a random schema in one file. Nested unions often need `CAPNP_IGNORE_ISSUE_344=1` in the environment of
/// the reference's compiler.
pub fn schema() -> impl Strategy<Value = String> {
    shape::file().prop_map(|shape| print(&[shape]).remove(0))
}

/// The texts of one to three files `f0.capnp`, `f1.capnp`, …, each of which imports those before it.
pub fn files() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(shape::file(), 1..4).prop_map(|mut shapes| {
        for (index, shape) in shapes.iter_mut().enumerate() {
            // Ids must differ.
            shape.id ^= index as u64;
        }
        print(&shapes)
    })
}

fn print(shapes: &[FileShape]) -> Vec<String> {
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
    let mut constants = Vec::new();
    let mut annotations = Vec::new();
    for (file, shape) in shapes.iter().enumerate() {
        let place = Place { file, scope: None, implicit: 0 };
        for (number, choices) in shape.constants.iter().enumerate() {
            let ty = types.choose(&mut choices.clone(), Want::Literal, place);
            constants.push(Constant { name: format!("c{number}"), file, ty });
        }
        for (number, choices) in shape.annotations.iter().enumerate() {
            let ty = types.choose(&mut choices.clone(), Want::Literal, place);
            annotations.push(Annotation { name: format!("a{number}"), file, ty });
        }
    }
    let known = |homes: Vec<usize>, file: usize| homes.iter().filter(|home| **home <= file).count();
    let print = |(file, shape): (usize, &FileShape)| {
        let constants = &constants[..known(constants.iter().map(|constant| constant.file).collect(), file)];
        let annotations = &annotations[..known(annotations.iter().map(|annotation| annotation.file).collect(), file)];
        let next = firsts[file];
        let mut printer = Printer { out: String::new(), types: &types, constants, annotations, file, next, indent: 0 };
        printer.file(shape);
        printer.out
    };
    shapes.iter().enumerate().map(print).collect()
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
