//! JSON that the schema shapes for itself.

use serde::{Deserialize, Serialize};

/// How a field's JSON differs from what the format's mapping says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JsonField {
    /// The name of its member.
    pub name: Option<String>,
    /// The members of its object are members of the object around, each name with this in front.
    pub flatten: Option<String>,
    /// Bytes are text.
    pub bytes: Option<BytesText>,
}

/// How bytes are written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BytesText {
    Base64,
    /// Two digits a byte, lower case; upper case is read too.
    Hex,
}

/// The member that tells which arm of a union is active.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discriminator {
    pub name: String,
    /// The name of the arm's own member, whichever arm it is; the arm's name where this is `None`.
    pub value_name: Option<String>,
}
