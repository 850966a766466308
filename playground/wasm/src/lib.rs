//! The page's door to the compiler: texts in UTF-8 go in and out through the module's memory.
//!
//! The page asks for `room`, writes its question there, calls `ask`, and reads the answer at `answer` before it asks again. There is
//! one page, one thread, and one question at a time.

use std::cell::RefCell;

#[derive(Default)]
struct Texts {
    question: Vec<u8>,
    answer: String,
}

thread_local! {
    static TEXTS: RefCell<Texts> = RefCell::default();
}

/// The address of `length` bytes for a question.
#[no_mangle]
pub extern "C" fn room(length: usize) -> *mut u8 {
    TEXTS.with_borrow_mut(|texts| {
        texts.question = vec![0; length];
        texts.question.as_mut_ptr()
    })
}

/// Answers the question; gives the answer's length in bytes.
#[no_mangle]
pub extern "C" fn ask() -> usize {
    TEXTS.with_borrow_mut(|texts| {
        let question = std::mem::take(&mut texts.question);
        texts.answer = aldis_playground::answer(&String::from_utf8_lossy(&question));
        texts.answer.len()
    })
}

/// The address of the answer.
#[no_mangle]
pub extern "C" fn answer() -> *const u8 {
    TEXTS.with_borrow(|texts| texts.answer.as_ptr())
}
