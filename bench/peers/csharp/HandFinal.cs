using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

/// <summary>FBE's account in its Final form by hand: fields one behind another. A floor of bench/csharp.</summary>
internal static class HandFinal
{
    /// <summary>Writes it; gives its size, or -1 where there may be no room.</summary>
    internal static int Write(Span<byte> target, HandAccount.Account v)
    {
        if (HandAccount.Most(v) > target.Length) return -1;
        ref byte b = ref MemoryMarshal.GetReference(target);
        Raw.Put(ref b, 4, 3 | (long)v.Id << 32);
        int at = HandAccount.Text(ref b, 12, v.Name);
        Raw.Put(ref b, at, v.State);
        at = Write(ref b, at + 1, v.Wallet);
        Raw.Put(ref b, at++, (byte)(v.Asset == null ? 0 : 1));
        if (v.Asset != null) at = Write(ref b, at, v.Asset);
        int count = v.Orders.Count;
        Raw.Put(ref b, at, count);
        at += 4;
        for (int i = 0; i < count; i++)
        {
            HandAccount.Order order = v.Orders[i];
            Raw.Put(ref b, at, order.Id);
            at = HandAccount.Text(ref b, at + 4, order.Symbol);
            Raw.Put(ref b, at, order.Side);
            Raw.Put(ref b, at + 1, order.Type);
            Raw.Put(ref b, at + 2, order.Price);
            Raw.Put(ref b, at + 10, order.Volume);
            at += 18;
        }
        Raw.Put(ref b, 0, at);
        return at;
    }

    private static int Write(ref byte b, int at, HandAccount.Balance v)
    {
        at = HandAccount.Text(ref b, at, v.Currency);
        Raw.Put(ref b, at, v.Amount);
        return at + 8;
    }

    /// <summary>Reads it into an object that may have been used; false where the bytes are wrong.</summary>
    internal static bool Read(ReadOnlySpan<byte> bytes, HandAccount.Account v)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        int end = bytes.Length < 12 ? 0 : Raw.Get<int>(ref b, 0);
        if (end < 12 || end > bytes.Length || Raw.Get<int>(ref b, 4) != 3) return false;
        int at = 12;
        v.Id = Raw.Get<int>(ref b, 8);
        if ((v.Name = Text(ref b, ref at, end, v.Name)) == null || end - at < 1) return false;
        v.State = Raw.Get<byte>(ref b, at++);
        if (!Read(ref b, ref at, end, v.Wallet ??= new HandAccount.Balance()) || end - at < 1) return false;
        if (Raw.Get<byte>(ref b, at++) == 0) v.Asset = null;
        else if (!Read(ref b, ref at, end, v.Asset ??= new HandAccount.Balance())) return false;
        return Read(ref b, ref at, end, v.Orders) && at == end;
    }

    private static bool Read(ref byte b, ref int at, int end, List<HandAccount.Order> orders)
    {
        if (end - at < 4) return false;
        int count = Raw.Get<int>(ref b, at);
        at += 4;
        if ((uint)count > (uint)(end - at) / 26) return false;
        for (int i = 0; i < count; i++)
        {
            if (i == orders.Count) orders.Add(new HandAccount.Order());
            if (!Read(ref b, ref at, end, orders[i])) return false;
        }
        if (orders.Count > count) orders.RemoveRange(count, orders.Count - count);
        return true;
    }

    private static bool Read(ref byte b, ref int at, int end, HandAccount.Order v)
    {
        if (end - at < 4) return false;
        v.Id = Raw.Get<int>(ref b, at);
        at += 4;
        if ((v.Symbol = Text(ref b, ref at, end, v.Symbol)) == null || end - at < 18) return false;
        v.Side = Raw.Get<byte>(ref b, at);
        v.Type = Raw.Get<byte>(ref b, at + 1);
        v.Price = Raw.Get<double>(ref b, at + 2);
        v.Volume = Raw.Get<double>(ref b, at + 10);
        at += 18;
        return true;
    }

    private static bool Read(ref byte b, ref int at, int end, HandAccount.Balance v)
    {
        if ((v.Currency = Text(ref b, ref at, end, v.Currency)) == null || end - at < 8) return false;
        v.Amount = Raw.Get<double>(ref b, at);
        at += 8;
        return true;
    }

    private static string Text(ref byte b, ref int at, int end, string old)
    {
        if (end - at < 4) return null;
        int size = Raw.Get<int>(ref b, at), from = at + 4;
        if ((uint)size > (uint)(end - from)) return null;
        at = from + size;
        return Raw.Kept(ref b, from, size, old);
    }
}
