//! From pointers to what they lead to.

use super::fault::{Fault, Read};
use super::message::{Message, Place, WORD};
use super::view::{ListView, Pointer, StructView};

/// How deep objects may lie in each other. The reference's readers allow 64 unless told otherwise.
const MAX_DEPTH: u32 = 200;

/// A struct or list pointer and where its object is; far pointers are behind us.
struct Resolved {
    pointer: u64,
    segment: usize,
    /// First word of the object, or outside of the segment.
    start: i64,
}

impl<'b> Message<'b> {
    /// The root struct; one without any words where the root pointer is null.
    pub fn root(&self) -> Read<StructView<'_>> {
        if self.segments[0].words == 0 {
            return Err(Fault::new(self.segments[0].start, "the first segment is empty, so there is no root"));
        }
        let place = Place { segment: 0, word: 0 };
        match self.follow(place, MAX_DEPTH)? {
            Pointer::Struct(root) => Ok(root),
            Pointer::Null => Ok(StructView::empty(self, place)),
            _ => Err(self.fault(place, "the root is not a struct")),
        }
    }

    /// The object behind the pointer at `place`. `depth` is how deep objects may still go from here.
    pub fn follow(&self, place: Place, depth: u32) -> Read<Pointer<'_>> {
        let pointer = self.word(place);
        if pointer == 0 {
            return Ok(Pointer::Null);
        }
        if pointer & 3 == 3 {
            return match pointer as u32 {
                3 => Ok(Pointer::Capability),
                _ => Err(self.fault(place, "a pointer of a kind that Cap'n Proto has not defined")),
            };
        }
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.fault(place, "objects are nested too deeply, or hold themselves"));
        };
        let resolved = self.resolve(place, pointer)?;
        if resolved.pointer & 3 == 0 {
            self.structure(place, &resolved, depth).map(Pointer::Struct)
        } else {
            self.list(place, &resolved, depth).map(Pointer::List)
        }
    }

    /// Goes through far pointers to the struct or list pointer.
    fn resolve(&self, place: Place, pointer: u64) -> Read<Resolved> {
        if pointer & 3 != 2 {
            let start = place.word as i64 + 1 + offset(pointer);
            return Ok(Resolved { pointer, segment: place.segment, start });
        }
        let double = pointer & 4 != 0;
        let pad = self.landing_pad(place, pointer, if double { 2 } else { 1 })?;
        let first = self.word(pad);
        if !double {
            if first & 3 > 1 {
                return Err(self.fault(pad, "a landing pad that is neither a struct nor a list pointer"));
            }
            return Ok(Resolved { pointer: first, segment: pad.segment, start: pad.word as i64 + 1 + offset(first) });
        }
        if first & 7 != 2 {
            return Err(self.fault(pad, "a landing pad of two words that does not begin with a far pointer"));
        }
        let second = Place { word: pad.word + 1, ..pad };
        let tag = self.word(second);
        if tag & 3 > 1 {
            return Err(self.fault(second, "a landing pad whose second word is neither a struct nor a list pointer"));
        }
        let segment = self.segment_of(pad, first)?;
        Ok(Resolved { pointer: tag, segment, start: (first as u32 >> 3).into() })
    }

    fn landing_pad(&self, place: Place, pointer: u64, words: usize) -> Read<Place> {
        let segment = self.segment_of(place, pointer)?;
        let word = (pointer as u32 >> 3) as usize;
        if word + words > self.segments[segment].words {
            return Err(self.fault(place, "a far pointer beyond the end of its segment"));
        }
        self.charge(place, words * WORD)?;
        Ok(Place { segment, word })
    }

    fn segment_of(&self, place: Place, far: u64) -> Read<usize> {
        let segment = (far >> 32) as usize;
        if segment >= self.segments.len() {
            let message = format!("a pointer into segment {segment} of a message of {}", self.segments.len());
            return Err(self.fault(place, &message));
        }
        Ok(segment)
    }

    fn structure(&self, place: Place, resolved: &Resolved, depth: u32) -> Read<StructView<'_>> {
        let (data_words, pointers) = struct_size(resolved.pointer);
        let start = self.body(place, resolved, data_words + pointers)?;
        self.charge(place, (data_words + pointers) * WORD)?;
        Ok(StructView { message: self, start, data_bits: data_words * 64, pointers, depth })
    }

    fn list(&self, place: Place, resolved: &Resolved, depth: u32) -> Read<ListView<'_>> {
        let count = (resolved.pointer >> 35) as usize;
        let (data_bits, pointers) = match resolved.pointer >> 32 & 7 {
            0 => (0, 0),
            1 => (1, 0),
            2 => (8, 0),
            3 => (16, 0),
            4 => (32, 0),
            5 => (64, 0),
            6 => (0, 1),
            _ => return self.composite_list(place, resolved, count, depth),
        };
        let words = (count * (data_bits + pointers * 64)).div_ceil(64);
        let start = self.body(place, resolved, words)?;
        self.charge(place, if data_bits + pointers == 0 { count * WORD } else { words * WORD })?;
        Ok(ListView { message: self, start, count, data_bits, pointers, composite: false, depth })
    }

    /// A list whose elements are structs: a tag word says how many and how large.
    fn composite_list(&self, place: Place, resolved: &Resolved, words: usize, depth: u32) -> Read<ListView<'_>> {
        let tag_place = self.body(place, resolved, words + 1)?;
        let tag = self.word(tag_place);
        if tag & 3 != 0 {
            return Err(self.fault(tag_place, "the tag of a list of structs is not shaped like a struct pointer"));
        }
        let count = (tag as u32 >> 2) as usize & 0x1fff_ffff;
        let (data_words, pointers) = struct_size(tag);
        let size = data_words + pointers;
        if count * size > words {
            let message = format!("a list of {count} structs of {size} words in {words} words");
            return Err(self.fault(tag_place, &message));
        }
        self.charge(place, if size == 0 { count * WORD } else { (words + 1) * WORD })?;
        let start = Place { word: tag_place.word + 1, ..tag_place };
        Ok(ListView { message: self, start, count, data_bits: data_words * 64, pointers, composite: true, depth })
    }

    /// The place at which an object of so many words begins; one without words may be said to be anywhere.
    fn body(&self, place: Place, resolved: &Resolved, words: usize) -> Read<Place> {
        let end = self.segments[resolved.segment].words;
        if words == 0 {
            return Ok(Place { segment: resolved.segment, word: 0 });
        }
        match usize::try_from(resolved.start) {
            Ok(word) if word + words <= end => Ok(Place { segment: resolved.segment, word }),
            _ => Err(self.fault(place, "a pointer to an object that does not lie within its segment")),
        }
    }
}

/// The signed distance, in words, that a struct or list pointer tells.
fn offset(pointer: u64) -> i64 {
    i64::from(pointer as u32 as i32 >> 2)
}

/// Data words and pointers of a struct pointer or tag.
fn struct_size(pointer: u64) -> (usize, usize) {
    ((pointer >> 32) as u16 as usize, (pointer >> 48) as usize)
}
