using System;
using Example.Flat;
using Peer.Flat;
using Reading = Example.Flat.Reading;

/// <summary>A flat SBE message of 59 bytes: many of them one behind another, each with other texts.</summary>
internal static class Flat
{
    private const int Many = 16;
    private const int Size = 59;
    private const int Step = 60;
    private static readonly string[] Skies = { "overcast", "drizzles" };

    private static HandReading Value(int i) => new HandReading
    {
        Time = 1_700_000_000_000UL + (ulong)i,
        Station = 4711,
        Temperature = -1250,
        Pressure = 101325,
        Humidity = 77,
        Wind = 13,
        Rain = i,
        Place = i % 2 == 0 ? "EDDF" : "EGLL",
        Sky = Skies[i % 2],
        Observer = i % 2 == 0 ? "Ada" : "Eva",
    };

    internal static void Add(Race race)
    {
        byte[] bytes = new byte[Many * Step];
        // The floor asks for room for texts of other letters.
        byte[] target = new byte[Many * Step + 64];
        var hands = new HandReading[Many];
        var owns = new Reading[Many];
        for (int i = 0; i < Many; i++)
        {
            hands[i] = Value(i);
            Bench.Check(hands[i].Write(target.AsSpan(i * Step)) == Size, "a message has 59 bytes");
        }
        Array.Copy(target, bytes, bytes.Length);
        var tool = new SbeToolReading(target);
        for (int i = 0; i < Many; i++)
        {
            ReadOnlySpan<byte> one = bytes.AsSpan(i * Step, Size);
            owns[i] = Reading.Decode(one);
            Bench.Check(owns[i].Sky == Skies[i % 2] && Bench.Same(owns[i].Encode(), one), "generated code writes what the floor writes");
            target.AsSpan(i * Step, Size).Clear();
            Bench.Check(tool.Write(i * Step, hands[i]) == Size && Bench.Same(target.AsSpan(i * Step, Size), one), "so does sbe-tool");
        }
        Encode(race, hands, owns, target);
        Drafts(race, hands, owns[0], target);
        Decode(race, bytes);
        Dto(race, bytes, target);
        View(race, bytes);
    }

    private static void Encode(Race race, HandReading[] hands, Reading[] owns, byte[] target)
    {
        race.Add("SBE flat, encode", "by hand", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += hands[i].Write(target.AsSpan(i * Step));
            return sum;
        });
        race.Add("SBE flat, encode", "aldis", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += owns[i].TryEncode(target.AsSpan(i * Step), out int written) ? written : 0;
            return sum;
        });
        var tool = new SbeToolReading(target);
        race.Add("SBE flat, encode", "sbe-tool's flyweights", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += tool.Write(i * Step, hands[i]);
            return sum;
        });
    }

    private static void Set(ReadingDraft draft, HandReading v)
    {
        draft.Time = v.Time;
        draft.Station = v.Station;
        draft.Temperature = v.Temperature;
        draft.Pressure = v.Pressure;
        draft.Humidity = v.Humidity;
        draft.Wind = v.Wind;
        draft.Rain = v.Rain;
        draft.Place = v.Place;
    }

    /// <summary>The block alone: texts are those of the first message.</summary>
    private static void Drafts(Race race, HandReading[] hands, Reading first, byte[] target)
    {
        var draft = new ReadingDraft(first);
        draft.Into(target);
        Set(draft, hands[1]);
        Reading set = first.Clone();
        (set.Time, set.Rain, set.Place) = (hands[1].Time, hands[1].Rain, hands[1].Place);
        Bench.Check(Bench.Same(draft.Encode(), set.Encode()), "a draft sets what is written");
        race.Add("SBE flat, encode", "aldis, a draft begun anew", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++)
            {
                sum += draft.Into(target, i * Step);
                Set(draft, hands[i]);
            }
            return sum;
        });
        var there = new ReadingDraft(first);
        there.Into(target);
        race.Add("SBE flat, encode", "aldis, a draft that is there", Many, () =>
        {
            for (int i = 0; i < Many; i++) Set(there, hands[i]);
            return target[8];
        });
        var tool = new SbeToolReading(target);
        race.Add("SBE flat, encode", "sbe-tool's flyweights, no texts", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += tool.Block(i * Step, hands[i]);
            return sum;
        });
    }

    private static void Decode(Race race, byte[] bytes)
    {
        var read = new HandReading();
        race.Add("SBE flat, decode", "by hand", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += read.Read(bytes.AsSpan(i * Step, Size)) ? read.Station : 0;
            return sum;
        });
        var used = new Reading();
        race.Add("SBE flat, decode", "aldis", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += Reading.Decode(bytes.AsSpan(i * Step, Size), used).Station;
            return sum;
        });
        var tool = new SbeToolReading(bytes);
        var into = new HandReading();
        race.Add("SBE flat, decode", "sbe-tool's flyweights", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++)
            {
                tool.Read(i * Step, into);
                sum += into.Station;
            }
            return sum;
        });
        var kept = new HandReading();
        race.Add("SBE flat, decode, texts kept", "by hand", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += kept.Read(bytes.AsSpan(0, Size)) ? kept.Station : 0;
            return sum;
        });
        var again = new Reading();
        race.Add("SBE flat, decode, texts kept", "aldis", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += Reading.Decode(bytes.AsSpan(0, Size), again).Station;
            return sum;
        });
    }

    private static void Dto(Race race, byte[] bytes, byte[] target)
    {
        var reader = new SbeToolReading(bytes);
        var writer = new SbeToolReading(target);
        var dtos = new ReadingDto[Many];
        for (int i = 0; i < Many; i++) dtos[i] = reader.ReadDto(i * Step);
        race.Add("SBE flat, encode", "sbe-tool's DTOs", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += writer.WriteDto(i * Step, dtos[i]);
            return sum;
        });
        race.Add("SBE flat, decode", "sbe-tool's DTOs", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += reader.ReadDto(i * Step).Station;
            return sum;
        });
    }

    private static long Sum(ref ReadingView view) => (long)view.TimeOr(0) + view.StationOr(0) + view.TemperatureOr(0)
        + view.PressureOr(0) + view.HumidityOr(0) + view.WindOr(0) + view.RainOr(0);

    private static void View(Race race, byte[] bytes)
    {
        var tool = new SbeToolReading(bytes);
        long known = tool.Sum(0);
        ReadingView view = ReadingView.Verify(bytes.AsSpan(0, Size));
        Bench.Check(Sum(ref view) == known && HandReading.Sum(bytes.AsSpan(0, Size)) == known, "views read the same");
        race.Add("SBE flat, view of seven numbers", "by hand", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += HandReading.Sum(bytes.AsSpan(i * Step, Size));
            return sum;
        });
        race.Add("SBE flat, view of seven numbers", "aldis", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++)
            {
                ReadingView own = ReadingView.Verify(bytes.AsSpan(i * Step, Size));
                sum += Sum(ref own);
            }
            return sum;
        });
        race.Add("SBE flat, view of seven numbers", "sbe-tool's flyweights", Many, () =>
        {
            long sum = 0;
            for (int i = 0; i < Many; i++) sum += tool.Sum(i * Step);
            return sum;
        });
    }
}
