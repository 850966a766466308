//! `aldis matrix`: what is supported, as the code says it; the text of `docs/SUPPORT.md`.

use crate::failure::Outcome;
use crate::output::Output;
use crate::registry::{FORMATS, LANGUAGES};
use aldis_emit::Operations;

/// The wire forms in the order in which the matrix shows them, each with the format it belongs to.
const FORMS: &[(&str, &str)] = &[
    ("fbe", "fbe"),
    ("fbe", "fbe-final"),
    ("sbe", "sbe"),
    ("capnp", "capnp"),
    ("capnp", "capnp-packed"),
    ("capnp", "capnp-canonical"),
];

pub fn run(output: &Output) -> Outcome {
    output.print(&matrix())
}

/// The whole page.
pub fn matrix() -> String {
    let mut text = String::from(
        "# What is supported\n\nWritten from the code by `UPDATE_GOLDEN=1 cargo test -p aldis`; a test keeps it true.\n\n\
         | format | wire form | schema extension | interpreter |",
    );
    for language in LANGUAGES {
        text.push_str(&format!(" {} |", language.name()));
    }
    text.push_str("\n|---|---|---|---|");
    text.push_str(&"---|".repeat(LANGUAGES.len()));
    text.push('\n');
    for (format, form) in FORMS {
        let extensions = FORMATS.iter().find(|f| f.name() == *format).map(|f| f.extensions()).unwrap_or_default();
        let extensions: Vec<String> = extensions.iter().map(|extension| format!("`.{extension}`")).collect();
        text.push_str(&format!("| {format} | `{form}` | {} | yes |", extensions.join(", ")));
        for language in LANGUAGES {
            text.push_str(match (language.forms().contains(form), language.operations()) {
                (false, _) => " no |",
                (true, Operations::All) => " yes |",
                (true, Operations::Decoding) => " decoding |",
                (true, Operations::Showing) => " shows |",
            });
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::FORMS;
    use crate::files::DiskFiles;
    use crate::registry::{FORMATS, LANGUAGES};
    use std::path::Path;

    #[test]
    fn the_forms_are_those_that_front_ends_make_and_languages_speak() {
        let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("conformance/schemas");
        let mut made = Vec::new();
        for format in FORMATS {
            let schema = schemas.join(format!("market.{}", format.extensions()[0]));
            let files = DiskFiles::default();
            let plans = format.compile(schema.to_str().unwrap(), &files).plans;
            made.extend(plans.into_iter().map(|plan| (format.name(), plan.form.name)));
        }
        let shown: Vec<(&str, String)> = FORMS.iter().map(|(format, form)| (*format, (*form).to_owned())).collect();
        assert_eq!(shown, made);
        for form in LANGUAGES.iter().flat_map(|language| language.forms()) {
            assert!(FORMS.iter().any(|(_, known)| known == form), "{form}");
        }
    }
}
