#nullable enable
using System;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Aldis.Codec
{
    /// <summary>What quick writers put into bytes, whose room they have tested before. What appends gives how many bytes it put, or where
    /// they end, and a number below zero where there is no room for it or it is unusual: a careful writer says what is wrong, if
    /// anything is.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static class Quick
    {
        private const MethodImplOptions Inline = MethodImplOptions.AggressiveInlining;
        private const int Unusual = -1;
        private const long Most = (1 << 29) - 1;

        /// <summary>So many bytes from a place on, all zero.</summary>
        [MethodImpl(Inline)]
        public static Span<byte> Part(Span<byte> b, int from, int size)
        {
            Span<byte> part = b.Slice(from, size);
            part.Clear();
            return part;
        }

        /// <summary>The same of which each byte will be stored into.</summary>
        [MethodImpl(Inline)]
        public static Span<byte> Bare(Span<byte> b, int from, int size) => b.Slice(from, size);

        [MethodImpl(Inline)]
        public static void Zero(Span<byte> b, int from, int size) => b.Slice(from, size).Clear();

        public static int Utf8(Span<byte> b, int at, string? text)
        {
            if (text == null || text.Length > b.Length - at) return Unusual;
            Span<byte> to = b.Slice(at, text.Length);
            for (int i = 0; i < text.Length && i < to.Length; i++)
            {
                char c = text[i];
                if (c > 127) return Wide(b.Slice(at), text);
                to[i] = (byte)c;
            }
            return text.Length;
        }

        // Text that is not of ASCII.
        private static int Wide(Span<byte> to, string text)
        {
#if !NETSTANDARD2_0
            if (Texts.IllFormedAt(text) < 0)
            {
                int size = System.Text.Encoding.UTF8.GetByteCount(text);
                return size > to.Length ? Unusual : System.Text.Encoding.UTF8.GetBytes(text, to);
            }
#endif
            return Unusual;
        }

        public static int Latin1(Span<byte> b, int at, string? text)
        {
            if (text == null || text.Length > b.Length - at) return Unusual;
            return PutLatin1(text, b.Slice(at)) ? text.Length : Unusual;
        }

        private static bool PutLatin1(string text, Span<byte> to)
        {
            for (int i = 0; i < text.Length; i++)
            {
                if (text[i] > 255) return false;
                to[i] = (byte)text[i];
            }
            return true;
        }

        public static int Octets(Span<byte> b, int at, byte[]? bytes)
        {
            if (bytes == null || bytes.Length > b.Length - at) return Unusual;
            bytes.CopyTo(b.Slice(at));
            return bytes.Length;
        }

        /// <summary>Puts text into so many bytes, with zeros behind it; false where it does not fit them, or is unusual otherwise.</summary>
        public static bool Utf8Chars(Span<byte> b, int place, int width, string? text)
        {
            Span<byte> to = b.Slice(place, width);
            int size = Utf8(to, 0, text);
            for (int i = size; (uint)i < (uint)to.Length; i++) to[i] = 0;
            return size >= 0;
        }

        public static bool Latin1Chars(Span<byte> b, int place, int width, string? text)
        {
            Span<byte> to = b.Slice(place, width);
            if (text == null || text.Length > to.Length || !PutLatin1(text, to)) return false;
            for (int i = text.Length; i < to.Length; i++) to[i] = 0;
            return true;
        }

        [MethodImpl(Inline)]
        public static void Bit(Span<byte> b, int place, int bit, bool turned, bool value)
        {
            if (value != turned) b[place] |= (byte)(1 << bit);
        }

        public static void Bits(Span<byte> b, int place, bool[] list)
        {
            for (int i = 0; i < list.Length; i++) if (list[i]) b[place + (i >> 3)] |= (byte)(1 << (i & 7));
        }

        /// <summary>Zeros again in bytes that may have been stored into.</summary>
        public static void Erase(Span<byte> b, int place, int width) => b.Slice(place, width).Clear();

        public static void EraseBit(Span<byte> b, int place, int bit) => b[place] &= (byte)~(1 << bit);

        public static void Decimal(Span<byte> b, int place, decimal? value)
        {
            int[] bits = decimal.GetBits(value.GetValueOrDefault());
            for (int i = 0; i < 3; i++) Wire.I32(b, place + 4 * i, bits[i]);
            b[place + 14] = (byte)(bits[3] >> 16);
            b[place + 15] = (byte)(bits[3] < 0 ? 0x80 : 0);
        }

        public static void Uuid(Span<byte> b, int place, Guid? value) => Wire.Uuid(b, place, value.GetValueOrDefault());

        // Segments: there is one.

        /// <summary>Puts into the word at a place the pointer to an object.</summary>
        [MethodImpl(Inline)]
        public static void Point(Span<byte> b, int place, int to, int kind, long upper)
        {
            // Bytes behind the pointer, shifted by one: words, shifted by two.
            Wire.I64(b, place, unchecked((uint)(to - place - Segments.Word >> 1 | kind)) | upper << 32);
        }

        /// <summary>A list of elements of so many bits at the end, all zero, and the pointer to it.</summary>
        public static int List(Span<byte> b, int end, int place, long count, int code, int bits)
        {
            long size = (count * bits + 63 >> 6) * Segments.Word;
            if (count > Most || size > b.Length - end) return Unusual;
            b.Slice(end, (int)size).Clear();
            Point(b, place, end, 1, (uint)code | count << 3);
            return end + (int)size;
        }

        /// <summary>The same for records of so many words, behind their tag.</summary>
        public static int Records(Span<byte> b, int end, int place, long count, int data, int pointers)
        {
            long words = count * (data + pointers);
            long size = (1 + words) * Segments.Word;
            if (count > Most || size > b.Length - end) return Unusual;
            b.Slice(end, (int)size).Clear();
            Point(b, place, end, 1, 7 | words << 3);
            Wire.I64(b, end, count << 2 | (long)data << 32 | (long)pointers << 48);
            return end + (int)size;
        }

        /// <summary>A text with a zero byte behind it, and the pointer to it.</summary>
        public static int Text(Span<byte> b, int end, int place, string? text)
        {
            if (text == null) return Unusual;
            int whole = (text.Length & ~7) + Segments.Word;
            if (whole > b.Length - end || whole < 0) return Unusual;
            Span<byte> to = b.Slice(end, whole);
            Wire.I64(to, whole - Segments.Word, 0);
            for (int i = 0; i < text.Length && i < to.Length; i++)
            {
                char c = text[i];
                if (c > 127) return Behind(b, end, place, Wide(b.Slice(end), text), 1);
                to[i] = (byte)c;
            }
            Point(b, place, end, 1, 2 | (long)(text.Length + 1) << 3);
            return end + whole;
        }

        public static int Data(Span<byte> b, int end, int place, byte[]? bytes) => Behind(b, end, place, Octets(b, end, bytes), 0);

        // Takes the bytes that were put at the end.
        private static int Behind(Span<byte> b, int end, int place, int size, int zeros)
        {
            long count = (long)size + zeros;
            long whole = count + 7 & ~7L;
            if (size < 0 || count > Most || whole > b.Length - end) return Unusual;
            Point(b, place, end, 1, 2 | count << 3);
            b.Slice(end + size, (int)whole - size).Clear();
            return end + (int)whole;
        }

        /// <summary>The one segment is complete: the table in front of it says how many words it has.</summary>
        [MethodImpl(Inline)]
        public static void Finish(Span<byte> b, int from, int end)
        {
            // Bytes, shifted by 29: words, shifted by 32.
            Wire.I64(b, from, (long)(end - from - Segments.Word) << 29);
        }
    }
}
