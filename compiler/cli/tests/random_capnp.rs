//! Random messages of random Cap'n Proto schemas, written by the reference: what the interpreter reads of them it writes
//! again byte for byte, packed and not, and its own JSON makes the same bytes. Of the canonical form only reading is
//! compared: it must mean what the other forms mean.

use aldis_capnp::CAPNP;
use aldis_capnp_peer::{convert, Form};
use aldis_diagnostics::Files;
use aldis_interpreter::Codec;
use aldis_plan::Format;
use aldis_schemagen::capnp::{self, Sample};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A folder of schemas that import each other.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(path))
    }

    fn resolve(&self, _from: &str, name: &str) -> Option<String> {
        self.0.join(name).is_file().then(|| name.to_owned())
    }
}

/// Checks as many schemas as `ALDIS_RANDOM_SCHEMAS` says, from the seed `ALDIS_RANDOM_SEED` on.
#[test]
fn messages_of_the_reference_are_read_and_written_as_it_does() {
    let number = |name: &str, default: u64| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let first = number("ALDIS_RANDOM_SEED", 1);
    let mut messages = 0;
    for seed in first..first + number("ALDIS_RANDOM_SCHEMAS", 10) {
        let sample = aldis_schemagen::sample(capnp::sample(), seed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("capnp-{seed}"));
        fs::create_dir_all(&folder).unwrap();
        for (number, text) in sample.files.iter().enumerate() {
            fs::write(folder.join(format!("f{number}.capnp")), text).unwrap();
        }
        messages += sample.messages.len();
        check(&folder, &sample);
        fs::remove_dir_all(&folder).unwrap();
    }
    assert!(messages > 0);
}

fn check(folder: &Path, sample: &Sample) {
    let file = format!("f{}.capnp", sample.files.len() - 1);
    let compilation = CAPNP.compile(&file, &Folder(folder.to_owned()));
    let codecs: Vec<Codec> = compilation.plans.into_iter().map(Codec::new).collect();
    let forms = [Form::Binary, Form::Packed, Form::Canonical];
    assert_eq!(codecs.len(), forms.len(), "{}", folder.display());
    for (name, literal) in &sample.messages {
        let mut meaning = None;
        let place = format!("{}, {name} {literal}", folder.display());
        let schema = folder.join(&file);
        let by_peer = |form| convert(&schema, name, Form::Text, form, literal.as_bytes()).unwrap();
        for (codec, form) in codecs.iter().zip(forms) {
            let message = codec.message_named(name).unwrap_or_else(|| panic!("{place}: no such message"));
            let bytes = by_peer(form);
            let (value, size) = codec.decode(message, &bytes).unwrap_or_else(|fault| panic!("{place}: {fault}"));
            assert_eq!(size, bytes.len(), "{place}");
            let written = codec.encode(message, &value).unwrap();
            assert!(form == Form::Canonical || written == bytes, "{form:?} {place}");
            let mut json = Vec::new();
            codec.to_json(message, &bytes, &mut json).unwrap_or_else(|fault| panic!("{place}: {fault}"));
            assert_eq!(*meaning.get_or_insert(json.clone()), json, "{form:?} {place}");
            let again = codec.from_json(message, &json).unwrap_or_else(|fault| panic!("{place}: {fault}"));
            assert_eq!(codec.encode(message, &again).unwrap(), written, "{form:?} {place}");
        }
    }
}
