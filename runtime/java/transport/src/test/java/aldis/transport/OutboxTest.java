package aldis.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class OutboxTest {
    private static long kept(List<byte[]> messages) {
        return messages.stream().mapToLong(message -> message.length + 4).sum();
    }

    /** Against a plain list: credit is kept, nothing is lost, doubled or out of order. */
    @Test void agreesWithAPlainList() {
        for (int seed = 0; seed < 2000; seed++) run(new Random(seed));
    }

    private static void run(Random random) {
        Outbox outbox = new Outbox(1 + random.nextInt(200));
        List<byte[]> all = new ArrayList<>();
        int sent = 0;
        int acked = 0;
        for (int step = 0; step < 200; step++) {
            switch (random.nextInt(11)) {
                case 0, 1, 2, 3 -> {
                    byte[] message = new byte[random.nextInt(30)];
                    random.nextBytes(message);
                    all.add(message);
                    assertEquals(all.size(), outbox.append(message, 0, message.length));
                }
                case 4, 5 -> outbox.closeChunk();
                case 6, 7 -> {
                    Window credit = new Window(1 + random.nextInt(20), 1 + random.nextInt(300));
                    Outbox.Outgoing outgoing = outbox.next(credit, 100);
                    if (outgoing == null) break;
                    assertEquals(sent + 1, outgoing.first());
                    for (byte[] entry : Entries.of(outgoing.entries(), outgoing.count(), 0)) assertArrayEquals(all.get(sent++), entry);
                    boolean fits = sent - acked <= credit.messages() && kept(all.subList(acked, sent)) <= credit.bytes();
                    assertTrue(sent - acked == 1 || fits);
                }
                case 8, 9 -> outbox.ack(acked = Math.min(sent, acked + random.nextInt(20)));
                default -> outbox.rewind((sent = Math.max(acked, sent - random.nextInt(20))) + 1);
            }
            assertEquals(sent, outbox.sent());
            assertEquals(acked, outbox.acked());
            assertEquals(kept(all.subList(acked, all.size())), outbox.keptBytes());
        }
    }
}
