//! The diagnostics of the C++ back end.

aldis_diagnostics::codes! {
    FORM = "cpp/E0001", "the C++ back end cannot write codecs of this wire form",
        "leave --lang cpp out for this schema";
    RECORD = "cpp/E0002", "the C++ back end cannot write a codec for this record",
        "leave --lang cpp out for this schema";
    CALLS = "cpp/E0003", "the methods of an interface are not generated",
        "call them by hand: their messages are generated";
    ANSWERS = "cpp/W0001", "the answers to a request cannot be told from one another",
        "give each a number of its own";
}
