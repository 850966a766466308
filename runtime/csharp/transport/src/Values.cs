#nullable enable
using System;
using System.Collections.Generic;

namespace Aldis.Transport
{
    /// <summary>When a message is done with.</summary>
    public enum Durability : byte
    {
        /// <summary>It is in the server's memory.</summary>
        Received,

        /// <summary>The handler returned.</summary>
        Handled,

        /// <summary>It is in the log, after fdatasync.</summary>
        Durable,

        /// <summary>A log has it on several machines.</summary>
        Replicated,
    }

    /// <summary>The state of a client.</summary>
    public enum ClientState
    {
        Connecting,
        Ready,

        /// <summary>The server wants no new messages, or has been told that none follow.</summary>
        Draining,

        /// <summary>There will be no other connection.</summary>
        Over,
    }

    /// <summary>How much may be outstanding: messages, and bytes of entries.</summary>
    public readonly struct Window
    {
        public Window(uint messages, uint bytes)
        {
            Messages = messages;
            Bytes = bytes;
        }

        public uint Messages { get; }

        public uint Bytes { get; }
    }

    /// <summary>Up to where the server has come, in sequences of this client.</summary>
    public sealed class Watermarks
    {
        internal Watermarks(ulong acked, ulong received, ulong handled, ulong durable, ulong duplicates)
        {
            Acked = acked;
            Received = received;
            Handled = handled;
            Durable = durable;
            Duplicates = duplicates;
        }

        /// <summary>The watermark of the durability that was granted: these messages are done with.</summary>
        public ulong Acked { get; }

        public ulong Received { get; }

        public ulong Handled { get; }

        public ulong Durable { get; }

        /// <summary>Messages that this connection sent twice and the server dropped.</summary>
        public ulong Duplicates { get; }
    }

    /// <summary>Messages that came of a subscription.</summary>
    public sealed class Push
    {
        internal Push(ulong first, ulong gap, IReadOnlyList<byte[]> messages)
        {
            First = first;
            Gap = gap;
            Messages = messages;
        }

        /// <summary>The sequence of the first one; of the topic "log" it is the offset.</summary>
        public ulong First { get; }

        /// <summary>How many sequences before it are gone: removed by age or size, or damaged on the disk.</summary>
        public ulong Gap { get; }

        /// <summary>The messages in order, one sequence behind the other.</summary>
        public IReadOnlyList<byte[]> Messages { get; }
    }

    /// <summary>The subject of a subscription.</summary>
    public sealed class Subscription
    {
        /// <summary>Messages of a topic that come from now on.</summary>
        public Subscription(string topic, Action<Push> onPush)
        {
            Topic = topic;
            OnPush = onPush;
        }

        /// <summary>At most 1,024 bytes.</summary>
        public string Topic { get; }

        public Action<Push> OnPush { get; }

        /// <summary>The sequence of the topic to begin at; 0: what comes from now on.</summary>
        public ulong From { get; set; }

        /// <summary>Messages that the server may be ahead.</summary>
        public uint Credit { get; set; } = 1000;

        /// <summary>Told when the server ended it; it does not come back by itself.</summary>
        public Action<TransportException>? OnEnd { get; set; }

        internal Subscription Copy() => (Subscription)MemberwiseClone();
    }
}
