package aldis.codec;

import aldis.Code;
import aldis.CodecException;
import java.math.BigInteger;
import java.util.function.Function;

/** The shapes of numbers. */
final class Numbers {
    private Numbers() {}

    /** Whole numbers of a range. */
    static final class OfInteger extends Shape {
        final BigInteger least;
        final BigInteger most;
        final boolean unsigned;
        final Function<Long, Object> of;

        OfInteger(String least, String most, Function<Long, Object> of) {
            this.least = new BigInteger(least);
            this.most = new BigInteger(most);
            this.of = of;
            unsigned = this.most.bitLength() == 64;
        }

        @Override protected void write(StringBuilder out, Object value) {
            long number = ((Number) value).longValue();
            if (!unsigned && (number < least.longValue() || number > most.longValue())) {
                throw Json.refused(Code.OUT_OF_RANGE, number + " does not fit the field's type");
            }
            out.append(unsigned ? Long.toUnsignedString(number) : Long.toString(number));
        }

        private Object inRange(String text, int at) {
            BigInteger value = JsonParser.integer(text);
            if (value == null || value.compareTo(least) < 0 || value.compareTo(most) > 0) {
                throw JsonParser.outOfRange(at, text + " is not an integer from " + least + " to " + most);
            }
            return of.apply(value.longValue());
        }

        @Override protected Object read(JsonParser in) {
            String text = in.number();
            return inRange(text, in.at - text.length());
        }

        @Override protected Object readKey(String text, int at) {
            if (!text.matches("0|-?[1-9][0-9]*")) throw JsonParser.bad(at, "expected an integer as the key, in plain decimal digits");
            return inRange(text, at);
        }

        @Override protected int compare(Object a, Object b) {
            long first = ((Number) a).longValue();
            long second = ((Number) b).longValue();
            return unsigned ? Long.compareUnsigned(first, second) : Long.compare(first, second);
        }
    }

    static final class OfFloat extends Shape {
        final boolean narrow;
        final boolean nonFinite;

        OfFloat(boolean narrow, boolean nonFinite) {
            this.narrow = narrow;
            this.nonFinite = nonFinite;
        }

        @Override protected void write(StringBuilder out, Object value) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)) out.append(narrow ? Digits.of((float) number) : Digits.of(number));
            else if (nonFinite) out.append('"').append(number).append('"');
            else throw Json.refused(Code.BAD_VALUE, "JSON has no number for NaN and infinities");
        }

        @Override protected void writeKey(StringBuilder out, Object value) {
            write(out, value);
        }

        Object of(double number) {
            if (narrow) return (float) number;
            return number;
        }

        @Override protected Object read(JsonParser in) {
            if (nonFinite && in.peek() == '"') {
                int at = in.at;
                String name = in.string();
                return switch (name) {
                    case "NaN" -> of(Double.NaN);
                    case "Infinity" -> of(Double.POSITIVE_INFINITY);
                    case "-Infinity" -> of(Double.NEGATIVE_INFINITY);
                    default -> throw JsonParser.bad(at, "expected a number, NaN, Infinity or -Infinity");
                };
            }
            String text = in.number();
            double number = narrow ? Float.parseFloat(text) : Double.parseDouble(text);
            if (!Double.isFinite(number)) throw JsonParser.outOfRange(in.at - text.length(), "beyond the largest float of its type");
            return of(number);
        }

        @Override protected int compare(Object a, Object b) {
            double first = ((Number) a).doubleValue();
            double second = ((Number) b).doubleValue();
            if (first < second) return -1;
            if (first > second) return 1;
            return first == second ? 0 : Boolean.compare(first != first, second != second);
        }
    }
}
