//! Every diagnostic of this crate: its code, what it means, how it is mended. The README's table is this one.

aldis_diagnostics::codes! {
    UNREADABLE = "fbe/E0001", "a file cannot be read", "check the path and its permissions";
    NOT_UTF8 = "fbe/E0002", "a file is not UTF-8", "save it as UTF-8";
    FOREIGN_CHARACTER = "fbe/E0003", "a character that FBE has no use for", "remove it";
    OPEN_COMMENT = "fbe/E0004", "a `/*` that is never closed", "close it with `*/`";
    OPEN_QUOTE = "fbe/E0005", "a string or character that its line does not close", "close it, or write `\\n` for a line end";
    BAD_ESCAPE = "fbe/E0006", "an escape that does not exist, or a character literal that is not one character", "use one of the escapes in the README";
    BAD_NUMBER = "fbe/E0007", "digits that make no number", "write `12`, `0x1F` or `1.5e-3`";
    SYNTAX = "fbe/E0008", "something else was expected here", "see the sentence and its help";
    OPEN_BRACE = "fbe/E0009", "a body that is not closed before the next declaration or the end", "add the `}`";
    NO_SEMICOLON = "fbe/E0010", "a `;` is missing", "add it";
    NO_PACKAGE = "fbe/E0011", "the file has no `package`", "begin it with `package name`";
    HEADER_TWICE = "fbe/E0012", "`domain`, `package` or `version` stands there twice", "keep one of them";
    BAD_VERSION = "fbe/E0013", "a version that is not `major.minor`", "write two whole numbers with a dot between";
    NUMBER_RANGE = "fbe/E0014", "a struct number or offset outside 0 to 2147483647", "choose a smaller one";
    UNKNOWN_ATTRIBUTE = "fbe/E0015", "an attribute that FBE does not have", "use key, id, hidden, deprecated, request, response or reject";
    ATTRIBUTE_ARGUMENTS = "fbe/E0016", "an attribute with too many or too few arguments", "see the help";
    REPEATED_ATTRIBUTE = "fbe/E0017", "an attribute stands there twice", "remove one";
    NESTED_COLLECTION = "fbe/E0018", "a collection of collections", "put the inner one into a struct";
    BAD_OPTIONAL = "fbe/E0019", "`?` where a value must be there: sets, keys, resettable fields", "remove the `?`";
    BAD_LENGTH = "fbe/E0020", "an array without elements or with too many", "choose a length from 1 to 262144";
    NO_IMPORT = "fbe/E0021", "an imported file is not there", "check the name and the import directories";
    IMPORT_CYCLE = "fbe/E0022", "files import each other", "move what both need into a third file";
    DUPLICATE_TYPE = "fbe/E0023", "two types of one name", "rename one";
    DUPLICATE_FIELD = "fbe/E0024", "two fields of one name, inherited and `…Reset` ones included", "rename one";
    DUPLICATE_VALUE = "fbe/E0025", "two enum values or flags of one name", "rename one";
    BUILTIN_NAME = "fbe/E0026", "a type called as a built-in one", "rename it";
    UNKNOWN_TYPE = "fbe/E0027", "a type that is not declared", "declare or import it, or mend its spelling";
    UNKNOWN_PACKAGE = "fbe/E0028", "a package that is not imported", "import it";
    BASE_NOT_STRUCT = "fbe/E0029", "a base that is no struct", "inherit from a struct or message";
    INHERITANCE_CYCLE = "fbe/E0030", "a struct that inherits from itself", "break the circle";
    ENDLESS_STRUCT = "fbe/E0031", "a struct that holds itself by value", "make one link of the circle optional or a vector";
    TOO_DEEP = "fbe/E0032", "inheritance, nesting by value or imports deeper than 64", "flatten it";
    ENUM_BASE = "fbe/E0033", "an enum over a type that is no integer or character", "use byte, char, wchar or an intN";
    FLAGS_BASE = "fbe/E0034", "flags over a type that is no integer", "use byte or an intN";
    VALUE_RANGE = "fbe/E0035", "an enum value or flag outside its base type", "choose a wider base or a smaller value";
    UNKNOWN_VALUE = "fbe/E0036", "a name that is no value of the type", "mend its spelling, or declare it (before it is used)";
    FLAG_WITHOUT_VALUE = "fbe/E0037", "a flag without a value", "give it one: `= 0x01`";
    WRONG_VALUE = "fbe/E0038", "an enum value or flag that is neither an integer nor a name", "write an integer, a character or another name";
    DUPLICATE_NUMBER = "fbe/E0040", "two structs with one explicitly chosen number", "choose another number for one";
    BASE_NUMBER = "fbe/E0041", "`(base)` on a struct without a base", "name the base, or remove `(base)`";
    DEFAULT_TYPE = "fbe/E0042", "a default of another type", "write a value of the field's type";
    DEFAULT_RANGE = "fbe/E0043", "a default that its type cannot hold", "choose a value within the range, or a wider type";
    DEFAULT_NOT_EXACT = "fbe/E0044", "a decimal default that cannot be kept exactly", "use at most 28 decimals and 96 bits";
    NO_DEFAULT = "fbe/E0045", "a default on a type that cannot have one", "remove it";
    SECOND_ID = "fbe/E0046", "a second `[id]` field", "keep one";
    TOO_LARGE = "fbe/E0047", "a struct whose fixed part exceeds 262144 bytes", "use vectors in the place of large arrays";
    BAD_ANSWER = "fbe/E0048", "a response or reject that is no struct", "name a message";
    TOO_MANY = "fbe/E0049", "so many errors that the rest is not shown", "mend the first ones";
    INHERITED_FIELDS = "fbe/E0050", "so many inherited fields that the schema outgrows its text", "put them into a struct and hold that in a field";
    LONG_CHAIN = "fbe/E0051", "a chain of more than 1024 structs, one in a field of the other", "end it earlier: readers refuse values nested deeper than 64";
    HEADER_ORDER = "fbe/W0001", "header statements in an order that fbec refuses", "write domain, package, version, imports, then types";
    KEYWORD_NAME = "fbe/W0002", "a keyword as a name, which fbec refuses", "rename it if fbec must read the schema";
    NUMBER_COLLISION = "fbe/W0003", "two structs or two messages of one number: receivers cannot tell them apart", "give one a number of its own";
    OTHER_DOMAIN = "fbe/W0004", "an imported file of another domain; fbec's Java, Kotlin, C# and Swift code does not compile", "use one domain";
    INDIRECT_IMPORT = "fbe/W0005", "a package that only an imported file imports", "import it here too";
    IMPORT_NAME = "fbe/W0006", "an imported file whose package is called otherwise", "name file and package alike";
    IMPORT_TWICE = "fbe/W0007", "a file is imported twice", "remove one import";
    ANSWER_NOT_MESSAGE = "fbe/W0008", "a response or reject that is a struct: it cannot be sent", "declare it with `message`";
    NOT_REQUEST = "fbe/W0009", "an answer to something that is no `[request]`", "add `[request]`";
    STRAY_SEMICOLON = "fbe/W0010", "a `;` that fbec refuses", "remove it";
    NOW = "fbe/W0011", "`now`, as FBE's document has it; fbec only knows `utc`", "write `utc`";
    MISPLACED_ATTRIBUTE = "fbe/W0012", "an attribute on something that it says nothing about; it is ignored", "move or remove it";
    TOO_MANY_WARNINGS = "fbe/W0013", "so many warnings that the rest is not shown", "mend the first ones";
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn codes_ascend_and_the_readme_has_every_row() {
        let readme = include_str!("../README.md");
        assert!(TABLE.windows(2).all(|pair| pair[0].code < pair[1].code));
        for row in TABLE {
            let line = format!("| {} | {} | {} |", row.code, row.meaning, row.mend);
            assert!(readme.contains(&line), "README.md lacks the line\n{line}");
        }
    }
}
