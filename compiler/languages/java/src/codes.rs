//! The diagnostics of the Java back end.

aldis_diagnostics::codes! {
    FORM = "java/E0001", "the Java back end cannot write codecs of this wire form",
        "leave --lang java out for this schema";
    FIELDS = "java/E0002", "a record has more fields than the Java back end generates",
        "split the record";
    ANSWERS = "java/W0001", "the answers to a request cannot be told from one another",
        "give each a number of its own";
}
