//! The kinds of differences between two versions of a schema.

aldis_diagnostics::codes! {
    FIELD_ADDED = "evolution/E0001", "a field was added",
        "append it where its format lets readers of either version do without it, or raise the version and say since when it is there";
    FIELD_REMOVED = "evolution/E0002", "a field was removed",
        "keep it and say that it is deprecated, so that the fields behind it stay where they are";
    FIELD_MOVED = "evolution/E0003", "fields changed their places",
        "put them back in their order, and append what is new";
    FIELD_CHANGED = "evolution/E0004", "a field has another type, size, default or presence",
        "keep the field as it was, and add one of the new type";
    FIELD_RENAMED = "evolution/E0005", "a field has another name",
        "bytes do not hold names, so change JSON and programs together with it, or keep the name";
    RECORD_CHANGED = "evolution/E0006", "a record's size, head, number or keys changed",
        "keep them as they were, and add a message for what is new";
    HEAD_CHANGED = "evolution/E0007", "the head of messages changed",
        "keep ids, byte order and the members of the head as they were";
    MESSAGE_REMOVED = "evolution/E0008", "a message was removed",
        "keep it until no writer is left";
    MESSAGE_ADDED = "evolution/E0009", "a message was added",
        "let readers of the old version skip messages that they do not know";
    NAME_CHANGED = "evolution/E0010", "a type, message or package has another name",
        "bytes do not hold names, so change programs together with it, or keep the name";
    VALUE_ADDED = "evolution/E0011", "a value was added to an enumeration",
        "make sure that readers of the old version can live with a number that they have no name for";
    VALUE_REMOVED = "evolution/E0012", "a value was removed from an enumeration",
        "keep it and say that it is deprecated";
    VALUE_RENAMED = "evolution/E0013", "a value of an enumeration has another name",
        "change JSON and programs together with it, or keep the name";
    VALUE_RENUMBERED = "evolution/E0014", "a name of an enumeration has another number",
        "give the name its number back";
    TYPE_CHANGED = "evolution/E0015", "an enumeration is stored as another number type",
        "keep its number type, and add an enumeration for the new one";
}
