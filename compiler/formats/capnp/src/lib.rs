//! Cap'n Proto schemas.

pub mod codes;
mod ids;
mod layout;
pub mod model;
pub mod text;
