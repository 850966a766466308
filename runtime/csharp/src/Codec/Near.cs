#nullable enable
using System;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Aldis.Codec
{
    /// <summary>Pointers of messages of one segment, for quick readers (Cap'n Proto encoding specification, "Structs", "Lists"). A place
    /// below zero stands for what is unusual: a careful reader says what is wrong, if anything is.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static class Near
    {
        private const MethodImplOptions Inline = MethodImplOptions.AggressiveInlining;
        private const int Unusual = -1;
        private const int Composite = 7;

        /// <summary>Where the one segment ends that a table says.</summary>
        [MethodImpl(Inline)]
        public static int End(ReadOnlySpan<byte> b, int start, int end)
        {
            if (end - start < 2 * Segments.Word || Wire.I32(b, start) != 0) return Unusual;
            int words = Wire.I32(b, start + 4);
            return words <= 0 || words > (end - start) / Segments.Word - 1 ? Unusual : start + (words + 1) * Segments.Word;
        }

        // The first byte of an object of so many bytes.
        [MethodImpl(Inline)]
        private static int Body(long aim, int at, int low, int end, long size)
        {
            if (size == 0) return low;
            long first = at + Segments.Word + (long)Segments.Word * (unchecked((int)aim) >> 2);
            return first < low || first > end || size > end - first ? Unusual : (int)first;
        }

        /// <summary>A record's data.</summary>
        [MethodImpl(Inline)]
        public static int Record(long aim, int at, int low, int end) =>
            (aim & 3) != 0 ? Unusual : Body(aim, at, low, end, Wire.DataSize(aim) + Wire.PointersSize(aim));

        /// <summary>The bytes of a list of bytes, and those that it takes.</summary>
        [MethodImpl(Inline)] public static long Length(long aim) => Segments.Upper(aim, 35);

        [MethodImpl(Inline)] public static long Padded(long length) => (length + 7) & ~7L;

        [MethodImpl(Inline)]
        public static int Octets(ReadOnlySpan<byte> b, long aim, int at, int low, int end) =>
            (aim & 0x700000003L) != 0x200000001L ? Unusual : Body(aim, at, low, end, Padded(Length(aim)));

        /// <summary>A text, whose last byte is zero.</summary>
        [MethodImpl(Inline)]
        public static int Text(ReadOnlySpan<byte> b, long aim, int at, int low, int end)
        {
            int from = Octets(b, aim, at, low, end);
            return from < 0 || Length(aim) == 0 || b[from + (int)Length(aim) - 1] != 0 ? Unusual : from;
        }

        private static long Bytes(long aim)
        {
            int code = Segments.CodeOf(aim);
            return code == Composite ? (Length(aim) + 1) * Segments.Word : (Length(aim) * Segments.Bits(code) + 63) >> 6 << 3;
        }

        /// <summary>A list's first element.</summary>
        public static int List(ReadOnlySpan<byte> b, long aim, int at, int low, int end)
        {
            int first = Body(aim, at, low, end, Bytes(aim));
            if (first < 0 || Segments.CodeOf(aim) != Composite) return first;
            long tag = Wire.I64(b, first);
            long each = Wire.DataSize(tag) + Wire.PointersSize(tag);
            bool isWrong = (tag & 3) != 0 || Segments.CountOf(tag) * each > Length(aim) * Segments.Word;
            return isWrong ? Unusual : first + Segments.Word;
        }

        /// <summary>The tag of a list of records; of another list, its elements as the tag of as many records.</summary>
        public static long Tag(ReadOnlySpan<byte> b, long aim, int first)
        {
            int code = Segments.CodeOf(aim);
            if (code == Composite) return Wire.I64(b, first - Segments.Word);
            return Length(aim) << 2 | (code == 6 ? 1L << 48 : 0);
        }

        [MethodImpl(Inline)] public static long Count(long aim, long tag) => Segments.CountOf(tag);

        /// <summary>Bits of an element that is no record and no pointer.</summary>
        [MethodImpl(Inline)]
        public static long Bits(long aim, long tag)
        {
            int code = Segments.CodeOf(aim);
            return code >= 6 ? 0 : Segments.Bits(code);
        }

        [MethodImpl(Inline)] public static long DataSize(long aim, long tag) => Bits(aim, tag) > 0 ? Bits(aim, tag) >> 3 : Wire.DataSize(tag);

        [MethodImpl(Inline)] public static long PointersSize(long aim, long tag) => Wire.PointersSize(tag);

        /// <summary>Bits from one element to the next.</summary>
        [MethodImpl(Inline)]
        public static long Stride(long aim, long tag) =>
            Bits(aim, tag) > 0 ? Bits(aim, tag) : 8 * (Wire.DataSize(tag) + Wire.PointersSize(tag));

        /// <summary>What a list costs: its words, elements without bytes, and pointers.</summary>
        public static long Cost(long aim, long tag)
        {
            long each = Stride(aim, tag) == 0 ? Segments.EmptyElement : Wire.PointersSize(tag) / Segments.Word * Segments.Link;
            return Bytes(aim) + Segments.CountOf(tag) * each;
        }
    }
}
