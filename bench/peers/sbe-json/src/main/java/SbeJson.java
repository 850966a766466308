import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.json.JsonPrinter;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.MessageSchema;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/**
 * The peer of `aldis decode --framing u32le`: sbe-tool's JsonPrinter over the same stream, JSON lines to /dev/null.
 * Prints messages and nanoseconds. Passes over the stream before the measured one let the JIT compiler warm up.
 */
public final class SbeJson {
    public static void main(final String[] args) throws Exception {
        final ParserOptions options = ParserOptions.builder().stopOnError(true).suppressOutput(true).build();
        final byte[] xml = Files.readAllBytes(Path.of(args[0]));
        final MessageSchema schema = XmlSchemaParser.parse(new ByteArrayInputStream(xml), options);
        final Ir ir = new IrGenerator().generate(schema);
        final JsonPrinter printer = new JsonPrinter(ir);
        final byte[] stream = Files.readAllBytes(Path.of(args[1]));
        final int warmUps = Integer.parseInt(args[2]);
        for (int pass = 0; pass < warmUps; pass++) {
            run(printer, stream);
        }
        final long start = System.nanoTime();
        final long messages = run(printer, stream);
        System.out.println(messages + " " + (System.nanoTime() - start));
    }

    private static long run(final JsonPrinter printer, final byte[] stream) throws Exception {
        long messages = 0;
        final ByteBuffer frames = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        final StringBuilder text = new StringBuilder();
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream("/dev/null"), 1 << 20)) {
            while (frames.remaining() >= 4) {
                final int length = frames.getInt();
                final ByteBuffer message = ByteBuffer.wrap(stream, frames.position(), length).slice();
                text.setLength(0);
                printer.print(message, text);
                out.write(text.append('\n').toString().getBytes(StandardCharsets.UTF_8));
                frames.position(frames.position() + length);
                messages++;
            }
        }
        return messages;
    }
}
