//! The questions of the playground's page: JSON in, JSON out.
//!
//! One schema with one text (and those that it imports, by name) comes with every question, so nothing is kept from one to the
//! next. The page runs this as WebAssembly; nothing here touches a disk or prints.

#[cfg(feature = "breaking")]
mod breaking;
#[cfg(feature = "languages")]
mod code;
#[cfg(feature = "messages")]
mod layouts;
#[cfg(feature = "messages")]
mod message;
mod schema;
mod texts;

use schema::Given;
use serde::Deserialize;
use serde_json::{json, Value};

/// A question of the page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Question {
    /// Diagnostics, forms, messages and layouts.
    #[cfg(feature = "messages")]
    Schema { schema: Given },
    /// Bytes to rows and to JSON; `bytes` are hex digits. Without a message it is found from the bytes.
    #[cfg(feature = "messages")]
    Explain { schema: Given, form: String, message: Option<String>, bytes: String },
    /// JSON to bytes.
    #[cfg(feature = "messages")]
    Encode { schema: Given, form: String, message: String, json: String },
    /// JSON and bytes of a random value.
    #[cfg(feature = "messages")]
    Random { schema: Given, form: String, message: String, seed: u64 },
    /// The effects of the change from `old` to `schema`.
    #[cfg(feature = "breaking")]
    Breaking { schema: Given, old: Given, form: String },
    /// The languages that there are.
    #[cfg(feature = "languages")]
    Languages {},
    /// The code in a language.
    #[cfg(feature = "languages")]
    Code { schema: Given, language: String },
}

/// The answer to a question; a question that has none is answered by `{"error": TEXT}`.
pub fn answer(question: &str) -> String {
    let answer = serde_json::from_str(question).map_err(|error| error.to_string()).and_then(answered);
    answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

fn answered(question: Question) -> Result<Value, String> {
    match question {
        #[cfg(feature = "messages")]
        Question::Schema { schema } => Ok(layouts::described(&schema)),
        #[cfg(feature = "messages")]
        Question::Explain { schema, form, message, bytes } => {
            message::explained(&message::codec(&schema, &form)?, message.as_deref(), &bytes)
        }
        #[cfg(feature = "messages")]
        Question::Encode { schema, form, message, json } => {
            message::encoded(&message::codec(&schema, &form)?, &message, &json)
        }
        #[cfg(feature = "messages")]
        Question::Random { schema, form, message, seed } => {
            message::random(&message::codec(&schema, &form)?, &message, seed)
        }
        #[cfg(feature = "breaking")]
        Question::Breaking { schema, old, form } => breaking::compared(&old, &schema, &form),
        #[cfg(feature = "languages")]
        Question::Languages {} => Ok(code::languages()),
        #[cfg(feature = "languages")]
        Question::Code { schema, language } => code::generated(&schema, &language),
    }
}
