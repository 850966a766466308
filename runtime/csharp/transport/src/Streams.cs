#nullable enable
using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;

namespace Aldis.Transport
{
    /// <summary>The entries of a BATCH or PUSH: a size of four bytes and so many more, one behind the other.</summary>
    internal static class Entries
    {
        /// <summary>Bytes of an entry's size.</summary>
        internal const int Head = 4;

        /// <summary>Copies of those behind the first ones that are skipped; null where the bytes are not exactly so many entries.</summary>
        internal static List<byte[]>? Of(ReadOnlySpan<byte> left, uint count, uint skip)
        {
            // Before memory is taken for so many.
            if ((ulong)count * Head > (ulong)left.Length) return null;
            var found = new List<byte[]>((int)(count - Math.Min(skip, count)));
            for (uint i = 0; i < count; i++)
            {
                if (left.Length < Head) return null;
                uint size = BinaryPrimitives.ReadUInt32LittleEndian(left);
                left = left.Slice(Head);
                if (size > left.Length) return null;
                if (i >= skip) found.Add(left.Slice(0, (int)size).ToArray());
                left = left.Slice((int)size);
            }
            return left.Length == 0 ? found : null;
        }
    }

    /// <summary>Bytes from a stream to whole frames.</summary>
    internal sealed class Inbox
    {
        private const int Initial = 64 << 10;

        /// <summary>The longest frame that is believed, in bytes.</summary>
        private const int MaxLength = 64 << 20;

        private byte[] buffer = new byte[Initial];
        private int begin;
        private int end;

        /// <summary>Adds what comes next; false at the end of the stream. Memory grows with what has come, not with what a length
        /// claims.</summary>
        internal async Task<bool> FillAsync(Stream from)
        {
            Buffer.BlockCopy(buffer, begin, buffer, 0, end - begin);
            end -= begin;
            begin = 0;
            if (end == buffer.Length) Array.Resize(ref buffer, 2 * end);
            int size = await from.ReadAsync(buffer, end, buffer.Length - end).ConfigureAwait(false);
            end += size;
            return size > 0;
        }

        /// <summary>The next whole frame's kind and body, which is the inbox's until bytes are added; false when more must come first.
        /// Throws for a length that cannot be.</summary>
        internal bool Next(out byte kind, out ArraySegment<byte> body)
        {
            kind = 0;
            body = default;
            if (end - begin < Frame.LengthSize) return false;
            uint length = BinaryPrimitives.ReadUInt32LittleEndian(new ReadOnlySpan<byte>(buffer, begin, Frame.LengthSize));
            if (length == 0) throw new TransportException(TransportCode.Protocol, "a frame without a kind came");
            if (length > MaxLength) throw new TransportException(TransportCode.FrameTooLarge, "a frame of " + length + " bytes came");
            int at = begin + Frame.LengthSize;
            if (end - at < length) return false;
            begin = at + (int)length;
            kind = buffer[at];
            body = new ArraySegment<byte>(buffer, at + 1, (int)length - 1);
            return true;
        }
    }
}
