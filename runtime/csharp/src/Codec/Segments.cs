#nullable enable
using System;

namespace Aldis.Codec
{
    /// <summary>Messages of segments of 8-byte words, and what is not usual in the pointers between them (Cap'n Proto encoding
    /// specification, "Pointers", "Serialization Over a Stream"). The compiler's operations say what each checks and charges.</summary>
    internal static class Segments
    {
        internal const int Word = 8;
        internal const int EmptyElement = 8;
        internal const int Link = 24;
        internal const int Most = 511;

        // Bits of an element by its code; those of pointers are pointers.
        internal static int Bits(int code) => code < 2 ? code : code < 6 ? 4 << (code - 1) : code == 6 ? 64 : 0;

        // A word shifted as one without sign.
        internal static long Upper(long word, int by) => unchecked((long)((ulong)word >> by));

        internal static int CodeOf(long aim) => (int)Upper(aim, 32) & 7;

        // The number of elements that a list's tag says.
        internal static int CountOf(long tag) => (int)Upper(tag, 2) & 0x1fffffff;

        // The first byte of each segment, and the first behind it; null for a single one, which the state notes.
        internal static int[]? Table(ref In f)
        {
            if (f.End < 4) throw f.Fault(Code.Truncated, f.End);
            long last = Wire.U32(f.B, 0);
            if (last >= Most) throw f.Fault(Code.BadCount, 0);
            int count = (int)last + 1;
            int from = (count / 2 + 1) * Word;
            if (from > f.End) throw f.Fault(Code.Truncated, f.End);
            int[] bounds = count == 1 ? Array.Empty<int>() : new int[2 * count];
            for (int i = 0; i < count; i++)
            {
                int place = 4 * (i + 1);
                long size = (long)Wire.U32(f.B, place) * Word;
                if (size > f.End - from) throw f.Fault(Code.Truncated, place);
                if (count == 1)
                {
                    f.One(from, from + (int)size);
                    return null;
                }
                bounds[2 * i] = from;
                from += (int)size;
                bounds[2 * i + 1] = from;
            }
            return bounds;
        }

        // The target of a far pointer: the word in its pad, or the tag behind it; the state notes where it counts from.
        internal static long Far(ref In f, long word, int at)
        {
            bool twice = (word & 4) != 0;
            int pad = Land(ref f, word, at, twice ? 2 : 1);
            long found = Wire.I64(f.B, pad);
            if (!twice)
            {
                if ((found & 3) == 2) throw f.Fault(Code.BadValue, pad);
                Known(ref f, found, pad);
                f.Charge(Word, at);
                f.Base = pad + Word;
                return found == 0 ? 4 : found;
            }
            if ((found & 7) != 2) throw f.Fault(Code.BadValue, pad);
            int body = Land(ref f, found, pad, 0);
            long tag = Wire.I64(f.B, pad + Word);
            if ((tag & 3) == 2) throw f.Fault(Code.BadValue, pad + Word);
            Known(ref f, tag, pad + Word);
            f.Charge(2 * Word, at);
            f.Base = body;
            long bare = (tag & 3) == 3 ? tag : tag & unchecked((long)0xffffffff00000003);
            // An empty record behind a far pointer is no null.
            return bare == 0 ? 4 : bare;
        }

        internal static void Known(ref In f, long word, int at)
        {
            if ((word & 3) == 3 && unchecked((uint)word) != 3) throw f.Fault(Code.BadValue, at);
        }

        private static int Land(ref In f, long word, int at, int words)
        {
            long segment = Upper(word, 32);
            if (segment >= f.SegmentCount) throw f.Fault(Code.BadPointer, at);
            f.Segment = (int)segment;
            long offset = (Upper(word, 3) & 0x1fffffff) * Word;
            int from = f.From(f.Segment);
            if (offset + (long)words * Word > f.To(f.Segment) - from) throw f.Fault(Code.BadPointer, at);
            return from + (int)offset;
        }

        // So many bytes may packed ones unpack to.
        internal static long UnpackedMost(long packed) => Math.Min(64 * packed + (16 << 20), int.MaxValue - 64);

        // Packs words behind what is written.
        internal static void Pack(ReadOnlySpan<byte> b, ref Out o)
        {
            for (int at = 0; at < b.Length;)
            {
                int tagged = o.Reserve(1 + Word);
                int size = tagged + 1;
                int tag = 0;
                for (int i = 0; i < Word; i++)
                {
                    byte value = b[at + i];
                    if (value == 0) continue;
                    tag |= 1 << i;
                    o.B[size++] = value;
                }
                o.B[tagged] = (byte)tag;
                o.At = size;
                at += Word;
                if (tag != 0 && tag != 0xff) continue;
                int from = at;
                int run = 0;
                for (; at < b.Length && run < 255 && (tag == 0 ? Wire.I64(b, at) == 0 : Zeros(b, at) < 2); at += Word) run++;
                int counted = o.Reserve(1 + (tag == 0 ? 0 : run * Word));
                o.B[counted] = (byte)run;
                if (tag != 0) b.Slice(from, run * Word).CopyTo(o.B.Slice(counted + 1));
            }
        }

        private static int Zeros(ReadOnlySpan<byte> b, int at)
        {
            int count = 0;
            for (int i = 0; i < Word; i++) if (b[at + i] == 0) count++;
            return count;
        }
    }

    /// <summary>Packed words (Cap'n Proto encoding specification, "Packing"): tags tell which bytes of a word are not zero.</summary>
    internal ref struct Unpacker
    {
        private readonly ReadOnlySpan<byte> packed;
        private readonly long most;
        private int at;
        private byte[] made;
        private int size;
        private int zeros;
        private int literal;

        internal Unpacker(ReadOnlySpan<byte> packed)
        {
            this.packed = packed;
            most = Segments.UnpackedMost(packed.Length);
            made = new byte[(int)Math.Min(most, Math.Max(4096, 4L * packed.Length))];
            at = 0;
            size = 0;
            zeros = 0;
            literal = 0;
        }

        // The words of the message.
        internal ReadOnlySpan<byte> Message()
        {
            Words(1);
            long last = Wire.U32(made, 0);
            if (last >= Segments.Most) throw Fault(Code.BadCount, last + 1 + " segments; at most " + Segments.Most + " are read");
            int table = (int)(last + 1) / 2 + 1;
            Words(table);
            long content = 0;
            for (int i = 1; i <= last + 1; i++) content += Wire.U32(made, 4 * i);
            Words(table + content);
            return made.AsSpan(0, size);
        }

        // Goes on until there are so many words.
        private void Words(long total)
        {
            if (total > most / Segments.Word) throw Fault(Code.TooLarge, total + " words are more than the packed bytes allow");
            int wanted = (int)total * Segments.Word;
            while (size < wanted)
            {
                int left = (wanted - size) / Segments.Word;
                if (zeros > 0)
                {
                    int run = Math.Min(zeros, left);
                    Grow(run * Segments.Word);
                    zeros -= run;
                }
                else if (literal > 0)
                {
                    int run = Math.Min(literal, left);
                    int from = Take(run * Segments.Word);
                    int to = Grow(run * Segments.Word);
                    packed.Slice(from, run * Segments.Word).CopyTo(made.AsSpan(to));
                    literal -= run;
                }
                else
                {
                    Word();
                }
            }
            if (zeros + literal > 0) throw Fault(Code.BadValue, "a packed run of words goes beyond the end of the table or of the message");
        }

        private void Word()
        {
            int tag = packed[Take(1)];
            int to = Grow(Segments.Word);
            int count = 0;
            for (int rest = tag; rest != 0; rest &= rest - 1) count++;
            int from = Take(count);
            for (int i = 0; i < Segments.Word; i++) if ((tag >> i & 1) != 0) made[to + i] = packed[from++];
            if (tag == 0) zeros = packed[Take(1)];
            if (tag == 0xff) literal = packed[Take(1)];
        }

        private int Take(int count)
        {
            int from = at;
            if (count > packed.Length - at) throw Fault(Code.Truncated, "the packed bytes end within the message");
            at += count;
            return from;
        }

        private int Grow(int count)
        {
            int from = size;
            size += count;
            if (size > made.Length) Array.Resize(ref made, (int)Math.Max(size, Math.Min(most, 2L * made.Length)));
            return from;
        }

        // A fault in packed bytes has no place in the message.
        private static CodecException Fault(Code code, string detail) => new CodecException(code, -1, detail);
    }
}
