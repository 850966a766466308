#nullable enable
using System;
using System.Collections.Generic;

namespace Aldis.Codec
{
    /// <summary>The state of reading a message: its bytes, where it ends, and what may still be charged.</summary>
    public ref struct In
    {
        public readonly ReadOnlySpan<byte> B;
        public readonly int Start;
        public int End;

        /// <summary>The place behind what was read last.</summary>
        public int At;

        public int Depth;
        private long left;
        private readonly bool surcharge;

        public In(ReadOnlySpan<byte> bytes, Limits limits)
        {
            B = bytes;
            Start = 0;
            End = bytes.Length;
            At = 0;
            Depth = limits.Depth;
            surcharge = limits.Surcharge;
            long factor = limits.BudgetFactor, length = bytes.Length;
            long own = length != 0 && factor > long.MaxValue / length ? long.MaxValue : factor * length;
            left = own > long.MaxValue - limits.BudgetBase ? long.MaxValue : own + limits.BudgetBase;
        }

        private static void Fail(Code code, int place) => throw new CodecException(code, place, "");

        /// <summary>Sizes and counts are unsigned: what is below zero is more than there can be.</summary>
        public void Need(int at, long size)
        {
            if (size < 0 || size > End - at) Fail(Code.Truncated, at);
        }

        public void Least(long size, long least, int place)
        {
            if (size >= 0 && size < least) Fail(Code.BadValue, place);
        }

        public void Head(int at, int size, Cut cut)
        {
            if (size > End - at) throw cut.Head(End - at, at);
            Charge(size, at);
        }

        public void Run(int at, long size, Cut cut, long version)
        {
            if (size < 0 || size > End - at) throw cut.Run(End - at, at, size, version);
            Charge(size, at);
        }

        public void Expect(long have, long want, bool root, int place)
        {
            if (have != want) Fail(root ? Code.UnknownMessage : Code.BadValue, place);
        }

        public CodecException Unknown(int place) => new CodecException(Code.UnknownMessage, place, "");

        public void Counted(int from, long length, int blame)
        {
            if (length < 0 || length > End - from) Fail(Code.BadCount, blame);
            Charge(length, from);
        }

        public long Fit(long count, long least, int at, int blame)
        {
            bool fits = count == 0 || least == 0 || (count > 0 && least > 0 && count <= (End - at) / least);
            if (!fits) Fail(Code.BadCount, blame);
            return count;
        }

        public int Follow(int from, long offset, int place)
        {
            if (offset <= 0 || offset > End - from) Fail(Code.BadPointer, place);
            return from + (int)offset;
        }

        public int Root(long offset, int start)
        {
            if (offset < 0 || offset > End - start) Fail(Code.BadPointer, start);
            return start + (int)offset;
        }

        public void Bound(long size, int head, int place)
        {
            if (size < 0 || size > End - Start) Fail(Code.Truncated, place);
            if (size < head) Fail(Code.BadValue, place);
            End = Start + (int)size;
        }

        public void Same(long size, int stop, int place)
        {
            if (size != stop - Start) Fail(Code.BadValue, place);
        }

        public void Refuse(int place) => Fail(Code.BadValue, place);

        public void Enter(int at)
        {
            if (Depth == 0) Fail(Code.TooDeep, at);
            Depth--;
        }

        public void Charge(long amount, int at)
        {
            if (amount < 0 || amount > left) Fail(Code.TooLarge, at);
            left -= amount;
        }

        public void Charge(long times, long each, int at)
        {
            bool isNothing = times == 0 || each == 0;
            bool isHuge = !isNothing && (times < 0 || each < 0 || times > long.MaxValue / each);
            Charge(isNothing ? 0 : isHuge ? -1 : times * each, at);
        }

        public void Extra(long amount, int at)
        {
            if (surcharge) Charge(amount, at);
        }

        public void Extra(long times, long each, int at)
        {
            if (surcharge) Charge(times, each, at);
        }

        /// <summary>Room for elements that are to come: no more than there are bytes.</summary>
        public int Room(long count) => count < 0 ? 0 : (int)Math.Min(count, Math.Min(End - Start, 1 << 16));

        /// <summary>The number that tells messages apart, before anything else is known.</summary>
        public long Number(int from, int away, int size, bool big)
        {
            if (away + size > End - Start - from) Fail(Code.Truncated, Start + from);
            long number = 0;
            for (int i = 0; i < size; i++) number |= (long)B[Start + from + away + i] << (8 * (big ? size - 1 - i : i));
            return number;
        }

        public decimal Decimal(int at)
        {
            byte scale = B[at + 14], sign = B[at + 15];
            if (B[at + 12] != 0 || B[at + 13] != 0 || scale > 28 || (sign != 0 && sign != 0x80)) Fail(Code.BadValue, at);
            return new decimal(Wire.I32(B, at), Wire.I32(B, at + 4), Wire.I32(B, at + 8), sign != 0, scale);
        }

        public byte[] Octets(int at, int size) => B.Slice(at, size).ToArray();

        public string Latin1(int at, int size) => Texts.Latin1(B.Slice(at, size));

        public string Utf8(int at, int size) => Texts.Read(B.Slice(at, size));

        public string StrictUtf8(int at, int size)
        {
            if (!Texts.IsUtf8(B.Slice(at, size))) Fail(Code.BadText, at);
            return Texts.Utf8(B.Slice(at, size));
        }

        private int Length(int at, int width)
        {
            int size = B.Slice(at, width).IndexOf((byte)0);
            return size < 0 ? width : size;
        }

        public string Utf8Chars(int at, int width) => Utf8(at, Length(at, width));

        /// <summary>Text of a run's value, to which the path leads.</summary>
        public string StrictUtf8Chars(int at, int width, params object[] path)
        {
            int size = Length(at, width);
            if (Texts.IsUtf8(B.Slice(at, size))) return Texts.Utf8(B.Slice(at, size));
            var fault = new CodecException(Code.BadText, at, "");
            for (int i = path.Length - 1; i >= 0; i--)
            {
                if (path[i] is int index) fault.Within(index);
                else fault.Within((string)path[i]);
            }
            throw fault;
        }

        public string Latin1Chars(int at, int width) => Latin1(at, Length(at, width));

        /// <summary>Numbers that lie so many bytes from one another.</summary>
        public sbyte[] I8s(int at, int count, int step) => Wire.Row<sbyte>(B.Slice(at), count, step, 1, false);

        public byte[] U8s(int at, int count, int step) => Wire.Row<byte>(B.Slice(at), count, step, 1, false);

        public bool[] Bools(int at, int count, int step)
        {
            var array = new bool[count];
            for (int i = 0; i < count; i++) array[i] = B[at + step * i] != 0;
            return array;
        }

        public char[] Chars(int at, int count, int step)
        {
            var array = new char[count];
            for (int i = 0; i < count; i++) array[i] = (char)B[at + step * i];
            return array;
        }

        public short[] I16s(int at, int count, int step) => Wire.Row<short>(B.Slice(at), count, step, 2, false);
        public short[] I16sbe(int at, int count, int step) => Wire.Row<short>(B.Slice(at), count, step, 2, true);
        public ushort[] U16s(int at, int count, int step) => Wire.Row<ushort>(B.Slice(at), count, step, 2, false);
        public ushort[] U16sbe(int at, int count, int step) => Wire.Row<ushort>(B.Slice(at), count, step, 2, true);
        public int[] I32s(int at, int count, int step) => Wire.Row<int>(B.Slice(at), count, step, 4, false);
        public int[] I32sbe(int at, int count, int step) => Wire.Row<int>(B.Slice(at), count, step, 4, true);
        public uint[] U32s(int at, int count, int step) => Wire.Row<uint>(B.Slice(at), count, step, 4, false);
        public uint[] U32sbe(int at, int count, int step) => Wire.Row<uint>(B.Slice(at), count, step, 4, true);
        public long[] I64s(int at, int count, int step) => Wire.Row<long>(B.Slice(at), count, step, 8, false);
        public long[] I64sbe(int at, int count, int step) => Wire.Row<long>(B.Slice(at), count, step, 8, true);
        public ulong[] U64s(int at, int count, int step) => Wire.Row<ulong>(B.Slice(at), count, step, 8, false);
        public ulong[] U64sbe(int at, int count, int step) => Wire.Row<ulong>(B.Slice(at), count, step, 8, true);
        public float[] F32s(int at, int count, int step) => Wire.Row<float>(B.Slice(at), count, step, 4, false);
        public float[] F32sbe(int at, int count, int step) => Wire.Row<float>(B.Slice(at), count, step, 4, true);
        public double[] F64s(int at, int count, int step) => Wire.Row<double>(B.Slice(at), count, step, 8, false);
        public double[] F64sbe(int at, int count, int step) => Wire.Row<double>(B.Slice(at), count, step, 8, true);

        public List<Guid> Uuids(int at, int count, int step)
        {
            var list = new List<Guid>(count);
            for (int i = 0; i < count; i++) list.Add(Wire.Uuid(B, at + step * i));
            return list;
        }

        public List<Guid> Uuidsbe(int at, int count, int step) => Uuids(at, count, step);
    }
}
