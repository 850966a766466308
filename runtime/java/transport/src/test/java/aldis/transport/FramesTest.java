package aldis.transport;

import static aldis.transport.Golden.bytes;
import static aldis.transport.Golden.hex;
import static aldis.transport.Golden.string;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The golden frames of conformance/vectors/transport, random bytes, and the protocol's page. */
final class FramesTest {
    private static final Window CREDIT = new Window(100_000, 8_388_608);
    private static final ByteBuffer ENTRIES = wrap("\3\0\0\0abc\0\0\0\0\5\0\0\0hello");
    private static final Frame.Batch BATCH = new Frame.Batch(42, 3, 0x3856039E, null, ENTRIES);

    private static ByteBuffer wrap(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    private static Map<String, Frame> golden() {
        byte[] producer = new byte[16];
        for (int i = 0; i < 16; i++) producer[i] = (byte) (0xA0 + i);
        Map<String, Frame> all = new LinkedHashMap<>();
        all.put("hello", new Frame.Hello(
            1, Frame.NO_CHECKSUM | Frame.SCHEMA | Frame.PUSH, ByteBuffer.wrap(producer), 7, wrap("token"), wrap("s3cret"),
            Durability.DURABLE, new Window(4000, 1 << 20)));
        all.put("welcome", new Frame.Welcome(
            1, Frame.SCHEMA | Frame.PUSH, 0x1122334455667788L, 41, CREDIT, 1 << 20, Durability.DURABLE));
        all.put("batch", BATCH);
        all.put("batch-no-checksum", new Frame.Batch(42, 3, 0, null, ENTRIES));
        all.put("ack", new Frame.Ack(44, 43, 40, 2, CREDIT));
        all.put("nack", new Frame.Nack(42, Code.GAP.number(), "42 is missing"));
        all.put("request", new Frame.Request(9, 250, wrap("ping?")));
        all.put("request-empty", new Frame.Request(10, 0, wrap("")));
        all.put("reply", new Frame.Reply(9, 0, wrap("pong!")));
        all.put("reply-refused", new Frame.Reply(10, Code.REFUSED.number(), wrap("nö")));
        all.put("push", new Frame.Pushed(3, 1000, 2, wrap("\2\0\0\0p1\2\0\0\0p2")));
        all.put("ping", new Frame.Ping(0xFEDCBA9876543210L));
        all.put("pong", new Frame.Pong(0xFEDCBA9876543210L));
        all.put("drain", new Frame.Drain(5000));
        all.put("close", new Frame.Close(Code.IDLE.number(), "nothing came for 30 s"));
        all.put("close-bare", new Frame.Close(0, ""));
        all.put("subscribe", new Frame.Subscribe(3, 1, 500, "log"));
        all.put("unsubscribe", new Frame.Unsubscribe(3, Code.REFUSED.number(), "no topic logs"));
        all.put("credit", new Frame.Credit(3, 1001, 500));
        all.put("unknown-skipped", new Frame.Unknown(0xF0, wrap("later")));
        return all;
    }

    private static byte[] written(Frame frame) {
        Bytes out = new Bytes(1);
        frame.write(out);
        return Arrays.copyOf(out.array, out.size);
    }

    private static Frame read(byte[] whole, boolean schema) {
        return Frame.read(whole[4] & 0xFF, ByteBuffer.wrap(whole, 5, whole.length - 5), schema);
    }

    @Test void everyKindIsAsTheGoldenFilesHaveIt() throws IOException {
        Map<String, Frame> golden = golden();
        golden.forEach((name, frame) -> {
            byte[] file = hex(name + ".hex");
            assertEquals(frame, read(file, false), name);
            assertArrayEquals(file, written(frame), name);
        });
        assertEquals(BATCH.crc(), BATCH.checksum());
        Frame.Batch batch = (Frame.Batch) read(hex("batch-schema.hex"), true);
        assertEquals(new Frame.SchemaId(7, 1001), batch.schema());
        assertEquals(batch.crc(), batch.checksum());
        assertArrayEquals(hex("batch-schema.hex"), written(batch));
        try (Stream<?> files = Files.list(Golden.ROOT.resolve("conformance/vectors/transport"))) {
            assertEquals(golden.size() + 1, files.filter(file -> file.toString().endsWith(".hex")).count());
        }
    }

    private static List<Frame> all(byte[] stream, int chunk) throws IOException {
        List<Frame> found = new ArrayList<>();
        Inbox inbox = new Inbox();
        for (int at = 0; at < stream.length; at += chunk) {
            inbox.fill(new ByteArrayInputStream(stream, at, Math.min(chunk, stream.length - at)));
            for (Inbox.Raw raw = inbox.next(); raw != null; raw = inbox.next()) {
                byte[] own = Fields.copy(raw.body());
                found.add(Frame.read(raw.kind(), ByteBuffer.wrap(own), false));
            }
        }
        return found;
    }

    @Test void whatCannotBeUnderstoodIsAFaultOfTheProtocol() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(Golden.ROOT.resolve("conformance/vectors/transport/malformed"))) {
            List<String> names = files.map(file -> file.getFileName().toString()).toList();
            assertTrue(names.size() > 5);
            for (String name : names) {
                byte[] bytes = hex("malformed/" + name);
                assertEquals(Code.PROTOCOL, assertThrows(TransportException.class, () -> all(bytes, 1 << 16), name).code());
            }
        }
        TransportException fault = assertThrows(TransportException.class, () -> all(new byte[] {0, 0, 0, -1}, 4));
        assertEquals(Code.FRAME_TOO_LARGE, fault.code());
    }

    @Test void anyBytesAreAFrameOrAFaultAndAFrameIsWrittenAsItWas() {
        Random random = new Random(7);
        int frames = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] body = new byte[random.nextInt(80)];
            // Sizes within the body are small numbers.
            for (int j = 0; j < body.length; j++) body[j] = (byte) (random.nextBoolean() ? random.nextInt(4) : random.nextInt());
            int kind = random.nextInt(4) == 0 ? random.nextInt(256) : 1 + random.nextInt(15);
            try {
                byte[] whole = written(Frame.read(kind, ByteBuffer.wrap(body), random.nextBoolean()));
                assertArrayEquals(body, Arrays.copyOfRange(whole, 5, whole.length));
                assertEquals(kind, whole[4] & 0xFF);
                frames++;
            } catch (TransportException fault) {
                assertEquals(Code.PROTOCOL, fault.code());
            }
        }
        assertTrue(frames > 20_000, "frames: " + frames);
    }

    @Test void damagedGoldenFramesAreFramesOrFaults() {
        Random random = new Random(8);
        List<Frame> frames = List.copyOf(golden().values());
        for (int i = 0; i < 200_000; i++) {
            byte[] whole = written(frames.get(random.nextInt(frames.size())));
            for (int damage = random.nextInt(3); damage >= 0; damage--) whole[4 + random.nextInt(whole.length - 4)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(whole, random.nextInt(4) == 0 ? 5 + random.nextInt(whole.length - 4) : whole.length);
            try {
                Frame frame = read(cut, false);
                if (frame instanceof Frame.Pushed push) Entries.of(push.entries(), push.count(), 0);
                if (frame instanceof Frame.Batch batch) Entries.of(batch.entries(), batch.count(), 0);
                assertArrayEquals(Arrays.copyOfRange(cut, 4, cut.length), Arrays.copyOfRange(written(frame), 4, cut.length));
            } catch (TransportException fault) {
                assertEquals(Code.PROTOCOL, fault.code());
            }
        }
    }

    @Test void framesComeWholeHoweverTheyAreCutAndTextsAreCutBetweenCharacters() throws IOException {
        Bytes stream = new Bytes(1);
        golden().values().forEach(frame -> frame.write(stream));
        byte[] bytes = Arrays.copyOf(stream.array, stream.size);
        for (int size : new int[] {1, 2, 7, 64, bytes.length}) assertEquals(List.copyOf(golden().values()), all(bytes, size));
        byte[] longText = written(new Frame.Close(0, "x".repeat(1023) + "ö"));
        assertEquals(new Frame.Close(0, "x".repeat(1023)), read(longText, false));
    }

    @Test void entriesAreExactlySoMany() {
        List<byte[]> found = Entries.of(ENTRIES, 3, 0);
        assertEquals(List.of("abc", "", "hello"), found.stream().map(Golden::string).toList());
        assertEquals("hello", string(Entries.of(ENTRIES, 3, 2).get(0)));
        for (long count : new long[] {2, 4, 0xFFFF_FFFFL}) assertNull(Entries.of(ENTRIES, count, 0));
        assertNull(Entries.of(ENTRIES.slice(0, ENTRIES.remaining() - 1), 3, 0));
        assertNull(Entries.of(ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, 0}), 1, 0));
    }

    @Test void codesHaveTheNumbersNamesAndEndsOfTheProtocol() {
        String page = Golden.text("docs/protocol.md");
        for (int number = 0; number < 20; number++) {
            assertEquals(number, Code.of(number).number());
            assertTrue(page.contains("| " + number + " | " + Code.of(number).wire() + " |"));
        }
        assertEquals("code 77: x", TransportException.of(77, "x").getMessage());
        List<String> again = row(page, " | connects again |");
        List<String> over = row(page, " | is over |");
        assertEquals(20, again.size() + over.size());
        for (int number = 0; number < 20; number++) {
            assertEquals(Code.of(number).isFatal(), over.contains(Code.of(number).wire()), Code.of(number).wire());
        }
    }

    private static List<String> row(String page, String what) {
        return page.lines().filter(line -> line.startsWith("| CLOSE ") && line.endsWith(what) && !line.contains("with a code"))
            .flatMap(line -> Stream.of(line.substring(8, line.length() - what.length()).split(", "))).toList();
    }
}
