//! The rules: what stands before the `/` is the set of the rule.

aldis_diagnostics::codes! {
    HOLE = "layout/hole", "bytes between two fields belong to no field",
        "move the next field there before anybody writes such messages, or name the bytes, so that all see that they are kept free";
    ORDER = "layout/order", "another order of the fields takes fewer bytes",
        "declare wide fields before narrow ones, unless messages of the record have been written already";
    NO_VERSION = "evolution/no-version", "a field behind those of a later version says no version",
        "say since which version the field is there, so that readers do not look for it in older messages";
    REQUIRED_LATE = "evolution/required-late", "a field that was added later is required",
        "make it optional: older writers do not know it, so its readers must be ready for its absence";
    SMALL_COUNT = "evolution/small-count", "the count of a group or list has 8 bits",
        "take 16 bits for counts where no message has been written yet: 255 elements are soon too few";
    NO_ROOM = "evolution/no-room", "an enum or set of flags has no number left for a further value",
        "take a wider type before anybody writes such messages";
    STYLE = "names/style", "a name is written unlike the others of its kind",
        "write it as the others, if programs and JSON may change";
    MISSING_DOC = "docs/missing", "a message or type has no documentation",
        "say in a sentence what it is for: generated code, `aldis explain` and editors show it";
    KEYWORD = "portability/keyword", "a name is a keyword of a target language",
        "choose another name, or know that generated code of that language changes or quotes it";
    CLASH = "portability/clash", "two names of one scope differ in case or underscores alone",
        "tell them apart by a word: languages with a case style of their own make them equal";
    SHARED_NUMBER = "portability/shared-number", "two messages have one number",
        "give one of them another number: a receiver that goes by the number can only know one of them";
}
