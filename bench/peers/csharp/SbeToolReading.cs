using Org.SbeTool.Sbe.Dll;
using Peer.Flat;

/// <summary>The flat message by sbe-tool's flyweights, from and into plain values or read in place, and by its DTOs.</summary>
internal sealed class SbeToolReading
{
    private readonly MessageHeader head = new MessageHeader();
    private readonly Reading codec = new Reading();
    private readonly DirectBuffer buffer;

    internal SbeToolReading(byte[] bytes) => buffer = new DirectBuffer(bytes);

    internal int Write(int at, HandReading v)
    {
        Block(at, v);
        codec.SetSky(v.Sky);
        codec.SetObserver(v.Observer);
        return codec.Size + MessageHeader.Size;
    }

    /// <summary>The fields of its block alone.</summary>
    internal int Block(int at, HandReading v)
    {
        codec.WrapForEncodeAndApplyHeader(buffer, at, head);
        codec.Time = v.Time;
        codec.Station = v.Station;
        codec.Temperature = v.Temperature;
        codec.Pressure = v.Pressure;
        codec.Humidity = v.Humidity;
        codec.Wind = v.Wind;
        codec.Rain = v.Rain;
        codec.SetPlace(v.Place);
        return codec.Size + MessageHeader.Size;
    }

    internal void Read(int at, HandReading v)
    {
        codec.WrapForDecodeAndApplyHeader(buffer, at, head);
        v.Time = codec.Time;
        v.Station = codec.Station;
        v.Temperature = codec.Temperature;
        v.Pressure = codec.Pressure;
        v.Humidity = codec.Humidity;
        v.Wind = codec.Wind;
        v.Rain = codec.Rain;
        v.Place = codec.GetPlace();
        v.Sky = codec.GetSky();
        v.Observer = codec.GetObserver();
    }

    /// <summary>The numbers of its block, looked at in place.</summary>
    internal long Sum(int at)
    {
        codec.WrapForDecodeAndApplyHeader(buffer, at, head);
        return (long)codec.Time + codec.Station + codec.Temperature + codec.Pressure + codec.Humidity + codec.Wind + codec.Rain;
    }

    internal int WriteDto(int at, ReadingDto dto) => ReadingDto.EncodeWithHeaderInto(buffer, at, dto);

    internal ReadingDto ReadDto(int at)
    {
        head.Wrap(buffer, at, 0);
        return ReadingDto.DecodeFrom(buffer, at + MessageHeader.Size, 0, head.BlockLength, head.Version);
    }
}
