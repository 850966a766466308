#nullable enable
using System;

namespace Aldis.Streams
{
    /// <summary>Takes a message where it lies, which is the receiver's again afterwards.</summary>
    public delegate void FrameHandler(ReadOnlySpan<byte> message);

    /// <summary>Gives whole messages out of bytes as they come, and keeps what is no whole frame yet. A broken frame ends the stream, as
    /// there is no way to find the next one. It belongs to one thread at a time.</summary>
    public sealed class FrameReceiver
    {
        /// <summary>Bytes of the longest frame that receivers believe in unless told otherwise: 64 MiB.</summary>
        public const int MaxFrame = 64 << 20;

        private readonly Framing framing;
        private readonly Framing.Look look;
        private readonly int most;
        private byte[] kept = Array.Empty<byte>();
        private int have;
        private StreamException? ended;
        private bool busy;

        // The handler runs: what it throws is its own.
        private bool handling;

        /// <summary>Frames of more bytes than that end the stream before they are collected.</summary>
        public FrameReceiver(Framing framing, int maxFrame = MaxFrame)
        {
            if (maxFrame <= 0) throw new ArgumentOutOfRangeException(nameof(maxFrame), "it is a number of bytes above 0");
            this.framing = framing;
            look = framing.Looking();
            most = maxFrame;
        }

        /// <summary>The byte of the stream where the frame begins that comes next, or that is being given.</summary>
        public long Offset { get; private set; }

        /// <summary>Gives each message that is complete with these bytes, in their order; throws StreamException, now and ever
        /// after.</summary>
        public void Feed(ReadOnlySpan<byte> bytes, FrameHandler handler)
        {
            if (busy) throw new InvalidOperationException("a handler must not feed the receiver that calls it");
            if (ended != null) throw ended;
            busy = true;
            handling = false;
            try
            {
                Given(bytes, handler);
            }
            catch (StreamException fault) when (!handling)
            {
                ended = fault;
                kept = Array.Empty<byte>();
                have = 0;
                throw;
            }
            finally
            {
                busy = false;
            }
        }

        private void Given(ReadOnlySpan<byte> bytes, FrameHandler handler)
        {
            while (have > 0)
            {
                if (have < look.Size)
                {
                    int taken = (int)Math.Min(look.Size - have, bytes.Length);
                    Keep(bytes.Slice(0, taken));
                    bytes = bytes.Slice(taken);
                    if (have < look.Size) return;
                }
                if (!IsWhole(kept.AsSpan(0, have))) continue;
                int size = (int)look.Size;
                byte[] whole = kept;
                if (have > size)
                {
                    // Whole frames were kept when a handler threw.
                    var rest = new byte[have - size + bytes.Length];
                    kept.AsSpan(size, have - size).CopyTo(rest);
                    bytes.CopyTo(rest.AsSpan(have - size));
                    bytes = rest;
                }
                have = 0;
                Give(whole.AsSpan(0, size), bytes, handler);
                if (whole.Length > 1 << 16) kept = Array.Empty<byte>();
            }
            while (have == 0 && bytes.Length > 0)
            {
                if (!IsWhole(bytes))
                {
                    Keep(bytes);
                    return;
                }
                int size = (int)look.Size;
                Give(bytes.Slice(0, size), bytes.Slice(size), handler);
                bytes = bytes.Slice(size);
            }
        }

        // Whether all bytes of a frame are there.
        private bool IsWhole(ReadOnlySpan<byte> b) => look.IsKnown(b, Offset, most) && look.Size <= b.Length;

        private void Keep(ReadOnlySpan<byte> bytes)
        {
            int size = have + bytes.Length;
            // Memory doubles with what has come, not with what a length claims.
            if (size > kept.Length) Array.Resize(ref kept, (int)Math.Max(size, Math.Min(look.Room, 2L * size)));
            bytes.CopyTo(kept.AsSpan(have));
            have = size;
        }

        // Gives a message; where its handler throws, the stream goes on behind it with the next call.
        private void Give(ReadOnlySpan<byte> frame, ReadOnlySpan<byte> rest, FrameHandler handler)
        {
            ReadOnlySpan<byte> message = frame.Slice(framing.Skip);
            int root = framing.Root;
            if (root >= 0 && frame.Length >= root + 4)
            {
                long place = Framing.Load(frame.Slice(root), 4, false) - Offset;
                if (place < 0) throw new StreamException(StreamCode.BadRoot, Offset, 0, 0);
                byte[] own = frame.ToArray();
                Framing.Store(own.AsSpan(root), 4, false, place);
                message = own;
            }
            look.Restart();
            bool done = false;
            try
            {
                handling = true;
                handler(message);
                handling = false;
                done = true;
            }
            finally
            {
                Offset += frame.Length;
                if (!done && rest.Length > 0)
                {
                    look.Size = 1;
                    kept = Array.Empty<byte>();
                    Keep(rest);
                }
            }
        }

        /// <summary>The stream is over: throws StreamException where something is left that is no whole message.</summary>
        public void Finish()
        {
            if (ended == null && have > 0) ended = new StreamException(StreamCode.Cut, Offset, have, 0);
            if (ended != null) throw ended;
        }
    }
}
