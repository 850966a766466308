import org.agrona.concurrent.UnsafeBuffer;
import peer.flat.MessageHeaderDecoder;
import peer.flat.MessageHeaderEncoder;
import peer.flat.ReadingDecoder;
import peer.flat.ReadingDto;
import peer.flat.ReadingEncoder;

/** The flat message by sbe-tool's flyweights, from and into plain values or read in place, and by its DTOs. Bounds are checked. */
final class SbeToolReading {
    private final MessageHeaderEncoder headOut = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headIn = new MessageHeaderDecoder();
    private final ReadingEncoder encoder = new ReadingEncoder();
    private final ReadingDecoder decoder = new ReadingDecoder();
    private final UnsafeBuffer buffer;

    SbeToolReading(byte[] bytes) {
        buffer = new UnsafeBuffer(bytes);
    }

    int write(int at, HandReading v) {
        block(at, v);
        encoder.sky(v.sky).observer(v.observer);
        return encoder.encodedLength() + 8;
    }

    /** The fields of its block alone. */
    int block(int at, HandReading v) {
        encoder.wrapAndApplyHeader(buffer, at, headOut);
        encoder.time(v.time).station(v.station).temperature(v.temperature).pressure(v.pressure).humidity(v.humidity).wind(v.wind).rain(v.rain);
        encoder.place(v.place);
        return encoder.encodedLength() + 8;
    }

    void read(int at, HandReading v) {
        decoder.wrapAndApplyHeader(buffer, at, headIn);
        v.time = decoder.time();
        v.station = decoder.station();
        v.temperature = decoder.temperature();
        v.pressure = decoder.pressure();
        v.humidity = decoder.humidity();
        v.wind = decoder.wind();
        v.rain = decoder.rain();
        v.place = decoder.place();
        v.sky = decoder.sky();
        v.observer = decoder.observer();
    }

    /** The numbers of its block, looked at in place. */
    long sum(int at) {
        decoder.wrapAndApplyHeader(buffer, at, headIn);
        return decoder.time() + decoder.station() + decoder.temperature() + decoder.pressure() + decoder.humidity() + decoder.wind() + decoder.rain();
    }

    int writeDto(int at, ReadingDto dto) {
        return ReadingDto.encodeWithHeaderWith(dto, buffer, at);
    }

    ReadingDto readDto(int at) {
        headIn.wrap(buffer, at);
        return ReadingDto.decodeFrom(buffer, at + 8, headIn.blockLength(), headIn.version());
    }
}
