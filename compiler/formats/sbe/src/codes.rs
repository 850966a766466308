//! Every diagnostic of this format: its code, what it means, how to mend it. The README's table is made from here.

aldis_diagnostics::codes! {
    UNREADABLE = "sbe/E0001",
        "The schema file cannot be read.",
        "Check the path and its permissions.";
    NOT_XML = "sbe/E0002",
        "The file is not well-formed XML.",
        "Mend the XML at the place shown.";
    BAD_INCLUDE = "sbe/E0003",
        "An XInclude without `href`, or with `xpointer` or a `parse` other than `xml`.",
        "Name one whole XML file by `href`.";
    REMOTE_INCLUDE = "sbe/E0004",
        "An XInclude names an address or an absolute path.",
        "Put the file beside the schema and name it relatively.";
    INCLUDE_MISSING = "sbe/E0005",
        "An included file is not there and no fallback is given.",
        "Check the path; it counts from the including file.";
    INCLUDE_CYCLE = "sbe/E0006",
        "Files include each other in a ring.",
        "Remove one of the includes.";
    INCLUDE_LIMIT = "sbe/E0007",
        "Includes are too deep or too many.",
        "Merge some of the files.";
    NO_SCHEMA = "sbe/E0008",
        "The root element is not `messageSchema`.",
        "Compile the file that holds the schema.";
    MISSING_ATTRIBUTE = "sbe/E0009",
        "A required attribute is missing or empty.",
        "Add it.";
    MISPLACED = "sbe/E0010",
        "An element stands where it cannot.",
        "Move it.";
    ORDER = "sbe/E0011",
        "A field stands after a group or data, or a group after data.",
        "Order them: fields, groups, data.";
    BAD_NAME = "sbe/E0012",
        "A name is not of letters, digits and `_`, or begins with a digit.",
        "Rename it.";
    BAD_NUMBER = "sbe/E0013",
        "An attribute that is a number holds something else.",
        "Give a decimal number from 0 to 4294967295.";
    BAD_KEYWORD = "sbe/E0014",
        "`presence`, `byteOrder` or `variableLength` holds none of its values.",
        "Choose one of the values listed.";
    FUTURE = "sbe/E0015",
        "`sinceVersion` is later than the schema's own version.",
        "Raise the schema's version or lower `sinceVersion`.";
    UNKNOWN_TYPE = "sbe/E0016",
        "A type is used that nobody declared.",
        "Declare it or mend the name.";
    NOT_PRIMITIVE = "sbe/E0017",
        "`primitiveType` names no primitive type.",
        "Use one of the eleven primitive types.";
    TYPE_CYCLE = "sbe/E0018",
        "A type contains itself.",
        "Break the ring; use a group for what repeats.";
    TOO_DEEP = "sbe/E0019",
        "Composites or groups are nested too deep.",
        "Flatten some of them.";
    TOO_LARGE = "sbe/E0020",
        "An array, a composite, a block or the whole schema is too large.",
        "Use var data for what is long.";
    BAD_VALUE = "sbe/E0021",
        "A constant, null, least or greatest value, enum value or bit is none of its type's.",
        "Give a value that the type can hold.";
    MIN_ABOVE_MAX = "sbe/E0022",
        "`minValue` is above `maxValue`.",
        "Exchange them.";
    NO_CONSTANT = "sbe/E0023",
        "A constant, enum value or choice has no value.",
        "Write it between the tags, or name it by `valueRef`.";
    CONSTANT_ARRAY = "sbe/E0024",
        "A constant of numbers has a length.",
        "Remove the length.";
    CONSTANT_TOO_LONG = "sbe/E0025",
        "A constant text is longer than its `length`.",
        "Raise the length or leave it out.";
    CONSTANT_KIND = "sbe/E0026",
        "A composite or set is said to be constant.",
        "Remove `presence=\"constant\"`.";
    VALUE_REF_FORM = "sbe/E0027",
        "A `valueRef` is not of the form `Enum.Name`.",
        "Name an enum and one of its values.";
    VALUE_REF_ENUM = "sbe/E0028",
        "A `valueRef` names no enum.",
        "Declare the enum or mend the name.";
    VALUE_REF_NAME = "sbe/E0029",
        "A `valueRef` names no value of its enum.",
        "Name one of the enum's values.";
    VALUE_REF_TYPE = "sbe/E0030",
        "A `valueRef` names a value of another type.",
        "Refer to a value of the field's own type.";
    ENCODING_TYPE = "sbe/E0031",
        "An enum or set is encoded as something that is no single number.",
        "Use a primitive type or a type of length 1.";
    ENUM_ENCODING = "sbe/E0032",
        "An enum is encoded as a floating-point number.",
        "Use an integer type or char.";
    SET_ENCODING = "sbe/E0033",
        "A set is encoded as something that is no unsigned integer.",
        "Use uint8, uint16, uint32 or uint64.";
    DUPLICATE_VALUE = "sbe/E0034",
        "An enum or set declares a name twice.",
        "Rename one.";
    ENUM_RANGE = "sbe/E0035",
        "An enum value is beyond the bounds of its encoding type.",
        "Widen the bounds or change the value.";
    BIT_RANGE = "sbe/E0036",
        "A choice is a bit that the set's integer does not have.",
        "Use a lower bit or a wider integer.";
    DUPLICATE_MEMBER = "sbe/E0037",
        "A composite declares a member twice.",
        "Rename one.";
    OVERLAP = "sbe/E0038",
        "An `offset` lies within what stands before it.",
        "Raise the offset or leave it out.";
    BLOCK_TOO_SHORT = "sbe/E0039",
        "A block is said to be shorter than its fields.",
        "Raise `blockLength` or leave it out.";
    BLOCK_TOO_LONG = "sbe/E0040",
        "A block is longer than its length's type can say.",
        "Make `blockLength` in the header or dimension wider.";
    SEMANTIC_TYPE = "sbe/E0041",
        "A field and its type state different semantic types.",
        "Leave it to one of them.";
    VARIABLE_FIELD = "sbe/E0042",
        "A field is of a type without a fixed size.",
        "Make it `<data>`.";
    DUPLICATE_FIELD = "sbe/E0043",
        "A name is used twice among the members of a message or group.",
        "Rename one.";
    DUPLICATE_ID = "sbe/E0044",
        "An id is used twice among the members of a message or group.",
        "Give each an id of its own.";
    DUPLICATE_MESSAGE = "sbe/E0045",
        "Two messages have the same name.",
        "Rename one.";
    DUPLICATE_TEMPLATE = "sbe/E0046",
        "Two messages have the same id.",
        "Give each an id of its own.";
    NO_HEAD = "sbe/E0047",
        "The composite for the message header, a group's dimension or data is not declared.",
        "Declare it or name another.";
    NOT_COMPOSITE = "sbe/E0048",
        "A header, dimension or data type is no composite.",
        "Name a composite.";
    MISSING_MEMBER = "sbe/E0049",
        "A header, dimension or data composite lacks a member.",
        "Add it.";
    NOT_UNSIGNED = "sbe/E0050",
        "A member of a header, dimension or data composite is no unsigned integer.",
        "Make it uint8, uint16 or uint32; a signed `numInGroup` needs a `minValue` of 0 or more.";
    CONSTANT_COUNT = "sbe/E0051",
        "`numInGroup` or `length` is constant.",
        "Make it required: it says how much follows.";
    HEADER_RANGE = "sbe/E0053",
        "An id or version does not fit into the header.",
        "Choose a smaller one or widen the member.";
    VAR_DATA_OFFSET = "sbe/E0054",
        "`varData` has an `offset`, about which tools disagree.",
        "Remove it.";
    VAR_DATA_MEMBERS = "sbe/E0055",
        "A data composite has other members, or its length second.",
        "Leave `length`, then `varData`.";
    VAR_DATA_TYPE = "sbe/E0056",
        "`varData` is not of bytes.",
        "Make it char or uint8.";
    LENGTH_LIMIT = "sbe/E0057",
        "A `length` of 32 or 64 bits has no `maxValue` below 2^31.",
        "State how long data may be.";
    DATA_PRESENCE = "sbe/E0058",
        "Data is said to be optional or constant.",
        "Remove `presence`: no data is length 0.";
    INTERNAL_SUBSET = "sbe/E0059",
        "A document type declaration with an internal subset.",
        "Remove the subset; write the text of its entities where they are used.";
    FRAME_LENGTH = "sbe/E0060",
        "The member named by `--frame-length` is not there, or cannot count what it is said to.",
        "Name an unsigned member of the header beside the four.";
    STRAY_BYTES = "sbe/W0001",
        "The file is not valid UTF-8 and declares no other encoding.",
        "Save it as UTF-8 or declare ISO-8859-1.";
    UNKNOWN_ELEMENT = "sbe/W0002",
        "An element that SBE does not know; it is ignored.",
        "Remove it or mend its name.";
    UNKNOWN_ATTRIBUTE = "sbe/W0003",
        "An attribute that SBE does not know; it is ignored.",
        "Remove it or mend its name.";
    ALIGNMENT = "sbe/W0004",
        "SBE 2.0's `alignment`; it is ignored.",
        "Use `offset` and `blockLength`.";
    TYPES_PACKAGE = "sbe/W0005",
        "SBE 2.0's `package` of `types`; it is ignored.",
        "Remove it.";
    DUPLICATE_TYPE = "sbe/W0006",
        "A type is declared twice; the last one counts.",
        "Remove or rename one.";
    UNKNOWN_ENCODING = "sbe/W0007",
        "A character encoding other than UTF-8, ASCII or ISO-8859-1; bytes are shown as the latter.",
        "Convert in the program.";
    STRAY_SPACE = "sbe/W0008",
        "White space around a value; it is removed.",
        "Write the value without it.";
    NO_VALUES = "sbe/W0009",
        "An enum has no values.",
        "Add some.";
    VALUE_IS_NULL = "sbe/W0010",
        "An enum value is the null value of its enum.",
        "Nothing, if fields of it are required.";
    SAME_VALUE = "sbe/W0011",
        "Two names of an enum have the same value; it reads as the first.",
        "Give each a value of its own.";
    SAME_BIT = "sbe/W0012",
        "Two choices of a set are the same bit; it reads as the first.",
        "Give each a bit of its own.";
    TYPE_CONSTANT = "sbe/W0013",
        "A field of a constant type says that it is required or optional; it stays constant.",
        "Leave `presence` out.";
    VALUE_REF_UNUSED = "sbe/W0014",
        "A field that is not constant has a `valueRef`; it is ignored.",
        "Add `presence=\"constant\"`.";
    VERSION_ORDER = "sbe/W0015",
        "Something stands after what is newer than it.",
        "Add what is new at the end.";
    HEADER_VERSION = "sbe/W0017",
        "The header fixes a version that is not the schema's.",
        "Give both the same.";
    UNUSUAL_WIDTH = "sbe/W0018",
        "A member of the header or of a dimension has an unusual type.",
        "Nothing, if all peers take it.";
    COUNT_LIMIT = "sbe/W0019",
        "A wide `numInGroup` without a `maxValue` below 2^31.",
        "State how many entries there may be.";
    VAR_DATA_LENGTH = "sbe/W0020",
        "`varData` has a length of its own; it is ignored.",
        "Write `length=\"0\"`.";
    HEADER_CONSTANT = "sbe/W0021",
        "The header fixes an id that the schema or message does not have.",
        "Make both the same.";
    FRAME_LENGTH_GUESSED = "sbe/W0022",
        "A member of the header is taken for the length of the frame by its name.",
        "Say what it counts with `--frame-length`, or `none`.";
}
