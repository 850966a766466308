//! The part of the testee protocol that all programs of testees say alike.

use aldis_schema::Schema;

/// The answer to what messages there are: a line for each, its full name and its id.
pub fn listing(schema: &Schema) -> String {
    let listed = schema.messages.iter().filter(|message| message.listed);
    let line = listed.map(|message| {
        let id = message.id.map_or("-".to_owned(), |id| id.to_string());
        format!("{} {id}\n", schema.type_def(message.record).name.full())
    });
    line.collect()
}
