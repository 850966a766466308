//! The diagnostics of the Elixir back end.

aldis_diagnostics::codes! {
    NAME = "elixir/E0001", "two types have one module name in Elixir",
        "give one of them another name: --rename TYPE=OTHER";
    MODULE = "elixir/E0002", "the module would be called like one of Elixir or of the runtime",
        "give it another name: --name OTHER";
    KEY = "elixir/E0004", "the key of a field has a meaning in every struct of Elixir, so it gets another",
        "give the field another name where the key matters";
}
