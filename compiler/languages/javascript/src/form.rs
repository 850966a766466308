//! The names that a wire form's module exports.

use crate::names::Known;

/// A form's module, as other modules import it.
pub(crate) struct Form {
    pub name: String,
    /// By message: the function that decodes it.
    pub decoders: Vec<Known>,
    /// By message: the function that checks it.
    pub verifiers: Vec<Known>,
    /// Messages that have a view, and the function that gives it.
    pub views: Vec<(usize, String)>,
    /// By message: the function that encodes it.
    pub encoders: Vec<Known>,
    /// The function that tells messages apart, where the form can.
    pub identify: Option<String>,
    /// The message that is the header value of others.
    pub header: Option<String>,
    /// The type of any message, where the form tells them apart.
    pub any: Option<String>,
}
