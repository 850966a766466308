#nullable enable
using System;

namespace Aldis.Codec
{
    /// <summary>The bytes of a message that was checked, whose fields a view reads.</summary>
    public readonly ref struct Seen
    {
        public readonly ReadOnlySpan<byte> B;
        private readonly int end;

        internal Seen(ReadOnlySpan<byte> bytes, int end)
        {
            B = bytes;
            this.end = end;
        }

        /// <summary>The state of reading it.</summary>
        public In State() => new In(B, end);
    }
}
