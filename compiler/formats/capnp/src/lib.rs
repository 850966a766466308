//! Cap'n Proto schemas.

pub mod model;
