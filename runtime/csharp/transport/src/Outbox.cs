#nullable enable
using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace Aldis.Transport
{
    /// <summary>The messages that a producer has sent and that are not yet acked: kept to be sent again. Sequences count from 1 over all that
    /// was ever appended. Invariant: acked &lt; next &lt;= appended + 1, and next is the sequence at nextPlace.</summary>
    internal sealed class Outbox
    {
        /// <summary>Bytes that a chunk begins with; they double.</summary>
        private const int FirstRoom = 4096;

        /// <summary>Entries in the order of their sequences; nothing changes them once the chunk is closed.</summary>
        private sealed class Chunk
        {
            internal readonly Bytes Entries;
            internal uint Count;

            internal Chunk(int room) => Entries = new Bytes(room);

            internal Place After(Place place)
            {
                uint size = BinaryPrimitives.ReadUInt32LittleEndian(new ReadOnlySpan<byte>(Entries.Array, place.Offset, 4));
                return new Place(place.Chunk, place.Offset + Transport.Entries.Head + (int)size, place.Count + 1);
            }

            /// <summary>The end of a chunk is the begin of the next.</summary>
            internal Place Normal(Place place) => place.Count == Count ? new Place(place.Chunk + 1, 0, 0) : place;

            internal Place Fitting(Place begin, long messages, long bytes)
            {
                Place end = begin;
                while (end.Count < Count && end.Count - begin.Count < messages)
                {
                    Place after = After(end);
                    if (after.Offset - begin.Offset > bytes) break;
                    end = after;
                }
                return end;
            }
        }

        /// <summary>Before the entry number Count of the chunk with that index, which begins at Offset.</summary>
        private readonly struct Place
        {
            internal readonly int Chunk;
            internal readonly int Offset;
            internal readonly uint Count;

            internal Place(int chunk, int offset, uint count)
            {
                Chunk = chunk;
                Offset = offset;
                Count = count;
            }
        }

        private readonly int batchBytes;
        private readonly List<Chunk> chunks = new List<Chunk>();
        private Chunk? open;
        private ulong next = 1;
        private Place ackedPlace;
        private Place nextPlace;
        private long sentBytes;

        /// <summary>A chunk is closed when it has so many bytes of entries.</summary>
        internal Outbox(int batchBytes) => this.batchBytes = batchBytes;

        internal ulong Appended { get; private set; }

        internal ulong Acked { get; private set; }

        /// <summary>Bytes of entries that are kept, sizes included.</summary>
        internal long KeptBytes { get; private set; }

        /// <summary>Whether Next has something to give, credit allowing.</summary>
        internal bool HasNext => nextPlace.Chunk < chunks.Count;

        /// <summary>Whether messages wait in a chunk that is not closed.</summary>
        internal bool HasOpen => open != null;

        /// <summary>The last sequence that Next has given since the last rewind.</summary>
        internal ulong Sent => next - 1;

        /// <summary>The messages up to that one are acked already. Only while empty.</summary>
        internal void BeginAfter(ulong last)
        {
            Acked = Appended = last;
            next = last + 1;
        }

        /// <summary>Takes a message and gives its sequence.</summary>
        internal ulong Append(ReadOnlySpan<byte> message)
        {
            open ??= new Chunk(Math.Min(batchBytes, FirstRoom) + Entries.Head + message.Length);
            open.Entries.U32((uint)message.Length);
            open.Entries.Put(message);
            open.Count++;
            KeptBytes += Entries.Head + message.Length;
            Appended++;
            if (open.Entries.Size >= batchBytes) CloseChunk();
            return Appended;
        }

        /// <summary>Closes the chunk that is being filled, so that Next gives it.</summary>
        internal void CloseChunk()
        {
            if (open == null) return;
            chunks.Add(open);
            open = null;
        }

        /// <summary>The next entries to send: of one chunk, as many as the credit and a frame's size allow; null when not even one. The
        /// batch has neither checksum nor schema.</summary>
        internal Frame.Batch? Next(Window credit, int frameEntries)
        {
            if (!HasNext) return null;
            Chunk chunk = chunks[nextPlace.Chunk];
            Place begin = nextPlace;
            ulong outstanding = next - Acked - 1;
            long messages = credit.Messages - (long)outstanding;
            long bytes = Math.Min(credit.Bytes - sentBytes, frameEntries);
            var end = new Place(begin.Chunk, chunk.Entries.Size, chunk.Count);
            if (end.Count - begin.Count > messages || end.Offset - begin.Offset > bytes) end = chunk.Fitting(begin, messages, bytes);
            // A single entry may always be sent when nothing is outstanding.
            if (end.Count == begin.Count && outstanding == 0) end = chunk.After(begin);
            uint count = end.Count - begin.Count;
            if (count == 0) return null;
            ulong first = next;
            sentBytes += end.Offset - begin.Offset;
            next += count;
            nextPlace = chunk.Normal(end);
            var entries = new ArraySegment<byte>(chunk.Entries.Array, begin.Offset, end.Offset - begin.Offset);
            return new Frame.Batch { First = first, Count = count, Entries = entries };
        }

        /// <summary>Forgets all up to that one, which must be in closed chunks; less than before does nothing.</summary>
        internal void Ack(ulong sequence)
        {
            if (sequence <= Acked) return;
            ulong left = sequence - Acked;
            int gone = 0;
            while (left > 0 && gone < chunks.Count)
            {
                Chunk chunk = chunks[gone];
                uint whole = chunk.Count - ackedPlace.Count;
                if (whole <= left)
                {
                    left -= whole;
                    Forget(chunk.Entries.Size - ackedPlace.Offset);
                    ackedPlace = default;
                    gone++;
                }
                else
                {
                    Place after = chunk.After(ackedPlace);
                    Forget(after.Offset - ackedPlace.Offset);
                    ackedPlace = after;
                    left--;
                }
            }
            chunks.RemoveRange(0, gone);
            int index = nextPlace.Chunk - gone;
            nextPlace = index < 0 ? default : new Place(index, nextPlace.Offset, nextPlace.Count);
            Acked = sequence;
            if (next <= sequence) Restart();
        }

        /// <summary>Sends again from that one on, or from what is not acked.</summary>
        internal void Rewind(ulong sequence)
        {
            if (sequence >= next) return;
            Restart();
            while (next < sequence)
            {
                Chunk chunk = chunks[nextPlace.Chunk];
                Place after = chunk.After(nextPlace);
                sentBytes += after.Offset - nextPlace.Offset;
                nextPlace = chunk.Normal(after);
                next++;
            }
        }

        private void Restart()
        {
            next = Acked + 1;
            nextPlace = ackedPlace;
            sentBytes = 0;
        }

        private void Forget(int bytes)
        {
            KeptBytes -= bytes;
            sentBytes = Math.Max(sentBytes - bytes, 0);
        }
    }
}
