#nullable enable
using System;

namespace Aldis.Streams
{
    /// <summary>Puts messages into memory, each in its frame, until they are taken. It belongs to one thread at a time.</summary>
    public sealed class FrameSender
    {
        private readonly Framing framing;
        private byte[] bytes = new byte[4096];
        private long offset;

        public FrameSender(Framing framing) => this.framing = framing;

        /// <summary>The number of bytes that were sent and not taken.</summary>
        public int Size { get; private set; }

        /// <summary>The byte of the stream where the next frame begins.</summary>
        public long Offset => offset + Size;

        /// <summary>Adds a message. What cannot be sent throws StreamException, and adds nothing.</summary>
        public void Send(ReadOnlySpan<byte> message)
        {
            const int room = int.MaxValue - 64;
            if (message.Length > framing.Longest)
            {
                throw new StreamException(StreamCode.FrameTooLarge, Offset, message.Length, framing.Longest);
            }
            long needed = (long)Size + framing.Skip + message.Length;
            if (needed > room) throw new InvalidOperationException("2 GiB were sent and not taken");
            if (needed > bytes.Length) Array.Resize(ref bytes, (int)Math.Min(Math.Max(2L * bytes.Length, needed), room));
            Span<byte> frame = bytes.AsSpan(Size, framing.Skip + message.Length);
            Span<byte> own = frame.Slice(framing.Skip);
            message.CopyTo(own);
            int root = framing.Root;
            if (root >= 0 && message.Length >= root + 4)
            {
                long place = Framing.Load(own.Slice(root), 4, false) + Offset;
                if (place > uint.MaxValue) throw new StreamException(StreamCode.BadRoot, Offset, 0, 0);
                Framing.Store(own.Slice(root), 4, false, place);
            }
            framing.Put(frame, message.Length);
            Size += frame.Length;
        }

        /// <summary>All bytes that were sent since the last call.</summary>
        public byte[] Take()
        {
            byte[] taken = bytes.AsSpan(0, Size).ToArray();
            offset += Size;
            Size = 0;
            return taken;
        }
    }
}
