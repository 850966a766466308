//! The mistakes in a project's file.

aldis_diagnostics::codes! {
    UNREADABLE = "project/E0001", "the project's file cannot be read",
        "check its permissions, and save it as UTF-8";
    SYNTAX = "project/E0002", "the project's file is no TOML",
        "write it as TOML: `key = \"text\"`, `key = [\"a\", \"b\"]`, `[table]`, `[[list of tables]]`";
    UNKNOWN_KEY = "project/E0003", "there is no such key",
        "take one of the keys that there are; docs/project.md has them all";
    WRONG_TYPE = "project/E0004", "a key takes another kind of value",
        "write the kind of value that the key takes; docs/project.md shows each";
    MISSING_KEY = "project/E0005", "a key is missing",
        "add the key";
    UNKNOWN_WORD = "project/E0006", "a value is none that the key takes",
        "take one of those that there are";
    BAD_PATTERN = "project/E0007", "a pattern of paths is not well formed",
        "`*` stands for any letters of a name, `**` for any folders, `?` for a letter, `[a-z]` for one of these, `{a,b}` for either";
    NO_FILE = "project/E0008", "a pattern or path leads to nothing",
        "name files or folders that there are, relative to the folder of the project's file";
    NO_REASON = "project/E0009", "an exception has no reason",
        "say in a sentence why this change may break what it breaks";
    SAME_FILE = "project/E0010", "two outputs write one file",
        "give one of them another folder or name, or let its `schemas` choose other schemas";
    UNUSED_EXCEPTION = "project/W0001", "an exception is about no change that there is",
        "remove it, or correct its `what` and `code`: aldis breaking shows both";
}
