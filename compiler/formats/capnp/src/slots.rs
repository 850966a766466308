//! The places that the reference's compiler gives fields: the same declarations in the same order get the same places.
//!
//! Sizes are powers of two in bits, given as their exponent: Bool 0, a byte 3, a word of 64 bits 6. Offsets count items
//! of their own size. A struct's fields take the holes that alignment left, members of a union share space, and a
//! location of a union grows in place while what follows it is free.

/// The exponent of a word's size.
const WORD: u32 = 6;

/// The exponent of a discriminant's size.
const DISCRIMINANT: u32 = 4;

/// The scope that fields are put in: the struct itself (plain groups too), or one member of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Top,
    Arm(usize),
}

/// The layout of one struct while its fields are added, in the order of their ordinals.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) data_words: u32,
    pub(crate) pointers: u32,
    holes: Holes,
    unions: Vec<Union>,
    arms: Vec<Arm>,
}

#[derive(Debug)]
struct Union {
    scope: Scope,
    /// How many arms have a member.
    live_arms: usize,
    discriminant: Option<u32>,
    /// Space that all arms share.
    locations: Vec<Location>,
    pointers: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Location {
    size: u32,
    offset: u32,
}

/// One member of a union with all that it holds.
#[derive(Debug)]
struct Arm {
    union: usize,
    is_live: bool,
    /// The part that it has of each of the union's locations; shorter than those where it has not looked at the last ones.
    usages: Vec<Usage>,
    /// The ones of these that may have room, now or once grown; the others need not be looked at again.
    open: Vec<usize>,
    pointers_used: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    /// The size of the used beginning of the location; `None` while it is untouched.
    used: Option<u32>,
    /// Holes in the used part, offsets counted from the location's start.
    holes: Holes,
}

/// At most one hole of each size below a word, by its offset; 0 is none, since a hole is never at the very start.
#[derive(Clone, Copy, Debug, Default)]
struct Holes([u32; WORD as usize]);

impl Layout {
    /// A union among the members of `scope`.
    pub(crate) fn add_union(&mut self, scope: Scope) -> usize {
        self.unions.push(Union {
            scope,
            live_arms: 0,
            discriminant: None,
            locations: Vec::new(),
            pointers: Vec::new(),
        });
        self.unions.len() - 1
    }

    /// The scope of one more member of the union.
    pub(crate) fn add_arm(&mut self, union: usize) -> Scope {
        self.arms.push(Arm { union, is_live: false, usages: Vec::new(), open: Vec::new(), pointers_used: 0 });
        Scope::Arm(self.arms.len() - 1)
    }

    /// The place of the union's discriminant, once it has one.
    pub(crate) fn discriminant(&self, union: usize) -> Option<u32> {
        self.unions[union].discriminant
    }

    /// Gives the union its discriminant now. False if it has one.
    pub(crate) fn add_discriminant(&mut self, union: usize) -> bool {
        if self.unions[union].discriminant.is_some() {
            return false;
        }
        let offset = self.add_data(self.unions[union].scope, DISCRIMINANT);
        self.unions[union].discriminant = Some(offset);
        true
    }

    /// A field without data. Outer unions must learn of it, since their second member brings the discriminant.
    pub(crate) fn add_void(&mut self, scope: Scope) {
        if let Scope::Arm(arm) = scope {
            self.wake(arm);
            self.add_void(self.unions[self.arms[arm].union].scope);
        }
    }

    /// The index of a new pointer.
    pub(crate) fn add_pointer(&mut self, scope: Scope) -> u32 {
        let Scope::Arm(arm) = scope else {
            self.pointers += 1;
            return self.pointers - 1;
        };
        self.wake(arm);
        let union = self.arms[arm].union;
        let next = self.arms[arm].pointers_used;
        self.arms[arm].pointers_used += 1;
        if let Some(&shared) = self.unions[union].pointers.get(next) {
            return shared;
        }
        let pointer = self.add_pointer(self.unions[union].scope);
        self.unions[union].pointers.push(pointer);
        pointer
    }

    /// The offset of a new field of that size.
    pub(crate) fn add_data(&mut self, scope: Scope, size: u32) -> u32 {
        let Scope::Arm(arm) = scope else {
            return self.add_to_top(size);
        };
        self.wake(arm);
        let union = self.arms[arm].union;
        let locations = self.unions[union].locations.len();
        let known = self.arms[arm].usages.len();
        self.arms[arm].usages.resize(locations, Usage::default());
        self.arms[arm].open.extend(known..locations);
        if let Some(offset) = self.place_in_hole(arm, size).or_else(|| self.place_by_growing(arm, size)) {
            return offset;
        }
        let offset = self.add_data(self.unions[union].scope, size);
        self.unions[union].locations.push(Location { size, offset });
        self.arms[arm].usages.push(Usage { used: Some(size), holes: Holes::default() });
        if size < WORD {
            self.arms[arm].open.push(locations);
        }
        offset
    }

    fn add_to_top(&mut self, size: u32) -> u32 {
        if let Some(hole) = self.holes.take(size) {
            return hole;
        }
        let offset = self.data_words << (WORD - size);
        self.data_words += 1;
        self.holes.add(size, offset + 1, WORD);
        offset
    }

    /// The arm gets a member. The second arm to do so brings the discriminant, which comes before that member.
    fn wake(&mut self, arm: usize) {
        if self.arms[arm].is_live {
            return;
        }
        self.arms[arm].is_live = true;
        let union = self.arms[arm].union;
        self.unions[union].live_arms += 1;
        if self.unions[union].live_arms == 2 {
            self.add_discriminant(union);
        }
    }

    /// Takes the smallest hole that fits, in the first location that has one of that size.
    fn place_in_hole(&mut self, arm: usize, size: u32) -> Option<u32> {
        let locations = &self.unions[self.arms[arm].union].locations;
        let mut best: Option<(u32, usize)> = None;
        for (at, &index) in self.arms[arm].open.iter().enumerate() {
            match self.arms[arm].usages[index].smallest_hole(locations[index], size) {
                Some(hole) if best.is_none_or(|(smallest, _)| hole < smallest) => best = Some((hole, at)),
                _ => {}
            }
            if best.is_some_and(|(smallest, _)| smallest == size) {
                break;
            }
        }
        let (_, at) = best?;
        let index = self.arms[arm].open[at];
        let location = locations[index];
        let usage = &mut self.arms[arm].usages[index];
        let offset = usage.place(location, size);
        if usage.is_full() {
            self.arms[arm].open.remove(at);
        }
        Some(offset)
    }

    /// Makes the first location that can grow, or what the arm uses of it, large enough for the field.
    fn place_by_growing(&mut self, arm: usize, size: u32) -> Option<u32> {
        let open = self.arms[arm].open.len();
        (0..open).find_map(|at| self.place_in_grown(arm, self.arms[arm].open[at], size))
    }

    fn place_in_grown(&mut self, arm: usize, index: usize, size: u32) -> Option<u32> {
        let union = self.arms[arm].union;
        match self.arms[arm].usages[index].used {
            None => {
                self.grow_location(union, index, size).then_some(())?;
                self.arms[arm].usages[index].used = Some(size);
                let location = self.unions[union].locations[index];
                Some(location.offset << (location.size - size))
            }
            Some(used) => {
                let wanted = used.max(size) + 1;
                self.grow_location(union, index, wanted).then_some(())?;
                let usage = &mut self.arms[arm].usages[index];
                usage.holes.add(used, 1, wanted);
                usage.used = Some(wanted);
                let hole = usage.holes.take(size)?;
                let location = self.unions[union].locations[index];
                Some((location.offset << (location.size - size)) + hole)
            }
        }
    }

    /// Whether the union's location has that size now.
    fn grow_location(&mut self, union: usize, index: usize, wanted: u32) -> bool {
        let Location { size, offset } = self.unions[union].locations[index];
        if wanted <= size {
            return true;
        }
        let doublings = wanted - size;
        let grown = self.grow(self.unions[union].scope, size, offset, doublings);
        if grown {
            self.unions[union].locations[index] = Location { size: wanted, offset: offset >> doublings };
        }
        grown
    }

    /// Doubles an item in place, all the way or not at all.
    fn grow(&mut self, scope: Scope, size: u32, offset: u32, doublings: u32) -> bool {
        let Scope::Arm(arm) = scope else {
            return self.holes.grow(size, offset, doublings);
        };
        if size + doublings > WORD || offset & ((1 << doublings) - 1) != 0 {
            return false;
        }
        let union = self.arms[arm].union;
        let holds = |location: &Location| location.size >= size && offset >> (location.size - size) == location.offset;
        let Some(index) = self.unions[union].locations.iter().position(holds) else {
            return false;
        };
        let location = self.unions[union].locations[index];
        let local = offset - (location.offset << (location.size - size));
        let Some(usage) = self.arms[arm].usages.get_mut(index) else {
            return false;
        };
        if local != 0 || usage.used != Some(size) {
            return usage.holes.grow(size, local, doublings);
        }
        let grown = self.grow_location(union, index, size + doublings);
        if grown {
            self.arms[arm].usages[index].used = Some(size + doublings);
        }
        grown
    }
}

impl Usage {
    /// Whether no field fits, and none ever will.
    fn is_full(&self) -> bool {
        self.used == Some(WORD) && self.holes.smallest(0).is_none()
    }

    /// The size of the smallest hole in the location that holds `size`; what is unused behind it counts.
    fn smallest_hole(&self, location: Location, size: u32) -> Option<u32> {
        match self.used {
            None => (size <= location.size).then_some(location.size),
            Some(used) if size >= used => (size < location.size).then_some(size),
            Some(used) => self.holes.smallest(size).or((used < location.size).then_some(used)),
        }
    }

    /// The offset of a field where [`Usage::smallest_hole`] found room.
    fn place(&mut self, location: Location, size: u32) -> u32 {
        let local = match self.used {
            None => {
                self.used = Some(size);
                0
            }
            Some(used) if size >= used => {
                self.holes.add(used, 1, size);
                self.used = Some(size + 1);
                1
            }
            Some(used) => self.holes.take(size).unwrap_or_else(|| {
                let local = 1 << (used - size);
                self.holes.add(size, local + 1, used);
                self.used = Some(used + 1);
                local
            }),
        };
        (location.offset << (location.size - size)) + local
    }
}

impl Holes {
    /// A hole of that size, the first half of a larger one where there is none.
    fn take(&mut self, size: u32) -> Option<u32> {
        let index = size as usize;
        let hole = *self.0.get(index)?;
        if hole != 0 {
            self.0[index] = 0;
            return Some(hole);
        }
        let halved = 2 * self.take(size + 1)?;
        self.0[index] = halved + 1;
        Some(halved)
    }

    /// Records what is free behind an item: a hole of each size from `size` up to below `limit`, the first at `offset`.
    fn add(&mut self, size: u32, mut offset: u32, limit: u32) {
        for index in size..limit {
            self.0[index as usize] = offset;
            offset = offset.div_ceil(2);
        }
    }

    /// Gives the holes behind the item to it, if there are enough.
    fn grow(&mut self, size: u32, offset: u32, doublings: u32) -> bool {
        if doublings == 0 {
            return true;
        }
        let index = size as usize;
        if self.0.get(index) != Some(&(offset + 1)) || !self.grow(size + 1, offset / 2, doublings - 1) {
            return false;
        }
        self.0[index] = 0;
        true
    }

    fn smallest(&self, size: u32) -> Option<u32> {
        (size..WORD).find(|&size| self.0[size as usize] != 0)
    }
}
