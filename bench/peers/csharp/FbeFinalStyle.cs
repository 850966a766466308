using System;
using System.Collections.Generic;
using System.Text;

/// <summary>The account in Final form as FBE's C# code works: a model of each field that asks for its room and gives its size back. Own
/// writing in that style.</summary>
internal sealed class FbeFinalStyle
{
    /// <summary>A value at a place of the buffer.</summary>
    internal abstract class Model
    {
        protected readonly FbeStyle.Buffer buffer;
        internal long At;

        protected Model(FbeStyle.Buffer buffer) => this.buffer = buffer;

        protected bool IsWithin(long size) => buffer.Offset + At + size <= buffer.Size;

        protected long Place => buffer.Offset + At;
    }

    internal sealed class IntModel : Model
    {
        internal IntModel(FbeStyle.Buffer buffer) : base(buffer) { }

        internal long Get(out int value)
        {
            value = 0;
            if (!IsWithin(4)) return 0;
            value = FbeStyle.ReadInt(buffer.Data, Place);
            return 4;
        }

        internal long Set(int value)
        {
            if (!IsWithin(4)) return 0;
            FbeStyle.WriteInt(buffer.Data, Place, value);
            return 4;
        }
    }

    internal sealed class ByteModel : Model
    {
        internal ByteModel(FbeStyle.Buffer buffer) : base(buffer) { }

        internal long Get(out byte value)
        {
            value = 0;
            if (!IsWithin(1)) return 0;
            value = buffer.Data[Place];
            return 1;
        }

        internal long Set(byte value)
        {
            if (!IsWithin(1)) return 0;
            buffer.Data[Place] = value;
            return 1;
        }
    }

    internal sealed class DoubleModel : Model
    {
        internal DoubleModel(FbeStyle.Buffer buffer) : base(buffer) { }

        internal long Get(out double value)
        {
            value = 0;
            if (!IsWithin(8)) return 0;
            value = BitConverter.Int64BitsToDouble(FbeStyle.ReadLong(buffer.Data, Place));
            return 8;
        }

        internal long Set(double value)
        {
            if (!IsWithin(8)) return 0;
            FbeStyle.WriteLong(buffer.Data, Place, BitConverter.DoubleToInt64Bits(value));
            return 8;
        }
    }

    internal sealed class TextModel : Model
    {
        internal TextModel(FbeStyle.Buffer buffer) : base(buffer) { }

        internal long Get(out string value)
        {
            value = "";
            if (!IsWithin(4)) return 0;
            int size = FbeStyle.ReadInt(buffer.Data, Place);
            if (!IsWithin(4 + size)) return 4;
            value = Encoding.UTF8.GetString(buffer.Data, (int)Place + 4, size);
            return 4 + size;
        }

        internal long Set(string value)
        {
            int size = Encoding.UTF8.GetByteCount(value);
            if (!IsWithin(4 + size)) return 4;
            FbeStyle.WriteInt(buffer.Data, Place, size);
            Encoding.UTF8.GetBytes(value, 0, value.Length, buffer.Data, (int)Place + 4);
            return 4 + size;
        }

        internal static long Room(string value) => 4 + 3L * (value.Length + 1);
    }

    internal sealed class BalanceModel : Model
    {
        private readonly TextModel currency;
        private readonly DoubleModel amount;

        internal BalanceModel(FbeStyle.Buffer buffer) : base(buffer)
        {
            currency = new TextModel(buffer);
            amount = new DoubleModel(buffer);
        }

        internal static long Room(FbeStyle.Balance value) => TextModel.Room(value.Currency) + 8;

        internal long Get(out FbeStyle.Balance value)
        {
            value = FbeStyle.Balance.Default;
            buffer.Shift(At);
            long now = 0;
            currency.At = now;
            now += currency.Get(out value.Currency);
            amount.At = now;
            now += amount.Get(out value.Amount);
            buffer.Unshift(At);
            return now;
        }

        internal long Set(FbeStyle.Balance value)
        {
            buffer.Shift(At);
            long now = 0;
            currency.At = now;
            now += currency.Set(value.Currency);
            amount.At = now;
            now += amount.Set(value.Amount);
            buffer.Unshift(At);
            return now;
        }
    }

    internal sealed class OrderModel : Model
    {
        private readonly IntModel id;
        private readonly TextModel symbol;
        private readonly ByteModel side;
        private readonly ByteModel type;
        private readonly DoubleModel price;
        private readonly DoubleModel volume;

        internal OrderModel(FbeStyle.Buffer buffer) : base(buffer)
        {
            id = new IntModel(buffer);
            symbol = new TextModel(buffer);
            side = new ByteModel(buffer);
            type = new ByteModel(buffer);
            price = new DoubleModel(buffer);
            volume = new DoubleModel(buffer);
        }

        internal static long Room(FbeStyle.Order value) => 4 + TextModel.Room(value.Symbol) + 18;

        internal long Get(out FbeStyle.Order value)
        {
            value = FbeStyle.Order.Default;
            buffer.Shift(At);
            long now = 0;
            id.At = now;
            now += id.Get(out value.Id);
            symbol.At = now;
            now += symbol.Get(out value.Symbol);
            side.At = now;
            now += side.Get(out value.Side);
            type.At = now;
            now += type.Get(out value.Type);
            price.At = now;
            now += price.Get(out value.Price);
            volume.At = now;
            now += volume.Get(out value.Volume);
            buffer.Unshift(At);
            return now;
        }

        internal long Set(FbeStyle.Order value)
        {
            buffer.Shift(At);
            long now = 0;
            id.At = now;
            now += id.Set(value.Id);
            symbol.At = now;
            now += symbol.Set(value.Symbol);
            side.At = now;
            now += side.Set(value.Side);
            type.At = now;
            now += type.Set(value.Type);
            price.At = now;
            now += price.Set(value.Price);
            volume.At = now;
            now += volume.Set(value.Volume);
            buffer.Unshift(At);
            return now;
        }
    }

    internal readonly FbeStyle.Buffer Bytes = new FbeStyle.Buffer();
    private readonly IntModel number;
    private readonly TextModel name;
    private readonly ByteModel octet;
    private readonly BalanceModel balance;
    private readonly OrderModel order;

    internal FbeFinalStyle()
    {
        number = new IntModel(Bytes);
        name = new TextModel(Bytes);
        octet = new ByteModel(Bytes);
        balance = new BalanceModel(Bytes);
        order = new OrderModel(Bytes);
    }

    private static long Room(FbeStyle.Account value)
    {
        long room = 4 + TextModel.Room(value.Name) + 1 + BalanceModel.Room(value.Wallet) + 1 + 4;
        if (value.Asset.HasValue) room += BalanceModel.Room(value.Asset.Value);
        foreach (FbeStyle.Order one in value.Orders) room += OrderModel.Room(one);
        return room;
    }

    internal long Serialize(FbeStyle.Account value)
    {
        Bytes.Reset();
        Bytes.Allocate(8 + Room(value));
        FbeStyle.WriteInt(Bytes.Data, 4, 3);
        long now = 8;
        number.At = now;
        now += number.Set(value.Id);
        name.At = now;
        now += name.Set(value.Name);
        octet.At = now;
        now += octet.Set(value.State);
        balance.At = now;
        now += balance.Set(value.Wallet);
        octet.At = now;
        now += octet.Set((byte)(value.Asset.HasValue ? 1 : 0));
        if (value.Asset.HasValue)
        {
            balance.At = now;
            now += balance.Set(value.Asset.Value);
        }
        number.At = now;
        now += number.Set(value.Orders.Count);
        foreach (FbeStyle.Order one in value.Orders)
        {
            order.At = now;
            now += order.Set(one);
        }
        FbeStyle.WriteInt(Bytes.Data, 0, (int)now);
        Bytes.Size = now;
        return now;
    }

    internal void Deserialize(out FbeStyle.Account value)
    {
        value = FbeStyle.Account.Default;
        long now = 8;
        number.At = now;
        now += number.Get(out value.Id);
        name.At = now;
        now += name.Get(out value.Name);
        octet.At = now;
        now += octet.Get(out value.State);
        balance.At = now;
        now += balance.Get(out value.Wallet);
        octet.At = now;
        now += octet.Get(out byte flag);
        if (flag != 0)
        {
            balance.At = now;
            now += balance.Get(out FbeStyle.Balance asset);
            value.Asset = asset;
        }
        number.At = now;
        now += number.Get(out int count);
        value.Orders.Capacity = count;
        for (int i = 0; i < count; i++)
        {
            order.At = now;
            now += order.Get(out FbeStyle.Order one);
            value.Orders.Add(one);
        }
    }
}
