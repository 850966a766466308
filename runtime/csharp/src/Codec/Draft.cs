#nullable enable
using System;
using System.Runtime.CompilerServices;

namespace Aldis.Codec
{
    /// <summary>The memory of a message whose fields are set where they lie.</summary>
    public sealed class DraftMemory
    {
        internal byte[] Bytes;

        // A copy of the message, in which values are tried that may be refused when parts of them are stored.
        private readonly byte[] trial;

        internal DraftMemory(byte[] message, int start)
        {
            Bytes = (byte[])message.Clone();
            trial = (byte[])message.Clone();
            At = start;
            First = start;
        }

        /// <summary>The place where the record of the whole message begins.</summary>
        public int At { get; internal set; }

        /// <summary>The same in the bytes that values are tried in.</summary>
        public int First { get; }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public Spot Spot() => new Spot(Bytes);

        public Out Writer() => new Out(Bytes);

        public Out Trial() => new Out(trial);
    }

    /// <summary>The bytes that numbers are stored into.</summary>
    public readonly struct Spot
    {
        // Older runtimes keep a struct of one reference in a register, and one around a span in memory.
        private readonly byte[] bytes;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        internal Spot(byte[] bytes)
        {
            this.bytes = bytes;
        }

        public Span<byte> B
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => bytes;
        }
    }

    /// <summary>A record in a message whose fields are set where they lie: what generated classes of drafts stand on.</summary>
    public abstract class DraftPart
    {
        protected readonly DraftMemory memory;

        /// <summary>The number of bytes that the fields of this record lie behind those of the message's own.</summary>
        protected readonly int shift;

        private protected DraftPart(DraftMemory memory)
        {
            this.memory = memory;
            shift = 0;
        }

        protected DraftPart(DraftPart of, int shift)
        {
            memory = of.memory;
            this.shift = of.shift + shift;
        }
    }

    /// <summary>
    /// A message whose fields are set where they lie, without a value in between: what generated classes of drafts stand on. It begins in
    /// memory of its own. A draft belongs to one thread at a time.
    /// </summary>
    public abstract class Draft : DraftPart
    {
        // The message as it begins; nothing of a record that is part of another message.
        private readonly byte[]? model;

        protected Draft(byte[] message, int start) : base(new DraftMemory(message, start))
        {
            model = message;
        }

        protected Draft(DraftPart of, int shift) : base(of, shift)
        {
        }

        /// <summary>
        /// Begins the next message at a place in bytes of the caller's, by one copy, and gives where it ends; fields are set there from now
        /// on. Throws ArgumentOutOfRangeException where there is no room, and stays where it was.
        /// </summary>
        public int Into(byte[] target, int at = 0)
        {
            byte[] message = Message();
            if (at < 0 || message.Length > target.Length - at)
            {
                throw new ArgumentOutOfRangeException(nameof(at), "a message of " + message.Length + " bytes has no room in the target");
            }
            Buffer.BlockCopy(message, 0, target, at, message.Length);
            memory.Bytes = target;
            memory.At = at + memory.First;
            return at + message.Length;
        }

        /// <summary>A copy of the message as it is by now.</summary>
        public byte[] Encode()
        {
            int size = Message().Length;
            return new ReadOnlySpan<byte>(memory.Bytes, memory.At - memory.First, size).ToArray();
        }

        private byte[] Message() => model ?? throw new InvalidOperationException("only the draft of a whole message has bytes of its own");
    }
}
