#nullable enable
using System;

namespace Aldis.Codec
{
    /// <summary>The bytes of a message that was checked, whose fields a view reads.</summary>
    public readonly ref struct Seen
    {
        public readonly ReadOnlySpan<byte> B;
        private readonly int end;

        /// <summary>The bytes of a message that was checked, which ends there.</summary>
        public Seen(ReadOnlySpan<byte> bytes, int end)
        {
            B = bytes;
            this.end = end;
        }

        public int Start => 0;

        public int Root(long offset, int start) => start + (int)offset;

        /// <summary>The state of reading it.</summary>
        public In State() => new In(B, end);
    }
}
