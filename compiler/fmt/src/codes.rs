//! The diagnostics about a text's white space.

aldis_diagnostics::codes! {
    IRREGULAR = "fmt/E0001", "the white space of a file is not regular",
        "run `aldis fmt FILE`: it changes white space alone";
}
