//! Copies what a pointer leads to into a message of its own: one segment, no table, objects in pre-order.

use super::fault::{Fault, Read};
use super::message::WORD;
use super::view::{ListView, Pointer, StructView};

/// The flat message whose root is the pointer's object; `offset` is where the pointer is, for faults.
pub(super) fn flat(pointer: &Pointer<'_>, offset: usize) -> Read<Vec<u8>> {
    let mut words = vec![0];
    write(&mut words, 0, pointer, offset)?;
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// Writes the object behind the last word and its pointer at word `at`.
fn write(words: &mut Vec<u64>, at: usize, pointer: &Pointer<'_>, offset: usize) -> Read<()> {
    match pointer {
        Pointer::Null => Ok(()),
        Pointer::Capability => Err(Fault::new(offset, "a schema's values cannot hold capabilities")),
        Pointer::Struct(view) => {
            let data_words = view.data_bits / 64;
            // A struct without words points at its own pointer, lest it look null.
            let empty = data_words + view.pointers == 0;
            let distance = if empty { u32::MAX } else { (words.len() - at - 1) as u32 };
            words[at] = struct_word(distance, data_words, view.pointers);
            let start = words.len();
            append(words, *view);
            write_pointers(words, start, *view)
        }
        Pointer::List(list) => write_list(words, at, *list, offset),
    }
}

fn write_list(words: &mut Vec<u64>, at: usize, list: ListView<'_>, offset: usize) -> Read<()> {
    let start = words.len();
    let distance = u64::from(((start - at - 1) as u32) << 2) | 1;
    if list.composite {
        let size = list.element_words();
        words[at] = distance | 7 << 32 | ((list.count * size) as u64) << 35;
        words.push(struct_word(list.count as u32, list.data_bits / 64, list.pointers));
        let elements = (0..list.count).map(|index| list.structure(index)).collect::<Read<Vec<_>>>()?;
        elements.iter().for_each(|element| append(words, *element));
        let places = (start + 1..).step_by(size.max(1));
        return elements.iter().zip(places).try_for_each(|(element, place)| write_pointers(words, place, *element));
    }
    let code = match (list.data_bits, list.pointers) {
        (0, 0) => 0,
        (1, _) => 1,
        (8, _) => 2,
        (16, _) => 3,
        (32, _) => 4,
        (64, _) => 5,
        _ => 6,
    };
    words[at] = distance | code << 32 | (list.count as u64) << 35;
    if code == 6 {
        words.resize(start + list.count, 0);
        return (0..list.count).try_for_each(|index| write(words, start + index, &list.pointer(index)?, offset));
    }
    let length = (list.count * list.data_bits).div_ceil(8);
    for chunk in list.message.slice(list.start, 0, length).chunks(WORD) {
        let mut word = [0; WORD];
        word[..chunk.len()].copy_from_slice(chunk);
        words.push(u64::from_le_bytes(word));
    }
    Ok(())
}

/// A struct's data, and room for its pointers.
fn append(words: &mut Vec<u64>, view: StructView<'_>) {
    words.extend((0..view.data_bits / 64).map(|index| view.u64(index)));
    words.resize(words.len() + view.pointers, 0);
}

/// Writes what the pointers of the struct lead to that was appended at word `start`.
fn write_pointers(words: &mut Vec<u64>, start: usize, view: StructView<'_>) -> Read<()> {
    let first = start + view.data_bits / 64;
    (0..view.pointers).try_for_each(|index| write(words, first + index, &view.pointer(index)?, view.offset()))
}

fn struct_word(distance: u32, data_words: usize, pointers: usize) -> u64 {
    u64::from(distance << 2) | (data_words as u64) << 32 | (pointers as u64) << 48
}
