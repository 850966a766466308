//! `aldis matrix`: what is supported, as the code says it; the text of `docs/SUPPORT.md`.

use crate::failure::Outcome;
use crate::output::Output;
use crate::registry::{FORMATS, LANGUAGES};
use aldis_emit::{Extra, Language, Operations};

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
    text.push_str(&extras());
    text
}

/// The table of the things that codecs do besides, and not every language's.
fn extras() -> String {
    let mut text = String::from("\n| besides |");
    for language in LANGUAGES {
        text.push_str(&format!(" {} |", language.name()));
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(LANGUAGES.len()));
    for extra in Extra::ALL {
        let what = match extra {
            Extra::Verify => "a message is checked without making a value",
            Extra::Views => "single fields are read where they lie (views)",
            Extra::Drafts => "fields are written where they will lie (writers)",
        };
        text.push_str(&format!("\n| {what} |"));
        for language in LANGUAGES {
            text.push_str(&format!(" {} |", extent(*language, extra)));
        }
    }
    text.push_str("\n| types of imported schemas are those of the imports' own code |");
    for language in LANGUAGES {
        text.push_str(if language.refers_to_imports() { " yes |" } else { " no |" });
    }
    text.push('\n');
    text
}

/// The forms in which a language does it, in a word where these are all or none.
fn extent(language: &dyn Language, extra: Extra) -> String {
    let forms = language.extras(extra);
    let known = FORMS.iter().map(|(_, form)| *form);
    let (with, without): (Vec<&str>, Vec<&str>) = known.partition(|form| forms.contains(form));
    match (with.as_slice(), without.as_slice()) {
        ([], _) => "no".to_owned(),
        (_, []) => "yes".to_owned(),
        (_, [without]) => format!("all but `{without}`"),
        (with, _) => with.iter().map(|form| format!("`{form}`")).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::FORMS;
    use crate::files::DiskFiles;
    use crate::registry::{FORMATS, LANGUAGES};
    use aldis_emit::{Extra, Language, Request};
    use aldis_plan::Plan;
    use std::path::{Path, PathBuf};

    fn schemas() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("conformance/schemas")
    }

    /// All files that a language makes for a schema, as one text.
    fn generated(language: &dyn Language, plans: &[Plan]) -> String {
        let generated = language.generate(&Request {
            plans,
            name: None,
            prefix: None,
            renames: Vec::new(),
            options: Vec::new(),
            testee: false,
            stem: "messages".into(),
            runtime: None,
            version: "0",
        });
        generated.files.iter().map(|file| file.text.as_str()).collect()
    }

    #[test]
    fn the_forms_are_those_that_front_ends_make_and_languages_speak() {
        let mut made = Vec::new();
        for format in FORMATS {
            let schema = schemas().join(format!("market.{}", format.extensions()[0]));
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

    /// The words in generated code by which users do it with a message of a form, whose own part of names is `part`; none where a language
    /// has no such words.
    fn sign(language: &str, extra: Extra, message: &str, part: &str) -> Option<String> {
        let snake = if part.is_empty() { String::new() } else { format!("_{part}") };
        let camel: String = part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect();
        Some(match (language, extra) {
            ("erlang", Extra::Views) => format!("{message}_get{snake}'/2"),
            ("elixir", Extra::Views) => format!("def get{snake}(:"),
            ("cpp", Extra::Verify | Extra::Views) => format!("verify{snake}(\n"),
            ("cpp", Extra::Drafts) => format!("write{snake}(aldis::"),
            ("javascript", Extra::Verify) => format!("function verify{message}{camel}("),
            ("javascript", Extra::Views) => format!("function view{message}{camel}("),
            ("javascript", Extra::Drafts) => format!("function draft{message}{camel}("),
            ("java", Extra::Verify) => format!(" verify{camel}("),
            ("java", Extra::Drafts) => format!("class {message}Draft{camel} "),
            ("java", Extra::Views) => format!("class {message}View{camel} "),
            ("csharp", Extra::Verify) => format!(" Verify{camel}("),
            ("csharp", Extra::Drafts) => format!("class {message}Draft{camel} "),
            ("csharp", Extra::Views) => format!("ref struct {message}View{camel}\n"),
            ("python", Extra::Verify) => format!("def verify{snake}("),
            ("python", Extra::Views) => format!("def view{snake}("),
            _ => return None,
        })
    }

    #[test]
    fn generated_code_does_what_the_matrix_says_and_no_more() {
        for (schema, message) in [("market.fbe", "Trade"), ("market.xml", "Trade"), ("addressbook.capnp", "Person")] {
            let path = schemas().join(schema);
            let extension = path.extension().unwrap().to_str().unwrap();
            let format = FORMATS.iter().find(|format| format.extensions().contains(&extension)).unwrap();
            let plans = format.compile(path.to_str().unwrap(), &DiskFiles::default()).plans;
            for language in LANGUAGES {
                let text = generated(*language, &plans);
                for (plan, extra) in plans.iter().flat_map(|plan| Extra::ALL.map(|extra| (plan, extra))) {
                    let form = plan.form.name.as_str();
                    let part = form.split_once('-').map_or("", |(_, part)| part);
                    let has = sign(language.name(), extra, message, part).is_some_and(|sign| text.contains(&sign));
                    assert_eq!(has, language.extras(extra).contains(&form), "{} {form} {extra:?}", language.name());
                }
            }
        }
    }
}
