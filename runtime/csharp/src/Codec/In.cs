#nullable enable
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Aldis.Codec
{
    /// <summary>The state of reading a message: its bytes, where it ends, and what may still be charged.</summary>
    public ref struct In
    {
        private const MethodImplOptions Inline = MethodImplOptions.AggressiveInlining;

        public readonly ReadOnlySpan<byte> B;
        public readonly int Start;
        public int End;

        /// <summary>The place behind what was read last.</summary>
        public int At;

        public int Depth;
        internal long Left;
        private bool surcharge;

        // The bytes were packed: faults have no place in what was given.
        private bool packed;

        // The first segment, and all segments from a place in the table on where there is more than one.
        private int low;
        private int high;
        private int[]? bounds;

        /// <summary>The segment of the pointer that was read last.</summary>
        public int Segment;

        // The place that it counts from.
        internal int Base;

        /// <summary>The list that was read last: bits from one element to the next, bits of an element that is no record.</summary>
        public int Count;
        public int Stride;
        public int DataSize;
        public int PointersSize;
        public int Bits;

        public In(ReadOnlySpan<byte> bytes, Limits limits)
        {
            B = bytes;
            Start = 0;
            End = bytes.Length;
            At = 0;
            Depth = limits.Depth;
            surcharge = limits.Surcharge;
            packed = false;
            low = 0;
            high = 0;
            bounds = null;
            Segment = 0;
            Base = 0;
            Count = 0;
            Stride = 0;
            DataSize = 0;
            PointersSize = 0;
            Bits = 0;
            long own = Times(limits.BudgetFactor, bytes.Length);
            Left = own > long.MaxValue - limits.BudgetBase ? long.MaxValue : own + limits.BudgetBase;
        }

        // The usual factor is small: their product fits, and no division has to tell.
        [MethodImpl(Inline)]
        private static long Times(long factor, int length) =>
            factor <= int.MaxValue || length == 0 ? factor * length : factor > long.MaxValue / length ? long.MaxValue : factor * length;

        // The state of reading a message that was checked.
        internal In(ReadOnlySpan<byte> bytes)
            : this(bytes, Limits.Default) => Checked();

        /// <summary>The state of reading packed words, which are unpacked first.</summary>
        public static In Unpacked(ReadOnlySpan<byte> bytes, Limits limits)
        {
            var words = new Unpacker(bytes);
            return new In(words.Message(), limits) { packed = true };
        }

        /// <summary>Of the message, which was checked, views read as often as they like.</summary>
        public void Checked()
        {
            Depth = int.MaxValue;
            Left = long.MaxValue;
            surcharge = false;
        }

        /// <summary>The bytes of the message, which was checked, for a view.</summary>
        public readonly Seen Seen() => new Seen(B);

        internal readonly CodecException Fault(Code code, int place) => new CodecException(code, packed ? -1 : place, "");

        private readonly void Fail(Code code, int place) => throw Fault(code, place);

        /// <summary>Sizes and counts are unsigned: what is below zero is more than there can be.</summary>
        [MethodImpl(Inline)]
        public void Need(int at, long size)
        {
            if (size < 0 || size > End - at) Fail(Code.Truncated, at);
        }

        [MethodImpl(Inline)]
        public void Least(long size, long least, int place)
        {
            if (size >= 0 && size < least) Fail(Code.BadValue, place);
        }

        private static void Short(CodecException fault) => throw fault;

        [MethodImpl(Inline)]
        public void Head(int at, int size, Cut cut)
        {
            if (size > End - at) Short(cut.Head(End - at, at));
            Charge(size, at);
        }

        [MethodImpl(Inline)]
        public void Run(int at, long size, Cut cut, long version)
        {
            if (size < 0 || size > End - at) Short(cut.Run(End - at, at, size, version));
            Charge(size, at);
        }

        [MethodImpl(Inline)]
        public void Expect(long have, long want, bool root, int place)
        {
            if (have != want) Fail(root ? Code.UnknownMessage : Code.BadValue, place);
        }

        public CodecException Unknown(int place) => Fault(Code.UnknownMessage, place);

        [MethodImpl(Inline)]
        public void Counted(int from, long length, int blame)
        {
            if (length < 0 || length > End - from) Fail(Code.BadCount, blame);
            Charge(length, from);
        }

        [MethodImpl(Inline)]
        public long Fit(long count, long least, int at, int blame)
        {
            bool fits = count == 0 || least == 0 || (count > 0 && least > 0 && count <= (End - at) / least);
            if (!fits) Fail(Code.BadCount, blame);
            // Elements without bytes may be more than a signed number says.
            return count < 0 ? long.MaxValue : count;
        }

        [MethodImpl(Inline)]
        public int Follow(int from, long offset, int place)
        {
            if (offset <= 0 || offset > End - from) Fail(Code.BadPointer, place);
            return from + (int)offset;
        }

        [MethodImpl(Inline)]
        public int Root(long offset, int start)
        {
            if (offset < 0 || offset > End - start) Fail(Code.BadPointer, start);
            return start + (int)offset;
        }

        [MethodImpl(Inline)]
        public void Bound(long size, int head, int place)
        {
            if (size < 0 || size > End - Start) Fail(Code.Truncated, place);
            if (size < head) Fail(Code.BadValue, place);
            End = Start + (int)size;
        }

        public void Same(long size, int stop, int place)
        {
            if (size != stop - Start) Fail(Code.BadValue, place);
        }

        public void Refuse(int place) => Fail(Code.BadValue, place);

        [MethodImpl(Inline)]
        public void Enter(int at)
        {
            if (Depth == 0) Fail(Code.TooDeep, at);
            Depth--;
        }

        [MethodImpl(Inline)]
        public void Charge(long amount, int at)
        {
            if (amount < 0 || amount > Left) Fail(Code.TooLarge, at);
            Left -= amount;
        }

        public void Charge(long times, long each, int at)
        {
            bool isNothing = times == 0 || each == 0;
            bool isHuge = !isNothing && (times < 0 || each < 0 || times > long.MaxValue / each);
            Charge(isNothing ? 0 : isHuge ? -1 : times * each, at);
        }

        [MethodImpl(Inline)]
        public void Extra(long amount, int at)
        {
            if (surcharge) Charge(amount, at);
        }

        public void Extra(long times, long each, int at)
        {
            if (surcharge) Charge(times, each, at);
        }

        /// <summary>Room for elements that are to come: no more than there are bytes.</summary>
        public int Room(long count) => count < 0 ? 0 : (int)Math.Min(count, Math.Min(End - Start, 1 << 16));

        /// <summary>The number that tells messages apart, before anything else is known.</summary>
        public long Number(int from, int away, int size, bool big)
        {
            if (away + size > End - Start - from) Fail(Code.Truncated, Start + from);
            long number = 0;
            for (int i = 0; i < size; i++) number |= (long)B[Start + from + away + i] << (8 * (big ? size - 1 - i : i));
            return number;
        }

        public decimal Decimal(int at)
        {
            byte scale = B[at + 14], sign = B[at + 15];
            if (B[at + 12] != 0 || B[at + 13] != 0 || scale > 28 || (sign != 0 && sign != 0x80)) Fail(Code.BadValue, at);
            return DecimalOf(B, at);
        }

        /// <summary>Of bytes that are known to be a decimal.</summary>
        public static decimal DecimalOf(ReadOnlySpan<byte> b, int at) =>
            new decimal(Wire.I32(b, at), Wire.I32(b, at + 4), Wire.I32(b, at + 8), b[at + 15] != 0, b[at + 14]);

        /// <summary>What was there before is given too: it is kept where it is the same, or filled where it is as long.</summary>
        public static byte[] Octets(ReadOnlySpan<byte> b, int at, int size, byte[]? old = null) => Wire.Row(b.Slice(at), size, 1, 1, false, old);

        public static string Latin1(ReadOnlySpan<byte> b, int at, int size, string? old = null) => Texts.Latin1(b.Slice(at, size), old);

        public static string Utf8(ReadOnlySpan<byte> b, int at, int size, string? old = null) => Texts.Read(b.Slice(at, size), old);

        public string StrictUtf8(int at, int size)
        {
            if (!Texts.IsUtf8(B.Slice(at, size))) Fail(Code.BadText, at);
            return Texts.Utf8(B.Slice(at, size));
        }

        private static int Length(ReadOnlySpan<byte> b, int at, int width)
        {
            ReadOnlySpan<byte> field = b.Slice(at, width);
            int size = 0;
            while (size < field.Length && field[size] != 0) size++;
            return size;
        }

        public static string Utf8Chars(ReadOnlySpan<byte> b, int at, int width, string? old = null) => Utf8(b, at, Length(b, at, width), old);

        /// <summary>Text of a run's value, to which the path leads.</summary>
        public string StrictUtf8Chars(int at, int width, params object[] path)
        {
            int size = Length(B, at, width);
            if (Texts.IsUtf8(B.Slice(at, size))) return Texts.Utf8(B.Slice(at, size));
            var fault = new CodecException(Code.BadText, at, "");
            for (int i = path.Length - 1; i >= 0; i--)
            {
                if (path[i] is int index) fault.Within(index);
                else fault.Within((string)path[i]);
            }
            throw fault;
        }

        public static string Latin1Chars(ReadOnlySpan<byte> b, int at, int width, string? old = null) => Latin1(b, at, Length(b, at, width), old);

        /// <summary>Numbers that lie so many bytes from one another.</summary>
        public static sbyte[] I8s(ReadOnlySpan<byte> b, int at, int count, int step, sbyte[]? old = null) => Wire.Row(b.Slice(at), count, step, 1, false, old);

        public static byte[] U8s(ReadOnlySpan<byte> b, int at, int count, int step, byte[]? old = null) => Wire.Row(b.Slice(at), count, step, 1, false, old);

        public static bool[] Bools(ReadOnlySpan<byte> b, int at, int count, int step, bool[]? old = null)
        {
            bool[] array = Wire.Room(count, old);
            for (int i = 0; i < count; i++) array[i] = b[at + step * i] != 0;
            return array;
        }

        public static char[] Chars(ReadOnlySpan<byte> b, int at, int count, int step, char[]? old = null)
        {
            char[] array = Wire.Room(count, old);
            for (int i = 0; i < count; i++) array[i] = (char)b[at + step * i];
            return array;
        }

        public static short[] I16s(ReadOnlySpan<byte> b, int at, int count, int step, short[]? old = null) => Wire.Row(b.Slice(at), count, step, 2, false, old);
        public static short[] I16sbe(ReadOnlySpan<byte> b, int at, int count, int step, short[]? old = null) => Wire.Row(b.Slice(at), count, step, 2, true, old);
        public static ushort[] U16s(ReadOnlySpan<byte> b, int at, int count, int step, ushort[]? old = null) => Wire.Row(b.Slice(at), count, step, 2, false, old);
        public static ushort[] U16sbe(ReadOnlySpan<byte> b, int at, int count, int step, ushort[]? old = null) => Wire.Row(b.Slice(at), count, step, 2, true, old);
        public static int[] I32s(ReadOnlySpan<byte> b, int at, int count, int step, int[]? old = null) => Wire.Row(b.Slice(at), count, step, 4, false, old);
        public static int[] I32sbe(ReadOnlySpan<byte> b, int at, int count, int step, int[]? old = null) => Wire.Row(b.Slice(at), count, step, 4, true, old);
        public static uint[] U32s(ReadOnlySpan<byte> b, int at, int count, int step, uint[]? old = null) => Wire.Row(b.Slice(at), count, step, 4, false, old);
        public static uint[] U32sbe(ReadOnlySpan<byte> b, int at, int count, int step, uint[]? old = null) => Wire.Row(b.Slice(at), count, step, 4, true, old);
        public static long[] I64s(ReadOnlySpan<byte> b, int at, int count, int step, long[]? old = null) => Wire.Row(b.Slice(at), count, step, 8, false, old);
        public static long[] I64sbe(ReadOnlySpan<byte> b, int at, int count, int step, long[]? old = null) => Wire.Row(b.Slice(at), count, step, 8, true, old);
        public static ulong[] U64s(ReadOnlySpan<byte> b, int at, int count, int step, ulong[]? old = null) => Wire.Row(b.Slice(at), count, step, 8, false, old);
        public static ulong[] U64sbe(ReadOnlySpan<byte> b, int at, int count, int step, ulong[]? old = null) => Wire.Row(b.Slice(at), count, step, 8, true, old);
        public static float[] F32s(ReadOnlySpan<byte> b, int at, int count, int step, float[]? old = null) => Wire.Row(b.Slice(at), count, step, 4, false, old);
        public static float[] F32sbe(ReadOnlySpan<byte> b, int at, int count, int step, float[]? old = null) => Wire.Row(b.Slice(at), count, step, 4, true, old);
        public static double[] F64s(ReadOnlySpan<byte> b, int at, int count, int step, double[]? old = null) => Wire.Row(b.Slice(at), count, step, 8, false, old);
        public static double[] F64sbe(ReadOnlySpan<byte> b, int at, int count, int step, double[]? old = null) => Wire.Row(b.Slice(at), count, step, 8, true, old);

        public static List<Guid> Uuids(ReadOnlySpan<byte> b, int at, int count, int step)
        {
            var list = new List<Guid>(count);
            for (int i = 0; i < count; i++) list.Add(Wire.Uuid(b, at + step * i));
            return list;
        }

        public static List<Guid> Uuidsbe(ReadOnlySpan<byte> b, int at, int count, int step) => Uuids(b, at, count, step);

        // Segments and pointers.

        /// <summary>The beginning of the first segment; the message's end is that of the last.</summary>
        public int Open(bool table)
        {
            int words = table && End >= 2 * Segments.Word && Wire.I32(B, 0) == 0 ? Wire.I32(B, 4) : 0;
            // One segment is usual, and few sizes are wrong.
            if (words <= 0 || words > End / Segments.Word - 1) return OpenAny(table);
            bounds = null;
            low = Segments.Word;
            high = End = (words + 1) * Segments.Word;
            return low;
        }

        private int OpenAny(bool table)
        {
            One(0, End - End % Segments.Word);
            bounds = table ? Segments.Table(ref this) : null;
            if (bounds != null) One(bounds[0], bounds[1]);
            if (high - low < Segments.Word) Fail(Code.Truncated, low);
            End = bounds != null ? bounds[bounds.Length - 1] : high;
            return low;
        }

        internal void One(int from, int to)
        {
            low = from;
            high = to;
        }

        internal readonly int SegmentCount => bounds == null ? 1 : bounds.Length / 2;

        internal readonly int From(int segment) => segment == 0 ? low : bounds![2 * segment];

        internal readonly int To(int segment) => segment == 0 ? high : bounds![2 * segment + 1];

        /// <summary>The pointer at a place, as one that is near: its kind and upper half; the place that it counts from is noted. Zero is
        /// null.</summary>
        public long Aim(int at, int segment)
        {
            long word = Wire.I64(B, at);
            Segment = segment;
            Base = at + Segments.Word;
            if ((word & 2) == 0) return word;
            if ((word & 3) == 2) return Segments.Far(ref this, word, at);
            Segments.Known(ref this, word, at);
            return word;
        }

        // The first byte of an object of so many bytes.
        internal readonly int Body(long aim, int at, long size)
        {
            int from = From(Segment);
            if (size == 0) return from;
            int to = To(Segment);
            long first = Base + (long)Segments.Word * (unchecked((int)aim) >> 2);
            if (first < from || first > to) Fail(Code.BadPointer, at);
            if (size > to - first) Fail((aim & 3) == 1 ? Code.BadCount : Code.BadPointer, at);
            return (int)first;
        }

        /// <summary>A record's data, behind which its pointers are.</summary>
        public int Record(long aim, int at)
        {
            if ((aim & 3) != 0) Fail(Code.BadValue, at);
            if (Depth == 0) Fail(Code.TooDeep, at);
            long size = Wire.DataSize(aim) + Wire.PointersSize(aim);
            int from = Body(aim, at, size);
            Charge(size, at);
            return from;
        }

        private int OctetsOf(long aim, int at)
        {
            if ((aim & 0x700000003L) != 0x200000001L) Fail(Code.BadValue, at);
            long size = (Segments.Upper(aim, 35) + 7) & ~7L;
            int from = Body(aim, at, size);
            Charge(size, at);
            return from;
        }

        private int TextOf(long aim, int at)
        {
            int from = OctetsOf(aim, at);
            int size = (int)Segments.Upper(aim, 35);
            if (size == 0 || B[from + size - 1] != 0) Fail(Code.BadValue, at);
            return from;
        }

        public void IsData(long aim, int at) => OctetsOf(aim, at);

        public void IsText(long aim, int at) => TextOf(aim, at);

        public byte[] Data(long aim, int at, byte[]? old = null) => Octets(B, OctetsOf(aim, at), (int)Segments.Upper(aim, 35), old);

        public string Text(long aim, int at, string? old = null) => Utf8(B, TextOf(aim, at), (int)Segments.Upper(aim, 35) - 1, old);

        public string StrictText(long aim, int at) => StrictUtf8(TextOf(aim, at), (int)Segments.Upper(aim, 35) - 1);

        public void IsList(long aim, int at)
        {
            if ((aim & 3) != 1) Fail(Code.BadValue, at);
        }

        // The tag of a list of records, behind which so many words are there.
        internal readonly long Tag(int at, long words)
        {
            long tag = Wire.I64(B, at);
            if ((tag & 3) != 0) Fail(Code.BadValue, at);
            long each = Wire.DataSize(tag) + Wire.PointersSize(tag);
            if (Segments.CountOf(tag) * each > words * Segments.Word) Fail(Code.BadCount, at);
            return tag;
        }

        /// <summary>A list's first element; the rest is noted.</summary>
        public int List(long aim, int at)
        {
            int code = Segments.CodeOf(aim);
            long size = Segments.Upper(aim, 35);
            int first;
            if (code == 7)
            {
                first = Body(aim, at, (size + 1) * Segments.Word);
                Charge((size + 1) * Segments.Word, at);
                long tag = Tag(first, size);
                first += Segments.Word;
                Count = Segments.CountOf(tag);
                DataSize = (int)Wire.DataSize(tag);
                PointersSize = (int)Wire.PointersSize(tag);
                Bits = 0;
                Stride = 8 * (DataSize + PointersSize);
            }
            else
            {
                Stride = Segments.Bits(code);
                long words = (size * Stride + 63) >> 6;
                first = Body(aim, at, words * Segments.Word);
                Charge(words * Segments.Word, at);
                Count = (int)size;
                PointersSize = code == 6 ? Segments.Word : 0;
                Bits = code == 6 ? 0 : Stride;
                DataSize = Bits >> 3;
            }
            if (Stride == 0) Charge((long)Count * Segments.EmptyElement, at);
            if (PointersSize > 0) Extra((long)Count * (PointersSize / Segments.Word), Segments.Link, at);
            return first;
        }

        /// <summary>Truth values side by side, a bit each.</summary>
        public static bool[] BitRow(ReadOnlySpan<byte> b, int at, int count, bool[]? old = null)
        {
            bool[] array = Wire.Room(count, old);
            for (int i = 0; i < count; i++) array[i] = (b[at + (i >> 3)] >> (i & 7) & 1) != 0;
            return array;
        }

        /// <summary>A flat message of the value that a pointer leads to, copied whole.</summary>
        public AnyPointer Keep(int at, int segment)
        {
            var copy = new Out(256);
            copy.Reserve(Segments.Word);
            Copier.Pointer(ref this, ref copy, false, at, segment, 0);
            return new AnyPointer(copy.Bytes());
        }
    }
}
