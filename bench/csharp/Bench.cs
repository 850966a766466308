using System;
using System.IO;
using System.Runtime.InteropServices;
using Example.Book;
using Example.Proto;

/// <summary>Generated C#, codecs by hand and peers: the account of FBE and the address book.</summary>
internal static class Bench
{
    /// <summary>The folder with the messages, and how many slices; with none it is only seen whether all agree.</summary>
    private static void Main(string[] args)
    {
        var race = new Race(int.Parse(args[1]));
        byte[] standard = File.ReadAllBytes(Path.Combine(args[0], "account.bin"));
        AddAccount(race, standard);
        AddFbeStyle(race, standard);
        Final.Add(race, File.ReadAllBytes(Path.Combine(args[0], "final.bin")));
        Flat.Add(race);
        Cars.Add(race, File.ReadAllBytes(Path.Combine(args[0], "car.bin")));
        Numbers.Add(race);
        byte[] book = File.ReadAllBytes(Path.Combine(args[0], "book.bin"));
        AddBook(race, book);
#if NET5_0_OR_GREATER
        Protobufs.Add(race, Hand(standard), book);
#endif
        if (args[1] == "0") return;
        Console.WriteLine(RuntimeInformation.FrameworkDescription);
        race.Run();
    }

    internal static void Check(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException("it is not so that " + what);
    }

    internal static bool Same(ReadOnlySpan<byte> some, ReadOnlySpan<byte> others) => some.SequenceEqual(others);

    internal static bool Same(byte[] target, long size, byte[] bytes) => size == bytes.Length && Same(target.AsSpan(0, bytes.Length), bytes);

    /// <summary>The same account with other texts.</summary>
    internal static Account Other(Account account)
    {
        Account other = account.Clone();
        other.Name = other.Name.ToUpperInvariant();
        other.Wallet.Currency = "EUR";
        if (other.Asset != null) other.Asset.Currency = "GBP";
        foreach (Order order in other.Orders) order.Symbol = order.Symbol.ToLowerInvariant();
        return other;
    }

    private static HandAccount.Account Hand(byte[] bytes)
    {
        var hand = new HandAccount.Account();
        Check(HandAccount.Read(bytes, hand), "the floor reads the account");
        return hand;
    }

    private static void AddAccount(Race race, byte[] bytes)
    {
        byte[] target = new byte[2 * bytes.Length + 256];
        HandAccount.Account hand = Hand(bytes);
        Check(Same(target, HandAccount.Write(target, hand), bytes) && HandAccount.Verify(bytes), "the floor writes what it read");
        Account own = Account.Decode(bytes);
        byte[] changed = Other(own).Encode();
        Check(Same(own.Encode(), bytes) && Hand(changed).Name == hand.Name.ToUpperInvariant(), "generated code writes what it read");
        race.Add("FBE account, encode", "by hand", 1, () => HandAccount.Write(target, hand));
        race.Add("FBE account, encode", "aldis", 1, () => own.TryEncode(target, out int written) ? written : 0);
        var read = Hand(bytes);
        race.Add("FBE account, decode", "by hand", 2, () => HandAccount.Read(bytes, read) && HandAccount.Read(changed, read) ? read.Id : 0);
        Account used = Account.Decode(bytes);
        race.Add("FBE account, decode", "aldis", 2, () => Account.Decode(bytes, used).Id + Account.Decode(changed, used).Id);
        var kept = Hand(bytes);
        race.Add("FBE account, decode, texts kept", "by hand", 1, () => HandAccount.Read(bytes, kept) ? kept.Id : 0);
        Account again = Account.Decode(bytes);
        race.Add("FBE account, decode, texts kept", "aldis", 1, () => Account.Decode(bytes, again).Id);
        race.Add("FBE account, decode, fresh", "by hand", 1, () =>
        {
            var fresh = new HandAccount.Account();
            return HandAccount.Read(bytes, fresh) ? fresh.Id : 0;
        });
        race.Add("FBE account, decode, fresh", "aldis", 1, () => Account.Decode(bytes).Id);
        race.Add("FBE account, verify", "by hand", 1, () => HandAccount.Verify(bytes) ? bytes[8] : 0);
        race.Add("FBE account, verify", "aldis", 1, () =>
        {
            Account.Verify(bytes);
            return bytes[8];
        });
    }

    private static void AddFbeStyle(Race race, byte[] bytes)
    {
        var reader = new FbeStyle();
        reader.Bytes.Attach(bytes);
        reader.Deserialize(out FbeStyle.Account value);
        var writer = new FbeStyle();
        Check(reader.Verify() && writer.Serialize(value) > 0 && Same(writer.Bytes.Data, writer.Bytes.Size, bytes), "FBE's style writes what it read");
        race.Add("FBE account, encode", "FBE's style", 1, () => writer.Serialize(value));
        Func<long> decode = () =>
        {
            reader.Bytes.Attach(bytes);
            reader.Deserialize(out FbeStyle.Account into);
            return into.Id;
        };
        race.Add("FBE account, decode", "FBE's style", 1, decode);
        race.Add("FBE account, decode, texts kept", "FBE's style", 1, decode);
        race.Add("FBE account, decode, fresh", "FBE's style", 1, decode);
        race.Add("FBE account, decode", "FBE's style, with its verify", 1, () =>
        {
            reader.Bytes.Attach(bytes);
            if (!reader.Verify()) return 0;
            reader.Deserialize(out FbeStyle.Account into);
            return into.Id;
        });
        race.Add("FBE account, verify", "FBE's style", 1, () =>
        {
            reader.Bytes.Attach(bytes);
            return reader.Verify() ? bytes[8] : 0;
        });
    }

    private static void AddBook(Race race, byte[] bytes)
    {
        byte[] target = new byte[4 * bytes.Length];
        var hand = new HandBook();
        Check(hand.Read(bytes) && Same(target, hand.Write(target), bytes), "the floor reads and writes the book");
        AddressBook own = AddressBook.Decode(bytes);
        Check(Same(own.Encode(), bytes), "generated code reads and writes the book");
        race.Add("address book of 50, encode", "by hand", 1, () => hand.Write(target));
        race.Add("address book of 50, encode", "aldis", 1, () => own.TryEncode(target, out int written) ? written : 0);
        race.Add("address book of 50, decode", "by hand", 1, () =>
        {
            var fresh = new HandBook();
            return fresh.Read(bytes) ? fresh.People.Count : 0;
        });
        race.Add("address book of 50, decode", "aldis", 1, () => AddressBook.Decode(bytes).People.Count);
        var kept = new HandBook();
        race.Add("address book of 50, decode, texts kept", "by hand", 1, () => kept.Read(bytes) ? kept.People.Count : 0);
        AddressBook used = AddressBook.Decode(bytes);
        race.Add("address book of 50, decode, texts kept", "aldis", 1, () => AddressBook.Decode(bytes, used).People.Count);
    }
}
