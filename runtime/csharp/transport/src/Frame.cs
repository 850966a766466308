#nullable enable
using System;

namespace Aldis.Transport
{
    /// <summary>The frames of aldis/1, read and written (docs/protocol.md). Their bytes are a part of what they were read from.</summary>
    internal abstract class Frame
    {
        /// <summary>Bytes of the length that each frame begins with.</summary>
        internal const int LengthSize = 4;
        internal const byte Version = 1;

        /// <summary>A server takes a HELLO of 4 KiB; so many bytes of it are for auth's method and data together.</summary>
        internal const int MaxAuth = 4096 - 43;

        internal const uint NoChecksum = 1;
        internal const uint HasSchema = 4;
        internal const uint HasPush = 8;

        internal abstract byte Kind { get; }

        protected abstract void WriteBody(Bytes to);

        /// <summary>Appends the whole frame, its length first.</summary>
        internal void Write(Bytes to)
        {
            int begin = to.Size;
            to.U32(0);
            to.U8(Kind);
            WriteBody(to);
            to.EndFrame(begin);
        }

        /// <summary>Reads a frame from its kind and its body; with the feature SCHEMA batches say theirs. Throws Protocol for a kind that is
        /// not known and must not be skipped, and for a body that is no such frame's.</summary>
        internal static Frame Read(byte kind, ArraySegment<byte> body, bool schema)
        {
            var from = new Fields(body);
            Frame frame = Read(kind, from, schema);
            if (from.IsExact) return frame;
            string text = "a frame of kind " + kind + " cannot have this body of " + body.Count + " bytes";
            throw new TransportException(TransportCode.Protocol, text);
        }

        private static Frame Read(byte kind, Fields from, bool schema)
        {
            switch (kind)
            {
                case 0x01: return Hello.Read(from);
                case 0x02: return Welcome.Read(from);
                case 0x03: return Batch.Read(from, schema);
                case 0x04: return new Ack(from.U64(), from.U64(), from.U64(), from.U64(), from.Window());
                case 0x05: return new Coded(kind, from.U64(), from.U16(), from.Text());
                case 0x06: return new Numbered(kind, 0, from.U64(), from.U32(), from.Rest(), null);
                case 0x07: return new Numbered(kind, 0, from.U64(), from.U32(), from.Rest(), null);
                case 0x08: return new Numbered(kind, from.U32(), from.U64(), from.U32(), from.Rest(), null);
                case 0x09: return new Opaque(kind, from.U64());
                case 0x0A: return new Opaque(kind, from.U64());
                case 0x0B: return new Drain(from.U32());
                case 0x0C: return new Coded(kind, 0, from.U16(), from.Text());
                case 0x0D: return new Numbered(kind, from.U32(), from.U64(), from.U32(), default, from.Text());
                case 0x0E: return new Coded(kind, from.U32(), from.U16(), from.Text());
                case 0x0F: return new Numbered(kind, from.U32(), from.U64(), from.U32(), default, null);
                default:
                    if (kind < 0x80) throw new TransportException(TransportCode.Protocol, "there is no frame of kind " + kind);
                    return new Unknown(kind, from.Rest());
            }
        }

        internal sealed class Hello : Frame
        {
            internal byte Spoken = Version;
            internal uint Features;
            internal ArraySegment<byte> Producer;
            internal uint Epoch;
            internal ArraySegment<byte> AuthMethod;
            internal ArraySegment<byte> AuthData;
            internal Durability Durability;
            internal Window Window;

            internal override byte Kind => 0x01;

            protected override void WriteBody(Bytes to)
            {
                Fields.WriteMagic(to);
                to.U8(Spoken);
                to.U32(Features);
                to.Put(Producer);
                to.U32(Epoch);
                to.U8((byte)AuthMethod.Count);
                to.Put(AuthMethod);
                to.U16((uint)AuthData.Count);
                to.Put(AuthData);
                to.U8((byte)Durability);
                to.Window(Window);
            }

            internal static Hello Read(Fields from)
            {
                from.ReadMagic();
                return new Hello
                {
                    Spoken = from.U8(), Features = from.U32(), Producer = from.Take(16), Epoch = from.U32(),
                    AuthMethod = from.Take(from.U8()), AuthData = from.Take((int)from.U16()), Durability = from.Durability(),
                    Window = from.Window(),
                };
            }
        }

        internal sealed class Welcome : Frame
        {
            internal byte Spoken = Version;
            internal uint Features;
            internal ulong Session;
            internal ulong Last;
            internal Window Credit;
            internal uint MaxFrame;
            internal Durability Durability;

            internal override byte Kind => 0x02;

            protected override void WriteBody(Bytes to)
            {
                to.U8(Spoken);
                to.U32(Features);
                to.U64(Session);
                to.U64(Last);
                to.Window(Credit);
                to.U32(MaxFrame);
                to.U8((byte)Durability);
            }

            internal static Welcome Read(Fields from) => new Welcome
            {
                Spoken = from.U8(), Features = from.U32(), Session = from.U64(), Last = from.U64(), Credit = from.Window(),
                MaxFrame = from.U32(), Durability = from.Durability(),
            };
        }

        /// <summary>Whether the entries are so many, and whether the checksum is right, is not looked at when it is read.</summary>
        internal sealed class Batch : Frame
        {
            internal ulong First;
            internal uint Count;
            internal uint Crc;
            internal SchemaId? Schema;
            internal ArraySegment<byte> Entries;

            internal override byte Kind => 0x03;

            protected override void WriteBody(Bytes to)
            {
                to.U64(First);
                to.U32(Count);
                to.U32(Crc);
                WriteSchema(to);
                to.Put(Entries);
            }

            private void WriteSchema(Bytes to)
            {
                if (Schema == null) return;
                to.U32(Schema.Schema);
                to.U32(Schema.Template);
            }

            internal static Batch Read(Fields from, bool schema) => new Batch
            {
                First = from.U64(), Count = from.U32(), Crc = from.U32(), Schema = schema ? new SchemaId(from.U32(), from.U32()) : null,
                Entries = from.Rest(),
            };

            /// <summary>The checksum that belongs into Crc: over first, count and all that follows the checksum in the frame.</summary>
            internal uint Checksum()
            {
                var head = new Bytes(20);
                head.U64(First);
                head.U32(Count);
                WriteSchema(head);
                return Crc32.Of(Entries, Crc32.Of(new ReadOnlySpan<byte>(head.Array, 0, head.Size)));
            }
        }

        internal sealed class Ack : Frame
        {
            internal readonly ulong Received;
            internal readonly ulong Handled;
            internal readonly ulong Durable;
            internal readonly ulong Duplicates;
            internal readonly Window Credit;

            internal Ack(ulong received, ulong handled, ulong durable, ulong duplicates, Window credit)
            {
                Received = received;
                Handled = handled;
                Durable = durable;
                Duplicates = duplicates;
                Credit = credit;
            }

            internal override byte Kind => 0x04;

            protected override void WriteBody(Bytes to)
            {
                to.U64(Received);
                to.U64(Handled);
                to.U64(Durable);
                to.U64(Duplicates);
                to.Window(Credit);
            }
        }

        /// <summary>NACK with what is expected, UNSUBSCRIBE with the subscription, and CLOSE: a code and a text.</summary>
        internal sealed class Coded : Frame
        {
            internal const byte Nack = 0x05;
            internal const byte Close = 0x0C;
            internal const byte Unsubscribe = 0x0E;

            internal readonly ulong Number;
            internal readonly uint Code;
            internal readonly string Text;

            internal Coded(byte kind, ulong number, uint code, string text)
            {
                Kind = kind;
                Number = number;
                Code = code;
                Text = text;
            }

            internal override byte Kind { get; }

            protected override void WriteBody(Bytes to)
            {
                if (Kind == Nack) to.U64(Number);
                if (Kind == Unsubscribe) to.U32((uint)Number);
                to.U16(Code);
                to.Text(Text);
            }
        }

        /// <summary>A u64, a u32 and bytes or a topic: REQUEST (correlation, deadline), REPLY (correlation, code), and behind a
        /// subscription PUSH (first, count), SUBSCRIBE (from, credit) and CREDIT (consumed, credit).</summary>
        internal sealed class Numbered : Frame
        {
            internal const byte Request = 0x06;
            internal const byte Reply = 0x07;
            internal const byte Push = 0x08;
            internal const byte Subscribe = 0x0D;
            internal const byte Credit = 0x0F;

            internal readonly uint Subscription;
            internal readonly ulong Wide;
            internal readonly uint Narrow;
            internal readonly ArraySegment<byte> Rest;
            internal readonly string? Topic;

            internal Numbered(byte kind, uint subscription, ulong wide, uint narrow, ArraySegment<byte> rest, string? topic)
            {
                Kind = kind;
                Subscription = subscription;
                Wide = wide;
                Narrow = narrow;
                Rest = rest;
                Topic = topic;
            }

            internal override byte Kind { get; }

            protected override void WriteBody(Bytes to)
            {
                if (Kind >= Push) to.U32(Subscription);
                to.U64(Wide);
                to.U32(Narrow);
                to.Put(Rest);
                if (Topic != null) to.Text(Topic);
            }
        }

        /// <summary>PING and PONG.</summary>
        internal sealed class Opaque : Frame
        {
            internal const byte Ping = 0x09;
            internal const byte Pong = 0x0A;

            internal readonly ulong Value;

            internal Opaque(byte kind, ulong value)
            {
                Kind = kind;
                Value = value;
            }

            internal override byte Kind { get; }

            protected override void WriteBody(Bytes to) => to.U64(Value);
        }

        internal sealed class Drain : Frame
        {
            internal readonly uint Milliseconds;

            internal Drain(uint milliseconds) => Milliseconds = milliseconds;

            internal override byte Kind => 0x0B;

            protected override void WriteBody(Bytes to) => to.U32(Milliseconds);
        }

        /// <summary>A kind with the top bit set that this version does not know: to be skipped.</summary>
        internal sealed class Unknown : Frame
        {
            internal readonly ArraySegment<byte> Body;

            internal Unknown(byte kind, ArraySegment<byte> body)
            {
                Kind = kind;
                Body = body;
            }

            internal override byte Kind { get; }

            protected override void WriteBody(Bytes to) => to.Put(Body);
        }
    }
}
