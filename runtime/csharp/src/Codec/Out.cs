#nullable enable
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Aldis.Codec
{
    /// <summary>A routine that reads.</summary>
    public delegate void Reader(ref In f);

    /// <summary>The state of writing a message: its bytes, where they end by now, and the levels that are left.</summary>
    public ref struct Out
    {
        public Span<byte> B;
        public int At;
        public int Depth;

        // The place where the message begins, which a table may be put in front of.
        private int start;

        // The caller's bytes, which do not grow, and whether what is written still lies in them.
        private readonly Span<byte> target;
        private bool isWithin;
        private long charged;

        public Out(int room)
        {
            B = new byte[room];
            At = 0;
            start = 0;
            Depth = Limits.Default.Depth;
            target = default;
            isWithin = false;
            charged = 0;
        }

        /// <summary>Writes into bytes of the caller's; what does not fit goes on elsewhere, to tell how much it is.</summary>
        public Out(Span<byte> target)
        {
            B = target;
            At = 0;
            start = 0;
            Depth = Limits.Default.Depth;
            this.target = target;
            isWithin = true;
            charged = 0;
        }

        public byte[] Bytes() => B.Slice(start, At - start).ToArray();

        /// <summary>The number of bytes that were written; below zero where the target had no room for them.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public int Size() => isWithin ? At : Copied();

        private int Copied()
        {
            if (At > target.Length) return -At;
            B.Slice(0, At).CopyTo(target);
            return At;
        }

        /// <summary>Tells a writer, which gave the target, of the bytes; where that had no room for them they are copied.</summary>
        public void Into(IBufferWriter<byte> writer)
        {
            int size = Size();
            if (size < 0)
            {
                size = -size;
                B.Slice(0, size).CopyTo(writer.GetSpan(size));
            }
            writer.Advance(size);
        }

        /// <summary>So many bytes at the end, all zero; gives where they begin.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public int Reserve(long size)
        {
            int from = At;
            Room(size);
            At = from + (int)size;
            // The size is known where it is compiled, mostly, and few bytes are cleared by one store.
            if (size == 2) Wire.U16(B, from, 0);
            else if (size == 4) Wire.U32(B, from, 0);
            else if (size == 8) Wire.I64(B, from, 0);
            else B.Slice(from, (int)size).Clear();
            return from;
        }

        private void Room(long size)
        {
            if (size > B.Length - At) Grow(size);
        }

        private void Grow(long size)
        {
            const int most = int.MaxValue - 64;
            long least = At + size;
            if (size < 0 || least > most) throw Fault(Code.OutOfRange, "a message of more than 2 GiB");
            Span<byte> grown = new byte[(int)Math.Min(Math.Max(Math.Max(least, 2L * B.Length), 256), most)];
            // The bytes of a text lie behind the end until it is known where they end.
            B.CopyTo(grown);
            B = grown;
            isWithin = false;
        }

        private static CodecException Fault(Code code, string detail) => new CodecException(code, -1, detail);

        public static CodecException None() => Fault(Code.BadValue, "null, but the field must have a value");

        public static void Wrong() => throw Fault(Code.BadValue, "the value cannot be written");

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Enter()
        {
            if (--Depth < 0) TooDeep();
        }

        private static void TooDeep() => throw Fault(Code.TooDeep, "records nest deeper than the limit");

        public static void InRange(long number, long min, long max)
        {
            if (number < min || number > max) TooMany();
        }

        private static void TooMany() => throw Fault(Code.OutOfRange, "too many elements or bytes, or too few");

        /// <summary>A character of one byte.</summary>
        public static byte Letter(char letter)
        {
            if (letter > 255) throw Fault(Code.OutOfRange, "the character U+" + ((int)letter).ToString("X4") + " does not fit one byte");
            return (byte)letter;
        }

        public static void Same(object? value, object? given)
        {
            if (!Equals(given, value)) throw Fixed();
        }

        /// <summary>Of numbers, without objects of them.</summary>
        public static void Same<T>(T value, T given) where T : struct, IEquatable<T>
        {
            if (!given.Equals(value)) throw Fixed();
        }

        /// <summary>Of a number that may be missing.</summary>
        public static void Same<T>(T? value, T given) where T : struct, IEquatable<T>
        {
            if (!given.Equals(value.GetValueOrDefault()) || !value.HasValue) throw Fixed();
        }

        private static CodecException Fixed() => Fault(Code.BadValue, "the schema fixes another value");

        public static int Count<T>(ICollection<T>? list) => list == null ? throw None() : list.Count;

        public static int Count<T>(List<T>? list) => list == null ? throw None() : list.Count;

        public static int Count<T>(T[]? list) => list == null ? throw None() : list.Length;

        public static void Exactly(long count, long wanted, bool inRun)
        {
            if (count == wanted) return;
            throw Fault(inRun ? Code.OutOfRange : Code.BadValue, "a list of " + wanted + " elements belongs here");
        }

        /// <summary>The elements of a set in order, of equals the first.</summary>
        public static List<T> SortedSet<T>(ICollection<T>? set, IComparer<T> order)
        {
            if (set == null) throw None();
            var sorted = new SortedSet<T>(order);
            foreach (T item in set) sorted.Add(item);
            return new List<T>(sorted);
        }

        public static List<KeyValuePair<TKey, TValue>> SortedMap<TKey, TValue>(IDictionary<TKey, TValue>? map, IComparer<TKey> order)
            where TKey : notnull
        {
            if (map == null) throw None();
            var entries = new List<KeyValuePair<TKey, TValue>>(map);
            entries.Sort((a, b) => order.Compare(a.Key, b.Key));
            return entries;
        }

        /// <summary>Text behind a head of so many bytes, which comes next. Gives how many bytes it has.</summary>
        public long Utf8(string? text, long head)
        {
            if (text == null) throw None();
            Room(head + text.Length);
            Span<byte> to = B.Slice(At + (int)head, text.Length);
            for (int i = 0; i < text.Length && i < to.Length; i++)
            {
                char c = text[i];
                if (c > 127) return Wide(text, head);
                to[i] = (byte)c;
            }
            return text.Length;
        }

        // Text that is not of ASCII.
        private long Wide(string text, long head)
        {
#if !NETSTANDARD2_0
            if (Texts.IllFormedAt(text) < 0)
            {
                int size = System.Text.Encoding.UTF8.GetByteCount(text);
                Room(head + size);
                return System.Text.Encoding.UTF8.GetBytes(text, B.Slice(At + (int)head, size));
            }
#endif
            return Octets(BytesOf(text), head);
        }

        private static byte[] BytesOf(string? text)
        {
            if (text == null) throw None();
            return Texts.Bytes(text) ?? throw Fault(Code.BadValue, "half of a surrogate pair stands for no byte");
        }

        public long Latin1(string? text, long head)
        {
            if (text == null) throw None();
            Room(head + text.Length);
            PutLatin1(text, B.Slice(At + (int)head));
            return text.Length;
        }

        private static void PutLatin1(string text, Span<byte> to)
        {
            for (int i = 0; i < text.Length; i++)
            {
                if (text[i] > 255) throw Fault(Code.OutOfRange, "a character beyond U+00FF in one-byte text");
                to[i] = (byte)text[i];
            }
        }

        public long Octets(byte[]? bytes, long head)
        {
            if (bytes == null) throw None();
            Room(head + bytes.Length);
            bytes.CopyTo(B.Slice(At + (int)head));
            return bytes.Length;
        }

        public void Utf8Chars(int place, int width, string? text)
        {
            byte[] bytes = BytesOf(text);
            Fits(bytes.Length, width);
            bytes.CopyTo(B.Slice(place));
        }

        public void Latin1Chars(int place, int width, string? text)
        {
            if (text == null) throw None();
            if (!Texts.IsLatin1(text)) throw Fault(Code.OutOfRange, "a character beyond U+00FF in one-byte text");
            Fits(text.Length, width);
            PutLatin1(text, B.Slice(place));
        }

        private static void Fits(int size, int width)
        {
            if (size > width) throw Fault(Code.OutOfRange, "text of " + size + " bytes in a field of " + width);
        }

        public void Bit(int place, int bit, bool turned, bool value) => Quick.Bit(B, place, bit, turned, value);

        /// <summary>Zeros again in bytes that may have been stored into.</summary>
        public void Erase(int place, int width) => Quick.Erase(B, place, width);

        public void EraseBit(int place, int bit) => Quick.EraseBit(B, place, bit);

        public void Decimal(int place, decimal? value) => Quick.Decimal(B, place, value);

        public void Uuid(int place, Guid? value) => Quick.Uuid(B, place, value);

        /// <summary>Elements without bytes, for which reading charges all the same.</summary>
        public void Unpaid(long elements) => charged += 8 * elements;

        /// <summary>Whether what is written can be read: where there are too many elements without bytes it cannot.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Readable(Reader reader)
        {
            if (charged > Limits.Default.BudgetBase) Read(reader);
        }

        private void Read(Reader reader)
        {
            try
            {
                var f = new In(B.Slice(start, At - start), Limits.Default);
                reader(ref f);
            }
            catch (CodecException fault) when (fault.Code == Code.TooLarge)
            {
                throw Fault(Code.TooLarge, "more elements without bytes than decoding reads");
            }
        }

        public long Total() => At - start;

        public static long Framed(long length, int width)
        {
            if (width < 8 && length >> (8 * width) != 0) throw Fault(Code.OutOfRange, "a message of " + length + " bytes is too long for its frame");
            return length;
        }

        /// <summary>A header value was written behind the message: its bytes go to where the message has them.</summary>
        public void Header(int from, int[] spans)
        {
            for (int i = 0; i < spans.Length; i += 2) B.Slice(from + spans[i], spans[i + 1]).CopyTo(B.Slice(start + spans[i]));
            At = from;
        }

        // Segments: there is one.

        private const long Most = (1 << 29) - 1;

        public static int Tag<T>(T? union) where T : struct, IChoice => union.HasValue ? union.GetValueOrDefault().Tag : throw None();

        /// <summary>Leaves room for the table in front.</summary>
        public void OpenTable()
        {
            Reserve(Segments.Word);
            start = At;
        }

        /// <summary>Puts into the word at a place the pointer to an object.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Point(int place, int to, int kind, long upper) => Quick.Point(B, place, to, kind, upper);

        /// <summary>Room for a list of elements of so many bits, and the pointer to it.</summary>
        public int List(int place, long count, int code, int bits)
        {
            if (count > Most) throw Fault(Code.OutOfRange, "a list of 2^29 elements or more");
            int to = Reserve((count * bits + 63 >> 6) * Segments.Word);
            Point(place, to, 1, (uint)code | count << 3);
            return to;
        }

        /// <summary>The same for records of so many words, behind their tag.</summary>
        public int Records(int place, long count, int data, int pointers)
        {
            long words = count * (data + pointers);
            if (count > Most || words > Most) throw Fault(Code.OutOfRange, "a list of 2^29 elements or words, or more");
            int tag = Reserve((1 + words) * Segments.Word);
            Point(place, tag, 1, 7 | words << 3);
            Wire.I64(B, tag, count << 2 | (long)data << 32 | (long)pointers << 48);
            return tag + Segments.Word;
        }

        /// <summary>A text with a zero byte behind it, and the pointer to it.</summary>
        public void Text(int place, string? text) => Behind(place, Utf8(text, 0), 1);

        public void Data(int place, byte[]? bytes) => Behind(place, Octets(bytes, 0), 0);

        // Takes the bytes that were put at the end.
        private void Behind(int place, long size, int zeros)
        {
            long count = size + zeros;
            if (count > Most) throw Fault(Code.OutOfRange, "2^29 bytes or more");
            Point(place, At, 1, 2 | count << 3);
            int whole = (int)(count + 7) & ~7;
            Room(whole);
            B.Slice(At + (int)size, whole - (int)size).Clear();
            At += whole;
        }

        public void Bits(int place, bool[] list) => Quick.Bits(B, place, list);

        /// <summary>A copy of the value that the root of a flat message leads to, and the pointer to it.</summary>
        public void Plant(int place, AnyPointer? value)
        {
            byte[] message = value == null ? throw None() : value.Bytes();
            if (message.Length < Segments.Word) throw None();
            int before = At;
            long paid = Copy(message, Depth, place, false);
            charged += Math.Max(0, paid - (At - before));
        }

        // Copies a message's root, as faults without a place; gives what it was charged.
        private long Copy(byte[] message, int levels, int slot, bool canonical)
        {
            var f = new In(message, new Limits(levels, 0, long.MaxValue, true));
            f.Open(false);
            try
            {
                Copier.Pointer(ref f, ref this, canonical, 0, 0, slot);
            }
            catch (CodecException fault)
            {
                fault.At(-1);
                throw;
            }
            return long.MaxValue - f.Left;
        }

        /// <summary>The one segment is complete.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Finish(bool table, bool canonical)
        {
            int whole = At - start;
            if (whole / Segments.Word > Most) TooManyWords();
            if (canonical) MakeCanonical(whole);
            if (!table) return;
            start -= Segments.Word;
            Wire.I64(B, start, (long)whole / Segments.Word << 32);
        }

        private static void TooManyWords() => throw Fault(Code.OutOfRange, "2^29 words or more");

        private void MakeCanonical(int whole)
        {
            byte[] words = Bytes();
            At = start;
            Reserve(Segments.Word);
            Copy(words, Limits.Default.Depth, start, true);
            charged += 8L * (whole - (At - start));
        }

        /// <summary>Packs the message, table and segment each by itself, if it can be read again.</summary>
        public void Pack(Reader reader)
        {
            byte[] words = Bytes();
            var packed = new Out(words.Length + 64);
            Segments.Pack(words.AsSpan(0, Segments.Word), ref packed);
            Segments.Pack(words.AsSpan(Segments.Word), ref packed);
            if (charged > Limits.Default.BudgetBase && words.Length > Segments.UnpackedMost(packed.At))
            {
                throw Fault(Code.TooLarge, "packed, the message is too small for what it would be unpacked to");
            }
            Readable(reader);
            At = start;
            int to = Reserve(packed.At);
            packed.B.Slice(0, packed.At).CopyTo(B.Slice(to));
        }
    }
}
