#nullable enable
using System;

namespace Aldis.Streams
{
    /// <summary>The way in which messages lie in a stream. It never changes.</summary>
    public abstract class Framing
    {
        internal Framing()
        {
        }

        /// <summary>A length before each message, not counting itself.</summary>
        public static readonly Framing U16Le = Prefix(2, false);
        public static readonly Framing U16Be = Prefix(2, true);
        public static readonly Framing U32Le = Prefix(4, false);
        public static readonly Framing U32Be = Prefix(4, true);

        /// <summary>The FIX Simple Open Framing Header: a length that counts the header, and an encoding type: here SBE's,
        /// little-endian.</summary>
        public static readonly Framing Sofh = new Lengths(0, 4, true, 6, 0, 0, 0xeb50, -1);

        /// <summary>The same for SBE of big-endian messages; receivers do not look at the encoding type.</summary>
        public static readonly Framing SofhBe = new Lengths(0, 4, true, 6, 0, 0, 0x5be0, -1);

        /// <summary>Each message begins with its own length, as those of FBE do.</summary>
        public static readonly Framing Fbe = new Lengths(0, 4, false, 0, 0, 8, -1, -1);

        /// <summary>The same in one buffer of the reference's: the place where a message's record begins counts from the stream's first
        /// byte.</summary>
        public static readonly Framing FbeBuffer = new Lengths(0, 4, false, 0, 0, 8, -1, 4);

        /// <summary>Each message begins with the table of its segments.</summary>
        public static readonly Framing Capnp = new Table();

        /// <summary>The same of packed messages.</summary>
        public static readonly Framing CapnpPacked = new Packed();

        /// <summary>Each message holds its own length, of so many bits at a byte, which counts the message and is <c>least</c> or
        /// more.</summary>
        public static Framing Length(int at, int bits, bool bigEndian, int least)
        {
            if (at < 0 || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
            {
                throw new ArgumentException("a length lies at a byte, and has 8, 16, 32 or 64 bits");
            }
            return new Lengths(at, bits / 8, bigEndian, 0, 0, least, -1, -1);
        }

        private static Framing Prefix(int width, bool big) => new Lengths(0, width, big, width, width, 0, -1, -1);

        // The bytes of a frame's front that are no message.
        internal virtual int Skip => 0;

        // The longest message that can be said.
        internal virtual long Longest => long.MaxValue;

        // The place in a message of a number that counts from the stream's first byte; below zero where there is none.
        internal virtual int Root => -1;

        // A new object that looks at one frame after another.
        internal abstract Look Looking();

        internal virtual void Put(Span<byte> frame, long size)
        {
        }

        // The size of a frame by its first bytes.
        internal abstract class Look
        {
            // The bytes that the frame takes, where they are known; else how many are needed to say more.
            internal long Size;

            // Whether the size is known. A frame that cannot be one is a fault.
            internal abstract bool IsKnown(ReadOnlySpan<byte> b, long offset, long most);

            internal virtual void Restart()
            {
            }

            // The most bytes that room is kept for.
            internal virtual long Room => Size;

            private protected static bool Within(long size, long offset, long most)
            {
                if (size > most) throw new StreamException(StreamCode.FrameTooLarge, offset, size, most);
                return true;
            }
        }

        internal static long Load(ReadOnlySpan<byte> b, int width, bool big)
        {
            long value = 0;
            for (int i = 0; i < width; i++) value = (value << 8) | b[big ? i : width - 1 - i];
            return value;
        }

        internal static void Store(Span<byte> b, int width, bool big, long value)
        {
            for (int i = 0; i < width; i++) b[big ? width - 1 - i : i] = unchecked((byte)(value >> (8 * i)));
        }

        // A length counts the frame but for `added` bytes of it; the first `skip` bytes are not the message's.
        private sealed class Lengths : Framing
        {
            private readonly int at;
            private readonly int width;
            private readonly bool big;
            private readonly int added;
            private readonly int head;
            private readonly int least;
            private readonly int encoding;

            internal Lengths(int at, int width, bool big, int skip, int added, int least, int encoding, int root)
            {
                this.at = at;
                this.width = width;
                this.big = big;
                this.added = added;
                this.encoding = encoding;
                Skip = skip;
                Root = root;
                head = Math.Max(at + width, skip);
                this.least = Math.Max(least, head);
            }

            internal override int Skip { get; }

            internal override int Root { get; }

            internal override long Longest => Skip == 0 ? long.MaxValue : (1L << (8 * width)) - 1 - Skip + added;

            internal override Look Looking() => new OfLength(this);

            private sealed class OfLength : Look
            {
                private readonly Lengths by;

                internal OfLength(Lengths by) => this.by = by;

                internal override bool IsKnown(ReadOnlySpan<byte> b, long offset, long most)
                {
                    Size = by.head;
                    if (b.Length < by.head) return false;
                    Size = unchecked(Load(b.Slice(by.at), by.width, by.big) + by.added);
                    // A length beyond 63 bits is longer than any frame.
                    if (Size < 0) Size = long.MaxValue;
                    if (Size < by.least) throw new StreamException(StreamCode.FrameTooSmall, offset, Size, by.least);
                    return Within(Size, offset, most);
                }
            }

            internal override void Put(Span<byte> frame, long size)
            {
                if (Skip == 0) return;
                Store(frame, width, big, size + Skip - added);
                if (encoding >= 0) Store(frame.Slice(4), 2, true, encoding);
            }
        }

        private const int MostSegments = 511;

        private static long SegmentsOf(ReadOnlySpan<byte> b, long offset)
        {
            long segments = Load(b, 4, false) + 1;
            if (segments > MostSegments) throw new StreamException(StreamCode.TooManySegments, offset, segments, MostSegments);
            return segments;
        }

        // Words of the table and of all segments, going by the table.
        private static long WordsOf(ReadOnlySpan<byte> b, long segments)
        {
            long words = segments / 2 + 1;
            for (int i = 1; i <= segments; i++) words += Load(b.Slice(4 * i), 4, false);
            return words;
        }

        private sealed class Table : Framing
        {
            internal override Look Looking() => new OfTable();

            private sealed class OfTable : Look
            {
                internal override bool IsKnown(ReadOnlySpan<byte> b, long offset, long most)
                {
                    Size = 4;
                    if (b.Length < 4) return false;
                    long segments = SegmentsOf(b, offset);
                    Size = 8 * (segments / 2 + 1);
                    if (b.Length < Size) return false;
                    Size = 8 * WordsOf(b, segments);
                    return Within(Size, offset, most);
                }
            }
        }

        private sealed class Packed : Framing
        {
            internal override Look Looking() => new Walk();
        }

        // Goes through packed words as they come, and keeps those of the table.
        private sealed class Walk : Look
        {
            private readonly byte[] table = new byte[8 * (MostSegments / 2 + 2)];
            private int at;
            private long words;
            private long wanted = 1;
            private int stage;

            // The size is only that of the next step.
            internal override long Room => int.MaxValue - 64;

            internal override void Restart()
            {
                at = 0;
                words = 0;
                wanted = 1;
                stage = 0;
            }

            internal override bool IsKnown(ReadOnlySpan<byte> b, long offset, long most)
            {
                for (;;)
                {
                    while (words < wanted) if (!Step(b, offset)) return false;
                    if (stage == 2)
                    {
                        Size = at;
                        return true;
                    }
                    long segments = SegmentsOf(table, offset);
                    wanted = stage == 0 ? segments / 2 + 1 : WordsOf(table, segments);
                    // A message is as large as it is unpacked.
                    if (stage == 1) Within(8 * wanted, offset, most);
                    stage++;
                }
            }

            // Takes a tag with what belongs to it, if all of it has come.
            private bool Step(ReadOnlySpan<byte> b, long offset)
            {
                Size = at + 1L;
                if (b.Length < Size) return false;
                int tag = b[at];
                int bits = 0;
                for (int rest = tag; rest != 0; rest &= rest - 1) bits++;
                bool isRun = tag == 0 || tag == 0xff;
                Size = at + 1L + bits + (isRun ? 1 : 0);
                if (b.Length < Size) return false;
                int run = isRun ? b[at + 1 + bits] : 0;
                // Words of a run end with the table, and with the message.
                if (run > wanted - words - 1) throw new StreamException(StreamCode.BadPacking, offset, 0, 0);
                Size += tag == 0xff ? 8 * run : 0;
                if (b.Length < Size) return false;
                if (stage < 2) Keep(b.Slice(at + 1), tag, run);
                at = (int)Size;
                words += 1 + run;
                return true;
            }

            private void Keep(ReadOnlySpan<byte> b, int tag, int run)
            {
                int to = (int)words * 8;
                int from = 0;
                for (int i = 0; i < 8 && to + i < table.Length; i++) table[to + i] = (tag >> i & 1) != 0 ? b[from++] : (byte)0;
                if (tag == 0xff) from++;
                for (int i = 8; i < 8 * (1 + run) && to + i < table.Length; i++) table[to + i] = tag == 0 ? (byte)0 : b[from++];
            }
        }
    }
}
