package aldis;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * {@code ±coefficient / 10^scale}, with a coefficient below 2^96 and a scale of 0 to 28. The scale is kept, and zero may be
 * negative, which {@link BigDecimal} has no room for.
 */
public record Decimal(boolean negative, BigInteger coefficient, int scale) implements Comparable<Decimal> {
    private static final int MOST_BITS = 96;
    private static final int MOST_SCALE = 28;

    public Decimal {
        if (coefficient.signum() < 0 || coefficient.bitLength() > MOST_BITS || scale < 0 || scale > MOST_SCALE) {
            throw new IllegalArgumentException("a decimal has a coefficient below 2^96 and a scale of 0 to 28");
        }
    }

    /** The decimal of the same value and scale, where there is one. */
    public static Decimal of(BigDecimal value) {
        BigDecimal wide = value.scale() < 0 ? value.setScale(0) : value;
        return new Decimal(wide.signum() < 0, wide.unscaledValue().abs(), wide.scale());
    }

    /** The decimal that a text such as {@code -12.340} or {@code 1.5e3} says exactly, or null. */
    public static Decimal parse(String text) {
        if (!text.matches("-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")) {
            return null;
        }
        int power = Math.max(text.indexOf('e'), text.indexOf('E'));
        String digits = power < 0 ? text : text.substring(0, power);
        boolean negative = digits.startsWith("-");
        int point = digits.indexOf('.');
        String whole = digits.substring(negative ? 1 : 0, point < 0 ? digits.length() : point);
        String fraction = point < 0 ? "" : digits.substring(point + 1);
        String all = (whole + fraction).replaceFirst("^0+(?=\\d)", "");
        String exponent = power < 0 ? "0" : text.substring(power + 1).replace("+", "").replaceFirst("^(-?)0+(?=\\d)", "$1");
        boolean far = exponent.length() > 9;
        long scale = far ? (exponent.startsWith("-") ? 1L << 40 : -(1L << 40)) : fraction.length() - Long.parseLong(exponent);
        if (all.equals("0")) {
            scale = Math.max(scale, 0);
        }
        if (scale > MOST_SCALE || all.length() - Math.min(scale, 0) > 29) {
            return null;
        }
        BigInteger coefficient = new BigInteger(all).multiply(BigInteger.TEN.pow((int) Math.max(-scale, 0)));
        return coefficient.bitLength() > MOST_BITS ? null : new Decimal(negative, coefficient, (int) Math.max(scale, 0));
    }

    public BigDecimal toBigDecimal() {
        return new BigDecimal(negative ? coefficient.negate() : coefficient, scale);
    }

    /** By value: 1.10 equals 1.1, and zero has no sign. */
    @Override public int compareTo(Decimal other) {
        return toBigDecimal().compareTo(other.toBigDecimal());
    }

    @Override public String toString() {
        String digits = coefficient.toString();
        digits = "0".repeat(Math.max(0, scale + 1 - digits.length())) + digits;
        String whole = digits.substring(0, digits.length() - scale);
        return (negative ? "-" : "") + whole + (scale > 0 ? "." + digits.substring(digits.length() - scale) : "");
    }
}
