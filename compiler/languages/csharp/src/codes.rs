//! The diagnostics of the C# back end.

aldis_diagnostics::codes! {
    FORM = "csharp/E0001", "the C# back end cannot write codecs of this wire form",
        "leave --lang csharp out for this schema";
    FIELDS = "csharp/E0002", "a record has more fields than the C# back end generates",
        "split the record";
    ANSWERS = "csharp/W0001", "the answers to a request cannot be told from one another",
        "give each a number of its own";
}
