//! Numbers as JSON text.

/// Appends a finite float: the shortest text that reads back at its own width, in ECMAScript's layout, whole numbers
/// with `.0`, negative zero with its sign.
macro_rules! write_float {
    ($name:ident, $type:ty) => {
        pub(crate) fn $name(out: &mut Vec<u8>, value: $type) {
            if value == 0.0 && value.is_sign_negative() {
                out.push(b'-');
            }
            let mut buffer = ryu_js::Buffer::new();
            let text = buffer.format_finite(value);
            out.extend_from_slice(text.as_bytes());
            if !text.contains(['.', 'e']) {
                out.extend_from_slice(b".0");
            }
        }
    };
}

write_float!(write_f32, f32);
write_float!(write_f64, f64);

pub(crate) fn write_unsigned(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

pub(crate) fn write_signed(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f64_text(value: f64) -> String {
        let mut out = Vec::new();
        write_f64(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn floats_are_laid_out_as_ecmascript_does() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1000.0, "1000.0"),
            (1e21, "1e+21"),
            (1.5e-7, "1.5e-7"),
            (0.000001, "0.000001"),
            (123456789012345680000.0, "123456789012345680000.0"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(f64_text(value), text);
        }
        let mut out = Vec::new();
        write_f32(&mut out, 0.1);
        assert_eq!(out, b"0.1");
    }
}
