//! The diagnostics of the C# back end.

aldis_diagnostics::codes! {
    FORM = "csharp/E0001", "the C# back end cannot write codecs of this wire form",
        "leave --lang csharp out for this schema";
}
