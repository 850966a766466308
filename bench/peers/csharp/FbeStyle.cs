using System;
using System.Collections.Generic;
using System.Text;

/// <summary>The account as the C# code works that FBE's compiler makes: values are structs, and a model over a buffer has an object for each
/// field, which knows its place, looks up the offset at each access, and asks whether the field is within the buffer and within the
/// record. Own writing in that style, as the generated code and its runtime are in no registry.</summary>
internal sealed class FbeStyle
{
    /// <summary>The bytes of a message, of which a part is looked at.</summary>
    internal sealed class Buffer
    {
        internal byte[] Data = new byte[0];
        internal long Size;
        internal long Offset;

        internal void Attach(byte[] bytes)
        {
            Data = bytes;
            Size = bytes.Length;
            Offset = 0;
        }

        internal void Reset()
        {
            Size = 0;
            Offset = 0;
        }

        internal long Allocate(long more)
        {
            long at = Size, total = Size + more;
            if (total > Data.Length) Array.Resize(ref Data, (int)Math.Max(total, 2L * Data.Length));
            Size = total;
            return at;
        }

        internal void Shift(long by) => Offset += by;

        internal void Unshift(long by) => Offset -= by;
    }

    internal static int ReadInt(byte[] b, long at) => b[at] | b[at + 1] << 8 | b[at + 2] << 16 | b[at + 3] << 24;

    internal static long ReadLong(byte[] b, long at) => (uint)ReadInt(b, at) | (long)ReadInt(b, at + 4) << 32;

    internal static void WriteInt(byte[] b, long at, int value)
    {
        b[at] = (byte)value;
        b[at + 1] = (byte)(value >> 8);
        b[at + 2] = (byte)(value >> 16);
        b[at + 3] = (byte)(value >> 24);
    }

    internal static void WriteLong(byte[] b, long at, long value)
    {
        WriteInt(b, at, (int)value);
        WriteInt(b, at + 4, (int)(value >> 32));
    }

    internal struct Balance
    {
        internal string Currency;
        internal double Amount;

        internal static Balance Default => new Balance { Currency = "" };
    }

    internal struct Order
    {
        internal int Id;
        internal string Symbol;
        internal byte Side;
        internal byte Type;
        internal double Price;
        internal double Volume;

        internal static Order Default => new Order { Symbol = "" };
    }

    internal struct Account
    {
        internal int Id;
        internal string Name;
        internal byte State;
        internal Balance Wallet;
        internal Balance? Asset;
        internal List<Order> Orders;

        internal static Account Default => new Account { Name = "", State = 11, Wallet = Balance.Default, Orders = new List<Order>() };
    }

    /// <summary>A field at a place.</summary>
    internal abstract class Field
    {
        protected readonly Buffer buffer;
        internal long At;

        protected Field(Buffer buffer, long at)
        {
            this.buffer = buffer;
            At = at;
        }

        internal abstract long Size { get; }

        protected bool IsWithin => buffer.Offset + At + Size <= buffer.Size;

        protected long Place => buffer.Offset + At;

        internal virtual bool Verify() => true;
    }

    internal sealed class IntField : Field
    {
        internal IntField(Buffer buffer, long at) : base(buffer, at) { }

        internal override long Size => 4;

        internal void Get(out int value, int otherwise) => value = IsWithin ? ReadInt(buffer.Data, Place) : otherwise;

        internal void Set(int value)
        {
            if (IsWithin) WriteInt(buffer.Data, Place, value);
        }
    }

    internal sealed class ByteField : Field
    {
        internal ByteField(Buffer buffer, long at) : base(buffer, at) { }

        internal override long Size => 1;

        internal void Get(out byte value, byte otherwise) => value = IsWithin ? buffer.Data[Place] : otherwise;

        internal void Set(byte value)
        {
            if (IsWithin) buffer.Data[Place] = value;
        }
    }

    internal sealed class DoubleField : Field
    {
        internal DoubleField(Buffer buffer, long at) : base(buffer, at) { }

        internal override long Size => 8;

        internal void Get(out double value, double otherwise) =>
            value = IsWithin ? BitConverter.Int64BitsToDouble(ReadLong(buffer.Data, Place)) : otherwise;

        internal void Set(double value)
        {
            if (IsWithin) WriteLong(buffer.Data, Place, BitConverter.DoubleToInt64Bits(value));
        }
    }

    internal sealed class TextField : Field
    {
        internal TextField(Buffer buffer, long at) : base(buffer, at) { }

        internal override long Size => 4;

        internal override bool Verify()
        {
            if (!IsWithin) return true;
            long offset = (uint)ReadInt(buffer.Data, Place);
            if (offset == 0) return true;
            if (buffer.Offset + offset + 4 > buffer.Size) return false;
            long length = (uint)ReadInt(buffer.Data, buffer.Offset + offset);
            return buffer.Offset + offset + 4 + length <= buffer.Size;
        }

        internal void Get(out string value, string otherwise)
        {
            value = otherwise;
            if (!IsWithin) return;
            long offset = (uint)ReadInt(buffer.Data, Place);
            if (offset == 0 || buffer.Offset + offset + 4 > buffer.Size) return;
            long length = (uint)ReadInt(buffer.Data, buffer.Offset + offset);
            if (buffer.Offset + offset + 4 + length > buffer.Size) return;
            value = Encoding.UTF8.GetString(buffer.Data, (int)(buffer.Offset + offset + 4), (int)length);
        }

        internal void Set(string value)
        {
            if (!IsWithin) return;
            int length = Encoding.UTF8.GetByteCount(value);
            long offset = buffer.Allocate(4 + length) - buffer.Offset;
            if (offset <= 0) return;
            WriteInt(buffer.Data, Place, (int)offset);
            WriteInt(buffer.Data, buffer.Offset + offset, length);
            Encoding.UTF8.GetBytes(value, 0, value.Length, buffer.Data, (int)(buffer.Offset + offset + 4));
        }
    }

    /// <summary>A record behind an offset.</summary>
    internal abstract class Record : Field
    {
        protected Record(Buffer buffer, long at) : base(buffer, at) { }

        internal override long Size => 4;

        protected abstract long Body { get; }

        protected abstract int Type { get; }

        protected abstract bool VerifyFields(long size);

        internal override bool Verify()
        {
            if (!IsWithin) return true;
            long offset = (uint)ReadInt(buffer.Data, Place);
            if (offset == 0 || buffer.Offset + offset + 8 > buffer.Size) return false;
            long size = (uint)ReadInt(buffer.Data, buffer.Offset + offset);
            if (size < 8 || ReadInt(buffer.Data, buffer.Offset + offset + 4) != Type) return false;
            buffer.Shift(offset);
            bool isRight = VerifyFields(size);
            buffer.Unshift(offset);
            return isRight;
        }

        protected long GetBegin(out long size)
        {
            size = 0;
            if (!IsWithin) return 0;
            long offset = (uint)ReadInt(buffer.Data, Place);
            if (offset == 0 || buffer.Offset + offset + 8 > buffer.Size) return 0;
            size = (uint)ReadInt(buffer.Data, buffer.Offset + offset);
            if (size < 8) return 0;
            buffer.Shift(offset);
            return offset;
        }

        protected long SetBegin()
        {
            if (!IsWithin) return 0;
            long offset = buffer.Allocate(Body) - buffer.Offset;
            if (offset <= 0) return 0;
            WriteInt(buffer.Data, Place, (int)offset);
            WriteInt(buffer.Data, buffer.Offset + offset, (int)Body);
            WriteInt(buffer.Data, buffer.Offset + offset + 4, Type);
            buffer.Shift(offset);
            return offset;
        }
    }

    internal sealed class BalanceField : Record
    {
        private readonly TextField currency;
        private readonly DoubleField amount;

        internal BalanceField(Buffer buffer, long at) : base(buffer, at)
        {
            currency = new TextField(buffer, 8);
            amount = new DoubleField(buffer, currency.At + currency.Size);
        }

        protected override long Body => 8 + currency.Size + amount.Size;

        protected override int Type => 2;

        protected override bool VerifyFields(long size)
        {
            long now = 8;
            if (now + currency.Size > size) return true;
            if (!currency.Verify()) return false;
            now += currency.Size;
            return now + amount.Size > size || amount.Verify();
        }

        internal void Get(out Balance value)
        {
            value = Balance.Default;
            long begin = GetBegin(out long size);
            if (begin == 0) return;
            long now = 8;
            if (now + currency.Size <= size) currency.Get(out value.Currency, "");
            now += currency.Size;
            if (now + amount.Size <= size) amount.Get(out value.Amount, 0);
            buffer.Unshift(begin);
        }

        internal void Set(Balance value)
        {
            long begin = SetBegin();
            if (begin == 0) return;
            currency.Set(value.Currency);
            amount.Set(value.Amount);
            buffer.Unshift(begin);
        }
    }

    internal sealed class OptionalBalance : Field
    {
        private readonly BalanceField value;

        internal OptionalBalance(Buffer buffer, long at) : base(buffer, at) => value = new BalanceField(buffer, 0);

        internal override long Size => 5;

        private bool HasValue => IsWithin && buffer.Data[Place] != 0;

        internal override bool Verify()
        {
            if (!IsWithin || !HasValue) return true;
            long offset = (uint)ReadInt(buffer.Data, Place + 1);
            if (offset == 0) return false;
            buffer.Shift(offset);
            bool isRight = value.Verify();
            buffer.Unshift(offset);
            return isRight;
        }

        internal void Get(out Balance? balance)
        {
            balance = null;
            if (!HasValue) return;
            long offset = (uint)ReadInt(buffer.Data, Place + 1);
            if (offset == 0) return;
            buffer.Shift(offset);
            value.Get(out Balance one);
            balance = one;
            buffer.Unshift(offset);
        }

        internal void Set(Balance? balance)
        {
            if (!IsWithin) return;
            buffer.Data[Place] = (byte)(balance.HasValue ? 1 : 0);
            if (!balance.HasValue)
            {
                WriteInt(buffer.Data, Place + 1, 0);
                return;
            }
            long offset = buffer.Allocate(value.Size) - buffer.Offset;
            WriteInt(buffer.Data, Place + 1, (int)offset);
            buffer.Shift(offset);
            value.Set(balance.Value);
            buffer.Unshift(offset);
        }
    }

    internal sealed class OrderField : Record
    {
        private readonly IntField id;
        private readonly TextField symbol;
        private readonly ByteField side;
        private readonly ByteField type;
        private readonly DoubleField price;
        private readonly DoubleField volume;

        internal OrderField(Buffer buffer, long at) : base(buffer, at)
        {
            id = new IntField(buffer, 8);
            symbol = new TextField(buffer, id.At + id.Size);
            side = new ByteField(buffer, symbol.At + symbol.Size);
            type = new ByteField(buffer, side.At + side.Size);
            price = new DoubleField(buffer, type.At + type.Size);
            volume = new DoubleField(buffer, price.At + price.Size);
        }

        protected override long Body => 8 + id.Size + symbol.Size + side.Size + type.Size + price.Size + volume.Size;

        protected override int Type => 1;

        protected override bool VerifyFields(long size)
        {
            long now = 8;
            if (now + id.Size > size) return true;
            if (!id.Verify()) return false;
            now += id.Size;
            if (now + symbol.Size > size) return true;
            if (!symbol.Verify()) return false;
            now += symbol.Size;
            if (now + side.Size > size) return true;
            if (!side.Verify()) return false;
            now += side.Size;
            if (now + type.Size > size) return true;
            if (!type.Verify()) return false;
            now += type.Size;
            if (now + price.Size > size) return true;
            if (!price.Verify()) return false;
            now += price.Size;
            return now + volume.Size > size || volume.Verify();
        }

        internal void Get(out Order value)
        {
            value = Order.Default;
            long begin = GetBegin(out long size);
            if (begin == 0) return;
            long now = 8;
            if (now + id.Size <= size) id.Get(out value.Id, 0);
            now += id.Size;
            if (now + symbol.Size <= size) symbol.Get(out value.Symbol, "");
            now += symbol.Size;
            if (now + side.Size <= size) side.Get(out value.Side, 0);
            now += side.Size;
            if (now + type.Size <= size) type.Get(out value.Type, 0);
            now += type.Size;
            if (now + price.Size <= size) price.Get(out value.Price, 0);
            now += price.Size;
            if (now + volume.Size <= size) volume.Get(out value.Volume, 0);
            buffer.Unshift(begin);
        }

        internal void Set(Order value)
        {
            long begin = SetBegin();
            if (begin == 0) return;
            id.Set(value.Id);
            symbol.Set(value.Symbol);
            side.Set(value.Side);
            type.Set(value.Type);
            price.Set(value.Price);
            volume.Set(value.Volume);
            buffer.Unshift(begin);
        }
    }

    internal sealed class OrdersField : Field
    {
        private readonly OrderField item;

        internal OrdersField(Buffer buffer, long at) : base(buffer, at) => item = new OrderField(buffer, 0);

        internal override long Size => 4;

        private OrderField First(long offset)
        {
            item.At = offset + 4;
            return item;
        }

        internal override bool Verify()
        {
            if (!IsWithin) return true;
            long offset = (uint)ReadInt(buffer.Data, Place);
            if (offset == 0) return true;
            if (buffer.Offset + offset + 4 > buffer.Size) return false;
            OrderField one = First(offset);
            for (long left = (uint)ReadInt(buffer.Data, buffer.Offset + offset); left > 0; left--)
            {
                if (!one.Verify()) return false;
                one.At += one.Size;
            }
            return true;
        }

        internal void Get(List<Order> values)
        {
            values.Clear();
            if (!IsWithin) return;
            long offset = (uint)ReadInt(buffer.Data, Place);
            if (offset == 0) return;
            int count = ReadInt(buffer.Data, buffer.Offset + offset);
            values.Capacity = Math.Max(values.Capacity, count);
            OrderField one = First(offset);
            for (int left = count; left > 0; left--)
            {
                one.Get(out Order value);
                values.Add(value);
                one.At += one.Size;
            }
        }

        internal void Set(List<Order> values)
        {
            if (!IsWithin) return;
            long offset = buffer.Allocate(4 + 4L * values.Count) - buffer.Offset;
            WriteInt(buffer.Data, Place, (int)offset);
            WriteInt(buffer.Data, buffer.Offset + offset, values.Count);
            OrderField one = First(offset);
            foreach (Order value in values)
            {
                one.Set(value);
                one.At += one.Size;
            }
        }
    }

    internal sealed class AccountField : Record
    {
        private readonly IntField id;
        private readonly TextField name;
        private readonly ByteField state;
        private readonly BalanceField wallet;
        private readonly OptionalBalance asset;
        private readonly OrdersField orders;

        internal AccountField(Buffer buffer, long at) : base(buffer, at)
        {
            id = new IntField(buffer, 8);
            name = new TextField(buffer, id.At + id.Size);
            state = new ByteField(buffer, name.At + name.Size);
            wallet = new BalanceField(buffer, state.At + state.Size);
            asset = new OptionalBalance(buffer, wallet.At + wallet.Size);
            orders = new OrdersField(buffer, asset.At + asset.Size);
        }

        protected override long Body => 8 + id.Size + name.Size + state.Size + wallet.Size + asset.Size + orders.Size;

        protected override int Type => 3;

        protected override bool VerifyFields(long size)
        {
            long now = 8;
            if (now + id.Size > size) return true;
            if (!id.Verify()) return false;
            now += id.Size;
            if (now + name.Size > size) return true;
            if (!name.Verify()) return false;
            now += name.Size;
            if (now + state.Size > size) return true;
            if (!state.Verify()) return false;
            now += state.Size;
            if (now + wallet.Size > size) return true;
            if (!wallet.Verify()) return false;
            now += wallet.Size;
            if (now + asset.Size > size) return true;
            if (!asset.Verify()) return false;
            now += asset.Size;
            return now + orders.Size > size || orders.Verify();
        }

        internal void Get(out Account value)
        {
            value = Account.Default;
            long begin = GetBegin(out long size);
            if (begin == 0) return;
            long now = 8;
            if (now + id.Size <= size) id.Get(out value.Id, 0);
            now += id.Size;
            if (now + name.Size <= size) name.Get(out value.Name, "");
            now += name.Size;
            if (now + state.Size <= size) state.Get(out value.State, 11);
            now += state.Size;
            if (now + wallet.Size <= size) wallet.Get(out value.Wallet);
            now += wallet.Size;
            if (now + asset.Size <= size) asset.Get(out value.Asset);
            now += asset.Size;
            if (now + orders.Size <= size) orders.Get(value.Orders);
            buffer.Unshift(begin);
        }

        internal void Set(Account value)
        {
            long begin = SetBegin();
            if (begin == 0) return;
            id.Set(value.Id);
            name.Set(value.Name);
            state.Set(value.State);
            wallet.Set(value.Wallet);
            asset.Set(value.Asset);
            orders.Set(value.Orders);
            buffer.Unshift(begin);
        }
    }

    internal readonly Buffer Bytes = new Buffer();
    private readonly AccountField model;

    internal FbeStyle() => model = new AccountField(Bytes, 4);

    internal long Serialize(Account value)
    {
        Bytes.Reset();
        Bytes.Allocate(8);
        model.Set(value);
        WriteInt(Bytes.Data, 0, (int)Bytes.Size);
        return Bytes.Size;
    }

    internal bool Verify() => Bytes.Size >= 8 && ReadInt(Bytes.Data, 0) >= 8 && model.Verify();

    internal void Deserialize(out Account value) => model.Get(out value);
}
