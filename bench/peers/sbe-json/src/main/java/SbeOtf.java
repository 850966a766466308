import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Token;
import uk.co.real_logic.sbe.otf.AbstractTokenListener;
import uk.co.real_logic.sbe.otf.OtfHeaderDecoder;
import uk.co.real_logic.sbe.otf.OtfMessageDecoder;
import uk.co.real_logic.sbe.otf.TokenListener;
import uk.co.real_logic.sbe.otf.Types;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/**
 * The peer of `aldis convert` and `aldis stats`: sbe-tool's decoding on the fly of a u32le-framed stream, with the schema read at
 * run time, to nothing. Arguments: SCHEMA STREAM PASSES WAY; the way `walk` leaves the values where they are, and `values` reads
 * each. Passes over the stream before the measured one let the JIT compiler warm up. Prints messages and nanoseconds of the
 * processor that the thread had.
 */
public final class SbeOtf {
    /** Reads each number, and the first element of each array, and keeps a sum, so that reading is not left out as useless. */
    private static final class Sums extends AbstractTokenListener {
        long sum;

        @Override
        public void onEncoding(final Token field, final DirectBuffer buffer, final int at, final Token type, final int version) {
            read(buffer, at, type);
        }

        @Override
        public void onEnum(
            final Token field, final DirectBuffer buffer, final int at, final List<Token> tokens, final int from, final int to,
            final int version) {
            read(buffer, at, tokens.get(from + 1));
        }

        @Override
        public void onBitSet(
            final Token field, final DirectBuffer buffer, final int at, final List<Token> tokens, final int from, final int to,
            final int version) {
            read(buffer, at, tokens.get(from + 1));
        }

        private void read(final DirectBuffer buffer, final int at, final Token type) {
            if (!type.isConstantEncoding()) {
                sum += switch (type.encoding().primitiveType()) {
                    case FLOAT -> (long) buffer.getFloat(at);
                    case DOUBLE -> (long) buffer.getDouble(at);
                    default -> Types.getLong(buffer, at, type.encoding());
                };
            }
        }
    }

    /** Is told of everything, and does nothing. */
    private static final class Nothing extends AbstractTokenListener {
    }

    private final OtfHeaderDecoder header;
    private final Map<Integer, List<Token>> messages = new HashMap<>();
    private final byte[] stream;

    private SbeOtf(final Ir ir, final byte[] stream) {
        header = new OtfHeaderDecoder(ir.headerStructure());
        ir.messages().forEach(tokens -> messages.put(tokens.get(0).id(), tokens));
        this.stream = stream;
    }

    private long run(final TokenListener listener) {
        final UnsafeBuffer buffer = new UnsafeBuffer(stream);
        long count = 0;
        int at = 0;
        while (at + 4 <= stream.length) {
            final int length = buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
            final int message = at + 4;
            final List<Token> tokens = messages.get(header.getTemplateId(buffer, message));
            OtfMessageDecoder.decode(
                buffer, message + header.encodedLength(), header.getSchemaVersion(buffer, message),
                header.getBlockLength(buffer, message), tokens, listener);
            at = message + length;
            count++;
        }
        return count;
    }

    public static void main(final String[] args) throws Exception {
        final ParserOptions options = ParserOptions.builder().stopOnError(true).suppressOutput(true).build();
        final byte[] xml = Files.readAllBytes(Path.of(args[0]));
        final Ir ir = new IrGenerator().generate(XmlSchemaParser.parse(new ByteArrayInputStream(xml), options));
        final SbeOtf otf = new SbeOtf(ir, Files.readAllBytes(Path.of(args[1])));
        final TokenListener listener = args[3].equals("values") ? new Sums() : new Nothing();
        for (int pass = 1; pass < Integer.parseInt(args[2]); pass++) {
            otf.run(listener);
        }
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final long begin = threads.getCurrentThreadCpuTime();
        final long count = otf.run(listener);
        System.out.println(count + " " + (threads.getCurrentThreadCpuTime() - begin));
    }
}
