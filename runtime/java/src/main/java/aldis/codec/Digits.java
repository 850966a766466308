package aldis.codec;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The shortest digits that read back as the same float, laid out as ECMAScript does, whole numbers with a point. */
final class Digits {
    private Digits() {}

    static String of(double value) {
        return text(value, Double.toString(value), false);
    }

    static String of(float value) {
        return text(value, Float.toString(value), true);
    }

    private static boolean same(BigDecimal digits, double value, boolean narrow) {
        return narrow ? digits.floatValue() == (float) value : digits.doubleValue() == value;
    }

    /** Java's own text reads back, but is not always the shortest, nor the nearest of its length. */
    private static String text(double value, String known, boolean narrow) {
        if (value == 0) return 1 / value < 0 ? "-0.0" : "0.0";
        BigDecimal exact = new BigDecimal(value);
        BigDecimal found = new BigDecimal(known).stripTrailingZeros();
        for (int places = found.precision(); places > 0; places--) {
            BigDecimal nearest = exact.round(new MathContext(places, RoundingMode.HALF_EVEN));
            BigDecimal away = exact.round(new MathContext(places, RoundingMode.UP));
            if (same(nearest, value, narrow)) found = nearest;
            else if (same(away, value, narrow)) found = away;
            else if (places < found.precision()) break;
        }
        return layout(found.stripTrailingZeros());
    }

    private static String layout(BigDecimal number) {
        String digits = number.unscaledValue().abs().toString();
        String sign = number.signum() < 0 ? "-" : "";
        int point = digits.length() - number.scale();
        if (point > 21 || point < -5) {
            String rest = digits.length() > 1 ? "." + digits.substring(1) : "";
            return sign + digits.charAt(0) + rest + "e" + (point > 0 ? "+" : "-") + Math.abs(point - 1);
        }
        if (point <= 0) return sign + "0." + "0".repeat(-point) + digits;
        if (point >= digits.length()) return sign + digits + "0".repeat(point - digits.length()) + ".0";
        return sign + digits.substring(0, point) + "." + digits.substring(point);
    }
}
