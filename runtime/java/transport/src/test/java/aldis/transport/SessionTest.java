package aldis.transport;

import static aldis.transport.Golden.bytes;
import static aldis.transport.Golden.string;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The session against a server that is a list, without sockets: connections end anywhere, frames are damaged, acks come late. */
final class SessionTest {
    private static final int TOTAL = 300;

    /** The server's side, by the rules of docs/protocol.md. */
    private static final class Model {
        final List<String> log = new ArrayList<>();
        final Session session;
        final Random random;
        Inbox inbox = new Inbox();
        Window credit = new Window(7, 200);
        long acked;
        boolean ignores;
        boolean greeted;

        Model(Session session, Random random) {
            this.session = session;
            this.random = random;
        }

        void take(byte[] stream) throws IOException, End {
            inbox.fill(new ByteArrayInputStream(stream));
            for (Inbox.Raw raw = inbox.next(); raw != null; raw = inbox.next()) {
                Frame frame = Frame.read(raw.kind(), raw.body(), false);
                if (frame instanceof Frame.Hello hello) {
                    greeted = true;
                    say(new Frame.Welcome(1, hello.features(), 1, log.size(), credit, 1 << 20, hello.durability()));
                } else if (frame instanceof Frame.Batch batch) {
                    batch(batch);
                } else {
                    fail("a frame " + frame);
                }
            }
        }

        private void batch(Frame.Batch batch) throws End {
            List<byte[]> entries = Entries.of(batch.entries(), batch.count(), 0);
            assertEquals(batch.crc(), batch.checksum());
            long end = batch.first() + entries.size() - 1;
            assertTrue(end - acked <= credit.messages() || entries.size() == 1 && batch.first() == acked + 1, "credit");
            if (ignores && batch.first() > log.size() + 1) return;
            ignores = random.nextInt(6) == 0;
            if (ignores) {
                say(new Frame.Nack(log.size() + 1, Code.BAD_CHECKSUM.number(), "damaged"));
                return;
            }
            assertTrue(batch.first() <= log.size() + 1, "a gap");
            for (int i = (int) (log.size() + 1 - batch.first()); i < entries.size(); i++) log.add(string(entries.get(i)));
        }

        void ack() throws End {
            acked = Math.max(acked, log.size() - random.nextInt(3));
            say(new Frame.Ack(log.size(), acked, 0, 0, credit));
        }

        void say(Frame frame) throws End {
            Bytes out = new Bytes(64);
            frame.write(out);
            session.received(frame.kind(), ByteBuffer.wrap(out.array, 5, out.size - 5), 0);
        }
    }

    private static byte[] control(Session session) {
        Bytes taken = session.takeControl(new Bytes(64));
        return Arrays.copyOf(taken.array, taken.size);
    }

    @Test void nothingIsLostDoubledOrBeyondItsCredit() throws IOException {
        int ends = 0;
        for (int seed = 0; seed < 500; seed++) ends += run(new Random(seed));
        assertTrue(ends > 1000, "connections that ended: " + ends);
    }

    private static int run(Random random) throws IOException {
        List<Watermarks> told = new ArrayList<>();
        ClientConfig config = new ClientConfig("server", 1).batches(1 + random.nextInt(60), Duration.ZERO).onAck(told::add);
        Session session = new Session(config);
        Model model = new Model(session, random);
        int sent = 0;
        int ends = 0;
        session.connected(0);
        for (int step = 0; session.outbox().acked() < TOTAL; step++) {
            assertTrue(step < 100_000, "it does not end");
            try {
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> {
                        if (sent < TOTAL && model.greeted) session.send(bytes(String.valueOf(++sent)), 0, String.valueOf(sent).length(), 0);
                    }
                    case 3, 4, 5 -> write(session, model);
                    case 6 -> {
                        if (session.isUp()) model.ack();
                    }
                    default -> {
                        if (random.nextInt(20) == 0) throw End.lost("cut", null);
                    }
                }
            } catch (End end) {
                assertTrue(!end.fatal, end.getMessage());
                ends++;
                session.disconnected(end.why, false);
                session.connected(0);
                model.inbox = new Inbox();
                model.ignores = false;
                model.acked = model.log.size();
            }
            session.takeEvents().forEach(Runnable::run);
        }
        List<String> wanted = IntStream.rangeClosed(1, TOTAL).mapToObj(String::valueOf).toList();
        assertEquals(wanted, model.log);
        for (int i = 1; i < told.size(); i++) assertTrue(told.get(i).acked() >= told.get(i - 1).acked());
        return ends;
    }

    /** What the session has to write goes to the server, or some of it is lost with the connection. */
    private static void write(Session session, Model model) throws IOException, End {
        if (session.hasControl()) {
            model.take(control(session));
            return;
        }
        Frame.Batch batch = session.next(0);
        if (batch == null) return;
        Bytes out = new Bytes(64);
        batch.withChecksum().write(out);
        int size = model.random.nextInt(30) == 0 ? model.random.nextInt(out.size) : out.size;
        model.take(Arrays.copyOf(out.array, size));
        if (size < out.size) throw End.lost("cut within a frame", null);
    }
}
