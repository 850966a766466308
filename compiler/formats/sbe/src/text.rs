//! Bytes to text: schema files are UTF-8 by their rule, and by the wild's practice not always.

/// A file's text, and where its bytes were not what they said they were.
pub(crate) struct Decoded {
    pub text: String,
    /// Offset in `text` of the first replacement character that stands for a stray byte.
    pub first_stray: Option<usize>,
}

/// Decodes a schema file: UTF-16 by its byte order mark, ISO-8859-1 where the XML declaration says so, else UTF-8 with
/// stray bytes replaced. A byte order mark is dropped, so positions count from the first visible character.
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        _ if declares_latin1(bytes) => {
            Decoded { text: bytes.iter().map(|&b| char::from(b)).collect(), first_stray: None }
        }
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Decoded {
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: text.to_string(), first_stray: None },
        Err(error) => {
            Decoded { text: String::from_utf8_lossy(bytes).into_owned(), first_stray: Some(error.valid_up_to()) }
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    let text = String::from_utf16_lossy(&units);
    let first_stray = if String::from_utf16(&units).is_err() { text.find(char::REPLACEMENT_CHARACTER) } else { None };
    Decoded { text, first_stray }
}

/// Whether the XML declaration names ISO-8859-1 or one of its relatives.
fn declares_latin1(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let Some(declaration) = head.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map(|(d, _)| d) else {
        return false;
    };
    let Some((_, after)) = declaration.split_once("encoding") else { return false };
    let value = after.trim_start().trim_start_matches('=').trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    ["iso-8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252"].iter().any(|e| value.starts_with(e))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn latin1_is_decoded_where_declared() {
        let decoded = decode(b"<?xml version=\"1.0\" encoding='ISO-8859-1'?><a b=\"\xE9\"/>");
        assert!(decoded.text.ends_with("<a b=\"\u{e9}\"/>"));
        assert_eq!(decoded.first_stray, None);
    }

    #[test]
    fn stray_bytes_are_replaced_and_found() {
        let decoded = decode(b"<a b=\"\x93x\x94\"/>");
        assert_eq!(decoded.text, "<a b=\"\u{fffd}x\u{fffd}\"/>");
        assert_eq!(decoded.first_stray, Some(6));
    }

    #[test]
    fn byte_order_marks_are_dropped() {
        assert_eq!(decode(b"\xEF\xBB\xBF<a/>").text, "<a/>");
        assert_eq!(decode(b"\xFF\xFE<\0a\0/\0>\0").text, "<a/>");
        assert_eq!(decode(b"\xFE\xFF\0<\0a\0/\0>").text, "<a/>");
    }
}
