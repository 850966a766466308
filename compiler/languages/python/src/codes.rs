//! The diagnostics of the Python back end.

aldis_diagnostics::codes! {
    FORM = "python/E0001", "the Python back end cannot write codecs of this wire form",
        "leave --lang python out for this schema";
    ANSWERS = "python/W0001", "the answers to a request cannot be told from one another",
        "give each a number of its own";
}
