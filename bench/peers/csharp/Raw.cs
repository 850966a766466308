using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

/// <summary>Numbers and texts at places whose bounds were checked before. What the floors share.</summary>
internal static class Raw
{
    private const MethodImplOptions Inline = MethodImplOptions.AggressiveInlining;

    [MethodImpl(Inline)] internal static T Get<T>(ref byte b, int at) => Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref b, at));

    [MethodImpl(Inline)] internal static void Put<T>(ref byte b, int at, T value) => Unsafe.WriteUnaligned(ref Unsafe.Add(ref b, at), value);

    /// <summary>Where an offset leads to; below zero where that is outside.</summary>
    [MethodImpl(Inline)] internal static int Follow(int from, int offset, int end) => offset <= 0 || offset > end - from ? -1 : from + offset;

    /// <summary>The text that was there before where it is the same.</summary>
    internal static string Kept(ref byte b, int at, int size, string old)
    {
        if (old != null && old.Length == size && size <= 32)
        {
            int i = 0;
            while (i < size && old[i] == (sbyte)Unsafe.Add(ref b, at + i)) i++;
            if (i == size) return old;
        }
        return Text(ref b, at, size);
    }

    private static string Text(ref byte b, int at, int size)
    {
        if (size <= 32)
        {
            string text = new string('\0', size);
            ref char to = ref MemoryMarshal.GetReference(text.AsSpan());
            int all = 0;
            for (int i = 0; i < size; i++)
            {
                byte one = Unsafe.Add(ref b, at + i);
                all |= one;
                Unsafe.Add(ref to, i) = (char)one;
            }
            if (all < 128) return text;
        }
        return Encoding.UTF8.GetString(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref b, at), size));
    }

    /// <summary>The most bytes that a text may take.</summary>
    [MethodImpl(Inline)] internal static int Most(string text) => 3 * text.Length;

    /// <summary>Writes the text, where there is room; gives how many bytes it has.</summary>
    internal static int Say(ref byte b, int at, string text)
    {
        int size = text.Length;
        if (size > 12) return Wide(ref b, at, text);
        for (int i = 0; i < size; i++)
        {
            char c = text[i];
            if (c > 127) return Wide(ref b, at, text);
            Unsafe.Add(ref b, at + i) = (byte)c;
        }
        return size;
    }

    private static int Wide(ref byte b, int at, string text) =>
        Encoding.UTF8.GetBytes(text, MemoryMarshal.CreateSpan(ref Unsafe.Add(ref b, at), Most(text)));
}
