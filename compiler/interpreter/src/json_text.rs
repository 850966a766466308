//! Strings as JSON has them.

use crate::fault::{Code, Fault};
use aldis_schema::Encoding;

/// Appends bytes as a JSON string. Only `"`, `\` and what is below U+0020 are escaped.
///
/// # Errors
/// `bad-text` when the encoding is UTF-8 and the bytes are not.
pub(crate) fn write_text(out: &mut Vec<u8>, bytes: &[u8], encoding: Encoding) -> Result<(), Fault> {
    out.push(b'"');
    match encoding {
        Encoding::Utf8 => {
            if let Err(error) = std::str::from_utf8(bytes) {
                let text = format!("text is not UTF-8 from its byte {} on", error.valid_up_to());
                return Err(Fault::new(Code::BadText, text));
            }
            escape(out, bytes);
        }
        Encoding::Latin1 if bytes.is_ascii() => escape(out, bytes),
        Encoding::Latin1 => {
            let text: String = bytes.iter().map(|&b| char::from(b)).collect();
            escape(out, text.as_bytes());
        }
    }
    out.push(b'"');
    Ok(())
}

fn escape(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut plain = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend_from_slice(&bytes[plain..index]);
        plain = index + 1;
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0C => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            control => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
        }
    }
    out.extend_from_slice(&bytes[plain..]);
}
