//! The command as a plugin of Cap'n Proto's compiler: `capnp compile -oaldis-erlang:DIR SCHEMA` runs `capnpc-aldis-erlang`,
//! which is this command under another name, in `DIR` with a code generator request on its standard input. It has no
//! arguments: the variable `ALDIS_OPTIONS` says what `--option` says to `aldis gen`.

use crate::compile::Compiled;
use crate::failure::{Failure, Outcome};
use crate::files::{read_within, LONGEST};
use crate::output::Output;
use crate::{commands, options, registry, write_files};
use aldis_emit::Request;
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

const NAME: &str = "capnpc-aldis";

/// The variable with the options of the language, with commas between them: `allocator=pmr,strict_text`.
const OPTIONS: &str = "ALDIS_OPTIONS";

/// The language that the command is to generate when it was started by the name `program`: that of
/// `capnpc-aldis-LANG`, and the first of our languages for `capnpc-aldis`. `None` under any other name.
pub fn language(program: &OsStr) -> Option<String> {
    let name = Path::new(program).file_name()?.to_str()?;
    let rest = name.strip_suffix(std::env::consts::EXE_SUFFIX)?.strip_prefix(NAME)?;
    match rest.strip_prefix('-') {
        Some(language) => Some(language.to_owned()),
        None => rest.is_empty().then(|| registry::LANGUAGES[0].name().to_owned()),
    }
}

/// Reads the request that is `input` and writes the codecs of each file that it asks for below `folder`.
pub fn run(language: &str, input: impl Read, folder: &Path, output: &Output) -> Outcome {
    let language = registry::language_or_usage(language)?;
    let given = std::env::var_os(OPTIONS).unwrap_or_default();
    let options = options::in_text(OPTIONS, language.name(), &given.to_string_lossy())?;
    let bytes = read_within(input, LONGEST, "a request").map_err(|error| Failure::file("standard input", &error))?;
    if bytes.is_empty() {
        let text =
            format!("{NAME}: nothing on standard input; `capnp compile -oaldis-{} SCHEMA` runs this", language.name());
        return Err(Failure::Usage(text));
    }
    let requested = aldis_capnp::compile_requested_files(&bytes);
    // All files are generated before one is written.
    let mut files = Vec::new();
    for (name, compilation) in requested.map_err(|fault| Failure::Input(fault.to_string()))? {
        let stem = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let compiled = Compiled { sources: compilation.sources, plans: compilation.plans, stem };
        let request = Request {
            plans: &compiled.plans,
            name: None,
            prefix: None,
            renames: Vec::new(),
            options: options.clone(),
            testee: false,
            stem: compiled.stem.clone(),
            runtime: write_files::runtime_dir(),
            version: env!("CARGO_PKG_VERSION"),
        };
        files.extend(commands::generated(language, &request, &compiled.sources, output)?);
    }
    write_files::write(folder, &files).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::language;
    use std::ffi::OsStr;

    #[test]
    fn the_name_tells_the_language() {
        let of = |name: &str| language(OsStr::new(&format!("{name}{}", std::env::consts::EXE_SUFFIX)));
        assert_eq!(of("/usr/bin/capnpc-aldis-erlang").as_deref(), Some("erlang"));
        assert_eq!(of("capnpc-aldis").as_deref(), Some("erlang"));
        assert_eq!(of("capnpc-aldis-").as_deref(), Some(""));
        for other in ["aldis", "/capnpc-aldis/aldis", "capnpc-aldis2", ""] {
            assert_eq!(of(other), None);
        }
    }
}
