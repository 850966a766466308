//! The diagnostics of the JavaScript back end.

aldis_diagnostics::codes! {
    FORM = "javascript/E0001", "the JavaScript back end cannot write codecs of this wire form",
        "leave --lang javascript out for this schema";
    FIELDS = "javascript/E0002", "a record has more fields than the JavaScript back end generates",
        "split the record";
    DEFAULT = "javascript/E0003", "a default or constant of 64 bits is beyond what numbers tell from one another",
        "leave --option int64=safe out, or say int64=number, which rounds";
    ANSWERS = "javascript/W0001", "the answers to a request cannot be told from one another",
        "give each a number of its own";
}
