#nullable enable
using System;
using System.ComponentModel;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>A value of a union, for what is the same for all unions. It never changes, but what it holds may.</summary>
    public interface IChoice
    {
        /// <summary>The number of the arm, which a newer schema may have added.</summary>
        int Tag { get; }

        /// <summary>The arm's value, null where it has none.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        object? Object();
    }

    /// <summary>An arm's number and its value, which is an object, or a number without a box around it.</summary>
    public readonly struct Held
    {
        // The kinds of numbers, each of which can put bits into a box.
        private sealed class Kind
        {
            internal readonly Func<long, object> Box;

            internal Kind(Func<long, object> box) => Box = box;
        }

        private static readonly Kind OfBool = new Kind(bits => bits != 0);
        private static readonly Kind OfChar = new Kind(bits => unchecked((char)bits));
        private static readonly Kind OfSbyte = new Kind(bits => unchecked((sbyte)bits));
        private static readonly Kind OfByte = new Kind(bits => unchecked((byte)bits));
        private static readonly Kind OfShort = new Kind(bits => unchecked((short)bits));
        private static readonly Kind OfUshort = new Kind(bits => unchecked((ushort)bits));
        private static readonly Kind OfInt = new Kind(bits => unchecked((int)bits));
        private static readonly Kind OfUint = new Kind(bits => unchecked((uint)bits));
        private static readonly Kind OfLong = new Kind(bits => bits);
        private static readonly Kind OfUlong = new Kind(bits => unchecked((ulong)bits));
        private static readonly Kind OfFloat = new Kind(bits => Wire.FloatOf(unchecked((int)bits)));
        private static readonly Kind OfDouble = new Kind(bits => Wire.DoubleOf(bits));

        public readonly int Tag;
        private readonly object? value;
        private readonly long bits;

        private Held(int tag, object? value, long bits = 0)
        {
            Tag = tag;
            this.value = value;
            this.bits = bits;
        }

        public static Held Of(int tag, object? value) => value switch
        {
            bool number => Of(tag, number),
            char number => Of(tag, number),
            sbyte number => Of(tag, number),
            byte number => Of(tag, number),
            short number => Of(tag, number),
            ushort number => Of(tag, number),
            int number => Of(tag, number),
            uint number => Of(tag, number),
            long number => Of(tag, number),
            ulong number => Of(tag, number),
            float number => Of(tag, number),
            double number => Of(tag, number),
            _ => new Held(tag, value),
        };

        public static Held Of(int tag, bool value) => new Held(tag, OfBool, value ? 1 : 0);

        public static Held Of(int tag, char value) => new Held(tag, OfChar, value);

        public static Held Of(int tag, sbyte value) => new Held(tag, OfSbyte, value);

        public static Held Of(int tag, byte value) => new Held(tag, OfByte, value);

        public static Held Of(int tag, short value) => new Held(tag, OfShort, value);

        public static Held Of(int tag, ushort value) => new Held(tag, OfUshort, value);

        public static Held Of(int tag, int value) => new Held(tag, OfInt, value);

        public static Held Of(int tag, uint value) => new Held(tag, OfUint, value);

        public static Held Of(int tag, long value) => new Held(tag, OfLong, value);

        public static Held Of(int tag, ulong value) => new Held(tag, OfUlong, unchecked((long)value));

        public static Held Of(int tag, float value) => new Held(tag, OfFloat, Wire.RawBitsOf(value));

        public static Held Of(int tag, double value) => new Held(tag, OfDouble, Wire.RawBitsOf(value));

        /// <summary>The value of an arm, of which it is asked whether it is that one.</summary>
        public Held Holding(int tag) =>
            tag == Tag ? this : throw new InvalidOperationException("the union holds the arm " + Tag + ", not " + tag);

        /// <summary>The text of an arm, null where it is another one that is held, or no text.</summary>
        public string? Before(int tag) => tag == Tag ? value as string : null;

        public object? Object() => value is Kind kind ? kind.Box(bits) : value;

        /// <summary>
        /// Whether this number and another one of the same arm are equal; nothing of two that are no numbers. The first arm of a union
        /// that nobody made has all bits zero, and no kind.
        /// </summary>
        internal bool? SameNumber(Held other)
        {
            Kind? own = value as Kind, others = other.value as Kind;
            if (own == null && others == null) return null;
            Kind kind = (own ?? others)!;
            if (own != others && !(Tag == 0 && (own == null ? value : other.value) == null)) return false;
            if (kind == OfFloat) return Float().Equals(other.Float());
            return kind == OfDouble ? Double().Equals(other.Double()) : bits == other.bits;
        }

        /// <summary>The hash of a number, or of nothing; none of another object. Equal numbers have the same, and zero that of nothing.</summary>
        internal int? HashNumber()
        {
            if (!(value is Kind kind)) return value == null ? 0 : (int?)null;
            if (kind == OfFloat || kind == OfDouble)
            {
                double number = kind == OfFloat ? Float() : Double();
                return number == 0 ? 0 : double.IsNaN(number) ? 1 : number.GetHashCode();
            }
            return bits.GetHashCode();
        }

        public bool Bool() => bits != 0;

        public char Char() => unchecked((char)bits);

        public sbyte Sbyte() => unchecked((sbyte)bits);

        public byte Byte() => unchecked((byte)bits);

        public short Short() => unchecked((short)bits);

        public ushort Ushort() => unchecked((ushort)bits);

        public int Int() => unchecked((int)bits);

        public uint Uint() => unchecked((uint)bits);

        public long Long() => bits;

        public ulong Ulong() => unchecked((ulong)bits);

        public float Float() => Wire.FloatOf(unchecked((int)bits));

        public double Double() => Wire.DoubleOf(bits);
    }

    /// <summary>Equality, hash and text, which are the same for all unions.</summary>
    public static class Choice
    {
        public static bool Same(Shape shape, Held a, Held b) =>
            a.Tag == b.Tag && (a.SameNumber(b) ?? ((OfUnion)shape).SameArm(a.Tag, a.Object(), b.Object()));

        public static int Hash(Shape shape, Held held) =>
            unchecked(31 * held.Tag + (held.HashNumber() ?? ((OfUnion)shape).HashArm(held.Tag, held.Object())));

        public static string Show(Shape shape, IChoice of)
        {
            var text = new StringBuilder();
            shape.Show(text, of);
            return text.ToString();
        }
    }
}
