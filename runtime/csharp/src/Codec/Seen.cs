#nullable enable
using System;

namespace Aldis.Codec
{
    /// <summary>The bytes of a message that was checked, whose fields a view reads.</summary>
    public readonly ref struct Seen
    {
        public readonly ReadOnlySpan<byte> B;

        /// <summary>The bytes that a message which was checked begins with.</summary>
        public Seen(ReadOnlySpan<byte> bytes) => B = bytes;

        public int Start => 0;

        public int Root(long offset, int start) => start + (int)offset;

        /// <summary>The same from a place on.</summary>
        public Seen From(int at) => new Seen(B.Slice(at));

        /// <summary>The state of reading it.</summary>
        public In State() => new In(B);
    }
}
