//! Cap'n Proto schemas.

pub mod model;
pub mod request;
