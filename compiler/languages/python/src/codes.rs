//! The diagnostics of the Python back end.

aldis_diagnostics::codes! {
    FORM = "python/E0001", "the Python back end cannot write codecs of this wire form",
        "leave --lang python out for this schema";
    FIELDS = "python/E0002", "a record has more fields than the Python back end generates",
        "split the record";
    ANSWERS = "python/W0001", "the answers to a request cannot be told from one another",
        "give each a number of its own";
}
