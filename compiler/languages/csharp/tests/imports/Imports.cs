// Name spaces that share a third: each value has one class, whoever reads it.
using System;
using System.Collections.Generic;
using Acme.Base;
using Acme.Desk;
using Acme.Far;
using Acme.Left;
using Acme.Notes;
using Acme.Right;
using Acme.Shop;
using Aldis;
using Aldis.Streams;
using Money = Acme.Base.Money;

static class Imports
{
    static void That(bool holds, string what)
    {
        if (!holds) throw new Exception(what);
    }

    static CodecException Fault(Action action)
    {
        try
        {
            action();
        }
        catch (CodecException fault)
        {
            return fault;
        }
        throw new Exception("nothing is wrong");
    }

    static Item Filled()
    {
        var item = new Item
        {
            Id = 1, Base = 77, Price = new Money { Amount = 5 }, Old = new Money { Amount = -5 }, Maybe = Acme.Base.Side.Sell, Marks = Perm.Write,
            Sides = new byte[] { 1, 0 },
        };
        item.History.Add(new Money { Amount = 6, Currency = "USD" });
        item.Keys.Add(new Key { Id = 2, Note = "two" });
        item.Keys.Add(new Key { Id = 1 });
        item.Prices.Add(new Key { Id = 9 }, new Money { Amount = 9 });
        item.Named.Add("it", new Money { Amount = 10 });
        return item;
    }

    static void Fbe()
    {
        var order = new Order { Id = 4, Item = Filled() };
        That(order.Item.Side == Acme.Base.Side.Sell && order.Item.Other == Acme.Base.Side.Buy && order.Item.Perm == Perm.Read, "defaults");
        byte[] bytes = order.Encode();
        Order again = Order.Decode(bytes);
        That(again.Equals(order) && Order.DecodeFinal(order.EncodeFinal()).Equals(order), "bytes and back");
        That(Order.FromJson(order.ToJson()).Equals(order), "JSON and back");
        Money price = again.Item.Price;
        That(Order.Decode(bytes, again) == again && again.Item.Price == price && again.Equals(order), "into a used object");
        // Values out of one schema's messages go into another's.
        var quote = new Quote { Bid = again.Item.Price, Money = new Acme.Desk.Money { Own = again.Item.Old! } };
        quote.Levels.AddRange(again.Item.History);
        That(Quote.Decode(quote.Encode()).Equals(quote) && QuoteView.Verify(quote.Encode()).Bid.Equals(price), "in another message");
        That(Quote.DecodeFinal(quote.EncodeFinal()).Levels[0].Currency == "USD", "a list of another name space's");
        quote.By = new Entity { Id = 8, Side = Acme.Base.Side.Buy, Perm = Perm.Write };
        byte[] flat = quote.EncodeFinal();
        That(QuoteViewFinal.Verify(flat).By.Equals(quote.By) && QuoteViewFinal.Verify(flat).Clone().Equals(quote), "where it lies");
        That(ItemView.Verify(Filled().Encode()).Clone().Equals(Filled()), "a view of all that another name space has");
        That(ItemViewFinal.Verify(Filled().EncodeFinal()).Clone().Equals(Filled()), "a view of all that is one behind the other");
        var kept = new Quote();
        Entity by = kept.By;
        That(Quote.DecodeFinal(flat, kept).Equals(quote) && kept.By == by, "numbers of a record that was there");
        That(ShopSchema.Decode(bytes).Equals(order) && DeskSchema.Decode(quote.Encode()).Equals(quote), "by their numbers");
        for (int size = 0; size < bytes.Length; size++)
        {
            byte[] cut = bytes.AsSpan(0, size).ToArray();
            That(Fault(() => Order.Decode(cut)).Message == Fault(() => Order.Verify(cut)).Message, "cut at " + size);
        }
        quote.Levels.Add(null!);
        That(Fault(() => quote.Encode()).Path == "levels[1]", "a path within a message");
        // A character of half a pair is no text.
        order.Item.Named["it"].Currency = "\ud800";
        CodecException wrong = Fault(() => order.Encode());
        That(wrong.Path.StartsWith("item.named[") && wrong.Path.EndsWith(".currency"), "a path through both: " + wrong.Message);
    }

    static void Requests()
    {
        var sender = new FrameSender(Framing.Fbe);
        var requests = new ShopRequests(sender.Send);
        var sold = requests.Send(new Order { Id = 3 }, TimeSpan.FromMinutes(1));
        That(requests.Answer(new Refused { Id = 3, Why = "closed" }), "another name space's answer");
        try
        {
            sold.Wait();
            That(false, "it was refused");
        }
        catch (AggregateException refused)
        {
            That(refused.InnerException is RequestRejectedException why && why.Answer is Refused, "it says why");
        }
    }

    static void Capnp()
    {
        var price = new Price { Amount = -7, Of = new Account { Owner = "Bob" } };
        var far = new Far { Price = price, Owner = new Account { Owner = "Ada", Price = price } };
        far.Owner.History = new List<Price> { price, new Price() };
        far.Note = new Note { Text = "one" };
        far.Notes = new List<Note> { new Note { Text = "two" }, new Note() };
        byte[] bytes = far.Encode();
        That(FarView.Verify(bytes).Clone().Equals(far), "a view of records that have pointers alone");
        That(Far.Decode(bytes).Equals(far) && Far.DecodePacked(far.EncodePacked()).Equals(far), "a circle of name spaces");
        That(Far.DecodeCanonical(far.EncodeCanonical()).Equals(far) && Far.FromJson(far.ToJson()).Equals(far), "its other forms");
        That(FarView.Verify(bytes).Price!.Equals(price) && Price.Decode(price.Encode()).Equals(price), "its views");
        That(Far.Decode(new Far().Encode()).Equals(new Far()), "defaults");
        That(Fault(() => Far.Decode(bytes, new Limits(2, 8, 262144, true))).Code == Code.TooDeep, "levels are counted through all");
    }

    static void Main()
    {
        Fbe();
        Requests();
        Capnp();
        foreach (string copy in new[] { "Acme.Shop.Money", "Acme.Shop.Side", "Acme.Far.Price", "Acme.Left.Price" })
        {
            That(typeof(Imports).Assembly.GetType(copy) == null, copy + " is made again");
        }
        Console.WriteLine("done");
    }
}
