#if NET5_0_OR_GREATER
using System;
using Google.Protobuf;
using AccountProtobuf;
using BookProtobuf;

/// <summary>The account and the address book by Google.Protobuf, of its generated classes.</summary>
internal static class Protobuf
{
    private static Balance Of(HandAccount.Balance v) => new Balance { Currency = v.Currency, Amount = v.Amount };

    internal static Account Of(HandAccount.Account v)
    {
        var made = new Account { Id = v.Id, Name = v.Name, State = v.State, Wallet = Of(v.Wallet) };
        if (v.Asset != null) made.Asset = Of(v.Asset);
        foreach (HandAccount.Order one in v.Orders)
        {
            var order = new Order { Id = one.Id, Symbol = one.Symbol, Side = (Side)one.Side, Type = (AccountProtobuf.Type)one.Type };
            order.Price = one.Price;
            order.Volume = one.Volume;
            made.Orders.Add(order);
        }
        return made;
    }

    internal static AddressBook Of(HandBook v)
    {
        var made = new AddressBook();
        foreach (HandBook.Person one in v.People)
        {
            var person = new Person { Id = one.Id, Name = one.Name, Email = one.Email };
            foreach (HandBook.Phone phone in one.Phones) person.Phones.Add(new Phone { Number = phone.Number, Type = (PhoneType)phone.Type });
            if (one.Work == 0) person.Unemployed = true;
            else if (one.Work == 1) person.Employer = one.Place;
            else if (one.Work == 2) person.School = one.Place;
            else person.SelfEmployed = true;
            made.People.Add(person);
        }
        return made;
    }

    /// <summary>Writes into the bytes; gives how many.</summary>
    internal static int Write(byte[] bytes, IMessage v)
    {
        int size = v.CalculateSize();
        v.WriteTo(bytes.AsSpan(0, size));
        return size;
    }
}
#endif
