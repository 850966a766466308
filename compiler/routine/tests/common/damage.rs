//! Damage to bytes: what a broken, older, newer or hostile writer may send.

use aldis_plan::{ByteOrder, Plan, SlotKind};
use proptest::prelude::*;

/// One change of a message's bytes; places and choices are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum Damage {
    Flip(usize, u8),
    Byte(usize, u8),
    /// A little number (mostly), of 1, 2, 4 or 8 bytes.
    Number(usize, u8, u64),
    Cut(usize),
    Longer(usize),
    /// A pointer in a word: kind and offset, then its upper half.
    Pointer(usize, u8, i8, u16, u16),
    /// A register of the envelope.
    Register(usize, u64),
}

pub fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let number = prop_oneof![4 => 0..5u64, 3 => 0..70u64, 1 => Just(u64::MAX), 1 => any::<u64>()];
    let one = prop_oneof![
        3 => (any::<usize>(), 0..8u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        2 => (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        3 => (any::<usize>(), 0..4u8, number.clone()).prop_map(|(at, width, n)| Damage::Number(at, width, n)),
        2 => any::<usize>().prop_map(Damage::Cut),
        1 => (0..40usize).prop_map(Damage::Longer),
        2 => (any::<usize>(), 0..8u8, -3..9i8, 0..40u16, 0..4u16)
            .prop_map(|(at, kind, offset, low, high)| Damage::Pointer(at, kind, offset, low, high)),
        3 => (any::<usize>(), number).prop_map(|(which, n)| Damage::Register(which, n)),
    ];
    prop::collection::vec(one, 0..4)
}

pub fn apply(bytes: &mut Vec<u8>, plan: &Plan, message: usize, damage: &Damage) {
    let length = bytes.len().max(1);
    match *damage {
        Damage::Flip(at, bit) => bytes.iter_mut().skip(at % length).take(1).for_each(|byte| *byte ^= 1 << bit),
        Damage::Byte(at, to) => bytes.iter_mut().skip(at % length).take(1).for_each(|byte| *byte = to),
        Damage::Number(at, width, number) => store(bytes, at % length, 1 << width, number, plan.byte_order),
        Damage::Pointer(at, kind, offset, low, high) => {
            let word = u64::from(kind & 7) | u64::from(offset as i32 as u32) << 3 & 0xFFFF_FFFF;
            let upper = u64::from(low) << 32 | u64::from(high) << 48;
            store(bytes, at % length / 8 * 8, 8, word | upper, ByteOrder::Little);
        }
        Damage::Cut(at) => bytes.truncate(at % (bytes.len() + 1)),
        Damage::Longer(by) => bytes.resize(bytes.len() + by, 0),
        Damage::Register(which, number) => {
            let slots = &plan.messages[message].envelope.head.slots;
            let registers: Vec<_> = slots.iter().filter(|slot| matches!(slot.kind, SlotKind::Register(_))).collect();
            if let Some(slot) = registers.get(which % registers.len().max(1)) {
                store(bytes, slot.at as usize, slot.width as usize, number, plan.byte_order);
            }
        }
    }
}

fn store(bytes: &mut [u8], at: usize, width: usize, number: u64, order: ByteOrder) {
    let stored = match order {
        ByteOrder::Little => number.to_le_bytes()[..width].to_vec(),
        ByteOrder::Big => number.to_be_bytes()[8 - width..].to_vec(),
    };
    bytes.iter_mut().skip(at).zip(stored).for_each(|(byte, to)| *byte = to);
}
