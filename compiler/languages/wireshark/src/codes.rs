//! The diagnostics of the Wireshark back end.

aldis_diagnostics::codes! {
    FORM = "wireshark/E0001", "the Wireshark back end cannot show messages of this wire form",
        "leave --lang wireshark out for this schema";
    MESSAGE = "wireshark/E0002", "the option `message` names no message of the schema",
        "name one of the schema's messages, with its package";
    TESTEE = "wireshark/E0003", "dissectors answer no conversion requests, so there is no testee of them",
        "leave --testee out; `aldis conform` takes other languages";
}
