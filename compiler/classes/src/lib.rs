//! The part that languages of classes share: from routines to methods, as a tree that is printed once.
//!
//! `names` and `kinds` make the language model, `kinds::dialect` says in what languages differ, `body` is a method in the making,
//! `read` and `write` print routines as methods, `able` says of which of them there are fast ones, `json` says what the JSON of each type is, `values` makes the classes,
//! `messages` what is said of all messages, `requests` the class of those that wait for answers,
//! `drafts` the classes of messages whose fields are set where they lie,
//! `split` makes parts of long methods; `tree` is what all of them make, and `print` writes it. Languages without types, whose modules are no
//! classes, take these two alone.

pub mod able;
pub mod body;
pub mod drafts;
pub mod json;
pub mod kinds;
pub mod messages;
pub mod names;
pub mod print;
pub mod read;
pub mod requests;
pub mod split;
pub mod tree;
pub mod values;
pub mod write;
