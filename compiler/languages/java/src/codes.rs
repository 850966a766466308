//! The diagnostics of the Java back end.

aldis_diagnostics::codes! {
    FORM = "java/E0001", "the Java back end cannot write codecs of this wire form",
        "leave --lang java out for this schema";
}
