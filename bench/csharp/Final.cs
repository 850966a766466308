using Example.Proto;

/// <summary>FBE's account in Final form.</summary>
internal static class Final
{
    internal static void Add(Race race, byte[] bytes)
    {
        byte[] target = new byte[3 * bytes.Length + 256];
        var hand = new HandAccount.Account();
        Bench.Check(HandFinal.Read(bytes, hand) && Bench.Same(target, HandFinal.Write(target, hand), bytes), "the floor reads and writes Final");
        Account own = Account.DecodeFinal(bytes);
        byte[] changed = Bench.Other(own).EncodeFinal();
        Bench.Check(Bench.Same(own.EncodeFinal(), bytes), "generated code reads and writes Final");
        var style = new FbeFinalStyle();
        style.Bytes.Attach(bytes);
        style.Deserialize(out FbeStyle.Account value);
        var writer = new FbeFinalStyle();
        long size = writer.Serialize(value);
        Bench.Check(Bench.Same(writer.Bytes.Data, size, bytes), "FBE's style reads and writes Final");
        race.Add("FBE Final, encode", "by hand", 1, () => HandFinal.Write(target, hand));
        race.Add("FBE Final, encode", "aldis", 1, () => own.TryEncodeFinal(target, out int written) ? written : 0);
        race.Add("FBE Final, encode", "FBE's style", 1, () => writer.Serialize(value));
        var read = new HandAccount.Account();
        race.Add("FBE Final, decode", "by hand", 2, () => HandFinal.Read(bytes, read) && HandFinal.Read(changed, read) ? read.Id : 0);
        Account used = Account.DecodeFinal(bytes);
        race.Add("FBE Final, decode", "aldis", 2, () => Account.DecodeFinal(bytes, used).Id + Account.DecodeFinal(changed, used).Id);
        race.Add("FBE Final, decode", "FBE's style", 1, () =>
        {
            style.Bytes.Attach(bytes);
            style.Deserialize(out FbeStyle.Account into);
            return into.Id;
        });
    }
}
