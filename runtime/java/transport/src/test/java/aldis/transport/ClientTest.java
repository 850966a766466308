package aldis.transport;

import static aldis.transport.Fake.LONG;
import static aldis.transport.Fake.fails;
import static aldis.transport.Golden.bytes;
import static aldis.transport.Golden.string;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aldis.transport.Fake.Pair;
import aldis.transport.Fake.Peer;
import aldis.transport.Fake.Peer.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against a server in this process. */
@Timeout(120)
final class ClientTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private Fake fake;

    @BeforeEach void listen() throws IOException {
        fake = new Fake();
    }

    @AfterEach void close() throws Exception {
        fake.close();
    }

    private static CompletableFuture<Void> run(Runnable run) {
        return CompletableFuture.runAsync(run, task -> new Thread(task).start());
    }

    private static <T> T next(LinkedBlockingQueue<T> queue) throws InterruptedException {
        T found = queue.poll(60, TimeUnit.SECONDS);
        assertNotNull(found, "nothing came");
        return found;
    }

    @Test void messagesAreBatchedAndFlushWaitsForTheirAck() throws Exception {
        LinkedBlockingQueue<Watermarks> marks = new LinkedBlockingQueue<>();
        Pair pair = fake.pair(fake.config().batches(1 << 16, Duration.ofMillis(100)).onAck(marks::add));
        for (int i = 1; i <= 3; i++) assertEquals(i, pair.client().send(bytes("m" + i)));
        assertEquals(new Texts(1, List.of("m1", "m2", "m3")), pair.peer().batch());
        fails("deadline: 3 messages are not acked: the server has not said yet that it has them",
            () -> pair.client().flush(Duration.ofMillis(1)));
        pair.peer().send(new Frame.Ack(3, 3, 1, 5, Fake.PLENTY));
        pair.client().flush(LONG);
        assertEquals(new Watermarks(3, 3, 3, 1, 5), next(marks));
        assertEquals(new Watermarks(3, 3, 3, 1, 5), pair.client().watermarks());
        assertEquals(3, pair.client().sent());
    }

    @Test void theHandshakeSaysWhatIsConfigured() throws Exception {
        byte[] producer = bytes("0123456789abcdef");
        ClientConfig config = fake.config().producer(producer, 9).auth("token", bytes("s3cret")).durability(Durability.DURABLE)
            .window(new Window(7, 8)).checksum(false).schema(5, 6);
        CompletableFuture<Client> connecting = fake.connecting(config);
        Peer peer = fake.accept();
        Frame.Hello hello = peer.greet(41);
        assertEquals(new Frame.Hello(1, Frame.NO_CHECKSUM | Frame.SCHEMA | Frame.PUSH, ByteBuffer.wrap(producer), 9, ByteBuffer.wrap(
            bytes("token")), ByteBuffer.wrap(bytes("s3cret")), Durability.DURABLE, new Window(7, 8)), hello);
        Client client = connecting.join();
        assertEquals(41, client.watermarks().acked());
        assertEquals(42, client.send(bytes("a")));
        Frame.Batch batch = peer.read(Frame.Batch.class);
        // The schema's ids stand where the entries begin without the feature.
        assertEquals(new Frame.Batch(42, 1, 0, null, ByteBuffer.wrap(new byte[] {5, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 'a'})), batch);
    }

    @Test void anotherServerIsTriedWhenOneCannotBeReachedOrIsLost() throws Exception {
        int gone;
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = holder.getLocalPort();
        }
        try (Fake second = new Fake()) {
            ClientConfig config = new ClientConfig("127.0.0.1", gone).orElse("127.0.0.1", fake.port()).orElse("127.0.0.1", second.port())
                .durability(Durability.REPLICATED).backoff(Duration.ofMillis(1), Duration.ofMillis(10));
            CompletableFuture<Client> connecting = fake.connecting(config);
            Peer peer = fake.accept();
            peer.greet(0);
            Client client = connecting.join();
            client.send(bytes("a"));
            assertEquals(new Texts(1, List.of("a")), peer.batch());
            peer.socket.close();
            peer = second.accept();
            peer.greet(0);
            assertEquals(new Texts(1, List.of("a")), peer.batch());
            peer.ack(1);
            client.flush(LONG);
        }
    }

    @Test void neitherFlushNorBigBatchesWaitForTheLinger() throws Exception {
        Pair pair = fake.pair(fake.config().batches(40, HOUR));
        for (int i = 0; i < 5; i++) pair.client().send(bytes("0123456789"));
        assertEquals(3, pair.peer().batch().texts().size());
        CompletableFuture<Void> flushed = run(() -> pair.client().flush(LONG));
        assertEquals(new Texts(4, List.of("0123456789", "0123456789")), pair.peer().batch());
        pair.peer().ack(5);
        flushed.join();
    }

    @Test void creditIsKeptAndWhoSendsWaitsWhileTooMuchIsKept() throws Exception {
        Window credit = new Window(3, 1000);
        Pair pair = fake.pair(fake.config().maxKeptBytes(100).batches(10_000, HOUR), welcome -> new Frame.Welcome(
            1, welcome.features(), 1, 0, credit, 1 << 20, welcome.durability()));
        CompletableFuture<Void> all = run(() -> {
            for (int i = 0; i < 50; i++) pair.client().send(bytes("0123456789"));
            pair.client().flush(LONG);
        });
        long seen = 0;
        long acked = 0;
        while (seen < 50) {
            Texts batch = pair.peer().batch();
            assertEquals(seen + 1, batch.first());
            seen += batch.texts().size();
            assertTrue(seen - acked <= 3);
            acked = Math.min(seen, acked + 1 + seen % 3);
            pair.peer().send(new Frame.Ack(seen, acked, 0, 0, credit));
        }
        pair.peer().ack(50);
        all.join();
    }

    @Test void aServerThatDiesAtRandomLosesNothingDoublesNothing() throws Exception {
        CompletableFuture<Client> connecting = fake.connecting(fake.config().batches(200, Duration.ofMillis(1)));
        int total = 3000;
        List<String> log = new ArrayList<>();
        CompletableFuture<Void> sending = null;
        for (int round = 0; log.size() < total; round++) {
            Peer peer = fake.accept();
            peer.greet(log.size());
            if (sending == null) {
                sending = connecting.thenAcceptAsync(client -> {
                    for (int i = 0; i < total; i++) client.send(bytes(String.valueOf(i)));
                    client.flush(LONG);
                });
            }
            for (int step = 0; step <= round % 13 && log.size() < total; step++) {
                Texts batch = peer.batch();
                assertTrue(batch.first() <= log.size() + 1);
                log.addAll(batch.texts().subList((int) (log.size() + 1 - batch.first()), batch.texts().size()));
                if (step % 3 == 0) peer.ack(log.size());
            }
            if (log.size() == total) peer.ack(total);
            else if (round % 2 == 0) peer.socket.close();
            else peer.reset();
        }
        sending.join();
        assertEquals(IntStream.range(0, total).mapToObj(String::valueOf).toList(), log);
    }

    @Test void nacksAreAnsweredFromWhereTheySayAndTheNinthEndsTheConnection() throws Exception {
        Pair pair = fake.pair(fake.config().batches(16, Duration.ofMillis(1)));
        Peer peer = pair.peer();
        for (int i = 0; i < 4; i++) pair.client().send(bytes("abcd"));
        assertEquals(1, peer.batch().first());
        assertEquals(3, peer.batch().first());
        for (int i = 0; i < 8; i++) {
            peer.send(new Frame.Nack(2, Code.GAP.number(), "again"));
            assertEquals(2, peer.batch().first());
            assertEquals(3, peer.batch().first());
        }
        peer.send(new Frame.Nack(2, Code.BAD_CHECKSUM.number(), "again"));
        assertEquals(new Frame.Close(Code.BAD_CHECKSUM.number(), "again"), peer.read());
        peer = fake.accept();
        peer.greet(2);
        assertEquals(3, peer.batch().first());
        peer.ack(4);
        pair.client().flush(LONG);
    }

    @Test void whatIsRefusedIsTriedAgainOrEndsTheClient() throws Exception {
        LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
        Pair pair = fake.pair(fake.config().backoff(Duration.ofMillis(20), Duration.ofMillis(50))
            .onRefused((sequence, text) -> told.add(sequence + " " + text)));
        pair.client().send(bytes("a"));
        pair.peer().batch();
        for (int pause : new int[] {20, 40, 50}) {
            long begun = System.nanoTime();
            pair.peer().send(new Frame.Nack(1, Code.REFUSED.number(), "not now"));
            assertEquals(1, pair.peer().batch().first());
            assertTrue(System.nanoTime() - begun >= pause * 1_000_000L - 1_000_000);
            assertEquals("1 not now", next(told));
        }
        fails("deadline: 1 messages are not acked: the server's handler refuses message 1: not now",
            () -> pair.client().flush(Duration.ofMillis(1)));
        pair.peer().ack(1);
        pair.client().flush(LONG);

        Pair strict = fake.pair(fake.config().retryRefused(false));
        strict.client().send(bytes("a"));
        strict.peer().batch();
        strict.peer().send(new Frame.Nack(1, Code.REFUSED.number(), "not today"));
        fails("refused: message 1: not today", () -> strict.client().flush(LONG));
        assertEquals(State.OVER, strict.client().state());
        fails(Code.REFUSED, () -> strict.client().send(bytes("b")));
    }

    @Test void closeIsToldOrMended() throws Exception {
        Pair pair = fake.pair(fake.config());
        Peer peer = pair.peer();
        pair.client().send(bytes("a"));
        for (int code = 0; code <= 20; code++) {
            if (Code.of(code).isFatal()) continue;
            assertEquals(1, peer.batch().first(), "code " + code);
            peer.send(new Frame.Close(code, "later"));
            peer = fake.accept();
            peer.greet(0);
        }
        for (int code = 0; code <= 20; code++) {
            Code name = Code.of(code);
            if (!name.isFatal()) continue;
            Pair other = fake.pair(fake.config());
            other.client().send(bytes("a"));
            other.peer().send(new Frame.Close(code, "for good"));
            fails(name.wire() + ": for good", () -> other.client().flush(LONG));
            assertEquals(name, other.client().awaitOver(LONG).orElseThrow().code());
        }
        CompletableFuture<Client> first = fake.connecting(fake.config());
        Peer refusing = fake.accept();
        refusing.read();
        refusing.send(new Frame.Close(Code.UNAVAILABLE.number(), "come back later"));
        fails("unavailable: come back later", first::join);
        fails(Code.DISCONNECTED, () -> Client.connect(new ClientConfig("127.0.0.1", 1)));
    }

    @Test void whatAServerMayNotSayEndsTheConnectionWithAWord() throws Exception {
        Pair pair = fake.pair(fake.config());
        Peer peer = pair.peer();
        for (Frame frame : List.of(
                new Frame.Ack(9, 9, 9, 0, Fake.PLENTY), new Frame.Ack(-1, -1, -1, 0, Fake.PLENTY),
                new Frame.Nack(5, Code.GAP.number(), ""), new Frame.Nack(-1, Code.GAP.number(), ""), new Frame.Credit(1, 1, 1),
                new Frame.Pushed(1, 1, 2, ByteBuffer.allocate(4)), new Frame.Pushed(1, 1, 0, ByteBuffer.allocate(0)))) {
            peer.send(frame);
            assertEquals(frame instanceof Frame.Pushed ? Code.BAD_COUNT.number() : Code.PROTOCOL.number(), peer.closeCode());
            peer = fake.accept();
            peer.greet(0);
        }
        peer.socket.getOutputStream().write(new byte[] {-1, -1, -1, -1, 0});
        assertEquals(Code.FRAME_TOO_LARGE.number(), peer.closeCode());
        peer = fake.accept();
        peer.read();
        peer.send(new Frame.Ping(1));
        assertEquals(Code.PROTOCOL.number(), peer.closeCode());
        peer = fake.accept();
        peer.greet(0, welcome -> welcome(welcome, 1, welcome.features(), 63, welcome.durability()));
        assertEquals(Code.PROTOCOL.number(), peer.closeCode());
        peer = fake.accept();
        peer.greet(1);
        assertEquals(Code.SUPERSEDED.number(), peer.closeCode());
        assertEquals(Code.SUPERSEDED, pair.client().awaitOver(LONG).orElseThrow().code());
    }

    private static Frame.Welcome welcome(Frame.Welcome one, int version, long features, long maxFrame, Durability durability) {
        return new Frame.Welcome(version, features, 1, one.last(), Fake.PLENTY, maxFrame, durability);
    }

    @Test void aServerThatDoesNotGrantWhatIsWantedIsLeft() throws Exception {
        refused(fake.config(), one -> welcome(one, 2, one.features(), 1 << 20, one.durability()), Code.VERSION);
        refused(fake.config().durability(Durability.DURABLE), one -> welcome(one, 1, one.features(), 1 << 20, Durability.HANDLED),
            Code.UNSUPPORTED);
        refused(fake.config().checksum(false), one -> welcome(one, 1, 0, 1 << 20, one.durability()), Code.UNSUPPORTED);
        refused(fake.config().schema(1, 2), one -> welcome(one, 1, 0, 1 << 20, one.durability()), Code.UNSUPPORTED);
    }

    private void refused(ClientConfig config, UnaryOperator<Frame.Welcome> welcome, Code code) throws IOException {
        CompletableFuture<Client> client = fake.connecting(config);
        Peer peer = fake.accept();
        peer.greet(0, welcome);
        fails(code, client::join);
        assertEquals(code.number(), peer.closeCode());
    }

    @Test void aServerThatHasLostItsMemoryGetsWhatIsLeftInANewEpoch() throws Exception {
        Pair pair = fake.pair(fake.config().producer(new byte[16], 3));
        Client client = pair.client();
        client.send(bytes("a"));
        pair.peer().batch();
        pair.peer().ack(1);
        client.flush(LONG);
        client.send(bytes("b"));
        pair.peer().batch();
        pair.peer().socket.close();
        Peer peer = fake.accept();
        peer.greet(0);
        assertEquals(Code.UNAVAILABLE.number(), peer.closeCode());
        peer = fake.accept();
        assertEquals(4, peer.greet(0).epoch());
        assertEquals(new Texts(1, List.of("b")), peer.batch());
        peer.ack(1);
        client.flush(LONG);
        assertEquals(4, client.epoch());
        assertEquals(2, client.watermarks().acked());
    }

    @Test void aMessageThatHasNoRoomInTheServersFramesAnyMoreEndsTheClient() throws Exception {
        Pair pair = fake.pair(fake.config());
        fails(Code.FRAME_TOO_LARGE, () -> pair.client().send(new byte[pair.client().maxMessage() + 1]));
        pair.client().send(new byte[100]);
        pair.peer().read();
        pair.peer().socket.close();
        Peer peer = fake.accept();
        peer.greet(0, one -> welcome(one, 1, one.features(), 64, one.durability()));
        assertEquals(Code.FRAME_TOO_LARGE.number(), peer.closeCode());
        fails("frame-too-large: a message that is kept has 100 bytes; the server takes 43", () -> pair.client().flush(LONG));
    }

    @Test void silenceIsAskedAndEndsTheConnectionAndSoDoesAHandshakeThatTakesTooLong() throws Exception {
        Pair pair = fake.pair(fake.config().pingAfter(Duration.ofMillis(400)));
        Peer peer = pair.peer();
        assertEquals(new Frame.Ping(0), peer.read());
        peer.send(new Frame.Pong(0));
        assertEquals(new Frame.Ping(0), peer.read());
        assertEquals(Code.IDLE.number(), peer.closeCode());
        peer = fake.accept();
        peer.greet(0);
        peer.send(new Frame.Ping(7));
        assertEquals(new Frame.Pong(7), peer.read());
        pair.client().close();
        assertEquals(new Frame.Close(0, ""), peer.read());
        fails("closed: the client is closed", () -> pair.client().send(bytes("a")));
        CompletableFuture<Client> slow = fake.connecting(fake.config().connectTimeout(Duration.ofMillis(30)));
        fails(Code.IDLE, slow::join);
    }

    @Test void aServerThatReadsNothingIsLeft() throws Exception {
        Pair pair = fake.pair(fake.config().pingAfter(Duration.ofMillis(200)).maxKeptBytes(1 << 28));
        byte[] large = new byte[1 << 19];
        for (int i = 0; i < 60; i++) pair.client().send(large);
        // PINGs and acks come, but what the client writes is not read.
        CompletableFuture<Void> talking = run(() -> {
            try {
                while (true) {
                    pair.peer().send(new Frame.Ping(1));
                    Thread.sleep(10);
                }
            } catch (IOException | InterruptedException gone) {
                // The client has gone.
            }
        });
        // A machine that is busy may lose the next connection, too.
        long seen = 0;
        while (seen < 60) {
            Peer peer = fake.accept();
            peer.greet(seen);
            Frame frame = peer.read();
            for (; frame != null; frame = seen < 60 ? peer.read() : null) {
                if (!(frame instanceof Frame.Batch batch)) continue;
                assertEquals(++seen, batch.first());
                peer.ack(seen);
            }
        }
        pair.client().flush(LONG);
        pair.peer().socket.close();
        talking.join();
    }

    @Test void aServerThatReadsNoAnswersAsksNoMore() throws Exception {
        int total = 3000;
        AtomicInteger asked = new AtomicInteger();
        byte[] answer = new byte[10_000];
        Pair pair = fake.pair(fake.config().onRequest(question -> {
            asked.incrementAndGet();
            return answer;
        }));
        CompletableFuture<Void> asking = run(() -> {
            try {
                for (int i = 0; i < total; i++) pair.peer().send(new Frame.Request(i, 0, ByteBuffer.wrap(answer)));
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        });
        for (int before = -1; asked.get() != before; Thread.sleep(200)) before = asked.get();
        assertTrue(asked.get() < total / 2, "answers that were made for nobody: " + asked);
        for (int i = 0; i < total; i++) assertEquals(i, pair.peer().read(Frame.Reply.class).correlation());
        asking.join();
    }

    @Test void requestsGoBothWays() throws Exception {
        Pair pair = fake.pair(fake.config().onRequest(asked -> {
            switch (string(asked)) {
                case "no" -> throw new TransportException(Code.REFUSED, "nö");
                case "boom" -> throw new IllegalStateException("boom");
                case "long" -> {
                    return new byte[1 << 20];
                }
                default -> {
                    return bytes(string(asked) + "!");
                }
            }
        }));
        Client client = pair.client();
        Peer peer = pair.peer();
        CompletableFuture<byte[]> answer = client.request(bytes("price?"), Duration.ofSeconds(5));
        Frame.Request asked = peer.read(Frame.Request.class);
        assertEquals(new Frame.Request(asked.correlation(), 5000, ByteBuffer.wrap(bytes("price?"))), asked);
        peer.send(new Frame.Reply(asked.correlation(), 0, ByteBuffer.wrap(bytes("7"))));
        assertEquals("7", string(answer.join()));
        CompletableFuture<byte[]> refused = client.request(bytes("?"), Duration.ZERO);
        peer.send(new Frame.Reply(peer.read(Frame.Request.class).correlation(), Code.REFUSED.number(), ByteBuffer.wrap(bytes("nö"))));
        fails("refused: nö", refused::join);
        fails("deadline: no answer in time", client.request(bytes("?"), Duration.ofMillis(20))::join);
        peer.read();
        for (Frame.Reply wanted : List.of(
                reply("a", 0, "a!"), reply("no", Code.REFUSED.number(), "nö"), reply("boom", Code.HANDLER.number(), "boom"),
                reply("long", Code.FRAME_TOO_LARGE.number(), "an answer of 1048576 bytes; a frame takes 1048563"))) {
            String[] both = string(Fields.copy(wanted.bytes())).split("\n");
            peer.send(new Frame.Request(Long.MIN_VALUE, 0, ByteBuffer.wrap(bytes(both[0]))));
            assertEquals(new Frame.Reply(Long.MIN_VALUE, wanted.code(), ByteBuffer.wrap(bytes(both[1]))), peer.read());
        }
        CompletableFuture<byte[]> pending = client.request(bytes("?"), Duration.ZERO);
        peer.socket.close();
        fails(Code.DISCONNECTED, pending::join);
    }

    private static Frame.Reply reply(String question, int code, String answer) {
        return new Frame.Reply(0, code, ByteBuffer.wrap(bytes(question + "\n" + answer)));
    }

    private static ByteBuffer entries(String... texts) {
        Bytes out = new Bytes(64);
        for (String text : texts) {
            out.u32(bytes(text).length);
            out.put(ByteBuffer.wrap(bytes(text)));
        }
        return ByteBuffer.wrap(out.array, 0, out.size);
    }

    @Test void subscriptionsOutliveConnectionsAndTellGaps() throws Exception {
        Pair pair = fake.pair(fake.config());
        Client client = pair.client();
        Peer peer = pair.peer();
        LinkedBlockingQueue<String> got = new LinkedBlockingQueue<>();
        int id = client.subscribe(new Subscription("log", push ->
            got.add(push.first() + "+" + push.gap() + push.messages().stream().map(Golden::string).toList()))
            .from(5).credit(4).onEnd(why -> got.add(why.getMessage())));
        assertEquals(new Frame.Subscribe(id, 5, 4, "log"), peer.read());
        peer.send(new Frame.Pushed(id, 5, 1, entries("a")));
        peer.send(new Frame.Pushed(id, 6, 2, entries("b", "c")));
        assertEquals(new Frame.Credit(id, 7, 4), peer.read());
        peer.socket.close();
        peer = fake.accept();
        peer.greet(0);
        assertEquals(new Frame.Subscribe(id, 8, 4, "log"), peer.read());
        peer.send(new Frame.Pushed(id, 7, 2, entries("c", "d")));
        peer.send(new Frame.Pushed(id, 20, 1, entries("e")));
        peer.send(new Frame.Pushed(id, Long.MIN_VALUE, 1, entries("nobody's")));
        peer.send(new Frame.Pushed(id + 1, 1, 1, entries("nobody's")));
        peer.send(new Frame.Unsubscribe(id, Code.REFUSED.number(), "no"));
        for (String wanted : List.of("5+0[a]", "6+0[b, c]", "8+0[d]", "20+11[e]", "refused: no")) assertEquals(wanted, next(got));
        fails(Code.MISUSED, () -> client.subscribe(new Subscription("x".repeat(1025), push -> {})));
        fails(Code.MISUSED, () -> client.subscribe(new Subscription("log", push -> {}).credit(0)));
        fails(Code.MISUSED, () -> client.subscribe(new Subscription("log", push -> {}).from(-1)));
        assertEquals(new Frame.Credit(id, 8, 4), peer.read());
        assertEquals(new Frame.Credit(id, 20, 4), peer.read());
        int other = client.subscribe(new Subscription("log", push -> {}));
        assertEquals(new Frame.Subscribe(other, 0, 1000, "log"), peer.read());
        client.unsubscribe(other);
        assertEquals(new Frame.Unsubscribe(other, 0, ""), peer.read());
    }

    @Test void drainingGoesBothWays() throws Exception {
        LinkedBlockingQueue<String> states = new LinkedBlockingQueue<>();
        Pair pair = fake.pair(fake.config().onState((state, why) -> states.add(state + (why == null ? "" : " " + why.code()))));
        Client client = pair.client();
        Peer peer = pair.peer();
        peer.send(new Frame.Drain(500));
        assertEquals(new Frame.Drain(500), peer.read());
        client.send(bytes("a"));
        peer.send(new Frame.Close(0, ""));
        peer = fake.accept();
        peer.greet(0);
        peer.batch();
        CompletableFuture<Void> drained = run(() -> client.drain(LONG));
        peer.ack(1);
        peer.read(Frame.Drain.class);
        fails("closed: the client drains", () -> client.send(bytes("b")));
        peer.send(new Frame.Close(0, ""));
        drained.join();
        assertEquals("normal: drained", client.awaitOver(LONG).orElseThrow().getMessage());
        for (String state : List.of("READY", "DRAINING DRAINING", "CONNECTING NORMAL", "READY", "OVER NORMAL")) {
            assertEquals(state, next(states));
        }
    }

    @Test void aFlushWithoutConnectionSaysWhy() throws Exception {
        Pair pair = fake.pair(fake.config().backoff(Duration.ofMillis(1), Duration.ofMillis(1)));
        pair.client().send(bytes("a"));
        fake.stop(pair.peer());
        TransportException late = Fake.failure(() -> {
            while (true) pair.client().flush(Duration.ofMillis(100));
        });
        assertEquals(Code.DEADLINE, late.code());
        while (!late.text().matches("1 messages are not acked: there is no connection: 127.0.0.1:\\d+: Connection refused.*")) {
            late = Fake.failure(() -> pair.client().flush(Duration.ofMillis(10)));
        }
    }

    @Test void aCallbackMayNotWaitAndOneThatFailsEndsTheClient() throws Exception {
        LinkedBlockingQueue<Code> seen = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Client> self = new LinkedBlockingQueue<>();
        Pair pair = fake.pair(fake.config().onAck(marks -> {
            Client client = self.peek();
            seen.add(Fake.failure(() -> client.flush(LONG)).code());
            throw new IllegalStateException("a mistake");
        }));
        self.add(pair.client());
        pair.client().send(bytes("a"));
        pair.peer().batch();
        pair.peer().ack(1);
        assertEquals(Code.MISUSED, next(seen));
        assertEquals(new Frame.Close(0, "a callback failed: java.lang.IllegalStateException: a mistake"), pair.peer().read());
        TransportException why = pair.client().awaitOver(LONG).orElseThrow();
        assertEquals("closed: a callback failed: java.lang.IllegalStateException: a mistake", why.getMessage());
        assertTrue(why.getCause() instanceof IllegalStateException);
    }

    @Test void whatIsNoOptionIsTold() {
        fails(Code.MISUSED, () -> new ClientConfig("x", 0));
        fails(Code.MISUSED, () -> fake.config().producer(new byte[3], 1));
        fails(Code.MISUSED, () -> fake.config().auth("x".repeat(256), new byte[0]));
        fails(Code.MISUSED, () -> fake.config().auth("token", new byte[4096]));
        fails(Code.MISUSED, () -> fake.config().pingAfter(Duration.ofMillis(-1)));
        fails(Code.MISUSED, () -> new Window(-1, 0));
    }

    @Test void whoIsInterruptedWaitsNoMore() throws Exception {
        Pair pair = fake.pair(fake.config());
        pair.client().send(bytes("a"));
        LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
        Thread waiting = new Thread(() -> said.add(Fake.failure(() -> pair.client().flush(LONG)).code() + " " + Thread.interrupted()));
        waiting.start();
        pair.peer().batch();
        waiting.interrupt();
        assertEquals("INTERRUPTED true", next(said));
    }
}
