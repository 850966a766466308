#nullable enable
using System;

namespace Aldis.Streams
{
    /// <summary>The kinds of faults of streams, called as in every language of Aldis.</summary>
    public enum StreamCode : byte
    {
        /// <summary>A frame of more bytes than the receiver's limit, or a message of more than the sender's framing can say.</summary>
        FrameTooLarge,

        /// <summary>A frame whose length is less than what says it.</summary>
        FrameTooSmall,
        TooManySegments,
        BadPacking,

        /// <summary>A record that would begin before its message, or further on than can be said.</summary>
        BadRoot,

        /// <summary>The stream ends within a frame.</summary>
        Cut,
    }

    public static class StreamCodeExtensions
    {
        private static readonly string[] Spelt =
        {
            "frame-too-large", "frame-too-small", "too-many-segments", "bad-packing", "bad-root", "cut",
        };

        public static string ToWire(this StreamCode code) => Spelt[(int)code];
    }

    /// <summary>The reason for which a stream of messages cannot go on.</summary>
    public sealed class StreamException : Exception
    {
        internal StreamException(StreamCode code, long offset, long size, long bound)
        {
            Code = code;
            Offset = offset;
            Size = size;
            Bound = bound;
        }

        public StreamCode Code { get; }

        /// <summary>The place where the frame begins: a byte of all that was fed, or sent, from 0.</summary>
        public long Offset { get; }

        /// <summary>The number of bytes that the frame would have, or of segments.</summary>
        public long Size { get; }

        /// <summary>The most or the least that it may have.</summary>
        public long Bound { get; }

        public override string Message
        {
            get
            {
                string place = Code.ToWire() + " at byte " + Offset + " of the stream";
                switch (Code)
                {
                    case StreamCode.FrameTooLarge:
                    case StreamCode.TooManySegments:
                        return place + ": " + Size + ", at most " + Bound;
                    case StreamCode.FrameTooSmall:
                        return place + ": " + Size + ", at least " + Bound;
                    case StreamCode.Cut:
                        return place + ": it ends after " + Size + " bytes of a frame";
                    default:
                        return place;
                }
            }
        }
    }
}
