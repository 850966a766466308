//! Structs and lists within a message: getters that answer zero or null where an older writer's object ends.

use super::fault::{Fault, Read};
use super::message::{Message, Place};

/// The kinds of objects behind pointers.
pub(super) enum Pointer<'m> {
    Null,
    Struct(StructView<'m>),
    List(ListView<'m>),
    Capability,
}

#[derive(Clone, Copy)]
pub(super) struct StructView<'m> {
    pub message: &'m Message<'m>,
    /// The data section, which the pointers follow.
    pub start: Place,
    /// A multiple of 64, but for elements of lists of plain numbers.
    pub data_bits: usize,
    pub pointers: usize,
    /// How deep objects may still go from here.
    pub depth: u32,
}

/// A list whose elements are so many bits of data, then so many pointers.
#[derive(Clone, Copy)]
pub(super) struct ListView<'m> {
    pub message: &'m Message<'m>,
    pub start: Place,
    pub count: usize,
    pub data_bits: usize,
    pub pointers: usize,
    /// Written as a list of structs.
    pub composite: bool,
    pub depth: u32,
}

impl<'m> StructView<'m> {
    /// A struct that has no sections: all its fields are zero or null.
    pub fn empty(message: &'m Message<'m>, place: Place) -> Self {
        Self { message, start: place, data_bits: 0, pointers: 0, depth: 0 }
    }

    /// The `size` bits (1, 8, 16, 32 or 64) at offset `index` in units of that size.
    pub fn number(self, index: usize, size: usize) -> u64 {
        // Offsets are 32 bits wide and sizes at most 64, so nothing overflows.
        let first = index * size;
        if first + size > self.data_bits {
            return 0;
        }
        if size == 1 {
            return self.message.number(self.start, first / 8, 8) >> (first % 8) & 1;
        }
        self.message.number(self.start, first / 8, size)
    }

    pub fn bool(self, bit: usize) -> bool {
        self.number(bit, 1) == 1
    }

    /// At `index` in units of 16 bits.
    pub fn u16(self, index: usize) -> u16 {
        self.number(index, 16) as u16
    }

    /// At `index` in units of 32 bits.
    pub fn u32(self, index: usize) -> u32 {
        self.number(index, 32) as u32
    }

    /// At `index` in units of 64 bits.
    pub fn u64(self, index: usize) -> u64 {
        self.number(index, 64)
    }

    pub fn pointer(self, index: usize) -> Read<Pointer<'m>> {
        if index >= self.pointers {
            return Ok(Pointer::Null);
        }
        self.message.follow(self.pointer_place(index), self.depth)
    }

    fn pointer_place(self, index: usize) -> Place {
        // Only structs with whole data words have pointers.
        Place { word: self.start.word + self.data_bits / 64 + index, ..self.start }
    }

    /// The struct of a pointer; one without sections for null.
    pub fn structure(self, index: usize) -> Read<StructView<'m>> {
        match self.pointer(index)? {
            Pointer::Struct(view) => Ok(view),
            Pointer::Null => Ok(Self::empty(self.message, self.start)),
            _ => Err(self.wrong(index, "a struct")),
        }
    }

    /// The list of a pointer; an empty one for null.
    pub fn list(self, index: usize) -> Read<ListView<'m>> {
        match self.pointer(index)? {
            Pointer::List(view) => Ok(view),
            Pointer::Null => Ok(ListView {
                message: self.message,
                start: self.start,
                count: 0,
                data_bits: 0,
                pointers: 0,
                composite: true,
                depth: 0,
            }),
            _ => Err(self.wrong(index, "a list")),
        }
    }

    /// The text of a pointer; empty for null.
    pub fn text(self, index: usize) -> Read<&'m str> {
        match self.pointer(index)? {
            Pointer::List(list) => list.text(),
            Pointer::Null => Ok(""),
            _ => Err(self.wrong(index, "text")),
        }
    }

    fn wrong(self, index: usize, wanted: &str) -> Fault {
        self.message.fault(self.pointer_place(index), &format!("a pointer to something else than {wanted}"))
    }

    /// The byte of the input where it begins.
    pub fn offset(self) -> usize {
        self.message.offset(self.start)
    }

    pub fn fault(self, message: impl AsRef<str>) -> Fault {
        self.message.fault(self.start, message.as_ref())
    }
}

impl<'m> ListView<'m> {
    /// An element as a struct; `index` must be below the count.
    pub fn structure(self, index: usize) -> Read<StructView<'m>> {
        // Wider elements than a bit may be upgraded to structs, but no compiler has ever written these lists as others.
        if !self.data_bits.is_multiple_of(64) {
            return Err(self.fault("a list of plain numbers where a list of structs belongs"));
        }
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(self.fault("objects are nested too deeply"));
        };
        let start = Place { word: self.start.word + index * self.element_words(), ..self.start };
        Ok(StructView { message: self.message, start, data_bits: self.data_bits, pointers: self.pointers, depth })
    }

    /// An element of a list of plain numbers of `size` bits.
    pub fn number(self, index: usize, size: usize) -> Read<u64> {
        let fits = if size == 1 { self.data_bits == 1 } else { self.data_bits >= size };
        if !fits {
            return Err(self.fault(&format!("a list of elements that do not have {size} bits")));
        }
        let first = index * (self.data_bits + self.pointers * 64);
        if size == 1 {
            return Ok(self.message.number(self.start, first / 8, 8) >> (first % 8) & 1);
        }
        Ok(self.message.number(self.start, first / 8, size))
    }

    /// The pointer of an element.
    pub fn pointer(self, index: usize) -> Read<Pointer<'m>> {
        if self.pointers == 0 {
            return Err(self.fault("a list of plain values where a list of pointers belongs"));
        }
        let word = self.start.word + index * self.element_words() + self.data_bits / 64;
        self.message.follow(Place { word, ..self.start }, self.depth)
    }

    /// The bytes of a list of bytes.
    pub fn bytes(self) -> Read<&'m [u8]> {
        if self.data_bits != 8 {
            return Err(self.fault("a list of something else than bytes where text or data belongs"));
        }
        Ok(self.message.slice(self.start, 0, self.count))
    }

    /// Text without the NUL that ends it.
    pub fn text(self) -> Read<&'m str> {
        let Some((0, text)) = self.bytes()?.split_last() else {
            return Err(self.fault("text that does not end in a NUL"));
        };
        std::str::from_utf8(text).map_err(|error| {
            Fault::new(self.message.offset(self.start) + error.valid_up_to(), "text that is not UTF-8")
        })
    }

    fn fault(self, message: &str) -> Fault {
        self.message.fault(self.start, message)
    }

    /// Reads each element as a struct, telling faults where in the list `name` they are.
    pub fn each<T>(self, name: &str, mut read: impl FnMut(StructView<'m>) -> Read<T>) -> Read<Vec<T>> {
        let one = |index| {
            let result = self.structure(index).and_then(&mut read);
            result.map_err(|fault| fault.within(&format!("{name}[{index}]")))
        };
        (0..self.count).map(one).collect()
    }

    /// How many words an element takes that is made of whole words.
    pub fn element_words(self) -> usize {
        self.data_bits / 64 + self.pointers
    }
}
