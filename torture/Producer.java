import aldis.transport.Client;
import aldis.transport.ClientConfig;
import aldis.transport.Durability;
import aldis.transport.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HexFormat;

/** A producer of the torture test by the Java client; torture/producer.py says what it takes and does. */
public final class Producer {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] PATTERN = pattern();

    private static byte[] pattern() {
        byte[] pattern = new byte[65536 + 256];
        for (int i = 0; i < pattern.length; i++) pattern[i] = (byte) (131 * i + 17 * (i >> 8));
        return pattern;
    }

    /** The bytes of a message: messages.py has the rule. */
    private static byte[] message(byte[] producer, int epoch, long sequence) {
        long mixed = (sequence + 7919L * epoch) * 2654435761L & 0xFFFFFFFFL;
        long kind = mixed >> 24;
        int filling = (int) (mixed & (kind < 4 ? 0xFFFF : kind < 128 ? 0x3F : 0x3FF));
        return ByteBuffer.allocate(28 + filling).order(ByteOrder.LITTLE_ENDIAN).put(producer).putInt(epoch).putLong(sequence)
            .put(PATTERN, (int) (sequence & 0xFF), filling).array();
    }

    /** A line goes out in one write, so that a kill never leaves half of an earlier one. */
    private static void note(FileChannel journal, String what, long upto) {
        try {
            journal.write(ByteBuffer.wrap((what + " " + upto + "\n").getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException cannot) {
            throw new java.io.UncheckedIOException(cannot);
        }
    }

    /** The first connection may be cut like any other. */
    private static Client connected(ClientConfig config) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return Client.connect(config);
            } catch (TransportException failed) {
                if (System.nanoTime() > end) throw failed;
                Thread.sleep(50);
            }
        }
    }

    private static void waitForEnd() {
        try {
            System.in.readAllBytes();
        } catch (IOException gone) {
            return;
        }
    }

    public static void main(String[] words) throws Exception {
        byte[] producer = HexFormat.of().parseHex(words[1]);
        int epoch = Integer.parseInt(words[2]);
        FileChannel journal = FileChannel.open(Path.of(words[3]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Client client = connected(new ClientConfig("127.0.0.1", Integer.parseInt(words[0])).producer(producer, epoch)
            .durability(Durability.DURABLE).maxKeptBytes(1 << 20).backoff(Duration.ofMillis(50), Duration.ofMillis(200))
            .pingAfter(Duration.ofSeconds(2)).onAck(marks -> note(journal, "acked", marks.acked())));
        long sequence = client.watermarks().acked();
        note(journal, "acked", sequence);
        // Standard input ends when there is enough.
        Thread waiting = new Thread(Producer::waitForEnd);
        waiting.setDaemon(true);
        waiting.start();
        for (int batch = 1; waiting.isAlive(); Thread.sleep(2)) {
            batch = batch * 31 % 61;
            note(journal, "sending", sequence + batch);
            for (int i = 0; i < batch; i++) {
                long given = client.send(message(producer, epoch, ++sequence));
                if (given != sequence) throw new IllegalStateException("message " + sequence + " got the number " + given);
            }
        }
        client.flush(PATIENCE);
        if (client.epoch() != epoch) throw new IllegalStateException("the server has forgotten this producer");
        client.close();
    }
}
