/** The runtime of generated codecs: {@code aldis} for users, {@code aldis.codec} for generated code. */
module aldis.runtime {
    exports aldis;
    exports aldis.codec;
    exports aldis.stream;
}
