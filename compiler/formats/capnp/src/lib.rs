//! Cap'n Proto schemas.

pub mod model;
pub mod request;

mod lower;

/// The plans of a code generator request's schema, or what is wrong with it.
///
/// # Errors
/// As [`request::read`].
pub fn plans_of_request(bytes: &[u8]) -> Result<Vec<aldis_plan::Plan>, request::Fault> {
    let model = request::read(bytes)?;
    Ok(lower::lower(&model, aldis_schema::digest(&[&format!("{model:?}")])))
}
