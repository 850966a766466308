//! Cap'n Proto schemas.

pub mod codes;
mod ids;
mod layout;
pub mod model;
pub mod request;
pub mod text;
