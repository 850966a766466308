//! Every diagnostic of this crate: its code, what it means, how it is mended. The README's table is this one.

aldis_diagnostics::codes! {
    UNREADABLE = "capnp/E0001", "a file cannot be read", "check the path and its permissions";
    NOT_UTF8 = "capnp/E0002", "a file is not UTF-8", "save it as UTF-8";
    FOREIGN_CHARACTER = "capnp/E0003", "a character that Cap'n Proto has no use for", "remove it";
    OPEN_QUOTE = "capnp/E0004", "a text or data literal that is not closed", "close it with `\"`";
    BAD_ESCAPE = "capnp/E0005", "an escape that does not exist", "use one of the escapes in the README";
    BAD_NUMBER = "capnp/E0006", "digits that make no number", "write `12`, `0x1F`, `017` or `1.5e-3`";
    BAD_DATA = "capnp/E0007", "a data literal that is not pairs of hexadecimal digits", "write it as `0x\"00 ff 10\"`";
    OPERATOR_RUN = "capnp/E0008", "operator characters that run into each other", "put a space between them";
    SYNTAX = "capnp/E0009", "something else was expected here", "see the sentence and its help";
    NO_SEMICOLON = "capnp/E0010", "a `;` is missing", "add it";
    OPEN_BRACE = "capnp/E0011", "a body that is not closed before the end", "add the `}`";
    TOO_DEEP = "capnp/E0012", "declarations, types or values nested deeper than 64", "flatten them";
    NO_FILE_ID = "capnp/E0013", "a file without an id", "begin it with the id that the help shows";
    FILE_ID_TWICE = "capnp/E0014", "a second id of the file", "keep one";
    BAD_ID = "capnp/E0015", "an id whose top bit is not set", "use one from `capnp id`";
    DUPLICATE_ID = "capnp/E0016", "two declarations of one id", "give one an id of its own";
    DUPLICATE_NAME = "capnp/E0017", "a name that its scope has already", "rename one";
    NAME_CASE = "capnp/E0018", "a type that begins with a small letter, or anything else with a capital", "change the first letter";
    NAME_UNDERSCORE = "capnp/E0019", "an underscore in a name", "write it in camelCase";
    NO_ORDINAL = "capnp/E0020", "a field, enumerant or method without a number", "give it the next free `@N`";
    ORDINAL_RANGE = "capnp/E0021", "an ordinal above 65535", "number from @0 on, without gaps";
    DUPLICATE_ORDINAL = "capnp/E0022", "two members of one ordinal", "give one the next free number";
    ORDINAL_GAP = "capnp/E0023", "ordinals with a number missing between them", "number from @0 on, without gaps";
    UNION_ORDINAL = "capnp/E0024", "a union with an ordinal that is not marked as meant", "remove the ordinal, or write `@N! :union` for an old schema";
    LATE_UNION_ORDINAL = "capnp/E0025", "a union whose ordinal is above those of two of its members", "let at most one member have a lower ordinal";
    SMALL_UNION = "capnp/E0026", "a union of fewer than two members", "add a member, or make it a plain field";
    EMPTY_GROUP = "capnp/E0027", "a group without members", "add a field, or remove the group";
    SECOND_UNION = "capnp/E0028", "a second union without a name in one scope", "name one of them";
    UNION_IN_UNION = "capnp/E0029", "a union without a name directly in a union", "name it";
    MISPLACED = "capnp/E0030", "a declaration where there cannot be one", "move it out";
    UNKNOWN_NAME = "capnp/E0031", "a name that is not declared", "declare or import it, or mend its spelling";
    UNKNOWN_MEMBER = "capnp/E0032", "a name that its scope does not declare", "mend its spelling";
    NO_IMPORT = "capnp/E0033", "an imported file is not there", "check the name and the import directories";
    NOT_TYPE = "capnp/E0034", "something that is no type where a type is needed", "name a type";
    NOT_NAME = "capnp/E0035", "a value where a name is needed", "write a name";
    ALIAS_CYCLE = "capnp/E0036", "an alias that leads back to itself", "let one of them name a declaration";
    LONG_CHAIN = "capnp/E0037", "names that lead through more than 256 others, or constants through more than 64", "refer to the last one directly";
    USING_NAME = "capnp/E0038", "a `using` that gives no name", "write `using Name = …;`";
    PARAMETER_COUNT = "capnp/E0039", "a generic type with too many or too few parameters", "see the help";
    PARAMETER_TYPE = "capnp/E0040", "a generic parameter that is no pointer type", "put the value into a struct";
    NAMED_ARGUMENT = "capnp/E0041", "a generic parameter given by name", "give it by position";
    LIST_OF_ANY = "capnp/E0042", "a list of AnyPointer, AnyStruct or a generic parameter", "wrap the element in a struct";
    TYPE_TOO_LARGE = "capnp/E0043", "types that grow without measure through their parameters", "bind fewer parameters to generic types";
    NOT_INTERFACE = "capnp/E0044", "a superclass that is no interface", "name an interface";
    SUPERCLASS_CYCLE = "capnp/E0045", "an interface that extends itself", "break the circle";
    NOT_STRUCT = "capnp/E0046", "a method whose parameters or results are no struct", "write a list of fields in parentheses";
    STREAM_PARAMS = "capnp/E0047", "`stream` before the arrow", "`stream` stands in the place of results";
    BAD_TARGET = "capnp/E0048", "a target of an annotation that does not exist or stands there twice", "see the help";
    NOT_ANNOTATION = "capnp/E0049", "something that is no annotation behind a `$`", "name an annotation";
    ANNOTATION_TARGET = "capnp/E0050", "an annotation on something that it is not for", "remove it, or add the target to its declaration";
    ANNOTATION_VALUE = "capnp/E0051", "an annotation without its value", "write the value in parentheses";
    NOT_CONSTANT = "capnp/E0052", "something that is no constant where a value is needed", "name a constant";
    BARE_CONSTANT = "capnp/E0053", "a constant without its scope", "write the qualified name that the help shows";
    CONSTANT_CYCLE = "capnp/E0054", "a constant that needs its own value", "write one of them out";
    VALUE_TYPE = "capnp/E0055", "a value of another type", "write a value of the type";
    VALUE_RANGE = "capnp/E0056", "a number that its type cannot hold", "choose a value within the range, or a wider type";
    UNKNOWN_FIELD = "capnp/E0057", "a value for a field that the struct does not have", "mend its spelling";
    FIELD_TWICE = "capnp/E0058", "a field with two values, or two members of one union", "keep one";
    UNNAMED_FIELD = "capnp/E0059", "a field's value without the field's name", "write `name = value`";
    NULL_DEFAULT = "capnp/E0060", "`null` where no pointer is, or outside of a method's parameters", "remove it";
    UNBOUND_VALUE = "capnp/E0061", "a value whose type is a generic parameter", "bind the parameter, or remove the value";
    EMBED = "capnp/E0062", "an embedded file that cannot be used", "see the sentence and its help";
    TEXT_NOT_UTF8 = "capnp/E0063", "a Text whose bytes are not UTF-8", "use Data for bytes";
    STRUCT_TOO_LARGE = "capnp/E0064", "a struct of more than 65535 words", "split it";
    VALUES_TOO_LARGE = "capnp/E0065", "values that grow without measure through constants", "write fewer copies";
    TOO_MANY = "capnp/E0066", "so many errors that the rest is not shown", "mend the first ones";
    FLATTEN_CIRCLE = "capnp/E0067", "a struct whose JSON is flattened into itself", "remove one `flatten` of the circle";
    JSON_TYPE = "capnp/E0068", "`flatten`, `base64` or `hex` on a type that it is not for", "remove the annotation";
    JSON_NAME = "capnp/E0069", "a name in JSON that stands for two things", "give one of them another name";
    STRUCT_CHAIN = "capnp/E0070", "a chain of more than 1024 structs, one in a field of the other", "end it earlier: readers refuse values nested deeper than 64";
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
