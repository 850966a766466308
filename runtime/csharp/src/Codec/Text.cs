#nullable enable
using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>Text of bytes that need not be UTF-8: each byte of an invalid sequence is the lone surrogate U+DC80 to U+DCFF that
    /// stands for it.</summary>
    internal static class Texts
    {
        internal static string Read(ReadOnlySpan<byte> bytes) => Read(bytes, null);

        // The text that was there before, where it is these bytes of UTF-8, or a new one: a text that has fewer units than bytes is not of
        // ASCII. Its loops have registers of their own, which they would not have within a long method.
        [MethodImpl(MethodImplOptions.NoInlining)]
        internal static string Read(ReadOnlySpan<byte> bytes, string? old)
        {
            if (bytes.Length > Short) return Long(bytes);
            if (old != null && old.Length <= bytes.Length && (old.Length == bytes.Length ? IsAscii(bytes, old) : IsSame(old, bytes))) return old;
            string units = Wide(bytes, out uint all);
            return all < 0x80 ? units : Long(bytes);
        }

        // The same of Latin-1.
        [MethodImpl(MethodImplOptions.NoInlining)]
        internal static string Latin1(ReadOnlySpan<byte> bytes, string? old)
        {
            if (old != null && old.Length == bytes.Length && bytes.Length <= Short && IsAscii(bytes, old)) return old;
            return Latin1(bytes);
        }

        private static string Long(ReadOnlySpan<byte> bytes)
        {
            string text = Utf8(bytes);
            return text.IndexOf('\uFFFD') < 0 ? text : Lossless(bytes);
        }

        // Texts of so many bytes are made and compared by loops, which the calls of others would cost more than.
        private const int Short = 32;

        // Whether a text of as many units is these bytes, which are of ASCII.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private static bool IsAscii(ReadOnlySpan<byte> bytes, string text)
        {
            ReadOnlySpan<char> units = text.AsSpan();
            while (bytes.Length >= 4 && units.Length >= 4)
            {
                uint four = Unsafe.ReadUnaligned<uint>(ref MemoryMarshal.GetReference(bytes));
                ref byte unit = ref Unsafe.As<char, byte>(ref MemoryMarshal.GetReference(units));
                if ((four & 0x80808080) != 0 || Spread(four) != Unsafe.ReadUnaligned<ulong>(ref unit)) return false;
                bytes = bytes.Slice(4);
                units = units.Slice(4);
            }
            for (int i = 0; i < units.Length && i < bytes.Length; i++) if (units[i] != unchecked((sbyte)bytes[i])) return false;
            return true;
        }

        // Four bytes as four units, in the order of this machine's memory.
        private static ulong Spread(uint four)
        {
            ulong pairs = (four | (ulong)four << 16) & 0x0000ffff0000ffff;
            return (pairs | pairs << 8) & 0x00ff00ff00ff00ff;
        }

        // Whether these are the bytes of a text, which may be of any letters.
        private static bool IsSame(string text, ReadOnlySpan<byte> bytes)
        {
            int at = 0, i = 0;
            while (i < text.Length)
            {
                bool isPair = char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]);
                if (char.IsSurrogate(text[i]) && !isPair) return false;
                int point = isPair ? char.ConvertToUtf32(text[i], text[i + 1]) : text[i];
                i += isPair ? 2 : 1;
                int size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
                if (size > bytes.Length - at) return false;
                for (int rest = size; rest > 0; rest--)
                {
                    int bits = point >> 6 * (rest - 1);
                    int wanted = rest < size ? 0x80 | (bits & 0x3f) : size == 1 ? bits : (0xf00 >> size & 0xff) | bits;
                    if (bytes[at++] != wanted) return false;
                }
            }
            return at == bytes.Length;
        }

        // A text of a unit for each byte, and all bits that are in any of them. It is filled before anybody else has it.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private static string Wide(ReadOnlySpan<byte> bytes, out uint all)
        {
            string text = new string('\0', bytes.Length);
#if NETSTANDARD2_0
            Span<char> to = MemoryMarshal.AsMemory(text.AsMemory()).Span;
#else
            Span<char> to = MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(text.AsSpan()), text.Length);
#endif
            uint bits = 0;
            while (bytes.Length >= 4 && to.Length >= 4)
            {
                uint four = Unsafe.ReadUnaligned<uint>(ref MemoryMarshal.GetReference(bytes));
                Unsafe.WriteUnaligned(ref Unsafe.As<char, byte>(ref MemoryMarshal.GetReference(to)), Spread(four));
                bits |= four & 0x80808080;
                bytes = bytes.Slice(4);
                to = to.Slice(4);
            }
            for (int i = 0; i < bytes.Length && i < to.Length; i++)
            {
                bits |= bytes[i];
                to[i] = (char)bytes[i];
            }
            all = bits;
            return text;
        }

        internal static string Utf8(ReadOnlySpan<byte> bytes)
        {
#if NETSTANDARD2_0
            return Encoding.UTF8.GetString(bytes.ToArray());
#else
            return Encoding.UTF8.GetString(bytes);
#endif
        }

        internal static string Latin1(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? "" : Wide(bytes, out _);

        internal static bool IsUtf8(ReadOnlySpan<byte> bytes)
        {
            for (int at = 0; at < bytes.Length;)
            {
                int size = Sequence(bytes, at);
                if (size == 0) return false;
                at += size;
            }
            return true;
        }

        private static string Lossless(ReadOnlySpan<byte> bytes)
        {
            var text = new StringBuilder(bytes.Length);
            for (int at = 0; at < bytes.Length;)
            {
                int size = Sequence(bytes, at);
                if (size == 0) text.Append((char)(0xdc00 + bytes[at++]));
                else text.Append(Utf8(bytes.Slice(at, size)));
                at += size;
            }
            return text.ToString();
        }

        // The number of bytes of the sequence at a place; 0 where there is none.
        private static int Sequence(ReadOnlySpan<byte> b, int at)
        {
            int first = b[at];
            if (first < 0x80) return 1;
            int size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
            if (size == 0 || size > b.Length - at) return 0;
            int second = b[at + 1];
            int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
            int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
            if (second < least || second > most) return 0;
            for (int i = 2; i < size; i++) if ((b[at + i] & 0xc0) != 0x80) return 0;
            return size;
        }

        // The bytes of a text, or null where a lone surrogate stands for no byte.
        internal static byte[]? Bytes(string text)
        {
            if (IllFormedAt(text) < 0) return Encoding.UTF8.GetBytes(text);
            var bytes = new MemoryStream(text.Length + 16);
            for (int i = 0; i < text.Length; i++)
            {
                char c = text[i];
                if (c >= 0xdc80 && c <= 0xdcff)
                {
                    bytes.WriteByte((byte)c);
                    continue;
                }
                bool isPair = char.IsHighSurrogate(c) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]);
                if (char.IsSurrogate(c) && !isPair) return null;
                byte[] own = Encoding.UTF8.GetBytes(text.Substring(i, isPair ? 2 : 1));
                bytes.Write(own, 0, own.Length);
                if (isPair) i++;
            }
            return bytes.ToArray();
        }

        // The place of the first lone surrogate, below zero where there is none.
        internal static int IllFormedAt(string text)
        {
            for (int i = 0; i < text.Length; i++)
            {
                char c = text[i];
                if (!char.IsSurrogate(c)) continue;
                if (char.IsLowSurrogate(c) || i + 1 == text.Length || !char.IsLowSurrogate(text[i + 1])) return i;
                i++;
            }
            return -1;
        }

        internal static bool IsLatin1(string text)
        {
            foreach (char c in text) if (c > 255) return false;
            return true;
        }
    }
}
