using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// <summary>An address book of Cap'n Proto (conformance/schemas/addressbook.capnp) by hand, in one segment. A floor of bench/csharp.</summary>
internal sealed class HandBook
{
    internal sealed class Phone
    {
        internal string Number;
        internal ushort Type;
    }

    internal sealed class Person
    {
        internal uint Id;
        internal string Name;
        internal string Email;
        internal readonly List<Phone> Phones = new List<Phone>();

        /// <summary>Of work 0 and 3 have no name.</summary>
        internal ushort Work;
        internal string Place;
    }

    internal readonly List<Person> People = new List<Person>();

    private int Most()
    {
        int most = 32;
        foreach (Person one in People)
        {
            most += 40 + 8 + Text(one.Name) + Text(one.Email) + (one.Place == null ? 0 : Text(one.Place));
            foreach (Phone phone in one.Phones) most += 16 + Text(phone.Number);
        }
        return most;
    }

    private static int Text(string text) => Raw.Most(text) + 8 & ~7;

    /// <summary>Writes it; gives its size, or -1 where there may be no room.</summary>
    internal int Write(Span<byte> target)
    {
        if (Most() > target.Length) return -1;
        ref byte b = ref MemoryMarshal.GetReference(target);
        int count = People.Count;
        Raw.Put(ref b, 8, 1L << 48);
        Raw.Put(ref b, 16, 1 | (7L | (long)count * 5 << 3) << 32);
        Raw.Put(ref b, 24, (long)count << 2 | 1L << 32 | 4L << 48);
        int end = 32 + 40 * count;
        for (int i = 0; i < count; i++) Write(ref b, 32 + 40 * i, ref end, People[i]);
        Raw.Put(ref b, 0, (long)(end - 8) / 8 << 32);
        return end;
    }

    private static long Pointer(int place, int to, long upper) => ((to - place - 8 >> 3) << 2 | 1) & 0xffffffffL | upper << 32;

    private static void Write(ref byte b, int at, ref int end, Person v)
    {
        Raw.Put(ref b, at, v.Id | (long)v.Work << 32);
        Say(ref b, at + 8, ref end, v.Name);
        Say(ref b, at + 16, ref end, v.Email);
        int count = v.Phones.Count;
        Raw.Put(ref b, at + 24, Pointer(at + 24, end, 7L | (long)count * 2 << 3));
        Raw.Put(ref b, end, (long)count << 2 | 1L << 32 | 1L << 48);
        int phone = end + 8;
        end = phone + 16 * count;
        for (int i = 0; i < count; i++, phone += 16)
        {
            Raw.Put(ref b, phone, (long)v.Phones[i].Type);
            Say(ref b, phone + 8, ref end, v.Phones[i].Number);
        }
        if (v.Work == 1 || v.Work == 2) Say(ref b, at + 32, ref end, v.Place);
        else Raw.Put(ref b, at + 32, 0L);
    }

    private static void Say(ref byte b, int place, ref int end, string text)
    {
        int size = Raw.Say(ref b, end, text);
        Raw.Put(ref b, place, Pointer(place, end, 2L | (long)(size + 1) << 3));
        int whole = size + 8 & ~7;
        for (int i = size; i < whole; i++) Unsafe.Add(ref b, end + i) = 0;
        end += whole;
    }

    /// <summary>Reads it into an object that may have been used; false where the bytes are wrong, or of several segments.</summary>
    internal bool Read(ReadOnlySpan<byte> bytes)
    {
        ref byte b = ref MemoryMarshal.GetReference(bytes);
        if (bytes.Length < 16 || Raw.Get<int>(ref b, 0) != 0) return false;
        long words = Raw.Get<uint>(ref b, 4);
        if (words == 0 || words * 8 > bytes.Length - 8) return false;
        int end = 8 + (int)words * 8;
        long root = Raw.Get<long>(ref b, 8);
        int data = (int)(root >> 32 & 0xffff) * 8, pointers = (int)((ulong)root >> 48) * 8;
        int record = Within(8, root, data + pointers, end);
        return (root & 3) == 0 && pointers > 0 && record >= 0 && ReadPeople(ref b, record + data, end);
    }

    // The place that a pointer leads to, where so many bytes are; below zero where they are not.
    private static int Within(int place, long pointer, long size, int end)
    {
        long from = place + 8 + 8L * ((int)pointer >> 2);
        return from < 8 || from > end || size > end - from ? -1 : (int)from;
    }

    // The first of a list's records, with what their tag says; below zero where there are none such.
    private static int Records(ref byte b, int place, int end, int least, out int count, out int data, out int each)
    {
        count = data = each = 0;
        long pointer = Raw.Get<long>(ref b, place);
        if ((pointer & 0x700000003L) != 0x700000001L) return -1;
        long size = (long)((ulong)pointer >> 35) * 8;
        int tag = Within(place, pointer, size + 8, end);
        if (tag < 0) return -1;
        long head = Raw.Get<long>(ref b, tag);
        count = (int)((uint)head >> 2);
        data = (int)(head >> 32 & 0xffff) * 8;
        int pointers = (int)((ulong)head >> 48);
        each = data + 8 * pointers;
        return (head & 3) != 0 || (long)count * each > size || data < 8 || pointers < least ? -1 : tag + 8;
    }

    private bool ReadPeople(ref byte b, int place, int end)
    {
        int at = Records(ref b, place, end, 4, out int count, out int data, out int each);
        if (at < 0) return false;
        for (int i = 0; i < count; i++, at += each)
        {
            if (i == People.Count) People.Add(new Person());
            if (!Read(ref b, at, data, end, People[i])) return false;
        }
        if (People.Count > count) People.RemoveRange(count, People.Count - count);
        return true;
    }

    private static bool Read(ref byte b, int at, int data, int end, Person v)
    {
        v.Id = Raw.Get<uint>(ref b, at);
        v.Work = Raw.Get<ushort>(ref b, at + 4);
        int pointers = at + data;
        if ((v.Name = Text(ref b, pointers, end, v.Name)) == null || (v.Email = Text(ref b, pointers + 8, end, v.Email)) == null) return false;
        bool isNamed = v.Work == 1 || v.Work == 2;
        v.Place = isNamed ? Text(ref b, pointers + 24, end, v.Place) : null;
        return (!isNamed || v.Place != null) && Read(ref b, pointers + 16, end, v.Phones);
    }

    private static bool Read(ref byte b, int place, int end, List<Phone> phones)
    {
        int at = Records(ref b, place, end, 1, out int count, out int data, out int each);
        if (at < 0) return false;
        for (int i = 0; i < count; i++, at += each)
        {
            if (i == phones.Count) phones.Add(new Phone());
            Phone phone = phones[i];
            phone.Type = Raw.Get<ushort>(ref b, at);
            if ((phone.Number = Text(ref b, at + data, end, phone.Number)) == null) return false;
        }
        if (phones.Count > count) phones.RemoveRange(count, phones.Count - count);
        return true;
    }

    private static string Text(ref byte b, int place, int end, string old)
    {
        long pointer = Raw.Get<long>(ref b, place);
        long size = (long)((ulong)pointer >> 35);
        if ((pointer & 0x700000003L) != 0x200000001L || size == 0) return null;
        int from = Within(place, pointer, size + 7 & ~7L, end);
        return from < 0 || Unsafe.Add(ref b, from + (int)size - 1) != 0 ? null : Raw.Kept(ref b, from, (int)size - 1, old);
    }
}
