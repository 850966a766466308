// It refers to classes of another assembly, and through them to those of a third.
using System;

static class Shared
{
    static void Main()
    {
        var item = new Acme.Shop.Item { Price = new Acme.Base.Money { Amount = 5 } };
        var order = new Acme.Shop.Order { Id = 1, Item = item };
        if (!Acme.Shop.Order.Decode(order.Encode()).Equals(order)) throw new Exception("bytes and back");
        Console.WriteLine("loaded");
    }
}
