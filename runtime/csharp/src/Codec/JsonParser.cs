#nullable enable
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>The tokens of JSON (RFC 8259), read strictly. Records pay for the memory that they take.</summary>
    internal sealed class JsonParser
    {
        private const int Field = 32;

        private readonly string text;
        internal int At;
        private int depth = Limits.Default.Depth;
        private long memory;

        internal JsonParser(string text)
        {
            this.text = text;
            memory = 24L * text.Length + (6 << 20);
        }

        internal static CodecException Bad(int at, string detail) => new CodecException(Code.BadJson, at, detail);

        internal static CodecException OutOfRange(int at, string detail) => new CodecException(Code.OutOfRange, at, detail);

        internal void Enter(int fields)
        {
            if (depth == 0) throw new CodecException(Code.TooDeep, Place(), "records nest deeper than the limit");
            depth--;
            memory -= Field * fields;
            if (memory < 0) throw new CodecException(Code.TooLarge, Place(), "records would take more memory than the text justifies");
        }

        internal void Leave() => depth++;

        // The next character that is no white space, 0 at the end.
        internal char Peek()
        {
            for (; At < text.Length; At++)
            {
                char c = text[At];
                if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return c;
            }
            return '\0';
        }

        internal int Place()
        {
            Peek();
            return At;
        }

        internal bool Ends() => Place() == text.Length;

        private bool Take(char c)
        {
            if (Peek() != c || Ends()) return false;
            At++;
            return true;
        }

        internal void Expect(char c, string what)
        {
            if (!Take(c)) throw Bad(At, "expected " + what + ", found " + Found());
        }

        internal string Found()
        {
            char c = Peek();
            if (Ends()) return "the end";
            if (c == '"') return "a string";
            if (c == '{') return "an object";
            if (c == '[') return "an array";
            return c == '-' || IsDigit(c) ? "a number" : "something else";
        }

        internal static bool IsDigit(char c) => c >= '0' && c <= '9';

        internal bool Word(string word)
        {
            Peek();
            if (string.CompareOrdinal(text, At, word, 0, word.Length) != 0) return false;
            int stop = At + word.Length;
            if (stop < text.Length && (IsDigit(text[stop]) || ((text[stop] | 32) >= 'a' && (text[stop] | 32) <= 'z'))) return false;
            At = stop;
            return true;
        }

        // Whether a closing bracket comes next: takes it, or the comma before what comes after the first.
        internal bool Closes(char bracket, bool first)
        {
            if (Take(bracket)) return true;
            if (!first)
            {
                Expect(',', "`,` or the end of the list");
                Peek();
            }
            return false;
        }

        internal string Text()
        {
            Expect('"', "a string");
            int start = At, piece = At;
            var made = new StringBuilder();
            for (;;)
            {
                if (At >= text.Length) throw Bad(start - 1, "the string does not end");
                char c = text[At];
                if (c == '"')
                {
                    made.Append(Formed(piece));
                    At++;
                    return made.ToString();
                }
                if (c < 0x20)
                {
                    Formed(piece);
                    throw Bad(At, "a control character in a string must be escaped");
                }
                if (c == '\\')
                {
                    made.Append(Formed(piece));
                    Escape(made);
                    piece = At;
                }
                else
                {
                    At++;
                }
            }
        }

        // The levels of records that are left.
        internal int Levels => depth;

        // Skips a value of any kind, of at most so many levels. Its objects give no key twice.
        internal void Skip(int levels)
        {
            char next = Peek();
            if (next == '"') Text();
            else if (next == '-' || IsDigit(next)) Number();
            else if (next == '{' || next == '[') SkipAll(next == '{' ? '}' : ']', levels);
            else if (!Word("null") && !Word("true") && !Word("false")) throw Bad(At, "expected a value, found " + Found());
        }

        private void SkipAll(char close, int levels)
        {
            if (levels == 0) throw new CodecException(Code.TooDeep, At, "values nest deeper than the limit");
            At++;
            var seen = new HashSet<string>(StringComparer.Ordinal);
            for (bool first = true; !Closes(close, first); first = false)
            {
                if (close == '}')
                {
                    int start = At;
                    if (!seen.Add(Text())) throw Bad(start, "the key is given twice");
                    Expect(':', "`:`");
                }
                Skip(levels - 1);
            }
        }

        private string Formed(int piece)
        {
            string part = text.Substring(piece, At - piece);
            int ill = Texts.IllFormedAt(part);
            if (ill >= 0) throw Bad(piece + ill, "half of a surrogate pair is no character");
            return part;
        }

        private void Escape(StringBuilder made)
        {
            int start = At;
            char name = At + 1 < text.Length ? text[At + 1] : '\0';
            At += 2;
            switch (name)
            {
                case '"':
                case '\\':
                case '/':
                    made.Append(name);
                    break;
                case 'b':
                    made.Append('\b');
                    break;
                case 'f':
                    made.Append('\f');
                    break;
                case 'n':
                    made.Append('\n');
                    break;
                case 'r':
                    made.Append('\r');
                    break;
                case 't':
                    made.Append('\t');
                    break;
                case 'u':
                    Unit(made, start);
                    break;
                default:
                    throw Bad(start, "no such escape");
            }
        }

        private void Unit(StringBuilder made, int start)
        {
            int first = Hex(start);
            if (first < 0) throw Bad(start, "not four hex digits");
            At = start + 6;
            if (first < 0xd800 || first > 0xdfff)
            {
                made.Append((char)first);
                return;
            }
            bool isEscape = At + 1 < text.Length && text[At] == '\\' && text[At + 1] == 'u';
            int second = first < 0xdc00 && isEscape ? Hex(At) : -1;
            if (second < 0xdc00 || second > 0xdfff) throw Bad(start, "half of a surrogate pair is no character");
            made.Append((char)first).Append((char)second);
            At += 6;
        }

        private int Hex(int from)
        {
            if (from + 6 > text.Length) return -1;
            int value = 0;
            for (int i = from + 2; i < from + 6; i++)
            {
                int digit = "0123456789abcdef".IndexOf((char)(text[i] < 128 ? text[i] | (text[i] >= 'A' ? 32 : 0) : '?'));
                if (digit < 0) return -1;
                value = (value << 4) | digit;
            }
            return value;
        }

        internal string Number()
        {
            char c = Peek();
            if (c != '-' && !IsDigit(c)) throw Bad(At, "expected a number, found " + Found());
            int stop = NumberEnd(text, At);
            if (stop < 0) throw Bad(At, "not a number");
            string number = text.Substring(At, stop - At);
            At = stop;
            return number;
        }

        // The end of the number at a place, below zero where there is none.
        internal static int NumberEnd(string text, int at)
        {
            int i = at < text.Length && text[at] == '-' ? at + 1 : at;
            int digits = i;
            i = DigitsEnd(text, i);
            if (i == digits || (text[digits] == '0' && i > digits + 1)) return -1;
            if (i < text.Length && text[i] == '.')
            {
                int fraction = i + 1;
                i = DigitsEnd(text, fraction);
                if (i == fraction) return -1;
            }
            if (i < text.Length && (text[i] | 32) == 'e')
            {
                bool signed = i + 1 < text.Length && (text[i + 1] == '-' || text[i + 1] == '+');
                int exponent = signed ? i + 2 : i + 1;
                i = DigitsEnd(text, exponent);
                if (i == exponent) return -1;
            }
            return i;
        }

        private static int DigitsEnd(string text, int at)
        {
            while (at < text.Length && IsDigit(text[at])) at++;
            return at;
        }

        // The integer that a number's text is, exactly: 1e3 and 2.0 are some. Null for none, and beyond 38 digits.
        internal static BigInteger? Integer(string text)
        {
            int power = text.IndexOfAny(new[] { 'e', 'E' });
            string exponent = power < 0 ? "0" : text.Substring(power + 1).Replace("+", "");
            string plain = power < 0 ? text : text.Substring(0, power);
            int point = plain.IndexOf('.');
            string fraction = point < 0 ? "" : plain.Substring(point + 1);
            bool negative = plain[0] == '-';
            string digits = ((point < 0 ? plain : plain.Substring(0, point)).Substring(negative ? 1 : 0) + fraction).TrimStart('0');
            string leading = digits.TrimEnd('0');
            if (leading.Length == 0) return BigInteger.Zero;
            if (exponent.TrimStart('-').TrimStart('0').Length > 8) return null;
            long shift = long.Parse(exponent, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture) - fraction.Length + digits.Length - leading.Length;
            if (shift < 0 || leading.Length + shift > 38) return null;
            BigInteger value = BigInteger.Parse(leading, CultureInfo.InvariantCulture) * BigInteger.Pow(10, (int)shift);
            return negative ? -value : value;
        }
    }
}
