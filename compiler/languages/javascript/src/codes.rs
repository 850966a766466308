//! What the JavaScript back end can report.

aldis_diagnostics::codes! {
    FORM = "javascript/E0001", "the JavaScript back end cannot write codecs of this wire form",
        "leave --lang javascript out for this schema";
}
