#nullable enable
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Aldis.Codec
{
    internal sealed class OfBool : Shape
    {
        internal override void Write(StringBuilder text, object? value) => text.Append((bool)value! ? "true" : "false");

        internal override object? Read(JsonParser from)
        {
            if (from.Word("true")) return true;
            if (from.Word("false")) return false;
            throw JsonParser.Bad(from.Place(), "expected true or false, found " + from.Found());
        }

        internal override object? ReadKey(string text, int at)
        {
            if (text == "true" || text == "false") return text == "true";
            throw JsonParser.Bad(at, "expected true or false as the key");
        }

        internal override int Compare(object a, object b) => ((bool)a).CompareTo((bool)b);
    }

    // Values that are strings in JSON.
    internal abstract class OfText : Shape
    {
        private protected abstract string Text(object value);

        internal override string? Empty => "\"\"";

        internal override void Write(StringBuilder text, object? value) => Json.Quote(text, Text(value!));

        internal override void WriteKey(StringBuilder text, object value) => Write(text, value);

        internal override object? Read(JsonParser from)
        {
            int at = from.Place();
            return ReadKey(from.Text(), at);
        }

        internal static int CompareBytes(byte[] a, byte[] b) => a.AsSpan().SequenceCompareTo(b);
    }

    internal class OfUtf8 : OfText
    {
        private protected override string Text(object value)
        {
            var text = (string)value;
            if (Texts.IllFormedAt(text) >= 0) throw Json.Refused(Code.BadText, "the text is not UTF-8");
            return text;
        }

        internal override object? ReadKey(string text, int at) => text;

        internal override int Compare(object a, object b) =>
            CompareBytes(Texts.Bytes((string)a) ?? Array.Empty<byte>(), Texts.Bytes((string)b) ?? Array.Empty<byte>());

        internal override void Show(StringBuilder text, object value)
        {
            var own = (string)value;
            string cut = own.Length > 64 ? own.Substring(0, 64) + "…" : own;
            Json.Quote(text, new string(cut.Select(c => char.IsControl(c) ? '?' : c).ToArray()));
        }
    }

    internal sealed class OfLatin1 : OfUtf8
    {
        private const string Beyond = "a character beyond U+00FF in one-byte text";

        private protected override string Text(object value)
        {
            var text = (string)value;
            return Texts.IsLatin1(text) ? text : throw Json.Refused(Code.OutOfRange, Beyond);
        }

        internal override object? ReadKey(string text, int at) => Texts.IsLatin1(text) ? text : throw JsonParser.OutOfRange(at, Beyond);

        internal override int Compare(object a, object b) => string.CompareOrdinal((string)a, (string)b);
    }

    internal sealed class OfChar : OfText
    {
        private protected override string Text(object value)
        {
            if ((char)value > 255) throw Json.Refused(Code.OutOfRange, "the character is beyond one byte");
            return value.ToString()!;
        }

        internal override void WriteKey(StringBuilder text, object value) => text.Append('"').Append((int)(char)value).Append('"');

        internal override object? Read(JsonParser from)
        {
            int at = from.Place();
            string text = from.Text();
            bool isOne = text.Length == 1 || (text.Length == 2 && char.IsSurrogate(text[0]));
            if (!isOne) throw JsonParser.Bad(at, "expected a string of one character");
            if (text[0] > 255) throw JsonParser.OutOfRange(at, "the character is beyond one byte");
            return text[0];
        }

        internal override object? ReadKey(string text, int at) => (char)(byte)Json.U8.ReadKey(text, at)!;

        internal override int Compare(object a, object b) => ((char)a).CompareTo((char)b);
    }

    internal sealed class OfUuid : OfText
    {
        private protected override string Text(object value) => ((Guid)value).ToString("D");

        internal override object? ReadKey(string text, int at)
        {
            if (text.Length == 36 && Guid.TryParseExact(text, "D", out Guid uuid) && IsPlain(text)) return uuid;
            throw JsonParser.Bad(at, "not a uuid of 32 hex digits with hyphens");
        }

        // .NET takes signs and prefixes between the hyphens, too.
        private static bool IsPlain(string text)
        {
            foreach (char c in text) if ("0123456789abcdefABCDEF-".IndexOf(c) < 0) return false;
            return true;
        }

        internal override int Compare(object a, object b)
        {
            Span<byte> first = stackalloc byte[16], second = stackalloc byte[16];
            Wire.Uuid(first, 0, (Guid)a);
            Wire.Uuid(second, 0, (Guid)b);
            return first.SequenceCompareTo(second);
        }
    }

    internal sealed class OfDecimal : OfText
    {
        private protected override string Text(object value) => Decimals.Text((decimal)value);

        internal override object? ReadKey(string text, int at)
        {
            if (text.Length == 0 || JsonParser.NumberEnd(text, 0) != text.Length) throw JsonParser.Bad(at, "not a decimal number");
            return Decimals.Parse(text) ?? throw JsonParser.OutOfRange(at, text + " has more digits than a decimal holds");
        }

        internal override int Compare(object a, object b) => ((decimal)a).CompareTo((decimal)b);

        // Decimals are equal by value and scale, as their bytes are.
        internal override bool Same(object a, object b) => decimal.GetBits((decimal)a).SequenceEqual(decimal.GetBits((decimal)b));
    }

    internal class OfBytes : OfText
    {
        private protected override string Text(object value) => Convert.ToBase64String((byte[])value);

        internal override object? ReadKey(string text, int at)
        {
            if (!IsBase64(text)) throw JsonParser.Bad(at, "not base64 with padding");
            return Convert.FromBase64String(text);
        }

        // .NET passes over white space, and bits behind the last byte.
        private static bool IsBase64(string text)
        {
            const string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            if (text.Length % 4 != 0) return false;
            int pads = text.EndsWith("==", StringComparison.Ordinal) ? 2 : text.EndsWith("=", StringComparison.Ordinal) ? 1 : 0;
            int last = -1;
            for (int i = 0; i < text.Length - pads; i++)
            {
                last = digits.IndexOf(text[i]);
                if (last < 0) return false;
            }
            return pads == 0 || last % (pads == 2 ? 16 : 4) == 0;
        }

        internal override int Compare(object a, object b) => CompareBytes((byte[])a, (byte[])b);

        internal override object Copy(object value) => ((byte[])value).Clone();

        internal override bool Same(object a, object b) => ((byte[])a).AsSpan().SequenceEqual((byte[])b);

        internal override int Hash(object value)
        {
            int hash = 7;
            foreach (byte one in (byte[])value) hash = unchecked(31 * hash + one);
            return hash;
        }

        internal override void Show(StringBuilder text, object value) => text.Append(((byte[])value).Length).Append(" bytes");
    }

    internal sealed class OfHex : OfBytes
    {
        private protected override string Text(object value)
        {
            var text = new StringBuilder();
            foreach (byte one in (byte[])value) text.Append(one.ToString("x2"));
            return text.ToString();
        }

        internal override object? ReadKey(string text, int at)
        {
            var bytes = new byte[text.Length / 2];
            for (int i = 0; i < text.Length; i++)
            {
                int digit = "0123456789abcdef0123456789ABCDEF".IndexOf(text[i]);
                if (digit < 0 || text.Length % 2 != 0) throw JsonParser.Bad(at, "not hexadecimal digits, two a byte");
                bytes[i / 2] = (byte)((bytes[i / 2] << 4) | (digit & 15));
            }
            return bytes;
        }
    }

    internal sealed class OfByteArray : OfBytes
    {
        private static readonly Shape Numbers = Json.Array<byte>(Json.Loose(Json.U8), -1);

        internal override string? Empty => "[]";

        internal override void Write(StringBuilder text, object? value) => Numbers.Write(text, value);

        internal override object? Read(JsonParser from) => Numbers.Read(from);
    }

    // A value whose type the schema leaves open.
    internal sealed class OfOpaque : Shape
    {
        private const string Why = "JSON cannot say a value whose type the schema leaves open";

        internal override void Write(StringBuilder text, object? value) => throw Json.Refused(Code.BadValue, Why);

        internal override object? Read(JsonParser from) => throw JsonParser.Bad(from.Place(), Why);
    }

    // A value that says nothing but that it is there.
    internal sealed class OfNothing : Shape
    {
        internal override void Write(StringBuilder text, object? value) => text.Append("null");

        internal override bool TakesNull => true;

        internal override object? Read(JsonParser from)
        {
            if (!from.Word("null")) throw JsonParser.Bad(from.Place(), "expected null, found " + from.Found());
            return null;
        }
    }

    internal sealed class OfOptional : Shape
    {
        internal readonly Shape Inner;

        // Whether null is an empty value in a list.
        private readonly bool orEmpty;

        internal OfOptional(Shape inner, bool orEmpty)
        {
            Inner = inner;
            this.orEmpty = orEmpty;
        }

        internal override string? Empty => Inner.Empty;

        internal override void Write(StringBuilder text, object? value)
        {
            if (value == null) text.Append(orEmpty && Empty != null ? Empty : "null");
            else Inner.Write(text, value);
        }

        internal override bool TakesNull => true;

        internal override object? Read(JsonParser from) => from.Word("null") ? null : Inner.Read(from);

        internal override int Compare(object a, object b) => Inner.Compare(a, b);

        internal override object Copy(object value) => Inner.Copy(value);

        internal override bool Same(object a, object b) => Inner.Same(a, b);

        internal override int Hash(object value) => Inner.Hash(value);

        internal override void Show(StringBuilder text, object value) => Inner.Show(text, value);
    }

    // Enums: integers, and the names of some.
    internal sealed class OfEnum : Shape
    {
        private readonly Shape repr;
        private readonly Dictionary<string, long> byName = new Dictionary<string, long>(StringComparer.Ordinal);
        private readonly Dictionary<long, string> byNumber = new Dictionary<long, string>();

        internal OfEnum(bool named, Shape repr, string[] names, long[] numbers)
        {
            this.repr = repr;
            for (int i = 0; i < names.Length; i++)
            {
                byName[names[i]] = numbers[i];
                if (named && !byNumber.ContainsKey(numbers[i])) byNumber.Add(numbers[i], names[i]);
            }
        }

        internal override void Write(StringBuilder text, object? value)
        {
            if (byNumber.TryGetValue(OfInteger.Bits(value!), out string? name)) Json.Quote(text, name);
            else repr.Write(text, value);
        }

        internal override void WriteKey(StringBuilder text, object value) => repr.WriteKey(text, value);

        internal override object? Read(JsonParser from)
        {
            char next = from.Peek();
            if (next != '"')
            {
                if (next != '-' && !JsonParser.IsDigit(next)) throw JsonParser.Bad(from.At, "expected a name or a number, found " + from.Found());
                return repr.Read(from);
            }
            int at = from.At;
            if (!byName.TryGetValue(from.Text(), out long number)) throw JsonParser.Bad(at, "no enumerant is called so");
            return OfInteger.Within(repr).Of(number);
        }

        internal override object? ReadKey(string text, int at) => repr.ReadKey(text, at);

        internal override int Compare(object a, object b) => repr.Compare(a, b);
    }

    // Flags: integers, bits by name, and masks by further names.
    internal sealed class OfFlags : Shape
    {
        private readonly bool named;
        private readonly Shape repr;
        private readonly (string[] Names, long[] Numbers) bits;
        private readonly Dictionary<string, long> known = new Dictionary<string, long>(StringComparer.Ordinal);

        internal OfFlags(bool named, Shape repr, (string[] Names, long[] Numbers) bits, (string[] Names, long[] Numbers) masks)
        {
            this.named = named;
            this.repr = repr;
            this.bits = bits;
            for (int i = 0; i < bits.Names.Length; i++) known[bits.Names[i]] = bits.Numbers[i];
            for (int i = 0; i < masks.Names.Length; i++) known[masks.Names[i]] = masks.Numbers[i];
        }

        internal override void Write(StringBuilder text, object? value)
        {
            if (!named)
            {
                repr.Write(text, value);
                return;
            }
            long rest = OfInteger.Bits(value!);
            string comma = "";
            text.Append('[');
            for (int i = 0; i < bits.Names.Length; i++)
            {
                if ((rest & bits.Numbers[i]) == 0) continue;
                rest &= ~bits.Numbers[i];
                text.Append(comma);
                Json.Quote(text, bits.Names[i]);
                comma = ",";
            }
            if (rest != 0)
            {
                text.Append(comma);
                repr.Write(text, OfInteger.Within(repr).Of(rest));
            }
            text.Append(']');
        }

        internal override void WriteKey(StringBuilder text, object value) => repr.WriteKey(text, value);

        internal override object? Read(JsonParser from)
        {
            if (!named && from.Peek() != '[') return repr.Read(from);
            from.Expect('[', "an array of names");
            long mask = 0;
            for (bool first = true; !from.Closes(']', first); first = false)
            {
                int at = from.Place();
                long own;
                if (from.Peek() != '"') own = OfInteger.Bits(repr.Read(from)!);
                else if (!known.TryGetValue(from.Text(), out own)) throw JsonParser.Bad(at, "no flag is called so");
                mask |= own;
            }
            return OfInteger.Within(repr).Of(mask);
        }

        internal override object? ReadKey(string text, int at) => repr.ReadKey(text, at);

        internal override int Compare(object a, object b) => repr.Compare(a, b);
    }
}
