#nullable enable
using System;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>The shape of whole numbers of a range.</summary>
    internal sealed class OfInteger : Shape
    {
        private readonly BigInteger least;
        private readonly BigInteger most;
        private readonly bool unsigned;
        internal readonly Func<long, object> Of;

        internal OfInteger(BigInteger least, BigInteger most, Func<long, object> of)
        {
            this.least = least;
            this.most = most;
            unsigned = most > long.MaxValue;
            Of = of;
        }

        // The shape of integers within another.
        internal static OfInteger Within(Shape repr) => (OfInteger)(repr is OfLoose loose ? loose.Number : repr);

        // The bits of a number that is an object.
        internal static long Bits(object number)
        {
            switch (number)
            {
                case byte v: return v;
                case sbyte v: return v;
                case short v: return v;
                case ushort v: return v;
                case int v: return v;
                case uint v: return v;
                case ulong v: return unchecked((long)v);
                default: return (long)number;
            }
        }

        internal override void Write(StringBuilder text, object? value)
        {
            long bits = Bits(value!);
            text.Append(unsigned ? unchecked((ulong)bits).ToString(CultureInfo.InvariantCulture) : bits.ToString(CultureInfo.InvariantCulture));
        }

        private object InRange(string text, int at)
        {
            BigInteger? value = JsonParser.Integer(text);
            if (value == null || value < least || value > most)
            {
                throw JsonParser.OutOfRange(at, text + " is not an integer from " + least + " to " + most);
            }
            return Of(unchecked((long)(ulong)(value.Value & ulong.MaxValue)));
        }

        internal override object? Read(JsonParser from)
        {
            string text = from.Number();
            return InRange(text, from.At - text.Length);
        }

        internal override object? ReadKey(string text, int at)
        {
            int first = text.StartsWith("-", StringComparison.Ordinal) ? 1 : 0;
            bool isPlain = text.Length > first && (text == "0" || text[first] != '0');
            for (int i = first; i < text.Length; i++) isPlain &= JsonParser.IsDigit(text[i]);
            if (!isPlain) throw JsonParser.Bad(at, "expected an integer as the key, in plain decimal digits");
            return InRange(text, at);
        }

        internal override int Compare(object a, object b) =>
            unsigned ? Wire.CompareUnsigned(Bits(a), Bits(b)) : Bits(a).CompareTo(Bits(b));
    }

    internal sealed class OfFloat : Shape
    {
        private readonly bool narrow;
        private readonly bool nonFinite;

        internal OfFloat(bool narrow, bool nonFinite)
        {
            this.narrow = narrow;
            this.nonFinite = nonFinite;
        }

        private static double Wide(object number) => number is float narrow ? narrow : (double)number;

        internal override void Write(StringBuilder text, object? value)
        {
            double number = Wide(value!);
            if (!double.IsNaN(number) && !double.IsInfinity(number)) text.Append(Digits(value!, number));
            else if (nonFinite) text.Append(double.IsNaN(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
            else throw Json.Refused(Code.BadValue, "JSON has no number for NaN and infinities");
        }

        internal override void WriteKey(StringBuilder text, object value) => Write(text, value);

        // Old runtimes give large numbers more digits than are needed.
        private static readonly bool KnowsShortest = 1.71918838233142E+17.ToString("R", CultureInfo.InvariantCulture) == "1.71918838233142E+17";

        // Two numbers of fifteen digits are never the same double, and two of six never the same float, so that fewer need not be tried,
        // but for subnormals.
        private static string Shortest(double number)
        {
            string known = number.ToString("R", CultureInfo.InvariantCulture);
            for (int more = Math.Abs(number) < 2.2250738585072014E-308 ? 0 : 14; !KnowsShortest && more < 16; more++)
            {
                string tried = number.ToString("E" + more, CultureInfo.InvariantCulture);
                if (double.TryParse(tried, NumberStyles.Float, CultureInfo.InvariantCulture, out double read) && read.Equals(number)) return tried;
            }
            return known;
        }

        private static string Shortest(float number)
        {
            string known = number.ToString("R", CultureInfo.InvariantCulture);
            for (int more = Math.Abs(number) < 1.17549435E-38f ? 0 : 5; !KnowsShortest && more < 8; more++)
            {
                string tried = number.ToString("E" + more, CultureInfo.InvariantCulture);
                if (float.TryParse(tried, NumberStyles.Float, CultureInfo.InvariantCulture, out float read) && read.Equals(number)) return tried;
            }
            return known;
        }

        // The shortest digits that read back as the same float, laid out as ECMAScript does, whole numbers with a point.
        private static string Digits(object value, double number)
        {
            if (number == 0) return 1 / number < 0 ? "-0.0" : "0.0";
            string known = value is float narrow ? Shortest(narrow) : Shortest(number);
            string sign = known[0] == '-' ? "-" : "";
            int power = known.IndexOf('E');
            string plain = known.Substring(sign.Length, (power < 0 ? known.Length : power) - sign.Length);
            int point = plain.IndexOf('.');
            int exponent = power < 0 ? 0 : int.Parse(known.Substring(power + 1), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
            int whole = (point < 0 ? plain.Length : point) + exponent;
            string digits = plain.Replace(".", "");
            int zeros = digits.Length - digits.TrimStart('0').Length;
            return sign + Layout(digits.Trim('0'), whole - zeros);
        }

        // Digits, of which so many are before the point.
        private static string Layout(string digits, int point)
        {
            if (point > 21 || point < -5)
            {
                string rest = digits.Length > 1 ? "." + digits.Substring(1) : "";
                return digits[0] + rest + "e" + (point > 0 ? "+" : "-") + Math.Abs(point - 1).ToString(CultureInfo.InvariantCulture);
            }
            if (point <= 0) return "0." + new string('0', -point) + digits;
            if (point >= digits.Length) return digits + new string('0', point - digits.Length) + ".0";
            return digits.Substring(0, point) + "." + digits.Substring(point);
        }

        internal object Of(double number) => narrow ? (object)(float)number : number;

        internal override object? Read(JsonParser from)
        {
            if (nonFinite && from.Peek() == '"')
            {
                int at = from.At;
                switch (from.Text())
                {
                    case "NaN": return Of(double.NaN);
                    case "Infinity": return Of(double.PositiveInfinity);
                    case "-Infinity": return Of(double.NegativeInfinity);
                    default: throw JsonParser.Bad(at, "expected a number, NaN, Infinity or -Infinity");
                }
            }
            string text = from.Number();
            object? number = Parsed(text);
            if (number == null) throw JsonParser.OutOfRange(from.At - text.Length, "beyond the largest float of its type");
            return number;
        }

        private object? Parsed(string text)
        {
            const NumberStyles style = NumberStyles.Float;
            if (narrow)
            {
                bool fits = float.TryParse(text, style, CultureInfo.InvariantCulture, out float own);
                return fits && !float.IsInfinity(own) ? (object)own : null;
            }
            bool isDouble = double.TryParse(text, style, CultureInfo.InvariantCulture, out double number);
            return isDouble && !double.IsInfinity(number) ? (object)number : null;
        }

        internal override int Compare(object a, object b)
        {
            double first = Wide(a), second = Wide(b);
            if (first < second) return -1;
            if (first > second) return 1;
            return first == second ? 0 : double.IsNaN(first).CompareTo(double.IsNaN(second));
        }
    }

    /// <summary>Decimals: a coefficient below 2^96, and a scale of 0 to 28, which is kept.</summary>
    public static class Decimals
    {
        /// <summary>The decimal of a text that a program has.</summary>
        public static decimal Of(string text) => Parse(text) ?? throw new ArgumentException("no decimal: " + text, nameof(text));

        // The decimal that a number's text says exactly, or null.
        internal static decimal? Parse(string text)
        {
            int power = text.IndexOfAny(new[] { 'e', 'E' });
            string plain = power < 0 ? text : text.Substring(0, power);
            bool negative = plain[0] == '-';
            int point = plain.IndexOf('.');
            string fraction = point < 0 ? "" : plain.Substring(point + 1);
            string all = ((point < 0 ? plain : plain.Substring(0, point)).Substring(negative ? 1 : 0) + fraction).TrimStart('0');
            string exponent = power < 0 ? "0" : text.Substring(power + 1).TrimStart('+');
            bool isBelow = exponent[0] == '-';
            string digits = exponent.TrimStart('-').TrimStart('0');
            long shift = digits.Length > 9 ? 1L << 40 : digits.Length == 0 ? 0 : long.Parse(digits, CultureInfo.InvariantCulture);
            long scale = fraction.Length - (isBelow ? -shift : shift);
            if (all.Length == 0) scale = Math.Max(scale, 0);
            if (scale > 28 || all.Length - Math.Min(scale, 0) > 29) return null;
            BigInteger coefficient = all.Length == 0 ? BigInteger.Zero : BigInteger.Parse(all, CultureInfo.InvariantCulture);
            coefficient *= BigInteger.Pow(10, (int)Math.Max(-scale, 0));
            if (coefficient >> 96 != 0) return null;
            int Part(int index) => unchecked((int)(uint)((coefficient >> (32 * index)) & uint.MaxValue));
            return new decimal(Part(0), Part(1), Part(2), negative, (byte)Math.Max(scale, 0));
        }

        // .NET writes no sign before a zero.
        internal static string Text(decimal value)
        {
            string text = value.ToString(CultureInfo.InvariantCulture);
            return value == 0 && decimal.GetBits(value)[3] < 0 && text[0] != '-' ? "-" + text : text;
        }
    }
}
