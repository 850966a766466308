#if NET5_0_OR_GREATER
using AccountProtobuf;

/// <summary>The account and the address book of Google.Protobuf, which asks for .NET 5.</summary>
internal static class Protobufs
{
    internal static void Add(Race race, HandAccount.Account hand, byte[] bookBytes)
    {
        Account built = Protobuf.Of(hand);
        byte[] target = new byte[built.CalculateSize()];
        Protobuf.Write(target, built);
        byte[] wire = (byte[])target.Clone();
        Bench.Check(Account.Parser.ParseFrom(wire).Equals(built), "protobuf reads the account that it wrote");
        race.Add("FBE account, encode", "protobuf, of built objects", 1, () => Protobuf.Write(target, built));
        race.Add("FBE account, encode", "protobuf, of values", 1, () => Protobuf.Write(target, Protobuf.Of(hand)));
        race.Add("FBE account, decode", "protobuf", 1, () => Account.Parser.ParseFrom(wire).Id);
        var book = new HandBook();
        book.Read(bookBytes);
        AddBook(race, Protobuf.Of(book));
    }

    private static void AddBook(Race race, BookProtobuf.AddressBook built)
    {
        byte[] wire = new byte[built.CalculateSize()];
        Protobuf.Write(wire, built);
        byte[] target = (byte[])wire.Clone();
        Bench.Check(BookProtobuf.AddressBook.Parser.ParseFrom(wire).Equals(built), "protobuf reads the book that it wrote");
        race.Add("address book of 50, encode", "protobuf, of built objects", 1, () => Protobuf.Write(target, built));
        race.Add("address book of 50, decode", "protobuf", 1, () => BookProtobuf.AddressBook.Parser.ParseFrom(wire).People.Count);
    }
}
#endif
