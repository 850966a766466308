#nullable enable
using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Aldis.Codec
{
    /// <summary>Numbers in bytes, in either order. Each load and store is checked against the end of the bytes.</summary>
    public static class Wire
    {
        /// <summary>Of methods that are made part of what calls them.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        public const MethodImplOptions Inline = MethodImplOptions.AggressiveInlining;

        /// <summary>Of methods that are not made part of what calls them.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        public const MethodImplOptions Stays = MethodImplOptions.NoInlining;

        // A load and a store look once whether they are within the bytes; a place below zero is one that is too large.
        [MethodImpl(Inline)]
        private static T Load<T>(ReadOnlySpan<byte> b, int at) where T : unmanaged
        {
            if ((ulong)unchecked((uint)at) + (ulong)Unsafe.SizeOf<T>() > (ulong)b.Length) Outside();
            return Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref MemoryMarshal.GetReference(b), at));
        }

        [MethodImpl(Inline)]
        private static void Store<T>(Span<byte> b, int at, T value) where T : unmanaged
        {
            if ((ulong)unchecked((uint)at) + (ulong)Unsafe.SizeOf<T>() > (ulong)b.Length) Outside();
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref MemoryMarshal.GetReference(b), at), value);
        }

        // The compiler sees that it does not return if it may look into it.
        private static void Outside() => throw new IndexOutOfRangeException("a number beyond the bytes");

        // A number in little-endian order, as messages have it, or back.
        [MethodImpl(Inline)] private static short Swapped(short v) => BitConverter.IsLittleEndian ? v : BinaryPrimitives.ReverseEndianness(v);
        [MethodImpl(Inline)] private static ushort Swapped(ushort v) => BitConverter.IsLittleEndian ? v : BinaryPrimitives.ReverseEndianness(v);
        [MethodImpl(Inline)] private static int Swapped(int v) => BitConverter.IsLittleEndian ? v : BinaryPrimitives.ReverseEndianness(v);
        [MethodImpl(Inline)] private static uint Swapped(uint v) => BitConverter.IsLittleEndian ? v : BinaryPrimitives.ReverseEndianness(v);
        [MethodImpl(Inline)] private static long Swapped(long v) => BitConverter.IsLittleEndian ? v : BinaryPrimitives.ReverseEndianness(v);
        [MethodImpl(Inline)] private static ulong Swapped(ulong v) => BitConverter.IsLittleEndian ? v : BinaryPrimitives.ReverseEndianness(v);

        /// <summary>Room for elements that were paid for: a list grows where they are more.</summary>
        [MethodImpl(Inline)] public static int RoomFor(long count) => (int)Math.Min(count, 1 << 16);

        // Users may compile generated code with checked arithmetic.
        [MethodImpl(Inline)] public static sbyte I8(byte value) => unchecked((sbyte)value);
        [MethodImpl(Inline)] public static byte U8(sbyte value) => unchecked((byte)value);
        [MethodImpl(Inline)] public static short I16(ReadOnlySpan<byte> b, int at) => Swapped(Load<short>(b, at));
        [MethodImpl(Inline)] public static ushort U16(ReadOnlySpan<byte> b, int at) => Swapped(Load<ushort>(b, at));
        [MethodImpl(Inline)] public static int I32(ReadOnlySpan<byte> b, int at) => Swapped(Load<int>(b, at));
        [MethodImpl(Inline)] public static uint U32(ReadOnlySpan<byte> b, int at) => Swapped(Load<uint>(b, at));
        [MethodImpl(Inline)] public static long I64(ReadOnlySpan<byte> b, int at) => Swapped(Load<long>(b, at));
        [MethodImpl(Inline)] public static ulong U64(ReadOnlySpan<byte> b, int at) => Swapped(Load<ulong>(b, at));
        [MethodImpl(Inline)] public static float F32(ReadOnlySpan<byte> b, int at) => FloatOf(I32(b, at));
        [MethodImpl(Inline)] public static double F64(ReadOnlySpan<byte> b, int at) => DoubleOf(I64(b, at));
        [MethodImpl(Inline)] public static short I16be(ReadOnlySpan<byte> b, int at) => BinaryPrimitives.ReadInt16BigEndian(b.Slice(at));
        [MethodImpl(Inline)] public static ushort U16be(ReadOnlySpan<byte> b, int at) => BinaryPrimitives.ReadUInt16BigEndian(b.Slice(at));
        [MethodImpl(Inline)] public static int I32be(ReadOnlySpan<byte> b, int at) => BinaryPrimitives.ReadInt32BigEndian(b.Slice(at));
        [MethodImpl(Inline)] public static uint U32be(ReadOnlySpan<byte> b, int at) => BinaryPrimitives.ReadUInt32BigEndian(b.Slice(at));
        [MethodImpl(Inline)] public static long I64be(ReadOnlySpan<byte> b, int at) => BinaryPrimitives.ReadInt64BigEndian(b.Slice(at));
        [MethodImpl(Inline)] public static ulong U64be(ReadOnlySpan<byte> b, int at) => BinaryPrimitives.ReadUInt64BigEndian(b.Slice(at));
        [MethodImpl(Inline)] public static float F32be(ReadOnlySpan<byte> b, int at) => FloatOf(I32be(b, at));
        [MethodImpl(Inline)] public static double F64be(ReadOnlySpan<byte> b, int at) => DoubleOf(I64be(b, at));

        [MethodImpl(Inline)] public static void I16(Span<byte> b, int at, short v) => Store(b, at, Swapped(v));
        [MethodImpl(Inline)] public static void U16(Span<byte> b, int at, ushort v) => Store(b, at, Swapped(v));
        [MethodImpl(Inline)] public static void I32(Span<byte> b, int at, int v) => Store(b, at, Swapped(v));
        [MethodImpl(Inline)] public static void U32(Span<byte> b, int at, uint v) => Store(b, at, Swapped(v));
        [MethodImpl(Inline)] public static void I64(Span<byte> b, int at, long v) => Store(b, at, Swapped(v));
        [MethodImpl(Inline)] public static void U64(Span<byte> b, int at, ulong v) => Store(b, at, Swapped(v));
        [MethodImpl(Inline)] public static void F32(Span<byte> b, int at, float v) => I32(b, at, BitsOf(v));
        [MethodImpl(Inline)] public static void F64(Span<byte> b, int at, double v) => I64(b, at, BitsOf(v));
        [MethodImpl(Inline)] public static void I16be(Span<byte> b, int at, short v) => BinaryPrimitives.WriteInt16BigEndian(b.Slice(at), v);
        [MethodImpl(Inline)] public static void U16be(Span<byte> b, int at, ushort v) => BinaryPrimitives.WriteUInt16BigEndian(b.Slice(at), v);
        [MethodImpl(Inline)] public static void I32be(Span<byte> b, int at, int v) => BinaryPrimitives.WriteInt32BigEndian(b.Slice(at), v);
        [MethodImpl(Inline)] public static void U32be(Span<byte> b, int at, uint v) => BinaryPrimitives.WriteUInt32BigEndian(b.Slice(at), v);
        [MethodImpl(Inline)] public static void I64be(Span<byte> b, int at, long v) => BinaryPrimitives.WriteInt64BigEndian(b.Slice(at), v);
        [MethodImpl(Inline)] public static void U64be(Span<byte> b, int at, ulong v) => BinaryPrimitives.WriteUInt64BigEndian(b.Slice(at), v);
        [MethodImpl(Inline)] public static void F32be(Span<byte> b, int at, float v) => I32be(b, at, BitsOf(v));
        [MethodImpl(Inline)] public static void F64be(Span<byte> b, int at, double v) => I64be(b, at, BitsOf(v));

#if NETSTANDARD2_0
        [StructLayout(LayoutKind.Explicit)]
        private struct Both
        {
            [FieldOffset(0)] public int Bits;
            [FieldOffset(0)] public float Number;
        }

        public static float FloatOf(int bits) => new Both { Bits = bits }.Number;

        public static int RawBitsOf(float number) => new Both { Number = number }.Bits;
#else
        [MethodImpl(Inline)] public static float FloatOf(int bits) => BitConverter.Int32BitsToSingle(bits);

        [MethodImpl(Inline)] public static int RawBitsOf(float number) => BitConverter.SingleToInt32Bits(number);
#endif

        [MethodImpl(Inline)] public static double DoubleOf(long bits) => BitConverter.Int64BitsToDouble(bits);

        [MethodImpl(Inline)] public static long RawBitsOf(double number) => BitConverter.DoubleToInt64Bits(number);

        /// <summary>The bits of a float that is written: there is one NaN.</summary>
        [MethodImpl(Inline)] public static int BitsOf(float number) => float.IsNaN(number) ? 0x7fc00000 : RawBitsOf(number);

        [MethodImpl(Inline)] public static long BitsOf(double number) => double.IsNaN(number) ? 0x7ff8000000000000 : RawBitsOf(number);

        /// <summary>Whether so many bytes, an unsigned number, are more than there is room for: a room below zero has none.</summary>
        [MethodImpl(Inline)] public static bool IsBeyond(long size, int room) => size < 0 || size > room;

        /// <summary>Whether a distance leads nowhere, or beyond the room.</summary>
        [MethodImpl(Inline)] public static bool IsAway(long distance, int room) => distance <= 0 || distance > room;

        /// <summary>Whether a number has more than 31 bits.</summary>
        [MethodImpl(Inline)] public static bool IsHuge(long number) => unchecked((ulong)number > int.MaxValue);

        /// <summary>The place in what a glance at bytes gave, beside what it left of the budget.</summary>
        [MethodImpl(Inline)] public static int Low(long rest) => unchecked((int)rest);

        /// <summary>Whether so many elements, of so many bytes or more, are sure to lie in a room.</summary>
        [MethodImpl(Inline)]
        public static bool Fits(long count, long least, int room) =>
            count == 0 || (count > 0 && least > 0 && count <= room && least <= room && count * least <= room);

        /// <summary>Whether scale, sign and spare bytes of a decimal are within bounds.</summary>
        public static bool IsDecimal(ReadOnlySpan<byte> b, int at)
        {
            byte scale = b[at + 14], sign = b[at + 15];
            return b[at + 12] == 0 && b[at + 13] == 0 && scale <= 28 && (sign == 0 || sign == 0x80);
        }

        public static int CompareUnsigned(long a, long b) => unchecked((ulong)a).CompareTo(unchecked((ulong)b));

        /// <summary>A uuid, whose bytes are in the order of its text; .NET has the first three numbers the other way round.</summary>
        public static Guid Uuid(ReadOnlySpan<byte> b, int at)
        {
            ReadOnlySpan<byte> d = b.Slice(at, 16);
            return new Guid(I32be(d, 0), I16be(d, 4), I16be(d, 6), d[8], d[9], d[10], d[11], d[12], d[13], d[14], d[15]);
        }

        public static Guid Uuid(ulong high, ulong low)
        {
            Span<byte> bytes = stackalloc byte[16];
            U64be(bytes, 0, high);
            U64be(bytes, 8, low);
            return Uuid(bytes, 0);
        }

        public static void Uuid(Span<byte> b, int at, Guid value)
        {
            byte[] own = value.ToByteArray();
            Array.Reverse(own, 0, 4);
            Array.Reverse(own, 4, 2);
            Array.Reverse(own, 6, 2);
            own.CopyTo(b.Slice(at));
        }

        // The array that was there before, if it is as long.
        internal static T[] Room<T>(int count, T[]? old) => old != null && old.Length == count ? old : new T[count];

        // Numbers that lie so many bytes from one another, as an array.
        internal static T[] Row<T>(ReadOnlySpan<byte> from, int count, int step, int width, bool big, T[]? old) where T : struct
        {
            if (count == 0) return Array.Empty<T>();
            T[] array = Room(count, old);
            Span<byte> bytes = MemoryMarshal.AsBytes(array.AsSpan());
            if (step == width) from.Slice(0, bytes.Length).CopyTo(bytes);
            else for (int i = 0; i < count; i++) from.Slice(step * i, width).CopyTo(bytes.Slice(width * i));
            if (width > 1 && big == BitConverter.IsLittleEndian)
            {
                for (int at = 0; at < bytes.Length; at += width) bytes.Slice(at, width).Reverse();
            }
            return array;
        }

        /// <summary>Bytes of data of the record that a pointer or a tag describes, and of its pointers.</summary>
        [MethodImpl(Inline)] public static long DataSize(long aim) => (aim >> 29) & 0x7fff8;
        [MethodImpl(Inline)] public static long PointersSize(long aim) => unchecked((long)((ulong)aim >> 48 << 3));

        /// <summary>The difference in charge between an element without bytes and one of so many bits.</summary>
        public static long ShortOf(long bits) => bits == 0 ? 0 : Math.Max(0, 8 - bits / 8);

        /// <summary>A value whose fields have other values, in order.</summary>
        public static T With<T>(T value, object?[] fields) where T : Structure
        {
            value.Assign(fields);
            return value;
        }

        /// <summary>The list that was there before, for other elements.</summary>
        public static List<T> Used<T>(List<T>? old, int room) => old ?? new List<T>(room);

#pragma warning disable CS8603 // An element that is not there is a default, which codecs test for null.
        public static T At<T>(List<T> list, int index) => index < list.Count ? list[index] : default;
#pragma warning restore CS8603

        public static void Put<T>(List<T> list, int index, T item)
        {
            if (index >= list.Count) list.Add(item);
            else if (default(T) != null || !ReferenceEquals(list[index], item)) list[index] = item;
        }

        /// <summary>Puts an object where it may be already: the garbage collector hears of each store, which costs more than the test.</summary>
        [MethodImpl(Inline)]
        public static void Keep<T>(ref T place, T value) where T : class?
        {
            if (!ReferenceEquals(place, value)) place = value;
        }

        /// <summary>A number without sign, or as much of it as one with a sign says.</summary>
        public static long Capped(long number) => number < 0 ? long.MaxValue : number;

        /// <summary>Leaves so many elements.</summary>
        public static void Cut<T>(List<T> list, long count)
        {
            if (list.Count > count) list.RemoveRange((int)count, (int)(list.Count - count));
        }

        /// <summary>Puts an entry into a map, which keeps the first of equal keys.</summary>
        public static void PutFirst<TKey, TValue>(SortedDictionary<TKey, TValue> map, TKey key, TValue value) where TKey : notnull
        {
            if (!map.ContainsKey(key)) map.Add(key, value);
        }
    }
}
