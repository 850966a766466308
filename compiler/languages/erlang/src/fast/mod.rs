//! Readers and writers for the usual case: messages as this schema's own writers write them.
//!
//! A usual message is read in one pass, each stretch of fixed slots and counted bytes by one match, and written by one
//! construction a record. Whatever a fast function does not expect (another version or extent, a NaN, text that is no
//! binary, a value out of range, a broken byte) it throws, and the careful functions of `decode` and `encode` answer.
//! Fast functions therefore carry no path, no depth, no budget and no version.
//!
//! Values behind links are read in sequence too: each link must lead to where the value before it ended, as writers lay
//! values out. So each byte is read once, and such reading never exhausts the budget (see
//! [`aldis_plan::Limits::LEAST_CELL`]).

mod fit;
mod message;
mod read;
mod stage;
mod view;
mod write;

/// What a fast function does with what it does not expect.
const UNUSUAL: &str = "throw(unusual)";

/// Tables of more bytes than this are left to the careful readers, which make room on the heap for them.
const LARGE: u32 = 0x4000;

/// Arrays of up to so many numbers are opened, each element in a variable.
const OPENED: u32 = 16;
