//! A reference of a schema: one HTML page that needs nothing but itself.

mod html;
mod links;
mod page;
mod picture;
mod types;

pub use page::page;
