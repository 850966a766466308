#nullable enable
using System;

namespace Aldis.Codec
{
    /// <summary>Copies objects that no schema describes behind what is written, an object's own words before what its pointers lead to.
    /// In canonical form sections end with their last word that is not zero.</summary>
    internal static class Copier
    {
        private const int Word = Segments.Word;

        // Copies what the pointer at a place leads to; the word at `slot` points to the copy.
        internal static void Pointer(ref In f, ref Out o, bool canonical, int at, int segment, int slot)
        {
            long aim = f.Aim(at, segment);
            int own = f.Segment;
            int kind = (int)(aim & 3);
            if (aim == 0) return;
            if (kind == 3)
            {
                if (canonical) throw f.Fault(Code.BadValue, at);
                Wire.I64(o.B, slot, aim);
                return;
            }
            f.Enter(at);
            int code = Segments.CodeOf(aim);
            if (kind == 0) Record(ref f, ref o, canonical, aim, at, own, slot);
            else if (code == 7) Records(ref f, ref o, canonical, aim, at, own, slot);
            else Scalars(ref f, ref o, canonical, aim, at, own, slot);
            f.Depth++;
        }

        // Room for an object, to which `slot` points; an empty record is nowhere.
        private static int Object(ref Out o, int slot, long words, int kind, long upper)
        {
            int at = o.Reserve(words * Word);
            int away = kind == 0 && words == 0 ? -1 : (at - slot) / Word - 1;
            Wire.I64(o.B, slot, unchecked((uint)((away << 2) | kind)) | (upper << 32));
            return at;
        }

        // Copies words of data, then what the pointers behind them lead to.
        private static void Words(ref In f, ref Out o, bool canonical, int at, int data, int pointersAt, int pointers, int to, int segment)
        {
            f.B.Slice(at, data * Word).CopyTo(o.B.Slice(to));
            for (int i = 0; i < pointers; i++) Pointer(ref f, ref o, canonical, pointersAt + i * Word, segment, to + (data + i) * Word);
        }

        // So many words are left of a section.
        private static int Trimmed(ref In f, bool canonical, int at, int words)
        {
            while (canonical && words > 0 && Wire.I64(f.B, at + (words - 1) * Word) == 0) words--;
            return words;
        }

        private static void Record(ref In f, ref Out o, bool canonical, long aim, int at, int segment, int slot)
        {
            int data = (int)Wire.DataSize(aim);
            long size = data + Wire.PointersSize(aim);
            int from = f.Body(aim, at, size);
            f.Charge(size, at);
            int dataWords = Trimmed(ref f, canonical, from, data / Word);
            int pointers = Trimmed(ref f, canonical, from + data, (int)(size - data) / Word);
            int to = Object(ref o, slot, dataWords + pointers, 0, (uint)dataWords | ((long)pointers << 16));
            Words(ref f, ref o, canonical, from, dataWords, from + data, pointers, to, segment);
        }

        private static void Scalars(ref In f, ref Out o, bool canonical, long aim, int at, int segment, int slot)
        {
            int code = Segments.CodeOf(aim);
            long count = Segments.Upper(aim, 35);
            long bits = count * Segments.Bits(code);
            long words = (bits + 63) >> 6;
            int from = f.Body(aim, at, words * Word);
            f.Charge((code == 0 ? count : words) * Word, at);
            int to = Object(ref o, slot, words, 1, (uint)code | (count << 3));
            if (code == 6)
            {
                Words(ref f, ref o, canonical, from, 0, from, (int)count, to, segment);
                return;
            }
            int whole = (int)(bits >> 3);
            f.B.Slice(from, whole).CopyTo(o.B.Slice(to));
            int rest = (int)(bits & 7);
            if (rest != 0) o.B[to + whole] = (byte)(f.B[from + whole] & ((1 << rest) - 1));
        }

        private static void Records(ref In f, ref Out o, bool canonical, long aim, int at, int segment, int slot)
        {
            long words = Segments.Upper(aim, 35);
            int start = f.Body(aim, at, (words + 1) * Word);
            f.Charge((words + 1) * Word, at);
            long tag = f.Tag(start, words);
            int count = Segments.CountOf(tag);
            int data = (int)Wire.DataSize(tag) / Word;
            int stride = data + (int)Wire.PointersSize(tag) / Word;
            if (stride == 0) f.Charge((long)count * Word, at);
            int first = start + Word;
            int ownData = canonical ? 0 : data;
            int ownPointers = canonical ? 0 : stride - data;
            // All are as long as the longest.
            for (int i = 0; canonical && stride > 0 && i < count; i++)
            {
                int from = first + i * stride * Word;
                ownData = Math.Max(ownData, Trimmed(ref f, true, from, data));
                ownPointers = Math.Max(ownPointers, Trimmed(ref f, true, from + data * Word, stride - data));
            }
            int own = ownData + ownPointers;
            int to = Object(ref o, slot, 1 + (long)count * own, 1, 7 | ((long)count * own << 3));
            Wire.I64(o.B, to, ((long)count << 2) | ((long)ownData << 32) | ((long)ownPointers << 48));
            for (int i = 0; own > 0 && i < count; i++)
            {
                int from = first + i * stride * Word;
                Words(ref f, ref o, canonical, from, ownData, from + data * Word, ownPointers, to + Word + i * own * Word, segment);
            }
        }
    }
}
