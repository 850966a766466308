using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Org.SbeTool.Sbe.Dll
{
    /// <summary>The buffer that sbe-tool's C# code works on, whose runtime is in no registry: pinned bytes and their pointer. Bounds are
    /// checked where a limit moves, not where a number is read. Own writing in that style, of what the bench's messages need.</summary>
    public sealed unsafe class DirectBuffer : IDisposable
    {
        private readonly byte[] bytes;
        private readonly byte* at;
        private GCHandle pin;

        public DirectBuffer(byte[] bytes)
        {
            this.bytes = bytes;
            pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
            at = (byte*)pin.AddrOfPinnedObject();
        }

        /// <summary>As generated code makes one, to print a message; it does not grow here.</summary>
        public DirectBuffer(byte[] bytes, Func<int, int, byte[]> grow) : this(bytes) { }

        public void Dispose() => pin.Free();

        public void CheckLimit(int limit)
        {
            if ((uint)limit > (uint)bytes.Length) ThrowHelper.ThrowIndexOutOfRangeException(limit);
        }

        private static ushort Little(ushort value) => BitConverter.IsLittleEndian ? value : System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(value);

        private static int Little(int value) => BitConverter.IsLittleEndian ? value : System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(value);

        private static ulong Little(ulong value) => BitConverter.IsLittleEndian ? value : System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(value);

        public byte CharGet(int index) => at[index];

        public void CharPut(int index, byte value) => at[index] = value;

        public byte Uint8Get(int index) => at[index];

        public void Uint8Put(int index, byte value) => at[index] = value;

        public ushort Uint16GetLittleEndian(int index) => Little(*(ushort*)(at + index));

        public void Uint16PutLittleEndian(int index, ushort value) => *(ushort*)(at + index) = Little(value);

        public int Int32GetLittleEndian(int index) => Little(*(int*)(at + index));

        public void Int32PutLittleEndian(int index, int value) => *(int*)(at + index) = Little(value);

        public ulong Uint64GetLittleEndian(int index) => Little(*(ulong*)(at + index));

        public void Uint64PutLittleEndian(int index, ulong value) => *(ulong*)(at + index) = Little(value);

        public float FloatGetLittleEndian(int index) => BitConverter.Int32BitsToSingle(Int32GetLittleEndian(index));

        public void FloatPutLittleEndian(int index, float value) => Int32PutLittleEndian(index, BitConverter.SingleToInt32Bits(value));

        public int GetBytes(int index, Span<byte> to)
        {
            int count = Math.Min(to.Length, bytes.Length - index);
            AsReadOnlySpan<byte>(index, count).CopyTo(to);
            return count;
        }

        public int SetBytes(int index, ReadOnlySpan<byte> from)
        {
            int count = Math.Min(from.Length, bytes.Length - index);
            from.Slice(0, count).CopyTo(AsSpan<byte>(index, count));
            return count;
        }

        public ReadOnlySpan<T> AsReadOnlySpan<T>(int index, int count) where T : struct => new ReadOnlySpan<T>(at + index, count);

        public Span<T> AsSpan<T>(int index, int count) where T : struct => new Span<T>(at + index, count);

        public string GetStringFromBytes(Encoding encoding, int index, int count)
        {
            int most = Math.Min(count, bytes.Length - index);
            return encoding.GetString(at + index, most);
        }

        public int SetBytesFromString(Encoding encoding, string text, int index)
        {
            if (string.IsNullOrEmpty(text)) return 0;
            int count = encoding.GetByteCount(text);
            CheckLimit(index + count);
            fixed (char* from = text) return encoding.GetBytes(from, text.Length, at + index, count);
        }

        public string GetStringFromNullTerminatedBytes(Encoding encoding, int index, int most, byte zero)
        {
            int count = Math.Min(most, bytes.Length - index);
            if (count <= 0 || at[index] == zero) return string.Empty;
            int size = 0;
            while (size < count && at[index + size] != zero) size++;
            return encoding.GetString(at + index, size);
        }

        public int SetNullTerminatedBytesFromString(Encoding encoding, string text, int index, int most, byte zero)
        {
            int available = Math.Min(most, bytes.Length - index);
            int count = string.IsNullOrEmpty(text) ? 0 : encoding.GetByteCount(text);
            if (count > available) ThrowHelper.ThrowWhenSpanLengthTooLarge(count);
            if (count > 0) fixed (char* from = text) encoding.GetBytes(from, text.Length, at + index, count);
            if (count < available) at[index + count] = zero;
            return count;
        }
    }

    public static class ThrowHelper
    {
        public static void ThrowIndexOutOfRangeException(int index) => throw new IndexOutOfRangeException("there is no " + index);

        public static void ThrowCountOutOfRangeException(int count) => throw new ArgumentOutOfRangeException(nameof(count), "it is " + count);

        public static void ThrowInvalidOperationException() => throw new InvalidOperationException();

        public static void ThrowWhenSpanLengthTooSmall(int length) => throw new ArgumentException("it is too small: " + length);

        public static void ThrowWhenSpanLengthTooLarge(int length) => throw new ArgumentException("it is too large: " + length);
    }
}
