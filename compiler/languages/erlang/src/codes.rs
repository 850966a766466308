//! The diagnostics of the Erlang back end.

aldis_diagnostics::codes! {
    NAME = "erlang/E0001", "two things have one name in Erlang, or a name is taken",
        "give one of them another name: --rename TYPE=OTHER";
    LONG_NAME = "erlang/E0002", "a name is longer than the 255 characters of an atom",
        "give it a shorter one: --rename TYPE=SHORTER";
    RECORD = "erlang/E0003", "the Erlang back end cannot write a codec for this record",
        "leave --lang erlang out for this schema";
    MODULE = "erlang/E0004", "the module would be called like one of OTP or of the runtime",
        "give it another name: --name OTHER";
    CALLS = "erlang/E0005", "the methods of an interface are not generated",
        "call them by hand: their messages are generated";
    FIELDS = "erlang/E0006", "a record has more fields than a function of Erlang can bind",
        "split the record";
}
