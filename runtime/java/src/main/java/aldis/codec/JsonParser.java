package aldis.codec;

import aldis.Code;
import aldis.CodecException;
import aldis.Limits;
import java.math.BigInteger;

/** The tokens of JSON (RFC 8259), read strictly. Records pay for the memory that they take. */
public final class JsonParser {
    private static final int FIELD = 32;

    final String text;
    int at;
    private int depth = Limits.DEFAULT.depth();
    private long memory;

    JsonParser(String text) {
        this.text = text;
        memory = 24L * text.length() + (6 << 20);
    }

    static CodecException bad(int at, String detail) {
        return new CodecException(Code.BAD_JSON, at, detail);
    }

    static CodecException outOfRange(int at, String detail) {
        return new CodecException(Code.OUT_OF_RANGE, at, detail);
    }

    void enter(int fields) {
        if (depth == 0) throw new CodecException(Code.TOO_DEEP, place(), "records nest deeper than the limit");
        depth--;
        pay(fields);
    }

    void leave() {
        depth++;
    }

    void pay(long fields) {
        memory -= FIELD * fields;
        if (memory < 0) throw new CodecException(Code.TOO_LARGE, place(), "records would take more memory than the text justifies");
    }

    /** The next character that is no white space, 0 at the end. */
    char peek() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return c;
            at++;
        }
        return 0;
    }

    int place() {
        peek();
        return at;
    }

    boolean ends() {
        peek();
        return at == text.length();
    }

    boolean take(char c) {
        if (peek() != c || ends()) return false;
        at++;
        return true;
    }

    void expect(char c, String what) {
        if (!take(c)) throw bad(at, "expected " + what + ", found " + found());
    }

    String found() {
        char c = peek();
        if (ends()) return "the end";
        if (c == '"') return "a string";
        if (c == '{') return "an object";
        if (c == '[') return "an array";
        return c == '-' || isDigit(c) ? "a number" : "something else";
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isAsciiAlphanumeric(char c) {
        return isDigit(c) || (c | 32) >= 'a' && (c | 32) <= 'z';
    }

    boolean word(String word) {
        peek();
        if (!text.startsWith(word, at)) return false;
        int stop = at + word.length();
        if (stop < text.length() && isAsciiAlphanumeric(text.charAt(stop))) return false;
        at = stop;
        return true;
    }

    /** Whether a closing bracket comes next: takes it, or the comma before what comes after the first. */
    boolean closes(char bracket, boolean first) {
        if (take(bracket)) return true;
        if (!first) {
            expect(',', "`,` or the end of the list");
            peek();
        }
        return false;
    }

    String string() {
        expect('"', "a string");
        int start = at;
        StringBuilder out = new StringBuilder();
        int piece = at;
        for (;;) {
            if (at >= text.length()) throw bad(start - 1, "the string does not end");
            char c = text.charAt(at);
            if (c == '"') {
                out.append(formed(piece));
                at++;
                return out.toString();
            }
            if (c < 0x20) throw bad(formedAt(piece), "a control character in a string must be escaped");
            if (c == '\\') {
                out.append(formed(piece));
                escape(out);
                piece = at;
            } else {
                at++;
            }
        }
    }

    private int formedAt(int piece) {
        formed(piece);
        return at;
    }

    private String formed(int piece) {
        String part = text.substring(piece, at);
        int ill = Text.illFormedAt(part);
        if (ill >= 0) throw bad(piece + ill, "half of a surrogate pair is no character");
        return part;
    }

    private void escape(StringBuilder out) {
        int start = at;
        char name = at + 1 < text.length() ? text.charAt(at + 1) : 0;
        at += 2;
        switch (name) {
            case '"', '\\', '/' -> out.append(name);
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'u' -> unit(out, start);
            default -> throw bad(start, "no such escape");
        }
    }

    private void unit(StringBuilder out, int start) {
        int first = hex(start);
        if (first < 0) throw bad(start, "not four hex digits");
        at = start + 6;
        if (first < 0xd800 || first > 0xdfff) {
            out.append((char) first);
            return;
        }
        int second = first < 0xdc00 && text.startsWith("\\u", at) ? hex(at) : -1;
        if (second < 0xdc00 || second > 0xdfff) throw bad(start, "half of a surrogate pair is no character");
        out.append((char) first).append((char) second);
        at += 6;
    }

    private int hex(int from) {
        if (from + 6 > text.length()) return -1;
        int value = 0;
        for (int i = from + 2; i < from + 6; i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) return -1;
            value = value << 4 | digit;
        }
        return value;
    }

    /** A number's text. */
    String number() {
        char c = peek();
        if (c != '-' && !isDigit(c)) throw bad(at, "expected a number, found " + found());
        int stop = numberEnd(text, at);
        if (stop < 0) throw bad(at, "not a number");
        String number = text.substring(at, stop);
        at = stop;
        return number;
    }

    /** The end of the number at a place, below zero if there is none. */
    static int numberEnd(String text, int at) {
        int i = at < text.length() && text.charAt(at) == '-' ? at + 1 : at;
        int digits = i;
        i = digitsEnd(text, i);
        if (i == digits) return -1;
        if (text.charAt(digits) == '0' && i > digits + 1) return -1;
        if (i < text.length() && text.charAt(i) == '.') {
            int fraction = i + 1;
            i = digitsEnd(text, fraction);
            if (i == fraction) return -1;
        }
        if (i < text.length() && (text.charAt(i) | 32) == 'e') {
            boolean signed = i + 1 < text.length() && (text.charAt(i + 1) == '-' || text.charAt(i + 1) == '+');
            int exponent = signed ? i + 2 : i + 1;
            i = digitsEnd(text, exponent);
            if (i == exponent) return -1;
        }
        return i;
    }

    private static int digitsEnd(String text, int at) {
        while (at < text.length() && isDigit(text.charAt(at))) at++;
        return at;
    }

    /** The integer that a number's text is, exactly: 1e3 and 2.0 are some. Null for none, and beyond 38 digits. */
    static BigInteger integer(String text) {
        int power = Math.max(text.indexOf('e'), text.indexOf('E'));
        String exponent = power < 0 ? "0" : text.substring(power + 1).replace("+", "");
        String plain = power < 0 ? text : text.substring(0, power);
        int point = plain.indexOf('.');
        String fraction = point < 0 ? "" : plain.substring(point + 1);
        boolean negative = plain.startsWith("-");
        String digits = (plain.substring(negative ? 1 : 0, point < 0 ? plain.length() : point) + fraction).replaceFirst("^0+", "");
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '0') end--;
        if (end == 0) return BigInteger.ZERO;
        if (exponent.replaceFirst("^-?0*", "").length() > 8) return null;
        long shift = Long.parseLong(exponent) - fraction.length() + digits.length() - end;
        if (shift < 0 || end + shift > 38) return null;
        BigInteger value = new BigInteger(digits.substring(0, end)).multiply(BigInteger.TEN.pow((int) shift));
        return negative ? value.negate() : value;
    }

    int depth() {
        return depth;
    }

    /** Skips a value of any kind, of at most so many levels. Its objects give no key twice. */
    void skip(int levels) {
        char next = peek();
        if (next == '"') string();
        else if (next == '-' || isDigit(next)) number();
        else if (next == '{' || next == '[') skipAll(next == '{' ? '}' : ']', levels);
        else if (!word("null") && !word("true") && !word("false")) throw bad(at, "expected a value, found " + found());
    }

    private void skipAll(char close, int levels) {
        if (levels == 0) throw new CodecException(Code.TOO_DEEP, at, "values nest deeper than the limit");
        at++;
        java.util.HashSet<String> seen = new java.util.HashSet<>();
        for (boolean first = true; !closes(close, first); first = false) {
            if (close == '}') {
                int start = at;
                if (!seen.add(string())) throw bad(start, "the key is given twice");
                expect(':', "`:`");
            }
            skip(levels - 1);
        }
    }
}
