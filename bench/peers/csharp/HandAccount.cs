using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// <summary>FBE's account, written and read by hand: one check a block, no budget, no depth, no path. A floor of bench/csharp.</summary>
internal static class HandAccount
{
    internal sealed class Balance
    {
        internal string Currency;
        internal double Amount;
    }

    internal sealed class Order
    {
        internal int Id;
        internal string Symbol;
        internal byte Side;
        internal byte Type;
        internal double Price;
        internal double Volume;
    }

    internal sealed class Account
    {
        internal int Id;
        internal string Name;
        internal byte State;
        internal Balance Wallet;
        internal Balance Asset;
        internal readonly List<Order> Orders = new List<Order>();
    }

    /// <summary>The most bytes that it may take, in either form.</summary>
    internal static int Most(Account v)
    {
        int most = 8 + 30 + 4 + Raw.Most(v.Name) + Most(v.Wallet) + 4;
        if (v.Asset != null) most += 4 + Most(v.Asset);
        foreach (Order one in v.Orders) most += 4 + 34 + 4 + Raw.Most(one.Symbol);
        return most;
    }

    private static int Most(Balance v) => 20 + 4 + Raw.Most(v.Currency);

    /// <summary>Writes it; gives its size, or -1 where there may be no room.</summary>
    internal static int Write(Span<byte> target, Account v)
    {
        if (Most(v) > target.Length) return -1;
        ref byte b = ref MemoryMarshal.GetReference(target);
        int end = Write(ref b, 8, v);
        Raw.Put(ref b, 0, (uint)end | 8L << 32);
        return end;
    }

    private static int Write(ref byte b, int at, Account v)
    {
        int end = at + 30;
        Raw.Put(ref b, at, 30 | 3L << 32);
        Raw.Put(ref b, at + 8, v.Id);
        Raw.Put(ref b, at + 12, end - at);
        end = Text(ref b, end, v.Name);
        Raw.Put(ref b, at + 16, v.State);
        Raw.Put(ref b, at + 17, end - at);
        end = Write(ref b, end, v.Wallet);
        if (v.Asset == null)
        {
            Raw.Put(ref b, at + 21, (byte)0);
            Raw.Put(ref b, at + 22, 0);
        }
        else
        {
            Raw.Put(ref b, at + 21, (byte)1);
            Raw.Put(ref b, at + 22, end - at);
            Raw.Put(ref b, end, 4);
            end = Write(ref b, end + 4, v.Asset);
        }
        Raw.Put(ref b, at + 26, end - at);
        int count = v.Orders.Count;
        Raw.Put(ref b, end, count);
        int cell = end + 4;
        end = cell + 4 * count;
        for (int i = 0; i < count; i++, cell += 4)
        {
            Raw.Put(ref b, cell, end - at);
            end = Write(ref b, end, v.Orders[i]);
        }
        return end;
    }

    private static int Write(ref byte b, int at, Balance v)
    {
        Raw.Put(ref b, at, 20 | 2L << 32);
        Raw.Put(ref b, at + 8, 20);
        Raw.Put(ref b, at + 12, v.Amount);
        return Text(ref b, at + 20, v.Currency);
    }

    private static int Write(ref byte b, int at, Order v)
    {
        Raw.Put(ref b, at, 34 | 1L << 32);
        Raw.Put(ref b, at + 8, v.Id);
        Raw.Put(ref b, at + 12, 34);
        Raw.Put(ref b, at + 16, v.Side);
        Raw.Put(ref b, at + 17, v.Type);
        Raw.Put(ref b, at + 18, v.Price);
        Raw.Put(ref b, at + 26, v.Volume);
        return Text(ref b, at + 34, v.Symbol);
    }

    internal static int Text(ref byte b, int at, string text)
    {
        int size = Raw.Say(ref b, at + 4, text);
        Raw.Put(ref b, at, size);
        return at + 4 + size;
    }

    // Where the account begins, and where the message ends; below zero where it is none.
    private static int Begin(ref byte b, int length, out int end)
    {
        end = length < 8 ? 0 : Raw.Get<int>(ref b, 0);
        if (end < 8 || end > length) return -1;
        int at = Raw.Follow(0, Raw.Get<int>(ref b, 4), end);
        return at < 0 || end - at < 30 || Raw.Get<int>(ref b, at) < 30 || Raw.Get<int>(ref b, at + 4) != 3 ? -1 : at;
    }

    /// <summary>Reads it into an object that may have been used; false where the bytes are wrong.</summary>
    internal static bool Read(ReadOnlySpan<byte> bytes, Account v)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        int at = Begin(ref b, bytes.Length, out int end);
        if (at < 0) return false;
        v.Id = Raw.Get<int>(ref b, at + 8);
        v.State = Raw.Get<byte>(ref b, at + 16);
        if ((v.Name = Text(ref b, at, at + 12, end, v.Name)) == null) return false;
        int wallet = Raw.Follow(at, Raw.Get<int>(ref b, at + 17), end);
        if (wallet < 0 || !Read(ref b, wallet, end, v.Wallet ??= new Balance())) return false;
        if (Raw.Get<byte>(ref b, at + 21) == 0)
        {
            v.Asset = null;
        }
        else
        {
            int cell = Raw.Follow(at, Raw.Get<int>(ref b, at + 22), end);
            if (cell < 0 || end - cell < 4) return false;
            int asset = Raw.Follow(cell, Raw.Get<int>(ref b, cell), end);
            if (asset < 0 || !Read(ref b, asset, end, v.Asset ??= new Balance())) return false;
        }
        return Read(ref b, at, end, v.Orders);
    }

    private static bool Read(ref byte b, int at, int end, List<Order> orders)
    {
        int head = Raw.Follow(at, Raw.Get<int>(ref b, at + 26), end);
        if (head < 0 || end - head < 4) return false;
        int count = Raw.Get<int>(ref b, head);
        int cell = head + 4;
        if ((uint)count > (uint)(end - cell) / 4) return false;
        for (int i = 0; i < count; i++, cell += 4)
        {
            int order = Raw.Follow(at, Raw.Get<int>(ref b, cell), end);
            if (i == orders.Count) orders.Add(new Order());
            if (order < 0 || !Read(ref b, order, end, orders[i])) return false;
        }
        if (orders.Count > count) orders.RemoveRange(count, orders.Count - count);
        return true;
    }

    private static bool Read(ref byte b, int at, int end, Balance v)
    {
        if (end - at < 20 || Raw.Get<int>(ref b, at) < 20 || Raw.Get<int>(ref b, at + 4) != 2) return false;
        v.Amount = Raw.Get<double>(ref b, at + 12);
        return (v.Currency = Text(ref b, at, at + 8, end, v.Currency)) != null;
    }

    private static bool Read(ref byte b, int at, int end, Order v)
    {
        if (end - at < 34 || Raw.Get<int>(ref b, at) < 34 || Raw.Get<int>(ref b, at + 4) != 1) return false;
        v.Id = Raw.Get<int>(ref b, at + 8);
        v.Side = Raw.Get<byte>(ref b, at + 16);
        v.Type = Raw.Get<byte>(ref b, at + 17);
        v.Price = Raw.Get<double>(ref b, at + 18);
        v.Volume = Raw.Get<double>(ref b, at + 26);
        return (v.Symbol = Text(ref b, at, at + 12, end, v.Symbol)) != null;
    }

    private static string Text(ref byte b, int from, int place, int end, string old)
    {
        int at = Raw.Follow(from, Raw.Get<int>(ref b, place), end);
        if (at < 0 || end - at < 4) return null;
        int size = Raw.Get<int>(ref b, at);
        return (uint)size > (uint)(end - at - 4) ? null : Raw.Kept(ref b, at + 4, size, old);
    }

    /// <summary>Whether the bytes are an account, of which no value is made.</summary>
    internal static bool Verify(ReadOnlySpan<byte> bytes)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        int at = Begin(ref b, bytes.Length, out int end);
        if (at < 0 || !IsText(ref b, at, at + 12, end) || !IsBalance(ref b, at, at + 17, end)) return false;
        if (Raw.Get<byte>(ref b, at + 21) != 0)
        {
            int asset = Raw.Follow(at, Raw.Get<int>(ref b, at + 22), end);
            if (asset < 0 || end - asset < 4 || !IsBalance(ref b, asset, asset, end)) return false;
        }
        int head = Raw.Follow(at, Raw.Get<int>(ref b, at + 26), end);
        if (head < 0 || end - head < 4) return false;
        int count = Raw.Get<int>(ref b, head);
        int cell = head + 4;
        if ((uint)count > (uint)(end - cell) / 4) return false;
        for (int i = 0; i < count; i++, cell += 4)
        {
            int order = Raw.Follow(at, Raw.Get<int>(ref b, cell), end);
            if (order < 0 || end - order < 34 || Raw.Get<int>(ref b, order) < 34 || Raw.Get<int>(ref b, order + 4) != 1) return false;
            if (!IsText(ref b, order, order + 12, end)) return false;
        }
        return true;
    }

    private static bool IsBalance(ref byte b, int from, int place, int end)
    {
        int at = Raw.Follow(from, Raw.Get<int>(ref b, place), end);
        if (at < 0 || end - at < 20 || Raw.Get<int>(ref b, at) < 20 || Raw.Get<int>(ref b, at + 4) != 2) return false;
        return IsText(ref b, at, at + 8, end);
    }

    private static bool IsText(ref byte b, int from, int place, int end)
    {
        int at = Raw.Follow(from, Raw.Get<int>(ref b, place), end);
        return at >= 0 && end - at >= 4 && Raw.Get<uint>(ref b, at) <= (uint)(end - at - 4);
    }
}
