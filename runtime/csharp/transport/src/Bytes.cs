#nullable enable
using System;
using System.Buffers.Binary;
using System.Text;

namespace Aldis.Transport
{
    /// <summary>Bytes that grow at their end, with the fields of frames.</summary>
    internal sealed class Bytes
    {
        internal byte[] Array;
        internal int Size;

        internal Bytes(int room) => Array = new byte[room];

        private Span<byte> Room(int more)
        {
            int at = Size;
            if (Array.Length - at < more)
            {
                System.Array.Resize(ref Array, Math.Max(checked(at + more), (int)Math.Min(2L * Array.Length, 0x7FFFFFC7)));
            }
            Size = at + more;
            return new Span<byte>(Array, at, more);
        }

        internal void U8(byte value) => Room(1)[0] = value;

        internal void U16(uint value) => BinaryPrimitives.WriteUInt16LittleEndian(Room(2), (ushort)value);

        internal void U32(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Room(4), value);

        internal void U64(ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(Room(8), value);

        internal void Put(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Room(bytes.Length));

        internal void Window(Window window)
        {
            U32(window.Messages);
            U32(window.Bytes);
        }

        /// <summary>As much of the text as its field takes, ending between characters.</summary>
        internal void Text(string text)
        {
            byte[] all = Encoding.UTF8.GetBytes(text);
            int end = Math.Min(all.Length, Fields.MaxText);
            while (end < all.Length && (all[end] & 0xC0) == 0x80) end--;
            U16((uint)end);
            Put(new ReadOnlySpan<byte>(all, 0, end));
        }

        /// <summary>Writes the length of the frame that begins at that place.</summary>
        internal void EndFrame(int begin) =>
            BinaryPrimitives.WriteUInt32LittleEndian(new Span<byte>(Array, begin, Frame.LengthSize), (uint)(Size - begin - Frame.LengthSize));
    }

    /// <summary>Reads the fields of a body from its front. Once something is missing or wrong it reads zeros, and is not exact.</summary>
    internal sealed class Fields
    {
        /// <summary>Bytes of a text, at most.</summary>
        internal const int MaxText = 1024;

        private static readonly byte[] Magic = { (byte)'A', (byte)'L', (byte)'D', (byte)'I', (byte)'S' };
        private static readonly Encoding Strict = new UTF8Encoding(false, true);

        private readonly byte[] array;
        private readonly int end;
        private int at;
        private bool ok = true;

        internal Fields(ArraySegment<byte> body)
        {
            array = body.Array!;
            at = body.Offset;
            end = body.Offset + body.Count;
        }

        /// <summary>All was there and right, and nothing is left over.</summary>
        internal bool IsExact => ok && at == end;

        private void Wrong()
        {
            ok = false;
            at = end;
        }

        internal ArraySegment<byte> Take(int count)
        {
            if (count > end - at)
            {
                Wrong();
                return new ArraySegment<byte>(array, at, 0);
            }
            at += count;
            return new ArraySegment<byte>(array, at - count, count);
        }

        internal ArraySegment<byte> Rest() => Take(end - at);

        private ulong Little(int width)
        {
            ulong value = 0;
            int shift = 0;
            ReadOnlySpan<byte> bytes = Take(width);
            foreach (byte one in bytes)
            {
                value |= (ulong)one << shift;
                shift += 8;
            }
            return value;
        }

        internal byte U8() => (byte)Little(1);

        internal uint U16() => (uint)Little(2);

        internal uint U32() => (uint)Little(4);

        internal ulong U64() => Little(8);

        internal static void WriteMagic(Bytes to) => to.Put(Magic);

        internal void ReadMagic()
        {
            ReadOnlySpan<byte> found = Take(Magic.Length);
            if (!found.SequenceEqual(Magic)) Wrong();
        }

        internal string Text()
        {
            ArraySegment<byte> bytes = Take((int)U16());
            try
            {
                if (bytes.Count <= MaxText) return Strict.GetString(array, bytes.Offset, bytes.Count);
            }
            catch (DecoderFallbackException)
            {
                // It is no UTF-8, and as wrong as a text that is too long.
            }
            Wrong();
            return "";
        }

        internal Window Window() => new Window(U32(), U32());

        /// <summary>A level that is not known is taken for wrong.</summary>
        internal Durability Durability()
        {
            byte level = U8();
            if (level <= (byte)Transport.Durability.Replicated) return (Durability)level;
            Wrong();
            return Transport.Durability.Received;
        }

        /// <summary>Bytes that nobody else has.</summary>
        internal static byte[] Copy(ArraySegment<byte> bytes) => new ReadOnlySpan<byte>(bytes.Array, bytes.Offset, bytes.Count).ToArray();
    }

    /// <summary>CRC-32 (IEEE 802.3), four bytes at a time.</summary>
    internal static class Crc32
    {
        private static readonly uint[][] Tables = Made();

        private static uint[][] Made()
        {
            var tables = new uint[4][];
            for (int table = 0; table < 4; table++)
            {
                tables[table] = new uint[256];
                for (uint i = 0; i < 256; i++)
                {
                    uint crc = i;
                    for (int bit = 0; bit < 8 * (table + 1); bit++) crc = (crc & 1) == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB88320;
                    tables[table][i] = crc;
                }
            }
            return tables;
        }

        /// <summary>The checksum of bytes behind those that have the one given.</summary>
        internal static uint Of(ReadOnlySpan<byte> bytes, uint before = 0)
        {
            uint[] one = Tables[0], two = Tables[1], three = Tables[2], four = Tables[3];
            uint crc = ~before;
            while (bytes.Length >= 4)
            {
                crc ^= BinaryPrimitives.ReadUInt32LittleEndian(bytes);
                crc = four[crc & 0xFF] ^ three[crc >> 8 & 0xFF] ^ two[crc >> 16 & 0xFF] ^ one[crc >> 24];
                bytes = bytes.Slice(4);
            }
            foreach (byte next in bytes) crc = crc >> 8 ^ one[(crc ^ next) & 0xFF];
            return ~crc;
        }
    }
}
